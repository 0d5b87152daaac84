// stablehlo.dynamic_pad by its definition, over element types, edges and empty shapes.

func.func @dynamic_pad_i4_edges() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.constant dense<7> : tensor<i4>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi4>, tensor<i4>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xi4>
  check.expect_eq_const %5, dense<[[7, 1, 2, 3, 7], [7, 4, 5, 6, 7], [7, 7, 7, 7, 7], [7, 7, 7, 7, 7]]> : tensor<4x5xi4>
  return
}

func.func @dynamic_pad_i4_interior() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.constant dense<7> : tensor<i4>
  %2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi4>, tensor<i4>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x9xi4>
  check.expect_eq_const %5, dense<[[7, 7, 7, 7, 7, 7, 7, 7, 7], [1, 7, 7, 2, 7, 7, 3, 7, 7], [7, 7, 7, 7, 7, 7, 7, 7, 7], [4, 7, 7, 5, 7, 7, 6, 7, 7]]> : tensor<4x9xi4>
  return
}

func.func @dynamic_pad_i4_negative() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.constant dense<7> : tensor<i4>
  %2 = stablehlo.constant dense<[-1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi4>, tensor<i4>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xi4>
  check.expect_eq_const %5, dense<[[4, 7, 5], [7, 7, 7]]> : tensor<2x3xi4>
  return
}

func.func @dynamic_pad_i4_negative_interior() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.constant dense<7> : tensor<i4>
  %2 = stablehlo.constant dense<[-2, -1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi4>, tensor<i4>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x3xi4>
  check.expect_eq_const %5, dense<[[7, 7, 7], [7, 5, 7], [7, 7, 7], [7, 7, 7], [7, 7, 7]]> : tensor<5x3xi4>
  return
}

func.func @dynamic_pad_i4_to_nothing() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi4>
  %1 = stablehlo.constant dense<7> : tensor<i4>
  %2 = stablehlo.constant dense<[0, -2]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi4>, tensor<i4>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x0xi4>
  check.expect_eq_const %5, dense<> : tensor<2x0xi4>
  return
}

func.func @dynamic_pad_ui8_edges() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<7> : tensor<ui8>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xui8>, tensor<ui8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xui8>
  check.expect_eq_const %5, dense<[[7, 1, 2, 3, 7], [7, 4, 5, 6, 7], [7, 7, 7, 7, 7], [7, 7, 7, 7, 7]]> : tensor<4x5xui8>
  return
}

func.func @dynamic_pad_ui8_interior() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<7> : tensor<ui8>
  %2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xui8>, tensor<ui8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x9xui8>
  check.expect_eq_const %5, dense<[[7, 7, 7, 7, 7, 7, 7, 7, 7], [1, 7, 7, 2, 7, 7, 3, 7, 7], [7, 7, 7, 7, 7, 7, 7, 7, 7], [4, 7, 7, 5, 7, 7, 6, 7, 7]]> : tensor<4x9xui8>
  return
}

func.func @dynamic_pad_ui8_negative() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<7> : tensor<ui8>
  %2 = stablehlo.constant dense<[-1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xui8>, tensor<ui8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xui8>
  check.expect_eq_const %5, dense<[[4, 7, 5], [7, 7, 7]]> : tensor<2x3xui8>
  return
}

func.func @dynamic_pad_ui8_negative_interior() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<7> : tensor<ui8>
  %2 = stablehlo.constant dense<[-2, -1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xui8>, tensor<ui8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x3xui8>
  check.expect_eq_const %5, dense<[[7, 7, 7], [7, 5, 7], [7, 7, 7], [7, 7, 7], [7, 7, 7]]> : tensor<5x3xui8>
  return
}

func.func @dynamic_pad_ui8_to_nothing() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui8>
  %1 = stablehlo.constant dense<7> : tensor<ui8>
  %2 = stablehlo.constant dense<[0, -2]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xui8>, tensor<ui8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x0xui8>
  check.expect_eq_const %5, dense<> : tensor<2x0xui8>
  return
}

func.func @dynamic_pad_i64_edges() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<7> : tensor<i64>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xi64>
  check.expect_eq_const %5, dense<[[7, 1, 2, 3, 7], [7, 4, 5, 6, 7], [7, 7, 7, 7, 7], [7, 7, 7, 7, 7]]> : tensor<4x5xi64>
  return
}

