"""Ways to keep a record on littlefs, measured on a flash that counts; runs under MicroPython."""

import os

from cardtable.record.journal import Journal

ERASE_MS = 45


class Growing:
    """One file; each event is appended, and the file closed."""

    name = "one growing file"

    def open(self, text: bytes) -> None:
        os.mkdir("games")
        self.write(text)

    def write(self, line: bytes) -> None:
        with open("games/0001.rec", "ab") as file:
            file.write(line)

    def prepare(self) -> None:
        """Nothing can be prepared."""


class Segments(Growing):
    """Short files in one folder, a new one when the last is full."""

    name = "segments of 112 bytes in one folder"

    def open(self, text: bytes) -> None:
        os.mkdir("games")
        os.mkdir("games/0001")
        self.number = 0
        self.length = 112
        while text:
            self.write(text[:112])
            text = text[112:]

    def write(self, line: bytes) -> None:
        if self.length + len(line) > 112:
            self.number += 1
            self.length = 0
        self.length += len(line)
        with open("games/0001/%d" % self.number, "ab") as file:
            file.write(line)


class Each(Segments):
    """A file for each event."""

    name = "a file for each event"

    def write(self, line: bytes) -> None:
        self.length = 112
        super().write(line)


class Pieces(Growing):
    """The firmware's way (record.journal)."""

    name = "pieces on prepared pages"

    def open(self, text: bytes) -> None:
        self.journal = Journal()
        self.journal.go_on("", -1, 0)
        self.write(text)

    def write(self, line: bytes) -> None:
        assert self.journal.write(line[:-1].decode())

    def prepare(self) -> None:
        self.journal.prepare()


WAYS = (Growing, Each, Segments, Pieces)


def measure(way, lines: list, flash) -> dict:
    """One record, written line by line: what each event costs. `flash` is mounted and empty."""
    way.open(lines[0])
    begun = (flash.erases, flash.programs, flash.programmed, flash.reads)
    worst = waited = calm = 0
    for line in lines[1:]:
        before = flash.erases
        way.write(line)
        worst = max(worst, flash.erases - before)
        waited += flash.erases - before
        before = flash.erases
        way.prepare()
        calm = max(calm, flash.erases - before)
    count = len(lines) - 1
    free = os.statvfs(".")
    return {
        "way": way.name, "events": count,
        "erases": (flash.erases - begun[0]) / count, "waited": waited / count,
        "worst_ms": worst * ERASE_MS, "calm_ms": calm * ERASE_MS,
        "programs": (flash.programs - begun[1]) / count, "bytes": (flash.programmed - begun[2]) / count,
        "reads": (flash.reads - begun[3]) / count, "blocks": free[2] - free[3],
    }  # fmt: skip
