//! Tests rewritten programs against their originals.

use std::collections::HashMap;

use binade_stablehlo::ir::{Op, Program, Region};
use binade_stablehlo::{Tensor, Value};

use super::rewritten;
use crate::arithmetic::contraction::Pairs;
use crate::arithmetic::rules::Rules;
use crate::machine::run::Executable;
use crate::observe::{Event, Observer};
use crate::options::Options;
use crate::testing::*;

/// An observer, with which programs stay unchanged.
struct Nobody;

impl Observer for Nobody {
    fn done(&self, _: &Event<'_>) -> bool {
        true
    }
}

/// Bytes of all results, of the original program and of the rewritten one.
fn both(text: &str, inputs: &[Tensor]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    both_under(text, inputs, &[], None)
}

/// Bytes of all results under rules, with `threads` threads.
fn both_under(
    text: &str,
    inputs: &[Tensor],
    rules: &[&str],
    threads: Option<usize>,
) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let options = || Options { rules: Rules::parse(rules).unwrap(), threads, ..Options::default() };
    let program = Program::parse(text).unwrap();
    let inputs = || inputs.iter().cloned().map(Value::Tensor).collect();
    let bytes = |results: Vec<Value>| -> Vec<Vec<u8>> {
        let tensor = |value| crate::machine::values::tensor(value).unwrap();
        results.into_iter().map(tensor).map(|tensor| tensor.data.to_le_bytes(0..tensor.data.len())).collect()
    };
    let plain = Executable::observed(&program, options(), &Nobody).unwrap();
    let fast = Executable::new(&program, options()).unwrap();
    (bytes(plain.run("main", inputs()).unwrap()), bytes(fast.run("main", inputs()).unwrap()))
}

/// The number of occurrences of each operation in a region and its nested regions.
fn names(region: &Region, into: &mut HashMap<&'static str, usize>) {
    for operation in &region.operations {
        *into.entry(operation.kind.name()).or_default() += 1;
        operation.kind.regions().into_iter().for_each(|region| names(region, into));
    }
}

/// The operations of a rewritten program's entry, and those of its loops' bodies.
fn counts(text: &str) -> (HashMap<&'static str, usize>, HashMap<&'static str, usize>) {
    let program = rewritten(&Program::parse(text).unwrap(), &Rules::default());
    let main = &program.functions[program.names["main"]].body;
    let (mut all, mut inner) = (HashMap::new(), HashMap::new());
    names(main, &mut all);
    for operation in &main.operations {
        if let Op::While { body, .. } = &operation.kind {
            names(body, &mut inner);
        }
    }
    (all, inner)
}

