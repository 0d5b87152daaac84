// tuple: what the specification says of it, over element types and edges.

func.func @tuple_i32() {
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %k = stablehlo.constant dense<5> : tensor<i64>
  %t = stablehlo.tuple %a, %k : tuple<tensor<2xi32>, tensor<i64>>
  %u = "stablehlo.tuple"(%t, %k, %t) : (tuple<tensor<2xi32>, tensor<i64>>, tensor<i64>, tuple<tensor<2xi32>, tensor<i64>>) -> tuple<tuple<tensor<2xi32>, tensor<i64>>, tensor<i64>, tuple<tensor<2xi32>, tensor<i64>>>
  %e = stablehlo.tuple  : tuple<>
  %v = stablehlo.get_tuple_element %u[2] : (tuple<tuple<tensor<2xi32>, tensor<i64>>, tensor<i64>, tuple<tensor<2xi32>, tensor<i64>>>) -> tuple<tensor<2xi32>, tensor<i64>>
  %w = stablehlo.get_tuple_element %v[0] : (tuple<tensor<2xi32>, tensor<i64>>) -> tensor<2xi32>
  %x = stablehlo.get_tuple_element %u[1] : (tuple<tuple<tensor<2xi32>, tensor<i64>>, tensor<i64>, tuple<tensor<2xi32>, tensor<i64>>>) -> tensor<i64>
  check.expect_eq_const %w, dense<[1, -2]> : tensor<2xi32>
  check.expect_eq_const %x, dense<5> : tensor<i64>
  return
}

func.func @tuple_f8E5M2FNUZ() {
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %k = stablehlo.constant dense<5> : tensor<i64>
  %t = stablehlo.tuple %a, %k : tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>
  %u = "stablehlo.tuple"(%t, %k, %t) : (tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>, tensor<i64>, tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>) -> tuple<tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>, tensor<i64>, tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>>
  %e = stablehlo.tuple  : tuple<>
  %v = stablehlo.get_tuple_element %u[2] : (tuple<tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>, tensor<i64>, tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>>) -> tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>
  %w = stablehlo.get_tuple_element %v[0] : (tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>) -> tensor<2xf8E5M2FNUZ>
  %x = stablehlo.get_tuple_element %u[1] : (tuple<tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>, tensor<i64>, tuple<tensor<2xf8E5M2FNUZ>, tensor<i64>>>) -> tensor<i64>
  check.expect_eq_const %w, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %x, dense<5> : tensor<i64>
  return
}

func.func @tuple_complex_f32() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %k = stablehlo.constant dense<5> : tensor<i64>
  %t = stablehlo.tuple %a, %k : tuple<tensor<2xcomplex<f32>>, tensor<i64>>
  %u = "stablehlo.tuple"(%t, %k, %t) : (tuple<tensor<2xcomplex<f32>>, tensor<i64>>, tensor<i64>, tuple<tensor<2xcomplex<f32>>, tensor<i64>>) -> tuple<tuple<tensor<2xcomplex<f32>>, tensor<i64>>, tensor<i64>, tuple<tensor<2xcomplex<f32>>, tensor<i64>>>
  %e = stablehlo.tuple  : tuple<>
  %v = stablehlo.get_tuple_element %u[2] : (tuple<tuple<tensor<2xcomplex<f32>>, tensor<i64>>, tensor<i64>, tuple<tensor<2xcomplex<f32>>, tensor<i64>>>) -> tuple<tensor<2xcomplex<f32>>, tensor<i64>>
  %w = stablehlo.get_tuple_element %v[0] : (tuple<tensor<2xcomplex<f32>>, tensor<i64>>) -> tensor<2xcomplex<f32>>
  %x = stablehlo.get_tuple_element %u[1] : (tuple<tuple<tensor<2xcomplex<f32>>, tensor<i64>>, tensor<i64>, tuple<tensor<2xcomplex<f32>>, tensor<i64>>>) -> tensor<i64>
  check.expect_eq_const %w, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %x, dense<5> : tensor<i64>
  return
}
