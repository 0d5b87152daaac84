//! Examples of the help texts. A test runs each and compares its output.

pub(crate) const BINADE: &str = "\
Examples:
  $ binade encode float8_e4m3fn 0.1 -inf 448
  0x1d
  0x7f
  0x7e
  $ binade eval add =1 =0.5 --in bf16
  0x3fc0 0x1.8p+0 -
  $ binade table binary8p4 | sed -n 12p
  0x0b = 0.0001_011 = +0b1.011×2^-7 = 0.0107421875
  $ binade quantize examples/digits.safetensors digits.safetensors \\
      --format cfloat8_1_4_3 --bias auto --include layer1.weight | head -2
  tensor         format                 elements  SQNR dB       MSE  overflow  underflow  lost
  layer1.weight  cfloat8_1_4_3@bias=15      4096    31.45  3.270e-5         0          3     0";

pub(crate) const FORMATS: &str = "\
Examples:
  $ binade formats | awk '/fnuz/ { print $1, $2, $3, $4, $5 }'
  float8_e4m3fnuz 8 4 8 0x1.ep+7
  float8_e5m2fnuz 8 3 16 0x1.cp+15
  float8_e4m3b11fnuz 8 4 11 0x1.ep+4
  $ binade formats --json | grep -c '\"name\"'
  643";

pub(crate) const RECIPES: &str = "\
Examples:
  $ binade recipes | grep -c fp8
  4
  $ binade show nvfp4-training@b200 | tail -1
  left as in the program: last";

pub(crate) const UNITS: &str = "\
Examples:
  $ binade units | grep -c measured
  18
  $ binade show h100 | tail -8
  float8_e4m3fn, float8_e5m2 -> f32
    adds 32 products and the accumulator in one alignment
    E is the largest exponent of all of them, at least -133; a product's is the sum of its operands'
    each term is cut toward zero to a multiple of 2^(E-13); their sum is exact
    2^(E+1)|2^E . xxxxxxxxxxxxx|--------  kept | cut
    the result has 14 bits, toward zero, in f32
    subnormals are kept; NaN is 0x7fffffff
    measured: Khattak and Mikaitis 2025, MATLAB-tensor-core";

pub(crate) const SHOW: &str = "\
Examples:
  $ binade show float8_e4m3fnuz
  name           float8_e4m3fnuz
  width          8
  precision      4
  exponent_bits  4
  signed         yes
  bias           8
  emin           -7
  emax           7
  min_subnormal  0x1p-10 = 0.0009765625
  max_subnormal  0x1.cp-8 = 0.0068359375
  min_normal     0x1p-7 = 0.0078125
  max_finite     0x1.ep+7 = 240.0
  infinities     no
  nan_codes      0x80
  negative_zero  no
  finite_values  255
  subnormals     ieee
  $ binade show cfloat8_1_4_3@bias=40 --json | grep max_finite
    \"max_finite\": \"0x1.ep-25\",
    \"max_finite_decimal\": \"0.0000000558793544769287109375\",";

pub(crate) const TABLE: &str = "\
Examples:
  $ binade table binary8p4 | sed -n 11,13p
  0x0a = 0.0001_010 = +0b1.010×2^-7 = 0.009765625
  0x0b = 0.0001_011 = +0b1.011×2^-7 = 0.0107421875
  0x0c = 0.0001_100 = +0b1.100×2^-7 = 0.01171875
  $ binade table f16 --csv | sed -n 1,3p
  code,bits,value,decimal,class
  0x0000,0.00000_0000000000,0x0p+0,0.0,zero
  0x0001,0.00000_0000000001,0x1p-24,0.000000059604644775390625,positive_subnormal";

pub(crate) const ENCODE: &str = "\
Examples:
  $ binade encode bf16 1.5 -inf 0.1
  0x3fc0
  0xff80
  0x3dcd
  $ binade encode float8_e4m3fn 0x1.23p+4 464 500 --explain
  0x59 0.1011_001 0x1.2p+4 -0x1.8p-3 x
  0x7e 0.1111_110 0x1.cp+8 -0x1p+4 x
  0x7f 0.1111_111 nan nan ox
  $ echo 1 2 3 | binade encode float4_e2m1fn - --rounding stochastic --seed 7
  0x2
  0x4
  0x5
  $ binade encode binary8p3 1e9 --edition 4.0 --saturation SatFinite
  0x7e";

