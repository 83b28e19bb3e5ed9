"""Finds a game by the name in its record, and lends it the names that only its set-up needs.

A device forgets this module once the game is set up.
"""

import sys

from cardtable.engine.record import SetupError
from cardtable.rooms import forget, load

# The names that a set-up needs: a device has it in a module of its own, NAME_setup (host_tools/virtual/image.py).
SET_UP = ("SEAT_RANGE", "PRESETS", "RESERVED", "OPTIONS", "NEEDS")


def find_game(name: str):
    """The module of the game of that name, loaded now. SetupError if this table has no such game."""
    module = name.replace("-", "_")
    if name and not name.strip("abcdefghijklmnopqrstuvwxyz-0123456789") and name[0] != "-":
        try:
            game = load("games", module)
        except (ImportError, AttributeError):
            game = None
        if getattr(game, "NAME", "") != name:  # there are modules here that are no game, such as a game's set-up
            raise SetupError("no game %s on this table" % name)
        if not hasattr(game, "OPTIONS"):
            lend_setup(game)
        return game
    raise SetupError("no game %s on this table" % (name or "named"))


def find_setup(name: str):
    """What has the words of SET_UP: the game's part for set-up alone where there is one, else the game. SetupError."""
    try:
        return load("games", name.replace("-", "_") + "_setup")
    except (ImportError, AttributeError):
        return find_game(name)


def name_setup(game) -> str:
    """The name of its part for set-up alone."""
    return game.NAME.replace("-", "_") + "_setup"


def lend_setup(game) -> None:
    """Lend the game the names that its set-up needs, until `forget_setup`."""
    said = load("games", name_setup(game))
    for word in SET_UP:
        setattr(game, word, getattr(said, word, None))  # RESERVED: not every game has it


def forget_setup(game) -> None:
    """Free the room of the set-up names once the game goes on, if they were lent."""
    if game.__name__ + "_setup" in sys.modules:
        forget("games." + name_setup(game), kept=())
        for word in SET_UP:
            delattr(game, word)
        forget("games." + game.NAME.replace("-", "_") + "_end_setup", kept=())  # of lean code
