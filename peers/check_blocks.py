"""Numbers to blocks against rational numbers, torchao and microxcaling: scales and codes, by every scale rule.

    BINADE=target/release/binade python3 peers/check_blocks.py [--microxcaling FOLDER] [--blocks N] [--seed S]

Needs PyTorch and torchao; microxcaling is a folder that holds its package `mx`, a checkout of the repository of that name
(which is no package). What is absent is said and left out.

Every rule for every element is computed here from its definition with Python's Fractions, too, so that what peers have not is
compared with something. Where a peer differs, the difference has to be one of the listed ones, with the answer that the list states.
Elements are compared under the peer's scale, so that one scale that differs does not hide them.
"""

import argparse
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

from check_block_products import E2M1, E2M3, E3M2, E4M3, E5M2, INT8, log2_floor, power, to_float, to_unit
from command import Table, bits32, run
from tally import Tally

E8M0 = "float8_e8m0fnu"
# Elements by the name of their block format: the command's name, (precision, emin, largest value), code of the sign.
ELEMENTS = {
    "mxfp8_e4m3": ("float8_e4m3fn", E4M3, 0x80),
    "mxfp8_e5m2": ("float8_e5m2", E5M2, 0x80),
    "mxfp6_e3m2": ("float6_e3m2fn", E3M2, 0x20),
    "mxfp6_e2m3": ("float6_e2m3fn", E2M3, 0x20),
    "mxfp4": ("float4_e2m1fn", E2M1, 0x8),
    "mxint8": ("mxint8", INT8, 0x100),
    "nvfp4": ("float4_e2m1fn", E2M1, 0x8),
}
RULES = ("floor", "ceil", "even", "rceil", "nearest", "max_abs_finite")

QUIRKS = {
    "torchao-nan-scale": "a block with a NaN has the scale NaN; here NaNs have no part in the scale",
    "torchao-inf-scale": "a block with an infinity is scaled as one of 2^128; here infinities have no part in the scale",
    "torchao-zero-scale": "a block of zeros has the scale 2^-127, here 1",
    "torchao-least-scale": "blocks under the scale 2^-127 are divided by 2^-126",
    "torchao-rceil-least-scale": "by rceil, blocks under the scale 2^-127 are not scaled at all",
    "torchao-rceil-log2": "by rceil, largest values by less than 2^-18 beyond a power of two times the largest element have that power",
    "torchao-negative-zero": "elements that round to zero keep their sign; 4.0 has no -0 and gives 0",
    "torchao-nvfp4-least-scale": "scales of NVFP4 are at least 2^-6, E4M3's least normal; here at least 2^-9, its least subnormal",
    "torchao-nvfp4-reciprocal": "numbers are multiplied by the rounded reciprocal of the scale, which moves those within 2^-22 of a tie",
    "microxcaling-ties-away": "its `nearest` takes ties away from zero: nearest_away here, and its `even` is nearest_even",
    "microxcaling-log2": "largest values by less than 2^-18 below a power of two have that power's exponent",
    "microxcaling-half": "half is added in binary32, so that the next number below half of the least element becomes that; here 0",
    "microxcaling-not-finite": "a block with a NaN or an infinity is NaN",
    "microxcaling-zero-scale": "a block of zeros has the exponent of 2^-126, here the scale 1; its values are zero either way",
}


def numbers(random, count, length):
    """Blocks of binary32: any magnitudes, numbers with few bits, largest ones next to where rules change their mind, and specials."""
    blocks = random.standard_normal((count, length)) * 2.0 ** random.integers(-40, 41, (count, 1))
    few = random.random((count, length)) < 0.5
    with np.errstate(all="ignore"):
        significand, exponent = np.frexp(blocks)
        blocks = np.where(few, np.ldexp(np.round(significand * 64) / 64, exponent), blocks)
        edges = [1, 1.75, 1.5, 1.25, 1.875, 1.96875, 1.984375, 1.9375, 1.125, 4 / 3, 255 / 128]
        exponents = [*range(-149, -105), *range(-8, 9), *range(60, 70), *range(118, 128)]
        tops = np.array([edge * 2.0**exponent for edge in edges for exponent in exponents])
        tops = tops[tops <= np.finfo(np.float32).max].astype(np.float32)
        tops = np.concatenate([tops, np.nextafter(tops, np.float32(np.inf)), np.nextafter(tops, np.float32(0))])
        tops = tops[np.isfinite(tops)]
        rest = np.round(random.uniform(-1, 1, (len(tops), length)) * 64) / 64 * tops[:, None].astype(np.float64)
        rest[np.arange(len(tops)), random.integers(0, length, len(tops))] = tops
    blocks = np.concatenate([blocks, rest]).astype(np.float32)
    special = blocks[:12].copy()
    special[0], special[1], special[2] = 0, -0.0, 1e-45
    for at, x in enumerate([np.nan, np.inf, -np.inf]):
        special[3 + 3 * at : 6 + 3 * at, 5] = x
    return np.concatenate([blocks, special])


