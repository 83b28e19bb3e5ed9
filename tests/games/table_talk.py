"""A table for tests: deal given hands, then talk in the lines of a record without their times. Durak's rules stay out.

    table = deal("throw-in", "6S 6H", "7S 8H", stock=0)
    table.talk('''
        1 attack 6S
        2 beat 8H 6S ! D7
        = waits 1 throw, 2 beat
        2 beat 7S 6S
        +10 1 done
        = hand 1 6H
        = lies discard 6S 7S
        = result fool 1
    ''')

Lines may stand in one, ` / ` between them. A line without `!` must be accepted; with it, refused under one of the rules
named. `+10` lets ten seconds pass before the event, else it is one. `=` asks: whom the table waits for and for what
(WAIT_ names), a hand, cards in a place, the result, what a seat may do.
"""

import tests.games.device  # noqa: F401 - first: it says where the firmware comes from

from cardtable.app.catalogue import find_game
from cardtable.engine.deck import card_name
from cardtable.engine.event import Event, unpack
from cardtable.engine.record import read_event, read_time, write_event, write_time
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError
from cardtable.engine.verdict import words_key
from host_tools.random_play import make_header

WAITS = ("", "deal", "turn", "draw", "open", "beat", "throw", "throw_more", "over", "close",
         "hands_then_open")


class Table:
    """One session, and the time at it."""

    def __init__(self, game: str, seats: int, dealer: int = 0, first: int = 0):
        """`game` is what stands behind `game: durak`; SetupError if it cannot be played."""
        header = make_header("durak " + game, seats, dealer, first)
        self.game = find_game("durak")
        self.session = Session(self.game, header)
        self.state = self.session.state
        self.seats = seats
        self.dealer = dealer or seats
        self.event = Event()

    def cards(self, place: str) -> list:
        """The names of the cards in a place, in the order of their numbers."""
        number = self.game.find_place(place)
        assert number > 0, "%s is no place" % place
        where = self.state.where
        return [card_name(card) for card in range(len(where)) if where[card] == number]

    def waits(self) -> str:
        """Whom the table waits for and for what, as `= waits` has it."""
        waited = bytearray(8)
        self.game.waiting(self.state, waited)
        return ", ".join(["%d %s" % (seat, WAITS[waited[seat]]) for seat in range(1, 8) if waited[seat]])

    def moves(self, seat: int) -> list:
        """What the seat may do, each in the words of a record, in the order of the alphabet."""
        packed = []
        self.game.moves(self.state, seat, self.event.at_ms, packed)
        event = Event()
        lines = [write_event(self.game, unpack(move, seat, 0, event)) for move in packed]
        return sorted([line.split(" ", 2)[2] for line in lines])

    def result(self) -> str:
        """The text behind `result:`, or an empty one."""
        return self.session.result()

    def play(self, line: str) -> str:
        """Judge one line `SEAT VERB ARGUMENTS`, and let it happen if accepted: `` or the key of the refusal's words."""
        wait_ms = 1000
        if line[0] == "+":
            wait, line = line.split(" ", 1)
            wait_ms = read_time(wait[1:])
        line = "%s %s" % (write_time(self.event.at_ms + wait_ms), line)
        self.rules = read_event(self.game, line, 0, self.event).split()
        verdict = self.session.play(self.event)
        wrong = self.game.audit(self.state)
        assert not wrong, "audit says %d after: %s" % (wrong, line)
        return words_key(self.game, verdict) if verdict else ""

    def talk(self, text: str):
        """Play the lines, and check each."""
        for line in text.replace(" / ", "\n").split("\n"):
            line = line.strip()
            if line[:1] == "=":
                self.check(line[1:].strip())
            elif line and line[0] != ";":
                came = self.play(line)
                if self.rules:
                    assert came, "accepted: " + line
                    assert came.split(".")[0] in self.rules, "refused under %s: %s" % (came, line)
                else:
                    assert not came, "refused under %s: %s" % (came, line)

    def check(self, line: str):
        """One line that asks."""
        what, _, rest = line.partition(" ")
        if what == "waits":
            came = self.waits()
        elif what == "result":
            came = self.result()
        elif what == "moves":
            seat, _, rest = rest.partition(" ")
            came = ", ".join(self.moves(int(seat)))
            rest = ", ".join(sorted(rest.split(", ")) if rest else [])
        else:
            place, _, rest = rest.partition(" ")
            came = sorted(self.cards(place if what == "lies" else "hand" + place))
            rest = sorted(rest.split())
        assert came == rest, "= %s, but it is: %s" % (line, came)


def refuse(game: str, seats: int = 2, dealer: int = 0, first: int = 0) -> str:
    """The sentence with which a set-up is refused; an empty text if it is not."""
    try:
        Table(game, seats, dealer, first)
    except SetupError as error:
        return str(error)
    return ""


def deal(game: str, *hands, trump: str = "", first: int = 1, dealer: int = 0, stock=None) -> Table:
    """A game dealt to where the first attack is due.

    hands: the cards of each seat. trump: the card that is turned, else any club that nobody wants; with the whole deck
    dealt, the dealer's last. first: who attacks; 0: as D5 says. stock: None, the deck as it is; 0, or a text with the
    cards that are left in it. The arbiter puts into place what no deal can bring about (T10): hands of more than six
    cards, and into the discard what a short hand was filled up with and what has left the stock.
    """
    table = Table(game, len(hands), dealer, first)
    in_stock = stock.split() if stock else []
    wanted = " ".join(hands).split() + [trump] + in_stock
    spare = [name for name in table.cards("stock") if name not in wanted and name[0] != "X"]
    is_whole = len(table.cards("stock")) == 6 * len(hands)
    if not trump and not is_whole:
        trump = [name for name in spare if name[1] == "C"][0]
        spare.remove(trump)
    used = []
    for seat in range(1, len(hands) + 1):
        names = hands[seat - 1].split()[:6]
        while len(names) < 6:
            used.append(spare.pop())
            names.append(used[-1])
        for name in names:
            table.talk("%d draw %s" % (seat, name))
    if "japanese-diamonds" not in game:
        table.talk("%d turn %s" % (table.dealer, trump or hands[table.dealer - 1].split()[5]))
    for seat in range(1, len(hands) + 1):
        for name in hands[seat - 1].split()[6:]:
            table.talk("0 place %s hand%d" % (name, seat))
    assert stock is not None or not used, "a hand of fewer than six cards, with the whole stock"
    for name in used + table.cards("stock") + table.cards("turned"):
        if stock is not None and name not in in_stock:
            table.talk("0 place %s discard" % name)
    return table


def draw_all(table: Table) -> str:
    """Let whoever is due draw any cards until nobody is; who drew how many, as `1:2 3:1`."""
    drawn = []
    while table.waits().endswith(" draw"):
        seat = table.waits().split()[0]
        cards = table.cards("stock") or table.cards("turned")
        table.talk("%s draw %s" % (seat, cards[0]))
        if drawn and drawn[-1][0] == seat:
            drawn[-1][1] += 1
        else:
            drawn.append([seat, 1])
    return " ".join(["%s:%d" % (seat, count) for seat, count in drawn])
