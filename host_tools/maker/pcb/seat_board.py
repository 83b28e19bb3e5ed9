"""The seat board: reader header, its gate, four buttons, a light, the cable's connector, test points.

All seats have the same one.

Millimetres, x to the right and y down, from the board's upper left corner. Pads and courtyards are those of KiCad's
libraries, which a test compares.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from host_tools.base.errors import UnusableInput

WIDTH, HEIGHT = 90.0, 46.0
INSET = 4.0  # of the holes
GND = "GND"
# The cable's wires in their order: ground beside the clock and beside MISO, as docs/boards says.
CABLE = ("4V3", "3V3", GND, "SCK", GND, "MOSI", "MISO", GND, "SS", "RST", "OK", "NO", "CALL", "MENU", "DIN", "DOUT")
_READER = ("SS", "SCK", "MOSI", "MISO_READER", "", GND, "RST", "3V3")  # of an RC522, from its square pad on
_KEYS = ("OK", "NO", "CALL", "MENU")


@dataclass(frozen=True)
class Outline:
    """The edge of a board, from its upper left corner, with a hole of `hole_mm` in each corner; `head_mm`: of its M3
    screw with a washer, which nothing may lie under."""

    width: float
    height: float
    hole_mm: float
    head_mm: float = 7.0

    @property
    def holes(self) -> tuple[tuple[float, float], ...]:
        """Their middles."""
        right, low = self.width - INSET, self.height - INSET
        return (INSET, INSET), (right, INSET), (INSET, low), (right, low)

    def find_collision(self, parts: Iterable[Part]) -> str:
        """Which two parts, or part and screw, would lie on each other, or which part over the edge; "" if none."""
        half = self.head_mm / 2
        boxes = [(f"the screw H{number}", x - half, y - half, x + half, y + half)
                 for number, (x, y) in enumerate(self.holes, 1)]
        for part in parts:
            left, top, right, low = part.footprint.courtyard
            box = part.reference, part.x + left, part.y + top, part.x + right, part.y + low
            if box[1] < 0 or box[2] < 0 or box[3] > self.width or box[4] > self.height:
                return f"{part.reference} over the edge"
            for other in boxes:
                if box[1] < other[3] and other[1] < box[3] and box[2] < other[4] and other[2] < box[4]:
                    return f"{part.reference} on {other[0]}"
            boxes.append(box)
        return ""


@dataclass(frozen=True)
class Pad:
    """One pad of a footprint, from its middle; `drill` 0: on the front alone. The first pad of a row is square."""

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: float = 0.0
    is_round: bool = False

    @property
    def shape(self) -> str:
        """As KiCad calls it."""
        return "rect" if not self.is_round else "circle" if self.width == self.height else "oval"


@dataclass(frozen=True)
class Footprint:
    """`name` is LIBRARY:FOOTPRINT of KiCad; `courtyard`: left, top, right and low end of the room that the part takes;
    `mark`: one of MARKS, which is printed at x and y if the part must not be turned round, a dot beside pad 1."""

    name: str
    pads: tuple[Pad, ...]
    is_smd: bool = True
    courtyard: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    mark: tuple[str, float, float] | None = None


@dataclass(frozen=True)
class Part:
    """A part on the board, the net of each pad number, and what to order: maker and number."""

    reference: str
    value: str
    footprint: Footprint
    x: float
    y: float
    nets: dict[str, str]
    maker: str = ""
    order: str = ""

    def places(self) -> list[tuple[Pad, float, float, str]]:
        """(pad, x, y on the board, net) of each pad; no net: it is left open."""
        return [(pad, self.x + pad.x, self.y + pad.y, self.nets.get(pad.number, "")) for pad in self.footprint.pads]


DOT, PLUS, BAR, CORNER = "dot", "plus", "bar", "corner"
MARKS: dict[str, tuple[tuple[float, float, float, float], ...]] = {  # the lines of each: x, y, x, y
    DOT: (), BAR: ((0.0, -0.9, 0.0, 0.9),), PLUS: ((-0.45, 0.0, 0.45, 0.0), (0.0, -0.45, 0.0, 0.45)),
    CORNER: ((-2.5, 0.0, -0.45, 0.0), (-0.45, 0.0, 0.0, -0.45), (0.0, -0.45, 0.0, -1.75)),
}


def two(name: str, at: float, width: float, height: float, reach: tuple[float, float], mark: str = "") -> Footprint:
    """A part with two pads, each `at` from its middle; reach: half the width and height of its courtyard."""
    x, y = reach
    return Footprint(name, (Pad("1", -at, 0, width, height), Pad("2", at, 0, width, height)),
                     courtyard=(-x, -y, x, y), mark=(mark, -x - 0.3, 0.0) if mark else None)


R_0805 = two("Resistor_SMD:R_0805_2012Metric_Pad1.20x1.40mm_HandSolder", 1.0, 1.2, 1.4, (1.85, 0.95))
C_0805 = two("Capacitor_SMD:C_0805_2012Metric_Pad1.18x1.45mm_HandSolder", 1.0375, 1.175, 1.45, (1.88, 0.98))
C_1206 = two("Capacitor_SMD:C_1206_3216Metric_Pad1.33x1.80mm_HandSolder", 1.5625, 1.325, 1.8, (2.48, 1.15))
_SOT_23_5 = Footprint("Package_TO_SOT_SMD:SOT-23-5", tuple(
    Pad(number, x, y, 1.325, 0.6) for number, x, y in (
        ("1", -1.1375, -0.95), ("2", -1.1375, 0.0), ("3", -1.1375, 0.95), ("4", 1.1375, 0.95), ("5", 1.1375, -0.95))),
    courtyard=(-2.05, -1.7, 2.05, 1.7), mark=(DOT, -2.4, -0.95))
_LIGHT = Footprint("LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm", tuple(
    Pad(number, x, y, 1.5, 0.9) for number, x, y in (
        ("1", -2.45, -1.65), ("2", -2.45, 1.65), ("3", 2.45, 1.65), ("4", 2.45, -1.65))),
    courtyard=(-3.45, -2.75, 3.45, 2.75), mark=(CORNER, 3.5, 2.75))  # which these lights lack at VSS, pad 3
_REACH = {"PinSocket": (-1.8, -1.8, 1.75, 1.77), "PinHeader": (-1.77, -1.77, 1.77, 1.77)}


def row(name: str, count: int) -> Footprint:
    """A row of pins; `name`: PinSocket or PinHeader."""
    left, top, right, low = _REACH[name]
    return Footprint(f"Connector_{name}_2.54mm:{name}_1x{count:02}_P2.54mm_Vertical", tuple(
        Pad(str(at + 1), 0, 2.54 * at, 1.7, 1.7, 1.0, at > 0) for at in range(count)), False,
        (left, top, right, low + 2.54 * (count - 1)), (DOT, left - 0.3, 0.0))


SEAT_CABLE = Footprint("Connector_IDC:IDC-Header_2x08_P2.54mm_Vertical", tuple(
    Pad(str(number + 1), 2.54 * (number % 2), 2.54 * (number // 2), 1.7, 1.7, 1.0, number > 0)
    for number in range(16)), False, (-3.68, -5.6, 6.22, 23.38), (DOT, -4.1, 0.0))
_BUTTON = Footprint("Button_Switch_THT:SW_PUSH_6mm", tuple(
    Pad(number, x, y, 2.0, 2.0, 1.1, True) for number, x, y in (
        ("1", 0, 0), ("1", 6.5, 0), ("2", 0, 4.5), ("2", 6.5, 4.5))), False, (-1.5, -1.5, 8.0, 6.0))
_POINT = Footprint("TestPoint:TestPoint_Pad_D1.5mm", (Pad("1", 0, 0, 1.5, 1.5, 0.0, True),),
                   courtyard=(-1.25, -1.25, 1.25, 1.25))


OUTLINE = Outline(WIDTH, HEIGHT, 3.2)


def make_parts() -> list[Part]:
    """Every part with its place."""
    numbered = {str(number): net for number, net in enumerate(CABLE, 1)}
    reader = {str(number): net for number, net in enumerate(_READER, 1) if net}
    samsung, yageo = "Samsung Electro-Mechanics", "Yageo"
    tenth = ("100nF", C_0805)
    parts = [
        Part("J1", "cable to the hub", SEAT_CABLE, 9.0, 13.5, numbered, "Wurth Elektronik", "61201621621"),
        Part("J2", "RC522 reader board", row("PinSocket", 8), 84.0, 11.0, reader, "Sullins", "PPTC081LFBN-RC"),
        Part("U1", "74LVC1G125", _SOT_23_5, 66.0, 20.0,
             {"1": "SS", "2": "MISO_READER", "3": GND, "4": "MISO", "5": "3V3"}, "Texas Instruments",
             "SN74LVC1G125DBVR"),
        Part("C1", *tenth, 66.0, 16.0, {"1": "3V3", "2": GND}, samsung, "CL21B104KBCNNNC"),
        Part("C2", "10uF", C_1206, 75.0, 29.0, {"1": "3V3", "2": GND}, samsung, "CL31A106KBHNNNE"),
        Part("C3", *tenth, 75.0, 25.0, {"1": "3V3", "2": GND}, samsung, "CL21B104KBCNNNC"),
        Part("C4", *tenth, 39.0, 22.0, {"1": "4V3", "2": GND}, samsung, "CL21B104KBCNNNC"),
        Part("R1", "10k", R_0805, 58.0, 16.0, {"1": "SS", "2": "3V3"}, yageo, "RC0805FR-0710KL"),
        Part("D1", "WS2812B", _LIGHT, 47.0, 22.0, {"1": "4V3", "2": "DOUT", "3": GND, "4": "DIN"}, "Worldsemi",
             "WS2812B"),
    ]
    for number, key in enumerate(_KEYS):
        parts.append(Part(f"SW{number + 1}", key, _BUTTON, 19.0 + 15.0 * number, 34.0, {"1": key, "2": GND}, "Omron",
                          "B3F-1000"))
    for number, net in enumerate((GND, "3V3", "4V3", "SCK", "MISO", "SS"), 1):
        parts.append(Part(f"TP{number}", net, _POINT, 20.0 + 7.0 * number, 6.0, {"1": net}))
    return parts


def require_kind(board: Any) -> None:
    """UnusableInput, if this seat board does not fit that table."""
    other = sorted({reader["chip"] for reader in board.READERS} - {"mfrc522"})
    if other:
        raise UnusableInput(f"{board.NAME}: its readers are {', '.join(other)}, and the seat board has the header of an"
                            " RC522 (mfrc522) alone.")
    open_ones = sorted({reader["spi"] for reader in board.READERS if "buffer" not in board.SPI[reader["spi"]]})
    if open_ones:
        raise UnusableInput(f"{board.NAME}: SPI {', '.join(open_ones)} has no gates, and the seat board has one.")
