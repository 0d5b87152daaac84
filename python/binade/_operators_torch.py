"""Rules for PyTorch's operators: computed by an FMA operator, by their parts, or left to PyTorch.

The list is PyTorch's own: a rule follows from an operator's name and kernels when it is first called, so that operators of later
versions have one, too. In order:

1. An operator of `_products_torch.PRODUCTS`, in its functional, in-place and out= forms, is computed.
2. An operator that is composed of others (CompositeImplicitAutograd) is taken apart. Autograd has done so before, but not in
   `torch.inference_mode()`.
3. An operator of `OPENED` has a kernel that calls products as operators: it runs with the context around it.
4. An operator whose name says that it multiplies (`multiplies`) is left to PyTorch, and counted: sparse, quantised, fused attention,
   recurrent layers, factorizations, Fourier transforms.
5. An operator of another library may multiply. It runs as 3; where no product appears inside, it is counted as 4.
6. Everything else stays PyTorch's: elementwise work and sums, softmax, normalisation, pooling, interpolation, optimisers.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import torch

from ._products_torch import PRODUCTS


class Rule(enum.Enum):
    """The treatment of an operator that is not computed as a product."""

    APART = enum.auto()
    OPENED = enum.auto()
    UNKNOWN = enum.auto()
    LEFT = enum.auto()
    LEFT_IF_WEIGHTED = enum.auto()
    PLAIN = enum.auto()


# Operators whose kernels on the CPU do nothing but call other operators, products among them.
OPENED = frozenset(
    "_cdist_forward _euclidean_dist _foreach_mm _grouped_mm addbmm addbmm_ affine_grid_generator linalg_matrix_exp "
    "linalg_matrix_sqrth linalg_pinv".split()
)

# Sums whose elements are multiplied only where weights are given for each of them.
_WEIGHTED = frozenset("_embedding_bag _embedding_bag_forward_only _embedding_bag_backward".split())

# Words of names, between underscores and without numbers at their end, of operators that multiply and add.
_WORDS = frozenset(
    "mm smm addmm bmm baddbmm addbmm hspmm sspaddmm mv addmv dot vdot vecdot addr ger outer gemm einsum tensordot kron "
    "trilinear bilinear cdist euclidean cov corrcoef qlinear lstm gru rnn sdp inv inverse pinv pinverse solve spsolve tensorsolve "
    "tensorinv lstsq svd svdvals eig eigh eigvals eigvalsh lu qr ldl cholesky det slogdet logdet geqrf ormqr orgqr householder "
    "lobpcg fft int4mm int8mm".split()
)
_PARTS = re.compile(
    "matmul|conv(?!ert)|linear|attention|attn|multi_head|transformer|multi_dot|matrix_exp|matrix_power|matrix_rank|matrix_sqrth|"
    "linear_combination|per_sample_weights_backward|linalg_polar|^embedding_bag_(byte|[24]bit)(_rowwise_offsets)?$|^_fft_|^fft_[ir]*h?fft|^stft|^istft"
)

# Names that have such a word and yet no product: interpolation, weights brought into another order, questions, windows.
_NO_PRODUCT = re.compile(
    "upsample|prepack|unpack|pack_gemm|int4pack$|int4pack_for_cpu$|4bit_weight$|reorder|flatten_weight|quantize_weight|plan_cache|"
    "fftfreq|fftshift|_choice|_fused_(gru|lstm)_cell|differentiable_(gru|lstm)_cell|_cslt_compress|slice_inverse|erf_inv|saturate_weight|log_softmax"
)

# Of these namespaces the names are known; operators of others are of other libraries.
_OWN = frozenset(
    "_c10d_functional _c10d_functional_autograd _dtensor _native _native_aot _quantized aten c10d coor debug_mode_ops debugprims "
    "export flex_gemm fsdp higher_order inductor inductor_prims mkl mkldnn mkldnn_prepacked onednn prim prims profiler quantization "
    "quantized rngprims sparse static_runtime symm_mem _inductor_test streams aoti_torch".split()
)

def multiplies(name: str) -> bool:
    """Returns true if the name of an operator of PyTorch, without namespace and overload, says that it multiplies and adds."""
    if _NO_PRODUCT.search(name):
        return False
    words = {word.rstrip("0123456789") for word in name.strip("_").split("_")}
    return bool(words & _WORDS or _PARTS.search(name))


def has_kernel(function: Any, key: str) -> bool:
    """Returns true if an operator has a kernel for this dispatch key, or for this alias of several keys."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(function.name(), key))


