// stablehlo.convolution by its definition; narrow types with values whose sums are exact, so that both semantics agree.

func.func @convolution_plain_i8() {
  %0 = stablehlo.constant dense<[[[[-1, 0], [1, -1], [0, 1], [-1, 0]], [[1, -1], [0, 1], [-1, 0], [1, -1]], [[0, 1], [-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1], [-1, 0]]]]> : tensor<1x4x4x2xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]]], [[[1, -1], [0, 1]], [[-1, 0], [1, -1]]]]> : tensor<2x2x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xi8>, tensor<2x2x2x2xi8>) -> tensor<1x3x3x2xi8>
  check.expect_eq_const %2, dense<[[[[4, -2], [-2, 2], [-2, 0]], [[-2, 2], [-2, 0], [4, -2]], [[-2, 0], [4, -2], [-2, 2]]]]> : tensor<1x3x3x2xi8>
  return
}

func.func @convolution_plain_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 1, 0, -1], [1, 0, -1, 1], [0, -1, 1, 0], [-1, 1, 0, -1]]], [[[0, -1, 1, 0], [-1, 1, 0, -1], [1, 0, -1, 1], [0, -1, 1, 0]]]]> : tensor<2x1x4x4xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]], [[1, -1], [0, 1]]], [[[0, 1], [-1, 0]], [[-1, 0], [1, -1]]]]> : tensor<2x2x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x1x4x4xi8>, tensor<2x2x2x2xi8>) -> tensor<1x2x3x3xi8>
  check.expect_eq_const %2, dense<[[[[4, -2, -2], [-2, -2, 4], [-2, 4, -2]], [[-2, 2, 0], [2, 0, -2], [0, -2, 2]]]]> : tensor<1x2x3x3xi8>
  return
}

func.func @convolution_strides_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1], [-1], [0]], [[1], [-1], [0], [1], [-1]], [[0], [1], [-1], [0], [1]], [[-1], [0], [1], [-1], [0]]]]> : tensor<1x4x5x1xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0]], [[1, -1]]], [[[0, 1]], [[-1, 0]]], [[[1, -1]], [[0, 1]]]]> : tensor<3x2x1x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xi8>, tensor<3x2x1x2xi8>) -> tensor<1x2x2x2xi8>
  check.expect_eq_const %2, dense<[[[[1, -3], [1, -3]], [[-4, 2], [-4, 2]]]]> : tensor<1x2x2x2xi8>
  return
}

func.func @convolution_strides_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1, -1, 0], [1, -1, 0, 1, -1], [0, 1, -1, 0, 1], [-1, 0, 1, -1, 0]]]]> : tensor<1x1x4x5xi8>
  %1 = stablehlo.constant dense<[[[[-1, 1], [0, -1], [1, 0]]], [[[0, -1], [1, 0], [-1, 1]]]]> : tensor<2x1x3x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x4x5xi8>, tensor<2x1x3x2xi8>) -> tensor<1x2x2x2xi8>
  check.expect_eq_const %2, dense<[[[[1, 1], [-4, -4]], [[-3, -3], [2, 2]]]]> : tensor<1x2x2x2xi8>
  return
}

func.func @convolution_input_dilation_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0]], [[1], [-1]], [[0], [1]]]]> : tensor<1x3x2x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xi8>, tensor<2x2x1x1xi8>) -> tensor<1x6x4x1xi8>
  check.expect_eq_const %2, dense<[[[[1], [-1], [0], [0]], [[0], [1], [0], [0]], [[-1], [1], [0], [1]], [[0], [-1], [0], [0]], [[0], [0], [0], [-1]], [[0], [0], [0], [0]]]]> : tensor<1x6x4x1xi8>
  return
}

func.func @convolution_input_dilation_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 0], [1, -1], [0, 1]]]]> : tensor<1x1x3x2xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]]]]> : tensor<1x1x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x2xi8>, tensor<1x1x2x2xi8>) -> tensor<1x1x6x4xi8>
  check.expect_eq_const %2, dense<[[[[1, -1, 0, 0], [0, 1, 0, 0], [-1, 1, 0, 1], [0, -1, 0, 0], [0, 0, 0, -1], [0, 0, 0, 0]]]]> : tensor<1x1x6x4xi8>
  return
}

func.func @convolution_kernel_dilation_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1], [-1], [0]], [[1], [-1], [0], [1], [-1]], [[0], [1], [-1], [0], [1]], [[-1], [0], [1], [-1], [0]], [[1], [-1], [0], [1], [-1]]]]> : tensor<1x5x5x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xi8>, tensor<2x2x1x1xi8>) -> tensor<1x3x2x1xi8>
  check.expect_eq_const %2, dense<[[[[1], [0]], [[-1], [1]], [[0], [-1]]]]> : tensor<1x3x2x1xi8>
  return
}

func.func @convolution_kernel_dilation_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1, -1, 0], [1, -1, 0, 1, -1], [0, 1, -1, 0, 1], [-1, 0, 1, -1, 0], [1, -1, 0, 1, -1]]]]> : tensor<1x1x5x5xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]]]]> : tensor<1x1x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x5x5xi8>, tensor<1x1x2x2xi8>) -> tensor<1x1x3x2xi8>
  check.expect_eq_const %2, dense<[[[[1, 0], [-1, 1], [0, -1]]]]> : tensor<1x1x3x2xi8>
  return
}

func.func @convolution_reversal_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1]], [[-1], [0], [1]], [[-1], [0], [1]]]]> : tensor<1x3x3x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xi8>, tensor<2x2x1x1xi8>) -> tensor<1x2x2x1xi8>
  check.expect_eq_const %2, dense<[[[[0], [-1]], [[0], [-1]]]]> : tensor<1x2x2x1xi8>
  return
}

func.func @convolution_reversal_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1], [-1, 0, 1], [-1, 0, 1]]]]> : tensor<1x1x3x3xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]]]]> : tensor<1x1x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x3xi8>, tensor<1x1x2x2xi8>) -> tensor<1x1x2x2xi8>
  check.expect_eq_const %2, dense<[[[[0, -1], [0, -1]]]]> : tensor<1x1x2x2xi8>
  return
}

func.func @convolution_feature_groups_i8() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]], [[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]], [[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]]]> : tensor<1x3x3x4xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]]], [[[1, -1], [0, 1]], [[-1, 0], [1, -1]]]]> : tensor<2x2x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xi8>, tensor<2x2x2x2xi8>) -> tensor<1x2x2x2xi8>
  check.expect_eq_const %2, dense<[[[[0, -2], [0, 0]], [[0, -2], [0, 0]]]]> : tensor<1x2x2x2xi8>
  return
}

func.func @convolution_feature_groups_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1], [-1, 0, 1], [-1, 0, 1]]], [[[0, 1, -1], [0, 1, -1], [0, 1, -1]]], [[[1, -1, 0], [1, -1, 0], [1, -1, 0]]], [[[-1, 0, 1], [-1, 0, 1], [-1, 0, 1]]]]> : tensor<4x1x3x3xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]], [[1, -1], [0, 1]]], [[[0, 1], [-1, 0]], [[-1, 0], [1, -1]]]]> : tensor<2x2x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x1x3x3xi8>, tensor<2x2x2x2xi8>) -> tensor<1x2x2x2xi8>
  check.expect_eq_const %2, dense<[[[[0, 0], [0, 0]], [[-2, 0], [-2, 0]]]]> : tensor<1x2x2x2xi8>
  return
}

