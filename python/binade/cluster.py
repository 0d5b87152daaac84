"""Sweeps over a cluster: trainings, checkpoints and test vectors in pieces that Ray gives to its nodes.

    >>> import binade.cluster, tempfile
    >>> shared = tempfile.mkdtemp()
    >>> sweep = binade.cluster.vectors("multiply", "float4_e2m1fn", shared=shared, piece_lines=64, address="here")
    >>> sorted(result.title for result in sweep)[0]
    'all lines in one file'
    >>> sweep.join().splitlines()[99]
    '0x6 0x3 0x7 -'

Pieces, claims and results are files in the folder `shared`, which all nodes must see (docs/cluster.md). Ray chooses the nodes and
reports lost workers; the folder records finished pieces. So nothing is lost with the head node: the same call continues the sweep,
on another cluster or without one.

`address` is the argument of `ray.init`, or "here" for processes of this machine without Ray. A process has one thread for each of its
`cpus`, unless the options have `--threads`.

Ray comes with `pip install './python[ray]'` from the project's root. On its nodes, binade must be installed too.
"""

from __future__ import annotations

import contextlib
import ctypes
import glob
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from typing import Any, Protocol

from . import _distribution as _distribution
from ._command import BinadeError, Path

__all__ = ["Result", "Sweep", "quantize", "search", "train", "vectors"]

_LOG = logging.getLogger(__name__)

# Opened before any fork: between fork and exec nothing may wait for a lock.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None

# Intended duration of a task in seconds, and the most pieces in it: short pieces share a task.
_TASK_SECONDS = 5.0
_MOST_IN_A_TASK = 500
# Failures of a piece, by processes that end without a result and without a signal, before the piece is left.
_FAILURES = 3
# A piece without a new heartbeat for this time, in seconds and in heartbeats, is submitted again: Ray takes minutes to notice that a
# node's network is gone. At most _MOST_TASKS tasks have the same piece.
_SILENCE, _SILENT_BEATS = 30.0, 6
_MOST_TASKS = 3
# Seconds for processes to release their pieces.
_PATIENCE = 10.0
# This many losses in a row without a new claim are not the fault of pieces: the sweep stops.
_IDLE_LOSSES = 100
# Seconds to wait after a node could not start a task: it is idle, so that Ray gives it the next task, too.
_UNFIT_PAUSE = 0.05


@dataclass(frozen=True)
class Result:
    """The result of a piece. `sha256` is of its bits, which are equal on every machine; `value` is the rest of the command's answer."""

    piece: int
    title: str
    sha256: str
    by: str
    seconds: float
    value: Any


@dataclass(frozen=True)
class _Ended:
    """Exit code and messages of a process that worked on pieces."""

    code: int
    said: str


class _Lost(Exception):
    """A worker or its node is lost."""


class _Unfit(_Lost):
    """A node cannot start a task: it lacks the package, the shared folder, or the working directory."""


class _Left(BinadeError):
    """Pieces were left unfinished, or have two results."""


class _Executor(Protocol):
    """Runs processes, on this machine or on a cluster."""

    def slots(self) -> int:
        """Number of processes that run side by side."""
        ...

    def submit(self, command: list[str], name: str, memory: int) -> Any:
        """Starts a process that may need `memory` bytes, and returns a handle to wait for."""
        ...

    def wait(self, handles: list[Any], seconds: float) -> list[Any]:
        """Waits until a process ends, at most `seconds`, and returns the handles of those that have ended."""
        ...

    def ended(self, handle: Any) -> _Ended:
        """Exit code and messages of a process that has ended. Raises `_Lost` if it was lost."""
        ...

    def close(self, handles: list[Any]) -> None:
        """Ends processes that still run or wait."""
        ...


def _die_with_parent() -> None:
    """Has this process end with its parent. It then releases its piece, for whose result no process waits."""
    if _LIBC is not None:
        _LIBC.prctl(1, signal.SIGTERM)


