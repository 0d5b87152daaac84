"""binade against the processor, through numpy: binary16, binary32 and binary64, bit for bit."""

import numpy as np

from command import convert, evaluate, random_codes
from tally import Tally

QUIRKS = {
    "nan-sign": "the processor gives a NaN the sign and payload of its operand; binade answers the canonical NaN",
    "divide-by-zero": "IEEE 754 divides by zero to an infinity; P3109 §4.8.3 says NaN",
}

# Name, numpy's type, width, trailing significand bits.
FORMATS = [("f16", np.float16, 16, 10), ("f32", np.float32, 32, 23), ("f64", np.float64, 64, 52)]

OPERATIONS = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}

SAMPLES = 200_000


def operands(width, trailing, seed):
    """Random pairs: independent ones, pairs of near exponents (cancellation, ties), subnormal and special ones."""
    left, right = random_codes(width, SAMPLES, seed), random_codes(width, SAMPLES, seed + 1)
    sign = np.uint64(1 << (width - 1))
    fraction = np.uint64((1 << trailing) - 1)
    exponent = ~(sign | fraction) & np.uint64((1 << width) - 1)
    near = np.arange(SAMPLES) % 4 == 1
    shift = random_codes(3, SAMPLES, seed + 2) << np.uint64(trailing)
    right[near] = ((left ^ shift) & exponent | right & (sign | fraction))[near]
    tiny = np.arange(SAMPLES) % 4 == 2
    right[tiny] &= ~exponent
    specials = np.array([0, sign, exponent, exponent | sign, 1, fraction, exponent - np.uint64(1)], np.uint64)
    some = np.arange(SAMPLES) % 64 == 3
    right[some] = np.resize(specials, np.count_nonzero(some))
    left[np.arange(SAMPLES) % 448 == 3] = np.uint64(0)
    return left, right


def main():
    np.seterr(all="ignore")
    tally = Tally(QUIRKS)
    for seed, (name, kind, width, trailing) in enumerate(FORMATS):
        unsigned = np.dtype(f"u{width // 8}")
        left, right = operands(width, trailing, 100 * seed)
        a, b = left.astype(unsigned).view(kind), right.astype(unsigned).view(kind)
        # All ones in the exponent field, and the top trailing bit.
        nan = ((1 << (width - 1)) - 1) & ~((1 << (trailing - 1)) - 1)

        def compare(operation, ours, values, inputs, more=()):
            theirs = values.view(np.dtype(f"u{values.dtype.itemsize}")).astype(np.uint64)
            tally.compare(operation, ours, theirs, inputs, [*more, ("nan-sign", np.isnan(values), nan)])

        for operation, function in OPERATIONS.items():
            ours = evaluate(operation, [name, name], name, [left, right])
            by_zero = [("divide-by-zero", b == 0, nan)] if operation == "divide" else []
            compare(f"{operation} {name}", ours, function(a, b), [left, right], by_zero)
        ours = evaluate("sqrt", [name], name, [left])
        compare(f"sqrt {name}", ours, np.sqrt(a), [left])
        for source, source_kind, source_width, source_trailing in FORMATS:
            codes, _ = operands(source_width, source_trailing, 100 * seed + 50)
            values = codes.astype(np.dtype(f"u{source_width // 8}")).view(source_kind)
            compare(f"convert {source} {name}", convert(source, name, codes), values.astype(kind), [codes])
    tally.close()


if __name__ == "__main__":
    main()
