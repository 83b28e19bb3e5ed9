"""Fits the correction of the analysis' chances to games of several populations; host_tools/minds/analysis/chances.py
applies it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from host_tools.lab.bench.samples import Sample
from host_tools.minds.analysis.chances import FILE, USUAL, Bearing, features, logistic

_STEPS = 30  # of Newton's method
_PULL = 1e-4  # towards 0, as strong as a decision of thousands: else a few games, foretold by chance, have no best line
_LEAST = 1e-6  # what is called impossible and comes is no worse than that
Row = tuple[tuple[float, ...], float]  # the features of a chance, and what came of it


def fit(rows: list[Row], weights: list[float]) -> list[float]:
    """The line under which the outcomes are most likely (logistic regression, by Newton's method), each row by its
    weight. A feature that is always 0 gets 0."""
    width = len(rows[0][0])
    line = [0.0] * width
    for _ in range(_STEPS):
        slope = [-_PULL * each for each in line]
        bow = [[_PULL * (i == j) for j in range(width)] for i in range(width)]
        for (row, came), weight in zip(rows, weights, strict=True):
            chance = logistic(sum(a * b for a, b in zip(line, row, strict=True)))
            spread = weight * chance * (1 - chance)
            for i in range(width):
                slope[i] += weight * (came - chance) * row[i]
                for j in range(width):
                    bow[i][j] += spread * row[i] * row[j]
        line = [old + step for old, step in zip(line, solve(bow, slope), strict=True)]
    return line


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a few linear equations."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, pivot in enumerate(rows):
        for other in rows:
            if other is not pivot:
                factor = other[at] / pivot[at]
                other[:] = [a - factor * b for a, b in zip(other, pivot, strict=True)]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


def lean(one: Sample, *more: float) -> tuple[float, ...]:
    """The features of today's line, then these, and their products with the logit."""
    today = features(one.mean, one.count, one.bearing)
    return (*today, *more, *(today[1] * each for each in more))


# Lines that might be better than today's, which is the first: what each takes of a decision.
FORMS: dict[str, Callable[[Sample], tuple[float, ...]]] = {
    "today": lean,
    "no bearing": lambda one: lean(one)[:2],
    "draws alone": lambda one: lean(one)[:3],
    "stock": lambda one: lean(one, one.stock / 10),
    "hands": lambda one: lean(one, (one.own - one.others) / 10),
    "stock and hands": lambda one: lean(one, one.stock / 10, (one.own - one.others) / 10),
    "how many choices": lambda one: lean(one, min(one.choices, 8) / 8),
    "alike moves it": lambda one: lean(one, one.alike - USUAL),
    "whole game": lambda one: features(one.mean, one.count, Bearing(one.draws, one.whole)),
    "whole game, others": lambda one: (*features(one.mean, one.count, Bearing(one.draws, one.whole)),
                                       *lean(one, one.whole - one.theirs, one.theirs - USUAL)[4:]),
}  # fmt: skip


def miss(line: list[float], rows: list[Row]) -> float:
    """How badly the chances of that line foretell what came, in thousandths: the mean of the logarithms (less is
    better)."""
    total = 0.0
    for row, came in rows:
        chance = min(max(_LEAST, logistic(sum(a * b for a, b in zip(line, row, strict=True)))), 1 - _LEAST)
        total -= came * math.log(chance) + (1 - came) * math.log(1 - chance)
    return 1000 * total / len(rows)


def keep(key: str, line: list[float], **said: Any) -> None:
    """Write the line of one table into the file, beside the others."""
    every = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    every[key] = {"bend": [round(one, 4) for one in line], **said}
    FILE.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n", encoding="utf-8")
