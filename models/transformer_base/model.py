"""The transformer that the BF16 paper trains on IWSLT: the base model of Vaswani et al. (arXiv 1706.03762)."""

from export import Adam
from translator import translator


def model(batch=192):
    # 192 sentences of up to 64 words are the paper's 12,000 tokens.
    rate = {"initial": 7e-4, "warm_up": 4000, "decay": "inverse_sqrt"}
    return translator("transformer_base", 6, 512, 8, 2048, 16_000, 16_000, 64, batch, 20, rate, Adam(0.9, 0.98, 1e-9))
