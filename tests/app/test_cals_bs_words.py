"""Cal's BS at a seat's buttons: every word of a set is at most three presses away, besides the steps of MENU."""

import os

from cardtable.engine.deck import ACE, RANK, RANKS
from cardtable.engine.event import (
    MENU_KEY,
    NO_CARD,
    OK_KEY,
    PACKED,
    SEAT_BITS,
    UNDO,
    Event,
    find_verb,
    pack,
    unpack,
    verb_name,
)
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.session import Session
from cardtable.engine.state import HAND, SEATS
from cardtable.games import cals_bs
from cardtable.play.seats import Seat, menu_verbs
from cardtable.table.keypad import HOLD_MS, REPEAT_MS

from host_tools.base.random_play import Random, RandomGame, make_header
from host_tools.judge.replay.core import Lines
from tests.games.random_games import count_games, first_seed

RECORDS = __file__.rsplit("/", 2)[0] + "/records/cals-bs/"
WORDS = [find_verb(cals_bs, name) for name in ("claim", "fours", "plus", "out")]
CLAIM, FOURS, PLUS, OUT = WORDS
PRESSES = 3
NOW_MS = 1000


class Player:
    """Presses the buttons of one seat, and reads what the bottom line of the screen says; nothing is enacted."""

    def __init__(self, session, number: int, at_ms: int):
        self.session = session
        self.at_ms = at_ms
        self.said = []  # (packed, verdict)
        self.seat = Seat(number, session, self.ask)
        self.presses = 0  # that are no steps

    def ask(self, number: int, packed: int) -> int:
        return self.session.judge(unpack(packed, number, self.at_ms, Event()))

    def press(self, key: int) -> None:
        self.presses += 1
        said = self.seat.press(key, NOW_MS)
        if said:
            self.said.append((said & PACKED, self.ask(said >> SEAT_BITS, said & PACKED)))

    def hold_menu(self, wanted: tuple, is_open: bool) -> None:
        """Hold MENU until the bottom line says it; opening the menu is a press, all else are steps."""
        if not is_open:
            self.press(MENU_KEY)
        elif self.seat.prompt() != wanted:
            self.seat.press(MENU_KEY, NOW_MS)
        held_ms = HOLD_MS
        while self.seat.prompt() != wanted:
            assert held_ms < 10000, (wanted, "is nowhere")
            assert self.seat.repeat(held_ms, NOW_MS + held_ms)
            held_ms += REPEAT_MS

    def speak(self, verb: int, value: int) -> None:
        """As docs/table.md says: OK is the word of a set, all else is in the menu; so is that as long as OK agrees."""
        name = verb_name(cals_bs, verb)
        if verb == cals_bs.button(self.session.state, self.seat.number, OK_KEY) and not self.session.undo_seat:
            self.press(OK_KEY)
        else:
            self.hold_menu((name, ""), False)
            self.press(OK_KEY)
        if not self.said:
            self.hold_menu((name, RANKS[value] if verb == CLAIM else str(value)), True)
            self.press(OK_KEY)


def check_word(session, number: int, verb: int, value: int, at_ms: int) -> None:
    """The seat can say this, and its player needs no more presses than that."""
    player = Player(session, number, at_ms)
    player.speak(verb, value)
    assert player.said == [(pack(verb, NO_CARD, value), 0)], (verb_name(cals_bs, verb), value, player.said)
    assert player.presses <= PRESSES and not player.seat.is_choosing()


def check_words(session, at_ms: int, seen: dict) -> None:
    """Every legal word of every seat; how many of each were seen."""
    moves = []
    for number in range(1, session.state.register[SEATS] + 1):
        moves.clear()
        cals_bs.moves(session.state, number, at_ms, moves)
        for packed in moves:
            verb = packed >> 16
            if verb in WORDS:
                check_word(session, number, verb, packed & 255, at_ms)
                seen[verb] = seen.get(verb, 0) + 1


def start(seed: int) -> RandomGame:
    """A random game, dealt."""
    play = RandomGame(cals_bs, make_header("cals-bs " + cals_bs.PRESETS[seed % 3][0], 3 + seed % 5), Random(seed))
    while cals_bs.is_dealing(play.session.state):
        assert play.step()
    return play


