"""What the results say: scores with intervals, who beats whom, and ratings.

A deal counts once: the mean of all its seatings. So the interval says how much the cards still matter after each
player has had them.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from dataclasses import dataclass
from random import Random
from statistics import NormalDist, fmean

from host_tools.minds.arena.plan import Job

Lucks = dict[str, list[float]]  # what the draws of a game brought each seat, by the game's key
_ENOUGH = 10  # deals before luck is taken out: fewer do not show how much of it is noise
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
    Student's. Where every deal ended at a bound, the other end is the rule of three's."""
    count = len(values)
    mean = sum(values) / count
    if count < FEWEST:
        return Share(mean, least, most, count, False)
    reach = min(1.0, 3 / count) * (most - least)
    if min(values) == max(values):
        return Share(mean, mean - reach if mean >= most else mean, mean + reach if mean <= least else mean, count)
    if count >= _MANY:
        plain = measure(values)
        return Share(mean, max(least, plain.low), min(most, plain.high), count)
    draw = Random(count)
    means = sorted(sum(draw.choices(values, k=count)) / count for _ in range(_RESAMPLES))
    tail = NormalDist().cdf(-math.sqrt(count / (count - 1)) * sure(count))
    at = int(tail * _RESAMPLES)
    return Share(mean, max(least, means[at]), min(most, means[-1 - at]), count)


def take_luck_out(values: list[float], lucks: list[float]) -> list[float]:
    """The values of deals without the luck of their draws, which is 0 on average: the same mean, less spread.

    A chance is guessed, so part of its luck is noise: it is taken out by the factor that fits the other deals best. No
    deal has a say in its own factor, so the mean stays unbiased.
    """
    count = len(values)
    if count < _ENOUGH or not any(lucks):
        return values
    every, squares = sum(values), sum(luck * luck for luck in lucks)
    products, sum_of_lucks = sum(map(operator.mul, values, lucks)), sum(lucks)
    found = []
    for value, luck in zip(values, lucks, strict=True):
        mean = (every - value) / (count - 1)
        others = squares - luck * luck
        factor = (products - value * luck - mean * (sum_of_lucks - luck)) / others if others else 0.0
        found.append(value - factor * luck)
    return found


def score_players(jobs: list[Job], scores: dict[str, list[float]], lucks: Lucks | None = None) -> dict[str, Share]:
    """The score of each player, a value for each deal; lucks: to be taken out."""
    if lucks:
        plain, luck = deals_of_players(jobs, scores), deals_of_players(jobs, lucks)
        return {name: measure_within(take_luck_out(plain[name], luck[name]), 0, 1) for name in plain}
    return {name: measure_within(deals, 0, 1) for name, deals in deals_of_players(jobs, scores).items()}


def deals_of_players(jobs: list[Job], scores: dict[str, list[float]]) -> dict[str, list[float]]:
    """The mean of each player in each deal."""
    by_deal: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for job in jobs:
        for name, score in zip(job.seating, scores[job.key], strict=True):
            by_deal[name][job.deal].append(score)
    return {name: [sum(deal) / len(deal) for deal in deals.values()] for name, deals in by_deal.items()}


def score_pairs(
    jobs: list[Job], scores: dict[str, list[float]], lucks: Lucks | None = None
) -> dict[tuple[str, str], Share]:
    """How far each player is ahead of each other one in the games that both were in, a value for each deal; lucks: to
    be taken out."""
    if lucks:
        plain, luck = deals_of_pairs(jobs, scores), deals_of_pairs(jobs, lucks)
        return {pair: measure_within(take_luck_out(plain[pair], luck[pair]), -1, 1) for pair in plain}
    return {pair: measure_within(deals, -1, 1) for pair, deals in deals_of_pairs(jobs, scores).items()}


def deals_of_pairs(jobs: list[Job], scores: dict[str, list[float]]) -> dict[tuple[str, str], list[float]]:
    """The mean gap of each pair in each deal."""
    by_deal: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for job in jobs:
        told: dict[str, list[float]] = defaultdict(list)
        for name, score in zip(job.seating, scores[job.key], strict=True):
            told[name].append(score)
        for one, own in told.items():
            for other, theirs in told.items():
                if one != other:
                    gap = sum(own) / len(own) - sum(theirs) / len(theirs)
                    by_deal[one, other][job.deal].append(gap)
    return {pair: [sum(deal) / len(deal) for deal in deals.values()] for pair, deals in by_deal.items()}


def rate(jobs: list[Job], scores: dict[str, list[float]]) -> dict[str, float]:
    """A rating of each player by openskill's Plackett-Luce model, 1500 and 200 a unit of its scale; {} without it, or
    with too few deals. A deal in all its seatings is one match of those who sat together: who lost less of it comes
    first, so a seat or a card brings nobody a rating, and a table may have any number of seats."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return {}
    matches: dict[tuple[int, tuple[str, ...]], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for job in jobs:
        for name, score in zip(job.seating, scores[job.key], strict=True):
            matches[job.deal, tuple(sorted(set(job.seating)))][name].append(score)
    if len({deal for deal, _ in matches}) < FEWEST:
        return {}
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for job in jobs for name in job.seating}
    for (_, names), told in matches.items():
        rated = model.rate([[ratings[name]] for name in names], scores=[fmean(told[name]) for name in names])
        for name, [one] in zip(names, rated, strict=True):
            ratings[name] = one
    return {name: 1500 + 200 * (one.mu - 25) / (25 / 3) for name, one in ratings.items()}