pub(crate) const DECODE: &str = "\
Examples:
  $ binade decode float8_e5m2 0x3c 0x01 0x7c
  0x1p+0 1.0
  0x1p-16 0.0000152587890625
  inf inf
  $ binade decode binary8p4 0.0001_011
  0x1.6p-7 0.0107421875
  $ seq 5 7 | binade decode float4_e2m1fn -
  0x1.8p+1 3.0
  0x1p+2 4.0
  0x1.8p+2 6.0";

pub(crate) const EVAL: &str = "\
Examples:
  $ binade eval multiply 0x3c =0.75 --in float8_e4m3fn
  0x39 0x1.2p+0 -
  $ binade eval fma =1.5 =2.5 =0.1 --in bf16,bf16,f32 --out f32
  0x40766666 0x1.ecccccp+1 x
  $ binade eval compare_less =1 =2 --in bf16,f16
  true
  $ binade eval add_scaled =1 =1 --in bf16 --scale 3,-2
  0x4104 0x1.08p+3 -
  $ echo add bf16 bf16 nearest_even overflow 0x3f80 0x3f80 | binade eval --batch
  0x4000 -
  $ binade eval block_dot_product =2:=1.5,=3 =0.5:=4,=-1 --in float8_e8m0fnu/float4_e2m1fn --out f32
  0x40400000 0x1.8p+1 -
  $ binade eval block_dot_product =1:=256,=1,=1 =1:=1,=1,=1 --in float8_e8m0fnu/float8_e4m3fn \\
      --out f32 --arith bf16:bf16
  0x43800000 0x1p+8 -";

pub(crate) const VECTORS: &str = "\
Examples:
  $ binade vectors add --in binary3p2 | head -3
  0x0 0x0 0x0 -
  0x0 0x1 0x1 d
  0x0 0x2 0x2 -
  $ binade vectors fma --in bf16,bf16,f32 --out f32 --count 3 --seed 1
  0x104b 0x1736 0xecdcb84f 0xecdcb84f x
  0x63c2 0x1f91 0x77c0b89e 0x77c0b89e x
  0x23c1 0x4441 0x1d8af405 0x28918102 x
  $ binade vectors add --in float4_e2m1fn --out f16 | wc -l
  256
  $ binade vectors block_reduce_add --in float8_e8m0fnu/float4_e2m1fn --out bf16 --size 4 --count 2
  0x53:0x6,0xe,0x1,0x7 0x2ad0 d
  0x54:0x1,0x9,0x7,0x5 0x2b90 d";

pub(crate) const CONFORMANCE: &str = "\
Examples:
  $ binade conformance --edition 4.0 | grep FMA
  | §4.10.6 | FMA | `fma` | 3 | projected | f, f, e → e, the same |
  $ binade conformance --has 'Exp<Binary8p3se, Binary8p4se, (NearestTiesToEven, SatFinite)>'
  yes
  $ binade conformance --exemplars mine
  mine/StandardOperations.yaml
  mine/Configurations.yaml
  mine/Profiles.yaml
  mine/Constraints.yaml
  mine/Kappas.yaml";

