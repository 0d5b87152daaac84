"""Products from Python against the operator's own chains."""

import os
import signal
import time
import warnings

import binade
import numpy as np
import pytest

OPERATORS = ["f32:f32", "bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3", "float8_e4m3fn:f32", "bf16:f16"]


def chain(a, b, c, arith):
    """c + Σ aᵢ · bᵢ, one operator step after the other."""
    for x, y in zip(a, b):
        c = binade.multiply_add(x, y, c, arith)
    return c


def operands(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("arith", OPERATORS)
def test_a_product_is_the_chain_of_the_operator(arith):
    a, b, c = operands(3, 7), operands(7, 5, seed=1), operands(3, 5, seed=2)
    product = binade.matmul(a, b, arith, add=c)
    for row in range(3):
        for column in range(5):
            assert product[row, column] == chain(a[row], b[:, column], c[row, column], arith)


def test_shapes_are_numpys():
    for a, b in [((4, 3), (3, 5)), ((2, 4, 3), (3, 5)), ((2, 1, 4, 3), (6, 3, 5)), ((3,), (3,)), ((3,), (3, 5)), ((2, 4, 3), (3,))]:
        x, y = operands(*a), operands(*b, seed=1)
        ours = np.asarray(binade.matmul(x, y, "f32:f32"))
        assert ours.shape == np.matmul(x, y).shape
        np.testing.assert_allclose(ours, np.matmul(x, y), rtol=1e-5, atol=1e-6)
    assert binade.matmul(operands(0, 3), operands(3, 2)).shape == (0, 2)
    assert np.array_equal(binade.matmul(operands(2, 0), operands(0, 2)), np.zeros((2, 2)))


def test_orders_and_threads():
    a, b = operands(40, 300), operands(300, 20, seed=1)
    results = [binade.matmul(a, b, "bf16:bf16", order) for order in ("sequential", "pairwise", "lanes:16", "exact")]
    assert not np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], binade.matmul(a, b, "bf16:bf16", threads=2))
    exact = (binade.Format("bf16").round(a).astype(np.float64) @ binade.Format("bf16").round(b).astype(np.float64))
    assert np.array_equal(results[3], binade.Format("bf16").round(exact).astype(np.float32))


def test_products_in_blocks_are_of_what_quantize_gives():
    a, b = operands(5, 96), operands(96, 4, seed=1)
    for blocks, element in [("mxfp8_e4m3", "float8_e4m3fn"), ("mxfp6_e2m3", "float6_e2m3fn"), ("mxfp4", "float4_e2m1fn")]:
        x, y = (binade.Format(element).quantize(side, "block:32").dequantize("float64") for side in (a, b.T))
        # Sums of these are exact in binary64.
        assert np.array_equal(binade.matmul(a, b, order="exact", blocks=blocks), (x @ y.T).astype(np.float32))


@pytest.mark.parametrize("blocks", ["nvfp4", "deepseek_fp8", "mxfp8_e4m3,mxfp4"])
def test_products_in_blocks_are_the_commands(blocks, tmp_path):
    a, b = operands(2, 1, 5, 300), operands(3, 300, 4, seed=1)
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    out = tmp_path / "c.npy"
    binade.run_command("matmul", tmp_path / "a.npy", tmp_path / "b.npy", "--in", blocks, "--arith", "f32:bf16", "-o", out)
    ours = binade.matmul(a, b, "f32:bf16", blocks=blocks)
    assert ours.shape == (2, 3, 5, 4) and np.array_equal(ours, np.load(out))
    assert np.array_equal(ours[0, 1, 2, 3], binade.matmul(a, b, "f32:bf16", blocks=blocks, threads=2)[0, 1, 2, 3])
    assert binade.matmul(operands(0, 3), operands(3, 2), blocks=blocks).shape == (0, 2)


