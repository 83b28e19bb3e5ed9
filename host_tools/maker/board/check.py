"""Checks that a board can be built and can work. A finding is a sentence that names the pin or part, and the cause."""

from collections import Counter
from typing import Any

from host_tools.virtual.chip_rows import KINDS, READERS
from host_tools.maker.board.modules import MODULES, Module
from host_tools.maker.board.shape import check_shape
from host_tools.maker.board.wires import SENTINEL_BITS, Wire, find_wires, name
from host_tools.base.project import ROOT

DRIVERS = ROOT / "firmware" / "cardtable" / "drivers"
MOST_SEATS = 7
KEYS = 4  # buttons a seat
_MOST_FREQ = 400_000
# Behind a switch a screen lies at each seat: 3 to 4 m of cable, 100 pF a metre, and at 400 kHz a line may take 300 ns
# to rise.
_MOST_LONG_FREQ = 100_000
# A bus that passes every seat is 3 m long and more: at 1 MHz such buses work, and frames, not bits, take the time.
_MOST_LONG_BAUD = 1_000_000
# A 74HC165: 5 MHz at 2 V, 24 at 4.5 (Nexperia's data sheet, down to -40 degrees); it has 3.3.
_MOST_BUTTONS_BAUD = 10_000_000
_GATE = "74lvc1g125"  # one a seat, at its reader: a chip of four leaves stubs half a table long
# A sweep with every reader at its slowest is a tenth of a second; one that takes a whole second has hung.
_WATCHDOG_MS = (2_000, 60_000)


def check(board: Any) -> list[str]:
    """Everything that is wrong with a board; empty if it is right."""
    found = check_shape(board)
    if found:
        return found
    if board.MODULE not in MODULES:
        return [f"MODULE {board.MODULE!r} is not known: it is one of {', '.join(MODULES)}"]
    module = MODULES[board.MODULE]
    wires = find_wires(board)
    found += [sentence for wire in wires for sentence in check_wire(wire, module)]
    found += check_conflicts(wires)
    found += check_hosts(board, module)
    found += check_readers(board)
    found += check_reader_buses(board, module)
    found += check_buttons(board)
    found += check_others(board)
    return found


def check_wire(wire: Wire, module: Module) -> list[str]:
    """Whether this pin may do that."""
    pin = wire.pin
    if pin not in module.pins:
        return [f"{name(wire)}: {module.title} has no such pin"]
    if pin in module.taken:
        return [f"{name(wire)}: it belongs to {module.taken[pin]}"]
    if wire.is_output and pin in module.input_only:
        return [f"{name(wire)}: it is an input only and cannot drive"]
    strap = module.straps.get(pin)
    if strap and wire.rests_at != strap.needs:
        return [f"{name(wire)}: a strap: {strap.why}"]
    return []


def check_conflicts(wires: list[Wire]) -> list[str]:
    """A pin has one use."""
    by_pin: dict[int, list[Wire]] = {}
    for wire in wires:
        by_pin.setdefault(wire.pin, []).append(wire)
    return [
        f"pin {pin} has {len(uses)} uses: {', '.join(wire.signal for wire in uses)}"
        for pin, uses in sorted(by_pin.items()) if len(uses) > 1
    ]


def check_hosts(board: Any, module: Module) -> list[str]:
    """Each bus has a host of its own that the chip has."""
    found = []
    for kind, buses, hosts in (("SPI", board.SPI, module.spi_hosts), ("I2C", board.I2C, module.i2c_hosts)):
        for bus, wiring in buses.items():
            if wiring["id"] not in hosts:
                found.append(f"{kind} {bus}: there is no host {wiring['id']}, only {', '.join(map(str, hosts))}")
        for host, count in Counter(wiring["id"] for wiring in buses.values()).items():
            if count > 1:
                found.append(f"{kind}: {count} buses want host {host}")
    for bus, wiring in board.SPI.items():
        if wiring["baudrate"] <= 0:
            found.append(f"SPI {bus}: {wiring['baudrate']} bits a second are none")
    for bus, wiring in board.I2C.items():
        if not 0 < wiring["freq"] <= _MOST_FREQ:
            found.append(f"I2C {bus}: {wiring['freq']} Hz, and its chips take up to {_MOST_FREQ}")
    return found


