//! Elementwise operations, reductions and contracted pairs under operators, against loops over `Operator::multiply_add`.

use std::fs;
use std::path::Path;

use binade::catalog::BF16;
use binade::{Operator, Projection, Value as Exact, decode, project};
use binade_fma::{Matrix, MatrixMut, Multiplier, Order, reference};
use binade_hlo::check::check;
use binade_hlo::eval::rules::{Rules, Scope};
use binade_hlo::eval::{Executable, Options};
use binade_hlo::{Data, ElementType, FloatType, Program, Tensor, Value};

const OPERATORS: [&str; 8] = [
    "bf16:bf16",
    "bf16:bf16x2",
    "bf16x2:bf16x2/3",
    "bf16x3:bf16x3/9",
    "float8_e4m3fn:bf16",
    "mp",
    "bf16:bf16+flush",
    "f32:f32",
];

const F32: ElementType = ElementType::Float(FloatType::F32);

fn operator(name: &str) -> Operator {
    name.parse().unwrap()
}

fn f32s(shape: &[usize], elements: &[f32]) -> Tensor {
    Tensor::new(F32, shape.to_vec(), Data::F32(elements.to_vec()))
}

fn i32s(shape: &[usize], elements: &[i32]) -> Tensor {
    let element = ElementType::Integer { signed: true, width: 32 };
    Tensor::new(element, shape.to_vec(), Data::I32(elements.to_vec()))
}

fn evaluate(text: &str, inputs: &[Tensor], rules: &Rules, threads: usize) -> Vec<Tensor> {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let options = Options { rules: rules.clone(), threads: Some(threads), ..Options::default() };
    let inputs = inputs.iter().cloned().map(Value::Tensor).collect();
    let results = Executable::new(&program, options).unwrap().run("main", inputs).unwrap();
    results
        .into_iter()
        .map(|result| match result {
            Value::Tensor(tensor) => tensor,
            other => panic!("{other:?}"),
        })
        .collect()
}

/// The first result's numbers, which are the same on one and two threads.
fn run(text: &str, inputs: &[Tensor], rules: &Rules) -> Vec<f32> {
    let [one, two] = [1, 2].map(|threads| floats(&evaluate(text, inputs, rules, threads)[0]));
    assert_same(&one, &two, "threads");
    one
}

fn floats(tensor: &Tensor) -> Vec<f32> {
    match &*tensor.data {
        Data::F32(elements) => elements.clone(),
        other => panic!("{other:?}"),
    }
}

fn rules(texts: &[&str]) -> Rules {
    Rules::parse(texts).unwrap()
}

#[track_caller]
fn assert_same(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{what}: {found:e} instead of {expected:e} at {at}");
    }
}

/// Numbers of the sizes that programs have.
fn ordinary(seed: u64, length: usize) -> Vec<f32> {
    (0..length as u64)
        .map(|at| f32::from_bits(binade::philox::word(seed, at) & 0x83ff_ffff | 0x3c00_0000))
        .collect()
}

/// The same with numbers of all kinds among them.
fn numbers(seed: u64, length: usize) -> Vec<f32> {
    const EDGES: [u32; 12] = [
        0,
        1,
        0x7fff,
        0x8000,
        0x0001_8000,
        0x007f_ffff,
        0x0080_0000,
        0x3f80_8000,
        0x7f7f_ffff,
        0x7f7f_8000,
        0x7f80_0000,
        0x7fc0_0000,
    ];
    let mut numbers = ordinary(seed, length);
    for (at, x) in numbers.iter_mut().enumerate() {
        let word = binade::philox::word(seed + 1000, at as u64);
        if word.is_multiple_of(4) {
            *x = f32::from_bits(EDGES[(word >> 8) as usize % EDGES.len()] | word & 1 << 31);
        }
    }
    numbers
}

fn elementwise(operations: &str, n: usize) -> String {
    let ty = format!("tensor<{n}xf32>");
    format!(
        "func.func @main(%a: {ty}, %b: {ty}, %c: {ty}) -> {ty} {{ {} return %r : {ty} }}",
        operations.replace("TY", &ty)
    )
}

#[test]
fn sums_and_products_are_multiply_adds() {
    for name in OPERATORS {
        let op = operator(name);
        for n in [1, 16, 37, 2100, 70_001] {
            let inputs = [1, 2, 3].map(|seed| f32s(&[n], &numbers(seed, n)));
            let [a, b, _] = inputs.each_ref().map(floats);
            type Step = fn(&Operator, f32, f32) -> f32;
            let cases: [(&str, Step); 4] = [
                ("%r = stablehlo.add %a, %b : TY", |op, a, b| op.multiply_add(a, 1.0, b)),
                ("%r = stablehlo.subtract %a, %b : TY", |op, a, b| op.multiply_add(a, 1.0, -b)),
                ("%r = stablehlo.multiply %a, %b : TY", |op, a, b| op.multiply_add(a, b, -0.0)),
                ("%r = chlo.square %a : TY -> TY", |op, a, _| op.multiply_add(a, a, -0.0)),
            ];
            for (text, step) in cases.iter().take(if n > 3000 { 1 } else { 4 }) {
                let expected: Vec<f32> = a.iter().zip(&b).map(|(&a, &b)| step(&op, a, b)).collect();
                let found = run(&elementwise(text, n), &inputs, &rules(&[&format!("*={name}")]));
                assert_same(&found, &expected, &format!("{name}, {n}: {text}"));
            }
        }
    }
}

