// Groups of processes along the axes of a mesh, given in place or by the name of one of the module.

// Groups along a part of a mesh's axis: of processes 0 to 7 on a 4×2 mesh, those that differ in the upper half of the
// first axis, then in the second axis.
func.func private @along_axes(%x: tensor<1xi64>) -> tensor<4xi64> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 4>, #stablehlo.mesh_axis<name = "b", size = 2>]>, axes = [#stablehlo.axis_ref<name = "b">, #stablehlo.axis_ref<name = "a", sub_axis_info = (1)2>]>}> : (tensor<1xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

func.func @mesh() {
  %x = stablehlo.iota dim = 0 : tensor<8xi64>
  %0 = stablehlo.slice %x [0:1] : (tensor<8xi64>) -> tensor<1xi64>
  %1 = stablehlo.slice %x [1:2] : (tensor<8xi64>) -> tensor<1xi64>
  %2 = stablehlo.slice %x [2:3] : (tensor<8xi64>) -> tensor<1xi64>
  %3 = stablehlo.slice %x [3:4] : (tensor<8xi64>) -> tensor<1xi64>
  %4 = stablehlo.slice %x [4:5] : (tensor<8xi64>) -> tensor<1xi64>
  %5 = stablehlo.slice %x [5:6] : (tensor<8xi64>) -> tensor<1xi64>
  %6 = stablehlo.slice %x [6:7] : (tensor<8xi64>) -> tensor<1xi64>
  %7 = stablehlo.slice %x [7:8] : (tensor<8xi64>) -> tensor<1xi64>
  %r:8 = "interpreter.run_parallel"(%0, %1, %2, %3, %4, %5, %6, %7) <{programs = [[@along_axes], [@along_axes], [@along_axes], [@along_axes], [@along_axes], [@along_axes], [@along_axes], [@along_axes]]}> : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
  check.expect_eq_const %r#0, dense<[0, 4, 1, 5]> : tensor<4xi64>
  check.expect_eq_const %r#5, dense<[0, 4, 1, 5]> : tensor<4xi64>
  check.expect_eq_const %r#7, dense<[2, 6, 3, 7]> : tensor<4xi64>
  return
}

// -----

sdy.mesh @grid = <["a"=2, "b"=2]>
sdy.mesh @turned = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>

func.func private @along_a(%x: tensor<1xi64>) -> tensor<2xi64> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @grid, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<1xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

func.func @named() {
  %x = stablehlo.iota dim = 0 : tensor<4xi64>
  %0 = stablehlo.slice %x [0:1] : (tensor<4xi64>) -> tensor<1xi64>
  %1 = stablehlo.slice %x [1:2] : (tensor<4xi64>) -> tensor<1xi64>
  %2 = stablehlo.slice %x [2:3] : (tensor<4xi64>) -> tensor<1xi64>
  %3 = stablehlo.slice %x [3:4] : (tensor<4xi64>) -> tensor<1xi64>
  %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@along_a], [@along_a], [@along_a], [@along_a]]}> : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %r#0, dense<[0, 2]> : tensor<2xi64>
  check.expect_eq_const %r#1, dense<[1, 3]> : tensor<2xi64>
  check.expect_eq_const %r#2, dense<[0, 2]> : tensor<2xi64>
  check.expect_eq_const %r#3, dense<[1, 3]> : tensor<2xi64>
  return
}

func.func private @along_b(%x: tensor<1xi64>) -> tensor<2xi64> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @turned, axes = [#stablehlo.axis_ref<name = "b">]>}> : (tensor<1xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

func.func @numbered() {
  %x = stablehlo.iota dim = 0 : tensor<4xi64>
  %0 = stablehlo.slice %x [0:1] : (tensor<4xi64>) -> tensor<1xi64>
  %1 = stablehlo.slice %x [1:2] : (tensor<4xi64>) -> tensor<1xi64>
  %2 = stablehlo.slice %x [2:3] : (tensor<4xi64>) -> tensor<1xi64>
  %3 = stablehlo.slice %x [3:4] : (tensor<4xi64>) -> tensor<1xi64>
  %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) <{programs = [[@along_b], [@along_b], [@along_b], [@along_b]]}> : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %r#0, dense<[1, 0]> : tensor<2xi64>
  check.expect_eq_const %r#1, dense<[1, 0]> : tensor<2xi64>
  check.expect_eq_const %r#2, dense<[3, 2]> : tensor<2xi64>
  check.expect_eq_const %r#3, dense<[3, 2]> : tensor<2xi64>
  return
}

// -----

"builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=1]>, sym_name = "one"}> : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "generic"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @one, axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<2xi64>) -> tensor<2xi64>
    "check.expect_eq"(%0, %1) : (tensor<2xi64>, tensor<2xi64>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
