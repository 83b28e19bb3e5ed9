"""A table at one moment, and the cards of it that one pair of eyes sees: every rule of what a viewer may know is here.

A live table, a recording and a feed that is followed each make a Scene; pages, terminals, pictures and spectators are
told of it by Viewer (host_tools/sight/viewer.py), and by nothing else. The game's own `view` says which cards a seat
sees; nothing else of the state is asked but how many cards lie in a place, which everybody can count.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardtable.engine.deck import card_name, card_number
from cardtable.engine.hands import count_hand, count_stock
from cardtable.engine.state import HAND, NOWHERE, SEATS, STOCK, place_name
from cardtable.table import lights
from host_tools.judge.sentences import Sentences
from host_tools.sight.course import Course
from host_tools.sight.seen import Seen, look

FACE_DOWN = ("stock", "discard", "payoff")  # kinds of piles whose cards stay face down, even where they are known
HERE = ("here", False)
MOST_SEATS = range(1, 8)

_NUMBERED = re.compile(r"(.*?)(\d*)$")


@dataclass
class Pile:
    """One place with cards. `cards` are those that the viewer sees, in order; the other `count - len(cards)` lie face
    down."""

    place: str
    kind: str
    seat: int
    slot: int
    count: int
    cards: list[str] = field(default_factory=list)
    reader: int = 0

    def as_message(self) -> dict[str, Any]:
        """As docs/play-protocol.md has it."""
        return dict(vars(self))


@dataclass
class Scene:
    """All of a table that somebody could be told, secrets too, until the next event. Colours are (red, green, blue)."""

    phase: str
    course: Course | None = None  # the game that is shown; None: there is none
    language: str = "en"  # of who is told
    now_ms: int = 0  # the game's time
    waits: bytes = bytes(8)  # whom the table waits for, and for what
    held: Mapping[int, int] = field(default_factory=dict)  # a card that the table only counts (T4): who holds it
    heard: Sequence[int] = (0,) * 8  # how much the public and each seat have heard
    notice: str = ""  # what the firmware said about itself last
    digest: str = ""
    is_closed: bool = False  # the game is written down
    record: str = ""  # the name of its record, once that lies among the finished games
    # What stands around the game.
    screen_language: str = ""  # of the table's own screen; empty: the same
    places: int = 7
    lights: Mapping[int, tuple[int, int, int]] = field(default_factory=dict)  # of each place
    glasses: Sequence[Mapping[str, Any]] = ()  # the picture of each screen
    hertz: int = 0  # of the buzzer
    lying: Mapping[int, Sequence[str]] = field(default_factory=dict)  # the tags on each reader
    busy: Collection[int] = ()  # seats whose hands have not done yet all that was asked
    present: Collection[int] = MOST_SEATS
    chairs: Mapping[int, tuple[str, bool]] = field(default_factory=dict)  # of a seat: who plays it; another does so
    deals_itself: bool = True
    free_hand: bool = False
    speed: float = 1.0
    proposals: Collection[int] = ()
    came: Collection[int] = MOST_SEATS  # seats whose phone has been here
    crowded: Collection[int] = ()  # seats that two phones play
    guests: Mapping[int, str] = field(default_factory=dict)  # names of those who came by the code and wait for a game
    awaited: Collection[int] = ()  # seats without whose phones the game does not begin
    records: Sequence[str] = ()
    real: Mapping[str, Any] | None = None  # the cards are real: who reads them where (play/readers/real.py)
    lesson: Callable[[str], dict[str, Any]] | None = None  # what a first game says now, in a language
    gives_hints: bool = False  # to a seat that asks (T15)

    @functools.cached_property
    def speaker(self) -> Sentences:
        """Sentences of the game that is played, in the table's language."""
        return self.course.speaker(self.language) if self.course else Sentences(language=self.language)

    def seats(self) -> int:
        """How many play."""
        return len(self.course.header.seats) if self.course else 0

    def place_of(self, seat: int) -> int:
        """The place of a seat; before seats are given, the place of that number; 0: none."""
        return self.course.place_of(seat) if self.course else seat if seat in self.lights else 0

    # --- who sees what ---

    def hand(self, seat: int) -> list[int]:
        """The cards that the seat holds, in the order of their numbers."""
        assert self.course is not None
        where = self.course.session.state.where
        return [card for card in range(len(where)) if where[card] == HAND + seat or self.held.get(card) == seat]

    def look(self, seat: int) -> Seen:
        """All that a player in this seat may know."""
        assert self.course is not None
        return look(self.course.session, seat, self.now_ms, self.hand(seat))

    def known(self, seats: Collection[int], is_open: bool = False) -> dict[int, list[int]]:
        """By place, the cards that these seats together see there: each what its game's view says and its own hand.
        No seats: the public. is_open: every card whose place the table knows."""
        assert self.course is not None
        game, state = self.course.game, self.course.session.state
        views = [game.view(state, seat) for seat in seats] or [game.view(state, 0)]
        found: dict[int, list[int]] = {}
        for card in range(game.CARDS):
            place = state.where[card]
            if place > STOCK and (is_open or any(view[card] == place for view in views)):
                found.setdefault(place, []).append(card)
        found.update({HAND + seat: self.hand(seat) for seat in seats})
        return found

    def piles(self, seats: Collection[int], is_open: bool = False) -> list[Pile]:
        """The piles of the game as `known` has them. A pile shows its cards in the order in which they came, a hand in
        that of the deck."""
        assert self.course is not None
        game, state, came = self.course.game, self.course.session.state, self.course.came
        known = self.known(seats, is_open)
        found = []
        for seat in range(1, state.register[SEATS] + 1):
            if count := game.count_face_down(state, seat):
                found.append(Pile(f"payoff{seat}", "payoff", seat, seat, count))
        for place, count in sorted(count_places(game, state).items()):
            cards = known.get(place, [])
            if not HAND < place < HAND + 8:
                cards.sort(key=lambda card: (came.get(card, 0), card))
            name = place_name(game, place)
            kind, number = _NUMBERED.match(name).groups()  # type: ignore[union-attr]
            if kind == "payoff":
                continue
            owner = owner_of(kind, int(number or 0), place)
            names = [] if kind in FACE_DOWN else list(map(card_name, cards))
            found.append(Pile(name, kind, owner, int(number or 1), count, names))
        return found

    def on_readers(self, piles: list[Pile], sees_all: bool) -> list[Pile]:
        """The cards on the readers, taken out of the piles: each that lies open there or, with sees_all, any; else a
        back."""
        places = {name: pile for pile in piles for name in pile.cards}
        found = []
        for place, names in self.lying.items():
            shown = [name for name in names if name in places or sees_all]
            for name in names:
                pile = places.get(name) or self._pile_of(piles, name)
                if pile is None:
                    continue
                pile.count -= 1
                if name in pile.cards:
                    pile.cards.remove(name)
            if names:
                seat = self.course.seat_at(place) if self.course else 0
                found.append(Pile(f"reader{place}", "reader", seat, place, len(names), shown, place))
        return found

    def _pile_of(self, piles: list[Pile], name: str) -> Pile | None:
        """The pile out of which a card was taken that the viewer does not see."""
        number = card_number(name)
        if self.course is None or not 0 <= number < self.course.game.CARDS:
            return None
        place = self.course.session.state.where[number]
        owner = self.held.get(number, 0)
        wanted = f"hand{owner}" if place == STOCK and owner else place_name(self.course.game, place)
        return next((pile for pile in piles if pile.place == wanted and pile.count > len(pile.cards)), None)


