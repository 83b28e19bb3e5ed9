"""Answers that pages of records get from the process aside: frames, sheets, whole games as text. Each is a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from host_tools.base.workers import progress
from host_tools.minds.analysis.served import find_decisions, make_figures
from host_tools.look.answer import answer
from host_tools.look.bundle import cards_in
from host_tools.look.frames import make_frames
from host_tools.look.library import Library, export
from host_tools.sight.recorded import ALL, PUBLIC, Recorded
from host_tools.look.sheet import make_sheet


def frames_text(name: str, content: bytes, language: str, reader: str, analyses: bool, folder: Path | None,
                given: dict[str, Any] | None) -> str:
    """The game that the replay's page shows, with its mistakes if it was analysed, or if `analyses`. reader: the only
    one to whom it is shown, or empty. given: figures that the caller has. UnusableInput."""
    record = Recorded(name, content)
    readers = [record.reader(reader)] if reader else None
    analysis = given or find_decisions(record, folder)
    if (analysis is None or "is_part" in analysis) and analyses and reader != PUBLIC:
        analysis = make_figures(record, folder, tell=progress.tell)
    frames = make_frames(record, language, readers, analysis)
    pictures = {card: f"/page/cards/{card}.svg" for card in cards_in(frames)}
    return json.dumps({**frames, "pictures": pictures})


def sheet_text(name: str, content: bytes, line: int, reader: str, language: str) -> str:
    """One line's sheet, to print. reader: empty for the one who sees most. UnusableInput."""
    record = Recorded(name, content)
    wanted = reader or (ALL if record.is_over else PUBLIC)
    return make_sheet(answer(record, record.reader(wanted), line, language))


_libraries: dict[tuple[str, str], Library] = {}  # of this process, with what they have read


def games_text(folder: str, language: str, names: list[str]) -> str:
    """Those games of the folder, to read. UnusableInput."""
    library = _libraries.setdefault((folder, language), Library(Path(folder), language))
    wanted = set(names)
    return export(library, [entry for entry in library.entries() if entry.name in wanted], ".txt")