/// A recurrent layer as frameworks write it: weights that a loop transposes in every iteration, within a function.
const LAYER: &str = "
func.func @main(%w: tensor<6x4xf32>, %h: tensor<3x4xf32>, %n: tensor<i32>) -> (tensor<3x6xf32>, tensor<3x4xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.constant dense<0.5> : tensor<3x6xf32>
  %r:4 = stablehlo.while(%i = %zero, %a = %w, %b = %h, %s = %c) : tensor<i32>, tensor<6x4xf32>, tensor<3x4xf32>, tensor<3x6xf32>
  cond { %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do { %next:2 = func.call @cell(%a, %b, %s) : (tensor<6x4xf32>, tensor<3x4xf32>, tensor<3x6xf32>) -> (tensor<3x4xf32>, tensor<3x6xf32>)
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %a, %next#0, %next#1 : tensor<i32>, tensor<6x4xf32>, tensor<3x4xf32>, tensor<3x6xf32> }
  return %r#3, %r#2, %r#0 : tensor<3x6xf32>, tensor<3x4xf32>, tensor<i32>
}
func.func private @cell(%w: tensor<6x4xf32>, %h: tensor<3x4xf32>, %s: tensor<3x6xf32>) -> (tensor<3x4xf32>, tensor<3x6xf32>) {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4x6xf32>
  %u = stablehlo.multiply %t, %two : tensor<4x6xf32>
  %x = stablehlo.dot_general %h, %u, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x6xf32>) -> tensor<3x6xf32>
  %y = stablehlo.tanh %x : tensor<3x6xf32>
  %v = stablehlo.add %y, %s : tensor<3x6xf32>
  %z = stablehlo.slice %v [0:3, 1:5] : (tensor<3x6xf32>) -> tensor<3x4xf32>
  %unread = stablehlo.exponential %z : tensor<3x4xf32>
  return %z, %v : tensor<3x4xf32>, tensor<3x6xf32>
}";

#[test]
fn loops_keep_their_bits_and_leave_the_same_work_outside() {
    for count in [0, 1, 9] {
        let inputs = [f32s(&[6, 4], noise(1, 24)), f32s(&[3, 4], noise(2, 12)), i32s(&[], vec![count])];
        let (plain, fast) = both(LAYER, &inputs);
        assert_eq!(plain, fast, "{count} iterations");
    }
    let (all, inner) = counts(LAYER);
    // An unread operation of the original program stays.
    assert!(!all.contains_key("call") && inner.contains_key("exponential"), "{all:?}");
    assert_eq!((all["transpose"], all["dot_general"]), (1, 1));
    assert!(!inner.contains_key("transpose") && !inner.contains_key("multiply"), "{inner:?}");
    assert_eq!(inner["dot_general"], 1);
}

/// Products that read their operands through transposes, for every pair of permutations.
#[test]
fn transposes_are_read_through() {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let sizes = [2, 3, 5];
    let (mut through, mut kept) = (0, 0);
    for left in orders {
        for right in orders {
            // The transposed operands are 2 × 3 × 5 and contracted over 3, with batches of 2 or without.
            let shape = |order: [usize; 3]| {
                let mut shape = [0; 3];
                order.iter().zip(sizes).for_each(|(&from, size)| shape[from] = size);
                shape
            };
            let text = |shape: [usize; 3]| format!("tensor<{}x{}x{}xf32>", shape[0], shape[1], shape[2]);
            for (batching, result) in [("batching_dims = [0] x [0], ", "2x5x5"), ("", "2x5x2x5")] {
                let (a, b) = (text(shape(left)), text(shape(right)));
                let program = format!(
                    "func.func @main(%a: {a}, %b: {b}) -> tensor<{result}xf32> {{
                    %x = stablehlo.transpose %a, dims = {left:?} : ({a}) -> tensor<2x3x5xf32>
                    %y = stablehlo.transpose %b, dims = {right:?} : ({b}) -> tensor<2x3x5xf32>
                    %z = stablehlo.dot_general %x, %y, {batching}contracting_dims = [1] x [1] : \
                    (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<{result}xf32>
                    return %z : tensor<{result}xf32> }}"
                );
                let inputs = [f32s(&shape(left), noise(3, 30)), f32s(&shape(right), noise(4, 30))];
                let (plain, fast) = both(&program, &inputs);
                assert_eq!(plain, fast, "{program}");
                match counts(&program).0.get("transpose") {
                    None => through += 1,
                    Some(_) => kept += 1,
                }
            }
        }
    }
    assert!(through > 30 && kept > 10, "{through} {kept}");
}

/// Transposes of products and of each other, for every pair of permutations of a three-dimensional product.
#[test]
fn transposes_of_products_are_products() {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let sizes = [2, 5, 7];
    let mut gone = 0;
    for first in orders {
        for second in orders {
            let once = first.map(|at| sizes[at]);
            let [p, q] = [once, second.map(|at| once[at])]
                .map(|shape| format!("tensor<{}x{}x{}xf32>", shape[0], shape[1], shape[2]));
            for (also, read) in [("", ""), (", tensor<2x5x7xf32>", ", %z")] {
                let program = format!(
                    "func.func @main(%a: tensor<2x5x3xf32>, %b: tensor<2x3x7xf32>) -> ({q}{also}) {{
                    %z = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] :                     (tensor<2x5x3xf32>, tensor<2x3x7xf32>) -> tensor<2x5x7xf32>
                    %x = stablehlo.transpose %z, dims = {first:?} : (tensor<2x5x7xf32>) -> {p}
                    %y = stablehlo.transpose %x, dims = {second:?} : ({p}) -> {q}
                    return %y{read} : {q}{also} }}"
                );
                let inputs = [f32s(&[2, 5, 3], noise(3, 30)), f32s(&[2, 3, 7], noise(4, 42))];
                let (plain, fast) = both(&program, &inputs);
                assert_eq!(plain, fast, "{program}");
                let all = counts(&program).0;
                assert_eq!(all["dot_general"], 1, "{program}");
                let whole = second.map(|at| first[at]);
                let left = all.get("transpose").copied().unwrap_or(0);
                let expected = match whole {
                    [0, 1, 2] => 0,
                    [0, 2, 1] if also.is_empty() => 0,
                    _ => 1,
                };
                assert_eq!(left, expected, "{program}");
                gone += usize::from(left == 0);
            }
        }
    }
    assert!(gone >= 15, "{gone}");
}

