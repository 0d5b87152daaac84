"""A narrow MobileNetV2, on images of 28 × 28."""

from mobile import mobile

# Widening factor, channels, blocks, stride of the first.
TABLE = [(1, 8, 1, 1), (4, 16, 2, 2), (4, 24, 2, 2)]


def model(batch=100):
    data = "fashion-mnist-small"
    return mobile("mobilenet_small", (28, 28, 1), 8, TABLE, 96, 10, data, batch, 12, [6, 9], 1e-4, warm_up=100)
