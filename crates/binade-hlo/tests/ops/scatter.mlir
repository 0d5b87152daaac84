// stablehlo.scatter by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @scatter_add_rows_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]> : tensor<4x3xi8>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1, 2, 0], [1, 2, 0], [1, 2, 0], [1, 2, 0], [1, 2, 0]]> : tensor<5x3xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<4x3xi8>, tensor<5x1xi64>, tensor<5x3xi8>) -> tensor<4x3xi8>
  check.expect_eq_const %3, dense<[[2, 5, 2], [0, 1, 2], [0, 1, 2], [1, 3, 2]]> : tensor<4x3xi8>
  return
}

func.func @scatter_maximum_rows_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]> : tensor<4x3xi8>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1, 2, 0], [1, 2, 0], [1, 2, 0], [1, 2, 0], [1, 2, 0]]> : tensor<5x3xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<4x3xi8>, tensor<5x1xi64>, tensor<5x3xi8>) -> tensor<4x3xi8>
  check.expect_eq_const %3, dense<[[1, 2, 2], [0, 1, 2], [0, 1, 2], [1, 2, 2]]> : tensor<4x3xi8>
  return
}

func.func @scatter_add_windows_i8() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]]]> : tensor<3x4x2xi8>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]]], [[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]]]]> : tensor<2x3x2x2xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<3x4x2xi8>, tensor<2x3x2xi64>, tensor<2x3x2x2xi8>) -> tensor<3x4x2xi8>
  check.expect_eq_const %3, dense<[[[0, 1], [4, 7], [0, 3], [2, 3]], [[0, 2], [4, 3], [2, 1], [3, 5]], [[0, 2], [4, 3], [0, 1], [2, 3]]]> : tensor<3x4x2xi8>
  return
}

func.func @scatter_maximum_windows_i8() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]]]> : tensor<3x4x2xi8>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]]], [[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]]]]> : tensor<2x3x2x2xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<3x4x2xi8>, tensor<2x3x2xi64>, tensor<2x3x2x2xi8>) -> tensor<3x4x2xi8>
  check.expect_eq_const %3, dense<[[[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [2, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]]]> : tensor<3x4x2xi8>
  return
}

func.func @scatter_add_scalars_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2], [0, 1, 2, 0]]> : tensor<4x4xi8>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<4x4xi8>, tensor<2x4xi64>, tensor<4xi8>) -> tensor<4x4xi8>
  check.expect_eq_const %3, dense<[[0, 1, 7, 0], [1, 2, 2, 1], [2, 0, 1, 2], [3, 1, 2, 0]]> : tensor<4x4xi8>
  return
}

func.func @scatter_maximum_scalars_i8() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2], [0, 1, 2, 0]]> : tensor<4x4xi8>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<4x4xi8>, tensor<2x4xi64>, tensor<4xi8>) -> tensor<4x4xi8>
  check.expect_eq_const %3, dense<[[0, 1, 4, 0], [1, 2, 2, 1], [2, 0, 1, 2], [3, 1, 2, 0]]> : tensor<4x4xi8>
  return
}

func.func @scatter_add_implicit_vector_i8() {
  %0 = stablehlo.constant dense<[0, 1, 2, 0, 1, 2]> : tensor<6xi8>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<6xi8>, tensor<4xi64>, tensor<4xi8>) -> tensor<6xi8>
  check.expect_eq_const %3, dense<[2, 1, 2, 7, 1, 3]> : tensor<6xi8>
  return
}

func.func @scatter_maximum_implicit_vector_i8() {
  %0 = stablehlo.constant dense<[0, 1, 2, 0, 1, 2]> : tensor<6xi8>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<6xi8>, tensor<4xi64>, tensor<4xi8>) -> tensor<6xi8>
  check.expect_eq_const %3, dense<[2, 1, 2, 4, 1, 2]> : tensor<6xi8>
  return
}

func.func @scatter_add_batching_i8() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 0], [1, 2]], [[0, 1], [2, 0], [1, 2]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0, 1], [2, 0]], [[1, 2], [0, 1]]]> : tensor<2x2x2xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<2x2x1xi64>, tensor<2x2x2xi8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %3, dense<[[[0, 2], [2, 0], [3, 2]], [[0, 2], [2, 0], [1, 2]]]> : tensor<2x3x2xi8>
  return
}

