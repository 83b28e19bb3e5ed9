"""The hands of one seat at a live table: they do what its player says, deal and draw for it, or are a virtual player's.

One actor a place (host_tools/virtual/people.py), so that a seat does one thing after the other. Whether a play stood is
read from the record; lights are looked at only while the table offers a choice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from typing import Any, Protocol

from cardtable.engine.event import AGREE, LEAD, NO_CARD, Event, pack, unpack
from cardtable.engine.state import DEAL
from host_tools.base.bugs import BugLog
from host_tools.minds.players import find_player
from host_tools.play.apart import Apart
from host_tools.play.known import Known
from host_tools.play.lessons.lesson import THINK_US
from host_tools.play.machine import Machine
from host_tools.play.seating import Seating
from host_tools.play.tags import LiveFingers, Tags
from host_tools.sight.follower import Follower
from host_tools.sight.seen import Player, look
from host_tools.virtual.fingers import AMBER, READ_US, RED, HandsError

Wait = Generator[Any, None, None]

WAITING_LIMIT = 8  # acts that wait for one seat's hands
POLL_US = 20_000
VERDICT_US = 1_200_000  # how long a card lies on the reader at most, if the table says nothing to it
HOLD_US = 150_000  # how long it lies on after the verdict
NOTICE_US = 30_000  # between two cards of a deal
AGREE_US = 900_000  # how long a virtual player thinks before it agrees to an undo
AGAIN_US = 300_000  # how often a virtual player that does nothing is asked again: a handicap may be over (C11)
REST_US = 1_000_000  # after something that did not work out


class HandsTable(Protocol):
    """A live table, as the hands around it need it."""

    apart: Apart
    bugs: BugLog
    fingers: LiveFingers
    known: Known
    lesson: Any
    machine: Machine
    seating: Seating
    tags: Tags

    @property
    def cards(self) -> Any: ...
    @property
    def follower(self) -> Follower: ...
    @property
    def game(self) -> Any: ...
    @property
    def hands(self) -> Hands: ...
    @property
    def is_playing(self) -> bool: ...
    @property
    def now_ms(self) -> int: ...
    @property
    def now_us(self) -> int: ...
    @property
    def session(self) -> Any: ...
    @property
    def waits(self) -> bytes: ...
    def answers(self, seat: int) -> int: ...
    def awaited(self) -> list[int]: ...
    def lead_seat(self) -> int: ...
    def light(self, place: int) -> tuple[int, int, int]: ...
    def may_choose(self, place: int) -> bool: ...
    def name_of(self, card: int) -> str: ...
    def seat_at(self, place: int) -> int: ...


class Hands(dict[int, "SeatHands"]):
    """`hands[place]`, for each place of a table. by_themselves: they deal and draw without being told. are_free: the
    host may do anything with any card."""

    def __init__(self, table: HandsTable, places: int) -> None:
        super().__init__((place, SeatHands(table, place)) for place in range(1, places + 1))
        self.by_themselves, self.are_free = True, False


class SeatHands:
    """The hands at one place. `run()` is the actor; `ask(act)` lets them do something, False if too much waits."""

    def __init__(self, table: HandsTable, place: int) -> None:
        self.table = table
        self.place = place
        self.acts: deque[Callable[[], Wait]] = deque()
        self.is_busy = False
        self.is_asked = False  # what it does now somebody has asked for
        self.gave_up = ""  # why the last act that came to nothing did
        self.held: set[str] = set()  # buttons that somebody's page holds down
        self.player: Player | None = None
        self._player_of: tuple[str, str, int] = ("", "", 0)
        self._thought: tuple[int, int] | None = None  # the virtual player's next act, and when
        self._thought_version = -1
        self._asked_us = 0
        self._drew_in_vain = False

    @property
    def seat(self) -> int:
        """The seat at this place in the game that is under way; 0: none."""
        return self.table.seat_at(self.place)

    @property
    def has_work(self) -> bool:
        """Whether something that was asked is not done yet."""
        return bool(self.acts) or self.is_asked

    @property
    def is_still(self) -> bool:
        """Whether these hands do nothing, and hold no button down."""
        return not (self.acts or self.is_busy or self.held)

    @property
    def has_plans(self) -> bool:
        """Whether a virtual player is about to do something, or has not thought yet about what it heard last."""
        table, seat = self.table, self.seat
        if not seat or not table.seating.is_bots(seat):
            return False
        return self._thought is not None or self._thought_version != table.follower.told[seat]

    def ask(self, act: Callable[[], Wait]) -> bool:
        """Do that when all that was asked before is done."""
        if len(self.acts) >= WAITING_LIMIT:
            return False
        self.acts.append(act)
        return True

    def holds_back(self, card: str) -> bool:
        """Whether a tap of that card would have to wait until the reader takes it for a new one (T5)."""
        return card in self.table.tags.lying[self.place] or self.table.tags.gone_in_us(self.place, card) > 0

    def run(self) -> Wait:
        """For ever: a draw that is due, then what was asked, else what the seat does by itself."""
        while True:
            try:
                yield from self._do_next()
            except HandsError as gave_up:
                self.gave_up = str(gave_up)
                yield from self._rest()
            except Exception as bug:  # it costs this act, and not the table
                self.gave_up = self.table.bugs.note(bug, f"in the hands at place {self.place}")
                yield from self._rest()
            self.is_busy = False

    def _do_next(self) -> Wait:
        draw = self._due_draw()
        self.is_asked = draw is None and bool(self.acts)
        act = draw or (self.acts.popleft() if self.acts else self._own_act())
        if act is None:
            yield POLL_US
            return
        self.is_busy, begun_us = True, self.table.now_us
        yield from self._while_it_lasts(act())
        if self.table.now_us == begun_us:  # such as a draw of a card that lies on a reader already
            yield POLL_US

    def _while_it_lasts(self, acting: Wait) -> Wait:
        """An act ends with the game in which it was begun: its card or press must not be said in another one."""
        course = self.table.follower.course
        for wish in acting:
            yield wish
            if course is not None and self.table.follower.course is not course:
                acting.close()
                raise HandsError("the game has gone")

    def _rest(self) -> Wait:
        """The table has changed under their hands."""
        yield from self.table.fingers.take_off(self.place)
        yield REST_US

    # --- what a player says ---

    def tap(self, card: str, hold_us: int = HOLD_US) -> Wait:
        """Lay a card on the reader, and take it away after the verdict: a refused one at once, so that a second tap of
        it counts sooner. A refusal that is the same again is no new line of the record (T6): the red light tells it."""
        yield self.table.tags.gone_in_us(self.place, card)
        if not self.table.tags.put(self.place, card):
            return
        answered, laid_us = self.table.answers(self.seat), self.table.now_us
        while self.table.now_us < laid_us + VERDICT_US:
            yield POLL_US
            # A light that offers a choice, or refuses, may have done so before: the card has to lie until it is read.
            is_lit = self.table.light(self.place) in (AMBER, RED) and self.table.now_us > laid_us + READ_US
            if self.table.answers(self.seat) != answered or is_lit:
                break
        if self.table.light(self.place) != RED:
            yield hold_us
        self.table.tags.take(self.place, card)

    def press(self, key: str) -> Wait:
        """One press of a button."""
        yield from self.table.fingers.press(self.place, key)

    def hold(self, key: str) -> None:
        """A button goes down, and stays there."""
        self.held.add(key)
        self.table.fingers.world.press(self.place, key)

    def let_go(self, *keys: str) -> None:
        """These buttons come up; without any, all that are held."""
        for key in keys or tuple(self.held):
            self.held.discard(key)
            self.table.fingers.world.release(self.place, key)

    def play(self, packed: int) -> Wait:
        """Say an event at the table, with all the taps, presses and menu steps that it takes."""
        if self.table.session is None or not self.seat:
            return
        yield from self._leave_choice()
        if packed >> 16 == LEAD:
            yield from self.press("OK")
        else:
            yield from self.table.fingers.act(unpack(packed, self.seat, self.table.now_ms, Event()))

    def _leave_choice(self) -> Wait:
        """Drop a choice that was left open: it would take what follows for its own, and a press of OK for a yes. NO
        alone would do that, but says something where none is open; behind MENU it does not."""
        if self.table.may_choose(self.place):
            yield from self.press("MENU")
            yield from self.press("NO")

    # --- what the seat does by itself ---

    @property
    def is_drawing(self) -> bool:
        """Whether the table waits for a card that it draws for this seat."""
        table = self.table
        is_dealt = bool(self.seat) and table.hands.by_themselves and table.is_playing
        return is_dealt and table.waits[self.seat] in table.game.CHANCE

    def _due_draw(self) -> Callable[[], Wait] | None:
        """The draw that the seat is waited for goes before its taps: who keeps tapping must not stop the game. A draw
        that came to nothing, because its card lies on a reader, lets the next act go first."""
        if not self.acts or not self.is_drawing or self._drew_in_vain or self.table.awaited():
            self._drew_in_vain = False
            return None
        card = self._next_draw()
        if card is None:
            return None
        self._drew_in_vain = any(self.table.name_of(card) in names for names in self.table.tags.lying.values())
        return lambda: self._draw(card)

    def _own_act(self) -> Callable[[], Wait] | None:
        """Dealing and drawing, if that is done for the player; the next act of a virtual player."""
        table = self.table
        if table.session is None or not self.seat or not table.is_playing or table.awaited():
            return None
        card = self._next_draw()
        if card is not None:
            return lambda: self._draw(card)
        if table.seating.is_bots(self.seat):
            return self._think()
        self._thought = None
        return self._answer_lead() if table.hands.by_themselves else None

    def _next_draw(self) -> int | None:
        """The card that comes to the seat by chance now."""
        table = self.table
        verb = table.game.CHANCE.get(table.waits[self.seat], 0)
        if not verb or not (table.hands.by_themselves or table.seating.is_bots(self.seat)):
            return None
        return table.cards.next_card(self.seat, verb, table.now_ms, frozenset(table.tags.on_their_way))

    def _draw(self, card: int) -> Wait:
        """One card from the stock over the reader into the hand."""
        self.table.tags.on_their_way.add(card)
        try:
            yield from self.table.fingers.take_off(self.place)  # two cards at once are not read
            yield from self.tap(self.table.name_of(card), NOTICE_US)
        finally:
            self.table.tags.on_their_way.discard(card)

    def _answer_lead(self) -> Callable[[], Wait] | None:
        """T4: who has the lowest trump says so, when the table asks and deals are done for the players."""
        table = self.table
        if table.session.state.register[DEAL] and table.lead_seat() == self.seat:
            return lambda: self.press("OK")
        return None

    def _think(self) -> Callable[[], Wait] | None:
        """The act of the virtual player, once it has thought long enough."""
        table = self.table
        told = table.follower.told[self.seat]  # only what its seat has heard may make it think again (D43)
        if self._thought_version != told or self._thought is None and table.now_us >= self._asked_us + AGAIN_US:
            self._thought_version, self._asked_us = told, table.now_us
            choice = self._choose()
            if choice is None:
                self._thought = None
            elif self._thought is None or self._thought[0] != choice[0]:
                self._thought = (choice[0], table.now_us + 1000 * choice[1])
        if self._thought is None:
            return None
        table.machine.stir()
        packed, due_us = self._thought
        if table.now_us < due_us:
            return None
        self._thought = None
        return lambda: self.play(packed)

    def _choose(self) -> tuple[int, int] | None:
        """(event packed, how long it thinks in ms) or None."""
        table, seat = self.table, self.seat
        session = table.session
        if not session.judge(Event(seat, AGREE, NO_CARD, 0, table.now_ms)):
            return pack(AGREE), AGREE_US // 1000
        if not session.judge(Event(0, LEAD, NO_CARD, seat, table.now_ms)):
            return (pack(LEAD, NO_CARD, seat), AGREE_US // 1000) if table.lead_seat() == seat else None
        told = table.lesson.act_of(seat) if table.lesson is not None else None
        if told is not None:
            return (told, THINK_US // 1000) if told else None
        player = self._find_player()
        seen = look(session, seat, table.now_ms, table.cards.hand(seat), tuple(table.follower.logs[seat]))
        name, nonce, _ = self._player_of
        choice = table.apart.choose(player, name, nonce, seen)
        return (choice.packed, choice.think_ms) if choice else None

    def _find_player(self) -> Player:
        """The virtual player of this game and seat."""
        table, seat = self.table, self.seat
        course = table.follower.course
        assert course is not None
        wanted = (table.seating.bot_name(seat), course.nonce, seat)
        if self.player is None or self._player_of != wanted:
            self._player_of = wanted
            self.player = find_player(wanted[0])(course.game, seat, len(course.header.seats), table.known.seed + seat)
            self.player.line = " ".join(course.header.game)
            if self.player.plays_out:
                table.apart.begin()
        return self.player

