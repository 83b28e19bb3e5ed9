"""Malice, M1-M4: the decks, who moves first, the deal and the draws."""

from cardtable.engine.deck import DECK, JOKER, RANK
from cardtable.engine.hands import count_hand, count_stock
from tests.games.malice_table import LEFT, deal, draw_all
from tests.games.table_talk import Table, refuse


def opened(*flips, game: str = "malice malice", dealer: int = 0) -> Table:
    """A table at which these cards were turned, each as `1 7S`."""
    table = Table(game, 2, dealer)
    for flip in flips:
        table.talk(flip.replace(" ", " flip "))
    return table


def test_m1_the_second_deck_has_all_four_jokers():
    """M1: 52 cards in the payoff piles, 52 and four jokers in the stock."""
    table = Table("malice", 2)
    payoff = table.cards("payoff")
    stock = table.cards("stock")
    assert len(payoff) == 52 and len(stock) == 56
    assert not [name for name in payoff if name[0] == "X" or name[-1] == "2" and len(name) == 3]
    assert [name for name in stock if name[0] == "X"] == ["XB", "XR", "XB2", "XR2"]
    table.talk("1 flip XB ! T1 T2 / 1 flip KS2 ! T1 T2 / 1 flip KS / = lies turned1 KS")


def test_m1_a_card_of_no_deck_of_this_game():
    """M1, T2: there is no third copy and no stranger."""
    table = opened("1 KS", "2 QS")
    table.talk("1 draw 7S3 ! T2 / 1 draw QQ ! T2 / 1 draw 7S2")


def test_m1_two_to_four_seats_and_no_mix_that_cannot_be():
    """M1, M2, M15: what a set-up may say; the sentence names it."""
    assert "2 to 4 seats, not 5 (M1)" in refuse("malice", 5)
    assert "payoff=18 does not go with seats=3; it needs seats=2 (M2)" in refuse("malice payoff=18", 3)
    assert "payoff=14 does not go with seats=4; it needs seats=2 or 3 (M2)" in refuse("malice payoff=14", 4)
    assert not refuse("malice payoff=13", 4) and not refuse("malice payoff=17", 3)
    assert refuse("malice malice stake=10000 refill=empty-hand centre_cards=one", 2) == ""
    assert "1 to 10000 (M15)" in refuse("malice stake=0", 2)
    assert "1 to 10000 (M15)" in refuse("malice stake=10001", 2)
    assert "(M4)" in refuse("malice refill=yes", 2) and "(M6)" in refuse("malice centre_cards=two", 2)


def test_m2_the_higher_card_moves_first():
    """M2: ace is low, king high; both may turn in any order."""
    for flips, first in ((("1 KS", "2 QS"), 1), (("2 AS", "1 2S"), 1), (("1 TS", "2 JS"), 2), (("2 2S", "1 AS"), 2)):
        table = opened(*flips)
        table.talk("= waits 1 deal, 2 deal")
        draw_hands(table)
        assert table.waits() == "%d play" % first


def draw_hands(table: Table):
    """Five cards each."""
    for seat in (1, 2):
        for name in table.cards("stock")[:5]:
            table.talk("%d draw %s" % (seat, name))


def test_m2_the_dealer_of_the_header_has_no_effect():
    """M2: neither on who turns first nor on who begins."""
    for dealer in (1, 2):
        table = opened("1 KS", "2 QS", dealer=dealer)
        draw_hands(table)
        assert table.waits() == "1 play"


def test_m2_equal_cards_go_back_and_both_turn_again():
    """M2, T1: they are known to be in their piles, so the other seat cannot turn them; each seat turns once."""
    table = opened("1 7S", "2 7H")
    table.talk("""
        = waits 1 opening, 2 opening
        = lies payoff1 7S
        = lies payoff2 7H
        2 flip 7S ! T2
        1 flip 7H ! T2
        2 flip 7H
        2 flip 8S ! M2
        1 flip 7C
        = lies payoff1 7S 7C
        = lies payoff2 7H
        1 flip 7S / 2 flip AS
        = waits 1 deal, 2 deal
    """)


