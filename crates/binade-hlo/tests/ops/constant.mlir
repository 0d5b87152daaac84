// stablehlo.constant by its definition, over element types, edges and empty shapes.

func.func @constant_i4() {
  %0 = stablehlo.constant dense<5> : tensor<2x2xi4>
  check.expect_eq_const %0, dense<[[5, 5], [5, 5]]> : tensor<2x2xi4>
  %1 = stablehlo.constant dense<5> : tensor<i4>
  check.expect_eq_const %1, dense<5> : tensor<i4>
  %2 = stablehlo.constant dense<> : tensor<2x0xi4>
  check.expect_eq_const %2, dense<> : tensor<2x0xi4>
  return
}

func.func @constant_ui8() {
  %0 = stablehlo.constant dense<5> : tensor<2x2xui8>
  check.expect_eq_const %0, dense<[[5, 5], [5, 5]]> : tensor<2x2xui8>
  %1 = stablehlo.constant dense<5> : tensor<ui8>
  check.expect_eq_const %1, dense<5> : tensor<ui8>
  %2 = stablehlo.constant dense<> : tensor<2x0xui8>
  check.expect_eq_const %2, dense<> : tensor<2x0xui8>
  return
}

func.func @constant_i64() {
  %0 = stablehlo.constant dense<5> : tensor<2x2xi64>
  check.expect_eq_const %0, dense<[[5, 5], [5, 5]]> : tensor<2x2xi64>
  %1 = stablehlo.constant dense<5> : tensor<i64>
  check.expect_eq_const %1, dense<5> : tensor<i64>
  %2 = stablehlo.constant dense<> : tensor<2x0xi64>
  check.expect_eq_const %2, dense<> : tensor<2x0xi64>
  return
}

func.func @constant_f32() {
  %0 = stablehlo.constant dense<5.0> : tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[5.0, 5.0], [5.0, 5.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<5.0> : tensor<f32>
  check.expect_eq_const %1, dense<5.0> : tensor<f32>
  %2 = stablehlo.constant dense<> : tensor<2x0xf32>
  check.expect_eq_const %2, dense<> : tensor<2x0xf32>
  return
}

func.func @constant_bf16() {
  %0 = stablehlo.constant dense<5.0> : tensor<2x2xbf16>
  check.expect_eq_const %0, dense<[[5.0, 5.0], [5.0, 5.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<5.0> : tensor<bf16>
  check.expect_eq_const %1, dense<5.0> : tensor<bf16>
  %2 = stablehlo.constant dense<> : tensor<2x0xbf16>
  check.expect_eq_const %2, dense<> : tensor<2x0xbf16>
  return
}

func.func @constant_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<5.0> : tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %0, dense<[[5.0, 5.0], [5.0, 5.0]]> : tensor<2x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<5.0> : tensor<f8E4M3FNUZ>
  check.expect_eq_const %1, dense<5.0> : tensor<f8E4M3FNUZ>
  %2 = stablehlo.constant dense<> : tensor<2x0xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<> : tensor<2x0xf8E4M3FNUZ>
  return
}

func.func @constant_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<5.0> : tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %0, dense<[[5.0, 5.0], [5.0, 5.0]]> : tensor<2x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<5.0> : tensor<f8E5M2FNUZ>
  check.expect_eq_const %1, dense<5.0> : tensor<f8E5M2FNUZ>
  %2 = stablehlo.constant dense<> : tensor<2x0xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<> : tensor<2x0xf8E5M2FNUZ>
  return
}

func.func @constant_i1() {
  %0 = stablehlo.constant dense<true> : tensor<2x2xi1>
  check.expect_eq_const %0, dense<[[true, true], [true, true]]> : tensor<2x2xi1>
  %1 = stablehlo.constant dense<true> : tensor<i1>
  check.expect_eq_const %1, dense<true> : tensor<i1>
  %2 = stablehlo.constant dense<> : tensor<2x0xi1>
  check.expect_eq_const %2, dense<> : tensor<2x0xi1>
  return
}

func.func @constant_complex_f64() {
  %0 = stablehlo.constant dense<(5.0, 2.0)> : tensor<2x2xcomplex<f64>>
  check.expect_eq_const %0, dense<[[(5.0, 2.0), (5.0, 2.0)], [(5.0, 2.0), (5.0, 2.0)]]> : tensor<2x2xcomplex<f64>>
  %1 = stablehlo.constant dense<(5.0, 2.0)> : tensor<complex<f64>>
  check.expect_eq_const %1, dense<(5.0, 2.0)> : tensor<complex<f64>>
  %2 = stablehlo.constant dense<> : tensor<2x0xcomplex<f64>>
  check.expect_eq_const %2, dense<> : tensor<2x0xcomplex<f64>>
  return
}
