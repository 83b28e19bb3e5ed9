"""A board's file system as one file, which esptool writes behind MicroPython: an application without a computer's help.

MicroPython's images for an ESP32 leave all flash from 2 MB on to files, as littlefs in blocks of 4 KB (its
ports/esp32/partitions-4MiBplus.csv and main.c). A file system that says another size than its flash cannot be mounted,
and MicroPython then starts nothing, so each size of flash has an image of its own.
"""

from __future__ import annotations

from pathlib import Path

from host_tools.base.extras import need
from host_tools.maker.device.package import Package, build_for_chip, lay_out

OFFSET = 0x200000  # in the flash
BLOCK = 4096
VERSION = 0x00020000  # of littlefs on the disk: the oldest, which every MicroPython with littlefs 2 reads
_FOLDERS = 32  # blocks, at least, for what littlefs writes down of folders and files
# Megabytes of flash that a module is sold with, by the name in a board file.
FLASH_MB = {"esp32-wroom-32": (4,), "esp32-wrover-e": (4, 8, 16), "esp32-s3-wroom-1": (8, 16)}


def make_filesystem(package: Package, flash_mb: int) -> bytes:
    """The bytes to write at OFFSET of a flash of so many megabytes, up to the last block that is used. The same package
    gives the same bytes. UnusableInput without littlefs-python."""
    littlefs = need("littlefs", "an image of a file system")
    blocks = (flash_mb * 1024 * 1024 - OFFSET) // BLOCK
    files = lay_out(package)
    # littlefs spreads what it writes over the whole flash: it gets a small one, which grows once everything is there.
    few = sum(len(data) // BLOCK + 1 for data in files.values()) * 5 // 4 + _FOLDERS
    context = littlefs.UserContext(buffsize=blocks * BLOCK)
    system = littlefs.LittleFS(context=context, block_size=BLOCK, block_count=min(few, blocks), disk_version=VERSION)
    for name, data in sorted(files.items()):
        folder = name.rpartition("/")[0]
        if folder:
            system.makedirs(folder, exist_ok=True)
        with system.open(name, "wb") as file:
            file.write(data)
    system.fs_grow(blocks)
    whole = bytes(context.buffer)
    used = len(whole.rstrip(b"\xff"))
    return whole[: -(-used // BLOCK) * BLOCK]


def write_filesystem(board: str, flash_mb: int, folder: Path) -> Path:
    """Make FOLDER/BOARD-MB.littlefs; its path. A module without PSRAM gets the application as its heap can hold it,
    without line numbers. UnusableInput, image.BuildError."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{board}-{flash_mb}.littlefs"
    file.write_bytes(make_filesystem(build_for_chip(board), flash_mb))
    return file
