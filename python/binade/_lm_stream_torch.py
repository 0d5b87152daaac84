"""Language models larger than memory: a model of transformers whose decoder layers are loaded from its files one at a time.

`StreamedModel` has embeddings, norms and the output head in memory, and at most one decoder layer. `StreamedModel.step` runs the model's own
`forward` up to the end of that layer: layers before it return the result of the previous step, and layers after it do not run. So a pass over all
steps has the bits of the whole model.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

from ._inference_torch import linear_layers
from ._lm_model import ModelError, Source, available_memory, dequantised, first_line, gib, import_libraries, need_gguf


class _Stop(Exception):
    """Ends a step after its layer."""


class StreamedModel:
    """A model whose decoder layers are read from its files when a step needs them.

    `model` is that of transformers; weights of layers that are not loaded are on PyTorch's `meta` device, with shapes and without numbers.
    Use it in a `with`, or call `close`.

    # Errors
    `ModelError` for files that transformers refuses, for an architecture that cannot be streamed, and for too little memory.
    """

    def __init__(self, source: Source, check: Callable[[StreamedModel], None] = lambda _: None) -> None:
        transformers = import_libraries()
        self.source = source
        self._close = contextlib.ExitStack()
        self._reader: _Reader | None = None
        self._at = 0
        self._previous: Any = None
        self._result: Any = None
        self._enter: Callable[[], None] = lambda: None
        # True while a step computes what belongs to it alone: not what it repeats before its layer.
        self.is_own = False
        self._is_before = False
        # Linear layers outside the decoder layers that run before them.
        self.before: set[str] = set()
        try:
            folder = source.folder if not source.quantised else self._close.enter_context(dequantised(source.folder))
            need_gguf(source)
            options: dict[str, Any] = {"gguf_file": source.gguf} if source.gguf else {}
            with _loading_by(self._load, self._finish), contextlib.redirect_stderr(io.StringIO()):
                self._check = check
                self.model: Any = transformers.AutoModelForCausalLM.from_pretrained(
                    folder, dtype=torch.float32, local_files_only=True, **options
                )
        except ModelError:
            self.close()
            raise
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            self.close()
            raise ModelError(f"{source.path}: transformers cannot load it: {first_line(error)}") from None
        self.model.eval()
        self.model.requires_grad_(False)
        for number, layer in enumerate(self.layers):
            layer.forward = self._in_place_of(number, layer.forward)
        for layer in linear_layers(self.model):
            if not layer.name.startswith(self._prefix):
                layer.module.register_forward_pre_hook(partial(self._runs, layer.name))

    def __enter__(self) -> StreamedModel:
        return self

    def __exit__(self, *raised: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes the files, and removes temporary ones."""
        self._close.close()

    @property
    def steps(self) -> int:
        """The number of steps: one for each decoder layer, and one for the output head."""
        return len(self.layers) + 1

    @property
    def resident_weights(self) -> int:
        """Number of weights outside the decoder layers, which stay in memory."""
        return _count(self._whole) - sum(map(_count, self.layers))

    @property
    def largest_layer(self) -> int:
        """Number of weights of the largest decoder layer."""
        return max(map(_count, self.layers))

    def names(self, step: int) -> Callable[[str], bool]:
        """Returns true for the names of layers that a step computes."""
        own = f"{self._prefix}{step}."
        if step == len(self.layers):
            return lambda name: not name.startswith(self._prefix)
        return lambda name: name.startswith(own) or name in self.before

    def _load(self, model: Any, state_dict: Any, files: Any, config: Any, expected_keys: Any = None) -> tuple[Any, Any]:
        """In place of transformers' reader of weights: reads those outside the decoder layers."""
        self._whole = model
        self._prefix, self.layers = _decoder_layers(model, self.source.path)
        _refuse_shared(model, self._prefix, self.source.path)
        self._check(self)
        self._reader = _Reader(model, state_dict, files, config, self._prefix)
        return self._reader.read(None), None

    def _finish(self, model: Any, config: Any, info: Any) -> Any:
        """In place of transformers' last steps of loading: buffers and tied weights, but no numbers for layers that are not loaded."""
        missing = [name for name in info.missing_keys if not name.startswith(self._prefix)]
        info.missing_keys = set(missing)
        unknown = set(missing) - set(model.all_tied_weights_keys) - set(model.all_tied_weights_keys.values())
        _refuse_missing(unknown, info, self.source.path)
        model.mark_tied_weights_as_initialized(info)
        model._move_missing_keys_from_meta_to_device(info.missing_and_mismatched(), config.device_map, config.device_mesh, config.hf_quantizer)
        model._initialize_missing_keys(config.is_quantized)
        model.tie_weights(missing_keys=info.missing_keys, recompute_mapping=False)
        _refuse_missing(info.missing_keys, info, self.source.path)
        return info

    @contextlib.contextmanager
    def loaded(self, step: int) -> Iterator[None]:
        """Has the decoder layer of a step in memory; the last step, the output head, needs none."""
        if step == len(self.layers):
            yield
            return
        layer = self.layers[step]
        kept = [(module, dict(module._parameters), dict(module._buffers)) for module in layer.modules()]
        try:
            assert self._reader is not None
            with contextlib.redirect_stderr(io.StringIO()):
                info = self._reader.read(step)
            own = {name for name in info.missing_keys if name.startswith(f"{self._prefix}{step}.")}
            _refuse_missing(own, info, self.source.path)
            layer.requires_grad_(False)
            yield
        finally:
            for module, parameters, buffers in kept:
                module._parameters.update(parameters)
                module._buffers.update(buffers)

    def step(self, number: int, tokens: torch.Tensor, previous: Any, *, cached: bool = False, enter: Callable[[], None] = lambda: None) -> Any:
        """The output of decoder layer `number` in a window, from that of the layer before; after the last layer, the model's output.

        `enter` is called where the step's own part begins: at its layer, or after the last layer. The first step is its own from the
        beginning. The layer must be `loaded`.
        """
        self._at, self._previous, self._result, self._enter = number, previous, None, enter
        self.is_own, self._is_before = number == 0, True
        try:
            with torch.no_grad():
                output = self.model(tokens[None], use_cache=cached)
        except _Stop:
            result, self._result = self._result, None
            return result
        finally:
            self._previous, self.is_own = None, False
        if number < len(self.layers):
            raise ModelError(f"{self.source.path}: its forward pass did not run decoder layer {number}: it cannot be streamed")
        return output

    def _in_place_of(self, number: int, forward: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **keywords: Any) -> Any:
            self._is_before = False
            if number == self._at:
                if number:
                    self._begin()
                self._result = forward(*arguments, **keywords)
                raise _Stop
            if number > self._at:
                raise ModelError(f"{self.source.path}: its forward pass runs layer {number} before layer {self._at}: it cannot be streamed")
            if number == len(self.layers) - 1:
                self._begin()
            return self._previous

        return run

    def _runs(self, name: str, module: Any, inputs: Any) -> None:
        if self._is_before:
            self.before.add(name)

    def _begin(self) -> None:
        self._enter()
        self.is_own = True


