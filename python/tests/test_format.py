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


@pytest.mark.parametrize("name", ["bf16", "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "shp@bias=15", "binary8p3se"])
@pytest.mark.parametrize("mode", ["stochastic", "stochastic_b", "stochastic_c"])
def test_stochastic_rounding_has_no_bias(name, mode):
    format = binade.Format(name)
    for x in [1.3, -2.71828, 0.8125 + 2**-20]:
        for dtype in [np.float32, np.float64]:
            value = dtype(x)
            found = format.round(np.full(4000, value), mode, seed=7).astype(np.float64)
            error = found.std() / 4000**0.5
            # If the value has a code, all are that; ν of 2^-15 may round none up.
            assert abs(found.mean() - float(value)) <= 5 * error + 1e-5, (name, mode, x)
            assert error > 0 or abs(found[0] - float(value)) < 1e-5
    values = np.linspace(0.4, 1.9, 64).reshape(4, 16).astype(np.float32)
    for scale in ["tensor", "channel:0", "block:16"]:
        if scale == "block:16" and name not in ["float8_e4m3fn", "float8_e5m2", "float4_e2m1fn"]:
            continue
        rounded = np.stack([np.asarray(format.quantize(values, scale, mode, seed=seed).dequantize()) for seed in range(800)])
        error = rounded.std(0) / 800**0.5
        # Elements beyond the largest one clamp: those of OCP MX's scale, by its rule. A number next to a code may not be drawn to the
        # other one at all, or once or twice.
        inside = values < (values.max(1, keepdims=True) if scale != "block:16" else 1.5)
        rare = 8 * 1.9 * 2.0 ** (1 - format.precision) / 800
        assert (np.abs(rounded.mean(0) - values) <= 5 * error + rare)[inside].all(), (name, mode, scale)
        assert (error[inside] > 0).sum() > 20


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
        (lambda f: f.encode(1.0, threads=2.5), TypeError, "threads"),
        (lambda f: f.encode(1.0, "stochastic", seed=-1), ValueError, "seed=-1 is not 0 to 18446744073709551615"),
        (lambda f: f.encode(1.0, "stochastic", seed=2**64), ValueError, "seed"),
        (lambda f: f.encode(1.0, "stochastic", seed=0.5), TypeError, "seed=0.5 is not an integer"),
        (lambda f: f.encode(1.0, first=-1), ValueError, "first=-1"),
        (lambda f: f.encode(1.0, random_bits=-1), ValueError, "random_bits=-1"),
        (lambda f: f.round(1.0, seed=-1), ValueError, "seed=-1"),
        (lambda f: f.quantize([1.0], "tensor", seed=-1), ValueError, "seed=-1"),
        (lambda f: f.quantize(np.ones((2, 2)), "channel:5"), ValueError, "2 axes, so channel:5 is out of range"),
        (lambda f: f.quantize(np.ones((2, 2)), "channel:-3"), ValueError, "2 axes, so channel:-3 is out of range"),
        (lambda f: f.quantize(1.0, "channel:0"), ValueError, "0 axes"),
        (lambda f: f.quantize([1.0], "block:0"), ValueError, "block:0 is out of range"),
        (lambda f: f.quantize([1.0], "tensor", scale_rule="up"), ValueError, "unknown scale rule 'up'"),
        (lambda f: f.quantize([1.0], "block:16,float8_e4m3fn", scale_rule="floor"), ValueError, "nearest or rceil"),
        (lambda f: f.quantize([1.0], "tensor").dequantize("int8"), TypeError, "int8"),
        (lambda f: f.encode(np.ones(2, np.longdouble)), TypeError, "longdouble|float128"),
        (lambda f: f.encode(np.zeros(2, [("a", ">f4"), ("b", "<f4")])), TypeError, "records"),
        (lambda f: f.encode(np.zeros(2, [("a", "f4")])), TypeError, "understood"),
        (lambda f: f.encode(["1.5", "2"]), TypeError, "understood"),
        (lambda f: f.encode(np.zeros(2, "M8[s]")), TypeError, "understood"),
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


def test_an_empty_array_has_no_codes():
    for scale in ("tensor", "block:32"):
        quantized = binade.Format("float4_e2m1fn").quantize(np.zeros((0, 3)), scale)
        assert quantized.codes.shape == (0, 3) and quantized.dequantize().shape == (0, 3)


def test_quantized_scales_have_codes_and_values():
    quantized = binade.Format("float4_e2m1fn").quantize([0.1, -0.4, 3.0, 100.0], "block:2")
    assert quantized.scale == "block:2,float8_e8m0fnu" and quantized.tensor_scale == 1.0
    assert quantized.scale_codes.tolist() == [123, 131] and quantized.scales.tolist() == [2.0**-4, 2.0**4]
    two_levels = binade.Format("float4_e2m1fn").quantize(np.full((2, 32), 5e5, np.float32), "block:16,float8_e4m3fn")
    assert two_levels.scales.shape == (2, 2) and two_levels.tensor_scale > 1
    for wrong in ["block:0", "row", "none", "channel:3"]:
        with pytest.raises(ValueError):
            binade.Format("float4_e2m1fn").quantize(np.ones((2, 2)), wrong)


TYPES = ["f2", "f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8"]


def layouts(values):
    """The same values as arrays that lie differently in memory: byte order, strides, alignment, fields of records."""
    big = values.astype(values.dtype.newbyteorder(">"))
    yield "big", big
    yield "big, reversed", big[::-1][::-1]
    yield "big, strided", np.repeat(big, 2)[::2]
    yield "big, of two axes", np.asfortranarray(big.reshape(4, -1)).T.T.reshape(-1)
    record = np.zeros(len(values), [("pad", "u1"), ("x", big.dtype)])
    record["x"] = big
    yield "big, a field", record["x"]
    bytes_ = np.frombuffer(b"\0" + big.tobytes(), np.uint8)[1:]
    yield "big, misaligned", bytes_.view(big.dtype)
    yield "little, misaligned", np.frombuffer(b"\0" + values.tobytes(), np.uint8)[1:].view(values.dtype)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", ["float8_e4m3fn", "bf16", "f16", "tf32", "f32", "f64"])
def test_arrays_of_any_byte_order_are_their_numbers(kind, name):
    format, values = binade.Format(name), np.arange(1, 41).astype(kind)
    codes, rounded = format.encode(values), format.round(values)
    for what, array in layouts(values):
        assert np.array_equal(array, values), what
        assert np.array_equal(format.encode(array), codes), what
        assert np.array_equal(format.round(array), rounded), what
        assert format.round(array).dtype.isnative
        assert np.array_equal(format.quantize(array, "block:8").dequantize(), format.quantize(values, "block:8").dequantize()), what
        alone = format.encode(array[3]), format.encode(array[3:4].reshape(()))
        assert alone == (codes[3], codes[3]), what


@pytest.mark.parametrize("kind", ["u2", "u4", "u8", "i2", "i4", "i8"])
def test_codes_of_any_byte_order_are_codes(kind):
    for name in ("float8_e4m3fn", "bf16", "f16", "f32", "f64"):
        format = binade.Format(name)
        codes = np.arange(1, 41).astype(kind)
        for what, array in layouts(codes):
            assert np.array_equal(format.decode(array), format.decode(codes), equal_nan=True), (name, what)


def test_products_of_any_byte_order_are_their_numbers():
    a, b = np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(4, 2)
    expected = binade.matmul(a, b)
    for kind in (">f2", ">f4", ">f8", ">i4"):
        assert np.array_equal(binade.matmul(a.astype(kind), b.astype(kind)), expected)
        assert np.array_equal(binade.matmul(a.astype(kind), b.astype(kind), add=expected.astype(kind)), 2 * expected)
        assert np.array_equal(binade.multiply_add(a.astype(kind), a.astype(kind), 1.0), a * a + 1)
    ml_dtypes = pytest.importorskip("ml_dtypes")
    narrow = a.astype(ml_dtypes.bfloat16)
    assert np.array_equal(binade.matmul(narrow, b), expected)
    assert np.array_equal(binade.matmul(narrow.T[:, ::-1][:, ::-1].T, b), expected)


def test_views_of_narrow_types_are_their_numbers():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for name in ("float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "bfloat16"):
        if not hasattr(ml_dtypes, name):
            continue
        dtype = np.dtype(getattr(ml_dtypes, name))
        format = binade.Format("bf16" if name == "bfloat16" else name)
        array = np.linspace(-4, 4, 24).reshape(4, 6).astype(dtype)
        for view in (array, array[:, ::2], array.T, array[::-1], array[1, 2:3].reshape(())):
            expected = view.astype(np.float32)
            assert np.array_equal(format.decode(view), expected)
            assert np.array_equal(binade.Format("f32").round(view), expected)
            assert format.decode(view).shape == view.shape


def test_what_is_no_code_is_refused():
    e2m1, tf32 = binade.Format("float4_e2m1fn"), binade.Format("tf32")
    for dtype in (np.uint8, np.int8, np.uint16, np.int32, ">u2", ">i4", np.int64):
        with pytest.raises(ValueError, match="16 is not a code of float4_e2m1fn, which has 4 bits"):
            e2m1.decode(np.array([3, 0x10], dtype))
    with pytest.raises(ValueError, match="255 is not a code"):
        e2m1.decode(np.array([0x10, 0xFF], np.uint8))
    with pytest.raises(ValueError, match="524288 is not a code of tf32, which has 19 bits"):
        tf32.decode(np.array([1 << 19], np.uint32))
    # Two's complement where integers have the size of codes.
    assert binade.Format("float8_e4m3fn").decode(np.array([-2], np.int8)) == -448.0
    assert binade.Format("bf16").decode(np.array([-0x4080], np.int16)) == -1.0
    with pytest.raises(ValueError, match="-2 is not a code"):
        binade.Format("float8_e4m3fn").decode(np.array([-2], np.int16))
    every = np.arange(16, dtype=np.uint8)
    assert np.array_equal(e2m1.decode(every), [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def test_text_is_rounded():
    assert binade.Format("float8_e4m3fn").round("0.3") == 0.3125
    assert binade.Format("bf16").round("0x1p-130") == 2.0**-130 and type(binade.Format("bf16").round("1")) is float
    # Beyond the middle of two by less than binary64 can say.
    assert binade.Format("bf16").round("1.00390625" + "0" * 30 + "1") == 1.0078125
    with pytest.raises(ValueError, match="one"):
        binade.Format("bf16").round("one")


def test_everything_is_pickled():
    import copy
    import pickle

    quantized = binade.Format("float4_e2m1fn").quantize(np.arange(40.0).reshape(2, 20), "block:16,float8_e4m3fn")
    for made in (pickle.loads(pickle.dumps(quantized)), copy.deepcopy(quantized)):
        assert np.array_equal(made.codes, quantized.codes) and np.array_equal(made.dequantize(), quantized.dequantize())
        assert np.array_equal(made.scales, quantized.scales) and made.tensor_scale == quantized.tensor_scale
        assert repr(made) == repr(quantized)
    operator = pickle.loads(pickle.dumps(binade.Operator("bf16x2:bf16x2/3")))
    assert operator == binade.Operator("bf16x2:bf16x2/3") and operator(1.0, 1.0, 256.0) == 257.0
    assert copy.deepcopy(operator) == operator


def exact_scales(values, scale, rule):
    """NVFP4 and the like by fractions: scales of each block of a row, and the scale over them."""
    from fractions import Fraction

    e4m3 = sorted({Fraction(float(x)) for x in binade.Format("float8_e4m3fn").decode(np.arange(0x7F, dtype=np.uint8))})

    def rounded(x, numbers):
        above = next((n for n in numbers if n >= x), numbers[-1])
        below = max((n for n in numbers if n <= x), default=numbers[0])
        if rule == "rceil" or above == below:
            return above
        if x - below != above - x:
            return below if x - below < above - x else above
        return min((above, below), key=lambda n: numbers.index(n) % 2)

    most = Fraction(float(np.abs(values).max()))
    over = Fraction(float(np.float32(float(most / 2688))))
    if rule == "rceil" and over < most / 2688:
        over = Fraction(float(np.nextafter(np.float32(float(over)), np.float32(np.inf))))
    blocks = [[Fraction(float(np.abs(row[at : at + scale]).max())) for at in range(0, len(row), scale)] for row in values]
    return [[rounded(m / (6 * over), e4m3) or e4m3[1] for m in row] for row in blocks], over


@pytest.mark.parametrize("rule", [None, "nearest", "rceil"])
def test_nvfp4_has_one_rule(rule):
    values = (np.random.default_rng(5).standard_normal((6, 64)) * np.logspace(-4, 3, 64)).astype(np.float32)
    quantized = binade.Format("float4_e2m1fn").quantize(values, "block:16,float8_e4m3fn", scale_rule=rule)
    scales, over = exact_scales(values, 16, rule or "nearest")
    assert quantized.tensor_scale == float(over)
    assert quantized.scales.tolist() == [[float(x) for x in row] for row in scales]
    if rule != "rceil":
        # The same as products in blocks.
        identity = np.eye(64, dtype=np.float32) * 2688
        product = binade.matmul(values, identity, order="exact", blocks="nvfp4")
        assert np.array_equal(product, (2688 * quantized.dequantize("float64")).astype(np.float32))
    # Elements are the nearest of E2M1 to the quotients, clamped.
    factors = np.repeat(quantized.scales, 16, axis=1).astype(np.float64) * quantized.tensor_scale
    with np.errstate(all="ignore"):
        assert np.abs(values / factors).max() <= (6.0 if rule == "rceil" else 6.0 * 17 / 16)
    e2m1 = binade.Format("float4_e2m1fn")
    assert np.array_equal(quantized.codes, e2m1.encode(values / factors, saturation="max"))


def test_scale_rules_are_those_of_blocks():
    values = (np.random.default_rng(6).standard_normal((3, 96)) * 3).astype(np.float32)
    identity = np.eye(96, dtype=np.float32)
    for rule in ("floor", "rceil", "even", "ceil", "nearest"):
        found = binade.Format("float4_e2m1fn").quantize(values, "block:32", scale_rule=rule).dequantize()
        expected = binade.matmul(values, identity, order="exact", blocks=f"mxfp4@rule={rule},mxfp8_e4m3")
        assert np.array_equal(found, expected), rule
    # What lies beyond the largest by rounding of a scale is the largest, and never NaN.
    e4m3 = binade.Format("float8_e4m3fn")
    found = e4m3.quantize(np.array([475.0, 448.0, 1.0]), "block:4,float8_e4m3fn").dequantize()
    assert np.isfinite(found).all()


@pytest.mark.parametrize(
    ("name", "blocks", "scale", "rule"),
    [
        ("float4_e2m1fn", "mxfp4", "block:32", "floor"),
        ("float4_e2m1fn", "mxfp4@rule=even", "block:32", "even"),
        ("float4_e2m1fn", "nvfp4", "block:16,float8_e4m3fn", "nearest"),
        ("float8_e4m3fn", "mxfp8_e4m3", "block:32", "floor"),
        ("float8_e5m2", "MXFP8_E5M2", "block:32", "floor"),
        ("float8_e4m3fn", "deepseek_fp8", "block:128x128,f32", "nearest"),
    ],
)
def test_a_block_formats_name_is_its_blocks(name, blocks, scale, rule):
    values = np.random.default_rng(2).standard_normal((140, 150)).astype(np.float32)
    named = binade.Format(name).quantize(values, blocks)
    spelt = binade.Format(name).quantize(values, scale, scale_rule=rule)
    assert named.scale == spelt.scale and np.array_equal(named.codes, spelt.codes)
    assert np.array_equal(named.dequantize("float64"), spelt.dequantize("float64"))
    with pytest.raises(ValueError, match="elements of .* not bf16"):
        binade.Format("bf16").quantize(values, blocks)


SPECIALS = [np.nan, -np.nan, np.inf, -np.inf]


@pytest.mark.parametrize("special", SPECIALS)
@pytest.mark.parametrize("scale", ["block:2", "block:2,float8_e4m3fn", "block:1x2,f32", "tensor", "channel:0", "channel:1"])
@pytest.mark.parametrize("name", ["float4_e2m1fn", "float6_e3m2fn", "float8_e4m3fn", "float8_e5m2", "bf16", "binary8p3"])
@pytest.mark.parametrize("saturation", ["overflow", "finite", "max"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_not_finite_never_becomes_a_number(special, scale, name, saturation, dtype):
    values = np.array([[1.0, 2.0, special, 3.0], [4.0, 5.0, 6.0, 1.0]], dtype)
    format = binade.Format(name)
    found = format.quantize(values, scale, saturation=saturation).dequantize("float64")
    has_nan = bool(format.nan_codes)
    expected = np.zeros((2, 4), bool)
    expected[0, 2] = True
    if not has_nan:
        # The scale says so, of all that it is the scale of.
        group = {"tensor": np.s_[:, :], "channel:0": np.s_[0, :], "channel:1": np.s_[:, 2]}.get(scale, np.s_[0, 2:])
        expected[group] = True
    assert np.array_equal(~np.isfinite(found), expected)
    if np.isnan(special) or not format.infinities or saturation == "max":
        assert np.isnan(found[expected]).all()
    else:
        assert found[0, 2] == special
    # The others are as if it were not there.
    clean = values.copy()
    clean[0, 2] = 0.0
    alone = format.quantize(clean, scale, saturation=saturation).dequantize("float64")
    assert np.array_equal(found[~expected], alone[~expected])


def test_what_nothing_can_say_to_be_nan_is_an_error():
    with pytest.raises(ValueError, match="element 3 of the array is not finite: neither float4_e2m1fn nor the scales"):
        none = "custom@width=8,precision=3,bias=15,infinities=no,nan=none,negative_zero=no"
        binade.Format("float4_e2m1fn").quantize([1.0, 2.0, 3.0, np.nan], f"block:2,{none}")


def test_quantizing_starts_no_process(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a process")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    quantized = binade.Format("float4_e2m1fn").quantize(np.ones((4, 64)), "block:32")
    assert quantized.dequantize().tolist() == np.ones((4, 64)).tolist()


@pytest.mark.parametrize("threads", [1, 3])
def test_quantizing_does_not_depend_on_threads(threads):
    values = np.random.default_rng(3).standard_normal((300, 701)).astype(np.float32)
    for scale in ("tensor", "channel:0", "block:32", "block:7x9,bf16"):
        alone = binade.Format("float8_e4m3fn").quantize(values, scale, "stochastic", seed=4, threads=1)
        found = binade.Format("float8_e4m3fn").quantize(values, scale, "stochastic", seed=4, threads=threads)
        assert np.array_equal(found.codes, alone.codes) and np.array_equal(found.scales, alone.scales)
        for dtype in ("float16", "float64"):
            assert np.array_equal(found.dequantize(dtype, threads=threads), alone.dequantize(dtype, threads=1))


def nearest(x, bits, least):
    """A fraction rounded to nearest even with so many bits, in multiples of 2^least at least."""
    from fractions import Fraction

    if x == 0:
        return x
    exponent = max((abs(x).numerator.bit_length() - abs(x).denominator.bit_length()) - bits, least) - 1
    while abs(x) / Fraction(2) ** exponent >= 2**bits or exponent < least:
        exponent += 1
    return round(x / Fraction(2) ** exponent) * Fraction(2) ** exponent


@pytest.mark.parametrize(("dtype", "bits", "least"), [("float16", 11, -24), ("bfloat16", 8, -133), ("float32", 24, -149), ("float64", 53, -1074)])
@pytest.mark.parametrize("name", ["float8_e4m3fn", "f16", "f32", "f64"])
def test_dequantized_numbers_are_rounded_once(dtype, bits, least, name):
    from fractions import Fraction

    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    rng = np.random.default_rng(8)
    values = rng.standard_normal(400) * 2.0 ** rng.integers(-140 if dtype != "float16" else -20, 4, 400)
    format = binade.Format(name)
    for scale in ("tensor", "block:16,float8_e4m3fn", "block:16"):
        quantized = format.quantize(values, scale)
        found = quantized.dequantize(dtype).astype(np.float64)
        size = 400 if scale == "tensor" else 16
        scales = np.repeat(np.atleast_1d(quantized.scales).astype(np.float64), size)[:400]
        for x, code, by in zip(found, format.decode(quantized.codes, "float64"), scales):
            exact = Fraction(float(code)) * Fraction(float(by)) * Fraction(quantized.tensor_scale)
            assert Fraction(float(x)) == nearest(exact, bits, least), (scale, float(code), float(by))


def test_dequantizing_does_not_depend_on_the_floating_point_environment():
    torch = pytest.importorskip("torch")
    values = (np.random.default_rng(9).standard_normal(256) * 2.0**-135).astype(np.float32)
    usual = {}
    for flushed in (False, True):
        torch.set_flush_denormal(flushed)
        try:
            for name, scale in itertools.product(["float8_e4m3fn", "f32"], ["tensor", "block:32"]):
                quantized = binade.Format(name).quantize(values, scale)
                found = quantized.codes.tobytes() + quantized.dequantize().tobytes()
                assert usual.setdefault((name, scale), found) == found
        finally:
            torch.set_flush_denormal(False)
    assert values.any()
