"""JAX on binade: transformations, types, errors and options under JAX_PLATFORMS=binade, and bytecode as text.

The plugin is BINADE_PJRT_LIBRARY, the command BINADE. JAX's own CPU is what results are compared with, except where bits
are said to be those of `binade hlo run`.

    check_jax.py [PATTERN…]    only the checks whose names have a PATTERN in them
"""

import importlib.util
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "binade,cpu"
os.environ.setdefault("JAX_ENABLE_X64", "1")
# As many devices of each.
os.environ["BINADE_DEVICES"] = "8"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import export, lax
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

JAX = jax.__version_info__
ROOT = Path(__file__).resolve().parent.parent
COMMAND = os.environ.get("BINADE", "binade")


def plugin():
    """The module of this checkout, whether the package is installed or not."""
    path = ROOT / "python" / "binade" / "jax.py"
    spec = importlib.util.spec_from_file_location("binade_jax", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.initialize()
    return module


binade = plugin()
RANDOM = np.random.default_rng(7)


def shard_map(function, check=True, **options):
    """`jax.shard_map`, which once stood elsewhere and had another word for its check."""
    if hasattr(jax, "shard_map"):
        return jax.shard_map(function, check_vma=check, **options)
    from jax.experimental.shard_map import shard_map

    return shard_map(function, check_rep=check, **options)


def f32(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def agree(function, *arguments, tolerance=2e-5):
    """A function on binade against the same on JAX's CPU."""
    found = jax.jit(function)(*arguments)
    assert all(d.platform == "binade" for x in jax.tree.leaves(found) for d in x.devices())
    with jax.default_device(jax.devices("cpu")[0]):
        expected = jax.jit(function)(*arguments)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype, (a.shape, a.dtype, b.shape, b.dtype)
        wide = np.complex128 if np.iscomplexobj(b) else np.float64
        np.testing.assert_allclose(np.asarray(a).astype(wide), np.asarray(b).astype(wide), rtol=tolerance, atol=tolerance)


def command(*arguments):
    done = subprocess.run([COMMAND, "hlo", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def loss(weights, x, y):
    with jax.named_scope("layer"):
        hidden = jax.nn.gelu(x @ weights["a"] + weights["b"])
    return ((hidden @ weights["c"] - y) ** 2).mean()


def step(weights, x, y):
    value, slopes = jax.value_and_grad(loss)(weights, x, y)
    return jax.tree.map(lambda w, s: w - 0.1 * s, weights, slopes), value


def weights():
    return {"a": f32(16, 32) * 0.3, "b": np.zeros(32, np.float32), "c": f32(32, 1) * 0.3}


def check_devices():
    assert jax.default_backend() == "binade" and jax.devices()[0].platform == "binade"
    assert "binade" in str(jax.devices()[0]) and jax.local_device_count() >= 1


def check_jit_grad_vmap():
    agree(jax.grad(loss), weights(), f32(64, 16), f32(64, 1))
    agree(jax.vmap(jax.grad(lambda x: (x * x).sum())), f32(2, 3))
    agree(jax.hessian(lambda x: jnp.sin(x).prod()), f32(3), tolerance=1e-4)


def check_control_flow():
    agree(lambda x: lax.scan(lambda c, a: (c + a, c * a), jnp.float32(0), x), f32(9))
    agree(lambda x: lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] * 2), (0, x)), f32())
    agree(lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x), f32(3))
    agree(lambda i, x: lax.switch(i, [jnp.sin, jnp.negative, jnp.square], x), np.int32(2), f32(3))


def check_random():
    """The generator is the same, to the last bit; what is made of it may differ by a rounding."""
    bits = lambda key: jax.random.bits(jax.random.wrap_key_data(key), (100,))
    key = np.array([1, 2], np.uint32)
    with jax.default_device(jax.devices("cpu")[0]):
        expected = np.asarray(jax.jit(bits)(key))
    assert (np.asarray(jax.jit(bits)(key)) == expected).all()
    agree(lambda key: jax.random.normal(jax.random.wrap_key_data(key), (50,)), key)


def check_orders():
    x = f32(5, 7)
    agree(lambda x: (jnp.sort(x), jnp.argsort(x, descending=True), lax.top_k(x, 3), jnp.median(x)), x)


def check_indices():
    i = np.array([2, 0, 2])
    agree(lambda x: (x[i], x.at[i].add(1.0), jnp.pad(x, ((1, 0), (0, 2))), jnp.roll(x, 2, 0)), f32(4, 3))


