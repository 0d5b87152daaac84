//! Tests of comparisons with the program in binary64, and of profiles.

use binade_hlo::comparison::{self, Comparison, OperationError};
use binade_hlo::eval::rules::{Rules, Scope};
use binade_hlo::eval::{Executable, Options};
use binade_hlo::profile::{Profile, Row};
use binade_hlo::widen::widened;
use binade_hlo::{Data, ElementType, Evaluate, FloatType, Program, Tensor, Value};

fn program(text: &str) -> Program {
    Program::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn f32s(shape: &[usize], numbers: Vec<f32>) -> Value {
    Value::Tensor(Tensor::new(ElementType::Float(FloatType::F32), shape.to_vec(), Data::F32(numbers)))
}

fn compared(text: &str, inputs: Vec<Value>, options: &Options) -> (Vec<Value>, Comparison) {
    let program = program(text);
    let plain = Executable::new(&program, options.clone()).unwrap().run("main", inputs.clone()).unwrap();
    let (results, comparison) = comparison::run(&program, "main", inputs, options, vec![]).unwrap();
    assert_eq!(format!("{plain:?}"), format!("{results:?}"), "looking on changes nothing");
    (results, comparison)
}

fn named<'a>(comparison: &'a Comparison, name: &str) -> &'a OperationError {
    comparison
        .operations
        .iter()
        .find(|error| error.place.operation == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

const CHAIN: &str = r#"
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %y : tensor<4xf32> loc("model/product")
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %1, %2 : tensor<4xf32>, tensor<f32>
}"#;

#[test]
fn errors_are_those_of_the_values_against_binary64() {
    let (x, y) = ([1.1f32, -2.7, 1e-3, 3e10], [0.3f32, 1.7, 9.1, -0.1]);
    let (_, found) =
        compared(CHAIN, vec![f32s(&[4], x.to_vec()), f32s(&[4], y.to_vec())], &Options::default());
    assert_eq!(found.parted, None);
    let product = named(&found, "multiply");
    // Products of binary32 are exact in binary64.
    let errors = x.iter().zip(&y).map(|(&x, &y)| (f64::from(x * y) - f64::from(x) * f64::from(y)).abs());
    assert_eq!(product.max_absolute, errors.clone().fold(0.0, f64::max));
    assert_eq!(product.mean_absolute, errors.sum::<f64>() / 4.0);
    assert!(product.max_ulps > 0.0 && product.max_ulps <= 0.5, "{}", product.max_ulps);
    assert_eq!((product.executions, product.compared, &product.place.scope[..]), (1, 4, "model/product"));
    let sums = x.iter().zip(&y).map(|(&x, &y)| {
        let (value, reference) = (f64::from(x * y + x), f64::from(x) * f64::from(y) + f64::from(x));
        (value - reference).abs() / reference.abs()
    });
    assert_eq!(named(&found, "add").max_relative, sums.fold(0.0, f64::max));
    assert_eq!(named(&found, "reduce").compared, 1);
    assert_eq!(named(&found, "constant").max_absolute, 0.0);
}

#[test]
fn the_error_of_an_operator_is_seen() {
    let ones = vec![f32s(&[4], vec![1.0 + 2f32.powi(-8); 4]), f32s(&[4], vec![1.0; 4])];
    let rules = Rules::parse_in(&["*=bf16:bf16".to_owned()], Scope::All).unwrap();
    let (_, found) = compared(CHAIN, ones, &Options { rules, ..Options::default() });
    // The pair is one operation, reported at its sum; 1 + 2^-8 is 1 in BF16.
    assert!(found.operations.iter().all(|error| error.place.operation != "multiply"));
    assert_eq!(named(&found, "add").max_absolute, 2f64.powi(-7));
    assert_eq!(found.parted, None);
}

#[test]
fn roundings_that_a_program_asks_for_are_errors_too() {
    let text = r#"
    func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi32>, tensor<2xbf16>) {
      %0 = stablehlo.reduce_precision %x, format = e8m7 : tensor<2xf32>
      %1 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi32>
      %2 = stablehlo.bitcast_convert %1 : (tensor<2xi32>) -> tensor<2xf32>
      %3 = stablehlo.convert %2 : (tensor<2xf32>) -> tensor<2xbf16>
      return %0, %1, %3 : tensor<2xf32>, tensor<2xi32>, tensor<2xbf16>
    }"#;
    let x = [1.0 + 2f32.powi(-9), -3.0];
    let (_, found) = compared(text, vec![f32s(&[2], x.to_vec())], &Options::default());
    assert_eq!(named(&found, "reduce_precision").max_absolute, 2f64.powi(-9));
    // In both programs these are the bits of binary32.
    assert_eq!(named(&found, "bitcast_convert").max_absolute, 0.0);
    let narrow = named(&found, "convert");
    assert_eq!((narrow.max_absolute, narrow.max_ulps), (2f64.powi(-9), 0.25));
}

/// Adds `step` until `limit` is reached, then doubles.
fn counting(step: f32, limit: f32) -> String {
    format!(
        "func.func @main() -> tensor<f32> {{
          %x = stablehlo.constant dense<0.0> : tensor<f32>
          %step = stablehlo.constant dense<{step:?}> : tensor<f32>
          %limit = stablehlo.constant dense<{limit:?}> : tensor<f32>
          %0 = stablehlo.while(%i = %x) : tensor<f32>
            cond {{
              %c = stablehlo.compare LT, %i, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
              stablehlo.return %c : tensor<i1>
            }} do {{
              %next = stablehlo.add %i, %step : tensor<f32>
              stablehlo.return %next : tensor<f32>
            }}
          %1 = stablehlo.multiply %0, %0 : tensor<f32>
          return %1 : tensor<f32>
        }}"
    )
}

