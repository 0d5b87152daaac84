"""Programs that were tried late under `binade run`: machine-learning runtimes, compilers' loops and language runtimes.

    python peers/check_untried.py [--binade PATH] [--python PYTHON] [--rounds N] [--json FILE] [--may-skip] [PROGRAM…]

Each path of a program runs natively, under f32:f32 and under bf16:bf16, one thread, in processes of their own:

    identity   the bits of its results under f32:f32 must be the native ones
    chain      a product whose partial sums are all exact must be the exact one: of its operands natively, of its operands rounded to
               BF16 under bf16:bf16. It shows that every multiply-add is the operator's, in whatever order they are added
    ratio      processor time beside native, median of ROUNDS runs (default 3)
    why        a path that takes 20 times as long or more must have a line in `--why`: a loop that is not translated whole, or slow
               multiply-adds
    empty      a library without multiply-adds must be named so in the summary

A program that is not installed is said to be skipped, and the exit code is 1 unless --may-skip is given. PYTHON is the interpreter
with onnxruntime, onnx, openvino, scikit-learn, numba, xgboost, lightgbm and tensorflow.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

OPERATORS = ["f32:f32", "bf16:bf16"]
# From this ratio on, `--why` must give a reason.
SLOW = 20

# A path of a Python program: it prints a hash of its results, the verdict on its chain, and the processor time of one call.
GUEST = r"""
import hashlib, os, sys, time
import numpy as np
name, path, expectation, folder = sys.argv[1:]
random = np.random.default_rng(7)

def chain(product, m=24, k=64, n=40):
    # All partial sums of the rounded operands are integers up to 128, and those of the operands are multiples of 2^-9.
    a = random.integers(-2, 3, (m, k)).astype(np.float32)
    b = random.integers(-1, 2, (k, n)).astype(np.float32)
    exact, near = a @ b, a * np.float32(1 + 2.0**-9)
    expected = exact if expectation == "bf16" else exact * np.float32(1 + 2.0**-9)
    return "exact" if np.array_equal(np.asarray(product(near, b)), expected) else "wrong"

