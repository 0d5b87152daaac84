"""The first layer in which two runs of a model part: two arithmetics, two models, or two dumps of layer outputs.

    found = binade.torch.first_difference(model, inputs, "h100:bf16", "mi300x:bf16", threshold=1e-3)
    found.first.name, found

The difference of two tensors is √(Σ (a − b)² / Σ b²). The model runs three times: under `a`, under `b`, and once more under `b` with
the inputs and outputs of `a` put into every layer, so that each layer shows the difference that it makes itself.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from ._binade import is_recipe

Tensors = list[torch.Tensor]
How = Union[None, str, "os.PathLike[str]", torch.nn.Module]

_THRESHOLD = 0.01
# The ending of the names of inputs in dumps.
_INPUT = ".input"
# The key of a dump's metadata with the names in the order of the run.
_ORDER = "binade.order"


@dataclass
class LayerDifference:
    """The differences of a layer, the largest over all its calls. A difference is None if it is unknown."""

    name: str
    kind: str
    calls: int = 0
    entering: float | None = None
    """The largest difference of its inputs."""
    made: float | None = None
    """The difference that the layer makes on the inputs of `a`, without that of layers inside it."""
    leaving: float | None = None
    """The difference of its output."""
    heals: bool = False
    """True if a call brings a difference beyond the threshold back within it."""
    _arose: bool = field(default=False, repr=False)


@dataclass
class FirstDifference:
    """The comparison of two runs, as `first_difference` returns it. Its text is a table."""

    rows: list[LayerDifference]
    """Layers in the order in which they finish: inner layers before those that contain them."""
    first: LayerDifference | None
    """The layer where the difference beyond the threshold arises, or None."""
    threshold: float

    @property
    def healed(self) -> list[LayerDifference]:
        """Layers after the first that bring the difference back within the threshold."""
        if self.first is None:
            return []
        return [row for row in self.rows[self.rows.index(self.first) :] if row.heals]

    def __repr__(self) -> str:
        head = ("layer", "kind", "calls", "entering", "made", "leaving", "")
        lines = [head]
        for row in self.rows:
            mark = "first" if row is self.first else "heals" if row.heals else ""
            name = row.name or "(model)"
            lines.append((name, row.kind, str(row.calls), _text(row.entering), _text(row.made), _text(row.leaving), mark))
        widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
        table = [
            "  ".join(cell.rjust(width) if 2 <= at <= 5 else cell.ljust(width) for at, (cell, width) in enumerate(zip(line, widths))).rstrip()
            for line in lines
        ]
        if self.first is None:
            end = f"no layer differs by more than {self.threshold}"
        else:
            end = f"first difference beyond {self.threshold}: {self.first.name or '(model)'}"
            if self.healed:
                end += f"; brought back within it by {len(self.healed)}, the first {self.healed[0].name or '(model)'}"
        return "\n".join([*table, end])


def _text(x: float | None) -> str:
    return "–" if x is None else f"{x:.3e}"


def first_difference(
    model: torch.nn.Module | None, inputs: Any, a: How, b: How, *, threshold: float = _THRESHOLD, seed: int = 0
) -> FirstDifference:
    """Finds the first layer whose output under `a` and `b` differs by more than `threshold`.

    `a` and `b` are each an operator or recipe of `binade.torch.arith`, None for PyTorch's own arithmetic, another model with the
    same layer names, or a dump: a .safetensors file or a folder of .npy files, with a tensor for each layer name. `inputs` are those of
    the model: a tensor, a tuple of arguments, or a mapping of named ones. Two dumps need neither model nor inputs.

        >>> import torch
        >>> _ = torch.manual_seed(0)
        >>> model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64))
        >>> found = first_difference(model, torch.randn(4, 64), None, "bf16:bf16", threshold=1e-3)
        >>> found.first.name
        '0'

    Dropout and other random numbers are the same in all runs, by `seed`.
    """
    if not threshold >= 0:
        raise ValueError(f"threshold={threshold}: must be a number of at least 0, as 0.01")
    if _is_path(a) or _is_path(b):
        sides = [_values(model, inputs, how, seed) for how in (a, b)]
        return _of_dumps(sides[0], sides[1], threshold)
    run_a, run_b = (_run(model, inputs, how, seed) for how in (a, b))
    record = _Record()
    with torch.no_grad(), _hooked(run_a.model, record.before, record.after):
        run_a()
    rows = {name: LayerDifference(name, kind) for name, kind in record.kinds.items()}
    compared = _Compared(record, rows, threshold)
    with torch.no_grad(), _hooked(run_b.model, compared.before, compared.after):
        run_b()
    forced = _Forced(record, rows)
    with torch.no_grad(), _hooked(run_b.model, forced.before, forced.after):
        run_b()
    finished = [rows[name] for name in record.order]
    return FirstDifference(finished, _first(finished, threshold), threshold)


def dump_layers(model: torch.nn.Module, inputs: Any, path: str | os.PathLike[str], arith: How = None, *, seed: int = 0) -> None:
    """Writes the outputs of a model's layers to a .safetensors file, by layer name, and their inputs as `NAME.input`.

    Another stack can write such a file of its own, for `first_difference(None, None, "training.safetensors", "serving.safetensors")`.
    Of several calls of a layer, the first is written.
    """
    save_file = _safetensors().save_file
    values = _values(model, inputs, arith, seed)
    unshared = {name: tensor.detach().clone().contiguous() for name, tensor in values.tensors.items()}
    save_file(unshared, os.fspath(path), metadata={_ORDER: "\n".join(values.order)})


# Runs


class _Run:
    """A model to be run on inputs under an arithmetic, with the same random numbers at each call."""

    def __init__(self, model: torch.nn.Module, inputs: Any, arithmetic: Callable[[], contextlib.AbstractContextManager[Any]], seed: int):
        self.model, self.inputs, self.arithmetic, self.seed = model, inputs, arithmetic, seed

    def __call__(self) -> None:
        with torch.random.fork_rng(devices=[]), self.arithmetic():
            torch.manual_seed(self.seed)
            if isinstance(self.inputs, Mapping):
                self.model(**self.inputs)
            elif isinstance(self.inputs, (tuple, list)):
                self.model(*self.inputs)
            else:
                self.model(self.inputs)


def _run(model: torch.nn.Module | None, inputs: Any, how: How, seed: int) -> _Run:
    if isinstance(how, torch.nn.Module):
        return _Run(how, inputs, contextlib.nullcontext, seed)
    if model is None:
        raise ValueError("model is None: it may be only if a and b are both dumps")
    if how is None:
        return _Run(model, inputs, contextlib.nullcontext, seed)
    from .torch import arith

    text = os.fspath(how)
    more = {"model": model} if is_recipe(text.partition("@")[0]) or is_recipe(text) else {}
    arith(text, **more)  # An operator that does not exist is an error before the first run.
    return _Run(model, inputs, lambda: arith(text, **more), seed)


@contextlib.contextmanager
def _hooked(model: torch.nn.Module, before: Callable[..., Any], after: Callable[..., Any]) -> Iterator[None]:
    """Hooks on every module. `before` gets name, module and inputs, `after` the output, too; what they return replaces it."""
    removed = []
    for name, module in model.named_modules():
        removed.append(module.register_forward_pre_hook(lambda module, args, kwargs, name=name: before(name, module, args, kwargs), with_kwargs=True))
        removed.append(module.register_forward_hook(lambda module, args, output, name=name: after(name, module, output)))
    try:
        yield
    finally:
        for handle in removed:
            handle.remove()


def _floating(tree: Any) -> Tensors:
    """The floating-point tensors in nested arguments or outputs."""
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()]


def _difference(a: torch.Tensor, b: torch.Tensor) -> float:
    """√(Σ (a − b)² / Σ b²); infinite if only one of two elements is finite, or two infinities or NaNs differ."""
    if a.shape != b.shape:
        return math.inf
    x, y = a.detach().double(), b.detach().double()
    finite = x.isfinite() & y.isfinite()
    if not bool((finite | (x == y) | (x.isnan() & y.isnan())).all()):
        return math.inf
    x, y = x.where(finite, 0.0), y.where(finite, 0.0)
    error, size = float((x - y).square().sum()), float(y.square().sum())
    if error == 0:
        return 0.0
    return math.sqrt(error / size) if size > 0 else math.inf


def _largest(a: Tensors, b: Tensors) -> float | None:
    """The largest difference of two lists of tensors; None if there are none, or not as many."""
    if not a or len(a) != len(b):
        return None
    return max(_difference(x, y) for x, y in zip(a, b))


def _most(a: float | None, b: float | None) -> float | None:
    return b if a is None else a if b is None else max(a, b)


class _Calls:
    """Counts the calls of each layer within a run."""

    def __init__(self) -> None:
        self._begun: dict[str, int] = {}
        self._open: list[tuple[str, int]] = []

    def begin(self, name: str) -> tuple[str, int]:
        call = (name, self._begun.get(name, 0))
        self._begun[name] = call[1] + 1
        self._open.append(call)
        return call

    def end(self) -> tuple[str, int]:
        return self._open.pop()

    def enclosing(self) -> str | None:
        """The layer around the one that has begun last."""
        return self._open[-2][0] if len(self._open) > 1 else None


class _Record:
    """Inputs and outputs of every call of run A."""

    def __init__(self) -> None:
        self._calls = _Calls()
        self.inputs: dict[tuple[str, int], Tensors] = {}
        self.outputs: dict[tuple[str, int], Tensors] = {}
        self.kinds: dict[str, str] = {}
        self.order: list[str] = []

    def before(self, name: str, module: torch.nn.Module, args: Any, kwargs: Any) -> None:
        self.inputs[self._calls.begin(name)] = [x.detach().clone() for x in _floating((args, kwargs))]

    def after(self, name: str, module: torch.nn.Module, output: Any) -> None:
        call = self._calls.end()
        self.outputs[call] = [x.detach().clone() for x in _floating(output)]
        if self.outputs[call] and name not in self.kinds:
            self.kinds[name] = type(module).__name__
            self.order.append(name)


class _Compared:
    """Compares the calls of run B with those of run A."""

    def __init__(self, record: _Record, rows: dict[str, LayerDifference], threshold: float):
        self._calls, self._record, self._rows, self._threshold = _Calls(), record, rows, threshold
        self._entering: dict[tuple[str, int], float | None] = {}

    def before(self, name: str, module: torch.nn.Module, args: Any, kwargs: Any) -> None:
        call = self._calls.begin(name)
        self._entering[call] = _largest(self._record.inputs.get(call, []), _floating((args, kwargs)))

    def after(self, name: str, module: torch.nn.Module, output: Any) -> None:
        call = self._calls.end()
        row, entering = self._rows.get(name), self._entering.pop(call)
        leaving = _largest(self._record.outputs.get(call, []), _floating(output))
        if row is None or leaving is None:
            return
        row.calls += 1
        row.entering, row.leaving = _most(row.entering, entering), _most(row.leaving, leaving)
        row.heals |= entering is not None and entering > self._threshold >= leaving
        row._arose |= leaving > self._threshold and (entering is None or entering <= self._threshold)


class _Forced:
    """Run B with the inputs and outputs of run A: each layer computes on the numbers of run A.

    What an input differs by then, the layer around it has made between its layers.
    """

    def __init__(self, record: _Record, rows: dict[str, LayerDifference]):
        self._calls, self._record, self._rows = _Calls(), record, rows

    def _made(self, name: str | None, difference: float | None) -> None:
        row = None if name is None else self._rows.get(name)
        if row is not None:
            row.made = _most(row.made, difference)

    def before(self, name: str, module: torch.nn.Module, args: Any, kwargs: Any) -> Any:
        call = self._calls.begin(name)
        expected = self._record.inputs.get(call, [])
        self._made(self._calls.enclosing(), _largest(expected, _floating((args, kwargs))))
        return _replaced((args, kwargs), expected)

    def after(self, name: str, module: torch.nn.Module, output: Any) -> Any:
        expected = self._record.outputs.get(self._calls.end(), [])
        self._made(name, _largest(expected, _floating(output)))
        return _replaced(output, expected)


def _replaced(tree: Any, tensors: Tensors) -> Any:
    """Nested arguments or outputs with these floating-point tensors; as they are if the tensors do not fit."""
    leaves, spec = tree_flatten(tree)
    at = [place for place, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()]
    if len(at) != len(tensors) or any(leaves[place].shape != x.shape for place, x in zip(at, tensors)):
        return tree
    for place, x in zip(at, tensors):
        leaves[place] = x.to(leaves[place].dtype)
    return tree_unflatten(leaves, spec)


def _first(rows: list[LayerDifference], threshold: float) -> LayerDifference | None:
    """The layer where the difference arises: its inputs are within the threshold and its output is not.

    If the inputs of the first layer beyond the threshold are beyond it already, the difference arose in the layer around it, between
    the layers inside that one.
    """
    beyond = next((row for row in rows if row.leaving is not None and row.leaving > threshold), None)
    if beyond is None or beyond._arose:
        return beyond
    around = [row for row in rows if row._arose and (row.name == "" or beyond.name.startswith(f"{row.name}."))]
    # The innermost finishes first.
    return around[0] if around else beyond


# Dumps


@dataclass
class _Values:
    """Tensors by layer name, and the layers in order."""

    tensors: dict[str, torch.Tensor]
    order: list[str]


def _is_path(how: How) -> bool:
    if how is None or isinstance(how, torch.nn.Module):
        return False
    path = Path(how)
    return path.suffix == ".safetensors" or not isinstance(how, str) or path.is_dir()


def _values(model: torch.nn.Module | None, inputs: Any, how: How, seed: int) -> _Values:
    if _is_path(how):
        return _read(Path(how))  # type: ignore[arg-type]
    run, record = _run(model, inputs, how, seed), _Record()
    with torch.no_grad(), _hooked(run.model, record.before, record.after):
        run()
    tensors = {}
    for name in record.order:
        tensors[name or "(model)"] = record.outputs[name, 0][0]
        if record.inputs.get((name, 0)):
            tensors[f"{name or '(model)'}{_INPUT}"] = record.inputs[name, 0][0]
    return _Values(tensors, [name or "(model)" for name in record.order])


def _safetensors() -> Any:
    try:
        import safetensors.torch
    except ImportError:
        raise ImportError("dumps of layers need safetensors: pip install safetensors") from None
    return safetensors.torch


def _natural(name: str) -> list[Any]:
    """A key that sorts layers.2 before layers.10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name)]


