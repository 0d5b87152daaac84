// The spellings of programs: pretty and generic forms, aliases, locations, several modules.

#pair = array<i64: 1, 0>
!matrix = tensor<2x3xf32>
module @spellings attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32, a.unit} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @aliases() -> (!matrix {jax.result_info = "x[0]"}) {
    %0 = stablehlo.constant {note = "kept out"} dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : !matrix loc(#loc2)
    %1 = "stablehlo.transpose"(%0) <{permutation = #pair}> : (!matrix) -> tensor<3x2xf32> loc("named"(#loc1))
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x2xf32>) -> !matrix loc(callsite("a" at "b":1:2))
    check.expect_eq %2, %0 : !matrix
    return %2 : !matrix loc(fused<"x">["c", unknown])
  } loc(unknown)
  func.func @calls() {
    %0 = call @aliases() : () -> tensor<2x3xf32>
    %1 = func.call @aliases() {no_inline} : () -> tensor<2x3xf32>
    %2 = "func.call"() <{callee = @aliases}> : () -> tensor<2x3xf32>
    %3 = stablehlo.add %0, %1 : tensor<2x3xf32>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>)
    check.expect_eq_const %4, dense<[[2.0, 8.0, 18.0], [32.0, 50.0, 72.0]]> : tensor<2x3xf32>
    %5 = stablehlo.custom_call @Sharding(%4) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{"x"}, {}]> : tensor<2x3xf32>
    check.expect_eq %4, %6 : tensor<2x3xf32>
    func.return
  }
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("file.py":1:2 to :3)
#loc2 = loc("jit(f)/layer/mul"(#loc1))

// -----

