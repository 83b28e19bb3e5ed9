"""Malice, M5-M8, M13, M14: the centre, where cards for it come from, the forced ace, jokers, full piles."""

from cardtable.engine.hands import count_stock
from tests.games.malice_table import LEFT, deal


def test_m5_a_pile_goes_from_the_ace_up_whatever_the_suit():
    """M5: one rank at a time, no wrap, no step down."""
    table = deal("AS2 2H2 3C2 5D2", "9H2")
    table.talk("""
        1 centre 2H2 1 ! M5
        1 centre AS2 1 / 1 centre 3C2 1 ! M5 / 1 centre 2H2 1 / 1 centre 2H2 1 ! M6 / 1 centre 3C2 1
        1 centre 5D2 1 ! M5
        = lies centre1 AS2 2H2 3C2
    """)


def test_m5_both_seats_play_on_a_pile():
    """M5: the centre is nobody's."""
    table = deal("AS2 9S2", "2H2 8H2", turned="KS 3S")
    table.talk("1 centre AS2 2 / 1 side 9S2 1 / 2 draw TH2 / 2 draw JH2 / 2 draw QH2 / 2 centre 2H2 2 / 2 centre 3S 2")


def test_m5_a_new_pile_on_any_free_place():
    """M5: the player names it, 1 to 4; an ace goes on no pile that stands; there are no more than four."""
    table = deal("AS2 AH2 AD2 AC2 XB", "9H2")
    table.talk("""
        1 centre AS2 0 ! M5 / 1 centre AS2 5 ! M5 / 1 centre AS2 255 ! M5
        1 centre AS2 4 / 1 centre AH2 4 ! M5 / 1 centre AH2 2 / 1 centre AD2 1 / 1 centre XB 3
        1 centre AC2 1 ! M5 / 1 centre AC2 2 ! M5 / 1 centre AC2 3 ! M5 / 1 centre AC2 4 ! M5
    """)


def test_m6_payoff_hand_and_own_side_tops():
    """M6: the three places a card may come from."""
    table = deal("2S2", "9H2", turned="KS 4S", centre="1 11 0 0", sides="1.1 5H2 QH2, 2.1 6H2 3H2")
    table.talk("""
        1 centre 2S2 1
        1 centre QH2 2
        1 centre KS 2
        1 flip 3S
        1 centre 3S 1
        1 flip 4H
    """)


def test_m6_nothing_else_goes_to_the_centre():
    """M6: no covered card, nothing of the other seat's, nothing from stock, centre or an unturned payoff pile."""
    table = deal("2S2", "2H2", turned="KS 2D", centre="1 0 0 0", sides="1.1 2C2 QH2, 2.1 9D2 2D2")
    ace = table.cards("centre1")[0]
    table.talk("1 centre 2C2 1 ! M6 / 1 centre 2H2 1 ! M6 / 1 centre 2D2 1 ! M6 / 1 centre 2D 1 ! M6")
    table.talk("1 centre 3C2 1 ! M6 / 1 centre 2S 1 ! M6 / 1 centre %s 2 ! M6 / 1 centre 2S2 1" % ace)


def test_m6_centre_cards_one_counts_hand_and_side_together():
    """M6: centre_cards=one: a card of hand or side pile a turn; the next turn has its own."""
    for first, second in (("2S2", "3H2"), ("2H2", "3S2")):
        table = deal("2S2 3S2 9S2", "QH2", options="centre_cards=one", centre="1 0 0 0", sides="1.1 2H2, 1.2 3H2")
        table.talk("1 centre %s 1 / 1 centre %s 1 ! M6" % (first, second))
        table.talk("1 side 9S2 3 / 2 draw JS2 / 2 draw JH2 / 2 draw JD2 / 2 draw JC2 / 2 side QH2 1")
        table.talk("0 place KS2 hand1 / 0 place KH2 hand1")
        while table.waits() == "1 draw":
            table.talk("1 draw %s" % table.cards("stock")[-1])
        table.talk("1 centre %s 1" % second)


