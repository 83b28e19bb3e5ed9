"""Writes the record of the game to flash, a line at a time, each durable before its light.

The record of a game that is being played lies in pieces, `games/0007/PAGE/PIECE`, in the order of these numbers
(between.pieces reads it). A piece is so short that littlefs keeps it among the data of its folder, the page, and adds
to these without an erase, which appending to one long file needs for each event. A page is left before its block is
full, and the next ones are prepared when a stall of 45 ms does no harm. docs/benchmarks.md compares the other ways.

A line is durable when its piece has been closed. What could not be written is kept and tried again, behind whatever of
it had come to flash: no line is lost, and none is written twice.
"""

import os

from micropython import const

from cardtable.rooms import load

FOLDER = "games"
WITNESS = "last_game.txt"  # `0007 000123`: how far the last game had come, kept outside its folder (between.witness)
LIMIT = 9999  # games; then the numbers begin again, where they are free
SPARES = 3  # pages ready beside the one in use: each holds about 35 events of a stretch in which nothing may stall
WHOLE = 120  # bytes that are written at once and all or not at all: littlefs keeps up to 128 beside its own

_PIECE = const(60)  # bytes: a piece that has more is not added to, for all of it would be written again
_BLOCK = const(4096)  # bytes of the block that a page has for itself
# Littlefs writes this beside the bytes of a piece (its SPEC.md: tags, time, checksums), in units of 32 bytes; that this
# is never too little is held by tests/host_tools/test_cuts.py.
_EMPTY = const(96)  # a page without a piece
_NEW = const(64)  # a new piece
_TAGS = const(36)  # beside the bytes of a piece
_UNIT = const(32)

_SIZE = const(6)  # of what os.stat tells
_NO_SPACE = const(28)  # ENOSPC
_EXISTS = const(17)  # EEXIST


class Journal:
    """The record of one game, from its header or from where it was when the power failed."""

    def __init__(self, folder: str = FOLDER) -> None:
        """folder: where the records lie; it is made if it is not there."""
        self.folder = folder
        self.faults = 0  # writes that failed: shown, retried, counted
        self.late = 0  # pages that were not prepared: an erase while an event waited for it
        self._has_failed = False
        self.go_on("", -1, 0)

    def open(self, header) -> bool:
        """Begin a new record with this header (engine.record.Header); True once it is durable."""
        self.go_on("", -1, 0)
        return self.write("\n".join(header.lines()))

    def go_on(self, name: str, page: int, spares: int) -> None:
        """Write behind what lies in the folder `name`, whose last page with a piece is `page`, with empty ones behind.

        A page that the power left in the midst of a write takes no more without an erase, so the next one is begun.
        """
        self.name = name  # the folder of this game; empty: there is none yet
        self.spares = spares  # pages that are ready
        self._page = page
        self._length = _PIECE  # durable bytes of the piece
        self._piece = -1  # of the old page none is written on: nothing of what failed can lie there
        self._room = 0  # bytes that the page's block still takes
        self._kept = b""  # bytes that are not on flash yet

    def write(self, line: str) -> bool:
        """Append a line, or several; True once they are durable."""
        self.keep(line)
        return self.flush()

    def keep(self, line: str) -> None:
        """Append a line, or several, which `flush` brings to flash."""
        self._kept += line.encode() + b"\n"

    def is_durable(self) -> bool:
        """Whether everything that was written is on flash."""
        return not self._kept

    def flush(self) -> bool:
        """Try to write all lines that are not on flash yet."""
        try:
            if not self.name:
                self.name = make_game(self.folder)
            elif self._has_failed:
                self.skip_written()
            while self._kept:
                self.write_piece()
        except OSError:
            self.faults += 1
            self._has_failed = True
            return False
        self._has_failed = False
        return True

    def prepare(self) -> bool:
        """Make one of the spare pages that are missing, an erase, for a calm moment. False if it made none."""
        if not self.name or self._kept or self.spares >= SPARES:
            return False
        try:
            make_folder("%s/%d" % (self.name, self._page + 1 + self.spares))
        except OSError:
            self.faults += 1
            return False
        self.spares += 1
        return True

    def witness(self, lines: int) -> bool:
        """Note outside the game's folder that it has at least so many lines; 0: it is over. It may erase a block, so it
        is for a calm moment. It always has the same length."""
        try:
            with open(WITNESS, "w") as file:
                file.write("%s %06d\n" % (self.name[-4:], lines))
        except OSError:
            self.faults += 1
            return False
        return True

    def counts(self) -> str:
        """The counts of faults on flash, for readers of the record."""
        return "%d pages late, %d faults" % (self.late, self.faults)

    def put_away(self):
        """Make one text of the record, which has its result: a generator, a step a page (between.archive)."""
        return load("between", "archive").put_away(self.name)  # which no table holds while a game is played

    def write_piece(self) -> None:
        """Bring the first of the kept bytes to flash: all of them if they are not more than WHOLE."""
        size = len(self._kept)
        cost = cost_of(self._length + size)
        if not self._length or self._length + size > _PIECE or cost > self._room:
            size = min(size, WHOLE)
            cost = _NEW + cost_of(size)
            if cost > self._room:
                self.turn_page()
            elif self._length:
                self._piece += 1
                self._length = 0
        self._room -= cost
        with open(self.piece_name(), "ab") as piece:
            if piece.write(self._kept[:size]) != size:
                raise OSError(_NO_SPACE)
        self._length += size
        self._kept = self._kept[size:]

    def turn_page(self) -> None:
        """Go to the next page; OSError if it has to be made and cannot."""
        if self.spares:
            self.spares -= 1
        else:
            make_folder("%s/%d" % (self.name, self._page + 1))
            self.late += self._page >= 0
        self._page += 1
        self._piece = 0
        self._length = 0
        self._room = _BLOCK - _EMPTY

    def skip_written(self) -> None:
        """A write that failed may have left a part of its bytes."""
        try:
            written = max(0, os.stat(self.piece_name())[_SIZE] - self._length)
        except OSError:
            return  # not even the file is there
        self._length += written
        self._kept = self._kept[written:]

    def piece_name(self) -> str:
        """The file of the piece that is written."""
        return "%s/%d/%d" % (self.name, self._page, self._piece)


def cost_of(size: int) -> int:
    """Bytes of a page's block that writing a piece takes, when it is then so long."""
    return (size + _TAGS + _UNIT - 1) // _UNIT * _UNIT


def make_folder(name: str) -> None:
    """OSError if it is not there in the end."""
    try:
        os.mkdir(name)
    except OSError as error:
        if error.args[0] != _EXISTS:
            raise


def make_game(folder: str) -> str:
    """The folder of a new game, under the number after the highest one there is. OSError."""
    make_folder(folder)
    numbers = [int(name[:4]) for name in os.listdir(folder) if is_game(name)]
    number = max(numbers + [0]) + 1
    if number > LIMIT:
        number = 1
        while number in numbers:
            number += 1
    name = "%s/%04d" % (folder, number)
    os.mkdir(name)
    return name


def is_game(name: str) -> bool:
    """Whether a file or folder of that name has to do with a game: `0007`, `0007.rec`, `0007.old`."""
    return len(name) >= 4 and not name[:4].strip("0123456789") and name[4:5] in ("", ".")
