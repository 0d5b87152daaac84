"""The types that users see, by mypy and pyright."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import binade
import pytest

USE = Path(__file__).parent / "typed_use.py"


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_functions_have_the_types_of_what_they_are_given(checker, tmp_path):
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    options = {"mypy": ["--follow-imports=silent", "--cache-dir", tmp_path], "pyright": ["--pythonpath", sys.executable]}
    sources = str(Path(binade.__file__).parents[1])
    environment = {**os.environ, "MYPYPATH": "" if "site-packages" in sources else sources}
    command = [sys.executable, "-m", checker, *options[checker], USE]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
