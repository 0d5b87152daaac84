// stablehlo.dynamic_update_slice by its definition, over element types, edges and empty shapes.

func.func @dynamic_update_slice_i4_1_2() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, -8, -7, -6, -5, -4], [-3, -2, -1, 0, 1, 2], [3, 4, 5, 6, 7, -8]]> : tensor<4x6xi4>
  %1 = stablehlo.constant dense<[[5, 6, 7], [-8, -7, -6]]> : tensor<2x3xi4>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xi4>, tensor<2x3xi4>, tensor<i32>, tensor<i32>) -> tensor<4x6xi4>
  check.expect_eq_const %4, dense<[[1, 2, 3, 4, 5, 6], [7, -8, 5, 6, 7, -4], [-3, -2, -8, -7, -6, 2], [3, 4, 5, 6, 7, -8]]> : tensor<4x6xi4>
  return
}

func.func @dynamic_update_slice_i4_m5_100() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, -8, -7, -6, -5, -4], [-3, -2, -1, 0, 1, 2], [3, 4, 5, 6, 7, -8]]> : tensor<4x6xi4>
  %1 = stablehlo.constant dense<[[5, 6, 7], [-8, -7, -6]]> : tensor<2x3xi4>
  %2 = stablehlo.constant dense<-5> : tensor<i32>
  %3 = stablehlo.constant dense<100> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xi4>, tensor<2x3xi4>, tensor<i32>, tensor<i32>) -> tensor<4x6xi4>
  check.expect_eq_const %4, dense<[[1, 2, 3, 5, 6, 7], [7, -8, -7, -8, -7, -6], [-3, -2, -1, 0, 1, 2], [3, 4, 5, 6, 7, -8]]> : tensor<4x6xi4>
  return
}

func.func @dynamic_update_slice_i4_3_3() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, -8, -7, -6, -5, -4], [-3, -2, -1, 0, 1, 2], [3, 4, 5, 6, 7, -8]]> : tensor<4x6xi4>
  %1 = stablehlo.constant dense<[[5, 6, 7], [-8, -7, -6]]> : tensor<2x3xi4>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xi4>, tensor<2x3xi4>, tensor<i32>, tensor<i32>) -> tensor<4x6xi4>
  check.expect_eq_const %4, dense<[[1, 2, 3, 4, 5, 6], [7, -8, -7, -6, -5, -4], [-3, -2, -1, 5, 6, 7], [3, 4, 5, -8, -7, -6]]> : tensor<4x6xi4>
  return
}

func.func @dynamic_update_slice_ui8_1_2() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xui8>
  %1 = stablehlo.constant dense<[[5, 6, 7], [8, 9, 10]]> : tensor<2x3xui8>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xui8>, tensor<2x3xui8>, tensor<i32>, tensor<i32>) -> tensor<4x6xui8>
  check.expect_eq_const %4, dense<[[1, 2, 3, 4, 5, 6], [7, 8, 5, 6, 7, 12], [13, 14, 8, 9, 10, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xui8>
  return
}

func.func @dynamic_update_slice_ui8_m5_100() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xui8>
  %1 = stablehlo.constant dense<[[5, 6, 7], [8, 9, 10]]> : tensor<2x3xui8>
  %2 = stablehlo.constant dense<-5> : tensor<i32>
  %3 = stablehlo.constant dense<100> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xui8>, tensor<2x3xui8>, tensor<i32>, tensor<i32>) -> tensor<4x6xui8>
  check.expect_eq_const %4, dense<[[1, 2, 3, 5, 6, 7], [7, 8, 9, 8, 9, 10], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xui8>
  return
}

func.func @dynamic_update_slice_ui8_3_3() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xui8>
  %1 = stablehlo.constant dense<[[5, 6, 7], [8, 9, 10]]> : tensor<2x3xui8>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xui8>, tensor<2x3xui8>, tensor<i32>, tensor<i32>) -> tensor<4x6xui8>
  check.expect_eq_const %4, dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 5, 6, 7], [19, 20, 21, 8, 9, 10]]> : tensor<4x6xui8>
  return
}

func.func @dynamic_update_slice_i64_1_2() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi64>
  %1 = stablehlo.constant dense<[[5, 6, 7], [8, 9, 10]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xi64>, tensor<2x3xi64>, tensor<i32>, tensor<i32>) -> tensor<4x6xi64>
  check.expect_eq_const %4, dense<[[1, 2, 3, 4, 5, 6], [7, 8, 5, 6, 7, 12], [13, 14, 8, 9, 10, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi64>
  return
}

func.func @dynamic_update_slice_i64_m5_100() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi64>
  %1 = stablehlo.constant dense<[[5, 6, 7], [8, 9, 10]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<-5> : tensor<i32>
  %3 = stablehlo.constant dense<100> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xi64>, tensor<2x3xi64>, tensor<i32>, tensor<i32>) -> tensor<4x6xi64>
  check.expect_eq_const %4, dense<[[1, 2, 3, 5, 6, 7], [7, 8, 9, 8, 9, 10], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi64>
  return
}

func.func @dynamic_update_slice_i64_3_3() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi64>
  %1 = stablehlo.constant dense<[[5, 6, 7], [8, 9, 10]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xi64>, tensor<2x3xi64>, tensor<i32>, tensor<i32>) -> tensor<4x6xi64>
  check.expect_eq_const %4, dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 5, 6, 7], [19, 20, 21, 8, 9, 10]]> : tensor<4x6xi64>
  return
}

