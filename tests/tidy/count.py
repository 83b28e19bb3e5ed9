"""Counts the house: lines of every wing, circles of files, arrows between wings, names under host_tools.

`python -m tests.tidy.count` prints it. Every import counts, wherever it stands: one inside a function, or for types
alone, ties two files together as well.
"""

import functools
import re
from collections import Counter
from pathlib import Path

from tests.conftest import ROOT
from tests.tidy.findings import project_files, read
from tests.tidy.imports import WINGS, find_imports

OUTSIDE = ("lab",)  # a wing that is not in the wheel
PACKAGES = (("host_tools", ROOT), ("cardtable", ROOT / "firmware"))
Graph = dict[str, set[str]]


@functools.cache
def read_files() -> dict[str, Path]:
    """Every module of host_tools and the firmware by its dotted name."""
    found = {}
    for package, above in PACKAGES:
        for path in sorted((above / package).rglob("*.py")):
            parts = path.relative_to(above).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(name: str, source: str, names: set[str]) -> set[str]:
    """The modules of `names` that this one imports; `from a import b` is a.b if that is one, else a."""
    found = set()
    for _, target in find_imports(source):
        while target and target not in names:
            target = target.rpartition(".")[0]
        found.add(target)
    return found - {"", name}


@functools.cache
def draw() -> Graph:
    """What every module imports."""
    files = read_files()
    return {name: imports_of(name, path.read_text(encoding="utf-8"), set(files)) for name, path in files.items()}


def reach(graph: Graph, start: str) -> set[str]:
    """Everything that is imported by way of that one."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()] - found:
            found.add(name)
            waiting.append(name)
    return found


def find_circles(graph: Graph) -> list[list[str]]:
    """The modules of each circle."""
    beyond = {name: reach(graph, name) for name in graph}
    circles = {tuple(sorted(other for other in beyond[name] if name in beyond[other]))
               for name in graph if name in beyond[name]}
    return sorted(map(list, circles))


def wing_of(name: str) -> str:
    """The wing of host_tools in which a module lies; empty for others."""
    parts = name.split(".")
    return parts[1] if parts[0] == "host_tools" and len(parts) > 2 else ""


def find_arrows(graph: Graph) -> set[tuple[str, str]]:
    """The pairs of wings of which one imports the other."""
    pairs = {(wing_of(name), wing_of(target)) for name, targets in graph.items() for target in targets}
    return {(one, other) for one, other in pairs if one and other and one != other}


def find_upward(graph: Graph) -> list[str]:
    """Imports from a wing that stands above."""
    order = [name for name, _ in WINGS]
    return sorted(f"{name} imports {target}" for name, targets in graph.items() for target in targets
                  if wing_of(name) and wing_of(target)
                  and order.index(wing_of(target)) < order.index(wing_of(name)))


def count_lines(files: list[str]) -> dict[str, int]:
    """Lines of Python by wing, and of what else is in the product: firmware, boards, the two files beside the wings."""
    found: Counter[str] = Counter()
    for name in files:
        first, *rest = name.split("/")
        if first in ("firmware", "boards", "setup.py"):
            found[first] += read(name).count("\n")
        elif first == "host_tools":
            found[rest[0] if len(rest) > 1 else "host_tools/"] += read(name).count("\n")
    return dict(found)


def tell_figures(graph: Graph) -> list[str]:
    """The table of docs/design.md."""
    hall = {name.split("/")[1] for name in project_files() if re.fullmatch(r"host_tools/.*\.py", name)}
    return [
        "| figure | is | bar |", "|---|---:|---:|",
        f"| circles of files | {len(find_circles(graph))} | 0 |",
        f"| imports upward | {len(find_upward(graph))} | 0 |",
        f"| names under `host_tools/` | {len(hall)} | 14 |",
        f"| arrows between wings | {len(find_arrows(graph))} | 64 |",
    ]


def main() -> None:
    """Print the figures of docs/design.md, and the lines of each room."""
    lines = count_lines([name for name in project_files() if name.endswith(".py")])
    for room, count in sorted(lines.items(), key=lambda row: -row[1]):
        print(f"{room:12}{count:7,}")
    product = sum(count for room, count in lines.items() if room not in OUTSIDE)
    print(f"the product: {product:,} lines of Python", "", *tell_figures(draw()), sep="\n")


if __name__ == "__main__":
    main()
