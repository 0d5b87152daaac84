"""Check that the package's folder is its own.

The package index has another distribution, named `binade`, whose module has the same name. Installed into one environment, each
overwrites files of the other. Importing this module raises ImportError then.
"""

from __future__ import annotations

from pathlib import Path


def other_owner(package: Path) -> str | None:
    """Returns the version of the distribution `binade` that has files in the package's folder, or None."""
    site = package.parent
    # Importing importlib.metadata takes as long as importing the package.
    if not any(site.glob("binade-*.dist-info")):
        return None
    from importlib.metadata import distributions

    for distribution in distributions(name="binade", path=[str(site)]):
        if any(file.parts[0] == package.name for file in distribution.files or []):
            return distribution.version
    return None


def check(package: Path) -> None:
    """Raises ImportError if the distribution `binade` has files in the package's folder."""
    version = other_owner(package)
    if version is not None:
        raise ImportError(
            f"{package}: the distribution 'binade' {version} has installed files into this folder of 'pybinade': "
            "`pip uninstall binade pybinade`, then `pip install ./python` in the root of pybinade's repository"
        )


check(Path(__file__).parent)
