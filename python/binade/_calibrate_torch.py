"""Calibration of PyTorch models: hooks that count the magnitudes of inputs, keys and values while batches run."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from ._calibration import Calibration, Histogram
from ._inference_torch import CACHES, Write, linear_layers


def calibrate(
    model: torch.nn.Module, batches: Iterable[Any], *, name: str | None = None, progress: Callable[[int], None] | None = None
) -> Calibration:
    """Runs a model on batches and returns the magnitudes of its activations, for static scales.

    A batch is a tensor (token numbers, for a language model), a mapping of keyword arguments, or a sequence of arguments. For each linear
    layer the result has its inputs' largest magnitude, percentiles, and the clip of least mean square error. Of models of transformers it also
    has keys and values as they enter the cache. Histograms are of a fixed size, so memory does not grow with the batches. NaNs and infinities
    are counted by layer and leave the other figures as they are. `progress` is called with the number of finished batches.

        >>> import torch
        >>> net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
        >>> calibration = calibrate(net, [torch.eye(4), 8 * torch.eye(4)])
        >>> calibration.inputs["0"].largest
        8.0

    # Errors
    `ValueError` without any batch, and for a model without linear layers.
    """
    layers = linear_layers(model)
    if not layers:
        raise ValueError("the model has no linear layers: there is nothing to calibrate")
    observer = Observer(model)
    tokens = count = 0
    with observer, torch.no_grad():
        for batch in batches:
            tokens += observer.run(batch)
            count += 1
            if progress is not None:
                progress(count)
    if count == 0:
        raise ValueError("calibration needs at least one batch")
    title = name if name is not None else str(getattr(getattr(model, "config", None), "name_or_path", "") or type(model).__name__)
    return observer.calibration(title, tokens)


class Observer:
    """Histograms of a model's activations, while it is entered and `counts` returns true."""

    def __init__(self, model: torch.nn.Module, counts: Callable[[], bool] = lambda: True) -> None:
        self._model = model
        self._counts = counts
        self.found: dict[str, dict[str, Histogram]] = {"inputs": {}, "keys": {}, "values": {}}
        self._running: list[str] = []
        self._thread = threading.get_ident()
        self._hooks = contextlib.ExitStack()
        transformers = sys.modules.get("transformers")
        self._has_cache = transformers is not None and isinstance(model, transformers.PreTrainedModel)

    def __enter__(self) -> Observer:
        with contextlib.ExitStack() as hooks:
            for layer in linear_layers(self._model):
                hook = layer.module.register_forward_pre_hook(self._reads(layer.name), with_kwargs=True)
                hooks.callback(hook.remove)
            if self._has_cache:
                # Keys and values belong to the innermost layer that runs.
                for name, module in self._model.named_modules():
                    if name:
                        before = module.register_forward_pre_hook(self._begins(name))
                        after = module.register_forward_hook(self._ends, always_call=True)
                        hooks.callback(before.remove)
                        hooks.callback(after.remove)
                CACHES.open(self._of_thread)
                hooks.callback(CACHES.close, self._of_thread)
            self._hooks = hooks.pop_all()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._hooks.close()

    def run(self, batch: Any) -> int:
        """Runs a batch and returns its number of tokens: the elements of its first tensor, or its rows if they are features."""
        arguments: Sequence[Any] = ()
        keywords: dict[str, Any] = {}
        if isinstance(batch, Mapping):
            keywords = dict(batch)
        elif isinstance(batch, torch.Tensor):
            arguments = (batch,)
        else:
            arguments = tuple(batch)
        if self._has_cache:
            keywords.setdefault("use_cache", True)
        self._model(*arguments, **keywords)
        first = next((each for each in (*arguments, *keywords.values()) if isinstance(each, torch.Tensor)), None)
        if first is None:
            return 0
        features = first.shape[-1] if first.is_floating_point() and first.dim() > 1 else 1
        return int(first.numel() // features)

    def _reads(self, name: str) -> Callable[..., None]:
        def before(module: Any, inputs: Any, keywords: Any) -> None:
            self._add("inputs", name, next(iter((*inputs, *keywords.values()))))

        return before

    def _begins(self, name: str) -> Callable[..., None]:
        def before(module: Any, inputs: Any) -> None:
            self._running.append(name)

        return before

    def _ends(self, module: Any, inputs: Any, result: Any) -> None:
        self._running.pop()

    def _of_thread(self) -> Write | None:
        return self._write if threading.get_ident() == self._thread else None

    def _write(self, what: str, states: torch.Tensor) -> torch.Tensor:
        self._add(what, self._running[-1] if self._running else "", states)
        return states

    def calibration(self, name: str, tokens: int) -> Calibration:
        """The figures of what was observed."""
        parts = {part: {layer: each.observed() for layer, each in found.items()} for part, found in self.found.items()}
        return Calibration(name, tokens, parts["inputs"], parts["keys"], parts["values"])

    def _add(self, part: str, name: str, tensor: torch.Tensor) -> None:
        if not self._counts():
            return
        histogram = self.found[part].get(name)
        if histogram is None:
            histogram = self.found[part][name] = Histogram()
        histogram.add(tensor.detach().cpu().float().numpy())
