// stablehlo.reduce by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @reduce_add_i8() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<0> : tensor<i8>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[0, -2], [-2, 1]]> : tensor<2x2xi8>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[-4, 4, -3]> : tensor<3xi8>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %4, dense<-3> : tensor<i8>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  return
}

func.func @reduce_multiply_i8() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<1> : tensor<i8>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.multiply %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[0, 2], [2, 0]]> : tensor<2x2xi8>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.multiply %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[0, 0, -8]> : tensor<3xi8>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.multiply %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %4, dense<0> : tensor<i8>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.multiply %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  return
}

func.func @reduce_maximum_i8() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<-7> : tensor<i8>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[2, 1], [1, 2]]> : tensor<2x2xi8>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[0, 2, 2]> : tensor<3xi8>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %4, dense<2> : tensor<i8>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  return
}

func.func @reduce_minimum_i8() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<7> : tensor<i8>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[-2, -2], [-2, -1]]> : tensor<2x2xi8>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[-2, 0, -2]> : tensor<3xi8>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %4, dense<-2> : tensor<i8>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  return
}

func.func @reduce_and_i8() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<-1> : tensor<i8>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.and %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[0, 0], [0, 0]]> : tensor<2x2xi8>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.and %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[0, 0, 2]> : tensor<3xi8>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.and %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %4, dense<0> : tensor<i8>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.and %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  return
}

func.func @reduce_or_i8() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<0> : tensor<i8>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.or %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[-2, -1], [-1, -1]]> : tensor<2x2xi8>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.or %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[-1, 3, -1]> : tensor<3xi8>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.or %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %4, dense<-1> : tensor<i8>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.or %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  return
}

func.func @reduce_xor_i8() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  %1 = stablehlo.constant dense<0> : tensor<i8>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.xor %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[-4, 0], [0, -3]]> : tensor<2x2xi8>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.xor %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[-2, 2, -3]> : tensor<3xi8>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.xor %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %4, dense<1> : tensor<i8>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.xor %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<2x3x2xi8>, tensor<i8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi8>
  return
}

func.func @reduce_of_nothing_i8() {
  %0 = stablehlo.constant dense<> : tensor<2x0xi8>
  %1 = stablehlo.constant dense<3> : tensor<i8>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x0xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %2, dense<[3, 3]> : tensor<2xi8>
  %3 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<2x0xi8>, tensor<i8>) -> tensor<0xi8>
  check.expect_eq_const %3, dense<> : tensor<0xi8>
  return
}

func.func @reduce_add_i64() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<0> : tensor<i64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[0, -2], [-2, 1]]> : tensor<2x2xi64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[-4, 4, -3]> : tensor<3xi64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<i64>
  check.expect_eq_const %4, dense<-3> : tensor<i64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  return
}

func.func @reduce_multiply_i64() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<1> : tensor<i64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.multiply %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[0, 2], [2, 0]]> : tensor<2x2xi64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.multiply %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[0, 0, -8]> : tensor<3xi64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.multiply %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<i64>
  check.expect_eq_const %4, dense<0> : tensor<i64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.multiply %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  return
}

func.func @reduce_maximum_i64() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<-7> : tensor<i64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[2, 1], [1, 2]]> : tensor<2x2xi64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[0, 2, 2]> : tensor<3xi64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<i64>
  check.expect_eq_const %4, dense<2> : tensor<i64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.maximum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  return
}

func.func @reduce_minimum_i64() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<7> : tensor<i64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.minimum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[-2, -2], [-2, -1]]> : tensor<2x2xi64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.minimum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[-2, 0, -2]> : tensor<3xi64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.minimum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<i64>
  check.expect_eq_const %4, dense<-2> : tensor<i64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.minimum %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  return
}

func.func @reduce_and_i64() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<-1> : tensor<i64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.and %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.and %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[0, 0, 2]> : tensor<3xi64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.and %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<i64>
  check.expect_eq_const %4, dense<0> : tensor<i64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.and %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  return
}

func.func @reduce_or_i64() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<0> : tensor<i64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.or %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[-2, -1], [-1, -1]]> : tensor<2x2xi64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.or %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[-1, 3, -1]> : tensor<3xi64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.or %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<i64>
  check.expect_eq_const %4, dense<-1> : tensor<i64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.or %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  return
}

