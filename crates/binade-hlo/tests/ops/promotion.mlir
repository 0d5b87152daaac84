// Reductions whose body takes a wider type: operands are converted first, results have the body's type. The values tell
// sums in the wide type from sums in the narrow one: 2^24 + 1 in binary32 is 2^24, 256 + 1 in bf16 is 256.

func.func @reduce_f32_in_f64() {
  %a = stablehlo.constant dense<[16777216.0, 1.0, -16777216.0]> : tensor<3xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %s = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f64>
  check.expect_eq_const %0, dense<1.0> : tensor<f64>
  return
}

func.func @reduce_pretty_form_bf16_in_f32() {
  %a = stablehlo.constant dense<[[256.0, 1.0], [1.0, 2.0]]> : tensor<2x2xbf16>
  %z = stablehlo.constant dense<1.0> : tensor<bf16>
  %0 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<2x2xbf16>, tensor<bf16>) -> tensor<2xf32>
  reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  check.expect_eq_const %0, dense<[258.0, 4.0]> : tensor<2xf32>
  return
}

func.func @reduce_i8_in_i32_and_ui16_in_ui64() {
  %a = stablehlo.constant dense<[100, 100, 100]> : tensor<3xi8>
  %b = stablehlo.constant dense<[65535, 65535, 65535]> : tensor<3xui16>
  %z = stablehlo.constant dense<-1> : tensor<i8>
  %w = stablehlo.constant dense<1> : tensor<ui16>
  %0:2 = "stablehlo.reduce"(%a, %b, %z, %w) ({
  ^bb0(%x: tensor<i32>, %u: tensor<ui64>, %y: tensor<i32>, %v: tensor<ui64>):
    %s = stablehlo.add %x, %y : tensor<i32>
    %t = stablehlo.add %u, %v : tensor<ui64>
    stablehlo.return %s, %t : tensor<i32>, tensor<ui64>
  }) {dimensions = array<i64: 0>} : (tensor<3xi8>, tensor<3xui16>, tensor<i8>, tensor<ui16>) -> (tensor<i32>, tensor<ui64>)
  check.expect_eq_const %0#0, dense<299> : tensor<i32>
  check.expect_eq_const %0#1, dense<196606> : tensor<ui64>
  return
}

func.func @reduce_complex_and_one_of_two_inputs() {
  %a = stablehlo.constant dense<[(16777216.0, 1.0), (1.0, 2.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[16777216.0, 1.0]> : tensor<2xf32>
  %z = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %w = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.reduce"(%a, %b, %z, %w) ({
  ^bb0(%x: tensor<complex<f64>>, %u: tensor<f32>, %y: tensor<complex<f64>>, %v: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<complex<f64>>
    %t = stablehlo.add %u, %v : tensor<f32>
    stablehlo.return %s, %t : tensor<complex<f64>>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<complex<f32>>, tensor<f32>) -> (tensor<complex<f64>>, tensor<f32>)
  check.expect_eq_const %0#0, dense<(16777217.0, 3.0)> : tensor<complex<f64>>
  check.expect_eq_const %0#1, dense<16777216.0> : tensor<f32>
  return
}

// Codes of i8 with scale 1/2 become codes of i16 with scale 1/4.
func.func @reduce_quantized() {
  %a = stablehlo.constant dense<[50.0, 50.0, 50.5]> : tensor<3xf32>
  %q = stablehlo.uniform_quantize %a : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.uniform_quantize %b : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  %0 = "stablehlo.reduce"(%q, %z) ({
  ^bb0(%x: tensor<!quant.uniform<i16:f32, 0.25:3>>, %y: tensor<!quant.uniform<i16:f32, 0.25:3>>):
    %s = stablehlo.add %x, %y : tensor<!quant.uniform<i16:f32, 0.25:3>>
    stablehlo.return %s : tensor<!quant.uniform<i16:f32, 0.25:3>>
  }) {dimensions = array<i64: 0>} : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i16:f32, 0.25:3>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<!quant.uniform<i16:f32, 0.25:3>>) -> tensor<f32>
  check.expect_eq_const %1, dense<150.5> : tensor<f32>
  return
}

func.func @reduce_window_f32_in_f64() {
  %a = stablehlo.constant dense<[16777216.0, 1.0, -16777216.0, 1.0]> : tensor<4xf32>
  %z = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %s = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {window_dimensions = array<i64: 3>} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf64>
  check.expect_eq_const %0, dense<[1.5, -16777213.5]> : tensor<2xf64>
  return
}

func.func private @sum(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %s = stablehlo.add %x, %y : tensor<f64>
  return %s : tensor<f64>
}

func.func @dynamic_reduce_window_f32_in_f64() {
  %a = stablehlo.constant dense<[16777216.0, 1.0, -16777216.0, 1.0]> : tensor<4xf32>
  %z = stablehlo.constant dense<0.5> : tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<1xi64>
  %one = stablehlo.constant dense<1> : tensor<1xi64>
  %edges = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%a, %z, %three, %one, %one, %one, %edges) {called_computations = [@sum]} : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1x2xi64>) -> tensor<?xf64>
  check.expect_eq_const %0, dense<[1.5, -16777213.5]> : tensor<2xf64>
  return
}

