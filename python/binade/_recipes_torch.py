"""Products of PyTorch's layers under a recipe: operands quantised by their role, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import torch
from torch.multiprocessing.reductions import StorageWeakRef

from ._arrays import threads_for
from ._binade import BlockProduct, Recipe
from ._inference_torch import Weights, clipped, static_quantizer
from ._patches_torch import Floats, Patches
from ._products import MULTIPLY_ADDS, Part, _warn_of_slow
from ._products_torch import Arithmetic, NotComputed, Volume
from ._types import Shape

T = TypeVar("T")

# The number of weak references after which those of freed tensors are dropped.
_MANY = 4096


class Roles:
    """The roles of a model's products, told by the storage of their operands.

    A product with a weight of the model is a forward product, or in a backward pass one that gives a gradient of an input. A product of
    a backward pass without a weight gives the gradient of a weight: its activation was an operand of a forward product, or its gradient
    that of an input gradient. Layers that a backward pass computes once more, as checkpoints do, have forward products: `recomputes`
    returns true inside them.
    """

    def __init__(self, model: torch.nn.Module, recomputes: Callable[[], bool] = lambda: False) -> None:
        self._weights = {_storage(weight) for weight in model.parameters() if weight.dim() > 1}
        self._activations, self._gradients = _Storages(), _Storages()
        self._recomputes = recomputes
        self.quantised = Weights()

    def of(self, a: torch.Tensor, b: torch.Tensor) -> tuple[str, bool]:
        """The pass of a product, and true if its operands are in the other order than the recipe's.

        A product of the model's layers has two dimensions; others, as those of attention, are `NotComputed`.
        """
        if a.dim() > 2 or b.dim() > 2:
            raise NotComputed("a product of batches, as in attention, has no weight")
        weights = [_storage(operand) in self._weights for operand in (a, b)]
        if any(weights):
            # The weight is the second operand of both passes.
            swapped = weights[0] and not weights[1]
            return self._of_weight(b if swapped else a), swapped
        if not self._is_backward():
            raise NotComputed("a product without a weight of the model")
        return "weight_gradient", self._of_weight_gradient(a, b)

    def of_convolution(self, part: Part, a: torch.Tensor, b: torch.Tensor) -> tuple[str, bool]:
        """As `of`, for a product whose `part` says where its weight is. A transposed convolution has the parts of the other direction."""
        if part == "weight_gradient":
            return "weight_gradient", self._of_weight_gradient(a, b)
        if _storage(b) not in self._weights:
            raise NotComputed("a convolution without a weight of the model")
        return self._of_weight(a), False

    def _of_weight(self, other: torch.Tensor) -> str:
        """The pass of a product of a weight and another operand."""
        if self._is_backward():
            self._gradients.add(other)
            return "input_gradient"
        self._activations.add(other)
        return "forward"

    def _of_weight_gradient(self, a: torch.Tensor, b: torch.Tensor) -> bool:
        """Returns true if the activation, which is the recipe's first operand, is the second one."""
        if a in self._activations or b in self._gradients:
            return False
        if b in self._activations or a in self._gradients:
            return True
        raise NotComputed("a gradient of a product without a weight of the model")

    def _is_backward(self) -> bool:
        return torch._C._current_autograd_node() is not None and not self._recomputes()


class _Storages:
    """Memory of tensors, as long as it exists."""

    def __init__(self) -> None:
        self._known: dict[int, StorageWeakRef] = {}

    def add(self, tensor: torch.Tensor) -> None:
        reference = StorageWeakRef(tensor.untyped_storage())
        self._known[reference.cdata] = reference
        if len(self._known) > _MANY:
            self._known = {key: each for key, each in self._known.items() if not each.expired()}

    def __contains__(self, tensor: torch.Tensor) -> bool:
        known = self._known.get(_storage(tensor))
        return known is not None and not known.expired()


def _storage(tensor: torch.Tensor) -> int:
    """The identity of a tensor's memory, which views share."""
    identity: int = tensor.untyped_storage()._cdata
    return identity


def _floats(tensor: torch.Tensor) -> Floats:
    return np.ascontiguousarray(tensor.detach().float().numpy())


