// stablehlo.einsum by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @einsum_matrices_i8() {
  %0 = stablehlo.constant dense<[[-1, 0, 1], [-1, 0, 1]]> : tensor<2x3xi8>
  %1 = stablehlo.constant dense<[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]> : tensor<3x4xi8>
  %2 = stablehlo.einsum %0, %1, config = "ik,kj->ij" : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi8>
  check.expect_eq_const %2, dense<[[2, -1, -1, 2], [2, -1, -1, 2]]> : tensor<2x4xi8>
  return
}

func.func @einsum_vectors_i8() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %2 = stablehlo.einsum %0, %1, config = "k,k->" : (tensor<3xi8>, tensor<3xi8>) -> tensor<i8>
  check.expect_eq_const %2, dense<5> : tensor<i8>
  return
}

func.func @einsum_batches_i8() {
  %0 = stablehlo.constant dense<[[[-1, 0, 1], [-1, 0, 1]], [[-1, 0, 1], [-1, 0, 1]]]> : tensor<2x2x3xi8>
  %1 = stablehlo.constant dense<[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]], [[1, -1], [0, 1]]]> : tensor<3x2x2xi8>
  %2 = stablehlo.einsum %0, %1, config = "bik,kjb->bij" : (tensor<2x2x3xi8>, tensor<3x2x2xi8>) -> tensor<2x2x2xi8>
  check.expect_eq_const %2, dense<[[[2, -1], [2, -1]], [[-1, 2], [-1, 2]]]> : tensor<2x2x2xi8>
  return
}

func.func @einsum_outer_i8() {
  %0 = stablehlo.constant dense<[0, 1]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi8>
  %2 = stablehlo.einsum %0, %1, config = "i,j->ij" : (tensor<2xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %2, dense<[[0, 0, 0], [-1, 0, 1]]> : tensor<2x3xi8>
  return
}

func.func @einsum_two_sums_i8() {
  %0 = stablehlo.constant dense<[[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<[[[-1, 0, 1], [-1, 0, 1]], [[-1, 0, 1], [-1, 0, 1]]]> : tensor<2x2x3xi8>
  %2 = stablehlo.einsum %0, %1, config = "iab,bja->ij" : (tensor<2x3x2xi8>, tensor<2x2x3xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[2, 2], [2, 2]]> : tensor<2x2xi8>
  return
}

func.func @einsum_matrices_i64() {
  %0 = stablehlo.constant dense<[[-1, 0, 1], [-1, 0, 1]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]> : tensor<3x4xi64>
  %2 = stablehlo.einsum %0, %1, config = "ik,kj->ij" : (tensor<2x3xi64>, tensor<3x4xi64>) -> tensor<2x4xi64>
  check.expect_eq_const %2, dense<[[2, -1, -1, 2], [2, -1, -1, 2]]> : tensor<2x4xi64>
  return
}

func.func @einsum_vectors_i64() {
  %0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %1 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %2 = stablehlo.einsum %0, %1, config = "k,k->" : (tensor<3xi64>, tensor<3xi64>) -> tensor<i64>
  check.expect_eq_const %2, dense<5> : tensor<i64>
  return
}

func.func @einsum_batches_i64() {
  %0 = stablehlo.constant dense<[[[-1, 0, 1], [-1, 0, 1]], [[-1, 0, 1], [-1, 0, 1]]]> : tensor<2x2x3xi64>
  %1 = stablehlo.constant dense<[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]], [[1, -1], [0, 1]]]> : tensor<3x2x2xi64>
  %2 = stablehlo.einsum %0, %1, config = "bik,kjb->bij" : (tensor<2x2x3xi64>, tensor<3x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %2, dense<[[[2, -1], [2, -1]], [[-1, 2], [-1, 2]]]> : tensor<2x2x2xi64>
  return
}

func.func @einsum_outer_i64() {
  %0 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %1 = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %2 = stablehlo.einsum %0, %1, config = "i,j->ij" : (tensor<2xi64>, tensor<3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %2, dense<[[0, 0, 0], [-1, 0, 1]]> : tensor<2x3xi64>
  return
}

func.func @einsum_two_sums_i64() {
  %0 = stablehlo.constant dense<[[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<[[[-1, 0, 1], [-1, 0, 1]], [[-1, 0, 1], [-1, 0, 1]]]> : tensor<2x2x3xi64>
  %2 = stablehlo.einsum %0, %1, config = "iab,bja->ij" : (tensor<2x3x2xi64>, tensor<2x2x3xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[2, 2], [2, 2]]> : tensor<2x2xi64>
  return
}

func.func @einsum_matrices_f64() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf64>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf64>
  %2 = stablehlo.einsum %0, %1, config = "ik,kj->ij" : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf64>
  return
}

func.func @einsum_vectors_f64() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %2 = stablehlo.einsum %0, %1, config = "k,k->" : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
  check.expect_eq_const %2, dense<5.0> : tensor<f64>
  return
}

func.func @einsum_batches_f64() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf64>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xf64>
  %2 = stablehlo.einsum %0, %1, config = "bik,kjb->bij" : (tensor<2x2x3xf64>, tensor<3x2x2xf64>) -> tensor<2x2x2xf64>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xf64>
  return
}

func.func @einsum_outer_f64() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf64>
  %2 = stablehlo.einsum %0, %1, config = "i,j->ij" : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf64>
  return
}

func.func @einsum_two_sums_f64() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xf64>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf64>
  %2 = stablehlo.einsum %0, %1, config = "iab,bja->ij" : (tensor<2x3x2xf64>, tensor<2x2x3xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf64>
  return
}

func.func @einsum_matrices_f32() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf32>
  %2 = stablehlo.einsum %0, %1, config = "ik,kj->ij" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf32>
  return
}

