"""Durak before a bout: a hand of one suit is dealt again (D49), the lowest trump is swapped (D50); and the partner of a
player who is out plays both places (D34)."""

from tests.games.durak_table import deal
from tests.games.table_talk import Table, refuse

SPADES = "6S 7S 8S 9S TS JS"
MIXED = "6H 7C 8H 9H TH JH"


def draw(table: Table, *hands):
    """The seats draw these cards."""
    for seat, hand in enumerate(hands, 1):
        for name in hand.split():
            table.talk("%d draw %s" % (seat, name))


def test_d49_a_hand_of_one_suit_is_dealt_again():
    """D49: by the seat that holds it; all cards go back, and nothing of the first deal can be taken back (T7)."""
    for turns in (False, True):
        table = Table("durak start=redeal", 2)
        draw(table, SPADES, "6H 7H 8H 9H TH")
        table.talk("1 redeal ! T3 / 2 draw QS / 2 redeal ! D49")
        if turns:
            table.talk("2 turn AD")
        table.talk("1 redeal / = waits 1 deal, 2 deal / 1 undo ! T7 / = hand 1 / = lies turned")
        assert len(table.cards("stock")) == 36 and not table.game.audit(table.state)
        draw(table, "6H 7S 8H 9H TH JH", "7H 8S 9D TD JD QD")
        table.talk("2 turn AC / = waits 1 open / 1 redeal ! D49")


def test_d49_not_after_the_first_attack_and_not_without_the_option():
    """D49: the option, the time, the hand; a joker is of no suit."""
    table = deal("throw-in start=redeal-and-six", SPADES, "6H 7H 8H 9H TH QS", trump="AD")
    table.talk("1 attack 6S / 1 redeal ! D49 / 2 take / 1 done / = waits 1 draw / 1 redeal ! D24")
    for option in ("", " start=six"):
        deal("throw-in" + option, SPADES, MIXED, trump="AD").talk("1 redeal ! D49")
    table = Table("durak deck=54 start=redeal", 2)
    draw(table, "6S 7S 8S 9S TS XB", MIXED.replace("7C", "2H"))
    table.talk("1 redeal ! D49 / 2 redeal")


def test_d49_t4_with_counted_hands_the_player_is_believed():
    """D49, T4: until a tapped card says otherwise; hands have come again at once."""
    table = Table("durak start=redeal deal=counted", 2)
    table.talk("2 turn AD / 1 redeal ! D5 / 0 lead 1 / 1 redeal / = lies turned / 2 redeal / 2 turn 9C / 0 lead 1")
    table.talk("1 attack 6S / 2 redeal ! D49")
    assert not table.game.audit(table.state)


def test_d50_the_lowest_trump_is_swapped_for_the_turned_card():
    """D50: by any seat, before any bout; the card that comes may be any trump."""
    table = deal("throw-in start=six", "6D 7C 8C 9C TC JC", "6S 7S 8S 9S TS JS", "7H 8H 9H TH JH QH", trump="AD")
    table.talk("1 swap 7C ! D50 / 2 swap 6D ! T2 / 1 swap 6D / = lies turned 6D / = hand 1 AD 7C 8C 9C JC TC")
    table.talk("1 swap AD ! D50 / 1 undo / 2 agree / 3 agree / = lies turned AD / 1 attack 7C / 1 swap 6D ! D50")
    table.talk("2 take / 1 done / 3 done / 1 draw QC / = waits 3 open / 1 swap 6D / = lies turned 6D / 3 attack 7H")
    for deck, low in (("52", "2D"), ("24", "9D")):
        table = Table("durak start=six deck=" + deck, 2)
        draw(table, low + " TC JC QC KC AC", "9S TS JS QS KS AS")
        table.talk("2 turn KD / 1 swap %s / = lies turned %s" % (low, low))


def test_d50_where_no_trump_lies_under_the_stock():
    """D50, D4, D9, D10: nothing is turned, a joker, spades in the Japanese game; and not without the option."""
    table = Table("durak deck=54 start=six", 2)
    draw(table, "2D TC JC QC KC AC", "9S TS JS QS KS AS")
    table.talk("2 turn XB / 1 swap 2D ! D50")
    deal("throw-in start=six", "6D 7C", "7S", stock=0, trump="AD").talk("1 swap 6D ! D50")
    deal("throw-in start=redeal", "6D 7C", "7S", trump="AD", stock="AC AD").talk("1 swap 6D ! D50")
    assert "start=six does not go with preset=japanese-diamonds" in refuse("durak japanese-diamonds start=six", 2)


def test_d50_t4_a_counted_hand_may_hold_it():
    """D50, T4: a card that nobody has tapped is believed to be there."""
    table = Table("durak start=six deal=counted", 2)
    table.talk("2 turn AD / 2 swap 6D ! D5 / 0 lead 1 / 2 swap 6D / 1 swap 6D ! T2 / = lies turned 6D / = hand 2 AD")
    assert not table.game.audit(table.state)


OUT = "2 attack 6C / 3 beat 7C 6C / = waits 1 open / "  # seat 3 goes out, and its partner attacks


def test_d34_a_partner_plays_the_place_of_who_is_out():
    """D34, D37: it attacks on from there, and the seat behind that place attacks after a take."""
    hands = ("8S 9C 6H KC", "6C 7S TH", "7C", "8D JD")
    for teams, defends, after in (("2x2-both", 4, 1), ("2x2", 2, 4)):
        table = deal("throw-in teams=" + teams, *hands, stock=0, trump="AD", first=2)
        table.talk(OUT + "1 attack 9C")
        assert "%d beat" % defends in table.waits(), teams
        table.talk("%d take / 1 done / = waits %d open" % (defends, after))
        assert not table.game.audit(table.state)
    table = deal("throw-in teams=2x2-both", *hands, stock=0, trump="AD", first=2)
    table.talk(OUT + "1 attack 9C / 4 take / 1 done / 1 attack 6H / 2 beat TH 6H / 1 done / 2 attack 7S")
    table.talk("4 beat JD 7S ! D20")
    table.talk("1 beat 8S 7S / 4 done / = waits 1 open / 1 attack KC")
    assert "4 beat" in table.waits()


def test_d36_a_transfer_goes_on_from_the_place_that_is_played():
    """D36, D34: the next place behind the one that is out."""
    hands = ("7H 9C 6H KC", "6C 7S TC QS", "7C", "8D JD")
    table = deal("transfer first_transfer=yes teams=2x2-both", *hands, stock=0, trump="AD", first=2)
    table.talk(OUT + "1 attack 6H / 4 take / 1 done / 1 attack 9C / 2 beat TC 9C / 1 done")
    table.talk("2 attack 7S / 1 transfer 7H")
    assert "4 beat" in table.waits()


def test_d34_in_three_teams_of_two_each_place_is_played():
    """D34: seat 5 attacks from the place of seat 2, its partner opposite."""
    hands = ("6S 8S", "7S", "9C TC", "KH AH", "9S TS", "JC QC")
    for teams, defends in (("2x2x2-both", 3), ("2x2x2", 6)):
        table = deal("throw-in deck=52 teams=" + teams, *hands, stock=0, trump="AD", first=1)
        table.talk("1 attack 6S / 2 beat 7S 6S / = waits 5 open / 5 attack 9S")
        assert "%d beat" % defends in table.waits(), teams
    assert "does not go with cheating=1" in refuse("durak teams=2x2-both cheating=1", 4)
