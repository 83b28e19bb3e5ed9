"""The board's own file: what the table has measured of its wires and readers; in memory only while somebody reads it.

`learned.txt` has a line for each thing, behind `;` what was said of it, with what there is to spare. A line that makes
no sense is left out: the file is a help, and a table without it begins with the board file's values and the drivers'.
"""

from cardtable.table.readers import AWAY_MS, GARBLED_TO_TELL, MOST_AWAY_MS, MOST_GARBLED
from cardtable.table.screen import SLOW_FREQ

FILE = "learned.txt"
MOST_GAIN = 7  # of an MFRC522
_LEAST_AWAY_MS = 400  # of readers that miss nothing, such as those of a virtual table; nothing learns less than AWAY_MS


class Learned:
    """`date` in words; `halvings` of the readers' clock; `away_ms` until a card has left; `garbled` looks until a card
    is called unreadable; `freq` of the screens' bus, 0 for the board file's. For each reader, from 0, its `gains` (-1:
    as it was) and how many of a hundred looks read a card then, `reads` (-1: not measured)."""

    def __init__(self, count: int) -> None:
        self.date = ""
        self.halvings = 0
        self.away_ms = AWAY_MS
        self.garbled = GARBLED_TO_TELL
        self.freq = 0
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
        found.halvings = max(0, int(words[1]))
    elif words[0] == "away_ms":
        ms = int(words[1])
        found.away_ms = min(MOST_AWAY_MS, ms) if ms >= _LEAST_AWAY_MS else AWAY_MS
    elif words[0] == "garbled":
        found.garbled = min(MOST_GARBLED, max(GARBLED_TO_TELL, int(words[1])))
    elif words[0] == "screen":
        found.freq = SLOW_FREQ if int(words[1]) == SLOW_FREQ else 0
    elif words[0] == "reader":
        index, gain, reads = int(words[1]) - 1, int(words[3]), int(words[5])
        if 0 <= index < count and -1 <= gain <= MOST_GAIN and 0 <= reads <= 100:
            found.gains[index] = gain
            found.reads[index] = reads


def apply(readers, screen) -> None:
    """Begin with it, if the table has learned anything."""
    found = read(len(readers.chips))
    if found is None:
        return
    readers.calm_ms = found.away_ms
    for index in range(len(readers.chips)):
        readers.away_ms[index] = found.away_ms
        readers.garbled[index] = found.garbled
        if found.gains[index] >= 0:
            readers.chips[index].gain = found.gains[index]
    if found.halvings and readers.buses:
        from cardtable.between.reader_care import MOST_HALVINGS, set_clock  # here: a game's end has no room for it

        set_clock(readers, min(MOST_HALVINGS, found.halvings))
    if 0 < found.freq < screen.freq:
        screen.set_clock(found.freq, False)
