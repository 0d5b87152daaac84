"""The types that users see: `mypy` and `pyright` check this file, which is never run."""

from typing import Any

import binade
import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

Codes = NDArray[np.unsignedinteger[Any]]

bf16 = binade.Format("bf16")
array = np.ones((2, 2))
half = array.astype(np.float16)

assert_type(bf16.encode(1.0), int)
assert_type(bf16.encode("1.0"), int)
assert_type(bf16.encode(np.float32(1.0)), np.unsignedinteger[Any])
assert_type(bf16.encode(array), Codes)
assert_type(bf16.encode([1.0], "stochastic", seed=3), Codes)
assert_type(bf16.encode(1.0, flags=True), tuple[int, binade.Flags])
assert_type(bf16.encode(array, flags=True), tuple[Codes, binade.Flags])
assert_type(bf16.decode(3), np.floating[Any])
assert_type(bf16.decode([3]), NDArray[np.float32])
assert_type(bf16.decode([3], "float64"), NDArray[np.float64])
assert_type(bf16.round(1.0), float)
assert_type(bf16.round("1.0"), float)
assert_type(bf16.round(half), NDArray[np.float16])
assert_type(bf16.quantize(array, "tensor"), binade.Quantized)
assert_type(binade.matmul(array, [[1.0], [2.0]], "bf16:bf16"), NDArray[np.float32] | Any)
assert_type(binade.dot([1.0], [1.0]), float)
assert_type(binade.compare_units(array, array, ["h100", "bf16:f32"])["pairs"][0]["max_ulps"], float)
assert_type(binade.multiply_add(1.0, 2.0, 3.0), float)
assert_type(binade.Operator("mp")(1.0, 2.0, 3.0), float)
assert_type(binade.convolution(array[None, None], array[None, None], padding="same"), NDArray[np.float32])
