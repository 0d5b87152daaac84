module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x3x3x3xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8x2x3x3xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8xf32>, %arg6: tensor<5x32xf32>, %arg7: tensor<5xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8xf32>, %arg10: tensor<8xf32>, %arg11: tensor<8xf32>, %arg12: tensor<3x3x16x16xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8x3x3x3xf32> {jax.result_info = "result[1][0]"}, tensor<8xf32> {jax.result_info = "result[1][1]"}, tensor<8xf32> {jax.result_info = "result[1][2]"}, tensor<8x2x3x3xf32> {jax.result_info = "result[1][3]"}, tensor<8xf32> {jax.result_info = "result[1][4]"}, tensor<8xf32> {jax.result_info = "result[1][5]"}, tensor<5x32xf32> {jax.result_info = "result[1][6]"}, tensor<5xf32> {jax.result_info = "result[1][7]"}) {
    %0 = stablehlo.convolution(%arg12, %arg0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<3x8x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<ui8>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui8>) -> tensor<0xui8>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_0 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<1x8x1x1xf32>
    %6 = stablehlo.reshape %5 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7:5 = call @_var(%0, %c_1) : (tensor<3x8x8x8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<3x8x8x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>)
    %8 = stablehlo.reshape %7#0 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %10 = stablehlo.add %8, %9 : tensor<1x8x1x1xf32>
    %11 = stablehlo.rsqrt %10 : tensor<1x8x1x1xf32>
    %12 = stablehlo.divide %11, %10 : tensor<1x8x1x1xf32>
    %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<1x8x1x1xf32>
    %cst_4 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %16 = stablehlo.multiply %15, %arg8 : tensor<8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %18 = stablehlo.multiply %17, %6 : tensor<8xf32>
    %19 = stablehlo.add %16, %18 : tensor<8xf32>
    %cst_6 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %21 = stablehlo.multiply %20, %arg9 : tensor<8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %23 = stablehlo.multiply %22, %7#0 : tensor<8xf32>
    %24 = stablehlo.add %21, %23 : tensor<8xf32>
    %25 = stablehlo.reshape %11 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %26 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x8x8xf32>
    %27 = stablehlo.subtract %0, %26 : tensor<3x8x8x8xf32>
    %28 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x8x8xf32>
    %29 = stablehlo.multiply %27, %28 : tensor<3x8x8x8xf32>
    %30 = stablehlo.reshape %arg1 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x8x8xf32>
    %32 = stablehlo.multiply %29, %31 : tensor<3x8x8x8xf32>
    %33 = stablehlo.reshape %arg2 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x8x8xf32>
    %35 = stablehlo.add %32, %34 : tensor<3x8x8x8xf32>
    %36 = call @relu(%35) : (tensor<3x8x8x8xf32>) -> tensor<3x8x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x8x8x8xf32>
    %38 = stablehlo.compare GT, %35, %37, FLOAT : (tensor<3x8x8x8xf32>, tensor<3x8x8x8xf32>) -> tensor<3x8x8x8xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3x8x8x8xf32>
    %40 = stablehlo.iota dim = 0 : tensor<64xi32>
    %41 = stablehlo.reshape %40 : (tensor<64xi32>) -> tensor<8x8xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [2, 3] : (tensor<8x8xi32>) -> tensor<3x8x8x8xi32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<f32>
    %44 = "stablehlo.reduce_window"(%36, %43) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %190 = stablehlo.maximum %arg13, %arg14 : tensor<f32>
      stablehlo.return %190 : tensor<f32>
    }) : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<3x8x4x4xf32>
    %45 = stablehlo.convolution(%44, %arg3) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x4x4xf32>, tensor<8x2x3x3xf32>) -> tensor<3x8x4x4xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<ui8>
    %46 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui8>) -> tensor<0xui8>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%45 init: %cst_12) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<8xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_13 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %50 = stablehlo.divide %48, %49 : tensor<1x8x1x1xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %52:5 = call @_var_0(%45, %c_14) : (tensor<3x8x4x4xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<3x8x4x4xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>)
    %53 = stablehlo.reshape %52#0 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %55 = stablehlo.add %53, %54 : tensor<1x8x1x1xf32>
    %56 = stablehlo.rsqrt %55 : tensor<1x8x1x1xf32>
    %57 = stablehlo.divide %56, %55 : tensor<1x8x1x1xf32>
    %cst_16 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<1x8x1x1xf32>
    %cst_17 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %61 = stablehlo.multiply %60, %arg10 : tensor<8xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %63 = stablehlo.multiply %62, %51 : tensor<8xf32>
    %64 = stablehlo.add %61, %63 : tensor<8xf32>
    %cst_19 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %66 = stablehlo.multiply %65, %arg11 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %68 = stablehlo.multiply %67, %52#0 : tensor<8xf32>
    %69 = stablehlo.add %66, %68 : tensor<8xf32>
    %70 = stablehlo.reshape %56 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %71 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x4x4xf32>
    %72 = stablehlo.subtract %45, %71 : tensor<3x8x4x4xf32>
    %73 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x4x4xf32>
    %74 = stablehlo.multiply %72, %73 : tensor<3x8x4x4xf32>
    %75 = stablehlo.reshape %arg4 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x4x4xf32>
    %77 = stablehlo.multiply %74, %76 : tensor<3x8x4x4xf32>
    %78 = stablehlo.reshape %arg5 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x4x4xf32>
    %80 = stablehlo.add %77, %79 : tensor<3x8x4x4xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<3x8x4x4xf32>
    %82 = stablehlo.multiply %80, %81 : tensor<3x8x4x4xf32>
    %83 = stablehlo.add %44, %82 : tensor<3x8x4x4xf32>
    %84 = call @relu_1(%83) : (tensor<3x8x4x4xf32>) -> tensor<3x8x4x4xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<3x8x4x4xf32>
    %86 = stablehlo.compare GT, %83, %85, FLOAT : (tensor<3x8x4x4xf32>, tensor<3x8x4x4xf32>) -> tensor<3x8x4x4xi1>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<3x8x4x4xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<f32>
    %89 = "stablehlo.reduce_window"(%84, %88) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %190 = stablehlo.add %arg13, %arg14 : tensor<f32>
      stablehlo.return %190 : tensor<f32>
    }) : (tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<3x8x2x2xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<3x8x2x2xf32>
    %cst_26 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<3x8x2x2xf32>
    %92 = stablehlo.multiply %90, %91 : tensor<3x8x2x2xf32>
    %93 = stablehlo.divide %89, %92 : tensor<3x8x2x2xf32>
    %94 = stablehlo.reshape %93 : (tensor<3x8x2x2xf32>) -> tensor<3x32xf32>
    %95 = stablehlo.dot_general %94, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x32xf32>, tensor<5x32xf32>) -> tensor<3x5xf32>
    %96 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<3x5xf32>
    %98 = stablehlo.add %95, %97 : tensor<3x5xf32>
    %cst_27 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %100 = stablehlo.power %98, %99 : tensor<3x5xf32>
    %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %101 = stablehlo.subtract %cst_28, %cst_29 : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %103 = stablehlo.power %98, %102 : tensor<3x5xf32>
    %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<3x5xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%100 init: %cst_31) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_32 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
    %107 = stablehlo.divide %106, %cst_32 : tensor<f32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_34 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
    %108 = stablehlo.divide %cst_33, %cst_34 : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %110 = stablehlo.multiply %109, %105 : tensor<3x5xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%110 init: %cst_35) applies stablehlo.add across dimensions = [0] : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
    %112 = stablehlo.reshape %111 : (tensor<5xf32>) -> tensor<1x5xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_36) applies stablehlo.add across dimensions = [0] : (tensor<1x5xf32>, tensor<f32>) -> tensor<5xf32>
    %114 = stablehlo.dot_general %110, %94, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<3x32xf32>) -> tensor<5x32xf32>
    %115 = stablehlo.dot_general %110, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<5x32xf32>) -> tensor<3x32xf32>
    %116 = stablehlo.reshape %115 : (tensor<3x32xf32>) -> tensor<3x8x2x2xf32>
    %117 = stablehlo.divide %116, %92 : tensor<3x8x2x2xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.pad %117, %cst_37, low = [0, 0, 1, 1], high = [0, 0, 1, 1], interior = [0, 0, 1, 1] : (tensor<3x8x2x2xf32>, tensor<f32>) -> tensor<3x8x5x5xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<f32>
    %120 = "stablehlo.reduce_window"(%118, %119) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %190 = stablehlo.add %arg13, %arg14 : tensor<f32>
      stablehlo.return %190 : tensor<f32>
    }) : (tensor<3x8x5x5xf32>, tensor<f32>) -> tensor<3x8x4x4xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<3x8x4x4xf32>
    %122 = stablehlo.select %86, %120, %121 : tensor<3x8x4x4xi1>, tensor<3x8x4x4xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<3x8x4x4xf32>
    %124 = stablehlo.multiply %122, %123 : tensor<3x8x4x4xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.reduce(%124 init: %cst_41) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<8xf32>
    %126 = stablehlo.reshape %125 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %127 = stablehlo.reshape %126 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %128 = stablehlo.multiply %74, %124 : tensor<3x8x4x4xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%128 init: %cst_42) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<8xf32>
    %130 = stablehlo.reshape %129 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %131 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x4x4xf32>
    %132 = stablehlo.multiply %124, %131 : tensor<3x8x4x4xf32>
    %133 = stablehlo.reshape %130 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %134 = stablehlo.multiply %72, %132 : tensor<3x8x4x4xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.reduce(%134 init: %cst_43) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<8xf32>
    %136 = stablehlo.reshape %135 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %137 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x4x4xf32>
    %138 = stablehlo.multiply %132, %137 : tensor<3x8x4x4xf32>
    %139 = stablehlo.negate %138 : tensor<3x8x4x4xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.reduce(%139 init: %cst_44) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<8xf32>
    %141 = stablehlo.reshape %140 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %142 = stablehlo.multiply %136, %59 : tensor<1x8x1x1xf32>
    %143 = stablehlo.reshape %142 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %144 = call @_var_2(%52#1, %52#2, %52#3, %52#4, %143) : (tensor<3x8x4x4xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>, tensor<8xf32>) -> tensor<3x8x4x4xf32>
    %145 = stablehlo.add %138, %144 : tensor<3x8x4x4xf32>
    %cst_45 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %147 = stablehlo.divide %141, %146 : tensor<1x8x1x1xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_46) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x8x1x1xf32>, tensor<f32>) -> tensor<8xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [1] : (tensor<8xf32>) -> tensor<3x8x4x4xf32>
    %150 = stablehlo.add %145, %149 : tensor<3x8x4x4xf32>
    %151 = stablehlo.convolution(%44, %150) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [2, 2], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x4x4xf32>, tensor<3x8x4x4xf32>) -> tensor<8x2x3x3xf32>
    %152 = stablehlo.reshape %arg3 : (tensor<8x2x3x3xf32>) -> tensor<4x2x2x3x3xf32>
    %153 = stablehlo.transpose %152, dims = [1, 0, 2, 3, 4] : (tensor<4x2x2x3x3xf32>) -> tensor<2x4x2x3x3xf32>
    %154 = stablehlo.reshape %153 : (tensor<2x4x2x3x3xf32>) -> tensor<2x8x3x3xf32>
    %155 = stablehlo.reverse %154, dims = [2, 3] : tensor<2x8x3x3xf32>
    %156 = stablehlo.convolution(%150, %155) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x8x4x4xf32>, tensor<2x8x3x3xf32>) -> tensor<3x8x4x4xf32>
    %157 = stablehlo.add %122, %156 : tensor<3x8x4x4xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %158 = stablehlo.pad %36, %cst_47, low = [0, 0, 1, 1], high = [0, 0, 1, 1], interior = [0, 0, 0, 0] : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<3x8x10x10xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = "stablehlo.select_and_scatter"(%158, %157, %cst_48) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %190 = stablehlo.compare GE, %arg13, %arg14, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %190 : tensor<i1>
    }, {
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %190 = stablehlo.add %arg13, %arg14 : tensor<f32>
      stablehlo.return %190 : tensor<f32>
    }) : (tensor<3x8x10x10xf32>, tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<3x8x10x10xf32>
    %160 = stablehlo.slice %159 [0:3, 0:8, 1:9, 1:9] : (tensor<3x8x10x10xf32>) -> tensor<3x8x8x8xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<3x8x8x8xf32>
    %162 = stablehlo.select %38, %160, %161 : tensor<3x8x8x8xi1>, tensor<3x8x8x8xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %163 = stablehlo.reduce(%162 init: %cst_50) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %164 = stablehlo.reshape %163 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %165 = stablehlo.reshape %164 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %166 = stablehlo.multiply %29, %162 : tensor<3x8x8x8xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%166 init: %cst_51) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %168 = stablehlo.reshape %167 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %169 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x8x8xf32>
    %170 = stablehlo.multiply %162, %169 : tensor<3x8x8x8xf32>
    %171 = stablehlo.reshape %168 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %172 = stablehlo.multiply %27, %170 : tensor<3x8x8x8xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.reduce(%172 init: %cst_52) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %174 = stablehlo.reshape %173 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %175 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x8x8xf32>
    %176 = stablehlo.multiply %170, %175 : tensor<3x8x8x8xf32>
    %177 = stablehlo.negate %176 : tensor<3x8x8x8xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %178 = stablehlo.reduce(%177 init: %cst_53) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %179 = stablehlo.reshape %178 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %180 = stablehlo.multiply %174, %14 : tensor<1x8x1x1xf32>
    %181 = stablehlo.reshape %180 : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %182 = call @_var_4(%7#1, %7#2, %7#3, %7#4, %181) : (tensor<3x8x8x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>, tensor<8xf32>) -> tensor<3x8x8x8xf32>
    %183 = stablehlo.add %176, %182 : tensor<3x8x8x8xf32>
    %cst_54 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %185 = stablehlo.divide %179, %184 : tensor<1x8x1x1xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.reduce(%185 init: %cst_55) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x8x1x1xf32>, tensor<f32>) -> tensor<8xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [1] : (tensor<8xf32>) -> tensor<3x8x8x8xf32>
    %188 = stablehlo.add %183, %187 : tensor<3x8x8x8xf32>
    %189 = stablehlo.convolution(%arg12, %188) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [1, 1], pad = [[1, 0], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x3x16x16xf32>, tensor<3x8x8x8xf32>) -> tensor<8x3x3x3xf32>
    return %107, %189, %171, %165, %151, %133, %127, %114, %113 : tensor<f32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x2x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<5x32xf32>, tensor<5xf32>
  }
  func.func private @_var(%arg0: tensor<3x8x8x8xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<3x8x8x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_0 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x8x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x8x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x8x8x8xf32>
    %6 = chlo.square %5 : tensor<3x8x8x8xf32> -> tensor<3x8x8x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x8x8x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<3x8x8x8xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.divide %11, %12 : tensor<8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15:2 = call @_where(%14, %13, %cst_5) : (tensor<i1>, tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
    return %15#0, %8, %10, %14, %15#1 : tensor<8xf32>, tensor<3x8x8x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<8xf32>, %arg2: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    return %2, %3 : tensor<8xf32>, tensor<8xf32>
  }
  func.func private @relu(%arg0: tensor<3x8x8x8xf32>) -> tensor<3x8x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x8x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x8x8x8xf32>
    return %1 : tensor<3x8x8x8xf32>
  }
  func.func private @_var_0(%arg0: tensor<3x8x4x4xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<3x8x4x4xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_0 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x8x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<3x8x4x4xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x8x4x4xf32>
    %6 = chlo.square %5 : tensor<3x8x4x4xf32> -> tensor<3x8x4x4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x8x4x4xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<3x8x4x4xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.divide %11, %12 : tensor<8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15:2 = call @_where(%14, %13, %cst_5) : (tensor<i1>, tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
    return %15#0, %8, %10, %14, %15#1 : tensor<8xf32>, tensor<3x8x4x4xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>
  }
  func.func private @relu_1(%arg0: tensor<3x8x4x4xf32>) -> tensor<3x8x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8x4x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x8x4x4xf32>
    return %1 : tensor<3x8x4x4xf32>
  }
  func.func private @_var_2(%arg0: tensor<3x8x4x4xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>) -> tensor<3x8x4x4xf32> {
    %0 = call @_where_3(%arg2, %arg3, %arg4) : (tensor<i1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.divide %0, %1 : tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<8xf32>) -> tensor<3x8x4x4xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<3x8x4x4xf32>
    %5 = stablehlo.negate %4 : tensor<3x8x4x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x4x4xf32>, tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.reshape %6 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_0 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %9 = stablehlo.divide %7, %8 : tensor<1x8x1x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x8x1x1xf32>, tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<8xf32>) -> tensor<3x8x4x4xf32>
    %12 = stablehlo.add %4, %11 : tensor<3x8x4x4xf32>
    return %12 : tensor<3x8x4x4xf32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<i1>, tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @_var_4(%arg0: tensor<3x8x8x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>) -> tensor<3x8x8x8xf32> {
    %0 = call @_where_3(%arg2, %arg3, %arg4) : (tensor<i1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.divide %0, %1 : tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<8xf32>) -> tensor<3x8x8x8xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<3x8x8x8xf32>
    %5 = stablehlo.negate %4 : tensor<3x8x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.reshape %6 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_0 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %9 = stablehlo.divide %7, %8 : tensor<1x8x1x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x8x1x1xf32>, tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<8xf32>) -> tensor<3x8x8x8xf32>
    %12 = stablehlo.add %4, %11 : tensor<3x8x8x8xf32>
    return %12 : tensor<3x8x8x8xf32>
  }
}