func.func @convolution_batch_groups_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1]], [[-1], [0], [1]], [[-1], [0], [1]]], [[[-1], [0], [1]], [[-1], [0], [1]], [[-1], [0], [1]]]]> : tensor<2x3x3x1xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0]], [[1, -1]]], [[[0, 1]], [[-1, 0]]]]> : tensor<2x2x1x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xi8>, tensor<2x2x1x2xi8>) -> tensor<1x2x2x2xi8>
  check.expect_eq_const %2, dense<[[[[1, -1], [0, -1]], [[1, -1], [0, -1]]]]> : tensor<1x2x2x2xi8>
  return
}

func.func @convolution_batch_groups_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1], [-1, 0, 1], [-1, 0, 1]], [[-1, 0, 1], [-1, 0, 1], [-1, 0, 1]]]]> : tensor<1x2x3x3xi8>
  %1 = stablehlo.constant dense<[[[[-1, 1], [0, -1]]], [[[0, -1], [1, 0]]]]> : tensor<2x1x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x3x3xi8>, tensor<2x1x2x2xi8>) -> tensor<1x2x2x2xi8>
  check.expect_eq_const %2, dense<[[[[1, 0], [1, 0]], [[-1, -1], [-1, -1]]]]> : tensor<1x2x2x2xi8>
  return
}

func.func @convolution_negative_padding_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1], [-1]], [[0], [1], [-1], [0]], [[1], [-1], [0], [1]], [[-1], [0], [1], [-1]]]]> : tensor<1x4x4x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xi8>, tensor<2x2x1x1xi8>) -> tensor<1x2x2x1xi8>
  check.expect_eq_const %2, dense<[[[[2], [-2]], [[-2], [0]]]]> : tensor<1x2x2x1xi8>
  return
}

func.func @convolution_negative_padding_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1], [-1, 0, 1, -1]]]]> : tensor<1x1x4x4xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]]]]> : tensor<1x1x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x4x4xi8>, tensor<1x1x2x2xi8>) -> tensor<1x1x2x2xi8>
  check.expect_eq_const %2, dense<[[[[2, -2], [-2, 0]]]]> : tensor<1x1x2x2xi8>
  return
}

func.func @convolution_nothing_i8() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1]]]]> : tensor<1x1x3x1xi8>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xi8>, tensor<2x2x1x1xi8>) -> tensor<1x0x2x1xi8>
  check.expect_eq_const %2, dense<> : tensor<1x0x2x1xi8>
  return
}

func.func @convolution_nothing_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1]]]]> : tensor<1x1x1x3xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]]]]> : tensor<1x1x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x3xi8>, tensor<1x1x2x2xi8>) -> tensor<1x1x0x2xi8>
  check.expect_eq_const %2, dense<> : tensor<1x1x0x2xi8>
  return
}

func.func @convolution_all_i8() {
  %0 = stablehlo.constant dense<[[[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]], [[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]]]> : tensor<2x3x3x2xi8>
  %1 = stablehlo.constant dense<[[[[-1, 0]], [[1, -1]]], [[[0, 1]], [[-1, 0]]]]> : tensor<2x2x1x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xi8>, tensor<2x2x1x2xi8>) -> tensor<2x4x2x2xi8>
  check.expect_eq_const %2, dense<[[[[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[0, 0], [0, 0]]], [[[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[0, 0], [0, 0]]]]> : tensor<2x4x2x2xi8>
  return
}

func.func @convolution_all_i8_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1, 1, 0], [-1, 1, 0], [-1, 1, 0]], [[-1, 1, 0], [-1, 1, 0], [-1, 1, 0]]], [[[0, -1, 1], [0, -1, 1], [0, -1, 1]], [[0, -1, 1], [0, -1, 1], [0, -1, 1]]]]> : tensor<2x2x3x3xi8>
  %1 = stablehlo.constant dense<[[[[-1, 1], [0, -1]]], [[[0, -1], [1, 0]]]]> : tensor<2x1x2x2xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x2x3x3xi8>, tensor<2x1x2x2xi8>) -> tensor<2x2x4x2xi8>
  check.expect_eq_const %2, dense<[[[[1, -1], [1, -1], [1, -1], [0, 0]], [[1, 0], [1, 0], [1, 0], [0, 0]]], [[[1, -1], [1, -1], [1, -1], [0, 0]], [[1, 0], [1, 0], [1, 0], [0, 0]]]]> : tensor<2x2x4x2xi8>
  return
}

func.func @convolution_plain_i64() {
  %0 = stablehlo.constant dense<[[[[-1, 0], [1, -1], [0, 1], [-1, 0]], [[1, -1], [0, 1], [-1, 0], [1, -1]], [[0, 1], [-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1], [-1, 0]]]]> : tensor<1x4x4x2xi64>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]]], [[[1, -1], [0, 1]], [[-1, 0], [1, -1]]]]> : tensor<2x2x2x2xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xi64>, tensor<2x2x2x2xi64>) -> tensor<1x3x3x2xi64>
  check.expect_eq_const %2, dense<[[[[4, -2], [-2, 2], [-2, 0]], [[-2, 2], [-2, 0], [4, -2]], [[-2, 0], [4, -2], [-2, 2]]]]> : tensor<1x3x3x2xi64>
  return
}

func.func @convolution_strides_i64() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1], [-1], [0]], [[1], [-1], [0], [1], [-1]], [[0], [1], [-1], [0], [1]], [[-1], [0], [1], [-1], [0]]]]> : tensor<1x4x5x1xi64>
  %1 = stablehlo.constant dense<[[[[-1, 0]], [[1, -1]]], [[[0, 1]], [[-1, 0]]], [[[1, -1]], [[0, 1]]]]> : tensor<3x2x1x2xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xi64>, tensor<3x2x1x2xi64>) -> tensor<1x2x2x2xi64>
  check.expect_eq_const %2, dense<[[[[1, -3], [1, -3]], [[-4, 2], [-4, 2]]]]> : tensor<1x2x2x2xi64>
  return
}

func.func @convolution_input_dilation_i64() {
  %0 = stablehlo.constant dense<[[[[-1], [0]], [[1], [-1]], [[0], [1]]]]> : tensor<1x3x2x1xi64>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xi64>, tensor<2x2x1x1xi64>) -> tensor<1x6x4x1xi64>
  check.expect_eq_const %2, dense<[[[[1], [-1], [0], [0]], [[0], [1], [0], [0]], [[-1], [1], [0], [1]], [[0], [-1], [0], [0]], [[0], [0], [0], [-1]], [[0], [0], [0], [0]]]]> : tensor<1x6x4x1xi64>
  return
}

func.func @convolution_kernel_dilation_i64() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1], [-1], [0]], [[1], [-1], [0], [1], [-1]], [[0], [1], [-1], [0], [1]], [[-1], [0], [1], [-1], [0]], [[1], [-1], [0], [1], [-1]]]]> : tensor<1x5x5x1xi64>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xi64>, tensor<2x2x1x1xi64>) -> tensor<1x3x2x1xi64>
  check.expect_eq_const %2, dense<[[[[1], [0]], [[-1], [1]], [[0], [-1]]]]> : tensor<1x3x2x1xi64>
  return
}

func.func @convolution_reversal_i64() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1]], [[-1], [0], [1]], [[-1], [0], [1]]]]> : tensor<1x3x3x1xi64>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xi64>, tensor<2x2x1x1xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %2, dense<[[[[0], [-1]], [[0], [-1]]]]> : tensor<1x2x2x1xi64>
  return
}

func.func @convolution_feature_groups_i64() {
  %0 = stablehlo.constant dense<[[[[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]], [[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]], [[-1, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 1]]]]> : tensor<1x3x3x4xi64>
  %1 = stablehlo.constant dense<[[[[-1, 0], [1, -1]], [[0, 1], [-1, 0]]], [[[1, -1], [0, 1]], [[-1, 0], [1, -1]]]]> : tensor<2x2x2x2xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xi64>, tensor<2x2x2x2xi64>) -> tensor<1x2x2x2xi64>
  check.expect_eq_const %2, dense<[[[[0, -2], [0, 0]], [[0, -2], [0, 0]]]]> : tensor<1x2x2x2xi64>
  return
}

