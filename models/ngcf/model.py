"""NGCF for MovieLens-100k, with the settings of the BF16 paper; data of other sizes fit as long as they are not larger."""

from graph import ngcf


def model():
    return ngcf(
        name="ngcf",
        about="neural graph collaborative filtering, embeddings of 64, layers of 64 and 64",
        data="movielens",
        users=943,
        items=1682,
        edges=163_840,
        batch=1024,
        epochs=400,
        rate={"initial": 1e-4},
    )
