"""Reasons by intent (docs/refusals.md): no other meaning of a tap or a press would have told something nearer.

CARDTABLE_GAMES=2000 CARDTABLE_SEED=10001 walks through so many other games (tests/games/random_games.py).
"""

import pytest

from cardtable.engine.deck import RANK, SUIT
from cardtable.engine.event import DRAW, OWN_VERB, PAIR, Event, pack, unpack
from cardtable.engine.state import DEAL, HAND, STOCK, State
from cardtable.engine.verdict import words_key
from cardtable.games import durak, malice
from cardtable.table.words import Words, list_languages
from host_tools.judge import situations
from tests.games.random_games import count_games, first_seed

LOOKED = count_games(30, 30)  # games of each kind
FIRST = 2000 + first_seed()
# What a sentence tells a player to do. A seat that the table waits for is not told to wait, nor another one to act.
WAIT = {
    "durak": "D3.4 D7.2 D12 D12.1 D13.1 D13.4 D16 D16.1 D16.2 D16.3 D16.5 D21.2 D24.1 D24.3 D34 T3.1",
    "bailiff": "B4 B11.1 B11.3 T3.1",
    "cals-bs": "C4 C5.3 C5.4 C5.5 C6 C7.2 C8 C10.1 T3.1",
    "malice": "M12 M2.1 T3.1",
}
ACT = {
    "durak": "D3 D4 D5 D7 D7.3 D7.4 D7.5 D8 D8.1 D10 D11 D12.4 D12.5 D13.3 D16.4 D16.6 D24 D26.3 D28 D31.1 D3.3"
    " T2.3 T2.5",
    "bailiff": "B3 B5 B5.1 B7 B7.1 B7.2 B7.3 B11 T2.3 T2.5",
    "cals-bs": "C4.1 C4.2 C5.1 C7.1 C11 C14.3 T2.5",
    "malice": "M4 M7 M8 M9 M10 M5 M5.1 M6.1 T2.5",
}


DISCARD = 2  # face down in every game that has one
# Refusals that name the very card that may be laid, or say that none may.
POINTS = ("M8", "D8.1")


def hypothetical_hands(look, seat):
    """{card: the state if that card were in the seat's hand instead of another}, of cards that do not lie open."""
    found = {}
    given = look.state.where.find(bytes([HAND + seat]))
    for card in range(look.game.CARDS):
        place = look.state.where[card]
        if place in (STOCK, DISCARD) or HAND < place < HAND + 8:
            found[card] = State(look.game.CARDS, look.game.REGISTERS)
            found[card].copy(look.state)
            if place != HAND + seat:
                found[card].where[given], found[card].where[card] = place, HAND + seat
                look.game.recount(found[card])
    return found


def tapped_events(game, state):
    """(verb, target) of all that a tap can say in this game: with each target that lies on the table, or each pile."""
    said = [(DRAW, 0)]
    for index, (_, kinds, key) in enumerate(game.VERBS):
        if key == "TAP" and game.has_verb(state, OWN_VERB + index):
            targets = [0]
            if kinds == PAIR:
                targets = [card for card in range(game.CARDS) if state.where[card] >= HAND + 8]
            elif len(kinds) > 1:
                targets = [1, 2, 3, 4]
            said += [(OWN_VERB + index, target) for target in targets]
    return said


