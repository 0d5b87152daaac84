// test transposes
// Transposes of transposes are one or none; the transpose of a product is the product of the operands exchanged.
func.func @main(%a: tensor<2x3x5xf32>, %m: tensor<4x3xf32>, %n: tensor<3x6xf32>) -> (tensor<2x3x5xf32>, tensor<3x5x2xf32>, tensor<6x4xf32>) {
  %x = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<2x3x5xf32>) -> tensor<3x2x5xf32>
  %y = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<3x2x5xf32>) -> tensor<2x3x5xf32>
  %z = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x2x5xf32>) -> tensor<3x5x2xf32>
  %p = stablehlo.dot_general %m, %n, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x6xf32>) -> tensor<4x6xf32>
  %q = stablehlo.transpose %p, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %y, %z, %q : tensor<2x3x5xf32>, tensor<3x5x2xf32>, tensor<6x4xf32>
}
