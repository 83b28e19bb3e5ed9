"""Tells which kind of virtual player somebody plays like.

At each decision we ask a player of every kind: what would you do in this seat, knowing what it knew?
We assume that a person of a kind makes its choice three times of four, and otherwise any other at random. A kind is
named only if it explains the decisions nineteen times as well as all other kinds and pure chance together (Bayes'
rule, all equally likely before). Which cards a seat happened to hold does not count.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from cardtable.catalogue import find_game
from host_tools.minds.players import all_players
from host_tools.sight.seen import Player, Seen

_KEEPS = 0.75  # in so many decisions a person of a kind does as the kind would
_SURE = 0.95
_CHANCE = ""  # the kind that plays at random


class Likeness:
    """What one player of one game has decided, beside what players of each kind would have."""

    def __init__(self, game: Any) -> None:
        kinds = {name: player for name, player in all_players().items() if player.likeness and player.plays(game)}
        self.kinds = kinds if len(kinds) > 1 else {}  # a single kind has nothing to be compared with
        self.game = game
        self.decisions = 0
        self.alike: Counter[str] = Counter()  # decisions in which the kind would have done the same
        self._odds = dict.fromkeys((*self.kinds, _CHANCE), 0.0)  # logarithms
        self._asked: dict[tuple[str, int, int], Player] = {}

    def add(self, seen: Seen, played: Any, count: int) -> None:
        """One decision: what the seat knew, the packed move that it played, and how many there were."""
        if not self.kinds or not isinstance(played, int):  # a set of Cal's BS is laid in several moves
            return
        self.decisions += 1
        rest = (1 - _KEEPS) / count
        self._odds[_CHANCE] -= math.log(count)
        for name in self.kinds:
            choice = self._ask(name, seen)
            is_alike = choice is not None and choice.packed == played
            self.alike[name] += is_alike
            self._odds[name] += math.log(rest + _KEEPS * is_alike)

    def _ask(self, name: str, seen: Seen) -> Any:
        """What a player of that kind would do."""
        key = name, seen.seat, seen.seats
        if key not in self._asked:
            self._asked[key] = self.kinds[name](self.game, seen.seat, seen.seats, 0)
        return self._asked[key].choose(seen)

    def __getstate__(self) -> dict[str, Any]:
        """For another process: a module and players cannot go there."""
        return {**vars(self), "game": self.game.NAME, "kinds": list(self.kinds), "_asked": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        known = all_players()
        vars(self).update(state, game=find_game(state["game"]), kinds={name: known[name] for name in state["kinds"]})

    def add_up(self, other: Likeness) -> None:
        """What the same player has decided in other games."""
        self.decisions += other.decisions
        self.alike += other.alike
        for name, odds in other._odds.items():
            self._odds[name] += odds

    def forget_game(self) -> None:
        """The next decisions are those of another game."""
        self._asked.clear()

    def kind(self) -> str:
        """The name of the player that it plays like; empty: none is likely enough."""
        most = max(self._odds.values())
        weights = {name: math.exp(odds - most) for name, odds in self._odds.items()}
        best = max(sorted(weights), key=weights.__getitem__)
        return best if weights[best] >= _SURE * sum(weights.values()) else ""

    def words(self) -> str:
        """`collects trumps`, or nothing."""
        kind = self.kind()
        return self.kinds[kind].likeness if kind else ""
