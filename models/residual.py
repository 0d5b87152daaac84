"""Residual networks as for CIFAR-10: 6n + 2 layers with batch norm, in three stages of 16, 32 and 64 channels."""

import jax
import jax.numpy as jnp
from batch_norm import classifier

CHANNELS = [16, 32, 64]


def blocks(n):
    """(name, input channels, channels, stride) of each block."""
    before = CHANNELS[0]
    for stage, channels in enumerate(CHANNELS):
        for block in range(n):
            yield f"stage{stage + 1}.{block}", before, channels, 2 if stage and not block else 1
            before = channels


def layers(n, inputs):
    """(name, shape) of each convolution."""
    yield "stem", (3, 3, inputs, CHANNELS[0])
    for name, before, channels, _ in blocks(n):
        yield f"{name}.conv1", (3, 3, before, channels)
        yield f"{name}.conv2", (3, 3, channels, channels)


def residual(name, n, image, classes, data, batch, epochs, drops, weight_decay, warm_up=0):
    def features(convolution, x):
        x = jax.nn.relu(convolution(x, "stem"))
        for name, before, channels, stride in blocks(n):
            y = jax.nn.relu(convolution(x, f"{name}.conv1", stride))
            y = convolution(y, f"{name}.conv2")
            # The shortcut has no parameters: every second pixel, and zeros for the channels that are new.
            shortcut = jnp.pad(x[:, ::stride, ::stride], ((0, 0), (0, 0), (0, 0), (0, channels - before)))
            x = jax.nn.relu(y + shortcut)
        return x

    about = f"a residual network of {6 * n + 2} layers with batch norm"
    parts = list(layers(n, image[2])), features, CHANNELS[-1]
    return classifier(name, about, *parts, image, classes, data, batch, epochs, drops, weight_decay, warm_up)
