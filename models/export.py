"""Writes a model as what `binade train` runs: three StableHLO programs and their manifest, and one more if it translates.

    python export.py FOLDER…           writes FOLDER/{init,train_step,evaluate,translate}.mlir and FOLDER/model.json
    python export.py --check FOLDER…   says which of those that are there are not what would be written
    python export.py --to DIR --set batch=16 FOLDER   writes into DIR, of a model with another batch

FOLDER holds `model.py` with a function `model()` that returns a `Model`; `--set` gives its parameters. It takes JAX and nothing
else.

A model's state is a dictionary of arrays, in the order in which the programs take and return it:

    init(key)                            -> state
    train_step(state…, inputs…)          -> state…, metrics…
    evaluate(state…, inputs…)            -> carried state…, metrics…      (without the optimizer's state)
    translate(state…, inputs…)           -> words                         (the same)

A metric has a number for each example (or for each token), so that means are taken outside, in binary64, whatever the
arithmetic is that the programs run under; where there is `counted`, only those with a 1 there count. `updates` and `lost_updates` count, for each parameter, the elements whose
update is not zero, and those of them that it left as they were.
"""

import argparse
import dataclasses
import importlib.util
import inspect
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

# Locations are for named scopes, not for places in files of one machine.
jax.config.update("jax_traceback_in_locations_limit", 0)


@dataclasses.dataclass
class Input:
    """An input of a step, and where it comes from.

    `source` is one of
        {"column": NAME, "scale": s, "shift": t}   a column of the data: value × s + t, or the integers themselves
        {"column": NAME, "resized": true}          the same, its rows cut to the input's length or filled up with zeros
        {"window": NAME, "offset": n}              consecutive elements of a text, n elements later than the window begins
        {"triple": "user" | "chosen" | "other"}    users, an item that each of them chose, and one that he or she did not
        {"ranked": "user"}                         users of an evaluation
        {"edge": "row" | "column" | "weight"}      the entries of the graph's matrix, users before items; of shape (edges,)
    """

    name: str
    shape: tuple
    dtype: str
    source: dict
    # Integers have to be below this: the number of classes, or of words.
    below: int | None = None


@dataclasses.dataclass
class Model:
    """A model; `forward` is all that differs between training and evaluation."""

    name: str
    about: str
    task: str
    data: str
    # "shuffled" examples, shuffled "windows" of a text, "streams": parallel readers of a text, whose carried state goes on; or
    # "triples" of a graph of users and items.
    sampling: str
    batch: int
    epochs: int
    # The learning rate: {"initial": r, "warm_up": steps, "drops": [{"epoch": n, "factor": f}…]}.
    rate: dict
    # What is trained: key -> {name: array}.
    parameters: Callable
    # (parameters, statistics, carried, inputs, key, training) -> (losses, correct, statistics, carried); without a key
    # nothing is random.
    forward: Callable
    inputs: list
    optimizer: object
    # Examples of an evaluation; with streams the same as `batch`.
    evaluation_batch: int
    # What forward keeps besides parameters, such as means of batch norm: () -> {name: array}.
    statistics: Callable = dict
    # What a step leaves to the next one of the same text: () -> {name: array}, zeros.
    carried: Callable = dict
    # Which of the losses count, inputs -> booleans of their shape: those of padding do not.
    counted: Callable | None = None
    # Whether forward draws random numbers in training.
    random: bool = False
    # A model that ranks: its evaluation gives a score to each item for each user, (parameters, statistics, inputs) -> scores,
    # from inputs of its own, and the greatest graph that fits is {"users": n, "items": n, "edges": n}.
    scores: Callable | None = None
    evaluation_inputs: list | None = None
    graph: dict | None = None
    # A model that translates: (parameters, statistics, inputs) -> the words of sentences, from those of the evaluation's inputs that
    # are not the `reference`, which is what a translation is compared with.
    translate: Callable | None = None
    reference: str | None = None
    scopes: list = dataclasses.field(default_factory=list)
    hyper_parameters: dict = dataclasses.field(default_factory=dict)


# Optimizers: `state(parameters)` and `update(parameters, gradients, state, rate) -> (parameters, state, steps)`, where
# `steps` are what the rate is multiplied with: the update of a parameter is zero where its step is.


