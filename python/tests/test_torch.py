"""PyTorch's products under an operator: bit for bit the operator's chains, forwards and backwards."""

import copy
import itertools
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
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


@pytest.mark.parametrize("arith", ["bf16:bf16", "bf16x2:bf16x2/3", "h100:e4m3/promote=128/saturate"])
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
    with binade.torch.arith("mxfp4:f32"), pytest.raises(RuntimeError, match="float4_e2m1fn"):
        torch.nn.functional.conv3d(torch.ones(1, 1, 4, 4, 4), torch.ones(1, 1, 3, 3, 3))


ONES = torch.ones(1, 512)


def in_thread(work):
    """What work gives in a thread of its own."""
    results = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    thread.join()
    return results[0]


def test_inference_mode_is_reached():
    attention = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval()
    lstm, encoder = torch.nn.LSTM(8, 6), torch.nn.TransformerEncoderLayer(8, 2, batch_first=True).eval()
    convolution = torch.nn.Conv2d(3, 4, 3)
    x, image = torch.randn(2, 5, 8), torch.randn(2, 3, 6, 6)
    calls = {
        "matmul": lambda: x @ x.transpose(1, 2),
        "linear": lambda: torch.nn.functional.linear(x, x[0], torch.ones(5)),
        "einsum": lambda: torch.einsum("bij,bkj->bik", x, x),
        "attention": lambda: attention(x, x, x)[0],
        "lstm": lambda: lstm(x)[0],
        "encoder": lambda: encoder(x),
        "convolution": lambda: convolution(image),
        "cdist": lambda: torch.cdist(torch.randn(30, 4), torch.randn(30, 4)),
    }
    if not hasattr(torch.backends, "mha"):
        # This PyTorch has no switch for what it computes as a whole: that is left, and counted.
        del calls["attention"], calls["encoder"]
    if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        calls["sdpa"] = lambda: torch.nn.functional.scaled_dot_product_attention(x, x, x)
    for name, call in calls.items():
        with torch.no_grad(), binade.torch.arith(ARITH) as usual:
            torch.manual_seed(0)
            expected = call()
        with binade.torch.arith(ARITH, strict=True) as counted, torch.inference_mode():
            torch.manual_seed(0)
            found = call()
        assert counted.reached.total() >= 1 and not counted.left, name
        assert torch.equal(found, expected), name
        assert counted.reached.total() == usual.reached.total() or name in ("lstm", "encoder"), name
    with binade.torch.arith(ARITH), torch.inference_mode():
        assert (ONES @ ONES.T).item() == 256.0


def forms():
    """Products in the forms that PyTorch has of each, and what each is in plain terms: shapes of operands and a function of them."""
    mm, bmm, mv = ((3, 300), (300, 4)), ((2, 3, 300), (2, 300, 4)), ((3, 300), (300,))
    yield "mm.out", mm, lambda a, b: torch.mm(a, b, out=torch.empty(3, 4)), lambda a, b: binade.matmul(a, b, ARITH)
    yield "mm.out resized", mm, lambda a, b: torch.mm(a, b, out=torch.empty(0)), lambda a, b: binade.matmul(a, b, ARITH)
    yield "bmm.out", bmm, lambda a, b: torch.bmm(a, b, out=torch.empty(2, 3, 4)), lambda a, b: binade.matmul(a, b, ARITH)
    yield "mv.out", mv, lambda a, b: torch.mv(a, b, out=torch.empty(3)), lambda a, b: binade.matmul(a, b, ARITH)
    yield "dot", ((300,), (300,)), torch.dot, lambda a, b: binade.matmul(a[None], b, ARITH)[0]
    start = lambda a, b, c: binade.matmul(a, b, ARITH, add=c)  # noqa: E731
    for name, shapes in ("addmm", (*mm, (3, 4))), ("baddbmm", (*bmm, (2, 3, 4))), ("addmv", (*mv, (3,))):
        call = getattr(torch, name)
        yield name, shapes, lambda a, b, c, call=call: call(c, a, b), start
        yield name + ".out", shapes, lambda a, b, c, call=call: call(c, a, b, out=torch.empty(c.shape)), start
        yield name + "_", shapes, lambda a, b, c, name=name: getattr(c.clone(), name + "_")(a, b), start
    outer = lambda a, b, c: binade.matmul(a[:, None], b[None], ARITH, add=c)  # noqa: E731
    yield "addr", ((3,), (4,), (3, 4)), lambda a, b, c: torch.addr(c, a, b), outer
    yield "addr_", ((3,), (4,), (3, 4)), lambda a, b, c: c.clone().addr_(a, b), outer
    batches = lambda a, b, c: binade.matmul(a[1], b[1], ARITH, add=binade.matmul(a[0], b[0], ARITH, add=c))  # noqa: E731
    yield "addbmm", (*bmm, (3, 4)), lambda a, b, c: torch.addbmm(c, a, b), batches
    yield "addbmm_", (*bmm, (3, 4)), lambda a, b, c: c.clone().addbmm_(a, b), batches


@pytest.mark.parametrize(("name", "shapes", "call", "plain"), list(forms()), ids=lambda x: x if isinstance(x, str) else "")
def test_every_form_of_a_product_is_the_operators(name, shapes, call, plain):
    operands = [tensor(*shape, seed=seed, grad=False) for seed, shape in enumerate(shapes)]
    with binade.torch.arith(ARITH, strict=True) as counted:
        found = call(*operands)
    assert counted.reached.total() >= 1, name
    assert torch.equal(found, plain(*operands)), name
    assert not torch.equal(found, call(*operands)) or "addr" in name


