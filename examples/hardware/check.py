"""The multipliers of this folder against binade's vectors: all 65,536 products, and that a wrong vector is found.

The command is the environment variable BINADE, or `binade` on the PATH. C needs a compiler (cc), SystemVerilog needs Icarus
Verilog (iverilog, vvp). A language whose tool is missing is skipped and named, and the exit code is 77.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOOLS = {"C": (["cc"], "gcc"), "SystemVerilog": (["iverilog", "vvp"], "iverilog")}
HERE = pathlib.Path(__file__).parent
BINADE = os.environ.get("BINADE", "binade")


def judged(command, **how):
    """What a checker says last, and whether it passed."""
    done = subprocess.run(command, capture_output=True, text=True, **how)
    lines = [line for line in done.stdout.splitlines() if line.endswith(" wrong")]
    assert lines, f"{command}: {done.stdout} {done.stderr}"
    return lines[-1], done.returncode == 0


def main():
    skipped = []
    for language, (programs, package) in TOOLS.items():
        if missing := [program for program in programs if not shutil.which(program)]:
            print(f"skipped: {language}: {', '.join(missing)} is missing: `apt-get install {package}`")
            skipped.append(language)
    with tempfile.TemporaryDirectory() as folder:
        vectors = subprocess.run(
            [BINADE, "vectors", "multiply", "--in", "float8_e5m2"], capture_output=True, text=True, check=True
        ).stdout
        lines = vectors.splitlines(keepends=True)
        assert len(lines) == 65536
        at = lines.index("0x40 0x41 0x45 -\n")  # 2 * 2.5 = 5
        one_wrong = "".join([*lines[:at], "0x40 0x41 0x46 -\n", *lines[at + 1 :]])
        in_c, in_verilog = os.path.join(folder, "c"), os.path.join(folder, "verilog")
        sources = [HERE / "multiply.sv", HERE / "check.sv"]
        compilers = {
            "C": ["cc", "-Wall", "-Wextra", "-Werror", "-O1", "-o", in_c, HERE / "check.c"],
            "SystemVerilog": ["iverilog", "-g2012", "-Wall", "-o", in_verilog, *sources],
        }
        languages = [language for language in TOOLS if language not in skipped]
        for language in languages:
            subprocess.run(compilers[language], check=True)
        for text, wrong in [(vectors, 0), (one_wrong, 1)]:
            path = os.path.join(folder, "vectors.txt")
            pathlib.Path(path).write_text(text)
            checkers = {"C": [in_c], "SystemVerilog": ["vvp", in_verilog, f"+vectors={path}"]}
            for language in languages:
                with open(path) as file:
                    said, passed = judged(checkers[language], stdin=file)
                print(f"{language}: {said}")
                assert said == f"65536 vectors, {wrong} wrong" and passed == (wrong == 0)
    return 77 if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
