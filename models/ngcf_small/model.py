"""NGCF for the made-up choices that the command carries: the same network for fewer users and items, and a higher rate."""

from graph import ngcf


def model():
    return ngcf(
        name="ngcf_small",
        about="neural graph collaborative filtering for few users and items",
        data="choices",
        users=192,
        items=256,
        edges=12_288,
        batch=256,
        epochs=20,
        rate={"initial": 5e-3, "drops": [{"epoch": 12, "factor": 0.2}]},
    )
