// chlo: special functions at 300 bits rounded once, broadcasting, scans, the largest elements.

func.func @acos_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.acos %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 3.141592653589793, 2.0943951023931957, 1.5707963267948966, 1.5707963267948966, 1.318116071652818, 0.7227342478134157, 0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @acos_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.acos %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 3.1415927, 2.0943952, 1.5707964, 1.5707964, 1.3181161, 0.7227343, 0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @acos_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.acos %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0x7FC0, 3.14, 2.1, 1.57, 1.57, 1.32, 0.723, 0.0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @acos_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.acos %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 3.2, 2.0, 1.6, 1.6, 1.4, 0.75, 0.0, 0x80, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @acos_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.acos %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 3.0, 2.0, 1.5, 1.5, 1.2, 0.75, 0.0, 0x80, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @acosh_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.acosh %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 1.566799236972411, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @acosh_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.acosh %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, 1.5667993, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @acosh_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.acosh %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0.0, 1.57, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @acosh_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.acosh %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0.0, 1.6, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @acosh_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.acosh %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0.0, 1.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @asin_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.asin %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, -1.5707963267948966, -0.5235987755982989, -0.0, 0.0, 0.25268025514207865, 0.848062078981481, 1.5707963267948966, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @asin_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.asin %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, -1.5707964, -0.5235988, -0.0, 0.0, 0.25268024, 0.8480621, 1.5707964, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @asin_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.asin %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0x7FC0, -1.57, -0.523, -0.0, 0.0, 0.252, 0.848, 1.57, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @asin_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.asin %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, -1.6, -0.5, 0.0, 0.0, 0.25, 0.88, 1.6, 0x80, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @asin_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.asin %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, -1.5, -0.5, 0.0, 0.0, 0.25, 0.88, 1.5, 0x80, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @asinh_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.asinh %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0xFFF0000000000000, -1.8184464592320668, -0.881373587019543, -0.48121182505960347, -0.0, 0.0, 0.24746646154726346, 0.6931471805599453, 0.881373587019543, 1.6472311463710958, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @asinh_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.asinh %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0xFF800000, -1.8184465, -0.8813736, -0.4812118, -0.0, 0.0, 0.24746646, 0.6931472, 0.8813736, 1.6472311, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @asinh_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.asinh %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0xFF80, -1.82, -0.883, -0.48, -0.0, 0.0, 0.247, 0.69, 0.883, 1.65, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @asinh_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.asinh %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.9, -0.88, -0.47, 0.0, 0.0, 0.25, 0.69, 0.88, 1.6, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @asinh_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.asinh %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.8, -0.88, -0.5, 0.0, 0.0, 0.25, 0.75, 0.88, 1.8, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @atan_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.atan %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[-1.5707963267948966, -1.2490457723982544, -0.7853981633974483, -0.4636476090008061, -0.0, 0.0, 0.24497866312686414, 0.6435011087932844, 0.7853981633974483, 1.1902899496825317, 1.5707963267948966, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @atan_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.atan %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[-1.5707964, -1.2490457, -0.7853982, -0.4636476, -0.0, 0.0, 0.24497867, 0.6435011, 0.7853982, 1.19029, 1.5707964, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @atan_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.atan %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[-1.57, -1.25, -0.785, -0.463, -0.0, 0.0, 0.245, 0.645, 0.785, 1.19, 1.57, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @atan_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.atan %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.2, -0.81, -0.47, 0.0, 0.0, 0.25, 0.62, 0.81, 1.2, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @atan_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.atan %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.2, -0.75, -0.44, 0.0, 0.0, 0.25, 0.62, 0.75, 1.2, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @atanh_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.atanh %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -0.5493061443340549, -0.0, 0.0, 0.25541281188299536, 0.9729550745276566, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @atanh_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.atanh %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0xFF800000, -0.54930615, -0.0, 0.0, 0.25541282, 0.97295505, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @atanh_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.atanh %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0x7FC0, 0xFF80, -0.55, -0.0, 0.0, 0.256, 0.973, 0x7F80, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @atanh_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.atanh %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, -0.56, 0.0, 0.0, 0.25, 1.0, 0x80, 0x80, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @atanh_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.atanh %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, -0.5, 0.0, 0.0, 0.25, 1.0, 0x80, 0x80, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @cosh_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.cosh %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF0000000000000, 10.067661995777765, 1.5430806348152437, 1.1276259652063807, 1.0, 1.0, 1.0314130998795732, 1.2946832846768448, 1.5430806348152437, 6.132289479663686, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @cosh_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.cosh %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7F800000, 10.067662, 1.5430807, 1.127626, 1.0, 1.0, 1.0314131, 1.2946833, 1.5430807, 6.1322894, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @cosh_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.cosh %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7F80, 10.06, 1.55, 1.125, 1.0, 1.0, 1.03, 1.3, 1.55, 6.12, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @cosh_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.cosh %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 10.0, 1.5, 1.1, 1.0, 1.0, 1.0, 1.2, 1.5, 6.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @cosh_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.cosh %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 10.0, 1.5, 1.2, 1.0, 1.0, 1.0, 1.2, 1.5, 6.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @sinh_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.sinh %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0xFFF0000000000000, -10.017874927409903, -1.1752011936438014, -0.5210953054937474, -0.0, 0.0, 0.2526123168081683, 0.82231673193583, 1.1752011936438014, 6.0502044810397875, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @sinh_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.sinh %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0xFF800000, -10.017875, -1.1752012, -0.5210953, -0.0, 0.0, 0.25261232, 0.8223167, 1.1752012, 6.0502043, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @sinh_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.sinh %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0xFF80, -10.0, -1.17, -0.52, -0.0, 0.0, 0.252, 0.824, 1.17, 6.06, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @sinh_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.sinh %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -10.0, -1.1, -0.5, 0.0, 0.0, 0.25, 0.81, 1.1, 6.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @sinh_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.sinh %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -10.0, -1.2, -0.5, 0.0, 0.0, 0.25, 0.88, 1.2, 6.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @tan_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.tan %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[0x7FF8000000000000, 0.1425465430742778, -1.5574077246549023, -0.5463024898437905, -0.0, 0.0, 0.25534192122103627, 0.9315964599440725, 1.5574077246549023, -0.7470222972386603, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @tan_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.tan %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0.14254655, -1.5574077, -0.5463025, -0.0, 0.0, 0.25534192, 0.93159646, 1.5574077, -0.7470223, 0x7FC00000, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @tan_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.tan %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0.143, -1.555, -0.547, -0.0, 0.0, 0.256, 0.93, 1.555, -0.746, 0x7FC0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @tan_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.tan %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.14, -1.5, -0.56, 0.0, 0.0, 0.25, 0.94, 1.5, -0.75, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @tan_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.tan %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0.16, -1.5, -0.5, 0.0, 0.0, 0.25, 0.88, 1.5, -0.75, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @erf_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.erf %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[-1.0, -0.9999779095030014, -0.8427007929497149, -0.5204998778130465, -0.0, 0.0, 0.27632639016823696, 0.7111556336535151, 0.8427007929497149, 0.999593047982555, 1.0, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @erf_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.erf %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[-1.0, -0.9999779, -0.8427008, -0.5204999, -0.0, 0.0, 0.2763264, 0.71115565, 0.8427008, 0.999593, 1.0, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @erf_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.erf %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[-1.0, -1.0, -0.844, -0.52, -0.0, 0.0, 0.275, 0.71, 0.844, 1.0, 1.0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @erf_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.erf %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.0, -0.81, -0.5, 0.0, 0.0, 0.28, 0.69, 0.81, 1.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @erf_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.erf %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -1.0, -0.88, -0.5, 0.0, 0.0, 0.25, 0.75, 0.88, 1.0, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @erfc_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.erfc %0 : tensor<12xf64>
  %2 = stablehlo.constant dense<[2.0, 1.9999779095030015, 1.8427007929497148, 1.5204998778130465, 1.0, 1.0, 0.7236736098317631, 0.28884436634648486, 0.15729920705028513, 0.0004069520174449589, 0.0, 0x7FF8000000000000]> : tensor<12xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @erfc_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.erfc %0 : tensor<12xf32>
  %2 = stablehlo.constant dense<[2.0, 1.999978, 1.8427008, 1.5204998, 1.0, 1.0, 0.7236736, 0.28884438, 0.1572992, 0.00040695202, 0.0, 0x7FC00000]> : tensor<12xf32>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @erfc_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.erfc %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[2.0, 2.0, 1.84, 1.52, 1.0, 1.0, 0.723, 0.29, 0.157, 0.000406, 0.0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @erfc_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.erfc %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 2.0, 1.9, 1.5, 1.0, 1.0, 0.75, 0.28, 0.16, 0.0, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @erfc_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.erfc %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 2.0, 1.8, 1.5, 1.0, 1.0, 0.75, 0.31, 0.16, 0.00043, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @erf_inv_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = chlo.erf_inv %0 : tensor<12xf64>
  check.expect_almost_eq_const %1, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -0.4769362762044699, -0.0, 0.0, 0.2253120550121781, 0.8134198475976185, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<12xf64>, tolerance = 1.0e-12
  return
}

func.func @erf_inv_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = chlo.erf_inv %0 : tensor<12xf32>
  check.expect_almost_eq_const %1, dense<[0x7FC00000, 0x7FC00000, 0xFF800000, -0.47693628, -0.0, 0.0, 0.22531205, 0.8134198, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<12xf32>, tolerance = 1.0e-06
  return
}

func.func @erf_inv_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = chlo.erf_inv %0 : tensor<12xbf16>
  check.expect_eq_const %1, dense<[0x7FC0, 0x7FC0, 0xFF80, -0.477, -0.0, 0.0, 0.226, 0.812, 0x7F80, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<12xbf16>
  return
}

func.func @erf_inv_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  %1 = chlo.erf_inv %0 : tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, -0.47, 0.0, 0.0, 0.22, 0.81, 0x80, 0x80, 0x80, 0x80]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @erf_inv_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  %1 = chlo.erf_inv %0 : tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 0x80, 0x80, -0.5, 0.0, 0.0, 0.22, 0.88, 0x80, 0x80, 0x80, 0x80]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @bessel_i1e_f64() {
  %0 = stablehlo.constant dense<[-3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FF8000000000000]> : tensor<10xf64>
  %1 = chlo.bessel_i1e %0 : tensor<10xf64>
  check.expect_almost_eq_const %1, dense<[-0.19682671329730086, -0.20791041534970844, -0.1564208031848717, -0.0, 0.0, 0.09811262869736824, 0.18988779330485503, 0.20791041534970844, 0.20658464953126657, 0x7FF8000000000000]> : tensor<10xf64>, tolerance = 1.0e-12
  return
}

func.func @bessel_i1e_f32() {
  %0 = stablehlo.constant dense<[-3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FC00000]> : tensor<10xf32>
  %1 = chlo.bessel_i1e %0 : tensor<10xf32>
  check.expect_almost_eq_const %1, dense<[-0.19682671, -0.20791042, -0.1564208, -0.0, 0.0, 0.09811263, 0.18988779, 0.20791042, 0.20658465, 0x7FC00000]> : tensor<10xf32>, tolerance = 1.0e-06
  return
}

func.func @bessel_i1e_bf16() {
  %0 = stablehlo.constant dense<[-3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x7FC0]> : tensor<10xbf16>
  %1 = chlo.bessel_i1e %0 : tensor<10xbf16>
  check.expect_eq_const %1, dense<[-0.197, -0.208, -0.156, -0.0, 0.0, 0.098, 0.189, 0.208, 0.207, 0x7FC0]> : tensor<10xbf16>
  return
}

func.func @bessel_i1e_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[-3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80]> : tensor<10xf8E4M3FNUZ>
  %1 = chlo.bessel_i1e %0 : tensor<10xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[-0.2, -0.2, -0.16, 0.0, 0.0, 0.1, 0.19, 0.2, 0.2, 0x80]> : tensor<10xf8E4M3FNUZ>
  return
}

func.func @bessel_i1e_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[-3.0, -1.0, -0.5, 0.0, 0.0, 0.25, 0.75, 1.0, 2.5, 0x80]> : tensor<10xf8E5M2FNUZ>
  %1 = chlo.bessel_i1e %0 : tensor<10xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[-0.19, -0.22, -0.16, 0.0, 0.0, 0.094, 0.19, 0.22, 0.22, 0x80]> : tensor<10xf8E5M2FNUZ>
  return
}

func.func @digamma_f64() {
  %0 = stablehlo.constant dense<[0.25, 0.5, 1.0, 1.5, 2.5, 6.0, 20.0, -0.5, -1.5]> : tensor<9xf64>
  %1 = chlo.digamma %0 : tensor<9xf64>
  check.expect_almost_eq_const %1, dense<[-4.2274535333762655, -1.9635100260214235, -0.5772156649015329, 0.03648997397857652, 0.7031566406452432, 1.7061176684318005, 2.970523992242149, 0.03648997397857652, 0.7031566406452432]> : tensor<9xf64>, tolerance = 1.0e-10
  return
}

func.func @lgamma_f64() {
  %0 = stablehlo.constant dense<[0.25, 0.5, 1.0, 1.5, 2.5, 6.0, 20.0, -0.5, -1.5, 1.0e+04]> : tensor<10xf64>
  %1 = chlo.lgamma %0 : tensor<10xf64>
  check.expect_almost_eq_const %1, dense<[1.2880225246980774, 0.5723649429247001, 0.0, -0.12078223763524522, 0.2846828704729192, 4.787491742782046, 39.339884187199495, 1.2655121234846454, 0.860047015376481, 82099.71749644238]> : tensor<10xf64>, tolerance = 1.0e-10
  return
}

func.func @lgamma_f64_poles() {
  %0 = stablehlo.constant dense<[0.0, -1.0, -2.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<6xf64>
  %1 = chlo.lgamma %0 : tensor<6xf64>
  check.expect_eq_const %1, dense<[0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<6xf64>
  return
}

func.func @digamma_f64_poles() {
  %0 = stablehlo.constant dense<[-1.0, -2.0, 0x7FF8000000000000]> : tensor<3xf64>
  %1 = chlo.digamma %0 : tensor<3xf64>
  check.expect_eq_const %1, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  return
}

func.func @polygamma_f64() {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 1.0]> : tensor<4xf64>
  %1 = stablehlo.constant dense<[1.0, 2.5, 0.5, 10.0]> : tensor<4xf64>
  %2 = chlo.polygamma %0, %1 : tensor<4xf64>
  check.expect_almost_eq_const %2, dense<[1.6449340668482264, -0.2362040516417274, 97.40909103400244, 0.10516633568168575]> : tensor<4xf64>, tolerance = 1.0e-09
  return
}

func.func @zeta_f64() {
  %0 = stablehlo.constant dense<[2.0, 3.0, 1.5, 4.0, 5.0]> : tensor<5xf64>
  %1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 0.5, 1.5]> : tensor<5xf64>
  %2 = chlo.zeta %0, %1 : tensor<5xf64>
  check.expect_almost_eq_const %2, dense<[1.6449340668482264, 0.2020569031595943, 1.2588219580922146, 16.234848505667074, 0.14476040944446772]> : tensor<5xf64>, tolerance = 1.0e-10
  return
}

func.func @digamma_f32() {
  %0 = stablehlo.constant dense<[0.25, 0.5, 1.0, 1.5, 2.5, 6.0, 20.0, -0.5, -1.5]> : tensor<9xf32>
  %1 = chlo.digamma %0 : tensor<9xf32>
  check.expect_almost_eq_const %1, dense<[-4.2274537, -1.96351, -0.5772157, 0.036489975, 0.70315665, 1.7061176, 2.970524, 0.036489975, 0.70315665]> : tensor<9xf32>, tolerance = 1.0e-04
  return
}

func.func @lgamma_f32() {
  %0 = stablehlo.constant dense<[0.25, 0.5, 1.0, 1.5, 2.5, 6.0, 20.0, -0.5, -1.5, 30.0]> : tensor<10xf32>
  %1 = chlo.lgamma %0 : tensor<10xf32>
  check.expect_almost_eq_const %1, dense<[1.2880225, 0.5723649, 0.0, -0.12078224, 0.28468287, 4.787492, 39.339886, 1.2655121, 0.86004704, 71.25704]> : tensor<10xf32>, tolerance = 1.0e-04
  return
}

func.func @lgamma_f32_poles() {
  %0 = stablehlo.constant dense<[0.0, -1.0, -2.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<6xf32>
  %1 = chlo.lgamma %0 : tensor<6xf32>
  check.expect_eq_const %1, dense<[0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  return
}

func.func @digamma_f32_poles() {
  %0 = stablehlo.constant dense<[-1.0, -2.0, 0x7FC00000]> : tensor<3xf32>
  %1 = chlo.digamma %0 : tensor<3xf32>
  check.expect_eq_const %1, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<3xf32>
  return
}

func.func @polygamma_f32() {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 1.0]> : tensor<4xf32>
  %1 = stablehlo.constant dense<[1.0, 2.5, 0.5, 10.0]> : tensor<4xf32>
  %2 = chlo.polygamma %0, %1 : tensor<4xf32>
  check.expect_almost_eq_const %2, dense<[1.644934, -0.23620406, 97.40909, 0.10516634]> : tensor<4xf32>, tolerance = 1.0e-03
  return
}

func.func @zeta_f32() {
  %0 = stablehlo.constant dense<[2.0, 3.0, 1.5, 4.0, 5.0]> : tensor<5xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 0.5, 1.5]> : tensor<5xf32>
  %2 = chlo.zeta %0, %1 : tensor<5xf32>
  check.expect_almost_eq_const %2, dense<[1.644934, 0.2020569, 1.258822, 16.234848, 0.14476041]> : tensor<5xf32>, tolerance = 1.0e-04
  return
}

func.func @lgamma_bf16() {
  %0 = stablehlo.constant dense<[0.5, 1.5, 2.5, 6.0, -0.5]> : tensor<5xbf16>
  %1 = chlo.lgamma %0 : tensor<5xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xbf16>) -> tensor<5xui16>
  check.expect_eq_const %2, dense<[16147, 48631, 16018, 16537, 16290]> : tensor<5xui16>
  return
}

func.func @digamma_bf16() {
  %0 = stablehlo.constant dense<[0.5, 1.5, 2.5, 6.0]> : tensor<4xbf16>
  %1 = chlo.digamma %0 : tensor<4xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %2, dense<[49147, 15637, 16180, 16346]> : tensor<4xui16>
  return
}

func.func @zeta_bf16() {
  %0 = stablehlo.constant dense<[2.0, 3.0, 4.0]> : tensor<3xbf16>
  %1 = stablehlo.constant dense<[1.0, 2.0, 0.5]> : tensor<3xbf16>
  %2 = chlo.zeta %0, %1 : tensor<3xbf16>
  %3 = stablehlo.bitcast_convert %2 : (tensor<3xbf16>) -> tensor<3xui16>
  check.expect_eq_const %3, dense<[16339, 15951, 16770]> : tensor<3xui16>
  return
}

func.func @polygamma_bf16() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<[1.0, 2.5]> : tensor<2xbf16>
  %2 = chlo.polygamma %0, %1 : tensor<2xbf16>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %3, dense<[16339, 48754]> : tensor<2xui16>
  return
}

func.func @lgamma_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.5, 1.5, 2.5, 6.0, -0.5]> : tensor<5xf8E4M3FNUZ>
  %1 = chlo.lgamma %0 : tensor<5xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf8E4M3FNUZ>) -> tensor<5xui8>
  check.expect_eq_const %2, dense<[57, 167, 49, 82, 66]> : tensor<5xui8>
  return
}

