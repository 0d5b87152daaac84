// stablehlo.ceil, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @ceil_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<17xf64>
  %1 = stablehlo.ceil %0 : tensor<17xf64>
  check.expect_eq_const %1, dense<[0xFFF0000000000000, -2.0, -1.0, -1.0, -1.0, -0.0, -0.0, -0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<17xf64>
  return
}

func.func @ceil_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F800000, 0x7FC00000]> : tensor<17xf32>
  %1 = stablehlo.ceil %0 : tensor<17xf32>
  check.expect_eq_const %1, dense<[0xFF800000, -2.0, -1.0, -1.0, -1.0, -0.0, -0.0, -0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 0x7F800000, 0x7FC00000]> : tensor<17xf32>
  return
}

func.func @ceil_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %1 = stablehlo.ceil %0 : tensor<17xbf16>
  check.expect_eq_const %1, dense<[0xFF80, -2.0, -1.0, -1.0, -1.0, -0.0, -0.0, -0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  return
}

func.func @ceil_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E4M3FNUZ>
  %1 = stablehlo.ceil %0 : tensor<17xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, -2.0, -1.0, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 0x80, 0x80]> : tensor<17xf8E4M3FNUZ>
  return
}

func.func @ceil_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E5M2FNUZ>
  %1 = stablehlo.ceil %0 : tensor<17xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, -2.0, -1.0, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 0x80, 0x80]> : tensor<17xf8E5M2FNUZ>
  return
}

func.func @ceil_f64_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5]> : tensor<8xf64>
  %1 = stablehlo.ceil %0 : tensor<8xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf64>) -> tensor<8xui64>
  check.expect_eq_const %2, dense<[13835058055282163712, 9223372036854775808, 9223372036854775808, 9223372036854775808, 0, 4607182418800017408, 4611686018427387904, 4616189618054758400]> : tensor<8xui64>
  return
}

func.func @ceil_f32_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5]> : tensor<8xf32>
  %1 = stablehlo.ceil %0 : tensor<8xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf32>) -> tensor<8xui32>
  check.expect_eq_const %2, dense<[3221225472, 2147483648, 2147483648, 2147483648, 0, 1065353216, 1073741824, 1082130432]> : tensor<8xui32>
  return
}

func.func @ceil_bf16_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5]> : tensor<8xbf16>
  %1 = stablehlo.ceil %0 : tensor<8xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xbf16>) -> tensor<8xui16>
  check.expect_eq_const %2, dense<[49152, 32768, 32768, 32768, 0, 16256, 16384, 16512]> : tensor<8xui16>
  return
}

func.func @ceil_f8E4M3FNUZ_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, 0.0, 0.0, 0.5, 1.2, 3.5]> : tensor<8xf8E4M3FNUZ>
  %1 = stablehlo.ceil %0 : tensor<8xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf8E4M3FNUZ>) -> tensor<8xui8>
  check.expect_eq_const %2, dense<[200, 0, 0, 0, 0, 64, 72, 80]> : tensor<8xui8>
  return
}

func.func @ceil_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, 0.0, 0.0, 0.5, 1.2, 3.5]> : tensor<8xf8E5M2FNUZ>
  %1 = stablehlo.ceil %0 : tensor<8xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf8E5M2FNUZ>) -> tensor<8xui8>
  check.expect_eq_const %2, dense<[196, 0, 0, 0, 0, 64, 68, 72]> : tensor<8xui8>
  return
}

func.func @ceil_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.ceil %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[-62.0, -7.0, 0.0, 0.0, 2.0, 4.0, 65.0]> : tensor<7xf32>
  return
}
