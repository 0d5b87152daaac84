// stablehlo.sqrt, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @sqrt_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.sqrt %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, -0.0, 0.0, 0.5, 1.0, 1.5811388300841898, 2.23606797749979, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @sqrt_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.sqrt %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, -0.0, 0.0, 0.5, 1.0, 1.5811388, 2.236068, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @sqrt_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.sqrt %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, -0.0, 0.0, 0.5, 1.0, 1.58, 2.23, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @sqrt_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.sqrt %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, 0x80, 0.0, 0.0, 0.5, 1.0, 1.6, 2.2, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @sqrt_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.sqrt %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, 0x80, 0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @sqrt_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.sqrt %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0.35355338, 0.8660254, 1.4142135, 2.0, 4.472136]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @sqrt_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.sqrt %0 : tensor<6xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0.354, 0.867, 1.414, 2.0, 4.47]> : tensor<6xbf16>
  return
}

func.func @sqrt_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.sqrt %0 : tensor<6xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.34, 0.88, 1.4, 2.0, 4.5]> : tensor<6xf8E4M3FNUZ>
  return
}

func.func @sqrt_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.sqrt %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[32768, 0, 16000, 16285]> : tensor<4xui16>
  return
}

func.func @sqrt_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.sqrt %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 0, 56, 65]> : tensor<4xui8>
  return
}

func.func @sqrt_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.sqrt %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[128, 0, 52, 61]> : tensor<4xui8>
  return
}

func.func @sqrt_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.sqrt %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.2720196, 0.78615135), (0.17178038, 0.72767335), (0.8660254, -0.8660254), (1.7320508, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @sqrt_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.sqrt %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.272019649514069, 0.7861513777574233), (0.17178037486125622, 0.7276733451126774), (0.8660254037844386, -0.8660254037844386), (1.7320508075688772, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @sqrt_quantized() {
  %0 = stablehlo.constant dense<[0.5, 1.0, 1.5, 4.0, 10.0, 65.0]> : tensor<6xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.sqrt %1 : tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<6x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<6xf32>
  check.expect_eq_const %3, dense<[0.5, 1.0, 1.0, 2.0, 3.0, 8.0]> : tensor<6xf32>
  return
}

func.func @sqrt_complex_edges() {
  %0 = stablehlo.constant dense<[(0.0, 0.0), (-4.0, 0.0), (0x7F800000, 1.0), (3.0e+38, 3.0e+38)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.sqrt %0 : tensor<4xcomplex<f32>>
  %2 = stablehlo.real %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %3 = stablehlo.constant dense<[0.0, 0.0, 0x7F800000, 1.9029767e+19]> : tensor<4xf32>
  check.expect_close %2, %3, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  %4 = stablehlo.imag %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %5 = stablehlo.constant dense<[0.0, 2.0, 0.0, 7.882388e+18]> : tensor<4xf32>
  check.expect_close %4, %5, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  return
}
