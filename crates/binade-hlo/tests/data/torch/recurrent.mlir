module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x6xf32>, %arg1: tensor<32x8xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<20x8xf32>, %arg5: tensor<20x5xf32>, %arg6: tensor<20xf32>, %arg7: tensor<20xf32>, %arg8: tensor<20x8xf32>, %arg9: tensor<20x5xf32>, %arg10: tensor<20xf32>, %arg11: tensor<20xf32>, %arg12: tensor<18x10xf32>, %arg13: tensor<18x6xf32>, %arg14: tensor<18xf32>, %arg15: tensor<18xf32>, %arg16: tensor<2x3x6xf32>) -> (tensor<2x3x10xf32> {jax.result_info = "result[0]"}, tensor<16xf32> {jax.result_info = "result[1]"}, tensor<16xf32> {jax.result_info = "result[2]"}, tensor<2x6xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %2 = stablehlo.reshape %0 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %3 = stablehlo.reshape %1 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %4 = stablehlo.transpose %arg16, dims = [1, 0, 2] : (tensor<2x3x6xf32>) -> tensor<3x2x6xf32>
    %5 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %7 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<32x6xf32>) -> tensor<6x32xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<6x32xf32>) -> tensor<3x6x32xf32>
    %9 = stablehlo.dot_general %4, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x2x6xf32>, tensor<3x6x32xf32>) -> tensor<3x2x32xf32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %11 = stablehlo.multiply %arg2, %10 : tensor<32xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<3x2x32xf32>
    %14 = stablehlo.add %9, %13 : tensor<3x2x32xf32>
    %15 = stablehlo.slice %14 [0:1, 0:2, 0:32] : (tensor<3x2x32xf32>) -> tensor<1x2x32xf32>
    %16 = stablehlo.slice %14 [1:2, 0:2, 0:32] : (tensor<3x2x32xf32>) -> tensor<1x2x32xf32>
    %17 = stablehlo.slice %14 [2:3, 0:2, 0:32] : (tensor<3x2x32xf32>) -> tensor<1x2x32xf32>
    %18 = stablehlo.reshape %15 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %19 = stablehlo.reshape %16 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %20 = stablehlo.reshape %17 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %21 = stablehlo.reshape %5 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %22 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %23 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %24 = stablehlo.multiply %arg3, %23 : tensor<32xf32>
    %25 = stablehlo.dot_general %21, %22, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x32xf32>) -> tensor<2x32xf32>
    %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<2x32xf32>
    %28 = stablehlo.broadcast_in_dim %24, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<2x32xf32>
    %30 = stablehlo.add %29, %27 : tensor<2x32xf32>
    %31 = stablehlo.reshape %30 : (tensor<2x32xf32>) -> tensor<1x2x32xf32>
    %32 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %33 = stablehlo.multiply %18, %32 : tensor<2x32xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [1, 2] : (tensor<2x32xf32>) -> tensor<1x2x32xf32>
    %35 = stablehlo.add %31, %34 : tensor<1x2x32xf32>
    %36 = stablehlo.slice %35 [0:1, 0:2, 0:8] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %37 = stablehlo.slice %35 [0:1, 0:2, 8:16] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %38 = stablehlo.slice %35 [0:1, 0:2, 16:24] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %39 = stablehlo.slice %35 [0:1, 0:2, 24:32] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %40 = stablehlo.negate %36 : tensor<1x2x8xf32>
    %41 = stablehlo.exponential %40 : tensor<1x2x8xf32>
    %42 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %43 = stablehlo.add %42, %41 : tensor<1x2x8xf32>
    %44 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %45 = stablehlo.divide %44, %43 : tensor<1x2x8xf32>
    %46 = stablehlo.negate %37 : tensor<1x2x8xf32>
    %47 = stablehlo.exponential %46 : tensor<1x2x8xf32>
    %48 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %49 = stablehlo.add %48, %47 : tensor<1x2x8xf32>
    %50 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %51 = stablehlo.divide %50, %49 : tensor<1x2x8xf32>
    %52 = stablehlo.tanh %38 : tensor<1x2x8xf32>
    %53 = stablehlo.negate %39 : tensor<1x2x8xf32>
    %54 = stablehlo.exponential %53 : tensor<1x2x8xf32>
    %55 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %56 = stablehlo.add %55, %54 : tensor<1x2x8xf32>
    %57 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %58 = stablehlo.divide %57, %56 : tensor<1x2x8xf32>
    %59 = stablehlo.multiply %51, %6 : tensor<1x2x8xf32>
    %60 = stablehlo.multiply %45, %52 : tensor<1x2x8xf32>
    %61 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %62 = stablehlo.multiply %60, %61 : tensor<1x2x8xf32>
    %63 = stablehlo.add %59, %62 : tensor<1x2x8xf32>
    %64 = stablehlo.tanh %63 : tensor<1x2x8xf32>
    %65 = stablehlo.multiply %58, %64 : tensor<1x2x8xf32>
    %66 = stablehlo.reshape %65 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %67 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %68 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %69 = stablehlo.multiply %arg3, %68 : tensor<32xf32>
    %70 = stablehlo.dot_general %66, %67, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x32xf32>) -> tensor<2x32xf32>
    %71 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<2x32xf32>
    %73 = stablehlo.broadcast_in_dim %69, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<2x32xf32>
    %75 = stablehlo.add %74, %72 : tensor<2x32xf32>
    %76 = stablehlo.reshape %75 : (tensor<2x32xf32>) -> tensor<1x2x32xf32>
    %77 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %78 = stablehlo.multiply %19, %77 : tensor<2x32xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [1, 2] : (tensor<2x32xf32>) -> tensor<1x2x32xf32>
    %80 = stablehlo.add %76, %79 : tensor<1x2x32xf32>
    %81 = stablehlo.slice %80 [0:1, 0:2, 0:8] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %82 = stablehlo.slice %80 [0:1, 0:2, 8:16] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %83 = stablehlo.slice %80 [0:1, 0:2, 16:24] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %84 = stablehlo.slice %80 [0:1, 0:2, 24:32] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %85 = stablehlo.negate %81 : tensor<1x2x8xf32>
    %86 = stablehlo.exponential %85 : tensor<1x2x8xf32>
    %87 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %88 = stablehlo.add %87, %86 : tensor<1x2x8xf32>
    %89 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %90 = stablehlo.divide %89, %88 : tensor<1x2x8xf32>
    %91 = stablehlo.negate %82 : tensor<1x2x8xf32>
    %92 = stablehlo.exponential %91 : tensor<1x2x8xf32>
    %93 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %94 = stablehlo.add %93, %92 : tensor<1x2x8xf32>
    %95 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %96 = stablehlo.divide %95, %94 : tensor<1x2x8xf32>
    %97 = stablehlo.tanh %83 : tensor<1x2x8xf32>
    %98 = stablehlo.negate %84 : tensor<1x2x8xf32>
    %99 = stablehlo.exponential %98 : tensor<1x2x8xf32>
    %100 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %101 = stablehlo.add %100, %99 : tensor<1x2x8xf32>
    %102 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %103 = stablehlo.divide %102, %101 : tensor<1x2x8xf32>
    %104 = stablehlo.multiply %96, %63 : tensor<1x2x8xf32>
    %105 = stablehlo.multiply %90, %97 : tensor<1x2x8xf32>
    %106 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %107 = stablehlo.multiply %105, %106 : tensor<1x2x8xf32>
    %108 = stablehlo.add %104, %107 : tensor<1x2x8xf32>
    %109 = stablehlo.tanh %108 : tensor<1x2x8xf32>
    %110 = stablehlo.multiply %103, %109 : tensor<1x2x8xf32>
    %111 = stablehlo.reshape %110 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %112 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %113 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %114 = stablehlo.multiply %arg3, %113 : tensor<32xf32>
    %115 = stablehlo.dot_general %111, %112, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x32xf32>) -> tensor<2x32xf32>
    %116 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %117 = stablehlo.multiply %116, %115 : tensor<2x32xf32>
    %118 = stablehlo.broadcast_in_dim %114, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<2x32xf32>
    %120 = stablehlo.add %119, %117 : tensor<2x32xf32>
    %121 = stablehlo.reshape %120 : (tensor<2x32xf32>) -> tensor<1x2x32xf32>
    %122 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %123 = stablehlo.multiply %20, %122 : tensor<2x32xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [1, 2] : (tensor<2x32xf32>) -> tensor<1x2x32xf32>
    %125 = stablehlo.add %121, %124 : tensor<1x2x32xf32>
    %126 = stablehlo.slice %125 [0:1, 0:2, 0:8] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %127 = stablehlo.slice %125 [0:1, 0:2, 8:16] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %128 = stablehlo.slice %125 [0:1, 0:2, 16:24] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %129 = stablehlo.slice %125 [0:1, 0:2, 24:32] : (tensor<1x2x32xf32>) -> tensor<1x2x8xf32>
    %130 = stablehlo.negate %126 : tensor<1x2x8xf32>
    %131 = stablehlo.exponential %130 : tensor<1x2x8xf32>
    %132 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %133 = stablehlo.add %132, %131 : tensor<1x2x8xf32>
    %134 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %135 = stablehlo.divide %134, %133 : tensor<1x2x8xf32>
    %136 = stablehlo.negate %127 : tensor<1x2x8xf32>
    %137 = stablehlo.exponential %136 : tensor<1x2x8xf32>
    %138 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %139 = stablehlo.add %138, %137 : tensor<1x2x8xf32>
    %140 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %141 = stablehlo.divide %140, %139 : tensor<1x2x8xf32>
    %142 = stablehlo.tanh %128 : tensor<1x2x8xf32>
    %143 = stablehlo.negate %129 : tensor<1x2x8xf32>
    %144 = stablehlo.exponential %143 : tensor<1x2x8xf32>
    %145 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %146 = stablehlo.add %145, %144 : tensor<1x2x8xf32>
    %147 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %148 = stablehlo.divide %147, %146 : tensor<1x2x8xf32>
    %149 = stablehlo.multiply %141, %108 : tensor<1x2x8xf32>
    %150 = stablehlo.multiply %135, %142 : tensor<1x2x8xf32>
    %151 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x8xf32>
    %152 = stablehlo.multiply %150, %151 : tensor<1x2x8xf32>
    %153 = stablehlo.add %149, %152 : tensor<1x2x8xf32>
    %154 = stablehlo.tanh %153 : tensor<1x2x8xf32>
    %155 = stablehlo.multiply %148, %154 : tensor<1x2x8xf32>
    %156 = stablehlo.concatenate %65, %110, %155, dim = 0 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<3x2x8xf32>
    %157 = stablehlo.transpose %156, dims = [1, 0, 2] : (tensor<3x2x8xf32>) -> tensor<2x3x8xf32>
    %158 = stablehlo.reshape %155 : (tensor<1x2x8xf32>) -> tensor<1x1x2x8xf32>
    %159 = stablehlo.reshape %153 : (tensor<1x2x8xf32>) -> tensor<1x1x2x8xf32>
    %160 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %161 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %162 = stablehlo.slice %160 [0:1, 0:2, 0:5] : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %163 = stablehlo.slice %160 [1:2, 0:2, 0:5] : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %164 = stablehlo.reshape %162 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %165 = stablehlo.reshape %163 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %166 = stablehlo.slice %161 [0:1, 0:2, 0:5] : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %167 = stablehlo.slice %161 [1:2, 0:2, 0:5] : (tensor<2x2x5xf32>) -> tensor<1x2x5xf32>
    %168 = stablehlo.reshape %166 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %169 = stablehlo.reshape %167 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %170 = stablehlo.transpose %157, dims = [1, 0, 2] : (tensor<2x3x8xf32>) -> tensor<3x2x8xf32>
    %171 = stablehlo.broadcast_in_dim %164, dims = [1, 2] : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %172 = stablehlo.broadcast_in_dim %168, dims = [1, 2] : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %173 = stablehlo.reshape %170 : (tensor<3x2x8xf32>) -> tensor<6x8xf32>
    %174 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<20x8xf32>) -> tensor<8x20xf32>
    %175 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %176 = stablehlo.multiply %arg6, %175 : tensor<20xf32>
    %177 = stablehlo.dot_general %173, %174, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x20xf32>) -> tensor<6x20xf32>
    %178 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x20xf32>
    %179 = stablehlo.multiply %178, %177 : tensor<6x20xf32>
    %180 = stablehlo.broadcast_in_dim %176, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<6x20xf32>
    %182 = stablehlo.add %181, %179 : tensor<6x20xf32>
    %183 = stablehlo.reshape %182 : (tensor<6x20xf32>) -> tensor<3x2x20xf32>
    %184 = stablehlo.slice %183 [0:1, 0:2, 0:20] : (tensor<3x2x20xf32>) -> tensor<1x2x20xf32>
    %185 = stablehlo.slice %183 [1:2, 0:2, 0:20] : (tensor<3x2x20xf32>) -> tensor<1x2x20xf32>
    %186 = stablehlo.slice %183 [2:3, 0:2, 0:20] : (tensor<3x2x20xf32>) -> tensor<1x2x20xf32>
    %187 = stablehlo.reshape %184 : (tensor<1x2x20xf32>) -> tensor<2x20xf32>
    %188 = stablehlo.reshape %185 : (tensor<1x2x20xf32>) -> tensor<2x20xf32>
    %189 = stablehlo.reshape %186 : (tensor<1x2x20xf32>) -> tensor<2x20xf32>
    %190 = stablehlo.reshape %171 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %191 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<20x5xf32>) -> tensor<5x20xf32>
    %192 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %193 = stablehlo.multiply %arg7, %192 : tensor<20xf32>
    %194 = stablehlo.dot_general %190, %191, contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x20xf32>) -> tensor<2x20xf32>
    %195 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %196 = stablehlo.multiply %195, %194 : tensor<2x20xf32>
    %197 = stablehlo.broadcast_in_dim %193, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<2x20xf32>
    %199 = stablehlo.add %198, %196 : tensor<2x20xf32>
    %200 = stablehlo.reshape %199 : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %201 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %202 = stablehlo.multiply %187, %201 : tensor<2x20xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [1, 2] : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %204 = stablehlo.add %200, %203 : tensor<1x2x20xf32>
    %205 = stablehlo.slice %204 [0:1, 0:2, 0:5] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %206 = stablehlo.slice %204 [0:1, 0:2, 5:10] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %207 = stablehlo.slice %204 [0:1, 0:2, 10:15] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %208 = stablehlo.slice %204 [0:1, 0:2, 15:20] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %209 = stablehlo.negate %205 : tensor<1x2x5xf32>
    %210 = stablehlo.exponential %209 : tensor<1x2x5xf32>
    %211 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %212 = stablehlo.add %211, %210 : tensor<1x2x5xf32>
    %213 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %214 = stablehlo.divide %213, %212 : tensor<1x2x5xf32>
    %215 = stablehlo.negate %206 : tensor<1x2x5xf32>
    %216 = stablehlo.exponential %215 : tensor<1x2x5xf32>
    %217 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %218 = stablehlo.add %217, %216 : tensor<1x2x5xf32>
    %219 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %220 = stablehlo.divide %219, %218 : tensor<1x2x5xf32>
    %221 = stablehlo.tanh %207 : tensor<1x2x5xf32>
    %222 = stablehlo.negate %208 : tensor<1x2x5xf32>
    %223 = stablehlo.exponential %222 : tensor<1x2x5xf32>
    %224 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %225 = stablehlo.add %224, %223 : tensor<1x2x5xf32>
    %226 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %227 = stablehlo.divide %226, %225 : tensor<1x2x5xf32>
    %228 = stablehlo.multiply %220, %172 : tensor<1x2x5xf32>
    %229 = stablehlo.multiply %214, %221 : tensor<1x2x5xf32>
    %230 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %231 = stablehlo.multiply %229, %230 : tensor<1x2x5xf32>
    %232 = stablehlo.add %228, %231 : tensor<1x2x5xf32>
    %233 = stablehlo.tanh %232 : tensor<1x2x5xf32>
    %234 = stablehlo.multiply %227, %233 : tensor<1x2x5xf32>
    %235 = stablehlo.reshape %234 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %236 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<20x5xf32>) -> tensor<5x20xf32>
    %237 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %238 = stablehlo.multiply %arg7, %237 : tensor<20xf32>
    %239 = stablehlo.dot_general %235, %236, contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x20xf32>) -> tensor<2x20xf32>
    %240 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %241 = stablehlo.multiply %240, %239 : tensor<2x20xf32>
    %242 = stablehlo.broadcast_in_dim %238, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<2x20xf32>
    %244 = stablehlo.add %243, %241 : tensor<2x20xf32>
    %245 = stablehlo.reshape %244 : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %246 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %247 = stablehlo.multiply %188, %246 : tensor<2x20xf32>
    %248 = stablehlo.broadcast_in_dim %247, dims = [1, 2] : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %249 = stablehlo.add %245, %248 : tensor<1x2x20xf32>
    %250 = stablehlo.slice %249 [0:1, 0:2, 0:5] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %251 = stablehlo.slice %249 [0:1, 0:2, 5:10] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %252 = stablehlo.slice %249 [0:1, 0:2, 10:15] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %253 = stablehlo.slice %249 [0:1, 0:2, 15:20] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %254 = stablehlo.negate %250 : tensor<1x2x5xf32>
    %255 = stablehlo.exponential %254 : tensor<1x2x5xf32>
    %256 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %257 = stablehlo.add %256, %255 : tensor<1x2x5xf32>
    %258 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %259 = stablehlo.divide %258, %257 : tensor<1x2x5xf32>
    %260 = stablehlo.negate %251 : tensor<1x2x5xf32>
    %261 = stablehlo.exponential %260 : tensor<1x2x5xf32>
    %262 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %263 = stablehlo.add %262, %261 : tensor<1x2x5xf32>
    %264 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %265 = stablehlo.divide %264, %263 : tensor<1x2x5xf32>
    %266 = stablehlo.tanh %252 : tensor<1x2x5xf32>
    %267 = stablehlo.negate %253 : tensor<1x2x5xf32>
    %268 = stablehlo.exponential %267 : tensor<1x2x5xf32>
    %269 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %270 = stablehlo.add %269, %268 : tensor<1x2x5xf32>
    %271 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %272 = stablehlo.divide %271, %270 : tensor<1x2x5xf32>
    %273 = stablehlo.multiply %265, %232 : tensor<1x2x5xf32>
    %274 = stablehlo.multiply %259, %266 : tensor<1x2x5xf32>
    %275 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %276 = stablehlo.multiply %274, %275 : tensor<1x2x5xf32>
    %277 = stablehlo.add %273, %276 : tensor<1x2x5xf32>
    %278 = stablehlo.tanh %277 : tensor<1x2x5xf32>
    %279 = stablehlo.multiply %272, %278 : tensor<1x2x5xf32>
    %280 = stablehlo.reshape %279 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %281 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<20x5xf32>) -> tensor<5x20xf32>
    %282 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %283 = stablehlo.multiply %arg7, %282 : tensor<20xf32>
    %284 = stablehlo.dot_general %280, %281, contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x20xf32>) -> tensor<2x20xf32>
    %285 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %286 = stablehlo.multiply %285, %284 : tensor<2x20xf32>
    %287 = stablehlo.broadcast_in_dim %283, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %288 = stablehlo.broadcast_in_dim %287, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<2x20xf32>
    %289 = stablehlo.add %288, %286 : tensor<2x20xf32>
    %290 = stablehlo.reshape %289 : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %291 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %292 = stablehlo.multiply %189, %291 : tensor<2x20xf32>
    %293 = stablehlo.broadcast_in_dim %292, dims = [1, 2] : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %294 = stablehlo.add %290, %293 : tensor<1x2x20xf32>
    %295 = stablehlo.slice %294 [0:1, 0:2, 0:5] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %296 = stablehlo.slice %294 [0:1, 0:2, 5:10] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %297 = stablehlo.slice %294 [0:1, 0:2, 10:15] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %298 = stablehlo.slice %294 [0:1, 0:2, 15:20] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %299 = stablehlo.negate %295 : tensor<1x2x5xf32>
    %300 = stablehlo.exponential %299 : tensor<1x2x5xf32>
    %301 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %302 = stablehlo.add %301, %300 : tensor<1x2x5xf32>
    %303 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %304 = stablehlo.divide %303, %302 : tensor<1x2x5xf32>
    %305 = stablehlo.negate %296 : tensor<1x2x5xf32>
    %306 = stablehlo.exponential %305 : tensor<1x2x5xf32>
    %307 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %308 = stablehlo.add %307, %306 : tensor<1x2x5xf32>
    %309 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %310 = stablehlo.divide %309, %308 : tensor<1x2x5xf32>
    %311 = stablehlo.tanh %297 : tensor<1x2x5xf32>
    %312 = stablehlo.negate %298 : tensor<1x2x5xf32>
    %313 = stablehlo.exponential %312 : tensor<1x2x5xf32>
    %314 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %315 = stablehlo.add %314, %313 : tensor<1x2x5xf32>
    %316 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %317 = stablehlo.divide %316, %315 : tensor<1x2x5xf32>
    %318 = stablehlo.multiply %310, %277 : tensor<1x2x5xf32>
    %319 = stablehlo.multiply %304, %311 : tensor<1x2x5xf32>
    %320 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %321 = stablehlo.multiply %319, %320 : tensor<1x2x5xf32>
    %322 = stablehlo.add %318, %321 : tensor<1x2x5xf32>
    %323 = stablehlo.tanh %322 : tensor<1x2x5xf32>
    %324 = stablehlo.multiply %317, %323 : tensor<1x2x5xf32>
    %325 = stablehlo.concatenate %234, %279, %324, dim = 0 : (tensor<1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>) -> tensor<3x2x5xf32>
    %326 = stablehlo.broadcast_in_dim %165, dims = [1, 2] : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %327 = stablehlo.broadcast_in_dim %169, dims = [1, 2] : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %328 = stablehlo.reshape %170 : (tensor<3x2x8xf32>) -> tensor<6x8xf32>
    %329 = stablehlo.transpose %arg8, dims = [1, 0] : (tensor<20x8xf32>) -> tensor<8x20xf32>
    %330 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %331 = stablehlo.multiply %arg10, %330 : tensor<20xf32>
    %332 = stablehlo.dot_general %328, %329, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x20xf32>) -> tensor<6x20xf32>
    %333 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x20xf32>
    %334 = stablehlo.multiply %333, %332 : tensor<6x20xf32>
    %335 = stablehlo.broadcast_in_dim %331, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %336 = stablehlo.broadcast_in_dim %335, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<6x20xf32>
    %337 = stablehlo.add %336, %334 : tensor<6x20xf32>
    %338 = stablehlo.reshape %337 : (tensor<6x20xf32>) -> tensor<3x2x20xf32>
    %339 = call @_flip(%338) : (tensor<3x2x20xf32>) -> tensor<3x2x20xf32>
    %340 = stablehlo.slice %339 [0:1, 0:2, 0:20] : (tensor<3x2x20xf32>) -> tensor<1x2x20xf32>
    %341 = stablehlo.slice %339 [1:2, 0:2, 0:20] : (tensor<3x2x20xf32>) -> tensor<1x2x20xf32>
    %342 = stablehlo.slice %339 [2:3, 0:2, 0:20] : (tensor<3x2x20xf32>) -> tensor<1x2x20xf32>
    %343 = stablehlo.reshape %340 : (tensor<1x2x20xf32>) -> tensor<2x20xf32>
    %344 = stablehlo.reshape %341 : (tensor<1x2x20xf32>) -> tensor<2x20xf32>
    %345 = stablehlo.reshape %342 : (tensor<1x2x20xf32>) -> tensor<2x20xf32>
    %346 = stablehlo.reshape %326 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %347 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<20x5xf32>) -> tensor<5x20xf32>
    %348 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %349 = stablehlo.multiply %arg11, %348 : tensor<20xf32>
    %350 = stablehlo.dot_general %346, %347, contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x20xf32>) -> tensor<2x20xf32>
    %351 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %352 = stablehlo.multiply %351, %350 : tensor<2x20xf32>
    %353 = stablehlo.broadcast_in_dim %349, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %354 = stablehlo.broadcast_in_dim %353, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<2x20xf32>
    %355 = stablehlo.add %354, %352 : tensor<2x20xf32>
    %356 = stablehlo.reshape %355 : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %357 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %358 = stablehlo.multiply %343, %357 : tensor<2x20xf32>
    %359 = stablehlo.broadcast_in_dim %358, dims = [1, 2] : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %360 = stablehlo.add %356, %359 : tensor<1x2x20xf32>
    %361 = stablehlo.slice %360 [0:1, 0:2, 0:5] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %362 = stablehlo.slice %360 [0:1, 0:2, 5:10] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %363 = stablehlo.slice %360 [0:1, 0:2, 10:15] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %364 = stablehlo.slice %360 [0:1, 0:2, 15:20] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %365 = stablehlo.negate %361 : tensor<1x2x5xf32>
    %366 = stablehlo.exponential %365 : tensor<1x2x5xf32>
    %367 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %368 = stablehlo.add %367, %366 : tensor<1x2x5xf32>
    %369 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %370 = stablehlo.divide %369, %368 : tensor<1x2x5xf32>
    %371 = stablehlo.negate %362 : tensor<1x2x5xf32>
    %372 = stablehlo.exponential %371 : tensor<1x2x5xf32>
    %373 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %374 = stablehlo.add %373, %372 : tensor<1x2x5xf32>
    %375 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %376 = stablehlo.divide %375, %374 : tensor<1x2x5xf32>
    %377 = stablehlo.tanh %363 : tensor<1x2x5xf32>
    %378 = stablehlo.negate %364 : tensor<1x2x5xf32>
    %379 = stablehlo.exponential %378 : tensor<1x2x5xf32>
    %380 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %381 = stablehlo.add %380, %379 : tensor<1x2x5xf32>
    %382 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %383 = stablehlo.divide %382, %381 : tensor<1x2x5xf32>
    %384 = stablehlo.multiply %376, %327 : tensor<1x2x5xf32>
    %385 = stablehlo.multiply %370, %377 : tensor<1x2x5xf32>
    %386 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %387 = stablehlo.multiply %385, %386 : tensor<1x2x5xf32>
    %388 = stablehlo.add %384, %387 : tensor<1x2x5xf32>
    %389 = stablehlo.tanh %388 : tensor<1x2x5xf32>
    %390 = stablehlo.multiply %383, %389 : tensor<1x2x5xf32>
    %391 = stablehlo.reshape %390 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %392 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<20x5xf32>) -> tensor<5x20xf32>
    %393 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %394 = stablehlo.multiply %arg11, %393 : tensor<20xf32>
    %395 = stablehlo.dot_general %391, %392, contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x20xf32>) -> tensor<2x20xf32>
    %396 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %397 = stablehlo.multiply %396, %395 : tensor<2x20xf32>
    %398 = stablehlo.broadcast_in_dim %394, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %399 = stablehlo.broadcast_in_dim %398, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<2x20xf32>
    %400 = stablehlo.add %399, %397 : tensor<2x20xf32>
    %401 = stablehlo.reshape %400 : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %402 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %403 = stablehlo.multiply %344, %402 : tensor<2x20xf32>
    %404 = stablehlo.broadcast_in_dim %403, dims = [1, 2] : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %405 = stablehlo.add %401, %404 : tensor<1x2x20xf32>
    %406 = stablehlo.slice %405 [0:1, 0:2, 0:5] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %407 = stablehlo.slice %405 [0:1, 0:2, 5:10] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %408 = stablehlo.slice %405 [0:1, 0:2, 10:15] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %409 = stablehlo.slice %405 [0:1, 0:2, 15:20] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %410 = stablehlo.negate %406 : tensor<1x2x5xf32>
    %411 = stablehlo.exponential %410 : tensor<1x2x5xf32>
    %412 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %413 = stablehlo.add %412, %411 : tensor<1x2x5xf32>
    %414 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %415 = stablehlo.divide %414, %413 : tensor<1x2x5xf32>
    %416 = stablehlo.negate %407 : tensor<1x2x5xf32>
    %417 = stablehlo.exponential %416 : tensor<1x2x5xf32>
    %418 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %419 = stablehlo.add %418, %417 : tensor<1x2x5xf32>
    %420 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %421 = stablehlo.divide %420, %419 : tensor<1x2x5xf32>
    %422 = stablehlo.tanh %408 : tensor<1x2x5xf32>
    %423 = stablehlo.negate %409 : tensor<1x2x5xf32>
    %424 = stablehlo.exponential %423 : tensor<1x2x5xf32>
    %425 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %426 = stablehlo.add %425, %424 : tensor<1x2x5xf32>
    %427 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %428 = stablehlo.divide %427, %426 : tensor<1x2x5xf32>
    %429 = stablehlo.multiply %421, %388 : tensor<1x2x5xf32>
    %430 = stablehlo.multiply %415, %422 : tensor<1x2x5xf32>
    %431 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %432 = stablehlo.multiply %430, %431 : tensor<1x2x5xf32>
    %433 = stablehlo.add %429, %432 : tensor<1x2x5xf32>
    %434 = stablehlo.tanh %433 : tensor<1x2x5xf32>
    %435 = stablehlo.multiply %428, %434 : tensor<1x2x5xf32>
    %436 = stablehlo.reshape %435 : (tensor<1x2x5xf32>) -> tensor<2x5xf32>
    %437 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<20x5xf32>) -> tensor<5x20xf32>
    %438 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %439 = stablehlo.multiply %arg11, %438 : tensor<20xf32>
    %440 = stablehlo.dot_general %436, %437, contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x20xf32>) -> tensor<2x20xf32>
    %441 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %442 = stablehlo.multiply %441, %440 : tensor<2x20xf32>
    %443 = stablehlo.broadcast_in_dim %439, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %444 = stablehlo.broadcast_in_dim %443, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<2x20xf32>
    %445 = stablehlo.add %444, %442 : tensor<2x20xf32>
    %446 = stablehlo.reshape %445 : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %447 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %448 = stablehlo.multiply %345, %447 : tensor<2x20xf32>
    %449 = stablehlo.broadcast_in_dim %448, dims = [1, 2] : (tensor<2x20xf32>) -> tensor<1x2x20xf32>
    %450 = stablehlo.add %446, %449 : tensor<1x2x20xf32>
    %451 = stablehlo.slice %450 [0:1, 0:2, 0:5] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %452 = stablehlo.slice %450 [0:1, 0:2, 5:10] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %453 = stablehlo.slice %450 [0:1, 0:2, 10:15] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %454 = stablehlo.slice %450 [0:1, 0:2, 15:20] : (tensor<1x2x20xf32>) -> tensor<1x2x5xf32>
    %455 = stablehlo.negate %451 : tensor<1x2x5xf32>
    %456 = stablehlo.exponential %455 : tensor<1x2x5xf32>
    %457 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %458 = stablehlo.add %457, %456 : tensor<1x2x5xf32>
    %459 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %460 = stablehlo.divide %459, %458 : tensor<1x2x5xf32>
    %461 = stablehlo.negate %452 : tensor<1x2x5xf32>
    %462 = stablehlo.exponential %461 : tensor<1x2x5xf32>
    %463 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %464 = stablehlo.add %463, %462 : tensor<1x2x5xf32>
    %465 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %466 = stablehlo.divide %465, %464 : tensor<1x2x5xf32>
    %467 = stablehlo.tanh %453 : tensor<1x2x5xf32>
    %468 = stablehlo.negate %454 : tensor<1x2x5xf32>
    %469 = stablehlo.exponential %468 : tensor<1x2x5xf32>
    %470 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %471 = stablehlo.add %470, %469 : tensor<1x2x5xf32>
    %472 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %473 = stablehlo.divide %472, %471 : tensor<1x2x5xf32>
    %474 = stablehlo.multiply %466, %433 : tensor<1x2x5xf32>
    %475 = stablehlo.multiply %460, %467 : tensor<1x2x5xf32>
    %476 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %477 = stablehlo.multiply %475, %476 : tensor<1x2x5xf32>
    %478 = stablehlo.add %474, %477 : tensor<1x2x5xf32>
    %479 = stablehlo.tanh %478 : tensor<1x2x5xf32>
    %480 = stablehlo.multiply %473, %479 : tensor<1x2x5xf32>
    %481 = stablehlo.concatenate %480, %435, %390, dim = 0 : (tensor<1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>) -> tensor<3x2x5xf32>
    %482 = stablehlo.concatenate %325, %481, dim = 2 : (tensor<3x2x5xf32>, tensor<3x2x5xf32>) -> tensor<3x2x10xf32>
    %483 = stablehlo.transpose %482, dims = [1, 0, 2] : (tensor<3x2x10xf32>) -> tensor<2x3x10xf32>
    %484 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %485 = stablehlo.slice %483 [0:2, 0:1, 0:10] : (tensor<2x3x10xf32>) -> tensor<2x1x10xf32>
    %486 = stablehlo.reshape %485 : (tensor<2x1x10xf32>) -> tensor<2x10xf32>
    %487 = stablehlo.transpose %arg12, dims = [1, 0] : (tensor<18x10xf32>) -> tensor<10x18xf32>
    %488 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<18xf32>
    %489 = stablehlo.multiply %arg14, %488 : tensor<18xf32>
    %490 = stablehlo.dot_general %486, %487, contracting_dims = [1] x [0] : (tensor<2x10xf32>, tensor<10x18xf32>) -> tensor<2x18xf32>
    %491 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x18xf32>
    %492 = stablehlo.multiply %491, %490 : tensor<2x18xf32>
    %493 = stablehlo.broadcast_in_dim %489, dims = [1] : (tensor<18xf32>) -> tensor<1x18xf32>
    %494 = stablehlo.broadcast_in_dim %493, dims = [0, 1] : (tensor<1x18xf32>) -> tensor<2x18xf32>
    %495 = stablehlo.add %494, %492 : tensor<2x18xf32>
    %496 = stablehlo.slice %495 [0:2, 0:6] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %497 = stablehlo.slice %495 [0:2, 6:12] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %498 = stablehlo.slice %495 [0:2, 12:18] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %499 = stablehlo.transpose %arg13, dims = [1, 0] : (tensor<18x6xf32>) -> tensor<6x18xf32>
    %500 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<18xf32>
    %501 = stablehlo.multiply %arg15, %500 : tensor<18xf32>
    %502 = stablehlo.dot_general %484, %499, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x18xf32>) -> tensor<2x18xf32>
    %503 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x18xf32>
    %504 = stablehlo.multiply %503, %502 : tensor<2x18xf32>
    %505 = stablehlo.broadcast_in_dim %501, dims = [1] : (tensor<18xf32>) -> tensor<1x18xf32>
    %506 = stablehlo.broadcast_in_dim %505, dims = [0, 1] : (tensor<1x18xf32>) -> tensor<2x18xf32>
    %507 = stablehlo.add %506, %504 : tensor<2x18xf32>
    %508 = stablehlo.slice %507 [0:2, 0:6] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %509 = stablehlo.slice %507 [0:2, 6:12] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %510 = stablehlo.slice %507 [0:2, 12:18] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %511 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %512 = stablehlo.multiply %496, %511 : tensor<2x6xf32>
    %513 = stablehlo.add %508, %512 : tensor<2x6xf32>
    %514 = stablehlo.negate %513 : tensor<2x6xf32>
    %515 = stablehlo.exponential %514 : tensor<2x6xf32>
    %516 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %517 = stablehlo.add %516, %515 : tensor<2x6xf32>
    %518 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %519 = stablehlo.divide %518, %517 : tensor<2x6xf32>
    %520 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %521 = stablehlo.multiply %497, %520 : tensor<2x6xf32>
    %522 = stablehlo.add %509, %521 : tensor<2x6xf32>
    %523 = stablehlo.negate %522 : tensor<2x6xf32>
    %524 = stablehlo.exponential %523 : tensor<2x6xf32>
    %525 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %526 = stablehlo.add %525, %524 : tensor<2x6xf32>
    %527 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %528 = stablehlo.divide %527, %526 : tensor<2x6xf32>
    %529 = stablehlo.multiply %510, %519 : tensor<2x6xf32>
    %530 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %531 = stablehlo.multiply %529, %530 : tensor<2x6xf32>
    %532 = stablehlo.add %498, %531 : tensor<2x6xf32>
    %533 = stablehlo.tanh %532 : tensor<2x6xf32>
    %534 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %535 = stablehlo.multiply %533, %534 : tensor<2x6xf32>
    %536 = stablehlo.subtract %484, %535 : tensor<2x6xf32>
    %537 = stablehlo.multiply %536, %528 : tensor<2x6xf32>
    %538 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %539 = stablehlo.multiply %533, %538 : tensor<2x6xf32>
    %540 = stablehlo.add %537, %539 : tensor<2x6xf32>
    %541 = stablehlo.slice %483 [0:2, 1:2, 0:10] : (tensor<2x3x10xf32>) -> tensor<2x1x10xf32>
    %542 = stablehlo.reshape %541 : (tensor<2x1x10xf32>) -> tensor<2x10xf32>
    %543 = stablehlo.transpose %arg12, dims = [1, 0] : (tensor<18x10xf32>) -> tensor<10x18xf32>
    %544 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<18xf32>
    %545 = stablehlo.multiply %arg14, %544 : tensor<18xf32>
    %546 = stablehlo.dot_general %542, %543, contracting_dims = [1] x [0] : (tensor<2x10xf32>, tensor<10x18xf32>) -> tensor<2x18xf32>
    %547 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x18xf32>
    %548 = stablehlo.multiply %547, %546 : tensor<2x18xf32>
    %549 = stablehlo.broadcast_in_dim %545, dims = [1] : (tensor<18xf32>) -> tensor<1x18xf32>
    %550 = stablehlo.broadcast_in_dim %549, dims = [0, 1] : (tensor<1x18xf32>) -> tensor<2x18xf32>
    %551 = stablehlo.add %550, %548 : tensor<2x18xf32>
    %552 = stablehlo.slice %551 [0:2, 0:6] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %553 = stablehlo.slice %551 [0:2, 6:12] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %554 = stablehlo.slice %551 [0:2, 12:18] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %555 = stablehlo.transpose %arg13, dims = [1, 0] : (tensor<18x6xf32>) -> tensor<6x18xf32>
    %556 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<18xf32>
    %557 = stablehlo.multiply %arg15, %556 : tensor<18xf32>
    %558 = stablehlo.dot_general %540, %555, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x18xf32>) -> tensor<2x18xf32>
    %559 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x18xf32>
    %560 = stablehlo.multiply %559, %558 : tensor<2x18xf32>
    %561 = stablehlo.broadcast_in_dim %557, dims = [1] : (tensor<18xf32>) -> tensor<1x18xf32>
    %562 = stablehlo.broadcast_in_dim %561, dims = [0, 1] : (tensor<1x18xf32>) -> tensor<2x18xf32>
    %563 = stablehlo.add %562, %560 : tensor<2x18xf32>
    %564 = stablehlo.slice %563 [0:2, 0:6] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %565 = stablehlo.slice %563 [0:2, 6:12] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %566 = stablehlo.slice %563 [0:2, 12:18] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %567 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %568 = stablehlo.multiply %552, %567 : tensor<2x6xf32>
    %569 = stablehlo.add %564, %568 : tensor<2x6xf32>
    %570 = stablehlo.negate %569 : tensor<2x6xf32>
    %571 = stablehlo.exponential %570 : tensor<2x6xf32>
    %572 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %573 = stablehlo.add %572, %571 : tensor<2x6xf32>
    %574 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %575 = stablehlo.divide %574, %573 : tensor<2x6xf32>
    %576 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %577 = stablehlo.multiply %553, %576 : tensor<2x6xf32>
    %578 = stablehlo.add %565, %577 : tensor<2x6xf32>
    %579 = stablehlo.negate %578 : tensor<2x6xf32>
    %580 = stablehlo.exponential %579 : tensor<2x6xf32>
    %581 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %582 = stablehlo.add %581, %580 : tensor<2x6xf32>
    %583 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %584 = stablehlo.divide %583, %582 : tensor<2x6xf32>
    %585 = stablehlo.multiply %566, %575 : tensor<2x6xf32>
    %586 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %587 = stablehlo.multiply %585, %586 : tensor<2x6xf32>
    %588 = stablehlo.add %554, %587 : tensor<2x6xf32>
    %589 = stablehlo.tanh %588 : tensor<2x6xf32>
    %590 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %591 = stablehlo.multiply %589, %590 : tensor<2x6xf32>
    %592 = stablehlo.subtract %540, %591 : tensor<2x6xf32>
    %593 = stablehlo.multiply %592, %584 : tensor<2x6xf32>
    %594 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %595 = stablehlo.multiply %589, %594 : tensor<2x6xf32>
    %596 = stablehlo.add %593, %595 : tensor<2x6xf32>
    %597 = stablehlo.slice %483 [0:2, 2:3, 0:10] : (tensor<2x3x10xf32>) -> tensor<2x1x10xf32>
    %598 = stablehlo.reshape %597 : (tensor<2x1x10xf32>) -> tensor<2x10xf32>
    %599 = stablehlo.transpose %arg12, dims = [1, 0] : (tensor<18x10xf32>) -> tensor<10x18xf32>
    %600 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<18xf32>
    %601 = stablehlo.multiply %arg14, %600 : tensor<18xf32>
    %602 = stablehlo.dot_general %598, %599, contracting_dims = [1] x [0] : (tensor<2x10xf32>, tensor<10x18xf32>) -> tensor<2x18xf32>
    %603 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x18xf32>
    %604 = stablehlo.multiply %603, %602 : tensor<2x18xf32>
    %605 = stablehlo.broadcast_in_dim %601, dims = [1] : (tensor<18xf32>) -> tensor<1x18xf32>
    %606 = stablehlo.broadcast_in_dim %605, dims = [0, 1] : (tensor<1x18xf32>) -> tensor<2x18xf32>
    %607 = stablehlo.add %606, %604 : tensor<2x18xf32>
    %608 = stablehlo.slice %607 [0:2, 0:6] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %609 = stablehlo.slice %607 [0:2, 6:12] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %610 = stablehlo.slice %607 [0:2, 12:18] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %611 = stablehlo.transpose %arg13, dims = [1, 0] : (tensor<18x6xf32>) -> tensor<6x18xf32>
    %612 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<18xf32>
    %613 = stablehlo.multiply %arg15, %612 : tensor<18xf32>
    %614 = stablehlo.dot_general %596, %611, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x18xf32>) -> tensor<2x18xf32>
    %615 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x18xf32>
    %616 = stablehlo.multiply %615, %614 : tensor<2x18xf32>
    %617 = stablehlo.broadcast_in_dim %613, dims = [1] : (tensor<18xf32>) -> tensor<1x18xf32>
    %618 = stablehlo.broadcast_in_dim %617, dims = [0, 1] : (tensor<1x18xf32>) -> tensor<2x18xf32>
    %619 = stablehlo.add %618, %616 : tensor<2x18xf32>
    %620 = stablehlo.slice %619 [0:2, 0:6] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %621 = stablehlo.slice %619 [0:2, 6:12] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %622 = stablehlo.slice %619 [0:2, 12:18] : (tensor<2x18xf32>) -> tensor<2x6xf32>
    %623 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %624 = stablehlo.multiply %608, %623 : tensor<2x6xf32>
    %625 = stablehlo.add %620, %624 : tensor<2x6xf32>
    %626 = stablehlo.negate %625 : tensor<2x6xf32>
    %627 = stablehlo.exponential %626 : tensor<2x6xf32>
    %628 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %629 = stablehlo.add %628, %627 : tensor<2x6xf32>
    %630 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %631 = stablehlo.divide %630, %629 : tensor<2x6xf32>
    %632 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %633 = stablehlo.multiply %609, %632 : tensor<2x6xf32>
    %634 = stablehlo.add %621, %633 : tensor<2x6xf32>
    %635 = stablehlo.negate %634 : tensor<2x6xf32>
    %636 = stablehlo.exponential %635 : tensor<2x6xf32>
    %637 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %638 = stablehlo.add %637, %636 : tensor<2x6xf32>
    %639 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %640 = stablehlo.divide %639, %638 : tensor<2x6xf32>
    %641 = stablehlo.multiply %622, %631 : tensor<2x6xf32>
    %642 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %643 = stablehlo.multiply %641, %642 : tensor<2x6xf32>
    %644 = stablehlo.add %610, %643 : tensor<2x6xf32>
    %645 = stablehlo.tanh %644 : tensor<2x6xf32>
    %646 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %647 = stablehlo.multiply %645, %646 : tensor<2x6xf32>
    %648 = stablehlo.subtract %596, %647 : tensor<2x6xf32>
    %649 = stablehlo.multiply %648, %640 : tensor<2x6xf32>
    %650 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %651 = stablehlo.multiply %645, %650 : tensor<2x6xf32>
    %652 = stablehlo.add %649, %651 : tensor<2x6xf32>
    %653 = stablehlo.reshape %158 : (tensor<1x1x2x8xf32>) -> tensor<16xf32>
    %654 = stablehlo.reshape %159 : (tensor<1x1x2x8xf32>) -> tensor<16xf32>
    return %483, %653, %654, %652 : tensor<2x3x10xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x6xf32>
  }
  func.func private @_flip(%arg0: tensor<3x2x20xf32>) -> tensor<3x2x20xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<3x2x20xf32>
    return %0 : tensor<3x2x20xf32>
  }
}
