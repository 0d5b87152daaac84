// stablehlo.dot_general by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @dot_general_matrices_i8() {
  %0 = stablehlo.constant dense<[[-1, 0, 1], [-1, 0, 1]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]> : tensor<3x4xi8>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi8>
  check.expect_eq_const %2, dense<[[2, -1, -1, 2], [2, -1, -1, 2]]> : tensor<2x4xi8>
  return
}

func.func @dot_general_vectors_i8() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xi8>, tensor<3xi8>) -> tensor<i8>
  check.expect_eq_const %2, dense<5> : tensor<i8>
  return
}

func.func @dot_general_batches_i8() {
  %0 = stablehlo.constant dense<[[[-1, 0, 1], [-1, 0, 1]], [[-1, 0, 1], [-1, 0, 1]]]> : tensor<2x2x3xi8>
  %1 = stablehlo.constant dense<[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]], [[1, -1], [0, 1]]]> : tensor<3x2x2xi8>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [2], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xi8>, tensor<3x2x2xi8>) -> tensor<2x2x2xi8>
  check.expect_eq_const %2, dense<[[[2, -1], [2, -1]], [[-1, 2], [-1, 2]]]> : tensor<2x2x2xi8>
  return
}

func.func @dot_general_outer_i8() {
  %0 = stablehlo.constant dense<[0, 1]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi8>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[0, 0, 0], [-1, 0, 1]]> : tensor<2x3xi8>
  return
}

func.func @dot_general_two_sums_i8() {
  %0 = stablehlo.constant dense<[[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<[[[-1, 0, 1], [-1, 0, 1]], [[-1, 0, 1], [-1, 0, 1]]]> : tensor<2x2x3xi8>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2xi8>, tensor<2x2x3xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[2, 2], [2, 2]]> : tensor<2x2xi8>
  return
}

func.func @dot_general_sum_of_nothing_i8() {
  %0 = stablehlo.constant dense<> : tensor<2x0xi8>
  %1 = stablehlo.constant dense<> : tensor<0x3xi8>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x0xi8>, tensor<0x3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi8>
  return
}

func.func @dot_general_matrices_i64() {
  %0 = stablehlo.constant dense<[[-1, 0, 1], [-1, 0, 1]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]> : tensor<3x4xi64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xi64>, tensor<3x4xi64>) -> tensor<2x4xi64>
  check.expect_eq_const %2, dense<[[2, -1, -1, 2], [2, -1, -1, 2]]> : tensor<2x4xi64>
  return
}

func.func @dot_general_vectors_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xi64>, tensor<3xi64>) -> tensor<i64>
  check.expect_eq_const %2, dense<5> : tensor<i64>
  return
}

func.func @dot_general_batches_i64() {
  %0 = stablehlo.constant dense<[[[-1, 0, 1], [-1, 0, 1]], [[-1, 0, 1], [-1, 0, 1]]]> : tensor<2x2x3xi64>
  %1 = stablehlo.constant dense<[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]], [[1, -1], [0, 1]]]> : tensor<3x2x2xi64>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [2], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xi64>, tensor<3x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %2, dense<[[[2, -1], [2, -1]], [[-1, 2], [-1, 2]]]> : tensor<2x2x2xi64>
  return
}

func.func @dot_general_outer_i64() {
  %0 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %1 = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2xi64>, tensor<3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %2, dense<[[0, 0, 0], [-1, 0, 1]]> : tensor<2x3xi64>
  return
}

func.func @dot_general_two_sums_i64() {
  %0 = stablehlo.constant dense<[[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<[[[-1, 0, 1], [-1, 0, 1]], [[-1, 0, 1], [-1, 0, 1]]]> : tensor<2x2x3xi64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2xi64>, tensor<2x2x3xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[2, 2], [2, 2]]> : tensor<2x2xi64>
  return
}

func.func @dot_general_sum_of_nothing_i64() {
  %0 = stablehlo.constant dense<> : tensor<2x0xi64>
  %1 = stablehlo.constant dense<> : tensor<0x3xi64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x0xi64>, tensor<0x3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %2, dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi64>
  return
}

func.func @dot_general_matrices_f64() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf64>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf64>
  return
}