def test_m2_nothing_else_before_it_is_decided():
    """M2: no draw, no play, no second flip."""
    table = Table("malice", 2)
    table.talk("""
        = waits 1 opening, 2 opening
        1 draw 7S2 ! M2 / 1 end ! M2 / 1 centre 7S 1 ! M2 / 2 side 7S 1 ! M2
        1 flip 7S
        = waits 2 opening
        1 flip 8S ! M2
        1 end ! M2 / 1 centre 7S 1 ! M2
    """)


def test_m2_t1_a_pile_that_is_all_known_shows_only_its_cards():
    """M2, T1: where all cards of a pile are known it shows one of them, though another was never seen."""
    table = opened("1 7S", "2 7H")
    table.talk("1 flip 8S / 2 flip 8H / 1 flip KS / 2 flip QS")
    draw_hands(table)
    for name in [name for name in table.cards("payoff") if name[0] not in "AKQ"][:23]:
        table.talk("0 place %s payoff1 / 0 place %s stock" % (name, name))
    assert table.state.register[LEFT + 1] == 3 and table.cards("payoff1") == ["7S", "8S"]
    table.talk("0 place KS stock / 0 place 9S2 hand1")
    table.talk("1 flip KD ! T2 / 1 flip 7H ! T2 / 1 flip 8S")


def test_m3_five_cards_each_in_any_order():
    """M3, T3: each until its due number, nothing else before all is dealt; then the higher card begins."""
    table = opened("1 KS", "2 QS")
    table.talk("""
        2 draw 2S2 / 1 draw 3S2 / 1 draw 4S2 / 1 draw 5S2 / 1 draw 6S2
        1 end ! M3 / 1 centre KS 1 ! M3 / 1 side 3S2 1 ! M3 / 1 flip JS ! M3
        1 draw 7S2
        = waits 2 deal
        1 draw 8S2 ! T3
        2 draw 3S2 ! T2 / 2 draw KD ! T2
        2 draw XB / 2 draw 4H2 / 2 draw 5H2 / 2 draw 6H2
        = waits 1 play
    """)


def test_m3_an_undo_in_the_deal_is_the_seats_own_draw():
    """M3, T3: the flip that began the deal cannot be taken back in it, and a draw can."""
    table = opened("1 KS", "2 QS")
    table.talk("""
        2 undo ! T7
        1 draw 3S2 / 2 draw 4S2
        1 undo / 2 agree
        = hand 1
        = hand 2 4S2
        1 draw 5S2
    """)


def test_m2_t7_a_flip_is_taken_back_until_the_deal():
    """T7: the last event is taken back, also the flip that made the cards equal."""
    table = opened("1 7S", "2 7H")
    table.talk("2 undo / 1 agree / = lies turned1 7S / = lies payoff2 / 2 flip 8H / = waits 1 deal, 2 deal")


def test_m4_the_seat_draws_to_five_before_anything_else():
    """M4, T3: as many as are missing, and none more."""
    table = deal("9S2 KD2", "9H2 KH2 2S2")
    table.talk("""
        1 side 9S2 1
        = waits 2 draw
        2 end ! M4 / 2 centre QS 1 ! M4 / 2 side 9H2 1 ! M4 / 2 flip JS ! M7
        1 draw 3S2 ! M12
        2 draw 3S2
        2 draw 9S2 ! T2 / 2 draw JS ! T2 / 2 draw KD2 ! T2
        2 draw 4S2
        = waits 2 play
        2 draw 5S2 ! M4
    """)


def test_m4_a_first_turn_with_a_full_hand_draws_nothing():
    """M4: nothing is missing."""
    table = deal("9S2", "9H2")
    table.talk("0 place 3S2 hand1 / 0 place 4S2 hand1 / 0 place 5S2 hand1 / 0 place 6S2 hand1 / 1 draw 7S2 ! M4")


