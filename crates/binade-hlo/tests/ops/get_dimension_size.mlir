// stablehlo.get_dimension_size by its definition, over element types, edges and empty shapes.

func.func @get_dimension_size_i4() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x3xi4>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xi4>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  return
}

func.func @get_dimension_size_ui8() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x3xui8>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xui8>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  return
}

func.func @get_dimension_size_i64() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x3xi64>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xi64>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  return
}

func.func @get_dimension_size_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x3xf32>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  return
}

func.func @get_dimension_size_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x3xbf16>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xbf16>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  return
}

func.func @get_dimension_size_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x3xf8E4M3FNUZ>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xf8E4M3FNUZ>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  return
}

func.func @get_dimension_size_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x3xf8E5M2FNUZ>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xf8E5M2FNUZ>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  return
}

func.func @get_dimension_size_i1() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x3xi1>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xi1>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  return
}

func.func @get_dimension_size_complex_f64() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<2x3xcomplex<f64>>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xcomplex<f64>>) -> tensor<i32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  return
}
