// stablehlo.dynamic_gather by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @dynamic_gather_rows_i64_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14]]> : tensor<5x3xi64>
  %1 = stablehlo.constant dense<[[4], [0], [9], [-2]]> : tensor<4x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xi64>, tensor<4x1xi64>, tensor<2xi64>) -> tensor<4x3xi64>
  check.expect_eq_const %3, dense<[[12, 13, 14], [0, 1, 2], [12, 13, 14], [0, 1, 2]]> : tensor<4x3xi64>
  return
}

func.func @dynamic_gather_windows_i64_i64() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5], [6, 7]], [[8, 9], [10, 11], [12, 13], [14, 15]], [[16, 17], [18, 19], [20, 21], [22, 23]]]> : tensor<3x4x2xi64>
  %1 = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xi64>
  check.expect_eq_const %3, dense<[[[[0, 1], [2, 3]], [[2, 3], [4, 5]], [[12, 13], [14, 15]]], [[[8, 9], [10, 11]], [[10, 11], [12, 13]], [[16, 17], [18, 19]]]]> : tensor<2x3x2x2xi64>
  return
}

func.func @dynamic_gather_scalars_i64_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]> : tensor<4x4xi64>
  %1 = stablehlo.constant dense<[[0, 1, 3], [2, 2, 0]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, indices_are_sorted = false}> : (tensor<4x4xi64>, tensor<2x3xi64>, tensor<2xi64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[2, 6, 12]> : tensor<3xi64>
  return
}

func.func @dynamic_gather_implicit_vector_i64_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>
  %1 = stablehlo.constant dense<[5, 0, 3]> : tensor<3xi64>
  %2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<6xi64>, tensor<3xi64>, tensor<1xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %3, dense<[[4, 5], [0, 1], [3, 4]]> : tensor<3x2xi64>
  return
}

func.func @dynamic_gather_batching_i64_i64() {
  %0 = stablehlo.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<2x3x4xi64>
  %1 = stablehlo.constant dense<[[[0], [2], [1]], [[9], [0], [1]]]> : tensor<2x3x1xi64>
  %2 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<2x3x4xi64>, tensor<2x3x1xi64>, tensor<3xi64>) -> tensor<2x3x4xi64>
  check.expect_eq_const %3, dense<[[[0, 1, 2, 3], [8, 9, 10, 11], [4, 5, 6, 7]], [[20, 21, 22, 23], [12, 13, 14, 15], [16, 17, 18, 19]]]> : tensor<2x3x4xi64>
  return
}

func.func @dynamic_gather_offset_first_i64_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]> : tensor<3x5xi64>
  %1 = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi64>
  %2 = stablehlo.constant dense<[3, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x5xi64>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %3, dense<[[0, 2], [5, 7], [10, 12]]> : tensor<3x2xi64>
  return
}

func.func @dynamic_gather_none_i64_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14]]> : tensor<5x3xi64>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xi64>, tensor<0x1xi64>, tensor<2xi64>) -> tensor<0x3xi64>
  check.expect_eq_const %3, dense<> : tensor<0x3xi64>
  return
}

func.func @dynamic_gather_rows_ui8_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14]]> : tensor<5x3xui8>
  %1 = stablehlo.constant dense<[[4], [0], [9], [-2]]> : tensor<4x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xui8>, tensor<4x1xi64>, tensor<2xi64>) -> tensor<4x3xui8>
  check.expect_eq_const %3, dense<[[12, 13, 14], [0, 1, 2], [12, 13, 14], [0, 1, 2]]> : tensor<4x3xui8>
  return
}

func.func @dynamic_gather_windows_ui8_i64() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5], [6, 7]], [[8, 9], [10, 11], [12, 13], [14, 15]], [[16, 17], [18, 19], [20, 21], [22, 23]]]> : tensor<3x4x2xui8>
  %1 = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xui8>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xui8>
  check.expect_eq_const %3, dense<[[[[0, 1], [2, 3]], [[2, 3], [4, 5]], [[12, 13], [14, 15]]], [[[8, 9], [10, 11]], [[10, 11], [12, 13]], [[16, 17], [18, 19]]]]> : tensor<2x3x2x2xui8>
  return
}

