"""The package beside the distribution `binade` of the package index, whose module has the same name."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import binade
import pytest
from binade._distribution import check, other_owner

PACKAGE = Path(binade.__file__).parent


def install(site, name, version, files):
    """Writes the metadata of a distribution as pip does."""
    folder = site / f"{name}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (folder / "RECORD").write_text("".join(f"{file},,\n" for file in files))


@pytest.fixture
def site(tmp_path):
    """A folder of packages with a copy of this one."""
    (tmp_path / "binade").mkdir()
    for file in PACKAGE.iterdir():
        if file.is_file():
            (tmp_path / "binade" / file.name).symlink_to(file)
    install(tmp_path, "pybinade", "0.1.0", ["binade/__init__.py"])
    return tmp_path


def importing(site, *command):
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, env=environment, cwd=site)


def test_package_alone_is_imported(site):
    assert other_owner(site / "binade") is None
    done = importing(site, "-c", "import binade; print(binade.__file__)")
    assert done.stdout.strip() == str(site / "binade/__init__.py"), done.stderr


@pytest.mark.parametrize("command", [["-c", "import binade"], ["-m", "binade", "--help"]])
def test_other_distribution_in_the_folder_is_an_error(site, command):
    install(site, "binade", "1.4.2", ["binade/__init__.py", "binade/core.py"])
    assert other_owner(site / "binade") == "1.4.2"
    done = importing(site, *command)
    assert done.returncode != 0
    assert "the distribution 'binade' 1.4.2 has installed files into this folder of 'pybinade'" in done.stderr
    assert "`pip uninstall binade pybinade`, then `pip install ./python`" in done.stderr


def test_other_distribution_over_ours_is_an_error_of_the_command(site):
    # It has replaced __init__.py, and the script `binade` starts our __main__.py.
    install(site, "binade", "1.4.2", ["binade/__init__.py"])
    (site / "binade/__init__.py").unlink()
    (site / "binade/__init__.py").write_text("")
    done = importing(site, "-c", "from binade.__main__ import main; main()")
    assert done.returncode != 0 and "the distribution 'binade' 1.4.2" in done.stderr


@pytest.mark.parametrize("name, file", [("binade", "other/__init__.py"), ("binade_extra", "binade/extra.py")])
def test_distribution_that_owns_no_file_of_ours_is_no_error(site, name, file):
    install(site, name, "1.0", [file])
    check(site / "binade")


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc",
    reason="`binade run` needs x86-64 Linux with glibc",
)
def test_command_runs_programs_with_the_agent_of_the_package(monkeypatch):
    # The variable would name another agent.
    monkeypatch.delenv("BINADE_AGENT_LIBRARY", raising=False)
    assert (PACKAGE / "libbinade_agent.so").exists()
    assert binade.run_command("run", "--quiet", "--arith", "bf16:bf16", "--", "echo", "started") == "started\n"
