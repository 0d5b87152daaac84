"""Random products and convolutions of many libraries under `binade run`: the right bits, and no stray store.

    python peers/check_products.py [--binade PATH] [--cases N] [--seed S] [--operators A,B…] [--check] [--python PYTHON] [LIBRARY…]

    numpy          its OpenBLAS, for every OPENBLAS_CORETYPE that runs here
    jax            XLA with Eigen and oneDNN's generated products, for every XLA and oneDNN instruction set
    torch          oneDNN's and MKL's or OpenBLAS's products and convolutions
    mkl            MKL's sgemm (pip install mkl), for every MKL_ENABLE_INSTRUCTIONS
    blis           BLIS's sgemm (libblis.so.4)
    eigen          Eigen's product (libeigen3-dev), compiled here for AVX2 and AVX-512, with cache sizes set by hand
    matrixmultiply the Rust crate's sgemm, built here by cargo without a network, from what the workspace has

Each library computes the same N cases natively, under the identity, and under each operator twice: as it runs by default,
where loops are translated whole, and with `--profile`, where every multiply-add is computed by itself from the definition.
With `--check` a third run compares each loop with its single instructions, in the registers and stores of each execution.
Shapes are 1 to 300, plain, transposed, with strides and odd alignments; values are ordinary, tiny, huge, infinite and NaN.
Operands lie against pages without access, at their starts and at their ends, among canaries; and glibc's checks of its heap are
on where it has them (libc_malloc_debug.so.0). The identity must give the native bits, where native runs agree among
themselves, and the two runs under an operator the same bits as each other, NaN in whatever form. What is not installed is
skipped, and named; BINADE_REQUIRE_ALL=1 makes that a failure. An instruction set that the machine lacks is skipped and named,
too, but that is never a failure.
"""

import argparse
import ctypes
import hashlib
import json
import mmap
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = mmap.PAGESIZE
CANARY = 0xA5

CONFIGURATIONS = {
    "numpy": [{"OPENBLAS_CORETYPE": core} for core in ("SkylakeX", "SapphireRapids", "Haswell", "Zen", "Sandybridge")],
    "jax": [{}]
    + [{"XLA_FLAGS": f"--xla_cpu_max_isa={isa}"} for isa in ("AVX2", "AVX512")]
    + [{"ONEDNN_MAX_CPU_ISA": isa} for isa in ("AVX", "AVX2", "AVX512_CORE")],
    "torch": [{"ONEDNN_MAX_CPU_ISA": isa, "DNNL_MAX_CPU_ISA": isa} for isa in ("AVX2", "AVX512_CORE", "ALL")],
    "mkl": [{"MKL_ENABLE_INSTRUCTIONS": isa} for isa in ("AVX2", "AVX512", "AVX512_E4")],
    "blis": [{"BLIS_ARCH_TYPE": arch} for arch in ("haswell", "skx", "zen3")],
    "eigen": [
        {"EIGEN_FLAGS": flags, "EIGEN_CACHES": caches}
        for flags in ("-mavx2 -mfma", "-mavx512f -mfma")
        for caches in ("32768 1048576 16777216", "4096 16384 65536")
    ],
    "matrixmultiply": [{}],
}

EIGEN = r"""
#include <cstdlib>
#include <cstdio>
#include <Eigen/Dense>
using Rows = Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;
using Columns = Eigen::Map<const Eigen::MatrixXf, 0, Eigen::OuterStride<>>;
using Out = Eigen::Map<Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>;
template <class A, class B>
static void product(const A &a, const B &b, Out c) { c.noalias() += a * b; }
extern "C" void sgemm(int m, int n, int k, const float *a, int a_plain, int a_step, const float *b, int b_plain, int b_step, float *c) {
    long one, two, three;
    if (sscanf(getenv("EIGEN_CACHES"), "%ld %ld %ld", &one, &two, &three) == 3) Eigen::setCpuCacheSizes(one, two, three);
    Out out(c, m, n);
    auto rows = [](const float *x, int r, int s, int step) { return Rows(x, r, s, Eigen::OuterStride<>(step)); };
    auto columns = [](const float *x, int r, int s, int step) { return Columns(x, r, s, Eigen::OuterStride<>(step)); };
    if (a_plain && b_plain) product(rows(a, m, k, a_step), rows(b, k, n, b_step), out);
    else if (a_plain) product(rows(a, m, k, a_step), columns(b, k, n, b_step), out);
    else if (b_plain) product(columns(a, m, k, a_step), rows(b, k, n, b_step), out);
    else product(columns(a, m, k, a_step), columns(b, k, n, b_step), out);
}
"""

