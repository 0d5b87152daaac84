// stablehlo.cosine, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @cosine_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.cosine %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, -0.9899924966004454, 0.0707372016677029, 0.8775825618903728, 1.0, 1.0, 0.9689124217106447, 0.5403023058681398, -0.8011436155469337, 0.28366218546322625, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @cosine_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.cosine %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, -0.9899925, 0.0707372, 0.87758255, 1.0, 1.0, 0.9689124, 0.5403023, -0.8011436, 0.2836622, 0x7FC00000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @cosine_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.cosine %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, -0.99, 0.071, 0.88, 1.0, 1.0, 0.97, 0.54, -0.8, 0.283, 0x7FC0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @cosine_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.cosine %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.0, 0.07, 0.88, 1.0, 1.0, 1.0, 0.56, -0.81, 0.28, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @cosine_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.cosine %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.0, 0.078, 0.88, 1.0, 1.0, 1.0, 0.5, -0.75, 0.31, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @cosine_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.cosine %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[0.5403023, 0.9921977, 0.73168886, -0.41614684, -0.6536436, 0.40808207]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @cosine_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.cosine %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[16138, 16254, 16187, 48853, 48935, 16081]> : tensor<6xui16>
  return
}

func.func @cosine_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.cosine %0 : tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[57, 64, 60, 181, 186, 53]> : tensor<6xui8>
  return
}

func.func @cosine_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.cosine %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[16256, 16256, 16256, 15761]> : tensor<4xui16>
  return
}

func.func @cosine_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.cosine %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[64, 64, 64, 49]> : tensor<4xui8>
  return
}

func.func @cosine_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.cosine %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[60, 60, 60, 45]> : tensor<4xui8>
  return
}

func.func @cosine_f64_large() {
  %0 = stablehlo.constant dense<[1.0e+22, 1.5707963267948966]> : tensor<2xf64>
  %1 = stablehlo.cosine %0 : tensor<2xf64>
  %2 = stablehlo.constant dense<[0.523214785395139, 6.123233995736766e-17]> : tensor<2xf64>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<2xf64>, tensor<2xf64>
  return
}

func.func @cosine_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.cosine %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(2.032723, -3.0518978), (0.9051502, 0.12110879), (2.3524096, 0.0), (-0.9899925, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @cosine_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.cosine %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(2.0327230070196656, -3.0518977991518), (0.9051501505596067, 0.12110879604381165), (2.352409615243247, 0.0), (-0.9899924966004454, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @cosine_empty_1() {
  %0 = stablehlo.constant dense<> : tensor<0xf8E4M3FNUZ>
  %1 = stablehlo.cosine %0 : tensor<0xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<> : tensor<0xf8E4M3FNUZ>
  return
}

func.func @cosine_empty_3() {
  %0 = stablehlo.constant dense<> : tensor<3x0x2xf8E4M3FNUZ>
  %1 = stablehlo.cosine %0 : tensor<3x0x2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<> : tensor<3x0x2xf8E4M3FNUZ>
  return
}

func.func @cosine_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.cosine %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[1.0, 0.5, 1.0, 1.0, 0.0, -0.5, -0.5]> : tensor<7xf32>
  return
}
