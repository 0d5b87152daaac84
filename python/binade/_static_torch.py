"""Static scales of `binade.torch.arith`: the clip of each linear layer's inputs and of the cache, from a calibration."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping

import torch

from ._binade import Recipe
from ._calibration import PERCENTILES, Calibration, Observed
from ._inference_torch import CacheFormat, linear_layers
from ._products import Operator
from ._recipes_torch import with_static_inputs

# The magnitudes that a static scale may keep.
CLIPS = ("largest", "mse", *PERCENTILES)
# The magnitudes whose scale is 1, by format; for NVFP4 the product of its largest element and its largest scale of a block.
_LARGEST = {"float8_e4m3fn": 448.0, "float8_e5m2": 57344.0, "nvfp4": 2688.0}


class StaticScales:
    """The operators of a model's layers with static input scales, and the clips of those scales. With None for `which`, only those of the cache.

    # Errors
    `ValueError` for a layer that the calibration has no figures of, and for a recipe whose inputs have no scale of a tensor.
    """

    def __init__(
        self,
        model: torch.nn.Module | None,
        operators: Mapping[str, Operator | Recipe | None],
        calibration: Calibration | str | os.PathLike[str],
        which: str | None,
        cache: CacheFormat | None,
    ) -> None:
        if model is None:
            raise TypeError("a calibration is that of a model: give it as model=")
        if which is not None and which not in CLIPS:
            near = difflib.get_close_matches(which, CLIPS, 1, 0.5)
            raise ValueError(f"static={which}: {f'did you mean {near[0]}? ' if near else ''}it is {', '.join(CLIPS)}")
        self._calibration = calibration if isinstance(calibration, Calibration) else Calibration.load(calibration)
        self._which = which or "largest"
        self._cache = cache
        self.operators = dict(operators)
        self.inputs: dict[str, float] = {}
        made: dict[Recipe, Recipe | None] = {}
        for layer in linear_layers(model) if which is not None else []:
            recipe = operators.get(layer.name)
            if not isinstance(recipe, Recipe):
                continue
            if recipe not in made:
                made[recipe] = with_static_inputs(recipe)
            static = made[recipe]
            if static is None:
                activation = recipe.pairs.get("forward.activation", "none")
                raise ValueError(
                    f"recipe {recipe.name} has no static input scales: its activations are {activation}, and only FP8 by tensor or token and nvfp4 "
                    "have a scale for a tensor"
                )
            format = static.pairs["forward.activation"].split("/")[0]
            self.operators[layer.name] = static
            self.inputs[layer.name] = self._clip(self._calibration.inputs, "inputs", layer.name, format)
        if cache is not None and cache.is_static:
            # The layers are known when they write; a calibration without any is refused now.
            if not self._calibration.keys or not self._calibration.values:
                raise ValueError(f"kv_cache {cache.name}: the calibration has no keys and values: make it on a model of transformers")

    def of_cache(self, what: str, layer: str) -> float:
        """The clip of the keys or the values of an attention layer."""
        assert self._cache is not None
        found = self._calibration.keys if what == "keys" else self._calibration.values
        return self._clip(found, what, layer, self._cache.quantizer.name.split("/")[0])

    def _clip(self, found: Mapping[str, Observed], part: str, layer: str, format: str) -> float:
        observed = found.get(layer)
        if observed is None:
            near = difflib.get_close_matches(layer, found, 1)
            hint = f"; its nearest is {near[0]}" if near else ""
            raise ValueError(f"the calibration has no {part} of layer {layer}{hint}: calibrate this model")
        if observed.elements == observed.not_finite:
            raise ValueError(f"the calibration has no finite {part} of layer {layer}: no scale follows from it")
        if self._which == "mse" and format not in observed.mse:
            raise ValueError(
                f"static=mse: the calibration has no clip of least error for {format} in layer {layer}: take largest or a percentile"
            )
        if self._which not in ("largest", "mse") and self._which not in observed.percentiles:
            raise ValueError(f"static={self._which}: the calibration has no such percentile of layer {layer}")
        clip = observed.clip(self._which, format)
        largest = _LARGEST.get(format, 1.0)
        if 0 < clip < largest * 2.0**-126:
            raise ValueError(
                f"the calibration's {self._which} of the {part} of layer {layer} is {clip:.3g}, whose scale is below the normal binary32 numbers: "
                "leave the layer out"
            )
        if clip == 0 < observed.largest:
            raise ValueError(
                f"the calibration's {self._which} of the {part} of layer {layer} is 0, but other numbers were observed: "
                "take largest, or leave the layer out"
            )
        # Only zeros were observed: the scale is 1, as in checkpoints.
        return clip if clip > 0 else largest
