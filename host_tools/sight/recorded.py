"""Owns a record as something to look at: its game before and after each event, and what one reader may see of it.

A reader is the public, one seat, or `all` (every hand open). Each sees a table through the messages that
host_tools/sight/viewer.py makes, and hears what the public feed's rule of hiding lets it hear. While a record has no
result there are secrets, and then only the public may read it.
"""

from __future__ import annotations

import functools
import io
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.deck import card_name, card_number
from cardtable.engine.event import Event, verb_name
from cardtable.engine.record import LINE_LIMIT, RecordError, read_event, read_header
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError
from cardtable.engine.state import HAND, NOWHERE, place_name
from cardtable.engine.verdict import rule_id, words_key
from cardtable.table import lights
from cardtable.table.words import Words
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.sight.follower import Refusal
from host_tools.sight.layout import FACE_DOWN
from host_tools.sight.viewer import Viewer
from host_tools.sight.seen import Heard, heard, heard_refusal
from host_tools.judge.records import verify
from host_tools.judge.replay.core import Lines, check_letters

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


class ShownTable:
    """As much of a live table as a viewer asks for, around a session; nothing lies on a reader, nobody presses."""

    def __init__(self, header: Any, game: Any, session: Any, language: str = "en") -> None:
        self.header, self.game, self.session, self.language = header, game, session, language
        self.refusals: dict[int, Refusal] = {}
        self.follower = types.SimpleNamespace(refusals=self.refusals, nonce="", told=[0] * 8)
        self.feed = types.SimpleNamespace(trump="")
        self.cards = types.SimpleNamespace(hand=self.hand, held={})
        self.board = types.SimpleNamespace(SEATS=7)
        chair = types.SimpleNamespace(who="here", stands_in=False)
        self.seating = types.SimpleNamespace(chairs=dict.fromkeys(range(1, 8), chair))
        self.present = set(range(1, 8))
        self.notice = self.digest = self.kept = self.result = ""
        self.deals_itself, self.free_hand, self.is_closed, self.speed = True, False, False, 1.0
        self.proposals: dict[int, set[int]] = {}
        self.records: list[str] = []
        self.lying: dict[int, list[str]] = {}
        self.hands = dict.fromkeys(header.places)
        self.world = types.SimpleNamespace(screens=[None], buzzer=(0, 0))
        self.came: dict[int, int] = {}
        self.waits = bytes(8)
        self.now_ms = self.count = 0
        self.accepted = 0  # the seat whose event was accepted last
        self._where = bytes(len(session.state.where))
        self.settle()

    @property
    def phase(self) -> str:
        """One word of docs/play-protocol.md."""
        if self.session.is_over():
            return "over"
        return "deal" if self.game.is_dealing(self.session.state) else "play"

    def hand(self, seat: int) -> list[int]:
        """The cards that the table knows in that hand."""
        where = self.session.state.where
        return [card for card in range(len(where)) if where[card] == HAND + seat]

    def light(self, place: int) -> tuple[int, int, int]:
        """The colour of a place's light, as the table would have it just now."""
        seat = self.header.places.index(place) + 1
        if seat in self.refusals:
            return lights.colour_of(lights.REFUSED)
        meaning = lights.WAITED_FOR if self.waits[seat] else lights.ACCEPTED if seat == self.accepted else lights.OFF
        return lights.colour_of(meaning)

    def glass(self, index: int) -> dict[str, Any]:
        """A record has no screen."""
        return {}

    def place_of(self, seat: int) -> int:
        """The place of a seat."""
        return self.header.places[seat - 1] if 0 < seat <= len(self.header.places) else 0

    def seat_at(self, place: int) -> int:
        """The seat at a place."""
        return self.header.places.index(place) + 1 if place in self.header.places else 0

    def number_of(self, name: str) -> int:
        """The card of that name."""
        return card_number(name)

    def refuse(self, event: Event, verdict: int) -> None:
        """An event was refused; what may not be heard of is not remembered."""
        game = self.game
        if game.shows(self.session.state, event.verb):
            fact = game.fact(self.session.state, event, verdict)
            self.refusals[event.seat] = Refusal(event.seat, rule_id(game, verdict), words_key(game, verdict), fact)
            self.now_ms = event.at_ms

    def enact(self, event: Event) -> None:
        """An event was accepted."""
        is_public = self.game.shows(self.session.state, event.verb)
        self.session.enact(event)
        if verb_name(self.game, event.verb) == "turn" and card_name(event.card)[1:] in tuple("SHDC"):
            self.feed.trump = card_name(event.card)[1]
        if is_public:
            self.refusals.pop(event.seat, None)
            self.accepted, self.now_ms = event.seat, event.at_ms
        self.settle()

    def settle(self) -> None:
        """What follows from the state."""
        self.count += 1
        where = bytes(self.session.state.where)
        for card, place in enumerate(where):
            if self._where[card] != place:
                self.came[card] = self.count
        self._where = where
        waits = bytearray(8)
        self.game.waiting(self.session.state, waits)
        self.waits = bytes(waits)


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
            Session(self.game, self.header)
        except (RecordError, SetupError) as wrong:
            at = getattr(wrong, "line", 0) or 1
            raise UnusableInput(f"{name}: line {at}: {foreign.shorten(str(wrong), 200)}") from wrong
        self.length = self._lines.number
        self.lines = list(self._read_lines())
        for _ in self.walk():
            self.count += 1

    def _read_lines(self) -> Iterator[tuple[int, str]]:
        """(number, text) of the lines behind the header that tell of the game."""
        try:
            while (line := self._lines.read_text()) is not None:
                if line[:1] not in (";", "~"):
                    yield self._lines.number, line
        except RecordError as wrong:
            self.trouble = f"line {wrong.line}: {wrong.cause}"

    def table(self, language: str = "en") -> ShownTable:
        """The table at the beginning."""
        return ShownTable(self.header, self.game, Session(self.game, self.header), language)

    def walk(self, table: ShownTable | None = None) -> Iterator[Line]:
        """Each event while the table stands before it; it happens afterwards. Ends where the record cannot go on."""
        table = table or self.table()
        before = 0
        for number, text in self.lines:
            if text.startswith("result:"):
                self.result = " ".join(text[7:].split())
                self.is_over = table.session.is_over() and self.result == table.session.result()
                if not self.is_over:
                    self.trouble = f"line {number}: the game had no such result"
                return
            try:
                line = self._judge(table, number, text)
                if line.event.at_ms < before:
                    raise RecordError(number, "its time runs backwards")
            except RecordError as wrong:
                self.trouble = f"line {wrong.line}: {foreign.shorten(wrong.cause, 200)}"
                return
            before = line.event.at_ms
            yield line
            if line.verdict:
                table.refuse(line.event, line.verdict)
            else:
                table.enact(line.event)

    def _judge(self, table: ShownTable, number: int, text: str) -> Line:
        """One line with the engine's verdict. RecordError where the two differ."""
        if len(text) > LINE_LIMIT:
            raise RecordError(number, f"a line of more than {LINE_LIMIT} characters")
        check_letters(text, number)
        event = Event()
        rules = read_event(self.game, text, number, event)
        verdict = table.session.judge(event)
        if bool(rules) != bool(verdict):
            engine = f"refuses it under {rule_id(self.game, verdict)}" if verdict else "accepts it"
            raise RecordError(number, f"the record says {'refused' if rules else 'accepted'}, the engine {engine}")
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


