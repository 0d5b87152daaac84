"""Whole training steps in plain JAX, and those of models/, at sizes that take milliseconds to seconds: for hlo_speed.py."""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from hlo_programs import convolve, cross_entropy, labels, normal, rng, step

MODELS = Path(__file__).resolve().parent.parent / "models"
sys.path.insert(0, str(MODELS))

import export  # noqa: E402


def weights(seed, *shape):
    """A matrix or kernel whose results are about as large as what it multiplies."""
    return normal(seed, *shape) * np.float32(np.prod(shape[:-1]) ** -0.5)


def norm(x, scale):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * scale


def attend(x, qkv, out, heads, causal):
    """Attention of several heads, of x: [batch, length, width]."""
    batch, length, width = x.shape
    q, k, v = jnp.moveaxis((x @ qkv).reshape(batch, length, 3, heads, width // heads), (2, 3), (0, 2))
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(width // heads)
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bhkd->bqhd", jax.nn.softmax(scores), v)
    return mixed.reshape(batch, length, width) @ out


def transformer_layers(parameters, x, heads, causal):
    for scale, qkv, out, second, up, down in parameters:
        x = x + attend(norm(x, scale), qkv, out, heads, causal)
        x = x + jax.nn.gelu(norm(x, second) @ up) @ down
    return x


def layer_parameters(seed, width):
    one = np.ones(width, np.float32)
    shapes = [(width, 3 * width), (width, width), (width, 4 * width), (4 * width, width)]
    qkv, out, up, down = (weights(seed + i, *shape) for i, shape in enumerate(shapes))
    return one, qkv, out, one, up, down


def language_model():
    """Four layers of 256, 8 texts of 128 out of 4,000 words."""

    def loss(parameters, words):
        embedding, position, layers = parameters
        x = transformer_layers(layers, embedding[words[:, :-1]] + position, 8, True)
        return cross_entropy((x @ embedding.T).reshape(-1, 4000), words[:, 1:].reshape(-1))

    layers = [layer_parameters(100 + 10 * i, 256) for i in range(4)]
    return step(loss), ((weights(90, 4000, 256), weights(91, 128, 256), layers), labels(92, 8 * 129, 4000).reshape(8, 129))


def vision_transformer():
    """Six layers of 192 on 16 images of 64 patches."""

    def loss(parameters, images, target):
        patches, position, layers, head = parameters
        x = images.reshape(16, 8, 4, 8, 4, 3).transpose(0, 1, 3, 2, 4, 5).reshape(16, 64, 48) @ patches + position
        return cross_entropy(transformer_layers(layers, x, 3, False).mean(1) @ head, target)

    layers = [layer_parameters(200 + 10 * i, 192) for i in range(6)]
    parameters = weights(190, 48, 192), weights(191, 64, 192), layers, weights(192, 192, 10)
    return step(loss), (parameters, normal(193, 16, 32, 32, 3), labels(194, 16, 10))


def unet():
    """What a diffusion model learns with: noise told from 8 images of 32 × 32, in channels of 32, 64 and 128."""

    def block(x, first, second, scale):
        x = jax.nn.silu(norm(convolve(x, first), scale))
        return x + jax.nn.silu(norm(convolve(x, second), scale))

    def loss(parameters, images, noise, level):
        start, down, middle, up, end = parameters
        level = level[:, None, None, None]
        x = convolve(jnp.sqrt(1 - level) * images + jnp.sqrt(level) * noise, start)
        left = []
        for i, part in enumerate(down):
            x = block(x, *part)
            left.append(x)
            x = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        x = block(x, *middle)
        for part, other in zip(up, reversed(left)):
            x = jax.image.resize(x, (*other.shape[:3], x.shape[3]), "nearest")
            x = block(jnp.concatenate([x, other], -1), *part)
        return ((convolve(x, end) - noise) ** 2).mean()

    def part(seed, before, after):
        return weights(seed, 3, 3, before, after), weights(seed + 1, 3, 3, after, after), np.ones(after, np.float32)

    down, up = [part(300, 32, 32), part(310, 32, 64)], [part(330, 192, 64), part(340, 96, 32)]
    parameters = weights(350, 3, 3, 3, 32), down, part(320, 64, 128), up, weights(351, 3, 3, 32, 3)
    level = rng(352).uniform(0.1, 0.9, 8).astype(np.float32)
    return step(loss), (parameters, normal(353, 8, 32, 32, 3), normal(354, 8, 32, 32, 3), level)


def autoencoder():
    """A variational one, 128 images of 784 by 400 to 20, with Adam."""

    def loss(parameters, images, key):
        first, means, spreads, second, last = parameters
        hidden = jax.nn.relu(images @ first)
        mean, spread = hidden @ means, hidden @ spreads
        drawn = mean + jnp.exp(0.5 * spread) * jax.random.normal(key, mean.shape)
        logits = jax.nn.relu(drawn @ second) @ last
        wrong = (jax.nn.softplus(logits) - images * logits).sum(1)
        return (wrong - 0.5 * (1 + spread - mean**2 - jnp.exp(spread)).sum(1)).mean()

    def train(parameters, moments, squares, images, key):
        value, gradients = jax.value_and_grad(loss)(parameters, images, key)
        moments = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments, gradients)
        squares = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, squares, gradients)
        after = jax.tree.map(lambda p, m, v: p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), parameters, moments, squares)
        return value, after, moments, squares

    shapes = [(784, 400), (400, 20), (400, 20), (20, 400), (400, 784)]
    parameters = [weights(400 + i, *shape) for i, shape in enumerate(shapes)]
    zeros = [np.zeros_like(p) for p in parameters]
    images = rng(410).uniform(0, 1, (128, 784)).astype(np.float32)
    return train, (parameters, zeros, zeros, images, np.array([1, 42], np.uint32))


def of_models(name, **settings):
    """A training step of models/, from its first weights; what it learns from is made up."""
    model = export.load(MODELS / name, settings)
    state = jax.jit(export.init_program(model)[0])(np.array([1, 42], np.uint32))
    inputs, below = [], {given.name: given.below for given in model.inputs}
    for number, (given, shape, dtype, *_) in enumerate(export.step_inputs(model)):
        if given == "rate":
            inputs.append(np.float32(model.rate["initial"]))
        elif given == "key":
            inputs.append(np.array([1, 42], np.uint32))
        elif dtype == "float32":
            inputs.append(abs(normal(500 + number, *shape)))
        else:
            most = below[given] or 10
            inputs.append(labels(500 + number, int(np.prod(shape)), most).reshape(shape).astype(dtype))
    return export.train_step_program(model)[0], (*map(np.asarray, state), *inputs)


# What makes each: (function, inputs).
NETWORKS = {
    "transformer, 4 layers of 256, 8 texts of 128": language_model,
    "ViT, 6 layers of 192, 16 images": vision_transformer,
    "U-Net, 8 images of 32 × 32": unet,
    "VAE, 128 images, Adam": autoencoder,
    "ResNet-18, 16 images": lambda: of_models("resnet18", batch=16),
    "MobileNetV2, 16 images": lambda: of_models("mobilenet", batch=16),
    "NGCF on MovieLens' sizes": lambda: of_models("ngcf"),
}