func.func @reduce_xor_i64() {
  %0 = stablehlo.constant dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  %1 = stablehlo.constant dense<0> : tensor<i64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.xor %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[-4, 0], [0, -3]]> : tensor<2x2xi64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.xor %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<3xi64>
  check.expect_eq_const %3, dense<[-2, 2, -3]> : tensor<3xi64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.xor %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<i64>
  check.expect_eq_const %4, dense<1> : tensor<i64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.xor %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<2x3x2xi64>, tensor<i64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %5, dense<[[[-2, -1], [0, 1], [2, -2]], [[-1, 0], [1, 2], [-2, -1]]]> : tensor<2x3x2xi64>
  return
}

func.func @reduce_of_nothing_i64() {
  %0 = stablehlo.constant dense<> : tensor<2x0xi64>
  %1 = stablehlo.constant dense<3> : tensor<i64>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x0xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %2, dense<[3, 3]> : tensor<2xi64>
  %3 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<2x0xi64>, tensor<i64>) -> tensor<0xi64>
  check.expect_eq_const %3, dense<> : tensor<0xi64>
  return
}

func.func @reduce_add_f64() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf64>
  %1 = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<2x2xf64>
  check.expect_eq_const %2, dense<[[0.0, -2.0], [-2.0, 1.0]]> : tensor<2x2xf64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<3xf64>
  check.expect_eq_const %3, dense<[-4.0, 4.0, -3.0]> : tensor<3xf64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %4, dense<-3.0> : tensor<f64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<2x3x2xf64>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf64>
  return
}

func.func @reduce_multiply_f64() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf64>
  %1 = stablehlo.constant dense<1.0> : tensor<f64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<2x2xf64>
  check.expect_eq_const %2, dense<[[0.0, 2.0], [2.0, 0.0]]> : tensor<2x2xf64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<3xf64>
  check.expect_eq_const %3, dense<[0.0, 0.0, -8.0]> : tensor<3xf64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %4, dense<0.0> : tensor<f64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<2x3x2xf64>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf64>
  return
}

func.func @reduce_maximum_f64() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf64>
  %1 = stablehlo.constant dense<-7.0> : tensor<f64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<2x2xf64>
  check.expect_eq_const %2, dense<[[2.0, 1.0], [1.0, 2.0]]> : tensor<2x2xf64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<3xf64>
  check.expect_eq_const %3, dense<[0.0, 2.0, 2.0]> : tensor<3xf64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %4, dense<2.0> : tensor<f64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<2x3x2xf64>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf64>
  return
}

func.func @reduce_minimum_f64() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf64>
  %1 = stablehlo.constant dense<7.0> : tensor<f64>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<2x2xf64>
  check.expect_eq_const %2, dense<[[-2.0, -2.0], [-2.0, -1.0]]> : tensor<2x2xf64>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<3xf64>
  check.expect_eq_const %3, dense<[-2.0, 0.0, -2.0]> : tensor<3xf64>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %4, dense<-2.0> : tensor<f64>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3x2xf64>, tensor<f64>) -> tensor<2x3x2xf64>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf64>
  return
}

func.func @reduce_of_nothing_f64() {
  %0 = stablehlo.constant dense<> : tensor<2x0xf64>
  %1 = stablehlo.constant dense<3.0> : tensor<f64>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x0xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %2, dense<[3.0, 3.0]> : tensor<2xf64>
  %3 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<2x0xf64>, tensor<f64>) -> tensor<0xf64>
  check.expect_eq_const %3, dense<> : tensor<0xf64>
  return
}

