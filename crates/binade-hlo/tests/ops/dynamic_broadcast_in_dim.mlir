// stablehlo.dynamic_broadcast_in_dim by its definition, over element types, edges and empty shapes.

func.func @dynamic_broadcast_in_dim_i4() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0, 2] : (tensor<2x3xi4>, tensor<3xi64>) -> tensor<2x2x3xi4>
  check.expect_eq_const %2, dense<[[[1, 2, 3], [1, 2, 3]], [[4, 5, 6], [4, 5, 6]]]> : tensor<2x2x3xi4>
  return
}

func.func @dynamic_broadcast_in_dim_ui8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0, 2] : (tensor<2x3xui8>, tensor<3xi64>) -> tensor<2x2x3xui8>
  check.expect_eq_const %2, dense<[[[1, 2, 3], [1, 2, 3]], [[4, 5, 6], [4, 5, 6]]]> : tensor<2x2x3xui8>
  return
}

func.func @dynamic_broadcast_in_dim_i64() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0, 2] : (tensor<2x3xi64>, tensor<3xi64>) -> tensor<2x2x3xi64>
  check.expect_eq_const %2, dense<[[[1, 2, 3], [1, 2, 3]], [[4, 5, 6], [4, 5, 6]]]> : tensor<2x2x3xi64>
  return
}

func.func @dynamic_broadcast_in_dim_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0, 2] : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x2x3xf32>
  check.expect_eq_const %2, dense<[[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0], [4.0, 5.0, 6.0]]]> : tensor<2x2x3xf32>
  return
}

func.func @dynamic_broadcast_in_dim_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0, 2] : (tensor<2x3xbf16>, tensor<3xi64>) -> tensor<2x2x3xbf16>
  check.expect_eq_const %2, dense<[[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0], [4.0, 5.0, 6.0]]]> : tensor<2x2x3xbf16>
  return
}

func.func @dynamic_broadcast_in_dim_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0, 2] : (tensor<2x3xf8E4M3FNUZ>, tensor<3xi64>) -> tensor<2x2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0], [4.0, 5.0, 6.0]]]> : tensor<2x2x3xf8E4M3FNUZ>
  return
}

func.func @dynamic_broadcast_in_dim_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0, 2] : (tensor<2x3xf8E5M2FNUZ>, tensor<3xi64>) -> tensor<2x2x3xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0], [4.0, 5.0, 6.0]]]> : tensor<2x2x3xf8E5M2FNUZ>
  return
}

func.func @dynamic_broadcast_in_dim_i1() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0, 2] : (tensor<2x3xi1>, tensor<3xi64>) -> tensor<2x2x3xi1>
  check.expect_eq_const %2, dense<[[[true, false, true], [true, false, true]], [[false, true, false], [false, true, false]]]> : tensor<2x2x3xi1>
  return
}

func.func @dynamic_broadcast_in_dim_complex_f64() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [0, 2] : (tensor<2x3xcomplex<f64>>, tensor<3xi64>) -> tensor<2x2x3xcomplex<f64>>
  check.expect_eq_const %2, dense<[[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)]], [[(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]]> : tensor<2x2x3xcomplex<f64>>
  return
}
