"""A board's page: parts, wires, power and antennas as text and as Markdown, written from the board file alone."""

from typing import Any

from host_tools.maker.board import parts_list, power
from host_tools.maker.board.joints import Joints
from host_tools.maker.board.modules import MODULES
from host_tools.maker.board.wires import GROUPS, SCREEN, find_reach, find_wires

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]  # heads, rows

_ANTENNAS = (
    "Lay the coils flat under the table top, each under a marked slot of its own size: RC522 boards read 10 to 20 mm "
    "through wood, and one card at a time.",
    "Keep coils at least 100 mm apart, centre to centre: at 80 mm a neighbour's tag has been read. The firmware has "
    "one field on at a time and believes registered tags after two equal reads, which helps, but does not replace "
    "distance.",
    "No metal within 20 mm of a coil, above or below: no screws, no foil, no steel legs.",
    "Test one tag on every reader before you glue sixty: small coils on cheap readers hardly reach small tags. A wet "
    "inlay of 30 to 40 mm reads farther than a 25 mm sticker; bigger inductors L1 and L2 on the reader help too.",
    "Cards lie flat and one at a time; which side is up does not matter. Two tags on one reader take each other's "
    "field and read as nothing or as rubbish. Foil cards and metal sleeves are never read.",
    "Where metal cannot go, lay a ferrite sheet between it and the coil.",
)


def wiring(board: Any) -> Table:
    """Every wire, in the order of what it serves."""
    module = MODULES[board.MODULE]
    where = {
        name: f"{side} {number}"
        for side, pins in zip(("left", "right"), module.headers, strict=True) for number, name in enumerate(pins, 1)
    }
    wires = sorted(find_wires(board), key=lambda wire: GROUPS.index(wire.group))
    joints = Joints(board)
    reach = f", {find_reach(board.I2C[board.SCREEN['i2c']]['freq'])} of cable at most"
    rows: list[tuple[str, ...]] = [(f"GPIO {wire.pin}", where.get(str(wire.pin), "-"), wire.signal,
             joints.tell_pin(wire.pin) + reach * (wire.group == SCREEN)) for wire in wires]
    rows += [(start, "", signal, to) for start, signal, to in joints.list_rows()]
    return ("pin", "header", "signal", "goes to"), rows


_EXPLAINED = (
    "A *gate* is a 74LVC1G125, one at each reader: it lets a reader speak on the common MISO only while that "
    "reader is selected. The *sentinel* is four inputs behind the last buttons that are wired to fixed levels: when "
    "they read otherwise, the firmware knows that a wire of the buttons is loose, and takes no press for real."
)
_BUS = (
    "One reader before each seat makes 3 to 4 m of bus. Lead it past the seats as one line, without branches; "
    "1 MHz carries that far. (The hub of the circuit boards has a cable to each seat instead, a star: only hardware "
    "will show how long they may be.) Put 47 Ohm into SCK and MOSI where they leave the module.",
    "Lay a ground wire beside SCK (twisted with it, as a pair of a network cable is), and one beside MISO.",
    "Each 74LVC1G125 sits at its reader, not at the module: only a short wire is then behind the gate. Without a "
    "circuit board it needs an adapter from SOT-23-5; a 74HC125 at each reader does as well, three "
    "of its gates unused, their inputs at ground.",
    "Nobody drives MISO between two questions: 10 k to 3.3 V holds it up. The firmware switches on the pin's own "
    "pull-up as well, which is weaker.",
    "Supply and ground go through wires of 0.5 mm2 or more; 10 uF and 100 nF at each reader, 100 nF at each logic "
    "chip, 100 uF at the first light.",
    "If readers still misread, the table halves the clock by itself, to 125 kHz at worst, and the doctor says so; "
    "`baudrate` in the board file sets where it begins.",
)


def parts(board: Any) -> Table:
    """What to buy."""
    listed = parts_list.count_parts(board)
    rows: list[tuple[str, ...]] = [(str(part.count), part.what, part.why, f"{part.dollars:g}") for part in listed]
    rows.append(("", "all of it", "", f"{parts_list.total(listed)}"))
    return ("count", "part", "for", "about $ each"), rows


