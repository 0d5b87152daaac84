// return: what the specification says of it, over element types and edges.

// The end of a region gives as many values as the operation has, in order.
func.func @return_of_three() {
  %p = stablehlo.constant dense<true> : tensor<i1>
  %0:3 = "stablehlo.if"(%p) ({
    %a = stablehlo.constant dense<1> : tensor<i8>
    %b = stablehlo.constant dense<2.5> : tensor<f8E4M3FNUZ>
    "stablehlo.return"(%a, %b, %p) : (tensor<i8>, tensor<f8E4M3FNUZ>, tensor<i1>) -> ()
  }, {
    %a = stablehlo.constant dense<2> : tensor<i8>
    %b = stablehlo.constant dense<3.5> : tensor<f8E4M3FNUZ>
    stablehlo.return %a, %b, %p : tensor<i8>, tensor<f8E4M3FNUZ>, tensor<i1>
  }) : (tensor<i1>) -> (tensor<i8>, tensor<f8E4M3FNUZ>, tensor<i1>)
  check.expect_eq_const %0#0, dense<1> : tensor<i8>
  check.expect_eq_const %0#1, dense<2.5> : tensor<f8E4M3FNUZ>
  check.expect_eq_const %0#2, dense<true> : tensor<i1>
  return
}

func.func @return_of_nothing() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}
