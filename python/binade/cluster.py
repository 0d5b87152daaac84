"""Sweeps over a cluster: trainings, checkpoints and test vectors in pieces that Ray gives to its nodes.

    >>> import binade.cluster, tempfile
    >>> shared = tempfile.mkdtemp()
    >>> sweep = binade.cluster.vectors("multiply", "float4_e2m1fn", shared=shared, piece_lines=64, address="here")
    >>> sorted(result.title for result in sweep)[0]
    'all lines in one file'
    >>> sweep.join().splitlines()[99]
    '0x6 0x3 0x7 -'

The pieces, who has which, and what they came to are files in the folder `shared`, which all nodes must see: see docs/cluster.md.
Ray says where there is room, and which worker was lost; the folder says what is done. So nothing is lost with the head, and the same
call goes on with what is there, on another cluster or on none: `address` is what `ray.init` takes, or "here" for processes of this
machine without Ray.

Ray comes with `pip install binade[ray]`. On its nodes, binade must be installed too.
"""

from __future__ import annotations

import ctypes
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from typing import Any, Protocol

from ._command import BinadeError, Path

__all__ = ["Result", "Sweep", "quantize", "search", "train", "vectors"]

_LOG = logging.getLogger(__name__)

# Opened here: between fork and exec nothing may wait for a lock.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None

# How long a task is to take, in seconds: short pieces are done several at a time.
_TASK_SECONDS = 5.0
_MOST_IN_A_TASK = 500
# How often a process may end without the result of a piece and without a signal before the piece is left.
_FAILURES = 3
# Seconds for processes to let go of their pieces.
_PATIENCE = 10.0
# After so many losses in a row without a piece that was taken, it is not the pieces that they die of.
_IDLE_LOSSES = 100


@dataclass(frozen=True)
class Result:
    """What a piece came to: `sha256` are the bits that are the same whoever does it, `value` is what else the command says."""

    piece: int
    title: str
    sha256: str
    by: str
    seconds: float
    value: Any


@dataclass(frozen=True)
class _Ended:
    """How a process ended that did pieces."""

    code: int
    said: str


class _Lost(Exception):
    """A worker or its node is gone."""


class _Executor(Protocol):
    """Where processes run."""

    def slots(self) -> int:
        """How many run side by side."""
        ...

    def submit(self, command: list[str], name: str, memory: int) -> Any:
        """Starts one, which may need so many bytes; what to wait for."""
        ...

    def wait(self, handles: list[Any], seconds: float) -> list[Any]:
        """Those that have ended, at the latest after so many seconds."""
        ...

    def ended(self, handle: Any) -> _Ended:
        """How one ended; raises `_Lost`."""
        ...

    def close(self, handles: list[Any]) -> None:
        """Ends these, which still run or wait."""
        ...


def _die_with_parent() -> None:
    """The process of a killed worker lets go of its piece, and ends: nobody would wait for its result."""
    if _LIBC is not None:
        _LIBC.prctl(1, signal.SIGTERM)


def _run(command: list[str], cwd: str, started: Any = None) -> _Ended:
    """Runs a command to its end."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        # Ctrl-C is for this program, which tells its processes.
        start_new_session=True,
        preexec_fn=_die_with_parent if os.name == "posix" else None,
    )
    if started is not None:
        started(process)
    said = deque(process.stderr or (), maxlen=20)
    process.wait()
    return _Ended(process.returncode, b"".join(said).decode(errors="replace"))


def _ended_itself(ended: _Ended) -> _Ended:
    """The same, unless a signal ended it."""
    if ended.code < 0:
        last = ended.said.strip().rpartition("\n")[2]
        raise _Lost(f"killed by signal {-ended.code}{last and ', after: ' + last}")
    return ended


def _free_memory() -> int | None:
    """Bytes that processes of this machine may take, where it tells."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return None


