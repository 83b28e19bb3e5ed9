"""Makes the chips a board file names."""

from __future__ import annotations

import random
from typing import Any

from host_tools.chips.hc138 import Hc138
from host_tools.chips.hc165 import Hc165Chain
from host_tools.chips.iso14443a import Field
from host_tools.chips.mfrc522 import Mfrc522
from host_tools.chips.pn532 import Pn532
from host_tools.chips.sh1106 import Sh1106
from host_tools.chips.ssd1306 import Ssd1306
from host_tools.chips.tca9548a import Tca9548a
from host_tools.chips.ws2812 import Strip

SENTINEL_BITS = 4


class UnknownChip(Exception):
    """A board names a chip of which there is no model."""


def reader(chip: str, chance: random.Random) -> tuple[Any, Field]:
    """A reader chip and the field at its antenna."""
    model = _make("reader", {"mfrc522": Mfrc522, "pn532": Pn532}, chip)
    field = Field(chance)
    return model(field, chance), field


def buttons(wiring: dict, seats: int) -> Hc165Chain:
    """The chain of shift registers behind the buttons, four a seat, all open; the last four inputs are tied to the
    sentinel, and what is left over between stays open.
    """
    chain = Hc165Chain(8 * wiring["chips"])
    chain.tie_last(SENTINEL_BITS, wiring["sentinel"])
    return chain


def lights(wiring: dict) -> Strip:
    return Strip(wiring["count"])


def screen(wiring: dict) -> Ssd1306:
    """One screen."""
    return _make("screen", {"ssd1306": Ssd1306, "sh1106": Sh1106}, wiring["chip"])(wiring["address"])


def select(wiring: dict) -> Hc138:
    """The decoder behind which chips are selected."""
    return _make("select", {"74hc138": Hc138}, wiring["chip"])()


def switch(wiring: dict) -> Tca9548a:
    """The switch that a bus has for several screens."""
    return _make("switch", {"tca9548a": Tca9548a}, wiring["chip"])(wiring["address"])


def _make(kind: str, models: dict[str, Any], chip: str) -> Any:
    if chip not in models:
        raise UnknownChip(f"there is no model of a {kind} {chip!r}")
    return models[chip]
