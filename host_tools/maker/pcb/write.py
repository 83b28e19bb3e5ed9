"""Writes a seat board and a hub into a folder: KiCad's files, pictures, parts to order, places for the machine.

KiCad itself fills the ground, checks board and schematics, and plots. What somebody changed by hand is not written
over: each folder keeps the sums of its board and schematic.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.maker.pcb import kicad, kicad_file, picture, schematic
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
REPORTS = ("drc.json", "erc.json")
SUMS = "written.sha256"  # as `sha256sum --check` reads it
_BY_HAND = (".kicad_pcb", ".kicad_sch")


@cache
def design() -> Design:
    """The seat board, the same each time; a second of a processor. Nobody changes it."""
    parts = make_parts()
    return Design(NAME, TITLE, parts, route(parts))


@cache
def design_hub(board: Any) -> tuple[Design, tuple[Symbol, ...]]:
    """The hub of that table with its parts' pins; five to ten seconds of a processor. UnusableInput."""
    hub = Hub(board)
    parts = hub.place()
    tracks = Lanes(parts, hub.outline, PLANES, WIDE_NETS, hub.areas).run()
    planes = tuple((net, f"In{number}.Cu") for number, net in enumerate(PLANES, 1))
    title = f"Cardtable hub {board.NAME}"
    return Design(HUB, title, parts, tracks, hub.outline, planes, hub.areas, hub.notes), tuple(symbols_of_hub(hub))


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
    checks find wrong. UnusableInput, also if somebody has changed by hand what lies there."""
    require_kind(board)
    try:
        for name, place in ((NAME, folder), (HUB, folder / HUB), (TABLE, folder / TABLE)):
            _require_unchanged(name, place)
        folder.mkdir(parents=True, exist_ok=True)  # one that cannot be is said before the work, not behind it
        return _write_all(board, folder, say)
    except OSError as error:
        raise UnusableInput(f"{error.filename or folder}: {error.strerror or error}") from error


def _write_all(board: Any, folder: Path, say: Callable[[str], object]) -> list[str]:
    seat, (hub, pins_of_hub) = design(), design_hub(board)
    whole = schematic_files(TABLE, f"Cardtable {board.NAME}", symbols_of_table(board))
    found = _write_board(seat, symbols_of_seat(seat.parts), folder, say)
    found += _write_board(hub, list(pins_of_hub), folder / HUB, say)
    _sweep(TABLE, folder / TABLE)
    _keep(whole, folder / TABLE, say)
    if not kicad.is_there():
        say(f"Gerber and drill files are plotted by KiCad {kicad.OLDEST} or newer, which is not here. Install it and"
            f" say this again, or open {NAME}.kicad_pro and {HUB}/{HUB}.kicad_pro, press B to fill the planes, and"
            " plot.")
        return []
    return [*found, *kicad.check_schematic(folder / TABLE / f"{TABLE}.kicad_sch", folder / TABLE / "erc.json", say)]


def _write_board(one: Design, symbols: list[Symbol], folder: Path, say: Callable[[str], object]) -> list[str]:
    _sweep(one.name, folder)
    open_nets = {end: net for symbol in symbols for end, net in symbol.open_nets().items()}
    _keep(((f"{one.name}.kicad_pcb", kicad_file.as_board(one, open_nets)),
           *schematic_files(one.name, one.title, symbols, one), (f"{one.name}.svg", picture.draw(one)),
           ("bom.csv", list_parts(one)), ("places.csv", list_places(one))), folder, say)
    if not kicad.is_there():
        return []
    board = folder / f"{one.name}.kicad_pcb"
    kicad.fill(board)
    _sum_up(one.name, folder)
    kicad.plot(board, folder / GERBERS, one.layers)
    for path in sorted((folder / GERBERS).iterdir()):
        say(str(path))
    return [*kicad.check_board(board, folder / "drc.json", say),
            *kicad.check_schematic(folder / f"{one.name}.kicad_sch", folder / "erc.json", say)]


def _keep(files: Iterable[tuple[str, str]], folder: Path, say: Callable[[str], object]) -> None:
    """Write them, and the sums of what people change by hand."""
    folder.mkdir(exist_ok=True)
    for name, text in files:
        (folder / name).write_text(text, encoding="utf-8")
        say(str(folder / name))
        if name.endswith(_BY_HAND):
            _sum_up(name.partition(".")[0], folder)


def _find_sums(name: str, folder: Path) -> list[str]:
    found = [folder / f"{name}{ending}" for ending in _BY_HAND]
    return [f"{hashlib.sha256(foreign.read_bytes(path)).hexdigest()}  {path.name}" for path in found if path.is_file()]


def _sum_up(name: str, folder: Path) -> None:
    (folder / SUMS).write_text("".join(f"{row}\n" for row in _find_sums(name, folder)), encoding="utf-8")


def _require_unchanged(name: str, folder: Path) -> None:
    kept = foreign.read_text(folder / SUMS).splitlines() if (folder / SUMS).is_file() else []
    changed = [row.split()[1] for row in _find_sums(name, folder) if row not in kept]
    if changed:
        raise UnusableInput(f"{folder / changed[0]} is not as `board pcb` wrote it: somebody has changed it since, or"
                            " an older version wrote it. Move it away, or name another folder.")


def _sweep(name: str, folder: Path) -> None:
    """Take away what was plotted and found of the board that lay there: a fabricator would get the old one."""
    for path in [*(folder / GERBERS).glob(f"{name}-*"), *(folder / report for report in REPORTS)]:
        path.unlink(missing_ok=True)


def schematic_files(name: str, title: str, symbols: list[Symbol], one: Design | None = None
                    ) -> tuple[tuple[str, str], ...]:
    """The files of a project's schematic: it, its library, the table that names the library, the project's own."""
    rules = (one.tracks.track, one.tracks.via, one.tracks.drill) if one else ()
    return ((f"{name}.kicad_sch", schematic.draw(symbols, title)),
            (f"{schematic.LIBRARY}.kicad_sym", schematic.as_library(symbols)),
            ("sym-lib-table", schematic.as_library_table()), (f"{name}.kicad_pro", kicad_file.as_project(*rules)))
