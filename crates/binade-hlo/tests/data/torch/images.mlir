module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x4x3x3xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x4x3x3xf32>, %arg5: tensor<2xf32>, %arg6: tensor<8x6x1x1xf32>, %arg7: tensor<8xf32>, %arg8: tensor<2x6x4x5xf32>) -> (tensor<2x8x8x10xf32> {jax.result_info = "result[0]"}, tensor<2x6x7x9xf32> {jax.result_info = "result[1]"}, tensor<2x2x8x10xf32> {jax.result_info = "result[2]"}, tensor<2x2x8x10xf32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<9> : tensor<i32>
    %c_0 = stablehlo.constant dense<8> : tensor<i32>
    %c_1 = stablehlo.constant dense<-2> : tensor<i32>
    %c_2 = stablehlo.constant dense<7> : tensor<i32>
    %c_3 = stablehlo.constant dense<6> : tensor<i32>
    %c_4 = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.555555582> : tensor<f32>
    %c_6 = stablehlo.constant dense<3> : tensor<i32>
    %cst_7 = stablehlo.constant dense<0.571428597> : tensor<f32>
    %c_8 = stablehlo.constant dense<5> : tensor<i32>
    %c_9 = stablehlo.constant dense<4> : tensor<i32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg8 : (tensor<2x6x4x5xf32>) -> tensor<1x6x40xf32>
    %1 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1x6x40xf32>
    %2:3 = stablehlo.while(%iterArg = %0, %iterArg_15 = %c_13, %iterArg_16 = %1) : tensor<1x6x40xf32>, tensor<i32>, tensor<1x6x40xf32>
    cond {
      %235 = stablehlo.compare LT, %iterArg_15, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %235 : tensor<i1>
    } do {
      %235 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_15) : (tensor<1x6x40xf32>, tensor<i32>) -> tensor<6x40xf32>
      %236 = func.call @closed_call(%235) : (tensor<6x40xf32>) -> tensor<6x40xf32>
      %237 = func.call @dynamic_update_index_in_dim(%iterArg_16, %236, %iterArg_15) : (tensor<1x6x40xf32>, tensor<6x40xf32>, tensor<i32>) -> tensor<1x6x40xf32>
      %238 = stablehlo.add %iterArg_15, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %238, %237 : tensor<1x6x40xf32>, tensor<i32>, tensor<1x6x40xf32>
    }
    %3 = stablehlo.reshape %2#2 : (tensor<1x6x40xf32>) -> tensor<2x6x4x5xf32>
    %4 = stablehlo.reshape %arg1 : (tensor<6xf32>) -> tensor<1x6x1x1xf32>
    %5 = stablehlo.reshape %arg0 : (tensor<6xf32>) -> tensor<1x6x1x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x6x1x1xf32>) -> tensor<2x6x4x5xf32>
    %7 = stablehlo.multiply %3, %6 : tensor<2x6x4x5xf32>
    %8 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x6x1x1xf32>) -> tensor<2x6x4x5xf32>
    %9 = stablehlo.add %8, %7 : tensor<2x6x4x5xf32>
    %10 = stablehlo.negate %9 : tensor<2x6x4x5xf32>
    %11 = stablehlo.exponential %10 : tensor<2x6x4x5xf32>
    %12 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x4x5xf32>
    %13 = stablehlo.add %12, %11 : tensor<2x6x4x5xf32>
    %14 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x4x5xf32>
    %15 = stablehlo.divide %14, %13 : tensor<2x6x4x5xf32>
    %16 = stablehlo.multiply %9, %15 : tensor<2x6x4x5xf32>
    %17 = stablehlo.convolution(%16, %arg6) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x4x5xf32>, tensor<8x6x1x1xf32>) -> tensor<2x8x4x5xf32>
    %18 = stablehlo.reshape %arg7 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x5xf32>
    %20 = stablehlo.add %17, %19 : tensor<2x8x4x5xf32>
    %21 = stablehlo.iota dim = 0 : tensor<8xf32>
    %22 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %23 = stablehlo.add %21, %22 : tensor<8xf32>
    %24 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %25 = stablehlo.multiply %23, %24 : tensor<8xf32>
    %26 = stablehlo.convert %25 : (tensor<8xf32>) -> tensor<8xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %28 = stablehlo.iota dim = 0 : tensor<10xf32>
    %29 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %30 = stablehlo.add %28, %29 : tensor<10xf32>
    %31 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %32 = stablehlo.multiply %30, %31 : tensor<10xf32>
    %33 = stablehlo.convert %32 : (tensor<10xf32>) -> tensor<10xi32>
    %34 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<8x1xi32>
    %35 = stablehlo.compare LT, %27, %34, SIGNED : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
    %36 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<8x1xi32>
    %37 = stablehlo.add %27, %36 : tensor<8x1xi32>
    %38 = stablehlo.select %35, %37, %27 : tensor<8x1xi1>, tensor<8x1xi32>
    %39 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %40 = stablehlo.compare LT, %33, %39, SIGNED : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi1>
    %41 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %42 = stablehlo.add %33, %41 : tensor<10xi32>
    %43 = stablehlo.select %40, %42, %33 : tensor<10xi1>, tensor<10xi32>
    %44 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x10xi32>
    %45 = stablehlo.broadcast_in_dim %43, dims = [1] : (tensor<10xi32>) -> tensor<8x10xi32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<8x10xi32>) -> tensor<8x10x1xi32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<8x10xi32>) -> tensor<8x10x1xi32>
    %48 = stablehlo.concatenate %46, %47, dim = 2 : (tensor<8x10x1xi32>, tensor<8x10x1xi32>) -> tensor<8x10x2xi32>
    %49 = "stablehlo.gather"(%20, %48) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2, 3], start_index_map = [2, 3], index_vector_dim = 2>, slice_sizes = array<i64: 2, 8, 1, 1>}> : (tensor<2x8x4x5xf32>, tensor<8x10x2xi32>) -> tensor<2x8x8x10xf32>
    %50 = stablehlo.iota dim = 0 : tensor<7xi32>
    %51 = stablehlo.convert %50 : (tensor<7xi32>) -> tensor<7xf32>
    %52 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %53 = stablehlo.add %51, %52 : tensor<7xf32>
    %54 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<7xf32>
    %56 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %57 = stablehlo.subtract %55, %56 : tensor<7xf32>
    %58 = call @clip(%57, %cst_14) : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    %59 = stablehlo.reshape %58 : (tensor<7xf32>) -> tensor<7x1xf32>
    %60 = stablehlo.convert %59 : (tensor<7x1xf32>) -> tensor<7x1xi32>
    %61 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %62 = stablehlo.add %60, %61 : tensor<7x1xi32>
    %63 = call @clip_0(%62, %c_6) : (tensor<7x1xi32>, tensor<i32>) -> tensor<7x1xi32>
    %64 = stablehlo.iota dim = 0 : tensor<9xi32>
    %65 = stablehlo.convert %64 : (tensor<9xi32>) -> tensor<9xf32>
    %66 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %67 = stablehlo.add %65, %66 : tensor<9xf32>
    %68 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<9xf32>
    %70 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %71 = stablehlo.subtract %69, %70 : tensor<9xf32>
    %72 = call @clip_1(%71, %cst_14) : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
    %73 = stablehlo.convert %72 : (tensor<9xf32>) -> tensor<9xi32>
    %74 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %75 = stablehlo.add %73, %74 : tensor<9xi32>
    %76 = call @clip_2(%75, %c_9) : (tensor<9xi32>, tensor<i32>) -> tensor<9xi32>
    %77 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %78 = stablehlo.compare LT, %60, %77, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
    %79 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %80 = stablehlo.add %60, %79 : tensor<7x1xi32>
    %81 = stablehlo.select %78, %80, %60 : tensor<7x1xi1>, tensor<7x1xi32>
    %82 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %83 = stablehlo.compare LT, %73, %82, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %84 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %85 = stablehlo.add %73, %84 : tensor<9xi32>
    %86 = stablehlo.select %83, %85, %73 : tensor<9xi1>, tensor<9xi32>
    %87 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<7x1xi32>) -> tensor<7x9xi32>
    %88 = stablehlo.broadcast_in_dim %86, dims = [1] : (tensor<9xi32>) -> tensor<7x9xi32>
    %89 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<7x9xi32>) -> tensor<7x9x1xi32>
    %90 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<7x9xi32>) -> tensor<7x9x1xi32>
    %91 = stablehlo.concatenate %89, %90, dim = 2 : (tensor<7x9x1xi32>, tensor<7x9x1xi32>) -> tensor<7x9x2xi32>
    %92 = "stablehlo.gather"(%16, %91) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2, 3], start_index_map = [2, 3], index_vector_dim = 2>, slice_sizes = array<i64: 2, 6, 1, 1>}> : (tensor<2x6x4x5xf32>, tensor<7x9x2xi32>) -> tensor<2x6x7x9xf32>
    %93 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %94 = stablehlo.compare LT, %60, %93, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
    %95 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %96 = stablehlo.add %60, %95 : tensor<7x1xi32>
    %97 = stablehlo.select %94, %96, %60 : tensor<7x1xi1>, tensor<7x1xi32>
    %98 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %99 = stablehlo.compare LT, %76, %98, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %100 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %101 = stablehlo.add %76, %100 : tensor<9xi32>
    %102 = stablehlo.select %99, %101, %76 : tensor<9xi1>, tensor<9xi32>
    %103 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<7x1xi32>) -> tensor<7x9xi32>
    %104 = stablehlo.broadcast_in_dim %102, dims = [1] : (tensor<9xi32>) -> tensor<7x9xi32>
    %105 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<7x9xi32>) -> tensor<7x9x1xi32>
    %106 = stablehlo.broadcast_in_dim %104, dims = [0, 1] : (tensor<7x9xi32>) -> tensor<7x9x1xi32>
    %107 = stablehlo.concatenate %105, %106, dim = 2 : (tensor<7x9x1xi32>, tensor<7x9x1xi32>) -> tensor<7x9x2xi32>
    %108 = "stablehlo.gather"(%16, %107) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2, 3], start_index_map = [2, 3], index_vector_dim = 2>, slice_sizes = array<i64: 2, 6, 1, 1>}> : (tensor<2x6x4x5xf32>, tensor<7x9x2xi32>) -> tensor<2x6x7x9xf32>
    %109 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %110 = stablehlo.compare LT, %63, %109, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
    %111 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %112 = stablehlo.add %63, %111 : tensor<7x1xi32>
    %113 = stablehlo.select %110, %112, %63 : tensor<7x1xi1>, tensor<7x1xi32>
    %114 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %115 = stablehlo.compare LT, %73, %114, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %116 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %117 = stablehlo.add %73, %116 : tensor<9xi32>
    %118 = stablehlo.select %115, %117, %73 : tensor<9xi1>, tensor<9xi32>
    %119 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<7x1xi32>) -> tensor<7x9xi32>
    %120 = stablehlo.broadcast_in_dim %118, dims = [1] : (tensor<9xi32>) -> tensor<7x9xi32>
    %121 = stablehlo.broadcast_in_dim %119, dims = [0, 1] : (tensor<7x9xi32>) -> tensor<7x9x1xi32>
    %122 = stablehlo.broadcast_in_dim %120, dims = [0, 1] : (tensor<7x9xi32>) -> tensor<7x9x1xi32>
    %123 = stablehlo.concatenate %121, %122, dim = 2 : (tensor<7x9x1xi32>, tensor<7x9x1xi32>) -> tensor<7x9x2xi32>
    %124 = "stablehlo.gather"(%16, %123) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2, 3], start_index_map = [2, 3], index_vector_dim = 2>, slice_sizes = array<i64: 2, 6, 1, 1>}> : (tensor<2x6x4x5xf32>, tensor<7x9x2xi32>) -> tensor<2x6x7x9xf32>
    %125 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %126 = stablehlo.compare LT, %63, %125, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
    %127 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %128 = stablehlo.add %63, %127 : tensor<7x1xi32>
    %129 = stablehlo.select %126, %128, %63 : tensor<7x1xi1>, tensor<7x1xi32>
    %130 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %131 = stablehlo.compare LT, %76, %130, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %132 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %133 = stablehlo.add %76, %132 : tensor<9xi32>
    %134 = stablehlo.select %131, %133, %76 : tensor<9xi1>, tensor<9xi32>
    %135 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<7x1xi32>) -> tensor<7x9xi32>
    %136 = stablehlo.broadcast_in_dim %134, dims = [1] : (tensor<9xi32>) -> tensor<7x9xi32>
    %137 = stablehlo.broadcast_in_dim %135, dims = [0, 1] : (tensor<7x9xi32>) -> tensor<7x9x1xi32>
    %138 = stablehlo.broadcast_in_dim %136, dims = [0, 1] : (tensor<7x9xi32>) -> tensor<7x9x1xi32>
    %139 = stablehlo.concatenate %137, %138, dim = 2 : (tensor<7x9x1xi32>, tensor<7x9x1xi32>) -> tensor<7x9x2xi32>
    %140 = "stablehlo.gather"(%16, %139) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2, 3], start_index_map = [2, 3], index_vector_dim = 2>, slice_sizes = array<i64: 2, 6, 1, 1>}> : (tensor<2x6x4x5xf32>, tensor<7x9x2xi32>) -> tensor<2x6x7x9xf32>
    %141 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %142 = stablehlo.multiply %73, %141 : tensor<9xi32>
    %143 = stablehlo.convert %142 : (tensor<9xi32>) -> tensor<9xf32>
    %144 = stablehlo.subtract %72, %143 : tensor<9xf32>
    %145 = call @clip_3(%144, %cst_14, %cst_11) : (tensor<9xf32>, tensor<f32>, tensor<f32>) -> tensor<9xf32>
    %146 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x7x9xf32>
    %147 = stablehlo.multiply %92, %146 : tensor<2x6x7x9xf32>
    %148 = stablehlo.subtract %108, %147 : tensor<2x6x7x9xf32>
    %149 = stablehlo.broadcast_in_dim %145, dims = [3] : (tensor<9xf32>) -> tensor<1x1x1x9xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2, 3] : (tensor<1x1x1x9xf32>) -> tensor<2x6x7x9xf32>
    %151 = stablehlo.multiply %148, %150 : tensor<2x6x7x9xf32>
    %152 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x7x9xf32>
    %153 = stablehlo.multiply %151, %152 : tensor<2x6x7x9xf32>
    %154 = stablehlo.add %92, %153 : tensor<2x6x7x9xf32>
    %155 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x7x9xf32>
    %156 = stablehlo.multiply %124, %155 : tensor<2x6x7x9xf32>
    %157 = stablehlo.subtract %140, %156 : tensor<2x6x7x9xf32>
    %158 = stablehlo.broadcast_in_dim %145, dims = [3] : (tensor<9xf32>) -> tensor<1x1x1x9xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2, 3] : (tensor<1x1x1x9xf32>) -> tensor<2x6x7x9xf32>
    %160 = stablehlo.multiply %157, %159 : tensor<2x6x7x9xf32>
    %161 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x7x9xf32>
    %162 = stablehlo.multiply %160, %161 : tensor<2x6x7x9xf32>
    %163 = stablehlo.add %124, %162 : tensor<2x6x7x9xf32>
    %164 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %165 = stablehlo.multiply %60, %164 : tensor<7x1xi32>
    %166 = stablehlo.convert %165 : (tensor<7x1xi32>) -> tensor<7x1xf32>
    %167 = stablehlo.subtract %59, %166 : tensor<7x1xf32>
    %168 = call @clip_4(%167, %cst_14, %cst_11) : (tensor<7x1xf32>, tensor<f32>, tensor<f32>) -> tensor<7x1xf32>
    %169 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x7x9xf32>
    %170 = stablehlo.multiply %154, %169 : tensor<2x6x7x9xf32>
    %171 = stablehlo.subtract %163, %170 : tensor<2x6x7x9xf32>
    %172 = stablehlo.broadcast_in_dim %168, dims = [2, 3] : (tensor<7x1xf32>) -> tensor<1x1x7x1xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2, 3] : (tensor<1x1x7x1xf32>) -> tensor<2x6x7x9xf32>
    %174 = stablehlo.multiply %171, %173 : tensor<2x6x7x9xf32>
    %175 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x7x9xf32>
    %176 = stablehlo.multiply %174, %175 : tensor<2x6x7x9xf32>
    %177 = stablehlo.add %154, %176 : tensor<2x6x7x9xf32>
    %178 = stablehlo.convolution(%16, %arg6) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x4x5xf32>, tensor<8x6x1x1xf32>) -> tensor<2x8x4x5xf32>
    %179 = stablehlo.reshape %arg7 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x5xf32>
    %181 = stablehlo.add %178, %180 : tensor<2x8x4x5xf32>
    %182 = stablehlo.reshape %181 : (tensor<2x8x4x5xf32>) -> tensor<2x2x2x2x4x5xf32>
    %183 = stablehlo.transpose %182, dims = [0, 1, 4, 2, 5, 3] : (tensor<2x2x2x2x4x5xf32>) -> tensor<2x2x4x2x5x2xf32>
    %184 = stablehlo.reshape %183 : (tensor<2x2x4x2x5x2xf32>) -> tensor<2x2x8x10xf32>
    %185 = call @_flip(%arg2) : (tensor<6x4x3x3xf32>) -> tensor<6x4x3x3xf32>
    %186 = stablehlo.convolution(%16, %185) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x4x5xf32>, tensor<6x4x3x3xf32>) -> tensor<2x4x7x9xf32>
    %187 = stablehlo.reshape %arg3 : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %188 = stablehlo.broadcast_in_dim %187, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x7x9xf32>
    %189 = stablehlo.add %186, %188 : tensor<2x4x7x9xf32>
    %190 = call @leaky_relu(%189, %cst) : (tensor<2x4x7x9xf32>, tensor<f32>) -> tensor<2x4x7x9xf32>
    %191 = stablehlo.iota dim = 0 : tensor<10xi32>
    %192 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %193 = stablehlo.add %192, %191 : tensor<10xi32>
    %194 = stablehlo.abs %193 : tensor<10xi32>
    %195 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %196 = stablehlo.multiply %194, %195 : tensor<10xi32>
    %197 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %198 = stablehlo.subtract %197, %196 : tensor<10xi32>
    %199 = stablehlo.abs %198 : tensor<10xi32>
    %200 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %201 = stablehlo.multiply %199, %200 : tensor<10xi32>
    %202 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %203 = stablehlo.subtract %202, %201 : tensor<10xi32>
    %204 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %205 = stablehlo.compare LT, %203, %204, SIGNED : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi1>
    %206 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %207 = stablehlo.add %203, %206 : tensor<10xi32>
    %208 = stablehlo.select %205, %207, %203 : tensor<10xi1>, tensor<10xi32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0] : (tensor<10xi32>) -> tensor<10x1xi32>
    %210 = "stablehlo.gather"(%190, %209) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 3], collapsed_slice_dims = [2], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4, 1, 9>}> : (tensor<2x4x7x9xf32>, tensor<10x1xi32>) -> tensor<2x4x10x9xf32>
    %211 = stablehlo.iota dim = 0 : tensor<12xi32>
    %212 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %213 = stablehlo.add %212, %211 : tensor<12xi32>
    %214 = stablehlo.abs %213 : tensor<12xi32>
    %215 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %216 = stablehlo.multiply %214, %215 : tensor<12xi32>
    %217 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %218 = stablehlo.subtract %217, %216 : tensor<12xi32>
    %219 = stablehlo.abs %218 : tensor<12xi32>
    %220 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %221 = stablehlo.multiply %219, %220 : tensor<12xi32>
    %222 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %223 = stablehlo.subtract %222, %221 : tensor<12xi32>
    %224 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %225 = stablehlo.compare LT, %223, %224, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %226 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %227 = stablehlo.add %223, %226 : tensor<12xi32>
    %228 = stablehlo.select %225, %227, %223 : tensor<12xi1>, tensor<12xi32>
    %229 = stablehlo.broadcast_in_dim %228, dims = [0] : (tensor<12xi32>) -> tensor<12x1xi32>
    %230 = "stablehlo.gather"(%210, %229) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], collapsed_slice_dims = [3], start_index_map = [3], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4, 10, 1>}> : (tensor<2x4x10x9xf32>, tensor<12x1xi32>) -> tensor<2x4x10x12xf32>
    %231 = stablehlo.convolution(%230, %arg4) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x10x12xf32>, tensor<2x4x3x3xf32>) -> tensor<2x2x8x10xf32>
    %232 = stablehlo.reshape %arg5 : (tensor<2xf32>) -> tensor<1x2x1x1xf32>
    %233 = stablehlo.broadcast_in_dim %232, dims = [0, 1, 2, 3] : (tensor<1x2x1x1xf32>) -> tensor<2x2x8x10xf32>
    %234 = stablehlo.add %231, %233 : tensor<2x2x8x10xf32>
    return %49, %177, %184, %234 : tensor<2x8x8x10xf32>, tensor<2x6x7x9xf32>, tensor<2x2x8x10xf32>, tensor<2x2x8x10xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<1x6x40xf32>, %arg1: tensor<i32>) -> tensor<6x40xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c, sizes = [1, 6, 40] : (tensor<1x6x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x40xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6x40xf32>) -> tensor<6x40xf32>
    return %1 : tensor<6x40xf32>
  }
  func.func private @closed_call(%arg0: tensor<6x40xf32>) -> tensor<6x40xf32> {
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst_0 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<6x40xf32>, tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<6x1xf32>
    %4 = call @_var(%arg0, %c) : (tensor<6x40xf32>, tensor<i32>) -> tensor<6x1xf32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<6x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<6x1xf32>
    %8 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x40xf32>
    %9 = stablehlo.subtract %arg0, %8 : tensor<6x40xf32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x40xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<6x40xf32>
    return %11 : tensor<6x40xf32>
  }
  func.func private @_var(%arg0: tensor<6x40xf32>, %arg1: tensor<i32>) -> tensor<6x1xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<4.000000e+01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<6x40xf32>, tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x40xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<6x40xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<6x40xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %8 = stablehlo.subtract %cst_0, %7 : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<6x40xf32>, tensor<f32>) -> tensor<6xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<6x1xf32>
    %13 = stablehlo.compare GT, %8, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %14 = call @_where(%13, %12, %cst) : (tensor<i1>, tensor<6x1xf32>, tensor<f32>) -> tensor<6x1xf32>
    return %14 : tensor<6x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<6x1xf32>, %arg2: tensor<f32>) -> tensor<6x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<6x1xf32>
    return %2 : tensor<6x1xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<1x6x40xf32>, %arg1: tensor<6x40xf32>, %arg2: tensor<i32>) -> tensor<1x6x40xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<6x40xf32>) -> tensor<1x6x40xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c : (tensor<1x6x40xf32>, tensor<1x6x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x40xf32>
    return %1 : tensor<1x6x40xf32>
  }
  func.func private @clip(%arg0: tensor<7xf32>, %arg1: tensor<f32>) -> tensor<7xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<7xf32>
    return %2 : tensor<7xf32>
  }
  func.func private @clip_0(%arg0: tensor<7x1xi32>, %arg1: tensor<i32>) -> tensor<7x1xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %2 = stablehlo.minimum %1, %arg0 : tensor<7x1xi32>
    return %2 : tensor<7x1xi32>
  }
  func.func private @clip_1(%arg0: tensor<9xf32>, %arg1: tensor<f32>) -> tensor<9xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<9xf32>
    return %2 : tensor<9xf32>
  }
  func.func private @clip_2(%arg0: tensor<9xi32>, %arg1: tensor<i32>) -> tensor<9xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %2 = stablehlo.minimum %1, %arg0 : tensor<9xi32>
    return %2 : tensor<9xi32>
  }
  func.func private @clip_3(%arg0: tensor<9xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<9xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<9xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<9xf32>
    return %5 : tensor<9xf32>
  }
  func.func private @clip_4(%arg0: tensor<7x1xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<7x1xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<7x1xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<7x1xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<7x1xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<7x1xf32>
    return %5 : tensor<7x1xf32>
  }
  func.func private @_flip(%arg0: tensor<6x4x3x3xf32>) -> tensor<6x4x3x3xf32> {
    %0 = stablehlo.reverse %arg0, dims = [2, 3] : tensor<6x4x3x3xf32>
    return %0 : tensor<6x4x3x3xf32>
  }
  func.func private @leaky_relu(%arg0: tensor<2x4x7x9xf32>, %arg1: tensor<f32>) -> tensor<2x4x7x9xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x7x9xf32>
    %1 = stablehlo.compare GE, %arg0, %0, FLOAT : (tensor<2x4x7x9xf32>, tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xi1>
    %2 = stablehlo.convert %arg1 : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<2x4x7x9xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<2x4x7x9xf32>
    %5 = call @_where_5(%1, %arg0, %4) : (tensor<2x4x7x9xi1>, tensor<2x4x7x9xf32>, tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
    return %5 : tensor<2x4x7x9xf32>
  }
  func.func private @_where_5(%arg0: tensor<2x4x7x9xi1>, %arg1: tensor<2x4x7x9xf32>, %arg2: tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x4x7x9xi1>, tensor<2x4x7x9xf32>
    return %0 : tensor<2x4x7x9xf32>
  }
}