def test_m6_centre_cards_one_does_not_count_payoff_cards():
    """M6: before and after them the one card may be played."""
    table = deal("3S2 6S2", "QH2", options="centre_cards=one", turned="2S AS", centre="1 0 0 0")
    table.talk("""
        1 centre 2S 1 / 1 flip 4S
        1 centre 3S2 1
        1 centre 4S 1 / 1 flip 5S / 1 centre 5S 1 / 1 flip 9S
        1 centre 6S2 1 ! M6
    """)


def test_m6_centre_cards_any_is_the_default():
    """M6: as many as go."""
    table = deal("2S2 3S2 4S2", "QH2", centre="1 0 0 0")
    table.talk("1 centre 2S2 1 / 1 centre 3S2 1 / 1 centre 4S2 1")


def test_m7_the_next_payoff_card_is_turned_at_once():
    """M7: before anything else of that seat; another flip is refused; the other seat's pile is its own."""
    table = deal("2S2 9S2", "QH2", turned="KS 3S", centre="12 1 0 0")
    table.talk("""
        1 flip 5S ! M7
        1 centre KS 1
        = waits 1 flip
        1 centre 2S2 2 ! M7 / 1 side 9S2 1 ! M7 / 1 end ! M7 / 1 draw 4S2 ! M4
        2 flip 5S ! M12
        1 flip 3S ! T2 / 1 flip KS ! T2 / 1 flip 2S2 ! T2
        1 flip 5S
        = waits 1 play
        1 flip 6S ! M7
    """)
    assert table.state.register[LEFT + 1] == 25


def test_m7_the_payoff_card_goes_nowhere_but_the_centre():
    """M7: to no side pile."""
    table = deal("9S2", "QH2", turned="8S 7H", sides="1.1 9C2")
    table.talk("1 side 8S 1 ! M7 / 1 side 8S 2 ! M7 / 1 side 7H 1 ! M9")


def test_m8_an_ace_of_the_hand_must_go():
    """M8: neither end nor side, not even of the ace itself, while there is a free place."""
    table = deal("AS2 9S2", "QH2", centre="3 3 3 0")
    table.talk("""
        1 end ! M8 / 1 side 9S2 1 ! M8 / 1 side AS2 1 ! M8
        = moves 1 centre AS2 4
        1 centre AS2 4
        1 side 9S2 1
    """)


def test_m8_with_four_piles_the_ace_waits():
    """M8: where it cannot go it need not; a pile that becomes full makes room for it."""
    table = deal("AS2 KS2 9S2", "QH2", centre="3 3 3 12")
    table.talk("1 side AS2 1 / 2 undo ! T7 / 1 undo / 2 agree / 1 end / 1 undo / 2 agree")
    table.talk("1 centre KS2 4 / 1 end ! M8 / 1 side 9S2 1 ! M8 / 1 centre AS2 4 / 1 end")


def test_m8_an_ace_on_the_payoff_pile_and_on_a_side_pile_must_go():
    """M8: from wherever it can; a covered one cannot."""
    table = deal("9S2", "QH2", turned="KS AS", centre="12 1 1 1", sides="1.1 2H2 AH2, 1.2 2D2 AD2 XR")
    table.talk("""
        1 end
        = waits 2 draw
        1 undo / 2 agree
        1 centre KS 1 / 1 flip AC
        1 end ! M8
        1 centre AH2 1
        1 end
    """)
    table = deal("9S2", "QH2", turned="2S AS", centre="0 4 4 4")
    table.talk("1 end")
    while table.waits() == "2 draw":
        table.talk("2 draw %s" % table.cards("stock")[-1])
    table.talk("2 end ! M8 / 2 side QH2 1 ! M8 / 2 centre AS 1 / 2 flip KH / 2 end")


def test_m8_the_other_seats_aces_hold_nobody_up():
    """M8: only one's own must go."""
    table = deal("9S2", "AH2", turned="KS AS", sides="2.1 2H2 AD2")
    table.talk("1 side 9S2 1")


