"""Writes down which game was chosen at the table: the one to be played next, and the one that it proposes.

Used as a game begins and as it ends, while everything of it is in memory, so this loads nothing else.
"""

import os

from micropython import const

NEXT_FILE = "next.txt"  # a record's header: the game that was chosen, to be played at once; empty: to be asked for
LAST_FILE = "last.txt"  # another: the game that the table proposes
_SIZE = const(6)  # of what os.stat tells


def is_chosen() -> bool:
    """Whether the game that is to begin was chosen at the table."""
    return NEXT_FILE in os.listdir()


def take_next() -> None:
    """Turn the game that was chosen at the table into the one it proposes: it has begun, or cannot begin."""
    if NEXT_FILE in os.listdir():
        if os.stat(NEXT_FILE)[_SIZE]:
            os.rename(NEXT_FILE, LAST_FILE)
        else:
            os.remove(NEXT_FILE)


def write_header(name: str, header) -> None:
    """Keep what is to be played. OSError if the flash takes no more."""
    with open(name, "w") as out:
        for line in header.lines():
            out.write(line + "\n")


def choose(header) -> None:
    """Let the table play this after its next start. OSError."""
    write_header(NEXT_FILE, header)


def remember(header) -> None:
    """Let the table propose this when it asks next what to play. A power cut leaves the old file or the new
    one. OSError."""
    write_header("new.txt", header)
    os.rename("new.txt", LAST_FILE)


def ask_next(header) -> None:
    """Let the table ask what to play after its next start, and propose this. OSError."""
    remember(header)
    with open(NEXT_FILE, "w"):
        pass
