"""Runs the examples of the documentation, and compares what they print.

    python site/examples.py [--binade COMMAND] [PAGE…]

An example is a block of `console` with a line of output: its commands (`$ …`) run in bash, in the order of the page, in a folder
that holds a copy of `examples`, and what each prints has to be what the page shows. `…` stands for any text, and a line of its own that is
`…` for any lines. A block after a comment `<!-- not run: WHY -->` is left out, and counted. A command that exits with 77 has
skipped something and says so in lines that begin with `skipped: `; these lines are repeated at the end, and the exit code is 77.
Blocks of `pycon` are one session of Python for each page, run as doctests; they need the package.
"""

import argparse
import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- not run: ([^>]*) -->\n+)?^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SESSION = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SKIPPED = 77
PAGES = ["README.md", "docs/*.md", "docs/reference/*.md", "site/pages/**/*.md"]


def commands(block):
    """(command, expected output) of a block; a command goes on in the next line after a backslash."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif found and not found[-1][1] and found[-1][0].endswith("\\"):
            found[-1][0] += "\n" + line
        elif found:
            found[-1][1].append(line)
    return found


def fits(expected, printed):
    """Whether output is what is expected, with … for any text."""
    pattern = "\n".join(re.escape(line.rstrip()) for line in expected).replace(re.escape("…"), "[^\n]*")
    pattern = re.sub(r"(?m)^\[\^\n\]\*$", "(?:.*\n?)*?", pattern)
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.rstrip("\n").splitlines()))


def sessions(page):
    """(run, wrong) numbers of a page's examples in Python. Differences are printed."""
    text = "\n".join(SESSION.findall(page.read_text()))
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
    return result.attempted, result.failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binade", default=os.environ.get("BINADE", "binade"), help="the command")
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE")
    arguments = parser.parse_args()
    pages = [page.resolve() for page in arguments.pages] or [page for pattern in PAGES for page in sorted(ROOT.glob(pattern))]
    ran = left = wrong = 0
    skipped = []
    with tempfile.TemporaryDirectory() as programs:
        (Path(programs) / "binade").symlink_to(Path(arguments.binade).absolute())
        # The environment's Python is the examples' python3.
        path = f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = os.environ | {"PATH": path, "NO_COLOR": "1", "BINADE": str(Path(arguments.binade).absolute())}
        for page in pages:
            examples, failed = sessions(page)
            ran, wrong = ran + examples, wrong + failed
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(ROOT / "examples", Path(folder) / "examples")
                for match in BLOCK.finditer(page.read_text()):
                    block = commands(match[3])
                    if not any(expected for _, expected in block):
                        continue
                    if match[1]:
                        left += 1
                        continue
                    for command, expected in block:
                        done = subprocess.run(
                            ["bash", "-c", command],
                            cwd=folder,
                            env=environment,
                            stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT if not expected else subprocess.PIPE,
                            text=True,
                            timeout=300,
                        )
                        if done.returncode == SKIPPED:
                            reasons = [line for line in done.stdout.splitlines() if line.startswith("skipped: ")]
                            skipped += [f"skipped: {page.relative_to(ROOT)}: {line[len('skipped: '):]}" for line in reasons]
                            continue
                        ran += 1
                        if not (fits(expected, done.stdout) if expected else done.returncode == 0):
                            wrong += 1
                            told = done.stdout + (done.stderr or "")
                            print(f"{page}: $ {command}\n--- prints\n{told}--- where it says\n" + "\n".join(expected) + "\n")
    print(f"{ran} examples of {len(pages)} pages, {wrong} unlike their pages; {left} blocks not run")
    print("".join(f"{line}\n" for line in skipped), end="")
    sys.exit(1 if wrong else SKIPPED if skipped else 0)


if __name__ == "__main__":
    main()