func.func @scatter_maximum_batching_i8() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 0], [1, 2]], [[0, 1], [2, 0], [1, 2]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0, 1], [2, 0]], [[1, 2], [0, 1]]]> : tensor<2x2x2xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<2x2x1xi64>, tensor<2x2x2xi8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %3, dense<[[[0, 1], [2, 0], [2, 2]], [[0, 1], [2, 0], [1, 2]]]> : tensor<2x3x2xi8>
  return
}

func.func @scatter_add_none_i8() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<3xi8>, tensor<0x1xi64>, tensor<0xi8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[0, 1, 2]> : tensor<3xi8>
  return
}

func.func @scatter_maximum_none_i8() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xi8>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<3xi8>, tensor<0x1xi64>, tensor<0xi8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[0, 1, 2]> : tensor<3xi8>
  return
}

func.func @scatter_add_rows_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]> : tensor<4x3xi64>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1, 2, 0], [1, 2, 0], [1, 2, 0], [1, 2, 0], [1, 2, 0]]> : tensor<5x3xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4x3xi64>, tensor<5x1xi64>, tensor<5x3xi64>) -> tensor<4x3xi64>
  check.expect_eq_const %3, dense<[[2, 5, 2], [0, 1, 2], [0, 1, 2], [1, 3, 2]]> : tensor<4x3xi64>
  return
}

func.func @scatter_maximum_rows_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]> : tensor<4x3xi64>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1, 2, 0], [1, 2, 0], [1, 2, 0], [1, 2, 0], [1, 2, 0]]> : tensor<5x3xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4x3xi64>, tensor<5x1xi64>, tensor<5x3xi64>) -> tensor<4x3xi64>
  check.expect_eq_const %3, dense<[[1, 2, 2], [0, 1, 2], [0, 1, 2], [1, 2, 2]]> : tensor<4x3xi64>
  return
}

func.func @scatter_add_windows_i64() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]]]> : tensor<3x4x2xi64>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]]], [[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]]]]> : tensor<2x3x2x2xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> tensor<3x4x2xi64>
  check.expect_eq_const %3, dense<[[[0, 1], [4, 7], [0, 3], [2, 3]], [[0, 2], [4, 3], [2, 1], [3, 5]], [[0, 2], [4, 3], [0, 1], [2, 3]]]> : tensor<3x4x2xi64>
  return
}

func.func @scatter_maximum_windows_i64() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]]]> : tensor<3x4x2xi64>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]]], [[[0, 1], [2, 0]], [[1, 2], [0, 1]], [[2, 0], [1, 2]]]]> : tensor<2x3x2x2xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> tensor<3x4x2xi64>
  check.expect_eq_const %3, dense<[[[0, 1], [2, 3], [0, 1], [2, 3]], [[0, 1], [2, 3], [2, 1], [2, 3]], [[0, 1], [2, 3], [0, 1], [2, 3]]]> : tensor<3x4x2xi64>
  return
}

func.func @scatter_add_scalars_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2], [0, 1, 2, 0]]> : tensor<4x4xi64>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4x4xi64>, tensor<2x4xi64>, tensor<4xi64>) -> tensor<4x4xi64>
  check.expect_eq_const %3, dense<[[0, 1, 7, 0], [1, 2, 2, 1], [2, 0, 1, 2], [3, 1, 2, 0]]> : tensor<4x4xi64>
  return
}

func.func @scatter_maximum_scalars_i64() {
  %0 = stablehlo.constant dense<[[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2], [0, 1, 2, 0]]> : tensor<4x4xi64>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4x4xi64>, tensor<2x4xi64>, tensor<4xi64>) -> tensor<4x4xi64>
  check.expect_eq_const %3, dense<[[0, 1, 4, 0], [1, 2, 2, 1], [2, 0, 1, 2], [3, 1, 2, 0]]> : tensor<4x4xi64>
  return
}

func.func @scatter_add_implicit_vector_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2, 0, 1, 2]> : tensor<6xi64>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<6xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<6xi64>
  check.expect_eq_const %3, dense<[2, 1, 2, 7, 1, 3]> : tensor<6xi64>
  return
}

func.func @scatter_maximum_implicit_vector_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2, 0, 1, 2]> : tensor<6xi64>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<6xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<6xi64>
  check.expect_eq_const %3, dense<[2, 1, 2, 4, 1, 2]> : tensor<6xi64>
  return
}

