"""Two layers of a transformer that predicts the next word of a text (Vaswani et al., 2017; norms before the layers)."""

import jax
import jax.numpy as jnp
from export import Adam, Input, Model, classification, dropout, uniform
from jax import lax

BATCH, STEPS, WORDS, WIDTH, HEADS, INNER, LAYERS, DROPPED = 16, 64, 10_000, 128, 4, 512, 2, 0.1


def parameters(key):
    keys = iter(jax.random.split(key, 3 + 4 * LAYERS))

    def dense(name, inputs, outputs):
        bound = (6 / (inputs + outputs)) ** 0.5
        return {f"{name}.weight": uniform(next(keys), (inputs, outputs), bound), f"{name}.bias": jnp.zeros(outputs)}

    def norm(name):
        return {f"{name}.scale": jnp.ones(WIDTH), f"{name}.offset": jnp.zeros(WIDTH)}

    state = {"embedding": uniform(next(keys), (WORDS, WIDTH), 0.1), "position": uniform(next(keys), (STEPS, WIDTH), 0.1)}
    for layer in range(LAYERS):
        name = f"layer{layer}"
        state |= norm(f"{name}.norm1") | dense(f"{name}.qkv", WIDTH, 3 * WIDTH) | dense(f"{name}.attended", WIDTH, WIDTH)
        state |= norm(f"{name}.norm2") | dense(f"{name}.inner", WIDTH, INNER) | dense(f"{name}.outer", INNER, WIDTH)
    return state | norm("norm") | dense("output", WIDTH, WORDS)


def forward(p, statistics, carried, inputs, key, training):
    keys = iter(jax.random.split(key, 2 * LAYERS + 1)) if training else iter([None] * (2 * LAYERS + 1))

    def dense(x, name):
        return x @ p[f"{name}.weight"] + p[f"{name}.bias"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * p[f"{name}.scale"] + p[f"{name}.offset"]

    def attention(x, name):
        size = WIDTH // HEADS
        q, k, v = dense(x, f"{name}.qkv").reshape(*x.shape[:2], 3, HEADS, size).transpose(2, 0, 3, 1, 4)
        scores = jnp.einsum("bhik,bhjk->bhij", q, k) / size**0.5
        past = jnp.tril(jnp.ones((STEPS, STEPS), bool))
        weights = jax.nn.softmax(jnp.where(past, scores, -1e9))
        y = jnp.einsum("bhij,bhjk->bhik", weights, v).transpose(0, 2, 1, 3).reshape(x.shape)
        return dense(y, f"{name}.attended")

    with jax.named_scope("embedding"):
        x = jnp.take(p["embedding"], inputs["words"], axis=0, mode="clip") + p["position"]
        x = dropout(next(keys), DROPPED, x)
    for layer in range(LAYERS):
        name = f"layer{layer}"
        with jax.named_scope(f"{name}.attention"):
            x = x + dropout(next(keys), DROPPED, attention(norm(x, f"{name}.norm1"), name))
        with jax.named_scope(f"{name}.feed_forward"):
            h = jax.nn.relu(dense(norm(x, f"{name}.norm2"), f"{name}.inner"))
            x = x + dropout(next(keys), DROPPED, dense(h, f"{name}.outer"))
    with jax.named_scope("output"):
        logits = dense(norm(x, "norm"), "output")
    with jax.named_scope("loss"):
        return *classification(logits, inputs["next"]), statistics, carried


def model():
    scopes = [f"layer{layer}.{part}" for layer in range(LAYERS) for part in ("attention", "feed_forward")]
    return Model(
        name="transformer",
        about=f"a language model of two transformer layers, {WIDTH} wide with {HEADS} heads, {WORDS} words",
        task="language model",
        data="bible",
        sampling="windows",
        batch=BATCH,
        epochs=4,
        rate={"initial": 1e-3, "warm_up": 200, "drops": [{"epoch": 2, "factor": 0.3}, {"epoch": 3, "factor": 0.3}]},
        parameters=parameters,
        forward=forward,
        inputs=[
            Input("words", (BATCH, STEPS), "int32", {"window": "token", "offset": 0}, below=WORDS),
            Input("next", (BATCH, STEPS), "int32", {"window": "token", "offset": 1}, below=WORDS),
        ],
        optimizer=Adam(0.9, 0.98, 1e-9, clip=1.0),
        evaluation_batch=BATCH,
        random=True,
        scopes=["embedding", *scopes, "output", "loss"],
        hyper_parameters={"dropout": DROPPED},
    )
