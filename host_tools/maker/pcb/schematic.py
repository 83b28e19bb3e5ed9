"""Draws a circuit as a schematic that KiCad opens and checks (ERC): each part a box, each pin with the name of its net.

In the format of KiCad 6, which later ones read. Parts stand in columns; nets are joined by their names alone, so that
nothing has to be routed. A pin that may stay open gets a cross, one that may not is left for the check to find.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Sequence

from host_tools.maker.pcb.pins import PASSIVE, POWER, SOURCE, Pin, Symbol

LIBRARY = "cardtable"
FLAG = "PWR_FLAG"  # says that a net has power, where it comes through what is no source
_NAMES = uuid.UUID("c2a0c1de-6d2b-4a86-8d51-1f0c4c9b6a0e")  # the stamps of a schematic are the same each time
_STEP = 2.54
_LONG, _WIDE = 40, 16  # steps: a column is at least as long, and about as wide
_FONT = "(effects (font (size 1.27 1.27)){})"
_SIDES = ((-1, "180", "right"), (1, "0", "left"))


def draw(symbols: Sequence[Symbol], title: str) -> str:
    """The .kicad_sch file of these parts."""
    symbols = [*symbols, *_flags(symbols)]
    root = uuid.uuid5(_NAMES, title)
    body, width, height = _lay(symbols, root)
    kinds = {_kind(one): one for one in symbols}
    lines = ["(kicad_sch (version 20211123) (generator cardtable)", f"  (uuid {root})",
             f'  (paper "User" {width:.2f} {height:.2f})', f'  (title_block (title "{title}"))', "  (lib_symbols",
             *(_in_library(f"{LIBRARY}:{name}", name, one) for name, one in kinds.items()), "  )", *body,
             '  (sheet_instances (path "/" (page "1")))', "  (symbol_instances"]
    lines += [f'    (path "/{_stamp(root, one.reference)}" (reference "{one.reference}") (unit 1) (value "{one.value}")'
              f' (footprint "{one.footprint}"))' for one in symbols]
    return "\n".join([*lines, "  )", ")", ""])


def as_library(symbols: Sequence[Symbol]) -> str:
    """The .kicad_sym file of their boxes, for a project's own table of libraries."""
    kinds = {_kind(one): one for one in [*symbols, *_flags(symbols)]}
    return "\n".join(["(kicad_symbol_lib (version 20211014) (generator cardtable)",
                      *(_in_library(name, name, one) for name, one in kinds.items()), ")", ""])


def as_library_table() -> str:
    """The sym-lib-table of a project whose library lies beside it."""
    return (f'(sym_lib_table\n  (lib (name "{LIBRARY}")(type "KiCad")(uri "${{KIPRJMOD}}/{LIBRARY}.kicad_sym")'
            '(options "")(descr "Made by cardtable board pcb"))\n)\n')


def _flags(symbols: Sequence[Symbol]) -> list[Symbol]:
    """A flag for each net that parts take power from and no source is on."""
    kinds: dict[str, set[str]] = {}
    for one in symbols:
        for pin in one.pins:
            kinds.setdefault(pin.net, set()).add(pin.kind)
    bare = sorted(net for net, found in kinds.items() if net and POWER in found and SOURCE not in found)
    return [Symbol(f"#FLG{number:02}", FLAG, (Pin("1", "pwr", SOURCE, net),), is_ordered=False)
            for number, net in enumerate(bare, 1)]


def _kind(one: Symbol) -> str:
    """The name of its box in the library: parts of a value have the same, and resistors and the like their letter's."""
    letter = one.reference.rstrip("0123456789")
    is_plain = len(one.pins) == 2 and all(pin.kind == PASSIVE for pin in one.pins)
    name = letter if is_plain and letter in ("R", "C") else one.value
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name)


def _stamp(root: uuid.UUID, *names: object) -> uuid.UUID:
    return uuid.uuid5(root, " ".join(map(str, names)))


def _halves(one: Symbol) -> tuple[tuple[Pin, ...], tuple[Pin, ...]]:
    """The pins of its left and of its right side."""
    middle = (len(one.pins) + 1) // 2
    return one.pins[:middle], one.pins[middle:]


def _is_numbered(one: Symbol) -> bool:
    """Whether its pins have numbers; the printed names of a module would not fit over its pins."""
    return all(pin.number.isdecimal() for pin in one.pins)


def _shown(pin: Pin) -> str:
    """The pin's name; KiCad's sign for none, where it would repeat the number."""
    return "~" if pin.name == pin.number and pin.number.isdecimal() else pin.name