def check_convolutions():
    def convolve(x, k):
        y = lax.conv_general_dilated(x, k, (2, 1), "SAME", rhs_dilation=(1, 2), dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 1, 1, 1), "VALID")

    agree(convolve, f32(2, 8, 8, 3), f32(3, 3, 3, 4))
    agree(jax.grad(lambda x, k: convolve(x, k).sum()), f32(2, 8, 8, 3), f32(3, 3, 3, 4))


def check_linear_algebra():
    """Factorizations are compared by what they multiply to."""
    for dtype in (np.float32, np.complex64, np.float64):
        a = RANDOM.standard_normal((2, 6, 4)) + (1j * RANDOM.standard_normal((2, 6, 4)) if dtype == np.complex64 else 0)
        a = a.astype(dtype)
        square = a[:, :4]
        hermitian = square @ square.conj().swapaxes(-1, -2)
        small = 1e-12 if dtype == np.float64 else 2e-5
        close = lambda x, y: np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=0, atol=small * 10)
        q, r = jnp.linalg.qr(a)
        close(q @ r, a)
        u, s, v = jnp.linalg.svd(a, full_matrices=False)
        close((u * s[:, None].astype(dtype)) @ v, a)
        close(s, np.linalg.svd(a)[1])
        w, v = jnp.linalg.eigh(hermitian)
        close(v * w[:, None].astype(dtype) @ v.conj().swapaxes(-1, -2), hermitian)
        # A = Q·T·Qᴴ, of the reflectors that lie below the diagonal; of the other triangle the same in reverse.
        for lower in (True, False):
            matrix = hermitian if lower else hermitian[:, ::-1, ::-1]
            packed, d, e, taus = (np.asarray(x) for x in jax.lax.linalg.tridiagonal(matrix, lower=lower))
            if not lower:
                packed, d, e, taus = packed[:, ::-1, ::-1], d[:, ::-1], e[:, ::-1], taus[:, ::-1]
            reflected = jax.lax.linalg.householder_product(packed[:, 1:, :-1].copy(), taus.copy())
            for k in range(2):
                whole = np.eye(4, dtype=dtype)
                whole[1:, 1:] = reflected[k]
                three = np.diag(d[k]) + np.diag(e[k], 1) + np.diag(e[k], -1)
                close(whole @ three @ whole.conj().T, hermitian[k])
        # A = V·W·V⁻¹ and Q·T·Qᴴ = Q·H·Qᴴ, of what is not symmetric.
        w, v = jnp.linalg.eig(square)
        close(square @ v, v * w[:, None])
        for k in range(2):
            form, q = jax.scipy.linalg.schur(square[k])
            close(q @ form @ q.conj().T, square[k])
            form, q = jax.scipy.linalg.hessenberg(square[k], calc_q=True)
            close(q @ form @ q.conj().T, square[k])
            close(np.tril(form, -2), np.zeros_like(form))
        permutation, l, u = (np.asarray(x) for x in jax.vmap(jax.scipy.linalg.lu)(a))
        close(permutation @ l @ u, a)
        q, r, order = jax.scipy.linalg.qr(a[0], mode="economic", pivoting=True)
        close(q @ r, a[0][:, order])
        if hasattr(jax.lax.linalg, "ormqr"):
            packed, taus = jax._src.lax.linalg.geqrf(a)
            q = jax.lax.linalg.householder_product(packed, taus)
            product = jax.vmap(jnp.matmul)(q.conj().swapaxes(-1, -2), a)
            close(jax.lax.linalg.ormqr(packed, taus, a, left=True, transpose=True)[:, :4], product)
        diagonals = [square[:, 0].copy() for _ in range(3)]
        diagonals[1] = diagonals[1] + 5
        diagonals[0][:, 0] = diagonals[2][:, -1] = 0
        found = jax.lax.linalg.tridiagonal_solve(*diagonals, square)
        whole = [np.diag(m) + np.diag(l[1:], -1) + np.diag(u[:-1], 1) for l, m, u in zip(*diagonals)]
        close(np.stack(whole) @ np.asarray(found), square)
        of_square = jax.grad(lambda x: abs(jnp.linalg.eigh(x @ x.conj().T)[0]).sum())(square[0])
        close(of_square.conj(), 2 * square[0])
        close(jnp.linalg.solve(square, square), np.broadcast_to(np.eye(4), square.shape))
        l = jnp.linalg.cholesky(hermitian)
        close(l @ l.conj().swapaxes(-1, -2), hermitian)
        # The types are JAX's whatever the program says of mixing them.
        with jax.numpy_dtype_promotion("strict"):
            close(abs(jax.jit(jnp.linalg.qr)(a)[1]), abs(jnp.linalg.qr(a)[1]))
    # No factor, as on the processor: ones have rank one, and the other matrix is indefinite.
    for matrix in (np.ones((2, 2)), np.array([[1, 2], [2, 1]])):
        wrong = [np.asarray(jnp.linalg.cholesky(jax.device_put(matrix, jax.devices(name)[0]))) for name in ("binade", "cpu")]
        np.testing.assert_array_equal(*wrong)
        assert np.isnan(wrong[0][np.tril_indices(2)]).all()
    full, _, _ = jnp.linalg.svd(np.zeros((3, 2), np.float32))
    assert (np.asarray(full.T @ full) == np.eye(3)).all()


