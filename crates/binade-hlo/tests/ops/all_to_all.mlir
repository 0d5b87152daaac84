// all_to_all: what the specification says of it, over element types and edges.

func.func private @all_to_all_replicas_1_0_i8_process(%x: tensor<2x4xi8>) -> tensor<4x2xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xi8>) -> tensor<4x2xi8>
  return %r : tensor<4x2xi8>
}

func.func @all_to_all_replicas_1_0_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_0_i8_process], [@all_to_all_replicas_1_0_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<4x2xi8>, tensor<4x2xi8>)
  check.expect_eq_const %2#0, dense<[[-2, 1], [3, -1], [2, 4], [3, -2]]> : tensor<4x2xi8>
  check.expect_eq_const %2#1, dense<[[-1, 2], [4, 0], [-2, 0], [-1, 1]]> : tensor<4x2xi8>
  return
}

func.func private @all_to_all_replicas_0_1_i8_process(%x: tensor<2x4xi8>) -> tensor<1x8xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xi8>) -> tensor<1x8xi8>
  return %r : tensor<1x8xi8>
}

func.func @all_to_all_replicas_0_1_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_0_1_i8_process], [@all_to_all_replicas_0_1_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<1x8xi8>, tensor<1x8xi8>)
  check.expect_eq_const %2#0, dense<[[4, 0, 3, -1, -1, 1, 3, -2]]> : tensor<1x8xi8>
  check.expect_eq_const %2#1, dense<[[-1, 2, -2, 1, -2, 0, 2, 4]]> : tensor<1x8xi8>
  return
}

func.func private @all_to_all_replicas_1_1_i8_process(%x: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

func.func @all_to_all_replicas_1_1_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_1_i8_process], [@all_to_all_replicas_1_1_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>)
  check.expect_eq_const %2#0, dense<[[-2, 1, 2, 4], [3, -1, 3, -2]]> : tensor<2x4xi8>
  check.expect_eq_const %2#1, dense<[[-1, 2, -2, 0], [4, 0, -1, 1]]> : tensor<2x4xi8>
  return
}

func.func private @all_to_all_columns_1_0_i8_process(%x: tensor<2x4xi8>) -> tensor<4x2xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xi8>) -> tensor<4x2xi8>
  return %r : tensor<4x2xi8>
}

func.func @all_to_all_columns_1_0_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2 = stablehlo.constant dense<[[0, 4, 1, -2], [2, -1, 3, 0]]> : tensor<2x4xi8>
  %3 = stablehlo.constant dense<[[1, -1, 4, 2], [0, -2, 3, 1]]> : tensor<2x4xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_0_i8_process, @all_to_all_columns_1_0_i8_process], [@all_to_all_columns_1_0_i8_process, @all_to_all_columns_1_0_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>)
  check.expect_eq_const %4#0, dense<[[-2, 0], [-1, 1], [0, 4], [2, -1]]> : tensor<4x2xi8>
  check.expect_eq_const %4#1, dense<[[-1, 2], [4, 0], [1, -1], [0, -2]]> : tensor<4x2xi8>
  check.expect_eq_const %4#2, dense<[[2, 4], [3, -2], [1, -2], [3, 0]]> : tensor<4x2xi8>
  check.expect_eq_const %4#3, dense<[[-2, 1], [3, -1], [4, 2], [3, 1]]> : tensor<4x2xi8>
  return
}

func.func private @all_to_all_columns_0_1_i8_process(%x: tensor<2x4xi8>) -> tensor<1x8xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xi8>) -> tensor<1x8xi8>
  return %r : tensor<1x8xi8>
}

func.func @all_to_all_columns_0_1_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2 = stablehlo.constant dense<[[0, 4, 1, -2], [2, -1, 3, 0]]> : tensor<2x4xi8>
  %3 = stablehlo.constant dense<[[1, -1, 4, 2], [0, -2, 3, 1]]> : tensor<2x4xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_0_1_i8_process, @all_to_all_columns_0_1_i8_process], [@all_to_all_columns_0_1_i8_process, @all_to_all_columns_0_1_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<1x8xi8>, tensor<1x8xi8>, tensor<1x8xi8>, tensor<1x8xi8>)
  check.expect_eq_const %4#0, dense<[[-2, 0, 2, 4, 0, 4, 1, -2]]> : tensor<1x8xi8>
  check.expect_eq_const %4#1, dense<[[-1, 2, -2, 1, 1, -1, 4, 2]]> : tensor<1x8xi8>
  check.expect_eq_const %4#2, dense<[[-1, 1, 3, -2, 2, -1, 3, 0]]> : tensor<1x8xi8>
  check.expect_eq_const %4#3, dense<[[4, 0, 3, -1, 0, -2, 3, 1]]> : tensor<1x8xi8>
  return
}

func.func private @all_to_all_columns_1_1_i8_process(%x: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

func.func @all_to_all_columns_1_1_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2 = stablehlo.constant dense<[[0, 4, 1, -2], [2, -1, 3, 0]]> : tensor<2x4xi8>
  %3 = stablehlo.constant dense<[[1, -1, 4, 2], [0, -2, 3, 1]]> : tensor<2x4xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_1_i8_process, @all_to_all_columns_1_1_i8_process], [@all_to_all_columns_1_1_i8_process, @all_to_all_columns_1_1_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>)
  check.expect_eq_const %4#0, dense<[[-2, 0, 0, 4], [-1, 1, 2, -1]]> : tensor<2x4xi8>
  check.expect_eq_const %4#1, dense<[[-1, 2, 1, -1], [4, 0, 0, -2]]> : tensor<2x4xi8>
  check.expect_eq_const %4#2, dense<[[2, 4, 1, -2], [3, -2, 3, 0]]> : tensor<2x4xi8>
  check.expect_eq_const %4#3, dense<[[-2, 1, 4, 2], [3, -1, 3, 1]]> : tensor<2x4xi8>
  return
}

func.func private @all_to_all_partitions_1_0_i8_process(%x: tensor<2x4xi8>) -> tensor<4x2xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xi8>) -> tensor<4x2xi8>
  return %r : tensor<4x2xi8>
}

func.func @all_to_all_partitions_1_0_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_0_i8_process, @all_to_all_partitions_1_0_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<4x2xi8>, tensor<4x2xi8>)
  check.expect_eq_const %2#0, dense<[[-2, 0], [-1, 1], [-1, 2], [4, 0]]> : tensor<4x2xi8>
  check.expect_eq_const %2#1, dense<[[2, 4], [3, -2], [-2, 1], [3, -1]]> : tensor<4x2xi8>
  return
}

func.func private @all_to_all_partitions_0_1_i8_process(%x: tensor<2x4xi8>) -> tensor<1x8xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xi8>) -> tensor<1x8xi8>
  return %r : tensor<1x8xi8>
}

func.func @all_to_all_partitions_0_1_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_0_1_i8_process, @all_to_all_partitions_0_1_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<1x8xi8>, tensor<1x8xi8>)
  check.expect_eq_const %2#0, dense<[[-2, 0, 2, 4, -1, 2, -2, 1]]> : tensor<1x8xi8>
  check.expect_eq_const %2#1, dense<[[-1, 1, 3, -2, 4, 0, 3, -1]]> : tensor<1x8xi8>
  return
}

