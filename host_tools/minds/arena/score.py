"""What the results say: scores with intervals, who beats whom, and ratings.

A deal counts once: the mean of all its seatings. So the interval says how much the cards still matter after each
player has had them.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from dataclasses import dataclass

from host_tools.minds.arena.plan import Job

Lucks = dict[str, list[float]]  # what the draws of a game brought each seat, by the game's key
_ENOUGH = 10  # deals before luck is taken out: fewer do not show how much of it is noise
_FEW = (12.71, 4.30, 3.18, 2.78)  # Student's t of a 95 % interval for 2 to 5 values


@dataclass(frozen=True)
class Share:
    """A mean and half of its 95 % interval."""

    mean: float
    half: float
    count: int

    @property
    def low(self) -> float:
        """Where the interval begins."""
        return self.mean - self.half

    @property
    def high(self) -> float:
        """Where it ends."""
        return self.mean + self.half


def sure(count: int) -> float:
    """How many standard errors a 95 % interval of so many values takes on each side (Student's t; 1.96 of many)."""
    freedom = count - 1
    return _FEW[freedom - 1] if freedom <= len(_FEW) else 1.96 + 2.46 / freedom + 3 / freedom**2


def measure(values: list[float]) -> Share:
    """The mean of independent values."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return Share(mean, math.inf, count)
    spread = sum((value - mean) ** 2 for value in values) / (count - 1)
    return Share(mean, sure(count) * math.sqrt(spread / count), count)


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
        return {name: measure(take_luck_out(plain[name], luck[name])) for name in plain}
    return {name: measure(deals) for name, deals in deals_of_players(jobs, scores).items()}


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
        return {pair: measure(take_luck_out(plain[pair], luck[pair])) for pair in plain}
    return {pair: measure(deals) for pair, deals in deals_of_pairs(jobs, scores).items()}


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
    """A rating of each player by openskill's Plackett-Luce model, 1500 and 200 a unit of its scale; {} without it."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return {}
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for job in jobs for name in job.seating}
    for job in jobs:
        if len(set(job.seating)) < len(job.seating):
            continue
        teams = [[ratings[name]] for name in job.seating]
        rated = model.rate(teams, scores=scores[job.key])
        for name, [one] in zip(job.seating, rated, strict=True):
            ratings[name] = one
    return {name: 1500 + 200 * (one.mu - 25) / (25 / 3) for name, one in ratings.items()}
