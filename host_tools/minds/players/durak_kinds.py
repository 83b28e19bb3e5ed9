"""The four kinds of Durak player that the source describes (D48), one class each."""

from __future__ import annotations

from cardtable.engine.deck import RANK
from host_tools.judge.facts.durak import DurakTable
from host_tools.minds.players.durak_kind import QUEEN, TEN, TRUMP_COST, DurakKind, count_rank
from host_tools.minds.players.habits import HIGHS, PAIRS, SMALL, TRUMPS
from host_tools.sight.seen import Seen

_PAIR = 6  # a card that stands alone is so much cheaper to beat with


class TrumpCollector(DurakKind):
    """Gives no trump while there is a stock: takes rather than trump, and gladly where a trump lies on the table."""

    name = TRUMPS
    likeness = "collects trumps"

    def hoards(self, card: int, table: DurakTable) -> bool:
        return table.is_trump(card)

    def throws(self, card: int, table: DurakTable) -> bool:
        return not table.is_trump(card)  # ballast

    def rather_takes(self, covers: list[int], table: DurakTable) -> bool:
        lies = any(table.is_trump(card) for card in table.attacks)
        return table.stock > 0 and (lies or super().rather_takes(covers, table))


class HighCollector(DurakKind):
    """Holds aces, kings and queens back until the stock is gone, then leads them."""

    name = HIGHS
    likeness = "holds high cards back"

    def hoards(self, card: int, table: DurakTable) -> bool:
        return RANK[card] >= QUEEN

    def lead_worth(self, card: int, seen: Seen, table: DurakTable) -> float:
        if table.stock:
            return super().lead_worth(card, seen, table)
        return table.cost(card) if table.is_trump(card) else -RANK[card]


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


class PairCollector(DurakKind):
    """Keeps cards of one rank together to attack with; the hardest opponent, says the source."""

    name = PAIRS
    likeness = "collects pairs"

    def lead_worth(self, card: int, seen: Seen, table: DurakTable) -> float:
        return table.cost(card) - (_PAIR * (count_rank(card, seen) - 1) if not table.is_trump(card) else 0)

    def cover_cost(self, card: int, seen: Seen, table: DurakTable) -> float:
        return table.cost(card) + (_PAIR if count_rank(card, seen) > 1 else 0)

    def throws(self, card: int, table: DurakTable) -> bool:
        return table.cost(card) < TRUMP_COST - 8 or super().throws(card, table)
