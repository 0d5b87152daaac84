// stablehlo.convert by its definition, over element types, edges and empty shapes.

func.func @convert_f64_f32() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14159265, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.convert %0 : (tensor<16xf64>) -> tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.1415927, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @convert_f64_f32_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %2, dense<[0, 2147483648, 1065353216, 1066192077, 1120468992, 981668463]> : tensor<6xui32>
  return
}

func.func @convert_f64_f16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14159265, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.convert %0 : (tensor<16xf64>) -> tensor<16xf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  return
}

func.func @convert_f64_f16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 15360, 15462, 22088, 5145]> : tensor<6xui16>
  return
}

func.func @convert_f64_bf16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14159265, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.convert %0 : (tensor<16xf64>) -> tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 0x7F80, 1.7e-39, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @convert_f64_bf16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 16256, 16269, 17097, 14979]> : tensor<6xui16>
  return
}

func.func @convert_f64_f8E5M2() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14159265, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.convert %0 : (tensor<16xf64>) -> tensor<16xf8E5M2>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  return
}

func.func @convert_f64_f8E5M2_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 60, 60, 86, 20]> : tensor<6xui8>
  return
}

func.func @convert_f64_f8E4M3FN() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14159265, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.convert %0 : (tensor<16xf64>) -> tensor<16xf8E4M3FN>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  return
}

func.func @convert_f64_f8E4M3FN_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xf8E4M3FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FN>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 56, 57, 109, 1]> : tensor<6xui8>
  return
}

func.func @convert_f64_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14159265, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.convert %0 : (tensor<16xf64>) -> tensor<16xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  return
}

func.func @convert_f64_f8E4M3FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 65, 117, 1]> : tensor<6xui8>
  return
}

func.func @convert_f64_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14159265, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.convert %0 : (tensor<16xf64>) -> tensor<16xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  return
}

func.func @convert_f64_f8E5M2FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 64, 90, 24]> : tensor<6xui8>
  return
}

func.func @convert_f32_f64() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.1415927, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.convert %0 : (tensor<16xf32>) -> tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0625, 1.100000023841858, 3.1415927410125732, 100.5, -2.5e+02, 0.0010000000474974513, -2.499999993688107e-07, 1.0e+05, 3.3999999521443642e+38, 1.7000006462787594e-39, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @convert_f32_f64_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf32>
  %1 = stablehlo.convert %0 : (tensor<6xf32>) -> tensor<6xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %2, dense<[0, 9223372036854775808, 4607182418800017408, 4607632778870128640, 4636772475726725120, 4562254509136412672]> : tensor<6xui64>
  return
}

func.func @convert_f32_f16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.1415927, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.convert %0 : (tensor<16xf32>) -> tensor<16xf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  return
}

func.func @convert_f32_f16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf32>
  %1 = stablehlo.convert %0 : (tensor<6xf32>) -> tensor<6xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 15360, 15462, 22088, 5145]> : tensor<6xui16>
  return
}

func.func @convert_f32_bf16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.1415927, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.convert %0 : (tensor<16xf32>) -> tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 0x7F80, 1.7e-39, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @convert_f32_bf16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf32>
  %1 = stablehlo.convert %0 : (tensor<6xf32>) -> tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 16256, 16269, 17097, 14979]> : tensor<6xui16>
  return
}

func.func @convert_f32_f8E5M2() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.1415927, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.convert %0 : (tensor<16xf32>) -> tensor<16xf8E5M2>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  return
}

func.func @convert_f32_f8E5M2_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf32>
  %1 = stablehlo.convert %0 : (tensor<6xf32>) -> tensor<6xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 60, 60, 86, 20]> : tensor<6xui8>
  return
}

func.func @convert_f32_f8E4M3FN() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.1415927, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.convert %0 : (tensor<16xf32>) -> tensor<16xf8E4M3FN>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  return
}

func.func @convert_f32_f8E4M3FN_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf32>
  %1 = stablehlo.convert %0 : (tensor<6xf32>) -> tensor<6xf8E4M3FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FN>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 56, 57, 109, 1]> : tensor<6xui8>
  return
}

func.func @convert_f32_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.1415927, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.convert %0 : (tensor<16xf32>) -> tensor<16xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  return
}

func.func @convert_f32_f8E4M3FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf32>
  %1 = stablehlo.convert %0 : (tensor<6xf32>) -> tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 65, 117, 1]> : tensor<6xui8>
  return
}

func.func @convert_f32_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.1415927, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 3.4e+38, 1.7e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.convert %0 : (tensor<16xf32>) -> tensor<16xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  return
}

func.func @convert_f32_f8E5M2FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf32>
  %1 = stablehlo.convert %0 : (tensor<6xf32>) -> tensor<6xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 64, 90, 24]> : tensor<6xui8>
  return
}

func.func @convert_f16_f64() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %1 = stablehlo.convert %0 : (tensor<16xf16>) -> tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0625, 1.099609375, 3.140625, 100.5, -2.5e+02, 0.0010004043579101562, -2.384185791015625e-07, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @convert_f16_f64_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf16>
  %1 = stablehlo.convert %0 : (tensor<6xf16>) -> tensor<6xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %2, dense<[0, 9223372036854775808, 4607182418800017408, 4607631019544150016, 4636772475726725120, 4562256373689090048]> : tensor<6xui64>
  return
}

func.func @convert_f16_f32() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %1 = stablehlo.convert %0 : (tensor<16xf16>) -> tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0625, 1.0996094, 3.140625, 100.5, -2.5e+02, 0.0010004044, -2.3841858e-07, 0x7F800000, 0x7F800000, 0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @convert_f16_f32_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf16>
  %1 = stablehlo.convert %0 : (tensor<6xf16>) -> tensor<6xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %2, dense<[0, 2147483648, 1065353216, 1066188800, 1120468992, 981671936]> : tensor<6xui32>
  return
}

