"""The multipliers of this folder against binade's vectors: all 65,536 products, and that a wrong vector is found.

Needs a C compiler (cc) and Icarus Verilog (iverilog, vvp). The command is the environment variable BINADE, or `binade` on the
PATH. Exits with 77, and says so, where a tool is missing.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
BINADE = os.environ.get("BINADE", "binade")


def judged(command, **how):
    """What a checker says last, and whether it passed."""
    done = subprocess.run(command, capture_output=True, text=True, **how)
    lines = [line for line in done.stdout.splitlines() if line.endswith(" wrong")]
    assert lines, f"{command}: {done.stdout} {done.stderr}"
    return lines[-1], done.returncode == 0


def main():
    missing = [tool for tool in ["cc", "iverilog", "vvp"] if not shutil.which(tool)]
    if missing:
        print(f"skipped: {', '.join(missing)} is missing")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        vectors = subprocess.run(
            [BINADE, "vectors", "multiply", "--in", "float8_e5m2"], capture_output=True, text=True, check=True
        ).stdout
        lines = vectors.splitlines(keepends=True)
        assert len(lines) == 65536
        at = lines.index("0x40 0x41 0x45 -\n")  # 2 * 2.5 = 5
        one_wrong = "".join([*lines[:at], "0x40 0x41 0x46 -\n", *lines[at + 1 :]])
        in_c, in_verilog = os.path.join(folder, "c"), os.path.join(folder, "verilog")
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O1", "-o", in_c, HERE / "check.c"], check=True)
        sources = [HERE / "multiply.sv", HERE / "check.sv"]
        subprocess.run(["iverilog", "-g2012", "-Wall", "-o", in_verilog, *sources], check=True)
        for text, wrong in [(vectors, 0), (one_wrong, 1)]:
            path = os.path.join(folder, "vectors.txt")
            pathlib.Path(path).write_text(text)
            for name, command in [("C", [in_c]), ("SystemVerilog", ["vvp", in_verilog, f"+vectors={path}"])]:
                with open(path) as file:
                    said, passed = judged(command, stdin=file)
                print(f"{name}: {said}")
                assert said == f"65536 vectors, {wrong} wrong" and passed == (wrong == 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
