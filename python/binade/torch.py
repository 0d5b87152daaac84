"""PyTorch's products under an FMA operator, forwards and backwards, and quantisers for any format.

    with binade.torch.arith("bf16:bf16") as counted:
        loss = model(x).square().mean()
        loss.backward()

Inside the `with`, binade's kernels compute every matrix product and convolution on the CPU: mm, addmm, bmm, baddbmm, addbmm, mv,
addmv, dot, addr, grouped products, convolution and its gradients, in all their forms. Linear layers, attention, einsum and recurrent
layers consist of these. Operands are read as the operator reads binary32, and sums have the stated order. 16-bit operands are widened
and results rounded back to nearest even. Everything else (elementwise work and sums, softmax, normalisation, pooling, interpolation,
the optimiser) stays PyTorch's.

Some products stay PyTorch's and are counted in `left`, by the name of their operator: those of binary64, complex, integer, sparse,
nested and quantised tensors, of fused kernels that a program chose itself, of factorizations, Fourier transforms and operators of other
libraries. With `strict=True` they are an error. `_operators_torch.py` has the rules. `torch.linalg.vecdot` and `cosine_similarity` are
elementwise products and a sum to PyTorch, as `(x * y).sum()` is.

Layers can have operators of their own, or stay PyTorch's, in both directions:

    with binade.torch.arith("bf16:bf16", model=model, layers={"head": "f32", "blocks.*.attention": "bf16x2:bf16x2/3"}):
"""

from __future__ import annotations

import bisect
import contextlib
import os
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import torch
from torch.utils import _python_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

from . import _distribution as _distribution
from ._arrays import seed_of
from ._binade import stream
from ._format import Format
from . import _products
from ._products import Operator
from ._operators_torch import BACKEND, Rule, kernel, multiplies, product, rule
from ._products_torch import Arithmetic, NotComputed
from ._binade import Recipe, is_recipe
from ._difference_torch import FirstDifference, LayerDifference, dump_layers, first_difference
from ._inference_torch import CACHES, SCORES, VALUES, Attention, AttentionParts, CacheFormat, batched, threads_of
from ._calibrate_torch import calibrate
from ._calibration import Calibration, Observed
from ._optimizer_torch import Stored, StoredBias
from ._static_torch import StaticScales
from ._recipes_torch import RecipeArithmetic, Roles, _product, by_layer, left_out

__all__ = [
    "Calibration",
    "FirstDifference",
    "LayerDifference",
    "Observed",
    "Quantizer",
    "Stored",
    "StoredBias",
    "arith",
    "calibrate",
    "dump_layers",
    "first_difference",
    "quantize",
]

# Types whose products an operator computes; others (binary64, complex, integers) stay PyTorch's.
_REACHED = (torch.float32, torch.float16, torch.bfloat16)


