"""The ROM partition of a MicroPython on an ESP32, which is an `esp32.Partition`: a file of the host.

It stands for ports/esp32/esp32_partition.c: the partition is an object that can be read as a buffer, and has no length
and no subscript; it is written by blocks, and vfs.rom_ioctl refuses to write. It lies in memory, so a board that
has one needs a larger heap here; on a chip it is a window on the flash.
"""

import os
import sys

import vfs

_BLOCK = 4096
_COUNT, _SIZE, _ERASE = 4, 5, 6  # of Partition.ioctl
_PARTITIONS, _GET = 1, 2  # of vfs.rom_ioctl
_EINVAL = -22


class Partition(bytearray):
    """One partition of `size` bytes in the file `path`. A chip's is made by its table of partitions."""

    def __len__(self) -> int:
        raise TypeError("object of type 'Partition' has no len()")

    def __getitem__(self, where: object) -> object:
        raise TypeError("'Partition' object isn't subscriptable")

    def __setitem__(self, where: object, what: object) -> None:
        raise TypeError("'Partition' object doesn't support item assignment")

    def open(self, path: str) -> None:
        """Take the bytes of that file, which is made if it is not there."""
        data = memoryview(self)
        try:
            self._file = open(path, "r+b")
            self._file.readinto(data)
        except OSError:
            for start in range(0, len(data), _BLOCK):
                data[start : start + _BLOCK] = b"\xff" * _BLOCK
            with open(path + ".new", "wb") as file:
                file.write(data)
            os.rename(path + ".new", path)
            self._file = open(path, "r+b")

    def readblocks(self, block: int, into, offset: int = 0) -> None:
        """Fill `into`."""
        start = block * _BLOCK + offset
        memoryview(into)[:] = memoryview(self)[start : start + len(into)]

    def writeblocks(self, block: int, data, offset=None) -> None:
        """Without an offset whole blocks are erased first, with one the bytes were erased before. Kept at once."""
        if offset is None:
            for number in range(len(data) // _BLOCK):
                self.ioctl(_ERASE, block + number)
        start = block * _BLOCK + (offset or 0)
        for byte in memoryview(self)[start : start + len(data)]:
            assert byte == 0xFF, "block %d is programmed where it was not erased" % block
        self._keep(start, data)

    def ioctl(self, what: int, number: int) -> int:
        """Sizes, and the erase of a block."""
        if what == _COUNT:
            return len(memoryview(self)) // _BLOCK
        if what == _SIZE:
            return _BLOCK
        if what == _ERASE:
            self._keep(number * _BLOCK, b"\xff" * _BLOCK)
        return 0

    def _keep(self, start: int, data) -> None:
        memoryview(self)[start : start + len(data)] = data
        self._file.seek(start)
        self._file.write(data)


class Vfs:
    """`vfs` with the one function more."""


def add(path: str, size: int):
    """Give this MicroPython a ROM partition; what has to be mounted at /rom, or None."""
    partition = Partition(size)  # before anything else is in the way of so long a row
    partition.open(path)

    def rom_ioctl(what: int, *numbers: int):
        if what == _PARTITIONS:
            return 1
        return partition if what == _GET and numbers[0] == 0 else _EINVAL

    module = Vfs()
    for name in dir(vfs):
        if name[0] != "_":
            setattr(module, name, getattr(vfs, name))
    module.rom_ioctl = rom_ioctl
    sys.modules["vfs"] = module
    try:
        return vfs.VfsRom(partition)
    except OSError:
        return None  # nothing has been written there
