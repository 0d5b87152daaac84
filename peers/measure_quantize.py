"""How long `binade quantize` takes for a file of 2 GB, beside cp: medians of rounds, with the memory that it held.

Each round takes every command once, after what was written has reached the disk. The file, of standard normal numbers
times 0.05, and its copies are made in a folder of their own, which is removed at the end.

    BINADE=target/release/binade target/python/bin/python peers/measure_quantize.py
"""

import argparse
import multiprocessing
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

SIDE = 4096


def make(path, tensors):
    """Writes the file to quantise."""
    base = np.random.Generator(np.random.PCG64(1)).standard_normal((SIDE, SIDE), dtype=np.float32)
    save_file({f"layer{i}": np.roll(base, i, 0) * np.float32(0.05) for i in range(tensors)}, path)


def seconds_and_memory(command):
    """Wall time, processor time and the largest resident set in bytes."""
    os.sync()
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        raise RuntimeError(f"{' '.join(command)} ended with status {status}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tensors", type=int, default=32, help=f"of {SIDE} × {SIDE} binary32 numbers")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--format", default="float8_e4m3fn")
    parser.add_argument("--folder", help="where to put the files, for instance on a certain disk")
    options = parser.parse_args()
    binade = os.path.abspath(os.environ.get("BINADE", "binade"))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        source, copy = str(Path(folder, "in.safetensors")), str(Path(folder, "out.safetensors"))
        # A command's largest resident set begins with what its parent holds: the arrays are another process's.
        maker = multiprocessing.get_context("spawn").Process(target=make, args=(source, options.tensors))
        maker.start()
        maker.join()
        if maker.exitcode != 0:
            raise RuntimeError(f"{source} could not be made")
        quantize = [binade, "quantize", source, copy, "--force", "--format", options.format]
        works = {
            "cp": ["cp", source, copy],
            "quantize --threads 1": [*quantize, "--threads", "1"],
            "quantize": quantize,
            "quantize --simulate --threads 1": [*quantize, "--simulate", "--threads", "1"],
            "quantize --simulate": [*quantize, "--simulate"],
        }
        samples = {name: [] for name in works}
        for round_number in range(options.rounds + 1):
            for name, command in works.items():
                Path(copy).unlink(missing_ok=True)
                sample = seconds_and_memory(command)
                # The first round warms up.
                if round_number > 0:
                    samples[name].append(sample)
        size = os.path.getsize(source)
    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in samples.items()}
    print(f"{size / 1e9:.2f} GB of binary32 to {options.format}, medians of {options.rounds} rounds\n")
    print("| | seconds | of cp's | processor seconds | resident MB |")
    print("|---|--:|--:|--:|--:|")
    for name, (wall, processor, memory) in medians.items():
        ratio = wall / medians["cp"][0]
        print(f"| {name} | {wall:.2f} | {ratio:.2f} | {processor:.2f} | {memory / 1e6:.0f} |")


if __name__ == "__main__":
    main()