func.func @dynamic_update_slice_f32_1_2() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]> : tensor<2x3xf32>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 5.0, 6.0, 7.0, 12.0], [13.0, 14.0, 8.0, 9.0, 10.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  return
}

func.func @dynamic_update_slice_f32_m5_100() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]> : tensor<2x3xf32>
  %2 = stablehlo.constant dense<-5> : tensor<i32>
  %3 = stablehlo.constant dense<100> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 5.0, 6.0, 7.0], [7.0, 8.0, 9.0, 8.0, 9.0, 10.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  return
}

func.func @dynamic_update_slice_f32_3_3() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]> : tensor<2x3xf32>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 5.0, 6.0, 7.0], [19.0, 20.0, 21.0, 8.0, 9.0, 10.0]]> : tensor<4x6xf32>
  return
}

func.func @dynamic_update_slice_bf16_1_2() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xbf16>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]> : tensor<2x3xbf16>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xbf16>, tensor<2x3xbf16>, tensor<i32>, tensor<i32>) -> tensor<4x6xbf16>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 5.0, 6.0, 7.0, 12.0], [13.0, 14.0, 8.0, 9.0, 10.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xbf16>
  return
}

func.func @dynamic_update_slice_bf16_m5_100() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xbf16>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]> : tensor<2x3xbf16>
  %2 = stablehlo.constant dense<-5> : tensor<i32>
  %3 = stablehlo.constant dense<100> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xbf16>, tensor<2x3xbf16>, tensor<i32>, tensor<i32>) -> tensor<4x6xbf16>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 5.0, 6.0, 7.0], [7.0, 8.0, 9.0, 8.0, 9.0, 10.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xbf16>
  return
}

func.func @dynamic_update_slice_bf16_3_3() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xbf16>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]> : tensor<2x3xbf16>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xbf16>, tensor<2x3xbf16>, tensor<i32>, tensor<i32>) -> tensor<4x6xbf16>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 5.0, 6.0, 7.0], [19.0, 20.0, 21.0, 8.0, 9.0, 10.0]]> : tensor<4x6xbf16>
  return
}

func.func @dynamic_update_slice_f8E4M3FNUZ_1_2() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<4x6xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]> : tensor<2x3xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xf8E4M3FNUZ>, tensor<2x3xf8E4M3FNUZ>, tensor<i32>, tensor<i32>) -> tensor<4x6xf8E4M3FNUZ>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 5.0, 6.0, 7.0, 12.0], [13.0, 14.0, 8.0, 9.0, 10.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<4x6xf8E4M3FNUZ>
  return
}

func.func @dynamic_update_slice_f8E4M3FNUZ_m5_100() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<4x6xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]> : tensor<2x3xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<-5> : tensor<i32>
  %3 = stablehlo.constant dense<100> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xf8E4M3FNUZ>, tensor<2x3xf8E4M3FNUZ>, tensor<i32>, tensor<i32>) -> tensor<4x6xf8E4M3FNUZ>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 5.0, 6.0, 7.0], [7.0, 8.0, 9.0, 8.0, 9.0, 10.0], [13.0, 14.0, 15.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<4x6xf8E4M3FNUZ>
  return
}

func.func @dynamic_update_slice_f8E4M3FNUZ_3_3() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<4x6xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]> : tensor<2x3xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xf8E4M3FNUZ>, tensor<2x3xf8E4M3FNUZ>, tensor<i32>, tensor<i32>) -> tensor<4x6xf8E4M3FNUZ>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 5.0, 6.0, 7.0], [3.0, 4.0, 5.0, 8.0, 9.0, 10.0]]> : tensor<4x6xf8E4M3FNUZ>
  return
}

func.func @dynamic_update_slice_f8E5M2FNUZ_1_2() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 0.0]]> : tensor<4x6xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xf8E5M2FNUZ>, tensor<2x3xf8E5M2FNUZ>, tensor<i32>, tensor<i32>) -> tensor<4x6xf8E5M2FNUZ>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 0.0, 5.0, 6.0, 7.0, 4.0], [5.0, 6.0, 0.0, 1.0, 2.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 0.0]]> : tensor<4x6xf8E5M2FNUZ>
  return
}

func.func @dynamic_update_slice_f8E5M2FNUZ_m5_100() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 0.0]]> : tensor<4x6xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<-5> : tensor<i32>
  %3 = stablehlo.constant dense<100> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xf8E5M2FNUZ>, tensor<2x3xf8E5M2FNUZ>, tensor<i32>, tensor<i32>) -> tensor<4x6xf8E5M2FNUZ>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 5.0, 6.0, 7.0], [7.0, 0.0, 1.0, 0.0, 1.0, 2.0], [5.0, 6.0, 7.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 0.0]]> : tensor<4x6xf8E5M2FNUZ>
  return
}

