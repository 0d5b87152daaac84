// rng: what the specification says of it, over element types and edges.

func.func @rng_uniform_f32() {
  %0 = stablehlo.constant dense<2.0> : tensor<f32>
  %1 = stablehlo.constant dense<6.0> : tensor<f32>
  %2 = stablehlo.constant dense<[4, 50]> : tensor<2xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x50xf32>
  %4 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
  %5 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
  %6 = stablehlo.compare GE, %3, %4, FLOAT : (tensor<4x50xf32>, tensor<4x50xf32>) -> tensor<4x50xi1>
  check.expect_eq_const %6, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  %7 = stablehlo.compare LT, %3, %5, FLOAT : (tensor<4x50xf32>, tensor<4x50xf32>) -> tensor<4x50xi1>
  check.expect_eq_const %7, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  return
}

func.func @rng_normal_without_spread_f32() {
  %0 = stablehlo.constant dense<1.5> : tensor<f32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[1.5, 1.5, 1.5]> : tensor<3xf32>
  return
}

func.func @rng_uniform_f64() {
  %0 = stablehlo.constant dense<2.0> : tensor<f64>
  %1 = stablehlo.constant dense<6.0> : tensor<f64>
  %2 = stablehlo.constant dense<[4, 50]> : tensor<2xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<4x50xf64>
  %4 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<4x50xf64>
  %5 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f64>) -> tensor<4x50xf64>
  %6 = stablehlo.compare GE, %3, %4, FLOAT : (tensor<4x50xf64>, tensor<4x50xf64>) -> tensor<4x50xi1>
  check.expect_eq_const %6, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  %7 = stablehlo.compare LT, %3, %5, FLOAT : (tensor<4x50xf64>, tensor<4x50xf64>) -> tensor<4x50xi1>
  check.expect_eq_const %7, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  return
}

func.func @rng_normal_without_spread_f64() {
  %0 = stablehlo.constant dense<1.5> : tensor<f64>
  %1 = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<3xf64>
  check.expect_eq_const %3, dense<[1.5, 1.5, 1.5]> : tensor<3xf64>
  return
}

func.func @rng_uniform_bf16() {
  %0 = stablehlo.constant dense<2.0> : tensor<bf16>
  %1 = stablehlo.constant dense<6.0> : tensor<bf16>
  %2 = stablehlo.constant dense<[4, 50]> : tensor<2xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<2xi64>) -> tensor<4x50xbf16>
  %4 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<4x50xbf16>
  %5 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<bf16>) -> tensor<4x50xbf16>
  %6 = stablehlo.compare GE, %3, %4, FLOAT : (tensor<4x50xbf16>, tensor<4x50xbf16>) -> tensor<4x50xi1>
  check.expect_eq_const %6, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  %7 = stablehlo.compare LT, %3, %5, FLOAT : (tensor<4x50xbf16>, tensor<4x50xbf16>) -> tensor<4x50xi1>
  check.expect_eq_const %7, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  return
}

func.func @rng_normal_without_spread_bf16() {
  %0 = stablehlo.constant dense<1.5> : tensor<bf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = NORMAL : (tensor<bf16>, tensor<bf16>, tensor<1xi64>) -> tensor<3xbf16>
  check.expect_eq_const %3, dense<[1.5, 1.5, 1.5]> : tensor<3xbf16>
  return
}

func.func @rng_uniform_f16() {
  %0 = stablehlo.constant dense<2.0> : tensor<f16>
  %1 = stablehlo.constant dense<6.0> : tensor<f16>
  %2 = stablehlo.constant dense<[4, 50]> : tensor<2xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<f16>, tensor<f16>, tensor<2xi64>) -> tensor<4x50xf16>
  %4 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f16>) -> tensor<4x50xf16>
  %5 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f16>) -> tensor<4x50xf16>
  %6 = stablehlo.compare GE, %3, %4, FLOAT : (tensor<4x50xf16>, tensor<4x50xf16>) -> tensor<4x50xi1>
  check.expect_eq_const %6, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  %7 = stablehlo.compare LT, %3, %5, FLOAT : (tensor<4x50xf16>, tensor<4x50xf16>) -> tensor<4x50xi1>
  check.expect_eq_const %7, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  return
}

func.func @rng_normal_without_spread_f16() {
  %0 = stablehlo.constant dense<1.5> : tensor<f16>
  %1 = stablehlo.constant dense<0.0> : tensor<f16>
  %2 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = NORMAL : (tensor<f16>, tensor<f16>, tensor<1xi64>) -> tensor<3xf16>
  check.expect_eq_const %3, dense<[1.5, 1.5, 1.5]> : tensor<3xf16>
  return
}

func.func @rng_uniform_i8() {
  %0 = stablehlo.constant dense<2> : tensor<i8>
  %1 = stablehlo.constant dense<6> : tensor<i8>
  %2 = stablehlo.constant dense<[4, 50]> : tensor<2xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<i8>, tensor<i8>, tensor<2xi64>) -> tensor<4x50xi8>
  %4 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i8>) -> tensor<4x50xi8>
  %5 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i8>) -> tensor<4x50xi8>
  %6 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<4x50xi8>, tensor<4x50xi8>) -> tensor<4x50xi1>
  check.expect_eq_const %6, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  %7 = stablehlo.compare LT, %3, %5, SIGNED : (tensor<4x50xi8>, tensor<4x50xi8>) -> tensor<4x50xi1>
  check.expect_eq_const %7, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  return
}

