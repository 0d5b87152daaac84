"""Two convolutions with maximum pooling, and two dense layers."""

import math

import jax
import jax.numpy as jnp
from export import Input, Model, Momentum, classification, uniform
from jax import lax

BATCH, CLASSES = 100, 10


def parameters(key):
    keys = jax.random.split(key, 4)
    shapes = {"conv1": (5, 5, 1, 16), "conv2": (5, 5, 16, 32), "hidden": (7 * 7 * 32, 64), "output": (64, CLASSES)}
    state = {}
    for k, (name, shape) in zip(keys, shapes.items()):
        inputs = math.prod(shape[:-1])
        state |= {f"{name}.weight": uniform(k, shape, (6 / inputs) ** 0.5), f"{name}.bias": jnp.zeros(shape[-1])}
    return state


def convolve(x, p, name):
    with jax.named_scope(name):
        dimensions = ("NHWC", "HWIO", "NHWC")
        y = lax.conv_general_dilated(x, p[f"{name}.weight"], (1, 1), "SAME", dimension_numbers=dimensions)
        y = jax.nn.relu(y + p[f"{name}.bias"])
        return lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def forward(p, statistics, carried, inputs, key, training):
    h = convolve(convolve(inputs["image"], p, "conv1"), p, "conv2")
    h = h.reshape(h.shape[0], -1)
    with jax.named_scope("hidden"):
        h = jax.nn.relu(h @ p["hidden.weight"] + p["hidden.bias"])
    with jax.named_scope("output"):
        logits = h @ p["output.weight"] + p["output.bias"]
    with jax.named_scope("loss"):
        return *classification(logits, inputs["label"]), statistics, carried


def model():
    return Model(
        name="cnn",
        about="two 5×5 convolutions with maximum pooling (16 and 32 channels), two dense layers",
        task="classification",
        data="fashion-mnist-small",
        sampling="shuffled",
        batch=BATCH,
        epochs=12,
        rate={"initial": 0.02, "drops": [{"epoch": 6, "factor": 0.1}, {"epoch": 9, "factor": 0.1}]},
        parameters=parameters,
        forward=forward,
        inputs=[
            Input("image", (BATCH, 28, 28, 1), "float32", {"column": "image", "scale": 1 / 255, "shift": 0}),
            Input("label", (BATCH,), "int32", {"column": "label"}, below=CLASSES),
        ],
        optimizer=Momentum(0.9),
        evaluation_batch=100,
        scopes=["conv1", "conv2", "hidden", "output", "loss"],
    )
