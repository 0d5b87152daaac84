"""PyTorch's products under an FMA operator, forwards and backwards, and quantisers for any format.

    with binade.torch.arith("bf16:bf16"):
        loss = model(x).square().mean()
        loss.backward()

Inside the `with`, every matrix product and convolution on the CPU (mm, addmm, bmm, baddbmm, mv, addmv, dot, convolution and
its gradients, and what linear layers, attention, einsum and recurrent layers are made of) is computed by binade's kernels: binary32
operands as the operator reads them, sums in the stated order. 16-bit operands are widened and results rounded back to
nearest even. Everything else (elementwise work, softmax, normalisation, the optimiser) stays PyTorch's.

Layers can have operators of their own, or stay PyTorch's, in both directions:

    with binade.torch.arith("bf16:bf16", model=model, layers={"head": "f32", "blocks.*.attention": "bf16x2:bf16x2/3"}):
"""

from __future__ import annotations

import bisect
import contextlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ._format import Format
from ._products import Operator, convolution_shape, convolve, matmul, product
from ._types import Shape

__all__ = ["Quantizer", "arith", "quantize"]

_aten = torch.ops.aten

# Types whose products an operator computes; others (binary64, complex, integers) stay PyTorch's.
_REACHED = (torch.float32, torch.float16, torch.bfloat16)


class arith(TorchDispatchMode):  # noqa: N801: used as a function
    """A context in which products are an operator's.

    `operator` and `order` are as in `binade.matmul`; under a block format, `mxfp4:f32`, products of matrices encode both
    operands in blocks, the gradients' too, and convolutions raise an error. After use, `reached` counts the products computed so by their names,
    and `left` those that PyTorch computed: of types that an operator does not compute (binary64, complex, integers), or of
    layers that are left to it.

        >>> import torch
        >>> with arith("bf16:bf16") as counted:
        ...     print((torch.ones(1, 512) @ torch.ones(512, 1)).item())
        256.0
        >>> dict(counted.reached)
        {'mm': 1}

    With a `model`, `layers` gives operators to some of its layers: names as `model.named_modules()` has them, with `*` and
    `?` for any characters, and for each an operator, or `"f32"` for PyTorch's own products. A name is that of the layers
    inside it, too; of several names that fit a product the first counts, and where none does, `operator` computes it. A
    product's layer is the innermost one whose `forward` runs, and gradients belong where their result was computed.
    `by_layer` has a counter for each layer. Names that no layer has are a `ValueError`. It needs PyTorch 2.1. ::

        with arith("bf16:bf16", model=model, layers={"0": "bf16x2:bf16x2/3", "head*": "f32"}) as counted:
            model(x).sum().backward()
        counted.by_layer["0"]   # Counter({'mm': 2, 'addmm': 1})
    """

    def __init__(
        self,
        operator: str | Operator,
        order: str = "sequential",
        *,
        threads: int | None = None,
        model: torch.nn.Module | None = None,
        layers: Mapping[str, str | Operator] | None = None,
    ) -> None:
        super().__init__()
        self.operator = _operator(operator, order)
        self.order = order
        self.threads = threads
        self.reached: Counter[str] = Counter()
        self.left: Counter[str] = Counter()
        self.by_layer: defaultdict[str, Counter[str]] = defaultdict(Counter)
        if layers is not None and model is None:
            raise TypeError("layers are those of a model: give it as model=")
        self._places = None if model is None else _Places(model)
        of_layers = [(name, None if op == "f32" else _operator(op, order)) for name, op in (layers or {}).items()]
        self._operators = {} if self._places is None else self._places.operators(of_layers, self.operator)
        self._within = contextlib.ExitStack()

    def __enter__(self) -> arith:
        with contextlib.ExitStack() as stack:
            _plain_kernels(stack)
            if self._places is not None:
                self._places.watch(stack)
            super().__enter__()
            self._within = stack.pop_all()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._within.close()
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
        operator: Operator | None = self.operator
        if self._places is not None:
            layer = self._places.current()
            self.by_layer[layer][name] += 1
            operator = self._operators[layer]
        if operator is None or any(tensor.dtype not in _REACHED for tensor in tensors):
            self.left[name] += 1
            return function(*arguments, **keywords)
        self.reached[name] += 1
        try:
            return compute(_Arithmetic(operator, self.order, self.threads), *arguments, **keywords)
        except ValueError as error:
            # What PyTorch raises for shapes that do not fit.
            raise RuntimeError(f"{name}: {error}") from None


