// stablehlo.select by its definition, over element types, edges and empty shapes.

func.func @select_i4() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %2 = stablehlo.constant dense<[[4, 5, 6], [7, -8, -7]]> : tensor<2x3xi4>
  %3 = stablehlo.select %0, %1, %2 : tensor<2x3xi1>, tensor<2x3xi4>
  check.expect_eq_const %3, dense<[[1, 5, 3], [7, -8, 6]]> : tensor<2x3xi4>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.select %4, %1, %2 : tensor<i1>, tensor<2x3xi4>
  check.expect_eq_const %5, dense<[[4, 5, 6], [7, -8, -7]]> : tensor<2x3xi4>
  %6 = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.select %6, %1, %2 : tensor<i1>, tensor<2x3xi4>
  check.expect_eq_const %7, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  return
}

func.func @select_ui8() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %2 = stablehlo.constant dense<[[4, 5, 6], [7, 8, 9]]> : tensor<2x3xui8>
  %3 = stablehlo.select %0, %1, %2 : tensor<2x3xi1>, tensor<2x3xui8>
  check.expect_eq_const %3, dense<[[1, 5, 3], [7, 8, 6]]> : tensor<2x3xui8>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.select %4, %1, %2 : tensor<i1>, tensor<2x3xui8>
  check.expect_eq_const %5, dense<[[4, 5, 6], [7, 8, 9]]> : tensor<2x3xui8>
  %6 = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.select %6, %1, %2 : tensor<i1>, tensor<2x3xui8>
  check.expect_eq_const %7, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  return
}

func.func @select_i64() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %2 = stablehlo.constant dense<[[4, 5, 6], [7, 8, 9]]> : tensor<2x3xi64>
  %3 = stablehlo.select %0, %1, %2 : tensor<2x3xi1>, tensor<2x3xi64>
  check.expect_eq_const %3, dense<[[1, 5, 3], [7, 8, 6]]> : tensor<2x3xi64>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.select %4, %1, %2 : tensor<i1>, tensor<2x3xi64>
  check.expect_eq_const %5, dense<[[4, 5, 6], [7, 8, 9]]> : tensor<2x3xi64>
  %6 = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.select %6, %1, %2 : tensor<i1>, tensor<2x3xi64>
  check.expect_eq_const %7, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  return
}

func.func @select_f32() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %2 = stablehlo.constant dense<[[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<2x3xf32>
  %3 = stablehlo.select %0, %1, %2 : tensor<2x3xi1>, tensor<2x3xf32>
  check.expect_eq_const %3, dense<[[1.0, 5.0, 3.0], [7.0, 8.0, 6.0]]> : tensor<2x3xf32>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.select %4, %1, %2 : tensor<i1>, tensor<2x3xf32>
  check.expect_eq_const %5, dense<[[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<2x3xf32>
  %6 = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.select %6, %1, %2 : tensor<i1>, tensor<2x3xf32>
  check.expect_eq_const %7, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}

func.func @select_bf16() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %2 = stablehlo.constant dense<[[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<2x3xbf16>
  %3 = stablehlo.select %0, %1, %2 : tensor<2x3xi1>, tensor<2x3xbf16>
  check.expect_eq_const %3, dense<[[1.0, 5.0, 3.0], [7.0, 8.0, 6.0]]> : tensor<2x3xbf16>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.select %4, %1, %2 : tensor<i1>, tensor<2x3xbf16>
  check.expect_eq_const %5, dense<[[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<2x3xbf16>
  %6 = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.select %6, %1, %2 : tensor<i1>, tensor<2x3xbf16>
  check.expect_eq_const %7, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  return
}

func.func @select_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<2x3xf8E4M3FNUZ>
  %3 = stablehlo.select %0, %1, %2 : tensor<2x3xi1>, tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[[1.0, 5.0, 3.0], [7.0, 8.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.select %4, %1, %2 : tensor<i1>, tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<[[4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<2x3xf8E4M3FNUZ>
  %6 = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.select %6, %1, %2 : tensor<i1>, tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %7, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @select_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[[4.0, 5.0, 6.0], [7.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  %3 = stablehlo.select %0, %1, %2 : tensor<2x3xi1>, tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[[1.0, 5.0, 3.0], [7.0, 0.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.select %4, %1, %2 : tensor<i1>, tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<[[4.0, 5.0, 6.0], [7.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  %6 = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.select %6, %1, %2 : tensor<i1>, tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %7, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @select_i1() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %2 = stablehlo.constant dense<[[false, true, false], [true, false, true]]> : tensor<2x3xi1>
  %3 = stablehlo.select %0, %1, %2 : tensor<2x3xi1>, tensor<2x3xi1>
  check.expect_eq_const %3, dense<[[true, true, true], [true, false, false]]> : tensor<2x3xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.select %4, %1, %2 : tensor<i1>, tensor<2x3xi1>
  check.expect_eq_const %5, dense<[[false, true, false], [true, false, true]]> : tensor<2x3xi1>
  %6 = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.select %6, %1, %2 : tensor<i1>, tensor<2x3xi1>
  check.expect_eq_const %7, dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  return
}

func.func @select_complex_f64() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %2 = stablehlo.constant dense<[[(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0)]]> : tensor<2x3xcomplex<f64>>
  %3 = stablehlo.select %0, %1, %2 : tensor<2x3xi1>, tensor<2x3xcomplex<f64>>
  check.expect_eq_const %3, dense<[[(1.0, -2.0), (5.0, 2.0), (3.0, 0.0)], [(7.0, 4.0), (8.0, 5.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.select %4, %1, %2 : tensor<i1>, tensor<2x3xcomplex<f64>>
  check.expect_eq_const %5, dense<[[(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0)]]> : tensor<2x3xcomplex<f64>>
  %6 = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.select %6, %1, %2 : tensor<i1>, tensor<2x3xcomplex<f64>>
  check.expect_eq_const %7, dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  return
}

func.func @select_quantized() {
  %0 = stablehlo.constant dense<[[false, true, false], [true, false, false]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.constant dense<[[1.0, -3.0, 3.5], [-10.0, 0.5, 2.0]]> : tensor<2x3xf32>
  %4 = stablehlo.uniform_quantize %3 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %5 = stablehlo.select %0, %2, %4 : tensor<2x3xi1>, tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %6 = stablehlo.uniform_dequantize %5 : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x3xf32>
  check.expect_eq_const %6, dense<[[1.0, -2.0, 3.5], [10.0, 0.5, 2.0]]> : tensor<2x3xf32>
  return
}