func.func @einsum_vectors_f32() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %2 = stablehlo.einsum %0, %1, config = "k,k->" : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  check.expect_eq_const %2, dense<5.0> : tensor<f32>
  return
}

func.func @einsum_batches_f32() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf32>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xf32>
  %2 = stablehlo.einsum %0, %1, config = "bik,kjb->bij" : (tensor<2x2x3xf32>, tensor<3x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xf32>
  return
}

func.func @einsum_outer_f32() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %2 = stablehlo.einsum %0, %1, config = "i,j->ij" : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf32>
  return
}

func.func @einsum_two_sums_f32() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf32>
  %2 = stablehlo.einsum %0, %1, config = "iab,bja->ij" : (tensor<2x3x2xf32>, tensor<2x2x3xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf32>
  return
}

func.func @einsum_matrices_bf16() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xbf16>
  %2 = stablehlo.einsum %0, %1, config = "ik,kj->ij" : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xbf16>
  return
}

func.func @einsum_vectors_bf16() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %2 = stablehlo.einsum %0, %1, config = "k,k->" : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<bf16>
  check.expect_eq_const %2, dense<5.0> : tensor<bf16>
  return
}

func.func @einsum_batches_bf16() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xbf16>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xbf16>
  %2 = stablehlo.einsum %0, %1, config = "bik,kjb->bij" : (tensor<2x2x3xbf16>, tensor<3x2x2xbf16>) -> tensor<2x2x2xbf16>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xbf16>
  return
}

func.func @einsum_outer_bf16() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xbf16>
  %2 = stablehlo.einsum %0, %1, config = "i,j->ij" : (tensor<2xbf16>, tensor<3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xbf16>
  return
}

func.func @einsum_two_sums_bf16() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xbf16>
  %2 = stablehlo.einsum %0, %1, config = "iab,bja->ij" : (tensor<2x3x2xbf16>, tensor<2x2x3xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xbf16>
  return
}

func.func @einsum_matrices_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf8E4M3FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "ik,kj->ij" : (tensor<2x3xf8E4M3FNUZ>, tensor<3x4xf8E4M3FNUZ>) -> tensor<2x4xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf8E4M3FNUZ>
  return
}

func.func @einsum_vectors_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "k,k->" : (tensor<3xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<f8E4M3FNUZ>
  check.expect_eq_const %2, dense<5.0> : tensor<f8E4M3FNUZ>
  return
}

func.func @einsum_batches_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xf8E4M3FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "bik,kjb->bij" : (tensor<2x2x3xf8E4M3FNUZ>, tensor<3x2x2xf8E4M3FNUZ>) -> tensor<2x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xf8E4M3FNUZ>
  return
}

func.func @einsum_outer_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf8E4M3FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "i,j->ij" : (tensor<2xf8E4M3FNUZ>, tensor<3xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @einsum_two_sums_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf8E4M3FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "iab,bja->ij" : (tensor<2x3x2xf8E4M3FNUZ>, tensor<2x2x3xf8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  return
}

func.func @einsum_matrices_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]> : tensor<3x4xf8E5M2FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "ik,kj->ij" : (tensor<2x3xf8E5M2FNUZ>, tensor<3x4xf8E5M2FNUZ>) -> tensor<2x4xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[2.0, -1.0, -1.0, 2.0], [2.0, -1.0, -1.0, 2.0]]> : tensor<2x4xf8E5M2FNUZ>
  return
}

func.func @einsum_vectors_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "k,k->" : (tensor<3xf8E5M2FNUZ>, tensor<3xf8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %2, dense<5.0> : tensor<f8E5M2FNUZ>
  return
}

