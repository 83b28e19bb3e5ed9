"""The hub of a table: sockets for its module, a connector for the cable of each seat, shift registers, supply and fuse.

Made from the board file's own circuit, less what the seat boards have. Millimetres; every part stands on the grid of
lanes.py. Pads are those of KiCad's libraries, which a test compares.
"""

from __future__ import annotations

from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.maker.board.footprints import find_footprints
from host_tools.maker.board.modules import MODULES
from host_tools.maker.board.netlist import CHIPS, REGULATOR, Circuit, make_circuit
from host_tools.maker.pcb.lanes import GRID
from host_tools.maker.pcb.route import Area
from host_tools.maker.pcb.seat_board import (
    BAR, C_0805, C_1206, CABLE, DOT, GND, PLUS, R_0805, SEAT_CABLE, Footprint, Outline, Pad, Part, require_kind, row,
    two,
)

# 5V_MODULE is what supply and the module's USB both feed: it lies behind a diode, so that USB feeds nothing else.
V3, V3_OUT, V5, V5_IN, V5_MODULE = "3V3", "3V3_OUT", "5V", "5V_IN", "5V_MODULE"
PLANES = (GND, V3)
WIDE_NETS = (V5_IN, V5, V5_MODULE, "4V3", V3_OUT)
# Between the two rows of pins: ESP32-S3-DevKitC-1 0.9 inch, ESP32-DevKitC V4 one inch. Not measured.
ROWS_MM = {"ESP32-S3-DevKitC-1": 22.86, "ESP32-DevKitC V4": 25.4, "ESP32-DevKitC V4 with WROVER": 25.4}
SOCKETS = ("J2", "J3")  # of the module, left and right from its antenna
SWITCH = {"U3A": "J4", "U3B": "J5"}  # of the screens' switch board
_PITCH, _LEFT, _GAP = 15.24, 24.13, 12.7  # of the seats' connectors; a USB plug goes between their two groups
_LEAST_SEATS = 4  # no hub is narrower than theirs
_SWITCHED = 58.42  # what switch and screens of a seat each take right of the module's middle
_CHIP_PITCH = 12.7
_MODULE_Y, _CHIPS_Y, _PULLS_Y, _CABLES_Y, HEIGHT = 5.08, 67.31, 75.565, 86.36, 111.76
_HEAT = Area(V3_OUT, 9.2, 56.5, 19.05, 69.2)  # beside the regulator's tab

_SOIC_16 = Footprint("Package_SO:SOIC-16_3.9x9.9mm_P1.27mm", tuple(
    Pad(str(number), -2.475 if number <= 8 else 2.475, -4.445 + 1.27 * (number - 1 if number <= 8 else 16 - number),
        1.95, 0.6) for number in range(1, 17)), courtyard=(-3.7, -5.2, 3.7, 5.2), mark=(DOT, -4.0, -4.445))
_FUSE = two("Fuse:Fuse_1812_4532Metric_Pad1.30x3.40mm_HandSolder", 2.225, 1.3, 3.4, (3.13, 1.95))
_SMA = two("Diode_SMD:D_SMA_Handsoldering", 2.5, 3.5, 1.8, (4.5, 1.75), BAR)
_SOT_223 = Footprint("Package_TO_SOT_SMD:SOT-223-3_TabPin2", (
    Pad("1", -3.15, -2.3, 2.0, 1.5), Pad("2", -3.15, 0, 2.0, 1.5), Pad("3", -3.15, 2.3, 2.0, 1.5),
    Pad("2", 3.15, 0, 2.0, 3.8)), courtyard=(-4.4, -3.6, 4.4, 3.6), mark=(DOT, -4.7, -2.3))
