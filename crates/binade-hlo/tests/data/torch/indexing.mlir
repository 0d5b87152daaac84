module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x8xf32>, %arg1: tensor<9x2xi32>, %arg2: tensor<4xf32>) -> (tensor<6x8xf32> {jax.result_info = "result[0]"}, tensor<6x8xi32> {jax.result_info = "result[1]"}, tensor<6x8xf32> {jax.result_info = "result[2]"}, tensor<4x8xf32> {jax.result_info = "result[3]"}, tensor<6x8xf32> {jax.result_info = "result[4]"}, tensor<6x3xf32> {jax.result_info = "result[5]"}, tensor<6x3xi32> {jax.result_info = "result[6]"}, tensor<6x8xf32> {jax.result_info = "result[7]"}, tensor<6x8xf32> {jax.result_info = "result[8]"}, tensor<6x8xi32> {jax.result_info = "result[9]"}, tensor<6xf32> {jax.result_info = "result[10]"}, tensor<6x4xf32> {jax.result_info = "result[11]"}, tensor<6x8xf32> {jax.result_info = "result[12]"}, tensor<6xi32> {jax.result_info = "result[13]"}, tensor<6x8xi32> {jax.result_info = "result[14]"}, tensor<9x2xi32> {jax.result_info = "result[15]"}, tensor<9x2xi32> {jax.result_info = "result[16]"}, tensor<9x2xi32> {jax.result_info = "result[17]"}) {
    %c = stablehlo.constant dense<-3> : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %cst = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %cst_4 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %c_7 = stablehlo.constant dense<true> : tensor<i1>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_9 = stablehlo.constant dense<5> : tensor<i32>
    %c_10 = stablehlo.constant dense<4> : tensor<i32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_15 = stablehlo.constant dense<8> : tensor<i32>
    %c_16 = stablehlo.constant dense<6> : tensor<i32>
    %0 = stablehlo.slice %arg1 [0:9, 0:1] : (tensor<9x2xi32>) -> tensor<9x1xi32>
    %1 = stablehlo.reshape %0 : (tensor<9x1xi32>) -> tensor<9xi32>
    %2 = call @remainder(%1, %c_16) : (tensor<9xi32>, tensor<i32>) -> tensor<9xi32>
    %3 = stablehlo.slice %arg1 [0:9, 1:2] : (tensor<9x2xi32>) -> tensor<9x1xi32>
    %4 = stablehlo.reshape %3 : (tensor<9x1xi32>) -> tensor<9xi32>
    %5 = call @remainder(%4, %c_15) : (tensor<9xi32>, tensor<i32>) -> tensor<9xi32>
    %6 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %7 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %8 = stablehlo.compare LT, %2, %7, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %9 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %10 = stablehlo.add %2, %9 : tensor<9xi32>
    %11 = stablehlo.select %8, %10, %2 : tensor<9xi1>, tensor<9xi32>
    %12 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %13 = stablehlo.compare LT, %5, %12, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %14 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %15 = stablehlo.add %5, %14 : tensor<9xi32>
    %16 = stablehlo.select %13, %15, %5 : tensor<9xi1>, tensor<9xi32>
    %17 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %19 = stablehlo.concatenate %17, %18, dim = 1 : (tensor<9x1xi32>, tensor<9x1xi32>) -> tensor<9x2xi32>
    %20 = "stablehlo.gather"(%arg0, %19) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x8xf32>, tensor<9x2xi32>) -> tensor<9xf32>
    %21 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<9xf32>
    %23 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %24 = stablehlo.compare LT, %2, %23, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %25 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %26 = stablehlo.add %2, %25 : tensor<9xi32>
    %27 = stablehlo.select %24, %26, %2 : tensor<9xi1>, tensor<9xi32>
    %28 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %29 = stablehlo.compare LT, %5, %28, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %30 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %31 = stablehlo.add %5, %30 : tensor<9xi32>
    %32 = stablehlo.select %29, %31, %5 : tensor<9xi1>, tensor<9xi32>
    %33 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %35 = stablehlo.concatenate %33, %34, dim = 1 : (tensor<9x1xi32>, tensor<9x1xi32>) -> tensor<9x2xi32>
    %36 = "stablehlo.scatter"(%6, %35, %22) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %199 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %199 : tensor<f32>
    }) : (tensor<6x8xf32>, tensor<9x2xi32>, tensor<9xf32>) -> tensor<6x8xf32>
    %37 = call @argsort(%arg0) : (tensor<6x8xf32>) -> tensor<6x8xi32>
    %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %39 = call @sort(%arg0) : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %40 = stablehlo.iota dim = 0 : tensor<6xi32>
    %41 = stablehlo.reshape %40 : (tensor<6xi32>) -> tensor<6x1xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x8xi32>
    %43 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %44 = stablehlo.compare LT, %42, %43, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %45 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %46 = stablehlo.add %42, %45 : tensor<6x8xi32>
    %47 = stablehlo.select %44, %46, %42 : tensor<6x8xi1>, tensor<6x8xi32>
    %48 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %49 = stablehlo.compare LT, %37, %48, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %50 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %51 = stablehlo.add %37, %50 : tensor<6x8xi32>
    %52 = stablehlo.select %49, %51, %37 : tensor<6x8xi1>, tensor<6x8xi32>
    %53 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
    %54 = stablehlo.broadcast_in_dim %52, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
    %55 = stablehlo.concatenate %53, %54, dim = 2 : (tensor<6x8x1xi32>, tensor<6x8x1xi32>) -> tensor<6x8x2xi32>
    %56 = "stablehlo.scatter"(%38, %55, %39) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<6x8xf32>, tensor<6x8x2xi32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %57 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %58 = call @remainder(%2, %c_10) : (tensor<9xi32>, tensor<i32>) -> tensor<9xi32>
    %59 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %60 = stablehlo.compare LT, %2, %59, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %61 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %62 = stablehlo.add %2, %61 : tensor<9xi32>
    %63 = stablehlo.select %60, %62, %2 : tensor<9xi1>, tensor<9xi32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %65 = "stablehlo.gather"(%arg0, %64) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<6x8xf32>, tensor<9x1xi32>) -> tensor<9x8xf32>
    %66 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %67 = stablehlo.compare LT, %58, %66, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %68 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %69 = stablehlo.add %58, %68 : tensor<9xi32>
    %70 = stablehlo.select %67, %69, %58 : tensor<9xi1>, tensor<9xi32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %72 = "stablehlo.scatter"(%57, %71, %65) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %199 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %199 : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<9x1xi32>, tensor<9x8xf32>) -> tensor<4x8xf32>
    %73 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %74 = call @remainder_0(%37, %c_9) : (tensor<6x8xi32>, tensor<i32>) -> tensor<6x8xi32>
    %75 = stablehlo.iota dim = 0 : tensor<6xi32>
    %76 = stablehlo.reshape %75 : (tensor<6xi32>) -> tensor<6x1xi32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x8xi32>
    %78 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %79 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %80 = stablehlo.compare LT, %77, %79, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %81 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %82 = stablehlo.add %77, %81 : tensor<6x8xi32>
    %83 = stablehlo.select %80, %82, %77 : tensor<6x8xi1>, tensor<6x8xi32>
    %84 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %85 = stablehlo.compare LT, %74, %84, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %86 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %87 = stablehlo.add %74, %86 : tensor<6x8xi32>
    %88 = stablehlo.select %85, %87, %74 : tensor<6x8xi1>, tensor<6x8xi32>
    %89 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
    %90 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
    %91 = stablehlo.concatenate %89, %90, dim = 2 : (tensor<6x8x1xi32>, tensor<6x8x1xi32>) -> tensor<6x8x2xi32>
    %92 = "stablehlo.scatter"(%73, %91, %78) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<6x8xf32>, tensor<6x8x2xi32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %93 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %94 = stablehlo.compare LT, %77, %93, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %95 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %96 = stablehlo.add %77, %95 : tensor<6x8xi32>
    %97 = stablehlo.select %94, %96, %77 : tensor<6x8xi1>, tensor<6x8xi32>
    %98 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %99 = stablehlo.compare LT, %74, %98, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %100 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %101 = stablehlo.add %74, %100 : tensor<6x8xi32>
    %102 = stablehlo.select %99, %101, %74 : tensor<6x8xi1>, tensor<6x8xi32>
    %103 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
    %104 = stablehlo.broadcast_in_dim %102, dims = [0, 1] : (tensor<6x8xi32>) -> tensor<6x8x1xi32>
    %105 = stablehlo.concatenate %103, %104, dim = 2 : (tensor<6x8x1xi32>, tensor<6x8x1xi32>) -> tensor<6x8x2xi32>
    %106 = "stablehlo.scatter"(%92, %105, %arg0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %199 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %199 : tensor<f32>
    }) : (tensor<6x8xf32>, tensor<6x8x2xi32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %107:2 = stablehlo.composite "chlo.top_k" %arg0 {composite_attributes = {k = 3 : i64}, decomposition = @chlo.top_k.impl, version = 1 : i32} : (tensor<6x8xf32>) -> (tensor<6x3xf32>, tensor<6x3xi32>)
    %108 = call @sort_1(%107#0) : (tensor<6x3xf32>) -> tensor<6x3xf32>
    %109 = call @argsort_2(%108) : (tensor<6x3xf32>) -> tensor<6x3xi32>
    %110 = call @take_along_axis(%107#1, %109) : (tensor<6x3xi32>, tensor<6x3xi32>) -> tensor<6x3xi32>
    %111 = call @cumsum(%arg0) : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %112 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %113 = stablehlo.compare GT, %arg0, %112, FLOAT : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xi1>
    %114 = stablehlo.convert %113 : (tensor<6x8xi1>) -> tensor<6x8xi32>
    %115 = call @cumsum_4(%114) : (tensor<6x8xi32>) -> tensor<6x8xi32>
    %116 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i1>) -> tensor<6x8xi1>
    %117 = stablehlo.iota dim = 0 : tensor<8xi32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %119 = stablehlo.iota dim = 0 : tensor<6xi32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %121 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %122 = stablehlo.multiply %120, %121 : tensor<6x1xi32>
    %123 = stablehlo.broadcast_in_dim %118, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<6x8xi32>
    %124 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x8xi32>
    %125 = stablehlo.subtract %123, %124 : tensor<6x8xi32>
    %126 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %127 = stablehlo.compare LE, %125, %126, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %128 = stablehlo.and %127, %116 : tensor<6x8xi1>
    %129 = call @_where_6(%128, %arg0, %cst_8) : (tensor<6x8xi1>, tensor<6x8xf32>, tensor<f32>) -> tensor<6x8xf32>
    %130 = stablehlo.reduce(%129 init: %cst_8) applies stablehlo.maximum across dimensions = [1] : (tensor<6x8xf32>, tensor<f32>) -> tensor<6xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %132 = stablehlo.abs %131 : tensor<6x1xf32>
    %133 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %134 = stablehlo.compare EQ, %132, %133, FLOAT : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xi1>
    %135 = call @_where_7(%134, %cst_11, %131) : (tensor<6x1xi1>, tensor<f32>, tensor<6x1xf32>) -> tensor<6x1xf32>
    %136 = stablehlo.reshape %135 : (tensor<6x1xf32>) -> tensor<6xf32>
    %137 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %138 = stablehlo.multiply %135, %137 : tensor<6x1xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x8xf32>
    %140 = stablehlo.subtract %129, %139 : tensor<6x8xf32>
    %141 = stablehlo.exponential %140 : tensor<6x8xf32>
    %142 = stablehlo.reduce(%141 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<6x8xf32>, tensor<f32>) -> tensor<6xf32>
    %143 = stablehlo.log %142 : tensor<6xf32>
    %144 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %145 = stablehlo.multiply %136, %144 : tensor<6xf32>
    %146 = stablehlo.add %143, %145 : tensor<6xf32>
    %147 = call @_flip(%37) : (tensor<6x8xi32>) -> tensor<6x8xi32>
    %148 = stablehlo.slice %147 [0:6, 0:4] : (tensor<6x8xi32>) -> tensor<6x4xi32>
    %149 = stablehlo.iota dim = 0 : tensor<6xi32>
    %150 = stablehlo.reshape %149 : (tensor<6xi32>) -> tensor<6x1xi32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x4xi32>
    %152 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %153 = stablehlo.compare LT, %151, %152, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
    %154 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %155 = stablehlo.add %151, %154 : tensor<6x4xi32>
    %156 = stablehlo.select %153, %155, %151 : tensor<6x4xi1>, tensor<6x4xi32>
    %157 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %158 = stablehlo.compare LT, %148, %157, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
    %159 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %160 = stablehlo.add %148, %159 : tensor<6x4xi32>
    %161 = stablehlo.select %158, %160, %148 : tensor<6x4xi1>, tensor<6x4xi32>
    %162 = stablehlo.broadcast_in_dim %156, dims = [0, 1] : (tensor<6x4xi32>) -> tensor<6x4x1xi32>
    %163 = stablehlo.broadcast_in_dim %161, dims = [0, 1] : (tensor<6x4xi32>) -> tensor<6x4x1xi32>
    %164 = stablehlo.concatenate %162, %163, dim = 2 : (tensor<6x4x1xi32>, tensor<6x4x1xi32>) -> tensor<6x4x2xi32>
    %165 = "stablehlo.gather"(%arg0, %164) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x8xf32>, tensor<6x4x2xi32>) -> tensor<6x4xf32>
    %166 = stablehlo.iota dim = 0 : tensor<6xi32>
    %167 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %168 = stablehlo.add %166, %167 : tensor<6xi32>
    %169 = stablehlo.convert %168 : (tensor<6xi32>) -> tensor<6xf32>
    %170 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %171 = stablehlo.divide %169, %170 : tensor<6xf32>
    %172 = call @trunc(%171) : (tensor<6xf32>) -> tensor<6xf32>
    %173 = stablehlo.convert %172 : (tensor<6xf32>) -> tensor<6xi32>
    %174 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %175 = stablehlo.multiply %174, %173 : tensor<6xi32>
    %176 = stablehlo.subtract %168, %175 : tensor<6xi32>
    %177 = call @_take(%arg0, %176) : (tensor<6x8xf32>, tensor<6xi32>) -> tensor<6x8xf32>
    %178 = stablehlo.iota dim = 0 : tensor<8xi32>
    %179 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %180 = stablehlo.add %178, %179 : tensor<8xi32>
    %181 = stablehlo.convert %180 : (tensor<8xi32>) -> tensor<8xf32>
    %182 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %183 = stablehlo.divide %181, %182 : tensor<8xf32>
    %184 = call @trunc_10(%183) : (tensor<8xf32>) -> tensor<8xf32>
    %185 = stablehlo.convert %184 : (tensor<8xf32>) -> tensor<8xi32>
    %186 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %187 = stablehlo.multiply %186, %185 : tensor<8xi32>
    %188 = stablehlo.subtract %180, %187 : tensor<8xi32>
    %189 = call @_take_12(%177, %188) : (tensor<6x8xf32>, tensor<8xi32>) -> tensor<6x8xf32>
    %190 = call @clip(%189, %cst_1, %cst) : (tensor<6x8xf32>, tensor<f32>, tensor<f32>) -> tensor<6x8xf32>
    %191 = call @cumprod(%arg0) : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %192 = call @argmax(%arg0) : (tensor<6x8xf32>) -> tensor<6xi32>
    %193 = call @digitize(%arg0, %arg2) : (tensor<6x8xf32>, tensor<4xf32>) -> tensor<6x8xi32>
    %194 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %195 = stablehlo.shift_left %arg1, %194 : tensor<9x2xi32>
    %196 = stablehlo.xor %195, %arg1 : tensor<9x2xi32>
    %197 = call @floor_divide_18(%arg1, %c) : (tensor<9x2xi32>, tensor<i32>) -> tensor<9x2xi32>
    %198 = call @remainder_20(%arg1, %c) : (tensor<9x2xi32>, tensor<i32>) -> tensor<9x2xi32>
    return %36, %37, %56, %72, %106, %108, %110, %111, %191, %115, %146, %165, %190, %192, %193, %196, %197, %198 : tensor<6x8xf32>, tensor<6x8xi32>, tensor<6x8xf32>, tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x3xf32>, tensor<6x3xi32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi32>, tensor<6xf32>, tensor<6x4xf32>, tensor<6x8xf32>, tensor<6xi32>, tensor<6x8xi32>, tensor<9x2xi32>, tensor<9x2xi32>, tensor<9x2xi32>
  }
  func.func private @chlo.top_k.impl(%arg0: tensor<6x8xf32>) -> (tensor<6x3xf32>, tensor<6x3xi32>) {
    %0 = stablehlo.iota dim = 1 : tensor<6x8xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %4 = stablehlo.compare GT, %arg1, %arg2, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<6x8xf32>, tensor<6x8xi32>) -> (tensor<6x8xf32>, tensor<6x8xi32>)
    %2 = stablehlo.slice %1#0 [0:6, 0:3] : (tensor<6x8xf32>) -> tensor<6x3xf32>
    %3 = stablehlo.slice %1#1 [0:6, 0:3] : (tensor<6x8xi32>) -> tensor<6x3xi32>
    return %2, %3 : tensor<6x3xf32>, tensor<6x3xi32>
  }
  func.func private @remainder(%arg0: tensor<9xi32>, %arg1: tensor<i32>) -> tensor<9xi32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = call @_where(%1, %c, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<9xi32>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %9 = stablehlo.compare LT, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<9xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<9xi1>, tensor<9xi1>) -> tensor<9xi1>
    %12 = stablehlo.and %11, %6 : tensor<9xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %14 = stablehlo.add %4, %13 : tensor<9xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<9xi1>, tensor<9xi32>
    return %15 : tensor<9xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @argsort(%arg0: tensor<6x8xf32>) -> tensor<6x8xi32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.iota dim = 1 : tensor<6x8xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %3 = stablehlo.compare EQ, %arg1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.select %3, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %5 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %cst, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare EQ, %arg2, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %cst_0, %arg2 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = stablehlo.select %9, %cst, %8 : tensor<i1>, tensor<f32>
      %11 = stablehlo.compare LT, %6, %10, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<6x8xf32>, tensor<6x8xi32>) -> (tensor<6x8xf32>, tensor<6x8xi32>)
    %2 = stablehlo.reverse %1#1, dims = [1] : tensor<6x8xi32>
    return %2 : tensor<6x8xi32>
  }
  func.func private @sort(%arg0: tensor<6x8xf32>) -> tensor<6x8xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.compare EQ, %arg1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.select %3, %cst, %2 : tensor<i1>, tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %cst_0, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %cst, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<6x8xf32>) -> tensor<6x8xf32>
    return %0 : tensor<6x8xf32>
  }
  func.func private @remainder_0(%arg0: tensor<6x8xi32>, %arg1: tensor<i32>) -> tensor<6x8xi32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = call @_where(%1, %c, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<6x8xi32>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi1>
    %9 = stablehlo.compare LT, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<6x8xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<6x8xi1>, tensor<6x8xi1>) -> tensor<6x8xi1>
    %12 = stablehlo.and %11, %6 : tensor<6x8xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %14 = stablehlo.add %4, %13 : tensor<6x8xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<6x8xi1>, tensor<6x8xi32>
    return %15 : tensor<6x8xi32>
  }
  func.func private @sort_1(%arg0: tensor<6x3xf32>) -> tensor<6x3xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.compare EQ, %arg1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.select %4, %cst, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.select %6, %cst_0, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.select %8, %cst, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<6x3xf32>) -> tensor<6x3xf32>
    %1 = stablehlo.reverse %0, dims = [1] : tensor<6x3xf32>
    return %1 : tensor<6x3xf32>
  }
  func.func private @argsort_2(%arg0: tensor<6x3xf32>) -> tensor<6x3xi32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.iota dim = 1 : tensor<6x3xi32>
    %1 = stablehlo.reverse %arg0, dims = [1] : tensor<6x3xf32>
    %2 = stablehlo.reverse %0, dims = [1] : tensor<6x3xi32>
    %3:2 = "stablehlo.sort"(%1, %2) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %5 = stablehlo.compare EQ, %arg1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %cst, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare EQ, %arg2, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = stablehlo.select %9, %cst_0, %arg2 : tensor<i1>, tensor<f32>
      %11 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = stablehlo.select %11, %cst, %10 : tensor<i1>, tensor<f32>
      %13 = stablehlo.compare LT, %8, %12, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<6x3xf32>, tensor<6x3xi32>) -> (tensor<6x3xf32>, tensor<6x3xi32>)
    %4 = stablehlo.reverse %3#1, dims = [1] : tensor<6x3xi32>
    return %4 : tensor<6x3xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<6x3xi32>, %arg1: tensor<6x3xi32>) -> tensor<6x3xi32> {
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<6x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6x3xi32>, tensor<6x3xi32>) -> tensor<6x3xi1>
    %2 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<6x3xi1>, tensor<6x3xi32>
    %5 = stablehlo.reshape %4 : (tensor<6x3xi32>) -> tensor<6x3x1xi32>
    %6 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<6x3x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<6x3x1xi32>, tensor<6x3x1xi32>) -> tensor<6x3x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<6x3x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<6x3x1xi32>, tensor<6x3x1xi32>) -> tensor<6x3x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<6x3x1xi1>
    %12 = stablehlo.reduce(%11 init: %c_0) applies stablehlo.and across dimensions = [2] : (tensor<6x3x1xi1>, tensor<i1>) -> tensor<6x3xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x3xi32>, tensor<6x3x1xi32>) -> tensor<6x3xi32>
    %14 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x3xi32>
    %15 = stablehlo.select %12, %13, %14 : tensor<6x3xi1>, tensor<6x3xi32>
    return %15 : tensor<6x3xi32>
  }
  func.func private @cumsum(%arg0: tensor<6x8xf32>) -> tensor<6x8xf32> {
    %0 = call @cumsum_3(%arg0) : (tensor<6x8xf32>) -> tensor<6x8xf32>
    return %0 : tensor<6x8xf32>
  }
  func.func private @cumsum_3(%arg0: tensor<6x8xf32>) -> tensor<6x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 8>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<6x8xf32>, tensor<f32>) -> tensor<6x8xf32>
    return %1 : tensor<6x8xf32>
  }
  func.func private @cumsum_4(%arg0: tensor<6x8xi32>) -> tensor<6x8xi32> {
    %0 = call @cumsum_5(%arg0) : (tensor<6x8xi32>) -> tensor<6x8xi32>
    return %0 : tensor<6x8xi32>
  }
  func.func private @cumsum_5(%arg0: tensor<6x8xi32>) -> tensor<6x8xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{padding = dense<[[5, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 6, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<6x8xi32>, tensor<i32>) -> tensor<6x8xi32>
    return %1 : tensor<6x8xi32>
  }
  func.func private @_where_6(%arg0: tensor<6x8xi1>, %arg1: tensor<6x8xf32>, %arg2: tensor<f32>) -> tensor<6x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<6x8xi1>, tensor<6x8xf32>
    return %1 : tensor<6x8xf32>
  }
  func.func private @_where_7(%arg0: tensor<6x1xi1>, %arg1: tensor<f32>, %arg2: tensor<6x1xf32>) -> tensor<6x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<6x1xi1>, tensor<6x1xf32>
    return %1 : tensor<6x1xf32>
  }
  func.func private @_flip(%arg0: tensor<6x8xi32>) -> tensor<6x8xi32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<6x8xi32>
    return %0 : tensor<6x8xi32>
  }
  func.func private @trunc(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.compare LT, %arg0, %0, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %2 = stablehlo.ceil %arg0 : tensor<6xf32>
    %3 = stablehlo.floor %arg0 : tensor<6xf32>
    %4 = call @_where_8(%1, %2, %3) : (tensor<6xi1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    return %4 : tensor<6xf32>
  }
  func.func private @_where_8(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @_take(%arg0: tensor<6x8xf32>, %arg1: tensor<6xi32>) -> tensor<6x8xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<6> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6xi32>
    %4 = call @_where_9(%1, %3, %arg1) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<6x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<6x1xi1>
    %12 = stablehlo.reduce(%11 init: %c) applies stablehlo.and across dimensions = [1] : (tensor<6x1xi1>, tensor<i1>) -> tensor<6xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<6x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<6xi1>) -> tensor<6x8xi1>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<6x8xi1>, tensor<6x8xf32>
    return %16 : tensor<6x8xf32>
  }
  func.func private @_where_9(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<6xi32>) -> tensor<6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func private @trunc_10(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.compare LT, %arg0, %0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %2 = stablehlo.ceil %arg0 : tensor<8xf32>
    %3 = stablehlo.floor %arg0 : tensor<8xf32>
    %4 = call @_where_11(%1, %2, %3) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %4 : tensor<8xf32>
  }
  func.func private @_where_11(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @_take_12(%arg0: tensor<6x8xf32>, %arg1: tensor<8xi32>) -> tensor<6x8xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<7> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<8> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8xi32>
    %4 = call @_where_13(%1, %3, %arg1) : (tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<8x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x1xi1>
    %12 = stablehlo.reduce(%11 init: %c) applies stablehlo.and across dimensions = [1] : (tensor<8x1xi1>, tensor<i1>) -> tensor<8xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x8xf32>, tensor<8x1xi32>) -> tensor<6x8xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<8xi1>) -> tensor<6x8xi1>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<6x8xi1>, tensor<6x8xf32>
    return %16 : tensor<6x8xf32>
  }
  func.func private @_where_13(%arg0: tensor<8xi1>, %arg1: tensor<8xi32>, %arg2: tensor<8xi32>) -> tensor<8xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xi32>
    return %0 : tensor<8xi32>
  }
  func.func private @clip(%arg0: tensor<6x8xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<6x8xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<6x8xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<6x8xf32>
    return %5 : tensor<6x8xf32>
  }
  func.func private @cumprod(%arg0: tensor<6x8xf32>) -> tensor<6x8xf32> {
    %0 = call @cumprod_14(%arg0) : (tensor<6x8xf32>) -> tensor<6x8xf32>
    return %0 : tensor<6x8xf32>
  }
  func.func private @cumprod_14(%arg0: tensor<6x8xf32>) -> tensor<6x8xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{padding = dense<[[5, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 6, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<6x8xf32>, tensor<f32>) -> tensor<6x8xf32>
    return %0 : tensor<6x8xf32>
  }
  func.func private @argmax(%arg0: tensor<6x8xf32>) -> tensor<6xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.iota dim = 1 : tensor<6x8xi32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<6x8xf32>, tensor<6x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<6xi32>
  }
  func.func private @digitize(%arg0: tensor<6x8xf32>, %arg1: tensor<4xf32>) -> tensor<6x8xi32> {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %0 = stablehlo.slice %arg1 [3:4] : (tensor<4xf32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    %2 = stablehlo.slice %arg1 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %4 = stablehlo.compare GE, %1, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = call @searchsorted(%arg1, %arg0) : (tensor<4xf32>, tensor<6x8xf32>) -> tensor<6x8xi32>
    %6 = stablehlo.reverse %arg1, dims = [0] : tensor<4xf32>
    %7 = call @searchsorted(%6, %arg0) : (tensor<4xf32>, tensor<6x8xf32>) -> tensor<6x8xi32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x8xi32>
    %9 = stablehlo.subtract %8, %7 : tensor<6x8xi32>
    %10 = call @_where_17(%4, %5, %9) : (tensor<i1>, tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi32>
    return %10 : tensor<6x8xi32>
  }
  func.func private @searchsorted(%arg0: tensor<4xf32>, %arg1: tensor<6x8xf32>) -> tensor<6x8xi32> {
    %0 = call @_searchsorted_scan_impl(%arg0, %arg1) : (tensor<4xf32>, tensor<6x8xf32>) -> tensor<6x8xi32>
    return %0 : tensor<6x8xi32>
  }
  func.func private @_searchsorted_scan_impl(%arg0: tensor<4xf32>, %arg1: tensor<6x8xf32>) -> tensor<6x8xi32> {
    %0 = call @_searchsorted_scan_impl_15(%arg0, %arg1) : (tensor<4xf32>, tensor<6x8xf32>) -> tensor<6x8xi32>
    return %0 : tensor<6x8xi32>
  }
  func.func private @_searchsorted_scan_impl_15(%arg0: tensor<4xf32>, %arg1: tensor<6x8xf32>) -> tensor<6x8xi32> {
    %0 = call @_searchsorted_scan_impl_16(%arg0, %arg1) : (tensor<4xf32>, tensor<6x8xf32>) -> tensor<6x8xi32>
    return %0 : tensor<6x8xi32>
  }
  func.func private @_searchsorted_scan_impl_16(%arg0: tensor<4xf32>, %arg1: tensor<6x8xf32>) -> tensor<6x8xi32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<4> : tensor<ui32>
    %c_3 = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<8xui32>
    %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<8xui32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xui32>) -> tensor<6x8xui32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<8xui32>) -> tensor<6x8xui32>
    %4:5 = stablehlo.while(%iterArg = %arg0, %iterArg_4 = %arg1, %iterArg_5 = %c_1, %iterArg_6 = %2, %iterArg_7 = %3) : tensor<4xf32>, tensor<6x8xf32>, tensor<i32>, tensor<6x8xui32>, tensor<6x8xui32>
    cond {
      %6 = stablehlo.compare LT, %iterArg_5, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6:2 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_6, %iterArg_7) : (tensor<4xf32>, tensor<6x8xf32>, tensor<6x8xui32>, tensor<6x8xui32>) -> (tensor<6x8xui32>, tensor<6x8xui32>)
      %7 = stablehlo.add %iterArg_5, %c : tensor<i32>
      stablehlo.return %iterArg, %iterArg_4, %7, %6#0, %6#1 : tensor<4xf32>, tensor<6x8xf32>, tensor<i32>, tensor<6x8xui32>, tensor<6x8xui32>
    }
    %5 = stablehlo.convert %4#4 : (tensor<6x8xui32>) -> tensor<6x8xi32>
    return %5 : tensor<6x8xi32>
  }
  func.func private @closed_call(%arg0: tensor<4xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<6x8xui32>, %arg3: tensor<6x8xui32>) -> (tensor<6x8xui32>, tensor<6x8xui32>) {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.subtract %arg3, %arg2 : tensor<6x8xui32>
    %1 = call @floor_divide(%0, %c) : (tensor<6x8xui32>, tensor<i32>) -> tensor<6x8xui32>
    %2 = stablehlo.add %arg2, %1 : tensor<6x8xui32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<6x8xui32>) -> tensor<6x8x1xui32>
    %4 = "stablehlo.gather"(%arg0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<6x8x1xui32>) -> tensor<6x8x1xf32>
    %5 = stablehlo.reshape %4 : (tensor<6x8x1xf32>) -> tensor<6x8xf32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %7 = stablehlo.compare EQ, %arg1, %6, FLOAT : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xi1>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
    %10 = stablehlo.select %7, %9, %arg1 : tensor<6x8xi1>, tensor<6x8xf32>
    %11 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xi1>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
    %14 = stablehlo.select %11, %13, %10 : tensor<6x8xi1>, tensor<6x8xf32>
    %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %16 = stablehlo.compare EQ, %5, %15, FLOAT : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xi1>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
    %19 = stablehlo.select %16, %18, %5 : tensor<6x8xi1>, tensor<6x8xf32>
    %20 = stablehlo.compare NE, %5, %5, FLOAT : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xi1>
    %21 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
    %23 = stablehlo.select %20, %22, %19 : tensor<6x8xi1>, tensor<6x8xf32>
    %24 = stablehlo.compare LE, %14, %23, TOTALORDER : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xi1>
    %25 = stablehlo.select %24, %arg2, %2 : tensor<6x8xi1>, tensor<6x8xui32>
    %26 = stablehlo.select %24, %2, %arg3 : tensor<6x8xi1>, tensor<6x8xui32>
    return %25, %26 : tensor<6x8xui32>, tensor<6x8xui32>
  }
  func.func private @floor_divide(%arg0: tensor<6x8xui32>, %arg1: tensor<i32>) -> tensor<6x8xui32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui32>) -> tensor<6x8xui32>
    %2 = stablehlo.divide %arg0, %1 : tensor<6x8xui32>
    return %2 : tensor<6x8xui32>
  }
  func.func private @_where_17(%arg0: tensor<i1>, %arg1: tensor<6x8xi32>, %arg2: tensor<6x8xi32>) -> tensor<6x8xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<6x8xi32>
    return %0 : tensor<6x8xi32>
  }
  func.func private @floor_divide_18(%arg0: tensor<9x2xi32>, %arg1: tensor<i32>) -> tensor<9x2xi32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %2 = stablehlo.divide %arg0, %1 : tensor<9x2xi32>
    %3 = stablehlo.sign %arg0 : tensor<9x2xi32>
    %4 = stablehlo.sign %0 : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %6 = stablehlo.compare NE, %3, %5, SIGNED : (tensor<9x2xi32>, tensor<9x2xi32>) -> tensor<9x2xi1>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %8 = stablehlo.remainder %arg0, %7 : tensor<9x2xi32>
    %9 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %10 = stablehlo.compare NE, %8, %9, SIGNED : (tensor<9x2xi32>, tensor<9x2xi32>) -> tensor<9x2xi1>
    %11 = stablehlo.and %6, %10 : tensor<9x2xi1>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %13 = stablehlo.subtract %2, %12 : tensor<9x2xi32>
    %14 = call @_where_19(%11, %13, %2) : (tensor<9x2xi1>, tensor<9x2xi32>, tensor<9x2xi32>) -> tensor<9x2xi32>
    return %14 : tensor<9x2xi32>
  }
  func.func private @_where_19(%arg0: tensor<9x2xi1>, %arg1: tensor<9x2xi32>, %arg2: tensor<9x2xi32>) -> tensor<9x2xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<9x2xi1>, tensor<9x2xi32>
    return %0 : tensor<9x2xi32>
  }
  func.func private @remainder_20(%arg0: tensor<9x2xi32>, %arg1: tensor<i32>) -> tensor<9x2xi32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = call @_where(%1, %c, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<9x2xi32>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<9x2xi32>, tensor<9x2xi32>) -> tensor<9x2xi1>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<9x2xi32>, tensor<9x2xi32>) -> tensor<9x2xi1>
    %9 = stablehlo.compare LT, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<9x2xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<9x2xi1>, tensor<9x2xi1>) -> tensor<9x2xi1>
    %12 = stablehlo.and %11, %6 : tensor<9x2xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<9x2xi32>
    %14 = stablehlo.add %4, %13 : tensor<9x2xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<9x2xi1>, tensor<9x2xi32>
    return %15 : tensor<9x2xi32>
  }
}