func.func @dynamic_pad_i64_interior() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<7> : tensor<i64>
  %2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x9xi64>
  check.expect_eq_const %5, dense<[[7, 7, 7, 7, 7, 7, 7, 7, 7], [1, 7, 7, 2, 7, 7, 3, 7, 7], [7, 7, 7, 7, 7, 7, 7, 7, 7], [4, 7, 7, 5, 7, 7, 6, 7, 7]]> : tensor<4x9xi64>
  return
}

func.func @dynamic_pad_i64_negative() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<7> : tensor<i64>
  %2 = stablehlo.constant dense<[-1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %5, dense<[[4, 7, 5], [7, 7, 7]]> : tensor<2x3xi64>
  return
}

func.func @dynamic_pad_i64_negative_interior() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<7> : tensor<i64>
  %2 = stablehlo.constant dense<[-2, -1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x3xi64>
  check.expect_eq_const %5, dense<[[7, 7, 7], [7, 5, 7], [7, 7, 7], [7, 7, 7], [7, 7, 7]]> : tensor<5x3xi64>
  return
}

func.func @dynamic_pad_i64_to_nothing() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<7> : tensor<i64>
  %2 = stablehlo.constant dense<[0, -2]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x0xi64>
  check.expect_eq_const %5, dense<> : tensor<2x0xi64>
  return
}

func.func @dynamic_pad_f32_edges() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<7.0> : tensor<f32>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xf32>
  check.expect_eq_const %5, dense<[[7.0, 1.0, 2.0, 3.0, 7.0], [7.0, 4.0, 5.0, 6.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0]]> : tensor<4x5xf32>
  return
}

func.func @dynamic_pad_f32_interior() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<7.0> : tensor<f32>
  %2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x9xf32>
  check.expect_eq_const %5, dense<[[7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0], [1.0, 7.0, 7.0, 2.0, 7.0, 7.0, 3.0, 7.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0], [4.0, 7.0, 7.0, 5.0, 7.0, 7.0, 6.0, 7.0, 7.0]]> : tensor<4x9xf32>
  return
}

func.func @dynamic_pad_f32_negative() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<7.0> : tensor<f32>
  %2 = stablehlo.constant dense<[-1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  check.expect_eq_const %5, dense<[[4.0, 7.0, 5.0], [7.0, 7.0, 7.0]]> : tensor<2x3xf32>
  return
}

func.func @dynamic_pad_f32_negative_interior() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<7.0> : tensor<f32>
  %2 = stablehlo.constant dense<[-2, -1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x3xf32>
  check.expect_eq_const %5, dense<[[7.0, 7.0, 7.0], [7.0, 5.0, 7.0], [7.0, 7.0, 7.0], [7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]> : tensor<5x3xf32>
  return
}

func.func @dynamic_pad_f32_to_nothing() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<7.0> : tensor<f32>
  %2 = stablehlo.constant dense<[0, -2]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x0xf32>
  check.expect_eq_const %5, dense<> : tensor<2x0xf32>
  return
}

func.func @dynamic_pad_bf16_edges() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<7.0> : tensor<bf16>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xbf16>, tensor<bf16>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xbf16>
  check.expect_eq_const %5, dense<[[7.0, 1.0, 2.0, 3.0, 7.0], [7.0, 4.0, 5.0, 6.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0]]> : tensor<4x5xbf16>
  return
}

func.func @dynamic_pad_bf16_interior() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<7.0> : tensor<bf16>
  %2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xbf16>, tensor<bf16>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x9xbf16>
  check.expect_eq_const %5, dense<[[7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0], [1.0, 7.0, 7.0, 2.0, 7.0, 7.0, 3.0, 7.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0], [4.0, 7.0, 7.0, 5.0, 7.0, 7.0, 6.0, 7.0, 7.0]]> : tensor<4x9xbf16>
  return
}

func.func @dynamic_pad_bf16_negative() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<7.0> : tensor<bf16>
  %2 = stablehlo.constant dense<[-1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xbf16>, tensor<bf16>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xbf16>
  check.expect_eq_const %5, dense<[[4.0, 7.0, 5.0], [7.0, 7.0, 7.0]]> : tensor<2x3xbf16>
  return
}

