"""Trains PyTorch models with their products under several arithmetics, and prints the losses side by side.

    pip install ./python torch scikit-learn
    python examples/torch/train.py gpt
    python examples/torch/train.py resnet --steps 60 --arith f32 bf16:bf16 bf16x2:bf16x2/3

`gpt` is a GPT-2 of two layers, 64 wide, over the characters of Python's own help texts; `resnet` a residual network with
batch norm on scikit-learn's digits. Every arithmetic starts from the same weights and takes the same batches; nothing in
the models knows of binade.
"""

import argparse
import contextlib
import time

import torch
from torch import nn
from torch.nn import functional

import binade.torch


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norms[0](x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / (width // self.heads) ** 0.5
        future = torch.ones(length, length, dtype=torch.bool).triu(1)
        mixed = scores.masked_fill(future, float("-inf")).softmax(-1) @ v
        x = x + self.project(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.norms[1](x))


class Gpt(nn.Module):
    def __init__(self, symbols, width=64, layers=2, heads=4, context=64):
        super().__init__()
        self.context = context
        self.tokens, self.places = nn.Embedding(symbols, width), nn.Embedding(context, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.places(torch.arange(tokens.shape[1]))
        # The output layer has the embedding's weights, as in GPT-2.
        return self.norm(self.blocks(x)) @ self.tokens.weight.T


class Residual(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs))
        self.past = nn.Conv2d(inputs, outputs, 1, stride, bias=False) if stride > 1 else nn.Identity()

    def forward(self, x):
        return torch.relu(self.past(x) + self.body(x))


def gpt():
    """A model, what makes batches, and the optimiser."""
    from pydoc_data.topics import topics

    text = "\n".join(topics[name] for name in sorted(topics))
    symbols = sorted(set(text))
    tokens = torch.tensor([symbols.index(symbol) for symbol in text[:200_000]])
    model = Gpt(len(symbols))
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.02)

    def batch(generator):
        starts = torch.randint(len(tokens) - model.context - 1, (16,), generator=generator)
        rows = torch.stack([tokens[start:start + model.context + 1] for start in starts.tolist()])
        return rows[:, :-1], rows[:, 1:]

    return model, batch, torch.optim.AdamW(model.parameters(), lr=3e-3)


def resnet():
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32)[:, None] / 16
    labels = torch.tensor(digits.target)
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
        Residual(16, 16, 1), Residual(16, 32, 2), nn.AvgPool2d(4), nn.Flatten(), nn.Linear(32, 10))

    def batch(generator):
        chosen = torch.randint(len(images), (64,), generator=generator)
        return images[chosen], labels[chosen]

    return model, batch, torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)


def train(make, arith, steps):
    """The loss of each step, and the seconds that all took."""
    torch.manual_seed(0)
    model, batch, optimizer = make()
    generator = torch.Generator().manual_seed(1)
    losses, start = [], time.perf_counter()
    for _ in range(steps):
        inputs, targets = batch(generator)
        # f32 is PyTorch's own arithmetic.
        with contextlib.nullcontext() if arith == "f32" else binade.torch.arith(arith):
            outputs = model(inputs)
            loss = functional.cross_entropy(outputs.flatten(0, -2), targets.flatten())
            optimizer.zero_grad()
            loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=["gpt", "resnet"])
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--arith", nargs="+", default=["f32", "bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3"], metavar="OPERATOR")
    options = parser.parse_args()
    make = {"gpt": gpt, "resnet": resnet}[options.model]
    found = {arith: train(make, arith, options.steps) for arith in options.arith}
    print("step  " + "".join(f"{arith:>18}" for arith in found))
    every = max(1, options.steps // 8)
    for step in sorted({*range(0, options.steps, every), options.steps - 1}):
        print(f"{step + 1:4}  " + "".join(f"{losses[step]:18.4f}" for losses, _ in found.values()))
    print("secs  " + "".join(f"{seconds:18.1f}" for _, seconds in found.values()))


if __name__ == "__main__":
    main()
