//! Programs under stochastic rules: which random words each operation takes, the same bits on any number of threads, and no
//! bias.

use std::sync::Arc;

use binade::SumDraws;
use binade::philox::stream;
use binade_fma::{Matrix, MatrixMut, Multiplier, Order};
use binade_hlo::eval::rules::Rules;
use binade_hlo::eval::{Executable, Options};
use binade_hlo::{Data, ElementType, FloatType, Program, Tensor, Value};

const F32: ElementType = ElementType::Float(FloatType::F32);

fn tensor(shape: &[usize], numbers: Vec<f32>) -> Value {
    Value::Tensor(Tensor { element: F32, shape: shape.to_vec(), data: Arc::new(Data::F32(numbers)) })
}

fn numbers(value: &Value) -> Vec<f32> {
    match value {
        Value::Tensor(Tensor { data, .. }) => match &**data {
            Data::F32(numbers) => numbers.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn options(rules: &[&str], seed: u64, threads: usize) -> Options {
    Options { rules: Rules::parse(rules).unwrap(), seed, threads: Some(threads), ..Options::default() }
}

fn run(text: &str, rules: &[&str], seed: u64, threads: usize, inputs: &[Value]) -> Vec<Vec<f32>> {
    let program = Program::parse(text).unwrap();
    let executable = Executable::new(&program, options(rules, seed, threads)).unwrap();
    executable.run("main", inputs.to_vec()).unwrap().iter().map(numbers).collect()
}

const DOT: &str = "func.func @main(%a: tensor<5x40xf32>, %b: tensor<40x7xf32>) -> tensor<5x7xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x40xf32>, tensor<40x7xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32> }";

fn pattern(count: usize, by: usize) -> Vec<f32> {
    (0..count).map(|at| ((at * by) % 31) as f32 / 16.0 - 0.5).collect()
}

#[test]
fn product_takes_the_words_of_its_place_in_the_program() {
    let (a, b) = (pattern(200, 7), pattern(280, 11));
    let inputs = [tensor(&[5, 40], a.clone()), tensor(&[40, 7], b.clone())];
    let found = run(DOT, &["dot_general=bf16:bf16/rounding=stochastic"], 9, 1, &inputs);
    let program = Program::parse(DOT).unwrap();
    let operation = &program.functions[0].body.operations[0];
    let (line, column) = operation.position;
    let key = stream(stream(9, &[0]), &[0, 0, line, column, operation.results[0].0, 0]);
    let multiplier =
        Multiplier::new("bf16:bf16/rounding=stochastic".parse().unwrap(), Order::Sequential).unwrap();
    let mut expected = vec![0.0; 35];
    multiplier
        .with_draws(SumDraws::new(key))
        .product(
            Matrix::new(&a, 5, 40).unwrap(),
            Matrix::new(&b, 40, 7).unwrap(),
            MatrixMut::new(&mut expected, 5, 7).unwrap(),
        )
        .unwrap();
    assert_eq!(found, [expected]);
}

#[test]
fn every_execution_and_every_run_has_words_of_its_own() {
    // Three times the same sum, in a loop.
    let text = "func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
      %c0 = stablehlo.constant dense<0> : tensor<i32>
      %c1 = stablehlo.constant dense<1> : tensor<i32>
      %c2 = stablehlo.constant dense<2> : tensor<i32>
      %r:3 = \"stablehlo.while\"(%c0, %x, %x) ({
        ^bb0(%i: tensor<i32>, %p: tensor<64xf32>, %q: tensor<64xf32>):
          %t = stablehlo.compare LT, %i, %c2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %t : tensor<i1>
      }, {
        ^bb0(%i: tensor<i32>, %p: tensor<64xf32>, %q: tensor<64xf32>):
          %n = stablehlo.add %i, %c1 : tensor<i32>
          %s = stablehlo.add %x, %y : tensor<64xf32>
          stablehlo.return %n, %q, %s : tensor<i32>, tensor<64xf32>, tensor<64xf32>
      }) : (tensor<i32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<i32>, tensor<64xf32>, tensor<64xf32>)
      return %r#1, %r#2 : tensor<64xf32>, tensor<64xf32> }";
    let inputs = [tensor(&[64], vec![1.0; 64]), tensor(&[64], vec![2f32.powi(-8); 64])];
    for rule in ["add=bf16/rounding=stochastic", "add=bf16:bf16/rounding=stochastic"] {
        let program = Program::parse(text).unwrap();
        let executable = Executable::new(&program, options(&[rule], 1, 1)).unwrap();
        let sums: Vec<Vec<f32>> = (0..2)
            .flat_map(|_| executable.run("main", inputs.to_vec()).unwrap())
            .map(|value| numbers(&value))
            .collect();
        for (at, sum) in sums.iter().enumerate() {
            assert!(sum.iter().all(|x| *x == 1.0 || *x == 1.0 + 2f32.powi(-7)), "{rule}: {sum:?}");
            assert!(!sums[..at].contains(sum), "{rule}: sum {at} repeats");
        }
        // The same key gives the same bits.
        let again = |key| executable.run_keyed("main", inputs.to_vec(), key).unwrap();
        assert_eq!(numbers(&again(5)[0]), numbers(&again(5)[0]));
        assert_ne!(numbers(&again(5)[0]), numbers(&again(6)[0]));
    }
}

/// Operations of every kind that takes random words.
const KINDS: &str = "func.func @main(%x: tensor<200x120xf32>, %y: tensor<200x120xf32>) ->
    (tensor<200x120xf32>, tensor<200x120xf32>, tensor<200xf32>, tensor<200x200xf32>, tensor<200x120xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.multiply %x, %y : tensor<200x120xf32>
  %s = stablehlo.add %p, %x : tensor<200x120xf32>
  %e = stablehlo.exponential %y : tensor<200x120xf32>
  %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<200x120xf32>, tensor<f32>) -> tensor<200xf32>
  %d = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1]
    : (tensor<200x120xf32>, tensor<200x120xf32>) -> tensor<200x200xf32>
  %t = stablehlo.subtract %x, %y : tensor<200x120xf32>
  return %s, %e, %r, %d, %t
    : tensor<200x120xf32>, tensor<200x120xf32>, tensor<200xf32>, tensor<200x200xf32>, tensor<200x120xf32> }";

