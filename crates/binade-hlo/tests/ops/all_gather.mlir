// all_gather: what the specification says of it, over element types and edges.

func.func private @all_gather_replicas_i8_process(%x: tensor<2x2xi8>) -> tensor<2x4xi8> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

func.func @all_gather_replicas_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_gather_replicas_i8_process], [@all_gather_replicas_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>)
  check.expect_eq_const %2#0, dense<[[-1, 2, -2, 0], [-2, 1, 2, 4]]> : tensor<2x4xi8>
  check.expect_eq_const %2#1, dense<[[-1, 2, -2, 0], [-2, 1, 2, 4]]> : tensor<2x4xi8>
  return
}

func.func private @all_gather_two_groups_i8_process(%x: tensor<2x2xi8>) -> tensor<2x4xi8> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : (tensor<2x2xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

func.func @all_gather_two_groups_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_two_groups_i8_process], [@all_gather_two_groups_i8_process], [@all_gather_two_groups_i8_process], [@all_gather_two_groups_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>)
  check.expect_eq_const %4#0, dense<[[-2, 0, 0, 4], [2, 4, 1, -2]]> : tensor<2x4xi8>
  check.expect_eq_const %4#1, dense<[[1, -1, -1, 2], [4, 2, -2, 1]]> : tensor<2x4xi8>
  check.expect_eq_const %4#2, dense<[[-2, 0, 0, 4], [2, 4, 1, -2]]> : tensor<2x4xi8>
  check.expect_eq_const %4#3, dense<[[1, -1, -1, 2], [4, 2, -2, 1]]> : tensor<2x4xi8>
  return
}

func.func private @all_gather_both_i8_process(%x: tensor<2x2xi8>) -> tensor<2x8xi8> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xi8>) -> tensor<2x8xi8>
  return %r : tensor<2x8xi8>
}

func.func @all_gather_both_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_both_i8_process, @all_gather_both_i8_process], [@all_gather_both_i8_process, @all_gather_both_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x8xi8>, tensor<2x8xi8>, tensor<2x8xi8>, tensor<2x8xi8>)
  check.expect_eq_const %4#0, dense<[[-2, 0, 0, 4, -1, 2, 1, -1], [2, 4, 1, -2, -2, 1, 4, 2]]> : tensor<2x8xi8>
  check.expect_eq_const %4#1, dense<[[-2, 0, 0, 4, -1, 2, 1, -1], [2, 4, 1, -2, -2, 1, 4, 2]]> : tensor<2x8xi8>
  check.expect_eq_const %4#2, dense<[[-2, 0, 0, 4, -1, 2, 1, -1], [2, 4, 1, -2, -2, 1, 4, 2]]> : tensor<2x8xi8>
  check.expect_eq_const %4#3, dense<[[-2, 0, 0, 4, -1, 2, 1, -1], [2, 4, 1, -2, -2, 1, 4, 2]]> : tensor<2x8xi8>
  return
}

func.func private @all_gather_each_replica_i8_process(%x: tensor<2x2xi8>) -> tensor<2x4xi8> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

func.func @all_gather_each_replica_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_each_replica_i8_process, @all_gather_each_replica_i8_process], [@all_gather_each_replica_i8_process, @all_gather_each_replica_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>)
  check.expect_eq_const %4#0, dense<[[-2, 0, -1, 2], [2, 4, -2, 1]]> : tensor<2x4xi8>
  check.expect_eq_const %4#1, dense<[[-2, 0, -1, 2], [2, 4, -2, 1]]> : tensor<2x4xi8>
  check.expect_eq_const %4#2, dense<[[0, 4, 1, -1], [1, -2, 4, 2]]> : tensor<2x4xi8>
  check.expect_eq_const %4#3, dense<[[0, 4, 1, -1], [1, -2, 4, 2]]> : tensor<2x4xi8>
  return
}

