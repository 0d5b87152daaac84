// stablehlo.fft by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @fft_1_f32() {
  %0 = stablehlo.constant dense<[[(0.0, -1.0)], [(2.0, -1.0)]]> : tensor<2x1xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [1] : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(0.0, -1.0)], [(2.0, -1.0)]]> : tensor<2x1xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IFFT, length = [1] : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_almost_eq_const %2, dense<[[(0.0, -1.0)], [(2.0, -1.0)]]> : tensor<2x1xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @fft_real_1_f32() {
  %0 = stablehlo.constant dense<[[0.0], [2.0]]> : tensor<2x1xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [1] : (tensor<2x1xf32>) -> tensor<2x1xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(0.0, 0.0)], [(2.0, 0.0)]]> : tensor<2x1xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IRFFT, length = [1] : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %2, dense<[[0.0], [2.0]]> : tensor<2x1xf32>, tolerance = 1.0e-04
  return
}

func.func @fft_4_f32() {
  %0 = stablehlo.constant dense<[[(3.0, -4.0), (3.0, 3.0), (3.0, -4.0), (4.0, 3.0)], [(4.0, 2.0), (3.0, -1.0), (2.0, 1.0), (0.0, 4.0)]]> : tensor<2x4xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [4] : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(13.0, -2.0), (-1.3322676e-15, 1.0), (-1.0, -14.0), (4.440892e-16, -1.0)], [(9.0, 6.0), (-3.0, -2.0), (3.0, 0.0), (7.0, 4.0)]]> : tensor<2x4xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IFFT, length = [4] : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  check.expect_almost_eq_const %2, dense<[[(3.0, -4.0), (3.0, 3.0), (3.0, -4.0), (4.0, 3.0)], [(4.0, 2.0), (3.0, -1.0), (2.0, 1.0), (0.0, 4.0)]]> : tensor<2x4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @fft_real_4_f32() {
  %0 = stablehlo.constant dense<[[3.0, 3.0, 3.0, 4.0], [4.0, 3.0, 2.0, 0.0]]> : tensor<2x4xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [4] : (tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(13.0, 0.0), (-7.3478806e-16, 1.0), (-1.0, -1.1021821e-15)], [(9.0, 0.0), (2.0, -3.0), (3.0, 1.2246469e-16)]]> : tensor<2x3xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IRFFT, length = [4] : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  check.expect_almost_eq_const %2, dense<[[3.0, 3.0, 3.0, 4.0], [4.0, 3.0, 2.0, 0.0]]> : tensor<2x4xf32>, tolerance = 1.0e-04
  return
}

func.func @fft_5_f32() {
  %0 = stablehlo.constant dense<[[(4.0, -1.0), (3.0, -1.0), (1.0, 4.0), (-4.0, -1.0), (-4.0, -4.0)], [(-2.0, -3.0), (4.0, -4.0), (2.0, -4.0), (0.0, 2.0), (3.0, 3.0)]]> : tensor<2x5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [5] : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(0.0, -3.0), (11.91013, -14.568458), (0.8900392, 4.6129217), (6.873893, 3.33135), (0.32593817, 4.624186)], [(7.0, -6.0), (-11.639022, -3.81761), (-5.453243, -1.4946892), (-8.636928, -4.123345), (8.729192, 0.435644)]]> : tensor<2x5xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IFFT, length = [5] : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
  check.expect_almost_eq_const %2, dense<[[(4.0, -1.0), (3.0, -1.0), (1.0, 4.0), (-4.0, -1.0), (-4.0, -4.0)], [(-2.0, -3.0), (4.0, -4.0), (2.0, -4.0), (0.0, 2.0), (3.0, 3.0)]]> : tensor<2x5xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @fft_real_5_f32() {
  %0 = stablehlo.constant dense<[[4.0, 3.0, 1.0, -4.0, -4.0], [-2.0, 4.0, 2.0, 0.0, 3.0]]> : tensor<2x5xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [5] : (tensor<2x5xf32>) -> tensor<2x3xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(0.0, 0.0), (6.118034, -9.596322), (3.881966, 0.6407858)], [(7.0, 0.0), (-1.454915, -2.126627), (-7.045085, 1.3143278)]]> : tensor<2x3xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IRFFT, length = [5] : (tensor<2x3xcomplex<f32>>) -> tensor<2x5xf32>
  check.expect_almost_eq_const %2, dense<[[4.0, 3.0, 1.0, -4.0, -4.0], [-2.0, 4.0, 2.0, 0.0, 3.0]]> : tensor<2x5xf32>, tolerance = 1.0e-04
  return
}

