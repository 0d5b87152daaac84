// stablehlo.transpose by its definition, over element types, edges and empty shapes.

func.func @transpose_i4_201() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, -8], [-7, -6], [-5, -4]]]> : tensor<2x3x2xi4>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x2xi4>) -> tensor<2x2x3xi4>
  check.expect_eq_const %1, dense<[[[1, 3, 5], [7, -7, -5]], [[2, 4, 6], [-8, -6, -4]]]> : tensor<2x2x3xi4>
  return
}

func.func @transpose_i4_102() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, -8], [-7, -6], [-5, -4]]]> : tensor<2x3x2xi4>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x2xi4>) -> tensor<3x2x2xi4>
  check.expect_eq_const %1, dense<[[[1, 2], [7, -8]], [[3, 4], [-7, -6]], [[5, 6], [-5, -4]]]> : tensor<3x2x2xi4>
  return
}

func.func @transpose_i4_012() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, -8], [-7, -6], [-5, -4]]]> : tensor<2x3x2xi4>
  %1 = stablehlo.transpose %0, dims = [0, 1, 2] : (tensor<2x3x2xi4>) -> tensor<2x3x2xi4>
  check.expect_eq_const %1, dense<[[[1, 2], [3, 4], [5, 6]], [[7, -8], [-7, -6], [-5, -4]]]> : tensor<2x3x2xi4>
  return
}

func.func @transpose_i4_210() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, -8], [-7, -6], [-5, -4]]]> : tensor<2x3x2xi4>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x2xi4>) -> tensor<2x3x2xi4>
  check.expect_eq_const %1, dense<[[[1, 7], [3, -7], [5, -5]], [[2, -8], [4, -6], [6, -4]]]> : tensor<2x3x2xi4>
  return
}

func.func @transpose_ui8_201() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui8>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x2xui8>) -> tensor<2x2x3xui8>
  check.expect_eq_const %1, dense<[[[1, 3, 5], [7, 9, 11]], [[2, 4, 6], [8, 10, 12]]]> : tensor<2x2x3xui8>
  return
}

func.func @transpose_ui8_102() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui8>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x2xui8>) -> tensor<3x2x2xui8>
  check.expect_eq_const %1, dense<[[[1, 2], [7, 8]], [[3, 4], [9, 10]], [[5, 6], [11, 12]]]> : tensor<3x2x2xui8>
  return
}

func.func @transpose_ui8_012() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui8>
  %1 = stablehlo.transpose %0, dims = [0, 1, 2] : (tensor<2x3x2xui8>) -> tensor<2x3x2xui8>
  check.expect_eq_const %1, dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui8>
  return
}

func.func @transpose_ui8_210() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui8>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x2xui8>) -> tensor<2x3x2xui8>
  check.expect_eq_const %1, dense<[[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]> : tensor<2x3x2xui8>
  return
}

func.func @transpose_i64_201() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x2xi64>) -> tensor<2x2x3xi64>
  check.expect_eq_const %1, dense<[[[1, 3, 5], [7, 9, 11]], [[2, 4, 6], [8, 10, 12]]]> : tensor<2x2x3xi64>
  return
}

func.func @transpose_i64_102() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x2xi64>) -> tensor<3x2x2xi64>
  check.expect_eq_const %1, dense<[[[1, 2], [7, 8]], [[3, 4], [9, 10]], [[5, 6], [11, 12]]]> : tensor<3x2x2xi64>
  return
}

func.func @transpose_i64_012() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.transpose %0, dims = [0, 1, 2] : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %1, dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi64>
  return
}

func.func @transpose_i64_210() {
  %0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %1, dense<[[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]> : tensor<2x3x2xi64>
  return
}

func.func @transpose_f32_201() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x2xf32>) -> tensor<2x2x3xf32>
  check.expect_eq_const %1, dense<[[[1.0, 3.0, 5.0], [7.0, 9.0, 11.0]], [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]]> : tensor<2x2x3xf32>
  return
}

func.func @transpose_f32_102() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x2xf32>) -> tensor<3x2x2xf32>
  check.expect_eq_const %1, dense<[[[1.0, 2.0], [7.0, 8.0]], [[3.0, 4.0], [9.0, 10.0]], [[5.0, 6.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  return
}

func.func @transpose_f32_012() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.transpose %0, dims = [0, 1, 2] : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %1, dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @transpose_f32_210() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %1, dense<[[[1.0, 7.0], [3.0, 9.0], [5.0, 11.0]], [[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @transpose_bf16_201() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x2xbf16>) -> tensor<2x2x3xbf16>
  check.expect_eq_const %1, dense<[[[1.0, 3.0, 5.0], [7.0, 9.0, 11.0]], [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]]> : tensor<2x2x3xbf16>
  return
}

func.func @transpose_bf16_102() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x2xbf16>) -> tensor<3x2x2xbf16>
  check.expect_eq_const %1, dense<[[[1.0, 2.0], [7.0, 8.0]], [[3.0, 4.0], [9.0, 10.0]], [[5.0, 6.0], [11.0, 12.0]]]> : tensor<3x2x2xbf16>
  return
}

func.func @transpose_bf16_012() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 1, 2] : (tensor<2x3x2xbf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %1, dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xbf16>
  return
}

