"""Bailiff, a turn: raise, extend, an ace, take; B4 to B10, and what docs/rules/bailiff.md says in Details."""

from tests.games.bailiff_table import deal


def test_b4_only_the_seat_on_turn_plays():
    """B4/B5 staging a raise: only the seat on turn lays, unlays or takes."""
    table = deal("", "6S 6H 8S", "7S 7H 8H", "9S 9H TS", stock=0)
    table.talk("""
        1 lay 6S
        1 lay 6H ! B4 / 3 lay 9S ! B4 / 1 take ! B4 / 3 take ! B4 / 3 done ! B4 B7 / 1 unlay 6S ! B4 B5
        2 lay 8H
        = waits 3 answer
    """)
    table = deal("", "6S 6H 8S", "6D 7H 8H", "9S 9H TS", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 3 lay 9S / = waits 3 raise / 2 unlay 9S ! B4 / 1 unlay 9S ! B4 / 1 take ! B4")


def test_b4_the_front_is_one_to_four_cards_of_one_rank():
    """B4, B6: it grows by extensions, never over four."""
    table = deal("", "6S 6H 8S", "6D 7H 8H", "6C 9H TS", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 3 lay 6C / 1 lay 6H / = lies front 6S 6D 6C 6H / = waits 2 answer")


def test_b5_a_single_front_is_covered_at_once():
    """B4/B5 staging a raise: on a front of one a higher card completes the raise."""
    table = deal("", "6S 6H 8S", "7S 7H 8H", "9S 9H TS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / = lies front 7S / = lies covered 6S / = waits 3 answer / 3 lay 9S")
    table.talk("= lies covered 6S 7S / = lies front 9S / = waits 1 answer")


def test_b5_as_many_cards_as_the_front_has():
    """B5: every card of the front is covered with cards of one higher rank."""
    table = deal("", "6S 9S 9H 9D 8S", "6D 7S 7H", "6C 7D TS", stock=0)
    table.talk("""
        1 lay 6S / 2 lay 6D / 3 lay 6C
        1 lay 9S
        = waits 1 raise
        1 lay 9H
        = waits 1 raise
        = lies raise 9S 9H
        = lies front 6S 6D 6C
        1 lay 9D
        = lies front 9S 9H 9D
        = lies covered 6S 6D 6C
        = lies raise
        = waits 2 answer
    """)


def test_b5_the_rank_is_higher():
    """B5: a lower rank is refused, also where a raise could never be completed with it."""
    table = deal("", "8S 8H 6S", "7S 8D 9H", "7H 6D TS", stock=0)
    table.talk("1 lay 8S / 2 lay 7S ! B5 / 2 lay 8D / 3 lay 7H ! B5 / 3 lay 6D ! B5 / 3 lay TS / 3 take")


def test_b5_a_raise_is_of_one_rank():
    """B4/B5 staging a raise: further cards are of the same rank; the front's rank is no extension then."""
    table = deal("", "6S 8S 8H 9S", "6D 7S 7H TS", "6H 7D TH JS", stock=0)
    table.talk("""
        1 lay 6S / 2 lay 6D
        3 lay TH
        3 lay JS ! B5 / 3 lay 7D ! B5 / 3 lay 6H ! B5 B6
        3 unlay TH
        3 lay 6H
        = waits 1 answer
    """)


def test_b5_the_table_does_not_look_into_the_hand():
    """B4/B5 staging a raise: whether it can be completed is not looked at."""
    table = deal("", "6S 9S", "6D 7S", "TH JS", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 3 lay TH / = waits 3 raise / = moves 3 take, unlay TH / 3 unlay TH / 3 lay JS")
    table.talk("3 take / = hand 3 6S 6D TH JS")


def test_b5_take_with_a_raise_begun():
    """B5 take with a raise begun: the staged cards go back to the hand with the stack."""
    table = deal("", "6S 9S", "6D 7S", "6C TH JS", "TS TD QS", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 3 lay 6C / 4 lay TS / 4 lay TD / 4 take")
    table.talk("= hand 4 6S 6D 6C TS TD QS / = waits 1 lead / = lies front / = lies raise")


def test_b5_unlay_takes_back_a_begun_raise_alone():
    """B5 unlay: a lead, an extension, a completed raise and an ace stand."""
    table = deal("", "6S 9S 8S", "6D 7S AS", "TH JS TS", "7H 8H 9H", stock=0)
    table.talk("""
        1 unlay 9S ! B5
        1 lay 6S / 1 unlay 6S ! B4 B5
        2 unlay 6S ! B5 T2
        2 lay 6D / 2 unlay 6D ! B4 B5
        3 unlay 6D ! B5 T2 / 3 unlay TH ! B5 T2 / 3 unlay 8S ! B5 T2
        3 lay TH / 3 lay TS
        3 unlay TH ! B4 B5
        4 take / 1 lay 9S / 2 lay AS
        2 unlay AS ! B5 T2
    """)


def test_b5_any_card_of_a_begun_raise_may_be_unlaid():
    """B5: in any order; with none left another raise may begin."""
    table = deal("", "6S 9S 8S", "6D 7S AS", "6C TH TS", "7H 7D 7C", stock=0)
    table.talk("""
        1 lay 6S / 2 lay 6D / 3 lay 6C / 4 lay 7H / 4 lay 7D
        4 unlay 7H
        = lies raise 7D
        4 unlay 7D
        = waits 4 answer
        4 unlay 7D ! B5 T2
        4 lay 7C / 4 lay 7H / 4 lay 7D
        = lies front 7C 7D 7H
        = lies covered 6C 6D 6S
    """)


def test_b6_one_card_ends_the_turn():
    """B6: an extension makes the front one larger, and the turn is over."""
    table = deal("", "6S 9S 8S", "6D 6H AS", "6C TH TS", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 2 lay 6H ! B4 / = lies front 6S 6D / = waits 3 answer")


def test_b7_without_the_option_every_turn_ends_by_itself():
    """B7 waiting: done at any other time, or without the option, is refused."""
    table = deal("", "6S 9S 8S", "7D 7H AS", "6C TH TS", stock=0)
    table.talk("1 done ! B7 / 1 lay 6S / 2 done ! B7 / 2 lay 7D / 2 lay 7H ! B4 / 3 done ! B7 / = waits 3 answer")


def test_b7_one_more_card_of_the_new_rank():
    """B7: a raise may add one more card in the same turn."""
    table = deal("raise_and_extend=yes", "6S 9S 8S", "7D 7H 7S", "6C TH TS", stock=0)
    table.talk("""
        1 done ! B7
        1 lay 6S
        2 done ! B7
        2 lay 7D
        = waits 2 more
        2 lay 7H
        = lies front 7D 7H
        = waits 3 answer
        2 lay 7S ! B4
    """)


def test_b7_done_is_the_end_of_the_turn():
    """B7 waiting: after a completed raise the seat says done, or lays the one card."""
    table = deal("raise_and_extend=yes", "6S 9S 8S", "7D 7H 7S 8H", "6C TH TS", stock=0)
    table.talk("""
        1 lay 6S / 2 lay 7D
        2 take ! B7 / 2 unlay 7D ! B7 / 2 lay 8H ! B7 / 2 lay TS ! B7 T2 / 1 done ! B4 B7 / 3 lay TH ! B4
        = moves 2 lay 7H, lay 7S, done
        2 done
        = waits 3 answer
    """)


def test_b7_a_lead_and_an_extension_wait_for_nothing():
    """B7: only a raise may be followed by one more card."""
    table = deal("raise_and_extend=yes", "6S 6H 8S", "6D 7H 7S 8H", "6C TH TS", stock=0)
    table.talk("1 lay 6S / = waits 2 answer / 2 lay 6D / = waits 3 answer / 3 lay TH / = waits 3 raise / 3 done ! B7")
    table.talk("3 lay TS / = waits 3 more / 3 done / = waits 1 answer")


def test_b7_the_turn_ends_by_itself_where_all_can_see_it():
    """B7 waiting: if the front is four or the hand is empty, and after an ace."""
    table = deal("raise_and_extend=yes", "6S 6H 8S", "6D 7H 7S 7D 7C QS", "6C TH TS", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 3 lay 6C / 1 lay 6H / 2 lay 7S / 2 lay 7H / 2 lay 7D / 2 lay 7C")
    table.talk("= waits 3 answer")
    table = deal("raise_and_extend=yes", "6S 6H 8S", "7D", "6C TH TS", stock=0)
    table.talk("1 lay 6S / 2 lay 7D / = waits 3 answer")
    table = deal("raise_and_extend=yes", "6S 6H 8S", "7D", "6C TH TS", stock="8C")
    table.talk("1 lay 6S / 2 lay 7D / = waits 3 answer")
    table = deal("raise_and_extend=yes", "6S 6H 8S", "AS 7D", "6C TH TS", stock=0)
    table.talk("1 lay 6S / 2 lay AS / = waits 2 lead")


def test_b8_one_ace_beats_up_to_three():
    """B8, B8 ace on a begun raise: with nothing staged one ace completes at once."""
    for cards in (1, 2, 3):
        table = deal("", "6S 7H 8S", "6D 7S AS", "6C AH TS", "AD 7D 7C", stock=0)
        table.talk("1 lay 6S")
        for line in ("2 lay 6D", "3 lay 6C")[: cards - 1]:
            table.talk(line)
        seat = cards + 1
        ace = ("AS", "AH", "AD")[cards - 1]
        table.talk("%d lay %s / = waits %d lead / = lies front / = lies covered" % (seat, ace, seat))
        assert len([name for name in table.cards("discard") if name in ("6S", "6D", "6C", ace)]) == cards + 1


def test_b8_a_front_of_four_falls_to_four_cards_alone():
    """B8 ace on a front of four: it begins a raise of four aces; the stack goes when the fourth lies."""
    table = deal("", "6S 6H AS AH AD AC 8S", "6D 6C 7S 7H", stock=0)
    table.talk("""
        1 lay 6S / 2 lay 6D / 1 lay 6H / 2 lay 6C
        1 lay AS
        = waits 1 raise
        1 lay AH / 1 lay AD
        = waits 1 raise
        = lies front 6S 6D 6H 6C
        1 unlay AS / 1 lay AS
        1 lay AC
        = lies front
        = waits 1 lead
    """)
    table = deal("", "6S 6H 8S 8H 8D 8C 9S", "6D 6C 7S 7H AS", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 1 lay 6H / 2 lay 6C / 1 lay 8S / 1 lay 8H / 1 lay 8D / = waits 1 raise")
    table.talk("1 lay 8C / = waits 2 answer / 2 lay AS / = waits 2 raise / 2 take / = waits 1 lead")


def test_b8_an_ace_on_a_begun_raise():
    """B8 ace on a begun raise: refused, unlay first."""
    table = deal("", "6S 7H 8S", "6D 7S AS", "9C AH TS", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 3 lay 9C / 3 lay AH ! B5 B8 / 3 unlay 9C / 3 lay AH / = waits 3 lead")


def test_b8_an_ace_in_a_game_with_one_more():
    """B7 waiting, B8: an ace is followed by nothing but a lead."""
    table = deal("raise_and_extend=yes", "6S 7H 8S", "6D AH AS 9H", "9C AD TS", stock=0)
    table.talk("1 lay 6S / 2 lay AS / 2 done ! B7 / = waits 2 lead / 2 lay AH / = waits 2 lead / 2 lay 9H")


def test_b9_the_stack_goes_and_the_seat_leads_again():
    """B9: the whole stack, what was covered too."""
    table = deal("", "6S 7H 8S", "7S AS 8H", "9S AH TS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / 3 lay 9S / 1 take / 2 lay AS / 2 lay 8H / 3 lay TS / 1 lay 8S ! B5 / 1 take")
    table = deal("", "6S 7H AC", "7S AS 8H", "9S AH TS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / 3 lay 9S / 1 lay AC / = lies covered / = lies front / = waits 1 lead / 1 lay 7H")
    assert set(table.cards("discard")) >= {"6S", "7S", "9S", "AC"}


def test_b9_an_ace_that_is_led_clears_itself():
    """B9: and the seat leads again."""
    table = deal("", "AS AH 8S 9S", "7S AD 8H", stock=0)
    table.talk("1 lay AS / = waits 1 lead / 1 lay AH / = waits 1 lead / 1 lay 8S / = waits 2 answer")
    table = deal("raise_and_extend=yes", "AS AH 8S", "7S AD 8H", stock=0)
    table.talk("1 lay AS / 1 done ! B7 / = waits 1 lead")


def test_b9_the_last_card_is_an_ace():
    """B9 the last card is an ace: hands are filled first; without a card the next seat leads."""
    table = deal("", "AS", "7S AD 8H", "8D 9D", stock=0)
    table.talk("1 lay AS / = waits 2 lead")
    table = deal("", "AS", "7S AD 8H", "8D 9D", stock="6S")
    table.talk("1 lay AS / = waits 1 draw / 1 draw 6S / = waits 1 lead")
    table = deal("", "9S 9H", "AS", "8D 9D", stock=0)
    table.talk("1 lay 9S / 2 lay AS / = waits 3 lead")


def test_b10_take_instead_of_playing():
    """B10: also when able to play; the whole stack goes to the hand, the next seat leads."""
    table = deal("", "6S 7H AC", "7S AS 8H", "9S AH TS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / 3 take / = hand 3 6S 7S 9S AH TS / = waits 1 lead / = lies covered")


def test_b10_take_without_a_stack():
    """B10 take without a stack: the leader must lead."""
    table = deal("", "6S 7H AC", "7S AS 8H", stock=0)
    table.talk("1 take ! B3 / 1 lay AC / 1 take ! B3 / 2 take ! B4 B3")


def test_t2_cards_that_are_not_in_the_hand():
    """T2: of another hand, of the stack, of the discard, of the stock."""
    table = deal("", "6S 7H AC", "7S AS 8H", stock="KS")
    table.talk("1 lay AC / 1 draw KS / 1 lay AC ! T2 / 1 lay 7S ! T2 / 1 lay 6S / 2 lay 6S ! T2 / 2 lay 7S")
    table.talk("1 lay 6S ! T2 / 1 lay 7S ! T2")


def test_t7_a_turn_is_taken_back():
    """T7: a raise that has ended the turn, an ace that has cleared the stack, a take."""
    table = deal("", "6S 7H AC", "7S AS 8H", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / 2 undo / 1 agree / = hand 2 7S AS 8H / = waits 2 answer / = lies front 6S")
    table.talk("2 lay AS / 2 undo / 1 agree / = lies front 6S / 2 take / 2 undo / 1 agree / = hand 2 7S AS 8H")
    table.talk("1 undo ! T7 / 2 take / 1 lay 7H / 2 undo ! T7")


def test_t7_a_staged_card_is_taken_back():
    """T7: beside unlay, which needs nobody's leave."""
    table = deal("", "6S 7H AC", "6D AS 8H", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 1 lay 7H / 1 undo / 2 agree / = lies raise / = hand 1 7H AC")
