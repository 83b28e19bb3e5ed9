"""Follows the record that the firmware writes, piece by piece, and keeps a session that stands where the table stands.

The record on the flash is the truth: its events have happened, and survive the end of this process. The
follower reads only while the device waits for an answer, so no piece is half written.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from pathlib import Path

from cardtable.between import archive
from cardtable.catalogue import find_game
from cardtable.engine.event import Event
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.record import RecordError
from cardtable.engine.setup import SetupError
from cardtable.engine.verdict import rule_id
from host_tools.sight.course import Course, Refusal
from host_tools.sight.seen import Heard, heard, heard_refusal

FOLDER = "games"
LOG_LIMIT = 2000  # lines that each seat has heard; the oldest are forgotten
HEADER_LIMIT = 100  # lines


class Follower:
    """`look()` takes in what is new; True if anything was.

    `course` is None while no game is known. `version` grows with each line taken in. `logs[seat]` is what that seat
    has heard (0: the public). `on_said` is told each thing that everybody may hear, while the session still stands as
    it stood before. `on_next` is told that a further event of the same look is about to happen.
    """

    def __init__(self, flash: Path) -> None:
        self.folder = flash / FOLDER
        self._folder = str(self.folder)
        self.on_said: Callable[[Heard, Refusal | None], None] = lambda said, refusal: None
        self.on_next: Callable[[], None] = lambda: None
        self.version = 0
        self.forget()

    def forget(self) -> None:
        """Forget the game: the power was gone, and the next record is read from its beginning."""
        self.name = ""
        self.course: Course | None = None
        self.result = ""
        self.logs: list[deque[Heard]] = [deque(maxlen=LOG_LIMIT) for _ in range(8)]
        self.answered = [0] * 8  # how many of a seat's events the record holds, refused ones too
        self.told = [0] * 8  # how many things each seat has heard (0: the public)
        self.fresh: list[int] = []  # the cards of the accepted events that the last look took in
        self.at_ms = 0  # of the last event
        self.seen_us = 0  # when it was read
        self.trouble = ""  # why the record cannot be followed
        self._page = self._piece = self._offset = 0
        self._rest = b""
        self._lines: list[str] = []
        self._number = 0
        self._event = Event()
        self.version += 1

    def now_ms(self, now_us: int) -> int:
        """The game's time at this moment of the world, as far as it can be known from outside."""
        return self.at_ms + max(0, now_us - self.seen_us) // 1000

    def look(self, now_us: int = 0) -> bool:
        """Take in the pieces that have come since."""
        if not self.name and not self._find():
            return False
        before = self.version
        self.fresh.clear()
        while (block := self._next_block()) is not None:
            *lines, self._rest = (self._rest + block).split(b"\n")
            for line in lines:
                self._take(line.decode("utf-8", "replace"), now_us)
        return self.version != before

    def _find(self) -> bool:
        """The newest game that lies there in pieces."""
        names = [name for name in archive.list_names(str(self.folder)) if len(name) == 4]
        if not names or self._is_text(names[-1]):
            return False
        self.name = names[-1]
        return True

    def _is_text(self, name: str) -> bool:
        base = str(self.folder / name)
        return archive.exists(base + archive.RECORD) or archive.exists(base + archive.PULLED)

    def _next_block(self) -> bytes | None:
        """The bytes appended to the piece that is read, else the next piece, here or on the next page."""
        for page, piece in ((self._page, self._piece), (self._page, self._piece + 1), (self._page + 1, 0)):
            offset = self._offset if (page, piece) == (self._page, self._piece) else 0
            path = f"{self._folder}/{self.name}/{page}/{piece}"
            try:
                if os.stat(path).st_size <= offset:  # asked fifty times a second: cheaper than to open it
                    continue
                with open(path, "rb") as file:
                    file.seek(offset)
                    block = file.read()
            except OSError:
                continue
            if block:
                self._page, self._piece, self._offset = page, piece, offset + len(block)
                return block
        return None

    def _take(self, line: str, now_us: int) -> None:
        """One whole line of the record."""
        self._number += 1
        if self.trouble:
            return
        if self.course is None:
            self._take_header(line)
        elif line.startswith("result:"):
            self.result = line[7:].strip()
            self.version += 1
        elif line and line[0] not in ";~":
            try:
                self._play(self.course, line, now_us)
            except RecordError as wrong:
                self.trouble = f"line {self._number}: {wrong.cause}"
                self.version += 1

    def _take_header(self, line: str) -> None:
        self._lines.append(line + "\n")
        if line or len(self._lines) > HEADER_LIMIT:
            return
        try:
            header, _ = read_header(iter(self._lines))
            self.course = Course(header, find_game(header.game[0]), self.name)
        except (RecordError, SetupError) as wrong:
            self.trouble = str(wrong)
        self.version += 1

    def _play(self, course: Course, line: str, now_us: int) -> None:
        event = self._event
        rules = read_event(course.game, line, self._number, event)
        self.version += 1
        self.at_ms, self.seen_us = event.at_ms, now_us
        self.answered[event.seat] += 1
        verdict = course.session.judge(event)
        if bool(rules) != bool(verdict):
            raise RecordError(self._number, f"the record says {rules or 'accepted'}, the engine "
                              + (rule_id(course.game, verdict) if verdict else "accepts"))
        self.happen(course, event, verdict)

    def happen(self, course: Course, event: Event, verdict: int) -> None:
        """An event with the verdict on it: each seat and the public hear what they may, then it stands."""
        if self.fresh and not verdict:
            self.on_next()
        refusal = course.refuse(event, verdict) if verdict else None
        game, state = course.game, course.session.state
        for listener, log in enumerate(self.logs[: len(course.header.seats) + 1]):
            said = (heard_refusal(game, state, event, verdict, listener) if verdict
                    else heard(game, state, event, listener))
            if said is not None:
                log.append(said)
                self.told[listener] += 1
                if not listener:
                    self.on_said(said, refusal)
        if not verdict:
            course.enact(event)
            self.fresh.append(event.card)
