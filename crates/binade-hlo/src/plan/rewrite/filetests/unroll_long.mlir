// test unroll
// A loop of three iterations is written out three times, one of nine stays.
func.func @main(%x: tensor<4xui32>) -> (tensor<4xui32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<4xui32>
  cond { %n = stablehlo.constant dense<9> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1> }
  do { %t = stablehlo.xor %s, %x : tensor<4xui32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<4xui32> }
  return %r#1, %r#0 : tensor<4xui32>, tensor<i32>
}
