"""The hands of people who play a recorded game at the virtual table: tags on readers, fingers on buttons.

They look at the lights of their seats as players do, and know what a tap can mean by following the record
in a session of their own. They never look into the device.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from cardtable.app import lights as meanings_of_lights
from cardtable.app.repeats import QUIET_MS
from cardtable.app.seats import menu_verbs
from cardtable.engine.deck import card_name, card_number
from cardtable.engine.event import AGREE, DRAW, OWN_VERB, UNDO, Event, pack, unpack, verb_arguments
from cardtable.engine.record import Header, RecordError, read_event
from cardtable.engine.session import Session
from host_tools.chips.iso14443a import Tag

HOLD_US = 120_000  # how long a card lies on after its light
PRESS_US = 60_000  # how long a finger stays on a button, and off it between two presses
GONE_US = 1_000_000  # after this long off the reader the same card is a new tap
READ_US = 300_000  # how long a card lies on a reader of which no light tells that it was read
CALM_US = 1000 * QUIET_MS + 500_000  # after this long what is refused again is a refusal of its own (T6)
LATE_US = 10_500_000  # after this long nobody can agree to an undo any more (T7)
PATIENCE_US = 5_000_000  # how long people wait for a light
DECKS = 2

GREEN = meanings_of_lights.colour_of(meanings_of_lights.ACCEPTED)
RED = meanings_of_lights.colour_of(meanings_of_lights.REFUSED)
AMBER = meanings_of_lights.colour_of(meanings_of_lights.CHOOSING)


class HandsError(Exception):
    """The table does not do what the people at it expect; one sentence."""


@dataclass
class Line:
    """One event of a record: its line number and text, the event, and the rules of a refusal."""

    number: int
    text: str
    event: Event
    rules: list[str]


@dataclass
class Script:
    """A record to be played: its header, events and result (empty if the record has none)."""

    header: Header
    lines: list[Line]
    result: str = ""
    impossible: list[Line] = field(default_factory=list)  # what no hand at the table can do


def read_script(game: Any, header: Header, lines: Iterator[tuple[int, str]]) -> Script:
    """The events of a record from its (number, line) pairs behind the header. RecordError."""
    script = Script(header, [])
    at_ms = 0
    for number, line in lines:
        text = line.strip()
        if not line.endswith("\n") or not text or text[0] in ";~":
            continue
        if text.startswith("result:"):
            script.result = text[7:].strip()
            continue
        if script.result:
            raise RecordError(number, "an event after the result")
        event = Event(at_ms=at_ms)
        rules = read_event(game, text, number, event)
        at_ms = event.at_ms
        entry = Line(number, text, event, rules.split())
        # A seat that is not there, the arbiter, and a seat that says what only the arbiter can.
        if 1 <= event.seat <= len(header.seats) and (event.verb >= OWN_VERB or event.verb in (DRAW, UNDO, AGREE)):
            script.lines.append(entry)
        else:
            script.impossible.append(entry)
    return script


def deck_lines() -> list[str]:
    """The deck file of the virtual table: `UID CARD` lines, two decks of 54, tags with UIDs of 7 bytes."""
    return [f"{uid_of(card).hex().upper()} {card_name(card)}\n" for card in range(DECKS * 54)]


def uid_of(card: int) -> bytes:
    """The UID of a card's tag; a tag of no registered deck has one too."""
    return bytes([0x04, 0xCA, 0x2D, card, 0x5A ^ card, 0x61, 0x80])


