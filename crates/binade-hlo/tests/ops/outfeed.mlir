// outfeed: what the specification says of it, over element types and edges.

func.func private @process(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = "stablehlo.outfeed"(%x, %0) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %2 = stablehlo.after_all %1, %0 : !stablehlo.token
  return %x : tensor<2xf32>
}

func.func @outfeed_leaves_values_alone() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = "interpreter.run_parallel"(%0) <{programs = [[@process]]}> : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %1, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
