// stablehlo.slice by its definition, over element types, edges and empty shapes.

func.func @slice_i4() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, -8, -7, -6, -5, -4], [-3, -2, -1, 0, 1, 2], [3, 4, 5, 6, 7, -8]]> : tensor<4x6xi4>
  %1 = stablehlo.slice %0 [1:4:2, 0:6:3] : (tensor<4x6xi4>) -> tensor<2x2xi4>
  check.expect_eq_const %1, dense<[[7, -6], [3, 6]]> : tensor<2x2xi4>
  return
}

func.func @slice_i4_of_nothing() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, -8, -7, -6, -5, -4], [-3, -2, -1, 0, 1, 2], [3, 4, 5, 6, 7, -8]]> : tensor<4x6xi4>
  %1 = stablehlo.slice %0 [2:2, 1:4] : (tensor<4x6xi4>) -> tensor<0x3xi4>
  check.expect_eq_const %1, dense<> : tensor<0x3xi4>
  return
}

func.func @slice_i4_stride_past_the_end() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, -8, -7, -6, -5, -4], [-3, -2, -1, 0, 1, 2], [3, 4, 5, 6, 7, -8]]> : tensor<4x6xi4>
  %1 = stablehlo.slice %0 [0:4:9, 5:6] : (tensor<4x6xi4>) -> tensor<1x1xi4>
  check.expect_eq_const %1, dense<[[6]]> : tensor<1x1xi4>
  return
}

func.func @slice_ui8() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xui8>
  %1 = stablehlo.slice %0 [1:4:2, 0:6:3] : (tensor<4x6xui8>) -> tensor<2x2xui8>
  check.expect_eq_const %1, dense<[[7, 10], [19, 22]]> : tensor<2x2xui8>
  return
}

func.func @slice_ui8_of_nothing() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xui8>
  %1 = stablehlo.slice %0 [2:2, 1:4] : (tensor<4x6xui8>) -> tensor<0x3xui8>
  check.expect_eq_const %1, dense<> : tensor<0x3xui8>
  return
}

func.func @slice_ui8_stride_past_the_end() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xui8>
  %1 = stablehlo.slice %0 [0:4:9, 5:6] : (tensor<4x6xui8>) -> tensor<1x1xui8>
  check.expect_eq_const %1, dense<[[6]]> : tensor<1x1xui8>
  return
}

func.func @slice_i64() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi64>
  %1 = stablehlo.slice %0 [1:4:2, 0:6:3] : (tensor<4x6xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %1, dense<[[7, 10], [19, 22]]> : tensor<2x2xi64>
  return
}

func.func @slice_i64_of_nothing() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi64>
  %1 = stablehlo.slice %0 [2:2, 1:4] : (tensor<4x6xi64>) -> tensor<0x3xi64>
  check.expect_eq_const %1, dense<> : tensor<0x3xi64>
  return
}

func.func @slice_i64_stride_past_the_end() {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]]> : tensor<4x6xi64>
  %1 = stablehlo.slice %0 [0:4:9, 5:6] : (tensor<4x6xi64>) -> tensor<1x1xi64>
  check.expect_eq_const %1, dense<[[6]]> : tensor<1x1xi64>
  return
}

func.func @slice_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  %1 = stablehlo.slice %0 [1:4:2, 0:6:3] : (tensor<4x6xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[7.0, 10.0], [19.0, 22.0]]> : tensor<2x2xf32>
  return
}

func.func @slice_f32_of_nothing() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  %1 = stablehlo.slice %0 [2:2, 1:4] : (tensor<4x6xf32>) -> tensor<0x3xf32>
  check.expect_eq_const %1, dense<> : tensor<0x3xf32>
  return
}

func.func @slice_f32_stride_past_the_end() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xf32>
  %1 = stablehlo.slice %0 [0:4:9, 5:6] : (tensor<4x6xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %1, dense<[[6.0]]> : tensor<1x1xf32>
  return
}

func.func @slice_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xbf16>
  %1 = stablehlo.slice %0 [1:4:2, 0:6:3] : (tensor<4x6xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %1, dense<[[7.0, 10.0], [19.0, 22.0]]> : tensor<2x2xbf16>
  return
}

func.func @slice_bf16_of_nothing() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xbf16>
  %1 = stablehlo.slice %0 [2:2, 1:4] : (tensor<4x6xbf16>) -> tensor<0x3xbf16>
  check.expect_eq_const %1, dense<> : tensor<0x3xbf16>
  return
}

func.func @slice_bf16_stride_past_the_end() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0, 23.0, 24.0]]> : tensor<4x6xbf16>
  %1 = stablehlo.slice %0 [0:4:9, 5:6] : (tensor<4x6xbf16>) -> tensor<1x1xbf16>
  check.expect_eq_const %1, dense<[[6.0]]> : tensor<1x1xbf16>
  return
}

