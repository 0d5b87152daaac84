"""Many threads at once, above all without the interpreter's lock."""

import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor

import binade
import numpy as np
import pytest


def test_the_package_asks_for_no_lock():
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this interpreter has its lock")
    # Importing an extension module that does not say so would take it again.
    code = "import sys, binade, binade._binade; sys.exit(sys._is_gil_enabled())"
    assert subprocess.run([sys.executable, "-X", "gil=0", "-W", "error", "-c", code]).returncode == 0


def test_threads_share_a_format():
    format = binade.Format("bf16")
    values = np.random.default_rng(3).standard_normal(200_000)
    expected = format.encode(values)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(codes, expected) for codes in pool.map(format.encode, [values] * 4))


def test_threads_share_what_is_kept():
    values = np.random.default_rng(1).standard_normal((40, 64)).astype(np.float32)

    def work(number):
        """Everything that is kept between calls, and from a cold start where this is the first test."""
        format = binade.Format(["bf16", "float8_e4m3fn", "binary8p3", "float4_e2m1fn"][number % 4])
        operator = ["bf16:bf16", "float8_e4m3fn:f32", "bf16x2:bf16x2/3"][number % 3]
        codes = format.encode(values, "stochastic_b", seed=number % 5)
        return (
            codes,
            format.decode(codes),
            format.quantize(values, "block:32").dequantize(),
            binade.matmul(values, values.T, operator, threads=1 + number % 2),
            binade.multiply_add(values[0], values[1], values[2], operator),
        )

    numbers = [number % 60 for number in range(240)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, numbers))
    expected = [work(number) for number in range(60)]
    for number, arrays in zip(numbers, found, strict=True):
        for ours, alone in zip(arrays, expected[number], strict=True):
            np.testing.assert_array_equal(ours, alone)


def test_a_command_in_every_thread(tmp_path):
    np.save(tmp_path / "values.npy", np.linspace(-3, 3, 1000, dtype=np.float32))

    def work(number):
        target = tmp_path / f"{number}.npy"
        binade.quantize_file(tmp_path / "values.npy", target, "float8_e4m3fn", "--simulate")
        return np.load(target)

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(work, range(16))
    assert all(np.array_equal(first, other) for other in others)