/// The number of iterations in binary32 and in binary64.
fn turns(step: f32, limit: f32) -> (u64, u64) {
    let (mut narrow, mut wide, mut turns) = (0f32, 0f64, (0, 0));
    while narrow < limit {
        narrow += step;
        turns.0 += 1;
    }
    while wide < f64::from(limit) {
        wide += f64::from(step);
        turns.1 += 1;
    }
    turns
}

#[test]
fn programs_that_go_other_ways_are_compared_where_they_meet() {
    let steps = (1..200).map(|tenths| (0.1f32, tenths as f32 / 10.0));
    let of = |wanted: std::cmp::Ordering| {
        let found = steps.clone().find(|&(step, limit)| {
            let (narrow, wide) = turns(step, limit);
            narrow.cmp(&wide) == wanted
        });
        let (step, limit) = found.expect("such a sum exists");
        let (_, found) = compared(&counting(step, limit), vec![], &Options::default());
        (turns(step, limit).0, found)
    };
    let (turns, same) = of(std::cmp::Ordering::Equal);
    assert_eq!((named(&same, "add").executions, named(&same, "add").compared), (turns, turns));
    // One iteration less than in binary64: the programs meet after the loop.
    let (turns, less) = of(std::cmp::Ordering::Less);
    assert_eq!((&less.parted, named(&less, "add").compared), (&None, turns));
    assert!(named(&less, "multiply").max_relative > 1e-3);
    // One iteration more: it has no reference.
    let (turns, more) = of(std::cmp::Ordering::Greater);
    assert!(more.parted.is_some());
    let add = named(&more, "add");
    assert_eq!((add.executions, add.compared), (turns, turns - 1));
}

#[test]
fn births_of_infinities_and_nan_are_counted_where_they_happen() {
    let text = r#"
    func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %0 = stablehlo.log %x : tensor<3xf32>
      %1 = stablehlo.negate %0 : tensor<3xf32>
      %2 = stablehlo.multiply %x, %x : tensor<3xf32>
      return %1, %2 : tensor<3xf32>, tensor<3xf32>
    }"#;
    let (_, found) = compared(text, vec![f32s(&[3], vec![0.0, 1e30, 1.0])], &Options::default());
    let births = |name| named(&found, name).births;
    assert_eq!((births("log"), births("negate"), births("multiply")), (1, 0, 1));
    // The logarithm of 0 is infinite in binary64 as well; 1e60 is not.
    assert_eq!((named(&found, "log").infinities, named(&found, "multiply").infinities), (0, 1));
}

#[test]
fn a_widened_program_is_in_binary64() {
    let program = program(CHAIN);
    let wide = widened(&program).unwrap();
    let inputs = [[1.1f64; 4], [0.3; 4]].map(|numbers| {
        let data = Data::F64(numbers.to_vec());
        Value::Tensor(Tensor::new(ElementType::Float(FloatType::F64), vec![4], data))
    });
    let results = wide.evaluate("main", inputs.to_vec(), Options::default()).unwrap();
    let Value::Tensor(sum) = &results[0] else { panic!("a tensor") };
    assert!(matches!(&*sum.data, Data::F64(sums) if sums == &[1.1 * 0.3 + 1.1; 4]));
}

fn profiled(text: &str, inputs: Vec<Value>) -> Vec<Row> {
    let (program, profile) = (program(text), Profile::new());
    let executable = Executable::observed(&program, Options::default(), &profile).unwrap();
    executable.run("main", inputs).unwrap();
    drop(executable);
    profile.finish()
}

#[test]
fn profiles_count_time_bytes_flops_and_exponents() {
    let text = r#"
    func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32> loc("net/dense")
      %1 = stablehlo.exponential %0 : tensor<8x4xf32> loc("net/activation")
      %2 = stablehlo.subtract %1, %1 : tensor<8x4xf32> loc("net/activation")
      return %2 : tensor<8x4xf32>
    }"#;
    let inputs = vec![f32s(&[8, 16], vec![0.25; 128]), f32s(&[16, 4], vec![0.5; 64])];
    let rows = profiled(text, inputs);
    let row = |name: &str| rows.iter().find(|row| row.operation == name).unwrap();
    let dot = row("dot_general");
    assert_eq!((dot.executions, dot.flops, &dot.scope[..]), (1, 2.0 * 8.0 * 4.0 * 16.0, "net/dense"));
    assert_eq!(dot.bytes, 4 * (128 + 64 + 32));
    // Every element is 2.
    assert_eq!(dot.numbers.exponents, [(1, 32)]);
    // e² is 7.39.
    assert_eq!(row("exponential").numbers.exponents, [(2, 32)]);
    assert_eq!((row("subtract").numbers.zeros, row("subtract").numbers.exponents.len()), (32, 0));
    assert!(rows.iter().all(|row| row.seconds >= 0.0 && row.numbers.births == 0));
}

#[test]
fn what_is_in_loops_is_counted_as_often_as_it_is_done() {
    let rows = profiled(&counting(0.5, 4.0), vec![]);
    let add = rows.iter().find(|row| row.operation == "add").unwrap();
    assert_eq!(add.executions, 8);
    assert_eq!(add.numbers.exponents, [(-1, 1), (0, 2), (1, 4), (2, 1)]);
    assert!(rows.iter().all(|row| row.operation != "while"));
}
