"""Takes in the taps, presses and time of one game, and hands each event to the judging."""

import time

from cardtable.engine.event import CALL_KEY, MENU_KEY, OK_KEY, OWN_VERB, PLACE, pack, said_by
from cardtable.engine.session import is_said_by_table
from cardtable.play.arbiter import Arbiter
from cardtable.play.clock import Clock
from cardtable.play.display import Display
from cardtable.play.judge_and_write import NOTHING, STEP_MS, Judging
from cardtable.play.seats import Seat
from cardtable.play.turns import Turns
from cardtable.rooms import tidy
from cardtable.table.faults import Faults
from cardtable.table.keypad import BUTTONS, HOLD_MS, REPEAT_MS, button_at, key_of, place_of
from cardtable.table.lights import OFF
from cardtable.table.readers import CAME, CLEARED, CROWDED, LEFT, UNREAD
from cardtable.table.running import NEXT, Running
from cardtable.table.tags import ARBITER_KEY

PRESS_KEPT_MS = 2000  # T13: a press while the game waits is judged when it goes on within that time; by then all know
MOST_PRESSES = 16  # that are kept: as many as the ring of the buttons has
CLOSE_MS = 10000  # how long after the last tap or press a finished game is closed: an undo may reopen it before (T7)


def order_presses(presses: list, first: int, seats: int) -> None:
    """Sort (time, seat, key): of two at one time the one clockwise first from seat `first`, itself included (C5).

    Each seat's own presses stay in their order. Insertion sort: a step has few, and MicroPython's sort is not stable.
    """
    for end in range(1, len(presses)):
        press = presses[end]
        at = end
        while at and is_before(press, presses[at - 1], first, seats):
            presses[at] = presses[at - 1]
            at -= 1
        presses[at] = press


def is_before(press: tuple, other: tuple, first: int, seats: int) -> bool:
    """Whether `press` has to be judged before `other`, which was found before it."""
    if press[0] != other[0]:
        return press[0] < other[0]
    return (press[1] - first) % seats < (other[1] - first) % seats


