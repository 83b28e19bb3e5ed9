"""Makes the parts of this board, as its file names them: the only module that knows pins, buses and drivers."""

from cardtable.between.setup_files import is_silent, read_language
from cardtable.drivers.buttons import Buttons
from cardtable.drivers.buzzer import Buzzer
from cardtable.drivers.lights import Lights as Strip
from cardtable.engine.event import MENU_KEY
from cardtable.rooms import load
from cardtable.table.keypad import button_at
from cardtable.table.lights import Lights
from cardtable.table.readers import Readers
from cardtable.table.running import Running
from cardtable.table.screen import Screen
from cardtable.table.sounds import Sounds
from cardtable.table.tags import Tags
from cardtable.table.words import Words
from cardtable.version import FIRMWARE, RECORD, RULEBOOK
from machine import I2C, PWM, SPI, Pin, Timer

DOCTOR_PLACE = 1  # whose MENU, held while the power comes, calls the doctor
SCAN_MS = 5  # how often the buttons are looked at


def wire(parts) -> None:
    """Give the parts what this board has, ready to use."""
    import board  # here, since a host has several in one process

    spis = {}
    for name in board.SPI:
        bus = board.SPI[name]
        spis[name] = SPI(
            bus["id"],
            baudrate=bus["baudrate"],
            sck=Pin(bus["sck"]),
            mosi=Pin(bus["mosi"]),
            miso=Pin(bus["miso"], Pin.IN, -1 if name == board.BUTTONS["spi"] else Pin.PULL_UP),
        )
    parts.name = board.NAME
    reset = Pin(board.READER_RESET, Pin.OUT, value=1)
    buses = tuple([(spis[name], board.SPI[name]["baudrate"]) for name in spis if name != board.BUTTONS["spi"]])
    parts.tags = Tags()
    parts.readers = Readers(make_readers(board, spis), parts.tags, reset.value, buses)
    parts.readers.say = parts.say
    parts.strip = Strip(Pin(board.LIGHTS["pin"], Pin.OUT), board.LIGHTS["count"])
    parts.sounds = None  # what the board has; the lights have it as long as the table is not told to be silent
    if getattr(board, "BUZZER", None):
        parts.sounds = Sounds(Buzzer(PWM(Pin(board.BUZZER["pin"]), freq=2000, duty_u16=0)), board.LIGHTS["count"])
    parts.lights = Lights(parts.strip, board.LIGHTS["count"], None if is_silent() else parts.sounds)
    bus = board.I2C[board.SCREEN["i2c"]]
    parts.screen = Screen(make_glasses(board), bool(board.SCREEN.get("large")), bus["freq"], make_clock(parts, bus))
    latch = Pin(board.BUTTONS["latch"], Pin.OUT, value=1)
    parts.buttons = Buttons(spis[board.BUTTONS["spi"]], latch, board.BUTTONS["chips"], board.BUTTONS["sentinel"])
    if getattr(board, "WATCHDOG", None):
        parts.watchdog_ms = board.WATCHDOG["timeout_ms"]
    parts.language = read_language()
    parts.words = Words("table", parts.language)  # the game's come with the game
    parts.table = Running()


def start(parts) -> None:
    """Switch everything on, and say on the screen which version this is."""
    parts.screen.paragraph(3, 2, "Cardtable %s rulebook %d, record %d" % (FIRMWARE, RULEBOOK, RECORD))
    load("between", "learned").apply(parts.readers, parts.screen)
    parts.screen.power_up()
    load("between", "reader_care").start(parts.readers)
    parts.timer.init(period=SCAN_MS, mode=Timer.PERIODIC, callback=parts.buttons.scan_now)


def is_doctor_called(parts) -> bool:
    """Whether a button asks for the doctor now."""
    parts.buttons.scan_now(None)
    return bool(parts.buttons.held(button_at(DOCTOR_PLACE, MENU_KEY), 0))


def make_readers(board, spis: dict) -> list:
    """A driver for each reader, selected by a pin of its own or by an output of the board's decoder."""
    decoder = getattr(board, "SELECT", None)
    if decoder:
        address = [Pin(pin, Pin.OUT, value=0) for pin in decoder["address"]]
        select = load("drivers", "select_" + decoder["chip"]).Select(address, Pin(decoder["enable"], Pin.OUT, value=1))
    chips = []
    for reader in board.READERS:
        chip = reader["chip"]
        if "output" in reader:
            line = select.output(reader["output"])
        else:
            line = Pin(reader["select"], Pin.OUT, value=1)
        driver = getattr(load("drivers", chip), chip[0].upper() + chip[1:])
        options = {"gain": reader["gain"]} if "gain" in reader else {}
        chips.append(driver(spis[reader["spi"]], line, **options))
    return chips


def make_glasses(board) -> list:
    """The driver of the one screen, or one for each seat's behind a switch of their bus."""
    screen = board.SCREEN
    bus = board.I2C[screen["i2c"]]
    i2cs = [open_i2c(bus, bus["freq"])]
    if "switch" in screen:
        switch = load("drivers", "switch_" + screen["switch"]["chip"]).Switch(i2cs[0], screen["switch"]["address"])
        i2cs = [switch.branch(channel) for channel in screen["switch"]["channels"]]
    glass = load("drivers", "screen_" + screen["chip"]).Screen
    return [glass(i2c, screen["address"], screen["width"], screen["height"]) for i2c in i2cs]


def make_clock(parts, bus: dict):
    """What gives the screens' bus another clock."""
    # This module is emptied before a game, and its names go with it, as the board's file does.
    said = (I2C, Pin, bus["id"], bus["scl"], bus["sda"], parts)

    def set_clock(freq: int, is_lost: bool) -> None:
        host, pin, number, scl, sda, parts = said
        host(number, scl=pin(scl), sda=pin(sda), freq=freq)  # opened again for all that use it
        if is_lost:
            parts.say("screen: lines are lost, its bus is at %d kHz now" % (freq // 1000))

    return set_clock


def open_i2c(bus: dict, freq: int):
    """That host at that clock."""
    return I2C(bus["id"], scl=Pin(bus["scl"]), sda=Pin(bus["sda"]), freq=freq)


def name_wires() -> list:
    """The pin or decoder output of each reader, in the words of the board file."""
    import board

    return ["%s %d" % ("output" if "output" in reader else "pin", reader.get("output", reader.get("select")))
            for reader in board.READERS]
