"""Leaving the live screen: `q` on a terminal."""

import json
import os
import subprocess
import sys
import time

import pytest

from binade import cluster

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")
TRAIN = ["train", "mlp", "--arith", "f32", "--seeds", "2", "--epochs", "200", "--threads", "1"]
ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?1049l"


def left_by_q(command):
    """The exit code, what a terminal saw, and whether its modes are those from before."""
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    environment = {**os.environ, "TERM": "xterm-256color", "BINADE_PYTHON": sys.executable}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True)
    os.set_blocking(ours, False)
    seen, deadline, pressed = b"", time.monotonic() + 60, None
    while process.poll() is None and time.monotonic() < deadline:
        try:
            seen += os.read(ours, 1 << 16)
        except BlockingIOError:
            time.sleep(0.02)
        if ENTERED in seen and pressed is None:
            pressed = time.monotonic() + 2
        if pressed and time.monotonic() > pressed:
            os.write(ours, b"q")
            pressed = float("inf")
    if process.poll() is None:
        process.kill()
        raise AssertionError(seen[-2000:])
    time.sleep(0.1)
    try:
        seen += os.read(ours, 1 << 16)
    except OSError:
        pass
    same = termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)
    return process.returncode, seen, same


@pytest.mark.parametrize("how", [["--shared"], ["--cluster", "here", "--shared"], ["join"]])
def test_q_ends_the_screen_and_keeps_the_sweep(tmp_path, how):
    shared = str(tmp_path / "s")
    command = [*cluster._binade(), *TRAIN, *how, shared]
    if how == ["join"]:
        subprocess.run([*cluster._binade(), *TRAIN, "--shared", shared, "--plan"], check=True, stdout=subprocess.DEVNULL)
        command = [*cluster._binade(), "join", shared, "--watch"]
    code, seen, same = left_by_q(command)
    assert code == 130 and same and seen.rindex(LEFT) > seen.rindex(ENTERED), (code, same, seen[-1000:])
    # Nobody has a piece any more, and it can be gone on with.
    status = json.loads(subprocess.run([*cluster._binade(), "join", shared, "--status", "--json"], capture_output=True).stdout)
    assert {row["state"] for row in status["pieces"]} <= {"free", "released"}, status
