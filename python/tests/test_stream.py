"""`binade lm --stream`: the same numbers as the whole model, with one decoder layer in memory."""

import json
import shutil
import warnings
from pathlib import Path

import pytest

try:
    import torch
    import transformers
    from transformers.core_model_loading import rename_source_key  # noqa: F401
except ImportError as error:
    warnings.warn(f"tests of `binade lm --stream` are skipped: {error}", stacklevel=1)
    pytest.skip(f"needs torch and transformers 5: {error}", allow_module_level=True)

import binade.torch  # noqa: E402
from binade import lm  # noqa: E402
from binade._binade import Recipe  # noqa: E402
from binade._inference_torch import Weights, linear_layers  # noqa: E402
from binade._lm_evaluate_torch import Evaluation, Log  # noqa: E402
from binade._lm_model import ModelError, check_memory, inspect, load_model  # noqa: E402
from binade._lm_passes_torch import StreamedEvaluation, calibrate_streamed  # noqa: E402
from binade._lm_row_torch import Row  # noqa: E402
from binade._lm_stream_torch import StreamedModel, check_streamed  # noqa: E402

LLAMA = dict(
    vocab_size=96, hidden_size=64, intermediate_size=96, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2,
    max_position_embeddings=64, initializer_range=0.2, bos_token_id=0, eos_token_id=0,
)  # fmt: skip
GPT2 = dict(n_embd=32, n_layer=3, n_head=2, n_positions=64, vocab_size=96, initializer_range=0.2, bos_token_id=0, eos_token_id=0)
CONFIGS = {
    "llama": lambda: transformers.LlamaConfig(**LLAMA, tie_word_embeddings=True),
    "qwen2": lambda: transformers.Qwen2Config(**LLAMA),
    "mistral": lambda: transformers.MistralConfig(**LLAMA, sliding_window=8),
    "phi": lambda: transformers.PhiConfig(**LLAMA),
    # Layers of two kinds, with masks of their own.
    "gemma2": lambda: transformers.Gemma2Config(**LLAMA, head_dim=16, sliding_window=8),
    "gpt2": lambda: transformers.GPT2Config(**GPT2),
    # Linear layers before the first decoder layer and after the last.
    "opt": lambda: transformers.OPTConfig(
        vocab_size=96, hidden_size=64, ffn_dim=96, num_hidden_layers=3, num_attention_heads=4, max_position_embeddings=64, word_embed_proj_dim=32,
        bos_token_id=0, eos_token_id=0, pad_token_id=0,
    ),
    # transformers merges its experts as it loads them.
    "mixtral": lambda: transformers.MixtralConfig(**LLAMA, num_local_experts=4),
}  # fmt: skip
ROWS = [
    "f32", "weights=mxfp4", "nvfp4", "w8a8+static=largest", "nvfp4-training", "bf16:bf16/rounding=stochastic",
    "f32+kv=float8_e4m3fn/scale=head", "f32+kv=float8_e4m3fn/scale=static", "h100:e4m3", "mxfp8+attention=bf16:f32+softmax=bf16+leave=last",
]  # fmt: skip


def saved(folder: Path, name: str, shards: str = "60KB") -> Path:
    """A tiny random model in several files."""
    torch.manual_seed(1)
    transformers.AutoModelForCausalLM.from_config(CONFIGS[name]()).save_pretrained(folder / name, max_shard_size=shards)
    return folder / name


@pytest.fixture
def tokens():
    return torch.randint(0, 96, (2, 24), generator=torch.Generator().manual_seed(3))


def plain(window):
    """A window as the log has it, without its seconds."""
    found = window.to_json()
    del found["seconds"]
    return json.dumps(found)


@pytest.mark.parametrize("name", CONFIGS)
def test_streamed_rows_have_the_bits_of_the_whole_model(name, tmp_path, tokens):
    source = inspect(saved(tmp_path, name))
    assert len(list(source.folder.glob("*.safetensors"))) > 1
    model = load_model(source)
    calibration = binade.torch.calibrate(model, tokens.split(1), name="m")
    whole = Evaluation(model, tokens, calibration=calibration, ragged="pad", seed=5)
    # All rows on two architectures; on the others one of each way to change a product.
    texts = ROWS if name in ("llama", "opt") else ["f32", "weights=mxfp4", "nvfp4", "f32+kv=float8_e4m3fn/scale=head"]
    rows = [whole.prepared(Row.parse(row)) for row in texts]
    with StreamedModel(source) as streamed:
        assert json.dumps(calibrate_streamed(streamed, tokens, "m").to_json()) == json.dumps(calibration.to_json())
        passes = StreamedEvaluation(streamed, tokens, open=StreamedModel, calibration=calibration, ragged="pad", seed=5)
        passes.measure(rows)
        assert all(weight.is_meta for layer in streamed.layers for weight in layer.parameters())
    for row in rows:
        windows = list(whole.each(row))
        assert [plain(window) for window in windows] == [plain(window) for window in passes.each(row)], row.text
        assert row.is_reference or max(windows[0].divergences) > 0


def test_one_layer_is_in_memory_at_a_time(tmp_path, tokens):
    with StreamedModel(inspect(saved(tmp_path, "llama"))) as streamed:
        assert streamed.steps == 4 and streamed.resident_weights == 96 * 64 + 64
        with streamed.loaded(1):
            real = [not next(layer.parameters()).is_meta for layer in streamed.layers]
            assert real == [False, True, False]
        assert all(next(layer.parameters()).is_meta for layer in streamed.layers)


