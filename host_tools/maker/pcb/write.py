"""Writes a seat board and a hub into a folder: KiCad's files, pictures, parts to order, places for the machine.

KiCad itself fills the ground, checks board and schematics, and plots.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.maker.pcb import kicad, kicad_file, picture, schematic
from host_tools.maker.board.load import load
from host_tools.maker.pcb.hub import PLANES, WIDE_NETS, Hub
from host_tools.maker.pcb.lanes import Lanes
from host_tools.maker.pcb.pins import Symbol, symbols_of_hub, symbols_of_seat, symbols_of_table
from host_tools.maker.pcb.route import Design, route
from host_tools.maker.pcb.seat_board import make_parts, require_kind

NAME = "seat_board"
TITLE = "Cardtable seat board"
HUB = "hub"
TABLE = "table"
GERBERS = "gerber"


@cache
def design() -> Design:
    """The seat board, the same each time; a second of a processor. Nobody changes it."""
    parts = make_parts()
    return Design(NAME, TITLE, parts, route(parts))


@cache
def design_hub(board_name: str) -> tuple[Design, tuple[Symbol, ...]]:
    """The hub of that table with its parts' pins; five to ten seconds of a processor. UnusableInput."""
    hub = Hub(load(board_name))
    parts = hub.place()
    tracks = Lanes(parts, hub.outline, PLANES, WIDE_NETS).run()
    planes = tuple((net, f"In{number}.Cu") for number, net in enumerate(PLANES, 1))
    return Design(HUB, f"Cardtable hub {board_name}", parts, tracks, hub.outline, planes), tuple(symbols_of_hub(hub))


def list_parts(one: Design) -> str:
    """bom.csv: what to order, one row for each number."""
    rows: dict[tuple[str, str, str, str], list[str]] = {}
    for part in one.parts:
        if part.order:
            kind = part.footprint.name.partition(":")[2].partition("_")[0]  # of a connector: it stands for no value
            value = "push button" if part.reference.startswith("SW") else kind if "Pin" in kind or "IDC" in kind \
                else part.value
            rows.setdefault((value, part.footprint.name, part.maker, part.order), []).append(part.reference)
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(("references", "count", "value", "footprint", "manufacturer", "manufacturer part number"))
    for (value, footprint, maker, order), references in rows.items():
        out.writerow((" ".join(references), len(references), value, footprint, maker, order))
    return text.getvalue()


def list_places(one: Design) -> str:
    """places.csv for a pick-and-place machine: millimetres from the lower left corner, all on the front."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(("Ref", "Val", "Package", "PosX", "PosY", "Rot", "Side"))
    for part in one.parts:
        if part.order and part.footprint.is_smd:
            out.writerow((part.reference, part.value, part.footprint.name.partition(":")[2], f"{part.x:.4f}",
                          f"{one.outline.height - part.y:.4f}", "0.0", "top"))
    return text.getvalue()


def write(board: Any, folder: Path, say: Callable[[str], object]) -> list[str]:
    """All files of the seat board and the hub of that table, and the schematic of the whole table; what KiCad's own
    checks find wrong. UnusableInput."""
    require_kind(board)
    _keep((), folder, say)  # a folder that cannot be written to is said before the work, not behind it
    seat, (hub, pins_of_hub) = design(), design_hub(board.NAME)
    whole = schematic_files(TABLE, f"Cardtable {board.NAME}", symbols_of_table(board))
    found = _write_board(seat, symbols_of_seat(seat.parts), folder, say)
    found += _write_board(hub, list(pins_of_hub), folder / HUB, say)
    _keep(whole, folder / TABLE, say)
    if not kicad.is_there():
        say(f"Gerber and drill files are plotted by KiCad {kicad.OLDEST} or newer, which is not here. Install it and"
            f" say this again, or open {NAME}.kicad_pro and {HUB}/{HUB}.kicad_pro, press B to fill the planes, and"
            " plot.")
        return []
    return [*found, *kicad.check_schematic(folder / TABLE / f"{TABLE}.kicad_sch", folder / TABLE / "erc.json", say)]


def _write_board(one: Design, symbols: list[Symbol], folder: Path, say: Callable[[str], object]) -> list[str]:
    open_nets = {end: net for symbol in symbols for end, net in symbol.open_nets().items()}
    _keep(((f"{one.name}.kicad_pcb", kicad_file.as_board(one, open_nets)),
           *schematic_files(one.name, one.title, symbols, one), (f"{one.name}.svg", picture.draw(one)),
           ("bom.csv", list_parts(one)), ("places.csv", list_places(one))), folder, say)
    if not kicad.is_there():
        return []
    board = folder / f"{one.name}.kicad_pcb"
    kicad.fill(board)
    kicad.plot(board, folder / GERBERS, one.layers)
    for path in sorted((folder / GERBERS).iterdir()):
        say(str(path))
    return [*kicad.check_board(board, folder / "drc.json", say),
            *kicad.check_schematic(folder / f"{one.name}.kicad_sch", folder / "erc.json", say)]


def _keep(files: Iterable[tuple[str, str]], folder: Path, say: Callable[[str], object]) -> None:
    try:
        (folder / GERBERS).mkdir(parents=True, exist_ok=True)
        for name, text in files:
            (folder / name).write_text(text, encoding="utf-8")
            say(str(folder / name))
    except OSError as error:
        raise UnusableInput(f"{folder}: {error.strerror or error}") from error


def schematic_files(name: str, title: str, symbols: list[Symbol], one: Design | None = None
                    ) -> tuple[tuple[str, str], ...]:
    """The files of a project's schematic: it, its library, the table that names the library, the project's own."""
    rules = (one.tracks.track, one.tracks.via, one.tracks.drill) if one else ()
    return ((f"{name}.kicad_sch", schematic.draw(symbols, title)),
            (f"{schematic.LIBRARY}.kicad_sym", schematic.as_library(symbols)),
            ("sym-lib-table", schematic.as_library_table()), (f"{name}.kicad_pro", kicad_file.as_project(*rules)))
