// test fold
// Small operations on constants become constants, one after the other.
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %one = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %two = stablehlo.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %sum = stablehlo.add %one, %two : tensor<2xf32>
  %product = stablehlo.multiply %sum, %two : tensor<2xf32>
  %c = stablehlo.convert %one : (tensor<2xf32>) -> tensor<2xi32>
  %r = stablehlo.add %x, %product : tensor<2xf32>
  return %r, %c : tensor<2xf32>, tensor<2xi32>
}