/// A few rounds of mixing as in random number generators: unrolled, with constant shift amounts.
#[test]
fn short_loops_are_unrolled() {
    let program = |rounds: usize, start: usize| {
        format!(
            "func.func @main(%x: tensor<9xui32>, %y: tensor<9xui32>) -> (tensor<9xui32>, tensor<i32>, tensor<2xui32>) {{
            %a = stablehlo.constant dense<[13, 15]> : tensor<2xui32>
            %b = stablehlo.constant dense<[17, 29]> : tensor<2xui32>
            %zero = stablehlo.constant dense<{start}> : tensor<i32>
            %r:4 = stablehlo.while(%i = %zero, %s = %x, %p = %a, %q = %b) : tensor<i32>, tensor<9xui32>, tensor<2xui32>, tensor<2xui32>
            cond {{ %n = stablehlo.constant dense<{rounds}> : tensor<i32>
              %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %c : tensor<i1> }}
            do {{ %k = stablehlo.slice %p [1:2] : (tensor<2xui32>) -> tensor<1xui32>
              %l = stablehlo.reshape %k : (tensor<1xui32>) -> tensor<ui32>
              %m = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<ui32>) -> tensor<9xui32>
              %t = stablehlo.shift_left %s, %m : tensor<9xui32>
              %u = stablehlo.xor %t, %y : tensor<9xui32>
              %one = stablehlo.constant dense<1> : tensor<i32>
              %j = stablehlo.add %i, %one : tensor<i32>
              stablehlo.return %j, %u, %q, %p : tensor<i32>, tensor<9xui32>, tensor<2xui32>, tensor<2xui32> }}
            return %r#1, %r#0, %r#3 : tensor<9xui32>, tensor<i32>, tensor<2xui32> }}"
        )
    };
    let word = binade_stablehlo::ElementType::Integer { signed: false, width: 32 };
    let words = |seed: u32| (0..9).map(|at: u32| (at + seed).wrapping_mul(0x9E37_79B9)).collect();
    let input = |seed| Tensor::new(word.clone(), vec![9], binade_stablehlo::Data::U32(words(seed)));
    for (rounds, start, unrolled) in [(5, 0, true), (0, 3, true), (8, 0, true), (9, 0, false), (5, 4, true)] {
        let text = program(rounds, start);
        let (plain, fast) = both(&text, &[input(1), input(2)]);
        assert_eq!(plain, fast, "{rounds} from {start}");
        let (all, _) = counts(&text);
        assert_eq!(!all.contains_key("while"), unrolled, "{all:?}");
        assert!(!unrolled || !all.contains_key("slice"), "{all:?}");
    }
}

/// Functions that call each other, which no text can have, stay calls.
#[test]
fn recursion_is_not_inlined() {
    let function = |name: &str, callee: usize| {
        let mut w = Writer::new();
        let x = w.value(&I32, &[]);
        let y = w.op(Op::Call { function: callee }, &[x], &I32, &[]);
        w.function(name, &[x], &[y])
    };
    let program = program(vec![function("main", 1), function("first", 2), function("second", 1)]);
    let mut all = HashMap::new();
    names(&rewritten(&program, &Rules::default()).functions[0].body, &mut all);
    assert_eq!(all, HashMap::from([("call", 1)]));
}

