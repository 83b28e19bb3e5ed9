"""The footprint of each part of a netlist, and the pad that each of its pins is on.

Names and pads are those of the libraries that KiCad 9 brings; a test looks them up there. Everything is for soldering
by hand; the gates are SOT-23-5, the largest that a single gate comes in. Modules, buttons and lights sit at the
seats, so each has a pin header on the board for its cable: pad 1 is the first name of its row. The rows of readers,
screens and switches stand in host_tools/virtual/chip_rows.py. The development board plugs into two sockets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from host_tools.virtual.chip_rows import READERS, SCREENS, SWITCHES
from host_tools.maker.board.modules import MODULES
from host_tools.base.errors import UnusableInput

_TERMINAL = "TerminalBlock_Phoenix:TerminalBlock_Phoenix_MKDS-1,5-2-5.08_1x02_P5.08mm_Horizontal"
_TO_92 = ("C", "B", "E")  # of a BC547; of a 2N3904 collector and emitter change places


@dataclass(frozen=True)
class Footprint:
    """`name` is LIBRARY:FOOTPRINT. `pads`: the pin on each pad from 1 on; empty where pins have the pads' numbers."""

    name: str
    pads: tuple[str, ...] = ()

    def numbers(self, pin: str) -> list[int]:
        """The pads of that pin: none if it is on another strip, several for a supply that is led out twice."""
        return [number for number, name in enumerate(self.pads, 1) if name == pin] if self.pads else [int(pin)]


def _header(*pads: str) -> Footprint:
    return Footprint(f"Connector_PinHeader_2.54mm:PinHeader_1x{len(pads):02}_P2.54mm_Vertical", pads)


def _socket(pads: tuple[str, ...]) -> Footprint:
    """One row of a development board: a number is a GPIO."""
    names = tuple(f"GPIO{pad}" if pad.isdecimal() else pad for pad in pads)
    return Footprint(f"Connector_PinSocket_2.54mm:PinSocket_1x{len(pads):02}_P2.54mm_Vertical", names)


_RESISTOR = Footprint("Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal")
_DIP_16 = Footprint("Package_DIP:DIP-16_W7.62mm")
_BY_VALUE = {
    **{module.devkit: tuple(_socket(row) for row in module.headers) for module in MODULES.values()},
    **{f"{name.upper()} {what}": tuple(_header(*row) for row in chip.headers)
       for what, chips in (("reader board", READERS), ("screen", SCREENS), ("board", SWITCHES))
       for name, chip in chips.items()},
    "74LVC1G125": (Footprint("Package_TO_SOT_SMD:SOT-23-5"),),
    "TLV1117LV33": (Footprint("Package_TO_SOT_SMD:SOT-223-3_TabPin2"),),
    "74HC138": (_DIP_16,),
    "74HC165": (_DIP_16,),
    "100nF": (Footprint("Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm"),),
    "10uF": (Footprint("Capacitor_THT:CP_Radial_D5.0mm_P2.00mm"),),
    "100uF": (Footprint("Capacitor_THT:CP_Radial_D6.3mm_P2.50mm"),),
    "push button": (_header("A", "B"),),
    "WS2812B": (_header("VDD", "VSS", "DIN", "DOUT"),),
    "piezo disc": (_header("A", "B"),),
    "1N4001": (Footprint("Diode_THT:D_DO-41_SOD81_P10.16mm_Horizontal", ("K", "A")),),
    "BC547": (Footprint("Package_TO_SOT_THT:TO-92_Inline", _TO_92),),
    "5 V supply, 2 A": (Footprint(_TERMINAL, ("P", "N")),),
}


def find_footprints(reference: str, value: str) -> list[tuple[str, Footprint]]:
    """The footprints that a part takes, each with its reference: U1A and U1B for the two rows of U1. UnusableInput."""
    rows = (_RESISTOR,) if reference[0] == "R" and reference[1:].isdecimal() else _BY_VALUE.get(value, ())
    if not rows:
        raise UnusableInput(
            f"{value}: no footprint is known; its row in host_tools/virtual/chip_rows.py needs its headers"
        )
    if len(rows) == 1:
        return [(reference, rows[0])]
    return [(f"{reference}{letter}", row) for letter, row in zip("AB", rows, strict=True)]


def find_pads(reference: str, value: str, pin: str) -> Iterator[tuple[str, int]]:
    """Where a pin of that part comes to lie: (reference, pad)."""
    for name, footprint in find_footprints(reference, value):
        for number in footprint.numbers(pin):
            yield name, number
