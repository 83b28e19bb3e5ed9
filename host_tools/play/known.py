"""Knows the game of a live table that is under way, the firmware's lines, and the games that are finished."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from host_tools.play.cards import Cards
from host_tools.play.library import keep, list_names
from host_tools.play.machine import Machine
from host_tools.sight.feed import LASTING, Feed
from host_tools.sight.follower import Follower

TIDY_US = 1_000_000  # how often finished games are looked for


class Clears(Protocol):
    """A seat's hands, as the knowledge needs them: what waits for them goes with the game."""

    @property
    def acts(self) -> deque[Any]: ...


class KnownTable(Protocol):
    """A live table, as the knowledge of its game needs it."""

    folder: Path
    language: str
    lesson: Any
    machine: Machine

    @property
    def flash(self) -> Path: ...
    @property
    def hands(self) -> Mapping[int, Clears]: ...
    @property
    def now_us(self) -> int: ...


class Known:
    """`hear(line)`, `look()`. seed: each game is shuffled anew, and the same with
    the same seed. library: where finished games are copied; None: nowhere. on_line: called with each line that the
    firmware prints."""

    def __init__(self, table: KnownTable, *, seed: int, library: Path | None, on_line: Callable[[str], None]) -> None:
        self.table = table
        self.seed, self.library, self.on_line = seed, library, on_line
        self.follower = Follower(table.flash)
        self.follower.on_next = self.settle
        self.feed = Feed(self.follower, table.language)
        self.cards: Cards | None = None
        self.records = list_names(library) if library else []  # names of finished games
        self.digest = ""
        self.is_up = self.is_in_game = False
        self.is_closed = False  # the game is written down: nothing of it can be taken back
        self.kept = ""  # the name of its record, once that lies among the finished games
        self.notice = ""  # the firmware's last line about itself
        self.said: list[str] = []  # its lines since it came up
        self._tidied_us = 0
        self._nonce = ""  # of the last game
        self._deals = 0  # games since this process began

    def forget(self) -> None:
        """The device starts anew, or has no power."""
        self.is_up = self.is_in_game = False
        self.said.clear()
        self.follower.forget()
        self.feed.forget()
        self.cards = None
        self.digest, self.is_closed, self.kept = "", False, ""
        for hands in self.table.hands.values():
            hands.acts.clear()

    def hear(self, line: str) -> None:
        """A line that the firmware printed."""
        if line.startswith("cardtable on "):
            self.forget()
        elif line.startswith("boot: "):
            self.is_up = True
        elif line == "cardtable 1":
            self.is_in_game = True
        elif line.startswith("digest: "):
            self.digest = line[8:]
        elif line.startswith("result: "):
            self.is_closed = True
        elif line.startswith(LASTING):
            self.notice = line
        self.feed.note(line)
        self.said.append(line)
        self.table.machine.stir()
        self.on_line(line)

    def look(self) -> None:
        """Take in what the record has more than before."""
        if self.is_in_game and self.follower.look(self.table.now_us):
            self.take_in()

    def settle(self) -> None:
        """Let hands follow the events one by one, also where a look takes in several: the last one can be taken back,
        and then each hand has its own cards again (T7)."""
        course = self.follower.course
        if self.cards is not None and course is not None and self.cards.session is course.session:
            self.cards.settle(self.follower.fresh)

    def take_in(self) -> None:
        """The record has grown."""
        course = self.follower.course
        if course is None:
            return
        if self.cards is None or self.cards.session is not course.session:
            if course.nonce != self._nonce:
                self._nonce = course.nonce
                self._deals += 1
            self.cards = Cards(course.session, f"{self.seed} {self._deals}", course.nonce, self.table.folder,
                               self.follower.fresh)
        if self.table.lesson is not None:
            self.table.lesson.follow(self.table)
        self.cards.settle(self.follower.fresh)
        self.feed.close()

    def tidy(self) -> None:
        """Copy games that are finished."""
        if self.library is not None and self.table.now_us >= self._tidied_us + TIDY_US:
            self._tidied_us = self.table.now_us
            if kept := keep(self.table.flash, self.library):
                self.records = list_names(self.library)
                self.kept = kept[-1] if self.is_closed else ""
