"""Fits a correction with units, a small net: host_tools/minds/analysis/chances.py applies it, without numpy.

A line multiplies what a seat knows by numbers and adds it up. Where one fact means something else beside another (in
Cal's BS how this seat plays, beside how the others do), that is too little: a few units, each of them such a sum with
its ends bent, stand beside the facts. They are found by going downhill from numbers by lot; the same seed and games
give the same net.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from host_tools.lab.bench.samples import Sample
from host_tools.minds.analysis.chances import Line, logit_of

_STEPS = 1500  # all rows in each (Adam)
_FAST, _SLOW = 0.02, 0.004  # how far, and in the last two fifths
_SLOW_FROM = 900
_KEPT, _KEPT_SQUARES = 0.9, 0.999  # of the slopes of before
_LEVEL = 30.0  # each population shall be told as much as came there: the square of what is missing weighs half of this
_PULL = 1e-3  # towards 0, so that a number stands for more than a few games
_SPREAD = 0.5  # of the numbers by lot
_STEEP = 0.6  # a chance is shrunk to begin with
_SEED = 1
_LITTLE = 1e-9
Rows = Any  # arrays of numpy, whose shapes its types don't say


@dataclass(frozen=True)
class Games:
    """Decisions of all populations: what is known of each (n, sides), the logit of its chance, what came, its weight
    and its population (n)."""

    sides: Rows
    logit: Rows
    came: Rows
    weight: Rows
    part: Rows


def fit_net(populations: list[list[Sample]], weights: list[float], units: int, is_open: bool, guesses: int) -> Line:
    """The line with so many units under which the outcomes are likely and each population is told as much as came.
    weights: of all decisions; guesses: of a chance with open cards."""
    every = [one for some in populations for one in some]
    sides = np.array([one.bearing.sides for one in every])
    logits = [logit_of(one.opened, guesses) if is_open else logit_of(one.mean, one.count) for one in every]
    part = np.repeat(np.arange(len(populations)), [len(some) for some in populations])
    middle, width = sides.mean(0), sides.std(0)
    used = width > _LITTLE
    scaled = (sides[:, used] - middle[used]) / width[used]
    games = Games(scaled, np.array(logits), np.array([one.came for one in every]), np.array(weights), part)
    into, bias, out, rest = descend(games, units)
    return unscale(into, bias, out, rest, middle, width)


def descend(games: Games, units: int) -> list[Rows]:
    """What the units take (sides, units) and add (units), what the shift and the steepness take of sides and units
    (sides + units, 2) and add (2)."""
    lot = np.random.default_rng(_SEED)
    count = games.sides.shape[1]
    found = [lot.normal(0, _SPREAD, (count, units)), np.zeros(units), np.zeros((count + units, 2)),
             np.array([0.0, _STEEP])]
    means, squares = ([np.zeros_like(one) for one in found] for _ in range(2))
    for step in range(1, _STEPS + 1):
        far = _FAST if step <= _SLOW_FROM else _SLOW
        for at, slope in enumerate(find_slopes(games, found)):
            means[at] = _KEPT * means[at] + (1 - _KEPT) * slope
            squares[at] = _KEPT_SQUARES * squares[at] + (1 - _KEPT_SQUARES) * slope * slope
            size = np.sqrt(squares[at] / (1 - _KEPT_SQUARES**step)) + _LITTLE
            found[at] = found[at] - far * (means[at] / (1 - _KEPT**step)) / size
    return found


def find_slopes(games: Games, found: list[Rows]) -> list[Rows]:
    """How much worse each number makes it if it grows."""
    into, bias, out, rest = found
    count = games.sides.shape[1]
    units = np.tanh(times(games.sides, into) + bias)
    every = np.concatenate([games.sides, units], 1)
    shift, steep = (times(every, out) + rest).T
    chance = 1 / (1 + np.exp(-(shift + steep * games.logit)))
    wrong = games.weight * (chance - games.came)
    gaps = np.bincount(games.part, wrong)
    wrong = wrong + _LEVEL * gaps[games.part] * games.weight * chance * (1 - chance)
    both = np.stack([wrong, wrong * games.logit], 1)
    bent = times(both, out[count:].T) * (1 - units * units)
    return [times(games.sides.T, bent) + _PULL * into, bent.sum(0), times(every.T, both) + _PULL * out, both.sum(0)]


def times(some: Rows, others: Rows) -> Rows:
    """The product of two matrices, always in the same order, by one thread: more of them wait for each other on a busy
    machine."""
    return np.einsum("ij,jk->ik", some, others)


def unscale(into: Rows, bias: Rows, out: Rows, rest: Rows, middle: Rows, width: Rows) -> Line:
    """The same for sides as they are; the first of them is always 1, and what never changes counts nothing."""
    used = width > _LITTLE
    count = int(used.sum())

    def spread(numbers: Rows, added: float) -> list[float]:
        row = np.zeros(len(width))
        row[used] = numbers / width[used]
        row[0] = added - float((row * middle).sum())
        return [float(one) for one in row]

    units = tuple(tuple(spread(into[:, at], bias[at])) for at in range(len(bias)))
    parts = [[*spread(out[:count, at], rest[at]), *map(float, out[count:, at])] for at in range(2)]
    assert all(math.isfinite(one) for part in parts for one in part)
    return Line((*parts[0], *parts[1]), units)
