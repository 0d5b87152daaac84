"""`binade lm` and inference under recipes, on tiny models beside plain PyTorch, transformers and compressed-tensors."""

import json
import math
import re
import subprocess
import sys
import warnings
from pathlib import Path

import binade
import numpy as np
import pytest

try:
    import torch
    import transformers
except ImportError as error:
    # Not silently: these are the tests of a whole command.
    warnings.warn(f"tests of `binade lm` are skipped: {error}", stacklevel=1)
    pytest.skip(f"needs torch and transformers: {error}", allow_module_level=True)

import binade.torch  # noqa: E402
from binade import lm  # noqa: E402
from binade._binade import Quantizer, Recipe  # noqa: E402
from binade._inference_torch import CACHES, linear_layers, replaced_weights  # noqa: E402
from binade._lm_choose_torch import blame, groups, search  # noqa: E402
from binade._lm_evaluate_torch import Evaluation, Log, Window, compared  # noqa: E402
from binade._lm_model import ModelError, check_memory, inspect, load_model, windows_of  # noqa: E402
from binade._lm_row_torch import Row, RowError  # noqa: E402

SIZES = dict(vocab_size=96, max_position_embeddings=64)


def llama(hidden=64, **more):
    torch.manual_seed(1)
    config = transformers.LlamaConfig(
        hidden_size=hidden, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        initializer_range=0.2, tie_word_embeddings=True, **SIZES, **more,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config).eval().requires_grad_(False)


def gpt2():
    torch.manual_seed(2)
    config = transformers.GPT2Config(n_embd=32, n_layer=2, n_head=2, n_positions=64, vocab_size=96, initializer_range=0.2)
    return transformers.GPT2LMHeadModel(config).eval().requires_grad_(False)


@pytest.fixture
def tokens():
    return torch.randint(0, 96, (2, 24), generator=torch.Generator().manual_seed(3))


def logits(model, row):
    with torch.no_grad():
        return model(row[None], use_cache=False).logits[0]


class Words:
    """A tokenizer: a token for each character."""

    bos_token_id = None

    def __call__(self, text, **_):
        return {"input_ids": [ord(c) % 96 for c in text]}


# Inference in binade.torch


def test_weights_are_quantised_once_and_again_after_a_change():
    net = torch.nn.Sequential(torch.nn.Linear(32, 48), torch.nn.Linear(48, 16))
    x = torch.randn(5, 32)
    with binade.torch.arith("nvfp4", model=net) as each_time:
        want = net(x)  # With gradients, nothing is kept.
    assert not each_time._roles.quantised._kept
    with torch.no_grad(), binade.torch.arith("nvfp4", model=net) as once:
        assert torch.equal(net(x), want)
        kept = [entry[1] for entry in once._roles.quantised._kept.values()]
        assert len(kept) == 2 and torch.equal(net(x), want)
        assert kept == [entry[1] for entry in once._roles.quantised._kept.values()]
        net[0].weight.mul_(2)
        changed = net(x)
    with torch.no_grad(), binade.torch.arith("nvfp4", model=net):
        assert torch.equal(net(x), changed) and not torch.equal(changed, want)


def test_stochastic_weights_are_quantised_in_each_product():
    net = torch.nn.Sequential(torch.nn.Linear(32, 16, bias=False))
    recipe = Recipe.of_pairs("own", {"forward.weight": "mxfp4/rounding=stochastic"})
    with torch.no_grad(), binade.torch.arith(recipe, model=net) as context:
        x = torch.randn(3, 32)
        assert not torch.equal(net(x), net(x)) and not context._roles.quantised._kept


@pytest.mark.parametrize("kind", ["sdpa", "eager"])
def test_attention_is_computed_in_parts(tokens, kind):
    model = llama()
    model.set_attn_implementation(kind)
    plain = logits(model, tokens[0])
    with torch.no_grad(), binade.torch.arith("bf16:bf16", model=model, layers={"*": "f32"}, attention="f32:f32") as counted:
        same = logits(model, tokens[0])
    assert counted.reached["bmm"] == 4  # Two layers, each with scores and values.
    torch.testing.assert_close(same, plain, rtol=1e-4, atol=1e-5)

    def under(**attention):
        with torch.no_grad(), binade.torch.arith("f32:f32", model=model, layers={"*": "f32"}, attention=attention):
            return logits(model, tokens[0])

    parts = [under(scores="bf16:bf16"), under(values="bf16:bf16"), under(softmax="float8_e4m3fn"), under(scores="mxfp8")]
    assert all(not torch.equal(part, plain) for part in parts)
    assert len({part.numpy().tobytes() for part in parts}) == 4
    with pytest.raises(ValueError, match="its parts are scores, softmax, values"):
        under(weights="bf16:bf16")


