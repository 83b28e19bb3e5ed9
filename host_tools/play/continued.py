"""Owns the beginning of a game that is played on from a line of a finished one: the lines of its record up to there,
and the order of the cards that are still to come.

The table is started with that beginning on its flash and goes on from it, as after a power cut. Cards hidden from the
seat that plays lie as they lay, or are dealt again: then so that the seat has seen and heard the same. The header's key
`from` marks the record: it counts for nothing (docs/record.md).
"""

from __future__ import annotations

import datetime
import errno
import os
import random
import secrets
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.between.chosen import LAST_FILE, NEXT_FILE
from cardtable.engine.event import Event, verb_arguments
from cardtable.engine.match import FROM
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header, write_event
from cardtable.engine.state import DEAL, STOCK
from cardtable.record.journal import Journal, make_game
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import Random
from host_tools.play.cards import FILE as ORDER
from host_tools.play.cards import write_order
from host_tools.play.hints import with_hints
from host_tools.play.library import give_up
from host_tools.sight.course import Course
from host_tools.sight.follower import FOLDER
from host_tools.sight.recorded import SECRET, Line, Recorded
from host_tools.sight.seen import Heard, heard

ASIDE = "beginning.tmp"  # in a table's folder: a beginning that is being written
LIE, ANEW = "lie", "anew"  # where hidden cards lie: as they lay, dealt again
_EACH = 12  # times that two cards are tried to change places, for each hidden one that lies in no stock
_MOST = 240  # of them in all


