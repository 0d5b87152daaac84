// stablehlo.select_and_scatter by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @select_and_scatter_plain_i8() {
  %0 = stablehlo.constant dense<[[1, 5], [2, 5], [3, 5], [4, 4]]> : tensor<4x2xi8>
  %1 = stablehlo.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<0> : tensor<i8>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<4x2xi8>, tensor<2x2xi8>, tensor<i8>) -> tensor<4x2xi8>
  check.expect_eq_const %3, dense<[[0, 2], [0, 0], [1, 0], [3, 0]]> : tensor<4x2xi8>
  return
}

func.func @select_and_scatter_padded_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 0], [1, 2, 3, 4], [5, 6, 0, 1]]> : tensor<4x4xi8>
  %1 = stablehlo.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<0> : tensor<i8>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<4x4xi8>, tensor<2x2xi8>, tensor<i8>) -> tensor<4x4xi8>
  check.expect_eq_const %3, dense<[[0, 0, 0, 0], [0, 1, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]> : tensor<4x4xi8>
  return
}

func.func @select_and_scatter_overlapping_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 0, 1], [2, 3, 0]]> : tensor<3x3xi8>
  %1 = stablehlo.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<0> : tensor<i8>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<3x3xi8>, tensor<2x2xi8>, tensor<i8>) -> tensor<3x3xi8>
  check.expect_eq_const %3, dense<[[0, 0, 2], [4, 0, 0], [0, 0, 0]]> : tensor<3x3xi8>
  return
}

func.func @select_and_scatter_plain_i64() {
  %0 = stablehlo.constant dense<[[1, 5], [2, 5], [3, 5], [4, 4]]> : tensor<4x2xi64>
  %1 = stablehlo.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi64>
  %2 = stablehlo.constant dense<0> : tensor<i64>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  check.expect_eq_const %3, dense<[[0, 2], [0, 0], [1, 0], [3, 0]]> : tensor<4x2xi64>
  return
}

func.func @select_and_scatter_padded_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 0], [1, 2, 3, 4], [5, 6, 0, 1]]> : tensor<4x4xi64>
  %1 = stablehlo.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi64>
  %2 = stablehlo.constant dense<0> : tensor<i64>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4x4xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x4xi64>
  check.expect_eq_const %3, dense<[[0, 0, 0, 0], [0, 1, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]> : tensor<4x4xi64>
  return
}

func.func @select_and_scatter_overlapping_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 0, 1], [2, 3, 0]]> : tensor<3x3xi64>
  %1 = stablehlo.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi64>
  %2 = stablehlo.constant dense<0> : tensor<i64>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<3x3xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<3x3xi64>
  check.expect_eq_const %3, dense<[[0, 0, 2], [4, 0, 0], [0, 0, 0]]> : tensor<3x3xi64>
  return
}

func.func @select_and_scatter_plain_f64() {
  %0 = stablehlo.constant dense<[[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 4.0]]> : tensor<4x2xf64>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf64>
  %2 = stablehlo.constant dense<0.0> : tensor<f64>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  check.expect_eq_const %3, dense<[[0.0, 2.0], [0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]> : tensor<4x2xf64>
  return
}

func.func @select_and_scatter_padded_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 0.0], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 0.0, 1.0]]> : tensor<4x4xf64>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf64>
  %2 = stablehlo.constant dense<0.0> : tensor<f64>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x4xf64>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0]]> : tensor<4x4xf64>
  return
}

func.func @select_and_scatter_overlapping_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [2.0, 3.0, 0.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf64>
  %2 = stablehlo.constant dense<0.0> : tensor<f64>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<3x3xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<3x3xf64>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 2.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  return
}

func.func @select_and_scatter_plain_f32() {
  %0 = stablehlo.constant dense<[[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 4.0]]> : tensor<4x2xf32>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  check.expect_eq_const %3, dense<[[0.0, 2.0], [0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]> : tensor<4x2xf32>
  return
}

func.func @select_and_scatter_padded_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 0.0], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 0.0, 1.0]]> : tensor<4x4xf32>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0]]> : tensor<4x4xf32>
  return
}

func.func @select_and_scatter_overlapping_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [2.0, 3.0, 0.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<3x3xf32>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 2.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  return
}

func.func @select_and_scatter_plain_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 4.0]]> : tensor<4x2xbf16>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<0.0> : tensor<bf16>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x2xbf16>, tensor<2x2xbf16>, tensor<bf16>) -> tensor<4x2xbf16>
  check.expect_eq_const %3, dense<[[0.0, 2.0], [0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]> : tensor<4x2xbf16>
  return
}

func.func @select_and_scatter_padded_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 0.0], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 0.0, 1.0]]> : tensor<4x4xbf16>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<0.0> : tensor<bf16>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x4xbf16>, tensor<2x2xbf16>, tensor<bf16>) -> tensor<4x4xbf16>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0]]> : tensor<4x4xbf16>
  return
}

func.func @select_and_scatter_overlapping_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [2.0, 3.0, 0.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<0.0> : tensor<bf16>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<3x3xbf16>, tensor<2x2xbf16>, tensor<bf16>) -> tensor<3x3xbf16>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 2.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xbf16>
  return
}

func.func @select_and_scatter_plain_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 4.0]]> : tensor<4x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<0.0> : tensor<f8E4M3FNUZ>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<4x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<4x2xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 2.0], [0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]> : tensor<4x2xf8E4M3FNUZ>
  return
}

func.func @select_and_scatter_padded_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 0.0], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 0.0, 1.0]]> : tensor<4x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<0.0> : tensor<f8E4M3FNUZ>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<4x4xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<4x4xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0]]> : tensor<4x4xf8E4M3FNUZ>
  return
}

func.func @select_and_scatter_overlapping_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [2.0, 3.0, 0.0]]> : tensor<3x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<0.0> : tensor<f8E4M3FNUZ>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<3x3xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<3x3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 2.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf8E4M3FNUZ>
  return
}

func.func @select_and_scatter_plain_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 4.0]]> : tensor<4x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<0.0> : tensor<f8E5M2FNUZ>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<4x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<4x2xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 2.0], [0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]> : tensor<4x2xf8E5M2FNUZ>
  return
}

func.func @select_and_scatter_padded_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 0.0], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 0.0, 1.0]]> : tensor<4x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<0.0> : tensor<f8E5M2FNUZ>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<4x4xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<4x4xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0]]> : tensor<4x4xf8E5M2FNUZ>
  return
}

func.func @select_and_scatter_overlapping_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [2.0, 3.0, 0.0]]> : tensor<3x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<0.0> : tensor<f8E5M2FNUZ>
  %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<3x3xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<3x3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 2.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf8E5M2FNUZ>
  return
}
