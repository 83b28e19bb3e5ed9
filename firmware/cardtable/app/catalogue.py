"""Finds a game by its name, and modules that are needed for a moment: the only place where the app loads by name.

A device has no room for all of its modules at once. What nobody needs while a game goes on is loaded when it is used
and forgotten after; CPython has enough room, and its tests keep theirs.
"""

import gc
import sys

from cardtable.engine.record import SetupError


def find_game(name: str):
    """The module of the game of that name, loaded now. SetupError if this table has no such game."""
    module = name.replace("-", "_")
    if name and not name.strip("abcdefghijklmnopqrstuvwxyz-0123456789") and name[0] != "-":
        try:
            return getattr(__import__("cardtable.games." + module).games, module)
        except ImportError:
            pass
    raise SetupError("no game %s on this table" % (name or "named"))


def load(name: str):
    """A module of the app."""
    return getattr(__import__("cardtable.app." + name).app, name)


def forget(package: str, *names: str) -> None:
    """Give back the room that these modules of `app`, or all of `games`, take once nothing of theirs is in use."""
    if sys.implementation.name != "micropython":
        return
    prefix = "cardtable.%s." % package
    parent = sys.modules.get("cardtable." + package)
    for full in list(sys.modules):
        if full.startswith(prefix) and (not names or full[len(prefix) :] in names):
            del sys.modules[full]
            delattr(parent, full[len(prefix) :])
    gc.collect()
