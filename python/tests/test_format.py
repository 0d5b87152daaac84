"""Formats from Python: against the command, ml_dtypes where it agrees by definition, and plain Python."""

import itertools
import subprocess
import sys

import binade
import numpy as np
import pytest

SOME = ["float8_e4m3fn", "float8_e5m2fnuz", "binary8p3", "binary8p3se", "binary4p2sf", "bf16", "f16", "uhp", "f32", "f64"]
MODES = list(itertools.product(["nearest_even", "toward_zero", "to_odd", "stochastic_b"], ["overflow", "finite", "max"]))


def edges(format):
    """Values at, between and beyond those of a format."""
    values = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.5, 0.1, 3e38, -1e-45, 1e300, format.max_finite * 1.03125]
    rng = np.random.default_rng(1)
    return np.concatenate([values, rng.standard_normal(300) * 2.0 ** rng.integers(-20, 20, 300)])


@pytest.mark.parametrize("name", SOME)
def test_codes_are_the_commands(name):
    format = binade.Format(name)
    values = edges(format)
    words = [float(value).hex() if np.isfinite(value) else str(value) for value in values]
    for rounding, saturation in MODES:
        options = ["--rounding", rounding, "--saturation", saturation, "--seed", "5", "--random-bits", "7"]
        if not rounding.startswith("stochastic"):
            options = options[:4]
        command = [sys.executable, "-m", "binade", "encode", name, "-", *options]
        lines = subprocess.run(command, input="\n".join(words), capture_output=True, text=True, check=True).stdout
        expected = [int(line, 16) for line in lines.split()]
        codes = format.encode(values, rounding, saturation, seed=5, random_bits=7)
        assert codes.tolist() == expected, (rounding, saturation)


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "bfloat16"])
def test_ml_dtypes_agrees(name):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = np.dtype(getattr(ml_dtypes, name))
    format = binade.Format("bf16" if name == "bfloat16" else name)
    with np.errstate(over="ignore"):
        values = edges(format).astype(np.float32)
    codes = format.encode(values)
    theirs = values.astype(dtype)
    # Its NaN has the sign of what became of it.
    ours, nan = format.decode(codes), np.isnan(theirs.astype(np.float32))
    assert np.array_equal(np.isnan(ours), nan)
    assert codes[~nan].tolist() == theirs.view(codes.dtype)[~nan].tolist()
    # Arrays of its types are codes to `decode`, and values to `encode`.
    array = theirs
    assert np.array_equal(format.decode(array), array.astype(np.float32), equal_nan=True)
    assert np.array_equal(format.encode(array)[~nan], codes[~nan])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_every_source_type_is_rounded_once(dtype):
    format = binade.Format("float8_e4m3fn")
    with np.errstate(over="ignore"):
        values = edges(format).astype(dtype)
    assert np.array_equal(format.encode(values), format.encode(values.astype(np.float64)))
    rounded = format.round(values)
    assert rounded.dtype == values.dtype
    assert np.array_equal(format.encode(rounded), format.encode(values))


def test_shapes_strides_and_scalars_survive():
    format = binade.Format("float8_e5m2")
    values = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    codes = format.encode(values.transpose(2, 0, 1)[::-1])
    assert codes.shape == (4, 2, 3)
    assert np.array_equal(format.decode(codes), format.round(values).transpose(2, 0, 1)[::-1])
    assert format.encode(np.float32(1.0)).shape == () and type(format.encode(1.0)) is int
    assert format.encode([]).shape == (0,)
    assert format.round(np.float32(0.3)) == np.float32(0.3125)


def test_text_is_read_exactly():
    # Above the middle of two binary32 by less than binary64 can say.
    middle = "1.000000059604644775390625"
    assert binade.Format("f32").encode(middle + "0000000001") == 0x3F800001
    assert binade.Format("f32").encode(float(middle + "0000000001")) == 0x3F800000


def test_flags_are_the_union_of_the_elements():
    format = binade.Format("float8_e4m3fn")
    for values, letters in ([1.0], "-"), ([0.1], "x"), ([1e9], "ox"), ([1e-9], "ux"), ([np.nan, 1e9], "iox"):
        codes, flags = format.encode(values, flags=True)
        assert str(flags) == letters
        assert np.array_equal(codes, format.encode(values))
    assert binade.Flags.OVERFLOW in format.encode(1e9, flags=True)[1]
    _, wide = binade.Format("f32").encode(np.array([5e-324]), flags=True)
    assert str(wide) == "dux"


def test_stochastic_rounding_repeats_and_can_be_cut():
    format = binade.Format("float8_e4m3fn")
    values = np.random.default_rng(2).standard_normal(10_000)
    whole = format.encode(values, "stochastic", seed=3)
    assert np.array_equal(whole, format.encode(values, "stochastic", seed=3, threads=2))
    assert not np.array_equal(whole, format.encode(values, "stochastic", seed=4))
    tail = format.encode(values[6000:], "stochastic", seed=3, first=6000)
    assert np.array_equal(whole[6000:], tail)


