"""The port under MicroPython: what pins and buses do goes through a pipe to the chips' models.

It stands for the drivers of ESP-IDF below ports/esp32/machine_hw_spi.c and its like, and for the wires behind them.
Operations that bring nothing back are collected and sent when one is made that needs an answer, or when the
buffer is full; each carries its time, so nothing is lost by that. Nothing here allocates once it is
running, but for long writes. The other end of the pipe is host_tools/virtual/pipe.py, which has the same numbers.
"""

import os
from binascii import unhexlify
from struct import pack_into

import virtual_clock

from micropython import const

# An operation is a head: what, line (a pin, or a bus's clock pin), other, size, time in us; from _SPI_WRITE
# on its `size` bytes follow. A pin that goes low, bytes that are written then, and a microsecond later the pin's way up
# are one: _FRAME. Without the last, _HALF_FRAME. What is read is answered with as many bytes as were asked for, a byte
# before them where a device may be silent.
_HEAD = "<BBHHQ"
_FRAMED_HEAD = "<BBHHQB"
_HEAD_SIZE = const(14)
_MOST_FRAMED = const(64)  # bytes
_PIN_WRITE = const(1)  # other: level
_PIN_MODE = const(2)  # other: mode, pull
_PIN_READ = const(3)
_SPI_READ = const(4)  # other: the byte written meanwhile
_I2C_READ = const(5)  # other: address
_STEP = const(6)
_RESET = const(7)  # other: cause
_SPI_WRITE = const(16)
_SPI_EXCHANGE = const(17)
_I2C_WRITE = const(18)  # other: address
_STRIP_WRITE = const(19)
_SPI_OPEN = const(20)
_I2C_OPEN = const(21)
_PWM = const(22)
_RTC_WRITE = const(23)
_HALF_FRAME = const(24)  # other: how many us before the write the pin went low; the first byte is the bus's clock pin
_FRAME = const(25)

_CAPACITY = const(1024)
_FEW = const(16)  # so many bytes are copied one by one, which takes nothing of the heap
# A device that waits without looking at anything lets the host know of the time at least this often.
_STEP_US = const(50_000)

_buffer = bytearray(_CAPACITY)
_filled = 0
_low_pin = -1  # went low at _low_us, which is not in the buffer yet
_low_us = 0
_framed = -1  # the pin of the half frame that ends the buffer, where that begins, and when it was written
_framed_at = 0
_framed_us = 0
_byte = bytearray(1)
_few = bytearray(8)
_answered_us = 0
_to_host = open(int(os.getenv("CARDTABLE_TO_HOST")), "wb")
_rtc = [unhexlify(os.getenv("CARDTABLE_RTC") or "")]
_from_host = open(int(os.getenv("CARDTABLE_FROM_HOST")), "rb")


def _send(data, size: int) -> None:
    sent = 0
    while sent < size:
        sent += _to_host.write(data, sent, size - sent)


def _flush() -> None:
    global _filled
    _send(_buffer, _filled)
    _filled = 0


def _post(what: int, line: int, other: int, size: int) -> None:
    global _filled, _low_pin, _framed
    _framed = -1
    if _filled + 2 * _HEAD_SIZE > _CAPACITY:
        _flush()
    if _low_pin >= 0:
        pack_into(_HEAD, _buffer, _filled, _PIN_WRITE, _low_pin, 0, 0, _low_us)
        _filled += _HEAD_SIZE
        _low_pin = -1
    pack_into(_HEAD, _buffer, _filled, what, line, other, size, virtual_clock.now_us)
    _filled += _HEAD_SIZE


def _append(data) -> None:
    """Puts an operation's bytes behind its head."""
    global _filled
    size = len(data)
    if _filled + size > _CAPACITY:
        _flush()
        if size > _CAPACITY:
            _send(data, size)
            return
    end = _filled + size
    if size <= _FEW:
        for index in range(size):
            _buffer[_filled + index] = data[index]
    else:
        _buffer[_filled:end] = data  # a slice is an object of the heap
    _filled = end


def _take(into, size: int) -> None:
    """Sends everything and waits for the answer, which comes in one piece."""
    global _answered_us
    _flush()
    _answered_us = virtual_clock.now_us
    if _from_host.readinto(into, size) != size:
        raise SystemExit("the host of this virtual table is gone")


def _take_byte() -> int:
    _take(_byte, 1)
    return _byte[0]