def test_attention_beside_a_computation_by_hand():
    layer = torch.nn.Module()
    layer.forward = torch.nn.functional.scaled_dot_product_attention
    q, k, v = torch.randn(3, 1, 2, 8, 32)
    attention = {"scores": "bf16:f32", "softmax": "bf16", "values": "h100:bf16"}
    with torch.no_grad(), binade.torch.arith("f32:f32", model=torch.nn.Sequential(layer), attention=attention):
        got = layer(q, k, v, is_causal=True)
    scores = binade.matmul(q, k.transpose(-2, -1), "bf16:f32") * 32**-0.5
    scores = scores.masked_fill(~torch.ones(8, 8, dtype=torch.bool).tril(), float("-inf"))
    probabilities = torch.softmax(scores, -1).bfloat16().float()
    assert torch.equal(got, binade.matmul(probabilities, v, "h100:bf16"))


@pytest.mark.parametrize(("format", "groups"), [("float8_e4m3fn", None), ("float8_e4m3fn/scale=tensor", "tensor"), ("float8_e4m3fn/scale=head", "head")])
def test_cache_stores_keys_and_values_in_its_format(tokens, format, groups):
    model = llama()
    plain, rounded = transformers.DynamicCache(config=model.config), transformers.DynamicCache(config=model.config)
    with torch.no_grad():
        model(tokens[:1], past_key_values=plain)
        with binade.torch.arith("f32:f32", model=model, layers={"*": "f32"}, kv_cache=format) as counted:
            model(tokens[:1], past_key_values=rounded)
    assert dict(counted.written) == {"keys": 2, "values": 2}
    own, stored = plain.layers[0].keys, rounded.layers[0].keys
    if groups is None:
        assert torch.equal(stored, own.to(torch.float8_e4m3fn).float())
    else:
        axes = (0, 1, 2, 3) if groups == "tensor" else (2, 3)
        # The recipe's rule: the largest magnitude over the largest number, in binary32.
        scale = own.abs().amax(axes, keepdim=True) / 448
        torch.testing.assert_close(stored, (own / scale).to(torch.float8_e4m3fn).float() * scale, rtol=0.07, atol=1e-3)
        assert (stored == own).sum() < own.numel() / 2 and torch.equal(stored.abs().amax(axes), own.abs().amax(axes))
    assert transformers.cache_utils.Cache.update.__name__ == "update" and "binade" not in transformers.cache_utils.Cache.update.__module__


def test_generate_reads_the_cache_in_its_format(tokens):
    model = llama()
    options = dict(max_new_tokens=6, do_sample=False, pad_token_id=0)
    with torch.no_grad(), binade.torch.arith("nvfp4", model=model, kv_cache="nvfp4", attention="bf16:f32") as counted:
        new = model.generate(tokens[:1, :8], **options)
    assert new.shape == (1, 14) and counted.written["keys"] == 2 * 6 and not math.isnan(float(new.sum()))
    with torch.no_grad(), binade.torch.arith("nvfp4", model=model, kv_cache="nvfp4", attention="bf16:f32"):
        assert torch.equal(model.generate(tokens[:1, :8], **options), new)


def test_cache_blocks_that_do_not_divide_a_head_are_an_error(tokens):
    model = llama(hidden=48)
    with torch.no_grad(), binade.torch.arith("f32:f32", model=model, layers={"*": "f32"}, kv_cache="mxfp8_e4m3"):
        with pytest.raises(ValueError, match="heads of 12 numbers are no multiple of mxfp8_e4m3's blocks of 32"):
            model(tokens[:1], past_key_values=transformers.DynamicCache(config=model.config))


# Measures


def test_measures_equal_a_plain_computation(tokens):
    model = llama()
    row = lm.evaluate(model, tokens, ["weights=mxfp4"])[0]
    losses, divergences, agrees = [], [], []
    other = llama()
    for layer in linear_layers(other):
        layer.module.weight = torch.nn.Parameter(row.row.quantised_weights(model)[dict(model.named_modules())[layer.name]])
    for window in tokens:
        p, q = logits(model, window)[:-1].double(), logits(other, window)[:-1].double()
        losses.append(torch.nn.functional.cross_entropy(q, window[1:], reduction="none"))
        divergences.append(torch.nn.functional.kl_div(q.log_softmax(-1), p.log_softmax(-1), reduction="none", log_target=True).sum(-1))
        agrees.append(p.argmax(-1) == q.argmax(-1))
    losses, divergences, agrees = map(torch.cat, (losses, divergences, agrees))
    assert row.tokens == 46
    assert row.perplexity == pytest.approx(losses.mean().exp().item(), rel=1e-12)
    assert row.perplexity_error == pytest.approx((losses.mean().exp() * losses.std() / 46**0.5).item(), rel=1e-12)
    assert row.kl_mean == pytest.approx(divergences.mean().item(), rel=1e-9)
    assert row.kl_p99 == pytest.approx(np.percentile(divergences.numpy(), 99), rel=1e-9)
    assert row.top1_agreement == agrees.double().mean().item()
    assert row.kl_mean > 0.01 and row.bits == 4.25


def test_model_as_it_is_has_no_divergence(tokens):
    row = lm.evaluate(llama(), tokens, ["f32"])[0]
    assert row.kl_mean == 0 and row.top1_agreement == 1 and row.bits == 32 and row.perplexity > 1


