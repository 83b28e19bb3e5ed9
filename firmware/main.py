"""Builds this board's parts and hands them to the controller; the only file that knows everybody."""

import micropython

INTERRUPT = 3  # Ctrl-C, which leads to MicroPython's prompt
micropython.kbd_intr(-1)  # before everything else: nobody knows yet whether a game is under way

import asyncio
import gc
import sys

import board
from machine import I2C, PWM, SPI, Pin, Timer

from cardtable.app.controller import Controller
from cardtable.app.lights import Lights
from cardtable.app.readers import Readers
from cardtable.app.screen import Screen
from cardtable.app.setup_files import read_language
from cardtable.app.sounds import Sounds
from cardtable.app.tags import Tags
from cardtable.app.words import Words
from cardtable.drivers.buttons import Buttons
from cardtable.drivers.buzzer import Buzzer
from cardtable.drivers.lights import Lights as Strip
from cardtable.engine.setup import SetupError
from cardtable.version import FIRMWARE, RECORD, RULEBOOK, describe

SCAN_MS = 5  # how often the buttons are looked at
DOCTOR_BUTTON = 3  # held while the power comes, the doctor looks at the table: MENU of seat 1
GC_THRESHOLD = 16384  # bytes; a heap that is collected only when it is full falls into small pieces


def load(name: str):
    """The driver of that name: what a board has is said by its data."""
    return getattr(__import__("cardtable.drivers." + name).drivers, name)


def make_readers(spis: dict) -> list:
    """A driver for each reader, selected by a pin of its own or by an output of the board's decoder."""
    decoder = getattr(board, "SELECT", None)
    if decoder:
        address = [Pin(pin, Pin.OUT, value=0) for pin in decoder["address"]]
        select = load("select_" + decoder["chip"]).Select(address, Pin(decoder["enable"], Pin.OUT, value=1))
    chips = []
    for reader in board.READERS:
        chip = reader["chip"]
        if "output" in reader:
            line = select.output(reader["output"])
        else:
            line = Pin(reader["select"], Pin.OUT, value=1)
        driver = getattr(load(chip), chip[0].upper() + chip[1:])
        options = {"gain": reader["gain"]} if "gain" in reader else {}
        chips.append(driver(spis[reader["spi"]], line, **options))
    return chips


def make_glasses() -> list:
    """The driver of the one screen, or one for each seat's behind a switch of their bus."""
    screen = board.SCREEN
    bus = board.I2C[screen["i2c"]]
    i2cs = [I2C(bus["id"], scl=Pin(bus["scl"]), sda=Pin(bus["sda"]), freq=bus["freq"])]
    if "switch" in screen:
        switch = load("switch_" + screen["switch"]["chip"]).Switch(i2cs[0], screen["switch"]["address"])
        i2cs = [switch.branch(channel) for channel in screen["switch"]["channels"]]
    glass = load("screen_" + screen["chip"]).Screen
    return [glass(i2c, screen["address"], screen["width"], screen["height"]) for i2c in i2cs]


class Parts:
    """What this board has, ready to use."""

    def __init__(self) -> None:
        spis = {}
        for name in board.SPI:
            bus = board.SPI[name]
            spis[name] = SPI(
                bus["id"],
                baudrate=bus["baudrate"],
                sck=Pin(bus["sck"]),
                mosi=Pin(bus["mosi"]),
                miso=Pin(bus["miso"]),
            )
        self.reset = Pin(board.READER_RESET, Pin.OUT, value=1)
        self.tags = Tags()
        self.readers = Readers(make_readers(spis), self.tags)
        self.strip = Strip(Pin(board.LIGHTS["pin"], Pin.OUT), board.LIGHTS["count"])
        sounds = None
        if getattr(board, "BUZZER", None):
            sounds = Sounds(Buzzer(PWM(Pin(board.BUZZER["pin"], Pin.OUT))), board.LIGHTS["count"])
        self.lights = Lights(self.strip, board.LIGHTS["count"], sounds)
        self.screen = Screen(make_glasses())
        latch = Pin(board.BUTTONS["latch"], Pin.OUT, value=1)
        self.buttons = Buttons(spis[board.BUTTONS["spi"]], latch, board.BUTTONS["chips"], board.BUTTONS["sentinel"])
        self.timer = Timer(0)
        self.words = Words("table", read_language())  # the game's come with the game
        self.say = print

    def start(self) -> None:
        """Switch everything on."""
        self.screen.power_up()
        self.readers.start()
        self.timer.init(period=SCAN_MS, mode=Timer.PERIODIC, callback=self.buttons.scan_now)


def set_up(parts: Parts):
    """The Controller of the game on flash, which has begun or goes on (T9), or None: the cause is shown, not raised."""
    from cardtable.app import power_up

    try:
        return power_up.begin(parts, len(board.READERS))
    except SetupError as wrong:
        parts.say("set-up: %s" % wrong)
        parts.screen.paragraph(0, 8, "set-up: %s" % wrong)
        return None


def lock(controller: Controller) -> bool:
    """T11: as long as a game has secrets nobody gets to the prompt, where its record could be read."""
    is_locked = bool(controller) and controller.has_secrets()
    micropython.kbd_intr(-1 if is_locked else INTERRUPT)
    return is_locked


async def run(parts: Parts, controller: Controller, come_up=None) -> None:
    """Look at one reader after the other; after each look, at everything else. `come_up` is told of the first sweep."""
    readers = parts.readers
    is_locked = lock(controller)
    while True:
        for index in range(len(readers.chips)):
            await readers.look(index)
            if controller:
                controller.step()
                if controller.has_secrets() != is_locked:
                    is_locked = lock(controller)
            parts.screen.refresh()
        readers.sweeps += 1
        if come_up:
            come_up()
            come_up = None


def name_wires() -> list:
    """What selects each reader, in the words of the board file."""
    return ["%s %d" % ("output" if "output" in reader else "pin", reader.get("output", reader.get("select")))
            for reader in board.READERS]


def examine(parts: Parts, asks: bool = True) -> None:
    """Let the doctor look at the table; it is in memory only meanwhile."""
    gc.collect()
    from cardtable.app.doctor import Doctor

    asyncio.run(Doctor(parts, name_wires(), read_language()).examine(asks))
    del sys.modules["cardtable.app.doctor"], sys.modules["cardtable.app"].doctor


def doctor(asks: bool = True) -> None:
    """What `cardtable device doctor` calls at the prompt."""
    micropython.kbd_intr(INTERRUPT)
    parts = Parts()
    parts.start()
    examine(parts, asks)


def main(come_up=None) -> None:
    """Power up; `come_up` is called once everything works."""
    gc.threshold(GC_THRESHOLD)
    parts = Parts()
    parts.screen.paragraph(3, 2, "Cardtable %s rulebook %d, record %d" % (FIRMWARE, RULEBOOK, RECORD))
    parts.start()
    parts.buttons.scan_now(None)
    if parts.buttons.held(DOCTOR_BUTTON, 0):
        examine(parts)
    controller = set_up(parts)
    gc.collect()
    python = "MicroPython %d.%d.%d" % tuple(sys.implementation.version[:3])
    parts.say("cardtable on %s, %s, %s" % (board.NAME, python, describe()))
    if controller:
        controller.feed.begin()
    asyncio.run(run(parts, controller, come_up))


if __name__ == "__main__":
    main()
