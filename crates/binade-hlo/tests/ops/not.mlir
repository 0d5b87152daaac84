// stablehlo.not, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @not_i2() {
  %0 = stablehlo.constant dense<[0, 1, -2, -1, -2, -1, -2]> : tensor<7xi2>
  %1 = stablehlo.not %0 : tensor<7xi2>
  check.expect_eq_const %1, dense<[-1, -2, 1, 0, 1, 0, 1]> : tensor<7xi2>
  return
}

func.func @not_ui2() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 2, 3, 2]> : tensor<7xui2>
  %1 = stablehlo.not %0 : tensor<7xui2>
  check.expect_eq_const %1, dense<[3, 2, 1, 0, 1, 0, 1]> : tensor<7xui2>
  return
}

func.func @not_i4() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -8, -1, 5]> : tensor<7xi4>
  %1 = stablehlo.not %0 : tensor<7xi4>
  check.expect_eq_const %1, dense<[-1, -2, -3, -4, 7, 0, -6]> : tensor<7xi4>
  return
}

func.func @not_ui4() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 8, 15, 5]> : tensor<7xui4>
  %1 = stablehlo.not %0 : tensor<7xui4>
  check.expect_eq_const %1, dense<[15, 14, 13, 12, 7, 0, 10]> : tensor<7xui4>
  return
}

func.func @not_i8() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -128, -1, 65]> : tensor<7xi8>
  %1 = stablehlo.not %0 : tensor<7xi8>
  check.expect_eq_const %1, dense<[-1, -2, -3, -4, 127, 0, -66]> : tensor<7xi8>
  return
}

func.func @not_ui8() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 128, 255, 65]> : tensor<7xui8>
  %1 = stablehlo.not %0 : tensor<7xui8>
  check.expect_eq_const %1, dense<[255, 254, 253, 252, 127, 0, 190]> : tensor<7xui8>
  return
}

func.func @not_i16() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -32768, -1, 16385]> : tensor<7xi16>
  %1 = stablehlo.not %0 : tensor<7xi16>
  check.expect_eq_const %1, dense<[-1, -2, -3, -4, 32767, 0, -16386]> : tensor<7xi16>
  return
}

func.func @not_i32() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -2147483648, -1, 1073741825]> : tensor<7xi32>
  %1 = stablehlo.not %0 : tensor<7xi32>
  check.expect_eq_const %1, dense<[-1, -2, -3, -4, 2147483647, 0, -1073741826]> : tensor<7xi32>
  return
}

func.func @not_ui32() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 2147483648, 4294967295, 1073741825]> : tensor<7xui32>
  %1 = stablehlo.not %0 : tensor<7xui32>
  check.expect_eq_const %1, dense<[4294967295, 4294967294, 4294967293, 4294967292, 2147483647, 0, 3221225470]> : tensor<7xui32>
  return
}

func.func @not_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -9223372036854775808, -1, 4611686018427387905]> : tensor<7xi64>
  %1 = stablehlo.not %0 : tensor<7xi64>
  check.expect_eq_const %1, dense<[-1, -2, -3, -4, 9223372036854775807, 0, -4611686018427387906]> : tensor<7xi64>
  return
}

func.func @not_ui64() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 9223372036854775808, 18446744073709551615, 4611686018427387905]> : tensor<7xui64>
  %1 = stablehlo.not %0 : tensor<7xui64>
  check.expect_eq_const %1, dense<[18446744073709551615, 18446744073709551614, 18446744073709551613, 18446744073709551612, 9223372036854775807, 0, 13835058055282163710]> : tensor<7xui64>
  return
}

func.func @not_i1() {
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.not %0 : tensor<2xi1>
  check.expect_eq_const %1, dense<[true, false]> : tensor<2xi1>
  return
}
