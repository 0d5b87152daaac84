// stablehlo.reduce_window by its definition, which is the same in both semantics.

func.func @reduce_window_plain_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xi8>
  %1 = stablehlo.constant dense<0> : tensor<i8>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<3x4xi8>, tensor<i8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[2, 6, 10], [2, 6, 10]]> : tensor<2x3xi8>
  return
}

func.func @reduce_window_strides_i8() {
  %0 = stablehlo.constant dense<[[-3, -2, -1, 0, 1], [2, 3, -3, -2, -1], [0, 1, 2, 3, -3]]> : tensor<3x5xi8>
  %1 = stablehlo.constant dense<-7> : tensor<i8>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<3x5xi8>, tensor<i8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[3, 3, 1], [1, 3, 3]]> : tensor<2x3xi8>
  return
}

func.func @reduce_window_base_dilation_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 0, 1]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<0> : tensor<i8>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 3>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3xi8>, tensor<i8>) -> tensor<3x4xi8>
  check.expect_eq_const %2, dense<[[0, 1, 0, 2], [0, 1, 0, 2], [3, 0, 0, 1]]> : tensor<3x4xi8>
  return
}

func.func @reduce_window_window_dilation_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 0, 1], [2, 0, 1, 2, 0], [1, 2, 0, 1, 2], [0, 1, 2, 0, 1]]> : tensor<4x5xi8>
  %1 = stablehlo.constant dense<0> : tensor<i8>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<4x5xi8>, tensor<i8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[2, 6], [4, 2]]> : tensor<2x2xi8>
  return
}

func.func @reduce_window_negative_padding_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 0, 1, 2], [3, 4, 0, 1], [2, 3, 4, 0]]> : tensor<4x4xi8>
  %1 = stablehlo.constant dense<7> : tensor<i8>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [-1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<4x4xi8>, tensor<i8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[0, 0, 1], [0, 0, 0]]> : tensor<2x3xi8>
  return
}

func.func @reduce_window_all_i8() {
  %0 = stablehlo.constant dense<[[0, 1], [2, 0], [1, 2]]> : tensor<3x2xi8>
  %1 = stablehlo.constant dense<0> : tensor<i8>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<3x2xi8>, tensor<i8>) -> tensor<3x2xi8>
  check.expect_eq_const %2, dense<[[0, 0], [0, 0], [2, 2]]> : tensor<3x2xi8>
  return
}

func.func @reduce_window_too_large_a_window_i8() {
  %0 = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<0> : tensor<i8>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x2xi8>, tensor<i8>) -> tensor<0x2xi8>
  check.expect_eq_const %2, dense<> : tensor<0x2xi8>
  return
}

func.func @reduce_window_plain_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xi64>
  %1 = stablehlo.constant dense<0> : tensor<i64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<3x4xi64>, tensor<i64>) -> tensor<2x3xi64>
  check.expect_eq_const %2, dense<[[2, 6, 10], [2, 6, 10]]> : tensor<2x3xi64>
  return
}

func.func @reduce_window_strides_i64() {
  %0 = stablehlo.constant dense<[[-3, -2, -1, 0, 1], [2, 3, -3, -2, -1], [0, 1, 2, 3, -3]]> : tensor<3x5xi64>
  %1 = stablehlo.constant dense<-7> : tensor<i64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<3x5xi64>, tensor<i64>) -> tensor<2x3xi64>
  check.expect_eq_const %2, dense<[[3, 3, 1], [1, 3, 3]]> : tensor<2x3xi64>
  return
}

func.func @reduce_window_base_dilation_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 0, 1]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<0> : tensor<i64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 3>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3xi64>, tensor<i64>) -> tensor<3x4xi64>
  check.expect_eq_const %2, dense<[[0, 1, 0, 2], [0, 1, 0, 2], [3, 0, 0, 1]]> : tensor<3x4xi64>
  return
}

