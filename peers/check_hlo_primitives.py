"""`binade hlo check` on every primitive of JAX: JAX's own list of them, with its types, shapes and attributes.

Each case becomes a file in the form of StableHLO's test data: the exported program, functions `inputs` and `expected`
with the constants that JAX found on this processor, and assertions that they agree. Integers have to be equal; other
results agree within 3 ulps (`check.expect_close`) or within 1e-3 (`check.expect_almost_eq`), which is how upstream's
files are divided too. Cases that agree within neither have to be listed in `QUIRKS`.

    check_hlo_primitives.py [--all | --sample N] [--keep FOLDER] [PRIMITIVE…]

Without `--all` at most N cases of a primitive run, 12 unless said otherwise, evenly spread over the list. `--keep` leaves the
files.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

os.environ.update(JAX_ENABLE_X64="1", JAX_PLATFORMS="cpu")

import jax
import numpy as np
from jax import export

# The list of primitives looks for flags of its own on the command line.
ARGUMENTS, sys.argv[1:] = sys.argv[1:], []
from jax._src.internal_test_util.test_harnesses import all_harnesses

CHECKS = {"close": "check.expect_close", "almost": "check.expect_almost_eq"}
ELEMENTS = {"bool": "i1", "bfloat16": "bf16", "complex64": "complex<f32>", "complex128": "complex<f64>"}

# What may be wrong -> cases it is wrong in: a pattern of the case's name and one of what is said.
QUIRKS = {
    "vectors of eigenvalues and singular values have another sign or phase": ("(svd|eigh|eig|schur)_", "expected"),
    "equal keys in another order, where the sort may be unstable": ("sort.*isstable_False|approx_top_k_.*bfloat16", "expected"),
    "complex products of JAX are fused, large ones differ by more than 1e-3": (
        "(cumprod|integer_pow|mul|reduce_window_mul)_.*complex64",
        "",
    ),
    "sums and systems of 16 bits are in another order, 1 ulp is more than 1e-3": (
        "(reduce_window_add|reduce_gen_add|triangular_solve)_.*float16",
        "",
    ),
    "Cholesky factors of an ill-conditioned matrix, which are computed in binary64": ("cholesky_.*200", ""),
    "logarithms of binary16 near 0 are 4 ulps apart": ("cumlogsumexp_.*float16", ""),
    "complex powers and exponentials are 1e-3 of large numbers apart": ("(pow|expm1|sinh|cosh)_.*complex64", ""),
}


def identity(harness):
    return zlib.adler32(harness.fullname.encode())


def cases(wanted, most):
    """(name, primitive, function, inputs), without those that differ only in how another converter treats them."""
    groups = collections.defaultdict(list)
    for harness in all_harnesses:
        if harness.filter("cpu") and harness.params.get("enable_xla", True):
            groups[harness.group_name].append(harness)
    for primitive, harnesses in groups.items():
        if wanted and primitive not in wanted:
            continue
        step = -(-len(harnesses) // most) if most else 1
        # The list's order depends in part on sets of types.
        for harness in sorted(harnesses, key=lambda harness: harness.fullname)[::step]:
            short = len(harness.fullname) < 120
            name = harness.fullname if short else f"{harness.fullname[:100]}_{identity(harness)}"
            arguments = harness.dyn_args_maker(np.random.RandomState(identity(harness)))
            yield name, primitive, harness.dyn_fun, [np.asarray(argument) for argument in arguments]


def sections(text):
    """A module's text before its functions (aliases of locations), the functions, and what follows."""
    before, after = re.split(r"^module @.*\{\n", text, maxsplit=1, flags=re.MULTILINE)
    functions, _, rest = after.rpartition("\n}")
    return before, functions + "\n", rest.partition("\n")[2]


def constants(name, values):
    """A private function that returns values, written as MLIR writes them."""
    text = jax.jit(lambda: tuple(values)).lower().as_text()
    return sections(text)[1].replace("func.func public @main(", f"func.func private @{name}(")


