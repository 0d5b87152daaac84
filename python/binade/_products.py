"""Products under FMA operators: matrix products, dot products, convolutions, and the operator itself."""

from __future__ import annotations

import json
import tempfile
import warnings
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union, overload

from ._arrays import decoded, is_torch, native, of_small_type, seed_of, small_codes, threads_for, torch_to_numpy, within, wrapped
from ._binade import BlockProduct, Multiplier, in_blocks
from ._command import run_command
from ._types import Cost, Shape, UnitComparison

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ._types import TensorT

# Multiply-adds worth a thread.
MULTIPLY_ADDS = 1 << 16

Pair = Union[int, tuple[int, int]]
Padding = Union[int, tuple[int, int], tuple[tuple[int, int], tuple[int, int]], Literal["same", "valid"]]


class Operator:
    """A fused multiply-add operator, d = a · b + c: `bf16:bf16` is FMA_1_1 of "A BF16 FMA is all you need for DNN
    training", `bf16x2:bf16x2/3` is FMA_2_2{3}, `F:G` rounds inputs to the format F and the sum to G. A block format as F
    (`mxfp4:f32`) is for products of matrices, whose operands are encoded in blocks; see `matmul`. A matrix unit is `UNIT:FORMAT`, as in
    `h100:e4m3`; called as a function it adds one product.

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
        if self._blocks is None:
            return arith
        unit, _, rest = arith.partition(":")
        if unit == "f32":
            return f"{self._blocks}:{rest}"
        # A matrix unit on the elements of blocks.
        options = "".join(f"/{option}" for option in rest.split("/")[1:])
        return f"{unit}:{self._blocks.replace(',', '*')}{options}"

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

    @overload
    def __call__(self, a: float, b: float, c: float) -> float: ...
    @overload
    def __call__(self, a: TensorT, b: Any, c: Any) -> TensorT: ...
    @overload
    def __call__(self, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> NDArray[np.float32] | Any: ...
    def __call__(self, a: Any, b: Any, c: Any) -> Any:
        """a · b + c, element by element."""
        return multiply_add(a, b, c, arith=self.name)

    def __reduce__(self) -> tuple[type[Operator], tuple[str]]:
        """Pickled by name."""
        return type(self), (self.name,)

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
    """Warns once if an operator in an order has no vector code."""
    if notice is not None and notice not in _warned:
        _warned.add(notice)
        warnings.warn(notice, RuntimeWarning, stacklevel=4)


def product(arith: str, order: str, threads: int, blocks: str | None = None) -> Multiplier | BlockProduct:
    """The multiplier of matrices under an operator, on numbers or in blocks."""
    found = in_blocks(arith)
    if found is not None and blocks is not None:
        raise ValueError(f"blocks={blocks!r} and the inputs of {arith} both name the blocks: name them once, as in arith='f32:f32'")
    if found is not None:
        blocks, arith = found
    return multiplier(arith, order, threads) if blocks is None else block_product(blocks, arith, order, threads)


def _name(arith: str | Operator) -> str:
    return arith.name if isinstance(arith, Operator) else arith


def _binary32(array: Any) -> tuple[Any, bool]:
    """An operand as an array of binary32, and true if it came from PyTorch."""
    import numpy as np

    if is_torch(array):
        small = small_codes(array)
        values, half = (decoded(*small), None) if small else torch_to_numpy(array)
        if half == "bf16":
            values = (values.astype(np.uint32) << 16).view(np.float32)
        return _real(values).astype(np.float32, copy=False), True
    array = native(np.asarray(array))
    if array.dtype.kind not in "fiubc" or array.dtype.name == "bfloat16":
        array = of_small_type(array)
    return _real(array).astype(np.float32, copy=False), False


def _real(array: Any) -> Any:
    if array.dtype.kind == "c":
        raise TypeError(f"values of type {array.dtype}: operators are of real numbers")
    return array


def _result(array: Any, tensor: bool) -> Any:
    if tensor:
        return wrapped(array, True)
    return array if array.shape else float(array)


@overload
def matmul(
    a: TensorT, b: Any, arith: str | Operator = ..., order: str = ...,
    *, add: Any = ..., blocks: str | None = ..., threads: int | None = ..., seed: int = ...,
) -> TensorT: ...
@overload
def matmul(
    a: ArrayLike, b: TensorT, arith: str | Operator = ..., order: str = ...,
    *, add: Any = ..., blocks: str | None = ..., threads: int | None = ..., seed: int = ...,
) -> TensorT: ...
@overload
def matmul(
    a: ArrayLike, b: ArrayLike, arith: str | Operator = ..., order: str = ...,
    *, add: Any = ..., blocks: str | None = ..., threads: int | None = ..., seed: int = ...,
) -> NDArray[np.float32] | Any: ...
def matmul(
    a: Any,
    b: Any,
    arith: str | Operator = "f32:f32",
    order: str = "sequential",
    *,
    add: Any = None,
    blocks: str | None = None,
    threads: int | None = None,
    seed: int = 0,
) -> Any:
    """A · B, or C + A · B with `add`, under an operator: shapes as in `numpy.matmul`, results binary32.

    `order` is that of accumulation: sequential, pairwise, blocked:N, lanes:N, aligned:N,BITS or exact. Results do not
    depend on `threads`. Other types are rounded to binary32 first.

    An operator that rounds stochastically, as `bf16:bf16/rounding=stochastic`, takes its random bits under `seed`, from 0 to 2^64 - 1.
    The same seed gives the same bits, for any number of threads and on any machine.

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
    computes = product(name, order, 1, blocks)
    # The random bits of an element tell the matrices of a batch apart.
    each = in_blocks_of or (isinstance(computes, Multiplier) and computes.stochastic)
    count, together = (1, count * rows) if one_b and not each else (count, rows)
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
    computes = product(name, order, threads, blocks)
    c_of_batch = c.reshape(count, together, columns)
    if isinstance(computes, Multiplier):
        computes.multiply(a, b, c_of_batch, seed_of(seed))
    else:
        computes.multiply(a, b, c_of_batch)
    return _result(c.reshape(shape), of_torch or b_of_torch)