_TERMINAL = Footprint("TerminalBlock_Phoenix:TerminalBlock_Phoenix_MKDS-1,5-2-5.08_1x02_P5.08mm_Horizontal",
                      (Pad("1", 0, 0, 2.6, 2.6, 1.3), Pad("2", 5.08, 0, 2.6, 2.6, 1.3, True)), False,
                      (-3.04, -5.71, 8.13, 5.1), (PLUS, -3.5, 0.0))
_DIODE = Footprint("Diode_THT:D_DO-41_SOD81_P10.16mm_Horizontal",
                   (Pad("1", 0, 0, 2.2, 2.2, 1.1), Pad("2", 10.16, 0, 2.2, 2.2, 1.1, True)), False,
                   (-1.35, -1.6, 11.51, 1.6), (BAR, 1.75, 0.0))
_ELECTROLYTIC = Footprint("Capacitor_THT:CP_Radial_D6.3mm_P2.50mm",
                          (Pad("1", 0, 0, 1.6, 1.6, 0.8), Pad("2", 2.5, 0, 1.6, 1.6, 0.8, True)), False,
                          (-2.15, -3.4, 4.65, 3.4), (PLUS, -2.7, 0.0))
_TO_92 = Footprint("Package_TO_SOT_THT:TO-92_Inline", tuple(
    Pad(str(number + 1), 1.27 * number, 0, 1.05, 1.5, 0.75, number > 0) for number in range(3)), False,
                   (-1.46, -2.73, 4.0, 2.01), (DOT, -1.75, 0.0))
_YAGEO = {"47": "RC0805FR-0747RL", "330": "RC0805FR-07330RL", "1k": "RC0805FR-071KL", "2.2k": "RC0805FR-072K2L",
          "10k": "RC0805FR-0710KL"}
_SAMSUNG = "Samsung Electro-Mechanics"
_CHIP_ORDERS = {"74HC165": ("Texas Instruments", "SN74HC165DR"), "74HC138": ("Texas Instruments", "SN74HC138DR")}


def snap(mm: float) -> float:
    """The nearest line of the grid."""
    return round(round(mm / GRID) * GRID, 4)