func.func private @all_gather_ids_i8_process(%x: tensor<2x2xi8>) -> tensor<2x4xi8> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> : (tensor<2x2xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

func.func @all_gather_ids_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_ids_i8_process, @all_gather_ids_i8_process], [@all_gather_ids_i8_process, @all_gather_ids_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>)
  check.expect_eq_const %4#0, dense<[[1, -1, -2, 0], [4, 2, 2, 4]]> : tensor<2x4xi8>
  check.expect_eq_const %4#1, dense<[[-1, 2, 0, 4], [-2, 1, 1, -2]]> : tensor<2x4xi8>
  check.expect_eq_const %4#2, dense<[[-1, 2, 0, 4], [-2, 1, 1, -2]]> : tensor<2x4xi8>
  check.expect_eq_const %4#3, dense<[[1, -1, -2, 0], [4, 2, 2, 4]]> : tensor<2x4xi8>
  return
}

func.func private @all_gather_columns_i8_process(%x: tensor<2x2xi8>) -> tensor<2x4xi8> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xi8>) -> tensor<2x4xi8>
  return %r : tensor<2x4xi8>
}

func.func @all_gather_columns_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_columns_i8_process, @all_gather_columns_i8_process], [@all_gather_columns_i8_process, @all_gather_columns_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>, tensor<2x4xi8>)
  check.expect_eq_const %4#0, dense<[[0, 4, -2, 0], [1, -2, 2, 4]]> : tensor<2x4xi8>
  check.expect_eq_const %4#1, dense<[[1, -1, -1, 2], [4, 2, -2, 1]]> : tensor<2x4xi8>
  check.expect_eq_const %4#2, dense<[[0, 4, -2, 0], [1, -2, 2, 4]]> : tensor<2x4xi8>
  check.expect_eq_const %4#3, dense<[[1, -1, -1, 2], [4, 2, -2, 1]]> : tensor<2x4xi8>
  return
}

func.func private @all_gather_replicas_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x4xui32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xui32>) -> tensor<2x4xui32>
  return %r : tensor<2x4xui32>
}

func.func @all_gather_replicas_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_gather_replicas_ui32_process], [@all_gather_replicas_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>)
  check.expect_eq_const %2#0, dense<[[1, 4, 0, 2], [0, 3, 4, 6]]> : tensor<2x4xui32>
  check.expect_eq_const %2#1, dense<[[1, 4, 0, 2], [0, 3, 4, 6]]> : tensor<2x4xui32>
  return
}

func.func private @all_gather_two_groups_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x4xui32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : (tensor<2x2xui32>) -> tensor<2x4xui32>
  return %r : tensor<2x4xui32>
}

func.func @all_gather_two_groups_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3 = stablehlo.constant dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_two_groups_ui32_process], [@all_gather_two_groups_ui32_process], [@all_gather_two_groups_ui32_process], [@all_gather_two_groups_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>)
  check.expect_eq_const %4#0, dense<[[0, 2, 2, 6], [4, 6, 3, 0]]> : tensor<2x4xui32>
  check.expect_eq_const %4#1, dense<[[3, 1, 1, 4], [6, 4, 0, 3]]> : tensor<2x4xui32>
  check.expect_eq_const %4#2, dense<[[0, 2, 2, 6], [4, 6, 3, 0]]> : tensor<2x4xui32>
  check.expect_eq_const %4#3, dense<[[3, 1, 1, 4], [6, 4, 0, 3]]> : tensor<2x4xui32>
  return
}

func.func private @all_gather_both_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x8xui32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xui32>) -> tensor<2x8xui32>
  return %r : tensor<2x8xui32>
}

func.func @all_gather_both_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3 = stablehlo.constant dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_both_ui32_process, @all_gather_both_ui32_process], [@all_gather_both_ui32_process, @all_gather_both_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x8xui32>, tensor<2x8xui32>, tensor<2x8xui32>, tensor<2x8xui32>)
  check.expect_eq_const %4#0, dense<[[0, 2, 2, 6, 1, 4, 3, 1], [4, 6, 3, 0, 0, 3, 6, 4]]> : tensor<2x8xui32>
  check.expect_eq_const %4#1, dense<[[0, 2, 2, 6, 1, 4, 3, 1], [4, 6, 3, 0, 0, 3, 6, 4]]> : tensor<2x8xui32>
  check.expect_eq_const %4#2, dense<[[0, 2, 2, 6, 1, 4, 3, 1], [4, 6, 3, 0, 0, 3, 6, 4]]> : tensor<2x8xui32>
  check.expect_eq_const %4#3, dense<[[0, 2, 2, 6, 1, 4, 3, 1], [4, 6, 3, 0, 0, 3, 6, 4]]> : tensor<2x8xui32>
  return
}