def enact(session, number: int, name: str, card: int = NO_CARD, target: int = 0) -> None:
    """Let it happen; it is accepted."""
    verb = UNDO if name == "undo" else find_verb(cals_bs, name)
    assert not session.play(unpack(pack(verb, card, target), number, NOW_MS, Event())), (number, name, card, target)


def stage_fours(session, number: int, rank: int) -> None:
    """The seat comes by all cards of the rank, each for another one of its hand, and taps them."""
    where = session.state.where
    for card in range(cals_bs.CARDS):
        if where[card] and RANK[card] == rank:
            other = where.find(HAND + number)
            while RANK[other] == rank:
                other = where.find(HAND + number, other + 1)
            where[other], where[card] = where[card], where[other]
            enact(session, number, "lay", card)


def test_every_word_of_the_records_is_three_presses_away():
    """What was said in any recorded game, and what could have been said instead."""
    seen = {}
    for name in sorted(os.listdir(RECORDS)):
        event = Event()
        with open(RECORDS + name, "rb") as source:
            lines = Lines(source)
            session = Session(cals_bs, read_header(lines.header())[0])
            line = lines.read_text()
            while line is not None and not line.startswith("result:"):
                if line.strip() and line[0] not in ";~" and not read_event(cals_bs, line, lines.number, event):
                    if event.verb in WORDS:
                        check_words(session, event.at_ms, seen)
                        check_word(session, event.seat, event.verb, event.target, event.at_ms)
                    assert not session.play(event)
                line = lines.read_text()
    assert sorted(seen) == WORDS


def test_every_word_of_random_games_is_three_presses_away():
    """With all that players stage, claim, doubt and take."""
    seen = {}
    for seed in range(first_seed(), first_seed() + count_games(6, 2)):
        play = start(seed)
        while play.step():
            check_words(play.session, play.event.at_ms, seen)
    assert seen[CLAIM] and seen[OUT]


def test_c12_c13_all_fours_and_every_plus_are_three_presses_away():
    """Random hands with one or two whole sets; then the first plus, one while an undo is asked, and the next plus."""
    seen = {}
    for seed in range(first_seed(), first_seed() + count_games(60, 15)):
        play = start(seed)
        session = play.session
        leader = cals_bs.press_first(session.state) - 1 or play.seats
        stage_fours(session, leader, play.random.below(9))
        if play.seats < 5 and not play.random.below(3):
            stage_fours(session, leader, ACE)
        for number in range(1, play.seats + 1):
            if number != leader:
                enact(session, number, "lay", session.state.where.find(HAND + number))
        check_words(session, NOW_MS, seen)
        enact(session, leader, "fours")
        check_words(session, NOW_MS, seen)
        enact(session, leader, "undo")
        check_words(session, NOW_MS, seen)
        follower = leader % play.seats + 1
        moves = []
        cals_bs.moves(session.state, follower, NOW_MS, moves)
        said = [packed for packed in moves if packed >> 16 == PLUS]
        if said:  # not on several sets (C13b)
            enact(session, follower, "plus", NO_CARD, said[play.random.below(len(said))] & 255)
            check_words(session, NOW_MS, seen)
    assert seen[FOURS] and seen[PLUS] > seen[FOURS]


def test_menu_that_is_held_steps_to_every_word():
    """One press that is not let go of: through the whole menu, and through all that a plus can say."""
    play = start(1)  # cals-bs-plus
    session = play.session
    leader = cals_bs.press_first(session.state) - 1 or play.seats
    stage_fours(session, leader, 5)
    enact(session, leader, "fours")
    player = Player(session, leader, NOW_MS)
    for key, count in ((MENU_KEY, len(menu_verbs(session, False))), (OK_KEY, 12)):
        player.seat.drop()
        player.seat.press(key, NOW_MS)
        steps = [held_ms for held_ms in range(0, HOLD_MS + count * REPEAT_MS, 10)
                 if player.seat.repeat(held_ms, NOW_MS + held_ms)]
        assert steps == [HOLD_MS + REPEAT_MS * step for step in range(count)]
        assert player.seat.index == 0, "once around"
    assert player.said == []
