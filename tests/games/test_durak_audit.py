"""Durak, what audit says of states that cannot be (T1, T10): a bit for each thing."""

from tests.games.durak_table import deal

from cardtable.engine.deck import card_number
from cardtable.engine.state import OWN, find_place

_TURN_TO_THROW = OWN + 3  # the register of the seat whose turn it is (games/durak.py)


def audit_with(table, name: str, place) -> int:
    """What audit says with that card put there, which is undone again; `place`: a name or a number."""
    card = card_number(name)
    saved = table.state.save()
    table.game.put(table.state, card, find_place(table.game, place) if isinstance(place, str) else place)
    wrong = table.game.audit(table.state)
    table.state.load(saved)
    return wrong


def test_t11_every_seat_sees_how_many_cards_each_hand_has():
    """T11, D47: each hand, that of the first seat and of the last, what can be drawn, and the discard."""
    table = deal("throw-in", "6S 6H 7D", "7S 8S", "TS JS QS KS", trump="9D", stock="AC AH 9D")
    discarded = len(table.cards("discard"))
    for seat in range(4):
        counts = list(table.game.view(table.state, seat)[table.game.CARDS :][:10])
        assert counts == [0, 3, 2, 4, 0, 0, 0, 0, 3, discarded]


def test_t10_audit_names_what_cannot_be():
    """T10: places that no card can have, two cards in one, a gap, a cover over nothing."""
    table = deal("throw-in", "6S 6H", "7S 8S", trump="9D", stock="AC AH 9D")
    table.talk("1 attack 6S")
    for place in ("stock", "discard", "hand1", "hand2", "cover1", "attack2"):
        assert audit_with(table, "8S", place) == 0, place
    assert audit_with(table, "8S", "hand3") == 1
    for place in (4, 5, 6, 7, 8, 70, 79):
        assert audit_with(table, "8S", place) & 1, place
    assert audit_with(table, "8S", "turned") == 2
    assert audit_with(table, "8S", "attack1") & 2
    assert audit_with(table, "8S", "attack3") == 4
    assert audit_with(table, "8S", "cover2") == 8
    assert audit_with(table, "8S", "attack54") == 4 and audit_with(table, "8S", "cover54") == 8


def test_t10_audit_names_a_turn_without_right():
    """T10, D16: the seat whose turn it is to throw in has no card."""
    table = deal("throw-in", "6S 6H", "7S 8S", trump="9D", stock="AC AH 9D")
    table.talk("1 attack 6S")
    assert audit_with(table, "6H", "discard") == 32
    assert audit_with(table, "6H", "stock") == 32


def test_t1_audit_names_a_turn_of_a_seat_that_throws_in_nothing():
    """T1, D16: the defender has cards, and no right to throw in."""
    table = deal("throw-in", "6S 6H", "7S 8S", trump="9D", stock="AC AH 9D")
    table.talk("1 attack 6S")
    assert table.state.register[_TURN_TO_THROW] == 1 and table.game.audit(table.state) == 0
    table.state.register[_TURN_TO_THROW] = 2
    assert table.game.audit(table.state) == 32


def test_t10_audit_names_a_wrong_drawer():
    """T10, D24: the seat that is due has a full hand, or the stock is empty."""
    table = deal("throw-in", "6S KH QH JH TH 9H", "7S 8S", trump="9D", stock="AC 9D")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 done / = waits 1 draw")
    assert audit_with(table, "AC", "discard") == 0
    assert audit_with(table, "7S", "hand1") == 64
    table.talk("0 place AC discard")
    assert audit_with(table, "9D", "discard") == 64


def test_t1_audit_holds_the_two_ways_to_say_where_cards_lie_together():
    """T1: places, and the rows of the bout, tell the same."""
    table = deal("throw-in", "6S 6H", "7S 8S", trump="9D", stock=0)
    table.talk("1 attack 6S")
    where = table.state.where
    place = where[card_number("6S")]
    where[card_number("6S")] = where[card_number("8S")]
    assert table.game.audit(table.state) & 128
    where[card_number("6S")] = place
    assert table.game.audit(table.state) == 0
    where[card_number("8S")] = place + 1
    assert table.game.audit(table.state) & 128