func.func @dot_general_vectors_f64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
  check.expect_eq_const %2, dense<5.0> : tensor<f64>
  return
}

func.func @dot_general_batches_f64() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf64>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xf64>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [2], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xf64>, tensor<3x2x2xf64>) -> tensor<2x2x2xf64>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xf64>
  return
}

func.func @dot_general_outer_f64() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf64>
  return
}

func.func @dot_general_two_sums_f64() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xf64>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2xf64>, tensor<2x2x3xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf64>
  return
}

func.func @dot_general_sum_of_nothing_f64() {
  %0 = stablehlo.constant dense<> : tensor<2x0xf64>
  %1 = stablehlo.constant dense<> : tensor<0x3xf64>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x0xf64>, tensor<0x3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf64>
  return
}

func.func @dot_general_matrices_f32() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf32>
  return
}

func.func @dot_general_vectors_f32() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  check.expect_eq_const %2, dense<5.0> : tensor<f32>
  return
}

func.func @dot_general_batches_f32() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf32>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [2], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xf32>, tensor<3x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xf32>
  return
}

func.func @dot_general_outer_f32() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  return
}

func.func @dot_general_two_sums_f32() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2xf32>, tensor<2x2x3xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf32>
  return
}

func.func @dot_general_sum_of_nothing_f32() {
  %0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %1 = stablehlo.constant dense<> : tensor<0x3xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  return
}

func.func @dot_general_matrices_bf16() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xbf16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xbf16>
  return
}

func.func @dot_general_vectors_bf16() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<bf16>
  check.expect_eq_const %2, dense<5.0> : tensor<bf16>
  return
}

func.func @dot_general_batches_bf16() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xbf16>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xbf16>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [2], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xbf16>, tensor<3x2x2xbf16>) -> tensor<2x2x2xbf16>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xbf16>
  return
}

func.func @dot_general_outer_bf16() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xbf16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2xbf16>, tensor<3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xbf16>
  return
}

func.func @dot_general_two_sums_bf16() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xbf16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2xbf16>, tensor<2x2x3xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xbf16>
  return
}

func.func @dot_general_sum_of_nothing_bf16() {
  %0 = stablehlo.constant dense<> : tensor<2x0xbf16>
  %1 = stablehlo.constant dense<> : tensor<0x3xbf16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x0xbf16>, tensor<0x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xbf16>
  return
}

func.func @dot_general_matrices_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf8E4M3FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf8E4M3FNUZ>, tensor<3x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func @dot_general_vectors_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<f8E4M3FNUZ>
  check.expect_eq_const %2, dense<5.0> : tensor<f8E4M3FNUZ>
  return
}

func.func @dot_general_batches_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xf8E4M3FNUZ>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [2], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xf8E4M3FNUZ>, tensor<3x2x2xf8E4M3FNUZ>) -> tensor<2x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xf8E4M3FNUZ>
  return
}

func.func @dot_general_outer_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf8E4M3FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @dot_general_two_sums_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf8E4M3FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2xf8E4M3FNUZ>, tensor<2x2x3xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @dot_general_sum_of_nothing_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<> : tensor<2x0xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<> : tensor<0x3xf8E4M3FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x0xf8E4M3FNUZ>, tensor<0x3xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @dot_general_matrices_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf8E5M2FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf8E5M2FNUZ>, tensor<3x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func @dot_general_vectors_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf8E5M2FNUZ>, tensor<3xf8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %2, dense<5.0> : tensor<f8E5M2FNUZ>
  return
}

func.func @dot_general_batches_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xf8E5M2FNUZ>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [2], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xf8E5M2FNUZ>, tensor<3x2x2xf8E5M2FNUZ>) -> tensor<2x2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xf8E5M2FNUZ>
  return
}

