"""Weights and optimizer states in the stored formats of recipes: each rounding beside conversions, and trainings beside `binade train`."""

import copy
import io
import json
import struct
import subprocess
import sys
from pathlib import Path

import binade
import numpy as np
import pytest
from binade._binade import stream

torch = pytest.importorskip("torch")

import binade.torch  # noqa: E402

STORED = 0x53544F52


def net(seed=0):
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Linear(12, 16), torch.nn.Tanh(), torch.nn.Linear(16, 4))


def step(model, optimizer, number):
    generator = torch.Generator().manual_seed(number)
    x, y = torch.randn(8, 12, generator=generator), torch.randn(8, 4, generator=generator)
    optimizer.zero_grad()
    (model(x) - y).square().mean().backward()
    optimizer.step()


def tensors(model, optimizer):
    """Weights and states that have dimensions, by name."""
    found = {}
    for name, parameter in model.named_parameters():
        found[name] = parameter.detach().clone()
        for state, value in optimizer.state[parameter].items():
            if isinstance(value, torch.Tensor) and value.dim():
                found[f"{name}.{state}"] = value.clone()
    return found


OPTIMIZERS = [
    (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9}, {"momentum_buffer"}),
    (torch.optim.SGD, {"lr": 0.1}, set()),
    (torch.optim.Adam, {"amsgrad": True}, {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}),
    (torch.optim.AdamW, {"foreach": True}, {"exp_avg", "exp_avg_sq"}),
    (torch.optim.AdamW, {"fused": True}, {"exp_avg", "exp_avg_sq"}),
    (torch.optim.NAdam, {}, {"exp_avg", "exp_avg_sq"}),
    (torch.optim.RAdam, {}, {"exp_avg", "exp_avg_sq"}),
    (torch.optim.Adamax, {}, {"exp_avg", "exp_inf"}),
    (torch.optim.RMSprop, {"momentum": 0.9, "centered": True}, {"square_avg", "momentum_buffer", "grad_avg"}),
    (torch.optim.Adagrad, {}, {"sum"}),
    (torch.optim.Adadelta, {}, {"square_avg", "acc_delta"}),
]


@pytest.mark.parametrize(("kind", "options", "states"), OPTIMIZERS)
def test_each_step_rounds_weights_and_states_with_their_words(kind, options, states):
    model, plain = net(), net()
    optimizer, other = kind(model.parameters(), **options), kind(plain.parameters(), **options)
    binade.torch.Stored(optimizer, "bf16-stochastic", model=model, seed=7)
    for number in (1, 2):
        # The step of the optimizer itself, in binary32, from the same weights and states.
        plain.load_state_dict(model.state_dict())
        if number > 1:
            # Loaded states are not copied.
            other.load_state_dict(copy.deepcopy(optimizer.state_dict()))
        step(plain, other, number)
        step(model, optimizer, number)
        exact, found = tensors(plain, other), tensors(model, optimizer)
        assert {name.split(".")[2] for name in found if name.count(".") == 2} == states
        names = [name for name, _ in model.named_parameters()]
        for name, value in found.items():
            parameter, *state = name.split(".")[:2], *name.split(".")[2:]
            of_parameter = sorted(each.split(".")[2] for each in found if each.count(".") == 2 and each.startswith(".".join(parameter)))
            kind_of = 1 + of_parameter.index(state[0]) if state else 0
            at = names.index(".".join(parameter)) + len(names) * kind_of
            seed = stream(7, [number, 0, at, STORED])
            want = binade.Format("bfloat16").round(exact[name].numpy().reshape(-1), rounding="stochastic", seed=seed)
            assert np.array_equal(value.numpy().reshape(-1), want), name
            assert number == 1 or not np.array_equal(want, exact[name].numpy().reshape(-1))


