// stablehlo.sign, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @sign_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<17xf64>
  %1 = stablehlo.sign %0 : tensor<17xf64>
  check.expect_eq_const %1, dense<[-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0x7FF8000000000000]> : tensor<17xf64>
  return
}

func.func @sign_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F800000, 0x7FC00000]> : tensor<17xf32>
  %1 = stablehlo.sign %0 : tensor<17xf32>
  check.expect_eq_const %1, dense<[-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0x7FC00000]> : tensor<17xf32>
  return
}

func.func @sign_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %1 = stablehlo.sign %0 : tensor<17xbf16>
  check.expect_eq_const %1, dense<[-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0x7FC0]> : tensor<17xbf16>
  return
}

func.func @sign_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E4M3FNUZ>
  %1 = stablehlo.sign %0 : tensor<17xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0x80, 0x80]> : tensor<17xf8E4M3FNUZ>
  return
}

func.func @sign_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E5M2FNUZ>
  %1 = stablehlo.sign %0 : tensor<17xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0x80, 0x80]> : tensor<17xf8E5M2FNUZ>
  return
}

func.func @sign_f64_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5, 0.01]> : tensor<9xf64>
  %1 = stablehlo.sign %0 : tensor<9xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<9xf64>) -> tensor<9xui64>
  check.expect_eq_const %2, dense<[13830554455654793216, 13830554455654793216, 13830554455654793216, 9223372036854775808, 0, 4607182418800017408, 4607182418800017408, 4607182418800017408, 4607182418800017408]> : tensor<9xui64>
  return
}

func.func @sign_f32_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5, 0.01]> : tensor<9xf32>
  %1 = stablehlo.sign %0 : tensor<9xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<9xf32>) -> tensor<9xui32>
  check.expect_eq_const %2, dense<[3212836864, 3212836864, 3212836864, 2147483648, 0, 1065353216, 1065353216, 1065353216, 1065353216]> : tensor<9xui32>
  return
}

func.func @sign_bf16_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5, 0.01]> : tensor<9xbf16>
  %1 = stablehlo.sign %0 : tensor<9xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<9xbf16>) -> tensor<9xui16>
  check.expect_eq_const %2, dense<[49024, 49024, 49024, 32768, 0, 16256, 16256, 16256, 16256]> : tensor<9xui16>
  return
}

func.func @sign_f8E4M3FNUZ_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, 0.0, 0.0, 0.5, 1.2, 3.5, 0.0098]> : tensor<9xf8E4M3FNUZ>
  %1 = stablehlo.sign %0 : tensor<9xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<9xf8E4M3FNUZ>) -> tensor<9xui8>
  check.expect_eq_const %2, dense<[192, 192, 192, 0, 0, 64, 64, 64, 64]> : tensor<9xui8>
  return
}

func.func @sign_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, 0.0, 0.0, 0.5, 1.2, 3.5, 0.0098]> : tensor<9xf8E5M2FNUZ>
  %1 = stablehlo.sign %0 : tensor<9xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<9xf8E5M2FNUZ>) -> tensor<9xui8>
  check.expect_eq_const %2, dense<[192, 192, 192, 0, 0, 64, 64, 64, 64]> : tensor<9xui8>
  return
}

func.func @sign_i2() {
  %0 = stablehlo.constant dense<[-2, -1, -1, 0, 1, 1]> : tensor<6xi2>
  %1 = stablehlo.sign %0 : tensor<6xi2>
  check.expect_eq_const %1, dense<[-1, -1, -1, 0, 1, 1]> : tensor<6xi2>
  return
}

func.func @sign_i4() {
  %0 = stablehlo.constant dense<[-8, -7, -1, 0, 1, 7]> : tensor<6xi4>
  %1 = stablehlo.sign %0 : tensor<6xi4>
  check.expect_eq_const %1, dense<[-1, -1, -1, 0, 1, 1]> : tensor<6xi4>
  return
}

func.func @sign_i8() {
  %0 = stablehlo.constant dense<[-128, -127, -1, 0, 1, 127]> : tensor<6xi8>
  %1 = stablehlo.sign %0 : tensor<6xi8>
  check.expect_eq_const %1, dense<[-1, -1, -1, 0, 1, 1]> : tensor<6xi8>
  return
}

func.func @sign_i32() {
  %0 = stablehlo.constant dense<[-2147483648, -2147483647, -1, 0, 1, 2147483647]> : tensor<6xi32>
  %1 = stablehlo.sign %0 : tensor<6xi32>
  check.expect_eq_const %1, dense<[-1, -1, -1, 0, 1, 1]> : tensor<6xi32>
  return
}

func.func @sign_i64() {
  %0 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -1, 0, 1, 9223372036854775807]> : tensor<6xi64>
  %1 = stablehlo.sign %0 : tensor<6xi64>
  check.expect_eq_const %1, dense<[-1, -1, -1, 0, 1, 1]> : tensor<6xi64>
  return
}

func.func @sign_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0), (0.0, 0.0)]> : tensor<5xcomplex<f32>>
  %1 = stablehlo.sign %0 : tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(0.4472136, 0.8944272), (-0.8944272, 0.4472136), (0.0, -1.0), (1.0, 0.0), (0.0, 0.0)]> : tensor<5xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @sign_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0), (0.0, 0.0)]> : tensor<5xcomplex<f64>>
  %1 = stablehlo.sign %0 : tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(0.4472135954999579, 0.8944271909999159), (-0.8944271909999159, 0.4472135954999579), (0.0, -1.0), (1.0, 0.0), (0.0, 0.0)]> : tensor<5xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @sign_complex_f32_nan() {
  %0 = stablehlo.constant dense<[(0x7FC00000, 1.0), (1.0, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.sign %0 : tensor<2xcomplex<f32>>
  check.expect_eq_const %1, dense<[(0x7FC00000, 0x7FC00000), (0x7FC00000, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  return
}

func.func @sign_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.sign %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[-1.0, -1.0, -1.0, 0.0, 1.0, 1.0, 1.0]> : tensor<7xf32>
  return
}
