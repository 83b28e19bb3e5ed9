"""Writes the pages and pictures of boards; what is on them is in page.py and drawing.py."""

from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.maker.board.case import Case
from host_tools.maker.board.case import draw as draw_case
from host_tools.maker.board.drawing import draw
from host_tools.maker.board.netlist import as_kicad
from host_tools.maker.board.page import as_markdown, index
from host_tools.base.errors import UnusableInput

PAGES = "docs/boards"  # of a clone


def files(board: Any) -> dict[str, str]:
    """The files of one board: name and text."""
    return {f"{board.NAME}.md": as_markdown(board), f"{board.NAME}.svg": draw(board),
            f"{board.NAME}.net": as_kicad(board)}


def all_files(boards: list[Any]) -> dict[str, str]:
    """The files of all boards, and the page that lists them."""
    found = {"README.md": index(boards), "seat_unit.svg": draw_case(Case())}
    for board in boards:
        found |= files(board)
    return found


def write(boards: list[Any], folder: Path) -> list[Path]:
    """Write them; the paths. UnusableInput if the folder is for something else."""
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "README.md"
    if page.exists() and not foreign.read_text(page).startswith(index([]).split("\n")[0]):
        raise UnusableInput(f"{page} is there, and is no page of boards: name another folder")
    written = []
    for name, text in all_files(boards).items():
        (folder / name).write_text(text, encoding="utf-8")
        written.append(folder / name)
    return written
