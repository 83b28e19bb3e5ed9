"""The host's end of the pipe from a device: bytes in, operations on a World in their order, answers out.

The numbers are those of host_tools/virtual/shims/port.py, which says what the fields mean.
"""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host_tools.virtual.world import World

HEAD = struct.Struct("<BBHHQ")
PIN_WRITE, PIN_MODE, PIN_READ, SPI_READ, I2C_READ, STEP, RESET = range(1, 8)
SPI_WRITE, SPI_EXCHANGE, I2C_WRITE, STRIP_WRITE, SPI_OPEN, I2C_OPEN, PWM, RTC_WRITE = range(16, 24)
HALF_FRAME, FRAME = 24, 25  # two and three operations in one


class ProtocolError(Exception):
    """What came through the pipe is not what our port sends."""


class PipeServer:
    """Carries out what one device asks of `world`.

    `digest()` is a hash of every byte that went through the pipe, either way: two runs are the same if
    theirs are. `reset_cause` is set once the device has asked for a restart; it then waits for ever.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.reset_cause: int | None = None
        self.operations = 0
        self._rest = b""
        self._hash = hashlib.blake2b(digest_size=16)

    def begin(self) -> None:
        """A device has been started: nothing of an earlier one is left in the pipe."""
        self._rest = b""
        self.reset_cause = None

    def digest(self) -> str:
        return self._hash.hexdigest()

    def feed(self, block: bytes) -> bytes | None:
        """Carries out every whole operation in the bytes received so far; the answer if the last one needs
        one.

        ProtocolError if something follows an operation that is waited for; WiringError as World raises it.
        """
        self._hash.update(block)
        data = self._rest + block if self._rest else block
        at, last = 0, len(data) - HEAD.size
        answer = None
        unpack, pin_write, spi, frame = HEAD.unpack_from, self.world.pin_write, self.world.spi, self.world.frame
        while at <= last:
            what, line, other, size, now_us = unpack(data, at)
            start = at + HEAD.size
            stop = start + size if what >= SPI_WRITE else start
            if stop > len(data):
                break
            if answer is not None:
                raise ProtocolError("the device did not wait for its answer")
            if what == FRAME:  # what makes nearly all of it stands here
                frame(line, data[start], data[start + 1:stop], now_us - other, now_us, now_us + 1)
                self.operations += 2
            elif what == PIN_WRITE:
                pin_write(line, other, now_us)
            elif what == SPI_WRITE:
                spi(line, data[start:stop], now_us)
            else:
                answer = self._do(what, line, other, size, now_us, data[start:stop])
            self.operations += 1
            at = stop
        self._rest = data[at:]
        if answer is not None:
            self._hash.update(answer)
        return answer

    def _do(self, what: int, line: int, other: int, size: int, now_us: int, data: bytes) -> bytes | None:
        """One operation that `feed` does not do itself, the most frequent ones first."""
        if what == SPI_READ:
            return self.world.spi(line, bytes([other]) * size, now_us)
        if what == SPI_EXCHANGE:
            return self.world.spi(line, data, now_us)
        return self._do_rare(what, line, other, size, now_us, data)

    def _do_rare(self, what: int, line: int, other: int, size: int, now_us: int, data: bytes) -> bytes | None:
        world = self.world
        if what == I2C_WRITE:
            return b"\x01" if world.i2c_write(line, other, data, now_us) else b"\x00"
        if what == I2C_READ:
            read = world.i2c_read(line, other, size, now_us)
            return b"\x00" if read is None else b"\x01" + read
        if what == PIN_READ:
            return b"\x01" if world.pin_read(line, now_us) else b"\x00"
        if what == STEP:
            world.step(now_us)
            return b"\x01"
        if what == STRIP_WRITE:
            world.strip_write(line, data, now_us)
        elif what == PIN_MODE:
            world.pin_mode(line, other & 0xFF, (other >> 8) - 1, now_us)
        elif what == SPI_OPEN:
            mosi, miso, mode, baudrate = struct.unpack("<BBBxI", data)
            world.spi_open(line, mosi, miso, mode, now_us, baudrate)
        elif what == I2C_OPEN:
            world.i2c_open(line, data[0], now_us, struct.unpack_from("<I", data, 4)[0])
        elif what == HALF_FRAME:
            world.pin_write(line, 0, now_us - other)
            world.spi(data[0], data[1:], now_us)
            self.operations += 1
        elif what == PWM:
            freq, duty_u16 = struct.unpack("<II", data)
            world.pwm(line, freq, duty_u16, now_us)
        elif what == RTC_WRITE:
            world.rtc = bytes(data)
        elif what == RESET:
            world.step(now_us)
            self.reset_cause = other
        else:
            raise ProtocolError(f"operation {what} is unknown")
        return None