const OPERATORS: [&str; 4] = ["bf16:bf16", "bf16x2:bf16x2/3", "float8_e4m3fn:f32", "f32:f32"];

/// Sums and products in different functions stay separate; pairs in one function or loop stay contracted.
#[test]
fn operators_contract_the_same_pairs() {
    let text = "
    func.func @main(%a: tensor<40xf32>, %b: tensor<40xf32>, %c: tensor<40xf32>, %n: tensor<i32>) ->
        (tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) {
      %p = stablehlo.multiply %a, %b : tensor<40xf32>
      %q = func.call @sum(%p, %c) : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
      %r = func.call @product(%a, %b) : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
      %s = stablehlo.add %r, %c : tensor<40xf32>
      %t = func.call @both(%a, %b, %c) : (tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
      %u = func.call @both(%b, %c, %a) : (tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %w:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<40xf32>
      cond { %l = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %l : tensor<i1> }
      do { %m = stablehlo.multiply %b, %c : tensor<40xf32>
        %k = stablehlo.subtract %v, %m : tensor<40xf32>
        %f = stablehlo.multiply %b, %a : tensor<40xf32>
        %g = stablehlo.tanh %f : tensor<40xf32>
        %h = stablehlo.add %g, %k : tensor<40xf32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %h : tensor<i32>, tensor<40xf32> }
      return %q, %s, %t, %u, %w#1 : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>
    }
    func.func private @sum(%x: tensor<40xf32>, %y: tensor<40xf32>) -> tensor<40xf32> {
      %z = stablehlo.add %x, %y : tensor<40xf32>
      return %z : tensor<40xf32>
    }
    func.func private @product(%x: tensor<40xf32>, %y: tensor<40xf32>) -> tensor<40xf32> {
      %z = stablehlo.multiply %x, %y : tensor<40xf32>
      return %z : tensor<40xf32>
    }
    func.func private @both(%x: tensor<40xf32>, %y: tensor<40xf32>, %z: tensor<40xf32>) -> tensor<40xf32> {
      %0 = stablehlo.multiply %x, %y : tensor<40xf32>
      %1 = stablehlo.add %z, %0 : tensor<40xf32>
      return %1 : tensor<40xf32>
    }";
    let vector = |seed| f32s(&[40], noise(seed, 40));
    let inputs = [vector(1), vector(2), vector(3), i32s(&[], vec![3])];
    for rule in OPERATORS {
        let (plain, fast) = both_under(text, &inputs, &[rule], None);
        assert_eq!(plain, fast, "{rule}");
    }
    // One pair for each original one, wherever it was moved.
    let program = Program::parse(text).unwrap();
    let rules = Rules::parse(&["bf16:bf16"]).unwrap().for_rewriting(&program).unwrap();
    let rewritten = rewritten(&program, &rules);
    let main = &rewritten.functions[rewritten.names["main"]];
    let mut all = HashMap::new();
    names(&main.body, &mut all);
    assert!(!all.contains_key("call"), "{all:?}");
    let count = |region: &Region| {
        let pairs = Pairs::of(region, &main.values, &rules);
        (0..region.operations.len()).filter(|&at| pairs.at(at).is_some()).count()
    };
    let inner: usize =
        main.body.operations.iter().flat_map(|operation| operation.kind.regions()).map(count).sum();
    assert_eq!((count(&main.body), inner), (2, 1));
    for round in ["*=bf16", "add=float8_e4m3fn"] {
        assert!(Rules::parse(&[round]).unwrap().for_rewriting(&program).is_none());
    }
    for rule in OPERATORS {
        let inputs = [f32s(&[6, 4], noise(1, 24)), f32s(&[3, 4], noise(2, 12)), i32s(&[], vec![5])];
        let (plain, fast) = both_under(LAYER, &inputs, &[rule], None);
        assert_eq!(plain, fast, "{rule}");
    }
}

/// Rows that are gathered, weighted and scattered, by one step and by three.
#[test]
fn rows_are_passed_on_with_their_bits() {
    let program = |edges: usize, nodes: usize, row: &str, weighted: &str| {
        let (all, rows) = (format!("tensor<{edges}x{row}xf32>"), format!("tensor<{nodes}x{row}xf32>"));
        let window = row.split('x').count();
        let dimensions: Vec<usize> = (1..=window).collect();
        let sizes = row.replace('x', ", ");
        let (product, updates) = match weighted {
            "" => (String::new(), "%g"),
            factors => (format!("%p = stablehlo.multiply {factors} : {all}"), "%p"),
        };
        format!(
            "func.func @main(%x: {rows}, %s: {rows}, %from: tensor<{edges}x1xi32>, %to: tensor<{edges}x1xi32>, \
            %weight: tensor<{edges}xf32>) -> {rows} {{
            %g = \"stablehlo.gather\"(%x, %from) {{dimension_numbers = #stablehlo.gather<offset_dims = {dimensions:?}, \
            collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, {sizes}>}} : \
            ({rows}, tensor<{edges}x1xi32>) -> {all}
            %w = stablehlo.broadcast_in_dim %weight, dims = [0] : (tensor<{edges}xf32>) -> {all}
            {product}
            %r = \"stablehlo.scatter\"(%s, %to, {updates}) ({{ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %c = stablehlo.add %a, %b : tensor<f32>
              stablehlo.return %c : tensor<f32> }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = \
              {dimensions:?}, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} :
              ({rows}, tensor<{edges}x1xi32>, {all}) -> {rows}
            return %r : {rows} }}"
        )
    };
    let cases =
        [(30, 7, "8"), (30, 5, "3x7"), (1500, 11, "64"), (90, 400, "100"), (70, 3, "1100"), (40, 9, "4")];
    for (edges, nodes, row) in cases {
        let run: usize = row.split('x').map(|size| size.parse::<usize>().unwrap()).product();
        let shape: Vec<usize> =
            [nodes].into_iter().chain(row.split('x').map(|size| size.parse().unwrap())).collect();
        // Some indices are out of range, on both sides.
        let places =
            |seed| noise(seed, edges).iter().map(|x| ((x + 1.0) * 0.6 * nodes as f32) as i32 - 1).collect();
        let inputs = [
            f32s(&shape, noise(1, nodes * run)),
            f32s(&shape, noise(2, nodes * run)),
            i32s(&[edges, 1], places(3)),
            i32s(&[edges, 1], places(4)),
            f32s(&[edges], noise(5, edges)),
        ];
        for weighted in ["%g, %w", "%w, %g", ""] {
            let text = program(edges, nodes, row, weighted);
            for rules in [
                &[][..],
                &["bf16:bf16"],
                &["bf16x2:bf16x2/3"],
                &["multiply=bf16:f32"],
                &["scatter=bf16:bf16"],
            ] {
                for threads in [1, 3] {
                    let (plain, fast) = both_under(&text, &inputs, rules, Some(threads));
                    assert_eq!(plain, fast, "{row} {weighted} {rules:?} {threads}");
                }
            }
        }
    }
}

