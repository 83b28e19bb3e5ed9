"""The rating of who solves puzzles, by openskill's Plackett-Luce model: a first answer is a match against its puzzle.

On the scale of the arena: 1500 at first, 200 points a standard deviation of those who begin.
"""

from __future__ import annotations

import math
from typing import Any

MEAN, SPREAD = 25.0, 25 / 3  # openskill's own: what is believed of a newcomer
FIRST, UNIT = 1500, 200
_KNOWN = 0.3  # how little is not known of a puzzle, as a share of what is not known of a newcomer
_MOST = 100.0  # of what a browser may have kept


def shown(mu: float) -> int:
    """As people read it."""
    return round(FIRST + UNIT * (mu - MEAN) / SPREAD)


def rate(mu: float, sigma: float, puzzle: int, is_right: bool) -> dict[str, Any] | None:
    """The rating after an answer to a puzzle of that rating: `mu` and `sigma` to keep, `shown`, and what was shown
    `before`. None where openskill is not installed."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()
    own = model.rating(mu=mu, sigma=sigma)
    other = model.rating(mu=MEAN + SPREAD * (puzzle - FIRST) / UNIT, sigma=SPREAD * _KNOWN)
    [[after], _] = model.rate([[own], [other]], ranks=[0, 1] if is_right else [1, 0])
    return {"mu": after.mu, "sigma": after.sigma, "shown": shown(after.mu), "before": shown(mu)}


def read_kept(mu: str, sigma: str) -> tuple[float, float]:
    """What a browser kept; of a newcomer, or where it is no such number, what is believed of a newcomer."""
    try:
        found = float(mu), float(sigma)
    except ValueError:
        return MEAN, SPREAD
    is_sane = all(map(math.isfinite, found)) and abs(found[0]) <= _MOST and 0 < found[1] <= _MOST
    return found if is_sane else (MEAN, SPREAD)