def _read(path: Path) -> _Values:
    if path.is_dir():
        import numpy

        files = {str(file.relative_to(path).with_suffix("")): file for file in path.rglob("*.npy")}
        tensors = {name: torch.from_numpy(numpy.load(file)) for name, file in files.items()}
        order = ""
    else:
        _safetensors()
        from safetensors import safe_open

        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}
            order = (file.metadata() or {}).get(_ORDER, "")
    tensors = {name: tensor for name, tensor in tensors.items() if tensor.is_floating_point()}
    if not tensors:
        raise ValueError(f"{path}: no tensor of floating point: a dump has one for each layer name")
    layers = {name for name in tensors if not (name.endswith(_INPUT) and name.removesuffix(_INPUT) in tensors)}
    known = [name for name in order.split("\n") if name in layers]
    return _Values(tensors, known + sorted(layers - set(known), key=_natural))


def _of_dumps(a: _Values, b: _Values, threshold: float) -> FirstDifference:
    """Compares dumps. Without the input of a layer, the difference of the layer before it enters."""
    names = [name for name in a.order if name in b.tensors]
    if not names:
        raise ValueError(f"the dumps have no layer in common: one has {_some(a.order)}, the other {_some(b.order)}")
    rows: list[LayerDifference] = []
    for name in names:
        inputs = f"{name}{_INPUT}"
        if inputs in a.tensors and inputs in b.tensors:
            entering = _difference(a.tensors[inputs], b.tensors[inputs])
        else:
            entering = rows[-1].leaving if rows else None
        leaving = _difference(a.tensors[name], b.tensors[name])
        arose = leaving > threshold and (entering is None or entering <= threshold)
        heals = entering is not None and entering > threshold >= leaving
        rows.append(LayerDifference(name, "", 1, entering, None, leaving, heals, arose))
    return FirstDifference(rows, _first(rows, threshold), threshold)


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
