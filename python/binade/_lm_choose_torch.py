"""Layers of a language model that cost most under a row, and the most layers that stay within a divergence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ._inference_torch import Layer
from ._lm_evaluate_torch import Evaluation, Result
from ._lm_row_torch import Row

# The ways in which layers are taken together.
GROUPS = ("layer", "block", "kind")


@dataclass(frozen=True)
class Group:
    """Layers that are in the recipe together, and the pattern that names them."""

    pattern: str
    layers: tuple[Layer, ...]

    @property
    def count(self) -> int:
        """Number of weights."""
        return sum(layer.count for layer in self.layers)


def groups(layers: list[Layer], by: str) -> list[Group]:
    """Layers one by one, by numbered block (`model.layers.3`), or by the last part of their names (`down_proj`)."""
    found: dict[str, list[Layer]] = {}
    for layer in layers:
        pattern = layer.name
        block = re.match(r".*?\.\d+(?=\.)", layer.name)
        if by == "block" and block:
            pattern = block.group()
        elif by == "kind":
            pattern = layer.name.rsplit(".", 1)[-1]
        found.setdefault(pattern, []).append(layer)
    return [Group(pattern, tuple(of)) for pattern, of in found.items()]


@dataclass
class Blamed:
    """The measures of a row with one group of layers in the recipe."""

    group: Group
    result: Result

    def to_json(self) -> dict[str, Any]:
        """As `--json` has it."""
        return {"layers": self.group.pattern, "weights": self.group.count, **self.result.to_json()}


def blame(evaluation: Evaluation, row: Row, by: str) -> Iterator[Blamed]:
    """Each group of layers alone in the recipe of a row, all others as they are."""
    for group in groups(row.chosen(evaluation.model), by):
        yield Blamed(group, evaluation.row(row.with_only([group.pattern])))


@dataclass
class Found:
    """The mixture that a search chose, with its measures. `left` are the groups outside the recipe, the costliest first."""

    result: Result
    left: list[Group]
    tried: int

    def to_json(self, budget: float) -> dict[str, Any]:
        """As `--json` has it."""
        return {"budget_kl": budget, "leave": [group.pattern for group in self.left], "tried": self.tried, **self.result.to_json()}


def search(
    evaluation: Evaluation, row: Row, blamed: list[Blamed], budget: float, say: Callable[[str], None] = lambda _: None
) -> Found:
    """The mixture with the fewest bits whose mean divergence is at most `budget`.

    Groups are ordered by their divergence alone, over the bits that the recipe saves on them. The first of that order are in the
    recipe, and the rest is left. Bisection finds their number; each mixture is measured. So the mixture is within the budget, and
    one with one group more is not; other orders are not tried.
    """
    def cost(each: Blamed) -> float:
        kl = each.result.kl_mean
        return kl / each.group.count if kl == kl else float("inf")

    order = sorted(blamed, key=cost)
    measured: dict[int, Result] = {}

    def at(count: int) -> Result:
        if count not in measured:
            left = [each.group.pattern for each in order[count:]]
            mixture = row.without(left) if count else Row.parse("f32")
            measured[count] = evaluation.row(mixture)
            say(f"{count} of {len(order)} in the recipe: KL {measured[count].kl_mean:.3g}")
        return measured[count]

    low, high = 0, len(order)
    if not at(high).kl_mean <= budget:
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if at(middle).kl_mean <= budget else (low, middle)
    else:
        low = high
    return Found(at(low), [each.group for each in reversed(order[low:])], len(measured))
