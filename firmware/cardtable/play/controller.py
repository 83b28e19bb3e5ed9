"""Runs one game: taps and presses in, verdicts to journal, lights, screen and feed; it knows no game and no chip."""

import time

from micropython import const

from cardtable.catalogue import forget, load
from cardtable.engine.deck import STRANGER, card_name
from cardtable.engine.event import NO_CARD, OK_KEY, OWN_VERB, Event, pack, unpack
from cardtable.engine.record import LAST_MS, SetupError, write_event
from cardtable.engine.session import Session, is_said_by_table
from cardtable.engine.verdict import rule_id, words_key
from cardtable.play.arbiter import Arbiter
from cardtable.play.clock import Clock
from cardtable.play.feed import Feed
from cardtable.play.repeats import Repeats
from cardtable.play.seats import Seat
from cardtable.play.turns import Turns
from cardtable.table.faults import Faults
from cardtable.table.keypad import BUTTONS, key_of, menu_at, place_of
from cardtable.table.lights import ACCEPTED, CHOOSING, COUNTING, FAULT, FILLING, OFF, REFUSED, WAITED_FOR
from cardtable.table.readers import CAME, CLEARED, CROWDED
from cardtable.table.tags import ARBITER_KEY
from cardtable.table.telling import argument_text, cards_text, event_text, ranks_text, result_text

GREEN_MS = 1000  # how long an accepted event keeps the light green
RED_MS = 2000  # how long a refused press keeps it red; a refused card does until it leaves
CLOSE_MS = 10000  # how long after the last tap or press a finished game is closed: an undo may reopen it before (T7)
RETRY_MS = 500  # how often the flash is tried again when a line could not be written
NEXT = "lobby"
TURN_MS = 1000  # how long each of several faults has the bottom line
WITNESS_MS = 5000  # how often at most the length of the record is noted elsewhere
SHOW_MS = 38  # after an event its light, line and screen come: never sooner, so nobody sees how long its write took
WRITE_MS = 12  # longer than any write of an event that waits for no erase, the seal behind it and a comment before it
STALL_MS = 20  # a write that takes longer is counted: a flash block was erased
RESTING_SWEEPS = 3  # a card that is found so soon has lain there since before the power came back

# What the journal owes: the event whose line is not durable yet has not happened, and shows no light.
_NOTHING = const(0)
_EVENT = const(1)
_RESULT = const(2)


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


def name_cards(cards: list) -> str:
    """`7S XB`."""
    return " ".join([card_name(card) for card in cards])