func.func @scatter_add_batching_i64() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 0], [1, 2]], [[0, 1], [2, 0], [1, 2]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0, 1], [2, 0]], [[1, 2], [0, 1]]]> : tensor<2x2x2xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<2x2x1xi64>, tensor<2x2x2xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %3, dense<[[[0, 2], [2, 0], [3, 2]], [[0, 2], [2, 0], [1, 2]]]> : tensor<2x3x2xi64>
  return
}

func.func @scatter_maximum_batching_i64() {
  %0 = stablehlo.constant dense<[[[0, 1], [2, 0], [1, 2]], [[0, 1], [2, 0], [1, 2]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0, 1], [2, 0]], [[1, 2], [0, 1]]]> : tensor<2x2x2xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<2x2x1xi64>, tensor<2x2x2xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %3, dense<[[[0, 1], [2, 0], [2, 2]], [[0, 1], [2, 0], [1, 2]]]> : tensor<2x3x2xi64>
  return
}

func.func @scatter_add_none_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<3xi64>, tensor<0x1xi64>, tensor<0xi64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[0, 1, 2]> : tensor<3xi64>
  return
}

func.func @scatter_maximum_none_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xi64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<3xi64>, tensor<0x1xi64>, tensor<0xi64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[0, 1, 2]> : tensor<3xi64>
  return
}

func.func @scatter_add_rows_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf64>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x3xf64>, tensor<5x1xi64>, tensor<5x3xf64>) -> tensor<4x3xf64>
  check.expect_eq_const %3, dense<[[2.0, 5.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]]> : tensor<4x3xf64>
  return
}

func.func @scatter_maximum_rows_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf64>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x3xf64>, tensor<5x1xi64>, tensor<5x3xf64>) -> tensor<4x3xf64>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 2.0, 2.0]]> : tensor<4x3xf64>
  return
}

func.func @scatter_add_windows_f64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf64>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<3x4x2xf64>, tensor<2x3x2xi64>, tensor<2x3x2x2xf64>) -> tensor<3x4x2xf64>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [4.0, 7.0], [0.0, 3.0], [2.0, 3.0]], [[0.0, 2.0], [4.0, 3.0], [2.0, 1.0], [3.0, 5.0]], [[0.0, 2.0], [4.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf64>
  return
}

func.func @scatter_maximum_windows_f64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf64>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<3x4x2xf64>, tensor<2x3x2xi64>, tensor<2x3x2x2xf64>) -> tensor<3x4x2xf64>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [2.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf64>
  return
}

func.func @scatter_add_scalars_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf64>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<2x4xi64>, tensor<4xf64>) -> tensor<4x4xf64>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 7.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf64>
  return
}

func.func @scatter_maximum_scalars_f64() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf64>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<2x4xi64>, tensor<4xf64>) -> tensor<4x4xf64>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 4.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf64>
  return
}

func.func @scatter_add_implicit_vector_f64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xf64>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<6xf64>, tensor<4xi64>, tensor<4xf64>) -> tensor<6xf64>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 7.0, 1.0, 3.0]> : tensor<6xf64>
  return
}

func.func @scatter_maximum_implicit_vector_f64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xf64>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<6xf64>, tensor<4xi64>, tensor<4xf64>) -> tensor<6xf64>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 4.0, 1.0, 2.0]> : tensor<6xf64>
  return
}

func.func @scatter_add_batching_f64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf64>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<2x2x1xi64>, tensor<2x2x2xf64>) -> tensor<2x3x2xf64>
  check.expect_eq_const %3, dense<[[[0.0, 2.0], [2.0, 0.0], [3.0, 2.0]], [[0.0, 2.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf64>
  return
}

func.func @scatter_maximum_batching_f64() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf64>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<2x2x1xi64>, tensor<2x2x2xf64>) -> tensor<2x3x2xf64>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 0.0], [2.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf64>
  return
}

func.func @scatter_add_none_f64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<3xf64>, tensor<0x1xi64>, tensor<0xf64>) -> tensor<3xf64>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  return
}

func.func @scatter_maximum_none_f64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xf64>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<3xf64>, tensor<0x1xi64>, tensor<0xf64>) -> tensor<3xf64>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  return
}

func.func @scatter_add_rows_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf32>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<5x1xi64>, tensor<5x3xf32>) -> tensor<4x3xf32>
  check.expect_eq_const %3, dense<[[2.0, 5.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]]> : tensor<4x3xf32>
  return
}

