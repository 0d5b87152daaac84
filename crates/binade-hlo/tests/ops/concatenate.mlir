// stablehlo.concatenate by its definition, over element types, edges and empty shapes.

func.func @concatenate_i4() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi4>
  %2 = stablehlo.constant dense<> : tensor<2x0xi4>
  %3 = stablehlo.concatenate %0, %1, %2, %0, dim = 1 : (tensor<2x3xi4>, tensor<2x1xi4>, tensor<2x0xi4>, tensor<2x3xi4>) -> tensor<2x7xi4>
  check.expect_eq_const %3, dense<[[1, 2, 3, 1, 1, 2, 3], [4, 5, 6, 2, 4, 5, 6]]> : tensor<2x7xi4>
  return
}

func.func @concatenate_i4_rows() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi4>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xi4>, tensor<1x3xi4>) -> tensor<3x3xi4>
  check.expect_eq_const %2, dense<[[1, 2, 3], [4, 5, 6], [1, 2, 3]]> : tensor<3x3xi4>
  return
}

func.func @concatenate_i4_one() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x3xi4>) -> tensor<2x3xi4>
  check.expect_eq_const %1, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  return
}

func.func @concatenate_ui8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xui8>
  %2 = stablehlo.constant dense<> : tensor<2x0xui8>
  %3 = stablehlo.concatenate %0, %1, %2, %0, dim = 1 : (tensor<2x3xui8>, tensor<2x1xui8>, tensor<2x0xui8>, tensor<2x3xui8>) -> tensor<2x7xui8>
  check.expect_eq_const %3, dense<[[1, 2, 3, 1, 1, 2, 3], [4, 5, 6, 2, 4, 5, 6]]> : tensor<2x7xui8>
  return
}

func.func @concatenate_ui8_rows() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xui8>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xui8>, tensor<1x3xui8>) -> tensor<3x3xui8>
  check.expect_eq_const %2, dense<[[1, 2, 3], [4, 5, 6], [1, 2, 3]]> : tensor<3x3xui8>
  return
}

func.func @concatenate_ui8_one() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x3xui8>) -> tensor<2x3xui8>
  check.expect_eq_const %1, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  return
}

func.func @concatenate_i64() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi64>
  %2 = stablehlo.constant dense<> : tensor<2x0xi64>
  %3 = stablehlo.concatenate %0, %1, %2, %0, dim = 1 : (tensor<2x3xi64>, tensor<2x1xi64>, tensor<2x0xi64>, tensor<2x3xi64>) -> tensor<2x7xi64>
  check.expect_eq_const %3, dense<[[1, 2, 3, 1, 1, 2, 3], [4, 5, 6, 2, 4, 5, 6]]> : tensor<2x7xi64>
  return
}

func.func @concatenate_i64_rows() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xi64>, tensor<1x3xi64>) -> tensor<3x3xi64>
  check.expect_eq_const %2, dense<[[1, 2, 3], [4, 5, 6], [1, 2, 3]]> : tensor<3x3xi64>
  return
}

func.func @concatenate_i64_one() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %1, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  return
}

func.func @concatenate_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %2 = stablehlo.constant dense<> : tensor<2x0xf32>
  %3 = stablehlo.concatenate %0, %1, %2, %0, dim = 1 : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x0xf32>, tensor<2x3xf32>) -> tensor<2x7xf32>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 2.0, 4.0, 5.0, 6.0]]> : tensor<2x7xf32>
  return
}

func.func @concatenate_f32_rows() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]> : tensor<3x3xf32>
  return
}

func.func @concatenate_f32_one() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %1, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}

func.func @concatenate_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %2 = stablehlo.constant dense<> : tensor<2x0xbf16>
  %3 = stablehlo.concatenate %0, %1, %2, %0, dim = 1 : (tensor<2x3xbf16>, tensor<2x1xbf16>, tensor<2x0xbf16>, tensor<2x3xbf16>) -> tensor<2x7xbf16>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 2.0, 4.0, 5.0, 6.0]]> : tensor<2x7xbf16>
  return
}

func.func @concatenate_bf16_rows() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xbf16>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xbf16>, tensor<1x3xbf16>) -> tensor<3x3xbf16>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]> : tensor<3x3xbf16>
  return
}

