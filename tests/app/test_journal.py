"""The journal on a flash that fails: a line is durable or it is kept; none is lost, none is there twice (T9, T13)."""

import os

from cardtable.app import journal as journal_module
from cardtable.app.journal import Journal
from cardtable.engine.record import read_header

HEADER = ["cardtable 1\n", "game: durak\n", "seats: Anna; Борис\n", "dealer: 2\n", "\n"]
TEXT = "".join(HEADER)


class Flash:
    """Files in a dict, and the two names of the journal's that reach a flash; `room` is how many bytes still fit."""

    def __init__(self, files=None):
        self.files = files if files is not None else {"games": None}
        self.room = 10_000
        self.closed = 0

    def open(self, name, mode):
        assert mode == "ab"
        if not self.room and name not in self.files:
            raise OSError(28)
        self.files.setdefault(name, b"")
        return File(self, name)

    def stat(self, name):
        if name not in self.files:
            raise OSError(2)
        return (0, 0, 0, 0, 0, 0, len(self.files[name]))

    def mkdir(self, name):
        if name in self.files or not self.room:
            raise OSError(17)
        self.files[name] = None

    def listdir(self, folder):
        if folder not in self.files:
            raise OSError(2)
        return [name[len(folder) + 1 :] for name in self.files if name.startswith(folder + "/")]

    def remove(self, name):
        del self.files[name]


class File:
    """What fits is written before the error, as a full disk does it."""

    def __init__(self, flash, name):
        self.flash = flash
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.flash.closed += 1

    def write(self, data):
        fits = min(len(data), self.flash.room)
        self.flash.files[self.name] += data[:fits]
        self.flash.room -= fits
        if fits < len(data) and fits % 2:
            raise OSError(28)
        return fits  # a short count, and no error: MicroPython's files may do that too


def with_flash(flash, play):
    """Call play(journal) with the journal on that flash."""
    journal_module.open = flash.open
    journal_module.os = flash
    try:
        play(Journal("games"))
    finally:
        del journal_module.open
        journal_module.os = os


def begin(journal):
    """Open a record with the header above."""
    return journal.open(read_header(iter(HEADER))[0])


def test_the_journal_is_a_record_and_each_line_is_closed():
    """Header, empty line, events; after each line the file is closed, which is what makes it durable."""
    flash = Flash({})

    def play(journal):
        assert begin(journal) and journal.is_durable() and flash.closed == 1
        assert journal.write("0.1 1 draw 6S") and flash.closed == 2
        assert journal.write("0.2 2 draw 7S ! T3") and flash.closed == 3

    with_flash(flash, play)
    assert flash.files["games/0001.rec"].decode() == TEXT + "0.1 1 draw 6S\n0.2 2 draw 7S ! T3\n"


def test_each_game_has_the_next_number():
    """Beside whatever else lies there; behind the last number the first one comes again."""
    flash = Flash({"games": None, "games/0041.rec": b"", "games/abcd.rec": b"", "games/notes.txt": b""})
    with_flash(flash, begin)
    assert flash.files["games/0042.rec"].decode() == TEXT
    flash = Flash({"games": None, "games/9999.rec": b"", "games/0001.rec": b"of long ago"})
    with_flash(flash, begin)
    assert flash.files["games/0001.rec"].decode() == TEXT
    flash = Flash({"games": None, "games/9999.rec": b""})
    with_flash(flash, begin)
    assert flash.files["games/0001.rec"].decode() == TEXT


def test_t13_wherever_the_flash_is_full_nothing_is_lost_and_nothing_is_twice():
    """A write may leave any part of its bytes behind: the rest follows once there is room."""
    whole = TEXT + "0.1 1 draw 6S\n0.2 2 draw 7S\n"
    for room in range(len(whole.encode())):
        flash = Flash({"games": None})
        flash.room = room

        def play(journal, flash=flash):
            results = [begin(journal), journal.write("0.1 1 draw 6S"), journal.write("0.2 2 draw 7S")]
            assert False in results and not journal.is_durable() and journal.faults == results.count(False)
            assert not journal.flush()
            flash.room = 7
            assert journal.flush() == journal.is_durable()
            flash.room = 1000
            assert journal.flush() and journal.is_durable()

        with_flash(flash, play)
        assert flash.files["games/0001.rec"].decode() == whole, room


def test_t13_no_folder_and_no_room_for_one():
    """Even then lines are kept, and the record is whole in the end."""
    flash = Flash({})
    flash.room = 0

    def play(journal):
        assert not begin(journal) and not journal.write("0.1 1 draw 6S")
        flash.room = 1000
        assert journal.flush()

    with_flash(flash, play)
    assert flash.files["games/0001.rec"].decode() == TEXT + "0.1 1 draw 6S\n"