func.func @convert_f16_bf16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %1 = stablehlo.convert %0 : (tensor<16xf16>) -> tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.38e-07, 0x7F80, 0x7F80, 0.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @convert_f16_bf16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf16>
  %1 = stablehlo.convert %0 : (tensor<6xf16>) -> tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 16256, 16269, 17097, 14979]> : tensor<6xui16>
  return
}

func.func @convert_f16_f8E5M2() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %1 = stablehlo.convert %0 : (tensor<16xf16>) -> tensor<16xf8E5M2>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  return
}

func.func @convert_f16_f8E5M2_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf16>
  %1 = stablehlo.convert %0 : (tensor<6xf16>) -> tensor<6xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 60, 60, 86, 20]> : tensor<6xui8>
  return
}

func.func @convert_f16_f8E4M3FN() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %1 = stablehlo.convert %0 : (tensor<16xf16>) -> tensor<16xf8E4M3FN>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  return
}

func.func @convert_f16_f8E4M3FN_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf16>
  %1 = stablehlo.convert %0 : (tensor<6xf16>) -> tensor<6xf8E4M3FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FN>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 56, 57, 109, 1]> : tensor<6xui8>
  return
}

func.func @convert_f16_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %1 = stablehlo.convert %0 : (tensor<16xf16>) -> tensor<16xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  return
}

func.func @convert_f16_f8E4M3FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf16>
  %1 = stablehlo.convert %0 : (tensor<6xf16>) -> tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 65, 117, 1]> : tensor<6xui8>
  return
}

func.func @convert_f16_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0625, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %1 = stablehlo.convert %0 : (tensor<16xf16>) -> tensor<16xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  return
}

func.func @convert_f16_f8E5M2FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xf16>
  %1 = stablehlo.convert %0 : (tensor<6xf16>) -> tensor<6xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 64, 90, 24]> : tensor<6xui8>
  return
}

func.func @convert_bf16_f64() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 0x7F80, 1.7e-39, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.convert %0 : (tensor<16xbf16>) -> tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0625, 1.1015625, 3.140625, 100.5, -2.5e+02, 0.00099945068359375, -2.4959444999694824e-07, 9.984e+04, 0x7FF0000000000000, 1.744874427001833e-39, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @convert_bf16_f64_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %2, dense<[0, 9223372036854775808, 4607182418800017408, 4607639815637172224, 4636772475726725120, 4562251975642578944]> : tensor<6xui64>
  return
}

func.func @convert_bf16_f32() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 0x7F80, 1.7e-39, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.convert %0 : (tensor<16xbf16>) -> tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0625, 1.1015625, 3.140625, 100.5, -2.5e+02, 0.0009994507, -2.4959445e-07, 9.984e+04, 0x7F800000, 1.744874e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @convert_bf16_f32_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %2, dense<[0, 2147483648, 1065353216, 1066205184, 1120468992, 981663744]> : tensor<6xui32>
  return
}

func.func @convert_bf16_f16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 0x7F80, 1.7e-39, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.convert %0 : (tensor<16xbf16>) -> tensor<16xf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0625, 1.102, 3.14, 100.5, -2.5e+02, 0.000999, -2.4e-07, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  return
}

func.func @convert_bf16_f16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 15360, 15464, 22088, 5144]> : tensor<6xui16>
  return
}

func.func @convert_bf16_f8E5M2() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 0x7F80, 1.7e-39, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.convert %0 : (tensor<16xbf16>) -> tensor<16xf8E5M2>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  return
}

func.func @convert_bf16_f8E5M2_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 60, 60, 86, 20]> : tensor<6xui8>
  return
}

func.func @convert_bf16_f8E4M3FN() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 0x7F80, 1.7e-39, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.convert %0 : (tensor<16xbf16>) -> tensor<16xf8E4M3FN>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  return
}

func.func @convert_bf16_f8E4M3FN_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xf8E4M3FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FN>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 56, 57, 109, 1]> : tensor<6xui8>
  return
}

func.func @convert_bf16_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 0x7F80, 1.7e-39, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.convert %0 : (tensor<16xbf16>) -> tensor<16xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  return
}

func.func @convert_bf16_f8E4M3FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 65, 117, 1]> : tensor<6xui8>
  return
}

func.func @convert_bf16_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.06, 1.1, 3.14, 100.5, -2.5e+02, 0.001, -2.5e-07, 1.0e+05, 0x7F80, 1.7e-39, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.convert %0 : (tensor<16xbf16>) -> tensor<16xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  return
}

func.func @convert_bf16_f8E5M2FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 100.5, 0.001]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 64, 90, 24]> : tensor<6xui8>
  return
}

func.func @convert_f8E5M2_f64() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2>) -> tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -256.0, 0.0009765625, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @convert_f8E5M2_f64_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2>) -> tensor<6xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %2, dense<[0, 9223372036854775808, 4607182418800017408, 4607182418800017408, 4636455816377925632, 4562146422526312448]> : tensor<6xui64>
  return
}

func.func @convert_f8E5M2_f32() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2>) -> tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -256.0, 0.0009765625, -0.0, 0x7F800000, 0x7F800000, 0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @convert_f8E5M2_f32_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2>) -> tensor<6xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %2, dense<[0, 2147483648, 1065353216, 1065353216, 1119879168, 981467136]> : tensor<6xui32>
  return
}

func.func @convert_f8E5M2_f16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2>) -> tensor<16xf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -256.0, 0.000977, -0.0, 0x7C00, 0x7C00, 0.0, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  return
}

func.func @convert_f8E5M2_f16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2>) -> tensor<6xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 15360, 15360, 22016, 5120]> : tensor<6xui16>
  return
}

func.func @convert_f8E5M2_bf16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2>) -> tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -256.0, 0.00098, -0.0, 0x7F80, 0x7F80, 0.0, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @convert_f8E5M2_bf16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2>) -> tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 16256, 16256, 17088, 14976]> : tensor<6xui16>
  return
}

