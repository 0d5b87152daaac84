"""Transformers that translate sentences: layers that read, and as many that write (Vaswani et al., arXiv 1706.03762). Norms come after
the layers, positions are learnt."""

import jax
import jax.numpy as jnp
from export import Adam, Input, Model, classification, dropout, uniform
from jax import lax

PADDING, START, END = 0, 2, 3


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

    def dense(p, x, name):
        return x @ p[f"{name}.weight"] + p[f"{name}.bias"]

    def heads(x, parts):
        """(part, example, head, place, number)"""
        return x.reshape(*x.shape[:2], parts, head_count, width // head_count).transpose(2, 0, 3, 1, 4)

    def readable(source):
        return (source != PADDING)[:, None, None, :]

    def added(p, x, y, name, drop):
        x = x + drop(y)
        x = x - x.mean(-1, keepdims=True)
        return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * p[f"{name}.scale"] + p[f"{name}.offset"]

    def attended(p, q, k, v, seen, name, drop):
        scores = jnp.einsum("bhik,bhjk->bhij", q, k) / (width // head_count) ** 0.5
        weights = drop(jax.nn.softmax(jnp.where(seen, scores, -1e9)))
        y = jnp.einsum("bhij,bhjk->bhik", weights, v).transpose(0, 2, 1, 3)
        return dense(p, y.reshape(*y.shape[:2], width), f"{name}.attended")

    def feed_forward(p, x, name, drop):
        h = drop(jax.nn.relu(dense(p, x, f"{name}.inner")))
        return added(p, x, dense(p, h, f"{name}.outer"), f"{name}.norm2", drop)

    def embedded(p, words, position, side, drop):
        x = jnp.take(p[f"{side}.embedding"], words, axis=0, mode="clip") * width**0.5
        return drop(x + position)

    def read(p, source, drop):
        """What the first layers make of the sentences, and the keys and values that each of the others looks at."""
        with jax.named_scope("embedding"):
            x = embedded(p, source, p["source.position"], "source", drop)
        for layer in range(layers):
            name = f"encoder{layer}"
            with jax.named_scope(f"{name}.attention"):
                q, k, v = heads(dense(p, x, f"{name}.qkv"), 3)
                x = added(p, x, attended(p, q, k, v, readable(source), name, drop), f"{name}.norm1", drop)
            with jax.named_scope(f"{name}.feed_forward"):
                x = feed_forward(p, x, name, drop)
        looked_at = []
        for layer in range(layers):
            with jax.named_scope(f"decoder{layer}.source"):
                looked_at.append(heads(dense(p, x, f"decoder{layer}.source.kv"), 2))
        return looked_at

    def write(p, words, position, source, looked_at, past, drop, keep=lambda layer, k, v: (k, v)):
        """Numbers for what may follow each word; `keep` takes the keys and values of the words, and gives those of all that have
        been written."""
        with jax.named_scope("embedding"):
            y = embedded(p, words, position, "target", drop)
        for layer in range(layers):
            name = f"decoder{layer}"
            with jax.named_scope(f"{name}.attention"):
                q, k, v = heads(dense(p, y, f"{name}.qkv"), 3)
                k, v = keep(layer, k, v)
                y = added(p, y, attended(p, q, k, v, past, name, drop), f"{name}.norm1", drop)
            with jax.named_scope(f"{name}.source"):
                (q,), (k, v) = heads(dense(p, y, f"{name}.source.q"), 1), looked_at[layer]
                y = added(
                    p, y, attended(p, q, k, v, readable(source), f"{name}.source", drop), f"{name}.source.norm", drop
                )
            with jax.named_scope(f"{name}.feed_forward"):
                y = feed_forward(p, y, name, drop)
        with jax.named_scope("output"):
            return dense(p, y, "output")

    def forward(p, statistics, carried, inputs, key, training):
        source, target = inputs["source"], inputs["target"]
        keys = iter(jax.random.split(key, 2 + 10 * layers)) if training else None

        def drop(x):
            return dropout(next(keys), dropped, x) if training else x

        words = target[:, :-1]
        past = jnp.tril(jnp.ones((length, length), bool)) & (words != PADDING)[:, None, None, :]
        logits = write(p, words, p["target.position"], source, read(p, source, drop), past, drop)
        with jax.named_scope("loss"):
            return *classification(logits, target[:, 1:]), statistics, carried

    def translate(p, statistics, inputs):
        """Sentences word by word, each the likeliest one after those before it."""
        source = inputs["source"]
        looked_at = read(p, source, lambda x: x)
        kept = jnp.zeros((layers, 2, batch, head_count, length, width // head_count))

        def step(at, state):
            kept, word, written = state

            def keep(layer, k, v):
                nonlocal kept
                kept = lax.dynamic_update_slice(kept, jnp.stack([k, v])[None], (layer, 0, 0, 0, at, 0))
                return kept[layer]

            position = lax.dynamic_slice_in_dim(p["target.position"], at, 1)
            past = jnp.arange(length) <= at
            logits = write(p, word[:, None], position, source, looked_at, past, lambda x: x, keep)
            ended = (word == END) | (word == PADDING)
            word = jnp.where(ended, PADDING, jnp.argmax(logits[:, 0], axis=-1).astype(jnp.int32))
            return kept, word, lax.dynamic_update_slice(written, word[:, None], (0, at))

        state = kept, jnp.full(batch, START, jnp.int32), jnp.full((batch, length), PADDING, jnp.int32)
        return lax.fori_loop(0, length, step, state)[2]

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
        translate=translate,
        reference="target",
        optimizer=optimizer,
        evaluation_batch=batch,
        random=True,
        scopes=[*scopes, "output", "loss"],
        hyper_parameters={"dropout": dropped},
    )
