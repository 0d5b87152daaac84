"""binade.cluster: what becomes of pieces whose workers are lost. Ray itself is peers/check_cluster.py's."""

import json
import random

import pytest

import binade
from binade import cluster

VECTORS = ("add", "float8_e4m3fn")
LINES = 2000


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


def test_a_program_that_was_ended_is_gone_on_with(tmp_path):
    how = {"shared": tmp_path / "s", "piece_lines": LINES, "address": "here"}
    first = iter(cluster.vectors(*VECTORS, **how))
    some = [next(first) for _ in range(5)]
    first.close()
    rest = list(cluster.vectors(*VECTORS, **how))
    assert {result.piece for result in some} < {result.piece for result in rest}
    assert len(rest) == 34
    # Trivial pieces are given out several at a time.
    tasks = cluster.vectors("add", "bf16", shared=tmp_path / "t", count=400, piece_lines=2, address="here")
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


def test_a_search_is_that_of_one_process(tmp_path):
    options = ["--steps", "2", "--threads", "1", "--budget", "8"]
    alone = json.loads(binade.run_command("train", "mlp", "--search", "--seeds", "2", *options, "--json"))
    found = cluster.search("mlp", (), 2, *options, shared=tmp_path / "s", executor=Losing(2), heartbeat=0.2)
    assert found == alone and len(found["search"]["trials"]) == 2
    with pytest.raises(binade.BinadeError, match="budget of 1 step"):
        cluster.search("mlp", (), 2, "--steps", "2", "--budget", "1", shared=tmp_path / "t", address="here")


def test_what_fails_is_told(tmp_path):
    with pytest.raises(binade.BinadeError, match="unknown operation"):
        cluster.vectors("ad", "bf16", shared=tmp_path / "s")
    executor = Losing(1)
    executor.submit = lambda command, name, memory: executor.inner.submit(
        ["sh", "-c", "echo 'error: no room' >&2; exit 1"], name, memory
    )
    executor.ended = executor.inner.ended
    sweep = cluster.vectors(*VECTORS, shared=tmp_path / "s", executor=executor)
    with pytest.raises(binade.BinadeError, match="lines 0 to 65535: error: no room"):
        list(sweep)
    sweep = cluster.vectors(*VECTORS, shared=tmp_path / "t", address="here")
    list(sweep)
    (tmp_path / "t/conflicts/00000.2.json").write_text("{}")
    with pytest.raises(binade.BinadeError, match="results of a piece differ: conflicts/00000.2.json"):
        list(sweep)


def test_the_command_gives_pieces_to_a_cluster(tmp_path):
    shared = tmp_path / "s"
    answer = binade.run_command("vectors", *("multiply", "--in", "float4_e2m1fn"), "--shared", shared, "--cluster", "here")
    assert answer == f"{shared}/vectors.txt: 256 lines\n"
    refused = binade.run_command("vectors", "multiply", "--in", "float4_e2m1fn", "--cluster", "here", check=False)
    assert refused == ""