func.func @fft_8_f32() {
  %0 = stablehlo.constant dense<[[(3.0, -3.0), (-1.0, 1.0), (-4.0, -3.0), (3.0, -2.0), (3.0, -1.0), (3.0, -2.0), (-4.0, -2.0), (1.0, 1.0)], [(0.0, 3.0), (-1.0, -1.0), (-3.0, -4.0), (-1.0, -1.0), (-3.0, 0.0), (-1.0, 1.0), (0.0, -1.0), (-1.0, -4.0)]]> : tensor<2x8xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(4.0, -11.0), (-5.2426405, 3.6568542), (14.0, 3.0), (5.2426405, -4.8284273), (-8.0, -7.0), (3.2426407, -7.656854), (14.0, -1.0), (-3.2426407, 0.82842714)], [(-10.0, -7.0), (0.70710677, 2.464466), (5.0, 8.0), (6.7071066, 3.535534), (-2.0, 3.0), (-0.70710677, 9.535534), (-5.0, 8.0), (5.2928934, -3.535534)]]> : tensor<2x8xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IFFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  check.expect_almost_eq_const %2, dense<[[(3.0, -3.0), (-1.0, 1.0), (-4.0, -3.0), (3.0, -2.0), (3.0, -1.0), (3.0, -2.0), (-4.0, -2.0), (1.0, 1.0)], [(0.0, 3.0), (-1.0, -1.0), (-3.0, -4.0), (-1.0, -1.0), (-3.0, 0.0), (-1.0, 1.0), (0.0, -1.0), (-1.0, -4.0)]]> : tensor<2x8xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @fft_real_8_f32() {
  %0 = stablehlo.constant dense<[[3.0, -1.0, -4.0, 3.0, 3.0, 3.0, -4.0, 1.0], [0.0, -1.0, -3.0, -1.0, -3.0, -1.0, 0.0, -1.0]]> : tensor<2x8xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(4.0, 0.0), (-4.2426405, 1.4142135), (14.0, 2.0), (4.2426405, 1.4142135), (-8.0, -6.1232338e-15)], [(-10.0, 0.0), (3.0, 3.0), (1.2246469e-16, -3.330669e-16), (3.0, -3.0), (-2.0, -2.4492937e-16)]]> : tensor<2x5xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IRFFT, length = [8] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
  check.expect_almost_eq_const %2, dense<[[3.0, -1.0, -4.0, 3.0, 3.0, 3.0, -4.0, 1.0], [0.0, -1.0, -3.0, -1.0, -3.0, -1.0, 0.0, -1.0]]> : tensor<2x8xf32>, tolerance = 1.0e-04
  return
}

