"""Whether programs compute the same bits under `binade run --arith f32:f32` as natively: suites of numerical libraries.

    python peers/check_run.py [--binade PATH] [--also mul,add] [--match REGEX] [--python PYTHON] SUITE…

A suite runs natively and under the identity, at the same time, in processes of its own; each of its cases must end the same
way. Where some do not it runs natively again, up to five times: what native runs do not agree on is not reproducible, and
set aside.

    numpy[:PART], scipy[:PART]   the library's own tests (numpy.test(), or those of a subpackage), as each test ends
    jax                          every case of JAX's list of primitives' tests, with the bits of its results
    training                     300 steps of an MLP in JAX with weights of jax.random, after products that damaged memory once, with
                                 the loss of each
    torch                        PyTorch's samples of every operator, forwards and backwards, binary32 and binary64, with the
                                 bits of results and gradients

With `--arith OPERATOR` the comparison is not expected to agree: it says how many cases differ, and fails only if the process
does not come to its end. Needs what the suite tests; for numpy and scipy also pytest and hypothesis, for jax absl-py,
for torch expecttest.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def digest(value, numpy):
    """The bits of nested results, NaN in whatever form."""
    text = hashlib.sha256()

    def add(x):
        if isinstance(x, (list, tuple)):
            for part in x:
                add(part)
        elif isinstance(x, dict):
            add(sorted(x.items(), key=lambda item: str(item[0])))
        else:
            array = numpy(x)
            text.update(repr(x).encode() if array is None else f"{array.dtype}{array.shape}".encode() + array.tobytes())

    add(value)
    return text.hexdigest()[:16]


def cases_of_tests(package, match, write):
    """The tests of a package under pytest."""
    import pytest

    class Outcomes:
        def pytest_runtest_logstart(self, nodeid):
            write(nodeid, "begun")

        def pytest_runtest_logreport(self, report):
            if report.when == "call" or report.outcome != "passed":
                write(report.nodeid, f"{report.when} {report.outcome}")

    where = __import__(package, fromlist=["x"]).__path__[0]
    options = ["-q", "--no-header", "--tb=no", "--continue-on-collection-errors", "-p", "no:cacheprovider", "-W", "ignore", "-m", "not slow"]
    options += ["-k", match] if match else []
    if package.split(".")[0] == "numpy":
        import hypothesis

        hypothesis.settings.register_profile("identity", deadline=None, database=None, derandomize=True)
        hypothesis.settings.load_profile("identity")
    pytest.main([*options, where], plugins=[Outcomes()])


def cases_of_jax(match, write):
    """JAX's list of cases of its primitives, each compiled and run."""
    import jax
    import numpy as np
    from jax._src.internal_test_util import test_harnesses

    def numpy(x):
        if hasattr(x, "dtype") and jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key):
            x = jax.random.key_data(x)
        return np.asarray(x) if hasattr(x, "dtype") else None

    for harness in test_harnesses.all_harnesses:
        if match and not re.search(match, harness.fullname):
            continue
        write(harness.fullname, "begun")
        try:
            arguments = harness.dyn_args_maker(np.random.RandomState(0))
            results = jax.jit(harness.dyn_fun)(*arguments)
            write(harness.fullname, digest(jax.tree.leaves(results), numpy))
        except Exception as error:
            write(harness.fullname, type(error).__name__)


def cases_of_training(match, write):
    """Products of one shape again and again, then an MLP with GELU and log_softmax that is trained."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    product = jax.jit(lambda a, b: a.T @ b)
    for _ in range(60):
        ones = product(np.ones((256, 64), np.float32), np.ones((256, 128), np.float32))
    write("products of ones", str(set(np.asarray(ones).flat)))
    keys = jax.random.split(jax.random.key(0), 3)
    weights = [jax.random.normal(keys[0], (64, 128)) / 8, jax.random.normal(keys[1], (128, 10)) / 11]
    x = jax.random.normal(keys[2], (256, 64))
    labels = jnp.argmax(x[:, :10], 1)

    def loss(weights):
        return -jnp.mean(jax.nn.log_softmax(jax.nn.gelu(x @ weights[0]) @ weights[1])[jnp.arange(256), labels])

    @jax.jit
    def step(weights):
        value, gradients = jax.value_and_grad(loss)(weights)
        return value, [w - 0.5 * g for w, g in zip(weights, gradients)]

    for number in range(1, 301):
        value, weights = step(weights)
        write(f"loss of step {number:3}", f"{float(value):.10f}")


def cases_of_torch(match, write):
    """PyTorch's operators on its own samples of their arguments."""
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    torch.set_num_threads(1)

    def numpy(x):
        if not isinstance(x, torch.Tensor):
            return None
        x = x.detach().resolve_conj().resolve_neg()
        return (x.to_dense() if x.layout != torch.strided else x).contiguous().numpy()

    def leaves(value):
        if isinstance(value, torch.Tensor):
            return [value]
        return [leaf for part in value for leaf in leaves(part)] if isinstance(value, (list, tuple)) else []

    for operator in op_db:
        for dtype in (torch.float32, torch.float64):
            name = f"{operator.name}.{operator.variant_test_name} {str(dtype)[6:]}"
            if (match and not re.search(match, name)) or dtype not in operator.supported_dtypes("cpu"):
                continue
            write(name, "begun")
            gradients = operator.supports_autograd and dtype in operator.supported_backward_dtypes("cpu")
            torch.manual_seed(0)
            try:
                samples = list(operator.sample_inputs("cpu", dtype, requires_grad=gradients))
            except Exception as error:
                write(name, f"samples {type(error).__name__}")
                continue
            seen = []
            for number, sample in enumerate(samples):
                torch.manual_seed(number)
                try:
                    result = operator(sample.input, *sample.args, **sample.kwargs)
                    seen.append(digest(result, numpy))
                    inputs = [x for x in leaves([sample.input, *sample.args]) if x.requires_grad]
                    outputs = [x for x in leaves(result) if x.requires_grad and not x.is_complex()]
                    if inputs and outputs:
                        ones = [torch.ones_like(x) for x in outputs]
                        found = torch.autograd.grad(outputs, inputs, ones, allow_unused=True)
                        seen.append(digest([x for x in found if x is not None], numpy))
                except Exception as error:
                    seen.append(type(error).__name__)
            write(name, f"{len(samples)} samples " + hashlib.sha256(" ".join(seen).encode()).hexdigest()[:16])


