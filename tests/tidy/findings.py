"""What the checks of the house give back, and how they read a file."""

import ast
import functools
import subprocess
from typing import Any, NamedTuple

from tests.conftest import ROOT

_MADE = ("build", ".venv", ".git")


class Finding(NamedTuple):
    """One place that breaks a rule."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


@functools.lru_cache(maxsize=8)  # the file at hand, and those that a check compares it with
def parse(source: str) -> dict[type, list[Any]]:
    """All nodes of each kind; parsed once for the checks of a file."""
    kinds: dict[type, list[Any]] = {}
    for node in ast.walk(ast.parse(source)):
        kinds.setdefault(type(node), []).append(node)
    return kinds


def walk(source: str, *kinds: type) -> list[Any]:
    """The nodes of these kinds in the order of the file, those without a line first; the same nodes each time."""
    found = [node for kind, nodes in parse(source).items() if issubclass(kind, kinds) for node in nodes]
    return sorted(found, key=lambda node: getattr(node, "lineno", 0))


def project_files() -> list[str]:
    """The names of all files from the root: what git keeps or would keep; without git, all there is."""
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
        names = [name for name in listed.split("\0") if name]
    else:
        names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()]
    return sorted(name for name in names if (ROOT / name).is_file() and name.split("/")[0] not in _MADE)


def read(name: str) -> str:
    """The text of a file; empty for one that is not text, such as a picture."""
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
