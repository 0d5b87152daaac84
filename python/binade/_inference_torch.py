"""Inference under recipes in PyTorch: weights quantised once, attention in parts, and the key-value cache in a format."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.overrides import TorchFunctionMode

from ._arrays import threads_for
from ._binade import BlockProduct, Quantizer, Recipe, RightOperand
from ._patches_torch import Floats
from ._products import MULTIPLY_ADDS, Operator

# The parts of attention, in the order of their computation.
SCORES, SOFTMAX, VALUES = PARTS = ("scores", "softmax", "values")


class Weights:
    """Weights that products without gradients have quantised, for the next products with them.

    A weight is quantised again if it has changed since. A freed one is dropped with the next that is kept, and is never taken for another: a weak
    reference to its memory keeps the identity from being used again. A product with gradients, as in a training, forgets all of them.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], tuple[int, RightOperand, StorageWeakRef]] = {}
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Drops all quantised weights."""
        with self._lock:
            self._kept.clear()

    def quantised(self, recipe: Recipe, product: BlockProduct, weight: torch.Tensor) -> RightOperand | None:
        """The weight as the right operand of a recipe's products; None where each product quantises anew."""
        if torch.is_grad_enabled():
            self.forget()
            return None
        try:
            version = weight._version
        except RuntimeError:
            # A tensor of `inference_mode` does not count its changes.
            return None
        memory = StorageWeakRef(weight.untyped_storage())
        key = (recipe, memory.cdata, weight.storage_offset(), tuple(weight.shape), weight.stride())
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept[0] == version:
            return kept[1]
        right = product.right(_matrix(weight))
        if right is not None:
            with self._lock:
                self._kept = {key: each for key, each in self._kept.items() if not each[2].expired()}
                self._kept[key] = (version, right, memory)
        return right


def _matrix(tensor: torch.Tensor) -> Any:
    return np.ascontiguousarray(tensor.detach().float().numpy())


class Attention:
    """The arithmetic of attention: an operator or a recipe for each of its products, and the format of its softmax.

    A text is for both products. A mapping has the keys `scores` (query times key), `softmax` (a format that the probabilities are
    rounded to) and `values` (probabilities times values); parts that it does not have stay PyTorch's. A recipe quantises both
    operands as its activations.
    """

    def __init__(self, given: str | Operator | Recipe | Mapping[str, Any], read: Callable[[Any], Operator | Recipe]) -> None:
        parts = dict(given) if isinstance(given, Mapping) else {SCORES: given, VALUES: given}
        unknown = sorted(set(parts) - set(PARTS))
        if unknown:
            raise ValueError(f"attention has no part {', '.join(map(repr, unknown))}: its parts are {', '.join(PARTS)}")
        self.products = {
            part: _of_activations(read(op)) for part, op in parts.items() if part != SOFTMAX and op is not None and op != "f32"
        }
        softmax = parts.get(SOFTMAX)
        self._softmax = None if softmax in (None, "f32") else Quantizer(str(softmax))

    @property
    def rounds_softmax(self) -> bool:
        """True if probabilities have a format."""
        return self._softmax is not None

    def softmax(self, probabilities: torch.Tensor) -> torch.Tensor:
        """Probabilities in their format."""
        return probabilities if self._softmax is None else _rounded(self._softmax, probabilities)


def _of_activations(operator: Operator | Recipe) -> Operator | Recipe:
    """A recipe whose forward products have two activations, as attention's have."""
    if isinstance(operator, Operator):
        return operator
    pairs = operator.pairs
    quantizer = pairs.get("forward.activation", "none")
    sums = pairs.get("forward.sums", pairs.get("sums", "f32"))
    both = {"forward.activation": quantizer, "forward.weight": quantizer, "sums": sums}
    return Recipe.of_pairs(f"{operator.name} (attention)", both)


def _rounded(quantizer: Quantizer, tensor: torch.Tensor, seed: int = 0) -> torch.Tensor:
    """A tensor's values under a quantizer, as one matrix whose rows are along the last dimension."""
    rows = _matrix(tensor.reshape(-1, tensor.shape[-1]))
    return torch.from_numpy(quantizer.quantize(rows.reshape(-1), rows.shape[1], seed=seed)).reshape(tensor.shape).to(tensor.dtype)


def batched(product: BlockProduct, a: torch.Tensor, b: torch.Tensor, seed: int) -> torch.Tensor:
    """A · B of batches of matrices whose operands a recipe quantises."""
    a, b = (each[None] if each.dim() == 2 else each for each in (a, b))
    operands = [np.ascontiguousarray(each.detach().float().numpy()) for each in (a, b)]
    result = np.zeros((a.shape[0], a.shape[1], b.shape[2]), np.float32)
    product.multiply(operands[0], operands[1], result, seed)
    return torch.from_numpy(result)