func.func private @all_to_all_partitions_1_1_i8_process(%x: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

func.func @all_to_all_partitions_1_1_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_1_i8_process, @all_to_all_partitions_1_1_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>)
  check.expect_eq_const %2#0, dense<[[-2, 0, -1, 2], [-1, 1, 4, 0]]> : tensor<2x4xi8>
  check.expect_eq_const %2#1, dense<[[2, 4, -2, 1], [3, -2, 3, -1]]> : tensor<2x4xi8>
  return
}

func.func private @all_to_all_rows_1_0_i8_process(%x: tensor<2x4xi8>) -> tensor<4x2xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xi8>) -> tensor<4x2xi8>
  return %r : tensor<4x2xi8>
}

func.func @all_to_all_rows_1_0_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2 = stablehlo.constant dense<[[0, 4, 1, -2], [2, -1, 3, 0]]> : tensor<2x4xi8>
  %3 = stablehlo.constant dense<[[1, -1, 4, 2], [0, -2, 3, 1]]> : tensor<2x4xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_0_i8_process, @all_to_all_rows_1_0_i8_process], [@all_to_all_rows_1_0_i8_process, @all_to_all_rows_1_0_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>)
  check.expect_eq_const %4#0, dense<[[-2, 1], [3, -1], [2, 4], [3, -2]]> : tensor<4x2xi8>
  check.expect_eq_const %4#1, dense<[[-1, 2], [4, 0], [-2, 0], [-1, 1]]> : tensor<4x2xi8>
  check.expect_eq_const %4#2, dense<[[4, 2], [3, 1], [1, -2], [3, 0]]> : tensor<4x2xi8>
  check.expect_eq_const %4#3, dense<[[1, -1], [0, -2], [0, 4], [2, -1]]> : tensor<4x2xi8>
  return
}

func.func private @all_to_all_rows_0_1_i8_process(%x: tensor<2x4xi8>) -> tensor<1x8xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xi8>) -> tensor<1x8xi8>
  return %r : tensor<1x8xi8>
}

func.func @all_to_all_rows_0_1_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2 = stablehlo.constant dense<[[0, 4, 1, -2], [2, -1, 3, 0]]> : tensor<2x4xi8>
  %3 = stablehlo.constant dense<[[1, -1, 4, 2], [0, -2, 3, 1]]> : tensor<2x4xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_0_1_i8_process, @all_to_all_rows_0_1_i8_process], [@all_to_all_rows_0_1_i8_process, @all_to_all_rows_0_1_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<1x8xi8>, tensor<1x8xi8>, tensor<1x8xi8>, tensor<1x8xi8>)
  check.expect_eq_const %4#0, dense<[[4, 0, 3, -1, -1, 1, 3, -2]]> : tensor<1x8xi8>
  check.expect_eq_const %4#1, dense<[[-1, 2, -2, 1, -2, 0, 2, 4]]> : tensor<1x8xi8>
  check.expect_eq_const %4#2, dense<[[0, -2, 3, 1, 2, -1, 3, 0]]> : tensor<1x8xi8>
  check.expect_eq_const %4#3, dense<[[1, -1, 4, 2, 0, 4, 1, -2]]> : tensor<1x8xi8>
  return
}

func.func private @all_to_all_rows_1_1_i8_process(%x: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

func.func @all_to_all_rows_1_1_i8() {
  %0 = stablehlo.constant dense<[[-2, 0, 2, 4], [-1, 1, 3, -2]]> : tensor<2x4xi8>
  %1 = stablehlo.constant dense<[[-1, 2, -2, 1], [4, 0, 3, -1]]> : tensor<2x4xi8>
  %2 = stablehlo.constant dense<[[0, 4, 1, -2], [2, -1, 3, 0]]> : tensor<2x4xi8>
  %3 = stablehlo.constant dense<[[1, -1, 4, 2], [0, -2, 3, 1]]> : tensor<2x4xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_1_i8_process, @all_to_all_rows_1_1_i8_process], [@all_to_all_rows_1_1_i8_process, @all_to_all_rows_1_1_i8_process]]}> : (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>)
  check.expect_eq_const %4#0, dense<[[-2, 1, 2, 4], [3, -1, 3, -2]]> : tensor<2x4xi8>
  check.expect_eq_const %4#1, dense<[[-1, 2, -2, 0], [4, 0, -1, 1]]> : tensor<2x4xi8>
  check.expect_eq_const %4#2, dense<[[4, 2, 1, -2], [3, 1, 3, 0]]> : tensor<2x4xi8>
  check.expect_eq_const %4#3, dense<[[1, -1, 0, 4], [0, -2, 2, -1]]> : tensor<2x4xi8>
  return
}

func.func private @all_to_all_replicas_1_0_ui32_process(%x: tensor<2x4xui32>) -> tensor<4x2xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xui32>) -> tensor<4x2xui32>
  return %r : tensor<4x2xui32>
}

func.func @all_to_all_replicas_1_0_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_0_ui32_process], [@all_to_all_replicas_1_0_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<4x2xui32>, tensor<4x2xui32>)
  check.expect_eq_const %2#0, dense<[[0, 3], [5, 1], [4, 6], [5, 0]]> : tensor<4x2xui32>
  check.expect_eq_const %2#1, dense<[[1, 4], [6, 2], [0, 2], [1, 3]]> : tensor<4x2xui32>
  return
}

func.func private @all_to_all_replicas_0_1_ui32_process(%x: tensor<2x4xui32>) -> tensor<1x8xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xui32>) -> tensor<1x8xui32>
  return %r : tensor<1x8xui32>
}

func.func @all_to_all_replicas_0_1_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_0_1_ui32_process], [@all_to_all_replicas_0_1_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<1x8xui32>, tensor<1x8xui32>)
  check.expect_eq_const %2#0, dense<[[6, 2, 5, 1, 1, 3, 5, 0]]> : tensor<1x8xui32>
  check.expect_eq_const %2#1, dense<[[1, 4, 0, 3, 0, 2, 4, 6]]> : tensor<1x8xui32>
  return
}

func.func private @all_to_all_replicas_1_1_ui32_process(%x: tensor<2x4xui32>) -> tensor<2x4xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xui32>) -> tensor<2x4xui32>
  return %r : tensor<2x4xui32>
}

func.func @all_to_all_replicas_1_1_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_1_ui32_process], [@all_to_all_replicas_1_1_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>)
  check.expect_eq_const %2#0, dense<[[0, 3, 4, 6], [5, 1, 5, 0]]> : tensor<2x4xui32>
  check.expect_eq_const %2#1, dense<[[1, 4, 0, 2], [6, 2, 1, 3]]> : tensor<2x4xui32>
  return
}

func.func private @all_to_all_columns_1_0_ui32_process(%x: tensor<2x4xui32>) -> tensor<4x2xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xui32>) -> tensor<4x2xui32>
  return %r : tensor<4x2xui32>
}

func.func @all_to_all_columns_1_0_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2 = stablehlo.constant dense<[[2, 6, 3, 0], [4, 1, 5, 2]]> : tensor<2x4xui32>
  %3 = stablehlo.constant dense<[[3, 1, 6, 4], [2, 0, 5, 3]]> : tensor<2x4xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_0_ui32_process, @all_to_all_columns_1_0_ui32_process], [@all_to_all_columns_1_0_ui32_process, @all_to_all_columns_1_0_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<4x2xui32>, tensor<4x2xui32>, tensor<4x2xui32>, tensor<4x2xui32>)
  check.expect_eq_const %4#0, dense<[[0, 2], [1, 3], [2, 6], [4, 1]]> : tensor<4x2xui32>
  check.expect_eq_const %4#1, dense<[[1, 4], [6, 2], [3, 1], [2, 0]]> : tensor<4x2xui32>
  check.expect_eq_const %4#2, dense<[[4, 6], [5, 0], [3, 0], [5, 2]]> : tensor<4x2xui32>
  check.expect_eq_const %4#3, dense<[[0, 3], [5, 1], [6, 4], [5, 3]]> : tensor<4x2xui32>
  return
}

