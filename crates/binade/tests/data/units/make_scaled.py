"""Writes expected outputs of Blackwell's scaled steps, computed by MMA-Sim (https://github.com/microsoft/MMA-Sim, MIT).

    python make_scaled.py MMA_SIM_CHECKOUT OUT.txt [ROWS]

A row is `ELEMENT SCALE BLOCK|a|scales of a|b|scales of b|c|output`, all but the head in hexadecimal codes.
"""

import random
import sys

import torch

sys.path.insert(0, sys.argv[1])
from mmasim.simulator import arithmetic  # noqa: E402

SETS = [
    ("float4_e2m1fn", "float8_e4m3fn", 16, 64),
    ("float4_e2m1fn", "float8_e8m0fnu", 32, 64),
    ("float8_e4m3fn", "float8_e8m0fnu", 32, 32),
    ("float8_e5m2", "float8_e8m0fnu", 32, 32),
]
TORCH = {name: getattr(torch, name) for name in ("float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu")}
E2M1 = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]


def of_codes(name, codes):
    if name == "float4_e2m1fn":
        return torch.tensor([E2M1[code & 7] * (-1 if code & 8 else 1) for code in codes])
    return torch.tensor(codes, dtype=torch.uint8).view(TORCH[name])


def element(draw, name):
    if name == "float4_e2m1fn":
        return draw.randrange(16)
    while True:
        code = draw.randrange(256)
        value = of_codes(name, [code]).float().item()
        if value == value and abs(value) != float("inf"):
            return code


def scale(draw, name, spread):
    if name == "float8_e8m0fnu":
        return 127 + draw.randrange(-spread, spread + 1)
    # Positive and not NaN.
    return draw.randrange(1, 0x7F)


def row(draw, kind):
    elements, scales, block, products = kind
    spread = draw.choice([1, 4, 20])
    a, b = ([element(draw, elements) for _ in range(products)] for _ in range(2))
    of_a, of_b = ([scale(draw, scales, spread) for _ in range(products // block)] for _ in range(2))
    c = draw.choice([0.0, draw.gauss(0, 1) * 2.0 ** draw.randrange(-20, 20)])
    c = torch.tensor(c, dtype=torch.float32)
    x, y = of_codes(elements, a), of_codes(elements, b)
    s, u = of_codes(scales, of_a), of_codes(scales, of_b)
    if products == 64:
        sum_ = arithmetic.nv_fused_dot_add_with_block_scale(x, y, c, s, u, 35)
    else:
        sum_ = arithmetic.nv_fused_dot_add(x, y, c, 25, "f32", s[0], u[0])
    words = lambda codes: " ".join(f"{code:x}" for code in codes)  # noqa: E731
    bits = lambda x: f"{x.view(torch.int32).item() & 0xFFFFFFFF:x}"  # noqa: E731
    return f"{elements} {scales} {block}|{words(a)}|{words(of_a)}|{words(b)}|{words(of_b)}|{bits(c)}|{bits(sum_)}"


draw = random.Random(1)
count = int(sys.argv[3]) if len(sys.argv) > 3 else 40
with open(sys.argv[2], "w") as out:
    for kind in SETS:
        for _ in range(count):
            print(row(draw, kind), file=out)
