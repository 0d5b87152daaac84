// stablehlo.abs, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @abs_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<17xf64>
  %1 = stablehlo.abs %0 : tensor<17xf64>
  check.expect_eq_const %1, dense<[0x7FF0000000000000, 2.5, 1.75, 1.5, 1.0, 0.5, 0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<17xf64>
  return
}

func.func @abs_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F800000, 0x7FC00000]> : tensor<17xf32>
  %1 = stablehlo.abs %0 : tensor<17xf32>
  check.expect_eq_const %1, dense<[0x7F800000, 2.5, 1.75, 1.5, 1.0, 0.5, 0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F800000, 0x7FC00000]> : tensor<17xf32>
  return
}

func.func @abs_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, -2.5, -1.75, -1.5, -1.0, -0.5, -0.25, -0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %1 = stablehlo.abs %0 : tensor<17xbf16>
  check.expect_eq_const %1, dense<[0x7F80, 2.5, 1.75, 1.5, 1.0, 0.5, 0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  return
}

func.func @abs_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E4M3FNUZ>
  %1 = stablehlo.abs %0 : tensor<17xf8E4M3FNUZ>
  check.expect_eq_const %1, dense<[0x80, 2.5, 1.8, 1.5, 1.0, 0.5, 0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E4M3FNUZ>
  return
}

func.func @abs_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, -2.5, -1.8, -1.5, -1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E5M2FNUZ>
  %1 = stablehlo.abs %0 : tensor<17xf8E5M2FNUZ>
  check.expect_eq_const %1, dense<[0x80, 2.5, 1.8, 1.5, 1.0, 0.5, 0.25, 0.0, 0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 3.5, 0x80, 0x80]> : tensor<17xf8E5M2FNUZ>
  return
}

func.func @abs_f64_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5]> : tensor<8xf64>
  %1 = stablehlo.abs %0 : tensor<8xf64>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf64>) -> tensor<8xui64>
  check.expect_eq_const %2, dense<[4612811918334230528, 4602678819172646912, 4598175219545276416, 0, 0, 4602678819172646912, 4608308318706860032, 4615063718147915776]> : tensor<8xui64>
  return
}

func.func @abs_f32_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5]> : tensor<8xf32>
  %1 = stablehlo.abs %0 : tensor<8xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf32>) -> tensor<8xui32>
  check.expect_eq_const %2, dense<[1075838976, 1056964608, 1048576000, 0, 0, 1056964608, 1067450368, 1080033280]> : tensor<8xui32>
  return
}

func.func @abs_bf16_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, -0.0, 0.0, 0.5, 1.25, 3.5]> : tensor<8xbf16>
  %1 = stablehlo.abs %0 : tensor<8xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xbf16>) -> tensor<8xui16>
  check.expect_eq_const %2, dense<[16416, 16128, 16000, 0, 0, 16128, 16288, 16480]> : tensor<8xui16>
  return
}

func.func @abs_f8E4M3FNUZ_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, 0.0, 0.0, 0.5, 1.2, 3.5]> : tensor<8xf8E4M3FNUZ>
  %1 = stablehlo.abs %0 : tensor<8xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf8E4M3FNUZ>) -> tensor<8xui8>
  check.expect_eq_const %2, dense<[74, 56, 48, 0, 0, 56, 66, 78]> : tensor<8xui8>
  return
}

func.func @abs_f8E5M2FNUZ_zeros() {
  %0 = stablehlo.constant dense<[-2.5, -0.5, -0.25, 0.0, 0.0, 0.5, 1.2, 3.5]> : tensor<8xf8E5M2FNUZ>
  %1 = stablehlo.abs %0 : tensor<8xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf8E5M2FNUZ>) -> tensor<8xui8>
  check.expect_eq_const %2, dense<[69, 60, 56, 0, 0, 60, 65, 71]> : tensor<8xui8>
  return
}

func.func @abs_i2() {
  %0 = stablehlo.constant dense<[-1, -1, 0, 1, 1]> : tensor<5xi2>
  %1 = stablehlo.abs %0 : tensor<5xi2>
  check.expect_eq_const %1, dense<[1, 1, 0, 1, 1]> : tensor<5xi2>
  return
}

func.func @abs_i4() {
  %0 = stablehlo.constant dense<[-7, -1, 0, 1, 7]> : tensor<5xi4>
  %1 = stablehlo.abs %0 : tensor<5xi4>
  check.expect_eq_const %1, dense<[7, 1, 0, 1, 7]> : tensor<5xi4>
  return
}

func.func @abs_i8() {
  %0 = stablehlo.constant dense<[-127, -1, 0, 1, 127]> : tensor<5xi8>
  %1 = stablehlo.abs %0 : tensor<5xi8>
  check.expect_eq_const %1, dense<[127, 1, 0, 1, 127]> : tensor<5xi8>
  return
}

func.func @abs_i32() {
  %0 = stablehlo.constant dense<[-2147483647, -1, 0, 1, 2147483647]> : tensor<5xi32>
  %1 = stablehlo.abs %0 : tensor<5xi32>
  check.expect_eq_const %1, dense<[2147483647, 1, 0, 1, 2147483647]> : tensor<5xi32>
  return
}

func.func @abs_i64() {
  %0 = stablehlo.constant dense<[-9223372036854775807, -1, 0, 1, 9223372036854775807]> : tensor<5xi64>
  %1 = stablehlo.abs %0 : tensor<5xi64>
  check.expect_eq_const %1, dense<[9223372036854775807, 1, 0, 1, 9223372036854775807]> : tensor<5xi64>
  return
}

func.func @abs_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0), (3.0, 4.0)]> : tensor<5xcomplex<f32>>
  %1 = stablehlo.abs %0 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  check.expect_almost_eq_const %1, dense<[2.236068, 0.559017, 1.5, 3.0, 5.0]> : tensor<5xf32>, tolerance = 1.0e-04
  return
}

func.func @abs_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0), (3.0, 4.0)]> : tensor<5xcomplex<f64>>
  %1 = stablehlo.abs %0 : (tensor<5xcomplex<f64>>) -> tensor<5xf64>
  check.expect_almost_eq_const %1, dense<[2.23606797749979, 0.5590169943749475, 1.5, 3.0, 5.0]> : tensor<5xf64>, tolerance = 1.0e-10
  return
}

func.func @abs_quantized() {
  %0 = stablehlo.constant dense<[-62.5, -7.5, -0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.abs %1 : tensor<7x!quant.uniform<i8:f32, 0.5:-3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<7x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<7xf32>
  check.expect_eq_const %3, dense<[62.5, 7.5, 0.5, 0.0, 1.5, 4.0, 65.0]> : tensor<7xf32>
  return
}

func.func @abs_complex_far() {
  %0 = stablehlo.constant dense<[(3.0e+30, 4.0e+30), (3.0e-30, 4.0e-30), (0x7F800000, 0x7FC00000), (-5.0, 12.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.abs %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = stablehlo.constant dense<[5.0e+30, 5.0e-30, 0x7F800000, 13.0]> : tensor<4xf32>
  check.expect_close %1, %2, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  return
}
