"""The hands of people who play a recorded game at the virtual table: tags on readers, fingers on buttons.

They look at the lights of their seats as players do, and know what a tap can mean by following the record
in a session of their own. They never look into the device. As a rule they are as fast as the lights allow; while a rule
counts seconds (an ask, a handicap) they press at the very millisecond of the record, and do not wait for lights.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from cardtable.app import lights as meanings_of_lights
from cardtable.app.lights import FULL
from cardtable.app.repeats import QUIET_MS
from cardtable.app.seats import menu_verbs
from cardtable.engine.deck import RANKS, card_name, card_number
from cardtable.engine.event import (
    AGREE,
    DRAW,
    LEAD,
    OWN_VERB,
    UNDO,
    Event,
    pack,
    unpack,
    verb_arguments,
    verb_name,
)
from cardtable.engine.record import Header, RecordError, read_event
from cardtable.engine.session import Session, is_said_by_table
from host_tools.chips.iso14443a import Tag

HOLD_US = 120_000  # how long a card lies on after its light
PRESS_US = 60_000  # how long a finger stays on a button, and off it between two presses
GONE_US = 1_000_000  # after this long off the reader the same card is a new tap
READ_US = 300_000  # how long a card lies on a reader of which no light tells that it was read
CALM_US = 1000 * QUIET_MS + 500_000  # after this long what is refused again is a refusal of its own (T6)
LATE_US = 10_500_000  # after this long nobody can agree to an undo any more (T7)
BOOT_US = 20_000_000  # how long they wait for the first light
PATIENCE_US = 5_000_000  # how long people wait for a light
LEAD_US = 250_000  # while seconds count a card is laid on so long before: the table takes as long to believe it
SLACK_US = 150_000  # what has to be judged before the table speaks is done so long before, what comes after, after
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
        if can_be_done(game, header, entry):
            script.lines.append(entry)
        else:
            script.impossible.append(entry)
    return script


def can_be_done(game: Any, header: Header, line: Line) -> bool:
    """Whether hands can bring it about: not what a seat says that is not there, or that only arbiter or table can say.

    What the table says of its own accord is waited for, and so is the players' answer, which it writes down (T4).
    """
    event = line.event
    if not event.seat:
        return not line.rules and (event.verb == LEAD or is_said_by_table(game, event.verb))
    if event.seat > len(header.seats) or is_said_by_table(game, event.verb):
        return False
    return event.verb >= OWN_VERB or event.verb in (DRAW, UNDO, AGREE)


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
        self.linger: Callable[[Line], int] = lambda line: 0  # asked before each event: microseconds to wait with it
        self._tags = {card: Tag(uid_of(card)) for card in [*range(DECKS * 54), card_number("QQ")]}
        self._lying: dict[int, int] = {}  # place: card
        self._left_us: dict[tuple[int, int], int] = {}  # (place, card): when it was taken off
        self._refused: dict[int, tuple[int, int]] = {}  # seat: its last refused event, packed, and when
        self._undo_us = 0
        self._anchor = (0, 0)  # when the last event was done: microseconds here, milliseconds in the record

    def play(self) -> Generator[Any, None, None]:
        """Do every event of the script, one after the other, as fast as the lights allow."""
        begun_us = self.world.now_us
        yield lambda: self.is_lit() or self.world.now_us > begun_us + BOOT_US
        if not self.is_lit():
            raise HandsError("no light comes on: the table does not play")
        for line in self.script.lines:
            self.line = line
            linger_us = self.linger(line)
            if linger_us:
                yield linger_us
            if line.event.seat and self.counts_seconds(line.event):
                yield from self.act_in_time(line.event)
            else:
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

    def is_lit(self) -> bool:
        """Whether any place has its light on."""
        return any(self.colour(place) != (0, 0, 0) for place in self.script.header.places)

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

    def counts_seconds(self, event: Event) -> bool:
        """Whether a rule counts seconds, now or when that event came: the table will speak, or a handicap runs."""
        state = self.shadow.state
        if self.game.due_ms(state) >= 0:
            return True
        anchor_us, anchor_ms = self._anchor
        now_ms = anchor_ms + (self.world.now_us - anchor_us) // 1000
        seats = range(1, len(self.script.header.seats) + 1)
        times = (now_ms, event.at_ms)
        return any(0 < self.game.fill_light(state, seat, at_ms) < FULL for seat in seats for at_ms in times)

    def act_in_time(self, event: Event) -> Generator[Any, None, None]:
        """Do the event as long after the last one as in the record, but before the table speaks."""
        anchor_us, anchor_ms = self._anchor
        wanted_us = anchor_us + 1000 * (event.at_ms - anchor_ms)
        due_ms = self.game.due_ms(self.shadow.state)
        if due_ms >= 0:
            wanted_us = min(wanted_us, anchor_us + 1000 * (due_ms - anchor_ms) - SLACK_US)
        is_tap = bool(verb_arguments(self.game, event.verb)[:1] == "C")
        begin_us = wanted_us - (LEAD_US if is_tap else PRESS_US * 2 * (self.count_presses(event) - 1))
        if begin_us > self.world.now_us:
            yield begin_us - self.world.now_us
        place = self.script.header.places[event.seat - 1]
        if is_tap:
            if self.does_harm(event):
                yield from self.act_with_card(place, event)
            else:
                yield from self.tap(place, event.card)
            yield READ_US
            yield from self.take_off(place)
        else:
            yield from self.press_for(place, event)

    def does_harm(self, event: Event) -> bool:
        """Whether a mere tap of the card would do something else. If it only means something else that is refused
        as well, there is no time to choose the verb first.
        """
        options: list[int] = []
        if event.card < self.game.CARDS:
            self.game.meanings(self.shadow.state, event.seat, event.card, options)
        wanted = pack(event.verb, event.card, event.target)
        return options != [wanted] and any(self.can_offer(event.seat, packed) for packed in options)

    def is_asked(self, seat: int) -> bool:
        """Whether somebody has said undo and that seat has not agreed."""
        return self.shadow.undo_seat > 0 and bool(self.shadow.missing() >> seat & 1)

    def colour(self, place: int) -> tuple[int, int, int]:
        """The light of a place."""
        return tuple(self.world.lights.colour(place - 1))  # type: ignore[return-value]

    def act(self, event: Event) -> Generator[Any, None, None]:
        """One event: by a tap or a button that means it, else through the menu."""
        if not event.seat:
            yield from self.wait_for_table(event)
            return
        place = self.script.header.places[event.seat - 1]
        kinds = verb_arguments(self.game, event.verb)
        state = self.shadow.state
        yield from self.wait(place, lambda: self.colour(place) not in (GREEN, RED))
        if kinds[:1] != "C":
            yield from self.press_for(place, event)
        elif event.card >= self.game.CARDS and event.verb == DRAW:
            yield from self.tap(place, event.card)
        else:
            yield from self.act_with_card(place, event)
        if self.game.shows(state, event.verb):
            yield from self.wait(place, lambda: self.colour(place) in (GREEN, RED))
        yield from self.take_off(place)

    def wait_for_table(self, event: Event) -> Generator[Any, None, None]:
        """The table speaks when it is due; the players' answer to who begins (T4) is that seat's OK."""
        if event.verb == LEAD:
            yield from self.press(self.script.header.places[event.target - 1], "OK")
            yield READ_US
            return
        anchor_us, anchor_ms = self._anchor
        due_us = anchor_us + 1000 * (self.game.due_ms(self.shadow.state) - anchor_ms) + SLACK_US
        if due_us > self.world.now_us:
            yield due_us - self.world.now_us

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
            yield from self.press_for(place, event)
            yield from self.tap(place, event.card)
            kinds = verb_arguments(self.game, event.verb)
            if kinds == "CC":
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

    def steps_to(self, seat: int, options: list[int], wanted: int) -> int:
        """How often MENU has to be pressed from the first meaning that is offered."""
        return [packed for packed in options if self.can_offer(seat, packed)].index(wanted)

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
            keys = ["MENU"] * (menu_verbs(self.game).index(verb) + 1) + ["OK"]
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

    def count_presses(self, event: Event) -> int:
        """How many presses it takes; the last one says it."""
        return len(self.keys_for(event))

    def press_for(self, place: int, event: Event) -> Generator[Any, None, None]:
        """Say a verb, and choose what it is said of unless that is a card."""
        for key in self.keys_for(event):
            self._anchor = (self.world.now_us, event.at_ms)  # the last press counts
            yield from self.press(place, key)

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
