// custom_call: what the specification says of it, over element types and edges.

func.func @custom_call_that_passes() {
  %0 = stablehlo.constant dense<[1.0, -2.4e+02]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[1.0, -2.4e+02]> : tensor<2xf8E4M3FNUZ>
  %2 = stablehlo.custom_call @check.eq(%0, %1) : (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<i1>
  check.expect_eq_const %2, dense<true> : tensor<i1>
  return
}

func.func @custom_call_erf() {
  %0 = stablehlo.constant dense<[0.5, -2.0, 0x7F800000]> : tensor<3xf32>
  %1 = stablehlo.custom_call @mhlo.erf(%0) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %2 = stablehlo.constant dense<[0.5204999, -0.9953223, 1.0]> : tensor<3xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>
  return
}

func.func @custom_call_shape_assertion() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%0) {error_message = "no", has_side_effect = true} : (tensor<i1>) -> ()
  return
}

// The call tolerates an absolute difference of 1e-3, ten times what the operation of that name does.
func.func @custom_call_expect_almost_eq() {
  %0 = stablehlo.constant dense<[1.0, -20.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.0009, -20.0009]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %1) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
