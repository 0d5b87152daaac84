"""binade against MPFR (gmpy2): the functions of P3109 and fused multiply-add, correctly rounded in the directed modes too.

MPFR rounds to the format's precision with its subnormals; only what lies beyond the largest finite value is decided
here, by the rule that IEEE 754 and P3109 share. The Inexact flag is compared with MPFR's ternary value.
"""

import gmpy2
import numpy as np

from command import answers, bits32, bits64, lines, random_codes
from tally import Tally

FUNCTIONS = {
    "exp": gmpy2.exp,
    "exp2": gmpy2.exp2,
    "log": gmpy2.log,
    "log2": gmpy2.log2,
    "sqrt": gmpy2.sqrt,
}

# What P3109 4.0 added, on fewer operands: MPFR rounds each correctly.
LATER_FUNCTIONS = {
    "log_one_plus": gmpy2.log1p,
    "exp_minus_one": gmpy2.expm1,
    "sin": gmpy2.sin,
    "cos": gmpy2.cos,
    "tan": gmpy2.tan,
    "arc_sin": gmpy2.asin,
    "arc_cos": gmpy2.acos,
    "arc_tan": gmpy2.atan,
    "sinh": gmpy2.sinh,
    "cosh": gmpy2.cosh,
    "tanh": gmpy2.tanh,
    "arc_sinh": gmpy2.asinh,
    "arc_cosh": gmpy2.acosh,
    "arc_tanh": gmpy2.atanh,
}


# MPFR's versions of the functions of pi are not in gmpy2, and softplus it does not have. These are computed to WIDE's precision,
# after what is exact: no other value of them lies so near a number of a format, or the middle of two, that it would matter.
WIDE = gmpy2.context(precision=400, emin=-4_000_000, emax=4_000_000)
HALF = gmpy2.mpfr("0.5")


def wide(function):
    """A function of exact operands, rounded in the caller's context from a result in WIDE, which is remembered."""
    known = {}

    def rounded(*row):
        # NaN does not equal itself, and 0 does equal −0.
        key = tuple(value.digits(16) for value in row)
        if key not in known:
            with WIDE:
                known[key] = gmpy2.nan() if any(map(gmpy2.is_nan, row)) else function(*row)
        return gmpy2.mul(known[key], 1)

    return rounded


def near(value, limit, larger=False):
    """A value that comes near a limit without ever having it, where WIDE does not tell them apart."""
    if abs(value) != limit:
        return value
    limit = gmpy2.mpfr(limit, WIDE.precision)
    return gmpy2.copy_sign(gmpy2.next_above(limit) if larger else gmpy2.next_below(limit), value)


def turns(x):
    """sin(pi x) and cos(pi x); neither exists at an infinity."""
    if gmpy2.is_infinite(x):
        return gmpy2.nan(), gmpy2.nan()
    # Quarter turns; the rest is at most half of one, so that no quadrant is a matter of rounding.
    quarters = gmpy2.rint(2 * x)
    rest = (2 * x - quarters) / 2
    angle = gmpy2.const_pi() * rest
    # Zeros have x's sign, or a plus.
    sine = gmpy2.sin(angle) if rest else gmpy2.mpfr("-0") if gmpy2.is_signed(x) else gmpy2.mpfr(0)
    cosine = near(gmpy2.cos(angle), gmpy2.mpfr(1))
    if abs(rest) == 0.25:
        sine = gmpy2.copy_sign(cosine, rest)
    if not rest:
        cosine = gmpy2.mpfr(1)
    quadrant = int(quarters) % 4
    zero = not rest
    return {
        0: (sine, cosine),
        1: (cosine, gmpy2.mpfr(0) if zero else -sine),
        2: (sine if zero else -sine, -cosine),
        3: (-cosine, gmpy2.mpfr(0) if zero else sine),
    }[quadrant]


def tan_pi(x):
    sine, cosine = turns(x)
    if gmpy2.is_zero(cosine):
        return gmpy2.nan()
    return sine / cosine