#[test]
fn results_do_not_depend_on_the_threads() {
    // Differences have more bits than BF16.
    let small = pattern(24_000, 13).into_iter().map(|x| x * 0.0137).collect();
    let inputs = [tensor(&[200, 120], pattern(24_000, 7)), tensor(&[200, 120], small)];
    for rules in [
        &["bf16:bf16/rounding=stochastic"][..],
        &["*=float8_e4m3fn/rounding=stochastic_c:12"],
        &["*=bf16:bf16/rounding=random"],
    ] {
        let one = run(KINDS, rules, 3, 1, &inputs);
        for threads in [2, 4] {
            assert!(run(KINDS, rules, 3, threads, &inputs) == one, "{rules:?} on {threads} threads");
        }
        let other = run(KINDS, rules, 4, 1, &inputs);
        assert!(other.iter().zip(&one).all(|(other, one)| other != one), "{rules:?}");
    }
}

/// 1 + 2^−9 is a quarter of BF16's gap above 1: `random` rounds half of the sums up, and `stochastic` a quarter.
#[test]
fn random_rounds_half_of_inexact_sums_up() {
    let text = "func.func @main(%x: tensor<40000xf32>, %y: tensor<40000xf32>) -> tensor<40000xf32> {
      %s = stablehlo.add %x, %y : tensor<40000xf32>
      return %s : tensor<40000xf32> }";
    let inputs = [tensor(&[40_000], vec![1.0; 40_000]), tensor(&[40_000], vec![2f32.powi(-9); 40_000])];
    for (mode, share) in [("random", 0.5), ("stochastic", 0.25)] {
        for rule in [format!("add=bf16/rounding={mode}"), format!("add=bf16:bf16/rounding={mode}")] {
            let sums = run(text, &[&rule], 7, 1, &inputs).remove(0);
            let up = 1.0 + 2f32.powi(-7);
            assert!(sums.iter().all(|&x| x == 1.0 || x == up), "{rule}");
            let ups = sums.iter().filter(|&&x| x == up).count() as f64 / sums.len() as f64;
            assert!((ups - share).abs() < 0.0125, "{rule}: {ups} of {share}");
        }
    }
    let exact = [tensor(&[40_000], vec![1.0; 40_000]), tensor(&[40_000], vec![2f32.powi(-7); 40_000])];
    let sums = run(text, &["add=bf16/rounding=random"], 7, 1, &exact).remove(0);
    assert!(sums.iter().all(|&x| x == 1.0 + 2f32.powi(-7)), "exact sums stay");
}