func.func @scatter_maximum_rows_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf32>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<5x1xi64>, tensor<5x3xf32>) -> tensor<4x3xf32>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 2.0, 2.0]]> : tensor<4x3xf32>
  return
}

func.func @scatter_add_windows_f32() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf32>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [4.0, 7.0], [0.0, 3.0], [2.0, 3.0]], [[0.0, 2.0], [4.0, 3.0], [2.0, 1.0], [3.0, 5.0]], [[0.0, 2.0], [4.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf32>
  return
}

func.func @scatter_maximum_windows_f32() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf32>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [2.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf32>
  return
}

func.func @scatter_add_scalars_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf32>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x4xi64>, tensor<4xf32>) -> tensor<4x4xf32>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 7.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf32>
  return
}

func.func @scatter_maximum_scalars_f32() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf32>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x4xi64>, tensor<4xf32>) -> tensor<4x4xf32>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 4.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf32>
  return
}

func.func @scatter_add_implicit_vector_f32() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xf32>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<6xf32>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 7.0, 1.0, 3.0]> : tensor<6xf32>
  return
}

func.func @scatter_maximum_implicit_vector_f32() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xf32>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<6xf32>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 4.0, 1.0, 2.0]> : tensor<6xf32>
  return
}

func.func @scatter_add_batching_f32() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<2x2x1xi64>, tensor<2x2x2xf32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %3, dense<[[[0.0, 2.0], [2.0, 0.0], [3.0, 2.0]], [[0.0, 2.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @scatter_maximum_batching_f32() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<2x2x1xi64>, tensor<2x2x2xf32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 0.0], [2.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @scatter_add_none_f32() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>, tensor<0x1xi64>, tensor<0xf32>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  return
}

func.func @scatter_maximum_none_f32() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>, tensor<0x1xi64>, tensor<0xf32>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  return
}

func.func @scatter_add_rows_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xbf16>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x3xbf16>, tensor<5x1xi64>, tensor<5x3xbf16>) -> tensor<4x3xbf16>
  check.expect_eq_const %3, dense<[[2.0, 5.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]]> : tensor<4x3xbf16>
  return
}

func.func @scatter_maximum_rows_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xbf16>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x3xbf16>, tensor<5x1xi64>, tensor<5x3xbf16>) -> tensor<4x3xbf16>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 2.0, 2.0]]> : tensor<4x3xbf16>
  return
}

func.func @scatter_add_windows_bf16() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xbf16>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<3x4x2xbf16>, tensor<2x3x2xi64>, tensor<2x3x2x2xbf16>) -> tensor<3x4x2xbf16>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [4.0, 7.0], [0.0, 3.0], [2.0, 3.0]], [[0.0, 2.0], [4.0, 3.0], [2.0, 1.0], [3.0, 5.0]], [[0.0, 2.0], [4.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xbf16>
  return
}

func.func @scatter_maximum_windows_bf16() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xbf16>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<3x4x2xbf16>, tensor<2x3x2xi64>, tensor<2x3x2x2xbf16>) -> tensor<3x4x2xbf16>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [2.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xbf16>
  return
}

func.func @scatter_add_scalars_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xbf16>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x4xbf16>, tensor<2x4xi64>, tensor<4xbf16>) -> tensor<4x4xbf16>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 7.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xbf16>
  return
}

func.func @scatter_maximum_scalars_bf16() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xbf16>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x4xbf16>, tensor<2x4xi64>, tensor<4xbf16>) -> tensor<4x4xbf16>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 4.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xbf16>
  return
}

func.func @scatter_add_implicit_vector_bf16() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xbf16>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<6xbf16>, tensor<4xi64>, tensor<4xbf16>) -> tensor<6xbf16>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 7.0, 1.0, 3.0]> : tensor<6xbf16>
  return
}

func.func @scatter_maximum_implicit_vector_bf16() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xbf16>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<6xbf16>, tensor<4xi64>, tensor<4xbf16>) -> tensor<6xbf16>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 4.0, 1.0, 2.0]> : tensor<6xbf16>
  return
}

func.func @scatter_add_batching_bf16() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<2x2x1xi64>, tensor<2x2x2xbf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %3, dense<[[[0.0, 2.0], [2.0, 0.0], [3.0, 2.0]], [[0.0, 2.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xbf16>
  return
}

func.func @scatter_maximum_batching_bf16() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<2x2x1xi64>, tensor<2x2x2xbf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 0.0], [2.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xbf16>
  return
}

func.func @scatter_add_none_bf16() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<3xbf16>, tensor<0x1xi64>, tensor<0xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  return
}

