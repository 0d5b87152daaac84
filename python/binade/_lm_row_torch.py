"""Rows of `binade lm`: the arithmetic that a language model is evaluated under, and its linear layers."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import torch

from ._binade import Quantizer, Recipe, is_recipe, recipe_names
from ._calibration import Calibration
from ._inference_torch import CacheFormat, Layer, linear_layers
from ._products import Operator
from ._recipes_torch import with_static_inputs
from ._static_torch import CLIPS
from .torch import arith

# What a row may have besides its recipe, and what it means.
KEYS = {
    "weights": "a quantizer of weights",
    "activations": "a quantizer of activations",
    "sums": "what adds the products",
    "kv": "the format of the key-value cache",
    "attention": "an operator or a recipe for both products of attention",
    "scores": "an operator or a recipe for query times key",
    "softmax": "the format of attention's probabilities",
    "values": "an operator or a recipe for probabilities times values",
    "leave": "layers that stay as they are, separated by commas",
    "only": "layers in the recipe, separated by commas; all others stay as they are",
    "checkpoint": "a quantised checkpoint, whose weights replace the model's",
    "static": "the magnitude that static scales of inputs keep: largest, a percentile as 99.9, or mse",
}


class RowError(ValueError):
    """A row that was not understood, or that the model does not allow."""


def _fits(name: str, patterns: Sequence[str]) -> bool:
    """Returns true if a pattern fits a layer, or a layer that it is in."""
    parts = name.split(".")
    names = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    # The last part of a name, as `lm_head` or `down_proj`, stands for all layers that are called so.
    return any(fnmatchcase(each, pattern) for pattern in patterns for each in (*names, parts[-1]))


@dataclass(frozen=True)
class Row:
    """An arithmetic: a recipe or an operator, with the formats of the cache and of attention, and the layers that it leaves."""

    text: str
    # None if linear layers stay as they are, but for `weights_only`.
    arithmetic: Recipe | Operator | None = None
    # Weights are quantised, and products are PyTorch's.
    weights_only: Quantizer | None = None
    kv: str | None = None
    attention: tuple[tuple[str, str], ...] = ()
    leave: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    checkpoint: str | None = None
    # The magnitude of a calibration that static input scales keep.
    static: str | None = None

    @staticmethod
    def parse(text: str) -> Row:
        """A row from its text: `BASE[+KEY=VALUE…]`, as `nvfp4@b200+kv=float8_e4m3fn+leave=lm_head`.

        BASE is a recipe with its sums, an operator, `f32` for the model as it is, or `KEY=VALUE` with `weights` or `checkpoint`.
        """
        parts = [part.strip() for part in text.split("+")]
        values: dict[str, str] = {}
        base = None
        for at, part in enumerate(parts):
            key, equals, value = part.partition("=")
            named = equals and not any(sign in key for sign in ":@/{")
            if not named and at == 0:
                base = part
                continue
            if key not in KEYS or not value:
                near = difflib.get_close_matches(key, KEYS, 1, 0.5)
                hint = f"did you mean {near[0]}=? " if near and near[0] != key else ""
                raise RowError(f"row '{text}': '{part}' is not understood: {hint}the keys are {', '.join(f'{k}=' for k in KEYS)}")
            if key in values:
                raise RowError(f"row '{text}' names {key}= twice")
            values[key] = value
        try:
            return Row._of(text, base, values)
        except (ValueError, TypeError) as error:
            raise RowError(f"row '{text}': {error}") from None

    @staticmethod
    def _of(text: str, base: str | None, values: dict[str, str]) -> Row:
        arithmetic: Recipe | Operator | None = None
        weights_only = None
        leave = _names(values.get("leave"))
        own = {key: values[key] for key in ("weights", "activations", "sums") if key in values}
        if base not in (None, "f32") and own:
            raise ValueError(f"{base} says how operands are quantised: {', '.join(f'{key}=' for key in own)} is for rows without a recipe")
        if "checkpoint" in values and (base not in (None, "f32") or own):
            raise ValueError("a checkpoint has its weights in their formats: it takes no recipe beside it")
        if base not in (None, "f32"):
            arithmetic = _named(str(base))
        elif set(own) == {"weights"}:
            weights_only = Quantizer(own["weights"])
        elif own:
            pairs = {
                "forward.weight": own.get("weights", "none"),
                "forward.activation": own.get("activations", "none"),
                "sums": own.get("sums", "f32"),
            }
            arithmetic = Recipe.of_pairs(text, pairs)
        if isinstance(arithmetic, Recipe):
            leave += tuple(arithmetic.leave)
        attention = {part: values["attention"] for part in ("scores", "values") if "attention" in values}
        attention |= {part: values[part] for part in ("scores", "softmax", "values") if part in values}
        for part, value in attention.items():
            if part == "softmax":
                Quantizer(value)
            elif value != "f32":
                _named(value)
        if "kv" in values:
            CacheFormat(values["kv"])
        only = _names(values["only"]) if "only" in values else None
        static = values.get("static")
        if static is not None:
            if static not in CLIPS:
                near = difflib.get_close_matches(static, CLIPS, 1, 0.5)
                raise ValueError(f"static={static}: {f'did you mean {near[0]}? ' if near else ''}it is {', '.join(CLIPS)}")
            if not isinstance(arithmetic, Recipe) or with_static_inputs(arithmetic) is None:
                raise ValueError("static= is for recipes whose activations are FP8 by tensor or token, or nvfp4")
        return Row(
            text, arithmetic, weights_only, values.get("kv"), tuple(attention.items()), leave, only, values.get("checkpoint"), static
        )

    def with_cache(self, kv: str) -> Row:
        """The same row with a cache's format, if it has none."""
        return self if self.kv is not None else replace(self, text=f"{self.text}+kv={kv}", kv=kv)

    def with_static(self) -> Row | None:
        """The same row with static scales of inputs, and of a cache in FP8 without scales; None if it has neither, or is static already."""
        if self.is_static:
            return None
        parts = self.text.split("+")
        cache = self.kv is not None and "/" not in self.kv and self.kv.startswith("float8")
        if cache:
            parts = [f"{part}/scale=static" if part.startswith("kv=") else part for part in parts]
        if isinstance(self.arithmetic, Recipe) and with_static_inputs(self.arithmetic) is not None:
            parts.append("static=largest")
        elif not cache:
            return None
        return Row.parse("+".join(parts))

    @property
    def is_static(self) -> bool:
        """True if scales come from a calibration."""
        return self.static is not None or self.kv is not None and CacheFormat(self.kv).is_static

    def without(self, layers: Sequence[str]) -> Row:
        """The same row with more layers left as they are."""
        return Row.parse(_with_names(self.text, "leave", layers)) if layers else self

    def with_only(self, layers: Sequence[str]) -> Row:
        """The row with these layers in the recipe and all others as they are; cache and attention stay as they are."""
        kept = [part for part in self.text.split("+") if part.partition("=")[0] not in ("kv", "attention", "scores", "softmax", "values")]
        return Row.parse(_with_names("+".join(kept), "only", layers))

    @property
    def is_reference(self) -> bool:
        """True for the model as it is."""
        return self == Row(self.text)

    def chosen(self, model: torch.nn.Module) -> list[Layer]:
        """The linear layers in the recipe."""
        layers = linear_layers(model)
        if self.arithmetic is None and self.weights_only is None:
            return []
        for patterns, key in ((self.leave, "leave"), (self.only or (), "only")):
            for pattern in patterns:
                if pattern not in ("first", "last") and not any(_fits(layer.name, [pattern]) for layer in layers):
                    near = difflib.get_close_matches(pattern, [layer.name for layer in layers], 1)
                    hint = f"did you mean {near[0]}? " if near else ""
                    some = ", ".join(layer.name for layer in layers[:4])
                    raise RowError(f"row '{self.text}': {key}={pattern} fits no linear layer: {hint}The model has {some}, …")
        ends = {layers[0].name: "first", layers[-1].name: "last"} if layers else {}
        return [
            layer
            for layer in layers
            if not _fits(layer.name, self.leave)
            and ends.get(layer.name) not in self.leave
            and (self.only is None or _fits(layer.name, self.only))
        ]

    def quantizers(self) -> tuple[Quantizer, Quantizer]:
        """The quantizers of activations and weights of linear layers."""
        none = Quantizer("none")
        if self.weights_only is not None:
            return none, self.weights_only
        if isinstance(self.arithmetic, Recipe):
            pairs = self.arithmetic.pairs
            return Quantizer(pairs.get("forward.activation", "none")), Quantizer(pairs.get("forward.weight", "none"))
        if isinstance(self.arithmetic, Operator):
            if self.arithmetic.blocks is not None:
                of = self.arithmetic.blocks.replace("*", ",").split(",")
                return _blocks(of[0]), _blocks(of[-1])
            unit, _, formats = self.arithmetic.name.partition(":")
            with contextlib.suppress(ValueError):
                return (_input(unit, formats),) * 2
        return none, none

    def misfits(self, model: torch.nn.Module) -> list[tuple[Layer, str]]:
        """The layers in the recipe whose rows are no multiple of a block, with the reason."""
        found = []
        for layer in self.chosen(model):
            for quantizer in self.quantizers():
                across = None if quantizer.block is None else quantizer.block[1]
                # Blocks of FP8, 128 wide, may be shorter at the end of a row; the packed ones may not.
                packed = quantizer.name.startswith(("mx", "nvfp4"))
                if packed and across is not None and layer.inputs % across:
                    found.append((layer, f"rows of {layer.inputs} weights are no multiple of {quantizer.name}'s blocks of {across}"))
                    break
        return found

    def bits(self, model: torch.nn.Module, own: float) -> float:
        """Bits a weight over all linear layers, where those outside the recipe have `own` bits."""
        chosen = {layer.name for layer in self.chosen(model)}
        weights = self.quantizers()[1]
        layers = linear_layers(model)
        bits = sum(
            layer.count * (weights.bits(layer.outputs, layer.inputs) if layer.name in chosen and not weights.is_none else own)
            for layer in layers
        )
        return bits / max(1, sum(layer.count for layer in layers))

    def quantised_weights(
        self, model: torch.nn.Module, named: Callable[[str], bool] = lambda _: True
    ) -> dict[torch.nn.Module, torch.Tensor]:
        """The weights of a weights-only row, as the numbers that their codes stand for, in the layers that `named` returns true for."""
        import numpy as np

        if self.weights_only is None:
            return {}
        weights = {}
        for layer in filter(lambda layer: named(layer.name), self.chosen(model)):
            own: Any = layer.module.weight.detach()
            matrix = np.ascontiguousarray((own.T if layer.transposed else own).float().numpy())
            values = torch.from_numpy(self.weights_only.quantize(matrix.reshape(-1), matrix.shape[1])).reshape(matrix.shape)
            weights[layer.module] = (values.T.contiguous() if layer.transposed else values).to(own.dtype)
        return weights

    def context(self, model: torch.nn.Module, threads: int | None, calibration: Calibration | None = None) -> Any:
        """The context that forward passes run in. Made once for all windows, it quantises weights once."""
        if self.arithmetic is None and self.kv is None and not self.attention:
            return contextlib.nullcontext()
        chosen = {layer.name for layer in self.chosen(model)}
        layers: dict[str, Any] = {}
        for name, _ in model.named_modules():
            if name and name not in chosen:
                continue
            if name and self.arithmetic is not None:
                layers[name] = self.arithmetic
        # PyTorch computes what is in no linear layer of the recipe: rotary embeddings, norms, attention without `attention`.
        layers["*"] = "f32"
        context = arith(
            self.arithmetic or "f32:f32",
            model=model,
            layers=layers,
            threads=threads,
            attention=dict(self.attention) or None,
            kv_cache=self.kv,
            calibration=calibration if self.is_static else None,
            static=self.static,
        )
        # The same holds for products of the model outside its layers.
        context._operators[""] = None
        return context


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def _with_names(text: str, key: str, names: Sequence[str]) -> str:
    """The text of a row with names added to a key."""
    parts = text.split("+")
    before = [name for part in parts if part.startswith(f"{key}=") for name in _names(part.partition("=")[2])]
    kept = [part for part in parts if not part.startswith(f"{key}=")]
    return "+".join([*kept, f"{key}={','.join(dict.fromkeys([*before, *names]))}"])


def _named(text: str) -> Recipe | Operator:
    """The recipe or operator of a name; an unknown one names the nearest."""
    if is_recipe(text) or ":" not in text and not _is_operator(text):
        if not is_recipe(text.partition("@")[0]):
            # Recipe's error names the nearest.
            near = difflib.get_close_matches(text.partition("@")[0].lower(), recipe_names(), 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise ValueError(f"there is no recipe '{text}': {hint}`binade recipes` lists them, and `binade units` has operators as h100:e4m3")
        return Recipe(text)
    return Operator(text)


def _is_operator(text: str) -> bool:
    try:
        Operator(text)
    except ValueError:
        return False
    return True


def _blocks(name: str) -> Quantizer:
    """The quantizer of a block format, `NAME[@rule=RULE]`."""
    format, _, rule = name.partition("@rule=")
    if format == "deepseek_fp8":
        return Quantizer("float8_e4m3fn/scale=1x128")
    return Quantizer(f"{format}/rule={rule}" if rule else format)


def _input(left: str, right: str) -> Quantizer:
    """The format that an operator reads its inputs in: the left of `F:G`, the right of `UNIT:F/OPTIONS`."""
    try:
        return Quantizer(left)
    except ValueError:
        return Quantizer(right.split("/")[0])