def test_4_0_has_its_own_meaning():
    assert binade.Format("binary8p3se").edition == "4.0"
    assert binade.Format("binary4p2sf").decode(binade.Format("binary4p2sf").encode(100.0)) == 3.0
    assert binade.Format("binary8p3").edition == "0.9.1"


def test_parameters():
    format = binade.Format("float8_e4m3fn")
    assert (format.width, format.precision, format.exponent_bits, format.bias) == (8, 4, 4, 7)
    assert (format.max_finite, format.min_normal, format.min_subnormal) == (448.0, 2.0**-6, 2.0**-9)
    assert format.nan_codes == [(0x7F, 0x7F), (0xFF, 0xFF)]
    assert not format.infinities and format.negative_zero and format.signed
    assert format == binade.Format("f8E4M3FN") and len({format, binade.Format("F8E4M3FN")}) == 1
    assert binade.Format.custom(width=8, precision=4, bias=7, infinities=False, nan="all_ones").max_finite == 448.0
    assert "float8_e4m3fn" in binade.formats() and len(binade.formats()) > 100
    assert "448" in format._repr_html_() and "0x7e" in format._repr_html_()


def test_pickles():
    import pickle

    format = pickle.loads(pickle.dumps(binade.Format("shp@bias=15")))
    assert format.name == "shp@bias=15" and type(format) is binade.Format


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda f: binade.Format("float8_e4m3f"), ValueError, "float8_e4m3fn"),
        (lambda f: binade.Format("shp"), ValueError, "bias"),
        (lambda f: f.encode(1.0, "nearest"), ValueError, "nearest_even"),
        (lambda f: f.encode(1.0, saturation="clip"), ValueError, "finite"),
        (lambda f: f.encode(1.0, "stochastic", random_bits=33), ValueError, "1 to 32"),
        (lambda f: f.encode("one"), ValueError, "one"),
        (lambda f: f.encode(np.array([1j])), TypeError, "complex"),
        (lambda f: f.encode(2**53 + 1), ValueError, "exact"),
        (lambda f: f.decode([256]), ValueError, "256"),
        (lambda f: f.decode([-1]), ValueError, "-1"),
        (lambda f: f.decode([0.5]), TypeError, "integers"),
        (lambda f: f.decode([1], dtype="int8"), TypeError, "int8"),
        (lambda f: f.encode(1.0, threads=0), ValueError, "threads"),
    ],
)
def test_mistakes_are_python_exceptions(call, kind, words):
    with pytest.raises(kind, match=words):
        call(binade.Format("float8_e4m3fn"))


def test_import_takes_no_numpy():
    code = "import sys, binade; sys.exit('numpy' in sys.modules or 'torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    "scale", ["tensor", "channel:0", "channel:-1", "block:32", "block:16,float8_e4m3fn", "block:7,bf16", "block:3x5,f32"]
)
def test_quantized_values_are_what_the_command_simulates(scale, tmp_path):
    values = np.random.default_rng(1).standard_normal((5, 70)) * np.logspace(-3, 3, 70)
    for name, dtype in itertools.product(["float4_e2m1fn", "cfloat8_1_4_3@bias=9", "f16"], [np.float32, np.float16, np.float64]):
        np.save(tmp_path / "values.npy", values.astype(dtype))
        binade.quantize_file(tmp_path / "values.npy", tmp_path / "simulated.npy", name, "--scale", scale, "--simulate", "--force")
        quantized = binade.Format(name).quantize(values.astype(dtype), scale)
        expected = np.load(tmp_path / "simulated.npy")
        assert quantized.codes.shape == values.shape and quantized.codes.dtype.kind == "u"
        np.testing.assert_array_equal(quantized.dequantize(dtype), expected)


def test_quantized_scales_have_codes_and_values():
    quantized = binade.Format("float4_e2m1fn").quantize([0.1, -0.4, 3.0, 100.0], "block:2")
    assert quantized.scale == "block:2,float8_e8m0fnu" and quantized.tensor_scale == 1.0
    assert quantized.scale_codes.tolist() == [123, 131] and quantized.scales.tolist() == [2.0**-4, 2.0**4]
    two_levels = binade.Format("float4_e2m1fn").quantize(np.full((2, 32), 5e5, np.float32), "block:16,float8_e4m3fn")
    assert two_levels.scales.shape == (2, 2) and two_levels.tensor_scale > 1
    for wrong in ["block:0", "row", "none", "channel:3"]:
        with pytest.raises(ValueError):
            binade.Format("float4_e2m1fn").quantize(np.ones((2, 2)), wrong)
