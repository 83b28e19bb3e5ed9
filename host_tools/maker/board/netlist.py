"""A board as a KiCad netlist: every part and every connection, made from the board file.

KiCad's board editor reads it with File, Import, Netlist. Each part has a footprint (footprints.py). Here pins of logic
chips are numbered as in their data sheets, pins of modules and boards carry their printed names; the file has the pads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from host_tools.maker.board.footprints import find_footprints, find_pads
from host_tools.maker.board.modules import MODULES
from host_tools.maker.board.power import needs_regulator

_HC165 = {"/PL": 1, "CP": 2, "D4": 3, "D5": 4, "D6": 5, "D7": 6, "/Q7": 7, "GND": 8, "Q7": 9, "DS": 10, "D0": 11,
          "D1": 12, "D2": 13, "D3": 14, "/CE": 15, "VCC": 16}
LVC1G125 = {"/OE": 1, "A": 2, "GND": 3, "Y": 4, "VCC": 5}
_HC138 = {"A0": 1, "A1": 2, "A2": 3, "/E1": 4, "/E2": 5, "E3": 6, "Y7": 7, "GND": 8, "Y6": 9, "Y5": 10, "Y4": 11,
          "Y3": 12, "Y2": 13, "Y1": 14, "Y0": 15, "VCC": 16}
REGULATOR = "TLV1117LV33"  # 3.3 V, 1 A; 0.5 V are enough for it, and ceramic capacitors
CHIPS = {"74HC165": _HC165, "74HC138": _HC138, "74LVC1G125": LVC1G125, REGULATOR: {"GND": 1, "VOUT": 2, "VIN": 3}}
_KEYS = ("OK", "NO", "CALL", "MENU")
_INPUTS = ("D7", "D6", "D5", "D4", "D3", "D2", "D1", "D0")  # in the order in which the chain gives them
_V3, _V3_OUT, _V5, _GND = "3V3", "3V3_OUT", "5V", "GND"  # OUT: of readers and screens, from a regulator of their own


class Circuit:
    """Parts by their reference, and nets by their name: rows of (reference, pin)."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}
        self.nets: dict[str, list[tuple[str, str]]] = {}
        self._counts: dict[str, int] = {}

    def add(self, reference: str, value: str, **nets: str) -> str:
        """A part, and the net of each pin; a pin whose name is no word is given in `join`."""
        self.parts[reference] = value
        for pin, net in nets.items():
            self.join(net, reference, pin)
        return reference

    def join(self, net: str, reference: str, pin: str | int) -> None:
        """One pin is on that net."""
        self.nets.setdefault(net, []).append((reference, str(pin)))

    def chip(self, reference: str, value: str, pins: dict[str, int], nets: dict[str, str]) -> None:
        """A chip with its supply and its 100 nF; nets by the names of its pins."""
        nets = {"VCC": _V3, "GND": _GND, **nets}
        self.parts[reference] = value
        for pin, net in nets.items():
            self.join(net, reference, pins[pin])
        self.two("C", "100nF", nets["VCC"], _GND)

    def two(self, letter: str, value: str, one: str, other: str) -> None:
        """A resistor or capacitor between two nets."""
        number = self._counts[letter] = self._counts.get(letter, 0) + 1
        reference = f"{letter}{number}"
        self.parts[reference] = value
        self.join(one, reference, 1)
        self.join(other, reference, 2)


def make_circuit(board: Any) -> Circuit:
    """All of a board that `board check` finds right."""
    circuit = Circuit()
    circuit.add("U1", MODULES[board.MODULE].devkit)
    for pin, net in (("3V3", _V3), ("5V", _V5), ("GND", _GND)):
        circuit.join(net, "U1", pin)
    outer = _V3_OUT if needs_regulator(board) else _V3
    _add_readers(circuit, board, outer)
    _add_buttons(circuit, board)
    _add_lights(circuit, board)
    _add_screens(circuit, board, outer)
    _add_buzzer(circuit, board)
    circuit.add("J1", "5 V supply, 2 A", P=_V5, N=_GND)
    if outer == _V3_OUT:
        _add_regulator(circuit)
    return circuit


