"""Whether `binade run` leaves elementary functions and random numbers alone, and nothing else.

    python peers/check_elementary.py [--binade PATH] [--arith OPERATOR] [--python FRAMEWORK=PYTHON]… [FRAMEWORK…]

Frameworks: jax, torch, onnxruntime, sklearn; all without names. Each runs natively and under an operator (bf16:bf16), in a
process of its own, on the same inputs. Three kinds of results are compared:

    same      elementary functions and random numbers by themselves: the same bits.
    near      what is composed of them and of multiply-adds of the program (a normal distribution with a mean and a deviation,
              gradients): every result finite where the native one is, and no farther from it than what rounding the operands
              of a few multiply-adds to the operator's bits explains.
    emulated  products of matrices, in the same processes: the result must not be the native one, and within what rounding
              operands and sums explains.

A framework that is not installed is said to be skipped, and the exit code is 1 unless --may-skip is given.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Relative error of rounding to BF16 (8 bits), for a product of two and a sum.
STEP = 2.0**-7


def inputs():
    import numpy as np

    x = np.linspace(-3, 3, 4096).astype("f").reshape(64, 64)
    w = np.random.RandomState(0).standard_normal((64, 64)).astype("f")
    return x, np.abs(x) + np.float32(0.01), w, np.concatenate([np.arange(9), [12]]).astype("f")


def cases_of_jax():
    """Names, kinds and results."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    x, positive, w, row = inputs()
    key = jax.random.key(0)
    size = (4096,)

    def jit(f, *arguments):
        return np.asarray(jax.jit(lambda *a: f(*a))(*arguments))

    functions = {
        "exp": jnp.exp, "expm1": jnp.expm1, "tanh": jnp.tanh, "sigmoid": jax.nn.sigmoid, "softmax": jax.nn.softmax,
        "gelu": jax.nn.gelu, "gelu_erf": lambda x: jax.nn.gelu(x, approximate=False), "erf": jax.scipy.special.erf,
        "erf_inv": lambda x: jax.scipy.special.erfinv(x / 4), "sin": jnp.sin, "cos": jnp.cos, "silu": jax.nn.silu,
        "log_softmax": jax.nn.log_softmax, "softplus": jax.nn.softplus, "sinh": jnp.sinh, "atan2": lambda x: jnp.arctan2(x, 1 - x),
    }
    for name, f in functions.items():
        yield name, "same", jit(f, x)
    for name, f in {"log": jnp.log, "log1p": jnp.log1p, "rsqrt": jax.lax.rsqrt, "lgamma": jax.scipy.special.gammaln}.items():
        yield name, "same", jit(f, positive)
    yield "softmax of 0…8, 12", "same", jit(jax.nn.softmax, row)
    yield "random.uniform", "same", jit(lambda: jax.random.uniform(key, size, minval=-1))
    yield "random.normal", "same", jit(lambda: jax.random.normal(key, size))
    yield "random.gumbel", "same", jit(lambda: jax.random.gumbel(key, size))
    yield "random.truncated_normal", "same", jit(lambda: jax.random.truncated_normal(key, -2, 2, size))
    yield "random.categorical", "same", jit(lambda: jax.random.categorical(key, w))
    yield "random.normal without jit", "same", np.asarray(jax.random.normal(key, size))
    # A mean of two with constant weights is the program's.
    yield "0.9 x + 0.1 w", "emulated", jit(lambda x, w: 0.9 * x + 0.1 * w, x, w)
    yield "small product", "emulated", jit(lambda a, b: a @ b, w[:16, :32], w[:32, :16])


def cases_of_torch():
    import numpy as np
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(1)
    x, positive, w, row = map(torch.from_numpy, inputs())
    functions = {
        "exp": torch.exp, "expm1": torch.expm1, "tanh": torch.tanh, "sigmoid": torch.sigmoid, "erf": torch.erf,
        "softmax": lambda x: torch.softmax(x, 1), "softmax of columns": lambda x: torch.softmax(x, 0), "sin": torch.sin,
        "cos": torch.cos, "silu": F.silu, "gelu": F.gelu, "softplus": F.softplus, "log_softmax": lambda x: torch.log_softmax(x, 1),
    }
    for name, f in functions.items():
        yield name, "same", f(x).numpy()
    for name, f in {"log": torch.log, "log1p": torch.log1p, "rsqrt": torch.rsqrt, "lgamma": torch.lgamma}.items():
        yield name, "same", f(positive).numpy()
    yield "softmax of 0…8, 12", "same", torch.softmax(row, 0).numpy()

    def random(f, *size):
        torch.manual_seed(0)
        return f(torch.empty(*size)).numpy()

    yield "rand", "same", random(lambda x: x.uniform_(), 64, 64)
    yield "uniform_", "same", random(lambda x: x.uniform_(-1, 2), 64, 64)
    yield "randn", "same", random(lambda x: x.normal_(), 64, 64)
    yield "randn, few", "same", random(lambda x: x.normal_(1, 2), 5, 3)
    yield "normal_(1, 2)", "same", random(lambda x: x.normal_(1, 2), 64, 64)
    yield "exponential_", "same", random(lambda x: x.exponential_(), 64, 64)
    yield "log_normal_", "same", random(lambda x: x.log_normal_(), 64, 64)
    torch.manual_seed(0)
    yield "multinomial", "same", torch.multinomial(torch.softmax(x, 1), 5).numpy().astype("f")
    # Its sums with tanh's value, which a call returns, are the program's.
    yield "gelu_tanh", "near", F.gelu(x, approximate="tanh").numpy()
    yield "mish", "same", F.mish(x).numpy()
    yield "logsumexp", "near", torch.logsumexp(x, 1).numpy()
    yield "product", "emulated", (w @ w).numpy()
    yield "convolution", "emulated", F.conv2d(w.reshape(1, 4, 32, 32), w[:8, :36].reshape(8, 4, 3, 3).contiguous()).numpy()


