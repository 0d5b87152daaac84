"""Language models under `binade lm` beside the emulations of torchao and compressed-tensors, and beside plain PyTorch, on the CPU.

    PYTHONPATH=python python3 peers/check_lm.py MODEL.gguf TEXT [--layers 4] [--windows 2x48]

The model is cut to its first decoder layers. Three comparisons of each row, weights and activations:

1. operands: numbers of weights and activations after quantisation, of all linear layers on the inputs of the plain model;
2. products: outputs of these layers on the same inputs, relative to the largest of the layer;
3. logits: of the cut model, each on its own activations, with the divergence between both ("between"). An operand that differs moves
   activations of later layers, so that both may be as far apart as either is from the plain model. "same ops" is the divergence from the
   peer's way of computing with binade's operands, where only the order of sums differs.

Perplexity, divergence and agreement of binade's logits are computed again by PyTorch's own losses. Differences have a reason each in
REASONS; another one is a failure.
"""

import argparse
import sys
import warnings

import torch
from binade._binade import Quantizer
from binade._calibrate_torch import calibrate
from binade._inference_torch import clipped, linear_layers, static_quantizer
from binade._lm_evaluate_torch import Evaluation, compared, logits_of
from binade._lm_model import import_libraries, inspect, load_model, load_tokenizer, windows_of
from binade._lm_row_torch import Row

TWICE = "the peer rounds quotients to binary32 before it rounds them to the format, which makes ties; binade rounds the exact quotient once"
INVERSE = "the peer rounds largest / amax to binary32 and inverts it; binade rounds amax / largest once"
REASONS = {
    "torchao nvfp4": TWICE + ". Elements are multiplied by a rounded reciprocal",
    "compressed-tensors nvfp4": INVERSE + ". " + TWICE,
    "compressed-tensors nvfp4 static": INVERSE + ". " + TWICE,
    "compressed-tensors w8a8": TWICE,
    "compressed-tensors fp8 static": TWICE,
}
# Of products with equal operands: PyTorch adds in another order.
SUMS = 2e-6


def torchao_mx(x):
    from torchao.prototype.mx_formats import mx_tensor
    from torchao.prototype.mx_formats.config import ScaleCalculationMode
    from torchao.prototype.mx_formats.kernels import f4_unpacked_to_f32, unpack_uint4

    scales, data = mx_tensor.to_mx(x, torch.float4_e2m1fn_x2, 32, ScaleCalculationMode.FLOOR)
    powers = torch.exp2(scales.view(torch.uint8).double() - 127).reshape(len(x), -1)
    elements = f4_unpacked_to_f32(unpack_uint4(data.view(torch.uint8))).reshape(x.shape)
    return elements * powers.repeat_interleave(32, 1)


def torchao_nvfp4(x):
    from torchao.prototype.mx_formats.kernels import f4_unpacked_to_f32, unpack_uint4
    from torchao.prototype.mx_formats.nvfp4_tensor import nvfp4_quantize, per_tensor_amax_to_scale

    over = per_tensor_amax_to_scale(x.abs().max())
    scales, data = nvfp4_quantize(x, 16, over)
    elements = f4_unpacked_to_f32(unpack_uint4(data)).reshape(x.shape)
    return elements * (scales.double().reshape(len(x), -1) * over.double()).repeat_interleave(16, 1)


def compressed_tensors(preset, role, clip=None):
    """A quantiser of matrices by compressed-tensors' functions; `clip` is the largest magnitude of a static scale."""
    from compressed_tensors.quantization.lifecycle.forward import quantize
    from compressed_tensors.quantization.quant_scheme import preset_name_to_scheme
    from compressed_tensors.quantization.utils import calculate_qparams, generate_gparam

    scheme = preset_name_to_scheme(preset, ["Linear"])
    args = scheme.weights if role == "weight" else scheme.input_activations

    def quantise(x):
        most = x.abs().max() if clip is None else torch.tensor(clip)
        if args.group_size is None:
            whole = args.strategy == "tensor"
            low, high = (-most[None], most[None]) if whole else (x.amin(-1, keepdim=True), x.amax(-1, keepdim=True))
            scales, zero = calculate_qparams(low, high, args)
            return quantize(x, scales, zero, args).double() * scales.double()
        groups = x.reshape(len(x), -1, args.group_size)
        over = generate_gparam(-most[None], most[None]) if preset == "NVFP4" else None
        scales, zero = calculate_qparams(groups.amin(-1), groups.amax(-1), args, global_scale=over)
        elements = quantize(x, scales, zero, args, global_scale=over).double()
        scales = scales.double() / (1 if over is None else over.double())
        return elements * scales.reshape(len(x), -1).repeat_interleave(args.group_size, 1)

    return quantise


