// stablehlo.complex, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @complex_f32() {
  %0 = stablehlo.constant dense<[1.0, -0.5, 0x7F800000]> : tensor<3xf32>
  %1 = stablehlo.constant dense<[2.0, 0.25, -1.0]> : tensor<3xf32>
  %2 = stablehlo.complex %0, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %2, dense<[(1.0, 2.0), (-0.5, 0.25), (0x7F800000, -1.0)]> : tensor<3xcomplex<f32>>
  return
}

func.func @complex_f64() {
  %0 = stablehlo.constant dense<[1.0, -0.5, 0x7FF0000000000000]> : tensor<3xf64>
  %1 = stablehlo.constant dense<[2.0, 0.25, -1.0]> : tensor<3xf64>
  %2 = stablehlo.complex %0, %1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %2, dense<[(1.0, 2.0), (-0.5, 0.25), (0x7FF0000000000000, -1.0)]> : tensor<3xcomplex<f64>>
  return
}
