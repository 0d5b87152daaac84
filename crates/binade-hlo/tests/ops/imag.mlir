// stablehlo.imag, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @imag_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.imag %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %2, dense<[1073741824, 1048576000, 3217031168, 0]> : tensor<4xui32>
  return
}

func.func @imag_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.imag %0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %2, dense<[4611686018427387904, 4598175219545276416, 13832806255468478464, 0]> : tensor<4xui64>
  return
}

func.func @imag_f32() {
  %0 = stablehlo.constant dense<[1.5, -2.0, -0.0]> : tensor<3xf32>
  %1 = stablehlo.imag %0 : tensor<3xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %2, dense<[0, 0, 0]> : tensor<3xui32>
  return
}

func.func @imag_bf16() {
  %0 = stablehlo.constant dense<[1.5, -2.0, -0.0]> : tensor<3xbf16>
  %1 = stablehlo.imag %0 : tensor<3xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3xbf16>) -> tensor<3xui16>
  check.expect_eq_const %2, dense<[0, 0, 0]> : tensor<3xui16>
  return
}

func.func @imag_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[1.5, -2.0, 0.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.imag %0 : tensor<3xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3xf8E4M3FNUZ>) -> tensor<3xui8>
  check.expect_eq_const %2, dense<[0, 0, 0]> : tensor<3xui8>
  return
}
