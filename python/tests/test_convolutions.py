"""Convolutions under recipes in PyTorch: products of patches that are written out here, with operands quantised by the layer of a linear model."""

import binade
import numpy as np
import pytest

torch = pytest.importorskip("torch")

import binade.torch  # noqa: E402

from test_recipes import nvfp4  # noqa: E402


def patches(x, kernel, stride, padding):
    """(image, channel, row, column) to rows of places and images, with kernel row, kernel column and channel, outermost first."""
    columns = torch.nn.functional.unfold(x, kernel, stride=stride, padding=padding)
    images, _, places = columns.shape
    columns = columns.reshape(images, x.shape[1], *kernel, places)
    return columns.permute(4, 0, 2, 3, 1).reshape(places * images, -1).contiguous()


def gradient_patches(gradient, shape, kernel, stride, padding):
    """The elements of an output's gradient that each element of the input meets, by loops; zero where there is none."""
    images, channels, height, width = gradient.shape
    rows = np.zeros((images, *shape, *kernel, channels), np.float32)
    for row, column, down, across in np.ndindex(*shape, *kernel):
        y, x = row + padding - down, column + padding - across
        if y % stride == 0 and x % stride == 0 and 0 <= y // stride < height and 0 <= x // stride < width:
            rows[:, row, column, down, across] = gradient[:, :, y // stride, x // stride]
    return rows.reshape(images * shape[0] * shape[1], -1)


def run(recipe, net, x, gradient, **options):
    x = x.clone().requires_grad_()
    net.zero_grad()
    with binade.torch.arith(recipe, model=net, **options) as counted:
        y = net(x)
        y.backward(gradient)
    return counted, y.detach(), x.grad, net[0].weight.grad


@pytest.mark.parametrize("recipe", ["nvfp4", "mxfp8", "fp8-deepseek", "fp8-rowwise", "tesla-cfloat8", "nvfp4-training"])
def test_convolution_has_the_bits_of_a_linear_layer_over_its_patches(recipe):
    torch.manual_seed(0)
    # The last layer, which nvfp4-training leaves, is not computed.
    convolution = torch.nn.Sequential(torch.nn.Conv2d(24, 20, (3, 2), stride=2, padding=1, bias=False), torch.nn.Linear(1, 1))
    x = torch.randn(2, 24, 9, 7)
    linear = torch.nn.Sequential(torch.nn.Linear(144, 20, bias=False), torch.nn.Linear(1, 1))
    linear[0].weight.data = convolution[0].weight.detach().permute(0, 2, 3, 1).reshape(20, 144).clone()
    rows = patches(x, (3, 2), 2, 1)
    gradient = torch.randn(2, 20, 5, 4)
    by_rows = gradient.permute(2, 3, 0, 1).reshape(-1, 20)

    def first(net, value, back):
        value = value.clone().requires_grad_()
        with binade.torch.arith(recipe, model=net, seed=4) as counted:
            y = net[0](value)
            gradients = torch.autograd.grad(y, net[0].weight, back)[0]
        assert not counted.left and not counted.not_finite
        return y.detach(), gradients

    y, of_weight = first(convolution, x, gradient)
    y_rows, of_rows = first(linear, rows, by_rows)
    assert torch.equal(y.permute(2, 3, 0, 1).reshape(-1, 20), y_rows)
    of_rows = of_rows.reshape(20, 3, 2, 24).permute(0, 3, 1, 2)
    if recipe in ("tesla-cfloat8", "nvfp4-training"):
        # PyTorch computes the transposed gradient of a linear layer, whose elements have other random bits.
        size = of_rows.abs().max()
        assert (of_weight - of_rows).abs().max() < 0.4 * size and (of_weight - of_rows).abs().mean() < 0.05 * size
    else:
        assert torch.equal(of_weight, of_rows)


def test_input_gradient_of_a_convolution_equals_an_emulation():
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Conv2d(8, 32, (3, 2), stride=2, padding=1, bias=False))
    x, gradient = torch.randn(2, 8, 9, 7), torch.randn(2, 32, 5, 4)
    _, y, of_x, _ = run("nvfp4", net, x, gradient)
    weight = net[0].weight.detach().numpy()
    rows = gradient_patches(gradient.numpy(), (9, 7), (3, 2), 2, 1)
    # Output channels are summed innermost, and blocks are of 16 of them.
    columns = weight.transpose(1, 2, 3, 0).reshape(8, -1)
    want = (nvfp4(rows) @ nvfp4(columns).T).reshape(2, 9, 7, 8).transpose(0, 3, 1, 2)
    np.testing.assert_allclose(of_x.numpy(), want, rtol=2e-5, atol=2e-5)
    # And the output: input channels innermost.
    want = (nvfp4(patches(x, (3, 2), 2, 1).numpy()) @ nvfp4(weight.transpose(0, 2, 3, 1).reshape(32, -1)).T).reshape(5, 4, 2, 32)
    np.testing.assert_allclose(y.numpy(), want.transpose(2, 3, 0, 1), rtol=2e-5, atol=2e-5)