func.func @dynamic_update_slice_f8E5M2FNUZ_3_3() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 0.0]]> : tensor<4x6xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[5.0, 6.0, 7.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xf8E5M2FNUZ>, tensor<2x3xf8E5M2FNUZ>, tensor<i32>, tensor<i32>) -> tensor<4x6xf8E5M2FNUZ>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 5.0, 6.0, 7.0], [3.0, 4.0, 5.0, 0.0, 1.0, 2.0]]> : tensor<4x6xf8E5M2FNUZ>
  return
}

func.func @dynamic_update_slice_i1_1_2() {
  %0 = stablehlo.constant dense<[[true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  %1 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xi1>, tensor<2x3xi1>, tensor<i32>, tensor<i32>) -> tensor<4x6xi1>
  check.expect_eq_const %4, dense<[[true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, false, true, false, false], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  return
}

func.func @dynamic_update_slice_i1_m5_100() {
  %0 = stablehlo.constant dense<[[true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  %1 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %2 = stablehlo.constant dense<-5> : tensor<i32>
  %3 = stablehlo.constant dense<100> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xi1>, tensor<2x3xi1>, tensor<i32>, tensor<i32>) -> tensor<4x6xi1>
  check.expect_eq_const %4, dense<[[true, false, true, true, false, true], [true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  return
}

func.func @dynamic_update_slice_i1_3_3() {
  %0 = stablehlo.constant dense<[[true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  %1 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xi1>, tensor<2x3xi1>, tensor<i32>, tensor<i32>) -> tensor<4x6xi1>
  check.expect_eq_const %4, dense<[[true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, true, false, true], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  return
}

func.func @dynamic_update_slice_complex_f64_1_2() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)], [(13.0, 10.0), (14.0, 11.0), (15.0, 12.0), (16.0, 13.0), (17.0, 14.0), (18.0, 15.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (22.0, 19.0), (23.0, 20.0), (24.0, 21.0)]]> : tensor<4x6xcomplex<f64>>
  %1 = stablehlo.constant dense<[[(5.0, 2.0), (6.0, 3.0), (7.0, 4.0)], [(8.0, 5.0), (9.0, 6.0), (10.0, 7.0)]]> : tensor<2x3xcomplex<f64>>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<i32>, tensor<i32>) -> tensor<4x6xcomplex<f64>>
  check.expect_eq_const %4, dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (5.0, 2.0), (6.0, 3.0), (7.0, 4.0), (12.0, 9.0)], [(13.0, 10.0), (14.0, 11.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (18.0, 15.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (22.0, 19.0), (23.0, 20.0), (24.0, 21.0)]]> : tensor<4x6xcomplex<f64>>
  return
}

func.func @dynamic_update_slice_complex_f64_m5_100() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)], [(13.0, 10.0), (14.0, 11.0), (15.0, 12.0), (16.0, 13.0), (17.0, 14.0), (18.0, 15.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (22.0, 19.0), (23.0, 20.0), (24.0, 21.0)]]> : tensor<4x6xcomplex<f64>>
  %1 = stablehlo.constant dense<[[(5.0, 2.0), (6.0, 3.0), (7.0, 4.0)], [(8.0, 5.0), (9.0, 6.0), (10.0, 7.0)]]> : tensor<2x3xcomplex<f64>>
  %2 = stablehlo.constant dense<-5> : tensor<i32>
  %3 = stablehlo.constant dense<100> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<i32>, tensor<i32>) -> tensor<4x6xcomplex<f64>>
  check.expect_eq_const %4, dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (5.0, 2.0), (6.0, 3.0), (7.0, 4.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0)], [(13.0, 10.0), (14.0, 11.0), (15.0, 12.0), (16.0, 13.0), (17.0, 14.0), (18.0, 15.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (22.0, 19.0), (23.0, 20.0), (24.0, 21.0)]]> : tensor<4x6xcomplex<f64>>
  return
}

func.func @dynamic_update_slice_complex_f64_3_3() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)], [(13.0, 10.0), (14.0, 11.0), (15.0, 12.0), (16.0, 13.0), (17.0, 14.0), (18.0, 15.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (22.0, 19.0), (23.0, 20.0), (24.0, 21.0)]]> : tensor<4x6xcomplex<f64>>
  %1 = stablehlo.constant dense<[[(5.0, 2.0), (6.0, 3.0), (7.0, 4.0)], [(8.0, 5.0), (9.0, 6.0), (10.0, 7.0)]]> : tensor<2x3xcomplex<f64>>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.dynamic_update_slice %0, %1, %2, %3 : (tensor<4x6xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<i32>, tensor<i32>) -> tensor<4x6xcomplex<f64>>
  check.expect_eq_const %4, dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)], [(13.0, 10.0), (14.0, 11.0), (15.0, 12.0), (5.0, 2.0), (6.0, 3.0), (7.0, 4.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0)]]> : tensor<4x6xcomplex<f64>>
  return
}
