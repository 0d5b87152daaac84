"""Recipes: quantised operands beside an emulation in NumPy, and the roles of a model's products in PyTorch."""

import binade
import numpy as np
import pytest
from binade._binade import Recipe, is_recipe, recipe_names

torch = pytest.importorskip("torch")

import binade.torch  # noqa: E402

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def nearest(x, numbers):
    """To the nearest of ascending numbers; ties go to the even index."""
    magnitude = np.abs(x)
    above = np.clip(np.searchsorted(numbers, magnitude), 1, len(numbers) - 1)
    low, high = numbers[above - 1], numbers[above]
    middle = (low + high) / 2
    up = (magnitude > middle) | ((magnitude == middle) & (above % 2 == 0))
    return np.copysign(np.where(up, high, low), x)


def e4m3():
    return np.array([m / 8 * 2.0**-6 for m in range(8)] + [(1 + m / 8) * 2.0**e for e in range(-6, 9) for m in range(8)][:-1])


def nvfp4(x, rows=1):
    """The values of a matrix in NVFP4, in blocks of `rows` × 16, with both scales in binary64."""
    x = np.asarray(x, np.float64)
    over = np.float64(np.float32(np.abs(x).max() / 2688))
    out = np.empty_like(x)
    for top in range(0, x.shape[0], rows):
        for left in range(0, x.shape[1], 16):
            block = x[top : top + rows, left : left + 16]
            scale = nearest(np.abs(block).max() / (6 * over), e4m3()) or e4m3()[1]
            if not block.any():
                scale = 1.0
            out[top : top + rows, left : left + 16] = nearest(np.minimum(np.maximum(block / (scale * over), -6), 6), E2M1) * scale * over
    return out


def model():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(32, 48), torch.nn.Tanh(), torch.nn.Linear(48, 16, bias=False))


def test_recipe_names_parse_and_show_their_pairs():
    assert {"tesla-cfloat8", "nvfp4-training", "fp8-deepseek"} <= set(recipe_names())
    recipe = Recipe("nvfp4-training@b200")
    assert recipe.name == "nvfp4-training@b200" and recipe.leave == ["last"]
    assert recipe.pairs["forward.weight"] == "nvfp4/scale=16x16" and recipe.pairs["forward.sums"] == "b200"
    assert is_recipe("nvfp4") and not is_recipe("mp") and not is_recipe("nvfp4:f32")
    with pytest.raises(ValueError, match="did you mean nvfp4-training"):
        Recipe("nvfp4-trainig")


@pytest.mark.parametrize(("recipe", "rows"), [("nvfp4", 1), ("nvfp4-training", 16)])
def test_layer_under_nvfp4_equals_an_emulation(recipe, rows):
    net = model()
    x = torch.randn(24, 32, requires_grad=True)
    with binade.torch.arith(recipe, model=net) as counted:
        y = net[0](x)
    assert dict(counted.reached) == {"addmm": 1}
    weight = net[0].weight.detach().numpy()
    want = nvfp4(x.detach().numpy()) @ nvfp4(weight, rows).T + net[0].bias.detach().numpy()
    np.testing.assert_allclose(y.detach().numpy(), want, rtol=2e-6, atol=2e-6)


def test_gradients_are_quantised_by_their_roles():
    net = torch.nn.Sequential(torch.nn.Linear(32, 48, bias=False))
    x = torch.randn(64, 32, requires_grad=True)
    g = torch.randn(64, 48)
    with binade.torch.arith("nvfp4", model=net) as counted:
        net(x).backward(g)
    assert dict(counted.reached) == {"mm": 3} and not counted.left
    weight, xs, gs = net[0].weight.detach().numpy(), x.detach().numpy(), g.numpy()
    # Each operand is in blocks along the dimension that is summed.
    np.testing.assert_allclose(x.grad.numpy(), nvfp4(gs) @ nvfp4(weight.T).T, rtol=2e-5, atol=2e-5)
    np.testing.assert_allclose(net[0].weight.grad.numpy(), nvfp4(gs.T) @ nvfp4(xs.T).T, rtol=2e-5, atol=2e-5)


def test_last_layer_and_attention_stay_as_they_are():
    net = model()
    x = torch.randn(8, 32)
    with binade.torch.arith("nvfp4-training", model=net) as counted:
        hidden = net[1](net[0](x))
        y = net[2](hidden)
        torch.randn(2, 4, 8) @ torch.randn(2, 8, 4)
    assert torch.equal(y, hidden @ net[2].weight.T)
    assert counted.reached.total() == 1 and dict(counted.left) == {"mm": 1, "bmm": 1}


def test_stochastic_gradients_repeat_with_their_seed_and_have_the_mean():
    net = torch.nn.Sequential(torch.nn.Linear(16, 16, bias=False), torch.nn.Linear(16, 16, bias=False))
    x, g = torch.randn(4, 16), torch.randn(4, 16)

    def gradient(seed, threads=1):
        net.zero_grad()
        with binade.torch.arith("nvfp4-training", model=net, seed=seed, threads=threads):
            net(x).backward(g)
        return net[0].weight.grad.numpy().copy()

    assert np.array_equal(gradient(1), gradient(1, threads=2))
    assert not np.array_equal(gradient(1), gradient(2))
    # The last layer is left as it is: the gradient of its input is g. Each column's largest gradient is an element of its block, and
    # none is beyond it. Four rows are no group of 16, so that nothing is rotated.
    net[1].weight.data = torch.eye(16)
    g[0], g[1:] = 3.0, g[1:].clamp(-2.9, 2.9)
    gradients = np.stack([gradient(seed) for seed in range(500)]).astype(np.float64)
    exact = g.numpy().astype(np.float64).T @ nvfp4(x.numpy().T).T
    error = gradients.std(0) / 500**0.5
    assert (error > 0).all() and (np.abs(gradients.mean(0) - exact) <= 5 * error + 1e-5).all()


def test_recipe_without_a_model_is_an_error():
    with pytest.raises(TypeError, match="give it as model="):
        binade.torch.arith("nvfp4")
    with pytest.raises(ValueError, match="no other order"):
        binade.torch.arith("nvfp4", "pairwise", model=model())
    with pytest.raises(ValueError, match="h100 has no instruction for float4_e2m1fn"):
        binade.torch.arith("nvfp4@h100", model=model())


def test_layers_have_recipes_of_their_own():
    net = model()
    x = torch.randn(8, 32)
    with binade.torch.arith("bf16:f32", model=net, layers={"2": "fp8-tensorwise@h100"}) as counted:
        y = net(x)
    assert counted.reached.total() == 2
    hidden = net[1](torch.from_numpy(binade.matmul(x, net[0].weight.detach().T, "bf16:f32").numpy()) + net[0].bias)
    assert y.shape == (8, 16) and not torch.equal(y, hidden @ net[2].weight.T)
