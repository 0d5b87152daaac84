"""PyTorch's products computed under an FMA operator: matrix products and convolutions, with their gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import prod
from typing import Any

import torch

from ._binade import stream
from ._products import Operator, Part, convolution_shape, convolve, matmul, multiplier
from ._types import Shape


class NotComputed(Exception):
    """A product that operators do not compute, with the reason. Nothing has been computed."""


class Arithmetic:
    """An operator in an order, and the type of results; by default the type of the first factor."""

    def __init__(
        self,
        operator: Operator,
        order: str,
        threads: int | None,
        dtype: torch.dtype | None = None,
        draw: Callable[[], int] = lambda: 0,
    ) -> None:
        self.operator = operator
        self.order = order
        self.threads = threads
        self.dtype = dtype
        # The key of the next product's random bits.
        self.draw = draw

    def to(self, dtype: torch.dtype) -> Arithmetic:
        """This operator with results of another type."""
        if dtype == self.dtype:
            return self
        return Arithmetic(self.operator, self.order, self.threads, self.dtype or dtype, self.draw)

    def _result(self, result: torch.Tensor, factor: torch.Tensor) -> torch.Tensor:
        return result.to(self.dtype or factor.dtype)

    def matmul(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """A · B."""
        return self._result(self._binary32(a, b), a)

    def _binary32(self, a: torch.Tensor, b: torch.Tensor, add: torch.Tensor | None = None) -> torch.Tensor:
        result: torch.Tensor = matmul(
            a, b, self.operator, self.order, add=add, threads=self.threads, seed=self.draw()
        )
        return result

    def scaled(
        self, c: torch.Tensor, a: torch.Tensor, b: torch.Tensor, beta: Any, alpha: Any, hides: bool = True
    ) -> torch.Tensor:
        """β · C + α · A · B: the sums start at C where both factors are 1, and are scaled in binary32 afterwards otherwise.

        Sums of products in blocks start at 0, and C is added afterwards.

        Where β is 0, C does not count, not even NaN in it, and where α is and `hides`, neither do A and B: as in PyTorch's kernels.
        """
        if alpha == 0 and hides:
            shape = _product_shape(a, b)
            scaled = c.float() * beta if beta != 0 else torch.zeros(())
            return self._result(scaled.expand(shape).clone(), a)
        if beta == 1 and alpha == 1 and self.operator.blocks is None:
            return self._result(self._binary32(a, b, add=c), a)
        product = self._binary32(a, b)
        product = product if alpha == 1 else product * alpha
        return self._result(product if beta == 0 else product + c.float() * beta, a)

    def convolve(self, part: Part, shape: Shape | Volume, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """One of the three products of a convolution."""
        operands = (a.detach().float().numpy(), b.detach().float().numpy())
        compute = shape.convolve if isinstance(shape, Volume) else partial(_convolve_images, shape)
        result = compute(part, *operands, self.operator.name, self.order, self.threads, self.draw())
        return self._result(torch.from_numpy(result), a)


def _convolve_images(shape: Shape, part: Part, *rest: Any) -> Any:
    return convolve(part, shape, *rest)


@dataclass(frozen=True)
class Volume:
    """The shape of a convolution over three spatial dimensions, as `Shape` is of one over two; triples are (depth, height, width).

    An operand is copied to matrices of patches. Each result is one dot product, in the order of the two-dimensional kernels:

    | | first factor | second factor | ascending |
    |---|---|---|---|
    | forward | weight | input | input channel of the group, kernel depth, row, column |
    | input_gradient | weight | gradient of the output | output channel of the group, kernel depth, row, column |
    | weight_gradient | gradient of the output | input | image, output depth, row, column |

    Where the kernel reaches padding, or an output element does not use an input element, the second factor is +0 and takes part:
    an infinite weight gives NaN there.
    """

    batch: int
    input_channels: int
    output_channels: int
    groups: int
    input: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]

    # Elements of a matrix of patches, 64 MiB. A part has one depth of the result, or one input channel, at least.
    PATCHES = 1 << 24

    def __post_init__(self) -> None:
        least_one = {"stride": self.stride, "dilation": self.dilation, "kernel": self.kernel, "groups": (self.groups,)}
        for name, each in least_one.items():
            if min(each) < 1:
                raise ValueError(f"{name} must be at least 1: got {min(each)}")
        if min(map(min, self.padding)) < 0:
            raise ValueError(f"padding must be at least 0: got {self.padding}")
        for name, channels in (("input", self.input_channels), ("output", self.output_channels)):
            if channels % self.groups:
                raise ValueError(f"{name} channels must be a multiple of the {self.groups} groups: got {channels}")

    @property
    def output(self) -> tuple[int, ...]:
        """Depth, height and width of the output: 0 where the kernel does not fit."""
        reach = [dilation * (size - 1) + 1 for dilation, size in zip(self.dilation, self.kernel)]
        padded = [size + sum(pair) for size, pair in zip(self.input, self.padding)]
        return tuple(max(0, (a - b) // step + 1) for a, b, step in zip(padded, reach, self.stride))

    def convolve(self, part: Part, a: Any, b: Any, arith: str, order: str, threads: int | None, seed: int = 0) -> Any:
        """One of the three products, as an array of its own shape, from arrays as `_products.convolve` takes them."""
        # An error for block formats, as in two dimensions: `matmul` would encode them.
        multiplier(arith, order, 1)
        # Each matrix product takes its own random bits.
        numbers = count()

        def multiply(a: Any, b: Any) -> Any:
            return matmul(a, b, arith, order, threads=threads, seed=stream(seed, [next(numbers)]))

        if part == "weight_gradient":
            return self._weight_gradient(a, b, multiply)
        return self._gathered(part == "input_gradient", a, b, multiply)

    def _gathered(self, backward: bool, operand: Any, weight: Any, multiply: Callable[[Any, Any], Any]) -> Any:
        """The output, or with `backward` the input's gradient from the output's."""
        import numpy as np

        groups, taps = self.groups, prod(self.kernel)
        inputs, outputs = self.input_channels // groups, self.output_channels // groups
        channels, sums, sizes = (inputs, outputs, self.input) if backward else (outputs, inputs, self.output)
        # Of each group: a row for a channel of the result.
        rows = weight.reshape(groups, outputs, inputs, taps)
        rows = (rows.swapaxes(1, 2) if backward else rows).reshape(groups, channels, sums * taps)
        source = _with_zeros(operand.reshape(self.batch, groups, sums, *(self.output if backward else self.input)))
        result = np.zeros((self.batch, groups, channels, *sizes), np.float32)
        for slices in _parts(sizes[0], sums * taps * prod(sizes[1:]), self.PATCHES):
            where = self._elements(backward, slices)
            for image, group in np.ndindex(self.batch, groups):
                target = result[image, group, :, slices]
                patches = source[image, group][(slice(None), *where)].reshape(sums * taps, prod(target.shape[1:]))
                target[...] = multiply(rows[group], patches).reshape(target.shape)
        return result.reshape(self.batch, groups * channels, *sizes)

    def _weight_gradient(self, operand: Any, gradient: Any, multiply: Callable[[Any, Any], Any]) -> Any:
        """The weight's gradient from the input and the output's gradient."""
        import numpy as np

        groups, taps, places = self.groups, prod(self.kernel), prod(self.output)
        inputs, outputs = self.input_channels // groups, self.output_channels // groups
        # Of each group: a row for an output channel, of its gradients in all images.
        rows = np.moveaxis(gradient.reshape(self.batch, groups, outputs, places), 0, 2)
        rows = rows.reshape(groups, outputs, self.batch * places)
        source = _with_zeros(operand.reshape(self.batch, groups, inputs, *self.input))
        where = self._elements(False, slice(None))
        result = np.zeros((groups, outputs, inputs, taps), np.float32)
        for channels in _parts(inputs, self.batch * places * taps, self.PATCHES):
            for group in range(groups):
                patches = source[:, group, channels][(slice(None), slice(None), *where)]
                # Images and places before channels and kernel elements.
                target = result[group, :, channels]
                patches = patches.transpose(0, 5, 6, 7, 1, 2, 3, 4).reshape(self.batch * places, prod(target.shape[1:]))
                target[...] = multiply(rows[group], patches).reshape(target.shape)
        return result.reshape(self.output_channels, inputs, *self.kernel)

    def _elements(self, backward: bool, slices: slice) -> list[Any]:
        """For each axis, the index of the element that a kernel element meets at a place of the result: the zero's where it meets none.

        NumPy broadcasts the three arrays to the kernel's dimensions and then those of the result's places, `slices` of the first.
        """
        import numpy as np

        found = []
        for axis, (input, output) in enumerate(zip(self.input, self.output)):
            places, elements = (input, output) if backward else (output, input)
            tap, place = np.arange(self.kernel[axis])[:, None] * self.dilation[axis], np.arange(places)
            if axis == 0:
                place = place[slices]
            before, stride = self.padding[axis][0], self.stride[axis]
            if backward:
                element, apart = np.divmod(place + before - tap, stride)
                met = apart == 0
            else:
                element = place * stride + tap - before
                met = np.True_
            met = met & (element >= 0) & (element < elements)
            shape = [1] * 6
            shape[axis], shape[3 + axis] = element.shape
            found.append(np.where(met, element, elements).reshape(shape))
        return found


def _with_zeros(array: Any) -> Any:
    """An array with a zero after the last element along each of its three last dimensions."""
    import numpy as np

    return np.pad(array, [(0, 0)] * (array.ndim - 3) + [(0, 1)] * 3)


def _parts(count: int, size: int, most: int) -> Iterator[slice]:
    """0 to `count` in slices, of at most `most` elements where one index has `size`; of one index at least."""
    step = max(1, most // max(1, size))
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def _product_shape(a: torch.Tensor, b: torch.Tensor) -> tuple[int, ...]:
    """The shape of A · B."""
    if a.shape[-1] != b.shape[0 if b.dim() < 3 else -2]:
        raise ValueError(f"shapes {tuple(a.shape)} and {tuple(b.shape)} do not fit")
    return (*a.shape[:-1], *b.shape[b.dim() - 1 :]) if b.dim() > 1 else tuple(a.shape[:-1])


def _mm(arithmetic: Arithmetic, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return arithmetic.matmul(a, b)


def _addmm(
    arithmetic: Arithmetic, c: torch.Tensor, a: torch.Tensor, b: torch.Tensor, *, beta: Any = 1, alpha: Any = 1
) -> torch.Tensor:
    return arithmetic.scaled(c, a, b, beta, alpha)


def _addr(
    arithmetic: Arithmetic, c: torch.Tensor, a: torch.Tensor, b: torch.Tensor, *, beta: Any = 1, alpha: Any = 1
) -> torch.Tensor:
    # Of this one PyTorch looks at the vectors, whatever α is.
    return arithmetic.scaled(c, a[:, None], b[None, :], beta, alpha, hides=False)


def _addmm_activation(
    arithmetic: Arithmetic,
    c: torch.Tensor,
    a: torch.Tensor,
    b: torch.Tensor,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    use_gelu: bool = False,
) -> torch.Tensor:
    result = arithmetic.scaled(c, a, b, beta, alpha)
    return torch.nn.functional.gelu(result) if use_gelu else result.relu()


def _convolution(
    arithmetic: Arithmetic,
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> torch.Tensor:
    spatial, input, weight = _with_rows(input, weight)
    stride, padding, dilation = _of_axes(stride, spatial, 1), _of_axes(padding, spatial, 0), _of_axes(dilation, spatial, 1)
    if not transposed:
        shape = _shape(input.shape, weight.shape, stride, _both_sides(padding), dilation, groups)
        result = arithmetic.convolve("forward", shape, input, weight)
    else:
        more = _of_axes(output_padding, spatial, 0)
        shape, beyond = _transposed_shape(input, weight, stride, padding, dilation, more, groups)
        result = arithmetic.convolve("input_gradient", shape, input, weight)
        if any(beyond):
            result = torch.nn.functional.pad(result, [each for zeros in reversed(beyond) for each in (0, zeros)])
    result = result.squeeze(-2) if spatial == 1 else result
    if bias is None:
        return result
    return result + bias.reshape(-1, *[1] * spatial)


def _convolution_backward(
    arithmetic: Arithmetic,
    gradient: torch.Tensor,
    input: torch.Tensor,
    weight: torch.Tensor,
    bias_sizes: list[int] | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
    wanted: list[bool],
) -> tuple[torch.Tensor | None, torch.Tensor | None, torch.Tensor | None]:
    of_input: torch.Tensor | None = None
    of_weight: torch.Tensor | None = None
    of_bias = gradient.sum([0, *range(2, gradient.dim())]) if wanted[2] else None
    spatial, input2, weight2 = _with_rows(input, weight)
    gradient2 = gradient.unsqueeze(-2) if spatial == 1 else gradient
    stride, padding, dilation = _of_axes(stride, spatial, 1), _of_axes(padding, spatial, 0), _of_axes(dilation, spatial, 1)
    if not transposed:
        shape = _shape(input2.shape, weight2.shape, stride, _both_sides(padding), dilation, groups)
        if wanted[0]:
            of_input = arithmetic.convolve("input_gradient", shape, gradient2, weight2)
        if wanted[1]:
            of_weight = arithmetic.convolve("weight_gradient", shape, input2, gradient2)
    else:
        more = _of_axes(output_padding, spatial, 0)
        shape, beyond = _transposed_shape(input2, weight2, stride, padding, dilation, more, groups)
        for axis, zeros in enumerate(beyond, 2):
            gradient2 = gradient2.narrow(axis, 0, gradient2.shape[axis] - zeros)
        if wanted[0]:
            of_input = arithmetic.convolve("forward", shape, gradient2, weight2)
        if wanted[1]:
            of_weight = arithmetic.convolve("weight_gradient", shape, gradient2, input2)
    return (
        of_input if of_input is None else of_input.reshape(input.shape),
        of_weight if of_weight is None else of_weight.reshape(weight.shape),
        of_bias,
    )


def _with_rows(input: torch.Tensor, weight: torch.Tensor) -> tuple[int, torch.Tensor, torch.Tensor]:
    """The number of spatial dimensions, and the operands: one dimension gets another before it, of size 1."""
    spatial = input.dim() - 2
    if spatial not in (1, 2, 3):
        raise NotComputed(f"a convolution over {spatial} dimensions: binade's have one, two or three")
    if weight.dim() != input.dim():
        raise ValueError(f"input and weight must have as many dimensions: got shapes {tuple(input.shape)} and {tuple(weight.shape)}")
    return (1, input.unsqueeze(-2), weight.unsqueeze(-2)) if spatial == 1 else (spatial, input, weight)


def _of_axes(values: Sequence[int], spatial: int, fill: int) -> tuple[int, ...]:
    """A number for each spatial dimension; where there is one dimension, the other gets `fill`."""
    each = tuple(values) * (spatial if len(values) == 1 else 1)
    if len(each) != spatial:
        raise ValueError(f"stride, padding and dilation must have one number or {spatial}: got {list(values)}")
    return (fill, *each) if spatial == 1 else each


def _both_sides(padding: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple((each, each) for each in padding)


def _shape(
    input: Sequence[int],
    weight: Sequence[int],
    stride: tuple[int, ...],
    padding: tuple[tuple[int, int], ...],
    dilation: tuple[int, ...],
    groups: int,
) -> Shape | Volume:
    """The shape of a convolution over two or three dimensions."""
    if len(input) == 4:
        return convolution_shape(tuple(input), tuple(weight), stride, padding, dilation, groups)  # type: ignore[arg-type]
    if weight[1] * groups != input[1]:
        raise ValueError(f"an input of {input[1]} channels in {groups} groups needs weights of that many each, not {weight[1]}")
    return Volume(input[0], input[1], weight[0], groups, tuple(input[2:]), tuple(weight[2:]), stride, dilation, padding)


def _transposed_shape(
    input: torch.Tensor,
    weight: torch.Tensor,
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    dilation: tuple[int, ...],
    output_padding: tuple[int, ...],
    groups: int,
) -> tuple[Shape | Volume, list[int]]:
    """The convolution whose gradient by its input a transposed convolution is, and how many elements of the result along each axis
    lie beyond what it reaches: zeros, before the bias."""
    sizes, both, beyond = [], [], []
    for axis, (step, pad, gap, more) in enumerate(zip(stride, padding, dilation, output_padding), 2):
        size = (input.shape[axis] - 1) * step - 2 * pad + gap * (weight.shape[axis] - 1) + more + 1
        # Of a whole step more the convolution would have a result more. Less padding after it gives the same size.
        extra = more if more >= step else 0
        zeros = max(extra - pad, 0)
        sizes.append(size - zeros)
        both.append((pad, pad - extra + zeros))
        beyond.append(zeros)
    whole = (input.shape[0], weight.shape[1] * groups, *sizes)
    return _shape(whole, weight.shape, stride, tuple(both), dilation, groups), beyond


# Each product by the name of its functional operator. In-place, out= and typed forms follow.
PRODUCTS: dict[str, Callable[..., Any]] = {
    "mm": _mm,
    "bmm": _mm,
    "mv": _mm,
    "dot": _mm,
    "vdot": _mm,
    "addmm": _addmm,
    "_addmm_activation": _addmm_activation,
    "baddbmm": _addmm,
    "addmv": _addmm,
    "addr": _addr,
    "convolution": _convolution,
    "convolution_backward": _convolution_backward,
}
