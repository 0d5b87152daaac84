"""Elementary functions of libraries of vector mathematics under `binade run`: the bits must be the native ones.

    python peers/check_vector_maths.py [--binade PATH] [--arith OPERATOR]… [--every] [--also mul,add,double] [--only GLOB]
                                       [--nameless] [--library NAME=PATH]… [--python NAME=PYTHON]… [--java JAVA] [LIBRARY…]

Libraries: libmvec, sleef, sleefgnuabi, jsvml, amdlibm (shared objects that a C program calls by every symbol they export), mkl
(the package `mkl`, through libmkl_rt, in each accuracy and for each instruction set), numpy and torch (their elementwise
functions), java (Math and the Vector API, compiled by HotSpot); all without names. Each library runs natively and under each
operator (bf16:bf16, bf16x2:bf16x2/3 and float8_e4m3fn:f32), in processes of its own, on the same inputs. Every function's
results must have the same bits. With --every, the operators are the identity, its four other roundings, the paper's seven
and pairs of formats of 4 to 32 bits.

With --also, --only keeps an interpreter's own arithmetic native, and NumPy's compositions are left out (logaddexp, functions
of complex numbers): their products and sums are the operator's.

A shared object is found by the dynamic linker, or at the PATH that --library gives. With --nameless the shared objects run as
copies without their file name and without names of functions, so that constants and shapes alone tell what the code is.

A library that is not installed is said to be skipped, and the exit code is 1 unless --may-skip is given.
"""

import argparse
import ctypes
import ctypes.util
import hashlib
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

OPERATORS = ["bf16:bf16", "bf16x2:bf16x2/3", "float8_e4m3fn:f32"]
OBJECTS = {"libmvec": "libmvec.so.1", "sleef": "libsleef.so.3", "sleefgnuabi": "libsleefgnuabi.so.3", "jsvml": "libjsvml.so",
           "amdlibm": "libamdlibm.so"}
PYTHON = ["mkl", "numpy", "torch"]
# Every kind of code for an operator: none, roundings, loops translated whole, single multiply-adds, and the slow path.
EVERY = ["f32:f32", *(f"f32:f32 --rounding {how}" for how in ("up", "down", "random", "stochastic")),
         "bf16:bf16", "bf16:bf16x2", "bf16:bf16x3", "bf16x2:bf16x2/3", "bf16x2:bf16x2/4", "bf16x3:bf16x3/6",
         "bf16x3:bf16x3/9", "bf16:f32", "f16:f16", "f16:f32", "tf32:f32", "float8_e4m3fn:f32", "float8_e5m2:f16",
         "float8_e4m3fn:bf16", "float4_e2m1fn:f32", "bf16:f64", "binary8p1:f16"]
# Where Python's processes have their arguments from: the first, which is native, makes them.
INPUTS = "CHECK_VECTOR_MATHS_INPUTS"
# Functions of NumPy that are sums and products around elementary ones.
COMPOSED = re.compile(r"logaddexp|c8|c16")

# Calls functions on vectors, by their offset in a shared object: lines of OFFSET KIND ELEMENT LANES ARGUMENTS NAME, of which it
# writes NAME and a hash of the results. KIND is i for the offset of a resolver (STT_GNU_IFUNC), which chooses the function by
# the processor, and f for that of the function. An input is a function's argument in each lane.
DRIVER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <immintrin.h>
#include <link.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define COUNT 4096
static double points[COUNT];
static uint64_t hash;
static void add(const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}
/* NaN in whatever form counts as one. */
static void add_single(const float *x, int n) {
    for (int i = 0; i < n; i++) { float y = isnan(x[i]) ? 0x1.234p-100f : x[i]; add(&y, 4); }
}
static void add_double(const double *x, int n) {
    for (int i = 0; i < n; i++) { double y = isnan(x[i]) ? 0x1.234p-100 : x[i]; add(&y, 8); }
}
#define RUN(name, vector, element, lanes, load, store, attribute)                                                    \
    attribute __attribute__((noinline)) static void name(void *f, int arguments) {                                   \
        element a[lanes], b[lanes], r[lanes];                                                                        \
        for (int i = 0; i + lanes <= COUNT; i += lanes) {                                                            \
            for (int k = 0; k < lanes; k++) a[k] = (element)points[i + k], b[k] = (element)points[(i + k) * 7 % COUNT]; \
            vector x = load(a), y = load(b), z = arguments == 1 ? ((vector(*)(vector))f)(x) : ((vector(*)(vector, vector))f)(x, y); \
            store(r, z);                                                                                             \
            ADD_##element(r, lanes);                                                                                 \
        }                                                                                                            \
    }
