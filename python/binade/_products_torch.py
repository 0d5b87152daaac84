"""PyTorch's products computed under an FMA operator: matrix products and convolutions, with their gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ._products import Operator, convolution_shape, convolve, matmul
from ._types import Shape


class NotComputed(Exception):
    """A product that operators do not compute, and why; nothing has been done."""


class Arithmetic:
    """An operator in an order, as products are computed by it, and the type of results: without one, that of the first factor."""

    def __init__(self, operator: Operator, order: str, threads: int | None, dtype: torch.dtype | None = None) -> None:
        self.operator = operator
        self.order = order
        self.threads = threads
        self.dtype = dtype

    def to(self, dtype: torch.dtype) -> Arithmetic:
        """The same with results of another type."""
        return self if dtype == self.dtype else Arithmetic(self.operator, self.order, self.threads, self.dtype or dtype)

    def _result(self, result: torch.Tensor, factor: torch.Tensor) -> torch.Tensor:
        return result.to(self.dtype or factor.dtype)

    def matmul(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """A · B."""
        return self._result(self._binary32(a, b), a)

    def _binary32(self, a: torch.Tensor, b: torch.Tensor, add: torch.Tensor | None = None) -> torch.Tensor:
        result: torch.Tensor = matmul(a, b, self.operator, self.order, add=add, threads=self.threads)
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

    def convolve(self, part: Any, shape: Any, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """One of the three products of a convolution."""
        operands = (a.detach().float().numpy(), b.detach().float().numpy())
        result = convolve(part, shape, *operands, self.operator.name, self.order, self.threads)
        return self._result(torch.from_numpy(result), a)


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
    spatial, input, weight = _as_two_dimensional(input, weight)
    stride, padding, dilation = _of_two(stride, spatial, 1), _of_two(padding, spatial, 0), _of_two(dilation, spatial, 1)
    if not transposed:
        shape = convolution_shape(tuple(input.shape), tuple(weight.shape), stride, padding, dilation, groups)
        result = arithmetic.convolve("forward", shape, input, weight)
    else:
        more = _of_two(output_padding, spatial, 0)
        shape, beyond = _transposed_shape(input, weight, stride, padding, dilation, more, groups)
        result = arithmetic.convolve("input_gradient", shape, input, weight)
        if any(beyond):
            result = torch.nn.functional.pad(result, (0, beyond[1], 0, beyond[0]))
    result = result if spatial == 2 else result.squeeze(-2)
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
    spatial, input2, weight2 = _as_two_dimensional(input, weight)
    gradient2 = gradient if spatial == 2 else gradient.unsqueeze(-2)
    stride, padding, dilation = _of_two(stride, spatial, 1), _of_two(padding, spatial, 0), _of_two(dilation, spatial, 1)
    if not transposed:
        shape = convolution_shape(tuple(input2.shape), tuple(weight2.shape), stride, padding, dilation, groups)
        if wanted[0]:
            of_input = arithmetic.convolve("input_gradient", shape, gradient2, weight2)
        if wanted[1]:
            of_weight = arithmetic.convolve("weight_gradient", shape, input2, gradient2)
    else:
        more = _of_two(output_padding, spatial, 0)
        shape, beyond = _transposed_shape(input2, weight2, stride, padding, dilation, more, groups)
        height, width = gradient2.shape[2] - beyond[0], gradient2.shape[3] - beyond[1]
        gradient2 = gradient2[:, :, :height, :width]
        if wanted[0]:
            of_input = arithmetic.convolve("forward", shape, gradient2, weight2)
        if wanted[1]:
            of_weight = arithmetic.convolve("weight_gradient", shape, gradient2, input2)
    return (
        of_input if of_input is None else of_input.reshape(input.shape),
        of_weight if of_weight is None else of_weight.reshape(weight.shape),
        of_bias,
    )


def _as_two_dimensional(input: torch.Tensor, weight: torch.Tensor) -> tuple[int, torch.Tensor, torch.Tensor]:
    """One spatial dimension as two, the first of size 1."""
    spatial = input.dim() - 2
    if spatial == 1:
        return 1, input.unsqueeze(-2), weight.unsqueeze(-2)
    if spatial == 2:
        return 2, input, weight
    raise NotComputed(f"a convolution over {spatial} dimensions: binade's have one or two")


def _of_two(values: Sequence[int], spatial: int, fill: int) -> tuple[int, int]:
    """A number for each spatial dimension as two; where there is one dimension, the other gets `fill`."""
    each = tuple(values) * (spatial if len(values) == 1 else 1)
    return (fill, each[0]) if spatial == 1 else (each[0], each[1])


def _transposed_shape(
    input: torch.Tensor,
    weight: torch.Tensor,
    stride: tuple[int, int],
    padding: tuple[int, int],
    dilation: tuple[int, int],
    output_padding: tuple[int, int],
    groups: int,
) -> tuple[Shape, tuple[int, int]]:
    """The convolution whose gradient by its input a transposed convolution is, and how many rows and columns of the result lie beyond
    what it reaches: zeros, before the bias."""
    sizes, after, beyond = [], [], []
    for axis in range(2):
        size = (
            (input.shape[2 + axis] - 1) * stride[axis]
            - 2 * padding[axis]
            + dilation[axis] * (weight.shape[2 + axis] - 1)
            + output_padding[axis]
            + 1
        )
        # Of a whole step more the convolution would have a result more. Less padding after it gives the same size.
        extra = output_padding[axis] if output_padding[axis] >= stride[axis] else 0
        zeros = max(extra - padding[axis], 0)
        sizes.append(size - zeros)
        after.append(padding[axis] - extra + zeros)
        beyond.append(zeros)
    whole = (input.shape[0], weight.shape[1] * groups, sizes[0], sizes[1])
    both = ((padding[0], after[0]), (padding[1], after[1]))
    shape = convolution_shape(whole, tuple(weight.shape), stride, both, dilation, groups)
    return shape, (beyond[0], beyond[1])


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
