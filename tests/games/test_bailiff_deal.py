"""Bailiff, cards, deal, leading and filling hands: B1 to B3 and B11, scanned and counted."""

from tests.games.bailiff_table import deal, draw_all
from tests.games.table_talk import Table, refuse


def deal_all(table):
    """Six cards for each seat, in the order of the deck."""
    for seat in range(1, table.seats + 1):
        for _ in range(6):
            table.talk("%d draw %s" % (seat, table.cards("stock")[0]))


def test_b1_thirty_six_cards():
    """B1: from the six to the ace."""
    cards = Table("bailiff", 2).cards("stock")
    assert len(cards) == 36
    assert sorted(set([name[0] for name in cards])) == sorted("6789TJQKA")
    Table("bailiff", 2).talk("1 draw 5S ! T1 T2 / 1 draw XB ! T1 T2 / 1 draw QQ ! T2")


def test_b1_two_to_six_seats():
    """B1: the text plays six, and fewer with a stock."""
    for seats in (1, 7):
        assert refuse("bailiff", seats) == "bailiff is for 2 to 6 seats, not %d (B1)" % seats
    for seats in range(2, 7):
        assert not refuse("bailiff bailiff", seats)


def test_b2_six_cards_each_the_rest_is_the_stock():
    """B2, T3: in any order, each its six; nothing else before all is dealt."""
    for seats in range(2, 7):
        table = Table("bailiff", seats)
        all_wait = ["%d deal" % seat for seat in range(1, seats + 1)]
        table.talk("""
            = screen deal
            1 draw 6S / 2 draw 7S / 1 draw 6H
            = waits %s
            1 draw 7S ! T1 T2
            1 lay 6S ! T3 B2 / 1 take ! T3 / 1 done ! T3 / 1 unlay 6S ! T3
            1 draw 6D / 1 draw 6C / 1 draw 8S / 1 draw 9S
            1 draw TS ! T3 B2
            = waits %s
            = moves 1
        """ % (", ".join(all_wait), ", ".join(all_wait[1:])))
        for seat in range(2, seats + 1):
            for _ in range(5 if seat == 2 else 6):
                table.talk("%d draw %s" % (seat, table.cards("stock")[0]))
        assert len(table.cards("stock")) == 36 - 6 * seats
        table.talk("= waits 1 lead\n 1 draw KC ! B11 T3 T2")


def test_b2_no_trump_is_turned():
    """B2: there is no trump, and no verb for one."""
    table = deal("", "6S 7S 8S 9S TS JS", "6H 7H 8H 9H TH JH")
    assert [name for name in table.cards("stock") if name in table.cards("discard")] == []
    table.talk("1 lay 6S / 2 lay 7H / 1 lay 8S")  # rank alone counts


def test_b3_the_seat_left_of_the_dealer_leads():
    """B3: for each dealer."""
    for dealer in (1, 2, 3):
        table = Table("bailiff", 3, dealer)
        deal_all(table)
        left = dealer % 3 + 1
        other = left % 3 + 1
        table.talk("= waits %d lead" % left)
        table.talk("%d lay %s ! B3 B4" % (other, table.cards("hand%d" % other)[0]))


def test_b3_first_in_the_header_leads():
    """B3 (decided): what the header says."""
    table = Table("bailiff", 3, 1, 1)
    deal_all(table)
    table.talk("= waits 1 lead")


def test_b3_a_lead_is_one_card_any_card():
    """B3: exactly one; then it is the next seat's turn."""
    for card in ("6S", "KS"):
        table = deal("", "6S 6H KS KH 7S 8S", "9S TS JS QS 7H 8H")
        table.talk("1 lay %s\n = waits 2 answer\n = lies front %s\n 1 lay %sH ! B4" % (card, card, card[0]))


def test_b3_the_leader_has_to_lead():
    """B10 take without a stack, B3: refused; there is nothing to say done to either."""
    table = deal("", "6S 7S 8S 9S TS JS", "6H 7H 8H 9H TH JH")
    table.talk("1 take ! B3 B10 / 2 take ! B4 B3 B10 / 1 done ! B7 / 1 unlay 6S ! B5 T2 / = waits 1 lead")