func.func @fft_12_f32() {
  %0 = stablehlo.constant dense<[[(0.0, 0.0), (4.0, -3.0), (2.0, 2.0), (3.0, -3.0), (-2.0, 1.0), (3.0, -3.0), (-1.0, 2.0), (4.0, 4.0), (2.0, 2.0), (2.0, 1.0), (1.0, 3.0), (2.0, 1.0)], [(1.0, 0.0), (3.0, 2.0), (-3.0, 4.0), (1.0, -3.0), (0.0, 1.0), (0.0, 1.0), (-4.0, 4.0), (2.0, -1.0), (-2.0, 3.0), (2.0, 3.0), (4.0, 0.0), (-2.0, 3.0)]]> : tensor<2x12xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [12] : (tensor<2x12xcomplex<f32>>) -> tensor<2x12xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(20.0, 7.0), (-9.598076, -2.5), (1.5980762, -7.428203), (-9.0, -4.0), (-1.4019238, -1.7679492), (-4.4019237, -2.5), (-16.0, 13.0), (11.133975, 5.696152), (-6.5980763, -5.232051), (5.0, -4.0), (-3.598076, 6.428203), (12.866025, -4.696152)], [(2.0, 17.0), (1.8660254, 4.160254), (-1.4019238, 4.232051), (9.0, -8.0), (-8.794229, -16.356407), (0.1339746, -13.1602545), (-10.0, 7.0), (14.598076, -3.5), (6.7942286, 11.356406), (-5.0, -4.440892e-16), (-6.5980763, 0.76794916), (9.401924, -3.5)]]> : tensor<2x12xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IFFT, length = [12] : (tensor<2x12xcomplex<f32>>) -> tensor<2x12xcomplex<f32>>
  check.expect_almost_eq_const %2, dense<[[(0.0, 0.0), (4.0, -3.0), (2.0, 2.0), (3.0, -3.0), (-2.0, 1.0), (3.0, -3.0), (-1.0, 2.0), (4.0, 4.0), (2.0, 2.0), (2.0, 1.0), (1.0, 3.0), (2.0, 1.0)], [(1.0, 0.0), (3.0, 2.0), (-3.0, 4.0), (1.0, -3.0), (0.0, 1.0), (0.0, 1.0), (-4.0, 4.0), (2.0, -1.0), (-2.0, 3.0), (2.0, 3.0), (4.0, 0.0), (-2.0, 3.0)]]> : tensor<2x12xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @fft_real_12_f32() {
  %0 = stablehlo.constant dense<[[0.0, 4.0, 2.0, 3.0, -2.0, 3.0, -1.0, 4.0, 2.0, 2.0, 1.0, 2.0], [1.0, 3.0, -3.0, 1.0, 0.0, 0.0, -4.0, 2.0, -2.0, 2.0, 4.0, -2.0]]> : tensor<2x12xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [12] : (tensor<2x12xf32>) -> tensor<2x7xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(20.0, 0.0), (1.6339746, 1.0980762), (-1.0, -6.928203), (-2.0, -8.881784e-16), (-4.0, 1.7320508), (3.3660254, -4.0980763), (-16.0, -4.468104e-15)], [(2.0, 0.0), (5.6339746, 3.830127), (-4.0, 1.7320508), (2.0, -4.0), (-1.0, -13.856406), (7.3660254, -4.8301272), (-10.0, 4.4112044e-15)]]> : tensor<2x7xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IRFFT, length = [12] : (tensor<2x7xcomplex<f32>>) -> tensor<2x12xf32>
  check.expect_almost_eq_const %2, dense<[[0.0, 4.0, 2.0, 3.0, -2.0, 3.0, -1.0, 4.0, 2.0, 2.0, 1.0, 2.0], [1.0, 3.0, -3.0, 1.0, 0.0, 0.0, -4.0, 2.0, -2.0, 2.0, 4.0, -2.0]]> : tensor<2x12xf32>, tolerance = 1.0e-04
  return
}

func.func @fft_7_f32() {
  %0 = stablehlo.constant dense<[[(1.0, -4.0), (2.0, 3.0), (-2.0, 2.0), (-4.0, -2.0), (1.0, 1.0), (-1.0, -3.0), (-4.0, -4.0)], [(1.0, -4.0), (3.0, -3.0), (-3.0, -3.0), (4.0, 1.0), (0.0, -1.0), (-4.0, -2.0), (-2.0, -4.0)]]> : tensor<2x7xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [7] : (tensor<2x7xcomplex<f32>>) -> tensor<2x7xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(-7.0, -7.0), (12.169298, -5.0466423), (9.27805, -13.692609), (-2.1977239, -2.0104945), (5.3957863, -4.989506), (-4.723092, 6.692609), (-5.922319, -1.9533577)], [(-1.0, -16.0), (0.2519319, -13.871444), (9.423369, 0.749061), (-1.9899101, -6.0979657), (-8.321053, 4.476632), (9.733071, 3.3759208), (-1.0974102, -0.63220364)]]> : tensor<2x7xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IFFT, length = [7] : (tensor<2x7xcomplex<f32>>) -> tensor<2x7xcomplex<f32>>
  check.expect_almost_eq_const %2, dense<[[(1.0, -4.0), (2.0, 3.0), (-2.0, 2.0), (-4.0, -2.0), (1.0, 1.0), (-1.0, -3.0), (-4.0, -4.0)], [(1.0, -4.0), (3.0, -3.0), (-3.0, -3.0), (4.0, 1.0), (0.0, -1.0), (-4.0, -2.0), (-2.0, -4.0)]]> : tensor<2x7xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @fft_real_7_f32() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, -2.0, -4.0, 1.0, -1.0, -4.0], [1.0, 3.0, -3.0, 4.0, 0.0, -4.0, -2.0]]> : tensor<2x7xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [7] : (tensor<2x7xf32>) -> tensor<2x4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(-7.0, 0.0), (3.1234899, -1.5466423), (2.2774792, -10.192609), (1.5990311, 1.4895056)], [(-1.0, 0.0), (-0.42273912, -6.6196203), (9.57822, -1.3134298), (-5.1554813, -5.2872987)]]> : tensor<2x4xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.fft %1, type = IRFFT, length = [7] : (tensor<2x4xcomplex<f32>>) -> tensor<2x7xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0, -2.0, -4.0, 1.0, -1.0, -4.0], [1.0, 3.0, -3.0, 4.0, 0.0, -4.0, -2.0]]> : tensor<2x7xf32>, tolerance = 1.0e-04
  return
}

