"""Writes the PyTorch programs that binade-hlo's tests run: modules as torchax exports them, inputs, and PyTorch's own results.

For each module NAME.mlir, a program of StableHLO, and NAME.npz, with its parameters arg0, arg1, … and what PyTorch computes
from them on the processor, out0, out1, … Forward passes are exported as `torch.export` and torchax do it; training steps
are value_and_grad of the module as a function of JAX, beside autograd's gradients.
Where the program takes integers of 32 bits for PyTorch's 64, so do the files.

    pip install -r peers/requirements.txt -r peers/requirements-torchax.txt
    python peers/export_torch_programs.py [NAME…]
"""

import os
import sys
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import ml_dtypes
import numpy as np
import torch
import torch.nn.functional as F
import torchax
from jax.interpreters import mlir
from jax.extend.mlir import ir
from torch import nn
from torchax import export, interop

FOLDER = Path(__file__).parent.parent / "crates/binade-hlo/tests/data/torch"


class Perceptron(nn.Module):
    """Linear layers, layer norm, GELU by erf and by tanh, and a softmax."""

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.second, self.last = nn.Linear(12, 32), nn.LayerNorm(32), nn.Linear(32, 16), nn.Linear(16, 5)

    def forward(self, x):
        x = F.gelu(self.norm(self.first(x)))
        return torch.softmax(self.last(F.gelu(self.second(x), approximate="tanh")), -1)


class Convolutions(nn.Module):
    """A strided convolution, a residual block with batch norm, one by groups and dilated, and both ways to pool."""

    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(8)
        self.grouped, self.inner = nn.Conv2d(8, 8, 3, padding=2, dilation=2, groups=4, bias=False), nn.BatchNorm2d(8)
        self.last = nn.Linear(32, 5)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.first(x))), 3, stride=2, padding=1)
        x = F.relu(x + self.inner(self.grouped(x)))
        return self.last(F.avg_pool2d(x, 2).flatten(1))


