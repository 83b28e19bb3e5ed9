"""The picture of how a board is wired, drawn from its data: module, parts, coloured wires, and where the pins are.

Readers stand on the left, all else on the right. Wires that all readers share run in rails beside them; the others have
lanes in an order in which no two of them cross.
"""

from typing import Any

from host_tools.maker.board.modules import MODULES
from host_tools.maker.board.supply import draw_supply
from host_tools.maker.board.svg import Sheet
from host_tools.maker.board.wires import NOTHING, READERS, SELECT, Wire, find_wires

WIDTH = 1180
TOP = 84
READER_X, READER_WIDTH, READER_HEIGHT, READER_GAP = 40, 190, 84, 16
RAILS_X, RAIL_GAP = 268, 13
DECODER_X, DECODER_WIDTH = 466, 74
CHIP_X, CHIP_WIDTH = 610, 150
PARTS_X, PARTS_WIDTH = 900, 240
PIN_GAP = 25
LANE_GAP = 11

_INK, _PAPER, _MODULE, _PART, _LOGIC = "#20242c", "#ffffff", "#263238", "#eef3f7", "#fff6dd"
_COLOURS = {
    "sck": "#c62828", "mosi": "#ef6c00", "miso": "#2e7d32", "reset": "#6d4c41", "address": "#5e35b1",
    "select": "#1565c0", "latch": "#00838f", "lights": "#ad1457", "scl": "#9e9d24", "sda": "#558b2f",
    "buzzer": "#37474f",
}
# What stands at the pins of a reader, from the top: the signal, and its name on the board one buys.
_READER_PINS = (("sck", "SCK"), ("mosi", "MOSI"), ("miso", "MISO"), ("reset", "RST"), ("select", "SS"))
_KEY_COLOURS = ("#2e7d32", "#c62828", "#f9a825", "#ffffff")


def colour_of(wire: Wire) -> str:
    """By the kind of the signal."""
    return next(colour for kind, colour in _COLOURS.items() if kind in wire.signal)


def draw(board: Any) -> str:
    """The picture as SVG."""
    sheet = Sheet(WIDTH)
    wires = find_wires(board)
    sheet.text(READER_X, 42, board.TITLE, 22, bold=True)
    subtitle = f"boards/{board.NAME}.py on {MODULES[board.MODULE].devkit}; supply and ground are at the end."
    sheet.text(READER_X, 62, subtitle, 11.5, colour="#5a6270")
    left = _left(wires)
    right = [wire for wire in wires if wire.group not in (READERS, SELECT)]
    readers_height = len(board.READERS) * (READER_HEIGHT + READER_GAP) - READER_GAP
    blocks = _blocks(board, right)
    parts_height = sum(height for height, _, _ in blocks) + 34 * (len(blocks) - 1)
    height = max(readers_height, parts_height, PIN_GAP * (max(len(left), len(right)) + 2))
    middle = TOP + height / 2
    chip_height = PIN_GAP * (max(len(left), len(right)) + 1) + 40
    first = middle - (len(left) - 1) / 2 * PIN_GAP
    first += _off_the_taps(first, middle - readers_height / 2)
    pins: dict[Wire, tuple[float, float]] = {
        wire: (CHIP_X, first + place * PIN_GAP) for place, wire in enumerate(left) if wire is not None
    }
    pins |= {
        wire: (CHIP_X + CHIP_WIDTH, middle + (index - (len(right) - 1) / 2) * PIN_GAP)
        for index, wire in enumerate(right)
    }
    _draw_readers(sheet, board, pins, middle - readers_height / 2)
    _draw_parts(sheet, board, blocks, pins, middle - parts_height / 2)
    _draw_chip(sheet, board, middle - chip_height / 2, chip_height, pins)
    bottom = TOP + height + 60
    bottom = draw_supply(sheet, board, _draw_headers(sheet, board, wires, bottom))
    return sheet.finish(bottom, f"How the parts of {board.TITLE} are wired")