func.func @convolution_batch_groups_i64() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1]], [[-1], [0], [1]], [[-1], [0], [1]]], [[[-1], [0], [1]], [[-1], [0], [1]], [[-1], [0], [1]]]]> : tensor<2x3x3x1xi64>
  %1 = stablehlo.constant dense<[[[[-1, 0]], [[1, -1]]], [[[0, 1]], [[-1, 0]]]]> : tensor<2x2x1x2xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xi64>, tensor<2x2x1x2xi64>) -> tensor<1x2x2x2xi64>
  check.expect_eq_const %2, dense<[[[[1, -1], [0, -1]], [[1, -1], [0, -1]]]]> : tensor<1x2x2x2xi64>
  return
}

func.func @convolution_negative_padding_i64() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1], [-1]], [[0], [1], [-1], [0]], [[1], [-1], [0], [1]], [[-1], [0], [1], [-1]]]]> : tensor<1x4x4x1xi64>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xi64>, tensor<2x2x1x1xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %2, dense<[[[[2], [-2]], [[-2], [0]]]]> : tensor<1x2x2x1xi64>
  return
}

func.func @convolution_nothing_i64() {
  %0 = stablehlo.constant dense<[[[[-1], [0], [1]]]]> : tensor<1x1x3x1xi64>
  %1 = stablehlo.constant dense<[[[[-1]], [[0]]], [[[1]], [[-1]]]]> : tensor<2x2x1x1xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xi64>, tensor<2x2x1x1xi64>) -> tensor<1x0x2x1xi64>
  check.expect_eq_const %2, dense<> : tensor<1x0x2x1xi64>
  return
}

func.func @convolution_all_i64() {
  %0 = stablehlo.constant dense<[[[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]], [[[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]], [[-1, 0], [1, -1], [0, 1]]]]> : tensor<2x3x3x2xi64>
  %1 = stablehlo.constant dense<[[[[-1, 0]], [[1, -1]]], [[[0, 1]], [[-1, 0]]]]> : tensor<2x2x1x2xi64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xi64>, tensor<2x2x1x2xi64>) -> tensor<2x4x2x2xi64>
  check.expect_eq_const %2, dense<[[[[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[0, 0], [0, 0]]], [[[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[1, 1], [-1, 0]], [[0, 0], [0, 0]]]]> : tensor<2x4x2x2xi64>
  return
}

func.func @convolution_plain_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]]]]> : tensor<1x4x4x2xf64>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xf64>, tensor<2x2x2x2xf64>) -> tensor<1x3x3x2xf64>
  check.expect_eq_const %2, dense<[[[[4.0, -2.0], [-2.0, 2.0], [-2.0, 0.0]], [[-2.0, 2.0], [-2.0, 0.0], [4.0, -2.0]], [[-2.0, 0.0], [4.0, -2.0], [-2.0, 2.0]]]]> : tensor<1x3x3x2xf64>
  return
}

func.func @convolution_strides_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]]]]> : tensor<1x4x5x1xf64>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]], [[[1.0, -1.0]], [[0.0, 1.0]]]]> : tensor<3x2x1x2xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xf64>, tensor<3x2x1x2xf64>) -> tensor<1x2x2x2xf64>
  check.expect_eq_const %2, dense<[[[[1.0, -3.0], [1.0, -3.0]], [[-4.0, 2.0], [-4.0, 2.0]]]]> : tensor<1x2x2x2xf64>
  return
}

func.func @convolution_input_dilation_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0]], [[1.0], [-1.0]], [[0.0], [1.0]]]]> : tensor<1x3x2x1xf64>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xf64>, tensor<2x2x1x1xf64>) -> tensor<1x6x4x1xf64>
  check.expect_eq_const %2, dense<[[[[1.0], [-1.0], [0.0], [0.0]], [[0.0], [1.0], [0.0], [0.0]], [[-1.0], [1.0], [0.0], [1.0]], [[0.0], [-1.0], [0.0], [0.0]], [[0.0], [0.0], [0.0], [-1.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x6x4x1xf64>
  return
}

func.func @convolution_kernel_dilation_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x5x5x1xf64>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xf64>, tensor<2x2x1x1xf64>) -> tensor<1x3x2x1xf64>
  check.expect_eq_const %2, dense<[[[[1.0], [0.0]], [[-1.0], [1.0]], [[0.0], [-1.0]]]]> : tensor<1x3x2x1xf64>
  return
}

func.func @convolution_reversal_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<1x3x3x1xf64>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xf64>, tensor<2x2x1x1xf64>) -> tensor<1x2x2x1xf64>
  check.expect_eq_const %2, dense<[[[[0.0], [-1.0]], [[0.0], [-1.0]]]]> : tensor<1x2x2x1xf64>
  return
}

func.func @convolution_feature_groups_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]]]> : tensor<1x3x3x4xf64>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xf64>, tensor<2x2x2x2xf64>) -> tensor<1x2x2x2xf64>
  check.expect_eq_const %2, dense<[[[[0.0, -2.0], [0.0, 0.0]], [[0.0, -2.0], [0.0, 0.0]]]]> : tensor<1x2x2x2xf64>
  return
}

func.func @convolution_batch_groups_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]], [[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<2x3x3x1xf64>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xf64>, tensor<2x2x1x2xf64>) -> tensor<1x2x2x2xf64>
  check.expect_eq_const %2, dense<[[[[1.0, -1.0], [0.0, -1.0]], [[1.0, -1.0], [0.0, -1.0]]]]> : tensor<1x2x2x2xf64>
  return
}

func.func @convolution_negative_padding_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x4x4x1xf64>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xf64>, tensor<2x2x1x1xf64>) -> tensor<1x2x2x1xf64>
  check.expect_eq_const %2, dense<[[[[2.0], [-2.0]], [[-2.0], [0.0]]]]> : tensor<1x2x2x1xf64>
  return
}

func.func @convolution_nothing_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]]]]> : tensor<1x1x3x1xf64>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xf64>, tensor<2x2x1x1xf64>) -> tensor<1x0x2x1xf64>
  check.expect_eq_const %2, dense<> : tensor<1x0x2x1xf64>
  return
}

func.func @convolution_all_f64() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]], [[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]]> : tensor<2x3x3x2xf64>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf64>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xf64>, tensor<2x2x1x2xf64>) -> tensor<2x4x2x2xf64>
  check.expect_eq_const %2, dense<[[[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], [[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<2x4x2x2xf64>
  return
}

func.func @convolution_plain_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]]]]> : tensor<1x4x4x2xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xf32>, tensor<2x2x2x2xf32>) -> tensor<1x3x3x2xf32>
  check.expect_eq_const %2, dense<[[[[4.0, -2.0], [-2.0, 2.0], [-2.0, 0.0]], [[-2.0, 2.0], [-2.0, 0.0], [4.0, -2.0]], [[-2.0, 0.0], [4.0, -2.0], [-2.0, 2.0]]]]> : tensor<1x3x3x2xf32>
  return
}

