// stablehlo.negate, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @negate_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<17xf64>
  %1 = stablehlo.negate %0 : tensor<17xf64>
  check.expect_eq_const %1, dense<[0x7FF0000000000000, 2.5, 1.75, 1.5, 1.0, 0.5, 0.25, 0.0, -0.0, -0.25, -0.5, -0.75, -1.5, -2.5, -3.5, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<17xf64>
  return
}

func.func @negate_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F800000, 0x7FC00000]> : tensor<17xf32>
  %1 = stablehlo.negate %0 : tensor<17xf32>
  check.expect_eq_const %1, dense<[0x7F800000, 2.5, 1.75, 1.5, 1.0, 0.5, 0.25, 0.0, -0.0, -0.25, -0.5, -0.75, -1.5, -2.5, -3.5, 0xFF800000, 0x7FC00000]> : tensor<17xf32>
  return
}

func.func @negate_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %1 = stablehlo.negate %0 : tensor<17xbf16>
  check.expect_eq_const %1, dense<[0x7F80, 2.5, 1.75, 1.5, 1.0, 0.5, 0.25, 0.0, -0.0, -0.25, -0.5, -0.75, -1.5, -2.5, -3.5, 0xFF80, 0x7FC0]> : tensor<17xbf16>
  return
}

func.func @negate_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E4M3FNUZ>
  %1 = stablehlo.negate %0 : tensor<17xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 2.5, 1.8, 1.5, 1.0, 0.5, 0.25, 0.0, 0.0, -0.25, -0.5, -0.75, -1.5, -2.5, -3.5, 0x80, 0x80]> : tensor<17xf8E4M3FNUZ>
  return
}

func.func @negate_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E5M2FNUZ>
  %1 = stablehlo.negate %0 : tensor<17xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 2.5, 1.8, 1.5, 1.0, 0.5, 0.25, 0.0, 0.0, -0.25, -0.5, -0.75, -1.5, -2.5, -3.5, 0x80, 0x80]> : tensor<17xf8E5M2FNUZ>
  return
}

func.func @negate_f64_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5]> : tensor<8xf64>
  %1 = stablehlo.negate %0 : tensor<8xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf64>) -> tensor<8xui64>
  check.expect_eq_const %2, dense<[4612811918334230528, 4602678819172646912, 4598175219545276416, 0, 9223372036854775808, 13826050856027422720, 13831680355561635840, 13838435755002691584]> : tensor<8xui64>
  return
}

func.func @negate_f32_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5]> : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf32>) -> tensor<8xui32>
  check.expect_eq_const %2, dense<[1075838976, 1056964608, 1048576000, 0, 2147483648, 3204448256, 3214934016, 3227516928]> : tensor<8xui32>
  return
}

func.func @negate_bf16_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5]> : tensor<8xbf16>
  %1 = stablehlo.negate %0 : tensor<8xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xbf16>) -> tensor<8xui16>
  check.expect_eq_const %2, dense<[16416, 16128, 16000, 0, 32768, 48896, 49056, 49248]> : tensor<8xui16>
  return
}

func.func @negate_f8E4M3FNUZ_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, 0.0, 0.0, 0.5, 1.2, 3.5]> : tensor<8xf8E4M3FNUZ>
  %1 = stablehlo.negate %0 : tensor<8xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf8E4M3FNUZ>) -> tensor<8xui8>
  check.expect_eq_const %2, dense<[74, 56, 48, 0, 0, 184, 194, 206]> : tensor<8xui8>
  return
}

func.func @negate_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, 0.0, 0.0, 0.5, 1.2, 3.5]> : tensor<8xf8E5M2FNUZ>
  %1 = stablehlo.negate %0 : tensor<8xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf8E5M2FNUZ>) -> tensor<8xui8>
  check.expect_eq_const %2, dense<[69, 60, 56, 0, 0, 188, 193, 199]> : tensor<8xui8>
  return
}

