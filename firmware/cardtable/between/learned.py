"""The board's own file: what the table has measured of its wires and readers; in memory only while somebody reads it.

`learned.txt` has a line for each thing, and a line that makes no sense is left out: the file is a help, and a table
without it begins with the board file's values and those of the drivers.
"""

import os

from cardtable.between.reader_care import MOST_HALVINGS, set_clock
from cardtable.table.readers import AWAY_MS, MOST_AWAY_MS

FILE = "learned.txt"
_NEW = "learned.tmp"
MOST_GAIN = 7  # of an MFRC522
_LEAST_AWAY_MS = 400  # of readers that miss nothing, such as those of a virtual table; nothing learns less than AWAY_MS


class Learned:
    """`date` in words; `halvings` of the readers' clock; `away_ms` until a card has left; for each reader, from 0, its
    `gains` (-1: as it was) and how many of a hundred looks read a card then, `reads` (-1: not measured)."""

    def __init__(self, count: int) -> None:
        self.date = ""
        self.halvings = 0
        self.away_ms = AWAY_MS
        self.gains = [-1] * count
        self.reads = [-1] * count


def read(count: int) -> "Learned | None":
    """What the file says of so many readers; None: there is no such file."""
    found = Learned(count)
    try:
        with open(FILE) as lines:
            for line in lines:
                try:
                    _take(found, line.split(), count)
                except (ValueError, IndexError):
                    pass
    except (OSError, UnicodeError):
        return None
    return found


def _take(found: Learned, words: list, count: int) -> None:
    """One line. ValueError, IndexError: it makes no sense."""
    if words[0] == "date":
        found.date = words[1][:10]
    elif words[0] == "halvings":
        found.halvings = min(MOST_HALVINGS, max(0, int(words[1])))
    elif words[0] == "away_ms":
        ms = int(words[1])
        found.away_ms = min(MOST_AWAY_MS, ms) if ms >= _LEAST_AWAY_MS else AWAY_MS
    elif words[0] == "reader":
        index, gain, reads = int(words[1]) - 1, int(words[3]), int(words[5])
        if 0 <= index < count and -1 <= gain <= MOST_GAIN and 0 <= reads <= 100:
            found.gains[index] = gain
            found.reads[index] = reads


def write(found: Learned) -> None:
    """Put it on the flash, whole or not at all. OSError."""
    with open(_NEW, "w") as file:
        file.write("date %s\nhalvings %d\naway_ms %d\n" % (found.date or "unknown", found.halvings, found.away_ms))
        for index in range(len(found.reads)):
            if found.reads[index] >= 0:
                file.write("reader %d gain %d reads %d\n" % (index + 1, found.gains[index], found.reads[index]))
    os.rename(_NEW, FILE)


def apply(readers) -> None:
    """Begin with it, if the table has learned anything."""
    found = read(len(readers.chips))
    if found is None:
        return
    readers.calm_ms = found.away_ms
    for index in range(len(readers.chips)):
        readers.away_ms[index] = found.away_ms
        if found.gains[index] >= 0:
            readers.chips[index].gain = found.gains[index]
    if found.halvings and readers.buses:
        set_clock(readers, found.halvings)
