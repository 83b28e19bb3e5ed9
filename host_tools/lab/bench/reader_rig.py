"""Reader drivers on a counted SPI bus, with chip models behind it and a clock of its own.

The driver is loaded from its file, once more for each rig, so that its `time` and `asyncio` are the rig's.
Costs are an ESP32's. An SPI transaction takes 28 us and its bits at 1 MHz, a pin 1 us. A sleeping task wakes with the
scan of the buttons, every 5 ms (its timer wakes the task: ports/esp32/machine_timer.c). The interpreter takes 60 us a
frame: a poll takes 7.1 us (nothing there) to 38 us (first read) on a computer, for 9 to 43 frames, and an ESP32 is 46
to 87 times as slow; the middle is 52 to 58. So what comes of it is called modelled, never measured.
"""

import importlib.util
import random
import sys
import types

from host_tools.virtual.chip_rows import READERS, find_chip
from host_tools.virtual.chips.iso14443a import Field
from host_tools.virtual.chips.mfrc522 import Mfrc522
from host_tools.virtual.chips.pn532 import Pn532
from host_tools.virtual.chips.wrong_bytes import WrongBytes
from host_tools.base.project import FIRMWARE

CHIPS = tuple(READERS)  # every kind of reader that there is
_DRIVERS = FIRMWARE / "cardtable" / "drivers"
BAUDRATE = 1_000_000
_TRANSACTION_US = 28
_PYTHON_US = 60
_PIN_US = 1
_TICK_US = 5_000
_TICKS_MASK = (1 << 30) - 1  # of ticks_us on an ESP32


class Clock:
    """The driver's `time` and `asyncio`; `now_us` moves only by what is waited and transferred."""

    def __init__(self) -> None:
        self.now_us = 0
        self.longest_spin_us = 0
        self.rests = 0
        self.rested_us = 0

    def ticks_ms(self) -> int:
        return self.now_us // 1000 & _TICKS_MASK

    def ticks_us(self) -> int:
        return self.now_us & _TICKS_MASK

    @staticmethod
    def ticks_diff(end: int, start: int) -> int:
        half = (_TICKS_MASK + 1) // 2
        return (end - start + half & _TICKS_MASK) - half

    def sleep_us(self, wait_us: int) -> None:
        self.longest_spin_us = max(self.longest_spin_us, wait_us)
        self.now_us += wait_us

    async def sleep_ms(self, wait_ms: int) -> None:
        """As asyncio on an ESP32: not before something wakes the task, and 0 only lets others run."""
        self.rests += 1
        if wait_ms:
            due_us = (self.now_us // 1000 + wait_ms) * 1000
            begun_us, self.now_us = self.now_us, -(-due_us // _TICK_US) * _TICK_US
            self.rested_us += self.now_us - begun_us


class Bus:
    """One SPI with chips on it; a chip listens while its select pin is low. Counts frames and bytes."""

    python_us = _PYTHON_US  # the interpreter's time for a frame

    def __init__(self, clock: Clock, baudrate: int) -> None:
        self._clock = clock
        self._baudrate = baudrate
        self.chips: list[Mfrc522 | Pn532] = []
        self.frames = 0
        self.bytes = 0
        self.level: int | None = None  # of the data line while no reader is selected; None: it stays at its last bit
        self._last = 0
        self.wrong: WrongBytes | None = None  # what its wires do to bytes

    def init(self, baudrate: int) -> None:
        """Another clock."""
        self._baudrate = baudrate
        for chip in self.chips:
            chip.byte_us = 8_000_000 / baudrate
        if self.wrong:
            self.wrong.set_clock(baudrate)

    def write(self, mosi) -> None:
        self._transfer(mosi)

    def write_readinto(self, mosi, into) -> None:
        assert len(mosi) == len(into)
        into[:] = self._transfer(mosi)

    def _transfer(self, mosi) -> bytes:
        self._clock.now_us += self.python_us + _TRANSACTION_US + -(-len(mosi) * 8_000_000 // self._baudrate)
        self.bytes += len(mosi)
        if self.wrong:
            mosi = self.wrong.ruin(bytes(mosi))
        for chip in self.chips:
            miso = chip.exchange(bytes(mosi), self._clock.now_us)
            if miso is not None:
                self._last = miso[-1] & 1
                return self.wrong.ruin(miso) if self.wrong else miso
        return (b"\xFF" if (self._last if self.level is None else self.level) else b"\x00") * len(mosi)


class SelectPin:
    """The chip select of one chip."""

    def __init__(self, clock: Clock, bus: Bus, chip: Mfrc522 | Pn532) -> None:
        self._clock = clock
        self._bus = bus
        self._chip = chip
        self._level = 0

    def value(self, level: int) -> None:
        self._clock.now_us += _PIN_US
        if level:
            self._chip.deselect(self._clock.now_us)
        elif self._level:
            self._bus.frames += 1
            self._chip.select(self._clock.now_us)
        self._level = level


def load_driver(name: str, clock: Clock) -> types.ModuleType:
    """The driver's module from its file, with `clock` in place of `time` and `asyncio`."""
    sys.modules.setdefault("micropython", types.SimpleNamespace(const=lambda value: value))  # type: ignore[arg-type]
    spec = importlib.util.spec_from_file_location(f"{name}_on_a_rig", _DRIVERS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.time = module.asyncio = clock  # type: ignore[attr-defined]
    return module


class Rig:
    """`count` started readers of one kind: `readers`, their `chips` and `fields`, one `bus`, one `clock`."""

    def __init__(self, count: int = 1, seed: int = 0, start: bool = True, chip: str = "mfrc522",
                 **chip_options) -> None:
        self.clock = Clock()
        self.bus = Bus(self.clock, BAUDRATE)
        self.driver = load_driver(chip, self.clock)
        self.fields = [Field(random.Random(seed + number)) for number in range(count)]
        model = find_chip("reader", chip).model
        self.chips = [model(field, random.Random(seed), **chip_options) for field in self.fields]
        self.bus.chips = self.chips
        self.bus.init(BAUDRATE)
        self.clock.now_us = 0 if chip == "mfrc522" else 2_000  # the others sleep at first
        self.readers = [
            getattr(self.driver, chip.capitalize())(self.bus, SelectPin(self.clock, self.bus, one))
            for one in self.chips
        ]
        if start:
            for reader in self.readers:
                assert reader.start()

    def put(self, tag, number: int = 0) -> None:
        self.fields[number].put(tag, self.clock.now_us)

    def take(self, tag, number: int = 0) -> None:
        self.fields[number].take(tag, self.clock.now_us)

    def poll(self, known: bytes | bytearray | None = None, number: int = 0) -> int:
        """One whole poll of one reader."""
        return run(self.readers[number].poll(known))

    def sweep(self, known: bool = False) -> list[int]:
        """A poll of every reader, one field after the other; `known`: each is told the tag it read last."""
        return [self.poll(one.uid if known else None, number) for number, one in enumerate(self.readers)]


def run(awaitable):
    """Drives an awaitable whose waits pass on the rig's clock."""
    async def wait():
        return await awaitable

    task = wait()
    try:
        task.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("something waited for more than the clock")
