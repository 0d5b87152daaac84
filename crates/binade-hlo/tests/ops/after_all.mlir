// after_all: what the specification says of it, over element types and edges.

func.func @after_all() {
  %0 = stablehlo.after_all  : !stablehlo.token
  %1 = stablehlo.after_all %0, %0 : !stablehlo.token
  %2 = stablehlo.constant dense<1> : tensor<i8>
  %3:2 = stablehlo.optimization_barrier %1, %2 : !stablehlo.token, tensor<i8>
  check.expect_eq_const %3#1, dense<1> : tensor<i8>
  return
}
