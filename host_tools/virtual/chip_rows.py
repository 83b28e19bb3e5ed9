"""The chips that a board file may name, a row each: model, part, price, current, and what the chip allows.

A new chip is its driver, its model in chips/ and a row here; nothing else lists chips that a board names. Currents are
in milliamperes (sources: maker/board/power.py), prices as in maker/board/parts_list.py.
"""

from dataclasses import dataclass
from typing import Any

from host_tools.virtual.chips.hc138 import Hc138
from host_tools.virtual.chips.mfrc522 import Mfrc522
from host_tools.virtual.chips.pn532 import Pn532
from host_tools.virtual.chips.sh1106 import Sh1106
from host_tools.virtual.chips.ssd1306 import Ssd1306
from host_tools.virtual.chips.ssd1309 import Ssd1309
from host_tools.virtual.chips.tca9548a import Tca9548a
from host_tools.base.errors import UnusableInput


class UnknownChip(UnusableInput):
    """A board names a chip that has no row here."""


@dataclass(frozen=True)
class Chip:
    """One row; 0 and an empty range where a figure means nothing for that kind."""

    model: Any
    part: str
    dollars: float
    typical_ma: float = 0  # of a reader: its logic
    most_ma: float = 0
    most_baud: int = 0
    gains: range = range(0)
    addresses: tuple[int, ...] = ()
    headers: tuple[tuple[str, ...], ...] = ()  # rows of pins of its module, by the netlist's names; empty: it is a DIP


_RC522 = ("SS", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")  # as these boards print them
_PN532 = ("SCK", "MISO", "MOSI", "SS", "3.3V", "GND", "IRQ", "RST")  # the order of most; the last may be an output
_SCREEN = (("GND", "VCC", "SCL", "SDA"),)
_CHANNELS = tuple(name for channel in range(8) for name in (f"SD{channel}", f"SC{channel}"))

READERS = {
    "mfrc522": Chip(Mfrc522, "RC522 reader board with antenna", 2.0, 16.5, 21, 10_000_000, range(8),
                    headers=(_RC522,)),
    "pn532": Chip(Pn532, "PN532 reader board with antenna, set to SPI", 7.0, 25, 25, 5_000_000, headers=(_PN532,)),
}
SCREENS = {
    "ssd1306": Chip(Ssd1306, "SSD1306 screen, 128 x 64, 0.96 inch, I2C", 3.0, 12, 25, addresses=(0x3C, 0x3D),
                    headers=_SCREEN),
    "ssd1309": Chip(Ssd1309, "SSD1309 screen, 128 x 64, 2.42 inch, I2C", 14.0, 40, 90, addresses=(0x3C, 0x3D),
                    headers=_SCREEN),
    "sh1106": Chip(Sh1106, "SH1106 screen, 128 x 64, 1.3 inch, I2C", 5.0, 20, 40, addresses=(0x3C, 0x3D),
                    headers=_SCREEN),
}
SELECTS = {"74hc138": Chip(Hc138, "74HC138 decoder", 0.3)}
SWITCHES = {"tca9548a": Chip(Tca9548a, "TCA9548A I2C switch board", 2.0, addresses=tuple(range(0x70, 0x78)),
                             headers=(("VIN", "GND", "SDA", "SCL"), _CHANNELS))}
KINDS = {"reader": READERS, "screen": SCREENS, "select": SELECTS, "switch": SWITCHES}


def find_chip(kind: str, name: str) -> Chip:
    """The row of that chip. UnknownChip: one sentence that names those that there are."""
    rows = KINDS[kind]
    if name not in rows:
        there = ", ".join(rows)
        raise UnknownChip(f"there is no model of a {kind} {name!r}: host_tools/virtual/chip_rows.py has {there}")
    return rows[name]
