"""The facts of Malice: its places, registers and their values by name, and what a seat sees of it."""

from __future__ import annotations

from typing import Any

from cardtable.games import malice

# Places of cards.
from cardtable.games.malice import _PAYOFF as PAYOFF, _TURNED as TURNED, _CENTRE as CENTRE

# Registers: the game as it stands.
from cardtable.games.malice import (
    _PHASE as PHASE, _TURN as TURN, _DRAWING as DRAWING, _SPENT as SPENT, _WINNER as WINNER, _LEFT as LEFT,
    _UNDER as UNDER, _HEIGHTS as HEIGHTS, _UP as UP,
)

# Values of registers, and numbers of the rules.
from cardtable.games.malice import (
    _PLAY as PLAY, _NOTHING as NOTHING, _PILES as PILES, _NOBODY_WON as NOBODY_WON, _HEIGHT as HEIGHT,
)
from host_tools.judge.facts.view import Table

COUNTS = 5  # of a view: four hands, the stock


class MaliceTable(Table):
    """The piles of Malice."""

    def __init__(self, seen: Any) -> None:
        super().__init__(seen, COUNTS)
        self.heights = [self.register[HEIGHTS + pile] for pile in range(1, 5)]
        self.next = seen.seat % seen.seats + 1  # who plays next, and would gain by a pile near its payoff card

    def turned(self, seat: int) -> int:
        """The card that lies face up on the seat's payoff pile; -1 if none does."""
        return self.state.where.find(TURNED + seat)

    def side(self, seat: int, pile: int) -> list[int]:
        """A side pile (1..4) of the seat, from its top down."""
        cards = []
        card = malice.side_top(self.state, seat, pile)
        while card != NOTHING:
            cards.append(card)
            card = self.register[UNDER + card]
        return cards

    def height(self, card: int) -> int:
        """M1: from the ace, 1, to the king, 13; 0: a joker, or whatever else is wild (M13)."""
        return 0 if malice.is_wild(self.register, card) else HEIGHT[card]

    def is_hand_card(self, card: int) -> bool:
        """Whether the card is in this seat's hand, and not on a pile."""
        return card in self.seen.hand