func.func @slice_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<4x6xf8E4M3FNUZ>
  %1 = stablehlo.slice %0 [1:4:2, 0:6:3] : (tensor<4x6xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[7.0, 10.0], [3.0, 6.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @slice_f8E4M3FNUZ_of_nothing() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<4x6xf8E4M3FNUZ>
  %1 = stablehlo.slice %0 [2:2, 1:4] : (tensor<4x6xf8E4M3FNUZ>) -> tensor<0x3xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<> : tensor<0x3xf8E4M3FNUZ>
  return
}

func.func @slice_f8E4M3FNUZ_stride_past_the_end() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<4x6xf8E4M3FNUZ>
  %1 = stablehlo.slice %0 [0:4:9, 5:6] : (tensor<4x6xf8E4M3FNUZ>) -> tensor<1x1xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[[6.0]]> : tensor<1x1xf8E4M3FNUZ>
  return
}

func.func @slice_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 0.0]]> : tensor<4x6xf8E5M2FNUZ>
  %1 = stablehlo.slice %0 [1:4:2, 0:6:3] : (tensor<4x6xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[7.0, 2.0], [3.0, 6.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func @slice_f8E5M2FNUZ_of_nothing() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 0.0]]> : tensor<4x6xf8E5M2FNUZ>
  %1 = stablehlo.slice %0 [2:2, 1:4] : (tensor<4x6xf8E5M2FNUZ>) -> tensor<0x3xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<> : tensor<0x3xf8E5M2FNUZ>
  return
}

func.func @slice_f8E5M2FNUZ_stride_past_the_end() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 0.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0, 7.0, 0.0]]> : tensor<4x6xf8E5M2FNUZ>
  %1 = stablehlo.slice %0 [0:4:9, 5:6] : (tensor<4x6xf8E5M2FNUZ>) -> tensor<1x1xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[[6.0]]> : tensor<1x1xf8E5M2FNUZ>
  return
}

func.func @slice_i1() {
  %0 = stablehlo.constant dense<[[true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  %1 = stablehlo.slice %0 [1:4:2, 0:6:3] : (tensor<4x6xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %1, dense<[[true, false], [true, false]]> : tensor<2x2xi1>
  return
}

func.func @slice_i1_of_nothing() {
  %0 = stablehlo.constant dense<[[true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  %1 = stablehlo.slice %0 [2:2, 1:4] : (tensor<4x6xi1>) -> tensor<0x3xi1>
  check.expect_eq_const %1, dense<> : tensor<0x3xi1>
  return
}

func.func @slice_i1_stride_past_the_end() {
  %0 = stablehlo.constant dense<[[true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false], [true, false, true, false, true, false]]> : tensor<4x6xi1>
  %1 = stablehlo.slice %0 [0:4:9, 5:6] : (tensor<4x6xi1>) -> tensor<1x1xi1>
  check.expect_eq_const %1, dense<[[false]]> : tensor<1x1xi1>
  return
}

func.func @slice_complex_f64() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)], [(13.0, 10.0), (14.0, 11.0), (15.0, 12.0), (16.0, 13.0), (17.0, 14.0), (18.0, 15.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (22.0, 19.0), (23.0, 20.0), (24.0, 21.0)]]> : tensor<4x6xcomplex<f64>>
  %1 = stablehlo.slice %0 [1:4:2, 0:6:3] : (tensor<4x6xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %1, dense<[[(7.0, 4.0), (10.0, 7.0)], [(19.0, 16.0), (22.0, 19.0)]]> : tensor<2x2xcomplex<f64>>
  return
}

func.func @slice_complex_f64_of_nothing() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)], [(13.0, 10.0), (14.0, 11.0), (15.0, 12.0), (16.0, 13.0), (17.0, 14.0), (18.0, 15.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (22.0, 19.0), (23.0, 20.0), (24.0, 21.0)]]> : tensor<4x6xcomplex<f64>>
  %1 = stablehlo.slice %0 [2:2, 1:4] : (tensor<4x6xcomplex<f64>>) -> tensor<0x3xcomplex<f64>>
  check.expect_eq_const %1, dense<> : tensor<0x3xcomplex<f64>>
  return
}

func.func @slice_complex_f64_stride_past_the_end() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0)], [(7.0, 4.0), (8.0, 5.0), (9.0, 6.0), (10.0, 7.0), (11.0, 8.0), (12.0, 9.0)], [(13.0, 10.0), (14.0, 11.0), (15.0, 12.0), (16.0, 13.0), (17.0, 14.0), (18.0, 15.0)], [(19.0, 16.0), (20.0, 17.0), (21.0, 18.0), (22.0, 19.0), (23.0, 20.0), (24.0, 21.0)]]> : tensor<4x6xcomplex<f64>>
  %1 = stablehlo.slice %0 [0:4:9, 5:6] : (tensor<4x6xcomplex<f64>>) -> tensor<1x1xcomplex<f64>>
  check.expect_eq_const %1, dense<[[(6.0, 3.0)]]> : tensor<1x1xcomplex<f64>>
  return
}

func.func @slice_quantized() {
  %0 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.slice %1 [1:2, 0:3:2] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<1x2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<1x2xf32>
  check.expect_eq_const %3, dense<[[10.0, 1.0]]> : tensor<1x2xf32>
  return
}