class Hub:
    """The parts of one hub as they are placed."""

    def __init__(self, board: Any) -> None:
        require_kind(board)
        self.board = board
        self.circuit: Circuit = make_circuit(board)
        self.nets = {(reference, pin): V5_MODULE if net == V5 and reference in ("U1", "U4") else net
                     for net, ends in self.circuit.nets.items() for reference, pin in ends}
        places = max(_LEAST_SEATS, board.SEATS)
        left = (places + 1) // 2
        self.middle = snap(_LEFT + _PITCH * left + 8.89)
        self.cables = [snap(_LEFT + _PITCH * seat if seat < left else self.middle + _GAP + _PITCH * (seat - left))
                       for seat in range(places)]
        least = self.middle + _SWITCHED if "U3" in self.circuit.parts else 0.0
        self.outline = Outline(snap(max(self.cables[-1] + _PITCH, least)), HEIGHT, 3.2)
        self.areas = (_HEAT,) if "U4" in self.circuit.parts else ()
        self.notes = (("antenna", self.middle, 2.5),)
        self.parts: list[Part] = []
        self._capacitors = 0

    def _add(self, reference: str, value: str, footprint: Footprint, at: tuple[float, float], nets: dict[str, str],
             order: tuple[str, str]) -> None:
        self.parts.append(Part(reference, value, footprint, snap(at[0]), snap(at[1]),
                               {pin: net for pin, net in nets.items() if net}, *order))

    def _capacitor(self, value: str, at: tuple[float, float], net: str = V3) -> None:
        self._capacitors += 1
        footprint, order = (C_0805, "CL21B104KBCNNNC") if value == "100nF" else (C_1206, "CL31A106KBHNNNE")
        self._add(f"C{self._capacitors}", value, footprint, at, {"1": net, "2": GND}, (_SAMSUNG, order))

    def place(self) -> list[Part]:
        """Every part. UnusableInput, if there is no room for them."""
        self._place_module()
        self._place_cables()
        self._place_chips()
        self._place_supply()
        self._place_regulator()
        self._place_screens_and_buzzer()
        self._place_resistors()
        found = self.outline.find_collision(self.parts)
        if found:
            raise self._no_room(found)
        return self.parts

    def _no_room(self, why: str) -> UnusableInput:
        return UnusableInput(f"{self.board.NAME}: its hub has no room: {why}.")

    def _place_module(self) -> None:
        module = MODULES[self.board.MODULE]
        if module.devkit not in ROWS_MM:
            raise UnusableInput(f"{self.board.NAME}: how far apart the two rows of pins of an {module.devkit} are is"
                                " not known: ROWS_MM in host_tools/maker/pcb/hub.py needs it.")
        half = ROWS_MM[module.devkit] / 2
        for (_, footprint), side in zip(find_footprints("U1", module.devkit), (-1, 1), strict=True):
            count = len(footprint.pads)
            nets = {str(at): self.nets.get(("U1", name), "") for at, name in enumerate(footprint.pads, 1)}
            shown = f"{module.devkit}, {('left', 'right')[side > 0]}"  # a symbol of its own: other pins
            self._add(SOCKETS[side > 0], shown, row("PinSocket", count), (self.middle + side * half, _MODULE_Y), nets,
                      ("Sullins", f"PPTC{count:02}1LFBN-RC"))
        self._capacitor("10uF", (self.middle, _MODULE_Y + 2.54))

    def _net_of(self, seat: int, wire: str) -> str:
        """What a wire of a seat's cable is called here."""
        bus = self.board.READERS[seat - 1]["spi"]
        inputs = {key: self.nets.get((f"SW{seat}{key}", "A"), "") for key in ("OK", "NO", "CALL", "MENU")}
        more = f"light_{seat + 1}"
        names = {"3V3": self.nets[f"RD{seat}", "3.3V"], "SCK": f"{bus}_sck", "MOSI": f"{bus}_mosi",
                 "MISO": f"{bus}_miso", "SS": f"select_{seat}", "RST": "reader_reset",
                 "DIN": f"light_{seat}", "DOUT": more if more in self.circuit.nets else "", **inputs}
        return names.get(wire, wire)

    def _place_cables(self) -> None:
        for seat, x in enumerate(self.cables[:self.board.SEATS], 1):
            nets = {str(number): self._net_of(seat, wire) for number, wire in enumerate(CABLE, 1)}
            self._add(f"J{10 + seat}", f"cable to seat {seat}", SEAT_CABLE, (x, _CABLES_Y), nets,
                      ("Wurth Elektronik", "61201621621"))

    def _place_chips(self) -> None:
        chips = [(reference, value) for reference, value in self.circuit.parts.items() if value in _CHIP_ORDERS]
        chips.sort(key=lambda chip: (chip[1] != "74HC165", chip[0]))
        span = self.outline.width - 2 * _LEFT
        most = int(span / _CHIP_PITCH) + 1
        if len(chips) > most:
            raise self._no_room(f"{len(chips)} logic chips, and {most} go beside each other")
        for at, (reference, value) in enumerate(chips):
            x = _LEFT + span * at / max(1, len(chips) - 1)
            nets = {str(number): self.nets.get((reference, str(number)), "") for number in CHIPS[value].values()}
            self._add(reference, value, _SOIC_16, (x, _CHIPS_Y), nets, _CHIP_ORDERS[value])
            self._capacitor("100nF", (x + 6.985, _CHIPS_Y))

    def _place_supply(self) -> None:
        self._add("J1", "5 V supply, 2 A", _TERMINAL, (11.43, HEIGHT - 7.62), {"1": V5_IN, "2": GND},
                  ("Phoenix Contact", "1715721"))
        self._add("F1", "2 A, resettable", _FUSE, (11.43, HEIGHT - 17.78), {"1": V5_IN, "2": V5},
                  ("Bourns", "MF-MSMF200-2"))
        self._add("D1", "1N4001", _DIODE, (6.985, HEIGHT - 25.4), {"1": "4V3", "2": V5}, ("Diodes Incorporated",
                                                                                     "1N4001-T"))
        self._add("C50", "100uF", _ELECTROLYTIC, (10.16, HEIGHT - 33.02), {"1": "4V3", "2": GND},
                  ("Nichicon", "UVR1E101MED"))
        self._add("D2", "B340A", _SMA, (11.43, HEIGHT - 39.37), {"1": V5_MODULE, "2": V5}, ("Diodes Incorporated",
                                                                                        "B340A-13-F"))

    def _place_regulator(self) -> None:
        """Of readers and screens; its tab lies on an area of copper."""
        if "U4" not in self.circuit.parts:
            return
        nets = {str(number): self.nets["U4", str(number)] for number in CHIPS[REGULATOR].values()}
        self._add("U4", REGULATOR, _SOT_223, (7.62, 62.23), nets, ("Texas Instruments", "TLV1117LV33DCYR"))
        self._capacitor("10uF", (6.35, 67.31), V5_MODULE)
        self._capacitor("10uF", (12.7, 54.61), V3_OUT)

    def _place_screens_and_buzzer(self) -> None:
        left = self.middle + 20.32
        spots = [(self.outline.width - 10.16 - 7.62 * (at % 3), 12.7 + 17.78 * (at // 3)) for at in range(9)]
        for reference, value in self.circuit.parts.items():
            rows = find_footprints(reference, value) if reference[:2] in ("DS", "U3", "BZ") else []
            for name, footprint in rows:
                count = len(footprint.pads)
                at = (left, 10.16) if count > 4 else (left + 7.62, 10.16) if name.startswith("U3") else \
                    (self.outline.width - 10.16, 64.77) if name == "BZ1" else spots.pop(0)
                nets = {str(number): self.nets.get((reference, pin), "")
                        for number, pin in enumerate(footprint.pads, 1)}
                shown = value + {"U3A": ", supply", "U3B": ", channels"}.get(name, "")
                self._add(SWITCH.get(name, name), shown, row("PinHeader", count), at, nets,
                          ("Sullins", f"PRPC{count:03}SAAN-RC"))
        if "Q1" in self.circuit.parts:
            self._add("Q1", "BC547", _TO_92, (self.outline.width - 20.32, 54.61),
                      {str(at): self.nets["Q1", pin] for at, pin in enumerate("CBE", 1)}, ("onsemi", "BC547BBU"))

    def _place_resistors(self) -> None:
        """A button's pull-up stands above its cable, the others left of the module. What holds a reader's select line
        up is on the seat board."""
        columns = [snap(8.89 + 6.35 * at) for at in range(int((self.middle - 24.13) / 6.35))]
        spots = [(x, 15.24 + 5.08 * line) for line in range(8) for x in reversed(columns)]
        keys = {self._net_of(seat, key): (seat, at) for seat in range(1, self.board.SEATS + 1)
                for at, key in enumerate(("OK", "NO", "CALL", "MENU"))}
        for reference, value in self.circuit.parts.items():
            if reference[0] != "R" or not reference[1:].isdecimal():
                continue
            nets = {pin: self.nets[reference, pin] for pin in "12"}
            if nets["1"].startswith("select_") and nets["1"] != "select_enable":
                continue
            if nets["1"] in keys:
                seat, at = keys[nets["1"]]
                where = self.cables[seat - 1] - 2.54 + 7.62 * (at % 2), _PULLS_Y + 3.175 * (at // 2)
            elif spots:
                where = spots.pop(0)
            else:
                raise self._no_room(f"{reference} and the resistors behind it")
            self._add(reference, value, R_0805, where, nets, ("Yageo", _YAGEO[value]))