class Controller:
    """One game at one table. `step` is to be called after every look at a reader, and never blocks for long."""

    def __init__(self, game, header, parts) -> None:
        """parts: readers, buttons, lights, screen, journal, words, and say(text) for the feed. Raises SetupError."""
        self.session = Session(game, header)
        self.header = header
        self.readers = parts.readers
        self.buttons = parts.buttons
        self.lights = parts.lights
        self.screen = parts.screen
        self.journal = parts.journal
        self.words = parts.words
        self.feed = Feed(game, header, parts.say)
        self.faults = Faults(parts, header.places)
        self.repeats = Repeats(game)
        self.clock = Clock()
        self.event = Event()
        self.trial = Event()
        self.seats = [Seat(number + 1, self.session, self.say) for number in range(len(header.seats))]
        self.turns = Turns(self.session)
        self.arbiter = Arbiter(self.session, self.say, self.turns)
        self.choosers = self.seats + [self.arbiter]
        self.seat_at = bytearray(8)  # place of the table -> seat
        for number in range(len(header.places)):
            self.seat_at[header.places[number]] = number + 1
        self.until_ms = [0] * 8  # until when a seat's verdict light stays; 0: until its card leaves
        self.verdict_of = bytearray(8)  # OFF, ACCEPTED or REFUSED
        self.waits = bytearray(8)
        self.holds = False  # cards came that could not be judged
        self.crowded = 0  # a bit for each seat with more than one card on its reader
        self.told = 0  # the seat whose refusal the screen explains
        self.last_ms = 0  # of the last tap or press
        self.act_ms = 0  # of what is being judged; never before what was judged last
        self.presses: list = []  # (time, seat, key) of one step
        self.opened: list = []  # cards that the last event has turned up
        self.table_verb = 0  # what the table itself can say in this game; 0: nothing
        for index in range(len(game.VERBS)):
            if is_said_by_table(game, OWN_VERB + index):
                self.table_verb = OWN_VERB + index
        self.has_begun = False  # whether its record holds more than the header
        self.is_closed = False
        self.wants = ""  # NEXT: the game is closed, and somebody asks what comes now
        self.shows_undo = False
        self.bottom_turn = -1  # which of the faults has the bottom line; -1: it has to be written anew
        self.stalls = 0  # writes in which the table stood still, and the longest of them
        self.worst_stall_ms = 0
        self._owed = _NOTHING
        self._verdict = 0  # of the event that is owed
        self._tried_ms = 0
        self._prepared_ms = 0
        self._witnessed_ms = 0
        self._has_news = False  # something public has happened since; what is secret must not be seen in a write
        self._judged = bytearray()  # of a game that goes on: two cards a seat that were judged last
        self._steps = None  # of making one text of the record: a generator

    def start(self, resumed=None) -> None:
        """The game begins, and its record; or it goes on where the power left it (between.resume.Resumed, T9)."""
        if resumed is None:
            self.journal.open(self.header)
            self.show_table()
            return
        self.journal.go_on(resumed.name, resumed.page, resumed.spares)
        self.clock = Clock(resumed.at_ms)
        self.act_ms = self.last_ms = resumed.at_ms
        self.turns.hold(resumed.at_ms)
        self.has_begun = resumed.at_ms > 0
        self._judged = resumed.judged
        self.show_table()
        self.feed.say("resumed after: " + (self.name_event(resumed.last, resumed.shows) or "the set-up"))
        words = self.tell_event(resumed.last, resumed.shows) or self.words.find("set_up")
        self.screen.event(words)
        self.screen.verdict("%s %s" % (self.words.find("resumed"), words))

    # --- what people do ---

    def step(self) -> None:
        """Take in what the readers and the buttons found, then show it."""
        now_ms = self.clock.now()
        self.watch(now_ms)
        while self.readers.next():
            self.take_post(now_ms)
        self.take_presses()
        if self.waits_for_repair():
            self.turns.hold(now_ms)
        else:
            self.pass_time(now_ms)
        self.show_bottom(now_ms)
        self.show_lights(now_ms)

    def waits_for_repair(self) -> bool:
        """T13: the game waits: nothing is judged until what it needs works again."""
        return self.faults.stops or self._owed != _NOTHING

    def watch(self, now_ms: int) -> None:
        """Try the flash again and ask for faults; when they are over, judge the cards that came meanwhile."""
        if not self.journal.is_durable() and now_ms - self._tried_ms >= RETRY_MS:
            self._tried_ms = now_ms
            if self.journal.flush():
                self.settle()
        if self.faults.look():
            self.bottom_turn = -1
            for name in self.faults.names or ("over",):
                self.feed.say("fault: " + name)
        while self.holds and not self.waits_for_repair():
            oldest = None
            for seat in self.seats:
                if seat.is_held and (oldest is None or seat.came_ms < oldest.came_ms):
                    oldest = seat
            if oldest is None or self.is_closed:
                self.holds = False
            else:
                self.tap(oldest, oldest.card, now_ms)

    def take_post(self, now_ms: int) -> None:
        """A card came or left, or more than one lies on a reader (T5: one resting card is one tap)."""
        number = self.seat_at[self.readers.place]
        if not number:
            return
        seat = self.seats[number - 1]
        what = self.readers.what
        if what == CROWDED:
            self.crowded |= 1 << number
            self.show_refusal(number, self.words.find("crowded"))
        elif what == CLEARED:
            self.crowded &= ~(1 << number)
            if self.told == number:
                self.show_refusal(0, "")
        elif what == CAME:
            if self._judged and self.readers.sweeps < RESTING_SWEEPS:
                self.rest(seat)
            elif self.waits_for_repair():
                seat.hold(self.readers.card, now_ms)
                self.holds = True
            elif not self.is_closed:
                self.tap(seat, self.readers.card, now_ms)
        else:
            seat.left()
            if self.verdict_of[number] == REFUSED and not self.until_ms[number]:
                self.verdict_of[number] = OFF

    def rest(self, seat) -> None:
        """T9: a card that has lain here since before the power came back is no tap.

        If it was judged last it stands in the record (T5: a card that rests is one tap), else it is asked for again.
        """
        seat.card = self.readers.card
        if seat.card not in (self._judged[2 * seat.number], self._judged[2 * seat.number + 1]):
            self.verdict_of[seat.number] = REFUSED
            self.until_ms[seat.number] = 0
            self.show_refusal(seat.number, self.words.find("again"))

    def tap(self, seat, card: int, now_ms: int) -> None:
        """One card, to be judged now."""
        self.last_ms = now_ms
        self.act_ms = max(self.act_ms, now_ms)
        self.verdict_of[seat.number] = OFF
        self.bottom_turn = -1
        if card == ARBITER_KEY:
            seat.card = card
            self.arbiter.use_key(seat.number, now_ms)
        elif self.is_arbiters(seat.number):
            seat.card = card
            self.arbiter.tap(card, now_ms)
        else:
            seat.tap(card, now_ms)

    def is_arbiters(self, number: int) -> bool:
        """T10: whether the buttons and the reader of that seat are the arbiter's for now."""
        return self.arbiter.number == number and self.arbiter.is_choosing()

    def take_presses(self) -> None:
        """The presses since the last step, each at the time of the scan that found it; a tie as the game says (C5)."""
        index = self.buttons.next_press()
        while index >= 0:
            number = self.seat_at[place_of(index)] if index < BUTTONS else 0
            if number:
                self.presses.append((self.clock.at(self.buttons.press_ms), number, key_of(index)))
            index = self.buttons.next_press()
        if not self.presses:
            return
        session = self.session
        if len(self.presses) > 1:
            order_presses(self.presses, session.game.press_first(session.state), len(self.seats))
        for at_ms, number, key in self.presses:
            if self.is_closed:
                self.wants = NEXT if key == OK_KEY else ""
            elif not self.waits_for_repair():
                self.last_ms = self.act_ms = max(self.act_ms, at_ms)
                seat = self.arbiter if self.is_arbiters(number) else self.seats[number - 1]
                seat.press(key, self.act_ms)
                self.bottom_turn = -1
        self.presses.clear()

    def pass_time(self, now_ms: int) -> None:
        """What happens without anybody's doing: the table speaks, choices end, an undo is over, the game is closed."""
        self.act_ms = max(self.act_ms, now_ms)
        if self.table_verb and not self.session.is_over():
            due_ms = self.session.game.due_ms(self.session.state)
            if 0 <= due_ms <= now_ms:
                self.say(0, pack(self.table_verb))
        if self.shows_undo or self.is_closed:
            self.turns.hold(now_ms)
        elif self.turns.pass_time(now_ms, self.waits):
            self.feed.say("time: seat %d" % self.turns.called)
            self.show_refusal(self.turns.called, self.words.find("time"))
        for seat in self.choosers:
            if not seat.is_choosing():
                continue
            held_ms = self.buttons.held(menu_at(self.header.places[seat.number - 1]), time.ticks_ms())
            if seat.tick(now_ms) or held_ms and seat.repeat(held_ms, now_ms):
                self.bottom_turn = -1
        if self.shows_undo and not self.session.is_undo_open(now_ms):
            self.shows_undo = False
            self.show_table()
        self.write_comments([self.repeats.end_quiet(now_ms)])
        self.tidy(now_ms)
        if self.session.is_over() and not self.is_closed and now_ms - self.last_ms >= CLOSE_MS:
            self.close()

    def tidy(self, now_ms: int) -> None:
        """What of the record may wait for a moment in which a stall hurts nobody."""
        if self._steps is not None:
            try:
                if next(self._steps, self) is self:
                    self._steps = None
            except (OSError, ValueError):
                self._steps = None  # it stays in pieces, and is put away when the power comes back
        elif now_ms - self._prepared_ms >= RETRY_MS and not self.is_closed:
            if self.session.game.is_calm(self.session.state):
                self._prepared_ms = now_ms
                self.journal.prepare()
                if self._has_news and now_ms - self._witnessed_ms >= WITNESS_MS:
                    self._witnessed_ms = now_ms
                    self._has_news = False
                    self.journal.witness()
                self.note_stall(now_ms)

    def note_stall(self, since_ms: int) -> None:
        """No write stalls the table unnoticed."""
        took_ms = self.clock.now() - since_ms
        self.worst_stall_ms = max(self.worst_stall_ms, took_ms)
        self.stalls += took_ms >= STALL_MS

    # --- what the engine says ---

    def say(self, number: int, packed: int, only_ask: bool = False) -> int:
        """Judge an event of a seat; unless only asked, record it and let it happen."""
        session = self.session
        now_ms = min(self.act_ms, LAST_MS)  # a game may stand on the table for longer than a record has times
        if only_ask:
            return session.judge(unpack(packed, number, now_ms, self.trial))
        event = unpack(packed, number, now_ms, self.event)
        self._verdict = verdict = session.judge(event)
        begun_ms = self.clock.now()
        if not verdict:
            self.write_comments(self.repeats.end_all())
        elif self.repeats.is_repeat(event, packed):
            if session.game.shows(session.state, event.verb):
                self.show_verdict(event, verdict)
            return verdict
        else:
            self.write_comments([self.repeats.begin(event, packed)])
        self.has_begun = True
        self._owed = _EVENT
        self._tried_ms = now_ms
        line = write_event(session.game, event, rule_id(session.game, verdict) if verdict else "")
        is_durable = self.journal.write(line)
        self.note_stall(begun_ms)
        if is_durable:  # before the light is green
            if session.game.shows(session.state, event.verb):
                self.clock.wait(max(self.act_ms + SHOW_MS, begun_ms + WRITE_MS))
            self.settle()
        return verdict

    def has_secrets(self) -> bool:
        """T11: whether the record holds what nobody may read yet."""
        return self.has_begun and not self.is_closed

    def write_comments(self, comments: list) -> None:
        """Lines that are no events: nothing waits for them, but they are kept and tried again like any other."""
        for comment in comments:
            if comment:
                self.journal.write(comment)

    def settle(self) -> None:
        """What was owed is durable now: the event happens, or the game is closed."""
        owed = self._owed
        self._owed = _NOTHING
        session = self.session
        if owed == _RESULT:
            self.feed.end(session.result(), self.journal.digest)
            self.screen.verdict("%s %s" % (self.words.find("digest"), self.journal.digest))
            self.is_closed = True
            self.journal.witness(True)
            self._steps = self.journal.put_away()
            self.bottom_turn = -1
        elif owed == _EVENT:
            event = self.event
            shows = session.game.shows(session.state, event.verb)
            if not self._verdict:
                self.opened.clear()
                session.game.opens(session.state, event, self.opened)
                session.enact(event)
                if shows == 2 and event.verb >= OWN_VERB:
                    self.turns.next_turn()
                self.feed.accepted(event, shows)
                if self.opened:
                    self.feed.say("opened: " + name_cards(self.opened))
            elif shows:
                self.feed.refused(event, rule_id(session.game, self._verdict), self.refusal(event, self._verdict))
            if shows:
                self._has_news = True
                self.show_verdict(event, self._verdict, shows)

    def close(self) -> None:
        """The game has its result, and nobody has taken it back."""
        self.write_comments(self.repeats.end_all())
        if self.stalls:
            counts = self.stalls, self.worst_stall_ms, self.journal.counts()
            self.write_comments(["; flash: %d stalls, at most %d ms; %s" % counts])
        self._owed = _RESULT
        self._tried_ms = self.last_ms = self.clock.now()
        if self.journal.write("result: " + self.session.result()):
            self.settle()

    # --- what people see ---

    def refusal(self, event, verdict: int) -> str:
        """Why, in words."""
        game = self.session.game
        if event.card == STRANGER:
            try:
                owner = load("between", "decks").find_owner(self.readers.uid(self.header.places[event.seat - 1]), 0)
            except SetupError as wrong:
                return load("between", "files").tell(self.words, wrong)
            finally:
                forget("between")
            if owner:
                return "%s %d" % (self.words.find("other"), owner)
        text = self.words.find(words_key(game, verdict))
        if "#" in text:
            text = text.replace("#", ranks_text(self.words, game.fact(self.session.state, event, verdict)))
        return text

    def show_verdict(self, event, verdict: int, shows: int = 2) -> None:
        """Light and screen after an event; a refusal never names the card (T6)."""
        game = self.session.game
        number = event.seat or self.arbiter.number
        self.verdict_of[number] = REFUSED if verdict else ACCEPTED
        by_card = verdict and number and event.card != NO_CARD and self.seats[number - 1].card != NO_CARD
        self.until_ms[number] = 0 if by_card else self.clock.now() + (RED_MS if verdict else GREEN_MS)
        if verdict:
            self.show_refusal(number, "%s %s" % (rule_id(game, verdict), self.refusal(event, verdict)))
            return
        self.screen.event(self.tell_event(event, shows))
        # Another seat's refusal may still be being read.
        if self.told == number or self.verdict_of[self.told] != REFUSED:
            self.show_refusal(0, "")
        self.show_table()

    def name_event(self, event, shows: int) -> str:
        """Who did what as the record has it, as far as the game shows it to all."""
        line = write_event(self.session.game, event).split(" ")[1:]
        return " ".join(line[: 2 * shows] if shows < 2 else line)

    def tell_event(self, event, shows: int) -> str:
        """Who did what in the table's words, as far as the game shows it to all."""
        return event_text(self.words, self.session.game, self.header.seats, event, shows)

    def show_refusal(self, number: int, text: str) -> None:
        """Why something of that seat was refused; seat 0: what was turned up, else what the game recommends."""
        self.told = number
        if number:
            text = "%d %s" % (number, text)
        elif self.opened:
            text = cards_text(self.words, self.opened)
        else:
            hint = self.session.game.hint(self.session.state)
            text = self.words.find("H%d" % hint) if hint else ""
        self.screen.verdict(text)

    def show_table(self) -> None:
        """The table's state and whom it waits for, from public facts alone."""
        game = self.session.game
        self.screen.status(ranks_text(self.words, game.status(self.session.state)))
        if self.session.is_over():
            self.screen.waits(result_text(self.words, self.header.seats, self.session.result()))
            for index in range(8):
                self.waits[index] = 0
            return
        if self.session.is_undo_open(self.clock.now()):
            self.show_undo()
            return
        game.waiting(self.session.state, self.waits)
        words = self.words.find("P%d" % self.waits[0])
        asked = [number for number in range(1, len(self.seats) + 1) if self.waits[number] == self.waits[0]]
        if len(asked) == 1:
            words = "%d %s: %s" % (asked[0], self.header.seats[asked[0] - 1][:8], words)
        self.screen.waits(words)

    def show_undo(self) -> None:
        """T7: one seat wants its event back, and the table waits for the others to agree with OK."""
        missing = self.session.missing()
        for number in range(8):
            self.waits[number] = missing >> number & 1
        self.shows_undo = True
        self.screen.waits("%d %s" % (self.session.undo_seat, self.words.find("undo")))

    def show_bottom(self, now_ms: int) -> None:
        """The bottom line: why the game waits, else who chooses, else what else is broken. Faults take turns."""
        names = self.faults.names
        turn = now_ms // TURN_MS % len(names) if names else 0
        if turn == self.bottom_turn:
            return
        self.bottom_turn = turn
        chooser = None
        for seat in self.choosers:
            if seat.is_choosing() and (chooser is None or seat.since_ms < chooser.since_ms):
                chooser = seat
        if names and (self.faults.stops or chooser is None):
            self.screen.bottom(names[turn])
        elif chooser and self.screen.is_shared:
            self.screen.bottom(self.name_choice(chooser))
        else:
            self.screen.bottom(self.words.find("closed") if self.is_closed else "")
        if not self.screen.is_shared and not self.faults.stops:
            for seat in self.choosers:
                if seat.is_choosing():
                    self.screen.own(self.header.places[seat.number - 1], self.name_choice(seat))

    def name_choice(self, chooser) -> str:
        """What a seat is being offered, in a line."""
        verb, target = chooser.prompt()
        target = " " + argument_text(self.words, target) if target else ""
        return "%d %s%s?" % (chooser.number, self.words.find("V." + verb).partition("|")[0], target)

    def quiet_light(self, place: int, number: int, now_ms: int) -> int:
        """The light of a seat that nothing else concerns: a running handicap, missing cards, whose turn it is."""
        game = self.session.game
        amounts = self.lights.amounts
        amounts[place - 1] = game.fill_light(self.session.state, number, now_ms)
        if amounts[place - 1]:
            return FILLING
        amounts[place - 1] = game.count_missing(self.session.state, number)
        if amounts[place - 1]:
            return COUNTING
        return WAITED_FOR if self.waits[number] else OFF

    def show_lights(self, now_ms: int) -> None:
        """One meaning a place: fault, refused, choosing, accepted, waited for."""
        means = self.lights.means
        for place in range(1, len(means) + 1):
            number = self.seat_at[place]
            meaning = OFF
            if number:
                if self.verdict_of[number] and 0 < self.until_ms[number] <= now_ms:
                    self.verdict_of[number] = OFF
                meaning = REFUSED if self.crowded >> number & 1 else self.verdict_of[number]
                is_choosing = self.seats[number - 1].is_choosing() or self.is_arbiters(number)
                if is_choosing and meaning != REFUSED:
                    meaning = CHOOSING
                elif not meaning:
                    meaning = self.quiet_light(place, number, now_ms)
            if self.faults.names and self.faults.concern(place, meaning == OFF):
                meaning = FAULT
            means[place - 1] = meaning
        self.lights.show(now_ms)