func.func @digamma_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.5, 1.5, 2.5, 6.0]> : tensor<4xf8E4M3FNUZ>
  %1 = chlo.digamma %0 : tensor<4xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xui8>
  check.expect_eq_const %2, dense<[200, 25, 59, 70]> : tensor<4xui8>
  return
}

func.func @zeta_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[1.0, 2.0, 0.5]> : tensor<3xf8E4M3FNUZ>
  %2 = chlo.zeta %0, %1 : tensor<3xf8E4M3FNUZ>
  %3 = stablehlo.bitcast_convert %2 : (tensor<3xf8E4M3FNUZ>) -> tensor<3xui8>
  check.expect_eq_const %3, dense<[69, 45, 96]> : tensor<3xui8>
  return
}

func.func @polygamma_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[1.0, 2.5]> : tensor<2xf8E4M3FNUZ>
  %2 = chlo.polygamma %0, %1 : tensor<2xf8E4M3FNUZ>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xf8E4M3FNUZ>) -> tensor<2xui8>
  check.expect_eq_const %3, dense<[69, 175]> : tensor<2xui8>
  return
}

func.func @acos_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.acos %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.1437178, -1.5285709), (2.072405, -0.28139606), (1.4326012, 1.2027456), (0.17464647, -1.7789905)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @acosh_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.acosh %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.5285709, 1.1437178), (0.28139606, 2.072405), (1.2027456, -1.4326012), (1.7789905, 0.17464647)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @asin_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.asin %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(0.42707857, 1.5285709), (-0.50160885, 0.28139606), (0.13819517, -1.2027456), (1.3961499, 1.7789905)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @asinh_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.asinh %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.4693518, 1.06344), (-0.4926757, 0.22432846), (0.9937305, -1.3546256), (1.8301947, 0.1570046)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @atan_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.atan %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.3389726, 0.4023595), (-0.48425448, 0.20058662), (1.3888068, -0.7514207), (1.2563982, 0.048936144)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @atanh_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.atanh %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(0.1732868, 1.1780972), (-0.50037, 0.31439814), (0.076052845, -0.9916034), (0.33529347, 1.5104845)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @cosh_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.cosh %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(-0.64214814, 1.0686074), (1.0925708, -0.12892105), (0.072959274, -0.25197953), (8.835205, 4.802825)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @sinh_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.sinh %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(-0.48905626, 1.4031192), (-0.5048957, 0.27897912), (0.017869089, -1.0288295), (8.7915125, 4.8266945)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @tan_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.tan %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(0.033812825, 1.0147936), (-0.5045007, 0.3124207), (0.043802176, -0.91527194), (-0.11162105, 0.46947)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @square_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.square %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(-3.0, 4.0), (0.1875, -0.25), (-2.1875, -0.75), (8.75, 3.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @conj_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f32>>
  %1 = chlo.conj %0 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[(1.0, -2.0), (-0.5, -0.25), (0.25, 1.5), (3.0, -0.5)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @acos_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.acos %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.1437177404024206, -1.5285709194809982), (2.0724051800703975, -0.2813960562452928), (1.4326011556616327, 1.202745551643968), (0.17464646508544926, -1.7789904938267687)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @acosh_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.acosh %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.5285709194809982, 1.1437177404024206), (0.2813960562452928, 2.0724051800703975), (1.202745551643968, -1.4326011556616327), (1.7789904938267687, 0.17464646508544926)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @asin_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.asin %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(0.42707858639247614, 1.5285709194809982), (-0.5016088532755008, 0.2813960562452928), (0.13819517113326382, -1.202745551643968), (1.3961498617094474, 1.7789904938267687)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @asinh_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.asinh %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.4693517443681852, 1.0634400235777521), (-0.4926756834207706, 0.2243284526346675), (0.9937304660372428, -1.3546256105463585), (1.8301947623375088, 0.15700459478894233)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @atan_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.atan %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.3389725222944935, 0.40235947810852507), (-0.4842544903299662, 0.20058661813123432), (1.3888068485400746, -0.7514206511017898), (1.2563981835871803, 0.048936144281523826)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @atanh_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.atanh %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(0.17328679513998632, 1.1780972450961724), (-0.5003700000525311, 0.3143981432077165), (0.07605284360074788, -0.9916033841961419), (0.33529348145985527, 1.5104844925048453)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @cosh_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.cosh %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(-0.64214812471552, 1.0686074213827783), (1.0925708047319176, -0.12892104172809826), (0.07295927644889197, -0.251979519570583), (8.835204606500994, 4.802825082743033)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @sinh_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.sinh %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(-0.4890562590412937, 1.4031192506220407), (-0.504895714387995, 0.2789791283502615), (0.017869088397805058, -1.0288293962476212), (8.791512343493713, 4.826694274810821)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @tan_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.tan %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(0.03381282607989669, 1.0147936161466335), (-0.504500702698564, 0.3124206925025888), (0.04380217692516718, -0.9152719132613141), (-0.11162105077158345, 0.4694699934258854)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @square_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.square %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(-3.0, 4.0), (0.1875, -0.25), (-2.1875, -0.75), (8.75, 3.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @conj_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.25, -1.5), (3.0, 0.5)]> : tensor<4xcomplex<f64>>
  %1 = chlo.conj %0 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.0, -2.0), (-0.5, -0.25), (0.25, 1.5), (3.0, -0.5)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @square_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, 0.0, 3.0, 12.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %1 = chlo.square %0 : tensor<7xf64>
  check.expect_eq_const %1, dense<[0x7FF0000000000000, 6.25, 0.0, 9.0, 144.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  return
}

