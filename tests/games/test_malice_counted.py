"""Malice with deal=counted: nobody taps deal and draws, and the table counts (T4)."""

from cardtable.engine.event import DRAW, NO_CARD, pack
from cardtable.engine.hands import count_hand, count_stock
from cardtable.engine.session import Session
from cardtable.engine.state import UNSEEN
from host_tools.base.random_play import Random, RandomGame, make_header
from tests.games.random_games import IS_SMALL
from tests.games.table_talk import Table

END = 19

def counted(options: str = "", turned: str = "KS QS") -> Table:
    """Both have turned their first payoff card, and so the first turn has begun."""
    table = Table(("malice malice deal=counted " + options).strip(), 2)
    for seat in (1, 2):
        table.talk("%d flip %s" % (seat, turned.split()[seat - 1]))
    return table


def check_hands(table: Table, *counts):
    """How many cards each seat holds, and the stock."""
    found = [count_hand(table.state, 1), count_hand(table.state, 2), count_stock(table.state)]
    assert found == list(counts), found


def test_t4_flips_are_tapped_and_the_deal_is_not():
    """T4, M3: five cards each the moment the first seat is decided."""
    table = Table("malice malice deal=counted", 2)
    check_hands(table, 0, 0, 56)
    table.talk("= waits 1 opening, 2 opening / 1 draw 3S2 ! T4 / 1 flip 7S / 2 flip 7H / = waits 1 opening, 2 opening")
    table.talk("2 flip 8S / 1 flip 9S / = waits 1 play / 1 draw 3S2 ! T4")
    check_hands(table, 5, 5, 46)


def test_t4_a_card_becomes_known_when_it_is_tapped():
    """T4, T1: it is then from the hand of the seat that tapped it, and a card again that lies in one place."""
    table = counted()
    table.talk("1 centre AS2 2 / = lies centre2 AS2")
    check_hands(table, 4, 5, 46)
    table.talk("1 centre AS2 3 ! M6 / 1 side AS2 1 ! M9 / 1 side 9S2 3 / = lies side1.3 9S2")
    check_hands(table, 3, 5, 46)
    table.talk("= waits 2 play / 2 side 9S2 1 ! M9 / 2 side 9H2 1")
    check_hands(table, 5, 4, 44)


def test_t4_payoff_cards_are_no_cards_of_a_hand():
    """T4, T2: what lies in a payoff pile is in no hand."""
    table = counted()
    table.talk("1 side 9S 1 ! M9 / 1 centre AS 1 ! M6 / 1 side KS 1 ! M7 / 1 side QS 1 ! M9")


def test_t4_an_empty_hand_has_no_card_to_tap():
    """T4: only as many cards as the hand has unknown ones."""
    table = counted()
    for card, pile in (("AS2", 1), ("AH2", 2), ("AD2", 3), ("AC2", 4), ("2S2", 1)):
        table.talk("1 centre %s %s" % (card, pile))
    check_hands(table, 0, 5, 46)
    table.talk("1 centre 2H2 2 ! M6 / 1 side 9S2 1 ! M9 / = moves 1 end / 1 end")
    assert table.state.register[UNSEEN + 1] == 0 and table.state.register[UNSEEN + 2] == 5


def test_t4_draws_happen_when_they_are_due():
    """T4, M4: the seat has five again when its turn begins."""
    table = counted()
    table.talk("1 centre AS2 1 / 1 side 9S2 1 / 2 end / = waits 1 play")
    check_hands(table, 5, 5, 44)


def test_t4_m8_only_known_aces_are_judged():
    """T4, M8: an ace that nobody has tapped holds nobody up; one that lies open does."""
    table = counted(turned="AS QS")
    table.talk("2 end / 1 end ! M8 / 1 side 9S2 1 ! M8 / 1 centre AS 1 / 1 flip 4C / 1 end")
    table.talk("0 place AH2 hand2 / 2 end ! M8 / 2 centre AH2 2 / 2 end")


def test_t4_m4_refill():
    """T4, M4: refill=empty-hand: five more at once."""
    table = counted("refill=empty-hand")
    for card, pile in (("AS2", 1), ("AH2", 2), ("AD2", 3), ("AC2", 4), ("2S2", 1)):
        table.talk("1 centre %s %s" % (card, pile))
    check_hands(table, 5, 5, 41)


def test_t4_m14_a_full_pile_is_cards_that_may_be_in_a_hand():
    """T4, M14: they are in the stock again, and nobody knows who draws them."""
    table = counted(turned="QS JS")
    for height in range(11):
        table.talk("0 place %s2 centre1" % ("A23456789TJ"[height] + "S"))
    table.talk("1 centre QS 1 / 1 flip KD / 1 centre KD 1 / 1 flip KC / 1 side 9C2 1 / 2 side 9H2 1")
    table.talk("1 side QS 2 / = lies side1.2 QS")
    check_hands(table, 4, 5, 56 - 11 - 5 - 5 + 13 - 1 - 1)