def power_budget(board: Any) -> Table:
    """What it takes."""
    loads = power.budget(board)
    rows: list[tuple[str, ...]] = [
        (load.what, load.volts, f"{load.typical_ma:.0f}", f"{load.most_ma:.0f}") for load in loads
    ]
    for volts in ("3.3 V", "5 V"):
        typical, most = power.rail(loads, volts)
        rows.append((f"all of {volts}", volts, str(typical), str(most)))
    return ("load", "rail", "typical mA", "at most mA"), rows


def as_text(board: Any) -> str:
    """All of it for a terminal."""
    blocks = [f"{board.TITLE} ({board.NAME}), {MODULES[board.MODULE].devkit}"]
    for title, table in (("Wires", wiring(board)), ("Parts", parts(board)), ("Power", power_budget(board))):
        blocks.append(title + "\n" + _columns(table))
    blocks.append("\n".join(power.advice(board)))
    return "\n\n".join(blocks)


def _columns(table: Table) -> str:
    heads, rows = table
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    lines = [heads, tuple("-" * width for width in widths), *rows]
    return "\n".join(
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def as_markdown(board: Any) -> str:
    """The page docs/boards/NAME.md."""
    module = MODULES[board.MODULE]
    blocks = [
        f"# {board.TITLE}",
        f"`cardtable board docs` writes this page from [boards/{board.NAME}.py](../../boards/{board.NAME}.py). We have "
        "not built this board yet. It has only run as a virtual table: "
        f"`cardtable table --board {board.NAME}`.",
        f"![How the parts of {board.TITLE} are wired]({board.NAME}.svg)",
        f"Instead of wiring by hand you can order circuit boards: `cardtable board pcb {board.NAME} --to FOLDER` "
        "writes a hub and a seat board. None has been ordered yet; read [what we know of "
        "them](../which-board.md#circuit-boards-to-order) first. "
        f"To lay out one of your own, start from the [KiCad netlist]({board.NAME}.net), which has the same wiring as "
        "this page. Each part has one of KiCad's own footprints (version 9): two sockets for the module, pin headers "
        "for the cables to readers, buttons, lights and screens. The pads carry the names of the parts' pins: compare "
        "the order with what is printed on yours, and measure the distance between your module's two rows of pins. "
        "[The first day](../bring-up.md) gives the order of assembly, with a test after each step.",
        "## Wires",
        f"Header pins are numbered from the antenna end of the {module.devkit}. The last rows have supply and ground.",
        _EXPLAINED,
        _markdown(wiring(board)),
        "## Parts",
        "Prices are rough: see [which board](../which-board.md) for where they come from.",
        _markdown(parts(board)).replace("docs/flashing.md", "[flashing](../flashing.md)"),
        "## Power",
        _markdown(power_budget(board)),
        "\n".join(f"- {sentence}" for sentence in power.advice(board)),
        "## The readers' bus",
        "\n".join(f"- {sentence}" for sentence in _BUS),
        "## Antennas",
        "\n".join(f"- {sentence}" for sentence in _ANTENNAS),
    ]
    return "\n\n".join(blocks) + "\n"


def index(boards: list[Any]) -> str:
    """The page docs/boards/README.md."""
    rows: list[tuple[str, ...]] = []
    for board in boards:
        screens = "one a seat" if "switch" in board.SCREEN else "one for all"
        decoder = board.SELECT["chip"].upper() if getattr(board, "SELECT", None) else ""
        has_pins = any("select" in reader for reader in board.READERS)
        selects = (f"{decoder} and pins" if has_pins else decoder) if decoder else "a pin each"
        _, most = power.rail(power.budget(board), "3.3 V")
        dollars = parts_list.total(parts_list.count_parts(board))
        link, devkit = f"[{board.TITLE}]({board.NAME}.md)", MODULES[board.MODULE].devkit
        rows.append((link, str(board.SEATS), devkit, selects, screens, str(most), str(dollars)))
    return "\n\n".join([
        "# Boards",
        "Written by `cardtable board docs` from the files in [boards/](../../boards/). Each page has wires, a picture, "
        "parts, power and antennas; `cardtable board check` says why a pin cannot work, and "
        "[contributing](../contributing.md) how to add a board.",
        _markdown((("board", "seats", "module", "readers selected by", "screens", "mA of 3.3 V", "about $"), rows)),
    ]) + "\n"


def _markdown(table: Table) -> str:
    heads, rows = table
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(cell or " " for cell in line) + " |" for line in lines)
