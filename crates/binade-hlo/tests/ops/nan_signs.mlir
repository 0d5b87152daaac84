// Signs of NaN in types of up to 16 bits: TOTALORDER, what sorts by it, and operations on the sign. Types of one NaN have it below all
// numbers where its code is that of −0, and above them where there is no sign; a change of sign leaves it alone.

func.func @nan_signs_bf16() {
  %x = stablehlo.constant dense<[0x0000, 0xFFC1, 0x7FC0, 0x8000, 0xBF80, 0xFF80, 0x7F80, 0xFFC0, 0x7F81, 0x3F80]> : tensor<10xbf16>
  %other = stablehlo.constant dense<0x0000> : tensor<10xbf16>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<10xbf16>, tensor<10xbf16>) -> tensor<10xi1>
  check.expect_eq_const %less, dense<[false, true, false, true, true, true, false, true, false, false]> : tensor<10xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<10xbf16>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<10xbf16>, tensor<10xbf16>) -> tensor<10xi1>
  check.expect_eq_const %equal, dense<[false, false, false, false, false, false, false, false, false, false]> : tensor<10xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<10xbf16>) -> tensor<10xbf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<10xbf16>) -> tensor<10xui16>
  check.expect_eq_const %2, dense<[65473, 65472, 65408, 49024, 32768, 0, 16256, 32640, 32641, 32704]> : tensor<10xui16>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<10xbf16>) -> tensor<10xbf16>
  %4 = stablehlo.bitcast_convert %3 : (tensor<10xbf16>) -> tensor<10xui16>
  check.expect_eq_const %4, dense<[65473, 65472, 65408, 49024, 32768, 0, 16256, 32640, 32641, 32704]> : tensor<10xui16>
  %5:2 = chlo.top_k(%x, k = 10) : tensor<10xbf16> -> (tensor<10xbf16>, tensor<10xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<10xbf16>) -> tensor<10xui16>
  check.expect_eq_const %6, dense<[32704, 32641, 32640, 16256, 0, 32768, 49024, 65408, 65472, 65473]> : tensor<10xui16>
  check.expect_eq_const %5#1, dense<[2, 8, 6, 9, 0, 3, 4, 5, 7, 1]> : tensor<10xi32>
  %7 = stablehlo.negate %x : tensor<10xbf16>
  %8 = stablehlo.bitcast_convert %7 : (tensor<10xbf16>) -> tensor<10xui16>
  check.expect_eq_const %8, dense<[32768, 32705, 65472, 0, 16256, 32640, 65408, 32704, 65409, 49024]> : tensor<10xui16>
  %9 = stablehlo.abs %x : tensor<10xbf16>
  %10 = stablehlo.bitcast_convert %9 : (tensor<10xbf16>) -> tensor<10xui16>
  check.expect_eq_const %10, dense<[0, 32705, 32704, 0, 16256, 32640, 32640, 32704, 32641, 16256]> : tensor<10xui16>
  return
}

func.func @nan_signs_f16() {
  %x = stablehlo.constant dense<[0x0000, 0xFE01, 0x7E00, 0x8000, 0xBC00, 0xFC00, 0x7C00, 0xFE00, 0x7C01, 0x3C00]> : tensor<10xf16>
  %other = stablehlo.constant dense<0x0000> : tensor<10xf16>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<10xf16>, tensor<10xf16>) -> tensor<10xi1>
  check.expect_eq_const %less, dense<[false, true, false, true, true, true, false, true, false, false]> : tensor<10xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<10xf16>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<10xf16>, tensor<10xf16>) -> tensor<10xi1>
  check.expect_eq_const %equal, dense<[false, false, false, false, false, false, false, false, false, false]> : tensor<10xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<10xf16>) -> tensor<10xf16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<10xf16>) -> tensor<10xui16>
  check.expect_eq_const %2, dense<[65025, 65024, 64512, 48128, 32768, 0, 15360, 31744, 31745, 32256]> : tensor<10xui16>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f16>, tensor<f16>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<10xf16>) -> tensor<10xf16>
  %4 = stablehlo.bitcast_convert %3 : (tensor<10xf16>) -> tensor<10xui16>
  check.expect_eq_const %4, dense<[65025, 65024, 64512, 48128, 32768, 0, 15360, 31744, 31745, 32256]> : tensor<10xui16>
  %5:2 = chlo.top_k(%x, k = 10) : tensor<10xf16> -> (tensor<10xf16>, tensor<10xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<10xf16>) -> tensor<10xui16>
  check.expect_eq_const %6, dense<[32256, 31745, 31744, 15360, 0, 32768, 48128, 64512, 65024, 65025]> : tensor<10xui16>
  check.expect_eq_const %5#1, dense<[2, 8, 6, 9, 0, 3, 4, 5, 7, 1]> : tensor<10xi32>
  %7 = stablehlo.negate %x : tensor<10xf16>
  %8 = stablehlo.bitcast_convert %7 : (tensor<10xf16>) -> tensor<10xui16>
  check.expect_eq_const %8, dense<[32768, 32257, 65024, 0, 15360, 31744, 64512, 32256, 64513, 48128]> : tensor<10xui16>
  %9 = stablehlo.abs %x : tensor<10xf16>
  %10 = stablehlo.bitcast_convert %9 : (tensor<10xf16>) -> tensor<10xui16>
  check.expect_eq_const %10, dense<[0, 32257, 32256, 0, 15360, 31744, 31744, 32256, 31745, 15360]> : tensor<10xui16>
  return
}