func.func @convert_f8E5M2_f8E4M3FN() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2>) -> tensor<16xf8E4M3FN>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.0, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  return
}

func.func @convert_f8E5M2_f8E4M3FN_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2>) -> tensor<6xf8E4M3FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FN>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 56, 56, 108, 0]> : tensor<6xui8>
  return
}

func.func @convert_f8E5M2_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2>) -> tensor<16xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  return
}

func.func @convert_f8E5M2_f8E4M3FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2>) -> tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 64, 116, 1]> : tensor<6xui8>
  return
}

func.func @convert_f8E5M2_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, -0.0, 0x7C, 0x7C, 0.0, 0x7C, 0xFC, 0x7E]> : tensor<16xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2>) -> tensor<16xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  return
}

func.func @convert_f8E5M2_f8E5M2FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2>) -> tensor<6xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 64, 90, 24]> : tensor<6xui8>
  return
}

func.func @convert_f8E4M3FN_f64() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FN>) -> tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.125, 3.25, 104.0, -256.0, 0.001953125, -0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @convert_f8E4M3FN_f64_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 104.0, 0.002]> : tensor<6xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FN>) -> tensor<6xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %2, dense<[0, 9223372036854775808, 4607182418800017408, 4607745368753438720, 4637018766331346944, 4566650022153682944]> : tensor<6xui64>
  return
}

func.func @convert_f8E4M3FN_f32() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FN>) -> tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.125, 3.25, 104.0, -256.0, 0.001953125, -0.0, 0x7FC00000, 0x7FC00000, 0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @convert_f8E4M3FN_f32_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 104.0, 0.002]> : tensor<6xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FN>) -> tensor<6xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %2, dense<[0, 2147483648, 1065353216, 1066401792, 1120927744, 989855744]> : tensor<6xui32>
  return
}

func.func @convert_f8E4M3FN_f16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FN>) -> tensor<16xf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.125, 3.25, 104.0, -256.0, 0.001953, -0.0, 0x7E00, 0x7E00, 0.0, 0x7E00, 0x7E00, 0x7E00]> : tensor<16xf16>
  return
}

func.func @convert_f8E4M3FN_f16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 104.0, 0.002]> : tensor<6xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FN>) -> tensor<6xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 15360, 15488, 22144, 6144]> : tensor<6xui16>
  return
}

func.func @convert_f8E4M3FN_bf16() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FN>) -> tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.125, 3.25, 104.0, -256.0, 0.00195, -0.0, 0x7FC0, 0x7FC0, 0.0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @convert_f8E4M3FN_bf16_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 104.0, 0.002]> : tensor<6xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FN>) -> tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 32768, 16256, 16272, 17104, 15104]> : tensor<6xui16>
  return
}

func.func @convert_f8E4M3FN_f8E5M2() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FN>) -> tensor<16xf8E5M2>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.002, -0.0, 0x7E, 0x7E, 0.0, 0x7E, 0x7E, 0x7E]> : tensor<16xf8E5M2>
  return
}

func.func @convert_f8E4M3FN_f8E5M2_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 104.0, 0.002]> : tensor<6xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FN>) -> tensor<6xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 128, 60, 60, 86, 24]> : tensor<6xui8>
  return
}

func.func @convert_f8E4M3FN_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FN>) -> tensor<16xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.002, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  return
}

func.func @convert_f8E4M3FN_f8E4M3FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 104.0, 0.002]> : tensor<6xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FN>) -> tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 65, 117, 2]> : tensor<6xui8>
  return
}

func.func @convert_f8E4M3FN_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.1, 3.2, 104.0, -2.6e+02, 0.002, -0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FN>) -> tensor<16xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.002, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  return
}

func.func @convert_f8E4M3FN_f8E5M2FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.1, 104.0, 0.002]> : tensor<6xf8E4M3FN>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FN>) -> tensor<6xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 64, 90, 28]> : tensor<6xui8>
  return
}

func.func @convert_f8E4M3FNUZ_f64() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FNUZ>) -> tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.125, 3.25, 104.0, 0x7FF8000000000000, 0.0009765625, 0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @convert_f8E4M3FNUZ_f64_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.1, 104.0, 0.00098]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %2, dense<[0, 0, 4607182418800017408, 4607745368753438720, 4637018766331346944, 4562146422526312448]> : tensor<6xui64>
  return
}

func.func @convert_f8E4M3FNUZ_f32() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FNUZ>) -> tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.125, 3.25, 104.0, 0x7FC00000, 0.0009765625, 0.0, 0x7FC00000, 0x7FC00000, 0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @convert_f8E4M3FNUZ_f32_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.1, 104.0, 0.00098]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %2, dense<[0, 0, 1065353216, 1066401792, 1120927744, 981467136]> : tensor<6xui32>
  return
}

func.func @convert_f8E4M3FNUZ_f16() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FNUZ>) -> tensor<16xf16>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.125, 3.25, 104.0, 0x7E00, 0.000977, 0.0, 0x7E00, 0x7E00, 0.0, 0x7E00, 0x7E00, 0x7E00]> : tensor<16xf16>
  return
}

func.func @convert_f8E4M3FNUZ_f16_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.1, 104.0, 0.00098]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 0, 15360, 15488, 22144, 5120]> : tensor<6xui16>
  return
}

func.func @convert_f8E4M3FNUZ_bf16() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FNUZ>) -> tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.125, 3.25, 104.0, 0x7FC0, 0.00098, 0.0, 0x7FC0, 0x7FC0, 0.0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @convert_f8E4M3FNUZ_bf16_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.1, 104.0, 0.00098]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 0, 16256, 16272, 17104, 14976]> : tensor<6xui16>
  return
}

