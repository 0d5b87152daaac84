// The results of StableHLO's RFC as assertions: binade hlo check examples/hlo/check.mlir

func.func @iota() {
  %0 = stablehlo.iota dim = 0 : tensor<16xf8E5M2FNUZ>
  check.expect_eq_const %0, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 8.0, 10.0, 12.0, 12.0, 12.0, 14.0, 16.0]> : tensor<16xf8E5M2FNUZ>
  func.return
}

// -----

func.func @matmul() {
  %0 = stablehlo.iota dim = 0 : tensor<16xf8E5M2FNUZ>
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [0] x [0] : (tensor<16xf8E5M2FNUZ>, tensor<16xf8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %1, dense<1280.0> : tensor<f8E5M2FNUZ>
  func.return
}
