"""`binade train` beside JAX: the losses of the first steps of every model.

The models' scripts run in JAX, on the same data (written here as arrays, and made up here: it is arithmetic that is
compared), with the keys, the order of examples and the rates that the documentation says, by a Philox of this file. Each
step's loss has to agree within `TOLERANCE`, relative. The exported programs and manifests have to be what the scripts give.

    check_train.py [--steps N] [--time] [MODEL…]

`--time` also prints how long a step takes in each, the median after the first.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import jax
import numpy as np

from command import run

MODELS = Path(__file__).resolve().parent.parent / "models"
sys.path.insert(0, str(MODELS))

import export  # noqa: E402

TOLERANCE = 1e-4
# 20 layers on 32 × 32 take long, and are what resnet8 is made of; so do translations, which are asked for by name.
NAMES = ["mlp", "cnn", "resnet8", "lstm", "transformer"]


def philox(key, counter):
    """Philox4x32-10."""
    (k0, k1), (c0, c1, c2, c3) = key, counter
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & 0xFFFFFFFF, (p0 >> 32) ^ c3 ^ k1, p0 & 0xFFFFFFFF
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


def key(step, purpose):
    return np.array(philox((0, 0), (step, 0, 0, purpose))[:2], np.uint32)


def permutation(count, epoch):
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        low, high, *_ = philox((0, 0), (i, epoch, 0, 1))
        j = (low | high << 32) * (i + 1) >> 64
        order[i], order[j] = order[j], order[i]
    return order


def columns(model, steps):
    """Training and test data that a model takes, as columns."""
    rng = np.random.Generator(np.random.PCG64(1))
    splits = []
    for count in (steps * model.batch + 7, model.evaluation_batch + 3):
        if model.task == "translation":
            # Sentences of 3 words and more, shorter and longer than what the model reads, padded with zeros.
            splits.append({})
            for given in model.inputs:
                words = rng.zipf(1.3, (count, given.shape[1] + 2)).clip(max=given.below - 1)
                lengths = rng.integers(3, words.shape[1] + 1, (count, 1))
                words[np.arange(words.shape[1]) >= lengths] = 0
                splits[-1] |= {given.name: words.astype(np.int32)}
                splits[-1] |= {f"{given.name}_length": (words != 0).sum(1, dtype=np.int32)}
        elif model.sampling == "shuffled":
            _, height, width, channels = model.inputs[0].shape
            labels = rng.integers(0, 10, count).astype(np.int32)
            images = rng.integers(0, 256, (count, height, width, channels))
            # Each class has a bright column of its own.
            images[np.arange(count), :, 2 * labels + 2] += 80
            splits.append({"image": np.minimum(images, 255).astype(np.uint8), "label": labels})
        else:
            length = model.inputs[0].shape[1]
            tokens = rng.zipf(1.3, count * length + 1).clip(max=model.inputs[0].below) - 1
            splits.append({"token": tokens.astype(np.int32)})
    return splits


def batches(model, data, steps):
    """Inputs of the first steps of the first epoch, by name."""
    rows = len(next(iter(data.values())))
    for step in range(steps):
        values = {}
        for given in model.inputs:
            if model.sampling == "shuffled":
                order = permutation(rows, 0) if step == 0 else order
                chosen = data[given.source["column"]][order[step * model.batch :][: model.batch]]
                if given.source.get("resized"):
                    chosen = chosen[:, : given.shape[1]]
                scaled = chosen * np.float64(given.source.get("scale", 1)) + given.source.get("shift", 0)
                values[given.name] = scaled.astype(given.dtype) if given.dtype == "float32" else chosen
                continue
            tokens, length, offset = data["token"], given.shape[1], given.source["offset"]
            if model.sampling == "streams":
                starts = [b * (rows // model.batch) + step * length for b in range(model.batch)]
            else:
                order = permutation((rows - 1) // length, 0) if step == 0 else order
                starts = [at * length for at in order[step * model.batch :][: model.batch]]
            values[given.name] = np.stack([tokens[s + offset :][:length] for s in starts])
        yield values


def in_jax(model, data, steps):
    """The losses of the steps, and the median time of one."""
    init, _ = export.init_program(model)
    function, _ = export.train_step_program(model)
    state = jax.jit(init)(key(0, 16))
    train_step = jax.jit(function)
    names, losses, times = export.step_inputs(model), [], []
    for step, values in enumerate(batches(model, data, steps)):
        rate = model.rate["initial"] * min(1, (step + 1) / (model.rate.get("warm_up") or 1))
        values |= {"rate": np.float32(rate), "key": key(step, 17)}
        start = time.perf_counter()
        results = jax.block_until_ready(train_step(*state, *(values[name] for name, *_ in names)))
        times.append(time.perf_counter() - start)
        state, metrics = results[: len(state)], results[len(state) :]
        numbers = np.asarray(metrics[0], np.float64)
        losses.append(numbers[np.asarray(metrics[2]) == 1].mean() if model.counted else numbers.mean())
    return losses, statistics.median(times[1:])


def in_binade(name, folder, steps):
    """The same, with the time of all steps over their number."""
    log = folder / "log.jsonl"
    options = ["--data", f"arrays:{folder}", "--arith", "f32", "--seeds", "1", "--steps", str(steps)]
    result = json.loads(run("train", name, *options, "--log", str(log), "--json"))
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [line["loss"] for line in lines if line["kind"] == "step"], result["cells"][0]["seconds"] / steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--time", action="store_true")
    parser.add_argument("models", nargs="*", default=NAMES, metavar="MODEL")
    arguments = parser.parse_args()
    failed = False
    for name in arguments.models:
        model = export.load(MODELS / name)
        stale = [f for f, text in export.files(model).items() if (MODELS / name / f).read_text() != text]
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            train, test = columns(model, arguments.steps)
            for split, data in [("train", train), ("test", test)]:
                for column, values in data.items():
                    np.save(folder / f"{split}_{column}.npy", values)
            expected, theirs = in_jax(model, train, arguments.steps)
            got, ours = in_binade(name, folder, arguments.steps)
        worst = max(abs(g - e) / abs(e) for g, e in zip(got, expected, strict=True))
        wrong = worst > TOLERANCE or bool(stale)
        failed |= wrong
        facts = f"{name}: {len(got)} losses from {got[0]:.4f} to {got[-1]:.4f} differ by at most {worst:.1e}, relative"
        if arguments.time:
            facts += f"; a step takes {ours * 1e3:.1f} ms, in JAX {theirs * 1e3:.1f} ms: {ours / theirs:.2f} times"
        facts += f"; not current: {', '.join(stale)}" if stale else ""
        print("FAILED" if wrong else "ok", facts, flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
