"""Writes a seat board into a folder: KiCad's files, picture, parts to order, places for the machine.

KiCad itself fills the ground, checks the board and plots it.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.maker.pcb import kicad_file, picture
from host_tools.maker.pcb.route import Tracks, route
from host_tools.maker.pcb.seat_board import HEIGHT, Part, make_parts, require_kind

NAME = "seat_board"
TITLE = "Cardtable seat board"
GERBERS = "gerber"
KICADS_PYTHON = "/usr/bin/python3"  # Debian's, which its KiCad extends
_PATIENCE_S = 300
_FOUND = re.compile(r"\*\* Found (\d+) (.+?) \*\*")


@cache
def design() -> tuple[list[Part], Tracks]:
    """The parts and tracks, the same each time; a second of a processor. Nobody changes them."""
    parts = make_parts()
    return parts, route(parts)


def has_kicad() -> bool:
    """Whether KiCad's own Python is here."""
    python = shutil.which(KICADS_PYTHON)
    if python is None:
        return False
    return subprocess.run([python, "-c", "import pcbnew"], capture_output=True, timeout=_PATIENCE_S).returncode == 0


def list_parts(parts: list[Part]) -> str:
    """bom.csv: what to order, one row for each number."""
    rows: dict[tuple[str, str, str, str], list[str]] = {}
    for part in parts:
        if part.order:
            value = "push button" if part.reference.startswith("SW") else part.value
            rows.setdefault((value, part.footprint.name, part.maker, part.order), []).append(part.reference)
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(("references", "count", "value", "footprint", "manufacturer", "manufacturer part number"))
    for (value, footprint, maker, order), references in rows.items():
        out.writerow((" ".join(references), len(references), value, footprint, maker, order))
    return text.getvalue()


def list_places(parts: list[Part]) -> str:
    """places.csv for a pick-and-place machine: millimetres from the lower left corner, all on the front."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(("Ref", "Val", "Package", "PosX", "PosY", "Rot", "Side"))
    for part in parts:
        if part.order and part.footprint.is_smd:
            out.writerow((part.reference, part.value, part.footprint.name.partition(":")[2], f"{part.x:.4f}",
                          f"{HEIGHT - part.y:.4f}", "0.0", "top"))
    return text.getvalue()


def write(board: Any, folder: Path, say: Callable[[str], object]) -> list[str]:
    """All files of the seat board of that table; what KiCad's own check finds wrong. UnusableInput."""
    require_kind(board)
    parts, tracks = design()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (
            (f"{NAME}.kicad_pcb", kicad_file.as_board(parts, tracks, TITLE)),
            (f"{NAME}.kicad_pro", kicad_file.as_project()), (f"{NAME}.svg", picture.draw(parts, tracks, TITLE)),
            ("bom.csv", list_parts(parts)), ("places.csv", list_places(parts)),
        ):
            (folder / name).write_text(text, encoding="utf-8")
            say(str(folder / name))
    except OSError as error:
        raise UnusableInput(f"{folder}: {error.strerror or error}") from error
    if not has_kicad():
        say("Gerber and drill files are plotted by KiCad, which is not here: install Debian's kicad and say this again,"
            f" or open {NAME}.kicad_pcb, press B to fill the ground, and plot.")
        return []
    return plot(folder / f"{NAME}.kicad_pcb", folder / GERBERS, say)


def plot(path: Path, folder: Path, say: Callable[[str], object]) -> list[str]:
    """Let KiCad fill, check and plot the board; what it finds wrong. UnusableInput if it does not."""
    folder.mkdir(parents=True, exist_ok=True)
    script = Path(__file__).with_name("kicad_side.py")
    done = subprocess.run([KICADS_PYTHON, str(script), str(path), str(folder)], capture_output=True, text=True,
                          timeout=_PATIENCE_S)
    report = folder / "drc.txt"
    if done.returncode or not report.exists():
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise UnusableInput(f"{path}: KiCad did not plot it: {last}")
    for one in sorted(folder.iterdir()):
        say(str(one))
    text = foreign.read_text(report)
    counts = _FOUND.findall(text)
    if not counts:
        raise UnusableInput(f"{report}: KiCad's report says nothing of what was found")
    say("KiCad found " + ", ".join(f"{count} {what}" for count, what in counts))
    found = re.findall(r"^\[(\w+)\]: (.+)$", text, re.MULTILINE)
    return [f"{kind}: {sentence}" for kind, sentence in found]
