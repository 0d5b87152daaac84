// sdy.manual_computation: every device of a mesh's manual axes does its part, with collectives among them. What is expected
// is what JAX's own processor computes of the same programs on as many devices; of the last one, what the mesh says.

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func private @collectives_program(%arg0: tensor<8x2xi32>) -> (tensor<16x1xi32>, tensor<16x1xi32>, tensor<16x1xi32>, tensor<16x1xi32>, tensor<64xi32>, tensor<8x1xi32>, tensor<8x4xi32>) {
  %0:7 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>] manual_axes={"x", "y"} (%arg1: tensor<2x1xi32>) {
    %c = stablehlo.constant dense<10> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %2 = stablehlo.multiply %arg1, %1 : tensor<2x1xi32>
    %3 = stablehlo.concatenate %arg1, %2, dim = 0 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<4x1xi32>
    %4 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %19 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %19 : tensor<i32>
    }) : (tensor<2x1xi32>) -> tensor<2x1xi32>
    %5 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %19 = stablehlo.maximum %arg2, %arg3 : tensor<i32>
      stablehlo.return %19 : tensor<i32>
    }) : (tensor<2x1xi32>) -> tensor<2x1xi32>
    %c_0 = stablehlo.constant dense<2> : tensor<ui32>
    %c_1 = stablehlo.constant dense<4> : tensor<ui32>
    %6 = stablehlo.partition_id : tensor<ui32>
    %7 = stablehlo.divide %6, %c_0 : tensor<ui32>
    %8 = stablehlo.remainder %7, %c_1 : tensor<ui32>
    %9 = stablehlo.convert %8 : (tensor<ui32>) -> tensor<i32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %11 = stablehlo.add %10, %arg1 : tensor<2x1xi32>
    %12 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>}> : (tensor<2x1xi32>) -> tensor<2x1xi32>
    %13 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x1xi32>) -> tensor<1x2x1xi32>
    %14 = "stablehlo.all_gather"(%13) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6, 1, 3, 5, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<1x2x1xi32>) -> tensor<8x2x1xi32>
    %15 = stablehlo.slice %14 [0:8, 0:1, 0:1] : (tensor<8x2x1xi32>) -> tensor<8x1x1xi32>
    %16 = stablehlo.reshape %15 : (tensor<8x1x1xi32>) -> tensor<8xi32>
    %17 = "stablehlo.reduce_scatter"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %19 = stablehlo.add %arg2, %arg3 : tensor<i32>
      stablehlo.return %19 : tensor<i32>
    }) : (tensor<4x1xi32>) -> tensor<1x1xi32>
    %18 = "stablehlo.all_to_all"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x1xi32>) -> tensor<1x4xi32>
    sdy.return %4, %5, %11, %12, %16, %17, %18 : tensor<2x1xi32>, tensor<2x1xi32>, tensor<2x1xi32>, tensor<2x1xi32>, tensor<8xi32>, tensor<1x1xi32>, tensor<1x4xi32>
  } : (tensor<8x2xi32>) -> (tensor<16x1xi32>, tensor<16x1xi32>, tensor<16x1xi32>, tensor<16x1xi32>, tensor<64xi32>, tensor<8x1xi32>, tensor<8x4xi32>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6 : tensor<16x1xi32>, tensor<16x1xi32>, tensor<16x1xi32>, tensor<16x1xi32>, tensor<64xi32>, tensor<8x1xi32>, tensor<8x4xi32>
}

