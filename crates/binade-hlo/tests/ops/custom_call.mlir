// custom_call: what the specification says of it, over element types and edges.

func.func @custom_call_that_passes() {
  %0 = stablehlo.constant dense<[1.0, -2.4e+02]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[1.0, -2.4e+02]> : tensor<2xf8E4M3FNUZ>
  %2 = stablehlo.custom_call @check.eq(%0, %1) : (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<i1>
  check.expect_eq_const %2, dense<true> : tensor<i1>
  return
}

func.func @custom_call_erf() {
  %0 = stablehlo.constant dense<[0.5, -2.0, 0x7F800000]> : tensor<3xf32>
  %1 = stablehlo.custom_call @mhlo.erf(%0) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %2 = stablehlo.constant dense<[0.5204999, -0.9953223, 1.0]> : tensor<3xf32>
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>
  return
}

func.func @custom_call_shape_assertion() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%0) {error_message = "no", has_side_effect = true} : (tensor<i1>) -> ()
  return
}

// The call tolerates an absolute difference of 1e-3, ten times what the operation of that name does.
func.func @custom_call_expect_almost_eq() {
  %0 = stablehlo.constant dense<[1.0, -20.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.0009, -20.0009]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %1) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

func.func private @comparator(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// The exact ones, by the function's comparison; of equal ones those that come first.
func.func @custom_call_approx_top_k() {
  %0 = stablehlo.constant dense<[[3.0, 0.0], [-1.0, 0.0], [2.0, -5.0], [-1.0, 7.0]]> : tensor<4x2xf32>
  %1 = stablehlo.iota dim = 0 : tensor<4x2xi32>
  %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %3 = stablehlo.constant dense<-1> : tensor<i32>
  %4:2 = stablehlo.custom_call @ApproxTopK(%0, %1, %2, %3) {backend_config = "", called_computations = [@comparator], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<4x2xf32>, tensor<4x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  check.expect_eq_const %4#0, dense<[[-1.0, -5.0], [-1.0, 0.0], [2.0, 0.0]]> : tensor<3x2xf32>
  check.expect_eq_const %4#1, dense<[[1, 2], [3, 0], [2, 1]]> : tensor<3x2xi32>
  return
}

// As many as an operand says, of sizes that only a run tells.
func.func @custom_call_dynamic_approx_top_k() {
  %0 = stablehlo.constant dense<[[3.0, 0.0], [-1.0, 0.0], [2.0, -5.0], [-1.0, 7.0]]> : tensor<4x2xf32>
  %1 = stablehlo.iota dim = 0 : tensor<4x2xi32>
  %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %3 = stablehlo.constant dense<-1> : tensor<i32>
  %4 = stablehlo.convert %0 : (tensor<4x2xf32>) -> tensor<?x?xf32>
  %5 = stablehlo.convert %1 : (tensor<4x2xi32>) -> tensor<?x?xi32>
  %k = stablehlo.constant dense<3> : tensor<i32>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %6:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%4, %5, %2, %3, %k, %shape, %shape) {called_computations = [@comparator], indices_of_shape_operands = dense<[5, 6]> : tensor<2xi64>, mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64}} : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  check.expect_eq_const %6#0, dense<[[-1.0, -5.0], [-1.0, 0.0], [2.0, 0.0]]> : tensor<3x2xf32>
  check.expect_eq_const %6#1, dense<[[1, 2], [3, 0], [2, 1]]> : tensor<3x2xi32>
  %7:2 = stablehlo.custom_call @ApproxTopK(%4, %5, %2, %3, %shape, %shape) {called_computations = [@comparator], indices_of_shape_operands = dense<[4, 5]> : tensor<2xi64>, mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  check.expect_eq_const %7#0, dense<[[-1.0, -5.0], [-1.0, 0.0], [2.0, 0.0]]> : tensor<3x2xf32>
  check.expect_eq_const %7#1, dense<[[1, 2], [3, 0], [2, 1]]> : tensor<3x2xi32>
  return
}

// Rows [0 2 0 -1], [] and [0.5 4 1 0] times a vector, a matrix, and numbers of other types.
func.func @custom_call_sparse_dot() {
  %starts = stablehlo.constant dense<[0, 2, 2, 5]> : tensor<4xi32>
  %columns = stablehlo.constant dense<[1, 3, 0, 1, 2]> : tensor<5xi32>
  %0 = stablehlo.constant dense<[2.0, -1.0, 0.5, 4.0, 1.0]> : tensor<5xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %2 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%0, %starts, %columns, %1) {mhlo.backend_config = {}} : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<4xf32>) -> tensor<3xf32>
  check.expect_eq_const %2, dense<[0.0, 0.0, 11.5]> : tensor<3xf32>
  %3 = stablehlo.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 50.0]]> : tensor<4x2xf32>
  %4 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%0, %starts, %columns, %3) {mhlo.backend_config = {}} : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %4, dense<[[0.0, -10.0], [0.0, 0.0], [11.5, 115.0]]> : tensor<3x2xf32>
  %5 = stablehlo.convert %0 : (tensor<5xf32>) -> tensor<5xbf16>
  %6 = stablehlo.convert %3 : (tensor<4x2xf32>) -> tensor<4x2xbf16>
  %7 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%5, %starts, %columns, %6) {mhlo.backend_config = {}} : (tensor<5xbf16>, tensor<4xi32>, tensor<5xi32>, tensor<4x2xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %7, dense<[[0.0, -10.0], [0.0, 0.0], [11.5, 115.0]]> : tensor<3x2xbf16>
  return
}