func.func @convert_f8E4M3FNUZ_f8E5M2() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FNUZ>) -> tensor<16xf8E5M2>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, 0x7E, 0.00098, 0.0, 0x7E, 0x7E, 0.0, 0x7E, 0x7E, 0x7E]> : tensor<16xf8E5M2>
  return
}

func.func @convert_f8E4M3FNUZ_f8E5M2_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.1, 104.0, 0.00098]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 60, 60, 86, 20]> : tensor<6xui8>
  return
}

func.func @convert_f8E4M3FNUZ_f8E4M3FN() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FNUZ>) -> tensor<16xf8E4M3FN>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x7F, 0.0, 0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  return
}

func.func @convert_f8E4M3FNUZ_f8E4M3FN_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.1, 104.0, 0.00098]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf8E4M3FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FN>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 56, 57, 109, 0]> : tensor<6xui8>
  return
}

func.func @convert_f8E4M3FNUZ_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.1, 3.2, 104.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E4M3FNUZ>) -> tensor<16xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  return
}

func.func @convert_f8E4M3FNUZ_f8E5M2FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.1, 104.0, 0.00098]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 64, 90, 24]> : tensor<6xui8>
  return
}

func.func @convert_f8E5M2FNUZ_f64() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2FNUZ>) -> tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -256.0, 0.0009765625, 0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @convert_f8E5M2FNUZ_f64_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %2, dense<[0, 0, 4607182418800017408, 4607182418800017408, 4636455816377925632, 4562146422526312448]> : tensor<6xui64>
  return
}

func.func @convert_f8E5M2FNUZ_f32() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2FNUZ>) -> tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -256.0, 0.0009765625, 0.0, 0x7FC00000, 0x7FC00000, 0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @convert_f8E5M2FNUZ_f32_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %2, dense<[0, 0, 1065353216, 1065353216, 1119879168, 981467136]> : tensor<6xui32>
  return
}

func.func @convert_f8E5M2FNUZ_f16() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2FNUZ>) -> tensor<16xf16>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -256.0, 0.000977, 0.0, 0x7E00, 0x7E00, 0.0, 0x7E00, 0x7E00, 0x7E00]> : tensor<16xf16>
  return
}

func.func @convert_f8E5M2FNUZ_f16_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 0, 15360, 15360, 22016, 5120]> : tensor<6xui16>
  return
}

func.func @convert_f8E5M2FNUZ_bf16() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2FNUZ>) -> tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -256.0, 0.00098, 0.0, 0x7FC0, 0x7FC0, 0.0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @convert_f8E5M2FNUZ_bf16_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[0, 0, 16256, 16256, 17088, 14976]> : tensor<6xui16>
  return
}

func.func @convert_f8E5M2FNUZ_f8E5M2() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2FNUZ>) -> tensor<16xf8E5M2>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x7E, 0x7E, 0.0, 0x7E, 0x7E, 0x7E]> : tensor<16xf8E5M2>
  return
}

func.func @convert_f8E5M2FNUZ_f8E5M2_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 60, 60, 86, 20]> : tensor<6xui8>
  return
}

func.func @convert_f8E5M2FNUZ_f8E4M3FN() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2FNUZ>) -> tensor<16xf8E4M3FN>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.0, 0.0, 0x7F, 0x7F, 0.0, 0x7F, 0x7F, 0x7F]> : tensor<16xf8E4M3FN>
  return
}

func.func @convert_f8E5M2FNUZ_f8E4M3FN_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf8E4M3FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FN>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 56, 56, 108, 0]> : tensor<6xui8>
  return
}

func.func @convert_f8E5M2FNUZ_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, -2.6e+02, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<16xf8E5M2FNUZ>) -> tensor<16xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0.0, 0.0, 1.0, -1.0, 1.0, 3.0, 96.0, 0x80, 0.00098, 0.0, 0x80, 0x80, 0.0, 0x80, 0x80, 0x80]> : tensor<16xf8E4M3FNUZ>
  return
}

func.func @convert_f8E5M2FNUZ_f8E4M3FNUZ_finite() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 96.0, 0.00098]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[0, 0, 64, 64, 116, 1]> : tensor<6xui8>
  return
}

func.func @convert_f64_bf16_rounds_once() {
  %0 = stablehlo.constant dense<[1.00390625, 1.0039062500000009, 1.01171875, 1.0039062499999991]> : tensor<4xf64>
  %1 = stablehlo.convert %0 : (tensor<4xf64>) -> tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[16256, 16257, 16258, 16256]> : tensor<4xui16>
  return
}

func.func @convert_f32_f8E4M3FNUZ_end() {
  %0 = stablehlo.constant dense<[248.0, 247.0, 2.4e+02, -248.0]> : tensor<4xf32>
  %1 = stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 2.4e+02, 2.4e+02, 0x80]> : tensor<4xf8E4M3FNUZ>
  return
}

func.func @convert_f32_f8E5M2FNUZ_end() {
  %0 = stablehlo.constant dense<[6.144e+04, 61439.0, -6.144e+04]> : tensor<3xf32>
  %1 = stablehlo.convert %0 : (tensor<3xf32>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 5.7e+04, 0x80]> : tensor<3xf8E5M2FNUZ>
  return
}

func.func @convert_f32_f8E4M3FN_end() {
  %0 = stablehlo.constant dense<[464.0, 465.0, -4.8e+02]> : tensor<3xf32>
  %1 = stablehlo.convert %0 : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %1, dense<[4.5e+02, 0x7F, 0x7F]> : tensor<3xf8E4M3FN>
  return
}

func.func @convert_f32_f8E4M3FNUZ_subnormal() {
  %0 = stablehlo.constant dense<[0.00048828125, 0.00049316406, 0.0014648438]> : tensor<3xf32>
  %1 = stablehlo.convert %0 : (tensor<3xf32>) -> tensor<3xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3xf8E4M3FNUZ>) -> tensor<3xui8>
  check.expect_eq_const %2, dense<[0, 1, 2]> : tensor<3xui8>
  return
}

