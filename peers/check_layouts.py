"""binade's checkpoints against the programs that load them: compressed-tensors, ModelOpt, transformers, torchao.

A small Llama and a small gpt-oss with random weights are saved by transformers in several files. binade writes them in each
layout; the peer reads each weight, and binade's `dequantize` must have the same bits. Scales and codes of MX are compared
with torchao's for each scale rule, NVFP4's with those of the quantisers of compressed-tensors, ModelOpt and torchao. Whole models of many
architectures are loaded too (layout_models.py). Without the peers the check is skipped and says so:

    pip install torch compressed-tensors transformers accelerate nvidia-modelopt torchao
"""

import contextlib
import json
import os
import sys
import tempfile
import unittest.mock
import warnings

import numpy as np

from command import run
from tally import Tally

warnings.filterwarnings("ignore")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
try:
    import torch
    from compressed_tensors.compressors.base import BaseCompressor
    from compressed_tensors.quantization import QuantizationArgs, QuantizationConfig
    from compressed_tensors.quantization.lifecycle import apply, initialize
    from compressed_tensors.quantization.utils.helpers import calculate_qparams, generate_gparam
    from safetensors.torch import load_file, save_file
    from transformers import AutoModelForCausalLM, GptOssConfig, GptOssForCausalLM, LlamaConfig, LlamaForCausalLM
    from transformers.integrations.finegrained_fp8 import Fp8Dequantize
    from transformers.integrations.mxfp4 import _convert_moe_packed_tensors
    import layout_models
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(0)

QUIRKS = {
    "rounded-twice": "the peer rounds the product of the scales, or of a code and its scale, before the next product; binade "
    "rounds the exact product once",
    "mxfp8-even-width": "compressed-tensors rounds the maximum of MXFP8 to the precision of E2M1; binade's rule `even` "
    "to that of E4M3",
    "zero-block": "torchao's scale of a block of zeros is 2^-127; binade's is 1",
    "nvfp4-rounded-twice": "a quantiser of NVFP4 rounds quotients and products to binary32 on the way to a scale or a code; binade rounds "
    "the exact quotient once",
    "nvfp4-eps": "compressed-tensors takes 1/8 for a scale that is zero in E4M3; binade the smallest, 2^-9, and 1 for a block of zeros",
    "nvfp4-least": "torchao has no scale below 2^-6; binade has E4M3's subnormals, and 1 for a block of zeros",
    "nvfp4-negative-zero": "ModelOpt makes 0 of -0; binade keeps the sign",
}


def tensors(folder):
    """All tensors of a folder, by way of its index."""
    index = json.load(open(os.path.join(folder, "model.safetensors.index.json")))["weight_map"]
    files = {file: load_file(os.path.join(folder, file)) for file in sorted(set(index.values()))}
    assert sum(map(len, files.values())) == len(index), "the index names every tensor"
    return {name: files[file][name] for name, file in index.items()}


def codes(tensor):
    """The bits of a tensor."""
    integers = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32}[tensor.element_size()]
    return tensor.contiguous().view(integers).numpy().astype(np.uint64).ravel()


def rounded(exact, dtype):
    """Binary64 numbers rounded once, to nearest even: the bits."""
    if dtype == torch.float32:
        return exact.astype(np.float32).view(np.uint32).astype(np.uint64).ravel()
    bits = exact.astype(np.float64).ravel().view(np.uint64)
    # Within the normal range of bfloat16, which the weights here keep to.
    kept = 45
    half = ((bits >> np.uint64(kept)) & np.uint64(1)) + np.uint64((1 << (kept - 1)) - 1)
    up = (bits + half) & ~np.uint64((1 << kept) - 1)
    return up.view(np.float64).astype(np.float32).view(np.uint32).astype(np.uint64) >> np.uint64(16)


E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def unpacked(packed):
    """The numbers of E2M1, first in the low bits."""
    packed = packed.numpy()
    return E2M1[np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], -1)]


def spread(scales, size):
    return np.repeat(scales.to(torch.float64).numpy(), size, axis=-1)