class arith(TorchDispatchMode):  # noqa: N801: used as a function
    """A context in which an operator computes products.

    `operator` and `order` are as in `binade.matmul`. Under a block format, as `mxfp4:f32`, products of matrices encode both operands in
    blocks, also for gradients, and convolutions raise an error. After use, `reached` counts the products of the operator by the names of
    PyTorch's operators, and `left` those that PyTorch computed. With `strict`, a product of PyTorch's is a `RuntimeError`, except in
    layers to which `layers` gives PyTorch's own products.

        >>> import torch
        >>> with arith("bf16:bf16") as counted:
        ...     print((torch.ones(1, 512) @ torch.ones(512, 1)).item())
        256.0
        >>> dict(counted.reached)
        {'mm': 1}

    In place of an operator there may be a recipe of `binade recipes`, with its sums as in `nvfp4-training@b200`. It quantises the
    operands of the model's linear layers and convolutions, each by its role, and so do their gradients, which are straight-through. It
    needs a `model`, whose parameters are the weights. Other products, as those of attention, stay PyTorch's and are counted in `left`.
    Stochastic rounding draws from `seed` and the number of the product in the context. ::

        with arith("nvfp4-training", model=model, seed=1) as context:
            loss(model(x)).backward()
        context.not_finite["0"]   # Counter({'gradient': 2}): NaN or infinite, of the gradient of layer 0's output

    A convolution is a product of patches, with blocks along the channels of one place. Where blocks do not divide an operand, the last
    ones are shorter; with `uneven="leave"` the product stays PyTorch's. NaN and infinities in operands make their results NaN or
    infinite, also under formats that have neither. `not_finite` counts them by layer and role. `Stored` keeps weights and optimizer states
    in the recipe's formats.

    With a `model`, `layers` gives operators or recipes to some of its layers. Its keys are names of `model.named_modules()`, with `*` and `?` for
    any characters; its values are operators, or `"f32"` for PyTorch's own products. A name applies to the layers inside, too. The first
    name that fits a product counts; if none fits, `operator` computes it. The layer of a product is the innermost one whose `forward`
    runs. Gradients belong to the layer that computed their result; if it ran outside this context, that is a `RuntimeError`.
    `by_layer` has a counter for each layer. Names that no layer has are a `ValueError`. This needs PyTorch 2.1. ::

        with arith("bf16:bf16", model=model, layers={"0": "bf16x2:bf16x2/3", "head*": "f32"}) as counted:
            model(x).sum().backward()
        counted.by_layer["0"]   # Counter({'mm': 2, 'addmm': 1})

    For inference, products without gradients (`torch.no_grad()`) quantise each weight once. With `attention`, a model's attention is
    computed in parts: an operator or a recipe for both of its products, or a mapping with `scores`, `softmax` (a format that
    probabilities are rounded to) and `values`. With `kv_cache`, the caches of transformers store keys and values in a format,
    `FORMAT[/scale=tensor|head|row|1x32]`, also in `generate`; attention reads the stored values. `written` counts the tensors. ::

        with torch.no_grad(), arith("nvfp4", model=model, attention="bf16:f32", kv_cache="float8_e4m3fn") as counted:
            model.generate(**tokens, max_new_tokens=20)

    With a `calibration` (of `calibrate`, or its file), the inputs of linear layers have static scales where the recipe's format has one for a
    tensor: FP8 then has one scale for all tokens, NVFP4 a calibrated global scale over its dynamic blocks. `kv_cache="float8_e4m3fn/scale=static"` takes
    its scales from there, too. `static` says the magnitude that a scale keeps: `largest`, a percentile as `99.9`, or `mse`; larger ones saturate.
    With None, only the cache has static scales. ::

        calibration = calibrate(model, batches)
        with torch.no_grad(), arith("w8a8", model=model, calibration=calibration, kv_cache="float8_e4m3fn/scale=static"):
            model(**tokens)

    An operator that rounds stochastically, as `bf16:bf16/rounding=stochastic`, takes its random bits under `seed` and the number of the
    product in this context, over all entries. `state_dict()` has both, and `load_state_dict` continues after it, so that a training
    that is resumed has the same bits as one that was not stopped. Products in several threads are numbered as they begin. ::

        with arith("bf16:bf16/rounding=stochastic", seed=1) as context:
            model(x).sum().backward()
        torch.save({"model": model.state_dict(), "arith": context.state_dict()}, "checkpoint.pt")

    The context applies to the thread that enters it, to threads that this thread starts inside, and to its tasks for a
    `ThreadPoolExecutor`, until it ends. It does not apply to other threads. A context can be entered several times, nested or in several
    threads. While any context is open, PyTorch's fused kernels (oneDNN, attention, encoder layers) are off in the whole process, so that
    their products become visible. Functions of `torch.compile` run uncompiled (the stance `force_eager`, from PyTorch 2.6 on), so that
    `flex_attention` is computed, too.
    """

    # Higher-order operators (flex_attention, cond) come here, too.
    supports_higher_order_operators = True

    def __init__(
        self,
        operator: str | Operator | Recipe,
        order: str = "sequential",
        *,
        threads: int | None = None,
        model: torch.nn.Module | None = None,
        layers: Mapping[str, str | Operator | Recipe] | None = None,
        strict: bool = False,
        seed: int = 0,
        uneven: str = "pad",
        attention: str | Operator | Recipe | Mapping[str, str | Operator | Recipe] | None = None,
        kv_cache: str | None = None,
        calibration: Calibration | str | os.PathLike[str] | None = None,
        static: str | None = "largest",
    ) -> None:
        super().__init__()
        if uneven not in ("pad", "leave"):
            raise ValueError(f"uneven must be 'pad' or 'leave': got {uneven!r}")
        self.uneven = uneven
        self.operator = _operator(operator, order)
        self.seed = seed_of(seed)
        self.drawn = 0
        self.order = order
        self.threads = threads
        self.strict = strict
        self.reached: Counter[str] = Counter()
        self.left: Counter[str] = Counter()
        self.by_layer: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.not_finite: defaultdict[str, Counter[str]] = defaultdict(Counter)
        if layers is not None and model is None:
            raise TypeError("layers are those of a model: give it as model=")
        self._model = model
        self._places = None if model is None else _Places(model)
        of_layers = [(name, None if op == "f32" else _operator(op, order)) for name, op in (layers or {}).items()]
        self._roles = None if model is None or self._places is None else Roles(model, self._places.recomputes)
        if isinstance(self.operator, Recipe):
            if model is None:
                raise TypeError(f"a recipe tells weights from activations by the model: give it as model=, beside {self.operator.name!r}")
            of_layers += [(name, None) for name in left_out(model, self.operator)]
        self._operators: dict[str, Operator | Recipe | None] = {}
        if model is not None and self._places is not None:
            self._operators = by_layer(model, of_layers, self.operator)
            self._places.told_apart = bool(of_layers)
        self.written: Counter[str] = Counter()
        self._cache = None if kv_cache is None else CacheFormat(kv_cache)
        if attention is not None and model is None:
            raise TypeError("attention is that of a model: give it as model=")
        self._attention = None if attention is None else Attention(attention, partial(_operator, order=order))
        self._static = None if calibration is None else StaticScales(model, self._operators, calibration, static, self._cache)
        if self._static is not None:
            self._operators = self._static.operators
        elif self._cache is not None and self._cache.is_static:
            raise TypeError(f"kv_cache {kv_cache} reads its scales from a calibration: give it as calibration=")
        # Number of entries in all threads.
        self._entered, self._lock = 0, threading.Lock()
        self._here = _Here()

    def _draw(self) -> int:
        """The key of the next product's random bits."""
        with self._lock:
            number = self.drawn
            self.drawn += 1
        return stream(self.seed, [number & 0xFFFFFFFF, number >> 32])

    def forget_weights(self) -> None:
        """Reads the model's weights anew and drops quantised ones. Call it after weights were put in place of others, as when layers are
        loaded one at a time; changes of the numbers in a weight are noticed without it.
        """
        if self._roles is not None and self._places is not None:
            self._roles = Roles(self._model, self._places.recomputes)

    def state_dict(self) -> dict[str, int]:
        """The seed and the number of products so far, for `load_state_dict`."""
        return {"seed": self.seed, "drawn": self.drawn}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Continues as the context did whose `state_dict` this is."""
        self.seed, self.drawn = state["seed"], state["drawn"]

    def __enter__(self) -> arith:
        _SHARED.open()
        with self._lock:
            if self._entered == 0 and self._places is not None:
                self._places.watch()
            self._entered += 1
        if self._places is not None:
            self._places.begin()
        if self._cache is not None:
            CACHES.open(_writer_of_thread)
        super().__enter__()
        self._open_attention()
        _ACTIVE.contexts.append(self)
        return self

    def __exit__(self, *raised: Any) -> None:
        _ACTIVE.contexts.pop()
        self._close_attention()
        super().__exit__(*raised)
        if self._cache is not None:
            CACHES.close(_writer_of_thread)
        if self._places is not None:
            self._places.end()
        with self._lock:
            self._entered -= 1
            if self._entered == 0 and self._places is not None:
                self._places.leave()
        _SHARED.close()

    @contextlib.contextmanager
    def _inside(self) -> Iterator[None]:
        """The context around a part of its own computation, which does not count as another entry."""
        _python_dispatch._push_mode(self)
        try:
            yield
        finally:
            _python_dispatch._pop_mode()

    @contextlib.contextmanager
    def _inherited(self) -> Iterator[None]:
        """The context in a thread that was started inside the block. After the end of the block it does nothing."""
        _ACTIVE.contexts.append(self)
        if self._places is not None:
            self._places.begin()
        try:
            with self._inside():
                self._open_attention()
                try:
                    yield
                finally:
                    self._close_attention()
        finally:
            if self._places is not None:
                self._places.end()
            _ACTIVE.contexts.pop()

    def _open_attention(self) -> None:
        if self._attention is not None:
            parts = AttentionParts(self._attention, self._marked)
            parts.__enter__()
            self._here.parts.append(parts)

    def _close_attention(self) -> None:
        if self._attention is not None:
            self._here.parts.pop().__exit__(None, None, None)

    @contextlib.contextmanager
    def _marked(self, part: str) -> Iterator[None]:
        """The context around a product that is this part of attention."""
        before, self._here.part = self._here.part, part
        try:
            yield
        finally:
            self._here.part = before

    def _part_of_attention(self, tensors: list[torch.Tensor]) -> str | None:
        """The part of attention that a product of batches is. Without a mark, a layer's products are by turns scores and values."""
        if self._attention is None or self._places is None or any(tensor.dim() < 3 for tensor in tensors):
            return None
        if self._here.part is not None:
            return self._here.part
        products = self._places.products_of_attention()
        return None if products is None else (SCORES, VALUES)[products % 2]

    def _is_softmax_of_attention(self, function: Any) -> bool:
        """Returns true for a softmax after the scores of a layer that computes its attention by single operators."""
        softmax = function is torch.ops.aten._softmax.default and self._places is not None
        return softmax and self._places is not None and self._places.after_scores()

    def _write(self, what: str, states: torch.Tensor) -> torch.Tensor:
        """Keys or values in the format of the cache."""
        assert self._cache is not None
        self._count(self.written, what)
        clip = None
        if self._cache.is_static and self._static is not None and self._places is not None:
            clip = self._static.of_cache(what, self._places.current())
        return self._cache.values(states, clip)

    def __torch_dispatch__(
        self, function: Any, types: Any, arguments: tuple[Any, ...] = (), keywords: dict[str, Any] | None = None
    ) -> Any:
        keywords = keywords or {}
        # A block that has ended, of which this thread was; and the same context around itself, which has counted already.
        if self._entered == 0 or self._here.passing:
            return function(*arguments, **keywords)
        if isinstance(function, _HIGHER_ORDER):
            return self._higher_order(function, arguments, keywords)
        # A subclass says itself which operators it is made of.
        if any(kind.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__ for kind in types):
            return NotImplemented
        compute = product(function)
        if compute is not None:
            return self._product(compute, function, arguments, keywords)
        if self._attention is not None and self._attention.rounds_softmax and self._is_softmax_of_attention(function):
            return self._attention.softmax(function(*arguments, **keywords))
        becomes = rule(function)
        if becomes is Rule.PLAIN:
            return function(*arguments, **keywords)
        if becomes is Rule.LEFT_IF_WEIGHTED:
            at = [argument.name for argument in function._schema.arguments].index("per_sample_weights")
            weights = keywords.get("per_sample_weights", arguments[at] if len(arguments) > at else None)
            becomes = Rule.PLAIN if weights is None else Rule.LEFT
        tensors = _tensors(arguments, keywords)
        run = None
        if becomes is Rule.APART and not any(tensor.is_nested for tensor in tensors):
            run = kernel(function, ("CompositeImplicitAutograd",))
        elif becomes is Rule.APART:
            becomes = Rule.LEFT if multiplies(_name(function)) else Rule.PLAIN
        elif becomes in (Rule.OPENED, Rule.UNKNOWN) and not any(map(_structure, tensors)):
            run = kernel(function, BACKEND)
        if becomes is Rule.PLAIN or _without_numbers(tensors):
            return function(*arguments, **keywords)
        if run is None:
            why = _first(map(_unlike, tensors)) or "PyTorch computes it as a whole"
            return self._left(function, why, arguments, keywords)
        seen = self._seen()
        with self._inside():
            result = run(*arguments, **keywords)
        if becomes is Rule.UNKNOWN and seen == self._seen():
            self._count_left(function, "an operator of another library, which may multiply")
        return result

    def _seen(self) -> int:
        return self.reached.total() + self.left.total()

    def _product(self, compute: Callable[..., Any], function: Any, arguments: Any, keywords: Any) -> Any:
        name = _name(function)
        tensors = _tensors(arguments, keywords)
        if _without_numbers(tensors):
            return function(*arguments, **keywords)
        if any(tensor.device.type != "cpu" for tensor in tensors):
            devices = sorted({str(tensor.device) for tensor in tensors})
            raise RuntimeError(f"{name} on {', '.join(devices)}: binade computes on the CPU")
        operator: Operator | Recipe | None = self.operator
        layer = ""
        part = self._part_of_attention(tensors)
        if self._places is not None:
            layer = self._places.current()
            self._count(self.by_layer[layer], name)
            operator = self._operators[layer]
        if part is not None and self._attention is not None:
            operator = self._attention.products.get(part)
            if isinstance(operator, Recipe):
                return self._batched(operator, name, function, arguments, keywords)
        if operator is None:
            self._count(self.left, name)
            return self._pass(function, arguments, keywords)
        why = _first(map(_unlike, tensors))
        if why is not None:
            return self._left(function, why, arguments, keywords)
        try:
            result = compute(self._arithmetic(operator, layer), *arguments, **keywords)
        except NotComputed as error:
            return self._left(function, str(error), arguments, keywords)
        except ValueError as error:
            # PyTorch's own type of error for shapes that do not fit.
            raise RuntimeError(f"{name}: {error}") from None
        self._count(self.reached, name)
        return result

    def _batched(self, recipe: Recipe, name: str, function: Any, arguments: Any, keywords: Any) -> Any:
        """A product of attention whose operands a recipe quantises."""
        a, b = arguments[:2]
        product = _product(recipe, "forward", False, threads_of(a, b, self.threads)) if name == "bmm" and not keywords else None
        if product is None:
            return self._left(function, f"recipe {recipe.name} does not quantise it", arguments, keywords)
        result = batched(product, a, b, self._draw()).to(a.dtype)
        self._count(self.reached, name)
        return result

    def _arithmetic(self, operator: Operator | Recipe, layer: str) -> Arithmetic:
        if isinstance(operator, Operator):
            return Arithmetic(operator, self.order, self.threads, draw=self._draw)
        # A recipe has a model, which was checked when the context was made.
        assert self._roles is not None
        whole = self.uneven == "leave"
        return RecipeArithmetic(
            operator,
            self._roles,
            self.threads,
            draw=self._draw,
            note=partial(self._note, layer),
            whole=whole,
            clip=None if self._static is None else self._static.inputs.get(layer),
        )

    def _note(self, layer: str, role: str, count: int) -> None:
        """Counts operands that are not finite."""
        self._count(self.not_finite[layer], role, count)

    def _higher_order(self, function: Any, arguments: Any, keywords: Any) -> Any:
        """An operator that takes functions: by its definition in terms of others, inside the context."""
        definition = function.py_kernels.get(torch._C.DispatchKey.CompositeExplicitAutograd)
        if definition is None:
            return self._left(function, "it has no definition by other operators", arguments, keywords)
        with self._inside():
            return definition(*arguments, **keywords)

    def _left(self, function: Any, why: str, arguments: Any, keywords: Any) -> Any:
        self._count_left(function, why)
        return self._pass(function, arguments, keywords)

    def _count_left(self, function: Any, why: str) -> None:
        name = _name(function)
        if self.strict:
            raise RuntimeError(f"{name} is left to PyTorch, and the context is strict: {why}")
        self._count(self.left, name)

    def _pass(self, function: Any, arguments: Any, keywords: Any) -> Any:
        """PyTorch's own product, which has been counted: if the context is around itself, it is not again."""
        self._here.passing = True
        try:
            return function(*arguments, **keywords)
        finally:
            self._here.passing = False

    def _count(self, counter: Counter[str], name: str, count: int = 1) -> None:
        with self._lock:
            counter[name] += count


