module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<48x16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<24x16xf32>, %arg7: tensor<24xf32>, %arg8: tensor<24x16xf32>, %arg9: tensor<24xf32>, %arg10: tensor<16x24xf32>, %arg11: tensor<16xf32>, %arg12: tensor<2x7x16xf32>) -> (tensor<2x7x16xf32> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %cst_5 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %cst_6 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %1 = stablehlo.power %arg12, %0 : tensor<2x7x16xf32>
    %2 = stablehlo.reduce(%1 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %4 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x7x1xf32>
    %6 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x7x1xf32>
    %8 = stablehlo.rsqrt %7 : tensor<2x7x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %10 = stablehlo.multiply %arg12, %9 : tensor<2x7x16xf32>
    %11 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<2x7x16xf32>
    %14 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %15 = stablehlo.reshape %13 : (tensor<2x7x16xf32>) -> tensor<14x16xf32>
    %16 = stablehlo.dot_general %15, %14, contracting_dims = [1] x [0] : (tensor<14x16xf32>, tensor<16x48xf32>) -> tensor<14x48xf32>
    %17 = stablehlo.reshape %16 : (tensor<14x48xf32>) -> tensor<2x7x48xf32>
    %18 = stablehlo.reshape %17 : (tensor<2x7x48xf32>) -> tensor<2x7x3x4x4xf32>
    %19 = stablehlo.transpose %18, dims = [2, 0, 3, 1, 4] : (tensor<2x7x3x4x4xf32>) -> tensor<3x2x4x7x4xf32>
    %20 = stablehlo.slice %19 [0:1, 0:2, 0:4, 0:7, 0:4] : (tensor<3x2x4x7x4xf32>) -> tensor<1x2x4x7x4xf32>
    %21 = stablehlo.slice %19 [1:2, 0:2, 0:4, 0:7, 0:4] : (tensor<3x2x4x7x4xf32>) -> tensor<1x2x4x7x4xf32>
    %22 = stablehlo.slice %19 [2:3, 0:2, 0:4, 0:7, 0:4] : (tensor<3x2x4x7x4xf32>) -> tensor<1x2x4x7x4xf32>
    %23 = stablehlo.reshape %20 : (tensor<1x2x4x7x4xf32>) -> tensor<2x4x7x4xf32>
    %24 = stablehlo.reshape %21 : (tensor<1x2x4x7x4xf32>) -> tensor<2x4x7x4xf32>
    %25 = stablehlo.reshape %22 : (tensor<1x2x4x7x4xf32>) -> tensor<2x4x7x4xf32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x7x4xf32>
    %27 = stablehlo.multiply %23, %26 : tensor<2x4x7x4xf32>
    %28 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<7x7xi1>
    %29 = stablehlo.iota dim = 0 : tensor<7xi32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [1] : (tensor<7xi32>) -> tensor<1x7xi32>
    %31 = stablehlo.iota dim = 0 : tensor<7xi32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %33 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %34 = stablehlo.multiply %32, %33 : tensor<7x1xi32>
    %35 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<1x7xi32>) -> tensor<7x7xi32>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<7x1xi32>) -> tensor<7x7xi32>
    %37 = stablehlo.subtract %35, %36 : tensor<7x7xi32>
    %38 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7x7xi32>
    %39 = stablehlo.compare LE, %37, %38, SIGNED : (tensor<7x7xi32>, tensor<7x7xi32>) -> tensor<7x7xi1>
    %40 = stablehlo.and %39, %28 : tensor<7x7xi1>
    %41 = call @_where(%40, %cst_8, %cst_1) : (tensor<7x7xi1>, tensor<f32>, tensor<f32>) -> tensor<7x7xf32>
    %42 = stablehlo.transpose %24, dims = [0, 1, 3, 2] : (tensor<2x4x7x4xf32>) -> tensor<2x4x4x7xf32>
    %43 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x4x7xf32>
    %44 = stablehlo.multiply %42, %43 : tensor<2x4x4x7xf32>
    %45 = stablehlo.reshape %27 : (tensor<2x4x7x4xf32>) -> tensor<8x7x4xf32>
    %46 = stablehlo.reshape %44 : (tensor<2x4x4x7xf32>) -> tensor<8x4x7xf32>
    %47 = stablehlo.dot_general %45, %46, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x7x4xf32>, tensor<8x4x7xf32>) -> tensor<8x7x7xf32>
    %48 = stablehlo.reshape %47 : (tensor<8x7x7xf32>) -> tensor<2x4x7x7xf32>
    %49 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %50 = stablehlo.multiply %41, %49 : tensor<7x7xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [2, 3] : (tensor<7x7xf32>) -> tensor<1x1x7x7xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<1x1x7x7xf32>) -> tensor<2x4x7x7xf32>
    %53 = stablehlo.add %48, %52 : tensor<2x4x7x7xf32>
    %54 = stablehlo.reduce(%53 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x7x7xf32>, tensor<f32>) -> tensor<2x4x7xf32>
    %55 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x7xf32>
    %56 = stablehlo.maximum %55, %54 : tensor<2x4x7xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<2x4x7xf32>) -> tensor<2x4x7x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xf32>) -> tensor<2x4x7x7xf32>
    %59 = stablehlo.subtract %53, %58 : tensor<2x4x7x7xf32>
    %60 = stablehlo.exponential %59 : tensor<2x4x7x7xf32>
    %61 = stablehlo.reduce(%60 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x7x7xf32>, tensor<f32>) -> tensor<2x4x7xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<2x4x7xf32>) -> tensor<2x4x7x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xf32>) -> tensor<2x4x7x7xf32>
    %64 = stablehlo.divide %60, %63 : tensor<2x4x7x7xf32>
    %65 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x7x7xf32>
    %66 = stablehlo.compare EQ, %53, %65, FLOAT : (tensor<2x4x7x7xf32>, tensor<2x4x7x7xf32>) -> tensor<2x4x7x7xi1>
    %67 = stablehlo.not %66 : tensor<2x4x7x7xi1>
    %68 = stablehlo.reduce(%67 init: %c) applies stablehlo.or across dimensions = [3] : (tensor<2x4x7x7xi1>, tensor<i1>) -> tensor<2x4x7xi1>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<2x4x7xi1>) -> tensor<2x4x7x1xi1>
    %70 = stablehlo.not %69 : tensor<2x4x7x1xi1>
    %71 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4x7x7xf32>
    %72 = call @_where_0(%70, %71, %64) : (tensor<2x4x7x1xi1>, tensor<2x4x7x7xf32>, tensor<2x4x7x7xf32>) -> tensor<2x4x7x7xf32>
    %73 = stablehlo.reshape %72 : (tensor<2x4x7x7xf32>) -> tensor<8x7x7xf32>
    %74 = stablehlo.reshape %25 : (tensor<2x4x7x4xf32>) -> tensor<8x7x4xf32>
    %75 = stablehlo.dot_general %73, %74, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x7x7xf32>, tensor<8x7x4xf32>) -> tensor<8x7x4xf32>
    %76 = stablehlo.reshape %75 : (tensor<8x7x4xf32>) -> tensor<2x4x7x4xf32>
    %77 = stablehlo.transpose %76, dims = [2, 0, 1, 3] : (tensor<2x4x7x4xf32>) -> tensor<7x2x4x4xf32>
    %78 = stablehlo.transpose %77, dims = [1, 2, 0, 3] : (tensor<7x2x4x4xf32>) -> tensor<2x4x7x4xf32>
    %79 = stablehlo.transpose %78, dims = [0, 2, 1, 3] : (tensor<2x4x7x4xf32>) -> tensor<2x7x4x4xf32>
    %80 = stablehlo.reshape %79 : (tensor<2x7x4x4xf32>) -> tensor<2x7x16xf32>
    %81 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<2x16x16xf32>
    %83 = stablehlo.dot_general %80, %82, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x7x16xf32>, tensor<2x16x16xf32>) -> tensor<2x7x16xf32>
    %84 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %85 = stablehlo.multiply %arg5, %84 : tensor<16xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %88 = stablehlo.add %83, %87 : tensor<2x7x16xf32>
    %89 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %90 = stablehlo.multiply %88, %89 : tensor<2x7x16xf32>
    %91 = stablehlo.add %arg12, %90 : tensor<2x7x16xf32>
    %92 = stablehlo.reduce(%91 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %94 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %95 = stablehlo.divide %93, %94 : tensor<2x7x1xf32>
    %96 = call @_var(%91, %c_2) : (tensor<2x7x16xf32>, tensor<i32>) -> tensor<2x7x1xf32>
    %97 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %98 = stablehlo.add %96, %97 : tensor<2x7x1xf32>
    %99 = stablehlo.rsqrt %98 : tensor<2x7x1xf32>
    %100 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %101 = stablehlo.subtract %91, %100 : tensor<2x7x16xf32>
    %102 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %103 = stablehlo.multiply %101, %102 : tensor<2x7x16xf32>
    %104 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %106 = stablehlo.multiply %103, %105 : tensor<2x7x16xf32>
    %107 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %109 = stablehlo.add %106, %108 : tensor<2x7x16xf32>
    %110 = stablehlo.reshape %109 : (tensor<2x7x16xf32>) -> tensor<14x16xf32>
    %111 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %112 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %113 = stablehlo.multiply %arg7, %112 : tensor<24xf32>
    %114 = stablehlo.dot_general %110, %111, contracting_dims = [1] x [0] : (tensor<14x16xf32>, tensor<16x24xf32>) -> tensor<14x24xf32>
    %115 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14x24xf32>
    %116 = stablehlo.multiply %115, %114 : tensor<14x24xf32>
    %117 = stablehlo.broadcast_in_dim %113, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<14x24xf32>
    %119 = stablehlo.add %118, %116 : tensor<14x24xf32>
    %120 = stablehlo.reshape %119 : (tensor<14x24xf32>) -> tensor<2x7x24xf32>
    %121 = stablehlo.negate %120 : tensor<2x7x24xf32>
    %122 = stablehlo.exponential %121 : tensor<2x7x24xf32>
    %123 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x7x24xf32>
    %124 = stablehlo.add %123, %122 : tensor<2x7x24xf32>
    %125 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x7x24xf32>
    %126 = stablehlo.divide %125, %124 : tensor<2x7x24xf32>
    %127 = stablehlo.multiply %120, %126 : tensor<2x7x24xf32>
    %128 = stablehlo.reshape %109 : (tensor<2x7x16xf32>) -> tensor<14x16xf32>
    %129 = stablehlo.transpose %arg8, dims = [1, 0] : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %130 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %131 = stablehlo.multiply %arg9, %130 : tensor<24xf32>
    %132 = stablehlo.dot_general %128, %129, contracting_dims = [1] x [0] : (tensor<14x16xf32>, tensor<16x24xf32>) -> tensor<14x24xf32>
    %133 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14x24xf32>
    %134 = stablehlo.multiply %133, %132 : tensor<14x24xf32>
    %135 = stablehlo.broadcast_in_dim %131, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<14x24xf32>
    %137 = stablehlo.add %136, %134 : tensor<14x24xf32>
    %138 = stablehlo.reshape %137 : (tensor<14x24xf32>) -> tensor<2x7x24xf32>
    %139 = stablehlo.multiply %127, %138 : tensor<2x7x24xf32>
    %140 = stablehlo.reshape %139 : (tensor<2x7x24xf32>) -> tensor<14x24xf32>
    %141 = stablehlo.transpose %arg10, dims = [1, 0] : (tensor<16x24xf32>) -> tensor<24x16xf32>
    %142 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %143 = stablehlo.multiply %arg11, %142 : tensor<16xf32>
    %144 = stablehlo.dot_general %140, %141, contracting_dims = [1] x [0] : (tensor<14x24xf32>, tensor<24x16xf32>) -> tensor<14x16xf32>
    %145 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14x16xf32>
    %146 = stablehlo.multiply %145, %144 : tensor<14x16xf32>
    %147 = stablehlo.broadcast_in_dim %143, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<14x16xf32>
    %149 = stablehlo.add %148, %146 : tensor<14x16xf32>
    %150 = stablehlo.reshape %149 : (tensor<14x16xf32>) -> tensor<2x7x16xf32>
    %151 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %152 = stablehlo.multiply %150, %151 : tensor<2x7x16xf32>
    %153 = stablehlo.add %91, %152 : tensor<2x7x16xf32>
    return %153 : tensor<2x7x16xf32>
  }
  func.func private @_where(%arg0: tensor<7x7xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<7x7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<7x7xi1>, tensor<7x7xf32>
    return %2 : tensor<7x7xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x4x7x1xi1>, %arg1: tensor<2x4x7x7xf32>, %arg2: tensor<2x4x7x7xf32>) -> tensor<2x4x7x7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xi1>) -> tensor<2x4x7x7xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<2x4x7x7xi1>, tensor<2x4x7x7xf32>
    return %1 : tensor<2x4x7x7xf32>
  }
  func.func private @_var(%arg0: tensor<2x7x16xf32>, %arg1: tensor<i32>) -> tensor<2x7x1xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x7x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x7x16xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<2x7x16xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %8 = stablehlo.subtract %cst_0, %7 : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x7x1xf32>
    %13 = stablehlo.compare GT, %8, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %14 = call @_where_1(%13, %12, %cst) : (tensor<i1>, tensor<2x7x1xf32>, tensor<f32>) -> tensor<2x7x1xf32>
    return %14 : tensor<2x7x1xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<2x7x1xf32>, %arg2: tensor<f32>) -> tensor<2x7x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x7x1xf32>
    return %2 : tensor<2x7x1xf32>
  }
}
