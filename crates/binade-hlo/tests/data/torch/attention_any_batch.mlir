module @jit_func attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<48x16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<24x16xf32>, %arg7: tensor<24xf32>, %arg8: tensor<24x16xf32>, %arg9: tensor<24xf32>, %arg10: tensor<16x24xf32>, %arg11: tensor<16xf32>, %arg12: tensor<?x7x16xf32>) -> (tensor<?x7x16xf32> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg12, dim = 0 : (tensor<?x7x16xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's77'. Using the following polymorphic shapes specifications: args[1][0][0].shape = (s77, 7, 16). Obtained dimension variables: 's77' = {0} from specification 's77' for dimension args[1][0][0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint s77 >= 0. Expected 's77' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[1][0][0].shape = (s77, 7, 16). Obtained dimension variables: 's77' = {0} from specification 's77' for dimension args[1][0][0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) : (tensor<i32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<48x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<24x16xf32>, tensor<24xf32>, tensor<24x16xf32>, tensor<24xf32>, tensor<16x24xf32>, tensor<16xf32>, tensor<?x7x16xf32>) -> tensor<?x7x16xf32>
    return %3 : tensor<?x7x16xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "s77"}, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<48x16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<24x16xf32>, %arg8: tensor<24xf32>, %arg9: tensor<24x16xf32>, %arg10: tensor<24xf32>, %arg11: tensor<16x24xf32>, %arg12: tensor<16xf32>, %arg13: tensor<?x7x16xf32>) -> (tensor<?x7x16xf32> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<24> : tensor<1xi32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %cst_4 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_8 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_9 = stablehlo.constant dense<4> : tensor<i32>
    %c_10 = stablehlo.constant dense<48> : tensor<1xi32>
    %cst_11 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %c_13 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_14 = stablehlo.constant dense<1> : tensor<i32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_16 = stablehlo.constant dense<16> : tensor<1xi32>
    %c_17 = stablehlo.constant dense<7> : tensor<1xi32>
    %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c_19 = stablehlo.constant dense<7> : tensor<i32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst_18, %1, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %3 = stablehlo.power %arg13, %2 : tensor<?x7x16xf32>
    %4 = stablehlo.reduce(%3 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<?x7x16xf32>, tensor<f32>) -> tensor<?x7xf32>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %5, %c_17, %c_13, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %4, %6, dims = [0, 1] : (tensor<?x7xf32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %8, %c_17, %c_13, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %cst_12, %9, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %11 = stablehlo.divide %7, %10 : tensor<?x7x1xf32>
    %12 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.concatenate %12, %c_17, %c_13, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %14 = stablehlo.dynamic_broadcast_in_dim %cst_11, %13, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %15 = stablehlo.add %11, %14 : tensor<?x7x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<?x7x1xf32>
    %17 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %17, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %16, %18, dims = [0, 1, 2] : (tensor<?x7x1xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %20 = stablehlo.multiply %arg13, %19 : tensor<?x7x16xf32>
    %21 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %22, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %21, %23, dims = [0, 1, 2] : (tensor<1x1x16xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %25 = stablehlo.multiply %20, %24 : tensor<?x7x16xf32>
    %26 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %27 = stablehlo.convert %arg0 : tensor<i32>
    %28 = stablehlo.multiply %27, %c_19 : tensor<i32>
    %29 = stablehlo.reshape %28 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.concatenate %29, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %31 = stablehlo.dynamic_reshape %25, %30 : (tensor<?x7x16xf32>, tensor<2xi32>) -> tensor<?x16xf32>
    %32 = stablehlo.dot_general %31, %26, contracting_dims = [1] x [0] : (tensor<?x16xf32>, tensor<16x48xf32>) -> tensor<?x48xf32>
    %33 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %34 = stablehlo.concatenate %33, %c_17, %c_10, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %35 = stablehlo.dynamic_reshape %32, %34 : (tensor<?x48xf32>, tensor<3xi32>) -> tensor<?x7x48xf32>
    %36 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %37 = stablehlo.concatenate %36, %c_17, %c_8, %c_7, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %38 = stablehlo.dynamic_reshape %35, %37 : (tensor<?x7x48xf32>, tensor<5xi32>) -> tensor<?x7x3x4x4xf32>
    %39 = stablehlo.transpose %38, dims = [2, 0, 3, 1, 4] : (tensor<?x7x3x4x4xf32>) -> tensor<3x?x4x7x4xf32>
    %40 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %42 = stablehlo.concatenate %c_13, %41, %c_7, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %43 = "stablehlo.dynamic_gather"(%39, %40, %42) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3, 4], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<3x?x4x7x4xf32>, tensor<1xi32>, tensor<5xi32>) -> tensor<1x?x4x7x4xf32>
    %44 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %45 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %46 = stablehlo.concatenate %c_13, %45, %c_7, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %47 = "stablehlo.dynamic_gather"(%39, %44, %46) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3, 4], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<3x?x4x7x4xf32>, tensor<1xi32>, tensor<5xi32>) -> tensor<1x?x4x7x4xf32>
    %48 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %49 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %50 = stablehlo.concatenate %c_13, %49, %c_7, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %51 = "stablehlo.dynamic_gather"(%39, %48, %50) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3, 4], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<3x?x4x7x4xf32>, tensor<1xi32>, tensor<5xi32>) -> tensor<1x?x4x7x4xf32>
    %52 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %53 = stablehlo.concatenate %52, %c_7, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %54 = stablehlo.dynamic_reshape %43, %53 : (tensor<1x?x4x7x4xf32>, tensor<4xi32>) -> tensor<?x4x7x4xf32>
    %55 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %56 = stablehlo.concatenate %55, %c_7, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %57 = stablehlo.dynamic_reshape %47, %56 : (tensor<1x?x4x7x4xf32>, tensor<4xi32>) -> tensor<?x4x7x4xf32>
    %58 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %59 = stablehlo.concatenate %58, %c_7, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %60 = stablehlo.dynamic_reshape %51, %59 : (tensor<1x?x4x7x4xf32>, tensor<4xi32>) -> tensor<?x4x7x4xf32>
    %61 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %62 = stablehlo.concatenate %61, %c_7, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %63 = stablehlo.dynamic_broadcast_in_dim %cst_4, %62, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x4x7x4xf32>
    %64 = stablehlo.multiply %54, %63 : tensor<?x4x7x4xf32>
    %65 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i1>) -> tensor<7x7xi1>
    %66 = stablehlo.iota dim = 0 : tensor<7xi32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [1] : (tensor<7xi32>) -> tensor<1x7xi32>
    %68 = stablehlo.iota dim = 0 : tensor<7xi32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %70 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %71 = stablehlo.multiply %69, %70 : tensor<7x1xi32>
    %72 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<1x7xi32>) -> tensor<7x7xi32>
    %73 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<7x1xi32>) -> tensor<7x7xi32>
    %74 = stablehlo.subtract %72, %73 : tensor<7x7xi32>
    %75 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<7x7xi32>
    %76 = stablehlo.compare LE, %74, %75, SIGNED : (tensor<7x7xi32>, tensor<7x7xi32>) -> tensor<7x7xi1>
    %77 = stablehlo.and %76, %65 : tensor<7x7xi1>
    %78 = call @_where(%arg0, %77, %cst_15, %cst_2) : (tensor<i32>, tensor<7x7xi1>, tensor<f32>, tensor<f32>) -> tensor<7x7xf32>
    %79 = stablehlo.transpose %57, dims = [0, 1, 3, 2] : (tensor<?x4x7x4xf32>) -> tensor<?x4x4x7xf32>
    %80 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %81 = stablehlo.concatenate %80, %c_7, %c_7, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %82 = stablehlo.dynamic_broadcast_in_dim %cst_4, %81, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x4x4x7xf32>
    %83 = stablehlo.multiply %79, %82 : tensor<?x4x4x7xf32>
    %84 = stablehlo.convert %arg0 : tensor<i32>
    %85 = stablehlo.multiply %84, %c_9 : tensor<i32>
    %86 = stablehlo.reshape %85 : (tensor<i32>) -> tensor<1xi32>
    %87 = stablehlo.concatenate %86, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %88 = stablehlo.dynamic_reshape %64, %87 : (tensor<?x4x7x4xf32>, tensor<3xi32>) -> tensor<?x7x4xf32>
    %89 = stablehlo.convert %arg0 : tensor<i32>
    %90 = stablehlo.multiply %89, %c_9 : tensor<i32>
    %91 = stablehlo.reshape %90 : (tensor<i32>) -> tensor<1xi32>
    %92 = stablehlo.concatenate %91, %c_7, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %93 = stablehlo.dynamic_reshape %83, %92 : (tensor<?x4x4x7xf32>, tensor<3xi32>) -> tensor<?x4x7xf32>
    %94 = stablehlo.dot_general %88, %93, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x7x4xf32>, tensor<?x4x7xf32>) -> tensor<?x7x7xf32>
    %95 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %96 = stablehlo.concatenate %95, %c_7, %c_17, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %97 = stablehlo.dynamic_reshape %94, %96 : (tensor<?x7x7xf32>, tensor<4xi32>) -> tensor<?x4x7x7xf32>
    %98 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %99 = stablehlo.multiply %78, %98 : tensor<7x7xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [2, 3] : (tensor<7x7xf32>) -> tensor<1x1x7x7xf32>
    %101 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %102 = stablehlo.concatenate %101, %c_7, %c_17, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %103 = stablehlo.dynamic_broadcast_in_dim %100, %102, dims = [0, 1, 2, 3] : (tensor<1x1x7x7xf32>, tensor<4xi32>) -> tensor<?x4x7x7xf32>
    %104 = stablehlo.add %97, %103 : tensor<?x4x7x7xf32>
    %105 = stablehlo.reduce(%104 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<?x4x7x7xf32>, tensor<f32>) -> tensor<?x4x7xf32>
    %106 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %107 = stablehlo.concatenate %106, %c_7, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %108 = stablehlo.dynamic_broadcast_in_dim %cst_2, %107, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x4x7xf32>
    %109 = stablehlo.maximum %108, %105 : tensor<?x4x7xf32>
    %110 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %111 = stablehlo.concatenate %110, %c_7, %c_17, %c_13, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %112 = stablehlo.dynamic_broadcast_in_dim %109, %111, dims = [0, 1, 2] : (tensor<?x4x7xf32>, tensor<4xi32>) -> tensor<?x4x7x1xf32>
    %113 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %114 = stablehlo.concatenate %113, %c_7, %c_17, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %115 = stablehlo.dynamic_broadcast_in_dim %112, %114, dims = [0, 1, 2, 3] : (tensor<?x4x7x1xf32>, tensor<4xi32>) -> tensor<?x4x7x7xf32>
    %116 = stablehlo.subtract %104, %115 : tensor<?x4x7x7xf32>
    %117 = stablehlo.exponential %116 : tensor<?x4x7x7xf32>
    %118 = stablehlo.reduce(%117 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<?x4x7x7xf32>, tensor<f32>) -> tensor<?x4x7xf32>
    %119 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %120 = stablehlo.concatenate %119, %c_7, %c_17, %c_13, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %121 = stablehlo.dynamic_broadcast_in_dim %118, %120, dims = [0, 1, 2] : (tensor<?x4x7xf32>, tensor<4xi32>) -> tensor<?x4x7x1xf32>
    %122 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %123 = stablehlo.concatenate %122, %c_7, %c_17, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %124 = stablehlo.dynamic_broadcast_in_dim %121, %123, dims = [0, 1, 2, 3] : (tensor<?x4x7x1xf32>, tensor<4xi32>) -> tensor<?x4x7x7xf32>
    %125 = stablehlo.divide %117, %124 : tensor<?x4x7x7xf32>
    %126 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %127 = stablehlo.concatenate %126, %c_7, %c_17, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %128 = stablehlo.dynamic_broadcast_in_dim %cst_2, %127, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x4x7x7xf32>
    %129 = stablehlo.compare EQ, %104, %128, FLOAT : (tensor<?x4x7x7xf32>, tensor<?x4x7x7xf32>) -> tensor<?x4x7x7xi1>
    %130 = stablehlo.not %129 : tensor<?x4x7x7xi1>
    %131 = stablehlo.reduce(%130 init: %c_0) applies stablehlo.or across dimensions = [3] : (tensor<?x4x7x7xi1>, tensor<i1>) -> tensor<?x4x7xi1>
    %132 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %133 = stablehlo.concatenate %132, %c_7, %c_17, %c_13, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %134 = stablehlo.dynamic_broadcast_in_dim %131, %133, dims = [0, 1, 2] : (tensor<?x4x7xi1>, tensor<4xi32>) -> tensor<?x4x7x1xi1>
    %135 = stablehlo.not %134 : tensor<?x4x7x1xi1>
    %136 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %137 = stablehlo.concatenate %136, %c_7, %c_17, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %138 = stablehlo.dynamic_broadcast_in_dim %cst_15, %137, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x4x7x7xf32>
    %139 = call @_where_0(%arg0, %135, %138, %125) : (tensor<i32>, tensor<?x4x7x1xi1>, tensor<?x4x7x7xf32>, tensor<?x4x7x7xf32>) -> tensor<?x4x7x7xf32>
    %140 = stablehlo.convert %arg0 : tensor<i32>
    %141 = stablehlo.multiply %140, %c_9 : tensor<i32>
    %142 = stablehlo.reshape %141 : (tensor<i32>) -> tensor<1xi32>
    %143 = stablehlo.concatenate %142, %c_17, %c_17, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %144 = stablehlo.dynamic_reshape %139, %143 : (tensor<?x4x7x7xf32>, tensor<3xi32>) -> tensor<?x7x7xf32>
    %145 = stablehlo.convert %arg0 : tensor<i32>
    %146 = stablehlo.multiply %145, %c_9 : tensor<i32>
    %147 = stablehlo.reshape %146 : (tensor<i32>) -> tensor<1xi32>
    %148 = stablehlo.concatenate %147, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %149 = stablehlo.dynamic_reshape %60, %148 : (tensor<?x4x7x4xf32>, tensor<3xi32>) -> tensor<?x7x4xf32>
    %150 = stablehlo.dot_general %144, %149, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x7x7xf32>, tensor<?x7x4xf32>) -> tensor<?x7x4xf32>
    %151 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %152 = stablehlo.concatenate %151, %c_7, %c_17, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %153 = stablehlo.dynamic_reshape %150, %152 : (tensor<?x7x4xf32>, tensor<4xi32>) -> tensor<?x4x7x4xf32>
    %154 = stablehlo.transpose %153, dims = [2, 0, 1, 3] : (tensor<?x4x7x4xf32>) -> tensor<7x?x4x4xf32>
    %155 = stablehlo.transpose %154, dims = [1, 2, 0, 3] : (tensor<7x?x4x4xf32>) -> tensor<?x4x7x4xf32>
    %156 = stablehlo.transpose %155, dims = [0, 2, 1, 3] : (tensor<?x4x7x4xf32>) -> tensor<?x7x4x4xf32>
    %157 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %158 = stablehlo.concatenate %157, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %159 = stablehlo.dynamic_reshape %156, %158 : (tensor<?x7x4x4xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %160 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %161 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %162 = stablehlo.concatenate %161, %c_16, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %163 = stablehlo.dynamic_broadcast_in_dim %160, %162, dims = [1, 2] : (tensor<16x16xf32>, tensor<3xi32>) -> tensor<?x16x16xf32>
    %164 = stablehlo.dot_general %159, %163, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x7x16xf32>, tensor<?x16x16xf32>) -> tensor<?x7x16xf32>
    %165 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %166 = stablehlo.multiply %arg6, %165 : tensor<16xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %168 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %169 = stablehlo.concatenate %168, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %170 = stablehlo.dynamic_broadcast_in_dim %167, %169, dims = [0, 1, 2] : (tensor<1x1x16xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %171 = stablehlo.add %164, %170 : tensor<?x7x16xf32>
    %172 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %173 = stablehlo.concatenate %172, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %174 = stablehlo.dynamic_broadcast_in_dim %cst_1, %173, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %175 = stablehlo.multiply %171, %174 : tensor<?x7x16xf32>
    %176 = stablehlo.add %arg13, %175 : tensor<?x7x16xf32>
    %177 = stablehlo.reduce(%176 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<?x7x16xf32>, tensor<f32>) -> tensor<?x7xf32>
    %178 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %179 = stablehlo.concatenate %178, %c_17, %c_13, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %180 = stablehlo.dynamic_broadcast_in_dim %177, %179, dims = [0, 1] : (tensor<?x7xf32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %181 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %182 = stablehlo.concatenate %181, %c_17, %c_13, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %183 = stablehlo.dynamic_broadcast_in_dim %cst_12, %182, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %184 = stablehlo.divide %180, %183 : tensor<?x7x1xf32>
    %185 = call @_var(%arg0, %176, %c_6) : (tensor<i32>, tensor<?x7x16xf32>, tensor<i32>) -> tensor<?x7x1xf32>
    %186 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %187 = stablehlo.concatenate %186, %c_17, %c_13, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %188 = stablehlo.dynamic_broadcast_in_dim %cst, %187, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %189 = stablehlo.add %185, %188 : tensor<?x7x1xf32>
    %190 = stablehlo.rsqrt %189 : tensor<?x7x1xf32>
    %191 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %192 = stablehlo.concatenate %191, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %193 = stablehlo.dynamic_broadcast_in_dim %184, %192, dims = [0, 1, 2] : (tensor<?x7x1xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %194 = stablehlo.subtract %176, %193 : tensor<?x7x16xf32>
    %195 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %196 = stablehlo.concatenate %195, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %197 = stablehlo.dynamic_broadcast_in_dim %190, %196, dims = [0, 1, 2] : (tensor<?x7x1xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %198 = stablehlo.multiply %194, %197 : tensor<?x7x16xf32>
    %199 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %200 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %201 = stablehlo.concatenate %200, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %202 = stablehlo.dynamic_broadcast_in_dim %199, %201, dims = [0, 1, 2] : (tensor<1x1x16xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %203 = stablehlo.multiply %198, %202 : tensor<?x7x16xf32>
    %204 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %205 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %206 = stablehlo.concatenate %205, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %207 = stablehlo.dynamic_broadcast_in_dim %204, %206, dims = [0, 1, 2] : (tensor<1x1x16xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %208 = stablehlo.add %203, %207 : tensor<?x7x16xf32>
    %209 = stablehlo.convert %arg0 : tensor<i32>
    %210 = stablehlo.multiply %209, %c_19 : tensor<i32>
    %211 = stablehlo.reshape %210 : (tensor<i32>) -> tensor<1xi32>
    %212 = stablehlo.concatenate %211, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %213 = stablehlo.dynamic_reshape %208, %212 : (tensor<?x7x16xf32>, tensor<2xi32>) -> tensor<?x16xf32>
    %214 = stablehlo.transpose %arg7, dims = [1, 0] : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %215 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %216 = stablehlo.multiply %arg8, %215 : tensor<24xf32>
    %217 = stablehlo.dot_general %213, %214, contracting_dims = [1] x [0] : (tensor<?x16xf32>, tensor<16x24xf32>) -> tensor<?x24xf32>
    %218 = stablehlo.convert %arg0 : tensor<i32>
    %219 = stablehlo.multiply %218, %c_19 : tensor<i32>
    %220 = stablehlo.reshape %219 : (tensor<i32>) -> tensor<1xi32>
    %221 = stablehlo.concatenate %220, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %222 = stablehlo.dynamic_broadcast_in_dim %cst_1, %221, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x24xf32>
    %223 = stablehlo.multiply %222, %217 : tensor<?x24xf32>
    %224 = stablehlo.broadcast_in_dim %216, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %225 = stablehlo.convert %arg0 : tensor<i32>
    %226 = stablehlo.multiply %225, %c_19 : tensor<i32>
    %227 = stablehlo.reshape %226 : (tensor<i32>) -> tensor<1xi32>
    %228 = stablehlo.concatenate %227, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %229 = stablehlo.dynamic_broadcast_in_dim %224, %228, dims = [0, 1] : (tensor<1x24xf32>, tensor<2xi32>) -> tensor<?x24xf32>
    %230 = stablehlo.add %229, %223 : tensor<?x24xf32>
    %231 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %232 = stablehlo.concatenate %231, %c_17, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %233 = stablehlo.dynamic_reshape %230, %232 : (tensor<?x24xf32>, tensor<3xi32>) -> tensor<?x7x24xf32>
    %234 = stablehlo.negate %233 : tensor<?x7x24xf32>
    %235 = stablehlo.exponential %234 : tensor<?x7x24xf32>
    %236 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %237 = stablehlo.concatenate %236, %c_17, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %238 = stablehlo.dynamic_broadcast_in_dim %cst_1, %237, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x24xf32>
    %239 = stablehlo.add %238, %235 : tensor<?x7x24xf32>
    %240 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %241 = stablehlo.concatenate %240, %c_17, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %242 = stablehlo.dynamic_broadcast_in_dim %cst_1, %241, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x24xf32>
    %243 = stablehlo.divide %242, %239 : tensor<?x7x24xf32>
    %244 = stablehlo.multiply %233, %243 : tensor<?x7x24xf32>
    %245 = stablehlo.convert %arg0 : tensor<i32>
    %246 = stablehlo.multiply %245, %c_19 : tensor<i32>
    %247 = stablehlo.reshape %246 : (tensor<i32>) -> tensor<1xi32>
    %248 = stablehlo.concatenate %247, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %249 = stablehlo.dynamic_reshape %208, %248 : (tensor<?x7x16xf32>, tensor<2xi32>) -> tensor<?x16xf32>
    %250 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %251 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %252 = stablehlo.multiply %arg10, %251 : tensor<24xf32>
    %253 = stablehlo.dot_general %249, %250, contracting_dims = [1] x [0] : (tensor<?x16xf32>, tensor<16x24xf32>) -> tensor<?x24xf32>
    %254 = stablehlo.convert %arg0 : tensor<i32>
    %255 = stablehlo.multiply %254, %c_19 : tensor<i32>
    %256 = stablehlo.reshape %255 : (tensor<i32>) -> tensor<1xi32>
    %257 = stablehlo.concatenate %256, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %258 = stablehlo.dynamic_broadcast_in_dim %cst_1, %257, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x24xf32>
    %259 = stablehlo.multiply %258, %253 : tensor<?x24xf32>
    %260 = stablehlo.broadcast_in_dim %252, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %261 = stablehlo.convert %arg0 : tensor<i32>
    %262 = stablehlo.multiply %261, %c_19 : tensor<i32>
    %263 = stablehlo.reshape %262 : (tensor<i32>) -> tensor<1xi32>
    %264 = stablehlo.concatenate %263, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %265 = stablehlo.dynamic_broadcast_in_dim %260, %264, dims = [0, 1] : (tensor<1x24xf32>, tensor<2xi32>) -> tensor<?x24xf32>
    %266 = stablehlo.add %265, %259 : tensor<?x24xf32>
    %267 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %268 = stablehlo.concatenate %267, %c_17, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %269 = stablehlo.dynamic_reshape %266, %268 : (tensor<?x24xf32>, tensor<3xi32>) -> tensor<?x7x24xf32>
    %270 = stablehlo.multiply %244, %269 : tensor<?x7x24xf32>
    %271 = stablehlo.convert %arg0 : tensor<i32>
    %272 = stablehlo.multiply %271, %c_19 : tensor<i32>
    %273 = stablehlo.reshape %272 : (tensor<i32>) -> tensor<1xi32>
    %274 = stablehlo.concatenate %273, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %275 = stablehlo.dynamic_reshape %270, %274 : (tensor<?x7x24xf32>, tensor<2xi32>) -> tensor<?x24xf32>
    %276 = stablehlo.transpose %arg11, dims = [1, 0] : (tensor<16x24xf32>) -> tensor<24x16xf32>
    %277 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %278 = stablehlo.multiply %arg12, %277 : tensor<16xf32>
    %279 = stablehlo.dot_general %275, %276, contracting_dims = [1] x [0] : (tensor<?x24xf32>, tensor<24x16xf32>) -> tensor<?x16xf32>
    %280 = stablehlo.convert %arg0 : tensor<i32>
    %281 = stablehlo.multiply %280, %c_19 : tensor<i32>
    %282 = stablehlo.reshape %281 : (tensor<i32>) -> tensor<1xi32>
    %283 = stablehlo.concatenate %282, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %284 = stablehlo.dynamic_broadcast_in_dim %cst_1, %283, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x16xf32>
    %285 = stablehlo.multiply %284, %279 : tensor<?x16xf32>
    %286 = stablehlo.broadcast_in_dim %278, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %287 = stablehlo.convert %arg0 : tensor<i32>
    %288 = stablehlo.multiply %287, %c_19 : tensor<i32>
    %289 = stablehlo.reshape %288 : (tensor<i32>) -> tensor<1xi32>
    %290 = stablehlo.concatenate %289, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %291 = stablehlo.dynamic_broadcast_in_dim %286, %290, dims = [0, 1] : (tensor<1x16xf32>, tensor<2xi32>) -> tensor<?x16xf32>
    %292 = stablehlo.add %291, %285 : tensor<?x16xf32>
    %293 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %294 = stablehlo.concatenate %293, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %295 = stablehlo.dynamic_reshape %292, %294 : (tensor<?x16xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %296 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %297 = stablehlo.concatenate %296, %c_17, %c_16, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %298 = stablehlo.dynamic_broadcast_in_dim %cst_1, %297, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %299 = stablehlo.multiply %295, %298 : tensor<?x7x16xf32>
    %300 = stablehlo.add %176, %299 : tensor<?x7x16xf32>
    return %300 : tensor<?x7x16xf32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "s77"}, %arg1: tensor<7x7xi1>, %arg2: tensor<f32>, %arg3: tensor<f32>) -> tensor<7x7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %2 = stablehlo.select %arg1, %0, %1 : tensor<7x7xi1>, tensor<7x7xf32>
    return %2 : tensor<7x7xf32>
  }
  func.func private @_where_0(%arg0: tensor<i32> {jax.global_constant = "s77"}, %arg1: tensor<?x4x7x1xi1>, %arg2: tensor<?x4x7x7xf32>, %arg3: tensor<?x4x7x7xf32>) -> tensor<?x4x7x7xf32> {
    %c = stablehlo.constant dense<7> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<4> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_0, %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %arg1, %1, dims = [0, 1, 2, 3] : (tensor<?x4x7x1xi1>, tensor<4xi32>) -> tensor<?x4x7x7xi1>
    %3 = stablehlo.select %2, %arg2, %arg3 : tensor<?x4x7x7xi1>, tensor<?x4x7x7xf32>
    return %3 : tensor<?x4x7x7xf32>
  }
  func.func private @_var(%arg0: tensor<i32> {jax.global_constant = "s77"}, %arg1: tensor<?x7x16xf32>, %arg2: tensor<i32>) -> tensor<?x7x1xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<16> : tensor<1xi32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<7> : tensor<1xi32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg1 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<?x7x16xf32>, tensor<f32>) -> tensor<?x7xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %0, %2, dims = [0, 1] : (tensor<?x7xf32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %cst_0, %5, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %7 = stablehlo.divide %3, %6 : tensor<?x7x1xf32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %8, %c_2, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %7, %9, dims = [0, 1, 2] : (tensor<?x7x1xf32>, tensor<3xi32>) -> tensor<?x7x16xf32>
    %11 = stablehlo.subtract %arg1, %10 : tensor<?x7x16xf32>
    %12 = stablehlo.multiply %11, %11 : tensor<?x7x16xf32>
    %13 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %14 = stablehlo.subtract %cst_0, %13 : tensor<f32>
    %15 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<?x7x16xf32>, tensor<f32>) -> tensor<?x7xf32>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.concatenate %16, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %18 = stablehlo.dynamic_broadcast_in_dim %15, %17, dims = [0, 1] : (tensor<?x7xf32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.concatenate %19, %c_2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %21 = stablehlo.dynamic_broadcast_in_dim %14, %20, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %22 = stablehlo.divide %18, %21 : tensor<?x7x1xf32>
    %23 = stablehlo.compare GT, %14, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %24 = call @_where_1(%arg0, %23, %22, %cst) : (tensor<i32>, tensor<i1>, tensor<?x7x1xf32>, tensor<f32>) -> tensor<?x7x1xf32>
    return %24 : tensor<?x7x1xf32>
  }
  func.func private @_where_1(%arg0: tensor<i32> {jax.global_constant = "s77"}, %arg1: tensor<i1>, %arg2: tensor<?x7x1xf32>, %arg3: tensor<f32>) -> tensor<?x7x1xf32> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<7> : tensor<1xi32>
    %0 = stablehlo.convert %arg3 : tensor<f32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c_0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %0, %2, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x7x1xf32>
    %4 = stablehlo.select %arg1, %arg2, %3 : tensor<i1>, tensor<?x7x1xf32>
    return %4 : tensor<?x7x1xf32>
  }
}