def compare_units(
    a: Any,
    b: Any,
    units: Sequence[str],
    *,
    input: str | None = None,
    add: Any = None,
    threads: int | None = None,
) -> UnitComparison:
    """The product A · B on several matrix units and operators, beside the exact product and beside each other.

    The dictionary is that of `binade matmul A B --units U,… --json`: `units` has the errors of each in units in the last place of
    the exact product, `pairs` the elements in which two differ, and `conclusion` says both in sentences. A unit without a
    format, as in `h100`, takes `input`, or else a format that all of them take. The arrays are matrices, or batches of them.

        >>> import numpy as np
        >>> a = np.array([[1.0] + 15 * [0.0] + 16 * [2.0**-13]], np.float32)
        >>> report = compare_units(a, a.T, ["h100:f16", "f16:f32"])
        >>> report["units"][0]["max_ulps"], report["pairs"][0]["different"]
        (2.0, 0)
    """
    import numpy as np

    with tempfile.TemporaryDirectory(prefix="binade-") as folder:
        options = ["--units", ",".join(units), "--json"]
        for option, value in [("--input", input), ("--threads", threads)]:
            options += [] if value is None else [option, str(value)]
        paths = []
        for name, operand in [("a", a), ("b", b), ("c", add)]:
            if operand is not None:
                path = Path(folder, f"{name}.npy")
                values = _binary32(operand)[0]
                # Units without a format prefer that of the arrays.
                half = str(getattr(operand, "dtype", "")).split(".")[-1] == "float16"
                np.save(path, values.astype(np.float16) if half else values)
                paths.append(str(path))
        if add is not None:
            options += ["--add", paths.pop()]
        report: UnitComparison = json.loads(run_command("matmul", *paths, *options))
    return report


def dot(
    a: Any,
    b: Any,
    arith: str | Operator = "f32:f32",
    order: str = "sequential",
    *,
    add: float = 0.0,
    seed: int = 0,
) -> float:
    """add + Σ aᵢ · bᵢ of two vectors under an operator. The seed is that of stochastic rounding.

    >>> dot([1.0] * 300, [1.0] * 300, arith="bf16:bf16x2")
    300.0
    """
    (a, _), (b, _) = _binary32(a), _binary32(b)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"dot takes two vectors of one length, not shapes {a.shape} and {b.shape}")
    start = None if add == 0 and in_blocks(_name(arith)) else add
    return float(matmul(a, b, arith, order, add=start, threads=1, seed=seed))


@overload
def multiply_add(a: float, b: float, c: float, arith: str | Operator = ..., *, seed: int = ...) -> float: ...
@overload
def multiply_add(a: TensorT, b: Any, c: Any, arith: str | Operator = ..., *, seed: int = ...) -> TensorT: ...
@overload
def multiply_add(a: ArrayLike, b: TensorT, c: Any, arith: str | Operator = ..., *, seed: int = ...) -> TensorT: ...
@overload
def multiply_add(a: ArrayLike, b: ArrayLike, c: TensorT, arith: str | Operator = ..., *, seed: int = ...) -> TensorT: ...
@overload
def multiply_add(
    a: ArrayLike, b: ArrayLike, c: ArrayLike, arith: str | Operator = ...
) -> NDArray[np.float32] | Any: ...
def multiply_add(a: Any, b: Any, c: Any, arith: str | Operator = "f32:f32", *, seed: int = 0) -> Any:
    """a · b + c under an operator, element by element, with NumPy's broadcasting.

    >>> multiply_add([1.0, 3.0], 1.0, 256.0, arith="bf16:bf16")
    array([256., 260.], dtype=float32)
    """
    import numpy as np

    operands = [_binary32(operand) for operand in (a, b, c)]
    arrays = np.broadcast_arrays(*(array for array, _ in operands))
    d = np.empty(arrays[0].shape, np.float32)
    x, y, z = (np.ascontiguousarray(array).reshape(-1) for array in arrays)
    multiplier(_name(arith), "sequential", 1).multiply_add(x, y, z, d.reshape(-1), seed_of(seed))
    return _result(d, any(tensor for _, tensor in operands))


