// stablehlo.broadcast by its definition, over element types, edges and empty shapes.

func.func @broadcast_i4() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi4>
  %1 = stablehlo.broadcast %0, sizes = [2, 1] : (tensor<3x2xi4>) -> tensor<2x1x3x2xi4>
  check.expect_eq_const %1, dense<[[[[1, 2], [3, 4], [5, 6]]], [[[1, 2], [3, 4], [5, 6]]]]> : tensor<2x1x3x2xi4>
  return
}

func.func @broadcast_ui8() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui8>
  %1 = stablehlo.broadcast %0, sizes = [2, 1] : (tensor<3x2xui8>) -> tensor<2x1x3x2xui8>
  check.expect_eq_const %1, dense<[[[[1, 2], [3, 4], [5, 6]]], [[[1, 2], [3, 4], [5, 6]]]]> : tensor<2x1x3x2xui8>
  return
}

func.func @broadcast_i64() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %1 = stablehlo.broadcast %0, sizes = [2, 1] : (tensor<3x2xi64>) -> tensor<2x1x3x2xi64>
  check.expect_eq_const %1, dense<[[[[1, 2], [3, 4], [5, 6]]], [[[1, 2], [3, 4], [5, 6]]]]> : tensor<2x1x3x2xi64>
  return
}

func.func @broadcast_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %1 = stablehlo.broadcast %0, sizes = [2, 1] : (tensor<3x2xf32>) -> tensor<2x1x3x2xf32>
  check.expect_eq_const %1, dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]], [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]]> : tensor<2x1x3x2xf32>
  return
}

func.func @broadcast_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  %1 = stablehlo.broadcast %0, sizes = [2, 1] : (tensor<3x2xbf16>) -> tensor<2x1x3x2xbf16>
  check.expect_eq_const %1, dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]], [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]]> : tensor<2x1x3x2xbf16>
  return
}

func.func @broadcast_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf8E4M3FNUZ>
  %1 = stablehlo.broadcast %0, sizes = [2, 1] : (tensor<3x2xf8E4M3FNUZ>) -> tensor<2x1x3x2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]], [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]]> : tensor<2x1x3x2xf8E4M3FNUZ>
  return
}

func.func @broadcast_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf8E5M2FNUZ>
  %1 = stablehlo.broadcast %0, sizes = [2, 1] : (tensor<3x2xf8E5M2FNUZ>) -> tensor<2x1x3x2xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]], [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]]> : tensor<2x1x3x2xf8E5M2FNUZ>
  return
}

func.func @broadcast_i1() {
  %0 = stablehlo.constant dense<[[true, false], [true, false], [true, false]]> : tensor<3x2xi1>
  %1 = stablehlo.broadcast %0, sizes = [2, 1] : (tensor<3x2xi1>) -> tensor<2x1x3x2xi1>
  check.expect_eq_const %1, dense<[[[[true, false], [true, false], [true, false]]], [[[true, false], [true, false], [true, false]]]]> : tensor<2x1x3x2xi1>
  return
}

func.func @broadcast_complex_f64() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]]> : tensor<3x2xcomplex<f64>>
  %1 = stablehlo.broadcast %0, sizes = [2, 1] : (tensor<3x2xcomplex<f64>>) -> tensor<2x1x3x2xcomplex<f64>>
  check.expect_eq_const %1, dense<[[[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]]], [[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]]]]> : tensor<2x1x3x2xcomplex<f64>>
  return
}

func.func @broadcast_quantized() {
  %0 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.broadcast %1, sizes = [2] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x2x3xf32>
  check.expect_eq_const %3, dense<[[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]], [[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]]> : tensor<2x2x3xf32>
  return
}
