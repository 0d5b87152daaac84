"""Exports the program of StableHLO's RFC on float8_e5m2fnuz: x = arange(16), and x @ x.

    python examples/hlo/export.py
    binade hlo run examples/hlo/rfc.mlir --output-dir out
    binade decode float8_e5m2fnuz 0x69

writes rfc.mlir and the same as a portable artifact, rfc.mlirbc, beside this file, x as out/out0.npy and 1280 as out/out1.npy, as codes.
"""

from pathlib import Path

import jax
import jax.numpy as jnp
from jaxlib.mlir.dialects import stablehlo


def rfc():
    x = jnp.arange(16, dtype=jnp.float8_e5m2fnuz)
    return x, x @ x


text = jax.jit(rfc).lower().as_text()
Path(__file__).with_name("rfc.mlir").write_text(text)
Path(__file__).with_name("rfc.mlirbc").write_bytes(stablehlo.serialize_portable_artifact_str(text, "1.0.0"))