func.func @conj_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, 0.0, 3.0, 12.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %1 = chlo.conj %0 : tensor<7xf64>
  check.expect_eq_const %1, dense<[0xFFF0000000000000, -2.5, 0.0, 3.0, 12.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  return
}

func.func @is_inf_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, 0.0, 3.0, 12.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %1 = chlo.is_inf %0 : (tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[true, false, false, false, false, true, false]> : tensor<7xi1>
  return
}

func.func @is_pos_inf_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, 0.0, 3.0, 12.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %1 = chlo.is_pos_inf %0 : (tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[false, false, false, false, false, true, false]> : tensor<7xi1>
  return
}

func.func @is_neg_inf_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, 0.0, 3.0, 12.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %1 = chlo.is_neg_inf %0 : (tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[true, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @next_after_f64() {
  %0 = stablehlo.constant dense<[1.0, 1.0, -2.0, -2.0, 0.0, 0.0, 3.0, 0x7FF8000000000000, 1.0]> : tensor<9xf64>
  %1 = stablehlo.constant dense<[5.0, -5.0, 0.0, -9.0, 1.0, -1.0, 3.0, 1.0, 0x7FF8000000000000]> : tensor<9xf64>
  %2 = chlo.next_after %0, %1 : tensor<9xf64>
  check.expect_eq_const %2, dense<[1.0000000000000002, 0.9999999999999999, -1.9999999999999998, -2.0000000000000004, 4.9e-324, -4.9e-324, 3.0, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<9xf64>
  return
}

func.func @square_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, 0.0, 3.0, 12.0, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %1 = chlo.square %0 : tensor<7xf32>
  check.expect_eq_const %1, dense<[0x7F800000, 6.25, 0.0, 9.0, 144.0, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  return
}

func.func @conj_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, 0.0, 3.0, 12.0, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %1 = chlo.conj %0 : tensor<7xf32>
  check.expect_eq_const %1, dense<[0xFF800000, -2.5, 0.0, 3.0, 12.0, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  return
}

func.func @is_inf_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, 0.0, 3.0, 12.0, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %1 = chlo.is_inf %0 : (tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[true, false, false, false, false, true, false]> : tensor<7xi1>
  return
}

func.func @is_pos_inf_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, 0.0, 3.0, 12.0, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %1 = chlo.is_pos_inf %0 : (tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[false, false, false, false, false, true, false]> : tensor<7xi1>
  return
}

func.func @is_neg_inf_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, 0.0, 3.0, 12.0, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %1 = chlo.is_neg_inf %0 : (tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[true, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @next_after_f32() {
  %0 = stablehlo.constant dense<[1.0, 1.0, -2.0, -2.0, 0.0, 0.0, 3.0, 0x7FC00000, 1.0]> : tensor<9xf32>
  %1 = stablehlo.constant dense<[5.0, -5.0, 0.0, -9.0, 1.0, -1.0, 3.0, 1.0, 0x7FC00000]> : tensor<9xf32>
  %2 = chlo.next_after %0, %1 : tensor<9xf32>
  check.expect_eq_const %2, dense<[1.0000001, 0.99999994, -1.9999999, -2.0000002, 1.4e-45, -1.4e-45, 3.0, 0x7FC00000, 0x7FC00000]> : tensor<9xf32>
  return
}

func.func @square_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, 0.0, 3.0, 12.0, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  %1 = chlo.square %0 : tensor<7xbf16>
  check.expect_eq_const %1, dense<[0x7F80, 6.25, 0.0, 9.0, 144.0, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  return
}

func.func @conj_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, 0.0, 3.0, 12.0, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  %1 = chlo.conj %0 : tensor<7xbf16>
  check.expect_eq_const %1, dense<[0xFF80, -2.5, 0.0, 3.0, 12.0, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  return
}

func.func @is_inf_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, 0.0, 3.0, 12.0, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  %1 = chlo.is_inf %0 : (tensor<7xbf16>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[true, false, false, false, false, true, false]> : tensor<7xi1>
  return
}

func.func @is_pos_inf_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, 0.0, 3.0, 12.0, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  %1 = chlo.is_pos_inf %0 : (tensor<7xbf16>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[false, false, false, false, false, true, false]> : tensor<7xi1>
  return
}

func.func @is_neg_inf_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, 0.0, 3.0, 12.0, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  %1 = chlo.is_neg_inf %0 : (tensor<7xbf16>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[true, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @next_after_bf16() {
  %0 = stablehlo.constant dense<[1.0, 1.0, -2.0, -2.0, 0.0, 0.0, 3.0, 0x7FC0, 1.0]> : tensor<9xbf16>
  %1 = stablehlo.constant dense<[5.0, -5.0, 0.0, -9.0, 1.0, -1.0, 3.0, 1.0, 0x7FC0]> : tensor<9xbf16>
  %2 = chlo.next_after %0, %1 : tensor<9xbf16>
  check.expect_eq_const %2, dense<[1.01, 0.996, -1.99, -2.02, 9.2e-41, -9.2e-41, 3.0, 0x7FC0, 0x7FC0]> : tensor<9xbf16>
  return
}

func.func @square_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E4M3FNUZ>
  %1 = chlo.square %0 : tensor<7xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 6.0, 0.0, 9.0, 1.4e+02, 0x80, 0x80]> : tensor<7xf8E4M3FNUZ>
  return
}

func.func @conj_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E4M3FNUZ>
  %1 = chlo.conj %0 : tensor<7xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E4M3FNUZ>
  return
}

func.func @is_inf_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E4M3FNUZ>
  %1 = chlo.is_inf %0 : (tensor<7xf8E4M3FNUZ>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @is_pos_inf_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E4M3FNUZ>
  %1 = chlo.is_pos_inf %0 : (tensor<7xf8E4M3FNUZ>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @is_neg_inf_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E4M3FNUZ>
  %1 = chlo.is_neg_inf %0 : (tensor<7xf8E4M3FNUZ>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @next_after_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[1.0, 1.0, -2.0, -2.0, 0.0, 0.0, 3.0, 0x80, 1.0]> : tensor<9xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[5.0, -5.0, 0.0, -9.0, 1.0, -1.0, 3.0, 1.0, 0x80]> : tensor<9xf8E4M3FNUZ>
  %2 = chlo.next_after %0, %1 : tensor<9xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[1.1, 0.94, -1.9, -2.2, 0.00098, -0.00098, 3.0, 0x80, 0x80]> : tensor<9xf8E4M3FNUZ>
  return
}

func.func @square_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E5M2FNUZ>
  %1 = chlo.square %0 : tensor<7xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 6.0, 0.0, 8.0, 1.3e+02, 0x80, 0x80]> : tensor<7xf8E5M2FNUZ>
  return
}

func.func @conj_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E5M2FNUZ>
  %1 = chlo.conj %0 : tensor<7xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E5M2FNUZ>
  return
}

func.func @is_inf_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E5M2FNUZ>
  %1 = chlo.is_inf %0 : (tensor<7xf8E5M2FNUZ>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @is_pos_inf_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E5M2FNUZ>
  %1 = chlo.is_pos_inf %0 : (tensor<7xf8E5M2FNUZ>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @is_neg_inf_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, 0.0, 3.0, 12.0, 0x80, 0x80]> : tensor<7xf8E5M2FNUZ>
  %1 = chlo.is_neg_inf %0 : (tensor<7xf8E5M2FNUZ>) -> tensor<7xi1>
  check.expect_eq_const %1, dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @next_after_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[1.0, 1.0, -2.0, -2.0, 0.0, 0.0, 3.0, 0x80, 1.0]> : tensor<9xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[5.0, -5.0, 0.0, -8.0, 1.0, -1.0, 3.0, 1.0, 0x80]> : tensor<9xf8E5M2FNUZ>
  %2 = chlo.next_after %0, %1 : tensor<9xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[1.2, 0.88, -1.8, -2.5, 7.6e-06, -7.6e-06, 3.0, 0x80, 0x80]> : tensor<9xf8E5M2FNUZ>
  return
}

func.func @mulhi_i8() {
  %0 = stablehlo.constant dense<[-128, -128, -128, -128, -128, 127, 127, 127, 127, 127, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 42, 42, 42, 42, 42]> : tensor<25xi8>
  %1 = stablehlo.constant dense<[-128, 127, 0, 3, 42, -128, 127, 0, 3, 42, -128, 127, 0, 3, 42, -128, 127, 0, 3, 42, -128, 127, 0, 3, 42]> : tensor<25xi8>
  %2 = chlo.mulhi %0, %1 : tensor<25xi8>
  check.expect_eq_const %2, dense<[64, -64, 0, -2, -21, -64, 63, 0, 1, 20, 0, 0, 0, 0, 0, -2, 1, 0, 0, 0, -21, 20, 0, 0, 6]> : tensor<25xi8>
  return
}

func.func @square_i8() {
  %0 = stablehlo.constant dense<[0, 3, 11]> : tensor<3xi8>
  %1 = chlo.square %0 : tensor<3xi8>
  check.expect_eq_const %1, dense<[0, 9, 121]> : tensor<3xi8>
  return
}

func.func @mulhi_ui8() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 85, 85, 85, 85, 85]> : tensor<25xui8>
  %1 = stablehlo.constant dense<[0, 255, 0, 3, 85, 0, 255, 0, 3, 85, 0, 255, 0, 3, 85, 0, 255, 0, 3, 85, 0, 255, 0, 3, 85]> : tensor<25xui8>
  %2 = chlo.mulhi %0, %1 : tensor<25xui8>
  check.expect_eq_const %2, dense<[0, 0, 0, 0, 0, 0, 254, 0, 2, 84, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 84, 0, 0, 28]> : tensor<25xui8>
  return
}

func.func @square_ui8() {
  %0 = stablehlo.constant dense<[0, 3, 11]> : tensor<3xui8>
  %1 = chlo.square %0 : tensor<3xui8>
  check.expect_eq_const %1, dense<[0, 9, 121]> : tensor<3xui8>
  return
}

func.func @mulhi_i32() {
  %0 = stablehlo.constant dense<[-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 715827882, 715827882, 715827882, 715827882, 715827882]> : tensor<25xi32>
  %1 = stablehlo.constant dense<[-2147483648, 2147483647, 0, 3, 715827882, -2147483648, 2147483647, 0, 3, 715827882, -2147483648, 2147483647, 0, 3, 715827882, -2147483648, 2147483647, 0, 3, 715827882, -2147483648, 2147483647, 0, 3, 715827882]> : tensor<25xi32>
  %2 = chlo.mulhi %0, %1 : tensor<25xi32>
  check.expect_eq_const %2, dense<[1073741824, -1073741824, 0, -2, -357913941, -1073741824, 1073741823, 0, 1, 357913940, 0, 0, 0, 0, 0, -2, 1, 0, 0, 0, -357913941, 357913940, 0, 0, 119304646]> : tensor<25xi32>
  return
}

func.func @square_i32() {
  %0 = stablehlo.constant dense<[0, 3, 11]> : tensor<3xi32>
  %1 = chlo.square %0 : tensor<3xi32>
  check.expect_eq_const %1, dense<[0, 9, 121]> : tensor<3xi32>
  return
}

func.func @mulhi_ui32() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 0, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 1431655765, 1431655765, 1431655765, 1431655765, 1431655765]> : tensor<25xui32>
  %1 = stablehlo.constant dense<[0, 4294967295, 0, 3, 1431655765, 0, 4294967295, 0, 3, 1431655765, 0, 4294967295, 0, 3, 1431655765, 0, 4294967295, 0, 3, 1431655765, 0, 4294967295, 0, 3, 1431655765]> : tensor<25xui32>
  %2 = chlo.mulhi %0, %1 : tensor<25xui32>
  check.expect_eq_const %2, dense<[0, 0, 0, 0, 0, 0, 4294967294, 0, 2, 1431655764, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1431655764, 0, 0, 477218588]> : tensor<25xui32>
  return
}

