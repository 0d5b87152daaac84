"""Convolutions with batch norm, shared by the networks that are made of them."""

import jax
import jax.numpy as jnp
from export import Input, Model, Momentum, classification, uniform
from jax import lax

EPSILON = 1e-5
# How much of a running mean stays.
KEPT = 0.9


def parameters(key, layers, width, classes):
    """Of convolutions, (name, shape) each, with their norms, and of a dense layer from `width` channels to `classes`."""
    state = {}
    keys = jax.random.split(key, len(layers) + 1)
    for k, (name, shape) in zip(keys, layers):
        fan_in = shape[0] * shape[1] * shape[2]
        state[f"{name}.weight"] = uniform(k, shape, (6 / fan_in) ** 0.5)
        state |= {f"{name}.scale": jnp.ones(shape[3]), f"{name}.offset": jnp.zeros(shape[3])}
    bound = (6 / width) ** 0.5
    return state | {"output.weight": uniform(keys[-1], (width, classes), bound), "output.bias": jnp.zeros(classes)}


def statistics(layers):
    means = {f"{name}.mean": jnp.zeros(shape[3]) for name, shape in layers}
    return means | {f"{name}.variance": jnp.ones(shape[3]) for name, shape in layers}


class Convolutions:
    """The convolutions of one step: their parameters, and what is known and measured of the channels' statistics."""

    def __init__(self, parameters, known, training):
        self.parameters, self.known, self.training = parameters, known, training
        self.measured = dict(known)

    def __call__(self, x, name, stride=1, groups=1):
        """A convolution and its batch norm. The image gets smaller by the stride alone."""
        p, known = self.parameters, self.known
        with jax.named_scope(name):
            weight = p[f"{name}.weight"]
            around = weight.shape[0] // 2
            x = lax.conv_general_dilated(
                x,
                weight,
                (stride, stride),
                ((around, around), (around, around)),
                dimension_numbers=("NHWC", "HWIO", "NHWC"),
                feature_group_count=groups,
            )
            mean, variance = known[f"{name}.mean"], known[f"{name}.variance"]
            if self.training:
                running, (mean, variance) = (mean, variance), (x.mean((0, 1, 2)), x.var((0, 1, 2)))
                for part, old, new in [("mean", running[0], mean), ("variance", running[1], variance)]:
                    self.measured[f"{name}.{part}"] = KEPT * old + (1 - KEPT) * lax.stop_gradient(new)
            return (x - mean) * (lax.rsqrt(variance + EPSILON) * p[f"{name}.scale"]) + p[f"{name}.offset"]


def classifier(name, about, layers, features, width, image, classes, data, batch, epochs, drops, weight_decay, warm_up=0):
    """A model that classifies images by the mean of what `features`, (convolutions, images) -> images, makes of them.

    Momentum, and a rate of 0.1 that is divided by ten at `drops`, as the BF16 paper trains its networks for CIFAR.
    """

    def forward(p, known, carried, inputs, key, training):
        convolutions = Convolutions(p, known, training)
        x = features(convolutions, inputs["image"])
        with jax.named_scope("output"):
            logits = x.mean((1, 2)) @ p["output.weight"] + p["output.bias"]
        with jax.named_scope("loss"):
            return *classification(logits, inputs["label"]), convolutions.measured, carried

    return Model(
        name=name,
        about=f"{about}, {image[0]}×{image[1]}×{image[2]} → {classes}",
        task="classification",
        data=data,
        sampling="shuffled",
        batch=batch,
        epochs=epochs,
        rate={"initial": 0.1, "warm_up": warm_up, "drops": [{"epoch": epoch, "factor": 0.1} for epoch in drops]},
        parameters=lambda key: parameters(key, layers, width, classes),
        statistics=lambda: statistics(layers),
        forward=forward,
        inputs=[
            # Pixels from −1 to 1.
            Input("image", (batch, *image), "float32", {"column": "image", "scale": 2 / 255, "shift": -1}),
            Input("label", (batch,), "int32", {"column": "label"}, below=classes),
        ],
        optimizer=Momentum(0.9, weight_decay=weight_decay),
        evaluation_batch=100,
        scopes=[layer for layer, _ in layers] + ["output", "loss"],
    )
