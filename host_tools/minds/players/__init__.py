"""Virtual players: one file each, found by being there; this file owns how a player is found by its name.

A player is a class with a `name` of its own, in any file of this folder. It sees the table through `seen.Seen` alone.
"""

from __future__ import annotations

import functools
import importlib
from pathlib import Path
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.sight.seen import Player

LEVELS = {"easy": "novice", "fair": "beginner", "strong": "search"}  # by measured strength, in each game


@functools.cache
def all_players() -> dict[str, type[Player]]:
    """Every player of this folder by its name, in the order of the names."""
    found: dict[str, type[Player]] = {}
    for file in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        module = importlib.import_module(f"{__name__}.{file.stem}")
        own = [thing for thing in vars(module).values() if getattr(thing, "__module__", "") == module.__name__]
        for thing in own:
            if isinstance(thing, type) and issubclass(thing, Player) and thing.name:
                assert thing.name not in found, f"two players are called {thing.name}"
                found[thing.name] = thing
    return dict(sorted(found.items()))


def list_players(game: Any) -> list[str]:
    """The names of the players that play this game (its module)."""
    return [name for name, player in all_players().items() if player.plays(game)]


def list_levels(game: Any) -> list[tuple[str, str]]:
    """(level, player) of this game, the easiest first; one without a player of its own level is left out."""
    names = list_players(game)
    return [(level, player) for level, player in LEVELS.items() if player in names]


def find_player(name: str) -> type[Player]:
    """The class of the player of that name, or of that level; behind a colon stands its setting, as in `search:50ms`.

    UnusableInput names those that there are.
    """
    players = all_players()
    plain, colon, setting = name.partition(":")
    plain = LEVELS.get(plain, plain)
    if plain not in players:
        raise UnusableInput(f"no player is called {name or 'nothing'}; there are: {', '.join(players)}")
    return players[plain].with_setting(setting) if colon or players[plain].needs_setting else players[plain]
