"""binade's checkpoints of whole models, of any size, as transformers loads them.

Models with random weights are saved by transformers in several files: a Llama, a gpt-oss, and one of GPT-2's shape with linear layers
(GPTBigCode). binade writes each layout; `AutoModelForCausalLM.from_pretrained` loads it, on the CPU, and every tensor of the loaded model
must have the bits of binade's `dequantize`. Where the program rounds twice, binade's bits must be those of the exact product, rounded once.
A GPT-2 itself, whose layers are Conv1D, is refused with the reason. Each run is beside cp of what it reads, with the memory held.

    BINADE=target/release/binade PYTHON peers/check_checkpoint.py --gigabytes 4

needs torch, transformers, compressed-tensors and accelerate, and says so where they are missing.
"""

import argparse
import importlib.util
import json
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

from measure_layouts import BINADE, seconds_and_memory

# What each kind of model is quantised to. transformers has no reader of ModelOpt's layout: see `refused`.
LAYOUTS = {
    "llama": ["ct-fp8", "ct-mxfp8", "ct-mxfp4", "ct-nvfp4", "deepseek-fp8", "modelopt-nvfp4"],
    "gpt_bigcode": ["ct-fp8", "ct-nvfp4"],
    "gpt_oss": ["gpt-oss"],
}
# Of compressed-tensors' layouts, transformers can only have these where all that is targeted is dequantised while it loads.
QUIRK = "rounded-twice"


