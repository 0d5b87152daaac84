module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x10xf32>, %arg1: tensor<10x10xf32>, %arg2: tensor<10xf32>, %arg3: tensor<6x4xi32>, %arg4: tensor<6xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<24x10xf32> {jax.result_info = "result[1][0]"}, tensor<10x10xf32> {jax.result_info = "result[1][1]"}, tensor<10xf32> {jax.result_info = "result[1][2]"}) {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<6x4xi1>
    %1 = call @_take(%arg0, %arg3) : (tensor<24x10xf32>, tensor<6x4xi32>) -> tensor<6x4x10xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %4 = call @_take_0(%arg3) : (tensor<6x4xi32>) -> tensor<6x4x1xi32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%1 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<6x4x10xf32>, tensor<f32>) -> tensor<6x10xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x10xf32>
    %7 = stablehlo.divide %5, %6 : tensor<6x10xf32>
    %8 = stablehlo.dot_general %7, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x10xf32>, tensor<10x10xf32>) -> tensor<6x10xf32>
    %9 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<6x10xf32>
    %11 = stablehlo.add %8, %10 : tensor<6x10xf32>
    %12 = stablehlo.tanh %11 : tensor<6x10xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x10xf32>
    %14 = stablehlo.subtract %13, %12 : tensor<6x10xf32>
    %15 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<24x10xf32>) -> tensor<10x24xf32>
    %16 = stablehlo.dot_general %12, %15, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x10xf32>, tensor<10x24xf32>) -> tensor<6x24xf32>
    %17:3 = call @log_softmax(%16) : (tensor<6x24xf32>) -> (tensor<6x24xf32>, tensor<6x24xf32>, tensor<6x1xf32>)
    %c_4 = stablehlo.constant dense<3> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %19 = stablehlo.compare NE, %arg4, %18, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %20 = call @_where_2(%19, %arg4, %c_5) : (tensor<6xi1>, tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %22 = stablehlo.iota dim = 0 : tensor<6xi32>
    %23 = stablehlo.reshape %22 : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %25 = stablehlo.compare LT, %23, %24, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %c_7 = stablehlo.constant dense<6> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %27 = stablehlo.add %23, %26 : tensor<6x1xi32>
    %28 = stablehlo.select %25, %27, %23 : tensor<6x1xi1>, tensor<6x1xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %30 = stablehlo.compare LT, %21, %29, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %c_9 = stablehlo.constant dense<24> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %32 = stablehlo.add %21, %31 : tensor<6x1xi32>
    %33 = stablehlo.select %30, %32, %21 : tensor<6x1xi1>, tensor<6x1xi32>
    %34 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x1x1xi32>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x1x1xi32>
    %36 = stablehlo.concatenate %34, %35, dim = 2 : (tensor<6x1x1xi32>, tensor<6x1x1xi32>) -> tensor<6x1x2xi32>
    %37 = "stablehlo.gather"(%17#0, %36) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<6x24xf32>, tensor<6x1x2xi32>) -> tensor<6x1xf32>
    %38 = stablehlo.reshape %37 : (tensor<6x1xf32>) -> tensor<6xf32>
    %cst_10 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %40 = stablehlo.multiply %39, %38 : tensor<6xf32>
    %c_11 = stablehlo.constant dense<3> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %42 = stablehlo.compare NE, %arg4, %41, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %43:2 = call @_where_3(%42, %40, %c_12) : (tensor<6xi1>, tensor<6xf32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xf32>)
    %c_13 = stablehlo.constant dense<3> : tensor<i32>
    %44 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %45 = stablehlo.compare NE, %arg4, %44, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %46 = stablehlo.convert %45 : (tensor<6xi1>) -> tensor<6xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %47 = stablehlo.reduce(%46 init: %c_14) applies stablehlo.add across dimensions = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%43#0 init: %cst_15) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %49 = stablehlo.convert %47 : (tensor<i32>) -> tensor<f32>
    %50 = stablehlo.divide %48, %49 : tensor<f32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%17#0 init: %cst_16) applies stablehlo.add across dimensions = [1] : (tensor<6x24xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_17 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %53 = stablehlo.multiply %52, %51 : tensor<6xf32>
    %c_18 = stablehlo.constant dense<3> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %55 = stablehlo.compare EQ, %arg4, %54, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56:2 = call @_where_4(%55, %cst_19, %53) : (tensor<6xi1>, tensor<f32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
    %57 = stablehlo.not %55 : tensor<6xi1>
    %58 = stablehlo.convert %57 : (tensor<6xi1>) -> tensor<6xi32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %59 = stablehlo.reduce(%58 init: %c_20) applies stablehlo.add across dimensions = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%56#0 init: %cst_21) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %61 = stablehlo.convert %59 : (tensor<i32>) -> tensor<f32>
    %62 = stablehlo.divide %60, %61 : tensor<f32>
    %cst_22 = stablehlo.constant dense<0.00416666688> : tensor<f32>
    %63 = stablehlo.multiply %62, %cst_22 : tensor<f32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %64 = stablehlo.multiply %50, %cst_23 : tensor<f32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.multiply %63, %cst_24 : tensor<f32>
    %66 = stablehlo.add %64, %65 : tensor<f32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %67 = stablehlo.multiply %cst_25, %cst_26 : tensor<f32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_28 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %68 = stablehlo.multiply %cst_27, %cst_28 : tensor<f32>
    %cst_29 = stablehlo.constant dense<0.00416666688> : tensor<f32>
    %69 = stablehlo.multiply %67, %cst_29 : tensor<f32>
    %70 = stablehlo.divide %69, %61 : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %72 = call @_where_5(%55, %56#1, %71) : (tensor<6xi1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %cst_30 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<6xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0] : (tensor<6xf32>) -> tensor<6x24xf32>
    %76 = stablehlo.divide %68, %49 : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %78 = call @_where_6(%42, %43#1, %77) : (tensor<6xi1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %cst_31 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<6xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<6x24xf32>
    %83 = "stablehlo.scatter"(%82, %36, %81) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %105 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %105 : tensor<f32>
    }) : (tensor<6x24xf32>, tensor<6x1x2xi32>, tensor<6x1xf32>) -> tensor<6x24xf32>
    %84 = stablehlo.add %75, %83 : tensor<6x24xf32>
    %85 = call @log_softmax_7(%17#1, %17#2, %84) : (tensor<6x24xf32>, tensor<6x1xf32>, tensor<6x24xf32>) -> tensor<6x24xf32>
    %86 = stablehlo.dot_general %85, %12, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x24xf32>, tensor<6x10xf32>) -> tensor<24x10xf32>
    %87 = stablehlo.transpose %86, dims = [1, 0] : (tensor<24x10xf32>) -> tensor<10x24xf32>
    %88 = stablehlo.dot_general %85, %15, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x24xf32>, tensor<10x24xf32>) -> tensor<6x10xf32>
    %89 = stablehlo.transpose %87, dims = [1, 0] : (tensor<10x24xf32>) -> tensor<24x10xf32>
    %90 = stablehlo.multiply %88, %14 : tensor<6x10xf32>
    %91 = stablehlo.multiply %90, %12 : tensor<6x10xf32>
    %92 = stablehlo.add %90, %91 : tensor<6x10xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_33) applies stablehlo.add across dimensions = [0] : (tensor<6x10xf32>, tensor<f32>) -> tensor<10xf32>
    %94 = stablehlo.reshape %93 : (tensor<10xf32>) -> tensor<1x10xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.reduce(%94 init: %cst_34) applies stablehlo.add across dimensions = [0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<10xf32>
    %96 = stablehlo.dot_general %92, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x10xf32>, tensor<6x10xf32>) -> tensor<10x10xf32>
    %97 = stablehlo.dot_general %92, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x10xf32>, tensor<10x10xf32>) -> tensor<6x10xf32>
    %cst_35 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<6x10xf32>
    %99 = stablehlo.divide %97, %98 : tensor<6x10xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 2] : (tensor<6x10xf32>) -> tensor<6x4x10xf32>
    %101 = call @_take_8(%4, %100) : (tensor<6x4x1xi32>, tensor<6x4x10xf32>) -> tensor<24x10xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %103 = "stablehlo.scatter"(%101, %2, %102) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      stablehlo.return %arg6 : tensor<f32>
    }) : (tensor<24x10xf32>, tensor<1xi32>, tensor<10xf32>) -> tensor<24x10xf32>
    %104 = stablehlo.add %89, %103 : tensor<24x10xf32>
    return %66, %104, %96, %95 : tensor<f32>, tensor<24x10xf32>, tensor<10x10xf32>, tensor<10xf32>
  }
  func.func private @_take(%arg0: tensor<24x10xf32>, %arg1: tensor<6x4xi32>) -> tensor<6x4x10xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
    %c_0 = stablehlo.constant dense<24> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6x4xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<6x4xi1>, tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<6x4xi32>) -> tensor<6x4x1xi32>
    %c_1 = stablehlo.constant dense<23> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x4x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<6x4x1xi32>, tensor<6x4x1xi32>) -> tensor<6x4x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<6x4x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<6x4x1xi32>, tensor<6x4x1xi32>) -> tensor<6x4x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<6x4x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<6x4x1xi1>, tensor<i1>) -> tensor<6x4xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 10>}> : (tensor<24x10xf32>, tensor<6x4x1xi32>) -> tensor<6x4x10xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x4xi1>) -> tensor<6x4x10xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x10xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<6x4x10xi1>, tensor<6x4x10xf32>
    return %16 : tensor<6x4x10xf32>
  }
  func.func private @_where(%arg0: tensor<6x4xi1>, %arg1: tensor<6x4xi32>, %arg2: tensor<6x4xi32>) -> tensor<6x4xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6x4xi1>, tensor<6x4xi32>
    return %0 : tensor<6x4xi32>
  }
  func.func private @_take_0(%arg0: tensor<6x4xi32>) -> tensor<6x4x1xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %1 = stablehlo.compare LT, %arg0, %0, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
    %c_0 = stablehlo.constant dense<24> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %3 = stablehlo.add %arg0, %2 : tensor<6x4xi32>
    %4 = call @_where_1(%1, %3, %arg0) : (tensor<6x4xi1>, tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<6x4xi32>) -> tensor<6x4x1xi32>
    return %5 : tensor<6x4x1xi32>
  }
  func.func private @_where_1(%arg0: tensor<6x4xi1>, %arg1: tensor<6x4xi32>, %arg2: tensor<6x4xi32>) -> tensor<6x4xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6x4xi1>, tensor<6x4xi32>
    return %0 : tensor<6x4xi32>
  }
  func.func private @log_softmax(%arg0: tensor<6x24xf32>) -> (tensor<6x24xf32>, tensor<6x24xf32>, tensor<6x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<6x24xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<6xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x24xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<6x24xf32>
    %6 = stablehlo.exponential %5 : tensor<6x24xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<6x24xf32>, tensor<f32>) -> tensor<6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %9 = stablehlo.log %8 : tensor<6x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x24xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<6x24xf32>
    return %11, %6, %8 : tensor<6x24xf32>, tensor<6x24xf32>, tensor<6x1xf32>
  }
  func.func private @_where_2(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<i32>) -> tensor<6xi32> {
    %0 = stablehlo.convert %arg2 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6xi1>, tensor<6xi32>
    return %2 : tensor<6xi32>
  }
  func.func private @_where_3(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<i32>) -> (tensor<6xf32>, tensor<6xf32>) {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6xi1>, tensor<6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    return %2, %3 : tensor<6xf32>, tensor<6xf32>
  }
  func.func private @_where_4(%arg0: tensor<6xi1>, %arg1: tensor<f32>, %arg2: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<6xi1>, tensor<6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    return %2, %3 : tensor<6xf32>, tensor<6xf32>
  }
  func.func private @_where_5(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<6xi1>, tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @_where_6(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<6xi1>, tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @log_softmax_7(%arg0: tensor<6x24xf32>, %arg1: tensor<6x1xf32>, %arg2: tensor<6x24xf32>) -> tensor<6x24xf32> {
    %0 = stablehlo.negate %arg2 : tensor<6x24xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<6x24xf32>, tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.reshape %1 : (tensor<6xf32>) -> tensor<6x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<6x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<6x1xf32>, tensor<f32>) -> tensor<6xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xf32>) -> tensor<6x24xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<6x24xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<6x24xf32>
    return %7 : tensor<6x24xf32>
  }
  func.func private @_take_8(%arg0: tensor<6x4x1xi32>, %arg1: tensor<6x4x10xf32>) -> tensor<24x10xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x10xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<24x10xf32>, tensor<6x4x1xi32>, tensor<6x4x10xf32>) -> tensor<24x10xf32>
    return %1 : tensor<24x10xf32>
  }
}