func.func @fft_2d_f32() {
  %0 = stablehlo.constant dense<[[(0.0, -4.0), (4.0, -4.0), (3.0, 4.0), (-3.0, -2.0)], [(0.0, -4.0), (-1.0, 1.0), (2.0, 1.0), (3.0, -4.0)], [(-3.0, -4.0), (-4.0, 4.0), (-2.0, 0.0), (3.0, 1.0)]]> : tensor<3x4xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [3, 4] : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  check.expect_almost_eq_const %1, dense<[[(2.0, -11.0), (0.0, -13.0), (-2.0, -3.0), (-12.0, -21.0)], [(-1.0621778, -12.1602545), (-10.964102, -16.866026), (11.794229, 7.035898), (6.232051, 11.598076)], [(11.062178, 5.160254), (-4.035898, -15.133975), (-3.7942286, 13.964102), (2.767949, 6.4019237)]]> : tensor<3x4xcomplex<f32>>, tolerance = 1.0e-04
  %2 = stablehlo.constant dense<[[0.0, 4.0, 3.0, -3.0], [0.0, -1.0, 2.0, 3.0], [-3.0, -4.0, -2.0, 3.0]]> : tensor<3x4xf32>
  %3 = stablehlo.fft %2, type = RFFT, length = [3, 4] : (tensor<3x4xf32>) -> tensor<3x3xcomplex<f32>>
  check.expect_almost_eq_const %3, dense<[[(2.0, 0.0), (-6.0, 4.0), (-2.0, 0.0)], [(5.0, -8.6602545), (-4.0980763, -11.633975), (4.0, -3.4641016)], [(5.0, 8.6602545), (1.0980762, -13.366025), (4.0, 3.4641016)]]> : tensor<3x3xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @fft_1_f64() {
  %0 = stablehlo.constant dense<[[(-3.0, -4.0)], [(0.0, 3.0)]]> : tensor<2x1xcomplex<f64>>
  %1 = stablehlo.fft %0, type = FFT, length = [1] : (tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(-3.0, -4.0)], [(0.0, 3.0)]]> : tensor<2x1xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IFFT, length = [1] : (tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[[(-3.0, -4.0)], [(0.0, 3.0)]]> : tensor<2x1xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @fft_real_1_f64() {
  %0 = stablehlo.constant dense<[[-3.0], [0.0]]> : tensor<2x1xf64>
  %1 = stablehlo.fft %0, type = RFFT, length = [1] : (tensor<2x1xf64>) -> tensor<2x1xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(-3.0, 0.0)], [(0.0, 0.0)]]> : tensor<2x1xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IRFFT, length = [1] : (tensor<2x1xcomplex<f64>>) -> tensor<2x1xf64>
  check.expect_almost_eq_const %2, dense<[[-3.0], [0.0]]> : tensor<2x1xf64>, tolerance = 1.0e-10
  return
}