class _Here(threading.local):
    """The state of a context in a thread: true while it passes a product on to PyTorch."""

    passing = False
    # The part of attention that the next product is, if one is marked.
    part: str | None = None

    def __init__(self) -> None:
        self.parts: list[AttentionParts] = []


class _Active(threading.local):
    """The contexts that this thread is in, the outermost first."""

    def __init__(self) -> None:
        self.contexts: list[arith] = []


_ACTIVE = _Active()


def _writer_of_thread() -> Callable[[str, torch.Tensor], torch.Tensor] | None:
    """What the key-value caches of this thread write by: its innermost context with a format."""
    return next((context._write for context in reversed(_ACTIVE.contexts) if context._cache is not None), None)


def _name(function: Any) -> str:
    """The name of an operator in counters, without the namespace for PyTorch's own."""
    if isinstance(function, _HIGHER_ORDER):
        return str(function.name())
    name: str = function._schema.name
    return name.removeprefix("aten::")


def _tensors(arguments: Any, keywords: Any) -> list[torch.Tensor]:
    """The tensors among arguments, and in lists of them."""
    found: list[torch.Tensor] = []
    for argument in (*arguments, *keywords.values()):
        if isinstance(argument, torch.Tensor):
            found.append(argument)
        elif isinstance(argument, (list, tuple)):
            found += [each for each in argument if isinstance(each, torch.Tensor)]
    return found


