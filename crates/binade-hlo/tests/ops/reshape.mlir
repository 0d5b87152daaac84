// stablehlo.reshape by its definition, over element types, edges and empty shapes.

func.func @reshape_i4() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, -8], [-7, -6], [-5, -4]]]> : tensor<2x3x2xi4>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xi4>) -> tensor<3x1x4xi4>
  check.expect_eq_const %1, dense<[[[1, 2, 3, 4]], [[5, 6, 7, -8]], [[-7, -6, -5, -4]]]> : tensor<3x1x4xi4>
  return
}

func.func @reshape_i4_flat() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, -8], [-7, -6], [-5, -4]]]> : tensor<2x3x2xi4>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xi4>) -> tensor<12xi4>
  check.expect_eq_const %1, dense<[1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4]> : tensor<12xi4>
  return
}

func.func @reshape_ui8() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui8>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xui8>) -> tensor<3x1x4xui8>
  check.expect_eq_const %1, dense<[[[1, 2, 3, 4]], [[5, 6, 7, 8]], [[9, 10, 11, 12]]]> : tensor<3x1x4xui8>
  return
}

func.func @reshape_ui8_flat() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui8>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xui8>) -> tensor<12xui8>
  check.expect_eq_const %1, dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]> : tensor<12xui8>
  return
}

func.func @reshape_i64() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xi64>) -> tensor<3x1x4xi64>
  check.expect_eq_const %1, dense<[[[1, 2, 3, 4]], [[5, 6, 7, 8]], [[9, 10, 11, 12]]]> : tensor<3x1x4xi64>
  return
}

func.func @reshape_i64_flat() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xi64>) -> tensor<12xi64>
  check.expect_eq_const %1, dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]> : tensor<12xi64>
  return
}

func.func @reshape_f32() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xf32>) -> tensor<3x1x4xf32>
  check.expect_eq_const %1, dense<[[[1.0, 2.0, 3.0, 4.0]], [[5.0, 6.0, 7.0, 8.0]], [[9.0, 10.0, 11.0, 12.0]]]> : tensor<3x1x4xf32>
  return
}

func.func @reshape_f32_flat() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xf32>) -> tensor<12xf32>
  check.expect_eq_const %1, dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf32>
  return
}

func.func @reshape_bf16() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xbf16>) -> tensor<3x1x4xbf16>
  check.expect_eq_const %1, dense<[[[1.0, 2.0, 3.0, 4.0]], [[5.0, 6.0, 7.0, 8.0]], [[9.0, 10.0, 11.0, 12.0]]]> : tensor<3x1x4xbf16>
  return
}

func.func @reshape_bf16_flat() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xbf16>) -> tensor<12xbf16>
  check.expect_eq_const %1, dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xbf16>
  return
}

func.func @reshape_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xf8E4M3FNUZ>) -> tensor<3x1x4xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 2.0, 3.0, 4.0]], [[5.0, 6.0, 7.0, 8.0]], [[9.0, 10.0, 11.0, 12.0]]]> : tensor<3x1x4xf8E4M3FNUZ>
  return
}

func.func @reshape_f8E4M3FNUZ_flat() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xf8E4M3FNUZ>) -> tensor<12xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf8E4M3FNUZ>
  return
}

func.func @reshape_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 0.0], [1.0, 2.0], [3.0, 4.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xf8E5M2FNUZ>) -> tensor<3x1x4xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 2.0, 3.0, 4.0]], [[5.0, 6.0, 7.0, 0.0]], [[1.0, 2.0, 3.0, 4.0]]]> : tensor<3x1x4xf8E5M2FNUZ>
  return
}

func.func @reshape_f8E5M2FNUZ_flat() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 0.0], [1.0, 2.0], [3.0, 4.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xf8E5M2FNUZ>) -> tensor<12xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<12xf8E5M2FNUZ>
  return
}

func.func @reshape_i1() {
  %0 = stablehlo.constant dense<[[[true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false]]]> : tensor<2x3x2xi1>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xi1>) -> tensor<3x1x4xi1>
  check.expect_eq_const %1, dense<[[[true, false, true, false]], [[true, false, true, false]], [[true, false, true, false]]]> : tensor<3x1x4xi1>
  return
}

func.func @reshape_i1_flat() {
  %0 = stablehlo.constant dense<[[[true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false]]]> : tensor<2x3x2xi1>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xi1>) -> tensor<12xi1>
  check.expect_eq_const %1, dense<[true, false, true, false, true, false, true, false, true, false, true, false]> : tensor<12xi1>
  return
}

func.func @reshape_complex_f64() {
  %0 = stablehlo.constant dense<[[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]], [[(7.0, 4.0), (8.0, 5.0)], [(9.0, 6.0), (10.0, 7.0)], [(11.0, 8.0), (12.0, 9.0)]]]> : tensor<2x3x2xcomplex<f64>>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xcomplex<f64>>) -> tensor<3x1x4xcomplex<f64>>
  check.expect_eq_const %1, dense<[[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0)]], [[(5.0, 2.0), (6.0, 3.0), (7.0, 4.0), (8.0, 5.0)]], [[(9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)]]]> : tensor<3x1x4xcomplex<f64>>
  return
}

func.func @reshape_complex_f64_flat() {
  %0 = stablehlo.constant dense<[[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]], [[(7.0, 4.0), (8.0, 5.0)], [(9.0, 6.0), (10.0, 7.0)], [(11.0, 8.0), (12.0, 9.0)]]]> : tensor<2x3x2xcomplex<f64>>
  %1 = stablehlo.reshape %0 : (tensor<2x3x2xcomplex<f64>>) -> tensor<12xcomplex<f64>>
  check.expect_eq_const %1, dense<[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0), (7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)]> : tensor<12xcomplex<f64>>
  return
}

func.func @reshape_quantized() {
  %0 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.reshape %1 : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<3x2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<3x2xf32>
  check.expect_eq_const %3, dense<[[0.5, -2.0], [3.5, 10.0], [-0.5, 1.0]]> : tensor<3x2xf32>
  return
}

func.func @reshape_to_a_scalar() {
  %0 = stablehlo.constant dense<[[2.5]]> : tensor<1x1xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x1xf32>) -> tensor<f32>
  check.expect_eq_const %1, dense<2.5> : tensor<f32>
  return
}

func.func @reshape_of_nothing() {
  %0 = stablehlo.constant dense<> : tensor<0x4xi8>
  %1 = stablehlo.reshape %0 : (tensor<0x4xi8>) -> tensor<2x0x3xi8>
  check.expect_eq_const %1, dense<> : tensor<2x0x3xi8>
  return
}