func.func @square_ui32() {
  %0 = stablehlo.constant dense<[0, 3, 11]> : tensor<3xui32>
  %1 = chlo.square %0 : tensor<3xui32>
  check.expect_eq_const %1, dense<[0, 9, 121]> : tensor<3xui32>
  return
}

func.func @mulhi_i64() {
  %0 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3074457345618258602, 3074457345618258602, 3074457345618258602, 3074457345618258602, 3074457345618258602]> : tensor<25xi64>
  %1 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 0, 3, 3074457345618258602, -9223372036854775808, 9223372036854775807, 0, 3, 3074457345618258602, -9223372036854775808, 9223372036854775807, 0, 3, 3074457345618258602, -9223372036854775808, 9223372036854775807, 0, 3, 3074457345618258602, -9223372036854775808, 9223372036854775807, 0, 3, 3074457345618258602]> : tensor<25xi64>
  %2 = chlo.mulhi %0, %1 : tensor<25xi64>
  check.expect_eq_const %2, dense<[4611686018427387904, -4611686018427387904, 0, -2, -1537228672809129301, -4611686018427387904, 4611686018427387903, 0, 1, 1537228672809129300, 0, 0, 0, 0, 0, -2, 1, 0, 0, 0, -1537228672809129301, 1537228672809129300, 0, 0, 512409557603043100]> : tensor<25xi64>
  return
}