def test_groups_are_products_of_their_own():
    torch.manual_seed(2)
    net = torch.nn.Sequential(torch.nn.Conv2d(32, 48, 3, groups=2, bias=False))
    x, gradient = torch.randn(1, 32, 6, 6), torch.randn(1, 48, 4, 4)
    counted, y, of_x, of_weight = run("nvfp4", net, x, gradient)
    assert dict(counted.reached) == {"convolution": 1, "convolution_backward": 1} and not counted.left
    for group in range(2):
        half = torch.nn.Sequential(torch.nn.Conv2d(16, 24, 3, bias=False))
        half[0].weight.data = net[0].weight.detach()[24 * group : 24 * group + 24].clone()
        _, part, part_x, part_weight = run(
            "nvfp4", half, x[:, 16 * group : 16 * group + 16], gradient[:, 24 * group : 24 * group + 24]
        )
        assert torch.equal(y[:, 24 * group : 24 * group + 24], part)
        assert torch.equal(of_x[:, 16 * group : 16 * group + 16], part_x)
        assert torch.equal(of_weight[24 * group : 24 * group + 24], part_weight)


def test_transposed_convolution_has_the_passes_of_its_layer():
    torch.manual_seed(3)
    net = torch.nn.Sequential(torch.nn.ConvTranspose2d(32, 16, 3, stride=2, bias=False))
    x, gradient = torch.randn(1, 32, 4, 4), torch.randn(1, 16, 9, 9)
    # Only forward products are quantised, so that gradients are PyTorch's.
    counted, y, of_x, of_weight = run("w8a8", net, x, gradient)
    assert dict(counted.reached) == {"convolution": 1} and dict(counted.left) == {"convolution_backward": 1}
    plain = torch.nn.functional.conv_transpose2d(x, net[0].weight, stride=2)
    error = (y - plain).abs().max() / plain.abs().max()
    assert 1e-4 < error < 0.1
    # E5M2 gradients have two bits less than E4M3 weights and activations: the gradient that is swapped is told from the activation.
    counted, *_ = run("fp8-tensorwise", net, x, torch.full_like(gradient, float("nan")))
    assert dict(counted.not_finite) == {"0": {"gradient": 2 * gradient.numel()}}


@pytest.mark.parametrize("layer", [torch.nn.Conv1d(16, 8, 3, padding=1), torch.nn.Conv3d(16, 8, 2)])
def test_other_dimensions_are_close_to_plain_convolutions(layer):
    torch.manual_seed(4)
    net = torch.nn.Sequential(layer)
    x = torch.randn(2, 16, *[5] * (layer.weight.dim() - 2))
    plain = net(x).detach()
    _, y, of_x, of_weight = run("bf16-stochastic", net, x, torch.ones_like(plain))
    np.testing.assert_allclose(y, plain, atol=0.03)
    x = x.clone().requires_grad_()
    net.zero_grad()
    net(x).backward(torch.ones_like(plain))
    np.testing.assert_allclose(of_x, x.grad, atol=0.03)
    np.testing.assert_allclose(of_weight, layer.weight.grad, rtol=0.02, atol=0.1)


def test_blocks_that_do_not_divide_pad_or_leave_the_product():
    net = torch.nn.Sequential(torch.nn.Linear(24, 16), torch.nn.Linear(16, 16))
    x = torch.randn(4, 24)
    for uneven, left in (("pad", {}), ("leave", {"addmm": 1})):
        with binade.torch.arith("nvfp4", model=net, uneven=uneven) as counted:
            net(x)
        assert dict(counted.left) == left and counted.reached.total() == 2 - len(left)
    # Blocks of 16 x 16 weights also need whole groups of rows.
    tall = torch.nn.Sequential(torch.nn.Linear(16, 24), torch.nn.Linear(24, 16), torch.nn.Linear(16, 1))
    with binade.torch.arith("nvfp4-training", model=tall, uneven="leave") as counted:
        tall[0](x[:, :16])
    assert dict(counted.left) == {"addmm": 1}
    with pytest.raises(ValueError, match="uneven must be 'pad' or 'leave': got 'cut'"):
        binade.torch.arith("nvfp4", model=net, uneven="cut")


@pytest.mark.parametrize("recipe", [name for name in binade._binade.recipe_names() if name != "mp"])
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_not_finite_operands_are_counted_by_layer_and_reach_results(recipe, bad):
    torch.manual_seed(5)
    net = torch.nn.Sequential(torch.nn.Linear(32, 16), torch.nn.Linear(16, 16), torch.nn.Linear(16, 16))
    x = torch.randn(4, 32)
    x[1, 3] = bad
    with binade.torch.arith(recipe, model=net) as counted:
        y = net[0](x)
    assert {layer: dict(each) for layer, each in counted.not_finite.items()} == {"0": {"activation": 1}}
    finite = torch.isfinite(y)
    assert not finite[1].any() and finite[[0, 2, 3]].all()
    with torch.no_grad():
        net[1].weight[2, 5] = bad
    with binade.torch.arith(recipe, model=net) as counted:
        y = net[1](torch.randn(4, 16))
    assert {layer: dict(each) for layer, each in counted.not_finite.items()} == {"1": {"weight": 1}}
    assert not torch.isfinite(y[:, 2]).any()


def test_layers_of_a_checkpoint_have_forward_products():
    torch.manual_seed(6)
    from torch.utils.checkpoint import checkpoint

    net = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.Tanh(), torch.nn.Linear(32, 32))
    x, gradient = torch.randn(8, 32), torch.randn(8, 32)
    results = []
    for through in (lambda value: net(value), lambda value: checkpoint(net, value, use_reentrant=False)):
        net.zero_grad()
        # Weights in E4M3 and gradients in E5M2.
        with binade.torch.arith("fp8-tensorwise", model=net):
            through(x).backward(gradient)
        results.append([parameter.grad.clone() for parameter in net.parameters()])
    assert all(torch.equal(a, b) for a, b in zip(*results))
