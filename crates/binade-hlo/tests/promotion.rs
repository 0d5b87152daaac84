//! Reductions whose body has a wider type equal the same reductions of converted operands.

use binade_hlo::comparison;
use binade_hlo::eval::rules::Rules;
use binade_hlo::eval::{Executable, Options, Semantics};
use binade_hlo::{Data, ElementType, FloatType, Program, Tensor, Value};

const F32: ElementType = ElementType::Float(FloatType::F32);

/// Numbers of many sizes and both signs.
fn numbers(shape: &[usize], seed: u64) -> Value {
    let mut state = seed;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (mantissa, exponent) = ((state >> 40) as f32 / (1 << 23) as f32 - 1.0, (state >> 33) % 12);
        mantissa * (1 << exponent) as f32
    };
    let data = (0..shape.iter().product()).map(|_| number()).collect();
    Value::Tensor(Tensor::new(F32, shape.to_vec(), Data::F32(data)))
}

fn parsed(text: &str) -> Program {
    Program::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn bits(text: &str, inputs: &[Value], options: &Options) -> String {
    let results = Executable::new(&parsed(text), options.clone()).unwrap().run("main", inputs.to_vec());
    format!("{:?}", results.unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// Two programs. In the first, `PROMOTED` stands for operands of the narrow type, with a body of the wide one; in the
/// second, the operands are converted. `%n0`, `%n1`, … are the inputs in the narrow type, `%z` is an initial value.
struct Pair {
    promoted: String,
    converted: String,
}

fn pair(narrow: &str, wide: &str, shapes: &[&str], operation: &str, results: &str) -> Pair {
    let parameters: Vec<_> =
        shapes.iter().enumerate().map(|(at, shape)| format!("%x{at}: tensor<{shape}xf32>")).collect();
    let head = format!("func.func @main({}) -> ({results}) {{\n", parameters.join(", "));
    let mut before = String::new();
    for (at, shape) in shapes.iter().enumerate() {
        // A producer that may be fused with its reader.
        before += &format!(
            "%m{at} = stablehlo.multiply %x{at}, %x{at} : tensor<{shape}xf32>\n%s{at} = stablehlo.subtract %x{at}, %m{at} : \
             tensor<{shape}xf32>\n%n{at} = stablehlo.convert %s{at} : (tensor<{shape}xf32>) -> tensor<{shape}x{narrow}>\n"
        );
    }
    let zero = |ty: &str| format!("%z = stablehlo.constant dense<0.5> : tensor<{ty}>\n");
    let operation = operation.replace("WIDE", wide);
    let mut conversions = String::new();
    let mut converted = operation.replace("NARROW", wide);
    for (at, shape) in shapes.iter().enumerate() {
        conversions += &format!(
            "%w{at} = stablehlo.convert %n{at} : (tensor<{shape}x{narrow}>) -> tensor<{shape}x{wide}>\n"
        );
        converted = converted.replace(&format!("%n{at}"), &format!("%w{at}"));
    }
    let end = |body: &str| {
        let names: Vec<_> = (0..results.matches("tensor").count()).map(|at| format!("%r#{at}")).collect();
        let body = body.replace("%r ", &format!("%r:{} ", names.len()));
        format!("{body}\nreturn {} : {}\n}}", names.join(", "), results)
    };
    Pair {
        promoted: format!("{head}{before}{}{}", zero(narrow), end(&operation.replace("NARROW", narrow))),
        converted: format!("{head}{before}{}{conversions}{}", zero(wide), end(&converted)),
    }
}

fn body(instructions: &str) -> String {
    format!(
        "({{\n^bb0(%a: tensor<WIDE>, %b: tensor<WIDE>):\n{instructions}\nstablehlo.return %o : tensor<WIDE>\n}})"
    )
}

/// The pairs for one narrow and one wide type, with the shapes of their inputs.
fn pairs(narrow: &str, wide: &str) -> Vec<(Pair, Vec<Vec<usize>>)> {
    let sum = body("%o = stablehlo.add %a, %b : tensor<WIDE>");
    let greatest = body("%o = stablehlo.maximum %a, %b : tensor<WIDE>");
    let several =
        body("%h = stablehlo.multiply %b, %b : tensor<WIDE>\n%o = stablehlo.add %a, %h : tensor<WIDE>");
    let mut all = vec![];
    for (dimensions, result) in [("0", "700x"), ("1", "9x"), ("0, 1", "")] {
        for body in [&sum, &greatest, &several] {
            let operation = format!(
                "%r = \"stablehlo.reduce\"(%n0, %z) {body} {{dimensions = array<i64: {dimensions}>}} : (tensor<9x700xNARROW>, \
                 tensor<NARROW>) -> tensor<{result}WIDE>"
            );
            let results = format!("tensor<{result}{wide}>");
            all.push((pair(narrow, wide, &["9x700"], &operation, &results), vec![vec![9, 700]]));
        }
    }
    // One of these is a cumulative sum.
    for (window, padding, result) in
        [("7", "[[3, 3]]", "600"), ("600", "[[599, 0]]", "600"), ("2", "[[0, 0]]", "599")]
    {
        let operation = format!(
            "%r = \"stablehlo.reduce_window\"(%n0, %z) {sum} {{window_dimensions = array<i64: {window}>, padding = \
             dense<{padding}> : tensor<1x2xi64>}} : (tensor<600xNARROW>, tensor<NARROW>) -> tensor<{result}xWIDE>"
        );
        let results = format!("tensor<{result}x{wide}>");
        all.push((pair(narrow, wide, &["600"], &operation, &results), vec![vec![600]]));
    }
    for body in [&sum, &several] {
        let operation = format!(
            "%i = stablehlo.constant dense<[[1], [0], [3], [1], [1]]> : tensor<5x1xi32>\n%r = \"stablehlo.scatter\"(%n0, %i, \
             %n1) {body} {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = \
             [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : (tensor<4x40xNARROW>, tensor<5x1xi32>, \
             tensor<5x40xNARROW>) -> tensor<4x40xWIDE>"
        );
        let results = format!("tensor<4x40x{wide}>");
        all.push((
            pair(narrow, wide, &["4x40", "5x40"], &operation, &results),
            vec![vec![4, 40], vec![5, 40]],
        ));
    }
    all
}

#[test]
fn promoted_reductions_have_the_bits_of_converted_operands() {
    let rules: [&[&str]; 5] = [
        &[],
        &["bf16:bf16"],
        &["bf16x2:bf16x2/3/order=pairwise"],
        &["reduce,reduce_window,scatter=bf16"],
        &["add=float8_e5m2"],
    ];
    for (narrow, wide) in
        [("f32", "f64"), ("bf16", "f32"), ("f8E4M3FN", "bf16"), ("f16", "f32"), ("bf16", "f16")]
    {
        for (pair, shapes) in pairs(narrow, wide) {
            let inputs: Vec<_> =
                shapes.iter().enumerate().map(|(at, shape)| numbers(shape, 7 + at as u64)).collect();
            for rules in rules {
                let mut found = vec![];
                for (semantics, threads) in
                    [(Semantics::Wide, 1), (Semantics::Wide, 3), (Semantics::Reference, 1)]
                {
                    let parsed = Rules::parse(rules).unwrap();
                    let options =
                        Options { semantics, rules: parsed, threads: Some(threads), ..Options::default() };
                    let promoted = bits(&pair.promoted, &inputs, &options);
                    let converted = bits(&pair.converted, &inputs, &options);
                    assert_eq!(
                        promoted, converted,
                        "{narrow} {wide} {rules:?} {semantics:?}\n{}",
                        pair.promoted
                    );
                    found.push(promoted);
                }
                assert_eq!(found[0], found[1], "threads");
            }
        }
    }
}

const SUM: &str = r#"func.func @main(%x: tensor<2xf32>) -> tensor<f64> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f64>
  return %0 : tensor<f64>
}"#;

fn sum(rules: &[&str]) -> f64 {
    let options = Options { rules: Rules::parse(rules).unwrap(), ..Options::default() };
    let x = Tensor::new(F32, vec![2], Data::F32(vec![1.001, 1.001]));
    let results =
        Executable::new(&parsed(SUM), options).unwrap().run("main", vec![Value::Tensor(x)]).unwrap();
    match &results[..] {
        [Value::Tensor(tensor)] => match &*tensor.data {
            Data::F64(elements) => elements[0],
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

/// A promotion belongs to its reduction: rules of conversions do not round it, and those of the reduction round its
/// result.
#[test]
fn rules_reach_the_reduction_and_not_the_promotion() {
    let exact = 2.0 * f64::from(1.001f32);
    assert_eq!(sum(&[]), exact);
    assert_eq!(sum(&["convert=bf16"]), exact);
    assert_eq!(sum(&["promote=bf16"]), exact);
    assert_eq!(sum(&["reduce=bf16"]), 2.0);
    let reach = Rules::parse(&["convert=bf16", "reduce=bf16"]).unwrap().reach(&parsed(SUM));
    assert_eq!(reach.iter().map(|rule| rule.computed).collect::<Vec<_>>(), [0, 1]);
}

/// Observers see the exact promotion of the operand, and the reduction.
#[test]
fn observers_see_the_promotion() {
    let inputs = vec![numbers(&[2], 3)];
    let (_, found) = comparison::run(&parsed(SUM), "main", inputs, &Options::default(), vec![]).unwrap();
    let row = |name: &str| found.operations.iter().find(|row| row.place.operation == name);
    let promoted = row("promote").unwrap();
    assert_eq!((promoted.max_absolute, promoted.compared, promoted.place.position), (0.0, 2, (3, 8)));
    assert_eq!(row("reduce").unwrap().max_absolute, 0.0);
    assert!(row("convert").is_none());
}
