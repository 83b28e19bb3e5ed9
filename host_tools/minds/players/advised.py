"""The base of players that follow advice: manners first, then what the advice says, and never stuck."""

from __future__ import annotations

from abc import abstractmethod

from host_tools.minds.players.manners import courtesy
from host_tools.minds.players.pace import NORMAL, ONLY_MOVE, Pace
from host_tools.sight.seen import Choice, Player, Seen


class Advised(Player):
    """A player whose `advise` says what to do."""

    @abstractmethod
    def advise(self, seen: Seen) -> tuple[int, Pace] | None:
        """The move and how long to think; None: no move now. Asked where there is at least one move."""

    def choose(self, seen: Seen) -> Choice | None:
        polite = courtesy(self, seen)
        if polite or not seen.moves:
            return polite
        decided = self.advise(seen)
        if not decided and self.is_alone_waited_for(seen):
            decided = seen.moves[self.chance(seen.moment_ms).below(len(seen.moves))], NORMAL
        if not decided:
            return None
        packed, pace = decided
        if len(seen.moves) == 1:
            pace = ONLY_MOVE
        return Choice(packed, pace.think_ms(self.chance(packed, seen.view)))

    def is_alone_waited_for(self, seen: Seen) -> bool:
        """Whether only this seat can go on."""
        return seen.is_waited_for and not any(seen.waits[seat] for seat in range(1, 8) if seat != self.seat)
