#!/usr/bin/env python3
"""Writes the programs of this folder: each as text (NAME.mlir), as a portable artifact of the newest version (NAME.mlirbc)
and, where asked for, of older versions, as plain bytecode, and as an export of JAX. Needs jax and flatbuffers."""

import io
import pathlib

import jax
import jax.numpy as jnp
from jax import export
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

HERE = pathlib.Path(__file__).parent
# Locations name this file, wherever it lies.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
S = jax.ShapeDtypeStruct


def f32(*shape):
    return S(shape, jnp.float32)


def scan(x):
    return jax.lax.scan(lambda c, a: (c + a, c * a), jnp.float32(0), x)


def loop(x):
    return jax.lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] * 2), (0, x))


def branches(i, x):
    return jax.lax.switch(i, [jnp.sin, lambda x: -x, lambda x: x * x], x)


def mlp(p, x, y):
    def loss(p):
        with jax.named_scope("layer"):
            h = jnp.tanh(x @ p["w"] + p["b"])
        return ((h - y) ** 2).mean()

    value, slope = jax.value_and_grad(loss)(p)
    return jax.tree.map(lambda a, b: a - 0.1 * b, p, slope), value


def convolution(x, k):
    y = jax.lax.conv_general_dilated(x, k, (2, 1), "SAME", rhs_dilation=(1, 2), dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 1, 1, 1), "VALID")


def sorts(x):
    return jnp.sort(x), jnp.argsort(x, descending=True), jax.lax.top_k(x, 2)


def indices(x, i):
    return x[i], x.at[i].add(1.0), jax.lax.dynamic_slice(x, (i[0], 0), (1, 2)), jnp.pad(x, ((1, 0), (0, 2)))


def linear(a, b):
    l = jnp.linalg.cholesky(a)
    return jax.lax.linalg.triangular_solve(l, b, left_side=True, lower=True), jnp.fft.rfft(b[:, 0])


def types(x):
    names = "bfloat16 float16 float8_e4m3fn float8_e5m2 float8_e4m3b11fnuz float8_e8m0fnu float4_e2m1fn int4 uint4 int8 uint32 bool complex64"
    return [x.astype(name) for name in names.split()]


def constants(x):
    parts = [jnp.array([1.5, jnp.nan, -jnp.inf]), jnp.arange(40.0), jnp.array([True, False, True]), jnp.array([-1, 7], jnp.int8)]
    return x + 0.1, [part + 0 if part.dtype != bool else ~part for part in parts]


def precisions(a, b):
    dot = lambda p: jnp.dot(a, b, precision=p)
    return dot("highest"), dot("BF16_BF16_F32_X3"), jnp.einsum("bij,bjk->bik", a[None], b[None])


def random(key):
    return jax.random.normal(jax.random.wrap_key_data(key), (3,)), jax.lax.reduce_precision(jnp.float32(3), 5, 10)


PROGRAMS = {
    "scan": (scan, [f32(5)]),
    "loop": (loop, [f32()]),
    "branches": (branches, [S((), jnp.int32), f32(3)]),
    "mlp": (mlp, [{"w": f32(4, 3), "b": f32(3)}, f32(2, 4), f32(2, 3)]),
    "convolution": (convolution, [f32(1, 6, 6, 2), f32(3, 2, 2, 4)]),
    "sorts": (sorts, [f32(6)]),
    "indices": (indices, [f32(4, 3), S((2,), jnp.int32)]),
    "linear": (linear, [f32(3, 3), f32(3, 2)]),
    "types": (types, [f32(3)]),
    "constants": (constants, [f32(2)]),
    "precisions": (precisions, [f32(2, 3), f32(3, 2)]),
    "random": (random, [S((2,), jnp.uint32)]),
}

