"""Evaluation of a language model under rows of `binade lm`: perplexity, divergence and agreement, window by window."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TextIO, TypeVar

import torch

from ._binade import stream
from ._calibration import Calibration
from ._inference_torch import replaced_weights
from ._lm_model import ModelError, available_memory
from ._lm_row_torch import Row, RowError
from .torch import arith

# Positions whose predictions are compared at a time, in binary64.
_POSITIONS = 64

_T = TypeVar("_T")


def _typed(kind: type[_T], wanted: str, value: Any, name: str) -> _T:
    """The value of a field of the log, of this type."""
    if not isinstance(value, kind):
        raise ValueError(f"{name} must be {wanted}: got {value!r:.40}")
    return value


def _number(value: Any, name: str) -> float:
    """A number, or the text of an infinity or NaN."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(f"{name} must be numbers: got {value!r:.40}")
    try:
        return float(value)
    except ValueError:
        raise ValueError(f"{name} must be numbers: got {value!r:.40}") from None


@dataclass
class Window:
    """The predictions of one row in one window, by position."""

    # The negative logarithm of the next token's probability.
    losses: list[float]
    # The divergence of the row's prediction from that of the model as it is, in nats.
    divergences: list[float]
    # True where both name the same most probable token.
    agrees: list[bool]
    # Infinities and NaNs in the outputs of layers, in the order in which they appear.
    not_finite: dict[str, int]
    # Products that stay PyTorch's though their layer is in the recipe, and keys and values that were written.
    left: dict[str, int]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """As lines of the log have it. NaN and infinities are texts."""
        plain = dict(self.__dict__)
        for key in ("losses", "divergences"):
            plain[key] = [x if math.isfinite(x) else str(x) for x in plain[key]]
        return plain

    @staticmethod
    def of_json(plain: dict[str, Any]) -> Window:
        """From a line of the log.

        # Errors
        `ValueError` that names a field which is missing, unknown or of a wrong type.
        """
        wanted = {each.name for each in fields(Window)}
        for name in sorted(wanted ^ set(plain)):
            raise ValueError(f"{'missing' if name in wanted else 'unknown'} field {name}: a window has {', '.join(sorted(wanted))}")
        numbers = {key: [_number(x, key) for x in _typed(list, "a list", plain[key], key)] for key in ("losses", "divergences")}
        agrees = [_typed(bool, "a list of booleans", x, "agrees") for x in _typed(list, "a list", plain["agrees"], "agrees")]
        counts: dict[str, dict[str, int]] = {}
        for key in ("not_finite", "left"):
            found = _typed(dict, "an object of counts", plain[key], key)
            counts[key] = {name: _typed(int, "an object of counts", count, key) for name, count in found.items()}
        if not len(numbers["losses"]) == len(numbers["divergences"]) == len(agrees):
            raise ValueError("losses, divergences and agrees must have an entry for each position")
        seconds = _number(plain["seconds"], "seconds")
        return Window(numbers["losses"], numbers["divergences"], agrees, counts["not_finite"], counts["left"], seconds)