def _without_numbers(tensors: list[torch.Tensor]) -> bool:
    """Returns true if tensors have shapes only, so that nothing is computed."""
    return bool(tensors) and all(tensor.device.type == "meta" for tensor in tensors)


def _structure(tensor: torch.Tensor) -> str | None:
    """The kind of a tensor that is not a dense array of numbers."""
    if tensor.is_nested:
        return "a nested tensor"
    if tensor.layout != torch.strided:
        return f"a tensor of layout {str(tensor.layout).removeprefix('torch.')}"
    return "a quantised tensor" if tensor.is_quantized else None


def _unlike(tensor: torch.Tensor) -> str | None:
    """The reason why operators do not compute products of a tensor, or None."""
    if tensor.dtype not in _REACHED:
        return _structure(tensor) or f"a tensor of {str(tensor.dtype).removeprefix('torch.')}"
    return _structure(tensor)


def _first(reasons: Iterable[str | None]) -> str | None:
    return next(filter(None, reasons), None)


# The function that sets the stance of `torch.compile`, from PyTorch 2.6 on.
_set_stance: Any = getattr(getattr(torch, "compiler", None), "set_stance", None)


def _untraced(function: Callable[..., None]) -> Callable[..., None]:
    """Hides a function from `torch.compile`. A function that sets the stance must not be traced, and contexts open in compiled functions."""
    untraced: Callable[..., None] = function if _set_stance is None else torch._disable_dynamo(function)
    return untraced


