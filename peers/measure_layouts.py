"""How long checkpoints take to quantise and dequantise, beside cp, with the memory held: medians of rounds.

Folders of bf16 files, of standard normal numbers times 0.05, are made in a folder of its own, which is removed at the end: matrices of
linear layers, and for gpt-oss experts of its shape. Each layout is beside the cp of what it reads.

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
# The tensors of a file: what their names end with, how many there are, and the shape.
MATRICES = ("mlp.down_proj.weight", 4, [4096, 4096])
EXPERTS = ("mlp.experts.down_proj", 1, [8, 2880, 2880])


def make(folder, files, ending, count, shape):
    """Files of so many tensors, 128 MiB or a little less."""
    import numpy as np

    os.mkdir(folder)
    numbers = np.random.Generator(np.random.PCG64(1)).standard_normal(shape, dtype=np.float32)
    base = ((numbers * np.float32(0.05)).view(np.uint32) >> 16).astype(np.uint16)
    index = {}
    for file in range(files):
        name = f"model-{file + 1:05}-of-{files:05}.safetensors"
        size = base.nbytes
        header = {}
        for at in range(count):
            tensor = f"model.layers.{count * file + at}.{ending}"
            header[tensor] = {"dtype": "BF16", "shape": shape, "data_offsets": [at * size, (at + 1) * size]}
            index[tensor] = name
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(os.path.join(folder, name), "wb") as out:
            out.write(len(text).to_bytes(8, "little") + text)
            for at in range(count):
                out.write(np.roll(base, count * file + at, -2).tobytes())
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
    parser.add_argument("--layouts", default="ct-fp8,ct-mxfp8,ct-mxfp4,ct-nvfp4,modelopt-nvfp4,deepseek-fp8,gpt-oss")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        commands, beside = {}, {}
        for kind, parts in (("matrices", MATRICES), ("experts", EXPERTS)):
            layouts = [name for name in options.layouts.split(",") if (name == "gpt-oss") == (kind == "experts")]
            if not layouts:
                continue
            source = os.path.join(folder, kind)
            # In a process of its own: what this one holds counts as its children's.
            maker = multiprocessing.get_context("spawn").Process(target=make, args=(source, options.files, *parts))
            maker.start()
            maker.join()
            assert maker.exitcode == 0
            commands[f"cp {kind}"] = ["cp", "-r", source, out]
            for layout in layouts:
                quantised = os.path.join(folder, layout)
                subprocess.run([BINADE, "quantize", source, quantised, "--layout", layout], check=True)
                commands[f"quantize {layout}"] = [BINADE, "quantize", source, out, "--layout", layout]
                commands[f"dequantize {layout}"] = [BINADE, "dequantize", quantised, out]
            beside |= {name: f"cp {kind}" for name in commands if name not in beside}
        taken = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                shutil.rmtree(out, ignore_errors=True)
                os.sync()
                taken[name].append(seconds_and_memory(command))
        medians = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in taken.items()}
        for name, (seconds, memory) in medians.items():
            speed = medians[beside[name]][0] / seconds
            print(f"{name:24} {seconds:6.2f} s  {speed:5.2f} of cp's speed  {memory:6.1f} MB")


if __name__ == "__main__":
    main()