def threads_of(a: torch.Tensor, b: torch.Tensor, threads: int | None) -> int:
    """Threads for a product of batches."""
    return threads_for(a.numel() * b.shape[-1], threads, MULTIPLY_ADDS)


# Of PyTorch 2 on.
_ATTEND: Any = getattr(torch.nn.functional, "scaled_dot_product_attention", object())


class AttentionParts(TorchFunctionMode):
    """Computes `scaled_dot_product_attention` from its two products and its softmax, each marked with its name."""

    def __init__(self, attention: Attention, mark: Callable[[str], contextlib.AbstractContextManager[None]]) -> None:
        super().__init__()
        self._attention = attention
        self._mark = mark

    def __torch_function__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
        if function is _ATTEND:
            return self._attend(*arguments, **(keywords or {}))
        return function(*arguments, **(keywords or {}))

    def _attend(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attn_mask: torch.Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> torch.Tensor:
        if enable_gqa:
            groups = query.shape[-3] // key.shape[-3]
            key, value = key.repeat_interleave(groups, -3), value.repeat_interleave(groups, -3)
        with self._mark(SCORES):
            scores = query @ key.transpose(-2, -1)
        scores = scores * (query.shape[-1] ** -0.5 if scale is None else scale)
        if is_causal:
            attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
        if attn_mask is not None:
            masked = attn_mask.dtype == torch.bool
            scores = scores.masked_fill(~attn_mask, float("-inf")) if masked else scores + attn_mask
        probabilities = torch.softmax(scores, -1)
        if attn_mask is not None:
            # A query that may see no key has no NaN, as in PyTorch's own kernel.
            nothing = (~attn_mask if attn_mask.dtype == torch.bool else attn_mask == float("-inf")).all(-1, keepdim=True)
            probabilities = probabilities.masked_fill(nothing, 0.0)
        probabilities = self._attention.softmax(probabilities.to(query.dtype))
        if dropout_p > 0:
            probabilities = torch.nn.functional.dropout(probabilities, dropout_p)
        with self._mark(VALUES):
            return probabilities @ value


def static_quantizer(name: str) -> str | None:
    """The quantizer of a format whose scale is calibrated: `float8_e4m3fn/scale=tensor` for FP8 formats, `nvfp4` as it is; None for others.

    Block formats with scales of powers of two, and FP8 in blocks, have no scale of a tensor. A rotation comes before the scale, and blocks of
    several rows hold several tokens, so neither has a static scale.
    """
    format, *options = name.split("/")
    if any(option.startswith(("hadamard=", "bias=")) for option in options):
        return None
    others = [option for option in options if not option.startswith("scale=")]
    scale = next((option for option in options if option.startswith("scale=")), "scale=none")
    if format == "nvfp4":
        return name if scale == "scale=none" or scale.startswith("scale=1x") else None
    if not format.startswith("float8") or scale not in ("scale=none", "scale=tensor", "scale=row", "scale=token"):
        return None
    return "/".join([format, "scale=tensor", *others])


def clipped(rows: Floats, clip: float) -> Floats:
    """Rows whose dynamic scale of the tensor is the static one of `clip`: larger magnitudes are `clip`, as saturation gives, and so is the
    first element of one more row. NaN and infinities stay.
    """
    limit = np.float32(clip)
    own = rows if not np.isinf(rows).any() else np.where(np.isinf(rows), np.float32(0), rows)
    limited = np.clip(own, -limit, limit)
    more = np.zeros((1, rows.shape[1]), np.float32)
    more[0, 0] = limit
    return np.concatenate([limited if own is rows else np.where(np.isinf(rows), rows, limited), more])


@dataclass(frozen=True)
class Layer:
    """A linear layer of a model."""

    name: str
    module: torch.nn.Module
    outputs: int
    inputs: int
    # True if the weight is stored as inputs × outputs, as in GPT-2.
    transposed: bool

    @property
    def count(self) -> int:
        """Number of weights."""
        return self.outputs * self.inputs


def linear_layers(model: torch.nn.Module) -> list[Layer]:
    """The linear layers of a model, with its output head."""
    found = []
    for name, module in model.named_modules():
        weight = getattr(module, "weight", None)
        if isinstance(module, torch.nn.Linear):
            found.append(Layer(name, module, module.out_features, module.in_features, False))
        elif type(module).__name__ == "Conv1D" and isinstance(weight, torch.Tensor) and weight.dim() == 2:
            found.append(Layer(name, module, weight.shape[1], weight.shape[0], True))
    return found


class CacheFormat:
    """The format of a key-value cache: `FORMAT[/OPTION…]`, the options those of a recipe's quantizers.

    `scale=tensor` is one scale for all keys of a call, and one for its values; `scale=head` is one for each head of each sequence;
    `scale=row` is one for each token of each head; `scale=1x32` and block formats have one for a block along the head's dimension.
    `scale=static` is the scale of a calibration, one for all keys of a layer and one for its values. Without a scale, numbers are rounded
    to the format as they are.
    """

    def __init__(self, text: str) -> None:
        options = text.split("/")
        self.by_head = "scale=head" in options
        self.is_static = "scale=static" in options
        given: str | None = "/".join("scale=tensor" if option == "scale=head" else option for option in options)
        if self.is_static:
            given = static_quantizer("/".join(option for option in options if option != "scale=static"))
        if given is None:
            raise ValueError(f"key-value cache {text}: a static scale is for FP8 formats and nvfp4: got {options[0]}")
        self.quantizer = Quantizer(given)
        self.name = text if self.by_head or self.is_static else self.quantizer.name

    def bits(self, head_dim: int, tokens: int = 1 << 20) -> float:
        """Bits of a stored number with its share of scales."""
        return self.quantizer.bits(tokens, head_dim)

    def values(self, states: torch.Tensor, clip: float | None = None) -> torch.Tensor:
        """Keys or values as the cache stores them; with a static scale, larger magnitudes than `clip` saturate."""
        across = None if self.quantizer.block is None else self.quantizer.block[1]
        if across is not None and states.shape[-1] % across:
            raise ValueError(f"key-value cache: heads of {states.shape[-1]} numbers are no multiple of {self.name}'s blocks of {across}")
        if clip is not None:
            rows = clipped(_matrix(states.reshape(-1, states.shape[-1])), clip)
            values = self.quantizer.quantize(rows.reshape(-1), rows.shape[1])[: states.numel()]
            return torch.from_numpy(values).reshape(states.shape).to(states.dtype)
        if not self.by_head or states.dim() < 3:
            return _rounded(self.quantizer, states)
        matrices = states.reshape(-1, *states.shape[-2:])
        return torch.stack([_rounded(self.quantizer, matrix) for matrix in matrices]).reshape(states.shape)


# Reads keys or values on their way into a cache, and returns those that it stores.
Write = Callable[[str, torch.Tensor], torch.Tensor]


class _CacheHook:
    """Has transformers' caches write keys and values through functions, while any context that gives one is open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: list[Callable[[], Write | None]] = []
        self._undo = contextlib.ExitStack()
        self._here = threading.local()

    def open(self, of_thread: Callable[[], Write | None]) -> None:
        """`of_thread` gives the function of this thread, or None. It may be opened several times, and counts once."""
        with self._lock:
            if not self._open:
                self._replace()
            self._open.append(of_thread)

    def close(self, of_thread: Callable[[], Write | None]) -> None:
        """Ends one `open`."""
        with self._lock:
            self._open.remove(of_thread)
            if not self._open:
                self._undo.close()

    def _replace(self) -> None:
        caches = sys.modules.get("transformers.cache_utils")
        if caches is None:
            raise RuntimeError("kv_cache is the format of transformers' caches, and transformers is not imported: the model is no model of it")
        cache = caches.Cache
        original = cache.update

        def update(cached: Any, keys: Any, values: Any, *arguments: Any, **keywords: Any) -> Any:
            if getattr(self._here, "writing", False):
                return original(cached, keys, values, *arguments, **keywords)
            self._here.writing = True
            try:
                for of_thread in dict.fromkeys(self._open):
                    write = of_thread()
                    if write is not None:
                        keys, values = write("keys", keys), write("values", values)
                return original(cached, keys, values, *arguments, **keywords)
            finally:
                self._here.writing = False

        cache.update = update
        self._undo.callback(setattr, cache, "update", original)


CACHES = _CacheHook()


@contextlib.contextmanager
def replaced_weights(weights: Mapping[torch.nn.Module, torch.Tensor]) -> Iterator[None]:
    """Gives modules other weights for a time. A weight that several modules share changes only in those named."""
    before = {module: module._parameters["weight"] for module in weights}
    try:
        for module, weight in weights.items():
            module._parameters["weight"] = torch.nn.Parameter(weight, requires_grad=False)
        yield
    finally:
        for module, parameter in before.items():
            module._parameters["weight"] = parameter