def check_readers(board: Any) -> list[str]:
    """One reader a seat, each selected by one line that no other has."""
    found = []
    if not 2 <= board.SEATS <= MOST_SEATS:
        found.append(f"SEATS is {board.SEATS}: a table has 2 to {MOST_SEATS}")
    if len(board.READERS) != board.SEATS:
        found.append(f"{board.SEATS} seats have {len(board.READERS)} readers")
    decoder = getattr(board, "SELECT", None)
    outputs: Counter[int] = Counter()
    for seat, reader in enumerate(board.READERS, 1):
        where = f"the reader of seat {seat}"
        found += check_driver(where, "reader", reader["chip"])
        chip = READERS.get(reader["chip"])
        if reader["spi"] not in board.SPI:
            found.append(f"{where}: there is no SPI bus {reader['spi']}")
        elif chip and board.SPI[reader["spi"]]["baudrate"] > chip.most_baud:
            found.append(f"{where}: a {reader['chip']} takes up to {chip.most_baud} bits a second")
        if chip and "gain" in reader and not chip.gains:
            found.append(f"{where}: a {reader['chip']} sets its gain by itself")
        elif chip and "gain" in reader and reader["gain"] not in chip.gains:
            found.append(f"{where}: a {reader['chip']} has gains 0 to 7, not {reader['gain']}")
        if ("select" in reader) == ("output" in reader):
            found.append(f"{where} has to be selected by a pin or by an output, one of them")
        if "output" in reader:
            outputs[reader["output"]] += 1
            if not decoder:
                found.append(f"{where}: there is no SELECT of which it could have an output")
            elif not 0 <= reader["output"] < 1 << len(decoder["address"]):
                found.append(f"{where}: {len(decoder['address'])} address pins do not reach output {reader['output']}")
    found += [f"{count} readers have output {output}" for output, count in outputs.items() if count > 1]
    if decoder:
        found += check_driver("SELECT", "select", decoder["chip"])
        if not 1 <= len(decoder["address"]) <= 3:
            found.append(f"SELECT has {len(decoder['address'])} address pins: a decoder has 1 to 3")
    return found


def check_reader_buses(board: Any, module: Module) -> list[str]:
    """Each can be read by all its readers: gates between them, a clock that its length carries, a pull-up on miso."""
    found = []
    counts = Counter(reader["spi"] for reader in board.READERS if reader["spi"] in board.SPI)
    for bus, count in counts.items():
        wiring = board.SPI[bus]
        if count > 1 and "buffer" not in wiring:
            found.append(f"SPI {bus}: {count} readers share its miso without gates, and RC522 boards hold it low while "
                         "they are not selected: add \"buffer\": \"74lvc1g125\"")
        if wiring.get("buffer", _GATE) != _GATE:
            found.append(f"SPI {bus}: gates of a {wiring['buffer']!r} are not known, only of a {_GATE}")
        if count > 1 and wiring["baudrate"] > _MOST_LONG_BAUD:
            found.append(f"SPI {bus}: {wiring['baudrate']} bits a second on a bus that passes {count} seats: "
                         f"{_MOST_LONG_BAUD} at most")
        if wiring["miso"] in module.input_only:
            found.append(f"SPI {bus}: pin {wiring['miso']} has no pull-up of its own, and miso needs one where nobody "
                         "drives it")
    return found


