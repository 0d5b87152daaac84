//! Tests small loops against the interpreter on the same operations.

use binade_stablehlo::ir::{Op, Operation, Program};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, Value};

use super::compile;
use crate::machine::run::Executable;
use crate::observe::{Event, Observer};
use crate::options::{Options, Semantics};
use crate::testing::*;

/// An observer, with which every operation runs alone.
struct Nobody;

impl Observer for Nobody {
    fn done(&self, _: &Event<'_>) -> bool {
        true
    }
}

/// Results of the interpreter, and of the planned program.
fn both(program: &Program, inputs: &[Tensor]) -> [Vec<Vec<u8>>; 2] {
    in_semantics(Semantics::Wide, program, inputs)
}

fn in_semantics(semantics: Semantics, program: &Program, inputs: &[Tensor]) -> [Vec<Vec<u8>>; 2] {
    let (nobody, options) = (Nobody, Options { semantics, ..Options::default() });
    let plain = Executable::observed(program, options.clone(), &nobody).unwrap();
    let fast = Executable::new(program, options).unwrap();
    [plain, fast].map(|executable| {
        let results = executable.run("main", inputs.iter().cloned().map(Value::Tensor).collect()).unwrap();
        let tensor = |value| crate::machine::values::tensor(value).unwrap();
        results.into_iter().map(tensor).map(|tensor| tensor.data.to_le_bytes(0..tensor.data.len())).collect()
    })
}

/// Returns true if the loops of a program's entry are compiled here.
fn is_small_loop(program: &Program) -> bool {
    let main = &program.functions[program.names["main"]];
    let is_loop = |operation: &&Operation| matches!(operation.kind, Op::While { .. });
    let loops: Vec<bool> = (main.body.operations.iter().filter(is_loop))
        .map(|operation| compile(operation, &main.values).is_some())
        .collect();
    !loops.is_empty() && loops.into_iter().all(|small| small)
}

/// A loop of `count` iterations over a counter `%i` and a state, as `name: type = initial value`, with the parameters of
/// the function and the results of the body.
fn looped(parameters: &str, state: &[(&str, &str, &str)], body: &str, results: &str) -> Program {
    let (mut names, mut types) = ("%i = %start".to_owned(), "tensor<i32>".to_owned());
    for (name, ty, initial) in state {
        names += &format!(", %{name} = {initial}");
        types += &format!(", {ty}");
    }
    let all: Vec<String> = (0..=state.len()).map(|at| format!("%r#{at}")).collect();
    let all = all.join(", ");
    let text = format!(
        "func.func @main({parameters}) -> ({types}) {{
        %start = stablehlo.constant dense<0> : tensor<i32>
        %r:{} = stablehlo.while({names}) : {types}
        cond {{ %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1> }}
        do {{ %one = stablehlo.constant dense<1> : tensor<i32>
          %next = stablehlo.add %i, %one : tensor<i32>
          {body}
          stablehlo.return %next, {results} : {types} }}
        return {all} : {types} }}",
        state.len() + 1
    );
    Program::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Every operation on single numbers and short vectors of several types. Values include NaN, infinities and extremes, and two
