"""How fast binade's kernels and the peers convert and compute, one thread each, in one run: a Markdown table.

Every round runs `binade bench` and then each peer on standard normal numbers in memory, into results that are there
already; a figure is the median of the rounds. It takes a machine with nothing else to do: rounds of binade are short.
ml_dtypes and NumPy copy between arrays (np.copyto), torch between tensors (Tensor.copy_) if it can be imported, gfloat
calls encode_ndarray(round_ndarray) and decode_ndarray on fewer elements, as it needs seconds for more.

    BINADE=target/release/binade target/python/bin/python peers/measure_speed.py
"""

import argparse
import importlib.metadata
import importlib.util
import json
import statistics
import time

import gfloat
import gfloat.formats
import ml_dtypes
import numpy as np

from command import run

PLACE = "64MiB"
# What is measured, and the name of the work in `binade bench`.
WORKS = {
    "f32 → float8_e4m3fn": "encode/float8_e4m3fn/nearest_even",
    "f32 → float8_e5m2": "encode/float8_e5m2/nearest_even",
    "f32 → float4_e2m1fn": "encode/float4_e2m1fn/nearest_even",
    "f32 → bf16": "encode/bf16/nearest_even",
    "f32 → f16": "encode/f16/nearest_even",
    "f32 → float8_e4m3fn, stochastic": "encode/float8_e4m3fn/stochastic_a",
    "float8_e4m3fn → f32": "decode/float8_e4m3fn",
    "float8_e5m2 → f32": "decode/float8_e5m2",
    "bf16 → f32": "decode/bf16",
    "f16 → f32": "decode/f16",
    "f64 → float8_e4m3fn": "encode_f64/float8_e4m3fn/nearest_even",
    "float8_e4m3fn + float8_e4m3fn": "codes/add/float8_e4m3fn,float8_e4m3fn/float8_e4m3fn",
    "float8_e4m3fn × float8_e4m3fn": "codes/multiply/float8_e4m3fn,float8_e4m3fn/float8_e4m3fn",
    "√ float8_e4m3fn": "codes/sqrt/float8_e4m3fn/float8_e4m3fn",
}
FORMATS = {
    "float8_e4m3fn": (ml_dtypes.float8_e4m3fn, gfloat.formats.format_info_ocp_e4m3),
    "float8_e5m2": (ml_dtypes.float8_e5m2, gfloat.formats.format_info_ocp_e5m2),
    "float4_e2m1fn": (ml_dtypes.float4_e2m1fn, gfloat.formats.format_info_ocp_e2m1),
    "bf16": (ml_dtypes.bfloat16, gfloat.formats.format_info_bfloat16),
    "f16": (np.float16, gfloat.formats.format_info_binary16),
}


def numpy_works(values):
    """Conversions and arithmetic of NumPy's own types and ml_dtypes'."""
    works = {}

    def copy(name, source, kind):
        result = np.zeros(source.size, dtype=kind)
        works[name] = lambda: np.copyto(result, source, casting="unsafe")

    for name, (kind, _) in FORMATS.items():
        copy(f"f32 → {name}", values, kind)
        copy(f"{name} → f32", values.astype(kind), np.float32)
    copy("f64 → float8_e4m3fn", values.astype(np.float64), ml_dtypes.float8_e4m3fn)
    a = values.astype(ml_dtypes.float8_e4m3fn)
    b, result = np.roll(a, 1), np.zeros_like(a)
    works["float8_e4m3fn + float8_e4m3fn"] = lambda: np.add(a, b, out=result)
    works["float8_e4m3fn × float8_e4m3fn"] = lambda: np.multiply(a, b, out=result)
    positive = np.abs(a)
    works["√ float8_e4m3fn"] = lambda: np.sqrt(positive, out=result)
    return works


def torch_works(values):
    """Conversions of torch; it refuses arithmetic on 8-bit types."""
    import torch

    torch.set_num_threads(1)
    works = {}
    source = torch.from_numpy(values)
    for name, kind in [
        ("float8_e4m3fn", torch.float8_e4m3fn),
        ("float8_e5m2", torch.float8_e5m2),
        ("bf16", torch.bfloat16),
        ("f16", torch.float16),
    ]:
        narrow, back = source.to(kind), torch.zeros_like(source)
        works[f"f32 → {name}"] = lambda narrow=narrow: narrow.copy_(source)
        works[f"{name} → f32"] = lambda narrow=narrow, back=back: back.copy_(narrow)
    narrow, doubles = source.to(torch.float8_e4m3fn), source.double()
    works["f64 → float8_e4m3fn"] = lambda: narrow.copy_(doubles)
    return works