def check_buttons(board: Any) -> list[str]:
    """Four a seat, on a bus of their own, with a sentinel that no broken chain can give."""
    buttons = board.BUTTONS
    found = []
    if buttons["spi"] not in board.SPI:
        found.append(f"BUTTONS: there is no SPI bus {buttons['spi']}")
    elif any(reader["spi"] == buttons["spi"] for reader in board.READERS):
        found.append("BUTTONS: a 74HC165 drives its data line all the time, so its bus can have no readers")
    elif board.SPI[buttons["spi"]]["baudrate"] > _MOST_BUTTONS_BAUD:
        found.append(f"SPI {buttons['spi']}: a 74HC165 takes up to {_MOST_BUTTONS_BAUD} bits a second")
    inputs, needed = 8 * buttons["chips"], KEYS * board.SEATS + SENTINEL_BITS
    if inputs < needed:
        found.append(f"BUTTONS: {buttons['chips']} chips have {inputs} inputs, {board.SEATS} seats need {needed}")
    if not 0 < buttons["sentinel"] < (1 << SENTINEL_BITS) - 1:
        found.append(f"BUTTONS: the sentinel {buttons['sentinel']:04b} is what a broken chain gives")
    return found


def check_others(board: Any) -> list[str]:
    """Lights, screens, buzzer, watchdog."""
    found = []
    if board.LIGHTS["count"] != board.SEATS:
        found.append(f"{board.SEATS} seats have {board.LIGHTS['count']} lights")
    screen = board.SCREEN
    if screen["i2c"] not in board.I2C:
        found.append(f"SCREEN: there is no I2C bus {screen['i2c']}")
    elif "switch" in screen and board.I2C[screen["i2c"]]["freq"] > _MOST_LONG_FREQ:
        found.append(f"I2C {screen['i2c']}: {board.I2C[screen['i2c']]['freq']} Hz past all seats: {_MOST_LONG_FREQ} at"
                     " most where a screen lies at each, since long cables rise too slowly")
    found += check_driver("SCREEN", "screen", screen["chip"])
    found += check_address("SCREEN", "screen", screen)
    if (screen["width"], screen["height"]) != (128, 64):
        found.append(f"SCREEN: {screen['width']} x {screen['height']} dots: eight lines of 21 letters need 128 x 64")
    if "switch" in screen:
        switch = screen["switch"]
        found += check_driver("SCREEN", "switch", switch["chip"])
        found += check_address("SCREEN", "switch", switch)
        channels = switch["channels"]
        if len(channels) != board.SEATS:
            found.append(f"SCREEN: {board.SEATS} seats have {len(channels)} channels of the switch")
        if len(set(channels)) != len(channels):
            found.append(f"SCREEN: two screens are on one channel of the switch: {channels}")
        if not all(0 <= channel < 8 for channel in channels):
            found.append(f"SCREEN: a switch has channels 0 to 7, not {channels}")
    watchdog = getattr(board, "WATCHDOG", None)
    least_ms, most_ms = _WATCHDOG_MS
    if watchdog and not least_ms <= watchdog["timeout_ms"] <= most_ms:
        found.append(f"WATCHDOG: {watchdog['timeout_ms']} ms, and only {least_ms} to {most_ms} make sense")
    return found


def check_driver(where: str, kind: str, chip: str) -> list[str]:
    """Whether the firmware has a driver for the chip, and these tools a row."""
    driver = chip if kind == "reader" else f"{kind}_{chip}"
    if not (DRIVERS / f"{driver}.py").is_file():
        return [f"{where}: the firmware has no driver for a {chip!r}"]
    return [] if chip in KINDS[kind] else [f"{where}: host_tools/virtual/chip_rows.py has no row for a {kind} {chip!r}"]


def check_address(where: str, kind: str, wiring: dict) -> list[str]:
    """Whether the chip can be given that address."""
    chip = KINDS[kind].get(wiring["chip"])
    allowed = chip.addresses if chip else ()
    if not allowed or wiring["address"] in allowed:
        return []
    return [f"{where}: a {wiring['chip']} has an address from {allowed[0]:#x} to {allowed[-1]:#x}, not "
            f"{wiring['address']:#x}"]
