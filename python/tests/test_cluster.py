"""binade.cluster: what becomes of pieces whose workers are lost. Ray itself is peers/check_cluster.py's."""

import array
import contextlib
import json
import os
import random
import re
import struct
import subprocess
import sys

import pytest

import binade
from binade import cluster

VECTORS = ("add", "float8_e4m3fn")
LINES = 2000


def silence(executor, which):
    """Tasks of an executor with these numbers do nothing and never end: their network is gone. All commands, as they come."""
    submit, commands = executor.submit, []

    def silent(command, name, memory):
        commands.append(command)
        # Until the executor is closed: who waits for them, hangs.
        return submit(["sleep", "infinity"] if len(commands) - 1 in which else command, name, memory)

    executor.submit = silent
    return commands


class Losing:
    """Processes of this machine, of which every other is lost: before its work, or after it."""

    def __init__(self, seed):
        self.inner, self.draws = cluster._Here(2), random.Random(seed)
        self.most, self.kinds, self.commands = 0, {}, []

    def slots(self):
        return self.inner.slots()

    def submit(self, command, name, memory):
        self.commands.append(command)
        kind = self.draws.choice(["done", "done", "never begun", "lost with its answer"])
        handle = self.inner.submit(["true"] if kind == "never begun" else command, name, memory)
        self.kinds[handle] = kind
        self.most = max(self.most, sum(not known.done() for known in self.kinds))
        return handle

    def wait(self, handles, seconds):
        return self.inner.wait(handles, seconds)

    def ended(self, handle):
        ended = self.inner.ended(handle)
        if self.kinds[handle] != "done":
            raise cluster._Lost("on purpose")
        return ended

    def close(self, handles):
        self.inner.close(handles)


def test_lost_workers_lose_nothing(tmp_path):
    alone = binade.run_command("vectors", VECTORS[0], "--in", VECTORS[1])
    executor = Losing(3)
    sweep = cluster.vectors(*VECTORS, shared=tmp_path / "s", piece_lines=LINES, executor=executor, in_flight=3)
    results = list(sweep)
    assert sorted(result.piece for result in results) == list(range(len(sweep))) and len(sweep) == 33 + 1
    assert sweep.lost > 0 and executor.most <= 3
    assert sweep.join() == alone
    # What follows all is given out last.
    assert results[-1].title == "all lines in one file"
    # Another program goes on with what is there, and has nothing to do.
    again = cluster.vectors(*VECTORS, shared=tmp_path / "s", piece_lines=LINES, executor=None, address="nowhere")
    assert [(result.piece, result.sha256) for result in again] == sorted((r.piece, r.sha256) for r in results)


def test_a_lost_piece_is_given_out_next(tmp_path):
    executor = Losing(0)
    kinds = iter(["done", "never begun"])
    executor.draws.choice = lambda _: next(kinds, "done")
    assert len(list(cluster.vectors(*VECTORS, shared=tmp_path / "s", piece_lines=LINES, executor=executor, in_flight=1))) == 34
    pieces = [command[command.index("--piece") + 1].split(",") for command in executor.commands]
    # The second task was lost: the third begins with its first piece, and nobody else had that.
    assert pieces[2][0] == pieces[1][0]


def test_a_silent_task_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_SILENCE", 0.5)
    inner = cluster._Here(2)
    commands = silence(inner, {1})
    sweep = cluster.vectors(*VECTORS, shared=tmp_path / "s", piece_lines=8192, executor=inner, in_flight=2, heartbeat=0.05)
    results = list(sweep)
    assert sorted(result.piece for result in results) == list(range(len(sweep))) == list(range(8 + 1))
    assert sweep.join() == binade.run_command("vectors", VECTORS[0], "--in", VECTORS[1])
    pieces = [command[command.index("--piece") + 1] for command in commands]
    assert pieces.count(pieces[1]) > 1


