"""The doubter of Cal's BS: mostly truthful, and quick to doubt what the odds speak against (C18)."""

from __future__ import annotations

from host_tools.minds.players.beginner_cals_bs import Rates
from host_tools.minds.players.cals_bs_kind import CalsBsKind


class Doubter(CalsBsKind):
    """Bluffs at the lower end of the source's 40 to 60 %, doubts at the upper end of its 10 to 30 %."""

    name = "doubter"
    rates = Rates(early=50, late=8)
    doubts_from = 0.55
    doubts_at_the_end_from = 0.42
