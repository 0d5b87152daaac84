"""Transformers that translate sentences: layers that read, and as many that write (Vaswani et al., arXiv 1706.03762). Norms come after
the layers, positions are learnt."""

import jax
import jax.numpy as jnp
from export import Adam, Input, Model, classification, dropout, uniform
from jax import lax

PADDING = 0


def translator(
    name, layers, width, head_count, inner, source_words, target_words, length, batch, epochs, rate, optimizer, dropped=0.1
):
    """`layers` that read and `layers` that write, of sentences of up to `length` words."""

    def parameters(key):
        keys = iter(jax.random.split(key, 5 + 16 * layers))

        def matrix(inputs, outputs):
            return uniform(next(keys), (inputs, outputs), (6 / (inputs + outputs)) ** 0.5)

        def dense(name, inputs, outputs):
            return {f"{name}.weight": matrix(inputs, outputs), f"{name}.bias": jnp.zeros(outputs)}

        def norm(name):
            return {f"{name}.scale": jnp.ones(width), f"{name}.offset": jnp.zeros(width)}

        def feed_forward(name):
            return dense(f"{name}.inner", width, inner) | dense(f"{name}.outer", inner, width) | norm(f"{name}.norm2")

        state = {
            "source.embedding": matrix(source_words, width),
            "source.position": matrix(length, width),
            "target.embedding": matrix(target_words, width),
            "target.position": matrix(length, width),
        }
        for layer in range(layers):
            name = f"encoder{layer}"
            state |= dense(f"{name}.qkv", width, 3 * width) | dense(f"{name}.attended", width, width)
            state |= norm(f"{name}.norm1") | feed_forward(name)
        for layer in range(layers):
            name = f"decoder{layer}"
            state |= dense(f"{name}.qkv", width, 3 * width) | dense(f"{name}.attended", width, width)
            state |= norm(f"{name}.norm1")
            state |= dense(f"{name}.source.q", width, width) | dense(f"{name}.source.kv", width, 2 * width)
            state |= dense(f"{name}.source.attended", width, width) | norm(f"{name}.source.norm") | feed_forward(name)
        return state | dense("output", width, target_words)

    def forward(p, statistics, carried, inputs, key, training):
        draws = 2 + 9 * layers + 2 * layers
        keys = iter(jax.random.split(key, draws)) if training else iter([None] * draws)
        source, target = inputs["source"], inputs["target"]

        def dense(x, name):
            return x @ p[f"{name}.weight"] + p[f"{name}.bias"]

        def added(x, y, name):
            x = x + dropout(next(keys), dropped, y)
            x = x - x.mean(-1, keepdims=True)
            return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * p[f"{name}.scale"] + p[f"{name}.offset"]

        def heads(x, parts):
            """(part, example, head, place, number)"""
            return x.reshape(*x.shape[:2], parts, head_count, width // head_count).transpose(2, 0, 3, 1, 4)

        def attended(q, k, v, seen, name):
            scores = jnp.einsum("bhik,bhjk->bhij", q, k) / (width // head_count) ** 0.5
            weights = dropout(next(keys), dropped, jax.nn.softmax(jnp.where(seen, scores, -1e9)))
            y = jnp.einsum("bhij,bhjk->bhik", weights, v).transpose(0, 2, 1, 3)
            return dense(y.reshape(*y.shape[:2], width), f"{name}.attended")

        def feed_forward(x, name):
            h = dropout(next(keys), dropped, jax.nn.relu(dense(x, f"{name}.inner")))
            return added(x, dense(h, f"{name}.outer"), f"{name}.norm2")

        def embedded(words, side):
            x = jnp.take(p[f"{side}.embedding"], words, axis=0, mode="clip") * width**0.5 + p[f"{side}.position"]
            return dropout(next(keys), dropped, x)

        readable = (source != PADDING)[:, None, None, :]
        with jax.named_scope("embedding"):
            x = embedded(source, "source")
        for layer in range(layers):
            name = f"encoder{layer}"
            with jax.named_scope(f"{name}.attention"):
                x = added(x, attended(*heads(dense(x, f"{name}.qkv"), 3), readable, name), f"{name}.norm1")
            with jax.named_scope(f"{name}.feed_forward"):
                x = feed_forward(x, name)

        words = target[:, :-1]
        past = jnp.tril(jnp.ones((length, length), bool)) & (words != PADDING)[:, None, None, :]
        with jax.named_scope("embedding"):
            y = embedded(words, "target")
        for layer in range(layers):
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

    scopes = ["embedding"]
    scopes += [f"encoder{layer}.{part}" for layer in range(layers) for part in ("attention", "feed_forward")]
    scopes += [f"decoder{layer}.{part}" for layer in range(layers) for part in ("attention", "source", "feed_forward")]
    return Model(
        name=name,
        about=f"a transformer that translates: {layers} + {layers} layers, {width} wide with {head_count} heads, {length} words",
        task="translation",
        data="parallel",
        sampling="shuffled",
        batch=batch,
        epochs=epochs,
        rate=rate,
        parameters=parameters,
        forward=forward,
        inputs=[
            Input("source", (batch, length), "int32", {"column": "source", "resized": True}, below=source_words),
            Input("target", (batch, length + 1), "int32", {"column": "target", "resized": True}, below=target_words),
        ],
        counted=lambda inputs: inputs["target"][:, 1:] != PADDING,
        optimizer=optimizer,
        evaluation_batch=batch,
        random=True,
        scopes=[*scopes, "output", "loss"],
        hyper_parameters={"dropout": dropped},
    )