func.func @dynamic_pad_bf16_negative_interior() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<7.0> : tensor<bf16>
  %2 = stablehlo.constant dense<[-2, -1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xbf16>, tensor<bf16>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x3xbf16>
  check.expect_eq_const %5, dense<[[7.0, 7.0, 7.0], [7.0, 5.0, 7.0], [7.0, 7.0, 7.0], [7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]> : tensor<5x3xbf16>
  return
}

func.func @dynamic_pad_bf16_to_nothing() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<7.0> : tensor<bf16>
  %2 = stablehlo.constant dense<[0, -2]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xbf16>, tensor<bf16>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x0xbf16>
  check.expect_eq_const %5, dense<> : tensor<2x0xbf16>
  return
}

func.func @dynamic_pad_f8E4M3FNUZ_edges() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E4M3FNUZ>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<[[7.0, 1.0, 2.0, 3.0, 7.0], [7.0, 4.0, 5.0, 6.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0]]> : tensor<4x5xf8E4M3FNUZ>
  return
}

func.func @dynamic_pad_f8E4M3FNUZ_interior() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E4M3FNUZ>
  %2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x9xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<[[7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0], [1.0, 7.0, 7.0, 2.0, 7.0, 7.0, 3.0, 7.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0], [4.0, 7.0, 7.0, 5.0, 7.0, 7.0, 6.0, 7.0, 7.0]]> : tensor<4x9xf8E4M3FNUZ>
  return
}

func.func @dynamic_pad_f8E4M3FNUZ_negative() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E4M3FNUZ>
  %2 = stablehlo.constant dense<[-1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<[[4.0, 7.0, 5.0], [7.0, 7.0, 7.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

func.func @dynamic_pad_f8E4M3FNUZ_negative_interior() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E4M3FNUZ>
  %2 = stablehlo.constant dense<[-2, -1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x3xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<[[7.0, 7.0, 7.0], [7.0, 5.0, 7.0], [7.0, 7.0, 7.0], [7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]> : tensor<5x3xf8E4M3FNUZ>
  return
}

func.func @dynamic_pad_f8E4M3FNUZ_to_nothing() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E4M3FNUZ>
  %2 = stablehlo.constant dense<[0, -2]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x0xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<> : tensor<2x0xf8E4M3FNUZ>
  return
}

func.func @dynamic_pad_f8E5M2FNUZ_edges() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E5M2FNUZ>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<[[7.0, 1.0, 2.0, 3.0, 7.0], [7.0, 4.0, 5.0, 6.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0]]> : tensor<4x5xf8E5M2FNUZ>
  return
}

func.func @dynamic_pad_f8E5M2FNUZ_interior() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E5M2FNUZ>
  %2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x9xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<[[7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0], [1.0, 7.0, 7.0, 2.0, 7.0, 7.0, 3.0, 7.0, 7.0], [7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0], [4.0, 7.0, 7.0, 5.0, 7.0, 7.0, 6.0, 7.0, 7.0]]> : tensor<4x9xf8E5M2FNUZ>
  return
}

func.func @dynamic_pad_f8E5M2FNUZ_negative() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E5M2FNUZ>
  %2 = stablehlo.constant dense<[-1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<[[4.0, 7.0, 5.0], [7.0, 7.0, 7.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

func.func @dynamic_pad_f8E5M2FNUZ_negative_interior() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E5M2FNUZ>
  %2 = stablehlo.constant dense<[-2, -1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x3xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<[[7.0, 7.0, 7.0], [7.0, 5.0, 7.0], [7.0, 7.0, 7.0], [7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]> : tensor<5x3xf8E5M2FNUZ>
  return
}

func.func @dynamic_pad_f8E5M2FNUZ_to_nothing() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E5M2FNUZ>
  %2 = stablehlo.constant dense<[0, -2]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x0xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<> : tensor<2x0xf8E5M2FNUZ>
  return
}

func.func @dynamic_pad_i1_edges() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<true> : tensor<i1>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi1>, tensor<i1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xi1>
  check.expect_eq_const %5, dense<[[true, true, false, true, true], [true, false, true, false, true], [true, true, true, true, true], [true, true, true, true, true]]> : tensor<4x5xi1>
  return
}

func.func @dynamic_pad_i1_interior() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<true> : tensor<i1>
  %2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi1>, tensor<i1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x9xi1>
  check.expect_eq_const %5, dense<[[true, true, true, true, true, true, true, true, true], [true, true, true, false, true, true, true, true, true], [true, true, true, true, true, true, true, true, true], [false, true, true, true, true, true, false, true, true]]> : tensor<4x9xi1>
  return
}

func.func @dynamic_pad_i1_negative() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<true> : tensor<i1>
  %2 = stablehlo.constant dense<[-1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi1>, tensor<i1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xi1>
  check.expect_eq_const %5, dense<[[false, true, true], [true, true, true]]> : tensor<2x3xi1>
  return
}

func.func @dynamic_pad_i1_negative_interior() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<true> : tensor<i1>
  %2 = stablehlo.constant dense<[-2, -1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi1>, tensor<i1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x3xi1>
  check.expect_eq_const %5, dense<[[true, true, true], [true, true, true], [true, true, true], [true, true, true], [true, true, true]]> : tensor<5x3xi1>
  return
}

func.func @dynamic_pad_i1_to_nothing() {
  %0 = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %1 = stablehlo.constant dense<true> : tensor<i1>
  %2 = stablehlo.constant dense<[0, -2]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xi1>, tensor<i1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x0xi1>
  check.expect_eq_const %5, dense<> : tensor<2x0xi1>
  return
}

func.func @dynamic_pad_complex_f64_edges() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.constant dense<(7.0, 4.0)> : tensor<complex<f64>>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xcomplex<f64>>
  check.expect_eq_const %5, dense<[[(7.0, 4.0), (1.0, -2.0), (2.0, -1.0), (3.0, 0.0), (7.0, 4.0)], [(7.0, 4.0), (4.0, 1.0), (5.0, 2.0), (6.0, 3.0), (7.0, 4.0)], [(7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0)], [(7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0)]]> : tensor<4x5xcomplex<f64>>
  return
}

func.func @dynamic_pad_complex_f64_interior() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.constant dense<(7.0, 4.0)> : tensor<complex<f64>>
  %2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x9xcomplex<f64>>
  check.expect_eq_const %5, dense<[[(7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0)], [(1.0, -2.0), (7.0, 4.0), (7.0, 4.0), (2.0, -1.0), (7.0, 4.0), (7.0, 4.0), (3.0, 0.0), (7.0, 4.0), (7.0, 4.0)], [(7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0), (7.0, 4.0)], [(4.0, 1.0), (7.0, 4.0), (7.0, 4.0), (5.0, 2.0), (7.0, 4.0), (7.0, 4.0), (6.0, 3.0), (7.0, 4.0), (7.0, 4.0)]]> : tensor<4x9xcomplex<f64>>
  return
}

