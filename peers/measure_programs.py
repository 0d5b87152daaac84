"""What whole programs take under `binade run`, beside native, in processor time.

    python peers/measure_programs.py [--binade PATH] [--rounds N] [--python PYTHON] [--json FILE] [ROW…]

    training   steps of a transformer block and of a small residual network in PyTorch, one thread, for each instruction set
               that oneDNN and MKL can be held to, with and without torch.set_flush_denormal
    scalar     a chain of scalar multiply-adds, compiled here, with MXCSR as it is and with FTZ and DAZ
    loops      loops of one to three multiply-adds, compiled here by -O3 for AVX2 and AVX-512, without symbols and unwind entries
    onnx       two layers of a transformer and a convolution in onnxruntime, one thread
    start      `java -version`, `node -e 0`, `import torch`, `import jax`, and Chromium printing a page
    compile    a module through torch.compile, the compiler's time included

A row's runs are taken in turn, native and under each operator, ROUNDS times; the table has medians. What is not installed is
skipped, and named.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

STEP = """
import sys, time, torch
from torch import nn
torch.set_num_threads(1); torch.manual_seed(0); torch.set_flush_denormal(sys.argv[2] == "flush")

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Sequential(nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU())
        self.two = nn.Sequential(nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32))
    def forward(self, x):
        return torch.relu(x + self.two(self.one(x)))

if sys.argv[1] == "transformer":
    model = nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True); x = torch.randn(8, 64, 256)
else:
    model = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), Block(), Block(), nn.AvgPool2d(8), nn.Flatten(), nn.Linear(512, 10))
    x = torch.randn(16, 3, 32, 32)
def step():
    model.zero_grad(); model(x).square().mean().backward()
step(); step()
times = []
for _ in range(7):
    start = time.process_time(); step(); times.append(time.process_time() - start)