func.func @nan_signs_f8E5M2() {
  %x = stablehlo.constant dense<[0x00, 0xFF, 0x7E, 0x80, 0xBC, 0xFC, 0x7C, 0xFE, 0x7D, 0x3C]> : tensor<10xf8E5M2>
  %other = stablehlo.constant dense<0x00> : tensor<10xf8E5M2>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<10xf8E5M2>, tensor<10xf8E5M2>) -> tensor<10xi1>
  check.expect_eq_const %less, dense<[false, true, false, true, true, true, false, true, false, false]> : tensor<10xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<10xf8E5M2>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<10xf8E5M2>, tensor<10xf8E5M2>) -> tensor<10xi1>
  check.expect_eq_const %equal, dense<[false, false, false, false, false, false, false, false, false, false]> : tensor<10xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<10xf8E5M2>) -> tensor<10xf8E5M2>
  %2 = stablehlo.bitcast_convert %1 : (tensor<10xf8E5M2>) -> tensor<10xui8>
  check.expect_eq_const %2, dense<[255, 254, 252, 188, 128, 0, 60, 124, 125, 126]> : tensor<10xui8>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<10xf8E5M2>) -> tensor<10xf8E5M2>
  %4 = stablehlo.bitcast_convert %3 : (tensor<10xf8E5M2>) -> tensor<10xui8>
  check.expect_eq_const %4, dense<[255, 254, 252, 188, 128, 0, 60, 124, 125, 126]> : tensor<10xui8>
  %5:2 = chlo.top_k(%x, k = 10) : tensor<10xf8E5M2> -> (tensor<10xf8E5M2>, tensor<10xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<10xf8E5M2>) -> tensor<10xui8>
  check.expect_eq_const %6, dense<[126, 125, 124, 60, 0, 128, 188, 252, 254, 255]> : tensor<10xui8>
  check.expect_eq_const %5#1, dense<[2, 8, 6, 9, 0, 3, 4, 5, 7, 1]> : tensor<10xi32>
  %7 = stablehlo.negate %x : tensor<10xf8E5M2>
  %8 = stablehlo.bitcast_convert %7 : (tensor<10xf8E5M2>) -> tensor<10xui8>
  check.expect_eq_const %8, dense<[128, 127, 254, 0, 60, 124, 252, 126, 253, 188]> : tensor<10xui8>
  %9 = stablehlo.abs %x : tensor<10xf8E5M2>
  %10 = stablehlo.bitcast_convert %9 : (tensor<10xf8E5M2>) -> tensor<10xui8>
  check.expect_eq_const %10, dense<[0, 127, 126, 0, 60, 124, 124, 126, 125, 60]> : tensor<10xui8>
  return
}

