"""A table for tests of any game: talk to it in the lines of a record without their times.

    table = Table("durak throw-in", 2, first=1)
    table.talk('''
        1 draw 6S / 1 draw 7S
        0 place 8H hand2
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
(the game's WAIT_ names, small), what the screen says (one of them too), a hand, the cards in a place, the result, what
a seat may do (`= moves 1 attack 6S, attack 6H`).
"""

from cardtable.catalogue import find_game
from cardtable.engine.deck import card_name
from cardtable.engine.event import Event, unpack
from cardtable.engine.reading import read_event, read_time
from cardtable.engine.record import write_event, write_time
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError
from cardtable.engine.verdict import words_key
from cardtable.engine.state import find_place
from host_tools.base.random_play import make_header


def wait_names(game) -> dict:
    """What the table can wait for in this game: WAIT_THROW_MORE is `throw_more` here.

    `beat` is said of a defender that may transfer or show, too: which of them it is has tests of its own.
    """
    names = {getattr(game, name): name[5:].lower() for name in dir(game) if name.startswith("WAIT_")}
    return {number: name.split("_transfer")[0].replace("_or", "") for number, name in names.items()}


class Table:
    """One session, and the time at it."""

    def __init__(self, game: str, seats: int, dealer: int = 0, first: int = 0):
        """`game` is a record's `game:` line; the last seat deals if none is named. SetupError if it is unplayable."""
        header = make_header(game, seats, dealer, first)
        self.game = find_game(header.game[0])
        self.wait_names = wait_names(self.game)
        self.session = Session(self.game, header)
        self.state = self.session.state
        self.seats = seats
        self.dealer = dealer or seats
        self.event = Event()

    def cards(self, place: str) -> list:
        """The names of the cards in a place, in the order of their numbers."""
        number = find_place(self.game, place)
        assert number > 0, "%s is no place" % place
        where = self.state.where
        return [card_name(card) for card in range(len(where)) if where[card] == number]

    def waits(self) -> str:
        """Whom the table waits for and for what, as `= waits` has it."""
        waited = self.waited()
        return ", ".join(["%d %s" % (seat, self.wait_names[waited[seat]]) for seat in range(1, 8) if waited[seat]])

    def waited(self) -> bytearray:
        """What the table waits for, as numbers: from each seat, and at 0 what the screen says."""
        waited = bytearray(8)
        self.game.waiting(self.state, waited)
        return waited

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
        elif what == "screen":
            came = self.wait_names[self.waited()[0]]
        elif what == "result":
            came = self.result()
        elif what == "moves":
            seat, _, rest = rest.partition(" ")
            came = ", ".join(self.moves(int(seat)))
            rest = ", ".join(sorted(rest.split(", ")) if rest else [])
        else:
            assert what in ("hand", "lies"), "no such question: " + line
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