def test_b3_the_deal_goes_round():
    """B3: the next dealer sits clockwise; who leads follows from that."""
    for dealer in (1, 2, 3):
        table = Table("bailiff", 3, dealer)
        assert table.game.next_dealer(table.state) == dealer % 3 + 1
        assert table.game.next_first(table.state) == 0


def test_b11_hands_are_filled_after_a_discard():
    """B11: clockwise from the seat that leads next, each up to six before the next one."""
    table = deal("", "6S 7S 8S AS AH AD", "6H 7H 8H 9H TH JH", "6D 7D 8D 9D TD JD")
    table.talk("""
        1 lay 6S / 2 lay 7H / 3 lay 8D / 1 lay AS
        = screen draw
        2 draw 6C ! B11 T3 / 3 draw 6C ! B11 T3
        1 lay 7S ! B11 / 2 lay 6H ! B11 / 1 take ! B11 / 1 done ! B11 / 1 unlay 6S ! B11
        1 draw 6C
        = waits 1 draw
        2 draw 7C ! B11 T3
        1 draw 7C
        = waits 2 draw
        1 draw 8C ! B11 T3
        2 draw 7C ! T2 / 2 draw AS ! T2
        2 draw 8C / 3 draw 9C
        = waits 1 lead
        = lies discard 6S 7H 8D AS
    """)


def test_b11_hands_are_filled_after_a_take():
    """B11: the seat that leads next draws first; who has six or more draws nothing."""
    table = deal("", "6S 7S 8S AS AH AD", "6H 7H 8H 9H TH JH", "6D 7D 8D 9D TD JD")
    table.talk("1 lay 6S / 2 lay 7H / 3 take / = waits 1 draw / 3 draw 6C ! B11 T3")
    assert draw_all(table) == "1:1 2:1"
    table.talk("= waits 1 lead")


def test_b11_any_card_of_the_stock_may_come():
    """B11: to the seat that is due."""
    table = deal("", "6S AS", "6H 7H", stock="6C 7C 8C 9C TC")
    table.talk("1 lay AS / = moves 1 draw 6C, draw 7C, draw 8C, draw 9C, draw TC / = moves 2")


def test_b11_not_while_the_stack_lies():
    """B11: after every discard and every take, and at no other time."""
    table = deal("", "6S 7S 8S 9S TS JS", "6H 7H 8H 9H TH JH")
    table.talk("1 draw 6C ! B11 T3 / 1 lay 6S / 1 draw 6C ! B11 T3 / 2 draw 6C ! B11 T3 / 2 lay 7H / 2 draw 6C ! B11")


def test_b11_draw_order_until_the_stock_is_gone():
    """B11 draw order: each seat fills up before the next, until the stock is gone."""
    table = deal("", "6S 7S AS", "6H 7H", "6D 7D 8D 9D TD JD KD", stock="6C 7C 8C 9C TC")
    table.talk("1 lay AS / = waits 1 draw")
    assert draw_all(table) == "1:4 2:1"
    table.talk("= waits 1 lead")


def test_b11_who_has_enough_draws_nothing():
    """B11 draw order: nobody is due where all have six, or the stock is gone."""
    table = deal("", "6S 7S 8S 9S TS JS AS", "6H 7H 8H 9H TH JH")
    table.talk("1 lay AS / = waits 1 lead")
    table = deal("", "6S AS", "6H 7H", stock=0)
    table.talk("1 lay AS / = waits 1 lead")


def test_t4_hands_are_numbers_and_draws_are_implied():
    """T4: nobody taps deal and draws; a card becomes known when it is tapped, and is held to T1 from then on."""
    table = Table("bailiff deal=counted", 3)
    assert table.game.status(table.state) == "- 18: 6 6 6"
    table.talk("""
        = waits 1 lead
        1 draw 6S ! T4
        2 lay 6S ! B4
        1 lay 6S
        2 lay 6S ! T2
        2 lay 7H
        3 unlay 7H ! B5
        3 take
        = hand 3 6S 7H
        = waits 1 lead
    """)
    assert table.game.status(table.state) == "- 16: 6 6 8"
    table.talk("1 lay 6S ! T2 / 1 lay 8S / 2 lay 9S / 3 lay TS / 1 lay AS / = waits 1 lead")
    assert table.game.status(table.state) == "- 13: 6 6 7"
    table.talk("= lies discard 8S 9S TS AS / 1 lay 8S ! T2 / = hand 1")


