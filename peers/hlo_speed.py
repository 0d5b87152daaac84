"""How fast `binade hlo run` evaluates programs, beside JAX on this processor and StableHLO's own interpreter: a table.

Every round times each program in JAX (compiled before) and in binade (evaluations after the first of one process,
without reading and planning), one after the other; a figure is the median of the rounds' medians, a ratio the median of
the rounds' ratios. StableHLO's interpreter (`stablehlo.eval_module` of jaxlib) evaluates a product and a sum once. It
takes a machine with nothing else to do, and two minutes of it.

    BINADE=target/release/binade target/python/bin/python peers/hlo_speed.py

With `--rules` it times binade alone: what rules of arithmetic cost beside the same operation without one. With
`--beside OTHER` it says what processor time an evaluation takes on one thread, by another binade and by this one: that
can be compared where others are at work. With both it does so for the operations under rules. With `--start` it says what
a whole process takes: of a small program, and of a text of 200,000 operations.
"""

import argparse
import importlib.metadata
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from command import run
from check_hlo import as_files
from hlo_networks import NETWORKS
from hlo_programs import convolve, labels, normal, programs

# Programs of hlo_programs that are timed, and what they are timed as.
STEPS = {
    "lstm_step": "LSTM by scan, a training step",
    "adam_by_scan": "Adam by scan, 20 steps",
    "gpt_gradient": "GPT, value and gradient",
    "cnn_step": "CNN, a training step",
    "resnet_step": "ResNet, a training step",
}
# What --arith adds to a program.
OPERATOR = "dot_general,convolution=bf16x2:bf16x2/3"


def works(parts=()):
    """(name, function, inputs, rules for binade): what is timed, if its name contains one of the parts or there are none."""
    for name, *rest in single_works():
        if is_wanted(name, parts):
            yield name, *rest
    for name, make in NETWORKS.items():
        if is_wanted(name, parts):
            yield name, *make(), ()


def is_wanted(name, parts):
    return not parts or any(part in name for part in parts)


def single_works():
    """The same but for whole networks."""
    a, b = normal(1, 256, 256), normal(2, 256, 256)
    yield "dot, 256³", lambda a, b: a @ b, (a, b), ()
    yield "dot, 256³, under 2_2{3}", lambda a, b: a @ b, (a, b), (OPERATOR,)
    x, y = normal(3, 1 << 20), normal(4, 1 << 20)
    yield "x + y, 1 Mi", lambda x, y: x + y, (x, y), ()
    yield "six operations, 1 Mi", lambda x, y: jnp.maximum(x * y + 0.5 * x - y / 3, 0) * x, (x, y), ()
    for name, function in [("exp", jnp.exp), ("tanh", jnp.tanh), ("erf", lax.erf)]:
        yield f"{name}, 1 Mi", function, (x,), ()
    rows = x.reshape(1024, 1024)
    yield "softmax, 1024 rows of 1024", jax.nn.softmax, (rows,), ()
    yield "transpose and add, 1024 × 1024", lambda x, y: x.T + y, (rows, y.reshape(1024, 1024)), ()
    places = np.random.Generator(np.random.PCG64(5)).integers(0, 1000, 1 << 16).astype(np.int32)
    yield "scatter-add, 64 Ki into 1000", lambda x, i: jnp.zeros(1000).at[i].add(x), (x[: 1 << 16], places), ()
    images, kernel = normal(6, 8, 28, 28, 32), normal(7, 3, 3, 32, 64) * 0.1

    def gradients(images, kernel):
        return jax.grad(lambda *p: (convolve(*p) ** 2).sum(), (0, 1))(images, kernel)

    yield "convolution 3 × 3, 8 × 28 × 28 × 32 to 64", convolve, (images, kernel), ()
    yield "its value and gradients", gradients, (images, kernel), ()
    yield "its value and gradients, under 2_2{3}", gradients, (images, kernel), (OPERATOR,)
    for name, function, inputs, _ in programs():
        if name in STEPS:
            yield STEPS[name], function, inputs, ()
        if name == "resnet_step":
            yield f"{STEPS[name]}, under 2_2{{3}}", function, inputs, (OPERATOR,)
    for work in (*loops(), *narrow(), *moves(), *layers()):
        yield *work, ()


