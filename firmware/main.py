"""Builds this board's parts and hands them to the controller."""

import micropython

INTERRUPT = 3  # Ctrl-C, which leads to MicroPython's prompt
micropython.kbd_intr(-1)  # before everything else: nobody knows yet whether a game is under way

import asyncio
import gc
import sys

import board
import machine
from cardtable.catalogue import forget, load
from cardtable.drivers.buttons import Buttons
from cardtable.drivers.buzzer import Buzzer
from cardtable.drivers.lights import Lights as Strip
from cardtable.engine.event import MENU_KEY
from cardtable.engine.record import SetupError
from cardtable.table.keypad import button_at
from cardtable.table.lights import Lights
from cardtable.table.readers import Readers
from cardtable.table.running import ENROL, LOBBY, Running
from cardtable.table.screen import Screen
from cardtable.table.sounds import Sounds
from cardtable.table.tags import Tags
from cardtable.table.words import Words
from cardtable.version import FIRMWARE, RECORD, RULEBOOK, describe
from machine import I2C, PWM, SPI, WDT, Pin, Timer

SCAN_MS = 5  # how often the buttons are looked at
FEED_MS = 1000  # how often the watchdog is fed at the prompt, where no table runs
# What machine.reset_cause() says: the same names on every port, with different numbers.
CAUSES = (("WDT_RESET", "watchdog"), ("HARD_RESET", "reset"), ("SOFT_RESET", "soft reset"), ("PWRON_RESET", "power"))
DOCTOR_PLACE = 1  # whose MENU, held while the power comes, calls the doctor
is_watched = False  # the watchdog runs, also after a soft reset: whoever wants the prompt for longer resets the chip
GC_THRESHOLD = 16384  # bytes; a heap that is collected only when it is full falls into small pieces


def make_readers(spis: dict) -> list:
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


def make_glasses() -> list:
    """The driver of the one screen, or one for each seat's behind a switch of their bus."""
    screen = board.SCREEN
    bus = board.I2C[screen["i2c"]]
    i2cs = [I2C(bus["id"], scl=Pin(bus["scl"]), sda=Pin(bus["sda"]), freq=bus["freq"])]
    if "switch" in screen:
        switch = load("drivers", "switch_" + screen["switch"]["chip"]).Switch(i2cs[0], screen["switch"]["address"])
        i2cs = [switch.branch(channel) for channel in screen["switch"]["channels"]]
    glass = load("drivers", "screen_" + screen["chip"]).Screen
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
        self.watchdog: WDT | None = None
        self.language = load("between", "setup_files").read_language()
        self.words = Words("table", self.language)  # the game's come with the game
        self.say = print
        self.table = Running()
        self.on_tags: list = []  # (place, name of a card that its tag is to say; empty: what does it say?)

    def start(self) -> None:
        """Switch everything on."""
        self.screen.power_up()
        self.readers.start()
        self.timer.init(period=SCAN_MS, mode=Timer.PERIODIC, callback=self.buttons.scan_now)

    def write_tag(self, place: int, name: str) -> None:
        """Have the tag at that place say which card it is, before the next look at a reader; the table's `wrote` hears
        what came of it."""
        self.on_tags.append((place, name))

    def read_tag(self, place: int) -> None:
        """Ask the tag at that place which card it is, and tell the table's `heard`."""
        self.on_tags.append((place, ""))

    def watch(self) -> None:
        """From now on the table is started anew if it hangs; whoever begins that cannot take it back."""
        wiring = getattr(board, "WATCHDOG", None)
        if wiring and self.watchdog is None:
            global is_watched
            is_watched = True
            self.watchdog = WDT(timeout=wiring["timeout_ms"])

    def feed_watchdog(self, timer=None) -> None:
        """The table does not hang."""
        if self.watchdog:
            self.watchdog.feed()


def set_up(parts: Parts, boot: str):
    """The Controller of the game on flash, which has begun or goes on (T9); the lobby, if it is to be asked what to
    play; or what `give_notice` gives: the cause is shown, not raised."""
    try:
        load("between", "setup_files").read_others(parts.tags)  # the arbiter's key may be needed whatever else is wrong
        if boot == "watchdog":
            load("between", "bugs").write_down(boot, None, "the table hung")
        load("between", "bugs").check_loop(boot, parts.words)
        return load("between", "power_up").begin(parts, len(board.READERS)) or open_lobby(parts)
    except MemoryError:
        forget("between")
        forget("games")
        parts.say("set-up: too little memory")
        return give_notice(parts, parts.words.find("memory"))
    except SetupError as wrong:
        parts.say("set-up: %s" % wrong)
        if load("between", "setup_files").is_chosen():  # chosen at the table, where it can be chosen otherwise
            lobby = open_lobby(parts)
            lobby.refuse(load("between", "files").tell(parts.words, wrong))
            return lobby
        return give_notice(parts, "set-up: %s" % load("between", "files").tell(parts.words, wrong))
    finally:
        forget("between")


def give_notice(parts: Parts, cause: str):
    """Nothing can be played, and the screen says why. T11: a panel that keeps the prompt closed until the arbiter's key
    is tapped, if a game lies on flash that is not over; else a table at rest."""
    parts.screen.paragraph(0, 8, cause)
    if may_open():
        return Running()
    panel = load("between", "panel").Panel(parts)
    panel.keeps_secrets = True
    return panel


