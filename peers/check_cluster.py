"""Sweeps on a cluster of Ray whose workers, nodes and head are killed: is every result there, and the same as one machine's?

Needs Python with binade and Ray (`pip install './python[ray]'`), which CI has not, and the command (BINADE). Nodes are processes of
this machine, by `ray.cluster_utils.Cluster`, or, with --namespaces, each in a network namespace of its own behind a bridge, where it is
lost with its network (needs root and `ip`). A program of its own, the driver, runs the sweep, so that it can be killed and started again
with the cluster.

    python3 peers/check_cluster.py faults --faults 50      # benches/record/cluster.md
    python3 peers/check_cluster.py command                 # binade … --cluster, as somebody types it, with mistakes
    python3 peers/check_cluster.py speed
    python3 peers/check_cluster.py constants               # what the program does for a task, measured
    python3 peers/check_cluster.py simulate                # 1,000 nodes on paper, from those constants

Printed for each sweep and kind of fault: seconds until somebody took a lost piece over, and seconds of work that were done again because
they were not in a checkpoint (of files, all of the holder's time). Ray's time to bring nodes up again is in the first.
"""

import argparse
import heapq
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check_sweep import BORN, Quantize, Times, Train, checkpoint, files_of, holders, run, see_claims  # noqa: E402

BINADE = os.environ.setdefault("BINADE", os.path.abspath("target/release/binade"))
NODES = 3
CPUS = 2
PATIENCE = 1200
# What is killed, and how often.
WEIGHTS = {"worker": 20, "node": 3, "program": 2, "head": 1}

TRAIN = ["train", "mlp", "--arith", "f32", "--arith", "bf16:f32", "--arith", "bf16:bf16", "--arith", "bf16:bf16x2"]
TRAIN += ["--seeds", "6", "--threads", "1"]
QUANTIZE = ["quantize", "model", "together", "--layout", "ct-nvfp4", "--threads", "1"]
FILES = 48


def patiently(begin):
    """What `begin` gives: on a machine that is busy, nodes of Ray give up while they come up."""
    for attempt in range(10):
        try:
            return begin()
        except Exception as error:
            if attempt == 9:
                raise
            print(f"once more: {error}", file=sys.stderr)


class Nodes:
    """A cluster of this machine."""

    def __init__(self, dashboard=False):
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "include_dashboard": dashboard}
        self.cluster = patiently(lambda: Cluster(initialize_head=True, head_node_args=head))
        self.workers = [self.add() for _ in range(NODES)]

    @property
    def address(self):
        return self.cluster.address

    def add(self):
        return patiently(lambda: self.cluster.add_node(num_cpus=CPUS))

    def lose(self, draws):
        """Kills a node, with all of its processes, and brings another."""
        node = draws.choice(self.workers)
        self.workers.remove(node)
        self.cluster.remove_node(node, allow_graceful=False)
        self.workers.append(self.add())

    def remove(self, those):
        for node in list(those):
            self.cluster.remove_node(node)
            self.workers.remove(node)

    def end(self):
        self.cluster.shutdown()