func.func @dynamic_gather_scalars_ui8_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]> : tensor<4x4xui8>
  %1 = stablehlo.constant dense<[[0, 1, 3], [2, 2, 0]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, indices_are_sorted = false}> : (tensor<4x4xui8>, tensor<2x3xi64>, tensor<2xi64>) -> tensor<3xui8>
  check.expect_eq_const %3, dense<[2, 6, 12]> : tensor<3xui8>
  return
}

func.func @dynamic_gather_implicit_vector_ui8_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xui8>
  %1 = stablehlo.constant dense<[5, 0, 3]> : tensor<3xi64>
  %2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<6xui8>, tensor<3xi64>, tensor<1xi64>) -> tensor<3x2xui8>
  check.expect_eq_const %3, dense<[[4, 5], [0, 1], [3, 4]]> : tensor<3x2xui8>
  return
}

func.func @dynamic_gather_batching_ui8_i64() {
  %0 = stablehlo.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<2x3x4xui8>
  %1 = stablehlo.constant dense<[[[0], [2], [1]], [[9], [0], [1]]]> : tensor<2x3x1xi64>
  %2 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<2x3x4xui8>, tensor<2x3x1xi64>, tensor<3xi64>) -> tensor<2x3x4xui8>
  check.expect_eq_const %3, dense<[[[0, 1, 2, 3], [8, 9, 10, 11], [4, 5, 6, 7]], [[20, 21, 22, 23], [12, 13, 14, 15], [16, 17, 18, 19]]]> : tensor<2x3x4xui8>
  return
}

func.func @dynamic_gather_offset_first_ui8_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]> : tensor<3x5xui8>
  %1 = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi64>
  %2 = stablehlo.constant dense<[3, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x5xui8>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<3x2xui8>
  check.expect_eq_const %3, dense<[[0, 2], [5, 7], [10, 12]]> : tensor<3x2xui8>
  return
}

func.func @dynamic_gather_none_ui8_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14]]> : tensor<5x3xui8>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xui8>, tensor<0x1xi64>, tensor<2xi64>) -> tensor<0x3xui8>
  check.expect_eq_const %3, dense<> : tensor<0x3xui8>
  return
}

func.func @dynamic_gather_rows_f32_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0]]> : tensor<5x3xf32>
  %1 = stablehlo.constant dense<[[4], [0], [9], [-2]]> : tensor<4x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xf32>, tensor<4x1xi64>, tensor<2xi64>) -> tensor<4x3xf32>
  check.expect_eq_const %3, dense<[[12.0, 13.0, 14.0], [0.0, 1.0, 2.0], [12.0, 13.0, 14.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf32>
  return
}

func.func @dynamic_gather_windows_f32_i64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]], [[8.0, 9.0], [10.0, 11.0], [12.0, 13.0], [14.0, 15.0]], [[16.0, 17.0], [18.0, 19.0], [20.0, 21.0], [22.0, 23.0]]]> : tensor<3x4x2xf32>
  %1 = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xf32>
  check.expect_eq_const %3, dense<[[[[0.0, 1.0], [2.0, 3.0]], [[2.0, 3.0], [4.0, 5.0]], [[12.0, 13.0], [14.0, 15.0]]], [[[8.0, 9.0], [10.0, 11.0]], [[10.0, 11.0], [12.0, 13.0]], [[16.0, 17.0], [18.0, 19.0]]]]> : tensor<2x3x2x2xf32>
  return
}

func.func @dynamic_gather_scalars_f32_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]> : tensor<4x4xf32>
  %1 = stablehlo.constant dense<[[0, 1, 3], [2, 2, 0]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<2x3xi64>, tensor<2xi64>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[2.0, 6.0, 12.0]> : tensor<3xf32>
  return
}

