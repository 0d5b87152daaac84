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
machine without Ray. A process computes with as many threads as the `cpus` that it is given, unless the options have `--threads`.

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
# So long nobody is at a piece, in seconds and in heartbeats, before its task is given out again: Ray takes minutes to notice that a node's
# network is gone. And how many tasks have a piece at most.
_SILENCE, _SILENT_BEATS = 30.0, 6
_MOST_TASKS = 3
# Seconds for processes to let go of their pieces.
_PATIENCE = 10.0
# After so many losses in a row without a piece that was taken, it is not the pieces that they die of.
_IDLE_LOSSES = 100
# Seconds after a node that cannot do pieces: Ray gives it the next task, too, since nothing keeps it busy.
_UNFIT_PAUSE = 0.05


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


class _Unfit(_Lost):
    """A node cannot even begin: it lacks the package, the folder that is shared, or the working directory."""


class _Left(BinadeError):
    """Pieces were left, or have two results."""


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


def _run(command: list[str], cwd: str, started: Any = None, seen: str | None = None) -> _Ended:
    """Runs a command to its end, where the file `seen` is to be seen."""
    if seen is not None and not os.path.exists(seen):
        raise FileNotFoundError(f"{socket.gethostname()} does not see {os.path.dirname(seen)}, which all nodes must share")
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


def _answers(address: str) -> None:
    """Whether anybody does at HOST:PORT; Ray itself tries for minutes, and then tells of its parts."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise BinadeError(f"no cluster of Ray answers at {address}: {error}") from None


class _Ray:
    """Tasks of Ray, which retries none of them: that is done here, piece by piece."""

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
            # Of many types, by the kind of address.
            except Exception as error:
                raise BinadeError(f"no cluster of Ray at {address}: {error}") from error
        self._cpus = cpus
        self._task: Any = ray.remote(_run)
        # A node with another folder of the same name would do pieces that nobody sees. New names are seen at once everywhere.
        os.makedirs(shared, exist_ok=True)
        handle, self._seen = tempfile.mkstemp(prefix=".seen-", dir=shared)
        os.close(handle)
        # What the largest node has, of those that were seen.
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
        """Says what Ray would not: that no node has what a task needs."""
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
        # A look takes as long as there are handles: all that have ended are taken at once.
        return self._ray.wait(handles, num_returns=len(handles), timeout=0)[0] if done else done

    def ended(self, handle: Any) -> _Ended:
        try:
            ended: _Ended = self._ray.get(handle)
        except self._ray.exceptions.RayTaskError as error:
            # Where it ran comes first, what it raised last.
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


def _where(address: str | None, cpus: float, shared: str) -> _Executor:
    if address == "here":
        return _Here(max(1, int((os.cpu_count() or 1) / cpus)))
    return _Ray(address, cpus, shared)


def _answer(command: Sequence[str]) -> str:
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise BinadeError(done.stderr.strip().removeprefix("error: ") or f"exit code {done.returncode}")
    return done.stdout


def _has(words: Sequence[str], option: str) -> bool:
    return any(word == option or word.startswith(option + "=") for word in words)


def _with_threads(words: list[str], cpus: float) -> list[str]:
    """A command line with as many threads as a process has processors, where there is a choice and none was made."""
    if words[0] == "vectors" or _has(words, "--threads"):
        return words
    return [*words, "--threads", str(max(1, int(cpus)))]


class _Losses:
    """Processes that were lost, over a folder."""

    def __init__(self, shared: str) -> None:
        self.count, self._idle, self._claims = 0, 0, 0
        self._folder, self._told = glob.escape(shared), set[str]()

    def add(self, error: _Lost) -> None:
        """Another; raises `BinadeError` where it is not the pieces that they die of."""
        self.count += 1
        if isinstance(error, _Unfit):
            if str(error) not in self._told:
                _LOG.warning("a node cannot do pieces: %s", error)
            self._told.add(str(error))
            time.sleep(_UNFIT_PAUSE)
        # Those of the sweep, or of a search's trials.
        claims = sum(len(glob.glob(f"{self._folder}/{where}/*")) for where in ("claims", "trials/*/claims"))
        self._idle = self._idle + 1 if claims == self._claims else 0
        self._claims = claims
        if self._idle >= _IDLE_LOSSES:
            raise BinadeError(f"{self._idle} processes were lost before they took a piece: {error}") from error


class _Silence:
    """Who says nothing new, in a folder that is looked at now and then."""

    def __init__(self, heartbeat: float) -> None:
        self._patience, self._next = max(_SILENCE, _SILENT_BEATS * heartbeat), 0.0
        self._known: dict[Any, tuple[Any, float]] = {}

    def among(self, look: Callable[[], dict[Any, Any]]) -> list[Any]:
        """Those who say what they have said for so long, by what `look` gives for each; one is named again only after as long."""
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
        # A folder that takes long is asked less often.
        self._next = now + max(self._patience / _SILENT_BEATS, 10 * (time.monotonic() - now))
        return silent


def _said(claim: str) -> str:
    """A claim, which its holder rewrites."""
    try:
        with open(claim, encoding="utf-8") as file:
            return claim + file.read()
    except OSError:
        return claim


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
        if _has(words, "--report"):
            raise BinadeError("a piece writes no report: the sweep's report(FILE) writes that of all")
        self._command = [*_binade(), *_with_threads(words, cpus), "--shared", self.shared]
        self._deaths = deaths
        self._heartbeat = heartbeat
        # Known before a cluster is asked for anything.
        self.pieces: list[dict[str, Any]] = json.loads(_answer([*self._command, "--plan", "--json"]))
        self._results = os.path.join(self.shared, "results")
        with open(os.path.join(self.shared, "sweep.json"), encoding="utf-8") as file:
            self._has_last = json.load(file)["last"] is not None
        self._address, self._cpus, self._executor = address, cpus, executor
        self._in_flight = in_flight
        self.lost = 0
        # What was said last of pieces that were lost or failed, and those that are left.
        self._words: dict[int, str] = {}
        self._failed: set[int] = set()
        # Seconds that were spent here, not waiting; and tasks that were given out.
        self.busy, self.tasks = 0.0, 0

    def _name(self, piece: int) -> str:
        """What files of a piece are called."""
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
        """What the last claims of tasks' pieces say."""
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
        # Pieces that have a result or are left; how many tasks have a piece, if several do; tasks that fell silent, and of these those
        # that nobody waits for any more.
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
                        losses.add(error)
                    finished = [self._result(piece) for piece in batch]
                    lost = []
                    for piece, result in zip(batch, finished):
                        if piece in settled:
                            continue
                        if result is not None:
                            settled.add(piece)
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
                            settled.add(piece)
                        elif ended is None:
                            lost.append(piece)
                        else:
                            waiting.append(piece)
                    # Before those that nobody has begun: others may wait for this one in the end. What failed comes after them.
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
        return _answer([*_binade(), "join", self.shared, *options])

    def report(self, path: Path) -> None:
        """Writes what the command's `--report` does: of a training a page, of a checkpoint a page (.html) or JSON. All pieces have results."""
        missing = sum(self._result(piece) is None for piece in range(len(self)))
        if missing:
            raise BinadeError(f"{missing} of {len(self)} pieces have no result yet")
        _answer([*self._command, "--report", os.fspath(path)])