# What JAX's functions do not write: every kind of property, and attributes that belong to no operation.
MODULES = {
    "properties": """
module @properties attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<2x2xf32>, %m: tensor<3x0xi1>) -> (tensor<4x2xf32>, tensor<2x2xf32>) {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<4x2xf32>
    %1 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = "stablehlo.exponential"(%1) <{result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %3 = "stablehlo.dot"(%2, %x) <{precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %4 = stablehlo.composite "test.doubled" %3 {composite_attributes = {times = 2 : i64}, decomposition = @doubled, version = 3 : i32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %5 = stablehlo.reverse %4, dims = [0] {test.note = dense<[1, 2]> : tensor<2xi64>} : tensor<2x2xf32>
    %6 = stablehlo.custom_call @Sharding(%5) {backend_config = "", mhlo.sharding = "{replicated}", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    stablehlo.custom_call @xla.sdy.FuncResultSharding(%6) {has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = []} : (tensor<2x2xf32>) -> ()
    %7 = stablehlo.constant dense<true> : tensor<3x0xi1>
    %8 = stablehlo.constant dense<[[true, false, true, true, false, false, true, true, true], [false, false, false, false, false, true, false, true, false]]> : tensor<2x9xi1>
    %9 = stablehlo.optimization_barrier %8 : tensor<2x9xi1>
    return %0, %6 : tensor<4x2xf32>, tensor<2x2xf32>
  }
  func.func private @doubled(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.add %x, %x : tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
""",
    "chlo": """
module @chlo {
  func.func public @main(%x: tensor<3x2xf32>, %c: tensor<2xf32>, %f: tensor<4xf8E4M3FN>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf8E4M3FN>, tensor<3x2xi1>) {
    %0:2 = chlo.scan(%x) inits (%c) dimension = 0 attributes {is_reverse = true} {
    ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
      %s = stablehlo.add %a, %b : tensor<2xf32>
      stablehlo.return %s, %s : tensor<2xf32>, tensor<2xf32>
    } : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
    %1:2 = chlo.top_k(%f, k = 2) : tensor<4xf8E4M3FN> -> (tensor<2xf8E4M3FN>, tensor<2xi32>)
    %2 = chlo.broadcast_compare %x, %c {broadcast_dimensions = array<i64: 1>, compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xi1>
    return %0#0, %0#1, %1#0, %2 : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf8E4M3FN>, tensor<3x2xi1>
  }
}
""",
    "narrow": """
module @narrow {
  func.func public @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.constant dense<[0x7F, 0xFF]> : tensor<2xf8E5M2>
    %1 = stablehlo.constant dense<[0x79, 0xFF]> : tensor<2xf8E4M3>
    %2 = stablehlo.constant dense<[1.5, 0xFF]> : tensor<2xf8E4M3FN>
    %3 = stablehlo.constant dense<[-2.0, 0x80]> : tensor<2xf8E5M2FNUZ>
    %4 = stablehlo.constant dense<[-2.0, 0x80]> : tensor<2xf8E4M3FNUZ>
    %5 = stablehlo.constant dense<[-2.0, 0x80]> : tensor<2xf8E4M3B11FNUZ>
    %6 = stablehlo.constant dense<[-2.0, 0xF1]> : tensor<2xf8E3M4>
    %7 = stablehlo.constant dense<[-2.0, 0x7]> : tensor<2xf4E2M1FN>
    %8 = stablehlo.constant dense<[-2.0, 0x1F]> : tensor<2xf6E2M3FN>
    %9 = stablehlo.constant dense<[-2.0, 0x1F]> : tensor<2xf6E3M2FN>
    %10 = stablehlo.constant dense<[2.0, 0xFF]> : tensor<2xf8E8M0FNU>
    %11 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    return %11 : tensor<2x2xf32>
  }
}
""",
}

VERSIONS = {"mlp": ["0.9.0", "0.10.0", "0.12.0", "0.14.0", "1.0.0", "1.13.7"], "branches": ["1.1.0"]}
PLAIN = ["mlp", "indices", "convolution"]


def write_plain(name, text):
    with jax._src.interpreters.mlir.make_ir_context() as context:
        file = io.BytesIO()
        ir.Module.parse(text, context).operation.write_bytecode(file)
    (HERE / f"{name}-plain.mlirbc").write_bytes(file.getvalue())


def main():
    for name, text in MODULES.items():
        (HERE / f"{name}.mlir").write_text(text.lstrip())
        write_plain(name, text)
        # CHLO has no portable artifacts.
        if name != "chlo":
            version = stablehlo.get_current_version()
            (HERE / f"{name}.mlirbc").write_bytes(stablehlo.serialize_portable_artifact_str(text, version))
    for name, (function, arguments) in PROGRAMS.items():
        exported = export.export(jax.jit(function), platforms=["cpu"])(*arguments)
        (HERE / f"{name}.mlirbc").write_bytes(exported.mlir_module_serialized)
        text = exported.mlir_module()
        (HERE / f"{name}.mlir").write_text(text.rstrip() + "\n")
        for version in VERSIONS.get(name, []):
            artifact = stablehlo.serialize_portable_artifact_str(text, version)
            (HERE / f"{name}-{version}.mlirbc").write_bytes(artifact)
        if name in PLAIN:
            write_plain(name, text)
        if name == "loop":
            (HERE / f"{name}.jax_export").write_bytes(exported.serialize())


if __name__ == "__main__":
    main()
