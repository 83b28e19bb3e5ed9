"""Draws supply and ground below a board's picture: the rails, and every part between them.

5 V comes from the supply, 3.3 V from the module's own regulator; for readers and screens from another one where that is
too small (power.py). All grounds meet at the module.
"""

from typing import Any

from host_tools.maker.board.modules import MODULES
from host_tools.maker.board.netlist import REGULATOR
from host_tools.maker.board.power import needs_regulator
from host_tools.maker.board.svg import Sheet

HEIGHT = 230
_LEFT, _WIDTH, _BOX = 40, 134, 54
_RAIL = 28  # from one to the next
_FIVE, _THREE, _OUTER, _GROUND = "#c62828", "#ef6c00", "#6a1b9a", "#263238"
_PART, _LOGIC = "#eef3f7", "#fff6dd"


def list_parts(board: Any) -> list[tuple[str, str, str]]:
    """(part, what lies beside it, its rail's colour), the supply and the module left out."""
    logic = f"{board.BUTTONS['chips']} x 74HC165"
    has_gates = any("buffer" in board.SPI[reader["spi"]] for reader in board.READERS)
    if getattr(board, "SELECT", None):
        logic += ", 74HC138"
    screens = len(board.SCREEN["switch"]["channels"]) if "switch" in board.SCREEN else 1
    parts = [(f"{board.LIGHTS['count']} lights", "1N4001, 100 uF", _FIVE)]
    if getattr(board, "BUZZER", None):
        parts.append(("buzzer", "1 k across it", _FIVE))
    parts.append((logic, "100 nF each", _THREE))
    outer = _OUTER if needs_regulator(board) else _THREE
    parts.append((f"{len(board.READERS)} readers" + (", gates" if has_gates else ""), "10 uF, 100 nF each", outer))
    parts.append((f"{screens} screen{'s' if screens > 1 else ''}", "", outer))
    return parts


def draw_supply(sheet: Sheet, board: Any, top: float) -> float:
    """Draw it below `top`; where it ends."""
    sheet.text(_LEFT, top + 16, "Supply and ground", 14, bold=True)
    sources = [(MODULES[board.MODULE].title, "5V in, 3V3 out", "3.3 V", _THREE)]
    if needs_regulator(board):
        sources.append((f"regulator {REGULATOR}", "10 uF on both sides", "3.3 V of the regulator", _OUTER))
    height = HEIGHT + _RAIL * (len(sources) - 1)
    five, ground = top + 44, top + height - 24
    rows = list_parts(board)
    boxes = five + _RAIL * len(sources) + 32
    step = (sheet.width - 2 * _LEFT - 20 - _WIDTH) / (len(rows) + len(sources))
    right = sheet.width - _LEFT
    rails = {_FIVE: five, **{source[3]: five + _RAIL * index for index, source in enumerate(sources, 1)}}
    ends = [_LEFT + step * index + _WIDTH * 0.75 for index in range(1, len(sources) + 1)]  # where they give 3.3 V
    for y, name, colour, begin in ((five, "5 V", _FIVE, _LEFT), (ground, "ground", _GROUND, _LEFT),
                                   *((rails[source[3]], *source[2:], end)
                                     for source, end in zip(sources, ends, strict=True))):
        sheet.wire([(begin, y), (right, y)], colour)
        sheet.text(right, y - 6, name, 11, "end", colour, bold=True)
    _draw_part(sheet, _LEFT, boxes, "5 V supply, 2 A", "with a switch", _FIVE, five, ground, _PART)
    for index, ((name, beside, _, colour), end) in enumerate(zip(sources, ends, strict=True), 1):
        _draw_part(sheet, _LEFT + index * step, boxes, name, beside, _FIVE, five, ground, _LOGIC)
        sheet.wire([(end, boxes), (end, rails[colour])], colour)
        sheet.dot(end, rails[colour], 3.4, colour)
    for index, (what, beside, colour) in enumerate(rows, len(sources) + 1):
        _draw_part(sheet, _LEFT + index * step, boxes, what, beside, colour, rails[colour], ground, _PART)
    sheet.text(_LEFT, top + height, "0.5 mm2 for supply and ground, side by side, from the module along the seats as "
               "one line. The diode lies between 5 V and all lights.", 10.5, colour="#5a6270")
    return top + height + 20


def _draw_part(sheet: Sheet, x: float, y: float, what: str, beside: str, colour: str, rail: float, ground: float,
               fill: str) -> None:
    """A box between its rail and ground."""
    middle = x + _WIDTH / 2 if fill != _LOGIC else x + _WIDTH * 0.25
    sheet.wire([(middle, rail), (middle, y)], colour)
    sheet.dot(middle, rail, 3.4, colour)
    sheet.wire([(x + _WIDTH / 2, y + _BOX), (x + _WIDTH / 2, ground)], _GROUND)
    sheet.dot(x + _WIDTH / 2, ground, 3.4, _GROUND)
    sheet.box(x, y, _WIDTH, _BOX, fill)
    sheet.text(x + _WIDTH / 2, y + (24 if beside else 31), what, 10.5 if len(what) < 18 else 8.5, "middle", bold=True)
    if beside:
        sheet.text(x + _WIDTH / 2, y + 40, beside, 9.5, "middle", "#5a6270")
