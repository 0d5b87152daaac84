"""Products under FMA operators: matrix products, dot products, convolutions, and the operator itself."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any, Literal, Union

from ._arrays import is_torch, numpy_to_torch, of_small_type, threads_for, torch_to_numpy
from ._binade import BlockProduct, Multiplier, in_blocks
from ._types import Cost, Shape

# Multiply-adds worth a thread.
MULTIPLY_ADDS = 1 << 16

Pair = Union[int, tuple[int, int]]
Padding = Union[int, tuple[int, int], tuple[tuple[int, int], tuple[int, int]]]


class Operator:
    """A fused multiply-add operator, d = a · b + c: `bf16:bf16` is FMA_1_1 of "A BF16 FMA is all you need for DNN
    training", `bf16x2:bf16x2/3` is FMA_2_2{3}, `F:G` rounds inputs to the format F and the sum to G. A block format as F
    (`mxfp4:f32`) is for products of matrices, whose operands are encoded in blocks; see `matmul`.

        >>> operator = Operator("bf16:bf16")
        >>> operator(1.0, 1.0, 256.0)
        256.0
        >>> operator.cost["area"], operator.cost["speed_up"]
        (64, 9.0)
    """

    def __init__(self, name: str) -> None:
        found = in_blocks(name)
        self._blocks = found[0] if found else None
        self._multiplier = multiplier(found[1] if found else name, "sequential", 1)

    @property
    def name(self) -> str:
        """The canonical name."""
        arith = self._multiplier.arith
        return arith if self._blocks is None else f"{self._blocks}:{arith.removeprefix('f32:')}"

    @property
    def blocks(self) -> str | None:
        """The block format that operands of products are encoded in, if the inputs are one."""
        return self._blocks

    @property
    def cost(self) -> Cost:
        """Size and throughput as in the paper's Table 1, which has no blocks: a ValueError for those."""
        if self._blocks is not None:
            raise ValueError(f"{self.name}: products in blocks have no cost by the paper's Table 1")
        return self._multiplier.cost

    def __call__(self, a: Any, b: Any, c: Any) -> Any:
        """a · b + c, element by element."""
        return multiply_add(a, b, c, arith=self.name)

    def __repr__(self) -> str:
        return f"Operator({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Operator) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


@lru_cache(maxsize=256)
def multiplier(arith: str, order: str, threads: int) -> Multiplier:
    """An operator in an order of accumulation."""
    made = Multiplier(arith, order, threads)
    _warn_of_slow(made.slow)
    return made


@lru_cache(maxsize=256)
def block_product(blocks: str, arith: str, order: str, threads: int) -> BlockProduct:
    """Products in blocks under an operator in an order of accumulation."""
    made = BlockProduct(blocks, arith, order, threads)
    _warn_of_slow(made.slow)
    return made


_warned: set[str] = set()


def _warn_of_slow(notice: str | None) -> None:
    """Warns once of an operator in an order that has no vector code."""
    if notice is not None and notice not in _warned:
        _warned.add(notice)
        warnings.warn(notice, RuntimeWarning, stacklevel=4)


def product(arith: str, order: str, threads: int, blocks: str | None = None) -> Multiplier | BlockProduct:
    """What multiplies matrices under an operator, on numbers or in blocks."""
    found = in_blocks(arith)
    if found is not None and blocks is not None:
        raise ValueError(f"blocks={blocks!r} and the inputs of {arith} both name the blocks: name them once, as in arith='f32:f32'")
    if found is not None:
        blocks, arith = found
    return multiplier(arith, order, threads) if blocks is None else block_product(blocks, arith, order, threads)


def _name(arith: str | Operator) -> str:
    return arith.name if isinstance(arith, Operator) else arith


def _binary32(array: Any) -> tuple[Any, bool]:
    """An array of binary32, which every operand is read as, and whether it came from PyTorch."""
    import numpy as np

    if is_torch(array):
        values, half = torch_to_numpy(array)
        if half == "bf16":
            values = (values.astype(np.uint32) << 16).view(np.float32)
        return values.astype(np.float32, copy=False), True
    array = np.asarray(array)
    if array.dtype.kind not in "fiub" or array.dtype.name == "bfloat16":
        array = of_small_type(array)
    return array.astype(np.float32, copy=False), False


