"""Makes the chips that a board file names, from host_tools/virtual/chip_rows.py."""

from __future__ import annotations

import random
from typing import Any

from host_tools.virtual.chip_rows import find_chip
from host_tools.virtual.chips.hc165 import Hc165Chain
from host_tools.virtual.chips.iso14443a import Field
from host_tools.virtual.chips.ws2812 import Strip

SENTINEL_BITS = 4


def reader(chip: str, chance: random.Random) -> tuple[Any, Field]:
    """A reader chip and the field at its antenna."""
    field, row = Field(chance), find_chip("reader", chip)
    made = row.model(field, chance)
    made.most_baud = row.most_baud
    return made, field


def buttons(wiring: dict, seats: int) -> Hc165Chain:
    """The chain of shift registers behind the buttons, four a seat, all open; the last four inputs are tied to the
    sentinel, and what is left over between stays open.
    """
    chain = Hc165Chain(8 * wiring["chips"])
    chain.tie_last(SENTINEL_BITS, wiring["sentinel"])
    return chain


def lights(wiring: dict) -> Strip:
    return Strip(wiring["count"])


def screen(wiring: dict) -> Any:
    """One screen."""
    return find_chip("screen", wiring["chip"]).model(wiring["address"])


def select(wiring: dict) -> Any:
    """The decoder behind which chips are selected."""
    return find_chip("select", wiring["chip"]).model()


def switch(wiring: dict) -> Any:
    """The switch that a bus has for several screens."""
    return find_chip("switch", wiring["chip"]).model(wiring["address"])
