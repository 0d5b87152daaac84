// stablehlo.broadcast_in_dim by its definition, over element types, edges and empty shapes.

func.func @broadcast_in_dim_i4() {
  %0 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi4>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<1x3xi4>) -> tensor<3x2x4xi4>
  check.expect_eq_const %1, dense<[[[1, 1, 1, 1], [1, 1, 1, 1]], [[2, 2, 2, 2], [2, 2, 2, 2]], [[3, 3, 3, 3], [3, 3, 3, 3]]]> : tensor<3x2x4xi4>
  return
}

func.func @broadcast_in_dim_i4_of_a_scalar() {
  %0 = stablehlo.constant dense<2> : tensor<i4>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i4>) -> tensor<2x3xi4>
  check.expect_eq_const %1, dense<[[2, 2, 2], [2, 2, 2]]> : tensor<2x3xi4>
  return
}

func.func @broadcast_in_dim_ui8() {
  %0 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xui8>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<1x3xui8>) -> tensor<3x2x4xui8>
  check.expect_eq_const %1, dense<[[[1, 1, 1, 1], [1, 1, 1, 1]], [[2, 2, 2, 2], [2, 2, 2, 2]], [[3, 3, 3, 3], [3, 3, 3, 3]]]> : tensor<3x2x4xui8>
  return
}

func.func @broadcast_in_dim_ui8_of_a_scalar() {
  %0 = stablehlo.constant dense<2> : tensor<ui8>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui8>) -> tensor<2x3xui8>
  check.expect_eq_const %1, dense<[[2, 2, 2], [2, 2, 2]]> : tensor<2x3xui8>
  return
}

func.func @broadcast_in_dim_i64() {
  %0 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<1x3xi64>) -> tensor<3x2x4xi64>
  check.expect_eq_const %1, dense<[[[1, 1, 1, 1], [1, 1, 1, 1]], [[2, 2, 2, 2], [2, 2, 2, 2]], [[3, 3, 3, 3], [3, 3, 3, 3]]]> : tensor<3x2x4xi64>
  return
}

func.func @broadcast_in_dim_i64_of_a_scalar() {
  %0 = stablehlo.constant dense<2> : tensor<i64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i64>) -> tensor<2x3xi64>
  check.expect_eq_const %1, dense<[[2, 2, 2], [2, 2, 2]]> : tensor<2x3xi64>
  return
}

func.func @broadcast_in_dim_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<1x3xf32>) -> tensor<3x2x4xf32>
  check.expect_eq_const %1, dense<[[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]], [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]], [[3.0, 3.0, 3.0, 3.0], [3.0, 3.0, 3.0, 3.0]]]> : tensor<3x2x4xf32>
  return
}

func.func @broadcast_in_dim_f32_of_a_scalar() {
  %0 = stablehlo.constant dense<2.0> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %1, dense<[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]> : tensor<2x3xf32>
  return
}

func.func @broadcast_in_dim_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xbf16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<1x3xbf16>) -> tensor<3x2x4xbf16>
  check.expect_eq_const %1, dense<[[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]], [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]], [[3.0, 3.0, 3.0, 3.0], [3.0, 3.0, 3.0, 3.0]]]> : tensor<3x2x4xbf16>
  return
}

func.func @broadcast_in_dim_bf16_of_a_scalar() {
  %0 = stablehlo.constant dense<2.0> : tensor<bf16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %1, dense<[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]> : tensor<2x3xbf16>
  return
}

func.func @broadcast_in_dim_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf8E4M3FNUZ>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<1x3xf8E4M3FNUZ>) -> tensor<3x2x4xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]], [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]], [[3.0, 3.0, 3.0, 3.0], [3.0, 3.0, 3.0, 3.0]]]> : tensor<3x2x4xf8E4M3FNUZ>
  return
}

func.func @broadcast_in_dim_f8E4M3FNUZ_of_a_scalar() {
  %0 = stablehlo.constant dense<2.0> : tensor<f8E4M3FNUZ>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @broadcast_in_dim_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf8E5M2FNUZ>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<1x3xf8E5M2FNUZ>) -> tensor<3x2x4xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]], [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]], [[3.0, 3.0, 3.0, 3.0], [3.0, 3.0, 3.0, 3.0]]]> : tensor<3x2x4xf8E5M2FNUZ>
  return
}

