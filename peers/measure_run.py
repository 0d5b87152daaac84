"""What programs take under `binade run`, beside native, one thread: products of NumPy's OpenBLAS with its AVX-512 and its
AVX2 kernel and of MKL, a convolution and a product of PyTorch, and PyTorch's start-up. Medians within one process, one run after
the other; it takes a machine with nothing else to do.

    BINADE=target/release/binade target/python/bin/python peers/measure_run.py

PyTorch is that of --torch-python, /usr/bin/python3 unless told, and is left out where it has none; MKL is left out where
this Python lacks the package mkl.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

PRODUCT = """
import sys, time, statistics, numpy as np
n = int(sys.argv[1])
a, b = np.random.default_rng(1).standard_normal((2, n, n), dtype=np.float32)
a @ b
def seconds():
    start = time.perf_counter(); a @ b; return time.perf_counter() - start
print(statistics.median(seconds() for _ in range(5)))
"""
MKL = """
import ctypes, sys, time, statistics, numpy as np
product = ctypes.CDLL(sys.argv[2], mode=ctypes.RTLD_GLOBAL).cblas_sgemm
n = int(sys.argv[1])
a, b, c = np.random.default_rng(1).standard_normal((3, n, n), dtype=np.float32)
[x, y, z] = [matrix.ctypes.data_as(ctypes.c_void_p) for matrix in (a, b, c)]
def seconds():
    start = time.perf_counter()
    product(101, 111, 111, n, n, n, ctypes.c_float(1), x, n, y, n, ctypes.c_float(0), z, n)
    return time.perf_counter() - start
seconds()
print(statistics.median(seconds() for _ in range(5)))
"""
TORCH = """
import statistics, time, torch
torch.set_num_threads(1)
x, w, a = torch.randn(4, 64, 56, 56), torch.randn(64, 64, 3, 3), torch.randn(512, 512)
def median(work):
    work()
    def seconds():
        start = time.perf_counter(); work(); return time.perf_counter() - start
    return statistics.median(seconds() for _ in range(9))
with torch.no_grad():
    print(median(lambda: torch.nn.functional.conv2d(x, w, padding=1)), median(lambda: torch.nn.functional.linear(a, a)))
"""
OPERATORS = ["f32:f32", "bf16:bf16", "bf16:bf16x2", "bf16:bf16x3", "bf16x2:bf16x2/3", "bf16x3:bf16x3/6"]
# One multiply-add at a time: on smaller matrices.
OTHERS = [
    "float8_e4m3fn:f32",
    "float8_e4m3fn:f16",
    "cfloat8_1_4_3@bias=10:bf16",
    "binary8p3:binary16p11se",
    "uhp:f32",
    "bf16x3:bf16x3/9+exact",
]


def under(operator):
    """The words before a program's."""
    binade = os.environ.get("BINADE", "binade")
    return [] if operator is None else [binade, "run", "--quiet", "--arith", operator, "--"]


def numbers(command, **environment):
    """What a program prints."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"} | environment
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def show(name, operator, native, seconds):
    print(f"| {name} | {operator} | {native * 1e3:.2f} | {seconds * 1e3:.2f} | {seconds / native:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch-python", default="/usr/bin/python3")
    torch = parser.parse_args().torch_python
    print("| program | operator | native, ms | under it, ms | ratio |\n|---|---|--:|--:|--:|")
    for core in ["SkylakeX", "Haswell"]:
        for size, operators in [(1024, OPERATORS), (512, OTHERS)]:
            program = [sys.executable, "-c", PRODUCT, str(size)]
            native = numbers(program, OPENBLAS_CORETYPE=core)[0]
            for operator in operators:
                seconds = numbers(under(operator) + program, OPENBLAS_CORETYPE=core)[0]
                show(f"sgemm {size}³, OpenBLAS {core}", operator, native, seconds)
    for library in sorted(Path(sys.prefix, "lib").glob("libmkl_rt.so*"))[:1]:
        program = [sys.executable, "-c", MKL, "1024", str(library)]
        native = numbers(program)[0]
        for operator in ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/3"]:
            show("sgemm 1024³, MKL", operator, native, numbers(under(operator) + program)[0])
    if subprocess.run([torch, "-c", "import torch"], capture_output=True).returncode != 0:
        return
    native = numbers([torch, "-c", TORCH])
    for operator in ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/3"]:
        for name, *times in zip(["conv2d 3×3", "linear 512³"], native, numbers(under(operator) + [torch, "-c", TORCH])):
            show(f"PyTorch, {name}", operator, *times)
    starts = {None: [], "bf16:bf16": []}
    for _ in range(7):
        for operator, seconds in starts.items():
            start = time.perf_counter()
            subprocess.run(under(operator) + [torch, "-c", "import torch"], check=True)
            seconds.append(time.perf_counter() - start)
    show("PyTorch, import", "bf16:bf16", *(statistics.median(seconds) for seconds in starts.values()))


if __name__ == "__main__":
    main()