def scene_of(course: Course, language: str = "en", **more: Any) -> Scene:
    """The scene of a game without a table around it: nothing lies on a reader, nobody presses, and the lights shine as
    they would."""
    waits = more.setdefault("waits", course.waits)
    shining = {}
    for seat, place in enumerate(course.header.places, 1):
        meaning = (lights.REFUSED if seat in course.refusals else lights.WAITED_FOR if waits[seat]
                   else lights.ACCEPTED if seat == course.accepted else lights.OFF)
        shining[place] = lights.colour_of(meaning)
    return Scene(course.phase, course, language, course.at_ms, lights=shining, **more)


def owner_of(kind: str, number: int, place: int) -> int:
    """The seat that owns a pile: a hand, a staged set, a side or payoff pile; 0: none."""
    if HAND < place < HAND + 8:
        return place - HAND
    if kind in ("staged", "turned", "payoff") and number:
        return number
    found = re.match(r"side(\d)\.", kind)
    return int(found[1]) if found else 0


def count_places(game: Any, state: Any) -> dict[int, int]:
    """How many cards lie in each place that is not empty."""
    counts: dict[int, int] = {}
    for place in state.where:
        if place != NOWHERE:
            counts[place] = counts.get(place, 0) + 1
    counts[STOCK] = count_stock(state)
    for seat in range(1, state.register[SEATS] + 1):
        counts[HAND + seat] = count_hand(state, seat)
    return {place: count for place, count in counts.items() if count > 0}