func.func @fft_4_f64() {
  %0 = stablehlo.constant dense<[[(-2.0, -3.0), (-4.0, 0.0), (-1.0, 2.0), (4.0, -3.0)], [(-1.0, -4.0), (3.0, -3.0), (-3.0, -4.0), (-4.0, -3.0)]]> : tensor<2x4xcomplex<f64>>
  %1 = stablehlo.fft %0, type = FFT, length = [4] : (tensor<2x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(-3.0, -4.0), (1.999999999999999, 3.000000000000001), (-3.0000000000000013, 1.999999999999999), (-3.9999999999999964, -13.000000000000002)], [(-5.0, -14.0), (2.0000000000000004, -7.0), (-3.0, -2.0000000000000004), (1.999999999999996, 7.0)]]> : tensor<2x4xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IFFT, length = [4] : (tensor<2x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[[(-2.0, -3.0), (-4.0, 0.0), (-1.0, 2.0), (4.0, -3.0)], [(-1.0, -4.0), (3.0, -3.0), (-3.0, -4.0), (-4.0, -3.0)]]> : tensor<2x4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @fft_real_4_f64() {
  %0 = stablehlo.constant dense<[[-2.0, -4.0, -1.0, 4.0], [-1.0, 3.0, -3.0, -4.0]]> : tensor<2x4xf64>
  %1 = stablehlo.fft %0, type = RFFT, length = [4] : (tensor<2x4xf64>) -> tensor<2x3xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(-3.0, 0.0), (-1.000000000000001, 8.0), (-3.0, -1.224646799147353e-15)], [(-5.0, 0.0), (2.000000000000001, -7.0), (-3.0, 3.6739403974420584e-16)]]> : tensor<2x3xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IRFFT, length = [4] : (tensor<2x3xcomplex<f64>>) -> tensor<2x4xf64>
  check.expect_almost_eq_const %2, dense<[[-2.0, -4.0, -1.0, 4.0], [-1.0, 3.0, -3.0, -4.0]]> : tensor<2x4xf64>, tolerance = 1.0e-10
  return
}

func.func @fft_5_f64() {
  %0 = stablehlo.constant dense<[[(4.0, -3.0), (0.0, -2.0), (-3.0, 4.0), (2.0, 1.0), (4.0, -2.0)], [(1.0, 2.0), (-2.0, -2.0), (0.0, 1.0), (3.0, 3.0), (0.0, 3.0)]]> : tensor<2x5xcomplex<f64>>
  %1 = stablehlo.fft %0, type = FFT, length = [5] : (tensor<2x5xcomplex<f64>>) -> tensor<2x5xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(7.0, -2.0), (7.808440728752156, -1.5380006227315461), (-2.3982545207601986, -0.6229886229313504), (3.308084577010721, 4.185294521680401), (4.281729214997324, -15.024305276017506)], [(2.0, 7.0), (-7.975938057935451, 2.7384178063428832), (2.5082717430026804, 0.7494519388243286), (4.581898200746795, 4.1046500274253575), (3.8857681141859794, -4.592519772592567)]]> : tensor<2x5xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IFFT, length = [5] : (tensor<2x5xcomplex<f64>>) -> tensor<2x5xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[[(4.0, -3.0), (0.0, -2.0), (-3.0, 4.0), (2.0, 1.0), (4.0, -2.0)], [(1.0, 2.0), (-2.0, -2.0), (0.0, 1.0), (3.0, 3.0), (0.0, 3.0)]]> : tensor<2x5xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @fft_real_5_f64() {
  %0 = stablehlo.constant dense<[[4.0, 0.0, -3.0, 2.0, 4.0], [1.0, -2.0, 0.0, 3.0, 0.0]]> : tensor<2x5xf64>
  %1 = stablehlo.fft %0, type = RFFT, length = [5] : (tensor<2x5xf64>) -> tensor<2x3xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(7.0, 0.0), (6.0450849718747355, 6.7431523266429805), (0.4549150281252632, -2.404141572305877)], [(2.0, 0.0), (-2.0450849718747377, 3.6654687894677265), (3.545084971874738, -1.677599044300514)]]> : tensor<2x3xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IRFFT, length = [5] : (tensor<2x3xcomplex<f64>>) -> tensor<2x5xf64>
  check.expect_almost_eq_const %2, dense<[[4.0, 0.0, -3.0, 2.0, 4.0], [1.0, -2.0, 0.0, 3.0, 0.0]]> : tensor<2x5xf64>, tolerance = 1.0e-10
  return
}

