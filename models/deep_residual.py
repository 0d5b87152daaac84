"""The residual networks of He et al. (arXiv 1512.03385), on images of 32 × 32: four stages from 64 channels on.

As is usual for CIFAR, the stem is a 3 × 3 convolution without pooling. Where a block changes the image's size or its channels,
its shortcut is a 1 × 1 convolution.
"""

import jax
from batch_norm import classifier

CHANNELS = [64, 128, 256, 512]
# Blocks of each stage, and whether a block is a bottleneck: 1 × 1, 3 × 3, and 1 × 1 to four times as many channels.
DEPTHS = {18: ([2, 2, 2, 2], False), 34: ([3, 4, 6, 3], False), 50: ([3, 4, 6, 3], True), 101: ([3, 4, 23, 3], True)}


def blocks(depth):
    """(name, [(convolution's name, shape, stride)…], shortcut's shape or None, stride) of each block."""
    counts, bottleneck = DEPTHS[depth]
    before = CHANNELS[0]
    for stage, (count, channels) in enumerate(zip(counts, CHANNELS)):
        for block in range(count):
            name = f"stage{stage + 1}.{block}"
            stride = 2 if stage and not block else 1
            after = 4 * channels if bottleneck else channels
            if bottleneck:
                shapes = [(1, 1, before, channels), (3, 3, channels, channels), (1, 1, channels, after)]
                strides = [1, stride, 1]
            else:
                shapes = [(3, 3, before, channels), (3, 3, channels, after)]
                strides = [stride, 1]
            named = [(f"{name}.conv{at + 1}", shape, s) for at, (shape, s) in enumerate(zip(shapes, strides))]
            yield name, named, (1, 1, before, after) if stride > 1 or before != after else None, stride
            before = after


def layers(depth, inputs):
    """(name, shape) of each convolution."""
    yield "stem", (3, 3, inputs, CHANNELS[0])
    for name, convolutions, shortcut, _ in blocks(depth):
        yield from ((convolution, shape) for convolution, shape, _ in convolutions)
        if shortcut:
            yield f"{name}.shortcut", shortcut


def deep_residual(depth, classes, batch, weight_decay=1e-4):
    """With the schedule of the BF16 paper, which lets the weights of ResNet-18 alone not decay."""

    def features(convolution, x):
        x = jax.nn.relu(convolution(x, "stem"))
        for name, convolutions, shortcut, stride in blocks(depth):
            *first, (last, _, _) = convolutions
            y = x
            for part, _, s in first:
                y = jax.nn.relu(convolution(y, part, s))
            y = convolution(y, last)
            x = jax.nn.relu(y + (convolution(x, f"{name}.shortcut", stride) if shortcut else x))
        return x

    about = f"a residual network of {depth} layers with batch norm"
    parts = list(layers(depth, 3)), features, CHANNELS[-1] * (4 if DEPTHS[depth][1] else 1)
    data = "cifar10" if classes == 10 else "cifar100"
    return classifier(f"resnet{depth}", about, *parts, (32, 32, 3), classes, data, batch, 160, [82, 122], weight_decay)
