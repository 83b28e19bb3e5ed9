"""Judges an event, brings it to the record, and only then lets it happen; owns what the journal still owes.

The event whose line is not durable yet has not happened, and shows no light. What can wait for a calm moment (pages,
the witness, the one text of a finished game) is done here too.

Nothing that people see comes when work is done, for the flash works longer where it has more to write (T11): an event
is shown SHOW_MS after its time, or WRITE_MS after the table came to it. In a game in which some event shows nothing
(D43) its line waits for the next one that is shown, or for a moment that comes every LATE_MS and always takes WRITE_MS;
a step that takes presses takes STEP_MS; and a page is made after so many shown events, in a moment that always takes
PAGE_MS. So the time of what is shown follows from what was shown before, and what is shown has every line before it on
the flash.
"""

from micropython import const

from cardtable.engine.deck import card_name
from cardtable.engine.event import OWN_VERB, PACKED, SEAT_BITS, Event, unpack
from cardtable.engine.record import LAST_MS, write_event
from cardtable.engine.verdict import rule_id
from cardtable.play.feed import Feed
from cardtable.play.repeats import Repeats
from cardtable.rooms import forget, load

RETRY_MS = 500  # how often the flash is tried again when a line could not be written
WITNESS_MS = 5000  # how often at most the length of the record is noted elsewhere
SHOW_MS = 50  # after an event its light, line and screen come: never sooner, to hide how long its write took
WRITE_MS = 32  # longer than any write of an event that waits for no erase, the seal behind it and a comment before it
LATE_MS = 500  # in a game that hides events: how long a line waits that nobody may notice; twice that beside a new card
STEP_MS = 9  # and how long a step that takes presses takes at least: a ms of it may be over, and to judge one takes 7
PAGE_MS = 80  # and how long it takes to make a page at most, or to find that none is missing
PAGE_EVENTS = 16  # and how many shown events lie between two of these moments: half of what a page holds
MOST_WAITS = 9  # comments between two lines of events on faults that come and go; odd: the last one says that it waits
STALL_MS = 40  # a write that takes longer is counted: a flash block was erased

NOTHING = const(0)
_EVENT = const(1)
_RESULT = const(2)


