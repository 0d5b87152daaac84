// test rewritten
// All passes: a recurrent layer, whose function transposes and scales the weights in every iteration.
func.func @main(%w: tensor<6x4xf32>, %h: tensor<3x4xf32>, %n: tensor<i32>) -> (tensor<3x6xf32>, tensor<3x4xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.constant dense<0.5> : tensor<3x6xf32>
  %r:4 = stablehlo.while(%i = %zero, %a = %w, %b = %h, %s = %c) : tensor<i32>, tensor<6x4xf32>, tensor<3x4xf32>, tensor<3x6xf32>
  cond { %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do { %next:2 = func.call @cell(%a, %b, %s) : (tensor<6x4xf32>, tensor<3x4xf32>, tensor<3x6xf32>) -> (tensor<3x4xf32>, tensor<3x6xf32>)
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %a, %next#0, %next#1 : tensor<i32>, tensor<6x4xf32>, tensor<3x4xf32>, tensor<3x6xf32> }
  return %r#3, %r#2, %r#0 : tensor<3x6xf32>, tensor<3x4xf32>, tensor<i32>
}
func.func private @cell(%w: tensor<6x4xf32>, %h: tensor<3x4xf32>, %s: tensor<3x6xf32>) -> (tensor<3x4xf32>, tensor<3x6xf32>) {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4x6xf32>
  %u = stablehlo.multiply %t, %two : tensor<4x6xf32>
  %x = stablehlo.dot_general %h, %u, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x6xf32>) -> tensor<3x6xf32>
  %y = stablehlo.tanh %x : tensor<3x6xf32>
  %v = stablehlo.add %y, %s : tensor<3x6xf32>
  %z = stablehlo.slice %v [0:3, 1:5] : (tensor<3x6xf32>) -> tensor<3x4xf32>
  %unread = stablehlo.exponential %z : tensor<3x4xf32>
  return %z, %v : tensor<3x4xf32>, tensor<3x6xf32>
}
