"""Owns a record as something to look at: its game before and after each event, and what one reader may see of it.

A reader is the public, one seat, or `all` (every hand open). Each sees a table through the messages that
host_tools/sight/viewer.py makes, and hears what the public feed's rule of hiding lets it hear. While a record has no
result there are secrets, and then only the public may read it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.event import Event
from cardtable.engine.match import FROM
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.record import LINE_LIMIT, RecordError
from cardtable.engine.setup import SetupError
from cardtable.engine.verdict import rule_id
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.judge.records import verify
from host_tools.judge.replay.core import Lines, agrees, check_letters
from host_tools.sight.course import Course
from host_tools.sight.scene import Scene
from host_tools.sight.seen import Heard, heard, heard_refusal
from host_tools.sight.viewer import Viewer

PUBLIC = "public"
ALL = "all"
READERS = (PUBLIC, ALL)
SECRET = "this game has no result yet, so only what is public can be shown"


@dataclass(frozen=True)
class Reader:
    """One reader of a record: `name` is public, all or the number of a seat."""

    name: str
    seats: tuple[int, ...] = ()

    @property
    def seat(self) -> int:
        """The seat that looks; 0: the public; -1: all hands are open."""
        return -1 if self.name == ALL else self.seats[0] if self.seats else 0


@dataclass(frozen=True)
class Line:
    """One event of a record, before it happens: its `number` in the file, its `text`, the event, the rules under which
    the record says that it was refused, and the engine's verdict."""

    number: int
    text: str
    event: Event
    rules: str
    verdict: int