func.func private @all_gather_each_replica_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x4xui32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xui32>) -> tensor<2x4xui32>
  return %r : tensor<2x4xui32>
}

func.func @all_gather_each_replica_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3 = stablehlo.constant dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_each_replica_ui32_process, @all_gather_each_replica_ui32_process], [@all_gather_each_replica_ui32_process, @all_gather_each_replica_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>)
  check.expect_eq_const %4#0, dense<[[0, 2, 1, 4], [4, 6, 0, 3]]> : tensor<2x4xui32>
  check.expect_eq_const %4#1, dense<[[0, 2, 1, 4], [4, 6, 0, 3]]> : tensor<2x4xui32>
  check.expect_eq_const %4#2, dense<[[2, 6, 3, 1], [3, 0, 6, 4]]> : tensor<2x4xui32>
  check.expect_eq_const %4#3, dense<[[2, 6, 3, 1], [3, 0, 6, 4]]> : tensor<2x4xui32>
  return
}

func.func private @all_gather_ids_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x4xui32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> : (tensor<2x2xui32>) -> tensor<2x4xui32>
  return %r : tensor<2x4xui32>
}

func.func @all_gather_ids_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3 = stablehlo.constant dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_ids_ui32_process, @all_gather_ids_ui32_process], [@all_gather_ids_ui32_process, @all_gather_ids_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>)
  check.expect_eq_const %4#0, dense<[[3, 1, 0, 2], [6, 4, 4, 6]]> : tensor<2x4xui32>
  check.expect_eq_const %4#1, dense<[[1, 4, 2, 6], [0, 3, 3, 0]]> : tensor<2x4xui32>
  check.expect_eq_const %4#2, dense<[[1, 4, 2, 6], [0, 3, 3, 0]]> : tensor<2x4xui32>
  check.expect_eq_const %4#3, dense<[[3, 1, 0, 2], [6, 4, 4, 6]]> : tensor<2x4xui32>
  return
}

func.func private @all_gather_columns_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x4xui32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xui32>) -> tensor<2x4xui32>
  return %r : tensor<2x4xui32>
}

func.func @all_gather_columns_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3 = stablehlo.constant dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_columns_ui32_process, @all_gather_columns_ui32_process], [@all_gather_columns_ui32_process, @all_gather_columns_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>, tensor<2x4xui32>)
  check.expect_eq_const %4#0, dense<[[2, 6, 0, 2], [3, 0, 4, 6]]> : tensor<2x4xui32>
  check.expect_eq_const %4#1, dense<[[3, 1, 1, 4], [6, 4, 0, 3]]> : tensor<2x4xui32>
  check.expect_eq_const %4#2, dense<[[2, 6, 0, 2], [3, 0, 4, 6]]> : tensor<2x4xui32>
  check.expect_eq_const %4#3, dense<[[3, 1, 1, 4], [6, 4, 0, 3]]> : tensor<2x4xui32>
  return
}

func.func private @all_gather_replicas_f32_process(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @all_gather_replicas_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_gather_replicas_f32_process], [@all_gather_replicas_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %2#0, dense<[[-1.0, 2.0, -2.0, 0.0], [-2.0, 1.0, 2.0, 4.0]]> : tensor<2x4xf32>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 0.0], [-2.0, 1.0, 2.0, 4.0]]> : tensor<2x4xf32>
  return
}

func.func private @all_gather_two_groups_f32_process(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @all_gather_two_groups_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_two_groups_f32_process], [@all_gather_two_groups_f32_process], [@all_gather_two_groups_f32_process], [@all_gather_two_groups_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0], [2.0, 4.0, 1.0, -2.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0, 0.0, 4.0], [2.0, 4.0, 1.0, -2.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf32>
  return
}

func.func private @all_gather_both_f32_process(%x: tensor<2x2xf32>) -> tensor<2x8xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

func.func @all_gather_both_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_both_f32_process, @all_gather_both_f32_process], [@all_gather_both_f32_process, @all_gather_both_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf32>
  check.expect_eq_const %4#1, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf32>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf32>
  check.expect_eq_const %4#3, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf32>
  return
}

