"""Every named recipe against an emulation in NumPy that is written here from the recipe's paper: operands, stored tensors and products.

    PYTHONPATH=python python3 peers/check_recipes.py [--seed S] [RECIPE…]

The emulations know nothing of binade but its definitions of random words (docs/numerics.md) and of the order of sums (docs/operators.md):
elements are added in binary32 within a block, the sum of a block is multiplied by both scales with one rounding, and the whole sum by the
scales of both tensors. Numbers cover 30 binades with zeros; sizes are no multiples of blocks. Every operand, stored tensor and product must
have the same bits, except for one listed difference: the kernels of blocks make +0 of negative numbers that round to zero.
"""

import argparse
import sys

import numpy as np
from binade._binade import Recipe, recipe_names

LONG = np.longdouble
assert np.finfo(LONG).nmant >= 63, "the emulations need the 64 bits of x87's numbers"


# Random words: Philox4x32-10 of Salmon and others (2011).
def philox(key, counters):
    """The four words of each block; counters are an array of four columns."""
    words = [np.asarray(counters[:, at], np.uint64) for at in range(4)]
    keys, mask = [np.uint64(key & 0xFFFFFFFF), np.uint64(key >> 32)], np.uint64(0xFFFFFFFF)
    for _ in range(10):
        first, second = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        high = np.uint64(32)
        words = [(second >> high) ^ words[1] ^ keys[0], second & mask, (first >> high) ^ words[3] ^ keys[1], first & mask]
        keys = [keys[0] + np.uint64(0x9E3779B9) & mask, keys[1] + np.uint64(0xBB67AE85) & mask]
    return np.stack(words, 1)


