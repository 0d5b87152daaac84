// sharding_constraint: what the specification says of it, over element types and edges.

sdy.mesh @mesh = <["x"=2]>
func.func @sharding_constraint_changes_nothing() {
  %0 = stablehlo.constant dense<[[1.0, -2.0]]> : tensor<1x2xf8E5M2FNUZ>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<1x2xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[1.0, -2.0]]> : tensor<1x2xf8E5M2FNUZ>
  return
}
