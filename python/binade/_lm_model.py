"""Models of `binade lm`: folders of Hugging Face's, GGUF files and quantised checkpoints, checked against memory before they are loaded."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import struct
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ._command import BinadeError, run_command

INSTALL = "pip install './python[lm]' from binade's root"


class ModelError(ValueError):
    """A model that cannot be evaluated."""


@dataclass(frozen=True)
class Source:
    """A model's files, before they are loaded."""

    path: Path
    # The folder that transformers loads, and the name of the GGUF file in it.
    folder: Path
    gguf: str | None
    # True for a checkpoint whose weights are codes with scales.
    quantised: bool
    weights: int
    bytes: int

    @property
    def bits(self) -> float:
        """Bits a weight as the files store them."""
        return 8 * self.bytes / max(1, self.weights)


def inspect(path: str | os.PathLike[str]) -> Source:
    """Reads the headers of a model's files.

    # Errors
    `ModelError` for a path that is no model.
    """
    path = Path(path)
    if not path.exists():
        raise ModelError(f"{path}: no such file or folder: MODEL is a folder of Hugging Face's, a GGUF file or a quantised checkpoint")
    if path.is_file():
        if path.suffix == ".gguf":
            weights, size = _gguf_sizes(path)
            return Source(path, path.parent, path.name, False, weights, size)
        if path.suffix == ".safetensors":
            return inspect(path.parent)
        else:
            raise ModelError(f"{path}: its name must end in .gguf or .safetensors, or be a folder's")
    files = sorted(path.glob("*.safetensors"))
    ggufs = sorted(path.glob("*.gguf"))
    if not files and len(ggufs) == 1:
        return inspect(ggufs[0])
    if not files and ggufs:
        raise ModelError(f"{path}: it has several GGUF files: name one, as {ggufs[0]}")
    if not (path / "config.json").exists():
        raise ModelError(f"{path}: there is no config.json, which says the model's architecture")
    if not files:
        raise ModelError(f"{path}: there are no .safetensors files")
    if (path / ".binade-incomplete.json").exists():
        raise ModelError(f"{path}: `binade quantize` has not finished this folder: run it again with --resume")
    weights = size = 0
    for file in files:
        for name, tensor in _safetensors_header(file).items():
            elements = 1
            for length in tensor["shape"]:
                elements *= length
            first, last = tensor["data_offsets"]
            size += last - first
            # Codes of four bits are packed in bytes; scales are no weights.
            packed = name.endswith(("weight_packed", "_blocks")) or tensor["dtype"] == "U8" and name.endswith(".weight")
            weights += 2 * elements if packed else 0 if "scale" in name.rsplit(".", 1)[-1] else elements
    config = _config(path)
    return Source(path, path, None, "quantization_config" in config, weights, size)


def _config(folder: Path) -> dict[str, Any]:
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"{folder / 'config.json'}: no JSON: {error}") from None
    return config


def _safetensors_header(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            (length,) = struct.unpack("<Q", opened.read(8))
            if length > min(file.stat().st_size, 1 << 28):
                raise ValueError("its header is longer than the file")
            header: dict[str, Any] = json.loads(opened.read(length))
    except (struct.error, ValueError) as error:
        raise ModelError(f"{file}: no safetensors file: {error}") from None
    header.pop("__metadata__", None)
    return header


# Sizes of GGUF's metadata types by number; 8 is a string, 9 an array.
_GGUF_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}


def _gguf_sizes(file: Path) -> tuple[int, int]:
    """Number of weights in a GGUF file, and the bytes of its tensors."""
    try:
        with file.open("rb") as opened:
            if opened.read(4) != b"GGUF":
                raise ValueError("it does not begin with GGUF")
            version, tensors, pairs = _read(opened, "<IQQ")
            if version not in (2, 3):
                raise ValueError(f"its version is {version}, and 2 and 3 are known")
            for _ in range(pairs):
                _skip_text(opened)
                _skip_value(opened, _read(opened, "<I")[0])
            weights = 0
            for _ in range(tensors):
                _skip_text(opened)
                elements = 1
                for length in _read(opened, f"<{_read(opened, '<I')[0]}Q"):
                    elements *= length
                _read(opened, "<IQ")
                weights += elements
            return weights, file.stat().st_size - opened.tell()
    except (struct.error, KeyError, ValueError) as error:
        raise ModelError(f"{file}: no GGUF file: {error}") from None