func.func @convolution_plain_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, 1.0], [0.0, -1.0, 1.0, 0.0], [-1.0, 1.0, 0.0, -1.0]]], [[[0.0, -1.0, 1.0, 0.0], [-1.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, 1.0], [0.0, -1.0, 1.0, 0.0]]]]> : tensor<2x1x4x4xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[1.0, -1.0], [0.0, 1.0]]], [[[0.0, 1.0], [-1.0, 0.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x1x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  check.expect_eq_const %2, dense<[[[[4.0, -2.0, -2.0], [-2.0, -2.0, 4.0], [-2.0, 4.0, -2.0]], [[-2.0, 2.0, 0.0], [2.0, 0.0, -2.0], [0.0, -2.0, 2.0]]]]> : tensor<1x2x3x3xf32>
  return
}

func.func @convolution_strides_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]]]]> : tensor<1x4x5x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]], [[[1.0, -1.0]], [[0.0, 1.0]]]]> : tensor<3x2x1x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xf32>, tensor<3x2x1x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %2, dense<[[[[1.0, -3.0], [1.0, -3.0]], [[-4.0, 2.0], [-4.0, 2.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @convolution_strides_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, -1.0, 0.0]]]]> : tensor<1x1x4x5xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 1.0], [0.0, -1.0], [1.0, 0.0]]], [[[0.0, -1.0], [1.0, 0.0], [-1.0, 1.0]]]]> : tensor<2x1x3x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x4x5xf32>, tensor<2x1x3x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %2, dense<[[[[1.0, 1.0], [-4.0, -4.0]], [[-3.0, -3.0], [2.0, 2.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @convolution_input_dilation_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0]], [[1.0], [-1.0]], [[0.0], [1.0]]]]> : tensor<1x3x2x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x6x4x1xf32>
  check.expect_eq_const %2, dense<[[[[1.0], [-1.0], [0.0], [0.0]], [[0.0], [1.0], [0.0], [0.0]], [[-1.0], [1.0], [0.0], [1.0]], [[0.0], [-1.0], [0.0], [0.0]], [[0.0], [0.0], [0.0], [-1.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x6x4x1xf32>
  return
}

func.func @convolution_input_dilation_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]]> : tensor<1x1x3x2xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x6x4xf32>
  check.expect_eq_const %2, dense<[[[[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 1.0, 0.0, 1.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x6x4xf32>
  return
}

func.func @convolution_kernel_dilation_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x5x5x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x2x1xf32>
  check.expect_eq_const %2, dense<[[[[1.0], [0.0]], [[-1.0], [1.0]], [[0.0], [-1.0]]]]> : tensor<1x3x2x1xf32>
  return
}

func.func @convolution_kernel_dilation_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0, -1.0]]]]> : tensor<1x1x5x5xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x5x5xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x3x2xf32>
  check.expect_eq_const %2, dense<[[[[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]]]]> : tensor<1x1x3x2xf32>
  return
}

func.func @convolution_reversal_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<1x3x3x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>
  check.expect_eq_const %2, dense<[[[[0.0], [-1.0]], [[0.0], [-1.0]]]]> : tensor<1x2x2x1xf32>
  return
}

func.func @convolution_reversal_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]]> : tensor<1x1x3x3xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  check.expect_eq_const %2, dense<[[[[0.0, -1.0], [0.0, -1.0]]]]> : tensor<1x1x2x2xf32>
  return
}

func.func @convolution_feature_groups_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]]]> : tensor<1x3x3x4xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %2, dense<[[[[0.0, -2.0], [0.0, 0.0]], [[0.0, -2.0], [0.0, 0.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @convolution_feature_groups_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]], [[[0.0, 1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 1.0, -1.0]]], [[[1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 0.0]]], [[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]]> : tensor<4x1x3x3xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[1.0, -1.0], [0.0, 1.0]]], [[[0.0, 1.0], [-1.0, 0.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x1x3x3xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %2, dense<[[[[0.0, 0.0], [0.0, 0.0]], [[-2.0, 0.0], [-2.0, 0.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @convolution_batch_groups_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]], [[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<2x3x3x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xf32>, tensor<2x2x1x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %2, dense<[[[[1.0, -1.0], [0.0, -1.0]], [[1.0, -1.0], [0.0, -1.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @convolution_batch_groups_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]]> : tensor<1x2x3x3xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 1.0], [0.0, -1.0]]], [[[0.0, -1.0], [1.0, 0.0]]]]> : tensor<2x1x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x3x3xf32>, tensor<2x1x2x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %2, dense<[[[[1.0, 0.0], [1.0, 0.0]], [[-1.0, -1.0], [-1.0, -1.0]]]]> : tensor<1x2x2x2xf32>
  return
}

func.func @convolution_negative_padding_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x4x4x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>
  check.expect_eq_const %2, dense<[[[[2.0], [-2.0]], [[-2.0], [0.0]]]]> : tensor<1x2x2x1xf32>
  return
}

func.func @convolution_negative_padding_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, -1.0]]]]> : tensor<1x1x4x4xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  check.expect_eq_const %2, dense<[[[[2.0, -2.0], [-2.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  return
}

func.func @convolution_nothing_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]]]]> : tensor<1x1x3x1xf32>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x0x2x1xf32>
  check.expect_eq_const %2, dense<> : tensor<1x0x2x1xf32>
  return
}

func.func @convolution_nothing_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0]]]]> : tensor<1x1x1x3xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x3xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x0x2xf32>
  check.expect_eq_const %2, dense<> : tensor<1x1x0x2xf32>
  return
}

func.func @convolution_all_f32() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]], [[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]]> : tensor<2x3x3x2xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x4x2x2xf32>
  check.expect_eq_const %2, dense<[[[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], [[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<2x4x2x2xf32>
  return
}

func.func @convolution_all_f32_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]], [[-1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]], [[[0.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, -1.0, 1.0]], [[0.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, -1.0, 1.0]]]]> : tensor<2x2x3x3xf32>
  %1 = stablehlo.constant dense<[[[[-1.0, 1.0], [0.0, -1.0]]], [[[0.0, -1.0], [1.0, 0.0]]]]> : tensor<2x1x2x2xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x2x3x3xf32>, tensor<2x1x2x2xf32>) -> tensor<2x2x4x2xf32>
  check.expect_eq_const %2, dense<[[[[1.0, -1.0], [1.0, -1.0], [1.0, -1.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]], [[[1.0, -1.0], [1.0, -1.0], [1.0, -1.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]]]> : tensor<2x2x4x2xf32>
  return
}

func.func @convolution_plain_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]]]]> : tensor<1x4x4x2xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xbf16>, tensor<2x2x2x2xbf16>) -> tensor<1x3x3x2xbf16>
  check.expect_eq_const %2, dense<[[[[4.0, -2.0], [-2.0, 2.0], [-2.0, 0.0]], [[-2.0, 2.0], [-2.0, 0.0], [4.0, -2.0]], [[-2.0, 0.0], [4.0, -2.0], [-2.0, 2.0]]]]> : tensor<1x3x3x2xbf16>
  return
}

func.func @convolution_strides_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]]]]> : tensor<1x4x5x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]], [[[1.0, -1.0]], [[0.0, 1.0]]]]> : tensor<3x2x1x2xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xbf16>, tensor<3x2x1x2xbf16>) -> tensor<1x2x2x2xbf16>
  check.expect_eq_const %2, dense<[[[[1.0, -3.0], [1.0, -3.0]], [[-4.0, 2.0], [-4.0, 2.0]]]]> : tensor<1x2x2x2xbf16>
  return
}

