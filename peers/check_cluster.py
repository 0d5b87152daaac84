"""Sweeps on a cluster of Ray whose workers, nodes and head are killed: is every result there, and the same as one machine's?

Needs Python with binade and Ray (`pip install 'binade[ray]'`), which CI has not. Nodes are processes of this machine, by
`ray.cluster_utils.Cluster`; a program of its own, the driver, runs the sweep, so that it can be killed and started again with the
cluster.

    python3 peers/check_cluster.py faults --faults 50      # benches/record/cluster.md
    python3 peers/check_cluster.py speed
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check_sweep import checkpoint, files_of, holders  # noqa: E402

NODES = 3
CPUS = 2
PATIENCE = 1200
# What is killed, and how often.
WEIGHTS = {"worker": 20, "node": 3, "program": 2, "head": 1}

TRAIN = ["train", "mlp", "--arith", "f32", "--arith", "bf16:f32", "--arith", "bf16:bf16", "--arith", "bf16:bf16x2"]
TRAIN += ["--epochs", "3", "--seeds", "6", "--threads", "1"]
QUANTIZE = ["quantize", "model", "together", "--layout", "ct-nvfp4", "--threads", "1"]
FILES = 48


def patiently(begin):
    """What `begin` gives: on a machine that is busy, nodes of Ray give up while they come up."""
    for attempt in range(10):
        try:
            return begin()
        except Exception as error:
            if attempt == 9:
                raise
            print(f"once more: {error}", file=sys.stderr)


class Nodes:
    """A cluster of this machine."""

    def __init__(self):
        from ray.cluster_utils import Cluster

        self.cluster = patiently(lambda: Cluster(initialize_head=True, head_node_args={"num_cpus": 0}))
        self.workers = [self.add() for _ in range(NODES)]

    @property
    def address(self):
        return self.cluster.address

    def add(self):
        return patiently(lambda: self.cluster.add_node(num_cpus=CPUS))

    def lose(self, draws):
        """Kills a node, with all of its processes, and brings another."""
        node = draws.choice(self.workers)
        self.workers.remove(node)
        self.cluster.remove_node(node, allow_graceful=False)
        self.workers.append(self.add())

    def end(self):
        self.cluster.shutdown()


def processes():
    """Process ids with their parents and arguments."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(folder.name)] = (parent, words)
    return found


def workers(shared):
    """The workers of Ray that have a process that holds a piece of this sweep, with that process."""
    every = processes()
    at_work = [pid for pid in holders(shared) if pid in every]
    return [(every[pid][0], pid) for pid in at_work if every.get(every[pid][0], (0, [b""]))[1][0].startswith(b"ray::")]


def driver(folder, address, command):
    """The program that runs a sweep."""
    line = [sys.executable, __file__, "drive", str(folder), address, json.dumps(command)]
    return subprocess.Popen(line, cwd=folder, stdout=open(folder / "driver", "ab"), stderr=subprocess.STDOUT)


def drive(folder, address, command):
    from binade.cluster import Sweep

    os.chdir(folder)
    sweep = Sweep(command, "swept", address, heartbeat=0.5)
    for result in sweep:
        print(result.piece, result.sha256, flush=True)


def faults(arguments):
    draws = random.Random(arguments.seed)
    good = True
    sweeps = {"train": TRAIN, "quantize": QUANTIZE}
    for name, command in sweeps.items():
        if arguments.sweeps and name not in arguments.sweeps:
            continue
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"cluster-{name}-", dir=arguments.scratch))
        if name == "quantize":
            checkpoint(folder / "model", FILES, 4096, 4096)
        good &= one(folder, name, command, arguments, draws)
    return good


