"""`binade hlo` against JAX: programs that JAX exports on the spot, run by both.

Every spelling that JAX has of a program (pretty, generic, with locations) has to be read and to give the same bytes; so
has the exported one, where elementary functions of chlo are spelt out, to within the tolerance. Results are compared
with JAX's own on this processor, within the tolerance that hlo_programs.py states.
"""

import sys
import tempfile
from pathlib import Path

import jax
import numpy as np

from command import run
from hlo_programs import programs, spellings


def as_files(arrays, folder, name):
    """Writes arrays as .npy; types that numpy does not know as their codes."""
    paths = []
    for index, array in enumerate(arrays):
        path = folder / f"{name}{index}.npy"
        array = np.asarray(array)
        if array.dtype.kind == "V" or array.dtype.name.startswith(("bfloat", "float8", "float4", "float6")):
            array = array.view(np.dtype(f"u{array.dtype.itemsize}"))
        np.save(path, array)
        paths.append(path)
    return paths


def outputs(text, inputs, folder, *options):
    program = folder / "program.mlir"
    program.write_text(text)
    arguments = [word for path in as_files(inputs, folder, "in") for word in ("--input", str(path))]
    run("hlo", "run", str(program), *arguments, "--output-dir", str(folder), "--force", *options)
    count = sum(1 for _ in folder.glob("out*.npy"))
    results = [np.load(folder / f"out{index}.npy") for index in range(count)]
    for path in folder.glob("out*.npy"):
        path.unlink()
    return results


def difference(ours, theirs):
    """The greatest difference, relative to the largest magnitude; infinite where one is NaN or has another shape."""
    theirs = np.asarray(theirs)
    if theirs.dtype.kind == "V" or theirs.dtype.itemsize < 4 and theirs.dtype.kind not in "biu":
        ours = ours.view(theirs.dtype) if ours.dtype.itemsize == theirs.dtype.itemsize else ours
    if ours.shape != theirs.shape:
        return np.inf
    if theirs.size == 0:
        return 0.0
    wide = np.complex128 if theirs.dtype.kind == "c" else np.float64
    exact = theirs.dtype.kind in "biu"
    ours, theirs = ours.astype(wide), theirs.astype(wide)
    if not np.array_equal(np.isfinite(ours), np.isfinite(theirs)):
        return np.inf
    finite = np.isfinite(theirs)
    if not np.array_equal(ours[~finite], theirs[~finite], equal_nan=True):
        return np.inf
    if not finite.any():
        return 0.0
    gap = np.abs(ours - theirs)[finite].max()
    return np.inf if exact and gap else gap / max(1.0, np.abs(theirs[finite]).max())


def main():
    jax.config.update("jax_platforms", "cpu")
    wanted = sys.argv[1:]
    failures = 0
    for name, function, inputs, tolerance in programs():
        if wanted and name not in wanted:
            continue
        leaves = jax.tree.leaves(inputs)
        expected = jax.tree.leaves(jax.jit(function)(*inputs))
        first = None
        try:
            for spelling, text in spellings(function, inputs):
                with tempfile.TemporaryDirectory() as folder:
                    found = outputs(text, leaves, Path(folder))
                first = first or found
                if spelling != "export" and [a.tobytes() for a in found] != [a.tobytes() for a in first]:
                    raise AssertionError(f"the {spelling} text gives other results than the pretty one")
                if len(found) != len(expected):
                    raise AssertionError(f"{len(found)} results where JAX has {len(expected)}")
                worst = max((difference(a, b) for a, b in zip(found, expected)), default=0.0)
                if worst > tolerance:
                    raise AssertionError(f"{spelling}: differs by {worst:.3g}, {tolerance:.3g} is allowed")
            print(f"{name}: {len(expected)} results, greatest difference {worst:.2g} of {tolerance:.2g}")
        except (AssertionError, RuntimeError) as error:
            failures += 1
            print(f"{name}: FAILED: {error}")
    if failures:
        sys.exit(f"{failures} programs differ")


if __name__ == "__main__":
    main()
