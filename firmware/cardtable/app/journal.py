"""Writes the record of the game to flash, a line at a time, each durable before its light; it knows no rule."""

import os

FOLDER = "games"
LIMIT = 9999  # games; the oldest make room by hand


class Journal:
    """The record of one game in the file `games/NNNN.rec`."""

    def __init__(self) -> None:
        self.name = ""
        self.faults = 0  # writes that failed: shown, retried, counted
        self._kept = ""  # lines that are not on flash yet

    def open(self, header):
        """Begin a new record with this header (engine.record.Header)."""
        try:
            os.mkdir(FOLDER)
        except OSError:
            pass
        numbers = [int(name[:4]) for name in os.listdir(FOLDER) if name.endswith(".rec") and len(name) == 8]
        self.name = "%s/%04d.rec" % (FOLDER, max(numbers or [0]) % LIMIT + 1)
        try:
            os.remove(self.name)
        except OSError:
            pass
        for line in header.lines():
            self._kept += line + "\n"
        return self.flush()

    def write(self, line: str) -> bool:
        """Append a line; True once it is durable: after the file was closed."""
        self._kept += line + "\n"
        return self.flush()

    def flush(self) -> bool:
        """Try to bring to flash whatever is not there yet."""
        try:
            with open(self.name, "a") as record:
                record.write(self._kept)
        except OSError:
            self.faults += 1
            return False
        self._kept = ""
        return True
