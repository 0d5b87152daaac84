"""Types that signatures name: dictionaries of the extension module, and tensors, which need no PyTorch here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypedDict, TypeVar

if TYPE_CHECKING:
    import numpy as np

    # A number of NumPy's, which comes back as it is.
    FloatT = TypeVar("FloatT", bound=np.floating[Any])


class Tensor(Protocol):
    """Methods of a tensor of PyTorch that an array of NumPy lacks."""

    def detach(self) -> Any: ...
    def requires_grad_(self, requires_grad: bool = ..., /) -> Any: ...


TensorT = TypeVar("TensorT", bound=Tensor)


class Modes(TypedDict):
    """Modes of the conversion from values to codes."""

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


class UnitRow(TypedDict):
    """A matrix unit or operator beside the exact product: the fields of `binade matmul --units --json`."""

    unit: str
    result: str
    different: int
    max_ulps: float
    mean_ulps: float
    median_ulps: float
    p99_ulps: float
    max_at: list[int] | None
    relative_error: float | None
    input_error: float | None
    unmeasured: int
    infinite: int
    nan: int
    exact_infinite: int
    exact_nan: int
    within: list[dict[str, float]]


class UnitPair(TypedDict):
    """Two matrix units or operators beside each other."""

    a: str
    b: str
    different: int
    max_ulps: float
    relative_difference: float | None
    unmeasured: int


class UnitComparison(TypedDict):
    """One product on several matrix units."""

    shape: list[int]
    depth: int
    elements: int
    chosen_input: str | None
    other_inputs: list[str]
    units: list[UnitRow]
    pairs: list[UnitPair]
    conclusion: str
