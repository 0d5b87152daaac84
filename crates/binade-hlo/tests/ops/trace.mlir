// trace: what the specification says of it, over element types and edges.

func.func @trace_changes_nothing() {
  %0 = stablehlo.constant dense<[1.0, 0x7FC0]> : tensor<2xbf16>
  stablehlo.trace %0, "name" : tensor<2xbf16>
  check.expect_eq_const %0, dense<[1.0, 0x7FC0]> : tensor<2xbf16>
  return
}
