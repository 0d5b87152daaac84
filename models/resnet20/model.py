"""The residual network of 20 layers for CIFAR-10, with the schedule of the BF16 paper."""

from residual import residual


def model():
    return residual("resnet20", 3, (32, 32, 3), 10, "cifar10", 128, 160, [82, 122], 1e-4)
