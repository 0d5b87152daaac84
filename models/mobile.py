"""MobileNetV2 (Sandler et al., arXiv 1801.04381): blocks that widen an image, filter each channel alone, and narrow it again."""

import jax
from batch_norm import classifier


def blocks(stem, table):
    """(name, input channels, inner channels, channels, stride) of each block of a table of (factor, channels, count, stride)."""
    before = stem
    for stage, (factor, channels, count, stride) in enumerate(table):
        for block in range(count):
            yield f"stage{stage + 1}.{block}", before, factor * before, channels, stride if block == 0 else 1
            before = channels


def layers(inputs, stem, table, last):
    """(name, shape) of each convolution."""
    yield "stem", (3, 3, inputs, stem)
    for name, before, inner, channels, _ in blocks(stem, table):
        if inner != before:
            yield f"{name}.wide", (1, 1, before, inner)
        yield f"{name}.depth", (3, 3, 1, inner)
        yield f"{name}.narrow", (1, 1, inner, channels)
    yield "head", (1, 1, table[-1][1], last)


def mobile(name, image, stem, table, last, classes, data, batch, epochs, drops, weight_decay, warm_up=0):
    def features(convolution, x):
        x = jax.nn.relu6(convolution(x, "stem"))
        for part, before, inner, channels, stride in blocks(stem, table):
            y = jax.nn.relu6(convolution(x, f"{part}.wide")) if inner != before else x
            y = jax.nn.relu6(convolution(y, f"{part}.depth", stride, inner))
            y = convolution(y, f"{part}.narrow")
            x = x + y if stride == 1 and before == channels else y
        return jax.nn.relu6(convolution(x, "head"))

    blocks_in_all = sum(count for _, _, count, _ in table)
    about = f"a MobileNetV2 of {blocks_in_all} blocks with batch norm"
    parts = list(layers(image[2], stem, table, last)), features, last
    return classifier(name, about, *parts, image, classes, data, batch, epochs, drops, weight_decay, warm_up)
