// stablehlo.clamp by its definition, over element types, edges and empty shapes.

func.func @clamp_i4() {
  %0 = stablehlo.constant dense<-2> : tensor<i4>
  %1 = stablehlo.constant dense<[-8, -2, 0, 3, 7]> : tensor<5xi4>
  %2 = stablehlo.constant dense<3> : tensor<i4>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<i4>, tensor<5xi4>, tensor<i4>) -> tensor<5xi4>
  check.expect_eq_const %3, dense<[-2, -2, 0, 3, 3]> : tensor<5xi4>
  return
}

func.func @clamp_i4_each() {
  %0 = stablehlo.constant dense<[1, 2, -3]> : tensor<3xi4>
  %1 = stablehlo.constant dense<[0, 3, -4]> : tensor<3xi4>
  %2 = stablehlo.constant dense<[5, 2, 0]> : tensor<3xi4>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<3xi4>, tensor<3xi4>, tensor<3xi4>) -> tensor<3xi4>
  check.expect_eq_const %3, dense<[1, 2, -3]> : tensor<3xi4>
  return
}

func.func @clamp_i8() {
  %0 = stablehlo.constant dense<-2> : tensor<i8>
  %1 = stablehlo.constant dense<[-8, -2, 0, 3, 7]> : tensor<5xi8>
  %2 = stablehlo.constant dense<3> : tensor<i8>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<i8>, tensor<5xi8>, tensor<i8>) -> tensor<5xi8>
  check.expect_eq_const %3, dense<[-2, -2, 0, 3, 3]> : tensor<5xi8>
  return
}

func.func @clamp_i8_each() {
  %0 = stablehlo.constant dense<[1, 2, -3]> : tensor<3xi8>
  %1 = stablehlo.constant dense<[0, 3, -4]> : tensor<3xi8>
  %2 = stablehlo.constant dense<[5, 2, 0]> : tensor<3xi8>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[1, 2, -3]> : tensor<3xi8>
  return
}

func.func @clamp_i64() {
  %0 = stablehlo.constant dense<-2> : tensor<i64>
  %1 = stablehlo.constant dense<[-8, -2, 0, 3, 7]> : tensor<5xi64>
  %2 = stablehlo.constant dense<3> : tensor<i64>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<i64>, tensor<5xi64>, tensor<i64>) -> tensor<5xi64>
  check.expect_eq_const %3, dense<[-2, -2, 0, 3, 3]> : tensor<5xi64>
  return
}

func.func @clamp_i64_each() {
  %0 = stablehlo.constant dense<[1, 2, -3]> : tensor<3xi64>
  %1 = stablehlo.constant dense<[0, 3, -4]> : tensor<3xi64>
  %2 = stablehlo.constant dense<[5, 2, 0]> : tensor<3xi64>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[1, 2, -3]> : tensor<3xi64>
  return
}

func.func @clamp_ui8() {
  %0 = stablehlo.constant dense<2> : tensor<ui8>
  %1 = stablehlo.constant dense<[0, 2, 5, 200]> : tensor<4xui8>
  %2 = stablehlo.constant dense<100> : tensor<ui8>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<ui8>, tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  check.expect_eq_const %3, dense<[2, 2, 5, 100]> : tensor<4xui8>
  return
}

func.func @clamp_ui64() {
  %0 = stablehlo.constant dense<2> : tensor<ui64>
  %1 = stablehlo.constant dense<[0, 2, 5, 200]> : tensor<4xui64>
  %2 = stablehlo.constant dense<100> : tensor<ui64>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<ui64>, tensor<4xui64>, tensor<ui64>) -> tensor<4xui64>
  check.expect_eq_const %3, dense<[2, 2, 5, 100]> : tensor<4xui64>
  return
}

func.func @clamp_f64() {
  %0 = stablehlo.constant dense<-1.0> : tensor<f64>
  %1 = stablehlo.constant dense<[-2.0, -0.5, 1.5, 0x7FF8000000000000]> : tensor<4xf64>
  %2 = stablehlo.constant dense<1.0> : tensor<f64>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<f64>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  check.expect_eq_const %3, dense<[-1.0, -0.5, 1.0, 0x7FF8000000000000]> : tensor<4xf64>
  return
}

func.func @clamp_f64_bounds() {
  %0 = stablehlo.constant dense<[0x7FF8000000000000, 0.0, 0.0]> : tensor<3xf64>
  %1 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf64>
  %2 = stablehlo.constant dense<[2.0, 0x7FF8000000000000, 0.5]> : tensor<3xf64>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  check.expect_eq_const %3, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0.5]> : tensor<3xf64>
  return
}

func.func @clamp_f32() {
  %0 = stablehlo.constant dense<-1.0> : tensor<f32>
  %1 = stablehlo.constant dense<[-2.0, -0.5, 1.5, 0x7FC00000]> : tensor<4xf32>
  %2 = stablehlo.constant dense<1.0> : tensor<f32>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %3, dense<[-1.0, -0.5, 1.0, 0x7FC00000]> : tensor<4xf32>
  return
}

