"""Arrays of every library as flat NumPy arrays, and back."""

from __future__ import annotations

import operator
import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Conversions worth a thread.
CONVERSIONS = 1 << 18


class Source(NamedTuple):
    """Values to compute on, with the kind and the shape that results have for the caller."""

    # Flat, contiguous and of native byte order: binary32, binary64, or the words of 16-bit values.
    flat: NDArray[Any]
    # The type of the words: "bf16", "f16", or None.
    half: str | None
    shape: tuple[int, ...]
    # The dtype that results of the same kind have.
    dtype: Any
    # True if results are tensors of PyTorch.
    tensor: bool


def threads_for(work: int, threads: int | None, worth: int = CONVERSIONS) -> int:
    """The number of threads that the caller asks for. By default one for each processor, if each has enough work."""
    if threads is not None:
        return within("threads", threads, 1, 1024)
    return min(os.cpu_count() or 1, max(1, work // worth))


def within(name: str, value: Any, least: int, most: int) -> int:
    """Returns an integer argument, or raises ValueError if it is out of range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} is not an integer") from None
    if not least <= number <= most:
        raise ValueError(f"{name}={number} is not {least} to {most}")
    return number


def seed_of(seed: Any) -> int:
    """A seed of Philox."""
    return within("seed", seed, 0, 2**64 - 1)


def is_torch(array: Any) -> bool:
    """Returns true for a tensor of PyTorch, without importing PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def native(array: NDArray[Any]) -> NDArray[Any]:
    """The array aligned and in native byte order, as the extension module needs it."""
    if array.dtype.isnative:
        return array if array.flags.aligned else array.copy()
    if array.dtype.fields is not None:
        raise TypeError(f"values of type {array.dtype} are records: choose a field of them")
    return array.astype(array.dtype.newbyteorder("="))


def torch_to_numpy(tensor: Any) -> tuple[NDArray[Any], str | None]:
    """A tensor's elements as an array, and the type of its 16-bit words.

    8-bit floating-point numbers become those of ml_dtypes if it is installed, and are refused otherwise: see `small_codes`.
    """
    torch = sys.modules["torch"]
    if tensor.device.type != "cpu":
        raise TypeError(f"a tensor on '{tensor.device}': binade computes on the CPU, so call .cpu() first")
    if tensor.layout != torch.strided or tensor.is_nested:
        kind = "nested" if tensor.is_nested else str(tensor.layout).removeprefix("torch.")
        raise TypeError(f"a {kind} tensor: binade takes dense ones")
    if tensor.is_quantized:
        raise TypeError(f"a tensor of {tensor.dtype}, quantized by PyTorch: call .dequantize() first")
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.dtype == torch.bfloat16:
        import numpy as np

        return tensor.contiguous().view(torch.int16).numpy().view(np.uint16), "bf16"
    return native(tensor.numpy()), None


def small_codes(array: Any) -> tuple[NDArray[Any], str] | None:
    """The codes of a tensor of one of PyTorch's 8-bit floating-point types, and the name of their format; None of other tensors."""
    torch = sys.modules["torch"]
    name = str(array.dtype).removeprefix("torch.")
    if not name.startswith("float") or array.element_size() != 1:
        return None
    if name.endswith("_x2"):
        raise TypeError(f"a tensor of {array.dtype} has two codes in a byte: unpack view(torch.uint8), the low four bits first")
    return torch_to_numpy(array.view(torch.uint8))[0], name


def numpy_to_torch(array: NDArray[Any]) -> Any:
    """An array as a tensor that shares its memory; codes wider than a byte become signed integers of the same bits."""
    import numpy as np

    torch = sys.modules["torch"]
    signed = {np.dtype(np.uint16): np.int16, np.dtype(np.uint32): np.int32, np.dtype(np.uint64): np.int64}
    if array.dtype in signed:
        array = array.view(signed[array.dtype])
    return torch.from_numpy(array)


def wrapped(array: NDArray[Any], tensor: bool) -> Any:
    """An array as the caller's kind of array."""
    return numpy_to_torch(array) if tensor else array


def source(values: Any) -> Source:
    """Values of any kind: arrays, tensors, lists, numbers. Integers must be exact in binary64."""
    import numpy as np

    half, tensor = None, is_torch(values)
    if tensor:
        dtype = values.dtype
        small = small_codes(values)
        if small is None:
            array, half = torch_to_numpy(values)
        else:
            array = decoded(*small)
    else:
        array = native(np.asarray(values))
        dtype = array.dtype
    if half is None:
        if array.dtype == np.float16:
            array, half = np.ascontiguousarray(array).reshape(array.shape).view(np.uint16), "f16"
        elif array.dtype.name == "bfloat16":
            array, half = np.ascontiguousarray(array).reshape(array.shape).view(np.uint16), "bf16"
        elif array.dtype.kind in "iub":
            exact = array.astype(np.float64)
            if array.dtype.itemsize == 8 and not (exact.astype(object) == array.astype(object)).all():
                raise ValueError("an integer is not exact in binary64: give it as text, which is read exactly")
            array, dtype = exact, np.dtype(np.float64)
        elif array.dtype not in (np.float32, np.float64):
            array = of_small_type(array)
    return Source(np.ascontiguousarray(array).reshape(-1), half, array.shape, dtype, tensor)


def decoded(codes: NDArray[Any], format: str) -> NDArray[Any]:
    """Values of a narrow format's codes as binary32, which represents them exactly."""
    import numpy as np

    from ._format import Format

    return np.asarray(Format(format).decode(codes))


def of_small_type(array: NDArray[Any]) -> NDArray[Any]:
    """Elements of one of ml_dtypes' types as binary32, which represents them exactly."""
    import numpy as np

    from ._format import Format

    kinds = "float16, float32, float64, integers, and the types of ml_dtypes"
    if array.dtype.kind not in "fV" or array.dtype.fields is not None or array.dtype.itemsize > 2:
        raise TypeError(f"values of type {array.dtype}: {kinds} are understood")
    try:
        format = Format(array.dtype.name)
    except ValueError:
        raise TypeError(f"values of type {array.dtype}: {kinds} are understood") from None
    return np.asarray(format.decode(array))


# Types of decoded values: the type of their words, and their name in the extension module.
DECODED = {"float32": None, "float64": None, "float16": "f16", "bfloat16": "bf16"}


def dtype_name(dtype: Any) -> str:
    """The name of a type that values are decoded to, given as a name or as a type of NumPy, ml_dtypes or PyTorch."""
    import numpy as np

    name = str(dtype).removeprefix("torch.") if not isinstance(dtype, type) else np.dtype(dtype).name
    if name not in DECODED:
        raise TypeError(f"dtype {name}: float32, float64, float16 and bfloat16 can be decoded to")
    return name


def values_of(bits: NDArray[Any], name: str, shape: tuple[int, ...], tensor: bool) -> Any:
    """Decoded values as an array of a type and shape, of the caller's kind."""
    import numpy as np

    if tensor:
        torch = sys.modules["torch"]
        words = bits.view(np.int16).reshape(shape) if name == "bfloat16" else bits.view(name).reshape(shape)
        values = torch.from_numpy(words)
        return values.view(torch.bfloat16) if name == "bfloat16" else values
    values = bits.view(bfloat16() if name == "bfloat16" else name).reshape(shape)
    return values[()] if shape == () else values


def bfloat16() -> Any:
    """NumPy's bfloat16, which ml_dtypes has."""
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        raise TypeError("NumPy has no bfloat16 of its own: install ml_dtypes") from None
    return bfloat16