func.func @transpose_bf16_210() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x2xbf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %1, dense<[[[1.0, 7.0], [3.0, 9.0], [5.0, 11.0]], [[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]]]> : tensor<2x3x2xbf16>
  return
}

func.func @transpose_f8E4M3FNUZ_201() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x2xf8E4M3FNUZ>) -> tensor<2x2x3xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 3.0, 5.0], [7.0, 9.0, 11.0]], [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]]> : tensor<2x2x3xf8E4M3FNUZ>
  return
}

func.func @transpose_f8E4M3FNUZ_102() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x2xf8E4M3FNUZ>) -> tensor<3x2x2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 2.0], [7.0, 8.0]], [[3.0, 4.0], [9.0, 10.0]], [[5.0, 6.0], [11.0, 12.0]]]> : tensor<3x2x2xf8E4M3FNUZ>
  return
}

func.func @transpose_f8E4M3FNUZ_012() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.transpose %0, dims = [0, 1, 2] : (tensor<2x3x2xf8E4M3FNUZ>) -> tensor<2x3x2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  return
}

func.func @transpose_f8E4M3FNUZ_210() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x2xf8E4M3FNUZ>) -> tensor<2x3x2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 7.0], [3.0, 9.0], [5.0, 11.0]], [[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  return
}

func.func @transpose_f8E5M2FNUZ_201() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 0.0], [1.0, 2.0], [3.0, 4.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x2xf8E5M2FNUZ>) -> tensor<2x2x3xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 3.0, 5.0], [7.0, 1.0, 3.0]], [[2.0, 4.0, 6.0], [0.0, 2.0, 4.0]]]> : tensor<2x2x3xf8E5M2FNUZ>
  return
}

func.func @transpose_f8E5M2FNUZ_102() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 0.0], [1.0, 2.0], [3.0, 4.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x2xf8E5M2FNUZ>) -> tensor<3x2x2xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 2.0], [7.0, 0.0]], [[3.0, 4.0], [1.0, 2.0]], [[5.0, 6.0], [3.0, 4.0]]]> : tensor<3x2x2xf8E5M2FNUZ>
  return
}

func.func @transpose_f8E5M2FNUZ_012() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 0.0], [1.0, 2.0], [3.0, 4.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.transpose %0, dims = [0, 1, 2] : (tensor<2x3x2xf8E5M2FNUZ>) -> tensor<2x3x2xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 0.0], [1.0, 2.0], [3.0, 4.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  return
}

func.func @transpose_f8E5M2FNUZ_210() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 0.0], [1.0, 2.0], [3.0, 4.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x2xf8E5M2FNUZ>) -> tensor<2x3x2xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[[1.0, 7.0], [3.0, 1.0], [5.0, 3.0]], [[2.0, 0.0], [4.0, 2.0], [6.0, 4.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  return
}

func.func @transpose_i1_201() {
  %0 = stablehlo.constant dense<[[[true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false]]]> : tensor<2x3x2xi1>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x2xi1>) -> tensor<2x2x3xi1>
  check.expect_eq_const %1, dense<[[[true, true, true], [true, true, true]], [[false, false, false], [false, false, false]]]> : tensor<2x2x3xi1>
  return
}

func.func @transpose_i1_102() {
  %0 = stablehlo.constant dense<[[[true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false]]]> : tensor<2x3x2xi1>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x2xi1>) -> tensor<3x2x2xi1>
  check.expect_eq_const %1, dense<[[[true, false], [true, false]], [[true, false], [true, false]], [[true, false], [true, false]]]> : tensor<3x2x2xi1>
  return
}

func.func @transpose_i1_012() {
  %0 = stablehlo.constant dense<[[[true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false]]]> : tensor<2x3x2xi1>
  %1 = stablehlo.transpose %0, dims = [0, 1, 2] : (tensor<2x3x2xi1>) -> tensor<2x3x2xi1>
  check.expect_eq_const %1, dense<[[[true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false]]]> : tensor<2x3x2xi1>
  return
}

func.func @transpose_i1_210() {
  %0 = stablehlo.constant dense<[[[true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false]]]> : tensor<2x3x2xi1>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x2xi1>) -> tensor<2x3x2xi1>
  check.expect_eq_const %1, dense<[[[true, true], [true, true], [true, true]], [[false, false], [false, false], [false, false]]]> : tensor<2x3x2xi1>
  return
}