func.func @reduce_add_f32() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[0.0, -2.0], [-2.0, 1.0]]> : tensor<2x2xf32>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[-4.0, 4.0, -3.0]> : tensor<3xf32>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %4, dense<-3.0> : tensor<f32>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @reduce_multiply_f32() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<f32>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[0.0, 2.0], [2.0, 0.0]]> : tensor<2x2xf32>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[0.0, 0.0, -8.0]> : tensor<3xf32>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %4, dense<0.0> : tensor<f32>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @reduce_maximum_f32() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.constant dense<-7.0> : tensor<f32>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[2.0, 1.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[0.0, 2.0, 2.0]> : tensor<3xf32>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %4, dense<2.0> : tensor<f32>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @reduce_minimum_f32() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf32>
  %1 = stablehlo.constant dense<7.0> : tensor<f32>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[-2.0, -2.0], [-2.0, -1.0]]> : tensor<2x2xf32>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[-2.0, 0.0, -2.0]> : tensor<3xf32>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %4, dense<-2.0> : tensor<f32>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf32>
  return
}

func.func @reduce_of_nothing_f32() {
  %0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %1 = stablehlo.constant dense<3.0> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[3.0, 3.0]> : tensor<2xf32>
  %3 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<2x0xf32>, tensor<f32>) -> tensor<0xf32>
  check.expect_eq_const %3, dense<> : tensor<0xf32>
  return
}

func.func @reduce_add_bf16() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[0.0, -2.0], [-2.0, 1.0]]> : tensor<2x2xbf16>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<3xbf16>
  check.expect_eq_const %3, dense<[-4.0, 4.0, -3.0]> : tensor<3xbf16>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %4, dense<-3.0> : tensor<bf16>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xbf16>
  return
}

func.func @reduce_multiply_bf16() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.constant dense<1.0> : tensor<bf16>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.multiply %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[0.0, 2.0], [2.0, 0.0]]> : tensor<2x2xbf16>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.multiply %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<3xbf16>
  check.expect_eq_const %3, dense<[0.0, 0.0, -8.0]> : tensor<3xbf16>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.multiply %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %4, dense<0.0> : tensor<bf16>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.multiply %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xbf16>
  return
}

func.func @reduce_maximum_bf16() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.constant dense<-7.0> : tensor<bf16>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[2.0, 1.0], [1.0, 2.0]]> : tensor<2x2xbf16>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<3xbf16>
  check.expect_eq_const %3, dense<[0.0, 2.0, 2.0]> : tensor<3xbf16>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %4, dense<2.0> : tensor<bf16>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xbf16>
  return
}

func.func @reduce_minimum_bf16() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xbf16>
  %1 = stablehlo.constant dense<7.0> : tensor<bf16>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.minimum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %2, dense<[[-2.0, -2.0], [-2.0, -1.0]]> : tensor<2x2xbf16>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.minimum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<3xbf16>
  check.expect_eq_const %3, dense<[-2.0, 0.0, -2.0]> : tensor<3xbf16>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.minimum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %4, dense<-2.0> : tensor<bf16>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.minimum %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<2x3x2xbf16>, tensor<bf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xbf16>
  return
}

func.func @reduce_of_nothing_bf16() {
  %0 = stablehlo.constant dense<> : tensor<2x0xbf16>
  %1 = stablehlo.constant dense<3.0> : tensor<bf16>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x0xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %2, dense<[3.0, 3.0]> : tensor<2xbf16>
  %3 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<2x0xbf16>, tensor<bf16>) -> tensor<0xbf16>
  check.expect_eq_const %3, dense<> : tensor<0xbf16>
  return
}

func.func @reduce_add_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[0.0, -2.0], [-2.0, 1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[-4.0, 4.0, -3.0]> : tensor<3xf8E4M3FNUZ>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<f8E4M3FNUZ>
  check.expect_eq_const %4, dense<-3.0> : tensor<f8E4M3FNUZ>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3x2xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  return
}

func.func @reduce_multiply_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<1.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.multiply %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 2.0], [2.0, 0.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.multiply %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[0.0, 0.0, -8.0]> : tensor<3xf8E4M3FNUZ>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.multiply %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<f8E4M3FNUZ>
  check.expect_eq_const %4, dense<0.0> : tensor<f8E4M3FNUZ>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.multiply %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3x2xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  return
}