func.func @convert_i8_f64() {
  %0 = stablehlo.constant dense<[-128, 127, 0, 1, 5]> : tensor<5xi8>
  %1 = stablehlo.convert %0 : (tensor<5xi8>) -> tensor<5xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %2, dense<[13862079653046386688, 4638637247447433216, 0, 4607182418800017408, 4617315517961601024]> : tensor<5xui64>
  return
}

func.func @convert_i8_f32() {
  %0 = stablehlo.constant dense<[-128, 127, 0, 1, 5]> : tensor<5xi8>
  %1 = stablehlo.convert %0 : (tensor<5xi8>) -> tensor<5xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %2, dense<[3271557120, 1123942400, 0, 1065353216, 1084227584]> : tensor<5xui32>
  return
}

func.func @convert_i8_bf16() {
  %0 = stablehlo.constant dense<[-128, 127, 0, 1, 5]> : tensor<5xi8>
  %1 = stablehlo.convert %0 : (tensor<5xi8>) -> tensor<5xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xbf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[49920, 17150, 0, 16256, 16544]> : tensor<5xui16>
  return
}

func.func @convert_i8_f16() {
  %0 = stablehlo.constant dense<[-128, 127, 0, 1, 5]> : tensor<5xi8>
  %1 = stablehlo.convert %0 : (tensor<5xi8>) -> tensor<5xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[55296, 22512, 0, 15360, 17664]> : tensor<5xui16>
  return
}

func.func @convert_i8_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xi8>
  %1 = stablehlo.convert %0 : (tensor<4xi8>) -> tensor<4xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 82, 86]> : tensor<4xui8>
  return
}

func.func @convert_i8_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xi8>
  %1 = stablehlo.convert %0 : (tensor<4xi8>) -> tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 73, 75]> : tensor<4xui8>
  return
}

func.func @convert_i8_i1() {
  %0 = stablehlo.constant dense<[-128, 127, 0, 1, 5]> : tensor<5xi8>
  %1 = stablehlo.convert %0 : (tensor<5xi8>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[true, true, false, true, true]> : tensor<5xi1>
  return
}

func.func @convert_i1_i8() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<[0, 1]> : tensor<2xi8>
  return
}

func.func @convert_f64_i8() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xi8>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi8>
  return
}

func.func @convert_bf16_i8() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xi8>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi8>
  return
}

func.func @convert_f8E4M3FNUZ_i8() {
  %0 = stablehlo.constant dense<[0.0, 1.8, -0.75, 2.5, 5.0, 0.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xi8>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi8>
  return
}

func.func @convert_i8_i16() {
  %0 = stablehlo.constant dense<[-128, 127, 0, 1, 5]> : tensor<5xi8>
  %1 = stablehlo.convert %0 : (tensor<5xi8>) -> tensor<5xi16>
  check.expect_eq_const %1, dense<[-128, 127, 0, 1, 5]> : tensor<5xi16>
  return
}

func.func @convert_i8_ui16() {
  %0 = stablehlo.constant dense<[-128, 127, 0, 1, 5]> : tensor<5xi8>
  %1 = stablehlo.convert %0 : (tensor<5xi8>) -> tensor<5xui16>
  check.expect_eq_const %1, dense<[65408, 127, 0, 1, 5]> : tensor<5xui16>
  return
}

func.func @convert_i8_i4() {
  %0 = stablehlo.constant dense<[-128, 127, 0, 1, 5]> : tensor<5xi8>
  %1 = stablehlo.convert %0 : (tensor<5xi8>) -> tensor<5xi4>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi4>
  return
}

func.func @convert_i8_ui32() {
  %0 = stablehlo.constant dense<[-128, 127, 0, 1, 5]> : tensor<5xi8>
  %1 = stablehlo.convert %0 : (tensor<5xi8>) -> tensor<5xui32>
  check.expect_eq_const %1, dense<[4294967168, 127, 0, 1, 5]> : tensor<5xui32>
  return
}

func.func @convert_ui8_f64() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %2, dense<[0, 4643176031446892544, 0, 4607182418800017408, 4617315517961601024]> : tensor<5xui64>
  return
}

func.func @convert_ui8_f32() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %2, dense<[0, 1132396544, 0, 1065353216, 1084227584]> : tensor<5xui32>
  return
}

func.func @convert_ui8_bf16() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xbf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[0, 17279, 0, 16256, 16544]> : tensor<5xui16>
  return
}

func.func @convert_ui8_f16() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[0, 23544, 0, 15360, 17664]> : tensor<5xui16>
  return
}

func.func @convert_ui8_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xui8>
  %1 = stablehlo.convert %0 : (tensor<4xui8>) -> tensor<4xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 82, 86]> : tensor<4xui8>
  return
}

func.func @convert_ui8_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xui8>
  %1 = stablehlo.convert %0 : (tensor<4xui8>) -> tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 73, 75]> : tensor<4xui8>
  return
}

func.func @convert_ui8_i1() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[false, true, false, true, true]> : tensor<5xi1>
  return
}

func.func @convert_i1_ui8() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xui8>
  check.expect_eq_const %1, dense<[0, 1]> : tensor<2xui8>
  return
}

func.func @convert_f64_ui8() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xui8>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xui8>
  return
}

func.func @convert_bf16_ui8() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xui8>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xui8>
  return
}

func.func @convert_f8E4M3FNUZ_ui8() {
  %0 = stablehlo.constant dense<[0.0, 1.8, -0.75, 2.5, 5.0, 0.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xui8>
  return
}

func.func @convert_ui8_i8() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xi8>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi8>
  return
}

func.func @convert_ui8_i16() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xi16>
  check.expect_eq_const %1, dense<[0, 255, 0, 1, 5]> : tensor<5xi16>
  return
}

