// rng_bit_generator: what the specification says of it, over element types and edges.

func.func @rng_bit_generator_default_2_ui8() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui8>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_default_2_i16() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xi16>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xi16>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xi16>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_default_2_ui32() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui32>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_default_2_ui64() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui64>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui64>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui64>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_default_2_f32() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xf32>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xf32>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xf32>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_three_fry_2_ui8() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui8>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_three_fry_2_i16() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xi16>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xi16>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xi16>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_three_fry_2_ui32() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui32>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_three_fry_2_ui64() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui64>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui64>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui64>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_three_fry_2_f32() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xf32>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xf32>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xf32>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_2_ui8() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui8>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui8>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_2_i16() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xi16>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xi16>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xi16>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_2_ui32() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui32>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_2_ui64() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui64>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui64>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui64>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_2_f32() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xf32>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xf32>)
  check.expect_eq %1#0, %2#0 : tensor<2xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xf32>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_3_ui8() {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui8>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui8>)
  check.expect_eq %1#0, %2#0 : tensor<3xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui8>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_3_i16() {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xi16>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xi16>)
  check.expect_eq %1#0, %2#0 : tensor<3xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xi16>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_3_ui32() {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui32>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui32>)
  check.expect_eq %1#0, %2#0 : tensor<3xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui32>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_3_ui64() {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui64>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui64>)
  check.expect_eq %1#0, %2#0 : tensor<3xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xui64>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}

func.func @rng_bit_generator_philox_3_f32() {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %1:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xf32>)
  %2:2 = stablehlo.rng_bit_generator %0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xf32>)
  check.expect_eq %1#0, %2#0 : tensor<3xui64>
  check.expect_eq %1#1, %2#1 : tensor<3x5xf32>
  %3 = stablehlo.compare NE, %0, %1#0, UNSIGNED : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  %4 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.or across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %5, dense<true> : tensor<i1>
  return
}
