"""Products of matrices in blocks against rational numbers: `binade matmul --in`, from the numbers to the last bit of the result.

    BINADE=target/release/binade python3 peers/check_block_products.py [--cases N] [--seed S]

Scales, elements, sums within a block and across blocks are all computed here with Python's Fractions from the definitions
of OCP MX 1.0 (§5.3, §6.3), NVFP4 and DeepSeek-V3 (§3.3); nothing but numbers goes into the command and comes out of it.
The exact products are compared with what emulations compute, too: the product of dequantised matrices, rounded once.
"""

import argparse
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np

from command import run


def power(exponent):
    return Fraction(2) ** exponent


def log2_floor(x):
    """⌊log2 x⌋ of a positive fraction."""
    guess = x.numerator.bit_length() - x.denominator.bit_length()
    return guess if power(guess) <= x else guess - 1


def to_unit(x, unit):
    """To a multiple of the unit: nearest, ties to even, as Python rounds fractions."""
    return round(x / unit) * unit


def to_float(x, precision, emin, largest=None):
    """To nearest even with so many bits; beyond the largest value, that."""
    if x == 0:
        return x
    rounded = to_unit(x, power(max(log2_floor(abs(x)), emin) - precision + 1))
    if largest is not None and abs(rounded) > largest:
        return largest if x > 0 else -largest
    return rounded


def to_binary32(x):
    rounded = to_float(x, 24, -126)
    assert abs(rounded) < power(128)
    return rounded


# Precision, emin and the largest value of elements.
E4M3 = (4, -6, Fraction(448))
E5M2 = (3, -14, Fraction(57344))
E3M2 = (3, -2, Fraction(28))
E2M3 = (4, 0, Fraction(15, 2))
E2M1 = (2, 0, Fraction(6))
# Two's complement in units of 2^-6, clamped to the same on both sides.
INT8 = (7, 0, Fraction(127, 64))
MX = {"mxfp8_e4m3": E4M3, "mxfp8_e5m2": E5M2, "mxfp6_e3m2": E3M2, "mxfp6_e2m3": E2M3, "mxfp4": E2M1, "mxint8": INT8}


def encoded(name, rows, weights):
    """Rows of numbers as (scale over all, scale by row and block, element by row and column, length of a block)."""
    largest = max((abs(x) for row in rows for x in row), default=Fraction(0))
    over, length = Fraction(1), {"nvfp4": 16, "deepseek_fp8": 128}.get(name, 32)
    element = MX.get(name) or (E2M1 if name == "nvfp4" else E4M3)
    tall = 128 if name == "deepseek_fp8" and weights else 1
    if name == "nvfp4" and largest:
        over = to_binary32(largest / (E2M1[2] * E4M3[2]))
    scales = [[Fraction(1)] * -(-len(rows[0]) // length) for _ in rows]
    for top in range(0, len(rows), tall):
        for block in range(len(scales[0])):
            cells = [x for row in rows[top : top + tall] for x in row[block * length : (block + 1) * length]]
            most = max(map(abs, cells))
            if most == 0:
                scale = Fraction(1)
            elif name in MX:
                scale = power(max(-127, min(127, log2_floor(most) - log2_floor(element[2]))))
            elif name == "nvfp4":
                scale = to_float(most / (over * element[2]), *E4M3) or power(-9)
            else:
                scale = to_binary32(most / element[2])
            for row in range(top, min(top + tall, len(rows))):
                scales[row][block] = scale
    elements = [
        [to_float(x / (over * scales[i][j // length]), *element) for j, x in enumerate(row)] for i, row in enumerate(rows)
    ]
    return over, scales, elements, length


def aligned(products, bits):
    most = max(map(abs, products))
    if most == 0:
        return Fraction(0)
    unit = power(log2_floor(most) - bits)
    return to_binary32(Fraction(sum(int(product / unit) for product in products))) * unit


def product(a, b, order):
    over_a, scales_a, elements_a, length = a
    over_b, scales_b, elements_b, _ = b
    for scale_a, row in zip(scales_a, elements_a):
        for scale_b, column in zip(scales_b, elements_b):
            total = Fraction(0)
            for block, (s, t) in enumerate(zip(scale_a, scale_b)):
                products = [x * y for x, y in zip(row[block * length :][:length], column[block * length :][:length])]
                if order == "exact":
                    total += sum(products) * s * t
                    continue
                inner = Fraction(0)
                if order == "sequential":
                    for one in products:
                        inner = to_binary32(inner + one)
                else:
                    for start in range(0, len(products), 16):
                        inner = to_binary32(inner + aligned(products[start : start + 16], 14))
                total = to_binary32(total + to_binary32(inner * s * t))
            yield to_binary32(total * over_a * over_b)


def dequantised(coded):
    over, scales, elements, length = coded
    return [[x * scale[j // length] * over for j, x in enumerate(row)] for scale, row in zip(scales, elements)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cases", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    names = [*MX, "nvfp4", "deepseek_fp8"]
    pairs = [(name, name) for name in names] + [("mxfp4", "mxfp8_e4m3"), ("mxfp6_e2m3", "mxfp8_e5m2")]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, name)) for name in ("a.npy", "b.npy", "c.npy")]
        for case in range(options.cases):
            random = np.random.default_rng([options.seed, case])
            for left, right in pairs:
                rows, depth, columns = (int(random.integers(1, high)) for high in (5, 300, 5))
                columns = columns + 130 if right == "deepseek_fp8" and case == 0 else columns
                depth = min(depth, 140) if columns > 130 else depth
                spread = [0, 3, 12][case % 3]
                a, b = (
                    (random.standard_normal(shape) * 2.0 ** random.integers(-spread, spread + 1, shape)).astype(np.float32)
                    for shape in ((rows, depth), (depth, columns))
                )
                a[random.random(a.shape) < 0.1] = 0
                np.save(files[0], a)
                np.save(files[1], b)
                fractions = [[[Fraction(float(x)) for x in row] for row in side] for side in (a, b.T)]
                coded = [encoded(left, fractions[0], False), encoded(right, fractions[1], True)]
                plain = [dequantised(side) for side in coded]
                for order in ("sequential", "aligned:16,14", "exact"):
                    wanted = list(product(*coded, order))
                    if order == "exact":
                        whole = [to_binary32(sum(x * y for x, y in zip(row, column))) for row in plain[0] for column in plain[1]]
                        assert wanted == whole
                    threads = str(int(random.integers(1, 4)))
                    run("matmul", *files[:2], "--in", f"{left},{right}", "--order", order, "--threads", threads, "--force", "-o", files[2])
                    found = np.load(files[2]).ravel()
                    wrong = [(float(x), float(y)) for x, y in zip(found, wanted) if Fraction(float(x)) != y]
                    passed += len(wanted) - len(wrong)
                    failed += len(wrong)
                    if wrong or len(found) != len(wanted):
                        failed += len(found) != len(wanted)
                        print(f"FAILED {left},{right} {order} {rows}×{depth}×{columns}: {len(wrong)}, first {wrong[:3]}")
    print(f"{passed} elements passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
