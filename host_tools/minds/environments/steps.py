"""Steps through a game by numbers of acts: whose turn it is, which acts are legal, what a seat sees.

Compiled with the engine (host_tools/base/fast), so written as the engine is: numbers, loops, no closures. Rules, chance
and hidden hands are those of every other game here: this file only asks the seats one after the other.
"""

from array import array

from micropython import const

from cardtable.engine import plain
from cardtable.engine.event import LEAD, NO_CARD, OWN_VERB, Event, pack, said_by, unpack
from cardtable.engine.state import DEAL, HAND, OUTCOME, OWN, STOCK, State
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import RandomGame
from host_tools.minds.players.dealt import Dealt
from host_tools.minds.players.match import Stuck
from host_tools.sight.seen import find_held, list_moves

THINK_MS = 500  # from one act to the next, on the game's own clock
_THINK_MS = const(500)
TIME_BITS = const(32)
_WAIT = const(0)  # the number of doing nothing now
_IN_STOCK = bytes([STOCK])
_SEATS = const(8)
_SECRETS = const(64)
_secret: dict = {}  # of each game and the registers of its set-up, what `read_secret` found


class Steps:
    """One game. Seats are asked one at a time: of those that may do something, first whom the table does not wait for
    (to double, to catch, to doubt), then the others, each in turn round the table. Number 0 waits: it lets the next
    seat decide, and is illegal where nobody else is left and time alone brings nothing.

    `agent`: the seat that is asked, 1 and on; 0 when the game is over. `is_cut`: whether it was longer than the limit.
    """

    def __init__(
        self, played: RandomGame, packed: list, numbers: dict, numbering: bytes, limit: int, tell=None
    ) -> None:
        """packed, numbers, numbering: of that game's `Acts`; limit: of events; tell: called with each event before it
        happens."""
        self.played = played
        self.seats = len(played.header.seats)
        self.packed = packed
        self.numbers = numbers
        self.numbering = numbering
        self.limit = limit
        self.agent = 0
        self.is_cut = False
        self.done: list[int] = []  # the numbers of the steps
        self.is_counted = played.session.state.register[DEAL] == 1
        self.dealt = Dealt(played, self.is_counted)
        self.hidden = bytes(self.dealt.hidden)  # the same for all games of a kind
        self.tell = tell
        self.said = array("q")  # of each event its time in ms, in bits above `said_by`: one number for each
        self._waiting = played.game.waiting
        self._moves = played.game.moves
        self._due_ms = played.game.due_ms
        self._press_first = played.game.press_first
        self.is_first_usual = played.game.press_first is plain.press_first
        self.by_secret = read_secret(played)
        self.stocked = count_stocked(played.session.state)
        self.waited = bytearray(_SEATS)
        self.asked = Event()
        self.found: list[int] = []  # acts, packed, until their numbers are written
        self.acts_now: list[int] = []  # the numbers of what the agent can do
        self.coming = 0  # the seat that is asked next, if this one waits; 0: none
        self.acts_next: list[int] = []  # of that seat
        self.first = 1  # the seat that a round begins with
        self.at = 0  # how far that round has been asked: twice round the table
        self.asks_who_begins = False  # T4: any seat may answer for all
        self.go_on()

    def may_wait(self) -> bool:
        """Whether the seat that is asked may leave it to others, or to time."""
        return self.agent > 0 and (self.coming > 0 or self.is_due())

    def legal(self) -> list:
        """The numbers of the acts that the table accepts now from the seat that is asked; empty when it is over."""
        return list_numbers(self.acts_now, self.may_wait())

    def check(self, number: int) -> None:
        """UnusableInput where the act of that number is not legal for the seat that is asked."""
        is_legal = self.may_wait() if number == _WAIT else number in self.acts_now
        if not self.agent:
            raise UnusableInput("the game is over: no act is legal")
        if not is_legal:
            raise UnusableInput("act %d is not legal now for seat %d" % (number, self.agent))

    def step(self, number: int) -> None:
        """Do the act of that number for the seat that is asked. UnusableInput where it is not legal."""
        self.check(number)
        self.do(number)

    def do(self, number: int) -> None:
        """`step` with what was checked."""
        self.done.append(number)
        if number != _WAIT:
            if self.act(self.packed[number]):
                self.list_acts(self.agent, self.acts_now)
                if self.acts_now:
                    return
        elif self.coming:
            self.pass_on()
            return
        else:
            self.let_table_speak()
        self.go_on()

    def act(self, packed: int) -> bool:
        """The act of the seat that is asked, unless the table itself has something to say before. Whether nobody else
        may know of it (D43): it takes no time then, and the others, who wait, are not asked anew because of it."""
        played = self.played
        is_secret = self.by_secret >> (packed >> 16) & 1
        due_ms = played.event.at_ms
        if not is_secret:
            due_ms += _THINK_MS
        if played.table_verb:
            table_ms = self._due_ms(self.played.session.state)
            if 0 <= table_ms <= due_ms:
                self.let_table_speak()
                return False
        # T4: the answer to who begins is the table's event.
        unpack(packed, 0 if packed >> 16 == LEAD else self.agent, due_ms, played.event)
        played.decisions += 1
        self.happen()
        return is_secret > 0 and played.events < self.limit

    def is_due(self) -> bool:
        """Whether time brings something."""
        return self.played.table_verb > 0 and self._due_ms(self.played.session.state) >= 0

    def let_table_speak(self) -> None:
        """What the table says by itself, once it is due."""
        played = self.played
        due_ms = self._due_ms(self.played.session.state) if played.table_verb else -1
        if due_ms < 0:
            raise Stuck("nobody does anything: %s" % played.game.status(self.played.session.state))
        unpack(pack(played.table_verb), 0, max(due_ms, played.event.at_ms), played.event)
        self.happen()

    def happen(self) -> None:
        """The event that `played.event` is."""
        played = self.played
        event = played.event
        state = self.played.session.state
        verdict = 0 if played.is_judged else self.played.session.judge(event)
        if verdict:
            raise Stuck("%s: seat %d is refused with %d" % (played.game.NAME, event.seat, verdict))
        played.is_judged = False
        if self.tell is not None:
            self.tell(event)
        self.said.append(event.at_ms << TIME_BITS | said_by(event.seat, pack(event.verb, event.card, event.target)))
        played.events += 1
        if self.is_counted:
            self.dealt.before.copy(state)
            self.played.session.enact(event)
            self.dealt.follow()
            return
        self.played.session.enact(event)
        stocked = count_stocked(state)
        if stocked > self.stocked:
            self.dealt.take_in_stock()
        self.stocked = stocked

    def go_on(self) -> None:
        """Let happen what happens by itself, and ask the seats."""
        register = self.played.session.state.register
        waited = self.waited
        self.agent = 0
        self.acts_now.clear()
        while not register[OUTCOME]:
            if self.played.events >= self.limit:
                self.is_cut = True
                return
            self._waiting(self.played.session.state, waited)
            if self.take_chance():
                continue
            self.ask_around()
            if self.agent:
                return
            self.let_table_speak()

    def take_chance(self) -> bool:
        """Let a card come, where one is waited for; False if none is."""
        played = self.played
        is_awaited = False
        for seat in range(1, self.seats + 1):
            verb = played.chance[self.waited[seat]]
            if verb:
                is_awaited = True
                if self.take(seat, verb):
                    self.happen()
                    return True
        if is_awaited:
            self.let_table_speak()
        return is_awaited

    def take(self, seat: int, verb: int) -> bool:
        """Fill the game's event with the next card of the deck that can come here; False if none can."""
        played = self.played
        if not self.is_counted:
            lying = count_marked(self.played.session.state, self.hidden)
            if lying == len(played.deck) and played.take_from_deck(seat, verb):
                return True
        return self.dealt.take(seat, verb)

    def ask_around(self) -> None:
        """Ask each seat that may do something: first those the table is not waiting for, in turn round the table."""
        self.first = 1 if self.is_first_usual else self._press_first(self.played.session.state)
        self.at = 0
        self.asks_who_begins = False
        self.look_on()
        if not self.coming and not self.is_counted:
            self.at = 0
            self.asks_who_begins = True
            self.look_on()
        self.pass_on()

    def pass_on(self) -> None:
        """Ask the seat that comes next, 0 if none does, and look who comes behind it."""
        self.agent = self.coming
        acts = self.acts_now
        self.acts_now = self.acts_next
        self.acts_next = acts
        if self.agent:
            self.look_on()

    def look_on(self) -> None:
        """Look for the next seat in turn that can do something, and what: `coming`, 0 if there is none."""
        seats = self.seats
        self.coming = 0
        self.acts_next.clear()
        while self.at < 2 * seats and not self.coming:
            seat = (self.first + self.at - 1) % seats + 1
            is_second = self.at >= seats
            self.at += 1
            if is_second == (self.waited[seat] > 0 and not self.asks_who_begins):
                self.list_acts(seat, self.acts_next)
                if self.acts_next:
                    self.coming = seat

    def list_acts(self, seat: int, acts: list) -> None:
        """Put the numbers of all that the seat can do now in place of what is in the list.

        It is what `list_moves` finds; that is not asked where every card has been tapped.
        """
        found = self.found
        found.clear()
        soon_ms = self.played.event.at_ms + _THINK_MS
        state = self.played.session.state
        if self.asks_who_begins:
            self.ask_who_begins(seat, soon_ms, found)
        elif self.is_counted:
            view = bytes(self.played.game.view(state, seat))
            held = find_held(self.played.game, view, seat, self.dealt.unseen[seat])
            for move in list_moves(self.played.session, seat, soon_ms, view, held):
                found.append(move)
        else:
            self._moves(state, seat, soon_ms, found)
        acts.clear()
        number_acts(found, acts, self.numbers, self.played.chance_verbs)

    def ask_who_begins(self, seat: int, soon_ms: int, found: list) -> None:
        """T4: the seat's answer that it begins, if it may."""
        asked = self.asked
        asked.verb = LEAD
        asked.seat = 0
        asked.card = NO_CARD
        asked.at_ms = soon_ms
        asked.target = seat
        if not self.played.session.judge(asked):
            found.append(pack(LEAD, NO_CARD, seat))

    def size(self) -> int:
        """How many bytes an observation has."""
        return len(self.played.game.view(self.played.session.state, 1)) + _SEATS + 3

    def observe_into(self, seat: int, row: bytearray, at: int) -> None:
        """Write what `observe` tells into a row of bytes, from that byte on."""
        game = self.played.game
        state = self.played.session.state
        view = bytes(game.view(state, seat))
        size = len(view)
        row[at : at + size] = view
        for card in self.dealt.unseen[seat]:
            row[at + card] = HAND + seat
        at += size
        self._waiting(state, self.waited)
        for index in range(_SEATS):
            row[at + index] = self.waited[index]
        row[at + _SEATS] = seat
        row[at + _SEATS + 1] = self.seats
        row[at + _SEATS + 2] = 1 if seat == self.agent else 0


