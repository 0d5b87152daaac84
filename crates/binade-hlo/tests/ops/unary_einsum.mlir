// stablehlo.unary_einsum by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @unary_einsum_ij_to_ji_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 0, 1]]> : tensor<2x3xi8>
  %1 = stablehlo.unary_einsum %0, config = "ij->ji" : (tensor<2x3xi8>) -> tensor<3x2xi8>
  check.expect_eq_const %1, dense<[[0, 3], [1, 0], [2, 1]]> : tensor<3x2xi8>
  return
}

func.func @unary_einsum_ij_to_i_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 0, 1]]> : tensor<2x3xi8>
  %1 = stablehlo.unary_einsum %0, config = "ij->i" : (tensor<2x3xi8>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<[3, 4]> : tensor<2xi8>
  return
}

func.func @unary_einsum_ijk_to_ki_i8() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 3], [0, 1]], [[2, 3], [0, 1], [2, 3]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.unary_einsum %0, config = "ijk->ki" : (tensor<2x3x2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %1, dense<[[2, 4], [5, 7]]> : tensor<2x2xi8>
  return
}

func.func @unary_einsum_ij_to__i8() {
  %0 = stablehlo.constant dense<[[0, 1, 0], [1, 0, 1]]> : tensor<2x3xi8>
  %1 = stablehlo.unary_einsum %0, config = "ij->" : (tensor<2x3xi8>) -> tensor<i8>
  check.expect_eq_const %1, dense<3> : tensor<i8>
  return
}

func.func @unary_einsum_ij_to_ji_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 0, 1]]> : tensor<2x3xi64>
  %1 = stablehlo.unary_einsum %0, config = "ij->ji" : (tensor<2x3xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %1, dense<[[0, 3], [1, 0], [2, 1]]> : tensor<3x2xi64>
  return
}

func.func @unary_einsum_ij_to_i_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 0, 1]]> : tensor<2x3xi64>
  %1 = stablehlo.unary_einsum %0, config = "ij->i" : (tensor<2x3xi64>) -> tensor<2xi64>
  check.expect_eq_const %1, dense<[3, 4]> : tensor<2xi64>
  return
}

func.func @unary_einsum_ijk_to_ki_i64() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 3], [0, 1]], [[2, 3], [0, 1], [2, 3]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.unary_einsum %0, config = "ijk->ki" : (tensor<2x3x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %1, dense<[[2, 4], [5, 7]]> : tensor<2x2xi64>
  return
}

func.func @unary_einsum_ij_to__i64() {
  %0 = stablehlo.constant dense<[[0, 1, 0], [1, 0, 1]]> : tensor<2x3xi64>
  %1 = stablehlo.unary_einsum %0, config = "ij->" : (tensor<2x3xi64>) -> tensor<i64>
  check.expect_eq_const %1, dense<3> : tensor<i64>
  return
}

func.func @unary_einsum_ij_to_ji_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf64>
  %1 = stablehlo.unary_einsum %0, config = "ij->ji" : (tensor<2x3xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %1, dense<[[0.0, 3.0], [1.0, 0.0], [2.0, 1.0]]> : tensor<3x2xf64>
  return
}

func.func @unary_einsum_ij_to_i_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf64>
  %1 = stablehlo.unary_einsum %0, config = "ij->i" : (tensor<2x3xf64>) -> tensor<2xf64>
  check.expect_eq_const %1, dense<[3.0, 4.0]> : tensor<2xf64>
  return
}

func.func @unary_einsum_ijk_to_ki_f64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0]], [[2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<2x3x2xf64>
  %1 = stablehlo.unary_einsum %0, config = "ijk->ki" : (tensor<2x3x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %1, dense<[[2.0, 4.0], [5.0, 7.0]]> : tensor<2x2xf64>
  return
}

func.func @unary_einsum_ij_to__f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]> : tensor<2x3xf64>
  %1 = stablehlo.unary_einsum %0, config = "ij->" : (tensor<2x3xf64>) -> tensor<f64>
  check.expect_eq_const %1, dense<3.0> : tensor<f64>
  return
}

func.func @unary_einsum_ij_to_ji_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.unary_einsum %0, config = "ij->ji" : (tensor<2x3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %1, dense<[[0.0, 3.0], [1.0, 0.0], [2.0, 1.0]]> : tensor<3x2xf32>
  return
}

func.func @unary_einsum_ij_to_i_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.unary_einsum %0, config = "ij->i" : (tensor<2x3xf32>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[3.0, 4.0]> : tensor<2xf32>
  return
}

func.func @unary_einsum_ijk_to_ki_f32() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0]], [[2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.unary_einsum %0, config = "ijk->ki" : (tensor<2x3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[2.0, 4.0], [5.0, 7.0]]> : tensor<2x2xf32>
  return
}

func.func @unary_einsum_ij_to__f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.unary_einsum %0, config = "ij->" : (tensor<2x3xf32>) -> tensor<f32>
  check.expect_eq_const %1, dense<3.0> : tensor<f32>
  return
}

func.func @unary_einsum_ij_to_ji_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.unary_einsum %0, config = "ij->ji" : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %1, dense<[[0.0, 3.0], [1.0, 0.0], [2.0, 1.0]]> : tensor<3x2xbf16>
  return
}