def test_divergence_with_nan_is_nan_and_agrees_nowhere():
    reference, other = torch.randn(4, 8), torch.randn(4, 8)
    other[1, 3] = float("nan")
    losses, divergences, agrees = compared(reference, other, torch.tensor([1, 2, 3, 4]))
    assert math.isnan(losses[1]) and math.isnan(divergences[1]) and not agrees[1]
    assert all(map(math.isfinite, divergences[:1] + divergences[2:]))


# Rows against other programs


def nearest_e2m1(x):
    numbers = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    above = np.clip(np.searchsorted(numbers, np.abs(x)), 1, 7)
    low, high = numbers[above - 1], numbers[above]
    up = (np.abs(x) > (low + high) / 2) | ((np.abs(x) == (low + high) / 2) & (above % 2 == 0))
    return np.copysign(np.where(up, high, low), x)


@pytest.mark.parametrize("format", ["mxfp4", "nvfp4"])
def test_rows_equal_compressed_tensors_emulation(tokens, format):
    """Weights and activations by compressed-tensors' own functions, and PyTorch's products, which add in another order."""
    pytest.importorskip("compressed_tensors")
    from compressed_tensors.quantization.lifecycle.forward import fake_quantize
    from compressed_tensors.quantization.quant_scheme import preset_name_to_scheme
    from compressed_tensors.quantization.utils import calculate_qparams, generate_gparam

    scheme = preset_name_to_scheme({"mxfp4": "MXFP4", "nvfp4": "NVFP4"}[format], ["Linear"])

    def fake(x, arguments):
        flat = x.reshape(-1, x.shape[-1])
        blocks = flat.reshape(flat.shape[0], -1, arguments.group_size)
        over = generate_gparam(flat.min().reshape(1), flat.max().reshape(1)) if format == "nvfp4" else None
        scale, zero = calculate_qparams(blocks.amin(-1), blocks.amax(-1), arguments, global_scale=over)
        return fake_quantize(flat, scale, zero, arguments.model_copy(update={"dynamic": False}), global_scale=over).reshape(x.shape)

    model, other = llama(), llama()
    for layer in linear_layers(other):
        layer.module.weight = torch.nn.Parameter(fake(layer.module.weight, scheme.weights))
        layer.module.register_forward_pre_hook(lambda _, inputs: (fake(inputs[0], scheme.weights),))
    # compressed-tensors rounds the scales of MXFP4 to even.
    row = Row.parse("weights=mxfp4/rule=even+activations=mxfp4/rule=even" if format == "mxfp4" else "nvfp4")
    window = tokens[0]
    with torch.no_grad(), row.context(model, None):
        got = logits(model, window)
    want = logits(other, window)
    # One element that rounds to a neighbour for another sum changes logits by far more than this in most positions.
    close = torch.isclose(got, want, rtol=1e-3, atol=1e-3).all(-1)
    assert close[:4].all() and close.float().mean() > 0.5, (got - want).abs().amax(-1)


@pytest.mark.parametrize(("layout", "format"), [("ct-mxfp4", "mxfp4"), ("ct-fp8", "float8_e4m3fn/scale=row")])
def test_weights_only_row_equals_the_written_checkpoint(tmp_path, tokens, layout, format):
    model = llama()
    model.save_pretrained(tmp_path / "model")
    binade.run_command("quantize", tmp_path / "model", tmp_path / "out", "--layout", layout)
    source = inspect(tmp_path / "out")
    assert source.quantised and source.bits < 24
    loaded = load_model(source)
    row = Row.parse(f"weights={format}+leave=lm_head")
    with replaced_weights(row.quantised_weights(model)):
        ours = logits(model, tokens[0])
    assert torch.equal(ours, logits(loaded, tokens[0])) and not torch.equal(ours, logits(model, tokens[0]))


