"""Lists every wire that a board file names."""

from dataclasses import dataclass
from typing import Any

# What a wire serves; also the order in which a page lists them.
READERS, SELECT, BUTTONS, LIGHTS, SCREEN, BUZZER = GROUPS = (
    "readers", "select", "buttons", "lights", "screen", "buzzer",
)
SENTINEL_BITS = 4  # inputs behind the buttons, wired straight to 3.3 V or ground
NOTHING = "nothing"  # where a wire goes to that MicroPython claims a pin for


@dataclass(frozen=True)
class Wire:
    """From `pin` of the module to pin `to` of a part; joints.py has what lies between. `group` is one of GROUPS."""

    pin: int
    group: str
    signal: str  # what it is called at the module
    to: str
    is_output: bool = True
    rests_at: int | None = None  # the level at which the part, with its pull-up or -down, holds it at reset


def find_reach(freq: int) -> str:
    """How long an I2C line with 2.2 k and 100 pF a metre may be: at 400 kHz it has 300 ns to rise, at 100 kHz 400 pF
    are the most (I2C specification UM10204, table 10)."""
    return "1 m" if freq > 100_000 else "4 m"


def name(wire: Wire) -> str:
    """The wire as a sentence names it."""
    return f"pin {wire.pin} ({wire.signal})"


def find_wires(board: Any) -> list[Wire]:
    """All wires of a board whose data has the right shape (host_tools/maker/board/shape.py)."""
    return [*_readers(board), *_buttons(board), *_others(board)]


def _readers(board: Any) -> list[Wire]:
    wires = []
    for bus in sorted({reader["spi"] for reader in board.READERS}):
        if bus in board.SPI:
            wiring = board.SPI[bus]
            wires.append(Wire(wiring["sck"], READERS, f"{bus} sck", "SCK"))
            wires.append(Wire(wiring["mosi"], READERS, f"{bus} mosi", "MOSI"))
            wires.append(Wire(wiring["miso"], READERS, f"{bus} miso", "MISO", is_output=False))
    wires.append(Wire(board.READER_RESET, READERS, "readers reset", "RST"))
    decoder = getattr(board, "SELECT", None)
    if decoder:
        for bit, pin in enumerate(decoder["address"]):
            wires.append(Wire(pin, SELECT, f"select address {bit}", f"A{bit}"))
        wires.append(Wire(decoder["enable"], SELECT, "select enable", "/E1", rests_at=1))
    for seat, reader in enumerate(board.READERS, 1):
        if "select" in reader:
            wires.append(Wire(reader["select"], SELECT, f"select of seat {seat}", "SS", rests_at=1))
    return wires


def _buttons(board: Any) -> list[Wire]:
    wiring = board.SPI.get(board.BUTTONS["spi"])
    wires = []
    if wiring is not None:
        bus = board.BUTTONS["spi"]
        wires.append(Wire(wiring["sck"], BUTTONS, f"{bus} sck", "CP"))
        wires.append(Wire(wiring["mosi"], BUTTONS, f"{bus} mosi", NOTHING))
        wires.append(Wire(wiring["miso"], BUTTONS, f"{bus} miso", "Q7", is_output=False))
    wires.append(Wire(board.BUTTONS["latch"], BUTTONS, "buttons latch", "/PL"))
    return wires


def _others(board: Any) -> list[Wire]:
    wires = [Wire(board.LIGHTS["pin"], LIGHTS, "lights", "DIN")]
    screen = board.SCREEN
    if screen["i2c"] in board.I2C:
        bus = board.I2C[screen["i2c"]]
        for line in ("scl", "sda"):
            wires.append(Wire(bus[line], SCREEN, f"{screen['i2c']} {line}", line.upper(), rests_at=1))
    if getattr(board, "BUZZER", None):
        wires.append(Wire(board.BUZZER["pin"], BUZZER, "buzzer", "base", rests_at=0))
    return wires
