// stablehlo.map by its definition, over element types, edges and empty shapes.

func.func @map_i32() {
  %0 = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>
  %1 = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xi32>
  %2 = "stablehlo.map"(%0, %1) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %m : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[0, 5], [12, 21]]> : tensor<2x2xi32>
  return
}

func.func @map_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[2.0, 0.25]> : tensor<2xf8E4M3FNUZ>
  %2 = "stablehlo.map"(%0, %1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %m = stablehlo.multiply %a, %b : tensor<f8E4M3FNUZ>
    stablehlo.return %m : tensor<f8E4M3FNUZ>
  }) : (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[3.0, -0.5]> : tensor<2xf8E4M3FNUZ>
  return
}

func.func @map_bf16() {
  %0 = stablehlo.constant dense<[1.0, 0x7FC0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xbf16>
  %2 = "stablehlo.map"(%0, %1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %m = stablehlo.multiply %a, %b : tensor<bf16>
    stablehlo.return %m : tensor<bf16>
  }) : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %2, dense<[2.0, 0x7FC0]> : tensor<2xbf16>
  return
}

func.func @map_to_another_type() {
  %0 = stablehlo.constant dense<[1.5, -2.0, 0x7FC00000]> : tensor<3xf32>
  %1 = "stablehlo.map"(%0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %m = stablehlo.compare LT, %a, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }) : (tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<[false, true, false]> : tensor<3xi1>
  return
}

func.func @map_of_nothing() {
  %0 = stablehlo.constant dense<> : tensor<0x2xf32>
  %1 = "stablehlo.map"(%0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<0x2xf32>) -> tensor<0x2xf32>
  check.expect_eq_const %1, dense<> : tensor<0x2xf32>
  return
}