class _Reader:
    """Reads the weights of one decoder layer, or those outside all, as transformers names and converts them."""

    def __init__(self, model: Any, state_dict: Any, files: Any, config: Any, prefix: str) -> None:
        self._model, self._state, self._config = model, state_dict, config
        # By decoder layer, None for those outside: the names in the files, with the files.
        self._names: dict[int | None, list[tuple[str, str]]] = {None: []}
        if isinstance(state_dict, _Gguf):
            return
        target = _names_in(model, config)
        for name, file in _names_of(state_dict, files):
            renamed = target(name)
            rest = renamed[len(prefix) :].split(".", 1)[0] if renamed.startswith(prefix) else ""
            self._names.setdefault(int(rest) if rest.isdecimal() else None, []).append((name, file))

    def read(self, layer: int | None) -> Any:
        """Sets the weights of a decoder layer, or those outside all, and returns transformers' record of missing and unfitting ones."""
        from transformers.core_model_loading import convert_and_load_state_dict_in_model

        with contextlib.ExitStack() as opened:
            found: dict[str, Any] = self._state.tensors(layer) if isinstance(self._state, _Gguf) else {}
            files: dict[str, Any] = {}
            for name, file in self._names.get(layer, []):
                if self._state is not None:
                    found[name] = self._state[name]
                    continue
                if file not in files:
                    files[file] = opened.enter_context(_safetensors(file))
                found[name] = files[file].get_slice(name)
            info, _ = convert_and_load_state_dict_in_model(model=self._model, state_dict=found, load_config=self._config)
        return info