class Oracle:
    """What lies nearest to a tap in one state, asked of the judge alone: which other cards would have done it?"""

    def __init__(self, look, seat):
        self.look = look
        self.game = look.game
        hands = hypothetical_hands(look, seat)
        self.seat = seat
        self.is_blind = look.game.offers_blindly(look.state)  # D43: the order follows from the table alone
        self.fits = {}
        event = Event()
        for verb, target in tapped_events(self.game, look.state):
            self.fits[verb, target] = {
                card for card, state in hands.items()
                if not self.game.judge(state, unpack(pack(verb, card, target), seat, look.now_ms, event))
            }

    def near(self, verb, card, target):
        """How near the meaning is to the card: the rank that goes there, its suit, any other; 0: none does."""
        kinds = self.game.VERBS[verb - OWN_VERB][1] if verb >= OWN_VERB else ""
        name = self.game.VERBS[verb - OWN_VERB][0] if verb >= OWN_VERB else ""
        state, register = self.look.state, self.look.state.register
        is_due = self.game is durak and register[durak._DEFENDER] == self.seat
        if name == "transfer" and is_due and not self.is_blind and self.is_rank_of_attack(card):
            return 3
        if name == "centre" and not malice.judge_follow(register, card, register[malice._HEIGHTS + target]):
            return 3
        fits = self.fits[verb, target]
        is_open = kinds == PAIR and is_due and not self.is_blind and durak.is_unbeaten(state, target)
        if is_open and SUIT[card] == SUIT[target]:
            return 2
        return 1 if fits else 0

    def is_rank_of_attack(self, card):
        """D26, D31: whether the card has the rank that transfers now: while nothing is beaten that of the attack; then,
        with late_transfer, that of the last card laid, if it came after the first beat and is unbeaten; else none. A
        trump on the table (D29) forbids the transfer and changes no rank."""
        register = self.look.state.register
        lying = [register[durak._LIES + slot] for slot in range(register[durak._ATTACKS])]
        beaten = [target for target in lying if not durak.is_unbeaten(self.look.state, target)]
        if not lying or not beaten:
            return bool(lying) and RANK[card] == RANK[lying[0]]
        is_late = register[durak._LATE_TRANSFER] and len(lying) > register[durak._FIRST_BEAT]
        return bool(is_late) and lying[-1] not in beaten and RANK[card] == RANK[lying[-1]]


@pytest.mark.parametrize("name", situations.list_games())
def test_t6_no_other_meaning_of_a_tap_would_have_told_something_nearer(name):
    """T6: the reason is that of the meaning that fits the card best: its rank, its suit, what the table asks for."""
    taps = 0
    for look in situations.looks(name, LOOKED, first=FIRST):
        if look.session.is_over() or look.state.register[DEAL]:
            continue
        for seat in range(1, look.play.seats + 1):
            mine = [card for card in range(look.game.CARDS) if look.state.where[card] == HAND + seat]
            oracle = Oracle(look, seat) if mine and look.waited[seat] else None
            for card in mine if oracle else ():
                said = look.try_tap(seat, card)
                if said:
                    taps += 1
                    near = {(verb, target): oracle.near(verb, card, target) for verb, target in oracle.fits}
                    best = max(near.values())
                    verdict = look.judge(seat, said)
                    key = words_key(look.game, verdict)
                    # Another meaning may be told in the very same words.
                    told = max(n for (v, t), n in near.items() if look.judge(seat, pack(v, card, t)) == verdict)
                    assert told == best or key in POINTS, f"seat {seat}, card {card}: {key} of {told}, not {best}"
    assert taps > (100 if name in WAIT and name != "cals-bs" else 0), taps


@pytest.mark.parametrize("name", situations.list_games())
def test_t6_who_is_asked_is_told_to_act_and_who_is_not_to_wait(name):
    """T6: no sentence contradicts the prompt of its seat."""
    told = {row for look in situations.looks(name, LOOKED, first=FIRST + 1000) for row in look.rows()}
    for row in told:
        assert not (row.asked and row.key in WAIT.get(name, "").split()), row
        assert row.asked or row.key not in ACT.get(name, "").split(), row
    if name in WAIT:  # a new game is whole without its rows here
        assert len({row.key for row in told} & set(WAIT[name].split() + ACT[name].split())) > 9


def test_t6_a_sentence_that_tells_to_wait_says_so():
    """T6: the words of both kinds are there, in every language."""
    for kinds in (WAIT, ACT):
        for name, keys in kinds.items():
            for language in list_languages():
                words = Words(name, language)
                assert all(words.find(key) != key for key in keys.split())


def test_t6_the_page_of_refusals_is_up_to_date():
    """T6: docs/refusals.md is what `cardtable rules --refusals` writes now, in English and Russian."""
    assert situations.PAGE.read_text(encoding="utf-8") == situations.write_page(situations.list_rows())
