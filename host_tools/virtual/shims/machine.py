"""`machine` as far as the firmware uses it: pins, buses, timers and the reset.

It stands for machine_pin.c, machine_hw_spi.c, machine_i2c.c, machine_timer.c, machine_wdt.c, machine_rtc.c,
machine_pwm.c and modmachine.c, all of them in ports/esp32/.

Each call costs what it is reckoned to on an ESP32: a pin 1 us, an SPI transaction 28 us and its
bits, an I2C one 30 us and nine bits a byte. An operation happens at the end of its time. A bus goes by the
name of its clock pin, because that is all the wires know of it.
"""

import port
import virtual_clock

from micropython import const

_PIN_US = const(1)
_SPI_US = const(28)
_I2C_US = const(30)
_NO_DEVICE = const(19)  # ENODEV, what the ESP32's driver gives if no chip acknowledges

# What machine.reset_cause() says on an ESP32; machine.reset() counts as a hard one there.
PWRON_RESET = 1
HARD_RESET = 2
WDT_RESET = 3


def reset() -> None:
    """Restart the device; does not return."""
    port.reset(HARD_RESET)


def reset_cause() -> int:
    return port.reset_cause()


def unique_id() -> bytes:
    return port.unique_id()


class RTC:
    """The real-time clock, of which a table uses the memory alone (ports/esp32/machine_rtc.c): a reset of the chip
    leaves it as it is, a power cut does not."""

    _SIZE = 2048  # bytes

    def memory(self, data=None):
        """Gives the bytes, or takes some and gives None."""
        if data is None:
            return port.rtc_read()
        if len(data) > self._SIZE:
            raise ValueError("buffer too long")
        port.rtc_write(data)


def _catch_up() -> None:
    if virtual_clock.now_us >= virtual_clock.due_us:
        virtual_clock.catch_up()


class Pin:
    """One pin, by its GPIO number."""

    IN = 1
    OUT = 3
    OPEN_DRAIN = 7
    PULL_DOWN = 1
    PULL_UP = 2

    def __init__(self, id: int, mode: int = -1, pull: int = -1, value=None) -> None:
        self.id = id
        self.init(mode, pull, value)

    def init(self, mode: int = -1, pull: int = -1, value=None) -> None:
        if value is not None:
            self.value(value)
        if mode >= 0:
            port.pin_mode(self.id, mode, pull)

    def value(self, level=None):
        """Gives the level, or takes one and gives None."""
        virtual_clock.now_us += _PIN_US
        if level is None:
            level = port.pin_read(self.id)
            _catch_up()
            return level
        port.pin_write(self.id, 1 if level else 0)
        if virtual_clock.now_us >= virtual_clock.due_us:
            virtual_clock.catch_up()

    __call__ = value

    def on(self) -> None:
        self.value(1)

    def off(self) -> None:
        self.value(0)


def _number(pin) -> int:
    return pin.id if isinstance(pin, Pin) else pin


class SPI:
    """A bus whose master this is, mode 0 unless told; every call is one transaction."""

    MSB = 0
    LSB = 1
    _PINS = {1: (14, 13, 12), 2: (18, 23, 19)}  # sck, mosi, miso of the ESP32's two hosts

    def __init__(self, id: int, baudrate: int = 1_000_000, *, polarity: int = 0, phase: int = 0,
                 bits: int = 8, firstbit: int = MSB, sck=None, mosi=None, miso=None) -> None:
        pins = self._PINS.get(id)
        if pins is None:
            raise ValueError("SPI(%s) doesn't exist" % id)
        self._sck = _number(sck if sck is not None else pins[0])
        self._mosi = _number(mosi if mosi is not None else pins[1])
        self._miso = _number(miso if miso is not None else pins[2])
        self._mode = polarity * 2 + phase
        self.init(baudrate)

    def init(self, baudrate: int = 1_000_000, *, polarity=None, phase=None) -> None:
        if polarity is not None:
            self._mode = polarity * 2 + (self._mode & 1)
        if phase is not None:
            self._mode = self._mode // 2 * 2 + phase
        self._byte_ns = 8_000_000_000 // baudrate
        port.spi_open(self._sck, self._mosi, self._miso, self._mode, baudrate)

    def deinit(self) -> None:
        pass

    def write(self, buf) -> None:
        virtual_clock.now_us += _SPI_US + virtual_clock.frame_us + (len(buf) * self._byte_ns + 999) // 1000
        port.spi_write(self._sck, buf)
        if virtual_clock.now_us >= virtual_clock.due_us:
            virtual_clock.catch_up()

    def readinto(self, buf, write: int = 0) -> None:
        virtual_clock.now_us += _SPI_US + virtual_clock.frame_us + (len(buf) * self._byte_ns + 999) // 1000
        port.spi_read(self._sck, write, buf)
        if virtual_clock.now_us >= virtual_clock.due_us:
            virtual_clock.catch_up()

    def write_readinto(self, write_buf, read_buf) -> None:
        if len(write_buf) != len(read_buf):
            raise ValueError("buffers must be the same length")
        virtual_clock.now_us += _SPI_US + virtual_clock.frame_us + (len(write_buf) * self._byte_ns + 999) // 1000
        port.spi_exchange(self._sck, write_buf, read_buf)
        if virtual_clock.now_us >= virtual_clock.due_us:
            virtual_clock.catch_up()

    def read(self, nbytes: int, write: int = 0) -> bytes:
        buf = bytearray(nbytes)
        self.readinto(buf, write)
        return bytes(buf)


