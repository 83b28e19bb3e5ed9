"""Asks a stopped table what its chip has: heap, PSRAM, a ROM partition; and chooses where the code runs from.

The numbers are MicroPython's own (py/gc.c): `total` is the heap as it is, `max new split` the largest area that it can
still add once. What an object needs must fit into one area.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from host_tools.base import foreign
from host_tools.maker.device.table import Table, TableError

# Bytes of heap in which Durak of six plays, with the code in files: as it is, and lean (virtual/lean.py and what it
# names). Reckoned from 64 bits; it starts in 96 KB, and its end takes 99 (tests/host_tools/test_small_heap.py). An
# emulated 32-bit chip took 112 to 115 KB of an earlier lean code for which the same reckoning gives 115.
FILES_HEAP = 140 * 1024
LEAN_HEAP = 100 * 1024
ROM_HEAP = 79 * 1024
_PSRAM = 1024 * 1024  # the smallest has two megabytes, and no chip has so much without it

_ASK = """import gc, micropython, sys
gc.collect()
micropython.mem_info()
try:
    import esp32
    for area in esp32.idf_heap_info(esp32.HEAP_DATA):
        print("area", area[0], area[1], area[2])
except (ImportError, AttributeError):
    pass
import vfs
rom = vfs.rom_ioctl(2, 0) if hasattr(vfs, "rom_ioctl") and vfs.rom_ioctl(1) > 0 else b""
# A partition of an ESP32 has no len() and no subscript: it is a block device, and a buffer that a memoryview reads.
print("rom", rom.ioctl(4, 0) * rom.ioctl(5, 0) if hasattr(rom, "ioctl") else len(rom))
"""
_TOTAL = re.compile(r"GC: total: (\d{1,10}), used: \d{1,10}, free: \d{1,10}(?:, max new split: (\d{1,10}))?")
_AREA = re.compile(r"area (\d{1,10}) (\d{1,10}) (\d{1,10})")
_ROM = re.compile(r"rom (\d{1,12})")


@dataclass(frozen=True)
class Memory:
    """Bytes: the heap, the largest area that it can still add, ESP-IDF's free memory and the largest piece of it, the
    ROM partition. 0: there is none, or the chip does not say."""

    heap: int
    split: int
    idf_free: int
    idf_largest: int
    rom: int

    @property
    def most(self) -> int:
        """What the heap can become."""
        return self.heap + self.split

    @property
    def has_psram(self) -> bool:
        return self.most >= _PSRAM


def ask(table: Table) -> Memory:
    """What a stopped table says. TableError if that is nothing which a MicroPython says."""
    said = table.run(_ASK)
    total, rom = _TOTAL.search(said), _ROM.search(said)
    if total is None or rom is None:
        raise TableError(f"the table answers {foreign.shorten(said)!r} to the size of its memory.")
    areas = [tuple(map(int, found)) for found in _AREA.findall(said)]
    return Memory(int(total[1]), int(total[2] or 0), sum(area[1] for area in areas),
                  max((area[2] for area in areas), default=0), int(rom[1]))


def describe(memory: Memory) -> list[tuple[str, str]]:
    """(what, how) for `device info`."""
    heap = f"{memory.heap // 1024} KB"
    if memory.split:
        heap += f", and one more area of {memory.split // 1024} KB at most"
    rows = [("heap", heap + (" (PSRAM)" if memory.has_psram else ""))]
    if memory.idf_free:
        rows.append(("ESP-IDF", f"{memory.idf_free // 1024} KB free, {memory.idf_largest // 1024} KB in one piece"))
    rows.append(("ROM", f"{memory.rom // 1024} KB" if memory.rom else "no partition"))
    rows.append(("a game needs", f"{LEAN_HEAP // 1024} KB of heap with its code in files, {ROM_HEAP // 1024} KB with"
                 " it in ROM"))
    return rows


def choose(memory: Memory, image: int) -> tuple[bool, str]:
    """(whether the code runs from ROM, what to say of it); image: bytes of the ROM's image."""
    if memory.rom >= image:
        return True, ""
    said = []
    if memory.rom:
        said.append(f"The ROM partition has {memory.rom // 1024} KB and the application needs {-(-image // 1024)}: it"
                    " runs from files.")
    if not suffices(memory, image):
        said.append(f"This chip has {memory.heap // 1024} KB of heap and can add {memory.split // 1024} KB; with its"
                    f" code in files the largest game needs {LEAN_HEAP // 1024} KB, and the table will say that it has"
                    " too little memory. docs/flashing.md, \"A chip without PSRAM\", says what helps.")
    return False, " ".join(said)


def suffices(memory: Memory, image: int) -> bool:
    """Whether the largest game can start, from ROM or from files."""
    return memory.most >= (ROM_HEAP if memory.rom >= image else LEAN_HEAP)


def is_tight(memory: Memory, image: int) -> bool:
    """Whether code in files has to be lean."""
    return memory.rom < image and memory.most < FILES_HEAP