func.func @custom_call_sparse_dot_of_other_numbers() {
  %starts = stablehlo.constant dense<[0, 1, 3]> : tensor<3xi64>
  %columns = stablehlo.constant dense<[1, 0, 0]> : tensor<3xi64>
  %0 = stablehlo.constant dense<[3, -2147483648, 2]> : tensor<3xi32>
  %1 = stablehlo.constant dense<[2, 7]> : tensor<2xi32>
  %2 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%0, %starts, %columns, %1) {mhlo.backend_config = {}} : (tensor<3xi32>, tensor<3xi64>, tensor<3xi64>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[21, 4]> : tensor<2xi32>
  %3 = stablehlo.constant dense<[(0.0, 1.0), (1.0, 1.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %4 = stablehlo.constant dense<[(1.0, 2.0), (3.0, -1.0)]> : tensor<2xcomplex<f64>>
  %5 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%3, %starts, %columns, %4) {mhlo.backend_config = {}} : (tensor<3xcomplex<f64>>, tensor<3xi64>, tensor<3xi64>, tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %5, dense<[(1.0, 3.0), (1.0, 7.0)]> : tensor<2xcomplex<f64>>
  return
}

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

func.func private @called_sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = call @sum(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A cumulative sum, and windows with strides, dilations and edges; the function itself or one that it calls.
func.func @custom_call_dynamic_reduce_window() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
  %3 = stablehlo.constant dense<1> : tensor<2xi32>
  %4 = stablehlo.constant dense<[[2, 0], [0, 0]]> : tensor<2x2xi32>
  %5 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%0, %1, %2, %3, %3, %3, %4) {called_computations = [@sum]} : (tensor<3x2xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<3x2xf32>
  check.expect_eq_const %5, dense<[[1.0, 2.0], [4.0, 6.0], [9.0, 12.0]]> : tensor<3x2xf32>
  %6 = stablehlo.constant dense<2> : tensor<2xi32>
  %7 = stablehlo.constant dense<[[0, 0], [0, 1]]> : tensor<2x2xi32>
  %shape = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %8 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%0, %1, %6, %6, %6, %6, %7) {called_computations = [@called_sum]} : (tensor<3x2xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  %9 = stablehlo.dynamic_reshape %8, %shape : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<2x1xf32>
  check.expect_eq_const %9, dense<[[10.0], [18.0]]> : tensor<2x1xf32>
  return
}

// Results whose shapes are operands.
func.func @custom_call_of_sizes_that_are_operands() {
  %0 = stablehlo.constant dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<2> : tensor<2xi32>
  %2 = stablehlo.constant dense<2> : tensor<1xi32>
  %3 = stablehlo.constant dense<> : tensor<0xi32>
  %x = stablehlo.dynamic_reshape %0, %1 : (tensor<2x2xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %4:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%x, %1, %2, %3) {indices_of_shape_operands = dense<[1, 2, 3]> : tensor<3xi64>, mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<?x?xf32>, tensor<2xi32>, tensor<1xi32>, tensor<0xi32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<i32>)
  %5 = stablehlo.dynamic_reshape %4#1, %2 : (tensor<?xf32>, tensor<1xi32>) -> tensor<2xf32>
  check.expect_eq_const %5, dense<[1.0, 3.0]> : tensor<2xf32>
  %6 = stablehlo.constant dense<1> : tensor<i32>
  %7:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%5, %6) : (tensor<2xf32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  %8 = stablehlo.constant dense<1> : tensor<1xi32>
  %9 = stablehlo.dynamic_reshape %7#1, %8 : (tensor<?xi32>, tensor<1xi32>) -> tensor<1xi32>
  check.expect_eq_const %9, dense<1> : tensor<1xi32>
  return
}

func.func @custom_call_dynamic_rng_bit_generator() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1 = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %2:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%0, %1) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui8>)
  %3:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
  %4 = stablehlo.dynamic_reshape %2#1, %1 : (tensor<?x?xui8>, tensor<2xi32>) -> tensor<3x5xui8>
  check.expect_eq %3#1, %4 : tensor<3x5xui8>
  return
}

