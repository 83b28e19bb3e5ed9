"""Counts hands and stock, and says who can hold a card, scanned or counted (T3, T4).

With deal=counted players do not tap dealt and drawn cards: an untapped card lies at STOCK, whether it is in the
stock or in a hand, and UNSEEN + seat tells how many such cards a hand has. With deal=scanned those numbers are 0, so
the same questions serve both.
"""

from micropython import const

from cardtable.engine.state import DEAL, State

# engine/state.py again, as numbers that the compiler can fold (a test holds them equal).
_STOCK = const(1)
_HAND = const(8)
_UNSEEN = const(52)

IN_HAND = tuple([bytes([_HAND + seat]) for seat in range(8)])  # what bytearray.count takes in MicroPython
IN_STOCK = bytes([_STOCK])


def is_counted(state: State) -> bool:
    """T4: whether deal and draws are counted, not tapped."""
    return state.register[DEAL] == 1


def count_hand(state: State, seat: int) -> int:
    """How many cards the seat holds, tapped before or not."""
    return state.where.count(IN_HAND[seat]) + state.register[_UNSEEN + seat]


def count_unseen(register: bytearray) -> int:
    """How many cards of all hands are still untapped."""
    count = 0
    for at in range(_UNSEEN + 1, _UNSEEN + 8):
        count += register[at]
    return count


def count_stock(state: State) -> int:
    """How many cards can still be drawn."""
    count = state.where.count(IN_STOCK)
    return count - count_unseen(state.register) if state.register[DEAL] else count


def holds(state: State, seat: int, card: int) -> bool:
    """Whether the seat can hold the card: it is known to, or the card is unseen and may be there."""
    place = state.where[card]
    return place == _HAND + seat or (place == _STOCK and state.register[_UNSEEN + seat] > 0)


def reveal(state: State, seat: int, card: int) -> None:
    """T4: the card that the seat has tapped is known from now on; nothing happens if it was before."""
    if state.where[card] == _STOCK:
        assert state.register[_UNSEEN + seat]
        state.where[card] = _HAND + seat
        state.register[_UNSEEN + seat] -= 1


def fill(state: State, seat: int, count: int) -> int:
    """T4: so many cards come from the stock into the hand, as long as there are any; how many came."""
    came = min(count, count_stock(state))
    state.register[_UNSEEN + seat] += came
    return came
