"""The command on files, from Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, Union

Path = Union[str, "os.PathLike[str]"]


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


def quantize_file(source: Path, target: Path, format: str, *options: str) -> str:
    """Quantises the tensors of a .npy or .safetensors file, or a folder of them, as `binade quantize` does.

    `options` are the command's, such as `"--scale", "block:32"` or `"--force"`. Returns its table.
    """
    return run_command("quantize", source, target, "--format", format, *options)


def compare(a: Path, b: Path) -> dict[str, Any]:
    """Error measures of each tensor of `b` against `a`: the JSON of `binade compare --json`."""
    report: dict[str, Any] = json.loads(run_command("compare", a, b, "--json"))
    return report
