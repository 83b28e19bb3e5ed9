"""`vfs.rom_ioctl` for a board whose MicroPython has a ROM partition: a file of the host.

The partition lies in memory, so a board that has one needs a larger heap here; on a chip it is a window on the flash.
"""

import sys

import vfs

_BLOCK = 4096


class Partition:
    """One partition of `size` bytes in the file `path`."""

    def __init__(self, path: str, size: int) -> None:
        self._data = bytearray(size)  # before anything else is in the way of so long a row
        try:
            self._file = open(path, "r+b")
            self._file.readinto(self._data)
        except OSError:
            for start in range(0, size, _BLOCK):
                self._data[start : start + _BLOCK] = b"\xff" * _BLOCK
            with open(path, "wb") as file:
                file.write(self._data)
            self._file = open(path, "r+b")

    def ioctl(self, what: int, *numbers):
        """As MicroPython's documentation of vfs.rom_ioctl has it; each write is kept at once."""
        if what == 1:
            return 1
        if what == 2:
            return memoryview(self._data)
        if what == 3:
            start, size = numbers[1:] if len(numbers) > 2 else (0, numbers[1])
            self._keep(start, b"\xff" * size)
            return 4
        if what == 4:
            self._keep(numbers[1], numbers[2])
        return _BLOCK if what == 6 else 0

    def _keep(self, start: int, data) -> None:
        self._data[start : start + len(data)] = data
        self._file.seek(start)
        self._file.write(data)


class Vfs:
    """`vfs` with the one function more."""


def add(path: str, size: int):
    """Give this MicroPython a ROM partition; what has to be mounted at /rom, or None."""
    partition = Partition(path, size)
    module = Vfs()
    for name in dir(vfs):
        if name[0] != "_":
            setattr(module, name, getattr(vfs, name))
    module.rom_ioctl = partition.ioctl
    sys.modules["vfs"] = module
    try:
        return vfs.VfsRom(partition.ioctl(2, 0))
    except OSError:
        return None  # nothing has been written there
