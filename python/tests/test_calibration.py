"""`binade.torch.calibrate` and static scales, beside plain PyTorch and compressed-tensors."""

import json
import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import binade.torch  # noqa: E402
from binade._binade import Quantizer, Recipe  # noqa: E402
from binade._calibration import FORMATS, Calibration, Histogram, Observed  # noqa: E402
from binade._inference_torch import CacheFormat, clipped, static_quantizer  # noqa: E402


def network(seed=0):
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Linear(64, 96), torch.nn.GELU(), torch.nn.Linear(96, 32)).requires_grad_(False)


def observed(values):
    histogram = Histogram()
    histogram.add(np.asarray(values, np.float32))
    return histogram.observed()


def e4m3_of(x, clip):
    """PyTorch's own static quantisation to FP8."""
    scale = clip / 448
    return (x / scale).clamp(-448, 448).to(torch.float8_e4m3fn).double() * scale


# Histograms


@pytest.mark.parametrize("kind", ["normal", "heavy", "constant", "tiny"])
def test_figures_of_many_arrays_equal_those_of_pytorch_on_all_at_once(kind):
    generator = torch.Generator().manual_seed(4)
    x = torch.randn(10_000, generator=generator)
    x = {"normal": x, "heavy": x**5, "constant": torch.full_like(x, -3.0), "tiny": x * 1e-39}[kind]
    histogram = Histogram()
    for part in x.split(1701):
        histogram.add(part.numpy())
    got = histogram.observed()
    assert got.elements == 10_000 and got.not_finite == 0 and got.largest == x.abs().max().item()
    for name, value in got.percentiles.items():
        low, high = (torch.quantile(x.double().abs(), float(name) / 100, interpolation=which).item() for which in ("lower", "higher"))
        assert low * (1 - 1 / 64) - 1e-40 <= value <= high * (1 + 1 / 64) + 1e-40


@pytest.mark.parametrize("spread", [1, 3, 5])
def test_clip_of_least_error_is_as_good_as_the_best_that_pytorch_finds(spread):
    x = torch.randn(10_000, generator=torch.Generator().manual_seed(spread)).double() ** spread
    largest = x.abs().max().item()
    clips = [largest * 2 ** (-k / 16) for k in range(120)]
    best = min(((e4m3_of(x, clip) - x) ** 2).mean().item() for clip in clips)
    found = observed(x.float().numpy()).mse["float8_e4m3fn"]
    assert ((e4m3_of(x, found) - x) ** 2).mean().item() <= 1.02 * best


def test_clip_of_four_bits_is_less_than_the_largest_magnitude():
    x = torch.randn(10_000, generator=torch.Generator().manual_seed(9))
    numbers = torch.tensor([0.0, 0.5, 1, 1.5, 2, 3, 4, 6])

    def error(clip):
        scaled = (x.abs() / (clip / 6)).clamp(max=6)
        nearest = numbers[(scaled[:, None] - numbers).abs().argmin(1)]
        return ((nearest * (clip / 6) - x.abs()) ** 2).mean().item()

    largest = x.abs().max().item()
    found = observed(x.numpy()).mse["float4_e2m1fn"]
    assert found < 0.9 * largest and error(found) <= 1.02 * min(error(largest * 2 ** (-k / 16)) for k in range(50))


def test_memory_of_a_histogram_does_not_grow():
    histogram = Histogram()
    sizes = set()
    for power in range(-60, 60, 10):
        histogram.add(np.float32(2.0) ** np.arange(power, power + 8, dtype=np.float32))
        sizes.add(histogram.counts.nbytes)
    assert len(sizes) == 1 and histogram.counts.sum() == 96


def test_nan_and_infinities_are_counted_and_leave_the_other_figures():
    values = np.array([1, -2, np.nan, np.inf, -np.inf, 0], np.float32)
    got = observed(values)
    assert (got.elements, got.not_finite, got.largest) == (6, 3, 2.0)
    assert got.percentiles == observed(values[[0, 1, 5]]).percentiles
    nothing = observed([np.nan, np.inf])
    assert nothing.largest == 0 and set(nothing.percentiles.values()) == {0.0} and nothing.mse["float8_e4m3fn"] == 0


# Calibration


def test_calibrate_observes_the_inputs_of_each_linear_layer():
    net = network()
    batches = torch.randn(3, 10, 64, generator=torch.Generator().manual_seed(1))
    done = []
    calibration = binade.torch.calibrate(net, batches, name="net", progress=done.append)
    x = batches.reshape(-1, 64)
    hidden = torch.nn.functional.gelu(net[0](x))
    assert list(calibration.inputs) == ["0", "2"] and not calibration.keys and done == [1, 2, 3] and calibration.tokens == 30
    assert calibration.inputs["0"].largest == x.abs().max().item()
    assert calibration.inputs["2"].largest == pytest.approx(hidden.abs().max().item(), rel=1e-6)
    assert calibration.inputs["2"].elements == hidden.numel()
    assert not net[0]._forward_pre_hooks and not net[0]._forward_hooks


