// stablehlo.dot by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @dot_matrices_i8() {
  %0 = stablehlo.constant dense<[[-1, 0, 1], [-1, 0, 1]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]> : tensor<3x4xi8>
  %2 = stablehlo.dot %0, %1 : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi8>
  check.expect_eq_const %2, dense<[[2, -1, -1, 2], [2, -1, -1, 2]]> : tensor<2x4xi8>
  return
}

func.func @dot_vectors_i8() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %2 = stablehlo.dot %0, %1 : (tensor<3xi8>, tensor<3xi8>) -> tensor<i8>
  check.expect_eq_const %2, dense<5> : tensor<i8>
  return
}

func.func @dot_matrices_i64() {
  %0 = stablehlo.constant dense<[[-1, 0, 1], [-1, 0, 1]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]> : tensor<3x4xi64>
  %2 = stablehlo.dot %0, %1 : (tensor<2x3xi64>, tensor<3x4xi64>) -> tensor<2x4xi64>
  check.expect_eq_const %2, dense<[[2, -1, -1, 2], [2, -1, -1, 2]]> : tensor<2x4xi64>
  return
}

func.func @dot_vectors_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %2 = stablehlo.dot %0, %1 : (tensor<3xi64>, tensor<3xi64>) -> tensor<i64>
  check.expect_eq_const %2, dense<5> : tensor<i64>
  return
}

func.func @dot_matrices_f64() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf64>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf64>
  %2 = stablehlo.dot %0, %1 : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf64>
  return
}

func.func @dot_vectors_f64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %2 = stablehlo.dot %0, %1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
  check.expect_eq_const %2, dense<5.0> : tensor<f64>
  return
}

func.func @dot_matrices_f32() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf32>
  %2 = stablehlo.dot %0, %1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf32>
  return
}

func.func @dot_vectors_f32() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %2 = stablehlo.dot %0, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  check.expect_eq_const %2, dense<5.0> : tensor<f32>
  return
}

func.func @dot_matrices_bf16() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xbf16>
  %2 = stablehlo.dot %0, %1 : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xbf16>
  return
}

func.func @dot_vectors_bf16() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %2 = stablehlo.dot %0, %1 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<bf16>
  check.expect_eq_const %2, dense<5.0> : tensor<bf16>
  return
}

func.func @dot_matrices_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf8E4M3FNUZ>
  %2 = stablehlo.dot %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<3x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func @dot_vectors_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %2 = stablehlo.dot %0, %1 : (tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<f8E4M3FNUZ>
  check.expect_eq_const %2, dense<5.0> : tensor<f8E4M3FNUZ>
  return
}

func.func @dot_matrices_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf8E5M2FNUZ>
  %2 = stablehlo.dot %0, %1 : (tensor<2x3xf8E5M2FNUZ>, tensor<3x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func @dot_vectors_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  %2 = stablehlo.dot %0, %1 : (tensor<3xf8E5M2FNUZ>, tensor<3xf8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %2, dense<5.0> : tensor<f8E5M2FNUZ>
  return
}

func.func @dot_matrices_complex_f32() {
  %0 = stablehlo.constant dense<[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]> : tensor<2x3xcomplex<f32>>
  %1 = stablehlo.constant dense<[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0), (-1.0, -1.0)], [(0.0, 0.0), (1.0, 1.0), (-1.0, -1.0), (0.0, 0.0)], [(1.0, 1.0), (-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]> : tensor<3x4xcomplex<f32>>
  %2 = stablehlo.dot %0, %1 : (tensor<2x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(0.0, 4.0), (0.0, -2.0), (0.0, -2.0), (0.0, 4.0)], [(0.0, 4.0), (0.0, -2.0), (0.0, -2.0), (0.0, 4.0)]]> : tensor<2x4xcomplex<f32>>
  return
}

func.func @dot_vectors_complex_f32() {
  %0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]> : tensor<3xcomplex<f32>>
  %1 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]> : tensor<3xcomplex<f32>>
  %2 = stablehlo.dot %0, %1 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %2, dense<(0.0, 10.0)> : tensor<complex<f32>>
  return
}

func.func @dot_matrices_ui4() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xui4>
  %1 = stablehlo.constant dense<[[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2]]> : tensor<3x4xui4>
  %2 = stablehlo.dot %0, %1 : (tensor<2x3xui4>, tensor<3x4xui4>) -> tensor<2x4xui4>
  check.expect_eq_const %2, dense<[[5, 2, 2, 5], [5, 2, 2, 5]]> : tensor<2x4xui4>
  return
}

func.func @dot_vectors_ui4() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui4>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui4>
  %2 = stablehlo.dot %0, %1 : (tensor<3xui4>, tensor<3xui4>) -> tensor<ui4>
  check.expect_eq_const %2, dense<5> : tensor<ui4>
  return
}
