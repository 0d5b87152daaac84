// stablehlo.collective_reduce: the first process of a group has the sum, the others have zeros.

func.func private @replicas_i8_process(%x: tensor<2xi8>) -> tensor<2xi8> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

func.func @collective_reduce_replicas_i8() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[3, -3]> : tensor<2xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@replicas_i8_process], [@replicas_i8_process]]}> : (tensor<2xi8>, tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
  check.expect_eq_const %2#0, dense<[4, -1]> : tensor<2xi8>
  check.expect_eq_const %2#1, dense<[0, 0]> : tensor<2xi8>
  return
}

func.func private @second_is_first_i8_process(%x: tensor<2xi8>) -> tensor<2xi8> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

func.func @collective_reduce_second_is_first_i8() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[3, -3]> : tensor<2xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@second_is_first_i8_process], [@second_is_first_i8_process]]}> : (tensor<2xi8>, tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
  check.expect_eq_const %2#0, dense<[0, 0]> : tensor<2xi8>
  check.expect_eq_const %2#1, dense<[4, -1]> : tensor<2xi8>
  return
}

func.func private @partitions_i8_process(%x: tensor<2xi8>) -> tensor<2xi8> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

func.func @collective_reduce_partitions_i8() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[3, -3]> : tensor<2xi8>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@partitions_i8_process, @partitions_i8_process]]}> : (tensor<2xi8>, tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
  check.expect_eq_const %2#0, dense<[4, -1]> : tensor<2xi8>
  check.expect_eq_const %2#1, dense<[0, 0]> : tensor<2xi8>
  return
}

func.func private @replicas_f32_process(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @collective_reduce_replicas_f32() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@replicas_f32_process], [@replicas_f32_process]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %2#0, dense<[4.0, -1.0]> : tensor<2xf32>
  check.expect_eq_const %2#1, dense<[0.0, 0.0]> : tensor<2xf32>
  return
}

func.func private @second_is_first_f32_process(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @collective_reduce_second_is_first_f32() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@second_is_first_f32_process], [@second_is_first_f32_process]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %2#0, dense<[0.0, 0.0]> : tensor<2xf32>
  check.expect_eq_const %2#1, dense<[4.0, -1.0]> : tensor<2xf32>
  return
}

func.func private @partitions_f32_process(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @collective_reduce_partitions_f32() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf32>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@partitions_f32_process, @partitions_f32_process]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %2#0, dense<[4.0, -1.0]> : tensor<2xf32>
  check.expect_eq_const %2#1, dense<[0.0, 0.0]> : tensor<2xf32>
  return
}

func.func private @replicas_bf16_process(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2xbf16>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

func.func @collective_reduce_replicas_bf16() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@replicas_bf16_process], [@replicas_bf16_process]]}> : (tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2xbf16>, tensor<2xbf16>)
  check.expect_eq_const %2#0, dense<[4.0, -1.0]> : tensor<2xbf16>
  check.expect_eq_const %2#1, dense<[0.0, 0.0]> : tensor<2xbf16>
  return
}

func.func private @second_is_first_bf16_process(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2xbf16>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

func.func @collective_reduce_second_is_first_bf16() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@second_is_first_bf16_process], [@second_is_first_bf16_process]]}> : (tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2xbf16>, tensor<2xbf16>)
  check.expect_eq_const %2#0, dense<[0.0, 0.0]> : tensor<2xbf16>
  check.expect_eq_const %2#1, dense<[4.0, -1.0]> : tensor<2xbf16>
  return
}

func.func private @partitions_bf16_process(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2xbf16>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

func.func @collective_reduce_partitions_bf16() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xbf16>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@partitions_bf16_process, @partitions_bf16_process]]}> : (tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2xbf16>, tensor<2xbf16>)
  check.expect_eq_const %2#0, dense<[4.0, -1.0]> : tensor<2xbf16>
  check.expect_eq_const %2#1, dense<[0.0, 0.0]> : tensor<2xbf16>
  return
}