NAMES = """bool int2 int4 int8 int16 int32 int64 uint2 uint4 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64
complex128 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu
float4_e2m1fn""".split()


def check_types():
    """Every type goes to the device and back with its bits, also strided, and through a program."""
    for name in NAMES:
        dtype = jnp.dtype(name)
        values = [1, 2, 1, 2, 1, 1] if "e8m0" in name else [0, 1, 1, 1, 0, 1]
        a = np.array(values).reshape(2, 3).astype(dtype)
        for host in (a, a.T, a[:, ::2], a[0, 0]):
            device = jax.device_put(host)
            assert device.dtype == dtype and np.asarray(device).tobytes() == np.asarray(host).tobytes(), name
        twice = jax.jit(lambda x: jnp.concatenate([x, x]))(a)
        assert np.asarray(twice).tobytes() == np.concatenate([a, a]).tobytes(), name
    assert np.asarray(jax.device_put(np.array([-8, -1, 7], ml_dtypes.int4))).tolist() == [-8, -1, 7]


def check_narrow_arithmetic():
    x = f32(64)
    for name in ("bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"):
        narrow = x.astype(name)
        sums = jax.jit(lambda a: a + a)(narrow)
        assert np.asarray(sums).tobytes() == (narrow + narrow).tobytes(), name
        assert np.asarray(jax.jit(lambda a: a.astype(name))(x)).tobytes() == narrow.tobytes(), name


def check_arithmetic_by_function():
    a = f32(64, 64)
    exact = a.astype(np.float64) @ a
    wide = jax.jit(lambda a: a @ a)(a)
    narrow = binade.jit(lambda a: a @ a, arith="dot_general=bf16:bf16")
    assert np.abs(wide - exact).max() < 1e-4 < 0.01 < np.abs(narrow(a) - exact).max()
    rounded = a.astype(ml_dtypes.bfloat16)
    # Under vmap it is still that function's arithmetic.
    assert (jax.vmap(narrow)(a[None])[0] == narrow(a)).all()
    scoped = binade.jit(step, arith=["dot_general@*layer*=bf16:bf16"])(weights(), f32(4, 16), f32(4, 1))
    assert np.isfinite(scoped[1]) and rounded.dtype == ml_dtypes.bfloat16


def check_function_runs_on_binade_wherever_its_arguments_are():
    a, cpu = jnp.ones((2, 512)), jax.devices("cpu")[0]
    # 512 ones stall at 256 in a BF16 accumulator.
    @binade.jit(arith="dot_general=bf16:bf16")
    def product(a, b):
        """A product."""
        return (a @ b.T).sum()

    assert product.__name__ == "product" and product.__doc__ == "A product."
    for a in (a, np.asarray(a), jax.device_put(a, cpu)):
        assert product(a, b=a) == 1024 and product(a, a).devices() == {jax.devices("binade")[0]}
    with jax.default_device(cpu):
        a = jnp.ones((2, 512))
        assert product(a, a) == 1024 and product.lower(a, a).compile()(a, a) == 1024
        assert (jax.vmap(product)(jnp.ones((3, 2, 512)), jnp.ones((3, 2, 512))) == 1024).all()
        gradient = binade.jit(jax.grad(lambda a, b: (a @ b).sum()), arith="dot_general=bf16:bf16")
        assert (gradient(jnp.ones((1, 1)), jnp.ones((1, 512))) == 256).all()
        if JAX >= (0, 10):
            try:
                jax.grad(product)(a, a)
            except ValueError as error:
                assert "binade.jax.jit(jax.grad(f), arith=…)" in str(error), error
            else:
                raise AssertionError("the gradient of a function that has arithmetic")


