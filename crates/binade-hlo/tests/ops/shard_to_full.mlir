// What each device does, in the words that JAX had before sdy.manual_computation: a call between custom calls that make parts
// of whole values and whole values of parts. Device 2·x + y has row x of the mesh and column y.

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func private @shmap_body(%a: tensor<1x1xi32>, %b: tensor<1xi32>) -> (tensor<1x1xi32>, tensor<1x1xi32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %0 = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %2 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %3 = stablehlo.add %1, %2 : tensor<1x1xi32>
    // Along x: the devices of a column.
    %4 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %5 = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %5 : tensor<i32>
    }) : (tensor<1x1xi32>) -> tensor<1x1xi32>
    return %3, %4 : tensor<1x1xi32>, tensor<1x1xi32>
  }
  func.func private @program(%a: tensor<2x2xi32>, %b: tensor<2xi32>) -> (tensor<2x2xi32>, tensor<1x2xi32>) {
    %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "", mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x2xi32>) -> tensor<1x1xi32>
    %2 = stablehlo.custom_call @Sharding(%b) {backend_config = "", mhlo.sharding = "{devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}"} : (tensor<2xi32>) -> tensor<2xi32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2xi32>) -> tensor<1xi32>
    %4:2 = call @shmap_body(%1, %3) : (tensor<1x1xi32>, tensor<1xi32>) -> (tensor<1x1xi32>, tensor<1x1xi32>)
    %5 = stablehlo.custom_call @Sharding(%4#0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<1x1xi32>) -> tensor<1x1xi32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {backend_config = "", mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<1x1xi32>) -> tensor<2x2xi32>
    %7 = stablehlo.custom_call @Sharding(%4#1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<1x1xi32>) -> tensor<1x1xi32>
    %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {backend_config = "", mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}"} : (tensor<1x1xi32>) -> tensor<1x2xi32>
    return %6, %8 : tensor<2x2xi32>, tensor<1x2xi32>
  }
  func.func @all_axes() {
    %a = stablehlo.constant dense<[[1, 2], [30, 40]]> : tensor<2x2xi32>
    %b = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
    %r:2 = call @program(%a, %b) : (tensor<2x2xi32>, tensor<2xi32>) -> (tensor<2x2xi32>, tensor<1x2xi32>)
    check.expect_eq_const %r#0, dense<[[100, 201], [102, 203]]> : tensor<2x2xi32>
    check.expect_eq_const %r#1, dense<[[31, 42]]> : tensor<1x2xi32>
    return
  }
}

// -----

// Only x is manual: what y would cut stays whole, and the parts of both columns are computed once.
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func private @shmap_body(%a: tensor<1x2xi32>) -> tensor<1x2xi32> {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %1 = stablehlo.add %x, %y : tensor<i32>
      %2 = stablehlo.custom_call @Sharding(%1) {backend_config = "", mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<i32>) -> tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<1x2xi32>) -> tensor<1x2xi32>
    %3 = stablehlo.subtract %0, %a : tensor<1x2xi32>
    return %3 : tensor<1x2xi32>
  }
  func.func @one_axis() {
    %a = stablehlo.constant dense<[[1, 2], [30, 40]]> : tensor<2x2xi32>
    %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<2x2xi32>) -> tensor<1x2xi32>
    %2 = call @shmap_body(%1) : (tensor<1x2xi32>) -> tensor<1x2xi32>
    %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<1x2xi32>) -> tensor<1x2xi32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<1x2xi32>) -> tensor<2x2xi32>
    check.expect_eq_const %4, dense<[[30, 40], [1, 2]]> : tensor<2x2xi32>
    return
  }
}
