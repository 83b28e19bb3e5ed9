"""Finds a game by its name: the only place where the app reaches a game's module. It knows no game."""

from cardtable.engine.setup import SetupError


def find_game(name: str):
    """The module of the game of that name, loaded now. SetupError if this table has no such game."""
    module = name.replace("-", "_")
    if module and not module.strip("abcdefghijklmnopqrstuvwxyz_0123456789") and module[0] != "_":
        try:
            return getattr(__import__("cardtable.games." + module).games, module)
        except ImportError:
            pass
    raise SetupError("no game %s on this table" % (name or "named"))
