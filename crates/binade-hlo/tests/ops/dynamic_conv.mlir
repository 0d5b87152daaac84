// stablehlo.dynamic_conv by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @dynamic_conv_plain_i8() {
  %0 = stablehlo.constant dense<[[[[-1, 0], [1, -1], [0, 1], [-1, 0]], [[1, -1], [0, 1], [-1, 0], [1, -1]], [[0, 1], [-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1], [-1, 0]]]]> : tensor<1x4x4x2xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]]], [[[1, -1], [0, 1]], [[-1, 0], [1, -1]]]]> : tensor<2x2x2x2xi8>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xi8>, tensor<2x2x2x2xi8>, tensor<2x2xi64>) -> tensor<1x3x3x2xi8>
  check.expect_eq_const %3, dense<[[[[4, -2], [-2, 2], [-2, 0]], [[-2, 2], [-2, 0], [4, -2]], [[-2, 0], [4, -2], [-2, 2]]]]> : tensor<1x3x3x2xi8>
  return
}

func.func @dynamic_conv_strides_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1], [-1], [0]], [[1], [-1], [0], [1], [-1]], [[0], [1], [-1], [0], [1]], [[-1], [0], [1], [-1], [0]]]]> : tensor<1x4x5x1xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0]], [[1, -1]]], [[[0, 1]], [[-1, 0]]], [[[1, -1]], [[0, 1]]]]> : tensor<3x2x1x2xi8>
  %2 = stablehlo.constant dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xi8>, tensor<3x2x1x2xi8>, tensor<2x2xi64>) -> tensor<1x2x2x2xi8>
  check.expect_eq_const %3, dense<[[[[1, -3], [1, -3]], [[-4, 2], [-4, 2]]]]> : tensor<1x2x2x2xi8>
  return
}

func.func @dynamic_conv_input_dilation_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0]], [[1], [-1]], [[0], [1]]]]> : tensor<1x3x2x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.constant dense<[[1, 1], [1, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xi8>, tensor<2x2x1x1xi8>, tensor<2x2xi64>) -> tensor<1x6x4x1xi8>
  check.expect_eq_const %3, dense<[[[[1], [-1], [0], [0]], [[0], [1], [0], [0]], [[-1], [1], [0], [1]], [[0], [-1], [0], [0]], [[0], [0], [0], [-1]], [[0], [0], [0], [0]]]]> : tensor<1x6x4x1xi8>
  return
}

func.func @dynamic_conv_kernel_dilation_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1], [-1], [0]], [[1], [-1], [0], [1], [-1]], [[0], [1], [-1], [0], [1]], [[-1], [0], [1], [-1], [0]], [[1], [-1], [0], [1], [-1]]]]> : tensor<1x5x5x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xi8>, tensor<2x2x1x1xi8>, tensor<2x2xi64>) -> tensor<1x3x2x1xi8>
  check.expect_eq_const %3, dense<[[[[1], [0]], [[-1], [1]], [[0], [-1]]]]> : tensor<1x3x2x1xi8>
  return
}

func.func @dynamic_conv_reversal_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1]], [[-1], [0], [1]], [[-1], [0], [1]]]]> : tensor<1x3x3x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xi8>, tensor<2x2x1x1xi8>, tensor<2x2xi64>) -> tensor<1x2x2x1xi8>
  check.expect_eq_const %3, dense<[[[[0], [-1]], [[0], [-1]]]]> : tensor<1x2x2x1xi8>
  return
}

func.func @dynamic_conv_feature_groups_i8() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]], [[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]], [[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]]]> : tensor<1x3x3x4xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]]], [[[1, -1], [0, 1]], [[-1, 0], [1, -1]]]]> : tensor<2x2x2x2xi8>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xi8>, tensor<2x2x2x2xi8>, tensor<2x2xi64>) -> tensor<1x2x2x2xi8>
  check.expect_eq_const %3, dense<[[[[0, -2], [0, 0]], [[0, -2], [0, 0]]]]> : tensor<1x2x2x2xi8>
  return
}

func.func @dynamic_conv_batch_groups_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1]], [[-1], [0], [1]], [[-1], [0], [1]]], [[[-1], [0], [1]], [[-1], [0], [1]], [[-1], [0], [1]]]]> : tensor<2x3x3x1xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0]], [[1, -1]]], [[[0, 1]], [[-1, 0]]]]> : tensor<2x2x1x2xi8>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xi8>, tensor<2x2x1x2xi8>, tensor<2x2xi64>) -> tensor<1x2x2x2xi8>
  check.expect_eq_const %3, dense<[[[[1, -1], [0, -1]], [[1, -1], [0, -1]]]]> : tensor<1x2x2x2xi8>
  return
}

