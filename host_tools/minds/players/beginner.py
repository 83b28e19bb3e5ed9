"""The beginner: plays each game as its page tells a newcomer to. Each game's play is a file beside this one.

It remembers nothing from one bout to the next, counts no cards, and plans no further than its own turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.minds.players.advised import Advised
from host_tools.minds.players.beginner_bailiff import play_bailiff
from host_tools.minds.players.beginner_cals_bs import play_cals_bs
from host_tools.minds.players.beginner_durak import play_durak
from host_tools.minds.players.beginner_malice import play_malice
from host_tools.minds.players.pace import Pace
from host_tools.minds.players.random_player import RandomPlayer
from host_tools.sight.seen import Choice, Player, Seen

Play = Callable[[Player, Seen], tuple[int, Pace] | None]
_PLAYS: dict[str, Play] = {
    bailiff.NAME: play_bailiff,
    cals_bs.NAME: play_cals_bs,
    durak.NAME: play_durak,
    malice.NAME: play_malice,
}


def has_advice(game: Any) -> bool:
    """Whether there is advice for this game."""
    return game.NAME in _PLAYS


class Beginner(Advised):
    """Knows the rules and a few pieces of advice; a game without advice is played at random."""

    name = "beginner"
    likeness = "plays as a beginner is advised to"

    def choose(self, seen: Seen) -> Choice | None:
        if not has_advice(self.game):
            return RandomPlayer.choose(self, seen)  # type: ignore[arg-type]
        return super().choose(seen)

    def advise(self, seen: Seen) -> tuple[int, Pace] | None:
        return _PLAYS[self.game.NAME](self, seen)

    is_call = RandomPlayer.is_call
