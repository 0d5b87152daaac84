"""PyTorch's products under an operator: bit for bit the operator's chains, forwards and backwards."""

import subprocess
import sys
from pathlib import Path

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


BY_LAYER = pytest.mark.skipif(
    not hasattr(torch.autograd, "_get_sequence_nr"), reason="operators by layer need PyTorch 2.1"
)


def network():
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Linear(64, 32), torch.nn.Sequential(torch.nn.Tanh(), torch.nn.Linear(32, 16)), torch.nn.Linear(16, 4)
    )


@BY_LAYER
def test_layers_are_computed_by_their_own_operators_forwards_and_backwards():
    model, x = network(), tensor(8, 64)
    layers = {"1": "bf16x2:bf16x2/3", "2": "f32"}
    with binade.torch.arith("bf16:bf16", model=model, layers=layers) as counted:
        result = model(x)
        weights = torch.arange(32.0).reshape(8, 4)
        (result * weights).sum().backward()
    assert counted.by_layer == {
        "0": {"addmm": 1, "mm": 2},
        "1.1": {"addmm": 1, "mm": 2},
        "2": {"addmm": 1, "mm": 2},
    }
    assert counted.left == {"addmm": 1, "mm": 2} and counted.reached == {"addmm": 2, "mm": 4}
    # The chain rule by hand, each product by its layer's operator.
    (w0, b0), (w1, b1), (w2, b2) = (
        (layer.weight.detach(), layer.bias.detach()) for layer in (model[0], model[1][1], model[2])
    )
    h0 = binade.matmul(x.detach(), w0.T, "bf16:bf16", add=b0)
    t = torch.tanh(h0)
    h1 = binade.matmul(t, w1.T, "bf16x2:bf16x2/3", add=b1)
    assert torch.equal(result, torch.addmm(b2, h1, w2.T))
    g1 = weights @ w2
    assert torch.equal(model[2].weight.grad, weights.T @ h1)
    assert torch.equal(model[1][1].weight.grad, binade.matmul(g1.T, t, "bf16x2:bf16x2/3"))
    g0 = torch.ops.aten.tanh_backward(binade.matmul(g1, w1, "bf16x2:bf16x2/3"), t)
    assert torch.equal(model[0].weight.grad, binade.matmul(g0.T, x.detach(), "bf16:bf16"))
    assert torch.equal(x.grad, binade.matmul(g0, w0, "bf16:bf16"))


@BY_LAYER
def test_the_first_name_that_fits_counts_and_everything_else_is_the_operators():
    model, x = network(), torch.ones(2, 64)
    with binade.torch.arith("bf16:bf16", model=model, layers={"1.?": "f32", "*": "bf16x2:bf16x2/3"}) as counted:
        model(x)
        x @ torch.ones(64, 1)
    assert counted.left == {"addmm": 1} and counted.reached == {"addmm": 2, "mm": 1}
    assert counted.by_layer[""] == {"mm": 1}
    assert (torch.ones(1, 300) @ torch.ones(300, 1)).item() == 300.0
    assert not any(layer._forward_hooks or layer._forward_pre_hooks for layer in model.modules())


@BY_LAYER
def test_layers_are_told_apart_in_checkpoints_loops_and_after_errors():
    from torch.utils.checkpoint import checkpoint

    class Checkpointed(torch.nn.Module):
        def __init__(self, reentrant):
            super().__init__()
            self.inner, self.outer, self.reentrant = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4), reentrant

        def forward(self, x):
            return self.outer(checkpoint(self.inner, x, use_reentrant=self.reentrant))

    for reentrant in (False, True):
        model = Checkpointed(reentrant)
        with binade.torch.arith(ARITH, model=model, layers={"outer": "f32"}) as counted:
            model(tensor(3, 4)).sum().backward()
        # What the inner layer's gradient needs is computed again on the way back: its product, too, if all is.
        assert counted.by_layer == {"inner": {"addmm": 1 + reentrant, "mm": 2}, "outer": {"addmm": 1, "mm": 2}}
        assert counted.left == {"addmm": 1, "mm": 2}
    # One layer several times, its gradients together; and a layer that raises is left all the same.
    loop = torch.nn.Linear(4, 4)
    with binade.torch.arith(ARITH, model=torch.nn.ModuleList([loop])) as counted:
        y = loop(loop(tensor(3, 4)))
        with pytest.raises(RuntimeError):
            loop(torch.ones(3, 5))
        (y @ torch.ones(4, 1)).sum().backward()
    assert counted.by_layer["0"] == {"addmm": 3, "mm": 4} and counted.by_layer[""] == {"mm": 2}


@BY_LAYER
def test_layers_of_long_ago_are_not_guessed(monkeypatch):
    monkeypatch.setattr(binade.torch._Places, "KEPT", 8)
    model, x = network(), tensor(2, 64)
    with binade.torch.arith(ARITH, model=model) as counted:
        early = model(x)
        for _ in range(4):
            late = model(x)
        late.sum().backward()
        assert counted.by_layer["0"] == {"addmm": 5, "mm": 2}
        with pytest.raises(RuntimeError, match="last 4 layers"):
            early.sum().backward()


def test_layers_that_are_not_there_are_refused():
    with pytest.raises(TypeError, match="model="):
        binade.torch.arith(ARITH, layers={"0": "f32"})
    if not hasattr(torch.autograd, "_get_sequence_nr"):
        with pytest.raises(RuntimeError, match="PyTorch 2.1"):
            binade.torch.arith(ARITH, model=network())
        return
    with pytest.raises(ValueError, match="no layer is called head: the model has 0, 1, 1.0, 1.1, 2"):
        binade.torch.arith(ARITH, model=network(), layers={"head": "f32"})
    with pytest.raises(ValueError, match="bf17"):
        binade.torch.arith(ARITH, model=network(), layers={"0": "bf17:bf16"})


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


def test_the_example_trains():
    example = Path(__file__).resolve().parents[2] / "examples/torch/train.py"
    command = [sys.executable, example, "gpt", "--steps", "3", "--arith", "f32", "bf16:bf16"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    header, *steps, seconds = [line.split() for line in lines]
    assert header == ["step", "f32", "bf16:bf16"] and [step[0] for step in steps] == ["1", "2", "3"]
    assert all(float(step[1]) < 6 and abs(float(step[2]) - float(step[1])) < 0.1 for step in steps)
    assert float(steps[2][1]) < float(steps[0][1]) and seconds[0] == "secs"


def test_block_formats_multiply_in_blocks_both_ways():
    torch.manual_seed(3)
    x = torch.randn(5, 70, requires_grad=True)
    layer = torch.nn.Linear(70, 6)
    with binade.torch.arith("mxfp4:f32") as counted:
        y = layer(x)
        y.sum().backward()
    weights, ones = layer.weight.detach(), torch.ones(5, 6)
    forward = binade.matmul(x.detach(), weights.T, blocks="mxfp4") + layer.bias.detach()
    assert torch.equal(y.detach(), forward)
    # Encoded along the dimension that is summed: another one on the way back.
    assert torch.equal(x.grad, binade.matmul(ones, weights, blocks="mxfp4"))
    assert sum(counted.reached.values()) == 3
    with binade.torch.arith("mxfp4:f32"), pytest.raises(RuntimeError, match="float4_e2m1fn"):
        torch.nn.functional.conv2d(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 3, 3))
