"""The ground of the Cal's BS players that go by rates (C18): how often they bluff, and from which odds on they doubt.

Both keep their fours together and their jokers for the end, tell the truth when few cards are left, and play the end:
they announce that they go out, and doubt whoever is about to.
"""

from __future__ import annotations

from typing import Any

from cardtable.engine.event import find_verb
from cardtable.games import cals_bs
from host_tools.minds.players.advised import Advised
from host_tools.minds.players.beginner_cals_bs import Plan, Rates, believes, carry_out, plan_set
from host_tools.minds.players.cals_bs_memory import CalsBsMemory
from host_tools.minds.players.pace import HARD, RACE, Pace
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.sight.seen import Seen
from host_tools.minds.players.worlds import CalsBsWorlds

_OUT, _PASS, _DOUBT = (find_verb(cals_bs, name) for name in ("out", "pass", "doubt"))
_NEAR_THE_END = 3  # cards
_DECLARES_OUT = 7
_SURE = 0.999


class CalsBsKind(Advised):
    """The classes below it, each in its file, say the rates."""

    rates = Rates()
    doubts_from = 0.6  # chance that the set is false
    doubts_at_the_end_from = 0.4

    def __init__(self, game: Any, seat: int, seats: int, seed: int) -> None:
        super().__init__(game, seat, seats, seed)
        self.memory = CalsBsMemory()

    @classmethod
    def plays(cls, game: Any) -> bool:
        return game is cals_bs

    def advise(self, seen: Seen) -> tuple[int, Pace] | None:
        if not seen.is_waited_for:
            return None
        table = CalsBsTable(seen)
        plan = self.plan(seen, table)
        done = carry_out(plan, seen, table) if plan else None
        if done:
            return (done[0], RACE) if done[0] >> 16 == _DOUBT else done
        passes = seen.named(_PASS)
        return (passes[0], HARD) if passes else None

    def plan(self, seen: Seen, table: CalsBsTable) -> Plan | None:
        """A doubt, that it goes out, or a whole set; None: it passes."""
        doubt = seen.named(_DOUBT)
        if doubt and self.doubts(seen, table):
            return Plan((), doubt[0])
        out = seen.named(_OUT)
        if out and table.held[seen.seat] <= _DECLARES_OUT:
            return Plan((), out[0])
        draw = self.chance(table.leader, table.last, table.claim, table.pile, table.laid, table.laid_ms, table.held)
        believe = believes(seen, table, draw)
        return Plan((), believe) if believe else plan_set(seen, table, draw, self.rates)

    def doubts(self, seen: Seen, table: CalsBsTable) -> bool:
        """By the odds: a doubt costs the pile, so a large one wants to be sure; near the end it must be stopped."""
        lie = CalsBsWorlds(seen, self.memory).lie
        if lie >= _SURE:
            return True
        if table.held[table.last] <= _NEAR_THE_END:
            return lie >= self.doubts_at_the_end_from
        return lie >= self.doubts_from
