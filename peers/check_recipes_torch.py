"""The quantizers of recipes beside those of torchao, compressed-tensors and TransformerEngine, on the CPU.

    PYTHONPATH=python python3 peers/check_recipes_torch.py [--weights FILE.gguf] [--transformer-engine FOLDER]

Elements and scales are compared on normal numbers, numbers of many magnitudes, and weights of a GGUF file. binade's own are those
of check_recipes.py, whose values are first compared with binade's. Of TransformerEngine this reads the references in pure PyTorch, from
a checkout. Differences have a reason each in REASONS; another one is a failure.
"""

import argparse
import importlib.util
import sys
import types
from pathlib import Path

import numpy as np
import torch
from binade._binade import Recipe

import check_recipes as emulation
from check_recipes import ALL, E2M1, E3M2, E4M3, E5M2, fp8, mx, nvfp4

# Differences by row of the table, each with its cause.
TWICE = "the peer rounds quotients to binary32 before it rounds them to the format, which makes ties; binade rounds the exact quotient once"
INVERSE = "the peer rounds largest / amax to binary32 and inverts it; binade rounds amax / largest once"
REASONS = {
    "torchao nvfp4": TWICE + ". Elements are multiplied by a rounded reciprocal",
    "torchao fp8-tensorwise e4m3": INVERSE,
    "torchao fp8-tensorwise e5m2": INVERSE,
    "compressed-tensors mxfp4": "the peer's rule of scales is `even`, and the recipe's `floor`",
    "compressed-tensors mxfp8": "the peer's scale doubles from amax = 1.75 · 2^k on, with the width of FP4; the recipe's beyond it",
    "compressed-tensors nvfp4": INVERSE + ". " + TWICE,
    "compressed-tensors w8a8 weight": TWICE,
    "compressed-tensors w8a8 activation": TWICE,
    "TransformerEngine nvfp4": TWICE + ". Elements are multiplied by a rounded reciprocal",
    "TransformerEngine nvfp4 16x16": "as for its nvfp4",
    "TransformerEngine nvfp4 rotated": "as for its nvfp4; sums of the rotation have the order of a matrix product",
    "TransformerEngine four-over-six": "as for its nvfp4, in both candidates and their errors, which are sums in binary32",
    "TransformerEngine fp8-deepseek 1x128": INVERSE,
    "TransformerEngine fp8-deepseek 128x128": INVERSE,
    "TransformerEngine fp8-tensorwise": INVERSE,
}


class Compared:
    """Rows of the table."""

    def __init__(self):
        self.rows, self.failed = [], []

    def row(self, name, key, quantise, x, elements, scales):
        """`scales` are those by which the peer's elements are multiplied, in the shape of elements or of their blocks."""
        ours = quantise(x, 0)
        recipe, where = key
        values = Recipe(recipe).quantizer(where).quantize(np.ascontiguousarray(x).reshape(-1), x.shape[1], None, 0)
        assert np.array_equal(values, ours.values().reshape(-1)), f"{name}: binade's own emulation differs"
        elements = np.asarray(elements, np.float64)
        scales = np.broadcast_to(np.asarray(scales, np.float64), elements.shape)
        own = ours.scales * np.float64(ours.over)
        # Where an element is 0 in both, or the whole block, its scale has no meaning.
        some = np.abs(x) > 0
        apart = (elements != ours.elements) & some
        of_scales = (np.abs(scales - own) > 0) & some
        far = np.abs(scales / own - 1)[some].max()
        # Neighbours on the format's grid: the largest distance of values, relative to the largest of the tensor.
        distance = np.abs(elements * scales - ours.elements * own).max() / np.abs(x).max()
        self.rows.append((name, elements.size, int(apart.sum()), int(of_scales.sum()), far, distance))
        if (apart.any() or of_scales.any()) and name not in REASONS:
            self.failed.append(name)


