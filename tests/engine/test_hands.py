"""Hands and stock, scanned and counted (T3, T4), and numbers of several bytes in the registers."""

from cardtable.engine import hands, state
from cardtable.engine.state import DEAL, HAND, OWN, STOCK, UNSEEN, State, read_long, write_long


def counted(cards: int) -> State:
    """A table of so many cards, none of them tapped yet."""
    table = State(cards, OWN)
    table.register[DEAL] = 1
    for card in range(cards):
        table.where[card] = STOCK
    return table


def test_t4_cards_are_counted_until_they_are_tapped():
    """T4: a hand is a number; a card that is tapped becomes known, and the number is one less."""
    table = counted(10)
    assert hands.fill(table, 1, 6) == 6 and hands.fill(table, 2, 6) == 4, "the stock has no more"
    assert (hands.count_hand(table, 1), hands.count_hand(table, 2), hands.count_stock(table)) == (6, 4, 0)
    hands.reveal(table, 2, 7)
    assert table.where[7] == HAND + 2 and table.register[UNSEEN + 2] == 3 and hands.count_hand(table, 2) == 4
    hands.reveal(table, 2, 7)
    assert table.register[UNSEEN + 2] == 3, "known once is known"
    assert hands.count_stock(table) == 0


def test_t4_who_can_hold_a_card():
    """T4: an unseen card may be in any hand that still has one; a known card is where it is."""
    table = counted(4)
    hands.fill(table, 1, 1)
    assert hands.holds(table, 1, 0) and hands.holds(table, 1, 3) and not hands.holds(table, 2, 0)
    hands.reveal(table, 1, 3)
    assert hands.holds(table, 1, 3) and not hands.holds(table, 1, 0)
    hands.fill(table, 2, 2)
    assert hands.holds(table, 2, 0) and not hands.holds(table, 2, 3)


def test_t3_scanned_hands_are_what_lies_there():
    """T3: with deal=scanned nothing is unseen: a card at STOCK is in no hand."""
    table = State(3, OWN)
    table.where[0] = HAND + 1
    table.where[1] = table.where[2] = STOCK
    assert (hands.count_hand(table, 1), hands.count_stock(table)) == (1, 2)
    assert hands.holds(table, 1, 0) and not hands.holds(table, 1, 1) and not hands.is_counted(table)


def test_numbers_repeated_for_the_compiler():
    """engine/hands.py repeats places and registers: a bytearray and the private numbers agree."""
    assert hands.IN_STOCK == bytes([STOCK]) and hands.IN_HAND[3] == bytes([HAND + 3])
    table = counted(1)
    table.register[UNSEEN + 7] = 1
    assert hands.count_unseen(table.register) == 1 and hands.count_hand(table, 7) == 1
    assert state.OPTION + 2 * 22 == UNSEEN, "22 options fit"


def test_four_bytes():
    """Times in ms, up to 2^30 - 1."""
    register = bytearray(8)
    for number in (0, 1, 255, 256, 65536, (1 << 30) - 1):
        write_long(register, 2, number)
        assert read_long(register, 2) == number and register[:2] == bytes(2) and register[6:] == bytes(2)