def test_a_program_that_was_ended_is_gone_on_with(tmp_path, monkeypatch):
    how = {"shared": tmp_path / "s", "piece_lines": LINES, "address": "here"}
    first = iter(cluster.vectors(*VECTORS, **how))
    some = [next(first) for _ in range(5)]
    first.close()
    rest = list(cluster.vectors(*VECTORS, **how))
    assert {result.piece for result in some} < {result.piece for result in rest}
    assert len(rest) == 34
    # Pieces that are short beside a task are given out several at a time.
    monkeypatch.setattr(cluster, "_TASK_SECONDS", 1e6)
    how = {"count": 400, "piece_lines": 2, "executor": cluster._Here(2)}
    tasks = cluster.vectors("add", "bf16", shared=tmp_path / "t", **how)
    assert sum(1 for _ in tasks) == 201 and tasks.tasks < 60


def test_a_training_is_that_of_one_process(tmp_path):
    options = ["--steps", "5", "--threads", "1"]
    sweep = cluster.train("mlp", ["f32", "bf16:bf16"], 2, *options, shared=tmp_path / "s", address="here")
    values = {result.title: result.value for result in sweep}
    alone = json.loads(
        binade.run_command("train", "--arith", "f32", "--arith", "bf16:bf16", "--seeds", "2", *options, "--json")
    )
    for cell in alone["cells"]:
        found = values.pop(f"{cell['arith']} seed {cell['seed']}")
        assert {**found, "seconds": 0} == {**cell, "seconds": 0}
    assert not values


def test_one_operator_needs_no_list(tmp_path):
    sweep = cluster.train("mlp", "bf16:bf16", 2, "--steps", "1", shared=tmp_path / "s", address="here")
    assert [piece["title"] for piece in sweep.pieces] == ["bf16:bf16 seed 0", "bf16:bf16 seed 1"]


def test_a_checkpoint_has_one_report(tmp_path):
    checkpoint(tmp_path / "model", 16, 64)
    sweep = cluster.quantize(tmp_path / "model", tmp_path / "out", "ct-nvfp4", shared=tmp_path / "s", address="here")
    with pytest.raises(binade.BinadeError, match="3 of 3 pieces have no result yet"):
        sweep.report(tmp_path / "early.json")
    assert len(list(sweep)) == 3
    sweep.report(tmp_path / "all.json")
    sweep.report(tmp_path / "all.html")
    command = [*cluster._binade(), "quantize", tmp_path / "model", tmp_path / "alone", "--layout", "ct-nvfp4", "--report"]
    subprocess.run([*command, tmp_path / "alone.json"], check=True, stdout=subprocess.DEVNULL)
    assert (tmp_path / "all.json").read_bytes() == (tmp_path / "alone.json").read_bytes()
    assert "layers.1.weight" in (tmp_path / "all.html").read_text()


def test_a_search_is_that_of_one_process(tmp_path):
    options = ["--steps", "2", "--threads", "1", "--budget", "8"]
    alone = json.loads(binade.run_command("train", "mlp", "--search", "--seeds", "2", *options, "--json"))
    found = cluster.search("mlp", (), 2, *options, shared=tmp_path / "s", executor=Losing(2), heartbeat=0.2)
    assert found == alone and len(found["search"]["trials"]) == 2
    with pytest.raises(binade.BinadeError, match="budget of 1 step"):
        cluster.search("mlp", (), 2, "--steps", "2", "--budget", "1", shared=tmp_path / "t", address="here")


def test_a_silent_search_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_SILENCE", 0.5)
    inner = cluster._Here(4)
    commands = silence(inner, {0, 1})
    options = ["--steps", "2", "--threads", "1", "--budget", "8"]
    how = {"shared": tmp_path / "s", "executor": inner, "workers": 2, "heartbeat": 0.05}
    found = cluster.search("mlp", (), 2, *options, **how)
    assert len(found["search"]["trials"]) == 2
    assert 4 <= len(commands) <= 6


