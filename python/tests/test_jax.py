"""`binade.jax`: the profile, and functions on binade's device beside JAX's processor. `peers/check_jax.py` has the rest."""

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

import binade  # noqa: E402
import binade.jax  # noqa: E402


def loss(weights, x):
    with jax.named_scope("hidden"):
        x = jnp.tanh(x @ weights["a"])
    with jax.named_scope("output"):
        return (x @ weights["b"]).sum()


WEIGHTS = {"a": np.full((300, 8), 0.5, np.float32), "b": np.ones((8, 1), np.float32)}
X = np.ones((4, 300), np.float32)


def test_profile_of_gradient_has_operations_by_scope():
    found = binade.jax.profile(jax.value_and_grad(loss), WEIGHTS, X)
    products = [row for row in found.operations if row["operation"] == "dot_general"]
    # Two forwards, and of each the products for weights; x itself has no gradient.
    assert sum(row["executions"] for row in products) == 5
    assert any("hidden" in row["scope"] for row in products) and any("output" in row["scope"] for row in products)
    assert found.births() == [] and "<!doctype html>" in found.html and "dot_general" in found._repr_html_()
    (tanh,) = (row for row in found.operations if row["operation"] == "tanh")
    # tanh(150) is 1.
    assert tanh["exponents"] == [[0, 32]] and tanh["zeros"] == tanh["nans"] == 0


def test_profile_under_operator_counts_what_accumulators_lose():
    def lost(arith):
        rows = binade.jax.profile(lambda x: x @ jnp.ones((300, 1)), X, arith=arith, swamping=4).swamping
        return sum(row["product_absorbed"] for row in rows)

    # 300 ones stall at 256 in a BF16 accumulator: 44 of the steps of each chain do nothing.
    assert lost(None) == 0
    assert lost("dot_general=bf16:bf16") == lost(["dot_general=bf16:bf16"]) == 4 * 44


def test_profile_takes_types_keys_and_keywords():
    def function(key, *, scale, unused):
        return jax.random.uniform(key, (8,)) * scale.astype(jnp.float32)

    given = {"scale": jnp.asarray([2], jnp.bfloat16), "unused": 3}
    found = binade.jax.profile(function, jax.random.key(1), **given)
    assert {"multiply", "convert"} <= {row["operation"] for row in found.operations}


def test_profile_names_births_and_wrong_rules():
    found = binade.jax.profile(lambda x: jnp.log(x) / x, jnp.zeros(3))
    assert {row["operation"] for row in found.births()} == {"log"}
    with pytest.raises(binade.BinadeError, match="bf17"):
        binade.jax.profile(lambda x: x + 1, 1.0, arith="bf17:f32")


def test_jit_runs_on_binade_where_the_processor_is_the_default():
    # 512 ones stall at 256 in a BF16 accumulator.
    @binade.jit(arith="dot_general=bf16:bf16")
    def product(a, b):
        return (a @ b.T).sum()

    a = jnp.ones((2, 512))
    assert product(a, b=a) == 1024 and product(np.asarray(a), np.asarray(a)) == 1024
    assert {device.platform for device in product(a, a).devices()} == {"binade"}
    assert binade.jax.jit(lambda a: (a @ a.T).sum(), arith="dot_general=bf16:bf16")(a) == 1024
    assert product.__name__ == "product" and product.lower(a, a).compile()(a, a) == 1024
    gradient = binade.jit(jax.grad(lambda a, b: (a @ b).sum()), arith="dot_general=bf16:bf16")
    assert (gradient(jnp.ones((1, 1)), jnp.ones((1, 512))) == 256).all()


def test_jit_names_what_is_wrong():
    product = binade.jit(lambda a: (a @ a.T).sum(), arith="dot_general=bf16:bf16")
    with pytest.raises(ValueError, match=r"binade\.jax\.jit\(jax\.grad\(f\), arith="):
        jax.grad(product)(jnp.ones((2, 2)))
    with pytest.raises(Exception, match="bf17"):
        binade.jit(lambda a: a + a, arith="add=bf17")(jnp.ones(2))