func.func @dynamic_gather_implicit_vector_f32_i64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<6xf32>
  %1 = stablehlo.constant dense<[5, 0, 3]> : tensor<3xi64>
  %2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<6xf32>, tensor<3xi64>, tensor<1xi64>) -> tensor<3x2xf32>
  check.expect_eq_const %3, dense<[[4.0, 5.0], [0.0, 1.0], [3.0, 4.0]]> : tensor<3x2xf32>
  return
}

func.func @dynamic_gather_batching_f32_i64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %1 = stablehlo.constant dense<[[[0], [2], [1]], [[9], [0], [1]]]> : tensor<2x3x1xi64>
  %2 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<2x3x4xf32>, tensor<2x3x1xi64>, tensor<3xi64>) -> tensor<2x3x4xf32>
  check.expect_eq_const %3, dense<[[[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 10.0, 11.0], [4.0, 5.0, 6.0, 7.0]], [[20.0, 21.0, 22.0, 23.0], [12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0]]]> : tensor<2x3x4xf32>
  return
}

func.func @dynamic_gather_offset_first_f32_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0]]> : tensor<3x5xf32>
  %1 = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi64>
  %2 = stablehlo.constant dense<[3, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x5xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<3x2xf32>
  check.expect_eq_const %3, dense<[[0.0, 2.0], [5.0, 7.0], [10.0, 12.0]]> : tensor<3x2xf32>
  return
}

func.func @dynamic_gather_none_f32_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0]]> : tensor<5x3xf32>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xf32>, tensor<0x1xi64>, tensor<2xi64>) -> tensor<0x3xf32>
  check.expect_eq_const %3, dense<> : tensor<0x3xf32>
  return
}

func.func @dynamic_gather_rows_f32_i32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0]]> : tensor<5x3xf32>
  %1 = stablehlo.constant dense<[[4], [0], [9], [-2]]> : tensor<4x1xi32>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x3xf32>
  check.expect_eq_const %3, dense<[[12.0, 13.0, 14.0], [0.0, 1.0, 2.0], [12.0, 13.0, 14.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf32>
  return
}

func.func @dynamic_gather_windows_f32_i32() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]], [[8.0, 9.0], [10.0, 11.0], [12.0, 13.0], [14.0, 15.0]], [[16.0, 17.0], [18.0, 19.0], [20.0, 21.0], [22.0, 23.0]]]> : tensor<3x4x2xf32>
  %1 = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]]> : tensor<2x3x2xi32>
  %2 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi32>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x2x2xf32>
  check.expect_eq_const %3, dense<[[[[0.0, 1.0], [2.0, 3.0]], [[2.0, 3.0], [4.0, 5.0]], [[12.0, 13.0], [14.0, 15.0]]], [[[8.0, 9.0], [10.0, 11.0]], [[10.0, 11.0], [12.0, 13.0]], [[16.0, 17.0], [18.0, 19.0]]]]> : tensor<2x3x2x2xf32>
  return
}

func.func @dynamic_gather_scalars_f32_i32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]> : tensor<4x4xf32>
  %1 = stablehlo.constant dense<[[0, 1, 3], [2, 2, 0]]> : tensor<2x3xi32>
  %2 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<2x3xi32>, tensor<2xi32>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[2.0, 6.0, 12.0]> : tensor<3xf32>
  return
}

func.func @dynamic_gather_implicit_vector_f32_i32() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<6xf32>
  %1 = stablehlo.constant dense<[5, 0, 3]> : tensor<3xi32>
  %2 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<6xf32>, tensor<3xi32>, tensor<1xi32>) -> tensor<3x2xf32>
  check.expect_eq_const %3, dense<[[4.0, 5.0], [0.0, 1.0], [3.0, 4.0]]> : tensor<3x2xf32>
  return
}

