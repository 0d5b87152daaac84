"""Trains the digits network and writes its weights.

    python examples/train_digits.py [examples/digits.safetensors]

Plain stochastic gradient descent with momentum in float32, from a fixed seed. The same machine gives the same
bits again; another machine's matrix product may add in another order and end a few last bits away.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np

from digits import LAYERS, SHAPES, TEST_SIZE, accuracy, forward, load

SEED, EPOCHS, BATCH, RATE, MOMENTUM, DECAY = 1, 60, 32, 0.05, 0.9, 1e-4


def gradients(weights, images, labels):
    """Gradients of the mean cross entropy."""
    outputs = forward(weights, images)
    logits = outputs[-1] - outputs[-1].max(axis=1, keepdims=True)
    error = np.exp(logits)
    error /= error.sum(axis=1, keepdims=True)
    error[np.arange(len(labels)), labels] -= 1
    error /= np.float32(len(labels))
    found = {}
    for index in reversed(range(len(LAYERS))):
        name = LAYERS[index]
        found[f"{name}.weight"] = outputs[index].T @ error
        found[f"{name}.bias"] = error.sum(axis=0)
        error = (error @ weights[f"{name}.weight"].T) * (outputs[index] > 0)
    return found


def train(images, labels):
    """The trained weights, float32, by name."""
    rng = np.random.Generator(np.random.PCG64(SEED))
    weights = {}
    for name, shape in zip(LAYERS, SHAPES):
        scale = np.sqrt(2 / shape[0])  # He initialisation
        weights[f"{name}.weight"] = (rng.standard_normal(shape) * scale).astype(np.float32)
        weights[f"{name}.bias"] = np.zeros(shape[1], np.float32)
    speed = {name: np.zeros_like(value) for name, value in weights.items()}
    for epoch in range(EPOCHS):
        rate = np.float32(RATE * (1 + np.cos(np.pi * epoch / EPOCHS)) / 2)
        order = rng.permutation(len(images))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            for name, gradient in gradients(weights, images[batch], labels[batch]).items():
                decay = np.float32(DECAY) * weights[name] if name.endswith("weight") else np.float32(0)
                speed[name] = np.float32(MOMENTUM) * speed[name] - rate * (gradient + decay)
                weights[name] = weights[name] + speed[name]
    return weights


def write(path, weights, metadata):
    """A safetensors file, keys in a fixed order so that equal weights are equal bytes."""
    header, data = {"__metadata__": metadata}, b""
    for name, tensor in weights.items():
        start = len(data)
        data += tensor.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [start, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("digits.safetensors")
    images, labels, test_images, test_labels = load()
    weights = train(images, labels)
    reached = accuracy(weights, test_images, test_labels)
    write(
        path,
        weights,
        {
            "accuracy": f"{reached:.4f}",
            "data": f"handwritten digits of scikit-learn (UCI), test set of {TEST_SIZE}",
            "network": "64-64-32-10, ReLU",
            "source": "examples/train_digits.py",
        },
    )
    print(f"test accuracy {reached:.4f} ({round(reached * TEST_SIZE)} of {TEST_SIZE}); wrote {path}")


if __name__ == "__main__":
    main()
