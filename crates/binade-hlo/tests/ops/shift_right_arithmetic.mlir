// stablehlo.shift_right_arithmetic, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @shift_right_arithmetic_i4() {
  %0 = stablehlo.constant dense<[-8, -8, -8, -8, 7, 7, 7, 7, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, -1, -1, -1, -1, -3, -3, -3, -3]> : tensor<28xi4>
  %1 = stablehlo.constant dense<[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]> : tensor<28xi4>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<28xi4>
  check.expect_eq_const %2, dense<[-8, -4, -2, -1, 7, 3, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, -1, -1, -1, -1, -3, -2, -1, -1]> : tensor<28xi4>
  return
}

func.func @shift_right_arithmetic_ui4() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 15, 15, 15, 15, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 15, 15, 15, 15, 13, 13, 13, 13]> : tensor<28xui4>
  %1 = stablehlo.constant dense<[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]> : tensor<28xui4>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<28xui4>
  check.expect_eq_const %2, dense<[0, 0, 0, 0, 15, 15, 15, 15, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, 15, 15, 15, 15, 13, 14, 15, 15]> : tensor<28xui4>
  return
}

func.func @shift_right_arithmetic_i8() {
  %0 = stablehlo.constant dense<[-128, -128, -128, -128, 127, 127, 127, 127, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, -1, -1, -1, -1, -3, -3, -3, -3]> : tensor<28xi8>
  %1 = stablehlo.constant dense<[0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7]> : tensor<28xi8>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<28xi8>
  check.expect_eq_const %2, dense<[-128, -64, -32, -1, 127, 63, 31, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, -1, -1, -1, -1, -3, -2, -1, -1]> : tensor<28xi8>
  return
}

func.func @shift_right_arithmetic_i8_by_the_width() {
  %0 = stablehlo.constant dense<[1, -1]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[8, 9]> : tensor<2xi8>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<2xi8>
  check.expect_eq_const %2, dense<[0, -1]> : tensor<2xi8>
  return
}

func.func @shift_right_arithmetic_ui8() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 255, 255, 255, 255, 253, 253, 253, 253]> : tensor<28xui8>
  %1 = stablehlo.constant dense<[0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7, 0, 1, 2, 7]> : tensor<28xui8>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<28xui8>
  check.expect_eq_const %2, dense<[0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, 255, 255, 255, 255, 253, 254, 255, 255]> : tensor<28xui8>
  return
}

func.func @shift_right_arithmetic_i16() {
  %0 = stablehlo.constant dense<[-32768, -32768, -32768, -32768, 32767, 32767, 32767, 32767, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, -1, -1, -1, -1, -3, -3, -3, -3]> : tensor<28xi16>
  %1 = stablehlo.constant dense<[0, 1, 2, 15, 0, 1, 2, 15, 0, 1, 2, 15, 0, 1, 2, 15, 0, 1, 2, 15, 0, 1, 2, 15, 0, 1, 2, 15]> : tensor<28xi16>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<28xi16>
  check.expect_eq_const %2, dense<[-32768, -16384, -8192, -1, 32767, 16383, 8191, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, -1, -1, -1, -1, -3, -2, -1, -1]> : tensor<28xi16>
  return
}

func.func @shift_right_arithmetic_i16_by_the_width() {
  %0 = stablehlo.constant dense<[1, -1]> : tensor<2xi16>
  %1 = stablehlo.constant dense<[16, 17]> : tensor<2xi16>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<2xi16>
  check.expect_eq_const %2, dense<[0, -1]> : tensor<2xi16>
  return
}

func.func @shift_right_arithmetic_i32() {
  %0 = stablehlo.constant dense<[-2147483648, -2147483648, -2147483648, -2147483648, 2147483647, 2147483647, 2147483647, 2147483647, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, -1, -1, -1, -1, -3, -3, -3, -3]> : tensor<28xi32>
  %1 = stablehlo.constant dense<[0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31]> : tensor<28xi32>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<28xi32>
  check.expect_eq_const %2, dense<[-2147483648, -1073741824, -536870912, -1, 2147483647, 1073741823, 536870911, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, -1, -1, -1, -1, -3, -2, -1, -1]> : tensor<28xi32>
  return
}

func.func @shift_right_arithmetic_i32_by_the_width() {
  %0 = stablehlo.constant dense<[1, -1]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[32, 33]> : tensor<2xi32>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<2xi32>
  check.expect_eq_const %2, dense<[0, -1]> : tensor<2xi32>
  return
}

func.func @shift_right_arithmetic_ui32() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 4294967295, 4294967295, 4294967295, 4294967295, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 4294967295, 4294967295, 4294967295, 4294967295, 4294967293, 4294967293, 4294967293, 4294967293]> : tensor<28xui32>
  %1 = stablehlo.constant dense<[0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31, 0, 1, 2, 31]> : tensor<28xui32>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<28xui32>
  check.expect_eq_const %2, dense<[0, 0, 0, 0, 4294967295, 4294967295, 4294967295, 4294967295, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, 4294967295, 4294967295, 4294967295, 4294967295, 4294967293, 4294967294, 4294967295, 4294967295]> : tensor<28xui32>
  return
}

func.func @shift_right_arithmetic_i64() {
  %0 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, -1, -1, -1, -1, -3, -3, -3, -3]> : tensor<28xi64>
  %1 = stablehlo.constant dense<[0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63]> : tensor<28xi64>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<28xi64>
  check.expect_eq_const %2, dense<[-9223372036854775808, -4611686018427387904, -2305843009213693952, -1, 9223372036854775807, 4611686018427387903, 2305843009213693951, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, -1, -1, -1, -1, -3, -2, -1, -1]> : tensor<28xi64>
  return
}

func.func @shift_right_arithmetic_i64_by_the_width() {
  %0 = stablehlo.constant dense<[1, -1]> : tensor<2xi64>
  %1 = stablehlo.constant dense<[64, 65]> : tensor<2xi64>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<2xi64>
  check.expect_eq_const %2, dense<[0, -1]> : tensor<2xi64>
  return
}

func.func @shift_right_arithmetic_ui64() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551613, 18446744073709551613, 18446744073709551613, 18446744073709551613]> : tensor<28xui64>
  %1 = stablehlo.constant dense<[0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63, 0, 1, 2, 63]> : tensor<28xui64>
  %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<28xui64>
  check.expect_eq_const %2, dense<[0, 0, 0, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1, 0, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551613, 18446744073709551614, 18446744073709551615, 18446744073709551615]> : tensor<28xui64>
  return
}
