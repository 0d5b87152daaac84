"""The arithmetic of a function that multiplies matrices, by probing it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ._arrays import is_torch, source, within
from ._binade import reveal_function

if TYPE_CHECKING:
    from collections.abc import Callable


class Revealed:
    """The arithmetic that `reveal` found. `str` of it is a report; `json` has the properties by name."""

    def __init__(self, text: str, document: str, tree: str | None) -> None:
        self._text, self._document = text, json.loads(document)
        self.tree = tree
        """The tree of additions as an indented outline; None if it is not known."""

    @property
    def order(self) -> str | None:
        """The order of summation in words; None if no probe decides it."""
        order: str | None = self._document["order"]
        return order

    @property
    def fits(self) -> list[str]:
        """The matrix units, operators and orders whose results equal all random products."""
        return [fit["name"] for fit in self._document["fits"]]

    def json(self) -> dict[str, Any]:
        """The JSON of `binade reveal --json`. A property that no probe decides is None; `undecided` has the reasons."""
        document: dict[str, Any] = json.loads(json.dumps(self._document))
        return document

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Revealed(order={self.order!r}, fits={self.fits!r})"


def reveal(
    f: Callable[[Any, Any], Any],
    input: str = "f32",
    size: tuple[int, int, int] = (64, 64, 64),
    convert: Callable[[Any], Any] | None = None,
) -> Revealed:
    """Finds how `f` multiplies matrices: its order of summation, the bits that it keeps, and the matrix unit that fits.

    `f(a, b)` gets NumPy arrays of shapes (M, K) and (K, N), where `size` is (M, K, N), and returns their product. It is called some
    tens of times. The arrays are f32 (f64 for wider formats), and their values are numbers of the format `input`, so that a
    conversion to that type is exact. `convert` is applied to both first, as for functions of PyTorch or JAX:

        reveal(torch.matmul, input="bf16", convert=lambda x: torch.from_numpy(x).to(torch.bfloat16))
        reveal(jax.jit(jax.numpy.matmul), input="bf16", convert=lambda x: jax.numpy.asarray(x, dtype=jax.numpy.bfloat16))

    The product may be any array of float16, bfloat16, float32 or float64.

        >>> import binade, numpy
        >>> found = binade.reveal(lambda a, b: binade.matmul(a, b, "bf16:f32", order="lanes:4"), input="bf16", size=(16, 32, 16))
        >>> found.order
        '4 lanes (i mod 4), added in order; a lane is summed one after another'
        >>> found.fits[0]
        'bf16:f32, lanes:4'
    """
    import numpy as np

    if not callable(f):
        raise TypeError(f"f={f!r} cannot be called: it must be a function of two matrices that returns their product")
    try:
        rows, depth, columns = size
    except (TypeError, ValueError):
        raise ValueError(f"size={size!r} must be (M, K, N): rows of A, products of a sum, columns of B") from None
    rows, columns = within("M", rows, 1, 4096), within("N", columns, 1, 4096)
    depth = within("K", depth, 2, 4096)

    def multiply(a: Any, b: Any) -> tuple[str, Any]:
        a, b = a.reshape(rows, depth), b.reshape(depth, columns)
        product = f(convert(a), convert(b)) if convert else f(a, b)
        if not is_torch(product):
            product = np.asarray(product)
        elements = source(product)
        if elements.shape != (rows, columns):
            raise ValueError(f"f returned an array of shape {tuple(elements.shape)}: must be {(rows, columns)}, rows of a and columns of b")
        words = elements.flat
        kinds = {"f16": "float16", "bf16": "bfloat16", None: words.dtype.name}
        return kinds[elements.half], words.view(f"u{words.itemsize}").astype(np.uint64)

    return Revealed(*reveal_function(multiply, input, (rows, depth, columns)))