def own(name, clip=None):
    """binade's own quantiser of matrices."""
    quantizer = Quantizer(name)

    def quantise(x):
        rows = x.numpy() if clip is None else clipped(x.numpy(), clip)
        return torch.from_numpy(quantizer.quantize(rows.reshape(-1), rows.shape[1])[: x.numel()]).reshape(x.shape)

    return quantise


def rows_of(calibration):
    """(name, row of binade, the peer's quantisers of weights and of a layer's activations)."""
    head = "+leave=lm_head"

    def static(preset):
        return lambda layer: compressed_tensors(preset, "activation", calibration.inputs[layer].largest)

    def always(quantise):
        return lambda layer: quantise

    even = "weights=mxfp4/rule=even+activations=mxfp4/rule=even"
    dynamic = compressed_tensors
    return [
        ("torchao mxfp4", f"mxfp4{head}", torchao_mx, always(torchao_mx)),
        ("torchao nvfp4", f"nvfp4{head}", torchao_nvfp4, always(torchao_nvfp4)),
        ("compressed-tensors mxfp4", f"{even}{head}", dynamic("MXFP4", "weight"), always(dynamic("MXFP4", "activation"))),
        ("compressed-tensors nvfp4", f"nvfp4{head}", dynamic("NVFP4", "weight"), always(dynamic("NVFP4", "activation"))),
        ("compressed-tensors nvfp4 static", f"nvfp4{head}+static=largest", dynamic("NVFP4", "weight"), static("NVFP4")),
        ("compressed-tensors w8a8", f"w8a8{head}", dynamic("FP8_DYNAMIC", "weight"), always(dynamic("FP8_DYNAMIC", "activation"))),
        ("compressed-tensors fp8 static", f"fp8-tensorwise{head}+static=largest", dynamic("FP8", "weight"), static("FP8")),
    ]


class Peer:
    """The model with a peer's quantised weights, and hooks that quantise inputs."""

    def __init__(self, layers, of_weights, of_inputs):
        self.layers, self.of_inputs = layers, of_inputs
        self.weights = {layer.name: of_weights(layer.module.weight).float() for layer in layers}

    def __enter__(self):
        self.undo = []
        for layer in self.layers:
            before, quantise = layer.module.weight, self.of_inputs(layer.name)
            layer.module.weight = torch.nn.Parameter(self.weights[layer.name], requires_grad=False)

            def fake(module, inputs, quantise=quantise):
                x = inputs[0]
                return quantise(x.reshape(-1, x.shape[-1])).float().reshape(x.shape)

            hook = layer.module.register_forward_pre_hook(fake)
            self.undo.append((layer.module, before, hook))

    def __exit__(self, *raised):
        for module, weight, hook in self.undo:
            module.weight = weight
            hook.remove()


def inputs_of(model, layers, tokens):
    """Inputs of linear layers in the plain model, as matrices."""
    found, hooks = {}, []
    for layer in layers:
        def keep(module, inputs, name=layer.name):
            found[name] = inputs[0].reshape(-1, inputs[0].shape[-1]).clone()

        hooks.append(layer.module.register_forward_pre_hook(keep))
    logits_of(model, tokens)
    for hook in hooks:
        hook.remove()
    return found


def clip_of(row, calibration, layer):
    return calibration.inputs[layer].largest if row.static else None


def activation_of(row):
    """The quantiser of a row's activations, whose static scale is that of a tensor."""
    activation = row.arithmetic.pairs["forward.activation"]
    return static_quantizer(activation) if row.static else activation


