"""MobileNetV2 for CIFAR, as the BF16 paper trains it; for CIFAR-100 with `--set classes=100`.

Its first two halvings of the image are left out, which for 32 × 32 is usual.
"""

from mobile import mobile

# Widening factor, channels, blocks, stride of the first.
TABLE = [(1, 16, 1, 1), (6, 24, 2, 1), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]


def model(classes=10, batch=128):
    data = "cifar10" if classes == 10 else "cifar100"
    return mobile("mobilenet", (32, 32, 3), 32, TABLE, 1280, classes, data, batch, 160, [82, 122], 1e-4)
