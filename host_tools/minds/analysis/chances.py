"""Corrects guessed chances so that they come true as often as they say, whoever plays.

In a guess all seats play simply and hold any cards. Among beginners that foresees much, among others less: so the
logit of a chance is moved and shrunk, by how many guesses end in a draw, how often the seat has played so far as a
beginner is advised to, and in Cal's BS by how few cards are left and what the seats have shown of how they play; there
some units of a small net stand beside these. Only what the seat knows goes into it. A line of
coefficients for each table and its rules stands in chances.json, with the command that fits it to games of several
populations, or that has found that a table needs none, and another line for chances with open cards; at any other
table, or by other rules, they are rough. The plays of a decision are bent alike, and each line rises, so the better
one stays the better one.
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
from host_tools.minds.analysis.shown import find_shown

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
_LOOSEST = 0.55  # a seat that plays less like the advice than that counts as this
_STRICT = 0.9  # from here on it plays as beginners do, whom guesses foresee best
_DRAW = 0.5  # the score of one
_LEAST = 0.1  # how steep a line is at least: the better play stays the better one

NOWHERE = (0.0, 0.0)


@dataclass(frozen=True)
class Bearing:
    """What a line takes of a decision beside the chance itself: the share of guesses that end in a draw, the share of
    the seat's decisions so far that were those of the advice, how near the seat and any other are to their last
    card, as `find_near` has it, and in Cal's BS what the seats have shown, as `find_shown` has it."""

    draws: float = 0.0
    alike: float = USUAL
    near: tuple[float, float] = NOWHERE
    shown: tuple[float, ...] = ()

    @property
    def sides(self) -> tuple[float, ...]:
        """1 and what it says, as a line takes it."""
        alike = max(_LOOSEST, self.alike)
        return 1.0, self.draws, alike - USUAL, max(0.0, alike - _STRICT) / (1 - _STRICT), *self.near, *self.shown

    @classmethod
    def of(cls, scores: list[float], worlds: Any, alike: float = USUAL) -> Bearing:
        """By the scores of the guesses of all plays that are compared, and what the seat sees and remembers."""
        seen = worlds.seen
        shown = find_shown(worlds.memory, seen.seats, seen.seat) if seen.game.NAME == "cals-bs" else ()
        return cls(sum(score == _DRAW for score in scores) / len(scores), alike, find_near(seen), shown)


def find_alike(same: int, decisions: int) -> float:
    """The share of a seat's decisions that were those of the advice, as far as it has shown."""
    return (same + USUAL * _SHOWN) / (decisions + _SHOWN)


def find_near(seen: Any) -> tuple[float, float]:
    """How near the seat, and the nearest of the others, is to its last card: 1 for each card and one more. Only in
    Cal's BS, where hands shrink and grow: with many cards a guess foresees less there than it says."""
    if seen.game.NAME != "cals-bs":
        return NOWHERE
    counts = split_view(seen, cals_bs.COUNTS)[0]
    held = {seat: counts[2 * seat] + counts[2 * seat + 1] for seat in range(1, seen.seats + 1)}
    own = held.pop(seen.seat)
    return 1 / (1 + own), 1 / (1 + min(held.values()))


@dataclass(frozen=True)
class Line:
    """The coefficients of a correction, as `features` has them. units: each weighs the sides of a bearing, and the
    hyperbolic tangent of that is one side more; most lines have none."""

    coefficients: tuple[float, ...]
    units: tuple[tuple[float, ...], ...] = ()

    def at(self, bearing: Bearing) -> tuple[float, float]:
        """By how much the logit is moved there, and by how much it is multiplied."""
        sides = bearing.sides
        sides += tuple(math.tanh(dot(unit, sides)) for unit in self.units)
        return dot(self.coefficients[: len(sides)], sides), dot(self.coefficients[len(sides):], sides)


def dot(some: tuple[float, ...], others: tuple[float, ...]) -> float:
    """The sum of the products."""
    return sum(a * b for a, b in zip(some, others, strict=True))


@dataclass(frozen=True)
class Lines:
    """Those for one table; None where chances come true without."""

    closed: Line | None  # by what the seat knows
    opened: Line | None  # with open cards


def key_of(line: str, seats: int) -> str:
    """Under which name the file keeps the table of that `game:` line."""
    return f"{line} {seats}"


def load_rows() -> dict[str, Any]:
    """What the file says of each table."""
    rows: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return rows


@functools.cache
def load_lines(game: Any, seats: int) -> dict[bytes, Lines]:
    """The lines of each table of that game that was tried, by its rules, which are as `rules_of` has them; the usual
    ones first."""
    found = {}
    for key, row in sorted(load_rows().items()):
        line, count = key.rsplit(" ", 1)
        if line.split()[0] == game.NAME and int(count) == seats:
            rules = rules_of(game, set_up(game, make_header(line, seats)).register)
            found[rules] = Lines(*(read_line(row, name) for name in ("bend", "open")))
    return found


def read_line(row: dict[str, Any], name: str) -> Line | None:
    """One of a table's."""
    return Line(tuple(row[name]), tuple(map(tuple, row.get(f"{name}.units", ())))) if row[name] else None


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
    return rules_of(game, register) in load_lines(game, seats)


def is_checked_for(seen: Any) -> bool:
    """The same of what a seat sees."""
    return is_checked(seen.game, seen.seats, split_view(seen, COUNTS[seen.game.NAME])[1])


def find_lines(game: Any, seats: int, register: bytes | bytearray) -> Lines:
    """The lines for such a table: by rules that were not tried those of the usual ones, where there are any."""
    lines = load_lines(game, seats)
    return lines.get(rules_of(game, register)) or next(iter(lines.values()), Lines(None, None))


def find_lines_for(seen: Any) -> Lines:
    """The same of what a seat sees."""
    return find_lines(seen.game, seen.seats, split_view(seen, COUNTS[seen.game.NAME])[1])


def logit_of(mean: float, count: int) -> float:
    """Of a chance by so many guesses."""
    held = (mean * count + 0.5) / (count + 1)  # guesses that all agree are no certainty
    return math.log(held / (1 - held))


def features(mean: float, count: int, bearing: Bearing) -> tuple[float, ...]:
    """What a line takes of a chance by so many guesses: the sides of its bearing, and those times its logit."""
    logit = logit_of(mean, count)
    return *bearing.sides, *(logit * side for side in bearing.sides)


def logistic(value: float) -> float:
    """From a logit back to a chance."""
    return 1 / (1 + math.exp(-value))


def bend(
    line: Line | None, mean: float, half: float, count: int, bearing: Bearing = Bearing()
) -> tuple[float, float]:
    """The chance and half of its interval, corrected by a line."""
    if line is None:
        return mean, half
    shift, steep = line.at(bearing)
    low, middle, high = (
        logistic(shift + max(_LEAST, steep) * logit_of(point, count))
        for point in (max(0.0, mean - half), mean, min(1.0, mean + half))
    )
    return middle, (high - low) / 2