def test_small_updates_accumulate_and_are_unbiased():
    model = torch.nn.Linear(4096, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(1.0)
    optimizer = torch.optim.SGD(model.parameters(), lr=2.0**-12)
    binade.torch.Stored(optimizer, "bf16-stochastic", model=model, seed=3)
    steps = 64
    for _ in range(steps):
        model.weight.grad = torch.ones_like(model.weight)
        optimizer.step()
    # To nearest, 1 - 2^-12 is 1 in BF16, whose numbers below 1 are 2^-8 apart.
    moved = 1 - model.weight.detach().double()
    assert torch.equal(model.weight, model.weight.bfloat16().float())
    # A sum of steps that each move 2^-8 with probability 1/16, and from the second on with another one near it.
    mean, deviation = moved.mean().item(), moved.std().item() / 4096**0.5
    assert abs(mean - steps * 2.0**-12) < 5 * deviation


def test_biases_follow_the_largest_exponent_slowly_down_and_at_once_up():
    quantizer = binade._binade.Quantizer("cfloat8_1_4_3/bias=learnt/history=4")
    history = binade._binade.BiasHistory()
    steps = iter(range(100))

    def bias(exponent):
        numbers = np.float32([0] if exponent is None else [2.0 ** (exponent - 3), -(2.0**exponent)])
        rounded = history.round(quantizer, numbers, 1, next(steps), 0)
        assert np.array_equal(rounded, binade.Format(f"cfloat8_1_4_3@bias={history.bias}").round(numbers))
        return history.bias, history.moves

    # Four exponent bits: the largest exponent is 15 - bias. With a margin of 1, -3 wants 17.
    assert bias(-3) == (17, 0) and bias(-2) == (17, 0) and bias(None) == (17, 0)
    # 15 - 17 = -2 is exceeded.
    assert bias(0) == (14, 1)
    # The 0 leaves the history after four steps; then the bias rises once in four steps.
    assert [bias(-5) for _ in range(9)] == [(14, 1)] * 3 + [(15, 2)] * 4 + [(16, 3)] * 2
    again = binade._binade.BiasHistory.of_state(history.state())
    assert again.state() == history.state() and again.state()["by_step"][0] == (0, 17, 0, 0)
    with pytest.raises(ValueError, match="the state of a bias has no 'steady'"):
        binade._binade.BiasHistory.of_state({"exponents": [], "bias": 3})


def test_states_without_spans_are_loaded():
    """The first states had neither the spans of a bias nor exact types of sequences."""
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    stored = binade.torch.Stored(optimizer, "tesla-cfloat8", model=model, seed=2)
    step(model, optimizer, 0)
    state = optimizer.state_dict()
    first = {
        "format": "cfloat8_1_4_3", "bias": 18, "exponents": [[(-3, 1)], [[-2, 1]]], "steady": 1, "moves": 3, "overflowed": 5, "underflowed": 7,
    }
    state["stored"] = {"recipe": "tesla-cfloat8", "seed": 9, "steps": 4, "not_finite": {}, "biases": {"0.weight": first}}
    optimizer.load_state_dict(state)
    assert (stored.seed, stored.steps) == (9, 4)
    assert stored.biases == [binade.torch.StoredBias("0.weight", "cfloat8_1_4_3", 18, 3, 5, 7)]
    step(model, optimizer, 1)
    assert stored.biases[0].moves >= 3 and len(stored.biases) == len(list(model.parameters()))


def test_learnt_biases_are_reported_and_hold_the_tensors():
    model = net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    stored = binade.torch.Stored(optimizer, "tesla-cfloat8", model=model, seed=5)
    for number in range(20):
        step(model, optimizer, number)
    assert stored.steps == 20 and not stored.not_finite
    by_name = {bias.tensor: bias for bias in stored.biases}
    # Weights and momentum; UHP's bias is fixed.
    assert set(by_name) == {f"{name}{state}" for name, _ in model.named_parameters() for state in ("", ".exp_avg")}
    for name, value in tensors(model, optimizer).items():
        if name.endswith("exp_avg_sq"):
            assert (value >= 0).all()
            format = binade.Format("uhp")
        else:
            format = binade.Format(f"{by_name[name].format}@bias={by_name[name].bias}")
            assert by_name[name].overflowed == 0 and by_name[name].moves <= 4
        assert np.array_equal(format.round(value.numpy()), value.numpy())
    assert by_name["0.weight"].format == "cfloat8_1_4_3" and by_name["0.weight.exp_avg"].format == "shp"


@pytest.mark.parametrize("recipe", ["tesla-cfloat8", "bf16-stochastic"])
@pytest.mark.parametrize(("kind", "options", "states"), OPTIMIZERS[:5])
def test_resumed_training_has_the_same_bits(recipe, kind, options, states):
    def training(model):
        optimizer = kind(model.parameters(), **options)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3, 0.5)
        stored = binade.torch.Stored(optimizer, recipe, model=model, seed=2**63 + 9, gradients=True)
        context = binade.torch.arith(recipe, model=model, seed=1)
        return optimizer, scheduler, stored, context

    def run(model, optimizer, scheduler, context, numbers):
        for number in numbers:
            with context:
                step(model, optimizer, number)
            scheduler.step()

    model = net()
    optimizer, scheduler, stored, context = training(model)
    run(model, optimizer, scheduler, context, range(5))
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "arith": context}
    file = io.BytesIO()
    torch.save({name: part.state_dict() for name, part in parts.items()}, file)
    run(model, optimizer, scheduler, context, range(5, 10))

    again = net(1)
    optimizer2, scheduler2, stored2, context2 = training(again)
    file.seek(0)
    # Only tensors and plain values are in the file.
    saved = torch.load(file, weights_only=True)
    for part, state in ((again, "model"), (optimizer2, "optimizer"), (scheduler2, "scheduler"), (context2, "arith")):
        part.load_state_dict(saved[state])
    assert stored2.steps == 5
    run(again, optimizer2, scheduler2, context2, range(5, 10))
    first, second = tensors(model, optimizer), tensors(again, optimizer2)
    assert first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)
    assert stored.biases == stored2.biases and (recipe != "tesla-cfloat8" or len(stored.biases) >= 4)
    assert optimizer.param_groups[0]["lr"] == optimizer2.param_groups[0]["lr"] < options.get("lr", 0.001)