def test_weights_in_nvfp4_differ_from_a_checkpoint_where_fused_layers_share_a_scale(tmp_path):
    model = llama()
    model.save_pretrained(tmp_path / "model")
    binade.run_command("quantize", tmp_path / "model", tmp_path / "out", "--layout", "modelopt-nvfp4")
    written = dict(load_model(inspect(tmp_path / "out")).named_modules())
    weights = Row.parse("weights=nvfp4+leave=lm_head").quantised_weights(model)
    same = {name for name, module in model.named_modules() if module in weights and torch.equal(weights[module], written[name].weight)}
    fused = ({"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}, {"mlp.gate_proj", "mlp.up_proj"})
    for layer in ("model.layers.0", "model.layers.1"):
        assert {f"{layer}.self_attn.o_proj", f"{layer}.mlp.down_proj"} <= same
        # The scale of all is that of the one with the largest weight.
        assert all(sum(f"{layer}.{name}" in same for name in names) == 1 for names in fused)


def test_written_checkpoint_loaded_by_transformers_has_the_same_logits(tmp_path, tokens):
    """The checkpoint as transformers itself decodes it, with compressed-tensors."""
    pytest.importorskip("compressed_tensors")
    model = llama()
    model.save_pretrained(tmp_path / "model")
    binade.run_command("quantize", tmp_path / "model", tmp_path / "out", "--layout", "ct-mxfp4")
    config = transformers.CompressedTensorsConfig(run_compressed=False)
    try:
        loaded = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "out", dtype=torch.float32, quantization_config=config)
    except (ImportError, NotImplementedError) as error:
        pytest.skip(f"transformers cannot decode it here: {error}")
    row = Row.parse("weights=mxfp4+leave=lm_head")
    with replaced_weights(row.quantised_weights(model)):
        assert torch.equal(logits(model, tokens[0]), logits(loaded.eval(), tokens[0]))


def test_checkpoint_row_equals_the_weights_only_row(tmp_path, tokens):
    model = llama()
    model.save_pretrained(tmp_path / "model")
    binade.run_command("quantize", tmp_path / "model", tmp_path / "out", "--layout", "ct-mxfp4")
    evaluation = Evaluation(model, tokens, load=lambda path: load_model(inspect(path)))
    rows = [evaluation.row(Row.parse(text)) for text in (f"checkpoint={tmp_path / 'out'}", "weights=mxfp4+leave=lm_head")]
    assert rows[0].kl_mean == rows[1].kl_mean > 0 and rows[0].perplexity == rows[1].perplexity


def test_weights_of_gpt2_are_quantised_along_their_inputs(tokens):
    model = gpt2()
    layer = next(layer for layer in linear_layers(model) if layer.name.endswith("c_attn"))
    assert layer.transposed and (layer.outputs, layer.inputs) == (96, 32)
    weight = Row.parse("weights=mxfp4").quantised_weights(model)[layer.module]
    want = Quantizer("mxfp4").quantize(np.ascontiguousarray(layer.module.weight.T.numpy()).reshape(-1), 32).reshape(96, 32).T
    assert np.array_equal(weight.numpy(), want)
    rows = lm.evaluate(model, tokens, ["nvfp4", "h100:bf16"])
    assert rows[0].kl_mean > rows[1].kl_mean > 0


# Rows


def test_rows_have_the_same_bits_for_any_threads(tokens):
    model = llama()
    rows = ["nvfp4", "bf16-stochastic", "fp8-rowwise@h100+attention=bf16:f32+kv=float8_e4m3fn/scale=row"]
    one, two = (lm.evaluate(model, tokens, rows, threads=threads, seed=5) for threads in (1, 2))
    assert [r.to_json() | {"seconds": 0} for r in one] == [r.to_json() | {"seconds": 0} for r in two]


def test_row_texts_are_read():
    row = Row.parse("nvfp4-training@b200+kv=float8_e4m3fn/scale=head+attention=bf16:f32+softmax=bf16+leave=*.down_proj")
    assert row.arithmetic.name == "nvfp4-training@b200" and row.leave == ("*.down_proj", "last")
    assert dict(row.attention) == {"scores": "bf16:f32", "values": "bf16:f32", "softmax": "bf16"}
    assert Row.parse("f32").is_reference and not Row.parse("f32+kv=nvfp4").is_reference
    own = Row.parse("weights=nvfp4+activations=float8_e4m3fn/scale=row+sums=bf16").arithmetic
    assert own.pairs["forward.weight"] == "nvfp4" and own.pairs["forward.sums"] == "bf16"
    assert Row.parse("nvfp4").without(["a", "b"]).text == "nvfp4+leave=a,b"
    assert Row.parse("nvfp4+leave=a+kv=nvfp4").without(["b"]).text == "nvfp4+kv=nvfp4+leave=a,b"
    assert Row.parse("nvfp4+leave=a+kv=nvfp4").with_only(["b"]).text == "nvfp4+leave=a+only=b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nvfp5", "there is no recipe 'nvfp5': did you mean nvfp4"),
        ("h101:e4m3", "h101"),
        ("nvfp4@h100", "h100 has no instruction for float4_e2m1fn"),
        ("nvfp4+kw=nvfp4", "did you mean kv="),
        ("nvfp4+kv=float8_e4m4fn", "float8_e4m3fn"),
        ("nvfp4+weights=mxfp4", "for rows without a recipe"),
        ("nvfp4+kv=bf16+kv=f16", "names kv= twice"),
        ("checkpoint=a+weights=mxfp4", "takes no recipe"),
        ("w8a8+static=98", "did you mean 99"),
        ("mxfp8+static=largest", "static= is for recipes whose activations are FP8"),
        ("f32+kv=mxfp4/scale=static", "a static scale is for FP8 formats and nvfp4"),
    ],
)
def test_row_that_is_wrong_says_what_is_right(text, message):
    with pytest.raises(RowError, match=message.replace("(", r"\(")):
        Row.parse(text)


def test_leave_that_fits_no_layer_names_the_nearest(tokens):
    with pytest.raises(RowError, match="leave=model.layers.0.mlp.donw_proj fits no linear layer: did you mean model.layers.0.mlp.down_proj"):
        lm.evaluate(llama(), tokens, ["nvfp4+leave=model.layers.0.mlp.donw_proj"])


