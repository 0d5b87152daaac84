// stablehlo.sort by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @sort_i8_lt() {
  %0 = stablehlo.constant dense<[[3, -1, 2, -128, 127, 3], [3, 127, -128, 2, -1, 3]]> : tensor<2x6xi8>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x6xi8>) -> tensor<2x6xi8>
  check.expect_eq_const %1, dense<[[-128, -1, 2, 3, 3, 127], [-128, -1, 2, 3, 3, 127]]> : tensor<2x6xi8>
  return
}

func.func @sort_i8_gt() {
  %0 = stablehlo.constant dense<[[3, -1, 2, -128, 127, 3], [3, 127, -128, 2, -1, 3]]> : tensor<2x6xi8>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x6xi8>) -> tensor<2x6xi8>
  check.expect_eq_const %1, dense<[[127, 3, 3, 2, -1, -128], [127, 3, 3, 2, -1, -128]]> : tensor<2x6xi8>
  return
}

func.func @sort_ui64_lt() {
  %0 = stablehlo.constant dense<[[3, 18446744073709551615, 0, 9], [9, 0, 18446744073709551615, 3]]> : tensor<2x4xui64>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %s = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x4xui64>) -> tensor<2x4xui64>
  check.expect_eq_const %1, dense<[[0, 3, 9, 18446744073709551615], [0, 3, 9, 18446744073709551615]]> : tensor<2x4xui64>
  return
}

func.func @sort_ui64_gt() {
  %0 = stablehlo.constant dense<[[3, 18446744073709551615, 0, 9], [9, 0, 18446744073709551615, 3]]> : tensor<2x4xui64>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %s = stablehlo.compare GT, %a, %b, UNSIGNED : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x4xui64>) -> tensor<2x4xui64>
  check.expect_eq_const %1, dense<[[18446744073709551615, 9, 3, 0], [18446744073709551615, 9, 3, 0]]> : tensor<2x4xui64>
  return
}

func.func @sort_f32_lt() {
  %0 = stablehlo.constant dense<[[1.5, 0xFF800000, 2.0, -1.0, 0x7F800000], [0x7F800000, -1.0, 2.0, 0xFF800000, 1.5]]> : tensor<2x5xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x5xf32>) -> tensor<2x5xf32>
  check.expect_eq_const %1, dense<[[0xFF800000, -1.0, 1.5, 2.0, 0x7F800000], [0xFF800000, -1.0, 1.5, 2.0, 0x7F800000]]> : tensor<2x5xf32>
  return
}

func.func @sort_f32_gt() {
  %0 = stablehlo.constant dense<[[1.5, 0xFF800000, 2.0, -1.0, 0x7F800000], [0x7F800000, -1.0, 2.0, 0xFF800000, 1.5]]> : tensor<2x5xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x5xf32>) -> tensor<2x5xf32>
  check.expect_eq_const %1, dense<[[0x7F800000, 2.0, 1.5, -1.0, 0xFF800000], [0x7F800000, 2.0, 1.5, -1.0, 0xFF800000]]> : tensor<2x5xf32>
  return
}

func.func @sort_bf16_lt() {
  %0 = stablehlo.constant dense<[[1.5, -3.0, 2.0], [2.0, -3.0, 1.5]]> : tensor<2x3xbf16>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.compare LT, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %1, dense<[[-3.0, 1.5, 2.0], [-3.0, 1.5, 2.0]]> : tensor<2x3xbf16>
  return
}

func.func @sort_bf16_gt() {
  %0 = stablehlo.constant dense<[[1.5, -3.0, 2.0], [2.0, -3.0, 1.5]]> : tensor<2x3xbf16>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.compare GT, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %1, dense<[[2.0, 1.5, -3.0], [2.0, 1.5, -3.0]]> : tensor<2x3xbf16>
  return
}