/// Binary32's own operator changes no sum and no product.
#[test]
fn binary32_is_the_plain_result() {
    let n = 2100;
    let inputs = [1, 2, 3].map(|seed| f32s(&[n], &numbers(seed, n)));
    for text in [
        "%r = stablehlo.add %a, %b : TY",
        "%r = stablehlo.subtract %a, %b : TY",
        "%r = stablehlo.multiply %a, %b : TY",
        "%r = stablehlo.divide %a, %b : TY",
        "%s = stablehlo.exponential %a : TY\n%r = stablehlo.power %s, %b : TY",
    ] {
        let text = elementwise(text, n);
        let expected = run(&text, &inputs, &Rules::default());
        assert_same(&run(&text, &inputs, &rules(&["*=f32:f32"])), &expected, &text);
    }
}

/// x as an operator's inputs are: to the format, or to the sum of N parts of 8 bits.
fn as_input(op: &Operator, x: f32) -> f32 {
    let round = |format, x: f64| {
        let code = project(format, Exact::from_f64(x), Projection::default()).code;
        let nearest = project(binade::catalog::F32, decode(format, code), Projection::default()).code;
        f32::from_bits(nearest as u32)
    };
    if let Some((format, _)) = op.as_pair() {
        return round(format, x.into());
    }
    let compound = op.as_compound().unwrap();
    let x = if compound.flush && x.is_subnormal() { 0f32.copysign(x) } else { x };
    let mut sum = round(BF16, x.into());
    for _ in 1..compound.inputs {
        if sum.is_finite() {
            sum += round(BF16, (x - sum).into());
        }
    }
    // A zero of several parts has no sign.
    if compound.inputs > 1 && sum == 0.0 { 0.0 } else { sum }
}

#[test]
fn functions_are_rounded_before_and_after() {
    let n = 1000;
    let inputs = [1, 2, 3].map(|seed| f32s(&[n], &numbers(seed, n)));
    let functions =
        ["exponential", "log", "tanh", "logistic", "sqrt", "rsqrt", "cbrt", "sine", "exponential_minus_one"];
    let unary = functions.map(|name| (format!("%r = stablehlo.{name} %a : TY"), 1));
    let binary = ["divide", "power", "atan2", "remainder"]
        .map(|name| (format!("%r = stablehlo.{name} %a, %b : TY"), 2));
    let chlo = ["erf", "lgamma"].map(|name| (format!("%r = chlo.{name} %a : TY -> TY"), 1));
    for (text, _) in unary.iter().chain(&binary).chain(&chlo) {
        let text = elementwise(text, n);
        for name in OPERATORS {
            let op = operator(name);
            let rounded = inputs.each_ref().map(|tensor| {
                f32s(&[n], &floats(tensor).iter().map(|&x| as_input(&op, x)).collect::<Vec<_>>())
            });
            let exact = run(&text, &rounded, &Rules::default());
            let expected: Vec<f32> = exact.iter().map(|&y| op.multiply_add(-0.0, 1.0, y)).collect();
            let found = run(&text, &inputs, &Rules::scoped(multiplier(name, "sequential"), Scope::All));
            assert_same(&found, &expected, &format!("{name}: {text}"));
            let paper = Rules::scoped(multiplier(name, "sequential"), Scope::Paper);
            assert_same(&run(&text, &inputs, &paper), &run(&text, &inputs, &Rules::default()), "paper");
        }
    }
}

#[test]
fn what_only_moves_and_compares_stays() {
    let n = 1000;
    let inputs = [1, 2, 3].map(|seed| f32s(&[n], &numbers(seed, n)));
    for text in [
        "%r = stablehlo.maximum %a, %b : TY",
        "%r = stablehlo.clamp %a, %b, %c : TY",
        "%r = stablehlo.negate %a : TY",
        "%r = stablehlo.floor %a : TY",
        "%r = stablehlo.reduce_precision %a, format = e5m10 : TY",
        "%r = stablehlo.reverse %a, dims = [0] : TY",
    ] {
        let text = elementwise(text, n);
        let expected = run(&text, &inputs, &Rules::default());
        assert_same(&run(&text, &inputs, &rules(&["*=bf16:bf16"])), &expected, &text);
    }
}

fn multiplier(operator: &str, order: &str) -> Multiplier {
    Multiplier::new(operator.parse().unwrap(), order.parse::<Order>().unwrap()).unwrap()
}

