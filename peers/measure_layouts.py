"""How long checkpoints take to quantise and dequantise, beside cp, with the memory held: medians of rounds.

A folder of bf16 files, of standard normal numbers times 0.05, is made in a folder of its own, which is removed at the end.

    BINADE=target/release/binade target/python/bin/python peers/measure_layouts.py
"""

import argparse
import json
import multiprocessing
import os
import shutil
import statistics
import subprocess
import tempfile
import time

BINADE = os.environ.get("BINADE", "binade")
SIDE = 4096


def make(folder, files):
    """Files of four matrices, 32 MiB each."""
    import numpy as np

    os.mkdir(folder)
    numbers = np.random.Generator(np.random.PCG64(1)).standard_normal((SIDE, SIDE), dtype=np.float32)
    base = ((numbers * np.float32(0.05)).view(np.uint32) >> 16).astype(np.uint16)
    index = {}
    for file in range(files):
        name = f"model-{file + 1:05}-of-{files:05}.safetensors"
        size = base.nbytes
        header = {}
        for at in range(4):
            tensor = f"model.layers.{4 * file + at}.mlp.down_proj.weight"
            header[tensor] = {"dtype": "BF16", "shape": [SIDE, SIDE], "data_offsets": [at * size, (at + 1) * size]}
            index[tensor] = name
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(os.path.join(folder, name), "wb") as out:
            out.write(len(text).to_bytes(8, "little") + text)
            for at in range(4):
                out.write(np.roll(base, 4 * file + at, 0).tobytes())
    with open(os.path.join(folder, "model.safetensors.index.json"), "w") as out:
        json.dump({"metadata": {}, "weight_map": index}, out)


def seconds_and_memory(command):
    """Wall-clock seconds, and the most resident memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.perf_counter() - start, usage.ru_maxrss / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=16, help="of 128 MiB each")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--layouts", default="ct-fp8,ct-mxfp4,ct-nvfp4,deepseek-fp8")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, "model"), os.path.join(folder, "out")
        # In a process of its own: what this one holds counts as its children's.
        maker = multiprocessing.get_context("spawn").Process(target=make, args=(source, options.files))
        maker.start()
        maker.join()
        assert maker.exitcode == 0
        quantised = {}
        commands = {"cp": ["cp", "-r", source, out]}
        for layout in options.layouts.split(","):
            quantised[layout] = os.path.join(folder, layout)
            subprocess.run([BINADE, "quantize", source, quantised[layout], "--layout", layout], check=True)
            commands[f"quantize {layout}"] = [BINADE, "quantize", source, out, "--layout", layout]
            commands[f"dequantize {layout}"] = [BINADE, "dequantize", quantised[layout], out]
        taken = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                shutil.rmtree(out, ignore_errors=True)
                os.sync()
                taken[name].append(seconds_and_memory(command))
        cp = statistics.median(seconds for seconds, _ in taken["cp"])
        for name, runs in taken.items():
            seconds, memory = (statistics.median(column) for column in zip(*runs))
            print(f"{name:24} {seconds:6.2f} s  {cp / seconds:5.2f} of cp's speed  {memory:6.1f} MB")


if __name__ == "__main__":
    main()