func.func @broadcast_in_dim_f8E5M2FNUZ_of_a_scalar() {
  %0 = stablehlo.constant dense<2.0> : tensor<f8E5M2FNUZ>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @broadcast_in_dim_i1() {
  %0 = stablehlo.constant dense<[[true, false, true]]> : tensor<1x3xi1>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<1x3xi1>) -> tensor<3x2x4xi1>
  check.expect_eq_const %1, dense<[[[true, true, true, true], [true, true, true, true]], [[false, false, false, false], [false, false, false, false]], [[true, true, true, true], [true, true, true, true]]]> : tensor<3x2x4xi1>
  return
}

func.func @broadcast_in_dim_i1_of_a_scalar() {
  %0 = stablehlo.constant dense<false> : tensor<i1>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i1>) -> tensor<2x3xi1>
  check.expect_eq_const %1, dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>
  return
}

func.func @broadcast_in_dim_complex_f64() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)]]> : tensor<1x3xcomplex<f64>>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<1x3xcomplex<f64>>) -> tensor<3x2x4xcomplex<f64>>
  check.expect_eq_const %1, dense<[[[(1.0, -2.0), (1.0, -2.0), (1.0, -2.0), (1.0, -2.0)], [(1.0, -2.0), (1.0, -2.0), (1.0, -2.0), (1.0, -2.0)]], [[(2.0, -1.0), (2.0, -1.0), (2.0, -1.0), (2.0, -1.0)], [(2.0, -1.0), (2.0, -1.0), (2.0, -1.0), (2.0, -1.0)]], [[(3.0, 0.0), (3.0, 0.0), (3.0, 0.0), (3.0, 0.0)], [(3.0, 0.0), (3.0, 0.0), (3.0, 0.0), (3.0, 0.0)]]]> : tensor<3x2x4xcomplex<f64>>
  return
}

func.func @broadcast_in_dim_complex_f64_of_a_scalar() {
  %0 = stablehlo.constant dense<(2.0, -1.0)> : tensor<complex<f64>>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
  check.expect_eq_const %1, dense<[[(2.0, -1.0), (2.0, -1.0), (2.0, -1.0)], [(2.0, -1.0), (2.0, -1.0), (2.0, -1.0)]]> : tensor<2x3xcomplex<f64>>
  return
}

func.func @broadcast_in_dim_quantized() {
  %0 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x3xf32>
  check.expect_eq_const %3, dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  return
}

// Without elements along the inner, the outer, or both dimensions, read through by a chain of elementwise operations.
func.func @broadcast_in_dim_of_nothing_in_a_chain() {
  %0 = stablehlo.constant dense<> : tensor<0xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<0xf32>) -> tensor<0x5xf32>
  %3 = stablehlo.iota dim = 1 : tensor<0x5xf32>
  %4 = stablehlo.add %2, %3 : tensor<0x5xf32>
  check.expect_eq_const %4, dense<> : tensor<0x5xf32>
  %5 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<0xf32>) -> tensor<5x0xf32>
  %6 = stablehlo.iota dim = 0 : tensor<5x0xf32>
  %7 = stablehlo.add %5, %6 : tensor<5x0xf32>
  check.expect_eq_const %7, dense<> : tensor<5x0xf32>
  %8 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<0x0xf32>
  %9 = stablehlo.iota dim = 0 : tensor<0x0xi32>
  %10 = stablehlo.iota dim = 1 : tensor<0x0xi32>
  %11 = stablehlo.compare EQ, %9, %10 : (tensor<0x0xi32>, tensor<0x0xi32>) -> tensor<0x0xi1>
  %12 = stablehlo.convert %11 : (tensor<0x0xi1>) -> tensor<0x0xf32>
  %13 = stablehlo.multiply %12, %8 : tensor<0x0xf32>
  check.expect_eq_const %13, dense<> : tensor<0x0xf32>
  return
}
