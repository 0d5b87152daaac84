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

func.func private @comparator(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// The exact ones, by the function's comparison; of equal ones those that come first.
func.func @custom_call_approx_top_k() {
  %0 = stablehlo.constant dense<[[3.0, 0.0], [-1.0, 0.0], [2.0, -5.0], [-1.0, 7.0]]> : tensor<4x2xf32>
  %1 = stablehlo.iota dim = 0 : tensor<4x2xi32>
  %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %3 = stablehlo.constant dense<-1> : tensor<i32>
  %4:2 = stablehlo.custom_call @ApproxTopK(%0, %1, %2, %3) {backend_config = "", called_computations = [@comparator], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x2xf32>, tensor<4x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  check.expect_eq_const %4#0, dense<[[-1.0, -5.0], [-1.0, 0.0], [2.0, 0.0]]> : tensor<3x2xf32>
  check.expect_eq_const %4#1, dense<[[1, 2], [3, 0], [2, 1]]> : tensor<3x2xi32>
  return
}
