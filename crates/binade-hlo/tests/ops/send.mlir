// send: what the specification says of it, over element types and edges.

func.func private @sender(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = "stablehlo.send"(%x, %0) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return %x : tensor<3xf32>
}

func.func private @receiver() -> (tensor<3xf32>, !stablehlo.token) {
  %0 = stablehlo.after_all : !stablehlo.token
  %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return %1#0, %1#1 : tensor<3xf32>, !stablehlo.token
}

func.func @send() {
  %0 = stablehlo.constant dense<[1.5, -2.0, 0x7FC00000]> : tensor<3xf32>
  %1:3 = "interpreter.run_parallel"(%0) <{programs = [[@sender], [@receiver]]}> : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, !stablehlo.token)
  check.expect_eq_const %1#0, dense<[1.5, -2.0, 0x7FC00000]> : tensor<3xf32>
  check.expect_eq_const %1#1, dense<[1.5, -2.0, 0x7FC00000]> : tensor<3xf32>
  return
}
