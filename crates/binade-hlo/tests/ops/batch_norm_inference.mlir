// stablehlo.batch_norm_inference by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @batch_norm_inference_f64() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %2 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf64>
  %3 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %4 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  check.expect_almost_eq_const %5, dense<[[[0.0, -3.0], [2.0, 1.0]], [[2.0, 1.0], [0.0, -3.0]]]> : tensor<2x2x2xf64>, tolerance = 1.0e-05
  return
}

func.func @batch_norm_inference_f32() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %3 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %4 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  check.expect_almost_eq_const %5, dense<[[[0.0, -3.0], [2.0, 1.0]], [[2.0, 1.0], [0.0, -3.0]]]> : tensor<2x2x2xf32>, tolerance = 1.0e-05
  return
}

func.func @batch_norm_inference_bf16() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xbf16>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %2 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xbf16>
  %3 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xbf16>
  %4 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xbf16>
  %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<2x2x2xbf16>
  check.expect_almost_eq_const %5, dense<[[[0.0, -3.0], [2.0, 1.0]], [[2.0, 1.0], [0.0, -3.0]]]> : tensor<2x2x2xbf16>, tolerance = 0.03
  return
}

func.func @batch_norm_inference_epsilon_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 0.0, 4.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf32>
  %2 = stablehlo.constant dense<[0.0, 3.0]> : tensor<2xf32>
  %3 = stablehlo.constant dense<[2.0, 0.0]> : tensor<2xf32>
  %4 = stablehlo.constant dense<[0.6666667, 10.666667]> : tensor<2xf32>
  %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{epsilon = 0.25 : f32, feature_index = 0 : i64}> : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %5, dense<[[-2.0889318, 0.0, 2.0889318], [2.39468, 3.0, 3.60532]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

func.func @batch_norm_inference_epsilon_f64() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 0.0, 4.0]]> : tensor<2x3xf64>
  %1 = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf64>
  %2 = stablehlo.constant dense<[0.0, 3.0]> : tensor<2xf64>
  %3 = stablehlo.constant dense<[2.0, 0.0]> : tensor<2xf64>
  %4 = stablehlo.constant dense<[0.6666666666666666, 10.666666666666666]> : tensor<2xf64>
  %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{epsilon = 0.25 : f32, feature_index = 0 : i64}> : (tensor<2x3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %5, dense<[[-2.088931871468374, 0.0, 2.088931871468374], [2.394680073233618, 3.0, 3.605319926766382]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  return
}

// (3 - 1) / 2 * 2 + 1 and (7 - 1) / 2 * 2 + 1.
func.func @batch_norm_inference_quantized() {
  %0 = stablehlo.constant dense<[[3.0], [7.0]]> : tensor<2x1xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<1xf32>
  %2 = stablehlo.constant dense<1.0> : tensor<1xf32>
  %3 = stablehlo.constant dense<4.0> : tensor<1xf32>
  %x = stablehlo.uniform_quantize %0 : (tensor<2x1xf32>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  %two = stablehlo.uniform_quantize %1 : (tensor<1xf32>) -> tensor<1x!quant.uniform<i8:f32, 0.5>>
  %one = stablehlo.uniform_quantize %2 : (tensor<1xf32>) -> tensor<1x!quant.uniform<i8:f32, 0.5>>
  %four = stablehlo.uniform_quantize %3 : (tensor<1xf32>) -> tensor<1x!quant.uniform<i8:f32, 0.5>>
  %4 = "stablehlo.batch_norm_inference"(%x, %two, %one, %one, %four) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x1x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>, tensor<1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  %5 = stablehlo.uniform_dequantize %4 : (tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x1xf32>
  check.expect_eq_const %5, dense<[[3.0], [7.0]]> : tensor<2x1xf32>
  return
}