func.func @convert_ui8_ui16() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xui16>
  check.expect_eq_const %1, dense<[0, 255, 0, 1, 5]> : tensor<5xui16>
  return
}

func.func @convert_ui8_i4() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xi4>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi4>
  return
}

func.func @convert_ui8_ui32() {
  %0 = stablehlo.constant dense<[0, 255, 0, 1, 5]> : tensor<5xui8>
  %1 = stablehlo.convert %0 : (tensor<5xui8>) -> tensor<5xui32>
  check.expect_eq_const %1, dense<[0, 255, 0, 1, 5]> : tensor<5xui32>
  return
}

func.func @convert_i32_f64() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %2, dense<[13970166044103278592, 4746794007244308480, 0, 4607182418800017408, 4617315517961601024]> : tensor<5xui64>
  return
}

func.func @convert_i32_f32() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %2, dense<[3472883712, 1325400064, 0, 1065353216, 1084227584]> : tensor<5xui32>
  return
}

func.func @convert_i32_bf16() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xbf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[52992, 20224, 0, 16256, 16544]> : tensor<5xui16>
  return
}

func.func @convert_i32_f16() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[64512, 31744, 0, 15360, 17664]> : tensor<5xui16>
  return
}

func.func @convert_i32_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xi32>
  %1 = stablehlo.convert %0 : (tensor<4xi32>) -> tensor<4xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 82, 86]> : tensor<4xui8>
  return
}

func.func @convert_i32_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xi32>
  %1 = stablehlo.convert %0 : (tensor<4xi32>) -> tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 73, 75]> : tensor<4xui8>
  return
}

func.func @convert_i32_i1() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[true, true, false, true, true]> : tensor<5xi1>
  return
}

func.func @convert_i1_i32() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[0, 1]> : tensor<2xi32>
  return
}

func.func @convert_f64_i32() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xi32>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi32>
  return
}

func.func @convert_bf16_i32() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xi32>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi32>
  return
}

func.func @convert_f8E4M3FNUZ_i32() {
  %0 = stablehlo.constant dense<[0.0, 1.8, -0.75, 2.5, 5.0, 0.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xi32>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi32>
  return
}

func.func @convert_i32_i8() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xi8>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi8>
  return
}

func.func @convert_i32_i16() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xi16>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi16>
  return
}

func.func @convert_i32_ui16() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xui16>
  check.expect_eq_const %1, dense<[0, 65535, 0, 1, 5]> : tensor<5xui16>
  return
}

func.func @convert_i32_i4() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xi4>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi4>
  return
}

func.func @convert_i32_ui32() {
  %0 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 1, 5]> : tensor<5xi32>
  %1 = stablehlo.convert %0 : (tensor<5xi32>) -> tensor<5xui32>
  check.expect_eq_const %1, dense<[2147483648, 2147483647, 0, 1, 5]> : tensor<5xui32>
  return
}

func.func @convert_i64_f64() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %2, dense<[14114281232179134464, 4890909195324358656, 0, 4607182418800017408, 4617315517961601024]> : tensor<5xui64>
  return
}

func.func @convert_i64_f32() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %2, dense<[3741319168, 1593835520, 0, 1065353216, 1084227584]> : tensor<5xui32>
  return
}

func.func @convert_i64_bf16() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xbf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[57088, 24320, 0, 16256, 16544]> : tensor<5xui16>
  return
}

func.func @convert_i64_f16() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[64512, 31744, 0, 15360, 17664]> : tensor<5xui16>
  return
}

func.func @convert_i64_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xi64>
  %1 = stablehlo.convert %0 : (tensor<4xi64>) -> tensor<4xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 82, 86]> : tensor<4xui8>
  return
}

func.func @convert_i64_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xi64>
  %1 = stablehlo.convert %0 : (tensor<4xi64>) -> tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 73, 75]> : tensor<4xui8>
  return
}

func.func @convert_i64_i1() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[true, true, false, true, true]> : tensor<5xi1>
  return
}

func.func @convert_i1_i64() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xi64>
  check.expect_eq_const %1, dense<[0, 1]> : tensor<2xi64>
  return
}

func.func @convert_f64_i64() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xi64>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi64>
  return
}

func.func @convert_bf16_i64() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xi64>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi64>
  return
}

func.func @convert_f8E4M3FNUZ_i64() {
  %0 = stablehlo.constant dense<[0.0, 1.8, -0.75, 2.5, 5.0, 0.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xi64>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi64>
  return
}

func.func @convert_i64_i8() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xi8>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi8>
  return
}

func.func @convert_i64_i16() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xi16>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi16>
  return
}

func.func @convert_i64_ui16() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xui16>
  check.expect_eq_const %1, dense<[0, 65535, 0, 1, 5]> : tensor<5xui16>
  return
}

func.func @convert_i64_i4() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xi4>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi4>
  return
}

func.func @convert_i64_ui32() {
  %0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 1, 5]> : tensor<5xi64>
  %1 = stablehlo.convert %0 : (tensor<5xi64>) -> tensor<5xui32>
  check.expect_eq_const %1, dense<[0, 4294967295, 0, 1, 5]> : tensor<5xui32>
  return
}

func.func @convert_ui64_f64() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %2, dense<[0, 4895412794951729152, 0, 4607182418800017408, 4617315517961601024]> : tensor<5xui64>
  return
}

func.func @convert_ui64_f32() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %2, dense<[0, 1602224128, 0, 1065353216, 1084227584]> : tensor<5xui32>
  return
}

func.func @convert_ui64_bf16() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xbf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[0, 24448, 0, 16256, 16544]> : tensor<5xui16>
  return
}

func.func @convert_ui64_f16() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[0, 31744, 0, 15360, 17664]> : tensor<5xui16>
  return
}

func.func @convert_ui64_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xui64>
  %1 = stablehlo.convert %0 : (tensor<4xui64>) -> tensor<4xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 82, 86]> : tensor<4xui8>
  return
}