class Controller(Running):
    """One game at one table. `step` never blocks for long."""

    is_game = True

    def __init__(self, session, header, parts, turns=None) -> None:
        """session: of this header's game; parts: readers, buttons, lights, screen, journal, words, and say(text) for
        the feed; turns: a Turns that has been kept for this session until now (T8)."""
        game = session.game
        self.session = session
        self.header = header
        self.readers = parts.readers
        self.buttons = parts.buttons
        self.words = parts.words
        self.clock = Clock()
        self.turns = turns or Turns(self.session)
        self.faults = Faults(parts, header.places)
        self.choosers: list = []  # each seat, then the arbiter
        parts.screen.enlarge()
        self.display = Display(self.session, header, parts, self.clock, self.choosers, self.faults)
        for place in range(1, len(self.display.seat_at)):
            if not self.display.seat_at[place]:
                parts.readers.unused |= 1 << place - 1  # for good: another game begins with a reset
        self.judging = Judging(self.session, header, parts, self.clock, self.turns, self.display)
        ask = self.judging.ask
        self.seats = [Seat(number + 1, self.session, ask) for number in range(len(header.seats))]
        self.arbiter = Arbiter(self.session, ask, self.turns)
        self.choosers.extend(self.seats)
        self.choosers.append(self.arbiter)
        self.holds = False  # cards came that could not be judged
        self.last_ms = 0  # of the last tap or press
        self.presses: list = []  # (time, seat, key) of one step, or since the game waits for a repair
        self._has_waited = False  # for a repair, in the step before
        self._swept = -1  # the sweep in which presses were taken last
        self.table_verb = 0  # the verb that the table itself says in this game; 0: none
        for index in range(len(game.VERBS)):
            if is_said_by_table(game, OWN_VERB + index):
                self.table_verb = OWN_VERB + index
        self._judged = bytearray()  # of a game that goes on: two cards a seat that were judged last

    def start(self) -> None:
        """Begin the game and its record."""
        self.judging.journal.open(self.header)
        self.display.show_table()

    def go_on(self, at_ms: int, judged) -> None:
        """Go on where the power failed (T9): at that time, with the cards that each seat had judged last,
        two a seat."""
        judging = self.judging
        self.clock.go_on(at_ms)
        judging.act_ms = self.last_ms = at_ms
        self.turns.hold(at_ms)
        judging.has_begun = at_ms > 0
        self._judged = judged
        self.readers.resting = -1  # all of them
        self.display.show_table()

    def has_secrets(self) -> bool:
        """T11: whether the record holds secrets of a game under way."""
        return self.judging.has_begun and not self.judging.is_closed

    def rests(self) -> bool:
        """Whether the game is closed, and its record is one text."""
        return self.judging.is_closed and not self.judging.has_steps()

    def step(self) -> None:
        """Take in posts of the readers and presses, then show the result."""
        now_ms = self.display.now_ms = self.clock.now()
        goes_on = self.watch(now_ms)
        hides = self.judging.hides
        # To judge a press that nobody may notice takes time (D43): presses are taken once a sweep, and before a card,
        # and such a step is as long without any.
        takes_presses = not hides or goes_on or self._swept != self.readers.sweeps or self.readers.has_posts()
        if hides and takes_presses:
            self._swept = self.readers.sweeps
            self.take_presses(now_ms)
        while self.readers.next():
            self.take_post(now_ms)
        if not hides:
            self.take_presses(now_ms)
        self._has_waited = self.waits_for_repair()
        if self._has_waited:
            self.turns.hold(now_ms)
        else:
            self.pass_time(now_ms)
        if hides:
            self.judging.write_hidden(now_ms)
            if takes_presses:
                self.judging.wait(self.display.now_ms + STEP_MS)
        self.display.show_bottom(self.display.now_ms)
        self.display.show_lights(self.display.now_ms)
        if self.judging.has_shown:
            self.judging.has_shown = False
            tidy()  # the light shines; no collection has to come between the next tap and its own

    def waits_for_repair(self) -> bool:
        """T13: whether the game waits for a repair; until then nothing is judged."""
        return self.faults.stops or self.judging.owed != NOTHING

    def watch(self, now_ms: int) -> bool:
        """Try the flash again and ask for faults; when they are over, judge the cards that came meanwhile, and before
        each of them the presses that were made before it. Whether the game goes on now."""
        self.judging.retry(now_ms)
        waits = self.faults.stops
        if self.faults.look():
            self.display.is_stale = True
            for name in self.faults.names or ("over",):
                self.judging.feed.say("fault: " + name)
            if self.turns.is_on and self.faults.stops != waits and not self.session.is_over():
                self.judging.note_wait(not waits, now_ms)
        goes_on = self._has_waited and not self.waits_for_repair()
        if goes_on and self.judging.hides:
            self.display.now_ms += STEP_MS * MOST_PRESSES  # D43: as long for no press as for all that may be kept
        while self.holds and not self.waits_for_repair():
            held = [seat for seat in self.seats if seat.is_held]
            if not held or self.judging.is_closed:
                self.holds = False
            else:
                oldest = min(held, key=lambda seat: seat.came_ms)
                self.answer_presses(now_ms, oldest.came_ms)
                if not self.waits_for_repair():
                    self.tap(oldest, oldest.card, now_ms)
        return goes_on

    # --- cards ---

    def take_post(self, now_ms: int) -> None:
        """Take in one post: a card came or left, or several lie on a reader (T5: one resting card is one tap)."""
        number = self.display.seat_at[self.readers.place]
        if not number:
            return
        seat = self.seats[number - 1]
        what = self.readers.what
        if what == CROWDED or what == UNREAD:
            if not self.judging.is_closed:  # the code stays when the cards are gathered
                self.display.crowd(number, "crowded" if what == CROWDED else "unread")
        elif what == CLEARED:
            self.display.clear(number)
        elif what == CAME:
            if self.readers.resting >> self.readers.place - 1 & 1:
                self.rest(seat)
            elif self.waits_for_repair():
                seat.hold(self.readers.card, now_ms)
                self.holds = True
            elif not self.judging.is_closed:
                self.tap(seat, self.readers.card, now_ms)
        else:
            if what == LEFT:
                seat.left()
            elif self.display.again >> number & 1:
                self.readers.leave(self.readers.place - 1)  # it is to be tapped again, and need not be away for long
            self.display.left(number)

    def rest(self, seat) -> None:
        """T9: a card that has lain here since before the power came back is no tap.

        If it was judged last it stands in the record (T5: a card that rests is one tap), else it is asked for again.
        """
        seat.card = self.readers.card
        if seat.card not in (self._judged[2 * seat.number], self._judged[2 * seat.number + 1]):
            self.display.ask_again(seat.number)

    def tap(self, seat, card: int, now_ms: int) -> None:
        """Judge one card now."""
        seat.is_held = False
        judging = self.judging
        self.last_ms = now_ms
        judging.act_ms = max(judging.act_ms, now_ms)
        self.display.verdict_of[seat.number] = OFF
        self.display.is_stale = True
        if card == ARBITER_KEY:
            seat.card = card
            judging.say(self.arbiter.use_key(seat.number, now_ms))
        else:
            seat.card = card
            if self.arbiter.is_at(seat.number):
                if self.arbiter.is_armed_for(PLACE):
                    judging.say(self.arbiter.tap(card, now_ms))
                    return
                self.arbiter.drop()
                self.display.is_stale = True
            judging.say(seat.tap(card, now_ms))

    # --- buttons ---

    def take_presses(self, now_ms: int) -> None:
        """Take in the presses since the last step, and judge what can be judged."""
        index = self.buttons.next_press()
        while index >= 0:
            number = self.display.seat_at[place_of(index)] if index < BUTTONS else 0
            if number and len(self.presses) < MOST_PRESSES:
                self.presses.append((self.clock.at(self.buttons.press_ms), number, key_of(index)))
            index = self.buttons.next_press()
        self.answer_presses(now_ms)

    def answer_presses(self, now_ms: int, until_ms: int = -1) -> None:
        """Judge those made until then, -1: all, each at the time of its scan; the game settles a tie (C5). While it
        waits for a repair they are kept, for PRESS_KEPT_MS."""
        session = self.session
        judging = self.judging
        if len(self.presses) > 1:
            order_presses(self.presses, session.game.press_first(session.state), len(self.seats))
        while self.presses and (until_ms < 0 or self.presses[0][0] <= until_ms):
            at_ms, number, key = self.presses[0]
            waits = self.waits_for_repair() and not judging.is_closed
            if waits and now_ms - at_ms < PRESS_KEPT_MS:
                return
            self.presses.pop(0)
            if judging.is_closed:
                self.wants = NEXT if key == OK_KEY else ""
            elif not waits:
                self.press(at_ms, number, key)

    def press(self, at_ms: int, number: int, key: int) -> None:
        """Judge one press."""
        judging = self.judging
        self.last_ms = judging.act_ms = max(judging.act_ms, at_ms)
        # CALL is the seat's own, and leaves the arbiter's choice as it is: a hidden press would show (D43).
        is_own = key == CALL_KEY or not self.arbiter.is_at(number)
        seat = self.seats[number - 1] if is_own else self.arbiter
        had_choice = seat.is_choosing()
        judging.say(seat.press(key, judging.act_ms))
        if had_choice or seat.is_choosing():  # else nothing to redraw: it would tell of a hidden press (D43)
            self.display.is_stale = True

    # --- time ---

    def pass_time(self, now_ms: int) -> None:
        """Do what only time brings: the table speaks, choices end, an undo runs out, the game is closed."""
        judging = self.judging
        display = self.display
        judging.act_ms = max(judging.act_ms, now_ms)
        if self.table_verb:
            due_ms = self.session.game.due_ms(self.session.state)
            if 0 <= due_ms <= now_ms and not judging.ask(0, pack(self.table_verb)):  # not while it is paused (T10)
                judging.say(said_by(0, pack(self.table_verb)))
        if display.shows_undo or judging.is_closed:
            self.turns.hold(now_ms)
        elif self.turns.pass_time(now_ms, display.waits):
            judging.feed.say("time: seat %d" % self.turns.called)
            display.show_refusal(self.turns.called, self.words.find("time"))
        self.pass_choices(now_ms)
        display.end_undo(now_ms)
        judging.tidy(now_ms)
        if self.session.is_over() and not judging.is_closed and now_ms - self.last_ms >= CLOSE_MS:
            judging.close()

    def pass_choices(self, now_ms: int) -> None:
        """End a choice that is left open too long; repeat MENU while it is held: T13, once round it is not stuck."""
        stepping = 0
        for seat in self.choosers:
            if seat.is_choosing():
                button = button_at(self.header.places[seat.number - 1], MENU_KEY)
                held_ms = self.buttons.held(button, time.ticks_ms())
                if held_ms < HOLD_MS + REPEAT_MS * len(seat.choices):
                    stepping |= 1 << button
                # T10: where the arbiter is, MENU is the arbiter's.
                is_own = seat is self.arbiter or not self.arbiter.is_at(seat.number)
                if seat.tick(now_ms) or held_ms and is_own and seat.repeat(held_ms, now_ms):
                    self.display.is_stale = True
        self.faults.stepping = stepping
