"""LSTM layers that read a text word by word, as Zaremba, Sutskever and Vinyals (arXiv 1409.2329) train them.

A batch is so many streams of the text; a step reads 35 words of each, and leaves its hidden state to the next step.
"""

import jax
import jax.numpy as jnp
from export import Input, Model, Momentum, classification, dropout, uniform
from jax import lax

STEPS, WORDS, LAYERS = 35, 10_000, 2


def lstm(x, h, c, weight, bias):
    """Outputs for inputs of (steps, batch, width), and the last state."""

    def step(state, x):
        h, c = state
        i, f, o, g = jnp.split(jnp.concatenate([x, h], axis=1) @ weight + bias, 4, axis=1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    (h, c), y = lax.scan(step, (h, c), x)
    return y, h, c


def language_model(name, width, batch, epochs, rate, clip, dropped, bound, data):
    """Two layers of `width`; weights begin between −`bound` and `bound`, and `dropped` is the share that dropout sets to zero."""

    def parameters(key):
        keys = jax.random.split(key, LAYERS + 2)
        state = {"embedding": uniform(keys[0], (WORDS, width), bound)}
        for layer in range(LAYERS):
            state[f"lstm{layer}.weight"] = uniform(keys[layer + 1], (2 * width, 4 * width), bound)
            state[f"lstm{layer}.bias"] = jnp.zeros(4 * width)
        return state | {"output.weight": uniform(keys[-1], (width, WORDS), bound), "output.bias": jnp.zeros(WORDS)}

    def carried():
        return {f"lstm{layer}.{part}": jnp.zeros((batch, width)) for layer in range(LAYERS) for part in ("h", "c")}

    def forward(p, statistics, before, inputs, key, training):
        keys = jax.random.split(key, LAYERS + 1) if training else [None] * (LAYERS + 1)
        with jax.named_scope("embedding"):
            x = jnp.take(p["embedding"], inputs["words"].T, axis=0, mode="clip")
        after = {}
        for layer in range(LAYERS):
            name = f"lstm{layer}"
            with jax.named_scope(name):
                x = dropout(keys[layer], dropped, x)
                x, h, c = lstm(x, before[f"{name}.h"], before[f"{name}.c"], p[f"{name}.weight"], p[f"{name}.bias"])
                after |= {f"{name}.h": lax.stop_gradient(h), f"{name}.c": lax.stop_gradient(c)}
        with jax.named_scope("output"):
            x = dropout(keys[-1], dropped, x).transpose(1, 0, 2)
            logits = x @ p["output.weight"] + p["output.bias"]
        with jax.named_scope("loss"):
            return *classification(logits, inputs["next"]), statistics, after

    return Model(
        name=name,
        about=f"a language model of two LSTM layers of {width}, {WORDS} words",
        task="language model",
        data=data,
        sampling="streams",
        batch=batch,
        epochs=epochs,
        rate=rate,
        parameters=parameters,
        carried=carried,
        forward=forward,
        inputs=[
            Input("words", (batch, STEPS), "int32", {"window": "token", "offset": 0}, below=WORDS),
            Input("next", (batch, STEPS), "int32", {"window": "token", "offset": 1}, below=WORDS),
        ],
        optimizer=Momentum(0.0, clip=clip),
        evaluation_batch=batch,
        random=True,
        scopes=["embedding", *(f"lstm{layer}" for layer in range(LAYERS)), "output", "loss"],
        hyper_parameters={"dropout": dropped},
    )
