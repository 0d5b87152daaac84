// stablehlo.exponential, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @exponential_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.exponential %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0.0, 0.049787068367863944, 0.22313016014842982, 0.6065306597126334, 1.0, 1.0, 1.2840254166877414, 2.718281828459045, 12.182493960703473, 148.4131591025766, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @exponential_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.exponential %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0.0, 0.049787067, 0.22313017, 0.60653067, 1.0, 1.0, 1.2840254, 2.7182817, 12.182494, 148.41316, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @exponential_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.exponential %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0.0, 0.0498, 0.223, 0.605, 1.0, 1.0, 1.28, 2.72, 12.2, 148.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @exponential_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.exponential %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.051, 0.22, 0.62, 1.0, 1.0, 1.2, 2.8, 12.0, 1.4e+02, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @exponential_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.exponential %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.047, 0.22, 0.62, 1.0, 1.0, 1.2, 2.5, 12.0, 1.6e+02, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @exponential_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.exponential %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[0.36787945, 1.1331484, 2.117, 7.389056, 54.59815, 4.851652e+08]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @exponential_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.exponential %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[16060, 16273, 16391, 16620, 16986, 19943]> : tensor<6xui16>
  return
}

func.func @exponential_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.exponential %0 : tensor<6xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0.38, 1.1, 2.0, 7.5, 56.0, 0x80]> : tensor<6xf8E4M3FNUZ>
  return
}

func.func @exponential_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.exponential %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[16256, 16256, 16264, 16527]> : tensor<4xui16>
  return
}

func.func @exponential_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.exponential %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[64, 64, 64, 72]> : tensor<4xui8>
  return
}

func.func @exponential_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.exponential %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[60, 60, 60, 68]> : tensor<4xui8>
  return
}

func.func @exponential_f32_ends() {
  %0 = stablehlo.constant dense<[88.0, 89.0, -103.0, -104.5]> : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %2 = stablehlo.constant dense<[1.6516363e+38, 0x7F800000, 1.4e-45, 0.0]> : tensor<4xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  return
}

func.func @exponential_f8E4M3FNUZ_ends() {
  %0 = stablehlo.constant dense<[5.0, 5.5, 6.0, -6.0, -8.0, -9.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.exponential %0 : tensor<6xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[1.4e+02, 2.4e+02, 0x80, 0.0029, 0.0, 0.0]> : tensor<6xf8E4M3FNUZ>
  return
}

func.func @exponential_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.exponential %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(-1.1312044, 2.4717267), (0.5876751, 0.15005809), (0.0707372, -0.997495), (20.085537, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @exponential_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.exponential %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(-1.1312043837568135, 2.4717266720048188), (0.5876750903439226, 0.15005808662216327), (0.0707372016677029, -0.9974949866040544), (20.085536923187668, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @exponential_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.exponential %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[0.0, 0.0, 0.5, 1.0, 4.5, 54.5, 65.0]> : tensor<7xf32>
  return
}

func.func @exponential_complex_edges() {
  %0 = stablehlo.constant dense<[(0.0, 0.0), (0xFF800000, 1.0), (0.0, 3.1415927)]> : tensor<3xcomplex<f32>>
  %1 = stablehlo.exponential %0 : tensor<3xcomplex<f32>>
  %2 = stablehlo.real %1 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %3 = stablehlo.constant dense<[1.0, 0.0, -1.0]> : tensor<3xf32>
  check.expect_close %2, %3, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>
  %4 = stablehlo.imag %1 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %5 = stablehlo.constant dense<[0.0, 0.0, -8.742278e-08]> : tensor<3xf32>
  check.expect_close %4, %5, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>
  return
}

func.func @exponential_complex_f64_within_an_ulp() {
  %0 = stablehlo.constant dense<[(3.5, -2.25)]> : tensor<1xcomplex<f64>>
  %1 = stablehlo.exponential %0 : tensor<1xcomplex<f64>>
  %2 = stablehlo.constant dense<[(-20.80225342499257669, -25.76624557188810176)]> : tensor<1xcomplex<f64>>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>
  return
}
