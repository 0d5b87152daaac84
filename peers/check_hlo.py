"""`binade hlo` against JAX: programs that JAX exports on the spot, run by both.

Every spelling that JAX has of a program (pretty, generic, with locations) has to be read and to give the same bytes; so
has the exported one, where elementary functions of chlo are spelt out, to within the tolerance. Results are compared
with JAX's own on this processor, within the tolerance that hlo_programs.py states.

    check_hlo.py [NAME…]
    check_hlo.py --measured [NAME…]

With `--measured` it is the programs that hlo_speed.py times, whole training steps among them, whose results are compared: they may
differ from JAX's by `NOISE` times as much as JAX's own do when every number that goes in is off by one unit in the last place, and
by one unit of the greatest result in any case; or they have to be closer to what the program gives in binary64.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import jax
import numpy as np

from command import run
from hlo_programs import programs, spellings


# Sums of hundreds of terms in another order are off by more than one unit.
NOISE, SAMPLES = 4, 6


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


def changed(leaves, change):
    """Inputs whose floating-point numbers are changed."""
    return [change(leaf) if np.asarray(leaf).dtype.kind not in "biu" else leaf for leaf in map(np.asarray, leaves)]


def beside(rng):
    """Numbers one unit in the last place up or down."""

    def change(x):
        moved = (x.view(f"i{x.itemsize}") + rng.choice([-1, 1], x.shape).astype(f"i{x.itemsize}")).view(x.dtype)
        # Zeros are what they are, as masks and first moments.
        return np.where(x == 0, x, moved).astype(x.dtype)

    return change


def differences(ours, theirs):
    """The greatest difference of each result."""

    def numbers(x):
        # Counts of what was rounded away may differ as well.
        return x.astype(np.float64) if x.dtype.kind in "iu" else x

    pairs = ((a if b.dtype.kind == "V" else numbers(a), numbers(b)) for a, b in zip(ours, theirs, strict=True))
    return np.array([difference(a, b) for a, b in pairs])


def measured(wanted):
    """Compares the programs of hlo_speed.py; the number that differ."""
    from hlo_speed import works

    failures = 0
    for name, function, inputs, rules in works(wanted):
        if rules:
            continue
        leaves, tree = jax.tree.flatten(inputs)
        compiled, rng = jax.jit(function, keep_unused=True), np.random.Generator(np.random.PCG64(1))

        def run_jax(leaves):
            return [np.asarray(x) for x in jax.tree.leaves(compiled(*jax.tree.unflatten(tree, leaves)))]

        theirs = run_jax(leaves)
        noise = np.max([differences(run_jax(changed(leaves, beside(rng))), theirs) for _ in range(SAMPLES)], 0)
        text = compiled.lower(*inputs).as_text()
        with tempfile.TemporaryDirectory() as folder:
            ours = outputs(text, leaves, Path(folder))
        units = [float(np.finfo(x.dtype).eps) if x.dtype.kind == "f" else 0.0 for x in theirs]
        found, allowed = differences(ours, theirs), np.maximum(NOISE * noise, units)
        # The result that differs most beside what is allowed.
        at = np.argmax(found / np.maximum(allowed, np.finfo("f").tiny))
        facts, good = f"differs by {found[at]:.2g}, JAX's own by {noise[at]:.2g}", found[at] <= allowed[at] < np.inf
        if not good:
            with jax.enable_x64(True):
                exact = run_jax(changed(leaves, lambda x: x.astype(np.float64)))
            narrow = [x.astype(mine.dtype) for x, mine in zip(exact, ours)]
            errors = differences(ours, narrow).max(), differences(theirs, narrow).max()
            good = errors[0] <= errors[1]
            facts += "; from binary64 by {:.2g}, JAX by {:.2g}".format(*errors)
        failures += not good
        print(f"{name}: {'' if good else 'FAILED: '}{facts}", flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--measured", action="store_true")
    options = parser.parse_args()
    jax.config.update("jax_platforms", "cpu")
    wanted = options.names
    failures = measured(wanted) if options.measured else exported(wanted)
    if failures:
        sys.exit(f"{failures} programs differ")


def exported(wanted):
    """Compares the programs of hlo_programs.py in every spelling; the number that differ."""
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
    return failures


if __name__ == "__main__":
    main()