func.func @convolution_input_dilation_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0]], [[1.0], [-1.0]], [[0.0], [1.0]]]]> : tensor<1x3x2x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xbf16>, tensor<2x2x1x1xbf16>) -> tensor<1x6x4x1xbf16>
  check.expect_eq_const %2, dense<[[[[1.0], [-1.0], [0.0], [0.0]], [[0.0], [1.0], [0.0], [0.0]], [[-1.0], [1.0], [0.0], [1.0]], [[0.0], [-1.0], [0.0], [0.0]], [[0.0], [0.0], [0.0], [-1.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x6x4x1xbf16>
  return
}

func.func @convolution_kernel_dilation_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x5x5x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xbf16>, tensor<2x2x1x1xbf16>) -> tensor<1x3x2x1xbf16>
  check.expect_eq_const %2, dense<[[[[1.0], [0.0]], [[-1.0], [1.0]], [[0.0], [-1.0]]]]> : tensor<1x3x2x1xbf16>
  return
}

func.func @convolution_reversal_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<1x3x3x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xbf16>, tensor<2x2x1x1xbf16>) -> tensor<1x2x2x1xbf16>
  check.expect_eq_const %2, dense<[[[[0.0], [-1.0]], [[0.0], [-1.0]]]]> : tensor<1x2x2x1xbf16>
  return
}

func.func @convolution_feature_groups_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]]]> : tensor<1x3x3x4xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xbf16>, tensor<2x2x2x2xbf16>) -> tensor<1x2x2x2xbf16>
  check.expect_eq_const %2, dense<[[[[0.0, -2.0], [0.0, 0.0]], [[0.0, -2.0], [0.0, 0.0]]]]> : tensor<1x2x2x2xbf16>
  return
}

func.func @convolution_batch_groups_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]], [[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<2x3x3x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xbf16>, tensor<2x2x1x2xbf16>) -> tensor<1x2x2x2xbf16>
  check.expect_eq_const %2, dense<[[[[1.0, -1.0], [0.0, -1.0]], [[1.0, -1.0], [0.0, -1.0]]]]> : tensor<1x2x2x2xbf16>
  return
}

func.func @convolution_negative_padding_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x4x4x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xbf16>, tensor<2x2x1x1xbf16>) -> tensor<1x2x2x1xbf16>
  check.expect_eq_const %2, dense<[[[[2.0], [-2.0]], [[-2.0], [0.0]]]]> : tensor<1x2x2x1xbf16>
  return
}

func.func @convolution_nothing_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]]]]> : tensor<1x1x3x1xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xbf16>, tensor<2x2x1x1xbf16>) -> tensor<1x0x2x1xbf16>
  check.expect_eq_const %2, dense<> : tensor<1x0x2x1xbf16>
  return
}

func.func @convolution_all_bf16() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]], [[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]]> : tensor<2x3x3x2xbf16>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xbf16>, tensor<2x2x1x2xbf16>) -> tensor<2x4x2x2xbf16>
  check.expect_eq_const %2, dense<[[[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], [[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<2x4x2x2xbf16>
  return
}

func.func @convolution_plain_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]]]]> : tensor<1x4x4x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xf8E4M3FNUZ>, tensor<2x2x2x2xf8E4M3FNUZ>) -> tensor<1x3x3x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[4.0, -2.0], [-2.0, 2.0], [-2.0, 0.0]], [[-2.0, 2.0], [-2.0, 0.0], [4.0, -2.0]], [[-2.0, 0.0], [4.0, -2.0], [-2.0, 2.0]]]]> : tensor<1x3x3x2xf8E4M3FNUZ>
  return
}

func.func @convolution_plain_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, 1.0], [0.0, -1.0, 1.0, 0.0], [-1.0, 1.0, 0.0, -1.0]]], [[[0.0, -1.0, 1.0, 0.0], [-1.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, 1.0], [0.0, -1.0, 1.0, 0.0]]]]> : tensor<2x1x4x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[1.0, -1.0], [0.0, 1.0]]], [[[0.0, 1.0], [-1.0, 0.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x1x4x4xf8E4M3FNUZ>, tensor<2x2x2x2xf8E4M3FNUZ>) -> tensor<1x2x3x3xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[4.0, -2.0, -2.0], [-2.0, -2.0, 4.0], [-2.0, 4.0, -2.0]], [[-2.0, 2.0, 0.0], [2.0, 0.0, -2.0], [0.0, -2.0, 2.0]]]]> : tensor<1x2x3x3xf8E4M3FNUZ>
  return
}

func.func @convolution_strides_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]]]]> : tensor<1x4x5x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]], [[[1.0, -1.0]], [[0.0, 1.0]]]]> : tensor<3x2x1x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xf8E4M3FNUZ>, tensor<3x2x1x2xf8E4M3FNUZ>) -> tensor<1x2x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, -3.0], [1.0, -3.0]], [[-4.0, 2.0], [-4.0, 2.0]]]]> : tensor<1x2x2x2xf8E4M3FNUZ>
  return
}

func.func @convolution_strides_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, -1.0, 0.0]]]]> : tensor<1x1x4x5xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 1.0], [0.0, -1.0], [1.0, 0.0]]], [[[0.0, -1.0], [1.0, 0.0], [-1.0, 1.0]]]]> : tensor<2x1x3x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x4x5xf8E4M3FNUZ>, tensor<2x1x3x2xf8E4M3FNUZ>) -> tensor<1x2x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, 1.0], [-4.0, -4.0]], [[-3.0, -3.0], [2.0, 2.0]]]]> : tensor<1x2x2x2xf8E4M3FNUZ>
  return
}

func.func @convolution_input_dilation_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0]], [[1.0], [-1.0]], [[0.0], [1.0]]]]> : tensor<1x3x2x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xf8E4M3FNUZ>, tensor<2x2x1x1xf8E4M3FNUZ>) -> tensor<1x6x4x1xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0], [-1.0], [0.0], [0.0]], [[0.0], [1.0], [0.0], [0.0]], [[-1.0], [1.0], [0.0], [1.0]], [[0.0], [-1.0], [0.0], [0.0]], [[0.0], [0.0], [0.0], [-1.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x6x4x1xf8E4M3FNUZ>
  return
}

func.func @convolution_input_dilation_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]]> : tensor<1x1x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x2xf8E4M3FNUZ>, tensor<1x1x2x2xf8E4M3FNUZ>) -> tensor<1x1x6x4xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 1.0, 0.0, 1.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x6x4xf8E4M3FNUZ>
  return
}

func.func @convolution_kernel_dilation_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x5x5x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xf8E4M3FNUZ>, tensor<2x2x1x1xf8E4M3FNUZ>) -> tensor<1x3x2x1xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0], [0.0]], [[-1.0], [1.0]], [[0.0], [-1.0]]]]> : tensor<1x3x2x1xf8E4M3FNUZ>
  return
}

func.func @convolution_kernel_dilation_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0, -1.0]]]]> : tensor<1x1x5x5xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x5x5xf8E4M3FNUZ>, tensor<1x1x2x2xf8E4M3FNUZ>) -> tensor<1x1x3x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]]]]> : tensor<1x1x3x2xf8E4M3FNUZ>
  return
}

func.func @convolution_reversal_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<1x3x3x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xf8E4M3FNUZ>, tensor<2x2x1x1xf8E4M3FNUZ>) -> tensor<1x2x2x1xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[0.0], [-1.0]], [[0.0], [-1.0]]]]> : tensor<1x2x2x1xf8E4M3FNUZ>
  return
}

func.func @convolution_reversal_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]]> : tensor<1x1x3x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x3xf8E4M3FNUZ>, tensor<1x1x2x2xf8E4M3FNUZ>) -> tensor<1x1x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[0.0, -1.0], [0.0, -1.0]]]]> : tensor<1x1x2x2xf8E4M3FNUZ>
  return
}

func.func @convolution_feature_groups_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]]]> : tensor<1x3x3x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xf8E4M3FNUZ>, tensor<2x2x2x2xf8E4M3FNUZ>) -> tensor<1x2x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[0.0, -2.0], [0.0, 0.0]], [[0.0, -2.0], [0.0, 0.0]]]]> : tensor<1x2x2x2xf8E4M3FNUZ>
  return
}