def torchao(table, x):
    from torchao.float8.float8_utils import ScalingGranularity, tensor_to_scale, to_fp8_saturated
    from torchao.prototype.mx_formats import mx_tensor
    from torchao.prototype.mx_formats.config import ScaleCalculationMode
    from torchao.prototype.mx_formats.constants import DTYPE_FP6_E3M2
    from torchao.prototype.mx_formats.kernels import f4_unpacked_to_f32, f6_e3m2_unpacked_to_f32, unpack_uint4
    from torchao.prototype.mx_formats.nvfp4_tensor import nvfp4_quantize, per_tensor_amax_to_scale

    t = torch.from_numpy(x)

    def by_blocks(scales, block):
        return scales.repeat_interleave(block, 1).numpy()

    kinds = [
        ("mxfp8", torch.float8_e4m3fn, ScaleCalculationMode.RCEIL, mx(E4M3, "up")),
        ("mxfp6", DTYPE_FP6_E3M2, ScaleCalculationMode.FLOOR, mx(E3M2, "floor")),
        ("mxfp4", torch.float4_e2m1fn_x2, ScaleCalculationMode.FLOOR, mx(E2M1, "floor")),
    ]
    for name, dtype, mode, quantise in kinds:
        scales, data = mx_tensor.to_mx(t, dtype, 32, mode)
        if name == "mxfp8":
            elements = data.float()
        elif name == "mxfp6":
            elements = f6_e3m2_unpacked_to_f32(data)
        else:
            elements = f4_unpacked_to_f32(unpack_uint4(data.view(torch.uint8)))
        powers = torch.exp2(scales.view(torch.uint8).double() - 127)
        table.row(f"torchao {name}", (name, "forward.weight"), quantise, x, elements.reshape(x.shape), by_blocks(powers, 32))
    over = per_tensor_amax_to_scale(t.abs().max())
    scales, data = nvfp4_quantize(t, 16, over)
    elements = f4_unpacked_to_f32(unpack_uint4(data))
    table.row("torchao nvfp4", ("nvfp4", "forward.weight"), nvfp4(), x, elements, by_blocks(scales.double().reshape(len(x), -1), 16) * over.double().numpy())
    for name, dtype, format, key in (
        ("e4m3", torch.float8_e4m3fn, E4M3, "forward.weight"), ("e5m2", torch.float8_e5m2, E5M2, "weight_gradient.gradient"),
    ):
        scale = tensor_to_scale(t, dtype)
        elements = to_fp8_saturated(t * scale, dtype).float()
        table.row(f"torchao fp8-tensorwise {name}", ("fp8-tensorwise", key), fp8(format, ALL, ALL), x, elements, 1 / scale.double().numpy())
    scale = tensor_to_scale(
        t, torch.float8_e4m3fn, scaling_granularity=ScalingGranularity.AXISWISE, axiswise_dim=-1, round_scales_to_power_of_2=True
    )
    elements = to_fp8_saturated(t * scale, torch.float8_e4m3fn).float()
    table.row("torchao fp8-rowwise", ("fp8-rowwise", "forward.weight"), fp8(E4M3, 1, ALL, True), x, elements, 1 / scale.double().numpy())


