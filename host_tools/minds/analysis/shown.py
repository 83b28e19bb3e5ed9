"""What the seats of Cal's BS have shown of how they play: whether they lie and doubt as those do who search.

Guesses are played by fixed rates (C18). Who searches lies less, doubts more, and beats others the more surely, the less
they do so themselves. Each set and each doubt is evidence: the logarithm of how much more often those who search do
such a thing. Of its own sets a seat knows all, of the others' those that a doubt opened.
"""

from __future__ import annotations

import math
from typing import Any

# How often those who search do it, and how often the other kinds: by the games to which the line is fitted.
_TRUE = 0.83, 0.51  # an own set is true
_OPENED_TRUE = 0.80, 0.45  # one that a doubt has opened was
_DOUBTS = 0.39, 0.14  # another's set is doubted
_RIGHT = 0.28, 0.50  # a doubt was right
_MOST = 5.0  # so much evidence is enough; more of it is the same
_MANY = 30  # sets of all: a game that is longer is as long as that
COUNT = 8  # numbers


def weigh(rates: tuple[float, float], yes: int, no: int) -> float:
    """The evidence of so many times that it was so, and that it was not."""
    search, others = rates
    return yes * math.log(search / others) + no * math.log((1 - search) / (1 - others))


def find_shown(memory: Any, seats: int, seat: int) -> tuple[float, ...]:
    """COUNT numbers as a line takes them: the evidence of the seat's sets, of how often it doubts and how often it is
    right, the means of the same of the others, all evidence of the one that has shown most, and how many sets there
    were. memory: a CalsBsMemory of that seat."""
    whole, rows = sum(memory.laid), []
    for one in range(1, seats + 1):
        wrong, right = memory.doubts[one]
        rates, (false, true) = (_TRUE, memory.own) if one == seat else (_OPENED_TRUE, memory.lies[one])
        doubts = weigh(_DOUBTS, wrong + right, max(0, whole - memory.laid[one] - wrong - right))
        rows.append((weigh(rates, true, false), doubts, weigh(_RIGHT, right, wrong)))
    own = rows.pop(seat - 1)
    most = max(sum(row) for row in rows)
    means = (sum(bound(row[at]) for row in rows) / len(rows) for at in range(3))
    return *map(bound, own), *means, bound(most), min(_MANY, whole) / _MANY


def bound(evidence: float) -> float:
    """As a line takes it: from -1 to 1."""
    return min(_MOST, max(-_MOST, evidence)) / _MOST
