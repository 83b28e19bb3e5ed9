"""Fingers at the virtual table: how one event is said with tags, buttons and menu steps.

They know what a tap or a press means from `shadow`, a session that follows the table; they look at the lights and never
into the device. The caller decides whose fingers they are, and when they act.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from cardtable.engine.deck import RANKS, card_name, card_number
from cardtable.engine.event import AGREE, DRAW, PAIR, UNDO, Event, pack, unpack, verb_arguments, verb_name
from cardtable.play.seats import menu_verbs
from cardtable.table import lights as meanings_of_lights
from host_tools.virtual.chips.iso14443a import Tag

HOLD_US = 120_000  # how long a card lies on after its light
PRESS_US = 60_000  # how long a finger stays on a button, and off it between two presses
GONE_US = 1_900_000  # so long off the reader, and the same card is a new tap: 1.5 s from the first look that missed it
READ_US = 300_000  # how long a card lies on a reader of which no light tells that it was read
LATE_US = 10_500_000  # after this long no seat can agree to an undo any more (T7)
PATIENCE_US = 5_000_000  # how long people wait for a light
DECKS = 2

GREEN = meanings_of_lights.colour_of(meanings_of_lights.ACCEPTED)
RED = meanings_of_lights.colour_of(meanings_of_lights.REFUSED)
AMBER = meanings_of_lights.colour_of(meanings_of_lights.CHOOSING)


class HandsError(Exception):
    """The table does not do what the people at it expect; one sentence."""


def deck_lines() -> list[str]:
    """The deck file of the virtual table: `UID CARD` lines, two decks of 54, tags with UIDs of 7 bytes."""
    return [f"{uid_of(card).hex().upper()} {card_name(card)}\n" for card in range(DECKS * 54)]


def uid_of(card: int) -> bytes:
    """The UID of a card's tag; a tag of no registered deck has one too."""
    return bytes([0x04, 0xCA, 0x2D, card, 0x5A ^ card, 0x61, 0x80])


