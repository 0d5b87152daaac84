// reduce_scatter: what the specification says of it, over element types and edges.

func.func private @reduce_scatter_replicas_i8_process(%x: tensor<2x2xi8>) -> tensor<2x1xi8> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x2xi8>) -> tensor<2x1xi8>
  return %r : tensor<2x1xi8>
}

func.func @reduce_scatter_replicas_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@reduce_scatter_replicas_i8_process], [@reduce_scatter_replicas_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x1xi8>, tensor<2x1xi8>)
  check.expect_eq_const %2#0, dense<[[2], [5]]> : tensor<2x1xi8>
  check.expect_eq_const %2#1, dense<[[-3], [0]]> : tensor<2x1xi8>
  return
}

func.func private @reduce_scatter_two_groups_i8_process(%x: tensor<2x2xi8>) -> tensor<2x1xi8> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x2xi8>) -> tensor<2x1xi8>
  return %r : tensor<2x1xi8>
}

func.func @reduce_scatter_two_groups_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_two_groups_i8_process], [@reduce_scatter_two_groups_i8_process], [@reduce_scatter_two_groups_i8_process], [@reduce_scatter_two_groups_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x1xi8>, tensor<2x1xi8>, tensor<2x1xi8>, tensor<2x1xi8>)
  check.expect_eq_const %4#0, dense<[[-2], [3]]> : tensor<2x1xi8>
  check.expect_eq_const %4#1, dense<[[1], [3]]> : tensor<2x1xi8>
  check.expect_eq_const %4#2, dense<[[4], [2]]> : tensor<2x1xi8>
  check.expect_eq_const %4#3, dense<[[0], [2]]> : tensor<2x1xi8>
  return
}

func.func private @reduce_scatter_ids_i8_process(%x: tensor<2x2xi8>) -> tensor<2x1xi8> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x2xi8>) -> tensor<2x1xi8>
  return %r : tensor<2x1xi8>
}

func.func @reduce_scatter_ids_i8() {
  %0 = stablehlo.constant dense<[[-2, 0], [2, 4]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[-1, 2], [-2, 1]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[[0, 4], [1, -2]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<[[1, -1], [4, 2]]> : tensor<2x2xi8>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_ids_i8_process, @reduce_scatter_ids_i8_process], [@reduce_scatter_ids_i8_process, @reduce_scatter_ids_i8_process]]}> : (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) -> (tensor<2x1xi8>, tensor<2x1xi8>, tensor<2x1xi8>, tensor<2x1xi8>)
  check.expect_eq_const %4#0, dense<[[-1], [6]]> : tensor<2x1xi8>
  check.expect_eq_const %4#1, dense<[[-1], [-1]]> : tensor<2x1xi8>
  check.expect_eq_const %4#2, dense<[[6], [-1]]> : tensor<2x1xi8>
  check.expect_eq_const %4#3, dense<[[-1], [6]]> : tensor<2x1xi8>
  return
}

func.func private @reduce_scatter_replicas_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x1xui32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %s = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %s : tensor<ui32>
  }) : (tensor<2x2xui32>) -> tensor<2x1xui32>
  return %r : tensor<2x1xui32>
}

func.func @reduce_scatter_replicas_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@reduce_scatter_replicas_ui32_process], [@reduce_scatter_replicas_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x1xui32>, tensor<2x1xui32>)
  check.expect_eq_const %2#0, dense<[[6], [9]]> : tensor<2x1xui32>
  check.expect_eq_const %2#1, dense<[[1], [4]]> : tensor<2x1xui32>
  return
}

func.func private @reduce_scatter_two_groups_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x1xui32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %s = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %s : tensor<ui32>
  }) : (tensor<2x2xui32>) -> tensor<2x1xui32>
  return %r : tensor<2x1xui32>
}

