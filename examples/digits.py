"""The data, the network and its accuracy: what training and evaluation share.

The data are the 1797 handwritten digits (8 x 8 pixels, values 0 to 16) that come with scikit-learn; the last
597 of a fixed shuffle are the test set. The network is 64-64-32-10 with ReLU between its layers.
"""

import numpy as np
from sklearn.datasets import load_digits

LAYERS = ("layer1", "layer2", "layer3")
SHAPES = ((64, 64), (64, 32), (32, 10))
TEST_SIZE = 597


def load():
    """Training images and labels, test images and labels; images are float32 in [0, 1]."""
    digits = load_digits()
    order = np.random.Generator(np.random.PCG64(20)).permutation(len(digits.target))
    images = (digits.data[order] / 16).astype(np.float32)
    labels = digits.target[order]
    return images[:-TEST_SIZE], labels[:-TEST_SIZE], images[-TEST_SIZE:], labels[-TEST_SIZE:]


def forward(weights, images):
    """The outputs of every layer, the input first and the logits last."""
    outputs = [images]
    for layer in LAYERS:
        z = outputs[-1] @ weights[f"{layer}.weight"] + weights[f"{layer}.bias"]
        outputs.append(z if layer == LAYERS[-1] else np.maximum(z, 0))
    return outputs


def accuracy(weights, images, labels):
    """The share of images whose largest logit is their label's."""
    return float(np.mean(forward(weights, images)[-1].argmax(axis=1) == labels))
