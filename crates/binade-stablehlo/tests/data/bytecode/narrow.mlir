module @narrow {
  func.func public @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.constant dense<[0x7F, 0xFF]> : tensor<2xf8E5M2>
    %1 = stablehlo.constant dense<[0x79, 0xFF]> : tensor<2xf8E4M3>
    %2 = stablehlo.constant dense<[1.5, 0xFF]> : tensor<2xf8E4M3FN>
    %3 = stablehlo.constant dense<[-2.0, 0x80]> : tensor<2xf8E5M2FNUZ>
    %4 = stablehlo.constant dense<[-2.0, 0x80]> : tensor<2xf8E4M3FNUZ>
    %5 = stablehlo.constant dense<[-2.0, 0x80]> : tensor<2xf8E4M3B11FNUZ>
    %6 = stablehlo.constant dense<[-2.0, 0xF1]> : tensor<2xf8E3M4>
    %7 = stablehlo.constant dense<[-2.0, 0x7]> : tensor<2xf4E2M1FN>
    %8 = stablehlo.constant dense<[-2.0, 0x1F]> : tensor<2xf6E2M3FN>
    %9 = stablehlo.constant dense<[-2.0, 0x1F]> : tensor<2xf6E3M2FN>
    %10 = stablehlo.constant dense<[2.0, 0xFF]> : tensor<2xf8E8M0FNU>
    %11 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    return %11 : tensor<2x2xf32>
  }
}