/// The mean of sums over many elements, less the exact sum, in standard errors.
fn bias(sums: &[f32], exact: f64) -> f64 {
    let count = sums.len() as f64;
    let mean = sums.iter().map(|&x| f64::from(x)).sum::<f64>() / count;
    let variance = sums.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / (count - 1.0);
    assert!(variance > 0.0);
    (mean - exact) / (variance / count).sqrt()
}

#[test]
fn stochastic_operations_have_no_bias() {
    // Numbers of BF16 whose sum, product and difference are not, and y is none of E5M2.
    let (x, y) = (1.3125f32, 113.0 / 1024.0f32);
    let inputs = [tensor(&[200, 120], vec![x; 24_000]), tensor(&[200, 120], vec![y; 24_000])];
    let found = run(KINDS, &["bf16:bf16/rounding=stochastic"], 5, 2, &inputs);
    let (x, y) = (f64::from(x), f64::from(y));
    let exact = [x * y + x, y.exp(), 120.0 * x, 120.0 * x * y, x - y];
    for (kind, (sums, exact)) in found.iter().zip(exact).enumerate() {
        assert!(bias(sums, exact).abs() < 5.0, "result {kind}: {}", bias(sums, exact));
    }
    let convert = "func.func @main(%x: tensor<200x120xf32>, %y: tensor<200x120xf32>) -> tensor<200x120xf32> {
      %0 = stablehlo.convert %y : tensor<200x120xf32>
      return %0 : tensor<200x120xf32> }";
    let found = run(convert, &["convert=float8_e5m2/rounding=stochastic"], 5, 2, &inputs);
    assert!(bias(&found[0], y).abs() < 5.0);
}

#[test]
fn deterministic_modes_of_formats_round_results() {
    let text = "func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.add %x, %y : tensor<2xf32>
      return %0 : tensor<2xf32> }";
    let inputs = [tensor(&[2], vec![1.0, -1.0]), tensor(&[2], vec![2f32.powi(-9), -(2f32.powi(-9))])];
    let up = 1.0 + 2f32.powi(-7);
    for (mode, expected) in [
        ("toward_zero", [1.0, -1.0]),
        ("toward_positive", [up, -1.0]),
        ("toward_negative", [1.0, -up]),
        ("to_odd", [up, -up]),
    ] {
        for rule in [format!("add=bf16/rounding={mode}"), format!("add=bf16:bf16/rounding={mode}")] {
            assert_eq!(run(text, &[&rule], 0, 1, &inputs), [expected], "{rule}");
        }
    }
}

#[test]
fn stochastic_rules_leave_regions_and_say_so() {
    let text = "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = \"stablehlo.map\"(%x) <{dimensions = array<i64: 0>}> ({ ^bb0(%a: tensor<f32>):
        %b = stablehlo.add %a, %a : tensor<f32>
        stablehlo.return %b : tensor<f32> }) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32> }";
    let x: Vec<f32> = (0..8).map(|at| 1.0 + at as f32 / 1024.0).collect();
    let found = run(text, &["add=bf16:bf16/rounding=stochastic"], 0, 1, &[tensor(&[8], x.clone())]);
    assert_eq!(found, [x.iter().map(|x| x + x).collect::<Vec<_>>()]);
    let rules = Rules::parse(&["add=bf16:bf16/rounding=stochastic"]).unwrap();
    let reach = rules.reach(&Program::parse(text).unwrap());
    assert_eq!((reach[0].computed, reach[0].left), (0, 1));
}