class _Shared:
    """Settings of the process, which the first open context changes and the last one restores."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open = 0
        self._undo = contextlib.ExitStack()

    @_untraced
    def open(self) -> None:
        with self._lock:
            if self._open == 0:
                with contextlib.ExitStack() as stack:
                    _plain_kernels(stack)
                    _run_compiled_eagerly(stack)
                    _keep_flags(stack)
                    _follow_threads(stack)
                    self._undo = stack.pop_all()
            self._open += 1

    @_untraced
    def close(self) -> None:
        with self._lock:
            self._open -= 1
            if self._open == 0:
                self._undo.close()


_SHARED = _Shared()


def _plain_kernels(stack: contextlib.ExitStack) -> None:
    """Has PyTorch compute attention, encoder and recurrent layers from single operators, not by fused kernels.

    The flags are set one by one: contexts of PyTorch that do so must end in the thread that began them.
    """

    def switch(get: Callable[[], bool], set: Callable[[bool], Any], to: bool) -> None:
        stack.callback(set, get())
        set(to)

    switch(torch._C._get_mkldnn_enabled, torch._C._set_mkldnn_enabled, False)
    mha = getattr(torch.backends, "mha", None)
    if mha is not None:
        switch(mha.get_fastpath_enabled, mha.set_fastpath_enabled, False)
    cuda = torch.backends.cuda
    for name, to in (("flash", False), ("mem_efficient", False), ("cudnn", False), ("math", True)):
        if hasattr(cuda, f"enable_{name}_sdp"):
            switch(getattr(cuda, f"{name}_sdp_enabled"), getattr(cuda, f"enable_{name}_sdp"), to)


def _run_compiled_eagerly(stack: contextlib.ExitStack) -> None:
    """Has functions of `torch.compile` run uncompiled, from PyTorch 2.6 on. The compiler refuses dispatch modes, also in flex_attention."""
    if _set_stance is not None:
        stack.push(_set_stance("force_eager").__exit__)


# Flags of PyTorch that say whether any mode is active: each mode puts back the one it found, which is wrong where modes overlap.
_FLAGS = (
    "_is_in_torch_dispatch_mode",
    "_is_in_non_infra_torch_dispatch_mode",
    "_is_in_any_mode_without_ignore_compile_internals",
)


def _keep_flags(stack: contextlib.ExitStack) -> None:
    for name in _FLAGS:
        if hasattr(_python_dispatch, name):
            stack.callback(setattr, _python_dispatch, name, getattr(_python_dispatch, name))
    compiled = getattr(_python_dispatch, "set_is_in_mode_without_ignore_compile_internals", None)
    if compiled is not None:
        stack.callback(compiled, getattr(_python_dispatch, _FLAGS[-1], False))


def _follow_threads(stack: contextlib.ExitStack) -> None:
    """Has the contexts of a thread hold for threads that it starts, and for what it gives to a pool of them."""
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit

    def inside(contexts: Sequence[arith], work: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        with contextlib.ExitStack() as inherited:
            for context in contexts:
                inherited.enter_context(context._inherited())
            return work(*arguments, **keywords)

    def start_inside(self: threading.Thread) -> None:
        contexts = list(_ACTIVE.contexts)
        # Workers of a pool take what several threads give it.
        pool = getattr(getattr(self, "_target", None), "__module__", None) == "concurrent.futures.thread"
        if contexts and not pool:
            self.run = partial(inside, contexts, self.run)  # type: ignore[method-assign]
        start(self)

    def submit_inside(self: ThreadPoolExecutor, work: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        contexts = list(_ACTIVE.contexts)
        return submit(self, partial(inside, contexts, work) if contexts else work, *arguments, **keywords)

    def put_back() -> None:
        if threading.Thread.start is start_inside:
            threading.Thread.start = start  # type: ignore[method-assign]
        if ThreadPoolExecutor.submit is submit_inside:
            ThreadPoolExecutor.submit = submit  # type: ignore[method-assign]

    threading.Thread.start = start_inside  # type: ignore[method-assign]
    ThreadPoolExecutor.submit = submit_inside  # type: ignore[method-assign, assignment]
    stack.callback(put_back)


# Operators that take functions, as flex_attention does; of PyTorch 2 on.
_HIGHER_ORDER: Any = tuple(
    kind for kind in [getattr(torch._ops, "HigherOrderOperator", None)] if kind is not None
)

# The number that autograd's next node gets, of PyTorch 2.1 on.
_next_number: Any = getattr(torch.autograd, "_get_sequence_nr", None)


def _operator(operator: str | Operator | Recipe, order: str) -> Operator | Recipe:
    """An operator or a recipe; an order that it has no meaning in is refused now, not in the middle of a step."""
    if isinstance(operator, Recipe) or isinstance(operator, str) and is_recipe(operator):
        if order != "sequential":
            raise ValueError(f"recipe {operator}: its products have no other order than sequential, and this is {order}")
        return operator if isinstance(operator, Recipe) else Recipe(operator)
    operator = operator if isinstance(operator, Operator) else Operator(operator)
    _products.product(operator.name, order, 1)
    return operator


class _Places:
    """Layers of a model, and the one that a product belongs to.

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
        # True if layers have different operators.
        self.told_apart = False
        self._hooks = contextlib.ExitStack()
        # Autograd numbers the nodes of each thread by themselves.
        self._here = _Layers()

    def watch(self) -> None:
        """Notices layers beginning and ending, until `leave`."""
        for name, layer in self.layers.items():
            before = layer.register_forward_pre_hook(partial(self._begin, name), prepend=True)
            after = layer.register_forward_hook(self._end, always_call=True)
            self._hooks.callback(before.remove)
            self._hooks.callback(after.remove)

    def leave(self) -> None:
        self._hooks.close()

    def begin(self) -> None:
        """The context begins in this thread: nodes from here on are of layers."""
        here = self._here
        here.depth += 1
        if here.depth == 1:
            here.running.clear()
            here.products.clear()
            self._change("")

    def end(self) -> None:
        """The context ends in this thread: nodes from here on are of none."""
        self._here.depth -= 1
        if self._here.depth == 0:
            self._change(None)

    def _begin(self, name: str, layer: Any, inputs: Any) -> None:
        self._here.running.append((name, _current_node()))
        self._here.products.append(0)
        self._change(name)

    def _end(self, layer: Any, inputs: Any, result: Any) -> None:
        if self._here.running:
            self._here.running.pop()
            self._here.products.pop()
        self._change(self._innermost())

    def _change(self, name: str | None) -> None:
        number, here = _next_number(), self._here
        if number == here.starts[-1]:
            here.names[-1] = name
        elif name != here.names[-1]:
            here.starts.append(number)
            here.names.append(name)
        if len(here.starts) > self.KEPT:
            del here.starts[: self.KEPT // 2], here.names[: self.KEPT // 2]

    def products_of_attention(self) -> int | None:
        """The number of products of batches before this one in the running layer, if it is one of attention."""
        here = self._here
        if not here.running or torch._C._current_autograd_node() is not None:
            return None
        name = here.running[-1][0]
        layer = self.layers[name]
        if "attn" not in name.split(".")[-1].lower() and "attention" not in f"{name.split('.')[-1]} {type(layer).__name__}".lower():
            return None
        here.products[-1] += 1
        return here.products[-1] - 1

    def after_scores(self) -> bool:
        """Returns true between the two products of a layer's attention."""
        return bool(self._here.products) and self._here.products[-1] % 2 == 1

    def _innermost(self) -> str:
        return self._here.running[-1][0] if self._here.running else ""

    def recomputes(self) -> bool:
        """Returns true in a layer that runs in a backward pass, as checkpoints do. It was begun at the same node."""
        node, here = _current_node(), self._here
        return node is not None and bool(here.running) and here.running[-1][1] == node

    def current(self) -> str:
        """The layer of what is computed now."""
        node, here = _current_node(), self._here
        if node is None or self.recomputes():
            return self._innermost()
        at = bisect.bisect_right(here.starts, node) - 1
        if at < 0:
            raise RuntimeError(f"the layer of a gradient is known for the last {self.KEPT // 2} layers that ran")
        name = here.names[at]
        if name is None and self.told_apart:
            raise RuntimeError("the layer of a gradient is unknown: its result was not computed in this context and thread")
        return name or ""


class _Layers(threading.local):
    """The running layers of a thread."""

    def __init__(self) -> None:
        # Number of entries of the thread into the context.
        self.depth = 0
        # Layers that are running, each with the node of the backward pass that it runs in, if any.
        self.running: list[tuple[str, int | None]] = []
        # Number of products of batches so far in each of them.
        self.products: list[int] = []
        # Numbers from which on nodes are of a layer, in order, and the layers; None of what is computed outside.
        self.starts: list[int] = [0]
        self.names: list[str | None] = [None]


def _current_node() -> int | None:
    """The number of the autograd node that is computed in a backward pass, if one is."""
    node = torch._C._current_autograd_node()
    return None if node is None else node._sequence_nr()


class _StraightThrough(torch.autograd.Function):
    """Rounds on the way forward, and the gradient by `back` on the way back."""

    @staticmethod
    def forward(
        context: Any, x: torch.Tensor, format: Format, options: dict[str, Any], back: Callable[[torch.Tensor], torch.Tensor] | None
    ) -> torch.Tensor:
        context.back = back
        rounded: torch.Tensor = format.round(x, **options)
        return rounded

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None, None]:  # type: ignore[override]
        return (gradient if context.back is None else context.back(gradient)), None, None, None


