"""Programs for the StableHLO peer check: JAX functions with inputs, whose export and results are compared.

`programs()` yields (name, function, inputs, tolerance): the greatest difference that is allowed, relative to the largest
magnitude of an output. Integers have to be equal.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

F32, BF16, F64 = 2e-5, 2e-2, 1e-12


def rng(seed):
    return np.random.Generator(np.random.PCG64(seed))


def normal(seed, *shape, dtype=np.float32):
    return rng(seed).standard_normal(shape).astype(dtype)


def labels(seed, count, classes):
    return rng(seed).integers(0, classes, count).astype(np.int32)


def cross_entropy(logits, target):
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), target[:, None], axis=-1)
    return -picked.mean()


# Training steps: parameters, inputs -> new parameters, loss.


def step(loss, rate=0.1):
    def update(parameters, *inputs):
        value, gradients = jax.value_and_grad(loss)(parameters, *inputs)
        return jax.tree.map(lambda p, g: p - rate * g, parameters, gradients), value

    return update


def mlp(parameters, x, target):
    with jax.named_scope("hidden"):
        h = jax.nn.relu(x @ parameters["w1"] + parameters["b1"])
    with jax.named_scope("head"):
        logits = h @ parameters["w2"] + parameters["b2"]
    return cross_entropy(logits, target)


def mlp_parameters(seed=0):
    return {
        "w1": normal(seed, 20, 32) * 0.2,
        "b1": np.zeros(32, np.float32),
        "w2": normal(seed + 1, 32, 10) * 0.2,
        "b2": np.zeros(10, np.float32),
    }


def convolve(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def cnn(parameters, x, target):
    h = jax.nn.relu(convolve(x, parameters["c1"]))
    h = lax.reduce_window(h, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    h = jax.nn.gelu(convolve(h, parameters["c2"], 2))
    return cross_entropy(h.mean((1, 2)) @ parameters["w"], target)


def batch_norm(x, scale, offset):
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + offset


def resnet(parameters, x, target):
    h = convolve(x, parameters["stem"])
    for block in parameters["blocks"]:
        inner = jax.nn.relu(batch_norm(convolve(h, block["c1"]), block["s1"], block["o1"]))
        h = jax.nn.relu(h + batch_norm(convolve(inner, block["c2"]), block["s2"], block["o2"]))
    return cross_entropy(h.mean((1, 2)) @ parameters["w"], target)


def resnet_parameters(channels=8):
    def block(seed):
        kernel = lambda s: normal(s, 3, 3, channels, channels) * 0.1
        ones, zeros = np.ones(channels, np.float32), np.zeros(channels, np.float32)
        return {"c1": kernel(seed), "s1": ones, "o1": zeros, "c2": kernel(seed + 1), "s2": ones, "o2": zeros}

    return {
        "stem": normal(1, 3, 3, 3, channels) * 0.2,
        "blocks": [block(2), block(4)],
        "w": normal(6, channels, 10) * 0.2,
    }


def lstm(parameters, xs):
    def cell(state, x):
        h, c = state
        gates = x @ parameters["wx"] + h @ parameters["wh"] + parameters["b"]
        i, f, g, o = jnp.split(gates, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((xs.shape[1], parameters["wh"].shape[0]), xs.dtype)
    _, hs = lax.scan(cell, (zero, zero), xs)
    return (hs**2).mean()


def lstm_parameters():
    return {"wx": normal(7, 6, 32) * 0.3, "wh": normal(8, 8, 32) * 0.3, "b": np.zeros(32, np.float32)}


def attention(q, k, v):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1]).astype(q.dtype)
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


def layer_norm(x, scale):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * scale


def gpt(parameters, tokens):
    heads = 2
    x = parameters["embedding"][tokens[:, :-1]] + parameters["positions"][: tokens.shape[1] - 1]
    batch, length, width = x.shape
    for layer in parameters["layers"]:
        h = layer_norm(x, layer["n1"])
        qkv = (h @ layer["qkv"]).reshape(batch, length, 3, heads, width // heads).transpose(2, 0, 3, 1, 4)
        h = attention(qkv[0], qkv[1], qkv[2]).transpose(0, 2, 1, 3).reshape(batch, length, width)
        x = x + h @ layer["out"]
        x = x + jax.nn.gelu(layer_norm(x, layer["n2"]) @ layer["up"]) @ layer["down"]
    logits = (x @ parameters["embedding"].T).astype(jnp.float32)
    return cross_entropy(logits.reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1))


def gpt_parameters(dtype, width=16, vocabulary=24, length=12):
    def layer(seed):
        return {
            "n1": np.ones(width, np.float32),
            "qkv": normal(seed, width, 3 * width) * 0.2,
            "out": normal(seed + 1, width, width) * 0.2,
            "n2": np.ones(width, np.float32),
            "up": normal(seed + 2, width, 4 * width) * 0.2,
            "down": normal(seed + 3, 4 * width, width) * 0.2,
        }

    parameters = {
        "embedding": normal(9, vocabulary, width) * 0.3,
        "positions": normal(10, length, width) * 0.1,
        "layers": [layer(11), layer(15)],
    }
    return jax.tree.map(lambda p: p.astype(dtype), parameters)


def adam_by_scan(start, targets):
    def body(state, item):
        count, p, m, v = state
        g = 2 * (p - item)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        count = count + 1
        p = p - 0.05 * (m / (1 - 0.9**count)) / (jnp.sqrt(v / (1 - 0.999**count)) + 1e-8)
        return (count, p, m, v), (p**2).sum()

    zero = jnp.zeros_like(start)
    return lax.scan(body, (jnp.float32(0), start, zero, zero), targets)


def sorting(x, y):
    order = jnp.argsort(x, axis=-1, stable=True)
    keys, values = lax.sort((x, y), num_keys=1)
    return order, keys, values, lax.top_k(x, 3), jnp.median(x, axis=0)


def gather_scatter(x, indices, updates):
    taken = x[indices]
    return (
        taken,
        x.at[indices].add(updates),
        x.at[indices].max(updates),
        x.at[indices[0], 1].set(5.0),
        jnp.take_along_axis(x[:4], indices[:, None] % 4, axis=1),
        lax.dynamic_slice(x, (indices[0], 0), (2, 2)),
        lax.dynamic_update_slice(x, updates[:1], (indices[1], 0)),
        jax.grad(lambda x: (x[indices] * updates).sum())(x),
    )


def pooling(x):
    def total(x):
        largest = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        mean = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        return (largest**2).sum() + (mean**3).sum()

    return jax.value_and_grad(total)(x)


def random_bits(key):
    key = jax.random.wrap_key_data(key)
    first, second = jax.random.split(key)
    return (
        jax.random.bits(first, (5, 7)),
        jax.random.uniform(second, (4, 3)),
        jax.random.normal(first, (10,)),
        jax.random.randint(second, (8,), 0, 100),
        jax.random.permutation(first, 12),
    )


def bit_generators(state):
    three_fry = lax.rng_bit_generator(state, (3, 5), jnp.uint32, algorithm=lax.RandomAlgorithm.RNG_THREE_FRY)
    philox = lax.rng_bit_generator(state, (4, 3), jnp.uint32, algorithm=lax.RandomAlgorithm.RNG_PHILOX)
    return three_fry, philox


def fourier(x):
    spectrum = jnp.fft.rfft(x)
    plane = jnp.fft.fft2(x.astype(jnp.complex64))
    return spectrum, jnp.fft.irfft(spectrum, x.shape[-1]), plane, jnp.fft.ifft(plane)


def linear_algebra(a, b):
    square = a @ a.T + 4 * jnp.eye(a.shape[0], dtype=a.dtype)
    factor = jnp.linalg.cholesky(square)
    return factor, jax.scipy.linalg.solve_triangular(factor, b, lower=True)


def dot_algorithm(name):
    def product(a, b):
        return lax.dot(a, b, precision=getattr(lax.DotAlgorithmPreset, name))

    return product


def fp8_linear(dtype):
    largest = float(jnp.finfo(dtype).max)

    def quantise(x):
        scale = jnp.max(jnp.abs(x)) / largest
        return (x / scale).astype(dtype), scale

    def loss(x, w):
        (x8, sx), (w8, sw) = quantise(x), quantise(w)
        y = lax.dot(x8, w8, preferred_element_type=jnp.float32) * (sx * sw)
        return y, x8, w8

    return loss


def control(x, n):
    loop = lax.fori_loop(0, n, lambda i, y: y * 1.5 + i, x)
    branch = lax.cond(n > 3, lambda y: y.sum(), lambda y: y.max(), x)
    several = lax.switch(n, [jnp.sin, jnp.cos, jnp.tan], x)
    until = lax.while_loop(lambda y: (y < 100).all(), lambda y: y * y + 1, x)
    return loop, branch, several, until


def elementary(x):
    positive = jnp.abs(x) + 0.1
    small = jnp.tanh(x) * 0.9
    functions = [jnp.exp, jnp.expm1, jnp.sin, jnp.cos, jnp.tan, jnp.tanh, jnp.arctan, jnp.sinh, jnp.cosh, jnp.arcsinh]
    return (
        [function(x) for function in functions],
        [function(positive) for function in [jnp.log, jnp.log1p, jnp.sqrt, lax.rsqrt, jnp.cbrt, lax.lgamma, lax.digamma]],
        [function(small) for function in [jnp.arcsin, jnp.arccos, jnp.arctanh, lax.erf, lax.erfc, lax.erf_inv]],
        [jnp.floor(x), jnp.ceil(x), jnp.round(x), jnp.sign(x), positive**1.7, jnp.arctan2(x, positive), x % 0.7],
    )


def integers(a, b):
    unsigned = a.astype(jnp.uint32)
    return (
        [a + b, a - b, a * b, lax.div(a, b), lax.rem(a, b), a & b, a | b, a ^ b, ~a, jnp.abs(a), jnp.sign(a)],
        [lax.shift_left(a, b % 8), lax.shift_right_arithmetic(a, b % 8), lax.shift_right_logical(a, b % 8)],
        [lax.clz(a), lax.population_count(a), unsigned >> 3, jnp.cumsum(a), jnp.cumprod(a), lax.cummax(a)],
        [a < b, a == b, jnp.where(a < b, a, b), jnp.clip(a, -5, 5), a.astype(jnp.int8), a.astype(jnp.float32)],
        lax.bitcast_convert_type(a, jnp.float32),
    )


def shapes(x):
    return (
        x.T,
        x[::-1, 1::2],
        jnp.pad(x, ((1, 2), (0, 3)), constant_values=7),
        lax.pad(x, 0.0, ((-1, 1, 2), (0, 0, 1))),
        jnp.concatenate([x, x * 2], 1),
        jnp.broadcast_to(x[:, None], (x.shape[0], 3, x.shape[1])),
        jnp.tile(x, (2, 1)).reshape(-1),
        lax.iota(jnp.int32, 7),
        jnp.eye(4, dtype=jnp.bfloat16),
        x.astype(jnp.bfloat16).astype(jnp.float32),
        lax.reduce_precision(x, 5, 2),
        jnp.argmax(x, 1),
        x.std(0),
    )


def complex_numbers(a, b):
    return a * b, a / b, jnp.exp(a), jnp.sqrt(a), jnp.abs(a), jnp.conj(a) @ b.T, a.real, b.imag, jnp.log(a)


def sharded(a, b):
    """A mesh of one device: what says where data is, and sums over it."""
    mesh = Mesh(np.array(jax.devices()[:1]), ("x",))
    product = lax.with_sharding_constraint(a @ b, NamedSharding(mesh, PartitionSpec("x", None)))
    rows, whole = PartitionSpec("x"), PartitionSpec()
    total = jax.shard_map(lambda part: lax.psum(part.sum(0), "x"), mesh=mesh, in_specs=rows, out_specs=whole)
    return product, total(product)


def programs():
    x, target = normal(20, 16, 20), labels(21, 16, 10)
    images, image_labels = normal(22, 4, 8, 8, 3), labels(23, 4, 10)
    yield "mlp_step", step(mlp), (mlp_parameters(), x, target), F32
    cnn_parameters = {"c1": normal(1, 3, 3, 3, 6) * 0.3, "c2": normal(2, 3, 3, 6, 8) * 0.3, "w": normal(3, 8, 10) * 0.3}
    yield "cnn_step", step(cnn), (cnn_parameters, images, image_labels), F32
    yield "resnet_step", step(resnet), (resnet_parameters(), images, image_labels), 10 * F32
    yield "lstm_step", step(lstm), (lstm_parameters(), normal(24, 5, 3, 6)), F32
    q, k, v = (normal(seed, 2, 2, 6, 4) for seed in (25, 26, 27))
    yield "attention", attention, (q, k, v), F32
    tokens = rng(28).integers(0, 24, (2, 13)).astype(np.int32)
    yield "gpt_gradient", jax.value_and_grad(gpt), (gpt_parameters(np.float32), tokens), 10 * F32
    yield "gpt_gradient_bf16", jax.value_and_grad(gpt), (gpt_parameters(jnp.bfloat16), tokens), 5 * BF16
    yield "adam_by_scan", adam_by_scan, (normal(29, 8), normal(30, 20, 8)), 10 * F32
    yield "fourier", fourier, (normal(31, 6, 10),), F32
    yield "sorting", sorting, (normal(32, 4, 9), labels(33, 36, 50).reshape(4, 9)), F32
    indices = np.array([3, 0, 5, 3], np.int32)
    yield "gather_scatter", gather_scatter, (normal(34, 6, 4), indices, normal(35, 4, 4)), F32
    yield "pooling_gradient", pooling, (normal(36, 2, 7, 7, 3),), F32
    yield "random", random_bits, (np.array([1, 42], np.uint32),), F32
    yield "bit_generators", bit_generators, (np.array([1, 2, 3, 4], np.uint32),), F32
    yield "linear_algebra", linear_algebra, (normal(37, 5, 5), normal(38, 5, 2)), 10 * F32
    a, b = normal(39, 8, 12), normal(40, 12, 6)
    yield "dot_f32", dot_algorithm("F32_F32_F32"), (a, b), F32
    yield "dot_bf16", lambda a, b: a @ b, (a.astype(jnp.bfloat16), b.astype(jnp.bfloat16)), BF16
    yield "dot_bf16_f32", dot_algorithm("BF16_BF16_F32"), (a, b), BF16
    yield "dot_bf16_f32_x3", dot_algorithm("BF16_BF16_F32_X3"), (a, b), 10 * F32
    for name in ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e4m3b11fnuz"):
        yield f"linear_{name}", fp8_linear(getattr(jnp, name)), (a, b), F32
    yield "control", control, (np.array([0.5, 1.5, 2.5], np.float32), np.int32(2)), F32
    yield "elementary", elementary, (normal(41, 40),), 10 * F32
    yield "elementary_bf16", elementary, (normal(41, 40).astype(jnp.bfloat16),), BF16
    ints = rng(42).integers(-1000, 1000, (2, 30)).astype(np.int32)
    yield "integers", integers, (ints[0], np.where(ints[1] == 0, 3, ints[1])), F32
    yield "shapes", shapes, (normal(43, 4, 6),), F32
    z = (normal(44, 3, 4) + 1j * normal(45, 3, 4)).astype(np.complex64)
    yield "complex", complex_numbers, (z, z[::-1].copy() + 1), 5 * F32
    yield "sharded", sharded, (a, b), F32


def spellings(function, inputs):
    """The texts that JAX has of one program: (name, text)."""
    from jax import export

    lowered = jax.jit(function).lower(*inputs)
    module = lowered.compiler_ir("stablehlo").operation
    yield "pretty", module.get_asm()
    yield "generic", module.get_asm(print_generic_op_form=True)
    yield "locations", module.get_asm(enable_debug_info=True)
    yield "generic with locations", module.get_asm(print_generic_op_form=True, enable_debug_info=True)
    yield "export", export.export(jax.jit(function))(*inputs).mlir_module()