def arc_cos_pi(x):
    value = gmpy2.acos(x) / gmpy2.const_pi()
    return near(value, HALF, x < 0) if x else value


def arc_tan_pi(x):
    value = gmpy2.atan(x) / gmpy2.const_pi()
    return value if gmpy2.is_infinite(x) else near(value, HALF)


def softplus(x):
    """log(1 + e^x): just above 0 and x where e^x, or e^(-x), is nothing beside them."""
    if gmpy2.is_infinite(x):
        return gmpy2.mpfr(0) if x < 0 else x
    if x > 200:
        return gmpy2.next_above(gmpy2.mpfr(x, WIDE.precision))
    small = gmpy2.exp(x) if x > -2_000_000 else gmpy2.mpfr(0)
    return gmpy2.log1p(small) if small else gmpy2.next_above(gmpy2.mpfr(0))


def arc_tan2_pi(y, x):
    """arctan(y/x)/pi in its quadrant; the eighths are exact."""
    if abs(x) == abs(y):
        return gmpy2.copy_sign(gmpy2.mpfr("0.25" if x > 0 else "0.75"), y)
    value = gmpy2.atan2(y, x) / gmpy2.const_pi()
    if not all(gmpy2.is_finite(v) and v for v in (x, y)):
        return value
    return near(near(value, HALF, x < 0), gmpy2.mpfr(1))


WIDE_FUNCTIONS = {
    "sin_pi": wide(lambda x: turns(x)[0]),
    "cos_pi": wide(lambda x: turns(x)[1]),
    "tan_pi": wide(tan_pi),
    "arc_sin_pi": wide(lambda x: gmpy2.asin(x) / gmpy2.const_pi()),
    "arc_cos_pi": wide(arc_cos_pi),
    "arc_tan_pi": wide(arc_tan_pi),
    "softplus": wide(softplus),
}


def angles(values, codes):
    """Points whose angles IEEE 754 and P3109 agree on: not 0 nor two infinities, and no y of −0 left of it."""
    def agreed(y, x):
        both = (gmpy2.is_zero(y) and gmpy2.is_zero(x)) or (gmpy2.is_infinite(y) and gmpy2.is_infinite(x))
        return not both and not (gmpy2.is_zero(y) and gmpy2.is_signed(y))

    agreed_on = [agreed(y, x) for y, x in zip(*values)]
    return [column[agreed_on] for column in codes]


def no_zeros_or_infinities(values, codes):
    """Operand pairs on which IEEE 754's functions of two and P3109's agree: numbers that are not 0."""
    ordinary = [all(gmpy2.is_finite(v) and not gmpy2.is_zero(v) for v in row) for row in zip(*values)]
    return [column[ordinary] for column in codes]

MODES = {
    "nearest_even": gmpy2.RoundToNearest,
    "toward_positive": gmpy2.RoundUp,
    "toward_negative": gmpy2.RoundDown,
    "toward_zero": gmpy2.RoundToZero,
}