func.func @scatter_maximum_none_bf16() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xbf16>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<3xbf16>, tensor<0x1xi64>, tensor<0xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  return
}

func.func @scatter_add_rows_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<4x3xf8E4M3FNUZ>, tensor<5x1xi64>, tensor<5x3xf8E4M3FNUZ>) -> tensor<4x3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[2.0, 5.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]]> : tensor<4x3xf8E4M3FNUZ>
  return
}

func.func @scatter_maximum_rows_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<4x3xf8E4M3FNUZ>, tensor<5x1xi64>, tensor<5x3xf8E4M3FNUZ>) -> tensor<4x3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 2.0, 2.0]]> : tensor<4x3xf8E4M3FNUZ>
  return
}

func.func @scatter_add_windows_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<3x4x2xf8E4M3FNUZ>, tensor<2x3x2xi64>, tensor<2x3x2x2xf8E4M3FNUZ>) -> tensor<3x4x2xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [4.0, 7.0], [0.0, 3.0], [2.0, 3.0]], [[0.0, 2.0], [4.0, 3.0], [2.0, 1.0], [3.0, 5.0]], [[0.0, 2.0], [4.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf8E4M3FNUZ>
  return
}

func.func @scatter_maximum_windows_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<3x4x2xf8E4M3FNUZ>, tensor<2x3x2xi64>, tensor<2x3x2x2xf8E4M3FNUZ>) -> tensor<3x4x2xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [2.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf8E4M3FNUZ>
  return
}

func.func @scatter_add_scalars_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<4x4xf8E4M3FNUZ>, tensor<2x4xi64>, tensor<4xf8E4M3FNUZ>) -> tensor<4x4xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 7.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf8E4M3FNUZ>
  return
}

func.func @scatter_maximum_scalars_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<4x4xf8E4M3FNUZ>, tensor<2x4xi64>, tensor<4xf8E4M3FNUZ>) -> tensor<4x4xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 4.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf8E4M3FNUZ>
  return
}

func.func @scatter_add_implicit_vector_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<6xf8E4M3FNUZ>, tensor<4xi64>, tensor<4xf8E4M3FNUZ>) -> tensor<6xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 7.0, 1.0, 3.0]> : tensor<6xf8E4M3FNUZ>
  return
}

func.func @scatter_maximum_implicit_vector_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<6xf8E4M3FNUZ>, tensor<4xi64>, tensor<4xf8E4M3FNUZ>) -> tensor<6xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 4.0, 1.0, 2.0]> : tensor<6xf8E4M3FNUZ>
  return
}

func.func @scatter_add_batching_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<2x2x1xi64>, tensor<2x2x2xf8E4M3FNUZ>) -> tensor<2x3x2xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[[0.0, 2.0], [2.0, 0.0], [3.0, 2.0]], [[0.0, 2.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  return
}

func.func @scatter_maximum_batching_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<2x2x1xi64>, tensor<2x2x2xf8E4M3FNUZ>) -> tensor<2x3x2xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 0.0], [2.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  return
}

func.func @scatter_add_none_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<3xf8E4M3FNUZ>, tensor<0x1xi64>, tensor<0xf8E4M3FNUZ>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  return
}

func.func @scatter_maximum_none_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xf8E4M3FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<3xf8E4M3FNUZ>, tensor<0x1xi64>, tensor<0xf8E4M3FNUZ>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  return
}

func.func @scatter_add_rows_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<4x3xf8E5M2FNUZ>, tensor<5x1xi64>, tensor<5x3xf8E5M2FNUZ>) -> tensor<4x3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[2.0, 5.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]]> : tensor<4x3xf8E5M2FNUZ>
  return
}

func.func @scatter_maximum_rows_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[3], [0], [4], [-1], [0]]> : tensor<5x1xi64>
  %2 = stablehlo.constant dense<[[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]> : tensor<5x3xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<4x3xf8E5M2FNUZ>, tensor<5x1xi64>, tensor<5x3xf8E5M2FNUZ>) -> tensor<4x3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[1.0, 2.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, 2.0, 2.0]]> : tensor<4x3xf8E5M2FNUZ>
  return
}

