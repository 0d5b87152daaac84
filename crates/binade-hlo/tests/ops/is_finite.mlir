// stablehlo.is_finite, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @is_finite_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<17xf64>
  %1 = stablehlo.is_finite %0 : (tensor<17xf64>) -> tensor<17xi1>
  check.expect_eq_const %1, dense<[false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false]> : tensor<17xi1>
  return
}

func.func @is_finite_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F800000, 0x7FC00000]> : tensor<17xf32>
  %1 = stablehlo.is_finite %0 : (tensor<17xf32>) -> tensor<17xi1>
  check.expect_eq_const %1, dense<[false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false]> : tensor<17xi1>
  return
}

func.func @is_finite_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %1 = stablehlo.is_finite %0 : (tensor<17xbf16>) -> tensor<17xi1>
  check.expect_eq_const %1, dense<[false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false]> : tensor<17xi1>
  return
}

func.func @is_finite_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E4M3FNUZ>
  %1 = stablehlo.is_finite %0 : (tensor<17xf8E4M3FNUZ>) -> tensor<17xi1>
  check.expect_eq_const %1, dense<[false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false]> : tensor<17xi1>
  return
}

func.func @is_finite_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E5M2FNUZ>
  %1 = stablehlo.is_finite %0 : (tensor<17xf8E5M2FNUZ>) -> tensor<17xi1>
  check.expect_eq_const %1, dense<[false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false]> : tensor<17xi1>
  return
}

func.func @is_finite_quantized() {
  %0 = stablehlo.constant dense<[1.0, 0x7F800000]> : tensor<2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.is_finite %1 : (tensor<2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2xi1>
  check.expect_eq_const %2, dense<[true, true]> : tensor<2xi1>
  return
}