#define ADD_float add_single
#define ADD_double add_double
#define AVX __attribute__((target("avx")))
#define WIDE __attribute__((target("avx512f")))
RUN(f1, __m128, float, 1, _mm_load_ss, _mm_store_ss, )
RUN(d1, __m128d, double, 1, _mm_load_sd, _mm_store_sd, )
RUN(f4, __m128, float, 4, _mm_loadu_ps, _mm_storeu_ps, )
RUN(d2, __m128d, double, 2, _mm_loadu_pd, _mm_storeu_pd, )
RUN(f8, __m256, float, 8, _mm256_loadu_ps, _mm256_storeu_ps, AVX)
RUN(d4, __m256d, double, 4, _mm256_loadu_pd, _mm256_storeu_pd, AVX)
RUN(f16, __m512, float, 16, _mm512_loadu_ps, _mm512_storeu_ps, WIDE)
RUN(d8, __m512d, double, 8, _mm512_loadu_pd, _mm512_storeu_pd, WIDE)
int main(int count, char **arguments) {
    (void)count;
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (!library) { fprintf(stderr, "%s\n", dlerror()); return 2; }
    uintptr_t base = ((struct link_map *)library)->l_addr;
    uint64_t state = 1;
    for (int i = 0; i < COUNT; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double unit = (double)(state >> 11) * 0x1p-53;
        switch (i / 512) {
        case 0: points[i] = unit * 2 - 1; break;
        case 1: points[i] = unit * 8 - 4; break;
        case 2: points[i] = exp2(unit * 12 - 6); break;
        case 3: points[i] = unit * 60 - 30; break;
        case 4: points[i] = exp2(unit * 40 - 20); break;
        case 5: points[i] = (unit * 2 - 1) * 1e5; break;
        case 6: points[i] = exp2(unit * 200 - 100); break;
        default: points[i] = 1 + (unit - 0.5) * 0x1p-10;
        }
    }
    char line[512], kind, element, name[256];
    while (fgets(line, sizeof line, stdin)) {
        unsigned long offset;
        int lanes, n;
        if (sscanf(line, "%lx %c %c %d %d %255s", &offset, &kind, &element, &lanes, &n, name) != 6) return 3;
        void *f = (void *)(base + offset);
        if (kind == 'i') f = ((void *(*)(void))f)();
        hash = 0xcbf29ce484222325u;
        switch (element * 100 + lanes) {
        case 'f' * 100 + 1: f1(f, n); break;
        case 'd' * 100 + 1: d1(f, n); break;
        case 'f' * 100 + 4: f4(f, n); break;
        case 'd' * 100 + 2: d2(f, n); break;
        case 'f' * 100 + 8: f8(f, n); break;
        case 'd' * 100 + 4: d4(f, n); break;
        case 'f' * 100 + 16: f16(f, n); break;
        case 'd' * 100 + 8: d8(f, n); break;
        default: return 4;
        }
        printf("%s\t%016lx\n", name, hash);
        fflush(stdout);
    }
    return 0;
}
"""

# Writes each function's name and a hash of its results, as HotSpot has compiled it after some thousand calls.
JAVA = r"""
import java.util.function.*;
import jdk.incubator.vector.*;
public class Functions {
    static final int COUNT = 4096;
    static final double[] x = new double[COUNT], y = new double[COUNT], z = new double[COUNT];
    static final float[] a = new float[COUNT], b = new float[COUNT], c = new float[COUNT];
    static void tell(String name, boolean single) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < COUNT; i++) {
            long bits = single ? Float.floatToIntBits(c[i]) : Double.doubleToLongBits(z[i]);
            hash = (hash ^ bits) * 0x100000001b3L;
        }
        System.out.println(name + "\t" + Long.toHexString(hash));
    }
    static void one(String name, DoubleUnaryOperator f) {
        for (int round = 0; round < 8; round++) for (int i = 0; i < COUNT; i++) z[i] = f.applyAsDouble(x[i]);
        tell("Math." + name, false);
    }
    static void two(String name, DoubleBinaryOperator f) {
        for (int round = 0; round < 8; round++) for (int i = 0; i < COUNT; i++) z[i] = f.applyAsDouble(Math.abs(x[i]), y[i]);
        tell("Math." + name, false);
    }
    static void singles(VectorSpecies<Float> s, VectorOperators.Unary f) {
        for (int i = 0; i < COUNT; i += s.length()) FloatVector.fromArray(s, a, i).lanewise(f).intoArray(c, i);
    }
    static void doubles(VectorSpecies<Double> s, VectorOperators.Unary f) {
        for (int i = 0; i < COUNT; i += s.length()) DoubleVector.fromArray(s, x, i).lanewise(f).intoArray(z, i);
    }
    static void singles(VectorSpecies<Float> s, VectorOperators.Binary f) {
        for (int i = 0; i < COUNT; i += s.length())
            FloatVector.fromArray(s, a, i).abs().lanewise(f, FloatVector.fromArray(s, b, i)).intoArray(c, i);
    }
    static void doubles(VectorSpecies<Double> s, VectorOperators.Binary f) {
        for (int i = 0; i < COUNT; i += s.length())
            DoubleVector.fromArray(s, x, i).abs().lanewise(f, DoubleVector.fromArray(s, y, i)).intoArray(z, i);
    }
    public static void main(String[] arguments) {
        java.util.Random random = new java.util.Random(1);
        for (int i = 0; i < COUNT; i++) {
            x[i] = (random.nextDouble() * 2 - 1) * Math.pow(2, random.nextInt(9) - 4);
            y[i] = random.nextDouble() * 6 - 3;
            a[i] = (float) x[i];
            b[i] = (float) y[i];
        }
        one("sin", Math::sin); one("cos", Math::cos); one("tan", Math::tan); one("asin", Math::asin); one("acos", Math::acos);
        one("atan", Math::atan); one("sinh", Math::sinh); one("cosh", Math::cosh); one("tanh", Math::tanh);
        one("exp", Math::exp); one("expm1", Math::expm1); one("log", Math::log); one("log10", Math::log10);
        one("log1p", Math::log1p); one("cbrt", Math::cbrt); two("pow", Math::pow); two("atan2", Math::atan2);
        two("hypot", Math::hypot);
        VectorOperators.Unary[] unary = {VectorOperators.SIN, VectorOperators.COS, VectorOperators.TAN, VectorOperators.ASIN,
            VectorOperators.ACOS, VectorOperators.ATAN, VectorOperators.SINH, VectorOperators.COSH, VectorOperators.TANH,
            VectorOperators.EXP, VectorOperators.EXPM1, VectorOperators.LOG, VectorOperators.LOG10, VectorOperators.LOG1P,
            VectorOperators.CBRT};
        VectorOperators.Binary[] binary = {VectorOperators.POW, VectorOperators.ATAN2, VectorOperators.HYPOT};
        VectorSpecies<Float> f = FloatVector.SPECIES_PREFERRED;
        VectorSpecies<Double> d = DoubleVector.SPECIES_PREFERRED;
        for (VectorOperators.Unary function : unary) {
            for (int round = 0; round < 40; round++) singles(f, function);
            tell("FloatVector." + function, true);
            for (int round = 0; round < 40; round++) doubles(d, function);
            tell("DoubleVector." + function, false);
        }
        for (VectorOperators.Binary function : binary) {
            for (int round = 0; round < 40; round++) singles(f, function);
            tell("FloatVector." + function, true);
            for (int round = 0; round < 40; round++) doubles(d, function);
            tell("DoubleVector." + function, false);
        }
    }
}
"""

TWO = {"pow", "atan2", "hypot", "fmod", "fdim", "remainder"}
# Of another signature, without arithmetic, or the multiply-add itself, which is the operator's.
OTHER = re.compile(r"sincos|ldexp|ilogb|modf|frexp|fma|copysign|fmax|fmin|nextafter|fabs|ceil|floor|rint|round|trunc|"
                   r"getInt|getPtr|^expfrexp|sqrt")


def signature(name):
    """Element, lanes and count of arguments of a function on vectors, by its symbol; nothing if it is none."""
    if mvec := re.fullmatch(r"_ZGV([bcde])N(\d+)(v+)_(\w+)", name):
        isa, lanes, arguments, function = mvec.groups()
        bytes_ = {"b": 16, "c": 32, "d": 32, "e": 64}[isa]
        element = "f" if int(lanes) * 4 == bytes_ else "d"
        return None if OTHER.search(function) else (element, int(lanes), len(arguments))
    if sleef := re.fullmatch(r"Sleef_(?:finz_|cinz_)?([a-z0-9]+?)(f|d)(2|4|8|16)_(?:u\d+)?(\w*)", name):
        function, element, lanes, isa = sleef.groups()
        # FMA4 is AMD's former one.
        if OTHER.search(function) or "fma4" in isa:
            return None
        return element, int(lanes), 2 if function in TWO else 1
    if vector := re.fullmatch(r"__j?svml_([a-z]+\d*?[a-z]*?)(f?)(1|2|4|8|16)_\w+", name):
        function, single, lanes = vector.groups()
        if OTHER.search(function):
            return None
        return ("f" if single else "d"), int(lanes), 2 if function in TWO else 1
    if amd := re.fullmatch(r"amd_vr([sd])(2|4|8|16)_([a-z0-9]+?)f?", name):
        element, lanes, function = amd.groups()
        if OTHER.search(function):
            return None
        return ("f" if element == "s" else "d"), int(lanes), 2 if function in TWO else 1
    return None


class Elf:
    """The symbols that a 64-bit little-endian shared object exports."""

    def __init__(self, path):
        self.bytes = bytearray(Path(path).read_bytes())
        offset, = struct.unpack_from("<Q", self.bytes, 40)
        size, count = struct.unpack_from("<HH", self.bytes, 58)
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, offset + size * k) for k in range(count)]
        self.dynsym = next(section for section in self.sections if section[1] == 11)

    def functions(self):
        """Number, name, address and kind of each, as the driver takes them."""
        strings = self.sections[self.dynsym[6]][4]
        for number in range(self.dynsym[5] // 24):
            name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", self.bytes, self.dynsym[4] + 24 * number)
            kind = {2: "f", 10: "i"}.get(info & 15)
            if section and kind:
                start = strings + name
                yield number, self.bytes[start:self.bytes.index(0, start)].decode(), value, kind

    def forget_names(self):
        """Functions lose their names, but for those that the object's own relocations need."""
        needed = set()
        for section in self.sections:
            if section[1] == 4:
                for at in range(section[4], section[4] + section[5], 24):
                    needed.add(struct.unpack_from("<Q", self.bytes, at + 8)[0] >> 32)
        for number, *_ in list(self.functions()):
            if number not in needed:
                struct.pack_into("<I", self.bytes, self.dynsym[4] + 24 * number, 0)
        # It is another object now: what is kept of the first by its build id does not hold for this one.
        for section in self.sections:
            if section[1] == 7 and self.bytes[section[4] + 8:section[4] + 16] == struct.pack("<I4s", 3, b"GNU\0"):
                self.bytes[section[4] + section[5] - 1] ^= 0xff


