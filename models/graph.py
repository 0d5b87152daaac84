"""Neural graph collaborative filtering (Wang et al., arXiv 1905.08108), shared by its models of different sizes.

Users and items are the nodes of a graph, whose matrix has a row for each: the mean of its neighbours and itself, as in the
authors' program. The matrix comes as its entries, row by row, filled up with entries of weight 0.
"""

import jax
import jax.numpy as jnp
from export import Adam, Input, Model, dropout, uniform
from jax import lax

WIDTH, LAYERS, DROPPED, DECAY = 64, 2, 0.1, 1e-5


def ngcf(name, about, data, users, items, edges, batch, epochs, rate):
    nodes = users + items

    def parameters(key):
        keys = iter(jax.random.split(key, 2 + 2 * LAYERS))

        def matrix(inputs, outputs):
            return uniform(next(keys), (inputs, outputs), (6 / (inputs + outputs)) ** 0.5)

        state = {"users": matrix(users, WIDTH), "items": matrix(items, WIDTH)}
        for layer in range(LAYERS):
            for part in ("sum", "product"):
                state[f"layer{layer}.{part}.weight"] = matrix(WIDTH, WIDTH)
                state[f"layer{layer}.{part}.bias"] = jnp.zeros(WIDTH)
        return state

    def representations(p, given, key):
        """A row for each user and item: its embedding, and what each layer makes of it, scaled to length 1."""
        keys = iter([None] * LAYERS if key is None else jax.random.split(key, LAYERS))
        with jax.named_scope("embedding"):
            x = jnp.concatenate([p["users"], p["items"]])
        parts = [x]
        for layer in range(LAYERS):
            with jax.named_scope(f"layer{layer}.neighbours"):
                messages = jnp.take(x, given["column"], axis=0, mode="clip") * given["weight"][:, None]
                mean = jax.ops.segment_sum(messages, given["row"], nodes, indices_are_sorted=True, mode="clip")
            with jax.named_scope(f"layer{layer}.transform"):

                def dense(x, part, layer=layer):
                    y = x @ p[f"layer{layer}.{part}.weight"] + p[f"layer{layer}.{part}.bias"]
                    return jnp.where(y > 0, y, 0.2 * y)

                x = dropout(next(keys), DROPPED, dense(mean, "sum") + dense(x * mean, "product"))
                parts.append(x * lax.rsqrt(jnp.maximum((x * x).sum(-1, keepdims=True), 1e-12)))
        return jnp.concatenate(parts, axis=1)

    def forward(p, statistics, carried, given, key, training):
        x = representations(p, given, key)
        with jax.named_scope("loss"):
            user, chosen, other = (
                jnp.take(x, given[name] + shift, axis=0, mode="clip")
                for name, shift in (("user", 0), ("chosen", users), ("other", users))
            )
            margins = (user * chosen).sum(-1) - (user * other).sum(-1)
            lengths = sum((part * part).sum(-1) for part in (user, chosen, other))
            losses = jax.nn.softplus(-margins) + DECAY / 2 * lengths
        return losses, (margins > 0).astype(jnp.int32), statistics, carried

    def scores(p, statistics, given):
        x = representations(p, given, None)
        with jax.named_scope("scores"):
            return jnp.take(x, given["user"], axis=0, mode="clip") @ x[users:].T

    graph = [
        Input("row", (edges,), "int32", {"edge": "row"}, below=nodes),
        Input("column", (edges,), "int32", {"edge": "column"}, below=nodes),
        Input("weight", (edges,), "float32", {"edge": "weight"}),
    ]
    return Model(
        name=name,
        about=about,
        task="recommendation",
        data=data,
        sampling="triples",
        batch=batch,
        epochs=epochs,
        rate=rate,
        parameters=parameters,
        forward=forward,
        inputs=[Input(part, (batch,), "int32", {"triple": part}) for part in ("user", "chosen", "other")] + graph,
        optimizer=Adam(),
        evaluation_batch=min(users, 1024),
        evaluation_inputs=[Input("user", (min(users, 1024),), "int32", {"ranked": "user"})] + graph,
        scores=scores,
        graph={"users": users, "items": items, "edges": edges},
        random=True,
        scopes=["embedding"]
        + [f"layer{layer}.{part}" for layer in range(LAYERS) for part in ("neighbours", "transform")]
        + ["loss", "scores"],
        hyper_parameters={"dropout": DROPPED, "regularisation": DECAY},
    )