def make(kind, folder, gigabytes):
    """A model of about so many GB in bf16, saved in files of at most a GB, at least three."""
    import torch
    import transformers

    torch.manual_seed(1)
    torch.set_default_dtype(torch.bfloat16)
    # Widths grow with the cube root, layers do the rest.
    width = max(256, int((gigabytes * 5e8 / 12 / 24) ** 0.5) // 256 * 256)
    numbers = gigabytes * 5e8
    common = dict(vocab_size=4096)
    if kind == "llama":
        inner = width * 11 // 4 // 256 * 256
        layer = width * (2.5 * width + 3 * inner)
        config = transformers.LlamaConfig(
            hidden_size=width,
            intermediate_size=inner,
            num_hidden_layers=max(1, round(numbers / layer)),
            num_attention_heads=width // 64,
            num_key_value_heads=width // 256,
            **common,
        )
        made = transformers.LlamaForCausalLM(config)
    elif kind == "gpt_oss":
        layer = 8 * 3 * width * width
        config = transformers.GptOssConfig(
            hidden_size=width,
            intermediate_size=width,
            num_hidden_layers=max(1, round(numbers / layer)),
            num_local_experts=8,
            num_experts_per_tok=2,
            num_attention_heads=width // 64,
            num_key_value_heads=width // 256,
            head_dim=64,
            **common,
        )
        made = transformers.GptOssForCausalLM(config)
    else:
        layers = max(1, round(numbers / (12 * width * width)))
        shape = dict(n_embd=width, n_layer=layers, n_head=width // 64, n_positions=256, **common)
        if kind == "gpt2":
            made = transformers.GPT2LMHeadModel(transformers.GPT2Config(**shape))
        else:
            config = transformers.GPTBigCodeConfig(**shape, multi_query=False)
            made = transformers.GPTBigCodeForCausalLM(config)
    made.save_pretrained(folder, max_shard_size=int(min(1e9, gigabytes * 1e9 / 3)))


def load(folder, dtype):
    """The model as transformers loads it, with what it says about tensors that are missing or unexpected."""
    import transformers

    method = json.load(open(os.path.join(folder, "config.json")))["quantization_config"]["quant_method"]
    configs = {
        "compressed-tensors": transformers.CompressedTensorsConfig,
        "fp8": transformers.FineGrainedFP8Config,
        "mxfp4": transformers.Mxfp4Config,
    }
    asked = configs[method](dequantize=True)
    return transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=dtype, quantization_config=asked, output_loading_info=True, low_cpu_mem_usage=True
    )


class Folder:
    """The tensors of a checkpoint, read one by one."""

    def __init__(self, path):
        import safetensors

        self.path = path
        self.files, self.places = {}, {}
        for name in sorted(os.listdir(path)):
            if name.endswith(".safetensors"):
                self.files[name] = safetensors.safe_open(os.path.join(path, name), "pt")
                self.places |= {tensor: name for tensor in self.files[name].keys()}

    def __getitem__(self, tensor):
        return self.files[self.places[tensor]].get_tensor(tensor)


def exact(held, name):
    """The numbers that a weight's codes and scales stand for, in binary64, by numpy alone."""
    import torch

    from check_layouts import spread, unpacked

    stem = name.removesuffix(".weight")
    has = lambda ending: stem + ending in held.places
    if has(".weight_scale_inv"):
        codes, scales = held[f"{stem}.weight"], held[f"{stem}.weight_scale_inv"]
        grid = spread(scales, 128).repeat(128, axis=0)[: codes.shape[0], : codes.shape[1]]
        return codes.to(torch.float64).numpy() * grid
    packed = has(".weight_packed")
    codes = held[f"{stem}.weight_packed" if packed else f"{stem}.weight"]
    numbers = unpacked(codes) if packed else codes.to(torch.float64).numpy()
    scales = held[f"{stem}.weight_scale"]
    if scales.dtype == torch.uint8:
        return numbers * (2.0 ** (scales.numpy().astype("float64") - 127)).repeat(32, axis=-1)
    if has(".weight_global_scale"):
        return numbers * spread(scales, 16) / held[f"{stem}.weight_global_scale"].to(torch.float64).numpy()
    return numbers * scales.to(torch.float64).numpy()


def compare(quantised, dequantised, dtype):
    """Counts of the elements that agree with the loaded model, and that it rounds twice."""
    import torch

    from check_layouts import rounded

    dtype = getattr(torch, dtype)
    model, info = load(quantised, dtype)
    for what in ["missing_keys", "unexpected_keys", "mismatched_keys", "error_msgs"]:
        assert not info.get(what), f"{quantised}: {what}: {list(info[what])[:3]}"
    ours, held = Folder(dequantised), Folder(quantised)
    counts = {"tensors": 0, "agreed": 0, QUIRK: 0, "unexplained": 0}
    theirs = dict(model.state_dict())
    tied = {name for name in theirs if name not in ours.places}
    assert tied <= {"lm_head.weight"}, f"{sorted(tied)[:3]} are not in the files"
    integers = {2: torch.int16, 4: torch.int32}[dtype.itemsize]
    for name in ours.places:
        mine = ours[name].to(dtype).view(integers)
        loaded = theirs[name].detach().contiguous()
        assert loaded.dtype == dtype and loaded.shape == mine.shape, f"{name}: {loaded.dtype} {loaded.shape}"
        same = mine == loaded.view(integers)
        counts["tensors"] += 1
        agreed = int(same.sum())
        counts["agreed"] += agreed
        if agreed == same.numel():
            continue
        expected = rounded(exact(held, name), dtype)
        width = {2: 0xFFFF, 4: 0xFFFFFFFF}[dtype.itemsize]
        found = (mine.numpy().astype("int64").ravel() & width).astype("uint64")
        explained = int(((found == expected) & ~same.numpy().ravel()).sum())
        counts[QUIRK] += explained
        counts["unexplained"] += same.numel() - agreed - explained
    return counts


def quiet():
    """In a process for what needs torch: what this one holds would count as its children's."""
    import logging
    import warnings

    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def refused_by_transformers(folder):
    """What transformers says of a layout that it has no reader for."""
    import transformers

    try:
        transformers.AutoModelForCausalLM.from_pretrained(folder)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0][:160]}"
    return None


