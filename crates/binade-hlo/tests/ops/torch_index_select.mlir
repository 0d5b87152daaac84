// stablehlo.torch_index_select by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @torch_index_select_i64() {
  %0 = stablehlo.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7]], [[8, 9, 10, 11], [12, 13, 14, 15]], [[16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<3x2x4xi64>
  %1 = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi64>
  %2 = stablehlo.torch_index_select %0, %1, dim = 0, batch_dims = 0 : (tensor<3x2x4xi64>, tensor<3xi64>) -> tensor<3x2x4xi64>
  check.expect_eq_const %2, dense<[[[16, 17, 18, 19], [20, 21, 22, 23]], [[0, 1, 2, 3], [4, 5, 6, 7]], [[16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<3x2x4xi64>
  %3 = stablehlo.constant dense<[[1, 1], [0, 1], [1, 0]]> : tensor<3x2xi64>
  %4 = stablehlo.torch_index_select %0, %3, dim = 1, batch_dims = 1 : (tensor<3x2x4xi64>, tensor<3x2xi64>) -> tensor<3x2x4xi64>
  check.expect_eq_const %4, dense<[[[4, 5, 6, 7], [4, 5, 6, 7]], [[8, 9, 10, 11], [12, 13, 14, 15]], [[20, 21, 22, 23], [16, 17, 18, 19]]]> : tensor<3x2x4xi64>
  return
}

func.func @torch_index_select_f32() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]], [[8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]], [[16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<3x2x4xf32>
  %1 = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi64>
  %2 = stablehlo.torch_index_select %0, %1, dim = 0, batch_dims = 0 : (tensor<3x2x4xf32>, tensor<3xi64>) -> tensor<3x2x4xf32>
  check.expect_eq_const %2, dense<[[[16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]], [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]], [[16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<3x2x4xf32>
  %3 = stablehlo.constant dense<[[1, 1], [0, 1], [1, 0]]> : tensor<3x2xi64>
  %4 = stablehlo.torch_index_select %0, %3, dim = 1, batch_dims = 1 : (tensor<3x2x4xf32>, tensor<3x2xi64>) -> tensor<3x2x4xf32>
  check.expect_eq_const %4, dense<[[[4.0, 5.0, 6.0, 7.0], [4.0, 5.0, 6.0, 7.0]], [[8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]], [[20.0, 21.0, 22.0, 23.0], [16.0, 17.0, 18.0, 19.0]]]> : tensor<3x2x4xf32>
  return
}

func.func @torch_index_select_bf16() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]], [[8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]], [[16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<3x2x4xbf16>
  %1 = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi64>
  %2 = stablehlo.torch_index_select %0, %1, dim = 0, batch_dims = 0 : (tensor<3x2x4xbf16>, tensor<3xi64>) -> tensor<3x2x4xbf16>
  check.expect_eq_const %2, dense<[[[16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]], [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]], [[16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<3x2x4xbf16>
  %3 = stablehlo.constant dense<[[1, 1], [0, 1], [1, 0]]> : tensor<3x2xi64>
  %4 = stablehlo.torch_index_select %0, %3, dim = 1, batch_dims = 1 : (tensor<3x2x4xbf16>, tensor<3x2xi64>) -> tensor<3x2x4xbf16>
  check.expect_eq_const %4, dense<[[[4.0, 5.0, 6.0, 7.0], [4.0, 5.0, 6.0, 7.0]], [[8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]], [[20.0, 21.0, 22.0, 23.0], [16.0, 17.0, 18.0, 19.0]]]> : tensor<3x2x4xbf16>
  return
}
