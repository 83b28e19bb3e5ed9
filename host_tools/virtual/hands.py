"""The hands of people who play a recorded game at the virtual table: tags on readers, fingers on buttons.

They look at the lights of their seats as players do, and know what a tap can mean by following the record
in a session of their own. They never look into the device. As a rule they are as fast as the lights allow, or, where
they read the public feed besides, as fast as the table is; while a rule counts seconds (an ask, a handicap) they press
at the very millisecond of the record, and do not wait for lights.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from cardtable.engine.event import AGREE, DRAW, LEAD, OWN_VERB, UNDO, Event, pack, verb_arguments
from cardtable.engine.reading import read_event
from cardtable.engine.record import Header, RecordError
from cardtable.engine.session import Session, is_said_by_table
from cardtable.engine.hands import is_counted
from cardtable.engine.setup import set_up
from cardtable.engine.state import State
from cardtable.play.repeats import QUIET_MS
from cardtable.table.lights import FULL
from host_tools.virtual.fingers import GREEN, LATE_US, PATIENCE_US, READ_US, RED, Fingers, HandsError

CALM_US = 1000 * QUIET_MS + 500_000  # after this long what is refused again is a refusal of its own (T6)
BOOT_US = 20_000_000  # how long they wait for the first light
LEAD_US = 250_000  # while seconds count a card is laid on so long before: the table takes as long to believe it
# Hands that are as fast as the table is: a press that several scans of the buttons see.
QUICK_PRESS_US = 30_000
QUICK_HOLD_US = 10_000
QUICK_LOOK_US = 5_000  # how often they look at lights and feed
SLACK_US = 150_000  # what has to be judged before the table speaks is done so long before, what comes after, after


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
    state = set_up(game, header)
    at_ms = lacking = 0
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
        if can_be_done(game, header, entry, state, lacking > 0):
            script.lines.append(entry)
        else:
            script.impossible.append(entry)
        if not entry.rules and event.verb != DRAW:
            lacking = len(header.seats) - 1 if event.verb == UNDO else lacking - 1 if event.verb == AGREE else 0
    return script


def can_be_done(game: Any, header: Header, line: Line, state: State, has_undo: bool) -> bool:
    """Whether hands can bring it about: not what a seat says that is not there, or that only arbiter or table can say.
    has_undo: some have not agreed to an undo, so that OK may agree (T7).

    What the table says of its own accord is waited for, and so is the players' answer, which it writes down (T4).
    """
    event = line.event
    if not event.seat:
        return not line.rules and (event.verb == LEAD or is_said_by_table(game, event.verb))
    if event.seat > len(header.seats) or is_said_by_table(game, event.verb):
        return False
    if event.verb >= OWN_VERB and not game.has_verb(state, event.verb):
        # No menu lists it; a button may say it all the same.
        return not has_undo and event.verb in [game.button(state, event.seat, key) for key in range(3)]
    if event.verb == DRAW and is_counted(state):
        return False  # T4: nor this
    return event.verb >= OWN_VERB or event.verb in (DRAW, UNDO, AGREE)


class Hands(Fingers):
    """Plays a script at a world. `play()` is the actor for world.people; `line` is the event that is being
    done.
    """

    def __init__(self, world: Any, game: Any, script: Script, count_told: Callable[[], int] | None = None) -> None:
        """count_told: how many events the public feed has told of; with it nobody waits for a light to go out."""
        super().__init__(world, game, Session(game, script.header), script.header.places)
        self.script = script
        self.count_told = count_told
        if count_told is not None:
            self.press_us, self.hold_us = QUICK_PRESS_US, QUICK_HOLD_US
        self._public = 0  # events of which the feed tells, up to the one that is being done
        self.line: Line | None = None
        self.played = 0
        self.is_done = False
        self.linger: Callable[[Line], int] = lambda line: 0  # asked before each event: microseconds to wait with it
        self._refused: dict[int, tuple[int, int]] = {}  # seat: its last refused event, packed, and when

    def play(self) -> Generator[Any, None, None]:
        """Do every event of the script, one after the other, as fast as the lights allow."""
        begun_us = self.world.now_us
        yield lambda: self.is_lit() or self.world.now_us > begun_us + BOOT_US
        if not self.is_lit():
            raise HandsError("no light comes on: the table does not play")
        for line in self.script.lines:
            self.line = line
            self._public += bool(self.game.shows(self.shadow.state, line.event.verb))
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

    def wait_until_ready(self, place: int) -> Generator[Any, None, None]:
        """Until a new verdict can be told from the last one."""
        if self.count_told is None:
            yield from super().wait_until_ready(place)

    def wait(self, place: int, is_so: Callable[[], bool]) -> Generator[Any, None, None]:
        """Wait for a light, but not for ever. Quick hands look themselves: to ask them each millisecond costs more."""
        late_us = self.world.now_us + PATIENCE_US
        while self.count_told is not None and not is_so() and self.world.now_us < late_us:
            yield QUICK_LOOK_US
        yield from super().wait(place, is_so)

    def wait_for_verdict(self, place: int) -> Generator[Any, None, None]:
        """Until the light says whether the play stands; where the feed is read, the light that the record expects."""
        if self.count_told is None or self.line is None:
            yield from super().wait_for_verdict(place)
            return
        wanted, count_told = RED if self.line.rules else GREEN, self.count_told
        yield from self.wait(place, lambda: count_told() >= self._public and self.colour(place) == wanted)

    def is_lit(self) -> bool:
        """Whether any place has its light on."""
        return any(self.colour(place) != (0, 0, 0) for place in self.places)

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
        begin_us = wanted_us - (LEAD_US if is_tap else self.press_us * 2 * (self.count_presses(event) - 1))
        if begin_us > self.world.now_us:
            yield begin_us - self.world.now_us
        place = self.places[event.seat - 1]
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

    def act(self, event: Event) -> Generator[Any, None, None]:
        """One event of the record; the table's own are waited for."""
        yield from super().act(event) if event.seat else self.wait_for_table(event)

    def wait_for_table(self, event: Event) -> Generator[Any, None, None]:
        """The table speaks when it is due; the players' answer to who begins (T4) is that seat's OK."""
        if event.verb == LEAD:
            yield from self.press(self.places[event.target - 1], "OK")
            yield READ_US
            return
        anchor_us, anchor_ms = self._anchor
        due_us = anchor_us + 1000 * (self.game.due_ms(self.shadow.state) - anchor_ms) + SLACK_US
        if due_us > self.world.now_us:
            yield due_us - self.world.now_us
        if self.count_told is not None:
            count_told, late_us = self.count_told, due_us + PATIENCE_US
            while count_told() < self._public and self.world.now_us < late_us:
                yield QUICK_LOOK_US

    def count_presses(self, event: Event) -> int:
        """How many presses it takes; the last one says it."""
        return len(self.keys_for(event))

    def describe(self) -> str:
        """The line that is being done."""
        return f"line {self.line.number} ({self.line.text})" if self.line else "no line"
