// stablehlo.compare by its definition, over element types, edges and empty shapes.

func.func @compare_i4_signed() {
  %0 = stablehlo.constant dense<[-8, -8, -8, -8, -1, -1, -1, -1, 0, 0, 0, 0, 7, 7, 7, 7]> : tensor<16xi4>
  %1 = stablehlo.constant dense<[-8, -1, 0, 7, -8, -1, 0, 7, -8, -1, 0, 7, -8, -1, 0, 7]> : tensor<16xi4>
  %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<16xi4>, tensor<16xi4>) -> tensor<16xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true]> : tensor<16xi1>
  %3 = stablehlo.compare NE, %0, %1, SIGNED : (tensor<16xi4>, tensor<16xi4>) -> tensor<16xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false]> : tensor<16xi1>
  %4 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<16xi4>, tensor<16xi4>) -> tensor<16xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false]> : tensor<16xi1>
  %5 = stablehlo.compare LE, %0, %1, SIGNED : (tensor<16xi4>, tensor<16xi4>) -> tensor<16xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true]> : tensor<16xi1>
  %6 = stablehlo.compare GT, %0, %1, SIGNED : (tensor<16xi4>, tensor<16xi4>) -> tensor<16xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false]> : tensor<16xi1>
  %7 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<16xi4>, tensor<16xi4>) -> tensor<16xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true]> : tensor<16xi1>
  return
}

func.func @compare_i8_signed() {
  %0 = stablehlo.constant dense<[-8, -8, -8, -8, -1, -1, -1, -1, 0, 0, 0, 0, 7, 7, 7, 7]> : tensor<16xi8>
  %1 = stablehlo.constant dense<[-8, -1, 0, 7, -8, -1, 0, 7, -8, -1, 0, 7, -8, -1, 0, 7]> : tensor<16xi8>
  %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true]> : tensor<16xi1>
  %3 = stablehlo.compare NE, %0, %1, SIGNED : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false]> : tensor<16xi1>
  %4 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false]> : tensor<16xi1>
  %5 = stablehlo.compare LE, %0, %1, SIGNED : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true]> : tensor<16xi1>
  %6 = stablehlo.compare GT, %0, %1, SIGNED : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false]> : tensor<16xi1>
  %7 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true]> : tensor<16xi1>
  return
}

func.func @compare_i32_signed() {
  %0 = stablehlo.constant dense<[-8, -8, -8, -8, -1, -1, -1, -1, 0, 0, 0, 0, 7, 7, 7, 7]> : tensor<16xi32>
  %1 = stablehlo.constant dense<[-8, -1, 0, 7, -8, -1, 0, 7, -8, -1, 0, 7, -8, -1, 0, 7]> : tensor<16xi32>
  %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true]> : tensor<16xi1>
  %3 = stablehlo.compare NE, %0, %1, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false]> : tensor<16xi1>
  %4 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false]> : tensor<16xi1>
  %5 = stablehlo.compare LE, %0, %1, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true]> : tensor<16xi1>
  %6 = stablehlo.compare GT, %0, %1, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false]> : tensor<16xi1>
  %7 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true]> : tensor<16xi1>
  return
}

func.func @compare_i64_signed() {
  %0 = stablehlo.constant dense<[-8, -8, -8, -8, -1, -1, -1, -1, 0, 0, 0, 0, 7, 7, 7, 7]> : tensor<16xi64>
  %1 = stablehlo.constant dense<[-8, -1, 0, 7, -8, -1, 0, 7, -8, -1, 0, 7, -8, -1, 0, 7]> : tensor<16xi64>
  %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<16xi64>, tensor<16xi64>) -> tensor<16xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true]> : tensor<16xi1>
  %3 = stablehlo.compare NE, %0, %1, SIGNED : (tensor<16xi64>, tensor<16xi64>) -> tensor<16xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false]> : tensor<16xi1>
  %4 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<16xi64>, tensor<16xi64>) -> tensor<16xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false]> : tensor<16xi1>
  %5 = stablehlo.compare LE, %0, %1, SIGNED : (tensor<16xi64>, tensor<16xi64>) -> tensor<16xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true]> : tensor<16xi1>
  %6 = stablehlo.compare GT, %0, %1, SIGNED : (tensor<16xi64>, tensor<16xi64>) -> tensor<16xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false]> : tensor<16xi1>
  %7 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<16xi64>, tensor<16xi64>) -> tensor<16xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true]> : tensor<16xi1>
  return
}