def widest_vector():
    """Bytes of this machine's longest vectors."""
    flags = set(re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split())
    return 64 if "avx512f" in flags else 32 if "avx2" in flags else 16


def inputs():
    """Arguments that differ from each other: their making is not what is checked, so it takes a process of its own."""
    import numpy as np

    path = os.environ[INPUTS]
    if not Path(path).exists():
        ranges = [np.linspace(-1, 1, 1021), np.linspace(0.1, 30, 4093), np.geomspace(1e-6, 1e6, 1021)]
        np.save(path, np.concatenate(ranges))
    return np.load(path)


def record_of_mkl():
    """Each function of MKL's vector mathematics in each accuracy."""
    import numpy as np

    folder = [Path(p) / "lib" for p in (sys.prefix, *sys.path)] + [Path(p) for p in sys.path]
    paths = sorted(path for one in folder if one.is_dir() for path in one.glob("libmkl_rt.so*"))
    library = ctypes.CDLL(str(paths[-1]))
    one = ("Acos Acosh Acospi Asin Asinh Asinpi Atan Atanh Atanpi Cbrt CdfNorm CdfNormInv Cos Cosd Cosh Cospi Erf Erfc ErfcInv "
           "ErfCx ErfInv Exp Exp10 Exp2 ExpInt1 Expm1 I0 I1 Inv InvCbrt InvSqrt J0 J1 LGamma Ln Log10 Log1p Log2 Logb Pow2o3 "
           "Pow3o2 Sin Sind Sinh Sinpi Sqrt Tan Tand Tanh Tanpi TGamma Y0 Y1").split()
    two = "Atan2 Atan2pi Div Hypot Pow Powr Fmod Remainder".split()
    x = inputs()
    y = np.roll(x, 517)
    for kind, dtype in (("s", np.float32), ("d", np.float64), ("c", np.complex64), ("z", np.complex128)):
        if kind in "sd":
            a, b = x.astype(dtype), y.astype(dtype)
        else:
            a, b = (x + 1j * y).astype(dtype), (y - 1j * np.roll(x, 99)).astype(dtype)
        for name in one + two:
            function = getattr(library, f"vm{kind}{name}", None)
            if function is None:
                continue
            for mode, accuracy in ((1, "LA"), (2, "HA"), (3, "EP")):
                result = np.zeros_like(a)
                arrays = [a, b, result] if name in two else [a, result]
                pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in arrays]
                function(ctypes.c_int(len(a)), *pointers, ctypes.c_longlong(mode | 0x100))
                yield f"vm{kind}{name} {accuracy}", result


