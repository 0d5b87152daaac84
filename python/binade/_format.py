"""`Format`: a number format, with conversion of arrays to its codes and back."""

from __future__ import annotations

import enum
import html
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _binade
from ._arrays import (
    DECODED,
    dtype_name,
    is_torch,
    native,
    seed_of,
    small_codes,
    source,
    threads_for,
    torch_to_numpy,
    values_of,
    within,
    wrapped,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ._quantized import Quantized
    from ._types import FloatT, Modes, TensorT


class Flags(enum.IntFlag):
    """The status of a conversion: the union of the flags of its elements."""

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

    @overload
    def encode(  # type: ignore[overload-overlap]
        self, values: np.generic, rounding: str = ..., saturation: str = ..., seed: int = ..., flags: Literal[False] = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> np.unsignedinteger[Any]: ...
    @overload
    def encode(  # type: ignore[overload-overlap]
        self, values: str | float, rounding: str = ..., saturation: str = ..., seed: int = ..., flags: Literal[False] = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> int: ...
    @overload
    def encode(
        self, values: TensorT, rounding: str = ..., saturation: str = ..., seed: int = ..., flags: Literal[False] = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> TensorT: ...
    @overload
    def encode(
        self, values: ArrayLike, rounding: str = ..., saturation: str = ..., seed: int = ..., flags: Literal[False] = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> NDArray[np.unsignedinteger[Any]]: ...
    @overload
    def encode(  # type: ignore[overload-overlap]
        self, values: np.generic, rounding: str = ..., saturation: str = ..., seed: int = ...,
        *, flags: Literal[True], random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> tuple[np.unsignedinteger[Any], Flags]: ...
    @overload
    def encode(  # type: ignore[overload-overlap]
        self, values: str | float, rounding: str = ..., saturation: str = ..., seed: int = ...,
        *, flags: Literal[True], random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> tuple[int, Flags]: ...
    @overload
    def encode(
        self, values: TensorT, rounding: str = ..., saturation: str = ..., seed: int = ...,
        *, flags: Literal[True], random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> tuple[TensorT, Flags]: ...
    @overload
    def encode(
        self, values: ArrayLike, rounding: str = ..., saturation: str = ..., seed: int = ...,
        *, flags: Literal[True], random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> tuple[NDArray[np.unsignedinteger[Any]], Flags]: ...
    @overload
    def encode(
        self, values: Any, rounding: str = ..., saturation: str = ..., seed: int = ..., flags: bool = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> Any: ...
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
        random rounds inexact values up or down by a fair coin, the word's highest bit.
        `saturation` is overflow, finite or max.

            >>> f = Format("float8_e4m3fn")
            >>> f.encode(1000.0), f.encode(1000.0, saturation="max")
            (127, 126)
            >>> codes, raised = f.encode([0.1, 1e-9], flags=True)
            >>> str(raised)
            'ux'
        """
        import numpy as np

        modes = _modes(rounding, saturation, seed, random_bits, first)
        if isinstance(values, str):
            code, bits = self.encode_text(values, modes)
            return (code, Flags(bits)) if flags else code
        given = source(values)
        modes["threads"] = threads_for(given.flat.size, threads)
        codes = np.empty(given.flat.shape, self._code_type)
        raised = self.encode_into(given.flat, given.half, codes, modes, flags)
        result = wrapped(codes.reshape(given.shape), given.tensor)
        if given.shape == () and isinstance(result, np.ndarray):
            result = result.item() if type(values) in (int, float) else result[()]
        return result if raised is None else (result, Flags(raised))

    def quantize(
        self,
        values: Any,
        scale: str,
        rounding: str = "nearest_even",
        saturation: str = "overflow",
        seed: int = 0,
        *,
        scale_rule: str | None = None,
        random_bits: int = 32,
        threads: int | None = None,
    ) -> Quantized:
        """Codes of values divided by scales, each quotient rounded once, as `binade quantize --scale` does.

        `scale` is `tensor`, `channel:AXIS`, `block:N` (OCP MX: a power of two in float8_e8m0fnu for each N elements of a row) or
        `block:N,FORMAT` (with `block:16,float8_e4m3fn` and elements of float4_e2m1fn that is NVFP4); `block:ROWSxN` has blocks of rows
        of the last two axes (`block:128x128,f32`). The name of a block format of these elements stands for its blocks and its rule:
        `mxfp4` and `nvfp4` of float4_e2m1fn, `mxfp8_e4m3` and `deepseek_fp8` of float8_e4m3fn, and so on, with @rule=NAME for another.

        `scale_rule` says how a scale follows from the largest magnitude m of its elements and the largest value M of the format:
        `floor`, OCP MX's, `nearest`, m / M rounded to nearest even, `rceil`, m / M rounded upward, or `even`, `ceil`, `max_abs_finite`.
        Without it, the rule is `floor` for scales that are powers of two, `nearest` for scales that have a tensor's scale over them
        (NVFP4), which take no other but `rceil`, and `rceil` for all others. But for `rceil`, elements may lie beyond M, and
        become M.

        Scales follow from finite elements. An infinity or NaN never becomes a number. It is the element format's NaN, or the
        infinity that it was where the format has infinities. Where the format has neither, the scale is NaN, and with it every
        element that has this scale (OCP MX §6.3), with code 0; where scales have no NaN, either, it is a `ValueError`.

            >>> q = Format("float4_e2m1fn").quantize([0.1, -0.4, 3.0, 100.0], "block:2")
            >>> q.codes.tolist(), q.scales.tolist(), q.dequantize().tolist()
            ([3, 15, 0, 7], [0.0625, 16.0], [0.09375, -0.375, 0.0, 96.0])
        """
        from ._quantized import quantize

        modes = _modes(rounding, saturation, seed, random_bits, 0)
        return quantize(self, values, scale, scale_rule, modes, threads)

    @overload
    def decode(self, codes: TensorT, dtype: Any = ..., *, threads: int | None = ...) -> TensorT: ...
    @overload
    def decode(  # type: ignore[overload-overlap]
        self, codes: int | np.integer[Any], dtype: Any = ..., *, threads: int | None = ...
    ) -> np.floating[Any]: ...
    @overload
    def decode(
        self, codes: ArrayLike, dtype: Literal["float32"] = ..., *, threads: int | None = ...
    ) -> NDArray[np.float32]: ...
    @overload
    def decode(
        self, codes: ArrayLike, dtype: Literal["float64"], *, threads: int | None = ...
    ) -> NDArray[np.float64]: ...
    @overload
    def decode(self, codes: ArrayLike, dtype: Any, *, threads: int | None = ...) -> NDArray[Any]: ...
    def decode(self, codes: Any, dtype: Any = "float32", *, threads: int | None = None) -> Any:
        """Values of codes: an array of integers, or one of ml_dtypes' or PyTorch's type for this format.

        `dtype` is float32, float64, float16 or bfloat16; values that it cannot hold are rounded to nearest even. Integers that
        are not codes are a `ValueError`; two's complement counts where integers have the size of codes.

            >>> Format("binary8p3").decode([0x3c, 0x40])
            array([0.5, 1. ], dtype=float32)
        """
        import numpy as np

        tensor = is_torch(codes)
        small = small_codes(codes) if tensor else None
        if small is not None:
            array, of = small
            if Format(of) != self:
                raise TypeError(f"codes of {self.name} are integers, not {of}")
        else:
            array = torch_to_numpy(codes)[0] if tensor else native(np.asarray(codes))
        if array.dtype.kind not in "iu":
            if not self._is_of(array.dtype):
                raise TypeError(f"codes of {self.name} are integers, not {array.dtype}")
            array = np.ascontiguousarray(array).reshape(array.shape).view(self._code_type)
        array = self._narrowed(array)
        shape = array.shape
        array = np.ascontiguousarray(array).reshape(-1)
        name = dtype_name(dtype)
        half = DECODED[name]
        values: NDArray[Any] = np.empty(array.shape, np.uint16 if half else np.dtype(name))
        self.decode_into(array, values, half, threads_for(array.size, threads))
        return values_of(values, name, shape, tensor)

    @overload
    def round(  # type: ignore[overload-overlap]
        self, values: FloatT, rounding: str = ..., saturation: str = ..., seed: int = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> FloatT: ...
    @overload
    def round(  # type: ignore[overload-overlap]
        self, values: str | float, rounding: str = ..., saturation: str = ..., seed: int = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> float: ...
    @overload
    def round(
        self, values: TensorT, rounding: str = ..., saturation: str = ..., seed: int = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> TensorT: ...
    @overload
    def round(
        self, values: NDArray[FloatT], rounding: str = ..., saturation: str = ..., seed: int = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> NDArray[FloatT]: ...
    @overload
    def round(
        self, values: ArrayLike, rounding: str = ..., saturation: str = ..., seed: int = ...,
        *, random_bits: int = ..., first: int = ..., threads: int | None = ...,
    ) -> NDArray[Any]: ...
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

        Integers become binary64, 8-bit and narrower floating-point numbers binary32, and text, which is read exactly, a `float`.

            >>> Format("bf16").round(0.1), Format("bf16").round("0.1")
            (0.10009765625, 0.10009765625)
        """
        codes = self.encode(
            values, rounding, saturation, seed, random_bits=random_bits, first=first, threads=threads
        )
        if isinstance(values, str):
            return self.decode(codes, "float64").item()
        given = source(values)
        name = str(given.dtype).removeprefix("torch.")
        rounded = self.decode(codes, name if name in DECODED else "float32", threads=threads)
        return rounded.item() if type(values) in (int, float) else rounded

    @property
    def _code_type(self) -> Any:
        import numpy as np

        types = ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64))
        return next(kind for bits, kind in types if self.width <= bits)

    def _is_of(self, dtype: Any) -> bool:
        """Returns true if elements of this dtype, one of ml_dtypes', are codes of this format."""
        try:
            named = Format(dtype.name)
        except ValueError:
            return False
        return named == self and bool(dtype.itemsize == self._code_type(0).itemsize)

    def _narrowed(self, array: NDArray[Any]) -> NDArray[Any]:
        """Integers as this format's codes. Negative ones are two's complement if the integers have the size of the codes."""
        kind = self._code_type
        bits = 8 * kind(0).itemsize
        codes = array.view(kind) if array.dtype.itemsize * 8 == bits else array
        narrow = self.width < bits or codes.dtype != kind
        if narrow and codes.size and (codes.min() < 0 or codes.max() >= 1 << self.width):
            wrong = codes.min() if codes.min() < 0 else codes.max()
            raise ValueError(f"{wrong} is not a code of {self.name}, which has {self.width} bits")
        return codes.astype(kind, copy=False)

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


def _modes(rounding: str, saturation: str, seed: int, random_bits: int, first: int) -> Modes:
    return {
        "rounding": rounding,
        "saturation": saturation,
        "random_bits": within("random_bits", random_bits, 1, 32),
        "seed": seed_of(seed),
        "first": within("first", first, 0, 2**64 - 1),
        "threads": 1,
    }
