// infeed: what the specification says of it, over element types and edges.

func.func private @first() -> (tensor<2xi32>, tensor<bf16>) {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense<0.5> : tensor<bf16>
  return %0, %1 : tensor<2xi32>, tensor<bf16>
}

func.func private @second() -> (tensor<2xi32>, tensor<bf16>) {
  %0 = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %1 = stablehlo.constant dense<8.0> : tensor<bf16>
  return %0, %1 : tensor<2xi32>, tensor<bf16>
}

func.func private @process() -> (tensor<2xi32>, tensor<bf16>) {
  %0 = stablehlo.after_all : !stablehlo.token
  %1:3 = "stablehlo.infeed"(%0) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2xi32>, tensor<bf16>, !stablehlo.token)
  %2:3 = "stablehlo.infeed"(%1#2) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2xi32>, tensor<bf16>, !stablehlo.token)
  %3 = stablehlo.subtract %2#0, %1#0 : tensor<2xi32>
  %4 = stablehlo.divide %2#1, %1#1 : tensor<bf16>
  return %3, %4 : tensor<2xi32>, tensor<bf16>
}

func.func @infeed_goes_in_order() {
  %0:2 = "interpreter.run_parallel"() <{programs = [[@process]], infeed = [@first, @second]}> : () -> (tensor<2xi32>, tensor<bf16>)
  check.expect_eq_const %0#0, dense<[29, 38]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<16.0> : tensor<bf16>
  return
}
