"""What a call of a small jitted function takes on binade, beside JAX's own processor, in one run; and how far a caller gets
while binade computes.

    BINADE_PJRT_LIBRARY=target/release/libbinade_pjrt.so python peers/jax_dispatch.py [--rounds N]

A round is 100 calls of each function on each platform in turn, and a wait for the last one; the table has medians. The second
table has a product of square matrices, computed by one thread: how long its call takes, how long until its result is there,
and what ten of them take with as much work of Python's own beside each, as the program is dispatched by default and with
BINADE_ASYNC_DISPATCH=0.
"""

import argparse
import importlib.util
import os
import statistics
import time
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "binade,cpu")

import jax
import jax.numpy as jnp
import numpy as np

CALLS = 100


def plugin():
    """The module of this checkout, whether the package is installed or not."""
    path = Path(__file__).resolve().parent.parent / "python" / "binade" / "jax.py"
    spec = importlib.util.spec_from_file_location("binade_jax", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.initialize()


def functions(device):
    """Names, and calls whose arguments are on the device."""
    x, w = (jax.device_put(np.ones(shape, np.float32), device) for shape in [(8,), (8, 8)])
    many = [jax.device_put(np.ones(8, np.float32), device) for _ in range(40)]
    add = jax.jit(lambda x: 2 * x + 1)
    layer = jax.jit(lambda x, w: jnp.tanh(x @ w).sum())
    update = jax.jit(lambda all: [0.9 * x for x in all])
    return {
        "2 · x + 1, 8 elements": lambda: add(x),
        "tanh(x · w), summed, 8 × 8": lambda: layer(x, w),
        "0.9 · x of 40 arrays": lambda: update(many)[-1],
    }


def microseconds(call):
    start = time.perf_counter()
    for _ in range(CALLS):
        result = call()
    result.block_until_ready()
    return (time.perf_counter() - start) / CALLS * 1e6


def host_work(seconds):
    """Work of Python's own."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        sum(range(100))


def beside(rounds, size=1024, steps=10):
    x = jax.device_put(np.full((size, size), 0.5, np.float32), jax.devices("binade")[0])
    times = {}
    for dispatch in ("1", "0"):
        options = {"binade_async_dispatch": dispatch, "binade_threads": "1"}
        product = jax.jit(lambda x: x @ x, compiler_options=options)
        product(x).block_until_ready()
        taken = times[dispatch] = {"call": [], "ready": [], "loop": []}
        for _ in range(rounds):
            start = time.perf_counter()
            made = product(x)
            taken["call"].append(time.perf_counter() - start)
            made.block_until_ready()
            taken["ready"].append(time.perf_counter() - start)
        each = statistics.median(taken["ready"])
        for _ in range(max(rounds // 10, 1)):
            start = time.perf_counter()
            for _ in range(steps):
                made = product(x)
                host_work(each)
            made.block_until_ready()
            taken["loop"].append(time.perf_counter() - start)
    print(f"\n| {size} × {size}, ms | call | until ready | {steps} with work beside |\n|---|--:|--:|--:|")
    for dispatch, name in [("1", "asynchronous"), ("0", "BINADE_ASYNC_DISPATCH=0")]:
        print("|", " | ".join([name, *(f"{statistics.median(all) * 1e3:.2f}" for all in times[dispatch].values())]), "|")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=31)
    rounds = parser.parse_args().rounds
    plugin()
    on = {platform: functions(jax.devices(platform)[0]) for platform in ("binade", "cpu")}
    print("| function | binade, µs a call | JAX's CPU |\n|---|--:|--:|")
    for name in on["binade"]:
        times = {platform: [] for platform in on}
        for _ in range(rounds + 1):
            for platform, calls in on.items():
                times[platform].append(microseconds(calls[name]))
        # The first round compiles.
        median = {platform: statistics.median(all[1:]) for platform, all in times.items()}
        print(f"| {name} | {median['binade']:.1f} | {median['cpu']:.1f} |")
    beside(rounds)


if __name__ == "__main__":
    main()