_byte_ns: dict = {}  # of each I2C bus, by its clock pin


class I2C:
    """A bus whose master this is; OSError 19 if no chip acknowledges."""

    _PINS = {0: (18, 19), 1: (25, 26)}  # scl, sda of the ESP32's two hosts

    def __init__(self, id: int, *, scl=None, sda=None, freq: int = 400_000) -> None:
        pins = self._PINS.get(id)
        if pins is None:
            raise ValueError("I2C(%s) doesn't exist" % id)
        self._open(scl if scl is not None else pins[0], sda if sda is not None else pins[1], freq)

    def _open(self, scl, sda, freq: int) -> None:
        self._scl = _number(scl)
        _byte_ns[self._scl] = 9_000_000_000 // freq  # one clock for each bus: to open it again sets it for all
        port.i2c_open(self._scl, _number(sda), freq)

    def _pass(self, size: int) -> None:
        """The time of `size` bytes and of the address before them."""
        virtual_clock.now_us += _I2C_US + ((size + 1) * _byte_ns[self._scl] + 999) // 1000

    def _end(self, acknowledged: bool) -> None:
        _catch_up()
        if not acknowledged:
            raise OSError(_NO_DEVICE, "ENODEV")

    def writeto(self, addr: int, buf, stop: bool = True) -> int:
        self._pass(len(buf))
        self._end(port.i2c_write(self._scl, addr, buf))
        return len(buf)

    def writevto(self, addr: int, vector, stop: bool = True) -> int:
        """Writes the buffers of `vector` as one message."""
        size = 0
        for buf in vector:
            size += len(buf)
        self._pass(size)
        self._end(port.i2c_writev(self._scl, addr, vector, size))
        return size

    def readfrom_into(self, addr: int, buf, stop: bool = True) -> None:
        self._pass(len(buf))
        self._end(port.i2c_read(self._scl, addr, buf))

    def readfrom(self, addr: int, nbytes: int, stop: bool = True) -> bytes:
        buf = bytearray(nbytes)
        self.readfrom_into(addr, buf, stop)
        return bytes(buf)

    def scan(self) -> list:
        """The addresses that answer, of those that are not reserved."""
        found = []
        for addr in range(0x08, 0x78):
            self._pass(0)
            if port.i2c_write(self._scl, addr, b""):
                found.append(addr)
            _catch_up()
        return found


class SoftI2C(I2C):
    """The same bus, on any two pins."""

    def __init__(self, scl, sda, *, freq: int = 400_000, timeout: int = 50_000) -> None:
        self._open(scl, sda, freq)


class Timer:
    """Calls `callback(timer)` every `period` ms, or `freq` times a second, or once."""

    ONE_SHOT = 0
    PERIODIC = 1

    def __init__(self, id: int = -1, **how) -> None:
        self.due_us = self.period_us = 0
        self.callback = None
        if how:
            self.init(**how)

    def init(self, *, mode: int = PERIODIC, freq=-1, period: int = -1, callback=None) -> None:
        wait_us = int(1_000_000 / freq) if freq > 0 else period * 1000
        if wait_us <= 0:
            raise ValueError("a timer needs a period or a freq")
        self.callback = callback
        self.period_us = wait_us if mode == self.PERIODIC else 0
        self.due_us = virtual_clock.now_us + wait_us
        if callback is None:
            virtual_clock.disarm(self)
        else:
            virtual_clock.arm(self)

    def deinit(self) -> None:
        virtual_clock.disarm(self)


class WDT:
    """Resets the device if it is not fed for `timeout` ms; it cannot be stopped."""

    def __init__(self, id: int = 0, timeout: int = 5000) -> None:
        self._timeout_us = timeout * 1000
        self.period_us = 0
        self.feed()

    def feed(self) -> None:
        self.due_us = virtual_clock.now_us + self._timeout_us
        virtual_clock.arm(self)

    def callback(self, timer) -> None:
        port.reset(WDT_RESET)


class PWM:
    """A square wave on a pin; `duty` of 0..1023 or `duty_u16` of 0..65535."""

    def __init__(self, dest, freq: int = 0, duty: int = -1, duty_u16: int = 32768) -> None:
        self._pin = _number(dest)
        self._freq = freq
        self._duty = duty_u16 if duty < 0 else duty * 64
        self._tell()

    def _tell(self) -> None:
        virtual_clock.now_us += _PIN_US
        port.pwm(self._pin, self._freq, self._duty)
        _catch_up()

    def init(self, freq: int = -1, duty_u16: int = -1) -> None:
        self._freq = self._freq if freq < 0 else freq
        self._duty = self._duty if duty_u16 < 0 else duty_u16
        self._tell()

    def freq(self, freq: int = -1):
        if freq < 0:
            return self._freq
        self.init(freq=freq)

    def duty_u16(self, duty_u16: int = -1):
        if duty_u16 < 0:
            return self._duty
        self.init(duty_u16=duty_u16)

    def duty(self, duty: int = -1):
        if duty < 0:
            return self._duty // 64
        self.init(duty_u16=duty * 64)

    def deinit(self) -> None:
        self._freq = self._duty = 0
        self._tell()