"builtin.module"() <{sym_name = "generic"}> ({
  "func.func"() <{function_type = () -> (), sym_name = "regions", sym_visibility = "public"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[3, 1, 2]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      %3 = "stablehlo.add"(%arg0, %arg1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%3) : (tensor<i32>) -> ()
    }) : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
    "check.expect_eq_const"(%2) <{value = dense<6> : tensor<i32>}> : (tensor<i32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) {mhlo.num_replicas = 1 : i32} : () -> ()

// -----

func.func @shorthands() {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %sum = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x3xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %sum, dense<[5, 7, 9]> : tensor<3xi64>
  %both:2 = stablehlo.reduce(%c init: %zero), (%c init: %zero) across dimensions = [0, 1] : (tensor<2x3xi64>, tensor<2x3xi64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
   reducer(%l0: tensor<i64>, %r0: tensor<i64>) (%l1: tensor<i64>, %r1: tensor<i64>) {
    %s = stablehlo.add %l0, %r0 : tensor<i64>
    %m = stablehlo.maximum %l1, %r1 : tensor<i64>
    stablehlo.return %s, %m : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %both#0, dense<21> : tensor<i64>
  check.expect_eq_const %both#1, dense<6> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %n, %p = stablehlo.while(%iterArg = %zero, %iterArg_0 = %one) : tensor<i64>, tensor<i64> attributes {note = 1 : i64}
  cond {
    %less = stablehlo.compare LT, %iterArg, %ten, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %iterArg, %one : tensor<i64>
    %twice = stablehlo.add %iterArg_0, %iterArg_0 : tensor<i64>
    stablehlo.return %next, %twice : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %p, dense<1024> : tensor<i64>
  %part = stablehlo.slice %c [0:1, 0:3:2] : (tensor<2x3xi64>) -> tensor<1x2xi64>
  check.expect_eq_const %part, dense<[[1, 3]]> : tensor<1x2xi64>
  %dot = stablehlo.dot_general %c, %c, contracting_dims = [1] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %dot, dense<[[14, 32], [32, 77]]> : tensor<2x2xi64>
  %tuple = stablehlo.tuple %dot, %sum : tuple<tensor<2x2xi64>, tensor<3xi64>>
  %again = stablehlo.get_tuple_element %tuple[1] : (tuple<tensor<2x2xi64>, tensor<3xi64>>) -> tensor<3xi64>
  check.expect_eq %again, %sum : tensor<3xi64>
  %b:2 = stablehlo.optimization_barrier %sum, %dot : tensor<3xi64>, tensor<2x2xi64>
  check.expect_eq %b#1, %dot : tensor<2x2xi64>
  func.return
}

// -----

func.func @constants() {
  %0 = stablehlo.constant dense<"0x0000803F000000C0"> : tensor<2xf32>
  check.expect_eq_const %0, dense<[1.0, -2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
  check.expect_eq_const %1, dense<0x7FC1> : tensor<bf16>
  %2 = stablehlo.constant dense<[(1.0, -1.0), (0.5, 0x7F800000)]> : tensor<2xcomplex<f32>>
  %3 = stablehlo.imag %2 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %3, dense<[-1.0, 0x7F800000]> : tensor<2xf32>
  %4 = stablehlo.constant dense<"0x05"> : tensor<3xi1>
  check.expect_eq_const %4, dense<[true, false, true]> : tensor<3xi1>
  %5 = stablehlo.constant dense<> : tensor<0x3xf32>
  check.expect_eq_const %5, dense<> : tensor<0x3xf32>
  %6 = stablehlo.constant dense<[[], []]> : tensor<2x0xf32>
  %7 = stablehlo.constant dense<-8> : tensor<2x2xi4>
  check.expect_eq_const %7, dense<[[-8, -8], [8, -8]]> : tensor<2x2xi4>
  %8 = stablehlo.constant dense<[0.1, 1.0e+05, 448.0]> : tensor<3xf8E4M3FN>
  check.expect_eq_const %8, dense<[0.1015625, 0x7F, 448.0]> : tensor<3xf8E4M3FN>
  func.return
}

// Weakly ordered, zeros are equal, and so are NaN of either sign, which are above all numbers.
func.func @weak_order() {
  %x = stablehlo.constant dense<[-0.0, 0xFFC00000, 0x7F800000, 0xFFC00000, -2.0]> : tensor<5xf32>
  %y = stablehlo.constant dense<[0.0, 0x7FC00001, 0x7FC00000, 0xFF800000, -1.0]> : tensor<5xf32>
  %0 = stablehlo.compare EQ, %x, %y, WEAKORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %0, dense<[true, true, false, false, false]> : tensor<5xi1>
  %1 = stablehlo.compare LT, %x, %y, WEAKORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[false, false, true, false, true]> : tensor<5xi1>
  %2 = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xf8E5M2>
  %3 = stablehlo.convert %y : (tensor<5xf32>) -> tensor<5xf8E5M2>
  %4 = stablehlo.compare GE, %2, %3, WEAKORDER : (tensor<5xf8E5M2>, tensor<5xf8E5M2>) -> tensor<5xi1>
  check.expect_eq_const %4, dense<[true, true, false, true, false]> : tensor<5xi1>
  %5 = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xf64>
  %6 = stablehlo.convert %y : (tensor<5xf32>) -> tensor<5xf64>
  %7 = stablehlo.compare LE, %5, %6, WEAKORDER : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xi1>
  check.expect_eq_const %7, dense<[true, true, true, false, true]> : tensor<5xi1>
  return
}

// The weak order sorts NaN to the end, and keeps the order of equal elements.
func.func @weak_order_sorts() {
  %x = stablehlo.constant dense<[0xFFC00000, 1.0, 0.0, 0x7FC00000, -0.0, -1.0]> : tensor<6xf32>
  %i = stablehlo.iota dim = 0 : tensor<6xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, WEAKORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xf32>, tensor<6xi32>) -> (tensor<6xf32>, tensor<6xi32>)
  check.expect_eq_const %0#1, dense<[5, 2, 4, 1, 0, 3]> : tensor<6xi32>
  return
}

// A square neither overflows nor cancels where the difference of the parts' squares would.
func.func @complex_square() {
  %x = stablehlo.constant dense<[(3.0, 2.0), (1.0e200, 3.0e200), (1.0e200, -1.0e200), (134217729.0, 134217728.0)]> : tensor<4xcomplex<f64>>
  %0 = chlo.square %x : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  check.expect_eq_const %0, dense<[(5.0, 12.0), (0xFFF0000000000000, 0x7FF0000000000000), (0.0, 0xFFF0000000000000), (268435457.0, 36028797287399424.0)]> : tensor<4xcomplex<f64>>
  return
}

func.func @tokens_are_equal() {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0, %0 : !stablehlo.token
  check.expect_eq %0, %1 : !stablehlo.token
  return
}

// A comma may stand before the end of dimension numbers, and blanks within a shape.
func.func @commas_before_the_end() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2 x 3xi32>
  %1 = stablehlo.constant dense<[[1], [0], [1]]> : tensor<3x1xi32>
  %2 = "stablehlo.gather"(%0, %1) {
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0],
      index_vector_dim = 1,
      offset_dims = [1],
      start_index_map = [0],
    >,
    slice_sizes = array<i64: 1, 3>
  } : (tensor<2x3xi32>, tensor<3x1xi32>) -> tensor<3x3xi32>
  check.expect_eq_const %2, dense<[[4, 5, 6], [1, 2, 3], [4, 5, 6]]> : tensor<3x3xi32>
  %3 = "stablehlo.dot_general"(%0, %0) <{
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],>
  }> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %3, dense<[[14, 32], [32, 77]]> : tensor<2x2xi32>
  return
}

// What no operation reads may have any attribute.
func.func @attributes_of_others() {
  %0 = stablehlo.constant dense<2.0> : tensor<f32>
  %1 = stablehlo.custom_call @Sharding(%0) {backend_config = {
    a = array<f32: 1.0, -2.5e-3, 0x7FC00000>, b = array<f64>, c = array<i8: 1, -2>, d = array<i1: true>,
    e = dense<[1.0, 2.0]> : vector<2xf32>, f = [[1 : si8], []], g = @a::@b, h = #other.name<"x", [1]>,
    i = !other.type<i32>, j = (tensor<f32>) -> (), k = affine_map<(d0) -> (d0 * 2)>, l,
    m = sparse<[[0, 1]], [1.5]> : tensor<2x2xf32>}} : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %1, dense<2.0> : tensor<f32>
  return
}