def check_random_numbers_are_not_computed_in_the_arithmetic_of_everything():
    key = jax.random.key(3)
    normal = lambda key: jax.random.normal(key, (1000,), jnp.float32)
    drawn = lambda key: [normal(key), jax.random.truncated_normal(key, -1, 1, (50,)), jax.random.gamma(key, 2.0, (20,))]
    expected = jax.jit(drawn)(key)
    for arith in ["bf16:bf16", "add,multiply=bf16:bf16"]:
        found = binade.jit(drawn, arith=arith)(key)
        assert all((x == y).all() and jnp.isfinite(x).all() for x, y in zip(found, expected, strict=True)), arith
    assert not jnp.isfinite(binade.jit(normal, arith="*@jax.random/*=bf16:bf16")(key)).all()
    # What is done with the numbers is arithmetic of the program.
    scaled = binade.jit(lambda key: normal(key) * 0.3, arith="bf16:bf16")(key)
    assert (scaled != normal(key) * 0.3).any()


def check_primitives_of_the_processor_alone():
    """What JAX lowers for its processor and not by default has a lowering for binade, too."""
    from jax._src.interpreters import mlir
    from jax.experimental import checkify, sparse
    from jax.experimental.sparse import _lowerings, linalg

    lowerings = mlir._platform_specific_lowerings
    ours = lowerings["binade"]
    missing = [p.name for p in lowerings["cpu"] if p not in mlir._lowerings and p not in ours]
    assert missing == [], missing

    def debug(x):
        checkify.debug_check(x > 0, "x is {}", x)
        return x + 1

    assert jax.jit(debug)(jnp.float32(-1)) == 0
    error, _ = checkify.checkify(jax.jit(debug))(jnp.float32(-1))
    assert "x is -1" in str(error.get()), error
    dense = np.array([[2, 0, 1], [0, 3, 0], [1, 0, 4]], np.float32)
    matrix, b = sparse.CSR.fromdense(jnp.asarray(dense)), jnp.asarray([1, 2, 3], jnp.float32)
    buffers = matrix.data, matrix.indices, matrix.indptr
    np.testing.assert_allclose(dense @ linalg.spsolve(*buffers, b), b, rtol=1e-6)
    for transpose, m in [(False, dense), (True, dense.T)]:
        found = _lowerings.csr_spmv_p.bind(*buffers, b, transpose=transpose, shape=(3, 3))
        assert (found == m @ b).all()
        found = _lowerings.csr_spmm_p.bind(*buffers, b[:, None] * jnp.ones(2, b.dtype), transpose=transpose, shape=(3, 3))
        assert (found == (m @ b)[:, None]).all()


def check_text_of_bytecode_is_mlir():
    """`binade hlo text` of plain bytecode and of portable artifacts is what MLIR reads as the same module."""
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    read = 0
    for path in sorted((ROOT / "crates/binade-stablehlo/tests/data/bytecode").glob("*.mlirbc")):
        with jax._src.interpreters.mlir.make_ir_context() as context:
            try:
                bytecode = path.read_bytes()
                portable = b"StableHLO_v" in bytecode[:20]
                expected = stablehlo.deserialize_portable_artifact(context, bytecode) if portable else ir.Module.parse(bytecode)
            except Exception:
                # Written by a newer version of JAX.
                continue
            text = subprocess.run([COMMAND, "hlo", "text", path], check=True, capture_output=True, text=True).stdout
            shown = lambda module: module.operation.get_asm(enable_debug_info=False)
            assert shown(ir.Module.parse(text)) == shown(expected), path.name
            read += 1
    assert read > 20 or JAX < (0, 10), read


