"""A small residual network with batch norm, on images of 28 × 28."""

from residual import residual


def model():
    return residual("resnet8", 1, (28, 28, 1), 10, "fashion-mnist-small", 100, 12, [6, 9], 1e-4, warm_up=100)
