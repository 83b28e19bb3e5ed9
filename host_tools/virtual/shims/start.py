"""Powers the virtual device up: the clock under asyncio, then main.py from the image.

It stands for ports/esp32/main.c, which starts main.py as the program itself, so that is what happens here. From
a ROM it is started as the loader does that: what lies there is compiled.
"""

import asyncio.core
import gc
import os
import sys

import console
import port
import vfs
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


def is_compiled() -> bool:
    """Whether the image has its main.py compiled, as a loader imports it."""
    for folder in sys.path:
        try:
            os.stat(folder + "/main.mpy")
            return True
        except OSError:
            pass
    return False


def mount_rom(name: str) -> None:
    """The image of a ROM file system at /rom. It lies in the heap, which the host has made larger by that."""
    image = bytearray(os.stat(name)[6])
    with open(name, "rb") as file:
        file.readinto(image)
    vfs.mount(vfs.VfsRom(memoryview(image)), "/rom")
    sys.path.insert(1, "/rom")


class SeldomTidy:
    """`gc` of a device with a large heap: so many times what the firmware asks for is taken before it is tidied up."""

    def __init__(self, times: int) -> None:
        self.collect = gc.collect
        self.mem_alloc = gc.mem_alloc
        self.mem_free = gc.mem_free
        self._times = times

    def threshold(self, size: int) -> None:
        gc.threshold(size * self._times)


def cut_heap(size: int) -> None:
    """Let no object lie across the place `size` bytes behind what is free now, as between two areas of a chip's heap
    (py/gc.c, MICROPY_GC_SPLIT_HEAP_AUTO): a small object stays there."""
    import uctypes

    gc.collect()
    first = bytearray(size)
    end = uctypes.addressof(first) + size
    in_holes = []
    walls.append(bytearray(64))
    while uctypes.addressof(walls[0]) < end:
        in_holes.append(walls.pop())
        walls.append(bytearray(64))


walls: list = []


def start() -> None:
    """The firmware's program."""
    times = int(os.getenv("CARDTABLE_TIDY_TIMES") or 1)
    charges = os.getenv("CARDTABLE_CHARGES")
    if times > 1 or charges:
        sys.modules["gc"] = SeldomTidy(times)
    if charges:
        __import__("charges").begin(charges, sys.modules["gc"])
    rom = os.getenv("CARDTABLE_ROM_IMAGE")
    if rom:
        mount_rom(rom)
    area = int(os.getenv("CARDTABLE_AREA") or 0)
    if area:
        cut_heap(area)
        gc.collect()
    if rom or is_compiled():
        __import__("main").main()
    else:
        exec(compile(read_main(), "main.py", "exec"), {"__name__": "__main__"})


def run() -> None:
    # asyncio would take the clock that wraps around, which the task queue, written in C for 62 bits here,
    # cannot order.
    asyncio.core.ticks = virtual_clock.asyncio_ticks
    asyncio.core.ticks_add = virtual_clock.asyncio_ticks_add
    asyncio.core.ticks_diff = virtual_clock.asyncio_ticks_diff
    console.begin(os.getenv("CARDTABLE_CONSOLE") == "stalls")
    console.time_prints()
    try:
        start()
    finally:
        # Even a program that ends, or falls, has its last operations seen.
        port.step()


run()
