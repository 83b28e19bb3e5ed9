"""What each part of a table looks like to a check of the wiring: its pins, and whether each drives or listens.

Kinds are KiCad's. From the chips' data sheets; of a module on a board of its own what that board does with the pin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from host_tools.maker.board.footprints import find_footprints
from host_tools.maker.board.modules import MODULES, Module
from host_tools.maker.board.netlist import CHIPS, LVC1G125, Circuit, make_circuit
from host_tools.maker.pcb.hub import SOCKETS, Hub
from host_tools.maker.pcb.seat_board import CABLE, GND, Part
from host_tools.virtual.chip_rows import READERS

INPUT, OUTPUT, BOTH, TRI_STATE, PASSIVE = "input", "output", "bidirectional", "tri_state", "passive"
POWER, SOURCE = "power_in", "power_out"
# A reader's MISO counts as an output, not as one that lets go: clones of the RC522 hold it, hence the gates. A PN532's
# lets go.
_KINDS = {
    **dict.fromkeys(("GND", "VCC", "VDD", "VSS", "VIN", "3.3V", "5V"), POWER), "3V3": SOURCE,
    **dict.fromkeys(("SS", "SCK", "MOSI", "RST", "SCL", "DIN"), INPUT),
    **dict.fromkeys(("MISO", "IRQ", "DOUT"), OUTPUT), "SDA": BOTH,
}


@dataclass(frozen=True)
class Pin:
    """`number` as the footprint has it, or the printed name; no net: nothing is joined to it."""

    number: str
    name: str
    kind: str
    net: str = ""
    may_be_open: bool = False


@dataclass(frozen=True)
class Symbol:
    """A part of a schematic."""

    reference: str
    value: str
    pins: tuple[Pin, ...]
    footprint: str = ""
    is_ordered: bool = True

    def open_nets(self) -> dict[tuple[str, str], str]:
        """Of (reference, pin) what KiCad calls the net of a pin to which nothing is joined."""
        return {(self.reference, pin.number): "-".join((
            f"unconnected-({self.reference}", *([] if pin.name == pin.number else [pin.name.replace("/", "{slash}")]),
            f"Pad{pin.number})")) for pin in self.pins if not pin.net}


def symbols_of_table(board: Any) -> list[Symbol]:
    """Every part of a whole table, as its board file wires it."""
    circuit = make_circuit(board)
    nets = {(reference, pin): net for net, ends in circuit.nets.items() for reference, pin in ends}
    return [Symbol(reference, value, tuple(
        Pin(number, name, kind, nets.get((reference, number), ""), may_be_open)
        for number, name, kind, may_be_open in _list_pins(circuit, reference, MODULES[board.MODULE])))
        for reference, value in circuit.parts.items()]


def symbols_of_seat(parts: Iterable[Part]) -> list[Symbol]:
    """Every part of the seat board; what the cable brings it passes on."""
    names = {
        "J1": dict(zip(map(str, range(1, 17)), CABLE, strict=True)),
        "J2": {str(number): name for number, name in enumerate(READERS["mfrc522"].headers[0], 1)},
        "U1": {str(number): name for name, number in LVC1G125.items()},
        "D1": {"1": "VDD", "2": "DOUT", "3": "VSS", "4": "DIN"},
    }
    found = []
    for part in parts:
        named = names.get(part.reference, {})
        numbers = dict.fromkeys(pad.number for pad in part.footprint.pads)
        pins = []
        for number in numbers:
            name = named.get(number, number)
            kind = PASSIVE
            if part.reference == "U1":
                kind = _kind_of_chip(part.value, name)
            elif part.reference in ("J2", "D1"):
                kind = _KINDS[name]
            pins.append(Pin(number, name, kind, part.nets.get(number, ""), kind == OUTPUT))
        found.append(Symbol(part.reference, part.value, tuple(pins), part.footprint.name, bool(part.order)))
    return found


def symbols_of_hub(hub: Hub) -> list[Symbol]:
    """Every part of the hub; what a cable or a header brings it passes on."""
    module = MODULES[hub.board.MODULE]
    printed = {reference: footprint.pads for reference, (_, footprint) in zip(
        SOCKETS, find_footprints("U1", module.devkit), strict=True)}
    led_out: set[str] = set()
    found = []
    for part in hub.parts:
        chip = {str(number): name for name, number in CHIPS[part.value].items()} if part.value in CHIPS else {}
        pins = []
        for pad in dict.fromkeys(pad.number for pad in part.footprint.pads):
            name, kind, may_be_open = chip.get(pad, pad), PASSIVE, part.reference[0] in "JDU"
            if chip:
                kind = _kind_of_chip(part.value, name)
                may_be_open = kind == OUTPUT
            elif part.reference in printed:
                name = printed[part.reference][int(pad) - 1]
                number = name.removeprefix("GPIO")
                kind = (INPUT if int(number) in module.input_only else BOTH) if number != name else \
                    PASSIVE if name in led_out else _KINDS.get(name, PASSIVE)
                may_be_open = name not in (GND, "5V")
                led_out.add("" if number != name else name)
            elif part.reference == "J1":
                kind = SOURCE
            pins.append(Pin(pad, name, kind, part.nets.get(pad, ""), may_be_open))
        found.append(Symbol(part.reference, part.value, tuple(pins), part.footprint.name, bool(part.order)))
    return found


def _list_pins(circuit: Circuit, reference: str, module: Module) -> list[tuple[str, str, str, bool]]:
    """(number, name, kind, whether it may stay open) of each pin of that part."""
    value = circuit.parts[reference]
    if value == module.devkit:
        printed = dict.fromkeys(name for row in module.headers for name in row)
        pins = {name: INPUT if int(name) in module.input_only else BOTH for name in printed if name.isdecimal()}
        return [(f"GPIO{name}", f"GPIO{name}", pins[name], True) if name in pins
                else (name, name, _KINDS.get(name, PASSIVE), name not in ("GND", "5V")) for name in printed]
    if value in CHIPS:
        rows = [(str(number), name, _kind_of_chip(value, name)) for name, number in CHIPS[value].items()]
        return [(*row, row[2] == OUTPUT) for row in rows]
    if reference.startswith("J"):
        return [("P", "+5V", SOURCE, False), ("N", "GND", SOURCE, False)]
    pads = [pad for _, footprint in find_footprints(reference, value) for pad in footprint.pads] or ["1", "2"]
    is_module = reference[:2] in ("RD", "DS", "LE") or value.endswith(" board")
    rows = [(pad, pad, _KINDS.get(pad, PASSIVE) if is_module else PASSIVE) for pad in dict.fromkeys(pads)]
    if value.startswith("PN532"):
        rows = [(pad, name, TRI_STATE if pad == "MISO" else kind) for pad, name, kind in rows]
    return [(*row, is_module and row[2] in (OUTPUT, PASSIVE)) for row in rows]


def _kind_of_chip(value: str, name: str) -> str:
    if name in ("VCC", "GND", "VIN"):
        return POWER
    if name == "VOUT":
        return SOURCE
    if name.lstrip("/")[0] in "QY":
        return TRI_STATE if value == "74LVC1G125" else OUTPUT
    return INPUT
