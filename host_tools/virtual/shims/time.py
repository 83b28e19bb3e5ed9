"""`time` as an ESP32 has it, on the virtual clock.

It stands for ports/esp32/mphalport.c: a sleep ends exactly, for its last tick is spent looking at the clock. Reading
the ticks costs a microsecond, so that a program which waits by looking at the clock comes to an end.
"""

import sys

import virtual_clock

# The calendar is MicroPython's own: with no path to search, the import below finds the built-in module.
_path = sys.path
sys.path = []
try:
    from time import gmtime, localtime, mktime  # noqa: F401
finally:
    sys.path = _path

ticks_add = virtual_clock.ticks_add
ticks_diff = virtual_clock.ticks_diff


def _look() -> None:
    virtual_clock.now_us += 1
    if virtual_clock.now_us >= virtual_clock.due_us:
        virtual_clock.catch_up()


def ticks_us() -> int:
    _look()
    return virtual_clock.ticks_us()


def ticks_ms() -> int:
    _look()
    return virtual_clock.ticks_ms()


ticks_cpu = ticks_us


def sleep_us(us: int) -> None:
    virtual_clock.sleep_us(us)


def sleep_ms(ms: int) -> None:
    virtual_clock.sleep_us(ms * 1000)


def sleep(seconds) -> None:
    virtual_clock.sleep_us(int(seconds * 1_000_000))


def time() -> int:
    """Seconds since the table was first powered up; a chip, whose clock has no battery either, counts from its last."""
    return virtual_clock.now_us // 1_000_000


def time_ns() -> int:
    return virtual_clock.now_us * 1000
