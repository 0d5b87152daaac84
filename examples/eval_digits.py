"""Prints the test accuracy of a weight file of the digits network.

    python examples/eval_digits.py WEIGHTS.safetensors [--at-least 0.95]

The weights must be stored as float32 (or float16): what `binade quantize --simulate` writes. Exits with 1 when
the accuracy is below `--at-least`.
"""

import argparse
import sys

import numpy as np
from safetensors.numpy import load_file

from digits import LAYERS, SHAPES, TEST_SIZE, accuracy, load


def main():
    arguments = argparse.ArgumentParser(description="Test accuracy of a weight file of the digits network.")
    arguments.add_argument("weights", help="a .safetensors file")
    arguments.add_argument("--at-least", type=float, default=0.0, help="exit with 1 below this accuracy")
    chosen = arguments.parse_args()
    weights = load_file(chosen.weights)
    for layer, (rows, columns) in zip(LAYERS, SHAPES):
        for name, shape in ((f"{layer}.weight", (rows, columns)), (f"{layer}.bias", (columns,))):
            tensor = weights.get(name)
            if tensor is None or tensor.shape != shape or tensor.dtype not in (np.float32, np.float16):
                found = "is absent" if tensor is None else f"has shape {tensor.shape} and type {tensor.dtype}"
                sys.exit(f"{chosen.weights}: {name} {found}; it should have shape {shape} and type float32")
            weights[name] = tensor.astype(np.float32)
    _, _, images, labels = load()
    reached = accuracy(weights, images, labels)
    print(f"test accuracy {reached:.4f} ({round(reached * TEST_SIZE)} of {TEST_SIZE})")
    if reached < chosen.at_least:
        sys.exit(f"below {chosen.at_least}")


if __name__ == "__main__":
    main()
