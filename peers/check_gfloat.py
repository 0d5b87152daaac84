"""binade against gfloat: decoding and rounding of the P3109 (4.0) and OCP formats in every mode that gfloat has."""

import numpy as np
from gfloat import Domain, RoundMode, Signedness, decode_ndarray, encode_ndarray, round_ndarray
from gfloat import formats as known

from command import answers, bits64, convert, lines, random_codes
from tally import Tally

QUIRKS = {
    "unsigned-negative": "gfloat leaves negative numbers negative in unsigned formats, where no code has that value; "
    "binade answers 0 when it saturates, else NaN or 0 by the rounding mode (P3109 4.0)",
    "finite-domain": "gfloat's NaN for what exceeds a format of finite domain without saturation is that of earlier reports; "
    "P3109 4.0 gives the largest and the least value (4.7.5)",
    "nan-sign": "gfloat's NaN of E4M3FN is the negative one, 0xff; binade's is positive",
    "e8m0-below": "gfloat has no smallest value in E8M0: results below 2^-127 are not in the value set",
}

MODES = {
    "nearest_even": RoundMode.TiesToEven,
    "nearest_away": RoundMode.TiesToAway,
    "toward_positive": RoundMode.TowardPositive,
    "toward_negative": RoundMode.TowardNegative,
    "toward_zero": RoundMode.TowardZero,
    "stochastic_a": RoundMode.StochasticFastest,
    "stochastic_b": RoundMode.StochasticFast,
    "stochastic_c": RoundMode.Stochastic,
}

OCP = {
    "float8_e4m3fn": known.format_info_ocp_e4m3,
    "float8_e5m2": known.format_info_ocp_e5m2,
    "float6_e2m3fn": known.format_info_ocp_e2m3,
    "float6_e3m2fn": known.format_info_ocp_e3m2,
    "float4_e2m1fn": known.format_info_ocp_e2m1,
    "float8_e8m0fnu": known.format_info_ocp_e8m0,
    "f16": known.format_info_binary16,
    "bf16": known.format_info_bfloat16,
}

RANDOM_BITS = 5


def p3109(widths):
    """The P3109 formats whose values fit binary64, which gfloat computes in."""
    for width in widths:
        for signed in (True, False):
            for precision in range(1, width + (not signed)):
                if width - precision - signed > 10:
                    continue
                for extended in (True, False):
                    name = f"binary{width}p{precision}{'s' if signed else 'u'}{'e' if extended else 'f'}"
                    signedness = Signedness.Signed if signed else Signedness.Unsigned
                    domain = Domain.Extended if extended else Domain.Finite
                    yield name, known.format_info_p3109(width, precision, signedness, domain)


def decode(info):
    """gfloat's values of all codes, every NaN the same."""
    values = decode_ndarray(info, np.arange(1 << info.k))
    return np.where(np.isnan(values), np.nan, values)


def check_decode(tally, name, info):
    """Every code means the same."""
    codes = np.arange(1 << info.k, dtype=np.uint64)
    ours = convert(name, "f64", codes)
    tally.compare(f"decode {name}", ours, bits64(decode(info)), [codes])


def edges(info, count, seed):
    """binary64 values at, between and beside the values of a format, all over its range and beyond it."""
    rng = np.random.Generator(np.random.PCG64(seed))
    values = decode(info)
    values = np.unique(values[np.isfinite(values)])
    if len(values) > count:
        values = np.sort(rng.choice(values, count, replace=False))
    largest, smallest = float(info.max), float(info.smallest)
    gaps = np.diff(values)
    inside = [values]
    # Short fractions of the gap: binary64 holds all of these exactly, and gfloat's sums with the random bits too.
    for fraction in (1 / 4, 1 / 2, 3 / 4, 1 / 2 + 2**-12, 1 / 2 - 2**-12, 1 / 32, 31 / 32, 1 / 64, 63 / 64, 3 / 64):
        inside.append(values[:-1] + gaps * fraction)
    beyond = [largest * f for f in (1 + 2**-12, 1.0625, 1.125, 1.25, 1.5, 2, 3, 1000)]
    below = [smallest * f for f in (2**-12, 0.25, 0.5, 0.5 + 2**-12, 0.75)]
    outside = np.array([*beyond, *below, 0.0, np.inf])
    inputs = np.concatenate([*inside, outside, -outside])
    # Away from binary64's own limits.
    keep = (inputs == 0) | np.isinf(inputs) | ((np.abs(inputs) > 2.0**-1000) & (np.abs(inputs) < 2.0**1000))
    return inputs[keep]


