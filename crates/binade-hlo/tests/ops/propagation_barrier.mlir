// sdy.propagation_barrier keeps shardings apart, and the value as it is.

func.func @propagation_barrier_changes_nothing() {
  %0 = stablehlo.constant dense<[5, -6]> : tensor<2xi4>
  %1 = sdy.propagation_barrier %0 allowed_direction=NONE : tensor<2xi4>
  %2 = sdy.propagation_barrier %1 allowed_direction=FORWARD {note} : tensor<2xi4>
  check.expect_eq_const %2, dense<[5, -6]> : tensor<2xi4>
  return
}