func.func private @replicas_f8E4M3FNUZ_process(%x: tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ>
  return %r : tensor<2xf8E4M3FNUZ>
}

func.func @collective_reduce_replicas_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@replicas_f8E4M3FNUZ_process], [@replicas_f8E4M3FNUZ_process]]}> : (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[4.0, -1.0]> : tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[0.0, 0.0]> : tensor<2xf8E4M3FNUZ>
  return
}

func.func private @second_is_first_f8E4M3FNUZ_process(%x: tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ>
  return %r : tensor<2xf8E4M3FNUZ>
}

func.func @collective_reduce_second_is_first_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@second_is_first_f8E4M3FNUZ_process], [@second_is_first_f8E4M3FNUZ_process]]}> : (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[0.0, 0.0]> : tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[4.0, -1.0]> : tensor<2xf8E4M3FNUZ>
  return
}

func.func private @partitions_f8E4M3FNUZ_process(%x: tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ>
  return %r : tensor<2xf8E4M3FNUZ>
}

func.func @collective_reduce_partitions_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf8E4M3FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@partitions_f8E4M3FNUZ_process, @partitions_f8E4M3FNUZ_process]]}> : (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>)
  check.expect_eq_const %2#0, dense<[4.0, -1.0]> : tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %2#1, dense<[0.0, 0.0]> : tensor<2xf8E4M3FNUZ>
  return
}

func.func private @replicas_f8E5M2FNUZ_process(%x: tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ>
  return %r : tensor<2xf8E5M2FNUZ>
}

func.func @collective_reduce_replicas_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@replicas_f8E5M2FNUZ_process], [@replicas_f8E5M2FNUZ_process]]}> : (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[4.0, -1.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[0.0, 0.0]> : tensor<2xf8E5M2FNUZ>
  return
}

func.func private @second_is_first_f8E5M2FNUZ_process(%x: tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ>
  return %r : tensor<2xf8E5M2FNUZ>
}

func.func @collective_reduce_second_is_first_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@second_is_first_f8E5M2FNUZ_process], [@second_is_first_f8E5M2FNUZ_process]]}> : (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[0.0, 0.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[4.0, -1.0]> : tensor<2xf8E5M2FNUZ>
  return
}

func.func private @partitions_f8E5M2FNUZ_process(%x: tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ>
  return %r : tensor<2xf8E5M2FNUZ>
}

func.func @collective_reduce_partitions_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[3.0, -3.0]> : tensor<2xf8E5M2FNUZ>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@partitions_f8E5M2FNUZ_process, @partitions_f8E5M2FNUZ_process]]}> : (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>)
  check.expect_eq_const %2#0, dense<[4.0, -1.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %2#1, dense<[0.0, 0.0]> : tensor<2xf8E5M2FNUZ>
  return
}

// Each operand has a root of its own: the place in the group that the last operand gives.
func.func private @dynamic_root_process(%x: tensor<2xf32>, %y: tensor<1xf32>, %roots: tensor<2xi32>) -> (tensor<2xf32>, tensor<1xf32>) {
  %0:2 = "stablehlo.collective_reduce"(%x, %y, %roots) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, has_dynamic_root}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>, tensor<1xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<1xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<1xf32>
}

func.func @collective_reduce_dynamic_roots() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<3.0> : tensor<1xf32>
  %c = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %d = stablehlo.constant dense<30.0> : tensor<1xf32>
  %roots = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %0:4 = "interpreter.run_parallel"(%a, %b, %roots, %c, %d, %roots) <{programs = [[@dynamic_root_process], [@dynamic_root_process]]}> : (tensor<2xf32>, tensor<1xf32>, tensor<2xi32>, tensor<2xf32>, tensor<1xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>)
  check.expect_eq_const %0#0, dense<[11.0, 22.0]> : tensor<2xf32>
  check.expect_eq_const %0#1, dense<0.0> : tensor<1xf32>
  check.expect_eq_const %0#2, dense<0.0> : tensor<2xf32>
  check.expect_eq_const %0#3, dense<33.0> : tensor<1xf32>
  return
}