func.func @unary_einsum_ij_to_i_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.unary_einsum %0, config = "ij->i" : (tensor<2x3xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %1, dense<[3.0, 4.0]> : tensor<2xbf16>
  return
}

func.func @unary_einsum_ijk_to_ki_bf16() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0]], [[2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.unary_einsum %0, config = "ijk->ki" : (tensor<2x3x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %1, dense<[[2.0, 4.0], [5.0, 7.0]]> : tensor<2x2xbf16>
  return
}

func.func @unary_einsum_ij_to__bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.unary_einsum %0, config = "ij->" : (tensor<2x3xbf16>) -> tensor<bf16>
  check.expect_eq_const %1, dense<3.0> : tensor<bf16>
  return
}

func.func @unary_einsum_ij_to_ji_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.unary_einsum %0, config = "ij->ji" : (tensor<2x3xf8E4M3FNUZ>) -> tensor<3x2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[0.0, 3.0], [1.0, 0.0], [2.0, 1.0]]> : tensor<3x2xf8E4M3FNUZ>
  return
}

func.func @unary_einsum_ij_to_i_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.unary_einsum %0, config = "ij->i" : (tensor<2x3xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[3.0, 4.0]> : tensor<2xf8E4M3FNUZ>
  return
}

func.func @unary_einsum_ijk_to_ki_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0]], [[2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.unary_einsum %0, config = "ijk->ki" : (tensor<2x3x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[2.0, 4.0], [5.0, 7.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @unary_einsum_ij_to__f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.unary_einsum %0, config = "ij->" : (tensor<2x3xf8E4M3FNUZ>) -> tensor<f8E4M3FNUZ>
  check.expect_eq_const %1, dense<3.0> : tensor<f8E4M3FNUZ>
  return
}

func.func @unary_einsum_ij_to_ji_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.unary_einsum %0, config = "ij->ji" : (tensor<2x3xf8E5M2FNUZ>) -> tensor<3x2xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[0.0, 3.0], [1.0, 0.0], [2.0, 1.0]]> : tensor<3x2xf8E5M2FNUZ>
  return
}

func.func @unary_einsum_ij_to_i_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.unary_einsum %0, config = "ij->i" : (tensor<2x3xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[3.0, 4.0]> : tensor<2xf8E5M2FNUZ>
  return
}

func.func @unary_einsum_ijk_to_ki_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0]], [[2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.unary_einsum %0, config = "ijk->ki" : (tensor<2x3x2xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[2.0, 4.0], [5.0, 7.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func @unary_einsum_ij_to__f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.unary_einsum %0, config = "ij->" : (tensor<2x3xf8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %1, dense<3.0> : tensor<f8E5M2FNUZ>
  return
}

func.func @unary_einsum_ij_to_ji_complex_f32() {
  %0 = stablehlo.constant dense<[[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)], [(3.0, 3.0), (0.0, 0.0), (1.0, 1.0)]]> : tensor<2x3xcomplex<f32>>
  %1 = stablehlo.unary_einsum %0, config = "ij->ji" : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  check.expect_eq_const %1, dense<[[(0.0, 0.0), (3.0, 3.0)], [(1.0, 1.0), (0.0, 0.0)], [(2.0, 2.0), (1.0, 1.0)]]> : tensor<3x2xcomplex<f32>>
  return
}

func.func @unary_einsum_ij_to_i_complex_f32() {
  %0 = stablehlo.constant dense<[[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)], [(3.0, 3.0), (0.0, 0.0), (1.0, 1.0)]]> : tensor<2x3xcomplex<f32>>
  %1 = stablehlo.unary_einsum %0, config = "ij->i" : (tensor<2x3xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %1, dense<[(3.0, 3.0), (4.0, 4.0)]> : tensor<2xcomplex<f32>>
  return
}

func.func @unary_einsum_ijk_to_ki_complex_f32() {
  %0 = stablehlo.constant dense<[[[(0.0, 0.0), (1.0, 1.0)], [(2.0, 2.0), (3.0, 3.0)], [(0.0, 0.0), (1.0, 1.0)]], [[(2.0, 2.0), (3.0, 3.0)], [(0.0, 0.0), (1.0, 1.0)], [(2.0, 2.0), (3.0, 3.0)]]]> : tensor<2x3x2xcomplex<f32>>
  %1 = stablehlo.unary_einsum %0, config = "ijk->ki" : (tensor<2x3x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %1, dense<[[(2.0, 2.0), (4.0, 4.0)], [(5.0, 5.0), (7.0, 7.0)]]> : tensor<2x2xcomplex<f32>>
  return
}

func.func @unary_einsum_ij_to__complex_f32() {
  %0 = stablehlo.constant dense<[[(0.0, 0.0), (1.0, 1.0), (0.0, 0.0)], [(1.0, 1.0), (0.0, 0.0), (1.0, 1.0)]]> : tensor<2x3xcomplex<f32>>
  %1 = stablehlo.unary_einsum %0, config = "ij->" : (tensor<2x3xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %1, dense<(3.0, 3.0)> : tensor<complex<f32>>
  return
}
