// while: what the specification says of it, over element types and edges.

func.func @while_0_i32() {
  %limit = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xi32>
  cond {
    %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %j, %y : tensor<i32>, tensor<2xi32>
  }
  check.expect_eq_const %r#0, dense<0> : tensor<i32>
  check.expect_eq_const %r#1, dense<[1, -2]> : tensor<2xi32>
  check.expect_eq_const %a, dense<[1, -2]> : tensor<2xi32>
  return
}

func.func @while_3_i32() {
  %limit = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xi32>
  cond {
    %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %j, %y : tensor<i32>, tensor<2xi32>
  }
  check.expect_eq_const %r#0, dense<3> : tensor<i32>
  check.expect_eq_const %r#1, dense<[8, -16]> : tensor<2xi32>
  check.expect_eq_const %a, dense<[1, -2]> : tensor<2xi32>
  return
}

func.func @while_0_f8E5M2FNUZ() {
  %limit = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xf8E5M2FNUZ>
  cond {
    %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<2xf8E5M2FNUZ>
    stablehlo.return %j, %y : tensor<i32>, tensor<2xf8E5M2FNUZ>
  }
  check.expect_eq_const %r#0, dense<0> : tensor<i32>
  check.expect_eq_const %r#1, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %a, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  return
}

func.func @while_3_f8E5M2FNUZ() {
  %limit = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xf8E5M2FNUZ>
  cond {
    %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<2xf8E5M2FNUZ>
    stablehlo.return %j, %y : tensor<i32>, tensor<2xf8E5M2FNUZ>
  }
  check.expect_eq_const %r#0, dense<3> : tensor<i32>
  check.expect_eq_const %r#1, dense<[12.0, -16.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %a, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  return
}

func.func @while_0_complex_f32() {
  %limit = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xcomplex<f32>>
  cond {
    %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<2xcomplex<f32>>
    stablehlo.return %j, %y : tensor<i32>, tensor<2xcomplex<f32>>
  }
  check.expect_eq_const %r#0, dense<0> : tensor<i32>
  check.expect_eq_const %r#1, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %a, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  return
}

func.func @while_3_complex_f32() {
  %limit = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xcomplex<f32>>
  cond {
    %c = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<2xcomplex<f32>>
    stablehlo.return %j, %y : tensor<i32>, tensor<2xcomplex<f32>>
  }
  check.expect_eq_const %r#0, dense<3> : tensor<i32>
  check.expect_eq_const %r#1, dense<[(8.0, 16.0), (0.0, -8.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %a, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  return
}

// Greatest common divisors, a loop in a loop: those of 1 to 5 with 12, added up.
func.func @while_in_while() {
  %zero = stablehlo.constant dense<0> : tensor<ui16>
  %one = stablehlo.constant dense<1> : tensor<ui16>
  %five = stablehlo.constant dense<5> : tensor<ui16>
  %twelve = stablehlo.constant dense<12> : tensor<ui16>
  %r:2 = stablehlo.while(%i = %one, %sum = %zero) : tensor<ui16>, tensor<ui16>
  cond {
    %c = stablehlo.compare LE, %i, %five, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %g:2 = stablehlo.while(%x = %twelve, %y = %i) : tensor<ui16>, tensor<ui16>
    cond {
      %c = stablehlo.compare NE, %y, %zero, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %m = stablehlo.remainder %x, %y : tensor<ui16>
      stablehlo.return %y, %m : tensor<ui16>, tensor<ui16>
    }
    %s = stablehlo.add %sum, %g#0 : tensor<ui16>
    %j = stablehlo.add %i, %one : tensor<ui16>
    stablehlo.return %j, %s : tensor<ui16>, tensor<ui16>
  }
  check.expect_eq_const %r#0, dense<6> : tensor<ui16>
  check.expect_eq_const %r#1, dense<11> : tensor<ui16>
  return
}