#[test]
fn pairs_are_one_multiply_add() {
    let n = 50;
    let inputs = [1, 2, 3].map(|seed| f32s(&[n], &numbers(seed, n)));
    let [a, b, c] = inputs.each_ref().map(floats);
    type Step = fn(&dyn Fn(f32, f32, f32) -> f32, [f32; 3]) -> f32;
    let product = "%p = stablehlo.multiply %a, %b : TY\n";
    let cases: [(&str, Step); 6] = [
        ("%r = stablehlo.add %p, %c : TY", |fma, [a, b, c]| fma(a, b, c)),
        ("%r = stablehlo.add %c, %p : TY", |fma, [a, b, c]| fma(a, b, c)),
        ("%r = stablehlo.subtract %p, %c : TY", |fma, [a, b, c]| fma(a, b, -c)),
        ("%r = stablehlo.subtract %c, %p : TY", |fma, [a, b, c]| fma(-a, b, c)),
        // Of two products the left one.
        ("%q = stablehlo.multiply %b, %c : TY\n%r = stablehlo.add %q, %p : TY", |fma, [a, b, c]| {
            fma(b, c, fma(a, b, -0.0))
        }),
        // A product that is read twice is one by itself.
        ("%q = stablehlo.add %p, %p : TY\n%r = stablehlo.add %q, %c : TY", |fma, [a, b, c]| {
            let p = fma(a, b, -0.0);
            fma(fma(p, 1.0, p), 1.0, c)
        }),
    ];
    for (at, (text, step)) in cases.iter().enumerate() {
        let text = elementwise(&format!("{product}{text}"), n);
        for name in OPERATORS {
            let op = operator(name);
            let fma = |a, b, c| op.multiply_add(a, b, c);
            let expected: Vec<f32> = (0..n).map(|i| step(&fma, [a[i], b[i], c[i]])).collect();
            let what = format!("{name}: {text}");
            assert_same(&run(&text, &inputs, &rules(&[name])), &expected, &what);
            if at < 4 {
                assert_same(
                    &run(&text, &inputs, &rules(&[&format!("multiply_add={name}")])),
                    &expected,
                    &what,
                );
                let paper = Rules::scoped(multiplier(name, "sequential"), Scope::Paper);
                assert_same(&run(&text, &inputs, &paper), &expected, &what);
            }
        }
    }
    // Rules that keep them apart.
    let op = operator("bf16:bf16");
    let text = elementwise(&format!("{product}%r = stablehlo.add %p, %c : TY"), n);
    let apart: Vec<f32> =
        (0..n).map(|i| op.multiply_add(op.multiply_add(a[i], b[i], -0.0), 1.0, c[i])).collect();
    assert_same(&run(&text, &inputs, &rules(&["add,multiply=bf16:bf16"])), &apart, "apart");
    assert_same(&run(&text, &inputs, &rules(&["add=bf16:bf16", "*=bf16:bf16"])), &apart, "an earlier rule");
    // In the scope of the paper, a product that is left over is the program's.
    let text = elementwise(
        "%p = stablehlo.multiply %a, %b : TY\n%q = stablehlo.multiply %b, %c : TY\n%r = stablehlo.add %q, %p : TY",
        n,
    );
    let expected: Vec<f32> = (0..n).map(|i| op.multiply_add(b[i], c[i], a[i] * b[i])).collect();
    let paper = Rules::scoped(multiplier("bf16:bf16", "sequential"), Scope::Paper);
    assert_same(&run(&text, &inputs, &paper), &expected, "paper");
}

/// Acc and the elements of a sum, by the definitions of the orders.
fn sum(op: &Operator, order: &str, x: &[f32], first: f32) -> f32 {
    let chain =
        |x: &mut dyn Iterator<Item = f32>, first| x.fold(first, |sum, x| op.multiply_add(x, 1.0, sum));
    if x.is_empty() {
        return first;
    }
    match order.split_once(':') {
        None if order == "sequential" => chain(&mut x.iter().copied(), first),
        Some(("lanes", lanes)) => {
            let lanes: usize = lanes.parse().unwrap();
            (0..lanes.min(x.len())).fold(first, |sum, lane| {
                let part = chain(&mut x[lane..].iter().copied().step_by(lanes), 0.0);
                reference::accumulate(op, part.into(), sum)
            })
        }
        _ => reference::dot(op, order.parse().unwrap(), x, &vec![1.0; x.len()], first),
    }
}

const ORDERS: [&str; 6] = ["sequential", "pairwise", "exact", "lanes:4", "lanes:100", "blocked:5"];

fn type_of(shape: &[usize], element: &str) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}{element}>")
}

/// A reduction whose body computes `%r` from `%p` and `%q`.
fn reduction(shape: &[usize], dimensions: &[usize], body: &str, element: &str) -> String {
    let kept: Vec<usize> =
        (0..shape.len()).filter(|at| !dimensions.contains(at)).map(|at| shape[at]).collect();
    let (from, to, one) = (type_of(shape, element), type_of(&kept, element), type_of(&[], element));
    format!(
        "func.func @main(%x: {from}, %i: {one}) -> {to} {{
        %0 = \"stablehlo.reduce\"(%x, %i) ({{ ^bb0(%p: {one}, %q: {one}):
            {}
            stablehlo.return %r : {one} }}) {{dimensions = array<i64: {}>}} : ({from}, {one}) -> {to}
        return %0 : {to} }}",
        body.replace("TY", &one),
        dimensions.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    )
    .replace("array<i64: >", "array<i64>")
}

