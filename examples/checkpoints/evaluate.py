"""Loads checkpoints in transformers, and compares their predictions with those of the first.

    python evaluate.py FOLDER FOLDER…

A line for each further checkpoint: the Kullback–Leibler divergence of its predictions from the first one's, mean over positions, and the
share of positions with the same likeliest token. The tokens are random: take a text of your own for a model that has read some.
"""

import sys

import torch
from transformers import AutoModelForCausalLM
from transformers.utils import logging


def predictions(folder, tokens):
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    with torch.no_grad():
        return model(tokens).logits.double().log_softmax(-1)


def main():
    logging.disable_progress_bar()
    first, *others = sys.argv[1:]
    tokens = torch.randint(0, 1024, (8, 64), generator=torch.Generator().manual_seed(0))
    whole = predictions(first, tokens)
    for folder in others:
        narrow = predictions(folder, tokens)
        divergence = (whole.exp() * (whole - narrow)).sum(-1).mean()
        agreement = (whole.argmax(-1) == narrow.argmax(-1)).double().mean()
        print(f"{folder:10} divergence {divergence:.2e}  same likeliest token {100 * agreement:.1f} %")


if __name__ == "__main__":
    main()