func.func private @all_to_all_columns_0_1_ui32_process(%x: tensor<2x4xui32>) -> tensor<1x8xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xui32>) -> tensor<1x8xui32>
  return %r : tensor<1x8xui32>
}

func.func @all_to_all_columns_0_1_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2 = stablehlo.constant dense<[[2, 6, 3, 0], [4, 1, 5, 2]]> : tensor<2x4xui32>
  %3 = stablehlo.constant dense<[[3, 1, 6, 4], [2, 0, 5, 3]]> : tensor<2x4xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_0_1_ui32_process, @all_to_all_columns_0_1_ui32_process], [@all_to_all_columns_0_1_ui32_process, @all_to_all_columns_0_1_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<1x8xui32>, tensor<1x8xui32>, tensor<1x8xui32>, tensor<1x8xui32>)
  check.expect_eq_const %4#0, dense<[[0, 2, 4, 6, 2, 6, 3, 0]]> : tensor<1x8xui32>
  check.expect_eq_const %4#1, dense<[[1, 4, 0, 3, 3, 1, 6, 4]]> : tensor<1x8xui32>
  check.expect_eq_const %4#2, dense<[[1, 3, 5, 0, 4, 1, 5, 2]]> : tensor<1x8xui32>
  check.expect_eq_const %4#3, dense<[[6, 2, 5, 1, 2, 0, 5, 3]]> : tensor<1x8xui32>
  return
}

func.func private @all_to_all_columns_1_1_ui32_process(%x: tensor<2x4xui32>) -> tensor<2x4xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xui32>) -> tensor<2x4xui32>
  return %r : tensor<2x4xui32>
}

func.func @all_to_all_columns_1_1_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2 = stablehlo.constant dense<[[2, 6, 3, 0], [4, 1, 5, 2]]> : tensor<2x4xui32>
  %3 = stablehlo.constant dense<[[3, 1, 6, 4], [2, 0, 5, 3]]> : tensor<2x4xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_1_ui32_process, @all_to_all_columns_1_1_ui32_process], [@all_to_all_columns_1_1_ui32_process, @all_to_all_columns_1_1_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>)
  check.expect_eq_const %4#0, dense<[[0, 2, 2, 6], [1, 3, 4, 1]]> : tensor<2x4xui32>
  check.expect_eq_const %4#1, dense<[[1, 4, 3, 1], [6, 2, 2, 0]]> : tensor<2x4xui32>
  check.expect_eq_const %4#2, dense<[[4, 6, 3, 0], [5, 0, 5, 2]]> : tensor<2x4xui32>
  check.expect_eq_const %4#3, dense<[[0, 3, 6, 4], [5, 1, 5, 3]]> : tensor<2x4xui32>
  return
}

func.func private @all_to_all_partitions_1_0_ui32_process(%x: tensor<2x4xui32>) -> tensor<4x2xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xui32>) -> tensor<4x2xui32>
  return %r : tensor<4x2xui32>
}

func.func @all_to_all_partitions_1_0_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_0_ui32_process, @all_to_all_partitions_1_0_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<4x2xui32>, tensor<4x2xui32>)
  check.expect_eq_const %2#0, dense<[[0, 2], [1, 3], [1, 4], [6, 2]]> : tensor<4x2xui32>
  check.expect_eq_const %2#1, dense<[[4, 6], [5, 0], [0, 3], [5, 1]]> : tensor<4x2xui32>
  return
}

func.func private @all_to_all_partitions_0_1_ui32_process(%x: tensor<2x4xui32>) -> tensor<1x8xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xui32>) -> tensor<1x8xui32>
  return %r : tensor<1x8xui32>
}

func.func @all_to_all_partitions_0_1_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_0_1_ui32_process, @all_to_all_partitions_0_1_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<1x8xui32>, tensor<1x8xui32>)
  check.expect_eq_const %2#0, dense<[[0, 2, 4, 6, 1, 4, 0, 3]]> : tensor<1x8xui32>
  check.expect_eq_const %2#1, dense<[[1, 3, 5, 0, 6, 2, 5, 1]]> : tensor<1x8xui32>
  return
}

func.func private @all_to_all_partitions_1_1_ui32_process(%x: tensor<2x4xui32>) -> tensor<2x4xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xui32>) -> tensor<2x4xui32>
  return %r : tensor<2x4xui32>
}

func.func @all_to_all_partitions_1_1_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_1_ui32_process, @all_to_all_partitions_1_1_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>)
  check.expect_eq_const %2#0, dense<[[0, 2, 1, 4], [1, 3, 6, 2]]> : tensor<2x4xui32>
  check.expect_eq_const %2#1, dense<[[4, 6, 0, 3], [5, 0, 5, 1]]> : tensor<2x4xui32>
  return
}

func.func private @all_to_all_rows_1_0_ui32_process(%x: tensor<2x4xui32>) -> tensor<4x2xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xui32>) -> tensor<4x2xui32>
  return %r : tensor<4x2xui32>
}

func.func @all_to_all_rows_1_0_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2 = stablehlo.constant dense<[[2, 6, 3, 0], [4, 1, 5, 2]]> : tensor<2x4xui32>
  %3 = stablehlo.constant dense<[[3, 1, 6, 4], [2, 0, 5, 3]]> : tensor<2x4xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_0_ui32_process, @all_to_all_rows_1_0_ui32_process], [@all_to_all_rows_1_0_ui32_process, @all_to_all_rows_1_0_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<4x2xui32>, tensor<4x2xui32>, tensor<4x2xui32>, tensor<4x2xui32>)
  check.expect_eq_const %4#0, dense<[[0, 3], [5, 1], [4, 6], [5, 0]]> : tensor<4x2xui32>
  check.expect_eq_const %4#1, dense<[[1, 4], [6, 2], [0, 2], [1, 3]]> : tensor<4x2xui32>
  check.expect_eq_const %4#2, dense<[[6, 4], [5, 3], [3, 0], [5, 2]]> : tensor<4x2xui32>
  check.expect_eq_const %4#3, dense<[[3, 1], [2, 0], [2, 6], [4, 1]]> : tensor<4x2xui32>
  return
}

func.func private @all_to_all_rows_0_1_ui32_process(%x: tensor<2x4xui32>) -> tensor<1x8xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xui32>) -> tensor<1x8xui32>
  return %r : tensor<1x8xui32>
}

func.func @all_to_all_rows_0_1_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2 = stablehlo.constant dense<[[2, 6, 3, 0], [4, 1, 5, 2]]> : tensor<2x4xui32>
  %3 = stablehlo.constant dense<[[3, 1, 6, 4], [2, 0, 5, 3]]> : tensor<2x4xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_0_1_ui32_process, @all_to_all_rows_0_1_ui32_process], [@all_to_all_rows_0_1_ui32_process, @all_to_all_rows_0_1_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<1x8xui32>, tensor<1x8xui32>, tensor<1x8xui32>, tensor<1x8xui32>)
  check.expect_eq_const %4#0, dense<[[6, 2, 5, 1, 1, 3, 5, 0]]> : tensor<1x8xui32>
  check.expect_eq_const %4#1, dense<[[1, 4, 0, 3, 0, 2, 4, 6]]> : tensor<1x8xui32>
  check.expect_eq_const %4#2, dense<[[2, 0, 5, 3, 4, 1, 5, 2]]> : tensor<1x8xui32>
  check.expect_eq_const %4#3, dense<[[3, 1, 6, 4, 2, 6, 3, 0]]> : tensor<1x8xui32>
  return
}