def _run(command: list[str], cwd: str, started: Any = None, seen: str | None = None) -> _Ended:
    """Runs a command to its end. Raises FileNotFoundError if the machine does not see the file `seen`."""
    if seen is not None and not os.path.exists(seen):
        raise FileNotFoundError(f"{socket.gethostname()} does not see {os.path.dirname(seen)}, which all nodes must share")
    process = subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        # Ctrl-C reaches this program only, which then ends its processes.
        start_new_session=True,
        preexec_fn=_die_with_parent if os.name == "posix" else None,
    )
    if started is not None:
        started(process)
    said = deque(process.stderr or (), maxlen=20)
    process.wait()
    return _Ended(process.returncode, b"".join(said).decode(errors="replace"))


def _ended_itself(ended: _Ended) -> _Ended:
    """Returns `ended`, or raises `_Lost` if a signal ended the process."""
    if ended.code < 0:
        last = ended.said.strip().rpartition("\n")[2]
        raise _Lost(f"killed by signal {-ended.code}{last and ', after: ' + last}")
    return ended


def _free_memory() -> int | None:
    """Bytes of free memory of this machine, if the system reports them."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return None


class _Here:
    """Processes of this machine."""

    def __init__(self, workers: int | None = None, memory: int | None = None) -> None:
        """At most `workers` processes side by side, which need at most `memory` bytes together. One that needs more runs alone."""
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


def _answers(address: str) -> None:
    """Raises BinadeError if nothing answers at HOST:PORT. Ray itself tries for minutes, and its message does not name the address."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise BinadeError(f"no cluster of Ray answers at {address}: {error}") from None


class _Ray:
    """Runs processes as tasks of Ray. Ray retries none of them: the sweep retries single pieces."""

    def __init__(self, address: str | None, cpus: float, shared: str) -> None:
        try:
            import ray
        except ModuleNotFoundError:
            raise BinadeError("Ray is not installed: pip install './python[ray]' from the project's root, or address='here'") from None
        self._ray: Any = ray
        if not ray.is_initialized():
            _answers(address or "")
            try:
                ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
            # The type depends on the kind of address.
            except Exception as error:
                raise BinadeError(f"no cluster of Ray at {address}: {error}") from error
        self._cpus = cpus
        self._task: Any = ray.remote(_run)
        # Results of a node with another folder of the same name would be lost. A new name is visible at once on all nodes.
        os.makedirs(shared, exist_ok=True)
        handle, self._seen = tempfile.mkstemp(prefix=".seen-", dir=shared)
        os.close(handle)
        # Resources of the largest node so far.
        self._largest = {"CPU": 0.0, "memory": 0.0}

    def slots(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1) / self._cpus))

    def submit(self, command: list[str], name: str, memory: int) -> Any:
        how: dict[str, Any] = {"name": name, "num_cpus": self._cpus, "max_retries": 0}
        if memory:
            how["memory"] = memory
        self._warn(name, {"CPU": self._cpus, "memory": memory})
        return self._task.options(**how).remote(command, os.getcwd(), None, self._seen)

    def _warn(self, name: str, needs: dict[str, float]) -> None:
        """Warns, as Ray does not, if no node has the resources that a task needs."""
        if all(self._largest[what] >= need for what, need in needs.items()):
            return
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        for what, need in needs.items():
            there = self._largest[what] = max((node.get(what, 0.0) for node in nodes), default=0.0)
            if need > there:
                unit, scale = ("GiB of memory", 2**30) if what == "memory" else ("processors", 1)
                need, there = need / scale, there / scale
                _LOG.warning("%s needs %.4g %s, and no node of Ray has more than %.4g: it waits for one", name, need, unit, there)

    def wait(self, handles: list[Any], seconds: float) -> list[Any]:
        done: list[Any] = self._ray.wait(handles, num_returns=1, timeout=seconds)[0]
        # The time of a check grows with the handles: one check collects all that have ended.
        return self._ray.wait(handles, num_returns=len(handles), timeout=0)[0] if done else done

    def ended(self, handle: Any) -> _Ended:
        try:
            ended: _Ended = self._ray.get(handle)
        except self._ray.exceptions.RayTaskError as error:
            # The message begins with the worker and ends with the exception.
            said = str(error).strip()
            where = re.search(r"\bip=([^,)]+)", said)
            raise _Unfit(said.rpartition("\n")[2] + (f" (a worker of {where[1]})" if where else "")) from error
        except self._ray.exceptions.RayError as error:
            raise _Lost(str(error).strip().partition("\n")[0]) from error
        return _ended_itself(ended)

    def close(self, handles: list[Any]) -> None:
        for handle in handles:
            self._ray.cancel(handle, force=True)
        with contextlib.suppress(OSError):
            os.unlink(self._seen)


