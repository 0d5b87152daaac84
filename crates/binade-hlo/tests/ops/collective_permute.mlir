// collective_permute: what the specification says of it, over element types and edges.

func.func private @collective_permute_replicas_i8_process(%x: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2x2xi8>) -> tensor<2x2xi8>
  return %r : tensor<2x2xi8>
}

func.func @collective_permute_replicas_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_replicas_i8_process], [@collective_permute_replicas_i8_process], [@collective_permute_replicas_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>)
  check.expect_eq_const %3#0, dense<[[0, 0], [0, 0]]> : tensor<2x2xi8>
  check.expect_eq_const %3#1, dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  check.expect_eq_const %3#2, dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  return
}

func.func private @collective_permute_partitions_i8_process(%x: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[2, 0], [0, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xi8>) -> tensor<2x2xi8>
  return %r : tensor<2x2xi8>
}

func.func @collective_permute_partitions_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_partitions_i8_process, @collective_permute_partitions_i8_process, @collective_permute_partitions_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>)
  check.expect_eq_const %3#0, dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  check.expect_eq_const %3#1, dense<[[0, 0], [0, 0]]> : tensor<2x2xi8>
  check.expect_eq_const %3#2, dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  return
}

func.func private @collective_permute_columns_i8_process(%x: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x2xi8>) -> tensor<2x2xi8>
  return %r : tensor<2x2xi8>
}

func.func @collective_permute_columns_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_columns_i8_process, @collective_permute_columns_i8_process], [@collective_permute_columns_i8_process, @collective_permute_columns_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>)
  check.expect_eq_const %4#0, dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  check.expect_eq_const %4#1, dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  check.expect_eq_const %4#2, dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  check.expect_eq_const %4#3, dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  return
}

func.func private @collective_permute_rows_i8_process(%x: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xi8>) -> tensor<2x2xi8>
  return %r : tensor<2x2xi8>
}

func.func @collective_permute_rows_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_rows_i8_process, @collective_permute_rows_i8_process], [@collective_permute_rows_i8_process, @collective_permute_rows_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>)
  check.expect_eq_const %4#0, dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  check.expect_eq_const %4#1, dense<[[0, 0], [0, 0]]> : tensor<2x2xi8>
  check.expect_eq_const %4#2, dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  check.expect_eq_const %4#3, dense<[[0, 0], [0, 0]]> : tensor<2x2xi8>
  return
}

func.func private @collective_permute_replicas_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x2xui32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2x2xui32>) -> tensor<2x2xui32>
  return %r : tensor<2x2xui32>
}

func.func @collective_permute_replicas_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_replicas_ui32_process], [@collective_permute_replicas_ui32_process], [@collective_permute_replicas_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>)
  check.expect_eq_const %3#0, dense<[[0, 0], [0, 0]]> : tensor<2x2xui32>
  check.expect_eq_const %3#1, dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  check.expect_eq_const %3#2, dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  return
}

func.func private @collective_permute_partitions_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x2xui32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[2, 0], [0, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xui32>) -> tensor<2x2xui32>
  return %r : tensor<2x2xui32>
}

func.func @collective_permute_partitions_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_partitions_ui32_process, @collective_permute_partitions_ui32_process, @collective_permute_partitions_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>)
  check.expect_eq_const %3#0, dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  check.expect_eq_const %3#1, dense<[[0, 0], [0, 0]]> : tensor<2x2xui32>
  check.expect_eq_const %3#2, dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  return
}

func.func private @collective_permute_columns_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x2xui32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x2xui32>) -> tensor<2x2xui32>
  return %r : tensor<2x2xui32>
}

func.func @collective_permute_columns_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3 = stablehlo.constant dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_columns_ui32_process, @collective_permute_columns_ui32_process], [@collective_permute_columns_ui32_process, @collective_permute_columns_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>)
  check.expect_eq_const %4#0, dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  check.expect_eq_const %4#1, dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  check.expect_eq_const %4#2, dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  check.expect_eq_const %4#3, dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  return
}

func.func private @collective_permute_rows_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x2xui32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xui32>) -> tensor<2x2xui32>
  return %r : tensor<2x2xui32>
}

func.func @collective_permute_rows_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3 = stablehlo.constant dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_rows_ui32_process, @collective_permute_rows_ui32_process], [@collective_permute_rows_ui32_process, @collective_permute_rows_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>)
  check.expect_eq_const %4#0, dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  check.expect_eq_const %4#1, dense<[[0, 0], [0, 0]]> : tensor<2x2xui32>
  check.expect_eq_const %4#2, dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  check.expect_eq_const %4#3, dense<[[0, 0], [0, 0]]> : tensor<2x2xui32>
  return
}

func.func private @collective_permute_replicas_f32_process(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @collective_permute_replicas_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_replicas_f32_process], [@collective_permute_replicas_f32_process], [@collective_permute_replicas_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  check.expect_eq_const %3#0, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  check.expect_eq_const %3#1, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  check.expect_eq_const %3#2, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  return
}

