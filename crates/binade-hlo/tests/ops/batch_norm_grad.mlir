// stablehlo.batch_norm_grad by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @batch_norm_grad_f64() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %2 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %3 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %4 = stablehlo.constant dense<[[[0.5, 1.0], [-1.0, 0.25]], [[2.0, -0.5], [0.5, 1.0]]]> : tensor<2x2x2xf64>
  %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %5#0, dense<[[[0.0, 0.0], [-1.5, 0.75]], [[1.5, -0.75], [0.0, 0.0]]]> : tensor<2x2x2xf64>, tolerance = 1.0e-05
  check.expect_almost_eq_const %5#1, dense<[0.0, -2.25]> : tensor<2xf64>, tolerance = 1.0e-05
  check.expect_almost_eq_const %5#2, dense<[2.0, 1.75]> : tensor<2xf64>, tolerance = 1.0e-05
  return
}

func.func @batch_norm_grad_f32() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %3 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %4 = stablehlo.constant dense<[[[0.5, 1.0], [-1.0, 0.25]], [[2.0, -0.5], [0.5, 1.0]]]> : tensor<2x2x2xf32>
  %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %5#0, dense<[[[0.0, 0.0], [-1.5, 0.75]], [[1.5, -0.75], [0.0, 0.0]]]> : tensor<2x2x2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %5#1, dense<[0.0, -2.25]> : tensor<2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %5#2, dense<[2.0, 1.75]> : tensor<2xf32>, tolerance = 1.0e-05
  return
}

func.func @batch_norm_grad_bf16() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xbf16>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %2 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xbf16>
  %3 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xbf16>
  %4 = stablehlo.constant dense<[[[0.5, 1.0], [-1.0, 0.25]], [[2.0, -0.5], [0.5, 1.0]]]> : tensor<2x2x2xbf16>
  %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2x2x2xbf16>) -> (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  check.expect_almost_eq_const %5#0, dense<[[[0.0, 0.0], [-1.5, 0.75]], [[1.5, -0.75], [0.0, 0.0]]]> : tensor<2x2x2xbf16>, tolerance = 0.03
  check.expect_almost_eq_const %5#1, dense<[0.0, -2.25]> : tensor<2xbf16>, tolerance = 0.03
  check.expect_almost_eq_const %5#2, dense<[2.0, 1.75]> : tensor<2xbf16>, tolerance = 0.03
  return
}

func.func @batch_norm_grad_epsilon_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 0.0, 4.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf32>
  %2 = stablehlo.constant dense<[2.0, 0.0]> : tensor<2xf32>
  %3 = stablehlo.constant dense<[0.6666667, 10.666667]> : tensor<2xf32>
  %4 = stablehlo.constant dense<[[0.5, -1.0, 2.0], [1.0, 1.0, -3.0]]> : tensor<2x3xf32>
  %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 0.25 : f32, feature_index = 0 : i64}> : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %5#0, dense<[[1.1394174, -3.1333978, 1.9939804], [-0.09395551, 0.20177332, -0.1078178]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %5#1, dense<[1.5666989, -4.8425593]> : tensor<2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %5#2, dense<[1.5, -1.0]> : tensor<2xf32>, tolerance = 1.0e-05
  return
}

func.func @batch_norm_grad_epsilon_f64() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-4.0, 0.0, 4.0]]> : tensor<2x3xf64>
  %1 = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf64>
  %2 = stablehlo.constant dense<[2.0, 0.0]> : tensor<2xf64>
  %3 = stablehlo.constant dense<[0.6666666666666666, 10.666666666666666]> : tensor<2xf64>
  %4 = stablehlo.constant dense<[[0.5, -1.0, 2.0], [1.0, 1.0, -3.0]]> : tensor<2x3xf64>
  %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 0.25 : f32, feature_index = 0 : i64}> : (tensor<2x3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %5#0, dense<[[1.1394173844372948, -3.1333978072025612, 1.9939804227652662], [-0.09395551026144856, 0.2017733089221273, -0.10781779866067874]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  check.expect_almost_eq_const %5#1, dense<[1.5666989036012806, -4.842559414131055]> : tensor<2xf64>, tolerance = 1.0e-05
  check.expect_almost_eq_const %5#2, dense<[1.5, -1.0]> : tensor<2xf64>, tolerance = 1.0e-05
  return
}
