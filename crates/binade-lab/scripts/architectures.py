"""Makes src/checkpoint/architectures.txt: for each model type of transformers, the kind of module that each matrix belongs to.

    python architectures.py

Each model class of transformers is built from the default configuration of its type on the meta device, so that no memory is
needed. A matrix's name is its name in files, which transformers finds by reverting the conversions of its loader. Numbers in names
become `*`, and the start of a name is dropped as long as what remains means one kind within the model type.

Kinds:

    L  linear layer, or projection of an expert
    H  linear layer outside the base model, or the output head
    T  output head that may be tied to the embeddings, and is then absent from files
    R  router of experts
    E  embedding
    C  transformers' Conv1D, stored [in, out]
    A  linear layer whose weight its parent reads without calling it, such as the output of PyTorch's MultiheadAttention
    P  parameter of another module

Each line of the file has model types, a colon, then for each kind its letter, `=` and names with commas between them. Types whose names are
the same share a line. The line of `*` has the names that mean one kind in all types; the others leave these out.
"""

import collections
import importlib
import inspect
import os
import re
import signal
import sys
import warnings
from fnmatch import fnmatch
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
warnings.filterwarnings("ignore")

import torch
import transformers
from torch import nn
from transformers import AutoConfig, PreTrainedModel
from transformers.conversion_mapping import get_model_conversion_mapping
from transformers.core_model_loading import PrefixChange, revert_weight_conversion
from transformers.models.auto import modeling_auto
from transformers.pytorch_utils import Conv1D

transformers.logging.set_verbosity_error()
OUTPUT = Path(__file__).parent.parent / "src" / "checkpoint" / "architectures.txt"
ROUTERS = ["router", "gate", "*_router", "shared_expert_gate"]
# Options without which a type has no model.
NEEDED = {
    "autoformer": {"prediction_length": 24},
    "informer": {"prediction_length": 24},
    "time_series_transformer": {"prediction_length": 24},
    "hunyuan_v1_dense": {"head_dim": 32},
    "hunyuan_v1_moe": {"head_dim": 32},
    "hunyuan_vl_text": {"head_dim": 32},
    "ministral": {"head_dim": 32},
    "nemotron": {"num_key_value_heads": 8},
    "moonshine_streaming": {"num_key_value_heads": 8},
    "lfm2_moe": {"layer_types": ["conv", "full_attention", "conv"], "num_hidden_layers": 3},
    "deepseek_ocr2_text": {"mlp_layer_types": ["dense", "sparse"], "num_hidden_layers": 2},
    "t5gemma2_text": {"dropout_rate": 0.0},
    "t5gemma2_decoder": {"dropout_rate": 0.0},
    "esm": {"vocab_size": 33},
    "dots1": {"n_routed_experts": 4, "n_shared_experts": 1, "num_experts_per_tok": 2},
    "chameleon": {"vocabulary_map": {"<image>": 4}},
}
# Options that add no modules.
NO_MODULES = ["output_hidden_states", "output_attentions", "return_dict", "use_cache", "tie_word_embeddings", "tie_encoder_decoder"]
# Other options that do.
STRINGS = {"feed_forward_proj": ["gated-gelu", "relu"], "q_lora_rank": [None, 64], "num_experts": [4], "num_local_experts": [4], "n_routed_experts": [4],
           "word_embed_proj_dim": [64], "embedding_size": [64], "first_k_dense_replace": [0, 1]}
# Seconds that one model class may take to build.
LIMIT = 60


def classes_by_type():
    """The names of model classes of each model type, and of those the base models."""
    classes, bases = collections.defaultdict(set), collections.defaultdict(set)
    for table in dir(modeling_auto):
        if not table.endswith("MAPPING_NAMES"):
            continue
        for kind, names in getattr(modeling_auto, table).items():
            names = {names} if isinstance(names, str) else set(names)
            classes[kind] |= names
            if table == "MODEL_MAPPING_NAMES":
                bases[kind] |= names
    return classes, bases


def model_classes(kind, config, names):
    """The model classes of a type: those of the automatic classes, else those of its module that have its configuration."""
    found = {getattr(transformers, name, None) for name in names}
    try:
        module = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    except ImportError:
        # A type with another's classes.
        module = None
    for name, value in inspect.getmembers(module, inspect.isclass):
        if issubclass(value, PreTrainedModel) and value.config_class is type(config) and not name.endswith("PreTrainedModel"):
            found.add(value)
    found = {value for value in found if inspect.isclass(value) and issubclass(value, PreTrainedModel)}
    return sorted(found, key=lambda value: value.__name__)


