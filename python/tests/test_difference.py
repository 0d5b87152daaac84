"""`binade.torch.first_difference` on models whose differences are known: seeded faults, two arithmetics, dumps."""

import copy
import math
import warnings

import numpy as np
import pytest

try:
    import torch
except ImportError as error:
    warnings.warn(f"tests of first_difference are skipped: {error}", stacklevel=1)
    pytest.skip(f"needs torch: {error}", allow_module_level=True)

import binade.torch  # noqa: E402
from binade.torch import dump_layers, first_difference  # noqa: E402


def transformer(layers=6):
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True, norm_first=True)
    return torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False).train()


def inputs():
    return torch.randn(2, 8, 32, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("layer", range(6))
@pytest.mark.parametrize("part", ["linear1", "linear2", "norm2", "self_attn.out_proj"])
def test_seeded_fault_in_one_layer_is_named_first(layer, part):
    model = transformer()
    faulty = copy.deepcopy(model)
    module = faulty.get_submodule(f"layers.{layer}.{part}")
    with torch.no_grad():
        module.weight.view(-1)[3] += 5.0
    found = first_difference(model, inputs(), None, faulty, threshold=1e-4)
    # The attention of PyTorch reads the weight of its projection without calling that layer.
    expected = f"layers.{layer}.{part}".removesuffix(".out_proj")
    assert found.first.name == expected
    assert found.first.entering == 0 and found.first.made == pytest.approx(found.first.leaving)
    made = {row.name for row in found.rows if row.made}
    assert made == {expected}
    assert repr(found).splitlines()[-1].startswith(f"first difference beyond 0.0001: {expected}")


def llama():
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(1)
    config = transformers.LlamaConfig(
        hidden_size=32, intermediate_size=48, num_hidden_layers=6, num_attention_heads=4, num_key_value_heads=2, vocab_size=64
    )
    return transformers.LlamaForCausalLM(config).eval()


@pytest.mark.parametrize("part", ["mlp.down_proj", "self_attn.q_proj", "input_layernorm"])
def test_fault_in_a_model_of_transformers_is_named_first(part):
    model, faulty = llama(), None
    faulty = copy.deepcopy(model)
    with torch.no_grad():
        faulty.get_submodule(f"model.layers.3.{part}").weight.mul_(1.25)
    tokens = {"input_ids": torch.arange(12)[None], "use_cache": True}
    found = first_difference(model, tokens, None, faulty)
    assert found.first.name == f"model.layers.3.{part}"
    assert {row.name for row in found.rows if row.made} == {f"model.layers.3.{part}"}


def test_fault_between_layers_is_of_the_layer_around_them():
    model = llama()
    faulty = copy.deepcopy(model)
    # The attention itself scales its scores, between its projections.
    faulty.model.layers[2].self_attn.scaling *= 2
    found = first_difference(model, {"input_ids": torch.arange(12)[None]}, None, faulty, threshold=1e-5)
    assert found.first.name == "model.layers.2.self_attn"
    assert {row.name for row in found.rows if row.made} == {"model.layers.2.self_attn"}


def test_arithmetic_differs_where_products_are():
    model = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.Tanh(), torch.nn.Linear(32, 4))
    found = first_difference(model, torch.randn(8, 32), None, "bf16:bf16", threshold=1e-4)
    made = {row.name: row.made for row in found.rows}
    assert found.first.name == "0" and made["0"] > 1e-4 and made["2"] > 1e-4 and made["1"] == 0
    # The layer's own error is that of its product on the same inputs.
    x = torch.randn(8, 32)
    with torch.no_grad(), binade.torch.arith("bf16:bf16"):
        b = model[0](x)
    a = model[0](x).detach()
    expected = float((a - b).double().norm() / b.double().norm())
    [row] = [row for row in first_difference(model, x, None, "bf16:bf16").rows if row.name == "0"]
    assert row.made == pytest.approx(expected) and row.leaving == pytest.approx(expected)


def test_units_of_the_catalogue_are_compared():
    model = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 8))
    found = first_difference(model, torch.randn(4, 256), "h100:bf16", "mi300x:bf16", threshold=0.0)
    assert found.first.name == "0" and 0 < found.first.leaving < 1e-3
    same = first_difference(model, torch.randn(4, 256), "h100:bf16", "h100:bf16", threshold=0.0)
    assert same.first is None and all(row.leaving == 0 for row in same.rows)


def test_saturating_layer_heals():
    class Sign(torch.nn.Module):
        def forward(self, x):
            return x.sign()

    model = torch.nn.Sequential(torch.nn.Linear(8, 8), Sign(), torch.nn.Linear(8, 8))
    faulty = copy.deepcopy(model)
    with torch.no_grad():
        faulty[0].weight.mul_(2)
        faulty[0].bias.mul_(2)
    found = first_difference(model, torch.randn(4, 8), None, faulty)
    assert found.first.name == "0" and [row.name for row in found.healed] == ["1"]
    assert found.rows[-1].name == "" and found.rows[-1].leaving == 0
    assert "brought back within it by 1, the first 1" in repr(found)


def test_dumps_are_compared_by_layer_name(tmp_path):
    model = transformer()
    faulty = copy.deepcopy(model)
    with torch.no_grad():
        faulty.layers[4].linear2.bias += 3
    a, b = tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    dump_layers(model, inputs(), a)
    dump_layers(faulty, inputs(), b)
    found = first_difference(None, None, a, str(b))
    assert found.first.name == "layers.4.linear2" and found.first.made is None and found.first.entering == 0
    assert first_difference(model, inputs(), None, b).first.name == "layers.4.linear2"
    assert first_difference(None, None, a, a).first is None


def test_folders_of_arrays_are_in_natural_order(tmp_path):
    for side, at in [("a", 99), ("b", 10)]:
        (tmp_path / side).mkdir()
        for layer in range(12):
            np.save(tmp_path / side / f"layers.{layer}.npy", np.float32([1, 2, 3 + (layer >= at)]))
    found = first_difference(None, None, tmp_path / "a", tmp_path / "b")
    assert [row.name for row in found.rows] == [f"layers.{layer}" for layer in range(12)]
    assert found.first.name == "layers.10"


def test_infinity_on_one_side_is_beyond_every_threshold():
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Identity())
    faulty = copy.deepcopy(model)
    with torch.no_grad():
        faulty[0].bias[0] = math.inf
    assert first_difference(model, torch.ones(1, 2), None, faulty, threshold=1e9).first.leaving == math.inf
    assert first_difference(faulty, torch.ones(1, 2), None, None).first is None


def test_bad_input_says_what_is_wrong(tmp_path):
    model = torch.nn.Linear(2, 2)
    with pytest.raises(ValueError, match="threshold=-1: must be a number of at least 0"):
        first_difference(model, torch.ones(1, 2), None, None, threshold=-1)
    with pytest.raises(ValueError, match="model is None: it may be only if a and b are both dumps"):
        first_difference(None, None, None, "bf16:bf16")
    with pytest.raises(ValueError, match="bf17"):
        first_difference(model, torch.ones(1, 2), None, "bf17:bf16")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="no tensor of floating point"):
        first_difference(None, None, tmp_path / "empty", tmp_path / "empty")
