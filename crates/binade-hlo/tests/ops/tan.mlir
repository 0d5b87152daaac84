// stablehlo.tan, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @tan_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.tan %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0.1425465430742778, -14.101419947171719, -0.5463024898437905, -0.0, 0.0, 0.25534192122103627, 1.5574077246549023, -0.7470222972386603, -3.380515006246586, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @tan_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.tan %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0.14254655, -14.10142, -0.5463025, -0.0, 0.0, 0.25534192, 1.5574077, -0.7470223, -3.380515, 0x7FC00000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @tan_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.tan %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0.143, -14.1, -0.547, -0.0, 0.0, 0.256, 1.555, -0.746, -3.38, 0x7FC0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @tan_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.tan %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.14, -14.0, -0.56, 0.0, 0.0, 0.25, 1.5, -0.75, -3.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @tan_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.tan %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.16, -14.0, -0.5, 0.0, 0.0, 0.25, 1.5, -0.75, -3.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @tan_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.tan %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[-1.5574077, 0.12565513, 0.93159646, -2.1850398, 1.1578213, 2.237161]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @tan_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.tan %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[49095, 15873, 16238, 49164, 16276, 16399]> : tensor<6xui16>
  return
}

func.func @tan_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.tan %0 : tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[196, 40, 63, 201, 65, 73]> : tensor<6xui8>
  return
}

func.func @tan_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.tan %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[32768, 0, 15744, 16738]> : tensor<4xui16>
  return
}

func.func @tan_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.tan %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 0, 48, 79]> : tensor<4xui8>
  return
}

func.func @tan_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.tan %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[128, 0, 44, 75]> : tensor<4xui8>
  return
}

func.func @tan_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.tan %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(0.033812825, 1.0147936), (-0.5045007, 0.3124207), (0.0, -0.90514827), (-0.14254655, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @tan_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.tan %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(0.03381282607989669, 1.0147936161466335), (-0.504500702698564, 0.3124206925025888), (0.0, -0.9051482536448664), (-0.1425465430742778, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @tan_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.tan %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[0.5, -2.5, -0.5, 0.0, 14.0, 1.0, -1.5]> : tensor<7xf32>
  return
}
