"""`Format`: a number format, with conversion of arrays to its codes and back."""

from __future__ import annotations

import enum
import html
from typing import TYPE_CHECKING, Any

from . import _binade
from ._arrays import is_torch, numpy_to_torch, source, threads_for, torch_to_numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._quantized import Quantized
    from ._types import Modes


class Flags(enum.IntFlag):
    """The status of a conversion: the union of what its elements raised."""

    INVALID = 1
    DENORMAL = 2
    OVERFLOW = 4
    UNDERFLOW = 8
    INEXACT = 16

    def __str__(self) -> str:
        """The letters that the command prints: i, d, o, u, x; - for none."""
        letters = "".join(letter for flag, letter in zip(Flags, "idoux") if flag in self)
        return letters or "-"


def formats() -> list[str]:
    """The name of every format. Those of Tesla's with a configurable bias take it as an option: `shp@bias=31`."""
    return _binade.format_names()


class Format(_binade.Format):
    """A number format by name, with options after an @: `binary8p3`, `float8_e4m3fnuz`, `cfloat8_1_4_3@bias=40`,
    `custom@width=6,precision=3,bias=3,infinities=no,nan=none,negative_zero=yes`.

    A name of P3109 4.0 (`binary8p3se`) has that report's meaning of saturation and signs of zero; every other has that
    of the interim report 0.9.1.

        >>> f = Format("float8_e5m2")
        >>> f.width, f.precision, f.max_finite
        (8, 3, 57344.0)
        >>> f.decode(f.encode([0.1, 1e6, -2.0]))
        array([ 0.09375,      inf, -2.     ], dtype=float32)
    """

    @staticmethod
    def custom(
        *,
        width: int,
        precision: int,
        bias: int,
        signed: bool = True,
        infinities: bool = True,
        nan: str = "ieee",
        negative_zero: bool = True,
        subnormals: str = "ieee",
    ) -> Format:
        """A format from its fields.

            >>> Format.custom(width=6, precision=3, bias=3, infinities=False, nan="none").max_finite
            28.0
        """

        def word(yes: bool) -> str:
            return "yes" if yes else "no"

        return Format(
            f"custom@width={width},precision={precision},bias={bias},signed={word(signed)},"
            f"infinities={word(infinities)},nan={nan},negative_zero={word(negative_zero)},subnormals={subnormals}"
        )

    def encode(
        self,
        values: Any,
        rounding: str = "nearest_even",
        saturation: str = "overflow",
        seed: int = 0,
        flags: bool = False,
        *,
        random_bits: int = 32,
        first: int = 0,
        threads: int | None = None,
    ) -> Any:
        """Codes of values, each rounded once.

        `values` is an array, a tensor, a list or a number of any floating-point type; a `str` is read exactly. Codes are
        unsigned integers of the least size that holds them (from PyTorch: uint8, or signed ones of the same bits), in an
        array of the same shape. With `flags`, the answer is (codes, `Flags`).

        `rounding` is nearest_even, nearest_away, toward_positive, toward_negative, toward_zero, to_odd, or stochastic,
        stochastic_b, stochastic_c, with `random_bits` bits from Philox: element i takes word `first` + i under `seed`.
        `saturation` is overflow, finite or max.

            >>> f = Format("float8_e4m3fn")
            >>> f.encode(1000.0), f.encode(1000.0, saturation="max")
            (127, 126)
            >>> codes, raised = f.encode([0.1, 1e-9], flags=True)
            >>> str(raised)
            'ux'
        """
        import numpy as np

        modes: Modes = {
            "rounding": rounding,
            "saturation": saturation,
            "random_bits": random_bits,
            "seed": seed,
            "first": first,
            "threads": 1,
        }
        if isinstance(values, str):
            code, bits = self.encode_text(values, modes)
            return (code, Flags(bits)) if flags else code
        given = source(values)
        modes["threads"] = threads_for(given.flat.size, threads)
        codes = np.empty(given.flat.shape, self._code_type)
        raised = self.encode_into(given.flat, given.half, codes, modes, flags)
        result = given.wrap(codes.reshape(given.shape))
        if given.shape == () and isinstance(result, np.ndarray):
            result = result.item() if type(values) in (int, float) else result[()]
        return result if raised is None else (result, Flags(raised))

    def quantize(
        self,
        values: Any,
        scale: str = "tensor",
        *,
        rounding: str = "nearest_even",
        saturation: str = "overflow",
        seed: int = 0,
        threads: int | None = None,
    ) -> Quantized:
        """Codes of values divided by scales, each quotient rounded once, as `binade quantize --scale` does.

        `scale` is `tensor`, `channel:AXIS`, `block:N` (OCP MX: a power of two in float8_e8m0fnu for each N elements of a row) or
        `block:N,FORMAT` (with `block:16,float8_e4m3fn` and elements of float4_e2m1fn that is NVFP4); `block:ROWSxN` has blocks of rows
        of the last two axes (`block:128x128,f32`). Scales are rounded upward, so
        that nothing is beyond the largest value, but for those of OCP MX, where less than a binade is clamped.

            >>> q = Format("float4_e2m1fn").quantize([0.1, -0.4, 3.0, 100.0], "block:2")
            >>> q.codes.tolist(), q.scales.tolist(), q.dequantize().tolist()
            ([3, 15, 0, 7], [0.0625, 16.0], [0.09375, -0.375, 0.0, 96.0])
        """
        from ._quantized import quantize

        options = ["--rounding", rounding, "--saturation", saturation, "--seed", str(seed)]
        return quantize(self, values, scale, options + (["--threads", str(threads)] if threads else []))

    def decode(self, codes: Any, dtype: Any = "float32", *, threads: int | None = None) -> Any:
        """Values of codes: an array of integers, or one of ml_dtypes' type for this format.

        `dtype` is float32, float64, float16 or bfloat16; values that it cannot hold are rounded to nearest even.

            >>> Format("binary8p3").decode([0x3c, 0x40])
            array([0.5, 1. ], dtype=float32)
        """
        import numpy as np

        tensor = is_torch(codes)
        array = torch_to_numpy(codes)[0] if tensor else np.asarray(codes)
        if array.dtype.kind not in "iu":
            if not self._is_of(array.dtype):
                raise TypeError(f"codes of {self.name} are integers, not {array.dtype}")
            array = np.ascontiguousarray(array).reshape(array.shape).view(self._code_type)
        elif array.dtype != self._code_type:
            array = self._narrowed(array)
        shape = array.shape
        array = np.ascontiguousarray(array).reshape(-1)
        name = str(dtype).removeprefix("torch.") if not isinstance(dtype, type) else np.dtype(dtype).name
        half = {"float16": "f16", "bfloat16": "bf16"}.get(name)
        if half is None and name not in ("float32", "float64"):
            raise TypeError(f"dtype {name}: float32, float64, float16 and bfloat16 can be decoded to")
        values: NDArray[Any] = np.empty(array.shape, np.uint16 if half else np.dtype(name))
        self.decode_into(array, values, half, threads_for(array.size, threads))
        values = values.reshape(shape)
        if tensor:
            return _torch_values(values, half)
        if half == "f16":
            values = values.view(np.float16)
        elif half == "bf16":
            values = values.view(_bfloat16())
        return values[()] if shape == () else values

    def round(
        self,
        values: Any,
        rounding: str = "nearest_even",
        saturation: str = "overflow",
        seed: int = 0,
        *,
        random_bits: int = 32,
        first: int = 0,
        threads: int | None = None,
    ) -> Any:
        """Values as they become in this format, in the type they came in: `decode(encode(values))`.

            >>> Format("bf16").round(0.1)
            0.10009765625
        """
        given = source(values)
        codes = self.encode(
            values, rounding, saturation, seed, random_bits=random_bits, first=first, threads=threads
        )
        dtype = given.dtype if given.half or str(given.dtype).endswith(("float32", "float64")) else "float32"
        rounded = self.decode(codes, str(dtype), threads=threads)
        return rounded.item() if type(values) in (int, float) else rounded

    @property
    def _code_type(self) -> Any:
        import numpy as np

        types = ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64))
        return next(kind for bits, kind in types if self.width <= bits)

    def _is_of(self, dtype: Any) -> bool:
        """Whether arrays of this dtype (one of ml_dtypes') hold this format's codes, one an element."""
        try:
            named = Format(dtype.name)
        except ValueError:
            return False
        return named == self and bool(dtype.itemsize == self._code_type(0).itemsize)

    def _narrowed(self, array: NDArray[Any]) -> NDArray[Any]:
        """Integers as this format's codes; two's complement counts where the size is that of the codes."""
        kind = self._code_type
        if array.dtype.itemsize == kind(0).itemsize:
            return array.view(kind)
        if array.size and (array.min() < 0 or array.max() >= 1 << self.width):
            worst = array.min() if array.min() < 0 else array.max()
            raise ValueError(f"{worst} is not a code of {self.name}, which has {self.width} bits")
        return array.astype(kind)

    def __repr__(self) -> str:
        return f"Format({self.name!r})"

    def _repr_html_(self) -> str:
        """Parameters, and the codes of small formats, for notebooks."""
        facts = {
            "width": self.width,
            "precision": self.precision,
            "exponent bits": self.exponent_bits,
            "bias": self.bias,
            "range of exponents": f"{self.emin} to {self.emax}",
            "largest finite": self.max_finite,
            "smallest normal": self.min_normal,
            "smallest subnormal": self.min_subnormal,
            "infinities": "yes" if self.infinities else "no",
            "−0": "yes" if self.negative_zero else "no",
            "finite values": self.finite_values,
        }
        rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in facts.items())
        parts = [f"<table><caption>{html.escape(self.name)}</caption>{rows}</table>"]
        if self.width <= 8:
            codes = "\n".join(html.escape(self.row(code)) for code in range(1 << self.width))
            parts.append(f"<details><summary>All {1 << self.width} codes</summary><pre>{codes}</pre></details>")
        return "".join(parts)


def _bfloat16() -> Any:
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        raise TypeError("NumPy has no bfloat16 of its own: install ml_dtypes") from None
    return bfloat16


def _torch_values(values: NDArray[Any], half: str | None) -> Any:
    import sys

    import numpy as np

    torch = sys.modules["torch"]
    if half == "f16":
        return torch.from_numpy(values.view(np.float16))
    if half == "bf16":
        return torch.from_numpy(values.view(np.int16)).view(torch.bfloat16)
    return numpy_to_torch(values)
