"""The card counter (D48): remembers every card, leads what is hard to beat, and plays open ends exactly."""

from __future__ import annotations

from typing import Any

from cardtable.games import durak
from host_tools.minds.players.durak_kind import _ATTACK, DurakKind, card_of
from host_tools.minds.players.memory import DurakMemory
from host_tools.minds.players.pace import HARD, Pace
from host_tools.judge.facts.durak import DurakTable
from host_tools.minds.players.search import list_moves, list_waiting, solve_open_end
from host_tools.sight.seen import Seen
from host_tools.minds.players.worlds import DurakWorlds

_NODES = 8000  # positions of an end that a person could think through: a few ms when compiled
_UNBEATABLE = 7.0  # so many ranks cheaper a card becomes if the defender surely cannot beat it without a trump


class CardCounter(DurakKind):
    """Knows who took what and what has gone; guesses nothing."""

    name = "card-counter"
    likeness = "counts cards"

    def __init__(self, game: Any, seat: int, seats: int, seed: int) -> None:
        super().__init__(game, seat, seats, seed)
        self.memory = DurakMemory(durak)

    def advise(self, seen: Seen) -> tuple[int, Pace] | None:
        if seen.is_waited_for:
            moves = list_moves(seen)
            moves += list_waiting(seen) if moves else []
            solved = solve_open_end(seen, DurakWorlds(seen, self.memory), moves, _NODES) if len(moves) > 1 else None
            if solved:
                best = max(solved.values())
                move = next(move for move in moves if solved[move] == best)
                table = DurakTable(seen)
                waits = move >> 16 != _ATTACK and seen.seat != table.defender and table.unbeaten and not table.is_taken
                return None if waits and seen.waits[table.defender] else (move, HARD)
        return super().advise(seen)

    def lead_worth(self, card: int, seen: Seen, table: DurakTable) -> float:
        chance = self.chance_beaten(card, seen, table)
        return super().lead_worth(card, seen, table) - _UNBEATABLE * (1 - chance)

    def lead(self, seen: Seen, table: DurakTable) -> int:
        self.memory.recall(seen)
        return min(seen.named(_ATTACK), key=lambda move: (self.lead_worth(card_of(move), seen, table), move))

    def chance_beaten(self, card: int, seen: Seen, table: DurakTable) -> float:
        """How likely the defender holds a plain card that beats it: known cards for sure, others by their number."""
        known = self.memory.known
        covers = [
            other
            for other in range(durak.CARDS)
            if table.state.where[other] == 1 and other not in seen.hand and known.get(other, -1) != 0
            and not table.is_trump(other) and table.fits(other, card)
        ]  # fmt: skip
        if any(known.get(other) == table.defender for other in covers):
            return 1.0
        loose = [other for other in covers if other not in known]
        hidden = sum(
            1 for other in range(durak.CARDS)
            if table.state.where[other] == 1 and other not in seen.hand and other not in known
        )  # fmt: skip
        held = table.held[table.defender] - sum(1 for seat in known.values() if seat == table.defender)
        misses = 1.0
        for number in range(min(len(loose), hidden)):
            misses *= max(0.0, 1 - held / max(1, hidden - number))
        return 1 - misses