/// `argmax` and `argmin`, by a search and by steps.
#[test]
fn searches_of_rows_find_what_steps_find() {
    for (beats, start) in [("GT", "0xFF800000"), ("LT", "0x7F800000")] {
        let text = format!(
            "func.func @main(%x: tensor<40x50xf32>) -> (tensor<40xf32>, tensor<40xi32>) {{
            %i = stablehlo.iota dim = 1 : tensor<40x50xi32>
            %start = stablehlo.constant dense<{start}> : tensor<f32>
            %zero = stablehlo.constant dense<0> : tensor<i32>
            %r:2 = stablehlo.reduce(%x init: %start), (%i init: %zero) across dimensions = [1] : \
              (tensor<40x50xf32>, tensor<40x50xi32>, tensor<f32>, tensor<i32>) -> (tensor<40xf32>, tensor<40xi32>)
              reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {{
                %0 = stablehlo.compare {beats}, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
                %1 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
                %2 = stablehlo.or %0, %1 : tensor<i1>
                %3 = stablehlo.compare EQ, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
                %4 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                %5 = stablehlo.and %3, %4 : tensor<i1>
                %6 = stablehlo.or %2, %5 : tensor<i1>
                %7 = stablehlo.select %2, %a, %c : tensor<i1>, tensor<f32>
                %8 = stablehlo.select %6, %b, %d : tensor<i1>, tensor<i32>
                stablehlo.return %7, %8 : tensor<f32>, tensor<i32>
              }}
            return %r#0, %r#1 : tensor<40xf32>, tensor<40xi32> }}"
        );
        let mut x: Vec<f32> = noise(1, 2000).iter().map(|x| (x * 20.0).round() / 4.0).collect();
        x[50..100].fill(f32::NEG_INFINITY);
        x[100..150].fill(f32::INFINITY);
        x[170] = f32::NAN;
        x[230] = -f32::NAN;
        x[240] = f32::NAN;
        x[250..300].iter_mut().enumerate().for_each(|(at, x)| *x = if at % 3 == 0 { -0.0 } else { 0.0 });
        for rules in [&[][..], &["bf16:bf16"], &["select=bf16"]] {
            let (plain, fast) = both_under(&text, &[f32s(&[40, 50], x.clone())], rules, None);
            assert_eq!(plain, fast, "{beats} {rules:?}");
        }
    }
}