func.func @dot_general_outer_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf8E5M2FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2xf8E5M2FNUZ>, tensor<3xf8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @dot_general_two_sums_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf8E5M2FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2xf8E5M2FNUZ>, tensor<2x2x3xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func @dot_general_sum_of_nothing_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<> : tensor<2x0xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<> : tensor<0x3xf8E5M2FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x0xf8E5M2FNUZ>, tensor<0x3xf8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @dot_general_matrices_complex_f32() {
  %0 = stablehlo.constant dense<[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]> : tensor<2x3xcomplex<f32>>
  %1 = stablehlo.constant dense<[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0), (-1.0, -1.0)], [(0.0, 0.0), (1.0, 1.0), (-1.0, -1.0), (0.0, 0.0)], [(1.0, 1.0), (-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]> : tensor<3x4xcomplex<f32>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(0.0, 4.0), (0.0, -2.0), (0.0, -2.0), (0.0, 4.0)], [(0.0, 4.0), (0.0, -2.0), (0.0, -2.0), (0.0, 4.0)]]> : tensor<2x4xcomplex<f32>>
  return
}

func.func @dot_general_vectors_complex_f32() {
  %0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]> : tensor<3xcomplex<f32>>
  %1 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]> : tensor<3xcomplex<f32>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %2, dense<(0.0, 10.0)> : tensor<complex<f32>>
  return
}

func.func @dot_general_batches_complex_f32() {
  %0 = stablehlo.constant dense<[[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]], [[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]]> : tensor<2x2x3xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[(-1.0, -1.0), (0.0, 0.0)], [(1.0, 1.0), (-1.0, -1.0)]], [[(0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0)]], [[(1.0, 1.0), (-1.0, -1.0)], [(0.0, 0.0), (1.0, 1.0)]]]> : tensor<3x2x2xcomplex<f32>>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [2], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xcomplex<f32>>, tensor<3x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[(0.0, 4.0), (0.0, -2.0)], [(0.0, 4.0), (0.0, -2.0)]], [[(0.0, -2.0), (0.0, 4.0)], [(0.0, -2.0), (0.0, 4.0)]]]> : tensor<2x2x2xcomplex<f32>>
  return
}

func.func @dot_general_outer_complex_f32() {
  %0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.constant dense<[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]> : tensor<3xcomplex<f32>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, -2.0), (0.0, 0.0), (0.0, 2.0)]]> : tensor<2x3xcomplex<f32>>
  return
}

func.func @dot_general_two_sums_complex_f32() {
  %0 = stablehlo.constant dense<[[[(-1.0, -1.0), (0.0, 0.0)], [(1.0, 1.0), (-1.0, -1.0)], [(0.0, 0.0), (1.0, 1.0)]], [[(-1.0, -1.0), (0.0, 0.0)], [(1.0, 1.0), (-1.0, -1.0)], [(0.0, 0.0), (1.0, 1.0)]]]> : tensor<2x3x2xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]], [[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]]> : tensor<2x2x3xcomplex<f32>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2xcomplex<f32>>, tensor<2x2x3xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(0.0, 4.0), (0.0, 4.0)], [(0.0, 4.0), (0.0, 4.0)]]> : tensor<2x2xcomplex<f32>>
  return
}

func.func @dot_general_sum_of_nothing_complex_f32() {
  %0 = stablehlo.constant dense<> : tensor<2x0xcomplex<f32>>
  %1 = stablehlo.constant dense<> : tensor<0x3xcomplex<f32>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x0xcomplex<f32>>, tensor<0x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  return
}

func.func @dot_general_matrices_ui4() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xui4>
  %1 = stablehlo.constant dense<[[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2]]> : tensor<3x4xui4>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xui4>, tensor<3x4xui4>) -> tensor<2x4xui4>
  check.expect_eq_const %2, dense<[[5, 2, 2, 5], [5, 2, 2, 5]]> : tensor<2x4xui4>
  return
}