class Recorded:
    """A record that was read: `header`, `game`, `result`; `is_over`: it has the result that the engine comes to, and
    no secrets any more. `trouble`: why it cannot be played on from some line, a sentence. `finding`: of its seals."""

    def __init__(self, name: str, content: bytes, key: bytes | None = None) -> None:
        """UnusableInput for bytes that begin no game."""
        self.name, self.content = name, content
        self.has_key = key is not None
        self.finding = verify.verify(content, key)
        self.trouble = self.result = ""
        self.is_over = False
        self.count = 0  # events that can be shown
        self._lines = Lines(io.BytesIO(content))
        try:
            self.header, _ = read_header(self._lines.header())
            self.game = find_game(self.header.game[0])
            self.course()
        except (RecordError, SetupError) as wrong:
            at = getattr(wrong, "line", 0) or 1
            raise UnusableInput(f"{name}: line {at}: {foreign.shorten(str(wrong), 200)}") from wrong
        self.length = self._lines.number
        self.lines = list(self._read_lines())
        for _ in self.walk():
            self.count += 1

    @property
    def begins(self) -> int:
        """The line from which the game was played, where it was played on from a finished one; else 0."""
        words = dict(self.header.keys).get(FROM, "").split()
        if not words:
            return 0
        first = words[2] if len(words) > 2 else ""
        return int(first) if first.isascii() and first.isdecimal() and len(first) < 9 else 1

    def _read_lines(self) -> Iterator[tuple[int, str]]:
        """(number, text) of the lines behind the header that tell of the game."""
        try:
            while (line := self._lines.read_text()) is not None:
                if line[:1] not in (";", "~"):
                    yield self._lines.number, line
        except RecordError as wrong:
            self.trouble = f"line {wrong.line}: {wrong.cause}"

    def course(self) -> Course:
        """The game at its beginning."""
        return Course(self.header, self.game)

    def walk(self, course: Course | None = None) -> Iterator[Line]:
        """Each event while the game stands before it; it happens afterwards. Ends where the record cannot go on."""
        course = course or self.course()
        before = 0
        for at, (number, text) in enumerate(self.lines):
            if text.startswith("result:"):
                self.result = " ".join(text[7:].split())
                self.is_over = course.session.is_over() and self.result == course.session.result()
                if not self.is_over:
                    self.trouble = f"line {number}: the game had no such result"
                elif self.lines[at + 1 :]:
                    self.trouble = f"line {self.lines[at + 1][0]}: something stands behind the result"
                return
            try:
                line = self._judge(course, number, text)
                if line.event.at_ms < before:
                    raise RecordError(number, "its time runs backwards")
            except RecordError as wrong:
                self.trouble = f"line {wrong.line}: {foreign.shorten(wrong.cause, 200)}"
                return
            before = line.event.at_ms
            yield line
            if line.verdict:
                course.refuse(line.event, line.verdict)
            else:
                course.enact(line.event)

    def _judge(self, course: Course, number: int, text: str) -> Line:
        """One line with the engine's verdict. RecordError where the two differ."""
        if len(text) > LINE_LIMIT:
            raise RecordError(number, f"a line of more than {LINE_LIMIT} characters")
        check_letters(text, number)
        event = Event()
        rules = read_event(self.game, text, number, event)
        verdict = course.session.judge(event)
        if not agrees(self.game, rules, verdict):
            raise RecordError(number, tell_difference(rules, rule_id(self.game, verdict) if verdict else ""))
        return Line(number, text, event, rules, verdict)

    def reader(self, name: str) -> Reader:
        """The reader of that name: public, all, a seat's number or its player. UnusableInput, also for a reader whom
        a game with secrets is not shown."""
        seats = len(self.header.seats)
        if name == PUBLIC:
            return Reader(PUBLIC)
        number = self.find_seat(name) if name != ALL else 0
        if not self.is_over:
            raise UnusableInput(f"{self.name}: {SECRET}")
        return Reader(ALL, tuple(range(1, seats + 1))) if name == ALL else Reader(str(number), (number,))

    def readers(self) -> list[Reader]:
        """Everybody to whom it may be shown."""
        names = [PUBLIC, ALL, *map(str, range(1, len(self.header.seats) + 1))] if self.is_over else [PUBLIC]
        return [self.reader(name) for name in names]

    def find_seat(self, name: str) -> int:
        """The seat of that number or player. UnusableInput."""
        wanted = name.strip().casefold()
        for seat, player in enumerate(self.header.seats, 1):
            if wanted in (str(seat), player.casefold()):
                return seat
        there = ", ".join(self.header.seats)
        raise UnusableInput(f"{self.name}: nobody called {foreign.shorten(name)!r} plays; there is: {there}")


def tell_difference(rules: str, rule: str) -> str:
    """A record names these rules, or none, and the engine that one, or none."""
    if rules and rule:
        return f"the record says refused under {rules}, the engine under {rule}"
    return f"the record says accepted, the engine refuses it under {rule}" if rule else (
        "the record says refused, the engine accepts it")


def read_record(path: Path, key: bytes | None = None) -> Recorded:
    """The record in a file. UnusableInput."""
    return Recorded(str(path), foreign.read_bytes(path), key)


def viewer_of(scene: Scene, reader: Reader) -> Viewer:
    """The viewer that makes this reader's messages."""
    is_open = reader.seat < 0
    return Viewer(scene, "seat" if reader.seats and not is_open else "public", reader.seats, is_open)


def hear(game: Any, state: Any, line: Line, reader: Reader) -> Heard | None:
    """The event as the reader hears it, asked before it happens; None if it hears nothing. Its `verb` is told of a
    refusal too, where the reader may know what was tried."""
    event = line.event
    listener = event.seat if reader.seat < 0 else reader.seat
    if not line.verdict:
        return heard(game, state, event, listener)
    said = heard_refusal(game, state, event, line.verdict, listener)
    if said is None or event.seat != listener:
        return said
    return Heard(said.at_ms, said.seat, event.verb, event.card, event.target, said.rule)


def clock(at_ms: int) -> str:
    """`1:04.5`: minutes and seconds since the game began."""
    tenths = at_ms // 100
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"