/// The elements that each result of a reduction takes, in index order.
fn reduced(shape: &[usize], dimensions: &[usize], x: &[f32]) -> Vec<Vec<f32>> {
    let kept: Vec<usize> = (0..shape.len()).filter(|at| !dimensions.contains(at)).collect();
    let mut results = vec![vec![]; kept.iter().map(|&at| shape[at]).product()];
    for (flat, &x) in x.iter().enumerate() {
        let mut index = vec![0; shape.len()];
        let mut rest = flat;
        for at in (0..shape.len()).rev() {
            index[at] = rest % shape[at];
            rest /= shape[at];
        }
        let to = kept.iter().fold(0, |to, &at| to * shape[at] + index[at]);
        results[to].push(x);
    }
    results
}

#[test]
fn sums_are_chains_in_the_order_of_the_rule() {
    let add = "%r = stablehlo.add %p, %q : TY";
    let shapes: [(&[usize], &[usize]); 10] = [
        (&[0], &[0]),
        (&[1], &[0]),
        (&[333], &[0]),
        (&[7, 5], &[]),
        (&[40, 19], &[0]),
        (&[19, 40], &[1]),
        (&[3, 21, 5], &[1]),
        (&[3, 7, 5], &[0, 2]),
        (&[2, 3, 4, 5], &[1, 3]),
        (&[3, 1, 4], &[1]),
    ];
    for (shape, dimensions) in shapes {
        let text = reduction(shape, dimensions, add, "f32");
        let length = shape.iter().product();
        for (seed, x) in [ordinary(1, length), numbers(2, length)].into_iter().enumerate() {
            let parts = reduced(shape, dimensions, &x);
            for name in OPERATORS {
                let op = operator(name);
                for order in ORDERS {
                    if order == "exact" && op.as_pair().is_some_and(|(inputs, _)| inputs.precision() > 24) {
                        continue;
                    }
                    let expected: Vec<f32> = parts.iter().map(|part| sum(&op, order, part, 0.5)).collect();
                    let rule = format!("reduce={name}/order={order}");
                    let found = run(&text, &[f32s(shape, &x), f32s(&[], &[0.5])], &rules(&[&rule]));
                    assert_same(
                        &found,
                        &expected,
                        &format!("{rule}, {shape:?} over {dimensions:?}, numbers {seed}"),
                    );
                }
            }
        }
    }
}

/// Sums of many elements, on several threads.
#[test]
fn long_sums() {
    let add = "%r = stablehlo.add %p, %q : TY";
    for (shape, dimensions) in [([300, 400], [0]), ([300, 400], [1]), ([2, 100_003], [1])] {
        let x = ordinary(4, shape.iter().product());
        let parts = reduced(&shape, &dimensions, &x);
        let text = reduction(&shape, &dimensions, add, "f32");
        for rule in [
            "bf16:bf16x2",
            "bf16x2:bf16x2/3/order=lanes:16",
            "bf16:bf16x2/order=lanes:1000",
            "bf16:bf16/order=pairwise",
            "bf16x2:bf16x2/4+listing/order=pairwise",
            "bf16x2:bf16x2/3/order=blocked:33",
        ] {
            let (name, order) = rule.split_once("/order=").unwrap_or((rule, "sequential"));
            let expected: Vec<f32> =
                parts.iter().map(|part| sum(&operator(name), order, part, 0.0)).collect();
            let found = run(&text, &[f32s(&shape, &x), f32s(&[], &[0.0])], &rules(&[rule]));
            assert_same(&found, &expected, &format!("{rule}, {shape:?} over {dimensions:?}"));
        }
    }
}

/// Products, and regions of more than a sum: one element after the other.
#[test]
fn regions_are_taken_in_index_order() {
    let shape = [300, 6];
    let x: Vec<f32> = ordinary(5, 1800).iter().map(|x| 1.0 + x / 64.0).collect();
    type Step = fn(&Operator, f32, f32) -> f32;
    let cases: [(&str, Step); 4] = [
        ("%r = stablehlo.multiply %p, %q : TY", |op, acc, x| op.multiply_add(acc, x, -0.0)),
        ("%s = stablehlo.multiply %q, %q : TY\n%r = stablehlo.add %p, %s : TY", |op, acc, x| {
            op.multiply_add(x, x, acc)
        }),
        ("%s = stablehlo.add %p, %p : TY\n%r = stablehlo.subtract %s, %q : TY", |op, acc, x| {
            op.multiply_add(op.multiply_add(acc, 1.0, acc), 1.0, -x)
        }),
        ("%s = stablehlo.negate %q : TY\n%r = stablehlo.add %s, %p : TY", |op, acc, x| {
            op.multiply_add(-x, 1.0, acc)
        }),
    ];
    for dimensions in [[0], [1]] {
        let parts = reduced(&shape, &dimensions, &x);
        for (body, step) in cases {
            let text = reduction(&shape, &dimensions, body, "f32");
            for name in OPERATORS {
                let op = operator(name);
                let fold = |part: &Vec<f32>| part.iter().fold(0.75, |acc, &x| step(&op, acc, x));
                let expected: Vec<f32> = parts.iter().map(fold).collect();
                let found = run(&text, &[f32s(&shape, &x), f32s(&[], &[0.75])], &rules(&[name]));
                assert_same(&found, &expected, &format!("{name} over {dimensions:?}: {body}"));
            }
        }
    }
    // What compares only is as without a rule.
    let text = reduction(&shape, &[0], "%r = stablehlo.maximum %p, %q : TY", "f32");
    let inputs = [f32s(&shape, &x), f32s(&[], &[0.0])];
    assert_same(&run(&text, &inputs, &rules(&["bf16:bf16"])), &run(&text, &inputs, &Rules::default()), "max");
}

