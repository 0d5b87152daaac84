// stablehlo.set_dimension_size by its definition, over element types, edges and empty shapes.

func.func @set_dimension_size_whole() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<3> : tensor<i32>
  %2 = stablehlo.set_dimension_size %0, %1, dim = 1 : (tensor<2x3xi64>, tensor<i32>) -> tensor<2x3xi64>
  check.expect_eq_const %2, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  return
}

func.func @set_dimension_size_smaller() {
  %0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = stablehlo.constant dense<2> : tensor<i32>
  %2 = stablehlo.set_dimension_size %0, %1, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32>
  %3 = stablehlo.get_dimension_size %2, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  check.expect_eq_const %3, dense<2> : tensor<i32>
  return
}