func.func @scatter_f32_in_f64() {
  %a = stablehlo.constant dense<[16777216.0, 0.1]> : tensor<2xf32>
  %i = stablehlo.constant dense<0> : tensor<1x1xi32>
  %u = stablehlo.constant dense<1.0> : tensor<1xf32>
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %s = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<2xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<2xf64>
  check.expect_eq_const %0, dense<[16777217.0, 0.10000000149011612]> : tensor<2xf64>
  return
}

// The element is selected in the operand's own type.
func.func @select_and_scatter_f32_in_f64() {
  %a = stablehlo.constant dense<[1.0, 5.0, 2.0]> : tensor<3xf32>
  %s = stablehlo.constant dense<[16777216.0, 1.0]> : tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %t = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {window_dimensions = array<i64: 2>} : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf64>
  check.expect_eq_const %0, dense<[0.0, 16777217.0, 0.0]> : tensor<3xf64>
  return
}

func.func private @all_reduce_process(%x: tensor<1xf32>, %y: tensor<1xbf16>) -> (tensor<1xf64>, tensor<1xf64>) {
  %0:2 = "stablehlo.all_reduce"(%x, %y) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xf32>, tensor<1xbf16>) -> (tensor<1xf64>, tensor<1xf64>)
  return %0#0, %0#1 : tensor<1xf64>, tensor<1xf64>
}

func.func @all_reduce_two_types_in_one() {
  %a = stablehlo.constant dense<16777216.0> : tensor<1xf32>
  %b = stablehlo.constant dense<256.0> : tensor<1xbf16>
  %c = stablehlo.constant dense<1.0> : tensor<1xf32>
  %d = stablehlo.constant dense<1.0> : tensor<1xbf16>
  %0:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@all_reduce_process], [@all_reduce_process]]} : (tensor<1xf32>, tensor<1xbf16>, tensor<1xf32>, tensor<1xbf16>) -> (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>)
  check.expect_eq_const %0#0, dense<16777217.0> : tensor<1xf64>
  check.expect_eq_const %0#3, dense<257.0> : tensor<1xf64>
  return
}

func.func private @reduce_scatter_process(%x: tensor<2xf32>) -> tensor<1xf64> {
  %0 = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<1xf64>
  return %0 : tensor<1xf64>
}

func.func @reduce_scatter_f32_in_f64() {
  %a = stablehlo.constant dense<[16777216.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0, 33554432.0]> : tensor<2xf32>
  %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@reduce_scatter_process], [@reduce_scatter_process]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<1xf64>, tensor<1xf64>)
  check.expect_eq_const %0#0, dense<16777217.0> : tensor<1xf64>
  check.expect_eq_const %0#1, dense<33554434.0> : tensor<1xf64>
  return
}

func.func private @collective_reduce_process(%x: tensor<1xf32>) -> tensor<1xf64> {
  %0 = "stablehlo.collective_reduce"(%x) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xf32>) -> tensor<1xf64>
  return %0 : tensor<1xf64>
}

func.func @collective_reduce_f32_in_f64() {
  %a = stablehlo.constant dense<16777216.0> : tensor<1xf32>
  %b = stablehlo.constant dense<1.0> : tensor<1xf32>
  %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@collective_reduce_process], [@collective_reduce_process]]} : (tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf64>, tensor<1xf64>)
  check.expect_eq_const %0#0, dense<16777217.0> : tensor<1xf64>
  check.expect_eq_const %0#1, dense<0.0> : tensor<1xf64>
  return
}