class Format:
    """A format with IEEE subnormals and at least two significand bits."""

    def __init__(self, name, width, precision, bias, max_code, infinity, nan, negative_zero=True, signed=True):
        self.name, self.width, self.precision, self.bias = name, width, precision, bias
        self.max_code, self.infinity, self.nan, self.negative_zero = max_code, infinity, nan, negative_zero
        self.sign = 1 << (width - 1) if signed else 0
        self.emin = 1 - bias
        self.contexts = {
            # MPFR's significands lie in [1/2, 1), so its exponents are one more.
            mode: gmpy2.context(
                precision=precision, emin=self.emin - precision + 2, subnormalize=True, round=rounding
            )
            for mode, rounding in MODES.items()
        }
        self.wide = gmpy2.context(precision=64, emin=-100_000, emax=100_000)
        self.largest = abs(self.value(max_code))

    def value(self, code):
        """The exact value of a code."""
        negative, magnitude = bool(code & self.sign), code & ~self.sign
        if code == self.nan or (magnitude > self.max_code and magnitude != self.infinity):
            return gmpy2.nan()
        if magnitude == self.infinity:
            return gmpy2.inf(-1 if negative else 1)
        field, trailing = magnitude >> (self.precision - 1), magnitude & ((1 << (self.precision - 1)) - 1)
        significand = trailing | (1 << (self.precision - 1)) if field else trailing
        exact = gmpy2.mul_2exp if self.power(field) >= 0 else gmpy2.div_2exp
        with gmpy2.context(precision=64, emin=-100_000, emax=100_000):
            value = exact(gmpy2.mpfr(significand), abs(self.power(field)))
            return -value if negative else value

    def power(self, field):
        """Exponent of the last place of an exponent field."""
        return max(field, 1) - self.bias - (self.precision - 1)

    def code(self, value, mode):
        """The code of a result of MPFR in this format's precision; beyond the largest value by the mode."""
        if gmpy2.is_nan(value):
            return self.nan
        negative = gmpy2.is_signed(value)
        sign = self.sign if negative else 0
        if gmpy2.is_zero(value):
            return sign if self.negative_zero else 0
        if gmpy2.is_infinite(value):
            return sign | self.infinity
        if abs(value) > self.largest:
            inward = {"toward_zero": True, "toward_positive": negative, "toward_negative": not negative}
            return sign | (self.max_code if inward.get(mode, False) else self.infinity)
        significand, exponent = value.as_mantissa_exp()
        significand, exponent = abs(int(significand)), int(exponent)
        # Scaled to the last place of its binade, the significand with its exponent field is the code.
        binade = max(exponent + significand.bit_length() - 1, self.emin)
        shift = exponent - (binade - self.precision + 1)
        scaled = significand << shift if shift >= 0 else significand >> -shift
        return sign | (scaled + ((binade - self.emin) << (self.precision - 1)))


FORMATS = [
    Format("binary8p3", 8, 3, 16, 0x7E, 0x7F, 0x80, negative_zero=False),
    Format("binary8p5", 8, 5, 4, 0x7E, 0x7F, 0x80, negative_zero=False),
    Format("float8_e5m2", 8, 3, 15, 0x7B, 0x7C, 0x7E),
    Format("float8_e3m4", 8, 5, 3, 0x6F, 0x70, 0x78),
    Format("binary12p4", 12, 4, 128, 0x7FE, 0x7FF, 0x800, negative_zero=False),
    Format("binary12p8", 12, 8, 8, 0x7FE, 0x7FF, 0x800, negative_zero=False),
    Format("f16", 16, 11, 15, 0x7BFF, 0x7C00, 0x7E00),
    Format("bf16", 16, 8, 127, 0x7F7F, 0x7F80, 0x7FC0),
    Format("f32", 32, 24, 127, 0x7F7FFFFF, 0x7F800000, 0x7FC00000),
    # Wider than any that is listed, by either edition.
    Format("binary20p8", 20, 8, 2048, 0x7FFFE, 0x7FFFF, 0x80000, negative_zero=False),
    Format("binary24p16se", 24, 16, 128, 0x7FFFFE, 0x7FFFFF, 0x800000, negative_zero=False),
    Format("binary40p24se", 40, 24, 32768, 0x7FFFFFFFFE, 0x7FFFFFFFFF, 0x8000000000, negative_zero=False),
    Format("f64", 64, 53, 1023, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000000),
]