class Momentum:
    """p ← p − rate · v, v ← momentum · v + g, where g includes weight decay."""

    def __init__(self, momentum=0.9, weight_decay=0.0, clip=None):
        self.momentum, self.weight_decay, self.clip = momentum, weight_decay, clip

    def hyper_parameters(self):
        facts = {"momentum": self.momentum, "weight_decay": self.weight_decay, "clip": self.clip}
        return {"optimizer": "sgd"} | {name: value for name, value in facts.items() if value}

    def state(self, parameters):
        if not self.momentum:
            return {}
        return {f"{name}.velocity": jnp.zeros_like(p) for name, p in parameters.items()}

    def update(self, parameters, gradients, state, rate):
        gradients = clipped(gradients, self.clip)
        if self.weight_decay:
            gradients = {name: g + self.weight_decay * parameters[name] for name, g in gradients.items()}
        steps = gradients
        if self.momentum:
            steps = {name: self.momentum * state[f"{name}.velocity"] + g for name, g in gradients.items()}
            state = {f"{name}.velocity": v for name, v in steps.items()}
        return {name: p - rate * steps[name] for name, p in parameters.items()}, state, steps


class Adam:
    """Kingma and Ba's, with the number of steps in its state."""

    def __init__(self, first=0.9, second=0.999, epsilon=1e-8, clip=None):
        self.first, self.second, self.epsilon, self.clip = first, second, epsilon, clip

    def hyper_parameters(self):
        facts = {"first": self.first, "second": self.second, "epsilon": self.epsilon, "clip": self.clip}
        return {"optimizer": "adam"} | {name: value for name, value in facts.items() if value}

    def state(self, parameters):
        zeros = {f"{name}.{which}": jnp.zeros_like(p) for which in ("first", "second") for name, p in parameters.items()}
        return zeros | {"steps": jnp.zeros((), jnp.int32)}

    def update(self, parameters, gradients, state, rate):
        gradients = clipped(gradients, self.clip)
        count = state["steps"] + 1
        new, steps = {"steps": count}, {}
        # 1 − βⁿ keeps its leading digits in narrow arithmetic, as βⁿ itself would not.
        corrections = [-jnp.expm1(count.astype(jnp.float32) * np.float32(np.log(b))) for b in (self.first, self.second)]
        for name, g in gradients.items():
            first = self.first * state[f"{name}.first"] + (1 - self.first) * g
            second = self.second * state[f"{name}.second"] + (1 - self.second) * (g * g)
            new |= {f"{name}.first": first, f"{name}.second": second}
            steps[name] = first / corrections[0] / (jnp.sqrt(second / corrections[1]) + self.epsilon)
        state = {name: new[name] for name in state}
        return {name: p - rate * steps[name] for name, p in parameters.items()}, state, steps


def clipped(gradients, most):
    """Gradients scaled so that their norm is `most` or less."""
    if most is None:
        return gradients
    norm = jnp.sqrt(sum((g * g).sum() for g in gradients.values()))
    scale = jnp.minimum(1.0, most / (norm + 1e-6))
    return {name: g * scale for name, g in gradients.items()}


# Parts that models are made of.


def uniform(key, shape, bound):
    """Uniform between −bound and bound."""
    return jax.random.uniform(key, shape, jnp.float32, -bound, bound)


def classification(logits, labels):
    """(losses, correct) of each example: cross-entropy, and whether the greatest logit is the label's."""
    log_p = jax.nn.log_softmax(logits)
    losses = -jnp.take_along_axis(log_p, labels[..., None], axis=-1)[..., 0]
    return losses, (jnp.argmax(logits, axis=-1).astype(jnp.int32) == labels).astype(jnp.int32)


def dropout(key, share, x):
    """x with a share of its elements set to zero, the others scaled; x itself without a key."""
    if key is None or share == 0:
        return x
    kept = jax.random.bernoulli(key, 1 - share, x.shape)
    return jnp.where(kept, x / (1 - share), 0.0)


# The programs of a model.


def state_of(model, key, carried):
    parameters = model.parameters(key)
    parts = {
        "parameter": parameters,
        "statistic": model.statistics(),
        "optimizer": model.optimizer.state(parameters),
        "carried": carried,
    }
    return [(name, value, role) for role, part in parts.items() for name, value in part.items()]


def roles_of(model):
    state = jax.eval_shape(
        lambda key: [value for _, value, _ in state_of(model, jax.random.wrap_key_data(key), model.carried())],
        jax.ShapeDtypeStruct((2,), jnp.uint32),
    )
    names = [(name, role) for name, _, role in state_of(model, jax.random.key(0), model.carried())]
    return [(name, role, value.shape, value.dtype) for (name, role), value in zip(names, state)]


def init_program(model):
    def init(key):
        return tuple(value for _, value, _ in state_of(model, jax.random.wrap_key_data(key), model.carried()))

    return init, [("key", (2,), "uint32")]


def step_inputs(model):
    """Inputs of train_step after the state: (name, shape, dtype, more facts)."""
    words = [("rate", (), "float32", {"from": "rate"})]
    words += [("key", (2,), "uint32", {"from": "key"})] if model.random else []
    return [(i.name, i.shape, i.dtype, source_of(i)) for i in model.inputs] + words