func.func @convolution_feature_groups_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]], [[[0.0, 1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 1.0, -1.0]]], [[[1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 0.0]]], [[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]]> : tensor<4x1x3x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[1.0, -1.0], [0.0, 1.0]]], [[[0.0, 1.0], [-1.0, 0.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x1x3x3xf8E4M3FNUZ>, tensor<2x2x2x2xf8E4M3FNUZ>) -> tensor<1x2x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[0.0, 0.0], [0.0, 0.0]], [[-2.0, 0.0], [-2.0, 0.0]]]]> : tensor<1x2x2x2xf8E4M3FNUZ>
  return
}

func.func @convolution_batch_groups_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]], [[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<2x3x3x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xf8E4M3FNUZ>, tensor<2x2x1x2xf8E4M3FNUZ>) -> tensor<1x2x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, -1.0], [0.0, -1.0]], [[1.0, -1.0], [0.0, -1.0]]]]> : tensor<1x2x2x2xf8E4M3FNUZ>
  return
}

func.func @convolution_batch_groups_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]]]> : tensor<1x2x3x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 1.0], [0.0, -1.0]]], [[[0.0, -1.0], [1.0, 0.0]]]]> : tensor<2x1x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x3x3xf8E4M3FNUZ>, tensor<2x1x2x2xf8E4M3FNUZ>) -> tensor<1x2x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, 0.0], [1.0, 0.0]], [[-1.0, -1.0], [-1.0, -1.0]]]]> : tensor<1x2x2x2xf8E4M3FNUZ>
  return
}

func.func @convolution_negative_padding_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x4x4x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xf8E4M3FNUZ>, tensor<2x2x1x1xf8E4M3FNUZ>) -> tensor<1x2x2x1xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[2.0], [-2.0]], [[-2.0], [0.0]]]]> : tensor<1x2x2x1xf8E4M3FNUZ>
  return
}

func.func @convolution_negative_padding_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, -1.0]]]]> : tensor<1x1x4x4xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x4x4xf8E4M3FNUZ>, tensor<1x1x2x2xf8E4M3FNUZ>) -> tensor<1x1x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[2.0, -2.0], [-2.0, 0.0]]]]> : tensor<1x1x2x2xf8E4M3FNUZ>
  return
}

func.func @convolution_nothing_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]]]]> : tensor<1x1x3x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xf8E4M3FNUZ>, tensor<2x2x1x1xf8E4M3FNUZ>) -> tensor<1x0x2x1xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<> : tensor<1x0x2x1xf8E4M3FNUZ>
  return
}

func.func @convolution_nothing_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0]]]]> : tensor<1x1x1x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<1x1x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x3xf8E4M3FNUZ>, tensor<1x1x2x2xf8E4M3FNUZ>) -> tensor<1x1x0x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<> : tensor<1x1x0x2xf8E4M3FNUZ>
  return
}

func.func @convolution_all_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]], [[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]]> : tensor<2x3x3x2xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xf8E4M3FNUZ>, tensor<2x2x1x2xf8E4M3FNUZ>) -> tensor<2x4x2x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], [[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<2x4x2x2xf8E4M3FNUZ>
  return
}

func.func @convolution_all_f8E4M3FNUZ_other_layout() {
  %0 = stablehlo.constant dense<[[[[-1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]], [[-1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]], [[[0.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, -1.0, 1.0]], [[0.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, -1.0, 1.0]]]]> : tensor<2x2x3x3xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 1.0], [0.0, -1.0]]], [[[0.0, -1.0], [1.0, 0.0]]]]> : tensor<2x1x2x2xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x2x3x3xf8E4M3FNUZ>, tensor<2x1x2x2xf8E4M3FNUZ>) -> tensor<2x2x4x2xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, -1.0], [1.0, -1.0], [1.0, -1.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]], [[[1.0, -1.0], [1.0, -1.0], [1.0, -1.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]]]> : tensor<2x2x4x2xf8E4M3FNUZ>
  return
}

func.func @convolution_plain_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]], [[1.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0], [-1.0, 0.0]]]]> : tensor<1x4x4x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xf8E5M2FNUZ>, tensor<2x2x2x2xf8E5M2FNUZ>) -> tensor<1x3x3x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[[4.0, -2.0], [-2.0, 2.0], [-2.0, 0.0]], [[-2.0, 2.0], [-2.0, 0.0], [4.0, -2.0]], [[-2.0, 0.0], [4.0, -2.0], [-2.0, 2.0]]]]> : tensor<1x3x3x2xf8E5M2FNUZ>
  return
}

func.func @convolution_strides_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]]]]> : tensor<1x4x5x1xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]], [[[1.0, -1.0]], [[0.0, 1.0]]]]> : tensor<3x2x1x2xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xf8E5M2FNUZ>, tensor<3x2x1x2xf8E5M2FNUZ>) -> tensor<1x2x2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, -3.0], [1.0, -3.0]], [[-4.0, 2.0], [-4.0, 2.0]]]]> : tensor<1x2x2x2xf8E5M2FNUZ>
  return
}

func.func @convolution_input_dilation_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0]], [[1.0], [-1.0]], [[0.0], [1.0]]]]> : tensor<1x3x2x1xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xf8E5M2FNUZ>, tensor<2x2x1x1xf8E5M2FNUZ>) -> tensor<1x6x4x1xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0], [-1.0], [0.0], [0.0]], [[0.0], [1.0], [0.0], [0.0]], [[-1.0], [1.0], [0.0], [1.0]], [[0.0], [-1.0], [0.0], [0.0]], [[0.0], [0.0], [0.0], [-1.0]], [[0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x6x4x1xf8E5M2FNUZ>
  return
}

func.func @convolution_kernel_dilation_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x5x5x1xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xf8E5M2FNUZ>, tensor<2x2x1x1xf8E5M2FNUZ>) -> tensor<1x3x2x1xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0], [0.0]], [[-1.0], [1.0]], [[0.0], [-1.0]]]]> : tensor<1x3x2x1xf8E5M2FNUZ>
  return
}

func.func @convolution_reversal_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<1x3x3x1xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xf8E5M2FNUZ>, tensor<2x2x1x1xf8E5M2FNUZ>) -> tensor<1x2x2x1xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[[0.0], [-1.0]], [[0.0], [-1.0]]]]> : tensor<1x2x2x1xf8E5M2FNUZ>
  return
}

func.func @convolution_feature_groups_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]], [[-1.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0], [1.0, -1.0, 0.0, 1.0]]]]> : tensor<1x3x3x4xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0]], [[0.0, 1.0], [-1.0, 0.0]]], [[[1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0]]]]> : tensor<2x2x2x2xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xf8E5M2FNUZ>, tensor<2x2x2x2xf8E5M2FNUZ>) -> tensor<1x2x2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[[0.0, -2.0], [0.0, 0.0]], [[0.0, -2.0], [0.0, 0.0]]]]> : tensor<1x2x2x2xf8E5M2FNUZ>
  return
}

func.func @convolution_batch_groups_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]], [[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0]]]]> : tensor<2x3x3x1xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xf8E5M2FNUZ>, tensor<2x2x1x2xf8E5M2FNUZ>) -> tensor<1x2x2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, -1.0], [0.0, -1.0]], [[1.0, -1.0], [0.0, -1.0]]]]> : tensor<1x2x2x2xf8E5M2FNUZ>
  return
}