def test_t4_a_begun_raise_of_unseen_cards():
    """T4, B5: cards of a begun raise are known; unlaid, they stay known in that hand."""
    table = Table("bailiff deal=counted", 2)
    table.talk("1 lay 6S / 2 lay 6H / 1 lay 9S / = lies raise 9S / 1 unlay 9S / = hand 1 9S / 1 lay TS / 1 take")
    table.talk("= hand 1 6S 6H 9S TS / = waits 2 lead / 2 lay 9S ! T2 / 2 lay 9H")
    assert table.game.status(table.state) == "9x1/1 23: 7 5"


def test_t4_a_hand_that_is_all_known_takes_no_other_card():
    """T4: a card is from the hand of the seat that tapped it if that hand still has an unknown card."""
    table = Table("bailiff deal=counted", 2)
    table.talk("1 lay 6S / 2 lay 6H")
    for card in ("7S", "8S", "9S", "TS", "JS"):  # five cards are left, and none of them alone covers two
        table.talk("1 lay %s / 1 unlay %s" % (card, card))
    table.talk("= hand 1 7S 8S 9S TS JS / 1 lay QS ! T2 / = moves 1 lay 7S, lay 8S, lay 9S, lay TS, lay JS, take")


def test_t4_the_stock_runs_out():
    """T4, B11: draws that fall due come in the order of the rule, as long as there are any."""
    table = Table("bailiff deal=counted", 5)
    assert table.game.status(table.state) == "- 6: 6 6 6 6 6"
    table.talk("1 lay 6S / 2 lay 7S / 3 lay 8S / 4 lay 9S / 5 lay AS / = waits 5 lead")
    assert table.game.status(table.state) == "- 1: 6 6 6 6 6"
    table.talk("5 lay 6H / 1 lay 7H / 2 take / = waits 3 lead")
    assert table.game.status(table.state) == "-: 5 8 6 6 6"  # the last card went to seat 5, before seat 1


def test_t4_a_whole_game_of_six():
    """T4, B12: a casual game runs to its end without a scanned deal."""
    table = Table("bailiff deal=counted", 6)
    for rank in "6789":  # seats 2, 4 and 6 take what the others lead
        table.talk("1 lay %sS / 2 take / 3 lay %sH / 4 take / 5 lay %sD / 6 take" % (rank, rank, rank))
    assert table.game.status(table.state) == "-: 2 10 2 10 2 10"
    table.talk("1 lay AS / = waits 1 lead / 1 lay AH / = waits 2 lead")  # seat 1 is out
    table.talk("2 lay 6S / 3 lay TS / 4 take / 5 lay TH / 6 take / 2 lay 7S / 3 lay JS / 4 take / = waits 5 lead")
    assert table.game.status(table.state) == "-: 0 8 0 14 1 11"
    table.talk("5 lay QS / 6 take / 2 lay AD / 2 lay AC / 2 lay 8S / 4 lay KS / 6 take / = waits 2 lead")
    assert table.game.status(table.state) == "-: 0 5 0 13 0 14"
    table.talk("2 lay 9S / 4 take / 6 lay 6D / 2 lay TC / 4 take / 6 lay 7D / 2 lay TD / 4 take")
    table.talk("6 lay 8D / 2 lay JH / 4 take / 6 lay 9D / 2 lay JD / = waits 4 answer / 4 take")
    assert table.game.status(table.state) == "-: 0 0 0 22 0 10"
    for _ in range(9):
        table.talk("6 %s / 4 take / = waits 6 lead" % table.moves(6)[0])
    table.talk("6 %s / = result loser 4 / = waits" % table.moves(6)[0])
