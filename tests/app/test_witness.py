"""Whether the flash has lost a game or its end: the note outside its folder against what lies there (T13)."""

import os

from cardtable.between import witness


class Flash:
    """One note and one folder."""

    def __init__(self, note, names):
        self.note = note
        self.names = names

    def open(self, name):
        if self.note is None:
            raise OSError(2)
        return self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def read(self, size):
        return self.note[:size]

    def listdir(self, folder):
        assert folder == "games"
        if self.names is None:
            raise OSError(2)
        return self.names

    def during(self, call, *arguments):
        """Call it with this flash."""
        witness.open = self.open
        witness.os = self
        try:
            return call(*arguments)
        finally:
            del witness.open
            witness.os = os


class Resumed:
    """A game that goes on."""

    def __init__(self, name, lines):
        self.name = name
        self.lines = lines


def lost(note, names=(), resumed=None):
    """What count_lost says."""
    return Flash(note, names).during(witness.count_lost, "games", resumed)


def test_t13_the_lines_that_are_missing_are_counted():
    """Lines that came after the note are no loss."""
    for lines, wanted in ((100, ("0007", 23)), (122, ("0007", 1)), (123, ("", 0)), (130, ("", 0))):
        assert lost("0007 000123\n", ["0007"], Resumed("games/0007", lines)) == wanted


def test_t13_a_game_that_lies_there_in_any_form_is_not_lost():
    """One that is nowhere is, whatever else goes on; so is all of a folder that is gone."""
    note = "0007 000123\n"
    for name in ("0007", "0007.rec", "0007.old", "0007.bad"):
        assert lost(note, ["0006.rec", name]) == ("", 0)
        assert lost(note, [name, "0008"], Resumed("games/0008", 3)) == ("", 0)
    for names in ([], ["0006.rec", "0070", "0007.tmp"], None):
        assert lost(note, names) == ("0007", 0)
    assert lost(note, ["0008"], Resumed("games/0008", 3)) == ("0007", 0)


def test_t13_without_a_note_or_with_a_spoilt_one_nothing_is_called_lost():
    """It may have been cut by a power failure, or the game is over."""
    for note in (None, "", "0007", "0007 x\n", "07 000001\n", "0007 000000\n", "0007 -00001\n", "0007 000001\nmore"):
        assert lost(note) == ("", 0), note


class Parts:
    """Takes down what is said, shown and written."""

    def __init__(self):
        self.told = []
        self.words = self.screen = self.journal = self

    def find(self, key):
        assert key == "lost"
        return "Lost:"

    def say(self, text):
        self.told.append("say " + text)

    def verdict(self, text):
        self.told.append("show " + text)

    def write(self, line):
        self.told.append("write " + line)


def test_t13_players_are_told_what_is_gone_and_the_record_says_where():
    """Of a game that is gone altogether there is no record to say it in."""
    parts = Parts()
    witness.tell_lost(parts, "0007", 23)
    assert parts.told == ["say lost: game 0007, 23 lines", "show Lost: 0007: 23",
                          "write ; lost: 23 lines before this one"]
    parts = Parts()
    witness.tell_lost(parts, "0007", 0)
    assert parts.told == ["say lost: game 0007, all of it", "show Lost: 0007"]
