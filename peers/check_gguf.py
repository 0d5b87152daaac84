"""GGUF files beside the Python package `gguf`: values of every block type, and the files that binade writes.

Reading: random blocks of each type, dequantised by both, are compared bit by bit. Blocks whose scale is NaN in its own format are
counted apart: `gguf` gives them numbers. Writing: Q8_0 and BF16 must have gguf's bytes. The scales of MXFP4 must be equal, and
elements differ only where two values are equally near: gguf takes the first of them, binade rounds to even.
"""

import os
import subprocess
import sys
import tempfile

import gguf
import numpy as np
from gguf.constants import GGML_QUANT_SIZES
from gguf.constants import GGMLQuantizationType as Type
from safetensors.numpy import load_file

BINADE = os.environ.get("BINADE", "binade")
READ = (
    "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS TQ1_0 TQ2_0 MXFP4 NVFP4".split()
)
ROWS, COLUMNS = 96, 1024


def run(*arguments):
    done = subprocess.run([BINADE, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def write(path, tensors):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("random blocks")
    writer.add_array("tokenizer.ggml.tokens", [f"token{at}" for at in range(100)])
    for name, (array, kind) in tensors.items():
        writer.add_tensor(name, array, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def scale_is_nan(name, blocks):
    """Elements of blocks whose scale is NaN in its own format."""
    if name == "MXFP4":
        return np.repeat(blocks[:, :1] == 255, 32, axis=1)
    if name == "NVFP4":
        return np.repeat((blocks[:, :4] & 127) == 127, 16, axis=1)
    return np.zeros((len(blocks), 1), bool)


def check_values(folder, random):
    raw = {}
    for name in READ:
        elements, size = GGML_QUANT_SIZES[Type[name]]
        raw[name] = random.integers(0, 256, (ROWS, COLUMNS // elements * size), dtype=np.uint8)
    source, output = os.path.join(folder, "all.gguf"), os.path.join(folder, "all.safetensors")
    write(source, {name: (array, Type[name]) for name, array in raw.items()})
    run("dequantize", source, output, "--dtype", "f32")
    found = load_file(output)
    failed = 0
    for name, array in raw.items():
        with np.errstate(all="ignore"):
            wanted = gguf.quants.dequantize(array, Type[name]).astype(np.float32)
        got = found[name]
        same = (got.view(np.uint32) == wanted.view(np.uint32)) | (np.isnan(got) & np.isnan(wanted))
        elements, size = GGML_QUANT_SIZES[Type[name]]
        nan = scale_is_nan(name, array.reshape(-1, size))
        nan = np.broadcast_to(nan, (array.size // size, elements)).reshape(same.shape)
        differ = int((~same & ~nan).sum())
        assert np.isnan(got[nan]).all(), name
        failed += differ
        note = f", {int(nan.sum())} under a scale that is NaN" if nan.any() else ""
        print(f"{name:8} {same.size} values, {differ} differ{note}")
    return failed


def check_written(folder, random):
    values = (random.standard_normal((ROWS, COLUMNS)) * np.exp(random.standard_normal((ROWS, 1)) * 4)).astype(np.float32)
    values[0, :32] = 0
    source = os.path.join(folder, "plain.gguf")
    write(source, {"blk.0.attn_q.weight": (values, None), "blk.0.attn_norm.weight": (values[0], None)})
    failed = 0
    for layout, kind in (("gguf-q8_0", Type.Q8_0), ("gguf-bf16", Type.BF16), ("gguf-mxfp4", Type.MXFP4)):
        output = os.path.join(folder, f"{layout}.gguf")
        run("quantize", source, output, "--layout", layout)
        reader = gguf.GGUFReader(output)
        tensors = {tensor.name: tensor for tensor in reader.tensors}
        assert reader.fields["general.name"].contents() == "random blocks"
        assert len(reader.fields["tokenizer.ggml.tokens"].contents()) == 100
        assert (tensors["blk.0.attn_norm.weight"].data == values[0]).all()
        assert tensors["blk.0.attn_q.weight"].tensor_type == kind
        got = np.ascontiguousarray(tensors["blk.0.attn_q.weight"].data).view(np.uint8).reshape(ROWS, -1)
        wanted = gguf.quants.quantize(values, kind).view(np.uint8).reshape(ROWS, -1)
        if kind == Type.MXFP4:
            got, wanted = got.reshape(-1, 17), wanted.reshape(-1, 17)
            zero = (values.reshape(-1, 32) == 0).all(axis=1)
            scales = int((got[~zero, 0] != wanted[~zero, 0]).sum())
            ours, theirs = (gguf.quants.dequantize(each, kind) for each in (got, wanted))
            exact = values.reshape(-1, 32).astype(np.float64)
            worse = int((np.abs(ours - exact) != np.abs(theirs - exact)).sum())
            print(f"{layout}: {got.shape[0]} blocks, {scales} scales differ, {worse} elements are farther or nearer")
            failed += scales + worse
        else:
            differ = int((got != wanted).sum())
            print(f"{layout}: {got.size} bytes, {differ} differ")
            failed += differ
    return failed


def main():
    random = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        failed = check_values(folder, random) + check_written(folder, random)
    print("passed" if failed == 0 else f"FAILED: {failed} differ")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
