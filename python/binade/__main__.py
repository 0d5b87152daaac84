"""The command `binade`: `python -m binade`, and the script of the same name."""

from __future__ import annotations

import os
import sys

from . import _distribution as _distribution
from ._binade import command


def main() -> int:
    """Runs the command with this program's arguments and returns its exit code."""
    # `--cluster` starts this Python again.
    os.environ.setdefault("BINADE_PYTHON", sys.executable)
    if sys.argv[1:2] == ["lm"]:
        from .lm import main as lm

        return lm(sys.argv[2:])
    return command(["binade", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