def _pair(name: str, value: Any, least: int) -> tuple[int, int]:
    """A number for both dimensions, or one for each."""
    both = (value, value) if not isinstance(value, (tuple, list)) else tuple(value)
    if len(both) != 2:
        raise ValueError(f"{name}={value!r} is not a number or a pair of them")
    first, second = (within(name, each, least, 2**31 - 1) for each in both)
    return first, second


def _paddings(
    padding: Any, kernel: tuple[int, int], stride: tuple[int, int], dilation: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Padding before and after in each dimension; of an odd number, "same" has the greater half after."""
    if padding == "valid":
        return (0, 0), (0, 0)
    if padding == "same":
        if stride != (1, 1):
            raise ValueError(f"padding='same' is of stride 1, not {stride}")
        total = [step * (size - 1) for step, size in zip(dilation, kernel)]
        vertical, horizontal = ((all // 2, all - all // 2) for all in total)
        return vertical, horizontal
    if isinstance(padding, str):
        raise ValueError(f"padding={padding!r} is not 'same', 'valid', a number or pairs of them")
    both = (padding, padding) if not isinstance(padding, (tuple, list)) else tuple(padding)
    if len(both) != 2:
        raise ValueError(f"padding={padding!r} is not a number, a pair, or a pair of pairs (before, after)")
    return _pair("padding", both[0], 0), _pair("padding", both[1], 0)


def convolution_shape(
    input: tuple[int, ...], weight: tuple[int, ...], stride: Pair, padding: Padding, dilation: Pair, groups: int
) -> Shape:
    """The shape of a two-dimensional convolution from those of its operands."""
    if len(input) != 4 or len(weight) != 4:
        raise ValueError(f"input N×C×H×W and weight O×I×H×W are needed, not shapes {input} and {weight}")
    groups = within("groups", groups, 1, 2**31 - 1)
    if weight[1] * groups != input[1]:
        raise ValueError(f"an input of {input[1]} channels in {groups} groups needs weights of that many each, not {weight[1]}")
    kernel, steps, gaps = (weight[2], weight[3]), _pair("stride", stride, 1), _pair("dilation", dilation, 1)
    return {
        "batch": input[0],
        "input_channels": input[1],
        "output_channels": weight[0],
        "groups": groups,
        "input": (input[2], input[3]),
        "kernel": kernel,
        "stride": steps,
        "dilation": gaps,
        "padding": _paddings(padding, kernel, steps, gaps),
    }


Part = Literal["forward", "input_gradient", "weight_gradient"]


def convolve(
    part: Part, shape: Shape, a: Any, b: Any, arith: str, order: str, threads: int | None, seed: int = 0
) -> Any:
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
    computes = multiplier(arith, order, threads_for(work, threads, MULTIPLY_ADDS))
    computes.convolve(part, shape, x, y, result.reshape(-1), seed)
    return result


@overload
def convolution(
    input: TensorT, weight: Any, arith: str | Operator = ..., order: str = ...,
    *, stride: Pair = ..., padding: Padding = ..., dilation: Pair = ..., groups: int = ..., threads: int | None = ..., seed: int = ...,
) -> TensorT: ...
@overload
def convolution(
    input: ArrayLike, weight: ArrayLike, arith: str | Operator = ..., order: str = ...,
    *, stride: Pair = ..., padding: Padding = ..., dilation: Pair = ..., groups: int = ..., threads: int | None = ..., seed: int = ...,
) -> NDArray[np.float32]: ...
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
    seed: int = 0,
) -> Any:
    """A two-dimensional convolution (N×C×H×W with O×I×H×W, no flip) under an operator.

    Products are accumulated by input channel, kernel row and kernel column. `padding` is a number, a pair, a pair of pairs (before,
    after), "valid" or, of stride 1, "same"; `stride` and `dilation` are numbers or pairs (vertical, horizontal).

        >>> import numpy as np
        >>> convolution(np.ones((1, 1, 3, 3)), np.ones((1, 1, 2, 2)), arith="bf16:bf16").shape
        (1, 1, 2, 2)
    """
    (x, of_torch), (w, _) = _binary32(input), _binary32(weight)
    shape = convolution_shape(x.shape, w.shape, stride, padding, dilation, groups)
    return _result(convolve("forward", shape, x, w, _name(arith), order, threads, seed_of(seed)), of_torch)
