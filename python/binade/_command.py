"""The command on files, from Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any, Protocol, Union

Path = Union[str, "os.PathLike[str]"]


class Saved(Protocol):
    """A calibration that can be saved, as `binade.torch.calibrate` returns it."""

    def save(self, path: Path) -> None:
        """Writes the file."""


class BinadeError(RuntimeError):
    """The command failed; the message is its own."""


def run_command(*arguments: Path, check: bool = True) -> str:
    """Runs `binade ARGUMENTS…` in another process and returns its standard output.

    With `check`, an exit code other than 0 raises `BinadeError`.

        >>> print(run_command("encode", "bf16", "1.5"), end="")
        0x3fc0
    """
    command = [sys.executable, "-m", "binade", *(os.fspath(argument) for argument in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if check and done.returncode != 0:
        raise BinadeError(done.stderr.strip().removeprefix("error: ") or f"exit code {done.returncode}")
    return done.stdout


def quantize_file(
    source: Path,
    target: Path,
    format: str | None = None,
    *options: str,
    layout: str | None = None,
    calibration: Path | Saved | None = None,
    clip: str | None = None,
    kv: str | None = None,
) -> str:
    """Quantises the tensors of a .npy or .safetensors file, or a folder of them, as `binade quantize` does.

    Either `format` or `layout` is given. With a layout, `source` is a model, and `target` a checkpoint that other programs load. A
    `calibration`, a file or what `binade.torch.calibrate` returns, adds static scales of activations by `clip`, and of the key-value
    cache by `kv`. `options` are the command's, such as `"--scale", "block:32"` or `"--force"`. Returns its table. ::

        binade.quantize_file("model", "model-fp8", layout="ct-fp8-static", calibration="calibration.json", clip="percentile=99.9")
    """
    if (format is None) == (layout is None):
        raise ValueError(f"quantize_file takes a format or a layout: got format={format!r} and layout={layout!r}")
    words: list[Path] = ["--format", format] if format is not None else ["--layout", str(layout)]
    for name, value in (("--clip", clip), ("--kv", kv)):
        words += [name, value] if value is not None else []
    if calibration is None:
        return run_command("quantize", source, target, *words, *options)
    if isinstance(calibration, (str, os.PathLike)):
        return run_command("quantize", source, target, *words, "--calibration", calibration, *options)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calibration.json")
        calibration.save(path)
        return run_command("quantize", source, target, *words, "--calibration", path, *options)


def compare(a: Path, b: Path) -> dict[str, Any]:
    """Error measures of each tensor of `b` against `a`: the JSON of `binade compare --json`."""
    report: dict[str, Any] = json.loads(run_command("compare", a, b, "--json"))
    return report
