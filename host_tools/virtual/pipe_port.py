"""The port under CPython: what host_tools/virtual/shims/port.py is to MicroPython, over the same pipe.

Operations that bring nothing back are collected and sent with the next one that needs an answer, as there: the bytes
in the pipe are the same under both interpreters.
"""

from __future__ import annotations

import os
import struct
import sys
from typing import Any

from host_tools.virtual.pipe import (
    FRAME,
    HALF_FRAME,
    HEAD,
    I2C_OPEN,
    I2C_READ,
    I2C_WRITE,
    PIN_MODE,
    PIN_READ,
    PIN_WRITE,
    PWM,
    RESET,
    RTC_WRITE,
    SPI_EXCHANGE,
    SPI_OPEN,
    SPI_READ,
    SPI_WRITE,
    STEP,
    STRIP_WRITE,
)

_CAPACITY = 1024
_MOST_FRAMED = 64  # bytes
_STEP_US = 50_000  # a device that waits without looking at anything lets the host know of the time this often


class PipePort:
    """The functions of the port, for the device of `clock`; `to_host` and `from_host` are this process's ends."""

    def __init__(self, clock: Any, to_host: int, from_host: int, cause: int) -> None:
        self._clock = clock
        self._to_host, self._from_host, self._cause = to_host, from_host, cause
        self._rtc = bytes.fromhex(os.environ.get("CARDTABLE_RTC", ""))
        self._buffer = bytearray()
        self._few = bytearray(8)  # as there, what an operation does not use of it stays from the last one
        self._answered_us = clock.now_us
        self._low_pin = self._framed = -1  # as there
        self._low_us = self._framed_at = self._framed_us = 0

    def _flush(self) -> None:
        left = memoryview(bytes(self._buffer))
        self._buffer.clear()
        while left:
            left = left[os.write(self._to_host, left):]

    def _post(self, what: int, line: int, other: int, size: int, data: bytes | bytearray = b"") -> None:
        self._framed = -1
        if len(self._buffer) > _CAPACITY:
            self._flush()
        if self._low_pin >= 0:
            self._buffer += HEAD.pack(PIN_WRITE, self._low_pin, 0, 0, self._low_us)
            self._low_pin = -1
        self._buffer += HEAD.pack(what, line, other, size, self._clock.now_us) + data

    def _take(self, size: int) -> bytes:
        """Sends everything, prints first, and waits for the answer."""
        sys.stdout.flush()
        try:
            self._flush()
            self._answered_us = self._clock.now_us
            answer = b""
            while len(answer) < size:
                block = os.read(self._from_host, size - len(answer))
                if not block:
                    raise BrokenPipeError
                answer += block
        except BrokenPipeError:
            raise SystemExit("the host of this virtual table is gone") from None
        return answer

    def pin_write(self, pin: int, level: int) -> None:
        if level:
            if pin == self._framed and self._clock.now_us == self._framed_us + 1:
                self._buffer[self._framed_at] = FRAME
                self._framed = -1
            else:
                self._post(PIN_WRITE, pin, 1, 0)
        elif self._low_pin < 0:
            self._low_pin, self._low_us, self._framed = pin, self._clock.now_us, -1
        else:
            self._post(PIN_WRITE, pin, 0, 0)

    def pin_mode(self, pin: int, mode: int, pull: int) -> None:
        self._post(PIN_MODE, pin, mode | (pull + 1) << 8, 0)

    def pin_read(self, pin: int) -> int:
        self._post(PIN_READ, pin, 0, 0)
        return self._take(1)[0]

    def spi_open(self, sck: int, mosi: int, miso: int, mode: int, baudrate: int) -> None:
        struct.pack_into("<BBBxI", self._few, 0, mosi, miso, mode, baudrate)
        self._post(SPI_OPEN, sck, 0, 8, bytes(self._few))

    def spi_write(self, sck: int, data: Any) -> None:
        now_us = self._clock.now_us
        lead_us = now_us - self._low_us
        if self._low_pin < 0 or not 0 < len(data) <= _MOST_FRAMED or lead_us > 0xFFFF:
            self._post(SPI_WRITE, sck, 0, len(data), bytes(data))
            return
        if len(self._buffer) > _CAPACITY:
            self._flush()
        self._framed, self._framed_at, self._framed_us, self._low_pin = self._low_pin, len(self._buffer), now_us, -1
        self._buffer += HEAD.pack(HALF_FRAME, self._framed, lead_us, len(data) + 1, now_us) + bytes((sck,)) + data

    def spi_read(self, sck: int, fill: int, into: Any) -> None:
        self._post(SPI_READ, sck, fill, len(into))
        into[:] = self._take(len(into))

    def spi_exchange(self, sck: int, data: Any, into: Any) -> None:
        self._post(SPI_EXCHANGE, sck, 0, len(into), bytes(data))
        into[:] = self._take(len(into))

    def i2c_open(self, scl: int, sda: int, freq: int) -> None:
        struct.pack_into("<BxxxI", self._few, 0, sda, freq)
        self._post(I2C_OPEN, scl, 0, 8, bytes(self._few))

    def i2c_write(self, scl: int, address: int, data: Any) -> int:
        self._post(I2C_WRITE, scl, address, len(data), bytes(data))
        return self._take(1)[0]

    def i2c_writev(self, scl: int, address: int, vector: Any, size: int) -> int:
        return self.i2c_write(scl, address, b"".join(vector))

    def i2c_read(self, scl: int, address: int, into: Any) -> int:
        self._post(I2C_READ, scl, address, len(into))
        if not self._take(1)[0]:
            return 0
        into[:] = self._take(len(into))
        return 1

    def strip_write(self, pin: int, data: Any) -> None:
        self._post(STRIP_WRITE, pin, 0, len(data), bytes(data))

    def pwm(self, pin: int, freq: int, duty_u16: int) -> None:
        struct.pack_into("<II", self._few, 0, freq, duty_u16)
        self._post(PWM, pin, 0, 8, bytes(self._few))

    def step(self) -> None:
        self._post(STEP, 0, 0, 0)
        self._take(1)

    def on_wait(self) -> None:
        if self._clock.now_us - self._answered_us >= _STEP_US:
            self.step()

    def reset(self, cause: int) -> None:
        """Have the host restart this device; the answer never comes."""
        self._post(RESET, 0, cause, 0)
        self._take(1)

    def reset_cause(self) -> int:
        return self._cause

    def rtc_read(self) -> bytes:
        return self._rtc

    def rtc_write(self, data: Any) -> None:
        self._rtc = bytes(data)
        self._post(RTC_WRITE, 0, 0, len(data), self._rtc)

    def unique_id(self) -> bytes:
        return b"card\x00\x01"