func.func @dynamic_conv_negative_padding_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1], [-1]], [[0], [1], [-1], [0]], [[1], [-1], [0], [1]], [[-1], [0], [1], [-1]]]]> : tensor<1x4x4x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.constant dense<[[-1, 0], [0, -1]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xi8>, tensor<2x2x1x1xi8>, tensor<2x2xi64>) -> tensor<1x2x2x1xi8>
  check.expect_eq_const %3, dense<[[[[2], [-2]], [[-2], [0]]]]> : tensor<1x2x2x1xi8>
  return
}

func.func @dynamic_conv_nothing_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1]]]]> : tensor<1x1x3x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xi8>, tensor<2x2x1x1xi8>, tensor<2x2xi64>) -> tensor<1x0x2x1xi8>
  check.expect_eq_const %3, dense<> : tensor<1x0x2x1xi8>
  return
}

func.func @dynamic_conv_all_i8() {
  %0 = stablehlo.constant dense<[[[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]], [[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]]]> : tensor<2x3x3x2xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0]], [[1, -1]]], [[[0, 1]], [[-1, 0]]]]> : tensor<2x2x1x2xi8>
  %2 = stablehlo.constant dense<[[1, 2], [0, 1]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xi8>, tensor<2x2x1x2xi8>, tensor<2x2xi64>) -> tensor<2x4x2x2xi8>
  check.expect_eq_const %3, dense<[[[[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[0, 0], [0, 0]]], [[[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[0, 0], [0, 0]]]]> : tensor<2x4x2x2xi8>
  return
}

func.func @dynamic_conv_plain_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]]]]> : tensor<1x4x4x2xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf32>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xf32>, tensor<2x2x2x2xf32>, tensor<2x2xi64>) -> tensor<1x3x3x2xf32>
  check.expect_eq_const %3, dense<[[[[4.0, -2.0], [-2.0, 2.0], [-2.0, 0.0]], [[-2.0, 2.0], [-2.0, 0.0], [4.0, -2.0]], [[-2.0, 0.0], [4.0, -2.0], [-2.0, 2.0]]]]> : tensor<1x3x3x2xf32>
  return
}

func.func @dynamic_conv_strides_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]]]]> : tensor<1x4x5x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]], [[[1.0, -1.0]], [[0.0, 1.0]]]]> : tensor<3x2x1x2xf32>
  %2 = stablehlo.constant dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xf32>, tensor<3x2x1x2xf32>, tensor<2x2xi64>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %3, dense<[[[[1.0, -3.0], [1.0, -3.0]], [[-4.0, 2.0], [-4.0, 2.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @dynamic_conv_input_dilation_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0]], [[1.0], [-1.0]], [[0.0], [1.0]]]]> : tensor<1x3x2x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.constant dense<[[1, 1], [1, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<1x6x4x1xf32>
  check.expect_eq_const %3, dense<[[[[1.0], [-1.0], [0.0], [0.0]], [[0.0], [1.0], [0.0], [0.0]], [[-1.0], [1.0], [0.0], [1.0]], [[0.0], [-1.0], [0.0], [0.0]], [[0.0], [0.0], [0.0], [-1.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x6x4x1xf32>
  return
}

func.func @dynamic_conv_kernel_dilation_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x5x5x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<1x3x2x1xf32>
  check.expect_eq_const %3, dense<[[[[1.0], [0.0]], [[-1.0], [1.0]], [[0.0], [-1.0]]]]> : tensor<1x3x2x1xf32>
  return
}

func.func @dynamic_conv_reversal_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<1x3x3x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<1x2x2x1xf32>
  check.expect_eq_const %3, dense<[[[[0.0], [-1.0]], [[0.0], [-1.0]]]]> : tensor<1x2x2x1xf32>
  return
}

func.func @dynamic_conv_feature_groups_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]]]> : tensor<1x3x3x4xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf32>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xf32>, tensor<2x2x2x2xf32>, tensor<2x2xi64>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %3, dense<[[[[0.0, -2.0], [0.0, 0.0]], [[0.0, -2.0], [0.0, 0.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @dynamic_conv_batch_groups_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]], [[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<2x3x3x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf32>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xf32>, tensor<2x2x1x2xf32>, tensor<2x2xi64>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %3, dense<[[[[1.0, -1.0], [0.0, -1.0]], [[1.0, -1.0], [0.0, -1.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @dynamic_conv_negative_padding_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x4x4x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.constant dense<[[-1, 0], [0, -1]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<1x2x2x1xf32>
  check.expect_eq_const %3, dense<[[[[2.0], [-2.0]], [[-2.0], [0.0]]]]> : tensor<1x2x2x1xf32>
  return
}

func.func @dynamic_conv_nothing_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]]]]> : tensor<1x1x3x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<1x0x2x1xf32>
  check.expect_eq_const %3, dense<> : tensor<1x0x2x1xf32>
  return
}

func.func @dynamic_conv_all_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]], [[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]]> : tensor<2x3x3x2xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf32>
  %2 = stablehlo.constant dense<[[1, 2], [0, 1]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xf32>, tensor<2x2x1x2xf32>, tensor<2x2xi64>) -> tensor<2x4x2x2xf32>
  check.expect_eq_const %3, dense<[[[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], [[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<2x4x2x2xf32>
  return
}

func.func @dynamic_conv_plain_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]]]]> : tensor<1x4x4x2xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xbf16>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xbf16>, tensor<2x2x2x2xbf16>, tensor<2x2xi64>) -> tensor<1x3x3x2xbf16>
  check.expect_eq_const %3, dense<[[[[4.0, -2.0], [-2.0, 2.0], [-2.0, 0.0]], [[-2.0, 2.0], [-2.0, 0.0], [4.0, -2.0]], [[-2.0, 0.0], [4.0, -2.0], [-2.0, 2.0]]]]> : tensor<1x3x3x2xbf16>
  return
}

