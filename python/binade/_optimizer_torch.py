"""Weights and optimizer states of PyTorch in the stored formats of a recipe: rounded after each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch

from ._arrays import seed_of
from ._binade import BiasHistory, Quantizer, Recipe, stream
from ._recipes_torch import by_layer, left_out

# The states of PyTorch's optimizers by name. Sums of squares are never negative, as unsigned formats need.
_STATES = {
    "momentum": ("momentum_buffer", "exp_avg", "grad_avg"),
    "second_moments": (
        "exp_avg_sq", "max_exp_avg_sq", "square_avg", "acc_delta", "sum", "exp_inf", "row_var", "col_var", "variance",
    ),
}
_ROLES = {state: role for role, states in _STATES.items() for state in states}

# The number by which the random words of stored tensors differ from those of products, as in `binade train`; and that of gradients.
_STORED, _GRADIENTS = 0x5354_4F52, 0x4752_4144


class StoredBias(NamedTuple):
    """The learnt bias of a stored tensor."""

    tensor: str
    format: str
    bias: int | None
    """None if all numbers were zero."""
    moves: int
    overflowed: int
    """Numbers beyond the format's largest one."""
    underflowed: int
    """Nonzero numbers that became zero."""


class Stored:
    """Keeps the weights and states of an optimizer in the stored formats of a recipe.

    After each step of `optimizer`, the parameters of `model` are rounded as the recipe's `stored.weights` says, and the optimizer's
    states as `stored.momentum` and `stored.second_moments` say. Learnt biases follow each tensor, and stochastic rounding draws from
    `seed`, the step and the tensor. The optimizer itself stays in use, also by schedulers of learning rates::

        optimizer = torch.optim.AdamW(model.parameters())
        stored = binade.torch.Stored(optimizer, "bf16-stochastic", model=model, seed=1)
        with binade.torch.arith("bf16-stochastic", model=model, seed=1):
            loss(model(x)).backward()
        optimizer.step()

    States are known by their names in PyTorch's optimizers, such as `momentum_buffer`, `exp_avg` and `exp_avg_sq`. For an optimizer
    with others, `states` gives their roles: `{"prev": "momentum"}`, or `"none"` for a state that stays as it is.

    Layers that the recipe leaves out stay as they are, and so do those to which `layers` gives `"f32"`. `layers` is as in `arith`, and
    may give other recipes. With `gradients`, each step begins by rounding gradients as `stored.gradients` says. A context `arith`
    with the recipe has rounded them already, as its products gave them.

    `optimizer.state_dict()` has an entry `stored` with the seed, the number of steps and the learnt biases.
    `optimizer.load_state_dict` continues from it, with the same bits as a training that was not stopped. From a state without the entry,
    it starts at step 0.

    `steps` counts steps, `biases` lists the learnt biases, and `not_finite` counts NaN and infinities by tensor. A NaN, and an infinity
    that a format does not have, becomes NaN, as in `binade train`.
    """

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        recipe: str | Recipe,
        *,
        model: torch.nn.Module,
        seed: int = 0,
        layers: Mapping[str, str | Recipe] | None = None,
        states: Mapping[str, str] | None = None,
        gradients: bool = False,
    ) -> None:
        self.recipe = recipe if isinstance(recipe, Recipe) else Recipe(recipe)
        self.seed = seed_of(seed)
        self.steps = 0
        self.not_finite: Counter[str] = Counter()
        # The format and the history of each tensor with a learnt bias.
        self._histories: dict[str, tuple[str, BiasHistory]] = {}
        self._roles = {**_ROLES, **(states or {})}
        for state, role in self._roles.items():
            if role not in (*_STATES, "none"):
                raise ValueError(f"state {state!r} has the role {role!r}: roles are momentum, second_moments and none")
        rules = [(pattern, _recipe(of)) for pattern, of in (layers or {}).items()]
        rules += [(pattern, None) for pattern in left_out(model, self.recipe)]
        recipes = by_layer(model, rules, self.recipe)
        names = model.named_parameters()
        # The number, the name and the recipe of each parameter.
        self._parameters = {
            parameter: (at, name, recipes[name.rpartition(".")[0]]) for at, (name, parameter) in enumerate(names)
        }
        for parameter in _parameters(optimizer):
            self._of(parameter)
        hooks = [optimizer.register_step_post_hook(self._after_step)]
        if gradients:
            hooks.append(optimizer.register_step_pre_hook(self._before_step))
        hooks.append(optimizer.register_state_dict_post_hook(self._add_state))
        hooks.append(optimizer.register_load_state_dict_pre_hook(self._load_state))
        self._hooks = hooks

    def remove(self) -> None:
        """Leaves the optimizer as it was: later steps are not rounded."""
        for hook in self._hooks:
            hook.remove()

    @property
    def biases(self) -> list[StoredBias]:
        """The learnt biases by tensor, in the order of their first step."""
        return [
            StoredBias(name, of, each.bias, each.moves, each.overflowed, each.underflowed)
            for name, (of, each) in self._histories.items()
        ]

    def _of(self, parameter: torch.Tensor) -> tuple[int, str, Recipe | None]:
        """The number, the name and the recipe of a parameter."""
        if parameter not in self._parameters:
            raise ValueError(f"the optimizer has a parameter of shape {tuple(parameter.shape)} that is not one of the model")
        at, name, recipe = self._parameters[parameter]
        if parameter.dtype != torch.float32 or parameter.device.type != "cpu":
            kind = f"{str(parameter.dtype).removeprefix('torch.')} on {parameter.device}"
            raise TypeError(f"parameter {name} must be float32 on the CPU, where steps are rounded once: got {kind}")
        return at, name, recipe

    def _before_step(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        for parameter in _parameters(optimizer):
            at, name, recipe = self._of(parameter)
            if recipe is not None and parameter.grad is not None:
                self._round(parameter.grad, f"{name}.grad", recipe.quantizer("stored.gradients"), [at, _GRADIENTS], self.steps + 1)

    def _after_step(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        self.steps += 1
        count = len(self._parameters)
        for parameter in _parameters(optimizer):
            at, name, recipe = self._of(parameter)
            if recipe is None:
                continue
            self._round(parameter, name, recipe.quantizer("stored.weights"), [at, _STORED], self.steps)
            for number, (state, tensor) in enumerate(_states(optimizer, parameter), 1):
                role = self._role(optimizer, state)
                if role != "none":
                    quantizer = recipe.quantizer(f"stored.{role}")
                    self._round(tensor, f"{name}.{state}", quantizer, [count * number + at, _STORED], self.steps)

    def _role(self, optimizer: torch.optim.Optimizer, state: str) -> str:
        role = self._roles.get(state)
        if role is None:
            kind = type(optimizer).__name__
            raise ValueError(
                f"state {state!r} of {kind} is unknown: give its role, as in states={{{state!r}: 'momentum'}}; roles are momentum, "
                "second_moments and none"
            )
        return role

    def _round(self, tensor: torch.Tensor, name: str, quantizer: Quantizer, place: list[int], step: int) -> None:
        if quantizer.is_none or tensor.numel() == 0:
            return
        numbers = tensor.detach().float().contiguous().numpy().reshape(-1)
        columns = tensor.shape[-1] if tensor.dim() else 1
        seed = stream(self.seed, [step & 0xFFFFFFFF, step >> 32, *place])
        if quantizer.is_learnt:
            _, history = self._histories.setdefault(name, (quantizer.name.partition("/")[0], BiasHistory()))
            rounded = history.round(quantizer, numbers, columns, step, seed)
        else:
            rounded = quantizer.quantize(numbers, columns, None, seed)
        not_finite = numbers.size - int(np.isfinite(numbers).sum())
        if not_finite:
            self.not_finite[name] += not_finite
        with torch.no_grad():
            tensor.copy_(torch.from_numpy(rounded).reshape(tensor.shape))

    def _add_state(self, optimizer: torch.optim.Optimizer, state: dict[str, Any]) -> None:
        state["stored"] = {
            "recipe": self.recipe.name,
            "seed": self.seed,
            "steps": self.steps,
            "not_finite": dict(self.not_finite),
            "biases": {name: {"format": of, **history.state()} for name, (of, history) in self._histories.items()},
        }

    def _load_state(self, optimizer: torch.optim.Optimizer, state: dict[str, Any]) -> None:
        stored = state.get("stored")
        if stored is None:
            self.steps, self.not_finite, self._histories = 0, Counter(), {}
            return
        if stored["recipe"] != self.recipe.name:
            raise ValueError(f"the state is of recipe {stored['recipe']}, and this optimizer's is {self.recipe.name}")
        self.seed, self.steps, self.not_finite = stored["seed"], stored["steps"], Counter(stored["not_finite"])
        biases = stored["biases"].items()
        self._histories = {name: (history["format"], BiasHistory.of_state(history)) for name, history in biases}


def _recipe(of: str | Recipe) -> Recipe | None:
    """The recipe of a layer; None of one that stays as it is."""
    if isinstance(of, Recipe):
        return of
    return None if of == "f32" else Recipe(of)


def _parameters(optimizer: torch.optim.Optimizer) -> Iterator[torch.Tensor]:
    for group in optimizer.param_groups:
        yield from group["params"]


def _states(optimizer: torch.optim.Optimizer, parameter: torch.Tensor) -> list[tuple[str, torch.Tensor]]:
    """The states of a parameter, by name. Counters of steps have no dimensions, and are not stored tensors."""
    states = optimizer.state.get(parameter, {})
    return sorted((name, each) for name, each in states.items() if isinstance(each, torch.Tensor) and each.dim() and each.is_floating_point())
