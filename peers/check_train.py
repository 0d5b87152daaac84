"""`binade train` beside JAX: the losses of the first steps of every model.

The models' scripts run in JAX, on the same data (written here as arrays, and made up here: it is arithmetic that is
compared), with the keys, the order of examples and the rates that the documentation says, by a Philox of this file. Each
step's loss has to agree within `TOLERANCE`, relative; or, where training makes more of the last digits, within `NOISE` times
what JAX's losses differ by up to this step when the first weights are off by one unit in the last place. The exported programs
and manifests have to be what the scripts give.

    check_train.py [--steps N] [--time] [--large] [--set batch=N] [--rate R] [MODEL…]

`--time` also prints how long a step takes in each, the median after the first. `--large` takes the models that are exported
on demand; `--set` gives parameters of `model()`, such as a batch that memory has room for, and `--rate` another rate to begin
with: with one that is too large for the batch, losses are soon noise.
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
# Sums of thousands of terms in another order are off by more than one unit.
NOISE = 32
# 20 layers on 32 × 32 take long, and are what resnet8 is made of; so do translations, which are asked for by name.
NAMES = ["mlp", "cnn", "resnet8", "mobilenet_small", "lstm", "transformer", "ngcf_small", "ngcf"]
LARGE = ["resnet18", "resnet34", "resnet50", "resnet101", "mobilenet", "lstm650", "transformer_base"]


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


def choices(model, rng):
    """Users with items, each pair once: as many as the graph has room for, of fewer users than it has."""
    graph = model.graph
    users, items = graph["users"] - 3, graph["items"]
    count = (graph["edges"] - users - items) // 2
    pairs = np.sort(rng.choice(users * items, count, replace=False))
    # The last user and the last item say how many there are.
    pairs[-1] = users * items - 1
    return {"user": (pairs // items).astype(np.int32), "item": (pairs % items).astype(np.int32)}


def graph(model, data):
    """Rows, columns and weights of the mean of a node's neighbours and itself; what is left over is of weight 0."""
    user, item = data["user"], data["item"] + model.graph["users"]
    known = [np.arange(user.max() + 1), np.arange(model.graph["users"], item.max() + 1)]
    row, column = np.concatenate([user, item, *known]), np.concatenate([item, user, *known])
    order = np.lexsort((column, row))
    row, column = row[order], column[order]
    weight = (1 / np.bincount(row)[row]).astype(np.float32)
    room = (0, model.graph["edges"] - len(row))
    last = model.graph["users"] + model.graph["items"] - 1
    return {
        "row": np.pad(row, room, constant_values=last).astype(np.int32),
        "column": np.pad(column, room, constant_values=last).astype(np.int32),
        "weight": np.pad(weight, room),
    }


def triples(data, steps, batch):
    """A user, an item of that user and another item, for each example of the first steps of the first epoch."""
    items = int(data["item"].max()) + 1
    of_user = [data["item"][data["user"] == user] for user in range(int(data["user"].max()) + 1)]
    others = [np.setdiff1d(np.arange(items), chosen) for chosen in of_user]
    learnable = [user for user, (a, b) in enumerate(zip(of_user, others)) if len(a) and len(b)]
    found = {"user": [], "chosen": [], "other": []}
    for at in range(steps * batch):
        words = philox((0, 0), (at, 0, 0, 5))
        user = learnable[len(learnable) * words[0] >> 32]
        found["user"].append(user)
        for part, where, word in (("chosen", of_user, words[1]), ("other", others, words[2])):
            found[part].append(where[user][len(where[user]) * word >> 32])
    return {part: np.array(values, np.int32).reshape(steps, batch) for part, values in found.items()}


def columns(model, steps):
    """Training and test data that a model takes, as columns."""
    rng = np.random.Generator(np.random.PCG64(1))
    if model.task == "recommendation":
        return [choices(model, rng), choices(model, rng)]
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
    if model.sampling == "triples":
        edges, drawn = graph(model, data), triples(data, steps, model.batch)
    for step in range(steps):
        values = {}
        for given in model.inputs:
            if model.sampling == "triples":
                triple = given.source.get("triple")
                values[given.name] = drawn[triple][step] if triple else edges[given.source["edge"]]
                continue
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
    """The losses of the steps, with what they differ by where the first weights do, and the median time of a step."""
    init, _ = export.init_program(model)
    function, _ = export.train_step_program(model)
    state = jax.jit(init)(key(0, 16))
    train_step = jax.jit(function)
    losses, time = losses_in_jax(model, train_step, state, data, steps)
    rng = np.random.Generator(np.random.PCG64(2))

    def beside(value, role):
        value = np.asarray(value)
        return np.nextafter(value, rng.choice([-9, 9], value.shape).astype("f")) if role == "parameter" else value

    roles = [role for _, role, _, _ in export.roles_of(model)]
    others, _ = losses_in_jax(model, train_step, list(map(beside, state, roles)), data, steps)
    noise = np.maximum.accumulate([abs(a - b) / abs(a) for a, b in zip(losses, others)])
    return losses, noise, time


def losses_in_jax(model, train_step, state, data, steps):
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
    parser.add_argument("--set", action="append", default=[], type=export.setting, metavar="NAME=NUMBER")
    parser.add_argument("--rate", type=float)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("models", nargs="*", metavar="MODEL")
    arguments = parser.parse_args()
    failed = False
    for name in arguments.models or (LARGE if arguments.large else NAMES):
        model = export.load(MODELS / name, dict(arguments.set))
        if arguments.rate:
            model.rate["initial"] = arguments.rate
        files, stale, called = export.files(model), [], name
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            if arguments.set or arguments.rate or not (MODELS / name / "model.json").exists():
                called = str(folder / "model")
                (folder / "model").mkdir()
                for file, text in files.items():
                    (folder / "model" / file).write_text(text)
            else:
                stale = [file for file, text in files.items() if (MODELS / name / file).read_text() != text]
            train, test = columns(model, arguments.steps)
            for split, data in [("train", train), ("test", test)]:
                for column, values in data.items():
                    np.save(folder / f"{split}_{column}.npy", values)
            expected, noise, theirs = in_jax(model, train, arguments.steps)
            got, ours = in_binade(called, folder, arguments.steps)
        differences = np.array([abs(g - e) / abs(e) for g, e in zip(got, expected, strict=True)])
        wrong = (differences > np.maximum(TOLERANCE, NOISE * noise)).any() or bool(stale)
        failed |= bool(wrong)
        facts = f"{name}: {len(got)} losses from {got[0]:.4f} to {got[-1]:.4f} differ by at most {differences.max():.1e}, relative"
        if (beyond := differences > TOLERANCE).any():
            facts += f", up to step {beyond.argmax()} by {differences[: beyond.argmax()].max():.1e}"
            facts += f", and JAX's by {noise[-1]:.1e} from weights one unit in the last place off"
        if arguments.time:
            facts += f"; a step takes {ours * 1e3:.1f} ms, in JAX {theirs * 1e3:.1f} ms: {ours / theirs:.2f} times"
        facts += f"; not current: {', '.join(stale)}" if stale else ""
        print("FAILED" if wrong else "ok", facts, flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