def measured(command, beside, out, rounds):
    """Medians of seconds, of memory in MB, and of cp's seconds of the same rounds."""
    runs = []
    for _ in range(rounds):
        for each in (["cp", "-r", beside, out], command):
            shutil.rmtree(out, ignore_errors=True)
            os.sync()
            runs.append(seconds_and_memory(each))
    pairs = [statistics.median(column) for column in zip(*runs[1::2])]
    return pairs[0], pairs[1], statistics.median(seconds for seconds, _ in runs[0::2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=0.03, help="of each model, in bf16")
    parser.add_argument("--models", default=",".join(LAYOUTS))
    parser.add_argument("--layouts", help="of these only")
    parser.add_argument("--dtypes", default="bfloat16,float32", help="that models are loaded in")
    parser.add_argument("--rounds", type=int, default=1, help="of measurements")
    parser.add_argument("--folder", help="where models are made; by default where temporary files are")
    options = parser.parse_args()
    needed = ["torch", "transformers", "compressed_tensors", "accelerate", "safetensors"]
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        return
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    totals, seen = {"agreed": 0, QUIRK: 0, "unexplained": 0}, set()
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, ProcessPoolExecutor(1, context, quiet) as peer:
        at = lambda name: os.path.join(folder, name)
        apart = lambda *call: peer.submit(*call).result()
        for kind in options.models.split(","):
            source = at(kind)
            apart(make, kind, source, options.gigabytes)
            files = [name for name in os.listdir(source) if name.endswith(".safetensors")]
            size = sum(os.path.getsize(os.path.join(source, name)) for name in files) / 1e9
            print(f"{kind}: {size:.2f} GB in {len(files)} files")
            assert len(files) > 1, "the checkpoint has several files"
            for layout in LAYOUTS[kind]:
                if options.layouts and layout not in options.layouts.split(","):
                    continue
                quantised, out = at("quantised"), at("out")
                there = [BINADE, "quantize", source, quantised, "--layout", layout]
                seconds, memory, beside = measured(there, source, quantised, options.rounds)
                print(f"  quantize {layout:15} {seconds:7.2f} s  {beside / seconds:5.2f} of cp's speed  {memory:6.1f} MB")
                dtypes = [] if layout == "modelopt-nvfp4" else options.dtypes.split(",")
                if not dtypes:
                    said = apart(refused_by_transformers, quantised)
                    assert said, "transformers loads ModelOpt's layout now: compare it"
                    print(f"  load     {layout:15} refused by transformers: {said}")
                for dtype in dtypes:
                    back = [BINADE, "dequantize", quantised, out, "--dtype", dtype]
                    seconds, memory, beside = measured(back, source, out, options.rounds)
                    speed = f"{seconds:7.2f} s  {beside / seconds:5.2f} of cp's speed  {memory:6.1f} MB"
                    counts = apart(compare, quantised, out, dtype)
                    totals = {name: totals[name] + counts[name] for name in totals}
                    seen |= {layout} if counts[QUIRK] else set()
                    words = f"{counts['tensors']} tensors: {counts['agreed']} agreed, {counts[QUIRK]} {QUIRK}"
                    print(f"  dequantize {layout:13} {speed}  {dtype}  {words}, {counts['unexplained']} unexplained")
                    shutil.rmtree(out)
                shutil.rmtree(quantised)
            shutil.rmtree(source)
        apart(make, "gpt2", at("gpt2"), min(options.gigabytes, 0.03))
        command = [BINADE, "quantize", at("gpt2"), at("refused"), "--layout", "ct-fp8"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 2 and "Conv1D" in done.stderr, done
        assert not os.path.exists(at("refused"))
        print("gpt2: refused, since it is made of Conv1D")
    print(f"quirk {QUIRK}, in {', '.join(sorted(seen)) or 'none'}: the peer rounds a product before the next; binade the exact one, once")
    print(f"{totals['agreed']} agreed, {totals[QUIRK]} listed quirks, {totals['unexplained']} unexplained")
    sys.exit(1 if totals["unexplained"] or not totals["agreed"] else 0)


if __name__ == "__main__":
    main()
