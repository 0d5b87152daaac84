// stablehlo.power, each element type it admits: rounded once, at the ends of the range, at zeros, infinities and NaN.

func.func @power_f64() {
  %0 = stablehlo.constant dense<[0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<81xf64>
  %1 = stablehlo.constant dense<[0xFFF0000000000000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<81xf64>
  %2 = stablehlo.power %0, %1 : tensor<81xf64>
  %3 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0.0, 0.25, 1.0, 1.0, 0x7FF8000000000000, 0x7FF8000000000000, -8.0, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 1.0, 1.0, 0.0, 0.0, -0.0, 0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0x7FF8000000000000, 0x7FF0000000000000, 4.0, 1.0, 1.0, 0.7071067811865476, 0.3535533905932738, 0.125, 0.0, 0x7FF8000000000000, 0.0, 0.4444444444444444, 1.0, 1.0, 1.224744871391589, 1.8371173070873836, 3.375, 0x7FF0000000000000, 0x7FF8000000000000, 0.0, 0.1111111111111111, 1.0, 1.0, 1.7320508075688772, 5.196152422706632, 27.0, 0x7FF0000000000000, 0x7FF8000000000000, 0.0, 0.0, 1.0, 1.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 1.0, 1.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<81xf64>
  check.expect_close %2, %3, max_ulp_difference = 2 : tensor<81xf64>, tensor<81xf64>
  return
}

func.func @power_f32() {
  %0 = stablehlo.constant dense<[0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<81xf32>
  %1 = stablehlo.constant dense<[0xFF800000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F800000, 0x7FC00000, 0xFF800000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F800000, 0x7FC00000, 0xFF800000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F800000, 0x7FC00000, 0xFF800000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F800000, 0x7FC00000, 0xFF800000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F800000, 0x7FC00000, 0xFF800000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F800000, 0x7FC00000, 0xFF800000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F800000, 0x7FC00000, 0xFF800000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F800000, 0x7FC00000, 0xFF800000, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F800000, 0x7FC00000]> : tensor<81xf32>
  %2 = stablehlo.power %0, %1 : tensor<81xf32>
  %3 = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 0x7F800000, 0x7F800000, 0xFF800000, 0x7F800000, 0x7FC00000, 0.0, 0.25, 1.0, 1.0, 0x7FC00000, 0x7FC00000, -8.0, 0x7F800000, 0x7FC00000, 0x7F800000, 0x7F800000, 1.0, 1.0, 0.0, 0.0, -0.0, 0.0, 0x7FC00000, 0x7F800000, 0x7F800000, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0x7FC00000, 0x7F800000, 4.0, 1.0, 1.0, 0.70710677, 0.35355338, 0.125, 0.0, 0x7FC00000, 0.0, 0.44444445, 1.0, 1.0, 1.2247449, 1.8371173, 3.375, 0x7F800000, 0x7FC00000, 0.0, 0.11111111, 1.0, 1.0, 1.7320508, 5.196152, 27.0, 0x7F800000, 0x7FC00000, 0.0, 0.0, 1.0, 1.0, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 1.0, 1.0, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<81xf32>
  check.expect_close %2, %3, max_ulp_difference = 2 : tensor<81xf32>, tensor<81xf32>
  return
}

func.func @power_bf16() {
  %0 = stablehlo.constant dense<[0xFF80, 0xFF80, 0xFF80, 0xFF80, 0xFF80, 0xFF80, 0xFF80, 0xFF80, 0xFF80, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<81xbf16>
  %1 = stablehlo.constant dense<[0xFF80, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F80, 0x7FC0, 0xFF80, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F80, 0x7FC0, 0xFF80, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F80, 0x7FC0, 0xFF80, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F80, 0x7FC0, 0xFF80, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F80, 0x7FC0, 0xFF80, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F80, 0x7FC0, 0xFF80, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F80, 0x7FC0, 0xFF80, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F80, 0x7FC0, 0xFF80, -2.0, -0.0, 0.0, 0.5, 1.5, 3.0, 0x7F80, 0x7FC0]> : tensor<81xbf16>
  %2 = stablehlo.power %0, %1 : tensor<81xbf16>
  check.expect_eq_const %2, dense<[0.0, 0.0, 1.0, 1.0, 0x7F80, 0x7F80, 0xFF80, 0x7F80, 0x7FC0, 0.0, 0.25, 1.0, 1.0, 0x7FC0, 0x7FC0, -8.0, 0x7F80, 0x7FC0, 0x7F80, 0x7F80, 1.0, 1.0, 0.0, 0.0, -0.0, 0.0, 0x7FC0, 0x7F80, 0x7F80, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0x7FC0, 0x7F80, 4.0, 1.0, 1.0, 0.707, 0.354, 0.125, 0.0, 0x7FC0, 0.0, 0.445, 1.0, 1.0, 1.23, 1.836, 3.38, 0x7F80, 0x7FC0, 0.0, 0.1113, 1.0, 1.0, 1.734, 5.2, 27.0, 0x7F80, 0x7FC0, 0.0, 0.0, 1.0, 1.0, 0x7F80, 0x7F80, 0x7F80, 0x7F80, 0x7FC0, 0x7FC0, 0x7FC0, 1.0, 1.0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<81xbf16>
  return
}

func.func @power_f8E4M3FNUZ() {
  %0 = stablehlo.constant dense<[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]> : tensor<81xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80]> : tensor<81xf8E4M3FNUZ>
  %2 = stablehlo.power %0, %1 : tensor<81xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[0x80, 0x80, 1.0, 1.0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0.25, 1.0, 1.0, 0x80, 0x80, -8.0, 0x80, 0x80, 0x80, 0x80, 1.0, 1.0, 0.0, 0.0, 0.0, 0x80, 0x80, 0x80, 0x80, 1.0, 1.0, 0.0, 0.0, 0.0, 0x80, 0x80, 0x80, 4.0, 1.0, 1.0, 0.69, 0.34, 0.125, 0x80, 0x80, 0x80, 0.44, 1.0, 1.0, 1.2, 1.9, 3.5, 0x80, 0x80, 0x80, 0.11, 1.0, 1.0, 1.8, 5.0, 28.0, 0x80, 0x80, 0x80, 0x80, 1.0, 1.0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1.0, 1.0, 0x80, 0x80, 0x80, 0x80, 0x80]> : tensor<81xf8E4M3FNUZ>
  return
}

func.func @power_f8E5M2FNUZ() {
  %0 = stablehlo.constant dense<[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]> : tensor<81xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80, 0x80, -2.0, 0.0, 0.0, 0.5, 1.5, 3.0, 0x80, 0x80]> : tensor<81xf8E5M2FNUZ>
  %2 = stablehlo.power %0, %1 : tensor<81xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[0x80, 0x80, 1.0, 1.0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0.25, 1.0, 1.0, 0x80, 0x80, -8.0, 0x80, 0x80, 0x80, 0x80, 1.0, 1.0, 0.0, 0.0, 0.0, 0x80, 0x80, 0x80, 0x80, 1.0, 1.0, 0.0, 0.0, 0.0, 0x80, 0x80, 0x80, 4.0, 1.0, 1.0, 0.75, 0.38, 0.12, 0x80, 0x80, 0x80, 0.44, 1.0, 1.0, 1.2, 1.8, 3.5, 0x80, 0x80, 0x80, 0.11, 1.0, 1.0, 1.8, 5.0, 28.0, 0x80, 0x80, 0x80, 0x80, 1.0, 1.0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1.0, 1.0, 0x80, 0x80, 0x80, 0x80, 0x80]> : tensor<81xf8E5M2FNUZ>
  return
}

func.func @power_f64_signs() {
  %0 = stablehlo.constant dense<[-0.0, -0.0, 0.0, 2.0, -2.0, -2.0, 4.0, -1.0]> : tensor<8xf64>
  %1 = stablehlo.constant dense<[3.0, 2.0, 3.0, -3.0, 3.0, 2.0, 0.5, 0x7FF0000000000000]> : tensor<8xf64>
  %2 = stablehlo.power %0, %1 : tensor<8xf64>
  %3 = stablehlo.constant dense<[-0.0, 0.0, 0.0, 0.125, -8.0, 4.0, 2.0, 1.0]> : tensor<8xf64>
  check.expect_close %2, %3, max_ulp_difference = 2 : tensor<8xf64>, tensor<8xf64>
  return
}

func.func @power_f32_signs() {
  %0 = stablehlo.constant dense<[-0.0, -0.0, 0.0, 2.0, -2.0, -2.0, 4.0, -1.0]> : tensor<8xf32>
  %1 = stablehlo.constant dense<[3.0, 2.0, 3.0, -3.0, 3.0, 2.0, 0.5, 0x7F800000]> : tensor<8xf32>
  %2 = stablehlo.power %0, %1 : tensor<8xf32>
  %3 = stablehlo.constant dense<[-0.0, 0.0, 0.0, 0.125, -8.0, 4.0, 2.0, 1.0]> : tensor<8xf32>
  check.expect_close %2, %3, max_ulp_difference = 2 : tensor<8xf32>, tensor<8xf32>
  return
}

func.func @power_bf16_signs() {
  %0 = stablehlo.constant dense<[-0.0, -0.0, 0.0, 2.0, -2.0, -2.0, 4.0, -1.0]> : tensor<8xbf16>
  %1 = stablehlo.constant dense<[3.0, 2.0, 3.0, -3.0, 3.0, 2.0, 0.5, 0x7F80]> : tensor<8xbf16>
  %2 = stablehlo.power %0, %1 : tensor<8xbf16>
  %3 = stablehlo.bitcast_convert %2 : (tensor<8xbf16>) -> tensor<8xui16>
  check.expect_eq_const %3, dense<[32768, 0, 0, 15872, 49408, 16512, 16384, 16256]> : tensor<8xui16>
  return
}

func.func @power_f8E4M3FNUZ_signs() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.0, 2.0, -2.0, -2.0, 4.0, -1.0]> : tensor<8xf8E4M3FNUZ>
  %1 = stablehlo.constant dense<[3.0, 2.0, 3.0, -3.0, 3.0, 2.0, 0.5, 0x80]> : tensor<8xf8E4M3FNUZ>
  %2 = stablehlo.power %0, %1 : tensor<8xf8E4M3FNUZ>
  check.expect_eq_const %2, dense<[0.0, 0.0, 0.0, 0.125, -8.0, 4.0, 2.0, 0x80]> : tensor<8xf8E4M3FNUZ>
  return
}

func.func @power_f8E5M2FNUZ_signs() {
  %0 = stablehlo.constant dense<[0.0, 0.0, 0.0, 2.0, -2.0, -2.0, 4.0, -1.0]> : tensor<8xf8E5M2FNUZ>
  %1 = stablehlo.constant dense<[3.0, 2.0, 3.0, -3.0, 3.0, 2.0, 0.5, 0x80]> : tensor<8xf8E5M2FNUZ>
  %2 = stablehlo.power %0, %1 : tensor<8xf8E5M2FNUZ>
  check.expect_eq_const %2, dense<[0.0, 0.0, 0.0, 0.12, -8.0, 4.0, 2.0, 0x80]> : tensor<8xf8E5M2FNUZ>
  return
}

func.func @power_i4() {
  %0 = stablehlo.constant dense<[2, 3, -2, 0, 1, 5, 0]> : tensor<7xi4>
  %1 = stablehlo.constant dense<[3, 4, 3, 2, 5, 0, 0]> : tensor<7xi4>
  %2 = stablehlo.power %0, %1 : tensor<7xi4>
  check.expect_eq_const %2, dense<[-8, 1, -8, 0, 1, 1, 1]> : tensor<7xi4>
  return
}

func.func @power_ui4() {
  %0 = stablehlo.constant dense<[2, 3, 14, 0, 1, 5, 0]> : tensor<7xui4>
  %1 = stablehlo.constant dense<[3, 4, 3, 2, 5, 0, 0]> : tensor<7xui4>
  %2 = stablehlo.power %0, %1 : tensor<7xui4>
  check.expect_eq_const %2, dense<[8, 1, 8, 0, 1, 1, 1]> : tensor<7xui4>
  return
}

func.func @power_i8() {
  %0 = stablehlo.constant dense<[2, 3, -2, 0, 1, 5, 0]> : tensor<7xi8>
  %1 = stablehlo.constant dense<[3, 4, 3, 2, 5, 0, 0]> : tensor<7xi8>
  %2 = stablehlo.power %0, %1 : tensor<7xi8>
  check.expect_eq_const %2, dense<[8, 81, -8, 0, 1, 1, 1]> : tensor<7xi8>
  return
}

func.func @power_ui8() {
  %0 = stablehlo.constant dense<[2, 3, 254, 0, 1, 5, 0]> : tensor<7xui8>
  %1 = stablehlo.constant dense<[3, 4, 3, 2, 5, 0, 0]> : tensor<7xui8>
  %2 = stablehlo.power %0, %1 : tensor<7xui8>
  check.expect_eq_const %2, dense<[8, 81, 248, 0, 1, 1, 1]> : tensor<7xui8>
  return
}

func.func @power_i16() {
  %0 = stablehlo.constant dense<[2, 3, -2, 0, 1, 5, 0]> : tensor<7xi16>
  %1 = stablehlo.constant dense<[3, 4, 3, 2, 5, 0, 0]> : tensor<7xi16>
  %2 = stablehlo.power %0, %1 : tensor<7xi16>
  check.expect_eq_const %2, dense<[8, 81, -8, 0, 1, 1, 1]> : tensor<7xi16>
  return
}

func.func @power_i32() {
  %0 = stablehlo.constant dense<[2, 3, -2, 0, 1, 5, 0]> : tensor<7xi32>
  %1 = stablehlo.constant dense<[3, 4, 3, 2, 5, 0, 0]> : tensor<7xi32>
  %2 = stablehlo.power %0, %1 : tensor<7xi32>
  check.expect_eq_const %2, dense<[8, 81, -8, 0, 1, 1, 1]> : tensor<7xi32>
  return
}

func.func @power_ui32() {
  %0 = stablehlo.constant dense<[2, 3, 4294967294, 0, 1, 5, 0]> : tensor<7xui32>
  %1 = stablehlo.constant dense<[3, 4, 3, 2, 5, 0, 0]> : tensor<7xui32>
  %2 = stablehlo.power %0, %1 : tensor<7xui32>
  check.expect_eq_const %2, dense<[8, 81, 4294967288, 0, 1, 1, 1]> : tensor<7xui32>
  return
}

func.func @power_i64() {
  %0 = stablehlo.constant dense<[2, 3, -2, 0, 1, 5, 0]> : tensor<7xi64>
  %1 = stablehlo.constant dense<[3, 4, 3, 2, 5, 0, 0]> : tensor<7xi64>
  %2 = stablehlo.power %0, %1 : tensor<7xi64>
  check.expect_eq_const %2, dense<[8, 81, -8, 0, 1, 1, 1]> : tensor<7xi64>
  return
}

func.func @power_ui64() {
  %0 = stablehlo.constant dense<[2, 3, 18446744073709551614, 0, 1, 5, 0]> : tensor<7xui64>
  %1 = stablehlo.constant dense<[3, 4, 3, 2, 5, 0, 0]> : tensor<7xui64>
  %2 = stablehlo.power %0, %1 : tensor<7xui64>
  check.expect_eq_const %2, dense<[8, 81, 18446744073709551608, 0, 1, 1, 1]> : tensor<7xui64>
  return
}

func.func @power_complex_f32() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.constant dense<[(-1.0, 1.0), (2.0, 0.5), (0.0, 1.0), (3.0, -1.0)]> : tensor<4xcomplex<f32>>
  %2 = stablehlo.power %0, %1 : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %2, dense<[(0.14109609, -0.04402205), (0.028295744, -0.07686836), (4.4204392, 1.8974745), (12.280476, -24.04558)]> : tensor<4xcomplex<f32>>, tolerance = 1.0e-04
  return
}

