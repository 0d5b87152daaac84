//! Small programs are evaluated on the calling thread, without the threads of a pool.

use binade_hlo::eval::{Event, Executable, Observer, Options};
use binade_hlo::{Data, ElementType, FloatType, Program, Tensor, Value};

const PROGRAM: &str = r#"
func.func @main(%a: tensor<32x32xf32>, %v: tensor<1024xf32>) -> (tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>, tensor<1024xf64>, tensor<1x1xf32>, tensor<1024xbf16>, tensor<32x32xi32>, tensor<1024xf32>, tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<100> : tensor<i32>
  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = stablehlo.dot_general %a, %t, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %e = stablehlo.exponential %p : tensor<32x32xf32>
  %m = stablehlo.multiply %e, %t : tensor<32x32xf32>
  %rows = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
  %columns = stablehlo.reduce(%m init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
  %all = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
  %wide = stablehlo.convert %v : (tensor<1024xf32>) -> tensor<1024xf64>
  %log = stablehlo.log %wide : tensor<1024xf64>
  %row = stablehlo.reshape %v : (tensor<1024xf32>) -> tensor<1x1024xf32>
  %column = stablehlo.reshape %v : (tensor<1024xf32>) -> tensor<1024x1xf32>
  %inner = stablehlo.dot_general %row, %column, contracting_dims = [1] x [0] : (tensor<1x1024xf32>, tensor<1024x1xf32>) -> tensor<1x1xf32>
  %narrow = stablehlo.convert %v : (tensor<1024xf32>) -> tensor<1024xbf16>
  %tanh = stablehlo.tanh %narrow : tensor<1024xbf16>
  %bytes = stablehlo.convert %a : (tensor<32x32xf32>) -> tensor<32x32xi8>
  %sums = stablehlo.dot_general %bytes, %bytes, contracting_dims = [1] x [1] : (tensor<32x32xi8>, tensor<32x32xi8>) -> tensor<32x32xi32>
  %loop:4 = stablehlo.while(%i = %none, %x = %v, %s = %zero, %k = %zero) : tensor<i32>, tensor<1024xf32>, tensor<f32>, tensor<f32>
  cond {
    %c = stablehlo.compare LT, %i, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %here = stablehlo.dynamic_slice %x, %i, sizes = [8] : (tensor<1024xf32>, tensor<i32>) -> tensor<8xf32>
    %sine = stablehlo.sine %here : tensor<8xf32>
    %sum = stablehlo.reduce(%sine init: %s) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %most = stablehlo.reduce(%here init: %k) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %y = stablehlo.dynamic_update_slice %x, %sine, %next : (tensor<1024xf32>, tensor<8xf32>, tensor<i32>) -> tensor<1024xf32>
    stablehlo.return %next, %y, %sum, %most : tensor<i32>, tensor<1024xf32>, tensor<f32>, tensor<f32>
  }
  return %m, %rows, %columns, %all, %log, %inner, %tanh, %sums, %loop#1, %loop#2, %loop#3 : tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>, tensor<1024xf64>, tensor<1x1xf32>, tensor<1024xbf16>, tensor<32x32xi32>, tensor<1024xf32>, tensor<f32>, tensor<f32>
}
"#;

struct Nothing;

impl Observer for Nothing {
    fn done(&self, _: &Event<'_>) -> bool {
        true
    }
}

#[test]
fn small_programs_ask_for_no_threads() {
    let program = Program::parse(PROGRAM).unwrap();
    let numbers = |shape: &[usize]| {
        let count: usize = shape.iter().product();
        let data = (0..count).map(|at| (at * 37 % 101) as f32 / 50.0 - 1.0).collect();
        Value::Tensor(Tensor::new(ElementType::Float(FloatType::F32), shape.to_vec(), Data::F32(data)))
    };
    let inputs = || vec![numbers(&[32, 32]), numbers(&[1024])];
    let executable = Executable::new(&program, Options::default()).unwrap();
    let results = executable.run("main", inputs()).unwrap();
    // Operations that asked for threads outside a pool would have started rayon's own.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
    let seen = Executable::observed(&program, Options::default(), &Nothing).unwrap();
    // The same bits, including NaN and zeros.
    assert_eq!(format!("{results:?}"), format!("{:?}", seen.run("main", inputs()).unwrap()));
}