def read_secret(played: RandomGame) -> int:
    """A bit for each verb that nobody else may know of (D43). The set-up alone decides that, so it is found once."""
    game = played.game
    state = played.session.state
    key = game.NAME, bytes(state.register[:OWN])
    if key not in _secret:
        if len(_secret) >= _SECRETS:
            _secret.clear()
        bits = 0
        for verb in range(OWN_VERB, OWN_VERB + len(game.VERBS)):
            if not game.shows(state, verb):
                bits |= 1 << verb
        _secret[key] = bits
    return _secret[key]


def number_acts(found: list, acts: list, numbers: dict, by_chance: int) -> None:
    """Append the numbers of acts that are packed; nobody chooses the cards that come by chance."""
    for packed in found:
        if not by_chance >> (packed >> 16) & 1:
            acts.append(numbers[packed])


def list_numbers(acts: list, waits: bool) -> list:
    """The numbers of acts, behind that of waiting where a seat may wait."""
    told = [_WAIT] if waits else []
    for number in acts:
        told.append(number)
    return told


def count_marked(state: State, marks: bytes) -> int:
    """How many cards lie in places that are marked with 1."""
    where = state.where
    marked = 0
    for card in range(len(where)):
        if marks[where[card]]:
            marked += 1
    return marked


def count_stocked(state: State) -> int:
    """How many cards lie in the stock."""
    where = state.where
    return where.count(_IN_STOCK)