func.func private @all_to_all_rows_1_1_ui32_process(%x: tensor<2x4xui32>) -> tensor<2x4xui32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xui32>) -> tensor<2x4xui32>
  return %r : tensor<2x4xui32>
}

func.func @all_to_all_rows_1_1_ui32() {
  %0 = stablehlo.constant dense<[[0, 2, 4, 6], [1, 3, 5, 0]]> : tensor<2x4xui32>
  %1 = stablehlo.constant dense<[[1, 4, 0, 3], [6, 2, 5, 1]]> : tensor<2x4xui32>
  %2 = stablehlo.constant dense<[[2, 6, 3, 0], [4, 1, 5, 2]]> : tensor<2x4xui32>
  %3 = stablehlo.constant dense<[[3, 1, 6, 4], [2, 0, 5, 3]]> : tensor<2x4xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_1_ui32_process, @all_to_all_rows_1_1_ui32_process], [@all_to_all_rows_1_1_ui32_process, @all_to_all_rows_1_1_ui32_process]]}> : (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>)
  check.expect_eq_const %4#0, dense<[[0, 3, 4, 6], [5, 1, 5, 0]]> : tensor<2x4xui32>
  check.expect_eq_const %4#1, dense<[[1, 4, 0, 2], [6, 2, 1, 3]]> : tensor<2x4xui32>
  check.expect_eq_const %4#2, dense<[[6, 4, 3, 0], [5, 3, 5, 2]]> : tensor<2x4xui32>
  check.expect_eq_const %4#3, dense<[[3, 1, 2, 6], [2, 0, 4, 1]]> : tensor<2x4xui32>
  return
}

func.func private @all_to_all_replicas_1_0_f32_process(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

func.func @all_to_all_replicas_1_0_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_0_f32_process], [@all_to_all_replicas_1_0_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>)
  check.expect_eq_const %2#0, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, 4.0], [3.0, -2.0]]> : tensor<4x2xf32>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0], [4.0, 0.0], [-2.0, 0.0], [-1.0, 1.0]]> : tensor<4x2xf32>
  return
}

func.func private @all_to_all_replicas_0_1_f32_process(%x: tensor<2x4xf32>) -> tensor<1x8xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

func.func @all_to_all_replicas_0_1_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_0_1_f32_process], [@all_to_all_replicas_0_1_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>)
  check.expect_eq_const %2#0, dense<[[4.0, 0.0, 3.0, -1.0, -1.0, 1.0, 3.0, -2.0]]> : tensor<1x8xf32>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 1.0, -2.0, 0.0, 2.0, 4.0]]> : tensor<1x8xf32>
  return
}

func.func private @all_to_all_replicas_1_1_f32_process(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @all_to_all_replicas_1_1_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_1_f32_process], [@all_to_all_replicas_1_1_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %2#0, dense<[[-2.0, 1.0, 2.0, 4.0], [3.0, -1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 0.0], [4.0, 0.0, -1.0, 1.0]]> : tensor<2x4xf32>
  return
}

func.func private @all_to_all_columns_1_0_f32_process(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

func.func @all_to_all_columns_1_0_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_0_f32_process, @all_to_all_columns_1_0_f32_process], [@all_to_all_columns_1_0_f32_process, @all_to_all_columns_1_0_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0], [-1.0, 1.0], [0.0, 4.0], [2.0, -1.0]]> : tensor<4x2xf32>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0], [4.0, 0.0], [1.0, -1.0], [0.0, -2.0]]> : tensor<4x2xf32>
  check.expect_eq_const %4#2, dense<[[2.0, 4.0], [3.0, -2.0], [1.0, -2.0], [3.0, 0.0]]> : tensor<4x2xf32>
  check.expect_eq_const %4#3, dense<[[-2.0, 1.0], [3.0, -1.0], [4.0, 2.0], [3.0, 1.0]]> : tensor<4x2xf32>
  return
}

func.func private @all_to_all_columns_0_1_f32_process(%x: tensor<2x4xf32>) -> tensor<1x8xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

func.func @all_to_all_columns_0_1_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_0_1_f32_process, @all_to_all_columns_0_1_f32_process], [@all_to_all_columns_0_1_f32_process, @all_to_all_columns_0_1_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 2.0, 4.0, 0.0, 4.0, 1.0, -2.0]]> : tensor<1x8xf32>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 1.0, 1.0, -1.0, 4.0, 2.0]]> : tensor<1x8xf32>
  check.expect_eq_const %4#2, dense<[[-1.0, 1.0, 3.0, -2.0, 2.0, -1.0, 3.0, 0.0]]> : tensor<1x8xf32>
  check.expect_eq_const %4#3, dense<[[4.0, 0.0, 3.0, -1.0, 0.0, -2.0, 3.0, 1.0]]> : tensor<1x8xf32>
  return
}

func.func private @all_to_all_columns_1_1_f32_process(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @all_to_all_columns_1_1_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_1_f32_process, @all_to_all_columns_1_1_f32_process], [@all_to_all_columns_1_1_f32_process, @all_to_all_columns_1_1_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0], [-1.0, 1.0, 2.0, -1.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, 1.0, -1.0], [4.0, 0.0, 0.0, -2.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#2, dense<[[2.0, 4.0, 1.0, -2.0], [3.0, -2.0, 3.0, 0.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#3, dense<[[-2.0, 1.0, 4.0, 2.0], [3.0, -1.0, 3.0, 1.0]]> : tensor<2x4xf32>
  return
}

func.func private @all_to_all_partitions_1_0_f32_process(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

func.func @all_to_all_partitions_1_0_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_0_f32_process, @all_to_all_partitions_1_0_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0], [-1.0, 1.0], [-1.0, 2.0], [4.0, 0.0]]> : tensor<4x2xf32>
  check.expect_eq_const %2#1, dense<[[2.0, 4.0], [3.0, -2.0], [-2.0, 1.0], [3.0, -1.0]]> : tensor<4x2xf32>
  return
}

func.func private @all_to_all_partitions_0_1_f32_process(%x: tensor<2x4xf32>) -> tensor<1x8xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

func.func @all_to_all_partitions_0_1_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_0_1_f32_process, @all_to_all_partitions_0_1_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0, 2.0, 4.0, -1.0, 2.0, -2.0, 1.0]]> : tensor<1x8xf32>
  check.expect_eq_const %2#1, dense<[[-1.0, 1.0, 3.0, -2.0, 4.0, 0.0, 3.0, -1.0]]> : tensor<1x8xf32>
  return
}

func.func private @all_to_all_partitions_1_1_f32_process(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @all_to_all_partitions_1_1_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_1_f32_process, @all_to_all_partitions_1_1_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0, -1.0, 2.0], [-1.0, 1.0, 4.0, 0.0]]> : tensor<2x4xf32>
  check.expect_eq_const %2#1, dense<[[2.0, 4.0, -2.0, 1.0], [3.0, -2.0, 3.0, -1.0]]> : tensor<2x4xf32>
  return
}