def _read(opened: BinaryIO, layout: str) -> Any:
    return struct.unpack(layout, opened.read(struct.calcsize(layout)))


def _skip_text(opened: BinaryIO) -> None:
    opened.seek(_read(opened, "<Q")[0], 1)


def _skip_value(opened: BinaryIO, kind: int) -> None:
    if kind == 8:
        _skip_text(opened)
    elif kind == 9:
        of, count = _read(opened, "<IQ")
        if of in (8, 9):
            for _ in range(count):
                _skip_value(opened, of)
        else:
            opened.seek(_GGUF_SIZES[of] * count, 1)
    else:
        opened.seek(_GGUF_SIZES[kind], 1)


def available_memory() -> int | None:
    """Bytes of memory that this process may take; None if the system does not say."""
    found = []
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found.append(1024 * int(next(line for line in lines if line.startswith("MemAvailable")).split()[1]))
    with contextlib.suppress(OSError, ValueError):
        group = Path("/sys/fs/cgroup")
        found.append(int((group / "memory.max").read_text()) - int((group / "memory.current").read_text()))
    return min(found) if found else None


def check_memory(source: Source, copies: int, window: int, checkpoints: Sequence[Source] = ()) -> None:
    """Raises `ModelError` if a model does not fit into memory: `copies` of its weights as binary32, the largest of the checkpoints that rows
    load one after the other, and the logits of a window. Weights of a quantised checkpoint also need a temporary file.
    """
    available = available_memory()
    vocabulary = 50_000
    if source.gguf is None:
        vocabulary = int(_config(source.folder).get("vocab_size") or vocabulary)
    second = max((checkpoint.weights for checkpoint in checkpoints), default=0)
    need = 4 * (source.weights * copies + second) + 3 * 4 * vocabulary * window
    if available is not None and need > available:
        raise ModelError(
            f"{source.path} does not fit into memory: {source.weights:,} weights need {gib(need)} in binary32"
            f"{' with a quantised copy' if copies > 1 else ''}{' and a checkpoint beside them' if second else ''}, and {gib(available)} are "
            "available. --stream loads one decoder layer at a time; or take a smaller model"
        )
    check_disk(source, *checkpoints)


def check_disk(*sources: Source) -> None:
    """Raises `ModelError` if the dequantised weights of a quantised checkpoint do not fit into a temporary file."""
    for quantised in (each for each in sources if each.quantised):
        folder = tempfile.gettempdir()
        need, free = 4 * quantised.weights, shutil.disk_usage(folder).free
        if need > free:
            raise ModelError(
                f"{quantised.path}: its dequantised weights need a temporary file of {gib(need)}, and {folder} has {gib(free)} free: "
                "set TMPDIR to a folder with more space"
            )


