"""Finds and loads board files by name."""

import importlib
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.base.project import BOARDS

VIRTUAL = "virtual"  # drawn and built by nobody


def names() -> list[str]:
    """All boards, in the order of the alphabet."""
    return sorted(path.stem for path in BOARDS.glob("[a-z]*.py"))


def load(name: str) -> Any:
    """The board's module. UnusableInput where there is none, or where it calls itself otherwise, as a copied file does:
    its pages and circuit boards would be those of another."""
    if name not in names():
        raise UnusableInput(f"there is no board {name} in boards/: there are {', '.join(names())}")
    board = importlib.import_module(f"boards.{name}")
    said = getattr(board, "NAME", None)
    if said != name:
        raise UnusableInput(f"boards/{name}.py says NAME = {said!r}: it has to be the name of its file, {name!r}")
    return board
