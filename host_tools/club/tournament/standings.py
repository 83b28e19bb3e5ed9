"""Computes standings from the set of results alone: a pure function, in whole numbers, the same bytes on every machine.

A first place is worth 120 points, a last one 0, and the others lie evenly between: 120 can be divided so for every
table of 2 to 7. Ties are broken, in this order, by: how strong the opponents are, games lost, first places, marks
(epaulettes, debts); then players share a rank. docs/tournament.md says so.

The strength of opponents does not depend on how many sat at a table: it is the mean, over the games that they played
without the player, of their points by places, which is 60 at a table of any size.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
    opponents: int = 0  # how strong they are, in hundredths of a point a game
    games: int = 0
    lost: int = 0
    first: int = 0
    marks: int = 0
    sat_out: int = 0
    by_round: dict[int, tuple[int, int, int]] = field(default_factory=dict)  # of each: points, points by places, marks

    def add(self, number: int, points: int, lost: int = 0, places: int = 0, marks: int = 0) -> None:
        """Points of a game, or of sitting out."""
        had = self.by_round.get(number, (0, 0, 0))
        self.by_round[number] = had[0] + points, had[1] + places, had[2] + marks
        self.points += points
        self.lost += lost
        self.marks += marks

    def key(self, is_knock_out: bool) -> tuple[int, ...]:
        """What is compared, the smaller one first. In a knock-out: how far, and how well there, as rounds.table_order
        has it: who has won stands first."""
        usual = (-self.points, -self.opponents, self.lost, -self.first, self.marks)
        if not is_knock_out:
            return usual
        last = max(self.by_round, default=0)
        points, places, marks = self.by_round.get(last, (0, 0, 0))
        return (-last, -points, -places, marks, *usual)


@dataclass
class Sum:
    """Points by places, and in how many games."""

    points: int = 0
    games: int = 0

    def add(self, points: int) -> None:
        """One more game."""
        self.points += points
        self.games += 1


def strength(others: Mapping[str, Sum], made: Mapping[str, Sum]) -> int:
    """The mean of what the opponents made in games without the player, in hundredths of a point; the mean of every game
    where there is none. others: what each made in games with the player; made: in all games."""
    points = sum(made[other].points - together.points for other, together in others.items())
    games = sum(made[other].games - together.games for other, together in others.items())
    return (200 * points + games) // (2 * games) if games else 100 * WHOLE // 2


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
    met: dict[str, dict[str, Sum]] = {}
    made: dict[str, Sum] = {}
    for result in results:
        points = score(result.outcome, counts)
        places = score(result.outcome, PLACES)
        marks = dict(result.outcome.marks)
        for name in points:
            row = rows.setdefault(name, Row(name))
            row.games += 1
            row.first += result.outcome.places[0] == (name,)
            row.add(result.round, points[name], int(name in result.outcome.lost), places[name], marks.get(name, 0))
            made.setdefault(name, Sum()).add(places[name])
            others = met.setdefault(name, {})
            for other, made_there in places.items():
                if other != name:
                    others.setdefault(other, Sum()).add(made_there)
    for number, name, games in sat_out:
        row = rows.setdefault(name, Row(name))
        row.sat_out += 1
        row.add(number, games * resting(counts))
    for name, others in met.items():
        rows[name].opponents = strength(others, made)
    found = sorted(rows.values(), key=lambda row: (row.key(is_knock_out), row.name))
    for at, row in enumerate(found):
        same = at and found[at - 1].key(is_knock_out) == row.key(is_knock_out)
        row.rank = found[at - 1].rank if same else at + 1
    return found


def whole_points(results: Iterable[Counted], sat_out: Iterable[tuple[int, str, int]], counts: str) -> Counter[str]:
    """The points of each row of `standings`, and nothing else of it: that takes a tenth of the time."""
    points: Counter[str] = Counter()
    for result in results:
        points.update(score(result.outcome, counts))
    for _, name, games in sat_out:
        points[name] += games * resting(counts)
    return points


def write_csv(rows: Sequence[Row]) -> str:
    """The standings as every machine writes them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([row.rank, row.name, row.points, hundredths(row.opponents), row.games, row.lost, row.first,
                         row.marks, row.sat_out])
    return text.getvalue()


def hundredths(value: int) -> str:
    """`61.25`."""
    return f"{value // 100}.{value % 100:02}"