def test_calibrate_takes_keywords_tuples_and_other_types():
    class Two(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(4, 4)

        def forward(self, x, y=None):
            return self.layer(input=x if y is None else x + y)

    net, one = Two().bfloat16(), torch.ones(2, 4, dtype=torch.bfloat16)
    calibration = binade.torch.calibrate(net, [{"x": one, "y": 3 * one}, (one, one), one])
    assert calibration.inputs["layer"].largest == 4 and calibration.inputs["layer"].elements == 24 and calibration.model == "Two"


def test_calibrate_names_layers_with_nan():
    net = network()
    net[0].bias[3] = math.nan
    calibration = binade.torch.calibrate(net, [torch.randn(5, 64)])
    assert calibration.inputs["0"].not_finite == 0 and calibration.inputs["2"].not_finite == 5
    assert math.isfinite(calibration.inputs["2"].largest)


def test_calibrate_without_batches_or_linear_layers_is_an_error():
    with pytest.raises(ValueError, match="at least one batch"):
        binade.torch.calibrate(network(), [])
    with pytest.raises(ValueError, match="no linear layers"):
        binade.torch.calibrate(torch.nn.ReLU(), [torch.ones(1)])


def test_calibrate_ends_its_hooks_after_an_error():
    net = network()
    with pytest.raises(RuntimeError):
        binade.torch.calibrate(net, [torch.ones(2, 5)])
    assert not net[0]._forward_pre_hooks


# The file


def test_calibration_is_read_as_it_was_written(tmp_path):
    calibration = binade.torch.calibrate(network(), [torch.randn(5, 64)])
    calibration.save(tmp_path / "a.json")
    assert Calibration.load(tmp_path / "a.json") == calibration and [p.name for p in tmp_path.iterdir()] == ["a.json"]
    plain = json.loads((tmp_path / "a.json").read_text())
    assert list(plain) == ["kind", "binade", "model", "tokens", "inputs", "keys", "values"] and plain["kind"] == "binade calibration"
    assert set(plain["inputs"]["0"]) == {"elements", "not_finite", "largest", "percentiles", "mse"}
    assert set(plain["inputs"]["0"]["percentiles"]) == {"99", "99.9", "99.99"} and set(plain["inputs"]["0"]["mse"]) == set(FORMATS)


def test_table_of_a_calibration_has_a_line_for_each_layer():
    lines = repr(binade.torch.calibrate(network(), [torch.ones(1, 64)], name="net")).splitlines()
    assert lines[0] == "net, 1 tokens" and lines[1].split()[:2] == ["inputs", "elements"] and [line.split()[0] for line in lines[2:]] == ["0", "2"]


def test_notes_name_unknown_layers_and_numbers_without_a_scale():
    calibration = Calibration("m", 1)
    for name in "abcde":
        calibration.inputs[name] = Observed(9, 2 if name in "ab" else 0, 1.0, {}, {})
    calibration.keys["a"] = Observed(9, 1, 1.0, {}, {})
    assert calibration.notes("edcba") == [
        "calibration: 4 infinities and NaNs in inputs of a, b, which no scale counts",
        "calibration: 1 infinities and NaNs in keys of a, which no scale counts",
    ]
    assert calibration.notes("a")[0] == "calibration: the model does not have 4 of its 5 layers: b, c, d and 1 more"
    with pytest.raises(ValueError, match="none of its layers is in the model, such as a, b, c and 2 more"):
        calibration.notes(["x"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", 'no "kind": "binade calibration"'),
        ('{"kind": "binade calibration", "inputs": []}', "inputs must be an object of layers: got list"),
        ('{"kind": "binade calibration", "inputs": {"a": {}}}', "inputs.a.largest is missing"),
        ('{"kind": "binade calibration", "inputs": {"a": {"largest": -1}}}', "inputs.a.largest must be a finite magnitude"),
        ('{"kind": "binade calibration", "inputs": {"a": {"largest": 1e300}}}', "inputs.a.largest must be at most 3.4028235e+38, the largest binary32"),
        ('{"kind": "binade calibration", "inputs": {"a": {"largest": NaN}}}', "got nan"),
        ('{"kind": "binade calibration", "keys": {"a": {"largest": 1, "mse": {"x": "2"}}}}', "keys.a.mse.x must be a finite magnitude"),
        ('{"kind": "binade calibration", "tokens": -1}', "tokens must be a whole number"),
        ('{"kind": "binade calibration", "input": {}}', "unknown field input: must be one of kind, binade, model, tokens, inputs, keys, values"),
        (
            '{"kind": "binade calibration", "keys": {"a": {"largest": 1, "maximum": 1}}}',
            "keys.a: unknown field maximum: must be one of elements, not_finite, largest, percentiles, mse",
        ),
        ('{"kind": "binade calibration", "inputs": {"a": {"largest": 1}}}', "inputs.a.elements is missing"),
        (
            '{"kind": "binade calibration", "inputs": {"a": {"elements": 2, "not_finite": 3, "largest": 1}}}',
            "inputs.a.not_finite must be at most elements, 2: got 3",
        ),
    ],
)
def test_file_that_is_no_calibration_says_where(tmp_path, text, message):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ValueError) as error:
        Calibration.load(tmp_path / "a.json")
    assert message in str(error.value) and "a.json" in str(error.value)