def test_grouped_products_are_the_operators():
    if not hasattr(torch, "_grouped_mm"):
        pytest.skip("no grouped products in this PyTorch")
    a, b, ends = tensor(8, 300, grad=False), tensor(2, 300, 16, seed=1, grad=False), torch.tensor([3, 8], dtype=torch.int32)
    with binade.torch.arith(ARITH, strict=True) as counted:
        found = torch._grouped_mm(a, b, ends)
    assert counted.reached.total() == 2
    expected = torch.cat([binade.matmul(a[:3], b[0], ARITH), binade.matmul(a[3:], b[1], ARITH)])
    assert torch.equal(found, expected)


@pytest.mark.parametrize("name", ["addmm", "addmv", "baddbmm", "addr", "addbmm"])
@pytest.mark.parametrize(("beta", "alpha"), [(0, 1), (1, 0), (0, 0), (0, 0.5), (2, 0), (0.5, 2)])
def test_factors_of_zero_hide_nan_as_in_pytorch(name, beta, alpha):
    shapes = {
        "addmm": ((2, 3), (2, 4), (4, 3)),
        "addmv": ((2,), (2, 4), (4,)),
        # Smaller ones PyTorch computes by another kernel, which has NaN of A and B even where they count 0 times.
        "baddbmm": ((5, 8, 8), (5, 8, 8), (5, 8, 8)),
        "addr": ((2, 3), (2,), (3,)),
        "addbmm": ((2, 3), (5, 2, 4), (5, 4, 3)),
    }[name]
    for poisoned in range(3):
        operands = [torch.ones(shape) for shape in shapes]
        operands[poisoned].view(-1)[0] = float("nan")
        plain = getattr(torch, name)(*operands, beta=beta, alpha=alpha)
        with binade.torch.arith("f32:f32", strict=True) as counted:
            found = getattr(torch, name)(*operands, beta=beta, alpha=alpha)
        assert counted.reached.total() >= 1
        # Ones and small factors: no rounding.
        assert torch.equal(found.isnan(), plain.isnan()), poisoned
        assert torch.equal(found.nan_to_num(7.0), plain.nan_to_num(7.0)), poisoned


def leaving():
    """Products that PyTorch computes as a whole."""
    x, square = torch.randn(4, 8), torch.randn(4, 4)
    f, linalg, fft = torch.nn.functional, torch.linalg, torch.fft
    yield "binary64", lambda: x.double() @ x.double().T
    yield "complex", lambda: torch.mm(x.cfloat(), x.cfloat().T)
    yield "integers", lambda: torch.ones(2, 2, dtype=torch.int64) @ torch.ones(2, 2, dtype=torch.int64)
    if hasattr(torch, "_int_mm"):
        yield "int8", lambda: torch._int_mm(torch.ones(32, 32, dtype=torch.int8), torch.ones(32, 32, dtype=torch.int8))
    yield "sparse", lambda: torch.sparse.mm(x.to_sparse(), x.T)
    yield "csr", lambda: x.to_sparse_csr() @ x.T
    yield "nested", lambda: f.linear(torch.nested.nested_tensor([x, x[:2]]), torch.randn(3, 8))
    yield "bilinear", lambda: f.bilinear(x, x, torch.randn(3, 8, 8))
    yield "weighted bags", lambda: f.embedding_bag(
        torch.tensor([[0, 1]]), x, per_sample_weights=torch.ones(1, 2), mode="sum"
    )
    yield "quantised", lambda: torch.ops.quantized.matmul(*2 * [torch.quantize_per_tensor(square, 0.1, 0, torch.qint8)], 0.1, 0)
    for call in (linalg.svd, linalg.qr, linalg.eigh, linalg.inv, linalg.det, linalg.cholesky_ex, linalg.pinv):
        yield call.__name__, lambda call=call: call(square)
    yield "solve", lambda: linalg.solve(square, square)
    yield "lstsq", lambda: linalg.lstsq(square, square)
    yield "fft", lambda: fft.fft(x)
    yield "irfft", lambda: fft.irfft(x)
    if hasattr(torch, "float8_e4m3fn"):
        a = torch.randn(16, 16).to(torch.float8_e4m3fn)
        one = torch.tensor(1.0)
        yield "scaled", lambda: torch._scaled_mm(a, a.t(), one, one, out_dtype=torch.bfloat16)


@pytest.mark.parametrize(("name", "call"), list(leaving()), ids=lambda x: x if isinstance(x, str) else "")
def test_what_pytorch_computes_is_left_and_strict_refuses_it(name, call):
    with binade.torch.arith(ARITH) as counted:
        try:
            call()
        except (RuntimeError, NotImplementedError) as error:
            pytest.skip(f"PyTorch: {error}")
    assert counted.left.total() >= 1, (counted.left, counted.reached)
    with binade.torch.arith(ARITH, strict=True) as counted, pytest.raises(RuntimeError, match="left to PyTorch"):
        call()
    assert not counted.left


