"""What the search starts from in Cal's BS: mostly truthful, and quicker to doubt than the source advises (C18)."""

from __future__ import annotations

from host_tools.minds.players.beginner_cals_bs import Rates
from host_tools.minds.players.cals_bs_kind import CalsBsKind


class Sceptic(CalsBsKind):
    """Adviser of the search, and no player of its own: nobody chooses it by name.

    The rates are those that won most against the doubter and against each other. A wrong doubt costs the pile, but a
    set that nobody doubts mostly leaves the lead where it is, so it pays to doubt sooner than at even odds.
    """

    rates = Rates(early=20, late=8)
    doubts_from = 0.4
    doubts_at_the_end_from = 0.4