func.func private @collective_permute_partitions_f32_process(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[2, 0], [0, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @collective_permute_partitions_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_partitions_f32_process, @collective_permute_partitions_f32_process, @collective_permute_partitions_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  check.expect_eq_const %3#0, dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  check.expect_eq_const %3#1, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  check.expect_eq_const %3#2, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  return
}

func.func private @collective_permute_columns_f32_process(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @collective_permute_columns_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_columns_f32_process, @collective_permute_columns_f32_process], [@collective_permute_columns_f32_process, @collective_permute_columns_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  check.expect_eq_const %4#0, dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  check.expect_eq_const %4#3, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  return
}

func.func private @collective_permute_rows_f32_process(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @collective_permute_rows_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_rows_f32_process, @collective_permute_rows_f32_process], [@collective_permute_rows_f32_process, @collective_permute_rows_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  check.expect_eq_const %4#0, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %4#1, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  check.expect_eq_const %4#2, dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  check.expect_eq_const %4#3, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  return
}

func.func private @collective_permute_replicas_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x2xbf16> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return %r : tensor<2x2xbf16>
}

func.func @collective_permute_replicas_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_replicas_bf16_process], [@collective_permute_replicas_bf16_process], [@collective_permute_replicas_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>)
  check.expect_eq_const %3#0, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %3#1, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %3#2, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  return
}

func.func private @collective_permute_partitions_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x2xbf16> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[2, 0], [0, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return %r : tensor<2x2xbf16>
}

func.func @collective_permute_partitions_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_partitions_bf16_process, @collective_permute_partitions_bf16_process, @collective_permute_partitions_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>)
  check.expect_eq_const %3#0, dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %3#1, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %3#2, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  return
}

func.func private @collective_permute_columns_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x2xbf16> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return %r : tensor<2x2xbf16>
}

func.func @collective_permute_columns_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_columns_bf16_process, @collective_permute_columns_bf16_process], [@collective_permute_columns_bf16_process, @collective_permute_columns_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>)
  check.expect_eq_const %4#0, dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %4#3, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  return
}

func.func private @collective_permute_rows_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x2xbf16> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return %r : tensor<2x2xbf16>
}

func.func @collective_permute_rows_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_rows_bf16_process, @collective_permute_rows_bf16_process], [@collective_permute_rows_bf16_process, @collective_permute_rows_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>)
  check.expect_eq_const %4#0, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %4#1, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %4#2, dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  check.expect_eq_const %4#3, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xbf16>
  return
}

func.func private @collective_permute_replicas_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  return %r : tensor<2x2xf8E4M3FNUZ>
}

func.func @collective_permute_replicas_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_replicas_f8E4M3FNUZ_process], [@collective_permute_replicas_f8E4M3FNUZ_process], [@collective_permute_replicas_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>)
  check.expect_eq_const %3#0, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %3#1, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %3#2, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func private @collective_permute_partitions_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[2, 0], [0, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  return %r : tensor<2x2xf8E4M3FNUZ>
}

func.func @collective_permute_partitions_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_partitions_f8E4M3FNUZ_process, @collective_permute_partitions_f8E4M3FNUZ_process, @collective_permute_partitions_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>)
  check.expect_eq_const %3#0, dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %3#1, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %3#2, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func private @collective_permute_columns_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  return %r : tensor<2x2xf8E4M3FNUZ>
}

func.func @collective_permute_columns_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_columns_f8E4M3FNUZ_process, @collective_permute_columns_f8E4M3FNUZ_process], [@collective_permute_columns_f8E4M3FNUZ_process, @collective_permute_columns_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func private @collective_permute_rows_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  return %r : tensor<2x2xf8E4M3FNUZ>
}

func.func @collective_permute_rows_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_rows_f8E4M3FNUZ_process, @collective_permute_rows_f8E4M3FNUZ_process], [@collective_permute_rows_f8E4M3FNUZ_process, @collective_permute_rows_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func private @collective_permute_replicas_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  return %r : tensor<2x2xf8E5M2FNUZ>
}

func.func @collective_permute_replicas_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_replicas_f8E5M2FNUZ_process], [@collective_permute_replicas_f8E5M2FNUZ_process], [@collective_permute_replicas_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>)
  check.expect_eq_const %3#0, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %3#1, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %3#2, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func private @collective_permute_partitions_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[2, 0], [0, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  return %r : tensor<2x2xf8E5M2FNUZ>
}

func.func @collective_permute_partitions_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3:3 = "interpreter.run_parallel"(%0, %1, %2) <{programs = [[@collective_permute_partitions_f8E5M2FNUZ_process, @collective_permute_partitions_f8E5M2FNUZ_process, @collective_permute_partitions_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>)
  check.expect_eq_const %3#0, dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %3#1, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %3#2, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func private @collective_permute_columns_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  return %r : tensor<2x2xf8E5M2FNUZ>
}

func.func @collective_permute_columns_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_columns_f8E5M2FNUZ_process, @collective_permute_columns_f8E5M2FNUZ_process], [@collective_permute_columns_f8E5M2FNUZ_process, @collective_permute_columns_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func private @collective_permute_rows_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  return %r : tensor<2x2xf8E5M2FNUZ>
}

func.func @collective_permute_rows_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@collective_permute_rows_f8E5M2FNUZ_process, @collective_permute_rows_f8E5M2FNUZ_process], [@collective_permute_rows_f8E5M2FNUZ_process, @collective_permute_rows_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}
