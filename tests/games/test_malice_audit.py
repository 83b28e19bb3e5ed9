"""Malice: what cannot be (audit), and what the arbiter may correct (T10)."""

import micropython

from cardtable.engine.event import Event, unpack
from cardtable.engine.state import OWN, find_place
from tests.games.malice_table import LEFT, deal
from tests.games.random_games import Refused, start_game
from tests.games.table_talk import Table

PILES_UP = OWN + 271  # how many centre piles stand (games/malice.py)


def test_t10_the_arbiter_may_put_a_card_where_it_belongs():
    """T10: hands, side piles (on top), the centre (the next rank), the stock, a payoff card known to be in a pile."""
    table = deal("9S2 8S2", "QH2", centre="3 0 0 0")
    table.talk("""
        0 place 9S2 hand2 / = hand 1 8S2
        0 place 8S2 side2.3 / 0 place 7S2 side2.3 / 0 place 8S2 stock / = lies side2.3 7S2
        0 place 4S2 centre1 / 0 place 6S2 centre1 ! T10 / 0 place 2S2 centre1 ! T10 / 0 place 4H2 centre1 ! T10
        0 place 5S payoff2 / 0 place 5S centre1 / = lies centre1 AC2 2C2 3C2 4S2 5S
        0 place XB centre2 / 0 place XB stock
    """)
    assert table.state.register[LEFT + 2] == 25


def test_t10_m14_a_king_completes_the_pile():
    """T10, M14: also when the arbiter puts it there."""
    table = deal("9S2", "QH2", centre="12 0 0 0")
    table.talk("0 place KH2 centre1 / = lies centre1")


def test_t10_a_card_of_the_middle_of_a_side_pile():
    """T10, M9: the others stay on each other."""
    table = deal("9S2", "QH2", sides="1.1 9C2 9D2 8C2 8D2")
    table.talk("0 place 9D2 stock / = lies side1.1 9C2 8C2 8D2 / 0 place 8D2 stock / 0 place 9C2 stock")
    table.talk("1 side 9S2 1 ! M9 / 0 place 8C2 stock / 1 side 9S2 1")


def test_t10_a_payoff_card_that_nobody_has_seen_leaves_no_pile():
    """T10, T1: nobody could say which pile has one less; known to be in one, it may."""
    table = deal("9S2", "QH2")
    table.talk("0 place 5S hand1 ! T10 / 0 place 5S stock ! T10 / 0 place 5S payoff1 / 0 place 5S payoff ! T10")
    table.talk("0 place 5S stock")
    assert table.state.register[LEFT + 1] == 25


def test_t10_only_first_deck_cards_lie_in_payoff_piles():
    """T10, M1."""
    table = deal("9S2", "QH2")
    table.talk("0 place 9S2 payoff1 ! T10 / 0 place XB payoff1 ! T10 / 0 place 5S2 turned1 ! T10")
    table.talk("0 place 5S turned1 ! T10 / 0 place KS payoff1 / = waits 1 flip / 1 flip KS")


def test_t10_the_last_payoff_card_ends_the_game_by_being_laid():
    """T10, M15: the arbiter's word cannot take it away."""
    table = deal("9S2", "QH2", left="1 5")
    table.talk("0 place KS stock ! T10")


def test_t10_who_is_due_to_draw_stays_due():
    """T10, M4, M3: the arbiter cannot put the last card that is due into a hand."""
    table = deal("9S2", "QH2 QD2 QC2 QS2")
    table.talk("1 side 9S2 1 / = waits 2 draw / 0 place 3S2 hand2 ! T10 / 0 place QD2 stock / 0 place 3S2 hand2")
    table = Table("malice", 2)
    table.talk("0 place 3S2 hand1 ! T10 / 1 flip KS / 0 place QS turned2 ! T10 / 2 flip QS / 0 place 3S2 hand1")


def test_t1_audit_names_what_cannot_be():
    """T1: a bit for each."""
    game = deal("9S2", "QH2").game
    for change, bit in (
        (lambda state: write(state.where, 60, 7), 1),
        (lambda state: write(state.where, 60, 11), 1),
        (lambda state: write(state.where, 60, 2), 1),
        (lambda state: write(state.where, 3, 5), 1),  # a payoff pile of a seat that does not play
        (lambda state: write(state.where, 60, 28), 1),
        (lambda state: write(state.where, 3, 36), 2),
        (lambda state: write(state.register, LEFT + 1, 25), 4),
        (lambda state: write(state.register, OWN + 13, 60), 8),
        (lambda state: write(state.where, 60, 20), 8),
        (lambda state: write(state.where, 60, 16), 16),
        (lambda state: write(state.register, OWN + 1, 3), 32),
        (lambda state: write(state.register, OWN + 2, 1), 32),
        (lambda state: write(state.register, OWN, 0), 32),
        (lambda state: write(state.register, LEFT + 1, 0), 64),
    ):  # fmt: skip
        state = deal("9S2 3S2 4S2 5S2 6S2", "QH2").state
        assert game.audit(state) == 0
        change(state)
        assert game.audit(state) & bit, bit


def write(row: bytearray, at: int, value: int):
    """One byte."""
    row[at] = value


def test_judging_and_enacting_allocate_nothing():
    """DESIGN: nothing that allocates where a move is judged (MicroPython, heap locked)."""
    lock = getattr(micropython, "heap_lock", int)
    unlock = getattr(micropython, "heap_unlock", int)
    tried = Event()
    for seed in (3, 11, 12):
        play = start_game(Table("malice", 2).game, seed, Refused())
        session = play.session
        judged = 0
        while judged < 3000 and not session.is_over() and play.choose():
            for verb in (1, 16, 17, 18, 19):
                unpack(verb << 16 | play.random.below(108) << 8 | play.random.below(6), 1 + judged % 2, 0, tried)
                lock()
                session.judge(tried)
                unlock()
                judged += 1
            lock()
            verdict = session.play(play.event)
            unlock()
            assert not verdict
        assert judged > 100


def test_t1_audit_looks_at_every_side_pile():
    """T1, M9: a card that is gone from the midst of a pile, in the first pile and in the last."""
    found = []
    for pile in ("1.1", "2.4"):
        table = deal("9S2", "QH2", sides=pile + " 8C2 7C2")
        assert table.game.audit(table.state) == 0
        table.state.where[table.state.where.find(find_place(table.game, "side" + pile))] = 1
        found.append(table.game.audit(table.state))
    assert found[0] == found[1] > 0


def test_t1_audit_counts_the_centre_piles():
    """T1, M10: how many of them stand."""
    table = deal("9S2", "QH2", centre="3 0 1 0")
    assert table.state.register[PILES_UP] == 2 and table.game.audit(table.state) == 0
    table.state.register[PILES_UP] = 3
    assert table.game.audit(table.state)


def test_t10_in_the_deal_no_hand_has_six():
    """T10, M3: though the other has not got its five yet."""
    table = Table("malice", 2)
    table.talk("1 flip KS / 2 flip QS")
    for name in ("4S2", "5S2", "6S2", "7S2", "8S2"):
        table.talk("1 draw " + name)
    table.talk("2 draw 4H2 / 0 place 9S2 hand1 ! T10 / 0 place 9S2 hand2")