func.func @collectives() {
  %x = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11], [12, 13], [14, 15]]> : tensor<8x2xi32>
  %r:7 = call @collectives_program(%x) : (tensor<8x2xi32>) -> (tensor<16x1xi32>, tensor<16x1xi32>, tensor<16x1xi32>, tensor<16x1xi32>, tensor<64xi32>, tensor<8x1xi32>, tensor<8x4xi32>)
  check.expect_eq_const %r#0, dense<[[24], [32], [28], [36], [24], [32], [28], [36], [24], [32], [28], [36], [24], [32], [28], [36]]> : tensor<16x1xi32>
  check.expect_eq_const %r#1, dense<[[13], [15], [13], [15], [13], [15], [13], [15], [13], [15], [13], [15], [13], [15], [13], [15]]> : tensor<16x1xi32>
  check.expect_eq_const %r#2, dense<[[0], [2], [1], [3], [5], [7], [6], [8], [10], [12], [11], [13], [15], [17], [16], [18]]> : tensor<16x1xi32>
  check.expect_eq_const %r#3, dense<[[0], [0], [0], [2], [0], [0], [4], [6], [0], [0], [8], [10], [0], [0], [12], [14]]> : tensor<16x1xi32>
  check.expect_eq_const %r#4, dense<[0, 4, 8, 12, 1, 5, 9, 13, 0, 4, 8, 12, 1, 5, 9, 13, 0, 4, 8, 12, 1, 5, 9, 13, 0, 4, 8, 12, 1, 5, 9, 13, 0, 4, 8, 12, 1, 5, 9, 13, 0, 4, 8, 12, 1, 5, 9, 13, 0, 4, 8, 12, 1, 5, 9, 13, 0, 4, 8, 12, 1, 5, 9, 13]> : tensor<64xi32>
  check.expect_eq_const %r#5, dense<[[24], [28], [32], [36], [240], [280], [320], [360]]> : tensor<8x1xi32>
  check.expect_eq_const %r#6, dense<[[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 40, 80, 120], [10, 50, 90, 130], [20, 60, 100, 140], [30, 70, 110, 150]]> : tensor<8x4xi32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func private @nested_program(%arg0: tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4x1xi32>, tensor<2xi32>) {
  %0:3 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", ?}, {?}]>] out_shardings=[<@mesh, [{"a", ?}, {?}]>, <@mesh, [{"a", ?}, {?}]>, <@mesh, [{"a", ?}]>] manual_axes={"a"} (%arg1: tensor<2x2xi32>) {
    %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %9 = stablehlo.add %arg2, %arg3 : tensor<i32>
      %10 = sdy.sharding_constraint %9 <@mesh, []> : tensor<i32>
      stablehlo.return %10 : tensor<i32>
    }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %2 = stablehlo.add %1, %arg1 : tensor<2x2xi32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<2x2xi32>
    %4:2 = sdy.manual_computation(%3) in_shardings=[<@mesh, [{?}, {"b", ?}]>] out_shardings=[<@mesh, [{?}, {"b", ?}]>, <@mesh, [{?}, {?}]>] manual_axes={"b"} (%arg2: tensor<2x1xi32>) {
      %c_0 = stablehlo.constant dense<1> : tensor<ui32>
      %c_1 = stablehlo.constant dense<2> : tensor<ui32>
      %9 = stablehlo.partition_id : tensor<ui32>
      %10 = stablehlo.divide %9, %c_0 : tensor<ui32>
      %11 = stablehlo.remainder %10, %c_1 : tensor<ui32>
      %12 = stablehlo.convert %11 : (tensor<ui32>) -> tensor<i32>
      %c_2 = stablehlo.constant dense<100> : tensor<i32>
      %13 = stablehlo.multiply %c_2, %12 : tensor<i32>
      %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
      %15 = stablehlo.add %arg2, %14 : tensor<2x1xi32>
      %c_3 = stablehlo.constant dense<2> : tensor<ui32>
      %c_4 = stablehlo.constant dense<2> : tensor<ui32>
      %16 = stablehlo.partition_id : tensor<ui32>
      %17 = stablehlo.divide %16, %c_3 : tensor<ui32>
      %18 = stablehlo.remainder %17, %c_4 : tensor<ui32>
      %19 = stablehlo.convert %18 : (tensor<ui32>) -> tensor<i32>
      %c_5 = stablehlo.constant dense<1000> : tensor<i32>
      %20 = stablehlo.multiply %c_5, %19 : tensor<i32>
      %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
      %22 = stablehlo.add %15, %21 : tensor<2x1xi32>
      %23 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
        %26 = stablehlo.add %arg3, %arg4 : tensor<i32>
        stablehlo.return %26 : tensor<i32>
      }) : (tensor<2x1xi32>) -> tensor<2x1xi32>
      %24 = stablehlo.add %22, %23 : tensor<2x1xi32>
      %25 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
        %26 = stablehlo.add %arg3, %arg4 : tensor<i32>
        stablehlo.return %26 : tensor<i32>
      }) : (tensor<2x1xi32>) -> tensor<2x1xi32>
      sdy.return %24, %25 : tensor<2x1xi32>, tensor<2x1xi32>
    } : (tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x1xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.reduce(%4#0 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xi32>, tensor<i32>) -> tensor<i32>
    %6 = sdy.sharding_constraint %5 <@mesh, []> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %8 = sdy.sharding_constraint %7 <@mesh, [{?}]> : tensor<1xi32>
    sdy.return %4#0, %4#1, %8 : tensor<2x2xi32>, tensor<2x1xi32>, tensor<1xi32>
  } : (tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4x1xi32>, tensor<2xi32>)
  return %0#0, %0#1, %0#2 : tensor<4x2xi32>, tensor<4x1xi32>, tensor<2xi32>
}