def check_errors():
    """A mistake is an exception with what is wrong, and where in the source."""

    def refused(function, *parts):
        try:
            jax.block_until_ready(function())
        except Exception as error:
            for part in parts:
                assert part in str(error), (part, str(error))
        else:
            raise AssertionError(f"no error: {parts}")

    a = np.ones((2, 2), np.float32)
    refused(lambda: binade.jit(lambda a: a @ a, arith="dot=bf16:bf17")(a), "INVALID_ARGUMENT", "bf17")
    refused(lambda: jax.jit(jnp.sin, compiler_options={"binade_arth": "x"})(a), "there is no option 'arth'")
    refused(lambda: jax.jit(jnp.sin, compiler_options={"arith": "x"})(a), "No such compile option: 'arith'", "binade_")
    assert (jax.jit(jnp.abs, compiler_options={"xla_embed_ir_in_executable": True})(a) == a).all()

    def unknown(a):
        with jax.named_scope("attention"):
            return jax.ffi.ffi_call("nothing", jax.ShapeDtypeStruct(a.shape, a.dtype))(a)

    refused(lambda: jax.jit(unknown)(a), "UNIMPLEMENTED", "@nothing", "attention", "check_jax.py:")


def check_errors_of_queued_programs():
    """What goes wrong while a caller goes on is an exception where a value is asked for, and in what is made of it."""

    def fails(x):
        return jax.ffi.ffi_call("nothing", jax.ShapeDtypeStruct(x.shape, x.dtype))(x @ x)

    fails, then = jax.jit(fails), jax.jit(lambda x: x + 1)
    x = f32(256, 256)
    for _ in range(3):
        made = fails(x)
        results = [made, then(made), jax.device_put(made, jax.devices("binade")[1]), then(then(made))]
        for ask in (jax.block_until_ready, np.asarray, lambda y: float(y[0, 0])):
            for result in results:
                try:
                    ask(result)
                except jax.errors.JaxRuntimeError as error:
                    assert "UNIMPLEMENTED" in str(error) and "@nothing" in str(error) and "check_jax.py:" in str(error), error
                else:
                    raise AssertionError("an error is lost")
        assert (np.asarray(then(x)) == x + 1).all()
    # Where that is asked for, the call itself raises.
    at_once = jax.jit(lambda x: fails(x), compiler_options={"binade_async_dispatch": "false"})
    try:
        at_once(x)
    except jax.errors.JaxRuntimeError as error:
        assert "@nothing" in str(error), error
    else:
        raise AssertionError("not done when the call returns")


def check_queued_programs():
    """Values that are promised are passed on, used up, copied and given up before they are there."""
    step = jax.jit(lambda x: x @ x / jnp.abs(x @ x).max(), donate_argnums=0)
    expected = start = f32(200, 200)
    found = jax.device_put(start, jax.devices("binade")[0])
    copies = []
    for _ in range(60):
        before, found = found, step(found)
        assert before.is_deleted()
        copies.append(jax.device_put(found, jax.devices("binade")[3]))
    one = jax.jit(lambda x: x @ x / jnp.abs(x @ x).max(), compiler_options={"binade_async_dispatch": "0"})
    for copy in copies:
        expected = one(expected)
        assert np.asarray(copy).tobytes() == np.asarray(expected).tobytes()
    given_up = [step(jnp.array(start)) for _ in range(3)]
    given_up[0].delete()
    del given_up
    host = jax.jit(lambda x: x.T)(found)
    host.copy_to_host_async()
    assert (np.asarray(host) == np.asarray(expected).T).all()


def check_threads_of_python():
    """Two threads dispatch programs, one of which calls Python, and each gets its own results."""
    import threading

    wrong = []
    product = jax.jit(lambda x: x @ x)

    def call_back(x):
        return jax.pure_callback(lambda x: np.asarray(x) + 1, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    calls = jax.jit(call_back)

    def work(number):
        x = np.full((128, 128), number, np.float32)
        for _ in range(20):
            y = calls(product(product(x))) if number % 2 else product(product(x))
            if not (np.asarray(y) == 128.0**3 * number**4 + number % 2).all():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=[number]) for number in range(1, 5)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong, wrong


def check_forked_processes():
    """A child runs what its parent has compiled, with threads of its own. (JAX compiles on threads that the child has not.)"""
    import warnings

    functions = [jax.jit(lambda x: x @ x), jax.jit(lambda x: jnp.sort(x.ravel()))]
    x = jnp.asarray(np.random.default_rng(0).standard_normal((300, 300)), jnp.float32)
    expected = [np.asarray(function(x)) for function in functions]
    with warnings.catch_warnings():
        # JAX has threads of its own, and says so.
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        try:
            found = [np.asarray(function(x)) for function in functions]
            os._exit(0 if all(map(np.array_equal, found, expected)) else 1)
        finally:
            os._exit(2)
    for _ in range(6000):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) == 0, status
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("the child waits without end")


