"""Writes a seat board into a folder: KiCad's files, picture, parts to order, places for the machine.

KiCad itself fills the ground, checks board and schematics, and plots.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.maker.pcb import kicad, kicad_file, picture, schematic
from host_tools.maker.pcb.pins import Symbol, symbols_of_seat, symbols_of_table
from host_tools.maker.pcb.route import Tracks, route
from host_tools.maker.pcb.seat_board import HEIGHT, Part, make_parts, require_kind

NAME = "seat_board"
TITLE = "Cardtable seat board"
TABLE = "table"
GERBERS = "gerber"


@cache
def design() -> tuple[list[Part], Tracks]:
    """The parts and tracks, the same each time; a second of a processor. Nobody changes them."""
    parts = make_parts()
    return parts, route(parts)


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
    """All files of the seat board of that table, and the schematic of the whole table; what KiCad's own checks find
    wrong. UnusableInput."""
    require_kind(board)
    parts, tracks = design()
    seat, whole = symbols_of_seat(parts), symbols_of_table(board)
    open_nets = {end: net for one in seat for end, net in one.open_nets().items()}
    try:
        for name, text in (
            (f"{NAME}.kicad_pcb", kicad_file.as_board(parts, tracks, TITLE, open_nets)),
            *schematic_files(NAME, TITLE, seat),
            (f"{NAME}.svg", picture.draw(parts, tracks, TITLE)),
            ("bom.csv", list_parts(parts)), ("places.csv", list_places(parts)),
            *((f"{TABLE}/{name}", text) for name, text in schematic_files(TABLE, f"Cardtable {board.NAME}", whole)),
        ):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
            say(str(folder / name))
        (folder / GERBERS).mkdir(exist_ok=True)
    except OSError as error:
        raise UnusableInput(f"{folder}: {error.strerror or error}") from error
    if not kicad.is_there():
        say(f"Gerber and drill files are plotted by KiCad {kicad.OLDEST} or newer, which is not here. Install it and"
            f" say this again, or open {NAME}.kicad_pro, press B to fill the ground, and plot.")
        return []
    kicad.fill(folder / f"{NAME}.kicad_pcb")
    kicad.plot(folder / f"{NAME}.kicad_pcb", folder / GERBERS)
    for one in sorted((folder / GERBERS).iterdir()):
        say(str(one))
    return [*kicad.check_board(folder / f"{NAME}.kicad_pcb", folder / "drc.json", say),
            *kicad.check_schematic(folder / f"{NAME}.kicad_sch", folder / "erc.json", say),
            *kicad.check_schematic(folder / TABLE / f"{TABLE}.kicad_sch", folder / TABLE / "erc.json", say)]


def schematic_files(name: str, title: str, symbols: list[Symbol]) -> tuple[tuple[str, str], ...]:
    """The files of a project's schematic: it, its library, the table that names the library, the project's own."""
    return ((f"{name}.kicad_sch", schematic.draw(symbols, title)),
            (f"{schematic.LIBRARY}.kicad_sym", schematic.as_library(symbols)),
            ("sym-lib-table", schematic.as_library_table()), (f"{name}.kicad_pro", kicad_file.as_project()))