def _left(wires: list[Wire]) -> list[Wire | None]:
    """The wires on the left of the module from the top down: readers, decoder, a gap below it, select lines."""
    direct = [wire for wire in wires if wire.to == "SS"]
    others = [wire for wire in wires if wire.group in (READERS, SELECT) and wire not in direct]
    has_both = direct and any(wire.group == SELECT for wire in others)
    return [*others, *([None] if has_both else []), *direct]


# --- the module ---


def _draw_chip(sheet: Sheet, board: Any, top: float, height: float, pins: dict[Wire, tuple[float, float]]) -> None:
    module = MODULES[board.MODULE]
    sheet.box(CHIP_X, top, CHIP_WIDTH, height, _MODULE, radius=9)
    sheet.box(CHIP_X + 45, top + 8, CHIP_WIDTH - 90, 13, "#90a4ae", "#90a4ae", 2)
    sheet.text(CHIP_X + CHIP_WIDTH / 2, top + height - 11, module.title, 10.5, "middle", "#ffffff", bold=True)
    for wire, (x, y) in pins.items():
        is_left = x == CHIP_X
        sheet.dot(x, y, 4, colour_of(wire), _PAPER, 1.5)
        inwards, outwards = ("start", "end") if is_left else ("end", "start")
        sheet.text(x + (9 if is_left else -9), y + 4, str(wire.pin), 12, inwards, "#ffffff", bold=True)
        if wire.to == NOTHING:
            sheet.text(x + (-8 if is_left else 8), y + 4, "unused", 9.5, outwards, "#78909c")


# --- readers ---


