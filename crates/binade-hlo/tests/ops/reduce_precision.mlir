// stablehlo.reduce_precision by its definition, over element types, edges and empty shapes.

func.func @reduce_precision_f32_e5m10() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.reduce_precision %0, format = e5m10 : tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.2998047, 3.3007812, 65504.0, 0x7F800000, 0.0, 0.0, -0.0, 0x7F800000, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @reduce_precision_f64_e5m10() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.reduce_precision %0, format = e5m10 : tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.2998046875, 3.30078125, 65504.0, 0x7FF0000000000000, 0.0, 0.0, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @reduce_precision_bf16_e5m10() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.reduce_precision %0, format = e5m10 : tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 0x7F80, 0x7F80, 0.0, 0.0, -0.0, 0x7F80, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @reduce_precision_f32_e8m7() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.reduce_precision %0, format = e8m7 : tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.296875, 3.296875, 65536.0, 65536.0, 1.001358e-05, 6.0081482e-05, -6.984919e-08, 9.96921e+37, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @reduce_precision_f64_e8m7() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.reduce_precision %0, format = e8m7 : tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.296875, 3.296875, 65536.0, 65536.0, 1.0013580322265625e-05, 6.008148193359375e-05, -6.984919309616089e-08, 9.969209968386869e+37, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @reduce_precision_bf16_e8m7() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.reduce_precision %0, format = e8m7 : tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @reduce_precision_f32_e4m3() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.reduce_precision %0, format = e4m3 : tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.25, -1.25, 3.25, 0x7F800000, 0x7F800000, 0.0, 0.0, -0.0, 0x7F800000, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @reduce_precision_f64_e4m3() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.reduce_precision %0, format = e4m3 : tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.25, -1.25, 3.25, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 0.0, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @reduce_precision_bf16_e4m3() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.reduce_precision %0, format = e4m3 : tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.25, -1.25, 3.25, 0x7F80, 0x7F80, 0.0, 0.0, -0.0, 0x7F80, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @reduce_precision_f32_e5m2() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.reduce_precision %0, format = e5m2 : tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.25, -1.25, 3.5, 0x7F800000, 0x7F800000, 0.0, 6.1035156e-05, -0.0, 0x7F800000, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @reduce_precision_f64_e5m2() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.reduce_precision %0, format = e5m2 : tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.25, -1.25, 3.5, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 6.103515625e-05, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @reduce_precision_bf16_e5m2() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.reduce_precision %0, format = e5m2 : tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.25, -1.25, 3.5, 0x7F80, 0x7F80, 0.0, 6.1e-05, -0.0, 0x7F80, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @reduce_precision_f32_e11m52() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.reduce_precision %0, format = e11m52 : tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @reduce_precision_f64_e11m52() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.reduce_precision %0, format = e11m52 : tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @reduce_precision_bf16_e11m52() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.reduce_precision %0, format = e11m52 : tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @reduce_precision_f32_e8m23() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.reduce_precision %0, format = e8m23 : tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @reduce_precision_f64_e8m23() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.reduce_precision %0, format = e8m23 : tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.2999999523162842, 3.299999952316284, 65504.0, 6.552e+04, 9.999999747378752e-06, 5.999999848427251e-05, -6.999999868639861e-08, 9.999999680285692e+37, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @reduce_precision_bf16_e8m23() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.reduce_precision %0, format = e8m23 : tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @reduce_precision_f32_e2m1() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.reduce_precision %0, format = e2m1 : tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.0, -1.5, 3.0, 0x7F800000, 0x7F800000, 0.0, 0.0, -0.0, 0x7F800000, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @reduce_precision_f64_e2m1() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.reduce_precision %0, format = e2m1 : tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.0, -1.5, 3.0, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 0.0, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @reduce_precision_bf16_e2m1() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.reduce_precision %0, format = e2m1 : tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.0, -1.5, 3.0, 0x7F80, 0x7F80, 0.0, 0.0, -0.0, 0x7F80, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @reduce_precision_f32_e5m1() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.reduce_precision %0, format = e5m1 : tensor<16xf32>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.0, -1.5, 3.0, 0x7F800000, 0x7F800000, 0.0, 6.1035156e-05, -0.0, 0x7F800000, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  return
}

