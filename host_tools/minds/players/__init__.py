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

HERE = Path(__file__).parent
LEVELS = {"easy": "novice", "fair": "beginner", "strong": "search"}  # by measured strength, in each game


@functools.cache
def all_players() -> dict[str, type[Player]]:
    """Every player of this folder by its name, in the order of the names."""
    found: dict[str, type[Player]] = {}
    for file in sorted(HERE.glob("[a-z]*.py")):
        for name, player in players_of(file.stem).items():
            assert name not in found, f"two players are called {name}"
            found[name] = player
    return dict(sorted(found.items()))


def players_of(stem: str) -> dict[str, type[Player]]:
    """The players of that file of this folder."""
    module = importlib.import_module(f"{__name__}.{stem}")
    own = [thing for thing in vars(module).values() if getattr(thing, "__module__", "") == module.__name__]
    return {thing.name: thing for thing in own
            if isinstance(thing, type) and issubclass(thing, Player) and thing.name}


def _players_at_once(name: str) -> dict[str, type[Player]]:
    """Those of the file that has that name, if there is one: a page's first card does not wait for the others."""
    has_file = name.isidentifier() and name[0].islower() and (HERE / f"{name}.py").is_file()
    return players_of(name) if has_file else {}


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
    plain, colon, setting = name.partition(":")
    plain = LEVELS.get(plain, plain)
    players = _players_at_once(plain)
    if plain not in players:
        players = all_players()
    if plain not in players:
        raise UnusableInput(f"no player is called {name or 'nothing'}; there are: {', '.join(players)}")
    return players[plain].with_setting(setting) if colon or players[plain].needs_setting else players[plain]