MATRIXMULTIPLY = """
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sgemm(m: i32, n: i32, k: i32, a: *const f32, a_plain: i32, a_step: i32, b: *const f32, b_plain: i32,
    b_step: i32, c: *mut f32) {
    let steps = |plain, step| if plain != 0 { (step as isize, 1) } else { (1, step as isize) };
    let ((ra, ca), (rb, cb)) = (steps(a_plain, a_step), steps(b_plain, b_step));
    unsafe { matrixmultiply::sgemm(m as usize, k as usize, n as usize, 1.0, a, ra, ca, b, rb, cb, 1.0, c, n as isize, 1) }
}
"""


def built(name):
    """The path of a library that is compiled here, once for each set of flags."""
    flags = os.environ.get("EIGEN_FLAGS", "")
    folder = Path(os.environ["BINADE_PRODUCTS"], hashlib.sha256(f"{name} {flags}".encode()).hexdigest()[:12])
    library = folder / "release" / "libproduct.so" if name == "matrixmultiply" else folder / "libproduct.so"
    if library.exists():
        return str(library)
    folder.mkdir(parents=True, exist_ok=True)
    if name == "eigen":
        source = folder / "product.cpp"
        source.write_text(EIGEN)
        command = ["c++", "-O3", "-shared", "-fPIC", "-I/usr/include/eigen3", *flags.split(), "-o", library, source]
    else:
        source = folder / "lib.rs"
        source.write_text(MATRIXMULTIPLY)
        (folder / "Cargo.toml").write_text(
            '[package]\nname = "product"\nedition = "2024"\n[lib]\npath = "lib.rs"\ncrate-type = ["cdylib"]\n'
            '[dependencies]\nmatrixmultiply = "0.3"\n[workspace]\n'
        )
        command = ["cargo", "build", "--release", "--offline", "--manifest-path", folder / "Cargo.toml", "--target-dir", folder]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise ImportError(f"no {command[0]}") from error
    if done.returncode:
        raise ImportError(done.stderr.strip().splitlines()[-1])
    return str(library)