pub(crate) const CONFORMANCE_CHECK: &str = "\
Examples:
  $ binade conformance --exemplars mine > written
  $ binade conformance check mine/*.yaml
  mine/StandardOperations.yaml: operations, 204
  mine/Configurations.yaml: configurations, 1
  mine/Profiles.yaml: profiles, 508
  mine/Constraints.yaml: empty, 0
  mine/Kappas.yaml: empty, 0
  ok
  $ echo '{all: [{\"Rsqrt<fx, fr, ρ>(x) -> r\": {Requires: [fx == fr]}}]}' > c.yaml
  $ binade conformance check c.yaml | tail -2
  c.yaml:1: Rsqrt is not an operation of 4.0: 4.0 calls it RSqrt
  1 finding";

pub(crate) const QUANTIZE: &str = "\
Examples:
  $ binade quantize examples/digits.safetensors a.safetensors \\
      --format cfloat8_1_4_3 --bias auto
  tensor         format                 elements  SQNR dB       MSE  overflow  underflow  lost
  layer1.weight  cfloat8_1_4_3@bias=15      4096    31.45  3.270e-5         0          3     0
  layer1.bias    cfloat8_1_4_3@bias=10        64    30.23  5.330e-6         0          1     0
  layer2.weight  cfloat8_1_4_3@bias=14      2048    31.82  3.488e-5         0          0     0
  layer2.bias    cfloat8_1_4_3@bias=10        32    31.57  9.152e-6         0          0     0
  layer3.weight  cfloat8_1_4_3@bias=11       320    31.73  1.407e-4         0          0     0
  layer3.bias    cfloat8_1_4_3@bias=6         10    31.83  9.619e-6         0          0     0
  (all)                                     6570    31.60  3.822e-5         0          4     0
  $ binade quantize examples/digits.safetensors b.safetensors \\
      --format mxfp4 --include '*.weight' --report b.json
  tensor         format         elements  SQNR dB       MSE  overflow  underflow  lost
  layer1.weight  float4_e2m1fn      4096    18.83  5.966e-4        16       1411     0
  layer2.weight  float4_e2m1fn      2048    18.85  6.904e-4        15        734     0
  layer3.weight  float4_e2m1fn       320    18.26  3.133e-3         7         83     0
  (all)                             6464    18.73  7.519e-4        38       2228     0
  copied layer1.bias (F32): no include pattern matches its name
  copied layer2.bias (F32): no include pattern matches its name
  copied layer3.bias (F32): no include pattern matches its name
  $ binade quantize examples/digits.safetensors c.safetensors \\
      --layout ct-nvfp4 --exclude layer3.weight
  quantised to ct-nvfp4, scale rule nearest
  2 weights of 6144 elements: 24576 bytes before, 3464 after, 4.51 bits an element
  linear layers by name: no config.json names a model type
  copied 3: it is not a matrix
  copied 1: an exclude pattern matches its name
  note: programs read the layout in config.json, as quantization_config, which is written with folders only
  $ binade quantize examples/digits.safetensors d.safetensors \\
      --format auto --budget 5bits --plot d.svg --report d.html | tail -7
  mxfp4             0         0.0                   4.2776                  7.420e-4
  nvfp4             2        93.5                   4.5443                  4.645e-4
  mxfp6_e2m3        2         5.8                   6.2776                  4.400e-5
  mxfp8_e4m3        0         0.0                   8.2776                  4.702e-5
  mxfp8_e5m2        0         0.0                   8.2776                  1.698e-4
  keep              2         0.6                  32.0000                         0
  4.8146 bits an element, mse error 3.957e-4; nothing within 5 bits has less than 3.090e-4";

pub(crate) const DEQUANTIZE: &str = "\
Examples:
  $ binade quantize examples/digits.safetensors a.safetensors \\
      --layout ct-mxfp4 --exclude layer3.weight > /dev/null
  $ binade dequantize a.safetensors b.safetensors --dtype f32
  dequantised to F32
  2 weights of 6144 elements: 3264 bytes before, 24576 after, 32.00 bits an element
  copied 4: it is not quantised
  $ binade compare a.safetensors b.safetensors --expect-equal > /dev/null && echo equal
  equal";

pub(crate) const CONVERT: &str = "\
Examples:
  $ binade quantize examples/digits.safetensors a.safetensors \\
      --layout ct-nvfp4 --exclude layer3.weight > /dev/null
  $ binade convert a.safetensors b.safetensors \\
      --layout modelopt-nvfp4 --exclude layer3.weight
  converted to modelopt-nvfp4, scale rule nearest
  2 weights of 6144 elements: 3464 bytes before, 3464 after, 4.51 bits an element
  linear layers by name: no config.json names a model type
  copied 3: it is not a matrix
  copied 1: an exclude pattern matches its name
  note: programs read the layout in config.json, as quantization_config, which is written with folders only
  note: transformers 5.24 does not read ModelOpt's layout; vLLM and SGLang do";

pub(crate) const COMPARE: &str = "\
Examples:
  $ binade quantize examples/digits.safetensors a.safetensors \\
      --format bf16 --include '*.weight' > /dev/null
  $ binade compare examples/digits.safetensors a.safetensors | cut -c 1-65
  tensor         elements   max abs   max rel       MSE  SQNR dB   
  layer1.weight      4096  2.445e-3  3.847e-3  1.329e-7    55.36  0
  layer1.bias          64         0         0         0      inf  1
  layer2.weight      2048  3.664e-3  3.824e-3  1.421e-7    55.72  0
  layer2.bias          32         0         0         0      inf  1
  layer3.weight       320  3.865e-3  3.777e-3  6.768e-7    54.91  0
  layer3.bias          10         0         0         0      inf  1
  $ binade compare examples/digits.safetensors a.safetensors --min-sqnr 50 \\
      > /dev/null && echo good enough
  good enough";

pub(crate) const STUDY: &str = "\
Examples:
  $ binade study representation | tail -7
  format    exact    <1e-7    <1e-6    <1e-5    <1e-4    <1e-3    <1e-2
  bf16x1      128      335     3220    32212   322124  3221219  8388608
            0.00%    0.00%    0.04%    0.38%    3.84%   38.40%  100.00%
  bf16x2   294912   639270  3518768  8388608  8388608  8388608  8388608
            3.52%    7.62%   41.95%  100.00%  100.00%  100.00%  100.00%
  bf16x3  8388608  8388608  8388608  8388608  8388608  8388608  8388608
          100.00%  100.00%  100.00%  100.00%  100.00%  100.00%  100.00%
  $ binade study cost bf16x2:bf16x2/4
  operator         in the paper    multiplier bits  operand bits  products  area  speed-up
  bf16x2:bf16x2/4  FMAbf16_2_2{4}               16            32         4   256      2.25";

pub(crate) const STUDY_REPRESENTATION: &str = "\
Examples:
  $ binade study representation --plot figure2.svg | head -4
  format      mean        1%       10%       25%    median       75%       90%       99%       max
  bf16x1  1.354e-3  2.604e-5  2.604e-4  6.510e-4  1.302e-3  1.953e-3  2.507e-3  3.391e-3  3.891e-3
  bf16x2  1.763e-6         0  1.426e-7  4.768e-7  1.316e-6  2.698e-6  4.095e-6  6.249e-6  7.614e-6
  bf16x3         0         0         0         0         0         0         0         0         0
  $ binade study representation | tail -7
  format    exact    <1e-7    <1e-6    <1e-5    <1e-4    <1e-3    <1e-2
  bf16x1      128      335     3220    32212   322124  3221219  8388608
            0.00%    0.00%    0.04%    0.38%    3.84%   38.40%  100.00%
  bf16x2   294912   639270  3518768  8388608  8388608  8388608  8388608
            3.52%    7.62%   41.95%  100.00%  100.00%  100.00%  100.00%
  bf16x3  8388608  8388608  8388608  8388608  8388608  8388608  8388608
          100.00%  100.00%  100.00%  100.00%  100.00%  100.00%  100.00%
  $ binade study representation --format float8_e4m3fn,float8_e5m2 | head -3 | cut -c 1-70
  format             mean        1%       10%       25%    median       
  float8_e4m3fn  2.165e-2  4.167e-4  4.167e-3  1.042e-2  2.084e-2  3.126
  float8_e5m2    4.326e-2  8.334e-4  8.339e-3  2.086e-2  4.174e-2  6.258";

#[cfg(feature = "train")]
pub(crate) const STUDY_PERFORMANCE: &str = "\
Examples:
  $ binade study performance translation --plot roofline.svg
  arithmetic       speed-up    time  products  bound  next           limit  time by bound
  f32                  1.00  3.08 s      1.00  units  issue at 1.42   1.65  L3 44 %, units 40 %, rest 13 %, memory 3 %
  bf16:bf16            1.34  2.31 s      2.76  issue  units at 3.18   1.65  L3 59 %, issue 19 %, rest 17 %, memory 4 %, units 1 %
  bf16:bf16x2          1.33  2.31 s      2.72  issue  L2 at 2.88      1.65  L3 60 %, issue 18 %, rest 17 %, memory 4 %, units 1 %
  bf16x2:bf16x2/4      1.26  2.45 s      2.07  units  issue at 1.26   1.65  L3 57 %, units 23 %, rest 16 %, memory 4 %
  core skylake: products take 39.5 % of binary32's time; multiply-adds: 7.7885e10, 39.5 % of instructions
  $ binade study performance mlp --arith mxfp8_e4m3 --core h100
  arithmetic  speed-up     time  products  bound   next            limit  time by bound
  f32             1.00  0.83 µs      1.00  units   memory at 2.84   3.74  units 74 %, memory 15 %, shared 11 %
  mxfp8_e4m3      2.89  0.29 µs      9.29  memory  units at 2.68    3.74  memory 62 %, shared 32 %, units 6 %
  core h100, by bounds of data sheets: products take 73.3 % of binary32's time; multiply-adds: 2.0454e7, no other instructions
  $ binade study performance --cores
  core           figures  about
  skylake        stated   the simulated core of \"A BF16 FMA is all you need for DNN training\"
  avx512-server  bounds   a core of a 56-core AVX-512 server, whose neighbours use the memory as well
  edge           bounds   a small in-order core with one 128-bit vector unit and LPDDR4 memory
  h100           bounds   NVIDIA H100 SXM as one device: 132 multiprocessors, dense tensor-core peaks";

pub(crate) const STUDY_COST: &str = "\
Examples:
  $ binade study cost --plot table1.svg
  operator         in the paper    multiplier bits  operand bits  products  area  speed-up
  bf16:bf16        FMAbf16_1_1                   8            16         1    64         9
  bf16:bf16x2      FMAbf16_1_2                   8            32         1    64         9
  bf16:bf16x3      FMAbf16_1_3                   8            48         1    64         9
  bf16x2:bf16x2/3  FMAbf16_2_2{3}               16            32         3   192         3
  bf16x2:bf16x2/4  FMAbf16_2_2{4}               16            32         4   256      2.25
  bf16x3:bf16x3/6  FMAbf16_3_3{6}               24            48         6   384       1.5
  bf16x3:bf16x3/9  FMAbf16_3_3{9}               24            48         9   576         1
  f32:f32          FP32                         24            32         1   576         1
  $ binade study cost float8_e4m3fn:f32 cfloat8_1_4_3@bias=10:bf16 --json | grep -e area -e speed
    \"binary32_area\": 576,
        \"area\": 16,
        \"speed_up\": 36.0
        \"area\": 16,
        \"speed_up\": 36.0";

pub(crate) const REVEAL: &str = "\
Examples:
  $ binade reveal --input bf16 --size 16x64x16 -- \\
      binade matmul {a} {b} -o {out} --arith h100:bf16 --force \\
      | grep -e '^a step' -e bits -e '^accumulator' -e ':bf16$'
  a step adds            16 products
  fraction bits          25 below the largest exponent
  accumulator            in one alignment with the products
  bits of sums           24
  bits of results        24
    h100:bf16
    b200:bf16
    unit(products=16,bits=25):bf16
  $ binade reveal --size 16x32x16 -- \\
      binade matmul {a} {b} -o {out} --arith f32:f32 --order lanes:8 --force \\
      | grep -e ^order -e lanes:
  order              8 lanes (i mod 8), added in order; a lane is summed one after another
    f32:f32, lanes:8";

#[cfg(feature = "run")]
pub(crate) const MIX: &str = "\
Examples:
  $ binade mix --exact -- true | sed -n 1,2p
  class       share  95% confidence
  FP FMA      0.00%           exact
  $ binade mix --exact --json -- true | grep exact
    \"exact\": true,";

#[cfg(feature = "run")]
pub(crate) const RUN: &str = "\
Examples:
  $ binade run --quiet --arith bf16:bf16 -- sh -c 'echo computed in BF16; exit 3' || echo exit code $?
  computed in BF16
  exit code 3
  $ binade run --rounding random --runs 3 -- echo x = 1.5
  3 runs, seeds 0 to 2: 0 of 1 number differs
  line  after           mean  digits
     1  x =    1.500000000e0     all";

pub(crate) const MATMUL: &str = "\
Examples:
  $ binade matmul examples/digits.safetensors:layer1.weight \\
      examples/digits.safetensors:layer2.weight --arith f32:f32 --order exact -o exact.npy
  exact.npy [64, 32] under f32:f32, exact: 131072 steps
  $ binade matmul examples/digits.safetensors:layer1.weight \\
      examples/digits.safetensors:layer2.weight --arith float8_e4m3fn:f32 --order aligned:16,14 \\
      -o tensor-core.npy
  tensor-core.npy [64, 32] under float8_e4m3fn:f32, aligned:16,14: 131072 steps
  $ binade compare exact.npy tensor-core.npy
  tensor   elements   max abs  max rel       MSE  SQNR dB    cosine  overflow  underflow  NaN
  (array)      2048  9.640e-2  1.873e2  2.561e-4    31.51  0.999647         0          0    0
  $ binade matmul examples/digits.safetensors:layer1.weight \\
      examples/digits.safetensors:layer2.weight --in nvfp4 -o nvfp4.npy
  nvfp4.npy [64, 32] in nvfp4 under f32:f32, sequential: 131072 steps
  $ binade matmul --size 64x1024x64 --units h100,a100,mi300x,bf16:f32 --json | grep -c '\"unit\":'
  4";

pub(crate) const BENCH: &str = "\
Examples:
  $ binade bench decode/float8_e5m2/L2 'gemm/bf16:f32/s*' --seconds 0.5 | \\
      awk 'NR > 2 { print $1, \"over\", $6 }'
  floor/unpack/L2 over floor/unpack/L2
  decode/float8_e5m2/L2 over floor/unpack/L2
  floor/memcpy/64MiB over floor/memcpy/64MiB
  floor/sgemm/512 over floor/sgemm/512
  gemm/bf16:f32/sequential/512 over floor/sgemm/512
  $ binade bench codes/add --seconds 0 --json | grep -c ratio_to_floor
  7";

#[cfg(feature = "hlo")]
pub(crate) const HLO: &str = "\
Examples:
  $ binade hlo run examples/hlo/rfc.mlir --output-dir out
  out0.npy: tensor<16xf8E5M2FNUZ>
  out1.npy: tensor<f8E5M2FNUZ>
  $ binade hlo check examples/hlo/check.mlir
  ok iota
  ok matmul";

#[cfg(feature = "hlo")]
pub(crate) const HLO_RUN: &str = "\
Examples:
  $ binade hlo run examples/hlo/rfc.mlir --output-dir out
  out0.npy: tensor<16xf8E5M2FNUZ>
  out1.npy: tensor<f8E5M2FNUZ>
  $ binade hlo run examples/hlo/rfc.mlir --semantics reference \\
      --arith 'dot_general=bf16:bf16' --arith '*=float8_e4m3fn'
  result 0: tensor<16xf8E5M2FNUZ>
  result 1: tensor<f8E5M2FNUZ>";

#[cfg(feature = "hlo")]
pub(crate) const HLO_CHECK: &str = "\
Examples:
  $ binade hlo check examples/hlo/check.mlir
  ok iota
  ok matmul";

#[cfg(feature = "hlo")]
pub(crate) const HLO_TEXT: &str = "\
Examples:
  $ binade hlo text examples/hlo/rfc.mlirbc | grep -c dot_general
  1
  $ binade hlo text examples/hlo/rfc.mlirbc | binade hlo run -
  result 0: tensor<16xf8E5M2FNUZ>
  result 1: tensor<f8E5M2FNUZ>";

#[cfg(feature = "hlo")]
pub(crate) const HLO_OPS: &str = "\
Examples:
  $ binade hlo ops | grep chlo.broadcast_s
  chlo.broadcast_select
  chlo.broadcast_shift_left                integer
  chlo.broadcast_shift_right_arithmetic    integer
  chlo.broadcast_shift_right_logical       integer
  chlo.broadcast_subtract                  integer float complex quantized";

#[cfg(feature = "train")]
pub(crate) const TRAIN: &str = "\
Examples:
  $ binade train mlp --arith f32 --arith bf16:bf16 --seeds 1 --cells | cut -c 1-22
  cell  arithmetic  seed
     0  f32            0
     1  bf16:bf16      0
  $ binade train --arith f32 --arith bf16:bf16 --seeds 1 --steps 3 2> epochs | \\
      grep -A 2 ^arithmetic | cut -c 1-62
  arithmetic  training loss  test accuracy  in f32  lost at 0.05
  f32                2.3081         0.2695  0.2695         0.0 %
  bf16:bf16          2.3055         0.2675  0.2665        21.9 %";

pub(crate) const LM: &str = "\
Examples:
  $ binade lm model --recipe nvfp4+leave=lm_head --recipe w8a8@h100 --kv float8_e4m3fn \\
      --text book.txt --windows 16x512 --report lm.html
  $ binade lm smollm2.gguf --recipe nvfp4 --blame block --text book.txt --windows 4x512";

pub(crate) const JOIN: &str = "\
Examples:
  $ binade vectors multiply --in float4_e2m1fn --shared swept --piece-lines 128 --heartbeat 1 2> told
  swept/vectors.txt: 256 lines
  $ binade join swept | sed -n 100p
  0x6 0x3 0x7 -
  $ binade join swept --status | grep -c ' done '
  3";

#[cfg(feature = "train")]
pub(crate) const TRAIN_REPORT: &str = "\
Examples:
  $ binade train --steps 3 --seeds 1 --arith f32 --log a.jsonl 2> epochs > table
  $ binade train report a.jsonl | grep -A 1 ^arithmetic | cut -c 1-25
  arithmetic  training loss
  f32                2.3081";