def test_a_chosen_attention_kernel_is_left_forwards_and_backwards():
    attention = pytest.importorskip("torch.nn.attention")
    sdpa = torch.nn.functional.scaled_dot_product_attention
    q = torch.randn(1, 2, 16, 16, requires_grad=True)
    with binade.torch.arith(ARITH) as counted:
        with attention.sdpa_kernel(attention.SDPBackend.FLASH_ATTENTION):
            sdpa(q, q, q).sum().backward()
        assert set(counted.left) == {
            "_scaled_dot_product_flash_attention_for_cpu",
            "_scaled_dot_product_flash_attention_for_cpu_backward",
        }
        sdpa(q, q, q)
    assert counted.reached == {"bmm": 2}
    # Computed outside, its gradient inside.
    outside = sdpa(q, q, q)
    with binade.torch.arith(ARITH) as counted:
        outside.sum().backward()
    assert counted.left == {"_scaled_dot_product_flash_attention_for_cpu_backward": 1}
    recurrent = torch.nn.LSTM(8, 6)(torch.randn(2, 5, 8))[0]
    with binade.torch.arith(ARITH) as counted:
        recurrent.sum().backward()
    assert counted.left.total() + counted.reached.total() >= 1
    product = torch.mm(q[0, 0], q[0, 1])
    with binade.torch.arith(ARITH) as counted:
        product.sum().backward()
    assert counted.reached == {"mm": 2}