def wild(name):
    """A name with `*` for numbers."""
    return ".".join("*" if part.isdigit() else part for part in name.split("."))


def is_only_read(model, path):
    """Whether the parent of a layer multiplies by its weight, or uses it and never calls the layer, by its source."""
    parent, _, own = path.rpartition(".")
    try:
        source = inspect.getsource(type(model.get_submodule(parent)))
    except (OSError, TypeError):
        return False
    read, called = (re.search(rf"self\.{own}{rest}", source) for rest in [r"\.weight\b", r"\("])
    return bool(read and not called or re.search(rf"self\.{own}\.weight @", source))


def kind_of(model, name, tensor):
    """The kind of module that a parameter of the model belongs to; None for what is no matrix."""
    path, _, own = name.rpartition(".")
    module = model.get_submodule(path)
    families = [type(model.get_submodule(".".join(path.split(".")[: at + 1]))).__name__ for at in range(path.count(".") + 1)]
    router = any(re.search(r"(Router|Gate|TopK\w*|Gating)$", family) for family in families)
    router = router or any(fnmatch(path.rpartition(".")[2], pattern) for pattern in ROUTERS)
    if isinstance(module, nn.modules.linear.NonDynamicallyQuantizableLinear):
        return "A"
    if isinstance(module, nn.Linear):
        return "R" if router else "A" if is_only_read(model, path) else "L"
    if isinstance(module, nn.Embedding):
        return "E"
    if isinstance(module, Conv1D):
        return "C"
    if tensor.ndim == 3 and "Expert" in type(module).__name__:
        return "L"
    if tensor.ndim == 2 and own == "weight":
        return "R" if router else "P"
    return None


def matrices(model):
    """The matrices of a model by their names in files, and their kinds."""
    first = {}
    for name, tensor in model.named_parameters(remove_duplicate=False):
        first.setdefault(wild(name), (name, tensor.detach()))
    kinds = {name: kind_of(model, name, tensor) for name, tensor in first.values()}
    output = model.get_output_embeddings()
    tied = getattr(model, "_tied_weights_keys", None) or {}
    for name in kinds:
        if kinds[name] == "L" and any(re.fullmatch(key, name) for key in tied):
            kinds[name] = "T"
        elif kinds[name] == "L" and model.get_submodule(name.rpartition(".")[0]) is output:
            kinds[name] = "H"
    state = dict(first.values())
    conversions = get_model_conversion_mapping(model, add_legacy=False)
    conversions = [conversion for conversion in conversions if not isinstance(conversion, PrefixChange)]
    if not conversions:
        stored = {name: (tensor, kinds[name]) for name, tensor in state.items()}
    else:
        stored = {}
        model._weight_conversions = conversions
        for name, tensor in state.items():
            if kinds[name] is None:
                continue
            try:
                reverted = revert_weight_conversion(model, {name: tensor})
            except Exception:
                # A conversion of several tensors to one: the name in the model has to do.
                reverted = {name: tensor}
            if kinds[name] == "T":
                # Readers know the module by its name in the model.
                reverted = {name: tensor, **reverted}
            stored.update({key: (value, kinds[name]) for key, value in reverted.items()})
    found = {}
    for name, (tensor, kind) in stored.items():
        if kind is not None and tensor.ndim == 2 and name.endswith(".weight"):
            found[wild(name.removesuffix(".weight"))] = kind
    return found


class Late(Exception):
    pass


def built(value, config):
    """A model on the meta device."""

    def late(*_):
        raise Late()

    signal.signal(signal.SIGALRM, late)
    signal.alarm(LIMIT)
    try:
        with torch.device("meta"):
            return value(config)
    finally:
        signal.alarm(0)


def options_of(config):
    try:
        return config.to_dict()
    except Exception:
        return {}


def variants(kind):
    """Configurations of a type that differ from the default in one option that may add modules."""
    default = options_of(AutoConfig.for_model(kind, **NEEDED.get(kind, {})))
    changes = []
    for key, value in sorted(default.items()):
        if isinstance(value, bool) and key not in NO_MODULES:
            changes.append((key, not value))
    for key, values in STRINGS.items():
        changes += [(key, value) for value in values if key in default and default[key] != value]
    for key, value in changes:
        try:
            yield AutoConfig.for_model(kind, **NEEDED.get(kind, {}), **{key: value})
        except Exception:
            # A value that the type refuses.
            continue


def endings(name):
    parts = name.split(".")
    return [".".join(parts[at:]) for at in range(len(parts) - 1, -1, -1)]


