"""The world at the device's pins: chips wired as a board file says, people's hands, and the time.

What comes in are operations of pins and buses with their times, in the order in which the device made them
(see host_tools/virtual/shims). A bus goes by the number of its clock pin. Before an operation takes place
everything that people did until then has happened.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from host_tools.virtual.chips.piezo import Piezo
from host_tools.virtual.chips.wrong_bytes import WrongBytes
from host_tools.virtual.people import People

KEYS = ("OK", "NO", "CALL", "MENU")
_OUTPUTS = (3, 7)  # machine.Pin.OUT and OPEN_DRAIN
_PULL_UP = 2
_LIGHT_US, _LATCH_US = 30, 50  # WS2812 data sheet: a light's 24 bits, and the silence after the last one
_RUINED = 0.05  # how probable a wrong bit in a byte is at twice the clock that a bus can carry


class WiringError(Exception):
    """The firmware uses pins in a way the board is not wired for."""


class Reader:
    """One seat's reader: its chip, the field at its antenna, and what came over its wires.

    `frames` counts chip-select frames, `bytes` the bytes in them. Faults: `dead()`, `cut_wire(probability)`,
    `unplug()`, and `holds_miso`, the level that it drives onto the shared line while others are selected: 0, as usual
    RC522 boards do, unless the board puts a gate behind each; None with a gate.
    """

    def __init__(self, seat: int, chip: Any, field: Any, holds_miso: int | None = None) -> None:
        self.seat = seat
        self.chip = chip
        self.field = field
        self.selected = False
        self.frames = 0
        self.bytes = 0
        self.bus: Any = None
        self.holds_miso = holds_miso
        self.write_frame: Any = getattr(chip, "write_frame", None)  # a whole frame at once, where its model has that
        self._kept: Any = None

    @property
    def holds_miso(self) -> int | None:
        """The level that it drives while it is not selected."""
        return self._holds_miso

    @holds_miso.setter
    def holds_miso(self, level: int | None) -> None:
        self._holds_miso = level
        if self.bus is not None:
            self.bus.note_faults()

    def join(self, bus: SpiBus) -> None:
        """Its data line is that bus's."""
        self.bus = bus
        bus.readers.append(self)
        bus.note_faults()
        most_baud = getattr(self.chip, "most_baud", 0)
        if most_baud and (bus.clean_hz is None or most_baud < bus.clean_hz):
            bus.clean_hz = most_baud

    def select_pin(self, level: int, now_us: int) -> None:
        if level:
            if self.selected:
                self.selected = False
                self.bus.selected.remove(self)
            self.chip.deselect(now_us)
        else:
            if not self.selected:
                self.selected = True
                self.bus.selected.append(self)
            self.frames += 1
            self.chip.select(now_us)

    def exchange(self, mosi: bytes, now_us: int) -> bytes | None:
        self.bytes += len(mosi)
        return self.chip.exchange(mosi, now_us)

    def dead(self, level: str | None = "low") -> None:
        """From now on its data line stays `low`, `high` or `floating`; None mends it."""
        self.chip.miso = level

    def cut_wire(self, probability: float) -> None:
        """Each byte goes wrong with this probability."""
        self.chip.loose_wire = probability

    def unplug(self) -> None:
        """Take its wires off: nothing drives the line when it is selected."""
        if self._kept is None:
            self._kept = self.chip.exchange, self.write_frame, self.holds_miso
        self.write_frame = None
        self.chip.exchange = lambda mosi, now_us: None
        self.holds_miso = None

    def plug(self) -> None:
        """It is wired again, and has kept its supply."""
        if self._kept is not None:
            self.chip.exchange, self.write_frame, self.holds_miso = self._kept
            self._kept = None