class Checked:
    """A checkpoint that binade quantised, as numbers, and what the peer makes of it."""

    def __init__(self, model, layout, folder, tally):
        self.layout, self.tally = layout, tally
        self.quantised = os.path.join(folder, layout)
        budget = ["--budget", "6bits"] if layout == "auto" else []
        run("quantize", model, self.quantised, "--layout", layout, *budget)
        self.held = tensors(self.quantised)
        self.config = json.load(open(os.path.join(self.quantised, "config.json")))["quantization_config"]
        self.ours = {}
        for dtype, name in [(torch.float32, "f32"), (torch.bfloat16, "bf16")]:
            out = os.path.join(folder, f"{layout}-{name}")
            run("dequantize", self.quantised, out, "--dtype", name)
            self.ours[dtype] = tensors(out)
        self.weights = 0

    def weight(self, name, theirs, exact, dtype):
        """One weight: the peer's bits, or those of the exact product rounded once."""
        expected = rounded(exact, dtype)
        ours = codes(self.ours[dtype][name])
        quirks = [("rounded-twice", True, expected)]
        what = f"{self.layout} {name}"
        self.tally.compare(what, ours, codes(theirs.to(dtype)), [ours, expected], quirks)
        self.weights += 1


def compressed_tensors(checked):
    """What compressed-tensors decompresses."""
    config = QuantizationConfig.model_validate(checked.config)
    groups = config.config_groups.values()
    mixed = config.format == "mixed-precision"
    assert mixed == (len(groups) > 1) == (checked.layout == "auto"), "several layouts are declared where they are"
    stems = [name[: -len(".weight_scale")] for name in checked.held if name.endswith(".weight_scale")]
    for stem in stems:
        [scheme] = [group for group in groups if not mixed or stem in group.targets]
        # Members of an enumeration of strings, in some versions.
        form = scheme.format if mixed else config.format
        form = getattr(form, "value", form)
        compressor = BaseCompressor.get_value_from_registry(form)
        codes_end = ".weight_packed" if "pack" in form else ".weight"
        held = {key: checked.held.get(f"{stem}.{key}") for key in ["weight_scale", "weight_global_scale"]}
        state = {key: value for key, value in held.items() if value is not None}
        packed = checked.held[stem + codes_end]
        state[codes_end[1:]] = packed
        theirs = compressor.decompress(state, scheme)["weight"]
        numbers = unpacked(packed) if packed.dtype == torch.uint8 else packed.to(torch.float64).numpy()
        scales = held["weight_scale"]
        if scales.dtype == torch.uint8:
            exact = numbers * np.repeat(np.exp2(scales.numpy().astype(np.float64) - 127), 32, axis=-1)
        elif scales.dtype == torch.float8_e4m3fn:
            over = held["weight_global_scale"].to(torch.float64).numpy()
            exact = numbers * spread(scales, 16) / over
        else:
            exact = numbers * scales.to(torch.float64).numpy()
        for dtype in [torch.float32, torch.bfloat16]:
            checked.weight(f"{stem}.weight", theirs, exact, dtype)


def modelopt(checked):
    """ModelOpt's dequantisation, by its own class where it can be imported."""
    from modelopt.torch.quantization.qtensor import NVFP4QTensor

    assert checked.config["quant_method"] == "modelopt", checked.config
    described = json.load(open(os.path.join(checked.quantised, "hf_quant_config.json")))
    assert described["quantization"]["quant_algo"] == "W4A16_NVFP4"
    for name in [name for name in checked.held if name.endswith(".weight_scale_2")]:
        stem = name[: -len(".weight_scale_2")]
        packed, scales = checked.held[f"{stem}.weight"], checked.held[f"{stem}.weight_scale"]
        over = checked.held[name]
        shape = torch.Size([packed.shape[0], packed.shape[1] * 2])
        theirs = NVFP4QTensor(shape, torch.float32, packed)
        theirs = theirs.dequantize(torch.float32, scale=scales, double_scale=over, block_sizes={-1: 16})
        exact = unpacked(packed) * (spread(scales, 16) * over.to(torch.float64).numpy())
        for dtype in [torch.float32, torch.bfloat16]:
            checked.weight(f"{stem}.weight", theirs, exact, dtype)