func.func @reduce_maximum_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<-7.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 1.0], [1.0, 2.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[0.0, 2.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<f8E4M3FNUZ>
  check.expect_eq_const %4, dense<2.0> : tensor<f8E4M3FNUZ>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3x2xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  return
}

func.func @reduce_minimum_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E4M3FNUZ>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[-2.0, -2.0], [-2.0, -1.0]]> : tensor<2x2xf8E4M3FNUZ>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<[-2.0, 0.0, -2.0]> : tensor<3xf8E4M3FNUZ>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<f8E4M3FNUZ>
  check.expect_eq_const %4, dense<-2.0> : tensor<f8E4M3FNUZ>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %s : tensor<f8E4M3FNUZ>
  }) : (tensor<2x3x2xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2x3x2xf8E4M3FNUZ>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E4M3FNUZ>
  return
}

func.func @reduce_of_nothing_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<> : tensor<2x0xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<3.0> : tensor<f8E4M3FNUZ>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x0xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[3.0, 3.0]> : tensor<2xf8E4M3FNUZ>
  %3 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<2x0xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<0xf8E4M3FNUZ>
  check.expect_eq_const %3, dense<> : tensor<0xf8E4M3FNUZ>
  return
}

func.func @reduce_add_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[0.0, -2.0], [-2.0, 1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[-4.0, 4.0, -3.0]> : tensor<3xf8E5M2FNUZ>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %4, dense<-3.0> : tensor<f8E5M2FNUZ>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.add %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x3x2xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  return
}

func.func @reduce_multiply_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<1.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.multiply %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[0.0, 2.0], [2.0, 0.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.multiply %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[0.0, 0.0, -8.0]> : tensor<3xf8E5M2FNUZ>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.multiply %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %4, dense<0.0> : tensor<f8E5M2FNUZ>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.multiply %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x3x2xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  return
}

func.func @reduce_maximum_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<-7.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[2.0, 1.0], [1.0, 2.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[0.0, 2.0, 2.0]> : tensor<3xf8E5M2FNUZ>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %4, dense<2.0> : tensor<f8E5M2FNUZ>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.maximum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x3x2xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  return
}

func.func @reduce_minimum_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<7.0> : tensor<f8E5M2FNUZ>
  %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[-2.0, -2.0], [-2.0, -1.0]]> : tensor<2x2xf8E5M2FNUZ>
  %3 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<[-2.0, 0.0, -2.0]> : tensor<3xf8E5M2FNUZ>
  %4 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
  check.expect_eq_const %4, dense<-2.0> : tensor<f8E5M2FNUZ>
  %5 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.minimum %a, %b : tensor<f8E5M2FNUZ>
    stablehlo.return %s : tensor<f8E5M2FNUZ>
  }) : (tensor<2x3x2xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2x3x2xf8E5M2FNUZ>
  check.expect_eq_const %5, dense<[[[-2.0, -1.0], [0.0, 1.0], [2.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0]]]> : tensor<2x3x2xf8E5M2FNUZ>
  return
}

func.func @reduce_of_nothing_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<> : tensor<2x0xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<3.0> : tensor<f8E5M2FNUZ>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x0xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[3.0, 3.0]> : tensor<2xf8E5M2FNUZ>
  %3 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<2x0xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<0xf8E5M2FNUZ>
  check.expect_eq_const %3, dense<> : tensor<0xf8E5M2FNUZ>
  return
}

func.func @reduce_and_i1() {
  %0 = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %1 = stablehlo.constant dense<true> : tensor<i1>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.and across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %2, dense<[false, true]> : tensor<2xi1>
  return
}

func.func @reduce_or_i1() {
  %0 = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %1 = stablehlo.constant dense<false> : tensor<i1>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.or across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %2, dense<[true, true]> : tensor<2xi1>
  return
}

func.func @reduce_xor_i1() {
  %0 = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %1 = stablehlo.constant dense<false> : tensor<i1>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.xor across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %2, dense<[true, false]> : tensor<2xi1>
  return
}

func.func @reduce_maximum_i1() {
  %0 = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %1 = stablehlo.constant dense<false> : tensor<i1>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %2, dense<[true, true]> : tensor<2xi1>
  return
}

func.func @reduce_minimum_i1() {
  %0 = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %1 = stablehlo.constant dense<true> : tensor<i1>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.minimum across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %2, dense<[false, true]> : tensor<2xi1>
  return
}