func.func @convert_ui64_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xui64>
  %1 = stablehlo.convert %0 : (tensor<4xui64>) -> tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 73, 75]> : tensor<4xui8>
  return
}

func.func @convert_ui64_i1() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[false, true, false, true, true]> : tensor<5xi1>
  return
}

func.func @convert_i1_ui64() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xui64>
  check.expect_eq_const %1, dense<[0, 1]> : tensor<2xui64>
  return
}

func.func @convert_f64_ui64() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xui64>
  return
}

func.func @convert_bf16_ui64() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xui64>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xui64>
  return
}

func.func @convert_f8E4M3FNUZ_ui64() {
  %0 = stablehlo.constant dense<[0.0, 1.8, -0.75, 2.5, 5.0, 0.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui64>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xui64>
  return
}

func.func @convert_ui64_i8() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xi8>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi8>
  return
}

func.func @convert_ui64_i16() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xi16>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi16>
  return
}

func.func @convert_ui64_ui16() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xui16>
  check.expect_eq_const %1, dense<[0, 65535, 0, 1, 5]> : tensor<5xui16>
  return
}

func.func @convert_ui64_i4() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xi4>
  check.expect_eq_const %1, dense<[0, -1, 0, 1, 5]> : tensor<5xi4>
  return
}

func.func @convert_ui64_ui32() {
  %0 = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 5]> : tensor<5xui64>
  %1 = stablehlo.convert %0 : (tensor<5xui64>) -> tensor<5xui32>
  check.expect_eq_const %1, dense<[0, 4294967295, 0, 1, 5]> : tensor<5xui32>
  return
}

func.func @convert_i4_f64() {
  %0 = stablehlo.constant dense<[-8, 7, 0, 1, 5]> : tensor<5xi4>
  %1 = stablehlo.convert %0 : (tensor<5xi4>) -> tensor<5xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %2, dense<[13844065254536904704, 4619567317775286272, 0, 4607182418800017408, 4617315517961601024]> : tensor<5xui64>
  return
}

func.func @convert_i4_f32() {
  %0 = stablehlo.constant dense<[-8, 7, 0, 1, 5]> : tensor<5xi4>
  %1 = stablehlo.convert %0 : (tensor<5xi4>) -> tensor<5xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %2, dense<[3238002688, 1088421888, 0, 1065353216, 1084227584]> : tensor<5xui32>
  return
}

func.func @convert_i4_bf16() {
  %0 = stablehlo.constant dense<[-8, 7, 0, 1, 5]> : tensor<5xi4>
  %1 = stablehlo.convert %0 : (tensor<5xi4>) -> tensor<5xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xbf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[49408, 16608, 0, 16256, 16544]> : tensor<5xui16>
  return
}

func.func @convert_i4_f16() {
  %0 = stablehlo.constant dense<[-8, 7, 0, 1, 5]> : tensor<5xi4>
  %1 = stablehlo.convert %0 : (tensor<5xi4>) -> tensor<5xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[51200, 18176, 0, 15360, 17664]> : tensor<5xui16>
  return
}

func.func @convert_i4_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xi4>
  %1 = stablehlo.convert %0 : (tensor<4xi4>) -> tensor<4xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 82, 86]> : tensor<4xui8>
  return
}

func.func @convert_i4_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0, 1, 5, 7]> : tensor<4xi4>
  %1 = stablehlo.convert %0 : (tensor<4xi4>) -> tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[0, 64, 73, 75]> : tensor<4xui8>
  return
}

func.func @convert_i4_i1() {
  %0 = stablehlo.constant dense<[-8, 7, 0, 1, 5]> : tensor<5xi4>
  %1 = stablehlo.convert %0 : (tensor<5xi4>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[true, true, false, true, true]> : tensor<5xi1>
  return
}

func.func @convert_i1_i4() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xi4>
  check.expect_eq_const %1, dense<[0, 1]> : tensor<2xi4>
  return
}

func.func @convert_f64_i4() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xf64>
  %1 = stablehlo.convert %0 : (tensor<6xf64>) -> tensor<6xi4>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi4>
  return
}

func.func @convert_bf16_i4() {
  %0 = stablehlo.constant dense<[0.0, 1.75, -0.75, 2.5, 5.0, -0.0]> : tensor<6xbf16>
  %1 = stablehlo.convert %0 : (tensor<6xbf16>) -> tensor<6xi4>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi4>
  return
}

func.func @convert_f8E4M3FNUZ_i4() {
  %0 = stablehlo.constant dense<[0.0, 1.8, -0.75, 2.5, 5.0, 0.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xi4>
  check.expect_eq_const %1, dense<[0, 1, 0, 2, 5, 0]> : tensor<6xi4>
  return
}

func.func @convert_i4_i8() {
  %0 = stablehlo.constant dense<[-8, 7, 0, 1, 5]> : tensor<5xi4>
  %1 = stablehlo.convert %0 : (tensor<5xi4>) -> tensor<5xi8>
  check.expect_eq_const %1, dense<[-8, 7, 0, 1, 5]> : tensor<5xi8>
  return
}

func.func @convert_i4_i16() {
  %0 = stablehlo.constant dense<[-8, 7, 0, 1, 5]> : tensor<5xi4>
  %1 = stablehlo.convert %0 : (tensor<5xi4>) -> tensor<5xi16>
  check.expect_eq_const %1, dense<[-8, 7, 0, 1, 5]> : tensor<5xi16>
  return
}

func.func @convert_i4_ui16() {
  %0 = stablehlo.constant dense<[-8, 7, 0, 1, 5]> : tensor<5xi4>
  %1 = stablehlo.convert %0 : (tensor<5xi4>) -> tensor<5xui16>
  check.expect_eq_const %1, dense<[65528, 7, 0, 1, 5]> : tensor<5xui16>
  return
}

func.func @convert_i4_ui32() {
  %0 = stablehlo.constant dense<[-8, 7, 0, 1, 5]> : tensor<5xi4>
  %1 = stablehlo.convert %0 : (tensor<5xi4>) -> tensor<5xui32>
  check.expect_eq_const %1, dense<[4294967288, 7, 0, 1, 5]> : tensor<5xui32>
  return
}

func.func @convert_i1_f32() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %2, dense<[0, 1065353216]> : tensor<2xui32>
  return
}

