"""Corrects guessed chances so that they come true as often as they say, whoever plays.

In a guess all seats play simply and hold any cards. Among beginners that foresees much, among others less: so the
logit of a chance is shrunk, the less the more guesses end in a draw and the more often the seat has played so far as
a beginner is advised to. Only what the seat knows goes into it. The coefficients of each table stand in chances.json,
with the command that fits them to games of several populations, or that has found that a table needs none, and with
the games that were tried; chances at any other table, or by other rules, are rough. The plays of a decision are bent
alike, so the better one stays the better one.
"""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.engine.setup import set_up
from cardtable.engine.state import OPTION, PRESET, SEATS
from host_tools.base.random_play import make_header
from host_tools.judge.facts import bailiff, cals_bs, durak, malice
from host_tools.judge.facts.view import split_view

# Options that may be anything: who begins the next game, in which order people act, how long they have, what is at
# stake.
FREE = frozenset(
    "next_lead first_transfer trump_blocks_transfer throw_order late_limit first_bout draw_order epaulettes start "
    "ask_seconds handicap move_limit first_dealer stake".split()
)
FREE_FOR_TWO = frozenset(["throwers"])  # there is one
COUNTS = {"bailiff": bailiff.COUNTS, "cals-bs": cals_bs.COUNTS, "durak": durak.COUNTS, "malice": malice.COUNTS}
FILE = Path(__file__).with_name("chances.json")
USUAL = 0.85  # of its decisions so many are those of the advice, until a seat has shown how it plays
_SHOWN = 4  # decisions that count as much as that
_LOOSEST = 0.55  # whoever plays less like the advice than that counts as this
_DRAW = 0.5  # the score of one


@dataclass(frozen=True)
class Bearing:
    """What a line takes of a decision beside the chance itself: the share of guesses that end in a draw, and the share
    of the seat's decisions so far that were those of the advice."""

    draws: float = 0.0
    alike: float = USUAL

    @classmethod
    def of(cls, scores: list[float], alike: float = USUAL) -> Bearing:
        """By the scores of the guesses of all plays that are compared."""
        return cls(sum(score == _DRAW for score in scores) / len(scores), alike)


def find_alike(same: int, decisions: int) -> float:
    """The share of a seat's decisions that were those of the advice, as far as it has shown."""
    return (same + USUAL * _SHOWN) / (decisions + _SHOWN)


def key_of(game: Any, seats: int) -> str:
    """Under which name the file keeps that table."""
    return f"{game.NAME} {seats}"


@functools.cache
def load_bends() -> dict[str, tuple[float, ...] | None]:
    """The coefficients of each table; None for one whose chances come true without."""
    rows = json.loads(FILE.read_text(encoding="utf-8")).items()
    return {key: tuple(row["bend"]) if row["bend"] else None for key, row in rows}


@functools.cache
def load_rules(game: Any, seats: int) -> frozenset[bytes]:
    """The rules by which games were tried at such a table, each as `rules_of` has them."""
    row = json.loads(FILE.read_text(encoding="utf-8")).get(key_of(game, seats), {})
    return frozenset(rules_of(game, set_up(game, make_header(line, seats)).register) for line in row.get("games", ()))


def rules_of(game: Any, register: bytes | bytearray) -> bytes:
    """The options by which a game is played, without those that change no chance by much (FREE). What a preset says
    beside its options is told by its name."""
    free = FREE | FREE_FOR_TWO if register[SEATS] == 2 else FREE
    kept = [index for index, option in enumerate(game.OPTIONS) if option[0] not in free]
    options = b"".join(bytes(register[OPTION + 2 * index:OPTION + 2 * index + 2]) for index in kept)
    name, says = game.PRESETS[register[PRESET]]
    return options if not register[PRESET] or says != game.PRESETS[0][1] else options + name.encode()


def is_checked(game: Any, seats: int, register: bytes | bytearray) -> bool:
    """Whether somebody has looked if chances come true at such a table, by such rules; else they are rough. register:
    of the game's state, of which the options are read."""
    return rules_of(game, register) in load_rules(game, seats)


def is_checked_for(seen: Any) -> bool:
    """The same of what a seat sees."""
    return is_checked(seen.game, seen.seats, split_view(seen, COUNTS[seen.game.NAME])[1])


def features(mean: float, count: int, bearing: Bearing) -> tuple[float, ...]:
    """What a line takes of a chance by so many guesses: 1, its logit, and that by its bearing."""
    held = (mean * count + 0.5) / (count + 1)  # guesses that all agree are no certainty
    logit = math.log(held / (1 - held))
    return 1.0, logit, logit * bearing.draws, logit * (max(_LOOSEST, bearing.alike) - USUAL)


def logistic(value: float) -> float:
    """From a logit back to a chance."""
    return 1 / (1 + math.exp(-value))


def bend(
    game: Any, seats: int, mean: float, half: float, count: int, bearing: Bearing = Bearing()
) -> tuple[float, float]:
    """The corrected chance and half of its interval."""
    line = load_bends().get(key_of(game, seats))
    if line is None:
        return mean, half
    low, middle, high = (
        logistic(sum(a * b for a, b in zip(line, features(point, count, bearing), strict=True)))
        for point in (max(0.0, mean - half), mean, min(1.0, mean + half))
    )
    return middle, (high - low) / 2
