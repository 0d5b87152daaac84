// Operations between processes: the specification's examples, on a grid of two replicas or two partitions.

func.func private @sum(%x: tensor<2xi64>) -> tensor<2xi64> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %1 = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

func.func @all_reduce() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %1 = stablehlo.constant dense<[30, 40]> : tensor<2xi64>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@sum], [@sum]]}> : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %2#0, dense<[31, 42]> : tensor<2xi64>
  check.expect_eq_const %2#1, dense<[31, 42]> : tensor<2xi64>
  return
}

func.func private @halves(%x: tensor<2x4xi64>) -> tensor<2x2xi64> {
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %1 = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}

func.func @reduce_scatter() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %1 = stablehlo.constant dense<[[10, 20, 30, 40], [50, 60, 70, 80]]> : tensor<2x4xi64>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@halves], [@halves]]}> : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
  check.expect_eq_const %2#0, dense<[[11, 22], [55, 66]]> : tensor<2x2xi64>
  check.expect_eq_const %2#1, dense<[[33, 44], [77, 88]]> : tensor<2x2xi64>
  return
}

func.func private @exchange(%x: tensor<2x4xi64>) -> tensor<4x2xi64> {
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xi64>) -> tensor<4x2xi64>
  return %0 : tensor<4x2xi64>
}

func.func @all_to_all() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %1 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
  %2:2 = "interpreter.run_parallel"(%0, %1) <{programs = [[@exchange], [@exchange]]}> : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
  check.expect_eq_const %2#0, dense<[[1, 2], [5, 6], [9, 10], [13, 14]]> : tensor<4x2xi64>
  check.expect_eq_const %2#1, dense<[[3, 4], [7, 8], [11, 12], [15, 16]]> : tensor<4x2xi64>
  return
}

func.func private @who() -> (tensor<ui32>, tensor<ui32>) {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  return %0, %1 : tensor<ui32>, tensor<ui32>
}

func.func @ids() {
  %0:4 = "interpreter.run_parallel"() <{programs = [[@who, @who]]}> : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %0#0, dense<0> : tensor<ui32>
  check.expect_eq_const %0#1, dense<0> : tensor<ui32>
  check.expect_eq_const %0#2, dense<0> : tensor<ui32>
  check.expect_eq_const %0#3, dense<1> : tensor<ui32>
  return
}

// Each operand comes from the process whose place in the group the last operand gives.
func.func private @from_roots(%x: tensor<2xi8>, %y: tensor<f32>, %roots: tensor<2xi32>) -> (tensor<2xi8>, tensor<f32>) {
  %0:2 = "stablehlo.collective_broadcast"(%x, %y, %roots) <{replica_groups = dense<[[2, 0]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<2xi8>, tensor<f32>, tensor<2xi32>) -> (tensor<2xi8>, tensor<f32>)
  return %0#0, %0#1 : tensor<2xi8>, tensor<f32>
}

func.func @roots_at_run_time() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %y = stablehlo.constant dense<[3, 4]> : tensor<2xi8>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %roots = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %r:6 = "interpreter.run_parallel"(%x, %one, %roots, %x, %one, %roots, %y, %two, %roots) <{programs = [[@from_roots], [@from_roots], [@from_roots]]}> : (tensor<2xi8>, tensor<f32>, tensor<2xi32>, tensor<2xi8>, tensor<f32>, tensor<2xi32>, tensor<2xi8>, tensor<f32>, tensor<2xi32>) -> (tensor<2xi8>, tensor<f32>, tensor<2xi8>, tensor<f32>, tensor<2xi8>, tensor<f32>)
  check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi8>
  check.expect_eq_const %r#1, dense<2.0> : tensor<f32>
  check.expect_eq_const %r#2, dense<0> : tensor<2xi8>
  check.expect_eq_const %r#3, dense<0.0> : tensor<f32>
  check.expect_eq_const %r#4, dense<[1, 2]> : tensor<2xi8>
  check.expect_eq_const %r#5, dense<2.0> : tensor<f32>
  return
}
