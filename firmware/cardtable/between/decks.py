"""The deck files on flash: `deck.txt`, `deck2.txt` and on, a line `UID CARD` for each tag."""

import os

from micropython import const

from cardtable.between.files import append_line, read_lines
from cardtable.engine.record import SetupError
from cardtable.table.tags import Tags

DECKS_LIMIT = 9
DECK_NUMBERS = "1 2 3 4 5 6 7 8 9".split()
_SIZES = (4, 7, 10)  # bytes of a UID
_ROW = const(10)


def deck_file(number: int) -> str:
    """The name of the file of deck 1, 2, ..."""
    return "deck%d.txt" % number if number > 1 else "deck.txt"


def list_decks() -> list:
    """The numbers of the decks that have a file."""
    names = os.listdir()
    return [number for number in range(1, DECKS_LIMIT + 1) if deck_file(number) in names]


def free_number() -> int:
    """The number of a deck that has no file yet; 0 if there are too many."""
    numbers = list_decks()
    for number in range(1, DECKS_LIMIT + 1):
        if number not in numbers:
            return number
    return 0


def uid_text(uid) -> str:
    """A UID of ten bytes, zero padded, as people read it: without the padding."""
    for size in _SIZES:
        if not any(uid[size:_ROW]):
            return "".join(["%02X" % uid[index] for index in range(size)])
    return "".join(["%02X" % uid[index] for index in range(_ROW)])


def find_owner(uid, besides: int) -> int:
    """The number of another deck that this tag belongs to, or 0. It reads files: not for every tap. SetupError if none
    of those that can be read has it, and one cannot be read."""
    wanted = uid_text(uid)
    first: SetupError | None = None
    for number in list_decks():
        if number != besides:
            try:
                if read_lines(deck_file(number), lambda lines: is_listed(lines, wanted)):
                    return number
            except SetupError as wrong:
                first = first or wrong
    if first:
        raise first
    return 0


def is_listed(lines, wanted: str) -> bool:
    """Whether that tag has one of these lines."""
    for line in lines:
        words = line.split()  # as Tags.load reads it: people write these files, too
        if words and words[0].upper() == wanted:
            return True
    return False


def add_line(number: int, line: str) -> None:
    """Append a line to the file of that deck; durable when this returns. OSError if the flash takes no more."""
    append_line(deck_file(number), line)


def remove_line(number: int, unwanted: str) -> None:
    """Take a line out of the file of that deck: a new file is written beside it, then put in its place."""
    name = deck_file(number)
    with open(name) as lines, open("deck.new", "w") as out:
        for line in lines:
            if line.rstrip() != unwanted:
                out.write(line)
    os.rename("deck.new", name)


def load_deck(number: int, tags: Tags) -> None:
    """Register the tags of that deck. SetupError."""
    read_lines(deck_file(number), tags.load)