def _binade() -> list[str]:
    """The command line of `binade`: BINADE, or this package's command."""
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


def _where(address: str | None, cpus: float, shared: str) -> _Executor:
    if address == "here":
        return _Here(max(1, int((os.cpu_count() or 1) / cpus)))
    return _Ray(address, cpus, shared)


def _answer(command: Sequence[str]) -> str:
    """Runs a command and returns its standard output."""
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise BinadeError(done.stderr.strip().removeprefix("error: ") or f"exit code {done.returncode}")
    return done.stdout


def _has(words: Sequence[str], option: str) -> bool:
    return any(word == option or word.startswith(option + "=") for word in words)


def _with_threads(words: list[str], cpus: float) -> list[str]:
    """A command line with `--threads`, one for each processor, unless it has that option or the command does not take it."""
    if words[0] == "vectors" or _has(words, "--threads"):
        return words
    return [*words, "--threads", str(max(1, int(cpus)))]


class _Losses:
    """Counts lost processes of a sweep."""

    def __init__(self, shared: str) -> None:
        self.count, self._idle, self._claims = 0, 0, 0
        self._folder, self._told = glob.escape(shared), set[str]()

    def add(self, error: _Lost) -> None:
        """Counts a lost process. Raises BinadeError after many in a row that had not taken a piece."""
        self.count += 1
        if isinstance(error, _Unfit):
            if str(error) not in self._told:
                _LOG.warning("a node cannot do pieces: %s", error)
            self._told.add(str(error))
            time.sleep(_UNFIT_PAUSE)
        # Claims of the sweep, or of the trials of a search.
        claims = sum(len(glob.glob(f"{self._folder}/{where}/*")) for where in ("claims", "trials/*/claims"))
        self._idle = self._idle + 1 if claims == self._claims else 0
        self._claims = claims
        if self._idle >= _IDLE_LOSSES:
            raise BinadeError(f"{self._idle} processes were lost before they took a piece: {error}") from error


class _Silence:
    """Finds tasks without new heartbeats in a folder, which is read at intervals."""

    def __init__(self, heartbeat: float) -> None:
        self._patience, self._next = max(_SILENCE, _SILENT_BEATS * heartbeat), 0.0
        self._known: dict[Any, tuple[Any, float]] = {}

    def among(self, look: Callable[[], dict[Any, Any]]) -> list[Any]:
        """Keys whose value in `look()` has not changed for the time limit. A key is returned again only after that time."""
        now = time.monotonic()
        if now < self._next:
            return []
        silent = []
        for who, said in look().items():
            before, since = self._known.get(who, (None, now))
            quiet = before == said and now - since >= self._patience
            if quiet:
                silent.append(who)
            if before != said or quiet:
                self._known[who] = said, now
        # A slow folder is read less often.
        self._next = now + max(self._patience / _SILENT_BEATS, 10 * (time.monotonic() - now))
        return silent


def _said(claim: str) -> str:
    """Name and text of a claim file, which its holder rewrites at each heartbeat."""
    try:
        with open(claim, encoding="utf-8") as file:
            return claim + file.read()
    except OSError:
        return claim