# Static scales


def test_static_quantizers_are_those_with_a_scale_of_a_tensor():
    assert static_quantizer("float8_e4m3fn/scale=token") == static_quantizer("float8_e4m3fn") == "float8_e4m3fn/scale=tensor"
    assert static_quantizer("nvfp4/rounding=stochastic") == "nvfp4/rounding=stochastic"
    assert [static_quantizer(name) for name in ("mxfp4", "mxfp8_e4m3", "float8_e4m3fn/scale=1x128", "bf16", "none")] == [None] * 5
    # Blocks of several tokens, and rotations before the scale.
    assert [static_quantizer(name) for name in ("nvfp4/scale=16x16", "nvfp4/hadamard=16", "float8_e4m3fn/scale=tensor/hadamard=16")] == [None] * 3


def identity(recipe, x, clip):
    """The inputs of a layer as a recipe quantises them: its weight is the identity."""
    net = torch.nn.Sequential(torch.nn.Linear(x.shape[1], x.shape[1], bias=False)).requires_grad_(False)
    net[0].weight.copy_(torch.eye(x.shape[1]))
    calibration = Calibration("identity", 1, {"0": Observed(1, 0, clip, {}, {})})
    with torch.no_grad(), binade.torch.arith(recipe, model=net, calibration=calibration):
        return net(x)


def test_static_fp8_inputs_equal_pytorch_casts():
    x = torch.randn(40, 64, generator=torch.Generator().manual_seed(2)) * 5
    recipe = Recipe.of_pairs("fp8", {"forward.activation": "float8_e4m3fn/scale=token"})
    for clip in (3.5, 448.0, 7.0):
        # Of powers of two times 7, no quotient is rounded.
        assert torch.equal(identity(recipe, x, clip), e4m3_of(x.double(), clip).float())


@pytest.mark.parametrize("clip", [3.0, 9.0, 21.0, 5.43])
def test_static_nvfp4_inputs_equal_compressed_tensors(clip):
    pytest.importorskip("compressed_tensors")
    from compressed_tensors.quantization.lifecycle.forward import fake_quantize
    from compressed_tensors.quantization.quant_scheme import preset_name_to_scheme
    from compressed_tensors.quantization.utils import calculate_qparams

    x = torch.randn(200, 64, generator=torch.Generator().manual_seed(5)) * 4
    args = preset_name_to_scheme("NVFP4", ["Linear"]).input_activations
    over = torch.tensor([448 * 6 / clip])
    groups = x.reshape(200, -1, 16)
    scales, zero = calculate_qparams(groups.amin(-1), groups.amax(-1), args, global_scale=over)
    want = fake_quantize(x, scales, zero, args, global_scale=over)
    recipe = Recipe.of_pairs("nvfp4", {"forward.activation": "nvfp4"})
    got = identity(recipe, x, clip)
    assert got.abs().max() <= clip * (1 + 1e-6)
    # Quotients that compressed-tensors rounds to binary32 before it rounds them to FP4 may be ties.
    apart = ~torch.isclose(got, want, rtol=1e-6)
    assert apart.float().mean() < 1e-3


def test_clip_of_zeros_has_the_scale_1_and_one_without_a_normal_scale_is_refused():
    x = torch.randn(8, 64, generator=torch.Generator().manual_seed(3)) * 5
    for recipe, largest in [("float8_e4m3fn/scale=token", 448.0), ("nvfp4", 2688.0)]:
        recipe = Recipe.of_pairs("r", {"forward.activation": recipe})
        assert torch.equal(identity(recipe, x, 0.0), identity(recipe, x, largest))
        with pytest.raises(ValueError, match="largest of the inputs of layer 0 is 1e-44, whose scale is below the normal binary32 numbers"):
            identity(recipe, x, 1e-44)


def test_static_scale_of_the_largest_magnitude_equals_the_dynamic_one():
    net, x = network(), torch.randn(9, 64)
    calibration = binade.torch.calibrate(net, [x])
    for recipe in ("fp8-tensorwise", "nvfp4"):
        with torch.no_grad(), binade.torch.arith(recipe, model=net):
            dynamic = net[0](x)
        with torch.no_grad(), binade.torch.arith(recipe, model=net, calibration=calibration):
            assert torch.equal(net[0](x), dynamic)
            # Under a static scale, tokens do not depend on one another.
            assert torch.equal(net[0](x[3:4]), dynamic[3:4])