def element_words(seed, count):
    blocks = np.arange(-(-count // 4), dtype=np.uint64)
    zero = np.zeros_like(blocks)
    return philox(seed, np.stack([blocks, zero, zero, zero], 1)).reshape(-1)[:count]


def stream(key, numbers):
    for place, number in enumerate(numbers):
        words = philox(key, np.array([[number, place, len(numbers), 3]]))[0]
        key = int(words[0]) | int(words[1]) << 32
    return key


class Format:
    """Numbers of `precision` bits from 2^emin on, up to the largest one, and subnormals."""

    def __init__(self, precision, emin, largest, infinite=False):
        self.precision, self.emin, self.largest, self.infinite = precision, emin, largest, infinite

    def round(self, x, scale=1.0, words=None):
        """x / scale to nearest even, or with words stochastically. All comparisons are exact: |x| with a few bits times the scale."""
        size = np.abs(x).astype(np.float64)
        scale = np.broadcast_to(np.asarray(scale, np.float64), size.shape)
        exponent = np.frexp(np.where(size > 0, size / scale, 1.0))[1] - 1
        unit = np.ldexp(1.0, np.maximum(exponent, self.emin) - self.precision + 1)
        below = np.floor(size / scale / unit)
        below -= below * unit * scale > size
        if words is None:
            middle = (below + 0.5) * unit * scale
            up = (size > middle) | ((size == middle) & (below % 2 == 1))
        else:
            # up if floor(ν 2^32) + R >= 2^32
            over = (size - below * unit * scale).astype(LONG) * LONG(2) ** 32
            whole = np.floor(over / (unit * scale).astype(LONG))
            whole -= whole * (unit * scale).astype(LONG) > over
            up = whole + words.reshape(size.shape).astype(LONG) >= LONG(2) ** 32
        value = (below + up) * unit
        if not self.infinite:
            value = np.minimum(value, self.largest)
        return np.copysign(value, x)


class Listed:
    """Numbers in the order of their codes, the first of which is 0."""

    def __init__(self, numbers):
        self.numbers = numbers

    def round(self, x, scale=1.0, words=None):
        """To nearest, with ties to the even code, or with words stochastically."""
        size = np.minimum(np.abs(x).astype(np.float64), self.numbers[-1])
        above = np.clip(np.searchsorted(self.numbers, size, "right"), 1, len(self.numbers) - 1)
        low, high = self.numbers[above - 1], self.numbers[above]
        if words is None:
            middle = (low + high) / 2
            up = (size > middle) | ((size == middle) & (above % 2 == 0))
        else:
            over, step = (size - low).astype(LONG) * LONG(2) ** 32, (high - low).astype(LONG)
            whole = np.floor(over / step)
            whole -= whole * step > over
            up = whole + words.reshape(size.shape).astype(LONG) >= LONG(2) ** 32
        return np.copysign(np.where(up, high, low), x)


def tesla(mantissa_bits, fields, bias, denormals=True):
    """Tesla's numbers: 2^(field - bias) · 1.mantissa, and of field 0 denormals 2^-bias · 0.mantissa, or 0."""
    fractions = np.arange(2**mantissa_bits) / 2**mantissa_bits
    normal = [np.ldexp(1 + fractions, field - bias) for field in range(1, fields)]
    return Listed(np.concatenate([np.ldexp(fractions, -bias) if denormals else np.zeros(1), *normal]))


E4M3, E5M2 = Format(4, -6, 448.0), Format(3, -14, 57344.0)
E3M2, E2M1 = Format(3, -2, 28.0), Format(2, 0, 6.0)
BF16 = Format(8, -126, 255 * 2.0**120, infinite=True)
# Unsigned, six exponent bits, ten of the significand, no denormals; the last field is that of infinity and NaN.
UHP = tesla(10, 63, 31, denormals=False)


def float32(x):
    return np.asarray(x).astype(np.float32)


def power_of_two(x):
    """⌊log2⌋ of positive numbers."""
    return np.frexp(x)[1] - 1


class Operand:
    """A quantised matrix whose rows are along the depth: elements, the scale of each, and the columns of a block."""

    def __init__(self, elements, scales, over, columns):
        self.elements, self.scales, self.over, self.columns = elements, np.broadcast_to(scales, elements.shape), over, columns

    def values(self):
        # One rounding: an element of four bits times 4 + 24 bits is exact in binary64.
        return float32(self.elements * (self.scales * self.over))


def maxima(x, rows, columns):
    """The largest magnitude of the block of each element; blocks at the edges are smaller."""
    height, width = x.shape
    rows, columns = min(rows, height), min(columns, width)
    padded = np.pad(np.abs(x), [(0, -height % rows), (0, -width % columns)])
    tiles = padded.reshape(padded.shape[0] // rows, rows, padded.shape[1] // columns, columns)
    most = tiles.max((1, 3), keepdims=True)
    return np.broadcast_to(most, tiles.shape).reshape(padded.shape)[:height, :width], columns


def plain(format, stochastic=False):
    """Without scales."""

    def quantise(x, seed):
        words = element_words(seed, x.size) if stochastic else None
        return Operand(format.round(x, words=words), 1.0, 1.0, x.shape[1])

    return quantise


def cfloat8(exponent_bits, mantissa_bits, stochastic=False):
    """Tesla's CFloat8 under the bias of the tensor's largest exponent and one binade more. All codes are numbers."""

    def quantise(x, seed):
        most = np.abs(x).max()
        greatest = 2**exponent_bits - 1
        bias = int(np.clip(greatest - power_of_two(most) - 1, 0, 63)) if most > 0 else 31
        return plain(tesla(mantissa_bits, greatest + 1, bias), stochastic)(x, seed)

    return quantise


def mx(format, rule):
    """OCP MX: 32 elements and a power of two, which is floor(log2(amax)) - emax, or the least that does not overflow."""

    def quantise(x, seed):
        most, columns = maxima(x, 1, 32)
        most = np.where(most > 0, most, 1.0)
        exponent = power_of_two(most) - power_of_two(format.largest)
        if rule == "up":
            exponent += np.ldexp(format.largest, exponent) < most
        scales = np.ldexp(1.0, np.clip(exponent, -127, 127))
        return Operand(format.round(x, scales), scales, 1.0, columns)

    return quantise


def nvfp4(rows=1, stochastic=False, rotated=False, four_over_six=False):
    """NVFP4: 16 elements of E2M1, their scale in E4M3, and a scale of the tensor, amax / (6 · 448)."""

    def quantise(x, seed):
        x = hadamard(x) if rotated else x
        most, columns = maxima(x, rows, 16)
        over = np.float64(float32(np.abs(x).max().astype(np.float64) / (6 * (256 if four_over_six else 448))))
        over = over if over > 0 else 1.0
        words = element_words(seed, x.size) if stochastic else None

        def under(largest):
            scales = E4M3.round(np.where(most > 0, most, largest * over), largest * over)
            scales = np.where(scales > 0, scales, 2.0**-9)
            return E2M1.round(x, scales * over, words), scales

        elements, scales = under(6)
        if four_over_six:
            others, other_scales = under(4)
            # The sum over a block, in order.
            errors = [(each * scale * over - x.astype(np.float64)) ** 2 for each, scale in ((elements, scales), (others, other_scales))]
            sums = []
            for error in errors:
                blocks = np.pad(error, [(0, 0), (0, -x.shape[1] % 16)]).reshape(x.shape[0], -1, 16)
                total = np.zeros(blocks.shape[:2])
                for at in range(16):
                    total = total + blocks[:, :, at]
                sums.append(np.repeat(total, 16, 1)[:, : x.shape[1]])
            elements = np.where(sums[1] < sums[0], others, elements)
            scales = np.where(sums[1] < sums[0], other_scales, scales)
        return Operand(elements, scales, over, columns)

    return quantise


def hadamard(x):
    """Rotation of 16 neighbours with random signs, by butterflies in binary32; what is left of a row stays."""
    size = 16
    whole = x.shape[1] // size * size
    signs = np.where(element_words(0, size) >> np.uint64(31), np.float32(-1), np.float32(1))
    groups = x[:, :whole].reshape(x.shape[0], -1, size) * signs
    half = 1
    while half < size:
        pairs = groups.reshape(*groups.shape[:2], -1, 2, half)
        left, right = pairs[..., 0, :], pairs[..., 1, :]
        groups = np.stack([left + right, left - right], -2).reshape(groups.shape)
        half *= 2
    return np.concatenate([(groups * np.float32(0.25)).reshape(x.shape[0], -1), x[:, whole:]], 1)


def fp8(format, rows, columns, rounded_up=False):
    """FP8 with amax / largest in binary32 as the scale, or the least power of two that does not overflow."""

    def quantise(x, seed):
        most, across = maxima(x, rows, columns)
        most = np.where(most > 0, most, format.largest).astype(np.float64)
        if rounded_up:
            exponent = power_of_two(most / format.largest)
            exponent += np.ldexp(format.largest, exponent) < most
            scales = np.ldexp(1.0, exponent)
        else:
            scales = float32(most / format.largest).astype(np.float64)
        return Operand(format.round(x, scales), scales, 1.0, across)

    return quantise


def none(x, seed):
    return Operand(x.astype(np.float64), 1.0, 1.0, x.shape[1])


ALL = 1 << 30
bf16 = plain(BF16)
PASSES = {
    "forward": ("activation", "weight"),
    "input_gradient": ("gradient", "weight"),
    "weight_gradient": ("activation", "gradient"),
}


def same(quantise):
    return {name: (quantise, quantise) for name in PASSES}


def by_role(activation, weight, gradient):
    roles = {"activation": activation, "weight": weight, "gradient": gradient}
    return {name: tuple(roles[role] for role in operands) for name, operands in PASSES.items()}


TESLA = by_role(cfloat8(4, 3), cfloat8(4, 3), cfloat8(5, 2))
RECIPES = {
    "mp": same(bf16),
    "bf16-stochastic": same(bf16),
    "tesla-cfloat8": TESLA,
    "mxfp8": same(mx(E4M3, "up")),
    "mxfp6": same(mx(E3M2, "floor")),
    "mxfp4": same(mx(E2M1, "floor")),
    "nvfp4": same(nvfp4()),
    "nvfp4-training": {
        "forward": (nvfp4(), nvfp4(16)),
        "input_gradient": (nvfp4(stochastic=True), nvfp4(16)),
        "weight_gradient": (nvfp4(rotated=True), nvfp4(stochastic=True, rotated=True)),
    },
    "four-over-six": same(nvfp4(four_over_six=True)),
    "fp8-tensorwise": by_role(fp8(E4M3, ALL, ALL), fp8(E4M3, ALL, ALL), fp8(E5M2, ALL, ALL)),
    "fp8-rowwise": same(fp8(E4M3, 1, ALL, rounded_up=True)),
    "fp8-deepseek": by_role(fp8(E4M3, 1, 128), fp8(E4M3, 128, 128), fp8(E4M3, 1, 128)),
    "w4a16": {"forward": (bf16, mx(E2M1, "floor"))},
    "w8a8": {"forward": (fp8(E4M3, 1, ALL), fp8(E4M3, 1, ALL))},
}
STORED = {
    "bf16-stochastic": {
        "weights": plain(BF16, True), "gradients": bf16, "momentum": plain(BF16, True), "second_moments": plain(BF16, True),
    },
    "tesla-cfloat8": {
        "weights": cfloat8(4, 3, True),
        "gradients": cfloat8(5, 2, True),
        # SHP: five exponent bits, ten of the significand.
        "momentum": cfloat8(5, 10, True),
        "second_moments": plain(UHP, True),
    },
}


def product(left, right, depth):
    """Rows of both operands along the depth; blocks of the product are the smaller ones, or those of the operand that has them."""
    columns = min(left.columns, right.columns)
    total = np.zeros((left.elements.shape[0], right.elements.shape[0]), np.float32)
    blocks = columns < depth or left.over != 1 or right.over != 1 or (left.scales != 1).any() or (right.scales != 1).any()
    for start in range(0, depth, columns):
        inner = np.zeros_like(total)
        for at in range(start, min(start + columns, depth)):
            # A fused multiply-add in binary32.
            term = np.multiply.outer(left.elements[:, at].astype(LONG), right.elements[:, at].astype(LONG))
            inner = float32(inner.astype(LONG) + term)
        if not blocks:
            return inner
        scale = np.multiply.outer(left.scales[:, start].astype(LONG), right.scales[:, start].astype(LONG))
        total = total + float32(inner.astype(LONG) * scale)
    return float32(total.astype(LONG) * (LONG(left.over) * LONG(right.over)))


def numbers(generator, rows, columns):
    x = generator.standard_normal((rows, columns)) * np.exp2(generator.uniform(-15, 15, (rows, columns)) / 3)
    return float32(np.where(generator.random(x.shape) < 0.05, 0, x))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("recipes", nargs="*", default=[])
    given = arguments.parse_args()
    assert set(RECIPES) == set(recipe_names()), set(RECIPES) ^ set(recipe_names())
    wrong, unsigned = 0, 0

    def compare(what, found, wanted):
        nonlocal wrong, unsigned
        apart = found.view(np.uint32) != wanted.view(np.uint32)
        zeros = apart & (found == 0) & (wanted == 0)
        differences, signs = int((apart & ~zeros).sum()), int(zeros.sum())
        wrong, unsigned = wrong + (differences > 0), unsigned + signs
        result = f"{differences:,} differ" if differences else f"the same values, {signs:,} zeros without sign" if signs else "the same bits"
        print(f"  {what:32}{found.size:8,} numbers, {result}")
        if differences:
            at = tuple(map(int, np.argwhere(apart & ~zeros)[0]))
            print(f"    first at {at}: binade {found[at]!r}, emulation {wanted[at]!r}")

    rows, depth, columns = 23, 296, 40
    for name in given.recipes or recipe_names():
        recipe = Recipe(name)
        generator = np.random.default_rng(given.seed)
        print(f"{name}: {recipe.source}")
        for which in PASSES:
            quantisers = RECIPES[name].get(which)
            multiplier = recipe.product(which, False, 1)
            if quantisers is None:
                assert multiplier is None
                continue
            a, b = numbers(generator, rows, depth), numbers(generator, columns, depth)
            key = 0x1234_5678_9ABC_DEF0 + given.seed
            operands = []
            for at, (role, quantise, x) in enumerate(zip(PASSES[which], quantisers, (a, b))):
                seed = stream(key, [at, 0])
                operands.append(quantise(x, seed))
                found = recipe.quantizer(f"{which}.{role}").quantize(x.reshape(-1), depth, None, seed)
                compare(f"{which}.{role}", found.reshape(x.shape), operands[-1].values())
            wanted = product(*operands, depth)
            if which == "weight_gradient" and name in STORED:
                wanted = STORED[name]["gradients"](wanted, stream(key, [2, 0])).values()
            found = np.zeros((1, rows, columns), np.float32)
            multiplier.multiply(a[None], np.ascontiguousarray(b.T)[None], found, key)
            compare(f"{which} product", found[0], wanted)
        for role, quantise in STORED.get(name, {}).items():
            x = numbers(generator, rows, depth)
            x = np.abs(x) if role == "second_moments" else x
            found = recipe.quantizer(f"stored.{role}").quantize(x.reshape(-1), depth, None, 77)
            compare(f"stored.{role}", found.reshape(x.shape), quantise(x, 77).values())
    print(f"{wrong} tensors differ; {unsigned:,} zeros have no sign where the emulation's are negative")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