class _Here:
    """Processes of this machine."""

    def __init__(self, workers: int | None = None, memory: int | None = None) -> None:
        """So many side by side, of those that need so many bytes together; one that needs more runs alone."""
        self._workers = workers or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._workers)
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Condition()
        self._closed = False
        self._memory, self._taken = memory if memory is not None else _free_memory(), 0

    def slots(self) -> int:
        return self._workers

    def _started(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._running.add(process)
            if self._closed:
                process.kill()

    def _run(self, command: list[str], cwd: str, memory: int) -> _Ended:
        with self._lock:
            most = self._memory
            if most is not None:
                self._lock.wait_for(lambda: self._closed or not self._taken or self._taken + memory <= most)
            if self._closed:
                return _Ended(130, "")
            self._taken += memory
        try:
            return _run(command, cwd, self._started)
        finally:
            with self._lock:
                self._taken -= memory
                self._lock.notify_all()

    def submit(self, command: list[str], name: str, memory: int) -> Future[_Ended]:
        return self._pool.submit(self._run, command, os.getcwd(), memory)

    def wait(self, handles: list[Future[_Ended]], seconds: float) -> list[Future[_Ended]]:
        return list(wait_for(handles, seconds, FIRST_COMPLETED).done)

    def ended(self, handle: Future[_Ended]) -> _Ended:
        return _ended_itself(handle.result())

    def close(self, handles: list[Future[_Ended]]) -> None:
        with self._lock:
            self._closed = True
            self._lock.notify_all()
            running = [process for process in self._running if process.returncode is None]
        for process in running:
            process.terminate()

        def kill() -> None:
            for process in running:
                process.kill()

        killer = threading.Timer(_PATIENCE, kill)
        killer.start()
        self._pool.shutdown(cancel_futures=True)
        killer.cancel()


class _Ray:
    """Tasks of Ray, which retries none of them: that is done here, piece by piece."""

    def __init__(self, address: str | None, cpus: float) -> None:
        try:
            import ray
        except ModuleNotFoundError:
            raise BinadeError("Ray is not installed: pip install 'binade[ray]', or address='here'") from None
        self._ray = ray
        if not ray.is_initialized():
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        self._cpus = cpus
        self._task = ray.remote(_run)
        # Bytes of memory of the largest node that was seen.
        self._largest = 0.0

    def slots(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1) / self._cpus))

    def submit(self, command: list[str], name: str, memory: int) -> Any:
        how: dict[str, Any] = {"name": name, "num_cpus": self._cpus, "max_retries": 0}
        if memory:
            how["memory"] = memory
            if memory > self._largest:
                nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
                self._largest = max((node.get("memory", 0) for node in nodes), default=0)
            if memory > self._largest:
                need, there = memory / 2**30, self._largest / 2**30
                _LOG.warning("%s needs %.2f GiB, and no node of Ray has more than %.2f GiB: it waits for one", name, need, there)
        return self._task.options(**how).remote(command, os.getcwd())

    def wait(self, handles: list[Any], seconds: float) -> list[Any]:
        done: list[Any] = self._ray.wait(handles, num_returns=1, timeout=seconds)[0]
        # A look takes as long as there are handles: all that have ended are taken at once.
        return self._ray.wait(handles, num_returns=len(handles), timeout=0)[0] if done else done

    def ended(self, handle: Any) -> _Ended:
        try:
            ended: _Ended = self._ray.get(handle)
        except self._ray.exceptions.RayError as error:
            raise _Lost(str(error).strip().partition("\n")[0]) from error
        return _ended_itself(ended)

    def close(self, handles: list[Any]) -> None:
        for handle in handles:
            self._ray.cancel(handle, force=True)


def _binade() -> list[str]:
    """The command: BINADE, or that of this package."""
    given = os.environ.get("BINADE")
    return [given] if given else [sys.executable, "-m", "binade"]


def _without(words: Sequence[str], option: str) -> tuple[list[str], str | None]:
    """A command line without an option, and the option's value."""
    kept, value = list(words), None
    for at, word in enumerate(words):
        name, equals, given = word.partition("=")
        if name == option:
            value = given if equals else words[at + 1] if at + 1 < len(words) else None
            del kept[at : at + (1 if equals else 2)]
            break
    return kept, value


def _where(address: str | None, cpus: float) -> _Executor:
    return _Here() if address == "here" else _Ray(address, cpus)


