"""Compares moves by playing guesses to their end: every move in the same guess, so that luck falls on all alike."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from host_tools.minds.players.worlds import Worlds
from host_tools.base.random_play import Random

BATCH = 8  # guesses between two looks at the clock
_LEAST = 16  # guesses before a move can be left out
_CLEARLY = 3.0  # standard errors by which it must be worse


@dataclass
class Judged:
    """A move and the scores that it had, guess by guess."""

    move: Any
    scores: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The chance of it, as far as the guesses say."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; half a point of doubt is never given up."""
        count = len(self.scores)
        mean = (sum(self.scores) + 0.5) / (count + 1)
        spread = sum((score - mean) ** 2 for score in self.scores) + 0.25
        return math.sqrt(spread / max(1, count) / max(1, count))

    def is_clearly_worse(self, other: Judged, errors: float = _CLEARLY) -> bool:
        """Whether it lost to the other by so many standard errors, in the guesses that both were played in."""
        count = min(len(self.scores), len(other.scores))
        if count < min(_LEAST, len(other.scores)) or not count:
            return False
        gaps = [other.scores[at] - self.scores[at] for at in range(count)]
        mean = sum(gaps) / count
        spread = sum((gap - mean) ** 2 for gap in gaps) / count
        return mean > errors * math.sqrt((spread + 0.25 / count) / count)


def compare(
    worlds: Worlds,
    moves: Sequence[Any],
    enact: Callable[[Any, Any], None],
    seed: int,
    guesses: int,
    limit_ms: int = 0,
    is_racing: bool = True,
) -> list[Judged]:
    """Play each move in up to so many guesses, or for so long; the best first. enact(world, move) makes the move."""
    judged = [Judged(move) for move in moves]
    racing = list(judged)
    draw = Random(seed)
    until = time.perf_counter() + limit_ms / 1000 if limit_ms else math.inf
    seat = worlds.seen.seat
    for number in range(guesses):
        world = worlds.deal(draw)
        chance = draw.below(1 << 30)
        for one in racing:
            copy = world.copy()
            enact(copy, one.move)
            is_over = worlds.play_out(copy, Random(chance))
            one.scores.append(worlds.score(copy, is_over, seat))
        if number % BATCH == BATCH - 1:
            if time.perf_counter() > until:
                break
            if is_racing:
                best = max(racing, key=lambda one: one.mean)
                racing = [one for one in racing if one is best or not one.is_clearly_worse(best)]
                if len(racing) == 1:
                    break
    best_first = sorted(racing, key=lambda one: -one.mean)
    return best_first + sorted((one for one in judged if one not in racing), key=lambda one: -one.mean)