def record_of_numpy():
    import numpy as np

    names = "arccos arccosh arcsin arcsinh arctan arctanh cbrt cos cosh exp exp2 expm1 log log10 log1p log2 sin sinh tan tanh".split()
    with np.errstate(all="ignore"):
        for dtype in ("f2", "f4", "f8"):
            x = inputs().astype(dtype)
            # Loops over strided arrays are others.
            for view, x in (("", x), (", strided", np.repeat(x, 3)[::3])):
                for name in names:
                    yield f"{name} {dtype}{view}", getattr(np, name)(x)
                for name in ("power", "arctan2", "hypot", "fmod", "logaddexp", "logaddexp2"):
                    yield f"{name} {dtype}{view}", getattr(np, name)(np.abs(x), np.roll(x, 99))
        for dtype in ("c8", "c16"):
            x = (inputs() + 1j * np.roll(inputs(), 99)).astype(dtype)
            for name in names:
                if name != "cbrt":
                    yield f"{name} {dtype}", getattr(np, name)(x)


def record_of_torch():
    import numpy as np
    import torch

    torch.set_num_threads(1)
    names = ("acos acosh asin asinh atan atanh cos cosh erf erfc erfinv exp exp2 expm1 lgamma log log10 log1p log2 sigmoid sin "
             "sinh tan tanh digamma rsqrt").split()
    for dtype in (torch.float32, torch.float64):
        x = torch.from_numpy(inputs()).to(dtype)
        for name in names:
            yield f"{name} {dtype}", getattr(torch, name)(x).numpy()
        yield f"pow {dtype}", torch.pow(x.abs(), x.roll(99).clamp(-8, 8)).numpy()
        yield f"atan2 {dtype}", torch.atan2(x, x.roll(99)).numpy()
        yield f"hypot {dtype}", torch.hypot(x, x.roll(99)).numpy()


