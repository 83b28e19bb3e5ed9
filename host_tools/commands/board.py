"""`cardtable board`: checks boards, shows and draws them; what is known of boards is in host_tools/maker/board/."""

from pathlib import Path
from typing import Any

import click

from host_tools.base import foreign


def tell_faults(board: Any) -> bool:
    """Whether the board is wrong; each sentence about it is said."""
    from host_tools.maker.board.check import check as find_faults

    found = find_faults(board)
    for sentence in found:
        foreign.say(f"{board.NAME}: {sentence}")
    return bool(found)


@click.group(short_help="Check, show and draw the boards.")
def command() -> None:
    """Check, show and draw boards. A board is a file of plain data, boards/NAME.py."""


@command.command("list", short_help="Name the boards that there are.")
def list_boards() -> int:
    """Name each board with its title.

    Exit codes: 0 told.
    """
    from host_tools.maker.board.load import load, names

    for name in names():
        foreign.say(f"{name}: {getattr(load(name), 'TITLE', 'TITLE is missing')}")
    return 0


@command.command(short_help="Find pins that cannot work.")
@click.argument("name", required=False)
def check(name: str | None) -> int:
    """Check one board, or all: pins that are taken, cannot drive or are straps, pins with two uses, hosts of buses, one
    reader, light and four buttons a seat.

    Exit codes: 0 right, 1 wrong, 2 no such board, its NAME is not that of its file, or Python
    cannot read it.
    """
    from host_tools.maker.board.load import load, names
    from host_tools.maker.board.wires import find_wires

    is_wrong = False
    for one in names() if name is None else [name]:
        board = load(one)
        if tell_faults(board):
            is_wrong = True
        else:
            foreign.say(f"{one}: right, {board.SEATS} seats on {len(find_wires(board))} pins")
    return 1 if is_wrong else 0


@command.command(short_help="Show wires, parts and power.")
@click.argument("name")
def show(name: str) -> int:
    """Show one board: where each wire goes, what to buy, how much current it takes.

    Exit codes: 0 right, 1 the board is wrong, 2 no such board.
    """
    from host_tools.maker.board import page
    from host_tools.maker.board.load import load

    board = load(name)
    if tell_faults(board):
        return 1
    foreign.say_lines(page.as_text(board))
    return 0


@command.command(short_help="Write the pages and pictures.")
@click.option("--to", "folder", type=foreign.PathName(path_type=Path, file_okay=False),
              help="Write here instead of docs/boards.")
def docs(folder: Path | None) -> int:
    """Write into docs/boards, from the board files: of each board that can be built its page NAME.md, its picture
    NAME.svg and its KiCad netlist NAME.net; README.md, which lists them, and seat_unit.svg, the case of a seat.

    Exit codes: 0 right, 1 a board is wrong, 2 there is no clone, or a folder that is for something else.
    """
    from host_tools.maker.board.docs import PAGES, write
    from host_tools.base.project import find_in_clone
    from host_tools.maker.board.load import VIRTUAL, load, names

    boards = [load(name) for name in names() if name != VIRTUAL]
    if any([tell_faults(board) for board in boards]):
        return 1
    for path in write(boards, folder or find_in_clone(PAGES)):
        foreign.say(str(path))
    return 0


@command.command(short_help="Write a printable case for a seat.")
@click.option("--to", "folder", type=foreign.PathName(path_type=Path, file_okay=False),
              help="Write here; by default build/case.")
@click.option("--wall", type=foreign.Number(1, 10), default=2.0, show_default=True, help="Millimetres.")
@click.option("--height", type=foreign.Number(12, 100), default=24.0, show_default=True, help="Millimetres.")
@click.option("--key", type=foreign.Number(3, 25), default=12.4, show_default=True, help="A key's square hole.")
@click.option("--pitch", type=foreign.Number(8, 40), default=19.0, show_default=True, help="From key to key.")
def case(folder: Path | None, wall: float, height: float, key: float, pitch: float) -> None:
    """Write seat_shell.stl, seat_floor.stl and a drawing of the top. Nobody has printed them yet."""
    from host_tools.maker.board.case import Case, as_stl, bodies, draw
    from host_tools.base.project import BUILD

    sizes = Case(wall=wall, height=height, key=key, key_pitch=max(pitch, key + 1))
    target = folder or BUILD / "case"
    target.mkdir(parents=True, exist_ok=True)
    for name, body in bodies(sizes).items():
        (target / f"{name}.stl").write_bytes(as_stl(body))
        foreign.say(str(target / f"{name}.stl"))
    (target / "seat_unit.svg").write_text(draw(sizes), encoding="utf-8")
    foreign.say(str(target / "seat_unit.svg"))

@command.command(short_help="Write a circuit board to order.")
@click.argument("name")
@click.option("--to", "folder", type=foreign.PathName(path_type=Path, file_okay=False), required=True,
              help="Write into this folder.")
def pcb(name: str, folder: Path) -> int:
    """Write the seat board of a table and its hub: of each a KiCad project, a picture of both sides, the parts to
    order, places for the machine; the schematic of the whole table; where KiCad 9 or newer is installed also Gerber and
    drill files, and what its checks find (DRC, ERC).

    A table is one hub, a seat board for each seat, and as many cables of 16 wires. A seat board has the header of an
    RC522, its gate, four buttons and a light; the hub sockets for the module, shift registers, supply and fuse.

    Exit codes: 0 right, 1 the board is wrong, or KiCad found something, 2 no such board, or one that the seat board
    does not fit.
    """
    from host_tools.maker.board.load import load
    from host_tools.maker.pcb.write import write

    board = load(name)
    if tell_faults(board):
        return 1
    found = write(board, folder, foreign.say)
    for sentence in found:
        foreign.say(sentence)
    return 1 if found else 0