def check_callbacks_among_queued_programs():
    """A callback waits for a value that is promised, and runs programs, where there is one thread to compute with."""
    one = {"compiler_options": {"binade_threads": "1"}}
    product = jax.jit(lambda x: x @ x, **one)
    x = jax.device_put(np.ones((400, 400), np.float32), jax.devices("binade")[0])
    promised = product(product(x))

    def reads(y):
        return np.asarray(product(promised * 0 + 1))[0] + np.asarray(y)

    def calls(y):
        return jax.pure_callback(reads, jax.ShapeDtypeStruct(y.shape, y.dtype), y)

    for _ in range(5):
        made = jax.jit(lambda y: calls(y) * 2, **one)(product(x)[0])
        # Its function is gone, and the result stays.
        assert (np.asarray(product(jnp.ones((400, 400)) * made))[0, 0] == 400 * 1600.0**2).all()


def check_donation():
    x = jnp.ones(1000)
    y = jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    assert x.is_deleted() and float(y.sum()) == 2000
    kept = jnp.ones(3)
    jax.jit(lambda x: x + 1)(kept)
    assert not kept.is_deleted()
    # No two arrays are in one place.
    copies = [kept, jnp.array(kept, copy=True), *jax.jit(lambda x: (x, x))(kept)]
    assert len({x.unsafe_buffer_pointer() for x in copies}) == 4


def check_copies():
    x = jnp.arange(6.0).reshape(2, 3)
    y = jax.device_put(x, jax.devices("cpu")[0])
    assert (np.asarray(y) == np.asarray(x)).all() and (np.asarray(jax.device_put(y, jax.devices("binade")[0])) == y).all()
    x.delete()
    assert x.is_deleted()


def check_compiled():
    compiled = jax.jit(lambda a: jnp.tanh(a) @ a).lower(np.ones((2, 2), np.float32)).compile()
    assert "tanh" in compiled.as_text()
    assert (compiled(np.ones((2, 2), np.float32)) == compiled(np.ones((2, 2), np.float32))).all()
    assert export.export(jax.jit(jnp.sin), platforms=["binade"])(jax.ShapeDtypeStruct((2,), "float32")).platforms == ("binade",)


def check_costs():
    """Counts of a loss and its gradient, and of a loop, before anything runs."""
    cost = lambda function, *arguments: jax.jit(function).lower(*arguments).compile().cost_analysis()
    a, b = f32(8, 16), f32(16, 32)
    found = cost(lambda a, b: jnp.tanh(a @ b), a, b)
    assert found["flops"] == 2 * 8 * 16 * 32 and found["transcendentals"] == 8 * 32, found
    assert found["bytes accessed"] == 4 * (8 * 16 + 16 * 32 + 8 * 32 + 2 * 8 * 32), found
    loop = cost(lambda a: lax.scan(lambda x, _: (x @ x, None), a, length=10)[0], f32(8, 8))
    assert 10 * 2 * 8**3 <= loop["flops"] <= 10 * 2 * 8**3 + 20, loop
    slope = cost(jax.grad(loss), weights(), f32(64, 16), f32(64, 1))
    assert slope["flops"] > 2 * cost(loss, weights(), f32(64, 16), f32(64, 1))["flops"] > 0


def on_both(function, *arguments):
    """What a function of eight devices and of arguments gives on binade's and on those of JAX's CPU."""
    results = []
    for platform in ("binade", "cpu"):
        devices = np.array(jax.devices(platform))
        with jax.default_device(devices[0]):
            found = function(devices, *arguments)
        assert all(d.platform == platform for x in jax.tree.leaves(found) for d in x.devices())
        results.append(jax.tree.leaves(found))
    for a, b in zip(*results, strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype, (a.shape, b.shape)
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=2e-5, atol=2e-5)
    return results[0]