def read_record(path: Path, key: bytes | None = None) -> Recorded:
    """The record in a file. UnusableInput."""
    return Recorded(str(path), foreign.read_bytes(path), key)


def viewer_of(table: ShownTable, reader: Reader) -> Viewer:
    """The viewer that makes this reader's messages."""
    if reader.seat < 0:
        return OpenViewer(table, reader.seats)
    return Viewer(table, "seat" if reader.seats else "public", reader.seats)


class OpenViewer(Viewer):
    """Sees every card whose place the table knows, but for face-down heaps, whose order it does not know."""

    def __init__(self, table: Any, seats: Sequence[int]) -> None:
        super().__init__(table, "public", seats)

    def tell_view(self) -> dict[str, Any]:
        """As for others, and then the rest."""
        message = super().tell_view()
        game, state = self.table.game, self.table.session.state
        lying: dict[str, list[int]] = {}
        for card, place in enumerate(state.where):
            if place != NOWHERE:
                lying.setdefault(place_name(game, place), []).append(card)
        for pile in message["piles"]:
            if pile["kind"] not in FACE_DOWN and len(pile["cards"]) < pile["count"]:
                cards = lying.get(pile["place"], [])
                pile["cards"] = [card_name(card) for card in sorted(cards, key=self._came)][: pile["count"]]
        return message

    def _came(self, card: int) -> tuple[int, int]:
        return self.table.came.get(card, 0), card


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


def refusal_words(game: Any, state: Any, line: Line, language: str) -> str:
    """The firmware's own words of a refusal."""
    fact = game.fact(state, line.event, line.verdict)
    return find_words(game.NAME, language, words_key(game, line.verdict)).replace("#", fact)


@functools.cache
def find_words(game: str, language: str, key: str) -> str:
    """The words of a key; looked up once."""
    return Words(game, language).find(key)


def clock(at_ms: int) -> str:
    """`1:04.5`: minutes and seconds since the game began."""
    tenths = at_ms // 100
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"