func.func @dynamic_pad_complex_f64_negative() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.constant dense<(7.0, 4.0)> : tensor<complex<f64>>
  %2 = stablehlo.constant dense<[-1, 0]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xcomplex<f64>>
  check.expect_eq_const %5, dense<[[(4.0, 1.0), (7.0, 4.0), (5.0, 2.0)], [(7.0, 4.0), (7.0, 4.0), (7.0, 4.0)]]> : tensor<2x3xcomplex<f64>>
  return
}

func.func @dynamic_pad_complex_f64_negative_interior() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.constant dense<(7.0, 4.0)> : tensor<complex<f64>>
  %2 = stablehlo.constant dense<[-2, -1]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[3, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x3xcomplex<f64>>
  check.expect_eq_const %5, dense<[[(7.0, 4.0), (7.0, 4.0), (7.0, 4.0)], [(7.0, 4.0), (5.0, 2.0), (7.0, 4.0)], [(7.0, 4.0), (7.0, 4.0), (7.0, 4.0)], [(7.0, 4.0), (7.0, 4.0), (7.0, 4.0)], [(7.0, 4.0), (7.0, 4.0), (7.0, 4.0)]]> : tensor<5x3xcomplex<f64>>
  return
}

func.func @dynamic_pad_complex_f64_to_nothing() {
  %0 = stablehlo.constant dense<[[(1.0, -2.0), (2.0, -1.0), (3.0, 0.0)], [(4.0, 1.0), (5.0, 2.0), (6.0, 3.0)]]> : tensor<2x3xcomplex<f64>>
  %1 = stablehlo.constant dense<(7.0, 4.0)> : tensor<complex<f64>>
  %2 = stablehlo.constant dense<[0, -2]> : tensor<2xi64>
  %3 = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
  %4 = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %5 = stablehlo.dynamic_pad %0, %1, %2, %3, %4 : (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x0xcomplex<f64>>
  check.expect_eq_const %5, dense<> : tensor<2x0xcomplex<f64>>
  return
}
