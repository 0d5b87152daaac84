// stablehlo.tanh, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @tanh_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.tanh %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[-1.0, -0.9950547536867305, -0.9051482536448664, -0.46211715726000974, -0.0, 0.0, 0.24491866240370913, 0.7615941559557649, 0.9866142981514303, 0.9999092042625951, 1.0, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @tanh_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.tanh %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[-1.0, -0.9950548, -0.90514827, -0.46211717, -0.0, 0.0, 0.24491866, 0.7615942, 0.9866143, 0.9999092, 1.0, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @tanh_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.tanh %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[-1.0, -0.996, -0.906, -0.463, -0.0, 0.0, 0.245, 0.76, 0.99, 1.0, 1.0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @tanh_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.tanh %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.0, -0.88, -0.47, 0.0, 0.0, 0.25, 0.75, 1.0, 1.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @tanh_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.tanh %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.0, -0.88, -0.44, 0.0, 0.0, 0.25, 0.75, 1.0, 1.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @tanh_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.tanh %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[-0.7615942, 0.124353, 0.63514894, 0.9640276, 0.9993293, 1.0]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @tanh_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.tanh %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[48963, 15871, 16163, 16247, 16256, 16256]> : tensor<6xui16>
  return
}

func.func @tanh_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.tanh %0 : tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[188, 40, 58, 63, 64, 64]> : tensor<6xui8>
  return
}

func.func @tanh_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.tanh %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[32768, 0, 15744, 16232]> : tensor<4xui16>
  return
}

func.func @tanh_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.tanh %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 0, 48, 63]> : tensor<4xui8>
  return
}

func.func @tanh_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.tanh %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[128, 0, 44, 59]> : tensor<4xui8>
  return
}

func.func @tanh_f32_small() {
  %0 = stablehlo.constant dense<[1.0e-08, -1.0e-20, 20.0]> : tensor<3xf32>
  %1 = stablehlo.tanh %0 : tensor<3xf32>
  %2 = stablehlo.constant dense<[1.0e-08, -1.0e-20, 1.0]> : tensor<3xf32>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<3xf32>, tensor<3xf32>
  return
}

func.func @tanh_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.tanh %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.1667362, -0.2434582), (-0.48548728, 0.19805545), (0.0, -14.10142), (0.9950548, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @tanh_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.tanh %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.16673625724092, -0.24345820118572525), (-0.48548728102413535, 0.19805544995134952), (0.0, -14.101419947171719), (0.9950547536867305, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @tanh_empty_1() {
  %0 = stablehlo.constant dense<> : tensor<0xbf16>
  %1 = stablehlo.tanh %0 : tensor<0xbf16>
  check.expect_eq_const %1, dense<> : tensor<0xbf16>
  return
}

func.func @tanh_empty_3() {
  %0 = stablehlo.constant dense<> : tensor<3x0x2xbf16>
  %1 = stablehlo.tanh %0 : tensor<3x0x2xbf16>
  check.expect_eq_const %1, dense<> : tensor<3x0x2xbf16>
  return
}

func.func @tanh_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.tanh %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[-1.0, -1.0, -0.5, 0.0, 1.0, 1.0, 1.0]> : tensor<7xf32>
  return
}

func.func @tanh_complex_edges() {
  %0 = stablehlo.constant dense<[(50.0, 1.0), (-50.0, 0.25)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.tanh %0 : tensor<2xcomplex<f32>>
  %2 = stablehlo.real %1 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %3 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  check.expect_close %2, %3, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  %4 = stablehlo.imag %1 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %5 = stablehlo.constant dense<[6.7e-44, 3.5e-44]> : tensor<2xf32>
  check.expect_close %4, %5, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  return
}

func.func @tanh_complex_infinities() {
  %0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7F800000, 2.0, 30.0]> : tensor<5xf32>
  %1 = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 1.0, 0x7F800000, 0xFF800000]> : tensor<5xf32>
  %2 = stablehlo.complex %0, %1 : tensor<5xcomplex<f32>>
  %3 = stablehlo.tanh %2 : tensor<5xcomplex<f32>>
  %4 = stablehlo.real %3 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  check.expect_eq_const %4, dense<[1.0, -1.0, 1.0, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  %5 = stablehlo.imag %3 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  check.expect_eq_const %5, dense<[0.0, 0.0, 0.0, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  return
}
