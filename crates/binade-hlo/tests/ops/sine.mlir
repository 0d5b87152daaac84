// stablehlo.sine, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @sine_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.sine %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, -0.1411200080598672, -0.9974949866040544, -0.479425538604203, -0.0, 0.0, 0.24740395925452294, 0.8414709848078965, 0.5984721441039565, -0.9589242746631385, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @sine_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.sine %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, -0.14112, -0.997495, -0.47942555, -0.0, 0.0, 0.24740396, 0.84147096, 0.5984721, -0.9589243, 0x7FC00000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @sine_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.sine %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, -0.142, -0.996, -0.479, -0.0, 0.0, 0.247, 0.84, 0.598, -0.957, 0x7FC0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @sine_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.sine %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -0.14, -1.0, -0.47, 0.0, 0.0, 0.25, 0.81, 0.62, -0.94, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @sine_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.sine %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -0.16, -1.0, -0.5, 0.0, 0.0, 0.25, 0.88, 0.62, -1.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @sine_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.sine %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[-0.84147096, 0.12467473, 0.6816388, 0.9092974, -0.7568025, 0.9129453]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @sine_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.sine %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[48983, 15871, 16174, 16233, 48962, 16234]> : tensor<6xui16>
  return
}

func.func @sine_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.sine %0 : tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[189, 40, 59, 63, 188, 63]> : tensor<6xui8>
  return
}

func.func @sine_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.sine %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[32768, 0, 15744, 16255]> : tensor<4xui16>
  return
}

func.func @sine_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.sine %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 0, 48, 64]> : tensor<4xui8>
  return
}

func.func @sine_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.sine %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[128, 0, 44, 60]> : tensor<4xui8>
  return
}

func.func @sine_f64_large() {
  %0 = stablehlo.constant dense<[1.0e+22, 3.141592653589793]> : tensor<2xf64>
  %1 = stablehlo.sine %0 : tensor<2xf64>
  %2 = stablehlo.constant dense<[-0.8522008497671888, 1.2246467991473532e-16]> : tensor<2xf64>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<2xf64>, tensor<2xf64>
  return
}

func.func @sine_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.sine %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(3.1657784, 1.959601), (-0.4944858, 0.22168817), (0.0, -2.1292794), (0.14112, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @sine_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.sine %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(3.165778513216168, 1.9596010414216058), (-0.494485780933195, 0.22168816414957482), (0.0, -2.1292794550948173), (0.1411200080598672, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @sine_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.sine %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[0.5, -1.0, -0.5, 0.0, 1.0, -1.0, 1.0]> : tensor<7xf32>
  return
}