/// A rule for `add` alone does the sums within regions, which are additions of the region's operands then.
#[test]
fn regions_have_rules_of_their_own() {
    let (shape, op) = ([50, 3], operator("bf16:bf16x2"));
    let x = ordinary(6, 150);
    let text = reduction(&shape, &[0], "%r = stablehlo.add %p, %q : TY", "f32");
    let parts = reduced(&shape, &[0], &x);
    let expected: Vec<f32> =
        parts.iter().map(|part| part.iter().fold(0.5, |acc, &x| op.multiply_add(acc, 1.0, x))).collect();
    let found = run(&text, &[f32s(&shape, &x), f32s(&[], &[0.5])], &rules(&["add=bf16:bf16x2"]));
    assert_same(&found, &expected, "add");
}

fn bf16s(shape: &[usize], x: &[f32]) -> Tensor {
    let codes = x.iter().map(|&x| bf16(x)).collect();
    Tensor::new(ElementType::Float(FloatType::Bf16), shape.to_vec(), Data::U16(codes))
}

fn bf16(x: f32) -> u16 {
    project(BF16, Exact::from_f64(x.into()), Projection::default()).code as u16
}

fn of_bf16(code: u16) -> f32 {
    f32::from_bits((code as u32) << 16)
}

#[test]
fn narrow_types_are_rounded_once() {
    let x: Vec<f32> = numbers(7, 600).into_iter().map(|x| of_bf16(bf16(x))).collect();
    for (rule, order) in [("bf16:bf16x2", "sequential"), ("float8_e4m3fn:bf16/order=pairwise", "pairwise")] {
        let op = operator(rule.split_once("/order").map_or(rule, |(name, _)| name));
        let codes = |tensor: &Tensor| match &*tensor.data {
            Data::U16(codes) => codes.clone(),
            other => panic!("{other:?}"),
        };
        // Sums.
        let text = reduction(&[200, 3], &[0], "%r = stablehlo.add %p, %q : TY", "bf16");
        let expected: Vec<u16> =
            reduced(&[200, 3], &[0], &x).iter().map(|part| bf16(sum(&op, order, part, 0.0))).collect();
        let found = evaluate(&text, &[bf16s(&[200, 3], &x), bf16s(&[], &[0.0])], &rules(&[rule]), 2);
        assert_eq!(codes(&found[0]), expected, "{rule}");
        // Elements.
        let ty = type_of(&[300], "bf16");
        let text = format!(
            "func.func @main(%a: {ty}, %b: {ty}) -> ({ty}, {ty}) {{ %p = stablehlo.multiply %a, %b : {ty}
             %r = stablehlo.subtract %b, %p : {ty}
             %s = stablehlo.add %r, %r : {ty} return %r, %s : {ty}, {ty} }}"
        );
        let (a, b) = x.split_at(300);
        let found = evaluate(&text, &[bf16s(&[300], a), bf16s(&[300], b)], &rules(&[rule]), 2);
        let first: Vec<u16> = a.iter().zip(b).map(|(&a, &b)| bf16(op.multiply_add(-a, b, b))).collect();
        let second: Vec<u16> =
            first.iter().map(|&r| bf16(op.multiply_add(of_bf16(r), 1.0, of_bf16(r)))).collect();
        assert_eq!((codes(&found[0]), codes(&found[1])), (first, second), "{rule}");
    }
}

/// Windows along one dimension of a matrix: so many elements of padding before and after.
fn windows(
    shape: [usize; 2],
    dimension: usize,
    size: usize,
    stride: usize,
    (low, high): (usize, usize),
) -> String {
    let mut to = shape;
    to[dimension] = (shape[dimension] + low + high - size) / stride + 1;
    let pick = |this: usize, other: usize| {
        if dimension == 0 { format!("{this}, {other}") } else { format!("{other}, {this}") }
    };
    let padding = if dimension == 0 {
        format!("[[{low}, {high}], [0, 0]]")
    } else {
        format!("[[0, 0], [{low}, {high}]]")
    };
    let (from, to) = (type_of(&shape, "f32"), type_of(&to, "f32"));
    format!(
        "func.func @main(%x: {from}, %i: tensor<f32>) -> {to} {{
        %0 = \"stablehlo.reduce_window\"(%x, %i) ({{ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %r = stablehlo.add %p, %q : tensor<f32>
            stablehlo.return %r : tensor<f32> }}) {{window_dimensions = array<i64: {}>, window_strides = array<i64: {}>,
            padding = dense<{padding}> : tensor<2x2xi64>}} : ({from}, tensor<f32>) -> {to}
        return %0 : {to} }}",
        pick(size, 1),
        pick(stride, 1)
    )
}

