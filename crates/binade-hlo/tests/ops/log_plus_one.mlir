// stablehlo.log_plus_one, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @log_plus_one_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = stablehlo.log_plus_one %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, -0.6931471805599453, -0.0, 0.0, 0.22314355131420976, 0.6931471805599453, 1.252762968495368, 1.791759469228055, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @log_plus_one_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.log_plus_one %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, -0.6931472, -0.0, 0.0, 0.22314355, 0.6931472, 1.2527629, 1.7917595, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @log_plus_one_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = stablehlo.log_plus_one %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0x7FC0, 0x7FC0, -0.69, -0.0, 0.0, 0.223, 0.69, 1.25, 1.79, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @log_plus_one_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = stablehlo.log_plus_one %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, -0.69, 0.0, 0.0, 0.22, 0.69, 1.2, 1.8, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @log_plus_one_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.5, -0.5, 0.0, 0.0, 0.25, 1.0, 2.5, 5.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = stablehlo.log_plus_one %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, -0.75, 0.0, 0.0, 0.22, 0.75, 1.2, 1.8, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @log_plus_one_f32_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf32>
  %1 = stablehlo.log_plus_one %0 : tensor<6xf32>
  %2 = stablehlo.constant dense<[0xFF800000, 0.11778303, 0.5596158, 1.0986123, 1.609438, 3.0445225]> : tensor<6xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

func.func @log_plus_one_bf16_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xbf16>
  %1 = stablehlo.log_plus_one %0 : tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[65408, 15857, 16143, 16269, 16334, 16451]> : tensor<6xui16>
  return
}

func.func @log_plus_one_f8E4M3FNUZ_more() {
  %0 = stablehlo.constant dense<[-1.0, 0.125, 0.75, 2.0, 4.0, 20.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.log_plus_one %0 : tensor<6xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.12, 0.56, 1.1, 1.6, 3.0]> : tensor<6xf8E4M3FNUZ>
  return
}

func.func @log_plus_one_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.0625, 1.5]> : tensor<4xbf16>
  %1 = stablehlo.log_plus_one %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[32768, 0, 15736, 16235]> : tensor<4xui16>
  return
}

func.func @log_plus_one_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2FNUZ>
  %1 = stablehlo.log_plus_one %0 : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 0, 48, 63]> : tensor<4xui8>
  return
}

func.func @log_plus_one_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, 0.062, 1.5]> : tensor<4xf8E5M2>
  %1 = stablehlo.log_plus_one %0 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[128, 0, 44, 59]> : tensor<4xui8>
  return
}

func.func @log_plus_one_f32_small() {
  %0 = stablehlo.constant dense<[1.0e-08, -1.0e-08, 1.0e-30]> : tensor<3xf32>
  %1 = stablehlo.log_plus_one %0 : tensor<3xf32>
  %2 = stablehlo.constant dense<[1.0e-08, -1.0e-08, 1.0e-30]> : tensor<3xf32>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<3xf32>, tensor<3xf32>
  return
}

func.func @log_plus_one_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.log_plus_one %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.0397208, 0.7853982), (-0.5815754, 0.4636476), (0.5893275, -0.98279375), (1.3862944, 0.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @log_plus_one_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.log_plus_one %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.0397207708399179, 0.7853981633974483), (-0.5815754049028404, 0.4636476090008061), (0.5893274981708231, -0.982793723247329), (1.3862943611198906, 0.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @log_plus_one_quantized() {
  %0 = stablehlo.constant dense<[0.5, 1.0, 1.5, 4.0, 10.0, 65.0]> : tensor<6xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.log_plus_one %1 : tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<6x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<6xf32>
  check.expect_eq_const %3, dense<[0.5, 0.5, 1.0, 1.5, 2.5, 4.0]> : tensor<6xf32>
  return
}
