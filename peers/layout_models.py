"""Whole models in binade's layouts, loaded by transformers: no missing and no unexpected key, and the logits of the dequantised file.

Small models of many architectures are made from configurations with random weights. Each is quantised in each layout, with its output head
quantised or not, tied to the embeddings or not, and loaded by `from_pretrained` as it is and with `dequantize=True`. Its logits must
be those of what `binade dequantize` makes of the same folder. What a reader is known to do otherwise is listed in `QUIRKS`, with the cases
that it applies to; any other difference fails, and so does a quirk that is not seen.
"""

import collections
import contextlib
import io
import itertools
import logging
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import torch
import transformers
from safetensors import safe_open
from transformers import AutoConfig, CompressedTensorsConfig

from command import run

DOCS = Path(__file__).parent.parent / "docs" / "reference" / "layouts.md"
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
# Models of which all types are tried.
ALL_DTYPES = ["Llama", "Mixtral"]
LAYOUTS = ["ct-fp8", "ct-mxfp8", "ct-mxfp4", "ct-nvfp4", "auto", "modelopt-nvfp4", "deepseek-fp8", "gpt-oss"]
DENSE = dict(hidden_size=128, intermediate_size=256, num_hidden_layers=2, vocab_size=160, num_attention_heads=4, num_key_value_heads=2, head_dim=32)
MOE = dict(moe_intermediate_size=64, num_experts_per_tok=2)
BERT = dict(hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4, vocab_size=160)
# Model type, class, and options of the configuration.
MODELS = {
    "T5": ("t5", "T5ForConditionalGeneration", dict(d_model=128, d_ff=256, d_kv=32, num_layers=2, num_heads=4, vocab_size=160, feed_forward_proj="gated-gelu")),
    "BART": ("bart", "BartForConditionalGeneration", dict(d_model=128, encoder_ffn_dim=256, decoder_ffn_dim=256, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, vocab_size=160)),
    "BERT": ("bert", "BertForMaskedLM", BERT),
    "RoBERTa prelayernorm": ("roberta-prelayernorm", "RobertaPreLayerNormForMaskedLM", BERT),
    "GPT-2": ("gpt2", "GPT2LMHeadModel", dict(n_embd=128, n_layer=2, n_head=4, vocab_size=160)),
    "Llama": ("llama", "LlamaForCausalLM", DENSE),
    "Qwen3": ("qwen3", "Qwen3ForCausalLM", DENSE),
    "Qwen3-MoE": ("qwen3_moe", "Qwen3MoeForCausalLM", dict(**DENSE, **MOE, num_experts=4)),
    "Mixtral": ("mixtral", "MixtralForCausalLM", dict(**DENSE, num_local_experts=4, num_experts_per_tok=2)),
    "gpt-oss": ("gpt_oss", "GptOssForCausalLM", dict(**DENSE, num_local_experts=4, num_experts_per_tok=2, layer_types=["sliding_attention", "full_attention"])),
    "DeepSeek-V3": ("deepseek_v3", "DeepseekV3ForCausalLM", dict(hidden_size=128, intermediate_size=256, num_hidden_layers=3, vocab_size=160, num_attention_heads=4, num_key_value_heads=4, q_lora_rank=64, kv_lora_rank=64, qk_nope_head_dim=32, qk_rope_head_dim=32, v_head_dim=32, first_k_dense_replace=1, n_routed_experts=8, n_group=2, topk_group=1, n_shared_experts=1, **MOE)),
    "Gemma 3": ("gemma3_text", "Gemma3ForCausalLM", DENSE),
    "Mamba": ("mamba", "MambaForCausalLM", dict(hidden_size=128, num_hidden_layers=2, vocab_size=160, state_size=16, time_step_rank=32)),
}


def make(name, folder, tied, dtype):
    """A model of this architecture with random weights, saved."""
    kind, value, options = MODELS[name]
    config = AutoConfig.for_model(kind, **options, tie_word_embeddings=tied, pad_token_id=0, bos_token_id=1, eos_token_id=2)
    torch.manual_seed(5)
    model = getattr(transformers, value)(config)
    generator = torch.Generator().manual_seed(6)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.copy_(torch.randn(weight.shape, generator=generator) / weight.shape[-1] ** 0.5)
    model.to(dtype).save_pretrained(folder)
    return value


