// stablehlo.exponential_minus_one, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @exponential_minus_one_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.exponential_minus_one %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[-1.0, -0.950212931632136, -0.7768698398515702, -0.3934693402873666, -0.0, 0.0, 0.2840254166877415, 1.7182818284590453, 11.182493960703473, 147.4131591025766, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @exponential_minus_one_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.exponential_minus_one %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[-1.0, -0.95021296, -0.77686983, -0.39346933, -0.0, 0.0, 0.28402543, 1.7182819, 11.182494, 147.41316, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @exponential_minus_one_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.exponential_minus_one %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[-1.0, -0.95, -0.777, -0.393, -0.0, 0.0, 0.283, 1.72, 11.2, 147.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @exponential_minus_one_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.exponential_minus_one %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -0.94, -0.75, -0.41, 0.0, 0.0, 0.28, 1.8, 11.0, 1.4e+02, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @exponential_minus_one_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.exponential_minus_one %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.0, -0.75, -0.38, 0.0, 0.0, 0.31, 1.8, 12.0, 1.6e+02, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @exponential_minus_one_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.exponential_minus_one %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[-0.63212055, 0.13314845, 1.117, 6.389056, 53.59815, 4.851652e+08]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @exponential_minus_one_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.exponential_minus_one %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[48930, 15880, 16271, 16588, 16982, 19943]> : tensor<6xui16>
  return
}

func.func @exponential_minus_one_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.exponential_minus_one %0 : tensor<6xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[-0.62, 0.14, 1.1, 6.5, 52.0, 0x80]> : tensor<6xf8E4M3FNUZ>
  return
}

func.func @exponential_minus_one_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.exponential_minus_one %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[32768, 0, 15748, 16479]> : tensor<4xui16>
  return
}

func.func @exponential_minus_one_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.exponential_minus_one %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 0, 48, 71]> : tensor<4xui8>
  return
}

func.func @exponential_minus_one_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.exponential_minus_one %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[128, 0, 44, 67]> : tensor<4xui8>
  return
}

func.func @exponential_minus_one_f32_small() {
  %0 = stablehlo.constant dense<[1.0e-08, -1.0e-08, 1.0e-30]> : tensor<3xf32>
  %1 = stablehlo.exponential_minus_one %0 : tensor<3xf32>
  %2 = stablehlo.constant dense<[1.0e-08, -1.0e-08, 1.0e-30]> : tensor<3xf32>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<3xf32>, tensor<3xf32>
  return
}

func.func @exponential_minus_one_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.exponential_minus_one %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(-2.1312044, 2.4717267), (-0.4123249, 0.15005809), (-0.9292628, -0.997495), (19.085537, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @exponential_minus_one_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.exponential_minus_one %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(-2.1312043837568138, 2.4717266720048188), (-0.4123249096560773, 0.15005808662216327), (-0.9292627983322971, -0.9974949866040544), (19.085536923187668, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @exponential_minus_one_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.exponential_minus_one %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[-1.0, -1.0, -0.5, 0.0, 3.5, 53.5, 65.0]> : tensor<7xf32>
  return
}

func.func @exponential_minus_one_complex_infinities() {
  %0 = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
  %1 = stablehlo.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
  %2 = stablehlo.complex %0, %1 : tensor<2xcomplex<f32>>
  %3 = stablehlo.exponential_minus_one %2 : tensor<2xcomplex<f32>>
  check.expect_eq_const %3, dense<[(-1.0, 0.0), (-1.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}