func.func @dynamic_conv_strides_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]]]]> : tensor<1x4x5x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]], [[[1.0, -1.0]], [[0.0, 1.0]]]]> : tensor<3x2x1x2xbf16>
  %2 = stablehlo.constant dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xbf16>, tensor<3x2x1x2xbf16>, tensor<2x2xi64>) -> tensor<1x2x2x2xbf16>
  check.expect_eq_const %3, dense<[[[[1.0, -3.0], [1.0, -3.0]], [[-4.0, 2.0], [-4.0, 2.0]]]]> : tensor<1x2x2x2xbf16>
  return
}

func.func @dynamic_conv_input_dilation_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0]], [[1.0], [-1.0]], [[0.0], [1.0]]]]> : tensor<1x3x2x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.constant dense<[[1, 1], [1, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xbf16>, tensor<2x2x1x1xbf16>, tensor<2x2xi64>) -> tensor<1x6x4x1xbf16>
  check.expect_eq_const %3, dense<[[[[1.0], [-1.0], [0.0], [0.0]], [[0.0], [1.0], [0.0], [0.0]], [[-1.0], [1.0], [0.0], [1.0]], [[0.0], [-1.0], [0.0], [0.0]], [[0.0], [0.0], [0.0], [-1.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x6x4x1xbf16>
  return
}

func.func @dynamic_conv_kernel_dilation_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x5x5x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xbf16>, tensor<2x2x1x1xbf16>, tensor<2x2xi64>) -> tensor<1x3x2x1xbf16>
  check.expect_eq_const %3, dense<[[[[1.0], [0.0]], [[-1.0], [1.0]], [[0.0], [-1.0]]]]> : tensor<1x3x2x1xbf16>
  return
}

func.func @dynamic_conv_reversal_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<1x3x3x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xbf16>, tensor<2x2x1x1xbf16>, tensor<2x2xi64>) -> tensor<1x2x2x1xbf16>
  check.expect_eq_const %3, dense<[[[[0.0], [-1.0]], [[0.0], [-1.0]]]]> : tensor<1x2x2x1xbf16>
  return
}

func.func @dynamic_conv_feature_groups_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]]]> : tensor<1x3x3x4xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xbf16>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xbf16>, tensor<2x2x2x2xbf16>, tensor<2x2xi64>) -> tensor<1x2x2x2xbf16>
  check.expect_eq_const %3, dense<[[[[0.0, -2.0], [0.0, 0.0]], [[0.0, -2.0], [0.0, 0.0]]]]> : tensor<1x2x2x2xbf16>
  return
}

func.func @dynamic_conv_batch_groups_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]], [[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<2x3x3x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xbf16>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xbf16>, tensor<2x2x1x2xbf16>, tensor<2x2xi64>) -> tensor<1x2x2x2xbf16>
  check.expect_eq_const %3, dense<[[[[1.0, -1.0], [0.0, -1.0]], [[1.0, -1.0], [0.0, -1.0]]]]> : tensor<1x2x2x2xbf16>
  return
}

func.func @dynamic_conv_negative_padding_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x4x4x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.constant dense<[[-1, 0], [0, -1]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xbf16>, tensor<2x2x1x1xbf16>, tensor<2x2xi64>) -> tensor<1x2x2x1xbf16>
  check.expect_eq_const %3, dense<[[[[2.0], [-2.0]], [[-2.0], [0.0]]]]> : tensor<1x2x2x1xbf16>
  return
}

func.func @dynamic_conv_nothing_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]]]]> : tensor<1x1x3x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xbf16>, tensor<2x2x1x1xbf16>, tensor<2x2xi64>) -> tensor<1x0x2x1xbf16>
  check.expect_eq_const %3, dense<> : tensor<1x0x2x1xbf16>
  return
}

func.func @dynamic_conv_all_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]], [[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]]> : tensor<2x3x3x2xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xbf16>
  %2 = stablehlo.constant dense<[[1, 2], [0, 1]]> : tensor<2x2xi64>
  %3 = stablehlo.dynamic_conv(%0, %1, %2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xbf16>, tensor<2x2x1x2xbf16>, tensor<2x2xi64>) -> tensor<2x4x2x2xbf16>
  check.expect_eq_const %3, dense<[[[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], [[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<2x4x2x2xbf16>
  return
}
