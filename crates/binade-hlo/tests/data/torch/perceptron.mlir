module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x12xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<16x32xf32>, %arg5: tensor<16xf32>, %arg6: tensor<5x16xf32>, %arg7: tensor<5xf32>, %arg8: tensor<4x12xf32>) -> (tensor<4x5xf32> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<1.12837911> : tensor<4x32xf32>
    %cst_0 = stablehlo.constant dense<-0.37612626> : tensor<4x32xf32>
    %cst_1 = stablehlo.constant dense<0.112835854> : tensor<4x32xf32>
    %cst_2 = stablehlo.constant dense<-0.0268538129> : tensor<4x32xf32>
    %cst_3 = stablehlo.constant dense<0.00518832775> : tensor<4x32xf32>
    %cst_4 = stablehlo.constant dense<-8.0101937E-4> : tensor<4x32xf32>
    %cst_5 = stablehlo.constant dense<7.85386146E-5> : tensor<4x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<4x32xf32>
    %cst_7 = stablehlo.constant dense<-88.7228394> : tensor<4x32xf32>
    %cst_8 = stablehlo.constant dense<0.564189494> : tensor<4x32xf32>
    %cst_9 = stablehlo.constant dense<-0.282076746> : tensor<4x32xf32>
    %cst_10 = stablehlo.constant dense<0.42184633> : tensor<4x32xf32>
    %cst_11 = stablehlo.constant dense<-1.01526523> : tensor<4x32xf32>
    %cst_12 = stablehlo.constant dense<2.92101908> : tensor<4x32xf32>
    %cst_13 = stablehlo.constant dense<-7.49551868> : tensor<4x32xf32>
    %cst_14 = stablehlo.constant dense<1.297720e+01> : tensor<4x32xf32>
    %cst_15 = stablehlo.constant dense<-10.477664> : tensor<4x32xf32>
    %cst_16 = stablehlo.constant dense<0.563825965> : tensor<4x32xf32>
    %cst_17 = stablehlo.constant dense<-0.274112701> : tensor<4x32xf32>
    %cst_18 = stablehlo.constant dense<3.404880e-01> : tensor<4x32xf32>
    %cst_19 = stablehlo.constant dense<-0.494451523> : tensor<4x32xf32>
    %cst_20 = stablehlo.constant dense<0.621000468> : tensor<4x32xf32>
    %cst_21 = stablehlo.constant dense<-0.582473278> : tensor<4x32xf32>
    %cst_22 = stablehlo.constant dense<0.368742466> : tensor<4x32xf32>
    %cst_23 = stablehlo.constant dense<-0.138703942> : tensor<4x32xf32>
    %cst_24 = stablehlo.constant dense<2.326820e-02> : tensor<4x32xf32>
    %cst_25 = stablehlo.constant dense<2.000000e+00> : tensor<4x32xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<4x32xf32>
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_28 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %cst_29 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %cst_30 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %cst_31 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_32 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst_33 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<32x12xf32>) -> tensor<12x32xf32>
    %1 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2 = stablehlo.multiply %arg1, %1 : tensor<32xf32>
    %3 = stablehlo.dot_general %arg8, %0, contracting_dims = [1] x [0] : (tensor<4x12xf32>, tensor<12x32xf32>) -> tensor<4x32xf32>
    %4 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<4x32xf32>
    %6 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<4x32xf32>
    %8 = stablehlo.add %7, %5 : tensor<4x32xf32>
    %9 = stablehlo.reduce(%8 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %11 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x1xf32>
    %13 = call @_var(%8, %c) : (tensor<4x32xf32>, tensor<i32>) -> tensor<4x1xf32>
    %14 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %15 = stablehlo.add %13, %14 : tensor<4x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<4x1xf32>
    %17 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %18 = stablehlo.subtract %8, %17 : tensor<4x32xf32>
    %19 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<4x32xf32>
    %21 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<4x32xf32>
    %23 = stablehlo.multiply %20, %22 : tensor<4x32xf32>
    %24 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<4x32xf32>
    %26 = stablehlo.add %23, %25 : tensor<4x32xf32>
    %27 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<4x32xf32>
    %29 = stablehlo.negate %26 : tensor<4x32xf32>
    %30 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %31 = stablehlo.multiply %29, %30 : tensor<4x32xf32>
    %32 = stablehlo.multiply %31, %31 : tensor<4x32xf32>
    %33 = stablehlo.negate %32 : tensor<4x32xf32>
    %34 = stablehlo.abs %31 : tensor<4x32xf32>
    %35 = stablehlo.divide %cst_26, %32 : tensor<4x32xf32>
    %36 = stablehlo.exponential %33 : tensor<4x32xf32>
    %37 = stablehlo.divide %cst_26, %34 : tensor<4x32xf32>
    %38 = stablehlo.multiply %36, %37 : tensor<4x32xf32>
    %39 = stablehlo.compare LT, %34, %cst_25 : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xi1>
    %40 = stablehlo.multiply %cst_24, %35 : tensor<4x32xf32>
    %41 = stablehlo.add %40, %cst_23 : tensor<4x32xf32>
    %42 = stablehlo.multiply %41, %35 : tensor<4x32xf32>
    %43 = stablehlo.add %42, %cst_22 : tensor<4x32xf32>
    %44 = stablehlo.multiply %43, %35 : tensor<4x32xf32>
    %45 = stablehlo.add %44, %cst_21 : tensor<4x32xf32>
    %46 = stablehlo.multiply %45, %35 : tensor<4x32xf32>
    %47 = stablehlo.add %46, %cst_20 : tensor<4x32xf32>
    %48 = stablehlo.multiply %47, %35 : tensor<4x32xf32>
    %49 = stablehlo.add %48, %cst_19 : tensor<4x32xf32>
    %50 = stablehlo.multiply %49, %35 : tensor<4x32xf32>
    %51 = stablehlo.add %50, %cst_18 : tensor<4x32xf32>
    %52 = stablehlo.multiply %51, %35 : tensor<4x32xf32>
    %53 = stablehlo.add %52, %cst_17 : tensor<4x32xf32>
    %54 = stablehlo.multiply %53, %35 : tensor<4x32xf32>
    %55 = stablehlo.add %54, %cst_16 : tensor<4x32xf32>
    %56 = stablehlo.multiply %cst_15, %35 : tensor<4x32xf32>
    %57 = stablehlo.add %56, %cst_14 : tensor<4x32xf32>
    %58 = stablehlo.multiply %57, %35 : tensor<4x32xf32>
    %59 = stablehlo.add %58, %cst_13 : tensor<4x32xf32>
    %60 = stablehlo.multiply %59, %35 : tensor<4x32xf32>
    %61 = stablehlo.add %60, %cst_12 : tensor<4x32xf32>
    %62 = stablehlo.multiply %61, %35 : tensor<4x32xf32>
    %63 = stablehlo.add %62, %cst_11 : tensor<4x32xf32>
    %64 = stablehlo.multiply %63, %35 : tensor<4x32xf32>
    %65 = stablehlo.add %64, %cst_10 : tensor<4x32xf32>
    %66 = stablehlo.multiply %65, %35 : tensor<4x32xf32>
    %67 = stablehlo.add %66, %cst_9 : tensor<4x32xf32>
    %68 = stablehlo.multiply %67, %35 : tensor<4x32xf32>
    %69 = stablehlo.add %68, %cst_8 : tensor<4x32xf32>
    %70 = stablehlo.select %39, %55, %69 : tensor<4x32xi1>, tensor<4x32xf32>
    %71 = stablehlo.multiply %38, %70 : tensor<4x32xf32>
    %72 = stablehlo.compare LT, %33, %cst_7 : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xi1>
    %73 = stablehlo.select %72, %cst_6, %71 : tensor<4x32xi1>, tensor<4x32xf32>
    %74 = stablehlo.compare LT, %31, %cst_6 : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xi1>
    %75 = stablehlo.subtract %cst_25, %73 : tensor<4x32xf32>
    %76 = stablehlo.select %74, %75, %73 : tensor<4x32xi1>, tensor<4x32xf32>
    %77 = stablehlo.multiply %31, %31 : tensor<4x32xf32>
    %78 = stablehlo.multiply %cst_5, %77 : tensor<4x32xf32>
    %79 = stablehlo.add %78, %cst_4 : tensor<4x32xf32>
    %80 = stablehlo.multiply %79, %77 : tensor<4x32xf32>
    %81 = stablehlo.add %80, %cst_3 : tensor<4x32xf32>
    %82 = stablehlo.multiply %81, %77 : tensor<4x32xf32>
    %83 = stablehlo.add %82, %cst_2 : tensor<4x32xf32>
    %84 = stablehlo.multiply %83, %77 : tensor<4x32xf32>
    %85 = stablehlo.add %84, %cst_1 : tensor<4x32xf32>
    %86 = stablehlo.multiply %85, %77 : tensor<4x32xf32>
    %87 = stablehlo.add %86, %cst_0 : tensor<4x32xf32>
    %88 = stablehlo.multiply %87, %77 : tensor<4x32xf32>
    %89 = stablehlo.add %88, %cst : tensor<4x32xf32>
    %90 = stablehlo.multiply %31, %89 : tensor<4x32xf32>
    %91 = stablehlo.subtract %cst_26, %90 : tensor<4x32xf32>
    %92 = stablehlo.abs %31 : tensor<4x32xf32>
    %93 = stablehlo.compare LT, %92, %cst_26 : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xi1>
    %94 = stablehlo.select %93, %91, %76 : tensor<4x32xi1>, tensor<4x32xf32>
    %95 = stablehlo.multiply %28, %94 : tensor<4x32xf32>
    %96 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %97 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %98 = stablehlo.multiply %arg5, %97 : tensor<16xf32>
    %99 = stablehlo.dot_general %95, %96, contracting_dims = [1] x [0] : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %100 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %101 = stablehlo.multiply %100, %99 : tensor<4x16xf32>
    %102 = stablehlo.broadcast_in_dim %98, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<4x16xf32>
    %104 = stablehlo.add %103, %101 : tensor<4x16xf32>
    %105 = stablehlo.multiply %104, %104 : tensor<4x16xf32>
    %106 = stablehlo.multiply %105, %104 : tensor<4x16xf32>
    %107 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<4x16xf32>
    %109 = stablehlo.add %104, %108 : tensor<4x16xf32>
    %110 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %111 = stablehlo.multiply %110, %109 : tensor<4x16xf32>
    %112 = stablehlo.tanh %111 : tensor<4x16xf32>
    %113 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %114 = stablehlo.add %113, %112 : tensor<4x16xf32>
    %115 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %116 = stablehlo.multiply %115, %114 : tensor<4x16xf32>
    %117 = stablehlo.multiply %104, %116 : tensor<4x16xf32>
    %118 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<5x16xf32>) -> tensor<16x5xf32>
    %119 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %120 = stablehlo.multiply %arg7, %119 : tensor<5xf32>
    %121 = stablehlo.dot_general %117, %118, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x5xf32>) -> tensor<4x5xf32>
    %122 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %123 = stablehlo.multiply %122, %121 : tensor<4x5xf32>
    %124 = stablehlo.broadcast_in_dim %120, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<4x5xf32>
    %126 = stablehlo.add %125, %123 : tensor<4x5xf32>
    %127 = stablehlo.reduce(%126 init: %cst_27) applies stablehlo.maximum across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %128 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %129 = stablehlo.maximum %128, %127 : tensor<4xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %132 = stablehlo.subtract %126, %131 : tensor<4x5xf32>
    %133 = stablehlo.exponential %132 : tensor<4x5xf32>
    %134 = stablehlo.reduce(%133 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %137 = stablehlo.divide %133, %136 : tensor<4x5xf32>
    return %137 : tensor<4x5xf32>
  }
  func.func private @_var(%arg0: tensor<4x32xf32>, %arg1: tensor<i32>) -> tensor<4x1xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x32xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<4x32xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %8 = stablehlo.subtract %cst_0, %7 : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x1xf32>
    %13 = stablehlo.compare GT, %8, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %14 = call @_where(%13, %12, %cst) : (tensor<i1>, tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
    return %14 : tensor<4x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x1xf32>, %arg2: tensor<f32>) -> tensor<4x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x1xf32>
    return %2 : tensor<4x1xf32>
  }
}