func.func @convert_f32_i1() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 0.25, -1.0, 0x7FC00000]> : tensor<5xf32>
  %1 = stablehlo.convert %0 : (tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[false, false, true, true, true]> : tensor<5xi1>
  return
}

func.func @convert_i1_bf16() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %2, dense<[0, 16256]> : tensor<2xui16>
  return
}

func.func @convert_bf16_i1() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 0.25, -1.0, 0x7FC0]> : tensor<5xbf16>
  %1 = stablehlo.convert %0 : (tensor<5xbf16>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[false, false, true, true, true]> : tensor<5xi1>
  return
}

func.func @convert_i1_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2xf8E4M3FNUZ>) -> tensor<2xui8>
  check.expect_eq_const %2, dense<[0, 64]> : tensor<2xui8>
  return
}

func.func @convert_f8E4M3FNUZ_i1() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.25, -1.0, 0x80]> : tensor<5xf8E4M3FNUZ>
  %1 = stablehlo.convert %0 : (tensor<5xf8E4M3FNUZ>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[false, false, true, true, true]> : tensor<5xi1>
  return
}

func.func @convert_i1_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.convert %0 : (tensor<2xi1>) -> tensor<2xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2xf8E5M2FNUZ>) -> tensor<2xui8>
  check.expect_eq_const %2, dense<[0, 64]> : tensor<2xui8>
  return
}

func.func @convert_f8E5M2FNUZ_i1() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.25, -1.0, 0x80]> : tensor<5xf8E5M2FNUZ>
  %1 = stablehlo.convert %0 : (tensor<5xf8E5M2FNUZ>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[false, false, true, true, true]> : tensor<5xi1>
  return
}

func.func @convert_complex_f32_f32() {
  %0 = stablehlo.constant dense<[(1.5, 2.0), (-3.0, 1.0)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.convert %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %2, dense<[1069547520, 3225419776]> : tensor<2xui32>
  return
}

func.func @convert_f32_complex_f64() {
  %0 = stablehlo.constant dense<[1.5, -3.0]> : tensor<2xf32>
  %1 = stablehlo.convert %0 : (tensor<2xf32>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %1, dense<[(1.5, 0.0), (-3.0, 0.0)]> : tensor<2xcomplex<f64>>
  return
}

func.func @convert_complex_f64_complex_f32() {
  %0 = stablehlo.constant dense<[(1.5, 2.0)]> : tensor<1xcomplex<f64>>
  %1 = stablehlo.convert %0 : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %1, dense<[(1.5, 2.0)]> : tensor<1xcomplex<f32>>
  return
}

func.func @convert_complex_f32_i32() {
  %0 = stablehlo.constant dense<[(1.5, 2.0)]> : tensor<1xcomplex<f32>>
  %1 = stablehlo.convert %0 : (tensor<1xcomplex<f32>>) -> tensor<1xi32>
  check.expect_eq_const %1, dense<[1]> : tensor<1xi32>
  return
}

func.func @convert_i8_complex_f32() {
  %0 = stablehlo.constant dense<[-3]> : tensor<1xi8>
  %1 = stablehlo.convert %0 : (tensor<1xi8>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %1, dense<[(-3.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

func.func @convert_f64_f4E2M1FN() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 0.25, 0.26, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0, -6.0, -4.9]> : tensor<13xf64>
  %1 = stablehlo.convert %0 : (tensor<13xf64>) -> tensor<13xf4E2M1FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<13xf4E2M1FN>) -> tensor<13xui4>
  check.expect_eq_const %2, dense<[0, 8, 0, 1, 2, 2, 4, 4, 6, 6, 7, 15, 14]> : tensor<13xui4>
  %3 = stablehlo.convert %1 : (tensor<13xf4E2M1FN>) -> tensor<13xf64>
  check.expect_eq_const %3, dense<[0.0, -0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 6.0, -6.0, -4.0]> : tensor<13xf64>
  return
}

func.func @convert_f32_f4E2M1FN() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 0.25, 0.26, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0, -6.0, -4.9]> : tensor<13xf32>
  %1 = stablehlo.convert %0 : (tensor<13xf32>) -> tensor<13xf4E2M1FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<13xf4E2M1FN>) -> tensor<13xui4>
  check.expect_eq_const %2, dense<[0, 8, 0, 1, 2, 2, 4, 4, 6, 6, 7, 15, 14]> : tensor<13xui4>
  %3 = stablehlo.convert %1 : (tensor<13xf4E2M1FN>) -> tensor<13xf32>
  check.expect_eq_const %3, dense<[0.0, -0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 6.0, -6.0, -4.0]> : tensor<13xf32>
  return
}

func.func @convert_bf16_f4E2M1FN() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 0.25, 0.26, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0, -6.0, -4.9]> : tensor<13xbf16>
  %1 = stablehlo.convert %0 : (tensor<13xbf16>) -> tensor<13xf4E2M1FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<13xf4E2M1FN>) -> tensor<13xui4>
  check.expect_eq_const %2, dense<[0, 8, 0, 1, 2, 2, 4, 4, 6, 6, 7, 15, 14]> : tensor<13xui4>
  %3 = stablehlo.convert %1 : (tensor<13xf4E2M1FN>) -> tensor<13xbf16>
  check.expect_eq_const %3, dense<[0.0, -0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 6.0, -6.0, -4.0]> : tensor<13xbf16>
  return
}