func.func @dot_general_vectors_ui4() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui4>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui4>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xui4>, tensor<3xui4>) -> tensor<ui4>
  check.expect_eq_const %2, dense<5> : tensor<ui4>
  return
}

func.func @dot_general_batches_ui4() {
  %0 = stablehlo.constant dense<[[[0, 1, 2], [0, 1, 2]], [[0, 1, 2], [0, 1, 2]]]> : tensor<2x2x3xui4>
  %1 = stablehlo.constant dense<[[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]]]> : tensor<3x2x2xui4>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [2], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x3xui4>, tensor<3x2x2xui4>) -> tensor<2x2x2xui4>
  check.expect_eq_const %2, dense<[[[5, 2], [5, 2]], [[2, 5], [2, 5]]]> : tensor<2x2x2xui4>
  return
}

func.func @dot_general_outer_ui4() {
  %0 = stablehlo.constant dense<[0, 1]> : tensor<2xui4>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui4>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<2xui4>, tensor<3xui4>) -> tensor<2x3xui4>
  check.expect_eq_const %2, dense<[[0, 0, 0], [0, 1, 2]]> : tensor<2x3xui4>
  return
}

func.func @dot_general_two_sums_ui4() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 0], [1, 2]], [[0, 1], [2, 0], [1, 2]]]> : tensor<2x3x2xui4>
  %1 = stablehlo.constant dense<[[[0, 1, 2], [0, 1, 2]], [[0, 1, 2], [0, 1, 2]]]> : tensor<2x2x3xui4>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2xui4>, tensor<2x2x3xui4>) -> tensor<2x2xui4>
  check.expect_eq_const %2, dense<[[8, 8], [8, 8]]> : tensor<2x2xui4>
  return
}

func.func @dot_general_sum_of_nothing_ui4() {
  %0 = stablehlo.constant dense<> : tensor<2x0xui4>
  %1 = stablehlo.constant dense<> : tensor<0x3xui4>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x0xui4>, tensor<0x3xui4>) -> tensor<2x3xui4>
  check.expect_eq_const %2, dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xui4>
  return
}

func.func @dot_general_f8E4M3FNUZ_to_f32() {
  %0 = stablehlo.constant dense<[[-16.0, -8.0, 0.0], [8.0, 16.0, -16.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-16.0, -8.0], [0.0, 8.0], [16.0, -16.0]]> : tensor<3x2xf8E4M3FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3xf8E4M3FNUZ>, tensor<3x2xf8E4M3FNUZ>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[256.0, 64.0], [-384.0, 3.2e+02]]> : tensor<2x2xf32>
  return
}

func.func @dot_general_f8E5M2FNUZ_to_bf16() {
  %0 = stablehlo.constant dense<[[-16.0, -8.0, 0.0], [8.0, 16.0, -16.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-16.0, -8.0], [0.0, 8.0], [16.0, -16.0]]> : tensor<3x2xf8E5M2FNUZ>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3xf8E5M2FNUZ>, tensor<3x2xf8E5M2FNUZ>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[256.0, 64.0], [-384.0, 3.2e+02]]> : tensor<2x2xbf16>
  return
}

func.func @dot_general_bf16_to_f32() {
  %0 = stablehlo.constant dense<[[-16.0, -8.0, 0.0], [8.0, 16.0, -16.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[-16.0, -8.0], [0.0, 8.0], [16.0, -16.0]]> : tensor<3x2xbf16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3xbf16>, tensor<3x2xbf16>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[256.0, 64.0], [-384.0, 3.2e+02]]> : tensor<2x2xf32>
  return
}

func.func @dot_general_i8_to_i32() {
  %0 = stablehlo.constant dense<[[-64, -32, 0], [32, 64, -64]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[[-64, -32], [0, 32], [64, -64]]> : tensor<3x2xi8>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[4096, 1024], [-6144, 5120]]> : tensor<2x2xi32>
  return
}