func.func @nan_signs_f8E4M3() {
  %x = stablehlo.constant dense<[0x00, 0xFF, 0x7C, 0x80, 0xB8, 0xF8, 0x78, 0xFC, 0x79, 0x38]> : tensor<10xf8E4M3>
  %other = stablehlo.constant dense<0x00> : tensor<10xf8E4M3>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<10xf8E4M3>, tensor<10xf8E4M3>) -> tensor<10xi1>
  check.expect_eq_const %less, dense<[false, true, false, true, true, true, false, true, false, false]> : tensor<10xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<10xf8E4M3>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<10xf8E4M3>, tensor<10xf8E4M3>) -> tensor<10xi1>
  check.expect_eq_const %equal, dense<[false, false, false, false, false, false, false, false, false, false]> : tensor<10xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3>, %b: tensor<f8E4M3>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E4M3>, tensor<f8E4M3>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<10xf8E4M3>) -> tensor<10xf8E4M3>
  %2 = stablehlo.bitcast_convert %1 : (tensor<10xf8E4M3>) -> tensor<10xui8>
  check.expect_eq_const %2, dense<[255, 252, 248, 184, 128, 0, 56, 120, 121, 124]> : tensor<10xui8>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3>, %b: tensor<f8E4M3>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f8E4M3>, tensor<f8E4M3>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<10xf8E4M3>) -> tensor<10xf8E4M3>
  %4 = stablehlo.bitcast_convert %3 : (tensor<10xf8E4M3>) -> tensor<10xui8>
  check.expect_eq_const %4, dense<[255, 252, 248, 184, 128, 0, 56, 120, 121, 124]> : tensor<10xui8>
  %5:2 = chlo.top_k(%x, k = 10) : tensor<10xf8E4M3> -> (tensor<10xf8E4M3>, tensor<10xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<10xf8E4M3>) -> tensor<10xui8>
  check.expect_eq_const %6, dense<[124, 121, 120, 56, 0, 128, 184, 248, 252, 255]> : tensor<10xui8>
  check.expect_eq_const %5#1, dense<[2, 8, 6, 9, 0, 3, 4, 5, 7, 1]> : tensor<10xi32>
  %7 = stablehlo.negate %x : tensor<10xf8E4M3>
  %8 = stablehlo.bitcast_convert %7 : (tensor<10xf8E4M3>) -> tensor<10xui8>
  check.expect_eq_const %8, dense<[128, 127, 252, 0, 56, 120, 248, 124, 249, 184]> : tensor<10xui8>
  %9 = stablehlo.abs %x : tensor<10xf8E4M3>
  %10 = stablehlo.bitcast_convert %9 : (tensor<10xf8E4M3>) -> tensor<10xui8>
  check.expect_eq_const %10, dense<[0, 127, 124, 0, 56, 120, 120, 124, 121, 56]> : tensor<10xui8>
  return
}

func.func @nan_signs_f8E4M3FN() {
  %x = stablehlo.constant dense<[0x00, 0xFF, 0x7F, 0x80, 0xB8, 0xFE, 0x7E, 0x38]> : tensor<8xf8E4M3FN>
  %other = stablehlo.constant dense<0x00> : tensor<8xf8E4M3FN>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  check.expect_eq_const %less, dense<[false, true, false, true, true, true, false, false]> : tensor<8xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<8xf8E4M3FN>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  check.expect_eq_const %equal, dense<[false, false, false, false, false, false, false, false]> : tensor<8xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<8xf8E4M3FN>) -> tensor<8xf8E4M3FN>
  %2 = stablehlo.bitcast_convert %1 : (tensor<8xf8E4M3FN>) -> tensor<8xui8>
  check.expect_eq_const %2, dense<[255, 254, 184, 128, 0, 56, 126, 127]> : tensor<8xui8>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<8xf8E4M3FN>) -> tensor<8xf8E4M3FN>
  %4 = stablehlo.bitcast_convert %3 : (tensor<8xf8E4M3FN>) -> tensor<8xui8>
  check.expect_eq_const %4, dense<[255, 254, 184, 128, 0, 56, 126, 127]> : tensor<8xui8>
  %5:2 = chlo.top_k(%x, k = 8) : tensor<8xf8E4M3FN> -> (tensor<8xf8E4M3FN>, tensor<8xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<8xf8E4M3FN>) -> tensor<8xui8>
  check.expect_eq_const %6, dense<[127, 126, 56, 0, 128, 184, 254, 255]> : tensor<8xui8>
  check.expect_eq_const %5#1, dense<[2, 6, 7, 0, 3, 4, 5, 1]> : tensor<8xi32>
  %7 = stablehlo.negate %x : tensor<8xf8E4M3FN>
  %8 = stablehlo.bitcast_convert %7 : (tensor<8xf8E4M3FN>) -> tensor<8xui8>
  check.expect_eq_const %8, dense<[128, 127, 255, 0, 56, 126, 254, 184]> : tensor<8xui8>
  %9 = stablehlo.abs %x : tensor<8xf8E4M3FN>
  %10 = stablehlo.bitcast_convert %9 : (tensor<8xf8E4M3FN>) -> tensor<8xui8>
  check.expect_eq_const %10, dense<[0, 127, 127, 0, 56, 126, 126, 56]> : tensor<8xui8>
  return
}

