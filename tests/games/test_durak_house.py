"""House rules of Durak: decks, limits, who draws first, no draws, who begins (D1, D6, D18, D19, D24, D40, D41)."""

from cardtable.engine.record import SetupError
from cardtable.games import durak
from tests.games.durak_table import deal, draw_all
from tests.games.table_talk import Table, refuse

MANY = "6S 6H 6D 6C 7S 7H 7D"
DEFENCE = "8S 7C 9S 9H JS JH TD"


def test_d1_a_deck_of_24():
    """D1, D2: from the nine; four seats get all of it, and five cannot play with it."""
    table = Table("durak throw-in deck=24", 4, 0, 0)
    assert len(table.cards("stock")) == 24 and "8S" not in table.cards("stock") and "9S" in table.cards("stock")
    try:
        Table("durak throw-in deck=24", 5, 0, 0)
    except SetupError as wrong:
        assert "deck=24 does not go with seats=5" in str(wrong)
    else:
        raise AssertionError("30 cards of 24")


def test_d6_under_the_fool():
    """D6: the seat to the fool's right begins, so the fool defends; the default is the seat to its left."""
    for words, first in (("under-fool", 1), ("left-of-fool", 3)):
        table = deal("throw-in next_lead=" + words, "6S", "7H 8H", "", stock=0, trump="AD")
        table.talk("1 attack 6S / 2 take / = result fool 2")
        assert durak.next_first(table.session.state) == first


def test_d18_always_only_the_defenders_hand_limits():
    """D18: late_limit=always: also while there is a stock; the first bout still has its own limit (D19)."""
    words = "1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 2 beat 7C 6C / 1 attack 7S / "
    deal("throw-in first_bout=6 late_limit=always", MANY, DEFENCE, trump="9D", stock="AC AH").talk(
        words + "1 attack 7H / 1 attack 7D / = waits 2 beat")
    deal("throw-in late_limit=always", MANY, DEFENCE, trump="9D", stock="AC AH").talk(words + "1 attack 7H ! D19")


def test_d19_strict_has_no_sixth_after_a_take():
    """D19: first_bout=strict: five. (durak:15, 154)"""
    words = "1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 2 beat 7C 6C / 1 attack 7S / 2 take / "
    deal("throw-in first_bout=strict", MANY, DEFENCE, trump="9D", stock="AC AH").talk(words + "= waits 1 draw")
    deal("throw-in", MANY, DEFENCE, trump="9D", stock="AC AH").talk(words + "1 attack 7H")


def test_d24_clockwise_against_attacker_first():
    """D24: with a third seat that threw in: clockwise the defender comes before it."""
    for order, drawn in (("clockwise", "1:1 2:2 3:1"), ("attacker-first", "1:1 3:1 2:2")):
        table = deal("throw-in draw_order=" + order, "6S 9C 9D TC JD QC", "7S 7H JC QD KC KD", "6H TH JH QH KH AH")
        table.talk("1 attack 6S / 2 beat 7S 6S / 1 done / 3 attack 6H / 2 beat 7H 6H / 3 done / 1 done")
        assert draw_all(table) == drawn, order


def test_d24_opener_first_after_a_transfer():
    """D24: who opened the bout draws first, also when the attack was transferred; the defender last. (durak:33)"""
    for order, drawn in (("opener-first", "1:1 2:1"), ("attacker-first", "2:1 1:1")):
        table = deal("transfer first_transfer=yes draw_order=" + order, "6S 9C 9D TC JD QC", "6H TD JC QD KC KD",
                     "7S TH JH QH KH AH")
        table.talk("1 attack 6S / 2 transfer 6H / 3 take / 2 done / 1 done")
        assert draw_all(table) == drawn, order


def test_d40_without_draws_who_defended_last_is_the_fool():
    """D40: draws=no; in teams its team has lost."""
    deal("throw-in draws=no", "6S", "7S", stock=0, trump="AD").talk("1 attack 6S / 2 beat 7S 6S / = result fool 2")
    deal("throw-in", "6S", "7S", stock=0, trump="AD").talk("1 attack 6S / 2 beat 7S 6S / = result draw")


def test_d41_any_sixes_count():
    """D41: epaulettes=any: also among other cards. (durak:143)"""
    for words, result in (("any", "fool 2 epaulettes 1"), ("yes", "fool 2")):
        table = deal("throw-in epaulettes=" + words, "6S 7H", "7S 8D KH", stock=0, trump="AD")
        table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 7H / 2 take / = result " + result)


def test_d3_hands_of_another_size():
    """D3, D24: so many cards are dealt, and hands are filled to that number; only as many seats as the deck has for."""
    for size, seats in ((4, 6), (5, 3), (7, 5), (8, 4), (10, 3)):
        table = Table("durak throw-in hand=%d" % size, seats)
        assert table.game.count_to_draw(table.state, 1) == size
    assert refuse("durak hand=7", 6) and refuse("durak hand=8", 5) and refuse("durak hand=10", 4)
    assert "hand=6" in refuse("durak deck=24 hand=7", 2)
    table = Table("durak throw-in hand=4", 2, first=1)
    table.talk("1 draw 6S / 1 draw 7S / 1 draw 8S / 1 draw 9S / 1 draw TS ! T3 / 2 draw 6H / 2 draw 7H / 2 draw 8H")
    table.talk("2 turn AC ! T3 / 2 draw 9H / 2 turn AC / 1 attack 6S / 2 take / 1 done / = waits 1 draw / 1 draw TS")
    table.talk("= waits 1 open" if len(table.cards("hand2")) > 4 else "")


def test_d12_a_lead_of_a_pair_and_one():
    """D12: a second card pairs the first, the third is any, and there is no fourth; the defender closes it (D13)."""
    table = deal("simple lead=three", "6S 6H 7S 9S KS KH", "7H 8H 9H TH JH QH")
    table.talk("1 attack 6S / = waits 1 add, 2 beat / 1 attack 7S ! D12 / 1 attack 6H / = waits 1 add_any, 2 beat")
    table.talk("1 attack 7S / = waits 2 beat / 1 attack 9S ! D12 / 2 beat 7H 6H / 1 attack 6H ! D13 T2")


def test_d12_a_lead_of_two_pairs_and_one():
    """D12: up to five, every second card a pair with the one before it; without transfer."""
    table = deal("simple lead=five", "6S 6H 7S 7H KS AH", "8H 8S 9H TH JH QH")
    table.talk("1 attack 6S / 1 attack 6H / 1 attack 7S / 1 attack KS ! D12 / 1 attack 7H / 1 attack AH")
    table.talk("1 attack KS ! D12 / = waits 2 beat")
    assert "transfer" in refuse("durak simple lead=three transfer=yes", 3)
