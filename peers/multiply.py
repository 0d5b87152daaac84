"""Multiplies the matrices of two .npy files by a library, for `binade reveal`.

    binade reveal --input bf16 -- python peers/multiply.py torch-bf16 {a} {b} {out}

Kinds: numpy, numpy-dot, numpy-sum, numpy-einsum, torch, torch-bf16, torch-f16, torch-medium (binary32 matrices that oneDNN may multiply in
bf16), jax, jax-bf16, jax-f16. PyTorch runs on one thread.
"""

import os
import sys

import numpy as np


def numpy_kind(kind, a, b):
    if kind == "numpy":
        return a @ b
    if kind == "numpy-einsum":
        return np.einsum("ik,kj->ij", a, b)
    dot = np.dot if kind == "numpy-dot" else lambda x, y: np.sum(x * y)
    return np.array([[dot(row, np.ascontiguousarray(column)) for column in b.T] for row in a])


def torch_kind(kind, a, b):
    import torch

    torch.set_num_threads(1)
    if kind == "torch-medium":
        torch.set_float32_matmul_precision("medium")
    dtype = {"torch-bf16": torch.bfloat16, "torch-f16": torch.float16}.get(kind, torch.float32)
    a, b = (torch.from_numpy(x).to(dtype) for x in (a, b))
    return torch.matmul(a, b).float().numpy()


def jax_kind(kind, a, b):
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import jax.numpy as jnp

    dtype = {"jax-bf16": jnp.bfloat16, "jax-f16": jnp.float16}.get(kind, jnp.float32)
    multiply = jax.jit(lambda a, b: jnp.matmul(a, b, preferred_element_type=jnp.float32))
    return np.asarray(multiply(jnp.asarray(a, dtype), jnp.asarray(b, dtype)))


KINDS = {"numpy": numpy_kind, "torch": torch_kind, "jax": jax_kind}


def main():
    kind, a, b, out = sys.argv[1:]
    np.save(out, KINDS[kind.split("-")[0]](kind, np.load(a), np.load(b)))


if __name__ == "__main__":
    main()
