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