class Block(nn.Module):
    """A layer of a decoder: attention by several heads under a causal mask, and a gated feed-forward part."""

    def __init__(self, width=16, heads=4):
        super().__init__()
        self.heads, self.norm, self.second = heads, nn.RMSNorm(width, eps=1e-6), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width)
        self.gate, self.up, self.down = nn.Linear(width, 24), nn.Linear(width, 24), nn.Linear(24, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.qkv(self.norm(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = parts.unbind(0)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        normed = self.second(x)
        return x + self.down(F.silu(self.gate(normed)) * self.up(normed))


class Recurrent(nn.Module):
    """Two layers of an LSTM, the second of which runs in both directions, then a GRU cell, step by step."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LSTM(6, 8, batch_first=True), nn.LSTM(8, 5, batch_first=True, bidirectional=True)
        self.cell = nn.GRUCell(10, 6)

    def forward(self, x):
        x, (hidden, state) = self.first(x)
        x, _ = self.second(x)
        last = torch.zeros(x.shape[0], 6)
        for step in range(x.shape[1]):
            last = self.cell(x[:, step], last)
        # torchax has one dimension more in the states.
        return x, hidden.flatten(), state.flatten(), last


class Words(nn.Module):
    """The cross-entropy of words that an embedding with a padding index and tied weights predicts, some of them ignored."""

    def __init__(self):
        super().__init__()
        self.table, self.hidden = nn.Embedding(24, 10, padding_idx=0), nn.Linear(10, 10)

    def forward(self, words, targets):
        x = torch.tanh(self.hidden(self.table(words).mean(1)))
        return F.cross_entropy(x @ self.table.weight.T, targets, ignore_index=3, label_smoothing=0.1)


class Images(nn.Module):
    """Group norm, images made larger by neighbours and bilinearly, a transposed convolution, padding by reflection."""

    def __init__(self):
        super().__init__()
        self.norm, self.up, self.last = nn.GroupNorm(3, 6), nn.ConvTranspose2d(6, 4, 3, stride=2, padding=1), nn.Conv2d(4, 2, 3)
        self.shuffle = nn.Conv2d(6, 8, 1)

    def forward(self, x):
        x = F.silu(self.norm(x))
        near = F.interpolate(self.shuffle(x), scale_factor=2, mode="nearest")
        smooth = F.interpolate(x, size=(7, 9), mode="bilinear", align_corners=False)
        shuffled = F.pixel_shuffle(self.shuffle(x), 2)
        return near, smooth, shuffled, self.last(F.pad(F.leaky_relu(self.up(x), 0.1), (2, 1, 1, 2), mode="reflect"))


class Algebra(nn.Module):
    """Factors of a matrix, what is made of them, and transforms."""

    def forward(self, x):
        positive = x @ x.mT + torch.eye(x.shape[-1])
        lower = torch.linalg.cholesky(positive)
        spectrum = torch.fft.fft(x)
        return (lower, torch.linalg.solve(positive, x[:, :4]), torch.linalg.inv(positive), torch.linalg.eigvalsh(positive),
                torch.linalg.vector_norm(x, dim=-1), spectrum.abs(),
                torch.fft.ifft(spectrum * spectrum).real, torch.einsum("ij,kj,k->i", x, x, x[:, 0]))


class Indexing(nn.Module):
    """What moves, orders and counts: index_put, scatter, gather, sort, topk, cumulative operations, and masks."""

    def forward(self, x, index, bins):
        rows, columns = index[:, 0] % x.shape[0], index[:, 1] % x.shape[1]
        put = torch.ones_like(x).index_put((rows, columns), x[rows, columns] * 2.0, accumulate=True)
        places = torch.argsort(x, dim=1, descending=True)
        spread = torch.zeros_like(x).scatter(1, places, torch.sort(x, dim=1).values)
        added = torch.zeros(4, x.shape[1]).index_add(0, rows % 4, x[rows])
        most = torch.zeros_like(x).scatter_reduce(1, places % 5, x, "amax", include_self=False)
        values, indices = torch.topk(x, 3, dim=1)
        running = torch.cumsum(x, 1)
        counts = torch.cumsum((x > 0).to(torch.int32), 0)
        masked = torch.where(torch.tril(torch.ones(x.shape, dtype=torch.bool), 1), x, float("-inf")).logsumexp(1)
        taken = torch.gather(x, 1, torch.flip(places, (1,))[:, :4])
        rolled = torch.roll(x, (1, -2), (0, 1)).clamp(-0.5, 0.75)
        return (put, places, spread, added, most, values, indices, running, torch.cumprod(x, 0), counts, masked, taken, rolled,
                torch.argmax(x, 1), torch.bucketize(x, bins), torch.bitwise_xor(index << 3, index), index // -3, index % -3)


def forward(module, inputs, sizes=None):
    """The program of a module's forward pass and its parameters; `sizes` are those that only a run tells."""
    module.eval()
    traced = torch.export.export(module, inputs, dynamic_shapes=sizes)
    weights, exported = export.exported_program_to_stablehlo(traced)
    given = jax.tree.leaves((weights, [array(x) for x in inputs]))
    # Weights that the pass does not read are no parameters of the program.
    given = [given[index] for index in exported.module_kept_var_idx]
    with torch.no_grad():
        results = module(*inputs)
    with mlir.make_ir_context():
        # Locations would be half of the text.
        text = ir.Module.parse(exported.mlir_module()).operation.get_asm(enable_debug_info=False)
    return text, given, results if isinstance(results, tuple) else (results,)


def training(module, inputs, loss):
    """The program of a loss and its gradients after one pass in training, and the module's parameters."""
    module.train()
    names = [name for name, _ in module.named_parameters()]
    # What batch norm counts, torchax leaves as it was.
    others = {name: buffer for name, buffer in module.named_buffers() if buffer.is_floating_point()}
    parameters, buffers = ([array(tensor) for tensor in tensors] for tensors in (module.parameters(), others.values()))

    def call(parameters, buffers, *inputs):
        state = {**dict(zip(names, parameters)), **dict(zip(others, buffers))}
        return loss(torch.func.functional_call(module, state, inputs))

    given = [parameters, buffers, *(array(x) for x in inputs)]
    with torchax.default_env():
        lowered = jax.jit(jax.value_and_grad(interop.jax_view(call)), keep_unused=True).lower(*given)

    value = loss(module(*inputs))
    value.backward()
    return lowered.as_text(), jax.tree.leaves(given), [value, *(parameter.grad for parameter in module.parameters())]


def array(tensor):
    """A tensor as an array, integers in the 32 bits that JAX has for them."""
    if tensor.dtype == torch.bfloat16:
        return tensor.detach().view(torch.int16).numpy().copy().view(ml_dtypes.bfloat16)
    found = tensor.detach().numpy().copy()
    return found.astype(np.int32) if found.dtype == np.int64 else found


def stored(array):
    """An array as .npz has it: of BF16, the codes."""
    array = np.asarray(array)
    return array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array


def programs():
    """Name, and what makes the program; each begins with a seed of its own."""
    squares = lambda result: result.square().mean()
    small = lambda *shape: torch.randn(*shape)
    return {
        "perceptron": lambda: forward(Perceptron(), (small(4, 12),)),
        "perceptron_training": lambda: training(Perceptron(), (small(4, 12),), squares),
        "convolutions": lambda: forward(used(Convolutions(), small(8, 3, 16, 16)), (small(2, 3, 16, 16),)),
        "convolutions_training": lambda: training(Convolutions(), (small(3, 3, 16, 16),), squares),
        "attention": lambda: forward(Block(), (small(2, 7, 16),)),
        "attention_training": lambda: training(Block(), (small(2, 7, 16),), squares),
        "attention_bf16": lambda: forward(Block().bfloat16(), (small(2, 7, 16).bfloat16(),)),
        "attention_any_batch": lambda: forward(Block(), (small(3, 7, 16),), ({0: torch.export.Dim("batch")},)),
        "recurrent": lambda: forward(Recurrent(), (small(2, 3, 6),)),
        "words_training": lambda: training(
            Words(), (torch.randint(0, 24, (6, 4)), torch.tensor([3, 7, 0, 23, 7, 3])), lambda result: result),
        "images": lambda: forward(Images(), (small(2, 6, 4, 5),)),
        "algebra": lambda: forward(Algebra(), (small(6, 6),)),
        "indexing": lambda: forward(
            Indexing(), (small(6, 8), torch.randint(-40, 40, (9, 2)), torch.tensor([-1.0, -0.25, 0.5, 1.5]))),
    }


def used(module, x):
    """The module after a pass in training, which leaves means and variances behind."""
    module.train()
    with torch.no_grad():
        module(x)
    return module


def main(wanted):
    FOLDER.mkdir(parents=True, exist_ok=True)
    print(f"torch {torch.__version__}, torchax {torchax.__version__}, jax {jax.__version__}")
    for seed, (name, make) in enumerate(programs().items()):
        if wanted and name not in wanted:
            continue
        torch.manual_seed(seed)
        text, given, results = make()
        arrays = {f"arg{index}": stored(x) for index, x in enumerate(given)}
        arrays |= {f"out{index}": stored(array(x)) for index, x in enumerate(results)}
        (FOLDER / name).with_suffix(".mlir").write_text(text)
        np.savez_compressed((FOLDER / name).with_suffix(".npz"), **arrays)
        sizes = [(FOLDER / name).with_suffix(suffix).stat().st_size for suffix in (".mlir", ".npz")]
        print(f"{name}: {len(given)} inputs, {len(results)} results, {sizes[0]} and {sizes[1]} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