def test_m4_a_short_stock_gives_what_it_has():
    """M4: min(missing, stock); the stock that is filled again later in the turn gives no further draw."""
    table = deal("9S2", "QH2 QD2", centre="12 0 0 0", stock="3S2")
    table.talk("""
        1 side 9S2 1
        2 draw 3S2
        = waits 2 play
        2 centre KS2 1
        = waits 2 play
        2 draw AC2 ! M4
        2 end
        = waits 1 draw
    """)
    assert draw_all(table) == 5


def test_m4_an_empty_hand_is_not_filled_in_the_turn():
    """M4: default refill=no."""
    table = deal("AS2", "9H2")
    table.talk("1 centre AS2 1 / = hand 1 / = waits 1 play / 1 draw 3S2 ! M4 / 1 end / = waits 2 draw")


def test_m4_refill_fills_an_empty_hand_in_the_turn():
    """M4: refill=empty-hand: at once, before anything else, end included."""
    table = deal("AS2", "9H2", options="refill=empty-hand")
    table.talk("1 centre AS2 1 / = waits 1 draw / 1 end ! M4 / 1 centre KS 1 ! M4")
    assert draw_all(table) == 5
    table.talk("= waits 1 play / 1 draw TS2 ! M4")


def test_m4_refill_comes_after_the_full_pile_went_into_the_stock():
    """M4, M14: with the stock gone, the last card of the hand completes a pile, and its cards are drawn."""
    table = deal("KC2", "9H2", options="refill=empty-hand", centre="12 0 0 0", stock="")
    table.talk("= waits 1 play / 1 centre KC2 1 / = waits 1 draw")
    assert draw_all(table) == 5 and count_stock(table.state) == 8


def test_m4_refill_when_the_stock_comes_back_to_an_empty_hand():
    """M4: whenever the hand is empty and the stock is not: also when the payoff card has filled the stock."""
    table = deal("AS2", "9H2", options="refill=empty-hand", centre="12 0 0 0", stock="")
    table.talk("""
        1 centre AS2 2
        = waits 1 play
        1 centre KS 1
        = waits 1 draw
        1 end ! M4 M7
    """)


def test_m4_m7_a_due_flip_and_due_draws_come_in_either_order():
    """M4, M7: the payoff card completes a pile, and the hand is empty."""
    for order in ("flip", "draw"):
        table = deal("AS2", "9H2", options="refill=empty-hand", centre="12 0 0 0", stock="")
        table.talk("1 centre AS2 2 / 1 centre KS 1")
        flip = [move for move in table.moves(1) if move.startswith("flip")]
        draws = [move for move in table.moves(1) if move.startswith("draw")]
        assert len(flip) == 50 and len(draws) == 13 and len(table.moves(1)) == 63
        if order == "flip":
            table.talk("1 flip 5S / = waits 1 draw / 1 centre 5S 1 ! M4")
            assert draw_all(table) == 5
        else:
            assert draw_all(table) == 5
            table.talk("= waits 1 flip / 1 end ! M7 / 1 flip 5S")
        table.talk("= waits 1 play")


def test_m4_refill_with_an_empty_stock_is_no_draw():
    """M4: where there is nothing to draw the turn goes on."""
    table = deal("AS2", "9H2", options="refill=empty-hand", stock="")
    table.talk("1 centre AS2 1 / = waits 1 play / 1 end / = waits 2 play")


def test_m1_every_card_has_a_place():
    """M1, T1: 26 cards in each payoff pile as a number, and 108 in all."""
    table = Table("malice", 2)
    assert table.game.CARDS == 108 == len(table.state.where)
    assert [card for card in range(108) if not table.state.where[card]] == []
    assert table.state.register[LEFT + 1] == table.state.register[LEFT + 2] == 26
    assert len([card for card in range(DECK) if RANK[card] == JOKER]) == 2
    assert count_hand(table.state, 1) == 0 and count_stock(table.state) == 56
