//! Rewritten programs against those they were made of.

use std::collections::HashMap;

use super::rewritten;
use crate::eval::testing::*;
use crate::eval::{Event, Executable, Observer, Options};
use crate::ir::{Op, Program, Region};
use crate::tensor::{Tensor, Value};

/// Someone who looks on: programs stay as they are.
struct Nobody;

impl Observer for Nobody {
    fn done(&self, _: &Event<'_>) -> bool {
        true
    }
}

/// Bytes of all results, of the program as it is and rewritten.
fn both(text: &str, inputs: &[Tensor]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let program = Program::parse(text).unwrap();
    let inputs = || inputs.iter().cloned().map(Value::Tensor).collect();
    let bytes = |results: Vec<Value>| -> Vec<Vec<u8>> {
        let tensor = |value| crate::eval::machine::tensor(value).unwrap();
        results.into_iter().map(tensor).map(|tensor| tensor.data.to_le_bytes(0..tensor.data.len())).collect()
    };
    let plain = Executable::observed(&program, Options::default(), &Nobody).unwrap();
    let fast = Executable::new(&program, Options::default()).unwrap();
    (bytes(plain.run("main", inputs()).unwrap()), bytes(fast.run("main", inputs()).unwrap()))
}

/// How often each operation stands in a region and in the regions in it.
fn names(region: &Region, into: &mut HashMap<&'static str, usize>) {
    for operation in &region.operations {
        *into.entry(operation.kind.name()).or_default() += 1;
        operation.kind.regions().into_iter().for_each(|region| names(region, into));
    }
}

/// What the entry of a program is made of when it is rewritten, and what the bodies of its loops are.
fn counts(text: &str) -> (HashMap<&'static str, usize>, HashMap<&'static str, usize>) {
    let program = rewritten(&Program::parse(text).unwrap());
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
    // What nobody reads is done as the program says.
    assert!(!all.contains_key("call") && inner.contains_key("exponential"), "{all:?}");
    assert_eq!((all["transpose"], all["dot_general"]), (1, 1));
    assert!(!inner.contains_key("transpose") && !inner.contains_key("multiply"), "{inner:?}");
    assert_eq!(inner["dot_general"], 1);
}

/// Products that read their operands through transposes: of every pair of permutations.
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

/// Transposes of products and of each other: of every pair of permutations of a product of three dimensions.
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

/// A few rounds of mixing, as random number generators write them: unrolled, with amounts that are constants by then.
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
    let word = crate::types::ElementType::Integer { signed: false, width: 32 };
    let words = |seed: u32| (0..9).map(|at: u32| (at + seed).wrapping_mul(0x9E37_79B9)).collect();
    let input = |seed| Tensor::new(word.clone(), vec![9], crate::tensor::Data::U32(words(seed)));
    for (rounds, start, unrolled) in [(5, 0, true), (0, 3, true), (8, 0, true), (9, 0, false), (5, 4, true)] {
        let text = program(rounds, start);
        let (plain, fast) = both(&text, &[input(1), input(2)]);
        assert_eq!(plain, fast, "{rounds} from {start}");
        let (all, _) = counts(&text);
        assert_eq!(!all.contains_key("while"), unrolled, "{all:?}");
        assert!(!unrolled || !all.contains_key("slice"), "{all:?}");
    }
}

/// Functions that call each other, which no text can, stay calls.
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
    names(&rewritten(&program).functions[0].body, &mut all);
    assert_eq!(all, HashMap::from([("call", 1)]));
}
