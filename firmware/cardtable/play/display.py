"""Shows a game: one light a place, the rows of the screen, why something was refused; from public facts alone (T11)."""

from cardtable.rooms import forget, load
from cardtable.engine.deck import STRANGER
from cardtable.engine.event import LEAD, NO_CARD, OWN_VERB, SHOWS_ALL
from cardtable.engine.record import SetupError
from cardtable.engine.state import CLOCKS
from cardtable.engine.verdict import rule_id, words_key
from cardtable.table.lights import ACCEPTED, CHOOSING, COUNTING, FAULT, FILLING, MAY, OFF, REFUSED, WAITED_FOR
from cardtable.table.screen import COLUMNS, find_cut
from cardtable.table.words import argument_text, cards_text, event_text, ranks_text, result_text

GREEN_MS = 1000  # how long an accepted event keeps the light green
RED_MS = 2000  # how long a refused press keeps it red; a refused card does until it leaves
ROOM = 30  # letters of a prompt behind a seat's name: two lines of the glass
TURN_MS = 1000  # how long each of several faults has the bottom line


class Display:
    """Lights and screen of one game."""

    def __init__(self, session, header, parts, clock, choosers: list, faults) -> None:
        """parts: readers, lights, screen, words; faults: table.faults.Faults; choosers: each seat,
        then the arbiter; still empty."""
        self.session = session
        self.header = header
        self.readers = parts.readers
        self.lights = parts.lights
        self.screen = parts.screen
        self.words = parts.words
        self.clock = clock
        self.choosers = choosers
        self.faults = faults
        self.seat_at = bytearray(8)  # place of the table -> seat
        for number in range(len(header.places)):
            self.seat_at[header.places[number]] = number + 1
        self.now_ms = 0  # the time of what is shown: of the step, and later where an event is shown in it
        self.until_ms = [0] * 8  # until when a seat's verdict light stays; 0: until its card leaves
        self.verdict_of = bytearray(8)  # OFF, ACCEPTED or REFUSED
        self.waits = bytearray(8)  # waits[seat]: what the table waits for
        self.has_to = False  # whether the prompt is for some seats and not for others
        self.crowded = 0  # a bit for each seat with more than one card on its reader
        self.again = 0  # a bit for each seat that has to tap again what lies on its reader
        self.told = 0  # the seat whose refusal the screen explains
        self.opened: list = []  # cards that the last event has turned up
        self.shows_undo = False
        self.is_stale = True  # the bottom line has to be rewritten
        self._fault = 0  # which of the faults has it
        self._rest = ""  # its text when no seat chooses and nothing is broken: what buttons do beside the prompt

    # --- what came of an event ---

    def refusal(self, event, verdict: int) -> str:
        """The words of a refusal."""
        game = self.session.game
        if event.card == STRANGER:
            try:
                uid = self.readers.uid(self.header.places[self.place_told(event) - 1])
                owner = load("between", "decks").find_owner(uid, 0)
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

    def place_told(self, event) -> int:
        """The seat at which an event is told. Of seat 0: what the arbiter does is told where the key was, who leads at
        that seat, what the table says by itself nowhere (0)."""
        if event.seat or event.verb >= OWN_VERB:
            return event.seat
        return event.target if event.verb == LEAD else self.choosers[-1].number

    def light(self, event, verdict: int) -> None:
        """The light of an event, at once: before anything else of it is told."""
        number = self.place_told(event)
        self.verdict_of[number] = REFUSED if verdict else ACCEPTED
        by_card = verdict and number and event.card != NO_CARD and self.choosers[number - 1].card != NO_CARD
        self.until_ms[number] = 0 if by_card else self.now_ms + (RED_MS if verdict else GREEN_MS)
        self.show_lights(self.now_ms)

    def show_verdict(self, event, verdict: int, shows: int = SHOWS_ALL, why: str = "") -> None:
        """The screen after an event; a refusal never names the card (T6). why: its words, if they are at hand."""
        number = self.place_told(event)
        if verdict:
            why = why or self.refusal(event, verdict)
            self.show_refusal(number, "%s %s" % (rule_id(self.session.game, verdict), why))
            return
        self.screen.event(self.tell_event(event, shows))
        # Another seat's refusal may still be being read, or that one card at a time is.
        told = self.told
        if (told in (0, number) or self.verdict_of[told] != REFUSED) and not self.crowded >> told & 1:
            self.show_refusal(0, "")
        self.show_table()

    def tell_event(self, event, shows: int) -> str:
        """Tell an event in the table's words, as far as the game shows it to all."""
        return event_text(self.words, self.session.game, self.header.seats, event, shows)

    def show_refusal(self, number: int, text: str) -> None:
        """Show why an act of that seat was refused; seat 0: cards that were turned up, else the game's hint."""
        self.told = number
        if number:
            text = "%d %s" % (number, text)
        elif self.opened:
            text = cards_text(self.words, self.opened)
        else:
            state = self.session.state
            hint = 0 if state.register[CLOCKS] == 1 else self.session.game.hint(state)
            text = self.words.find("H%d" % hint) if hint else ""
        self.screen.verdict(text)

    def close(self, digest: str) -> None:
        """Show that the game is closed: its code, who went out when (D39), and how the match stands (D45)."""
        match = load("engine", "match")
        names = [name[:8] for name in self.header.seats]
        out, lost = match.list_out(self.session), match.tell_standing(self.session, self.header)
        if out:
            outs = self.words.find("outs") + " "
            told = outs + ", ".join([names[seat - 1] for seat in out])
            self.screen.status(told if len(told) <= COLUMNS else outs + " ".join([str(seat) for seat in out]))
        standing = self.words.find("standing") + " "
        told = standing + ", ".join(["%s %s" % pair for pair in zip(names, lost.split(" ")) if pair[1] != "0"])
        if told == standing or len(told[find_cut(told, 1) :].lstrip()) > COLUMNS:  # of nobody, or of too many
            told = standing + lost
        self.screen.verdict("%-21s %s" % ("%s %s" % (self.words.find("digest"), digest), told))  # a line of its own
        del match
        forget("engine.match", kept=())
        self._rest = self.words.find("closed")
        self.is_stale = True
        self.told = 0  # a reader that is clear again takes the code for no refusal of its own
        for seat in self.choosers:
            seat.drop()  # from now on OK leaves the game

    # --- cards that lie on readers ---

    def crowd(self, number: int, key: str) -> None:
        """More than one card lies on the seat's reader, or what it cannot read; key: of the words for it."""
        self.crowded |= 1 << number
        self.show_refusal(number, self.words.find(key))

    def clear(self, number: int) -> None:
        """Only one card lies there again."""
        self.crowded &= ~(1 << number)
        if self.told == number:
            self.show_refusal(0, "")

    def ask_again(self, number: int) -> None:
        """T9: ask for the card that lies there to be tapped again."""
        self.again |= 1 << number
        self.verdict_of[number] = REFUSED
        self.until_ms[number] = 0
        self.show_refusal(number, self.words.find("again"))

    def left(self, number: int) -> None:
        """Put out the red light of a card that has left; it is not asked for any more."""
        self.again &= ~(1 << number)
        if self.verdict_of[number] == REFUSED and not self.until_ms[number]:
            self.verdict_of[number] = OFF

    # --- the screen ---

    def show_table(self) -> None:
        """Show the table's state and whom it waits for, from public facts alone."""
        session = self.session
        game = session.game
        self._rest = ""
        self.is_stale = True
        self.screen.status(ranks_text(self.words, game.status(session.state)))
        if session.is_undo_open(self.clock.now()):  # of the event that has ended the game, too (T7)
            self.show_undo()
            return
        if session.is_over():
            self.screen.waits(result_text(self.words, self.header.seats, session.result()))
            for index in range(8):
                self.waits[index] = 0
            return
        game.waiting(session.state, self.waits)
        text = self.words.find("P%d" % self.waits[0])
        asked = [number for number in range(1, len(self.choosers)) if self.waits[number] == self.waits[0]]
        self.has_to = len(asked) > 0
        if asked and "#" in text:
            text = text.replace("#", self.count_to_draw(asked))
        if len(asked) == 1:
            name = " " + self.header.seats[asked[0] - 1][:8]
            text = "%d%s: %s" % (asked[0], name if len(text) <= ROOM else "", text)
        self.screen.waits(text)
        number = game.more_keys(session.state)
        if number:
            self._rest = self.words.find("K%d" % number)

    def count_to_draw(self, asked: list) -> str:
        """T3: how many cards these seats still tap, `6` or `4-6`."""
        session = self.session
        counts = [session.game.count_to_draw(session.state, number) for number in asked]
        low, high = min(counts), max(counts)
        return str(low) if low == high else "%d-%d" % (low, high)

    def show_undo(self) -> None:
        """T7: one seat wants its event back, and the table waits for the others to agree with OK."""
        missing = self.session.missing()
        for number in range(8):
            self.waits[number] = missing >> number & 1
        self.has_to = False
        self.shows_undo = True
        self.screen.waits("%d %s" % (self.session.undo_seat, self.words.find("undo")))

    def end_undo(self, now_ms: int) -> None:
        """Show the game again once an undo is no longer open."""
        if self.shows_undo and not self.session.is_undo_open(now_ms):
            self.shows_undo = False
            self.show_table()

    def show_bottom(self, now_ms: int) -> None:
        """The bottom line: why the game waits, else who chooses, else what else is broken. Faults take turns."""
        names = self.faults.names
        fault = now_ms // TURN_MS % len(names) if names else 0
        if fault == self._fault and not self.is_stale:
            return
        self._fault = fault
        self.is_stale = False
        choosing = [seat for seat in self.choosers if seat.is_choosing()]
        if names and (self.faults.stops or not choosing):
            self.screen.bottom(names[fault])
        elif choosing and self.screen.is_shared:
            # The arbiter's first, which may end the game; of seats the one that began first.
            arbiter = self.choosers[-1]
            first = arbiter if arbiter in choosing else min(choosing, key=lambda seat: seat.began_ms)
            self.screen.bottom(self.name_choice(first))
        else:
            self.screen.bottom(self._rest)
        if not self.screen.is_shared and not self.faults.stops:
            if not names:
                self.show_left()
            for seat in choosing:
                self.screen.own(self.header.places[seat.number - 1], self.name_choice(seat))

    def show_left(self) -> None:
        """T3: in the deal each seat reads on its own screen how many cards it still taps."""
        session = self.session
        if not session.is_over() and session.game.is_dealing(session.state):
            for number in range(1, len(self.choosers)):
                left = session.game.count_to_draw(session.state, number) if self.waits[number] else 0
                if left:
                    self.screen.own(self.header.places[number - 1], self.words.find("left").replace("#", str(left)))

    def name_choice(self, chooser) -> str:
        """A seat's open choice, in a line."""
        verb, target = chooser.prompt()
        target = " " + argument_text(self.words, target) if target else ""
        return "%d %s%s?" % (chooser.number, self.words.find("V." + verb).partition("|")[0], target)

    # --- lights ---

    def show_lights(self, now_ms: int) -> None:
        """Show one meaning for each place: fault, refused, choosing, accepted, waited for."""
        means = self.lights.means
        for place in range(1, len(means) + 1):
            number = self.seat_at[place]
            meaning = OFF
            if number:
                if self.verdict_of[number] and 0 < self.until_ms[number] <= now_ms:
                    self.verdict_of[number] = OFF
                meaning = REFUSED if self.crowded >> number & 1 else self.verdict_of[number]
                is_choosing = self.choosers[number - 1].is_choosing() or self.choosers[-1].is_at(number)
                if is_choosing and meaning != REFUSED:
                    meaning = CHOOSING
                elif not meaning:
                    meaning = self.quiet_light(place, number, now_ms)
            if self.faults.names and self.faults.concern(place, meaning == OFF):
                meaning = FAULT
            means[place - 1] = meaning
        self.lights.show(now_ms)

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
        if not self.waits[number]:
            return OFF
        # What the prompt says is for the seats that have to; one for which it is something else may (throw in).
        return MAY if self.has_to and self.waits[number] != self.waits[0] else WAITED_FOR
