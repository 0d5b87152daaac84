// case: what the specification says of it, over element types and edges.

func.func @case_0_i32() {
  %p = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1, -2]> : tensor<2xi32>
  check.expect_eq_const %c#1, dense<0> : tensor<i8>
  return
}

func.func @case_1_i32() {
  %p = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[7, 8]> : tensor<2xi32>
  check.expect_eq_const %c#1, dense<1> : tensor<i8>
  return
}

func.func @case_2_i32() {
  %p = stablehlo.constant dense<2> : tensor<i32>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1, -2]> : tensor<2xi32>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_3_i32() {
  %p = stablehlo.constant dense<3> : tensor<i32>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1, -2]> : tensor<2xi32>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_m1_i32() {
  %p = stablehlo.constant dense<-1> : tensor<i32>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1, -2]> : tensor<2xi32>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_m2147483648_i32() {
  %p = stablehlo.constant dense<-2147483648> : tensor<i32>
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xi32>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xi32>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1, -2]> : tensor<2xi32>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_0_f8E5M2FNUZ() {
  %p = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xf8E5M2FNUZ>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %c#1, dense<0> : tensor<i8>
  return
}

func.func @case_1_f8E5M2FNUZ() {
  %p = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xf8E5M2FNUZ>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %c#1, dense<1> : tensor<i8>
  return
}

func.func @case_2_f8E5M2FNUZ() {
  %p = stablehlo.constant dense<2> : tensor<i32>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xf8E5M2FNUZ>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_3_f8E5M2FNUZ() {
  %p = stablehlo.constant dense<3> : tensor<i32>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xf8E5M2FNUZ>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_m1_f8E5M2FNUZ() {
  %p = stablehlo.constant dense<-1> : tensor<i32>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xf8E5M2FNUZ>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_m2147483648_f8E5M2FNUZ() {
  %p = stablehlo.constant dense<-2147483648> : tensor<i32>
  %a = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  %b = stablehlo.constant dense<[0x80, 57344.0]> : tensor<2xf8E5M2FNUZ>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xf8E5M2FNUZ>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xf8E5M2FNUZ>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[1.5, -2.0]> : tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_0_complex_f32() {
  %p = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xcomplex<f32>>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %c#1, dense<0> : tensor<i8>
  return
}

func.func @case_1_complex_f32() {
  %p = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xcomplex<f32>>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %c#1, dense<1> : tensor<i8>
  return
}

func.func @case_2_complex_f32() {
  %p = stablehlo.constant dense<2> : tensor<i32>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xcomplex<f32>>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_3_complex_f32() {
  %p = stablehlo.constant dense<3> : tensor<i32>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xcomplex<f32>>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_m1_complex_f32() {
  %p = stablehlo.constant dense<-1> : tensor<i32>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xcomplex<f32>>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}

func.func @case_m2147483648_complex_f32() {
  %p = stablehlo.constant dense<-2147483648> : tensor<i32>
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 0.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %c:2 = "stablehlo.case"(%p) ({
    %k = stablehlo.constant dense<0> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<1> : tensor<i8>
    stablehlo.return %b, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }, {
    %k = stablehlo.constant dense<2> : tensor<i8>
    stablehlo.return %a, %k : tensor<2xcomplex<f32>>, tensor<i8>
  }) : (tensor<i32>) -> (tensor<2xcomplex<f32>>, tensor<i8>)
  check.expect_eq_const %c#0, dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %c#1, dense<2> : tensor<i8>
  return
}
