"""Machine-learning arithmetic in any narrow number format, bit for bit.

    >>> import binade
    >>> e4m3 = binade.Format("float8_e4m3fn")
    >>> e4m3.encode([1.0, -0.3, 464.0, 1e9])
    array([ 56, 170, 126, 127], dtype=uint8)
    >>> e4m3.round([1.0, -0.3])
    array([ 1.    , -0.3125])
    >>> binade.dot([1.0] * 300, [1.0] * 300, arith="bf16:bf16")
    256.0

Formats, roundings, saturations and operators have the names that the command `binade` gives them; `binade formats` lists
formats. NumPy is imported when the first array is converted, PyTorch and JAX only by `binade.torch` and `binade.jax`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _distribution as _distribution  # Raises ImportError if the package's folder is not its own.
from ._binade import __version__
from ._command import BinadeError, compare, quantize_file, run_command
from ._format import Flags, Format, formats
from ._products import Operator, compare_units, convolution, dot, matmul, multiply_add
from ._quantized import Quantized
from ._reveal import Revealed, reveal

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "BinadeError",
    "Flags",
    "Format",
    "Operator",
    "Quantized",
    "Revealed",
    "__version__",
    "compare",
    "compare_units",
    "convolution",
    "dot",
    "formats",
    "jit",
    "matmul",
    "multiply_add",
    "quantize_file",
    "reveal",
    "run_command",
]


def jit(function: Callable[..., Any] | None = None, arith: str | None = None, **options: Any) -> Callable[..., Any]:
    """`jax.jit` on binade's device, with the function's arithmetic, also as a decorator: see `binade.jax.jit`."""
    from .jax import jit as of_jax

    jitted: Callable[..., Any] = of_jax(function, arith=arith, **options)
    return jitted