func.func @sort_f8E4M3FNUZ_lt() {
  %0 = stablehlo.constant dense<[[1.5, -3.0, 2.4e+02, 0.0], [0.0, 2.4e+02, -3.0, 1.5]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[-3.0, 0.0, 1.5, 2.4e+02], [-3.0, 0.0, 1.5, 2.4e+02]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func @sort_f8E4M3FNUZ_gt() {
  %0 = stablehlo.constant dense<[[1.5, -3.0, 2.4e+02, 0.0], [0.0, 2.4e+02, -3.0, 1.5]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[2.4e+02, 1.5, 0.0, -3.0], [2.4e+02, 1.5, 0.0, -3.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func @sort_f8E5M2FNUZ_lt() {
  %0 = stablehlo.constant dense<[[1.5, -3.0, 5.7e+04, 0.0], [0.0, 5.7e+04, -3.0, 1.5]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[-3.0, 0.0, 1.5, 5.7e+04], [-3.0, 0.0, 1.5, 5.7e+04]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func @sort_f8E5M2FNUZ_gt() {
  %0 = stablehlo.constant dense<[[1.5, -3.0, 5.7e+04, 0.0], [0.0, 5.7e+04, -3.0, 1.5]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[5.7e+04, 1.5, 0.0, -3.0], [5.7e+04, 1.5, 0.0, -3.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func @sort_i1_lt() {
  %0 = stablehlo.constant dense<[[true, false, true], [true, false, true]]> : tensor<2x3xi1>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x3xi1>) -> tensor<2x3xi1>
  check.expect_eq_const %1, dense<[[false, true, true], [false, true, true]]> : tensor<2x3xi1>
  return
}

func.func @sort_i1_gt() {
  %0 = stablehlo.constant dense<[[true, false, true], [true, false, true]]> : tensor<2x3xi1>
  %1 = "stablehlo.sort"(%0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.compare GT, %a, %b, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x3xi1>) -> tensor<2x3xi1>
  check.expect_eq_const %1, dense<[[true, true, false], [true, true, false]]> : tensor<2x3xi1>
  return
}

func.func @sort_of_two_is_stable() {
  %0 = stablehlo.constant dense<[[3, 1, 2], [1, 1, 2], [3, 0, 1], [1, 1, 1]]> : tensor<4x3xi32>
  %1 = stablehlo.constant dense<[[0.5, 1.0, 1.5], [2.0, 2.5, 3.0], [3.5, 4.0, 4.5], [5.0, 5.5, 6.0]]> : tensor<4x3xf32>
  %2:2 = "stablehlo.sort"(%0, %1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
    %s = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4x3xi32>, tensor<4x3xf32>) -> (tensor<4x3xi32>, tensor<4x3xf32>)
  check.expect_eq_const %2#0, dense<[[1, 0, 1], [1, 1, 1], [3, 1, 2], [3, 1, 2]]> : tensor<4x3xi32>
  check.expect_eq_const %2#1, dense<[[2.0, 4.0, 4.5], [5.0, 1.0, 6.0], [0.5, 2.5, 1.5], [3.5, 5.5, 3.0]]> : tensor<4x3xf32>
  return
}

func.func @sort_by_the_last_dimension_and_nothing() {
  %0 = stablehlo.constant dense<> : tensor<2x0xi32>
  %1 = "stablehlo.sort"(%0) <{dimension = -1 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x0xi32>) -> tensor<2x0xi32>
  check.expect_eq_const %1, dense<> : tensor<2x0xi32>
  return
}

func.func @sort_total_order_f32() {
  %0 = stablehlo.constant dense<[0.0, 0x7FC00000, -0.0, 0x7F800000, -1.0, 0xFF800000]> : tensor<6xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %2, dense<[4286578688, 3212836864, 2147483648, 0, 2139095040, 2143289344]> : tensor<6xui32>
  return
}

func.func @sort_total_order_bf16() {
  %0 = stablehlo.constant dense<[0.0, 0x7FC0, -0.0, 0x7F80, -1.0, 0xFF80]> : tensor<6xbf16>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<6xbf16>) -> tensor<6xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %2, dense<[65408, 49024, 32768, 0, 32640, 32704]> : tensor<6xui16>
  return
}

func.func @sort_total_order_f8E5M2() {
  %0 = stablehlo.constant dense<[0.0, 0x7E, -0.0, 0x7C, -1.0, 0xFC]> : tensor<6xf8E5M2>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<6xf8E5M2>) -> tensor<6xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[252, 188, 128, 0, 124, 126]> : tensor<6xui8>
  return
}
