"""Finds and loads board files by name."""

import importlib
import traceback
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.project import BOARDS

VIRTUAL = "virtual"  # drawn and built by nobody


def names() -> list[str]:
    """All boards, in the order of the alphabet."""
    return sorted(path.stem for path in BOARDS.glob("[a-z]*.py"))


def load(name: str) -> Any:
    """The board's module. UnusableInput where there is none, where it is no Python, or where it calls itself otherwise,
    as a copied file does: its pages and circuit boards would be those of another."""
    if name not in names():
        raise UnusableInput(f"there is no board {name} in boards/: there are {', '.join(names())}")
    try:
        board = importlib.import_module(f"boards.{name}")
    except Exception as wrong:  # a maker's own file: whatever stands in it
        reason = foreign.shorten(str(wrong), 200)
        raise UnusableInput(f"boards/{name}.py, line {find_line(wrong)}: {reason}. A board is constants alone, as in"
                            " boards/virtual.py, and imports nothing") from wrong
    said = getattr(board, "NAME", None)
    if said != name:
        raise UnusableInput(f"boards/{name}.py says NAME = {said!r}: it has to be the name of its file, {name!r}")
    return board


def find_line(wrong: Exception) -> int:
    """The line of a board's file where it cannot be read."""
    if isinstance(wrong, SyntaxError):
        return wrong.lineno or 1
    return traceback.extract_tb(wrong.__traceback__)[-1].lineno or 1