func.func @rng_uniform_of_one_i8() {
  %0 = stablehlo.constant dense<5> : tensor<i8>
  %1 = stablehlo.constant dense<6> : tensor<i8>
  %2 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<i8>, tensor<i8>, tensor<1xi64>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[5, 5, 5]> : tensor<3xi8>
  return
}

func.func @rng_uniform_i32() {
  %0 = stablehlo.constant dense<2> : tensor<i32>
  %1 = stablehlo.constant dense<6> : tensor<i32>
  %2 = stablehlo.constant dense<[4, 50]> : tensor<2xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<4x50xi32>
  %4 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<4x50xi32>
  %5 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<4x50xi32>
  %6 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<4x50xi32>, tensor<4x50xi32>) -> tensor<4x50xi1>
  check.expect_eq_const %6, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  %7 = stablehlo.compare LT, %3, %5, SIGNED : (tensor<4x50xi32>, tensor<4x50xi32>) -> tensor<4x50xi1>
  check.expect_eq_const %7, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  return
}

func.func @rng_uniform_of_one_i32() {
  %0 = stablehlo.constant dense<5> : tensor<i32>
  %1 = stablehlo.constant dense<6> : tensor<i32>
  %2 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<3xi32>
  check.expect_eq_const %3, dense<[5, 5, 5]> : tensor<3xi32>
  return
}

func.func @rng_uniform_ui8() {
  %0 = stablehlo.constant dense<2> : tensor<ui8>
  %1 = stablehlo.constant dense<6> : tensor<ui8>
  %2 = stablehlo.constant dense<[4, 50]> : tensor<2xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<ui8>, tensor<ui8>, tensor<2xi64>) -> tensor<4x50xui8>
  %4 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui8>) -> tensor<4x50xui8>
  %5 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui8>) -> tensor<4x50xui8>
  %6 = stablehlo.compare GE, %3, %4, UNSIGNED : (tensor<4x50xui8>, tensor<4x50xui8>) -> tensor<4x50xi1>
  check.expect_eq_const %6, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  %7 = stablehlo.compare LT, %3, %5, UNSIGNED : (tensor<4x50xui8>, tensor<4x50xui8>) -> tensor<4x50xi1>
  check.expect_eq_const %7, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  return
}

func.func @rng_uniform_of_one_ui8() {
  %0 = stablehlo.constant dense<5> : tensor<ui8>
  %1 = stablehlo.constant dense<6> : tensor<ui8>
  %2 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<ui8>, tensor<ui8>, tensor<1xi64>) -> tensor<3xui8>
  check.expect_eq_const %3, dense<[5, 5, 5]> : tensor<3xui8>
  return
}

func.func @rng_uniform_i64() {
  %0 = stablehlo.constant dense<2> : tensor<i64>
  %1 = stablehlo.constant dense<6> : tensor<i64>
  %2 = stablehlo.constant dense<[4, 50]> : tensor<2xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<2xi64>) -> tensor<4x50xi64>
  %4 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i64>) -> tensor<4x50xi64>
  %5 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i64>) -> tensor<4x50xi64>
  %6 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<4x50xi64>, tensor<4x50xi64>) -> tensor<4x50xi1>
  check.expect_eq_const %6, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  %7 = stablehlo.compare LT, %3, %5, SIGNED : (tensor<4x50xi64>, tensor<4x50xi64>) -> tensor<4x50xi1>
  check.expect_eq_const %7, dense<[[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]> : tensor<4x50xi1>
  return
}

func.func @rng_uniform_of_one_i64() {
  %0 = stablehlo.constant dense<5> : tensor<i64>
  %1 = stablehlo.constant dense<6> : tensor<i64>
  %2 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %3 = stablehlo.rng %0, %1, %2, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<1xi64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[5, 5, 5]> : tensor<3xi64>
  return
}

// The interval is half-open, though most of a step of the type below its end rounds to the end.
func.func @rng_uniform_stays_below_its_end() {
  %a = stablehlo.constant dense<2.0> : tensor<f8E4M3FNUZ>
  %b = stablehlo.constant dense<6.0> : tensor<f8E4M3FNUZ>
  %shape = stablehlo.constant dense<[4, 50]> : tensor<2xi64>
  %x = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>, tensor<2xi64>) -> tensor<4x50xf8E4M3FNUZ>
  %least = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<4x50xf8E4M3FNUZ>
  %end = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<4x50xf8E4M3FNUZ>
  %ge = stablehlo.compare GE, %x, %least : (tensor<4x50xf8E4M3FNUZ>, tensor<4x50xf8E4M3FNUZ>) -> tensor<4x50xi1>
  %lt = stablehlo.compare LT, %x, %end : (tensor<4x50xf8E4M3FNUZ>, tensor<4x50xf8E4M3FNUZ>) -> tensor<4x50xi1>
  check.expect_eq_const %ge, dense<true> : tensor<4x50xi1>
  check.expect_eq_const %lt, dense<true> : tensor<4x50xi1>
  func.return
}