def network(folder, width=256, heads=4, length=64):
    # A transformer's block without its heads: products, softmax, layer norms and GELU by tanh.
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    file = os.path.join(folder, "block.onnx")
    if os.path.exists(file):
        return file
    # Not those of the inputs: the process that finds the file draws the same inputs.
    random = np.random.default_rng(1)
    weights = {key: random.standard_normal(shape).astype(np.float32) / np.sqrt(shape[0]).astype(np.float32)
               for key, shape in {"q": (width, width), "k": (width, width), "v": (width, width),
                                  "u": (width, 4 * width), "d": (4 * width, width)}.items()}
    weights |= {"one": np.ones(width, np.float32), "zero": np.zeros(width, np.float32),
                "scale": np.float32(width**-0.5), "half": np.float32(0.5), "unit": np.float32(1),
                "cubic": np.float32(0.044715), "root": np.float32(0.7978845608)}
    node = helper.make_node
    nodes = [
        node("LayerNormalization", ["x", "one", "zero"], ["h"]),
        node("MatMul", ["h", "q"], ["Q"]), node("MatMul", ["h", "k"], ["K"]), node("MatMul", ["h", "v"], ["V"]),
        node("Transpose", ["K"], ["T"], perm=[0, 2, 1]), node("MatMul", ["Q", "T"], ["S"]),
        node("Mul", ["S", "scale"], ["s"]), node("Softmax", ["s"], ["P"], axis=-1), node("MatMul", ["P", "V"], ["A"]),
        node("Add", ["x", "A"], ["y"]), node("LayerNormalization", ["y", "one", "zero"], ["g"]),
        node("MatMul", ["g", "u"], ["U"]), node("Mul", ["U", "U"], ["U2"]), node("Mul", ["U2", "U"], ["U3"]),
        node("Mul", ["U3", "cubic"], ["c"]), node("Add", ["U", "c"], ["i"]), node("Mul", ["i", "root"], ["r"]),
        node("Tanh", ["r"], ["t"]), node("Add", ["t", "unit"], ["w"]), node("Mul", ["U", "w"], ["m"]),
        node("Mul", ["m", "half"], ["G"]), node("MatMul", ["G", "d"], ["D"]), node("Add", ["y", "D"], ["z"]),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "block", [value("x", TensorProto.FLOAT, [4, length, width])],
                              [value("z", TensorProto.FLOAT, [4, length, width])],
                              [numpy_helper.from_array(np.asarray(array), key) for key, array in weights.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, file + f".{os.getpid()}")
    os.replace(file + f".{os.getpid()}", file)
    return file

def product_model(folder, m=24, k=64, n=40):
    import onnx
    from onnx import TensorProto, helper
    value = helper.make_tensor_value_info
    graph = helper.make_graph([helper.make_node("MatMul", ["a", "b"], ["c"])], "product",
                              [value("a", TensorProto.FLOAT, [m, k]), value("b", TensorProto.FLOAT, [k, n])],
                              [value("c", TensorProto.FLOAT, [m, n])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9).SerializeToString()

def onnxruntime():
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = lambda model: ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    block = session(network(folder))
    x = random.standard_normal((4, 64, 256)).astype(np.float32)
    product = session(product_model(folder))
    return lambda: block.run(None, {"x": x})[0], lambda a, b: product.run(None, {"a": a, "b": b})[0]

def openvino():
    import openvino as ov
    core = ov.Core()
    settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    block = core.compile_model(network(folder), "CPU", settings)
    x = random.standard_normal((4, 64, 256)).astype(np.float32)
    product = core.compile_model(core.read_model(product_model(folder)), "CPU", settings)
    return lambda: block([x])[0], lambda a, b: product([a, b])[0]

def sklearn():
    x = random.standard_normal((2000, 50)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] > 0).astype(np.int64)
    from sklearn.metrics.pairwise import linear_kernel
    product = lambda a, b: linear_kernel(a, np.ascontiguousarray(b.T))
    if path == "PCA":
        from sklearn.decomposition import PCA
        return lambda: PCA(10, svd_solver="full").fit_transform(x), product
    if path == "k-means":
        from sklearn.cluster import KMeans
        return lambda: KMeans(8, n_init=1, max_iter=20, random_state=0).fit(x).cluster_centers_, product
    from sklearn.neural_network import MLPClassifier
    return lambda: MLPClassifier((64,), max_iter=5, random_state=0).fit(x, y).predict_proba(x), product

def trees(train):
    x = random.standard_normal((3000, 20)).astype(np.float32)
    return (lambda: train(x, x[:, 0] * x[:, 1] + x[:, 2])), None

def xgboost():
    from xgboost import XGBRegressor
    return trees(lambda x, y: XGBRegressor(n_estimators=30, n_jobs=1).fit(x, y).predict(x))

def lightgbm():
    from lightgbm import LGBMRegressor
    return trees(lambda x, y: LGBMRegressor(n_estimators=30, n_jobs=1, verbose=-1).fit(x, y).predict(x))

def numba():
    import numba as nb
    if path == "product":
        @nb.njit(fastmath=True)
        def product(a, b):
            c = np.zeros((a.shape[0], b.shape[1]), np.float32)
            for i in range(a.shape[0]):
                for k in range(a.shape[1]):
                    for j in range(b.shape[1]):
                        c[i, j] += a[i, k] * b[k, j]
            return c
        a, b = (random.standard_normal((200, 200)).astype(np.float32) for _ in range(2))
        return lambda: product(a, b), product
    @nb.njit(fastmath=True)
    def dot(a, b):
        total = np.float32(0)
        for i in range(a.size):
            total += a[i] * b[i]
        return total
    a, b = (random.standard_normal(1 << 20).astype(np.float32) for _ in range(2))
    product = lambda a, b: np.array([[dot(row, column) for column in np.ascontiguousarray(b.T)] for row in a])
    return lambda: np.float32(dot(a, b)), product

def tensorflow():
    import tensorflow as tf
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    x = tf.constant(random.standard_normal((16, 32, 32, 3)).astype(np.float32))
    w = tf.constant(random.standard_normal((3, 3, 3, 32)).astype(np.float32))
    a, b = (tf.constant(random.standard_normal((256, 256)).astype(np.float32)) for _ in range(2))
    run = {"product": lambda: tf.linalg.matmul(a, b), "convolution": lambda: tf.nn.conv2d(x, w, 1, "SAME")}[path]
    return lambda: run().numpy(), lambda a, b: tf.linalg.matmul(a, b).numpy()

run, product = globals()[name]()
first = np.asarray(run())
print("bits", hashlib.sha256(first.tobytes()).hexdigest()[:16])
print("chain", chain(product) if product else "none")
times = []
for _ in range(3):
    start = time.process_time()
    count = 0
    while count == 0 or time.process_time() - start < 0.2:
        run()
        count += 1
    times.append((time.process_time() - start) / count)
print("seconds", min(times))
"""

# Loops of one to three multiply-adds as gcc -O3 makes them, vectors or (-DSCALAR) one by one.
LOOPS = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
enum { COUNT = 4096, K = 64 };
static float a[COUNT], b[COUNT], c[COUNT], d[COUNT];
#define LOOP __attribute__((noinline, noclone))
LOOP static void axpy(float s) { for (int i = 0; i < COUNT; i++) c[i] += s * a[i]; }
LOOP static void two(float s) { for (int i = 0; i < COUNT; i++) { c[i] += s * a[i]; d[i] += s * b[i]; } }
LOOP static void three(float s) { for (int i = 0; i < COUNT; i++) c[i] = (c[i] + s * a[i]) + (a[i] * b[i] + s * d[i]); }
/* A row of a product. */
LOOP static void row(float *sums, const float *y, float s) { for (int i = 0; i < 16; i++) sums[i] += s * y[i]; }
LOOP static float dot(const float *x, const float *y, int count) {
    float sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * y[i];
    return sum;
}
static uint64_t hash(void) {
    uint64_t h = 0xcbf29ce484222325u;
    for (int i = 0; i < COUNT; i++) {
        uint32_t x, y;
        memcpy(&x, &c[i], 4);
        memcpy(&y, &d[i], 4);
        h = ((h ^ x) * 0x100000001b3u ^ y) * 0x100000001b3u;
    }
    return h;
}
static float result;
static void once(const char *path) {
    if (!strcmp(path, "axpy")) axpy(0x1.8p-9f);
    else if (!strcmp(path, "two")) two(0x1.8p-9f);
    else if (!strcmp(path, "three")) three(0x1.8p-9f);
    else result = dot(a, b, COUNT);
}
int main(int argc, char **argv) {
    if (argc < 3) return 2;
    uint32_t state = 1;
    for (int i = 0; i < COUNT; i++) {
        state = state * 1664525u + 1013904223u; a[i] = (int32_t)state * 0x1p-31f;
        state = state * 1664525u + 1013904223u; b[i] = (int32_t)state * 0x1p-31f;
        c[i] = d[i] = 1;
    }
    for (int i = 0; i < 20; i++) once(argv[1]);
    c[0] += result;
    printf("bits %016llx\n", (unsigned long long)hash());
    /* The operands' excess over BF16 is lost in each product. */
    float excess = strcmp(argv[2], "bf16") ? 1 + 0x1p-9f : 1, sums[16] = {0}, y[16];
    int exact[16] = {0}, right = 1;
    for (int k = 0; k < K; k++) {
        int m = k % 5 - 2;
        for (int i = 0; i < 16; i++) { int n = (k * 7 + i) % 3 - 1; y[i] = n; exact[i] += m * n; }
        row(sums, y, m * (1 + 0x1p-9f));
    }
    for (int i = 0; i < 16; i++) right &= sums[i] == exact[i] * excess;
    printf("chain %s\n", right ? "exact" : "wrong");
    double best = 1;
    for (int round = 0; round < 3; round++) {
        clock_t start = clock();
        long count = 0;
        do { for (int i = 0; i < 16; i++) once(argv[1]); count += 16; } while (clock() - start < CLOCKS_PER_SEC / 10);
        double one = (double)(clock() - start) / CLOCKS_PER_SEC / count;
        if (one < best) best = one;
    }
    printf("seconds %.9g\n", best);
    return 0;
}
"""

# Java's multiply-adds: one by one, and eight at a time.
SUMS = {
    "Math.fma": "float sum = 0; for (int i = 0; i < a.length; i++) sum = Math.fma(a[i], b[i], sum); return sum;",
    "Vector API": "var sum = jdk.incubator.vector.FloatVector.zero(SPECIES);"
    "for (int i = 0; i < a.length; i += 8) sum = jdk.incubator.vector.FloatVector.fromArray(SPECIES, a, i)"
    ".fma(jdk.incubator.vector.FloatVector.fromArray(SPECIES, b, i), sum);"
    "return sum.reduceLanes(jdk.incubator.vector.VectorOperators.ADD);",
}
SPECIES = "static final jdk.incubator.vector.VectorSpecies<Float> SPECIES = jdk.incubator.vector.FloatVector.SPECIES_256;"
JAVA = r"""
public class Untried {
    @SPECIES@
    static final int COUNT = 4096;
    static float sum(float[] a, float[] b) { @SUM@ }
    public static void main(String[] words) {
        float[] a = new float[COUNT], b = new float[COUNT];
        java.util.Random random = new java.util.Random(1);
        for (int i = 0; i < COUNT; i++) { a[i] = random.nextFloat(); b[i] = random.nextFloat() - 0.5f; }
        for (int i = 0; i < 20000; i++) sum(a, b);
        System.out.printf("bits %08x%n", Float.floatToIntBits(sum(a, b)));
        float[] x = new float[64], y = new float[64];
        float exact = 0, excess = words[1].equals("bf16") ? 1 : 1 + 0x1p-9f;
        for (int i = 0; i < 64; i++) { int m = i % 5 - 2, n = i * 7 % 3 - 1; x[i] = m * (1 + 0x1p-9f); y[i] = n; exact += m * n; }
        // Until it is compiled again for these arrays, the interpreter computes it in its own way.
        float found = 0;
        for (int i = 0; i < 20000; i++) found = sum(x, y);
        System.out.println("chain " + (found == exact * excess ? "exact" : "wrong"));
        double best = 1e9;
        for (int round = 0; round < 3; round++) {
            long start = System.nanoTime(); int count = 0;
            while (System.nanoTime() - start < 200_000_000L) { for (int i = 0; i < 16; i++) found += sum(a, b); count += 16; }
            best = Math.min(best, (System.nanoTime() - start) / 1e9 / count);
        }
        System.out.println("seconds " + best + (found == 1e30f ? " " : ""));
    }
}
"""

NODE = r"""
const count = 4096, a = new Float32Array(count), b = new Float32Array(count);
for (let i = 0, s = 1; i < count; i++) { s = (s * 1664525 + 1013904223) >>> 0; a[i] = s / 2 ** 32; b[i] = a[i] - 0.5; }
const sum = () => { let s = Math.fround(0); for (let i = 0; i < count; i++) s = Math.fround(s + Math.fround(a[i] * b[i])); return s; };
for (let i = 0; i < 2000; i++) sum();
console.log("bits", sum());
console.log("chain none");
let best = 1e9;
for (let round = 0; round < 3; round++) {
  const start = process.cpuUsage().user; let n = 0;
  while (process.cpuUsage().user - start < 2e5) { for (let i = 0; i < 16; i++) sum(); n += 16; }
  best = Math.min(best, (process.cpuUsage().user - start) / 1e6 / n);
}
console.log("seconds", best);
"""

OCTAVE = (
    "rand('seed', 1); a = single(rand(200)); b = single(rand(200)); c = a * b; printf('bits %s\\n', hash('md5', char(typecast(c(:)', 'uint8'))));"
    "x = single(mod(reshape(0:1535, 24, 64), 5) - 2); y = single(mod(reshape(0:2559, 64, 40), 3) - 1); e = single(1);"
    "if (!strcmp(argv(){end}, 'bf16')) e = single(1 + 2^-9); end;"
    "if (isequal((x * single(1 + 2^-9)) * y, (double(x) * double(y)) * double(e))) printf('chain exact\\n'); else printf('chain wrong\\n'); end;"
    "t = 1e9; for k = 1:5 s = cputime; for i = 1:20 c = a * b; end; t = min(t, (cputime - s) / 20); end; printf('seconds %g\\n', t);"
)

R = (
    "set.seed(1); a <- matrix(runif(40000), 200); b <- matrix(runif(40000), 200); c <- a %*% b; cat('bits', sprintf('%a', sum(c)), '\\n');"
    "cat('chain none\\n'); t <- Inf; for (k in 1:5) { s <- proc.time()[[1]]; for (i in 1:1000) c <- a %*% b;"
    "t <- min(t, (proc.time()[[1]] - s) / 1000) }; cat('seconds', t, '\\n')"
)

# The programs in Python, by the module that they need, and their paths.
PYTHON = {
    "onnxruntime": ["transformer"],
    "openvino": ["transformer"],
    "sklearn": ["PCA", "k-means", "MLP"],
    "numba": ["product", "dot"],
    "tensorflow": ["product", "convolution"],
    "xgboost": ["trees"],
    "lightgbm": ["trees"],
}
# Objects without multiply-adds, which the summary must name.
EMPTY = {"xgboost": "libxgboost.so", "lightgbm": "lib_lightgbm.so"}
FLAGS = {"gcc": ["-march=haswell"], "gcc-fast": ["-march=haswell", "-ffast-math"], "gcc-avx512": ["-march=skylake-avx512", "-mprefer-vector-width=512"]}


def has_avx512():
    return "avx512f" in Path("/proc/cpuinfo").read_text()


def programs(python, scratch, wanted):
    """Name, path, and a command that takes "native" or "bf16" as an argument; or the reason to skip in place of the command."""
    for module, paths in PYTHON.items():
        if wanted and module not in wanted:
            continue
        probe = subprocess.run([python, "-c", f"import {module}"], capture_output=True, text=True)
        for path in paths if not probe.returncode else paths[:1]:
            lacking = (probe.stderr.strip().splitlines() or ["it does not start"])[-1]
            yield module, path, lacking if probe.returncode else [python, "-c", GUEST, module, path, "{}", scratch]
    compiler = shutil.which("gcc")
    source = Path(scratch, "loops.c")
    source.write_text(LOOPS)
    for name, flags in FLAGS.items():
        if not compiler or name == "gcc-avx512" and not has_avx512():
            yield name, "axpy", "no gcc" if not compiler else "no AVX-512"
            continue
        program = str(Path(scratch, name))
        subprocess.run([compiler, "-O3", *flags, "-o", program, source], check=True)
        for path in ["axpy", "two", "three", "dot"]:
            yield name, path, [program, path, "{}"]
    java = shutil.which("javac") and shutil.which("java")
    for path, sum in SUMS.items() if java else []:
        vectors = ["--add-modules", "jdk.incubator.vector"] if path == "Vector API" else []
        folder = Path(scratch, path.replace(" ", "-"))
        folder.mkdir()
        source = folder / "Untried.java"
        source.write_text(JAVA.replace("@SUM@", sum).replace("@SPECIES@", SPECIES if vectors else ""))
        subprocess.run(["javac", "-nowarn", *vectors, "-d", folder, source], check=True, capture_output=True)
        yield "java", path, ["java", *vectors, "-cp", str(folder), "Untried", "sum", "{}"]
    if not java:
        yield "java", "", "no JDK"
    yield "node", "sums", ["node", "-e", NODE, "{}"] if shutil.which("node") else "not installed"
    octave = shutil.which("octave-cli")
    script = Path(scratch, "product.m")
    script.write_text(OCTAVE)
    yield "octave", "product", [octave, "--quiet", str(script), "{}"] if octave else "not installed"
    yield "R", "product", ["Rscript", "-e", R, "{}"] if shutil.which("Rscript") else "not installed"
    yield "go", "", "its programs are statically linked, which `binade run` refuses"
    yield "llama.cpp", "", "llama-cpp-python has no wheel on PyPI"


def run(command):
    """A program's facts by their names, and its standard error."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "2"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    facts = dict(line.split(" ", 1) for line in done.stdout.splitlines() if line.split(" ")[0] in ("bits", "chain", "seconds"))
    if done.returncode or len(facts) < 3:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr[-400:]}")
    return facts, done.stderr


def reasons(why):
    """The lines of `--why` that say why multiply-adds are slow."""
    return [line.strip() for line in why.splitlines() if re.search(r"not translated whole: |are slow|[1-9][\d,]* one by one in loops", line)]


def check(name, path, command, options):
    """The ratios of a path, and what is wrong with it."""
    wrong = []

    def under(arith, *more):
        expectation = "bf16" if arith == "bf16:bf16" else "native"
        words = [expectation if word == "{}" else word for word in command]
        return run(words if arith is None else [options.binade, "run", "--arith", arith, *more, "--", *words])

    seconds = {None: [], **{operator: [] for operator in OPERATORS}}
    bits = {}
    for _ in range(options.rounds):
        for arith, times in seconds.items():
            facts, text = under(arith)
            times.append(float(facts["seconds"]))
            if arith not in bits:
                bits[arith] = facts["bits"]
                if facts["chain"] == "wrong":
                    wrong.append(f"chain under {arith or 'native'}")
                empty = EMPTY.get(name)
                named = [line for line in text.splitlines() if "no multiply-add found in" in line]
                if arith and empty and not any(empty in line for line in named):
                    wrong.append(f"{empty} is not named as one without multiply-adds")
    if bits["f32:f32"] != bits[None]:
        again = {under(None)[0]["bits"] for _ in range(3)}
        wrong.append("identity differs" if again == {bits[None]} else "native runs differ among themselves")
    medians = {arith: statistics.median(times) for arith, times in seconds.items()}
    ratios = {arith: medians[arith] / medians[None] for arith in OPERATORS}
    why = []
    for arith, ratio in ratios.items():
        if ratio >= SLOW:
            found = reasons(under(arith, "--why")[1])
            why += [line for line in found if line not in why]
            if not found:
                wrong.append(f"{ratio:.0f} times native under {arith} without a reason in --why")
    return {"native": medians[None], "ratios": ratios, "chain": facts["chain"], "why": why, "wrong": wrong}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binade", default=os.environ.get("BINADE", "binade"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    parser.add_argument("--may-skip", action="store_true")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    options = parser.parse_args()
    skipped, failed, rows = [], [], []
    print("| program | path | chain | native, ms | " + " | ".join(OPERATORS) + " |\n|---|---|---|--:|" + "--:|" * len(OPERATORS))
    with tempfile.TemporaryDirectory() as scratch:
        for name, path, command in programs(options.python, scratch, options.programs):
            if options.programs and name not in options.programs:
                continue
            if isinstance(command, str):
                skipped.append(f"{name}: {command}")
                continue
            try:
                row = check(name, path, command, options)
            except RuntimeError as error:
                failed.append(f"{name}, {path}: {error}")
                continue
            ratios = " | ".join(f"{row['ratios'][arith]:.2f}" for arith in OPERATORS)
            print(f"| {name} | {path} | {row['chain']} | {row['native'] * 1e3:.3g} | {ratios} |", flush=True)
            for line in row["why"][:3]:
                print(f"  why: {line}", file=sys.stderr)
            failed += [f"{name}, {path}: {what}" for what in row["wrong"]]
            rows.append({"program": name, "path": path, **row})
    for text in skipped:
        print(f"SKIPPED {text}", file=sys.stderr)
    for text in failed:
        print(f"FAILED {text}", file=sys.stderr)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1))
    print(f"{len(rows)} paths, {len(failed)} failures, {len(skipped)} skipped")
    sys.exit(1 if failed or not rows or (skipped and not options.may_skip) else 0)


if __name__ == "__main__":
    main()
