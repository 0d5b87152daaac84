"""Writes the measured outputs of tensor cores that the tests of `binade::unit` read.

    python make.py ARCHIVE OUT [--rows N]

ARCHIVE is a checkout of MATLAB-tensor-core (Khattak and Mikaitis 2025, BSD-2-Clause; see LICENSE in this folder). OUT gets a file
CHIP-FORMAT.txt for each set, with a line for each dot product: the codes of a, those of b, c, and the outputs in binary32 and,
where it was measured, binary16, in hexadecimal. Without --rows all 5,000 rows are written.
"""

import argparse
from pathlib import Path

# Folder, format, products of a row, bits of a code, trailing bits of the format. B200's FP8 outputs contradict its model.
FORMATS = {"fp16": ("f16", 5, 10), "bf16": ("bf16", 8, 7), "tf32": ("tf32", 8, 10), "E4M3": ("float8_e4m3fn", 4, 3), "E5M2": ("float8_e5m2", 5, 2)}
SETS = [
    ("V100", {"fp16": 4}),
    ("A100", {"fp16": 8, "bf16": 8, "tf32": 4}),
    ("L40S", {"fp16": 8, "bf16": 8, "tf32": 4, "E4M3": 32}),
    ("Ada", {"fp16": 8, "bf16": 8, "tf32": 4, "E4M3": 32, "E5M2": 32}),
    ("H100", {"fp16": 16, "bf16": 16, "tf32": 4, "E4M3": 32, "E5M2": 32}),
    ("B200", {"fp16": 16, "bf16": 16, "tf32": 4}),
]


def code(word, exponent_bits, trailing):
    """The code of a binary32 number that the format holds."""
    sign, field, fraction = word >> 31, word >> 23 & 0xFF, word & 0x7FFFFF
    if field == 0 and exponent_bits < 8:
        assert fraction == 0
        return sign << exponent_bits + trailing
    bias = (1 << exponent_bits - 1) - 1
    exponent, significand = (field - 127, fraction | 1 << 23) if field else (-126, fraction)
    down = 23 - trailing + max(0, 1 - bias - exponent)
    assert significand & (1 << down) - 1 == 0, hex(word)
    significand >>= down
    magnitude = ((exponent + bias - 1 << trailing) if exponent >= 1 - bias else 0) + significand
    return sign << exponent_bits + trailing | magnitude


def words(path, base):
    return [int(word, base) for word in path.read_text().split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", type=int, default=5000)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for chip, formats in SETS:
        for name, products in formats.items():
            folder = arguments.archive / "model_validation" / chip / name
            format, exponent_bits, trailing = FORMATS[name]
            a, b = (words(folder / f"{operand}_{chip}_{name}.txt", 16) for operand in "ab")
            outputs = [words(folder / f"d_{chip}_fp32.txt", 2)]
            # FP8's binary16 outputs are not among those that the archive checks.
            if name == "fp16":
                outputs.append(words(folder / f"d_{chip}_fp16.txt", 2))
            c = words(folder / f"c_{chip}_fp32.txt", 2)
            if chip == "H100" and name in ("E4M3", "E5M2"):
                c = [0] * len(c)  # as the archive's own check has it
            with open(arguments.out / f"{chip.lower()}-{format}.txt", "w") as file:
                for row in range(min(arguments.rows, len(c))):
                    place = slice(row * products, (row + 1) * products)
                    codes = [" ".join(f"{code(word, exponent_bits, trailing):x}" for word in operand[place]) for operand in (a, b)]
                    d = " ".join(f"{output[row]:x}" for output in outputs)
                    file.write(f"{codes[0]} | {codes[1]} | {c[row]:x} | {d}\n")


if __name__ == "__main__":
    main()