def check_sharded_arrays():
    def parts(devices, x):
        mesh = Mesh(devices.reshape(4, 2), ("x", "y"))
        cut = jax.device_put(x, NamedSharding(mesh, P("x", "y")))
        assert [shard.data.shape for shard in cut.addressable_shards] == [(2, 3)] * 8
        assert (np.asarray(cut) == x).all()
        rows = NamedSharding(mesh, P(None, ("y", "x")))
        product = jax.jit(lambda x: x.T @ x, out_shardings=NamedSharding(mesh, P("y")))(cut)
        assert product.sharding.spec == P("y")
        sums = jax.jit(lambda x: (x * 2).sum(1))(cut)
        # A value within that cannot be cut into equal parts is whole.
        uneven = jax.jit(lambda x: lax.with_sharding_constraint(x[:, :3], NamedSharding(mesh, P("y"))).sum(0)[:3] + x.ravel()[:3])(cut)
        odd = jax.jit(lambda x: lax.with_sharding_constraint(x.ravel()[:45], NamedSharding(mesh, P("x"))))(cut)
        made = jax.make_array_from_callback((8, 8), rows, lambda index: x[0, 0] + np.arange(64.0).reshape(8, 8)[index])
        return product, sums, uneven, odd, made, jax.device_put(made, NamedSharding(mesh, P("x")))

    x = f32(8, 6)
    product, *_ = on_both(parts, x)
    # Whole values are computed, so that a mesh makes no difference to bits.
    one = jax.jit(lambda x: x.T @ x)(jax.device_put(x, jax.devices("binade")[3]))
    assert np.asarray(product).tobytes() == np.asarray(one).tobytes()


def check_shard_map():
    def collectives(devices, x):
        mesh = Mesh(devices.reshape(4, 2), ("x", "y"))

        def part(x):
            grown = jnp.concatenate([x, -x])
            return (
                lax.psum(x, "x"), lax.pmean(x, ("y", "x")), lax.axis_index(("x", "y")) + x, lax.ppermute(x, "x", [(0, 1), (3, 0)]),
                lax.all_gather(x, "y").sum(0), lax.psum_scatter(grown, "x", tiled=True), lax.all_to_all(grown, "x", 0, 1, tiled=True),
                lax.cond(lax.axis_index("x") > 1, lambda x: lax.psum(x, "y"), lambda x: x - lax.psum(2 * x, "y"), x))

        shard = shard_map(part, mesh=mesh, in_specs=P("x", "y"), out_specs=P(("x", "y")), check=False)
        slope = jax.grad(lambda x: sum((y**2).sum() for y in shard(x)))
        return jax.jit(shard)(x), jax.jit(slope)(x)

    on_both(collectives, f32(8, 2))


def check_nested_shard_map():
    # Of JAX before 0.10 the verifier refuses it, on any platform; that of 0.7 and 0.8 then waits without end.
    if JAX < (0, 10):
        return "not in this JAX"

    def nested(devices, x):
        mesh = Mesh(devices.reshape(4, 2), ("x", "y"))

        def outer(x):
            inner = lambda x: (lax.psum(x, "y"), x + lax.axis_index("x") + 10 * lax.axis_index("y"))
            made = shard_map(inner, in_specs=P(None, "y"), out_specs=(P(), P(None, "y")), check=False, axis_names={"y"})
            return made(lax.psum(x, "x"))

        shard = shard_map(outer, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check=False, axis_names={"x"})
        with jax.set_mesh(mesh):
            return jax.jit(shard)(x)

    on_both(nested, f32(8, 2))


def check_pmap():
    def mapped(devices, x):
        both = jax.pmap(lambda x: (lax.psum(x, "i"), x * lax.axis_index("i")), axis_name="i", devices=list(devices))
        return both(x)

    on_both(mapped, f32(8, 3))


def check_sharded_exports():
    mesh = Mesh(np.array(jax.devices("binade")[:2]), ("x",))
    cut = NamedSharding(mesh, P("x"))
    double = jax.jit(shard_map(lambda x: x + lax.psum(x, "x"), mesh=mesh, in_specs=P("x"), out_specs=P("x")))
    exported = export.export(double)(jax.ShapeDtypeStruct((4,), "float32", sharding=cut))
    again = export.deserialize(exported.serialize())
    assert again.nr_devices == 2
    x = f32(4)
    expected = np.asarray(double(jax.device_put(x, cut)))
    assert (np.asarray(jax.jit(again.call)(jax.device_put(x, cut))) == expected).all()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "f.jax_export"
        file.write_bytes(exported.serialize())
        np.save(file.with_suffix(".npy"), x)
        command("run", file, "--input", file.with_suffix(".npy"), "--output-dir", Path(folder) / "out")
        assert np.load(Path(folder) / "out" / "out0.npy").tobytes() == expected.tobytes()


