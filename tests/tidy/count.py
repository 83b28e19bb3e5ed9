"""Counts the house: lines of every wing, arrows between wings, names under host_tools. `python -m tests.tidy.count`."""

from collections import Counter

from tests.tidy.findings import project_files, read
from tests.tidy.imports import WINGS, find_imports

OUTSIDE = ("lab",)  # a wing that is not in the wheel


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


def count_arrows(files: list[str]) -> set[tuple[str, str]]:
    """(wing, the wing below that it imports), each once."""
    names = [name for name, _ in WINGS]
    found = set()
    for name in files:
        wing = name.split("/")[1] if name.startswith("host_tools/") else ""
        if wing in names:
            targets = [target for _, target in find_imports(read(name)) if target.startswith("host_tools.")]
            wanted = {target.split(".")[1] for target in targets}
            found |= {(wing, other) for other in wanted & set(names) - {wing}}
    return found


def main() -> None:
    """Print the figures of docs/design.md."""
    files = [name for name in project_files() if name.endswith(".py")]
    lines = count_lines(files)
    for room, count in sorted(lines.items(), key=lambda row: -row[1]):
        print(f"{room:12}{count:7,}")
    product = sum(count for room, count in lines.items() if room not in OUTSIDE)
    print(f"the product: {product:,} lines of Python")
    arrows = count_arrows(files)
    names = [name for name, _ in WINGS]
    upward = [(one, other) for one, other in arrows if names.index(one) > names.index(other)]
    print(f"between wings: {len(arrows)} arrows, {len(upward)} of them upward")
    print(f"names under host_tools: {len({name.split('/')[1] for name in files if name.startswith('host_tools/')})}")


if __name__ == "__main__":
    main()