const WINDOW_ORDERS: [&str; 13] = [
    "sequential",
    "pairwise",
    "exact",
    "lanes:1",
    "lanes:4",
    "lanes:7",
    "lanes:50",
    "blocked:1",
    "blocked:5",
    "blocked:40",
    "aligned:1,10",
    "aligned:4,24",
    "aligned:16,30",
];

#[test]
fn windows_are_summed_in_the_order_of_the_rule() {
    let running = [2, 3, 5, 7, 8, 16, 17, 33, 65].into_iter().flat_map(|length| {
        [(length - 1, 0), (0, length - 1)]
            .into_iter()
            .flat_map(move |edges| [([length, 3], 0, length, 1, edges), ([2, length], 1, length, 1, edges)])
    });
    let others = [([30, 7], 0, 30, 1, (29, 0)), ([40, 5], 0, 12, 3, (2, 0)), ([3, 50], 1, 9, 1, (0, 0))];
    for (number, (shape, dimension, size, stride, edges)) in running.chain(others).enumerate() {
        // Of numbers of all kinds the sums are soon infinite or NaN: each other time there are none such among them.
        let mut x = numbers(8 + number as u64, shape[0] * shape[1]);
        if number % 2 == 0 {
            x.iter_mut().filter(|x| x.is_nan() || x.abs() > 1e30).for_each(|x| *x = 1.0);
        }
        let text = windows(shape, dimension, size, stride, edges);
        let (length, others) = (shape[dimension], shape[1 - dimension]);
        let (low, high) = edges;
        let count = (length + low + high - size) / stride + 1;
        // Besides: an accumulator that keeps more of a sum than it holds, one without NaN, and one that vectors do not compute.
        let more = ["bf16x2:bf16x2/3+listing", "float6_e3m2fn:float6_e3m2fn", "bf16x2:bf16x2/3+exact"];
        for name in OPERATORS.iter().chain(&more[..if size < 20 { 3 } else { 2 }]) {
            let op = operator(name);
            for order in WINDOW_ORDERS {
                let firsts = [0.0, -0.0, 0.25];
                // Nothing is shared from other numbers on.
                for first in &firsts[..if number % 5 == 0 { 3 } else { 1 }] {
                    let first = *first;
                    let at = |i: usize, other: usize| {
                        if dimension == 0 { i * shape[1] + other } else { other * shape[1] + i }
                    };
                    let window = |from: usize, other: usize| -> Vec<f32> {
                        let element = |i: usize| {
                            if i < low || i >= low + length { first } else { x[at(i - low, other)] }
                        };
                        (from..from + size).map(element).collect()
                    };
                    let mut expected = vec![0.0; count * others];
                    for to in 0..count {
                        for other in 0..others {
                            let place = if dimension == 0 { to * others + other } else { other * count + to };
                            expected[place] = sum(&op, order, &window(to * stride, other), first);
                        }
                    }
                    let rule = format!("{name}/order={order}");
                    let found = run(&text, &[f32s(&shape, &x), f32s(&[], &[first])], &rules(&[&rule]));
                    assert_same(
                        &found,
                        &expected,
                        &format!("{rule}: {size} of {shape:?} along {dimension} from {first}"),
                    );
                }
            }
        }
    }
}

#[test]
fn updates_are_added_one_after_the_other() {
    let (rows, width, updates) = (10, 40, 30);
    for (width, wide) in [(width, true), (1, false)] {
        let (x, u) = (numbers(9, rows * width), numbers(10, updates * width));
        let places: Vec<i32> =
            (0..updates as u32).map(|at| (binade::philox::word(11, at.into()) % 12) as i32 - 1).collect();
        let (from, by) = (type_of(&[rows, width], "f32"), type_of(&[updates, width], "f32"));
        let text = format!(
            "func.func @main(%x: {from}, %i: tensor<{updates}x1xi32>, %u: {by}) -> {from} {{
            %0 = \"stablehlo.scatter\"(%x, %i, %u) ({{ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
                %r = stablehlo.add %p, %q : tensor<f32>
                stablehlo.return %r : tensor<f32> }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
                inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} :
                ({from}, tensor<{updates}x1xi32>, {by}) -> {from}
            return %0 : {from} }}"
        );
        for name in OPERATORS {
            let op = operator(name);
            let mut expected = x.clone();
            for (update, &place) in places.iter().enumerate() {
                let Some(row) = usize::try_from(place).ok().filter(|&row| row < rows) else { continue };
                for column in 0..width {
                    let sum = &mut expected[row * width + column];
                    *sum = op.multiply_add(u[update * width + column], 1.0, *sum);
                }
            }
            let inputs =
                [f32s(&[rows, width], &x), i32s(&[updates, 1], &places), f32s(&[updates, width], &u)];
            assert_same(&run(&text, &inputs, &rules(&[name])), &expected, &format!("{name}, rows: {wide}"));
        }
    }
}

