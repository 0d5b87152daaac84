"""The relative error of a binary32 matrix product, to be run under another arithmetic.

    binade run --arith bf16:bf16 -- python examples/run/matmul.py [SIZE]
"""

import sys

import numpy as np

size = int(sys.argv[1]) if len(sys.argv) > 1 else 256
random = np.random.Generator(np.random.PCG64(1))
a, b = (random.standard_normal((size, size)).astype(np.float32) for _ in "ab")
# In extended precision, which has no fused multiply-add that could be replaced.
exact = np.einsum("ik,kj->ij", a.astype(np.longdouble), b.astype(np.longdouble))
error = np.linalg.norm((a @ b - exact).astype(float)) / np.linalg.norm(exact.astype(float))
print(f"relative error of a {size}×{size} product: {error:.2e}")
