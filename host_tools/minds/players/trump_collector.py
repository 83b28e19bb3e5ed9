"""The collector of trumps (D48): gathers them, gives none while there is a stock, and drops its ballast."""

from __future__ import annotations

from host_tools.minds.players.durak_kind import DurakKind
from host_tools.minds.players.habits import TRUMPS
from host_tools.judge.facts.durak import DurakTable


class TrumpCollector(DurakKind):
    """Takes rather than trump, and takes gladly where a trump lies on the table."""

    name = TRUMPS
    likeness = "collects trumps"

    def hoards(self, card: int, table: DurakTable) -> bool:
        return table.is_trump(card)

    def throws(self, card: int, table: DurakTable) -> bool:
        return not table.is_trump(card)  # ballast

    def rather_takes(self, covers: list[int], table: DurakTable) -> bool:
        lies = any(table.is_trump(card) for card in table.attacks)
        return table.stock > 0 and (lies or super().rather_takes(covers, table))
