"""The figures of an arena: scores with intervals, who beats whom, and ratings.

A deal counts once: the mean of all its seatings. So the interval says how much the cards still matter after each
player has had them.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from itertools import permutations
from statistics import fmean

from host_tools.minds.arena.plan import Job
from host_tools.minds.intervals import FEWEST, Share, measure_within

Lucks = dict[str, list[float]]  # what the draws of a game brought each seat, by the game's key
_ENOUGH = 10  # deals before luck is taken out: fewer do not show how much of it is noise
_TURNS = 300  # of fitting ratings


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
    """A rating of each player by the model of Bradley and Terry, the most likely one for all deals together, whatever
    their order: 1500 in the middle, and 400 more are ten wins for each loss; {} with too few deals.

    A deal in all its seatings is one match of each two who sat together: who lost less of it wins, so a seat or a card
    brings nobody a rating. One draw more of each two bounds the rating of a player that lost every match."""
    matches: dict[tuple[int, tuple[str, ...]], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for job in jobs:
        for name, score in zip(job.seating, scores[job.key], strict=True):
            matches[job.deal, tuple(sorted(set(job.seating)))][name].append(score)
    if len({deal for deal, _ in matches}) < FEWEST:
        return {}
    won: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(lambda: 0.5))
    for told in matches.values():
        means = {name: fmean(own) for name, own in told.items()}
        for one, other in permutations(means, 2):
            won[one][other] += (means[one] > means[other]) + (means[one] == means[other]) / 2
    strength = dict.fromkeys(won, 1.0)
    for _ in range(_TURNS):  # Zermelo's: each turn is a better fit
        strength = {one: sum(against.values()) / sum((number + won[other][one]) / (strength[one] + strength[other])
                                                     for other, number in against.items())
                    for one, against in won.items()}
        middle = math.exp(fmean(map(math.log, strength.values())))
        strength = {name: value / middle for name, value in strength.items()}
    return {name: 1500 + 400 * math.log10(value) for name, value in strength.items()}
