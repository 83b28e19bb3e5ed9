"""Writes down a bug and how the table stood, and counts how often the same one has come.

A bug ends in a reset into the same game. One that comes back at once would loop forever, so after TRIES the table
stops and says so, until it is switched off and on. This module is not in memory while all is well.
"""

import os
import sys

from micropython import const

from cardtable.between.files import FILE_LIMIT
from cardtable.engine.record import SetupError, write_event

BUG_FILE = "bug.txt"  # of the last bug alone, so it stays small; it may hold secrets of the game, and is on no wire
TRIES = 3  # resets for the same bug until the table is switched off and on
POWER = "power"  # the cause of a start that sets the count back

_NEW = "bug.new"
_SIZE = const(6)  # of what os.stat tells
_MARK = "what happened:\n"


def write_down(boot: str, controller, bug) -> int:
    """How often in a row this bug has come now. OSError if the flash takes nothing.

    boot: why the table was started; controller: play.controller.Controller or None; bug: an exception, or a text.
    """
    old = read_text(BUG_FILE)
    with open(_NEW, "w") as file:
        file.write("bugs: %d\n" % (find_number(old, "bugs: ") + 1))
        file.write("boot: %s\n" % boot)
        if controller is not None:
            session = controller.session
            file.write("game: %s\n" % [value for key, value in controller.header.keys if key == "game"][0])
            file.write("event: %s\n" % write_event(session.game, controller.judging.event))
        file.write(_MARK)
        if controller is not None:
            file.write("state: %s\n" % session.state.save().hex())
        print_bug(bug, file)
    tries = 1
    if boot != POWER and happened(read_text(_NEW)) == happened(old):
        tries += find_number(old, "tries: ")
    with open(_NEW, "a") as file:
        file.write("tries: %d\n" % tries)
    os.rename(_NEW, BUG_FILE)
    return tries


def count_bugs() -> int:
    """How many bugs have been written down on this flash."""
    return find_number(read_text(BUG_FILE), "bugs: ")


def print_bug(bug, file) -> None:
    """An exception with its traceback, where the interpreter can print one into a file."""
    if isinstance(bug, str):
        file.write(bug + "\n")
    elif hasattr(sys, "print_exception"):
        sys.print_exception(bug, file)
    else:
        file.write("%s: %s\n" % (type(bug).__name__, bug))


def happened(text: str) -> str:
    """The part of a file that tells one bug from another, and from the same bug after the game has gone on."""
    return text.partition(_MARK)[2].partition("tries: ")[0]


def find_number(text: str, key: str) -> int:
    """The number behind the key; 0 if there is none."""
    digits = text.partition(key)[2].partition("\n")[0]
    return int(digits) if digits and not digits.strip("0123456789") else 0


def read_text(name: str) -> str:
    """The file as far as it can be used; empty if there is none, or if it is no text any more."""
    try:
        size = os.stat(name)[_SIZE]  # MicroPython takes as much memory as it is told to read, and little may be left
        with open(name) as file:
            return file.read(min(size, FILE_LIMIT))
    except (OSError, UnicodeError):
        return ""


def check_loop(boot: str, words) -> None:
    """SetupError if the same bug has come so often that the table gives up. words: table.words.Words."""
    if boot != POWER and find_number(read_text(BUG_FILE), "tries: ") >= TRIES:
        raise SetupError(words.find("bug"))
