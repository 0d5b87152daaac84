// call: what the specification says of it, over element types and edges.

func.func private @swap_i32(%x: tensor<2xi32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  return %y, %x : tensor<2xi32>, tensor<2xi32>
}

func.func @call_i32() {
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %r:2 = call @swap_i32(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  %s:2 = func.call @swap_i32(%r#0, %b) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[7, 8]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[1, -2]> : tensor<2xi32>
  check.expect_eq_const %s#1, dense<[7, 8]> : tensor<2xi32>
  func.return
}

func.func private @swap_f8E5M2FNUZ(%x: tensor<2xf8E5M2FNUZ>, %y: tensor<2xf8E5M2FNUZ>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>) {
  return %y, %x : tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>
}

func.func @call_f8E5M2FNUZ() {
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %r:2 = call @swap_f8E5M2FNUZ(%a, %b) : (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>)
  %s:2 = func.call @swap_f8E5M2FNUZ(%r#0, %b) : (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>)
  check.expect_eq_const %r#0, dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %r#1, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %s#1, dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  func.return
}

func.func private @swap_complex_f32(%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  return %y, %x : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

func.func @call_complex_f32() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %r:2 = call @swap_complex_f32(%a, %b) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  %s:2 = func.call @swap_complex_f32(%r#0, %b) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  check.expect_eq_const %r#0, dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %r#1, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %s#1, dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  func.return
}
