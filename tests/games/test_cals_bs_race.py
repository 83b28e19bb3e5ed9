"""Cal's BS, the race for the last set (C5): seven seats press within one scan, and each press is judged in its turn."""

import sys

from tests.games.cals_bs_table import deal, lay

from cardtable.engine.event import Event, find_verb
from cardtable.engine.state import OWN, State
from host_tools.base.random_play import Random

SEATS = 7
RACES = 500 if sys.implementation.name == "micropython" else 10000
SEVEN = 5  # the rank that is claimed
PASS, DOUBT, FOLLOW, ASK = range(4)
USUAL = (DOUBT, DOUBT, FOLLOW, FOLLOW, FOLLOW, PASS, PASS, ASK)
LEADER, LAST = OWN + 16, OWN + 17  # where the module keeps them
ENOUGH = 50  # different ways in which the races ended


def start(leader: int, followers: tuple):
    """Seat `leader` has laid two sevens, the followers sets on them; every seat has staged what it could lay next."""
    hands = ["7S 7H 2S 2H", "7D 3S 3H 3D", "4S 4H 4D 4C", "5S 5H 5D 5C", "6S 6H 6D 6C", "8S 8H XB XR", None]
    table = deal("cals-bs", *hands, first=leader)
    lay(table, leader, " ".join(table.cards("hand%d" % leader)[:2]), "claim 7")
    for seat in followers:
        lay(table, seat, table.cards("hand%d" % seat)[0], "claim 7")
    for seat in range(1, SEATS + 1):
        table.talk("%d lay %s" % (seat, table.cards("hand%d" % seat)[0]))
    return table


class Expected:
    """C5 to C8 by themselves: who may do what when presses come one after the other; it knows no card."""

    def __init__(self, last: int, leader: int, is_true: bool, staged_true: int):
        """last: who laid the last set; leader: who led; staged_true: a bit for each seat whose staged cards are what it
        would claim."""
        self.last = last
        self.leader = leader
        self.is_true = is_true
        self.staged_true = staged_true
        self.passed = 0
        self.asked = False

    def press(self, seat: int, what: int) -> str:
        """The rules of the refusal, or nothing."""
        if not self.last:
            if what == FOLLOW:
                return self.lead(seat)
            if what == PASS:
                return "C4" if seat == self.leader else "C5"
            return "C7" if what == DOUBT else "C10"
        if what == ASK:
            if seat != self.last or self.asked:
                return "C10"
            self.asked = True
        elif seat == self.last:
            return "C8" if what == FOLLOW else "C5"
        elif self.passed >> seat & 1:
            return "C6"
        elif what == PASS:
            self.passed |= 1 << seat
            if self.passed | 1 << self.last == 254:
                self.leader = self.last
                self.last = 0
        elif what == DOUBT:
            self.leader = self.last if self.is_true else seat
            self.last = 0
        else:
            self.lay(seat)
        return ""

    def lead(self, seat: int) -> str:
        """The leader may lay at once what it had staged."""
        if seat != self.leader:
            return "C4"
        self.lay(seat)
        return ""

    def lay(self, seat: int):
        """What was staged is the last set now."""
        self.last = seat
        self.is_true = self.staged_true >> seat & 1 > 0
        self.passed = 0
        self.asked = False


class Race:
    """One table, brought back to the same moment again and again."""

    def __init__(self, leader: int, followers: tuple):
        self.table = start(leader, followers)
        self.session = self.table.session
        self.game = self.table.game
        self.saved = self.session.state.save()
        self.last = followers[-1] if followers else leader
        self.staged_true = 0
        for seat in range(1, SEATS + 1):
            if self.table.cards("staged%d" % seat)[0][0] in "7X":
                self.staged_true |= 1 << seat
        self.is_true = not [name for name in self.table.cards("set") if name[0] not in "7X"]
        self.verbs = [find_verb(self.game, name) for name in ("pass", "doubt", "claim", "ask")]
        self.event = Event()

    def sort(self, presses: list) -> list:
        """C5 (decided): of one scan the seat clockwise from the last player to lay comes first."""
        first = self.game.press_first(self.session.state)
        return sorted(presses, key=lambda press: (press[0] - first) % SEATS)

    def run(self, presses: list) -> list:
        """What becomes of each press, in the order in which they are judged: (seat, rule or nothing)."""
        self.session.state.load(self.saved)
        expected = Expected(self.last, self.session.state.register[LEADER], self.is_true, self.staged_true)
        told = []
        for seat, what in self.sort(presses):
            event = self.event
            event.seat = seat
            event.verb = self.verbs[what]
            event.target = SEVEN if what == FOLLOW else 0
            event.at_ms = self.table.event.at_ms + 1000
            verdict = self.session.play(event)
            rule = "C%d" % (verdict >> 3) if verdict else ""
            wanted = expected.press(seat, what)
            assert rule == wanted, "%s: seat %d, press %d: %s, not %s" % (presses, seat, what, rule, wanted)
            told.append((seat, rule))
        register = self.session.state.register
        assert len(told) == len(presses)
        assert register[LAST] == expected.last and register[LEADER] == expected.leader
        return told


def test_c5_seven_seats_press_within_one_scan():
    """C5: whatever the order in which presses were found: none is lost, and the table resolves them as C5 says."""
    random = Random(5)
    outcomes = set()
    for leader, followers in ((1, ()), (3, (5,)), (7, (2, 1)), (6, (7,))):
        race = Race(leader, followers)
        again = State(race.game.CARDS, race.game.REGISTERS)
        for _ in range(RACES // 4):
            # Most presses are doubts and sets: that is what a race is about.
            presses = [(seat, USUAL[random.below(8)]) for seat in range(1, SEATS + 1)]
            random.shuffle(presses)
            told = race.run(presses)
            assert not race.game.audit(race.session.state)
            again.copy(race.session.state)
            random.shuffle(presses)
            assert race.run(presses) == told and again.is_equal(race.session.state), "the order of finding decides"
            if len(outcomes) < ENOUGH:
                outcomes.add("".join([rule or "+" for _, rule in told]))
    assert len(outcomes) == ENOUGH


def test_c5_the_first_press_wins():
    """C5: of two doubts of one scan the one nearer clockwise to the last to lay; the other is refused."""
    race = Race(3, (5,))
    assert race.run([(2, DOUBT), (6, DOUBT)]) == [(6, ""), (2, "C7")]
    assert race.run([(4, DOUBT), (5, ASK), (1, FOLLOW)]) == [(1, ""), (4, ""), (5, "C10")]
    assert race.run([(5, FOLLOW), (6, PASS), (4, DOUBT)]) == [(6, ""), (4, ""), (5, "C4")]


def test_c6_c8_the_last_of_seven_passes_and_the_last_to_lay_presses_too():
    """C8 within one scan: six passes, then the press of who laid comes last and leads."""
    race = Race(1, ())
    presses = [(seat, PASS) for seat in range(2, 8)] + [(1, FOLLOW)]
    assert race.run(presses) == [(seat, "") for seat in range(2, 8)] + [(1, "")]
