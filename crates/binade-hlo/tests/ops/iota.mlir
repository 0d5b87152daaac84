// stablehlo.iota by its definition, over element types, edges and empty shapes.

func.func @iota_i4_0() {
  %0 = stablehlo.iota dim = 0 : tensor<3x4xi4>
  check.expect_eq_const %0, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xi4>
  return
}

func.func @iota_i4_1() {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xi4>
  check.expect_eq_const %0, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xi4>
  return
}

func.func @iota_ui8_0() {
  %0 = stablehlo.iota dim = 0 : tensor<3x4xui8>
  check.expect_eq_const %0, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xui8>
  return
}

func.func @iota_ui8_1() {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xui8>
  check.expect_eq_const %0, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xui8>
  return
}

func.func @iota_i64_0() {
  %0 = stablehlo.iota dim = 0 : tensor<3x4xi64>
  check.expect_eq_const %0, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xi64>
  return
}

func.func @iota_i64_1() {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xi64>
  check.expect_eq_const %0, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xi64>
  return
}

func.func @iota_f32_0() {
  %0 = stablehlo.iota dim = 0 : tensor<3x4xf32>
  check.expect_eq_const %0, dense<[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<3x4xf32>
  return
}

func.func @iota_f32_1() {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xf32>
  check.expect_eq_const %0, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf32>
  return
}

func.func @iota_bf16_0() {
  %0 = stablehlo.iota dim = 0 : tensor<3x4xbf16>
  check.expect_eq_const %0, dense<[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<3x4xbf16>
  return
}

func.func @iota_bf16_1() {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xbf16>
  check.expect_eq_const %0, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xbf16>
  return
}

func.func @iota_f8E4M3FNUZ_0() {
  %0 = stablehlo.iota dim = 0 : tensor<3x4xf8E4M3FNUZ>
  check.expect_eq_const %0, dense<[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<3x4xf8E4M3FNUZ>
  return
}

func.func @iota_f8E4M3FNUZ_1() {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xf8E4M3FNUZ>
  check.expect_eq_const %0, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf8E4M3FNUZ>
  return
}

func.func @iota_f8E5M2FNUZ_0() {
  %0 = stablehlo.iota dim = 0 : tensor<3x4xf8E5M2FNUZ>
  check.expect_eq_const %0, dense<[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<3x4xf8E5M2FNUZ>
  return
}

func.func @iota_f8E5M2FNUZ_1() {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xf8E5M2FNUZ>
  check.expect_eq_const %0, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf8E5M2FNUZ>
  return
}

func.func @iota_complex_f64_0() {
  %0 = stablehlo.iota dim = 0 : tensor<3x4xcomplex<f64>>
  check.expect_eq_const %0, dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(2.0, 0.0), (2.0, 0.0), (2.0, 0.0), (2.0, 0.0)]]> : tensor<3x4xcomplex<f64>>
  return
}

func.func @iota_complex_f64_1() {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xcomplex<f64>>
  check.expect_eq_const %0, dense<[[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]]> : tensor<3x4xcomplex<f64>>
  return
}
