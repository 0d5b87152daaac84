// stablehlo.dynamic_reshape by its definition, over element types, edges and empty shapes.

func.func @dynamic_reshape_i4() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, -8], [-7, -6], [-5, -4]]]> : tensor<2x3x2xi4>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3x2xi4>, tensor<2xi32>) -> tensor<4x3xi4>
  check.expect_eq_const %2, dense<[[1, 2, 3], [4, 5, 6], [7, -8, -7], [-6, -5, -4]]> : tensor<4x3xi4>
  return
}

func.func @dynamic_reshape_ui8() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui8>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3x2xui8>, tensor<2xi32>) -> tensor<4x3xui8>
  check.expect_eq_const %2, dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xui8>
  return
}

func.func @dynamic_reshape_i64() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3x2xi64>, tensor<2xi32>) -> tensor<4x3xi64>
  check.expect_eq_const %2, dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi64>
  return
}

func.func @dynamic_reshape_f32() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3x2xf32>, tensor<2xi32>) -> tensor<4x3xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  return
}

func.func @dynamic_reshape_bf16() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3x2xbf16>, tensor<2xi32>) -> tensor<4x3xbf16>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xbf16>
  return
}

func.func @dynamic_reshape_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3x2xf8E4M3FNUZ>, tensor<2xi32>) -> tensor<4x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf8E4M3FNUZ>
  return
}

func.func @dynamic_reshape_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 0.0], [1.0, 2.0], [3.0, 4.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3x2xf8E5M2FNUZ>, tensor<2xi32>) -> tensor<4x3xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 0.0, 1.0], [2.0, 3.0, 4.0]]> : tensor<4x3xf8E5M2FNUZ>
  return
}

func.func @dynamic_reshape_i1() {
  %0 = stablehlo.constant dense<[[[true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false]]]> : tensor<2x3x2xi1>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3x2xi1>, tensor<2xi32>) -> tensor<4x3xi1>
  check.expect_eq_const %2, dense<[[true, false, true], [false, true, false], [true, false, true], [false, true, false]]> : tensor<4x3xi1>
  return
}

func.func @dynamic_reshape_complex_f64() {
  %0 = stablehlo.constant dense<[[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]], [[(7.0, 4.0), (8.0, 5.0)], [(9.0, 6.0), (10.0, 7.0)], [(11.0, 8.0), (12.0, 9.0)]]]> : tensor<2x3x2xcomplex<f64>>
  %1 = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3x2xcomplex<f64>>, tensor<2xi32>) -> tensor<4x3xcomplex<f64>>
  check.expect_eq_const %2, dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0)], [(10.0, 7.0), (11.0, 8.0), (12.0, 9.0)]]> : tensor<4x3xcomplex<f64>>
  return
}