def test_random_numbers_stay_as_they_are_under_the_arithmetic_of_everything():
    def normal(key):
        return jax.random.normal(key, (1000,), jnp.float32)

    def initial(key):
        return jax.nn.initializers.glorot_normal()(key, (8, 8))

    key = jax.random.key(3)
    assert (binade.jit(initial, arith="bf16:bf16")(key) == binade.jit(initial)(key)).all()
    expected = np.asarray(binade.jit(normal)(key))
    assert (np.asarray(binade.jit(normal, arith="bf16:bf16")(key)) == expected).all()
    assert not np.isfinite(binade.jit(normal, arith="*@jax.random/*=bf16:bf16")(key)).all()


def test_primitives_of_the_processor_alone_have_lowerings():
    from jax._src.interpreters import mlir
    from jax.experimental import checkify
    from jax.experimental.sparse import linalg

    binade.jax.initialize()
    lowerings = mlir._platform_specific_lowerings
    ours = lowerings["binade"]
    assert [p.name for p in lowerings["cpu"] if p not in mlir._lowerings and p not in ours] == []

    def debug(x):
        checkify.debug_check(x > 0, "x is {}", x)
        return x + 1

    assert binade.jit(debug)(-1.0) == 0
    # The matrix 2, 1 / 0, 4 in rows.
    arrays = jnp.array([2.0, 1, 4]), jnp.array([0, 1, 1]), jnp.array([0, 2, 3])
    assert np.allclose(binade.jit(linalg.spsolve)(*arrays, jnp.array([4.0, 8])), [1, 2])


def test_text_of_a_program_has_what_it_sinks():
    def sinks(x):
        jax.lax.dce_sink(x + 1, prevent_mlir_dce=True)
        return x

    if not hasattr(jax.lax, "dce_sink"):
        pytest.skip("this JAX has no dce_sink")
    text = binade.jit(sinks).lower(1.0).compile().as_text()
    assert "dce_sink" in text and "add" in text


def test_seed_and_number_of_the_run_key_stochastic_rounding():
    x = jnp.asarray(np.random.default_rng(1).normal(size=(8, 300)), jnp.float32)

    def product(a):
        return a @ a.T

    def runs(seed, arith="dot_general=bf16:bf16/rounding=stochastic"):
        jitted = binade.jit(product, arith=arith, seed=seed)
        return [np.asarray(jitted(x)).tobytes() for _ in range(3)]

    first = runs(1)
    # Each run has other words, and another function of the same seed has the same ones.
    assert len(set(first)) == 3 and runs(1) == first and not set(runs(2)) & set(first)
    assert len(set(runs(1, "dot_general=nvfp4"))) == 1


def dequantised(elements, scales):
    """Elements times the scales of their blocks along the last axis, in binary64."""
    block = elements.shape[-1] // scales.shape[-1]
    return np.asarray(elements).astype(np.float64) * np.repeat(np.asarray(scales).astype(np.float64), block, -1)