/// values of the state swap places. A vector's first operand is one repeated number.
#[test]
fn numbers_of_every_type() {
    let sized = |ty: &str, ops: &[&str], compares: &[&str], start: &str, count: Option<usize>| {
        let single = format!("tensor<{ty}>");
        let size = count.map_or_else(String::new, |count| format!("{count}x"));
        let (scalar, truth) = (format!("tensor<{size}{ty}>"), format!("tensor<{size}i1>"));
        let mut body = String::new();
        let mut last = "%a".to_owned();
        for (at, op) in ops.iter().enumerate() {
            body += &format!("%o{at} = stablehlo.{op} {last}, %b : {scalar}\n");
            last = format!("%o{at}");
        }
        if count.is_some() {
            body += &format!(
                "%slice = stablehlo.slice %b [1:2] : ({scalar}) -> tensor<1x{ty}>
                %one1 = stablehlo.reshape %slice : (tensor<1x{ty}>) -> {single}
                %all1 = stablehlo.broadcast_in_dim %one1, dims = [] : ({single}) -> {scalar}\n"
            );
            for (at, op) in ops.iter().enumerate() {
                body += &format!(
                    "%l{at} = stablehlo.{op} %all1, {last} : {scalar}
                    %p{at} = stablehlo.compare LT, %all1, %l{at} : ({scalar}, {scalar}) -> {truth}
                    %w{at} = stablehlo.select %p{at}, %all1, %l{at} : {truth}, {scalar}\n"
                );
                last = format!("%w{at}");
            }
        }
        for (at, compare) in compares.iter().enumerate() {
            body += &format!(
                "%c{at} = stablehlo.compare {compare}, {last}, %b : ({scalar}, {scalar}) -> {truth}
                %s{at} = stablehlo.select %c{at}, {last}, %b : {truth}, {scalar}
                %m{at} = stablehlo.multiply %s{at}, %k : {scalar}
                %q{at} = stablehlo.and %c{at}, %t : {truth}
                %n{at} = stablehlo.compare {compare}, %q{at}, %c{at} : ({truth}, {truth}) -> {truth}
                %u{at} = stablehlo.or %q{at}, %n{at} : {truth}\n"
            );
            last = format!("%m{at}");
        }
        let flag = format!("%u{}", compares.len() - 1);
        let k = format!("%k = stablehlo.constant dense<{start}> : {scalar}\n");
        looped(
            &format!("%n: tensor<i32>, %x: {scalar}, %y: {scalar}, %z: {truth}"),
            &[("a", &scalar, "%x"), ("b", &scalar, "%y"), ("t", &truth, "%z")],
            &(k + &body),
            &format!("%b, {last}, {flag}"),
        )
    };
    let floats = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder", "power"];
    let integers = ["add", "subtract", "multiply", "xor", "or", "and", "maximum", "shift_left", "divide"];
    let directions = ["EQ", "NE", "GE", "GT", "LE", "LT"];
    let float = |float| ElementType::Float(float);
    let integer = |signed, width| ElementType::Integer { signed, width };
    let types = [
        ("f32", float(FloatType::F32), true),
        ("f64", float(FloatType::F64), true),
        ("bf16", float(FloatType::Bf16), true),
        ("f16", float(FloatType::F16), true),
        ("f8E4M3FN", float(FloatType::F8E4M3FN), true),
        ("tf32", float(FloatType::Tf32), true),
        ("i32", integer(true, 32), false),
        ("ui32", integer(false, 32), false),
        ("i64", integer(true, 64), false),
        ("ui64", integer(false, 64), false),
        ("i8", integer(true, 8), false),
        ("ui16", integer(false, 16), false),
        ("i4", integer(true, 4), false),
    ];
    for (ty, element, is_float) in types {
        let (ops, start) = if is_float { (&floats[..], "-1.5") } else { (&integers[..], "3") };
        // Each operation runs with the comparisons, so that no result hides another.
        for op in ops {
            let all = [(0.5, 3.0), (f64::NAN, 1.0), (2.0, f64::INFINITY), (-0.0, 0.0), (1e300, -7.0)];
            let check = |count: Option<usize>, pairs: &[(f64, f64)]| {
                let program = sized(ty, &[op, "add"], &directions, start, count);
                assert!(is_small_loop(&program), "{ty} {op} {count:?}");
                let shape: Vec<usize> = count.into_iter().collect();
                let numbers = |of: fn(&(f64, f64)) -> f64| {
                    let clamped = |x: f64| if is_float { x } else { x.clamp(-5.0, 5.0) };
                    let wide = pairs.iter().cycle().map(of).map(clamped).take(count.unwrap_or(1)).collect();
                    let wide =
                        Tensor::new(ElementType::Float(FloatType::F64), shape.clone(), Data::F64(wide));
                    let data = crate::arithmetic::convert::convert(&wide, &element).unwrap();
                    Tensor::new(element.clone(), shape.clone(), data)
                };
                let truth = (0..count.unwrap_or(1)).map(|at| u8::from(at % 3 != 1)).collect();
                let truth = Tensor::new(ElementType::Bool, shape.clone(), Data::U8(truth));
                let inputs = [i32s(&[], vec![9]), numbers(|pair| pair.0), numbers(|pair| pair.1), truth];
                let [plain, fast] = both(&program, &inputs);
                assert_eq!(plain, fast, "{ty} {op} {count:?} {pairs:?}");
            };
            for pair in all {
                check(None, &[pair]);
                check(Some(2), &[pair]);
            }
            for count in [2, 3, 16, 17, 64, 65] {
                check(Some(count), &all[3..]);
                check(Some(count), &all);
            }
        }
    }
}

