// A product and a sign: binade hlo run examples/hlo/layer.mlir --arith h100:bf16 --against mi300x:bf16 --threshold 1e-10

func.func @main() -> tensor<4x8xf32> {
  %size = stablehlo.constant dense<0.03125> : tensor<f32>
  %i = stablehlo.iota dim = 1 : tensor<4x64xf32>
  %j = stablehlo.iota dim = 0 : tensor<4x64xf32>
  %s = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<f32>) -> tensor<4x64xf32>
  %t = stablehlo.multiply %i, %s : tensor<4x64xf32>
  %u = stablehlo.add %t, %j : tensor<4x64xf32>
  %x = stablehlo.sine %u : tensor<4x64xf32>
  %k = stablehlo.iota dim = 0 : tensor<64x8xf32>
  %l = stablehlo.iota dim = 1 : tensor<64x8xf32>
  %m = stablehlo.multiply %k, %l : tensor<64x8xf32>
  %w = stablehlo.cosine %m : tensor<64x8xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32> loc("layer0/dot_general")
  %z = stablehlo.sign %y : tensor<4x8xf32> loc("layer0/sign")
  return %z : tensor<4x8xf32>
}
