module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<48x16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<24x16xf32>, %arg7: tensor<24xf32>, %arg8: tensor<24x16xf32>, %arg9: tensor<24xf32>, %arg10: tensor<16x24xf32>, %arg11: tensor<16xf32>, %arg12: tensor<2x7x16xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<16xf32> {jax.result_info = "result[1][0]"}, tensor<16xf32> {jax.result_info = "result[1][1]"}, tensor<16xf32> {jax.result_info = "result[1][2]"}, tensor<48x16xf32> {jax.result_info = "result[1][3]"}, tensor<16x16xf32> {jax.result_info = "result[1][4]"}, tensor<16xf32> {jax.result_info = "result[1][5]"}, tensor<24x16xf32> {jax.result_info = "result[1][6]"}, tensor<24xf32> {jax.result_info = "result[1][7]"}, tensor<24x16xf32> {jax.result_info = "result[1][8]"}, tensor<24xf32> {jax.result_info = "result[1][9]"}, tensor<16x24xf32> {jax.result_info = "result[1][10]"}, tensor<16xf32> {jax.result_info = "result[1][11]"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %1 = stablehlo.power %arg12, %0 : tensor<2x7x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x7x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x7x1xf32>
    %8 = stablehlo.rsqrt %7 : tensor<2x7x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %10 = stablehlo.multiply %arg12, %9 : tensor<2x7x16xf32>
    %11 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<2x7x16xf32>
    %14 = stablehlo.dot_general %13, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x16xf32>, tensor<48x16xf32>) -> tensor<2x7x48xf32>
    %15 = stablehlo.reshape %14 : (tensor<2x7x48xf32>) -> tensor<2x7x3x4x4xf32>
    %16 = stablehlo.transpose %15, dims = [2, 0, 3, 1, 4] : (tensor<2x7x3x4x4xf32>) -> tensor<3x2x4x7x4xf32>
    %17 = stablehlo.slice %16 [0:1, 0:2, 0:4, 0:7, 0:4] : (tensor<3x2x4x7x4xf32>) -> tensor<1x2x4x7x4xf32>
    %18 = stablehlo.slice %16 [1:2, 0:2, 0:4, 0:7, 0:4] : (tensor<3x2x4x7x4xf32>) -> tensor<1x2x4x7x4xf32>
    %19 = stablehlo.slice %16 [2:3, 0:2, 0:4, 0:7, 0:4] : (tensor<3x2x4x7x4xf32>) -> tensor<1x2x4x7x4xf32>
    %20 = stablehlo.reshape %17 : (tensor<1x2x4x7x4xf32>) -> tensor<2x4x7x4xf32>
    %21 = stablehlo.reshape %18 : (tensor<1x2x4x7x4xf32>) -> tensor<2x4x7x4xf32>
    %22 = stablehlo.reshape %19 : (tensor<1x2x4x7x4xf32>) -> tensor<2x4x7x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %24 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<7x7xi1>
    %25 = stablehlo.iota dim = 0 : tensor<7xi32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [1] : (tensor<7xi32>) -> tensor<1x7xi32>
    %27 = stablehlo.iota dim = 0 : tensor<7xi32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %30 = stablehlo.multiply %28, %29 : tensor<7x1xi32>
    %31 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x7xi32>) -> tensor<7x7xi32>
    %32 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<7x1xi32>) -> tensor<7x7xi32>
    %33 = stablehlo.subtract %31, %32 : tensor<7x7xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<7x7xi32>
    %35 = stablehlo.compare LE, %33, %34, SIGNED : (tensor<7x7xi32>, tensor<7x7xi32>) -> tensor<7x7xi1>
    %36 = stablehlo.and %35, %24 : tensor<7x7xi1>
    %37 = stablehlo.not %36 : tensor<7x7xi1>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %38 = call @_where(%37, %cst_6, %23) : (tensor<7x7xi1>, tensor<f32>, tensor<7x7xf32>) -> tensor<7x7xf32>
    %39 = stablehlo.transpose %21, dims = [0, 1, 3, 2] : (tensor<2x4x7x4xf32>) -> tensor<2x4x4x7xf32>
    %40 = stablehlo.reshape %20 : (tensor<2x4x7x4xf32>) -> tensor<8x7x4xf32>
    %41 = stablehlo.reshape %39 : (tensor<2x4x4x7xf32>) -> tensor<8x4x7xf32>
    %42 = stablehlo.dot_general %40, %41, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x7x4xf32>, tensor<8x4x7xf32>) -> tensor<8x7x7xf32>
    %43 = stablehlo.reshape %42 : (tensor<8x7x7xf32>) -> tensor<2x4x7x7xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x7x7xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<2x4x7x7xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %47 = stablehlo.multiply %38, %46 : tensor<7x7xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [2, 3] : (tensor<7x7xf32>) -> tensor<1x1x7x7xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<1x1x7x7xf32>) -> tensor<2x4x7x7xf32>
    %50 = stablehlo.add %45, %49 : tensor<2x4x7x7xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x7x7xf32>, tensor<f32>) -> tensor<2x4x7xf32>
    %52 = stablehlo.reshape %51 : (tensor<2x4x7xf32>) -> tensor<2x4x7x1xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xf32>) -> tensor<2x4x7x7xf32>
    %54 = stablehlo.compare EQ, %50, %53, FLOAT : (tensor<2x4x7x7xf32>, tensor<2x4x7x7xf32>) -> tensor<2x4x7x7xi1>
    %55 = stablehlo.convert %54 : (tensor<2x4x7x7xi1>) -> tensor<2x4x7x7xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x7x7xf32>, tensor<f32>) -> tensor<2x4x7xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4x7xf32>
    %58 = stablehlo.maximum %57, %51 : tensor<2x4x7xf32>
    %59 = stablehlo.compare EQ, %51, %58, FLOAT : (tensor<2x4x7xf32>, tensor<2x4x7xf32>) -> tensor<2x4x7xi1>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x7xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x4x7xf32>
    %62 = stablehlo.select %59, %60, %61 : tensor<2x4x7xi1>, tensor<2x4x7xf32>
    %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x4x7xf32>
    %64 = stablehlo.compare EQ, %63, %58, FLOAT : (tensor<2x4x7xf32>, tensor<2x4x7xf32>) -> tensor<2x4x7xi1>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x4x7xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x4x7xf32>
    %67 = stablehlo.select %64, %65, %66 : tensor<2x4x7xi1>, tensor<2x4x7xf32>
    %68 = stablehlo.divide %62, %67 : tensor<2x4x7xf32>
    %69 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<2x4x7xf32>) -> tensor<2x4x7x1xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xf32>) -> tensor<2x4x7x7xf32>
    %71 = stablehlo.subtract %50, %70 : tensor<2x4x7x7xf32>
    %72 = stablehlo.exponential %71 : tensor<2x4x7x7xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%72 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<2x4x7x7xf32>, tensor<f32>) -> tensor<2x4x7xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<2x4x7xf32>) -> tensor<2x4x7x1xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xf32>) -> tensor<2x4x7x7xf32>
    %76 = stablehlo.divide %72, %75 : tensor<2x4x7x7xf32>
    %77 = stablehlo.multiply %74, %74 : tensor<2x4x7x1xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x4x7x1xf32>
    %79 = stablehlo.divide %78, %77 : tensor<2x4x7x1xf32>
    %80 = stablehlo.reshape %76 : (tensor<2x4x7x7xf32>) -> tensor<8x7x7xf32>
    %81 = stablehlo.reshape %22 : (tensor<2x4x7x4xf32>) -> tensor<8x7x4xf32>
    %82 = stablehlo.dot_general %80, %81, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x7x7xf32>, tensor<8x7x4xf32>) -> tensor<8x7x4xf32>
    %83 = stablehlo.reshape %82 : (tensor<8x7x4xf32>) -> tensor<2x4x7x4xf32>
    %84 = stablehlo.transpose %83, dims = [0, 2, 1, 3] : (tensor<2x4x7x4xf32>) -> tensor<2x7x4x4xf32>
    %85 = stablehlo.reshape %84 : (tensor<2x7x4x4xf32>) -> tensor<2x7x16xf32>
    %86 = stablehlo.dot_general %85, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x16xf32>, tensor<16x16xf32>) -> tensor<2x7x16xf32>
    %87 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %89 = stablehlo.add %86, %88 : tensor<2x7x16xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %91 = stablehlo.multiply %89, %90 : tensor<2x7x16xf32>
    %92 = stablehlo.add %arg12, %91 : tensor<2x7x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %cst_21 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %96 = stablehlo.divide %94, %95 : tensor<2x7x1xf32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %97:5 = call @_var(%92, %c_22) : (tensor<2x7x16xf32>, tensor<i32>) -> (tensor<2x7x1xf32>, tensor<2x7x16xf32>, tensor<f32>, tensor<i1>, tensor<2x7x1xf32>)
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %99 = stablehlo.add %97#0, %98 : tensor<2x7x1xf32>
    %100 = stablehlo.rsqrt %99 : tensor<2x7x1xf32>
    %101 = stablehlo.divide %100, %99 : tensor<2x7x1xf32>
    %cst_24 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<2x7x1xf32>
    %104 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %105 = stablehlo.subtract %92, %104 : tensor<2x7x16xf32>
    %106 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %107 = stablehlo.multiply %105, %106 : tensor<2x7x16xf32>
    %108 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %110 = stablehlo.multiply %107, %109 : tensor<2x7x16xf32>
    %111 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %113 = stablehlo.add %110, %112 : tensor<2x7x16xf32>
    %114 = stablehlo.dot_general %113, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x16xf32>, tensor<24x16xf32>) -> tensor<2x7x24xf32>
    %115 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<2x7x24xf32>
    %117 = stablehlo.add %114, %116 : tensor<2x7x24xf32>
    %118:3 = call @silu(%117) : (tensor<2x7x24xf32>) -> (tensor<2x7x24xf32>, tensor<2x7x24xf32>, tensor<2x7x24xf32>)
    %119 = stablehlo.dot_general %113, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x16xf32>, tensor<24x16xf32>) -> tensor<2x7x24xf32>
    %120 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<2x7x24xf32>
    %122 = stablehlo.add %119, %121 : tensor<2x7x24xf32>
    %123 = stablehlo.multiply %118#0, %122 : tensor<2x7x24xf32>
    %124 = stablehlo.dot_general %123, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x24xf32>, tensor<16x24xf32>) -> tensor<2x7x16xf32>
    %125 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %127 = stablehlo.add %124, %126 : tensor<2x7x16xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %129 = stablehlo.multiply %127, %128 : tensor<2x7x16xf32>
    %130 = stablehlo.add %92, %129 : tensor<2x7x16xf32>
    %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %132 = stablehlo.power %130, %131 : tensor<2x7x16xf32>
    %cst_27 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %133 = stablehlo.subtract %cst_27, %cst_28 : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %135 = stablehlo.power %130, %134 : tensor<2x7x16xf32>
    %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %137 = stablehlo.multiply %136, %135 : tensor<2x7x16xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %138 = stablehlo.reduce(%132 init: %cst_30) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_31 = stablehlo.constant dense<2.240000e+02> : tensor<f32>
    %139 = stablehlo.divide %138, %cst_31 : tensor<f32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_33 = stablehlo.constant dense<2.240000e+02> : tensor<f32>
    %140 = stablehlo.divide %cst_32, %cst_33 : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %142 = stablehlo.multiply %141, %137 : tensor<2x7x16xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %144 = stablehlo.multiply %142, %143 : tensor<2x7x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = stablehlo.reduce(%144 init: %cst_35) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<16xf32>
    %146 = stablehlo.reshape %145 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%146 init: %cst_36) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %148 = stablehlo.dot_general %144, %123, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x16xf32>, tensor<2x7x24xf32>) -> tensor<16x24xf32>
    %149 = stablehlo.dot_general %144, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x7x16xf32>, tensor<16x24xf32>) -> tensor<2x7x24xf32>
    %150 = stablehlo.multiply %118#0, %149 : tensor<2x7x24xf32>
    %151 = stablehlo.multiply %149, %122 : tensor<2x7x24xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %152 = stablehlo.reduce(%150 init: %cst_37) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x7x24xf32>, tensor<f32>) -> tensor<24xf32>
    %153 = stablehlo.reshape %152 : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %154 = stablehlo.reduce(%153 init: %cst_38) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x24xf32>, tensor<f32>) -> tensor<24xf32>
    %155 = stablehlo.dot_general %150, %113, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x24xf32>, tensor<2x7x16xf32>) -> tensor<24x16xf32>
    %156 = stablehlo.dot_general %150, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x7x24xf32>, tensor<24x16xf32>) -> tensor<2x7x16xf32>
    %157 = call @silu_1(%118#1, %118#2, %117, %151) : (tensor<2x7x24xf32>, tensor<2x7x24xf32>, tensor<2x7x24xf32>, tensor<2x7x24xf32>) -> tensor<2x7x24xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.reduce(%157 init: %cst_39) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x7x24xf32>, tensor<f32>) -> tensor<24xf32>
    %159 = stablehlo.reshape %158 : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.reduce(%159 init: %cst_40) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x24xf32>, tensor<f32>) -> tensor<24xf32>
    %161 = stablehlo.dot_general %157, %113, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x24xf32>, tensor<2x7x16xf32>) -> tensor<24x16xf32>
    %162 = stablehlo.dot_general %157, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x7x24xf32>, tensor<24x16xf32>) -> tensor<2x7x16xf32>
    %163 = stablehlo.add %156, %162 : tensor<2x7x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %164 = stablehlo.reduce(%163 init: %cst_41) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<16xf32>
    %165 = stablehlo.reshape %164 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %166 = stablehlo.reduce(%165 init: %cst_42) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %167 = stablehlo.multiply %107, %163 : tensor<2x7x16xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.reduce(%167 init: %cst_43) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<16xf32>
    %169 = stablehlo.reshape %168 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %170 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %171 = stablehlo.multiply %163, %170 : tensor<2x7x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%169 init: %cst_44) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %173 = stablehlo.multiply %105, %171 : tensor<2x7x16xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %174 = stablehlo.reduce(%173 init: %cst_45) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %175 = stablehlo.reshape %174 : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %176 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %177 = stablehlo.multiply %171, %176 : tensor<2x7x16xf32>
    %178 = stablehlo.negate %177 : tensor<2x7x16xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %179 = stablehlo.reduce(%178 init: %cst_46) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %180 = stablehlo.reshape %179 : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %181 = stablehlo.add %142, %177 : tensor<2x7x16xf32>
    %182 = stablehlo.multiply %175, %103 : tensor<2x7x1xf32>
    %183 = call @_var_2(%97#1, %97#2, %97#3, %97#4, %182) : (tensor<2x7x16xf32>, tensor<f32>, tensor<i1>, tensor<2x7x1xf32>, tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %184 = stablehlo.add %181, %183 : tensor<2x7x16xf32>
    %cst_47 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %186 = stablehlo.divide %180, %185 : tensor<2x7x1xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %187 = stablehlo.reduce(%186 init: %cst_48) applies stablehlo.add across dimensions = [2] : (tensor<2x7x1xf32>, tensor<f32>) -> tensor<2x7xf32>
    %188 = stablehlo.broadcast_in_dim %187, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x16xf32>
    %189 = stablehlo.add %184, %188 : tensor<2x7x16xf32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %191 = stablehlo.multiply %189, %190 : tensor<2x7x16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.reduce(%191 init: %cst_50) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<16xf32>
    %193 = stablehlo.reshape %192 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.reduce(%193 init: %cst_51) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %195 = stablehlo.dot_general %191, %85, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x16xf32>, tensor<2x7x16xf32>) -> tensor<16x16xf32>
    %196 = stablehlo.dot_general %191, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x7x16xf32>, tensor<16x16xf32>) -> tensor<2x7x16xf32>
    %197 = stablehlo.reshape %196 : (tensor<2x7x16xf32>) -> tensor<2x7x4x4xf32>
    %198 = stablehlo.transpose %197, dims = [0, 2, 1, 3] : (tensor<2x7x4x4xf32>) -> tensor<2x4x7x4xf32>
    %199 = stablehlo.reshape %198 : (tensor<2x4x7x4xf32>) -> tensor<8x7x4xf32>
    %200 = stablehlo.dot_general %199, %80, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x7x4xf32>, tensor<8x7x7xf32>) -> tensor<8x4x7xf32>
    %201 = stablehlo.transpose %200, dims = [0, 2, 1] : (tensor<8x4x7xf32>) -> tensor<8x7x4xf32>
    %202 = stablehlo.dot_general %199, %81, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x7x4xf32>, tensor<8x7x4xf32>) -> tensor<8x7x7xf32>
    %203 = stablehlo.reshape %201 : (tensor<8x7x4xf32>) -> tensor<2x4x7x4xf32>
    %204 = stablehlo.reshape %202 : (tensor<8x7x7xf32>) -> tensor<2x4x7x7xf32>
    %205 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xf32>) -> tensor<2x4x7x7xf32>
    %206 = stablehlo.multiply %204, %205 : tensor<2x4x7x7xf32>
    %207 = stablehlo.multiply %206, %72 : tensor<2x4x7x7xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.reduce(%207 init: %cst_52) applies stablehlo.add across dimensions = [3] : (tensor<2x4x7x7xf32>, tensor<f32>) -> tensor<2x4x7xf32>
    %209 = stablehlo.reshape %208 : (tensor<2x4x7xf32>) -> tensor<2x4x7x1xf32>
    %210 = stablehlo.negate %209 : tensor<2x4x7x1xf32>
    %211 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xf32>) -> tensor<2x4x7x7xf32>
    %212 = stablehlo.divide %204, %211 : tensor<2x4x7x7xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %213 = stablehlo.reduce(%210 init: %cst_53) applies stablehlo.add across dimensions = [3] : (tensor<2x4x7x1xf32>, tensor<f32>) -> tensor<2x4x7xf32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2] : (tensor<2x4x7xf32>) -> tensor<2x4x7x7xf32>
    %215 = stablehlo.add %212, %214 : tensor<2x4x7x7xf32>
    %216 = stablehlo.multiply %215, %72 : tensor<2x4x7x7xf32>
    %cst_54 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x4x7x7xf32>
    %218 = stablehlo.multiply %216, %217 : tensor<2x4x7x7xf32>
    %219 = stablehlo.reshape %218 : (tensor<2x4x7x7xf32>) -> tensor<8x7x7xf32>
    %220 = stablehlo.dot_general %219, %40, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x7x7xf32>, tensor<8x7x4xf32>) -> tensor<8x7x4xf32>
    %221 = stablehlo.transpose %220, dims = [0, 2, 1] : (tensor<8x7x4xf32>) -> tensor<8x4x7xf32>
    %222 = stablehlo.dot_general %219, %41, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x7x7xf32>, tensor<8x4x7xf32>) -> tensor<8x7x4xf32>
    %223 = stablehlo.reshape %221 : (tensor<8x4x7xf32>) -> tensor<2x4x4x7xf32>
    %224 = stablehlo.reshape %222 : (tensor<8x7x4xf32>) -> tensor<2x4x7x4xf32>
    %225 = stablehlo.transpose %223, dims = [0, 1, 3, 2] : (tensor<2x4x4x7xf32>) -> tensor<2x4x7x4xf32>
    %226 = stablehlo.broadcast_in_dim %203, dims = [1, 2, 3, 4] : (tensor<2x4x7x4xf32>) -> tensor<1x2x4x7x4xf32>
    %227 = stablehlo.broadcast_in_dim %225, dims = [1, 2, 3, 4] : (tensor<2x4x7x4xf32>) -> tensor<1x2x4x7x4xf32>
    %228 = stablehlo.broadcast_in_dim %224, dims = [1, 2, 3, 4] : (tensor<2x4x7x4xf32>) -> tensor<1x2x4x7x4xf32>
    %229 = stablehlo.concatenate %228, %227, %226, dim = 0 : (tensor<1x2x4x7x4xf32>, tensor<1x2x4x7x4xf32>, tensor<1x2x4x7x4xf32>) -> tensor<3x2x4x7x4xf32>
    %230 = stablehlo.transpose %229, dims = [1, 3, 0, 2, 4] : (tensor<3x2x4x7x4xf32>) -> tensor<2x7x3x4x4xf32>
    %231 = stablehlo.reshape %230 : (tensor<2x7x3x4x4xf32>) -> tensor<2x7x48xf32>
    %232 = stablehlo.dot_general %231, %13, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x48xf32>, tensor<2x7x16xf32>) -> tensor<48x16xf32>
    %233 = stablehlo.dot_general %231, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x7x48xf32>, tensor<48x16xf32>) -> tensor<2x7x16xf32>
    %234 = stablehlo.multiply %10, %233 : tensor<2x7x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.reduce(%234 init: %cst_55) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<16xf32>
    %236 = stablehlo.reshape %235 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.reduce(%236 init: %cst_56) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    return %139, %237, %172, %166, %232, %195, %194, %161, %160, %155, %154, %148, %147 : tensor<f32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<48x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<24x16xf32>, tensor<24xf32>, tensor<24x16xf32>, tensor<24xf32>, tensor<16x24xf32>, tensor<16xf32>
  }
  func.func private @_where(%arg0: tensor<7x7xi1>, %arg1: tensor<f32>, %arg2: tensor<7x7xf32>) -> tensor<7x7xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<7x7xi1>, tensor<7x7xf32>
    return %2 : tensor<7x7xf32>
  }
  func.func private @_var(%arg0: tensor<2x7x16xf32>, %arg1: tensor<i32>) -> (tensor<2x7x1xf32>, tensor<2x7x16xf32>, tensor<f32>, tensor<i1>, tensor<2x7x1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x7x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x7x16xf32>
    %6 = chlo.square %5 : tensor<2x7x16xf32> -> tensor<2x7x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<2x7x16xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<2x7x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16:2 = call @_where_0(%15, %14, %cst_5) : (tensor<i1>, tensor<2x7x1xf32>, tensor<f32>) -> (tensor<2x7x1xf32>, tensor<2x7x1xf32>)
    return %16#0, %8, %10, %15, %16#1 : tensor<2x7x1xf32>, tensor<2x7x16xf32>, tensor<f32>, tensor<i1>, tensor<2x7x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<2x7x1xf32>, %arg2: tensor<f32>) -> (tensor<2x7x1xf32>, tensor<2x7x1xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x7x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    return %2, %3 : tensor<2x7x1xf32>, tensor<2x7x1xf32>
  }
  func.func private @silu(%arg0: tensor<2x7x24xf32>) -> (tensor<2x7x24xf32>, tensor<2x7x24xf32>, tensor<2x7x24xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<2x7x24xf32>
    %1 = stablehlo.exponential %0 : tensor<2x7x24xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x7x24xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x7x24xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x7x24xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x7x24xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x7x24xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<2x7x24xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<2x7x24xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<2x7x24xf32>
    return %9, %8, %5 : tensor<2x7x24xf32>, tensor<2x7x24xf32>, tensor<2x7x24xf32>
  }
  func.func private @silu_1(%arg0: tensor<2x7x24xf32>, %arg1: tensor<2x7x24xf32>, %arg2: tensor<2x7x24xf32>, %arg3: tensor<2x7x24xf32>) -> tensor<2x7x24xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<2x7x24xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<2x7x24xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<2x7x24xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x7x24xf32>
    return %3 : tensor<2x7x24xf32>
  }
  func.func private @_var_2(%arg0: tensor<2x7x16xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<2x7x1xf32>, %arg4: tensor<2x7x1xf32>) -> tensor<2x7x16xf32> {
    %0 = call @_where_3(%arg2, %arg3, %arg4) : (tensor<i1>, tensor<2x7x1xf32>, tensor<2x7x1xf32>) -> tensor<2x7x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x7x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x7x1xf32>, tensor<f32>) -> tensor<2x7xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x16xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<2x7x16xf32>
    %6 = stablehlo.negate %5 : tensor<2x7x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %8 = stablehlo.reshape %7 : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<2x7x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x7x1xf32>, tensor<f32>) -> tensor<2x7xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x16xf32>
    %13 = stablehlo.add %5, %12 : tensor<2x7x16xf32>
    return %13 : tensor<2x7x16xf32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<2x7x1xf32>, %arg2: tensor<2x7x1xf32>) -> tensor<2x7x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<i1>, tensor<2x7x1xf32>
    return %1 : tensor<2x7x1xf32>
  }
}
