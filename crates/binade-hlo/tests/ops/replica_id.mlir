// replica_id: what the specification says of it, over element types and edges.

func.func private @process() -> tensor<ui32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  return %0 : tensor<ui32>
}

func.func @replica_id() {
  %0:6 = "interpreter.run_parallel"() <{programs = [[@process, @process], [@process, @process], [@process, @process]]}> : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %0#0, dense<0> : tensor<ui32>
  check.expect_eq_const %0#1, dense<0> : tensor<ui32>
  check.expect_eq_const %0#2, dense<1> : tensor<ui32>
  check.expect_eq_const %0#3, dense<1> : tensor<ui32>
  check.expect_eq_const %0#4, dense<2> : tensor<ui32>
  check.expect_eq_const %0#5, dense<2> : tensor<ui32>
  return
}