func.func @reduce_scatter_two_groups_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3 = stablehlo.constant dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_two_groups_ui32_process], [@reduce_scatter_two_groups_ui32_process], [@reduce_scatter_two_groups_ui32_process], [@reduce_scatter_two_groups_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>)
  check.expect_eq_const %4#0, dense<[[2], [7]]> : tensor<2x1xui32>
  check.expect_eq_const %4#1, dense<[[5], [7]]> : tensor<2x1xui32>
  check.expect_eq_const %4#2, dense<[[8], [6]]> : tensor<2x1xui32>
  check.expect_eq_const %4#3, dense<[[4], [6]]> : tensor<2x1xui32>
  return
}

func.func private @reduce_scatter_ids_ui32_process(%x: tensor<2x2xui32>) -> tensor<2x1xui32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %s = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %s : tensor<ui32>
  }) : (tensor<2x2xui32>) -> tensor<2x1xui32>
  return %r : tensor<2x1xui32>
}

func.func @reduce_scatter_ids_ui32() {
  %0 = stablehlo.constant dense<[[0, 2], [4, 6]]> : tensor<2x2xui32>
  %1 = stablehlo.constant dense<[[1, 4], [0, 3]]> : tensor<2x2xui32>
  %2 = stablehlo.constant dense<[[2, 6], [3, 0]]> : tensor<2x2xui32>
  %3 = stablehlo.constant dense<[[3, 1], [6, 4]]> : tensor<2x2xui32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_ids_ui32_process, @reduce_scatter_ids_ui32_process], [@reduce_scatter_ids_ui32_process, @reduce_scatter_ids_ui32_process]]}> : (tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>, tensor<2x2xui32>) -> (tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>)
  check.expect_eq_const %4#0, dense<[[3], [10]]> : tensor<2x1xui32>
  check.expect_eq_const %4#1, dense<[[3], [3]]> : tensor<2x1xui32>
  check.expect_eq_const %4#2, dense<[[10], [3]]> : tensor<2x1xui32>
  check.expect_eq_const %4#3, dense<[[3], [10]]> : tensor<2x1xui32>
  return
}

func.func private @reduce_scatter_replicas_f32_process(%x: tensor<2x2xf32>) -> tensor<2x1xf32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

func.func @reduce_scatter_replicas_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@reduce_scatter_replicas_f32_process], [@reduce_scatter_replicas_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>)
  check.expect_eq_const %2#0, dense<[[2.0], [5.0]]> : tensor<2x1xf32>
  check.expect_eq_const %2#1, dense<[[-3.0], [0.0]]> : tensor<2x1xf32>
  return
}

func.func private @reduce_scatter_two_groups_f32_process(%x: tensor<2x2xf32>) -> tensor<2x1xf32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

func.func @reduce_scatter_two_groups_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_two_groups_f32_process], [@reduce_scatter_two_groups_f32_process], [@reduce_scatter_two_groups_f32_process], [@reduce_scatter_two_groups_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  check.expect_eq_const %4#0, dense<[[-2.0], [3.0]]> : tensor<2x1xf32>
  check.expect_eq_const %4#1, dense<[[1.0], [3.0]]> : tensor<2x1xf32>
  check.expect_eq_const %4#2, dense<[[4.0], [2.0]]> : tensor<2x1xf32>
  check.expect_eq_const %4#3, dense<[[0.0], [2.0]]> : tensor<2x1xf32>
  return
}

func.func private @reduce_scatter_ids_f32_process(%x: tensor<2x2xf32>) -> tensor<2x1xf32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

func.func @reduce_scatter_ids_f32() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf32>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf32>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_ids_f32_process, @reduce_scatter_ids_f32_process], [@reduce_scatter_ids_f32_process, @reduce_scatter_ids_f32_process]]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  check.expect_eq_const %4#0, dense<[[-1.0], [6.0]]> : tensor<2x1xf32>
  check.expect_eq_const %4#1, dense<[[-1.0], [-1.0]]> : tensor<2x1xf32>
  check.expect_eq_const %4#2, dense<[[6.0], [-1.0]]> : tensor<2x1xf32>
  check.expect_eq_const %4#3, dense<[[-1.0], [6.0]]> : tensor<2x1xf32>
  return
}

func.func private @reduce_scatter_replicas_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x1xbf16> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x2xbf16>) -> tensor<2x1xbf16>
  return %r : tensor<2x1xbf16>
}