func.func @reduce_maximum_f32_nan() {
  %0 = stablehlo.constant dense<[[1.0, 0x7FC00000, 2.0], [1.0, 0x7F800000, 2.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[0x7FC00000, 0x7F800000]> : tensor<2xf32>
  return
}

func.func @reduce_add_f32_nan() {
  %0 = stablehlo.constant dense<[[1.0, 0x7FC00000, 2.0], [1.0, 0x7F800000, 2.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[0x7FC00000, 0x7F800000]> : tensor<2xf32>
  return
}

func.func @reduce_minimum_f32_nan() {
  %0 = stablehlo.constant dense<[[1.0, 0x7FC00000, 2.0], [1.0, 0x7F800000, 2.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  return
}

func.func @reduce_argmax_f32() {
  %0 = stablehlo.constant dense<[[1.0, 5.0, 5.0, -2.0], [-3.0, -3.0, -4.0, -9.0]]> : tensor<2x4xf32>
  %1 = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %3 = stablehlo.constant dense<0> : tensor<i32>
  %4:2 = stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [1] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %g = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %m = stablehlo.select %g, %a, %b : tensor<i1>, tensor<f32>
    %e = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %l = stablehlo.minimum %i, %j : tensor<i32>
    %n = stablehlo.select %g, %i, %j : tensor<i1>, tensor<i32>
    %k = stablehlo.select %e, %l, %n : tensor<i1>, tensor<i32>
    stablehlo.return %m, %k : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %4#0, dense<[5.0, -3.0]> : tensor<2xf32>
  check.expect_eq_const %4#1, dense<[1, 0]> : tensor<2xi32>
  return
}

func.func @reduce_maximum_bf16_nan() {
  %0 = stablehlo.constant dense<[[1.0, 0x7FC0, 2.0], [1.0, 0x7F80, 2.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %2, dense<[0x7FC0, 0x7F80]> : tensor<2xbf16>
  return
}

func.func @reduce_add_bf16_nan() {
  %0 = stablehlo.constant dense<[[1.0, 0x7FC0, 2.0], [1.0, 0x7F80, 2.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %2, dense<[0x7FC0, 0x7F80]> : tensor<2xbf16>
  return
}

func.func @reduce_minimum_bf16_nan() {
  %0 = stablehlo.constant dense<[[1.0, 0x7FC0, 2.0], [1.0, 0x7F80, 2.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %2, dense<[0x7FC0, 1.0]> : tensor<2xbf16>
  return
}

func.func @reduce_argmax_bf16() {
  %0 = stablehlo.constant dense<[[1.0, 5.0, 5.0, -2.0], [-3.0, -3.0, -4.0, -9.0]]> : tensor<2x4xbf16>
  %1 = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %3 = stablehlo.constant dense<0> : tensor<i32>
  %4:2 = stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [1] : (tensor<2x4xbf16>, tensor<2x4xi32>, tensor<bf16>, tensor<i32>) -> (tensor<2xbf16>, tensor<2xi32>)
   reducer(%a: tensor<bf16>, %b: tensor<bf16>) (%i: tensor<i32>, %j: tensor<i32>) {
    %g = stablehlo.compare GE, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %m = stablehlo.select %g, %a, %b : tensor<i1>, tensor<bf16>
    %e = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %l = stablehlo.minimum %i, %j : tensor<i32>
    %n = stablehlo.select %g, %i, %j : tensor<i1>, tensor<i32>
    %k = stablehlo.select %e, %l, %n : tensor<i1>, tensor<i32>
    stablehlo.return %m, %k : tensor<bf16>, tensor<i32>
  }
  check.expect_eq_const %4#0, dense<[5.0, -3.0]> : tensor<2xbf16>
  check.expect_eq_const %4#1, dense<[1, 0]> : tensor<2xi32>
  return
}

func.func @reduce_complex() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-3.0, 0.5)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %2, dense<(-2.0, 2.5)> : tensor<complex<f32>>
  return
}

func.func @reduce_quantized() {
  %0 = stablehlo.constant dense<[[0.5, -2.0, 3.5], [10.0, -0.5, 1.0]]> : tensor<2x3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5:-3>>
  %4 = stablehlo.reduce(%1 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>, tensor<!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-3>>
  %5 = stablehlo.uniform_dequantize %4 : (tensor<2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2xf32>
  check.expect_eq_const %5, dense<[2.0, 10.5]> : tensor<2xf32>
  return
}

func.func @reduce_quantized_clamps() {
  %0 = stablehlo.constant dense<[60.0, 10.0, -2.0]> : tensor<3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5:-3>>
  %4 = stablehlo.reduce(%1 init: %3) applies stablehlo.maximum across dimensions = [0] : (tensor<3x!quant.uniform<i8:f32, 0.5:-3>>, tensor<!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<!quant.uniform<i8:f32, 0.5:-3>>
  %5 = stablehlo.uniform_dequantize %4 : (tensor<!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<f32>
  check.expect_eq_const %5, dense<60.0> : tensor<f32>
  return
}

func.func @reduce_maximum_f32_zeros() {
  %0 = stablehlo.constant dense<[[-0.0, 0.0, -0.0], [0.0, -0.0, 0.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<-0.0> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %3, dense<[0, 0]> : tensor<2xui32>
  return
}

func.func @reduce_minimum_f32_zeros() {
  %0 = stablehlo.constant dense<[[-0.0, 0.0, -0.0], [0.0, -0.0, 0.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %3, dense<[2147483648, 2147483648]> : tensor<2xui32>
  return
}

func.func @reduce_add_f32_negative_zeros() {
  %0 = stablehlo.constant dense<[[-0.0, -0.0], [-0.0, 0.0]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<-0.0> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %3, dense<[2147483648, 0]> : tensor<2xui32>
  return
}

func.func @reduce_maximum_bf16_zeros() {
  %0 = stablehlo.constant dense<[[-0.0, 0.0, -0.0], [0.0, -0.0, 0.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<-0.0> : tensor<bf16>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %3, dense<[0, 0]> : tensor<2xui16>
  return
}

func.func @reduce_minimum_bf16_zeros() {
  %0 = stablehlo.constant dense<[[-0.0, 0.0, -0.0], [0.0, -0.0, 0.0]]> : tensor<2x3xbf16>
  %1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %3, dense<[32768, 32768]> : tensor<2xui16>
  return
}

func.func @reduce_add_bf16_negative_zeros() {
  %0 = stablehlo.constant dense<[[-0.0, -0.0], [-0.0, 0.0]]> : tensor<2x2xbf16>
  %1 = stablehlo.constant dense<-0.0> : tensor<bf16>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x2xbf16>, tensor<bf16>) -> tensor<2xbf16>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %3, dense<[32768, 0]> : tensor<2xui16>
  return
}

func.func @reduce_maximum_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[[-0.0, 0.0, -0.0], [0.0, -0.0, 0.0]]> : tensor<2x3xf8E5M2>
  %1 = stablehlo.constant dense<-0.0> : tensor<f8E5M2>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf8E5M2>, tensor<f8E5M2>) -> tensor<2xf8E5M2>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xf8E5M2>) -> tensor<2xui8>
  check.expect_eq_const %3, dense<[0, 0]> : tensor<2xui8>
  return
}

func.func @reduce_minimum_f8E5M2_zeros() {
  %0 = stablehlo.constant dense<[[-0.0, 0.0, -0.0], [0.0, -0.0, 0.0]]> : tensor<2x3xf8E5M2>
  %1 = stablehlo.constant dense<0.0> : tensor<f8E5M2>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.minimum across dimensions = [1] : (tensor<2x3xf8E5M2>, tensor<f8E5M2>) -> tensor<2xf8E5M2>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xf8E5M2>) -> tensor<2xui8>
  check.expect_eq_const %3, dense<[128, 128]> : tensor<2xui8>
  return
}

func.func @reduce_add_f8E5M2_negative_zeros() {
  %0 = stablehlo.constant dense<[[-0.0, -0.0], [-0.0, 0.0]]> : tensor<2x2xf8E5M2>
  %1 = stablehlo.constant dense<-0.0> : tensor<f8E5M2>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf8E5M2>, tensor<f8E5M2>) -> tensor<2xf8E5M2>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2xf8E5M2>) -> tensor<2xui8>
  check.expect_eq_const %3, dense<[128, 0]> : tensor<2xui8>
  return
}
