"""Fits the correction of the analysis' chances to games of its own; host_tools/minds/analysis/chances.py applies it."""

from __future__ import annotations

import json
import zlib
from typing import Any

from host_tools.minds.analysis.chances import FILE, features, logistic
from host_tools.minds.analysis.decisions import check, walk
from host_tools.minds.analysis.judge import GUESSES, ends_game, enact_of
from host_tools.lab.bench.reliability import Task, play_game
from host_tools.minds.players.rollouts import compare
from host_tools.minds.players.search import solve_open_end
from host_tools.minds.players.worlds import World, make_memory, make_worlds, scorer_of

_STEPS = 30  # of Newton's method
Row = tuple[tuple[float, ...], float]  # the features of a chance, and what came of it


def gather(task: Task) -> list[Row]:
    """Every guessed decision of a game."""
    record = play_game(task)
    if record is None:
        return []
    check(record)
    found = []
    last = None
    memories = [make_memory(record.game) for _ in range(8)]
    for step in walk(record):
        if step.seen is not None and last is not None:
            worlds = make_worlds(step.seen, memories[step.seat])
            enact = enact_of(worlds)
            is_known = solve_open_end(step.seen, worlds, list(step.choices)) or ends_game(worlds, step.played, enact)
            if not is_known:
                seed = zlib.crc32(repr((step.number, step.seen.view)).encode())
                told = compare(worlds, [step.played], enact, seed + 1, 2 * GUESSES, is_racing=False)[0]
                found.append((step.seat, features(worlds, told.mean, 2 * GUESSES)))
        last = step.state
    assert last is not None
    score = scorer_of(record.game).score
    return [(row, score(World(last, []), True, seat)) for seat, row in found]


def fit(rows: list[Row]) -> list[float]:
    """The line under which the outcomes are most likely (logistic regression, by Newton's method). A feature that is
    always 0 gets 0."""
    width = len(rows[0][0])
    line = [0.0] * width
    for _ in range(_STEPS):
        slope = [0.0] * width
        bow = [[1e-6 * (i == j) for j in range(width)] for i in range(width)]
        for row, came in rows:
            chance = logistic(sum(a * b for a, b in zip(line, row, strict=True)))
            weight = chance * (1 - chance)
            for i in range(width):
                slope[i] += (came - chance) * row[i]
                for j in range(width):
                    bow[i][j] += weight * row[i] * row[j]
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


def keep(key: str, line: list[float], **said: Any) -> None:
    """Write the line of one table into the file, beside the others."""
    every = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    every[key] = {"bend": [round(one, 4) for one in line], **said}
    FILE.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n", encoding="utf-8")