func.func @scatter_add_windows_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<3x4x2xf8E5M2FNUZ>, tensor<2x3x2xi64>, tensor<2x3x2x2xf8E5M2FNUZ>) -> tensor<3x4x2xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [4.0, 7.0], [0.0, 3.0], [2.0, 3.0]], [[0.0, 2.0], [4.0, 3.0], [2.0, 1.0], [3.0, 5.0]], [[0.0, 2.0], [4.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf8E5M2FNUZ>
  return
}

func.func @scatter_maximum_windows_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %2 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]], [[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 2.0]]]]> : tensor<2x3x2x2xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<3x4x2xf8E5M2FNUZ>, tensor<2x3x2xi64>, tensor<2x3x2x2xf8E5M2FNUZ>) -> tensor<3x4x2xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [2.0, 1.0], [2.0, 3.0]], [[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]]> : tensor<3x4x2xf8E5M2FNUZ>
  return
}

func.func @scatter_add_scalars_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<4x4xf8E5M2FNUZ>, tensor<2x4xi64>, tensor<4xf8E5M2FNUZ>) -> tensor<4x4xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 7.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf8E5M2FNUZ>
  return
}

func.func @scatter_maximum_scalars_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [2.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[0, 1, 3, 0], [2, 2, 0, 2]]> : tensor<2x4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<4x4xf8E5M2FNUZ>, tensor<2x4xi64>, tensor<4xf8E5M2FNUZ>) -> tensor<4x4xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[0.0, 1.0, 4.0, 0.0], [1.0, 2.0, 2.0, 1.0], [2.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0]]> : tensor<4x4xf8E5M2FNUZ>
  return
}

func.func @scatter_add_implicit_vector_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<6xf8E5M2FNUZ>, tensor<4xi64>, tensor<4xf8E5M2FNUZ>) -> tensor<6xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 7.0, 1.0, 3.0]> : tensor<6xf8E5M2FNUZ>
  return
}

func.func @scatter_maximum_implicit_vector_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]> : tensor<6xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[5, 0, 3, 3]> : tensor<4xi64>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<6xf8E5M2FNUZ>, tensor<4xi64>, tensor<4xf8E5M2FNUZ>) -> tensor<6xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[2.0, 1.0, 2.0, 4.0, 1.0, 2.0]> : tensor<6xf8E5M2FNUZ>
  return
}

func.func @scatter_add_batching_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<2x2x1xi64>, tensor<2x2x2xf8E5M2FNUZ>) -> tensor<2x3x2xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[[0.0, 2.0], [2.0, 0.0], [3.0, 2.0]], [[0.0, 2.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  return
}

func.func @scatter_maximum_batching_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[0], [2]], [[9], [0]]]> : tensor<2x2x1xi64>
  %2 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 0.0]], [[1.0, 2.0], [0.0, 1.0]]]> : tensor<2x2x2xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<2x2x1xi64>, tensor<2x2x2xf8E5M2FNUZ>) -> tensor<2x3x2xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[[0.0, 1.0], [2.0, 0.0], [2.0, 2.0]], [[0.0, 1.0], [2.0, 0.0], [1.0, 2.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  return
}

func.func @scatter_add_none_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<3xf8E5M2FNUZ>, tensor<0x1xi64>, tensor<0xf8E5M2FNUZ>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  return
}

func.func @scatter_maximum_none_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<> : tensor<0x1xi64>
  %2 = stablehlo.constant dense<> : tensor<0xf8E5M2FNUZ>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<3xf8E5M2FNUZ>, tensor<0x1xi64>, tensor<0xf8E5M2FNUZ>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  return
}

func.func @scatter_of_two() {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %2 = stablehlo.constant dense<[[1], [3], [1]]> : tensor<3x1xi32>
  %3 = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %4 = stablehlo.constant dense<[0.5, 0.25, 4.0]> : tensor<3xf32>
  %5:2 = "stablehlo.scatter"(%0, %1, %2, %3, %4) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<f32>, %s: tensor<i32>, %t: tensor<f32>):
    %x = stablehlo.add %p, %s : tensor<i32>
    %y = stablehlo.multiply %q, %t : tensor<f32>
    stablehlo.return %x, %y : tensor<i32>, tensor<f32>
  }) : (tensor<3xi32>, tensor<3xf32>, tensor<3x1xi32>, tensor<3xi32>, tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  check.expect_eq_const %5#0, dense<[1, 42, 3]> : tensor<3xi32>
  check.expect_eq_const %5#1, dense<[1.0, 4.0, 3.0]> : tensor<3xf32>
  return
}
