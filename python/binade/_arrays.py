"""Arrays of every library as flat NumPy arrays, and back."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

# Conversions worth a thread.
CONVERSIONS = 1 << 18


class Source(NamedTuple):
    """Values to work on, and how to give results the caller's kind and shape."""

    # Flat and contiguous: binary32, binary64, or the words of 16-bit values.
    flat: NDArray[Any]
    # What the words are: "bf16", "f16", or None.
    half: str | None
    shape: tuple[int, ...]
    # The dtype that results of the same kind have.
    dtype: Any
    # A NumPy array of that shape as what the caller's library calls an array.
    wrap: Callable[[NDArray[Any]], Any]


def threads_for(work: int, threads: int | None, worth: int = CONVERSIONS) -> int:
    """The number of threads asked for, or as many as the machine has where each gets work that is worth it."""
    if threads is not None:
        if threads < 1:
            raise ValueError(f"threads={threads} is not at least 1")
        return threads
    return min(os.cpu_count() or 1, max(1, work // worth))


def is_torch(array: Any) -> bool:
    """Whether this is a tensor of PyTorch, without importing it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def torch_to_numpy(tensor: Any) -> tuple[NDArray[Any], str | None]:
    """A tensor's memory as an array, and what 16-bit words in it are."""
    torch = sys.modules["torch"]
    if tensor.device.type != "cpu":
        raise TypeError(f"a tensor on '{tensor.device}': binade computes on the CPU, so call .cpu() first")
    tensor = tensor.detach()
    if tensor.dtype == torch.bfloat16:
        import numpy as np

        return tensor.contiguous().view(torch.int16).numpy().view(np.uint16), "bf16"
    return tensor.numpy(), None


def numpy_to_torch(array: NDArray[Any]) -> Any:
    """An array as a tensor that shares its memory; codes wider than a byte become signed integers of the same bits."""
    import numpy as np

    torch = sys.modules["torch"]
    signed = {np.dtype(np.uint16): np.int16, np.dtype(np.uint32): np.int32, np.dtype(np.uint64): np.int64}
    if array.dtype in signed:
        array = array.view(signed[array.dtype])
    return torch.from_numpy(array)


def source(values: Any) -> Source:
    """Values of any kind: arrays, tensors, lists, numbers. Integers must be exact in binary64."""
    import numpy as np

    def same(array: NDArray[Any]) -> NDArray[Any]:
        return array

    half, wrap = None, same
    if is_torch(values):
        dtype = values.dtype
        array, half = torch_to_numpy(values)
        wrap = numpy_to_torch
    else:
        array = np.asarray(values)
        dtype = array.dtype
    if half is None:
        if array.dtype == np.float16:
            array, half = array.view(np.uint16) if array.flags.c_contiguous else array.copy().view(np.uint16), "f16"
        elif array.dtype.name == "bfloat16":
            array, half = np.ascontiguousarray(array).reshape(array.shape).view(np.uint16), "bf16"
        elif array.dtype.kind in "iub":
            exact = array.astype(np.float64)
            if array.dtype.itemsize == 8 and not (exact.astype(object) == array.astype(object)).all():
                raise ValueError("an integer is not exact in binary64: give it as text, which is read exactly")
            array, dtype = exact, np.dtype(np.float64)
        elif array.dtype not in (np.float32, np.float64):
            array = of_small_type(array)
    return Source(np.ascontiguousarray(array).reshape(-1), half, array.shape, dtype, wrap)


def of_small_type(array: NDArray[Any]) -> NDArray[Any]:
    """Elements of one of ml_dtypes' types as binary32, which holds them all."""
    import numpy as np

    from ._format import Format

    try:
        format = Format(array.dtype.name)
    except ValueError:
        kinds = "float16, float32, float64, integers, and the types of ml_dtypes"
        raise TypeError(f"values of type {array.dtype}: {kinds} are understood") from None
    return np.asarray(format.decode(array))