def compressed_tensors(table, x):
    from compressed_tensors.quantization.lifecycle.forward import quantize
    from compressed_tensors.quantization.quant_scheme import preset_name_to_scheme
    from compressed_tensors.quantization.utils.helpers import calculate_qparams, generate_gparam

    t = torch.from_numpy(x)
    for name, preset, block, quantise in (
        ("mxfp8", "MXFP8", 32, mx(E4M3, "up")), ("mxfp4", "MXFP4", 32, mx(E2M1, "floor")), ("nvfp4", "NVFP4", 16, nvfp4()),
    ):
        args = preset_name_to_scheme(preset, ["Linear"]).weights
        groups = t.reshape(len(x), -1, block)
        over = generate_gparam(t.min(), t.max()) if name == "nvfp4" else None
        scales, zero = calculate_qparams(groups.amin(-1), groups.amax(-1), args, global_scale=over)
        elements = quantize(t, scales, zero, args, global_scale=over)
        scales = scales.double().reshape(len(x), -1) / (1 if over is None else over.double())
        table.row(f"compressed-tensors {name}", (name, "forward.weight"), quantise, x, elements.float(), scales.repeat_interleave(block, 1).numpy())
    scheme = preset_name_to_scheme("FP8_DYNAMIC", ["Linear"])
    for role, args in (("weight", scheme.weights), ("activation", scheme.input_activations)):
        scales, zero = calculate_qparams(t.amin(-1, keepdim=True), t.amax(-1, keepdim=True), args)
        elements = quantize(t, scales, zero, args)
        table.row(f"compressed-tensors w8a8 {role}", ("w8a8", f"forward.{role}"), fp8(E4M3, 1, ALL), x, elements.float(), scales.double().numpy())