// Eigenvalues of I + J are 1, and n + 1 once; singular values of ones are n, and 0.
func.func @custom_call_lapack_of_ones() {
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f64>) -> tensor<13x13xf64>
  %row = stablehlo.iota dim = 0 : tensor<13x13xi32>
  %column = stablehlo.iota dim = 1 : tensor<13x13xi32>
  %same = stablehlo.compare EQ, %row, %column : (tensor<13x13xi32>, tensor<13x13xi32>) -> tensor<13x13xi1>
  %identity = stablehlo.convert %same : (tensor<13x13xi1>) -> tensor<13x13xf64>
  %sum = stablehlo.add %ones, %identity : tensor<13x13xf64>
  %0:5 = stablehlo.custom_call @lapack_dgeev_ffi(%sum) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 78 : ui8}} : (tensor<13x13xf64>) -> (tensor<13xf64>, tensor<13xf64>, tensor<13x13xcomplex<f64>>, tensor<13x13xcomplex<f64>>, tensor<i32>)
  check.expect_eq_const %0#4, dense<0> : tensor<i32>
  %values = "stablehlo.sort"(%0#0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %less = stablehlo.compare LT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<13xf64>) -> tensor<13xf64>
  %1 = stablehlo.constant dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 14.0]> : tensor<13xf64>
  check.expect_close %values, %1, max_ulp_difference = 40 : tensor<13xf64>, tensor<13xf64>
  %single = stablehlo.constant dense<1.0> : tensor<f32>
  %large = stablehlo.broadcast_in_dim %single, dims = [] : (tensor<f32>) -> tensor<81x81xf32>
  %2:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%large) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<81x81xf32>) -> (tensor<81x81xf32>, tensor<81xf32>, tensor<81x81xf32>, tensor<81x81xf32>, tensor<i32>)
  check.expect_eq_const %2#4, dense<0> : tensor<i32>
  %first = stablehlo.slice %2#1 [0:1] : (tensor<81xf32>) -> tensor<1xf32>
  check.expect_eq_const %first, dense<8.1e+01> : tensor<1xf32>
  return
}