def cases_of_onnxruntime():
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper

    x, positive, w, row = inputs()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4

    def run(operation, *arguments):
        names = [f"x{k}" for k in range(len(arguments))]
        tensors = [helper.make_tensor_value_info(n, TensorProto.FLOAT, a.shape) for n, a in zip(names, arguments)]
        result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        graph = helper.make_graph([helper.make_node(operation, names, ["y"])], "g", tensors, [result])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return session.run(None, dict(zip(names, arguments)))[0]

    for name in ["Exp", "Tanh", "Sigmoid", "Erf", "Softmax", "LogSoftmax", "Gelu", "Softplus", "Elu", "Selu", "Mish", "Sin", "Cos"]:
        yield name, "same", run(name, 4 * x)
    yield "Exp(12)", "same", run("Exp", np.full(40, 12, "f"))
    yield "Log", "same", run("Log", positive)
    yield "softmax of 0…8, 12", "same", run("Softmax", row.reshape(1, -1))
    yield "MatMul", "emulated", run("MatMul", w, w)


def cases_of_sklearn():
    import numpy as np
    from sklearn.neural_network import MLPClassifier
    from sklearn.utils.extmath import softmax

    x, positive, w, row = inputs()
    yield "softmax", "same", softmax(4 * x)
    yield "softmax of 0…8, 12", "same", softmax(row.reshape(1, -1))
    yield "numpy.exp", "same", np.exp(x)
    yield "numpy.log", "same", np.log(positive)
    yield "numpy.tanh", "same", np.tanh(x)
    yield "numpy.sin", "same", np.sin(x)
    yield "numpy.random.normal", "same", np.random.RandomState(0).normal(size=4096)
    yield "numpy.random.default_rng", "same", np.random.default_rng(0).standard_normal(4096, dtype="f")
    yield "product", "emulated", w @ w


def differences(kind, native, there):
    """What is wrong with a result, or nothing."""
    import numpy as np

    if native.shape != there.shape or (np.isfinite(native) != np.isfinite(there)).any():
        return "other places are finite"
    if kind == "same":
        differ = np.mean(native.tobytes() != there.tobytes()) and np.mean(~((native == there) | (native != native)))
        return f"{differ:.2%} differ" if differ else None
    finite = np.isfinite(native)
    error = np.abs(native[finite].astype("d") - there[finite]).max()
    scale = np.abs(native[finite].astype("d")).max()
    # Sums of 64 products and fewer, of operands and sums that are rounded.
    bound = scale * STEP * (4 if kind == "near" else 16)
    if error > bound:
        return f"an error of {error:.3g}, {bound:.3g} would be explained"
    if kind == "emulated" and error == 0:
        return "as natively: nothing was emulated"
    return None


def record(framework, path):
    import numpy as np

    results = {}
    for name, kind, value in globals()[f"cases_of_{framework}"]():
        results[f"{kind}\t{name}"] = np.asarray(value)
    np.savez(path, **results)


def main():
    frameworks = ["jax", "torch", "onnxruntime", "sklearn"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binade", default=os.environ.get("BINADE", "binade"))
    parser.add_argument("--arith", default="bf16:bf16", help="an operator whose steps are BF16's or finer")
    parser.add_argument("--python", action="append", default=[], metavar="FRAMEWORK=PYTHON")
    parser.add_argument("--may-skip", action="store_true")
    parser.add_argument("--record", help=argparse.SUPPRESS)
    parser.add_argument("framework", nargs="*", default=frameworks)
    choice = parser.parse_args()
    if choice.record:
        record(choice.framework[0], choice.record)
        return
    pythons = dict(entry.split("=", 1) for entry in choice.python)
    prefix = [choice.binade, "run", "--quiet", "--arith", choice.arith, "--"]
    environment = dict(os.environ, JAX_PLATFORMS="cpu", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    good = True
    for framework in choice.framework:
        if framework not in frameworks:
            parser.error(f"{framework} is none of {', '.join(frameworks)}")
        python = pythons.get(framework, sys.executable)
        if subprocess.run([python, "-c", f"import {framework}, numpy"], capture_output=True).returncode:
            print(f"{framework}: SKIPPED, it is not installed for {python}")
            good &= choice.may_skip
            continue
        import numpy as np

        with tempfile.TemporaryDirectory() as folder:
            results = []
            for number, before in enumerate([[], prefix]):
                path = Path(folder, f"{number}.npz")
                command = [*before, python, __file__, "--record", str(path), framework]
                ended = subprocess.run(command, env=environment, capture_output=True, text=True)
                if ended.returncode:
                    print(f"{framework}: exit code {ended.returncode} of {command}\n{ended.stderr[-2000:]}")
                    break
                with np.load(path) as file:
                    results.append({name: file[name] for name in file.files})
        if len(results) < 2:
            good = False
            continue
        wrong = 0
        for key, native in results[0].items():
            kind, name = key.split("\t")
            if why := differences(kind, native, results[1][key]):
                print(f"  {framework}: {name} ({kind}): {why}")
                wrong += 1
        print(f"{framework}: {len(results[0])} results, {wrong} wrong under {choice.arith}", flush=True)
        good &= wrong == 0
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
