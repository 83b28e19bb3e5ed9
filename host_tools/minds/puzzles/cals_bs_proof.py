"""Cal's BS: a doubt at the right price. A wrong doubt costs its seat the pile, a right one costs the other the same, so
a set is to be doubted where it is false more often than true. How often that is follows from what the seat sees, for
every rate of bluffing within the bounds below (those of C18 and of a late game); an answer is one that all rates agree
on, with a margin.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardtable.engine.deck import ACE, JOKER, RANK
from cardtable.engine.event import find_verb, pack
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games import cals_bs
from host_tools.judge.facts.cals_bs import (
    CLAIM, DECK_IS, DOUBTER, IN_HAND, LAST, LAST_SET, LEADER, PASSED, RANKS_FOLLOW, SET, STAGED, STAGES, TURNS,
)
from host_tools.minds.players.odds import chance_to_hold
from host_tools.minds.puzzles.proof import Act, Proof, option
from host_tools.sight.seen import Seen

LATE = 7  # cards in the hand before the set, or fewer: C18 says to be truthful late
BLUFFS = (0.4, 0.6)  # how many sets that could be true are not, at least and at most
BLUFFS_LATE = (0.05, 0.3)
FALSELY = (0.05, 0.3)  # how often a hand without the cards lays all the same
MARGIN = 0.1  # from even odds
_FEWEST_LEFT = 3  # cards in the hand that laid: who is nearly out is doubted at another price
_DOUBT, _PASS = pack(find_verb(cals_bs, "doubt")), pack(find_verb(cals_bs, "pass"))


def bound_lie(could: float, held: int) -> tuple[float, float]:
    """How likely a set is false, at least and at most. could: how likely its hand of `held` cards could have laid it
    truly."""
    low, high = (
        (could * bluffs + (1 - could) * falsely) / (could + (1 - could) * falsely)
        for bluffs, falsely in zip(BLUFFS_LATE if held <= LATE else BLUFFS, FALSELY, strict=True)
    )
    return low, high


def count_set(state: State, seat: int) -> tuple[int, int, int, int]:
    """(cards of the last set, cards of its hand before it, cards that the seat does not see, how many of them fit)."""
    register, where = state.register, state.where
    last, claim = register[LAST], register[CLAIM]
    hidden = [card for card in range(cals_bs.CARDS) if where[card] and where[card] not in (HAND + seat, STAGED + seat)]
    fitting = sum(RANK[card] in (claim, JOKER) for card in hidden)
    laid = register[LAST_SET]
    return laid, register[IN_HAND + last] + register[STAGES + last] + laid, len(hidden), fitting


def bound_set(state: State, seat: int) -> tuple[float, float]:
    """How likely the last set is false to the seat, by its own cards, at least and at most."""
    laid, held, hidden, fitting = count_set(state, seat)
    return bound_lie(chance_to_hold(laid, held, hidden, fitting), held)


class CalsBsProof(Proof):
    """A set of who follows, so that its rank was not chosen by its player."""

    game = cals_bs
    fewest = 2
    shows_loss = True

    def may_be(self, state: State, seat: int) -> bool:
        register = state.register
        if register[OUTCOME] or register[TURNS] or register[RANKS_FOLLOW] or register[DECK_IS] > 1:
            return False
        if register[option(cals_bs, "show")] or register[option(cals_bs, "all_pass")]:
            return False
        last = register[LAST]
        is_plain = register[CLAIM] <= ACE and last not in (0, seat, register[LEADER]) and not register[DOUBTER]
        return is_plain and not register[STAGES + seat] and not register[PASSED]

    def choices(self, seen: Seen) -> list[int]:
        """Doubt it, or let it stand."""
        return [_DOUBT, _PASS] if {_DOUBT, _PASS} <= set(seen.moves) else []

    def chosen(self, packed: int, moves: list[int]) -> int:
        """Who does anything but doubt lets it stand."""
        return _DOUBT if packed == _DOUBT else _PASS

    def values(self, state: State, seat: int, moves: list[int]) -> dict[int, int] | None:
        low, high = bound_set(state, seat)
        if low >= 0.5 + MARGIN:
            return {_DOUBT: 1, _PASS: -1}
        is_near = state.register[IN_HAND + state.register[LAST]] < _FEWEST_LEFT
        return None if is_near or high > 0.5 - MARGIN else {_DOUBT: -1, _PASS: 1}

    def answer(self, state: State, seat: int, moves: list[int]) -> int | None:
        """Only where the set was what the odds say: it is opened in the end."""
        values = self.values(state, seat, moves)
        if values is None or (values[_DOUBT] > 0) == cals_bs.is_set_true(state):
            return None
        return _DOUBT if values[_DOUBT] > 0 else _PASS

    def turn(self, state: State) -> tuple[int, list[int]]:
        return 0, []

    def play_out(self, state: State, seat: int, packed: int) -> Iterator[Act]:
        """The one act, and the set."""
        yield Act(seat, packed, state)
        yield Act(0, 0, self.after(state, seat, packed))


def opened(state: State) -> list[int]:
    """The cards of the last set."""
    return [card for card in range(cals_bs.CARDS) if state.where[card] == SET]
