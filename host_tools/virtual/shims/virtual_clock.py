"""The device's virtual clock: integer microseconds, its timers and its ticks.

Everybody who lets time pass adds to `now_us` and then calls `catch_up()` if `due_us` has been reached: an
operation on a bus is one piece, so a timer that falls due within it is called right after it, as
MicroPython calls soft interrupts between two bytecodes. Code that waits calls `sleep_us` or `idle`, and there
a timer is called at its exact microsecond. Computing takes no time, unless `frame_us` says
how much. One file for both interpreters.

It stands for ports/esp32/mphalport.c, whose waits count in ticks of FreeRTOS, and for the interrupts of
ports/esp32/machine_timer.c, which wake the program that waits.
"""

from micropython import const

NEVER = const(1 << 60)
# FreeRTOS runs at 100 Hz on the ESP32: a wait without an event ends on a multiple of this (RUNTIME section
# 8).
TICK_US = const(10_000)
# ticks_ms and ticks_us of a 32-bit MicroPython wrap around here.
_TICKS_MASK = const((1 << 30) - 1)
# asyncio's own clock never wraps here, and is ahead of every real one: MicroPython's task queue, which is
# written in C, compares over 62 bits on this machine and stamps a fresh task with the real clock, so that
# one is always due.
_ASYNCIO_AHEAD_MS = const(1 << 45)
# A program that only switches tasks would stop the clock. After this many switches without a microsecond
# each costs what an ESP32 needs for one (RUNTIME section 8).
_FREE_SWITCHES = const(1000)
_SWITCH_US = const(340)

now_us = 0  # since the table was first powered up; never goes back
due_us = NEVER  # when the next timer falls due
frame_us = 0  # what the interpreter takes for one transaction on SPI: host_tools/virtual/computing.py has more of it
on_wait = None  # told the time whenever a wait has ended: the port keeps the host in step
_ticks_offset_us = 0
_timers = []
_calling = False
_switches = 0
_switched_us = 0


def power_up(start_us: int, ticks_start_ms: int) -> None:
    """Begins at `start_us`, a multiple of a tick, with `ticks_ms()` at `ticks_start_ms` and no timer."""
    global now_us, due_us, _ticks_offset_us, _calling, _switches, _switched_us
    now_us = start_us
    due_us = NEVER
    _ticks_offset_us = ticks_start_ms * 1000 - start_us
    _timers.clear()
    _calling = False
    _switches = _switched_us = 0


def arm(timer) -> None:
    """Takes a timer in: an object with `due_us`, `period_us` (0: once) and `callback(timer)`."""
    if timer not in _timers:
        _timers.append(timer)
    _find_due()


def disarm(timer) -> None:
    """Forgets a timer; one that is not armed is no error."""
    if timer in _timers:
        _timers.remove(timer)
    _find_due()


def _find_due() -> None:
    global due_us
    due_us = NEVER
    for timer in _timers:
        if timer.due_us < due_us:
            due_us = timer.due_us


def _call_next() -> None:
    """Goes to the time of the first timer due, if that lies ahead, and calls it; an error in it is the
    program's.
    """
    global now_us, _calling
    first = _timers[0]
    for timer in _timers:
        if timer.due_us < first.due_us:
            first = timer
    if first.due_us > now_us:
        now_us = first.due_us
    if first.period_us:
        first.due_us += first.period_us
    else:
        _timers.remove(first)
    _find_due()
    _calling = True
    try:
        first.callback(first)
    finally:
        _calling = False


def catch_up() -> None:
    """Calls the timers that are due by now; none while one is being called: callbacks are never nested.

    The end is fixed before the first call, so callbacks slower than their period delay the program and do
    not stop it.
    """
    _call_until(now_us)


def _call_until(end_us: int) -> None:
    if _calling:
        return
    while due_us <= end_us:
        _call_next()


def sleep_us(wait_us: int) -> None:
    """Passes exactly this much time, longer only if a callback at its end takes longer."""
    global now_us
    end_us = now_us + max(0, wait_us)
    _call_until(end_us)
    if now_us < end_us:
        now_us = end_us
    if on_wait:
        on_wait()


def idle(end_us: int, is_ready) -> None:
    """Waits as asyncio does: until `is_ready()` after a timer's call, or until the first interrupt at or after
    `end_us`, which is a timer's or a tick.

    With `end_us` NEVER only an event can end it; RuntimeError if no timer is left that could bring one.
    """
    global now_us
    tick_us = NEVER if end_us >= NEVER else (end_us + TICK_US - 1) // TICK_US * TICK_US
    while due_us <= tick_us and due_us < NEVER:
        _call_next()
        if on_wait:
            on_wait()
        if now_us >= end_us or is_ready():
            return
    if end_us >= NEVER:
        raise RuntimeError("no timer is armed, so nothing can ever wake this program")
    if now_us < tick_us:
        now_us = tick_us
    if on_wait:
        on_wait()


def spend_on_switch() -> None:
    """asyncio goes from one task to the next."""
    global _switches, _switched_us
    if _switched_us != now_us:
        _switched_us = now_us
        _switches = 0
    elif _switches < _FREE_SWITCHES:
        _switches += 1
    else:
        sleep_us(_SWITCH_US)
        _switched_us = now_us


def ticks_us() -> int:
    return (now_us + _ticks_offset_us) & _TICKS_MASK


def ticks_ms() -> int:
    return (now_us + _ticks_offset_us) // 1000 & _TICKS_MASK


def ticks_add(ticks: int, delta: int) -> int:
    return (ticks + delta) & _TICKS_MASK


def ticks_diff(end: int, start: int) -> int:
    """The signed way from `start` to `end`, each a value of ticks_ms or ticks_us; right for ways below
    2^29.
    """
    half = (_TICKS_MASK + 1) >> 1
    return ((end - start + half) & _TICKS_MASK) - half


def asyncio_ticks() -> int:
    return now_us // 1000 + _ASYNCIO_AHEAD_MS


def asyncio_ticks_add(ticks: int, delta: int) -> int:
    return ticks + delta


def asyncio_ticks_diff(end: int, start: int) -> int:
    return end - start