func.func @convolution_negative_padding_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0], [-1.0]], [[0.0], [1.0], [-1.0], [0.0]], [[1.0], [-1.0], [0.0], [1.0]], [[-1.0], [0.0], [1.0], [-1.0]]]]> : tensor<1x4x4x1xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xf8E5M2FNUZ>, tensor<2x2x1x1xf8E5M2FNUZ>) -> tensor<1x2x2x1xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[[2.0], [-2.0]], [[-2.0], [0.0]]]]> : tensor<1x2x2x1xf8E5M2FNUZ>
  return
}

func.func @convolution_nothing_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0], [0.0], [1.0]]]]> : tensor<1x1x3x1xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0]], [[0.0]]], [[[1.0]], [[-1.0]]]]> : tensor<2x2x1x1xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xf8E5M2FNUZ>, tensor<2x2x1x1xf8E5M2FNUZ>) -> tensor<1x0x2x1xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<> : tensor<1x0x2x1xf8E5M2FNUZ>
  return
}

func.func @convolution_all_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[[[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]], [[[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]], [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]]]]> : tensor<2x3x3x2xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[[[[-1.0, 0.0]], [[1.0, -1.0]]], [[[0.0, 1.0]], [[-1.0, 0.0]]]]> : tensor<2x2x1x2xf8E5M2FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xf8E5M2FNUZ>, tensor<2x2x1x2xf8E5M2FNUZ>) -> tensor<2x4x2x2xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[[[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], [[[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[1.0, 1.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<2x4x2x2xf8E5M2FNUZ>
  return
}

func.func @convolution_plain_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (0.0, 0.0)]], [[(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)]], [[(0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]], [[(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (0.0, 0.0)]]]]> : tensor<1x4x4x2xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0), (0.0, 0.0)], [(0.0, 1.0), (-0.0, -1.0)]], [[(0.0, 0.0), (0.0, 1.0)], [(-0.0, -1.0), (0.0, 0.0)]]], [[[(0.0, 1.0), (-0.0, -1.0)], [(0.0, 0.0), (0.0, 1.0)]], [[(-0.0, -1.0), (0.0, 0.0)], [(0.0, 1.0), (-0.0, -1.0)]]]]> : tensor<2x2x2x2xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xcomplex<f32>>, tensor<2x2x2x2xcomplex<f32>>) -> tensor<1x3x3x2xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[[(0.0, 4.0), (0.0, -2.0)], [(0.0, -2.0), (0.0, 2.0)], [(0.0, -2.0), (0.0, 0.0)]], [[(0.0, -2.0), (0.0, 2.0)], [(0.0, -2.0), (0.0, 0.0)], [(0.0, 4.0), (0.0, -2.0)]], [[(0.0, -2.0), (0.0, 0.0)], [(0.0, 4.0), (0.0, -2.0)], [(0.0, -2.0), (0.0, 2.0)]]]]> : tensor<1x3x3x2xcomplex<f32>>
  return
}

func.func @convolution_strides_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)]], [[(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)]], [[(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]], [[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)]]]]> : tensor<1x4x5x1xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0), (0.0, 0.0)]], [[(0.0, 1.0), (-0.0, -1.0)]]], [[[(0.0, 0.0), (0.0, 1.0)]], [[(-0.0, -1.0), (0.0, 0.0)]]], [[[(0.0, 1.0), (-0.0, -1.0)]], [[(0.0, 0.0), (0.0, 1.0)]]]]> : tensor<3x2x1x2xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 3], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5x1xcomplex<f32>>, tensor<3x2x1x2xcomplex<f32>>) -> tensor<1x2x2x2xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[[(0.0, 1.0), (0.0, -3.0)], [(0.0, 1.0), (0.0, -3.0)]], [[(0.0, -4.0), (0.0, 2.0)], [(0.0, -4.0), (0.0, 2.0)]]]]> : tensor<1x2x2x2xcomplex<f32>>
  return
}

func.func @convolution_input_dilation_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0)], [(0.0, 0.0)]], [[(1.0, 0.0)], [(-1.0, 0.0)]], [[(0.0, 0.0)], [(1.0, 0.0)]]]]> : tensor<1x3x2x1xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0)]], [[(0.0, 0.0)]]], [[[(0.0, 1.0)]], [[(-0.0, -1.0)]]]]> : tensor<2x2x1x1xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x2x1xcomplex<f32>>, tensor<2x2x1x1xcomplex<f32>>) -> tensor<1x6x4x1xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[[(0.0, 1.0)], [(0.0, -1.0)], [(0.0, 0.0)], [(0.0, 0.0)]], [[(0.0, 0.0)], [(0.0, 1.0)], [(0.0, 0.0)], [(0.0, 0.0)]], [[(0.0, -1.0)], [(0.0, 1.0)], [(0.0, 0.0)], [(0.0, 1.0)]], [[(0.0, 0.0)], [(0.0, -1.0)], [(0.0, 0.0)], [(0.0, 0.0)]], [[(0.0, 0.0)], [(0.0, 0.0)], [(0.0, 0.0)], [(0.0, -1.0)]], [[(0.0, 0.0)], [(0.0, 0.0)], [(0.0, 0.0)], [(0.0, 0.0)]]]]> : tensor<1x6x4x1xcomplex<f32>>
  return
}

func.func @convolution_kernel_dilation_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)]], [[(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)]], [[(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]], [[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)]], [[(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)]]]]> : tensor<1x5x5x1xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0)]], [[(0.0, 0.0)]]], [[[(0.0, 1.0)]], [[(-0.0, -1.0)]]]]> : tensor<2x2x1x1xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x1xcomplex<f32>>, tensor<2x2x1x1xcomplex<f32>>) -> tensor<1x3x2x1xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[[(0.0, 1.0)], [(0.0, 0.0)]], [[(0.0, -1.0)], [(0.0, 1.0)]], [[(0.0, 0.0)], [(0.0, -1.0)]]]]> : tensor<1x3x2x1xcomplex<f32>>
  return
}

func.func @convolution_reversal_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]], [[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]], [[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]]]]> : tensor<1x3x3x1xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0)]], [[(0.0, 0.0)]]], [[[(0.0, 1.0)]], [[(-0.0, -1.0)]]]]> : tensor<2x2x1x1xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x1xcomplex<f32>>, tensor<2x2x1x1xcomplex<f32>>) -> tensor<1x2x2x1xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[[(0.0, 0.0)], [(0.0, -1.0)]], [[(0.0, 0.0)], [(0.0, -1.0)]]]]> : tensor<1x2x2x1xcomplex<f32>>
  return
}

func.func @convolution_feature_groups_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]], [[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]], [[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]]]> : tensor<1x3x3x4xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0), (0.0, 0.0)], [(0.0, 1.0), (-0.0, -1.0)]], [[(0.0, 0.0), (0.0, 1.0)], [(-0.0, -1.0), (0.0, 0.0)]]], [[[(0.0, 1.0), (-0.0, -1.0)], [(0.0, 0.0), (0.0, 1.0)]], [[(-0.0, -1.0), (0.0, 0.0)], [(0.0, 1.0), (-0.0, -1.0)]]]]> : tensor<2x2x2x2xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x3x4xcomplex<f32>>, tensor<2x2x2x2xcomplex<f32>>) -> tensor<1x2x2x2xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[[(0.0, 0.0), (0.0, -2.0)], [(0.0, 0.0), (0.0, 0.0)]], [[(0.0, 0.0), (0.0, -2.0)], [(0.0, 0.0), (0.0, 0.0)]]]]> : tensor<1x2x2x2xcomplex<f32>>
  return
}