func.func @negate_i2() {
  %0 = stablehlo.constant dense<[-2, -1, -1, 0, 1, 1]> : tensor<6xi2>
  %1 = stablehlo.negate %0 : tensor<6xi2>
  check.expect_eq_const %1, dense<[-2, 1, 1, 0, -1, -1]> : tensor<6xi2>
  return
}

func.func @negate_i4() {
  %0 = stablehlo.constant dense<[-8, -7, -1, 0, 1, 7]> : tensor<6xi4>
  %1 = stablehlo.negate %0 : tensor<6xi4>
  check.expect_eq_const %1, dense<[-8, 7, 1, 0, -1, -7]> : tensor<6xi4>
  return
}

func.func @negate_i8() {
  %0 = stablehlo.constant dense<[-128, -127, -1, 0, 1, 127]> : tensor<6xi8>
  %1 = stablehlo.negate %0 : tensor<6xi8>
  check.expect_eq_const %1, dense<[-128, 127, 1, 0, -1, -127]> : tensor<6xi8>
  return
}

func.func @negate_i32() {
  %0 = stablehlo.constant dense<[-2147483648, -2147483647, -1, 0, 1, 2147483647]> : tensor<6xi32>
  %1 = stablehlo.negate %0 : tensor<6xi32>
  check.expect_eq_const %1, dense<[-2147483648, 2147483647, 1, 0, -1, -2147483647]> : tensor<6xi32>
  return
}

func.func @negate_i64() {
  %0 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -1, 0, 1, 9223372036854775807]> : tensor<6xi64>
  %1 = stablehlo.negate %0 : tensor<6xi64>
  check.expect_eq_const %1, dense<[-9223372036854775808, 9223372036854775807, 1, 0, -1, -9223372036854775807]> : tensor<6xi64>
  return
}

func.func @negate_ui4() {
  %0 = stablehlo.constant dense<[0, 1, 2, 15]> : tensor<4xui4>
  %1 = stablehlo.negate %0 : tensor<4xui4>
  check.expect_eq_const %1, dense<[0, 15, 14, 1]> : tensor<4xui4>
  return
}

func.func @negate_ui8() {
  %0 = stablehlo.constant dense<[0, 1, 2, 255]> : tensor<4xui8>
  %1 = stablehlo.negate %0 : tensor<4xui8>
  check.expect_eq_const %1, dense<[0, 255, 254, 1]> : tensor<4xui8>
  return
}

func.func @negate_ui32() {
  %0 = stablehlo.constant dense<[0, 1, 2, 4294967295]> : tensor<4xui32>
  %1 = stablehlo.negate %0 : tensor<4xui32>
  check.expect_eq_const %1, dense<[0, 4294967295, 4294967294, 1]> : tensor<4xui32>
  return
}

func.func @negate_ui64() {
  %0 = stablehlo.constant dense<[0, 1, 2, 18446744073709551615]> : tensor<4xui64>
  %1 = stablehlo.negate %0 : tensor<4xui64>
  check.expect_eq_const %1, dense<[0, 18446744073709551615, 18446744073709551614, 1]> : tensor<4xui64>
  return
}

func.func @negate_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.negate %0 : tensor<4xcomplex<f32>>
  check.expect_eq_const %1, dense<[(-1.0, -2.0), (0.5, -0.25), (-0.0, 1.5), (-3.0, -0.0)]> : tensor<4xcomplex<f32>>
  return
}

func.func @negate_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.negate %0 : tensor<4xcomplex<f64>>
  check.expect_eq_const %1, dense<[(-1.0, -2.0), (0.5, -0.25), (-0.0, 1.5), (-3.0, -0.0)]> : tensor<4xcomplex<f64>>
  return
}

func.func @negate_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.negate %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[62.5, 7.5, 0.5, 0.0, -1.5, -4.0, -62.5]> : tensor<7xf32>
  return
}