# The number that autograd's next node gets, of PyTorch 2.1 on.
_next_number: Any = getattr(torch.autograd, "_get_sequence_nr", None)


def _operator(operator: str | Operator, order: str) -> Operator:
    """An operator; an order that it has no meaning in is refused now, not in the middle of a step."""
    operator = operator if isinstance(operator, Operator) else Operator(operator)
    product(operator.name, order, 1)
    return operator


class _Places:
    """Which layer of a model a product belongs to.

    On the way forward it is the innermost layer whose `forward` runs. On the way back it is told by autograd's sequence
    numbers: nodes are numbered as they are made, so that those of a layer lie between the next number at its beginning and
    that at its end.
    """

    # Changes of the layer that are kept. A step of ResNet-50 has some 300, and the gradients of a step are taken in it.
    KEPT = 1 << 20

    def __init__(self, model: torch.nn.Module) -> None:
        if _next_number is None:
            raise RuntimeError(f"operators by layer need PyTorch 2.1 or later, and this is {torch.__version__}")
        self.layers = {name: layer for name, layer in model.named_modules() if name}
        # Layers that are running, each with the node of the backward pass that it runs in, if any.
        self.running: list[tuple[str, int | None]] = []
        # Numbers from which on nodes are of a layer, in order, and the layers.
        self.starts: list[int] = [0]
        self.names: list[str] = [""]

    def operators(
        self, rules: Sequence[tuple[str, Operator | None]], otherwise: Operator
    ) -> dict[str, Operator | None]:
        """The operator of each layer: that of the first rule whose pattern fits it or a layer that it is in."""
        fits = {}
        for name in self.layers:
            parts = name.split(".")
            fits[name] = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
        for pattern, _ in rules:
            if not any(fnmatchcase(name, pattern) for name in fits):
                some = ", ".join(list(fits)[:8]) + (", …" if len(fits) > 8 else "")
                raise ValueError(f"no layer is called {pattern}: the model has {some or 'none'}")
        return {"": otherwise} | {
            name: next((op for pattern, op in rules if any(fnmatchcase(x, pattern) for x in names)), otherwise)
            for name, names in fits.items()
        }

    def watch(self, stack: contextlib.ExitStack) -> None:
        """Notices layers beginning and ending until the stack is closed."""
        for name, layer in self.layers.items():
            before = layer.register_forward_pre_hook(partial(self._begin, name), prepend=True)
            after = layer.register_forward_hook(self._end, always_call=True)
            stack.callback(before.remove)
            stack.callback(after.remove)
        self.running.clear()

    def _begin(self, name: str, layer: Any, inputs: Any) -> None:
        self.running.append((name, _current_node()))
        self._change()

    def _end(self, layer: Any, inputs: Any, result: Any) -> None:
        self.running.pop()
        self._change()

    def _change(self) -> None:
        number, name = _next_number(), self._innermost()
        if number == self.starts[-1]:
            self.names[-1] = name
        elif name != self.names[-1]:
            self.starts.append(number)
            self.names.append(name)
        if len(self.starts) > self.KEPT:
            del self.starts[: self.KEPT // 2], self.names[: self.KEPT // 2]

    def _innermost(self) -> str:
        return self.running[-1][0] if self.running else ""

    def current(self) -> str:
        node = _current_node()
        # A layer that runs in a backward pass (of checkpoints) was begun at the same node.
        if node is None or (self.running and self.running[-1][1] == node):
            return self._innermost()
        at = bisect.bisect_right(self.starts, node) - 1
        if at < 0:
            raise RuntimeError(f"the layer of a gradient is known for the last {self.KEPT // 2} layers that ran")
        return self.names[at]


def _current_node() -> int | None:
    """The number of the autograd node that is computed in a backward pass, if one is."""
    node = torch._C._current_autograd_node()
    return None if node is None else node._sequence_nr()


class _Arithmetic:
    """An operator in an order, as products are computed by it."""

    def __init__(self, operator: Operator, order: str, threads: int | None) -> None:
        self.operator = operator
        self.order = order
        self.threads = threads

    def _matmul(self, a: torch.Tensor, b: torch.Tensor, add: torch.Tensor | None = None) -> torch.Tensor:
        result: torch.Tensor = matmul(a, b, self.operator, self.order, add=add, threads=self.threads)
        return result.to(a.dtype)

    def _scaled(
        self, c: torch.Tensor, a: torch.Tensor, b: torch.Tensor, beta: float, alpha: float
    ) -> torch.Tensor:
        """beta · C + alpha · A · B: the sums start at C where both factors are 1, and are scaled afterwards otherwise.

        Sums of products in blocks start at 0, and C is added afterwards.
        """
        if beta == 1 and alpha == 1 and self.operator.blocks is None:
            return self._matmul(a, b, add=c)
        product = self._matmul(a, b)
        product = product if alpha == 1 else product * alpha
        return product if beta == 0 else product + (c if beta == 1 else c * beta)

    def _convolve(self, part: Any, shape: Any, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        operands = (a.detach().float().numpy(), b.detach().float().numpy())
        result = convolve(part, shape, *operands, self.operator.name, self.order, self.threads)
        return torch.from_numpy(result).to(a.dtype)


def _plain_kernels(stack: contextlib.ExitStack) -> None:
    """Has PyTorch take the plain form of what it otherwise computes as a whole: attention, recurrent layers."""
    stack.enter_context(torch.backends.mkldnn.flags(enabled=False))
    mha = getattr(torch.backends, "mha", None)
    if mha is not None:
        fast = mha.get_fastpath_enabled()
        mha.set_fastpath_enabled(False)
        stack.callback(mha.set_fastpath_enabled, fast)
    attention = getattr(torch.nn, "attention", None)
    if attention is not None:
        stack.enter_context(attention.sdpa_kernel(attention.SDPBackend.MATH))


def _mm(arithmetic: _Arithmetic, a: Any, b: Any) -> Any:
    return arithmetic._matmul(a, b)


def _addmm(arithmetic: _Arithmetic, c: Any, a: Any, b: Any, *, beta: float = 1, alpha: float = 1) -> Any:
    return arithmetic._scaled(c, a, b, beta, alpha)


def _convolution(
    arithmetic: _Arithmetic,
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
        result = arithmetic._convolve("forward", shape, input, weight)
    else:
        shape = _transposed_shape(input, weight, stride, padding, dilation, _of_two(output_padding, spatial, 0), groups)
        result = arithmetic._convolve("input_gradient", shape, input, weight)
    result = result if spatial == 2 else result.squeeze(-2)
    if bias is None:
        return result
    return result + bias.reshape(-1, *[1] * spatial)


def _convolution_backward(
    arithmetic: _Arithmetic,
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
            of_input = arithmetic._convolve("input_gradient", shape, gradient2, weight2)
        if wanted[1]:
            of_weight = arithmetic._convolve("weight_gradient", shape, input2, gradient2)
    else:
        shape = _transposed_shape(
            input2, weight2, stride, padding, dilation, _of_two(output_padding, spatial, 0), groups
        )
        if wanted[0]:
            of_input = arithmetic._convolve("forward", shape, gradient2, weight2)
        if wanted[1]:
            of_weight = arithmetic._convolve("weight_gradient", shape, gradient2, input2)
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
