#!/usr/bin/env python3
"""Makes data/fashion-mnist-small.zz, the part of Fashion-MNIST that binade-data carries.

It reads the four IDX files of Debian's package dataset-fashion-mnist (another folder may be named). The part is the first
500 training images and the first 200 test images of each class, in the order of the files.

The file is one zlib stream of the bytes of the training images, class by class, then of the test images, class by class.
Each row of an image but the first is stored less the row above it, modulo 256, which deflate packs 5 % smaller. Labels
need no bytes.

`--check` compares what the committed file holds with what would be made: contents, not packed bytes, since versions of
zlib differ.
"""

import argparse
import gzip
import pathlib
import struct
import sys
import zlib

FILE = pathlib.Path(__file__).parent.parent / "data" / "fashion-mnist-small.zz"
FOLDER = pathlib.Path("/usr/share/datasets/fashion-mnist")
CLASSES = 10
SIDE = 28
PARTS = [("train", 500), ("t10k", 200)]


def read(path, magic, dimensions):
    data = gzip.decompress(path.read_bytes())
    header = struct.unpack_from(f">{1 + dimensions}I", data)
    if header[0] != magic or (dimensions == 3 and header[2:] != (SIDE, SIDE)):
        sys.exit(f"{path}: not the file that is expected: its header is {header}")
    return data[4 * (1 + dimensions) :]


def less_row_above(image):
    return image[:SIDE] + bytes((a - b) & 0xFF for a, b in zip(image[SIDE:], image))


def contents(folder):
    parts = []
    for name, each in PARTS:
        images = read(folder / f"{name}-images-idx3-ubyte.gz", 0x803, 3)
        labels = read(folder / f"{name}-labels-idx1-ubyte.gz", 0x801, 1)
        for label in range(CLASSES):
            chosen = [at for at, found in enumerate(labels) if found == label][:each]
            if len(chosen) != each:
                sys.exit(f"{folder}: class {label} of {name} has {len(chosen)} images, not {each}")
            size = SIDE * SIDE
            parts += [less_row_above(images[size * at : size * (at + 1)]) for at in chosen]
    return b"".join(parts)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", nargs="?", type=pathlib.Path, default=FOLDER, help="where the IDX files are")
    arguments.add_argument("--check", action="store_true", help="compare, write nothing")
    chosen = arguments.parse_args()
    made = contents(chosen.folder)
    if chosen.check:
        if zlib.decompress(FILE.read_bytes()) != made:
            sys.exit(f"{FILE} is not what this script makes of {chosen.folder}")
        print(f"{FILE.name} is what this script makes of {chosen.folder}")
        return
    # Filtered data: short matches cost more than they save.
    packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_FILTERED)
    FILE.write_bytes(packer.compress(made) + packer.flush())
    print(f"{FILE.name}: {len(made)} bytes, packed {FILE.stat().st_size}")


main()