func.func @compare_ui4_unsigned() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 8, 8, 8, 8, 15, 15, 15, 15]> : tensor<16xui4>
  %1 = stablehlo.constant dense<[0, 1, 8, 15, 0, 1, 8, 15, 0, 1, 8, 15, 0, 1, 8, 15]> : tensor<16xui4>
  %2 = stablehlo.compare EQ, %0, %1, UNSIGNED : (tensor<16xui4>, tensor<16xui4>) -> tensor<16xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true]> : tensor<16xi1>
  %3 = stablehlo.compare NE, %0, %1, UNSIGNED : (tensor<16xui4>, tensor<16xui4>) -> tensor<16xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false]> : tensor<16xi1>
  %4 = stablehlo.compare LT, %0, %1, UNSIGNED : (tensor<16xui4>, tensor<16xui4>) -> tensor<16xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false]> : tensor<16xi1>
  %5 = stablehlo.compare LE, %0, %1, UNSIGNED : (tensor<16xui4>, tensor<16xui4>) -> tensor<16xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true]> : tensor<16xi1>
  %6 = stablehlo.compare GT, %0, %1, UNSIGNED : (tensor<16xui4>, tensor<16xui4>) -> tensor<16xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false]> : tensor<16xi1>
  %7 = stablehlo.compare GE, %0, %1, UNSIGNED : (tensor<16xui4>, tensor<16xui4>) -> tensor<16xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true]> : tensor<16xi1>
  return
}

func.func @compare_ui8_unsigned() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 128, 128, 128, 128, 255, 255, 255, 255]> : tensor<16xui8>
  %1 = stablehlo.constant dense<[0, 1, 128, 255, 0, 1, 128, 255, 0, 1, 128, 255, 0, 1, 128, 255]> : tensor<16xui8>
  %2 = stablehlo.compare EQ, %0, %1, UNSIGNED : (tensor<16xui8>, tensor<16xui8>) -> tensor<16xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true]> : tensor<16xi1>
  %3 = stablehlo.compare NE, %0, %1, UNSIGNED : (tensor<16xui8>, tensor<16xui8>) -> tensor<16xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false]> : tensor<16xi1>
  %4 = stablehlo.compare LT, %0, %1, UNSIGNED : (tensor<16xui8>, tensor<16xui8>) -> tensor<16xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false]> : tensor<16xi1>
  %5 = stablehlo.compare LE, %0, %1, UNSIGNED : (tensor<16xui8>, tensor<16xui8>) -> tensor<16xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true]> : tensor<16xi1>
  %6 = stablehlo.compare GT, %0, %1, UNSIGNED : (tensor<16xui8>, tensor<16xui8>) -> tensor<16xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false]> : tensor<16xi1>
  %7 = stablehlo.compare GE, %0, %1, UNSIGNED : (tensor<16xui8>, tensor<16xui8>) -> tensor<16xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true]> : tensor<16xi1>
  return
}

