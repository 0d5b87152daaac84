"""Residual networks as for CIFAR-10: 6n + 2 layers with batch norm, in three stages of 16, 32 and 64 channels."""

import jax
import jax.numpy as jnp
from export import Input, Model, Momentum, classification, uniform
from jax import lax

CHANNELS = [16, 32, 64]
EPSILON = 1e-5
# How much of a running mean stays.
KEPT = 0.9


def blocks(n):
    """(name, input channels, channels, stride) of each block."""
    before = CHANNELS[0]
    for stage, channels in enumerate(CHANNELS):
        for block in range(n):
            yield f"stage{stage + 1}.{block}", before, channels, 2 if stage and not block else 1
            before = channels


def layers(n, inputs):
    """(name, shape) of each convolution, each followed by a batch norm."""
    yield "stem", (3, 3, inputs, CHANNELS[0])
    for name, before, channels, _ in blocks(n):
        yield f"{name}.conv1", (3, 3, before, channels)
        yield f"{name}.conv2", (3, 3, channels, channels)


def parameters(key, n, inputs, classes):
    state, shapes = {}, list(layers(n, inputs))
    keys = jax.random.split(key, len(shapes) + 1)
    for k, (name, shape) in zip(keys, shapes):
        fan_in = shape[0] * shape[1] * shape[2]
        state[f"{name}.weight"] = uniform(k, shape, (6 / fan_in) ** 0.5)
        state |= {f"{name}.scale": jnp.ones(shape[3]), f"{name}.offset": jnp.zeros(shape[3])}
    bound = (6 / CHANNELS[-1]) ** 0.5
    return state | {"output.weight": uniform(keys[-1], (CHANNELS[-1], classes), bound), "output.bias": jnp.zeros(classes)}


def statistics(n, inputs):
    shapes = list(layers(n, inputs))
    means = {f"{name}.mean": jnp.zeros(shape[3]) for name, shape in shapes}
    return means | {f"{name}.variance": jnp.ones(shape[3]) for name, shape in shapes}


def forward(n, p, known, carried, inputs, key, training):
    measured = dict(known)

    def layer(x, name, stride=1):
        """A convolution and its batch norm."""
        with jax.named_scope(name):
            dimensions = ("NHWC", "HWIO", "NHWC")
            padding = ((1, 1), (1, 1))
            x = lax.conv_general_dilated(x, p[f"{name}.weight"], (stride, stride), padding, dimension_numbers=dimensions)
            mean, variance = known[f"{name}.mean"], known[f"{name}.variance"]
            if training:
                running, (mean, variance) = (mean, variance), (x.mean((0, 1, 2)), x.var((0, 1, 2)))
                for part, old, new in [("mean", running[0], mean), ("variance", running[1], variance)]:
                    measured[f"{name}.{part}"] = KEPT * old + (1 - KEPT) * lax.stop_gradient(new)
            return (x - mean) * (lax.rsqrt(variance + EPSILON) * p[f"{name}.scale"]) + p[f"{name}.offset"]

    x = jax.nn.relu(layer(inputs["image"], "stem"))
    for name, before, channels, stride in blocks(n):
        y = jax.nn.relu(layer(x, f"{name}.conv1", stride))
        y = layer(y, f"{name}.conv2")
        # The shortcut has no parameters: every second pixel, and zeros for the channels that are new.
        shortcut = jnp.pad(x[:, ::stride, ::stride], ((0, 0), (0, 0), (0, 0), (0, channels - before)))
        x = jax.nn.relu(y + shortcut)
    with jax.named_scope("output"):
        logits = x.mean((1, 2)) @ p["output.weight"] + p["output.bias"]
    with jax.named_scope("loss"):
        return *classification(logits, inputs["label"]), measured, carried


def residual(name, n, image, classes, data, batch, epochs, drops, weight_decay, warm_up=0):
    inputs = image[2]
    return Model(
        name=name,
        about=f"a residual network of {6 * n + 2} layers with batch norm, {image[0]}×{image[1]}×{inputs} → {classes}",
        task="classification",
        data=data,
        sampling="shuffled",
        batch=batch,
        epochs=epochs,
        rate={"initial": 0.1, "warm_up": warm_up, "drops": [{"epoch": epoch, "factor": 0.1} for epoch in drops]},
        parameters=lambda key: parameters(key, n, inputs, classes),
        statistics=lambda: statistics(n, inputs),
        forward=lambda *arguments: forward(n, *arguments),
        inputs=[
            # Pixels from −1 to 1.
            Input("image", (batch, *image), "float32", {"column": "image", "scale": 2 / 255, "shift": -1}),
            Input("label", (batch,), "int32", {"column": "label"}, below=classes),
        ],
        optimizer=Momentum(0.9, weight_decay=weight_decay),
        evaluation_batch=100,
        scopes=[layer for layer, _ in layers(n, inputs)] + ["output", "loss"],
    )
