"""Computes standings from the set of results alone: a pure function, in whole numbers, the same bytes on every machine.

A first place is worth 120 points, a last one 0, and the others lie evenly between: 120 can be divided so for every
table of 2 to 7. Ties are broken, in this order, by: the points of all opponents met, games lost, first places, marks
(epaulettes, debts); then players share a rank. docs/tournament.md says so.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from host_tools.club.tournament.plan import FOOLS, KNOCK_OUT, PLACES
from host_tools.club.tournament.results import Outcome

WHOLE = 120
COLUMNS = ("rank", "player", "points", "opponents", "games", "lost", "first", "marks", "sat_out")


@dataclass(frozen=True)
class Counted:
    """One result of the set: its key, and what the game brought."""

    round: int
    table: str
    game: int
    seal: str
    outcome: Outcome


@dataclass
class Row:
    """One player's standing."""

    name: str
    rank: int = 0
    points: int = 0
    opponents: int = 0
    games: int = 0
    lost: int = 0
    first: int = 0
    marks: int = 0
    sat_out: int = 0
    by_round: dict[int, tuple[int, int]] = field(default_factory=dict)  # points and games lost in each

    def add(self, number: int, points: int, lost: int = 0) -> None:
        """Points of a game, or of sitting out."""
        had, had_lost = self.by_round.get(number, (0, 0))
        self.by_round[number] = had + points, had_lost + lost
        self.points += points
        self.lost += lost

    def key(self, is_knock_out: bool) -> tuple[int, ...]:
        """What is compared, the smaller one first. In a knock-out: how far, and how well there."""
        usual = (-self.points, -self.opponents, self.lost, -self.first, self.marks)
        if not is_knock_out:
            return usual
        last = max(self.by_round, default=0)
        points, lost = self.by_round.get(last, (0, 0))
        return (-last, -points, lost, *usual)


def score(outcome: Outcome, counts: str) -> dict[str, int]:
    """The points that a game brings each player."""
    count = len(outcome.players)
    if counts == FOOLS:
        return {name: 0 if name in outcome.lost else WHOLE for name in outcome.players}
    if counts != PLACES:
        first = outcome.places[0]
        return {name: WHOLE // len(first) if name in first else 0 for name in outcome.players}
    step = WHOLE // (count - 1) if count > 1 else 0
    found, before = {}, 0
    for place in outcome.places:
        best, worst = WHOLE - step * before, WHOLE - step * (before + len(place) - 1)
        found.update({name: (best + worst) // 2 for name in place})
        before += len(place)
    return found


def resting(counts: str) -> int:
    """The points of a game that somebody sits out: an average one; where only fools count, one that was not lost."""
    return WHOLE if counts == FOOLS else WHOLE // 2


def standings(results: Iterable[Counted], sat_out: Iterable[tuple[int, str, int]], counted_as: str) -> list[Row]:
    """A row for each player who has played or sat out. sat_out: (round, player, games). counted_as: a plan's."""
    is_knock_out = counted_as.startswith(KNOCK_OUT)
    counts = counted_as.split()[-1]
    rows: dict[str, Row] = {}
    met: dict[str, list[str]] = {}
    for result in results:
        points = score(result.outcome, counts)
        marks = dict(result.outcome.marks)
        for name in result.outcome.players:
            row = rows.setdefault(name, Row(name))
            row.games += 1
            row.first += result.outcome.places[0] == (name,)
            row.marks += marks.get(name, 0)
            row.add(result.round, points[name], int(name in result.outcome.lost))
            met.setdefault(name, []).extend(other for other in result.outcome.players if other != name)
    for number, name, games in sat_out:
        row = rows.setdefault(name, Row(name))
        row.sat_out += 1
        row.add(number, games * resting(counts))
    for name, others in met.items():
        rows[name].opponents = sum(rows[other].points for other in others)
    found = sorted(rows.values(), key=lambda row: (row.key(is_knock_out), row.name))
    for at, row in enumerate(found):
        same = at and found[at - 1].key(is_knock_out) == row.key(is_knock_out)
        row.rank = found[at - 1].rank if same else at + 1
    return found


def write_csv(rows: Sequence[Row]) -> str:
    """The standings as every machine writes them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([row.rank, row.name, row.points, row.opponents, row.games, row.lost, row.first, row.marks,
                         row.sat_out])
    return text.getvalue()
