"""Products of PyTorch's layers under a recipe: operands quantised by their role, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from ._arrays import threads_for
from ._binade import BlockProduct, Recipe
from ._inference_torch import Weights
from ._products import MULTIPLY_ADDS, _warn_of_slow
from ._products_torch import Arithmetic, NotComputed

# The number of weak references after which those of freed tensors are dropped.
_MANY = 4096


class Roles:
    """The roles of a model's products, told by the storage of their operands.

    A product with a weight of the model is a forward product, or in a backward pass one that gives a gradient of an input. A product of
    a backward pass without a weight gives the gradient of a weight: its activation was an operand of a forward product.
    """

    def __init__(self, model: torch.nn.Module) -> None:
        self._weights = {_storage(weight) for weight in model.parameters() if weight.dim() > 1}
        self._activations: dict[int, StorageWeakRef] = {}
        self.quantised = Weights()

    def of(self, a: torch.Tensor, b: torch.Tensor) -> tuple[str, bool]:
        """The pass of a product, and true if its operands are in the other order than the recipe's.

        A product of the model's layers has two dimensions; others, as those of attention, are `NotComputed`.
        """
        if a.dim() > 2 or b.dim() > 2:
            raise NotComputed("a product of batches, as in attention, has no weight")
        backward = torch._C._current_autograd_node() is not None
        weights = [_storage(operand) in self._weights for operand in (a, b)]
        if any(weights):
            # The weight is the second operand of both passes.
            swapped = weights[0] and not weights[1]
            if not backward:
                self._remember(b if swapped else a)
            return ("input_gradient" if backward else "forward"), swapped
        if not backward:
            raise NotComputed("a product without a weight of the model")
        known = [self._is_activation(operand) for operand in (a, b)]
        if not any(known):
            raise NotComputed("a gradient of a product without a weight of the model")
        # The activation is the first operand.
        return "weight_gradient", known[1] and not known[0]

    def _remember(self, activation: torch.Tensor) -> None:
        reference = StorageWeakRef(activation.untyped_storage())
        self._activations[reference.cdata] = reference
        if len(self._activations) > _MANY:
            self._activations = {key: each for key, each in self._activations.items() if not each.expired()}

    def _is_activation(self, tensor: torch.Tensor) -> bool:
        known = self._activations.get(_storage(tensor))
        return known is not None and not known.expired()


def _storage(tensor: torch.Tensor) -> int:
    """The identity of a tensor's memory, which views share."""
    identity: int = tensor.untyped_storage()._cdata
    return identity


@lru_cache(maxsize=256)
def _product(recipe: Recipe, part: str, swapped: bool, threads: int) -> BlockProduct | None:
    made = recipe.product(part, swapped, threads)
    if made is not None:
        _warn_of_slow(made.slow)
    return made


class RecipeArithmetic(Arithmetic):
    """Products under a recipe, whose random bits have the keys that `draw` gives."""

    def __init__(
        self,
        recipe: Recipe,
        roles: Roles,
        threads: int | None,
        dtype: torch.dtype | None = None,
        draw: Callable[[], int] = lambda: 0,
    ) -> None:
        self._recipe = recipe
        self._roles = roles
        self._recipe_threads = threads
        self.dtype = dtype
        self.draw = draw

    def to(self, dtype: torch.dtype) -> RecipeArithmetic:
        """This recipe with results of another type."""
        if dtype == self.dtype:
            return self
        return RecipeArithmetic(self._recipe, self._roles, self._recipe_threads, self.dtype or dtype, self.draw)

    def _binary32(self, a: torch.Tensor, b: torch.Tensor, add: torch.Tensor | None = None) -> torch.Tensor:
        import numpy as np

        part, swapped = self._roles.of(a, b)
        row, column = a.dim() == 1, b.dim() == 1
        left, right = (a[None, :] if row else a), (b[:, None] if column else b)
        (rows, depth), columns = left.shape, right.shape[1]
        if depth != right.shape[0]:
            raise ValueError(f"shapes {tuple(a.shape)} and {tuple(b.shape)} do not fit")
        threads = threads_for(rows * depth * columns, self._recipe_threads, MULTIPLY_ADDS)
        product = _product(self._recipe, part, swapped, threads)
        if product is None:
            raise NotComputed(f"recipe {self._recipe.name} leaves the {part.replace('_', ' ')}s as they are")
        kept = None
        if part == "forward" and not swapped:
            kept = self._roles.quantised.quantised(self._recipe, product, right)
        operands = [np.ascontiguousarray(each.detach().float().numpy()) for each in ((left,) if kept else (left, right))]
        result = np.zeros((rows, columns), np.float32)
        if kept is not None:
            product.multiply_right(operands[0], kept, result, self.draw())
        else:
            product.multiply(operands[0][None], operands[1][None], result[None], self.draw())
        values = torch.from_numpy(result)
        values = values[0] if row else values
        values = values[..., 0] if column else values
        return values if add is None else values + add.float()

    def scaled(
        self, c: torch.Tensor, a: torch.Tensor, b: torch.Tensor, beta: Any, alpha: Any, hides: bool = True
    ) -> torch.Tensor:
        """β · C + α · A · B, of which C is added in binary32."""
        product = self._binary32(a, b)
        product = product if alpha == 1 else product * alpha
        return self._result(product if beta == 0 else product + c.float() * beta, a)

    def convolve(self, part: Any, shape: Any, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        raise NotComputed("recipes quantise products of linear layers, not convolutions")


def left_out(model: torch.nn.Module, recipe: Recipe) -> Iterator[str]:
    """The layers of a model that a recipe leaves as they are: its own names, and the first and last linear layer."""
    linear = [name for name, layer in model.named_modules() if isinstance(layer, torch.nn.Linear)]
    for pattern in recipe.leave:
        if pattern in ("first", "last"):
            yield from _one(linear, 0 if pattern == "first" else -1)
        else:
            yield pattern


def _one(names: list[str], at: int) -> Iterable[str]:
    return names[at:][:1]
