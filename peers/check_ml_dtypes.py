"""binade against ml_dtypes: decoding, conversion from binary16, binary32 and binary64, arithmetic.

ml_dtypes computes in binary32 and rounds the result once more. For + - * / and square root of formats with at most
11 significand bits the second rounding is innocent (24 >= 2 * 11 + 2) as long as the binary32 result is normal.
"""

import numpy as np
import ml_dtypes

from command import Table, bits32, bits64, convert, edges32, evaluate, random_codes, run
from tally import Tally

# Type, width, canonical NaN (None: the format has none), largest finite code.
TYPES = [
    ("bfloat16", 16, 0x7FC0, 0x7F7F),
    ("float4_e2m1fn", 4, None, 0x7),
    ("float6_e2m3fn", 6, None, 0x1F),
    ("float6_e3m2fn", 6, None, 0x1F),
    ("float8_e3m4", 8, 0x78, 0x6F),
    ("float8_e4m3", 8, 0x7C, 0x77),
    ("float8_e4m3b11fnuz", 8, 0x80, 0x7F),
    ("float8_e4m3fn", 8, 0x7F, 0x7E),
    ("float8_e4m3fnuz", 8, 0x80, 0x7F),
    ("float8_e5m2", 8, 0x7E, 0x7B),
    ("float8_e5m2fnuz", 8, 0x80, 0x7F),
    ("float8_e8m0fnu", 8, 0xFF, 0xFE),
]

QUIRKS = {
    "nan-sign": "ml_dtypes gives a NaN the sign of its operand or of the processor; binade answers the canonical NaN",
    "no-nan": "ml_dtypes turns NaN into a zero where there is no NaN; binade into the largest magnitude, flag i",
    "e8m0-tie": "ml_dtypes rounds a tie of E8M0 up; P3109 §4.6.3 rounds P = 1 by the parity of the code",
    "e8m0-lowest": "ml_dtypes rounds what lies between 2^-127 and 1.5 * 2^-127 up, away from the nearer 2^-127",
    "double-rounding": "ml_dtypes converts binary64 through binary32, so it rounds twice; binade rounds once",
    "divide-by-zero": "ml_dtypes divides by zero as IEEE 754 does; P3109 §4.8.3 says NaN",
    "binary32-underflow": "the binary32 intermediate result is subnormal or zero, so that ml_dtypes rounds twice",
}

OPERATIONS = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}


def ties_of_e8m0(values):
    """Where a value lies halfway between two powers of two, and whose code is even."""
    significand, exponent = np.frexp(values)
    lower = np.maximum(exponent + 126, 0)
    return (significand == 0.75) & (lower <= 254), np.where(lower % 2 == 0, lower, lower + 1).astype(np.uint64)


def to_odd32(values):
    """binary64 to binary32, rounded to odd: any later rounding to 22 bits or fewer gives the correct result."""
    with np.errstate(over="ignore"):
        nearest = values.astype(np.float32)
    back = nearest.astype(np.float64)
    toward_zero = np.where(np.abs(back) > np.abs(values), np.nextafter(nearest, np.float32(0)), nearest)
    toward_zero = toward_zero.astype(np.float32)
    inexact = np.isfinite(values) & (toward_zero.astype(np.float64) != values)
    codes = toward_zero.view(np.uint32)
    return np.where(inexact, codes | np.uint32(1), codes).astype(np.uint32).view(np.float32)


class Type:
    """A type of ml_dtypes and binade's table of the same format."""

    def __init__(self, name, width, nan, largest):
        self.name, self.width, self.nan, self.largest = name, width, nan, largest
        self.dtype = np.dtype(getattr(ml_dtypes, name))
        self.unsigned = np.dtype(f"u{self.dtype.itemsize}")
        self.codes = np.arange(1 << width, dtype=np.uint64)
        self.table = Table(name)
        self.sign = np.uint64(1 << (width - 1))

    def of(self, codes):
        """ml_dtypes' values of codes."""
        return codes.astype(self.unsigned).view(self.dtype)

    def code(self, values):
        """Codes of ml_dtypes' values."""
        return values.view(self.unsigned).astype(np.uint64)

    def quirks(self, theirs, exact, nan_negative):
        """The quirks of any result: `exact` is the result before rounding, `nan_negative` a NaN operand's sign."""
        if self.nan is None:
            largest = np.where(nan_negative, self.largest | int(self.sign), self.largest)
            return [("no-nan", np.isnan(exact), largest)]
        found = [("nan-sign", np.isnan(self.table.values[theirs.astype(np.int64)]), self.nan)]
        if self.name == "float8_e8m0fnu":
            found.append(("e8m0-tie", *ties_of_e8m0(exact)))
            found.append(("e8m0-lowest", (exact > 2.0**-127) & (exact < 1.5 * 2.0**-127), np.uint64(0)))
        return found