def test_blocks_that_do_not_divide_a_row_name_the_layer(tokens):
    model = llama(hidden=48)  # 48 is no multiple of 32.
    with pytest.raises(RowError, match="layer model.layers.0.self_attn.q_proj, and of 12 more layers: rows of 48 weights are no multiple of mxfp4's blocks of 32"):
        lm.evaluate(model, tokens, ["mxfp4"])
    left, padded = (lm.evaluate(model, tokens, ["mxfp4"], ragged=how)[0] for how in ("leave", "pad"))
    assert 4.25 <= padded.bits < left.bits < 32 and 0 < left.kl_mean and left.kl_mean != padded.kl_mean


def test_last_layer_stays_as_the_recipe_says(tokens):
    model = llama()
    names = [layer.name for layer in Row.parse("nvfp4-training").chosen(model)]
    assert "lm_head" not in names and len(names) == 14
    assert "lm_head" in [layer.name for layer in Row.parse("nvfp4").chosen(model)]
    assert {layer.name for layer in Row.parse("nvfp4+only=q_proj").chosen(model)} == {f"model.layers.{n}.self_attn.q_proj" for n in (0, 1)}


def test_overflow_is_counted_by_layer_and_stays_nan(tokens):
    model = llama()
    model.model.layers[1].mlp.up_proj.weight.mul_(1e4)
    row = lm.evaluate(model, tokens, ["weights=none+activations=float8_e4m3fn"])[0]
    assert math.isnan(row.perplexity) and row.top1_agreement < 1
    assert next(iter(row.not_finite)) == "model.layers.1.mlp.down_proj" and "lm_head" in row.not_finite
    assert row.to_json()["perplexity"] is None and json.dumps(row.to_json(), allow_nan=False)


# Static scales


def test_calibration_has_keys_and_values_as_they_enter_the_cache(tokens):
    model = llama()
    calibration = binade.torch.calibrate(model, tokens.split(1))
    cache = transformers.DynamicCache(config=model.config)
    with torch.no_grad():
        model(tokens[:1], past_key_values=cache)
        hidden = model.model(tokens).last_hidden_state
    names = ["model.layers.0.self_attn", "model.layers.1.self_attn"]
    assert list(calibration.keys) == list(calibration.values) == names and calibration.tokens == 48
    for name, layer in zip(names, cache.layers):
        assert calibration.keys[name].largest >= layer.keys.abs().max().item() > 0
        assert calibration.values[name].largest >= layer.values.abs().max().item() > 0
        assert calibration.values[name].elements == 2 * layer.values.numel()
    assert list(calibration.inputs) == [layer.name for layer in linear_layers(model)]
    assert calibration.inputs["lm_head"].largest == pytest.approx(hidden.abs().max().item(), rel=1e-5)
    assert transformers.cache_utils.Cache.update.__name__ == "update" and not CACHES._open


def test_calibration_sees_the_cache_of_an_arithmetic_around_it(tokens):
    model = llama()
    with binade.torch.arith("f32:f32", model=model, layers={"*": "f32"}, kv_cache="float8_e4m3fn") as context:
        rounded = binade.torch.calibrate(model, [tokens])
    assert context.written["keys"] == 2
    largest = torch.tensor(rounded.keys["model.layers.0.self_attn"].largest)
    assert largest.to(torch.float8_e4m3fn).float() == largest


def test_static_rows_equal_compressed_tensors_emulation(tokens):
    """FP8 by tensor: weights and inputs by compressed-tensors' functions with static scales, and PyTorch's products."""
    pytest.importorskip("compressed_tensors")
    from compressed_tensors.quantization.lifecycle.forward import fake_quantize
    from compressed_tensors.quantization.quant_scheme import preset_name_to_scheme
    from compressed_tensors.quantization.utils import calculate_qparams

    model = llama()
    calibration = binade.torch.calibrate(model, [tokens])
    scheme = preset_name_to_scheme("FP8", ["Linear"])
    other = llama()
    for layer in linear_layers(other):
        weight = layer.module.weight
        scale, zero = calculate_qparams(weight.min(), weight.max(), scheme.weights)
        layer.module.weight = torch.nn.Parameter(fake_quantize(weight, scale, zero, scheme.weights), requires_grad=False)
        most = torch.tensor([calibration.inputs[layer.name].largest])
        of_input, zero = calculate_qparams(-most, most, scheme.input_activations)
        layer.module.register_forward_pre_hook(
            lambda module, inputs, scale=of_input, zero=zero: fake_quantize(inputs[0], scale, zero, scheme.input_activations)
        )
    evaluation = Evaluation(model, tokens, calibration=calibration)
    row = Row.parse("weights=float8_e4m3fn/scale=tensor+activations=float8_e4m3fn/scale=tensor+static=largest")
    with row.context(model, None, calibration):
        own = logits(model, tokens[0])
    want = logits(other, tokens[0])
    plain = logits(model, tokens[0])
    # Sums in another order move single activations to a neighbouring number.
    far = (own - want).abs() > 1e-3 * want.abs().max()
    assert far.float().mean() < 0.2 and (own - want).abs().mean() < 0.1 * (own - plain).abs().mean()
    assert evaluation.row(row).kl_mean > 0


