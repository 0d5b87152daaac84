// stablehlo.logistic, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @logistic_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.logistic %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0.0, 0.04742587317756678, 0.18242552380635635, 0.37754066879814546, 0.5, 0.5, 0.5621765008857981, 0.7310585786300049, 0.9241418199787564, 0.9933071490757152, 1.0, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @logistic_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.logistic %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0.0, 0.047425874, 0.18242553, 0.37754068, 0.5, 0.5, 0.5621765, 0.7310586, 0.9241418, 0.9933072, 1.0, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @logistic_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.logistic %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0.0, 0.0474, 0.183, 0.377, 0.5, 0.5, 0.562, 0.73, 0.926, 0.992, 1.0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @logistic_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.logistic %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.047, 0.19, 0.38, 0.5, 0.5, 0.56, 0.75, 0.94, 1.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @logistic_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.logistic %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.047, 0.19, 0.38, 0.5, 0.5, 0.5, 0.75, 0.88, 1.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @logistic_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.logistic %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[0.26894143, 0.53120935, 0.6791787, 0.8807971, 0.98201376, 1.0]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @logistic_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.logistic %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[16010, 16136, 16174, 16225, 16251, 16256]> : tensor<6xui16>
  return
}

func.func @logistic_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.logistic %0 : tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[49, 56, 59, 62, 64, 64]> : tensor<6xui8>
  return
}

func.func @logistic_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.logistic %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[16128, 16128, 16132, 16209]> : tensor<4xui16>
  return
}

func.func @logistic_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.logistic %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[60, 60, 60, 63]> : tensor<4xui8>
  return
}

func.func @logistic_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.logistic %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[56, 56, 56, 59]> : tensor<4xui8>
  return
}

func.func @logistic_f32_ends() {
  %0 = stablehlo.constant dense<[-1.0e+02, 1.0e+02, -20.0]> : tensor<3xf32>
  %1 = stablehlo.logistic %0 : tensor<3xf32>
  %2 = stablehlo.constant dense<[3.8e-44, 1.0, 2.0611537e-09]> : tensor<3xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>
  return
}

func.func @logistic_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.logistic %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.0214154, 0.40343872), (0.37572482, 0.059002966), (0.5, -0.46579823), (0.95257413, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @logistic_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.logistic %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.0214153641721806, 0.4034387060815425), (0.3757248355800388, 0.05900296431450802), (0.5, -0.46579822997203624), (0.9525741268224333, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @logistic_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.logistic %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[0.0, 0.0, 0.5, 0.5, 1.0, 1.0, 1.0]> : tensor<7xf32>
  return
}