# The roles of the operands of a pass.
_OPERANDS = {
    "forward": ("activation", "weight"),
    "input_gradient": ("gradient", "weight"),
    "weight_gradient": ("activation", "gradient"),
}


@lru_cache(maxsize=256)
def _product(recipe: Recipe, part: str, swapped: bool, threads: int) -> BlockProduct | None:
    made = recipe.product(part, swapped, threads)
    if made is not None:
        _warn_of_slow(made.slow)
    return made


@lru_cache(maxsize=256)
def _blocks(recipe: Recipe, part: str, swapped: bool) -> list[tuple[str, tuple[int, int]]]:
    """The operands of a pass that have blocks, in the order of the product, with their rows and columns along the depth."""
    roles = _OPERANDS[part][::-1] if swapped else _OPERANDS[part]
    return [(role, recipe.quantizer(f"{part}.{role}").block or (1, 1)) for role in roles]


class RecipeArithmetic(Arithmetic):
    """Products under a recipe, whose random bits have the keys that `draw` gives.

    `note` is called with the role of an operand and its number of elements that are NaN or infinite, if there are any. With `whole`,
    products that blocks do not divide are `NotComputed`. With `clip`, the scale of forward activations is static: that of a tensor with
    this largest magnitude, and larger ones saturate.
    """

    def __init__(
        self,
        recipe: Recipe,
        roles: Roles,
        threads: int | None,
        dtype: torch.dtype | None = None,
        draw: Callable[[], int] = lambda: 0,
        note: Callable[[str, int], None] = lambda role, count: None,
        whole: bool = False,
        clip: float | None = None,
    ) -> None:
        self._recipe = recipe
        self._roles = roles
        self._recipe_threads = threads
        self.dtype = dtype
        self.draw = draw
        self._note = note
        self._whole = whole
        self._clip = clip

    def to(self, dtype: torch.dtype) -> RecipeArithmetic:
        """This recipe with results of another type."""
        if dtype == self.dtype:
            return self
        return RecipeArithmetic(
            self._recipe, self._roles, self._recipe_threads, self.dtype or dtype, self.draw, self._note, self._whole, self._clip
        )

    def _binary32(self, a: torch.Tensor, b: torch.Tensor, add: torch.Tensor | None = None) -> torch.Tensor:
        part, swapped = self._roles.of(a, b)
        row, column = a.dim() == 1, b.dim() == 1
        left, right = (a[None, :] if row else a), (b[:, None] if column else b)
        if left.shape[1] != right.shape[0]:
            raise ValueError(f"shapes {tuple(a.shape)} and {tuple(b.shape)} do not fit")
        (rows, depth), columns = left.shape, right.shape[1]
        threads = threads_for(rows * depth * columns, self._recipe_threads, MULTIPLY_ADDS)
        product = _product(self._recipe, part, swapped, threads)
        kept = None
        if product is not None and part == "forward" and not swapped and not self._whole:
            kept = self._roles.quantised.quantised(self._recipe, product, right)
        if product is not None and kept is not None:
            activations = _floats(left)
            self._note_count("activation", activations)
            if self._clip is not None:
                activations = clipped(activations, self._clip)
            result = np.zeros((len(activations), columns), np.float32)
            product.multiply_right(activations, kept, result, self.draw())
            values = torch.from_numpy(result[:rows])
        else:
            operands = [_floats(each)[None] for each in (left, right)]
            self._note_not_finite(part, swapped, *operands)
            if self._clip is not None and part == "forward":
                # One more row of the left operand, or column of the right.
                at = int(swapped)
                own = operands[at][0].T if swapped else operands[at][0]
                more = clipped(np.ascontiguousarray(own), self._clip)
                operands[at] = np.ascontiguousarray(more.T if swapped else more)[None]
            values = torch.from_numpy(self._multiply(part, swapped, *operands)[0][:rows, :columns])
        values = values[0] if row else values
        values = values[..., 0] if column else values
        return values if add is None else values + add.float()

    def _multiply(self, part: str, swapped: bool, left: Floats, right: Floats) -> Floats:
        """The products of a batch of matrices."""
        (batch, rows, depth), columns = left.shape, right.shape[2]
        threads = threads_for(batch * rows * depth * columns, self._recipe_threads, MULTIPLY_ADDS)
        product = _product(self._recipe, part, swapped, threads)
        if product is None:
            raise NotComputed(f"recipe {self._recipe.name} leaves the {part.replace('_', ' ')}s as they are")
        if self._whole:
            for (role, (down, across)), count in zip(_blocks(self._recipe, part, swapped), (rows, columns)):
                if depth % across or count % down:
                    raise NotComputed(f"blocks of {down} x {across} do not divide the {count} x {depth} elements of the {role}")
        result = np.zeros((batch, rows, columns), np.float32)
        product.multiply(left, right, result, self.draw())
        return result

    def _note_not_finite(self, part: str, swapped: bool, left: Floats, right: Floats) -> None:
        roles = _OPERANDS[part][::-1] if swapped else _OPERANDS[part]
        for role, operand in zip(roles, (left, right)):
            self._note_count(role, operand)

    def _note_count(self, role: str, operand: Floats) -> None:
        count = operand.size - int(np.isfinite(operand).sum())
        if count:
            self._note(role, count)

    def scaled(
        self, c: torch.Tensor, a: torch.Tensor, b: torch.Tensor, beta: Any, alpha: Any, hides: bool = True
    ) -> torch.Tensor:
        """β · C + α · A · B, of which C is added in binary32."""
        product = self._binary32(a, b)
        product = product if alpha == 1 else product * alpha
        return self._result(product if beta == 0 else product + c.float() * beta, a)

    def convolve(self, part: Part, shape: Shape | Volume, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """One of the three products of a convolution, as a product of patches."""
        of_pass, swapped = self._roles.of_convolution(part, a, b)
        operands = (a.detach().float().numpy(), b.detach().float().numpy())
        patches = Patches(shape)
        product = self._multiply(of_pass, swapped, *patches.operands(part, *operands))
        self._note_not_finite(of_pass, swapped, *operands)
        result = patches.result(part, product)
        # A two-dimensional convolution has no depth.
        result = result if isinstance(shape, Volume) else result[:, :, 0]
        return self._result(torch.from_numpy(np.ascontiguousarray(result)), a)


def with_static_inputs(recipe: Recipe) -> Recipe | None:
    """The recipe whose forward activations have one scale for a tensor, which a calibration then gives; None if its format has none."""
    pairs = recipe.pairs
    quantizer = static_quantizer(pairs.get("forward.activation", "none"))
    if quantizer is None:
        return None
    if quantizer == pairs["forward.activation"]:
        return recipe
    return Recipe.of_pairs(recipe.name, pairs | {"forward.activation": quantizer})


def by_layer(model: torch.nn.Module, rules: Sequence[tuple[str, T]], otherwise: T) -> dict[str, T]:
    """The value of each layer: that of the first rule whose pattern fits it or a layer that it is in. The model itself is `""`."""
    fits = {}
    for name, _ in model.named_modules():
        parts = name.split(".")
        if name:
            fits[name] = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    for pattern, _ in rules:
        if not any(fnmatchcase(name, pattern) for name in fits):
            some = ", ".join(list(fits)[:8]) + (", …" if len(fits) > 8 else "")
            raise ValueError(f"no layer is called {pattern}: the model has {some or 'none'}")
    return {"": otherwise} | {
        name: next((value for pattern, value in rules if any(fnmatchcase(x, pattern) for x in names)), otherwise)
        for name, names in fits.items()
    }


def left_out(model: torch.nn.Module, recipe: Recipe) -> Iterator[str]:
    """The layers of a model that a recipe leaves as they are: its own names, and the first and last layer with products."""
    kinds = (torch.nn.Linear, torch.nn.modules.conv._ConvNd)
    linear = [name for name, layer in model.named_modules() if isinstance(layer, kinds)]
    for pattern in recipe.leave:
        if pattern in ("first", "last"):
            yield from _one(linear, 0 if pattern == "first" else -1)
        else:
            yield pattern


def _one(names: list[str], at: int) -> Iterable[str]:
    return names[at:][:1]
