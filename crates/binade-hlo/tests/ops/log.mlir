// stablehlo.log, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @log_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.log %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0xFFF0000000000000, -1.3862943611198906, 0.0, 0.9162907318741551, 1.6094379124341003, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @log_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.log %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0xFF800000, 0xFF800000, -1.3862944, 0.0, 0.91629076, 1.609438, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @log_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.log %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0xFF80, 0xFF80, -1.38, 0.0, 0.918, 1.61, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @log_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.log %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, -1.4, 0.0, 0.94, 1.6, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @log_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.log %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, -1.5, 0.0, 0.88, 1.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @log_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.log %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, -2.0794415, -0.2876821, 0.6931472, 1.3862944, 2.9957323]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @log_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.log %0 : tensor<6xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, -2.08, -0.287, 0.69, 1.38, 3.0]> : tensor<6xbf16>
  return
}

func.func @log_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.log %0 : tensor<6xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -2.0, -0.28, 0.69, 1.4, 3.0]> : tensor<6xf8E4M3FNUZ>
  return
}

func.func @log_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.log %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[65408, 65408, 49201, 16080]> : tensor<4xui16>
  return
}

func.func @log_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.log %0 : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, -3.0, 0.38]> : tensor<4xf8E5M2FNUZ>
  return
}

func.func @log_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.log %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[252, 252, 194, 54]> : tensor<4xui8>
  return
}

func.func @log_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.log %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(0.804719, 1.1071488), (-0.5815754, 2.6779451), (0.4054651, -1.5707964), (1.0986123, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @log_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.log %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(0.8047189562170501, 1.1071487177940904), (-0.5815754049028404, 2.677945044588987), (0.4054651081081644, -1.5707963267948966), (1.0986122886681098, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @log_quantized() {
  %0 = stablehlo.constant dense<[0.5, 1.0, 1.5, 4.0, 10.0, 65.0]> : tensor<6xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.log %1 : tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<6x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<6xf32>
  check.expect_eq_const %3, dense<[-0.5, 0.0, 0.5, 1.5, 2.5, 4.0]> : tensor<6xf32>
  return
}

func.func @log_complex_edges() {
  %0 = stablehlo.constant dense<[(-1.0, 0.0), (1.0, 0.0), (1.0e+30, 1.0e+30), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.log %0 : tensor<4xcomplex<f32>>
  %2 = stablehlo.real %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %3 = stablehlo.constant dense<[0.0, 0.0, 69.424126, 0xFF800000]> : tensor<4xf32>
  check.expect_close %2, %3, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  %4 = stablehlo.imag %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %5 = stablehlo.constant dense<[3.1415927, 0.0, 0.7853982, 0.0]> : tensor<4xf32>
  check.expect_close %4, %5, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  return
}
