// test inline
// Operations of a function stand in place of its call, and in place of the calls in it.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = func.call @inner(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