class _Gguf:
    """A GGUF file whose blocks (`blk.N.`) are read and dequantised one at a time, by transformers' rules for its architecture."""

    def __init__(self, load: Callable[..., Any], path: str, options: dict[str, Any]) -> None:
        import gguf

        self._load, self._path, self._options = load, path, options
        self._reader = gguf.GGUFReader(path)
        # The names in the model, by those in the file. transformers needs seconds to find them.
        self._names: dict[str, str] | None = None

    def tensors(self, layer: int | None) -> dict[str, Any]:
        """The weights of a block, or those outside all, by their names in the model."""
        from transformers import modeling_gguf_pytorch_utils as ggufs

        gguf: Any = import_module("gguf")
        find, reader = ggufs.get_gguf_hf_weights_map, gguf.GGUFReader

        def names(*arguments: Any) -> dict[str, str]:
            if self._names is None:
                # It calls itself by its name.
                ggufs.get_gguf_hf_weights_map = find
                self._names = dict(find(*arguments))
            return dict(self._names)

        ggufs.get_gguf_hf_weights_map, gguf.GGUFReader = names, lambda _: _Blocks(self._reader, layer)
        try:
            found: dict[str, Any] = self._load(self._path, return_tensors=True, **self._options)["tensors"]
        finally:
            ggufs.get_gguf_hf_weights_map, gguf.GGUFReader = find, reader
        return found


class _Blocks:
    """A reader of a GGUF file with the tensors of one block, and without the tokenizer's tables, which are long."""

    def __init__(self, reader: Any, layer: int | None) -> None:
        self._reader = reader
        self.fields = {name: field for name, field in reader.fields.items() if not name.startswith("tokenizer.")}
        prefix = "blk." if layer is None else f"blk.{layer}."
        self.tensors = [tensor for tensor in reader.tensors if tensor.name.startswith(prefix) != (layer is None)]

    def get_field(self, name: str) -> Any:
        """A field of the metadata."""
        return self._reader.get_field(name)


def _safetensors(file: str) -> Any:
    from safetensors import safe_open

    return safe_open(file, framework="pt", device="cpu")


def _names_of(state_dict: Any, files: Any) -> Iterator[tuple[str, str]]:
    """The names of all weights, with their files; of a GGUF file they are in a mapping that reads when asked."""
    if state_dict is not None:
        yield from ((name, "") for name in state_dict)
        return
    for file in files or []:
        if not str(file).endswith(".safetensors"):
            raise ModelError(f"{file}: only .safetensors files and GGUF files can be streamed")
        with _safetensors(file) as opened:
            yield from ((name, str(file)) for name in opened.keys())


def _names_in(model: Any, config: Any) -> Callable[[str], str]:
    """The name in the model of a weight in the files, by transformers' rules."""
    from transformers.core_model_loading import WeightConverter, WeightRenaming, rename_source_key

    mapping = config.weight_mapping or []
    renamings = [each for each in mapping if isinstance(each, WeightRenaming)]
    converters = [each for each in mapping if isinstance(each, WeightConverter)]
    known = model.state_dict()

    def target(name: str) -> str:
        renamed, _ = rename_source_key(name, renamings, converters, model.base_model_prefix, known)
        if renamed not in known and name in known:
            renamed, _ = rename_source_key(name, [], [], base_model_prefix=model.base_model_prefix, meta_state_dict=known)
        return str(renamed)

    return target