class Judging:
    """One game's session, its record and its public feed."""

    def __init__(self, session, header, parts, clock, turns, display) -> None:
        """parts: journal, and say(text) for the feed; clock: play.clock.Clock; turns: play.turns.Turns;
        display: play.display.Display, which shows what comes of it."""
        self.session = session
        self.header = header
        self.journal = parts.journal
        self.clock = clock
        self.turns = turns
        self.display = display
        self.feed = Feed(session.game, header, parts.say)
        self.repeats = Repeats(session.game)
        self.event = Event()  # judged last
        self.trial = Event()
        self.act_ms = 0  # of what is being judged; never before what was judged last
        self.has_begun = False  # whether the record holds more than the header
        self.is_closed = False  # it has its result
        self.hides = False  # some event of this game shows nothing
        for index in range(len(session.game.VERBS)):
            if not session.game.shows(session.state, OWN_VERB + index):
                self.hides = True
        self.hidden = Repeats(session.game) if self.hides else self.repeats  # their own: they end none that is shown
        self.late: list = []  # lines that no light waits for
        self._waits = 0  # comments on repairs since the last event was written
        self._wait_over = ""  # one that is written before the next event alone
        self._late_ms = 0
        self._until_page = -2 * PAGE_EVENTS  # shown events until the next page is made; at first three, for the spares
        self.stalls = 0  # writes in which the table stood still, and the longest of them
        self.worst_stall_ms = 0
        self.owed = NOTHING  # T13: what waits for the flash
        self._verdict = 0  # of the event that is owed
        self._tried_ms = 0
        self._prepared_ms = 0
        self._witnessed_ms = 0
        self._has_news = False  # something public has happened since; what is secret must not be seen in a write
        self._steps = None  # of making one text of the record: a generator
        self.has_shown = False  # an event was shown since the heap was tidied up

    # --- events ---

    def ask(self, number: int, packed: int) -> int:
        """The verdict on an event of that seat, without saying it."""
        return self.session.judge(unpack(packed, number, min(self.act_ms, LAST_MS), self.trial))

    def say(self, said: int) -> None:
        """Judge what a seat has answered (engine.event.said_by), record it and, if it stands, let it happen. 0: nothing
        was said."""
        if not said:
            return
        session = self.session
        packed = said & PACKED
        # A game may stand on the table for longer than a record has times.
        event = unpack(packed, said >> SEAT_BITS, min(self.act_ms, LAST_MS), self.event)
        self._verdict = verdict = session.judge(event)
        shows = session.game.shows(session.state, event.verb)
        repeats = self.repeats if shows else self.hidden
        if not verdict:
            self.end_repeats(shows)
        elif repeats.take_repeat(event, packed):
            if shows:
                self.display.light(event, verdict)
                self.display.show_verdict(event, verdict)
            return
        else:
            self.keep(repeats.begin(event, packed))
        self.has_begun = True
        self.keep(self._wait_over)
        self._wait_over = ""
        self._waits = 0
        self.keep(write_event(session.game, event, rule_id(session.game, verdict) if verdict else ""))
        if not shows:
            self.happen()
            return
        self.owed = _EVENT
        self._tried_ms = event.at_ms
        if self.write_late():  # before the light is green
            self.wait(max(self.act_ms + SHOW_MS, self.display.now_ms + WRITE_MS))
            self.settle()

    def retry(self, now_ms: int) -> None:
        """Try the flash again if a line is not on it yet."""
        if not self.journal.is_durable() and now_ms - self._tried_ms >= RETRY_MS:
            self._tried_ms = now_ms
            if self.journal.flush():
                self.settle()

    def settle(self) -> None:
        """Let the event happen, or close the game: the line that was owed is durable now."""
        owed = self.owed
        self.owed = NOTHING
        if owed == _RESULT:
            self.feed.end(self.session.result(), self.journal.digest)
            load("between", "health").close(self.display.readers, self.feed.say)
            forget("between.health", "between.learned", "between.weak", kept=())
            forget("between")  # what it has loaded, too: as much is needed next
            self.is_closed = True
            self.display.close(self.journal.digest)
            self.journal.witness(True)
            self.remember_next()
            self._steps = self.journal.put_away()
        elif owed == _EVENT:
            self.happen()

    def remember_next(self) -> None:
        """D45: what the table proposes from now on is the next game of the match."""
        load("between", "next_game").remember_next(self.session, self.header)
        forget("between")

    def happen(self) -> None:
        """Enact the event that was judged last if it stands, and tell everybody, with the light first: it is on the
        flash now."""
        session = self.session
        event = self.event
        display = self.display
        verdict = self._verdict
        why = ""
        shows = session.game.shows(session.state, event.verb)
        if not verdict:
            if shows:
                display.opened.clear()
                session.game.opens(session.state, event, display.opened)
            session.enact(event)
            self.turns.note(event, shows)
        if not shows:
            return
        self._has_news = self.has_shown = True
        self._until_page -= 1
        display.light(event, verdict)
        if verdict:
            why = display.refusal(event, verdict)
            self.feed.refused(event, rule_id(session.game, verdict), why)
        else:
            self.feed.accepted(event, shows)
            if display.opened:
                self.feed.say("opened: " + " ".join([card_name(card) for card in display.opened]))
        display.show_verdict(event, verdict, shows, why)

    def close(self) -> None:
        """Write the result: the game is over, and was not taken back."""
        self.end_repeats(True)
        if self.stalls:
            counts = self.stalls, self.worst_stall_ms, self.journal.counts()
            self.keep("; flash: %d stalls, at most %d ms; %s" % counts)
        self.owed = _RESULT
        self._tried_ms = self.clock.now()
        self.keep("result: " + self.session.result())
        if self.write_late():
            self.settle()

    # --- what may wait ---

    def wait(self, until_ms: int) -> None:
        """Let a moment come that everybody can tell, whatever the work before it was."""
        self.clock.wait(until_ms)
        self.display.now_ms = self.clock.now()

    def end_repeats(self, is_shown: bool) -> None:
        """An event was accepted, so no refusal before it goes on; only hidden ones end where nobody may notice."""
        if is_shown and self.hides:
            self.late.extend(self.repeats.end_all())
        self.late.extend(self.hidden.end_all())

    def keep(self, line: str) -> None:
        """Take a line for the record; empty: none."""
        if line:
            self.late.append(line)

    def note_wait(self, waits: bool, now_ms: int) -> None:
        """T8, T13: the game waits for a repair, or goes on. A fault that comes and goes for days makes no record long:
        behind MOST_WAITS comments it waits, says the record, until the next event."""
        comment = "; waits %d at %d" % (waits, now_ms)
        if self._waits < MOST_WAITS:
            self._waits += 1
            self.keep(comment)
        else:
            self._wait_over = "" if waits else comment

    def write_late(self) -> bool:
        """Write the lines that were kept; True once they are durable. The journal keeps what it could not write."""
        begun_ms = self.clock.now()
        for line in self.late:
            self.journal.keep(line)
        self.late.clear()
        is_durable = self.journal.flush()
        self.note_stall(begun_ms)
        return is_durable

    def write_hidden(self, now_ms: int) -> None:
        """In a game that hides events: the moment that comes whether there is a line to write or not (D43).

        It waits for the second look at a card, which everybody sees lying there; so long at most as it waits anyway.
        """
        rest_ms = now_ms - self._late_ms
        if self.display.readers.hurry and rest_ms < 2 * LATE_MS:
            return
        if rest_ms >= LATE_MS and self.owed == NOTHING and not self.is_closed:
            self._late_ms = now_ms
            self.keep(self.hidden.end_quiet(now_ms))
            self.write_late()
            self.wait(self.display.now_ms + WRITE_MS)

    def tidy(self, now_ms: int) -> None:
        """Do the work on the record that can wait for a moment in which a stall does no harm."""
        self.keep(self.repeats.end_quiet(now_ms))
        if self.late and not self.hides:
            self.write_late()
        if self._steps is not None:
            try:
                if next(self._steps, self) is self:
                    self._steps = None
            except (OSError, ValueError):
                self._steps = None  # it stays in pieces, and is put away when the power comes back
        elif now_ms - self._prepared_ms >= RETRY_MS and not self.is_closed:
            if self.session.game.is_calm(self.session.state):
                self._prepared_ms = now_ms
                self.make_room(now_ms)

    def make_room(self, now_ms: int) -> None:
        """Make a page that is missing, and note how far the record has come; both erase, so it is a calm moment."""
        begun_ms = self.clock.now()
        if not self.hides:
            self.journal.prepare()
        elif self._until_page <= 0:
            self._until_page += PAGE_EVENTS
            self.journal.prepare()
            self.note_stall(begun_ms)
            self.wait(self.display.now_ms + PAGE_MS)  # a page may be full of what nobody may notice
            begun_ms = self.clock.now()
        if self._has_news and now_ms - self._witnessed_ms >= WITNESS_MS:
            self._witnessed_ms = now_ms
            self._has_news = False
            self.journal.witness()
        self.note_stall(begun_ms)

    def has_steps(self) -> bool:
        """Whether the record of the finished game is still being made one text."""
        return self._steps is not None

    def note_stall(self, since_ms: int) -> None:
        """Count a write that stalled the table."""
        took_ms = self.clock.now() - since_ms
        self.worst_stall_ms = max(self.worst_stall_ms, took_ms)
        self.stalls += took_ms >= STALL_MS