@dataclass
class Result:
    """The measures of a row over its windows."""

    row: Row
    bits: float
    windows: list[Window] = field(default_factory=list)

    def _all(self, key: str) -> list[float]:
        return [float(x) for window in self.windows for x in getattr(window, key)]

    @property
    def tokens(self) -> int:
        """Number of predictions."""
        return len(self._all("losses"))

    @property
    def perplexity(self) -> float:
        """The exponential of the mean loss."""
        return _exp(_mean(self._all("losses")))

    @property
    def perplexity_error(self) -> float:
        """The standard error of the perplexity, from the spread of the losses of single tokens."""
        return self.perplexity * _standard_error(self._all("losses"))

    @property
    def kl_mean(self) -> float:
        """Mean divergence from the model as it is, in nats."""
        return _mean(self._all("divergences"))

    @property
    def kl_error(self) -> float:
        """The standard error of the mean divergence."""
        return _standard_error(self._all("divergences"))

    @property
    def kl_p99(self) -> float:
        """The 99th percentile of the divergence, as NumPy's `percentile` interpolates."""
        values = sorted(self._all("divergences"))
        if any(math.isnan(x) for x in values) or not values:
            return math.nan
        at = 0.99 * (len(values) - 1)
        low, high = math.floor(at), math.ceil(at)
        return values[low] + (values[high] - values[low]) * (at - low)

    @property
    def top1_agreement(self) -> float:
        """The share of positions with the same most probable token."""
        return _mean(self._all("agrees"))

    @property
    def not_finite(self) -> dict[str, int]:
        """Infinities and NaNs in the outputs of layers."""
        return _summed(window.not_finite for window in self.windows)

    @property
    def left(self) -> dict[str, int]:
        """Products that stayed PyTorch's though their layer is in the recipe."""
        return _summed(window.left for window in self.windows)

    @property
    def seconds(self) -> float:
        """Seconds of all windows."""
        return sum(window.seconds for window in self.windows)

    def to_json(self) -> dict[str, Any]:
        """The row of `--json`; numbers that are not finite are null."""
        numbers = {
            "perplexity": self.perplexity,
            "perplexity_error": self.perplexity_error,
            "kl_mean": self.kl_mean,
            "kl_error": self.kl_error,
            "kl_p99": self.kl_p99,
            "top1_agreement": self.top1_agreement,
            "bits_per_weight": self.bits,
        }
        plain: dict[str, Any] = {key: x if math.isfinite(x) else None for key, x in numbers.items()}
        return {
            "recipe": self.row.text,
            **plain,
            "windows": len(self.windows),
            "tokens": self.tokens,
            "not_finite": self.not_finite,
            "left": self.left,
            "seconds": round(self.seconds, 3),
        }


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _standard_error(values: list[float]) -> float:
    if len(values) < 2:
        return math.nan
    mean = _mean(values)
    return math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (len(values) - 1) / len(values))


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _summed(counters: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counters:
        total.update(each)
    return dict(total)


class Log:
    """A file of finished windows, a line each, which a later run with the same model and text continues."""

    def __init__(self, path: Path | None, of: dict[str, Any]) -> None:
        self.done: dict[tuple[str, int], Window] = {}
        self._opened: TextIO | None = None
        if path is None:
            return
        if path.exists() and path.stat().st_size:
            self._read(path, of)
        self._opened = path.open("a", encoding="utf-8")
        if path.stat().st_size == 0:
            self._line({"binade_lm": 1, **of})

    def _read(self, path: Path, of: dict[str, Any]) -> None:
        text = path.read_text(encoding="utf-8")
        complete = text[: text.rfind("\n") + 1]
        lines = complete.splitlines()
        at = 1
        try:
            head = json.loads(lines[0])
            if "binade_lm" not in head:
                raise ValueError("it has no line of `binade lm` at its beginning")
            differ = [key for key in of if head.get(key) != of[key]]
            if differ:
                raise ModelError(f"{path} is the log of another run: {', '.join(differ)} differ. Name another file, or delete it")
            for at, line in enumerate(lines[1:], 2):
                plain = _typed(dict, "an object", json.loads(line), "the line")
                key = (_typed(str, "a text", plain.pop("recipe", None), "recipe"), _typed(int, "a number", plain.pop("window", None), "window"))
                self.done[key] = Window.of_json(plain)
        except ModelError:
            raise
        except (IndexError, TypeError, ValueError) as error:
            raise ModelError(f"{path}:{at}: not the log of `binade lm`: {error}. Name another file, or delete it") from None
        if len(complete) < len(text):
            # A run that was killed leaves half a line.
            path.write_text(complete, encoding="utf-8")

    def _line(self, plain: dict[str, Any]) -> None:
        if self._opened is not None:
            self._opened.write(json.dumps(plain) + "\n")
            self._opened.flush()

    def add(self, row: str, number: int, window: Window) -> None:
        """Appends a finished window."""
        self.done[row, number] = window
        self._line({"recipe": row, "window": number, **window.to_json()})


class Evaluation:
    """A model, its windows, and what its predictions are as it is."""

    def __init__(
        self,
        model: Any,
        windows: torch.Tensor,
        *,
        log: Log | None = None,
        threads: int | None = None,
        own_bits: float = 32.0,
        ragged: str = "error",
        seed: int = 0,
        load: Callable[[str], Any] | None = None,
        calibration: Calibration | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.model = model
        self.windows = windows
        self.log = log or Log(None, {})
        self.own_bits = own_bits
        self._threads = threads
        self._ragged = ragged
        self._seed = seed
        self._load = load
        self._calibration = calibration
        self._progress = progress
        self._references: dict[int, torch.Tensor] = {}

    def prepared(self, row: Row) -> Row:
        """The row, checked against the model's layers and the calibration. Layers that its blocks do not fit are left if that was asked."""
        if row.is_static and self._calibration is None:
            raise RowError(f"row '{row.text}': its static scales are those of a calibration: name its file with --calibration")
        misfits = row.misfits(self.model)
        if misfits and self._ragged == "error":
            layer, why = misfits[0]
            more = f", and of {len(misfits) - 1} more layers" if len(misfits) > 1 else ""
            raise RowError(f"row '{row.text}': layer {layer.name}{more}: {why}: --ragged leave keeps such layers as they are, --ragged pad fills with zeros")
        row = row.without([layer.name for layer, _ in misfits]) if misfits and self._ragged == "leave" else row
        if row.is_static and row.checkpoint is None:
            try:
                row.context(self.model, self._threads, self._calibration)
            except ValueError as error:
                raise RowError(f"row '{row.text}': {error}") from None
        return row

    def row(self, row: Row, windows: int | None = None) -> Result:
        """Evaluates a row. On Ctrl-C, the windows that are done are in the log."""
        result = Result(row, math.nan)
        for window in self.each(row, windows):
            result.windows.append(window)
        result.bits = self.bits(row)
        return result

    def bits(self, row: Row) -> float:
        """Bits a weight of the linear layers under a row."""
        return math.nan if row.checkpoint else row.bits(self.model, self.own_bits)

    def each(self, row: Row, windows: int | None = None) -> Iterable[Window]:
        """The windows of a row, as they are done or come from the log."""
        count = len(self.windows) if windows is None else windows
        missing = [number for number in range(count) if (row.text, number) not in self.log.done]
        if not missing:
            yield from (self.log.done[row.text, number] for number in range(count))
            return
        model = self.model
        if row.checkpoint is not None:
            if self._load is None:
                raise RowError(f"row '{row.text}': no checkpoint can be loaded here")
            model = self._load(row.checkpoint)
        weights = row.quantised_weights(model)
        context = row.context(model, self._threads, self._calibration)
        for number in range(count):
            done = self.log.done.get((row.text, number))
            if done is None:
                # The model as it is predicts before the weights of the row are in place.
                reference = self._reference(number)
                self._progress(f"{row.text}: window {number + 1} of {count}")
                with replaced_weights(weights):
                    done = self._window(row, model, context, number, reference)
                self.log.add(row.text, number, done)
            yield done

    def _reference(self, number: int) -> torch.Tensor:
        """The predictions of the model as it is, kept while memory lasts."""
        kept = self._references.get(number)
        if kept is None:
            self._progress(f"the model as it is: window {number + 1} of {len(self.windows)}")
            kept = self._keep_reference(number, logits_of(self.model, self.windows[number]))
        return kept

    def _keep_reference(self, number: int, logits: torch.Tensor) -> torch.Tensor:
        available = available_memory()
        if available is None or 8 * logits.numel() * 4 < available:
            self._references[number] = logits
        return logits

    def _window(self, row: Row, model: Any, context: Any, number: int, reference: torch.Tensor) -> Window:
        tokens = self.windows[number]
        begin = time.perf_counter()
        not_finite: Counter[str] = Counter()
        if isinstance(context, arith):
            # Random bits follow from the window, not from what was computed before it.
            context.load_state_dict({"seed": stream(self._seed, [number]), "drawn": 0})
            context.by_layer.clear()
        with watched(model, not_finite), context:
            logits = logits_of(model, tokens, cached=row.kv is not None)
        seconds = time.perf_counter() - begin
        left: dict[str, int] = {}
        if isinstance(context, arith):
            if row.kv is not None and not context.written:
                raise RowError(f"row '{row.text}': the model wrote no keys and values through a cache of transformers")
            if row.arithmetic is not None:
                left = {layer.name: 1 for layer in row.chosen(model) if layer.name not in context.by_layer}
        losses, divergences, agrees = compared(reference, logits, tokens)
        return Window(losses, divergences, agrees, dict(not_finite), left, seconds)


def compared(reference: torch.Tensor, logits: torch.Tensor, tokens: torch.Tensor) -> tuple[list[float], list[float], list[bool]]:
    """Losses, divergences KL(reference ‖ row) in nats and agreement, for each position that has a next token, in binary64."""
    losses: list[float] = []
    divergences: list[float] = []
    agrees: list[bool] = []
    last = len(tokens) - 1
    for first in range(0, last, _POSITIONS):
        at = slice(first, min(first + _POSITIONS, last))
        p, q = (torch.log_softmax(each[at].double(), -1) for each in (reference, logits))
        targets = tokens[at.start + 1 : at.stop + 1]
        losses += (-q.gather(-1, targets[:, None])[:, 0]).tolist()
        probability = p.exp()
        # A token of probability 0 adds nothing.
        terms = torch.where(probability > 0, probability * (p - q), 0.0)
        divergences += terms.sum(-1).clamp(min=0.0).tolist()
        finite = ~torch.isnan(q).any(-1)
        agrees += (finite & (reference[at].argmax(-1) == logits[at].argmax(-1))).tolist()
    return losses, divergences, agrees


def logits_of(model: Any, tokens: torch.Tensor, cached: bool = False) -> torch.Tensor:
    """The model's predictions in a window, a row for each position; with `cached`, attention reads keys and values from a cache."""
    with torch.no_grad():
        output = model(tokens[None], use_cache=cached)
    logits: torch.Tensor = output.logits[0].float()
    return logits


class watched:  # noqa: N801: used as a function
    """Counts infinities and NaNs in the outputs of a model's innermost layers, while `counts` returns true."""

    def __init__(self, model: torch.nn.Module, found: Counter[str], counts: Callable[[], bool] = lambda: True) -> None:
        self._layers = [(name, layer) for name, layer in model.named_modules() if name and not any(layer.children())]
        self._found = found
        self._counts = counts
        self._hooks: list[Any] = []

    def __enter__(self) -> None:
        for name, layer in self._layers:

            def count(layer: Any, inputs: Any, output: Any, name: str = name) -> None:
                if isinstance(output, torch.Tensor) and output.is_floating_point() and self._counts():
                    wrong = output.numel() - int(torch.isfinite(output).sum())
                    if wrong:
                        self._found[name] += wrong

            self._hooks.append(layer.register_forward_hook(count))

    def __exit__(self, *raised: Any) -> None:
        for hook in self._hooks:
            hook.remove()