func.func @compare_ui64_unsigned() {
  %0 = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 9223372036854775808, 9223372036854775808, 9223372036854775808, 9223372036854775808, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615]> : tensor<16xui64>
  %1 = stablehlo.constant dense<[0, 1, 9223372036854775808, 18446744073709551615, 0, 1, 9223372036854775808, 18446744073709551615, 0, 1, 9223372036854775808, 18446744073709551615, 0, 1, 9223372036854775808, 18446744073709551615]> : tensor<16xui64>
  %2 = stablehlo.compare EQ, %0, %1, UNSIGNED : (tensor<16xui64>, tensor<16xui64>) -> tensor<16xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true]> : tensor<16xi1>
  %3 = stablehlo.compare NE, %0, %1, UNSIGNED : (tensor<16xui64>, tensor<16xui64>) -> tensor<16xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, false, true, true, true, true, false, true, true, true, true, false]> : tensor<16xi1>
  %4 = stablehlo.compare LT, %0, %1, UNSIGNED : (tensor<16xui64>, tensor<16xui64>) -> tensor<16xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, true, true, false, false, false, true, false, false, false, false]> : tensor<16xi1>
  %5 = stablehlo.compare LE, %0, %1, UNSIGNED : (tensor<16xui64>, tensor<16xui64>) -> tensor<16xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, true, true, true, false, false, true, true, false, false, false, true]> : tensor<16xi1>
  %6 = stablehlo.compare GT, %0, %1, UNSIGNED : (tensor<16xui64>, tensor<16xui64>) -> tensor<16xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, true, false, false, false, true, true, false, false, true, true, true, false]> : tensor<16xi1>
  %7 = stablehlo.compare GE, %0, %1, UNSIGNED : (tensor<16xui64>, tensor<16xui64>) -> tensor<16xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, true, true, false, false, true, true, true, false, true, true, true, true]> : tensor<16xi1>
  return
}

func.func @compare_i1_unsigned() {
  %0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %2 = stablehlo.compare EQ, %0, %1, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %2, dense<[true, false, false, true]> : tensor<4xi1>
  %3 = stablehlo.compare NE, %0, %1, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %3, dense<[false, true, true, false]> : tensor<4xi1>
  %4 = stablehlo.compare LT, %0, %1, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %4, dense<[false, true, false, false]> : tensor<4xi1>
  %5 = stablehlo.compare LE, %0, %1, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %5, dense<[true, true, false, true]> : tensor<4xi1>
  %6 = stablehlo.compare GT, %0, %1, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %6, dense<[false, false, true, false]> : tensor<4xi1>
  %7 = stablehlo.compare GE, %0, %1, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %7, dense<[true, false, true, true]> : tensor<4xi1>
  return
}

func.func @compare_f64_float() {
  %0 = stablehlo.constant dense<[-1.5, -1.5, -1.5, -1.5, -1.5, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<25xf64>
  %1 = stablehlo.constant dense<[-1.5, -0.0, 0.0, 0.5, 0x7FF8000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF8000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF8000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF8000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF8000000000000]> : tensor<25xf64>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<25xf64>, tensor<25xf64>) -> tensor<25xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, true, true, false, false, false, true, true, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %3 = stablehlo.compare NE, %0, %1, FLOAT : (tensor<25xf64>, tensor<25xf64>) -> tensor<25xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, false, false, true, true, true, false, false, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<25xi1>
  %4 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<25xf64>, tensor<25xf64>) -> tensor<25xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<25xi1>
  %5 = stablehlo.compare LE, %0, %1, FLOAT : (tensor<25xf64>, tensor<25xf64>) -> tensor<25xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, false, true, true, true, false, false, true, true, true, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %6 = stablehlo.compare GT, %0, %1, FLOAT : (tensor<25xf64>, tensor<25xf64>) -> tensor<25xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true, true, true, false, false, false, false, false, false, false]> : tensor<25xi1>
  %7 = stablehlo.compare GE, %0, %1, FLOAT : (tensor<25xf64>, tensor<25xf64>) -> tensor<25xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, true, true, true, false, false, true, true, true, false, false, true, true, true, true, false, false, false, false, false, false]> : tensor<25xi1>
  return
}