def test_another_seed_gives_other_weights_and_the_same_seed_the_same():
    def weights(seed):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        binade.torch.Stored(optimizer, "bf16-stochastic", model=model, seed=seed)
        step(model, optimizer, 0)
        return model[0].weight.detach()

    assert torch.equal(weights(1), weights(1)) and not torch.equal(weights(1), weights(2))


def test_layers_that_are_left_out_stay_in_binary32():
    model, plain = net(), net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    other = torch.optim.SGD(plain.parameters(), lr=0.1, momentum=0.9)
    binade.torch.Stored(optimizer, "bf16-stochastic", model=model, layers={"2": "f32"})
    step(model, optimizer, 0)
    step(plain, other, 0)
    mine, theirs = tensors(model, optimizer), tensors(plain, other)
    assert all(torch.equal(mine[name], theirs[name]) == name.startswith("2") for name in mine)
    with pytest.raises(ValueError, match="no layer is called head"):
        binade.torch.Stored(optimizer, "bf16-stochastic", model=model, layers={"head": "f32"})


def test_gradients_are_rounded_before_the_step_if_asked():
    for gradients in (False, True):
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        binade.torch.Stored(optimizer, "bf16-stochastic", model=model, gradients=gradients)
        step(model, optimizer, 0)
        gradient = model[0].weight.grad
        assert torch.equal(gradient, gradient.bfloat16().float()) == gradients


def test_not_finite_numbers_are_those_of_train_and_are_counted_by_tensor():
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    stored = binade.torch.Stored(optimizer, "tesla-cfloat8", model=model)
    model[0].weight.grad = torch.zeros_like(model[0].weight)
    model[0].weight.grad[1, 2], model[0].weight.grad[3, 4] = float("nan"), -float("inf")
    optimizer.step()
    # CFloat8 and SHP have neither NaN nor infinities, so both become NaN.
    assert torch.isnan(model[0].weight[1, 2]) and torch.isnan(model[0].weight[3, 4])
    assert dict(stored.not_finite) == {"0.weight": 2, "0.weight.momentum_buffer": 2}
    assert torch.isfinite(model[0].weight).sum() == model[0].weight.numel() - 2


def test_removed_hooks_leave_the_optimizer_as_it_was():
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    stored = binade.torch.Stored(optimizer, "bf16-stochastic", model=model)
    assert optimizer.state_dict()["stored"]["recipe"] == "bf16-stochastic"
    stored.remove()
    step(model, optimizer, 0)
    assert stored.steps == 0 and "stored" not in optimizer.state_dict()


def test_wrong_uses_are_told():
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with pytest.raises(ValueError, match="did you mean bf16-stochastic"):
        binade.torch.Stored(optimizer, "bf16-stochastik", model=model)
    with pytest.raises(ValueError, match="parameter of shape .16, 12. that is not one of the model"):
        binade.torch.Stored(optimizer, "bf16-stochastic", model=net())
    with pytest.raises(ValueError, match="has the role 'velocity': roles are momentum, second_moments and none"):
        binade.torch.Stored(optimizer, "bf16-stochastic", model=model, states={"prev": "velocity"})
    half = net().bfloat16()
    with pytest.raises(TypeError, match="parameter 0.weight must be float32 on the CPU.*got bfloat16 on cpu"):
        binade.torch.Stored(torch.optim.SGD(half.parameters()), "bf16-stochastic", model=half)
    # The states of Rprop are no moments.
    unknown = torch.optim.Rprop(model.parameters())
    stored = binade.torch.Stored(unknown, "bf16-stochastic", model=model)
    with pytest.raises(ValueError, match="state 'prev' of Rprop is unknown: give its role, as in states="):
        step(model, unknown, 0)
    stored.remove()
    binade.torch.Stored(unknown, "bf16-stochastic", model=model, states={"prev": "momentum", "step_size": "none"})
    step(model, unknown, 0)
    binade.torch.Stored(optimizer, "bf16-stochastic", model=model)
    with pytest.raises(ValueError, match="the state is of recipe tesla-cfloat8, and this optimizer's is bf16-stochastic"):
        optimizer.load_state_dict({**optimizer.state_dict(), "stored": {"recipe": "tesla-cfloat8"}})