func.func @fft_8_f64() {
  %0 = stablehlo.constant dense<[[(1.0, 2.0), (1.0, -2.0), (2.0, 1.0), (-4.0, 2.0), (2.0, -3.0), (0.0, -1.0), (2.0, 0.0), (-2.0, -4.0)], [(2.0, -1.0), (4.0, 1.0), (3.0, 2.0), (-4.0, 0.0), (1.0, -4.0), (4.0, 0.0), (3.0, -3.0), (3.0, 1.0)]]> : tensor<2x8xcomplex<f64>>
  %1 = stablehlo.fft %0, type = FFT, length = [8] : (tensor<2x8xcomplex<f64>>) -> tensor<2x8xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(2.0, -5.0), (5.656854249492381, 0.7573593128807152), (-1.9999999999999973, -9.0), (-0.5857864376269051, 10.656854249492378), (11.999999999999998, 5.000000000000006), (-5.656854249492394, 9.242640687119275), (8.881784197001252e-16, 5.000000000000004), (-3.414213562373096, -0.6568542494924015)], [(16.0, -4.0), (10.94974746830583, 9.36396103067893), (-2.999999999999999, -13.0), (-8.949747468305837, 6.535533905932738), (2.0000000000000044, -8.0), (1.0502525316941664, -3.363961030678927), (-3.0000000000000138, 4.9999999999999964), (0.9497474683058367, -0.5355339059327315)]]> : tensor<2x8xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IFFT, length = [8] : (tensor<2x8xcomplex<f64>>) -> tensor<2x8xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[[(1.0, 2.0), (1.0, -2.0), (2.0, 1.0), (-4.0, 2.0), (2.0, -3.0), (0.0, -1.0), (2.0, 0.0), (-2.0, -4.0)], [(2.0, -1.0), (4.0, 1.0), (3.0, 2.0), (-4.0, 0.0), (1.0, -4.0), (4.0, 0.0), (3.0, -3.0), (3.0, 1.0)]]> : tensor<2x8xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @fft_real_8_f64() {
  %0 = stablehlo.constant dense<[[1.0, 1.0, 2.0, -4.0, 2.0, 0.0, 2.0, -2.0], [2.0, 4.0, 3.0, -4.0, 1.0, 4.0, 3.0, 3.0]]> : tensor<2x8xf64>
  %1 = stablehlo.fft %0, type = RFFT, length = [8] : (tensor<2x8xf64>) -> tensor<2x5xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(2.0, 0.0), (1.1213203435596426, 0.707106781186547), (-0.9999999999999982, -7.0), (-3.121320343559643, 0.7071067811865457), (12.0, 6.000769315822031e-15)], [(16.0, 0.0), (5.94974746830583, 4.949747468305834), (-2.9999999999999987, -9.000000000000002), (-3.9497474683058353, 4.949747468305835), (2.0, -6.123233995736765e-16)]]> : tensor<2x5xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IRFFT, length = [8] : (tensor<2x5xcomplex<f64>>) -> tensor<2x8xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 1.0, 2.0, -4.0, 2.0, 0.0, 2.0, -2.0], [2.0, 4.0, 3.0, -4.0, 1.0, 4.0, 3.0, 3.0]]> : tensor<2x8xf64>, tolerance = 1.0e-10
  return
}

