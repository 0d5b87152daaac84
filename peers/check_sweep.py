"""Sweeps over a shared folder whose processes are killed at random: is every result there, and the same as one machine's?

Sixteen processes share a folder. At moments that a seed gives, one of them is killed, or suspended for longer than the others
wait for it, or all are killed at once; each is replaced. At the end every piece must have one result, all results must be
those of one undisturbed process, bit for bit, and none may differ from another of the same piece.

    BINADE=target/release/binade python3 peers/check_sweep.py --faults 50          # benches/record/sweep.md
    BINADE=target/release/binade python3 peers/check_sweep.py --faults 8 --small   # seconds

Printed for each sweep: faults, seconds until somebody took the piece of a killed process over, and seconds of work that were
done again because they were not in a checkpoint (for pieces without checkpoints, all of the holder's time).
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

BINADE = os.path.abspath(os.environ.get("BINADE", "target/release/binade"))
HEARTBEAT = 0.5
SILENT = 6 * HEARTBEAT
PATIENCE = 1200


def run(folder, *arguments):
    done = subprocess.run([BINADE, *arguments], cwd=folder, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)} exited with {done.returncode}: {done.stderr.decode()}")
    return done.stdout


# High bytes with the exponents of numbers about 2^-8 to 2^2: no infinity, no NaN.
HIGH = bytes(0x3B + byte % 5 | byte & 0x80 for byte in range(256))


def checkpoint(folder, files, rows, columns):
    """A checkpoint of so many files with random bf16 weights."""
    draws = random.Random(5)
    folder.mkdir()
    index = {}
    for file in range(files):
        name = f"model-{file + 1:05}-of-{files:05}.safetensors"
        tensor = f"model.layers.{file}.mlp.up_proj.weight"
        words = bytearray(draws.randbytes(2 * rows * columns))
        words[1::2] = words[1::2].translate(HIGH)
        entry = {"dtype": "BF16", "shape": [rows, columns], "data_offsets": [0, len(words)]}
        header = json.dumps({tensor: entry}).encode()
        header += b" " * (-len(header) % 8)
        (folder / name).write_bytes(struct.pack("<Q", len(header)) + header + words)
        index[tensor] = name
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": index}))
    (folder / "config.json").write_text(json.dumps({"model_type": "llama", "torch_dtype": "bfloat16"}))


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Train:
    """Cells of the MLP."""

    name = "train"
    pace = 0.4

    def __init__(self, small):
        epochs, seeds = ("2", "2") if small else ("4", "6")
        ariths = ["f32", "bf16:f32", "bf16:bf16", "bf16:bf16x2"]
        self.options = [word for arith in ariths for word in ("--arith", arith)]
        self.options += ["--epochs", epochs, "--seeds", seeds, "--threads", "1"]
        self.command = ["train", *self.options]

    def prepare(self, folder):
        pass

    def same(self, folder):
        alone = json.loads(run(folder, *self.command, "--json"))
        joined = json.loads(run(folder, "join", "swept", "--json"))
        for cell in alone["cells"] + joined["cells"]:
            cell["seconds"] = 0
        return alone == joined

    def checkpoint(self, folder, title):
        """When the last checkpoint of a piece was written."""
        arith, _, seed = title.rpartition(" seed ")
        name = "".join(c if c.isascii() and c.isalnum() or c == "." else "_" for c in arith)
        try:
            return (folder / "swept/checkpoints" / f"{name}-seed{seed}.safetensors").stat().st_mtime
        except FileNotFoundError:
            return 0


class Quantize:
    """Files of a checkpoint."""

    name = "quantize"
    pace = 0.08

    def __init__(self, small):
        self.files, self.rows, self.columns = (24, 1024, 2048) if small else (48, 4096, 8192)
        self.command = ["quantize", "model", "together", "--layout", "ct-nvfp4", "--threads", "1"]

    def prepare(self, folder):
        checkpoint(folder / "model", self.files, self.rows, self.columns)

    def same(self, folder):
        run(folder, "quantize", "model", "alone", "--layout", "ct-nvfp4")
        return files_of(folder / "alone") == files_of(folder / "together")

    def checkpoint(self, folder, title):
        return 0


class Vectors:
    """Test vectors."""

    name = "vectors"
    pace = 0.2

    def __init__(self, small):
        count, lines = ("1000000", "20000") if small else ("12000000", "100000")
        self.ask = ["vectors", "fma", "--in", "bf16", "--count", count]
        self.command = [*self.ask, "--piece-lines", lines]

    def prepare(self, folder):
        pass

    def same(self, folder):
        return run(folder, *self.ask) == run(folder, "join", "swept")

    def checkpoint(self, folder, title):
        return 0


def holders(shared):
    """Who holds a piece, or held it when it was killed: the claim, by the number of the process."""
    found = {}
    for path in (shared / "claims").glob("[!.]*"):
        try:
            claim = json.loads(path.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            continue
        if claim["state"] == "working":
            found[int(claim["by"].rpartition(":")[2])] = path
    return found


class Processes:
    """Processes at work on a sweep, and what is done to them."""

    def __init__(self, folder, command, count):
        self.folder = folder
        # What is killed from outside is not a fault of the pieces.
        self.command = [BINADE, *command, "--shared", "swept", "--heartbeat", str(HEARTBEAT), "--deaths", "0"]
        self.log = open(folder / "log", "ab")
        self.running = [self.start() for _ in range(count)]

    def start(self):
        return subprocess.Popen(self.command, cwd=self.folder, stdout=self.log, stderr=self.log)



class Times:
    """What faults cost."""

    def __init__(self, folder, work, titles):
        self.folder, self.work, self.titles = folder, work, titles
        self.waiting, self.taken, self.again = {}, [], []

    def lost(self, path, now):
        """A process that held this claim was lost."""
        piece, _, generation = path.name.partition(".")
        number = len(self.titles) - 1 if piece == "last" else int(piece)
        # The file was last written at its last beat; it was born when its piece was taken.
        born = BORN.get(path.name, now)
        kept = max(self.work.checkpoint(self.folder, self.titles[number]), born)
        self.again.append(max(0.0, now - kept))
        self.waiting[path.parent / f"{piece}.{int(generation) + 1}"] = (now, piece)

    def look(self, now):
        for path, (since, piece) in list(self.waiting.items()):
            if path.exists():
                self.taken.append(now - since)
                del self.waiting[path]
            elif (self.folder / f"swept/results/{piece}.json").exists():
                # It was killed between its result and its end.
                del self.waiting[path]


# When claims were first seen.
BORN = {}


def see_claims(folder, now):
    try:
        names = os.listdir(folder / "swept/claims")
    except FileNotFoundError:
        return
    for name in names:
        BORN.setdefault(name, now)


def sweep(work, count, faults, draws, scratch, small):
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{work.name}-", dir=scratch))
    work.prepare(folder)
    plan = json.loads(run(folder, *work.command, "--shared", "swept", "--plan", "--json"))
    BORN.clear()
    processes = Processes(folder, work.command, count)
    times = Times(folder, work, [piece["title"] for piece in plan])
    kinds = {"killed": 0, "suspended": 0, "all killed": 0}
    suspended = []
    begun = time.time()
    next_fault = begun
    done = 0
    ended = lambda: all((folder / f"swept/results/{name}.json").exists() for name in names)
    names = [f"{number:05}" for number in range(len(plan) - (work.name != "train"))]
    names += ["last"] if work.name != "train" else []
    while not ended() or suspended:
        now = time.time()
        if now - begun > PATIENCE:
            sys.exit(f"{folder}: no end after {PATIENCE} s")
        see_claims(folder, now)
        times.look(now)
        for wake, process in list(suspended):
            if now >= wake:
                process.send_signal(signal.SIGCONT)
                suspended.remove((wake, process))
        asleep = [process for _, process in suspended]
        if done < faults and now >= next_fault and not ended():
            held = holders(folder / "swept")
            mean = work.pace
            next_fault = now + draws.uniform(0, 2 * mean)
            # Processes that hold a piece: killing others costs nothing.
            targets = [process for process in processes.running if process.pid in held and process not in asleep]
            if not targets:
                continue
            kind = draws.choices(["killed", "suspended", "all killed"], [16, 3, 1])[0]
            kinds[kind] += 1
            done += 1
            if kind == "suspended":
                victim = draws.choice(targets)
                victim.send_signal(signal.SIGSTOP)
                times.lost(held[victim.pid], now)
                suspended.append((now + draws.uniform(0.5, 2) * SILENT, victim))
                continue
            victims = [draws.choice(targets)] if kind == "killed" else [p for p in processes.running if p not in asleep]
            for victim in victims:
                victim.kill()
            for victim in victims:
                victim.wait()
                if victim.pid in held:
                    times.lost(held[victim.pid], now)
                processes.running[processes.running.index(victim)] = processes.start()
        else:
            # A process that ended by itself found nothing left, or was followed; others may need help.
            time.sleep(0.005)
    wall = time.time() - begun
    failed = 0
    for process in processes.running:
        process.send_signal(signal.SIGCONT)
        failed += process.wait(timeout=60) != 0
    status = json.loads(run(folder, "join", "swept", "--status", "--json"))
    # A process that was killed may leave a file without a name.
    results = sorted(name for name in os.listdir(folder / "swept/results") if not name.startswith("."))
    expected = sorted(f"{name}.json" for name in names)
    problems = []
    if results != expected or not status["complete"]:
        problems.append("results are missing")
    if status["conflicts"]:
        problems.append("results of a piece differ")
    if failed:
        problems.append(f"{failed} processes ended with another code than 0")
    # A machine may be done with a small sweep before all could happen.
    if done < (1 if small else faults):
        problems.append(f"the work ended after {done} faults")
    begun = time.time()
    if not work.same(folder):
        problems.append("results are not those of one process")
    alone = time.time() - begun
    held = sum(piece["holders"] for piece in status["pieces"])
    spread = lambda values: (
        f"{statistics.median(values):.2f} (at most {max(values):.2f})" if values else "-"
    )
    shown = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    print(
        f"{work.name}: {len(names)} pieces, {count} processes, {done} faults ({shown}), {held} holders, {wall:.1f} s "
        f"(one process alone, all threads: {alone:.1f} s)"
    )
    print(f"  seconds until a lost piece was taken over: median {spread(times.taken)}, {len(times.taken)} times")
    print(f"  seconds of work done again: median {spread(times.again)}, {sum(times.again):.1f} in all")
    for problem in problems:
        print(f"  WRONG: {problem}; see {folder}")
    if not problems:
        print("  every result is there, once, and bit-equal to one process's")
        shutil.rmtree(folder)
    return not problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweeps", nargs="*", choices=["train", "quantize", "vectors", []], help="default: all")
    parser.add_argument("--faults", type=int, default=50, help="how many, in each sweep")
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="small sweeps, for a few faults")
    parser.add_argument("--scratch", help="a folder for the sweeps, on the file system that is to be tried")
    arguments = parser.parse_args()
    draws = random.Random(arguments.seed)
    good = True
    for kind in (Train, Quantize, Vectors):
        if arguments.sweeps and kind.name not in arguments.sweeps:
            continue
        work = kind(arguments.small)
        # Seconds between faults.
        work.pace = 0.02 if arguments.small else work.pace
        good &= sweep(work, arguments.processes, arguments.faults, draws, arguments.scratch, arguments.small)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