func.func @clamp_f32_bounds() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0.0, 0.0]> : tensor<3xf32>
  %1 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %2 = stablehlo.constant dense<[2.0, 0x7FC00000, 0.5]> : tensor<3xf32>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[0x7FC00000, 0x7FC00000, 0.5]> : tensor<3xf32>
  return
}

func.func @clamp_bf16() {
  %0 = stablehlo.constant dense<-1.0> : tensor<bf16>
  %1 = stablehlo.constant dense<[-2.0, -0.5, 1.5, 0x7FC0]> : tensor<4xbf16>
  %2 = stablehlo.constant dense<1.0> : tensor<bf16>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<bf16>, tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  check.expect_eq_const %3, dense<[-1.0, -0.5, 1.0, 0x7FC0]> : tensor<4xbf16>
  return
}

func.func @clamp_bf16_bounds() {
  %0 = stablehlo.constant dense<[0x7FC0, 0.0, 0.0]> : tensor<3xbf16>
  %1 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xbf16>
  %2 = stablehlo.constant dense<[2.0, 0x7FC0, 0.5]> : tensor<3xbf16>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %3, dense<[0x7FC0, 0x7FC0, 0.5]> : tensor<3xbf16>
  return
}

func.func @clamp_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<-1.0> : tensor<f8E4M3FNUZ>
  %1 = stablehlo.constant dense<[-2.0, -0.5, 1.5, 0x80]> : tensor<4xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<1.0> : tensor<f8E4M3FNUZ>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<f8E4M3FNUZ>, tensor<4xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<4xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[-1.0, -0.5, 1.0, 0x80]> : tensor<4xf8E4M3FNUZ>
  return
}

func.func @clamp_f8E4M3FNUZ_bounds() {
  %0 = stablehlo.constant dense<[0x80, 0.0, 0.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf8E4M3FNUZ>
  %2 = stablehlo.constant dense<[2.0, 0x80, 0.5]> : tensor<3xf8E4M3FNUZ>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[0x80, 0x80, 0.5]> : tensor<3xf8E4M3FNUZ>
  return
}

func.func @clamp_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<-1.0> : tensor<f8E5M2FNUZ>
  %1 = stablehlo.constant dense<[-2.0, -0.5, 1.5, 0x80]> : tensor<4xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<1.0> : tensor<f8E5M2FNUZ>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<f8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[-1.0, -0.5, 1.0, 0x80]> : tensor<4xf8E5M2FNUZ>
  return
}

func.func @clamp_f8E5M2FNUZ_bounds() {
  %0 = stablehlo.constant dense<[0x80, 0.0, 0.0]> : tensor<3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf8E5M2FNUZ>
  %2 = stablehlo.constant dense<[2.0, 0x80, 0.5]> : tensor<3xf8E5M2FNUZ>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<3xf8E5M2FNUZ>, tensor<3xf8E5M2FNUZ>, tensor<3xf8E5M2FNUZ>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[0x80, 0x80, 0.5]> : tensor<3xf8E5M2FNUZ>
  return
}

func.func @clamp_f32_infinities() {
  %0 = stablehlo.constant dense<-1.0> : tensor<f32>
  %1 = stablehlo.constant dense<[0xFF800000, 0x7F800000]> : tensor<2xf32>
  %2 = stablehlo.constant dense<1.0> : tensor<f32>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %3, dense<[-1.0, 1.0]> : tensor<2xf32>
  return
}

func.func @clamp_f32_crossed_bounds() {
  %0 = stablehlo.constant dense<3.0> : tensor<f32>
  %1 = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %2 = stablehlo.constant dense<2.0> : tensor<f32>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %3, dense<[2.0, 2.0]> : tensor<2xf32>
  return
}

func.func @clamp_i1() {
  %0 = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
  %1 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %2 = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  check.expect_eq_const %3, dense<[true, true, false]> : tensor<3xi1>
  return
}

func.func @clamp_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.constant dense<[(0.0, 5.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %2 = stablehlo.constant dense<[(2.0, 1.0), (2.0, 1.0)]> : tensor<2xcomplex<f32>>
  %3 = stablehlo.clamp %0, %1, %2 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %3, dense<[(1.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

func.func @clamp_quantized() {
  %0 = stablehlo.constant dense<-1.0> : tensor<f32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.constant dense<2.5> : tensor<f32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5:-3>>
  %4 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %5 = stablehlo.uniform_quantize %4 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %6 = stablehlo.clamp %1, %5, %3 : (tensor<!quant.uniform<i8:f32, 0.5:-3>>, tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>, tensor<!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %7 = stablehlo.uniform_dequantize %6 : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x3xf32>
  check.expect_eq_const %7, dense<[[0.5, -1.0, 2.5], [2.5, -0.5, 1.0]]> : tensor<2x3xf32>
  return
}