def _operators(ariths: Sequence[str]) -> list[str]:
    """The options that choose them; one may come without a list."""
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

    `options` are those of `binade train`, such as `"--epochs", "4"`; `how` are those of `Sweep`. A result's `value` is a cell of
    `binade train --json`, and `join("--json")` the whole of it.
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
    arguments = ["train", model, "--search", *_operators(ariths), "--seeds", str(seeds), *options]
    folder = os.path.abspath(os.fspath(shared))
    _searched(arguments, folder, cpus, executor or _where(address, cpus, folder), workers, heartbeat)
    answer: dict[str, Any] = json.loads(_answer([*_binade(), *arguments, "--shared", folder, "--json"]))
    return answer


def _memory_of_a_trial(command: Sequence[str]) -> int:
    """Bytes that a cell of a search takes at most: what a training of the same model does."""
    words, _ = _without(command, "--budget")
    words = [word for word in words if word != "--search"]
    with tempfile.TemporaryDirectory() as folder:
        pieces = json.loads(_answer([*words, "--shared", folder, "--plan", "--json"]))
    return max((piece.get("memory") or 0 for piece in pieces), default=0)


def _claims_of_trials(shared: str) -> list[str]:
    """What the claims say of pieces of trials that have no result."""
    said = []
    for claim in glob.glob(glob.escape(os.path.join(shared, "trials")) + "/*/claims/*"):
        trial, _, name = claim.rpartition("/claims/")
        if not os.path.exists(f"{trial}/results/{name.partition('.')[0]}.json"):
            said.append(_said(claim))
    return sorted(said)


def _searched(
    arguments: list[str], shared: str, cpus: float, executor: _Executor, workers: int | None, heartbeat: float
) -> None:
    """Does a search: then every trial has its results."""
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
            # The nodes of all who search may be out of reach, of which Ray takes minutes to tell.
            if not found and len(running) < _MOST_TASKS * count and silence.among(lambda: {"all": _claims_of_trials(shared)}):
                running += [executor.submit(command, "search", memory) for _ in range(count)]
    finally:
        executor.close(running)


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
    rest = [word for word in rest if word not in ("--json", "--plain", "--force")]
    rest, heartbeat = _without(rest, "--heartbeat")
    threads = _without(rest, "--threads")[1]
    beat, cpus = float(heartbeat or 2.0), float(threads or 1)
    # What is still out at the end has nothing to add, and Ray would have the last word.
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")
    try:
        if "--search" in rest:
            folder = os.path.abspath(shared)
            _searched(rest, folder, cpus, _where(address, cpus, folder), None, beat)
            return subprocess.run([*_binade(), *command]).returncode
        # What is wrong with the command is said in its own words; so is, before any work, that the page is there already.
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
        print("interrupted: what has results is kept; the same command goes on", file=sys.stderr)
        return 130
    # All is there: the command prints its answer, and writes its page. What is done has been told.
    ended = subprocess.run([*_binade(), *command], stderr=subprocess.PIPE, text=True, encoding="utf-8")
    sys.stderr.writelines(line for line in ended.stderr.splitlines(keepends=True) if not line.startswith("done: "))
    return ended.returncode


if __name__ == "__main__":
    # By its name, and not as the module __main__, which workers of Ray have not.
    from binade.cluster import main as run_main

    sys.exit(run_main(sys.argv[1:]))