def _add_regulator(circuit: Circuit) -> None:
    circuit.add("U4", REGULATOR)
    for pin, net in (("GND", _GND), ("VOUT", _V3_OUT), ("VIN", _V5)):
        circuit.join(net, "U4", CHIPS[REGULATOR][pin])
    for net in (_V5, _V3_OUT):
        circuit.two("C", "10uF", net, _GND)


def _add_readers(circuit: Circuit, board: Any, outer: str) -> None:
    """outer: the net of their 3.3 V."""
    buses = sorted({reader["spi"] for reader in board.READERS})
    for bus in buses:
        wiring = board.SPI[bus]
        for line in ("sck", "mosi"):
            circuit.join(f"{bus}_{line}_pin", "U1", f"GPIO{wiring[line]}")
            circuit.two("R", "47", f"{bus}_{line}_pin", f"{bus}_{line}")
        circuit.join(f"{bus}_miso", "U1", f"GPIO{wiring['miso']}")
        circuit.two("R", "10k", f"{bus}_miso", _V3)
    circuit.join("reader_reset", "U1", f"GPIO{board.READER_RESET}")
    decoder = getattr(board, "SELECT", None)
    if decoder:
        nets = {f"A{bit}": f"address_{bit}" for bit in range(len(decoder["address"]))}
        nets |= {f"A{bit}": _GND for bit in range(len(decoder["address"]), 3)}
        nets |= {f"Y{reader['output']}": f"select_{seat}" for seat, reader in enumerate(board.READERS, 1)
                 if "output" in reader}
        circuit.chip("U2", "74HC138", _HC138, {**nets, "/E1": "select_enable", "/E2": _GND, "E3": _V3})
        for bit, pin in enumerate(decoder["address"]):
            circuit.join(f"address_{bit}", "U1", f"GPIO{pin}")
        circuit.join("select_enable", "U1", f"GPIO{decoder['enable']}")
        circuit.two("R", "10k", "select_enable", _V3)
    for seat, reader in enumerate(board.READERS, 1):
        bus, name = reader["spi"], f"RD{seat}"
        if "select" in reader:
            circuit.join(f"select_{seat}", "U1", f"GPIO{reader['select']}")
            circuit.two("R", "10k", f"select_{seat}", outer)
        circuit.add(name, f"{reader['chip'].upper()} reader board", SS=f"select_{seat}", SCK=f"{bus}_sck",
                    MOSI=f"{bus}_mosi", RST="reader_reset", GND=_GND)
        circuit.join(outer, name, "3.3V")
        circuit.join(f"miso_{seat}" if "buffer" in board.SPI[bus] else f"{bus}_miso", name, "MISO")
        circuit.two("C", "10uF", outer, _GND)
        circuit.two("C", "100nF", outer, _GND)
    _add_gates(circuit, board, outer)


def _add_gates(circuit: Circuit, board: Any, outer: str) -> None:
    """Each reader's miso passes a gate at that reader, which its own select line opens."""
    for seat, reader in enumerate(board.READERS, 1):
        bus = reader["spi"]
        if "buffer" in board.SPI[bus]:
            nets = {"/OE": f"select_{seat}", "A": f"miso_{seat}", "Y": f"{bus}_miso", "VCC": outer}
            circuit.chip(f"U{20 + seat}", "74LVC1G125", LVC1G125, nets)


def _add_buttons(circuit: Circuit, board: Any) -> None:
    bus, count = board.SPI[board.BUTTONS["spi"]], board.BUTTONS["chips"]
    circuit.join("buttons_sck", "U1", f"GPIO{bus['sck']}")
    circuit.join("buttons_latch", "U1", f"GPIO{board.BUTTONS['latch']}")
    circuit.join("chain_1", "U1", f"GPIO{bus['miso']}")
    keys = [f"SW{seat}{key}" for seat in range(1, board.SEATS + 1) for key in _KEYS]
    for chip in range(1, count + 1):
        nets = {"/PL": "buttons_latch", "CP": "buttons_sck", "Q7": f"chain_{chip}", "/CE": _GND,
                "DS": _GND if chip == count else f"chain_{chip + 1}"}
        for at, pin in enumerate(_INPUTS):
            index = 8 * (chip - 1) + at
            sentinel = 8 * count - 1 - index
            if sentinel < 4:
                nets[pin] = _V3 if board.BUTTONS["sentinel"] >> sentinel & 1 else _GND
                continue
            nets[pin] = f"input_{index + 1}"
            circuit.two("R", "10k", nets[pin], _V3)
            if index < len(keys):
                circuit.add(keys[index], "push button", A=nets[pin], B=_GND)
        circuit.chip(f"U{9 + chip}", "74HC165", _HC165, nets)