func.func @concatenate_bf16_one() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %1, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  return
}

func.func @concatenate_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<> : tensor<2x0xf8E4M3FNUZ>
  %3 = stablehlo.concatenate %0, %1, %2, %0, dim = 1 : (tensor<2x3xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>, tensor<2x0xf8E4M3FNUZ>, tensor<2x3xf8E4M3FNUZ>) -> tensor<2x7xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 2.0, 4.0, 5.0, 6.0]]> : tensor<2x7xf8E4M3FNUZ>
  return
}

func.func @concatenate_f8E4M3FNUZ_rows() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf8E4M3FNUZ>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xf8E4M3FNUZ>, tensor<1x3xf8E4M3FNUZ>) -> tensor<3x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]> : tensor<3x3xf8E4M3FNUZ>
  return
}

func.func @concatenate_f8E4M3FNUZ_one() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x3xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @concatenate_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<> : tensor<2x0xf8E5M2FNUZ>
  %3 = stablehlo.concatenate %0, %1, %2, %0, dim = 1 : (tensor<2x3xf8E5M2FNUZ>, tensor<2x1xf8E5M2FNUZ>, tensor<2x0xf8E5M2FNUZ>, tensor<2x3xf8E5M2FNUZ>) -> tensor<2x7xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 2.0, 4.0, 5.0, 6.0]]> : tensor<2x7xf8E5M2FNUZ>
  return
}

func.func @concatenate_f8E5M2FNUZ_rows() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf8E5M2FNUZ>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xf8E5M2FNUZ>, tensor<1x3xf8E5M2FNUZ>) -> tensor<3x3xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]> : tensor<3x3xf8E5M2FNUZ>
  return
}

func.func @concatenate_f8E5M2FNUZ_one() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x3xf8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @concatenate_i1() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %2 = stablehlo.constant dense<> : tensor<2x0xi1>
  %3 = stablehlo.concatenate %0, %1, %2, %0, dim = 1 : (tensor<2x3xi1>, tensor<2x1xi1>, tensor<2x0xi1>, tensor<2x3xi1>) -> tensor<2x7xi1>
  check.expect_eq_const %3, dense<[[true, false, true, true, true, false, true], [false, true, false, false, false, true, false]]> : tensor<2x7xi1>
  return
}

func.func @concatenate_i1_rows() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[true, false, true]]> : tensor<1x3xi1>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xi1>, tensor<1x3xi1>) -> tensor<3x3xi1>
  check.expect_eq_const %2, dense<[[true, false, true], [false, true, false], [true, false, true]]> : tensor<3x3xi1>
  return
}

func.func @concatenate_i1_one() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x3xi1>) -> tensor<2x3xi1>
  check.expect_eq_const %1, dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  return
}

func.func @concatenate_complex_f64() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.constant dense<[[(1.0, -2.0)], [(2.0, -1.0)]]> : tensor<2x1xcomplex<f64>>
  %2 = stablehlo.constant dense<> : tensor<2x0xcomplex<f64>>
  %3 = stablehlo.concatenate %0, %1, %2, %0, dim = 1 : (tensor<2x3xcomplex<f64>>, tensor<2x1xcomplex<f64>>, tensor<2x0xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x7xcomplex<f64>>
  check.expect_eq_const %3, dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (1.0, -2.0), (1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0), (2.0, -1.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x7xcomplex<f64>>
  return
}

func.func @concatenate_complex_f64_rows() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)]]> : tensor<1x3xcomplex<f64>>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x3xcomplex<f64>>, tensor<1x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
  check.expect_eq_const %2, dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  return
}

func.func @concatenate_complex_f64_one() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  check.expect_eq_const %1, dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  return
}

func.func @concatenate_quantized() {
  %0 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.constant dense<[[1.0, -3.0, 3.5], [-10.0, 0.5, 2.0]]> : tensor<2x3xf32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %4 = stablehlo.concatenate %1, %3, dim = 0 : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>, tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<4x3x!quant.uniform<i8:f32, 0.5:-3>>
  %5 = stablehlo.uniform_dequantize %4 : (tensor<4x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<4x3xf32>
  check.expect_eq_const %5, dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0], [1.0, -3.0, 3.5], [-10.0, 0.5, 2.0]]> : tensor<4x3xf32>
  return
}