def measures(reference, logits, tokens):
    """Perplexity, mean divergence and agreement by PyTorch's own functions."""
    p, q = reference[:-1].double(), logits[:-1].double()
    loss = torch.nn.functional.cross_entropy(q, tokens[1:])
    divergence = torch.nn.functional.kl_div(q.log_softmax(-1), p.log_softmax(-1), reduction="batchmean", log_target=True)
    return loss.exp().item(), divergence.item(), (p.argmax(-1) == q.argmax(-1)).double().mean().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a GGUF file or a folder of transformers")
    parser.add_argument("text", help="a text")
    parser.add_argument("--layers", type=int, default=4, help="decoder layers to keep [default: %(default)s]")
    parser.add_argument("--windows", default="2x48", help="windows of tokens [default: %(default)s]")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    import_libraries()
    source = inspect(arguments.model)
    model = load_model(source)
    model.model.layers = model.model.layers[: arguments.layers]
    count, length = map(int, arguments.windows.split("x"))
    with open(arguments.text, encoding="utf-8") as opened:
        windows = windows_of(load_tokenizer(source, None), opened.read(1 << 20), count, length)
    calibration = calibrate(model, windows.split(1))
    evaluation = Evaluation(model, windows, calibration=calibration)
    inputs = inputs_of(model, linear_layers(model), windows[0])
    failed = []
    print(f"{arguments.model}, {arguments.layers} layers, {arguments.windows} tokens")
    print(f"{'row':34} {'operands apart':>15} {'products':>9} {'logits':>9} {'KL ours':>9} {'KL peer':>9} {'KL between':>11} {'same ops':>9} {'top-1':>6}")
    for name, text, of_weights, of_inputs in rows_of(calibration):
        row = evaluation.prepared(Row.parse(text))
        layers = row.chosen(model)
        peer = Peer(layers, of_weights, of_inputs)
        recipe = row.arithmetic.pairs
        apart = elements = 0
        products = 0.0
        context = row.context(model, None, calibration)
        for layer in layers:
            x, weight = inputs[layer.name], layer.module.weight
            clip, activation = clip_of(row, calibration, layer.name), activation_of(row)
            # Numbers of equal codes: scales that differ in the last bit are no other codes.
            pairs = [
                (peer.weights[layer.name], own(recipe["forward.weight"])(weight)),
                (of_inputs(layer.name)(x).float(), own(activation, clip)(x)),
            ]
            for theirs, ours in pairs:
                apart += int((~torch.isclose(theirs, ours, rtol=1e-5, atol=0)).sum())
                elements += ours.numel()
            with torch.no_grad(), context:
                got = layer.module(x)
            want = pairs[1][1] @ pairs[0][1].T
            products = max(products, ((got - want).abs().max() / want.abs().max()).item())
        # The peer's way of computing with binade's operands: what differs then is the order of sums.
        same = Peer(layers, own(recipe["forward.weight"]), lambda layer: own(activation_of(row), clip_of(row, calibration, layer)))
        totals, between_same = [[], []], []
        between, logits_apart, agrees = [], 0.0, []
        for tokens in windows:
            reference = logits_of(model, tokens)
            with context:
                ours = logits_of(model, tokens)
            with peer:
                theirs = logits_of(model, tokens)
            with same:
                between_same.append(measures(logits_of(model, tokens), ours, tokens)[1])
            logits_apart = max(logits_apart, ((ours - theirs).abs().mean() / (theirs - reference).abs().mean()).item())
            for total, logits in zip(totals, (ours, theirs)):
                total.append(measures(reference, logits, tokens))
            losses, divergences, top = compared(reference, ours, tokens)
            mean = sum(losses) / len(losses), sum(divergences) / len(divergences), sum(top) / len(top)
            plain = totals[0][-1]
            got = (torch.tensor(mean[0]).double().exp().item(), *mean[1:])
            if any(abs(a - b) > 1e-9 * max(1, abs(b)) for a, b in zip((mean[1], mean[2]), plain[1:])) or abs(got[0] / plain[0] - 1) > 1e-5:
                failed.append(f"{name}: perplexity, divergence and agreement {got} and by PyTorch {plain}")
            _, divergence, agreement = measures(theirs, ours, tokens)
            between.append(divergence)
            agrees.append(agreement)

        def average(values):
            return sum(values) / len(values)

        kl = [average([each[1] for each in total]) for total in totals]
        print(
            f"{name:34} {apart:>7} of {elements / 1e6:4.1f} M {products:9.1e} {logits_apart:9.2e} {kl[0]:9.4f} {kl[1]:9.4f} {average(between):11.1e} "
            f"{average(between_same):9.1e} {average(agrees):6.1%}"
        )
        if apart and name not in REASONS:
            failed.append(f"{name}: {apart} operands differ")
        if products > SUMS:
            failed.append(f"{name}: products differ by {products}, more than another order of sums explains")
        if average(between_same) > 0.05 * kl[1]:
            failed.append(f"{name}: with equal operands, the divergence is {average(between_same):.3g} beside {kl[1]:.3g}")
    print("\nReasons of operands that differ")
    for name, reason in REASONS.items():
        print(f"{name}: {reason}")
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