def check_decode(tally, kind):
    """Every code means the same; NaNs are compared as NaN."""
    theirs = kind.of(kind.codes).astype(np.float64)
    ours, theirs = (np.where(np.isnan(x), np.nan, x) for x in (kind.table.values, theirs))
    tally.compare(f"decode {kind.name}", bits64(ours), bits64(theirs), [kind.codes])


def check_convert(tally, kind, source, codes, values, *more):
    """Conversion from IEEE values, to nearest even; `more` are quirks of the source."""
    theirs = kind.code(values.astype(kind.dtype))
    ours = convert(source, kind.name, codes)
    quirks = [*more, *kind.quirks(theirs, values.astype(np.float64), np.signbit(values))]
    tally.compare(f"convert {source} {kind.name}", ours, theirs, [codes], quirks)


def check_encode(tally, kind):
    """`binade encode FORMAT -` reads values from lines."""
    values = random_codes(32, 20_000, 5).astype(np.uint32).view(np.float32)
    values = values[np.isfinite(values)].astype(np.float64)
    lines = run("encode", kind.name, "-", text="".join(f"{value.hex()}\n" for value in values.tolist()))
    theirs = kind.code(values.astype(np.float32).astype(kind.dtype))
    ours = np.array([int(line, 16) for line in lines.split()], dtype=np.uint64)
    quirks = kind.quirks(theirs, values, np.signbit(values))
    tally.compare(f"encode {kind.name}", ours, theirs, [bits64(values)], quirks)


def check_arithmetic(tally, kind):
    """All pairs of codes of up to eight bits, random pairs of wider ones."""
    if kind.width <= 8:
        left, right = (grid.ravel() for grid in np.meshgrid(kind.codes, kind.codes, indexing="ij"))
    else:
        left, right = random_codes(kind.width, 300_000, 7), random_codes(kind.width, 300_000, 8)
        # A third of them near each other, so that sums do not merely absorb one operand.
        right[::3] = (left[::3] & ~np.uint64(0xFF)) ^ (right[::3] & np.uint64(0x80FF))
    a, b = kind.of(left), kind.of(right)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    negative = np.where(np.isnan(wide_a), left & kind.sign, right & kind.sign) != 0
    for name, operation in OPERATIONS.items():
        theirs = kind.code(operation(a, b))
        ours = evaluate(name, [kind.name, kind.name], kind.name, [left, right])
        # binary64 holds sums that matter, products and (to 53 bits, far from every tie) quotients of these formats.
        exact = operation(wide_a, wide_b)
        undefined = np.isnan(exact) & ~np.isnan(wide_a) & ~np.isnan(wide_b)
        quirks = []
        if name == "divide":
            quirks.append(("divide-by-zero", wide_b == 0, kind.largest if kind.nan is None else kind.nan))
        tiny = (np.abs(exact) < 2.0**-126) & (exact != 0)
        if kind.name == "float8_e8m0fnu":
            quirks.append(("binary32-underflow", tiny & (exact > 0), np.uint64(0)))
        elif kind.name == "bfloat16":
            quirks.append(("binary32-underflow", tiny, kind.code(to_odd32(exact).astype(kind.dtype))))
        quirks += kind.quirks(theirs, exact, negative & ~undefined)
        tally.compare(f"{name} {kind.name}", ours, theirs, [left, right], quirks)
    theirs = kind.code(np.sqrt(kind.of(kind.codes)))
    ours = evaluate("sqrt", [kind.name], kind.name, [kind.codes])
    exact = np.sqrt(kind.table.values)
    quirks = kind.quirks(theirs, exact, np.zeros(len(ours), bool))
    tally.compare(f"sqrt {kind.name}", ours, theirs, [kind.codes], quirks)


def main():
    np.seterr(all="ignore")
    tally = Tally(QUIRKS)
    bf16 = np.arange(1 << 16, dtype=np.uint64) << np.uint64(16)
    codes32 = np.concatenate([bf16, edges32(), random_codes(32, 1_000_000, 1)])
    values32 = codes32.astype(np.uint32).view(np.float32)
    # binary64: uniform codes, and codes just beside short significands, where rounding twice goes wrong.
    near = bits64(edges32()[::16].astype(np.uint32).view(np.float32).astype(np.float64))
    near = near[np.isfinite(near.view(np.float64))]
    codes64 = np.concatenate([random_codes(64, 50_000, 2), near, near + np.uint64(1), near - np.uint64(1)])
    values64 = codes64.view(np.float64)
    codes16 = np.arange(1 << 16, dtype=np.uint64)
    values16 = codes16.astype(np.uint16).view(np.float16)
    for entry in TYPES:
        kind = Type(*entry)
        check_decode(tally, kind)
        check_convert(tally, kind, "f32", codes32, values32)
        check_convert(tally, kind, "f16", codes16, values16)
        once = kind.code(to_odd32(values64).astype(kind.dtype))
        check_convert(tally, kind, "f64", codes64, values64, ("double-rounding", np.isfinite(values64), once))
        check_encode(tally, kind)
        check_arithmetic(tally, kind)
    tally.close()


if __name__ == "__main__":
    main()