def loops():
    """Control flow: many small steps."""
    x = np.float32(0.5)
    many = normal(40, 10_000)

    def iterate(x):
        return lax.fori_loop(0, 10_000, lambda i, s: s * 0.999 + jnp.sin(s), x)

    def scan(x, xs):
        return lax.scan(lambda c, a: (c * 0.5 + a, c), x, xs)

    def scan_vectors(x, xs):
        return lax.scan(lambda c, a: (jnp.tanh(c * 0.5 + a), c), x, xs)

    def set_all(x):
        return lax.fori_loop(0, 1000, lambda i, s: s.at[i].set(jnp.float32(i)), x)

    def lstm(w, u, b, h, xs):
        def cell(state, x):
            h, c = state
            i, f, g, o = jnp.split(x @ w.T + h @ u.T + b, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        return lax.scan(cell, (h, jnp.zeros_like(h)), xs)[1].sum()

    w, u = normal(41, 2600, 650) * 0.04, normal(42, 2600, 650) * 0.04
    state, xs = normal(43, 20, 650), normal(44, 35, 20, 650)
    yield "fori_loop, 10,000 scalar steps", iterate, (x,)
    yield "exp1 of two numbers, 1.4 million turns", jax.scipy.special.exp1, (np.array([0.5, 1e-5], np.float32),)
    yield "scan, 10,000 scalars", scan, (x, many)
    yield "scan, 1000 vectors of 16", scan_vectors, (normal(45, 16), normal(46, 1000, 16))
    yield "at[i].set in a loop that carries 4 MB", set_all, (normal(47, 1 << 20),)
    yield "LSTM of 650, 35 steps of 20", lstm, (w, u, normal(48, 2600), state, xs)
    yield "value and gradients of that LSTM", jax.value_and_grad(lstm, (0, 1, 2)), (w, u, normal(48, 2600), state, xs)


def narrow():
    """Elementwise operations on 16 bits, and products of 8."""
    x = normal(50, 1 << 20)
    half, brain = x.astype(np.float16), x.astype(jnp.bfloat16)
    yield "tanh of f16, 1 Mi", jnp.tanh, (half,)
    for name, function in [("tanh", jnp.tanh), ("exp", jnp.exp), ("logistic", jax.nn.sigmoid), ("rsqrt", lax.rsqrt)]:
        yield f"{name} of bf16, 1 Mi", function, (abs(brain) if name == "rsqrt" else brain,)
    yield "softmax of bf16, 1024 rows of 1024", jax.nn.softmax, (brain.reshape(1024, 1024),)
    yield "gelu of bf16, 1 Mi", jax.nn.gelu, (brain,)

    def whole(a, b):
        return lax.dot(a, b, preferred_element_type=jnp.int32)

    for size in (256, 512):
        a, b = (labels(seed, size * size, 256).reshape(size, size).astype(np.int8) for seed in (51, 52))
        yield f"dot of int8, {size}³", whole, (a, b)
    a, b = (labels(seed, 256 * 256, 1000).reshape(256, 256).astype(np.int32) for seed in (53, 54))
    yield "dot of int32, 256³", lambda a, b: a @ b, (a, b)


def moves():
    """Scatters, sums along, random numbers, sorts."""
    x = normal(60, 1 << 16)
    places = labels(61, 1 << 16, 1000)
    yield "segment_max, 64 Ki into 1000", lambda x, i: jax.ops.segment_max(x, i, 1000), (x, places)

    def histogram(x, i):
        return jnp.zeros(1000, jnp.int32).at[i].add(x)

    yield "scatter-add of int32, 64 Ki into 1000", histogram, (places, places)
    yield "cumsum, 1 Mi", jnp.cumsum, (normal(62, 1 << 20),)
    yield "cumsum, 1024 rows of 1024", lambda x: jnp.cumsum(x, 1), (normal(62, 1024, 1024),)
    key = np.array([1, 42], np.uint32)
    yield "random bits, 1 Mi", lambda key: jax.random.bits(key, (1 << 20,)), (key,)
    yield "poisson, 64 Ki", lambda key: jax.random.poisson(key, 3.0, (1 << 16,)), (key,)

    def dropout(key, x):
        return jnp.where(jax.random.bernoulli(key, 0.9, x.shape), x / 0.9, 0)

    yield "dropout, 1 Mi", dropout, (key, normal(63, 1 << 20))
    yield "top_k, 8 of 1024 rows of 1024", lambda x: lax.top_k(x, 8), (normal(64, 1024, 1024),)
    parts = normal(65, 8, 256, 512)
    yield "concatenate, 8 of 128 Ki", lambda x: jnp.concatenate([x[i] for i in range(8)], -1), (parts,)
    yield "sort, 1 Mi", jnp.sort, (normal(66, 1 << 20),)
    yield "sort, 1024 rows of 1024", lambda x: jnp.sort(x, 1), (normal(67, 1024, 1024),)
    yield "argsort, 1 Mi", jnp.argsort, (normal(68, 1 << 20),)


def layers():
    """Parts of networks."""
    x = normal(70, 1 << 20)
    rows = x.reshape(1024, 1024)
    yield "erfc, 1 Mi", lax.erfc, (x,)
    yield "sin, 1 Mi", jnp.sin, (x,)
    yield "pow, 1 Mi", jnp.power, (abs(x), normal(77, 1 << 20))
    square = normal(78, 512, 512)
    yield "cholesky, 512²", lax.linalg.cholesky, (square @ square.T + 512 * np.eye(512, dtype=np.float32),)
    yield "gradient of exact gelu, 1 Mi", jax.grad(lambda x: jax.nn.gelu(x, approximate=False).sum()), (x,)
    yield "variance, 1024 rows of 1024", lambda x: x.var(1), (rows,)

    def layer_norm(x, scale, offset):
        mean = x.mean(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * scale + offset

    yield "layer norm, 1024 rows of 1024", layer_norm, (rows, normal(71, 1024), normal(72, 1024))
    images, kernel = normal(73, 8, 28, 28, 64), normal(74, 1, 1, 64, 64)
    yield "convolution 1 × 1, 8 × 28 × 28 × 64 to 64", convolve, (images, kernel)

    def depthwise(images, kernel):
        numbers = ("NHWC", "HWIO", "NHWC")
        return lax.conv_general_dilated(
            images, kernel, (1, 1), "SAME", dimension_numbers=numbers, feature_group_count=64
        )

    yield "depthwise convolution 3 × 3, 8 × 28 × 28 × 64", depthwise, (images, normal(79, 3, 3, 1, 64))
    strided = jax.grad(lambda x, w: (convolve(x, w, 2) ** 2).sum(), (0, 1))
    yield "gradients of a 3 × 3 convolution of stride 2", strided, (images, normal(75, 3, 3, 64, 64) * 0.1)

    def pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum()

    yield "gradient of max-pooling 2 × 2", jax.grad(pool), (images,)

    def adamw(w, m, v, g):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        return w - 1e-3 * (m / 0.1 / (jnp.sqrt(v / 0.001) + 1e-8) + 0.01 * w), m, v

    yield "AdamW, 1 Mi", adamw, (x, x * 0.1, x * x, normal(76, 1 << 20))


# Rules for all operations: one that rounds results to a format, and operators.
RULES = ("*=bf16", "*=float8_e4m3fn", "*=bf16:f32", "*=bf16x2:bf16x2/3")


def under(rule):
    """What --arith says for one of them: constants stay, as the −∞ of maxima is NaN in a format without infinities."""
    return ("constant=f32", rule)


def ruled():
    """(name, function, inputs): what is timed under rules."""
    x, y = abs(normal(80, 1 << 20)) + 0.5, abs(normal(81, 1 << 20)) + 0.5
    rows = x.reshape(1024, 1024)
    yield "x + y, 1 Mi", lambda x, y: x + y, (x, y)
    yield "x * y, 1 Mi", lambda x, y: x * y, (x, y)
    yield "x / y, 1 Mi", lambda x, y: x / y, (x, y)
    yield "exp, 1 Mi", jnp.exp, (x,)
    yield "tanh, 1 Mi", jnp.tanh, (x,)
    yield "sum of rows, 1024 × 1024", lambda x: x.sum(1), (rows,)
    yield "sum of columns, 1024 × 1024", lambda x: x.sum(0), (rows,)
    yield "maximum of rows, 1024 × 1024", lambda x: x.max(1), (rows,)
    yield "softmax, 1024 rows of 1024", jax.nn.softmax, (rows,)
    yield "dot, 256³", lambda a, b: a @ b, (normal(1, 256, 256), normal(2, 256, 256))
    yield "dot, 1024³", lambda a, b: a @ b, (rows, y.reshape(1024, 1024))


def median_of(work, seconds):
    """The median time of calls that take about so many seconds together."""
    start = time.perf_counter()
    jax.block_until_ready(work())
    count = int(np.clip(seconds / (time.perf_counter() - start), 3, 200))
    times = []
    for _ in range(count):
        start = time.perf_counter()
        jax.block_until_ready(work())
        times.append(time.perf_counter() - start)
    return statistics.median(times)


class Work:
    """A program in JAX, and as files for binade."""

    def __init__(self, name, function, inputs, rules, folder):
        # Arguments that are not used stay: the files stand for all of them.
        self.name, self.function = name, jax.jit(function, keep_unused=True)
        self.inputs = jax.tree.map(jnp.asarray, inputs)
        lowered = self.function.lower(*inputs)
        program = folder / "program.mlir"
        program.write_text(lowered.as_text())
        files = as_files(jax.tree.leaves(inputs), folder, "in")
        self.arguments = ["hlo", "run", str(program), "--json"]
        self.arguments += [word for path in files for word in ("--input", str(path))]
        self.arguments += [word for rule in rules for word in ("--arith", rule)]
        self.repeats = 5

    def jax(self, seconds):
        return median_of(lambda: self.function(*self.inputs), seconds)

    def binade(self, seconds):
        report = json.loads(run(*self.arguments, "--repeat", str(self.repeats)))
        # The first one warms up.
        median = statistics.median(report["evaluations_s"][1:])
        self.repeats = int(np.clip(seconds / median, 3, 200)) + 1
        return median


# Prints the most bytes that a command's process holds. A process begins with what the one that starts it holds, so that is small.
HELD = """
import os, sys
pid = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss * 1024, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def held(command):
    python = subprocess.run([sys.executable, "-S", "-c", HELD, *command], capture_output=True, text=True, check=True)
    return int(python.stderr.splitlines()[-1])


def memory(options):
    """The table of what memory binade holds, for one evaluation and for five, and XLA."""
    binade = os.environ.get("BINADE", "target/release/binade")
    with tempfile.TemporaryDirectory() as folder:
        work = Work("", lambda x: x + 1, (np.float32(0),), (), Path(folder))
        alone = held([binade, *work.arguments])
    print(f"binade: beyond the {alone / 1e6:.1f} MB that it holds to add two numbers")
    print()
    print("| | XLA: arguments, outputs, temporaries | binade, once | binade, five times | that / XLA |")
    print("|---" + "|--:" * 4 + "|")
    for name, *rest in works(options.names):
        with tempfile.TemporaryDirectory() as folder:
            work = Work(name, *rest, Path(folder))
            stats = work.function.lower(*work.inputs).compile().memory_analysis()
            theirs = stats.argument_size_in_bytes + stats.output_size_in_bytes + stats.temp_size_in_bytes
            once, five = (held([binade, *work.arguments, "--repeat", str(count)]) - alone for count in (1, 5))
        sizes = " | ".join(f"{size / 1e6:.1f} MB" for size in (theirs, once, five))
        print(f"| {name} | {sizes} | {five / theirs:.2f} |", flush=True)


def interpreter(function, inputs):
    """The time of one evaluation by StableHLO's interpreter."""
    module = jax.jit(function).lower(*inputs).compiler_ir("stablehlo")
    with module.context:
        arguments = [ir.DenseElementsAttr.get(np.ascontiguousarray(value)) for value in inputs]
        start = time.perf_counter()
        stablehlo.eval_module(module, arguments)
        return time.perf_counter() - start


# Operations of a long text.
LONG = 200_000


def long_text():
    """A program of many operations on 8 × 8 numbers, each on the one before and on the eighth before, if there is one."""
    kinds = ("add", "multiply", "subtract", "maximum")
    element = "tensor<8x8xf32>"
    yield f"func.func @main(%x: {element}) -> {element} {{\n"
    for at in range(LONG):
        one, other = (f"%{at - by}" if at >= by else "%x" for by in (1, 8))
        yield f"  %{at} = stablehlo.{kinds[at % len(kinds)]} {one}, {other} : {element}\n"
    yield f"  return %{LONG - 1} : {element}\n}}\n"


def whole_process(arguments, error):
    """The time and the processor time that a process takes on one thread, which has to end with this error if there is one."""
    command = [os.environ.get("BINADE", "target/release/binade"), *arguments]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    start = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, "RAYON_NUM_THREADS": "1"}, **streams)
    message = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if (process.returncode != 0) != bool(error) or error not in message:
        raise RuntimeError(f"{' '.join(command)} exited with {process.returncode}\n{message}")
    return seconds, usage.ru_utime + usage.ru_stime


