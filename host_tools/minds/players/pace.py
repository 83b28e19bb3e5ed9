"""Owns the times of all virtual players: how long people think, by the thing they think about."""

from __future__ import annotations

from dataclasses import dataclass

from host_tools.base.random_play import Random

SLOWEST_MS = 4000


@dataclass(frozen=True)
class Pace:
    """From the quickest to the slowest, both in ms."""

    low_ms: int
    high_ms: int

    def think_ms(self, draw: Random) -> int:
        """A time between the two, more often a short one."""
        span = self.high_ms - self.low_ms + 1
        return self.low_ms + min(draw.below(span), draw.below(span))


RACE = Pace(250, 1600)  # a doubt: the first press counts
ONLY_MOVE = Pace(400, 1200)
TAP = Pace(400, 900)  # one more card of a play that is decided
NORMAL = Pace(600, 2600)
HARD = Pace(1200, SLOWEST_MS)  # to take, to pass, to cheat