func.func @reduce_precision_f64_e5m1() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.1875, -1.3, 3.3, 65504.0, 6.552e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %1 = stablehlo.reduce_precision %0, format = e5m1 : tensor<16xf64>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.0, -1.5, 3.0, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 6.103515625e-05, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  return
}

func.func @reduce_precision_bf16_e5m1() {
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, 1.06, 1.19, -1.3, 3.3, 6.55e+04, 6.55e+04, 1.0e-05, 6.0e-05, -7.0e-08, 1.0e+38, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %1 = stablehlo.reduce_precision %0, format = e5m1 : tensor<16xbf16>
  check.expect_eq_const %1, dense<[0.0, -0.0, 1.0, 1.0, 1.0, -1.5, 3.0, 0x7F80, 0x7F80, 0.0, 6.1e-05, -0.0, 0x7F80, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  return
}

func.func @reduce_precision_f32_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, -0.0001, 0.0001]> : tensor<4xf32>
  %1 = stablehlo.reduce_precision %0, format = e3m1 : tensor<4xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %2, dense<[2147483648, 0, 2147483648, 0]> : tensor<4xui32>
  return
}

func.func @reduce_precision_bf16_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, -0.0001, 0.0001]> : tensor<4xbf16>
  %1 = stablehlo.reduce_precision %0, format = e3m1 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[32768, 0, 32768, 0]> : tensor<4xui16>
  return
}

func.func @reduce_precision_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[-0.0, 0.0, -0.00011, 0.00011]> : tensor<4xf8E5M2>
  %1 = stablehlo.reduce_precision %0, format = e3m1 : tensor<4xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[128, 0, 128, 0]> : tensor<4xui8>
  return
}

// Without mantissa bits only powers of two, zeros and infinity are left: NaN has nowhere else to go, and the last bit of
// the exponent decides which of two powers is even.
func.func @reduce_precision_f32_no_mantissa() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800001, 1.5, 1.4, -3.0, 6.0, -1.0e+38, 0xFF800000]> : tensor<8xf32>
  %1 = stablehlo.reduce_precision %0, format = e8m0 : tensor<8xf32>
  check.expect_eq_const %1, dense<[0x7F800000, 0x7F800000, 2.0, 1.0, -2.0, 8.0, -8.507059e+37, 0xFF800000]> : tensor<8xf32>
  return
}

func.func @reduce_precision_f8E5M2_no_mantissa() {
  %0 = stablehlo.constant dense<[0x7E, 0x7D, 1.5, -1.25, 57344.0, 0xFC]> : tensor<6xf8E5M2>
  %1 = stablehlo.reduce_precision %0, format = e5m0 : tensor<6xf8E5M2>
  check.expect_eq_const %1, dense<[0x7C, 0x7C, 2.0, -1.0, 0x7C, 0xFC]> : tensor<6xf8E5M2>
  return
}

func.func @reduce_precision_bf16_no_mantissa() {
  %0 = stablehlo.constant dense<[0x7FC0, 2.5, 1.6]> : tensor<3xbf16>
  %1 = stablehlo.reduce_precision %0, format = e3m0 : tensor<3xbf16>
  check.expect_eq_const %1, dense<[0x7F80, 2.0, 2.0]> : tensor<3xbf16>
  return
}

// 2.5 and 3.5 lie between two numbers with one bit of mantissa.
func.func @reduce_precision_quantized() {
  %0 = stablehlo.constant dense<[2.5, 3.5, -2.0]> : tensor<3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.reduce_precision %1, format = e5m1 : tensor<3x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[2.0, 4.0, -2.0]> : tensor<3xf32>
  return
}
