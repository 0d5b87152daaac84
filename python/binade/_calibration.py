"""Calibrations: magnitudes of a model's activations, keys and values, from which static scales are made.

`binade.torch.calibrate` and `binade lm --calibrate` write the file, `binade quantize --calibration` and `binade lm --calibration` read it.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._binade import Quantizer, __version__

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The percentiles of a calibration, by the names that the file has for them.
PERCENTILES = ("99", "99.9", "99.99")
# The formats for which a calibration has the clip of least error, with their largest numbers.
FORMATS = {"float8_e4m3fn": 448.0, "float4_e2m1fn": 6.0}

# A histogram has 64 bins for each power of two: the binary32 words of magnitudes without their last 17 bits.
_SHIFT = 17
# The first bin of infinities and NaNs.
_BINS = 0x7F80_0000 >> _SHIFT
# The largest magnitude that an activation can have.
_LARGEST = (2 - 2.0**-23) * 2.0**127
# Distances of clips in the search for the least error, in powers of two.
_STEP = 1 / 16


class Histogram:
    """Magnitudes of a stream of numbers, in bins that differ by less than 1.6 %. Its memory does not grow with the stream."""

    def __init__(self) -> None:
        import numpy as np

        self.counts = np.zeros(_BINS, np.int64)
        self.not_finite = 0
        self.largest = 0.0

    def add(self, values: NDArray[np.float32]) -> None:
        """Counts the numbers of an array."""
        import numpy as np

        if values.size == 0:
            return
        words = np.ascontiguousarray(values).reshape(-1).view(np.int32) & 0x7FFF_FFFF
        counts = np.bincount(words >> _SHIFT, minlength=_BINS)
        not_finite = int(counts[_BINS:].sum())
        self.not_finite += not_finite
        self.counts += counts[:_BINS]
        finite = words if not not_finite else words[words < 0x7F80_0000]
        if finite.size:
            self.largest = max(self.largest, float(finite.max().view(np.float32)))

    def observed(self) -> Observed:
        """The figures of a calibration."""
        percentiles = {name: self.percentile(float(name)) for name in PERCENTILES}
        mse = {format: self.clip_of_least_error(format, most) for format, most in FORMATS.items()}
        return Observed(int(self.counts.sum()) + self.not_finite, self.not_finite, self.largest, percentiles, mse)

    def percentile(self, percent: float) -> float:
        """The magnitude below which this share of the finite numbers lies. Numbers of a bin count as evenly distributed."""
        import numpy as np

        total = int(self.counts.sum())
        if total == 0:
            return 0.0
        before = percent / 100 * total
        sums = np.cumsum(self.counts)
        at = min(int(np.searchsorted(sums, before)), int(np.flatnonzero(self.counts)[-1]))
        low, high = _edges(np.array([at, at + 1]))
        inside = (before - (sums[at] - self.counts[at])) / self.counts[at]
        return min(self.largest, float(low + (high - low) * min(1.0, max(0.0, inside))))

    def clip_of_least_error(self, format: str, most: float) -> float:
        """The largest magnitude kept with the least mean square error, where the format's largest number `most` stands for it.

        Larger magnitudes saturate. Candidates are the largest magnitude divided by powers of 2^(1/16).
        """
        import numpy as np

        if self.largest == 0.0:
            return 0.0
        bins = np.flatnonzero(self.counts)
        low, high = _edges(bins), _edges(bins + 1)
        # Four points of each bin.
        points = np.concatenate([low + (high - low) * share for share in (0.125, 0.375, 0.625, 0.875)])
        points = np.minimum(points, self.largest)
        weights = np.tile(self.counts[bins].astype(np.float64), 4)
        quantizer = Quantizer(format)
        best, least = self.largest, math.inf
        for step in range(16 * 64):
            clip = self.largest * 2.0 ** (-_STEP * step)
            scaled = (np.minimum(points, clip) * (most / clip)).astype(np.float32)
            error = points - quantizer.quantize(scaled, scaled.size).astype(np.float64) * (clip / most)
            square = float((weights * error * error).sum())
            if square < least:
                best, least = clip, square
            elif square > 4 * least:
                break
        return float(np.float32(best))


def _edges(bins: Any) -> Any:
    """The least magnitudes of bins."""
    import numpy as np

    return (bins.astype(np.int64) << _SHIFT).astype(np.int32).view(np.float32).astype(np.float64)


@dataclass(frozen=True)
class Observed:
    """The magnitudes of one tensor over all batches."""

    elements: int
    # NaNs and infinities, which no other figure counts.
    not_finite: int
    largest: float
    # By name, as "99.9".
    percentiles: Mapping[str, float]
    # By format: the largest magnitude kept with the least mean square error, under one scale for all elements.
    mse: Mapping[str, float]

    def clip(self, which: str, format: str = "float8_e4m3fn") -> float:
        """The largest magnitude that a static scale keeps: `largest`, a percentile as `99.9`, or `mse` for a format."""
        if which == "largest":
            return self.largest
        if which == "mse":
            return self.mse[format]
        return self.percentiles[which]


@dataclass
class Calibration:
    """Magnitudes of the inputs of a model's linear layers, and of the keys and values that enter its cache.

    Layers have the names of `model.named_modules()`; keys and values have those of their attention layers.

        >>> calibration = Calibration("tiny", 256)
        >>> calibration.inputs["fc"] = Observed(4096, 0, 12.5, {"99": 2.5, "99.9": 3.5, "99.99": 4.0}, {"float8_e4m3fn": 12.5})
        >>> calibration.inputs["fc"].clip("99.9")
        3.5
        >>> calibration
        tiny, 256 tokens
        inputs  elements  not finite  largest   99  99.9  99.99  mse float8_e4m3fn
        fc         4,096           0     12.5  2.5   3.5      4               12.5
    """

    model: str
    tokens: int
    inputs: dict[str, Observed] = field(default_factory=dict)
    keys: dict[str, Observed] = field(default_factory=dict)
    values: dict[str, Observed] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The document that `save` writes."""
        return {
            "kind": "binade calibration",
            "binade": __version__,
            "model": self.model,
            "tokens": self.tokens,
            **{part: {name: _plain(each) for name, each in getattr(self, part).items()} for part in _PARTS},
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file that `binade quantize --calibration` reads, in one step."""
        path = Path(path)
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        temporary.write_text(json.dumps(self.to_json(), indent=1, allow_nan=False) + "\n", encoding="utf-8")
        temporary.replace(path)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Calibration:
        """Reads the file that `save` wrote.

        # Errors
        `ValueError` for a file that is no calibration, with the place of the mistake.
        """
        try:
            plain = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path}: no calibration: not JSON: {error}") from None
        if not isinstance(plain, dict) or plain.get("kind") != "binade calibration":
            raise ValueError(f'{path}: no calibration: it has no "kind": "binade calibration"; `binade lm MODEL --calibrate FILE` writes one')
        _known(plain, ("kind", "binade", "model", "tokens", *_PARTS), str(path))
        made = Calibration(str(plain.get("model", "")), _count(plain.get("tokens", 0), f"{path}: tokens"))
        for part in _PARTS:
            layers = plain.get(part, {})
            if not isinstance(layers, dict):
                raise ValueError(f"{path}: {part} must be an object of layers: got {type(layers).__name__}")
            for name, each in layers.items():
                getattr(made, part)[name] = _observed(each, f"{path}: {part}.{name}")
        return made

    def notes(self, layers: Iterable[str]) -> list[str]:
        """Notes for a user of the calibration in a model with these linear layers: unknown layers, and numbers that no figure counts.

        # Errors
        `ValueError` if no layer of the calibration is among them.
        """
        known = set(layers)
        unknown = [name for name in self.inputs if name not in known]
        if unknown and len(unknown) == len(self.inputs):
            raise ValueError(f"calibration: none of its layers is in the model, such as {_first(unknown)}: calibrate the model that is evaluated")
        notes = [f"calibration: the model does not have {len(unknown)} of its {len(self.inputs)} layers: {_first(unknown)}"] if unknown else []
        for part in _PARTS:
            observed: dict[str, Observed] = getattr(self, part)
            not_finite = [name for name, each in observed.items() if each.not_finite]
            if not_finite:
                count = sum(observed[name].not_finite for name in not_finite)
                notes.append(f"calibration: {count:,} infinities and NaNs in {part} of {_first(not_finite)}, which no scale counts")
        return notes

    def __repr__(self) -> str:
        lines = [f"{self.model or 'model'}, {self.tokens:,} tokens"]
        for part in _PARTS:
            layers: dict[str, Observed] = getattr(self, part)
            if layers:
                lines.append(_table(part, layers))
        return "\n".join(lines)


_PARTS = ("inputs", "keys", "values")


def _first(names: Sequence[str]) -> str:
    """The first three names, and the number of the others."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _plain(observed: Observed) -> dict[str, Any]:
    return {
        "elements": observed.elements,
        "not_finite": observed.not_finite,
        "largest": observed.largest,
        "percentiles": dict(observed.percentiles),
        "mse": dict(observed.mse),
    }


def _observed(plain: Any, where: str) -> Observed:
    if not isinstance(plain, dict):
        raise ValueError(f"{where} must be an object with largest, percentiles and mse: got {type(plain).__name__}")
    _known(plain, ("elements", "not_finite", "largest", "percentiles", "mse"), where)
    if "largest" not in plain:
        raise ValueError(f"{where}.largest is missing")
    figures: list[dict[str, float]] = []
    for key in ("percentiles", "mse"):
        given = plain.get(key, {})
        if not isinstance(given, dict):
            raise ValueError(f"{where}.{key} must be an object of magnitudes: got {type(given).__name__}")
        figures.append({str(name): _magnitude(x, f"{where}.{key}.{name}") for name, x in given.items()})
    largest = _magnitude(plain["largest"], f"{where}.largest")
    if "elements" not in plain:
        raise ValueError(f"{where}.elements is missing")
    elements, not_finite = _count(plain["elements"], f"{where}.elements"), _count(plain.get("not_finite", 0), f"{where}.not_finite")
    if not_finite > elements:
        raise ValueError(f"{where}.not_finite must be at most elements, {elements}: got {not_finite}")
    return Observed(elements, not_finite, largest, *figures)


def _known(plain: Mapping[str, Any], fields: tuple[str, ...], where: str) -> None:
    """Refuses fields that are not of these."""
    unknown = next((key for key in plain if key not in fields), None)
    if unknown is not None:
        raise ValueError(f"{where}: unknown field {unknown}: must be one of {', '.join(fields)}")


def _count(given: Any, where: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise ValueError(f"{where} must be a whole number of at least 0: got {given!r}")
    return given


def _magnitude(given: Any, where: str) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given < math.inf:
        raise ValueError(f"{where} must be a finite magnitude of at least 0: got {given!r}")
    if given > _LARGEST:
        raise ValueError(f"{where} must be at most {_LARGEST:.8g}, the largest binary32: got {given!r}")
    return float(given)


def _table(part: str, layers: Mapping[str, Observed]) -> str:
    first = next(iter(layers.values()))
    heads = [part, "elements", "not finite", "largest", *first.percentiles, *(f"mse {format}" for format in first.mse)]
    lines = [heads]
    for name, each in layers.items():
        numbers = [each.largest, *(each.percentiles.get(key, math.nan) for key in first.percentiles)]
        numbers += [each.mse.get(key, math.nan) for key in first.mse]
        lines.append([name, f"{each.elements:,}", f"{each.not_finite:,}", *(f"{x:.4g}" for x in numbers)])
    widths = [max(len(line[at]) for line in lines) for at in range(len(heads))]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))]) for line in lines
    )