def record(library):
    import numpy as np

    for name, value in globals()[f"record_of_{library}"]():
        # NaN in whatever form counts as one, in each part of a complex number.
        value = np.ascontiguousarray(value)
        parts = value.view(value.real.dtype)
        value = np.where(np.isnan(parts), parts.dtype.type(0.12345), parts)
        print(f"{name}\t{hashlib.sha256(value.tobytes()).hexdigest()[:16]}", flush=True)


def results(command, text, environment):
    """Functions and hashes of their results; the process must come to its end."""
    done = subprocess.run(command, input=text, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode} of {' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return dict(line.split("\t") for line in done.stdout.splitlines())


def path_of(library, given):
    """Where a shared object is, if anywhere."""
    if library in given:
        return Path(given[library])
    loaded = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    found = re.search(rf"{re.escape(OBJECTS[library])}\b.*=> (\S+)", loaded)
    return Path(found[1]) if found else None


def runs(library, choice, folder):
    """Commands for a library, each with its input, the environment and a name; nothing if it is not installed."""
    given = dict(entry.split("=", 1) for entry in choice.library)
    environment = dict(os.environ, OMP_NUM_THREADS="1", MKL_THREADING_LAYER="SEQUENTIAL")
    environment[INPUTS] = str(Path(folder, "inputs.npy"))
    widest = widest_vector()
    if library in OBJECTS:
        path = path_of(library, given)
        if path is None or not path.exists():
            return None
        elf = Elf(path)
        lines = []
        for _, name, address, kind in elf.functions():
            call = signature(name)
            if call and call[1] * (4 if call[0] == "f" else 8) <= widest:
                lines.append(f"{address:x} {kind} {call[0]} {call[1]} {call[2]} {name}")
        if choice.nameless:
            elf.forget_names()
            path = Path(folder, "library.so")
            path.write_bytes(elf.bytes)
        driver = Path(folder, "driver")
        if not driver.exists():
            source = Path(folder, "driver.c")
            source.write_text(DRIVER)
            subprocess.run(["cc", "-O1", "-w", "-o", driver, source, "-ldl", "-lm"], check=True)
        return [(library, [str(driver), str(path)], "\n".join(sorted(set(lines))) + "\n", environment)]
    if library == "java":
        if subprocess.run([choice.java, "-version"], capture_output=True).returncode:
            return None
        source = Path(folder, "Functions.java")
        source.write_text(JAVA)
        return [(library, [choice.java, "--add-modules", "jdk.incubator.vector", str(source)], "", environment)]
    python = dict(entry.split("=", 1) for entry in choice.python).get(library, sys.executable)
    module = "numpy" if library == "mkl" else library
    if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode:
        return None
    command = [python, __file__, "--record", library]
    if library != "mkl":
        return [(library, command, "", environment)]
    if subprocess.run(command, env=environment, capture_output=True).returncode:
        return None
    sets = ["SSE4_2", "AVX2", "AVX512"][: {16: 1, 32: 2, 64: 3}[widest]]
    return [(f"mkl, {isa}", command, "", dict(environment, MKL_ENABLE_INSTRUCTIONS=isa)) for isa in sets]


def main():
    libraries = [*OBJECTS, *PYTHON, "java"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binade", default=os.environ.get("BINADE", "binade"))
    parser.add_argument("--arith", action="append", help="an operator; may be given several times")
    parser.add_argument("--every", action="store_true", help="every kind of operator, and other roundings")
    parser.add_argument("--java", default="java")
    parser.add_argument("--also", help="further operations that the operator computes")
    parser.add_argument("--only", help="the objects that are changed, as in `binade run --only`")
    parser.add_argument("--nameless", action="store_true")
    parser.add_argument("--library", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--python", action="append", default=[], metavar="NAME=PYTHON")
    parser.add_argument("--may-skip", action="store_true")
    parser.add_argument("--record", help=argparse.SUPPRESS)
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY")
    choice = parser.parse_args()
    if choice.record:
        record(choice.record)
        return
    good = True
    for library in choice.libraries or libraries:
        if library not in libraries:
            parser.error(f"{library} is none of {', '.join(libraries)}")
        with tempfile.TemporaryDirectory() as folder:
            commands = runs(library, choice, folder)
            if commands is None:
                print(f"{library}: SKIPPED, it is not installed")
                good &= choice.may_skip
                continue
            for name, command, text, environment in commands:
                native = results(command, text, environment)
                if choice.also and library == "numpy":
                    native = {function: value for function, value in native.items() if not COMPOSED.search(function)}
                for arith in choice.arith or (EVERY if choice.every else OPERATORS):
                    options = [*(["--also", choice.also] if choice.also else []), *(["--only", choice.only] if choice.only else [])]
                    prefix = [choice.binade, "run", "--quiet", "--arith", *arith.split(), *options, "--"]
                    there = results([*prefix, *command], text, environment)
                    differ = [function for function in native if there.get(function) != native[function]]
                    shown = ": " + ", ".join(differ[:8]) + (", …" if len(differ) > 8 else "") if differ else ""
                    print(f"{name}: {len(native)} functions under {arith}, {len(differ)} differ{shown}", flush=True)
                    good &= not differ and bool(native)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