func.func private @all_gather_each_replica_f32_process(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @all_gather_each_replica_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_each_replica_f32_process, @all_gather_each_replica_f32_process], [@all_gather_each_replica_f32_process, @all_gather_each_replica_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, -1.0, 2.0], [2.0, 4.0, -2.0, 1.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#1, dense<[[-2.0, 0.0, -1.0, 2.0], [2.0, 4.0, -2.0, 1.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#2, dense<[[0.0, 4.0, 1.0, -1.0], [1.0, -2.0, 4.0, 2.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#3, dense<[[0.0, 4.0, 1.0, -1.0], [1.0, -2.0, 4.0, 2.0]]> : tensor<2x4xf32>
  return
}

func.func private @all_gather_ids_f32_process(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @all_gather_ids_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_ids_f32_process, @all_gather_ids_f32_process], [@all_gather_ids_f32_process, @all_gather_ids_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %4#0, dense<[[1.0, -1.0, -2.0, 0.0], [4.0, 2.0, 2.0, 4.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, 0.0, 4.0], [-2.0, 1.0, 1.0, -2.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#2, dense<[[-1.0, 2.0, 0.0, 4.0], [-2.0, 1.0, 1.0, -2.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -2.0, 0.0], [4.0, 2.0, 2.0, 4.0]]> : tensor<2x4xf32>
  return
}

func.func private @all_gather_columns_f32_process(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @all_gather_columns_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_columns_f32_process, @all_gather_columns_f32_process], [@all_gather_columns_f32_process, @all_gather_columns_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
  check.expect_eq_const %4#0, dense<[[0.0, 4.0, -2.0, 0.0], [1.0, -2.0, 2.0, 4.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#2, dense<[[0.0, 4.0, -2.0, 0.0], [1.0, -2.0, 2.0, 4.0]]> : tensor<2x4xf32>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf32>
  return
}

func.func private @all_gather_replicas_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x4xbf16> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

func.func @all_gather_replicas_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_gather_replicas_bf16_process], [@all_gather_replicas_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>)
  check.expect_eq_const %2#0, dense<[[-1.0, 2.0, -2.0, 0.0], [-2.0, 1.0, 2.0, 4.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 0.0], [-2.0, 1.0, 2.0, 4.0]]> : tensor<2x4xbf16>
  return
}

func.func private @all_gather_two_groups_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x4xbf16> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : (tensor<2x2xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

func.func @all_gather_two_groups_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_two_groups_bf16_process], [@all_gather_two_groups_bf16_process], [@all_gather_two_groups_bf16_process], [@all_gather_two_groups_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0], [2.0, 4.0, 1.0, -2.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0, 0.0, 4.0], [2.0, 4.0, 1.0, -2.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xbf16>
  return
}

func.func private @all_gather_both_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x8xbf16> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xbf16>) -> tensor<2x8xbf16>
  return %r : tensor<2x8xbf16>
}

func.func @all_gather_both_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_both_bf16_process, @all_gather_both_bf16_process], [@all_gather_both_bf16_process, @all_gather_both_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x8xbf16>, tensor<2x8xbf16>, tensor<2x8xbf16>, tensor<2x8xbf16>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xbf16>
  check.expect_eq_const %4#1, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xbf16>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xbf16>
  check.expect_eq_const %4#3, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xbf16>
  return
}

func.func private @all_gather_each_replica_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x4xbf16> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

func.func @all_gather_each_replica_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_each_replica_bf16_process, @all_gather_each_replica_bf16_process], [@all_gather_each_replica_bf16_process, @all_gather_each_replica_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, -1.0, 2.0], [2.0, 4.0, -2.0, 1.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#1, dense<[[-2.0, 0.0, -1.0, 2.0], [2.0, 4.0, -2.0, 1.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#2, dense<[[0.0, 4.0, 1.0, -1.0], [1.0, -2.0, 4.0, 2.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#3, dense<[[0.0, 4.0, 1.0, -1.0], [1.0, -2.0, 4.0, 2.0]]> : tensor<2x4xbf16>
  return
}