def record(suite, match, path):
    """Runs a suite in this process; a line for each case and what became of it."""
    with open(path, "w", buffering=1) as lines:
        write = lambda name, what: lines.write(f"{name}\t{what}\n")
        library, _, part = suite.partition(":")
        if library in ("numpy", "scipy"):
            cases_of_tests(f"{library}.{part}" if part else library, match, write)
        else:
            {"jax": cases_of_jax, "torch": cases_of_torch, "training": cases_of_training}[library](match, write)
        write("", "end")


class Run:
    """A suite under a command: what becomes of each case."""

    def __init__(self, prefix, python, suite, match):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name, "cases")
        command = [*prefix, python, __file__, "--record", str(self.path), "--match", match, suite]
        environment = dict(os.environ, PYTHONHASHSEED="0", JAX_PLATFORMS="cpu")
        environment |= dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"], "1")
        self.errors = open(Path(self.folder.name, "errors"), "w+")
        self.process = subprocess.Popen(
            command, stdout=self.errors, stderr=self.errors, env=environment, cwd=self.folder.name
        )

    def wait(self):
        """Cases by name, whether the process came to its end, and its processor time in seconds."""
        _, status, used = os.wait4(self.process.pid, 0)
        cases = {}
        for line in self.path.read_text().splitlines() if self.path.exists() else []:
            name, _, what = line.rpartition("\t")
            if what == "begun":
                cases[name] = "did not end"
            elif cases.get(name, "did not end") == "did not end":
                cases[name] = what
            else:
                cases[name] += f", {what}"
        whole = cases.pop("", None) == "end"
        if not whole:
            last = next((name for name, what in cases.items() if what == "did not end"), "the start")
            self.errors.seek(0)
            print(f"  status {status:#x} at {last}\n{self.errors.read()[-2000:]}")
        self.errors.close()
        self.folder.cleanup()
        return cases, whole, used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binade", default=os.environ.get("BINADE", "binade"))
    parser.add_argument("--arith", default="f32:f32")
    parser.add_argument("--also")
    parser.add_argument("--match", default="", help="a regular expression for cases; an expression of pytest's -k for tests")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--record", help=argparse.SUPPRESS)
    parser.add_argument("suite", nargs="+")
    choice = parser.parse_args()
    if choice.record:
        record(choice.suite[0], choice.match, choice.record)
        return
    emulate = [choice.binade, "run", "--quiet", "--arith", choice.arith, *(["--also", choice.also] if choice.also else []), "--"]
    good = True
    for suite in choice.suite:
        runs = [Run(prefix, choice.python, suite, choice.match) for prefix in ([], emulate)]
        (once, whole, native), (there, whole_there, seconds) = [run.wait() for run in runs]
        differ = {name for name in once | there if once.get(name) != there.get(name)}
        unsteady = set()
        for _ in range(5):
            if choice.arith == "f32:f32" and whole and differ - unsteady:
                again, _, _ = Run([], choice.python, suite, choice.match).wait()
                unsteady |= {name for name in differ if again.get(name) != once.get(name)}
        differ = sorted(differ - unsteady)
        for name in [*differ[:19], *differ[19:][-1:]]:
            print(f"  {name}: {once.get(name)}; under {choice.arith}: {there.get(name)}")
        print(
            f"{suite}: {len(once)} cases, {len(differ)} differ under {choice.arith}, {len(unsteady)} differ from one native "
            f"run to the next; {native:.0f} s of processor time natively, {seconds:.0f} s",
            flush=True,
        )
        good &= whole and whole_there and bool(once) and (not differ or choice.arith != "f32:f32")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
