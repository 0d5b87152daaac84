"""Builds the documentation site: one folder that works from its files, without a server or a network.

    python site/build.py OUT [--binade COMMAND] [--explorer PAGE] [--rust FOLDER]

The pages are those of `site/pages`, `docs`, `benches/record` and the README files. They link to one another as files of the
repository; the reference of the command is its own help, that of the Python package its docstrings.
`--explorer` puts the format explorer's page in, `--rust` what `cargo doc` wrote. Notebooks are run; a broken link, a failing
cell or anything else that Sphinx warns of is an error. It needs what `peers/requirements.txt` lists, and the package installed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "site"
# Pages that are taken as they are.
PAGES = ["docs/*.md", "docs/reference/*.md", "docs/notes/*.md", "benches/record/*.md", "ARCHITECTURE.md", "CHANGELOG.md"]
PAGES += ["README.md", "models/README.md", "python/README.md", "crates/*/README.md"]
# Folders of pages that the site's search leaves out: measurements and notes of their day, not guidance.
NOT_SEARCHED = [Path("docs/notes"), Path("benches/record")]
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def assemble(source):
    """The sources in one tree, with the files that they link to."""
    shutil.copytree(ROOT / "examples", source / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    pages = [page for pattern in PAGES for page in sorted(ROOT.glob(pattern))]
    for page in pages + sorted(path for path in (SITE / "pages").rglob("*") if path.is_file()):
        place = place_of(page)
        text = LINK.sub(lambda link: link[1] + linked(link[2], page, source) + link[3], page.read_text())
        if place.parent in NOT_SEARCHED:
            text = f"---\nnosearch: true\n---\n{text}"
        (source / place).parent.mkdir(parents=True, exist_ok=True)
        (source / place).write_text(text)


def place_of(file):
    """The place of a file of the repository in the site. The site's own pages are at its root, its landing page among them."""
    if file.is_relative_to(SITE / "pages"):
        return file.relative_to(SITE / "pages")
    return Path("readme.md") if file == ROOT / "README.md" else file.relative_to(ROOT)


def linked(link, page, source):
    """A link of a page, as the site needs it; a file that is not a page is copied along."""
    if "://" in link:
        return link
    target = Path(os.path.normpath(page.parent / link))
    if target.is_dir():
        # A folder is read by its overview, or not at all.
        target = target / "README.md" if (target / "README.md").exists() else ROOT / "README.md"
    if not target.exists():
        sys.exit(f"{page.relative_to(ROOT)}: there is no {link}")
    if target.suffix not in (".md", ".ipynb"):
        copy = source / place_of(target)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, copy)
    return os.path.relpath(place_of(target), place_of(page).parent)


class Links(HTMLParser):
    """What a page links to within the site."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        links = [value for name, value in attributes if name in ("href", "src") and value]
        self.found += [unquote(link.split("#")[0].split("?")[0]) for link in links if ":" not in link.split("/")[0]]


def broken_links(out):
    """(page, link) for each link that leads nowhere, but for those of what rustdoc wrote."""
    for page in sorted(out.rglob("*.html")):
        if page.relative_to(out).parts[0] != "rust":
            for link in Links(page.read_text()).found:
                if link and not (page.parent / link).exists():
                    yield page.relative_to(out), link


def help_of(binade, *words):
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run([binade, *words, "--help"], capture_output=True, text=True, check=True, env=environment).stdout


def commands_in(text):
    """Names of the commands that a help lists."""
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.MULTILINE)
    names = re.findall(r"^  (\S+)", listed[1], re.MULTILINE) if listed else []
    return [name for name in names if name != "help"]


def write_commands(binade, folder):
    """A page for each command, with its help and that of its parts."""
    folder.mkdir(parents=True)
    whole = help_of(binade)
    names = commands_in(whole)
    for name in names:
        text = help_of(binade, name)
        parts = [f"# binade {name}\n\n```text\n{text}```\n"]
        parts += [f"## binade {name} {part}\n\n```text\n{help_of(binade, name, part)}```\n" for part in commands_in(text)]
        (folder / f"{name}.md").write_text("\n".join(parts))
    toctree = "\n".join(names)
    (folder / "index.md").write_text(
        f"# The command\n\n```text\n{whole}```\n\n```{{toctree}}\n:hidden:\n{toctree}\n```\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder to make; the sources are put together beside it, in OUT-source")
    parser.add_argument("--binade", default=os.environ.get("BINADE", "binade"), help="the command")
    parser.add_argument("--explorer", type=Path, help="the format explorer's page")
    parser.add_argument("--rust", type=Path, help="what `cargo doc` wrote")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    source = out.with_name(f"{out.name}-source")
    for folder in (out, source):
        shutil.rmtree(folder, ignore_errors=True)
    assemble(source)
    # What is not in the site is not linked to.
    index, rust = source / "index.md", source / "reference" / "rust.md"
    if arguments.explorer:
        index.write_text(index.read_text() + '\n<a href="explorer.html">Open the explorer</a>.\n')
    if arguments.rust:
        rust.write_text(rust.read_text() + '\n<a href="../rust/binade/index.html">The reference of all crates</a>.\n')
    write_commands(arguments.binade, source / "reference" / "command")
    # Notebooks find the command and the examples; what they write stays in the source's folder.
    environment = os.environ | {"BINADE": str(Path(arguments.binade).absolute()), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "--quiet", "-j", "auto", "-b", "html", "-c", SITE]
    subprocess.run([*sphinx, "-d", out.with_name(f"{out.name}-doctrees"), source, out], check=True, env=environment)
    if arguments.explorer:
        shutil.copyfile(arguments.explorer, out / "explorer.html")
    if arguments.rust:
        shutil.copytree(arguments.rust, out / "rust", ignore=shutil.ignore_patterns(".*"))
    if broken := [f"{page}: there is no {link}" for page, link in broken_links(out)]:
        sys.exit("\n".join(broken))
    print(out / "index.html")


if __name__ == "__main__":
    main()