/// Vectors, moved elements, functions, branches, a nested loop, and numbers of iterations from zero on.
#[test]
fn vectors_branches_and_inner_loops() {
    let program = looped(
        "%n: tensor<i32>, %x: tensor<16xf32>, %w: tensor<4x4xbf16>, %none: tensor<0xf32>, %zero: tensor<f32>",
        &[
            ("v", "tensor<16xf32>", "%x"),
            ("m", "tensor<4x4xbf16>", "%w"),
            ("e", "tensor<0xf32>", "%none"),
            ("s", "tensor<f32>", "%zero"),
        ],
        "%t = stablehlo.tanh %v : tensor<16xf32>
        %k = stablehlo.iota dim = 0 : tensor<16xf32>
        %a = stablehlo.add %t, %k : tensor<16xf32>
        %r0 = stablehlo.reverse %a, dims = [0] : tensor<16xf32>
        %sq = stablehlo.reshape %r0 : (tensor<16xf32>) -> tensor<4x4xf32>
        %tr = stablehlo.transpose %sq, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
        %b16 = stablehlo.convert %tr : (tensor<4x4xf32>) -> tensor<4x4xbf16>
        %m2 = stablehlo.multiply %m, %b16 : tensor<4x4xbf16>
        %back = stablehlo.convert %m2 : (tensor<4x4xbf16>) -> tensor<4x4xf32>
        %row = stablehlo.slice %back [1:3, 0:4:2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
        %pad = stablehlo.pad %row, %s, low = [1, -1], high = [0, 2], interior = [1, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<4x3xf32>
        %flat = stablehlo.reshape %pad : (tensor<4x3xf32>) -> tensor<12xf32>
        %four = stablehlo.slice %v [2:6] : (tensor<16xf32>) -> tensor<4xf32>
        %cat = stablehlo.concatenate %four, %flat, dim = 0 : (tensor<4xf32>, tensor<12xf32>) -> tensor<16xf32>
        %one16 = stablehlo.dynamic_slice %cat, %i, sizes = [1] : (tensor<16xf32>, tensor<i32>) -> tensor<1xf32>
        %one0 = stablehlo.reshape %one16 : (tensor<1xf32>) -> tensor<f32>
        %p2 = stablehlo.compare GT, %one0, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %br = \"stablehlo.if\"(%p2) ({
          %q = stablehlo.sine %one0 : tensor<f32>
          stablehlo.return %q : tensor<f32>
        }, {
          stablehlo.return %s : tensor<f32>
        }) : (tensor<i1>) -> tensor<f32>
        %cs = \"stablehlo.case\"(%i) ({
          stablehlo.return %br : tensor<f32>
        }, {
          %q = stablehlo.add %br, %one0 : tensor<f32>
          stablehlo.return %q : tensor<f32>
        }, {
          %q = stablehlo.exponential %br : tensor<f32>
          stablehlo.return %q : tensor<f32>
        }) : (tensor<i32>) -> tensor<f32>
        %in:2 = stablehlo.while(%j = %i, %c = %cs) : tensor<i32>, tensor<f32>
        cond { %jp = stablehlo.compare GT, %j, %start : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %jp : tensor<i1> }
        do { %jn = stablehlo.subtract %j, %one : tensor<i32>
          %cn = stablehlo.subtract %c, %cs : tensor<f32>
          %co = stablehlo.cosine %cn : tensor<f32>
          stablehlo.return %jn, %co : tensor<i32>, tensor<f32> }
        %clip = stablehlo.clamp %s, %cat, %in#1 : (tensor<f32>, tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
        %sel = stablehlo.select %p2, %clip, %v : tensor<i1>, tensor<16xf32>
        %e2 = stablehlo.negate %e : tensor<0xf32>",
        "%sel, %m2, %e2, %in#1",
    );
    assert!(is_small_loop(&program));
    let bf16 = ElementType::Float(FloatType::Bf16);
    let codes = Data::U16((0..16).map(|at: u16| 0x3f00 + 37 * at).collect());
    for count in [0, 1, 2, 3, 40] {
        for special in [0.5, f32::NAN, f32::NEG_INFINITY] {
            let mut x = noise(7, 16);
            x[3] = special;
            let inputs = [
                i32s(&[], vec![count]),
                f32s(&[16], x),
                Tensor::new(bf16.clone(), vec![4, 4], codes.clone()),
                f32s(&[0], vec![]),
                f32s(&[], vec![0.0]),
            ];
            let [plain, fast] = both(&program, &inputs);
            assert_eq!(plain, fast, "{count} iterations, {special}");
        }
    }
}