func.func @nan_signs_f8E3M4() {
  %x = stablehlo.constant dense<[0x00, 0xFF, 0x78, 0x80, 0xB0, 0xF0, 0x70, 0xF8, 0x71, 0x30]> : tensor<10xf8E3M4>
  %other = stablehlo.constant dense<0x00> : tensor<10xf8E3M4>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<10xf8E3M4>, tensor<10xf8E3M4>) -> tensor<10xi1>
  check.expect_eq_const %less, dense<[false, true, false, true, true, true, false, true, false, false]> : tensor<10xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<10xf8E3M4>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<10xf8E3M4>, tensor<10xf8E3M4>) -> tensor<10xi1>
  check.expect_eq_const %equal, dense<[false, false, false, false, false, false, false, false, false, false]> : tensor<10xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E3M4>, %b: tensor<f8E3M4>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E3M4>, tensor<f8E3M4>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<10xf8E3M4>) -> tensor<10xf8E3M4>
  %2 = stablehlo.bitcast_convert %1 : (tensor<10xf8E3M4>) -> tensor<10xui8>
  check.expect_eq_const %2, dense<[255, 248, 240, 176, 128, 0, 48, 112, 113, 120]> : tensor<10xui8>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E3M4>, %b: tensor<f8E3M4>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f8E3M4>, tensor<f8E3M4>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<10xf8E3M4>) -> tensor<10xf8E3M4>
  %4 = stablehlo.bitcast_convert %3 : (tensor<10xf8E3M4>) -> tensor<10xui8>
  check.expect_eq_const %4, dense<[255, 248, 240, 176, 128, 0, 48, 112, 113, 120]> : tensor<10xui8>
  %5:2 = chlo.top_k(%x, k = 10) : tensor<10xf8E3M4> -> (tensor<10xf8E3M4>, tensor<10xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<10xf8E3M4>) -> tensor<10xui8>
  check.expect_eq_const %6, dense<[120, 113, 112, 48, 0, 128, 176, 240, 248, 255]> : tensor<10xui8>
  check.expect_eq_const %5#1, dense<[2, 8, 6, 9, 0, 3, 4, 5, 7, 1]> : tensor<10xi32>
  %7 = stablehlo.negate %x : tensor<10xf8E3M4>
  %8 = stablehlo.bitcast_convert %7 : (tensor<10xf8E3M4>) -> tensor<10xui8>
  check.expect_eq_const %8, dense<[128, 127, 248, 0, 48, 112, 240, 120, 241, 176]> : tensor<10xui8>
  %9 = stablehlo.abs %x : tensor<10xf8E3M4>
  %10 = stablehlo.bitcast_convert %9 : (tensor<10xf8E3M4>) -> tensor<10xui8>
  check.expect_eq_const %10, dense<[0, 127, 120, 0, 48, 112, 112, 120, 113, 48]> : tensor<10xui8>
  return
}

