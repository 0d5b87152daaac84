"""Which programs binade refuses, against StableHLO's own verifier: the programs of its test suite.

    check_verifier.py FOLDER

FOLDER is a checkout of github.com/openxla/stablehlo. Of the files in stablehlo/tests that `stablehlo-opt -verify-diagnostics`
reads, each part between lines `// -----` is a program. One with a mark `expected-error` is invalid and has to be
refused, except those in ACCEPTED. Any other is valid and has to be read, except those in REFUSED, if all its operations
are ones that `binade hlo ops` lists, and its types ranked tensors, tokens and tuples.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Invalid programs that binade reads, by file and function, with the reason.
ACCEPTED = {
    "ops_interpreter.mlir infeed": "functions that feed a program may return several tensors, and tokens, here",
    "ops_stablehlo.mlir broadcast_in_dim_dynamic_result": "types have no bounds here: an open size may have one",
    "ops_stablehlo.mlir is_compatible_dynamism_bounds_mismatch": "types have no bounds here: an open size may be any",
}

# Valid programs that binade refuses, by file and function, with the reason.
TENSOR = "an initial value that is not a scalar, which the specification excludes (reduce I2, reduce_window I2)"
REFUSED = {
    "verify_reduce.mlir reduce": TENSOR,
    "verify_reduce.mlir reduce_verify_dynamic_operand": TENSOR,
    "verify_reduce_window.mlir reduce_window_with_non_scalar_block_arg1": TENSOR,
    "verify_reduce_window.mlir reduce_window_with_non_scalar_block_arg2": TENSOR,
    "verify_replica_groups_mesh_axes.mlir mesh": "a mesh that is a function without a body has no axes",
}

OPERATION = re.compile(r'^\s*(?:%[^=]*= )?"?([a-z_]\w*\.[\w$.-]+)', re.MULTILINE)
OTHER_TYPES = re.compile(r"!stablehlo\.future|tensor<\*|memref<")
FUNCTION = re.compile(r"func(?:\.func)?(?: private| public)? @([\w$.-]+)")
PLACE = re.compile(r":\d+:\d+: ")


def programs(folder):
    """File, function and text of each part of each file of tests that expects errors."""
    files = sorted((folder / "stablehlo/tests").glob("*.mlir"))
    if not files:
        sys.exit(f"{folder}: not a checkout of StableHLO: it has no stablehlo/tests/*.mlir")
    for file in files:
        text = file.read_text()
        runs = [line for line in text.splitlines() if line.startswith("// RUN:")]
        if not any("-verify-diagnostics" in line for line in runs) or any("legalize" in line for line in runs):
            continue
        for part in re.split(r"^// -----.*$", text, flags=re.MULTILINE):
            name = FUNCTION.search(part)
            if name or "expected-error" in part:
                yield file.name, name[1] if name else "no function", part


def ours():
    """The operations that binade knows."""
    command = [os.environ.get("BINADE", "binade"), "hlo", "ops", "--json"]
    listed = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {operation["name"] for operation in listed["operations"]} | {"func.func", "func.return", "func.call"}


def refusal(text, folder):
    """What binade says of a program that it refuses; none if it reads it."""
    file = folder / "program.mlir"
    file.write_text(text)
    command = [os.environ.get("BINADE", "binade"), "hlo", "check", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1, 2):
        raise RuntimeError(f"exit code {done.returncode}: {text}\n{done.stderr}")
    # Any other error is of the run, which the verifier has allowed.
    refused = done.returncode == 2 and PLACE.search(done.stderr)
    return done.stderr.replace(str(file), "") if refused else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a checkout of StableHLO")
    parser.add_argument("--verbose", action="store_true", help="print what is said of every refused program")
    arguments = parser.parse_args()
    known = ours()
    counts = collections.defaultdict(collections.Counter)
    accepted, refused = collections.Counter(), collections.Counter()
    unexplained = 0
    with tempfile.TemporaryDirectory() as folder:
        for file, function, text in programs(arguments.folder):
            invalid = "expected-error" in text
            code = re.sub(r"//.*", "", text)
            foreign = OTHER_TYPES.search(code) or set(OPERATION.findall(code)) - known
            said = refusal(text, Path(folder))
            if said and arguments.verbose:
                print(f"{file} {function}{' (invalid)' if invalid else ''}\n{said}")
            place = f"{file} {function}"
            if invalid:
                counts[file]["invalid"] += 1
                counts[file]["accepted"] += said is None
                if said is None:
                    accepted[place] += 1
                    if place not in ACCEPTED:
                        unexplained += 1
                        marks = re.findall(r"expected-error.*", text)
                        print(f"UNEXPLAINED accepted: {place}: {marks[0]}")
            elif foreign:
                counts[file]["of others"] += 1
            else:
                counts[file]["valid"] += 1
                counts[file]["refused"] += said is not None
                if said is not None:
                    refused[place] += 1
                    if place not in REFUSED:
                        unexplained += 1
                        print(f"UNEXPLAINED refused: {place}: {said}")
    for file, count in counts.items():
        print(
            f"{file}: {count['invalid']} invalid, {count['accepted']} of them accepted; "
            f"{count['valid']} valid, {count['refused']} of them refused; {count['of others']} of other operations or types"
        )
    unseen = []
    for listed, found, what in [(ACCEPTED, accepted, "accepted"), (REFUSED, refused, "refused")]:
        for place, reason in listed.items():
            print(f"{what} {place}: {found[place]}: {reason}")
        unseen += [place for place in listed if not found[place]]
    if unseen:
        print(f"no longer seen, so take them off the list: {', '.join(unseen)}")
    total = sum(counts.values(), collections.Counter())
    print(
        f"{total['invalid']} invalid programs, {total['accepted']} accepted; {total['valid']} valid ones, {total['refused']} "
        f"refused; {total['of others']} of other operations or types; {unexplained} unexplained"
    )
    sys.exit(1 if unexplained or unseen or not total["invalid"] else 0)


if __name__ == "__main__":
    main()
