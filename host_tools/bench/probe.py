"""Stands as main.py before the firmware's own on a virtual device: starts that one, and tells now and then what the
heap holds; it knows no firmware.

Prints `probe LIVE USED`: bytes in use after tidying up, and before it; `probe-modules NAMES` when others have come.
"""

import gc
import sys

EVERY_US = 250_000  # of the device's time

# The clock is a module of the virtual device, which has loaded it; a device of silicon has none.
clock = sys.modules["virtual_clock"]
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
    print("probe", gc.mem_alloc(), used)
    if len(sys.modules) != modules:
        modules = len(sys.modules)
        print("probe-modules", " ".join(sys.modules))


def read_main() -> str:
    """The firmware's main.py: the second one on the path, this being the first."""
    is_ours = True
    for folder in sys.path:
        try:
            with open(folder + "/main.py") as file:
                if not is_ours:
                    return file.read()
                is_ours = False
        except OSError:
            continue
    raise OSError("there is no second main.py in " + " ".join(sys.path))


tell = clock.on_wait
clock.on_wait = sample
exec(compile(read_main(), "main.py", "exec"), {"__name__": "__main__"})
