"""The collector of high cards (D48): holds aces, kings and queens back until the stock is gone, then leads them."""

from __future__ import annotations

from cardtable.engine.deck import RANK
from host_tools.minds.players.durak_kind import QUEEN, DurakKind
from host_tools.minds.players.habits import HIGHS
from host_tools.judge.facts.durak import DurakTable
from host_tools.sight.seen import Seen


class HighCollector(DurakKind):
    """Holds out until the end, then brings up the heavy artillery."""

    name = HIGHS
    likeness = "holds high cards back"

    def hoards(self, card: int, table: DurakTable) -> bool:
        return RANK[card] >= QUEEN

    def lead_worth(self, card: int, seen: Seen, table: DurakTable) -> float:
        if table.stock:
            return super().lead_worth(card, seen, table)
        return table.cost(card) if table.is_trump(card) else -RANK[card]
