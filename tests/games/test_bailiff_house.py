"""House rules of Bailiff, and who went out when (B3, B12)."""

from cardtable.engine.match import list_out
from tests.games.bailiff_table import deal


def test_b3_the_loser_deals():
    """B3: first_dealer=loser; usually the deal goes round."""
    for words, dealer in (("first_dealer=loser", 3), ("", 1)):
        table = deal(words, "6S", "7S", "8S 9S", stock=0)
        table.talk("1 lay 6S / 2 lay 7S / = result loser 3")
        assert table.game.next_dealer(table.state) == dealer, words


def test_b12_the_order_of_going_out():
    """B12: in the order of the turns that made each seat out; the loser has no place."""
    table = deal("", "6S TS", "7S", "8S", "9S JS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S")
    assert list_out(table.session) == [2]
    table.talk("3 lay 8S / 4 lay 9S / 1 lay TS / = result loser 4")
    assert list_out(table.session) == [2, 3, 1]
    assert [table.game.went_out(table.state, seat) for seat in range(1, 5)] == [3, 1, 2, 0]


def test_b12_several_out_at_once():
    """B12 (decided): of seats that one event makes out, clockwise from the seat whose turn it is."""
    table = deal("", "7S KS", "8S", "AS QS", "6S", stock="6D", first=4)
    table.talk("4 lay 6S / 1 lay 7S / 2 lay 8S / = waits 3 answer / 3 lay AS / = waits 3 draw")
    assert list_out(table.session) == []
    table.talk("3 draw 6D / = waits 3 lead")
    assert list_out(table.session) == [4, 2]


def test_b12_with_a_stock_nobody_is_out():
    """B12: an empty hand alone is no place; an undo takes the place back."""
    table = deal("", "6S", "7S 8S", "9S TS", stock="6D 7D 8D 9D TD JD QD")
    table.talk("1 lay 6S")
    assert list_out(table.session) == []
    table = deal("", "6S", "7S 8S", "9S TS", stock=0)
    table.talk("1 lay 6S")
    assert list_out(table.session) == [1]
    table.talk("1 undo / 2 agree / 3 agree")
    assert list_out(table.session) == []


def test_b12_a_seat_that_the_arbiter_gives_a_card_is_in_again():
    """B12, T10."""
    table = deal("", "6S", "7S 8S", "9S TS", stock=0)
    table.talk("1 lay 6S / 0 place 6D hand1 / 2 lay 7S")
    assert list_out(table.session) == []
