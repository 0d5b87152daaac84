// stablehlo.real, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @real_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.real %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %2, dense<[1065353216, 3204448256, 0, 1077936128]> : tensor<4xui32>
  return
}

func.func @real_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.real %0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %2, dense<[4607182418800017408, 13826050856027422720, 0, 4613937818241073152]> : tensor<4xui64>
  return
}

func.func @real_f32() {
  %0 = stablehlo.constant dense<[1.5, -2.0, -0.0]> : tensor<3xf32>
  %1 = stablehlo.real %0 : tensor<3xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %2, dense<[1069547520, 3221225472, 2147483648]> : tensor<3xui32>
  return
}

func.func @real_bf16() {
  %0 = stablehlo.constant dense<[1.5, -2.0, -0.0]> : tensor<3xbf16>
  %1 = stablehlo.real %0 : tensor<3xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3xbf16>) -> tensor<3xui16>
  check.expect_eq_const %2, dense<[16320, 49152, 32768]> : tensor<3xui16>
  return
}

func.func @real_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[1.5, -2.0, 0.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.real %0 : tensor<3xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3xf8E4M3FNUZ>) -> tensor<3xui8>
  check.expect_eq_const %2, dense<[68, 200, 0]> : tensor<3xui8>
  return
}
