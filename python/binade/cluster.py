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

# Opened here: between fork and exec nothing may wait for a lock.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None

# How long a task is to take, in seconds: short pieces are done several at a time.
_TASK_SECONDS = 5.0
_MOST_IN_A_TASK = 500
# Room for what the largest piece so far did not need.
_MEMORY_SPARE = 1.25


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
    # The most bytes that it had in memory.
    memory: int


class _Lost(Exception):
    """A worker or its node is gone."""


class _Executor(Protocol):
    """Where processes run."""

    def slots(self) -> int:
        """How many run side by side."""

    def submit(self, command: list[str], name: str, memory: int) -> Any:
        """Starts one, which may need so many bytes; what to wait for."""

    def wait(self, handles: list[Any], seconds: float) -> list[Any]:
        """Those that have ended, at the latest after so many seconds."""

    def ended(self, handle: Any) -> _Ended:
        """How one ended; raises `_Lost`."""

    def close(self, handles: list[Any]) -> None:
        """Ends these, which still run or wait."""


def _die_with_parent() -> None:
    """A killed worker takes the process along that it started: nobody would wait for its result."""
    if _LIBC is not None:
        _LIBC.prctl(1, signal.SIGKILL)


def _run(command: list[str], cwd: str, started: Any = None) -> _Ended:
    """Runs a command to its end."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=_die_with_parent if os.name == "posix" else None,
    )
    if started is not None:
        started(process)
    said = deque(process.stderr or (), maxlen=20)
    if hasattr(os, "wait4"):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    else:
        process.wait()
        memory = 0
    return _Ended(process.returncode, b"".join(said).decode(errors="replace"), memory)


class _Here:
    """Processes of this machine."""

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._workers)
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._closed = False

    def slots(self) -> int:
        return self._workers

    def _started(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._running.add(process)
            if self._closed:
                process.kill()

    def submit(self, command: list[str], name: str, memory: int) -> Future[_Ended]:
        return self._pool.submit(_run, command, os.getcwd(), self._started)

    def wait(self, handles: list[Future[_Ended]], seconds: float) -> list[Future[_Ended]]:
        return list(wait_for(handles, seconds, FIRST_COMPLETED).done)

    def ended(self, handle: Future[_Ended]) -> _Ended:
        ended = handle.result()
        if ended.code < 0:
            raise _Lost(f"killed by signal {-ended.code}")
        return ended

    def close(self, handles: list[Future[_Ended]]) -> None:
        with self._lock:
            self._closed = True
            for process in self._running:
                if process.returncode is None:
                    process.kill()
        self._pool.shutdown(cancel_futures=True)


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

    def slots(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1) / self._cpus))

    def submit(self, command: list[str], name: str, memory: int) -> Any:
        how: dict[str, Any] = {"name": name, "num_cpus": self._cpus, "max_retries": 0}
        if memory:
            how["memory"] = memory
        return self._task.options(**how).remote(command, os.getcwd())

    def wait(self, handles: list[Any], seconds: float) -> list[Any]:
        done: list[Any] = self._ray.wait(handles, num_returns=1, timeout=seconds)[0]
        return done

    def ended(self, handle: Any) -> _Ended:
        try:
            ended: _Ended = self._ray.get(handle)
        except self._ray.exceptions.RayError as error:
            raise _Lost(str(error).strip().partition("\n")[0]) from error
        if ended.code < 0:
            raise _Lost(f"killed by signal {-ended.code}")
        return ended

    def close(self, handles: list[Any]) -> None:
        for handle in handles:
            self._ray.cancel(handle, force=True)


def _binade() -> list[str]:
    """The command: BINADE, or that of this package."""
    given = os.environ.get("BINADE")
    return [given] if given else [sys.executable, "-m", "binade"]


def _where(address: str | None, cpus: float) -> _Executor:
    return _Here() if address == "here" else _Ray(address, cpus)


class Sweep:
    """A sweep that is being worked on while one iterates over it.

    Iterating gives the results of all pieces as they end, those first that the folder has already. Pieces whose worker is lost
    are given to another, which goes on from their last checkpoint. Raises `BinadeError` where a piece failed three times, or where two
    results of a piece differ.
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
        executor: _Executor | None = None,
    ) -> None:
        """`arguments` are the command's, `cpus` what a process is given, `in_flight` how many tasks wait or run at most."""
        self.shared = os.path.abspath(os.fspath(shared))
        self._command = [*_binade(), *(os.fspath(word) for word in arguments), "--shared", self.shared]
        self._heartbeat = heartbeat
        # Known before a cluster is asked for anything.
        self.pieces: list[dict[str, Any]] = json.loads(self._said("--plan", "--json"))
        self._results = os.path.join(self.shared, "results")
        self._has_last = self.pieces[-1:] != [] and "last" in self._names_of_plan()
        self._address, self._cpus, self._executor = address, cpus, executor
        self._in_flight = in_flight
        self.lost = 0
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
        open_pieces: deque[int] = deque()
        for piece in range(len(self.pieces)):
            result = self._result(piece) if os.path.basename(self._path(piece)) in present else None
            if result is None:
                open_pieces.append(piece)
            else:
                yield result
        if open_pieces:
            yield from self._work(open_pieces)
        conflicts = os.listdir(os.path.join(self.shared, "conflicts"))
        if conflicts:
            raise BinadeError(f"{self.shared}: results of a piece differ: conflicts/{', conflicts/'.join(sorted(conflicts))}")

    def _work(self, waiting: deque[int]) -> Iterator[Result]:
        executor = self._executor or _where(self._address, self._cpus)
        last = waiting.pop() if self._has_last and waiting[-1] == len(self.pieces) - 1 else None
        running: dict[Any, list[int]] = {}
        failures: dict[int, int] = {}
        seconds, memory, slots = _TASK_SECONDS, 0, executor.slots()
        begun = time.perf_counter()
        try:
            while waiting or running or last is not None:
                if not waiting and not running and last is not None:
                    waiting.append(last)
                    last = None
                # Others may have been given to the cluster, or taken from it.
                most = self._in_flight or 2 * slots
                while waiting and len(running) < most:
                    share = max(1, len(waiting) // (2 * slots))
                    count = max(1, min(share, int(_TASK_SECONDS / max(seconds, 1e-3)), _MOST_IN_A_TASK))
                    batch = [waiting.popleft() for _ in range(min(count, len(waiting)))]
                    running[self._submit(executor, batch, memory)] = batch
                before = time.perf_counter()
                self.busy += before - begun
                done = executor.wait(list(running), 1.0)
                begun = time.perf_counter()
                for handle in done:
                    batch = running.pop(handle)
                    ended = None
                    try:
                        ended = executor.ended(handle)
                        memory = max(memory, int(ended.memory * _MEMORY_SPARE))
                    except _Lost:
                        self.lost += 1
                    finished = [self._result(piece) for piece in batch]
                    for piece, result in zip(batch, finished):
                        if result is not None:
                            # The mean of the last few: pieces are alike.
                            seconds += (result.seconds - seconds) / 4
                            yield result
                            continue
                        waiting.append(piece)
                        # A process that ended by itself says why; one that was lost says nothing.
                        if ended is not None and ended.code != 0:
                            failures[piece] = failures.get(piece, 0) + 1
                            if failures[piece] >= 3 or ended.code == 2:
                                raise BinadeError(f"{self.pieces[piece]['title']}: {ended.said.strip()}")
                if not done or self.lost:
                    slots = executor.slots()
        finally:
            executor.close(list(running))
        self.busy += time.perf_counter() - begun

    def _submit(self, executor: _Executor, batch: list[int], memory: int) -> Any:
        self.tasks += 1
        title = self.pieces[batch[0]]["title"]
        name = title if len(batch) == 1 else f"{title} and {len(batch) - 1} more"
        which = ",".join(map(str, batch))
        command = [*self._command, "--piece", which, "--heartbeat", str(self._heartbeat)]
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
    try:
        at = command.index("--shared")
        shared = command[at + 1]
    except (ValueError, IndexError):
        print("error: --cluster needs --shared DIR, a folder that all nodes see", file=sys.stderr)
        return 2
    try:
        where = None if address == "local" else address
        rest = command[:at] + command[at + 2 :]
        if "--search" in command:
            _searched([word for word in rest if word != "--json"], os.path.abspath(shared), _where(where, 1), None, 2.0)
            return subprocess.run([*_binade(), *command]).returncode
        sweep = Sweep(rest, shared, where)
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