func.func @fft_12_f64() {
  %0 = stablehlo.constant dense<[[(-2.0, -1.0), (0.0, -4.0), (4.0, -3.0), (3.0, -3.0), (1.0, 1.0), (3.0, 1.0), (1.0, 2.0), (-1.0, -4.0), (3.0, -1.0), (2.0, -2.0), (-2.0, 0.0), (-1.0, -2.0)], [(-3.0, 4.0), (-3.0, 0.0), (4.0, -4.0), (0.0, -4.0), (-2.0, -2.0), (-3.0, 2.0), (3.0, -1.0), (-4.0, 1.0), (4.0, 0.0), (4.0, 2.0), (-3.0, 0.0), (-2.0, 4.0)]]> : tensor<2x12xcomplex<f64>>
  %1 = stablehlo.fft %0, type = FFT, length = [12] : (tensor<2x12xcomplex<f64>>) -> tensor<2x12xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(11.0, -16.0), (-6.964101615137755, -14.062177826491068), (-18.89230484541326, -1.3301270189221996), (3.000000000000005, -3.9999999999999942), (-1.2320508075688865, 11.52627944162883), (-0.03589838486223118, -1.9378221735089405), (-1.0000000000000004, 11.999999999999984), (-2.7679491924311233, -1.8660254037844433), (2.232050807568874, -7.52627944162883), (-5.0, 4.000000000000007), (1.8923048454132552, 7.330127018922196), (-6.232050807568898, -0.13397459621562846)], [(-5.0, 2.0), (-17.464101615137757, 7.999999999999996), (-17.562177826491066, 1.9737205583711666), (-2.0000000000000013, 3.000000000000014), (5.901923788646677, 13.49038105676658), (-10.535898384862247, 7.999999999999993), (11.0, -8.000000000000007), (-5.928203230275521, -1.732050807568886), (11.09807621135334, -12.490381056766559), (-8.000000000000014, 10.99999999999999), (-5.437822173508907, 21.026279441628834), (7.928203230275497, 1.732050807568915)]]> : tensor<2x12xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IFFT, length = [12] : (tensor<2x12xcomplex<f64>>) -> tensor<2x12xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[[(-2.0, -1.0), (0.0, -4.0), (4.0, -3.0), (3.0, -3.0), (1.0, 1.0), (3.0, 1.0), (1.0, 2.0), (-1.0, -4.0), (3.0, -1.0), (2.0, -2.0), (-2.0, 0.0), (-1.0, -2.0)], [(-3.0, 4.0), (-3.0, 0.0), (4.0, -4.0), (0.0, -4.0), (-2.0, -2.0), (-3.0, 2.0), (3.0, -1.0), (-4.0, 1.0), (4.0, 0.0), (4.0, 2.0), (-3.0, 0.0), (-2.0, 4.0)]]> : tensor<2x12xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @fft_real_12_f64() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 4.0, 3.0, 1.0, 3.0, 1.0, -1.0, 3.0, 2.0, -2.0, -1.0], [-3.0, -3.0, 4.0, 0.0, -2.0, -3.0, 3.0, -4.0, 4.0, 4.0, -3.0, -2.0]]> : tensor<2x12xf64>
  %1 = stablehlo.fft %0, type = RFFT, length = [12] : (tensor<2x12xf64>) -> tensor<2x7xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(11.0, 0.0), (-6.598076211353316, -6.964101615137755), (-8.499999999999996, -4.330127018922197), (-0.9999999999999976, -3.9999999999999942), (0.4999999999999962, 9.526279441628827), (-1.4019237886466789, -0.03589838486224961), (-1.0, -1.6232140914431724e-14)], [(-5.0, 0.0), (-4.767949192431124, 3.13397459621556), (-11.499999999999995, -9.52627944162883), (-5.000000000000002, -3.999999999999993), (8.49999999999999, 12.990381056766587), (-8.232050807568873, 4.866025403784432), (11.0, -6.0663345202355184e-15)]]> : tensor<2x7xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IRFFT, length = [12] : (tensor<2x7xcomplex<f64>>) -> tensor<2x12xf64>
  check.expect_almost_eq_const %2, dense<[[-2.0, 0.0, 4.0, 3.0, 1.0, 3.0, 1.0, -1.0, 3.0, 2.0, -2.0, -1.0], [-3.0, -3.0, 4.0, 0.0, -2.0, -3.0, 3.0, -4.0, 4.0, 4.0, -3.0, -2.0]]> : tensor<2x12xf64>, tolerance = 1.0e-10
  return
}

