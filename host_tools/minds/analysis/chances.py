"""Corrects guessed chances so that they come true as often as they say.

In a guess all seats play simply and hold any cards; late in a real game the others hold better ones. So the logit of a
chance is bent by a line: a + b * logit + c * share of the stock that is left. The coefficients of each game stand in
chances.json, with the command that fits them, or that has found that a table needs none; chances at any other table are
rough. Both moves of a decision are bent
alike, so the better one stays the better one.
"""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

from cardtable.games import durak
from host_tools.judge.facts import durak as durak_facts

FILE = Path(__file__).with_name("chances.json")
_STOCK = 24  # cards left after the usual deal: a share of 1


def key_of(game: Any, seats: int) -> str:
    """Under which name the file keeps that table."""
    return f"{game.NAME} {seats}"


@functools.cache
def load_bends() -> dict[str, tuple[float, float, float] | None]:
    """The coefficients of each table; None for one whose chances come true without."""
    rows = json.loads(FILE.read_text(encoding="utf-8")).items()
    return {key: tuple(row["bend"]) if row["bend"] else None for key, row in rows}


def is_checked(game: Any, seats: int) -> bool:
    """Whether somebody has looked if chances come true at such a table; else they are rough."""
    return key_of(game, seats) in load_bends()


def features(worlds: Any, mean: float, count: int) -> tuple[float, float, float]:
    """What a line takes of a chance by so many guesses: 1, its logit, the share of the stock that is left."""
    held = (mean * count + 0.5) / (count + 1)  # guesses that all agree are no certainty
    left = worlds.template.register[durak_facts.LEFT] / _STOCK if worlds.game is durak else 0.0
    return 1.0, math.log(held / (1 - held)), left


def logistic(value: float) -> float:
    """From a logit back to a chance."""
    return 1 / (1 + math.exp(-value))


def bend(worlds: Any, mean: float, half: float, count: int) -> tuple[float, float]:
    """The corrected chance and half of its interval."""
    line = load_bends().get(key_of(worlds.game, worlds.seen.seats))
    if line is None:
        return mean, half
    low, middle, high = (
        logistic(sum(a * b for a, b in zip(line, features(worlds, point, count), strict=True)))
        for point in (max(0.0, mean - half), mean, min(1.0, mean + half))
    )
    return middle, (high - low) / 2