func.func @square_i64() {
  %0 = stablehlo.constant dense<[0, 3, 11]> : tensor<3xi64>
  %1 = chlo.square %0 : tensor<3xi64>
  check.expect_eq_const %1, dense<[0, 9, 121]> : tensor<3xi64>
  return
}

func.func @mulhi_ui64() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 6148914691236517205, 6148914691236517205, 6148914691236517205, 6148914691236517205, 6148914691236517205]> : tensor<25xui64>
  %1 = stablehlo.constant dense<[0, 18446744073709551615, 0, 3, 6148914691236517205, 0, 18446744073709551615, 0, 3, 6148914691236517205, 0, 18446744073709551615, 0, 3, 6148914691236517205, 0, 18446744073709551615, 0, 3, 6148914691236517205, 0, 18446744073709551615, 0, 3, 6148914691236517205]> : tensor<25xui64>
  %2 = chlo.mulhi %0, %1 : tensor<25xui64>
  check.expect_eq_const %2, dense<[0, 0, 0, 0, 0, 0, 18446744073709551614, 0, 2, 6148914691236517204, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 6148914691236517204, 0, 0, 2049638230412172401]> : tensor<25xui64>
  return
}

func.func @square_ui64() {
  %0 = stablehlo.constant dense<[0, 3, 11]> : tensor<3xui64>
  %1 = chlo.square %0 : tensor<3xui64>
  check.expect_eq_const %1, dense<[0, 9, 121]> : tensor<3xui64>
  return
}