def load(value, folder, **options):
    """A model, and the keys that its loading complains of."""
    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        model, told = getattr(transformers, value).from_pretrained(folder, output_loading_info=True, **options)
    keys = {kind: sorted(map(str, told.get(kind, []))) for kind in ["missing_keys", "unexpected_keys", "mismatched_keys"]}
    return model.eval(), {kind: found for kind, found in keys.items() if found}


def logits(model):
    """The logits of a fixed input, in binary32."""
    tokens = torch.arange(3, 15).reshape(1, 12) * 7 % 150
    more = dict(decoder_input_ids=tokens) if model.config.is_encoder_decoder else {}
    quiet = io.StringIO()
    with torch.no_grad(), contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        return model(input_ids=tokens, **more).logits.to(torch.float32)


def names(folder):
    """The names of all tensors of a folder."""
    files = [name for name in os.listdir(folder) if name.endswith(".safetensors")]
    return {name for file in files for name in safe_open(os.path.join(folder, file), "pt").keys()}


def outcome(value, quantised, reference, **options):
    """The result of loading a quantised folder: "equal", a cosine, a complaint of the loader, or an error."""
    try:
        model, complaints = load(value, quantised, **options)
        if complaints:
            kind, found = next(iter(complaints.items()))
            return f"{kind}: {len(found)}, such as {found[0]}"
        ours = logits(model)
    except Exception as error:
        return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    if torch.equal(ours, reference):
        return "equal"
    cosine = torch.nn.functional.cosine_similarity(ours.flatten(), reference.flatten(), dim=0).item()
    return f"cosine {cosine:.6f}"


MOE_MODELS = ["Mixtral", "Qwen3-MoE", "DeepSeek-V3"]
AS_IS, DEQUANTIZED = "transformers", "dequantize=True"
# The cases that a quirk applies to, what comes of them, and why.
QUIRKS = {
    "activations": (
        lambda case: case.layout in ["ct-fp8", "auto"] and case.reader == AS_IS,
        r"cosine 0\.[89]",
        "config.json's ct-fp8 asks for dynamic activations, so that the model quantises these too; the weights are those of dequantize=True",
    ),
    "mix-dequantized": (
        lambda case: case.layout == "auto" and case.reader == DEQUANTIZED,
        r"RuntimeError: .* conversion|AttributeError",
        "transformers takes one group's format for all weights",
    ),
    "experts-in-mix": (
        lambda case: case.layout == "auto" and case.model in MOE_MODELS,
        r"RuntimeError: .* conversion|AttributeError",
        "transformers takes one group's format for all experts",
    ),
    "experts-mxfp8": (
        lambda case: case.layout == "ct-mxfp8" and case.model in MOE_MODELS,
        r"RuntimeError: .* conversion",
        "transformers multiplies the codes of experts by a scale of another shape",
    ),
    "experts-global-scale": (
        lambda case: case.layout == "ct-nvfp4" and case.model in MOE_MODELS,
        r"cosine (-?0\.[0-8]|nan)",
        "transformers ignores weight_global_scale of experts: the model is wrong, without a message",
    ),
    "experts-bfloat16": (
        lambda case: case.layout == "ct-mxfp4" and case.model in MOE_MODELS and case.dtype != "bf16" and case.reader == DEQUANTIZED,
        r"cosine 0\.9999",
        "transformers leaves the experts that it dequantises in bfloat16",
    ),
    "rounded-again": (
        lambda case: case.layout == "ct-nvfp4",
        r"cosine (0\.9999|1\.0000)",
        "compressed-tensors rounds the quotient of the scales before the product",
    ),
    "wo": (
        lambda case: case.model in ["T5", "Mamba"] and case.layout in ["ct-mxfp4", "ct-nvfp4", "auto"] and case.reader == AS_IS,
        r"AttributeError: 'Linear' object has no attribute 'weight'",
        "T5 asks for the type of wo.weight, Mamba for that of out_proj.weight, which packed codes do not have",
    ),
    "bfloat16-only": (
        lambda case: case.dtype != "bf16" and case.layout in ["ct-mxfp8", "ct-mxfp4", "ct-nvfp4", "auto"] and case.reader == AS_IS,
        r"RuntimeError: .*(same dtype|BFloat16)",
        "compressed-tensors makes bfloat16 of MX and NVFP4, whatever the model's type",
    ),
    "other-blocks": (
        lambda case: case.layout == "deepseek-fp8" and case.head == "quantised",
        r"cosine 0\.99",
        "transformers divides the rows by the number of their blocks: 160 rows have two of 80, not of 128 and 32",
    ),
    "no-modelopt": (
        lambda case: case.layout == "modelopt-nvfp4",
        r"RuntimeError: You set `ignore_mismatched_sizes`",
        "transformers does not read ModelOpt's layout",
    ),
    "no-linear": (
        lambda case: case.model == "GPT-2" and case.reader == "binade",
        r"[\s\S]*no (tensor that layout|candidate fits any tensor)",
        "GPT-2 is made of Conv1D, so that binade refuses to quantise it",
    ),
}
Case = collections.namedtuple("Case", "model tied head layout reader dtype")


