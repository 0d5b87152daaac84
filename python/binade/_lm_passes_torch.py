"""Evaluation and calibration of streamed language models: all rows and windows pass through one decoder layer before the next is loaded."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import torch

from ._binade import stream
from ._calibrate_torch import Observer
from ._calibration import Calibration
from ._inference_torch import replaced_weights
from ._lm_evaluate_torch import Evaluation, Window, compared, watched
from ._lm_row_torch import Row, RowError
from ._lm_stream_torch import StreamedModel
from .torch import arith


@dataclass
class _State:
    """One window of one row between two layers."""

    number: int
    # The result of the last layer.
    result: Any = None
    # Draws of stochastic rounding so far.
    drawn: int = 0
    not_finite: Counter[str] = field(default_factory=Counter)
    # Layers that had a product under the row, and true if keys and values were written.
    computed: set[str] = field(default_factory=set)
    wrote: bool = False
    seconds: float = 0.0

    def to_plain(self) -> dict[str, Any]:
        """As the file of a pass has it."""
        return {**self.__dict__, "not_finite": dict(self.not_finite), "computed": sorted(self.computed)}

    @staticmethod
    def of_plain(plain: dict[str, Any]) -> _State:
        """From the file of a pass."""
        return _State(**{**plain, "not_finite": Counter(plain["not_finite"]), "computed": set(plain["computed"])})


class _Run:
    """A row on a streamed model: its context, its weights and its windows."""

    def __init__(self, row: Row, model: StreamedModel, context: Any, windows: torch.Tensor, states: list[_State], seed: int) -> None:
        self.row, self.model, self.context, self.states = row, model, context, states
        self._windows, self._seed = windows, seed

    def through(self, step: int, say: Callable[[int], None] = lambda _: None) -> Iterator[tuple[_State, Any]]:
        """Computes a step in all windows, and yields each with its result. Weights are quantised once for all windows."""
        weights = self.row.quantised_weights(self.model.model, self.model.names(step))
        if isinstance(self.context, arith):
            self.context.forget_weights()
        for at, state in enumerate(self.states):
            say(at)
            begin = time.perf_counter()
            with replaced_weights(weights):
                result = self._step(step, state)
            state.seconds += time.perf_counter() - begin
            yield state, result
        if isinstance(self.context, arith):
            self.context.forget_weights()

    def _step(self, step: int, state: _State) -> Any:
        model, context = self.model, self.context

        def enter() -> None:
            # What runs before the layer has drawn as it did in the first step.
            if isinstance(context, arith):
                context.drawn = state.drawn

        if isinstance(context, arith):
            context.load_state_dict({"seed": stream(self._seed, [state.number]), "drawn": 0})
            context.by_layer.clear()
            context.written.clear()
        with watched(model.model, state.not_finite, lambda: model.is_own), context:
            result = model.step(step, self._windows[state.number], state.result, cached=self.row.kv is not None, enter=enter)
        if isinstance(context, arith):
            state.drawn = context.drawn
            state.computed |= set(context.by_layer)
            state.wrote = state.wrote or bool(context.written)
        return result


class StreamedEvaluation(Evaluation):
    """An evaluation of a streamed model. `measure` computes all rows in one pass; after it, `each` has their windows.

    `open` makes the streamed model of a row's checkpoint. `kept` is a file that has the pass after each layer, from which a later run continues;
    `of` tells passes of other runs.
    """

    def __init__(
        self,
        streamed: StreamedModel,
        windows: torch.Tensor,
        *,
        open: Callable[[str], StreamedModel],
        layer_done: Callable[[str], None] = lambda _: None,
        kept: Path | None = None,
        of: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(streamed.model, windows, **options)
        self._streamed = streamed
        self._open = open
        self._layer_done = layer_done
        self._kept, self._of = kept, repr(of)

    def measure(self, rows: Iterable[Row]) -> None:
        """Computes the windows of rows that are not in the log. On Ctrl-C, `kept` has those that passed the last finished layer."""
        rows = list({row.text: row for row in rows}.values())
        missing = {row.text: [at for at in range(len(self.windows)) if (row.text, at) not in self.log.done] for row in rows}
        numbers = sorted({at for each in missing.values() for at in each})
        if not numbers:
            return
        reference = self._run(Row.parse("f32"), self._streamed, numbers)
        own = [row for row in rows if row.checkpoint is None and not row.is_reference]
        runs = [self._run(row, self._streamed, missing[row.text]) for row in own if missing[row.text]]
        self._pass(self._streamed, [reference, *runs])
        last = self._streamed.steps - 1
        for row in rows:
            if row.is_reference and missing[row.text]:
                again = [_State.of_plain(state.to_plain()) for state in reference.states if state.number in missing[row.text]]
                runs.append(_Run(row, self._streamed, reference.context, self.windows, again, self._seed))
        for run in runs:
            self._head(run, reference, last)
        for row in rows:
            if row.checkpoint is not None and missing[row.text]:
                with self._open(row.checkpoint) as other:
                    run = self._run(row, other, missing[row.text])
                    self._pass(other, [run])
                    self._head(run, reference, other.steps - 1)
        if self._kept is not None:
            self._kept.unlink(missing_ok=True)

    def _run(self, row: Row, model: StreamedModel, numbers: list[int]) -> _Run:
        context = row.context(model.model, self._threads, self._calibration)
        return _Run(row, model, context, self.windows, [_State(number) for number in numbers], self._seed)

    def _pass(self, model: StreamedModel, runs: list[_Run]) -> None:
        """All windows of rows through the decoder layers."""
        count = len(model.layers)
        for step in range(self._continued(model, runs), count):
            begin = time.perf_counter()
            with model.loaded(step):
                for run in runs:
                    for state, result in run.through(step, partial(self._say, f"layer {step + 1} of {count}", run)):
                        state.result = result
            self._keep(model, runs, step + 1)
            self._layer_done(f"layer {step + 1} of {count}: {time.perf_counter() - begin:.1f} s")

    def _say(self, step: str, run: _Run, at: int) -> None:
        """Reports the window at index `at` of a row as computed now."""
        self._progress(f"{step}: {run.row.text}: window {at + 1} of {len(run.states)}")

    def _head(self, run: _Run, reference: _Run, last: int) -> None:
        """The output head, and the measures of a row."""
        for state, output in run.through(last, partial(self._say, "output head", run)):
            row = run.row
            if row.kv is not None and not state.wrote:
                raise RowError(f"row '{row.text}': the model wrote no keys and values through a cache of transformers")
            left = {}
            if row.arithmetic is not None:
                left = {layer.name: 1 for layer in row.chosen(run.model.model) if layer.name not in state.computed}
            measures = compared(self._reference_of(reference, state.number), _logits(output), self.windows[state.number])
            self.log.add(row.text, state.number, Window(*measures, dict(state.not_finite), left, state.seconds))

    def _reference_of(self, reference: _Run, number: int) -> torch.Tensor:
        kept = self._references.get(number)
        if kept is None:
            states = [state for state in reference.states if state.number == number]
            only = _Run(reference.row, self._streamed, reference.context, self.windows, states, self._seed)
            ((_, output),) = only.through(self._streamed.steps - 1)
            kept = self._keep_reference(number, _logits(output))
        return kept

    def _keep(self, model: StreamedModel, runs: list[_Run], step: int) -> None:
        """Writes the pass to its file, in one step."""
        if self._kept is None or not all(_is_plain(state.result) for run in runs for state in run.states):
            return
        plain = {
            "of": self._of,
            "model": str(model.source.path),
            "step": step,
            "rows": {run.row.text: [state.to_plain() for state in run.states] for run in runs},
        }
        temporary = self._kept.with_name(f".{self._kept.name}.{os.getpid()}")
        torch.save(plain, temporary)
        temporary.replace(self._kept)

    def _continued(self, model: StreamedModel, runs: list[_Run]) -> int:
        """The step that follows those in the file of a pass; 0 if it is that of other rows, windows or files."""
        if self._kept is None or not self._kept.exists():
            return 0
        try:
            plain = torch.load(self._kept, weights_only=True)
            rows = {text: [_State.of_plain(state) for state in states] for text, states in plain["rows"].items()}
            same = plain["of"] == self._of and plain["model"] == str(model.source.path)
            step = int(plain["step"])
        except Exception:  # noqa: BLE001: a file of any kind may be there
            return 0
        wanted = {run.row.text: [state.number for state in run.states] for run in runs}
        if not same or wanted != {text: [state.number for state in states] for text, states in rows.items()}:
            return 0
        for run in runs:
            run.states = rows[run.row.text]
        self._layer_done(f"layers 1 to {step} of {len(model.layers)}: from {self._kept}")
        return step


def _logits(output: Any) -> torch.Tensor:
    logits: torch.Tensor = output.logits[0].float()
    return logits


def _is_plain(result: Any) -> bool:
    """Returns true for tensors, and tuples of them, which a file can have."""
    if isinstance(result, tuple):
        return all(map(_is_plain, result))
    return result is None or type(result) is torch.Tensor


def calibrate_streamed(model: StreamedModel, windows: torch.Tensor, name: str, progress: Callable[[str], None] = lambda _: None) -> Calibration:
    """The calibration of a streamed model, equal to that of `calibrate` on the whole one."""
    observer = Observer(model.model, lambda: model.is_own)
    results: list[Any] = [None] * len(windows)
    with observer, torch.no_grad():
        for step in range(model.steps):
            with model.loaded(step):
                for at, tokens in enumerate(windows):
                    progress(f"calibration: layer {min(step + 1, model.steps - 1)} of {model.steps - 1}: window {at + 1} of {len(windows)}")
                    result = model.step(step, tokens, results[at], cached=True)
                    # Logits are not kept.
                    results[at] = result if step < model.steps - 1 else None
    return observer.calibration(name, windows.numel())