/// Reductions in both semantics, over all dimensions and over one.
#[test]
fn reductions() {
    let program = looped(
        "%n: tensor<i32>, %x: tensor<5x7xf32>, %k: tensor<5x7xi32>, %b: tensor<7xi1>, %zero: tensor<f32>",
        &[("v", "tensor<5x7xf32>", "%x"), ("m", "tensor<5x7xi32>", "%k"), ("s", "tensor<f32>", "%zero")],
        "%sum = stablehlo.reduce(%v init: %s) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<f32>
        %rows = stablehlo.reduce(%v init: %s) applies stablehlo.maximum across dimensions = [1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
        %all = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<5xf32>) -> tensor<5x7xf32>
        %w = stablehlo.subtract %v, %all : tensor<5x7xf32>
        %columns = stablehlo.reduce(%m init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<5x7xi32>, tensor<i32>) -> tensor<7xi32>
        %more = stablehlo.broadcast_in_dim %columns, dims = [1] : (tensor<7xi32>) -> tensor<5x7xi32>
        %l = stablehlo.add %m, %more : tensor<5x7xi32>
        %third = stablehlo.constant dense<0.333> : tensor<f32>
        %next_s = stablehlo.multiply %sum, %third : tensor<f32>",
        "%w, %l, %next_s",
    );
    assert!(is_small_loop(&program));
    for semantics in [Semantics::Wide, Semantics::Reference] {
        for special in [1e30, f32::NAN, f32::INFINITY] {
            let mut x = noise(5, 35);
            x[11] = special;
            let inputs = [
                i32s(&[], vec![6]),
                f32s(&[5, 7], x),
                i32s(&[5, 7], (0..35).map(|at: i32| at.wrapping_mul(0x0123_4567) >> 3).collect()),
                Tensor::new(ElementType::Bool, vec![7], Data::U8(vec![1; 7])),
                f32s(&[], vec![0.25]),
            ];
            let [plain, fast] = in_semantics(semantics, &program, &inputs);
            assert_eq!(plain, fast, "{semantics:?} {special}");
        }
    }
}

