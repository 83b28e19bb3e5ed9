"""The program of the published page: what of this project and of its packages runs in the page's worker."""

from __future__ import annotations

from pathlib import Path

from host_tools.base import extras, foreign
from host_tools.base.project import BOARDS, FIRMWARE, HOST, ROOT, SHIMS

# Rooms that a table in a page never enters, and what is for developers, makers and servers.
LEFT_OUT = (
    "club/", "commands/", "lab/", "maker/", "base/fast/build", "base/fast/declare", "base/fast/infer", "play/scripted/",
    "play/readers/pcsc", "play/readers/usb", "play/terminal", "play/web/door", "play/web/hall", "play/web/metrics",
    "play/web/page/",
    "play/web/words/", "play/web/place", "play/web/run",
    "play/web/serve", "play/web/server", "play/web/twin", "play/web/visitor", "look/beside", "look/learn.py",
    "look/site", "look/watch",
    "look/screenshot", "look/collect", "look/published/build", "look/published/page/", "look/published/pages",
    "look/published/program", "look/published/python_side", "minds/arena/", "minds/corpus/", "virtual/serial_board",
    "virtual/maker",
)
KEPT = ("maker/__init__.py", "maker/board/__init__.py", "maker/board/svg.py")  # of them: it draws sheets
PACKAGES = ("click", "openskill")
AS_IT_IS = "as_it_is/"  # read as a text by the program itself, and so not compiled


def list_program() -> dict[str, bytes]:
    """Each file by its name below the program's folder."""
    found: dict[str, bytes] = {}
    for path in tree(HOST):
        name = path.relative_to(HOST).as_posix()
        if path.suffix in (".py", ".txt", ".json", ".rec") and (name in KEPT or not name.startswith(LEFT_OUT)):
            found[f"{AS_IT_IS if path.is_relative_to(SHIMS) else ''}host_tools/{name}"] = foreign.read_bytes(path)
    for path in tree(FIRMWARE / "cardtable"):
        found[f"firmware/cardtable/{path.relative_to(FIRMWARE / 'cardtable').as_posix()}"] = foreign.read_bytes(path)
    found[f"{AS_IT_IS}firmware/main.py"] = foreign.read_bytes(FIRMWARE / "main.py")
    for name in ("__init__.py", "virtual.py"):
        found[f"boards/{name}"] = foreign.read_bytes(BOARDS / name)
    rules = ROOT / "docs" / "rules"
    for path in tree(rules):
        found[f"docs/rules/{path.relative_to(rules).as_posix()}"] = foreign.read_bytes(path)
    example = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"
    found[example.relative_to(ROOT).as_posix()] = foreign.read_bytes(example)
    for name in PACKAGES:
        found.update(list_package(name))
    return found


def list_package(name: str) -> dict[str, bytes]:
    """The modules of an installed package, of any that is Python alone. UnusableInput where it is not installed."""
    home = Path(extras.need(name, "the site").__file__).parent
    return {f"{name}/{path.relative_to(home).as_posix()}": foreign.read_bytes(path)
            for path in tree(home) if path.suffix == ".py"}


def tree(folder: Path) -> list[Path]:
    """The files below the folder, in order."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
