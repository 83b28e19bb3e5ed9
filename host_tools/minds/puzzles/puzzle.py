"""A puzzle: a position, the seat that has to act, the one act that is right. Puzzles are lines of text:

    durak-0001 | take | seat 2 | take | 3 of 9 | durak throw-in; 2 seats, dealer 1; hand1 6S 7S; phase 1; 0.0 s

Name, theme, seat, the answer as a record writes it, how many of the virtual players missed it, and the position as
judge/position_line.py reads it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from cardtable.engine.event import Event, pack, unpack
from cardtable.engine.reading import read_event
from cardtable.engine.record import RecordError, write_event
from cardtable.engine.session import Session
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.judge.position_line import read_position

STOCK = Path(__file__).with_name("stock.txt")
FAIR = 1500  # the rating of a puzzle that half of the virtual players miss
_TENFOLD = 400  # points for ten times the odds, as in chess


@dataclass(frozen=True)
class Puzzle:
    """One puzzle. missed, asked: of so many virtual players so many played something else."""

    name: str
    theme: str
    seat: int
    answer: str
    missed: int
    asked: int
    position: str

    @property
    def rating(self) -> int:
        """The more players miss it, the higher: odds of 10 : 1 are 400 points. One player more on either side keeps it
        finite."""
        return round(FAIR + _TENFOLD * math.log10((self.missed + 1) / (self.asked - self.missed + 1)))

    def line(self) -> str:
        """As it is kept."""
        return " | ".join([self.name, self.theme, f"seat {self.seat}", self.answer, f"{self.missed} of {self.asked}",
                           self.position])

    def load(self) -> tuple[Session, int]:
        """The game in that position, and its time in ms. UnusableInput."""
        return read_position(self.position)

    def packed(self, game: Any) -> int:
        """The answer as a move."""
        return read_answer(game, self.answer)


def read_answer(game: Any, text: str) -> int:
    """A move as a record writes it, packed. UnusableInput."""
    event = Event()
    try:
        read_event(game, f"0 1 {text}", 1, event)
    except RecordError as wrong:
        raise UnusableInput(f"{foreign.shorten(text)!r} is no play of {game.NAME}") from wrong
    return pack(event.verb, event.card, event.target)


def write_answer(game: Any, packed: int) -> str:
    """The same the other way round."""
    return write_event(game, unpack(packed, 1, 0, Event())).split(" ", 2)[2]


def read_puzzle(line: str) -> Puzzle:
    """UnusableInput for a line that is none."""
    try:
        name, theme, seat, answer, missed, position = [part.strip() for part in line.split("|")]
        few, asked = missed.split(" of ")
        found = Puzzle(name, theme, foreign.read_number(seat.removeprefix("seat ")), answer, foreign.read_number(few),
                       foreign.read_number(asked), position)
        if not 0 <= found.missed <= found.asked or not 0 < found.seat < 8:
            raise ValueError(missed)
    except ValueError as wrong:
        raise UnusableInput(f"this is no puzzle: {foreign.shorten(line)}") from wrong
    return found


def read_puzzles(lines: Iterable[str]) -> list[Puzzle]:
    """All of them; empty lines and those that begin with # are skipped. UnusableInput."""
    return [read_puzzle(line) for line in lines if line.strip() and not line.startswith("#")]


@functools.cache
def stock() -> dict[str, Puzzle]:
    """The puzzles that come with the project, by their names."""
    return {puzzle.name: puzzle for puzzle in read_puzzles(foreign.read_lines(STOCK))}


def puzzle_of_day(day: date) -> Puzzle:
    """The same for everybody on that day; all puzzles have had their turn before one comes again."""
    puzzles = list(stock().values())
    # A step that shares no factor with their number visits all, and neighbours in the file are days apart.
    step = next(number for number in range(len(puzzles) * 5 // 8, len(puzzles) + 1)
                if math.gcd(number, len(puzzles)) == 1)
    return puzzles[day.toordinal() * step % len(puzzles)]
