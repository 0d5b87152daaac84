"""ResNet-101 for CIFAR, as the BF16 paper trains it; for CIFAR-100 with `--set classes=100`."""

from deep_residual import deep_residual


def model(classes=10, batch=128):
    return deep_residual(101, classes, batch)
