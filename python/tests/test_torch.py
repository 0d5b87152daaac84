"""PyTorch's products under an operator: bit for bit the operator's chains, forwards and backwards."""

import binade
import numpy as np
import pytest

torch = pytest.importorskip("torch")

import binade.torch  # noqa: E402

ARITH = "bf16:bf16"


def tensor(*shape, seed=0, grad=True):
    values = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    return torch.from_numpy(values).requires_grad_(grad)


def equal(a, b):
    return np.array_equal(a.detach().numpy(), np.asarray(b))


@pytest.mark.parametrize("arith", ["bf16:bf16", "bf16x2:bf16x2/3"])
def test_gradients_of_a_linear_layer_are_the_operators(arith):
    x, w, bias = tensor(4, 6), tensor(5, 6, seed=1), tensor(5, seed=2)
    with binade.torch.arith(arith) as counted:
        y = torch.nn.functional.linear(x, w, bias)
        weights = torch.arange(20.0).reshape(4, 5)
        (y * weights).sum().backward()
    assert counted.reached["addmm"] == 1 and counted.reached["mm"] == 2
    xs, ws = x.detach().numpy(), w.detach().numpy()
    assert equal(y, binade.matmul(xs, ws.T, arith, add=bias.detach().numpy()))
    assert equal(x.grad, binade.matmul(weights, ws, arith))
    # As xᵀ · g or (gᵀ · x), which have the same sums.
    assert equal(w.grad, binade.matmul(weights.T, xs, arith))
    assert equal(bias.grad, weights.sum(0))


@pytest.mark.parametrize(("stride", "padding", "groups"), [(1, 0, 1), (2, 1, 2)])
def test_gradients_of_a_convolution_are_the_operators(stride, padding, groups):
    x, w = tensor(2, 4, 6, 5), tensor(6, 4 // groups, 3, 3, seed=1)
    with binade.torch.arith(ARITH) as counted:
        y = torch.nn.functional.conv2d(x, w, stride=stride, padding=padding, groups=groups)
        y.square().sum().backward()
    assert counted.reached["convolution"] == 1 and counted.reached["convolution_backward"] == 1
    expected = binade.convolution(x.detach(), w.detach(), ARITH, stride=stride, padding=padding, groups=groups)
    assert equal(y, expected)
    assert x.grad.shape == x.shape and w.grad.shape == w.shape
    # The gradients add up to those of PyTorch but for the arithmetic.
    plain = [t.detach().clone().requires_grad_() for t in (x, w)]
    torch.nn.functional.conv2d(*plain, stride=stride, padding=padding, groups=groups).square().sum().backward()
    for ours, theirs in zip((x, w), plain):
        scale = theirs.grad.abs().max().item()
        assert (ours.grad - theirs.grad).abs().max().item() < 0.05 * scale
        assert not torch.equal(ours.grad, theirs.grad)


def test_identity_changes_a_network_by_rounding_alone():
    torch.manual_seed(0)
    network = torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.ConvTranspose2d(4, 2, 2, stride=2),
        torch.nn.Flatten(2),
        torch.nn.Conv1d(2, 2, 3, padding=1),
        torch.nn.Flatten(),
        torch.nn.Linear(2 * 16 * 16, 10),
    )
    x = tensor(3, 1, 8, 8, grad=False)
    losses = []
    for context in (None, binade.torch.arith("f32:f32")):
        network.zero_grad()
        if context is None:
            loss = network(x).logsumexp(1).sum()
            loss.backward()
        else:
            with context:
                loss = network(x).logsumexp(1).sum()
                loss.backward()
        losses.append((loss.item(), [p.grad.clone() for p in network.parameters()]))
    assert losses[0][0] == pytest.approx(losses[1][0], rel=1e-5)
    for a, b in zip(losses[0][1], losses[1][1]):
        assert torch.allclose(a, b, rtol=1e-4, atol=1e-5)


def test_attention_recurrence_and_batches_are_reached():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 8)
    attention = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval()
    lstm = torch.nn.LSTM(8, 6, batch_first=True)
    for layer, call in ((attention, lambda: attention(x, x, x)[0]), (lstm, lambda: lstm(x)[0])):
        plain = call()
        with binade.torch.arith(ARITH) as counted:
            narrow = call()
        assert sum(counted.reached.values()) >= 2, type(layer)
        assert not torch.equal(plain, narrow)
        assert torch.allclose(plain, narrow, atol=0.1)
    with binade.torch.arith(ARITH) as counted:
        torch.einsum("bij,bjk->bik", x, x.transpose(1, 2))
        torch.baddbmm(torch.zeros(2, 5, 5), x, x.transpose(1, 2), alpha=0.5)
        torch.mv(torch.ones(3, 4), torch.ones(4))
    assert counted.reached == {"bmm": 1, "baddbmm": 1, "mv": 1}


def test_types_beyond_the_operators_are_left_and_counted():
    with binade.torch.arith(ARITH) as counted:
        a = torch.ones(1, 300, dtype=torch.float64)
        assert (a @ a.T).item() == 300.0
        b = torch.ones(1, 300, dtype=torch.bfloat16)
        assert (b @ b.T).item() == 256.0 and (b @ b.T).dtype == torch.bfloat16
    assert counted.left == {"mm": 1} and counted.reached == {"mm": 2}
    assert (torch.ones(1, 300) @ torch.ones(300, 1)).item() == 300.0


def test_errors_come_back_as_exceptions():
    with pytest.raises(ValueError, match="bf17"):
        binade.torch.arith("bf17:bf16")
    with pytest.raises(ValueError, match="any"):
        binade.torch.arith("bf16:bf16", order="any")
    with pytest.raises(RuntimeError), binade.torch.arith(ARITH):
        torch.ones(2, 3) @ torch.ones(2, 3)


def test_formats_take_tensors():
    x = torch.linspace(-4, 4, 33)
    e4m3 = binade.Format("float8_e4m3fn")
    codes = e4m3.encode(x)
    assert codes.dtype == torch.uint8 and torch.equal(e4m3.decode(codes), e4m3.round(x))
    half = x.to(torch.bfloat16)
    assert e4m3.round(half).dtype == torch.bfloat16
    assert torch.equal(e4m3.round(half).float(), e4m3.round(half.float()))
    bf16 = binade.Format("bf16")
    assert torch.equal(bf16.decode(bf16.encode(x), dtype=torch.bfloat16), x.to(torch.bfloat16))
    assert torch.equal(bf16.round(x), x.to(torch.bfloat16).float())


def test_a_quantizer_passes_gradients_straight_through():
    layer = binade.torch.Quantizer("float8_e4m3fn", gradient="float8_e5m2")
    x = torch.tensor([0.3, -2.7], requires_grad=True)
    y = layer(x)
    (y * torch.tensor([1.1, 3.3])).sum().backward()
    assert y.tolist() == binade.Format("float8_e4m3fn").round([0.3, -2.7]).tolist()
    assert x.grad.tolist() == [binade.Format("float8_e5m2").round(np.float32(v)) for v in (1.1, 3.3)]
    noisy = binade.torch.Quantizer("float8_e4m3fn", seed=1, rounding="stochastic")
    assert not torch.equal(noisy(torch.full((64,), 0.3)), noisy(torch.full((64,), 0.3)))


def test_training_goes_on_under_an_operator():
    torch.manual_seed(1)
    x, target = torch.randn(64, 8), torch.randn(64, 1)
    network = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05)
    losses = []
    with binade.torch.arith("bf16x2:bf16x2/3"):
        for _ in range(30):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(network(x), target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert losses[-1] < 0.8 * losses[0]
