"""The manners that all players share in every game: agree to an undo, and say honestly who begins."""

from __future__ import annotations

from cardtable.engine.deck import SUIT
from cardtable.engine.event import AGREE, LEAD
from cardtable.games import durak
from host_tools.judge.facts.durak import DurakTable
from host_tools.sight.seen import Choice, Player, Seen

_AGREE_MS = 800
_QUICKEST_LEAD_MS = 400
_LEAD_STEP_MS = 60


def courtesy(player: Player, seen: Seen) -> Choice | None:
    """The answer to a question that is no part of the play; None if there is none."""
    agree = seen.named(AGREE)
    if agree:
        return Choice(agree[0], _AGREE_MS + player.chance(seen.view).below(1200))
    lead = seen.named(LEAD)
    if lead:
        return Choice(lead[0], _QUICKEST_LEAD_MS + lead_ms(seen))
    return None


def lead_ms(seen: Seen) -> int:
    """D5 without a table that knows the hands: the lower the lowest trump, the sooner its holder speaks up. Ms."""
    if seen.game.NAME != durak.NAME:
        return 0
    table = DurakTable(seen)
    worth = [durak.power(table.state, card) + (0 if SUIT[card] == table.trump else 20) for card in seen.hand]
    return _LEAD_STEP_MS * min(worth) + (seen.seat - table.dealer - 1) % table.seats