func.func @compare_f32_float() {
  %0 = stablehlo.constant dense<[-1.5, -1.5, -1.5, -1.5, -1.5, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<25xf32>
  %1 = stablehlo.constant dense<[-1.5, -0.0, 0.0, 0.5, 0x7FC00000, -1.5, -0.0, 0.0, 0.5, 0x7FC00000, -1.5, -0.0, 0.0, 0.5, 0x7FC00000, -1.5, -0.0, 0.0, 0.5, 0x7FC00000, -1.5, -0.0, 0.0, 0.5, 0x7FC00000]> : tensor<25xf32>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<25xf32>, tensor<25xf32>) -> tensor<25xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, true, true, false, false, false, true, true, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %3 = stablehlo.compare NE, %0, %1, FLOAT : (tensor<25xf32>, tensor<25xf32>) -> tensor<25xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, false, false, true, true, true, false, false, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<25xi1>
  %4 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<25xf32>, tensor<25xf32>) -> tensor<25xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<25xi1>
  %5 = stablehlo.compare LE, %0, %1, FLOAT : (tensor<25xf32>, tensor<25xf32>) -> tensor<25xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, false, true, true, true, false, false, true, true, true, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %6 = stablehlo.compare GT, %0, %1, FLOAT : (tensor<25xf32>, tensor<25xf32>) -> tensor<25xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true, true, true, false, false, false, false, false, false, false]> : tensor<25xi1>
  %7 = stablehlo.compare GE, %0, %1, FLOAT : (tensor<25xf32>, tensor<25xf32>) -> tensor<25xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, true, true, true, false, false, true, true, true, false, false, true, true, true, true, false, false, false, false, false, false]> : tensor<25xi1>
  return
}

func.func @compare_f16_float() {
  %0 = stablehlo.constant dense<[-1.5, -1.5, -1.5, -1.5, -1.5, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7E00]> : tensor<25xf16>
  %1 = stablehlo.constant dense<[-1.5, -0.0, 0.0, 0.5, 0x7E00, -1.5, -0.0, 0.0, 0.5, 0x7E00, -1.5, -0.0, 0.0, 0.5, 0x7E00, -1.5, -0.0, 0.0, 0.5, 0x7E00, -1.5, -0.0, 0.0, 0.5, 0x7E00]> : tensor<25xf16>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<25xf16>, tensor<25xf16>) -> tensor<25xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, true, true, false, false, false, true, true, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %3 = stablehlo.compare NE, %0, %1, FLOAT : (tensor<25xf16>, tensor<25xf16>) -> tensor<25xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, false, false, true, true, true, false, false, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<25xi1>
  %4 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<25xf16>, tensor<25xf16>) -> tensor<25xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<25xi1>
  %5 = stablehlo.compare LE, %0, %1, FLOAT : (tensor<25xf16>, tensor<25xf16>) -> tensor<25xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, false, true, true, true, false, false, true, true, true, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %6 = stablehlo.compare GT, %0, %1, FLOAT : (tensor<25xf16>, tensor<25xf16>) -> tensor<25xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true, true, true, false, false, false, false, false, false, false]> : tensor<25xi1>
  %7 = stablehlo.compare GE, %0, %1, FLOAT : (tensor<25xf16>, tensor<25xf16>) -> tensor<25xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, true, true, true, false, false, true, true, true, false, false, true, true, true, true, false, false, false, false, false, false]> : tensor<25xi1>
  return
}

func.func @compare_bf16_float() {
  %0 = stablehlo.constant dense<[-1.5, -1.5, -1.5, -1.5, -1.5, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<25xbf16>
  %1 = stablehlo.constant dense<[-1.5, -0.0, 0.0, 0.5, 0x7FC0, -1.5, -0.0, 0.0, 0.5, 0x7FC0, -1.5, -0.0, 0.0, 0.5, 0x7FC0, -1.5, -0.0, 0.0, 0.5, 0x7FC0, -1.5, -0.0, 0.0, 0.5, 0x7FC0]> : tensor<25xbf16>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<25xbf16>, tensor<25xbf16>) -> tensor<25xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, true, true, false, false, false, true, true, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %3 = stablehlo.compare NE, %0, %1, FLOAT : (tensor<25xbf16>, tensor<25xbf16>) -> tensor<25xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, false, false, true, true, true, false, false, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<25xi1>
  %4 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<25xbf16>, tensor<25xbf16>) -> tensor<25xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<25xi1>
  %5 = stablehlo.compare LE, %0, %1, FLOAT : (tensor<25xbf16>, tensor<25xbf16>) -> tensor<25xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, false, true, true, true, false, false, true, true, true, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %6 = stablehlo.compare GT, %0, %1, FLOAT : (tensor<25xbf16>, tensor<25xbf16>) -> tensor<25xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true, true, true, false, false, false, false, false, false, false]> : tensor<25xi1>
  %7 = stablehlo.compare GE, %0, %1, FLOAT : (tensor<25xbf16>, tensor<25xbf16>) -> tensor<25xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, true, true, true, false, false, true, true, true, false, false, true, true, true, true, false, false, false, false, false, false]> : tensor<25xi1>
  return
}