print(min(times))
"""

CHAIN = r"""
#include <immintrin.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
int main(int count, char **words) {
    if (count > 1 && !strcmp(words[1], "flush")) _mm_setcsr(_mm_getcsr() | 0x8040);
    volatile float x = 0.999f, y = 0.001f;
    float sum = 1, a = x, b = y;
    clock_t start = clock();
    for (long k = 0; k < 20000000; k++) sum = __builtin_fmaf(sum, a, b);
    printf("%g\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    return sum == 0;
}
"""

LOOPS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define LOOP __attribute__((noinline))
enum { N = 2048, CALLS = 20000 };
static float x[N + 2], y[N];
LOOP void axpy(float *restrict y, const float *restrict x, float a) {
    for (int i = 0; i < N; i++) y[i] += a * x[i];
}
LOOP void quadratic(float *restrict y, const float *restrict x, float a, float b, float c) {
    for (int i = 0; i < N; i++) y[i] = (a * x[i] + b) * x[i] + c;
}
LOOP void stencil(float *restrict y, const float *restrict x, float a, float b, float c) {
    for (int i = 0; i < N; i++) y[i] += a * x[i] + b * x[i + 1] + c * x[i + 2];
}
LOOP __attribute__((optimize("fast-math"))) float dot(const float *y, const float *x) {
    float sum = 0;
    for (int i = 0; i < N; i++) sum += y[i] * x[i];
    return sum;
}
LOOP float recurrence(const float *x, float a) {
    float sum = 0;
    for (int i = 0; i < N; i++) sum = sum * a + x[i];
    return sum;
}
int main(int count, char **words) {
    volatile float a = 0.03f, sum = 0;
    for (int i = 0; i < N + 2; i++) x[i] = rand() / 2147483648.0f - 0.5f;
    for (int i = 0; i < N; i++) y[i] = rand() / 2147483648.0f - 0.5f;
    int which = atoi(words[count - 1]);
    clock_t start = clock();
    for (int k = 0; k < CALLS; k++) {
        if (which == 0) axpy(y, x, a);
        if (which == 1) quadratic(y, x, a, a, a);
        if (which == 2) stencil(y, x, a, a, a);
        if (which == 3) sum += dot(y, x);
        if (which == 4) sum += recurrence(x, a);
    }
    printf("%g\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    return 0;
}
"""
KERNELS = ["y += a·x", "quadratic", "stencil of three", "dot product", "recurrence, scalar"]

ONNX = """
import time
import numpy, onnxruntime
from onnx import TensorProto, helper, numpy_helper
random = numpy.random.default_rng(1)
POSITIONS, FEATURES, HEADS, HIDDEN = 128, 256, 4, 1024
nodes, weights = [], []
def weight(name, *shape):
    weights.append(numpy_helper.from_array((random.standard_normal(shape) / shape[0] ** 0.5).astype("f"), name))
    return name
def add(kind, inputs, output, **attributes):
    nodes.append(helper.make_node(kind, inputs, [output], **attributes))
    return output
def linear(x, name, rows, columns):
    product = add("MatMul", [x, weight(name, rows, columns)], name + ".product")
    return add("Add", [product, weight(name + ".bias", columns)], name + ".sum")
def layer(x, name):
    scale, shift = weight(name + ".scale", FEATURES), weight(name + ".shift", FEATURES)
    normal = add("LayerNormalization", [x, scale, shift], name + ".normal", axis=-1)
    parts = {}
    for part in "qkv":
        heads = add("Reshape", [linear(normal, name + part, FEATURES, FEATURES), "split"], name + part + ".heads")
        order = [1, 2, 0] if part == "k" else [1, 0, 2]
        parts[part] = add("Transpose", [heads], name + part + ".turned", perm=order)
    score = add("MatMul", [parts["q"], parts["k"]], name + ".score")
    share = add("Softmax", [score], name + ".share", axis=-1)
    mixed = add("Transpose", [add("MatMul", [share, parts["v"]], name + ".mix")], name + ".mixed", perm=[1, 0, 2])
    joined = add("Reshape", [mixed, "join"], name + ".joined")
    x = add("Add", [linear(joined, name + ".out", FEATURES, FEATURES), x], name + ".attended")
    hidden = add("Relu", [linear(x, name + ".up", FEATURES, HIDDEN)], name + ".hidden")
    return add("Add", [linear(hidden, name + ".down", HIDDEN, FEATURES), x], name + ".end")
weights.append(numpy_helper.from_array(numpy.array([POSITIONS, HEADS, FEATURES // HEADS]), "split"))
weights.append(numpy_helper.from_array(numpy.array([POSITIONS, FEATURES]), "join"))
last = layer(layer("x", "first"), "second")
add("Conv", ["image", weight("kernel", 16, 3, 3, 3)], "filtered", pads=[1, 1, 1, 1])
tensor = lambda name, *shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
graph = helper.make_graph(
    nodes, "model", [tensor("x", POSITIONS, FEATURES), tensor("image", 1, 3, 32, 32)],
    [tensor(last, POSITIONS, FEATURES), tensor("filtered", 1, 16, 32, 32)], weights)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
values = lambda *shape: random.standard_normal(shape).astype("f")
inputs = {"x": values(POSITIONS, FEATURES), "image": values(1, 3, 32, 32)}
times = []
for _ in range(30):
    start = time.process_time(); session.run(None, inputs); times.append(time.process_time() - start)
print(min(times))
"""

COMPILED = """
import torch
torch.manual_seed(0); torch.set_num_threads(1)
model = torch.compile(torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 10)))
for _ in range(3): model(torch.randn(32, 64)).sum().backward()
"""

OPERATORS = ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/3"]


def run(command, environment):
    """What a program prints."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)[:80]}: exit code {done.returncode}: {done.stderr[-300:]}")
    return done.stdout


def processor_time(command, environment):
    """Seconds of the processor that a program and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command, environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def printed(command, environment):
    """Seconds that a program says."""
    return float(run(command, environment).split()[-1])


def rows(python, scratch):
    """Kind, name, how it is measured, command, environment, operators; or a reason to skip in place of the command."""
    has_torch = subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0
    for model in ["transformer", "resnet"]:
        if not has_torch:
            yield "training", f"PyTorch, {model}", printed, "no PyTorch", {}, []
            continue
        held = [{}]
        held += [{"ONEDNN_MAX_CPU_ISA": isa} for isa in ("AVX2", "AVX512_CORE")]
        held += [{"MKL_ENABLE_INSTRUCTIONS": isa} for isa in ("AVX2", "AVX512")] if model == "transformer" else []
        for environment in held:
            words = "".join(f", {key}={value}" for key, value in environment.items())
            yield "training", f"PyTorch, {model}{words}", printed, [python, "-c", STEP, model, "keep"], environment, OPERATORS
        yield "training", f"PyTorch, {model}, flushing", printed, [python, "-c", STEP, model, "flush"], {}, OPERATORS
    compiler = shutil.which("cc")
    if compiler:
        source = Path(scratch, "chain.c")
        source.write_text(CHAIN)
        program = str(Path(scratch, "chain"))
        subprocess.run([compiler, "-O1", "-mfma", "-o", program, source], check=True)
    for flush in ["keep", "flush"]:
        name = "scalar chain" + (", FTZ and DAZ" if flush == "flush" else "")
        yield "scalar", name, printed, [program, flush] if compiler else "no C compiler", {}, OPERATORS
    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    for isa, machine in [("AVX2", "-march=haswell"), ("AVX-512", "-march=skylake-avx512 -mprefer-vector-width=512")]:
        program = str(Path(scratch, isa))
        missing = None if compiler else "no C compiler"
        if isa == "AVX-512" and "avx512dq" not in flags:
            missing = "no AVX-512"
        if not missing:
            source = Path(scratch, "loops.c")
            source.write_text(LOOPS)
            unknown = ["-s", "-fno-asynchronous-unwind-tables"]
            subprocess.run([compiler, "-O3", *machine.split(), *unknown, "-o", program, source], check=True)
        for number, kernel in enumerate(KERNELS):
            yield "loops", f"{kernel}, {isa}", printed, missing or [program, str(number)], {}, OPERATORS
    has_onnx = subprocess.run([python, "-c", "import onnx, onnxruntime"], capture_output=True).returncode == 0
    command = [python, "-c", ONNX] if has_onnx else "no onnx and onnxruntime"
    yield "onnx", "onnxruntime, transformer and convolution", printed, command, {}, OPERATORS
    page = Path(scratch, "page.html")
    page.write_text("<p>one<script>document.write([1, 2, 3].map(x => x * 2))</script>")
    browser = shutil.which("chromium")
    starts = {
        "java -version": [shutil.which("java"), "-version"],
        "node -e 0": [shutil.which("node"), "-e", "0"],
        "import torch": [python if has_torch else None, "-c", "import torch"],
        "import jax": [python, "-c", "import jax"],
        "Chromium prints a page": [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"file://{page}"],
    }
    for name, command in starts.items():
        yield "start", name, processor_time, command if command[0] else "not installed", {}, ["f32:f32"]
    caches = {"TORCHINDUCTOR_CACHE_DIR": f"{scratch}/inductor", "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}
    command = [python, "-c", COMPILED] if has_torch and compiler else "needs PyTorch and a compiler"
    yield "compile", "torch.compile", processor_time, command, caches, ["f32:f32"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binade", default=os.environ.get("BINADE", "binade"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("kinds", nargs="*", metavar="ROW")
    options = parser.parse_args()
    kinds = ["training", "scalar", "loops", "onnx", "start", "compile"]
    unknown = set(options.kinds) - set(kinds)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: rows are {', '.join(kinds)}")
    found = []
    print("| program | native, ms | " + " | ".join(OPERATORS) + " |\n|---|--:|" + "--:|" * len(OPERATORS))
    with tempfile.TemporaryDirectory() as scratch:
        for kind, name, measure, command, environment, operators in rows(options.python, scratch):
            if options.kinds and kind not in options.kinds:
                continue
            if isinstance(command, str):
                print(f"SKIPPED {name}: {command}", file=sys.stderr)
                continue
            environment = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"} | environment
            commands = {None: command}
            commands |= {each: [options.binade, "run", "--quiet", "--arith", each, "--", *command] for each in operators}
            seconds = {operator: [] for operator in commands}
            try:
                for operator in operators:
                    # What is kept of objects between starts is there from here on.
                    measure(commands[operator], environment)
                for _ in range(options.rounds):
                    for operator, words in commands.items():
                        seconds[operator].append(measure(words, environment))
            except RuntimeError as error:
                print(f"FAILED {name}: {error}", file=sys.stderr)
                continue
            medians = {operator: statistics.median(times) for operator, times in seconds.items()}
            native = medians.pop(None)
            ratios = [f"{medians[operator] / native:.2f}" if operator in medians else "" for operator in OPERATORS]
            print(f"| {name} | {native * 1e3:.1f} | " + " | ".join(ratios) + " |", flush=True)
            found.append({"program": name, "native": native, "under": medians})
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
