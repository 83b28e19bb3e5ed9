"""Fits the correction of the analysis' chances to games of several populations; host_tools/minds/analysis/chances.py
applies it."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.lab.bench.samples import Sample
from host_tools.minds.analysis.chances import FILE, NOWHERE, USUAL, Line, features, logistic, logit_of
from host_tools.minds.analysis.judge import GUESSES

_STEPS = 30  # of Newton's method at most
_ENOUGH = 1e-9  # a step that changes nothing more
_PULL = 1e-4  # towards 0, as strong as a decision of thousands: else a few games, foretold by chance, have no best line
_LEAST = 1e-6  # what is called impossible and comes is no worse than that
Row = tuple[tuple[float, ...], float]  # the features of a chance, and what came of it


def fit(rows: list[Row], weights: list[float]) -> list[float]:
    """The line under which the outcomes are most likely (logistic regression, by Newton's method), each row by its
    weight. A feature that is always 0 gets 0."""
    width = len(rows[0][0])
    used = [at for at in range(width) if any(row[at] for row, _ in rows)]
    found = fit_used([([row[at] for at in used], came) for row, came in rows], weights)
    line = [0.0] * width
    for at, value in zip(used, found, strict=True):
        line[at] = value
    return line


def fit_used(rows: list[tuple[list[float], float]], weights: list[float]) -> list[float]:
    """The same of features that are not always 0."""
    width = len(rows[0][0])
    line = [0.0] * width
    for _ in range(_STEPS):
        slope = [-_PULL * each for each in line]
        bow = [[_PULL * (i == j) for j in range(width)] for i in range(width)]
        for (row, came), weight in zip(rows, weights, strict=True):
            chance = logistic(sum(a * b for a, b in zip(line, row, strict=True)))
            spread = weight * chance * (1 - chance)
            for i, value in enumerate(row):
                slope[i] += weight * (came - chance) * value
                leaning, above = spread * value, bow[i]
                for j in range(i, width):
                    above[j] += leaning * row[j]
        for i in range(width):
            for j in range(i):
                bow[i][j] = bow[j][i]
        steps = solve(bow, slope)
        line = [old + step for old, step in zip(line, steps, strict=True)]
        if max(map(abs, steps)) < _ENOUGH:
            break
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


def closed(one: Sample) -> tuple[float, ...]:
    """What a line takes of a decision."""
    return features(one.mean, one.count, one.bearing)


def opened(one: Sample) -> tuple[float, ...]:
    """The same with open cards."""
    return features(one.opened, GUESSES, one.bearing)


def only(row: tuple[float, ...], has: Callable[[int], bool]) -> tuple[float, ...]:
    """Such a row with some of its sides alone."""
    return tuple(value for at, value in enumerate(row) if has(at % (len(row) // 2)))


def plain(form: Callable[[Sample], tuple[float, ...]]) -> Callable[[Sample], tuple[float, ...]]:
    """The same by the chance alone: what it has beside 1 and the logit is 0."""
    def take(one: Sample) -> tuple[float, ...]:
        row = form(one)
        return tuple(value if at in (0, len(row) // 2) else 0.0 for at, value in enumerate(row))

    return take


def lean(one: Sample, *more: float) -> tuple[float, ...]:
    """The features of today's line, then these, and their products with the logit."""
    return (*closed(one), *more, *(logit_of(one.mean, one.count) * each for each in more))


def bear(one: Sample, **other: Any) -> tuple[float, ...]:
    """The features of today's line, with another bearing in a part."""
    return features(one.mean, one.count, dataclasses.replace(one.bearing, **other))


# Lines that might be better than today's, which is the first: what each takes of a decision.
FORMS: dict[str, Callable[[Sample], tuple[float, ...]]] = {
    "today": closed,
    "no bearing": lambda one: (1.0, logit_of(one.mean, one.count)),
    "draws alone": lambda one: only(closed(one), lambda side: side < 2),
    "it only shrinks": lambda one: (1.0, *closed(one)[len(closed(one)) // 2:]),
    "no hinge": lambda one: only(closed(one), lambda side: side != 3),
    "stock": lambda one: lean(one, one.stock / 10),
    "hands": lambda one: lean(one, (one.own - one.others) / 10),
    "stock and hands": lambda one: lean(one, one.stock / 10, (one.own - one.others) / 10),
    "how many choices": lambda one: lean(one, min(one.choices, 8) / 8),
    "no cards": lambda one: bear(one, near=NOWHERE),
    "nothing shown": lambda one: bear(one, shown=()),
    "whole game": lambda one: bear(one, alike=one.whole),
    "whole game, others": lambda one: (*bear(one, alike=one.whole), *lean(one, one.theirs - USUAL)[-2:]),
}  # fmt: skip


def fit_lines(populations: list[list[Sample]], is_plain: bool, units: int) -> list[Line]:
    """The lines by own cards and with open ones that are fitted to all populations. UnusableInput without numpy, which
    units take."""
    weights = [weight for some in populations for weight in weigh(some)]
    if units:
        try:
            from host_tools.lab.bench.fit_net import fit_net
        except ImportError as missing:
            raise UnusableInput("--units takes numpy: pip install 'cardtable[rl]'") from missing
        return [fit_net(populations, weights, units, is_open, GUESSES) for is_open in (False, True)]
    return [Line(tuple(fit([(form(one), one.came) for some in populations for one in some], weights)))
            for form in ((plain(closed), plain(opened)) if is_plain else (closed, opened))]


def weigh(some: list[Sample]) -> list[float]:
    """The weight of each decision of a population in a fit: together 1."""
    whole = sum(one.weight for one in some)
    return [one.weight / whole for one in some]


def foretell(
    populations: list[list[Sample]], form: Callable[[Sample], tuple[float, ...]], folds: int
) -> list[list[float]]:
    """The chance of each decision by a line of that form, fitted to the other games of all populations: one game in so
    many is left out of each fit."""
    told = [[0.0] * len(some) for some in populations]
    for fold in range(folds):
        rows = [(form(one), one.came, weight) for some in populations
                for one, weight in zip(some, weigh(some), strict=True) if one.game % folds != fold]
        line = fit([(row, came) for row, came, _ in rows], [weight for _, _, weight in rows])
        for chances, some in zip(told, populations, strict=True):
            for at, one in enumerate(some):
                if one.game % folds == fold:
                    chances[at] = logistic(sum(a * b for a, b in zip(line, form(one), strict=True)))
    return told


def miss(chances: list[float], some: list[Sample]) -> float:
    """How badly these chances foretell what came, in thousandths: the mean of the logarithms (less is better)."""
    total = 0.0
    for each, one, weight in zip(chances, some, weigh(some), strict=True):
        chance = min(max(_LEAST, each), 1 - _LEAST)
        total -= weight * (one.came * math.log(chance) + (1 - one.came) * math.log(1 - chance))
    return 1000 * total


def keep(key: str, lines: list[Line], **said: Any) -> None:
    """Write both lines of one table into the file, beside the others."""
    every = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    every[key] = said
    for name, line in zip(("bend", "open"), lines, strict=True):
        every[key][name] = [round(one, 4) for one in line.coefficients]
        if line.units:
            every[key][f"{name}.units"] = [[round(one, 4) for one in unit] for unit in line.units]
    FILE.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n", encoding="utf-8")
