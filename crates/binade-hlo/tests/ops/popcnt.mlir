// stablehlo.popcnt, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @popcnt_i2() {
  %0 = stablehlo.constant dense<[0, 1]> : tensor<2xi2>
  %1 = stablehlo.popcnt %0 : tensor<2xi2>
  check.expect_eq_const %1, dense<[0, 1]> : tensor<2xi2>
  return
}

func.func @popcnt_ui2() {
  %0 = stablehlo.constant dense<[0, 1]> : tensor<2xui2>
  %1 = stablehlo.popcnt %0 : tensor<2xui2>
  check.expect_eq_const %1, dense<[0, 1]> : tensor<2xui2>
  return
}

func.func @popcnt_i4() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -8, -1, 5]> : tensor<7xi4>
  %1 = stablehlo.popcnt %0 : tensor<7xi4>
  check.expect_eq_const %1, dense<[0, 1, 1, 2, 1, 4, 2]> : tensor<7xi4>
  return
}

func.func @popcnt_ui4() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 8, 15, 5]> : tensor<7xui4>
  %1 = stablehlo.popcnt %0 : tensor<7xui4>
  check.expect_eq_const %1, dense<[0, 1, 1, 2, 1, 4, 2]> : tensor<7xui4>
  return
}

func.func @popcnt_i8() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -128, -1, 65]> : tensor<7xi8>
  %1 = stablehlo.popcnt %0 : tensor<7xi8>
  check.expect_eq_const %1, dense<[0, 1, 1, 2, 1, 8, 2]> : tensor<7xi8>
  return
}

func.func @popcnt_ui8() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 128, 255, 65]> : tensor<7xui8>
  %1 = stablehlo.popcnt %0 : tensor<7xui8>
  check.expect_eq_const %1, dense<[0, 1, 1, 2, 1, 8, 2]> : tensor<7xui8>
  return
}

func.func @popcnt_i16() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -32768, -1, 16385]> : tensor<7xi16>
  %1 = stablehlo.popcnt %0 : tensor<7xi16>
  check.expect_eq_const %1, dense<[0, 1, 1, 2, 1, 16, 2]> : tensor<7xi16>
  return
}

func.func @popcnt_i32() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -2147483648, -1, 1073741825]> : tensor<7xi32>
  %1 = stablehlo.popcnt %0 : tensor<7xi32>
  check.expect_eq_const %1, dense<[0, 1, 1, 2, 1, 32, 2]> : tensor<7xi32>
  return
}

func.func @popcnt_ui32() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 2147483648, 4294967295, 1073741825]> : tensor<7xui32>
  %1 = stablehlo.popcnt %0 : tensor<7xui32>
  check.expect_eq_const %1, dense<[0, 1, 1, 2, 1, 32, 2]> : tensor<7xui32>
  return
}

func.func @popcnt_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, -9223372036854775808, -1, 4611686018427387905]> : tensor<7xi64>
  %1 = stablehlo.popcnt %0 : tensor<7xi64>
  check.expect_eq_const %1, dense<[0, 1, 1, 2, 1, 64, 2]> : tensor<7xi64>
  return
}

func.func @popcnt_ui64() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 9223372036854775808, 18446744073709551615, 4611686018427387905]> : tensor<7xui64>
  %1 = stablehlo.popcnt %0 : tensor<7xui64>
  check.expect_eq_const %1, dense<[0, 1, 1, 2, 1, 64, 2]> : tensor<7xui64>
  return
}
