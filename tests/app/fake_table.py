"""A game among fake parts, of two as a rule, as the tests of the controller play it."""

from cardtable.catalogue import find_game
from cardtable.engine.reading import read_header
from cardtable.engine.session import Session
from cardtable.play.controller import Controller
from cardtable.play.display import GREEN_MS
from cardtable.table.readers import CAME, LEFT
from cardtable.table.tags import ARBITER_KEY

from tests.app.fake_parts import Parts

DEAL = (("6S", "7S"), ("6H", "7H"), ("6D", "7D"), ("8S", "9S"), ("8H", "9H"), ("8D", "9C"))
OK, NO, CALL, MENU = range(4)


class Table:
    """Two seats, at places 3 and 5 of the table; a third one would be at place 6."""

    def __init__(self, game="durak throw-in", seats="Anna; Boris"):
        places = "places: 3 5 6"[: 9 + 2 * seats.count(";")]
        lines = ["cardtable 1", "game: " + game, "seats: " + seats, "dealer: 2", "first: 1", places, ""]
        header, _ = read_header(iter([line + "\n" for line in lines]))
        self.parts = Parts(header.game[0])
        session = Session(find_game(header.game[0]), header)
        self.controller = self.parts.time.during(Controller, session, header, self.parts)
        self.remembered = []  # what the table was to propose next: one entry for each time (D45)
        self.controller.judging.remember_next = lambda: self.remembered.append(self.controller.session.result())
        self.parts.time.during(self.controller.start)
        self.step(0)

    def step(self, ms=10):
        self.parts.time.now_ms += ms
        self.parts.time.during(self.controller.step)

    def sweep(self):
        """A step with which a sweep of the readers begins."""
        self.parts.readers.sweeps += 1
        self.step()

    def come(self, place, card):
        self.parts.post(CAME, place, card)
        self.step()

    def leave(self, place, card):
        self.parts.post(LEFT, place, card)
        self.step()

    def tap(self, place, card):
        self.come(place, card)
        self.leave(place, card)

    def press(self, place, key):
        self.parts.buttons.presses.append(4 * (place - 1) + key)
        self.sweep()

    def deal(self):
        for first, second in DEAL:
            self.tap(3, first)
            self.tap(5, second)
        self.tap(5, "AC")
        self.step(GREEN_MS)

    def light(self, place):
        return self.parts.lights.means[place - 1]

    def row(self, number):
        return self.parts.glass.rows[number]

    def journal(self):
        return [line.partition(" ")[2] for line in self.parts.journal.lines[1:]]


def use_key(table: Table, place: int) -> None:
    """Tap the arbiter's key there."""
    for what in (CAME, LEFT):
        table.parts.readers.posts.append((what, place, ARBITER_KEY))
        table.step()