def test_t4_m14_what_came_back_is_in_no_hand_that_has_not_drawn():
    """T4, T1, M14: the table knows that it lies in the stock, until the seat draws again; then it may be in that hand,
    and in as many places of it as were drawn."""
    table = counted(turned="QS JS")
    for height in range(11):
        table.talk("0 place %sS2 centre1" % "A23456789TJ"[height])
    table.talk("1 centre QS 1 / 1 flip KD / 1 centre KD 1 / 1 flip KC")
    table.talk("1 side KD 1 ! M9 / 1 centre AS2 1 ! M6 / 1 centre AH2 1 / 1 side 9C2 1")
    table.talk("= waits 2 play / 2 side KD 1 ! M9 / 2 side QC2 1")
    table.talk("= waits 1 play")  # two of its five cards were drawn since
    table.talk("1 centre 2S2 1 / 1 centre 3S2 1 / 1 centre 4S2 1 ! M6 / 1 centre 4H2 1 / 1 side QS 2 ! M9")
    table.talk("1 side QH2 2")


def test_t4_m14_old_cards_take_old_places():
    """T4: a card that was never back is taken for one that was drawn early, so that the new ones can still come."""
    table = counted(turned="QS JS")
    for height in range(11):
        table.talk("0 place %sS2 centre1" % "A23456789TJ"[height])
    table.talk("1 centre QS 1 / 1 flip KD / 1 centre KD 1 / 1 flip KC / 1 side 9C2 1 / 2 side 9H2 1")
    table.talk("0 place AH2 hand1 / 1 centre AH2 1 / 1 centre 2H2 1 / 1 centre 3H2 1 / 1 centre 4H2 1 / 1 side KD 2")
    table.talk("0 place 8S2 hand2 / 2 side 8S2 1")


def test_t4_an_undo_gives_the_unseen_card_back():
    """T4, T7: nobody knows it then."""
    table = counted()
    table.talk("1 side 9S2 1 / 1 undo / 2 agree / = lies side1.1 / 2 end ! M12")
    check_hands(table, 5, 5, 46)
    table.talk("1 side 8S2 1 / 2 side 9S2 1")


def test_t4_a_tap_means_what_a_card_of_the_hand_can_do():
    """T4: any card that nobody has seen may be in the hand; with no such card left the tap is refused as a draw."""
    table = counted()
    listed = []
    table.game.meanings(table.state, 1, 54, listed)
    assert [packed >> 16 for packed in listed] == [18] * 4 + [17] * 4
    table.state.register[UNSEEN + 1] = 0
    listed.clear()
    table.game.meanings(table.state, 1, 54, listed)
    assert listed == [pack(1, 54)] and NO_CARD not in listed


def test_t4_m16_ends_without_stock_and_cards():
    """T4, M16: an implied draw is a drawn card; at the very start nobody has drawn."""
    table = counted("stake=5")
    table.talk("1 end / 2 end / = result draw")
    table = counted()
    table.talk("1 side 9S2 1 / 2 end / = waits 1 play / 1 end / 2 end / = result / 1 end / = result draw")


def test_t4_the_view_tells_numbers_alone():
    """T4, M17: nothing of a hand that nobody has tapped."""
    table = counted()
    view = table.game.view(table.state, 1)
    assert view == table.game.view(table.state, 2) == table.game.view(table.state, 0)
    assert bytes([5, 5, 0, 0, 46]) in view


def test_t4_t10_the_arbiter_corrects_a_counted_game():
    """T10, T4, M8, M14: a card that is put into a hand was there unseen; it is known from then on."""
    table = counted("clock=30 bank=600")
    table.talk("""
        1 centre AS2 2 / 0 place 2S2 centre2 / 0 place 4S2 centre2 ! T10
        0 place 5S hand1 ! T10 / 0 place 5S payoff1 / 0 place 5S stock
        0 pause / 1 end ! T10 / 0 resume
        1 centre 3S2 2 / 0 place XR side1.4 / 1 centre XR 2 / 0 place 5S centre2
        0 place AH2 hand1 / 1 end ! M8 / 1 centre AH2 4
        1 side 9S2 4 / 2 side 9S2 4 ! M9 / 2 side 9H2 4
        0 lead 1 ! T4 / 1 abort ! T10 / 0 abort / = result aborted
    """)


def play_on(play: RandomGame) -> bool:
    """One event of a random game, mostly not an end of a turn: so it has many full piles. False at its end."""
    session = play.session
    if session.is_over() or play.events > 900:
        return False
    for _ in range(8):
        at_ms = play.event.at_ms
        assert play.choose()
        if play.event.verb != END:
            break
        play.event.at_ms = at_ms
    play.events += 1
    return not session.play(play.event)


def test_t4_what_happens_in_a_scanned_game_happens_in_a_counted_one():
    """T4, M14: the same cards without the draws: nothing that can be is refused, and all numbers are the same."""
    game = Table("malice", 2).game
    waited = bytearray(8)
    for seed in range(2 if IS_SMALL else 20):
        mix = "malice malice " + ("refill=empty-hand", "centre_cards=any", "stake=2")[seed % 3]
        scanned = RandomGame(game, make_header(mix, 2), Random(seed))
        counted = Session(game, make_header(mix + " deal=counted", 2))
        state = scanned.session.state
        while play_on(scanned):
            if scanned.event.verb != DRAW:
                assert not counted.play(scanned.event), "seed %d, event %d" % (seed, scanned.events)
            game.waiting(state, waited)
            if waited[0] not in (game.WAIT_DEAL, game.WAIT_DRAW):
                for seat in (1, 2):
                    assert count_hand(state, seat) == count_hand(counted.state, seat)
                assert count_stock(state) == count_stock(counted.state)
        assert counted.result() == scanned.session.result()
