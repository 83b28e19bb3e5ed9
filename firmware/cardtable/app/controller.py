"""Runs one game: taps and presses in, verdicts to journal, lights, screen and feed; it knows no game and no chip."""

from cardtable.app.clock import Clock
from cardtable.app.feed import Feed
from cardtable.app.lights import ACCEPTED, CHOOSING, FAULT, OFF, REFUSED, WAITED_FOR
from cardtable.app.readers import CAME, CROWDED
from cardtable.app.seats import Seat, name_target
from cardtable.engine.event import NO_CARD, Event, unpack
from cardtable.engine.record import write_event
from cardtable.engine.session import Session
from cardtable.engine.verdict import rule_id, words_key

GREEN_MS = 1000  # how long an accepted event keeps the light green
RED_MS = 2000  # how long a refused press keeps it red; a refused card does until it leaves
CLOSE_MS = 10000  # how long after the last tap or press a finished game is closed: an undo may reopen it before (T7)


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
        self.feed = Feed(game, parts.say)
        self.clock = Clock()
        self.event = Event()
        self.trial = Event()
        self.seats = [Seat(number + 1, self.session, self.say) for number in range(len(header.seats))]
        self.seat_at = bytearray(8)  # place of the table -> seat
        for number in range(len(header.places)):
            self.seat_at[header.places[number]] = number + 1
        self.until_ms = [0] * 8  # until when a seat's verdict light stays; 0: until its card leaves
        self.verdict_of = bytearray(8)  # OFF, ACCEPTED or REFUSED
        self.waits = bytearray(8)
        self.last_ms = 0  # of the last tap or press
        self.faults = -1  # what was shown last
        self.is_closed = False
        self.shows_undo = False
        self.journal.open(header)
        self.show_table()

    # --- what people do ---

    def step(self) -> None:
        """Take in what the readers and the buttons found, then show it."""
        now_ms = self.clock.now()
        faults = self.readers.faulty | (0 if self.buttons.chain_ok else 256) | (512 if self.buttons.stuck else 0)
        if self.journal.faults and not self.journal.flush():
            faults |= 1024
        if faults != self.faults:
            self.show_faults(faults)
        while self.readers.next():
            self.take_post(now_ms)
        index = self.buttons.next_press()
        while index >= 0:
            self.take_press(index, now_ms)
            index = self.buttons.next_press()
        if self.session.is_over() and not self.is_closed and now_ms - self.last_ms >= CLOSE_MS:
            self.close()
        if self.shows_undo and not self.session.is_undo_open(now_ms):
            self.shows_undo = False
            self.show_table()
        for seat in self.seats:
            seat.tick(now_ms)
        self.show_lights(now_ms)

    def take_post(self, now_ms: int) -> None:
        """A card came or left, or more than one lies on a reader (T5: one resting card is one tap)."""
        number = self.seat_at[self.readers.place]
        if not number or self.is_closed:
            return
        seat = self.seats[number - 1]
        self.last_ms = now_ms
        if self.readers.what == CAME:
            self.verdict_of[number] = OFF
            if self.faults:
                seat.card = self.readers.card  # judged when the fault is over: T13
            else:
                seat.tap(self.readers.card, now_ms)
                self.show_choice()
        elif self.readers.what == CROWDED:
            self.screen.verdict(self.words.find("crowded"))
        else:
            seat.left()
            if self.verdict_of[number] == REFUSED:
                self.verdict_of[number] = OFF
                self.screen.verdict("")

    def take_press(self, index: int, now_ms: int) -> None:
        """One press of one of the four buttons of a place."""
        number = self.seat_at[index // 4 + 1] if index < 28 else 0
        if not number or self.is_closed or self.faults:
            return
        self.last_ms = now_ms
        self.seats[number - 1].press(index % 4, now_ms)
        self.show_choice()

    # --- what the engine says ---

    def say(self, number: int, packed: int, only_ask: bool = False) -> int:
        """Judge an event of a seat; unless only asked, record it and let it happen."""
        session = self.session
        if only_ask:
            return session.judge(unpack(packed, number, self.clock.now(), self.trial))
        event = unpack(packed, number, self.clock.now(), self.event)
        verdict = session.judge(event)
        shows = session.game.shows(session.state, event.verb)
        if verdict:
            self.journal.write(write_event(session.game, event, rule_id(session.game, verdict)))
        else:
            self.journal.write(write_event(session.game, event))  # durable before the light is green
            session.enact(event)
            self.feed.accepted(event, shows)
        if shows:
            self.show_verdict(event, verdict, shows)
        return verdict

    def close(self) -> None:
        """The game has its result, and nobody has taken it back."""
        self.journal.write("result: " + self.session.result())
        self.feed.say("result: " + self.session.result())
        self.is_closed = True
        self.screen.bottom(self.words.find("closed"))

    # --- what people see ---

    def show_verdict(self, event, verdict: int, shows: int) -> None:
        """Light and screen after an event; a refusal never names the card (T6)."""
        game = self.session.game
        number = event.seat
        self.verdict_of[number] = REFUSED if verdict else ACCEPTED
        by_card = verdict and event.card != NO_CARD and self.seats[number - 1].card != NO_CARD
        self.until_ms[number] = 0 if by_card else event.at_ms + (RED_MS if verdict else GREEN_MS)
        if verdict:
            rule = rule_id(game, verdict)
            words = self.words.find(words_key(game, verdict))
            self.feed.refused(event, rule, words)
            self.screen.verdict("%d %s %s" % (number, rule, words))
            return
        line = write_event(game, event).split(" ")[1:]
        if shows == 1:
            line = line[:2]
        line[1] = self.words.find("V." + line[1])
        self.screen.event(" ".join(line))
        self.screen.verdict("")
        self.show_table()

    def show_table(self) -> None:
        """The table's state and whom it waits for, from public facts alone."""
        game = self.session.game
        self.screen.status(game.status(self.session.state))
        if self.session.is_over():
            self.screen.waits(self.session.result())
            for index in range(8):
                self.waits[index] = 0
            return
        if self.session.is_undo_open(self.clock.now()):
            self.show_undo()
            return
        game.waiting(self.session.state, self.waits)
        for number in range(1, len(self.seats) + 1):
            if self.waits[number] == self.waits[0]:
                words = self.words.find("P%d" % self.waits[0])
                self.screen.waits("%d %s: %s" % (number, self.header.seats[number - 1][:8], words))
                return
        self.screen.waits(self.words.find("P%d" % self.waits[0]))

    def show_undo(self) -> None:
        """T7: one seat wants its event back, and the table waits for the others to agree with OK."""
        missing = self.session.missing()
        for number in range(8):
            self.waits[number] = missing >> number & 1
        self.shows_undo = True
        self.screen.waits("%d %s" % (self.session.undo_seat, self.words.find("undo")))

    def show_choice(self) -> None:
        """The bottom line belongs to the seat that chooses, the one that began first."""
        chooser = None
        for seat in self.seats:
            if seat.is_choosing() and (chooser is None or seat.since_ms < chooser.since_ms):
                chooser = seat
        if chooser is None:
            self.screen.bottom("")
            return
        verb, target = chooser.prompt()
        self.screen.bottom("%d %s %s?" % (chooser.number, self.words.find("V." + verb), name_target(target)))

    def show_faults(self, faults: int) -> None:
        """T13: what is broken is named; when it works again, cards that came meanwhile are judged."""
        self.faults = faults
        if faults:
            for index in range(7):
                if faults >> index & 1:
                    text = "%s %d" % (self.words.find("F.reader"), index + 1)
            if faults >> 8:
                text = self.words.find("F.chain" if faults & 256 else "F.stuck" if faults & 512 else "F.flash")
            self.feed.say("fault: " + text)
            self.screen.bottom(text)
            return
        self.screen.bottom("")
        for seat in self.seats:
            if seat.card != NO_CARD and not self.verdict_of[seat.number] and not seat.is_choosing():
                seat.tap(seat.card, self.clock.now())

    def show_lights(self, now_ms: int) -> None:
        """One meaning a place: fault, refused, choosing, accepted, waited for."""
        means = self.lights.means
        for place in range(1, len(means) + 1):
            number = self.seat_at[place]
            meaning = OFF
            if number:
                if self.verdict_of[number] and 0 < self.until_ms[number] <= now_ms:
                    self.verdict_of[number] = OFF
                meaning = self.verdict_of[number]
                if self.seats[number - 1].is_choosing() and meaning != REFUSED:
                    meaning = CHOOSING
                elif not meaning and self.waits[number]:
                    meaning = WAITED_FOR
            if self.readers.faulty >> (place - 1) & 1:
                meaning = FAULT
            means[place - 1] = meaning
        self.lights.show(now_ms)
