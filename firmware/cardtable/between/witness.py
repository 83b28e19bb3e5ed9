"""Finds out whether the flash has lost a game, or its end; record.journal writes the note that this compares.

littlefs checks what it writes, and takes a page whose newest part is spoilt for an older one: the record is shorter
then, and looks whole. So the game and how many lines it had in the last calm moment stand in a file elsewhere.
"""

import os

from micropython import const

from cardtable.record.journal import WITNESS

_SIZE = const(12)  # `0007 000123` and its end
_TEXTS = ("", ".rec", ".old", ".bad")


def read() -> tuple:
    """(number of the game as text, its lines); ("", 0) if no game under way is noted."""
    try:
        with open(WITNESS) as file:
            game, lines = file.read(_SIZE + 1).split()
        if len(game) == 4 and int(lines) > 0:
            return game, int(lines)
    except (OSError, ValueError):
        pass
    return "", 0


def count_lost(folder: str, resumed) -> tuple:
    """(number, lines) of what has been lost; ("", 0) if nothing is known to be missing.

    resumed: the between.resume.Resumed that goes on, or None; lines 0: the whole game is gone.
    """
    game, lines = read()
    if not game:
        return "", 0
    if resumed is not None and resumed.name[-4:] == game:
        return (game, lines - resumed.lines) if resumed.lines < lines else ("", 0)
    try:
        names = os.listdir(folder)
    except OSError:
        names = []
    return ("", 0) if [end for end in _TEXTS if game + end in names] else (game, 0)


def tell_lost(parts, game: str, lines: int) -> None:
    """Say that the flash has lost a game, or its last lines (0: all of them); players know best what was in them."""
    parts.say("lost: game %s, %s" % (game, "%d lines" % lines if lines else "all of it"))
    parts.screen.verdict("%s %s" % (parts.words.find("lost"), game + (": %d" % lines if lines else "")))
    if lines:
        parts.journal.write("; lost: %d lines before this one" % lines)
