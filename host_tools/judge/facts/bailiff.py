"""The facts of Bailiff: its places, registers and their values by name, and what a seat sees of it."""

from __future__ import annotations

from typing import Any

# Places of cards.
from cardtable.games.bailiff import _DISCARD as DISCARD, _FRONT as FRONT, _RAISE as RAISE

# Registers: the game as it stands.
from cardtable.games.bailiff import (
    _PHASE as PHASE, _TURN as TURN, _MORE as MORE, _FRONTS as FRONTS, _FRONT_RANK as FRONT_RANK, _BEGUN as BEGUN,
    _BEGUN_RANK as BEGUN_RANK,
)

# Values of registers, and numbers of the rules.
from cardtable.games.bailiff import (
    _TO_LAY as TO_LAY, _TO_UNLAY as TO_UNLAY, _TO_TAKE as TO_TAKE, _TO_SAY_DONE as TO_SAY_DONE, _DEALING as DEALING,
    _DRAWING as DRAWING,
)
from host_tools.judge.facts.view import Table

COUNTS = 8  # of a view: the stock (0), then each hand


class BailiffTable(Table):
    """The stack of Bailiff."""

    def __init__(self, seen: Any) -> None:
        super().__init__(seen, COUNTS)
        self.stock = self.counts[0]
        self.held = [self.counts[seat] if seat else 0 for seat in range(8)]
        self.front = self.at(FRONT)  # the top cards
        self.begun = self.at(RAISE)  # a raise that is not complete
        self.is_one_more = self.register[MORE] > 0