def out_of_range(info, inputs, mode, saturation, extra):
    """binade's answer to negative numbers in an unsigned format: 0, or NaN by the modes (P3109 4.0)."""
    finite_zero = np.isfinite(inputs) & (mode in ("toward_zero", "toward_positive"))
    zero = finite_zero | (saturation == "max")
    if info.has_zero:
        # A magnitude that rounds to 0 is not out of range.
        mirrored = {"toward_positive": "toward_zero", "toward_negative": "toward_positive"}.get(mode, mode)
        zero |= round_ndarray(info, np.abs(inputs), MODES[mirrored], True, **extra) == 0
    return np.where(zero, 0, int(info.code_of_nan)).astype(np.uint64)


def ends(info, inputs):
    """The codes of the largest value, and of the least where the number is negative."""
    values = decode(info)
    return np.where(inputs < 0, np.nanargmin(values), np.nanargmax(values)).astype(np.uint64)


class Job:
    """One format, mode and saturation: the questions to binade and gfloat's answers."""

    def __init__(self, name, info, mode, saturation, inputs):
        extra, random = {}, None
        if mode.startswith("stochastic"):
            inputs = np.repeat(inputs, 3)
            numbers = random_codes(RANDOM_BITS, len(inputs), 3).astype(np.int64)
            extra, random = {"srbits": numbers, "srnumbits": RANDOM_BITS}, (numbers, RANDOM_BITS)
        self.what = f"round {name} {mode} {saturation}"
        self.inputs = bits64(inputs)
        modes = {"rounding": mode, "saturation": saturation, "random": random}
        self.lines = lines("convert", ["f64"], name, [self.inputs], **modes)
        # Formats without Inf and NaN clamp in binade; gfloat refuses unless it saturates.
        clamps = saturation == "max" or (info.domain == Domain.Finite and info.num_nans == 0)
        rounded = round_ndarray(info, inputs, MODES[mode], clamps, **extra)
        self.quirks = []
        if name.startswith("binary") and info.domain == Domain.Finite and not clamps:
            self.quirks.append(("finite-domain", np.isnan(rounded) & (info.is_signed | (inputs > 0)), ends(info, inputs)))
        if name == "float8_e4m3fn":
            self.quirks.append(("nan-sign", np.isnan(rounded), np.uint64(0x7F)))
        encodable = np.full(len(inputs), True)
        if not info.is_signed:
            expected = out_of_range(info, inputs, mode, saturation, extra)
            self.quirks.append(("unsigned-negative", inputs < 0, expected))
            encodable = ~(rounded < 0)
        if not info.has_zero:
            zero = np.uint64(0 if saturation == "max" else info.code_of_nan)
            self.quirks.append(("e8m0-below", inputs == 0, zero))
            self.quirks.append(("e8m0-below", (inputs > 0) & (inputs < info.smallest), np.uint64(0)))
            encodable = ~(rounded < info.smallest)
        # What gfloat cannot encode counts as a code that no format has.
        self.theirs = np.full(len(inputs), 1 << 32, np.uint64)
        self.theirs[encodable] = encode_ndarray(info, rounded[encodable])


def main():
    np.seterr(all="ignore")
    tally = Tally(QUIRKS)
    formats = [*p3109(range(3, 12)), *p3109([13, 16]), *OCP.items()]
    for index, (name, info) in enumerate(formats):
        check_decode(tally, name, info)
        inputs = edges(info, 60, index)
        jobs = [Job(name, info, mode, saturation, inputs) for mode in MODES for saturation in ("overflow", "max")]
        ours, _ = answers([line for job in jobs for line in job.lines])
        ends = np.cumsum([len(job.lines) for job in jobs])
        for job, part in zip(jobs, np.split(ours, ends[:-1])):
            tally.compare(job.what, part, job.theirs, [job.inputs], job.quirks)
    tally.close()


if __name__ == "__main__":
    main()