func.func @transpose_complex_f64_201() {
  %0 = stablehlo.constant dense<[[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]], [[(7.0, 4.0), (8.0, 5.0)], [(9.0, 6.0), (10.0, 7.0)], [(11.0, 8.0), (12.0, 9.0)]]]> : tensor<2x3x2xcomplex<f64>>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<2x3x2xcomplex<f64>>) -> tensor<2x2x3xcomplex<f64>>
  check.expect_eq_const %1, dense<[[[(1.0, -2.0), (3.0, 0.0), (5.0, 2.0)], [(7.0, 4.0), (9.0, 6.0), (11.0, 8.0)]], [[(2.0, -1.0), (4.0, 1.0), (6.0, 3.0)], [(8.0, 5.0), (10.0, 7.0), (12.0, 9.0)]]]> : tensor<2x2x3xcomplex<f64>>
  return
}

func.func @transpose_complex_f64_102() {
  %0 = stablehlo.constant dense<[[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]], [[(7.0, 4.0), (8.0, 5.0)], [(9.0, 6.0), (10.0, 7.0)], [(11.0, 8.0), (12.0, 9.0)]]]> : tensor<2x3x2xcomplex<f64>>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x2xcomplex<f64>>) -> tensor<3x2x2xcomplex<f64>>
  check.expect_eq_const %1, dense<[[[(1.0, -2.0), (2.0, -1.0)], [(7.0, 4.0), (8.0, 5.0)]], [[(3.0, 0.0), (4.0, 1.0)], [(9.0, 6.0), (10.0, 7.0)]], [[(5.0, 2.0), (6.0, 3.0)], [(11.0, 8.0), (12.0, 9.0)]]]> : tensor<3x2x2xcomplex<f64>>
  return
}

func.func @transpose_complex_f64_012() {
  %0 = stablehlo.constant dense<[[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]], [[(7.0, 4.0), (8.0, 5.0)], [(9.0, 6.0), (10.0, 7.0)], [(11.0, 8.0), (12.0, 9.0)]]]> : tensor<2x3x2xcomplex<f64>>
  %1 = stablehlo.transpose %0, dims = [0, 1, 2] : (tensor<2x3x2xcomplex<f64>>) -> tensor<2x3x2xcomplex<f64>>
  check.expect_eq_const %1, dense<[[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]], [[(7.0, 4.0), (8.0, 5.0)], [(9.0, 6.0), (10.0, 7.0)], [(11.0, 8.0), (12.0, 9.0)]]]> : tensor<2x3x2xcomplex<f64>>
  return
}

func.func @transpose_complex_f64_210() {
  %0 = stablehlo.constant dense<[[[(1.0, -2.0), (2.0, -1.0)], [(3.0, 0.0), (4.0, 1.0)], [(5.0, 2.0), (6.0, 3.0)]], [[(7.0, 4.0), (8.0, 5.0)], [(9.0, 6.0), (10.0, 7.0)], [(11.0, 8.0), (12.0, 9.0)]]]> : tensor<2x3x2xcomplex<f64>>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<2x3x2xcomplex<f64>>) -> tensor<2x3x2xcomplex<f64>>
  check.expect_eq_const %1, dense<[[[(1.0, -2.0), (7.0, 4.0)], [(3.0, 0.0), (9.0, 6.0)], [(5.0, 2.0), (11.0, 8.0)]], [[(2.0, -1.0), (8.0, 5.0)], [(4.0, 1.0), (10.0, 7.0)], [(6.0, 3.0), (12.0, 9.0)]]]> : tensor<2x3x2xcomplex<f64>>
  return
}

func.func @transpose_quantized() {
  %0 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<3x2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<3x2xf32>
  check.expect_eq_const %3, dense<[[0.5, 10.0], [-2.0, -0.5], [3.5, 1.0]]> : tensor<3x2xf32>
  return
}

func.func @transpose_of_nothing() {
  %0 = stablehlo.constant dense<> : tensor<0x4xi8>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<0x4xi8>) -> tensor<4x0xi8>
  check.expect_eq_const %1, dense<> : tensor<4x0xi8>
  return
}

func.func @transpose_scalar() {
  %0 = stablehlo.constant dense<1.5> : tensor<bf16>
  %1 = stablehlo.transpose %0, dims = [] : (tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %1, dense<1.5> : tensor<bf16>
  return
}

// Scales go with the dimension that they vary along.
func.func @transpose_scales_along_an_axis() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 8.0, 12.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 2.0:-2}>>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5:1, 2.0:-2}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 2.0:-2}>>
  %3 = stablehlo.reshape %2 : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 2.0:-2}>>) -> tensor<3x2x1x!quant.uniform<i8:f32:1, {0.5:1, 2.0:-2}>>
  %4 = stablehlo.uniform_dequantize %3 : (tensor<3x2x1x!quant.uniform<i8:f32:1, {0.5:1, 2.0:-2}>>) -> tensor<3x2x1xf32>
  check.expect_eq_const %4, dense<[[[1.0], [4.0]], [[2.0], [8.0]], [[3.0], [12.0]]]> : tensor<3x2x1xf32>
  return
}
