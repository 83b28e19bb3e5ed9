"""The bluffer of Cal's BS: three sets in five are false as long as it has many cards, and it seldom doubts (C18)."""

from __future__ import annotations

from host_tools.minds.players.beginner_cals_bs import Rates
from host_tools.minds.players.cals_bs_kind import CalsBsKind


class Bluffer(CalsBsKind):
    """Bluffs at the upper end of the source's 40 to 60 %, doubts at the lower end of its 10 to 30 %."""

    name = "bluffer"
    rates = Rates(early=57, late=20)
    doubts_from = 0.68
    doubts_at_the_end_from = 0.5
