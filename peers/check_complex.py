"""Complex functions of `binade hlo` against MPC, at the ends of the range, near singular points and between them.

    python peers/check_complex.py [--points N] [--seed N] [--rows] [FUNCTION…]

Points have components that are zeros, subnormal, of any exponent, about 1, and the largest numbers; others are near branch points, near
the unit circle (where ln |z| cancels), the nearest of 1 and of ±i among them. Each function is evaluated on complex64 and complex128 by one
program. Components are compared one by one with those of MPC (gmpy2), rounded from 300 bits: the distance is counted in steps between
neighbouring numbers. Of the functions in WHOLE the distance is
relative to the whole number. Exit code 1: a distance is larger than the limit of its function. Infinities and NaN are unit tests of
binade-hlo, by C's Annex G. `--rows` prints complex_rows.rs of these tests instead.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

# The distance in steps that is allowed in each component.
FUNCTIONS = {
    "stablehlo.log": 2, "stablehlo.log_plus_one": 2, "stablehlo.sqrt": 2, "stablehlo.exponential": 2, "stablehlo.cosine": 2,
    "stablehlo.sine": 2, "stablehlo.tan": 6, "stablehlo.tanh": 6, "chlo.sinh": 3, "chlo.cosh": 3, "chlo.asin": 3, "chlo.acos": 3,
    "chlo.asinh": 3, "chlo.acosh": 3, "chlo.atan": 3, "chlo.atanh": 3, "stablehlo.abs": 1,
    # Relative to the whole number, in its units in the last place.
    "stablehlo.exponential_minus_one": 4, "stablehlo.cbrt": 4, "stablehlo.rsqrt": 4, "stablehlo.logistic": 6, "stablehlo.sign": 2,
}
WHOLE = ("exponential_minus_one", "cbrt", "rsqrt", "logistic", "sign")


def points(count, generator):
    """Pairs of binary64."""
    top = np.finfo(np.float64).max
    ends = [0.0, 5e-324, 1e-310, 2.2250738585072014e-308, 1e-160, 1e-20, 1e-8, 0.5, 1.0, 2.0, 25.0, 710.0, 1e8, 1e160, top / 4, top]
    pairs = [(x, y) for x in ends for y in ends]

    def numbers(n, low, high):
        return generator.uniform(1, 2, n) * 2.0 ** generator.integers(low, high, n)

    for low, high in [(-1074, 1024), (-60, 60), (-8, 8)]:
        pairs += zip(numbers(count, low, high), numbers(count, low, high), strict=True)
    # Around branch points and zeros, and around the unit circle.
    for x, y in [(1, 0), (0, 1), (0, 0), (0, np.pi / 2), (0, np.pi), (1, 1e-200)]:
        pairs += zip(x + numbers(count // 4, -60, -2), y + numbers(count // 4, -120, -2), strict=True)
    angle = generator.uniform(0, np.pi / 2, count)
    size = 1 + np.concatenate([np.zeros(count // 2), numbers(count - count // 2, -53, -3)])
    pairs += zip(size * np.cos(angle), size * np.sin(angle), strict=True)
    # z = −1 + e^iθ, where 1 + z is on the circle, and tiny ones.
    pairs += zip(np.cos(angle) - 1, np.sin(angle), strict=True)
    tiny = numbers(count // 2, -200, -20)
    pairs += zip(-tiny * tiny / 2, tiny, strict=True)
    signs = generator.choice([-1.0, 1.0], (len(pairs), 2))
    return np.array(pairs) * np.where(np.arange(len(pairs))[:, None] % 2 == 0, 1, signs)


def expected(function, x, y):
    """Both components as numbers of 300 bits."""
    import gmpy2

    name = function.split(".")[1]
    z = gmpy2.mpc(gmpy2.mpfr(x), gmpy2.mpfr(y))
    one = gmpy2.mpc(1)
    with gmpy2.context(gmpy2.get_context(), precision=300):
        of = {
            "log": gmpy2.log, "sqrt": gmpy2.sqrt, "exponential": gmpy2.exp, "cosine": gmpy2.cos, "sine": gmpy2.sin, "tan": gmpy2.tan,
            "tanh": gmpy2.tanh, "sinh": gmpy2.sinh, "cosh": gmpy2.cosh, "asin": gmpy2.asin, "acos": gmpy2.acos, "asinh": gmpy2.asinh,
            "acosh": gmpy2.acosh, "atan": gmpy2.atan, "atanh": gmpy2.atanh,
        }
        if name in of:
            return of[name](z)
        if name == "abs":
            return gmpy2.mpc(abs(z))
        if name == "sign":
            return z / abs(z) if z else z
        if name == "rsqrt":
            return one / gmpy2.sqrt(z)
        if name == "cbrt":
            return gmpy2.exp(gmpy2.log(z) / 3)
        with gmpy2.context(gmpy2.get_context(), precision=2400):
            if name == "log_plus_one":
                re, im = gmpy2.mpfr(x), gmpy2.mpfr(y)
                more, moved = 2 * re + re * re + im * im, 1 + re
            elif name == "exponential_minus_one":
                return gmpy2.exp(z) - one
            else:
                return one / (one + gmpy2.exp(-z))
        # MPC's own logarithm errs where 1 + z has more bits than the result.
        return gmpy2.mpc(gmpy2.log1p(more) / 2, gmpy2.atan2(im, moved))


def ordered(x):
    """Numbers of one type as integers in their order."""
    bits = x.view(np.int32 if x.dtype == np.float32 else np.int64).astype(object)
    lowest = np.iinfo(np.int32 if x.dtype == np.float32 else np.int64).min
    return np.array([b if b >= 0 else lowest - b for b in bits.ravel()], dtype=object).reshape(x.shape)


def evaluate(functions, pairs):
    """Results of each function, as pairs of the type of the points."""
    from command import run

    kind = "f64" if pairs.dtype == np.float64 else "f32"
    n = len(pairs)
    results, lines = [], []
    for at, function in enumerate(functions):
        result = kind if function == "stablehlo.abs" else f"complex<{kind}>"
        lines.append(f'  %{at} = "{function}"(%z) : (tensor<{n}xcomplex<{kind}>>) -> tensor<{n}x{result}>')
        results.append(f"tensor<{n}x{result}>")
    names = ", ".join(f"%{at}" for at in range(len(functions)))
    words = pairs.astype("<" + pairs.dtype.str[1:]).tobytes().hex().upper()
    text = (
        f"func.func @main() -> ({', '.join(results)}) {{\n"
        f'  %z = stablehlo.constant dense<"0x{words}"> : tensor<{n}xcomplex<{kind}>>\n'
        + "\n".join(lines)
        + f"\n  return {names} : {', '.join(results)}\n}}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.mlir")
        program.write_text(text)
        run("hlo", "run", str(program), "--output-dir", folder, "--force")
        for at in range(len(functions)):
            found = np.load(Path(folder, f"out{at}.npy"))
            if not np.iscomplexobj(found):
                found = found.astype(complex)
            yield np.stack([found.real, found.imag], axis=1).astype(pairs.dtype)


def check(function, pairs, found):
    """The largest distance, where, and whether it is within the limit."""
    name = function.split(".")[1]
    import gmpy2

    wide = [expected(function, float(x), float(y)) for x, y in pairs]
    if name in WHOLE:
        epsilon, least = float(np.finfo(pairs.dtype).eps), float(np.finfo(pairs.dtype).smallest_subnormal)
        top = float(np.finfo(pairs.dtype).max)
        distances = []
        for w, (x, y) in zip(wide, found, strict=True):
            if not (abs(w) <= top) or not w == w:
                distances.append(0)
                continue
            gap = abs(gmpy2.mpc(float(x), float(y)) - w)
            distances.append(float(gap / max(abs(w) * epsilon, least)) if gap == gap else np.inf)
        distances = np.array(distances)
    else:
        with np.errstate(all="ignore"):
            right = np.array([(float(w.real), float(w.imag)) for w in wide]).astype(pairs.dtype)
        distances = np.abs(ordered(right) - ordered(np.ascontiguousarray(found)))
        same = (np.isnan(right) & np.isnan(found)) | (right == found)
        distances = np.where(same, 0, np.where(np.isnan(right) != np.isnan(found), 1 << 63, distances)).max(axis=1)
    at = int(np.argmax(distances))
    return float(distances[at]), pairs[at], found[at], wide[at]


# Unary operations of binade-hlo by name, and arguments at which other formulas fail.
ROWS = {
    "log": "Log", "log_plus_one": "LogPlusOne", "sqrt": "Sqrt", "exponential": "Exponential", "cosine": "Cosine", "sine": "Sine",
    "sinh": "Sinh", "cosh": "Cosh", "asin": "Asin", "acos": "Acos", "asinh": "Asinh", "acosh": "Acosh", "atan": "Atan", "atanh": "Atanh",
    "tanh": "Tanh",
}
TOP = float(np.finfo(np.float64).max)
SHARED = [(TOP, TOP), (TOP, -1.0), (-1.0, TOP), (5e-324, 5e-324), (-5e-324, 1.0), (1.0, 5e-324), (1e-200, 1e-160), (-1e-8, 1e-8)]
OWN = {
    "log": [(0.8, 0.6), (0.28, -0.96), (0.999999999999, 1.4e-6), (1.0, 1e-160), (0.6999999999999999, 0.7141428428542851)],
    "log_plus_one": [(-5e-17, 1e-8), (-0.2, 0.6), (-1.0, 1e-300), (-0.5, 0.8660254037844386), (1e-300, 1e-150)],
    "sqrt": [(2.0**400, 2.0**-800), (-(2.0**-800), 2.0**400)],
    "exponential": [(709.9, 0.78), (-744.0, 1.0), (709.78, 1.5707963267948966)],
    "sinh": [(710.2, 1.0), (-710.2, 1.5707963267948966), (1e-8, 1e-8)],
    "cosh": [(710.2, 1.0), (-710.2, 1.5707963267948966), (1e-8, 1e-8)],
    "tanh": [(373.0, 1.0), (1e-300, 1.5707963267948966)],
    "asin": [(1.0, 1e-310), (1.0000000000000002, 1e-17), (1e160, 1e-160), (0.9999999999999999, 1e-170)],
    "acos": [(1.0, 1e-310), (1.0000000000000002, 1e-17), (-1.0, 1e-200)],
    "acosh": [(1.0, 1e-310), (1e160, 1e-160)],
    "atanh": [(1.0, 1e-310), (1e-200, 2e-200), (1e160, 1e160), (1.0, 1e-9)],
    "atan": [(1e-310, 1.0), (1e300, 1e-300)],
}


def rows():
    """The table of binade-hlo's unit test."""
    print("// Arguments and values of complex functions: `peers/check_complex.py --rows` prints them, by MPC.")
    print("[")
    for name, op in ROWS.items():
        kept = [] if name in ("exponential", "cosine", "sine", "sinh", "cosh", "tanh") else SHARED[:3]
        for x, y in kept + SHARED[3:] + OWN.get(name, []):
            w = expected(f".{name}", x, y)
            print(f"    (Unary::{op}, [{x!r}, {y!r}], [{float(w.real)!r}, {float(w.imag)!r}]),")
    print("]")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--points", type=int, default=400, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("functions", nargs="*")
    options = parser.parse_args()
    functions = [f for f in FUNCTIONS if not options.functions or f.split(".")[1] in options.functions]
    wrong = 0
    import gmpy2

    gmpy2.get_context().precision = 300
    if options.rows:
        return rows()
    for kind in (np.float64, np.float32):
        with np.errstate(all="ignore"):
            pairs = points(options.points, np.random.default_rng(options.seed)).astype(kind)
        pairs = pairs[np.isfinite(pairs).all(axis=1)]
        for function, found in zip(functions, evaluate(functions, pairs), strict=True):
            taken = np.ones(len(pairs), bool)
            if kind == np.float32 and function in ("chlo.sinh", "chlo.cosh"):
                # Larger ones are chlo's steps in binary32, each rounded, as upstream's test data have them.
                taken = np.abs(pairs[:, 0]) < 1
            most, point, result, right = check(function, pairs[taken], found[taken])
            verdict = "" if most <= FUNCTIONS[function] else "  wrong"
            wrong += bool(verdict)
            where = f"at {point.tolist()}: {result.tolist()} for {complex(right)}" if most else ""
            print(f"{function:32} complex{16 * pairs.itemsize:<4} {taken.sum()} points, {most:.3g} of {FUNCTIONS[function]}{verdict}  {where}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