#[test]
fn selected_elements_take_their_sources() {
    let text = "func.func @main(%x: tensor<8xf32>, %s: tensor<6xf32>, %i: tensor<f32>) -> tensor<8xf32> {
        %0 = \"stablehlo.select_and_scatter\"(%x, %s, %i) ({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %r = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %r : tensor<i1> }, { ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %r = stablehlo.add %p, %q : tensor<f32>
            stablehlo.return %r : tensor<f32> }) {window_dimensions = array<i64: 3>} :
            (tensor<8xf32>, tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
        return %0 : tensor<8xf32> }";
    let (x, s) = ([1.0, 5.0, 2.0, 7.0, 7.0, 0.0, 3.0, 1.0], ordinary(12, 6));
    for name in OPERATORS {
        let op = operator(name);
        let mut expected = [0.5; 8];
        for (window, &s) in s.iter().enumerate() {
            let best =
                (window..window + 3).reduce(|best, at| if x[best] >= x[at] { best } else { at }).unwrap();
            expected[best] = op.multiply_add(s, 1.0, expected[best]);
        }
        let inputs = [f32s(&[8], &x), f32s(&[6], &s), f32s(&[], &[0.5])];
        assert_same(&run(text, &inputs, &rules(&[name])), &expected, name);
    }
}

/// The first member's elements, and those of the others one after the other.
#[test]
fn members_of_a_group_are_added_in_their_order() {
    let ty = "tensor<5xf32>";
    let text = format!(
        "func.func private @process(%x: {ty}) -> {ty} {{
            %r = \"stablehlo.all_reduce\"(%x) <{{replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>}}> ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %s = stablehlo.add %a, %b : tensor<f32>
              stablehlo.return %s : tensor<f32> }}) : ({ty}) -> {ty}
            return %r : {ty} }}
        func.func @main(%a: {ty}, %b: {ty}, %c: {ty}) -> {ty} {{
            %0:3 = \"interpreter.run_parallel\"(%a, %b, %c) <{{programs = [[@process], [@process], [@process]]}}> :
                ({ty}, {ty}, {ty}) -> ({ty}, {ty}, {ty})
            return %0#0 : {ty} }}"
    );
    let members = [1, 2, 3].map(|seed| ordinary(20 + seed, 5));
    let inputs = members.each_ref().map(|x| f32s(&[5], x));
    for name in OPERATORS {
        let op = operator(name);
        let sum = |at: usize| {
            let first = op.multiply_add(members[0][at], 1.0, members[2][at]);
            op.multiply_add(members[1][at], 1.0, first)
        };
        let expected: Vec<f32> = (0..5).map(sum).collect();
        assert_same(&run(&text, &inputs, &rules(&[name])), &expected, name);
    }
}

/// Pairs within loops and mapped regions, and values from around them.
#[test]
fn loops_and_maps() {
    let text = "func.func @main(%x: tensor<40xf32>, %k: tensor<f32>) -> (tensor<40xf32>, tensor<40xf32>) {
        %n = stablehlo.constant dense<5> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %b = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f32>) -> tensor<40xf32>
        %l:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<40xf32>
          cond { %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1> }
          do { %j = stablehlo.add %i, %one : tensor<i32>
            %m = stablehlo.multiply %y, %b : tensor<40xf32>
            %z = stablehlo.subtract %x, %m : tensor<40xf32>
            stablehlo.return %j, %z : tensor<i32>, tensor<40xf32> }
        %o = \"stablehlo.map\"(%x, %l#1) ({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %s = stablehlo.multiply %p, %q : tensor<f32>
            %r = stablehlo.add %s, %q : tensor<f32>
            stablehlo.return %r : tensor<f32> }) {dimensions = array<i64: 0>} :
            (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
        return %l#1, %o : tensor<40xf32>, tensor<40xf32> }";
    let (x, k) = (ordinary(13, 40), 0.3);
    for name in OPERATORS {
        let op = operator(name);
        let mut y = x.clone();
        for _ in 0..5 {
            y.iter_mut().zip(&x).for_each(|(y, &x)| *y = op.multiply_add(-*y, k, x));
        }
        let mapped: Vec<f32> = x.iter().zip(&y).map(|(&x, &y)| op.multiply_add(x, y, y)).collect();
        let found = evaluate(text, &[f32s(&[40], &x), f32s(&[], &[k])], &rules(&[name]), 2);
        assert_same(&floats(&found[0]), &y, name);
        assert_same(&floats(&found[1]), &mapped, name);
    }
}