func.func @einsum_batches_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0]]]> : tensor<3x2x2xf8E5M2FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "bik,kjb->bij" : (tensor<2x2x3xf8E5M2FNUZ>, tensor<3x2x2xf8E5M2FNUZ>) -> tensor<2x2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[2.0, -1.0], [2.0, -1.0]], [[-1.0, 2.0], [-1.0, 2.0]]]> : tensor<2x2x2xf8E5M2FNUZ>
  return
}

func.func @einsum_outer_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf8E5M2FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "i,j->ij" : (tensor<2xf8E5M2FNUZ>, tensor<3xf8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @einsum_two_sums_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]> : tensor<2x2x3xf8E5M2FNUZ>
  %2 = stablehlo.einsum %0, %1, config = "iab,bja->ij" : (tensor<2x3x2xf8E5M2FNUZ>, tensor<2x2x3xf8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  return
}

func.func @einsum_matrices_complex_f32() {
  %0 = stablehlo.constant dense<[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]> : tensor<2x3xcomplex<f32>>
  %1 = stablehlo.constant dense<[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0), (-1.0, -1.0)], [(0.0, 0.0), (1.0, 1.0), (-1.0, -1.0), (0.0, 0.0)], [(1.0, 1.0), (-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]> : tensor<3x4xcomplex<f32>>
  %2 = stablehlo.einsum %0, %1, config = "ik,kj->ij" : (tensor<2x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(0.0, 4.0), (0.0, -2.0), (0.0, -2.0), (0.0, 4.0)], [(0.0, 4.0), (0.0, -2.0), (0.0, -2.0), (0.0, 4.0)]]> : tensor<2x4xcomplex<f32>>
  return
}

func.func @einsum_vectors_complex_f32() {
  %0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]> : tensor<3xcomplex<f32>>
  %1 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]> : tensor<3xcomplex<f32>>
  %2 = stablehlo.einsum %0, %1, config = "k,k->" : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %2, dense<(0.0, 10.0)> : tensor<complex<f32>>
  return
}

func.func @einsum_batches_complex_f32() {
  %0 = stablehlo.constant dense<[[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]], [[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]]> : tensor<2x2x3xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[(-1.0, -1.0), (0.0, 0.0)], [(1.0, 1.0), (-1.0, -1.0)]], [[(0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0)]], [[(1.0, 1.0), (-1.0, -1.0)], [(0.0, 0.0), (1.0, 1.0)]]]> : tensor<3x2x2xcomplex<f32>>
  %2 = stablehlo.einsum %0, %1, config = "bik,kjb->bij" : (tensor<2x2x3xcomplex<f32>>, tensor<3x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[(0.0, 4.0), (0.0, -2.0)], [(0.0, 4.0), (0.0, -2.0)]], [[(0.0, -2.0), (0.0, 4.0)], [(0.0, -2.0), (0.0, 4.0)]]]> : tensor<2x2x2xcomplex<f32>>
  return
}

func.func @einsum_outer_complex_f32() {
  %0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.constant dense<[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]> : tensor<3xcomplex<f32>>
  %2 = stablehlo.einsum %0, %1, config = "i,j->ij" : (tensor<2xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, -2.0), (0.0, 0.0), (0.0, 2.0)]]> : tensor<2x3xcomplex<f32>>
  return
}

func.func @einsum_two_sums_complex_f32() {
  %0 = stablehlo.constant dense<[[[(-1.0, -1.0), (0.0, 0.0)], [(1.0, 1.0), (-1.0, -1.0)], [(0.0, 0.0), (1.0, 1.0)]], [[(-1.0, -1.0), (0.0, 0.0)], [(1.0, 1.0), (-1.0, -1.0)], [(0.0, 0.0), (1.0, 1.0)]]]> : tensor<2x3x2xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]], [[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)], [(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]]]> : tensor<2x2x3xcomplex<f32>>
  %2 = stablehlo.einsum %0, %1, config = "iab,bja->ij" : (tensor<2x3x2xcomplex<f32>>, tensor<2x2x3xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %2, dense<[[(0.0, 4.0), (0.0, 4.0)], [(0.0, 4.0), (0.0, 4.0)]]> : tensor<2x2xcomplex<f32>>
  return
}

// The sum of products is beyond i4.
func.func @einsum_i4_in_i8() {
  %0 = stablehlo.constant dense<7> : tensor<1x2xi4>
  %1 = stablehlo.constant dense<[[7], [-8]]> : tensor<2x1xi4>
  %2 = stablehlo.einsum %0, %1, config = "ab,bc->ac" : (tensor<1x2xi4>, tensor<2x1xi4>) -> tensor<1x1xi8>
  check.expect_eq_const %2, dense<-7> : tensor<1x1xi8>
  %3 = stablehlo.einsum %0, %0, config = "ab,ab->a" : (tensor<1x2xi4>, tensor<1x2xi4>) -> tensor<1xi8>
  check.expect_eq_const %3, dense<98> : tensor<1xi8>
  return
}