func.func private @all_to_all_rows_1_0_f32_process(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

func.func @all_to_all_rows_1_0_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_0_f32_process, @all_to_all_rows_1_0_f32_process], [@all_to_all_rows_1_0_f32_process, @all_to_all_rows_1_0_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
  check.expect_eq_const %4#0, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, 4.0], [3.0, -2.0]]> : tensor<4x2xf32>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0], [4.0, 0.0], [-2.0, 0.0], [-1.0, 1.0]]> : tensor<4x2xf32>
  check.expect_eq_const %4#2, dense<[[4.0, 2.0], [3.0, 1.0], [1.0, -2.0], [3.0, 0.0]]> : tensor<4x2xf32>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0], [0.0, -2.0], [0.0, 4.0], [2.0, -1.0]]> : tensor<4x2xf32>
  return
}

func.func private @all_to_all_rows_0_1_f32_process(%x: tensor<2x4xf32>) -> tensor<1x8xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

func.func @all_to_all_rows_0_1_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_0_1_f32_process, @all_to_all_rows_0_1_f32_process], [@all_to_all_rows_0_1_f32_process, @all_to_all_rows_0_1_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>)
  check.expect_eq_const %4#0, dense<[[4.0, 0.0, 3.0, -1.0, -1.0, 1.0, 3.0, -2.0]]> : tensor<1x8xf32>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 1.0, -2.0, 0.0, 2.0, 4.0]]> : tensor<1x8xf32>
  check.expect_eq_const %4#2, dense<[[0.0, -2.0, 3.0, 1.0, 2.0, -1.0, 3.0, 0.0]]> : tensor<1x8xf32>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, 4.0, 2.0, 0.0, 4.0, 1.0, -2.0]]> : tensor<1x8xf32>
  return
}

func.func private @all_to_all_rows_1_1_f32_process(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @all_to_all_rows_1_1_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_1_f32_process, @all_to_all_rows_1_1_f32_process], [@all_to_all_rows_1_1_f32_process, @all_to_all_rows_1_1_f32_process]]}> : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %4#0, dense<[[-2.0, 1.0, 2.0, 4.0], [3.0, -1.0, 3.0, -2.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 0.0], [4.0, 0.0, -1.0, 1.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#2, dense<[[4.0, 2.0, 1.0, -2.0], [3.0, 1.0, 3.0, 0.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, 0.0, 4.0], [0.0, -2.0, 2.0, -1.0]]> : tensor<2x4xf32>
  return
}

func.func private @all_to_all_replicas_1_0_bf16_process(%x: tensor<2x4xbf16>) -> tensor<4x2xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xbf16>) -> tensor<4x2xbf16>
  return %r : tensor<4x2xbf16>
}

func.func @all_to_all_replicas_1_0_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_0_bf16_process], [@all_to_all_replicas_1_0_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<4x2xbf16>, tensor<4x2xbf16>)
  check.expect_eq_const %2#0, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, 4.0], [3.0, -2.0]]> : tensor<4x2xbf16>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0], [4.0, 0.0], [-2.0, 0.0], [-1.0, 1.0]]> : tensor<4x2xbf16>
  return
}

func.func private @all_to_all_replicas_0_1_bf16_process(%x: tensor<2x4xbf16>) -> tensor<1x8xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xbf16>) -> tensor<1x8xbf16>
  return %r : tensor<1x8xbf16>
}

func.func @all_to_all_replicas_0_1_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_0_1_bf16_process], [@all_to_all_replicas_0_1_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<1x8xbf16>, tensor<1x8xbf16>)
  check.expect_eq_const %2#0, dense<[[4.0, 0.0, 3.0, -1.0, -1.0, 1.0, 3.0, -2.0]]> : tensor<1x8xbf16>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 1.0, -2.0, 0.0, 2.0, 4.0]]> : tensor<1x8xbf16>
  return
}

func.func private @all_to_all_replicas_1_1_bf16_process(%x: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

func.func @all_to_all_replicas_1_1_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_1_bf16_process], [@all_to_all_replicas_1_1_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>)
  check.expect_eq_const %2#0, dense<[[-2.0, 1.0, 2.0, 4.0], [3.0, -1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 0.0], [4.0, 0.0, -1.0, 1.0]]> : tensor<2x4xbf16>
  return
}

func.func private @all_to_all_columns_1_0_bf16_process(%x: tensor<2x4xbf16>) -> tensor<4x2xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xbf16>) -> tensor<4x2xbf16>
  return %r : tensor<4x2xbf16>
}

func.func @all_to_all_columns_1_0_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_0_bf16_process, @all_to_all_columns_1_0_bf16_process], [@all_to_all_columns_1_0_bf16_process, @all_to_all_columns_1_0_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<4x2xbf16>, tensor<4x2xbf16>, tensor<4x2xbf16>, tensor<4x2xbf16>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0], [-1.0, 1.0], [0.0, 4.0], [2.0, -1.0]]> : tensor<4x2xbf16>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0], [4.0, 0.0], [1.0, -1.0], [0.0, -2.0]]> : tensor<4x2xbf16>
  check.expect_eq_const %4#2, dense<[[2.0, 4.0], [3.0, -2.0], [1.0, -2.0], [3.0, 0.0]]> : tensor<4x2xbf16>
  check.expect_eq_const %4#3, dense<[[-2.0, 1.0], [3.0, -1.0], [4.0, 2.0], [3.0, 1.0]]> : tensor<4x2xbf16>
  return
}

func.func private @all_to_all_columns_0_1_bf16_process(%x: tensor<2x4xbf16>) -> tensor<1x8xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xbf16>) -> tensor<1x8xbf16>
  return %r : tensor<1x8xbf16>
}

func.func @all_to_all_columns_0_1_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_0_1_bf16_process, @all_to_all_columns_0_1_bf16_process], [@all_to_all_columns_0_1_bf16_process, @all_to_all_columns_0_1_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<1x8xbf16>, tensor<1x8xbf16>, tensor<1x8xbf16>, tensor<1x8xbf16>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 2.0, 4.0, 0.0, 4.0, 1.0, -2.0]]> : tensor<1x8xbf16>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 1.0, 1.0, -1.0, 4.0, 2.0]]> : tensor<1x8xbf16>
  check.expect_eq_const %4#2, dense<[[-1.0, 1.0, 3.0, -2.0, 2.0, -1.0, 3.0, 0.0]]> : tensor<1x8xbf16>
  check.expect_eq_const %4#3, dense<[[4.0, 0.0, 3.0, -1.0, 0.0, -2.0, 3.0, 1.0]]> : tensor<1x8xbf16>
  return
}

func.func private @all_to_all_columns_1_1_bf16_process(%x: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

func.func @all_to_all_columns_1_1_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_1_bf16_process, @all_to_all_columns_1_1_bf16_process], [@all_to_all_columns_1_1_bf16_process, @all_to_all_columns_1_1_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0], [-1.0, 1.0, 2.0, -1.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, 1.0, -1.0], [4.0, 0.0, 0.0, -2.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#2, dense<[[2.0, 4.0, 1.0, -2.0], [3.0, -2.0, 3.0, 0.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#3, dense<[[-2.0, 1.0, 4.0, 2.0], [3.0, -1.0, 3.0, 1.0]]> : tensor<2x4xbf16>
  return
}

func.func private @all_to_all_partitions_1_0_bf16_process(%x: tensor<2x4xbf16>) -> tensor<4x2xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xbf16>) -> tensor<4x2xbf16>
  return %r : tensor<4x2xbf16>
}