def test_infinities_and_nan_stay_under_a_static_scale():
    rows = np.array([[1, np.inf, 5, np.nan], [-np.inf, -9, 0, 2]], np.float32)
    got = clipped(rows, 4.0)
    want = np.array([[1, np.inf, 4, np.nan], [-np.inf, -4, 0, 2], [4, 0, 0, 0]], np.float32)
    assert np.array_equal(got, want, equal_nan=True)
    x = torch.ones(3, 64)
    x[1, 5] = math.inf
    net = network()
    calibration = binade.torch.calibrate(net, [torch.ones(1, 64)])
    with torch.no_grad(), binade.torch.arith("w8a8", model=net, calibration=calibration) as context:
        y = net[0](x)
    assert not y[1].isfinite().any() and y[0].isfinite().all() and context.not_finite["0"]["activation"] == 1


class Turned(torch.nn.Linear):
    """A linear layer whose weight is the left operand."""

    def forward(self, x):
        return (self.weight @ x.T).T


def test_static_scale_is_the_same_for_vectors_and_for_weights_on_the_left():
    net, x = network(), torch.randn(5, 64)
    turned = torch.nn.Sequential(Turned(64, 96, bias=False)).requires_grad_(False)
    turned[0].weight.copy_(net[0].weight)
    calibration = Calibration("net", 1, {name: Observed(1, 0, 2.0, {}, {}) for name in ("0", "2")})
    with torch.no_grad(), binade.torch.arith("fp8-tensorwise", model=net, calibration=calibration):
        matrix = net[0](x)
        assert torch.equal(net[0](x[1]), matrix[1])
    with torch.no_grad(), binade.torch.arith("fp8-tensorwise", model=turned, calibration=calibration):
        assert torch.equal(turned(x) + net[0].bias, matrix)


def test_gradients_pass_through_static_scales():
    net, x = network().requires_grad_(True), torch.randn(9, 64)
    calibration = binade.torch.calibrate(net, [x])
    with binade.torch.arith("nvfp4", model=net, calibration=calibration, static="99.9"):
        net(x).square().mean().backward()
    assert net[0].weight.grad.isfinite().all() and net[0].weight.grad.abs().sum() > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"recipe": "mxfp4"}, "recipe mxfp4 has no static input scales"),
        ({"recipe": "w8a8", "static": "98"}, "static=98: did you mean 99"),
        ({"recipe": "nvfp4", "static": "mse"}, "no clip of least error for nvfp4 in layer 0"),
        ({"recipe": "w8a8", "drop": "2"}, "the calibration has no inputs of layer 2"),
        ({"recipe": "w8a8", "kv_cache": "float8_e4m3fn/scale=static"}, "no keys and values"),
    ],
)
def test_calibration_that_does_not_fit_says_why(options, message):
    net = network()
    calibration = binade.torch.calibrate(net, [torch.randn(2, 64)])
    calibration.inputs.pop(options.pop("drop", ""), None)
    recipe = options.pop("recipe")
    with pytest.raises(ValueError, match=message):
        binade.torch.arith(recipe, model=net, calibration=calibration, **options)


def test_static_scale_needs_finite_inputs():
    calibration = Calibration("net", 1, {name: Observed(4, 4, 0.0, {}, {}) for name in ("0", "2")})
    with pytest.raises(ValueError, match="no finite inputs of layer 0"):
        binade.torch.arith("w8a8", model=network(), calibration=calibration)


def test_static_cache_equals_pytorch_casts_and_other_formats_are_refused():
    states = torch.randn(2, 4, 6, 16) * 3
    got = CacheFormat("float8_e4m3fn/scale=static").values(states, 7.0)
    assert torch.equal(got, e4m3_of(states.double(), 7.0).float()) and got.abs().max() == 7
    assert torch.equal(CacheFormat("nvfp4/scale=static").values(states, states.abs().max().item()), CacheFormat("nvfp4").values(states))
    for format in ("mxfp8_e4m3/scale=static", "bf16/scale=static"):
        with pytest.raises(ValueError, match="a static scale is for FP8 formats and nvfp4"):
            CacheFormat(format)
    with pytest.raises(TypeError, match="give it as calibration="):
        binade.torch.arith("f32:f32", kv_cache="float8_e4m3fn/scale=static")


def test_static_cache_counts_its_bits():
    assert CacheFormat("float8_e5m2/scale=static").bits(64) == pytest.approx(8, abs=0.01)
    assert Quantizer("float8_e5m2/scale=tensor").name == CacheFormat("float8_e5m2/scale=static").quantizer.name
