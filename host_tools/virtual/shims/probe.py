"""Stands before a virtual device's start: starts it, and tells now and then what the heap holds.

It is no part of a device: it reads py/modgc.c, which a chip has as well.
Prints `probe LIVE USED`: bytes in use after tidying up, and before it; `probe-modules NAMES` when others have come, and
MicroPython's own line about its table of interned names.
"""

import gc
import sys

import micropython
import port  # noqa: F401 - it says what is done when the device waits
import virtual_clock as clock

say = print  # which takes no time yet: what the probe says is no part of the device
EVERY_US = 250_000  # of the device's time

# Set before the firmware is loaded, and so no part of what it takes.
next_us = 0
modules = 0


def sample() -> None:
    """Called whenever the device has waited."""
    global next_us, modules
    tell()
    if clock.now_us < next_us:
        return
    next_us = clock.now_us + EVERY_US
    used = gc.mem_alloc()
    gc.collect()
    say("probe", gc.mem_alloc(), used)
    if len(sys.modules) != modules:
        modules = len(sys.modules)
        say("probe-modules", " ".join(sys.modules))
        micropython.qstr_info()


tell = clock.on_wait
clock.on_wait = sample

import start  # noqa: E402, F401 - it runs the firmware