def test_layers_of_a_quantised_checkpoint_are_streamed(tmp_path, tokens):
    model = saved(tmp_path, "llama")
    binade.run_command("quantize", model, tmp_path / "q", "--layout", "ct-nvfp4")
    whole = Evaluation(load_model(inspect(model)), tokens, load=lambda path: load_model(inspect(path)))
    row = Row.parse(f"checkpoint={tmp_path / 'q'}")
    with StreamedModel(inspect(model)) as streamed:
        passes = StreamedEvaluation(streamed, tokens, open=lambda path: StreamedModel(inspect(path)))
        passes.measure([row])
    assert list(map(plain, whole.each(row))) == list(map(plain, passes.each(row)))


def test_interrupted_pass_continues_after_its_last_layer(tmp_path, tokens):
    source, rows = inspect(saved(tmp_path, "gpt2")), [Row.parse(row) for row in ("f32", "nvfp4", "bf16:bf16/rounding=stochastic")]
    kept = tmp_path / "log.layers"
    with StreamedModel(source) as streamed:
        passes = StreamedEvaluation(streamed, tokens, open=StreamedModel)
        passes.measure(rows)

    def stop(text):
        if text.startswith("layer 2"):
            raise KeyboardInterrupt

    with StreamedModel(source) as streamed, pytest.raises(KeyboardInterrupt):
        StreamedEvaluation(streamed, tokens, open=StreamedModel, kept=kept, of=1, layer_done=stop).measure(rows)
    assert kept.exists()
    for of, first in ((1, "layers 1 to 2 of 3: from"), (2, "layer 1 of 3")):
        said: list[str] = []
        copy = tmp_path / "copy.layers"
        shutil.copy(kept, copy)
        with StreamedModel(source) as streamed:
            again = StreamedEvaluation(streamed, tokens, open=StreamedModel, kept=copy, of=of, layer_done=said.append)
            again.measure(rows)
        assert said[0].startswith(first) and not copy.exists()
        for row in rows:
            assert list(map(plain, again.each(row))) == list(map(plain, passes.each(row)))


def test_logged_windows_are_not_computed_again(tmp_path, tokens):
    source, row = inspect(saved(tmp_path, "llama")), Row.parse("nvfp4")
    for texts, layers in (([], 3), ([], 0), (["w8a8"], 3)):
        said: list[str] = []
        with StreamedModel(source) as streamed:
            passes = StreamedEvaluation(streamed, tokens, open=StreamedModel, log=Log(tmp_path / "log", {"a": 1}), layer_done=said.append)
            passes.measure([row, *map(Row.parse, texts)])
        assert len(said) == layers


def test_missing_weight_is_named(tmp_path):
    from safetensors.torch import load_file, save_file

    folder = saved(tmp_path, "llama", "1GB")
    weights = load_file(folder / "model.safetensors")
    for name in ("model.layers.1.mlp.up_proj.weight", "model.norm.weight"):
        save_file({key: value for key, value in weights.items() if key != name}, folder / "model.safetensors", {"format": "pt"})
        with pytest.raises(ModelError, match=f"weight {name} is missing in its files"):
            with StreamedModel(inspect(folder)) as streamed, streamed.loaded(1):
                pass


def test_shared_keys_and_values_cannot_be_streamed(tmp_path):
    config = transformers.LlamaConfig(**LLAMA)
    config.num_kv_shared_layers = 1
    transformers.LlamaForCausalLM(config).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="its layers share keys and values with earlier ones, so they cannot be streamed"):
        StreamedModel(inspect(tmp_path))


def test_too_little_memory_is_named_with_its_cure(tmp_path, monkeypatch):
    source = inspect(saved(tmp_path, "llama"))
    monkeypatch.setattr("binade._lm_model.available_memory", lambda: 1000)
    with pytest.raises(ModelError, match="does not fit into memory: .* --stream loads one decoder layer at a time"):
        check_memory(source, 1, 8)
    monkeypatch.setattr("binade._lm_stream_torch.available_memory", lambda: 1000)
    with pytest.raises(ModelError, match="does not fit into memory, streamed too: its largest layer of 30,848 weights"):
        StreamedModel(source, lambda stream: check_streamed(stream, source, 1, 1, 8))


def test_blame_and_search_are_refused(tmp_path, capsys):
    folder = saved(tmp_path, "llama")
    for more in (["--blame"], ["--search", "--budget-kl", "1"]):
        assert lm.main([str(folder), "--text", "x", "--stream", "--recipe", "nvfp4", *more]) == 2
        assert f"{more[0]} runs the model once for each group of layers, and --stream" in capsys.readouterr().err


def test_freed_weight_is_never_taken_for_another():
    recipe, weights = Recipe("nvfp4"), Weights()
    product = recipe.product("forward", False, 1)
    found = []
    with torch.no_grad():
        for value in range(1, 40):
            # Memory of the same size, freed in each round, is used again at the same address.
            weight = torch.full((32, 16), float(value))
            found.append(weights.quantised(recipe, product, weight))
            assert weights.quantised(recipe, product, weight) is found[-1]
            del weight
    assert len({id(each) for each in found}) == len(found) and len(weights._kept) <= 2


def test_streamed_model_leaves_transformers_as_it_was(tmp_path, tokens):
    before = dict(transformers.PreTrainedModel.__dict__)
    source = inspect(saved(tmp_path, "llama"))
    StreamedModel(source).close()
    assert dict(transformers.PreTrainedModel.__dict__) == before
    model = load_model(source)
    assert not any(layer.module.weight.is_meta for layer in linear_layers(model))