def shortened(kinds):
    """Each name by its shortest ending that means one kind."""
    meant = collections.defaultdict(set)
    for name, kind in kinds.items():
        for ending in endings(name):
            meant[ending].add(kind)
    short = {}
    for name, kind in kinds.items():
        ending = next((e for e in endings(name) if len(meant[e]) == 1 and e.strip("*.") != ""), name)
        # Heads in full: they are named in config.json where files do not have them.
        short[name if kind == "T" else ending] = kind
    return short


# The more a kind keeps a matrix as it is, the later.
ORDER = "LCPAERHT"


def of_type(kind, names, bases):
    """The matrices of all model classes of a type."""
    try:
        config = AutoConfig.for_model(kind, **NEEDED.get(kind, {}))
    except Exception as error:
        return None, repr(error)
    body, others, problem = {}, [], "no model class"
    values = model_classes(kind, config, names)
    for value in values:
        try:
            found = matrices(built(value, config))
        except Exception as error:
            problem = f"{value.__name__}: {error!r}"
            continue
        if value.__name__ in bases:
            body.update(found)
        else:
            others.append(found)
    # The options of one class are those of all.
    more = {}
    fullest = [value for value in values if re.search(r"ForConditionalGeneration|LM", value.__name__)] or values
    for config in variants(kind):
        try:
            found = matrices(built(fullest[0], config))
        except Exception:
            continue
        if fullest[0].__name__ in bases or not body:
            more.update(found)
        else:
            tails = {ending for name in body for ending in endings(name)}
            outside = {name for name, what in found.items() if what == "L" and "." not in name and name not in tails}
            more.update({name: "H" if name in outside else what for name, what in found.items()})
    kinds = dict(body)
    tails = {ending for name in body for ending in endings(name)}
    for found in others:
        for name, what in found.items():
            inside = not body or any(ending in body for ending in endings(name)) or name in tails
            if what == "L" and not inside:
                what = "H"
            if name not in kinds or ORDER.index(what) > ORDER.index(kinds[name]):
                kinds[name] = what
    for name, what in more.items():
        kinds.setdefault(name, what)
    return (shortened(kinds), None) if kinds else (None, problem)


def is_end(short, name):
    """Whether a name ends with another, and is longer."""
    return name.endswith("." + short)


def compacted(types):
    """What the names of all types have in common, and the rest of each."""
    meant, uses = collections.defaultdict(set), collections.Counter()
    for kinds in types.values():
        for name, kind in kinds.items():
            meant[name].add(kind)
            uses[name] += 1
    common = {name: kinds.copy().pop() for name, kinds in meant.items() if len(kinds) == 1 and uses[name] > 1 and kinds != {"T"}}
    # A longer name would be found first.
    common = {name: kind for name, kind in common.items() if all(common.get(end, kind) == kind for end in endings(name))}
    rest = {}
    for type_name, kinds in types.items():
        own = {name: kind for name, kind in kinds.items() if common.get(name) != kind}
        # Nor may an own name of another kind be found in place of one that is left out, or a common one in place of an own.
        while True:
            hidden = {name: kind for name, kind in kinds.items() if name not in own and any(end in own for end in endings(name))}
            if not hidden:
                break
            own.update(hidden)
        rest[type_name] = own
    return common, rest


def text_of(kinds):
    by_kind = collections.defaultdict(list)
    for name, kind in sorted(kinds.items()):
        by_kind[kind].append(name)
    return " ".join(f"{kind}={','.join(by_kind[kind])}" for kind in "LHTRECAP" if by_kind[kind])


def table(types):
    """The text of the table."""
    common, rest = compacted(types)
    lines = collections.defaultdict(list)
    for kind, names in rest.items():
        lines[text_of(names)].append(kind)
    body = "".join(f"{' '.join(kinds)}: {text}".strip() + "\n" for text, kinds in sorted(lines.items(), key=lambda line: line[1]))
    return f"# Made by scripts/architectures.py from transformers {transformers.__version__}: see there.\n*: {text_of(common)}\n{body}"


def main():
    classes, bases = classes_by_type()
    wanted, types = sys.argv[1:] or sorted(classes), {}
    for kind in wanted:
        try:
            short, problem = of_type(kind, classes[kind], bases[kind])
        except Exception as error:
            short, problem = None, repr(error)
        if short is None:
            print(f"{kind}: left out: {problem[:150]}", file=sys.stderr)
        else:
            types[kind] = short
    text = table(types)
    if sys.argv[1:]:
        print(text)
    else:
        OUTPUT.write_text(text)
        print(f"{len(types)} model types, {text.count(chr(10)) - 1} lines, {len(text)} bytes")


if __name__ == "__main__":
    main()