class Sweep:
    """A sweep. Iterating over it does the work.

    Iteration yields the results of all pieces as they end, after those that the folder has already. A piece whose worker is lost goes to
    another worker, which continues from the last checkpoint. A piece is left after three failures, or after `deaths` processes in a row
    died without progress; the other pieces are finished. Then `BinadeError` gives the reasons. It is also raised if a piece has two
    different results.
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
        """`arguments` are those of the command, `cpus` the processors of each process, `in_flight` the most tasks that wait or run.

        `retry` tries pieces again that earlier calls left.
        """
        self.shared = os.path.abspath(os.fspath(shared))
        words = [os.fspath(word) for word in arguments]
        # An option of the sweep, not of each of its processes.
        self._retry, self._tried = retry or "--retry" in words, set[int]()
        words = [word for word in words if word != "--retry"]
        if _has(words, "--report"):
            raise BinadeError("pieces take no --report: call report(FILE) of the sweep after its end")
        self._command = [*_binade(), *_with_threads(words, cpus), "--shared", self.shared]
        self._deaths = deaths
        self._heartbeat = heartbeat
        # The plan is made before any use of a cluster.
        self.pieces: list[dict[str, Any]] = json.loads(_answer([*self._command, "--plan", "--json"]))
        self._results = os.path.join(self.shared, "results")
        with open(os.path.join(self.shared, "sweep.json"), encoding="utf-8") as file:
            self._has_last = json.load(file)["last"] is not None
        self._address, self._cpus, self._executor = address, cpus, executor
        self._in_flight = in_flight
        self.lost = 0
        # The last messages of pieces that were lost or failed; the pieces that are left.
        self._words: dict[int, str] = {}
        self._failed: set[int] = set()
        # Seconds of work in this process, without waiting; number of submitted tasks.
        self.busy, self.tasks = 0.0, 0

    def _name(self, piece: int) -> str:
        """The name of a piece's files."""
        return "last" if self._has_last and piece == len(self.pieces) - 1 else f"{piece:05}"

    def _path(self, piece: int) -> str:
        return os.path.join(self._results, self._name(piece) + ".json")

    def _result(self, piece: int) -> Result | None:
        try:
            with open(self._path(piece), encoding="utf-8") as file:
                found = json.load(file)
        except FileNotFoundError:
            return None
        return Result(piece, found["title"], found["sha256"], found["by"], found["seconds"], found["result"])

    def _claims(self, running: dict[Any, list[int]]) -> dict[Any, list[str]]:
        """Texts of the latest claims on the pieces of each task."""
        folder = os.path.join(self.shared, "claims")
        last: dict[str, int] = {}
        for name in os.listdir(folder):
            piece, _, generation = name.partition(".")
            if piece and generation.isdigit():
                last[piece] = max(last.get(piece, 0), int(generation))
        names = {task: [self._name(piece) for piece in batch] for task, batch in running.items()}
        return {task: [_said(f"{folder}/{name}.{last[name]}") for name in all if name in last] for task, all in names.items()}

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
            raise _Left("\n".join(self._whys()))
        conflicts = os.listdir(os.path.join(self.shared, "conflicts"))
        if conflicts:
            raise _Left(f"{self.shared}: results of a piece differ: conflicts/{', conflicts/'.join(sorted(conflicts))}")

    def _work(self, waiting: deque[int]) -> Iterator[Result]:
        executor = self._executor or _where(self._address, self._cpus, self.shared)
        last = waiting.pop() if self._has_last and waiting[-1] == len(self.pieces) - 1 else None
        running: dict[Any, list[int]] = {}
        failures: dict[int, int] = {}
        seconds, slots = _TASK_SECONDS, executor.slots()
        begun = time.perf_counter()
        losses = _Losses(self.shared)
        silence = _Silence(self._heartbeat)
        # Pieces that have a result or are left; number of tasks of a piece, if several; tasks without new heartbeats; of these, tasks
        # that the sweep no longer waits for.
        settled: set[int] = set()
        tasks_of: dict[int, int] = {}
        silent: set[Any] = set()
        followed: list[Any] = []
        try:
            while waiting or running or last is not None:
                if not waiting and not running and last is not None:
                    if self._failed:
                        break
                    waiting.append(last)
                    last = None
                # The cluster may have grown or shrunk.
                most = self._in_flight or 2 * slots
                while waiting and len(running) < most:
                    share = max(1, len(waiting) // (2 * slots))
                    count = max(1, min(share, int(_TASK_SECONDS / max(seconds, 1e-3)), _MOST_IN_A_TASK))
                    batch = [waiting.popleft()]
                    # Pieces that are tried again share no task with others.
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
                        losses.add(error)
                    finished = [self._result(piece) for piece in batch]
                    lost = []
                    for piece, result in zip(batch, finished):
                        if piece in settled:
                            continue
                        if result is not None:
                            settled.add(piece)
                            # A moving average: pieces are alike.
                            seconds += (result.seconds - seconds) / 4
                            yield result
                            continue
                        self._words[piece] = said
                        # An error in the command is an error of all pieces.
                        if ended is not None and ended.code == 2:
                            raise BinadeError(f"{self.pieces[piece]['title']}: {said}")
                        # Lost processes of a piece are counted in the folder, by the process that tries it next.
                        if ended is not None and ended.code != 0:
                            failures[piece] = failures.get(piece, 0) + 1
                        if failures.get(piece, 0) >= _FAILURES:
                            self._failed.add(piece)
                            settled.add(piece)
                        elif ended is None:
                            lost.append(piece)
                        else:
                            waiting.append(piece)
                    # Lost pieces come before new ones, so that the end need not wait for them. Failed pieces come last.
                    waiting.extendleft(reversed(lost))
                if not done and not waiting and len(running) < most:
                    for handle in silence.among(lambda: self._claims(running)):
                        silent.add(handle)
                        for piece in running[handle]:
                            result = self._result(piece) if piece not in settled else None
                            if result is not None:
                                settled.add(piece)
                                yield result
                        batch = [piece for piece in running[handle] if piece not in settled]
                        tasks = max((tasks_of.get(piece, 1) for piece in batch), default=_MOST_TASKS)
                        if tasks < _MOST_TASKS:
                            tasks_of.update(dict.fromkeys(batch, tasks + 1))
                            running[self._submit(executor, batch)] = batch
                for handle in [task for task in silent & running.keys() if settled.issuperset(running[task])]:
                    followed.append(handle)
                    del running[handle]
                if not done or self.lost:
                    slots = executor.slots()
        finally:
            executor.close([*running, *followed])
        self.busy += time.perf_counter() - begun

    def _whys(self) -> list[str]:
        """Reasons why pieces were left: from the folder, and from the last messages of their processes."""
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
        """Output of `binade join`: the table of a training, the lines of vectors, or a line for each file of a checkpoint."""
        return _answer([*_binade(), "join", self.shared, *options])

    def report(self, path: Path) -> None:
        """Writes the report of the command's `--report`: a page, or for a checkpoint also JSON. All pieces must have results."""
        missing = sum(self._result(piece) is None for piece in range(len(self)))
        if missing:
            raise BinadeError(f"{missing} of {len(self)} pieces have no result yet")
        _answer([*self._command, "--report", os.fspath(path)])


def _operators(ariths: Sequence[str]) -> list[str]:
    """The options `--arith` of a list of operators, or of one operator as text."""
    return [word for arith in ([ariths] if isinstance(ariths, str) else ariths) for word in ("--arith", arith)]


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

    `options` are those of `binade train`, such as `"--epochs", "4"`; `how` are the arguments of `Sweep`. The `value` of a result is a
    cell of `binade train --json`; `join("--json")` returns the whole document.
    """
    return Sweep(["train", model, *_operators(ariths), "--seeds", str(seeds), *options], shared, address, **how)


def quantize(
    source: Path, target: Path, layout: str, *options: str, shared: Path, address: str | None = None, **how: Any
) -> Sweep:
    """Writes a checkpoint of several files in another layout, a piece for each file, as `binade quantize --layout` does.

    Under `ct-fp8` and `deepseek-fp8` readers also round activations to FP8 as they run; the other layouts quantise weights alone.
    """
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
    """Writes test vectors, all or `count` random ones, `piece_lines` to a piece. The result is `vectors.txt` in the folder."""
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
    """Searches for the cheapest operators of a model's parts, and returns the JSON of `binade train --search --json`.

    Each of the `workers` (by default one for each free slot) does the whole search. They share the cells of each trial through the
    folder, and so do the same trials. Workers beyond the number of seeds are idle.
    """
    arguments = ["train", model, "--search", *_operators(ariths), "--seeds", str(seeds), *options]
    folder = os.path.abspath(os.fspath(shared))
    _searched(arguments, folder, cpus, executor or _where(address, cpus, folder), workers, heartbeat)
    answer: dict[str, Any] = json.loads(_answer([*_binade(), *arguments, "--shared", folder, "--json"]))
    return answer


def _memory_of_a_trial(command: Sequence[str]) -> int:
    """Maximum memory of a cell of a search in bytes: that of a training of the same model."""
    words, _ = _without(command, "--budget")
    words = [word for word in words if word != "--search"]
    with tempfile.TemporaryDirectory() as folder:
        pieces = json.loads(_answer([*words, "--shared", folder, "--plan", "--json"]))
    return max((piece.get("memory") or 0 for piece in pieces), default=0)


def _claims_of_trials(shared: str) -> list[str]:
    """Texts of the claims on pieces of trials without a result."""
    said = []
    for claim in glob.glob(glob.escape(os.path.join(shared, "trials")) + "/*/claims/*"):
        trial, _, name = claim.rpartition("/claims/")
        if not os.path.exists(f"{trial}/results/{name.partition('.')[0]}.json"):
            said.append(_said(claim))
    return sorted(said)


def _searched(
    arguments: list[str], shared: str, cpus: float, executor: _Executor, workers: int | None, heartbeat: float
) -> None:
    """Does a search, after which every trial has its results."""
    running: list[Any] = []
    try:
        command = [*_binade(), *_with_threads(arguments, cpus), "--heartbeat", str(heartbeat)]
        memory = _memory_of_a_trial(command)
        command += ["--shared", shared]
        count = workers or executor.slots()
        running += [executor.submit(command, "search", memory) for _ in range(count)]
        found, losses = False, _Losses(shared)
        silence = _Silence(heartbeat)
        while not found:
            for handle in executor.wait(running, 1.0):
                running.remove(handle)
                try:
                    ended = executor.ended(handle)
                except _Lost as error:
                    losses.add(error)
                    running.append(executor.submit(command, "search", memory))
                    continue
                if ended.code != 0:
                    raise BinadeError(ended.said.strip().removeprefix("error: ") or f"exit code {ended.code}")
                found = True
            # All searching nodes may be out of reach, which Ray takes minutes to report.
            if not found and len(running) < _MOST_TASKS * count and silence.among(lambda: {"all": _claims_of_trials(shared)}):
                running += [executor.submit(command, "search", memory) for _ in range(count)]
    finally:
        executor.close(running)


def main(arguments: Sequence[str]) -> int:
    """Runs `python -m binade.cluster ADDRESS COMMAND…`, which `binade COMMAND… --cluster ADDRESS` starts."""
    if len(arguments) < 2:
        print("usage: python -m binade.cluster ADDRESS COMMAND --shared DIR …", file=sys.stderr)
        return 2
    address, *command = arguments
    rest, shared = _without(command, "--shared")
    if shared is None:
        print("error: --cluster needs --shared DIR, a folder that all nodes see", file=sys.stderr)
        return 2
    rest = [word for word in rest if word not in ("--json", "--plain", "--force")]
    rest, heartbeat = _without(rest, "--heartbeat")
    threads = _without(rest, "--threads")[1]
    beat, cpus = float(heartbeat or 2.0), float(threads or 1)
    # Tasks that still run at the end do not matter, but Ray would report them after the answer.
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")
    try:
        if "--search" in rest:
            folder = os.path.abspath(shared)
            _searched(rest, folder, cpus, _where(address, cpus, folder), None, beat)
            return subprocess.run([*_binade(), *command]).returncode
        # The command itself checks its options, and before any work that the page does not exist.
        checked = subprocess.run([*_binade(), *command, "--plan"], stdout=subprocess.DEVNULL)
        if checked.returncode != 0:
            return checked.returncode
        rest, _ = _without(rest, "--report")
        rest, deaths = _without(rest, "--deaths")
        sweep = Sweep(rest, shared, address, cpus=cpus, heartbeat=beat, deaths=int(deaths or 3))
        for finished, result in enumerate(sweep, 1):
            print(f"done: {result.title} ({finished} of {len(sweep)}), by {result.by}", file=sys.stderr)
    except BinadeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1 if isinstance(error, _Left) else 2
    except KeyboardInterrupt:
        print("interrupted: finished pieces are kept; the same command continues", file=sys.stderr)
        return 130
    # All results exist: the command prints its answer and writes its page. Lines about pieces have been printed above.
    ended = subprocess.run([*_binade(), *command], stderr=subprocess.PIPE, text=True, encoding="utf-8")
    sys.stderr.writelines(line for line in ended.stderr.splitlines(keepends=True) if not line.startswith("done: "))
    return ended.returncode


if __name__ == "__main__":
    # By its name: workers of Ray do not have the module __main__.
    from binade.cluster import main as run_main

    sys.exit(run_main(sys.argv[1:]))