#[test]
fn what_is_not_reached_is_counted() {
    let text = "func.func @main(%x: tensor<4xf32>, %d: tensor<4xf64>, %z: tensor<4xcomplex<f32>>, %i: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.multiply %x, %x : tensor<4xf32>
        %1 = stablehlo.add %0, %x : tensor<4xf32>
        %2 = stablehlo.tanh %1 : tensor<4xf32>
        %3 = stablehlo.add %d, %d : tensor<4xf64>
        %4 = stablehlo.multiply %z, %z : tensor<4xcomplex<f32>>
        %5 = stablehlo.maximum %2, %x : tensor<4xf32>
        %6 = stablehlo.reduce(%5 init: %i) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        return %6 : tensor<f32> }";
    let program = Program::parse(text).unwrap();
    let reach = |rules: &Rules| -> Vec<(String, usize, usize)> {
        rules.reach(&program).into_iter().map(|reach| (reach.rule, reach.computed, reach.left)).collect()
    };
    let said = |name: &str, computed, left| vec![(name.to_owned(), computed, left)];
    assert_eq!(reach(&rules(&["*=bf16:bf16"])), said("*=bf16:bf16", 4, 2));
    assert_eq!(reach(&rules(&["mp"])), said("mp", 4, 2));
    let paper = Rules::parse_in(&["bf16:bf16/order=lanes:8"], Scope::Paper).unwrap();
    assert_eq!(reach(&paper), said("bf16:bf16/order=lanes:8", 2, 0));
    assert_eq!(reach(&Rules::scoped(multiplier("bf16:bf16", "lanes:8"), Scope::Paper)), reach(&paper));
    assert_eq!(reach(&rules(&["reduce=mp"])), said("reduce=mp", 1, 0));
    assert_eq!(["paper".parse(), " All".parse()], [Ok(Scope::Paper), Ok(Scope::All)]);
    assert!("some".parse::<Scope>().is_err());
}

/// The programs of tests/ops under binary32's own operator.
#[test]
fn binary32_leaves_the_suite_as_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ops");
    let mut failures = vec![];
    let mut functions = 0;
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        for program in Program::parse_all(&fs::read(&file).unwrap()) {
            let options = Options { rules: rules(&["*=f32:f32"]), ..Options::default() };
            check(&program.unwrap(), options, |outcome| {
                functions += 1;
                if let Err(error) = outcome.result {
                    failures.push(format!("{}: {}: {error}", file.display(), outcome.function));
                }
            })
            .unwrap();
        }
    }
    assert!(functions > 100 && failures.is_empty(), "{functions}:\n{}", failures.join("\n"));
}

/// A product of matrices, a sum and a function: a unit computes the first alone, whatever the scope.
#[test]
fn matrix_unit_computes_products_only() {
    let (m, k, n) = (5, 70, 9);
    let text = format!(
        "func.func @main(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>, %c: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
           %p = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
             : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
           %s = stablehlo.add %p, %c : tensor<{m}x{n}xf32>
           %r = stablehlo.tanh %s : tensor<{m}x{n}xf32>
           return %r : tensor<{m}x{n}xf32> }}"
    );
    let number = |i: usize| (i as f32 * 0.61).sin() * 3.0;
    let of = |shape: &[usize], from: usize| {
        let count = shape.iter().product::<usize>();
        f32s(shape, &(from..from + count).map(number).collect::<Vec<_>>())
    };
    let inputs = [of(&[m, k], 0), of(&[k, n], 1000), of(&[m, n], 3000)];
    let [a, b, c] = inputs.each_ref().map(floats);
    for name in [
        "h100:e4m3/saturate",
        "a100:tf32",
        "mi300x:bf16",
        "unit(products=4,bits=9):f16",
        "h100:f16/promote=32",
    ] {
        let mut product = vec![0.0; m * n];
        let [left, right] = [Matrix::new(&a, m, k).unwrap(), Matrix::new(&b, k, n).unwrap()];
        let target = MatrixMut::new(&mut product, m, n).unwrap();
        reference::gemm(&operator(name), Order::Sequential, left, right, target).unwrap();
        let sums: Vec<f32> = product.iter().zip(&c).map(|(x, y)| x + y).collect();
        let tanh = elementwise("%r = stablehlo.tanh %a : TY", m * n);
        let same_shape = [f32s(&[m * n], &sums), f32s(&[m * n], &sums), f32s(&[m * n], &sums)];
        let expected = run(&tanh, &same_shape, &Rules::default());
        for texts in [&[name.to_owned()][..], &[format!("dot_general={name}")], &[format!("dot_*={name}")]] {
            let found = run(&text, &inputs, &Rules::parse(texts).unwrap());
            assert_same(&found, &expected, &texts[0]);
        }
        let scoped = Rules::scoped(multiplier(name, "sequential"), Scope::All);
        assert_same(&run(&text, &inputs, &scoped), &expected, name);
    }
    for wrong in ["*=h100:f16", "add=h100:f16", "reduce=h100:f16", "dot_general,multiply_add=h100:f16"] {
        let error = Rules::parse(&[wrong]).unwrap_err().to_string();
        assert!(error.contains("write dot_general,convolution=h100:f16"), "{error}");
    }
    let error = Rules::parse(&["h100:f16/order=exact"]).unwrap_err().to_string();
    assert!(error.contains("'/order=exact' is not understood: a unit takes /promote=N"), "{error}");
}
