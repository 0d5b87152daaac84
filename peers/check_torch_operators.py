"""Products that escape `binade.torch.arith`: PyTorch's own test inputs of all its operators, run under PyTorch's profiler.

Needs Python with binade, torch and expecttest, which CI's environment has not. Takes two minutes or more.

    python3 peers/check_torch_operators.py            # exit code 1 where a product is neither computed nor counted

The profiler records every operator that is called, also by other operators' kernels. One that multiplies by its name and was
recorded more often than the context has seen it was called behind its back, unless the context counts something as left. Each
operator runs as usual, with its gradient, and in `torch.inference_mode()`.
"""

import itertools
import sys
import warnings
from collections import Counter

import binade.torch
import torch
from binade._operators_torch import OPENED, has_kernel, multiplies
from binade._products_torch import PRODUCTS
from torch.profiler import ProfilerActivity, profile
from torch.testing._internal.common_methods_invocations import op_db

# Inputs of each operator.
SAMPLES = 4


class Seeing(binade.torch.arith):
    """A context that counts every operator that it sees."""

    def __init__(self, operator):
        super().__init__(operator)
        self.seen = Counter()

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        if hasattr(function, "_schema") and not self._here.passing:
            self.seen[function._schema.name] += 1
        return super().__torch_dispatch__(function, types, arguments, keywords)


def tensors(results):
    """All tensors of what an operator returns."""
    if isinstance(results, torch.Tensor):
        yield results
    elif isinstance(results, (list, tuple)):
        for result in results:
            yield from tensors(result)


# Those of the dispatcher: TorchScript has forms of its own besides.
FORMS = frozenset(torch._C._dispatch_get_all_op_names())


def is_product(event):
    """Whether the profiler's name is that of an operator that multiplies and is not made of others."""
    name = event.removeprefix("aten::")
    if name == event or not (name.rstrip("_") in PRODUCTS or name in OPENED or multiplies(name)):
        return False
    packet = getattr(torch.ops.aten, name)
    forms = [getattr(packet, overload) for overload in packet.overloads()]
    return not any(has_kernel(form, "CompositeImplicitAutograd") for form in forms if form.name() in FORMS)


def run(operator, sample, inference):
    """The context and the profile of one call, with its gradient where it has one."""
    context = Seeing("bf16:bf16")
    with profile(activities=[ProfilerActivity.CPU]) as recorded, context, torch.inference_mode(inference):
        results = operator(sample.input, *sample.args, **sample.kwargs)
        sums = [x.sum().abs() if x.is_complex() else x.sum() for x in tensors(results) if x.requires_grad and not inference]
        if sums:
            sum(sums).backward()
    return context, Counter(event.name for event in recorded.events() if is_product(event.name))


def main():
    warnings.filterwarnings("ignore")
    escaped, failed, left, calls = [], Counter(), Counter(), 0
    for operator in op_db:
        if torch.float32 not in operator.dtypes:
            continue
        inputs = operator.sample_inputs("cpu", torch.float32, requires_grad=operator.supports_autograd)
        for sample, inference in itertools.product(itertools.islice(inputs, SAMPLES), (False, True)):
            try:
                context, events = run(operator, sample, inference)
            except (RuntimeError, NotImplementedError, AssertionError, TypeError) as error:
                failed[f"{operator.name}: {str(error).splitlines()[0][:100] if str(error) else type(error).__name__}"] += 1
                continue
            calls += 1
            left.update(context.left.keys())
            hidden = events - context.seen
            if hidden and not context.left:
                escaped.append(f"{operator.name}, inference mode {inference}: {dict(hidden)}")
    for line in escaped:
        print("ESCAPED", line)
    for line, count in failed.items():
        print(f"not run, {count} times: {line}")
    print(f"{calls} calls of {len(op_db)} operators; {len(escaped)} escaped; left in some: {', '.join(sorted(left))}")
    return 1 if escaped or not calls else 0


if __name__ == "__main__":
    sys.exit(main())