func.func @compare_f8E4M3FN_float() {
  %0 = stablehlo.constant dense<[-1.5, -1.5, -1.5, -1.5, -1.5, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F]> : tensor<25xf8E4M3FN>
  %1 = stablehlo.constant dense<[-1.5, -0.0, 0.0, 0.5, 0x7F, -1.5, -0.0, 0.0, 0.5, 0x7F, -1.5, -0.0, 0.0, 0.5, 0x7F, -1.5, -0.0, 0.0, 0.5, 0x7F, -1.5, -0.0, 0.0, 0.5, 0x7F]> : tensor<25xf8E4M3FN>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<25xf8E4M3FN>, tensor<25xf8E4M3FN>) -> tensor<25xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, true, true, false, false, false, true, true, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %3 = stablehlo.compare NE, %0, %1, FLOAT : (tensor<25xf8E4M3FN>, tensor<25xf8E4M3FN>) -> tensor<25xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, false, false, true, true, true, false, false, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<25xi1>
  %4 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<25xf8E4M3FN>, tensor<25xf8E4M3FN>) -> tensor<25xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<25xi1>
  %5 = stablehlo.compare LE, %0, %1, FLOAT : (tensor<25xf8E4M3FN>, tensor<25xf8E4M3FN>) -> tensor<25xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, false, true, true, true, false, false, true, true, true, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %6 = stablehlo.compare GT, %0, %1, FLOAT : (tensor<25xf8E4M3FN>, tensor<25xf8E4M3FN>) -> tensor<25xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true, true, true, false, false, false, false, false, false, false]> : tensor<25xi1>
  %7 = stablehlo.compare GE, %0, %1, FLOAT : (tensor<25xf8E4M3FN>, tensor<25xf8E4M3FN>) -> tensor<25xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, true, true, true, false, false, true, true, true, false, false, true, true, true, true, false, false, false, false, false, false]> : tensor<25xi1>
  return
}

