// sdy.reshard says where the parts of a value go, not what they are.

module {
  sdy.mesh @mesh = <["x"=2, "y"=1]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func @reshard_changes_nothing() {
    %0 = stablehlo.constant dense<[[0.5, -3.0], [0x7F, 2.0]]> : tensor<2x2xf8E4M3FN>
    %1 = sdy.reshard %0 <@mesh, [{"y"}, {"x", ?}]> : tensor<2x2xf8E4M3FN>
    %2 = sdy.reshard %1 <@mesh, [{}, {}]> {note = "x"} : tensor<2x2xf8E4M3FN>
    check.expect_almost_eq_const %2, dense<[[0.5, -3.0], [0x7F, 2.0]]> : tensor<2x2xf8E4M3FN>
    return
  }
}
