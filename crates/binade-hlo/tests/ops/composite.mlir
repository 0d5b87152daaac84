// composite: what the specification says of it, over element types and edges.

func.func private @twice_i32(%x: tensor<2xi32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0, %y : tensor<2xi32>, tensor<2xi32>
}

func.func @composite_i32() {
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %r:2 = stablehlo.composite "binade.twice" %a, %b {composite_attributes = {level = 1 : i64}, decomposition = @twice_i32, version = 1 : i32} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  %e = stablehlo.add %a, %a : tensor<2xi32>
  check.expect_eq %r#0, %e : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[7, 8]> : tensor<2xi32>
  return
}

func.func private @twice_f8E5M2FNUZ(%x: tensor<2xf8E5M2FNUZ>, %y: tensor<2xf8E5M2FNUZ>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>) {
  %0 = stablehlo.add %x, %x : tensor<2xf8E5M2FNUZ>
  return %0, %y : tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>
}

func.func @composite_f8E5M2FNUZ() {
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %r:2 = stablehlo.composite "binade.twice" %a, %b {composite_attributes = {level = 1 : i64}, decomposition = @twice_f8E5M2FNUZ, version = 1 : i32} : (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>) -> (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>)
  %e = stablehlo.add %a, %a : tensor<2xf8E5M2FNUZ>
  check.expect_eq %r#0, %e : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %r#1, dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  return
}

func.func private @twice_complex_f32(%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %0 = stablehlo.add %x, %x : tensor<2xcomplex<f32>>
  return %0, %y : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

func.func @composite_complex_f32() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %r:2 = stablehlo.composite "binade.twice" %a, %b {composite_attributes = {level = 1 : i64}, decomposition = @twice_complex_f32, version = 1 : i32} : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  %e = stablehlo.add %a, %a : tensor<2xcomplex<f32>>
  check.expect_eq %r#0, %e : tensor<2xcomplex<f32>>
  check.expect_eq_const %r#1, dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  return
}