func.func @nan_signs_f8E4M3FNUZ() {
  %x = stablehlo.constant dense<[0x00, 0x80, 0xC0, 0xFF, 0x7F, 0x40]> : tensor<6xf8E4M3FNUZ>
  %other = stablehlo.constant dense<0x00> : tensor<6xf8E4M3FNUZ>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<6xf8E4M3FNUZ>, tensor<6xf8E4M3FNUZ>) -> tensor<6xi1>
  check.expect_eq_const %less, dense<[false, true, true, true, false, false]> : tensor<6xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<6xf8E4M3FNUZ>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<6xf8E4M3FNUZ>, tensor<6xf8E4M3FNUZ>) -> tensor<6xi1>
  check.expect_eq_const %equal, dense<[false, false, false, false, false, false]> : tensor<6xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf8E4M3FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[128, 255, 192, 0, 64, 127]> : tensor<6xui8>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf8E4M3FNUZ>
  %4 = stablehlo.bitcast_convert %3 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %4, dense<[128, 255, 192, 0, 64, 127]> : tensor<6xui8>
  %5:2 = chlo.top_k(%x, k = 6) : tensor<6xf8E4M3FNUZ> -> (tensor<6xf8E4M3FNUZ>, tensor<6xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %6, dense<[127, 64, 0, 192, 255, 128]> : tensor<6xui8>
  check.expect_eq_const %5#1, dense<[4, 5, 0, 2, 3, 1]> : tensor<6xi32>
  %7 = stablehlo.negate %x : tensor<6xf8E4M3FNUZ>
  %8 = stablehlo.bitcast_convert %7 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %8, dense<[0, 128, 64, 127, 255, 192]> : tensor<6xui8>
  %9 = stablehlo.abs %x : tensor<6xf8E4M3FNUZ>
  %10 = stablehlo.bitcast_convert %9 : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %10, dense<[0, 128, 64, 127, 127, 64]> : tensor<6xui8>
  return
}

func.func @nan_signs_f8E5M2FNUZ() {
  %x = stablehlo.constant dense<[0x00, 0x80, 0xC0, 0xFF, 0x7F, 0x40]> : tensor<6xf8E5M2FNUZ>
  %other = stablehlo.constant dense<0x00> : tensor<6xf8E5M2FNUZ>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<6xf8E5M2FNUZ>, tensor<6xf8E5M2FNUZ>) -> tensor<6xi1>
  check.expect_eq_const %less, dense<[false, true, true, true, false, false]> : tensor<6xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<6xf8E5M2FNUZ>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<6xf8E5M2FNUZ>, tensor<6xf8E5M2FNUZ>) -> tensor<6xi1>
  check.expect_eq_const %equal, dense<[false, false, false, false, false, false]> : tensor<6xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf8E5M2FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[128, 255, 192, 0, 64, 127]> : tensor<6xui8>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E5M2FNUZ>, %b: tensor<f8E5M2FNUZ>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf8E5M2FNUZ>
  %4 = stablehlo.bitcast_convert %3 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %4, dense<[128, 255, 192, 0, 64, 127]> : tensor<6xui8>
  %5:2 = chlo.top_k(%x, k = 6) : tensor<6xf8E5M2FNUZ> -> (tensor<6xf8E5M2FNUZ>, tensor<6xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %6, dense<[127, 64, 0, 192, 255, 128]> : tensor<6xui8>
  check.expect_eq_const %5#1, dense<[4, 5, 0, 2, 3, 1]> : tensor<6xi32>
  %7 = stablehlo.negate %x : tensor<6xf8E5M2FNUZ>
  %8 = stablehlo.bitcast_convert %7 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %8, dense<[0, 128, 64, 127, 255, 192]> : tensor<6xui8>
  %9 = stablehlo.abs %x : tensor<6xf8E5M2FNUZ>
  %10 = stablehlo.bitcast_convert %9 : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %10, dense<[0, 128, 64, 127, 127, 64]> : tensor<6xui8>
  return
}