func.func @reduce_scatter_replicas_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@reduce_scatter_replicas_bf16_process], [@reduce_scatter_replicas_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x1xbf16>, tensor<2x1xbf16>)
  check.expect_eq_const %2#0, dense<[[2.0], [5.0]]> : tensor<2x1xbf16>
  check.expect_eq_const %2#1, dense<[[-3.0], [0.0]]> : tensor<2x1xbf16>
  return
}

func.func private @reduce_scatter_two_groups_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x1xbf16> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x2xbf16>) -> tensor<2x1xbf16>
  return %r : tensor<2x1xbf16>
}

func.func @reduce_scatter_two_groups_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_two_groups_bf16_process], [@reduce_scatter_two_groups_bf16_process], [@reduce_scatter_two_groups_bf16_process], [@reduce_scatter_two_groups_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x1xbf16>, tensor<2x1xbf16>, tensor<2x1xbf16>, tensor<2x1xbf16>)
  check.expect_eq_const %4#0, dense<[[-2.0], [3.0]]> : tensor<2x1xbf16>
  check.expect_eq_const %4#1, dense<[[1.0], [3.0]]> : tensor<2x1xbf16>
  check.expect_eq_const %4#2, dense<[[4.0], [2.0]]> : tensor<2x1xbf16>
  check.expect_eq_const %4#3, dense<[[0.0], [2.0]]> : tensor<2x1xbf16>
  return
}

func.func private @reduce_scatter_ids_bf16_process(%x: tensor<2x2xbf16>) -> tensor<2x1xbf16> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x2xbf16>) -> tensor<2x1xbf16>
  return %r : tensor<2x1xbf16>
}

func.func @reduce_scatter_ids_bf16() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xbf16>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xbf16>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_ids_bf16_process, @reduce_scatter_ids_bf16_process], [@reduce_scatter_ids_bf16_process, @reduce_scatter_ids_bf16_process]]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> (tensor<2x1xbf16>, tensor<2x1xbf16>, tensor<2x1xbf16>, tensor<2x1xbf16>)
  check.expect_eq_const %4#0, dense<[[-1.0], [6.0]]> : tensor<2x1xbf16>
  check.expect_eq_const %4#1, dense<[[-1.0], [-1.0]]> : tensor<2x1xbf16>
  check.expect_eq_const %4#2, dense<[[6.0], [-1.0]]> : tensor<2x1xbf16>
  check.expect_eq_const %4#3, dense<[[-1.0], [6.0]]> : tensor<2x1xbf16>
  return
}

func.func private @reduce_scatter_replicas_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x1xf8E4M3FNUZ> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x1xf8E4M3FNUZ>
  return %r : tensor<2x1xf8E4M3FNUZ>
}

func.func @reduce_scatter_replicas_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@reduce_scatter_replicas_f8E4M3FNUZ_process], [@reduce_scatter_replicas_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x1xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[[2.0], [5.0]]> : tensor<2x1xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[[-3.0], [0.0]]> : tensor<2x1xf8E4M3FNUZ>
  return
}

func.func private @reduce_scatter_two_groups_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x1xf8E4M3FNUZ> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x1xf8E4M3FNUZ>
  return %r : tensor<2x1xf8E4M3FNUZ>
}

func.func @reduce_scatter_two_groups_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_two_groups_f8E4M3FNUZ_process], [@reduce_scatter_two_groups_f8E4M3FNUZ_process], [@reduce_scatter_two_groups_f8E4M3FNUZ_process], [@reduce_scatter_two_groups_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x1xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0], [3.0]]> : tensor<2x1xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[1.0], [3.0]]> : tensor<2x1xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[4.0], [2.0]]> : tensor<2x1xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[0.0], [2.0]]> : tensor<2x1xf8E4M3FNUZ>
  return
}

func.func private @reduce_scatter_ids_f8E4M3FNUZ_process(%x: tensor<2x2xf8E4M3FNUZ>) -> tensor<2x1xf8E4M3FNUZ> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x2xf8E4M3FNUZ>) -> tensor<2x1xf8E4M3FNUZ>
  return %r : tensor<2x1xf8E4M3FNUZ>
}

