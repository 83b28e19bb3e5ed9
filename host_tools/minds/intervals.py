"""Intervals of 95 %: of means of few and of many values, of scores of deals, and of shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from statistics import NormalDist

SURE = 1.96  # standard errors on each side, of many values
FEW = 10  # of fewer a share says too little
FEWEST = 5  # deals before a score has an interval: fewer do not show how far apart deals are
_MANY = 50  # deals from which the mean's own distribution is near enough to a normal one
_RESAMPLES = 2000
_FEW = (12.71, 4.30, 3.18, 2.78)  # Student's t of a 95 % interval for 2 to 5 values


@dataclass(frozen=True)
class Share:
    """A mean with its 95 % interval; `is_known`: whether there were values enough for one."""

    mean: float
    low: float
    high: float
    count: int
    is_known: bool = True

    @property
    def half(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


def sure(count: int) -> float:
    """How many standard errors a 95 % interval of so many values takes on each side (Student's t; 1.96 of many)."""
    freedom = count - 1
    return _FEW[freedom - 1] if freedom <= len(_FEW) else 1.96 + 2.46 / freedom + 3 / freedom**2


def measure(values: list[float]) -> Share:
    """The mean of independent values, with Student's interval."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return Share(mean, -math.inf, math.inf, count, False)
    spread = sum((value - mean) ** 2 for value in values) / (count - 1)
    half = sure(count) * math.sqrt(spread / count)
    return Share(mean, mean - half, mean + half, count)


def measure_within(values: list[float], least: float, most: float) -> Share:
    """The mean of the values of deals, each between `least` and `most`, with an interval that lies there, too: of a
    bootstrap over deals, whose ends are moved outwards as far as Student's t is wider than a normal distribution
    (Hesterberg 2015, "What Teachers Should Know About the Bootstrap", the expanded percentile interval); of many deals
    Student's. Where all deals ended alike, the ends are as far away as the rule of three has them."""
    count = len(values)
    mean = sum(values) / count
    if count < FEWEST:
        return Share(mean, least, most, count, False)
    reach = min(1.0, 3 / count) * (most - least)
    if min(values) == max(values):
        return Share(mean, max(least, mean - reach), min(most, mean + reach), count)
    if count >= _MANY:
        plain = measure(values)
        return Share(mean, max(least, plain.low), min(most, plain.high), count)
    draw = Random(count)
    means = sorted(sum(draw.choices(values, k=count)) / count for _ in range(_RESAMPLES))
    tail = NormalDist().cdf(-math.sqrt(count / (count - 1)) * sure(count))
    at = int(tail * _RESAMPLES)
    return Share(mean, max(least, means[at]), min(most, means[-1 - at]), count)


def interval(hits: float, count: int) -> tuple[float, float, float]:
    """A share and its 95 % interval (Wilson's), in percent."""
    if not count:
        return 0.0, 0.0, 100.0
    share = hits / count
    middle = share + SURE**2 / (2 * count)
    half = SURE * math.sqrt(share * (1 - share) / count + SURE**2 / (4 * count**2))
    whole = 1 + SURE**2 / count
    # With none or all of them one end is the share itself, and rounding could put it on the wrong side.
    low, high = min(share, (middle - half) / whole), max(share, (middle + half) / whole)
    return 100 * share, 100 * max(0.0, low), 100 * min(1.0, high)