func.func private @all_gather_ids_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x4xbf16> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> : (tensor<2x2xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

func.func @all_gather_ids_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_ids_bf16_process, @all_gather_ids_bf16_process], [@all_gather_ids_bf16_process, @all_gather_ids_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>)
  check.expect_eq_const %4#0, dense<[[1.0, -1.0, -2.0, 0.0], [4.0, 2.0, 2.0, 4.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, 0.0, 4.0], [-2.0, 1.0, 1.0, -2.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#2, dense<[[-1.0, 2.0, 0.0, 4.0], [-2.0, 1.0, 1.0, -2.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -2.0, 0.0], [4.0, 2.0, 2.0, 4.0]]> : tensor<2x4xbf16>
  return
}

func.func private @all_gather_columns_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x4xbf16> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

func.func @all_gather_columns_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_columns_bf16_process, @all_gather_columns_bf16_process], [@all_gather_columns_bf16_process, @all_gather_columns_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>, tensor<2x4xbf16>)
  check.expect_eq_const %4#0, dense<[[0.0, 4.0, -2.0, 0.0], [1.0, -2.0, 2.0, 4.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#2, dense<[[0.0, 4.0, -2.0, 0.0], [1.0, -2.0, 2.0, 4.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xbf16>
  return
}

func.func private @all_gather_replicas_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  return %r : tensor<2x4xf8E4M3FNUZ>
}

func.func @all_gather_replicas_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_gather_replicas_f8E4M3FNUZ_process], [@all_gather_replicas_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[-1.0, 2.0, -2.0, 0.0], [-2.0, 1.0, 2.0, 4.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 0.0], [-2.0, 1.0, 2.0, 4.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func private @all_gather_two_groups_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  return %r : tensor<2x4xf8E4M3FNUZ>
}

func.func @all_gather_two_groups_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_two_groups_f8E4M3FNUZ_process], [@all_gather_two_groups_f8E4M3FNUZ_process], [@all_gather_two_groups_f8E4M3FNUZ_process], [@all_gather_two_groups_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0], [2.0, 4.0, 1.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0, 0.0, 4.0], [2.0, 4.0, 1.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func private @all_gather_both_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x8xf8E4M3FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x8xf8E4M3FNUZ>
  return %r : tensor<2x8xf8E4M3FNUZ>
}

func.func @all_gather_both_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_both_f8E4M3FNUZ_process, @all_gather_both_f8E4M3FNUZ_process], [@all_gather_both_f8E4M3FNUZ_process, @all_gather_both_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x8xf8E4M3FNUZ>, tensor<2x8xf8E4M3FNUZ>, tensor<2x8xf8E4M3FNUZ>, tensor<2x8xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf8E4M3FNUZ>
  return
}

func.func private @all_gather_each_replica_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  return %r : tensor<2x4xf8E4M3FNUZ>
}