func.func @convolution_batch_groups_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]], [[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]], [[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]]], [[[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]], [[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]], [[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]]]]> : tensor<2x3x3x1xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0), (0.0, 0.0)]], [[(0.0, 1.0), (-0.0, -1.0)]]], [[[(0.0, 0.0), (0.0, 1.0)]], [[(-0.0, -1.0), (0.0, 0.0)]]]]> : tensor<2x2x1x2xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x1xcomplex<f32>>, tensor<2x2x1x2xcomplex<f32>>) -> tensor<1x2x2x2xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[[(0.0, 1.0), (0.0, -1.0)], [(0.0, 0.0), (0.0, -1.0)]], [[(0.0, 1.0), (0.0, -1.0)], [(0.0, 0.0), (0.0, -1.0)]]]]> : tensor<1x2x2x2xcomplex<f32>>
  return
}

func.func @convolution_negative_padding_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)]], [[(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)]], [[(1.0, 0.0)], [(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]], [[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)], [(-1.0, 0.0)]]]]> : tensor<1x4x4x1xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0)]], [[(0.0, 0.0)]]], [[[(0.0, 1.0)]], [[(-0.0, -1.0)]]]]> : tensor<2x2x1x1xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-1, 0], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xcomplex<f32>>, tensor<2x2x1x1xcomplex<f32>>) -> tensor<1x2x2x1xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[[(0.0, 2.0)], [(0.0, -2.0)]], [[(0.0, -2.0)], [(0.0, 0.0)]]]]> : tensor<1x2x2x1xcomplex<f32>>
  return
}

func.func @convolution_nothing_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0)], [(0.0, 0.0)], [(1.0, 0.0)]]]]> : tensor<1x1x3x1xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0)]], [[(0.0, 0.0)]]], [[[(0.0, 1.0)]], [[(-0.0, -1.0)]]]]> : tensor<2x2x1x1xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x1xcomplex<f32>>, tensor<2x2x1x1xcomplex<f32>>) -> tensor<1x0x2x1xcomplex<f32>>
  check.expect_eq_const %2, dense<> : tensor<1x0x2x1xcomplex<f32>>
  return
}

func.func @convolution_all_complex_f32() {
  %0 = stablehlo.constant dense<[[[[(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]], [[(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]], [[(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]]], [[[(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]], [[(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]], [[(-1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]]]]> : tensor<2x3x3x2xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[[(-0.0, -1.0), (0.0, 0.0)]], [[(0.0, 1.0), (-0.0, -1.0)]]], [[[(0.0, 0.0), (0.0, 1.0)]], [[(-0.0, -1.0), (0.0, 0.0)]]]]> : tensor<2x2x1x2xcomplex<f32>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x2xcomplex<f32>>, tensor<2x2x1x2xcomplex<f32>>) -> tensor<2x4x2x2xcomplex<f32>>
  check.expect_eq_const %2, dense<[[[[(0.0, 1.0), (0.0, 1.0)], [(0.0, -1.0), (0.0, 0.0)]], [[(0.0, 1.0), (0.0, 1.0)], [(0.0, -1.0), (0.0, 0.0)]], [[(0.0, 1.0), (0.0, 1.0)], [(0.0, -1.0), (0.0, 0.0)]], [[(0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0)]]], [[[(0.0, 1.0), (0.0, 1.0)], [(0.0, -1.0), (0.0, 0.0)]], [[(0.0, 1.0), (0.0, 1.0)], [(0.0, -1.0), (0.0, 0.0)]], [[(0.0, 1.0), (0.0, 1.0)], [(0.0, -1.0), (0.0, 0.0)]], [[(0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0)]]]]> : tensor<2x4x2x2xcomplex<f32>>
  return
}

func.func @convolution_quantized() {
  %0 = stablehlo.constant dense<[[[0.5], [-1.0], [2.0], [3.0]]]> : tensor<1x4x1xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<1x4x1xf32>) -> tensor<1x4x1x!quant.uniform<i8:f32, 0.5:-1>>
  %2 = stablehlo.constant dense<[[[0.25]], [[-0.5]]]> : tensor<2x1x1xf32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<2x1x1xf32>) -> tensor<2x1x1x!quant.uniform<i8:f32, 0.25>>
  %4 = stablehlo.convolution(%1, %3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1x!quant.uniform<i8:f32, 0.5:-1>>, tensor<2x1x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x3x1x!quant.uniform<i32:f32, 0.125>>
  %5 = stablehlo.uniform_dequantize %4 : (tensor<1x3x1x!quant.uniform<i32:f32, 0.125>>) -> tensor<1x3x1xf32>
  check.expect_eq_const %5, dense<[[[0.625], [-1.25], [-1.0]]]> : tensor<1x3x1xf32>
  return
}

func.func @convolution_no_batches_f32() {
  %0 = stablehlo.constant dense<> : tensor<0x4x1xf32>
  %1 = stablehlo.constant dense<[[[0.0]], [[0.0]]]> : tensor<2x1x1xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<0x4x1xf32>, tensor<2x1x1xf32>) -> tensor<0x3x1xf32>
  check.expect_eq_const %2, dense<> : tensor<0x3x1xf32>
  return
}

func.func @convolution_no_features_f32() {
  %0 = stablehlo.constant dense<> : tensor<1x4x0xf32>
  %1 = stablehlo.constant dense<> : tensor<2x0x1xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x0xf32>, tensor<2x0x1xf32>) -> tensor<1x3x1xf32>
  check.expect_eq_const %2, dense<[[[0.0], [0.0], [0.0]]]> : tensor<1x3x1xf32>
  return
}

func.func @convolution_no_batches_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<> : tensor<0x4x1xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[[[0.0]], [[0.0]]]> : tensor<2x1x1xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<0x4x1xf8E4M3FNUZ>, tensor<2x1x1xf8E4M3FNUZ>) -> tensor<0x3x1xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<> : tensor<0x3x1xf8E4M3FNUZ>
  return
}

func.func @convolution_no_features_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<> : tensor<1x4x0xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<> : tensor<2x0x1xf8E4M3FNUZ>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x0xf8E4M3FNUZ>, tensor<2x0x1xf8E4M3FNUZ>) -> tensor<1x3x1xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[[[0.0], [0.0], [0.0]]]> : tensor<1x3x1xf8E4M3FNUZ>
  return
}

func.func @convolution_no_batches_i8() {
  %0 = stablehlo.constant dense<> : tensor<0x4x1xi8>
  %1 = stablehlo.constant dense<[[[0]], [[0]]]> : tensor<2x1x1xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<0x4x1xi8>, tensor<2x1x1xi8>) -> tensor<0x3x1xi8>
  check.expect_eq_const %2, dense<> : tensor<0x3x1xi8>
  return
}

func.func @convolution_no_features_i8() {
  %0 = stablehlo.constant dense<> : tensor<1x4x0xi8>
  %1 = stablehlo.constant dense<> : tensor<2x0x1xi8>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x0xi8>, tensor<2x0x1xi8>) -> tensor<1x3x1xi8>
  check.expect_eq_const %2, dense<[[[0], [0], [0]]]> : tensor<1x3x1xi8>
  return
}

func.func @convolution_of_three_dimensions() {
  %0 = stablehlo.constant dense<[[[[[0.0], [1.0]], [[2.0], [3.0]]], [[[0.0], [1.0]], [[2.0], [3.0]]]]]> : tensor<1x2x2x2x1xbf16>
  %1 = stablehlo.constant dense<[[[[[1.0]], [[1.0]]], [[[1.0]], [[1.0]]]], [[[[1.0]], [[1.0]]], [[[1.0]], [[1.0]]]]]> : tensor<2x2x2x1x1xbf16>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x2x1xbf16>, tensor<2x2x2x1x1xbf16>) -> tensor<1x1x1x1x1xbf16>
  check.expect_eq_const %2, dense<[[[[[12.0]]]]]> : tensor<1x1x1x1x1xbf16>
  return
}
