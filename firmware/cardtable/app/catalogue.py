"""Finds a game by its name: the only place where the app reaches a game's module. It knows no game."""

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
