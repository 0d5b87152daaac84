"""Language models under narrow arithmetic: `python -m binade lm`, and the same in Python.

    binade lm MODEL --recipe nvfp4 --recipe 'fp8-deepseek@h100' --kv float8_e4m3fn --text FILE --windows 16x512

Each row is an arithmetic. Its perplexity stands beside the divergence of its predictions from those of the model as it is.

    report = binade.lm.evaluate(model, windows, ["nvfp4", "weights=mxfp4+leave=lm_head"])
    report[0].perplexity, report[0].kl_mean
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import shlex
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._calibration import Calibration
from ._lm_model import ModelError, Source, check_disk, check_memory, fingerprint, gib, import_libraries, inspect, load_model, load_tokenizer, peak_memory, stamp, windows_of

if TYPE_CHECKING:
    from ._lm_choose_torch import Blamed, Found
    from ._lm_evaluate_torch import Evaluation, Result
    from ._lm_row_torch import Row
    from ._lm_stream_torch import StreamedModel

__all__ = ["evaluate", "main"]

GUARANTEE = (
    "Products in the recipe have the same bits on every machine and for any number of threads. What stays PyTorch's has those of this "
    "PyTorch on this type of processor."
)

_HELP = """\
Rows: RECIPE[@SUMS], an operator or f32, then +KEY=VALUE for each of these:
  weights=Q activations=Q sums=S   formats of a row without a recipe: weights=nvfp4, and activations=float8_e4m3fn/scale=row
                                   with weights alone, products are PyTorch's: what a dequantised checkpoint says
  kv=Q                             the key-value cache: float8_e4m3fn, float8_e4m3fn/scale=head, nvfp4
  attention=R, scores=R, values=R  an operator or a recipe for the products of attention
  softmax=F                        the format of attention's probabilities
  leave=GLOB,… only=GLOB,…         layers outside and inside the recipe, by name: leave=lm_head,*.down_proj
  checkpoint=PATH                  a quantised checkpoint, in any layout of `binade quantize --layout`
  static=CLIP                      static input scales of --calibration, for FP8 and nvfp4: largest, 99, 99.9, 99.99 or mse;
                                   kv=float8_e4m3fn/scale=static is the cache's

Examples:
  binade lm model --recipe nvfp4 --recipe 'fp8-deepseek@h100' --kv float8_e4m3fn --text book.txt --windows 16x512 --report lm.html
  binade lm smollm2.gguf --recipe h100:e4m3 --recipe weights=mxfp4+leave=lm_head --text book.txt
  binade lm model --recipe nvfp4 --blame block --text book.txt --windows 4x512
  binade lm model --recipe nvfp4 --search --budget-kl 0.05 --text book.txt --log lm.jsonl
  binade lm model --calibrate scales.json --text book.txt --windows 16x512
  binade lm model --recipe w8a8 --kv float8_e4m3fn --calibration scales.json --text other.txt
  binade lm large-model --stream --recipe nvfp4 --text book.txt --log lm.jsonl