func.func @reduce_window_window_dilation_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 0, 1], [2, 0, 1, 2, 0], [1, 2, 0, 1, 2], [0, 1, 2, 0, 1]]> : tensor<4x5xi64>
  %1 = stablehlo.constant dense<0> : tensor<i64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4x5xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[2, 6], [4, 2]]> : tensor<2x2xi64>
  return
}

func.func @reduce_window_negative_padding_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 0, 1, 2], [3, 4, 0, 1], [2, 3, 4, 0]]> : tensor<4x4xi64>
  %1 = stablehlo.constant dense<7> : tensor<i64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [-1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.minimum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4x4xi64>, tensor<i64>) -> tensor<2x3xi64>
  check.expect_eq_const %2, dense<[[0, 0, 1], [0, 0, 0]]> : tensor<2x3xi64>
  return
}

func.func @reduce_window_all_i64() {
  %0 = stablehlo.constant dense<[[0, 1], [2, 0], [1, 2]]> : tensor<3x2xi64>
  %1 = stablehlo.constant dense<0> : tensor<i64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<3x2xi64>
  check.expect_eq_const %2, dense<[[0, 0], [0, 0], [2, 2]]> : tensor<3x2xi64>
  return
}

func.func @reduce_window_too_large_a_window_i64() {
  %0 = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %1 = stablehlo.constant dense<0> : tensor<i64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x2xi64>, tensor<i64>) -> tensor<0x2xi64>
  check.expect_eq_const %2, dense<> : tensor<0x2xi64>
  return
}

func.func @reduce_window_plain_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf64>
  %1 = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<3x4xf64>, tensor<f64>) -> tensor<2x3xf64>
  check.expect_eq_const %2, dense<[[2.0, 6.0, 10.0], [2.0, 6.0, 10.0]]> : tensor<2x3xf64>
  return
}

func.func @reduce_window_strides_f64() {
  %0 = stablehlo.constant dense<[[-3.0, -2.0, -1.0, 0.0, 1.0], [2.0, 3.0, -3.0, -2.0, -1.0], [0.0, 1.0, 2.0, 3.0, -3.0]]> : tensor<3x5xf64>
  %1 = stablehlo.constant dense<-7.0> : tensor<f64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<3x5xf64>, tensor<f64>) -> tensor<2x3xf64>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 1.0], [1.0, 3.0, 3.0]]> : tensor<2x3xf64>
  return
}

func.func @reduce_window_base_dilation_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf64>
  %1 = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 3>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3xf64>, tensor<f64>) -> tensor<3x4xf64>
  check.expect_eq_const %2, dense<[[0.0, 1.0, 0.0, 2.0], [0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 1.0]]> : tensor<3x4xf64>
  return
}

func.func @reduce_window_window_dilation_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0, 1.0]]> : tensor<4x5xf64>
  %1 = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x5xf64>, tensor<f64>) -> tensor<2x2xf64>
  check.expect_eq_const %2, dense<[[2.0, 6.0], [4.0, 2.0]]> : tensor<2x2xf64>
  return
}

func.func @reduce_window_negative_padding_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 1.0, 2.0], [3.0, 4.0, 0.0, 1.0], [2.0, 3.0, 4.0, 0.0]]> : tensor<4x4xf64>
  %1 = stablehlo.constant dense<7.0> : tensor<f64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [-1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<f64>) -> tensor<2x3xf64>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf64>
  return
}

func.func @reduce_window_all_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]> : tensor<3x2xf64>
  %1 = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<3x2xf64>, tensor<f64>) -> tensor<3x2xf64>
  check.expect_eq_const %2, dense<[[0.0, 0.0], [0.0, 0.0], [2.0, 2.0]]> : tensor<3x2xf64>
  return
}

func.func @reduce_window_too_large_a_window_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf64>
  %1 = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x2xf64>, tensor<f64>) -> tensor<0x2xf64>
  check.expect_eq_const %2, dense<> : tensor<0x2xf64>
  return
}