def tensor_type(value):
    name, bits = value.dtype.name, value.dtype.itemsize * 8
    element = ELEMENTS.get(name) or {"i": "i", "u": "ui", "f": "f"}[value.dtype.kind] + str(bits)
    return f"tensor<{''.join(f'{size}x' for size in value.shape)}{element}>"


def assertions(name, inputs, expected):
    """A function that runs the program on `inputs` and compares with `expected`."""
    operands, types = [f"%in#{at}" for at in range(len(inputs))], ", ".join(map(tensor_type, inputs))
    results = [tensor_type(x) for x in expected]
    lines = [f"  func.func public @{name}() {{"]
    if inputs:
        lines.append(f"    %in:{len(inputs)} = call @inputs() : () -> ({types})")
    lines.append(f"    %got:{len(results)} = call @program({', '.join(operands)}) : ({types}) -> ({', '.join(results)})")
    lines.append(f"    %want:{len(results)} = call @expected() : () -> ({', '.join(results)})")
    for at, (value, ty) in enumerate(zip(expected, results)):
        check = "check.expect_eq" if value.dtype.kind in "biu" else CHECKS[name]
        call = f"stablehlo.custom_call @{check}(%got#{at}, %want#{at}) {{has_side_effect = true}}"
        lines.append(f"    {call} : ({ty}, {ty}) -> ()")
    return "\n".join([*lines, "    return", "  }", ""])


def test_file(function, inputs):
    """The text, and whether results have to be equal."""
    compiled = jax.jit(function, keep_unused=True)
    expected = [np.asarray(x) for x in jax.tree.leaves(compiled(*inputs))]
    before, program, after = sections(export.export(compiled)(*inputs).mlir_module())
    parts = [program.replace("func.func public @main(", "func.func private @program(")]
    parts += [assertions(name, inputs, expected) for name in CHECKS]
    if inputs:
        parts.append(constants("inputs", inputs))
    parts.append(constants("expected", expected))
    return f"{before}module @test {{\n{''.join(parts)}}}\n{after}"


def check(path):
    """What is wrong by function; all of a file, if it is refused."""
    command = [os.environ.get("BINADE", "binade"), "hlo", "check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    wrong = dict(re.findall(r"^FAILED (\w+): (.*)$", done.stdout, re.MULTILINE))
    if done.returncode not in (0, 1) or "ok" not in done.stdout and not wrong:
        return dict.fromkeys(CHECKS, done.stderr.strip() or "no function ran")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    how_many = parser.add_mutually_exclusive_group()
    how_many.add_argument("--all", action="store_const", dest="sample", const=0)
    how_many.add_argument("--sample", type=int, default=12, metavar="N")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("primitive", nargs="*")
    options = parser.parse_args(ARGUMENTS)
    tally = collections.defaultdict(collections.Counter)
    seen = collections.Counter()
    unexplained = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, primitive, function, inputs in cases(options.primitive, options.sample):
            path = folder / f"{name}.mlir"
            path.write_text(test_file(function, inputs))
            wrong = check(path)
            if not wrong:
                outcome = "within 3 ulps"
            elif len(wrong) < len(CHECKS):
                outcome = "within 1e-3"
            else:
                text = wrong["almost"]
                quirks = [quirk for quirk, (case, what) in QUIRKS.items() if re.match(case, name) and re.search(what, text)]
                outcome = quirks[0] if quirks else "differs"
                seen.update(quirks[:1])
                if not quirks:
                    unexplained += 1
                    print(f"DIFFERS {name}: {text}", flush=True)
            tally[primitive][outcome] += 1
    for primitive, outcomes in tally.items():
        print(f"{primitive}: {', '.join(f'{count} {outcome}' for outcome, count in outcomes.items())}")
    for quirk in QUIRKS:
        print(f"quirk {quirk}: {seen[quirk]}")
    total = sum(sum(outcomes.values()) for outcomes in tally.values())
    print(f"{total} cases, {sum(seen.values())} listed quirks, {unexplained} unexplained")
    sys.exit(1 if unexplained or not total else 0)


if __name__ == "__main__":
    main()
