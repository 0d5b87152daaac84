"""Trains a small network on 8×8 digits with JAX, to be run under another arithmetic.

    binade run --arith bf16x2:bf16x2/3 -- python examples/run/train_jax.py [EPOCHS]

Everything is binary32 and seeded. Needs jax, numpy and scikit-learn.
"""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from digits import load

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 10
BATCH, RATE, SHAPES = 32, 0.1, [(64, 128), (128, 64), (64, 10)]

random = np.random.Generator(np.random.PCG64(1))
images, labels, test_images, test_labels = load()
weights = [
    (jnp.asarray(random.standard_normal(shape) * np.sqrt(2 / shape[0]), jnp.float32), jnp.zeros(shape[1]))
    for shape in SHAPES
]


def logits(weights, x):
    for w, b in weights[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = weights[-1]
    return x @ w + b


def loss(weights, x, y):
    return -jnp.mean(jax.nn.log_softmax(logits(weights, x))[jnp.arange(len(y)), y])


@jax.jit
def step(weights, x, y):
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    return value, jax.tree.map(lambda w, g: w - RATE * g, weights, gradients)


for epoch in range(1, EPOCHS + 1):
    total = 0.0
    order = random.permutation(len(images))
    for start in range(0, len(order) - BATCH + 1, BATCH):
        batch = order[start : start + BATCH]
        value, weights = step(weights, images[batch], labels[batch])
        total += float(value) * len(batch)
    accuracy = float(np.mean(np.argmax(logits(weights, test_images), axis=1) == test_labels))
    print(f"epoch {epoch:2}: loss {total / len(order):.6f}, test accuracy {accuracy:.4f}", flush=True)
