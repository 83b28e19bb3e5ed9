"""The attacker with small cards (D48): heaps them on the defender early, and fights to keep the attack."""

from __future__ import annotations

from cardtable.engine.deck import RANK
from host_tools.minds.players.durak_kind import TEN, DurakKind, count_rank
from host_tools.minds.players.habits import SMALL
from host_tools.judge.facts.durak import DurakTable
from host_tools.sight.seen import Seen


class SmallAttacker(DurakKind):
    """Leads the small rank that it has most of, throws in every small card, and beats to get the lead."""

    name = SMALL
    likeness = "attacks with small cards"

    def hoards(self, card: int, table: DurakTable) -> bool:
        return False  # it wants the initiative, whatever that costs

    def lead_worth(self, card: int, seen: Seen, table: DurakTable) -> float:
        is_small = RANK[card] <= TEN and not table.is_trump(card)
        return table.cost(card) - (8 * count_rank(card, seen) if is_small else 0)

    def throws(self, card: int, table: DurakTable) -> bool:
        return RANK[card] <= TEN and not table.is_trump(card) or super().throws(card, table)
