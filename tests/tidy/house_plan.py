"""The house in figures: which file imports which, in circles or upwards. `python -m tests.tidy.house_plan` prints them.

Every import counts, wherever it stands: one inside a function, or for types alone, ties two files together as well.
"""

import functools
from pathlib import Path

from tests.conftest import ROOT
from tests.tidy.imports import WINGS, find_imports

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


def count_lines(wing: str) -> int:
    """The lines of Python in a wing."""
    paths = (ROOT / "host_tools" / wing).rglob("*.py")
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def names_in_hall() -> list[str]:
    """What lies directly in host_tools."""
    return sorted(path.name for path in (ROOT / "host_tools").iterdir() if path.name != "__pycache__")


def tell() -> list[str]:
    """The figures of docs/design.md, a row each."""
    graph = draw()
    circles, upward = find_circles(graph), find_upward(graph)
    return [
        "| figure | is | bar |", "|---|---:|---:|",
        f"| circles of files | {len(circles)} | 0 |",
        f"| imports upward | {len(upward)} | 0 |",
        f"| names under `host_tools/` | {len(names_in_hall())} | 14 |",
        f"| arrows between wings | {len(find_arrows(graph))} | 64 |",
    ]


if __name__ == "__main__":
    print("\n".join(tell()))
    print("\n".join(f"{wing:<9}{count_lines(wing):>7} lines" for wing, _ in WINGS))
