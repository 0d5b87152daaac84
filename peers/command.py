"""The `binade` command from Python: many operations in one run of it, as arrays.

The command's path is the environment variable BINADE, or `binade` on the PATH.
"""

import csv
import io
import os
import subprocess

import numpy as np


def run(*arguments, text=""):
    """The command's standard output; an exit code other than 0 is an error."""
    command = [os.environ.get("BINADE", "binade"), *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        answers = [line for line in done.stdout.splitlines() if line.startswith("error")][:3]
        raise RuntimeError(f"{' '.join(command)} exited with {done.returncode}\n{done.stderr}{answers}")
    return done.stdout


class Table:
    """Every code of a format: `values` as binary64 (exact for the formats asked for here) and `classes`."""

    def __init__(self, name):
        rows = list(csv.DictReader(io.StringIO(run("table", name, "--csv"))))
        assert [int(row["code"], 16) for row in rows] == list(range(len(rows))), f"{name}: codes out of order"
        self.values = np.array([float.fromhex(row["value"]) for row in rows])
        self.classes = [row["class"] for row in rows]
        self.nan = np.isnan(self.values)


def lines(operation, sources, to, codes, rounding="nearest_even", saturation="overflow", random=None):
    """Lines for `eval --batch` from arrays of operand codes.

    `random` is an array of the numbers R and their width N, for the stochastic roundings.
    """
    columns = [np.asarray(column, dtype=np.uint64).tolist() for column in codes]
    pattern = f"{operation} {','.join(sources)} {to} {rounding} {saturation} " + " ".join(["0x%x"] * len(columns))
    if random is not None:
        numbers, bits = random
        columns.append(np.asarray(numbers).tolist())
        pattern += f" random=%d/{bits}"
    return [pattern % row for row in zip(*columns)]


def answers(batch):
    """What `eval --batch` answers to lines: an array of result codes and one of flag letters."""
    words = run("eval", "--batch", text="\n".join(batch) + "\n").split()
    assert len(words) == 2 * len(batch), f"{len(batch)} lines were answered with {len(words)} words"
    return np.array([int(word, 16) for word in words[0::2]], dtype=np.uint64), np.array(words[1::2])


def evaluate(operation, sources, to, codes, **modes):
    """One operation on arrays of operand codes: its result codes."""
    return answers(lines(operation, sources, to, codes, **modes))[0]


def convert(source, to, codes, **modes):
    """Codes of one format as codes of another."""
    return evaluate("convert", [source], to, [codes], **modes)


def bits32(values):
    """The codes of binary32 values."""
    return np.asarray(values, dtype=np.float32).view(np.uint32).astype(np.uint64)


def bits64(values):
    """The codes of binary64 values."""
    return np.asarray(values, dtype=np.float64).view(np.uint64)


def edges32():
    """binary32 codes that rounding is delicate about: around every power of two and its simple fractions."""
    exponents = np.arange(256, dtype=np.uint64) << np.uint64(23)
    # Significands at ties of every precision from 1 to 12, and one or two codes beside them.
    tops = np.arange(1 << 6, dtype=np.uint64) << np.uint64(17)
    ties = np.array([1 << bit for bit in range(11, 23)], dtype=np.uint64)
    patterns = np.unique(np.concatenate([tops, ties, tops | np.uint64(1 << 16)]))
    near = np.unique(np.concatenate([(patterns + np.uint64(d)) for d in (0, 1, 2)] + [patterns - np.uint64(1)]))
    near = near[near < 1 << 23]
    magnitudes = (exponents[:, None] | near[None, :]).ravel()
    return np.concatenate([magnitudes, magnitudes | np.uint64(1 << 31)])


def random_codes(width, count, seed):
    """Uniformly random codes of a width."""
    return np.random.Generator(np.random.PCG64(seed)).integers(0, 1 << width, count, dtype=np.uint64, endpoint=False)
