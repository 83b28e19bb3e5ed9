"""Keeps finished games, each one text: `games/0007.rec`, or `0007.old` once it was pulled.

A game that was not pulled is never removed. When a game begins or goes on, and needs room, the pulled ones go, oldest
first.
"""

import os

from micropython import const

from cardtable.between import pieces
from cardtable.engine.record import SetupError
from cardtable.record.journal import FOLDER, is_game

RECORD = ".rec"  # waits to be pulled
PULLED = ".old"  # may be removed
DAMAGED = ".bad"  # a folder of pieces that are no record: nothing here reads or removes it
ROOM_BYTES = 320 * 1024  # a game may need so much until it is one text: 870 events in pieces, and half as much again
PAGE_BYTES = 16 * 1024  # and to go on: two blocks of a page, and two for the folder that it lies in

HALF = ".tmp"  # a text that is not whole yet
_NO_SPACE = const(28)  # ENOSPC


def list_names(folder: str) -> list:
    """The names of all games and their leftovers, oldest first; an empty list if there are none."""
    try:
        return sorted([name for name in os.listdir(folder) if is_game(name)])
    except OSError:
        return []


def put_away(name: str):
    """Make one text of the pieces in the folder `name`: a generator, a step a page. Damage; OSError: all is as it was.

    Wherever the power fails in between, to do it again does the rest.
    """
    if not exists(name + RECORD) and not exists(name + PULLED):
        with open(name + HALF, "wb") as file:
            last = 0
            for page, _, data in pieces.read_pieces(name):
                if file.write(data) != len(data):
                    raise OSError(_NO_SPACE)
                if page != last:
                    last = page
                    yield
        os.rename(name + HALF, name + RECORD)
        yield
    for _ in pieces.remove(name):
        yield


def exists(name: str) -> bool:
    """Whether there is a file or folder of that name."""
    try:
        os.stat(name)
    except OSError:
        return False
    return True


def mark_pulled(name: str) -> None:
    """Mark a record that was copied: it may be removed when its room is needed. OSError."""
    os.rename(name, name[: -len(RECORD)] + PULLED)


def make_room(folder: str = FOLDER, resumed=None) -> None:
    """See that there is room for a new game, or for the rest of one that goes on: that needs a page. SetupError, and
    nothing more is removed than had to be."""
    waiting = 0
    for name in list_names(folder):
        if count_free(folder) >= ROOM_BYTES:
            return
        if name.endswith(PULLED):
            os.remove(folder + "/" + name)
        elif name.endswith(RECORD):
            waiting += 1
    free = count_free(folder)
    if resumed is None and free < ROOM_BYTES or resumed and not resumed.spares and free < PAGE_BYTES:
        raise SetupError(("no room for this game: %d records have to be pulled" if resumed else
                          "no room for a new game: %d records have to be pulled") % waiting)


def count_free(folder: str) -> int:
    """Free bytes of the flash. littlefs counts some blocks twice: of a full flash it may tell of more free blocks
    than there are."""
    try:
        told = os.statvfs(folder)
    except OSError:
        told = os.statvfs(".")
    return told[0] * told[3] if told[3] <= told[2] else 0
