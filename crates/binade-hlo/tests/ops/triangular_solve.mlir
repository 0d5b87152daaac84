// stablehlo.triangular_solve by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @triangular_solve_f64_left_lower_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[2.0, 4.0], [-2.0, 11.0], [2.0, -3.0]]> : tensor<3x2xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_left_lower_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [0.0, 5.0], [0.0, -1.0]]> : tensor<3x2xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_left_lower_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[-1.0, 9.0], [-1.0, 7.0], [4.0, -4.0]]> : tensor<3x2xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_left_lower_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[-2.0, 7.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_left_upper_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[-1.0, 9.0], [-1.0, 7.0], [4.0, -4.0]]> : tensor<3x2xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_left_upper_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[-2.0, 7.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_left_upper_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[2.0, 4.0], [-2.0, 11.0], [2.0, -3.0]]> : tensor<3x2xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_left_upper_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [0.0, 5.0], [0.0, -1.0]]> : tensor<3x2xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_right_lower_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[-1.0, -1.0, 4.0], [9.0, 7.0, -4.0]]> : tensor<2x3xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_right_lower_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[-2.0, 1.0, 2.0], [7.0, 1.0, -2.0]]> : tensor<2x3xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_right_lower_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[2.0, -2.0, 2.0], [4.0, 11.0, -3.0]]> : tensor<2x3xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_right_lower_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 5.0, -1.0]]> : tensor<2x3xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_right_upper_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[2.0, -2.0, 2.0], [4.0, 11.0, -3.0]]> : tensor<2x3xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_right_upper_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 5.0, -1.0]]> : tensor<2x3xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_right_upper_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[-1.0, -1.0, 4.0], [9.0, 7.0, -4.0]]> : tensor<2x3xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f64_right_upper_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf64>
  %1 = stablehlo.constant dense<[[-2.0, 1.0, 2.0], [7.0, 1.0, -2.0]]> : tensor<2x3xf64>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf64>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_left_lower_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[2.0, 4.0], [-2.0, 11.0], [2.0, -3.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_left_lower_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [0.0, 5.0], [0.0, -1.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_left_lower_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[-1.0, 9.0], [-1.0, 7.0], [4.0, -4.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_left_lower_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[-2.0, 7.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_left_upper_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[-1.0, 9.0], [-1.0, 7.0], [4.0, -4.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_left_upper_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[-2.0, 7.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_left_upper_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[2.0, 4.0], [-2.0, 11.0], [2.0, -3.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_left_upper_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [0.0, 5.0], [0.0, -1.0]]> : tensor<3x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_right_lower_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[-1.0, -1.0, 4.0], [9.0, 7.0, -4.0]]> : tensor<2x3xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_right_lower_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[-2.0, 1.0, 2.0], [7.0, 1.0, -2.0]]> : tensor<2x3xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_right_lower_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[2.0, -2.0, 2.0], [4.0, 11.0, -3.0]]> : tensor<2x3xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_right_lower_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 5.0, -1.0]]> : tensor<2x3xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_right_upper_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[2.0, -2.0, 2.0], [4.0, 11.0, -3.0]]> : tensor<2x3xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_right_upper_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 5.0, -1.0]]> : tensor<2x3xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_right_upper_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[-1.0, -1.0, 4.0], [9.0, 7.0, -4.0]]> : tensor<2x3xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_f32_right_upper_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xf32>
  %1 = stablehlo.constant dense<[[-2.0, 1.0, 2.0], [7.0, 1.0, -2.0]]> : tensor<2x3xf32>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_left_lower_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[2.0, 4.0], [-2.0, 11.0], [2.0, -3.0]]> : tensor<3x2xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_left_lower_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [0.0, 5.0], [0.0, -1.0]]> : tensor<3x2xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_left_lower_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 9.0], [-1.0, 7.0], [4.0, -4.0]]> : tensor<3x2xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_left_lower_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[-2.0, 7.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_left_upper_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 9.0], [-1.0, 7.0], [4.0, -4.0]]> : tensor<3x2xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_left_upper_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[-2.0, 7.0], [1.0, 1.0], [2.0, -2.0]]> : tensor<3x2xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_left_upper_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[2.0, 4.0], [-2.0, 11.0], [2.0, -3.0]]> : tensor<3x2xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_left_upper_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [0.0, 5.0], [0.0, -1.0]]> : tensor<3x2xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<3x2xbf16>) -> tensor<3x2xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [-1.0, 3.0], [2.0, -2.0]]> : tensor<3x2xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_right_lower_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[-1.0, -1.0, 4.0], [9.0, 7.0, -4.0]]> : tensor<2x3xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_right_lower_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[-2.0, 1.0, 2.0], [7.0, 1.0, -2.0]]> : tensor<2x3xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_right_lower_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[2.0, -2.0, 2.0], [4.0, 11.0, -3.0]]> : tensor<2x3xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_right_lower_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 3.0, 9.0], [-1.0, 1.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 5.0, -1.0]]> : tensor<2x3xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_right_upper_no_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[2.0, -2.0, 2.0], [4.0, 11.0, -3.0]]> : tensor<2x3xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_right_upper_no_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 5.0, -1.0]]> : tensor<2x3xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_right_upper_transpose() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[-1.0, -1.0, 4.0], [9.0, 7.0, -4.0]]> : tensor<2x3xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_bf16_right_upper_transpose_unit() {
  %0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [9.0, 3.0, 1.0], [9.0, 9.0, 2.0]]> : tensor<3x3xbf16>
  %1 = stablehlo.constant dense<[[-2.0, 1.0, 2.0], [7.0, 1.0, -2.0]]> : tensor<2x3xbf16>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_almost_eq_const %2, dense<[[1.0, -1.0, 2.0], [2.0, 3.0, -2.0]]> : tensor<2x3xbf16>, tolerance = 1.0e-05
  return
}

func.func @triangular_solve_adjoint() {
  %0 = stablehlo.constant dense<[[(2.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (0.0, 1.0)]]> : tensor<2x2xcomplex<f64>>
  %1 = stablehlo.constant dense<[[(3.0, -1.0)], [(-1.0, -2.0)]]> : tensor<2x1xcomplex<f64>>
  %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<2x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[[(1.0, 1.0)], [(2.0, -1.0)]]> : tensor<2x1xcomplex<f64>>, tolerance = 1.0e-12
  return
}

func.func @triangular_solve_quantized() {
  %0 = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[4.0], [10.0]]> : tensor<2x1xf32>
  %2 = stablehlo.uniform_quantize %0 : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  %3 = stablehlo.uniform_quantize %1 : (tensor<2x1xf32>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  %4 = "stablehlo.triangular_solve"(%2, %3) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  %5 = stablehlo.uniform_dequantize %4 : (tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x1xf32>
  check.expect_eq_const %5, dense<[[2.0], [2.0]]> : tensor<2x1xf32>
  return
}