@dataclass
class Beginning:
    """`lines` of events up to the one from which it is played on; `order`: the cards to come, the next one last, where
    that is known; `dealt`: those that come to one seat alone."""

    header: Header
    lines: list[str]
    order: list[int] = field(default_factory=list)
    dealt: dict[int, list[int]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """A record that was cut off there."""
        return "\n".join([*self.header.lines(), *self.lines, ""])

    def write(self, folder: Path) -> None:
        """Put it onto the flash of the table in that folder, as the game that goes on when the power comes, in place of
        the one that is under way there. All of it is written aside first: if the disk is full the other game goes on.
        OSError."""
        flash, aside = folder / "flash", folder / ASIDE
        shutil.rmtree(aside, ignore_errors=True)
        try:
            journal = Journal(str(aside))
            if not all(journal.write(line) for line in ["\n".join(self.header.lines()), *self.lines]):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            (aside / LAST_FILE).write_text("\n".join(self.header.lines()) + "\n", encoding="utf-8")
            if self.order:
                write_order(aside, dict(self.header.keys)["nonce"], self.order, {}, self.dealt)
            give_up(flash)
            (flash / NEXT_FILE).unlink(missing_ok=True)
            (aside / LAST_FILE).replace(flash / LAST_FILE)
            if self.order:
                (aside / ORDER).replace(folder / ORDER)
            name = make_game(str(flash / FOLDER))
            os.rmdir(name)  # it is free: Windows moves no folder onto another
            os.rename(journal.name, name)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def find_beginning(record: Recorded, line: int, seat: int, cards: str = LIE, places: int = 7, seed: int = 0
                   ) -> Beginning:
    """The beginning of that game before the event of that line, for who plays that seat there. UnusableInput.

    cards: LIE or ANEW. places: how many the table has. seed: of what is dealt again, and of cards that never came.
    """
    if not record.is_over:
        raise UnusableInput(f"{record.name}: {SECRET}")
    course = record.course()
    if course.session.state.register[DEAL]:
        raise UnusableInput(f"{record.name}: its hands were counted and not tapped, so it does not say who held what")
    before, number = find_lines(record, course, line)
    said = f"{record.name.rpartition('/')[2]} {number} {{}} {cards}"
    header = make_header(record, seat, places, said)
    is_anew = cards == ANEW
    lines = deal_again(record, before, seat, seed) if is_anew else [text for at, text in record.lines if at < number]
    first = len(header.lines()) + len(lines) + 1
    header.keys = [(key, value.format(first) if key == FROM else value) for key, value in header.keys]
    return Beginning(header, lines) if is_anew else Beginning(header, lines, *find_order(record, number, seed))


def find_seat(record: Recorded, line: int) -> int:
    """The seat whose play stands at that line or next after it; 1 if there is none."""
    by_chance = set(record.game.CHANCE.values())
    plays = (one.event.seat for one in record.walk() if one.number >= line and one.event.verb not in by_chance)
    return next(filter(None, plays), 1)


def find_lines(record: Recorded, course: Course, line: int) -> tuple[list[Line], int]:
    """(the events before that line, its number); `course` stands there afterwards. UnusableInput."""
    before: list[Line] = []
    for one in record.walk(course):
        if one.number >= line:
            if course.game.is_dealing(course.session.state):
                raise UnusableInput(f"{record.name}: line {line}: the cards are still being dealt there")
            return before, one.number
        before.append(one)
    raise UnusableInput(f"{record.name}: line {line}: the game is over there")


def make_header(record: Recorded, seat: int, places: int, said: str) -> Header:
    """The header of a game of its own, with the seats of the old one. UnusableInput."""
    old, header = record.header, Header()
    if len(old.seats) > places or not 0 < seat <= len(old.seats):
        raise UnusableInput(f"{record.name}: it has {len(old.seats)} seats, and this table {places} places")
    kinds = ["here" if other == seat else "bot:" for other in range(1, len(old.seats) + 1)]
    started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = [f"game: {with_hints(' '.join(old.game), kinds)}", f"seats: {'; '.join(old.seats)}",
             f"dealer: {old.dealer}", f"started: {started}"]
    lines += [f"first: {old.first}"] if old.first else []
    lines += [f"places: {' '.join(map(str, old.places))}"] if max(old.places) <= places else []
    for text in [*lines, f"{FROM}: {said}", f"nonce: {secrets.token_hex(16)}"]:
        read_key(header, text, 0)
    close_header(header, 0)
    return header


def find_order(record: Recorded, line: int, seed: int) -> tuple[list[int], dict[int, list[int]]]:
    """(the cards in the order in which they came by chance from that line on, the next one last, before them those that
    never came; those that could come to one seat alone, by that seat)."""
    course = record.course()
    game, chance = course.game, set(course.game.CHANCE.values())
    later: list[int] = []
    own: list[tuple[int, int]] = []  # (seat, card)
    where = b""
    for one in record.walk(course):
        if one.number == line:
            where = bytes(course.session.state.where)
        event = one.event
        if where and not one.verdict and event.verb in chance and event.card not in later:
            later.append(event.card)
            if where[event.card] == course.session.state.where[event.card] != STOCK:  # such as the top of a payoff pile
                own.append((event.seat, event.card))
    rest = [card for card in range(game.CARDS) if where[card] and card not in later]
    random.Random(seed).shuffle(rest)
    return [*rest, *later[::-1]], {seat: [card for owner, card in own if owner == seat] for seat, _ in own}


# --- hidden cards dealt again ---


def deal_again(record: Recorded, before: list[Line], seat: int, seed: int) -> list[str]:
    """The accepted events up to there, in which cards that the seat did not know have changed places: two at a time,
    again and again, each time only if every event stands, and the seat hears the same and sees the same.

    From the truth such steps lead to every deal that they can reach with the same chance (their proposal is symmetric).
    """
    game, draw = record.game, Random(seed)
    events = [one.event for one in before if not one.verdict]
    course = record.course()
    log = replay(course, events, seat)
    assert log is not None
    view = bytes(game.view(course.session.state, seat))
    hidden = [card for card in range(game.CARDS) if view[card] == STOCK]
    where = bytes(course.session.state.where)
    for _ in range(min(_MOST, _EACH * sum(where[card] != STOCK for card in hidden))):
        one, other = (hidden[draw.below(len(hidden))] for _ in range(2))
        if where[one] == where[other]:
            continue
        changed = [swap(game, event, one, other) for event in events]
        again = record.course()
        if replay(again, changed, seat, log) == log and bytes(game.view(again.session.state, seat)) == view:
            events, where = changed, bytes(again.session.state.where)
    return [write_event(game, event) for event in events]


def swap(game: Any, event: Event, one: int, other: int) -> Event:
    """The same event with each of two cards for the other."""
    turned = {one: other, other: one}
    kinds = verb_arguments(game, event.verb)
    target = turned.get(event.target, event.target) if kinds[1:2] == "C" else event.target
    return Event(event.seat, event.verb, turned.get(event.card, event.card), target, event.at_ms)


def replay(course: Course, events: list[Event], seat: int, wanted: list[Heard] | None = None) -> list[Heard] | None:
    """Let these events happen; what the seat heard of them. None if the table refuses one, or the seat hears anything
    else than `wanted`."""
    log: list[Heard] = []
    for event in events:
        if course.session.judge(event):
            return None
        said = heard(course.game, course.session.state, event, seat)
        if said is not None:
            if wanted is not None and wanted[len(log):len(log) + 1] != [said]:
                return None
            log.append(said)
        course.session.enact(event)
    return log
