"""The parts to buy for a board, and about what they cost, counted from the board's data.

Prices are orders of magnitude, in US dollars for one, as small shops asked in 2025: enough to see what a table costs,
not to order from.
"""

from dataclasses import dataclass
from typing import Any

from host_tools.virtual.chip_rows import find_chip
from host_tools.maker.board.modules import MODULES
from host_tools.maker.board.netlist import REGULATOR
from host_tools.maker.board.power import count_logic, needs_regulator
from host_tools.maker.board.wires import SENTINEL_BITS

CARD_TAGS = 60  # a deck of 54, and spares for tags that a reader hardly hears; Malice has two decks


@dataclass(frozen=True)
class Part:
    """`count` of one thing; `dollars` is about what one costs."""

    count: int
    what: str
    dollars: float
    why: str = ""


_BUTTON_COLOURS = ("green OK", "red NO", "yellow CALL", "white MENU")


def count_parts(board: Any) -> list[Part]:
    """The list, the dearest things first as they are wired."""
    module = MODULES[board.MODULE]
    memory = module.psram or "it has no PSRAM: see docs/flashing.md"
    parts = [Part(1, f"{module.devkit} ({module.title})", 8.0, memory)]
    chips = [reader["chip"] for reader in board.READERS]
    for chip in sorted(set(chips)):
        row = find_chip("reader", chip)
        parts.append(Part(chips.count(chip), row.part, row.dollars, "one a seat"))
    screens = len(board.SCREEN["switch"]["channels"]) if "switch" in board.SCREEN else 1
    row = find_chip("screen", board.SCREEN["chip"])
    parts.append(Part(screens, row.part, row.dollars, "one a seat" if screens > 1 else "one for all"))
    if "switch" in board.SCREEN:
        row = find_chip("switch", board.SCREEN["switch"]["chip"])
        parts.append(Part(1, row.part, row.dollars, "the screens share an address"))
    parts.append(Part(board.LIGHTS["count"], "WS2812B light", 0.2, "one a seat"))
    parts += [Part(board.SEATS, f"push button, {colour}", 0.5, "one a seat") for colour in _BUTTON_COLOURS]
    parts.append(Part(board.BUTTONS["chips"], "74HC165 shift register", 0.3, "buttons"))
    if getattr(board, "SELECT", None):
        row = find_chip("select", board.SELECT["chip"])
        parts.append(Part(1, row.part, row.dollars, "chip selects"))
    buffered = sum("buffer" in board.SPI[reader["spi"]] for reader in board.READERS)
    if buffered:
        parts.append(Part(buffered, "74LVC1G125 bus buffer, SOT-23-5, on an adapter", 0.3,
                          "at each reader: its MISO, opened by its select"))
    if getattr(board, "BUZZER", None):
        parts.append(Part(1, "piezo disc or buzzer without a tone of its own", 0.5, "sound, at 5 V"))
        parts.append(Part(1, "NPN transistor BC547", 0.1,
                          "drives the buzzer; another type may have its legs in another order"))
        parts.append(Part(2, "resistor 1 k", 0.02,
                          "base of that transistor; across the piezo, which stays nearly mute without"))
    if needs_regulator(board):
        parts.append(Part(1, f"3.3 V regulator {REGULATOR}, 1 A, SOT-223, on an adapter", 0.6,
                          "readers and screens, from 5 V; the module's own gives the rest"))
        parts.append(Part(2, "capacitor 10 uF", 0.1, "before and behind that regulator"))
    parts += _small_parts(board)
    parts.append(Part(CARD_TAGS, "NTAG213 tag, 25 mm or larger", 0.2, "a deck of 54, and spares; Malice needs 120"))
    parts.append(Part(1, "NTAG213 key fob", 0.5, "the arbiter's key"))
    parts.append(Part(board.SEATS, "NTAG213 coin, 25 to 30 mm", 0.3, "players' tokens, if you want them"))
    return parts


def _small_parts(board: Any) -> list[Part]:
    lines = sum("select" in reader for reader in board.READERS) + bool(getattr(board, "SELECT", None))
    has_buzzer = bool(getattr(board, "BUZZER", None))
    inputs = 8 * board.BUTTONS["chips"] - SENTINEL_BITS
    branches = len(board.SCREEN["switch"]["channels"]) if "switch" in board.SCREEN else 0
    return [
        Part(inputs, "resistor 10 k", 0.02, "pull-ups of the buttons' inputs"),
        Part(lines + has_buzzer, "resistor 10 k", 0.02,
             f"select lines up, {'buzzer down, ' if has_buzzer else ''}while the module starts"),
        Part(2 + 2 * branches, "resistor 2.2 k", 0.02, "I2C up, on both sides of the switch" if branches else "I2C up"),
        Part(1, "resistor 330 Ohm", 0.02, "the lights' data line"),
        Part(len(board.READERS), "capacitor 10 uF with 100 nF", 0.1, "at each reader"),
        Part(1, "diode 1N4001", 0.1, "feeds the lights 4.3 V, so that 3.3 V counts as high"),
        Part(count_logic(board), "capacitor 100 nF", 0.02, "at the supply of each logic chip"),
        Part(1, "capacitor 100 uF, 10 V", 0.1, "at the first light"),
        Part(2, "resistor 47 Ohm", 0.02, "SCK and MOSI of the readers, at the module"),
        Part(1, "resistor 10 k", 0.02, "MISO of the readers up"),
        Part(1, "5 V supply, 2 A, with a switch", 6.0, ""),
        Part(1, "USB cable that carries data", 3.0, "to bring the firmware onto the module"),
        Part(1, "perfboard, 100 x 160 mm", 3.0, "module and logic chips"),
        Part(10, "metre of wire, 0.5 mm2", 0.3, "supply and ground to every seat"),
        Part(20, "metre of thin wire, or network cable", 0.2, "signals"),
    ]


def total(parts: list[Part]) -> int:
    """About what all of it costs, in dollars, to the next ten."""
    return round(sum(part.count * part.dollars for part in parts) / 10) * 10