def starts(options):
    """The table of whole processes."""
    with tempfile.TemporaryDirectory() as folder:
        small = Work("", lambda x, y: x + y, (np.float32(1), np.float32(2)), (), Path(folder))
        text, (numbers,) = Path(folder) / "long.mlir", as_files([normal(90, 8, 8)], Path(folder), "long")
        text.write_text("".join(long_text()))
        run_long = ["hlo", "run", str(text)]
        size = f"{LONG:,} operations on 8 × 8 numbers, {text.stat().st_size / 1e6:.1f} MB of text"
        works = [
            ("a program of one addition of two numbers", small.arguments, "", 50),
            (f"{size}: read without an input, which ends there", run_long, "takes 1 inputs", options.rounds),
            (f"{size}: read, planned and evaluated", [*run_long, "--input", str(numbers)], "", options.rounds),
        ]
        print(f"a process on one thread: the medians of 50 and of {options.rounds} runs, the first one besides")
        print()
        print("| | time | processor time |")
        print("|---" + "|--:" * 2 + "|")
        for name, arguments, error, count in works:
            times = [whole_process(arguments, error) for _ in range(count + 1)][1:]
            print(f"| {name} | " + " | ".join(duration(statistics.median(column)) for column in zip(*times)) + " |", flush=True)