def deepseek(checked):
    """transformers' dequantisation of FP8 in blocks."""
    assert checked.config["quant_method"] == "fp8" and checked.config["weight_block_size"] == [128, 128]
    for name in [name for name in checked.held if name.endswith(".weight_scale_inv")]:
        stem = name[: -len(".weight_scale_inv")]
        codes_of, scales = checked.held[f"{stem}.weight"], checked.held[name]
        theirs = Fp8Dequantize(None)._dequantize_one(codes_of, scales, torch.float32)
        grid = np.repeat(spread(scales, 128), 128, axis=0)[: codes_of.shape[0], : codes_of.shape[1]]
        exact = codes_of.to(torch.float64).numpy() * grid
        for dtype in [torch.float32, torch.bfloat16]:
            checked.weight(f"{stem}.weight", theirs, exact, dtype)


def gpt_oss(checked):
    """transformers' dequantisation of gpt-oss' experts."""
    assert checked.config["quant_method"] == "mxfp4", checked.config
    for name in [name for name in checked.held if name.endswith("_blocks")]:
        stem = name[: -len("_blocks")]
        blocks, scales = checked.held[name], checked.held[f"{stem}_scales"]
        for dtype in [torch.float32, torch.bfloat16]:
            theirs = _convert_moe_packed_tensors(blocks, scales, dtype=dtype)
            checked.weight(stem, theirs, theirs.to(torch.float64).numpy(), dtype)


def weights_for_rules():
    """Blocks of many magnitudes, ties, and one of zeros."""
    generator = torch.Generator().manual_seed(7)
    x = torch.randn(64, 256, generator=generator) * torch.exp2(torch.randint(-20, 20, (64, 8), generator=generator)).repeat_interleave(32, 1)
    # Maxima at and about the points where rules change their mind.
    edges = torch.tensor([1.0, 1.25, 1.4999, 1.5, 1.5001, 1.7499, 1.75, 1.7501, 1.8749, 1.875, 1.9374, 1.9375, 1.9999])
    for row, edge in enumerate(edges):
        x[row, ::32] = edge * 2 ** (row % 5)
        x[row] = torch.where(torch.arange(256) % 32 == 0, x[row], x[row].clamp(-1, 1))
    x[40, 64:96] = 0
    return x.to(torch.bfloat16)


def scale_rules(folder, tally):
    """torchao's MX under each of its rules, and compressed-tensors' scales."""
    try:
        from torchao.prototype.mx_formats.config import ScaleCalculationMode
        from torchao.prototype.mx_formats.mx_tensor import to_mx
    except ImportError as error:
        print(f"torchao is left out: {error}")
        del tally.quirks["zero-block"]
        to_mx = None
    x = weights_for_rules()
    source = os.path.join(folder, "rules.safetensors")
    save_file({"a.weight": x}, source, {"format": "pt"})
    cases = [("ct-mxfp8", torch.float8_e4m3fn, 8), ("ct-mxfp4", torch.float4_e2m1fn_x2, 4)]
    zero = (x.to(torch.float32).unflatten(-1, (8, 32)).abs().amax(-1) == 0).numpy().ravel()
    for layout, element, bits in cases:
        for rule in ["floor", "rceil", "ceil", "even"]:
            out = os.path.join(folder, f"rules-{layout}-{rule}.safetensors")
            run("quantize", source, out, "--layout", layout, "--scale-rule", rule)
            held = load_file(out)
            scales = codes(held["a.weight_scale"])
            name = "a.weight" if bits == 8 else "a.weight_packed"
            if to_mx is not None:
                mode = ScaleCalculationMode[rule.upper()]
                their_scales, their_codes = to_mx(x, element, 32, mode)
                theirs = codes(their_scales.view(torch.uint8))
                quirk = [("zero-block", zero, np.full(zero.shape, 127))]
                tally.compare(f"{layout} {rule} scales", scales, theirs, [scales, theirs], quirk)
                ours, theirs = codes(held[name]), codes(their_codes.view(torch.uint8))
                tally.compare(f"{layout} {rule} codes", ours, theirs, [ours, theirs])
            if rule != "even":
                continue
            # compressed-tensors has that one.
            args = QuantizationArgs(num_bits=bits, type="float", strategy="group", group_size=32, symmetric=True)
            args.scale_dtype = args.zp_dtype = torch.uint8
            high = x.unflatten(-1, (8, 32)).abs().amax(-1).to(torch.float32)
            theirs, _ = calculate_qparams(-high, high, args)
            theirs = (torch.log2(theirs) + 127).to(torch.uint8)
            theirs = np.where(zero, 127, codes(theirs))
            width = np.full(zero.shape, bits == 8)
            quirk = [("mxfp8-even-width", width, scales)]
            tally.compare(f"{layout} even of compressed-tensors", scales, theirs, [scales, theirs], quirk)


