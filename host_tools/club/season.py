"""Adds up the evenings of a season from their exported records alone: points, ratings, attendance.

A rating is openskill's Plackett-Luce model: each deal is one match of those who sat at the table, in
the order of its places. Deals come in the order of the evenings, then of round, table and game, so every computer gets
the same numbers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import SHEET, list_files, no_formula, path_as_text
from host_tools.club.tournament.recompute import Gathered, gather, read_rulings
from host_tools.club.tournament.standings import Row
from host_tools.club.tournament.templates import fill
from host_tools.club.tournament.wording import Wording

COLUMNS = ("rank", "player", "points", "evenings", "games", "first", "lost", "rating")
MIDDLE, UNIT = 1500, 200  # of the scale of ratings, where everybody begins at 25 with a deviation of 25/3


@dataclass(frozen=True)
class Evening:
    """One evening: its folder's name, the tournament's, the rows of its standings, and its results."""

    folder: str
    name: str
    rows: list[Row]
    gathered: Gathered


@dataclass
class Member:
    """What a season brought one player."""

    name: str
    rank: int = 0
    points: int = 0
    evenings: int = 0
    games: int = 0
    first: int = 0
    lost: int = 0
    rating: int | None = None
    by_evening: list[int] = field(default_factory=list)


def read_evening(folder: Path) -> tuple[Evening, list[str]]:
    """An evening by the files of `cardtable tournament export`, and a sentence for each record that does not count.
    UnusableInput."""
    files = list_files([folder], ".rec", is_needed=False)
    path = folder / "rulings.json"
    rulings = read_rulings(foreign.read_text(path), str(path)) if path.exists() else None
    if not files and rulings is None:  # of an evening that was entered by hand the rulings say everything
        raise UnusableInput(f"{folder}: no records: `cardtable tournament export --to {folder}` writes them")
    found = gather(((str(file), foreign.read_bytes(file)) for file in files), rulings)
    return Evening(path_as_text(folder.name or folder), found.tournament, found.standings(), found), found.notes


def read_season(folders: Sequence[Path]) -> tuple[list[Evening], list[str]]:
    """The evenings in their order. UnusableInput, also for an evening that is there twice."""
    evenings, notes = [], []
    seals: dict[str, Path] = {}
    begun: dict[tuple[str, str], Path] = {}
    for at, folder in enumerate(folders):
        if folder.resolve() in [other.resolve() for other in folders[:at]]:  # of games by hand no seal tells it
            raise UnusableInput(f"{folder}: it is named twice: take each evening once")
        evening, more = read_evening(folder)
        if evening.gathered.begun:
            there = begun.setdefault((evening.name, evening.gathered.begun), folder)
            if there != folder:
                raise UnusableInput(f"{folder}: {foreign.shorten(evening.name)}, begun"
                                    f" {foreign.shorten(evening.gathered.begun)}, lies in {there} as well: take each"
                                    " evening once")
        found = {one.seal for one in evening.gathered.results if one.seal}
        for seal in sorted(found & seals.keys()):
            raise UnusableInput(f"{folder}: the game sealed {seal} lies in {seals[seal]} as well: take each evening"
                                " once")
        seals.update(dict.fromkeys(found, folder))
        evenings.append(evening)
        notes += more
    return evenings, notes


def add_up(evenings: Sequence[Evening], same: Mapping[str, str] | None = None, best: int = 0) -> list[Member]:
    """A row for each player, the most points first. same: other spellings of a name; best: only so many evenings of
    each player count, those with the most points (0: all)."""
    spell = same or {}
    known = {row.name for evening in evenings for row in evening.rows}
    for name in spell:
        if name not in known:  # one wrong letter, and two rows stay two people
            raise UnusableInput(f"--same: no evening has a player {foreign.shorten(name)!r}")
    members: dict[str, Member] = {}
    for evening in evenings:
        there: dict[str, int] = {}
        for row in evening.rows:
            name = spell.get(row.name, row.name)
            if name in there:
                raise UnusableInput(f"{evening.folder}: {name} played there under two names, so they are two people")
            member = members.setdefault(name, Member(name))
            there[name] = row.points
            member.by_evening.append(row.points)
            member.evenings += 1
            member.games += row.games
            member.first += row.first
            member.lost += row.lost
    for member in members.values():
        member.points = sum(sorted(member.by_evening, reverse=True)[: best or None])
    for name, rating in rate(evenings, spell).items():
        members[name].rating = rating
    found = sorted(members.values(), key=lambda one: (-one.points, -one.first, one.lost, one.name))
    for at, one in enumerate(found):
        before = found[at - 1]
        tied = at and (before.points, before.first, before.lost) == (one.points, one.first, one.lost)
        one.rank = before.rank if tied else at + 1
    return found


def rate(evenings: Sequence[Evening], spell: Mapping[str, str]) -> dict[str, int]:
    """A rating of everybody who played; {} where openskill is not installed."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return {}
    model = PlackettLuce()
    ratings: dict[str, Any] = {}
    for evening in evenings:
        for one in sorted(evening.gathered.results, key=lambda result: (result.round, result.table, result.game)):
            teams = [[spell.get(name, name) for name in place] for place in one.outcome.places]
            names = [name for place in teams for name in place]
            ranks = [float(at) for at, place in enumerate(teams) for _ in place]
            for name in names:
                ratings.setdefault(name, model.rating(name=name))
            rated = model.rate([[ratings[name]] for name in names], ranks=ranks)
            ratings.update({name: new for name, [new] in zip(names, rated, strict=True)})
    return {name: round(MIDDLE + UNIT * (one.mu - 25) / (25 / 3)) for name, one in ratings.items()}


def cells(member: Member) -> list[str]:
    """A row as text, in the order of COLUMNS."""
    return [str(value) if value is not None else "" for value in (
        member.rank, member.name, member.points, member.evenings, member.games, member.first, member.lost,
        member.rating)]


def write_csv(members: Sequence[Member]) -> str:
    """The season for a spreadsheet. Names are as records say them, which anybody may have written."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([no_formula(cell) for cell in cells(member)] for member in members)
    return SHEET + text.getvalue()


def write_page(evenings: Sequence[Evening], members: Sequence[Member], language: str) -> str:
    """The season as a page that needs nothing from elsewhere."""
    words = Wording(language)
    numbers = ("rank", "points", "evenings", "games", "first", "head.lost", "rating")
    heads = ["head.lost" if key == "lost" else key for key in COLUMNS]
    return fill("season", words, title=words.say("season"), heads=heads, numbers=numbers, members=map(cells, members),
                evenings=evenings)