def _result(array: Any, tensor: bool) -> Any:
    if tensor:
        return numpy_to_torch(array)
    return array if array.shape else float(array)


def matmul(
    a: Any,
    b: Any,
    arith: str | Operator = "f32:f32",
    order: str = "sequential",
    *,
    add: Any = None,
    blocks: str | None = None,
    threads: int | None = None,
) -> Any:
    """A · B, or C + A · B with `add`, under an operator: shapes as in `numpy.matmul`, results binary32.

    `order` is that of accumulation: sequential, pairwise, blocked:N, lanes:N, aligned:N,BITS or exact. Results do not
    depend on `threads`. Other types are rounded to binary32 first.

    With `blocks` each matrix is encoded in blocks along the axis that is summed, as by `binade matmul --in`: mxfp8_e4m3,
    mxfp8_e5m2, mxfp6_e3m2, mxfp6_e2m3, mxfp4, mxint8, nvfp4 or deepseek_fp8, with @rule=NAME for another rule of scales, or two of them,
    FORMAT_A,FORMAT_B. The products of a block's elements are added in the order; the sum times both scales is rounded to binary32
    and added to the sums of the blocks before. In the order exact the whole is rounded once. `arith="mxfp4:bf16"` is
    `arith="f32:bf16", blocks="mxfp4"`. NaN stays NaN in blocks, and so do infinities that their elements do not have: the whole
    block is NaN where its elements have no NaN.

        >>> import numpy as np
        >>> matmul(np.full((1, 512), 1.0), np.full((512, 1), 1.0), arith="bf16:bf16")
        array([[256.]], dtype=float32)
        >>> matmul([[0.1, 0.2, 0.3]], [[1.0], [2.0], [3.0]], blocks="nvfp4")
        array([[1.4000002]], dtype=float32)
    """
    import numpy as np

    (a, of_torch), (b, b_of_torch) = _binary32(a), _binary32(b)
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("matmul takes arrays of at least one dimension; multiply_add takes numbers")
    row, column = a.ndim == 1, b.ndim == 1
    a, b = (a[None, :] if row else a), (b[:, None] if column else b)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"shapes {a.shape} and {b.shape} do not fit: {a.shape[-1]} columns against {b.shape[-2]} rows")
    name = _name(arith)
    in_blocks_of = blocks or in_blocks(name)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    rows, depth, columns = a.shape[-2], a.shape[-1], b.shape[-1]
    count = int(np.prod(batch))
    one_b = b.ndim == 2
    # Of one B for all, the rows of all A are those of one matrix. In blocks each A is encoded by itself.
    count, together = (1, count * rows) if one_b and not in_blocks_of else (count, rows)
    a = np.ascontiguousarray(np.broadcast_to(a, (*batch, rows, depth))).reshape(count, together, depth)
    b = np.ascontiguousarray(b if one_b else np.broadcast_to(b, (*batch, depth, columns)))
    b = b.reshape(1 if one_b else count, depth, columns)
    c = np.zeros((*batch, rows, columns), np.float32)
    shape = tuple(size for size, gone in zip(c.shape, (False,) * len(batch) + (row, column)) if not gone)
    if add is not None:
        if in_blocks_of:
            raise ValueError("sums of products in blocks start from 0: add and blocks do not go together")
        c[...] = np.broadcast_to(_binary32(add)[0], shape).reshape(c.shape)
    threads = threads_for(count * together * depth * columns, threads, MULTIPLY_ADDS)
    product(name, order, threads, blocks).multiply(a, b, c.reshape(count, together, columns))
    return _result(c.reshape(shape), of_torch or b_of_torch)


def dot(
    a: Any,
    b: Any,
    arith: str | Operator = "f32:f32",
    order: str = "sequential",
    *,
    add: float = 0.0,
) -> float:
    """add + Σ aᵢ · bᵢ of two vectors under an operator.

    >>> dot([1.0] * 300, [1.0] * 300, arith="bf16:bf16x2")
    300.0
    """
    (a, _), (b, _) = _binary32(a), _binary32(b)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"dot takes two vectors of one length, not shapes {a.shape} and {b.shape}")
    start = None if add == 0 and in_blocks(_name(arith)) else add
    return float(matmul(a, b, arith, order, add=start, threads=1))