def source_of(given):
    return {"from": given.source} | ({} if given.below is None else {"below": given.below})


def split(model, names, values):
    """The state's parts by role."""
    parts = {"parameter": {}, "statistic": {}, "optimizer": {}, "carried": {}}
    for (name, role), value in zip(names, values):
        parts[role][name] = value
    return parts


def train_step_program(model):
    state, inputs = roles_of(model), step_inputs(model)
    names = [(name, role) for name, role, _, _ in state]

    def train_step(*values):
        parts = split(model, names, values)
        given = {name: value for (name, *_), value in zip(inputs, values[len(names) :])}
        rate, key = given.pop("rate"), given.pop("key", None)
        key = key if key is None else jax.random.wrap_key_data(key)

        def loss(parameters):
            losses, correct, *rest = model.forward(parameters, parts["statistic"], parts["carried"], given, key, True)
            if model.counted:
                counts = model.counted(given)
                return jnp.where(counts, losses, 0.0).sum() / counts.sum(), (losses, correct, *rest)
            return losses.mean(), (losses, correct, *rest)

        before = parts["parameter"]
        gradients, (losses, correct, statistics, carried) = jax.grad(loss, has_aux=True)(before)
        with jax.named_scope("optimizer"):
            after, optimizer, steps = model.optimizer.update(before, gradients, parts["optimizer"], rate)
        with jax.named_scope("count"):
            moved = [steps[name] != 0 for name in before]
            lost = [m & (after[name] == before[name]) for m, name in zip(moved, before)]
            counts = [jnp.stack([mask.sum(dtype=jnp.int32) for mask in masks]) for masks in (moved, lost)]
        new = {"parameter": after, "statistic": statistics, "optimizer": optimizer, "carried": carried}
        return tuple(new[role][name] for name, role in names) + (losses, correct, *counted(model, given), *counts)

    return train_step, [(name, *rest) for name, _, *rest in state] + [entry[:3] for entry in inputs]


def counted(model, inputs):
    return [model.counted(inputs).astype(jnp.int32)] if model.counted else []


def evaluate_program(model):
    state = [entry for entry in roles_of(model) if entry[1] != "optimizer"]
    names = [(name, role) for name, role, _, _ in state]
    inputs = [(i.name, i.shape, i.dtype, source_of(i)) for i in model.evaluation_inputs or []]
    if not inputs:
        inputs = [(i.name, (model.evaluation_batch, *i.shape[1:]), i.dtype, source_of(i)) for i in model.inputs]

    def evaluate(*values):
        parts = split(model, names, values)
        given = {name: value for (name, *_), value in zip(inputs, values[len(names) :])}
        parameters, statistics = parts["parameter"], parts["statistic"]
        if model.scores:
            return (model.scores(parameters, statistics, given),)
        losses, correct, _, carried = model.forward(parameters, statistics, parts["carried"], given, None, False)
        carried = tuple(carried[name] for name, role in names if role == "carried")
        return *carried, losses, correct, *counted(model, given)

    arguments = [(name, *rest) for name, _, *rest in state] + [entry[:3] for entry in inputs]
    return evaluate, arguments, inputs


def translate_program(model):
    state = [entry for entry in roles_of(model) if entry[1] in ("parameter", "statistic")]
    names = [(name, role) for name, role, _, _ in state]
    _, _, inputs = evaluate_program(model)
    inputs = [entry for entry in inputs if entry[0] != model.reference]

    def translate(*values):
        parts = split(model, names, values)
        given = {name: value for (name, *_), value in zip(inputs, values[len(names) :])}
        return (model.translate(parts["parameter"], parts["statistic"], given),)

    return translate, [(name, *rest) for name, _, *rest in state] + [entry[:3] for entry in inputs], inputs


DTYPES = {"float32": "f32", "int32": "i32", "uint32": "ui32", "uint8": "ui8"}


def described(name, shape, dtype, **more):
    return {"name": name, "shape": list(shape), "dtype": DTYPES[np.dtype(dtype).name], **more}


