// stablehlo.uniform_quantize by its definition, over element types, edges and empty shapes.

func.func @uniform_quantize_i8() {
  %0 = stablehlo.constant dense<[0.0, 0.25, 0.75, -0.25, 1.0e+02, -1.0e+02, 1.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xi8>
  check.expect_eq_const %2, dense<[-3, -2, -2, -4, 127, -128, -1]> : tensor<7xi8>
  return
}

func.func @uniform_quantize_i4_bf16() {
  %0 = stablehlo.constant dense<[3.0, 5.0, -1.0e+02, 13.0]> : tensor<4xbf16>
  %1 = stablehlo.uniform_quantize %0 : (tensor<4xbf16>) -> tensor<4x!quant.uniform<i4:bf16, 2.0>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4x!quant.uniform<i4:bf16, 2.0>>) -> tensor<4xi4>
  check.expect_eq_const %2, dense<[2, 2, -8, 6]> : tensor<4xi4>
  return
}

func.func @uniform_quantize_ui8() {
  %0 = stablehlo.constant dense<[0.0, -1.0e+02, 40.0, 0.1]> : tensor<4xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<u8:f32, 0.25:128>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4x!quant.uniform<u8:f32, 0.25:128>>) -> tensor<4xu8>
  check.expect_eq_const %2, dense<[128, 0, 255, 128]> : tensor<4xu8>
  return
}

func.func @uniform_quantize_per_axis() {
  %0 = stablehlo.constant dense<[[1.0, 6.0], [-0.5, -3.0]]> : tensor<2x2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 2.0:-1}>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 2.0:-1}>>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[3, 2], [0, -2]]> : tensor<2x2xi8>
  return
}

func.func @uniform_quantize_narrow_range() {
  %0 = stablehlo.constant dense<[-5.0e+02, 5.0e+02, 2.5]> : tensor<3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8<-127:127>:f32, 1.0>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3x!quant.uniform<i8<-127:127>:f32, 1.0>>) -> tensor<3xi8>
  check.expect_eq_const %2, dense<[-127, 127, 2]> : tensor<3xi8>
  return
}
