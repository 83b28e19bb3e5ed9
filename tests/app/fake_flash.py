"""A flash of files in a dict that runs full where a test says, for the modules of the app that reach one."""

import os

from cardtable.between import archive, leftovers, pieces, prompt
from cardtable.record import journal

MODULES = (journal, pieces, archive, leftovers, prompt)
BLOCK = 4096
BLOCKS = 1024


class Flash:
    """Names and their bytes, None for a folder; `room` is how many bytes still fit."""

    def __init__(self, files=None):
        self.files = files if files is not None else {}
        self.room = 1_000_000
        self.closed = 0  # files that were written and closed
        self.made = 0  # folders

    def during(self, call, *arguments):
        """Call it with this flash."""
        for module in MODULES:
            module.open = self.open
            module.os = self
        try:
            return call(*arguments)
        finally:
            for module in MODULES:
                del module.open
                module.os = os

    def open(self, name, mode):
        if mode == "rb":
            if self.files.get(name) is None:
                raise OSError(2)
            return File(self, name, self.files[name])
        if self.files.get(name[: name.rfind("/")], 0) is not None:
            raise OSError(2)
        if not self.room and name not in self.files:
            raise OSError(28)
        if mode == "wb":
            self.files[name] = b""
        assert mode in ("ab", "wb")
        self.files.setdefault(name, b"")
        return File(self, name, None)

    def stat(self, name):
        if name not in self.files:
            raise OSError(2)
        return (0, 0, 0, 0, 0, 0, len(self.files[name] or b""))

    def free_blocks(self):
        """As littlefs counts them, which of a full flash goes below 0, and round."""
        return self.room // BLOCK & 0xFFFFFFFF

    def statvfs(self, name):
        if name != "." and name not in self.files:
            raise OSError(2)
        return (BLOCK, BLOCK, BLOCKS, self.free_blocks())

    def mkdir(self, name):
        if name in self.files:
            raise OSError(17, "File exists")
        if not self.room:
            raise OSError(28)
        self.files[name] = None
        self.made += 1

    def rmdir(self, name):
        assert self.files[name] is None and not self.listdir(name)
        del self.files[name]

    def listdir(self, folder):
        if folder not in self.files:
            raise OSError(2)
        start = len(folder) + 1
        return [name[start:] for name in self.files if name.startswith(folder + "/") and "/" not in name[start:]]

    def remove(self, name):
        if self.files.get(name) is None:
            raise OSError(2)
        self.room += len(self.files[name])
        del self.files[name]

    def rename(self, name, other):
        if other in self.files:
            raise OSError(17)
        for inner in sorted(self.files):
            if inner == name or inner.startswith(name + "/"):
                self.files[other + inner[len(name) :]] = self.files[inner]
                del self.files[inner]


class File:
    """What fits is written before the error, as a full disk does it."""

    def __init__(self, flash, name, data):
        self.flash = flash
        self.name = name
        self.data = data

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.flash.closed += self.data is None

    def read(self):
        return self.data

    def write(self, data):
        fits = min(len(data), self.flash.room)
        self.flash.files[self.name] += data[:fits]
        self.flash.room -= fits
        if fits < len(data) and fits % 2:
            raise OSError(28)
        return fits  # a short count, and no error: MicroPython's files may do that too
