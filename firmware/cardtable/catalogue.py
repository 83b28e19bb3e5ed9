"""Finds a game by its name, and modules that are needed for a moment: the only place where the app loads by name.

A device has no room for all of its modules at once. What nobody needs while a game goes on is loaded when it is used
and forgotten after; CPython has enough room, and its tests keep theirs.
"""

import gc
import sys

from cardtable.engine.record import SetupError

# What a set-up may say of a game: a device has it in a module of its own, NAME_setup (host_tools/virtual/image.py).
SET_UP = ("SEAT_RANGE", "PRESETS", "RESERVED", "RESERVED_RULE", "OPTIONS", "NEEDS")


def find_game(name: str):
    """The module of the game of that name, loaded now. SetupError if this table has no such game."""
    module = name.replace("-", "_")
    if name and not name.strip("abcdefghijklmnopqrstuvwxyz-0123456789") and name[0] != "-":
        try:
            game = getattr(__import__("cardtable.games." + module).games, module)
        except (ImportError, AttributeError):
            game = None
        if getattr(game, "NAME", "") != name:  # there are modules here that are no game, such as a game's set-up
            raise SetupError("no game %s on this table" % name)
        if not hasattr(game, "OPTIONS"):
            lend_setup(game)
        return game
    raise SetupError("no game %s on this table" % (name or "named"))


def lend_setup(game) -> None:
    """Give the game what its set-up may say, until `forget_setup`."""
    name = game.__name__ + "_setup"
    said = getattr(__import__(name).games, name.rsplit(".", 1)[1])
    for word in SET_UP:
        setattr(game, word, getattr(said, word))


def forget_setup(game) -> None:
    """The game goes on: what its set-up may say takes no room any more, where it was lent."""
    package, name = game.__name__.rsplit(".", 1)
    if sys.modules.pop(game.__name__ + "_setup", None):
        delattr(sys.modules[package], name + "_setup")
        for word in SET_UP:
            delattr(game, word)


def load(room: str, name: str):
    """That module of that room, loaded now."""
    return getattr(getattr(__import__("cardtable.%s.%s" % (room, name)), room), name)


def forget(room: str, *names: str) -> None:
    """Give back the heap that a room takes, or these modules of it. What of them still runs stays until it is done."""
    if sys.implementation.name != "micropython":
        return
    prefix = "cardtable.%s." % room
    parent = sys.modules.get("cardtable." + room)
    for full in list(sys.modules):
        if full.startswith(prefix) and (not names or full[len(prefix) :] in names):
            del sys.modules[full]
            delattr(parent, full[len(prefix) :])
    gc.collect()
