// Operations whose shapes are known only when the program runs.

func.func @dynamic_broadcast_in_dim() {
  %x = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %shape = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [2, 1] : (tensor<1x3xi64>, tensor<3xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %0, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi64>
  return
}

func.func @dynamic_iota() {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.add %0, %0 : tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %shape : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[0.0, 2.0, 4.0], [0.0, 2.0, 4.0]]> : tensor<2x3xf32>
  return
}

func.func @dynamic_pad() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %value = stablehlo.constant dense<0> : tensor<i64>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_pad %x, %value, %low, %high, %interior : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xi64>
  check.expect_eq_const %0, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi64>
  return
}

func.func @real_dynamic_slice() {
  %x = stablehlo.constant dense<[[0, 0, 1, 0, 0, 1], [0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 1]]> : tensor<3x6xi64>
  %start = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %limit = stablehlo.constant dense<[3, 6]> : tensor<2xi64>
  %strides = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<3x6xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %0, dense<1> : tensor<2x2xi64>
  return
}

// One size of a reshaped tensor follows from the number of its elements.
func.func private @reshaped(%x: tensor<?x2xi32, #stablehlo.bounds<5, ?>>) -> tensor<2x?xi32, #stablehlo.bounds<?, 5>> {
  %0 = stablehlo.reshape %x : (tensor<?x2xi32, #stablehlo.bounds<5, ?>>) -> tensor<2x?xi32, #stablehlo.bounds<?, 5>>
  return %0 : tensor<2x?xi32, #stablehlo.bounds<?, 5>>
}

func.func @reshape_to_a_bounded_size() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %1 = func.call @reshaped(%0) : (tensor<3x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %1, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  return
}