class SpiBus:
    """One bus: chips with a select line, or one without that always drives the data line.

    A data line that no chip drives is high if something pulls it up, and else keeps its last bit, as a wire does.
    Nothing pulls it up but the pin, if the firmware asks for that and `pin_pulls`, or the resistor, which a maker may
    have left out (`has_resistor`). `clean_hz` is the fastest clock that its wires and its chips take, at first that of
    the slowest chip; a faster one ruins bytes. `wrong`, a WrongBytes, says how many at which clock.
    """

    def __init__(self, name: str, wiring: dict) -> None:
        self.name = name
        self.pins = (wiring["mosi"], wiring["miso"])
        self.is_buffered = "buffer" in wiring  # a gate that only a reader's own select line opens
        self.readers: list[Reader] = []
        self.selected: list[Reader] = []
        self.chain: Any = None
        self.contentions = 0
        self.has_resistor = False
        self.pin_pulls = True
        self.is_pin_up = False
        self._clean_hz: int | None = None
        self._wrong: WrongBytes | None = None
        self.baudrate = 0
        self._is_plain = True  # nothing but the reader that is selected drives the line, and every byte comes as it is
        self._last = b"\x00"
        self._chance = random.Random(name)

    @property
    def clean_hz(self) -> int | None:
        """The fastest clock that ruins nothing; None: any."""
        return self._clean_hz

    @clean_hz.setter
    def clean_hz(self, clean_hz: int | None) -> None:
        self._clean_hz = clean_hz
        self.note_faults()

    @property
    def wrong(self) -> WrongBytes | None:
        """What its wires do to bytes."""
        return self._wrong

    @wrong.setter
    def wrong(self, wrong: WrongBytes | None) -> None:
        self._wrong = wrong
        self.note_faults()

    def set_clock(self, baudrate: int) -> None:
        """From now on the master sends with that clock. Chips are told how long a byte takes: what is handed to them
        is the end of a transfer, and its begin follows from that."""
        self.baudrate = baudrate
        self.note_faults()
        for reader in self.readers:
            reader.chip.byte_us = 8_000_000 / baudrate

    def _is_too_fast(self) -> bool:
        return self._clean_hz is not None and self.baudrate > self._clean_hz

    def note_faults(self) -> None:
        """Note whether a byte may come otherwise than a chip gives it: this is asked at each transfer."""
        is_held = any(reader.holds_miso is not None for reader in self.readers)  # by one that is not selected
        self._is_plain = not is_held and self._wrong is None and not self._is_too_fast()

    def is_clean(self) -> bool:
        """Whether a reader that is selected now would be alone on this bus."""
        return self._is_plain and not self.selected and self.chain is None

    def note_last(self, miso: bytes | None) -> None:
        """The line keeps the last bit of what a chip gave."""
        if miso is not None:
            self._last = miso

    def exchange(self, mosi: bytes, now_us: int) -> bytes:
        """What the master reads; two that drive the line at once are counted, and the low level wins."""
        if self.chain is not None:
            return self.chain.exchange(mosi, now_us)
        if self._is_plain and len(self.selected) == 1:  # as good as always
            answer = self.selected[0].exchange(mosi, now_us)
            if answer is None:
                return self._keep(len(mosi))
            self._last = answer
            return answer
        return self._exchange_with_faults(mosi, now_us)

    def _exchange_with_faults(self, mosi: bytes, now_us: int) -> bytes:
        """The same, however many drive the line, and whatever its wires carry."""
        is_ruined = self._is_too_fast()
        if is_ruined:
            mosi = self._ruin(mosi)
        if self.wrong:
            self.wrong.set_clock(self.baudrate)
            mosi = self.wrong.ruin(mosi)
        miso: bytes | None = None
        for reader in self.readers:
            if reader.selected:
                answer = reader.exchange(mosi, now_us)
                miso = answer if miso is None else self._fight(miso, answer)
            elif reader.holds_miso is not None:
                answer = bytes([0xFF * reader.holds_miso]) * len(mosi)
                miso = answer if miso is None else self._fight(miso, answer)
        if miso is None:
            return self._keep(len(mosi))
        self._last = miso
        if self.wrong:
            miso = self.wrong.ruin(miso)
        return self._ruin(miso) if is_ruined else miso

    def _keep(self, size: int) -> bytes:
        """So many bytes of a line that nobody drives."""
        is_high = self.has_resistor or (self.is_pin_up and self.pin_pulls) or self._last[-1] & 1
        return (b"\xFF" if is_high else b"\x00") * size

    def _ruin(self, wire: bytes) -> bytes:
        assert self._clean_hz is not None
        probability = _RUINED * (self.baudrate / self._clean_hz - 1)
        chance = self._chance
        return bytes(byte ^ 1 << chance.randrange(8) if chance.random() < probability else byte for byte in wire)

    def _fight(self, one: bytes, other: bytes | None) -> bytes:
        if other is None:
            return one
        self.contentions += one != other
        return bytes(a & b for a, b in zip(one, other, strict=True))


