"""Whole PyTorch modules on binade's device of JAX, through torchax, against PyTorch's own results.

Values and gradients of a perceptron, a convolutional network with batch norm and a transformer layer agree with PyTorch on
the processor to 1e-4, as do the losses of 20 steps; under an operator a layer has the bits of the operator's product, and
gradients move.

    pip install -r peers/requirements.txt -r peers/requirements-torchax.txt
    JAX_PLATFORMS=binade,cpu python peers/check_torchax.py
"""

import copy
import os
import sys

os.environ.setdefault("JAX_PLATFORMS", "binade,cpu")

import binade
import binade.jax
import jax
import numpy as np
import torch
import torchax
from torch import nn
from torchax import interop

BF16 = "bf16:bf16"


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        return torch.relu(x + self.body(x))


def modules():
    """Name, module and input; the same each time."""
    torch.manual_seed(0)
    perceptron = nn.Sequential(nn.Linear(20, 64), nn.GELU(), nn.Linear(64, 10))
    convolutions = nn.Sequential(
        nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.ReLU(), Residual(16), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(256, 10))
    transformer = nn.Sequential(nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True), nn.Linear(32, 10))
    return [
        ("perceptron", perceptron, torch.randn(8, 20)),
        ("convolutions", convolutions, torch.randn(4, 3, 16, 16)),
        ("transformer layer", transformer, torch.randn(2, 12, 32)),
    ]


def functional(module):
    """The module as a function of its parameters and an input, and these as arrays of JAX."""
    module = copy.deepcopy(module)
    with torchax.default_env():
        module.to("jax")
        parameters = {name: parameter.detach() for name, parameter in module.named_parameters()}
        buffers = dict(module.named_buffers())

    def loss(parameters, x):
        # Batch norm counts in its buffers, which are not what is traced.
        copies = {name: buffer.clone() for name, buffer in buffers.items()}
        return torch.func.functional_call(module, {**copies, **parameters}, (x,)).square().mean()

    return interop.jax_view(loss), interop.jax_view(parameters)


def on_device(module, x, arith=None):
    """Loss and gradients of the module on binade."""
    loss, parameters = functional(module)
    step = binade.jax.jit(jax.value_and_grad(loss), arith=arith)
    value, gradients = step(parameters, jax.numpy.asarray(x.numpy()))
    assert {device.platform for device in value.devices()} == {"binade"}
    return float(value), {name: np.asarray(gradient) for name, gradient in gradients.items()}


def on_processor(module, x):
    loss = module(x).square().mean()
    loss.backward()
    return loss.item(), {name: parameter.grad.numpy() for name, parameter in module.named_parameters()}


def far(ours, theirs):
    """The largest difference, in parts of the largest element."""
    return max(np.abs(ours[name] - theirs[name]).max() / np.abs(theirs[name]).max() for name in theirs)


def check_values_and_gradients():
    for name, module, x in modules():
        ours, our_gradients = on_device(module, x)
        value, gradients = on_processor(module, x)
        apart = far(our_gradients, gradients)
        print(f"        {name}: loss {value:.6f}, ours {ours:.6f}, gradients within {apart:.1e}")
        assert abs(ours - value) <= 1e-4 * abs(value) and apart <= 1e-4


def check_operators_reach_modules():
    for name, module, x in modules():
        _, own = on_device(module, x)
        _, narrow = on_device(module, x, f"dot_general,convolution={BF16}")
        apart = far(narrow, own)
        print(f"        {name}: gradients under {BF16} are {apart:.1e} off")
        assert 1e-4 < apart < 0.5


def check_a_layer_has_the_bits_of_the_product():
    torch.manual_seed(1)
    layer, x = nn.Linear(300, 40), torch.randn(16, 300)
    weight, bias = layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()
    expected = binade.matmul(x.numpy(), weight.T, BF16) + bias
    with torchax.default_env():
        layer.to("jax")
    forward = interop.jax_view(lambda x: layer(x))
    ours = np.asarray(binade.jax.jit(forward, arith=f"dot_general={BF16}")(jax.numpy.asarray(x.numpy())))
    assert np.array_equal(ours, expected) and not np.allclose(ours, x.numpy() @ weight.T + bias, rtol=1e-4)


def check_steps_of_training():
    (_, module, x), *_ = modules()
    loss, parameters = functional(module)
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    theirs = []
    for _ in range(20):
        optimizer.zero_grad()
        value = module(x).square().mean()
        value.backward()
        optimizer.step()
        theirs.append(value.item())

    @binade.jax.jit
    def step(parameters, x):
        value, gradients = jax.value_and_grad(loss)(parameters, x)
        return value, jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients)

    ours = []
    for _ in range(20):
        value, parameters = step(parameters, jax.numpy.asarray(x.numpy()))
        ours.append(float(value))
    assert theirs[-1] < 0.5 * theirs[0]
    np.testing.assert_allclose(ours, theirs, rtol=1e-4)


def main():
    print(f"torch {torch.__version__}, torchax {torchax.__version__}, jax {jax.__version__}, {jax.devices()[0].platform}")
    for name, check in list(globals().items()):
        if name.startswith("check_"):
            check()
            print(f"ok      {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
