"""The novice: an easy opponent. It follows the beginner's advice, but forgets it once in three times."""

from __future__ import annotations

from typing import Any

from host_tools.minds.players.beginner import Beginner, has_advice
from host_tools.minds.players.random_player import RandomPlayer
from host_tools.sight.seen import Choice, Seen

_FORGETS_ONE_IN = 3


class Novice(Beginner):
    """Plays a third of its moves at random, the others as the beginner does."""

    name = "novice"
    likeness = ""

    @classmethod
    def plays(cls, game: Any) -> bool:
        return has_advice(game)

    def choose(self, seen: Seen) -> Choice | None:
        if self.chance("novice", seen.moment_ms, seen.view).below(_FORGETS_ONE_IN):
            return super().choose(seen)
        return RandomPlayer.choose(self, seen)  # type: ignore[arg-type]
