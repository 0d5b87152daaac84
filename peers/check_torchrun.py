"""One model over several processes, by torchrun and gloo, under `binade run`: the same bits in every run, and one profile of all ranks.

Needs Python with torch (`pip install torch`), which CI's environment has not.

    BINADE=target/release/binade python3 peers/check_torchrun.py
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINADE = os.environ.get("BINADE", "binade")
LINE = re.compile(r"rank (\d+) of (\d+): loss ([\d.]+), weights ([0-9a-f]{64})")


def trained(ranks, steps, arith=None, *options):
    """The hash of the weights that all ranks have at the end, the loss of rank 0, and the seconds."""
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks)]
    command = [*torchrun, str(ROOT / "examples/run/train_ddp.py"), str(steps)]
    if arith:
        command = [BINADE, "run", "--quiet", "--arith", arith, *options, "--", *command]
    begun = time.perf_counter()
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, f"{' '.join(command)} exited with {done.returncode}\n{done.stderr[-2000:]}"
    found = sorted(LINE.findall(done.stdout))
    assert [int(rank) for rank, *_ in found] == list(range(ranks)), done.stdout
    hashes = {weights for *_, weights in found}
    assert len(hashes) == 1, f"ranks have different weights: {done.stdout}"
    return hashes.pop(), float(found[0][2]), time.perf_counter() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--ranks", type=int, nargs="*", default=[1, 2, 4])
    arguments = parser.parse_args()
    for ranks in arguments.ranks:
        native = trained(ranks, arguments.steps)
        print(f"{ranks} ranks, natively: loss {native[1]}, {native[2]:.1f} s")
        seen = {native[0]}
        for arith in ("bf16:bf16", "bf16x2:bf16x2/3"):
            runs = [trained(ranks, arguments.steps, arith) for _ in range(arguments.runs)]
            hashes = {weights for weights, *_ in runs}
            assert len(hashes) == 1, f"{ranks} ranks, {arith}: other bits in other runs: {hashes}"
            assert not hashes & seen, f"{ranks} ranks, {arith}: the arithmetic made no difference"
            seen |= hashes
            times = ", ".join(f"{seconds:.1f}" for *_, seconds in runs)
            print(f"{ranks} ranks, {arith}: loss {runs[0][1]}, the same bits in {len(runs)} runs of {times} s")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        ranks = max(arguments.ranks)
        profiled = trained(ranks, arguments.steps, "bf16:bf16", "--profile", path)
        same = trained(ranks, arguments.steps, "bf16:bf16")
        assert profiled[0] == same[0], "a profile changes bits"
        profile = json.loads(pathlib.Path(path).read_text())
        found = sorted(int(process["rank"]) for process in profile["by_process"] if process["rank"] is not None)
        assert found == list(range(ranks)), f"ranks {found} are in the profile"
        print(f"one profile of {profile['processes']} processes, with ranks {found}; the same bits as without")


if __name__ == "__main__":
    main()