def test_operators_of_other_libraries_are_opened_or_left():
    library = pytest.importorskip("torch.library")
    if not hasattr(library, "custom_op"):
        pytest.skip("no custom operators in this PyTorch")

    @library.custom_op("binade_tests::twice", mutates_args=())
    def twice(x: torch.Tensor) -> torch.Tensor:
        return 2 * (x @ x.T)

    @library.custom_op("binade_tests::foreign", mutates_args=())
    def foreign(x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(x.numpy() @ x.numpy().T)

    with binade.torch.arith(ARITH) as counted:
        assert twice(ONES).item() == 512.0
        assert foreign(ONES).item() == 512.0
    assert counted.reached == {"mm": 1} and counted.left == {"binade_tests::foreign": 1}
    with binade.torch.arith(ARITH, strict=True), pytest.raises(RuntimeError, match="another library"):
        foreign(ONES)


def test_subclasses_are_computed_by_their_parts():
    jagged = getattr(torch, "jagged", None)
    if jagged is None:
        pytest.skip("no jagged tensors in this PyTorch")
    x = torch.nested.nested_tensor([torch.randn(2, 8), torch.randn(3, 8)], layout=jagged)
    w = torch.randn(4, 8)
    with binade.torch.arith(ARITH, strict=True) as counted:
        y = torch.nn.functional.linear(x, w)
    assert counted.reached.total() == 1
    assert torch.equal(y.values(), binade.matmul(x.values(), w.T, ARITH))


def test_flop_counters_list_is_in_ours():
    """PyTorch's own list of what multiplies: each operator in it is computed, opened, taken apart, or left."""
    from binade._operators_torch import Rule, product, rule

    flop_registry = pytest.importorskip("torch.utils.flop_counter").flop_registry
    packets = [packet for packet in flop_registry if isinstance(packet, torch._ops.OpOverloadPacket)]
    assert len(packets) > 10
    forms = [getattr(packet, name) for packet in packets for name in packet.overloads()]
    plain = [str(form) for form in forms if product(form) is None and rule(form) is Rule.PLAIN]
    assert not plain


LISTED = pytest.mark.skipif(
    not hasattr(torch._C, "_dispatch_get_all_op_names"), reason="this PyTorch does not list its operators"
)


@LISTED
def test_every_operator_with_a_telling_name_has_a_rule():
    """All of aten's schemas: what has a word of a product in its name is computed, opened, taken apart or left, or is one of these."""
    from binade._operators_torch import Rule, product, rule

    words = "mm matmul addmv bmm conv2d conv3d convolution linear attention lstm gru rnn einsum bilinear solve svd eigh cholesky".split()
    innocent = {
        # Interpolation.
        "upsample_linear1d", "upsample_linear1d_backward",
        # Gates of recurrent cells, elementwise.
        "_thnn_fused_lstm_cell", "_thnn_fused_lstm_cell_backward_impl", "_thnn_fused_gru_cell", "_thnn_fused_gru_cell_backward",
        # Weights in another order.
        "mkldnn_reorder_conv2d_weight", "mkldnn_reorder_conv3d_weight", "_cudnn_rnn_flatten_weight",
    }  # fmt: skip
    found = Counter()
    for name in torch._C._dispatch_get_all_op_names():
        namespace, _, rest = name.partition("::")
        base, _, overload = rest.partition(".")
        if namespace != "aten" or not set(base.split("_")) & set(words):
            continue
        form = getattr(getattr(torch.ops.aten, base), overload or "default")
        if base not in innocent:
            assert product(form) is not None or rule(form) is not Rule.PLAIN, name
        found[base] += 1
    assert len(found) > 60


def hidden_products(call):
    """What PyTorch's profiler records of products that the context did not see: those that kernels call themselves."""
    from torch.profiler import ProfilerActivity, profile

    seen = Counter()

    class Seeing(binade.torch.arith):
        def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
            if not self._here.passing:
                seen[function._schema.name] += 1
            return super().__torch_dispatch__(function, types, arguments, keywords)

    with profile(activities=[ProfilerActivity.CPU]) as recorded:
        with Seeing(ARITH) as counted:
            call()
    events = Counter(event.name for event in recorded.events() if event.name.startswith("aten::") and leaf(event.name))
    return events - seen, counted


def leaf(name):
    """Whether an operator's name says that it multiplies, and it is not made of others in all its forms."""
    from binade._operators_torch import has_kernel, multiplies

    if not multiplies(name.removeprefix("aten::")):
        return False
    packet, known = getattr(torch.ops.aten, name.removeprefix("aten::")), torch._C._dispatch_get_all_op_names()
    forms = [getattr(packet, overload) for overload in packet.overloads()]
    return not any(has_kernel(form, "CompositeImplicitAutograd") for form in forms if form.name() in known)


@LISTED
def test_the_profiler_records_no_product_that_is_not_seen():
    x, images = torch.randn(4, 8, requires_grad=True), torch.randn(2, 3, 6, 6, requires_grad=True)
    f = torch.nn.functional
    lstm, attention = torch.nn.LSTM(8, 6), torch.nn.MultiheadAttention(8, 2)
    calls = [
        lambda: f.linear(x, x).sum().backward(),
        lambda: f.conv2d(images, torch.ones(4, 3, 3, 3, requires_grad=True)).sum().backward(),
        lambda: f.conv_transpose1d(images[:, :, 0], torch.ones(3, 2, 2)).sum().backward(),
        lambda: lstm(x[None])[0].sum().backward(),
        lambda: attention(x, x, x)[0].sum().backward(),
        lambda: torch.cdist(torch.randn(30, 8, requires_grad=True), torch.randn(30, 8)).sum().backward(),
        lambda: torch.linalg.matrix_exp(torch.randn(4, 4, requires_grad=True)).sum().backward(),
        lambda: torch.linalg.multi_dot([x, x.T, x]),
        lambda: torch.einsum("ij,kj,kl->il", x, x, x),
        lambda: torch.tensordot(x, x.T, 1),
        lambda: torch.addbmm(torch.ones(6, 6), images[0], images[0].transpose(1, 2)),
        lambda: f.affine_grid(torch.randn(2, 2, 3), [2, 3, 4, 4]),
        lambda: torch.kron(x, x),
        lambda: torch.cov(x),
        lambda: torch.linalg.matrix_power(x @ x.T, 5),
        lambda: f.cosine_similarity(x, x),
    ]
    for number, call in enumerate(calls):
        for mode in (torch.enable_grad, torch.inference_mode):
            if mode is torch.inference_mode and number < 7:
                continue
            with mode():
                hidden, counted = hidden_products(call)
            assert not hidden or counted.left, (number, hidden)


def stance():
    """What `torch.compile` does in this process, where PyTorch has stances."""
    has_stances = hasattr(getattr(torch, "compiler", None), "set_stance")
    return torch._dynamo.eval_frame._stance if has_stances else None


def flags():
    """What a context changes for the whole process."""
    from torch.utils import _python_dispatch

    names = [name for name in vars(_python_dispatch) if name.startswith("_is_in_")]
    return (
        torch._C._get_mkldnn_enabled(),
        torch.backends.mha.get_fastpath_enabled() if hasattr(torch.backends, "mha") else None,
        *(getattr(torch.backends.cuda, f"{name}_sdp_enabled", bool)() for name in ["flash", "mem_efficient"]),
        stance(),
        threading.Thread.start,
        ThreadPoolExecutor.submit,
        {name: getattr(_python_dispatch, name) for name in names},
    )


def test_a_context_inside_itself_counts_once_and_leaves_nothing_switched_off():
    before = flags()
    context = binade.torch.arith(ARITH)
    with context, context:
        assert flags() != before
        ONES @ ONES.T
        ONES.double() @ ONES.double().T
    assert context.reached == {"mm": 1} and context.left == {"mm": 1}
    assert flags() == before
    with context:
        with pytest.raises(ZeroDivisionError), context:
            1 / 0
        assert (ONES @ ONES.T).item() == 256.0
    assert flags() == before and (ONES @ ONES.T).item() == 512.0


@pytest.mark.parametrize("shared", [True, False])
def test_overlapping_threads_leave_nothing_switched_off(shared):
    before = flags()
    first = binade.torch.arith(ARITH)
    second = first if shared else binade.torch.arith(ARITH)
    entered, left = threading.Event(), threading.Event()

    def other():
        entered.wait()
        with second:
            in_both.set()
            left.wait()
            return (ONES @ ONES.T).item()

    in_both = threading.Event()
    # Begun before the context: not of it.
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(other)
        with first:
            entered.set()
            in_both.wait()
        # The first has ended, the second goes on.
        assert flags() != before
        left.set()
        assert result.result() == 256.0
    assert flags() == before


def test_threads_that_are_started_inside_belong_to_the_context():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        with binade.torch.arith(ARITH) as counted:
            assert in_thread(lambda: (ONES @ ONES.T).item()) == 256.0
            assert in_thread(lambda: in_thread(lambda: (ONES @ ONES.T).item())) == 256.0
            assert pool.submit(lambda: (ONES @ ONES.T).item()).result() == 256.0
            hold, going = threading.Event(), []
            thread = threading.Thread(target=lambda: (hold.wait(), going.append((ONES @ ONES.T).item())))
            thread.start()
        assert counted.reached == {"mm": 3}
        hold.set()
        thread.join()
        # After its end, the context does nothing in threads that live longer.
        assert going == [512.0] and counted.reached == {"mm": 3}
        assert pool.submit(lambda: (ONES @ ONES.T).item()).result() == 512.0


@BY_LAYER
def test_gradients_of_what_was_computed_outside_are_not_guessed():
    model = network()
    outside = model(torch.ones(2, 64))
    context = binade.torch.arith(ARITH, model=model, layers={"0": "f32"})
    with context, pytest.raises(RuntimeError, match="not computed in this context"):
        outside.sum().backward()
    # Of two blocks of one context the second knows what the first computed.
    with context:
        inside = model(torch.ones(2, 64))
    with context:
        inside.sum().backward()
    assert context.by_layer["0"]["addmm"] == 1 and context.by_layer["0"]["mm"] >= 1
    # Where all layers have one operator, there is nothing to guess.
    outside = model(torch.ones(2, 64))
    with binade.torch.arith(ARITH, model=model) as counted:
        outside.sum().backward()
    assert counted.reached.total() >= 3


def test_transposed_convolutions_with_much_output_padding():
    """Beyond a step, where the convolution that is turned round would have more results."""
    f = torch.nn.functional
    for stride, padding, more, dilation in itertools.product((1, 2), (0, 2), (0, 1, 3), (1, 4)):
        if more >= max(stride, dilation):
            continue
        x, w = tensor(2, 4, 6, 5), tensor(4, 3, 3, 2, seed=1)
        how = {"stride": stride, "padding": padding, "output_padding": more, "dilation": dilation}
        plain = f.conv_transpose2d(x, w, torch.ones(3), **how)
        expected = torch.autograd.grad(plain.square().sum(), (x, w))
        with binade.torch.arith("f32:f32", strict=True):
            found = f.conv_transpose2d(x, w, torch.ones(3), **how)
            gradients = torch.autograd.grad(found.square().sum(), (x, w))
        assert torch.allclose(found, plain, atol=1e-4), how
        for a, b in zip(gradients, expected):
            assert torch.allclose(a, b, rtol=1e-3, atol=1e-2), how


def equal_results(ours, theirs):
    """Whether arrays have the same bits, but for NaN's."""
    ours, theirs = (np.asarray(each.detach() if isinstance(each, torch.Tensor) else each) for each in (ours, theirs))
    bits = [np.where(np.isnan(each), np.float32(np.nan), each).view(np.uint32) for each in (ours, theirs)]
    return ours.shape == theirs.shape and np.array_equal(*bits)


def spots(*sizes):
    return itertools.product(*map(range, sizes))


class ByDots:
    """The products of a convolution over three dimensions, each result a `binade.dot` of what its definition names."""

    def __init__(self, arith, stride, padding, dilation, groups):
        self.arith, self.stride, self.padding, self.dilation, self.groups = arith, stride, padding, dilation, groups

    def padded(self, x):
        """x with zeros around, and the element of it that each kernel element and place of the output meet."""
        x = np.pad(x, [(0, 0), (0, 0), *((pad, pad) for pad in self.padding)])
        return lambda n, c, tap, at: x[(n, c, *(t * d + a * s for t, d, a, s in zip(tap, self.dilation, at, self.stride)))]

    def forward(self, x, w, sizes):
        value, result = self.padded(x), np.empty((len(x), len(w), *sizes), np.float32)
        group, outputs = w.shape[1], len(w) // self.groups
        for n, o, *at in spots(*result.shape):
            terms = [(w[(o, c, *tap)], value(n, o // outputs * group + c, tap, at)) for c, *tap in spots(*w.shape[1:])]
            result[(n, o, *at)] = binade.dot(*np.array(terms).T, self.arith)
        return result

    def input_gradient(self, g, w, sizes):
        group, outputs = w.shape[1], len(w) // self.groups
        result = np.empty((len(g), group * self.groups, *sizes), np.float32)
        # What each input element met: which output, by the padded index.
        for n, c, *at in spots(*result.shape):
            terms = []
            for o, tap in itertools.product(range(outputs), spots(*w.shape[2:])):
                o += c // group * outputs
                met = [out for out in spots(*g.shape[2:]) if all(
                    t * d + a * s - p == i
                    for t, d, a, s, p, i in zip(tap, self.dilation, out, self.stride, self.padding, at)
                )]
                terms.append((w[(o, c % group, *tap)], g[(n, o, *met[0])] if met else 0.0))
            result[(n, c, *at)] = binade.dot(*np.array(terms).T, self.arith)
        return result

    def weight_gradient(self, x, g, shape):
        value, result, outputs = self.padded(x), np.empty(shape, np.float32), shape[0] // self.groups
        for o, c, *tap in spots(*shape):
            channel = o // outputs * shape[1] + c
            terms = [(g[(n, o, *at)], value(n, channel, tap, at)) for n, at in itertools.product(range(len(g)), spots(*g.shape[2:]))]
            result[(o, c, *tap)] = binade.dot(*np.array(terms).T, self.arith)
        return result


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize(
    ("arith", "stride", "padding", "dilation", "groups"),
    [
        ("bf16:bf16", (1, 1, 1), (0, 0, 0), (1, 1, 1), 1),
        ("bf16x2:bf16x2/3", (2, 1, 2), (1, 0, 1), (1, 2, 1), 2),
        ("f16:f32", (1, 3, 2), (1, 2, 1), (2, 1, 2), 2),
    ],
)
def test_convolutions_over_three_dimensions_are_dot_products(transposed, arith, stride, padding, dilation, groups):
    f, how = torch.nn.functional, {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    x, w = tensor(2, 4, 3, 4, 3), tensor(4, 4 // groups, 2, 2, 2, seed=1)
    with torch.no_grad():
        # An infinite weight on padding is NaN.
        w[0, 0, 0, 0, 0] = float("inf")
        x[0, 1, 1, 1, 1] = -0.0
    if transposed:
        # No more than a step: beyond it there are zeros, not dot products.
        how["output_padding"] = [step - 1 for step in stride]
    with binade.torch.arith(arith, strict=True) as counted:
        y = (f.conv_transpose3d if transposed else f.conv3d)(x, w, **how)
        g = tensor(*y.shape, seed=2, grad=False)
        y.backward(g)
    assert counted.reached == {"convolution": 1, "convolution_backward": 1} and not counted.left
    xs, ws, gs = x.detach().numpy(), w.detach().numpy(), g.numpy()
    dots = ByDots(arith, stride, padding, dilation, groups)
    if transposed:
        found = (
            dots.input_gradient(xs, ws, y.shape[2:]),
            dots.forward(gs, ws, x.shape[2:]),
            dots.weight_gradient(gs, xs, w.shape),
        )
    else:
        found = (
            dots.forward(xs, ws, y.shape[2:]),
            dots.input_gradient(gs, ws, x.shape[2:]),
            dots.weight_gradient(xs, gs, w.shape),
        )
    for ours, theirs in zip((y, x.grad, w.grad), found):
        assert equal_results(ours, theirs)
    assert transposed or y.isnan().any() == any(padding)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize(
    ("arith", "order"),
    [
        ("bf16:bf16", "sequential"),
        ("bf16x2:bf16x2/3", "pairwise"),
        ("bf16:f32", "blocked:4"),
        ("f16:f32", "aligned:8,24"),
        ("bf16:bf16", "lanes:4"),
        ("f32:f32", "exact"),
    ],
)
def test_a_convolution_of_depth_one_has_the_bits_of_two_dimensions(arith, order, transposed):
    f = torch.nn.functional
    flat, deep = (f.conv_transpose2d, f.conv_transpose3d) if transposed else (f.conv2d, f.conv3d)
    x, w = tensor(2, 4, 6, 7), tensor(4, 2, 3, 2, seed=1)
    with torch.no_grad():
        w[0, 0, 0, 0] = float("inf")
    x3, w3 = (each.detach()[:, :, None].clone().requires_grad_() for each in (x, w))
    bias = tensor(4, seed=2, grad=False)
    with binade.torch.arith(arith, order, strict=True):
        y = flat(x, w, bias, stride=2, padding=1, dilation=2, groups=2)
        y3 = deep(x3, w3, bias, stride=(1, 2, 2), padding=(0, 1, 1), dilation=(1, 2, 2), groups=2)
        g = tensor(*y.shape, seed=3, grad=False)
        y.backward(g)
        y3.backward(g[:, :, None])
    for two, three in ((y, y3), (x.grad, x3.grad), (w.grad, w3.grad)):
        assert equal_results(three[:, :, 0], two)
    assert y.isnan().any()


@pytest.mark.parametrize("transposed", [False, True])
def test_convolutions_over_three_dimensions_are_pytorchs_but_for_rounding(transposed):
    f, count = torch.nn.functional, 0
    for groups, stride, padding, dilation, more in itertools.product(
        (1, 2), (1, (2, 1, 3)), (0, (1, 2, 1)), (1, (2, 3, 4)), (0, 1, (0, 2, 3)) if transposed else (0,)
    ):
        how = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        x, w, bias = tensor(2, 4, 7, 8, 7), tensor(4, 4 // groups, 2, 3, 2, seed=1), torch.arange(4.0)
        if transposed:
            how["output_padding"] = more
            bias = torch.arange(float(w.shape[1] * groups))
        call = f.conv_transpose3d if transposed else f.conv3d
        try:
            plain = call(x, w, bias, **how)
        except RuntimeError as error:
            assert "output padding must be smaller" in str(error)
            continue
        g = tensor(*plain.shape, seed=2, grad=False)
        expected = torch.autograd.grad(plain, (x, w), g)
        with binade.torch.arith("f32:f32", strict=True):
            found = call(x, w, bias, **how)
            gradients = torch.autograd.grad(found, (x, w), g)
            with torch.inference_mode():
                assert torch.equal(call(x, w, bias, **how), found)
        for ours, theirs in zip((found, *gradients), (plain, *expected)):
            assert ours.shape == theirs.shape and torch.allclose(ours, theirs, rtol=1e-4, atol=1e-4), how
        count += 1
    assert count >= 16


def test_a_convolution_in_parts_has_the_same_bits(monkeypatch):
    from binade._products_torch import Volume

    x, w = tensor(2, 4, 5, 4, 3), tensor(6, 2, 2, 3, 2, seed=1)

    def results():
        with binade.torch.arith(ARITH, strict=True):
            y = torch.nn.functional.conv3d(x, w, stride=2, padding=1, groups=2)
            return y, *torch.autograd.grad(y.square().sum(), (x, w))

    whole = results()
    monkeypatch.setattr(Volume, "PATCHES", 1)
    assert all(torch.equal(a, b) for a, b in zip(whole, results()))


def test_second_gradients_of_convolutions_over_three_dimensions_are_reached():
    x, w = tensor(2, 4, 4, 5, 4), tensor(6, 2, 2, 3, 2, seed=1)

    def second():
        y = torch.nn.functional.conv3d(x, w, stride=2, padding=1, groups=2)
        first = torch.autograd.grad(y.square().sum(), (x, w), create_graph=True)
        return torch.autograd.grad(sum(each.square().sum() for each in first), (x, w))

    plain = second()
    with binade.torch.arith("f32:f32", strict=True) as counted:
        found = second()
    assert counted.reached["convolution"] > 1 and not counted.left
    assert all(torch.allclose(a, b, rtol=1e-3, atol=1e-2) for a, b in zip(found, plain))


def test_convolutions_over_three_dimensions_take_empty_batches_and_16_bits():
    f, w = torch.nn.functional, tensor(6, 2, 2, 3, 2)
    with binade.torch.arith(ARITH, strict=True):
        y = f.conv3d(tensor(0, 4, 4, 5, 4), w, groups=2)
        assert y.shape == (0, 6, 3, 3, 3)
        y.sum().backward()
        assert not w.grad.any()
        x = tensor(4, 4, 5, 4, grad=False)
        half = f.conv3d(x.bfloat16(), w.bfloat16(), groups=2)
        assert half.dtype == torch.bfloat16 and torch.equal(half, f.conv3d(x, w, groups=2).bfloat16())


@pytest.mark.parametrize(
    ("options", "shape", "words"),
    [
        ({"groups": 1}, (6, 2, 2, 2, 2), "needs weights of that many"),
        ({"stride": 0}, (6, 2, 2, 2, 2), "stride must be at least 1"),
        ({"dilation": (1, 0, 1)}, (6, 2, 2, 2, 2), "dilation must be at least 1"),
        ({"padding": -1}, (6, 2, 2, 2, 2), "padding must be at least 0"),
        ({"stride": (1, 2)}, (6, 2, 2, 2, 2), "one number or 3"),
        ({}, (5, 2, 2, 2, 2), "multiple of the 2 groups"),
        ({}, (6, 2, 2, 2), "dim"),
    ],
)
def test_convolutions_over_three_dimensions_say_what_does_not_fit(options, shape, words):
    with binade.torch.arith(ARITH), pytest.raises(RuntimeError, match=words):
        torch.nn.functional.conv3d(torch.ones(1, 4, 4, 4, 4), torch.ones(shape), **{"groups": 2, **options})


STANCE = pytest.mark.skipif(
    not hasattr(getattr(torch, "compiler", None), "set_stance"), reason="stances of the compiler need PyTorch 2.6"
)


@STANCE
@pytest.mark.parametrize("inference", [False, True])
def test_flex_attention_is_reached(inference):
    flex = pytest.importorskip("torch.nn.attention.flex_attention")
    q, k, v = (tensor(1, 2, 128, 16, seed=seed, grad=False) for seed in range(3))
    causal = flex.create_block_mask(lambda b, h, i, j: i >= j, None, None, 128, 128, device="cpu")
    before = flags()
    with binade.torch.arith(ARITH, strict=True) as counted, torch.inference_mode(inference):
        found = flex.flex_attention(q, k, v, score_mod=lambda score, b, h, i, j: score + 0.125 * (i - j), block_mask=causal)
    assert counted.reached == {"bmm": 2} and not counted.left and flags() == before
    # The scores by the operator, and their rows' softmax as PyTorch has it.
    i = torch.arange(128)
    scores = binade.matmul(q, k.transpose(-1, -2), ARITH) * 0.25 + 0.125 * (i[:, None] - i)
    weights = scores.masked_fill(i[:, None] < i, -torch.inf).softmax(-1)
    assert torch.allclose(found, binade.matmul(weights, v, ARITH), atol=0.02)
    assert not torch.allclose(found, weights @ v, atol=1e-6)


@STANCE
def test_compiled_functions_run_as_written_inside_and_are_compiled_outside():
    compiled = Counter()

    def backend(graph, inputs):
        compiled["graphs"] += 1
        return graph.forward

    @torch.compile(backend=backend, fullgraph=True)
    def square(x):
        return x @ x.T

    context = binade.torch.arith(ARITH, strict=True)
    with context:
        assert square(ONES).item() == 256.0
    assert not compiled and square(ONES).item() == 512.0 and compiled["graphs"] == 1
    # One that was compiled before.
    with context, context:
        assert square(ONES).item() == 256.0
    assert context.reached == {"mm": 2} and square(ONES).item() == 512.0 and compiled["graphs"] == 1

    # Contexts that begin and end in a compiled function.
    @torch.compile(backend=backend)
    def inside(x):
        with context:
            y = x @ x.T
        return y + 1

    before = flags()
    assert inside(ONES).item() == 257.0 and flags() == before
    with context:
        assert inside(ONES).item() == 257.0
    assert flags() == before
    # The stance that the program has chosen comes back.
    with torch.compiler.set_stance("eager_on_recompile"):
        chosen = stance()
        with context:
            assert stance() != chosen
        assert stance() == chosen
    assert flags() == before


def test_a_quantizers_gradients_are_rounded_as_its_values_are():
    e4m3 = binade.Format("float8_e4m3fn")
    x = torch.full((4096,), 1.0, requires_grad=True)
    layer = binade.torch.Quantizer(e4m3, gradient=e4m3, rounding="stochastic", seed=3)
    layer(x).backward(torch.full((4096,), 1.03))
    found = x.grad
    assert set(found.tolist()) == {1.0, 1.125}
    # The words after those of the values.
    assert torch.equal(found, e4m3.round(torch.full((4096,), 1.03), "stochastic", seed=3, first=4096))
    assert abs(found.mean().item() - 1.03) < 0.01
    x.grad = None
    binade.torch.Quantizer(e4m3, gradient=e4m3, saturation="max")(x).backward(torch.full((4096,), 1e4))
    assert x.grad.unique().tolist() == [448.0]


def test_a_quantizer_that_is_resumed_goes_on_in_its_stream():
    def layer():
        return binade.torch.Quantizer("float8_e4m3fn", gradient="float8_e5m2", rounding="stochastic", seed=2**64 - 1)

    x = torch.full((64,), 0.3, requires_grad=True)
    run = layer()
    run(x).sum().backward()
    assert (run.seed, run.passed) == (2**64 - 1, 128)
    saved = copy.deepcopy(run.state_dict())
    goes_on = [run(x) for _ in range(3)]
    resumed = layer()
    resumed.load_state_dict(saved)
    assert all(torch.equal(resumed(x), expected) for expected in goes_on)
    assert not torch.equal(layer()(x), goes_on[0])
    # Another seed's state is that of the run that is resumed.
    other = binade.torch.Quantizer("float8_e4m3fn", rounding="stochastic", seed=5)
    other.load_state_dict(saved)
    assert other.seed == 2**64 - 1 and torch.equal(other(x), goes_on[0])


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"seed": -1}, ValueError, "seed=-1"),
        ({"seed": 0.5}, TypeError, "seed=0.5"),
        ({"rounding": "up"}, ValueError, "no rounding 'up'"),
        ({"saturation": "clip"}, ValueError, "clip"),
        ({"first": 3}, TypeError, "no option first"),
        ({"gradient": "bf17"}, ValueError, "bf17"),
    ],
)
def test_a_quantizer_says_what_is_wrong_when_it_is_made(options, kind, words):
    with pytest.raises(kind, match=words):
        binade.torch.Quantizer("bf16", **options)


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"])
def test_pytorchs_narrow_tensors_are_values_and_codes(name):
    dtype = getattr(torch, name, None)
    if dtype is None:
        pytest.skip(f"no {name} in this PyTorch")
    format = binade.Format(name)
    narrow = torch.arange(256, dtype=torch.uint8).view(dtype)
    values = narrow.float()
    assert np.array_equal(format.decode(narrow), values, equal_nan=True)
    bf16 = binade.Format("bf16")
    assert np.array_equal(bf16.decode(bf16.encode(narrow)), values, equal_nan=True)
    assert np.array_equal(bf16.round(narrow), values, equal_nan=True)
    finite = narrow[values.isfinite()]
    assert torch.equal(binade.matmul(finite[None], torch.ones(len(finite), 1)), binade.matmul(finite.float()[None], torch.ones(len(finite), 1)))
    assert format.quantize(finite, "tensor").codes.shape == finite.shape
    other = "float8_e5m2" if name != "float8_e5m2" else "float8_e4m3fn"
    with pytest.raises(TypeError, match=f"not {name}"):
        binade.Format(other).decode(narrow)


def test_tensors_that_are_no_arrays_are_refused_in_words():
    bf16 = binade.Format("bf16")
    x = torch.ones(2, 2)
    for wrong, words in [
        (x.to_sparse(), "sparse_coo tensor"),
        (torch.nested.nested_tensor([x, x]), "nested tensor"),
        (torch.quantize_per_tensor(x, 0.1, 0, torch.qint8), "dequantize"),
        (x.cfloat(), "complex64"),
        (x.to("meta"), "meta"),
    ]:
        with pytest.raises(TypeError, match=words):
            bf16.encode(wrong)
    # Conjugated and negated views are what they stand for.
    imaginary = torch.tensor([1 + 2j, 3 - 4j]).conj().imag
    assert bf16.round(imaginary).tolist() == [-2.0, 4.0]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_quantized_tensors_are_dequantized_to_tensors(dtype):
    x = torch.randn(3, 40)
    quantized = binade.Format("float4_e2m1fn").quantize(x, "block:16,float8_e4m3fn")
    assert quantized.codes.dtype == torch.uint8 and quantized.scales.dtype == torch.float32
    values = quantized.dequantize(dtype)
    assert values.dtype == dtype
    # The product has 24 + 8 bits: exact in binary64, whence PyTorch rounds once.
    wide = quantized.dequantize(torch.float64)
    assert torch.equal(values, wide.to(dtype))
    assert torch.equal(quantized.dequantize(str(dtype).removeprefix("torch.")), values)


@BY_LAYER
def test_layers_in_threads_are_those_of_the_model():
    model, x = network(), tensor(8, 64)
    with binade.torch.arith(ARITH, model=model, layers={"0": "f32"}) as counted:
        in_thread(lambda: model(x).sum().backward())
        model(x).sum().backward()
    assert counted.by_layer["0"] == {"addmm": 2, "mm": 4} and counted.by_layer["1.1"] == {"addmm": 2, "mm": 4}


def test_a_thread_that_outlives_the_block_leaves_nothing_switched_off():
    before, hold = flags(), threading.Event()
    with binade.torch.arith(ARITH):
        thread = threading.Thread(target=hold.wait)
        thread.start()
    assert flags() == before
    hold.set()
    thread.join()
    assert flags() == before


def test_stochastic_context_continues_from_its_state() -> None:
    x = torch.full((4, 600), 0.001)
    y = torch.ones(600, 4)

    def products(context: binade.torch.arith, count: int) -> list[torch.Tensor]:
        with context:
            return [x @ y for _ in range(count)]

    whole = products(binade.torch.arith("bf16:bf16/rounding=stochastic", seed=5), 4)
    first = binade.torch.arith("bf16:bf16/rounding=stochastic", seed=5)
    begun = products(first, 2)
    second = binade.torch.arith("bf16:bf16/rounding=stochastic")
    second.load_state_dict(first.state_dict())
    assert all(map(torch.equal, whole, begun + products(second, 2)))
    assert not torch.equal(whole[0], whole[1])
