"""Writes the pages and pictures of boards; what is on them is in page.py and drawing.py."""

from pathlib import Path
from typing import Any

from host_tools.board.drawing import draw
from host_tools.board.page import as_markdown

PAGES = Path(__file__).resolve().parents[2] / "docs" / "boards"


def files(board: Any) -> dict[str, str]:
    """The files of one board: name and text."""
    return {f"{board.NAME}.md": as_markdown(board), f"{board.NAME}.svg": draw(board)}


def write(board: Any, folder: Path) -> list[Path]:
    """Write them; the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in files(board).items():
        (folder / name).write_text(text, encoding="utf-8")
        written.append(folder / name)
    return written
