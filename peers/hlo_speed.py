"""How fast `binade hlo run` evaluates programs, beside JAX on this processor and StableHLO's own interpreter: a table.

Every round times each program in JAX (compiled before) and in binade (evaluations after the first of one process,
without reading and planning), one after the other; a figure is the median of the rounds' medians, a ratio the median of
the rounds' ratios. StableHLO's interpreter (`stablehlo.eval_module` of jaxlib) evaluates a product and a sum once. It
takes a machine with nothing else to do, and two minutes of it.

    BINADE=target/release/binade target/python/bin/python peers/hlo_speed.py
"""

import argparse
import importlib.metadata
import json
import statistics
import tempfile
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from binade import run
from check_hlo import as_files
from hlo_programs import normal, programs

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


def works():
    """(name, function, inputs, rules for binade): what is timed."""
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

    def convolution(images, kernel):
        return lax.conv_general_dilated(images, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def gradients(images, kernel):
        return jax.grad(lambda *p: (convolution(*p) ** 2).sum(), (0, 1))(images, kernel)

    yield "convolution 3 × 3, 8 × 28 × 28 × 32 to 64", convolution, (images, kernel), ()
    yield "its value and gradients", gradients, (images, kernel), ()
    yield "its value and gradients, under 2_2{3}", gradients, (images, kernel), (OPERATOR,)
    for name, function, inputs, _ in programs():
        if name in STEPS:
            yield STEPS[name], function, inputs, ()
        if name == "resnet_step":
            yield f"{STEPS[name]}, under 2_2{{3}}", function, inputs, (OPERATOR,)


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
        self.name, self.function = name, jax.jit(function)
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


def interpreter(function, inputs):
    """The time of one evaluation by StableHLO's interpreter."""
    module = jax.jit(function).lower(*inputs).compiler_ir("stablehlo")
    with module.context:
        arguments = [ir.DenseElementsAttr.get(np.ascontiguousarray(value)) for value in inputs]
        start = time.perf_counter()
        stablehlo.eval_module(module, arguments)
        return time.perf_counter() - start


def duration(seconds):
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only works whose name contains one of these")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.25, help="of each program in each round")
    parser.add_argument("--no-interpreter", action="store_true", help="without StableHLO's own, which takes longest")
    options = parser.parse_args()
    jax.config.update("jax_platforms", "cpu")
    with tempfile.TemporaryDirectory() as folder:
        chosen = []
        for number, (name, *rest) in enumerate(works()):
            if not options.names or any(part in name for part in options.names):
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
        for name, function, inputs, _ in works():
            if name in ("dot, 256³", "x + y, 1 Mi") and name in samples:
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