class Namespaces:
    """The same with a network namespace for each node."""

    PORT = 6399
    made = 0

    def __init__(self):
        os.environ["RAY_AUTH_MODE"] = "disabled"
        self.clear()
        self.ip("link add binade-br type bridge")
        self.ip("addr add 10.77.0.1/16 dev binade-br")
        self.ip("link set binade-br up")
        self.address = f"10.77.0.1:{self.PORT}"
        self.names, self.workers = {}, []
        head = ["start", "--head", "--node-ip-address=10.77.0.1", f"--port={self.PORT}", "--num-cpus=0"]
        self.head = self.ray([], [*head, "--include-dashboard=false"])
        patiently(self.answered)
        self.workers = [self.add() for _ in range(NODES)]

    def answered(self):
        """Whether the head takes connections, after a while."""
        for _ in range(100):
            try:
                return socket.create_connection(("10.77.0.1", self.PORT), 1).close()
            except OSError:
                time.sleep(0.2)
        raise TimeoutError("the head does not answer")

    @staticmethod
    def ip(words):
        subprocess.run(["ip", *words.split()], check=True)

    @staticmethod
    def ray(before, words):
        ray = [sys.executable, "-m", "ray.scripts.scripts", *words, "--object-store-memory=100000000", "--block"]
        # A group of its own, which is killed as one.
        return subprocess.Popen([*before, *ray], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def add(self):
        Namespaces.made += 1
        number = Namespaces.made
        name, link = f"binade-{number}", f"binade-v{number}"
        self.ip(f"netns add {name}")
        self.ip(f"link add {link} type veth peer name eth0 netns {name}")
        self.ip(f"link set {link} master binade-br up")
        address = f"10.77.{1 + number // 250}.{1 + number % 250}"
        for words in (f"addr add {address}/16 dev eth0", "link set eth0 up", "link set lo up"):
            self.ip(f"-n {name} {words}")
        words = ["start", f"--address={self.address}", f"--node-ip-address={address}", f"--num-cpus={CPUS}"]
        # A folder for Ray of its own, too; and another try while the head is not up.
        own = tempfile.mkdtemp(prefix="binade-ray-")
        script = 'mount --bind "$1" /tmp/ray && shift && until "$@"; do sleep 0.5; done'
        self.names[name] = self.ray(["ip", "netns", "exec", name, "sh", "-c", script, "sh", own], words), own
        return name

    @staticmethod
    def said(words):
        return subprocess.run(["ip", *words.split()], capture_output=True, text=True).stdout

    def clear(self):
        """Takes away what a run left that was killed."""
        for name in re.findall(r"^binade-\d+", self.said("netns list"), re.MULTILINE):
            self.remove_namespace(name)
        for link in re.findall(r"^\d+: (binade-\w+)", self.said("-o link"), re.MULTILINE):
            # Half of a pair goes with its namespace, perhaps only now.
            subprocess.run(["ip", "link", "del", link], stderr=subprocess.DEVNULL)

    def remove_namespace(self, name):
        # What follows a process that is killed must be killed, too.
        while pids := self.said(f"netns pids {name}").split():
            for pid in map(int, pids):
                end(pid)
        self.ip(f"netns del {name}")

    def remove(self, name):
        self.remove_namespace(name)
        process, own = self.names.pop(name)
        process.wait()
        shutil.rmtree(own, ignore_errors=True)

    def lose(self, draws):
        """A node loses its network, then everything."""
        name = draws.choice(self.workers)
        self.workers.remove(name)
        self.ip(f"-n {name} link set eth0 down")
        self.remove(name)
        self.workers.append(self.add())

    def end(self):
        # The programs of Ray leave the group of who starts them; all of this cluster have its address in their words.
        self.head.kill()
        for pid, (_, words) in processes().items():
            if any(self.address.encode() in word for word in words) and b"drive" not in words:
                end(pid)
        self.head.wait()
        for name in list(self.names):
            self.remove(name)
        self.workers = []
        self.ip("link del binade-br")


def processes():
    """Process ids with their parents and arguments."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(folder.name)] = (parent, words)
    return found


def workers(shared):
    """The workers of Ray that have a process that holds a piece of this sweep, with that process."""
    every = processes()
    at_work = [pid for pid in holders(shared) if pid in every]
    return [(every[pid][0], pid) for pid in at_work if every.get(every[pid][0], (0, [b""]))[1][0].startswith(b"ray::")]


def end(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def driver(folder, address, command):
    """The program that runs a sweep."""
    line = [sys.executable, __file__, "drive", str(folder), address, json.dumps(command)]
    return subprocess.Popen(line, cwd=folder, stdout=open(folder / "driver", "ab"), stderr=subprocess.STDOUT)


def drive(folder, address, command):
    import ray

    from binade.cluster import Sweep

    os.chdir(folder)
    patiently(lambda: ray.init(address=address, log_to_driver=False, logging_level="error"))
    # What is killed from outside is not a fault of the pieces.
    sweep = Sweep(command, "swept", address, heartbeat=0.5, deaths=0)
    for result in sweep:
        print(result.piece, result.sha256, flush=True)


def faults(arguments):
    draws = random.Random(arguments.seed)
    good = True
    sweeps = {"train": [*TRAIN, "--epochs", arguments.epochs], "quantize": QUANTIZE}
    for name, command in sweeps.items():
        if arguments.sweeps and name not in arguments.sweeps:
            continue
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"cluster-{name}-", dir=arguments.scratch))
        if name == "quantize":
            checkpoint(folder / "model", FILES, 4096, 12288)
        good &= one(folder, name, command, arguments, draws)
    return good


def one(folder, name, command, arguments, draws):
    shared, count, pace = folder / "swept", arguments.faults, arguments.pace
    planned = json.loads(run(folder, *command, "--shared", "swept", "--plan", "--json"))
    work = (Train if name == "train" else Quantize)(True)
    times = {kind: Times(folder, work, [piece["title"] for piece in planned]) for kind in arguments.kinds}
    BORN.clear()
    begin = Namespaces if arguments.namespaces else Nodes
    nodes = begin()
    program = driver(folder, nodes.address, command)
    kinds = dict.fromkeys(arguments.kinds, 0)
    again, done, begun = [], 0, time.time()
    next_fault = begun + 3
    while program.poll() is None:
        now = time.time()
        if now - begun > PATIENCE:
            sys.exit(f"{folder}: no end after {PATIENCE} s")
        see_claims(folder, now)
        if done:
            lost(times[kind], shared, now)
        for known in times.values():
            known.look(now)
        found = workers(shared) if done < count and now >= next_fault else []
        if not found:
            time.sleep(0.02)
            continue
        done += 1
        kind = draws.choices(arguments.kinds, [WEIGHTS[kind] for kind in arguments.kinds])[0]
        kinds[kind] += 1
        if kind == "worker":
            worker, process = draws.choice(found)
            os.kill(worker, signal.SIGKILL)
            end(process)
        elif kind == "node":
            nodes.lose(draws)
            # A machine gives nobody time to let go.
            for worker, process in found:
                if not os.path.exists(f"/proc/{worker}"):
                    end(process)
        else:
            program.kill()
            program.wait()
            if kind == "head":
                nodes.end()
                nodes = begin()
            program = driver(folder, nodes.address, command)
        now = time.time()
        next_fault = now + draws.uniform(0, 2 * pace)
    wall = time.time() - begun
    nodes.end()
    problems = []
    if program.returncode != 0:
        problems.append(f"the program ended with {program.returncode}: {(folder / 'driver').read_text()[-500:]}")
    status = subprocess.run([BINADE, "join", shared, "--status", "--json"], capture_output=True, text=True)
    status = json.loads(status.stdout)
    if not status["complete"] or status["conflicts"]:
        problems.append("results are missing, or differ")
    if len([name for name in os.listdir(shared / "results") if not name.startswith(".")]) != len(status["pieces"]):
        problems.append("results are there twice")
    if done < count:
        problems.append(f"the work ended after {done} faults")
    alone = time.time()
    if name == "train":
        single, joined = json.loads(run(folder, *command, "--json")), json.loads(run(folder, "join", "swept", "--json"))
        for cell in single["cells"] + joined["cells"]:
            cell["seconds"] = 0
        same = single == joined
    else:
        run(folder, "quantize", "model", "alone", *command[3:])
        same = files_of(folder / "alone") == files_of(folder / "together")
    alone = time.time() - alone
    if not same:
        problems.append("results are not those of one process")
    shown = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    held = sum(piece["holders"] for piece in status["pieces"])
    print(f"{name}: {len(status['pieces'])} pieces, {NODES} nodes of {CPUS} processes, {done} faults ({shown})")
    print(f"  {held} holders; {wall:.1f} s with faults, {wall / max(done, 1):.2f} s a fault in all; alone {alone:.1f} s")
    spread = lambda values: f"median {statistics.median(values):.2f}, at most {max(values):.2f}" if values else "-"
    for kind, known in times.items():
        if kinds[kind]:
            print(f"  {kind}: {len(known.again)} pieces lost; seconds until taken over: {spread(known.taken)}; ", end="")
            print(f"of work done again: {spread(known.again)}, {sum(known.again):.1f} in all")
    for problem in problems:
        print(f"  WRONG: {problem}; see {folder}")
    if not problems:
        print("  every result is there, once, and bit-equal to one process's")
        shutil.rmtree(folder)
    return not problems


def lost(times, shared, now):
    """Notes holders of pieces that are gone, by the last fault."""
    for pid, path in holders(shared).items():
        if path not in SEEN and not os.path.exists(f"/proc/{pid}"):
            SEEN.add(path)
            times.lost(path, now)


# Claims of holders that were lost.
SEEN = set()


def command(arguments):
    """`binade … --cluster` beside the same without, its tasks as the dashboard lists them, and what is said to beginners."""
    os.environ["BINADE_PYTHON"] = sys.executable
    folder = pathlib.Path(tempfile.mkdtemp(prefix="cluster-command-", dir=arguments.scratch))
    checkpoint(folder / "model", 3, 256, 512)
    nodes = Nodes(dashboard=True)
    problems = []
    try:
        short = ["--seeds", "2", "--steps", "4", "--threads", "1"]
        train = ["train", "mlp", "--arith", "f32", "--arith", "bf16:bf16", *short]
        work = {
            "train": [*train, "--json"],
            "search": ["train", "mlp", "--search", *short, "--budget", "16", "--json"],
            "quantize": ["quantize", "model", "quantized", "--layout", "ct-nvfp4", "--threads", "1"],
            "dequantize": ["dequantize", "quantized", "numbers"],
            "convert": ["convert", "quantized", "converted", "--layout", "ct-mxfp4"],
            "vectors": ["vectors", "add", "--in", "float8_e4m3fn", "--piece-lines", "8192"],
        }
        reported = {"train", "quantize"}
        for name, words in work.items():
            said = run(folder, *words, *["--report", f"{name}.html"][: 2 * (name in reported)], "--shared", name, "--cluster", nodes.address)
            made = folder / words[2]
            if name == "vectors":
                same = (folder / "vectors/vectors.txt").read_bytes() == run(folder, *words[:4])
            elif name in ("train", "search"):
                same = without_seconds(said) == without_seconds(run(folder, *words))
            else:
                made.rename(folder / "with")
                run(folder, *words)
                same = files_of(folder / "with") == files_of(made)
                shutil.rmtree(folder / "with")
            same &= name not in reported or (folder / f"{name}.html").exists()
            print(f"{name}: {'the same as without a cluster' if same else 'WRONG'}")
            problems += [] if same else [name]
        problems += listed(nodes.address, {"f32 seed 0", "model-00001-of-00003.safetensors", "search"})
        problems += refusals(folder, nodes, train)
    finally:
        nodes.end()
    for problem in problems:
        print(f"WRONG: {problem}; see {folder}")
    if not problems:
        shutil.rmtree(folder)
    return not problems


def without_seconds(text):
    answer = json.loads(text)
    for cell in answer.get("cells", []):
        cell["seconds"] = 0
    return answer


def listed(address, wanted):
    """Whether Ray's dashboard has tasks of these names, all of them ended."""
    import ray
    from ray.util.state import list_tasks

    ray.init(address=address, log_to_driver=False, logging_level="error")
    deadline = time.time() + 60
    while True:
        states = {task.name: task.state for task in list_tasks(limit=1000)}
        found = {name: states.get(name) for name in wanted}
        if set(found.values()) <= {"FINISHED", "FAILED"} or time.time() > deadline:
            break
        time.sleep(0.5)
    ray.shutdown()
    print(f"dashboard: {found}")
    return [f"the dashboard has no task {name}" for name, state in found.items() if state is None]


def refused(folder, *words):
    """What the command says on standard error where it fails, and how long that takes."""
    begun = time.time()
    done = subprocess.run([BINADE, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr.strip(), time.time() - begun


def refusals(folder, nodes, train):
    """Mistakes, and whether what is said names them."""
    problems = []

    def expect(name, code, *parts, words=train, address=None, shared=None):
        shared = shared or name.replace(" ", "-")
        found, said, seconds = refused(folder, *words, "--shared", shared, "--cluster", address or nodes.address)
        last = said.rpartition("\n")[2]
        print(f"{name}: exit code {found}, {seconds:.1f} s: {last}")
        if found != code or "Traceback" in said or not last.startswith("error: ") or not all(part in said for part in parts):
            problems.append(f"{name}: {found} {said}")

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{free.getsockname()[1]}"
    expect("nobody there", 2, f"no cluster of Ray answers at {nobody}", address=nobody)
    expect("nobody there either", 2, "no cluster of Ray answers at ray://", address=f"ray://{nobody}")
    expect("no address", 2, "no cluster of Ray at nonsense", address="nonsense")
    expect("no model", 2, "unknown model", words=["train", "nothing"])
    expect("a page that is there", 2, "train.html is there already", words=[*train, "--report", "train.html"])
    # All work is on nodes that lack the package, then on nodes that have a folder of their own in the place of the shared one.
    nodes.remove(nodes.workers)
    lacks = folder / "lacks/binade"
    lacks.mkdir(parents=True)
    (lacks / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'binade'\")")
    blind = {"no package": ["env", f"PYTHONPATH={lacks.parent}"]}
    if os.geteuid() == 0 and shutil.which("unshare"):
        hide = f"mkdir -p {folder}/not-shared && mount -t tmpfs none {folder}/not-shared && exec \"$@\""
        blind["not shared"] = ["unshare", "-m", "sh", "-c", hide, "sh"]
    else:
        print("SKIPPED a folder that is not shared: needs root and unshare")
    says = {"no package": "No module named 'binade'", "not shared": "which all nodes must share"}
    for name, before in blind.items():
        node = Namespaces.ray(before, ["start", f"--address={nodes.address}", f"--num-cpus={CPUS}"])
        wait_for_processors(nodes.address, CPUS)
        expect(name, 2, says[name], "lost before they took a piece")
        # One that can does the work of all.
        nodes.workers.append(nodes.add())
        wait_for_processors(nodes.address, 2 * CPUS)
        done = subprocess.run([BINADE, *train, "--shared", name.replace(" ", "-"), "--cluster", nodes.address], cwd=folder, capture_output=True, text=True)
        print(f"{name}, beside a node that can: exit code {done.returncode}")
        if done.returncode != 0 or says[name] not in done.stderr:
            problems.append(f"{name} beside a node that can: {done.returncode} {done.stderr}")
        node.terminate()
        node.wait()
        nodes.remove(nodes.workers)
        wait_for_processors(nodes.address, 0)
    return problems


def wait_for_processors(address, count):
    """Until the nodes have so many together."""
    import ray

    ray.init(address=address, log_to_driver=False, logging_level="error")
    deadline = time.time() + 120
    while ray.cluster_resources().get("CPU", 0) != count:
        if time.time() > deadline:
            sys.exit(f"{ray.cluster_resources()} where there were to be {count} processors")
        time.sleep(0.2)
    ray.shutdown()


def speed(arguments):
    """Efficiency of pieces of five seconds, and 10,000 trivial ones."""
    import ray

    from binade.cluster import Sweep

    ray.init(address="local", num_cpus=arguments.cpus, log_to_driver=False, logging_level="error")
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="cluster-", dir=arguments.scratch))
    train = ["train", "mlp", "--arith", "bf16:bf16", "--epochs", arguments.epochs, "--seeds", "12", "--threads", "1"]
    sweep = Sweep(train, scratch / "long")
    begun = time.perf_counter()
    seconds = [result.seconds for result in sweep]
    wall = time.perf_counter() - begun
    efficiency = sum(seconds) / (arguments.cpus * wall)
    print(f"{len(seconds)} pieces of {statistics.mean(seconds):.2f} s on {arguments.cpus} processes: {wall:.1f} s, ", end="")
    print(f"efficiency {efficiency:.3f}; here {sweep.busy / sweep.tasks * 1e3:.2f} ms a task")
    trivial = ["vectors", "add", "--in", "bf16", "--count", "100000", "--piece-lines", "10"]
    sweep = Sweep(trivial, scratch / "short")
    begun = time.perf_counter()
    count = sum(1 for _ in sweep)
    wall = time.perf_counter() - begun
    print(f"{count} trivial pieces: {wall:.1f} s in {sweep.tasks} tasks; here {sweep.busy / count * 1e6:.0f} µs a piece")
    shutil.rmtree(scratch)
    return True


def constants(arguments):
    """What the program that gives out pieces does for each, measured."""
    import ray

    from binade.cluster import _Ray

    ray.init(address="local", num_cpus=1, log_to_driver=False, logging_level="error")
    executor = _Ray(None, 1)
    list(executor.wait([executor.submit(["true"], "warm", 1 << 20)], 60))
    begun = time.perf_counter()
    handles = [executor.submit(["true"], "a task", 1 << 20) for _ in range(2000)]
    print(f"submit: {(time.perf_counter() - begun) / len(handles) * 1e6:.0f} µs a task")
    for count in (10, 100, 1000):
        begun = time.perf_counter()
        for _ in range(20):
            ray.wait(handles[-count:], num_returns=1, timeout=0)
        print(f"look at {count} tasks: {(time.perf_counter() - begun) / 20 * 1e6:.0f} µs")
    first = handles[:50]
    ray.wait(first, num_returns=len(first))
    begun = time.perf_counter()
    for handle in first:
        executor.ended(handle)
    print(f"end: {(time.perf_counter() - begun) / len(first) * 1e6:.0f} µs a task")
    executor.close(handles)
    ray.shutdown()
    # A result is a file; so is a claim, and its lines.
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as folder:
        folder = pathlib.Path(folder)
        run(folder, "vectors", "add", "--in", "bf16", "--count", "5000", "--piece-lines", "5", "--shared", "s")
        paths = sorted((folder / "s/results").glob("[0-9]*"))
        begun = time.perf_counter()
        for path in paths:
            json.loads(path.read_text())
        each = (time.perf_counter() - begun) / len(paths)
        size = statistics.mean(path.stat().st_size for path in paths)
        claim = statistics.mean(path.stat().st_size for path in (folder / "s/claims").glob("[0-9]*"))
        print(f"result: {each * 1e6:.0f} µs to read, {size:.0f} bytes; claim: {claim:.0f} bytes")
        begun = time.perf_counter()
        os.listdir(folder / "s/results")
        print(f"names: {(time.perf_counter() - begun) / len(paths) * 1e9:.0f} ns each")
    return True


def simulate(arguments):
    """How much of so many nodes is at work, by the length of a piece: an event for each task, one program, one file server."""
    given = dict(zip(("submit", "look", "end", "read", "files"), arguments.microseconds))
    slots = arguments.nodes * arguments.slots
    print(f"{arguments.nodes} nodes of {arguments.slots} processes; µs: {given}; looks: of each task that is out")
    print("  piece s  pieces a task   at work   program busy   file server busy   pieces/s")
    for piece in (0.001, 0.01, 0.1, 0.5, 1, 5, 60):
        batch = max(1, min(500, int(5 / piece)))
        tasks = max(4 * slots, min(40 * slots, int(600 / (piece * batch)) * slots))
        # When processes are free, when tasks end, and how far the program and the file server are.
        free, ends, now, files = [0.0] * slots, [], 0.0, 0.0
        given_out, ended, waited = 0, 0, 0.0
        while ended < tasks:
            while given_out < tasks and len(ends) < 2 * slots:
                now += given["submit"] * 1e-6
                start = max(now, heapq.heappop(free))
                files = max(files, start) + batch * given["files"] * 1e-6
                end = max(start + batch * piece, files)
                heapq.heappush(free, end)
                heapq.heappush(ends, end)
                given_out += 1
            waited += max(0.0, ends[0] - now)
            now = max(now, ends[0]) + 2 * given["look"] * 1e-6 * len(ends)
            while ends and ends[0] <= now:
                heapq.heappop(ends)
                now += (given["end"] + batch * given["read"]) * 1e-6
                ended += 1
        busy = now - waited
        wall = now
        at_work = tasks * batch * piece / (slots * wall)
        share = tasks * batch * given["files"] * 1e-6 / wall
        print(f"{piece:9}  {batch:13}   {at_work:7.3f}   {busy / wall:12.3f}   {share:16.3f}   {tasks * batch / wall:8.0f}")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one_by_one = commands.add_parser("faults")
    one_by_one.add_argument("sweeps", nargs="*", choices=["train", "quantize", []], help="default: both")
    one_by_one.add_argument("--kinds", type=lambda text: text.split(","), default=list(WEIGHTS), help="such as worker,node")
    one_by_one.add_argument("--faults", type=int, default=50, help="how many, in each sweep")
    one_by_one.add_argument("--epochs", default="3", help="of each cell")
    one_by_one.add_argument("--pace", type=float, default=2, help="mean seconds between faults")
    one_by_one.add_argument("--seed", type=int, default=1)
    one_by_one.add_argument("--namespaces", action="store_true", help="a network namespace for each node")
    measured = commands.add_parser("speed")
    measured.add_argument("--cpus", type=int, default=2)
    measured.add_argument("--epochs", default="36")
    constant = commands.add_parser("constants")
    paper = commands.add_parser("simulate")
    paper.add_argument("--nodes", type=int, default=1000)
    paper.add_argument("--slots", type=int, default=16, help="processes of a node")
    given = "of the program: to submit a task, to look (times tasks that are out), for its end, to read a result; of the file server: a piece"
    paper.add_argument("--microseconds", type=float, nargs=5, metavar=("SUBMIT", "LOOK", "END", "READ", "FILES"), required=True, help=given)
    typed = commands.add_parser("command")
    for one_of in (one_by_one, typed, measured, constant):
        one_of.add_argument("--scratch")
    driven = commands.add_parser("drive")
    driven.add_argument("words", nargs=3)
    arguments = parser.parse_args()
    if arguments.command == "drive":
        folder, address, words = arguments.words
        drive(folder, address, json.loads(words))
        return
    does = {"faults": faults, "command": command, "speed": speed, "constants": constants, "simulate": simulate}
    sys.exit(0 if does[arguments.command](arguments) else 1)


if __name__ == "__main__":
    main()