func.func @power_complex_f64() {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 0.25), (0.0, -1.5), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.constant dense<[(-1.0, 1.0), (2.0, 0.5), (0.0, 1.0), (3.0, -1.0)]> : tensor<4xcomplex<f64>>
  %2 = stablehlo.power %0, %1 : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %2, dense<[(0.14109608324475698, -0.044022051367838426), (0.028295743531023026, -0.07686836000260812), (4.4204392397306895, 1.8974745217336744), (12.280475416318463, -24.045580125029172)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

func.func @power_quantized() {
  %0 = stablehlo.constant dense<[0.5, 1.0, 1.5, 4.0, 10.0, 65.0]> : tensor<6xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %2 = stablehlo.constant dense<[2.0, 1.0, 3.0, 0.5, 2.0, 1.0]> : tensor<6xf32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %4 = stablehlo.power %1, %3 : tensor<6x!quant.uniform<i8:f32, 0.5:-3>>
  %5 = stablehlo.uniform_dequantize %4 : (tensor<6x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<6xf32>
  check.expect_eq_const %5, dense<[0.5, 1.0, 3.5, 2.0, 65.0, 65.0]> : tensor<6xf32>
  return
}

func.func @power_i8_of_negative_exponents() {
  %0 = stablehlo.constant dense<[2, 1, -1, -1]> : tensor<4xi8>
  %1 = stablehlo.constant dense<[-1, -3, -2, -3]> : tensor<4xi8>
  %2 = stablehlo.power %0, %1 : tensor<4xi8>
  check.expect_eq_const %2, dense<[0, 1, 1, -1]> : tensor<4xi8>
  return
}

func.func @power_i32_of_negative_exponents() {
  %0 = stablehlo.constant dense<[2, 1, -1, -1]> : tensor<4xi32>
  %1 = stablehlo.constant dense<[-1, -3, -2, -3]> : tensor<4xi32>
  %2 = stablehlo.power %0, %1 : tensor<4xi32>
  check.expect_eq_const %2, dense<[0, 1, 1, -1]> : tensor<4xi32>
  return
}

func.func @power_i64_of_negative_exponents() {
  %0 = stablehlo.constant dense<[2, 1, -1, -1]> : tensor<4xi64>
  %1 = stablehlo.constant dense<[-1, -3, -2, -3]> : tensor<4xi64>
  %2 = stablehlo.power %0, %1 : tensor<4xi64>
  check.expect_eq_const %2, dense<[0, 1, 1, -1]> : tensor<4xi64>
  return
}