def quantize(x: torch.Tensor, format: str | Format, **options: Any) -> torch.Tensor:
    """`x` rounded to a format, with the straight-through gradient: the result's gradient is x's.

    `options` are those of `Format.round`.

        >>> x = torch.tensor([0.3], requires_grad=True)
        >>> y = quantize(x, "float8_e4m3fn")
        >>> y.item(), torch.autograd.grad(y.sum(), x)[0].item()
        (0.3125, 1.0)
    """
    format = format if isinstance(format, Format) else Format(format)
    result: torch.Tensor = _StraightThrough.apply(x, format, options, None)
    return result


class Quantizer(torch.nn.Module):
    """A layer that rounds what passes to a format (`quantize`), and with `gradient` its gradient to another.

    `options` are those of `Format.round`: rounding, saturation, `random_bits` and `threads`, for values and gradients alike.

    Stochastic rounding takes the next elements of its seed's stream for each tensor, values and gradients in the order in which they
    pass, so that a run repeats. `state_dict()` has the seed and how many elements have passed, as the buffer `stream`: a run that
    is resumed goes on where the stream was.

        >>> layer = Quantizer("float8_e4m3fn", gradient="float8_e5m2", rounding="stochastic", seed=7)
        >>> _ = layer(torch.zeros(2, 3))
        >>> layer.seed, layer.passed, layer.state_dict()["stream"].tolist()
        (7, 6, [7, 6])
    """

    # The seed and how many elements have passed, as 64-bit words.
    stream: torch.Tensor

    def __init__(
        self, format: str | Format, gradient: str | Format | None = None, seed: int = 0, **options: Any
    ) -> None:
        super().__init__()
        self.format = format if isinstance(format, Format) else Format(format)
        self.gradient = gradient if isinstance(gradient, Format) or gradient is None else Format(gradient)
        unknown = options.keys() - {"rounding", "saturation", "random_bits", "threads"}
        if unknown:
            raise TypeError(f"no option {', '.join(sorted(unknown))}: there are rounding, saturation, random_bits and threads")
        # Options that are wrong are told now.
        self.format.round(0.0, seed=seed, **options)
        self.options = options
        self.register_buffer("stream", torch.tensor([_signed(seed_of(seed)), 0]))

    @property
    def seed(self) -> int:
        """The seed of the stream."""
        return int(self.stream[0]) & _WORD

    @property
    def passed(self) -> int:
        """Number of elements that have been taken from the stream."""
        return int(self.stream[1]) & _WORD

    def _take(self, tensor: torch.Tensor) -> dict[str, Any]:
        """The options for a tensor, whose elements take the next of the stream."""
        first = self.passed
        with torch.no_grad():
            self.stream[1] += tensor.numel()
        return {**self.options, "seed": self.seed, "first": first}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        back = None if self.gradient is None else self._round_gradient
        result: torch.Tensor = _StraightThrough.apply(x, self.format, self._take(x), back)
        return result

    def _round_gradient(self, gradient: torch.Tensor) -> torch.Tensor:
        if self.gradient is None:
            return gradient
        rounded: torch.Tensor = self.gradient.round(gradient, **self._take(gradient))
        return rounded

    def extra_repr(self) -> str:
        parts = [self.format.name]
        parts += [f"gradient={self.gradient.name}"] if self.gradient is not None else []
        return ", ".join(parts + [f"{name}={value}" for name, value in self.options.items()])


_WORD = (1 << 64) - 1


def _signed(word: int) -> int:
    """A 64-bit word as PyTorch's integers have it."""
    return word - (1 << 64) if word >> 63 else word