func.func @dynamic_gather_batching_f32_i32() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %1 = stablehlo.constant dense<[[[0], [2], [1]], [[9], [0], [1]]]> : tensor<2x3x1xi32>
  %2 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xi32>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<2x3x4xf32>, tensor<2x3x1xi32>, tensor<3xi32>) -> tensor<2x3x4xf32>
  check.expect_eq_const %3, dense<[[[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 10.0, 11.0], [4.0, 5.0, 6.0, 7.0]], [[20.0, 21.0, 22.0, 23.0], [12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0]]]> : tensor<2x3x4xf32>
  return
}

func.func @dynamic_gather_offset_first_f32_i32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0]]> : tensor<3x5xf32>
  %1 = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi32>
  %2 = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x5xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<3x2xf32>
  check.expect_eq_const %3, dense<[[0.0, 2.0], [5.0, 7.0], [10.0, 12.0]]> : tensor<3x2xf32>
  return
}

func.func @dynamic_gather_none_f32_i32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0]]> : tensor<5x3xf32>
  %1 = stablehlo.constant dense<> : tensor<0x1xi32>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xf32>, tensor<0x1xi32>, tensor<2xi32>) -> tensor<0x3xf32>
  check.expect_eq_const %3, dense<> : tensor<0x3xf32>
  return
}

func.func @dynamic_gather_rows_bf16_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0]]> : tensor<5x3xbf16>
  %1 = stablehlo.constant dense<[[4], [0], [9], [-2]]> : tensor<4x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xbf16>, tensor<4x1xi64>, tensor<2xi64>) -> tensor<4x3xbf16>
  check.expect_eq_const %3, dense<[[12.0, 13.0, 14.0], [0.0, 1.0, 2.0], [12.0, 13.0, 14.0], [0.0, 1.0, 2.0]]> : tensor<4x3xbf16>
  return
}

func.func @dynamic_gather_windows_bf16_i64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]], [[8.0, 9.0], [10.0, 11.0], [12.0, 13.0], [14.0, 15.0]], [[16.0, 17.0], [18.0, 19.0], [20.0, 21.0], [22.0, 23.0]]]> : tensor<3x4x2xbf16>
  %1 = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xbf16>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xbf16>
  check.expect_eq_const %3, dense<[[[[0.0, 1.0], [2.0, 3.0]], [[2.0, 3.0], [4.0, 5.0]], [[12.0, 13.0], [14.0, 15.0]]], [[[8.0, 9.0], [10.0, 11.0]], [[10.0, 11.0], [12.0, 13.0]], [[16.0, 17.0], [18.0, 19.0]]]]> : tensor<2x3x2x2xbf16>
  return
}

func.func @dynamic_gather_scalars_bf16_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]> : tensor<4x4xbf16>
  %1 = stablehlo.constant dense<[[0, 1, 3], [2, 2, 0]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, indices_are_sorted = false}> : (tensor<4x4xbf16>, tensor<2x3xi64>, tensor<2xi64>) -> tensor<3xbf16>
  check.expect_eq_const %3, dense<[2.0, 6.0, 12.0]> : tensor<3xbf16>
  return
}

func.func @dynamic_gather_implicit_vector_bf16_i64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<6xbf16>
  %1 = stablehlo.constant dense<[5, 0, 3]> : tensor<3xi64>
  %2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<6xbf16>, tensor<3xi64>, tensor<1xi64>) -> tensor<3x2xbf16>
  check.expect_eq_const %3, dense<[[4.0, 5.0], [0.0, 1.0], [3.0, 4.0]]> : tensor<3x2xbf16>
  return
}

func.func @dynamic_gather_batching_bf16_i64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xbf16>
  %1 = stablehlo.constant dense<[[[0], [2], [1]], [[9], [0], [1]]]> : tensor<2x3x1xi64>
  %2 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<2x3x4xbf16>, tensor<2x3x1xi64>, tensor<3xi64>) -> tensor<2x3x4xbf16>
  check.expect_eq_const %3, dense<[[[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 10.0, 11.0], [4.0, 5.0, 6.0, 7.0]], [[20.0, 21.0, 22.0, 23.0], [12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0]]]> : tensor<2x3x4xbf16>
  return
}

