"""Arrays as codes with scales."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._arrays import source
from ._command import BinadeError, run_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ._format import Format


class Quantized:
    """An array as codes of a format and scales: what `Format.quantize` gives.

    An element is its code's value times its scales. `codes` are unsigned integers in the array's shape; `scale` says who shares a
    scale (`tensor`, `channel:AXIS`, `block:N,FORMAT`, `block:ROWSxN,FORMAT`), `scales` are their values and `scale_codes` their codes,
    where they are not binary32; `tensor_scale` is the one over all block scales, where there is one (NVFP4), else 1.
    """

    def __init__(
        self,
        format: Format,
        scale: str,
        codes: NDArray[Any],
        scales: NDArray[Any],
        scale_codes: NDArray[Any] | None,
        tensor_scale: float,
        wrap: Callable[[NDArray[Any]], Any],
    ) -> None:
        self.format, self.scale, self.tensor_scale = format, scale, tensor_scale
        self.codes, self.scales = wrap(codes), wrap(scales)
        self.scale_codes = None if scale_codes is None else wrap(scale_codes)
        self._arrays, self._wrap = (codes, scales), wrap

    def dequantize(self, dtype: Any = "float32") -> Any:
        """The values that the codes stand for: the exact product of code and scales, rounded once to `dtype`."""
        import numpy as np

        codes, scales = self._arrays
        # Exact: the significands of a code, a block's scale and a binary32 scale have 53 bits together at most.
        factors = scales.astype(np.float64) * self.tensor_scale
        if self.scale.startswith("block:") and codes.ndim:
            *rows, size = self.scale.removeprefix("block:").split(",")[0].split("x")
            factors = np.repeat(factors, int(size), axis=-1)[..., : codes.shape[-1]]
            if rows and codes.ndim > 1:
                factors = np.repeat(factors, int(rows[0]), axis=-2)[..., : codes.shape[-2], :]
        return self._wrap((self.format.decode(codes, "float64") * factors).astype(dtype))

    def __repr__(self) -> str:
        return f"<Quantized {tuple(self.codes.shape)} in {self.format.name}, scale {self.scale}>"


def quantize(format: Format, values: Any, scale: str, options: list[str]) -> Quantized:
    """The quantisation that the command does."""
    import numpy as np

    given = source(values)
    if scale == "none":
        raise ValueError("scale 'none' has no scales: encode() gives codes alone")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        array = given.flat.view(np.float16) if given.half == "f16" else given.flat
        np.save(folder / "in.npy", array.reshape(given.shape))
        words: list[str | Path] = ["quantize", folder / "in.npy", folder / "out.npy", "--format", format.name]
        words += ["--scale", scale, "--input-format", "bf16"] if given.half == "bf16" else ["--scale", scale]
        try:
            run_command(*words, *options)
        except BinadeError as error:
            raise ValueError(str(error)) from None
        said = json.loads((folder / "out.binade.json").read_text(encoding="utf-8"))
        codes, scales = np.load(folder / "out.npy"), np.load(folder / "out.scale.npy")
        over = folder / "out.tensor_scale.npy"
        tensor_scale = float(np.load(over)) if over.exists() else 1.0
    scale_codes = None
    if scales.dtype.kind == "u":
        scale_codes, scales = scales, type(format)(said["scale"].split(",", 1)[1]).decode(scales)
    elif scales.dtype != np.float32:
        scales = scales.astype(np.float32)
    if codes.dtype.kind == "f":
        codes = codes.view(f"u{codes.dtype.itemsize}")
    return Quantized(format, said["scale"], codes, scales, scale_codes, tensor_scale, given.wrap)