func.func @fft_7_f64() {
  %0 = stablehlo.constant dense<[[(-2.0, 4.0), (0.0, 1.0), (2.0, -2.0), (1.0, -4.0), (-1.0, -1.0), (1.0, -2.0), (-2.0, -2.0)], [(2.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (-2.0, 4.0), (1.0, 3.0), (3.0, -4.0), (1.0, -2.0)]]> : tensor<2x7xcomplex<f64>>
  %1 = stablehlo.fft %0, type = FFT, length = [7] : (tensor<2x7xcomplex<f64>>) -> tensor<2x7xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(-1.0, -6.0), (-2.8706991755349955, 5.365079918125621), (1.0124134481549316, 4.7566382759622945), (0.049274622188245853, 1.4838225101183227), (3.2955396605738323, 5.555406150379795), (-9.528142919744193, 4.661256516582338), (-4.958385635637828, 12.177796628831606)], [(4.0, 0.0), (8.194843672161408, -1.3039733965198765), (-2.190386998376326, 5.529765394797255), (0.8500173911986344, -1.117357595630971), (4.287045948344101, -1.5800406872127848), (0.8944900551365396, 11.741968378182246), (-2.036010068464341, -13.270362093615898)]]> : tensor<2x7xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IFFT, length = [7] : (tensor<2x7xcomplex<f64>>) -> tensor<2x7xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[[(-2.0, 4.0), (0.0, 1.0), (2.0, -2.0), (1.0, -4.0), (-1.0, -1.0), (1.0, -2.0), (-2.0, -2.0)], [(2.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (-2.0, 4.0), (1.0, 3.0), (3.0, -4.0), (1.0, -2.0)]]> : tensor<2x7xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @fft_real_7_f64() {
  %0 = stablehlo.constant dense<[[-2.0, 0.0, 2.0, 1.0, -1.0, 1.0, -2.0], [2.0, 0.0, -1.0, -2.0, 1.0, 3.0, 1.0]]> : tensor<2x7xf64>
  %1 = stablehlo.fft %0, type = RFFT, length = [7] : (tensor<2x7xf64>) -> tensor<2x4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(-1.0, 0.0), (-3.91454240558641, -3.406358355353), (-4.2578647357946275, 0.04769087968996999), (1.6724071413810415, -2.035791820130731)], [(4.0, 0.0), (3.079416801848523, 5.983194348547999), (-0.6479484716198853, -3.106101491692499), (2.568531669771367, 0.23134154579091376)]]> : tensor<2x4xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.fft %1, type = IRFFT, length = [7] : (tensor<2x4xcomplex<f64>>) -> tensor<2x7xf64>
  check.expect_almost_eq_const %2, dense<[[-2.0, 0.0, 2.0, 1.0, -1.0, 1.0, -2.0], [2.0, 0.0, -1.0, -2.0, 1.0, 3.0, 1.0]]> : tensor<2x7xf64>, tolerance = 1.0e-10
  return
}

func.func @fft_2d_f64() {
  %0 = stablehlo.constant dense<[[(3.0, 2.0), (4.0, -2.0), (4.0, -4.0), (0.0, -2.0)], [(-4.0, 0.0), (0.0, 0.0), (-3.0, -3.0), (3.0, -4.0)], [(0.0, -4.0), (-4.0, -2.0), (-3.0, -1.0), (-4.0, 3.0)]]> : tensor<3x4xcomplex<f64>>
  %1 = stablehlo.fft %0, type = FFT, length = [3, 4] : (tensor<3x4xcomplex<f64>>) -> tensor<3x4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[[(-4.0, -17.0), (0.0, 5.0), (-2.0, -3.0), (2.0, 7.0)], [(15.901923788646684, -6.56217782649107), (6.294228634059947, -3.8301270189221928), (11.56217782649107, 17.49038105676658), (0.09807621135331601, 22.7583302491977)], [(21.098076211353316, 5.56217782649107), (-9.294228634059948, 4.830127018922193), (-0.5621778264910704, -8.490381056766578), (-5.098076211353316, 0.24166975080229847)]]> : tensor<3x4xcomplex<f64>>, tolerance = 1.0e-10
  %2 = stablehlo.constant dense<[[3.0, 4.0, 4.0, 0.0], [-4.0, 0.0, -3.0, 3.0], [0.0, -4.0, -3.0, -4.0]]> : tensor<3x4xf64>
  %3 = stablehlo.fft %2, type = RFFT, length = [3, 4] : (tensor<3x4xf64>) -> tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %3, dense<[[(-4.0, 0.0), (1.0, -1.0), (-2.0, 0.0)], [(18.5, -6.06217782649107), (0.598076211353316, -2.0358983848622456), (5.5, 12.990381056766578)], [(18.5, 6.06217782649107), (-4.598076211353316, -8.964101615137753), (5.5, -12.990381056766578)]]> : tensor<3x3xcomplex<f64>>, tolerance = 1.0e-10
  return
}