E4M3 = np.array([code * 2.0**-9 if code < 8 else (8 + code % 8) * 2.0 ** (code // 8 - 10) for code in range(127)])


def nearest(values, x):
    """Which of the magnitudes, which are sorted, x is nearest to: ties to the even one, and the last for what is beyond.

    The argument is a quotient that was rounded to binary64. It is on the same side of every tie as the exact one where the dividend has at
    most 48 bits, and the divisor times the tie at most 53.
    """
    ties = (values[1:] + values[:-1]) / 2
    at = np.searchsorted(ties, x)
    tie = (at < len(ties)) & (ties[np.minimum(at, len(ties) - 1)] == x)
    return at + (tie & (at % 2 == 1))


class Nvfp4:
    """A weight that binade wrote as NVFP4, beside what the definition says of it."""

    def __init__(self, folder, name, x, layout):
        source, out = (os.path.join(folder, f"{name}-{layout}-{end}.safetensors") for end in ("in", "out"))
        save_file({"a.weight": x}, source, {"format": "pt"})
        run("quantize", source, out, "--layout", layout)
        held = load_file(out)
        divides = layout == "ct-nvfp4"
        self.over = held["a.weight_global_scale" if divides else "a.weight_scale_2"]
        self.scales = held["a.weight_scale"]
        self.packed = held["a.weight_packed" if divides else "a.weight"]
        x = x.to(torch.float64).numpy()
        over = self.over.to(torch.float64).numpy()
        most = np.abs(x).reshape(x.shape[0], -1, 16).max(-1)
        self.zero = most == 0
        quotients = most * over / 6 if divides else most / (6 * over)
        # What would be zero is the smallest.
        self.exact_scales = np.where(self.zero, 0x38, np.maximum(nearest(E4M3, quotients), 1)).ravel()
        spread_scales = np.repeat(E4M3[codes(self.scales).astype(int)].reshape(most.shape), 16, -1)
        quotients = np.abs(x) * over / spread_scales if divides else np.abs(x) / (spread_scales * over)
        self.exact_codes = (nearest(E2M1[:8], quotients) | np.signbit(x) * 8).ravel()
        self.negative_zero = ((x == 0) & np.signbit(x)).ravel()

    def codes(self, packed=None):
        """The codes of four bits."""
        packed = codes(self.packed if packed is None else packed)
        return np.stack([packed & np.uint64(15), packed >> np.uint64(4)], -1).ravel()

    def once(self, exact):
        return "nvfp4-rounded-twice", True, exact


def nvfp4_inputs():
    """Numbers of many magnitudes in bfloat16; and standard normal ones in binary32, with both zeros, a block of zeros, and ties."""
    generator = torch.Generator().manual_seed(11)
    x = torch.randn(512, 512, generator=generator)
    # Multiples of an eighth of the scale: of those that are powers of two many are ties.
    x[:64] = torch.round(x[:64] * 8) / 8
    x[1, ::16] = 6
    x[2, 16:32], x[2, 32:48] = 0, -0.0
    x[3:40, 5::7] = -0.0
    return {"magnitudes": weights_for_rules(), "normal": x}


def nvfp4_quantisers(folder, tally):
    """NVFP4's scales and codes beside those of the peers' own quantisers."""
    for name, x in nvfp4_inputs().items():
        compressed_tensors_nvfp4(Nvfp4(folder, name, x, "ct-nvfp4"), name, x, tally)
        modelopt_nvfp4(Nvfp4(folder, name, x, "modelopt-nvfp4"), name, x, tally)
        torchao_nvfp4(Nvfp4(folder, f"{name}-ao", x, "modelopt-nvfp4"), name, x, tally)


def compressed_tensors_nvfp4(ours, name, x, tally):
    from compressed_tensors.compressors.nvfp4.helpers import quantize_and_pack_fp4
    from compressed_tensors.quantization.utils.helpers import generate_gparam

    x = x.to(torch.float32)
    theirs = codes(generate_gparam(x.amin(), x.amax()))
    exact = rounded(np.array([2688 / x.abs().amax().to(torch.float64).item()]), torch.float32)
    tally.compare(f"nvfp4 {name} global scale", codes(ours.over), theirs, [theirs], [ours.once(exact)])
    over = ours.over
    args = QuantizationArgs(num_bits=4, type="float", strategy="tensor_group", group_size=16, symmetric=True)
    args.scale_dtype = args.zp_dtype = torch.float8_e4m3fn
    most = x.unflatten(-1, (-1, 16)).abs().amax(-1)
    scales, _ = calculate_qparams(-most, most, args, global_scale=over)
    theirs, mine = codes(scales.to(torch.float8_e4m3fn)), codes(ours.scales)
    eps = (theirs == 0x20) & (ours.zero.ravel() | (ours.exact_scales == 1))
    quirks = [("nvfp4-eps", eps, ours.exact_scales), ours.once(ours.exact_scales)]
    tally.compare(f"nvfp4 {name} scales of compressed-tensors", mine, theirs, [mine, theirs], quirks)
    packed = quantize_and_pack_fp4(x, ours.scales.to(torch.float32), global_scale=over)
    mine, theirs = ours.codes(), ours.codes(packed)
    tally.compare(f"nvfp4 {name} codes of compressed-tensors", mine, theirs, [mine, theirs], [ours.once(ours.exact_codes)])


def modelopt_nvfp4(ours, name, x, tally):
    try:
        from modelopt.torch.quantization.qtensor import NVFP4QTensor
    except ImportError as error:
        print(f"ModelOpt's quantiser is left out: {error}")
        tally.quirks.pop("nvfp4-negative-zero", None)
        return
    scales, over = NVFP4QTensor.get_weights_scaling_factor(x, 16)
    tally.compare(f"nvfp4 {name} weight_scale_2", codes(ours.over.reshape(1)), codes(over.reshape(1)), [codes(over)])
    mine, theirs = codes(ours.scales), codes(scales)
    tally.compare(f"nvfp4 {name} scales of ModelOpt", mine, theirs, [mine, theirs], [ours.once(ours.exact_scales)])
    quantised, *_ = NVFP4QTensor.quantize(x.clone(), 16, ours.scales, over)
    mine, theirs = ours.codes(), ours.codes(quantised._quantized_data)
    quirks = [("nvfp4-negative-zero", ours.negative_zero & (theirs == 0), 8), ours.once(ours.exact_codes)]
    tally.compare(f"nvfp4 {name} codes of ModelOpt", mine, theirs, [mine, theirs], quirks)


def torchao_nvfp4(ours, name, x, tally):
    try:
        from torchao.prototype.mx_formats.nvfp4_tensor import nvfp4_quantize, per_tensor_amax_to_scale
    except ImportError as error:
        print(f"torchao's quantiser is left out: {error}")
        tally.quirks.pop("nvfp4-least", None)
        return
    over = per_tensor_amax_to_scale(x.abs().amax())
    tally.compare(f"nvfp4 {name} scale of torchao", codes(ours.over.reshape(1)), codes(over.reshape(1)), [codes(over)])
    scales, packed = nvfp4_quantize(x, 16, over)
    mine, theirs = codes(ours.scales), codes(scales)
    least = (theirs == 8) & (ours.zero.ravel() | (ours.exact_scales < 8))
    quirks = [("nvfp4-least", least, ours.exact_scales), ours.once(ours.exact_scales)]
    tally.compare(f"nvfp4 {name} scales of torchao", mine, theirs, [mine, theirs], quirks)
    # It takes no scales: where they are the same.
    same = np.repeat(mine == theirs, 16)
    mine, theirs = ours.codes()[same], ours.codes(packed)[same]
    tally.compare(f"nvfp4 {name} codes of torchao", mine, theirs, [mine, theirs], [ours.once(ours.exact_codes[same])])


# Projections that vLLM loads into one matrix, with one scale of inputs.
FUSED = [("q_proj", "k_proj", "v_proj"), ("gate_proj", "up_proj")]


def calibration(model, path):
    """A calibration file of random statistics for every linear layer and attention of a Llama; the statistics."""
    generator = np.random.default_rng(7)

    def observed():
        largest = float(np.float32(generator.lognormal(2)))
        percentiles = {"99.9": float(np.float32(largest * 0.7))}
        mse = {"float8_e4m3fn": float(np.float32(largest * 0.9)), "float4_e2m1fn": float(np.float32(largest * 0.4))}
        return {"elements": 1000, "not_finite": 0, "largest": largest, "percentiles": percentiles, "mse": mse}

    stems = [name[: -len(".weight")] for name in tensors(model) if name.endswith("_proj.weight")]
    attentions = [stem[: -len(".k_proj")] for stem in stems if stem.endswith(".k_proj")]
    file = {"kind": "binade calibration", "binade": "0", "model": "llama", "tokens": 512}
    file["inputs"] = {stem: observed() for stem in stems}
    file["keys"], file["values"] = ({name: observed() for name in attentions} for _ in range(2))
    with open(path, "w") as out:
        json.dump(file, out)
    return file


@contextlib.contextmanager
def attention_is_known():
    """Lets compressed-tensors 0.20 know the attention of transformers 5.24, whose argument with the cache has another name.

    It leaves k_scale and v_scale of the file out otherwise.
    """
    with contextlib.ExitStack() as patches:
        for module in (apply, initialize):
            patches.enter_context(
                unittest.mock.patch.object(module, "is_cached_attention_module", initialize._is_attention_module)
            )
        yield


def static_scales(model, folder, tally):
    """Scales of inputs, keys and values beside those of compressed-tensors for the same statistics, and the loaded model."""
    path = os.path.join(folder, "calibration.json")
    statistics = calibration(model, path)
    clips = {
        "largest": lambda observed, format: observed["largest"],
        "percentile=99.9": lambda observed, format: observed["percentiles"]["99.9"],
        "mse": lambda observed, format: observed["mse"][format],
    }
    for layout, format, ending in [
        ("ct-fp8-static", "float8_e4m3fn", "input_scale"),
        ("ct-nvfp4", "float4_e2m1fn", "input_global_scale"),
    ]:
        for clip, magnitude in clips.items():
            out = os.path.join(folder, f"static-{layout}-{clip}")
            run("quantize", model, out, "--layout", layout, "--calibration", path, "--clip", clip)
            held = tensors(out)
            declared = json.load(open(os.path.join(out, "config.json")))["quantization_config"]
            config = QuantizationConfig.model_validate(declared)
            [group] = config.config_groups.values()

            def tensor(largest):
                return torch.tensor([largest], dtype=torch.float32)

            def scale(args, largest):
                return calculate_qparams(-tensor(largest), tensor(largest), args)[0]

            names, exact, theirs = [], [], []
            for stem, observed in statistics["inputs"].items():
                parent, last = stem.rsplit(".", 1)
                fused = next((fused for fused in FUSED if last in fused), (last,))
                largest = max(magnitude(statistics["inputs"][f"{parent}.{name}"], format) for name in fused)
                names.append(f"{stem}.{ending}")
                if layout == "ct-nvfp4":
                    theirs.append(generate_gparam(-tensor(largest), tensor(largest)))
                    exact.append(2688 / largest)
                else:
                    theirs.append(scale(group.input_activations, largest))
                    exact.append(largest / 448)
            for what, name in [("keys", "k_scale"), ("values", "v_scale")]:
                for stem, observed in statistics[what].items():
                    names.append(f"{stem}.{name}")
                    theirs.append(scale(config.kv_cache_scheme, magnitude(observed, "float8_e4m3fn")))
                    exact.append(magnitude(observed, "float8_e4m3fn") / 448)
            ours = torch.cat([held[name] for name in names])
            expected = torch.cat(theirs)
            # 2688 / x of torch is 1 / x, times 2688.
            once = np.float32(exact).view(np.uint32).astype(np.uint64)
            quirks = [("nvfp4-rounded-twice", layout == "ct-nvfp4", once)]
            tally.compare(f"{layout} {clip} scales", codes(ours), codes(expected), [codes(ours)], quirks)
            with attention_is_known():
                loaded = AutoModelForCausalLM.from_pretrained(out, dtype=torch.float32)
            found = dict(loaded.named_parameters()) | dict(loaded.named_buffers())
            missing = [name for name in names if name not in found]
            assert not missing, f"{layout}: transformers has not loaded {missing}"
            read = torch.cat([found[name].detach().float().reshape(1) for name in names])
            tally.compare(f"{layout} {clip} scales in transformers", codes(ours), codes(read), [codes(ours)])
            if clip == "largest":
                loaded = AutoModelForCausalLM.from_pretrained(out, dtype=torch.bfloat16)
                with torch.no_grad():
                    assert loaded(torch.arange(8)[None]).logits.isfinite().all(), f"{layout}: logits"
        print(f"{layout}: {len(names)} static scales under {len(clips)} clips")


def save(model, folder):
    """Saved in several files, in bf16."""
    model.to(torch.bfloat16).save_pretrained(folder, max_shard_size="300KB")
    files = [name for name in os.listdir(folder) if name.endswith(".safetensors")]
    assert len(files) > 1, "the checkpoint has several files"
    return folder


def main():
    torch.manual_seed(1)
    tally = Tally(QUIRKS)
    with tempfile.TemporaryDirectory() as folder:
        sizes = dict(hidden_size=128, intermediate_size=384, num_hidden_layers=2, vocab_size=320)
        heads = dict(num_attention_heads=4, num_key_value_heads=2)
        llama = save(LlamaForCausalLM(LlamaConfig(**sizes, **heads)), os.path.join(folder, "llama"))
        experts = dict(num_local_experts=4, num_experts_per_tok=2, head_dim=32)
        oss = save(GptOssForCausalLM(GptOssConfig(**sizes, **heads, **experts)), os.path.join(folder, "oss"))
        readers = {
            "ct-fp8": (llama, compressed_tensors),
            "ct-mxfp8": (llama, compressed_tensors),
            "ct-mxfp4": (llama, compressed_tensors),
            "ct-nvfp4": (llama, compressed_tensors),
            "auto": (llama, compressed_tensors),
            "modelopt-nvfp4": (llama, modelopt),
            "deepseek-fp8": (llama, deepseek),
            "gpt-oss": (oss, gpt_oss),
        }
        for layout, (model, reader) in readers.items():
            checked = Checked(model, layout, folder, tally)
            try:
                reader(checked)
            except ImportError as error:
                print(f"{layout} is left out: {error}")
                continue
            print(f"{layout}: {checked.weights} readings of weights")
            assert checked.weights == (8 if layout == "gpt-oss" else 28), checked.weights
        static_scales(llama, folder, tally)
        scale_rules(folder, tally)
        nvfp4_quantisers(folder, tally)
    layout_models.check(tally)
    tally.close()


if __name__ == "__main__":
    main()