def _half_width(one: Symbol) -> int:
    """Of the box, in steps: room for the longest names of both sides."""
    return 1 + -(-max(len(pin.name) for pin in one.pins) // 2)


def _in_library(name: str, short: str, one: Symbol) -> str:
    """The box with its pins, the middle of its first row of pins at 0, 0."""
    half, rows = _half_width(one) * _STEP, len(_halves(one)[0])
    flag = "(power) " if one.value == FLAG else ""
    hidden = _FONT.format(" hide")
    numbers = "" if _is_numbered(one) else "(pin_numbers hide) "
    lines = [f'    (symbol "{name}" {flag}{numbers}(pin_names (offset 0.254)) (in_bom yes) (on_board yes)']
    for number, (key, value) in enumerate((("Reference", one.reference.rstrip("0123456789")), ("Value", short),
                                           ("Footprint", ""), ("Datasheet", ""))):
        lines.append(f'      (property "{key}" "{value}" (id {number}) (at 0 {3.81 + 1.27 * number:.2f} 0) {hidden})')
    lines.append(f'      (symbol "{short}_0_1" (rectangle (start {-half:.2f} {_STEP:.2f}) (end {half:.2f}'
                 f" {-_STEP * rows:.2f}) (stroke (width 0.254) (type default) (color 0 0 0 0))"
                 " (fill (type background))))")
    lines.append(f'      (symbol "{short}_1_1"')
    for (side, _, _), turned, pins in zip(_SIDES, ("0", "180"), _halves(one), strict=True):
        for row, pin in enumerate(pins):
            lines.append(f"        (pin {pin.kind} line (at {side * (half + _STEP):.2f} {-_STEP * row:.2f} {turned})"
                         f' (length {_STEP}) (name "{_shown(pin)}" {_FONT.format("")})'
                         f' (number "{pin.number}" {_FONT.format("")}))')
    return "\n".join([*lines, "      )", "    )"])


def _lay(symbols: Sequence[Symbol], root: uuid.UUID) -> tuple[list[str], float, float]:
    """Everything on the sheet in columns, and the sheet's size."""
    sizes = [len(_halves(one)[0]) + 4 for one in symbols]
    longest = max(_LONG, *sizes, math.isqrt(sum(sizes) * _WIDE))  # so that the sheet is wider than it is high
    lines: list[str] = []
    column: list[tuple[Symbol, int]] = []
    x = row = lowest = 10
    for one, size in zip(symbols, sizes, strict=True):
        if column and row + size > longest + 10:
            lines += _column(column, x, root)
            x, column, row = x + 2 * _reach(column), [], 10
        column.append((one, row))
        row += size
        lowest = max(lowest, row)
    lines += _column(column, x, root)
    return lines, (x + 2 * _reach(column) + 10) * _STEP, (lowest + 20) * _STEP


def _reach(column: list[tuple[Symbol, int]]) -> int:
    """Half the width of a column in steps: box, pin and the longest net's name in its flag."""
    return max(_half_width(one) + 4 + max(-(-len(pin.net) // 2) for pin in one.pins) for one, _ in column)


def _column(column: list[tuple[Symbol, int]], left: int, root: uuid.UUID) -> list[str]:
    lines = []
    middle = left + _reach(column)
    for one, row in column:
        lines += _place(one, middle, row, root)
    return lines


def _place(one: Symbol, column: int, row: int, root: uuid.UUID) -> list[str]:
    x, y = column * _STEP, row * _STEP
    font, hidden = _FONT.format(""), _FONT.format(" hide")
    bom, board = ("yes" if one.is_ordered else "no"), ("no" if one.value == FLAG else "yes")
    lines = [f'  (symbol (lib_id "{LIBRARY}:{_kind(one)}") (at {x:.2f} {y:.2f} 0) (unit 1) (in_bom {bom})'
             f" (on_board {board}) (uuid {_stamp(root, one.reference)})"]
    for number, (key, value, up, kind) in enumerate((
            ("Reference", one.reference, 2.3, font), ("Value", one.value, 1.5, font),
            ("Footprint", one.footprint, 0.0, hidden), ("Datasheet", "", 0.0, hidden))):
        lines.append(f'    (property "{key}" "{value}" (id {number}) (at {x:.2f} {y - up * _STEP:.2f} 0) {kind})')
    lines += [f'    (pin "{pin.number}" (uuid {_stamp(root, one.reference, pin.number)}))' for pin in one.pins]
    lines.append("  )")
    reach = (_half_width(one) + 1) * _STEP
    for (side, angle, justify), pins in zip(_SIDES, _halves(one), strict=True):
        for at, pin in enumerate(pins):
            here = f"{x + side * reach:.2f} {y + at * _STEP:.2f}"
            stamp = _stamp(root, one.reference, pin.number, "end")
            if pin.net:
                lines.append(f'  (global_label "{pin.net}" (shape passive) (at {here} {angle})'
                             f" {_FONT.format(f' (justify {justify})')} (uuid {stamp}))")
            elif pin.may_be_open:
                lines.append(f"  (no_connect (at {here}) (uuid {stamp}))")
    return lines
