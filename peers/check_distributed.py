"""JAX on binade over several processes (jax.distributed): the same bits for 1, 2 and 4 processes that have as many devices
altogether, and errors in bounded time where a process fails.

    check_distributed.py            everything
    check_distributed.py --quick    two processes against one, and one that is killed

The plugin is BINADE_PJRT_LIBRARY.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEVICES = 4
ARITHMETICS = [None, "bf16:bf16", "bf16x2:bf16x2/3"]
# No failure may take longer to be seen than this, in seconds.
BOUND = 30


def plugin():
    """The module of this checkout, whether the package is installed or not."""
    spec = importlib.util.spec_from_file_location("binade_jax", ROOT / "python" / "binade" / "jax.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.initialize()
    return module


# What a process does.


class Worker:
    def __init__(self, arguments):
        import jax

        self.binade = plugin()
        self.process, self.count = arguments.process, arguments.processes
        if self.count > 1 or arguments.always:
            jax.distributed.initialize(f"localhost:{arguments.port}", self.count, self.process)
        self.jax = jax
        own = jax.local_devices()
        assert jax.process_index() == self.process and jax.process_count() == self.count
        assert [d.id for d in jax.devices()] == list(range(len(own) * self.count)), jax.devices()
        assert [d.process_index for d in jax.devices()] == [p for p in range(self.count) for _ in own]
        assert [d.id for d in own] == [self.process * len(own) + at for at in range(len(own))]
        assert [d.local_hardware_id for d in own] == list(range(len(own)))

    def mesh(self, *shape):
        import numpy as np

        names = "xyz"[: len(shape)]
        devices = self.jax.devices()[: int(np.prod(shape))]
        return self.jax.sharding.Mesh(np.array(devices).reshape(shape), tuple(names))

    def put(self, mesh, spec, value):
        """A value that all processes know, of which each gives the parts of its devices."""
        sharding = self.jax.sharding.NamedSharding(mesh, spec)
        return self.jax.make_array_from_callback(value.shape, sharding, lambda index: value[index])

    def parts(self, tree):
        """For each array the hashes of its parts on this process's devices."""
        import numpy as np

        def parts(array):
            def digest(part):
                return hashlib.sha256(np.asarray(part.data).tobytes() + str(part.data.shape).encode()).hexdigest()[:16]

            return {part.device.id: digest(part) for part in array.addressable_shards}

        return [parts(array) for array in self.jax.tree.leaves(tree)]

    def same_bits(self):
        """Results by name, each a list of arrays."""
        import jax
        import jax.numpy as jnp
        import numpy as np
        from jax import lax
        from jax.sharding import PartitionSpec as P

        random = np.random.default_rng(3)
        f32 = lambda *shape: random.standard_normal(shape).astype(np.float32)
        line, square = self.mesh(DEVICES), self.mesh(2, DEVICES // 2)
        x, w = f32(8, 16), f32(16, 12)
        sharded, whole = self.put(line, P("x"), x), self.put(line, P(), w)
        over = lambda f, mesh=line, inputs=P("x"), outputs=P("x"), **options: jax.jit(
            jax.shard_map(f, mesh=mesh, in_specs=inputs, out_specs=outputs, **options))
        size = DEVICES
        ring = [(i, (i + 1) % size) for i in range(size)]

        for name, function, outputs in [
            ("psum", lambda a: lax.psum(a, "x"), P()),
            ("pmax", lambda a: lax.pmax(a, "x"), P()),
            ("pmean of bfloat16", lambda a: lax.pmean(a.astype(jnp.bfloat16), "x"), P()),
            ("all_gather", lambda a: lax.all_gather(a, "x", axis=1), P("x")),
            ("all_to_all", lambda a: lax.all_to_all(a, "x", split_axis=1, concat_axis=0, tiled=True), P("x")),
            ("psum_scatter", lambda a: lax.psum_scatter(a, "x", scatter_dimension=1, tiled=True), P(None, "x")),
            ("ppermute", lambda a: lax.ppermute(a, "x", ring), P("x")),
            ("ppermute to some", lambda a: lax.ppermute(a, "x", [(0, size - 1), (1, 0)]), P("x")),
            ("axis_index", lambda a: a * lax.axis_index("x"), P("x")),
            ("scan", lambda a: lax.scan(lambda c, _: (c * 0.5 + lax.pmean(c, "x"), c[0, 0][None]), a, None, length=3), (P("x"), P(None, "x"))),
            ("while", lambda a: lax.while_loop(lambda c: lax.pmax(jnp.abs(c).max(), "x") < 50, lambda c: c * 1.5, a), P("x")),
            ("rng", lambda a: a + jax.random.normal(jax.random.key(lax.axis_index("x")), a.shape), P("x")),
        ]:
            yield name, over(function, outputs=outputs, check_vma=False)(sharded)
        # Not the same on all devices, though it is said to be: the first device's.
        yield "said to be whole", over(lambda a: a[0], outputs=P(), check_vma=False)(sharded)
        tile = self.put(square, P("x", "y"), x)
        for axes in ["x", "y", ("x", "y")]:
            yield f"psum over {axes}", over(
                lambda a: lax.psum(a, axes), square, P("x", "y"), P("x", "y"), check_vma=False)(tile)
        # Axes that are left to the program's whole values, and a computation within another.
        for axis in ["x", "y"]:
            inner = lambda a, axis=axis: lax.psum(a * 3, axis)
            yield f"manual over {axis} alone", over(inner, square, P(axis), P(), axis_names={axis})(tile)
        other = {"x": "y", "y": "x"}
        for axis in ["x", "y"]:
            def outer(a, axis=axis):
                within = jax.shard_map(
                    lambda b: lax.psum(b, other[axis]) + lax.axis_index(other[axis]),
                    in_specs=P(None, other[axis]), out_specs=P(None, other[axis]), axis_names={other[axis]}, check_vma=False)
                return lax.psum(within(a), axis)

            yield f"{other[axis]} within {axis}", over(
                outer, square, P(axis), P(), axis_names={axis}, check_vma=False)(self.put(square, P(axis), x))
        # Whole values, wherever their parts are.
        yield "product", jax.jit(lambda a, b: jnp.tanh(a @ b))(sharded, whole)
        cut = jax.sharding.NamedSharding(line, P(None, "x"))
        yield "another sharding", jax.jit(lambda a: jnp.sort(a, axis=0), out_shardings=cut)(sharded)
        yield "donated", jax.jit(lambda a: a + 1, donate_argnums=0)(self.put(line, P("x"), x))
        # Some of the devices.
        some = self.mesh(2)
        if any(d.process_index == self.process for d in some.devices.flat):
            yield "two devices", over(lambda a: lax.psum(a, "x"), some, P("x"), P())(self.put(some, P("x"), x))
        own = len(jax.local_devices())
        first = self.process * own
        yield "pmap", jax.pmap(lambda a: lax.psum(a, "i") * lax.axis_index("i"), axis_name="i")(
            x.reshape(DEVICES, -1)[first : first + own])
        for arith in ARITHMETICS:
            yield f"training under {arith}", self.training(arith)

    def training(self, arith, steps=4):
        """Data-parallel training: each process gives the examples of its devices."""
        import jax
        import jax.numpy as jnp
        import numpy as np
        from jax import lax
        from jax.sharding import NamedSharding, PartitionSpec as P

        random = np.random.default_rng(5)
        f32 = lambda *shape: random.standard_normal(shape).astype(np.float32)
        mesh = self.mesh(DEVICES)
        weights = {"a": f32(12, 16) / 4, "b": f32(16), "c": f32(16, 3) / 4}
        weights = jax.tree.map(lambda w: self.put(mesh, P(), w), weights)
        batches = f32(steps, 16, 12), f32(steps, 16, 3)

        def loss(weights, x, y):
            return ((jnp.tanh(x @ weights["a"] + weights["b"]) @ weights["c"] - y) ** 2).mean()

        def step(weights, x, y):
            value, slopes = jax.value_and_grad(loss)(weights, x, y)
            slopes = lax.pmean(slopes, "x")
            return jax.tree.map(lambda w, s: w - 0.1 * s, weights, slopes), lax.pmean(value, "x")

        mapped = jax.shard_map(step, mesh=mesh, in_specs=(P(), P("x"), P("x")), out_specs=(P(), P()), check_vma=False)
        step = self.binade.jit(mapped, arith=arith, donate_argnums=0)
        count = 16 // self.count
        own = slice(self.process * count, (self.process + 1) * count)
        losses = []
        for x, y in zip(*batches):
            local = lambda value: jax.make_array_from_process_local_data(NamedSharding(mesh, P("x")), value[own])
            weights, value = step(weights, local(x), local(y))
            losses.append(value)
        assert float(losses[-1]) < float(losses[0])
        return weights, losses

    def utilities(self):
        import numpy as np
        from jax.experimental import multihost_utils

        own = np.full((2, 3), self.process, np.float32)
        found = multihost_utils.process_allgather(own)
        assert found.shape == ((self.count, 2, 3) if self.count > 1 else (2, 3)) or found.shape == (1, 2, 3), found.shape
        assert (found.reshape(self.count, -1) == np.arange(self.count)[:, None]).all(), found
        found = multihost_utils.broadcast_one_to_all(own + 7)
        assert (np.asarray(found) == 7).all(), found
        multihost_utils.sync_global_devices("checked")
        multihost_utils.assert_equal(np.arange(3), "the same everywhere")

    def results(self):
        found = {name: self.parts(value) for name, value in self.same_bits()}
        if self.count > 1:
            self.utilities()
        return found

    # What fails, and what process 0 sees of it.

    def steps(self, trouble=None, where=None):
        """Sums, until there is trouble in a process: the last one, if none is said."""
        import jax
        import numpy as np
        from jax import lax
        from jax.sharding import PartitionSpec as P

        mesh = self.mesh(DEVICES)
        x = self.put(mesh, P("x"), np.arange(DEVICES, dtype=np.float32))
        total = jax.jit(jax.shard_map(lambda a: lax.psum(a, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
        total(x)
        if trouble is not None and self.process == (self.count - 1 if where is None else where):
            trouble()
        begun = time.monotonic()
        try:
            total(x)
        except (jax.errors.JaxRuntimeError, ValueError) as error:
            return {"error": str(error), "seconds": time.monotonic() - begun}
        return {"error": None}

    def killed(self):
        return self.steps(lambda: os.kill(os.getpid(), signal.SIGKILL))

    def headless(self):
        return self.steps(lambda: os.kill(os.getpid(), signal.SIGKILL), where=0)

    def late(self):
        return self.steps(lambda: time.sleep(8))

    def raises(self):
        import jax
        import jax.numpy as jnp
        import numpy as np
        from jax import lax
        from jax.sharding import PartitionSpec as P

        mesh = self.mesh(DEVICES)
        x = self.put(mesh, P("x"), np.arange(DEVICES, dtype=np.float32))

        def check(value):
            if self.process == self.count - 1:
                raise ValueError("no such value")
            return value

        def function(a):
            a = jax.pure_callback(check, jax.ShapeDtypeStruct(a.shape, a.dtype), a)
            return lax.psum(a, "x")

        begun = time.monotonic()
        mapped = jax.shard_map(function, mesh=mesh, in_specs=P("x"), out_specs=P(), check_vma=False)
        try:
            jax.jit(mapped)(x)
        except (jax.errors.JaxRuntimeError, ValueError) as error:
            seconds = time.monotonic() - begun
            # And all goes on.
            again = jax.jit(jax.shard_map(lambda a: lax.psum(a, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
            assert (np.asarray(again(x).addressable_data(0)) == DEVICES * (DEVICES - 1) / 2).all()
            return {"error": str(error), "seconds": seconds}
        return {"error": None}

    def speed(self, size=1 << 20, steps=20):
        """Seconds for a step that sums gradients of so many binary32 numbers."""
        import jax
        import numpy as np
        from jax import lax
        from jax.sharding import PartitionSpec as P

        mesh = self.mesh(DEVICES)
        found = {}
        for size in (1, 1 << 10, 1 << 15, 1 << 20):
            x = self.put(mesh, P("x"), np.ones((DEVICES, size), np.float32))
            total = jax.jit(jax.shard_map(lambda a: lax.psum(a, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
            total(x)
            begun = time.perf_counter()
            for _ in range(steps):
                total(x)
            found[size] = (time.perf_counter() - begun) / steps
        return found


def worker(arguments):
    what = Worker(arguments)
    found = getattr(what, arguments.do)()
    Path(arguments.result).write_text(json.dumps(found))
    if arguments.do in ("results", "speed"):
        what.jax.distributed.shutdown()
    # JAX's own end waits for all processes, of which one may be gone.
    sys.stdout.flush()
    os._exit(0)


# What starts processes.


def free_port():
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        return listener.getsockname()[1]


def run(processes, do, environments=None, limit=600, **environment):
    """What each process found; none of one that was killed, and its output."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        started = []
        for process in range(processes):
            path = Path(folder) / f"{process}.json"
            command = [sys.executable, __file__, "--worker", do, "--process", process, "--processes", processes]
            command = [*map(str, command), "--port", str(port), "--result", str(path)]
            own = {"JAX_PLATFORMS": "binade", "BINADE_DEVICES": str(DEVICES // processes), "BINADE_THREADS": "1"}
            own |= environment | ((environments or {}).get(process) or {})
            output = open(Path(folder) / f"{process}.log", "w+")
            popen = subprocess.Popen(command, env={**os.environ, **own}, stdout=output, stderr=subprocess.STDOUT)
            started.append((popen, path, output))
        found, texts = [], []
        deadline = time.monotonic() + limit
        for popen, path, output in started:
            try:
                popen.wait(max(deadline - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                for other, *_ in started:
                    other.kill()
                raise AssertionError(f"{do} with {processes} processes hangs: {Path(output.name).read_text()[-3000:]}")
            texts.append(Path(output.name).read_text())
            found.append(json.loads(path.read_text()) if path.exists() else None)
        return found, texts


def joined(found):
    """The hashes of all processes' devices."""
    whole = {}
    for results in found:
        for name, arrays in results.items():
            lists = whole.setdefault(name, [{} for _ in arrays])
            for own, all_ in zip(arrays, lists, strict=True):
                all_.update(own)
    return whole


def check_bits(counts):
    expected = None
    for count in counts:
        begun = time.monotonic()
        found, texts = run(count, "results")
        for result, text in zip(found, texts):
            assert result is not None, text[-4000:]
        whole = joined(found)
        expected = expected or whole
        assert whole.keys() == expected.keys()
        for name, arrays in expected.items():
            for own, others in zip(whole[name], arrays, strict=True):
                assert own == others, f"{name} has other bits with {count} processes: {own} and {others}"
        trained = [json.dumps(whole[f"training under {arith}"]) for arith in ARITHMETICS]
        assert len(set(trained)) == len(trained), "the arithmetic made no difference"
        print(f"{count} processes with {DEVICES // count} devices each: the same bits of {len(whole)} programs, "
              f"{time.monotonic() - begun:.1f} s")


def check_failure(do, count, words, bound=BOUND, **options):
    """Process 0 gets an error with these words."""
    found, texts = run(count, do, limit=bound + 60, **options)
    result = found[0]
    assert result is not None and result["error"], f"{result} {texts[0][-3000:]}"
    for word in words:
        assert word in result["error"], f"{word!r} is not in {result['error']!r}"
    assert result["seconds"] < bound, result
    print(f"{do} with {count} processes: after {result['seconds']:.2f} s {result['error'].splitlines()[0]}")


def check_headless(count):
    """The others end in time: by an error, or because JAX ends them without its coordinator."""
    begun = time.monotonic()
    found, texts = run(count, "headless", limit=BOUND + 60)
    for result, text in zip(found[1:], texts[1:]):
        words = result["error"] if result else text
        assert words and ("process 0 has ended" in words or "coordination" in words.lower()), words
    print(f"{count} processes without the first: all have ended after {time.monotonic() - begun:.1f} s")


def check_start(count, words, **options):
    """No process gets any device."""
    _, texts = run(count, "results", limit=BOUND + 60, **options)
    assert any(all(word in text for word in words) for text in texts), texts[0][-3000:]
    print(f"{count} processes that do not fit: {', '.join(words)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--speed", action="store_true", help="how long sums over the processes take")
    for name in ("worker", "result"):
        parser.add_argument(f"--{name}", dest="do" if name == "worker" else name, help=argparse.SUPPRESS)
    for name in ("process", "processes", "port"):
        parser.add_argument(f"--{name}", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--always", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.do:
        return worker(arguments)
    if arguments.speed:
        for count in (1, 2, 4):
            found = run(count, "speed")[0][0]
            print(f"{count} processes: " + ", ".join(f"{int(size):,} numbers {1e3 * s:.2f} ms" for size, s in found.items()))
        return
    if arguments.quick:
        check_bits([1, 2])
        check_failure("killed", 2, ["process 1 has ended"])
        return
    check_bits([1, 2, 4])
    for count in (2, 4):
        check_headless(count)
        last = f"process {count - 1}"
        check_failure("killed", count, [f"{last} has ended"])
        check_failure("raises", count, [f"{last} failed", "no such value"])
        check_failure("late", count, [f"{last} has given nothing", "within 3 s (BINADE_TIMEOUT)"], BINADE_TIMEOUT="3")
    check_start(2, ["process 1 has the settings", "bf16:bf16"], environments={1: {"BINADE_ARITH": "bf16:bf16"}}, BINADE_TIMEOUT="5")
    check_start(2, ["cannot be reached", "BINADE_ADDRESS"], environments={0: {"BINADE_ADDRESS": "192.0.2.1"}}, BINADE_TIMEOUT="5")


if __name__ == "__main__":
    main()
