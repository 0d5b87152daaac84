// stablehlo.real_dynamic_slice by its definition, over element types, edges and empty shapes.

func.func @real_dynamic_slice_i4() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, -8, -7, -6, -5, -4], [-3, -2, -1, 0, 1, 2], [3, 4, 5, 6, 7, -8]]> : tensor<4x6xi4>
  %1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %2 = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4x6xi4>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi4>
  check.expect_eq_const %4, dense<[[7, -6], [3, 6]]> : tensor<2x2xi4>
  return
}

func.func @real_dynamic_slice_ui8() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xui8>
  %1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %2 = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4x6xui8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xui8>
  check.expect_eq_const %4, dense<[[7, 10], [19, 22]]> : tensor<2x2xui8>
  return
}

func.func @real_dynamic_slice_i64() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi64>
  %1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %2 = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4x6xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %4, dense<[[7, 10], [19, 22]]> : tensor<2x2xi64>
  return
}

func.func @real_dynamic_slice_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  %1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %2 = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xf32>
  check.expect_eq_const %4, dense<[[7.0, 10.0], [19.0, 22.0]]> : tensor<2x2xf32>
  return
}

func.func @real_dynamic_slice_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xbf16>
  %1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %2 = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4x6xbf16>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xbf16>
  check.expect_eq_const %4, dense<[[7.0, 10.0], [19.0, 22.0]]> : tensor<2x2xbf16>
  return
}

func.func @real_dynamic_slice_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<4x6xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %2 = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4x6xf8E4M3FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %4, dense<[[7.0, 10.0], [3.0, 6.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @real_dynamic_slice_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 0.0]]> : tensor<4x6xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %2 = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4x6xf8E5M2FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %4, dense<[[7.0, 2.0], [3.0, 6.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func @real_dynamic_slice_i1() {
  %0 = stablehlo.constant dense<[[true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  %1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %2 = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4x6xi1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi1>
  check.expect_eq_const %4, dense<[[true, false], [true, false]]> : tensor<2x2xi1>
  return
}

func.func @real_dynamic_slice_complex_f64() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)], [(13.0, 10.0), (14.0, 11.0), (15.0, 12.0), (16.0, 13.0), (17.0, 14.0), (18.0, 15.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (22.0, 19.0), (23.0, 20.0), (24.0, 21.0)]]> : tensor<4x6xcomplex<f64>>
  %1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %2 = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3 : (tensor<4x6xcomplex<f64>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %4, dense<[[(7.0, 4.0), (10.0, 7.0)], [(19.0, 16.0), (22.0, 19.0)]]> : tensor<2x2xcomplex<f64>>
  return
}