def test_rows_with_static_scales_stand_beside_dynamic_ones():
    assert Row.parse("w8a8@h100+kv=float8_e4m3fn").with_static().text == "w8a8@h100+kv=float8_e4m3fn/scale=static+static=largest"
    assert Row.parse("nvfp4+leave=lm_head").with_static().text == "nvfp4+leave=lm_head+static=largest"
    assert Row.parse("f32+kv=float8_e4m3fn").with_static().text == "f32+kv=float8_e4m3fn/scale=static"
    assert [Row.parse(text).with_static() for text in ("mxfp4", "f32", "bf16:f32", "weights=nvfp4", "w8a8+static=99", "f32+kv=nvfp4")] == [None] * 6


def test_static_row_of_the_calibrated_text_is_near_the_dynamic_one(tokens):
    model = llama()
    calibration = binade.torch.calibrate(model, tokens.split(1))
    texts = ["fp8-tensorwise", "fp8-tensorwise+static=largest", "fp8-tensorwise+static=mse", "f32+kv=float8_e4m3fn/scale=static"]
    dynamic, static, by_error, cache = lm.evaluate(model, tokens, texts, calibration=calibration)
    assert 0 < static.kl_mean < 1.5 * dynamic.kl_mean and static.kl_mean != by_error.kl_mean > 0 and 0 < cache.kl_mean < static.kl_mean
    with pytest.raises(RowError, match="name its file with --calibration"):
        lm.evaluate(model, tokens, texts[1:2])
    calibration.inputs.pop("lm_head")
    with pytest.raises(RowError, match="no inputs of layer lm_head"):
        lm.evaluate(model, tokens, texts[1:2], calibration=calibration)
    left = lm.evaluate(model, tokens, ["fp8-tensorwise+static=largest+leave=lm_head"], calibration=calibration)[0]
    assert left.kl_mean > 0


# Layers that cost most


def test_groups_are_layers_blocks_and_kinds():
    layers = linear_layers(llama())
    assert len(groups(layers, "layer")) == 15
    assert [group.pattern for group in groups(layers, "block")] == ["model.layers.0", "model.layers.1", "lm_head"]
    assert [group.pattern for group in groups(layers, "kind")][-2:] == ["down_proj", "lm_head"]


def test_search_stays_within_its_budget_and_takes_all_if_it_may(tokens):
    evaluation = Evaluation(llama(), tokens)
    row = Row.parse("weights=mxfp4")
    blamed = list(blame(evaluation, row, "block"))
    assert [each.result.kl_mean > 0 for each in blamed] == [True] * 3
    whole = evaluation.row(row)
    budget = whole.kl_mean * 0.7
    found = search(evaluation, row, blamed, budget)
    assert 0 < found.result.kl_mean <= budget and found.left and 4.25 < found.result.bits < 32
    assert search(evaluation, row, blamed, 1e9).result.kl_mean == whole.kl_mean
    assert search(evaluation, row, blamed, 0.0).result.bits == 32


# The log, the windows and models


def test_log_continues_and_refuses_another_run(tmp_path, tokens):
    model, file = llama(), tmp_path / "lm.jsonl"
    of = {"fingerprint": "a", "windows": "2x24", "seed": 0}
    row = Row.parse("nvfp4")
    windows = Evaluation(model, tokens, log=Log(file, of)).each(row)
    next(iter(windows))  # Interrupted after the first.
    with file.open("a") as opened:
        opened.write('{"recipe": "nvf')
    evaluation = Evaluation(model, tokens, log=Log(file, of))
    assert list(evaluation.log.done) == [("nvfp4", 0)]
    resumed = evaluation.row(row)
    assert resumed.kl_mean == Evaluation(model, tokens).row(row).kl_mean
    assert len(file.read_text().splitlines()) == 3 and Log(file, of).done[("nvfp4", 1)].losses == resumed.windows[1].losses
    with pytest.raises(ModelError, match="fingerprint differ"):
        Log(file, of | {"fingerprint": "b"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"losses": "losss"}, "missing field losses: a window has agrees, divergences"),
        ({"recipe": "recipes"}, "recipe must be a text: got None"),
        ({"window": "windows"}, "window must be a number: got None"),
        ({"agrees": [1, 1]}, "agrees must be a list of booleans: got 1"),
        ({"divergences": [0.5, "x"]}, "divergences must be numbers: got 'x'"),
        ({"losses": 3}, "losses must be a list: got 3"),
        ({"losses": [1.0]}, "losses, divergences and agrees must have an entry for each position"),
        ({"not_finite": []}, "not_finite must be an object of counts"),
    ],
)
def test_field_of_a_log_that_is_misspelt_or_of_a_wrong_type_is_named(tmp_path, change, message):
    file, of = tmp_path / "lm.jsonl", {"fingerprint": "a"}
    line = {"recipe": "f32", "window": 0, **Window([1.0, 2.0], [0.0, 0.5], [True, False], {}, {}, 1.0).to_json()}
    ((name, to),) = change.items()
    value = line.pop(name)
    line |= {to: value} if isinstance(to, str) else change
    file.write_text(json.dumps({"binade_lm": 1, **of}) + "\n" + json.dumps(line) + "\n")
    with pytest.raises(ModelError, match="lm.jsonl:2: not the log of `binade lm`: .*" + re.escape(message)):
        Log(file, of)


