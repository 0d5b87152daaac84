// stablehlo.cholesky by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @cholesky_f64() {
  %0 = stablehlo.constant dense<[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]]> : tensor<3x3xf64>
  %1 = stablehlo.cholesky %0, lower = true : tensor<3x3xf64>
  %2 = stablehlo.constant dense<[[true, false, false], [true, true, false], [true, true, true]]> : tensor<3x3xi1>
  %3 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %4 = stablehlo.select %2, %1, %3 : tensor<3x3xi1>, tensor<3x3xf64>
  check.expect_almost_eq_const %4, dense<[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf64>, tolerance = 1.0e-05
  %5 = stablehlo.cholesky %0, lower = false : tensor<3x3xf64>
  %6 = stablehlo.constant dense<[[true, true, true], [false, true, true], [false, false, true]]> : tensor<3x3xi1>
  %7 = stablehlo.select %6, %5, %3 : tensor<3x3xi1>, tensor<3x3xf64>
  check.expect_almost_eq_const %7, dense<[[2.0, 1.0, -1.0], [0.0, 3.0, 1.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf64>, tolerance = 1.0e-05
  return
}

func.func @cholesky_batches_f64() {
  %0 = stablehlo.constant dense<[[[4.0, 0.0], [0.0, 9.0]], [[1.0, 0.0], [0.0, 16.0]]]> : tensor<2x2x2xf64>
  %1 = stablehlo.cholesky %0, lower = true : tensor<2x2x2xf64>
  %2 = stablehlo.constant dense<[[[true, false], [false, true]], [[true, false], [false, true]]]> : tensor<2x2x2xi1>
  %3 = stablehlo.constant dense<[[[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  %4 = stablehlo.select %2, %1, %3 : tensor<2x2x2xi1>, tensor<2x2x2xf64>
  check.expect_almost_eq_const %4, dense<[[[2.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 4.0]]]> : tensor<2x2x2xf64>, tolerance = 1.0e-05
  return
}

func.func @cholesky_of_nothing_f64() {
  %0 = stablehlo.constant dense<> : tensor<2x0x0xf64>
  %1 = stablehlo.cholesky %0, lower = true : tensor<2x0x0xf64>
  check.expect_eq_const %1, dense<> : tensor<2x0x0xf64>
  return
}

func.func @cholesky_f32() {
  %0 = stablehlo.constant dense<[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]]> : tensor<3x3xf32>
  %1 = stablehlo.cholesky %0, lower = true : tensor<3x3xf32>
  %2 = stablehlo.constant dense<[[true, false, false], [true, true, false], [true, true, true]]> : tensor<3x3xi1>
  %3 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %4 = stablehlo.select %2, %1, %3 : tensor<3x3xi1>, tensor<3x3xf32>
  check.expect_almost_eq_const %4, dense<[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf32>, tolerance = 1.0e-05
  %5 = stablehlo.cholesky %0, lower = false : tensor<3x3xf32>
  %6 = stablehlo.constant dense<[[true, true, true], [false, true, true], [false, false, true]]> : tensor<3x3xi1>
  %7 = stablehlo.select %6, %5, %3 : tensor<3x3xi1>, tensor<3x3xf32>
  check.expect_almost_eq_const %7, dense<[[2.0, 1.0, -1.0], [0.0, 3.0, 1.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>, tolerance = 1.0e-05
  return
}

func.func @cholesky_batches_f32() {
  %0 = stablehlo.constant dense<[[[4.0, 0.0], [0.0, 9.0]], [[1.0, 0.0], [0.0, 16.0]]]> : tensor<2x2x2xf32>
  %1 = stablehlo.cholesky %0, lower = true : tensor<2x2x2xf32>
  %2 = stablehlo.constant dense<[[[true, false], [false, true]], [[true, false], [false, true]]]> : tensor<2x2x2xi1>
  %3 = stablehlo.constant dense<[[[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]> : tensor<2x2x2xf32>
  %4 = stablehlo.select %2, %1, %3 : tensor<2x2x2xi1>, tensor<2x2x2xf32>
  check.expect_almost_eq_const %4, dense<[[[2.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 4.0]]]> : tensor<2x2x2xf32>, tolerance = 1.0e-05
  return
}

func.func @cholesky_of_nothing_f32() {
  %0 = stablehlo.constant dense<> : tensor<2x0x0xf32>
  %1 = stablehlo.cholesky %0, lower = true : tensor<2x0x0xf32>
  check.expect_eq_const %1, dense<> : tensor<2x0x0xf32>
  return
}

func.func @cholesky_bf16() {
  %0 = stablehlo.constant dense<[[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 6.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.cholesky %0, lower = true : tensor<3x3xbf16>
  %2 = stablehlo.constant dense<[[true, false, false], [true, true, false], [true, true, true]]> : tensor<3x3xi1>
  %3 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xbf16>
  %4 = stablehlo.select %2, %1, %3 : tensor<3x3xi1>, tensor<3x3xbf16>
  check.expect_almost_eq_const %4, dense<[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xbf16>, tolerance = 1.0e-05
  %5 = stablehlo.cholesky %0, lower = false : tensor<3x3xbf16>
  %6 = stablehlo.constant dense<[[true, true, true], [false, true, true], [false, false, true]]> : tensor<3x3xi1>
  %7 = stablehlo.select %6, %5, %3 : tensor<3x3xi1>, tensor<3x3xbf16>
  check.expect_almost_eq_const %7, dense<[[2.0, 1.0, -1.0], [0.0, 3.0, 1.0], [0.0, 0.0, 2.0]]> : tensor<3x3xbf16>, tolerance = 1.0e-05
  return
}

func.func @cholesky_batches_bf16() {
  %0 = stablehlo.constant dense<[[[4.0, 0.0], [0.0, 9.0]], [[1.0, 0.0], [0.0, 16.0]]]> : tensor<2x2x2xbf16>
  %1 = stablehlo.cholesky %0, lower = true : tensor<2x2x2xbf16>
  %2 = stablehlo.constant dense<[[[true, false], [false, true]], [[true, false], [false, true]]]> : tensor<2x2x2xi1>
  %3 = stablehlo.constant dense<[[[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]> : tensor<2x2x2xbf16>
  %4 = stablehlo.select %2, %1, %3 : tensor<2x2x2xi1>, tensor<2x2x2xbf16>
  check.expect_almost_eq_const %4, dense<[[[2.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 4.0]]]> : tensor<2x2x2xbf16>, tolerance = 1.0e-05
  return
}

func.func @cholesky_of_nothing_bf16() {
  %0 = stablehlo.constant dense<> : tensor<2x0x0xbf16>
  %1 = stablehlo.cholesky %0, lower = true : tensor<2x0x0xbf16>
  check.expect_eq_const %1, dense<> : tensor<2x0x0xbf16>
  return
}

func.func @cholesky_quantized() {
  %0 = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.cholesky %1, lower = true : tensor<2x2x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x2xf32>
  %4 = stablehlo.slice %3 [1:2, 0:2] : (tensor<2x2xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %4, dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  return
}