class Guarded:
    """binary32 numbers against a page without access, the rest of their pages full of canaries."""

    libc = ctypes.CDLL(None, use_errno=True)

    def __init__(self, count, at_end, offset):
        import numpy

        size = 4 * count + 4 * offset
        self.length = -(-size // PAGE) * PAGE
        self.memory = mmap.mmap(-1, self.length + 2 * PAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        for page in (start, start + PAGE + self.length):
            assert self.libc.mprotect(ctypes.c_void_p(page), PAGE, 0) == 0
        self.bytes = numpy.frombuffer(self.memory, numpy.uint8, self.length, PAGE)
        self.bytes[:] = CANARY
        self.first = self.length - 4 * count - 4 * offset if at_end else 4 * offset
        self.numbers = numpy.frombuffer(self.memory, numpy.float32, count, PAGE + self.first)

    def intact(self):
        last = self.first + self.numbers.nbytes
        return bool((self.bytes[: self.first] == CANARY).all() and (self.bytes[last:] == CANARY).all())


def numbers(random, count, kind):
    import numpy

    values = random.standard_normal(count, dtype=numpy.float32)
    if kind == 1:
        values *= numpy.float32(2.0) ** random.integers(-75, -55, count).astype(numpy.float32)
    elif kind == 2:
        values *= numpy.float32(2.0) ** random.integers(50, 64, count).astype(numpy.float32)
    elif kind == 3:
        for special in (numpy.inf, -numpy.inf, numpy.nan, 0.0, -0.0, 1e-42):
            values[random.integers(0, count, 1 + count // 400)] = special
    return values


def extent(random):
    return int(random.integers(1, 300)) if random.random() < 0.5 else int(random.integers(1, 40))


def matrix(random, rows, columns, keep):
    """A matrix somewhere in guarded memory: by rows or by columns, perhaps with more columns than are used."""
    gap = int(random.integers(0, 9)) if random.random() < 0.4 else 0
    transposed = random.random() < 0.5
    major, minor = (columns, rows) if transposed else (rows, columns)
    count = (major - 1) * (minor + gap) + minor
    guarded = Guarded(count, random.random() < 0.5, int(random.integers(0, 16)))
    guarded.numbers[:] = numbers(random, count, int(random.choice([0, 0, 0, 1, 2, 3])))
    keep.append(guarded)
    import numpy

    view = numpy.lib.stride_tricks.as_strided(guarded.numbers, (major, minor), (4 * (minor + gap), 4))
    return view.T if transposed else view


def digest(result):
    import numpy

    result = numpy.ascontiguousarray(result)
    result = numpy.where(numpy.isnan(result), numpy.float32("nan"), result)
    return hashlib.sha256(f"{result.shape}".encode() + result.tobytes()).hexdigest()[:16]


def with_numpy():
    import numpy

    def product(a, b, random, keep):
        rows, columns = a.shape[0], b.shape[1]
        out = Guarded(rows * columns, random.random() < 0.5, int(random.integers(0, 16)))
        keep.append(out)
        return numpy.matmul(a, b, out=out.numbers.reshape(rows, columns))

    return product, None


def with_jax():
    import jax
    import jax.numpy as jnp
    from jax import lax

    def product(a, b, random, keep):
        way = int(random.integers(0, 3))
        if way == 0:
            return jax.jit(lambda a, b: a @ b)(a, b)
        if way == 1:
            return jax.jit(lambda a, b: a.T @ b)(jnp.asarray(a.T), b)
        return jax.jit(lambda a, b: a @ b.T)(a, jnp.asarray(b.T))

    def convolution(x, w, stride, padding):
        return lax.conv_general_dilated(x, w, (stride, stride), [(padding, padding)] * 2)

    return product, jax.jit(convolution, static_argnums=(2, 3))


def with_torch():
    import torch

    torch.set_num_threads(1)

    def product(a, b, random, keep):
        return (torch.from_numpy(a) @ torch.from_numpy(b)).numpy()

    def convolution(x, w, stride, padding):
        return torch.conv2d(torch.from_numpy(x), torch.from_numpy(w), stride=stride, padding=padding).numpy()

    return product, convolution


def with_cblas(names):
    """The sgemm of a BLAS as C has it."""
    import glob

    found = [path for name in names for path in ([name] if "/" not in name else sorted(glob.glob(name)))]
    for path in found:
        try:
            sgemm = ctypes.CDLL(path).cblas_sgemm
            break
        except OSError:
            continue
    else:
        raise ImportError(" or ".join(names))
    single, size, pointer = ctypes.c_float, ctypes.c_int, ctypes.c_void_p
    sgemm.argtypes = [size] * 6 + [single, pointer, size, pointer, size, single, pointer, size]
    ROW_MAJOR, PLAIN, TRANSPOSED = 101, 111, 112

    def add(rows, columns, inner, a, b, c):
        (a, a_plain, a_step), (b, b_plain, b_step) = a, b
        how_a, how_b = (PLAIN if plain else TRANSPOSED for plain in (a_plain, b_plain))
        sgemm(ROW_MAJOR, how_a, how_b, rows, columns, inner, 1.0, a, a_step, b, b_step, 1.0, c, columns)

    return adding(add), None


def with_built(name):
    """A library that is compiled here, with a function for c := a · b + c."""
    sgemm = ctypes.CDLL(built(name)).sgemm
    size, pointer = ctypes.c_int, ctypes.c_void_p
    sgemm.argtypes = [size] * 3 + [pointer, size, size] * 2 + [pointer]
    return adding(lambda rows, columns, inner, a, b, c: sgemm(rows, columns, inner, *a, *b, c)), None


def adding(add):
    """The product by a function for c := a · b + c of addresses, whether by rows, and steps from one row or column to the next."""

    def layout(matrix):
        rows, columns = (s // 4 for s in matrix.strides)
        if columns == 1 and rows >= matrix.shape[1]:
            return matrix.ctypes.data, True, max(rows, matrix.shape[1])
        return matrix.ctypes.data, False, max(columns, matrix.shape[0])

    def product(a, b, random, keep):
        import numpy

        rows, columns, inner = a.shape[0], b.shape[1], a.shape[1]
        out = Guarded(rows * columns, random.random() < 0.5, int(random.integers(0, 16)))
        keep.append(out)
        out.numbers[:] = numbers(random, rows * columns, 0)
        add(rows, columns, inner, layout(a), layout(b), out.numbers.ctypes.data)
        return numpy.array(out.numbers.reshape(rows, columns))

    return product


def library_of(name):
    if name == "mkl":
        return with_cblas([f"{sys.prefix}/lib/libmkl_rt.so*"])
    if name == "blis":
        return with_cblas(["libblis.so.4", "libblis.so.3"])
    if name in ("eigen", "matrixmultiply"):
        return with_built(name)
    return {"numpy": with_numpy, "jax": with_jax, "torch": with_torch}[name]()


def worker(name, seed, cases):
    """Computes the cases: a line each with its bits, or what went wrong."""
    import numpy

    try:
        product, convolution = library_of(name)
    except (ImportError, AttributeError) as error:
        print(json.dumps({"missing": f"{error}"}))
        return
    for case in range(cases):
        random = numpy.random.default_rng([seed, case])
        keep = []
        if convolution and random.random() < 0.25:
            count, channels, outputs = (int(random.integers(1, high)) for high in (4, 40, 40))
            height, width, kernel = int(random.integers(4, 30)), int(random.integers(4, 30)), int(random.choice([1, 3, 4]))
            x = numbers(random, count * channels * height * width, 0).reshape(count, channels, height, width)
            w = numbers(random, outputs * channels * kernel * kernel, 0).reshape(outputs, channels, kernel, kernel)
            what = f"convolution {x.shape} {w.shape}"
            result = numpy.asarray(convolution(x, w, int(random.integers(1, 3)), int(random.integers(0, 2))))
        else:
            rows, inner, columns = extent(random), extent(random), extent(random)
            a, b = matrix(random, rows, inner, keep), matrix(random, inner, columns, keep)
            what = f"product {rows}×{inner}×{columns}"
            result = numpy.asarray(product(a, b, random, keep))
        stray = sum(not guarded.intact() for guarded in keep)
        print(json.dumps({"case": case, "what": what, "bits": digest(result), "stray": stray}), flush=True)


def run(options, name, environment, wrapper):
    command = [*wrapper, options.python, __file__, "--worker", name, "--seed", str(options.seed), "--cases", str(options.cases)]
    environment = {**os.environ, **environment, "OPENBLAS_NUM_THREADS": "1", "MKL_THREADING_LAYER": "SEQUENTIAL", "PYTHONWARNINGS": "ignore"}
    debug = next((path for path in Path("/lib").glob("*-linux-gnu/libc_malloc_debug.so.0")), None)
    if debug:
        environment |= {"LD_PRELOAD": str(debug), "MALLOC_CHECK_": "3", "MALLOC_PERTURB_": "165"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return done, lines


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--binade", default=os.environ.get("BINADE", "binade"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--operators", default="bf16:bf16,bf16x2:bf16x2/3,float8_e4m3fn:f32")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--worker")
    parser.add_argument("libraries", nargs="*")
    options = parser.parse_args()
    if options.worker:
        worker(options.worker, options.seed, options.cases)
        return
    unknown = set(options.libraries) - set(CONFIGURATIONS)
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))}: libraries are {', '.join(CONFIGURATIONS)}")
    passed = failed = 0
    missing, skipped = [], []
    scratch = tempfile.TemporaryDirectory()
    profile = str(Path(scratch.name) / "profile.json")
    os.environ["BINADE_PRODUCTS"] = scratch.name
    for name in options.libraries or CONFIGURATIONS:
        for environment in CONFIGURATIONS[name]:
            label = " ".join([name, *(f"{key}={value}" for key, value in environment.items())])
            done, native = run(options, name, environment, [])
            if native and "missing" in native[0]:
                missing.append(f"{name}: {native[0]['missing']}")
                break
            if len(native) != options.cases:
                skipped.append(f"{label}: natively it ends with {done.returncode} after {len(native)} cases")
                continue
            again = run(options, name, environment, [])[1]
            steady = {line["case"] for line, other in zip(native, again) if line == other}
            row = [f"{len(steady)} cases"]

            def compare(kind, lines, other, done):
                nonlocal passed, failed
                if len(lines) != options.cases:
                    failed += 1
                    print(f"FAILED {label} {kind}: ends with {done.returncode} after {len(lines)} cases: {done.stderr[-300:]}")
                    return
                wrong = [(line, to) for line, to in zip(lines, other) if line["case"] in steady and (line != to or line["stray"])]
                failed += len(wrong)
                passed += len(steady) - len(wrong)
                row.append(f"{kind} {len(wrong)} differ")
                for line, to in wrong[:3]:
                    print(f"FAILED {label} {kind}: {line} against {to}")

            emulated = [options.binade, "run", "--quiet", "--arith"]
            done, identity = run(options, name, environment, [*emulated, "f32:f32", "--"])
            compare("f32:f32", identity, native, done)
            for operator in options.operators.split(","):
                done, whole = run(options, name, environment, [*emulated, operator, "--"])
                if len(whole) == options.cases:
                    _, single = run(options, name, environment, [*emulated, operator, "--profile", profile, "--"])
                    compare(operator, whole, single, done)
                    if options.check:
                        done, checked = run(options, name, environment, [*emulated, operator, "--check", "--"])
                        compare(f"{operator} --check", checked if done.returncode == 0 else [], whole, done)
                else:
                    compare(operator, whole, whole, done)
            print(f"{label}: {', '.join(row)}", flush=True)
    for why in missing + skipped:
        print(f"SKIPPED {why}")
    print(f"{passed} passed, {failed} failed, {len(missing + skipped)} skipped")
    required = os.environ.get("BINADE_REQUIRE_ALL") == "1" and missing
    sys.exit(1 if failed or required else 0)


if __name__ == "__main__":
    main()