@pytest.mark.parametrize("arith", ["bf16:bf16", "bf16x2:bf16x2/3"])
def test_a_convolution_is_the_chain_over_its_windows(arith):
    x, w = operands(2, 4, 5, 6), operands(6, 2, 3, 2, seed=1)
    y = binade.convolution(x, w, arith, stride=(2, 1), padding=1, groups=2)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    assert y.shape == (2, 6, 3, 7)
    for n, o, i, j in np.ndindex(*y.shape):
        group = padded[n, o // 3 * 2 : o // 3 * 2 + 2, 2 * i : 2 * i + 3, j : j + 2]
        assert y[n, o, i, j] == chain(w[o].ravel(), group.ravel(), 0.0, arith)


@pytest.mark.parametrize("kernel", [(1, 1), (2, 3), (4, 5)])
@pytest.mark.parametrize("dilation", [1, (2, 3)])
def test_padding_by_name(kernel, dilation):
    x, w = operands(2, 3, 9, 8), operands(4, 3, *kernel, seed=1)
    assert np.array_equal(
        binade.convolution(x, w, padding="valid", dilation=dilation), binade.convolution(x, w, dilation=dilation)
    )
    gaps = (dilation, dilation) if isinstance(dilation, int) else dilation
    total = [gap * (size - 1) for gap, size in zip(gaps, kernel)]
    same = binade.convolution(x, w, padding="same", dilation=dilation)
    assert same.shape == (2, 4, 9, 8)
    # An odd number has its greater half after, as in PyTorch.
    padded = np.pad(x, ((0, 0), (0, 0), *((all // 2, all - all // 2) for all in total)))
    assert np.array_equal(same, binade.convolution(padded, w, dilation=dilation))


def test_the_operator():
    operator = binade.Operator("mp")
    assert operator.name == "bf16:f32" and operator == binade.Operator("bf16:f32")
    assert operator(3.0, 1.0, [1.0, 2.0]).tolist() == [4.0, 5.0]
    assert binade.Operator("bf16:bf16").cost["speed_up"] == 9.0
    assert binade.matmul([[1.0]], [[2.0]], operator).tolist() == [[2.0]]


def test_operators_of_block_formats_multiply_in_blocks():
    a, b = operands(3, 70), operands(70, 4)
    for name in ("mxfp4", "nvfp4", "mxfp8_e4m3,mxfp4@rule=rceil"):
        operator = binade.Operator(f"{name}:bf16")
        assert (operator.name, operator.blocks) == (f"{name}:bf16", name)
        expected = binade.matmul(a, b, "f32:bf16", blocks=name)
        assert np.array_equal(binade.matmul(a, b, operator), expected)
        assert np.array_equal(binade.matmul(a, b, f"{name}:bf16", threads=2), expected)
    # A scale over the tensor is one of all of it, which MXFP4 has none of.
    expected = binade.matmul(a, b, blocks="mxfp4")[0, 0]
    assert binade.dot(a[0], b[:, 0], "mxfp4:f32") == expected
    with pytest.raises(ValueError, match="start from 0"):
        binade.dot(a[0], b[:, 0], "mxfp4:f32", add=1.0)


@pytest.mark.parametrize("blocks", ["mxfp4", "nvfp4", "mxint8", "mxfp6_e2m3", "mxfp8_e4m3", "deepseek_fp8"])
def test_blocks_keep_what_is_not_finite(blocks):
    for special in (np.nan, np.inf, -np.inf):
        a = np.ones((2, 64), np.float32)
        a[0, 40] = special
        found = binade.matmul(a, np.ones((64, 1)), blocks=blocks)
        assert np.isnan(found[0, 0]) and abs(found[1, 0] - 64.0) < 1e-3
        assert np.isnan(binade.matmul(np.ones((1, 64)), a.T, blocks=blocks)[0, 0])


def test_operators_without_vector_code_warn_once():
    with pytest.warns(RuntimeWarning, match="bf16:binary8p1se has no vector code"):
        binade.matmul([[1.0]], [[1.0]], "bf16:binary8p1se")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        binade.matmul([[1.0]], [[1.0]], "bf16:binary8p1se", threads=2)
        binade.matmul([[1.0]], [[1.0]], "tf32:tf32")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: binade.matmul([[1.0]], [[1.0], [2.0]]), "do not fit"),
        (lambda: binade.matmul([[1.0]], [[1.0]], "bf16"), "bf16"),
        (lambda: binade.matmul([[1.0]], [[1.0]], order="sideways"), "sequential"),
        (lambda: binade.matmul(1.0, [1.0]), "dimension"),
        (lambda: binade.matmul([[1.0]], [[1.0]], blocks="nvfp5"), "nvfp5"),
        (lambda: binade.matmul([[1.0]], [[1.0]], blocks="nvfp4", add=1.0), "blocks"),
        (lambda: binade.matmul([[1.0]], [[1.0]], "mxfp4:f32", blocks="nvfp4"), "both name the blocks"),
        (lambda: binade.matmul([[1.0]], [[1.0]], "mxfp4:f32", add=1.0), "blocks"),
        (lambda: binade.multiply_add(1.0, 1.0, 1.0, "mxfp4:f32"), "float4_e2m1fn"),
        (lambda: binade.convolution(np.ones((1, 1, 4, 4)), np.ones((1, 1, 3, 3)), "mxfp4:f32"), "float4_e2m1fn"),
        (lambda: binade.Operator("fp8:fp32"), "inputs: unknown format 'fp8': did you mean float8_e4m3fn"),
        (lambda: binade.dot([1.0], [1.0, 2.0]), "one length"),
        (lambda: binade.convolution(np.ones((1, 3, 4, 4)), np.ones((2, 2, 3, 3))), "channels"),
        (lambda: binade.convolution(np.ones((1, 3, 4)), np.ones((2, 3, 3))), "needed"),
        (lambda: binade.convolution(np.ones((1, 1, 4, 4)), np.ones((1, 1, 3, 3)), stride=0), "stride"),
        (lambda: binade.convolution(np.ones((1, 1, 4, 4)), np.ones((1, 1, 3, 3)), padding=-1), "padding=-1"),
        (lambda: binade.convolution(np.ones((1, 1, 4, 4)), np.ones((1, 1, 3, 3)), padding="some"), "padding='some'"),
        (lambda: binade.convolution(np.ones((1, 1, 4, 4)), np.ones((1, 1, 3, 3)), padding="same", stride=2), "stride 1"),
        (lambda: binade.convolution(np.ones((1, 1, 4, 4)), np.ones((1, 1, 3, 3)), padding=(1, 2, 3)), "pair"),
        (lambda: binade.convolution(np.ones((1, 1, 4, 4)), np.ones((1, 1, 3, 3)), dilation=(1, 2, 3)), "pair"),
        (lambda: binade.convolution(np.ones((1, 1, 4, 4)), np.ones((1, 1, 3, 3)), groups=0), "groups=0"),
    ],
)
def test_mistakes_say_what_is_wrong(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("options", [{"arith": "bf16:bf16"}, {"blocks": "nvfp4"}, {"blocks": "mxfp8_e4m3", "order": "exact"}])
def test_one_matrix_for_a_batch_is_one_for_each(options):
    a, b = operands(2, 3, 5, 64), operands(64, 7, seed=1)
    each = [[binade.matmul(one, b, **options) for one in row] for row in a]
    np.testing.assert_array_equal(binade.matmul(a, b, **options), each)
    np.testing.assert_array_equal(binade.matmul(a, np.broadcast_to(b, (2, 3, 64, 7)), **options), each)
    left = operands(5, 64, seed=2)
    others = [binade.matmul(left, one, **options) for one in a[0].swapaxes(-1, -2)]
    np.testing.assert_array_equal(binade.matmul(left, a[0].swapaxes(-1, -2), **options), others)
    assert binade.matmul(a[:0], b, **options).shape == (0, 3, 5, 7)
    assert not binade.matmul(a[..., :0], b[:0], **options).any()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*")
def test_forked_processes_have_threads_of_their_own():
    """As workers of PyTorch's loaders and of multiprocessing are: what has run before the fork runs after it."""
    a, numbers = operands(300, 300), operands(1 << 18)
    e4m3 = binade.Format("float8_e4m3fn")

    def results():
        product = binade.matmul(a, a, "bf16x2:bf16x2/3", threads=4)
        return product.tobytes() + e4m3.encode(numbers, threads=4).tobytes()

    expected = results()
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if results() == expected else 1)
        finally:
            os._exit(2)
    # However slow the machine is.
    end = time.monotonic() + 900
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < end:
        time.sleep(0.01)
    if ended[0] == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child waits without end")
    assert os.waitstatus_to_exitcode(ended[1]) == 0


def test_matrix_unit_cuts_as_the_chip_does():
    a = np.zeros((1, 32), np.float32)
    a[0, 0], a[0, 16:] = 1.0, 2.0**-13
    assert binade.matmul(a, a.T, "f16:f32", order="exact")[0, 0] == np.float32(1 + 2.0**-22)
    assert binade.matmul(a, a.T, "h100:f16")[0, 0] == 1
    assert binade.matmul(a, a.T, "h100:f16/promote=16")[0, 0] == np.float32(1 + 2.0**-22)
    x, y = operands(9, 200), operands(200, 7, seed=1)
    found = binade.matmul(x, y, "h100:e4m3/promote=128/saturate")
    assert np.array_equal(found, binade.matmul(x, y, "h100:e4m3/promote=128/saturate", threads=2))
    assert not np.array_equal(found, binade.matmul(x, y, "h100:e4m3/saturate"))


def test_matrix_units_multiply_in_blocks():
    x, y = operands(3, 128), operands(128, 5, seed=1)
    exact = binade.matmul(x, y, "f32:f32", order="exact", blocks="nvfp4")
    np.testing.assert_allclose(binade.matmul(x, y, "b200:nvfp4"), exact, rtol=1e-5, atol=1e-5)
    exact = binade.matmul(x, y, "f32:f32", order="exact", blocks="deepseek_fp8")
    np.testing.assert_allclose(binade.matmul(x, y, "h100:deepseek_fp8"), exact, rtol=1e-2, atol=1e-2)


def test_names_of_matrix_units_are_canonical():
    for name, canonical in [
        ("H100:e4m3/promote=128", "h100:float8_e4m3fn/promote=128"),
        ("b200:nvfp4", "b200:nvfp4"),
        ("h100:deepseek_fp8", "h100:deepseek_fp8"),
        ("unit(products=4, bits=8):bf16", "unit(products=4,bits=8):bf16"),
    ]:
        assert binade.Operator(name).name == canonical
    assert binade.Operator("h100:f16")(1.5, 2.0, 0.25) == 3.25
    with pytest.raises(ValueError, match="a matrix unit"):
        binade.Operator("h100:f16").cost
    with pytest.raises(ValueError, match="v100 has no instruction for bf16"):
        binade.matmul(np.ones((2, 2)), np.ones((2, 2)), "v100:bf16")


def test_units_are_compared_beside_the_exact_product():
    a, b, c = operands(5, 100), operands(100, 4, seed=1), operands(4, seed=2)
    report = binade.compare_units(a, b, ["h100:bf16", "amx", "bf16:f32"], input="bf16", add=c)
    names = ["h100:bf16", "amx:bf16", "bf16:f32"]
    assert [row["unit"] for row in report["units"]] == names
    exact = binade.matmul(a, b, "bf16:f32", order="exact", add=c)
    results = [binade.matmul(a, b, name, add=c) for name in names]
    spacing = np.spacing(np.abs(exact)).astype(float)
    for row, result in zip(report["units"], results):
        errors = np.abs(result.astype(float) - exact) / spacing
        assert (row["different"], row["max_ulps"]) == (np.sum(result != exact), errors.max())
        assert row["mean_ulps"] == pytest.approx(errors.mean())
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert [pair["different"] for pair in report["pairs"]] == [np.sum(results[i] != results[j]) for i, j in pairs]
    half = binade.compare_units(a.astype(np.float16), b.astype(np.float16), ["h100", "a100"])
    assert (half["chosen_input"], half["units"][0]["input_error"]) == ("f16", 0)
    with pytest.raises(binade.BinadeError, match="v100 has no instruction for bf16"):
        binade.compare_units(a, b, ["v100:bf16"])
    with pytest.raises(binade.BinadeError, match="does not fit"):
        binade.compare_units(a, a, ["h100"])


def test_stochastic_products_repeat_by_seed_and_do_not_stall() -> None:
    small, ones = np.full((4, 2000), 2.0**-10, np.float32), np.ones((2000, 3), np.float32)
    arith = "bf16:bf16/rounding=stochastic"
    one = binade.matmul(small, ones, arith, seed=1)
    assert np.array_equal(one, binade.matmul(small, ones, arith, seed=1, threads=3))
    assert not np.array_equal(one, binade.matmul(small, ones, arith, seed=2))
    assert (binade.matmul(small, ones, "bf16:bf16") == 0.25).all()
    assert (one > 1.2).all() and (one < 2.8).all()
    # Matrices of a batch take other random bits.
    batch = binade.matmul(np.stack([small, small]), ones, arith, seed=1)
    assert np.array_equal(batch[0], one) and not np.array_equal(batch[1], one)
    assert binade.Operator("bf16:bf16/rounding=stochastic_b:8").name == "bf16:bf16/rounding=stochastic_b:8"
    sums = binade.multiply_add(np.full(4000, 2.0**-9), 1.0, 1.0, arith, seed=3)
    assert abs(float(sums.mean()) - (1 + 2.0**-9)) < 5 * float(sums.std()) / 4000**0.5
    with pytest.raises(ValueError, match="did you mean stochastic"):
        binade.Operator("bf16:bf16/rounding=stochastik")


def assert_no_bias(numbers, exact):
    """Asserts that the mean is exact within five standard errors, and that the numbers differ."""
    numbers = np.asarray(numbers, np.float64)
    error = numbers.std(ddof=1) / numbers.size**0.5
    assert error > 0 and abs(numbers.mean() - exact) < 5 * error, (numbers.mean(), error, exact)


def bf16(values):
    return (values.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32)


@pytest.mark.parametrize("mode", ["stochastic", "stochastic_b", "stochastic_c", "stochastic:16"])
def test_stochastic_sums_have_no_bias(mode) -> None:
    arith = f"bf16:bf16/rounding={mode}"
    # All elements of a result are one sum.
    a, b = bf16(np.arange(90) % 13 / 64 + 1), bf16(np.arange(90) % 7 / 8)
    exact = float(np.dot(a.astype(np.float64), b))
    assert_no_bias(binade.matmul(np.tile(a, (50, 1)), np.tile(b[:, None], (1, 40)), arith, seed=5), exact)
    assert_no_bias([binade.dot(a, b, arith, seed=seed) for seed in range(300)], exact)
    assert_no_bias([binade.dot(a, b, arith, add=1.5, seed=seed) for seed in range(300)], exact + 1.5)
    kernel, image = a[:18].reshape(1, 2, 3, 3), b[:18].reshape(1, 2, 3, 3)
    images = binade.convolution(np.repeat(image, 40, 0), np.repeat(kernel, 50, 0), arith, seed=6)
    assert_no_bias(images, float(np.sum(kernel.astype(np.float64) * image)))


def test_random_rounding_is_a_fair_coin() -> None:
    # 1 + 2^-9 is a quarter of BF16's gap above 1: random rounds half of the sums up, stochastic a quarter.
    ones, small = np.ones((20000, 1), np.float32), np.full((1, 1), 2.0**-9, np.float32)
    for mode, share in [("random", 0.5), ("stochastic", 0.25)]:
        sums = binade.matmul(ones, small, f"f32:bf16/rounding={mode}", add=ones, seed=3)
        assert set(np.unique(sums)) == {1.0, 1.0078125}
        assert abs((sums > 1).mean() - share) < 0.02
    assert binade.Operator("bf16:bf16/rounding=random").name == "bf16:bf16/rounding=random"
    with pytest.raises(ValueError, match="random: only stochastic modes take them"):
        binade.Operator("bf16:bf16/rounding=random:8")


def test_dot_takes_its_seed() -> None:
    arith, ones = "bf16:bf16/rounding=stochastic", np.ones(300)
    sums = [binade.dot(ones, ones, arith, seed=seed) for seed in [0, 0, 1, 2, 3, 2**64 - 1]]
    assert sums[0] == sums[1] == binade.dot(ones, ones, arith) and len(set(sums)) > 1
    assert sums[2] == binade.matmul(ones, ones, arith, seed=1)
    with pytest.raises(ValueError, match="seed=-1 is not 0 to 18446744073709551615"):
        binade.dot(ones, ones, arith, seed=-1)
