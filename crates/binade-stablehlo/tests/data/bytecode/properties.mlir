module @properties attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<2x2xf32>, %m: tensor<3x0xi1>) -> (tensor<4x2xf32>, tensor<2x2xf32>) {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<4x2xf32>
    %1 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = "stablehlo.exponential"(%1) <{result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %3 = "stablehlo.dot"(%2, %x) <{precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %4 = stablehlo.composite "test.doubled" %3 {composite_attributes = {times = 2 : i64}, decomposition = @doubled, version = 3 : i32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %5 = stablehlo.reverse %4, dims = [0] {test.note = dense<[1, 2]> : tensor<2xi64>} : tensor<2x2xf32>
    %6 = stablehlo.custom_call @Sharding(%5) {backend_config = "", mhlo.sharding = "{replicated}", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    stablehlo.custom_call @xla.sdy.FuncResultSharding(%6) {has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = []} : (tensor<2x2xf32>) -> ()
    %7 = stablehlo.constant dense<true> : tensor<3x0xi1>
    %8 = stablehlo.constant dense<[[true, false, true, true, false, false, true, true, true], [false, false, false, false, false, true, false, true, false]]> : tensor<2x9xi1>
    %9 = stablehlo.optimization_barrier %8 : tensor<2x9xi1>
    return %0, %6 : tensor<4x2xf32>, tensor<2x2xf32>
  }
  func.func private @doubled(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.add %x, %x : tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