"""


def evaluate(
    model: Any,
    windows: Any,
    rows: Sequence[str | Row],
    *,
    threads: int | None = None,
    ragged: str = "error",
    seed: int = 0,
    calibration: Calibration | None = None,
) -> list[Result]:
    """Evaluates a causal language model of transformers under rows, on windows of token numbers (a tensor of count × length).

    `ragged` says what happens to a layer whose rows are no multiple of the recipe's blocks: `error`, `pad` or `leave`.
    Rows with `static=` take their scales from a `calibration`, which `binade.torch.calibrate` makes. ::

        calibration = binade.torch.calibrate(model, windows.split(1))
        report = binade.lm.evaluate(model, windows, ["w8a8", "w8a8+static=largest"], calibration=calibration)
    """
    from ._lm_evaluate_torch import Evaluation
    from ._lm_row_torch import Row

    evaluation = Evaluation(model, windows, threads=threads, ragged=ragged, seed=seed, calibration=calibration)
    parsed = [evaluation.prepared(row if isinstance(row, Row) else Row.parse(row)) for row in rows]
    return [evaluation.row(row) for row in parsed]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="binade lm",
        description="Evaluate a language model under recipes: perplexity, divergence from the model as it is, and the layers that cost most.",
        epilog=_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", metavar="MODEL", help="a folder of Hugging Face's, a GGUF file, or a quantised checkpoint of any layout of `binade quantize`")
    parser.add_argument("--recipe", metavar="ROW", action="append", default=[], help="a row of the table; may be repeated")
    parser.add_argument("--kv", metavar="FORMAT", help="the format of the key-value cache in all rows that name none, but f32")
    parser.add_argument("--text", metavar="FILE", help="the text, in UTF-8; - is standard input")
    parser.add_argument("--windows", metavar="NxLENGTH", default="4x512", help="number and tokens of windows, spread over the text [default: %(default)s]")
    parser.add_argument("--tokenizer", metavar="DIR", help="a folder with the tokenizer, if MODEL has none")
    parser.add_argument("--blame", metavar="GROUP", nargs="?", const="layer", choices=["layer", "block", "kind"],
                        help="measure one layer at a time in the recipe, all others not: each layer, each block of layers, or each kind (down_proj)")  # fmt: skip
    parser.add_argument("--search", action="store_true", help="find the cheapest mixture within --budget-kl; groups are those of --blame [default: block]")
    parser.add_argument("--budget-kl", metavar="X", type=float, help="the largest mean KL divergence of --search, in nats")
    parser.add_argument("--ragged", choices=["error", "pad", "leave"], default="error",
                        help="treatment of layers whose rows are no multiple of a recipe's blocks [default: %(default)s]")  # fmt: skip
    parser.add_argument("--calibrate", metavar="FILE", help="write the magnitudes of activations, keys and values on the text, and evaluate no rows")
    parser.add_argument("--calibration", metavar="FILE", help="read static scales from this file of --calibrate: rows with a scale for a tensor are followed by static ones")
    parser.add_argument("--stream", action="store_true",
                        help="load one decoder layer at a time, for a model larger than memory: all rows and windows pass through it before the next")  # fmt: skip
    parser.add_argument("--log", metavar="FILE", help="append finished windows to this file, and continue from it")
    parser.add_argument("--report", metavar="FILE", help="write a page with charts")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--threads", metavar="N", type=int, help="number of threads [default: one per processor]")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="the seed of stochastic rounding [default: %(default)s]")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `binade lm`. Returns its exit code: 0, 2 for bad input, 130 after Ctrl-C."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(words)
    try:
        return _run(options, shlex.join(["binade", "lm", *words]))
    except (ModelError, ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _windows(text: str) -> tuple[int, int]:
    count, _, length = text.lower().partition("x")
    if not (count.isdecimal() and length.isdecimal() and int(count) > 0 and int(length) > 1):
        raise ValueError(f"--windows {text}: it must be NxLENGTH, with a length of at least 2, as 16x512")
    return int(count), int(length)


def _run(options: argparse.Namespace, command: str) -> int:
    count, length = _windows(options.windows)
    if options.text is None:
        raise ValueError("--text FILE is missing: any text of the kind that the model is for, of some thousand words, as --text book.txt")
    if options.search and options.budget_kl is None:
        raise ValueError("--search needs --budget-kl X, the largest mean divergence in nats, as --budget-kl 0.05")
    if options.budget_kl is not None and not (options.search and options.budget_kl >= 0):
        raise ValueError("--budget-kl X is a number of at least 0, for --search")
    if options.threads is not None and options.threads < 1:
        raise ValueError(f"--threads {options.threads}: at least 1")
    if options.stream and (options.blame or options.search):
        flag = "--blame" if options.blame else "--search"
        raise ValueError(f"{flag} runs the model once for each group of layers, and --stream reads it from its files each time: leave one of them out")
    if options.calibrate:
        others = [f"--{key}" for key in ("recipe", "kv", "blame", "search", "calibration", "log", "report") if getattr(options, key)]
        if others:
            raise ValueError(f"--calibrate evaluates no rows, so {', '.join(others)} must be left out: run it again with --calibration {options.calibrate}")
        folder = Path(options.calibrate).absolute().parent
        if not folder.is_dir():
            raise ValueError(f"--calibrate {options.calibrate}: there is no folder {folder}: make it first")
    text = sys.stdin.read() if options.text == "-" else _read(options.text)
    source = inspect(options.model)
    import_libraries()
    if options.calibrate:
        if not options.stream:
            check_memory(source, 1, length)
        return _calibrated(options, text, source, count, length)
    calibration = None if options.calibration is None else Calibration.load(options.calibration)

    from ._lm_row_torch import Row

    rows = [Row.parse(recipe) for recipe in options.recipe]
    reference = Row.parse("f32")
    rows = [row.with_cache(options.kv) if options.kv and not row.is_reference else row for row in rows]
    if options.kv and not rows:
        rows.append(reference.with_cache(options.kv))
    if calibration is not None and not (options.blame or options.search):
        rows = [each for row in rows for each in (row, row.with_static()) if each is not None]
        rows = list({row.text: row for row in rows}.values())
        if not any(row.is_static for row in rows):
            raise ValueError("--calibration: no row has static scales: give a recipe whose activations are FP8 by tensor or token, or nvfp4, or --kv float8_e4m3fn")
    rows = [reference, *(row for row in rows if not row.is_reference)]
    if (options.blame or options.search) and len(rows) != 2:
        raise ValueError(f"--blame and --search are of one row, besides f32: got {len(rows) - 1} of --recipe")
    checkpoints = [inspect(row.checkpoint) for row in rows if row.checkpoint is not None]
    copies = 2 if any(row.arithmetic is not None or row.weights_only is not None for row in rows) else 1
    if options.stream:
        check_disk(source, *checkpoints)
    else:
        check_memory(source, copies, length, checkpoints)
    with contextlib.ExitStack() as opened:
        return _measured(options, command, text, source, rows, calibration, count, length, opened)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None


class _Progress:
    """A line on standard error that changes while windows are computed; without a terminal, a line for each row that is done."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()

    def __call__(self, text: str) -> None:
        if self._terminal:
            width = max(20, _columns() - 1)
            print(f"\r\033[K{text[:width]}", end="", file=sys.stderr, flush=True)

    def line(self, text: str) -> None:
        """A line that stays."""
        print(f"\r\033[K{text}" if self._terminal else text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Removes the changing line."""
        if self._terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except OSError:
        return 80


def _loaded(
    options: argparse.Namespace, text: str, source: Source, count: int, length: int, rows: Sequence[Row], progress: _Progress
) -> tuple[Any, Any]:
    """The model, or its streamed one, and the windows of the text as its tokens."""
    import torch

    if options.threads is not None:
        torch.set_num_threads(options.threads)
    tokenizer = load_tokenizer(source, options.tokenizer)
    windows = windows_of(tokenizer, text, count, length)
    progress(f"loading {source.path}")
    loaded = _streamed(source, rows, count, length) if options.stream else load_model(source)
    model: Any = loaded.model if options.stream else loaded
    vocabulary = model.get_input_embeddings().num_embeddings
    if int(windows.max()) >= vocabulary:
        raise ModelError(f"the tokenizer has token {int(windows.max())}, and the model {vocabulary}: name the model's own with --tokenizer")
    longest = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if longest and length > longest:
        raise ModelError(f"--windows {count}x{length}: the model has at most {longest} positions")
    return loaded, windows


def _streamed(source: Source, rows: Sequence[Row], count: int, length: int) -> StreamedModel:
    """A model that is read layer by layer, checked against memory for rows of windows."""
    from ._lm_stream_torch import StreamedModel, check_streamed

    copies = 2 if any(row.arithmetic is not None or row.weights_only is not None for row in rows) else 1
    return StreamedModel(source, lambda stream: check_streamed(stream, source, copies, max(1, len(rows)) * count, length))


def _calibrated(options: argparse.Namespace, text: str, source: Source, count: int, length: int) -> int:
    """Writes a calibration, and prints it."""
    from ._calibrate_torch import calibrate

    progress = _Progress()
    model, windows = _loaded(options, text, source, count, length, [], progress)
    if options.stream:
        from ._lm_passes_torch import calibrate_streamed

        with model:
            calibration = calibrate_streamed(model, windows, str(options.model), progress)
    else:
        calibration = calibrate(
            model, windows.split(1), name=str(options.model), progress=lambda done: progress(f"calibration: window {done} of {count}")
        )
    progress.clear()
    calibration.save(options.calibrate)
    print(json.dumps(calibration.to_json(), indent=1) if options.json else calibration)
    for name, each in calibration.inputs.items():
        if each.not_finite:
            progress.line(f"{name}: {each.not_finite:,} of {each.elements:,} inputs are NaN or infinite, and left out of all figures")
    progress.line(f"calibration: {options.calibrate}")
    return 0


def _measured(
    options: argparse.Namespace,
    command: str,
    text: str,
    source: Source,
    rows: list[Row],
    calibration: Calibration | None,
    count: int,
    length: int,
    opened: contextlib.ExitStack,
) -> int:
    import torch

    from ._inference_torch import linear_layers
    from ._lm_choose_torch import blame, search
    from ._lm_evaluate_torch import Evaluation, Log
    from ._lm_passes_torch import StreamedEvaluation
    from ._lm_report_torch import notes, number, report, table

    progress = _Progress()
    model, windows = _loaded(options, text, source, count, length, rows, progress)
    streamed = opened.enter_context(model) if options.stream else None
    model = streamed.model if streamed is not None else model
    layers = linear_layers(model)
    _warn_of_experts(model, progress.line)
    if calibration is not None:
        for note in calibration.notes(layer.name for layer in layers):
            progress.line(note)
    facts: dict[str, Any] = {
        "model": str(options.model),
        "text": str(options.text),
        "windows": f"{count}x{length}",
        "weights": sum(weight.numel() for weight in model.parameters()),
        "linear_weights": sum(layer.count for layer in layers),
        "guarantee": GUARANTEE,
    }
    facts |= {"calibration": str(options.calibration)} if calibration else {}
    known = {"fingerprint": fingerprint(model if streamed is None else stamp(source.path), windows), "windows": f"{count}x{length}", "seed": options.seed}
    checkpoints = {row.checkpoint: stamp(row.checkpoint) for row in rows if row.checkpoint is not None}
    known |= {"checkpoints": checkpoints} if checkpoints else {}
    known |= {"calibration": hashlib.sha256(json.dumps(calibration.to_json()).encode()).hexdigest()[:32]} if calibration else {}
    log = Log(Path(options.log) if options.log else None, known)
    loaded: dict[str, Any] = {}

    def load(path: str) -> Any:
        loaded.clear()
        loaded[path] = load_model(inspect(path))
        return loaded[path]

    settings: dict[str, Any] = {
        "log": log,
        "threads": options.threads,
        "own_bits": source.bits,
        "ragged": options.ragged,
        "seed": options.seed,
        "calibration": calibration,
        "progress": progress,
    }
    if streamed is None:
        evaluation = Evaluation(model, windows, load=load, **settings)
    else:
        kept = Path(f"{options.log}.layers") if options.log else None
        evaluation = StreamedEvaluation(
            streamed,
            windows,
            open=lambda path: _streamed(inspect(path), [], count, length),
            layer_done=progress.line,
            kept=kept,
            of=known,
            **settings,
        )
    results: list[Result] = []
    blamed: list[Blamed] = []
    found: Found | None = None
    interrupted = False
    try:
        rows = [evaluation.prepared(row) for row in rows]
        # Notices of slow kernels are in the progress, once.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            if isinstance(evaluation, StreamedEvaluation):
                evaluation.measure(rows)
            for row in rows:
                _row(evaluation, row, results, progress.line, number)
            if options.blame or options.search:
                by = options.blame or "block"
                for measured in blame(evaluation, rows[1], by):
                    blamed.append(measured)
                    progress.line(f"{measured.group.pattern} alone: KL {number(measured.result.kl_mean, 3)}")
            if options.search:
                found = search(evaluation, rows[1], blamed, options.budget_kl, progress.line)
    except KeyboardInterrupt:
        interrupted = True
    progress.clear()
    if streamed is not None:
        facts["peak_memory_bytes"] = peak_memory()
        progress.line(f"largest memory: {gib(facts['peak_memory_bytes'])}")
    results = [result for result in results if result.windows]
    blamed.sort(key=lambda each: each.result.kl_mean if each.result.kl_mean == each.result.kl_mean else float("inf"), reverse=True)
    if source.quantised or any(result.row.checkpoint for result in results):
        for result in results:
            if result.row.checkpoint:
                result.bits = inspect(result.row.checkpoint).bits
    said = notes(results, count)
    if found is not None:
        said += notes([found.result], count)
    if options.json:
        plain: dict[str, Any] = {**facts, "rows": [result.to_json() for result in results]}
        plain |= {"blame": [each.to_json() for each in blamed]} if options.blame or options.search else {}
        plain |= {"search": found.to_json(options.budget_kl)} if found else {}
        plain |= {"interrupted": True} if interrupted else {}
        print(json.dumps(plain, indent=2))
    else:
        print(table("row", [(result.row.text, result) for result in results]), end="")
        if blamed:
            print("\n" + table("one at a time", [(each.group.pattern, each.result) for each in blamed]), end="")
        if found is not None:
            print(f"\n{_sentence(found, options.budget_kl)}\n" + table("mixture", [(found.result.row.text, found.result)]), end="")
        for each in said:
            print(each)
    if options.report:
        Path(options.report).write_text(report(facts, command, results, blamed, found, said), encoding="utf-8")
        progress.line(f"report: {options.report}")
    if interrupted:
        again = f"run it again with --log {options.log} to continue" if options.log else "with --log FILE a later run continues"
        progress.line(f"interrupted: {again}")
        return 130
    return 0


def _row(evaluation: Evaluation, row: Row, results: list[Result], say: Callable[[str], None], number: Any) -> None:
    """Evaluates a row; its windows are in `results` as they are done."""
    from ._lm_evaluate_torch import Result

    result = Result(row, evaluation.bits(row))
    results.append(result)
    for window in evaluation.each(row):
        result.windows.append(window)
    say(f"{row.text}: perplexity {number(result.perplexity)}, KL {number(result.kl_mean, 3)}")


def _sentence(found: Found, budget: float) -> str:
    left = ", ".join(group.pattern for group in found.left)
    which = f"the recipe everywhere but in {left}" if left else "the recipe in all layers"
    if found.result.row.is_reference:
        which = "no layer in the recipe"
    return f"within KL {budget:g}: {which} ({found.tried} mixtures measured)"


def _warn_of_experts(model: Any, say: Callable[[str], None]) -> None:
    experts = [name for name, weight in model.named_parameters() if weight.dim() > 2]
    if experts:
        say(f"weights of experts stay as they are: {experts[0]}{f' and {len(experts) - 1} more' if len(experts) > 1 else ''}")


if __name__ == "__main__":
    sys.exit(main())