func.func @compare_f8E4M3FNUZ_float() {
  %0 = stablehlo.constant dense<[-1.5, -1.5, -1.5, -1.5, -1.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0x80, 0x80, 0x80, 0x80, 0x80]> : tensor<25xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[-1.5, 0.0, 0.0, 0.5, 0x80, -1.5, 0.0, 0.0, 0.5, 0x80, -1.5, 0.0, 0.0, 0.5, 0x80, -1.5, 0.0, 0.0, 0.5, 0x80, -1.5, 0.0, 0.0, 0.5, 0x80]> : tensor<25xf8E4M3FNUZ>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<25xf8E4M3FNUZ>, tensor<25xf8E4M3FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, true, true, false, false, false, true, true, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %3 = stablehlo.compare NE, %0, %1, FLOAT : (tensor<25xf8E4M3FNUZ>, tensor<25xf8E4M3FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, false, false, true, true, true, false, false, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<25xi1>
  %4 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<25xf8E4M3FNUZ>, tensor<25xf8E4M3FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<25xi1>
  %5 = stablehlo.compare LE, %0, %1, FLOAT : (tensor<25xf8E4M3FNUZ>, tensor<25xf8E4M3FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, false, true, true, true, false, false, true, true, true, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %6 = stablehlo.compare GT, %0, %1, FLOAT : (tensor<25xf8E4M3FNUZ>, tensor<25xf8E4M3FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true, true, true, false, false, false, false, false, false, false]> : tensor<25xi1>
  %7 = stablehlo.compare GE, %0, %1, FLOAT : (tensor<25xf8E4M3FNUZ>, tensor<25xf8E4M3FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, true, true, true, false, false, true, true, true, false, false, true, true, true, true, false, false, false, false, false, false]> : tensor<25xi1>
  return
}

func.func @compare_f8E5M2FNUZ_float() {
  %0 = stablehlo.constant dense<[-1.5, -1.5, -1.5, -1.5, -1.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0x80, 0x80, 0x80, 0x80, 0x80]> : tensor<25xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[-1.5, 0.0, 0.0, 0.5, 0x80, -1.5, 0.0, 0.0, 0.5, 0x80, -1.5, 0.0, 0.0, 0.5, 0x80, -1.5, 0.0, 0.0, 0.5, 0x80, -1.5, 0.0, 0.0, 0.5, 0x80]> : tensor<25xf8E5M2FNUZ>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<25xf8E5M2FNUZ>, tensor<25xf8E5M2FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, true, true, false, false, false, true, true, false, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %3 = stablehlo.compare NE, %0, %1, FLOAT : (tensor<25xf8E5M2FNUZ>, tensor<25xf8E5M2FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, false, false, true, true, true, false, false, true, true, true, true, true, false, true, true, true, true, true, true]> : tensor<25xi1>
  %4 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<25xf8E5M2FNUZ>, tensor<25xf8E5M2FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, false, false, false, false, true, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false]> : tensor<25xi1>
  %5 = stablehlo.compare LE, %0, %1, FLOAT : (tensor<25xf8E5M2FNUZ>, tensor<25xf8E5M2FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, false, false, true, true, true, false, false, true, true, true, false, false, false, false, true, false, false, false, false, false, false]> : tensor<25xi1>
  %6 = stablehlo.compare GT, %0, %1, FLOAT : (tensor<25xf8E5M2FNUZ>, tensor<25xf8E5M2FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, true, false, false, false, false, true, false, false, false, false, true, true, true, false, false, false, false, false, false, false]> : tensor<25xi1>
  %7 = stablehlo.compare GE, %0, %1, FLOAT : (tensor<25xf8E5M2FNUZ>, tensor<25xf8E5M2FNUZ>) -> tensor<25xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, true, true, true, false, false, true, true, true, false, false, true, true, true, true, false, false, false, false, false, false]> : tensor<25xi1>
  return
}

func.func @compare_f64_totalorder() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<49xf64>
  %1 = stablehlo.constant dense<[0xFFF0000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -1.5, -0.0, 0.0, 0.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<49xf64>
  %2 = stablehlo.compare EQ, %0, %1, TOTALORDER : (tensor<49xf64>, tensor<49xf64>) -> tensor<49xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true]> : tensor<49xi1>
  %3 = stablehlo.compare NE, %0, %1, TOTALORDER : (tensor<49xf64>, tensor<49xf64>) -> tensor<49xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false]> : tensor<49xi1>
  %4 = stablehlo.compare LT, %0, %1, TOTALORDER : (tensor<49xf64>, tensor<49xf64>) -> tensor<49xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, true, true, true, false, false, true, true, true, true, true, false, false, false, true, true, true, true, false, false, false, false, true, true, true, false, false, false, false, false, true, true, false, false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<49xi1>
  %5 = stablehlo.compare LE, %0, %1, TOTALORDER : (tensor<49xf64>, tensor<49xf64>) -> tensor<49xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, true, true, true, false, true, true, true, true, true, true, false, false, true, true, true, true, true, false, false, false, true, true, true, true, false, false, false, false, true, true, true, false, false, false, false, false, true, true, false, false, false, false, false, false, true]> : tensor<49xi1>
  %6 = stablehlo.compare GT, %0, %1, TOTALORDER : (tensor<49xf64>, tensor<49xf64>) -> tensor<49xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, false, false, true, false, false, false, false, false, false, true, true, false, false, false, false, false, true, true, true, false, false, false, false, true, true, true, true, false, false, false, true, true, true, true, true, false, false, true, true, true, true, true, true, false]> : tensor<49xi1>
  %7 = stablehlo.compare GE, %0, %1, TOTALORDER : (tensor<49xf64>, tensor<49xf64>) -> tensor<49xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, false, false, true, true, false, false, false, false, false, true, true, true, false, false, false, false, true, true, true, true, false, false, false, true, true, true, true, true, false, false, true, true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<49xi1>
  return
}

