"""Profiles of programs: times, exponents, births of infinities and NaN, and losses of accumulators."""

from __future__ import annotations

import html
import importlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._command import run_command


class Profile:
    """The profile of a function by `binade.jax.profile`.

    `operations` has a row for each operation in each named scope, the longest first. Its keys are `operation`, `scope`, `executions`,
    `seconds`, `bytes`, `flops`, `exponents` (pairs of an exponent and the number of results in its binade), `zeros`, `infinities`,
    `nans`, and `births`, the infinities and NaN among results of finite operands.

    `swamping` has a row for each named scope with products. Its keys are `longest` (steps of the longest chain), `differences` (steps by
    the difference of the exponents of product and accumulator), `product_absorbed` and `accumulator_absorbed` (steps in which that
    operand had no effect), and `predicted_bits`, the bits that such an accumulator is predicted to need.

    `html` is the page of `binade hlo run --profile`.
    """

    def __init__(self, operations: list[dict[str, Any]], swamping: list[dict[str, Any]], html: str) -> None:
        self.operations = operations
        self.swamping = swamping
        self.html = html

    def births(self) -> list[dict[str, Any]]:
        """The operations that made infinities or NaN of finite operands."""
        return [row for row in self.operations if row["births"]]

    def to_pandas(self) -> Any:
        """`operations` as a DataFrame of pandas."""
        return importlib.import_module("pandas").DataFrame(self.operations)

    def write(self, path: str | Path) -> None:
        """Writes the page."""
        Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        seconds = sum(row["seconds"] for row in self.operations)
        born = sum(row["births"] for row in self.operations)
        return f"<Profile of {len(self.operations)} operations in {seconds * 1e3:.3f} ms, {born} births>"

    def _repr_html_(self) -> str:
        """The twenty longest operations, for notebooks."""
        titles = ("operation", "scope", "executions", "seconds", "births")
        head = "".join(f"<th>{title}</th>" for title in (*titles, "exponents"))
        rows = []
        for row in self.operations[:20]:
            exponents = [exponent for exponent, _ in row["exponents"]]
            cells = [row[title] if title != "seconds" else f"{row[title]:.2e}" for title in titles]
            cells.append(f"{exponents[0]} to {exponents[-1]}" if exponents else "")
            rows.append("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in cells) + "</tr>")
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def profile_program(
    text: str, inputs: Sequence[Any], arith: str | Sequence[str] | None, swamping: int, options: Sequence[str]
) -> Profile:
    """The profile of a StableHLO program on these arrays."""
    import numpy as np

    rules = [arith] if isinstance(arith, str) else list(arith or [])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.mlir").write_text(text, encoding="utf-8")
        words: list[str | Path] = ["hlo", "run", folder / "program.mlir", "--json", "--profile", folder / "page.html"]
        words += [f"--arith={rule}" for rules_ in rules for rule in rules_.split(";")]
        words += [f"--swamping={swamping}"] if swamping else []
        for at, array in enumerate(inputs):
            # Types that .npy has no name for are read by their codes.
            codes = array.view(f"u{array.dtype.itemsize}") if array.dtype.kind == "V" else array
            np.save(folder / f"in{at}.npy", codes)
            words += ["--input", folder / f"in{at}.npy"]
        found = json.loads(run_command(*words, *options))
        page = (folder / "page.html").read_text(encoding="utf-8")
    return Profile(found["profile"], found.get("swamping", []), page.replace(f"{folder}/", ""))
