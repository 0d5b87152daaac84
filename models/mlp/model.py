"""Two dense layers, 784-128-10, trained by gradient descent with momentum."""

import jax
import jax.numpy as jnp
from export import Input, Model, Momentum, classification, uniform

BATCH, HIDDEN, CLASSES, PIXELS = 100, 128, 10, 28 * 28


def parameters(key):
    hidden, output = jax.random.split(key)
    return {
        "hidden.weight": uniform(hidden, (PIXELS, HIDDEN), (6 / PIXELS) ** 0.5),
        "hidden.bias": jnp.zeros(HIDDEN),
        "output.weight": uniform(output, (HIDDEN, CLASSES), (6 / HIDDEN) ** 0.5),
        "output.bias": jnp.zeros(CLASSES),
    }


def forward(p, statistics, carried, inputs, key, training):
    x = inputs["image"].reshape(-1, PIXELS)
    with jax.named_scope("hidden"):
        h = jax.nn.relu(x @ p["hidden.weight"] + p["hidden.bias"])
    with jax.named_scope("output"):
        logits = h @ p["output.weight"] + p["output.bias"]
    with jax.named_scope("loss"):
        return *classification(logits, inputs["label"]), statistics, carried


def model():
    return Model(
        name="mlp",
        about="two dense layers, 784-128-10",
        task="classification",
        data="fashion-mnist-small",
        sampling="shuffled",
        batch=BATCH,
        epochs=12,
        rate={"initial": 0.05, "drops": [{"epoch": 6, "factor": 0.1}, {"epoch": 9, "factor": 0.1}]},
        parameters=parameters,
        forward=forward,
        inputs=[
            Input("image", (BATCH, 28, 28, 1), "float32", {"column": "image", "scale": 1 / 255, "shift": 0}),
            Input("label", (BATCH,), "int32", {"column": "label"}, below=CLASSES),
        ],
        optimizer=Momentum(0.9),
        evaluation_batch=250,
        scopes=["hidden", "output", "loss"],
    )