func.func @compare_f32_totalorder() {
  %0 = stablehlo.constant dense<[0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<49xf32>
  %1 = stablehlo.constant dense<[0xFF800000, -1.5, -0.0, 0.0, 0.5, 0x7F800000, 0x7FC00000, 0xFF800000, -1.5, -0.0, 0.0, 0.5, 0x7F800000, 0x7FC00000, 0xFF800000, -1.5, -0.0, 0.0, 0.5, 0x7F800000, 0x7FC00000, 0xFF800000, -1.5, -0.0, 0.0, 0.5, 0x7F800000, 0x7FC00000, 0xFF800000, -1.5, -0.0, 0.0, 0.5, 0x7F800000, 0x7FC00000, 0xFF800000, -1.5, -0.0, 0.0, 0.5, 0x7F800000, 0x7FC00000, 0xFF800000, -1.5, -0.0, 0.0, 0.5, 0x7F800000, 0x7FC00000]> : tensor<49xf32>
  %2 = stablehlo.compare EQ, %0, %1, TOTALORDER : (tensor<49xf32>, tensor<49xf32>) -> tensor<49xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true]> : tensor<49xi1>
  %3 = stablehlo.compare NE, %0, %1, TOTALORDER : (tensor<49xf32>, tensor<49xf32>) -> tensor<49xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false]> : tensor<49xi1>
  %4 = stablehlo.compare LT, %0, %1, TOTALORDER : (tensor<49xf32>, tensor<49xf32>) -> tensor<49xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, true, true, true, false, false, true, true, true, true, true, false, false, false, true, true, true, true, false, false, false, false, true, true, true, false, false, false, false, false, true, true, false, false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<49xi1>
  %5 = stablehlo.compare LE, %0, %1, TOTALORDER : (tensor<49xf32>, tensor<49xf32>) -> tensor<49xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, true, true, true, false, true, true, true, true, true, true, false, false, true, true, true, true, true, false, false, false, true, true, true, true, false, false, false, false, true, true, true, false, false, false, false, false, true, true, false, false, false, false, false, false, true]> : tensor<49xi1>
  %6 = stablehlo.compare GT, %0, %1, TOTALORDER : (tensor<49xf32>, tensor<49xf32>) -> tensor<49xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, false, false, true, false, false, false, false, false, false, true, true, false, false, false, false, false, true, true, true, false, false, false, false, true, true, true, true, false, false, false, true, true, true, true, true, false, false, true, true, true, true, true, true, false]> : tensor<49xi1>
  %7 = stablehlo.compare GE, %0, %1, TOTALORDER : (tensor<49xf32>, tensor<49xf32>) -> tensor<49xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, false, false, true, true, false, false, false, false, false, true, true, true, false, false, false, false, true, true, true, true, false, false, false, true, true, true, true, true, false, false, true, true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<49xi1>
  return
}