def test_a_terminal_has_a_bar_below_what_is_told(tmp_path):
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")

    def shown(*words):
        """What a command of a screen of 24 lines of 100 letters shows on it."""
        here, there = os.openpty()
        fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("4H", 24, 100, 0, 0))
        environment = {**os.environ, "TERM": "xterm", "BINADE_PYTHON": sys.executable}
        command = [*cluster._binade(), *words]
        process = subprocess.Popen(command, stdin=there, stdout=subprocess.PIPE, stderr=there, env=environment)
        os.close(there)
        said = b""
        # The terminal hangs up with the last who had it.
        with contextlib.suppress(OSError):
            while some := os.read(here, 4096):
                said += some
        os.close(here)
        out, _ = process.communicate()
        assert process.returncode == 0, said
        return out.decode(), said.decode()

    vectors = ["vectors", "add", "--in", "float8_e4m3fn", "--count", "1048576", "--piece-lines", "65536"]
    for name, more in ("alone", []), ("here", ["--cluster", "here", "--heartbeat", "0.2"]):
        out, said = shown(*vectors, "--shared", tmp_path / name, *more)
        assert out.endswith("vectors.txt: 1048576 lines\n")
        lines = [line for line in said.splitlines() if "(17 of 17)" in line]
        assert len(lines) == 1 and re.search("done:.*all lines in one file", lines[0]), said
        assert re.search(r"[█░] \d+/17 ", said), said


def test_what_fails_is_told(tmp_path):
    with pytest.raises(binade.BinadeError, match="unknown operation"):
        cluster.vectors("ad", "bf16", shared=tmp_path / "s")
    executor = Losing(1)
    executor.submit = lambda command, name, memory: executor.inner.submit(
        ["sh", "-c", "echo 'error: no room' >&2; exit 1"], name, memory
    )
    executor.ended = executor.inner.ended
    sweep = cluster.vectors(*VECTORS, shared=tmp_path / "s", executor=executor)
    with pytest.raises(binade.BinadeError, match="lines 0 to 65535: it failed .no room"):
        list(sweep)
    sweep = cluster.vectors(*VECTORS, shared=tmp_path / "t", address="here")
    list(sweep)
    (tmp_path / "t/conflicts/00000.2.json").write_text("{}")
    with pytest.raises(binade.BinadeError, match="results of a piece differ: conflicts/00000.2.json"):
        list(sweep)


# Runs a command that may write no file of more than 64 KiB: the system kills it at the first of a piece's lines beyond, after it has
# taken the piece. Python ignores the signal, so that a command of the package runs here.
DYING = """
import os, resource, signal, sys
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
print("out of something", file=sys.stderr, flush=True)
if sys.argv[2:4] == ["-m", "binade"]:
    from binade._binade import command
    sys.exit(command(["binade", *sys.argv[4:]]))
os.execvp(sys.argv[1], sys.argv[1:])
"""


def test_a_piece_that_processes_die_of_is_left_and_the_others_are_done(tmp_path):
    shared = tmp_path / "s"
    inner = cluster._Here(2)
    how = {"shared": shared, "count": 600_000, "piece_lines": 200_000, "executor": inner, "in_flight": 1, "heartbeat": 0.1}
    submit = inner.submit

    def dying(command, name, memory):
        if len(list((shared / "claims").glob("00001.*"))) < 3 and "1" in command[command.index("--piece") + 1].split(","):
            command = [sys.executable, "-c", DYING, *command]
        return submit(command, name, memory)

    inner.submit = dying
    sweep = cluster.vectors("fma", "bf16", **how)
    done = []
    with pytest.raises(binade.BinadeError, match="lines 200000 to 399999: given up after 3 of its processes died") as why:
        done.extend(result.piece for result in sweep)
    assert sorted(done) == [0, 2] and sweep.lost == 3, why
    status = json.loads(subprocess.run([*cluster._binade(), "join", shared, "--status", "--json"], capture_output=True).stdout)
    assert [row["state"] for row in status["pieces"]] == ["done", "given up", "done", "free"]
    again = cluster.vectors("fma", "bf16", **{**how, "executor": None, "address": "here"}, retry=True)
    assert len(list(again)) == 4


def test_pieces_wait_for_memory(tmp_path):
    here = cluster._Here(4, memory=100)
    log, met = tmp_path / "log", tmp_path / "met"
    script = "echo $0 >> {log}; {wait}; echo -$0 >> {log}"
    # The first two run beside each other, or they wait for ever.
    meet = f"echo >> {met}; until [ $(wc -l < {met}) = 2 ]; do sleep 0.01; done"
    pieces = [(40, meet), (40, meet), (40, ":"), (200, ":"), (1, ":")]
    commands = [["sh", "-c", script.format(log=log, wait=wait), str(memory)] for memory, wait in pieces]
    handles = [here.submit(command, "", memory) for command, (memory, _) in zip(commands, pieces)]
    assert all(here.ended(handle).code == 0 for handle in handles)
    here.close([])
    running = []
    for memory in map(int, log.read_text().split()):
        if memory > 0:
            running.append(memory)
            # What needs more than there is, runs alone.
            assert sum(running) <= 100 or len(running) == 1, running
        else:
            running.remove(-memory)
    assert not running


