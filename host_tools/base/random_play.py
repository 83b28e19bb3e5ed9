"""Plays games at random: for property tests, benches and fuzzing. Runs under CPython and MicroPython alike.

Every decision is drawn from the full `moves` of a seat that the table waits for; cards that come by chance (deal, draw,
the turned trump) come from a shuffled deck, as at a real table.
"""

from micropython import const

from cardtable.engine.event import LEAD, NO_CARD, OWN_VERB, Event, pack, unpack
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header
from cardtable.engine.session import Session, is_said_by_table
from cardtable.engine.state import OUTCOME, State

STEP_MS = const(100)  # from one event to the next
EVENT_LIMIT = const(4000)  # a game that is longer counts as unfinished
_KEPT_LIMIT = 8
_verbs: dict = {}  # by a game's name: the game, and what `read_verbs` found
_kept: dict = {}  # of the set-ups that were played last: the game, and the state in which one begins


class Random:
    """xorshift32: the same numbers on every interpreter."""

    def __init__(self, seed: int):
        """Any seed; 0 is as good as another."""
        self.state = (seed * 2654435761 + 1) & 0xFFFFFFFF or 1

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        state = self.state
        state ^= (state & 0x7FFFF) << 13  # masked first: C has no number above 2^31 in its source
        state ^= state >> 17
        state ^= (state & 0x7FFFFFF) << 5
        self.state = state
        return state % limit

    def shuffle(self, cards: list):
        """Fisher-Yates, in place."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


def make_header(game: str, seats: int, dealer: int = 0, first: int = 0) -> Header:
    """The header of a game: `game` is its `game:` line; the last seat deals if `dealer` is 0."""
    header = Header()
    read_key(header, "game: " + game, 0)
    read_key(header, "seats: " + "; ".join(["Seat %d" % (seat + 1) for seat in range(seats)]), 0)
    read_key(header, "dealer: %d" % (dealer or seats), 0)
    if first:
        read_key(header, "first: %d" % first, 0)
    close_header(header, 0)
    return header


def begin_session(game, header: Header) -> Session:
    """A new session. SetupError. Reading a set-up takes as long as some twelve decisions: it is done once for many
    games, and each has a copy."""
    words = " ".join(header.game), len(header.seats), header.dealer, header.first, header.match_game
    kept = _kept.get(words)
    if kept is None or kept[0] is not game:
        if len(_kept) >= _KEPT_LIMIT:
            _kept.clear()
        kept = game, Session(game, header).state
        _kept[words] = kept
    state = State(game.CARDS, game.REGISTERS)
    state.copy(kept[1])
    return Session(game, header, state)


class RandomGame:
    """One game: `step` finds the next event and plays it; `packed` and `event` are what it was."""

    def __init__(self, game, header: Header, random: Random):
        """Set up and shuffle. SetupError if the header cannot be played."""
        self.game = game
        self.header = header
        self.session = begin_session(game, header)
        self._waiting = game.waiting  # both are asked before each event: looked up once
        self._moves = game.moves
        self._due_ms = game.due_ms
        self.random = random
        self.event = Event()
        self.options: list[int] = []
        self.verbs = bytearray(32)  # of these options, each once
        self.waited = bytearray(8)
        self.unasked = 0  # how many of 100 events come from any seat, whether the table waits for it or not
        self.is_judged = False  # whether the next event has been
        self.seats = len(header.seats)
        self.events = 0
        self.decisions = 0
        self.chance = bytearray(32)  # WAIT_ number: the verb with which a card comes by chance, or 0
        self.chance_verbs = 0  # a bit each
        # Where seats say what they have laid, the word is drawn before its card: else a full hand would stage for ever.
        self.says_first = False
        self.call_verbs = 0  # a bit for each verb of the button CALL
        self.table_verb = 0  # what the table itself says when it is due
        self.read_verbs()
        self.deck = [card for card in range(game.CARDS) if self.session.state.where[card]]
        random.shuffle(self.deck)

    def read_verbs(self) -> None:
        """What follows from the game's verbs alone: found once for all games of that kind."""
        kept = _verbs.get(self.game.NAME)
        if kept is None or kept[0] is not self.game:
            verbs = self.game.VERBS
            for wait, verb in self.game.CHANCE.items():
                self.chance[wait] = verb
                self.chance_verbs |= 1 << verb
            self.says_first = "R" in [kinds for _, kinds, _ in verbs]
            for index in range(len(verbs)):
                if is_said_by_table(self.game, OWN_VERB + index):
                    self.table_verb = OWN_VERB + index
                if verbs[index][2] == "CALL":
                    self.call_verbs |= 1 << (OWN_VERB + index)
            kept = self.game, self.chance, self.chance_verbs, self.says_first, self.call_verbs, self.table_verb
            _verbs[self.game.NAME] = kept
        _, self.chance, self.chance_verbs, self.says_first, self.call_verbs, self.table_verb = kept

    def choose(self) -> bool:
        """Fill `event` with the next event: of one of the seats that the table waits for. False if there is none."""
        state = self.session.state
        waited = self.waited
        options = self.options
        self._waiting(state, waited)
        number = self.random.below(1 << 30)
        if self.table_verb and self.speak_for_table(number):
            return True
        seats = self.seats
        if self.unasked and number % 100 < self.unasked:
            for seat in range(1, seats + 1):
                waited[seat] = 1
        seat = (number >> 8) % seats + 1
        soon_ms = self.event.at_ms + STEP_MS
        for _ in range(seats):
            wait = waited[seat]
            if wait:
                if self.chance[wait] and self.take_from_deck(seat, self.chance[wait]):
                    return True
                options.clear()
                self._moves(state, seat, soon_ms, options)
                if options:
                    break
            seat = seat % seats + 1
        else:
            return self.answer_lead(seat)
        if self.says_first:
            packed = self.pick(self.pick_verb(number >> 17), number >> 11)
        else:
            packed = options[(number >> 11) % len(options)]
        if not self.chance_verbs >> (packed >> 16) & 1:
            self.decisions += 1
        unpack(packed, seat, soon_ms, self.event)
        return True

    def speak_for_table(self, number: int) -> bool:
        """Fill `event` with the table's own verb, if it is due, or if nobody stirs until it is; False if it is not."""
        due_ms = self._due_ms(self.session.state)
        soon_ms = self.event.at_ms + STEP_MS
        if due_ms < 0 or due_ms > soon_ms and number % 8:
            return False
        unpack(pack(self.table_verb), 0, max(due_ms, soon_ms), self.event)
        return True

    def pick_verb(self, number: int) -> int:
        """One of the verbs of the options; who wants to doubt thinks again, or no game would end."""
        verbs = self.verbs
        verb = 0
        count = 0
        known = 0  # a bit each
        for packed in self.options:
            if packed >> 16 != verb:
                verb = packed >> 16
                if not known >> verb & 1:
                    known |= 1 << verb
                    verbs[count] = verb
                    count += 1
        verb = verbs[number % count]
        if self.call_verbs >> verb & 1:
            verb = verbs[(number >> 5) % count]
        return verb

    def pick(self, verb: int, number: int) -> int:
        """One of the options of that verb."""
        count = 0
        for packed in self.options:
            if packed >> 16 == verb:
                count += 1
        number %= count
        for packed in self.options:
            if packed >> 16 == verb:
                if not number:
                    break
                number -= 1
        return packed

    def take_from_deck(self, seat: int, verb: int) -> bool:
        """Fill `event` with the first card of the deck that can come here; False if none can."""
        event = self.event
        event.at_ms += STEP_MS
        event.seat = seat
        event.verb = verb
        event.target = 0
        where = self.session.state.where
        refused = -1  # the place of cards that cannot come: unseen cards of one place are alike
        for index in range(len(self.deck) - 1, -1, -1):
            card = self.deck[index]
            if where[card] == refused:
                continue
            refused = where[card]
            event.card = card
            if not self.session.judge(event):
                self.deck.pop(index)
                self.is_judged = True
                return True
        event.at_ms -= STEP_MS
        return False

    def answer_lead(self, seat: int) -> bool:
        """T4: fill `event` with the players' answer that this seat begins; False if nobody has asked."""
        event = self.event
        if self.game.judge_lead(self.session.state, seat):
            return False
        event.at_ms += STEP_MS
        event.seat = 0
        event.verb = LEAD
        event.card = NO_CARD
        event.target = seat
        return True

    def step(self) -> bool:
        """Play one event; False when the game is over, stuck or too long."""
        session = self.session
        event = self.event
        if session.state.register[OUTCOME] or self.events >= EVENT_LIMIT or not self.choose():
            return False
        verdict = 0 if self.is_judged else session.judge(event)
        assert not verdict, (verdict, event.seat, event.verb, event.card)
        session.enact(event)
        self.is_judged = False
        self.events += 1
        return True

    def play(self) -> str:
        """Play to the end; the result, or an empty text for an unfinished game."""
        while self.step():
            pass
        return self.session.result()