def loaded(name, path):
    """A module of TransformerEngine's references, without its library."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def stand_in(name, **contents):
    """A module in the place of one that needs a GPU, with the names that the references import."""
    module = types.ModuleType(name)
    module.__dict__.update(contents)
    module.__path__ = []
    sys.modules[name] = module


class Base:
    """The base classes of the references."""

    def __init__(self, rowwise=True, columnwise=True):
        self.rowwise_usage, self.columnwise_usage = rowwise, columnwise


def transformer_engine(table, x, folder):
    if "transformer_engine" not in sys.modules:
        package = "transformer_engine.pytorch"
        for name in ("transformer_engine", package, f"{package}.custom_recipes", f"{package}.tensor", "references"):
            stand_in(name)
        stand_in(f"{package}.quantized_tensor", QuantizedTensorStorage=object, Quantizer=Base)
        stand_in(f"{package}.tensor.utils", is_custom=None)
        recipes = folder / "transformer_engine/pytorch/custom_recipes"
        for name in ("gemm", "reference_utils"):
            setattr(sys.modules[f"{package}.custom_recipes"], name, loaded(f"{package}.custom_recipes.{name}", recipes / f"{name}.py"))
        loaded(f"{package}.custom_recipes.reference_nvfp4", recipes / "reference_nvfp4.py")
        for name in ("quantize_scale_calc", "blockwise_quantizer_reference"):
            loaded(f"references.{name}", folder / f"tests/pytorch/references/{name}.py")
    reference = sys.modules["transformer_engine.pytorch.custom_recipes.reference_nvfp4"]
    utils = sys.modules["transformer_engine.pytorch.custom_recipes.reference_utils"]
    blockwise = sys.modules["references.blockwise_quantizer_reference"].BlockwiseQuantizerReference()
    calculated = sys.modules["references.quantize_scale_calc"].scale_from_amax_tensor
    t = torch.from_numpy(x)

    def of_nvfp4(name, key, quantise, x, most=448, columnwise=False, **options):
        made = reference.NVFP4QuantizerRef(utils.Fp4Formats.E2M1, **options)
        rows, scales, columns, column_scales, row_most, column_most = made._quantize(torch.from_numpy(x))
        data, scales, largest = (columns, column_scales, column_most) if columnwise else (rows, scales, row_most)
        elements = reference.cast_from_fp4x2(data, torch.float32).numpy()
        # The decoding scale of the tensor is amax / (6 · 448).
        over = float(1 / (torch.tensor(6.0 * most) / largest).double())
        scales = scales.double().reshape(len(elements), -1).repeat_interleave(16, 1).numpy() * over
        table.row(f"TransformerEngine {name}", key, quantise, np.ascontiguousarray(x.T if columnwise else x), elements, scales)

    of_nvfp4("nvfp4", ("nvfp4", "forward.weight"), nvfp4(), x)
    of_nvfp4("nvfp4 16x16", ("nvfp4-training", "forward.weight"), nvfp4(16), x, quant_tile_shape=(16, 16))
    # The signs of binade's rotation in the place of the reference's: otherwise the two rotate differently by definition.
    signs = torch.where(torch.from_numpy((emulation.element_words(0, 16) >> np.uint64(31)).astype(np.int64)).bool(), -1.0, 1.0)
    reference.get_wgrad_sign_vector = lambda: signs
    of_nvfp4("nvfp4 rotated", ("nvfp4-training", "weight_gradient.activation"), nvfp4(rotated=True), x, columnwise=True, with_rht=True)
    of_nvfp4(
        "four-over-six", ("four-over-six", "forward.weight"), nvfp4(four_over_six=True), x, most=256, nvfp4_use_4over6=True,
        nvfp4_e4m3_max=256, nvfp4_4over6_err_mode="MSE",
    )
    for tile, quantise, role in (((1, 128), fp8(E4M3, 1, 128), "activation"), ((128, 128), fp8(E4M3, 128, 128), "weight")):
        made = blockwise.quantize(t, torch.float8_e4m3fn, quant_tile_shape=tile, munge_scale_shapes=False)
        scales = made.scale.double().repeat_interleave(128, 1)[:, : x.shape[1]]
        scales = scales.repeat_interleave(tile[0], 0)[: len(x)]
        table.row(f"TransformerEngine fp8-deepseek {tile[0]}x{tile[1]}", ("fp8-deepseek", f"forward.{role}"), quantise, x, made.data.float(), scales)
    scale, inverse, _ = calculated(
        torch.float32, t.abs().max().view(1), torch.float8_e4m3fn, eps=0.0, pow_2_scales=False
    )
    elements = (t * scale).to(torch.float8_e4m3fn).float()
    table.row("TransformerEngine fp8-tensorwise", ("fp8-tensorwise", "forward.weight"), fp8(E4M3, ALL, ALL), x, elements, inverse.double().numpy())


def weights_of(path, count=3):
    """Matrices of a GGUF file, dequantised."""
    from gguf import GGUFReader, dequantize

    found = []
    for tensor in GGUFReader(path).tensors:
        values = dequantize(tensor.data, tensor.tensor_type)
        if values.ndim == 2 and ".weight" in tensor.name and "token" not in tensor.name:
            rows, columns = (size // 128 * 128 for size in values.shape)
            found.append((tensor.name, np.ascontiguousarray(values[:rows, :columns], np.float32)))
        if len(found) == count:
            break
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--weights", type=Path)
    arguments.add_argument("--transformer-engine", type=Path)
    given = arguments.parse_args()
    generator = np.random.default_rng(1)
    tensors = [("normal", generator.standard_normal((256, 512)).astype(np.float32))]
    wide = generator.standard_normal((256, 512)) * np.exp2(generator.uniform(-8, 8, (256, 512)))
    tensors.append(("wide", np.where(generator.random(wide.shape) < 0.02, 0, wide).astype(np.float32)))
    tensors += weights_of(given.weights) if given.weights else []
    print("| tensor | peer and recipe | elements | other elements | under other scales | scales differ by | values by, of the largest |")
    print("|---|---|---|---|---|---|---|")
    failed = []
    for name, x in tensors:
        table = Compared()
        torchao(table, x)
        compressed_tensors(table, x)
        if given.transformer_engine:
            transformer_engine(table, x, given.transformer_engine)
        for row, elements, other, scales, far, distance in table.rows:
            print(f"| {name} | {row} | {elements:,} | {other:,} | {scales:,} | {far:.1e} | {distance:.1e} |")
        failed += [(name, row) for row in table.failed]
    print()
    for row, reason in REASONS.items():
        print(f"- {row}: {reason}.")
    for name, row in failed:
        print(f"{row} differs on {name} without a listed reason")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
