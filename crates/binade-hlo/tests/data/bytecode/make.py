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

VERSIONS = {"mlp": ["0.9.0", "0.10.0", "0.12.0", "0.14.0", "1.0.0", "1.13.7"], "branches": ["1.1.0"]}
PLAIN = ["mlp", "indices", "convolution"]


def main():
    for name, (function, arguments) in PROGRAMS.items():
        exported = export.export(jax.jit(function), platforms=["cpu"])(*arguments)
        (HERE / f"{name}.mlirbc").write_bytes(exported.mlir_module_serialized)
        text = exported.mlir_module()
        (HERE / f"{name}.mlir").write_text(text.rstrip() + "\n")
        for version in VERSIONS.get(name, []):
            artifact = stablehlo.serialize_portable_artifact_str(text, version)
            (HERE / f"{name}-{version}.mlirbc").write_bytes(artifact)
        if name in PLAIN:
            with jax._src.interpreters.mlir.make_ir_context() as context:
                file = io.BytesIO()
                ir.Module.parse(text, context).operation.write_bytecode(file)
            (HERE / f"{name}-plain.mlirbc").write_bytes(file.getvalue())
        if name == "loop":
            (HERE / f"{name}.jax_export").write_bytes(exported.serialize())


if __name__ == "__main__":
    main()