func.func @compare_bf16_totalorder() {
  %0 = stablehlo.constant dense<[0xFF80, 0xFF80, 0xFF80, 0xFF80, 0xFF80, 0xFF80, 0xFF80, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<49xbf16>
  %1 = stablehlo.constant dense<[0xFF80, -1.5, -0.0, 0.0, 0.5, 0x7F80, 0x7FC0, 0xFF80, -1.5, -0.0, 0.0, 0.5, 0x7F80, 0x7FC0, 0xFF80, -1.5, -0.0, 0.0, 0.5, 0x7F80, 0x7FC0, 0xFF80, -1.5, -0.0, 0.0, 0.5, 0x7F80, 0x7FC0, 0xFF80, -1.5, -0.0, 0.0, 0.5, 0x7F80, 0x7FC0, 0xFF80, -1.5, -0.0, 0.0, 0.5, 0x7F80, 0x7FC0, 0xFF80, -1.5, -0.0, 0.0, 0.5, 0x7F80, 0x7FC0]> : tensor<49xbf16>
  %2 = stablehlo.compare EQ, %0, %1, TOTALORDER : (tensor<49xbf16>, tensor<49xbf16>) -> tensor<49xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, true]> : tensor<49xi1>
  %3 = stablehlo.compare NE, %0, %1, TOTALORDER : (tensor<49xbf16>, tensor<49xbf16>) -> tensor<49xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false, true, true, true, true, true, true, true, false]> : tensor<49xi1>
  %4 = stablehlo.compare LT, %0, %1, TOTALORDER : (tensor<49xbf16>, tensor<49xbf16>) -> tensor<49xi1>
  check.expect_eq_const %4, dense<[false, true, true, true, true, true, true, false, false, true, true, true, true, true, false, false, false, true, true, true, true, false, false, false, false, true, true, true, false, false, false, false, false, true, true, false, false, false, false, false, false, true, false, false, false, false, false, false, false]> : tensor<49xi1>
  %5 = stablehlo.compare LE, %0, %1, TOTALORDER : (tensor<49xbf16>, tensor<49xbf16>) -> tensor<49xi1>
  check.expect_eq_const %5, dense<[true, true, true, true, true, true, true, false, true, true, true, true, true, true, false, false, true, true, true, true, true, false, false, false, true, true, true, true, false, false, false, false, true, true, true, false, false, false, false, false, true, true, false, false, false, false, false, false, true]> : tensor<49xi1>
  %6 = stablehlo.compare GT, %0, %1, TOTALORDER : (tensor<49xbf16>, tensor<49xbf16>) -> tensor<49xi1>
  check.expect_eq_const %6, dense<[false, false, false, false, false, false, false, true, false, false, false, false, false, false, true, true, false, false, false, false, false, true, true, true, false, false, false, false, true, true, true, true, false, false, false, true, true, true, true, true, false, false, true, true, true, true, true, true, false]> : tensor<49xi1>
  %7 = stablehlo.compare GE, %0, %1, TOTALORDER : (tensor<49xbf16>, tensor<49xbf16>) -> tensor<49xi1>
  check.expect_eq_const %7, dense<[true, false, false, false, false, false, false, true, true, false, false, false, false, false, true, true, true, false, false, false, false, true, true, true, true, false, false, false, true, true, true, true, true, false, false, true, true, true, true, true, true, false, true, true, true, true, true, true, true]> : tensor<49xi1>
  return
}

func.func @compare_complex_f32_float() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (1.0, -2.0), (1.0, -2.0), (1.0, -2.0), (0x7FC00000, 0.0), (0x7FC00000, 0.0), (0x7FC00000, 0.0)]> : tensor<9xcomplex<f32>>
  %1 = stablehlo.constant dense<[(1.0, 2.0), (1.0, -2.0), (0x7FC00000, 0.0), (1.0, 2.0), (1.0, -2.0), (0x7FC00000, 0.0), (1.0, 2.0), (1.0, -2.0), (0x7FC00000, 0.0)]> : tensor<9xcomplex<f32>>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> tensor<9xi1>
  check.expect_eq_const %2, dense<[true, false, false, false, true, false, false, false, false]> : tensor<9xi1>
  %3 = stablehlo.compare NE, %0, %1, FLOAT : (tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> tensor<9xi1>
  check.expect_eq_const %3, dense<[false, true, true, true, false, true, true, true, true]> : tensor<9xi1>
  return
}

func.func @compare_quantized() {
  %0 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.constant dense<[[1.0, -3.0, 3.5], [-10.0, 0.5, 2.0]]> : tensor<2x3xf32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %4 = stablehlo.compare LT, %1, %3 : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>, tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x3xi1>
  check.expect_eq_const %4, dense<[[true, false, false], [false, true, true]]> : tensor<2x3xi1>
  return
}
