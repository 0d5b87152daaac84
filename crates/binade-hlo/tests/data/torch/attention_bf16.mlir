module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xbf16>, %arg1: tensor<16xbf16>, %arg2: tensor<16xbf16>, %arg3: tensor<48x16xbf16>, %arg4: tensor<16x16xbf16>, %arg5: tensor<16xbf16>, %arg6: tensor<24x16xbf16>, %arg7: tensor<24xbf16>, %arg8: tensor<24x16xbf16>, %arg9: tensor<24xbf16>, %arg10: tensor<16x24xbf16>, %arg11: tensor<16xbf16>, %arg12: tensor<2x7x16xbf16>) -> (tensor<2x7x16xbf16> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<1.001360e-05> : tensor<bf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %cst_6 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %cst_7 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg12 : (tensor<2x7x16xbf16>) -> tensor<2x7x16xf32>
    %1 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x7x16xf32>
    %2 = stablehlo.power %0, %1 : tensor<2x7x16xf32>
    %3 = stablehlo.reduce(%2 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %5 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x7x1xf32>
    %7 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x7x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<2x7x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %11 = stablehlo.multiply %0, %10 : tensor<2x7x16xf32>
    %12 = stablehlo.convert %arg0 : (tensor<16xbf16>) -> tensor<16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x7x16xf32>
    %15 = stablehlo.multiply %11, %14 : tensor<2x7x16xf32>
    %16 = stablehlo.convert %15 : (tensor<2x7x16xf32>) -> tensor<2x7x16xbf16>
    %17 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<48x16xbf16>) -> tensor<16x48xbf16>
    %18 = stablehlo.reshape %16 : (tensor<2x7x16xbf16>) -> tensor<14x16xbf16>
    %19 = stablehlo.dot_general %18, %17, contracting_dims = [1] x [0] : (tensor<14x16xbf16>, tensor<16x48xbf16>) -> tensor<14x48xbf16>
    %20 = stablehlo.reshape %19 : (tensor<14x48xbf16>) -> tensor<2x7x48xbf16>
    %21 = stablehlo.reshape %20 : (tensor<2x7x48xbf16>) -> tensor<2x7x3x4x4xbf16>
    %22 = stablehlo.transpose %21, dims = [2, 0, 3, 1, 4] : (tensor<2x7x3x4x4xbf16>) -> tensor<3x2x4x7x4xbf16>
    %23 = stablehlo.slice %22 [0:1, 0:2, 0:4, 0:7, 0:4] : (tensor<3x2x4x7x4xbf16>) -> tensor<1x2x4x7x4xbf16>
    %24 = stablehlo.slice %22 [1:2, 0:2, 0:4, 0:7, 0:4] : (tensor<3x2x4x7x4xbf16>) -> tensor<1x2x4x7x4xbf16>
    %25 = stablehlo.slice %22 [2:3, 0:2, 0:4, 0:7, 0:4] : (tensor<3x2x4x7x4xbf16>) -> tensor<1x2x4x7x4xbf16>
    %26 = stablehlo.reshape %23 : (tensor<1x2x4x7x4xbf16>) -> tensor<2x4x7x4xbf16>
    %27 = stablehlo.reshape %24 : (tensor<1x2x4x7x4xbf16>) -> tensor<2x4x7x4xbf16>
    %28 = stablehlo.reshape %25 : (tensor<1x2x4x7x4xbf16>) -> tensor<2x4x7x4xbf16>
    %29 = stablehlo.convert %26 : (tensor<2x4x7x4xbf16>) -> tensor<2x4x7x4xf32>
    %30 = stablehlo.convert %27 : (tensor<2x4x7x4xbf16>) -> tensor<2x4x7x4xf32>
    %31 = stablehlo.convert %28 : (tensor<2x4x7x4xbf16>) -> tensor<2x4x7x4xf32>
    %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x7x4xf32>
    %33 = stablehlo.multiply %29, %32 : tensor<2x4x7x4xf32>
    %34 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<7x7xi1>
    %35 = stablehlo.iota dim = 0 : tensor<7xi32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [1] : (tensor<7xi32>) -> tensor<1x7xi32>
    %37 = stablehlo.iota dim = 0 : tensor<7xi32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<7xi32>) -> tensor<7x1xi32>
    %39 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %40 = stablehlo.multiply %38, %39 : tensor<7x1xi32>
    %41 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<1x7xi32>) -> tensor<7x7xi32>
    %42 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<7x1xi32>) -> tensor<7x7xi32>
    %43 = stablehlo.subtract %41, %42 : tensor<7x7xi32>
    %44 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<7x7xi32>
    %45 = stablehlo.compare LE, %43, %44, SIGNED : (tensor<7x7xi32>, tensor<7x7xi32>) -> tensor<7x7xi1>
    %46 = stablehlo.and %45, %34 : tensor<7x7xi1>
    %47 = call @_where(%46, %cst_9, %cst_2) : (tensor<7x7xi1>, tensor<f32>, tensor<f32>) -> tensor<7x7xf32>
    %48 = stablehlo.transpose %30, dims = [0, 1, 3, 2] : (tensor<2x4x7x4xf32>) -> tensor<2x4x4x7xf32>
    %49 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x4x7xf32>
    %50 = stablehlo.multiply %48, %49 : tensor<2x4x4x7xf32>
    %51 = stablehlo.reshape %33 : (tensor<2x4x7x4xf32>) -> tensor<8x7x4xf32>
    %52 = stablehlo.reshape %50 : (tensor<2x4x4x7xf32>) -> tensor<8x4x7xf32>
    %53 = stablehlo.dot_general %51, %52, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x7x4xf32>, tensor<8x4x7xf32>) -> tensor<8x7x7xf32>
    %54 = stablehlo.reshape %53 : (tensor<8x7x7xf32>) -> tensor<2x4x7x7xf32>
    %55 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %56 = stablehlo.multiply %47, %55 : tensor<7x7xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [2, 3] : (tensor<7x7xf32>) -> tensor<1x1x7x7xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<1x1x7x7xf32>) -> tensor<2x4x7x7xf32>
    %59 = stablehlo.add %54, %58 : tensor<2x4x7x7xf32>
    %60 = stablehlo.reduce(%59 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x7x7xf32>, tensor<f32>) -> tensor<2x4x7xf32>
    %61 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x7xf32>
    %62 = stablehlo.maximum %61, %60 : tensor<2x4x7xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<2x4x7xf32>) -> tensor<2x4x7x1xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xf32>) -> tensor<2x4x7x7xf32>
    %65 = stablehlo.subtract %59, %64 : tensor<2x4x7x7xf32>
    %66 = stablehlo.exponential %65 : tensor<2x4x7x7xf32>
    %67 = stablehlo.reduce(%66 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x4x7x7xf32>, tensor<f32>) -> tensor<2x4x7xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<2x4x7xf32>) -> tensor<2x4x7x1xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2, 3] : (tensor<2x4x7x1xf32>) -> tensor<2x4x7x7xf32>
    %70 = stablehlo.divide %66, %69 : tensor<2x4x7x7xf32>
    %71 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x7x7xf32>
    %72 = stablehlo.compare EQ, %59, %71, FLOAT : (tensor<2x4x7x7xf32>, tensor<2x4x7x7xf32>) -> tensor<2x4x7x7xi1>
    %73 = stablehlo.not %72 : tensor<2x4x7x7xi1>
    %74 = stablehlo.reduce(%73 init: %c) applies stablehlo.or across dimensions = [3] : (tensor<2x4x7x7xi1>, tensor<i1>) -> tensor<2x4x7xi1>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<2x4x7xi1>) -> tensor<2x4x7x1xi1>
    %76 = stablehlo.not %75 : tensor<2x4x7x1xi1>
    %77 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x7x7xf32>
    %78 = call @_where_0(%76, %77, %70) : (tensor<2x4x7x1xi1>, tensor<2x4x7x7xf32>, tensor<2x4x7x7xf32>) -> tensor<2x4x7x7xf32>
    %79 = stablehlo.reshape %78 : (tensor<2x4x7x7xf32>) -> tensor<8x7x7xf32>
    %80 = stablehlo.reshape %31 : (tensor<2x4x7x4xf32>) -> tensor<8x7x4xf32>
    %81 = stablehlo.dot_general %79, %80, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x7x7xf32>, tensor<8x7x4xf32>) -> tensor<8x7x4xf32>
    %82 = stablehlo.reshape %81 : (tensor<8x7x4xf32>) -> tensor<2x4x7x4xf32>
    %83 = stablehlo.convert %82 : (tensor<2x4x7x4xf32>) -> tensor<2x4x7x4xbf16>
    %84 = stablehlo.transpose %83, dims = [2, 0, 1, 3] : (tensor<2x4x7x4xbf16>) -> tensor<7x2x4x4xbf16>
    %85 = stablehlo.transpose %84, dims = [1, 2, 0, 3] : (tensor<7x2x4x4xbf16>) -> tensor<2x4x7x4xbf16>
    %86 = stablehlo.transpose %85, dims = [0, 2, 1, 3] : (tensor<2x4x7x4xbf16>) -> tensor<2x7x4x4xbf16>
    %87 = stablehlo.reshape %86 : (tensor<2x7x4x4xbf16>) -> tensor<2x7x16xbf16>
    %88 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<16x16xbf16>) -> tensor<16x16xbf16>
    %89 = stablehlo.broadcast_in_dim %88, dims = [1, 2] : (tensor<16x16xbf16>) -> tensor<2x16x16xbf16>
    %90 = stablehlo.dot_general %87, %89, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x7x16xbf16>, tensor<2x16x16xbf16>) -> tensor<2x7x16xbf16>
    %91 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<16xbf16>
    %92 = stablehlo.multiply %arg5, %91 : tensor<16xbf16>
    %93 = stablehlo.broadcast_in_dim %92, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x7x16xbf16>
    %95 = stablehlo.add %90, %94 : tensor<2x7x16xbf16>
    %96 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x7x16xbf16>
    %97 = stablehlo.multiply %95, %96 : tensor<2x7x16xbf16>
    %98 = stablehlo.add %arg12, %97 : tensor<2x7x16xbf16>
    %99 = stablehlo.convert %98 : (tensor<2x7x16xbf16>) -> tensor<2x7x16xf32>
    %100 = stablehlo.reduce(%99 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %102 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %103 = stablehlo.divide %101, %102 : tensor<2x7x1xf32>
    %104 = stablehlo.convert %103 : (tensor<2x7x1xf32>) -> tensor<2x7x1xbf16>
    %105 = call @_var(%98, %c_3) : (tensor<2x7x16xbf16>, tensor<i32>) -> tensor<2x7x1xbf16>
    %106 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x7x1xbf16>
    %107 = stablehlo.add %105, %106 : tensor<2x7x1xbf16>
    %108 = stablehlo.rsqrt %107 : tensor<2x7x1xbf16>
    %109 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<2x7x1xbf16>) -> tensor<2x7x16xbf16>
    %110 = stablehlo.subtract %98, %109 : tensor<2x7x16xbf16>
    %111 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<2x7x1xbf16>) -> tensor<2x7x16xbf16>
    %112 = stablehlo.multiply %110, %111 : tensor<2x7x16xbf16>
    %113 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x7x16xbf16>
    %115 = stablehlo.multiply %112, %114 : tensor<2x7x16xbf16>
    %116 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x7x16xbf16>
    %118 = stablehlo.add %115, %117 : tensor<2x7x16xbf16>
    %119 = stablehlo.reshape %118 : (tensor<2x7x16xbf16>) -> tensor<14x16xbf16>
    %120 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<24x16xbf16>) -> tensor<16x24xbf16>
    %121 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<24xbf16>
    %122 = stablehlo.multiply %arg7, %121 : tensor<24xbf16>
    %123 = stablehlo.dot_general %119, %120, contracting_dims = [1] x [0] : (tensor<14x16xbf16>, tensor<16x24xbf16>) -> tensor<14x24xbf16>
    %124 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<14x24xbf16>
    %125 = stablehlo.multiply %124, %123 : tensor<14x24xbf16>
    %126 = stablehlo.broadcast_in_dim %122, dims = [1] : (tensor<24xbf16>) -> tensor<1x24xbf16>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1] : (tensor<1x24xbf16>) -> tensor<14x24xbf16>
    %128 = stablehlo.add %127, %125 : tensor<14x24xbf16>
    %129 = stablehlo.reshape %128 : (tensor<14x24xbf16>) -> tensor<2x7x24xbf16>
    %130 = stablehlo.convert %129 : (tensor<2x7x24xbf16>) -> tensor<2x7x24xf32>
    %131 = stablehlo.negate %130 : tensor<2x7x24xf32>
    %132 = stablehlo.exponential %131 : tensor<2x7x24xf32>
    %133 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x7x24xf32>
    %134 = stablehlo.add %133, %132 : tensor<2x7x24xf32>
    %135 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x7x24xf32>
    %136 = stablehlo.divide %135, %134 : tensor<2x7x24xf32>
    %137 = stablehlo.multiply %130, %136 : tensor<2x7x24xf32>
    %138 = stablehlo.convert %137 : (tensor<2x7x24xf32>) -> tensor<2x7x24xbf16>
    %139 = stablehlo.reshape %118 : (tensor<2x7x16xbf16>) -> tensor<14x16xbf16>
    %140 = stablehlo.transpose %arg8, dims = [1, 0] : (tensor<24x16xbf16>) -> tensor<16x24xbf16>
    %141 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<24xbf16>
    %142 = stablehlo.multiply %arg9, %141 : tensor<24xbf16>
    %143 = stablehlo.dot_general %139, %140, contracting_dims = [1] x [0] : (tensor<14x16xbf16>, tensor<16x24xbf16>) -> tensor<14x24xbf16>
    %144 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<14x24xbf16>
    %145 = stablehlo.multiply %144, %143 : tensor<14x24xbf16>
    %146 = stablehlo.broadcast_in_dim %142, dims = [1] : (tensor<24xbf16>) -> tensor<1x24xbf16>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1] : (tensor<1x24xbf16>) -> tensor<14x24xbf16>
    %148 = stablehlo.add %147, %145 : tensor<14x24xbf16>
    %149 = stablehlo.reshape %148 : (tensor<14x24xbf16>) -> tensor<2x7x24xbf16>
    %150 = stablehlo.multiply %138, %149 : tensor<2x7x24xbf16>
    %151 = stablehlo.reshape %150 : (tensor<2x7x24xbf16>) -> tensor<14x24xbf16>
    %152 = stablehlo.transpose %arg10, dims = [1, 0] : (tensor<16x24xbf16>) -> tensor<24x16xbf16>
    %153 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<16xbf16>
    %154 = stablehlo.multiply %arg11, %153 : tensor<16xbf16>
    %155 = stablehlo.dot_general %151, %152, contracting_dims = [1] x [0] : (tensor<14x24xbf16>, tensor<24x16xbf16>) -> tensor<14x16xbf16>
    %156 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<14x16xbf16>
    %157 = stablehlo.multiply %156, %155 : tensor<14x16xbf16>
    %158 = stablehlo.broadcast_in_dim %154, dims = [1] : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1] : (tensor<1x16xbf16>) -> tensor<14x16xbf16>
    %160 = stablehlo.add %159, %157 : tensor<14x16xbf16>
    %161 = stablehlo.reshape %160 : (tensor<14x16xbf16>) -> tensor<2x7x16xbf16>
    %162 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x7x16xbf16>
    %163 = stablehlo.multiply %161, %162 : tensor<2x7x16xbf16>
    %164 = stablehlo.add %98, %163 : tensor<2x7x16xbf16>
    return %164 : tensor<2x7x16xbf16>
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
  func.func private @_var(%arg0: tensor<2x7x16xbf16>, %arg1: tensor<i32>) -> tensor<2x7x1xbf16> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg0 : (tensor<2x7x16xbf16>) -> tensor<2x7x16xf32>
    %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x7x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x7x1xf32>) -> tensor<2x7x16xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<2x7x16xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<2x7x16xf32>
    %8 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %9 = stablehlo.subtract %cst_0, %8 : tensor<f32>
    %10 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x7x16xf32>, tensor<f32>) -> tensor<2x7xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x7xf32>) -> tensor<2x7x1xf32>
    %12 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<2x7x1xf32>
    %13 = stablehlo.divide %11, %12 : tensor<2x7x1xf32>
    %14 = stablehlo.convert %13 : (tensor<2x7x1xf32>) -> tensor<2x7x1xbf16>
    %15 = stablehlo.compare GT, %9, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %16 = call @_where_1(%15, %14, %cst) : (tensor<i1>, tensor<2x7x1xbf16>, tensor<f32>) -> tensor<2x7x1xbf16>
    return %16 : tensor<2x7x1xbf16>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<2x7x1xbf16>, %arg2: tensor<f32>) -> tensor<2x7x1xbf16> {
    %0 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<2x7x1xbf16>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x7x1xbf16>
    return %2 : tensor<2x7x1xbf16>
  }
}
