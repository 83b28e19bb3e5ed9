"""Random evenings at the controller, with faults, undos and the arbiter's key: what the record gives back after a power
cut is the state that was lost, and the clocks (T8, T9, T13)."""

import random

from cardtable.between import resume
from cardtable.between.take_up import go_on
from cardtable.catalogue import find_game
from cardtable.engine.deck import STRANGER
from cardtable.engine.session import Session
from cardtable.play.controller import Controller
from cardtable.play.turns import Turns
from cardtable.table.readers import CAME, LEFT
from cardtable.table.tags import ARBITER_KEY

from tests.app.fake_flash import Flash
from tests.app.fake_parts import Parts
from tests.app.fake_table import Table
from tests.app.test_resume import find, played

RUNS_ON = "cpython"  # two games are in memory at one time

GAMES = (
    "durak throw-in clock=10 bank=60", "durak transfer deal=counted clock=20", "durak throw-in cheating=2 bank=40",
    "cals-bs handicap=1:2.0 clock=15", "bailiff clock=12 bank=30", "malice clock=20",
)
STEP_MS = 100  # a real table steps more often
ALIKE_MS = 500  # what the steps in which events, faults and undos fall make of the clocks
CUT_EVERY = 40  # deeds


class Evening:
    """One game, and people who do anything."""

    def __init__(self, what, seed):
        self.rng = random.Random(seed)
        self.table = Table(what)
        self.lies = {}  # place -> card

    def run(self, ms):
        while ms > 0:
            self.table.step(min(STEP_MS, ms))
            ms -= STEP_MS

    def do(self):
        """Something that people do, or that breaks."""
        rng, table = self.rng, self.table
        place = rng.choice(table.controller.header.places)
        chance = rng.random()
        if chance < 0.5:
            self.lay(place)
        elif chance < 0.9:
            table.press(place, rng.choices(range(4), [5, 2, 1, 3])[0])
        elif chance < 0.94:
            table.parts.readers.faulty = rng.choice([1, 1 << place - 1, 127])
            self.run(rng.choice([300, 3_000, 40_000]))
            table.parts.readers.faulty = 0
        elif chance < 0.96:
            table.parts.journal.is_full = True
            self.run(1_200)
            table.parts.journal.is_full = False
        else:
            self.run(rng.choice([500, 9_000, 31_000]))

    def lay(self, place):
        """Most often a card that the seat may play."""
        rng, table = self.rng, self.table
        controller = table.controller
        session, readers = controller.session, table.parts.readers
        if place in self.lies:
            readers.posts.append((LEFT, place, self.lies[place]))
        moves = []
        session.game.moves(session.state, controller.header.places.index(place) + 1, controller.display.now_ms, moves)
        cards = [packed >> 8 & 255 for packed in moves if packed >> 8 & 255 < session.game.CARDS]
        if rng.random() < 0.9 and cards:
            card = rng.choice(cards)
        else:
            card = rng.choice([ARBITER_KEY, STRANGER] + [card for card in range(36) if session.state.where[card]])
        readers.uids[place] = bytes(10)
        readers.posts.append((CAME, place, card))
        self.lies[place] = card
        table.step(rng.choice([10, 50, 100]))

    def cut(self):
        """Everything is repaired, then the power goes and comes back; (what stood there, what stands there now)."""
        table = self.table
        self.run(2_000)  # the flash is tried again, and late lines are written
        before = table.controller
        header = before.header
        flash = played(table.parts.journal.lines[1:], Flash(), header)
        resumed, damaged = find(flash, header)
        assert resumed is not None and damaged is None
        turns = Turns(Session(find_game(header.game[0]), resumed.header))
        flash.during(list, resume.replay(resumed, turns.session, turns))
        stood = turns.session, list(turns.left_ms)
        parts = Parts(header.game[0])
        parts.time.now_ms = table.parts.time.now_ms + 5_000
        parts.journal.lines = list(table.parts.journal.lines)
        table.parts = parts
        table.controller = parts.time.during(Controller, turns.session, header, parts, turns)
        parts.time.during(go_on, resumed, table.controller)
        parts.readers.resting = 0
        self.lies.clear()
        return before, stood


def test_t8_t9_what_the_record_gives_back_is_what_was_lost():
    """State and clocks, over random games with cuts in each."""
    cuts = timed = 0
    for seed in range(2 * len(GAMES)):
        what = GAMES[seed % len(GAMES)]
        evening = Evening(what, seed)
        for deed in range(1, 6 * CUT_EVERY):
            evening.do()
            if evening.table.controller.session.is_over():
                break
            if deed % CUT_EVERY == 0:
                before, (session, left_ms) = evening.cut()
                cuts += 1
                assert session.state.is_equal(before.session.state), (what, seed, deed)
                for seat in range(1, 3):
                    used_ms = before.turns.left_ms[seat] - left_ms[seat]
                    # Time behind the last line is not in the record, and counts for no seat.
                    assert used_ms < ALIKE_MS, (what, seed, deed, seat)
                    timed += before.turns.has_bank and left_ms[seat] < 30_000
    assert cuts > 30 and timed > 5
