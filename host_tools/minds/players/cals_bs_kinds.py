"""Kinds of Cal's BS player by the rates of C18: how often they bluff, and from what odds on they doubt."""

from __future__ import annotations

from host_tools.minds.players.beginner_cals_bs import Rates
from host_tools.minds.players.cals_bs_kind import CalsBsKind


class Bluffer(CalsBsKind):
    """Three sets in five are false as long as it has many cards, the upper end of the source's 40 to 60 %; it seldom
    doubts, at the lower end of 10 to 30 %."""

    name = "bluffer"
    rates = Rates(early=57, late=20)
    doubts_from = 0.68
    doubts_at_the_end_from = 0.5


class Doubter(CalsBsKind):
    """Mostly truthful, at the lower end of the source's 40 to 60 %; it doubts what the odds speak against, at the upper
    end of 10 to 30 %."""

    name = "doubter"
    rates = Rates(early=50, late=8)
    doubts_from = 0.55
    doubts_at_the_end_from = 0.42


class Sceptic(CalsBsKind):
    """Adviser of the search, and no player of its own: nobody chooses it by name.

    The rates are those that won most against the doubter and against each other. A wrong doubt costs the pile, but a
    set that nobody doubts mostly leaves the lead where it is, so it pays to doubt sooner than at even odds.
    """

    rates = Rates(early=20, late=8)
    doubts_from = 0.4
    doubts_at_the_end_from = 0.4