func.func @reduce_window_plain_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[2.0, 6.0, 10.0], [2.0, 6.0, 10.0]]> : tensor<2x3xf32>
  return
}

func.func @reduce_window_strides_f32() {
  %0 = stablehlo.constant dense<[[-3.0, -2.0, -1.0, 0.0, 1.0], [2.0, 3.0, -3.0, -2.0, -1.0], [0.0, 1.0, 2.0, 3.0, -3.0]]> : tensor<3x5xf32>
  %1 = stablehlo.constant dense<-7.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 1.0], [1.0, 3.0, 3.0]]> : tensor<2x3xf32>
  return
}

func.func @reduce_window_base_dilation_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 3>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
  check.expect_eq_const %2, dense<[[0.0, 1.0, 0.0, 2.0], [0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 1.0]]> : tensor<3x4xf32>
  return
}

func.func @reduce_window_window_dilation_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0, 1.0]]> : tensor<4x5xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[2.0, 6.0], [4.0, 2.0]]> : tensor<2x2xf32>
  return
}

func.func @reduce_window_negative_padding_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 1.0, 2.0], [3.0, 4.0, 0.0, 1.0], [2.0, 3.0, 4.0, 0.0]]> : tensor<4x4xf32>
  %1 = stablehlo.constant dense<7.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [-1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  return
}

func.func @reduce_window_all_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]> : tensor<3x2xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  check.expect_eq_const %2, dense<[[0.0, 0.0], [0.0, 0.0], [2.0, 2.0]]> : tensor<3x2xf32>
  return
}

func.func @reduce_window_too_large_a_window_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x2xf32>, tensor<f32>) -> tensor<0x2xf32>
  check.expect_eq_const %2, dense<> : tensor<0x2xf32>
  return
}

func.func @reduce_window_plain_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xbf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<3x4xbf16>, tensor<bf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[2.0, 6.0, 10.0], [2.0, 6.0, 10.0]]> : tensor<2x3xbf16>
  return
}

func.func @reduce_window_strides_bf16() {
  %0 = stablehlo.constant dense<[[-3.0, -2.0, -1.0, 0.0, 1.0], [2.0, 3.0, -3.0, -2.0, -1.0], [0.0, 1.0, 2.0, 3.0, -3.0]]> : tensor<3x5xbf16>
  %1 = stablehlo.constant dense<-7.0> : tensor<bf16>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<3x5xbf16>, tensor<bf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 1.0], [1.0, 3.0, 3.0]]> : tensor<2x3xbf16>
  return
}

func.func @reduce_window_base_dilation_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 3>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<3x4xbf16>
  check.expect_eq_const %2, dense<[[0.0, 1.0, 0.0, 2.0], [0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 1.0]]> : tensor<3x4xbf16>
  return
}

func.func @reduce_window_window_dilation_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0, 1.0]]> : tensor<4x5xbf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x5xbf16>, tensor<bf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[2.0, 6.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  return
}

func.func @reduce_window_negative_padding_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 1.0, 2.0], [3.0, 4.0, 0.0, 1.0], [2.0, 3.0, 4.0, 0.0]]> : tensor<4x4xbf16>
  %1 = stablehlo.constant dense<7.0> : tensor<bf16>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [-1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.minimum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x4xbf16>, tensor<bf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<2x3xbf16>
  return
}

func.func @reduce_window_all_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]> : tensor<3x2xbf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<3x2xbf16>, tensor<bf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %2, dense<[[0.0, 0.0], [0.0, 0.0], [2.0, 2.0]]> : tensor<3x2xbf16>
  return
}

func.func @reduce_window_too_large_a_window_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x2xbf16>, tensor<bf16>) -> tensor<0x2xbf16>
  check.expect_eq_const %2, dense<> : tensor<0x2xbf16>
  return
}

