"""Convolutions as products of matrices of patches, for recipes, whose blocks are along the summed dimension.

Channels are innermost in that dimension, as in NHWC, so that a block is of neighbouring channels at one place, as in StableHLO under recipes:

| | left | right | summed, outermost first |
|---|---|---|---|
| forward | patches of the input | weight | kernel depth, row, column, input channel of the group |
| input_gradient | patches of the output's gradient | weight | kernel depth, row, column, output channel of the group |
| weight_gradient | patches of the input | gradient of the output | output depth, row, column, image |

Where the kernel reaches padding, or an output element does not use an input element, a patch has zeros. Each group is a product.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._products import Part
from ._products_torch import Volume, _with_zeros
from ._types import Shape

Floats = NDArray[np.float32]


class Patches:
    """The matrices of a convolution, by group."""

    def __init__(self, shape: Shape | Volume) -> None:
        self.volume = shape if isinstance(shape, Volume) else _volume(shape)

    def operands(self, part: Part, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Left matrices (group, row, summed) and right ones (group, summed, column), of the operands in the convolution's own shapes."""
        volume = self.volume
        groups, taps = volume.groups, prod(volume.kernel)
        inputs, outputs = volume.input_channels // groups, volume.output_channels // groups
        if part == "weight_gradient":
            # Images are in the place of channels.
            places, images = prod(volume.output), volume.batch
            rows = self._patches(False, a).reshape(groups, images, places, -1).transpose(0, 3, 2, 1)
            left: Floats = rows.reshape(groups, -1, places * images)
            gradients = b.reshape(images, groups, outputs, places).transpose(1, 3, 0, 2)
            right: Floats = gradients.reshape(groups, places * images, outputs)
        else:
            left = self._patches(part == "input_gradient", a)
            weight = b.reshape(groups, outputs, inputs, taps)
            order, columns = ((0, 3, 2, 1), outputs) if part == "forward" else ((0, 3, 1, 2), inputs)
            right = weight.transpose(order).reshape(groups, left.shape[2], columns)
        return np.ascontiguousarray(left), np.ascontiguousarray(right)

    def result(self, part: Part, c: Floats) -> Floats:
        """The result of the convolution in its own shape, from the products of its groups."""
        volume = self.volume
        groups, taps = volume.groups, prod(volume.kernel)
        inputs, outputs = volume.input_channels // groups, volume.output_channels // groups
        if part == "weight_gradient":
            weight = c.reshape(groups, taps, inputs, outputs).transpose(0, 3, 2, 1)
            return weight.reshape(volume.output_channels, inputs, *volume.kernel)
        sizes, channels = (volume.output, outputs) if part == "forward" else (volume.input, inputs)
        images = c.reshape(groups, volume.batch, prod(sizes), channels).transpose(1, 0, 3, 2)
        return images.reshape(volume.batch, groups * channels, *sizes)

    def _patches(self, backward: bool, operand: Floats) -> Floats:
        """For each group: a row for an image and a place, with the kernel's elements, and channels innermost."""
        volume = self.volume
        sizes = volume.output if backward else volume.input
        places = prod(volume.input if backward else volume.output)
        channels = (volume.output_channels if backward else volume.input_channels) // volume.groups
        source = _with_zeros(operand.reshape(volume.batch, volume.groups, channels, *sizes))
        where: list[Any] = volume._elements(backward, slice(None))
        # Image, group, channel, the kernel's three dimensions, and those of places.
        gathered = source[(slice(None), slice(None), slice(None), *where)]
        rows: Floats = gathered.transpose(1, 0, 6, 7, 8, 3, 4, 5, 2).reshape(
            volume.groups, volume.batch * places, prod(volume.kernel) * channels
        )
        return rows


def _volume(shape: Shape) -> Volume:
    """A two-dimensional convolution as one of depth 1."""
    return Volume(
        shape["batch"], shape["input_channels"], shape["output_channels"], shape["groups"], (1, *shape["input"]), (1, *shape["kernel"]),
        (1, *shape["stride"]), (1, *shape["dilation"]), ((0, 0), *shape["padding"]),
    )
