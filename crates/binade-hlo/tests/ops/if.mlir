// if: what the specification says of it, over element types and edges.

func.func @if_true_i32() {
  %p = stablehlo.constant dense<true> : tensor<i1>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %c:2 = "stablehlo.if"(%p) ({
    stablehlo.return %a, %b : tensor<2xi32>, tensor<2xi32>
  }, {
    stablehlo.return %b, %b : tensor<2xi32>, tensor<2xi32>
  }) : (tensor<i1>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %c#0, dense<[1, -2]> : tensor<2xi32>
  check.expect_eq_const %c#1, dense<[7, 8]> : tensor<2xi32>
  return
}

func.func @if_false_i32() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %c:2 = "stablehlo.if"(%p) ({
    stablehlo.return %a, %b : tensor<2xi32>, tensor<2xi32>
  }, {
    stablehlo.return %b, %b : tensor<2xi32>, tensor<2xi32>
  }) : (tensor<i1>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %c#0, dense<[7, 8]> : tensor<2xi32>
  check.expect_eq_const %c#1, dense<[7, 8]> : tensor<2xi32>
  return
}

func.func @if_true_f8E5M2FNUZ() {
  %p = stablehlo.constant dense<true> : tensor<i1>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %c:2 = "stablehlo.if"(%p) ({
    stablehlo.return %a, %b : tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>
  }, {
    stablehlo.return %b, %b : tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>
  }) : (tensor<i1>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>)
  check.expect_eq_const %c#0, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %c#1, dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  return
}

func.func @if_false_f8E5M2FNUZ() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %c:2 = "stablehlo.if"(%p) ({
    stablehlo.return %a, %b : tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>
  }, {
    stablehlo.return %b, %b : tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>
  }) : (tensor<i1>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>)
  check.expect_eq_const %c#0, dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %c#1, dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  return
}

func.func @if_true_complex_f32() {
  %p = stablehlo.constant dense<true> : tensor<i1>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %c:2 = "stablehlo.if"(%p) ({
    stablehlo.return %a, %b : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  }, {
    stablehlo.return %b, %b : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  }) : (tensor<i1>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  check.expect_eq_const %c#0, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %c#1, dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  return
}

func.func @if_false_complex_f32() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %c:2 = "stablehlo.if"(%p) ({
    stablehlo.return %a, %b : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  }, {
    stablehlo.return %b, %b : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  }) : (tensor<i1>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  check.expect_eq_const %c#0, dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %c#1, dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  return
}