func.func @dynamic_gather_offset_first_bf16_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0]]> : tensor<3x5xbf16>
  %1 = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi64>
  %2 = stablehlo.constant dense<[3, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x5xbf16>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<3x2xbf16>
  check.expect_eq_const %3, dense<[[0.0, 2.0], [5.0, 7.0], [10.0, 12.0]]> : tensor<3x2xbf16>
  return
}

func.func @dynamic_gather_none_bf16_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0]]> : tensor<5x3xbf16>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xbf16>, tensor<0x1xi64>, tensor<2xi64>) -> tensor<0x3xbf16>
  check.expect_eq_const %3, dense<> : tensor<0x3xbf16>
  return
}

func.func @dynamic_gather_rows_f8E4M3FNUZ_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0]]> : tensor<5x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[4], [0], [9], [-2]]> : tensor<4x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xf8E4M3FNUZ>, tensor<4x1xi64>, tensor<2xi64>) -> tensor<4x3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[12.0, 13.0, 14.0], [0.0, 1.0, 2.0], [12.0, 13.0, 14.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf8E4M3FNUZ>
  return
}

func.func @dynamic_gather_windows_f8E4M3FNUZ_i64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]], [[8.0, 9.0], [10.0, 11.0], [12.0, 13.0], [14.0, 15.0]], [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]]> : tensor<3x4x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xf8E4M3FNUZ>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[[[0.0, 1.0], [2.0, 3.0]], [[2.0, 3.0], [4.0, 5.0]], [[12.0, 13.0], [14.0, 15.0]]], [[[8.0, 9.0], [10.0, 11.0]], [[10.0, 11.0], [12.0, 13.0]], [[0.0, 1.0], [2.0, 3.0]]]]> : tensor<2x3x2x2xf8E4M3FNUZ>
  return
}

func.func @dynamic_gather_scalars_f8E4M3FNUZ_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]> : tensor<4x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[0, 1, 3], [2, 2, 0]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, indices_are_sorted = false}> : (tensor<4x4xf8E4M3FNUZ>, tensor<2x3xi64>, tensor<2xi64>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[2.0, 6.0, 12.0]> : tensor<3xf8E4M3FNUZ>
  return
}

func.func @dynamic_gather_implicit_vector_f8E4M3FNUZ_i64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[5, 0, 3]> : tensor<3xi64>
  %2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<6xf8E4M3FNUZ>, tensor<3xi64>, tensor<1xi64>) -> tensor<3x2xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[4.0, 5.0], [0.0, 1.0], [3.0, 4.0]]> : tensor<3x2xf8E4M3FNUZ>
  return
}

func.func @dynamic_gather_batching_f8E4M3FNUZ_i64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]]> : tensor<2x3x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[0], [2], [1]], [[9], [0], [1]]]> : tensor<2x3x1xi64>
  %2 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<2x3x4xf8E4M3FNUZ>, tensor<2x3x1xi64>, tensor<3xi64>) -> tensor<2x3x4xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 10.0, 11.0], [4.0, 5.0, 6.0, 7.0]], [[4.0, 5.0, 6.0, 7.0], [12.0, 13.0, 14.0, 15.0], [0.0, 1.0, 2.0, 3.0]]]> : tensor<2x3x4xf8E4M3FNUZ>
  return
}

func.func @dynamic_gather_offset_first_f8E4M3FNUZ_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0]]> : tensor<3x5xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi64>
  %2 = stablehlo.constant dense<[3, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x5xf8E4M3FNUZ>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<3x2xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 2.0], [5.0, 7.0], [10.0, 12.0]]> : tensor<3x2xf8E4M3FNUZ>
  return
}

func.func @dynamic_gather_none_f8E4M3FNUZ_i64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0]]> : tensor<5x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xf8E4M3FNUZ>, tensor<0x1xi64>, tensor<2xi64>) -> tensor<0x3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<> : tensor<0x3xf8E4M3FNUZ>
  return
}