def operands(kind):
    """All codes of up to 12 bits; a sample of wider formats that dwells where the functions are neither 0 nor Inf."""
    if kind.width <= 12:
        return np.arange(1 << kind.width, dtype=np.uint64)
    rng = np.random.Generator(np.random.PCG64(kind.width + kind.precision))
    spread = rng.standard_normal(2500) * np.exp2(rng.uniform(-8, 9, 2500))
    powers = np.concatenate([np.exp2(np.arange(-14.0, 16)), np.arange(-20.0, 20), 1 + np.exp2(-np.arange(1.0, 30))])
    values = np.concatenate([spread, powers, [0.0, -0.0, np.inf, -np.inf, np.nan]])
    if kind.name == "f64":
        return np.concatenate([bits64(values), random_codes(64, 1500, 1)])
    if kind.width not in (16, 32):
        with kind.contexts["nearest_even"]:
            codes = [kind.code(gmpy2.mul(gmpy2.mpfr(float(v)), 1), "nearest_even") for v in values]
        return np.concatenate([np.array(codes, dtype=np.uint64), random_codes(kind.width, 1500, 1)])
    codes = bits32(values)
    if kind.width == 16:
        halves = values.astype(np.float16).view(np.uint16) if kind.name == "f16" else codes >> np.uint64(16)
        return np.concatenate([halves.astype(np.uint64), random_codes(16, 3000, 1)])
    return np.concatenate([codes, random_codes(32, 3000, 1)])


def check(tally, operation, function, kind, codes):
    """One function of one format in every mode."""
    values = [[kind.value(code) for code in column.tolist()] for column in codes]
    batch = []
    for mode in MODES:
        batch += lines(operation, [kind.name] * len(codes), kind.name, codes, rounding=mode)
    ours, flags = answers(batch)
    for index, mode in enumerate(MODES):
        part = slice(index * len(codes[0]), (index + 1) * len(codes[0]))
        context = kind.contexts[mode]
        theirs, inexact = [], []
        with context:
            active = gmpy2.get_context()
            for row in zip(*values):
                active.clear_flags()
                value = function(*row)
                theirs.append(kind.code(value, mode))
                overflow = not gmpy2.is_infinite(value) and abs(value) > kind.largest
                inexact.append(bool(active.inexact) or overflow)
        what = f"{operation} {kind.name} {mode}"
        tally.compare(what, ours[part], np.array(theirs, dtype=np.uint64), codes)
        says = np.array(["x" in letters for letters in flags[part]])
        tally.compare(f"{what} inexact", says, np.array(inexact), codes)


def main():
    np.seterr(all="ignore")
    tally = Tally({})
    for kind in FORMATS:
        codes = operands(kind)
        for operation, function in FUNCTIONS.items():
            check(tally, operation, function, kind, [codes])
        triples = [random_codes(kind.width, 3000, seed) for seed in (11, 12, 13)]
        # Half of the addends near the product, so that sums cancel and tie.
        product = np.array([int(a) + int(b) - (kind.bias << (kind.precision - 1)) for a, b in zip(*triples[:2])])
        triples[2][::2] = np.array([int(p) % (1 << kind.width) for p in product[::2]], dtype=np.uint64)
        check(tally, "fma", gmpy2.fma, kind, triples)
        few = codes if kind.width <= 8 else codes[:: 1 + len(codes) // 400]
        for operation, function in LATER_FUNCTIONS.items():
            check(tally, operation, function, kind, [few])
        for place, (operation, function) in enumerate(WIDE_FUNCTIONS.items()):
            check(tally, operation, function, kind, [few[place % 2 :: 2]])
        pairs = [random_codes(kind.width, 500, seed) for seed in (21, 22)]
        # Some on the diagonals, and on the axes or far out.
        pairs[1][::9] = pairs[0][::9] ^ (pairs[1][::9] & np.uint64(kind.sign))
        pairs[0][::25], pairs[1][3::25] = kind.infinity, kind.infinity
        pairs[0][1::25], pairs[1][4::25] = 0, 0
        values = [[kind.value(code) for code in column.tolist()] for column in pairs]
        points = angles(values, pairs)
        check(tally, "arc_tan2", gmpy2.atan2, kind, points)
        check(tally, "arc_tan2_pi", wide(arc_tan2_pi), kind, points)
        check(tally, "hypot", gmpy2.hypot, kind, no_zeros_or_infinities(values, pairs))
    tally.close()


if __name__ == "__main__":
    main()