class Hands:
    """Plays a script at a world. `play()` is the actor for world.people; `line` is the event that is being
    done.
    """

    def __init__(self, world: Any, game: Any, script: Script) -> None:
        self.world = world
        self.game = game
        self.script = script
        self.shadow = Session(game, script.header)
        self.line: Line | None = None
        self.played = 0
        self.is_done = False
        self._tags = {card: Tag(uid_of(card)) for card in [*range(DECKS * 54), card_number("QQ")]}
        self._lying: dict[int, int] = {}  # place: card
        self._left_us: dict[tuple[int, int], int] = {}  # (place, card): when it was taken off
        self._refused: dict[int, tuple[int, int]] = {}  # seat: its last refused event, packed, and when
        self._undo_us = 0

    def play(self) -> Generator[Any, None, None]:
        """Do every event of the script, one after the other, as fast as the lights allow."""
        yield lambda: any(self.colour(place) != (0, 0, 0) for place in self.script.header.places)
        for line in self.script.lines:
            self.line = line
            yield from self.wait_for_time(line)
            yield from self.act(line.event)
            if line.rules:
                event = line.event
                self._refused[event.seat] = pack(event.verb, event.card, event.target), self.world.now_us
            else:
                self.shadow.play(line.event)
                if line.event.verb == UNDO:
                    self._undo_us = self.world.now_us
            self.played += 1
        self.is_done = True

    def wait_for_time(self, line: Line) -> Generator[Any, None, None]:
        """Where a rule counts seconds people wait as long as they did in the record."""
        event = line.event
        ready_us = 0
        packed, at_us = self._refused.get(event.seat, (0, 0))
        if line.rules and packed == pack(event.verb, event.card, event.target):
            ready_us = at_us + CALM_US
        if event.verb == AGREE and self.is_asked(event.seat) and line.rules:
            ready_us = self._undo_us + LATE_US
        if ready_us > self.world.now_us:
            yield ready_us - self.world.now_us

    def is_asked(self, seat: int) -> bool:
        """Whether somebody has said undo and that seat has not agreed."""
        return self.shadow.undo_seat > 0 and bool(self.shadow.missing() >> seat & 1)

    def colour(self, place: int) -> tuple[int, int, int]:
        """The light of a place."""
        return tuple(self.world.lights.colour(place - 1))  # type: ignore[return-value]

    def act(self, event: Event) -> Generator[Any, None, None]:
        """One event: by a tap or a button that means it, else through the menu."""
        seat = event.seat
        place = self.script.header.places[seat - 1]
        kinds = verb_arguments(self.game, event.verb)
        state = self.shadow.state
        yield from self.wait(place, lambda: self.colour(place) not in (GREEN, RED))
        if not kinds:
            yield from self.press_for(place, seat, event.verb)
        elif event.card >= self.game.CARDS and event.verb == DRAW:
            yield from self.tap(place, event.card)
        else:
            yield from self.act_with_card(place, event)
        if self.game.shows(state, event.verb):
            yield from self.wait(place, lambda: self.colour(place) in (GREEN, RED))
        yield from self.take_off(place)

    def act_with_card(self, place: int, event: Event) -> Generator[Any, None, None]:
        """Tap the card if that means the event, or can be made to mean it; else choose the verb first."""
        options: list[int] = []
        wanted = pack(event.verb, event.card, event.target)
        if event.card < self.game.CARDS:
            self.game.meanings(self.shadow.state, event.seat, event.card, options)
        if options == [wanted]:
            yield from self.tap(place, event.card)
        elif wanted in options and self.can_offer(event.seat, wanted):
            yield from self.tap(place, event.card)
            yield from self.wait(place, lambda: self.colour(place) == AMBER)
            for _ in range(self.steps_to(event.seat, options, wanted)):
                yield from self.press(place, "MENU")
            yield from self.press(place, "OK")
        else:
            yield from self.press_for(place, event.seat, event.verb)
            yield from self.tap(place, event.card)
            if verb_arguments(self.game, event.verb) == "CC":
                yield READ_US
                yield from self.take_off(place)
                yield from self.tap(place, event.target)

    def can_offer(self, seat: int, packed: int) -> bool:
        """Whether the table offers this meaning: it offers only legal ones, or all where fit is secret
        (D43).
        """
        if self.game.offers_blindly(self.shadow.state):
            return True
        return not self.shadow.judge(unpack(packed, seat, 0, Event()))

    def steps_to(self, seat: int, options: list[int], wanted: int) -> int:
        """How often MENU has to be pressed from the first meaning that is offered."""
        return [packed for packed in options if self.can_offer(seat, packed)].index(wanted)

    def press_for(self, place: int, seat: int, verb: int) -> Generator[Any, None, None]:
        """Say a verb: with its button, or out of the menu."""
        for key, name in enumerate(("OK", "NO", "CALL")):
            if self.game.button(self.shadow.state, seat, key) == verb and not self.shadow.undo_seat:
                yield from self.press(place, name)
                return
        if verb == AGREE and self.is_asked(seat) and self.world.now_us < self._undo_us + LATE_US:
            yield from self.press(place, "OK")
            return
        for _ in range(menu_verbs(self.game).index(verb) + 1):
            yield from self.press(place, "MENU")
        yield from self.press(place, "OK")

    def press(self, place: int, key: str) -> Generator[Any, None, None]:
        """One press of one button."""
        self.world.press(place, key)
        yield PRESS_US
        self.world.release(place, key)
        yield PRESS_US

    def tap(self, place: int, card: int) -> Generator[Any, None, None]:
        """Lay the card on the reader of the place. A card that has just been there must have been away for
        a while.
        """
        ready_us = self._left_us.get((place, card), -GONE_US) + GONE_US
        if ready_us > self.world.now_us:
            yield ready_us - self.world.now_us
        self._lying[place] = card
        self.world.put(place, self._tags[card])

    def take_off(self, place: int) -> Generator[Any, None, None]:
        """Take whatever lies on the reader away."""
        card = self._lying.pop(place, None)
        if card is not None:
            yield HOLD_US
            self.world.take(place, self._tags[card])
            self._left_us[place, card] = self.world.now_us

    def wait(self, place: int, is_so: Callable[[], bool]) -> Generator[Any, None, None]:
        """Wait for a light, but not for ever."""
        late_us = self.world.now_us + PATIENCE_US
        yield lambda: is_so() or self.world.now_us >= late_us
        if not is_so():
            line = self.line
            assert line is not None
            raise HandsError(f"line {line.number} ({line.text}): the light of place {place} is {self.colour(place)}")
