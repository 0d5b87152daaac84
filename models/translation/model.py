"""A transformer that translates sentences: three layers that read, three that write (Vaswani et al., 2017), in the size that
the BF16 paper trains on Multi30k. Norms come after the layers, positions are learnt."""

import jax
import jax.numpy as jnp
from export import Adam, Input, Model, classification, dropout, uniform
from jax import lax

BATCH, LENGTH, SOURCE_WORDS, TARGET_WORDS = 128, 36, 8_000, 6_000
WIDTH, HEADS, INNER, LAYERS, DROPPED = 256, 8, 512, 3, 0.1
PADDING = 0


def parameters(key):
    keys = iter(jax.random.split(key, 5 + 16 * LAYERS))

    def matrix(inputs, outputs):
        return uniform(next(keys), (inputs, outputs), (6 / (inputs + outputs)) ** 0.5)

    def dense(name, inputs, outputs):
        return {f"{name}.weight": matrix(inputs, outputs), f"{name}.bias": jnp.zeros(outputs)}

    def norm(name):
        return {f"{name}.scale": jnp.ones(WIDTH), f"{name}.offset": jnp.zeros(WIDTH)}

    def feed_forward(name):
        return dense(f"{name}.inner", WIDTH, INNER) | dense(f"{name}.outer", INNER, WIDTH) | norm(f"{name}.norm2")

    state = {
        "source.embedding": matrix(SOURCE_WORDS, WIDTH),
        "source.position": matrix(LENGTH, WIDTH),
        "target.embedding": matrix(TARGET_WORDS, WIDTH),
        "target.position": matrix(LENGTH, WIDTH),
    }
    for layer in range(LAYERS):
        name = f"encoder{layer}"
        state |= dense(f"{name}.qkv", WIDTH, 3 * WIDTH) | dense(f"{name}.attended", WIDTH, WIDTH)
        state |= norm(f"{name}.norm1") | feed_forward(name)
    for layer in range(LAYERS):
        name = f"decoder{layer}"
        state |= dense(f"{name}.qkv", WIDTH, 3 * WIDTH) | dense(f"{name}.attended", WIDTH, WIDTH)
        state |= norm(f"{name}.norm1")
        state |= dense(f"{name}.source.q", WIDTH, WIDTH) | dense(f"{name}.source.kv", WIDTH, 2 * WIDTH)
        state |= dense(f"{name}.source.attended", WIDTH, WIDTH) | norm(f"{name}.source.norm") | feed_forward(name)
    return state | dense("output", WIDTH, TARGET_WORDS)


def forward(p, statistics, carried, inputs, key, training):
    draws = 2 + 9 * LAYERS + 2 * LAYERS
    keys = iter(jax.random.split(key, draws)) if training else iter([None] * draws)
    source, target = inputs["source"], inputs["target"]

    def dense(x, name):
        return x @ p[f"{name}.weight"] + p[f"{name}.bias"]

    def added(x, y, name):
        x = x + dropout(next(keys), DROPPED, y)
        x = x - x.mean(-1, keepdims=True)
        return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * p[f"{name}.scale"] + p[f"{name}.offset"]

    def heads(x, parts):
        """(part, example, head, place, number)"""
        return x.reshape(*x.shape[:2], parts, HEADS, WIDTH // HEADS).transpose(2, 0, 3, 1, 4)

    def attended(q, k, v, seen, name):
        scores = jnp.einsum("bhik,bhjk->bhij", q, k) / (WIDTH // HEADS) ** 0.5
        weights = dropout(next(keys), DROPPED, jax.nn.softmax(jnp.where(seen, scores, -1e9)))
        y = jnp.einsum("bhij,bhjk->bhik", weights, v).transpose(0, 2, 1, 3)
        return dense(y.reshape(*y.shape[:2], WIDTH), f"{name}.attended")

    def feed_forward(x, name):
        h = dropout(next(keys), DROPPED, jax.nn.relu(dense(x, f"{name}.inner")))
        return added(x, dense(h, f"{name}.outer"), f"{name}.norm2")

    def embedded(words, side):
        x = jnp.take(p[f"{side}.embedding"], words, axis=0, mode="clip") * WIDTH**0.5 + p[f"{side}.position"]
        return dropout(next(keys), DROPPED, x)

    readable = (source != PADDING)[:, None, None, :]
    with jax.named_scope("embedding"):
        x = embedded(source, "source")
    for layer in range(LAYERS):
        name = f"encoder{layer}"
        with jax.named_scope(f"{name}.attention"):
            x = added(x, attended(*heads(dense(x, f"{name}.qkv"), 3), readable, name), f"{name}.norm1")
        with jax.named_scope(f"{name}.feed_forward"):
            x = feed_forward(x, name)

    words = target[:, :-1]
    past = jnp.tril(jnp.ones((LENGTH, LENGTH), bool)) & (words != PADDING)[:, None, None, :]
    with jax.named_scope("embedding"):
        y = embedded(words, "target")
    for layer in range(LAYERS):
        name = f"decoder{layer}"
        with jax.named_scope(f"{name}.attention"):
            y = added(y, attended(*heads(dense(y, f"{name}.qkv"), 3), past, name), f"{name}.norm1")
        with jax.named_scope(f"{name}.source"):
            (q,), (k, v) = heads(dense(y, f"{name}.source.q"), 1), heads(dense(x, f"{name}.source.kv"), 2)
            y = added(y, attended(q, k, v, readable, f"{name}.source"), f"{name}.source.norm")
        with jax.named_scope(f"{name}.feed_forward"):
            y = feed_forward(y, name)
    with jax.named_scope("output"):
        logits = dense(y, "output")
    with jax.named_scope("loss"):
        return *classification(logits, target[:, 1:]), statistics, carried


def model():
    scopes = ["embedding"]
    scopes += [f"encoder{layer}.{part}" for layer in range(LAYERS) for part in ("attention", "feed_forward")]
    scopes += [f"decoder{layer}.{part}" for layer in range(LAYERS) for part in ("attention", "source", "feed_forward")]
    return Model(
        name="translation",
        about=f"a transformer that translates: {LAYERS} + {LAYERS} layers, {WIDTH} wide with {HEADS} heads, {LENGTH} words",
        task="translation",
        data="parallel",
        sampling="shuffled",
        batch=BATCH,
        epochs=10,
        rate={"initial": 5e-4},
        parameters=parameters,
        forward=forward,
        # What is not read of longer sentences is little: one in a thousand of Multi30k's has more words.
        inputs=[
            Input("source", (BATCH, LENGTH), "int32", {"column": "source", "resized": True}, below=SOURCE_WORDS),
            Input("target", (BATCH, LENGTH + 1), "int32", {"column": "target", "resized": True}, below=TARGET_WORDS),
        ],
        counted=lambda inputs: inputs["target"][:, 1:] != PADDING,
        optimizer=Adam(clip=1.0),
        evaluation_batch=BATCH,
        random=True,
        scopes=[*scopes, "output", "loss"],
        hyper_parameters={"dropout": DROPPED},
    )