/// Conditions of loops over several elements are reductions of truth values.
#[test]
fn reductions_of_truth_values() {
    let state = [
        ("v", "tensor<5xf32>", "%a"),
        ("all", "tensor<i1>", "%no"),
        ("any", "tensor<i1>", "%no"),
        ("both", "tensor<i1>", "%no"),
        ("seen", "tensor<9xi1>", "%none"),
    ];
    let program = looped(
        "%n: tensor<i32>, %a: tensor<5xf32>, %l: tensor<f32>, %no: tensor<i1>, %none: tensor<9xi1>",
        &state,
        "%yes = stablehlo.constant dense<true> : tensor<i1>
        %limit = stablehlo.broadcast_in_dim %l, dims = [] : (tensor<f32>) -> tensor<5xf32>
        %below = stablehlo.compare LT, %v, %limit : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
        %every = stablehlo.reduce(%below init: %yes) applies stablehlo.and across dimensions = [0] : (tensor<5xi1>, tensor<i1>) -> tensor<i1>
        %some = stablehlo.reduce(%below init: %no) applies stablehlo.or across dimensions = [0] : (tensor<5xi1>, tensor<i1>) -> tensor<i1>
        %never = stablehlo.reduce(%below init: %no) applies stablehlo.and across dimensions = [0] : (tensor<5xi1>, tensor<i1>) -> tensor<i1>
        %always = stablehlo.reduce(%below init: %yes) applies stablehlo.or across dimensions = [0] : (tensor<5xi1>, tensor<i1>) -> tensor<i1>
        %two = stablehlo.xor %never, %always : tensor<i1>
        %odd = stablehlo.xor %every, %some : tensor<i1>
        %both2 = stablehlo.and %two, %odd : tensor<i1>
        %e = stablehlo.reshape %every : (tensor<i1>) -> tensor<1xi1>
        %s = stablehlo.reshape %some : (tensor<i1>) -> tensor<1xi1>
        %rest = stablehlo.slice %seen [2:9] : (tensor<9xi1>) -> tensor<7xi1>
        %seen2 = stablehlo.concatenate %rest, %e, %s, dim = 0 : (tensor<7xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<9xi1>
        %w = stablehlo.add %v, %v : tensor<5xf32>",
        "%w, %every, %some, %both2, %seen2",
    );
    assert!(is_small_loop(&program));
    let truth = |shape: Vec<usize>, count| Tensor::new(ElementType::Bool, shape, Data::U8(vec![0; count]));
    for last in [f32::NAN, 1.5] {
        for turns in [1, 3, 4, 6] {
            let a = f32s(&[5], vec![0.5, 1.0, 2.0, 4.0, last]);
            let limit = f32s(&[], vec![16.0]);
            let inputs = [i32s(&[], vec![turns]), a, limit, truth(vec![], 1), truth(vec![9], 9)];
            let [walked, small] = both(&program, &inputs);
            assert_eq!(walked, small, "{last} {turns}");
        }
    }
}

/// Slices of large tensors, read and written, including starts that are moved and windows that are skipped.
#[test]
fn large_tensors_are_changed_in_place() {
    let program = looped(
        "%n: tensor<i32>, %xs: tensor<20x16xf32>, %ys: tensor<20x16xf32>, %zs: tensor<300xf32>, %none: tensor<16xf32>",
        &[
            ("x", "tensor<20x16xf32>", "%xs"),
            ("y", "tensor<20x16xf32>", "%ys"),
            ("z", "tensor<300xf32>", "%zs"),
            ("last", "tensor<16xf32>", "%none"),
        ],
        "%two = stablehlo.constant dense<2> : tensor<i32>
        %at = stablehlo.subtract %i, %two : tensor<i32>
        %row = stablehlo.dynamic_slice %x, %at, %start, sizes = [1, 16] : (tensor<20x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
        %r = stablehlo.reshape %row : (tensor<1x16xf32>) -> tensor<16xf32>
        %s = stablehlo.add %r, %last : tensor<16xf32>
        %old = stablehlo.dynamic_slice %y, %i, %two, sizes = [2, 8] : (tensor<20x16xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
        %flat = stablehlo.reshape %old : (tensor<2x8xf32>) -> tensor<16xf32>
        %t = stablehlo.multiply %s, %flat : tensor<16xf32>
        %update = stablehlo.reshape %t : (tensor<16xf32>) -> tensor<4x4xf32>
        %y2 = stablehlo.dynamic_update_slice %y, %update, %i, %at : (tensor<20x16xf32>, tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<20x16xf32>
        %eleven = stablehlo.constant dense<11> : tensor<i32>
        %big = stablehlo.multiply %at, %eleven : tensor<i32>
        %where = stablehlo.reshape %big : (tensor<i32>) -> tensor<1xi32>
        %first = stablehlo.slice %s [0:1] : (tensor<16xf32>) -> tensor<1xf32>
        %scalar = stablehlo.reshape %first : (tensor<1xf32>) -> tensor<f32>
        %z2 = \"stablehlo.scatter\"(%z, %where, %scalar) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          stablehlo.return %b : tensor<f32>
        }) : (tensor<300xf32>, tensor<1xi32>, tensor<f32>) -> tensor<300xf32>
        %wrap = stablehlo.dynamic_slice %z2, %big, sizes = [16] : (tensor<300xf32>, tensor<i32>) -> tensor<16xf32>
        %u = stablehlo.subtract %t, %wrap : tensor<16xf32>",
        "%x, %y2, %z2, %u",
    );
    assert!(is_small_loop(&program));
    for count in [0, 1, 5, 45] {
        let inputs = [
            i32s(&[], vec![count]),
            f32s(&[20, 16], noise(1, 320)),
            f32s(&[20, 16], noise(2, 320)),
            f32s(&[300], noise(3, 300)),
            f32s(&[16], noise(4, 16)),
        ];
        let kept: Vec<Vec<f32>> = inputs[1..].iter().map(|tensor| floats(tensor).to_vec()).collect();
        let [plain, fast] = both(&program, &inputs);
        assert_eq!(plain, fast, "{count} iterations");
        let after: Vec<Vec<f32>> = inputs[1..].iter().map(|tensor| floats(tensor).to_vec()).collect();
        assert_eq!(kept, after, "inputs that others hold are not changed");
    }
}

/// A loop that would read a tensor's earlier elements after a write is interpreted, with the same results.
#[test]
fn what_was_there_before_is_not_lost() {
    let write = "%one1 = stablehlo.constant dense<5.0> : tensor<1xf32>
        %w = stablehlo.dynamic_update_slice %a, %one1, %i : (tensor<300xf32>, tensor<1xf32>, tensor<i32>) -> tensor<300xf32>";
    let read =
        "%o = stablehlo.dynamic_slice %a, %i, sizes = [1] : (tensor<300xf32>, tensor<i32>) -> tensor<1xf32>";
    let inner = "%in:3 = stablehlo.while(%j = %start, %p = %a, %q = %a) : tensor<i32>, tensor<300xf32>, tensor<300xf32>
        cond { %jp = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %jp : tensor<i1> }
        do { %jn = stablehlo.add %j, %one : tensor<i32>
          %was = stablehlo.dynamic_slice %q, %start, sizes = [1] : (tensor<300xf32>, tensor<i32>) -> tensor<1xf32>
          %more = stablehlo.add %was, %was : tensor<1xf32>
          %pn = stablehlo.dynamic_update_slice %p, %more, %start : (tensor<300xf32>, tensor<1xf32>, tensor<i32>) -> tensor<300xf32>
          stablehlo.return %jn, %pn, %q : tensor<i32>, tensor<300xf32>, tensor<300xf32> }";
    let large = "tensor<300xf32>";
    let state = [("a", large, "%xs"), ("b", large, "%ys"), ("c", "tensor<1xf32>", "%zs")];
    let parameters = "%n: tensor<i32>, %xs: tensor<300xf32>, %ys: tensor<300xf32>, %zs: tensor<1xf32>";
    let cases = [
        (format!("{read}\n{write}"), "%w, %b, %o", true),
        (format!("{write}\n{read}"), "%w, %b, %o", false),
        (format!("{write}\n{read}"), "%a, %w, %o", false),
        (read.to_owned(), "%b, %a, %o", false),
        (write.to_owned(), "%a, %b, %one1", false),
        (write.to_owned(), "%w, %w, %one1", false),
        (inner.to_owned(), "%in#1, %b, %c", false),
    ];
    for (body, results, small) in cases {
        let program = looped(parameters, &state, &body, results);
        assert_eq!(is_small_loop(&program), small, "{body}");
        let inputs = [
            i32s(&[], vec![6]),
            f32s(&[300], noise(1, 300)),
            f32s(&[300], noise(2, 300)),
            f32s(&[1], vec![1.0]),
        ];
        let [plain, fast] = both(&program, &inputs);
        assert_eq!(plain, fast, "{body}");
    }
}

/// An empty constant does not share the word of the next value, which is not constant.
#[test]
fn values_without_elements() {
    let body = "%e = stablehlo.constant dense<7> : tensor<0xi8>
        %a = stablehlo.slice %s [3:4, 4:5] : (tensor<4x5xi8>) -> tensor<1x1xi8>
        %w = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<1x1xi8>) -> tensor<4x5xi8>
        %t = stablehlo.add %s, %w : tensor<4x5xi8>";
    let state = [("s", "tensor<4x5xi8>", "%x")];
    let program = looped("%n: tensor<i32>, %x: tensor<4x5xi8>", &state, body, "%t");
    assert!(is_small_loop(&program));
    let i8s = ElementType::Integer { signed: true, width: 8 };
    let x = Tensor::new(i8s, vec![4, 5], Data::I8((1..21).collect()));
    let [walked, small] = both(&program, &[i32s(&[], vec![3]), x]);
    assert_eq!(walked, small);
    // The last element is added to all elements: 20, then 40, then 80.
    assert_eq!(walked[1][0], 1 + 20 + 40 + 80);
}

/// The limit of steps also applies to small loops.
#[test]
fn steps_are_counted() {
    let program = looped("%n: tensor<i32>, %x: tensor<f32>", &[("a", "tensor<f32>", "%x")], "", "%a");
    assert!(is_small_loop(&program));
    let inputs = || vec![i32s(&[], vec![i32::MAX]), f32s(&[], vec![1.0])];
    let options = Options { step_limit: Some(1000), ..Options::default() };
    let error = run(&program, inputs(), options).unwrap_err();
    assert!(error.to_string().contains("limit of 1000 steps"), "{error}");
}