def one(folder, name, command, arguments, draws):
    from binade import run_command

    shared, count, pace = folder / "swept", arguments.faults, arguments.pace
    nodes = Nodes()
    program = driver(folder, nodes.address, command)
    kinds = dict.fromkeys(arguments.kinds, 0)
    again, done, begun = [], 0, time.time()
    next_fault = begun + 3
    while program.poll() is None:
        now = time.time()
        if now - begun > PATIENCE:
            sys.exit(f"{folder}: no end after {PATIENCE} s")
        found = workers(shared) if done < count and now >= next_fault else []
        if not found:
            time.sleep(0.02)
            continue
        done += 1
        kind = draws.choices(arguments.kinds, [WEIGHTS[kind] for kind in arguments.kinds])[0]
        kinds[kind] += 1
        if kind == "worker":
            os.kill(draws.choice(found)[0], signal.SIGKILL)
        elif kind == "node":
            nodes.lose(draws)
        else:
            program.kill()
            program.wait()
            if kind == "head":
                nodes.end()
                nodes = Nodes()
            program = driver(folder, nodes.address, command)
        now = time.time()
        next_fault = now + draws.uniform(0, 2 * pace)
    wall = time.time() - begun
    nodes.end()
    problems = []
    if program.returncode != 0:
        problems.append(f"the program ended with {program.returncode}: {(folder / 'driver').read_text()[-500:]}")
    status = json.loads(run_command("join", shared, "--status", "--json", check=False))
    if not status["complete"] or status["conflicts"]:
        problems.append("results are missing, or differ")
    if len([name for name in os.listdir(shared / "results") if not name.startswith(".")]) != len(status["pieces"]):
        problems.append("results are there twice")
    if done < count:
        problems.append(f"the work ended after {done} faults")
    os.chdir(folder)
    alone = time.time()
    if name == "train":
        single, joined = json.loads(run_command(*command, "--json")), json.loads(run_command("join", shared, "--json"))
        for cell in single["cells"] + joined["cells"]:
            cell["seconds"] = 0
        same = single == joined
    else:
        run_command("quantize", "model", "alone", *command[3:])
        same = files_of(folder / "alone") == files_of(folder / "together")
    alone = time.time() - alone
    if not same:
        problems.append("results are not those of one process")
    shown = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    held = sum(piece["holders"] for piece in status["pieces"])
    print(f"{name}: {len(status['pieces'])} pieces, {NODES} nodes of {CPUS} processes, {done} faults ({shown})")
    print(f"  {held} holders; {wall:.1f} s with faults, {wall / max(done, 1):.2f} s a fault in all; alone {alone:.1f} s")
    for problem in problems:
        print(f"  WRONG: {problem}; see {folder}")
    if not problems:
        print("  every result is there, once, and bit-equal to one process's")
        os.chdir("/")
        shutil.rmtree(folder)
    return not problems


def speed(arguments):
    """Efficiency of pieces of five seconds, and 10,000 trivial ones."""
    import ray

    from binade.cluster import Sweep

    ray.init(address="local", num_cpus=arguments.cpus, log_to_driver=False, logging_level="error")
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="cluster-", dir=arguments.scratch))
    train = ["train", "mlp", "--arith", "bf16:bf16", "--epochs", arguments.epochs, "--seeds", "12", "--threads", "1"]
    sweep = Sweep(train, scratch / "long")
    begun = time.perf_counter()
    seconds = [result.seconds for result in sweep]
    wall = time.perf_counter() - begun
    efficiency = sum(seconds) / (arguments.cpus * wall)
    print(f"{len(seconds)} pieces of {statistics.mean(seconds):.2f} s on {arguments.cpus} processes: {wall:.1f} s, ", end="")
    print(f"efficiency {efficiency:.3f}; here {sweep.busy / sweep.tasks * 1e3:.2f} ms a task")
    trivial = ["vectors", "add", "--in", "bf16", "--count", "100000", "--piece-lines", "10"]
    sweep = Sweep(trivial, scratch / "short")
    begun = time.perf_counter()
    count = sum(1 for _ in sweep)
    wall = time.perf_counter() - begun
    print(f"{count} trivial pieces: {wall:.1f} s in {sweep.tasks} tasks; here {sweep.busy / count * 1e6:.0f} µs a piece")
    shutil.rmtree(scratch)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one_by_one = commands.add_parser("faults")
    one_by_one.add_argument("sweeps", nargs="*", choices=["train", "quantize", []], help="default: both")
    one_by_one.add_argument("--kinds", type=lambda text: text.split(","), default=list(WEIGHTS), help="such as worker,node")
    one_by_one.add_argument("--faults", type=int, default=50, help="how many, in each sweep")
    one_by_one.add_argument("--pace", type=float, default=2, help="mean seconds between faults")
    one_by_one.add_argument("--seed", type=int, default=1)
    measured = commands.add_parser("speed")
    measured.add_argument("--cpus", type=int, default=2)
    measured.add_argument("--epochs", default="36")
    for command in (one_by_one, measured):
        command.add_argument("--scratch")
    driven = commands.add_parser("drive")
    driven.add_argument("words", nargs=3)
    arguments = parser.parse_args()
    if arguments.command == "drive":
        folder, address, command = arguments.words
        drive(folder, address, json.loads(command))
        return
    sys.exit(0 if {"faults": faults, "speed": speed}[arguments.command](arguments) else 1)


if __name__ == "__main__":
    main()