def number_in(numbering: bytes, packed: int) -> int:
    """What `Acts.numbers` has of an act, by arithmetic, as what is compiled reckons it (`number_found` in rows.pxd)."""
    at = packed >> 16 << 2
    return numbering[at] + (numbering[at + 1] << 8) \
        + (packed >> 8 & 255) * numbering[at + 2] + (packed & 255) * numbering[at + 3]


def step_all(games: list, numbers: list, rows: list, most: int, size: int) -> list:
    """A step in each of these games, each legal, and what `write_one` writes of those that go on; the others, by their
    index."""
    over = []
    for index in range(len(games)):
        fetch_next(games, index, rows[2], 2 * most)
        if step_one(games[index], numbers[index], index, rows, most, size):
            over.append(index)
    return over


def fetch_next(games: list, index: int, legal: bytearray, room: int) -> None:
    """Where C steps them (`fetch_ahead` in rows.pxd), the processor fetches the games behind this one meanwhile."""


def step_one(one: Steps, number: int, index: int, rows: list, most: int, size: int) -> bool:
    """As `step_all` for one game; whether it is over."""
    one.do(number)
    if not one.agent:
        return True
    write_one(one, index, rows, most, size)
    return False


def write_one(one: Steps, index: int, rows: list, most: int, size: int) -> None:
    """Write who is asked in this game, how many acts are legal and which, each into the game's part of its row: of
    numbers two bytes each, the lower first, with room for `most`; and what that seat observes, `size` bytes, or
    nothing where that is 0. UnusableInput where more are legal."""
    count = len(one.acts_now)
    at = 2 * index * most
    if one.may_wait():
        count += 1
    if count > most:
        raise UnusableInput("%d acts are legal at once; there is room for %d" % (count, most))
    if count > len(one.acts_now):
        write_number(rows[2], at, _WAIT)
        at += 2
    write_numbers(rows[2], at, one.acts_now)
    rows[0][index] = one.agent
    write_number(rows[1], 2 * index, count)
    if size:
        one.observe_into(one.agent, rows[3], index * size)


def write_numbers(row: bytearray, at: int, numbers: list) -> None:
    """Two bytes of each."""
    for number in numbers:
        write_number(row, at, number)
        at += 2


def write_number(row: bytearray, at: int, number: int) -> None:
    """Two bytes."""
    row[at] = number & 255
    row[at + 1] = number >> 8