def multiply_add(a: Any, b: Any, c: Any, arith: str | Operator = "f32:f32") -> Any:
    """a · b + c under an operator, element by element, with NumPy's broadcasting.

    >>> multiply_add([1.0, 3.0], 1.0, 256.0, arith="bf16:bf16")
    array([256., 260.], dtype=float32)
    """
    import numpy as np

    operands = [_binary32(operand) for operand in (a, b, c)]
    arrays = np.broadcast_arrays(*(array for array, _ in operands))
    d = np.empty(arrays[0].shape, np.float32)
    x, y, z = (np.ascontiguousarray(array).reshape(-1) for array in arrays)
    multiplier(_name(arith), "sequential", 1).multiply_add(x, y, z, d.reshape(-1))
    return _result(d, any(tensor for _, tensor in operands))


def _pair(value: Pair) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def convolution_shape(
    input: tuple[int, ...], weight: tuple[int, ...], stride: Pair, padding: Padding, dilation: Pair, groups: int
) -> Shape:
    """The shape of a two-dimensional convolution from those of its operands."""
    if len(input) != 4 or len(weight) != 4:
        raise ValueError(f"input N×C×H×W and weight O×I×H×W are needed, not shapes {input} and {weight}")
    if groups < 1 or weight[1] * groups != input[1]:
        raise ValueError(f"an input of {input[1]} channels in {groups} groups needs weights of that many each, not {weight[1]}")
    vertical, horizontal = (padding, padding) if isinstance(padding, int) else padding
    return {
        "batch": input[0],
        "input_channels": input[1],
        "output_channels": weight[0],
        "groups": groups,
        "input": (input[2], input[3]),
        "kernel": (weight[2], weight[3]),
        "stride": _pair(stride),
        "dilation": _pair(dilation),
        "padding": (_pair(vertical), _pair(horizontal)),
    }


Part = Literal["forward", "input_gradient", "weight_gradient"]


def convolve(part: Part, shape: Shape, a: Any, b: Any, arith: str, order: str, threads: int | None) -> Any:
    """One of the three products of a convolution, as an array of its own shape."""
    import numpy as np

    height, width = Multiplier.convolution_output(shape)
    group = shape["input_channels"] // shape["groups"]
    shapes = {
        "forward": (shape["batch"], shape["output_channels"], height, width),
        "input_gradient": (shape["batch"], shape["input_channels"], *shape["input"]),
        "weight_gradient": (shape["output_channels"], group, *shape["kernel"]),
    }
    result = np.zeros(shapes[part], np.float32)
    work = shape["batch"] * shape["output_channels"] * height * width * group * shape["kernel"][0] * shape["kernel"][1]
    x, y = (np.ascontiguousarray(operand).reshape(-1) for operand in (a, b))
    multiplier(arith, order, threads_for(work, threads, MULTIPLY_ADDS)).convolve(part, shape, x, y, result.reshape(-1))
    return result


def convolution(
    input: Any,
    weight: Any,
    arith: str | Operator = "f32:f32",
    order: str = "sequential",
    *,
    stride: Pair = 1,
    padding: Padding = 0,
    dilation: Pair = 1,
    groups: int = 1,
    threads: int | None = None,
) -> Any:
    """A two-dimensional convolution (N×C×H×W with O×I×H×W, no flip) under an operator.

    Products are accumulated by input channel, kernel row and kernel column.

        >>> import numpy as np
        >>> convolution(np.ones((1, 1, 3, 3)), np.ones((1, 1, 2, 2)), arith="bf16:bf16").shape
        (1, 1, 2, 2)
    """
    (x, of_torch), (w, _) = _binary32(input), _binary32(weight)
    shape = convolution_shape(x.shape, w.shape, stride, padding, dilation, groups)
    return _result(convolve("forward", shape, x, w, _name(arith), order, threads), of_torch)
