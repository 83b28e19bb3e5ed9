"""A NOR flash for MicroPython's own littlefs: it counts, takes its time, and loses power.

It stands for the partition of ports/esp32/esp32_partition.c under extmod/vfs_lfsx.c. A block is erased to ones as a
whole, and a program can only clear bits: anything else is an error of the caller.
`store` holds the bytes: Memory here, or a file (Image), which outlives the process. Power is lost within the operation
`cut_at` (from 1, programs and erases counted together): a part of its work is done, and then `on_cut()` is called.
"""

import os

from micropython import const

BLOCK = 4096
# Typical values of the data sheets: RUNTIME's 45 ms for an erase, below a millisecond for a program.
ERASE_US = 45_000
PROGRAM_US = 700
# A read of at most 128 bytes is a call of Python and of esp_partition_read, which stops the caches of both cores
# (esp32_partition.c). An estimate: a chip takes 30 to 150 us, not measured.
READ_US = 90

_COUNT = const(4)  # what a file system asks its block device (MicroPython: os.AbstractBlockDev.ioctl)
_SIZE = const(5)
_ERASE = const(6)
_ONES = memoryview(b"\xff" * BLOCK)  # a slice of it copies nothing


class PowerLost(Exception):
    """Nothing more happens: the program that ran on this flash is gone."""


class Memory:
    """The bytes of a flash in memory; a block that was never written takes none."""

    def __init__(self, blocks: int, below=None) -> None:
        """`below`: another Memory, whose bytes these are until they are written here; not to be written meanwhile."""
        self.blocks = blocks
        self.rows = [_ONES] * blocks if below is None else list(below.rows)
        self._is_own = bytearray(blocks)

    def read(self, block: int, offset: int, into) -> None:
        """Fill `into`."""
        into[:] = self.rows[block][offset : offset + len(into)]

    def write(self, block: int, offset: int, data) -> None:
        """Put bytes there, whatever was there."""
        if not self._is_own[block]:
            self._is_own[block] = 1
            self.rows[block] = memoryview(bytearray(self.rows[block]))
        self.rows[block][offset : offset + len(data)] = data


class Image:
    """The bytes of a flash in a file of the host, made if it is not there: under another name until it is whole."""

    def __init__(self, name: str, blocks: int) -> None:
        self.blocks = blocks
        try:
            self._file = open(name, "r+b")
        except OSError:
            with open(name + ".new", "wb") as file:
                for _ in range(blocks):
                    file.write(_ONES)
            os.rename(name + ".new", name)
            self._file = open(name, "r+b")

    def read(self, block: int, offset: int, into) -> None:
        """Fill `into`."""
        self._file.seek(block * BLOCK + offset)
        self._file.readinto(into)

    def write(self, block: int, offset: int, data) -> None:
        """Put bytes there, whatever was there."""
        self._file.seek(block * BLOCK + offset)
        self._file.write(data)


class Flash:
    """A block device as MicroPython's file systems want one, of BLOCK bytes a block."""

    def __init__(self, store) -> None:
        self.store = store
        self.reads = self.programs = self.erases = self.programmed = 0  # operations, and bytes
        self.operations = 0  # programs and erases
        self.cut_at = 0
        self.cut_part = 0  # of 256: how much of the operation that is cut was done; the byte at its edge half
        self.on_cut = self.lose
        self.on_time = None  # told how many us an operation takes
        self.log = None  # a list gets (block, offset, bytes) for each program, (block, 0, None) for each erase

    def readblocks(self, block: int, into, offset: int = 0) -> None:
        """The file system reads."""
        self.reads += 1
        self.store.read(block, offset, into)
        self.take(READ_US)

    def writeblocks(self, block: int, data, offset: int = 0) -> None:
        """The file system programs bytes that were erased before."""
        room = bytearray(len(data))
        self.store.read(block, offset, room)
        assert room == _ONES[: len(room)], "block %d is programmed where it was not erased" % block
        self.begin(block, offset, data)
        self.programs += 1
        self.programmed += len(data)
        self.store.write(block, offset, data)
        self.take(PROGRAM_US)

    def ioctl(self, what: int, block: int) -> int:
        """Sizes, and the erase."""
        if what == _COUNT:
            return self.store.blocks
        if what == _SIZE:
            return BLOCK
        if what == _ERASE:
            self.begin(block, 0, None)
            self.erases += 1
            self.store.write(block, 0, _ONES)
            self.take(ERASE_US)
        return 0

    def begin(self, block: int, offset: int, data) -> None:
        """An operation begins; it may be the one in which power is lost."""
        self.operations += 1
        if self.log is not None:
            self.log.append((block, offset, None if data is None else bytes(data)))
        if self.operations == self.cut_at:
            tear(self.store, block, offset, data, self.cut_part)
            self.on_cut()

    def take(self, us: int) -> None:
        """Time passes."""
        if self.on_time is not None:
            self.on_time(us)

    def lose(self) -> None:
        """What happens at a cut unless `on_cut` is replaced."""
        raise PowerLost


def tear(store, block: int, offset: int, data, part: int) -> None:
    """Do `part` of 256 of an operation: its first bytes, and half of the bits of the next; data None: an erase."""
    wanted = _ONES if data is None else data
    size = len(wanted) * part // 256
    store.write(block, offset, wanted[:size])
    if size < len(wanted):
        edge = bytearray(1)
        store.read(block, offset + size, edge)
        # An erase sets bits, a program clears them: at the edge every other one has followed.
        edge[0] = edge[0] | 0x55 if data is None else edge[0] & (wanted[size] | 0x55)
        store.write(block, offset + size, edge)
