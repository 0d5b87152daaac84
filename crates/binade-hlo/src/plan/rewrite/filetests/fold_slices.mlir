// test fold
// Slices and reshapes of constants, as amounts of shifts are written; a large result is left.
func.func @main(%x: tensor<4xui32>) -> (tensor<4xui32>, tensor<4096xf32>) {
  %amounts = stablehlo.constant dense<[13, 15]> : tensor<2xui32>
  %s = stablehlo.slice %amounts [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %k = stablehlo.reshape %s : (tensor<1xui32>) -> tensor<ui32>
  %m = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<ui32>) -> tensor<4xui32>
  %t = stablehlo.shift_left %x, %m : tensor<4xui32>
  %one = stablehlo.constant dense<1.0> : tensor<4096xf32>
  %large = stablehlo.exponential %one : tensor<4096xf32>
  return %t, %large : tensor<4xui32>, tensor<4096xf32>
}
