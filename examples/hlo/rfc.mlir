module @jit_rfc attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<16xf8E5M2FNUZ> {jax.result_info = "result[0]"}, tensor<f8E5M2FNUZ> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<16xf8E5M2FNUZ>
    %1 = stablehlo.dot_general %0, %0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16xf8E5M2FNUZ>, tensor<16xf8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
    return %0, %1 : tensor<16xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>
  }
}