/// A value of 64 Ki elements, read by 60 operations and then again; parameters are its operation, its operand and its late
/// reader.
fn far(make: &str, late: &str) -> String {
    let mut text = format!(
        "func.func @main(%p: tensor<65536xf32>) -> tensor<65536xf32> {{
        %x = stablehlo.sine %p : tensor<65536xf32>
        %other = stablehlo.cosine %p : tensor<65536xf32>
        %small = stablehlo.constant dense<0.75> : tensor<f32>
        %b = stablehlo.broadcast_in_dim %small, dims = [] : (tensor<f32>) -> tensor<65536xf32>
        {make}
        %r0 = stablehlo.sine %y : tensor<65536xf32>\n"
    );
    for at in 0..60 {
        text += &format!("%r{} = stablehlo.cosine %r{at} : tensor<65536xf32>\n", at + 1);
    }
    text + &format!("{late}\nreturn %z : tensor<65536xf32> }}")
}

/// A value read far away is recomputed there, from values that are stored that long anyway and hardly larger than it.
#[test]
fn values_are_made_again_rather_than_held() {
    let add = |a: &str, b: &str| format!("%{a} = stablehlo.add %{a}1, %{b} : tensor<65536xf32>");
    let sum =
        |name: &str, a: &str, b: &str| format!("%{name} = stablehlo.add %{a}, %{b} : tensor<65536xf32>\n");
    let scaled = "%y = stablehlo.multiply %x, %b : tensor<65536xf32>";
    let reads_both = sum("z1", "r60", "y") + &add("z", "x");
    let reads_three = sum("z2", "r60", "y") + &sum("z1", "z2", "x") + &add("z", "other");
    let deep = "%v = stablehlo.multiply %x, %b : tensor<65536xf32>
        %y = stablehlo.tanh %v : tensor<65536xf32>";
    let of_two = "%y = stablehlo.multiply %x, %other : tensor<65536xf32>";
    let slow = "%y = stablehlo.power %x, %b : tensor<65536xf32>";
    for (make, late, operation, expected) in [
        (scaled, &reads_both, "multiply", 2),
        (deep, &reads_both, "tanh", 2),
        (deep, &reads_both, "multiply", 2),
        // x would be stored for it.
        (scaled, &sum("z", "r60", "y"), "multiply", 1),
        // Two values would be read in place of one.
        (of_two, &reads_three, "multiply", 1),
        (slow, &reads_both, "power", 1),
        // No operation reads it again.
        (scaled, &(sum("w", "r60", "x") + "%z = stablehlo.add %w, %b : tensor<65536xf32>"), "multiply", 1),
    ] {
        let text = far(make, late);
        let (plain, fast) = both(&text, &[f32s(&[65536], noise(7, 65536))]);
        assert_eq!(plain, fast, "{make} {late}");
        assert_eq!(counts(&text).0[operation], expected, "{make} {late}");
    }
}