def duration(seconds):
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def processor_time(binade, work, count):
    """Seconds of the processor that so many evaluations take on one thread, beyond those of one."""

    def seconds(repeats):
        command = [binade, *work.arguments, "--repeat", str(repeats)]
        environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env=environment, **streams)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        return usage.ru_utime + usage.ru_stime

    return (seconds(count + 1) - seconds(1)) / count


def processor_times(options, name, *rest):
    """What an evaluation takes by the other binade and by this one, the least of the rounds."""
    with tempfile.TemporaryDirectory() as folder:
        work = Work(name, *rest, Path(folder))
        work.binade(options.seconds)
        count = work.repeats
        binades = (options.beside, os.environ.get("BINADE", "target/release/binade"))
        rounds = [[processor_time(binade, work, count) for binade in binades] for _ in range(options.rounds)]
    return [min(column) for column in zip(*rounds)]


def beside(options):
    """The table of processor times of two binades."""
    print(f"processor time of an evaluation on one thread, the least of {options.rounds} rounds")
    print()
    if options.rules:
        return rules_beside(options)
    print("| | before | now | now / before |")
    print("|---" + "|--:" * 3 + "|")
    for name, *rest in works(options.names):
        before, now = processor_times(options, name, *rest)
        print(f"| {name} | {duration(before)} | {duration(now)} | {now / before:.2f} |", flush=True)


