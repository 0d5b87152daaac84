"""What the extension module takes and gives as dictionaries."""

from __future__ import annotations

from typing import TypedDict


class Modes(TypedDict):
    """How values become codes."""

    rounding: str
    saturation: str
    random_bits: int
    seed: int
    first: int
    threads: int


class Shape(TypedDict):
    """The shape of a two-dimensional convolution; pairs are (vertical, horizontal), padding is before and after."""

    batch: int
    input_channels: int
    output_channels: int
    groups: int
    input: tuple[int, int]
    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    padding: tuple[tuple[int, int], tuple[int, int]]


class Cost(TypedDict):
    """An operator's size as in the BF16 FMA paper's Table 1."""

    multiplier_bits: int
    operand_bits: int
    products: int
    area: int
    speed_up: float