# A process begins with the memory of who started it, by what the system counts: so that is a small one.
SPENT = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def planned_and_taken(command, piece, cwd):
    """Bytes of memory that a piece takes by the plan, and that it took."""
    command = [*cluster._binade(), *command, "--shared", cwd / "s"]
    planned = json.loads(subprocess.check_output([*command, "--plan", "--json"], cwd=cwd))[piece]["memory"]
    line = [sys.executable, "-S", "-c", SPENT, *command, "--piece", str(piece)]
    code, taken = map(int, subprocess.check_output(line, cwd=cwd).split())
    assert code == 0
    taken *= 1 if sys.platform == "darwin" else 1024
    print(f"{command[1]} {command[2]}: planned {planned / 2**20:.1f} MiB, taken {taken / 2**20:.1f} MiB")
    return planned, taken


@pytest.mark.skipif(os.name != "posix", reason="it needs getrusage")
@pytest.mark.parametrize("model", ["mlp", "cnn", "ngcf_small"])
def test_a_cell_takes_no_more_memory_than_planned(tmp_path, model):
    command = ["train", model, "--arith", "f32", "--seeds", "1", "--steps", "2", "--threads", "1"]
    planned, taken = planned_and_taken(command, 0, tmp_path)
    assert taken <= planned <= 6 * taken


@pytest.mark.skipif(os.name != "posix", reason="it needs getrusage")
@pytest.mark.parametrize("operation, formats", [("add", "bf16"), ("fma", "float8_e4m3fn"), ("exp", "float64")])
def test_lines_take_no_more_memory_than_planned(tmp_path, operation, formats):
    command = ["vectors", operation, "--in", formats, "--count", "400000", "--piece-lines", "400000"]
    planned, taken = planned_and_taken(command, 0, tmp_path)
    assert taken <= planned <= 6 * taken


@pytest.mark.skipif(os.name != "posix", reason="it needs getrusage")
@pytest.mark.parametrize("layout", ["ct-nvfp4", "deepseek-fp8"])
@pytest.mark.parametrize("rows, columns", [(64, 64), (2048, 4096)])
def test_a_file_takes_no_more_memory_than_planned(tmp_path, layout, rows, columns):
    checkpoint(tmp_path / "model", rows, columns)
    command = ["quantize", "model", "out", "--layout", layout, "--threads", "1"]
    planned, taken = planned_and_taken(command, 0, tmp_path)
    assert taken <= planned <= 6 * taken


def checkpoint(folder, rows, columns):
    """A folder of two files with a matrix in each."""
    folder.mkdir()
    where = {}
    for file in range(2):
        name, path = f"layers.{file}.weight", f"model-{file + 1:05}-of-00002.safetensors"
        values = array.array("f", random.Random(file).choices([0.5, -1.25, 3.0, 0.001], k=rows * columns)).tobytes()
        head = json.dumps({name: {"dtype": "F32", "shape": [rows, columns], "data_offsets": [0, len(values)]}}).encode()
        (folder / path).write_bytes(len(head).to_bytes(8, "little") + head + values)
        where[name] = path
    (folder / "config.json").write_text("{}")
    index = {"metadata": {"total_size": 8 * rows * columns}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def test_the_command_gives_pieces_to_a_cluster(tmp_path):
    shared = tmp_path / "s"
    answer = binade.run_command("vectors", *("multiply", "--in", "float4_e2m1fn"), "--shared", shared, "--cluster", "here")
    assert answer == f"{shared}/vectors.txt: 256 lines\n"
    refused = binade.run_command("vectors", "multiply", "--in", "float4_e2m1fn", "--cluster", "here", check=False)
    assert refused == ""