func.func @all_to_all_partitions_1_0_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_0_bf16_process, @all_to_all_partitions_1_0_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<4x2xbf16>, tensor<4x2xbf16>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0], [-1.0, 1.0], [-1.0, 2.0], [4.0, 0.0]]> : tensor<4x2xbf16>
  check.expect_eq_const %2#1, dense<[[2.0, 4.0], [3.0, -2.0], [-2.0, 1.0], [3.0, -1.0]]> : tensor<4x2xbf16>
  return
}

func.func private @all_to_all_partitions_0_1_bf16_process(%x: tensor<2x4xbf16>) -> tensor<1x8xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xbf16>) -> tensor<1x8xbf16>
  return %r : tensor<1x8xbf16>
}

func.func @all_to_all_partitions_0_1_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_0_1_bf16_process, @all_to_all_partitions_0_1_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<1x8xbf16>, tensor<1x8xbf16>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0, 2.0, 4.0, -1.0, 2.0, -2.0, 1.0]]> : tensor<1x8xbf16>
  check.expect_eq_const %2#1, dense<[[-1.0, 1.0, 3.0, -2.0, 4.0, 0.0, 3.0, -1.0]]> : tensor<1x8xbf16>
  return
}

func.func private @all_to_all_partitions_1_1_bf16_process(%x: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

func.func @all_to_all_partitions_1_1_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_1_bf16_process, @all_to_all_partitions_1_1_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0, -1.0, 2.0], [-1.0, 1.0, 4.0, 0.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %2#1, dense<[[2.0, 4.0, -2.0, 1.0], [3.0, -2.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  return
}

func.func private @all_to_all_rows_1_0_bf16_process(%x: tensor<2x4xbf16>) -> tensor<4x2xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xbf16>) -> tensor<4x2xbf16>
  return %r : tensor<4x2xbf16>
}

func.func @all_to_all_rows_1_0_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_0_bf16_process, @all_to_all_rows_1_0_bf16_process], [@all_to_all_rows_1_0_bf16_process, @all_to_all_rows_1_0_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<4x2xbf16>, tensor<4x2xbf16>, tensor<4x2xbf16>, tensor<4x2xbf16>)
  check.expect_eq_const %4#0, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, 4.0], [3.0, -2.0]]> : tensor<4x2xbf16>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0], [4.0, 0.0], [-2.0, 0.0], [-1.0, 1.0]]> : tensor<4x2xbf16>
  check.expect_eq_const %4#2, dense<[[4.0, 2.0], [3.0, 1.0], [1.0, -2.0], [3.0, 0.0]]> : tensor<4x2xbf16>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0], [0.0, -2.0], [0.0, 4.0], [2.0, -1.0]]> : tensor<4x2xbf16>
  return
}

func.func private @all_to_all_rows_0_1_bf16_process(%x: tensor<2x4xbf16>) -> tensor<1x8xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xbf16>) -> tensor<1x8xbf16>
  return %r : tensor<1x8xbf16>
}

func.func @all_to_all_rows_0_1_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_0_1_bf16_process, @all_to_all_rows_0_1_bf16_process], [@all_to_all_rows_0_1_bf16_process, @all_to_all_rows_0_1_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<1x8xbf16>, tensor<1x8xbf16>, tensor<1x8xbf16>, tensor<1x8xbf16>)
  check.expect_eq_const %4#0, dense<[[4.0, 0.0, 3.0, -1.0, -1.0, 1.0, 3.0, -2.0]]> : tensor<1x8xbf16>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 1.0, -2.0, 0.0, 2.0, 4.0]]> : tensor<1x8xbf16>
  check.expect_eq_const %4#2, dense<[[0.0, -2.0, 3.0, 1.0, 2.0, -1.0, 3.0, 0.0]]> : tensor<1x8xbf16>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, 4.0, 2.0, 0.0, 4.0, 1.0, -2.0]]> : tensor<1x8xbf16>
  return
}

func.func private @all_to_all_rows_1_1_bf16_process(%x: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

func.func @all_to_all_rows_1_1_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_1_bf16_process, @all_to_all_rows_1_1_bf16_process], [@all_to_all_rows_1_1_bf16_process, @all_to_all_rows_1_1_bf16_process]]}> : (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>)
  check.expect_eq_const %4#0, dense<[[-2.0, 1.0, 2.0, 4.0], [3.0, -1.0, 3.0, -2.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 0.0], [4.0, 0.0, -1.0, 1.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#2, dense<[[4.0, 2.0, 1.0, -2.0], [3.0, 1.0, 3.0, 0.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, 0.0, 4.0], [0.0, -2.0, 2.0, -1.0]]> : tensor<2x4xbf16>
  return
}

func.func private @all_to_all_replicas_1_0_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<4x2xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<4x2xf8E4M3FNUZ>
  return %r : tensor<4x2xf8E4M3FNUZ>
}

func.func @all_to_all_replicas_1_0_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_0_f8E4M3FNUZ_process], [@all_to_all_replicas_1_0_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<4x2xf8E4M3FNUZ>, tensor<4x2xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, 4.0], [3.0, -2.0]]> : tensor<4x2xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0], [4.0, 0.0], [-2.0, 0.0], [-1.0, 1.0]]> : tensor<4x2xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_replicas_0_1_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<1x8xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<1x8xf8E4M3FNUZ>
  return %r : tensor<1x8xf8E4M3FNUZ>
}

func.func @all_to_all_replicas_0_1_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_0_1_f8E4M3FNUZ_process], [@all_to_all_replicas_0_1_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<1x8xf8E4M3FNUZ>, tensor<1x8xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[4.0, 0.0, 3.0, -1.0, -1.0, 1.0, 3.0, -2.0]]> : tensor<1x8xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 1.0, -2.0, 0.0, 2.0, 4.0]]> : tensor<1x8xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_replicas_1_1_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  return %r : tensor<2x4xf8E4M3FNUZ>
}

func.func @all_to_all_replicas_1_1_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_1_f8E4M3FNUZ_process], [@all_to_all_replicas_1_1_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 1.0, 2.0, 4.0], [3.0, -1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 0.0], [4.0, 0.0, -1.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_columns_1_0_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<4x2xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<4x2xf8E4M3FNUZ>
  return %r : tensor<4x2xf8E4M3FNUZ>
}

func.func @all_to_all_columns_1_0_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_0_f8E4M3FNUZ_process, @all_to_all_columns_1_0_f8E4M3FNUZ_process], [@all_to_all_columns_1_0_f8E4M3FNUZ_process, @all_to_all_columns_1_0_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<4x2xf8E4M3FNUZ>, tensor<4x2xf8E4M3FNUZ>, tensor<4x2xf8E4M3FNUZ>, tensor<4x2xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0], [-1.0, 1.0], [0.0, 4.0], [2.0, -1.0]]> : tensor<4x2xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0], [4.0, 0.0], [1.0, -1.0], [0.0, -2.0]]> : tensor<4x2xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[2.0, 4.0], [3.0, -2.0], [1.0, -2.0], [3.0, 0.0]]> : tensor<4x2xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[-2.0, 1.0], [3.0, -1.0], [4.0, 2.0], [3.0, 1.0]]> : tensor<4x2xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_columns_0_1_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<1x8xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<1x8xf8E4M3FNUZ>
  return %r : tensor<1x8xf8E4M3FNUZ>
}