def gfloat_works(values):
    """Rounding and encoding, and decoding, of gfloat."""
    works = {}
    nearest, stochastic = gfloat.RoundMode.TiesToEven, gfloat.RoundMode.Stochastic
    random = np.random.Generator(np.random.PCG64(1)).integers(0, 1 << 32, values.size)
    for name, (_, info) in FORMATS.items():
        rounded = gfloat.round_ndarray(info, values, nearest)
        codes = gfloat.encode_ndarray(info, rounded)
        works[f"f32 → {name}"] = lambda info=info: gfloat.encode_ndarray(
            info, gfloat.round_ndarray(info, values, nearest)
        )
        works[f"{name} → f32"] = lambda info=info, codes=codes: gfloat.decode_ndarray(info, codes)
    info = gfloat.formats.format_info_ocp_e4m3
    works["f32 → float8_e4m3fn, stochastic"] = lambda: gfloat.encode_ndarray(
        info, gfloat.round_ndarray(info, values, stochastic, srbits=random, srnumbits=32)
    )
    return works


def binade_speeds(seconds):
    """Elements a second of every work, and the machine."""
    names = [f"{work}/{PLACE}" for work in WORKS.values()]
    report = json.loads(run("bench", *names, "--seconds", str(seconds), "--json"))
    speeds = {figure["name"]: figure.get("elements_per_s") for figure in report["results"]}
    found = {what: speeds[f"{work}/{PLACE}"] for what, work in WORKS.items()}
    return report["machine"], report["memcpy_elements_per_s"], found


def seconds_of(work):
    """How long one call takes."""
    # Of the processor's time: peers work on one thread, and calls of seconds meet whatever else the machine is doing.
    start = time.process_time()
    work()
    return max(time.process_time() - start, 1e-9)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=1 << 24, help="of NumPy, ml_dtypes and torch; gfloat has 1/64")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of `binade bench`, a round")
    options = parser.parse_args()
    normal = np.random.Generator(np.random.PCG64(1)).standard_normal(options.elements, dtype=np.float32)
    few = normal[: max(options.elements // 64, 1)]
    peers = {"NumPy, ml_dtypes": (normal.size, numpy_works(normal)), "gfloat": (few.size, gfloat_works(few))}
    if importlib.util.find_spec("torch"):
        peers["torch"] = (normal.size, torch_works(normal))

    samples = {}
    for round_number in range(options.rounds + 1):
        machine, memcpy, speeds = binade_speeds(options.seconds)
        samples.setdefault(("memcpy", "binade"), []).append(memcpy)
        for what, speed in speeds.items():
            samples.setdefault((what, "binade"), []).append(speed)
        for peer, (elements, works) in peers.items():
            for what, work in works.items():
                speed = elements / seconds_of(work)
                # The first round warms up.
                if round_number > 0:
                    samples.setdefault((what, peer), []).append(speed)
    medians = {key: statistics.median(values) for key, values in samples.items()}

    packages = [name for name in ("numpy", "ml_dtypes", "gfloat", "torch") if importlib.util.find_spec(name)]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    print(f"Machine: {machine}; memcpy {medians['memcpy', 'binade'] / 1e9:.2f} G binary32 elements/s  ")
    print(f"Peers: {versions}  ")
    print(f"Millions of elements a second, medians of {options.rounds} rounds, one thread, {options.elements} elements")
    print()
    print("| | binade | " + " | ".join(peers) + " | binade / best peer |")
    print("|---" + "|--:" * (len(peers) + 2) + "|")
    for what in WORKS:
        ours = medians[what, "binade"]
        theirs = [medians.get((what, peer)) for peer in peers]
        cells = ["" if speed is None else f"{speed / 1e6:.4g}" for speed in theirs]
        best = max((speed for speed in theirs if speed is not None), default=None)
        ratio = "" if best is None else f"{ours / best:.3g}"
        print(f"| {what} | {ours / 1e6:.4g} | " + " | ".join(cells) + f" | {ratio} |")


if __name__ == "__main__":
    main()
