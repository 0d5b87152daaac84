// test hoist
// The transpose of what a loop does not change is done before it; what depends on its values stays.
func.func @main(%w: tensor<6x4xf32>, %h: tensor<3x6xf32>, %n: tensor<i32>) -> tensor<3x6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %h) : tensor<i32>, tensor<3x6xf32>
  cond { %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do { %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %y = stablehlo.slice %s [0:3, 1:5] : (tensor<3x6xf32>) -> tensor<3x4xf32>
    %x = stablehlo.dot_general %y, %t, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x6xf32>) -> tensor<3x6xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %x : tensor<i32>, tensor<3x6xf32> }
  return %r#1 : tensor<3x6xf32>
}