func.func @dot_general_nan_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [0x7F800000, 1.0], [0x7F800000, 0xFF800000]]> : tensor<3x2xf32>
  %1 = stablehlo.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3xf32>
  check.expect_eq_const %2, dense<[0x7FC00000, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  return
}

func.func @dot_general_nan_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0], [0x7F80, 1.0], [0x7F80, 0xFF80]]> : tensor<3x2xbf16>
  %1 = stablehlo.constant dense<[0x7F80, 1.0]> : tensor<2xbf16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<3x2xbf16>, tensor<2xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %2, dense<[0x7FC0, 0x7F80, 0x7FC0]> : tensor<3xbf16>
  return
}

func.func @dot_general_quantized() {
  %0 = stablehlo.constant dense<[[-1.0, -0.5, 0.0], [0.5, 1.0, -1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-1>>
  %2 = stablehlo.constant dense<[[-0.25, 0.0], [0.25, 0.5], [0.75, -0.25]]> : tensor<3x2xf32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<3x2xf32>) -> tensor<3x2x!quant.uniform<i8:f32, 0.25>>
  %4 = stablehlo.dot_general %1, %3, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-1>>, tensor<3x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.125>>
  %5 = stablehlo.uniform_dequantize %4 : (tensor<2x2x!quant.uniform<i32:f32, 0.125>>) -> tensor<2x2xf32>
  check.expect_eq_const %5, dense<[[0.125, -0.25], [-0.625, 0.75]]> : tensor<2x2xf32>
  return
}

func.func @dot_general_hybrid() {
  %0 = stablehlo.constant dense<[[1.5, 2.0]]> : tensor<1x2xf32>
  %1 = stablehlo.constant dense<[[0.25], [-0.5]]> : tensor<2x1xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<2x1xf32>) -> tensor<2x1x!quant.uniform<i8:f32, 0.25>>
  %3 = stablehlo.dot_general %0, %2, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x1xf32>
  check.expect_eq_const %3, dense<[[-0.625]]> : tensor<1x1xf32>
  return
}

func.func @dot_general_no_batches_f32() {
  %0 = stablehlo.constant dense<> : tensor<0x2x3xf32>
  %1 = stablehlo.constant dense<> : tensor<0x3x2xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<0x2x3xf32>, tensor<0x3x2xf32>) -> tensor<0x2x2xf32>
  check.expect_eq_const %2, dense<> : tensor<0x2x2xf32>
  return
}

func.func @dot_general_no_batches_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<> : tensor<0x2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<> : tensor<0x3x2xf8E4M3FNUZ>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<0x2x3xf8E4M3FNUZ>, tensor<0x3x2xf8E4M3FNUZ>) -> tensor<0x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<> : tensor<0x2x2xf8E4M3FNUZ>
  return
}

func.func @dot_general_no_batches_i8() {
  %0 = stablehlo.constant dense<> : tensor<0x2x3xi8>
  %1 = stablehlo.constant dense<> : tensor<0x3x2xi8>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<0x2x3xi8>, tensor<0x3x2xi8>) -> tensor<0x2x2xi8>
  check.expect_eq_const %2, dense<> : tensor<0x2x2xi8>
  return
}

// Integers may be accumulated in a floating-point type.
func.func @dot_general_integers_into_float() {
  %0 = stablehlo.constant dense<[[1, -2, 3], [100, 7, 0]]> : tensor<2x3xi16>
  %1 = stablehlo.constant dense<[[4], [5], [-6]]> : tensor<3x1xi16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3xi16>, tensor<3x1xi16>) -> tensor<2x1xbf16>
  // 435 is halfway between 434 and 436, whose significand is even.
  check.expect_eq_const %2, dense<[[-24.0], [436.0]]> : tensor<2x1xbf16>
  %3 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3xi16>, tensor<3x1xi16>) -> tensor<2x1xf64>
  check.expect_eq_const %3, dense<[[-24.0], [435.0]]> : tensor<2x1xf64>
  return
}
