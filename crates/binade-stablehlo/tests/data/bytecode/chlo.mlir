module @chlo {
  func.func public @main(%x: tensor<3x2xf32>, %c: tensor<2xf32>, %f: tensor<4xf8E4M3FN>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf8E4M3FN>, tensor<3x2xi1>) {
    %0:2 = chlo.scan(%x) inits (%c) dimension = 0 attributes {is_reverse = true} {
    ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
      %s = stablehlo.add %a, %b : tensor<2xf32>
      stablehlo.return %s, %s : tensor<2xf32>, tensor<2xf32>
    } : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
    %1:2 = chlo.top_k(%f, k = 2) : tensor<4xf8E4M3FN> -> (tensor<2xf8E4M3FN>, tensor<2xi32>)
    %2 = chlo.broadcast_compare %x, %c {broadcast_dimensions = array<i64: 1>, compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xi1>
    return %0#0, %0#1, %1#0, %2 : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf8E4M3FN>, tensor<3x2xi1>
  }
}
