// test dead
// Operations without readers are removed, and those that only they read; an effect stays, and what it reads.
func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %a = stablehlo.exponential %x : tensor<4xf32>
  %b = stablehlo.tanh %a : tensor<4xf32>
  %c = stablehlo.add %x, %x : tensor<4xf32>
  %q = stablehlo.not %p : tensor<i1>
  stablehlo.custom_call @shape_assertion(%q) {has_side_effect = true} : (tensor<i1>) -> ()
  return %c : tensor<4xf32>
}