def test_windows_are_spread_over_the_text_and_a_short_one_says_what_fits():
    text = "".join(chr(32 + n % 90) for n in range(100))
    windows = windows_of(Words(), text, 3, 10)
    assert windows.shape == (3, 10) and windows[2].tolist() == [ord(c) % 96 for c in text[90:]]
    with pytest.raises(ModelError, match="it has 100 tokens, and 4x32 windows need 128: give more text, or --windows 3x32"):
        windows_of(Words(), text, 4, 32)
    with pytest.raises(ModelError, match="--windows 1x100"):
        windows_of(Words(), text, 4, 512)


def test_model_larger_than_memory_is_refused_before_it_is_loaded(tmp_path, monkeypatch):
    llama().save_pretrained(tmp_path)
    source = inspect(tmp_path)
    assert source.weights == sum(p.numel() for p in llama().parameters()) and source.bits == 32
    check_memory(source, 2, 512)
    monkeypatch.setattr("binade._lm_model.available_memory", lambda: 100_000)
    with pytest.raises(ModelError, match="does not fit into memory: 67,904 weights need"):
        check_memory(source, 1, 64)
    with pytest.raises(ModelError, match="with a quantised copy and a checkpoint beside them"):
        check_memory(source, 2, 64, [source])


def test_command_refuses_a_large_model_from_its_headers(folder, command):
    """A file of 2 TiB of weights, of which the disk has the header alone."""
    file = folder / "model" / "model.safetensors"
    rows = 1 << 27
    tensors = {"model.layers.0.mlp.up_proj.weight": {"dtype": "F32", "shape": [rows, 4096], "data_offsets": [0, rows * 4096 * 4]}}
    header = json.dumps(tensors).encode()
    file.write_bytes(len(header).to_bytes(8, "little") + header)
    code, _, err = command(folder / "model", "--recipe", "nvfp4", "--text", folder / "text", "--windows", "1x24")
    assert code == 2 and "549,755,813,888 weights need 4096.0 GiB in binary32 with a quantised copy, and " in err and "available" in err
    assert "4096.0 GiB" not in command(folder / "model", "--text", folder / "text", "--windows", "1x24")[2]


def test_quantised_model_needs_space_for_a_temporary_file(tmp_path, monkeypatch):
    llama().save_pretrained(tmp_path / "model")
    binade.run_command("quantize", tmp_path / "model", tmp_path / "out", "--layout", "ct-mxfp4")
    source = inspect(tmp_path / "out")
    check_memory(source, 1, 24)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(ModelError, match="its dequantised weights need a temporary file of"):
        check_memory(source, 1, 24)


def test_paths_that_are_no_models_say_so(tmp_path):
    with pytest.raises(ModelError, match="no such file or folder"):
        inspect(tmp_path / "none")
    with pytest.raises(ModelError, match="there is no config.json"):
        inspect(tmp_path)
    for name, data in [("a.gguf", b"GGUF\x03\0\0"), ("b.gguf", b"GGML"), ("c.gguf", b"")]:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ModelError, match="no GGUF file"):
            inspect(tmp_path / name)
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"\xff" * 16)
    with pytest.raises(ModelError, match="its header is longer than the file"):
        inspect(tmp_path)


