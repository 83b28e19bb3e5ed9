"""Counts what records have in common: lengths, who loses by seat, takes, refusals by rule, bluffs and doubts."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from itertools import islice
from pathlib import Path
from typing import Any

from cardtable.engine.deck import JOKER, RANK
from cardtable.engine.event import verb_name
from cardtable.games import cals_bs, durak
from host_tools.judge.facts import cals_bs as cals_bs_facts, durak as durak_facts
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import ENGLISH
from host_tools.base.workers.pool import spread
from host_tools.sight.course import refuse
from host_tools.sight.recorded import Recorded, read_record

CHUNK = 20  # records that a process counts at a time


@dataclass
class Counts:
    """Of one game: all that the report shows. `lost[n]`: games that the seat n places left of the dealer lost."""

    games: int = 0
    draws: int = 0
    lengths: list[int] = field(default_factory=list)
    minutes: list[float] = field(default_factory=list)
    verbs: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    said: Counter[tuple[str, str]] = field(default_factory=Counter)  # rule and words of each refusal
    lost: Counter[int] = field(default_factory=Counter)
    sat: Counter[int] = field(default_factory=Counter)
    fair: Counter[int] = field(default_factory=Counter)  # in millionths: how often the seat would lose by lot
    first_takes: int = 0  # Durak: games whose first bout was taken
    claims: int = 0
    lies: int = 0
    doubts: int = 0
    right: int = 0

    def add(self, record: Recorded, language: str = ENGLISH) -> None:
        """Take in one finished game; the words of refusals are in that language."""
        game = record.game
        course = record.course()
        state, seats = course.session.state, len(record.header.seats)
        events, last_ms, first, attacks = 0, 0, game is durak, 0
        for line in record.walk(course):
            last_ms = line.event.at_ms
            name = verb_name(game, line.event.verb)
            if line.verdict:
                rule = line.rules.split()[0]
                self.refusals[rule] += 1
                self.said[rule, refuse(game, state, line.event, line.verdict).tell(game, language)] += 1
                continue
            events += 1
            self.verbs[name] += 1
            if first:  # the bout goes on behind a `done` and, in `simple`, ends without one
                first = bool(state.register[durak_facts.ATTACKS]) or not attacks
                attacks = state.register[durak_facts.ATTACKS]
            if name == "take" and first:
                self.first_takes += 1
                first = False
            if game is cals_bs:
                self.add_word(state, line.event, name)
        self.games += 1
        self.lengths.append(events)
        self.minutes.append(last_ms / 60_000)
        lost = game.losers(state)
        self.draws += not lost
        losers = bin(lost).count("1")
        for seat in range(1, seats + 1):
            place = (seat - record.header.dealer) % seats
            self.sat[place] += 1
            self.lost[place] += lost >> seat & 1
            self.fair[place] += 1_000_000 * losers // seats

    def add_up(self, other: Counts) -> None:
        """What was counted in other records."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def add_word(self, state: Any, event: Any, name: str) -> None:
        """Cal's BS: a claim or a doubt, before it happens."""
        if name == "claim":
            laid = [card for card in range(cals_bs.CARDS) if state.where[card] == cals_bs_facts.STAGED + event.seat]
            self.claims += 1
            self.lies += any(RANK[card] not in (event.target, JOKER) for card in laid)
        elif name == "doubt":
            self.doubts += 1
            self.right += not cals_bs.is_set_true(state)


def list_records(path: Path) -> list[Path]:
    """The records of a folder, or one file. UnusableInput."""
    found = sorted(path.glob("**/*.rec")) if path.is_dir() else [path]
    if not found:
        raise UnusableInput(f"{path} has no records")
    return found


def count(
    paths: Iterable[Path], tell: Callable[[int], None] = lambda done: None, jobs: int = 1, language: str = ENGLISH
) -> tuple[dict[str, Counts], int]:
    """The counts of each game, and how many records were left out: no result, played on from a finished game, or not
    readable. tell(records that are counted), again and again; jobs: processes, 0 for one on each core."""
    found: dict[str, Counts] = {}
    left_out = done = 0
    for part, number, without in spread(functools.partial(tally, language=language), chunks(paths), jobs):
        for name, counts in part.items():
            found.setdefault(name, Counts()).add_up(counts)
        left_out += without
        done += number
        tell(done)
    return found, left_out


def chunks(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """The paths, so many at a time."""
    rest = iter(paths)
    while some := list(islice(rest, CHUNK)):
        yield some


def tally(paths: list[Path], language: str) -> tuple[dict[str, Counts], int, int]:
    """The counts of each game among these records, how many there are, and how many of them were left out."""
    found: dict[str, Counts] = {}
    left_out = 0
    for path in paths:
        try:
            record = read_record(path)
        except UnusableInput:
            left_out += 1
            continue
        if not record.is_over or record.result == "aborted" or record.begins:
            left_out += 1
            continue
        found.setdefault(record.game.NAME, Counts()).add(record, language)
    return found, len(paths), left_out
