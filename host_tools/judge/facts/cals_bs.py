"""The facts of Cal's BS: its places, registers and their values by name, and what a seat sees of it."""

from __future__ import annotations

from typing import Any

from cardtable.engine.deck import ACE
from cardtable.engine.event import find_verb
from cardtable.engine.state import read_long
from cardtable.games import cals_bs

# Places of cards.
from cardtable.games.cals_bs import _DISCARD as DISCARD, _PILE as PILE, _SET as SET, _STAGED as STAGED

# Registers: options.
from cardtable.games.cals_bs import (
    _DECK_IS as DECK_IS, _NO_EXTRAS as NO_EXTRAS, _RANKS_FOLLOW as RANKS_FOLLOW, _RISING as RISING, _ROUND as ROUND,
    _TURNS as TURNS, _DISCARDS as DISCARDS, _PLACES as PLACES_GO_ON,
)

# Registers: the game as it stands.
from cardtable.games.cals_bs import (
    _LEADER as LEADER, _LAST as LAST, _CLAIM as CLAIM, _PLUS as PLUS, _PASSED as PASSED,
    _LAID_MS as LAID_MS, _DOUBTER as DOUBTER, _FOURS_RANK as FOURS_RANK, _IN_HAND as IN_HAND, _STAGES as STAGES,
    _PILED as PILED, _LAST_SET as LAST_SET, _GONE as GONE,
)

# Values of registers, and numbers of the rules.
from cardtable.games.cals_bs import _A_JOKER as A_JOKER, _HIGHER as HIGHER, _FOURS as FOURS, _SEVERAL as SEVERAL
from host_tools.judge.facts.view import Table

COUNTS = 18  # of a view: the pile (0), the last set (1), then of each seat what it holds and what it has staged


class CalsBsTable(Table):
    """The claims of Cal's BS, and how many cards lie where."""

    def __init__(self, seen: Any) -> None:
        super().__init__(seen, COUNTS)
        register = self.register
        self.pile = self.counts[0]
        self.laid = self.counts[1]  # cards of the last set
        self.held = [self.counts[2 * seat] + self.counts[2 * seat + 1] for seat in range(8)]  # staged ones count
        self.leader = register[LEADER]
        self.last = register[LAST]  # the seat that laid the last set; 0: the leader has to lay
        self.claim = register[CLAIM]  # a rank, or one of the three that follow
        self.is_fours = self.claim == FOURS
        self.is_joker_claimed = self.claim == A_JOKER
        self.is_higher = self.claim == HIGHER
        self.plus = register[PLUS]
        self.laid_ms = read_long(register, LAID_MS)
        self.of_a_kind = cals_bs.count_of_a_kind(self.state)
        self.limit = cals_bs.set_limit(self.state)
        self.plus_is_higher = cals_bs.plus_limit(self.state) > 1
        self.ranks = [rank for rank in range(ACE + 1) if cals_bs.has_rank(self.state, rank)]
        self.staged = self.at(STAGED + seen.seat)
        self.has_extras = not register[NO_EXTRAS]  # all fours, plus and going out (C23)
        self.must_lay = register[TURNS] >= ROUND  # C5: nobody passes
        self.is_bound = is_bound(register)
        self.is_rising = register[RANKS_FOLLOW] == RISING
        self.claims: list[int] = []  # the ranks that this seat could claim now
        cals_bs.choices(self.state, seen.seat, find_verb(cals_bs, "claim"), self.claims)


def is_bound(register: bytearray) -> bool:
    """C5, C19: whether all have to lay, or other ranks follow: Cheat and Ne veryu, not Cal's BS."""
    return register[TURNS] >= ROUND or register[RANKS_FOLLOW] > 0