class I2cBus:
    """One bus: chips by their addresses, some of them perhaps behind a switch.

    `metres` of cable have 100 pF each, and `ohms` pull a line up: where it rises too slowly for the clock `freq`, a
    byte is not acknowledged now and then (`find_loss`), and the whole message is lost.
    """

    def __init__(self, sda: int) -> None:
        self.metres = 0.0
        self.ohms = 2200
        self.freq = 400_000
        self._chance = random.Random(sda)
        self.sda = sda
        self.chips: dict[int, Any] = {}
        self.switch: Any = None

    def find_loss(self) -> float:
        """How probable it is that a byte is not acknowledged. From 30 % to 70 % of the supply a line takes 0.8473 RC;
        the specification (UM10204, table 10) allows 300 ns up to 400 kHz and 1,000 up to 100. What comes of more is a
        guess: a byte in a hundred at twice that, ten at eleven times."""
        rise_ns = 0.8473 * self.ohms * 100e-12 * self.metres * 1e9
        return min(0.1, max(0.0, 0.01 * (rise_ns / (300 if self.freq > 100_000 else 1000) - 1)))

    def loses(self, size: int) -> bool:
        """Whether a message of so many bytes and its address is lost."""
        loss = self.find_loss() if self.metres else 0.0
        return bool(loss) and self._chance.random() > (1 - loss) ** (size + 1)

    def at(self, address: int) -> list[Any]:
        """The chips that hear this address now."""
        if self.switch is not None:
            return [self.switch] if address == self.switch.address else self.switch.at(address)
        return [self.chips[address]] if address in self.chips else []


