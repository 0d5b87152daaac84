"""Writes a tiny Llama with random weights as a Hugging Face folder, to try checkpoint commands on without a download.

    python make_model.py FOLDER
"""

import json
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "dtype": "bfloat16",
    "hidden_size": 128,
    "intermediate_size": 256,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 1024,
    "tie_word_embeddings": False,
}


def shapes():
    """The name and shape of each weight."""
    hidden, inner, vocabulary = CONFIG["hidden_size"], CONFIG["intermediate_size"], CONFIG["vocab_size"]
    keys = hidden * CONFIG["num_key_value_heads"] // CONFIG["num_attention_heads"]
    yield "model.embed_tokens", (vocabulary, hidden)
    for layer in range(CONFIG["num_hidden_layers"]):
        for name, rows in {"q_proj": hidden, "k_proj": keys, "v_proj": keys, "o_proj": hidden}.items():
            yield f"model.layers.{layer}.self_attn.{name}", (rows, hidden)
        for name, shape in {"gate_proj": (inner, hidden), "up_proj": (inner, hidden), "down_proj": (hidden, inner)}.items():
            yield f"model.layers.{layer}.mlp.{name}", shape
        for name in ("input_layernorm", "post_attention_layernorm"):
            yield f"model.layers.{layer}.{name}", (hidden,)
    yield "model.norm", (hidden,)
    yield "lm_head", (vocabulary, hidden)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir()
    random = np.random.default_rng(0)
    # Norms are ones, as in a model before training.
    values = {f"{name}.weight": random.normal(0, 0.05, shape) if len(shape) == 2 else np.ones(shape) for name, shape in shapes()}
    weights = {name: value.astype(ml_dtypes.bfloat16) for name, value in values.items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")


if __name__ == "__main__":
    main()
