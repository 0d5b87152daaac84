// stablehlo.bitcast_convert by its definition, over element types, edges and empty shapes.

func.func @bitcast_convert_f64_ui64() {
  %0 = stablehlo.constant dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf64>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %1, dense<[4607182418800017408, 13832806255468478464, 4602678819172646912, 0, 4618441417868443648]> : tensor<5xui64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xui64>) -> tensor<5xf64>
  check.expect_eq_const %2, dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf64>
  return
}

func.func @bitcast_convert_f32_ui32() {
  %0 = stablehlo.constant dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %1, dense<[1065353216, 3217031168, 1056964608, 0, 1086324736]> : tensor<5xui32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xui32>) -> tensor<5xf32>
  check.expect_eq_const %2, dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf32>
  return
}

func.func @bitcast_convert_f16_ui16() {
  %0 = stablehlo.constant dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf16>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5xf16>) -> tensor<5xui16>
  check.expect_eq_const %1, dense<[15360, 48640, 14336, 0, 17920]> : tensor<5xui16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xui16>) -> tensor<5xf16>
  check.expect_eq_const %2, dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf16>
  return
}

func.func @bitcast_convert_bf16_ui16() {
  %0 = stablehlo.constant dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xbf16>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5xbf16>) -> tensor<5xui16>
  check.expect_eq_const %1, dense<[16256, 49088, 16128, 0, 16576]> : tensor<5xui16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xui16>) -> tensor<5xbf16>
  check.expect_eq_const %2, dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xbf16>
  return
}

func.func @bitcast_convert_f8E4M3FNUZ_ui8() {
  %0 = stablehlo.constant dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf8E4M3FNUZ>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5xf8E4M3FNUZ>) -> tensor<5xui8>
  check.expect_eq_const %1, dense<[64, 196, 56, 0, 84]> : tensor<5xui8>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xui8>) -> tensor<5xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf8E4M3FNUZ>
  return
}

func.func @bitcast_convert_f8E5M2FNUZ_ui8() {
  %0 = stablehlo.constant dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf8E5M2FNUZ>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5xf8E5M2FNUZ>) -> tensor<5xui8>
  check.expect_eq_const %1, dense<[64, 194, 60, 0, 74]> : tensor<5xui8>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xui8>) -> tensor<5xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf8E5M2FNUZ>
  return
}

func.func @bitcast_convert_f8E5M2_ui8() {
  %0 = stablehlo.constant dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf8E5M2>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5xf8E5M2>) -> tensor<5xui8>
  check.expect_eq_const %1, dense<[60, 190, 56, 0, 70]> : tensor<5xui8>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xui8>) -> tensor<5xf8E5M2>
  check.expect_eq_const %2, dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf8E5M2>
  return
}

func.func @bitcast_convert_f4E2M1FN_ui4() {
  %0 = stablehlo.constant dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf4E2M1FN>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5xf4E2M1FN>) -> tensor<5xui4>
  check.expect_eq_const %1, dense<[2, 11, 1, 0, 7]> : tensor<5xui4>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xui4>) -> tensor<5xf4E2M1FN>
  check.expect_eq_const %2, dense<[1.0, -1.5, 0.5, 0.0, 6.0]> : tensor<5xf4E2M1FN>
  return
}

func.func @bitcast_convert_f64_ui32() {
  %0 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf64>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2xf64>) -> tensor<2x2xui32>
  check.expect_eq_const %1, dense<[[0, 1072693248], [0, 3221225472]]> : tensor<2x2xui32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x2xui32>) -> tensor<2xf64>
  check.expect_eq_const %2, dense<[1.0, -2.0]> : tensor<2xf64>
  return
}

func.func @bitcast_convert_ui32_ui8() {
  %0 = stablehlo.constant dense<1065353216> : tensor<ui32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<ui32>) -> tensor<4xui8>
  check.expect_eq_const %1, dense<[0, 0, 128, 63]> : tensor<4xui8>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xui8>) -> tensor<ui32>
  check.expect_eq_const %2, dense<1065353216> : tensor<ui32>
  return
}

func.func @bitcast_convert_f32_bf16() {
  %0 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2xf32>) -> tensor<2x2xbf16>
  check.expect_eq_const %1, dense<[[0.0, 1.0], [0.0, -2.0]]> : tensor<2x2xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x2xbf16>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[1.0, -2.0]> : tensor<2xf32>
  return
}

func.func @bitcast_convert_i8_ui4() {
  %0 = stablehlo.constant dense<-1> : tensor<i8>
  %1 = stablehlo.bitcast_convert %0 : (tensor<i8>) -> tensor<2xui4>
  check.expect_eq_const %1, dense<[15, 15]> : tensor<2xui4>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2xui4>) -> tensor<i8>
  check.expect_eq_const %2, dense<-1> : tensor<i8>
  return
}

func.func @bitcast_convert_ui16_ui4() {
  %0 = stablehlo.constant dense<[[4660], [43981]]> : tensor<2x1xui16>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x1xui16>) -> tensor<2x1x4xui4>
  check.expect_eq_const %1, dense<[[[4, 3, 2, 1]], [[13, 12, 11, 10]]]> : tensor<2x1x4xui4>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x1x4xui4>) -> tensor<2x1xui16>
  check.expect_eq_const %2, dense<[[4660], [43981]]> : tensor<2x1xui16>
  return
}

func.func @bitcast_convert_i64_i32() {
  %0 = stablehlo.constant dense<[[1, -1]]> : tensor<1x2xi64>
  %1 = stablehlo.bitcast_convert %0 : (tensor<1x2xi64>) -> tensor<1x2x2xi32>
  check.expect_eq_const %1, dense<[[[1, 0], [-1, -1]]]> : tensor<1x2x2xi32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<1x2x2xi32>) -> tensor<1x2xi64>
  check.expect_eq_const %2, dense<[[1, -1]]> : tensor<1x2xi64>
  return
}

func.func @bitcast_convert_complex_f32_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %1, dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %2, dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  return
}

func.func @bitcast_convert_ui8_f4E2M1FN() {
  %0 = stablehlo.constant dense<[66, 241]> : tensor<2xui8>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2xui8>) -> tensor<2x2xf4E2M1FN>
  check.expect_eq_const %1, dense<[[1.0, 2.0], [0.5, -6.0]]> : tensor<2x2xf4E2M1FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x2xf4E2M1FN>) -> tensor<2xui8>
  check.expect_eq_const %2, dense<[66, 241]> : tensor<2xui8>
  return
}

func.func @bitcast_convert_complex_f64_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f64>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  check.expect_eq_const %1, dense<[(1.0, -2.0)]> : tensor<1xcomplex<f64>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  check.expect_eq_const %2, dense<[(1.0, -2.0)]> : tensor<1xcomplex<f64>>
  return
}
