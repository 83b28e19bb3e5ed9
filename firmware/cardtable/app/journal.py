"""Writes the record of the game to flash, a line at a time, each durable before its light; it knows no rule.

A line is durable when its file has been closed. What could not be written is kept and tried again, behind whatever of
it had come to flash: no line is lost, and none is written twice.
"""

import os

from micropython import const

FOLDER = "games"
LIMIT = 9999  # games; then the numbers begin again
_SIZE = const(6)  # of what os.stat tells
_NO_SPACE = const(28)  # ENOSPC


class Journal:
    """The record of one game in a file `NNNN.rec`."""

    def __init__(self, folder: str = FOLDER) -> None:
        """folder: where the records lie; it is made if it is not there."""
        self.folder = folder
        self.name = ""
        self.faults = 0  # writes that failed: shown, retried, counted
        self._kept = b""  # what is not on flash yet
        self._length = 0  # bytes that are durable

    def open(self, header) -> bool:
        """Begin a new record with this header (engine.record.Header); True once it is durable."""
        self.name = ""
        self._length = 0
        self._kept = ("\n".join(header.lines()) + "\n").encode()
        return self.flush()

    def write(self, line: str) -> bool:
        """Append a line; True once it is durable."""
        self._kept += line.encode() + b"\n"
        return self.flush()

    def is_durable(self) -> bool:
        """Whether everything that was written is on flash."""
        return not self._kept

    def flush(self) -> bool:
        """Try to bring to flash whatever is not there yet."""
        try:
            if not self.name:
                self.name = self.choose_name()
            elif self.faults:
                self.skip_written()
            with open(self.name, "ab") as record:
                if record.write(self._kept) != len(self._kept):
                    raise OSError(_NO_SPACE)
        except OSError:
            self.faults += 1
            return False
        self._length += len(self._kept)
        self._kept = b""
        return True

    def skip_written(self) -> None:
        """A write that failed may have left a part of its bytes."""
        try:
            written = max(0, os.stat(self.name)[_SIZE] - self._length)
        except OSError:
            return  # not even the file is there
        self._length += written
        self._kept = self._kept[written:]

    def choose_name(self) -> str:
        """The number after the highest one there is. OSError if the flash cannot be read or written."""
        try:
            os.mkdir(self.folder)
        except OSError:
            pass  # it is there already, or listing it fails too
        number = 0
        names = os.listdir(self.folder)
        for name in names:
            if len(name) == 8 and name.endswith(".rec") and not name[:4].strip("0123456789"):
                number = max(number, int(name[:4]))
        name = "%04d.rec" % (number % LIMIT + 1)
        if name in names:
            os.remove(self.folder + "/" + name)
        return self.folder + "/" + name
