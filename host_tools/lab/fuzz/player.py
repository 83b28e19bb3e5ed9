"""People who play a random game through a storm and believe nothing but the record: each line is judged by a plain
session, and each card must have been laid.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

from cardtable.between import archive, pieces
from cardtable.engine.deck import STRANGER, card_name
from cardtable.engine.event import AGREE, LEAD, NO_CARD, OWN_VERB, PAIR, UNDO, Event, pack, unpack, verb_arguments
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.record import RecordError
from cardtable.engine.session import is_said_by_table
from cardtable.engine.verdict import rule_id
from host_tools.lab.fuzz.storm import ASIDE, SECOND, Storm
from host_tools.base.random_play import Random, RandomGame
from host_tools.virtual.fingers import AMBER, GREEN, PRESS_US, RED, HandsError
from host_tools.virtual.hands import Hands, Script, can_be_done, Line as ScriptLine

PATIENCE_US = 60 * SECOND  # how long a card is left lying for a light
STORM_US = 20 * SECOND  # after so long the weather has to rest
CALM_US = 15 * SECOND  # and then the light has to come
LOOK_US = 500_000  # how often the record is looked at while no light comes
LATE_MS = 20_000  # between an event and its line: a full flash, and people who look at the record now and then only
EXPLAINED_US = 120 * SECOND  # a tap or press explains lines for so long: a choice stays open for 30 s
END_US = 30 * SECOND
FIRST_GAME = "0001"  # the only one that is played on this flash

Act = Generator[Any, None, None]


class Wrong(Exception):
    """The firmware did what it may not: `kind` is `wrong verdict`, `lost event` or `phantom event`."""

    def __init__(self, kind: str, cause: str) -> None:
        super().__init__(f"{kind}: {cause}")
        self.kind = kind


class GaveUp(HandsError):
    """No light came. Whether one was due is for the player to say."""


class StormHands(Hands):
    """Hands that keep their patience, bounce, and notice what each reader may have seen."""

    def __init__(self, world: Any, game: Any, script: Script, storm: Storm, player: Player) -> None:
        super().__init__(world, game, script)
        self.storm = storm
        self.player = player
        self.laid_us: dict[tuple[int, int], int] = {}  # (place, card): until when that reader could have seen it
        self.pressed_us: dict[int, int] = {}  # place: when a button was pressed there last
        storm.lies = lambda place: self._tags.get(self._lying.get(place, -1))
        storm.seen = self.see
        self.was_asked = False  # in the present act
        self.lays: Counter[tuple[int, int]] = Counter()  # (place, card): how often it was laid there
        self.since_us: dict[tuple[int, int], int] = {}  # and when last
        self.answers_us: list[int] = []  # from a card to the light that judges it, where nothing was asked back
        self._last: dict[int, int] = {}  # place: the card that lay there last

    def see(self, place: int, tag: Any) -> None:
        """A reader may see that tag from now on."""
        for card, known in self._tags.items():
            if known is tag:
                self.laid_us[place, card] = self.world.now_us

    def press(self, place: int, key: str) -> Act:
        """As ever, but contacts may bounce: for less than 5 ms."""
        self.pressed_us[place] = self.world.now_us
        index = 4 * (place - 1) + ("OK", "NO", "CALL", "MENU").index(key)
        for move in (self.world.buttons.press, self.world.buttons.release):
            times = [self.storm.rng.randrange(1, 4_500) for _ in range(2 * self.storm.rng.randrange(4))]
            move(index, self.world.now_us, tuple(sorted(times)) if self.storm.bounces else ())
            yield PRESS_US

    def tap(self, place: int, card: int) -> Act:
        """The same card at the same place is a new tap only when it has been seen to be away (T5)."""
        if self._last.get(place) == card:
            late_us = self.world.now_us + PATIENCE_US
            while self.storm.disturbs_us[place] >= self.world.now_us and self.world.now_us <= late_us:
                yield SECOND
                self.player.read()
            yield 2 * SECOND
        self._last[place] = card
        self.laid_us[place, card] = 1 << 62
        yield from super().tap(place, card)
        self.lays[place, card] += 1
        self.since_us[place, card] = self.world.now_us

    def wait_for_verdict(self, place: int) -> Act:
        """As ever, and note how long it took, unless somebody had to choose with buttons meanwhile."""
        yield from super().wait_for_verdict(place)
        card = self._lying.get(place, -1)
        since_us = self.since_us.get((place, card), 0)
        has_chosen = self.was_asked or self.pressed_us.get(place, -1) >= since_us
        if card >= 0 and not has_chosen and self.storm.stops_us < since_us:
            self.answers_us.append(self.world.now_us - since_us)

    def take_off(self, place: int) -> Act:
        card = self._lying.get(place)
        if card is not None and self.storm.rest_us:
            self.hold_us = self.storm.rng.randrange(*self.storm.rest_us)
        yield from super().take_off(place)
        if card is not None:
            self.laid_us[place, card] = self.world.now_us

    def look(self, place: int) -> bool:
        """Remember whether the table has asked back: a choice that is not made is dropped after a while, unanswered."""
        self.was_asked = self.was_asked or self.colour(place) == AMBER
        return False

    def wait(self, place: int, is_so: Any) -> Act:
        """For a light, or a line of the record that tells why none comes."""
        player, begun = self.player, self.world.now_us
        while not is_so():
            if player.answers(place) or self.world.now_us > begun + PATIENCE_US:
                raise GaveUp("no light")
            self.storm.rests = self.world.now_us > begun + STORM_US
            look_us = self.world.now_us + LOOK_US
            yield lambda until=look_us: self.look(place) or is_so() or self.world.now_us >= until
        if self.colour(place) == GREEN:
            player.see_green(place)


class Player:
    """Plays up to `limit` acts. `lines` counts events of the record, `fault` is what was wrong, or None."""

    def __init__(self, world: Any, game: Any, header: Any, storm: Storm, flash: Path, seed: int, limit: int) -> None:
        self.world = world
        self.game = game
        self.header = header
        self.storm = storm
        self.flash = flash
        self.limit = limit
        self.rng = random.Random(seed)
        self.plan = RandomGame(game, header, Random(seed))
        self.session = self.plan.session
        self.order = list(self.plan.deck)
        self.hands = StormHands(world, game, Script(header, []), storm, self)
        self.hands.shadow = self.session
        self.event = Event()
        self.texts: list[bytes] = []  # whole lines of the record, the header's too
        self.begins = 0  # how many of them the header has
        self.lines = self.acts = self.refused = 0
        self.result = ""
        self.fault: Wrong | None = None
        self.is_done = False
        self._late_ms: int | None = None  # how far the record's time is behind the world's, at least
        self._cut_us = 0
        self._taps: Counter[tuple[int, int]] = Counter()  # (place, card): lines of the record that it caused
        self._judged: dict[int, int] = {}  # seat: the card of its last event that has one
        self._answered: dict[int, int] = {}  # seat: events of it in the record
        self._before: dict[int, int] = {}  # the same as the present act began
        self._greens: dict[int, int] = {}  # seat: accepted events of it
        self._before_green: dict[int, int] = {}

    # --- the record ---

    def read(self) -> None:
        """Take in what has come to flash, and judge each line. Wrong."""
        folder = self.flash / "games" / FIRST_GAME
        whole = folder.with_suffix(archive.RECORD)
        if whole.exists():  # the pieces are going, or gone
            texts = whole.read_bytes().splitlines(keepends=True)
        elif not folder.exists():
            return  # no game yet
        else:
            texts = list(pieces.read_lines(str(folder if folder.is_dir() else folder.with_suffix(ASIDE))))
        if texts[: len(self.texts)] != self.texts:
            raise Wrong("lost event", "a line that was on flash is not there any more, or is another one")
        for text in texts[len(self.texts):]:
            self.texts.append(text)
            self.take(text)

    def start_over(self) -> None:
        """The power was gone: the game's time goes on where its record ends, so it is behind by as much as was lost."""
        self._late_ms = None
        self._cut_us = self.world.now_us

    def take(self, text: bytes) -> None:
        """One more line of the record."""
        if not self.begins:
            if text == b"\n":
                self.begins = len(self.texts)
                read_header(iter([line.decode() for line in self.texts]))
            return
        if text[:1] in (b";", b"~"):
            return
        line = text.decode().rstrip("\n")
        if line.startswith("result:"):
            self.result = line[7:].strip()
            if self.result != self.session.result():
                raise Wrong("wrong verdict", f"`{line}`, but a plain session has {self.session.result()!r}")
            return
        try:
            rule = read_event(self.game, line, len(self.texts), self.event)
        except RecordError as wrong:
            raise Wrong("wrong verdict", f"`{line}`: {wrong.cause}") from wrong
        self.explain(line)
        late_ms = self.world.now_us // 1000 - self.event.at_ms
        self._late_ms = late_ms if self._late_ms is None else min(late_ms, self._late_ms)
        if late_ms > self._late_ms + LATE_MS:
            raise Wrong("wrong verdict", f"`{line}` is {(late_ms - self._late_ms) // 1000} s late by its own time")
        verdict = self.session.play(self.event)
        wanted = rule_id(self.game, verdict) if verdict else ""
        if rule != wanted:
            raise Wrong("wrong verdict", f"`{line}`, but a plain session says {wanted or 'accepted'}")
        seat = self.event.seat
        if self.event.card != NO_CARD:
            self._judged[seat] = self.event.card
        self.lines += 1
        self.refused += bool(rule)
        self._answered[seat] = self._answered.get(seat, 0) + 1
        if not rule:
            self._greens[seat] = self._greens.get(seat, 0) + 1

    def explain(self, line: str) -> None:
        """Somebody must have done it: the card was in the reach of that reader, or a button was pressed or stuck. For
        seat 0 the table alone speaks, or a press that says who leads: nobody here is the arbiter. Wrong."""
        event = self.event
        now_us = self.world.now_us
        if not event.seat:
            is_answer = event.verb == LEAD and any(map(self.was_pressed, self.header.places))
            if not is_answer and not is_said_by_table(self.game, event.verb):
                raise Wrong("phantom event", f"`{line}`, but nobody is the arbiter")
            return
        place = self.header.places[event.seat - 1]
        if event.card == NO_CARD:
            if not self.was_pressed(place):
                raise Wrong("phantom event", f"`{line}`, but no button was pressed at place {place}")
        elif self.hands.laid_us.get((place, event.card), -EXPLAINED_US) + EXPLAINED_US < now_us:
            raise Wrong("phantom event", f"`{line}`, but {card_name(event.card)} was not at place {place}")
        else:
            self.explain_again(line, place)

    def was_pressed(self, place: int) -> bool:
        """Whether a button there was pressed, or closed by itself, not long ago."""
        last_us = max(pressed.get(place, -EXPLAINED_US) for pressed in (self.hands.pressed_us, self.storm.stuck_us))
        return last_us + EXPLAINED_US >= self.world.now_us

    def explain_again(self, line: str, place: int) -> None:
        """A card that lies still counts once: a second line needs a second tap, unless something has kept its reader
        from seeing it. Wrong."""
        key = place, self.event.card
        self._taps[key] += 1
        since_us = self.hands.since_us.get(key, 0)
        if self.storm.disturbs_us[place] >= since_us or self._cut_us >= since_us:
            self._taps[key] = min(self._taps[key], self.hands.lays[key])
        if self._taps[key] > self.hands.lays[key]:
            raise Wrong("phantom event", f"`{line}`, but {card_name(self.event.card)} lay still at place {place}")

    def answers(self, place: int) -> bool:
        """Whether the record has an event of that place since the act began. Wrong."""
        self.read()
        seat = self.header.places.index(place) + 1
        return self._answered.get(seat, 0) > self._before.get(seat, 0)

    def see_green(self, place: int) -> None:
        """T9: the line is on flash before its light is green. Wrong."""
        self.read()
        seat = self.header.places.index(place) + 1
        if self._greens.get(seat, 0) <= self._before_green.get(seat, 0) and self.hands.line is not None:
            raise Wrong("lost event", f"place {place} is green, and the record has no line for it")

    # --- the people ---

    def play(self) -> Act:
        """An actor of the world."""
        try:
            yield from self.play_all()
        except Wrong as fault:
            self.fault = fault
        self.storm.is_over = True
        self.is_done = True

    def play_all(self) -> Act:
        """Acts until the game is over, or there were enough of them."""
        yield lambda: any(self.hands.colour(place) != (0, 0, 0) for place in self.header.places)
        yield SECOND
        while self.acts < self.limit:
            self.read()
            if self.session.is_over():
                break
            event = self.choose()
            if event is None:
                yield SECOND
                self.acts += 1
                continue
            self.acts += 1
            yield from self.act(event)
        self.storm.is_over = True
        yield max(0, self.storm.stops_us - self.world.now_us) + SECOND
        self.read()
        if self.session.is_over():
            late_us = self.world.now_us + END_US
            while not self.result and self.world.now_us < late_us and self.session.is_over():
                yield SECOND
                self.read()
            if not self.result and self.session.is_over():
                raise Wrong("lost event", "the game is over, and its result was not written")

    def choose(self) -> Event | None:
        """The next event to try: mostly a legal one, now and then an illegal one."""
        kind = self.rng.randrange(100)
        seats = len(self.header.seats)
        seat = self.rng.randrange(1, seats + 1)
        at_ms = self.event.at_ms
        if self.session.undo_seat and kind < 80:
            asked = [other for other in range(1, seats + 1) if self.session.missing() >> other & 1]
            return Event(self.rng.choice(asked), AGREE, at_ms=at_ms) if asked else None
        if kind < 4:
            return Event(seat, UNDO, at_ms=at_ms)
        if kind < 18:
            return self.choose_wrongly(seat, at_ms)
        self.plan.deck[:] = self.order
        self.plan.event.at_ms = at_ms
        if not self.plan.choose():
            return None
        event = self.plan.event
        return Event(event.seat, event.verb, event.card, event.target, event.at_ms)

    def choose_wrongly(self, seat: int, at_ms: int) -> Event | None:
        """Any verb with any card: a tap that comes unexpectedly."""
        card = self.rng.choice(self.order) if self.rng.randrange(10) else STRANGER
        options: list[int] = []
        if card != STRANGER:
            self.game.meanings(self.session.state, seat, card, options)
        if options and self.rng.randrange(3):
            return unpack(self.rng.choice(options), seat, at_ms, Event())
        verbs = [OWN_VERB + number for number in range(len(self.game.VERBS))]
        verb = self.rng.choice([verb for verb in verbs if verb_arguments(self.game, verb) in ("", "C", PAIR)])
        kinds = verb_arguments(self.game, verb)
        target = self.rng.choice(self.order) if kinds == PAIR else 0
        return unpack(pack(verb, card if kinds else NO_CARD, target), seat, at_ms, Event())

    def act(self, event: Event) -> Act:
        """Do it, and see that it is in the record. Wrong."""
        line = ScriptLine(self.acts, "", event, [])
        hands = self.hands
        can = can_be_done(self.game, self.header, line, self.session.state, self.session.undo_seat > 0)
        if not can or event.card not in hands._tags and event.card != NO_CARD:
            return
        hands.line = line
        hands.was_asked = False
        self._before = dict(self._answered)
        self._before_green = dict(self._greens)
        begun_us = self.world.now_us
        presses: list[str] = []
        try:
            if event.seat and verb_arguments(self.game, event.verb)[:1] != "C":
                presses = hands.keys_for(event)
            yield from hands.act(event)
        except GaveUp:
            pass
        except (HandsError, ValueError):
            pass  # the table offers something else than people expected: the record has changed meanwhile
        self.read()
        self.storm.rests = False
        hands.line = None
        is_hidden = not self.game.shows(self.session.state, event.verb)
        if len(presses) == 1 and is_hidden:
            yield SECOND  # D43: its line waits for a moment of its own, and is lost if the power fails before
        if len(presses) == 1 and self.storm.stops_us < begun_us and not (is_hidden and self._cut_us > begun_us):
            self.see_press(self.header.places[event.seat - 1], presses[0])
        yield from self.leave(event, begun_us)

    def see_press(self, place: int, key: str) -> None:
        """A press while nothing was broken: it is in the record, red as a repeated refusal, or asks back. Wrong."""
        if not self.answers(place) and self.hands.colour(place) not in (RED, AMBER) and not self.session.is_over():
            raise Wrong("lost event", f"{key} was pressed at place {place}, and nothing came of it")

    def leave(self, event: Event, begun_us: int) -> Act:
        """The act is over: take the card away, and say whether an answer is missing. Wrong."""
        if not event.seat:
            return
        place = self.header.places[event.seat - 1]
        colour = self.hands.colour(place)
        lies = self.hands._lying.get(place)
        if lies is not None and colour not in (GREEN, RED) and not self.answers(place):
            if colour == AMBER:
                yield from self.hands.press(place, "NO")
            elif self._cut_us > begun_us and self._judged.get(event.seat) == lies:
                pass  # T9: it could as well have lain there since it was judged
            elif not self.hands.was_asked and self.is_calm_since(place, begun_us):
                waited_s = (self.world.now_us - begun_us) // SECOND
                raise Wrong("lost event", f"{card_name(lies)} lay at place {place} for {waited_s} s without an answer")
        yield from self.hands.take_off(place)
        if self.hands.colour(place) == AMBER:
            yield from self.hands.press(place, "NO")
        yield SECOND

    def is_calm_since(self, place: int, begun_us: int) -> bool:
        """Whether nothing has kept the table from answering that place for so long that it has to have answered."""
        begun_us = max(self.storm.stops_us, self.storm.disturbs_us[place], begun_us)
        return begun_us + CALM_US < self.world.now_us
