// test segments
// A run of operations on few elements becomes a case of one branch.
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %a = stablehlo.add %x, %y : tensor<3xf32>
  %b = stablehlo.multiply %a, %y : tensor<3xf32>
  %c = stablehlo.exponential %b : tensor<3xf32>
  %d = stablehlo.subtract %c, %x : tensor<3xf32>
  %e = stablehlo.maximum %d, %a : tensor<3xf32>
  return %e, %c : tensor<3xf32>, tensor<3xf32>
}
