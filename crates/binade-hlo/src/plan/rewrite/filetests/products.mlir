// test products
// A product reads its transposed operands where they are.
func.func @main(%a: tensor<5x3xf32>, %b: tensor<7x5xf32>, %c: tensor<3x2x5xf32>) -> (tensor<3x7xf32>, tensor<2x3x3xf32>) {
  %x = stablehlo.transpose %a, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
  %y = stablehlo.transpose %b, dims = [1, 0] : (tensor<7x5xf32>) -> tensor<5x7xf32>
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
  %t = stablehlo.transpose %c, dims = [1, 0, 2] : (tensor<3x2x5xf32>) -> tensor<2x3x5xf32>
  %u = stablehlo.dot_general %t, %t, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x3xf32>
  return %z, %u : tensor<3x7xf32>, tensor<2x3x3xf32>
}