class Sweep:
    """A sweep that is being worked on while one iterates over it.

    Iterating gives the results of all pieces as they end, those first that the folder has already. Pieces whose worker is lost
    are given to another, which goes on from their last checkpoint. Pieces that fail three times, or whose processes die as often without
    getting further, are left, and the others are done; then `BinadeError` is raised, with why. It is raised, too, where two results of a
    piece differ.
    """

    def __init__(
        self,
        arguments: Sequence[Path],
        shared: Path,
        address: str | None = None,
        *,
        cpus: float = 1,
        in_flight: int | None = None,
        heartbeat: float = 2.0,
        deaths: int = 3,
        retry: bool = False,
        executor: _Executor | None = None,
    ) -> None:
        """`arguments` are the command's, `cpus` what a process is given, `in_flight` how many tasks wait or run at most.

        A piece is given up when `deaths` of its processes died in a row without getting further; `retry` tries those again that were.
        """
        self.shared = os.path.abspath(os.fspath(shared))
        words = [os.fspath(word) for word in arguments]
        # Of this sweep, and not of each of its processes.
        self._retry, self._tried = retry or "--retry" in words, set[int]()
        words = [word for word in words if word != "--retry"]
        self._command = [*_binade(), *words, "--shared", self.shared]
        self._deaths = deaths
        self._heartbeat = heartbeat
        # Known before a cluster is asked for anything.
        self.pieces: list[dict[str, Any]] = json.loads(self._said("--plan", "--json"))
        self._results = os.path.join(self.shared, "results")
        self._has_last = self.pieces[-1:] != [] and "last" in self._names_of_plan()
        self._address, self._cpus, self._executor = address, cpus, executor
        self._in_flight = in_flight
        self.lost = 0
        # What was said last of pieces that were lost or failed, and those that are left.
        self._words: dict[int, str] = {}
        self._failed: set[int] = set()
        # Seconds that were spent here, not waiting; and tasks that were given out.
        self.busy, self.tasks = 0.0, 0

    def _said(self, *more: str) -> str:
        done = subprocess.run([*self._command, *more], capture_output=True, text=True, encoding="utf-8")
        if done.returncode != 0:
            raise BinadeError(done.stderr.strip().removeprefix("error: ") or f"exit code {done.returncode}")
        return done.stdout

    def _names_of_plan(self) -> list[str]:
        with open(os.path.join(self.shared, "sweep.json"), encoding="utf-8") as file:
            plan = json.load(file)
        return ["last"] if plan["last"] else []

    def _path(self, piece: int) -> str:
        is_last = self._has_last and piece == len(self.pieces) - 1
        return os.path.join(self._results, "last.json" if is_last else f"{piece:05}.json")

    def _result(self, piece: int) -> Result | None:
        try:
            with open(self._path(piece), encoding="utf-8") as file:
                found = json.load(file)
        except FileNotFoundError:
            return None
        return Result(piece, found["title"], found["sha256"], found["by"], found["seconds"], found["result"])

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[Result]:
        present = set(os.listdir(self._results))
        self._failed.clear()
        open_pieces: deque[int] = deque()
        for piece in range(len(self.pieces)):
            result = self._result(piece) if os.path.basename(self._path(piece)) in present else None
            if result is None:
                open_pieces.append(piece)
            else:
                yield result
        if open_pieces:
            yield from self._work(open_pieces)
        if self._failed:
            raise BinadeError("\n".join(self._whys()))
        conflicts = os.listdir(os.path.join(self.shared, "conflicts"))
        if conflicts:
            raise BinadeError(f"{self.shared}: results of a piece differ: conflicts/{', conflicts/'.join(sorted(conflicts))}")

    def _work(self, waiting: deque[int]) -> Iterator[Result]:
        executor = self._executor or _where(self._address, self._cpus)
        last = waiting.pop() if self._has_last and waiting[-1] == len(self.pieces) - 1 else None
        running: dict[Any, list[int]] = {}
        failures: dict[int, int] = {}
        seconds, slots = _TASK_SECONDS, executor.slots()
        begun = time.perf_counter()
        claims, idle = 0, 0
        try:
            while waiting or running or last is not None:
                if not waiting and not running and last is not None:
                    if self._failed:
                        break
                    waiting.append(last)
                    last = None
                # Others may have been given to the cluster, or taken from it.
                most = self._in_flight or 2 * slots
                while waiting and len(running) < most:
                    share = max(1, len(waiting) // (2 * slots))
                    count = max(1, min(share, int(_TASK_SECONDS / max(seconds, 1e-3)), _MOST_IN_A_TASK))
                    batch = [waiting.popleft()]
                    # Those that are tried again are not mixed with others.
                    again = batch[0] in self._tried
                    while waiting and len(batch) < count and (waiting[0] in self._tried) == again:
                        batch.append(waiting.popleft())
                    running[self._submit(executor, batch)] = batch
                before = time.perf_counter()
                self.busy += before - begun
                done = executor.wait(list(running), 1.0)
                begun = time.perf_counter()
                for handle in done:
                    batch = running.pop(handle)
                    ended = None
                    try:
                        ended = executor.ended(handle)
                        said = ended.said.strip().removeprefix("error: ")
                    except _Lost as error:
                        self.lost += 1
                        said = str(error)
                        claims, before = len(os.listdir(os.path.join(self.shared, "claims"))), claims
                        idle = idle + 1 if claims == before else 0
                        if idle >= _IDLE_LOSSES:
                            raise BinadeError(f"{idle} processes were lost before they took a piece: {said}") from error
                    finished = [self._result(piece) for piece in batch]
                    lost = []
                    for piece, result in zip(batch, finished):
                        if result is not None:
                            # The mean of the last few: pieces are alike.
                            seconds += (result.seconds - seconds) / 4
                            yield result
                            continue
                        self._words[piece] = said
                        # What is wrong with the command is wrong with all pieces.
                        if ended is not None and ended.code == 2:
                            raise BinadeError(f"{self.pieces[piece]['title']}: {said}")
                        # How often a piece may lose its process is in the folder: the next one knows.
                        if ended is not None and ended.code != 0:
                            failures[piece] = failures.get(piece, 0) + 1
                        if failures.get(piece, 0) >= _FAILURES:
                            self._failed.add(piece)
                        elif ended is None:
                            lost.append(piece)
                        else:
                            waiting.append(piece)
                    # Before those that nobody has begun: others may wait for this one in the end. What failed comes after them.
                    waiting.extendleft(reversed(lost))
                if not done or self.lost:
                    slots = executor.slots()
        finally:
            executor.close(list(running))
        self.busy += time.perf_counter() - begun

    def _whys(self) -> list[str]:
        """Why pieces were left: what the folder says, and what their processes said last."""
        done = subprocess.run(
            [*_binade(), "join", self.shared, "--status", "--json"], capture_output=True, text=True, encoding="utf-8"
        )
        known = {row["piece"]: row.get("why") for row in json.loads(done.stdout)["pieces"]} if done.stdout else {}
        lines = []
        for piece in sorted(self._failed):
            why = known.get(piece) or "it failed"
            words = self._words.get(piece, "").rpartition("\n")[2]
            lines.append(f"{self.pieces[piece]['title']}: {why}" + (f" ({words})" if words and words not in why else ""))
        return lines

    def _submit(self, executor: _Executor, batch: list[int]) -> Any:
        self.tasks += 1
        title = self.pieces[batch[0]]["title"]
        name = title if len(batch) == 1 else f"{title} and {len(batch) - 1} more"
        which = ",".join(map(str, batch))
        command = [*self._command, "--piece", which, "--heartbeat", str(self._heartbeat), "--deaths", str(self._deaths)]
        if self._retry and batch[0] not in self._tried:
            command.append("--retry")
        self._tried.update(batch)
        memory = max(self.pieces[piece].get("memory") or 0 for piece in batch)
        return executor.submit(command, name, memory)

    def join(self, *options: str) -> str:
        """What `binade join` prints: the table of a training, the lines of vectors, a line for each file of a checkpoint."""
        done = subprocess.run(
            [*_binade(), "join", self.shared, *options], capture_output=True, text=True, encoding="utf-8"
        )
        if done.returncode != 0:
            raise BinadeError(done.stderr.strip() or f"exit code {done.returncode}")
        return done.stdout


def train(
    model: str = "mlp",
    ariths: Sequence[str] = (),
    seeds: int = 3,
    *options: str,
    shared: Path,
    address: str | None = None,
    **how: Any,
) -> Sweep:
    """Trains a model under arithmetics, a piece for each arithmetic and seed.

    `options` are those of `binade train`, such as `"--epochs", "4"`; `how` are those of `Sweep`. A result's `value` is a cell of
    `binade train --json`, and `join("--json")` the whole of it.
    """
    chosen = [word for arith in ariths for word in ("--arith", arith)]
    return Sweep(["train", model, *chosen, "--seeds", str(seeds), *options], shared, address, **how)


def quantize(
    source: Path, target: Path, layout: str, *options: str, shared: Path, address: str | None = None, **how: Any
) -> Sweep:
    """Writes a checkpoint of several files in another layout, a piece for each file, as `binade quantize --layout` does."""
    return Sweep(["quantize", source, target, "--layout", layout, *options], shared, address, **how)


def vectors(
    operation: str,
    sources: str,
    to: str | None = None,
    *options: str,
    shared: Path,
    count: int | None = None,
    piece_lines: int | None = None,
    address: str | None = None,
    **how: Any,
) -> Sweep:
    """Writes test vectors, all or `count` random ones, a piece for so many lines; they end in `vectors.txt` of the folder."""
    chosen = ["--out", to] if to else []
    chosen += ["--count", str(count)] if count is not None else []
    chosen += ["--piece-lines", str(piece_lines)] if piece_lines is not None else []
    return Sweep(["vectors", operation, "--in", sources, *chosen, *options], shared, address, **how)


def search(
    model: str = "mlp",
    ariths: Sequence[str] = (),
    seeds: int = 3,
    *options: str,
    shared: Path,
    address: str | None = None,
    cpus: float = 1,
    workers: int | None = None,
    heartbeat: float = 2.0,
    executor: _Executor | None = None,
) -> dict[str, Any]:
    """Looks for the cheapest operators of a model's parts, and returns what `binade train --search --json` prints.

    Each of the `workers` (as many as there is room for) does the whole search; they share the cells of each trial over the folder, and so come
    to the same trials. More than there are seeds have nothing to do.
    """
    chosen = [word for arith in ariths for word in ("--arith", arith)]
    arguments = ["train", model, "--search", *chosen, "--seeds", str(seeds), *options]
    given = executor or _where(address, cpus)
    try:
        return _searched(arguments, os.path.abspath(os.fspath(shared)), given, workers, heartbeat)
    finally:
        if executor is None:
            given.close([])


def _searched(
    arguments: list[str], shared: str, executor: _Executor, workers: int | None, heartbeat: float
) -> dict[str, Any]:
    command = [*_binade(), *arguments, "--shared", shared, "--heartbeat", str(heartbeat)]
    running = [executor.submit(command, "search", 0) for _ in range(workers or executor.slots())]
    found = False
    try:
        while not found:
            for handle in executor.wait(running, 1.0):
                running.remove(handle)
                try:
                    ended = executor.ended(handle)
                except _Lost:
                    running.append(executor.submit(command, "search", 0))
                    continue
                if ended.code != 0:
                    raise BinadeError(ended.said.strip().removeprefix("error: ") or f"exit code {ended.code}")
                found = True
    finally:
        executor.close(running)
    # Every trial has its results: this one reads them.
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise BinadeError(done.stderr.strip().removeprefix("error: "))
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def main(arguments: Sequence[str]) -> int:
    """`python -m binade.cluster ADDRESS COMMAND…`: what `binade COMMAND… --cluster ADDRESS` runs."""
    if len(arguments) < 2:
        print("usage: python -m binade.cluster ADDRESS COMMAND --shared DIR …", file=sys.stderr)
        return 2
    address, *command = arguments
    rest, shared = _without(command, "--shared")
    if shared is None:
        print("error: --cluster needs --shared DIR, a folder that all nodes see", file=sys.stderr)
        return 2
    try:
        where = None if address == "local" else address
        rest, heartbeat = _without(rest, "--heartbeat")
        rest, deaths = _without(rest, "--deaths")
        beat = float(heartbeat or 2.0)
        if "--search" in command:
            _searched([word for word in rest if word != "--json"], os.path.abspath(shared), _where(where, 1), None, beat)
            return subprocess.run([*_binade(), *command]).returncode
        sweep = Sweep(rest, shared, where, heartbeat=beat, deaths=int(deaths or 3))
        for finished, result in enumerate(sweep, 1):
            print(f"done: {result.title} ({finished} of {len(sweep)}), by {result.by}", file=sys.stderr)
    except BinadeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted: what has results is kept; the same command goes on", file=sys.stderr)
        return 130
    # All is there: the command prints its answer, and writes its page.
    return subprocess.run([*_binade(), *command]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