@pytest.fixture
def folder(tmp_path):
    """A model's folder with a tokenizer of characters, and a text."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    llama().save_pretrained(tmp_path / "model")
    vocabulary = {chr(32 + n): n for n in range(95)} | {"\n": 95}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=" "))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(tmp_path / "model")
    (tmp_path / "text").write_text("In the beginning God created the heaven and the earth.\n" * 8)
    return tmp_path


@pytest.fixture
def command(capsys):
    """The command in this process: its exit code, standard output and standard error."""

    def run(*arguments):
        code = lm.main(list(map(str, arguments)))
        return code, *capsys.readouterr()

    return run


def test_command_prints_a_row_a_recipe_and_writes_a_page(folder, command):
    page = folder / "page.html"
    code, out, err = command(
        folder / "model", "--recipe", "nvfp4", "--recipe", "h100:bf16", "--kv", "float8_e4m3fn",
        "--text", folder / "text", "--windows", "2x24", "--report", page, "--json",
    )  # fmt: skip
    assert code == 0, err
    plain = json.loads(out)
    assert [row["recipe"] for row in plain["rows"]] == ["f32", "nvfp4+kv=float8_e4m3fn", "h100:bf16+kv=float8_e4m3fn"]
    assert plain["rows"][1]["kl_mean"] > plain["rows"][2]["kl_mean"] > 0 and plain["rows"][1]["bits_per_weight"] < 5
    html = page.read_text()
    style = Path(__file__).resolve().parents[2] / "crates/binade-page/src/page.css"
    assert f"<style>\n{style.read_text()}</style>" in html
    assert "nvfp4+kv=float8_e4m3fn" in html and "<svg" in html and "http" not in html and "Made by <code>binade lm" in html


def test_command_calibrates_and_reads_its_file(folder, command):
    file = folder / "scales.json"
    text = ["--text", folder / "text", "--windows", "2x24"]
    code, out, err = command(folder / "model", "--calibrate", file, *text)
    assert code == 0 and out.splitlines()[0].endswith("48 tokens") and f"calibration: {file}" in err, err
    assert list(json.loads(file.read_text())["keys"]) == ["model.layers.0.self_attn", "model.layers.1.self_attn"]
    assert json.loads(command(folder / "model", "--calibrate", file, *text, "--json")[1]) == json.loads(file.read_text())
    code, out, err = command(
        folder / "model", "--recipe", "w8a8", "--recipe", "mxfp4", "--kv", "float8_e4m3fn", "--calibration", file, *text, "--json", "--log", folder / "log"
    )
    assert code == 0, err
    plain = json.loads(out)
    static = "kv=float8_e4m3fn/scale=static"
    assert [row["recipe"] for row in plain["rows"]] == [
        "f32", "w8a8+kv=float8_e4m3fn", f"w8a8+{static}+static=largest", "mxfp4+kv=float8_e4m3fn", f"mxfp4+{static}",
    ]  # fmt: skip
    assert len({row["kl_mean"] for row in plain["rows"]}) == 5 and plain["calibration"] == str(file)
    # A log of another calibration is refused.
    plain = json.loads(file.read_text())
    plain["inputs"]["lm_head"]["largest"] *= 2
    file.write_text(json.dumps(plain))
    words = ["--recipe", "w8a8", "--calibration", file, *text, "--log", folder / "log"]
    assert "calibration differ" in command(folder / "model", *words)[2]


def test_command_searches_and_resumes_from_its_log(folder, command):
    words = [folder / "model", "--recipe", "weights=mxfp4", "--text", folder / "text", "--windows", "1x24", "--search", "--budget-kl", "0.5",
             "--log", folder / "log"]  # fmt: skip
    code, out, err = command(*words)
    assert code == 0 and "within KL 0.5" in out, err
    before = (folder / "log").read_text()
    assert command(*words)[1] == out and (folder / "log").read_text() == before


def test_interrupted_command_prints_what_is_done_and_continues(folder, command, monkeypatch):
    words = [folder / "model", "--recipe", "nvfp4", "--text", folder / "text", "--windows", "2x24", "--log", folder / "log"]
    compute, calls = Evaluation._window, []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return compute(*arguments)

    monkeypatch.setattr(Evaluation, "_window", interrupted)
    code, out, err = command(*words)
    assert code == 130 and "nvfp4: 1 of 2 windows are done" in out and "to continue" in err
    assert command(*words)[0] == 0 and len(calls) == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipe", "nvfp5", "--text", "TEXT"], "did you mean nvfp4"),
        (["--recipe", "nvfp4"], "--text FILE is missing"),
        (["--recipe", "nvfp4", "--text", "TEXT", "--windows", "4"], "--windows 4: it must be NxLENGTH"),
        (["--recipe", "nvfp4", "--text", "TEXT", "--windows", "99x64"], "the text is too short"),
        (["--recipe", "nvfp4", "--text", "TEXT", "--windows", "1x65"], "at most 64 positions"),
        (["--text", "TEXT", "--search"], "--search needs --budget-kl"),
        (["--text", "nowhere"], "nowhere"),
        (["--text", "TEXT", "--windows", "1x24", "--calibrate", "a", "--recipe", "nvfp4"], "--calibrate evaluates no rows, so --recipe must be left out"),
        (["--text", "TEXT", "--windows", "1x24", "--calibrate", "none/a.json"], "make it first"),
        (["--text", "TEXT", "--windows", "1x24", "--recipe", "w8a8", "--calibration", "TEXT"], "no calibration: not JSON"),
        (["--text", "TEXT", "--windows", "1x24", "--recipe", "w8a8+static=mse"], "name its file with --calibration"),
    ],
)
def test_command_with_bad_input_exits_with_2(folder, command, arguments, message):
    code, _, err = command(folder / "model", *[folder / "text" if word == "TEXT" else word for word in arguments])
    assert code == 2 and err.splitlines()[-1].startswith("error: ") and message in err, err


def test_command_is_a_subcommand_of_the_package(folder):
    words = [sys.executable, "-m", "binade", "lm", folder / "model", "--text", folder / "text", "--recipe", "nvfp5"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2 and "did you mean nvfp4" in done.stderr


def test_command_without_transformers_says_what_to_install(folder):
    code = "import sys; sys.modules['transformers'] = None; from binade.lm import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, folder / "model", "--text", folder / "text"], capture_output=True, text=True)
    assert done.returncode == 2 and "transformers cannot be imported: pip install './python[lm]'" in done.stderr
