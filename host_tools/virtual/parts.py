"""Makes the chips a board file names; it knows the models, not how they are wired."""

from __future__ import annotations

import random
from typing import Any

from host_tools.chips.hc165 import Hc165Chain
from host_tools.chips.iso14443a import Field
from host_tools.chips.mfrc522 import Mfrc522
from host_tools.chips.ssd1306 import Ssd1306
from host_tools.chips.ws2812 import Strip


class UnknownChip(Exception):
    """A board names a chip of which there is no model."""


def reader(chip: str, chance: random.Random) -> tuple[Any, Field]:
    """A reader chip and the field at its antenna."""
    if chip != "mfrc522":
        raise UnknownChip(f"there is no model of a reader {chip!r}")
    field = Field(chance)
    return Mfrc522(field, chance), field


def buttons(wiring: dict, seats: int) -> Hc165Chain:
    """The chain of shift registers behind the buttons, four a seat, all open; what is left over is tied to
    the sentinel.
    """
    inputs, used = 8 * wiring["chips"], 4 * seats
    chain = Hc165Chain(inputs)
    for index in range(used, inputs):
        chain.tie(index, wiring["sentinel"] >> inputs - 1 - index & 1)
    return chain


def lights(wiring: dict) -> Strip:
    return Strip(wiring["count"])


def screen(wiring: dict) -> Ssd1306:
    if wiring["chip"] != "ssd1306":
        raise UnknownChip(f"there is no model of a screen {wiring['chip']!r}")
    return Ssd1306(wiring["address"])
