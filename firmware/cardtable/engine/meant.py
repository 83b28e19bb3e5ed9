"""What a tap was meant as: the one rule by which the table orders the meanings that a card can have.

The nearest comes first: it is offered first, and where no meaning is legal it is the one whose refusal is told. A game
says how near each is (docs/rules/durak.md, "What a tap is meant as"); no game orders its meanings otherwise.
"""

from micropython import const

CLOSED = const(0)  # what the table asks of nobody now, or what few cards could do
ASKED = const(1)  # what the table asks for, and another card would do
SAME_SUIT = const(2)  # the card answers one of its own suit
SAME_RANK = const(3)  # the card has the very rank that this asks for


def put_nearest_first(state, meanings: list, nearness) -> int:
    """Bring the nearest of the packed events to the front, in place; of equally near ones the first. How near it is.

    nearness(state, packed): one of the numbers above.
    """
    best = 0
    most = -1
    for index in range(len(meanings)):
        near = nearness(state, meanings[index])
        if near > most:
            most = near
            best = index
    if best:
        meanings.insert(0, meanings.pop(best))
    return most