def kernel(function: Any, keys: tuple[str, ...]) -> Callable[..., Any] | None:
    """The kernel of the first of these keys that an operator has: called so, it calls operators inside the context."""
    for key in keys:
        if has_kernel(function, key):
            dispatch_key = getattr(torch._C.DispatchKey, key)
            return lambda *arguments, **keywords: function._op_dk(dispatch_key, *arguments, **keywords)
    return None


@lru_cache(maxsize=None)
def rule(function: Any) -> Rule:
    """The rule of an operator that is not in `PRODUCTS`."""
    namespace, _, name = function._schema.name.partition("::")
    if has_kernel(function, "CompositeImplicitAutograd") and not has_kernel(function, "CPU"):
        return Rule.APART
    if namespace not in _OWN:
        return Rule.UNKNOWN
    if namespace == "aten" and name in OPENED and kernel(function, BACKEND) is not None:
        return Rule.OPENED
    if name in _WEIGHTED:
        return Rule.LEFT_IF_WEIGHTED
    return Rule.LEFT if multiplies(name) else Rule.PLAIN


# Dispatch keys of kernels that compute on the CPU.
BACKEND = ("CPU", "CompositeExplicitAutograd")


def product(function: Any) -> Callable[..., Any] | None:
    """The function that computes an operator's result, if it is a form of a product."""
    return _products().get(function)


@lru_cache(maxsize=None)
def _products() -> dict[Any, Callable[..., Any]]:
    """The functional, typed, in-place and out= forms of every product, of those that this PyTorch has."""
    forms: dict[Any, Callable[..., Any]] = {}
    for name, compute in PRODUCTS.items():
        for packet_name, in_place in ((name, False), (name + "_", True)):
            packet = getattr(torch.ops.aten, packet_name, None)
            for overload in packet.overloads() if packet is not None else ():
                form = _form(compute, overload, in_place)
                if form is not None:
                    forms[getattr(packet, overload)] = form
    return forms


def _form(compute: Callable[..., Any], overload: str, in_place: bool) -> Callable[..., Any] | None:
    """A product in a form that PyTorch has it in."""

    def functional(arithmetic: Any, *arguments: Any, **keywords: Any) -> Any:
        return compute(arithmetic, *arguments, **keywords)

    def typed(arithmetic: Any, *arguments: Any, out_dtype: Any = None, **keywords: Any) -> Any:
        if out_dtype is None:
            *operands, out_dtype = arguments
        else:
            operands = list(arguments)
        return compute(arithmetic.to(out_dtype), *operands, **keywords)

    def out(into: Callable[..., Any]) -> Callable[..., Any]:
        def filled(arithmetic: Any, *arguments: Any, out: torch.Tensor, **keywords: Any) -> Any:
            result = into(arithmetic.to(out.dtype), *arguments, **keywords)
            if out.shape != result.shape:
                out.resize_(result.shape)
            return out.copy_(result)

        return filled

    def changed(arithmetic: Any, target: torch.Tensor, *arguments: Any, **keywords: Any) -> Any:
        result = compute(arithmetic.to(target.dtype), target, *arguments, **keywords)
        if result.shape != target.shape:
            raise ValueError(f"a result of shape {tuple(result.shape)} in place of {tuple(target.shape)}")
        return target.copy_(result)

    if in_place:
        return changed if overload == "default" else None
    return {"default": functional, "dtype": typed, "out": out(functional), "dtype_out": out(typed)}.get(overload)