def data(folder):
    """Images of one batch, as IDX files."""
    generator = np.random.default_rng(3)
    pixels = {}
    for part, count in (("train", 100), ("t10k", 250)):
        labels = generator.integers(0, 10, count, np.uint8)
        marks = (np.arange(784) * 7 + labels[:, None] * 13) % 10 == labels[:, None]
        images = np.clip(generator.normal(20 + 120 * marks, 30), 0, 255).astype(np.uint8)
        for kind, array in (("images-idx3", images.reshape(count, 28, 28)), ("labels-idx1", labels)):
            header = bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
            (folder / f"{part}-{kind}-ubyte").write_bytes(header + array.tobytes())
        pixels[part] = (images, labels)
    return pixels["train"]


def safetensors(path):
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    body = content[8 + length :]
    return {
        name: np.frombuffer(body[slice(*each["data_offsets"])], np.float32).reshape(each["shape"])
        for name, each in header.items()
        if name != "__metadata__" and each["dtype"] == "F32"
    }


class Dense(torch.nn.Module):
    """A dense layer with the layout of weights of `binade train`'s models."""

    def __init__(self, weight, bias):
        super().__init__()
        self.weight, self.bias = torch.nn.Parameter(weight), torch.nn.Parameter(bias)

    def forward(self, x):
        return x @ self.weight + self.bias


@pytest.mark.parametrize("recipe", ["bf16-stochastic", "tesla-cfloat8"])
def test_step_of_an_mlp_equals_that_of_binade_train(recipe, tmp_path):
    images, labels = data(tmp_path)

    def trained(steps):
        folder = tmp_path / f"after{steps}"
        arguments = f"train mlp --data fashion-mnist:{tmp_path} --seeds 1 --plain".split()
        arguments += ["--arith", recipe, "--steps", str(steps), "--checkpoint", str(folder)]
        subprocess.run([sys.executable, "-m", "binade", *arguments], check=True, capture_output=True)
        (file,) = folder.glob("*.safetensors")
        return safetensors(file)

    before, after = trained(1), trained(2)
    names = ["hidden.weight", "hidden.bias", "output.weight", "output.bias"]
    model = torch.nn.Sequential()
    for layer in ("hidden", "output"):
        model.add_module(layer, Dense(*(torch.tensor(before[f"{layer}.{part}"]) for part in ("weight", "bias"))))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    stored = binade.torch.Stored(optimizer, recipe, model=model, seed=0)
    for name, parameter in model.named_parameters():
        optimizer.state[parameter]["momentum_buffer"] = torch.tensor(before[f"{name}.velocity"])
    # The words of the second step.
    stored.steps = 1
    x = torch.from_numpy(images.astype(np.float32) * np.float32(1 / 255)).reshape(100, 784)
    with binade.torch.arith(recipe, model=model, seed=0):
        hidden = torch.relu(model.hidden(x))
        torch.nn.functional.cross_entropy(model.output(hidden), torch.from_numpy(labels.astype(np.int64))).backward()
    optimizer.step()
    for name, parameter in model.named_parameters():
        for suffix, value in (("", parameter.detach()), (".velocity", optimizer.state[parameter]["momentum_buffer"])):
            want, found, was = after[name + suffix], value.numpy(), before[name + suffix]
            assert not np.array_equal(want, was)
            if recipe == "bf16-stochastic":
                # Sums over the batch are in the order of the batch, and logarithms differ by a last bit: few roundings do.
                assert (want == found).mean() > 0.97, name + suffix
            assert np.abs(want - found).max() <= 0.15 * np.abs(want).max(), name + suffix
    assert {name for name, _ in model.named_parameters()} == set(names)


def test_example_of_the_guide_resumes_with_the_same_bits(tmp_path, monkeypatch, capsys):
    guide = Path(__file__).parents[2] / "docs" / "recipes.md"
    _, _, section = guide.read_text().partition("\n## In PyTorch\n")
    code = section.partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, str(guide), "exec"), {})
    assert capsys.readouterr().out.startswith("0.weight 1")
