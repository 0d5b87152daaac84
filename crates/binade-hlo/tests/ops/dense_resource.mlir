// Constants in the section of resources at the end of a file: 4 bytes of alignment, then elements, little end first.

module @resources {
  func.func @elements() {
    %0 = stablehlo.constant dense_resource<integers> : tensor<2x2xi16>
    check.expect_eq_const %0, dense<[[1, 2], [3, -1]]> : tensor<2x2xi16>
    %1 = "stablehlo.constant"() <{value = dense_resource<"of floats"> : tensor<2xf32>}> : () -> tensor<2xf32>
    check.expect_eq_const %1, dense<[1.0, -2.0]> : tensor<2xf32>
    %2 = stablehlo.constant dense_resource<codes> : tensor<3xf8E4M3FN>
    check.expect_eq_const %2, dense<[1.0, 2.0, -1.0]> : tensor<3xf8E4M3FN>
    %3 = stablehlo.constant dense_resource<truth> : tensor<3xi1>
    check.expect_eq_const %3, dense<[true, false, true]> : tensor<3xi1>
    %4 = stablehlo.constant dense_resource<nothing> : tensor<0xf64>
    check.expect_eq_const %4, dense<> : tensor<0xf64>
    return
  }
}

{-#
  dialect_resources: {
    builtin: {
      integers: "0x02000000010002000300FFFF",
      "of floats": "0x040000000000803F000000C0",
      codes: "0x010000003840B8"
    },
    other: {
      truth: "0x01000000010001",
      nothing: "0x08000000"
    }
  },
  external_resources: {
    mlir_reproducer: {
      verify_each: true
    }
  }
#-}
