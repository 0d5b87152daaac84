"""`binade.jax` as far as it needs no device: the profile, which the command makes. `peers/check_jax.py` has the rest."""

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