func.func @nested() {
  %x = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi32>
  %r:3 = call @nested_program(%x) : (tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4x1xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[[16, 125], [34, 143], [1020, 1129], [1038, 1147]]> : tensor<4x2xi32>
  check.expect_eq_const %r#1, dense<[[30], [54], [30], [54]]> : tensor<4x1xi32>
  check.expect_eq_const %r#2, dense<[318, 4334]> : tensor<2xi32>
  return
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func private @in_control_flow_program(%arg0: tensor<8x2xi32>) -> (tensor<8x2xi32>) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg1: tensor<2x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg1) : tensor<i32>, tensor<2x1xi32>
    cond {
      %c_1 = stablehlo.constant dense<3> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @closed_call(%iterArg_0) : (tensor<2x1xi32>) -> tensor<2x1xi32>
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<2x1xi32>
    }
    sdy.return %1#1 : tensor<2x1xi32>
  } : (tensor<8x2xi32>) -> tensor<8x2xi32>
  return %0 : tensor<8x2xi32>
}
func.func private @closed_call(%arg0: tensor<2x1xi32>) -> tensor<2x1xi32> {
  %c = stablehlo.constant dense<2> : tensor<ui32>
  %c_0 = stablehlo.constant dense<4> : tensor<ui32>
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.divide %0, %c : tensor<ui32>
  %2 = stablehlo.remainder %1, %c_0 : tensor<ui32>
  %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<i32>
  %c_1 = stablehlo.constant dense<1> : tensor<i32>
  %4 = stablehlo.compare GT, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %5 = stablehlo.convert %4 : (tensor<i1>) -> tensor<i32>
  %6 = "stablehlo.case"(%5) ({
    %7 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %9 = stablehlo.minimum %arg1, %arg2 : tensor<i32>
      stablehlo.return %9 : tensor<i32>
    }) : (tensor<2x1xi32>) -> tensor<2x1xi32>
    %8 = stablehlo.subtract %arg0, %7 : tensor<2x1xi32>
    stablehlo.return %8 : tensor<2x1xi32>
  }, {
    %7 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %9 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %9 : tensor<i32>
    }) : (tensor<2x1xi32>) -> tensor<2x1xi32>
    %8 = stablehlo.add %arg0, %7 : tensor<2x1xi32>
    stablehlo.return %8 : tensor<2x1xi32>
  }) : (tensor<i32>) -> tensor<2x1xi32>
  return %6 : tensor<2x1xi32>
}

func.func @in_control_flow() {
  %x = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11], [12, 13], [14, 15]]> : tensor<8x2xi32>
  %r:1 = call @in_control_flow_program(%x) : (tensor<8x2xi32>) -> (tensor<8x2xi32>)
  check.expect_eq_const %r#0, dense<[[0, 1], [0, 1], [0, 1], [0, 1], [229, 230], [283, 284], [337, 338], [391, 392]]> : tensor<8x2xi32>
  return
}

// -----

// The mesh says which device is where: the first part is the third device's. Values outside of the computation are whole,
// and axes that are not manual cut nothing, though the shardings name them.
sdy.mesh @turned = <["x"=2, "y"=2], device_ids=[3, 1, 2, 0]>
func.func @turned() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %r = sdy.manual_computation(%x) in_shardings=[<@turned, [{"x"}, {"y"}]>] out_shardings=[<@turned, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%a: tensor<1x1xi32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %0 = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %c = stablehlo.constant dense<10> : tensor<1x1xi32>
    %2 = stablehlo.multiply %a, %c : tensor<1x1xi32>
    %3 = stablehlo.add %2, %1 : tensor<1x1xi32>
    sdy.return %3 : tensor<1x1xi32>
  } : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[13, 21], [32, 40]]> : tensor<2x2xi32>
  %s = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@turned, [{"x", ?}p1, {"y"}], replicated={}>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@turned, [{"x"}, {?}]>]>}> ({
  ^bb0(%a: tensor<1x2xi32>):
    "sdy.sharding_group"(%a) <{group_id = 0 : i64}> : (tensor<1x2xi32>) -> ()
    %0 = stablehlo.reverse %a, dims = [1] : tensor<1x2xi32>
    "sdy.return"(%0) : (tensor<1x2xi32>) -> ()
  }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %s, dense<[[2, 1], [4, 3]]> : tensor<2x2xi32>
  return
}
