"""PyTorch's products under an FMA operator, forwards and backwards, and quantisers for any format.

    with binade.torch.arith("bf16:bf16"):
        loss = model(x).square().mean()
        loss.backward()

Inside the `with`, every matrix product and convolution on the CPU (mm, addmm, bmm, baddbmm, mv, addmv, dot, convolution and
its gradients, and what linear layers, attention, einsum and recurrent layers are made of) is computed by binade's kernels: binary32
operands as the operator reads them, sums in the stated order. 16-bit operands are widened and results rounded back to
nearest even. Everything else (elementwise work, softmax, normalisation, the optimiser) stays PyTorch's.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ._format import Format
from ._products import Operator, convolution_shape, convolve, matmul, multiplier
from ._types import Shape

__all__ = ["Quantizer", "arith", "quantize"]

_aten = torch.ops.aten

# Types whose products an operator computes; others (binary64, complex, integers) stay PyTorch's.
_REACHED = (torch.float32, torch.float16, torch.bfloat16)


class arith(TorchDispatchMode):  # noqa: N801: used as a function
    """A context in which products are an operator's.

    `operator` and `order` are as in `binade.matmul`. After use, `reached` counts the products computed so by their names,
    and `left` those of types that an operator does not compute (binary64, complex, integers).

        >>> import torch
        >>> with arith("bf16:bf16") as counted:
        ...     print((torch.ones(1, 512) @ torch.ones(512, 1)).item())
        256.0
        >>> dict(counted.reached)
        {'mm': 1}
    """

    def __init__(self, operator: str | Operator, order: str = "sequential", *, threads: int | None = None) -> None:
        super().__init__()
        self.operator = operator if isinstance(operator, Operator) else Operator(operator)
        # Refuses an order that the operator has no meaning in now, not in the middle of a step.
        multiplier(self.operator.name, order, 1)
        self.order = order
        self.threads = threads
        self.reached: Counter[str] = Counter()
        self.left: Counter[str] = Counter()
        self._plain = contextlib.ExitStack()

    def __enter__(self) -> arith:
        plain = _plain_kernels()
        super().__enter__()
        self._plain = plain
        return self

    def __exit__(self, *raised: Any) -> None:
        self._plain.close()
        super().__exit__(*raised)

    def __torch_dispatch__(
        self, function: Any, types: Any, arguments: tuple[Any, ...] = (), keywords: dict[str, Any] | None = None
    ) -> Any:
        keywords = keywords or {}
        compute = _PRODUCTS.get(function)
        if compute is None:
            return function(*arguments, **keywords)
        name = function.overloadpacket.__name__.split(".")[-1]
        tensors = [x for x in arguments if isinstance(x, torch.Tensor)]
        if any(tensor.device.type != "cpu" for tensor in tensors):
            devices = sorted({str(tensor.device) for tensor in tensors})
            raise RuntimeError(f"{name} on {', '.join(devices)}: binade computes on the CPU")
        if any(tensor.dtype not in _REACHED for tensor in tensors):
            self.left[name] += 1
            return function(*arguments, **keywords)
        self.reached[name] += 1
        try:
            return compute(self, *arguments, **keywords)
        except ValueError as error:
            # What PyTorch raises for shapes that do not fit.
            raise RuntimeError(f"{name}: {error}") from None

    def _matmul(self, a: torch.Tensor, b: torch.Tensor, add: torch.Tensor | None = None) -> torch.Tensor:
        result: torch.Tensor = matmul(a, b, self.operator, self.order, add=add, threads=self.threads)
        return result.to(a.dtype)

    def _scaled(
        self, c: torch.Tensor, a: torch.Tensor, b: torch.Tensor, beta: float, alpha: float
    ) -> torch.Tensor:
        """beta · C + alpha · A · B: the sums start at C where both factors are 1, and are scaled afterwards otherwise."""
        if beta == 1 and alpha == 1:
            return self._matmul(a, b, add=c)
        product = self._matmul(a, b)
        product = product if alpha == 1 else product * alpha
        return product if beta == 0 else product + (c if beta == 1 else c * beta)

    def _convolve(self, part: Any, shape: Any, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        operands = (a.detach().float().numpy(), b.detach().float().numpy())
        result = convolve(part, shape, *operands, self.operator.name, self.order, self.threads)
        return torch.from_numpy(result).to(a.dtype)


def _plain_kernels() -> contextlib.ExitStack:
    """Has PyTorch take the plain form of what it otherwise computes as a whole: attention, recurrent layers."""
    stack = contextlib.ExitStack()
    stack.enter_context(torch.backends.mkldnn.flags(enabled=False))
    mha = getattr(torch.backends, "mha", None)
    if mha is not None:
        fast = mha.get_fastpath_enabled()
        mha.set_fastpath_enabled(False)
        stack.callback(mha.set_fastpath_enabled, fast)
    attention = getattr(torch.nn, "attention", None)
    if attention is not None:
        stack.enter_context(attention.sdpa_kernel(attention.SDPBackend.MATH))
    return stack


def _mm(mode: arith, a: Any, b: Any) -> Any:
    return mode._matmul(a, b)


def _addmm(mode: arith, c: Any, a: Any, b: Any, *, beta: float = 1, alpha: float = 1) -> Any:
    return mode._scaled(c, a, b, beta, alpha)


def _convolution(
    mode: arith,
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
        result = mode._convolve("forward", shape, input, weight)
    else:
        shape = _transposed_shape(input, weight, stride, padding, dilation, _of_two(output_padding, spatial, 0), groups)
        result = mode._convolve("input_gradient", shape, input, weight)
    result = result if spatial == 2 else result.squeeze(-2)
    if bias is None:
        return result
    return result + bias.reshape(-1, *[1] * spatial)


def _convolution_backward(
    mode: arith,
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
            of_input = mode._convolve("input_gradient", shape, gradient2, weight2)
        if wanted[1]:
            of_weight = mode._convolve("weight_gradient", shape, input2, gradient2)
    else:
        shape = _transposed_shape(
            input2, weight2, stride, padding, dilation, _of_two(output_padding, spatial, 0), groups
        )
        if wanted[0]:
            of_input = mode._convolve("forward", shape, gradient2, weight2)
        if wanted[1]:
            of_weight = mode._convolve("weight_gradient", shape, gradient2, input2)
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
    raise NotImplementedError(f"a convolution over {spatial} dimensions: binade's have one or two")


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
) -> Shape:
    """The convolution whose gradient by its input a transposed convolution is."""
    height, width = (
        (input.shape[2 + axis] - 1) * stride[axis]
        - 2 * padding[axis]
        + dilation[axis] * (weight.shape[2 + axis] - 1)
        + output_padding[axis]
        + 1
        for axis in range(2)
    )
    whole = (input.shape[0], weight.shape[1] * groups, height, width)
    return convolution_shape(whole, tuple(weight.shape), stride, padding, dilation, groups)


# What is a product, and how it is computed.
_PRODUCTS: dict[Any, Any] = {
    _aten.mm.default: _mm,
    _aten.bmm.default: _mm,
    _aten.mv.default: _mm,
    _aten.dot.default: _mm,
    _aten.vdot.default: _mm,
    _aten.addmm.default: _addmm,
    _aten.baddbmm.default: _addmm,
    _aten.addmv.default: _addmm,
    _aten.convolution.default: _convolution,
    _aten.convolution_backward.default: _convolution_backward,
}


class _StraightThrough(torch.autograd.Function):
    """Rounds on the way forward; gradients pass as they are."""

    @staticmethod
    def forward(context: Any, x: torch.Tensor, format: Format, options: dict[str, Any]) -> torch.Tensor:
        rounded: torch.Tensor = format.round(x, **options)
        return rounded

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:  # type: ignore[override]
        return gradient, None, None


def quantize(x: torch.Tensor, format: str | Format, **options: Any) -> torch.Tensor:
    """`x` rounded to a format, with the straight-through gradient: the result's gradient is x's.

    `options` are those of `Format.round`.

        >>> x = torch.tensor([0.3], requires_grad=True)
        >>> y = quantize(x, "float8_e4m3fn")
        >>> y.item(), torch.autograd.grad(y.sum(), x)[0].item()
        (0.3125, 1.0)
    """
    format = format if isinstance(format, Format) else Format(format)
    result: torch.Tensor = _StraightThrough.apply(x, format, options)
    return result


class Quantizer(torch.nn.Module):
    """A layer that rounds what passes to a format (`quantize`), and with `gradient` its gradient to another.

    Stochastic rounding takes the next elements of its seed's stream at each call, so that a run repeats.
    """

    def __init__(
        self, format: str | Format, gradient: str | Format | None = None, seed: int = 0, **options: Any
    ) -> None:
        super().__init__()
        self.format = format if isinstance(format, Format) else Format(format)
        self.gradient = gradient if isinstance(gradient, Format) or gradient is None else Format(gradient)
        self.seed = seed
        self.options = options
        self.passed = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first, self.passed = self.passed, self.passed + x.numel()
        y = quantize(x, self.format, seed=self.seed, first=first, **self.options)
        if self.gradient is not None and y.requires_grad:
            of_gradient = self.gradient
            y.register_hook(lambda gradient: of_gradient.round(gradient))
        return y

    def extra_repr(self) -> str:
        return self.format.name