class World:
    """The table of `board`, a module or object with the constants of a board file.

    `chips` makes the models by name (host_tools/virtual/parts.py by default). Everything that is left to
    chance comes from `seed`. `now_us` is the time of the operation or act that is taking place.
    `on_miswired(text)` is told what the firmware opens that is not there, and nobody answers on those pins then;
    without it that is a WiringError.
    `readers[seat - 1]`, `buttons`, `lights`, `screens` (one, or one a seat; `screen` is the first) and `buzzer` (freq,
    duty) are the parts; those a board has not are None. `heard` has the level of each pitch that sounded, in dB.
    """

    def __init__(self, board: Any, seed: int = 0, chips: Any = None) -> None:
        if chips is None:
            from host_tools.virtual import parts as chips
        self.board = board
        self.now_us = 0
        self.people = People()
        self.powered = True
        self.rtc = b""  # the chip's RTC memory, which a reset leaves alone
        self.console_stalls = False  # a computer has opened the native USB port of an S3, and reads nothing
        self.on_miswired: Callable[[str], None] | None = None
        self.buzzer = (0, 0)
        self.piezo = Piezo()
        self.heard: dict[int, float] = {}
        self.inputs: dict[int, int] = {}
        self._latches: dict[int, int] = {}
        self._outputs: set[int] = set()
        self._listeners: dict[int, list[Callable[[int, int], None]]] = {}
        self._spi = {wiring["sck"]: SpiBus(name, wiring) for name, wiring in board.SPI.items()}
        self._spi_names = {bus.name: bus for bus in self._spi.values()}
        self._wired = dict(self._spi)  # as the board has them; `_spi`: as the device has opened them
        self._i2c: dict[int, I2cBus] = {}
        self._wired_i2c: dict[int, I2cBus] = {}
        self._strips: dict[int, Any] = {}
        self.readers: list[Reader] = []
        self._alone: dict[int, Reader] = {}  # those that alone hear their select pin, by it
        self.screens: list[Any] = []
        self.buttons: Any = None
        self.lights: Any = None
        self.switch: Any = None
        self._wire_readers(random.Random(seed), chips)
        self._wire_buttons(chips)
        self._wire_outputs(chips)

    def _wire_readers(self, chance: random.Random, chips: Any) -> None:
        decoder: Any = None
        if getattr(self.board, "SELECT", None):
            decoder = chips.select(self.board.SELECT)
            for bit, pin in enumerate(self.board.SELECT["address"]):
                self._listen(pin, decoder.address_pin(bit))
            self._listen(self.board.SELECT["enable"], decoder.enable_pin)
        for seat, entry in enumerate(getattr(self.board, "READERS", ()), 1):
            chip, field = chips.reader(entry["chip"], random.Random(chance.getrandbits(64)))
            bus = self._spi_names[entry["spi"]]
            reader = Reader(seat, chip, field, None if bus.is_buffered else 0)
            self.readers.append(reader)
            reader.join(bus)
            if "output" in entry:
                decoder.listeners[entry["output"]].append(reader.select_pin)
            else:
                self._listen(entry["select"], reader.select_pin)
                self._alone[entry["select"]] = reader
            if getattr(self.board, "READER_RESET", None) is not None:
                self._listen(self.board.READER_RESET, chip.reset_pin)

    def _wire_buttons(self, chips: Any) -> None:
        wiring = getattr(self.board, "BUTTONS", None)
        if wiring:
            self.buttons = chips.buttons(wiring, self.board.SEATS)
            self._spi_names[wiring["spi"]].chain = self.buttons
            self._listen(wiring["latch"], self.buttons.latch_pin)

    def _wire_outputs(self, chips: Any) -> None:
        for wiring in getattr(self.board, "I2C", {}).values():
            self._i2c[wiring["scl"]] = self._wired_i2c[wiring["scl"]] = I2cBus(wiring["sda"])
        wiring = getattr(self.board, "SCREEN", None)
        if wiring:
            bus = self._i2c[self.board.I2C[wiring["i2c"]]["scl"]]
            if "switch" in wiring:
                self.switch = bus.switch = chips.switch(wiring["switch"])
                for channel in wiring["switch"]["channels"]:
                    self.screens.append(chips.screen(wiring))
                    self.switch.channels[channel][wiring["address"]] = self.screens[-1]
            else:
                self.screens.append(chips.screen(wiring))
                bus.chips[wiring["address"]] = self.screens[0]
        wiring = getattr(self.board, "LIGHTS", None)
        if wiring:
            self.lights = self._strips[wiring["pin"]] = chips.lights(wiring)

    def _listen(self, pin: int, listener: Callable[[int, int], None]) -> None:
        self._listeners.setdefault(pin, []).append(listener)
        self._alone.pop(pin, None)

    @property
    def screen(self) -> Any:
        """The first screen."""
        return self.screens[0] if self.screens else None

    # What people do

    def put(self, seat: int, tag: Any) -> None:
        """Lays a tag on a seat's reader (seats count from 1), now."""
        self.readers[seat - 1].field.put(tag, self.now_us)

    def take(self, seat: int, tag: Any) -> None:
        """Takes a tag from a seat's reader, now."""
        self.readers[seat - 1].field.take(tag, self.now_us)

    def press(self, seat: int, key: str) -> None:
        """Closes the button `key` (of KEYS) of a seat, now; it stays closed until `release`."""
        self.buttons.press(button(seat, key), self.now_us)

    def release(self, seat: int, key: str) -> None:
        """Opens it, now."""
        self.buttons.release(button(seat, key), self.now_us)

    # What the device does. Every operation is stamped with the time at which it takes place.

    @property
    def contentions(self) -> int:
        """How many transactions found two chips that drove one data line to different levels."""
        return sum(bus.contentions for bus in self._wired.values())

    def _set_now(self, now_us: int) -> None:
        self.now_us = now_us

    def step(self, now_us: int) -> None:
        """Time has come to `now_us`."""
        if now_us >= self.people.next_us:
            self.people.catch_up(now_us, self._set_now)
        self.now_us = self.people.now_us = now_us

    def pin_mode(self, pin: int, mode: int, pull: int, now_us: int) -> None:
        """An output drives its latch's level from now on; an input lets go, and the board's pull-up takes
        over.
        """
        self.step(now_us)
        if mode in _OUTPUTS:
            if pin not in self._outputs:
                self._outputs.add(pin)
                if not self._latches.setdefault(pin, 0):
                    self._tell(pin, 0)
        else:
            self.inputs.setdefault(pin, 1 if pull == _PULL_UP else 0)
            for bus in self._wired.values():
                if pin == bus.pins[1]:
                    bus.is_pin_up = pull == _PULL_UP
            self._release(pin)

    def _release(self, pin: int) -> None:
        if pin in self._outputs:
            self._outputs.remove(pin)
            if not self._latches[pin]:
                self._tell(pin, 1)

    def _tell(self, pin: int, level: int) -> None:
        for listener in self._listeners.get(pin, ()):
            listener(level, self.now_us)

    def pin_write(self, pin: int, level: int, now_us: int) -> None:
        if now_us >= self.people.next_us:
            self.step(now_us)
        self.now_us = self.people.now_us = now_us
        if self._latches.get(pin) == level:
            return
        self._latches[pin] = level
        if pin in self._outputs:
            for listener in self._listeners.get(pin, ()):
                listener(level, now_us)

    def pin_read(self, pin: int, now_us: int) -> int:
        self.step(now_us)
        if pin in self._outputs:
            return self._latches[pin]
        return self.inputs.get(pin, 0)

    def bus(self, name: str) -> SpiBus:
        """The SPI bus of that name, for its faults."""
        return self._spi_names[name]

    def i2c(self, name: str) -> I2cBus:
        """The I2C bus of that name, for its faults."""
        return self._wired_i2c[self.board.I2C[name]["scl"]]

    def _miswired(self, text: str) -> None:
        if self.on_miswired is None:
            raise WiringError(text)
        self.on_miswired(text)

    def spi_open(self, sck: int, mosi: int, miso: int, mode: int, now_us: int, baudrate: int = 1_000_000) -> None:
        """WiringError if the board has no such bus; every chip we know speaks mode 0."""
        self.step(now_us)
        bus = self._wired.get(sck)
        if bus is None or bus.pins != (mosi, miso) or mode != 0:
            self._miswired(f"the board has no SPI bus on sck {sck}, mosi {mosi}, miso {miso} in mode {mode}")
            bus = SpiBus(f"sck {sck}", {"mosi": mosi, "miso": miso})
        bus.set_clock(baudrate)
        self._spi[sck] = bus

    def spi(self, sck: int, mosi: bytes, now_us: int) -> bytes:
        """One transaction: what came back."""
        if now_us >= self.people.next_us:
            self.step(now_us)
        self.now_us = self.people.now_us = now_us
        return self._spi[sck].exchange(mosi, now_us)

    def frame(self, pin: int, sck: int, mosi: bytes, low_us: int, now_us: int, high_us: int) -> None:
        """A select pin goes low, bytes pass of which nobody reads the answer, and it goes high again, at these times.

        As good as always a reader that is as it should be is alone on its bus, and nobody acts meanwhile.
        """
        reader, bus = self._alone.get(pin), self._spi.get(sck)
        if reader is None or high_us >= self.people.next_us or reader.write_frame is None or not mosi \
                or self._latches.get(pin) != 1 or pin not in self._outputs or bus is None or bus is not reader.bus \
                or not bus.is_clean():
            self.pin_write(pin, 0, low_us)
            self.spi(sck, mosi, now_us)
            self.pin_write(pin, 1, high_us)
            return
        self.now_us = self.people.now_us = high_us
        reader.frames += 1
        reader.bytes += len(mosi)
        bus.note_last(reader.write_frame(mosi, now_us))

    def i2c_open(self, scl: int, sda: int, now_us: int, freq: int = 400_000) -> None:
        self.step(now_us)
        bus = self._wired_i2c.get(scl)
        if bus is None or bus.sda != sda:
            self._miswired(f"the board has no I2C bus on scl {scl}, sda {sda}")
            bus = I2cBus(sda)
        bus.freq = freq
        self._i2c[scl] = bus

    def i2c_write(self, scl: int, address: int, data: bytes, now_us: int) -> bool:
        """True if a device acknowledged its address and its bytes."""
        self.step(now_us)
        bus = self._i2c[scl]
        if bus.loses(len(data)):
            return False
        acknowledged = [chip.write(data, now_us) for chip in bus.at(address)]
        self.people.look()
        return any(acknowledged)

    def i2c_read(self, scl: int, address: int, size: int, now_us: int) -> bytes | None:
        """`size` bytes, or None if no chip acknowledged."""
        self.step(now_us)
        bus = self._i2c[scl]
        if bus.loses(size):
            return None
        for chip in bus.at(address):
            return chip.read(size, now_us) or None
        return None

    def strip_write(self, pin: int, data: bytes, now_us: int) -> None:
        self.step(now_us)
        strip = self._strips.get(pin)
        if strip is not None:
            strip.write(data, now_us)
            self.people.look()

    def pwm(self, pin: int, freq: int, duty_u16: int, now_us: int) -> None:
        self.step(now_us)
        if pin == (getattr(self.board, "BUZZER", None) or {}).get("pin"):
            self._sound(freq, duty_u16)

    def _sound(self, freq: int, duty_u16: int) -> None:
        """What drives the piezo is `buzzer`; how loud it is follows from its circuit."""
        self.buzzer = (freq, duty_u16)
        if freq and duty_u16:
            self.heard[freq] = self.piezo.level_db(freq, duty_u16)

    def device_down(self) -> None:
        """The device resets or ends: its pins let go, its buzzer stops; chips and tags stay as they are."""
        for pin in sorted(self._outputs):
            self._release(pin)
        self._outputs.clear()
        self._latches.clear()
        for bus in self._wired.values():
            bus.is_pin_up = False
        self._sound(0, 0)

    def power(self, on: bool) -> None:
        """The supply of the whole table goes or comes back: chips forget, lights and screen are dark; hands
        and tags stay.
        """
        if on == self.powered:
            return
        self.powered = on
        if not on:
            self.device_down()
            self.rtc = b""
        for reader in self.readers:
            reader.chip.power(on, self.now_us)
        for chip in [*self.screens, self.switch]:
            if chip is not None:
                (chip.plug if on else chip.unplug)()
        if self.lights is not None and not on:
            # The model has no supply to take away: dark bytes, once a frame that is on the wire is over.
            dark = bytes(3 * len(self.lights))
            self.lights.write(dark, self.now_us + _LIGHT_US * len(self.lights) + _LATCH_US)


def button(seat: int, key: str) -> int:
    """The number of a seat's button in the chain: four a seat, in the order of KEYS."""
    return 4 * (seat - 1) + KEYS.index(key)