def test_m8_with_one_card_a_turn_only_the_payoff_ace_holds_up():
    """M8, M6: centre_cards=one used up: aces of hand and side piles cannot go; the payoff ace can, and must."""
    table = deal("2S2 AH2 9S2", "QH2", options="centre_cards=one", turned="KS AS", centre="12 1 0 0",
                 sides="1.1 2D2 AD2")
    table.talk("""
        1 end ! M8
        1 centre 2S2 2
        1 end / 1 undo / 2 agree
        1 side 9S2 2 / 1 undo / 2 agree
        1 centre KS 1 / 1 flip AC
        1 end ! M8 / 1 side 9S2 2 ! M8
        1 centre AC 1 / 1 flip 9C
        1 side 9S2 2
    """)


def test_m8_m13_jokers_are_not_forced():
    """M8, M13: a joker may be an ace, and need not."""
    table = deal("XB 9S2", "QH2", turned="KS QS", sides="1.1 XR")
    table.talk("1 end / 1 undo / 2 agree / 1 side 9S2 2")


def test_m8_a_two_is_never_forced():
    """M8: a two on an ace is only recommended."""
    table = deal("2S2 9S2", "QH2", turned="2H AS", centre="1 1 1 1", sides="1.1 2D2")
    table.talk("1 side 9S2 2")


def test_m13_a_joker_is_the_rank_that_the_place_needs():
    """M13: ace on a free place, anything on a pile, and the next card goes on it as if it were."""
    table = deal("XB XR 2S2 4S2 XB2", "QH2")
    table.talk("""
        1 centre XB 3 / 1 centre 2S2 3 / 1 centre XR 3 / 1 centre XB2 1
        1 centre 4S2 1 ! M5 / 1 centre 4S2 3
    """)


def test_m13_a_joker_leaves_the_side_pile_for_the_centre():
    """M13: from on top of it."""
    table = deal("9S2", "QH2", centre="5 0 0 0", sides="1.1 9C2 XB, 1.2 XR 8C2")
    table.talk("1 centre XR 1 ! M6 / 1 centre XB 1 / = lies side1.1 9C2 / 1 side 9S2 1")


def test_m14_a_full_pile_goes_into_the_stock():
    """M14: king or joker complete it; first-deck cards and jokers go too; the place is free; all may be drawn."""
    table = deal("XB AH2 9S2", "QH2", turned="QS 9H", centre="11 2 2 2")
    before = count_stock(table.state)
    table.talk("""
        1 centre QS 1 / 1 flip KD
        = moves 1 centre KD 1, centre XB 1, centre XB 2, centre XB 3, centre XB 4, \
end, side 9S2 1, side 9S2 2, side 9S2 3, side 9S2 4, side AH2 1, side AH2 2, side AH2 3, side AH2 4, \
side XB 1, side XB 2, side XB 3, side XB 4
        1 centre XB 1
        = lies centre1
        1 end ! M8
        1 centre AH2 1
        1 side 9S2 1
    """)
    assert count_stock(table.state) == before + 13
    table.talk("2 flip QS ! M7 / 2 draw QS / 2 draw XB / 2 draw KD ! T2 / 2 draw 3S2")


def test_m14_a_first_deck_card_in_the_hand_is_like_any_other():
    """M14: drawn again it goes to the centre or aside, and never back into a payoff pile."""
    table = deal("KC2 8S2", "QH2", turned="QS 9H", centre="11 1 0 0")
    table.talk("1 centre QS 1 / 1 flip 9C / 1 centre KC2 1 / 1 side 8S2 1")
    table.talk("2 draw QS / 2 draw TS2 / 2 draw JS2 / 2 draw JH2")
    table.talk("2 side QS 2 / = lies side2.2 QS")


def test_m13_m14_a_joker_as_king_and_the_last_payoff_card():
    """M15: the game is over when it lies there, though its pile goes into the stock."""
    table = deal("9S2", "QH2", left="1 7", centre="12 0 0 0")
    table.talk("1 centre KS 1 / = result winner 1 / = lies centre1 / 1 end ! T14")
