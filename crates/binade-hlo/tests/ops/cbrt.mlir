// stablehlo.cbrt, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @cbrt_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.cbrt %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0xFFF0000000000000, -1.4422495703074083, -1.1447142425533319, -0.7937005259840998, -0.0, 0.0, 0.6299605249474366, 1.0, 1.3572088082974534, 1.709975946676697, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @cbrt_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.cbrt %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0xFF800000, -1.4422495, -1.1447142, -0.7937005, -0.0, 0.0, 0.62996054, 1.0, 1.3572088, 1.709976, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @cbrt_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.cbrt %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0xFF80, -1.445, -1.15, -0.793, -0.0, 0.0, 0.63, 1.0, 1.36, 1.71, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @cbrt_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.cbrt %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.5, -1.1, -0.81, 0.0, 0.0, 0.62, 1.0, 1.4, 1.8, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @cbrt_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.cbrt %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.5, -1.2, -0.75, 0.0, 0.0, 0.62, 1.0, 1.2, 1.8, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @cbrt_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.cbrt %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[-1.0, 0.5, 0.9085603, 1.2599211, 1.587401, 2.7144177]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @cbrt_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.cbrt %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[49024, 16128, 16233, 16289, 16331, 16430]> : tensor<6xui16>
  return
}

func.func @cbrt_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.cbrt %0 : tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[192, 56, 63, 66, 69, 75]> : tensor<6xui8>
  return
}

func.func @cbrt_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.cbrt %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[32768, 0, 16075, 16275]> : tensor<4xui16>
  return
}

func.func @cbrt_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.cbrt %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 0, 58, 65]> : tensor<4xui8>
  return
}

func.func @cbrt_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.cbrt %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[128, 0, 54, 61]> : tensor<4xui8>
  return
}

func.func @cbrt_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.cbrt %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.2196165, 0.47171128), (0.51679647, 0.6415028), (0.9913516, -0.5723571), (1.4422495, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @cbrt_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.cbrt %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.2196165079717576, 0.471711267789389), (0.5167964603945269, 0.6415027846178182), (0.991351614125047, -0.5723571212766659), (1.4422495703074083, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @cbrt_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.cbrt %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[-4.0, -2.0, -1.0, 0.0, 1.0, 1.5, 4.0]> : tensor<7xf32>
  return
}
