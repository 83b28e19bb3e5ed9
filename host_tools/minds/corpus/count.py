"""Counts what records have in common: lengths, who loses by seat, takes, refusals by rule, bluffs and doubts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.engine.deck import JOKER, RANK
from cardtable.engine.event import verb_name
from cardtable.games import cals_bs
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.base.errors import UnusableInput
from host_tools.sight.recorded import Recorded, read_record


@dataclass
class Counts:
    """Of one game: all that the report shows. `lost[n]`: games that the seat n places left of the dealer lost."""

    games: int = 0
    draws: int = 0
    lengths: list[int] = field(default_factory=list)
    minutes: list[float] = field(default_factory=list)
    verbs: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    lost: Counter[int] = field(default_factory=Counter)
    sat: Counter[int] = field(default_factory=Counter)
    fair: Counter[int] = field(default_factory=Counter)  # in millionths: how often the seat would lose by lot
    first_takes: int = 0  # Durak: games whose first bout was taken
    claims: int = 0
    lies: int = 0
    doubts: int = 0
    right: int = 0

    def add(self, record: Recorded) -> None:
        """Take in one finished game."""
        game = record.game
        course = record.course()
        state, seats = course.session.state, len(record.header.seats)
        events, last_ms, first = 0, 0, True
        for line in record.walk(course):
            last_ms = line.event.at_ms
            name = verb_name(game, line.event.verb)
            if line.verdict:
                self.refusals[line.rules.split()[0]] += 1
                continue
            events += 1
            self.verbs[name] += 1
            if name == "take" and first:
                self.first_takes += 1
                first = False
            elif name == "done":
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


def count(paths: Iterable[Path]) -> tuple[dict[str, Counts], int]:
    """The counts of each game, and how many records were left out: no result, played on from
    a finished game, or not readable."""
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
        found.setdefault(record.game.NAME, Counts()).add(record)
    return found, left_out
