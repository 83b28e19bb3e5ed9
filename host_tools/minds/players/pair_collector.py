"""The collector of pairs (D48): keeps cards of one rank together to attack with, and beats with single ones."""

from __future__ import annotations

from host_tools.minds.players.durak_kind import TRUMP_COST, DurakKind, count_rank
from host_tools.minds.players.habits import PAIRS
from host_tools.judge.facts.durak import DurakTable
from host_tools.sight.seen import Seen

_PAIR = 6  # a card that stands alone is so much cheaper to beat with


class PairCollector(DurakKind):
    """The hardest opponent, says the source."""

    name = PAIRS
    likeness = "collects pairs"

    def lead_worth(self, card: int, seen: Seen, table: DurakTable) -> float:
        return table.cost(card) - (_PAIR * (count_rank(card, seen) - 1) if not table.is_trump(card) else 0)

    def cover_cost(self, card: int, seen: Seen, table: DurakTable) -> float:
        return table.cost(card) + (_PAIR if count_rank(card, seen) > 1 else 0)

    def throws(self, card: int, table: DurakTable) -> bool:
        return table.cost(card) < TRUMP_COST - 8 or super().throws(card, table)
