"""Powers the virtual device up: the clock under asyncio, then main.py from the image; it knows no chip and
no firmware.

A real device starts main.py as the program itself, so that is what happens here.
"""

import asyncio.core
import sys

import port
import virtual_clock


def read_main() -> str:
    """The first main.py on the path, as an import would find it."""
    for folder in sys.path:
        try:
            with open(folder + "/main.py") as file:
                return file.read()
        except OSError:
            continue
    raise OSError("there is no main.py in " + " ".join(sys.path))


def run() -> None:
    # asyncio would take the clock that wraps around, which the task queue, written in C for 62 bits here,
    # cannot order.
    asyncio.core.ticks = virtual_clock.asyncio_ticks
    asyncio.core.ticks_add = virtual_clock.asyncio_ticks_add
    asyncio.core.ticks_diff = virtual_clock.asyncio_ticks_diff
    try:
        exec(compile(read_main(), "main.py", "exec"), {"__name__": "__main__"})
    finally:
        # Even a program that ends, or falls, has its last operations seen.
        port.step()


run()