def _add_lights(circuit: Circuit, board: Any) -> None:
    circuit.join("lights_pin", "U1", f"GPIO{board.LIGHTS['pin']}")
    circuit.two("R", "330", "lights_pin", "light_1")
    circuit.add("D1", "1N4001", A=_V5, K="4V3")
    circuit.two("C", "100uF", "4V3", _GND)
    for light in range(1, board.LIGHTS["count"] + 1):
        name = circuit.add(f"LED{light}", "WS2812B", VDD="4V3", VSS=_GND, DIN=f"light_{light}")
        if light < board.LIGHTS["count"]:
            circuit.join(f"light_{light + 1}", name, "DOUT")


def _add_screens(circuit: Circuit, board: Any, outer: str) -> None:
    screen = board.SCREEN
    bus = board.I2C[screen["i2c"]]
    for line in ("scl", "sda"):
        circuit.join(line, "U1", f"GPIO{bus[line]}")
        circuit.two("R", "2.2k", line, _V3)
    channels = screen["switch"]["channels"] if "switch" in screen else (None,)
    if "switch" in screen:
        circuit.add("U3", screen["switch"]["chip"].upper() + " board", VIN=_V3, GND=_GND, SCL="scl", SDA="sda")
    for number, channel in enumerate(channels, 1):
        nets = ("scl", "sda") if channel is None else (f"scl_{channel}", f"sda_{channel}")
        circuit.add(f"DS{number}", f"{screen['chip'].upper()} screen", VCC=outer, GND=_GND, SCL=nets[0], SDA=nets[1])
        if channel is not None:
            circuit.join(nets[0], "U3", f"SC{channel}")
            circuit.join(nets[1], "U3", f"SD{channel}")
            for net in nets:
                circuit.two("R", "2.2k", net, _V3)


def _add_buzzer(circuit: Circuit, board: Any) -> None:
    if not getattr(board, "BUZZER", None):
        return
    circuit.join("buzzer_pin", "U1", f"GPIO{board.BUZZER['pin']}")
    circuit.two("R", "10k", "buzzer_pin", _GND)
    circuit.two("R", "1k", "buzzer_pin", "buzzer_base")
    circuit.add("Q1", "BC547", B="buzzer_base", E=_GND, C="buzzer")
    circuit.add("BZ1", "piezo disc", A="buzzer", B=_V5)
    circuit.two("R", "1k", "buzzer", _V5)


def as_kicad(board: Any) -> str:
    """The netlist file."""
    return "\n".join(_lines(board, make_circuit(board))) + "\n"


def _lines(board: Any, circuit: Circuit) -> Iterator[str]:
    yield '(export (version "E")'
    yield f'  (design (source "boards/{board.NAME}.py") (tool "cardtable board docs"))'
    yield "  (components"
    for reference, value in circuit.parts.items():
        for name, footprint in find_footprints(reference, value):
            yield f'    (comp (ref "{name}") (value "{value}") (footprint "{footprint.name}"))'
    yield "  )"
    yield "  (nets"
    for code, (name, nodes) in enumerate(circuit.nets.items(), 1):
        joined = " ".join(
            f'(node (ref "{name}") (pin "{pad}") (pinfunction "{pin}"))'
            for reference, pin in nodes for name, pad in find_pads(reference, circuit.parts[reference], pin))
        yield f'    (net (code "{code}") (name "{name}") {joined})'
    yield "  )"
    yield ")"
