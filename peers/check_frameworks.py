"""Training loops of Flax, Haiku and Equinox with Optax, unchanged, on binade's device of JAX.

Each loop runs 20 steps on JAX's own processor and on binade: losses agree to 1e-4 under binary32, and move under
bf16:bf16. They are a convolutional network (Flax), an LSTM (Haiku), a small GPT (Equinox) and a diffusion step (Flax).

    pip install jax flax dm-haiku equinox optax
    JAX_PLATFORMS=binade,cpu python peers/check_frameworks.py [NAME…]
"""

import os
import subprocess
import sys

import numpy as np

STEPS = 20


def flax_cnn():
    import jax
    import optax
    from flax import linen as nn

    class Network(nn.Module):
        @nn.compact
        def __call__(self, x):
            for width in (8, 16):
                x = nn.relu(nn.GroupNorm(num_groups=4)(nn.Conv(width, (3, 3))(x)))
                x = nn.max_pool(x, (2, 2), strides=(2, 2))
            return nn.Dense(10)(x.reshape(x.shape[0], -1))

    network = Network()
    key = jax.random.key(0)
    x, y = jax.random.normal(key, (16, 12, 12, 1)), jax.random.randint(key, (16,), 0, 10)
    return network.init(key, x), optax.sgd(0.05, momentum=0.9), lambda parameters, _: (
        optax.softmax_cross_entropy_with_integer_labels(network.apply(parameters, x), y).mean())


def haiku_lstm():
    import haiku as hk
    import jax
    import optax

    def forward(x):
        core = hk.LSTM(32)
        hidden, _ = hk.dynamic_unroll(core, hk.Embed(50, 16)(x), core.initial_state(x.shape[1]))
        return hk.Linear(50)(hidden)

    network = hk.without_apply_rng(hk.transform(forward))
    tokens = jax.random.randint(jax.random.key(1), (13, 8), 0, 50)
    parameters = network.init(jax.random.key(2), tokens[:-1])
    return parameters, optax.adam(1e-2), lambda parameters, _: (
        optax.softmax_cross_entropy_with_integer_labels(network.apply(parameters, tokens[:-1]), tokens[1:]).mean())


def equinox_gpt():
    import equinox as eqx
    import jax
    import jax.numpy as jnp
    import optax

    class Block(eqx.Module):
        attention: eqx.nn.MultiheadAttention
        norms: list
        mlp: eqx.nn.MLP

        def __init__(self, key):
            one, two = jax.random.split(key)
            self.attention = eqx.nn.MultiheadAttention(4, 32, key=one)
            self.norms = [eqx.nn.LayerNorm(32), eqx.nn.LayerNorm(32)]
            self.mlp = eqx.nn.MLP(32, 32, 64, 1, activation=jax.nn.gelu, key=two)

        def __call__(self, x):
            mask = jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))
            y = jax.vmap(self.norms[0])(x)
            x = x + self.attention(y, y, y, mask=mask)
            return x + jax.vmap(self.mlp)(jax.vmap(self.norms[1])(x))

    class Gpt(eqx.Module):
        embedding: eqx.nn.Embedding
        blocks: list
        head: eqx.nn.Linear

        def __init__(self, key):
            keys = jax.random.split(key, 4)
            self.embedding = eqx.nn.Embedding(40, 32, key=keys[0])
            self.blocks = [Block(keys[1]), Block(keys[2])]
            self.head = eqx.nn.Linear(32, 40, key=keys[3])

        def __call__(self, tokens):
            x = jax.vmap(self.embedding)(tokens)
            for block in self.blocks:
                x = block(x)
            return jax.vmap(self.head)(x)

    arrays, rest = eqx.partition(Gpt(jax.random.key(3)), eqx.is_inexact_array)
    tokens = jax.random.randint(jax.random.key(4), (4, 17), 0, 40)

    def loss(arrays, _):
        logits = jax.vmap(eqx.combine(arrays, rest))(tokens[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    return arrays, optax.adamw(3e-3), loss


def flax_diffusion():
    import jax
    import jax.numpy as jnp
    import optax
    from flax import linen as nn

    class Denoiser(nn.Module):
        @nn.compact
        def __call__(self, x, time):
            angles = time[:, None] * jnp.exp(jnp.linspace(0, 4, 8))
            time = nn.Dense(16)(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1))
            y = nn.swish(nn.Conv(16, (3, 3))(x) + time[:, None, None])
            down = nn.swish(nn.Conv(32, (3, 3), strides=(2, 2))(y))
            up = nn.ConvTranspose(16, (3, 3), strides=(2, 2))(down)
            return nn.Conv(1, (3, 3))(nn.swish(up + y))

    network = Denoiser()
    images = jnp.sin(jnp.arange(8 * 64.0).reshape(8, 8, 8, 1) / 7)

    def loss(parameters, key):
        noise_key, time_key = jax.random.split(key)
        noise, time = jax.random.normal(noise_key, images.shape), jax.random.uniform(time_key, (8,))
        signal = jnp.cos(time * jnp.pi / 2)[:, None, None, None]
        noisy = signal * images + jnp.sqrt(1 - signal**2) * noise
        return jnp.square(network.apply(parameters, noisy, time) - noise).mean()

    parameters = network.init(jax.random.key(5), images, jnp.zeros(8))
    return parameters, optax.chain(optax.clip_by_global_norm(1.0), optax.adam(3e-3)), loss


LOOPS = {loop.__name__: loop for loop in (flax_cnn, haiku_lstm, equinox_gpt, flax_diffusion)}


def train(name):
    """The losses, one a line, on the platform of the environment."""
    import jax
    import optax

    parameters, optimizer, loss = LOOPS[name]()
    state = optimizer.init(parameters)

    @jax.jit
    def step(parameters, state, key):
        value, gradients = jax.value_and_grad(loss)(parameters, key)
        updates, state = optimizer.update(gradients, state, parameters)
        return optax.apply_updates(parameters, updates), state, value

    for key in jax.random.split(jax.random.key(6), STEPS):
        parameters, state, value = step(parameters, state, key)
        print(jax.devices()[0].platform, repr(float(value)))


def losses(name, **environment):
    """Of a process of its own: rules of the environment hold for all its programs."""
    command = [sys.executable, __file__, "--train", name]
    run = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    words = [line.split() for line in run.stdout.splitlines()]
    assert len(words) == STEPS and {platform for platform, _ in words} == {environment["JAX_PLATFORMS"]}
    return np.array([float(value) for _, value in words])


def main(patterns):
    for name in LOOPS:
        if patterns and not any(pattern in name for pattern in patterns):
            continue
        theirs = losses(name, JAX_PLATFORMS="cpu")
        ours = losses(name, JAX_PLATFORMS="binade", BINADE_ARITH="")
        narrow = losses(name, JAX_PLATFORMS="binade", BINADE_ARITH="dot_general,convolution=bf16:bf16")
        apart, moved = (np.abs(other / theirs - 1).max() for other in (ours, narrow))
        print(f"{name}: loss {theirs[0]:.4f} … {theirs[-1]:.4f}, ours within {apart:.1e}, under bf16:bf16 {moved:.1e} off")
        assert apart <= 1e-4 and moved > 1e-4 and theirs[-1] < theirs[0]
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--train"]:
        train(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