def pin_write(pin: int, level: int) -> None:
    global _low_pin, _low_us, _framed
    if level:
        if pin == _framed and virtual_clock.now_us == _framed_us + 1:
            _buffer[_framed_at] = _FRAME
            _framed = -1
        else:
            _post(_PIN_WRITE, pin, 1, 0)
    elif _low_pin < 0:
        _low_pin = pin
        _low_us = virtual_clock.now_us
        _framed = -1
    else:
        _post(_PIN_WRITE, pin, 0, 0)


def pin_mode(pin: int, mode: int, pull: int) -> None:
    _post(_PIN_MODE, pin, mode | (pull + 1) << 8, 0)


def pin_read(pin: int) -> int:
    _post(_PIN_READ, pin, 0, 0)
    return _take_byte()


def spi_open(sck: int, mosi: int, miso: int, mode: int, baudrate: int) -> None:
    pack_into("<BBBxI", _few, 0, mosi, miso, mode, baudrate)
    _post(_SPI_OPEN, sck, 0, 8)
    _append(_few)


def spi_write(sck: int, data) -> None:
    global _filled, _low_pin, _framed, _framed_at, _framed_us
    size = len(data)
    lead_us = virtual_clock.now_us - _low_us
    if _low_pin < 0 or not size or size > _MOST_FRAMED or lead_us > 0xFFFF:
        _post(_SPI_WRITE, sck, 0, size)
        _append(data)
        return
    if _filled + _HEAD_SIZE + 1 + size > _CAPACITY:
        _flush()
    _framed = _low_pin
    _framed_at = _filled
    _framed_us = virtual_clock.now_us
    _low_pin = -1
    pack_into(_FRAMED_HEAD, _buffer, _filled, _HALF_FRAME, _framed, lead_us, size + 1, _framed_us, sck)
    _filled += _HEAD_SIZE + 1
    _append(data)


def spi_read(sck: int, fill: int, into) -> None:
    size = len(into)
    _post(_SPI_READ, sck, fill, size)
    _take(into, size)


def spi_exchange(sck: int, data, into) -> None:
    size = len(into)
    _post(_SPI_EXCHANGE, sck, 0, size)
    _append(data)
    _take(into, size)


def i2c_open(scl: int, sda: int, freq: int) -> None:
    pack_into("<BxxxI", _few, 0, sda, freq)
    _post(_I2C_OPEN, scl, 0, 8)
    _append(_few)


def i2c_write(scl: int, address: int, data) -> int:
    """1 if a device acknowledged."""
    _post(_I2C_WRITE, scl, address, len(data))
    _append(data)
    return _take_byte()


def i2c_writev(scl: int, address: int, vector, size: int) -> int:
    """The same with the bytes in several buffers, `size` in all."""
    _post(_I2C_WRITE, scl, address, size)
    for data in vector:
        _append(data)
    return _take_byte()


def i2c_read(scl: int, address: int, into) -> int:
    """1 if a device acknowledged; `into` is full only then."""
    _post(_I2C_READ, scl, address, len(into))
    if not _take_byte():
        return 0
    _take(into, len(into))
    return 1


def strip_write(pin: int, data) -> None:
    _post(_STRIP_WRITE, pin, 0, len(data))
    _append(data)


def pwm(pin: int, freq: int, duty_u16: int) -> None:
    pack_into("<II", _few, 0, freq, duty_u16)
    _post(_PWM, pin, 0, 8)
    _append(_few)


def step() -> None:
    """Tells the host the time, and waits until it has caught up."""
    _post(_STEP, 0, 0, 0)
    _take_byte()


def _on_wait() -> None:
    if virtual_clock.now_us - _answered_us >= _STEP_US:
        step()


def reset(cause: int) -> None:
    """Have the host restart this device; the answer never comes."""
    _post(_RESET, 0, cause, 0)
    _take_byte()


def reset_cause() -> int:
    return int(os.getenv("CARDTABLE_RESET_CAUSE") or 1)


def rtc_read() -> bytes:
    """What the RTC memory holds: a reset leaves it alone."""
    return _rtc[0]


def rtc_write(data) -> None:
    _rtc[0] = bytes(data)
    _post(_RTC_WRITE, 0, 0, len(data))
    _append(data)


def unique_id() -> bytes:
    return b"card\x00\x01"


virtual_clock.power_up(int(os.getenv("CARDTABLE_START_US") or 0), int(os.getenv("CARDTABLE_TICKS_MS") or 0))
virtual_clock.on_wait = _on_wait
