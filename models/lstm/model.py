"""Two LSTM layers that read a text word by word, as Zaremba, Sutskever and Vinyals (2014) train them, but smaller.

A batch is so many streams of the text; a step reads 35 words of each, and leaves its hidden state to the next step.
"""

import jax
import jax.numpy as jnp
from export import Input, Model, Momentum, classification, dropout, uniform
from jax import lax

BATCH, STEPS, WORDS, WIDTH, LAYERS, DROPPED = 20, 35, 10_000, 128, 2, 0.25
BOUND = 0.1


def parameters(key):
    keys = jax.random.split(key, LAYERS + 2)
    state = {"embedding": uniform(keys[0], (WORDS, WIDTH), BOUND)}
    for layer in range(LAYERS):
        state[f"lstm{layer}.weight"] = uniform(keys[layer + 1], (2 * WIDTH, 4 * WIDTH), BOUND)
        state[f"lstm{layer}.bias"] = jnp.zeros(4 * WIDTH)
    return state | {"output.weight": uniform(keys[-1], (WIDTH, WORDS), BOUND), "output.bias": jnp.zeros(WORDS)}


def carried():
    return {f"lstm{layer}.{part}": jnp.zeros((BATCH, WIDTH)) for layer in range(LAYERS) for part in ("h", "c")}


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


def forward(p, statistics, before, inputs, key, training):
    keys = jax.random.split(key, LAYERS + 1) if training else [None] * (LAYERS + 1)
    with jax.named_scope("embedding"):
        x = jnp.take(p["embedding"], inputs["words"].T, axis=0, mode="clip")
    after = {}
    for layer in range(LAYERS):
        name = f"lstm{layer}"
        with jax.named_scope(name):
            x = dropout(keys[layer], DROPPED, x)
            x, h, c = lstm(x, before[f"{name}.h"], before[f"{name}.c"], p[f"{name}.weight"], p[f"{name}.bias"])
            after |= {f"{name}.h": lax.stop_gradient(h), f"{name}.c": lax.stop_gradient(c)}
    with jax.named_scope("output"):
        x = dropout(keys[-1], DROPPED, x).transpose(1, 0, 2)
        logits = x @ p["output.weight"] + p["output.bias"]
    with jax.named_scope("loss"):
        return *classification(logits, inputs["next"]), statistics, after


def model():
    return Model(
        name="lstm",
        about=f"a language model of two LSTM layers of {WIDTH}, {WORDS} words",
        task="language model",
        data="bible",
        sampling="streams",
        batch=BATCH,
        epochs=6,
        rate={"initial": 10.0, "drops": [{"epoch": 3, "factor": 0.3}, {"epoch": 4, "factor": 0.3}, {"epoch": 5, "factor": 0.3}]},
        parameters=parameters,
        carried=carried,
        forward=forward,
        inputs=[
            Input("words", (BATCH, STEPS), "int32", {"window": "token", "offset": 0}, below=WORDS),
            Input("next", (BATCH, STEPS), "int32", {"window": "token", "offset": 1}, below=WORDS),
        ],
        optimizer=Momentum(0.0, clip=0.25),
        evaluation_batch=BATCH,
        random=True,
        scopes=["embedding", *(f"lstm{layer}" for layer in range(LAYERS)), "output", "loss"],
        hyper_parameters={"dropout": DROPPED},
    )