def cases(folder):
    """Each case with its outcome."""
    for name, dtype, tied in itertools.product(MODELS, DTYPES, [False, True]):
        if dtype != "bf16" and name not in ALL_DTYPES:
            continue
        source = os.path.join(folder, "model")
        value = make(name, source, tied, DTYPES[dtype])
        for layout, head in itertools.product(LAYOUTS, ["left", "quantised"]):
            if layout == "gpt-oss" and name != "gpt-oss":
                continue
            quantised, numbers = os.path.join(folder, "q"), os.path.join(folder, "d")
            arguments = ["--include", "*"] * (head == "quantised") + ["--budget", "6bits"] * (layout == "auto")
            try:
                run("quantize", source, quantised, "--layout", layout, "--force", *arguments)
            except RuntimeError as error:
                yield Case(name, tied, head, layout, "binade", dtype), str(error)
                continue
            run("dequantize", quantised, numbers, "--force")
            dense, complaints = load(value, numbers)
            assert not complaints, f"{name}: the dequantised file lacks something: {complaints}"
            assert tied or head == "quantised" or names(numbers) == names(source), f"{name}: other tensors"
            reference = logits(dense)
            for reader, options in readers(layout).items():
                yield Case(name, tied, head, layout, reader, dtype), outcome(value, quantised, reference, **options())
            shutil.rmtree(quantised), shutil.rmtree(numbers)
        shutil.rmtree(source)


def readers(layout):
    """Ways to load a layout in transformers, with their options."""
    if layout.startswith("ct-") or layout == "auto":
        return {AS_IS: dict, DEQUANTIZED: lambda: dict(quantization_config=CompressedTensorsConfig(dequantize=True))}
    return {AS_IS: dict}


def explained(case, said):
    """The quirks by which an outcome is as it should be."""
    return [name for name, (applies, pattern, _) in QUIRKS.items() if applies(case) and re.match(pattern, said)]


def table(found):
    """A table in Markdown: of each layout and reader, the outcome by the type of weights."""
    rows = collections.defaultdict(lambda: collections.defaultdict(list))
    for case, said in found:
        if case.reader != "binade":
            rows[case.layout, case.reader][case.dtype].append("" if said == "equal" else explained(case, said)[0])

    def cell(outcomes):
        return ", ".join(["equal"] * ("" in outcomes) + sorted(set(outcomes) - {""}))

    lines = [f"| layout | read by | {' | '.join(DTYPES)} |", "|---|---|" + "---|" * len(DTYPES)]
    lines += [f"| `{layout}` | {reader} | {' | '.join(cell(of[dtype]) for dtype in DTYPES)} |" for (layout, reader), of in rows.items()]
    return "\n".join(lines) + "\n"


def check(tally):
    """Adds the outcomes of all cases to a tally, and compares the table of them with docs/reference/layouts.md."""
    transformers.logging.set_verbosity_error()
    logging.disable(logging.WARNING)
    tally.quirks.update({name: 0 for name in QUIRKS})
    tally.explanations.update({name: why for name, (_, _, why) in QUIRKS.items()})
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for case, said in cases(folder):
            quirks = explained(case, said)
            if said == "equal":
                tally.agreed += 1
            elif quirks:
                tally.quirks[quirks[0]] += 1
            else:
                tally.unexplained += 1
                print(f"UNEXPLAINED {' '.join(map(str, case))}: {said}")
                continue
            found.append((case, said))
    made = table(found)
    if "--write" in sys.argv:
        text = DOCS.read_text()
        start, end = text.index("| layout | read by |"), text.index("\n\n", text.index("| layout | read by |")) + 1
        DOCS.write_text(text[:start] + made + text[end:])
    elif made not in DOCS.read_text():
        tally.unexplained += 1
        print(f"docs/reference/layouts.md has another table than this; --write puts it there:\n{made}")
    print(f"{len(found)} whole models of {len(MODELS)} architectures loaded")