def rules_beside(options):
    """What rules cost by two binades: times the operation's time without a rule by the same one."""
    print("| | without a rule | " + " | ".join(f"`{rule}`, before → now" for rule in RULES) + " |")
    print("|---" + "|--:" * (len(RULES) + 1) + "|")
    for name, function, inputs in ruled():
        if not is_wanted(name, options.names):
            continue
        plain = processor_times(options, name, function, inputs, ())
        cells = [" → ".join(map(duration, plain))]
        for rule in RULES:
            times = processor_times(options, name, function, inputs, under(rule))
            cells.append(" → ".join(f"{time / alone:.2f}" for time, alone in zip(times, plain)))
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def rules(options):
    """The table of what rules cost."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = {}
        for number, (name, function, inputs) in enumerate(ruled()):
            if is_wanted(name, options.names):
                for rule in ((), *((rule,) for rule in RULES)):
                    place = Path(folder) / f"{number}-{len(chosen)}"
                    place.mkdir()
                    chosen[name, rule] = Work(name, function, inputs, rule and under(*rule), place)
        samples = {}
        for number in range(options.rounds + 1):
            for key, work in chosen.items():
                seconds = work.binade(options.seconds)
                # The first round warms up.
                if number > 0:
                    samples.setdefault(key, []).append(seconds)
    print(f"medians of {options.rounds} rounds; times the operation's time without a rule")
    print()
    print("| | without a rule | " + " | ".join(f"`{rule}`" for rule in RULES) + " |")
    print("|---" + "|--:" * (len(RULES) + 1) + "|")
    for name in dict.fromkeys(name for name, _ in chosen):
        plain = samples[name, ()]
        cells = [duration(statistics.median(plain))]
        for rule in RULES:
            ratios = (ours / alone for ours, alone in zip(samples[name, (rule,)], plain))
            cells.append(f"{statistics.median(ratios):.2f}")
        print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only works whose name contains one of these")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.25, help="of each program in each round")
    parser.add_argument("--no-interpreter", action="store_true", help="without StableHLO's own, which takes longest")
    parser.add_argument("--rules", action="store_true", help="what rules of arithmetic cost, instead")
    parser.add_argument("--memory", action="store_true", help="what memory is held, instead")
    parser.add_argument("--start", action="store_true", help="what a whole process takes, instead")
    parser.add_argument("--beside", metavar="OTHER", help="another binade, whose processor time is compared")
    options = parser.parse_args()
    jax.config.update("jax_platforms", "cpu")
    if options.memory:
        return memory(options)
    if options.start:
        return starts(options)
    if options.beside:
        return beside(options)
    if options.rules:
        return rules(options)
    with tempfile.TemporaryDirectory() as folder:
        chosen = []
        for number, (name, *rest) in enumerate(works(options.names)):
            place = Path(folder) / str(number)
            place.mkdir()
            chosen.append(Work(name, *rest, place))
        samples = {}
        for number in range(options.rounds + 1):
            for work in chosen:
                pair = (work.jax(options.seconds), work.binade(options.seconds))
                # The first round warms up.
                if number > 0:
                    samples.setdefault(work.name, []).append(pair)
    theirs = {}
    if not options.no_interpreter:
        for name, function, inputs, _ in works(("dot, 256³", "x + y, 1 Mi")):
            if name in samples and name in ("dot, 256³", "x + y, 1 Mi"):
                theirs[name] = interpreter(function, inputs)

    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("jax", "jaxlib"))
    print(f"{versions}; medians of {options.rounds} rounds")
    print()
    print("| | binade | JAX | binade / JAX | StableHLO's interpreter | that / binade |")
    print("|---" + "|--:" * 5 + "|")
    for name, pairs in samples.items():
        jax_median, ours = (statistics.median(column) for column in zip(*pairs))
        ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
        cells = [duration(ours), duration(jax_median), f"{ratio:.2f}"]
        slow = theirs.get(name)
        cells += [duration(slow), f"{slow / ours:.0f}"] if slow else ["", ""]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
