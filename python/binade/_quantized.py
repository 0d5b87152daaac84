"""Arrays as codes with scales."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._arrays import dtype_name, source, threads_for, values_of, wrapped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._format import Format
    from ._types import Modes


class Quantized:
    """An array as codes of a format and scales, from `Format.quantize`.

    An element is its code's value times its scales. `codes` are unsigned integers in the array's shape; `scale` says which elements
    share a scale (`tensor`, `channel:AXIS`, `block:N,FORMAT`, `block:ROWSxN,FORMAT`), `scales` are their values and `scale_codes` their
    codes, where they are not binary32; `tensor_scale` is the one over all block scales, where there is one (NVFP4), else 1. Codes and
    scales of a tensor of PyTorch are tensors.
    """

    def __init__(
        self,
        format: Format,
        scale: str,
        codes: NDArray[Any],
        scale_bits: NDArray[Any],
        tensor_scale: float | None,
        tensor: bool,
    ) -> None:
        """`scale_bits` are the codes of scales as 64-bit integers, in the shape of the scales."""
        import numpy as np

        self.format, self.scale = format, scale
        self.tensor_scale = 1.0 if tensor_scale is None else tensor_scale
        self._codes, self._scale_bits, self._over, self._tensor = codes, scale_bits, tensor_scale, tensor
        kept = scale.partition(",")[2]
        of_scales = type(format)(kept) if kept and kept != "f32" else None
        self.codes = wrapped(codes, tensor)
        self.scale_codes: Any = None
        if of_scales is None:
            self.scales = wrapped(scale_bits.astype(np.uint32).view(np.float32), tensor)
        else:
            narrow = scale_bits.astype(of_scales._code_type)
            self.scale_codes = wrapped(narrow, tensor)
            self.scales = wrapped(of_scales.decode(narrow), tensor)

    def dequantize(self, dtype: Any = "float32", *, threads: int | None = None) -> Any:
        """The values that the codes stand for: the exact product of code and scales, rounded once to `dtype`, to nearest even.

        `dtype` is float32, float64, float16 or bfloat16, of NumPy, ml_dtypes or PyTorch, or its name.
        """
        name = dtype_name(dtype)
        codes = self._codes
        threads = threads_for(codes.size, threads)
        bits = self.format.dequantize_array(
            codes.reshape(-1), codes.shape, self.scale, self._scale_bits.reshape(-1), self._over, name, threads
        )
        return values_of(bits, name, codes.shape, self._tensor)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its arrays."""
        return type(self), (self.format, self.scale, self._codes, self._scale_bits, self._over, self._tensor)

    def __repr__(self) -> str:
        return f"<Quantized {tuple(self._codes.shape)} in {self.format.name}, scale {self.scale}>"


def quantize(
    format: Format, values: Any, scale: str, scale_rule: str | None, modes: Modes, threads: int | None
) -> Quantized:
    """Codes and scales of an array, as the command makes them for files."""
    if scale == "none":
        raise ValueError("scale 'none' has no scales: encode() gives codes alone")
    given = source(values)
    modes["threads"] = threads_for(given.flat.size, threads)
    codes, scales, shape, name, over = format.quantize_array(
        given.flat, given.half, given.shape, scale, scale_rule, modes
    )
    codes = codes.astype(format._code_type, copy=False).reshape(given.shape)
    return Quantized(format, name, codes, scales.reshape(shape), over, given.tensor)