def encoded(blocks, out, rounding="nearest_even", rule=None, scales=None):
    """Scales and codes by the command: by a rule, or under given scales."""
    head = f"convert_to_block f32 {out} {rounding} max "
    rows = [",".join("0x%x" % code for code in row) for row in bits32(blocks).tolist()]
    if rule is None:
        rows = [f"{row} 0x{scale:x}" for row, scale in zip(rows, np.asarray(scales).tolist())]
    options = ["--scale-rule", rule] if rule else []
    answers = run("eval", "--batch", *options, text="".join(f"{head}{row}\n" for row in rows)).split()[0::2]
    parts = [answer.split(":") for answer in answers]
    codes = np.array([[int(code, 16) for code in elements.split(",")] for _, elements in parts], dtype=np.uint64)
    return np.array([int(scale, 16) for scale, _ in parts], dtype=np.uint64), codes


def scale_by(rule, most, element, wide):
    """A scale by its definition, in E8M0, or in E4M3 if `wide`."""
    precision, _, largest = element
    if most == 0:
        return Fraction(1)

    def to_scale(x, up=False):
        if wide:
            if not up:
                return max(to_float(x, *E4M3), power(-9))
            unit = power(max(log2_floor(x), -6) - 3)
            return min(-(-x // unit) * unit, Fraction(448))
        exponent = log2_floor(x)
        low = power(exponent)
        if up:
            exponent += x > low
        else:
            # The tie of two powers goes to the even code.
            middle = low * 3 / 2
            if exponent < -127:
                exponent = -127
            else:
                exponent += x > middle or (x == middle and (exponent + 127) % 2 == 1)
        return power(max(-127, min(127, exponent)))

    def of_exponent(exponent):
        exponent -= log2_floor(largest)
        return min(max(power(exponent), power(-9)), Fraction(448)) if wide else power(max(-127, min(127, exponent)))

    exponent = log2_floor(most)
    if rule == "floor":
        return of_exponent(exponent)
    if rule == "ceil":
        return of_exponent(exponent + (most > power(exponent)))
    if rule == "even":
        return of_exponent(log2_floor(to_unit(most, power(exponent - precision + 1))))
    if rule == "max_abs_finite":
        return to_scale(most)
    return to_scale(most / largest, up=rule == "rceil")


def against_fractions(tally, blocks):
    """Every rule from its definition."""
    values = {name: Table(name).values for name in (E8M0, "float8_e4m3fn", *{row[0] for row in ELEMENTS.values()})}
    for name, (format, element, _) in ELEMENTS.items():
        scales = "float8_e4m3fn" if name == "nvfp4" else E8M0
        for rule in RULES:
            ours = encoded(blocks, f"{scales}/{format}", rule=rule)
            found_scales, found = values[scales][ours[0].astype(int)], values[format][ours[1].astype(int)]
            wrong = 0
            for row, scale, codes in zip(blocks, found_scales, found):
                finite = [Fraction(float(x)) for x in row if np.isfinite(x)]
                wanted = scale_by(rule, max(map(abs, finite), default=Fraction(0)), element, name == "nvfp4")
                wrong += Fraction(float(scale)) != wanted
                for x, code in zip(row, codes):
                    if np.isfinite(x):
                        exact = to_float(Fraction(float(x)) / wanted, *element)
                        wrong += Fraction(float(code)) != exact
                        tally.agreed += 1
            tally.agreed -= wrong
            tally.unexplained += wrong
            if wrong:
                print(f"UNEXPLAINED {name} {rule}: {wrong} differ from the definition")


def against_torchao(tally, blocks):
    try:
        import torch
        from torchao.prototype.mx_formats.config import ScaleCalculationMode
        from torchao.prototype.mx_formats.constants import DTYPE_FP6_E2M3, DTYPE_FP6_E3M2
        from torchao.prototype.mx_formats.mx_tensor import to_mx
    except ImportError as error:
        print(f"torchao is left out: {error}")
        return False
    types = {
        "mxfp8_e4m3": torch.float8_e4m3fn,
        "mxfp8_e5m2": torch.float8_e5m2,
        "mxfp6_e3m2": DTYPE_FP6_E3M2,
        "mxfp6_e2m3": DTYPE_FP6_E2M3,
        "mxfp4": torch.float4_e2m1fn_x2,
    }
    magnitudes = np.abs(blocks.astype(np.float64))
    finite = np.isfinite(blocks).all(1)
    most = magnitudes.max(1)
    for name, dtype in types.items():
        format, (_, _, largest), sign = ELEMENTS[name]
        for rule in ("floor", "ceil", "even", "rceil"):
            scales, codes = to_mx(torch.from_numpy(blocks), dtype, blocks.shape[1], ScaleCalculationMode(rule))
            scales = scales.view(torch.uint8).numpy().ravel().astype(np.uint64)
            codes = unpacked(codes.view(torch.uint8).numpy(), blocks.shape)
            ours, _ = encoded(blocks, f"{E8M0}/{format}", rule=rule)
            e = log2_floor(largest)
            infinite = 254 if rule == "rceil" else 127 + 128 - e
            with np.errstate(all="ignore"):
                beyond = most / (float(largest) * 2.0 ** (scales.astype(float) - 127)) - 1
            tally.compare(
                f"torchao {name} {rule} scale",
                ours,
                scales,
                [np.arange(len(blocks))],
                [
                    ("torchao-nan-scale", np.isnan(most) & (scales == 255), ours),
                    ("torchao-inf-scale", np.isinf(most) & (scales == infinite), ours),
                    ("torchao-zero-scale", (most == 0) & (scales == 0) & (ours == 127), ours),
                    (
                        "torchao-rceil-log2",
                        finite & (rule == "rceil") & (ours == scales + 1) & (beyond > 0) & (beyond < 2.0**-18),
                        ours,
                    ),
                ],
            )
            # Under its own scale, or what it divides by in its place.
            least = finite & (scales == 0) & (most > 0)
            by = np.where(least, 127 if rule == "rceil" else 1, scales).astype(np.uint64)
            _, under = encoded(blocks[finite], f"{E8M0}/{format}", scales=scales[finite])
            _, instead = encoded(blocks[finite], f"{E8M0}/{format}", scales=by[finite])
            theirs, least = codes[finite], least[finite][:, None]
            unsigned = np.where(theirs == sign, 0, theirs)
            quirk = "torchao-rceil-least-scale" if rule == "rceil" else "torchao-least-scale"
            tally.compare(
                f"torchao {name} {rule} elements",
                under.ravel(),
                theirs.ravel(),
                [np.arange(theirs.size)],
                [
                    (quirk, (least & (unsigned == instead)).ravel(), under.ravel()),
                    ("torchao-negative-zero", ((theirs == sign) & (under == 0)).ravel(), under.ravel()),
                ],
            )
    against_torchao_nvfp4(tally, torch, blocks[:, :16].copy())
    return True


def unpacked(codes, shape):
    if codes.size * 2 == shape[0] * shape[1]:
        codes = np.stack([codes & 15, codes >> 4], -1)
    return codes.reshape(shape).astype(np.uint64)


def against_torchao_nvfp4(tally, torch, blocks):
    from torchao.prototype.mx_formats.nvfp4_tensor import nvfp4_quantize

    blocks = blocks[np.isfinite(blocks).all(1)]
    # Ties of elements under scales of E4M3, and their neighbours: where a rounded reciprocal shows.
    ties = np.array([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5, 6], dtype=np.float32)
    rows = [np.repeat(ties * np.float32(s), 2) for s in (1.125, 1.25, 1.375, 1.625, 1.75, 1.875, 13, 208)]
    near = [np.nextafter(row, np.float32(way)) for row in rows for way in (0, np.inf)]
    near = np.array([np.where(np.arange(16) < 14, row, rows[at // 2]) for at, row in enumerate(near)])
    blocks = np.concatenate([blocks, np.array(rows), near]).astype(np.float32)
    scales, codes = nvfp4_quantize(torch.from_numpy(blocks))
    scales = scales.view(torch.uint8).numpy().ravel().astype(np.uint64)
    theirs = unpacked(codes.view(torch.uint8).numpy(), blocks.shape)
    out = "float8_e4m3fn/float4_e2m1fn"
    ours, _ = encoded(blocks, out, rule="nearest")
    most = np.abs(blocks).max(1)
    least = (scales == 8) & ((ours < 8) | (most == 0))
    tally.compare(
        "torchao nvfp4 scale", ours, scales, [np.arange(len(blocks))], [("torchao-nvfp4-least-scale", least, ours)]
    )
    _, under = encoded(blocks, out, scales=scales)
    quotients = np.abs(blocks.astype(np.float64)) / Table("float8_e4m3fn").values[scales.astype(int)][:, None]
    distance = np.abs(quotients[:, :, None] / np.array([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5]) - 1).min(-1)
    next_code = (theirs & 8 == under & 8) & (np.abs((theirs & 7).astype(int) - (under & 7).astype(int)) == 1)
    # What is next to zero keeps its sign there and not here.
    to_zero = (theirs & 7 <= 1) & (under & 7 <= 1)
    tally.compare(
        "torchao nvfp4 elements",
        under.ravel(),
        theirs.ravel(),
        [np.arange(theirs.size)],
        [
            ("torchao-negative-zero", ((theirs == 8) & (under == 0)).ravel(), under.ravel()),
            ("torchao-nvfp4-reciprocal", ((next_code | to_zero) & (distance < 2.0**-22)).ravel(), under.ravel()),
        ],
    )


def against_microxcaling(tally, blocks, folder):
    if folder is None or not Path(folder, "mx", "mx_ops.py").exists():
        why = "--microxcaling names no folder" if folder is None else f"{folder} holds no mx/mx_ops.py"
        print(f"microxcaling is left out: {why}")
        return False
    try:
        import torch

        sys.path.insert(0, str(Path(folder).resolve()))
        from mx.mx_ops import _quantize_mx, _shared_exponents
    except ImportError as error:
        print(f"microxcaling is left out: {error}")
        return False
    names = {
        "mxfp8_e4m3": "fp8_e4m3",
        "mxfp8_e5m2": "fp8_e5m2",
        "mxfp6_e3m2": "fp6_e3m2",
        "mxfp6_e2m3": "fp6_e2m3",
        "mxfp4": "fp4_e2m1",
        "mxint8": "int8",
    }
    x = torch.from_numpy(blocks)
    finite = np.isfinite(blocks).all(1)
    most = np.abs(blocks.astype(np.float64)).max(1)
    exponents = _shared_exponents(x, axes=[1]).numpy().ravel()
    for name, theirs in names.items():
        format, (_, _, largest), _ = ELEMENTS[name]
        ours, _ = encoded(blocks, f"{E8M0}/{format}", rule="floor")
        with np.errstate(invalid="ignore"):
            scales = np.where(finite, np.maximum(exponents - log2_floor(largest), -127) + 127, 255).astype(np.uint64)
            below = 1 - most / 2.0 ** np.where(finite, exponents, 0)
        tally.compare(
            f"microxcaling {name} scale",
            ours,
            scales,
            [np.arange(len(blocks))],
            [
                ("microxcaling-not-finite", ~finite & (scales == 255), ours),
                ("microxcaling-zero-scale", (most == 0) & (scales == max(0, 1 - log2_floor(largest))), ours),
                ("microxcaling-log2", finite & (scales == ours + 1) & (below > 0) & (below < 2.0**-18), ours),
            ],
        )
        values = Table(format).values
        under = {}
        for mode, rounding in (("even", "nearest_even"), ("nearest", "nearest_away")):
            found = _quantize_mx(x, 8, theirs, axes=[1], block_size=blocks.shape[1], round=mode).numpy()
            assert np.isnan(found[~finite]).all(), "microxcaling: a block that is not finite is NaN"
            _, codes = encoded(blocks[finite], f"{E8M0}/{format}", rounding=rounding, scales=scales[finite])
            by = 2.0 ** (scales[finite].astype(float) - 127)[:, None]
            under[mode] = values[codes.astype(int)] * by
            least = values[values > 0].min() * by
            part = np.abs(blocks[finite].astype(np.float64)) / least
            to_least = (part < 0.5) & (part > 0.5 - 2.0**-24) & (np.abs(found[finite]) == least)
            tally.compare(
                f"microxcaling {name} {mode} values",
                bits32(under[mode] + 0.0).ravel(),
                bits32(found[finite] + np.float32(0)).ravel(),
                [bits32(blocks[finite]).ravel()],
                [("microxcaling-half", to_least.ravel(), 0)],
            )
        # `nearest` where it is not `even`: ties, by the next value away from zero.
        differ = under["even"] != under["nearest"]
        tally.quirks["microxcaling-ties-away"] += int(differ.sum())
        assert (np.abs(under["nearest"]) >= np.abs(under["even"])).all()
        middle = (np.abs(under["nearest"]) + np.abs(under["even"])) / 2
        assert (middle[differ] == np.abs(blocks[finite].astype(np.float64))[differ]).all(), "only ties differ"
    return True


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--microxcaling", help="the folder that holds its package mx")
    parser.add_argument("--blocks", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    tally = Tally(QUIRKS)
    blocks = numbers(random, options.blocks, 32)
    some = np.concatenate([numbers(random, 20, 32)[::9], blocks[-12:]])
    against_fractions(tally, some[:, :16].copy())
    print(f"definition: {tally.agreed} elements agree by {len(RULES)} rules")
    for peer, compare in (
        ("torchao", lambda: against_torchao(tally, blocks)),
        ("microxcaling", lambda: against_microxcaling(tally, blocks, options.microxcaling)),
    ):
        before = tally.agreed
        if compare():
            print(f"{peer}: {tally.agreed - before} scales and elements agree")
        else:
            for name in [name for name in tally.quirks if name.startswith(peer)]:
                del tally.quirks[name]
    tally.close()


if __name__ == "__main__":
    main()