func.func @dynamic_gather_rows_i1_i64() {
  %0 = stablehlo.constant dense<[[false, true, false], [true, false, true], [false, true, false], [true, false, true], [false, true, false]]> : tensor<5x3xi1>
  %1 = stablehlo.constant dense<[[4], [0], [9], [-2]]> : tensor<4x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xi1>, tensor<4x1xi64>, tensor<2xi64>) -> tensor<4x3xi1>
  check.expect_eq_const %3, dense<[[false, true, false], [false, true, false], [false, true, false], [false, true, false]]> : tensor<4x3xi1>
  return
}

func.func @dynamic_gather_windows_i1_i64() {
  %0 = stablehlo.constant dense<[[[false, true], [false, true], [false, true], [false, true]], [[false, true], [false, true], [false, true], [false, true]], [[false, true], [false, true], [false, true], [false, true]]]> : tensor<3x4x2xi1>
  %1 = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xi1>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xi1>
  check.expect_eq_const %3, dense<[[[[false, true], [false, true]], [[false, true], [false, true]], [[false, true], [false, true]]], [[[false, true], [false, true]], [[false, true], [false, true]], [[false, true], [false, true]]]]> : tensor<2x3x2x2xi1>
  return
}

func.func @dynamic_gather_scalars_i1_i64() {
  %0 = stablehlo.constant dense<[[false, true, false, true], [false, true, false, true], [false, true, false, true], [false, true, false, true]]> : tensor<4x4xi1>
  %1 = stablehlo.constant dense<[[0, 1, 3], [2, 2, 0]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, indices_are_sorted = false}> : (tensor<4x4xi1>, tensor<2x3xi64>, tensor<2xi64>) -> tensor<3xi1>
  check.expect_eq_const %3, dense<[false, false, false]> : tensor<3xi1>
  return
}

func.func @dynamic_gather_implicit_vector_i1_i64() {
  %0 = stablehlo.constant dense<[false, true, false, true, false, true]> : tensor<6xi1>
  %1 = stablehlo.constant dense<[5, 0, 3]> : tensor<3xi64>
  %2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<6xi1>, tensor<3xi64>, tensor<1xi64>) -> tensor<3x2xi1>
  check.expect_eq_const %3, dense<[[false, true], [false, true], [true, false]]> : tensor<3x2xi1>
  return
}

func.func @dynamic_gather_batching_i1_i64() {
  %0 = stablehlo.constant dense<[[[false, true, false, true], [false, true, false, true], [false, true, false, true]], [[false, true, false, true], [false, true, false, true], [false, true, false, true]]]> : tensor<2x3x4xi1>
  %1 = stablehlo.constant dense<[[[0], [2], [1]], [[9], [0], [1]]]> : tensor<2x3x1xi64>
  %2 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<2x3x4xi1>, tensor<2x3x1xi64>, tensor<3xi64>) -> tensor<2x3x4xi1>
  check.expect_eq_const %3, dense<[[[false, true, false, true], [false, true, false, true], [false, true, false, true]], [[false, true, false, true], [false, true, false, true], [false, true, false, true]]]> : tensor<2x3x4xi1>
  return
}

func.func @dynamic_gather_offset_first_i1_i64() {
  %0 = stablehlo.constant dense<[[false, true, false, true, false], [true, false, true, false, true], [false, true, false, true, false]]> : tensor<3x5xi1>
  %1 = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi64>
  %2 = stablehlo.constant dense<[3, 1]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x5xi1>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<3x2xi1>
  check.expect_eq_const %3, dense<[[false, false], [true, true], [false, false]]> : tensor<3x2xi1>
  return
}

func.func @dynamic_gather_none_i1_i64() {
  %0 = stablehlo.constant dense<[[false, true, false], [true, false, true], [false, true, false], [true, false, true], [false, true, false]]> : tensor<5x3xi1>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %3 = "stablehlo.dynamic_gather"(%0, %1, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x3xi1>, tensor<0x1xi64>, tensor<2xi64>) -> tensor<0x3xi1>
  check.expect_eq_const %3, dense<> : tensor<0x3xi1>
  return
}
