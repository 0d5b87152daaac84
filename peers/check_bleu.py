"""Translates the test sentences of a folder with the weights of a checkpoint of `binade train translation`, in JAX, and says what
sacrebleu makes of them: the `bleu` of that checkpoint's last epoch.

    check_bleu.py CHECKPOINT.safetensors DIR

DIR has train.de, train.en, test_2016_flickr.de and test_2016_flickr.en, a sentence a line, as .gz: those of Multi30k. Words and
vocabularies are made anew from the texts, as docs of binade's `parallel` data describe them.

Needs: numpy, jax, safetensors, sacrebleu.
"""

import argparse
import collections
import gzip
import re
import sys
from pathlib import Path

import jax
import numpy as np
import sacrebleu
from safetensors.numpy import load_file

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "models"))
import export  # noqa: E402

SPECIAL = ["<pad>", "<unk>", "<sos>", "<eos>"]
PADDING, UNKNOWN, START, END = range(4)


def sentences(folder, name):
    with gzip.open(folder / f"{name}.gz", "rt", encoding="utf-8") as file:
        return [re.findall(r"[^\W_]+|\S", line.lower()) for line in file.read().splitlines()]


def vocabulary(texts):
    """The words that occur twice or more, the most frequent ones first."""
    counts = collections.Counter(word for text in texts for word in text)
    known = [word for word, count in counts.items() if count >= 2 and word not in SPECIAL]
    return SPECIAL + sorted(known, key=lambda word: (-counts[word], word.encode()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    source, target = (vocabulary(sentences(arguments.folder, f"train.{language}")) for language in ("de", "en"))
    model = export.load(ROOT / "models" / "translation")
    (given,) = (given for given in model.inputs if given.name != model.reference)
    batch, length = given.shape
    numbers = {word: number for number, word in enumerate(source)}
    read = sentences(arguments.folder, "test_2016_flickr.de")
    rows = np.full((-(-len(read) // batch) * batch, length), PADDING, np.int32)
    for row, words in zip(rows, read):
        found = [START, *(numbers.get(word, UNKNOWN) for word in words), END][:length]
        row[: len(found)] = found

    weights = load_file(arguments.checkpoint)
    weights = {name: weights[name] for name, role, *_ in export.roles_of(model) if role == "parameter"}
    translate = jax.jit(lambda words: model.translate(weights, {}, {"source": words}))
    written = np.concatenate([translate(rows[at : at + batch]) for at in range(0, len(rows), batch)])[: len(read)]

    def text(row):
        ends = [at for at, number in enumerate(row) if number in (PADDING, END)]
        # What is not known is like nothing.
        return " ".join("?written" if number == UNKNOWN else target[number] for number in row[: min(ends, default=length)])

    known = set(target)
    wanted = sentences(arguments.folder, "test_2016_flickr.en")
    references = [" ".join(word if word in known else "?wanted" for word in words) for words in wanted]
    score = sacrebleu.corpus_bleu(list(map(text, written)), [references], tokenize="none", smooth_method="none", force=True)
    print(score)


if __name__ == "__main__":
    main()