func.func @all_to_all_columns_0_1_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_0_1_f8E4M3FNUZ_process, @all_to_all_columns_0_1_f8E4M3FNUZ_process], [@all_to_all_columns_0_1_f8E4M3FNUZ_process, @all_to_all_columns_0_1_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<1x8xf8E4M3FNUZ>, tensor<1x8xf8E4M3FNUZ>, tensor<1x8xf8E4M3FNUZ>, tensor<1x8xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 2.0, 4.0, 0.0, 4.0, 1.0, -2.0]]> : tensor<1x8xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 1.0, 1.0, -1.0, 4.0, 2.0]]> : tensor<1x8xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[-1.0, 1.0, 3.0, -2.0, 2.0, -1.0, 3.0, 0.0]]> : tensor<1x8xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[4.0, 0.0, 3.0, -1.0, 0.0, -2.0, 3.0, 1.0]]> : tensor<1x8xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_columns_1_1_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  return %r : tensor<2x4xf8E4M3FNUZ>
}

func.func @all_to_all_columns_1_1_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_1_f8E4M3FNUZ_process, @all_to_all_columns_1_1_f8E4M3FNUZ_process], [@all_to_all_columns_1_1_f8E4M3FNUZ_process, @all_to_all_columns_1_1_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0], [-1.0, 1.0, 2.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, 1.0, -1.0], [4.0, 0.0, 0.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[2.0, 4.0, 1.0, -2.0], [3.0, -2.0, 3.0, 0.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[-2.0, 1.0, 4.0, 2.0], [3.0, -1.0, 3.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_partitions_1_0_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<4x2xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<4x2xf8E4M3FNUZ>
  return %r : tensor<4x2xf8E4M3FNUZ>
}

func.func @all_to_all_partitions_1_0_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_0_f8E4M3FNUZ_process, @all_to_all_partitions_1_0_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<4x2xf8E4M3FNUZ>, tensor<4x2xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0], [-1.0, 1.0], [-1.0, 2.0], [4.0, 0.0]]> : tensor<4x2xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[[2.0, 4.0], [3.0, -2.0], [-2.0, 1.0], [3.0, -1.0]]> : tensor<4x2xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_partitions_0_1_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<1x8xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<1x8xf8E4M3FNUZ>
  return %r : tensor<1x8xf8E4M3FNUZ>
}

func.func @all_to_all_partitions_0_1_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_0_1_f8E4M3FNUZ_process, @all_to_all_partitions_0_1_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<1x8xf8E4M3FNUZ>, tensor<1x8xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0, 2.0, 4.0, -1.0, 2.0, -2.0, 1.0]]> : tensor<1x8xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 1.0, 3.0, -2.0, 4.0, 0.0, 3.0, -1.0]]> : tensor<1x8xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_partitions_1_1_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  return %r : tensor<2x4xf8E4M3FNUZ>
}

func.func @all_to_all_partitions_1_1_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_1_f8E4M3FNUZ_process, @all_to_all_partitions_1_1_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0, -1.0, 2.0], [-1.0, 1.0, 4.0, 0.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[[2.0, 4.0, -2.0, 1.0], [3.0, -2.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_rows_1_0_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<4x2xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<4x2xf8E4M3FNUZ>
  return %r : tensor<4x2xf8E4M3FNUZ>
}

func.func @all_to_all_rows_1_0_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_0_f8E4M3FNUZ_process, @all_to_all_rows_1_0_f8E4M3FNUZ_process], [@all_to_all_rows_1_0_f8E4M3FNUZ_process, @all_to_all_rows_1_0_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<4x2xf8E4M3FNUZ>, tensor<4x2xf8E4M3FNUZ>, tensor<4x2xf8E4M3FNUZ>, tensor<4x2xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, 4.0], [3.0, -2.0]]> : tensor<4x2xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0], [4.0, 0.0], [-2.0, 0.0], [-1.0, 1.0]]> : tensor<4x2xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[4.0, 2.0], [3.0, 1.0], [1.0, -2.0], [3.0, 0.0]]> : tensor<4x2xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0], [0.0, -2.0], [0.0, 4.0], [2.0, -1.0]]> : tensor<4x2xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_rows_0_1_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<1x8xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<1x8xf8E4M3FNUZ>
  return %r : tensor<1x8xf8E4M3FNUZ>
}

func.func @all_to_all_rows_0_1_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_0_1_f8E4M3FNUZ_process, @all_to_all_rows_0_1_f8E4M3FNUZ_process], [@all_to_all_rows_0_1_f8E4M3FNUZ_process, @all_to_all_rows_0_1_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<1x8xf8E4M3FNUZ>, tensor<1x8xf8E4M3FNUZ>, tensor<1x8xf8E4M3FNUZ>, tensor<1x8xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[4.0, 0.0, 3.0, -1.0, -1.0, 1.0, 3.0, -2.0]]> : tensor<1x8xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 1.0, -2.0, 0.0, 2.0, 4.0]]> : tensor<1x8xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[0.0, -2.0, 3.0, 1.0, 2.0, -1.0, 3.0, 0.0]]> : tensor<1x8xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, 4.0, 2.0, 0.0, 4.0, 1.0, -2.0]]> : tensor<1x8xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_rows_1_1_f8E4M3FNUZ_process(%x: tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  return %r : tensor<2x4xf8E4M3FNUZ>
}

func.func @all_to_all_rows_1_1_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_1_f8E4M3FNUZ_process, @all_to_all_rows_1_1_f8E4M3FNUZ_process], [@all_to_all_rows_1_1_f8E4M3FNUZ_process, @all_to_all_rows_1_1_f8E4M3FNUZ_process]]}> : (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>) -> (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 1.0, 2.0, 4.0], [3.0, -1.0, 3.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 0.0], [4.0, 0.0, -1.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[4.0, 2.0, 1.0, -2.0], [3.0, 1.0, 3.0, 0.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, 0.0, 4.0], [0.0, -2.0, 2.0, -1.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func private @all_to_all_replicas_1_0_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<4x2xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<4x2xf8E5M2FNUZ>
  return %r : tensor<4x2xf8E5M2FNUZ>
}

func.func @all_to_all_replicas_1_0_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_0_f8E5M2FNUZ_process], [@all_to_all_replicas_1_0_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<4x2xf8E5M2FNUZ>, tensor<4x2xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, 4.0], [3.0, -2.0]]> : tensor<4x2xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0], [4.0, 0.0], [-2.0, 0.0], [-1.0, 1.0]]> : tensor<4x2xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_replicas_0_1_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<1x8xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<1x8xf8E5M2FNUZ>
  return %r : tensor<1x8xf8E5M2FNUZ>
}

func.func @all_to_all_replicas_0_1_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_0_1_f8E5M2FNUZ_process], [@all_to_all_replicas_0_1_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<1x8xf8E5M2FNUZ>, tensor<1x8xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[[4.0, 0.0, 3.0, -1.0, -1.0, 1.0, 3.0, -2.0]]> : tensor<1x8xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 1.0, -2.0, 0.0, 2.0, 4.0]]> : tensor<1x8xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_replicas_1_1_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  return %r : tensor<2x4xf8E5M2FNUZ>
}

func.func @all_to_all_replicas_1_1_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_replicas_1_1_f8E5M2FNUZ_process], [@all_to_all_replicas_1_1_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 1.0, 2.0, 4.0], [3.0, -1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 0.0], [4.0, 0.0, -1.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_columns_1_0_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<4x2xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<4x2xf8E5M2FNUZ>
  return %r : tensor<4x2xf8E5M2FNUZ>
}