@pytest.mark.parametrize(
    ("element", "scale", "block"),
    [("float8_e4m3fn", "float8_e8m0fnu", 32), ("float8_e5m2", "float8_e8m0fnu", 32), ("float4_e2m1fn", "float8_e4m3fn", 16)],
)
def test_scaled_matmul_multiplies_elements_and_scales_of_blocks(element, scale, block):
    import ml_dtypes

    scaled_matmul = getattr(jax.nn, "scaled_matmul", None)
    if scaled_matmul is None:
        pytest.skip("this version of JAX has no scaled_matmul")
    random = np.random.default_rng(2)

    def numbers(shape, name):
        values = random.normal(size=shape) * 2 if name == element else 2.0 ** random.integers(-3, 4, shape)
        return values.astype(getattr(ml_dtypes, name))

    a, b = numbers((2, 5, 96), element), numbers((2, 7, 96), element)
    of_a, of_b = numbers((2, 5, 96 // block), scale), numbers((2, 7, 96 // block), scale)
    exact = np.einsum("bmk,bnk->bmn", dequantised(a, of_a), dequantised(b, of_b))
    size = np.einsum("bmk,bnk->bmn", abs(dequantised(a, of_a)), abs(dequantised(b, of_b)))
    found = np.asarray(binade.jit(scaled_matmul)(a, b, of_a, of_b))
    assert found.dtype == np.float32 and (abs(found - exact) <= size * 96 * 2.0**-24).all()
    half = np.asarray(binade.jit(lambda *x: scaled_matmul(*x, preferred_element_type=jnp.bfloat16))(a, b, of_a, of_b))
    assert (half == found.astype(ml_dtypes.bfloat16)).all()


def test_scaled_dot_general_quantises_in_blocks_forwards_and_backwards():
    if not hasattr(jax.nn, "scaled_dot_general"):
        pytest.skip("this version of JAX has no scaled_dot_general")
    random = np.random.default_rng(3)
    a, b = (jnp.asarray(random.normal(size=(1, 32, 64)), jnp.float32) for _ in "ab")
    configs = [jax.nn.get_scaled_dot_general_config("mxfp8")] * 3
    dimensions = (((2,), (2,)), ((0,), (0,)))

    def product(a, b):
        return jax.nn.scaled_dot_general(a, b, dimensions, configs=configs)

    exact = np.einsum("bmk,bnk->bmn", a, b)
    error = abs(np.asarray(binade.jit(product)(a, b)) - exact).max()
    assert 1e-3 < error < 0.5
    gradient = binade.jit(jax.grad(lambda a, b: (product(a, b) ** 2).sum()))(a, b)
    assert abs(np.asarray(gradient) - 2 * exact @ np.asarray(b)).max() < 20


def test_recipe_tells_roles_by_place_or_by_name():
    """Under this arithmetic gradients are rounded to E5M2, and other operands to E4M3, by a scale for each tensor."""
    x = jnp.asarray(np.random.default_rng(4).normal(size=(8, 16)), jnp.float32)
    w = jnp.asarray(np.random.default_rng(5).normal(size=(16, 4)), jnp.float32)
    recipe = "fp8-tensorwise"

    def scaled(x, limit, bits, least):
        x = np.asarray(x, np.float64)
        scale = np.float64(np.float32(abs(x).max()) / np.float32(limit))
        step = 2.0 ** np.maximum(np.floor(np.log2(abs(x / scale))) - bits, least)
        return np.round(x / scale / step) * step * scale

    def e4m3(x):
        return scaled(x, 448, 3, -9)

    def e5m2(x):
        return scaled(x, 57344, 2, -16)

    def close(found, wanted):
        return abs(np.asarray(found) - wanted).max() <= 1e-4

    g = x @ w
    assert close(binade.jit(lambda x, w: x @ w, arith=recipe)(x, w), e4m3(x) @ e4m3(w))

    def by_name(g, w, x):
        with jax.named_scope("input_gradient"):
            of_input = g @ w.T
        with jax.named_scope("weight_gradient"):
            return of_input, x.T @ g

    of_input, of_weight = binade.jit(by_name, arith=recipe)(g, w, x)
    assert close(of_input, e5m2(g) @ e4m3(w).T) and close(of_weight, e4m3(x).T @ e5m2(g))

    def loss(w, x, g):
        return ((x @ w) * g).sum()

    assert close(binade.jit(jax.grad(loss), arith=recipe)(w, x, g), e4m3(x).T @ e5m2(g))


def test_convolution_under_a_recipe_quantises_patches():
    random = np.random.default_rng(6)
    x = jnp.asarray(random.normal(size=(2, 6, 6, 32)), jnp.float32)
    w = jnp.asarray(random.normal(size=(1, 1, 32, 4)), jnp.float32)

    def convolved(x, w):
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    # A kernel of one position multiplies the channels of each pixel.
    found = binade.jit(convolved, arith="nvfp4")(x, w)
    product = binade.jit(lambda x, w: x.reshape(-1, 32) @ w.reshape(32, 4), arith="nvfp4")(x, w)
    assert (np.asarray(found).reshape(-1, 4) == np.asarray(product)).all()
    assert not (np.asarray(found) == np.asarray(binade.jit(convolved)(x, w))).any()