func.func @broadcast_add_i8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi8>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[4, 3, 5], [7, 6, 8]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_add_i8_column() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi8>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xi8>, tensor<2x1xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[4, 5, 6], [5, 6, 7]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_add_i8_both() {
  %0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi8>
  %1 = stablehlo.constant dense<[[3, 1]]> : tensor<1x2xi8>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x1xi8>, tensor<1x2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[4, 2], [5, 3]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_add_i8_scalar() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<3> : tensor<i8>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xi8>, tensor<i8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[4, 5, 6], [7, 8, 9]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_add_i8_dimensions() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xi8>
  %2 = chlo.broadcast_add %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi8>, tensor<2xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[4, 5, 6], [5, 6, 7]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_multiply_i8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi8>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[3, 2, 6], [12, 5, 12]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_multiply_i8_column() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi8>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xi8>, tensor<2x1xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[3, 6, 9], [4, 5, 6]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_multiply_i8_both() {
  %0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi8>
  %1 = stablehlo.constant dense<[[3, 1]]> : tensor<1x2xi8>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x1xi8>, tensor<1x2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[3, 1], [6, 2]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_multiply_i8_scalar() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<3> : tensor<i8>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xi8>, tensor<i8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[3, 6, 9], [12, 15, 18]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_multiply_i8_dimensions() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xi8>
  %2 = chlo.broadcast_multiply %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi8>, tensor<2xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[3, 6, 9], [4, 5, 6]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_maximum_i8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi8>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[3, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_maximum_i8_column() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi8>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xi8>, tensor<2x1xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[3, 3, 3], [4, 5, 6]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_maximum_i8_both() {
  %0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi8>
  %1 = stablehlo.constant dense<[[3, 1]]> : tensor<1x2xi8>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x1xi8>, tensor<1x2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[3, 1], [3, 2]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_maximum_i8_scalar() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<3> : tensor<i8>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xi8>, tensor<i8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[3, 3, 3], [4, 5, 6]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_maximum_i8_dimensions() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xi8>
  %2 = chlo.broadcast_maximum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi8>, tensor<2xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[3, 3, 3], [4, 5, 6]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_minimum_i8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi8>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[1, 1, 2], [3, 1, 2]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_minimum_i8_column() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi8>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xi8>, tensor<2x1xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[1, 2, 3], [1, 1, 1]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_minimum_i8_both() {
  %0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi8>
  %1 = stablehlo.constant dense<[[3, 1]]> : tensor<1x2xi8>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x1xi8>, tensor<1x2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[1, 1], [2, 1]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_minimum_i8_scalar() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<3> : tensor<i8>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xi8>, tensor<i8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[1, 2, 3], [3, 3, 3]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_minimum_i8_dimensions() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xi8>
  %2 = chlo.broadcast_minimum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi8>, tensor<2xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[1, 2, 3], [1, 1, 1]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_power_i8() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 2]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[2, 1]> : tensor<2xi8>
  %2 = chlo.broadcast_power %0, %1 : (tensor<2x2xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[1, 2], [9, 2]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_subtract_i8() {
  %0 = stablehlo.constant dense<[[9, 8], [7, 6]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xi8>
  %2 = chlo.broadcast_subtract %0, %1 : (tensor<2x2xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[6, 7], [4, 5]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_divide_i8() {
  %0 = stablehlo.constant dense<[[8, 6], [4, 12]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[4, 2]> : tensor<2xi8>
  %2 = chlo.broadcast_divide %0, %1 : (tensor<2x2xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[2, 3], [1, 6]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_remainder_i8() {
  %0 = stablehlo.constant dense<[[8, 5], [7, 12]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi8>
  %2 = chlo.broadcast_remainder %0, %1 : (tensor<2x2xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[0, 2], [3, 0]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_compare_i8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi8>
  %2 = chlo.broadcast_compare %0, %1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi1>
  check.expect_eq_const %2, dense<[[true, false, false], [false, false, false]]> : tensor<2x3xi1>
  return
}

func.func @broadcast_add_ui32() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xui32>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xui32>, tensor<3xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[4, 3, 5], [7, 6, 8]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_add_ui32_column() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xui32>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xui32>, tensor<2x1xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[4, 5, 6], [5, 6, 7]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_add_ui32_both() {
  %0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xui32>
  %1 = stablehlo.constant dense<[[3, 1]]> : tensor<1x2xui32>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x1xui32>, tensor<1x2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %2, dense<[[4, 2], [5, 3]]> : tensor<2x2xui32>
  return
}

func.func @broadcast_add_ui32_scalar() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<3> : tensor<ui32>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[4, 5, 6], [7, 8, 9]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_add_ui32_dimensions() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xui32>
  %2 = chlo.broadcast_add %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xui32>, tensor<2xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[4, 5, 6], [5, 6, 7]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_multiply_ui32() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xui32>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xui32>, tensor<3xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[3, 2, 6], [12, 5, 12]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_multiply_ui32_column() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xui32>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xui32>, tensor<2x1xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[3, 6, 9], [4, 5, 6]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_multiply_ui32_both() {
  %0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xui32>
  %1 = stablehlo.constant dense<[[3, 1]]> : tensor<1x2xui32>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x1xui32>, tensor<1x2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %2, dense<[[3, 1], [6, 2]]> : tensor<2x2xui32>
  return
}

func.func @broadcast_multiply_ui32_scalar() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<3> : tensor<ui32>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[3, 6, 9], [12, 15, 18]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_multiply_ui32_dimensions() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xui32>
  %2 = chlo.broadcast_multiply %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xui32>, tensor<2xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[3, 6, 9], [4, 5, 6]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_maximum_ui32() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xui32>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xui32>, tensor<3xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[3, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_maximum_ui32_column() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xui32>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xui32>, tensor<2x1xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[3, 3, 3], [4, 5, 6]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_maximum_ui32_both() {
  %0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xui32>
  %1 = stablehlo.constant dense<[[3, 1]]> : tensor<1x2xui32>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x1xui32>, tensor<1x2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %2, dense<[[3, 1], [3, 2]]> : tensor<2x2xui32>
  return
}

func.func @broadcast_maximum_ui32_scalar() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<3> : tensor<ui32>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[3, 3, 3], [4, 5, 6]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_maximum_ui32_dimensions() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xui32>
  %2 = chlo.broadcast_maximum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xui32>, tensor<2xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[3, 3, 3], [4, 5, 6]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_minimum_ui32() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xui32>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xui32>, tensor<3xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[1, 1, 2], [3, 1, 2]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_minimum_ui32_column() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xui32>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xui32>, tensor<2x1xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[1, 2, 3], [1, 1, 1]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_minimum_ui32_both() {
  %0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xui32>
  %1 = stablehlo.constant dense<[[3, 1]]> : tensor<1x2xui32>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x1xui32>, tensor<1x2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %2, dense<[[1, 1], [2, 1]]> : tensor<2x2xui32>
  return
}

func.func @broadcast_minimum_ui32_scalar() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<3> : tensor<ui32>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[1, 2, 3], [3, 3, 3]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_minimum_ui32_dimensions() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xui32>
  %2 = chlo.broadcast_minimum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xui32>, tensor<2xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %2, dense<[[1, 2, 3], [1, 1, 1]]> : tensor<2x3xui32>
  return
}

func.func @broadcast_power_ui32() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 2]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[2, 1]> : tensor<2xui32>
  %2 = chlo.broadcast_power %0, %1 : (tensor<2x2xui32>, tensor<2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %2, dense<[[1, 2], [9, 2]]> : tensor<2x2xui32>
  return
}

func.func @broadcast_subtract_ui32() {
  %0 = stablehlo.constant dense<[[9, 8], [7, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[3, 1]> : tensor<2xui32>
  %2 = chlo.broadcast_subtract %0, %1 : (tensor<2x2xui32>, tensor<2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %2, dense<[[6, 7], [4, 5]]> : tensor<2x2xui32>
  return
}

func.func @broadcast_divide_ui32() {
  %0 = stablehlo.constant dense<[[8, 6], [4, 12]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[4, 2]> : tensor<2xui32>
  %2 = chlo.broadcast_divide %0, %1 : (tensor<2x2xui32>, tensor<2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %2, dense<[[2, 3], [1, 6]]> : tensor<2x2xui32>
  return
}

func.func @broadcast_remainder_ui32() {
  %0 = stablehlo.constant dense<[[8, 5], [7, 12]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xui32>
  %2 = chlo.broadcast_remainder %0, %1 : (tensor<2x2xui32>, tensor<2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %2, dense<[[0, 2], [3, 0]]> : tensor<2x2xui32>
  return
}

func.func @broadcast_compare_ui32() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xui32>
  %2 = chlo.broadcast_compare %0, %1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xui32>, tensor<3xui32>) -> tensor<2x3xi1>
  check.expect_eq_const %2, dense<[[true, false, false], [false, false, false]]> : tensor<2x3xi1>
  return
}

func.func @broadcast_add_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf32>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[4.0, 3.0, 5.0], [7.0, 6.0, 8.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_add_f32_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xf32>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[4.0, 5.0, 6.0], [5.0, 6.0, 7.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_add_f32_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf32>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[4.0, 2.0], [5.0, 3.0]]> : tensor<2x2xf32>
  return
}

func.func @broadcast_add_f32_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<3.0> : tensor<f32>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_add_f32_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf32>
  %2 = chlo.broadcast_add %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[4.0, 5.0, 6.0], [5.0, 6.0, 7.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_multiply_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf32>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 2.0, 6.0], [12.0, 5.0, 12.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_multiply_f32_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xf32>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_multiply_f32_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf32>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[3.0, 1.0], [6.0, 2.0]]> : tensor<2x2xf32>
  return
}

func.func @broadcast_multiply_f32_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<3.0> : tensor<f32>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [12.0, 15.0, 18.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_multiply_f32_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf32>
  %2 = chlo.broadcast_multiply %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_maximum_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf32>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_maximum_f32_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xf32>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_maximum_f32_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf32>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[3.0, 1.0], [3.0, 2.0]]> : tensor<2x2xf32>
  return
}

func.func @broadcast_maximum_f32_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<3.0> : tensor<f32>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_maximum_f32_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf32>
  %2 = chlo.broadcast_maximum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_minimum_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf32>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[1.0, 1.0, 2.0], [3.0, 1.0, 2.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_minimum_f32_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xf32>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_minimum_f32_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf32>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[1.0, 1.0], [2.0, 1.0]]> : tensor<2x2xf32>
  return
}

func.func @broadcast_minimum_f32_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<3.0> : tensor<f32>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [3.0, 3.0, 3.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_minimum_f32_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf32>
  %2 = chlo.broadcast_minimum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_power_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 2.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %2 = chlo.broadcast_power %0, %1 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0], [9.0, 2.0]]> : tensor<2x2xf32>
  return
}

func.func @broadcast_subtract_f32() {
  %0 = stablehlo.constant dense<[[9.0, 8.0], [7.0, 6.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf32>
  %2 = chlo.broadcast_subtract %0, %1 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[6.0, 7.0], [4.0, 5.0]]> : tensor<2x2xf32>
  return
}

func.func @broadcast_divide_f32() {
  %0 = stablehlo.constant dense<[[8.0, 6.0], [4.0, 12.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[4.0, 2.0]> : tensor<2xf32>
  %2 = chlo.broadcast_divide %0, %1 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[2.0, 3.0], [1.0, 6.0]]> : tensor<2x2xf32>
  return
}

func.func @broadcast_remainder_f32() {
  %0 = stablehlo.constant dense<[[8.0, 5.0], [7.0, 12.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[4.0, 3.0]> : tensor<2xf32>
  %2 = chlo.broadcast_remainder %0, %1 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[0.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf32>
  return
}

func.func @broadcast_compare_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf32>
  %2 = chlo.broadcast_compare %0, %1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  check.expect_eq_const %2, dense<[[true, false, false], [false, false, false]]> : tensor<2x3xi1>
  return
}

func.func @broadcast_add_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xbf16>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xbf16>, tensor<3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[4.0, 3.0, 5.0], [7.0, 6.0, 8.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_add_bf16_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xbf16>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xbf16>, tensor<2x1xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[4.0, 5.0, 6.0], [5.0, 6.0, 7.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_add_bf16_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xbf16>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x1xbf16>, tensor<1x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[4.0, 2.0], [5.0, 3.0]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_add_bf16_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<3.0> : tensor<bf16>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_add_bf16_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_add %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xbf16>, tensor<2xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[4.0, 5.0, 6.0], [5.0, 6.0, 7.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_multiply_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xbf16>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xbf16>, tensor<3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[3.0, 2.0, 6.0], [12.0, 5.0, 12.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_multiply_bf16_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xbf16>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xbf16>, tensor<2x1xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_multiply_bf16_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xbf16>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x1xbf16>, tensor<1x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[3.0, 1.0], [6.0, 2.0]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_multiply_bf16_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<3.0> : tensor<bf16>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [12.0, 15.0, 18.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_multiply_bf16_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_multiply %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xbf16>, tensor<2xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_maximum_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xbf16>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xbf16>, tensor<3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[3.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_maximum_bf16_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xbf16>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xbf16>, tensor<2x1xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_maximum_bf16_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xbf16>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x1xbf16>, tensor<1x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[3.0, 1.0], [3.0, 2.0]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_maximum_bf16_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<3.0> : tensor<bf16>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_maximum_bf16_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_maximum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xbf16>, tensor<2xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_minimum_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xbf16>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xbf16>, tensor<3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[1.0, 1.0, 2.0], [3.0, 1.0, 2.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_minimum_bf16_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xbf16>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xbf16>, tensor<2x1xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_minimum_bf16_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xbf16>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x1xbf16>, tensor<1x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[1.0, 1.0], [2.0, 1.0]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_minimum_bf16_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<3.0> : tensor<bf16>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [3.0, 3.0, 3.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_minimum_bf16_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_minimum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xbf16>, tensor<2xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_power_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 2.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_power %0, %1 : (tensor<2x2xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[1.0, 2.0], [9.0, 2.0]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_subtract_bf16() {
  %0 = stablehlo.constant dense<[[9.0, 8.0], [7.0, 6.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_subtract %0, %1 : (tensor<2x2xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[6.0, 7.0], [4.0, 5.0]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_divide_bf16() {
  %0 = stablehlo.constant dense<[[8.0, 6.0], [4.0, 12.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[4.0, 2.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_divide %0, %1 : (tensor<2x2xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[2.0, 3.0], [1.0, 6.0]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_remainder_bf16() {
  %0 = stablehlo.constant dense<[[8.0, 5.0], [7.0, 12.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[4.0, 3.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_remainder %0, %1 : (tensor<2x2xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[0.0, 2.0], [3.0, 0.0]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_compare_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xbf16>
  %2 = chlo.broadcast_compare %0, %1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xbf16>, tensor<3xbf16>) -> tensor<2x3xi1>
  check.expect_eq_const %2, dense<[[true, false, false], [false, false, false]]> : tensor<2x3xi1>
  return
}

func.func @broadcast_add_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[4.0, 3.0, 5.0], [7.0, 6.0, 8.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_add_f8E4M3FNUZ_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xf8E4M3FNUZ>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[4.0, 5.0, 6.0], [5.0, 6.0, 7.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_add_f8E4M3FNUZ_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf8E4M3FNUZ>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x1xf8E4M3FNUZ>, tensor<1x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[4.0, 2.0], [5.0, 3.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @broadcast_add_f8E4M3FNUZ_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<3.0> : tensor<f8E4M3FNUZ>
  %2 = chlo.broadcast_add %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_add_f8E4M3FNUZ_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf8E4M3FNUZ>
  %2 = chlo.broadcast_add %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[4.0, 5.0, 6.0], [5.0, 6.0, 7.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_multiply_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 2.0, 6.0], [12.0, 5.0, 12.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_multiply_f8E4M3FNUZ_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xf8E4M3FNUZ>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_multiply_f8E4M3FNUZ_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf8E4M3FNUZ>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x1xf8E4M3FNUZ>, tensor<1x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 1.0], [6.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @broadcast_multiply_f8E4M3FNUZ_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<3.0> : tensor<f8E4M3FNUZ>
  %2 = chlo.broadcast_multiply %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [12.0, 15.0, 18.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_multiply_f8E4M3FNUZ_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf8E4M3FNUZ>
  %2 = chlo.broadcast_multiply %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 6.0, 9.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_maximum_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_maximum_f8E4M3FNUZ_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xf8E4M3FNUZ>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_maximum_f8E4M3FNUZ_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf8E4M3FNUZ>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x1xf8E4M3FNUZ>, tensor<1x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 1.0], [3.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @broadcast_maximum_f8E4M3FNUZ_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<3.0> : tensor<f8E4M3FNUZ>
  %2 = chlo.broadcast_maximum %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_maximum_f8E4M3FNUZ_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf8E4M3FNUZ>
  %2 = chlo.broadcast_maximum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[3.0, 3.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_minimum_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 1.0, 2.0], [3.0, 1.0, 2.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_minimum_f8E4M3FNUZ_column() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3.0], [1.0]]> : tensor<2x1xf8E4M3FNUZ>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_minimum_f8E4M3FNUZ_both() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf8E4M3FNUZ>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x1xf8E4M3FNUZ>, tensor<1x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 1.0], [2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @broadcast_minimum_f8E4M3FNUZ_scalar() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<3.0> : tensor<f8E4M3FNUZ>
  %2 = chlo.broadcast_minimum %0, %1 : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [3.0, 3.0, 3.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_minimum_f8E4M3FNUZ_dimensions() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf8E4M3FNUZ>
  %2 = chlo.broadcast_minimum %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_power_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf8E4M3FNUZ>
  %2 = chlo.broadcast_power %0, %1 : (tensor<2x2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 2.0], [9.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @broadcast_subtract_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[9.0, 8.0], [7.0, 6.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf8E4M3FNUZ>
  %2 = chlo.broadcast_subtract %0, %1 : (tensor<2x2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[6.0, 7.0], [4.0, 5.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @broadcast_divide_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[8.0, 6.0], [4.0, 12.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[4.0, 2.0]> : tensor<2xf8E4M3FNUZ>
  %2 = chlo.broadcast_divide %0, %1 : (tensor<2x2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 3.0], [1.0, 6.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @broadcast_remainder_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[8.0, 5.0], [7.0, 12.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[4.0, 3.0]> : tensor<2xf8E4M3FNUZ>
  %2 = chlo.broadcast_remainder %0, %1 : (tensor<2x2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @broadcast_compare_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %2 = chlo.broadcast_compare %0, %1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<2x3xi1>
  check.expect_eq_const %2, dense<[[true, false, false], [false, false, false]]> : tensor<2x3xi1>
  return
}

func.func @broadcast_and_ui8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xui8>
  %2 = chlo.broadcast_and %0, %1 : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xui8>
  check.expect_eq_const %2, dense<[[1, 0, 2], [0, 1, 2]]> : tensor<2x3xui8>
  return
}

func.func @broadcast_and_i1() {
  %0 = stablehlo.constant dense<[[false, true], [true, true]]> : tensor<2x2xi1>
  %1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %2 = chlo.broadcast_and %0, %1 : (tensor<2x2xi1>, tensor<2xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %2, dense<[[false, false], [true, false]]> : tensor<2x2xi1>
  return
}

func.func @broadcast_or_ui8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xui8>
  %2 = chlo.broadcast_or %0, %1 : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xui8>
  check.expect_eq_const %2, dense<[[3, 3, 3], [7, 5, 6]]> : tensor<2x3xui8>
  return
}

func.func @broadcast_or_i1() {
  %0 = stablehlo.constant dense<[[false, true], [true, true]]> : tensor<2x2xi1>
  %1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %2 = chlo.broadcast_or %0, %1 : (tensor<2x2xi1>, tensor<2xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %2, dense<[[true, true], [true, true]]> : tensor<2x2xi1>
  return
}

func.func @broadcast_xor_ui8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xui8>
  %2 = chlo.broadcast_xor %0, %1 : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xui8>
  check.expect_eq_const %2, dense<[[2, 3, 1], [7, 4, 4]]> : tensor<2x3xui8>
  return
}

func.func @broadcast_xor_i1() {
  %0 = stablehlo.constant dense<[[false, true], [true, true]]> : tensor<2x2xi1>
  %1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %2 = chlo.broadcast_xor %0, %1 : (tensor<2x2xi1>, tensor<2xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %2, dense<[[true, true], [false, true]]> : tensor<2x2xi1>
  return
}

func.func @broadcast_shift_left_i8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi8>
  %2 = chlo.broadcast_shift_left %0, %1 : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[8, 4, 12], [32, 10, 24]]> : tensor<2x3xi8>
  return
}

func.func @broadcast_shift_right_logical_i8() {
  %0 = stablehlo.constant dense<[[-8], [64]]> : tensor<2x1xi8>
  %1 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %2 = chlo.broadcast_shift_right_logical %0, %1 : (tensor<2x1xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[124, 62], [32, 16]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_shift_right_arithmetic_i8() {
  %0 = stablehlo.constant dense<[[-8], [64]]> : tensor<2x1xi8>
  %1 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %2 = chlo.broadcast_shift_right_arithmetic %0, %1 : (tensor<2x1xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[-4, -2], [32, 16]]> : tensor<2x2xi8>
  return
}

func.func @broadcast_complex_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf32>
  %2 = chlo.broadcast_complex %0, %1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(1.0, 3.0), (2.0, 1.0), (3.0, 2.0)], [(4.0, 3.0), (5.0, 1.0), (6.0, 2.0)]]> : tensor<2x3xcomplex<f32>>
  return
}

func.func @broadcast_next_after_bf16() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_next_after %0, %1 : (tensor<2x1xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[1.01, 0.996], [2.02, 1.99]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_atan2_bf16() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_atan2 %0, %1 : (tensor<2x1xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[0.322, 2.81], [0.59, 2.55]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_zeta_bf16() {
  %0 = stablehlo.constant dense<[[2.0], [3.0]]> : tensor<2x1xbf16>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %2 = chlo.broadcast_zeta %0, %1 : (tensor<2x1xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[1.65, 0.645], [1.2, 0.202]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_polygamma_bf16() {
  %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %1 = stablehlo.constant dense<[1.0, 2.5]> : tensor<2xbf16>
  %2 = chlo.broadcast_polygamma %0, %1 : (tensor<2x1xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[1.65, 0.49], [-2.4, -0.236]]> : tensor<2x2xbf16>
  return
}

func.func @broadcast_select() {
  %0 = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<-3.0> : tensor<f8E5M2FNUZ>
  %3 = chlo.broadcast_select %0, %1, %2 : (tensor<2x1xi1>, tensor<2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[1.0, 2.0], [-3.0, -3.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func @constant_like_i32() {
  %0 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi32>
  %1 = "chlo.constant_like"(%0) <{value = 3 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[3, 3], [3, 3]]> : tensor<2x2xi32>
  %2 = chlo.constant dense<3> : tensor<3xi32>
  check.expect_eq_const %2, dense<[3, 3, 3]> : tensor<3xi32>
  return
}

func.func @constant_like_f32() {
  %0 = stablehlo.constant dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %1 = "chlo.constant_like"(%0) <{value = 1.5 : f32}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[1.5, 1.5], [1.5, 1.5]]> : tensor<2x2xf32>
  %2 = chlo.constant dense<1.5> : tensor<3xf32>
  check.expect_eq_const %2, dense<[1.5, 1.5, 1.5]> : tensor<3xf32>
  return
}

func.func @constant_like_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xbf16>
  %1 = "chlo.constant_like"(%0) <{value = 1.5 : bf16}> : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %1, dense<[[1.5, 1.5], [1.5, 1.5]]> : tensor<2x2xbf16>
  %2 = chlo.constant dense<1.5> : tensor<3xbf16>
  check.expect_eq_const %2, dense<[1.5, 1.5, 1.5]> : tensor<3xbf16>
  return
}

func.func @constant_like_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = "chlo.constant_like"(%0) <{value = 1.5 : f8E4M3FNUZ}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[1.5, 1.5], [1.5, 1.5]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = chlo.constant dense<1.5> : tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[1.5, 1.5, 1.5]> : tensor<3xf8E4M3FNUZ>
  return
}

func.func @constant_like_complex_f32() {
  %0 = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %1 = chlo.constant dense<(1.5, 0.0)> : tensor<3xcomplex<f32>>
  check.expect_eq_const %1, dense<[(1.5, 0.0), (1.5, 0.0), (1.5, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

func.func @top_k_i32() {
  %0 = stablehlo.constant dense<[[3, 9, -1, 9], [0, 0, 0, 0]]> : tensor<2x4xi32>
  %1:2 = chlo.top_k(%0, k = 2) : tensor<2x4xi32> -> (tensor<2x2xi32>, tensor<2x2xi32>)
  check.expect_eq_const %1#0, dense<[[9, 9], [0, 0]]> : tensor<2x2xi32>
  check.expect_eq_const %1#1, dense<[[1, 3], [0, 1]]> : tensor<2x2xi32>
  return
}

func.func @top_k_f32() {
  %0 = stablehlo.constant dense<[[1.5, 0xFF800000, 0x7F800000, 2.0], [-1.0, -2.0, -3.0, -0.5]]> : tensor<2x4xf32>
  %1:2 = chlo.top_k(%0, k = 2) : tensor<2x4xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %1#0, dense<[[0x7F800000, 2.0], [-0.5, -1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %1#1, dense<[[2, 3], [3, 0]]> : tensor<2x2xi32>
  return
}

func.func @top_k_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 3.0]]> : tensor<1x4xbf16>
  %1:2 = chlo.top_k(%0, k = 2) : tensor<1x4xbf16> -> (tensor<1x2xbf16>, tensor<1x2xi32>)
  check.expect_eq_const %1#0, dense<[[3.0, 3.0]]> : tensor<1x2xbf16>
  check.expect_eq_const %1#1, dense<[[2, 3]]> : tensor<1x2xi32>
  return
}

func.func @top_k_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[2.4e+02, 2.0, -2.4e+02, 3.0]]> : tensor<1x4xf8E4M3FNUZ>
  %1:2 = chlo.top_k(%0, k = 2) : tensor<1x4xf8E4M3FNUZ> -> (tensor<1x2xf8E4M3FNUZ>, tensor<1x2xi32>)
  check.expect_eq_const %1#0, dense<[[2.4e+02, 3.0]]> : tensor<1x2xf8E4M3FNUZ>
  check.expect_eq_const %1#1, dense<[[0, 3]]> : tensor<1x2xi32>
  return
}

func.func @scan_i32() {
  %0 = stablehlo.constant dense<[[1, 2], [3, -1], [2, 4]]> : tensor<3x2xi32>
  %1 = stablehlo.constant dense<[10, -5]> : tensor<2xi32>
  %2:2 = chlo.scan(%0) inits (%1) dimension=0 attributes {is_reverse = false} {
  ^bb0(%x: tensor<2xi32>, %c: tensor<2xi32>):
    %s = stablehlo.add %x, %c : tensor<2xi32>
    stablehlo.return %s, %s : tensor<2xi32>, tensor<2xi32>
  } : (tensor<3x2xi32>, tensor<2xi32>) -> (tensor<3x2xi32>, tensor<2xi32>)
  check.expect_eq_const %2#0, dense<[[11, -3], [14, -4], [16, 0]]> : tensor<3x2xi32>
  check.expect_eq_const %2#1, dense<[16, 0]> : tensor<2xi32>
  return
}

func.func @scan_i32_reverse() {
  %0 = stablehlo.constant dense<[[1, 2], [3, -1], [2, 4]]> : tensor<3x2xi32>
  %1 = stablehlo.constant dense<[10, -5]> : tensor<2xi32>
  %2:2 = chlo.scan(%0) inits (%1) dimension=0 attributes {is_reverse = true} {
  ^bb0(%x: tensor<2xi32>, %c: tensor<2xi32>):
    %s = stablehlo.add %x, %c : tensor<2xi32>
    stablehlo.return %s, %s : tensor<2xi32>, tensor<2xi32>
  } : (tensor<3x2xi32>, tensor<2xi32>) -> (tensor<3x2xi32>, tensor<2xi32>)
  check.expect_eq_const %2#0, dense<[[16, 0], [15, -2], [12, -1]]> : tensor<3x2xi32>
  check.expect_eq_const %2#1, dense<[16, 0]> : tensor<2xi32>
  return
}

func.func @scan_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -1.0], [2.0, 4.0]]> : tensor<3x2xf32>
  %1 = stablehlo.constant dense<[10.0, -5.0]> : tensor<2xf32>
  %2:2 = chlo.scan(%0) inits (%1) dimension=0 attributes {is_reverse = false} {
  ^bb0(%x: tensor<2xf32>, %c: tensor<2xf32>):
    %s = stablehlo.add %x, %c : tensor<2xf32>
    stablehlo.return %s, %s : tensor<2xf32>, tensor<2xf32>
  } : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  check.expect_eq_const %2#0, dense<[[11.0, -3.0], [14.0, -4.0], [16.0, 0.0]]> : tensor<3x2xf32>
  check.expect_eq_const %2#1, dense<[16.0, 0.0]> : tensor<2xf32>
  return
}

func.func @scan_f32_reverse() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -1.0], [2.0, 4.0]]> : tensor<3x2xf32>
  %1 = stablehlo.constant dense<[10.0, -5.0]> : tensor<2xf32>
  %2:2 = chlo.scan(%0) inits (%1) dimension=0 attributes {is_reverse = true} {
  ^bb0(%x: tensor<2xf32>, %c: tensor<2xf32>):
    %s = stablehlo.add %x, %c : tensor<2xf32>
    stablehlo.return %s, %s : tensor<2xf32>, tensor<2xf32>
  } : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  check.expect_eq_const %2#0, dense<[[16.0, 0.0], [15.0, -2.0], [12.0, -1.0]]> : tensor<3x2xf32>
  check.expect_eq_const %2#1, dense<[16.0, 0.0]> : tensor<2xf32>
  return
}

func.func @scan_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -1.0], [2.0, 4.0]]> : tensor<3x2xbf16>
  %1 = stablehlo.constant dense<[10.0, -5.0]> : tensor<2xbf16>
  %2:2 = chlo.scan(%0) inits (%1) dimension=0 attributes {is_reverse = false} {
  ^bb0(%x: tensor<2xbf16>, %c: tensor<2xbf16>):
    %s = stablehlo.add %x, %c : tensor<2xbf16>
    stablehlo.return %s, %s : tensor<2xbf16>, tensor<2xbf16>
  } : (tensor<3x2xbf16>, tensor<2xbf16>) -> (tensor<3x2xbf16>, tensor<2xbf16>)
  check.expect_eq_const %2#0, dense<[[11.0, -3.0], [14.0, -4.0], [16.0, 0.0]]> : tensor<3x2xbf16>
  check.expect_eq_const %2#1, dense<[16.0, 0.0]> : tensor<2xbf16>
  return
}

func.func @scan_bf16_reverse() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -1.0], [2.0, 4.0]]> : tensor<3x2xbf16>
  %1 = stablehlo.constant dense<[10.0, -5.0]> : tensor<2xbf16>
  %2:2 = chlo.scan(%0) inits (%1) dimension=0 attributes {is_reverse = true} {
  ^bb0(%x: tensor<2xbf16>, %c: tensor<2xbf16>):
    %s = stablehlo.add %x, %c : tensor<2xbf16>
    stablehlo.return %s, %s : tensor<2xbf16>, tensor<2xbf16>
  } : (tensor<3x2xbf16>, tensor<2xbf16>) -> (tensor<3x2xbf16>, tensor<2xbf16>)
  check.expect_eq_const %2#0, dense<[[16.0, 0.0], [15.0, -2.0], [12.0, -1.0]]> : tensor<3x2xbf16>
  check.expect_eq_const %2#1, dense<[16.0, 0.0]> : tensor<2xbf16>
  return
}

func.func @scan_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -1.0], [2.0, 4.0]]> : tensor<3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[10.0, -5.0]> : tensor<2xf8E4M3FNUZ>
  %2:2 = chlo.scan(%0) inits (%1) dimension=0 attributes {is_reverse = false} {
  ^bb0(%x: tensor<2xf8E4M3FNUZ>, %c: tensor<2xf8E4M3FNUZ>):
    %s = stablehlo.add %x, %c : tensor<2xf8E4M3FNUZ>
    stablehlo.return %s, %s : tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>
  } : (tensor<3x2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> (tensor<3x2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[11.0, -3.0], [14.0, -4.0], [16.0, 0.0]]> : tensor<3x2xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[16.0, 0.0]> : tensor<2xf8E4M3FNUZ>
  return
}

func.func @scan_f8E4M3FNUZ_reverse() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -1.0], [2.0, 4.0]]> : tensor<3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[10.0, -5.0]> : tensor<2xf8E4M3FNUZ>
  %2:2 = chlo.scan(%0) inits (%1) dimension=0 attributes {is_reverse = true} {
  ^bb0(%x: tensor<2xf8E4M3FNUZ>, %c: tensor<2xf8E4M3FNUZ>):
    %s = stablehlo.add %x, %c : tensor<2xf8E4M3FNUZ>
    stablehlo.return %s, %s : tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>
  } : (tensor<3x2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> (tensor<3x2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[16.0, 0.0], [15.0, -2.0], [12.0, -1.0]]> : tensor<3x2xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[16.0, 0.0]> : tensor<2xf8E4M3FNUZ>
  return
}

// cosh and sinh of binary32 are e^(x + ln ½) ± e^(ln ½ − x), every step rounded: 5 and 6 ulps off here, as XLA's are.
func.func @cosh_sinh_f32() {
  %0 = stablehlo.constant dense<[9.3, -8.7, 0.5, 12.25]> : tensor<4xf32>
  %1 = chlo.cosh %0 : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %1, dense<[0x45AAE81B, 0x453B9750, 0x3F90560C, 0x47CC154C]> : tensor<4xf32>
  %2 = chlo.sinh %0 : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %2, dense<[0x45AAE81B, 0xC53B9750, 0x3F056681, 0x47CC154C]> : tensor<4xf32>
  %3 = stablehlo.constant dense<0.0> : tensor<4xf32>
  %4 = stablehlo.complex %0, %3 : tensor<4xcomplex<f32>>
  %5 = chlo.cosh %4 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %6 = stablehlo.real %5 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  check.expect_eq %6, %1 : tensor<4xf32>
  return
}

// Near the cut of the left half plane as exact as near that of the right.
func.func @atanh_atan_complex_f64() {
  %0 = stablehlo.constant dense<[(-0.9, 0.3), (-1.75, 0.001)]> : tensor<2xcomplex<f64>>
  %1 = chlo.atanh %0 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %2 = stablehlo.constant dense<[(-0.9027294781610561441, 0.7028238246901349145), (-0.6496410806789300972, 1.5703114786970954175)]> : tensor<2xcomplex<f64>>
  check.expect_close %1, %2 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  return
}

// Half of e^z − e^−z cancels near 0.
func.func @sinh_and_cosh_of_small_c64() {
  %0 = stablehlo.constant dense<[(1.0e-08, 1.0e-08), (-3.0e-20, 0.5), (0.0, 1.0e-38), (1.0e-08, -2.0)]> : tensor<4xcomplex<f32>>
  %1 = chlo.sinh %0 : tensor<4xcomplex<f32>>
  %2 = stablehlo.constant dense<[(1.0e-08, 1.0e-08), (-2.632747685671118e-20, 0.479425538604203), (0.0, 1.0e-38), (-4.161468365471424e-09, -0.9092974268256817)]> : tensor<4xcomplex<f32>>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  %3 = chlo.cosh %0 : tensor<4xcomplex<f32>>
  %4 = stablehlo.constant dense<[(1.0, 1.0e-16), (0.8775825618903728, -1.438276615812609e-20), (1.0, 0.0), (-0.4161468365471424, -9.092974268256817e-09)]> : tensor<4xcomplex<f32>>
  check.expect_close %3, %4, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

func.func @bessel_i1e_of_large_f64() {
  %0 = stablehlo.constant dense<[2.9e+307, 1.0e+308, -1.7976931348623157e+308, 0x7FF0000000000000]> : tensor<4xf64>
  %1 = chlo.bessel_i1e %0 : tensor<4xf64>
  %2 = stablehlo.constant dense<[7.408172167226829e-155, 3.989422804014327e-155, -2.9754474593158995e-155, 0.0]> : tensor<4xf64>
  check.expect_close %1, %2, max_ulp_difference = 4 : tensor<4xf64>, tensor<4xf64>
  return
}
