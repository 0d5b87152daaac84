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
# Which ends only when it is told to.
TRAIN = ["train", "mlp", "--arith", "f32", "--seeds", "2", "--epochs", "1000000", "--threads", "1"]
ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?1049l"


# Seconds after which something hangs, however slow the machine is.
HANGS = 900


def left_by_q(command, ready):
    """The exit code, what a terminal saw, and whether its modes are those from before; q is pressed once the screen is there and the
    sweep is `ready`."""
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    environment = {**os.environ, "TERM": "xterm-256color", "BINADE_PYTHON": sys.executable}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True)
    os.set_blocking(ours, False)
    seen, deadline, pressed = b"", time.monotonic() + HANGS, False
    # What a process wrote before its end arrives a little later.
    while (process.poll() is None or LEFT not in seen) and time.monotonic() < deadline:
        try:
            seen += os.read(ours, 1 << 16)
        except BlockingIOError:
            if process.poll() is not None and not pressed:
                break
            time.sleep(0.02)
        if not pressed and ENTERED in seen and ready():
            os.write(ours, b"q")
            pressed = True
    if process.poll() is None:
        process.kill()
        raise AssertionError(seen[-2000:])
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
    claims = tmp_path / "s" / "claims"
    # Of a sweep that is only watched no piece is ever taken.
    watched = how == ["join"]
    code, seen, same = left_by_q(command, lambda: watched or (claims.is_dir() and any(claims.iterdir())))
    assert code == 130 and same and seen.rindex(LEFT) > seen.rindex(ENTERED), (code, same, seen[-1000:])
    # Nobody has a piece any more, and it can be gone on with.
    status = json.loads(subprocess.run([*cluster._binade(), "join", shared, "--status", "--json"], capture_output=True).stdout)
    assert {row["state"] for row in status["pieces"]} <= {"free", "released"}, status