def manifest(model):
    step, arguments = train_step_program(model)
    evaluate, evaluate_arguments, evaluate_inputs = evaluate_program(model)
    state = roles_of(model)
    metrics = ["loss", "correct", *(["counted"] if model.counted else []), "updates", "lost_updates"]

    def outputs(function, arguments, skip, metrics=metrics):
        results = jax.eval_shape(function, *shapes(arguments))[skip:]
        return [described(name, r.shape, r.dtype) for name, r in zip(metrics, results)]

    more_facts = {"graph": model.graph} if model.graph else {}
    if model.translate:
        translate, translate_arguments, translate_inputs = translate_program(model)
        more_facts["translate"] = {
            "batch": model.evaluation_batch,
            "reference": model.reference,
            "inputs": [described(name, shape, dtype, **more) for name, shape, dtype, more in translate_inputs],
            "outputs": outputs(translate, translate_arguments, 0, ["words"]),
        }
    return {
        "format": 1,
        "name": model.name,
        "about": model.about,
        "task": model.task,
        "data": model.data,
        "sampling": model.sampling,
        "batch": model.batch,
        "epochs": model.epochs,
        "rate": model.rate,
        "hyper_parameters": model.optimizer.hyper_parameters() | model.hyper_parameters,
        "scopes": model.scopes + ["optimizer", "count"],
        "state": [described(name, shape, dtype, role=role) for name, role, shape, dtype in state],
        "train_step": {
            "inputs": [described(name, shape, dtype, **more) for name, shape, dtype, more in step_inputs(model)],
            "outputs": outputs(step, arguments, len(state)),
        },
        "evaluate": {
            "batch": model.evaluation_batch,
            "inputs": [described(name, shape, dtype, **more) for name, shape, dtype, more in evaluate_inputs],
            "outputs": outputs(
                evaluate, evaluate_arguments, len(model.carried()), ["scores"] if model.scores else metrics
            ),
        },
    } | more_facts


def shapes(arguments):
    return [jax.ShapeDtypeStruct(shape, dtype) for _, shape, dtype in arguments]


def program_text(function, arguments):
    # Arguments that are not used stay: the manifest counts them.
    text = jax.jit(function, keep_unused=True).lower(*shapes(arguments)).as_text(debug_info=True)
    # The names of results say nothing that the manifest does not; those of arguments are its own.
    text = re.sub(r' \{jax\.result_info = "[^"]*"\}', "", text)
    return re.sub(r'loc\("values\[(\d+)\]"\)', lambda match: f'loc("{arguments[int(match[1])][0]}")', text)


def manifest_text(value, indent=0):
    """JSON, with what fits into a line on one."""
    short = json.dumps(value)
    if indent and len(short) + indent < 116 or not isinstance(value, (dict, list)):
        return short
    items = value.items() if isinstance(value, dict) else [(None, item) for item in value]
    inner = " " * (indent + 2)
    lines = [
        inner + (f"{json.dumps(name)}: " if name is not None else "") + manifest_text(item, indent + 2)
        for name, item in items
    ]
    first, last = "{}" if isinstance(value, dict) else "[]"
    text = first + "\n" + ",\n".join(lines) + "\n" + " " * indent + last
    return text if indent else text + "\n"


def files(model):
    return {
        "init.mlir": program_text(*init_program(model)),
        "train_step.mlir": program_text(*train_step_program(model)),
        "evaluate.mlir": program_text(*evaluate_program(model)[:2]),
        "model.json": manifest_text(manifest(model)),
    } | ({"translate.mlir": program_text(*translate_program(model)[:2])} if model.translate else {})


def load(folder, settings=None):
    """The model of a folder's model.py, with settings in place of the defaults of its parameters."""
    here = str(Path(__file__).resolve().parent)
    if here not in sys.path:
        sys.path.insert(0, here)
    # What model.py imports from here is this module, however it was started.
    sys.modules.setdefault("export", sys.modules[__name__])
    spec = importlib.util.spec_from_file_location(f"model_{folder.resolve().name}", folder / "model.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    known = inspect.signature(module.model).parameters
    for name in settings or {}:
        if name not in known:
            raise SystemExit(f"{folder}/model.py: no setting '{name}'; there are: {', '.join(known) or 'none'}")
    return module.model(**settings or {})


def setting(text):
    name, _, number = text.partition("=")
    return name, int(number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, and fail where a file is not current")
    parser.add_argument("--to", type=Path, metavar="DIR", help="write there instead, for one FOLDER")
    parser.add_argument("--set", action="append", default=[], type=setting, metavar="NAME=NUMBER", help="of model()")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    if arguments.to:
        if len(arguments.folders) > 1:
            parser.error("--to takes one FOLDER")
        arguments.to.mkdir(parents=True, exist_ok=True)
    stale = []
    for folder in arguments.folders:
        if arguments.check and not (folder / "model.json").exists():
            continue
        for name, text in files(load(folder, dict(arguments.set))).items():
            path = (arguments.to or folder) / name
            if not path.exists() or path.read_text() != text:
                stale.append(path)
                if not arguments.check:
                    path.write_text(text)
    for path in stale:
        print(f"{path}: {'is not current' if arguments.check else 'written'}")
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