func.func @all_gather_each_replica_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_each_replica_f8E4M3FNUZ_process, @all_gather_each_replica_f8E4M3FNUZ_process], [@all_gather_each_replica_f8E4M3FNUZ_process, @all_gather_each_replica_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, -1.0, 2.0], [2.0, 4.0, -2.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-2.0, 0.0, -1.0, 2.0], [2.0, 4.0, -2.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[0.0, 4.0, 1.0, -1.0], [1.0, -2.0, 4.0, 2.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[0.0, 4.0, 1.0, -1.0], [1.0, -2.0, 4.0, 2.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func private @all_gather_ids_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  return %r : tensor<2x4xf8E4M3FNUZ>
}

func.func @all_gather_ids_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_ids_f8E4M3FNUZ_process, @all_gather_ids_f8E4M3FNUZ_process], [@all_gather_ids_f8E4M3FNUZ_process, @all_gather_ids_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[1.0, -1.0, -2.0, 0.0], [4.0, 2.0, 2.0, 4.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, 0.0, 4.0], [-2.0, 1.0, 1.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[-1.0, 2.0, 0.0, 4.0], [-2.0, 1.0, 1.0, -2.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -2.0, 0.0], [4.0, 2.0, 2.0, 4.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func private @all_gather_columns_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  return %r : tensor<2x4xf8E4M3FNUZ>
}

func.func @all_gather_columns_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_columns_f8E4M3FNUZ_process, @all_gather_columns_f8E4M3FNUZ_process], [@all_gather_columns_f8E4M3FNUZ_process, @all_gather_columns_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>, tensor<2x4xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[0.0, 4.0, -2.0, 0.0], [1.0, -2.0, 2.0, 4.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[0.0, 4.0, -2.0, 0.0], [1.0, -2.0, 2.0, 4.0]]> : tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func private @all_gather_replicas_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  return %r : tensor<2x4xf8E5M2FNUZ>
}

func.func @all_gather_replicas_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@all_gather_replicas_f8E5M2FNUZ_process], [@all_gather_replicas_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[[-1.0, 2.0, -2.0, 0.0], [-2.0, 1.0, 2.0, 4.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[[-1.0, 2.0, -2.0, 0.0], [-2.0, 1.0, 2.0, 4.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func private @all_gather_two_groups_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  return %r : tensor<2x4xf8E5M2FNUZ>
}

func.func @all_gather_two_groups_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_two_groups_f8E5M2FNUZ_process], [@all_gather_two_groups_f8E5M2FNUZ_process], [@all_gather_two_groups_f8E5M2FNUZ_process], [@all_gather_two_groups_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0], [2.0, 4.0, 1.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0, 0.0, 4.0], [2.0, 4.0, 1.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func private @all_gather_both_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x8xf8E5M2FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x8xf8E5M2FNUZ>
  return %r : tensor<2x8xf8E5M2FNUZ>
}

func.func @all_gather_both_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_both_f8E5M2FNUZ_process, @all_gather_both_f8E5M2FNUZ_process], [@all_gather_both_f8E5M2FNUZ_process, @all_gather_both_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x8xf8E5M2FNUZ>, tensor<2x8xf8E5M2FNUZ>, tensor<2x8xf8E5M2FNUZ>, tensor<2x8xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[-2.0, 0.0, 0.0, 4.0, -1.0, 2.0, 1.0, -1.0], [2.0, 4.0, 1.0, -2.0, -2.0, 1.0, 4.0, 2.0]]> : tensor<2x8xf8E5M2FNUZ>
  return
}

func.func private @all_gather_each_replica_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  return %r : tensor<2x4xf8E5M2FNUZ>
}

func.func @all_gather_each_replica_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_each_replica_f8E5M2FNUZ_process, @all_gather_each_replica_f8E5M2FNUZ_process], [@all_gather_each_replica_f8E5M2FNUZ_process, @all_gather_each_replica_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0, 0.0, -1.0, 2.0], [2.0, 4.0, -2.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-2.0, 0.0, -1.0, 2.0], [2.0, 4.0, -2.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[0.0, 4.0, 1.0, -1.0], [1.0, -2.0, 4.0, 2.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[0.0, 4.0, 1.0, -1.0], [1.0, -2.0, 4.0, 2.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func private @all_gather_ids_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  return %r : tensor<2x4xf8E5M2FNUZ>
}

func.func @all_gather_ids_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_ids_f8E5M2FNUZ_process, @all_gather_ids_f8E5M2FNUZ_process], [@all_gather_ids_f8E5M2FNUZ_process, @all_gather_ids_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[1.0, -1.0, -2.0, 0.0], [4.0, 2.0, 2.0, 4.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0, 2.0, 0.0, 4.0], [-2.0, 1.0, 1.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[-1.0, 2.0, 0.0, 4.0], [-2.0, 1.0, 1.0, -2.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -2.0, 0.0], [4.0, 2.0, 2.0, 4.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func private @all_gather_columns_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  return %r : tensor<2x4xf8E5M2FNUZ>
}

func.func @all_gather_columns_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@all_gather_columns_f8E5M2FNUZ_process, @all_gather_columns_f8E5M2FNUZ_process], [@all_gather_columns_f8E5M2FNUZ_process, @all_gather_columns_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>, tensor<2x4xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[0.0, 4.0, -2.0, 0.0], [1.0, -2.0, 2.0, 4.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[0.0, 4.0, -2.0, 0.0], [1.0, -2.0, 2.0, 4.0]]> : tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[1.0, -1.0, -1.0, 2.0], [4.0, 2.0, -2.0, 1.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}