def peak_memory() -> int:
    """The largest number of bytes that this process had in memory."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def gib(count: int) -> str:
    """A number of bytes for people."""
    return f"{count / 2**30:.1f} GiB" if count >= 1 << 30 else f"{count / 2**20:.1f} MiB"


def import_libraries() -> Any:
    """transformers, with its progress bars off.

    # Errors
    `ModelError` that says what to install.
    """
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    missing = []
    for name in ("torch", "transformers"):
        try:
            __import__(name)
        except ImportError:
            missing.append(name)
    if missing:
        raise ModelError(f"{' and '.join(missing)} cannot be imported: {INSTALL}")
    import transformers

    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    return transformers


def load_model(source: Source) -> Any:
    """The model in binary32, ready for inference.

    # Errors
    `ModelError` for files that transformers or `binade dequantize` refuse.
    """
    transformers = import_libraries()
    with contextlib.ExitStack() as stack:
        folder = source.folder if not source.quantised else stack.enter_context(dequantised(source.folder))
        options: dict[str, Any] = {"gguf_file": source.gguf} if source.gguf else {}
        need_gguf(source)
        import torch

        try:
            # Its reader of GGUF has a progress bar that cannot be turned off.
            with contextlib.redirect_stderr(io.StringIO()):
                model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, local_files_only=True, **options)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise ModelError(f"{source.path}: transformers cannot load it: {first_line(error)}") from None
    model.eval()
    model.requires_grad_(False)
    return model


def need_gguf(source: Source) -> None:
    """Raises `ModelError` if the reader of GGUF files is missing."""
    if source.gguf:
        try:
            __import__("gguf")
        except ImportError:
            raise ModelError(f"{source.path}: gguf, which transformers reads GGUF files by, cannot be imported: {INSTALL}") from None


def first_line(error: BaseException) -> str:
    """The first line of an error's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


@contextlib.contextmanager
def dequantised(folder: Path) -> Iterator[Path]:
    """A folder with the numbers of a quantised checkpoint, by `binade dequantize`."""
    with tempfile.TemporaryDirectory(prefix="binade-lm-") as temporary:
        out = Path(temporary) / "model"
        try:
            run_command("dequantize", folder, out, "--dtype", "f32")
        except BinadeError as error:
            raise ModelError(f"{folder}: {error}") from None
        yield out


def load_tokenizer(source: Source, path: str | None) -> Any:
    """The model's tokenizer, or that of another folder."""
    transformers = import_libraries()
    options: dict[str, Any] = {"gguf_file": source.gguf} if source.gguf and path is None else {}
    if path is None:
        need_gguf(source)
    try:
        return transformers.AutoTokenizer.from_pretrained(path or source.folder, local_files_only=True, **options)
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(
            f"{path or source.path}: transformers cannot load its tokenizer: {first_line(error)}: name a folder that has one with --tokenizer"
        ) from None


def windows_of(tokenizer: Any, text: str, count: int, length: int) -> Any:
    """`count` windows of `length` tokens, at equal distances over a text. Each begins with the tokenizer's first token, if it has one."""
    import torch

    ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    first = tokenizer("a", verbose=False)["input_ids"][:1]
    begin = first if first and first[0] == getattr(tokenizer, "bos_token_id", None) else []
    own = length - len(begin)
    if len(ids) < count * own:
        fits = len(ids) // own
        instead = f"--windows {fits}x{length}" if fits else f"--windows 1x{max(2, len(ids))}"
        raise ModelError(f"the text is too short: it has {len(ids)} tokens, and {count}x{length} windows need {count * own}: give more text, or {instead}")
    apart = (len(ids) - own) // max(1, count - 1) if count > 1 else 0
    return torch.tensor([begin + ids[at * apart : at * apart + own] for at in range(count)])


def fingerprint(model: Any, windows: Any) -> str:
    """A digest of a model's weights and of the windows, by which a log tells another run. In place of a model it takes the `stamp` of its files."""
    import torch

    digest = hashlib.sha256(windows.numpy().tobytes())
    if isinstance(model, list):
        digest.update(json.dumps(model).encode())
        return digest.hexdigest()[:32]
    for name, weight in sorted(model.state_dict().items()):
        bits = weight.detach().float().contiguous().reshape(-1).view(torch.int32)
        digest.update(f"{name} {tuple(weight.shape)} {int(bits.to(torch.int64).sum())}".encode())
        digest.update(bits[:1024].numpy().tobytes())
    return digest.hexdigest()[:32]


def stamp(path: str | os.PathLike[str]) -> list[list[Any]]:
    """Names, sizes and times of a checkpoint's files, by which a log tells that it was written anew."""
    source = inspect(path)
    files = [source.path] if source.gguf else sorted(source.folder.glob("*.safetensors"))
    return [[file.name, file.stat().st_size, file.stat().st_mtime_ns] for file in files]
