"""Finds how much of a game's result the draws brought, so that an arena can take it out and needs fewer deals.

Before each draw every card of the stock is equally likely to come. So the luck of a draw is the chance of a seat after
it less its chance before it, and on average it is 0 whatever the players do: a score without it has the same mean and
a narrower interval (the advantage sum of White and Bowling; AIVAT is its successor). The chance is the analysis' one,
all cards open. Deals need no such care: each is played in all seatings.
"""

from __future__ import annotations

from typing import Any

from cardtable.engine.state import OUTCOME, State
from cardtable.games import cals_bs
from host_tools.minds.analysis.judge import WHOLE, value_all
from host_tools.minds.players.match import Match


def has_draws(game: Any) -> bool:
    """Whether cards come by chance after the deal."""
    return game is not cals_bs


def play_and_weigh(match: Match, guesses: int) -> list[float]:
    """Play the match to its end: what the draws brought each seat, in scores. guesses: of each chance."""
    game, state = match.game, match.session.state
    luck = [0] * match.seats
    before: State | None = None  # the state in which the draws began
    is_dealt = not match.is_chance_due()
    while True:
        is_due = match.is_chance_due()
        if is_due and is_dealt and before is None:
            before = State(game.CARDS, game.REGISTERS)
            before.copy(state)
        if not is_due and before is not None:
            then, now = (weigh(game, one, match.seats, guesses) for one in (before, state))
            luck = [sum_ + new - old for sum_, old, new in zip(luck, then, now, strict=True)]
            before = None
        is_dealt = is_dealt or not is_due
        if not match.step():
            return [one / WHOLE for one in luck]


def weigh(game: Any, state: State, seats: int, guesses: int) -> list[int]:
    """The chance of each seat in millionths, all cards open."""
    copy = State(game.CARDS, game.REGISTERS)
    copy.copy(state)
    return value_all(game, copy, seats, guesses, state.register[OUTCOME] > 0)