def may_open(table: Running | None = None) -> bool:
    """T11: whether the prompt may open: the flash says so (prompt), and what runs holds nothing back. A panel that
    the arbiter's key has opened is asked alone (T10). What finds that is not in memory afterwards."""
    if table and table.has_secrets():
        return False
    found = table and table.is_opened or load("between", "prompt").may_open()
    forget("between")
    return bool(found)


def open_lobby(parts: Parts):
    """The panel that asks what to play; it proposes the game that was played last, or the next one of its match."""
    files = load("between", "setup_files")
    files.take_next()
    header = files.read_last(len(board.READERS))
    del files
    keeps_secrets = not may_open()
    lobby = load("between", "lobby").Lobby(parts, header)
    lobby.keeps_secrets = keeps_secrets
    return lobby


def go_on(parts: Parts) -> None:
    """What comes after the game or the panel that is over, as its `wants` says. A game begins with a chip that was
    started anew: none has to live in what another one left of the heap."""
    table = parts.table
    if table.wants == ENROL:
        parts.table = load("between", "enrol").Enrol(parts, table.chooser)
        parts.table.keeps_secrets = table.keeps_secrets
        parts.table.is_opened = table.is_opened
    elif table.wants == LOBBY:
        parts.table = open_lobby(parts)
    else:
        try:
            table.plan()
        except OSError:
            parts.screen.bottom(parts.words.find("F.flash"))
            table.wants = ""
            return
        machine.reset()
    forget("between")


def lock(table: Running) -> None:
    """T11: as long as a game has secrets nobody gets to the prompt, where its record could be read."""
    micropython.kbd_intr(-1)
    if may_open(table):
        micropython.kbd_intr(INTERRUPT)


def find_cause() -> str:
    """Why the table was started."""
    cause = machine.reset_cause()
    for name, words in CAUSES:
        if cause == getattr(machine, name, -1):
            return words
    return "cause %d" % cause


def start_anew(parts: Parts, boot: str, bug: Exception) -> None:
    """A bug: write down what can be, and go on where the record ends. Does not come back."""
    try:
        gc.collect()
        parts.say("bug: %s" % type(bug).__name__)  # nothing more is public: what it says may name a card
        load("between", "bugs").write_down(boot, parts.table if parts.table.is_game else None, bug)
    except Exception:  # whatever it was: what leaves this program ends at the prompt
        pass
    machine.reset()


async def serve_tags(parts: Parts) -> None:
    """Write and read what a panel asked for; some 70 ms each."""
    ntag = load("drivers", "ntag")
    while parts.on_tags:
        place, name = parts.on_tags.pop(0)
        chip, uid = parts.readers.chips[place - 1], parts.readers.uid(place)
        if name:
            parts.table.wrote(place, name, await ntag.write_card_id(chip, uid, name) == ntag.WRITTEN)
        else:
            parts.table.heard(place, await ntag.read_card_id(chip, uid))


async def run(parts: Parts, come_up=None) -> None:
    """Look at one reader after the other; after each look, at everything else. `come_up` is told of the first sweep."""
    readers = parts.readers
    is_locked = parts.table.has_secrets()
    lock(parts.table)
    while True:
        for index in range(len(readers.chips)):
            await readers.look(index)
            parts.table.step()
            if parts.on_tags:
                await serve_tags(parts)
            if parts.table.has_secrets() != is_locked:
                is_locked = not is_locked
                lock(parts.table)
            if parts.table.wants:
                go_on(parts)
            if is_locked and parts.table.is_game:
                parts.watch()  # nowhere else: at the prompt, which a panel's key opens, it would be in the way
            parts.feed_watchdog()
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
    asyncio.run(load("between", "doctor").Doctor(parts, name_wires()).examine(asks))
    forget("between")


def doctor(asks: bool = True) -> None:
    """What `cardtable device doctor` calls at the prompt."""
    micropython.kbd_intr(INTERRUPT)
    parts = Parts()
    parts.start()
    examine(parts, asks)


def main(come_up=None) -> None:
    """Power up; `come_up` is called once everything works."""
    gc.threshold(GC_THRESHOLD)
    boot = find_cause()
    parts = None
    try:
        parts = Parts()
        parts.screen.paragraph(3, 2, "Cardtable %s rulebook %d, record %d" % (FIRMWARE, RULEBOOK, RECORD))
        parts.start()
        parts.buttons.scan_now(None)
        is_called = parts.buttons.held(button_at(DOCTOR_PLACE, MENU_KEY), 0)
        if is_called and may_open():  # a game goes on first: the button may be stuck
            examine(parts)
        parts.table = set_up(parts, boot)
        gc.collect()
        python = "MicroPython" if sys.implementation.name == "micropython" else "CPython"
        version = "%d.%d.%d" % tuple(sys.implementation.version[:3])
        parts.say("cardtable on %s, %s %s, %s" % (board.NAME, python, version, describe()))
        parts.say("boot: " + boot)
        parts.table.announce()
        asyncio.run(run(parts, come_up))
    except KeyboardInterrupt:
        if parts is None or not may_open(parts.table):
            machine.reset()  # it came in the moment in which the first card was judged
        # At the prompt nobody else feeds the watchdog, which cannot be stopped.
        parts.timer.init(period=FEED_MS, mode=Timer.PERIODIC, callback=parts.feed_watchdog)
        raise
    except Exception as bug:
        if parts is None:
            raise  # whoever started this program knows what to do with one that does not start
        start_anew(parts, boot, bug)


if __name__ == "__main__":
    try:
        main()
    except Exception:
        if may_open():
            raise
        machine.reset()