func.func @nan_signs_f8E4M3B11FNUZ() {
  %x = stablehlo.constant dense<[0x00, 0x80, 0xD8, 0xFF, 0x7F, 0x58]> : tensor<6xf8E4M3B11FNUZ>
  %other = stablehlo.constant dense<0x00> : tensor<6xf8E4M3B11FNUZ>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<6xf8E4M3B11FNUZ>, tensor<6xf8E4M3B11FNUZ>) -> tensor<6xi1>
  check.expect_eq_const %less, dense<[false, true, true, true, false, false]> : tensor<6xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<6xf8E4M3B11FNUZ>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<6xf8E4M3B11FNUZ>, tensor<6xf8E4M3B11FNUZ>) -> tensor<6xi1>
  check.expect_eq_const %equal, dense<[false, false, false, false, false, false]> : tensor<6xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3B11FNUZ>, %b: tensor<f8E4M3B11FNUZ>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E4M3B11FNUZ>, tensor<f8E4M3B11FNUZ>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xf8E4M3B11FNUZ>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %2, dense<[128, 255, 216, 0, 88, 127]> : tensor<6xui8>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3B11FNUZ>, %b: tensor<f8E4M3B11FNUZ>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f8E4M3B11FNUZ>, tensor<f8E4M3B11FNUZ>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xf8E4M3B11FNUZ>
  %4 = stablehlo.bitcast_convert %3 : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %4, dense<[128, 255, 216, 0, 88, 127]> : tensor<6xui8>
  %5:2 = chlo.top_k(%x, k = 6) : tensor<6xf8E4M3B11FNUZ> -> (tensor<6xf8E4M3B11FNUZ>, tensor<6xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %6, dense<[127, 88, 0, 216, 255, 128]> : tensor<6xui8>
  check.expect_eq_const %5#1, dense<[4, 5, 0, 2, 3, 1]> : tensor<6xi32>
  %7 = stablehlo.negate %x : tensor<6xf8E4M3B11FNUZ>
  %8 = stablehlo.bitcast_convert %7 : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %8, dense<[0, 128, 88, 127, 255, 216]> : tensor<6xui8>
  %9 = stablehlo.abs %x : tensor<6xf8E4M3B11FNUZ>
  %10 = stablehlo.bitcast_convert %9 : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %10, dense<[0, 128, 88, 127, 127, 88]> : tensor<6xui8>
  return
}

func.func @nan_signs_f8E8M0FNU() {
  %x = stablehlo.constant dense<[0x7F, 0xFF, 0x00, 0x80, 0xFE]> : tensor<5xf8E8M0FNU>
  %other = stablehlo.constant dense<0x7F> : tensor<5xf8E8M0FNU>
  %less = stablehlo.compare LT, %x, %other, TOTALORDER : (tensor<5xf8E8M0FNU>, tensor<5xf8E8M0FNU>) -> tensor<5xi1>
  check.expect_eq_const %less, dense<[false, false, true, false, false]> : tensor<5xi1>
  %back = stablehlo.reverse %x, dims = [0] : tensor<5xf8E8M0FNU>
  %equal = stablehlo.compare EQ, %x, %back, TOTALORDER : (tensor<5xf8E8M0FNU>, tensor<5xf8E8M0FNU>) -> tensor<5xi1>
  check.expect_eq_const %equal, dense<[false, false, true, false, false]> : tensor<5xi1>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E8M0FNU>, %b: tensor<f8E8M0FNU>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<5xf8E8M0FNU>) -> tensor<5xf8E8M0FNU>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5xf8E8M0FNU>) -> tensor<5xui8>
  check.expect_eq_const %2, dense<[0, 127, 128, 254, 255]> : tensor<5xui8>
  %3 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E8M0FNU>, %b: tensor<f8E8M0FNU>):
    %s = stablehlo.compare GE, %a, %b, TOTALORDER : (tensor<f8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<i1>
    %n = stablehlo.not %s : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }) : (tensor<5xf8E8M0FNU>) -> tensor<5xf8E8M0FNU>
  %4 = stablehlo.bitcast_convert %3 : (tensor<5xf8E8M0FNU>) -> tensor<5xui8>
  check.expect_eq_const %4, dense<[0, 127, 128, 254, 255]> : tensor<5xui8>
  %5:2 = chlo.top_k(%x, k = 5) : tensor<5xf8E8M0FNU> -> (tensor<5xf8E8M0FNU>, tensor<5xi32>)
  %6 = stablehlo.bitcast_convert %5#0 : (tensor<5xf8E8M0FNU>) -> tensor<5xui8>
  check.expect_eq_const %6, dense<[255, 254, 128, 127, 0]> : tensor<5xui8>
  check.expect_eq_const %5#1, dense<[1, 4, 3, 0, 2]> : tensor<5xi32>
  %7 = stablehlo.negate %x : tensor<5xf8E8M0FNU>
  %8 = stablehlo.bitcast_convert %7 : (tensor<5xf8E8M0FNU>) -> tensor<5xui8>
  check.expect_eq_const %8, dense<[255, 255, 255, 255, 255]> : tensor<5xui8>
  %9 = stablehlo.abs %x : tensor<5xf8E8M0FNU>
  %10 = stablehlo.bitcast_convert %9 : (tensor<5xf8E8M0FNU>) -> tensor<5xui8>
  check.expect_eq_const %10, dense<[127, 255, 0, 128, 254]> : tensor<5xui8>
  return
}