def _off_the_taps(first: float, top: float) -> float:
    """How far to shift the pins of the rails, the first of which is at `first`, so that none is level with a tap."""
    def distance(shift: int) -> float:
        pitch = READER_HEIGHT + READER_GAP
        return min(
            abs((first + shift + PIN_GAP * pin - top - _row(kind) + pitch / 2) % pitch - pitch / 2)
            for pin in range(len(_READER_PINS) - 1) for kind in range(len(_READER_PINS))
        )

    return max(range(-PIN_GAP // 2, PIN_GAP // 2), key=lambda shift: (distance(shift), -abs(shift)))


def _row(index: int) -> int:
    """How far below a reader's top its pin is."""
    return 15 + 14 * index


def _draw_readers(sheet: Sheet, board: Any, pins: dict[Wire, tuple[float, float]], top: float) -> None:
    tops = [top + index * (READER_HEIGHT + READER_GAP) for index in range(len(board.READERS))]
    shared = [kind for kind, _ in _READER_PINS if kind != "select"]
    rails = {kind: RAILS_X + index * RAIL_GAP for index, kind in enumerate(shared)}
    rows = {kind: _row(index) for index, (kind, _) in enumerate(_READER_PINS)}
    joints = []
    for wire, (x, y) in pins.items():
        kind = next((kind for kind in rails if wire.signal.endswith(kind)), "")
        if wire.group == READERS and kind:
            spans = (tops[0] + rows[kind], tops[-1] + rows[kind], y)
            sheet.wire([(rails[kind], min(spans)), (rails[kind], max(spans))], colour_of(wire))
            sheet.wire([(x, y), (rails[kind], y)], colour_of(wire))
            joints.append((kind, y))
    ends: list[tuple[float, float]] = [(READER_X + READER_WIDTH, y + rows["select"]) for y in tops]
    lines = {wire.pin: place for wire, place in pins.items() if wire.to == "SS"}
    outputs = _draw_decoder(sheet, board, pins) if getattr(board, "SELECT", None) else {}
    starts = [outputs[one["output"]] if "output" in one else lines[one["select"]] for one in board.READERS]
    _route(sheet, starts, ends, _COLOURS["select"], RAILS_X + 4 * RAIL_GAP + 8, is_left=True)
    for seat, y in enumerate(tops, 1):
        for kind, x in rails.items():
            sheet.wire([(x, y + rows[kind]), (READER_X + READER_WIDTH, y + rows[kind])], _COLOURS[kind])
            joints.append((kind, y + rows[kind]))
        _draw_reader(sheet, board, seat, y, rows)
    for kind, y in joints:
        sheet.dot(rails[kind], y, 3.4, _COLOURS[kind])


def _draw_reader(sheet: Sheet, board: Any, seat: int, y: float, rows: dict[str, int]) -> None:
    reader = board.READERS[seat - 1]
    sheet.box(READER_X, y, READER_WIDTH, READER_HEIGHT, _PART)
    for inset in (0, 5, 10):
        width, height = 72 - 2 * inset, 44 - 1.4 * inset
        sheet.box(READER_X + 12 + inset, y + 30 + inset * 0.7, width, height, "none", "#8d6e63", 5, 1.3)
    sheet.text(READER_X + 12, y + 20, f"seat {seat}", 12.5, bold=True)
    sheet.text(READER_X + 62, y + 20, reader["chip"].upper(), 10, colour="#5a6270")
    for kind, label in _READER_PINS:
        sheet.text(READER_X + READER_WIDTH - 9, y + rows[kind] + 3.6, label, 9.5, "end")
        sheet.dot(READER_X + READER_WIDTH, y + rows[kind], 3.2, _COLOURS[kind])
    if "buffer" in board.SPI[reader["spi"]]:
        x, level = READER_X + READER_WIDTH + 12, y + rows["miso"]
        sheet.lines.append(f'<path d="M{x:g} {level - 6:g} L{x:g} {level + 6:g} L{x + 11:g} {level:g} Z" '
                           f'fill="#ffe9a8" stroke="{_INK}" stroke-width="1"/>')
        sheet.text(READER_X + 88, y + READER_HEIGHT - 6, "gate: /OE = SS", 8, colour="#5a6270")


def _draw_decoder(sheet: Sheet, board: Any, pins: dict[Wire, tuple[float, float]]) -> dict[int, tuple[float, float]]:
    """The decoder between module and readers; where each output is, from the top in the order of the readers."""
    mine = [wire for wire in pins if wire.group == SELECT and wire.to != "SS"]
    levels = [pins[wire][1] for wire in mine]
    outputs = [reader["output"] for reader in board.READERS if "output" in reader]
    step = 12.5
    middle = (min(levels) + max(levels)) / 2
    half = max(step * (len(outputs) - 1), max(levels) - min(levels)) / 2 + 12
    sheet.box(DECODER_X, middle - half, DECODER_WIDTH, 2 * half + 20, _LOGIC)
    chip = board.SELECT["chip"].upper()
    sheet.text(DECODER_X + DECODER_WIDTH / 2, middle + half + 11, chip, 10, "middle", bold=True)
    for wire in mine:
        x, y = pins[wire]
        sheet.wire([(x, y), (DECODER_X + DECODER_WIDTH, y)], colour_of(wire))
        sheet.text(DECODER_X + DECODER_WIDTH - 8, y + 3.6, wire.to, 9.5, "end")
        sheet.dot(DECODER_X + DECODER_WIDTH, y, 3.2, colour_of(wire))
    places: dict[int, tuple[float, float]] = {}
    for index, output in enumerate(outputs):
        y = middle + (index - (len(outputs) - 1) / 2) * step
        sheet.text(DECODER_X + 8, y + 3.6, f"Y{output}", 9.5)
        sheet.dot(DECODER_X, y, 3.2, _COLOURS["select"])
        places[output] = DECODER_X, y
    return places


def _route(sheet: Sheet, starts: list[tuple[float, float]], ends: list[tuple[float, float]], colour: str | list[str],
           nearest_x: float, is_left: bool) -> None:
    """Wires from a column of starts to a column of ends, both from the top down, each with a lane of its own.

    Those that go up take lanes away from the start in their order, those that go down against it: then none cross. The
    first lane beside the ends is at `nearest_x`. Where starts are not in order (readers partly at a decoder) some
    cross, and no two share a lane.
    """
    pairs = list(zip(starts, ends, strict=True))
    up = [index for index, (start, end) in enumerate(pairs) if end[1] < start[1] - 0.5]
    down = [index for index, (start, end) in enumerate(pairs) if end[1] > start[1] + 0.5]
    aside = 0 if starts == sorted(starts, key=lambda start: start[1]) else len(up)
    most = max(len(up), aside + len(down), 1)
    lanes = {index: most - 1 - rank for rank, index in enumerate(up)}
    lanes |= {index: most - 1 - aside - rank for rank, index in enumerate(reversed(down))}
    for index, (start, end) in enumerate(pairs):
        lane = nearest_x + (LANE_GAP if is_left else -LANE_GAP) * lanes.get(index, 0)
        points = [start, (lane, start[1]), (lane, end[1]), end]
        shade = colour if isinstance(colour, str) else colour[index]
        sheet.wire([start, end] if index not in lanes else points, shade)


# --- the other parts ---


def _blocks(board: Any, right: list[Wire]) -> list[tuple[float, str, list[Wire]]]:
    """Of each part on the right: its height, what it is, its wires."""
    def of(group: str) -> list[Wire]:
        return [wire for wire in right if wire.group == group and wire.to != NOTHING]

    has_switch = "switch" in board.SCREEN
    blocks = [(118.0, "buttons", of("buttons")), (64.0, "lights", of("lights")),
              (136.0 if has_switch else 96.0, "screen", of("screen")), (58.0, "buzzer", of("buzzer"))]
    return [block for block in blocks if block[2]]


def _draw_parts(sheet: Sheet, board: Any, blocks: list[tuple[float, str, list[Wire]]],
                pins: dict[Wire, tuple[float, float]], top: float) -> None:
    starts, ends, colours = [], [], []
    painters = {"buttons": _draw_buttons, "lights": _draw_lights, "screen": _draw_screen, "buzzer": _draw_buzzer}
    places = []
    for height, kind, wires in blocks:
        for index, wire in enumerate(wires):
            starts.append(pins[wire])
            ends.append((float(PARTS_X), top + 26 + 20 * index))
            colours.append(colour_of(wire))
        places.append((kind, top, height, wires))
        top += height + 34
    _route(sheet, starts, ends, colours, PARTS_X - 16, is_left=False)
    for kind, y, height, wires in places:
        sheet.box(PARTS_X, y, PARTS_WIDTH, height, _PART)
        for index, wire in enumerate(wires):
            level = y + 26 + 20 * index
            sheet.dot(PARTS_X, level, 3.2, colour_of(wire))
            sheet.text(PARTS_X + 9, level + 3.6, wire.to, 9.5)
        painters[kind](sheet, board, y)


def _draw_buttons(sheet: Sheet, board: Any, y: float) -> None:
    chips = board.BUTTONS["chips"]
    x, step = PARTS_X + 62, 170 / chips
    sheet.text(x, y + 16, f"{chips} x 74HC165 in a chain", 10.5, bold=True)
    for index in range(chips):
        sheet.box(x + index * step, y + 26, step - 8, 24, _LOGIC, radius=3)
        sheet.text(x + index * step + (step - 8) / 2, y + 42, "74HC165" if chips < 4 else "165", 8.5, "middle")
        if index:
            sheet.lines.append(f'<path d="M{x + index * step:g} {y + 38:g} h-8" stroke="{_INK}" stroke-width="1.4"/>')
    across = (PARTS_WIDTH - 70) / board.SEATS
    for seat in range(board.SEATS):
        left = x + seat * across
        for key, fill in enumerate(_KEY_COLOURS):
            sheet.dot(left + 6 + 9 * (key & 1), y + 70 + 10 * (key >> 1), 3.8, fill, _INK, 0.9)
        sheet.text(left + 10.5, y + 98, str(seat + 1), 9, "middle", "#5a6270")
    sheet.text(PARTS_X + 9, y + 110, "OK, NO, CALL, MENU of each seat", 9, colour="#5a6270")


def _draw_lights(sheet: Sheet, board: Any, y: float) -> None:
    count = board.LIGHTS["count"]
    step = (PARTS_WIDTH - 70) / count
    sheet.text(PARTS_X + 62, y + 16, f"{count} x WS2812B in a row", 10.5, bold=True)
    for index in range(count):
        x = PARTS_X + 62 + index * step
        sheet.box(x, y + 28, 17, 17, "#fde7f1", radius=3, stroke=1)
        sheet.dot(x + 8.5, y + 36.5, 5, "#fff", "#ad1457", 1.2)
        sheet.text(x + 8.5, y + 57, str(index + 1), 9, "middle", "#5a6270")


def _draw_screen(sheet: Sheet, board: Any, y: float) -> None:
    screen = board.SCREEN
    if "switch" not in screen:
        title = f"{screen['chip'].upper()} {screen['width']} x {screen['height']}"
        sheet.text(PARTS_X + 62, y + 16, title, 10.5, bold=True)
        sheet.box(PARTS_X + 62, y + 24, 118, 60, "#0d1b2a", radius=3)
        for row, words in enumerate(("♠ 18: 6 6 6", "1 Anna: attack", "2 beat 9S 7S")):
            sheet.text(PARTS_X + 70, y + 40 + 14 * row, words, 9.5, colour="#8fd3ff")
        return
    channels = screen["switch"]["channels"]
    title = f"{screen['switch']['chip'].upper()} and {len(channels)} x {screen['chip'].upper()}"
    sheet.text(PARTS_X + 62, y + 16, title, 10.5, bold=True)
    sheet.box(PARTS_X + 62, y + 24, 168, 22, _LOGIC, radius=3)
    sheet.text(PARTS_X + 146, y + 39, screen["switch"]["chip"].upper(), 9, "middle")
    step = 168 / 4
    for index, channel in enumerate(channels):
        x, top = PARTS_X + 62 + index % 4 * step, y + 54 + index // 4 * 38
        sheet.box(x, top, 36, 22, "#0d1b2a", radius=2, stroke=1)
        sheet.text(x + 18, top + 14.5, f"seat {index + 1}", 8.5, "middle", "#8fd3ff")
        sheet.text(x + 18, top + 32, f"channel {channel}", 7.5, "middle", "#5a6270")


def _draw_buzzer(sheet: Sheet, board: Any, y: float) -> None:
    sheet.text(PARTS_X + 62, y + 22, "Buzzer, through a transistor", 10.5, bold=True)
    sheet.dot(PARTS_X + 76, y + 40, 11, "#37474f", _INK)
    sheet.dot(PARTS_X + 76, y + 40, 2.6, "#eceff1")


# --- where the pins are ---


def _draw_headers(sheet: Sheet, board: Any, wires: list[Wire], top: float) -> float:
    """The module from above, lying on its side: its two headers, and what each pin serves. Gives the sheet's height."""
    module = MODULES[board.MODULE]
    uses = {str(wire.pin): wire for wire in wires}
    longest = max(len(header) for header in module.headers)
    step = (WIDTH - 2 * READER_X - 80) / longest
    x = READER_X + 40
    y, height = top + 150, 86
    sheet.text(READER_X, top + 16, "Where the pins are, seen from above", 15, bold=True)
    sheet.box(x - 8, y, step * longest + 16, height, _MODULE, radius=8)
    sheet.box(x - 2, y + 24, step * 5, height - 48, "#b0bec5", "#78909c", 3)
    sheet.text(x + step * 2.5 - 2, y + height / 2 + 4, module.title, 9.5, "middle", bold=True)
    sheet.text(x + step * (longest - 1.2), y + height / 2 + 4, "USB", 10, "middle", "#ffffff")
    # On its left side the left header is below, and the antenna on the left.
    for side, header in enumerate(module.headers):
        for index, pin in enumerate(header):
            at, level = x + (index + 0.5) * step, y + (height - 13 if side == 0 else 13)
            wire = uses.get(pin)
            sheet.dot(at, level, 6, colour_of(wire) if wire else "#546e7a", _PAPER if wire else "#78909c", 1.4)
            outside = y + (height + 12 if side == 0 else -8)
            label = pin if not wire else f"{pin} {wire.signal}"
            shade = colour_of(wire) if wire else "#90a4ae"
            sheet.text(at + 3, outside, label, 10, "end" if side == 0 else "start", shade, bool(wire), -60)
    return y + height + 150