func.func @all_to_all_columns_1_0_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_0_f8E5M2FNUZ_process, @all_to_all_columns_1_0_f8E5M2FNUZ_process], [@all_to_all_columns_1_0_f8E5M2FNUZ_process, @all_to_all_columns_1_0_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<4x2xf8E5M2FNUZ>, tensor<4x2xf8E5M2FNUZ>, tensor<4x2xf8E5M2FNUZ>, tensor<4x2xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0], [-1.0, 1.0], [0.0, 4.0], [2.0, -1.0]]> : tensor<4x2xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0], [4.0, 0.0], [1.0, -1.0], [0.0, -2.0]]> : tensor<4x2xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[2.0, 4.0], [3.0, -2.0], [1.0, -2.0], [3.0, 0.0]]> : tensor<4x2xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[-2.0, 1.0], [3.0, -1.0], [4.0, 2.0], [3.0, 1.0]]> : tensor<4x2xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_columns_0_1_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<1x8xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<1x8xf8E5M2FNUZ>
  return %r : tensor<1x8xf8E5M2FNUZ>
}

func.func @all_to_all_columns_0_1_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_0_1_f8E5M2FNUZ_process, @all_to_all_columns_0_1_f8E5M2FNUZ_process], [@all_to_all_columns_0_1_f8E5M2FNUZ_process, @all_to_all_columns_0_1_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<1x8xf8E5M2FNUZ>, tensor<1x8xf8E5M2FNUZ>, tensor<1x8xf8E5M2FNUZ>, tensor<1x8xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 2.0, 4.0, 0.0, 4.0, 1.0, -2.0]]> : tensor<1x8xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 1.0, 1.0, -1.0, 4.0, 2.0]]> : tensor<1x8xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[-1.0, 1.0, 3.0, -2.0, 2.0, -1.0, 3.0, 0.0]]> : tensor<1x8xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[4.0, 0.0, 3.0, -1.0, 0.0, -2.0, 3.0, 1.0]]> : tensor<1x8xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_columns_1_1_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  return %r : tensor<2x4xf8E5M2FNUZ>
}

func.func @all_to_all_columns_1_1_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_columns_1_1_f8E5M2FNUZ_process, @all_to_all_columns_1_1_f8E5M2FNUZ_process], [@all_to_all_columns_1_1_f8E5M2FNUZ_process, @all_to_all_columns_1_1_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0], [-1.0, 1.0, 2.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, 1.0, -1.0], [4.0, 0.0, 0.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[2.0, 4.0, 1.0, -2.0], [3.0, -2.0, 3.0, 0.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[-2.0, 1.0, 4.0, 2.0], [3.0, -1.0, 3.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_partitions_1_0_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<4x2xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<4x2xf8E5M2FNUZ>
  return %r : tensor<4x2xf8E5M2FNUZ>
}

func.func @all_to_all_partitions_1_0_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_0_f8E5M2FNUZ_process, @all_to_all_partitions_1_0_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<4x2xf8E5M2FNUZ>, tensor<4x2xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0], [-1.0, 1.0], [-1.0, 2.0], [4.0, 0.0]]> : tensor<4x2xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[[2.0, 4.0], [3.0, -2.0], [-2.0, 1.0], [3.0, -1.0]]> : tensor<4x2xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_partitions_0_1_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<1x8xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<1x8xf8E5M2FNUZ>
  return %r : tensor<1x8xf8E5M2FNUZ>
}

func.func @all_to_all_partitions_0_1_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_0_1_f8E5M2FNUZ_process, @all_to_all_partitions_0_1_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<1x8xf8E5M2FNUZ>, tensor<1x8xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0, 2.0, 4.0, -1.0, 2.0, -2.0, 1.0]]> : tensor<1x8xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 1.0, 3.0, -2.0, 4.0, 0.0, 3.0, -1.0]]> : tensor<1x8xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_partitions_1_1_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  return %r : tensor<2x4xf8E5M2FNUZ>
}

func.func @all_to_all_partitions_1_1_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_to_all_partitions_1_1_f8E5M2FNUZ_process, @all_to_all_partitions_1_1_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[[-2.0, 0.0, -1.0, 2.0], [-1.0, 1.0, 4.0, 0.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[[2.0, 4.0, -2.0, 1.0], [3.0, -2.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_rows_1_0_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<4x2xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<4x2xf8E5M2FNUZ>
  return %r : tensor<4x2xf8E5M2FNUZ>
}

func.func @all_to_all_rows_1_0_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_0_f8E5M2FNUZ_process, @all_to_all_rows_1_0_f8E5M2FNUZ_process], [@all_to_all_rows_1_0_f8E5M2FNUZ_process, @all_to_all_rows_1_0_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<4x2xf8E5M2FNUZ>, tensor<4x2xf8E5M2FNUZ>, tensor<4x2xf8E5M2FNUZ>, tensor<4x2xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 1.0], [3.0, -1.0], [2.0, 4.0], [3.0, -2.0]]> : tensor<4x2xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0], [4.0, 0.0], [-2.0, 0.0], [-1.0, 1.0]]> : tensor<4x2xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[4.0, 2.0], [3.0, 1.0], [1.0, -2.0], [3.0, 0.0]]> : tensor<4x2xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0], [0.0, -2.0], [0.0, 4.0], [2.0, -1.0]]> : tensor<4x2xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_rows_0_1_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<1x8xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<1x8xf8E5M2FNUZ>
  return %r : tensor<1x8xf8E5M2FNUZ>
}

func.func @all_to_all_rows_0_1_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_0_1_f8E5M2FNUZ_process, @all_to_all_rows_0_1_f8E5M2FNUZ_process], [@all_to_all_rows_0_1_f8E5M2FNUZ_process, @all_to_all_rows_0_1_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<1x8xf8E5M2FNUZ>, tensor<1x8xf8E5M2FNUZ>, tensor<1x8xf8E5M2FNUZ>, tensor<1x8xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[4.0, 0.0, 3.0, -1.0, -1.0, 1.0, 3.0, -2.0]]> : tensor<1x8xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 1.0, -2.0, 0.0, 2.0, 4.0]]> : tensor<1x8xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[0.0, -2.0, 3.0, 1.0, 2.0, -1.0, 3.0, 0.0]]> : tensor<1x8xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, 4.0, 2.0, 0.0, 4.0, 1.0, -2.0]]> : tensor<1x8xf8E5M2FNUZ>
  return
}

func.func private @all_to_all_rows_1_1_f8E5M2FNUZ_process(%x: tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  return %r : tensor<2x4xf8E5M2FNUZ>
}

func.func @all_to_all_rows_1_1_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 4.0], [-1.0, 1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0, -2.0, 1.0], [4.0, 0.0, 3.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0, 1.0, -2.0], [2.0, -1.0, 3.0, 0.0]]> : tensor<2x4xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0, 4.0, 2.0], [0.0, -2.0, 3.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_to_all_rows_1_1_f8E5M2FNUZ_process, @all_to_all_rows_1_1_f8E5M2FNUZ_process], [@all_to_all_rows_1_1_f8E5M2FNUZ_process, @all_to_all_rows_1_1_f8E5M2FNUZ_process]]}> : (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>) -> (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 1.0, 2.0, 4.0], [3.0, -1.0, 3.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, -2.0, 0.0], [4.0, 0.0, -1.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[4.0, 2.0, 1.0, -2.0], [3.0, 1.0, 3.0, 0.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, 0.0, 4.0], [0.0, -2.0, 2.0, -1.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}