func.func @reduce_scatter_ids_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_ids_f8E4M3FNUZ_process, @reduce_scatter_ids_f8E4M3FNUZ_process], [@reduce_scatter_ids_f8E4M3FNUZ_process, @reduce_scatter_ids_f8E4M3FNUZ_process]]}> : (tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>) -> (tensor<2x1xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>, tensor<2x1xf8E4M3FNUZ>)
  check.expect_eq_const %4#0, dense<[[-1.0], [6.0]]> : tensor<2x1xf8E4M3FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0], [-1.0]]> : tensor<2x1xf8E4M3FNUZ>
  check.expect_eq_const %4#2, dense<[[6.0], [-1.0]]> : tensor<2x1xf8E4M3FNUZ>
  check.expect_eq_const %4#3, dense<[[-1.0], [6.0]]> : tensor<2x1xf8E4M3FNUZ>
  return
}

func.func private @reduce_scatter_replicas_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x1xf8E5M2FNUZ> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x1xf8E5M2FNUZ>
  return %r : tensor<2x1xf8E5M2FNUZ>
}

func.func @reduce_scatter_replicas_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@reduce_scatter_replicas_f8E5M2FNUZ_process], [@reduce_scatter_replicas_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x1xf8E5M2FNUZ>, tensor<2x1xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[[2.0], [5.0]]> : tensor<2x1xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[[-3.0], [0.0]]> : tensor<2x1xf8E5M2FNUZ>
  return
}

func.func private @reduce_scatter_two_groups_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x1xf8E5M2FNUZ> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x1xf8E5M2FNUZ>
  return %r : tensor<2x1xf8E5M2FNUZ>
}

func.func @reduce_scatter_two_groups_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_two_groups_f8E5M2FNUZ_process], [@reduce_scatter_two_groups_f8E5M2FNUZ_process], [@reduce_scatter_two_groups_f8E5M2FNUZ_process], [@reduce_scatter_two_groups_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x1xf8E5M2FNUZ>, tensor<2x1xf8E5M2FNUZ>, tensor<2x1xf8E5M2FNUZ>, tensor<2x1xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-2.0], [3.0]]> : tensor<2x1xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[1.0], [3.0]]> : tensor<2x1xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[4.0], [2.0]]> : tensor<2x1xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[0.0], [2.0]]> : tensor<2x1xf8E5M2FNUZ>
  return
}

func.func private @reduce_scatter_ids_f8E5M2FNUZ_process(%x: tensor<2x2xf8E5M2FNUZ>) -> tensor<2x1xf8E5M2FNUZ> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x2xf8E5M2FNUZ>) -> tensor<2x1xf8E5M2FNUZ>
  return %r : tensor<2x1xf8E5M2FNUZ>
}

func.func @reduce_scatter_ids_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0], [2.0, 4.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[0.0, 4.0], [1.0, -2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = stablehlo.constant dense<[[1.0, -1.0], [4.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %4:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@reduce_scatter_ids_f8E5M2FNUZ_process, @reduce_scatter_ids_f8E5M2FNUZ_process], [@reduce_scatter_ids_f8E5M2FNUZ_process, @reduce_scatter_ids_f8E5M2FNUZ_process]]}> : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> (tensor<2x1xf8E5M2FNUZ>, tensor<2x1xf8E5M2FNUZ>, tensor<2x1xf8E5M2FNUZ>, tensor<2x1xf8E5M2FNUZ>)
  check.expect_eq_const %4#0, dense<[[-1.0], [6.0]]> : tensor<2x1xf8E5M2FNUZ>
  check.expect_eq_const %4#1, dense<[[-1.0], [-1.0]]> : tensor<2x1xf8E5M2FNUZ>
  check.expect_eq_const %4#2, dense<[[6.0], [-1.0]]> : tensor<2x1xf8E5M2FNUZ>
  check.expect_eq_const %4#3, dense<[[-1.0], [6.0]]> : tensor<2x1xf8E5M2FNUZ>
  return
}