@contextlib.contextmanager
def _loading_by(load: Callable[..., Any], finish: Callable[..., Any]) -> Iterator[None]:
    """Has transformers' `from_pretrained` read weights by other functions.

    # Errors
    `ModelError` for a version of transformers that reads them otherwise.
    """
    import transformers

    try:
        from transformers import modeling_gguf_pytorch_utils as ggufs
        from transformers.core_model_loading import convert_and_load_state_dict_in_model, rename_source_key  # noqa: F401

        read = ggufs.load_gguf_checkpoint
        own = {"_load_pretrained_model": staticmethod(load), "_finalize_model_loading": staticmethod(finish)}
        places = [(transformers.PreTrainedModel, name, function) for name, function in own.items()]
        before = [(place, name, place.__dict__[name]) for place, name, _ in places]
    except (ImportError, AttributeError, KeyError):
        raise ModelError(f"--stream needs transformers 5.24 or later, and this is {transformers.__version__}") from None

    def later(path: str, return_tensors: bool = False, **options: Any) -> Any:
        return {"tensors": _Gguf(read, path, options)} if return_tensors else read(path, **options)

    try:
        for place, name, function in [*places, (ggufs, "load_gguf_checkpoint", later)]:
            setattr(place, name, function)
        yield
    finally:
        for place, name, function in [*before, (ggufs, "load_gguf_checkpoint", read)]:
            setattr(place, name, function)


def _decoder_layers(model: Any, path: Path) -> tuple[str, list[Any]]:
    """The prefix of the names of a model's decoder layers, and the layers: the outermost list of as many blocks as the configuration says."""
    count = getattr(model.config.get_text_config(), "num_hidden_layers", None)
    lists = {name: each for name, each in model.named_modules() if isinstance(each, torch.nn.ModuleList) and len(each) == count}
    outermost = {name: each for name, each in lists.items() if not any(name.startswith(f"{other}.") for other in lists)}
    if not outermost:
        raise ModelError(
            f"{path}: its architecture, {type(model).__name__}, has no list of {count} decoder layers, so it cannot be streamed: leave --stream out"
        )
    name = max(outermost, key=lambda name: _count(outermost[name]))
    return f"{name}.", list(outermost[name])


def _refuse_shared(model: Any, prefix: str, path: Path) -> None:
    """Refuses layers that read more of other layers than the result of the one before."""
    if getattr(model.config.get_text_config(), "num_kv_shared_layers", 0):
        raise ModelError(f"{path}: its layers share keys and values with earlier ones, so they cannot be streamed: leave --stream out")
    tied = next((name for pair in model.all_tied_weights_keys.items() for name in pair if name.startswith(prefix)), None)
    if tied is not None:
        raise ModelError(f"{path}: its layers share weights ({tied}), so they cannot be streamed: leave --stream out")


def _refuse_missing(missing: Any, info: Any, path: Path) -> None:
    if info.mismatched_keys:
        name, found, expected = sorted(info.mismatched_keys, key=str)[0]
        raise ModelError(f"{path}: weight {name} has the shape {tuple(found)}, and the model of config.json needs {tuple(expected)}")
    if info.conversion_errors:
        name, why = next(iter(info.conversion_errors.items()))
        raise ModelError(f"{path}: weight {name} cannot be converted: {str(why).strip().splitlines()[-1]}")
    if missing:
        names = sorted(missing)
        raise ModelError(f"{path}: weight {names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''} is missing in its files")


def _count(module: Any) -> int:
    return sum(weight.numel() for weight in module.parameters())


def check_streamed(stream: StreamedModel, source: Source, copies: int, states: int, window: int) -> None:
    """Raises `ModelError` if the streamed model does not fit into memory: weights outside the decoder layers, the largest layer twice, with
    `copies` of each, the results of a layer in `states` windows, and logits.
    """
    config = stream._whole.config.get_text_config()
    weights = copies * stream.resident_weights + (1 + copies) * stream.largest_layer
    results = 2 * states * window * int(getattr(config, "hidden_size", 0))
    need = 4 * (weights + results + 3 * int(config.vocab_size) * window)
    available = available_memory()
    if available is not None and need > available:
        raise ModelError(
            f"{source.path} does not fit into memory, streamed too: its largest layer of {stream.largest_layer:,} weights, {stream.resident_weights:,} "
            f"weights outside layers and {states} windows of rows need {gib(need)} in binary32, and {gib(available)} are available. Take "
            "fewer rows or windows"
        )
