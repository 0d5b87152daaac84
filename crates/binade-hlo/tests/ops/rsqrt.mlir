// stablehlo.rsqrt, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @rsqrt_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.rsqrt %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 2.0, 1.0, 0.6324555320336759, 0.4472135954999579, 0.0, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @rsqrt_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.rsqrt %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0xFF800000, 0x7F800000, 2.0, 1.0, 0.6324555, 0.4472136, 0.0, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @rsqrt_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.rsqrt %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0xFF80, 0x7F80, 2.0, 1.0, 0.633, 0.447, 0.0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @rsqrt_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.rsqrt %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2.0, 1.0, 0.62, 0.44, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @rsqrt_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.rsqrt %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2.0, 1.0, 0.62, 0.44, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @rsqrt_f64_powers() {
  %0 = stablehlo.constant dense<[0.25, 1.0, 4.0, 16.0, 64.0, 3.0]> : tensor<6xf64>
  %1 = stablehlo.rsqrt %0 : tensor<6xf64>
  %2 = stablehlo.constant dense<[2.0, 1.0, 0.5, 0.25, 0.125, 0.5773502691896257]> : tensor<6xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

func.func @rsqrt_f32_powers() {
  %0 = stablehlo.constant dense<[0.25, 1.0, 4.0, 16.0, 64.0, 3.0]> : tensor<6xf32>
  %1 = stablehlo.rsqrt %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[2.0, 1.0, 0.5, 0.25, 0.125, 0.57735026]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @rsqrt_bf16_powers() {
  %0 = stablehlo.constant dense<[0.25, 1.0, 4.0, 16.0, 64.0, 3.0]> : tensor<6xbf16>
  %1 = stablehlo.rsqrt %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[16384, 16256, 16128, 16000, 15872, 16148]> : tensor<6xui16>
  return
}

func.func @rsqrt_f8E4M3FNUZ_powers() {
  %0 = stablehlo.constant dense<[0.25, 1.0, 4.0, 16.0, 64.0, 3.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.rsqrt %0 : tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[72, 64, 56, 48, 40, 57]> : tensor<6xui8>
  return
}

func.func @rsqrt_f8E5M2FNUZ_powers() {
  %0 = stablehlo.constant dense<[0.25, 1.0, 4.0, 16.0, 64.0, 3.0]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.rsqrt %0 : tensor<6xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[68, 64, 60, 56, 52, 61]> : tensor<6xui8>
  return
}

func.func @rsqrt_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.rsqrt %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(0.56886446, -0.35157758), (0.30729008, -1.3017017), (0.57735026, 0.57735026), (0.57735026, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @rsqrt_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.rsqrt %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(0.5688644810057831, -0.3515775842541429), (0.30729007631213195, -1.3017016520692888), (0.5773502691896257, 0.5773502691896257), (0.5773502691896257, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @rsqrt_quantized() {
  %0 = stablehlo.constant dense<[0.5, 1.0, 1.5, 4.0, 10.0, 65.0]> : tensor<6xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.rsqrt %1 : tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<6x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<6xf32>
  check.expect_eq_const %3, dense<[1.5, 1.0, 1.0, 0.5, 0.5, 0.0]> : tensor<6xf32>
  return
}
