module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x3x3x3xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8x2x3x3xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8xf32>, %arg6: tensor<5x32xf32>, %arg7: tensor<5xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8xf32>, %arg10: tensor<8xf32>, %arg11: tensor<8xf32>, %arg12: tensor<2x3x16x16xf32>) -> (tensor<2x5xf32> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %0 = stablehlo.convolution(%arg12, %arg0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x16x16xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x8x8xf32>
    %1 = stablehlo.reshape %arg9 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %3 = stablehlo.add %1, %2 : tensor<1x8x1x1xf32>
    %4 = stablehlo.rsqrt %3 : tensor<1x8x1x1xf32>
    %5 = stablehlo.reshape %arg8 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %7 = stablehlo.subtract %0, %6 : tensor<2x8x8x8xf32>
    %8 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x8x8x8xf32>
    %10 = stablehlo.reshape %arg1 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<2x8x8x8xf32>
    %13 = stablehlo.reshape %arg2 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %15 = stablehlo.add %12, %14 : tensor<2x8x8x8xf32>
    %16 = call @relu(%15) : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.reduce_window"(%16, %17) <{padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %55 = stablehlo.maximum %arg13, %arg14 : tensor<f32>
      stablehlo.return %55 : tensor<f32>
    }) : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x8x4x4xf32>
    %19 = stablehlo.convolution(%18, %arg3) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[2, 2], [2, 2]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x8x4x4xf32>, tensor<8x2x3x3xf32>) -> tensor<2x8x4x4xf32>
    %20 = stablehlo.reshape %arg11 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %22 = stablehlo.add %20, %21 : tensor<1x8x1x1xf32>
    %23 = stablehlo.rsqrt %22 : tensor<1x8x1x1xf32>
    %24 = stablehlo.reshape %arg10 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %26 = stablehlo.subtract %19, %25 : tensor<2x8x4x4xf32>
    %27 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<2x8x4x4xf32>
    %29 = stablehlo.reshape %arg4 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %31 = stablehlo.multiply %28, %30 : tensor<2x8x4x4xf32>
    %32 = stablehlo.reshape %arg5 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %34 = stablehlo.add %31, %33 : tensor<2x8x4x4xf32>
    %35 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8x4x4xf32>
    %36 = stablehlo.multiply %34, %35 : tensor<2x8x4x4xf32>
    %37 = stablehlo.add %18, %36 : tensor<2x8x4x4xf32>
    %38 = call @relu_0(%37) : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
    %39 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %40 = "stablehlo.reduce_window"(%38, %39) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %55 = stablehlo.add %arg13, %arg14 : tensor<f32>
      stablehlo.return %55 : tensor<f32>
    }) : (tensor<2x8x4x4xf32>, tensor<f32>) -> tensor<2x8x2x2xf32>
    %41 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8x2x2xf32>
    %42 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x2x2xf32>
    %43 = stablehlo.multiply %41, %42 : tensor<2x8x2x2xf32>
    %44 = stablehlo.divide %40, %43 : tensor<2x8x2x2xf32>
    %45 = stablehlo.reshape %44 : (tensor<2x8x2x2xf32>) -> tensor<2x32xf32>
    %46 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<5x32xf32>) -> tensor<32x5xf32>
    %47 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %48 = stablehlo.multiply %arg7, %47 : tensor<5xf32>
    %49 = stablehlo.dot_general %45, %46, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x5xf32>) -> tensor<2x5xf32>
    %50 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<2x5xf32>
    %52 = stablehlo.broadcast_in_dim %48, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<2x5xf32>
    %54 = stablehlo.add %53, %51 : tensor<2x5xf32>
    return %54 : tensor<2x5xf32>
  }
  func.func private @relu(%arg0: tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x8x8x8xf32>
    return %1 : tensor<2x8x8x8xf32>
  }
  func.func private @relu_0(%arg0: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x4x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x8x4x4xf32>
    return %1 : tensor<2x8x4x4xf32>
  }
}