class Fingers:
    """`act(event)` says an event at its seat; `tap`, `take_off` and `press` are what it is made of.

    All are parts of actors (host_tools/virtual/people.py): they yield microseconds, or what they wait for.
    """

    hold_us = HOLD_US
    press_us = PRESS_US

    def __init__(self, world: Any, game: Any, shadow: Any, places: list[int]) -> None:
        """shadow: a Session that stands where the table stands; places: the place of each seat."""
        self.world = world
        self.game = game
        self.shadow = shadow
        self.places = places
        self._tags = {card: Tag(uid_of(card)) for card in [*range(DECKS * 54), card_number("QQ")]}
        self._lying: dict[int, int] = {}  # place: card
        self._left_us: dict[tuple[int, int], int] = {}  # (place, card): when it was taken off
        self._undo_us = 0
        self._anchor = (0, 0)  # when the last event was done: microseconds here, milliseconds in the record

    def is_asked(self, seat: int) -> bool:
        """Whether somebody has said undo and that seat has not agreed."""
        return self.shadow.undo_seat > 0 and bool(self.shadow.missing() >> seat & 1)

    def colour(self, place: int) -> tuple[int, int, int]:
        """The light of a place."""
        return tuple(self.world.lights.colour(place - 1))

    def act(self, event: Event) -> Generator[Any, None, None]:
        """One event: by a tap or a button that means it, else through the menu."""
        place = self.places[event.seat - 1]
        kinds = verb_arguments(self.game, event.verb)
        state = self.shadow.state
        yield from self.wait_until_ready(place)
        if kinds[:1] != "C":
            yield from self.press_for(place, event)
        elif event.card >= self.game.CARDS and event.verb == DRAW:
            yield from self.tap(place, event.card)
        else:
            yield from self.act_with_card(place, event)
        if self.game.shows(state, event.verb):
            yield from self.wait_for_verdict(place)
        yield from self.take_off(place)

    def act_with_card(self, place: int, event: Event) -> Generator[Any, None, None]:
        """Tap the card if that means the event, or can be made to mean it; else choose the verb first."""
        options: list[int] = []
        wanted = pack(event.verb, event.card, event.target)
        if event.card < self.game.CARDS:
            self.game.meanings(self.shadow.state, event.seat, event.card, options)
        offered = [packed for packed in options if self.can_offer(event.seat, packed)]
        if [wanted] in (options, offered) or (not offered and options[:1] == [wanted]):
            yield from self.tap(place, event.card)  # the only meaning, the only legal one, or the one that is refused
        elif wanted in offered:
            yield from self.tap(place, event.card)
            yield from self.wait(place, lambda: self.colour(place) == AMBER)
            for _ in range(offered.index(wanted)):  # MENU steps from the first meaning that is offered
                yield from self.press(place, "MENU")
            yield from self.press(place, "OK")
        else:
            yield from self.press_for(place, event)
            yield from self.tap(place, event.card)
            kinds = verb_arguments(self.game, event.verb)
            if kinds == PAIR:
                yield READ_US
                yield from self.take_off(place)
                yield from self.tap(place, event.target)
            elif kinds == "CN":
                yield READ_US
                for key in self.steps_among(event, self.numbers_of(event)):
                    yield from self.press(place, key)

    def can_offer(self, seat: int, packed: int) -> bool:
        """Whether the table offers this meaning: it offers only legal ones, or all where fit is secret
        (D43).
        """
        if self.game.offers_blindly(self.shadow.state):
            return True
        return not self.shadow.judge(unpack(packed, seat, 0, Event()))

    def keys_for(self, event: Event) -> list[str]:
        """The presses that say a verb: its button, or the menu, then steps to its rank or number."""
        seat, verb = event.seat, event.verb
        state = self.shadow.state
        keys: list[str] = []
        kinds = verb_arguments(self.game, verb)
        values = [event.target]
        if kinds[:1] in ("R", "N"):
            values = []
            self.game.choices(state, seat, verb, values)
        for key, name in enumerate(("OK", "NO", "CALL")):
            if self.game.button(state, seat, key) == verb and not self.shadow.undo_seat and event.target in values:
                keys = [name]
                break
        if verb == AGREE and self.is_asked(seat) and self.world.now_us < self._undo_us + LATE_US:
            keys = ["OK"]
        if not keys:
            may_undo = not self.shadow.judge(unpack(pack(UNDO), seat, event.at_ms, Event()))
            listed = menu_verbs(self.shadow, may_undo)
            if verb not in listed:
                raise HandsError(f"{verb_name(self.game, verb)} is in no menu of this game")
            keys = ["MENU"] * (listed.index(verb) + 1) + ["OK"]
            if kinds[:1] in ("R", "N"):
                values = self.numbers_of(event)
        return keys + self.steps_among(event, values)

    def numbers_of(self, event: Event) -> list[int]:
        """What the menu offers behind a verb with a rank, number or pile: what the game lists, then all there are."""
        values: list[int] = []
        self.game.choices(self.shadow.state, event.seat, event.verb, values)
        return values + [value for value in range(len(RANKS)) if value not in values]

    def steps_among(self, event: Event, values: list[int]) -> list[str]:
        """The presses from the first value that is offered to the wanted one; a single value is said at once."""
        if len(values) < 2:
            return []
        if event.target not in values:
            raise HandsError(f"{verb_name(self.game, event.verb)} {event.target} is not offered to seat {event.seat}")
        return ["MENU"] * values.index(event.target) + ["OK"]

    def press_for(self, place: int, event: Event) -> Generator[Any, None, None]:
        """Say a verb, and choose what it is said of unless that is a card."""
        for key in self.keys_for(event):
            self._anchor = (self.world.now_us, event.at_ms)  # the last press counts
            yield from self.press(place, key)

    def press(self, place: int, key: str) -> Generator[Any, None, None]:
        """One press of one button; an act that is broken off leaves none held."""
        self.world.press(place, key)
        try:
            yield self.press_us
        finally:
            self.world.release(place, key)
        yield self.press_us

    def tap(self, place: int, card: int) -> Generator[Any, None, None]:
        """Lay the card on the reader of the place. A card that has just been there must have been away for
        a while.
        """
        yield from self.wait_until_gone(place, card)
        self._lying[place] = card
        self.world.put(place, self._tags[card])

    def take_off(self, place: int) -> Generator[Any, None, None]:
        """Take whatever lies on the reader away."""
        card = self._lying.pop(place, None)
        if card is not None:
            yield self.hold_us
            self.world.take(place, self._tags[card])
            self._left_us[place, card] = self.world.now_us

    # --- what is waited for: of a light here; who sees more may know it sooner ---

    def wait_until_gone(self, place: int, card: int) -> Generator[Any, None, None]:
        """Until that card counts as gone from the reader on which it lay."""
        ready_us = self._left_us.get((place, card), -GONE_US) + GONE_US
        if ready_us > self.world.now_us:
            yield ready_us - self.world.now_us

    def wait_until_ready(self, place: int) -> Generator[Any, None, None]:
        """Until the light has shown the last verdict for long enough, so that the next one can be told from it."""
        yield from self.wait(place, lambda: self.colour(place) not in (GREEN, RED))

    def wait_for_verdict(self, place: int) -> Generator[Any, None, None]:
        """Until the light says whether the play stands."""
        yield from self.wait(place, lambda: self.colour(place) in (GREEN, RED))

    def wait(self, place: int, is_so: Callable[[], bool]) -> Generator[Any, None, None]:
        """Wait for a light, but not for ever."""
        late_us = self.world.now_us + PATIENCE_US
        yield lambda: is_so() or self.world.now_us >= late_us
        if not is_so():
            raise HandsError(f"{self.describe()}: the light of place {place} is {self.colour(place)}")

    def describe(self) -> str:
        """What is being done, for an error."""
        return "an act"