func.func @reduce_window_plain_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<3x4xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 6.0, 10.0], [2.0, 6.0, 10.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @reduce_window_strides_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-3.0, -2.0, -1.0, 0.0, 1.0], [2.0, 3.0, -3.0, -2.0, -1.0], [0.0, 1.0, 2.0, 3.0, -3.0]]> : tensor<3x5xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<-7.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<3x5xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 1.0], [1.0, 3.0, 3.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @reduce_window_base_dilation_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 3>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<3x4xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 1.0, 0.0, 2.0], [0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 1.0]]> : tensor<3x4xf8E4M3FNUZ>
  return
}

func.func @reduce_window_window_dilation_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0, 1.0]]> : tensor<4x5xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<4x5xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 6.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @reduce_window_negative_padding_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 1.0, 2.0], [3.0, 4.0, 0.0, 1.0], [2.0, 3.0, 4.0, 0.0]]> : tensor<4x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [-1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<4x4xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @reduce_window_all_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]> : tensor<3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<3x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0], [0.0, 0.0], [2.0, 2.0]]> : tensor<3x2xf8E4M3FNUZ>
  return
}

func.func @reduce_window_too_large_a_window_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<0x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<> : tensor<0x2xf8E4M3FNUZ>
  return
}

func.func @reduce_window_plain_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<3x4xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 6.0, 10.0], [2.0, 6.0, 10.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @reduce_window_strides_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-3.0, -2.0, -1.0, 0.0, 1.0], [2.0, 3.0, -3.0, -2.0, -1.0], [0.0, 1.0, 2.0, 3.0, -3.0]]> : tensor<3x5xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<-7.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<3x5xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 1.0], [1.0, 3.0, 3.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @reduce_window_base_dilation_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 2, 3>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<3x4xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 1.0, 0.0, 2.0], [0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 1.0]]> : tensor<3x4xf8E5M2FNUZ>
  return
}

func.func @reduce_window_window_dilation_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0, 1.0]]> : tensor<4x5xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 3>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<4x5xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 6.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func @reduce_window_negative_padding_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 1.0, 2.0], [3.0, 4.0, 0.0, 1.0], [2.0, 3.0, 4.0, 0.0]]> : tensor<4x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [-1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<4x4xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @reduce_window_all_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]> : tensor<3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<3x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0], [0.0, 0.0], [2.0, 2.0]]> : tensor<3x2xf8E5M2FNUZ>
  return
}

func.func @reduce_window_too_large_a_window_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<0x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<> : tensor<0x2xf8E5M2FNUZ>
  return
}

func.func @reduce_window_of_two() {
  %0 = stablehlo.constant dense<[1, 5, 2, 4]> : tensor<4xi32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %2 = stablehlo.constant dense<0> : tensor<i32>
  %3 = stablehlo.constant dense<1.0> : tensor<f32>
  %4:2 = "stablehlo.reduce_window"(%0, %1, %2, %3) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    %m = stablehlo.maximum %a, %c : tensor<i32>
    %n = stablehlo.multiply %b, %d : tensor<f32>
    stablehlo.return %m, %n : tensor<i32>, tensor<f32>
  }) : (tensor<4xi32>, tensor<4xf32>, tensor<i32>, tensor<f32>) -> (tensor<2xi32>, tensor<2xf32>)
  check.expect_eq_const %4#0, dense<[5, 4]> : tensor<2xi32>
  check.expect_eq_const %4#1, dense<[2.0, 12.0]> : tensor<2xf32>
  return
}

// Windows round at every step in both semantics: 256 + 1 is 256 again, where the sum of all would be 260.
func.func @reduce_window_rounds_bf16() {
  %0 = stablehlo.constant dense<[2.56e+02, 1.0, 1.0, 1.0, 1.0]> : tensor<5xbf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = "stablehlo.reduce_window"(%0, %1) <{window_dimensions = array<i64: 5>, padding = dense<[[4, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<5xbf16>, tensor<bf16>) -> tensor<5xbf16>
  check.expect_eq_const %2, dense<2.56e+02> : tensor<5xbf16>
  return
}
