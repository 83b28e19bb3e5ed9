"""A game as it goes on: its session, and what everybody remembers of the events so far.

A live table, a recording and a feed that is followed each keep one.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from cardtable.engine.deck import SUITS
from cardtable.engine.event import NO_CARD, Event, verb_arguments
from cardtable.engine.session import Session
from cardtable.engine.verdict import rule_id, words_key
from cardtable.games import durak
from cardtable.table.words import Words
from host_tools.judge.facts.durak import TRUMP
from host_tools.judge.sentences import Sentences


@functools.cache
def find_words(game: str, language: str, key: str) -> str:
    """The firmware's own words of a key; looked up once."""
    return Words(game, language).find(key)


@dataclass(frozen=True)
class Refusal:
    """A seat's last play that did not stand: the rule's id and the key of its words; `fact` stands for # in them.
    `words`: as they were heard, where that is all that is known. `card`: that was tapped; only the seat's own eyes may
    be told of it."""

    seat: int
    rule: str
    key: str = ""
    fact: str = ""
    words: str = ""
    card: int = NO_CARD

    def tell(self, game: Any, language: str) -> str:
        """The firmware's own words."""
        return self.words or find_words(game.NAME, language, self.key).replace("#", self.fact)


def refuse(game: Any, state: Any, event: Event, verdict: int) -> Refusal:
    """What that verdict on the event says, while the state stands before it."""
    card = event.card if verb_arguments(game, event.verb).startswith("C") else NO_CARD
    fact = game.fact(state, event, verdict)
    return Refusal(event.seat, rule_id(game, verdict), words_key(game, verdict), fact, card=card)


class Course:
    """`refuse` and `enact` each event. `refusals`: of each seat, the one it has not got over yet. `came[card]`: how
    many events had been accepted when it came to its place. `accepted`: the seat whose event stood last, and `at_ms`
    when anything happened last, of what all may hear."""

    def __init__(self, header: Any, game: Any, name: str = "") -> None:
        """name: of the record. SetupError for a header that cannot be played."""
        self.header, self.game, self.session = header, game, Session(game, header)
        self.nonce = dict(header.keys).get("nonce", name)  # a text that no two games share
        self.refusals: dict[int, Refusal] = {}
        self.came: dict[int, int] = {}
        self.accepted = self.at_ms = self.count = 0
        self._waits: bytes | None = None

    @property
    def phase(self) -> str:
        """One word of docs/play-protocol.md."""
        if self.session.is_over():
            return "over"
        return "deal" if self.game.is_dealing(self.session.state) else "play"

    @property
    def trump(self) -> str:
        """The suit that is trump in Durak; empty: none is (D9, D10), or none yet."""
        trump = self.session.state.register[TRUMP] if self.game is durak else len(SUITS)
        return SUITS[trump : trump + 1]

    @property
    def waits(self) -> bytes:
        """Whom the table waits for, and for what: game.waiting."""
        if self._waits is None:
            waits = bytearray(8)
            self.game.waiting(self.session.state, waits)
            self._waits = bytes(waits)
        return self._waits

    def place_of(self, seat: int) -> int:
        """The place of a seat; 0: none."""
        return self.header.places[seat - 1] if 0 < seat <= len(self.header.places) else 0

    def seat_at(self, place: int) -> int:
        """The seat at a place; 0: none."""
        return self.header.places.index(place) + 1 if place in self.header.places else 0

    def speaker(self, language: str) -> Sentences:
        """Sentences about this game."""
        return Sentences(self.game, self.header.seats, language)

    def refuse(self, event: Event, verdict: int) -> Refusal | None:
        """An event was refused; None, and nothing to remember, where nobody may hear of it."""
        if not self.game.shows(self.session.state, event.verb):
            return None
        refusal = self.refusals[event.seat] = refuse(self.game, self.session.state, event, verdict)
        self.at_ms = event.at_ms
        return refusal

    def enact(self, event: Event) -> None:
        """An event was accepted."""
        state = self.session.state
        is_public, before = self.game.shows(state, event.verb), bytes(state.where)
        self.session.enact(event)
        if is_public:
            self.refusals.pop(event.seat, None)
            self.accepted, self.at_ms = event.seat, event.at_ms
        self.count += 1
        for card, place in enumerate(state.where):
            if place != before[card]:
                self.came[card] = self.count
        self._waits = None