def check_callbacks():
    # Each effect has an order of its own.
    seen, printed = [], []

    def loop(x):
        def step(i, x):
            io_callback(lambda i: seen.append(int(i)), None, i, ordered=True)
            jax.debug.callback(lambda i: printed.append(int(i)), i, ordered=True)
            return x + jax.pure_callback(lambda x: np.sin(x), jax.ShapeDtypeStruct(x.shape, x.dtype), x)

        return lax.fori_loop(0, 3, step, x)

    x = f32(3)
    agree(loop, x)
    jax.effects_barrier()
    assert seen == printed == [0, 1, 2] * 2, (seen, printed)

    def fails(x):
        def wrong(x):
            raise ValueError("not today")

        return jax.pure_callback(wrong, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    try:
        jax.block_until_ready(jax.jit(fails)(x))
    except jax.errors.JaxRuntimeError as error:
        assert "INTERNAL" in str(error) and "not today" in str(error), error
    else:
        raise AssertionError("a callback's error is lost")


def check_training_has_the_bits_of_the_command():
    """Ten steps of a network under JAX, and the same program under `binade hlo run`."""
    x, y, start = f32(64, 16), f32(64, 1), weights()
    exported = export.export(jax.jit(step), platforms=["cpu"])(start, x, y)
    train = jax.jit(step)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        program = folder / "step.mlirbc"
        program.write_bytes(exported.mlir_module_serialized)
        ours = theirs = start
        for index in range(10):
            inputs = []
            for at, leaf in enumerate(jax.tree.leaves((theirs, x, y))):
                np.save(folder / f"in{at}.npy", leaf)
                inputs += ["--input", folder / f"in{at}.npy"]
            command("run", program, *inputs, "--output-dir", folder / "out", "--force")
            results = [np.load(folder / "out" / f"out{at}.npy") for at in range(4)]
            ours, value = train(ours, x, y)
            theirs = jax.tree.unflatten(jax.tree.structure(start), results[:3])
            assert np.asarray(value).tobytes() == results[3].tobytes(), f"loss of step {index}"
        for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
            assert np.asarray(a).tobytes() == b.tobytes()


def module_of(text):
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    with mlir.make_ir_context() as context:
        return ir.Module.parse(text, context)


def check_bytecode_of_models():
    """The models as artifacts of several versions and as plain bytecode: MLIR reads `binade hlo text` of them as the program
    that it wrote."""
    from jaxlib.mlir.dialects import stablehlo

    def without_layouts(text):
        return str(module_of(text).operation.get_asm(enable_debug_info=False))

    # Of each JAX its own, up to the one that this is written for.
    numbers = lambda version: tuple(map(int, version.split(".")))
    newest = [min("1.14.0", stablehlo.get_current_version(), key=numbers)]
    with tempfile.TemporaryDirectory() as folder:
        artifacts = 0
        for path in sorted(ROOT.glob("models/*/*.mlir")):
            text = path.read_text()
            stored = {}
            # Operations of chlo have no place in artifacts.
            if "chlo." not in text:
                for version in ("1.1.0", "1.9.5", *newest):
                    stored[version] = stablehlo.serialize_portable_artifact_str(text, version)
                artifacts += 1
            plain = io.BytesIO()
            module_of(text).operation.write_bytecode(plain)
            stored["plain"] = plain.getvalue()
            for version, bytes in stored.items():
                file = Path(folder) / "program.mlirbc"
                file.write_bytes(bytes)
                # An artifact does not tell attributes that were written from their defaults: MLIR's own reader decides.
                own = text if version == "plain" else stablehlo.deserialize_portable_artifact_str(bytes)
                found = without_layouts(command("text", file))
                assert found == without_layouts(own), f"{path} {version}"
        assert artifacts >= 10, artifacts


def check_exports():
    """A serialized export is read by its first bytes."""
    exported = export.export(jax.jit(lambda x: x + 1), platforms=["cpu"])(jax.ShapeDtypeStruct((2,), "float32"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "f.jax_export"
        file.write_bytes(exported.serialize())
        assert "stablehlo.add" in command("text", file)


def main(patterns):
    checks = {name: value for name, value in globals().items() if name.startswith("check_")}
    failed = 0
    for name, check in checks.items():
        if patterns and not any(pattern in name for pattern in patterns):
            continue
        try:
            said = check()
            print(f"skipped {name}: {said}" if said else f"ok      {name}", flush=True)
        except Exception:
            failed += 1
            traceback.print_exc()
            print(f"FAILED  {name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
