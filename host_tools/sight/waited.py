"""Tells whom the table waits for and for what, and which part each seat has in the bout: all of it public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardtable.engine.hands import count_hand, count_stock
from cardtable.engine.state import SEATS
from cardtable.games import cals_bs, durak
from host_tools.judge.facts.durak import ATTACKER, DEFENDER
from host_tools.judge.sentences import Sentences

MUSTS = {"durak": (durak.WAIT_BEAT, durak.WAIT_BEAT_OR_TRANSFER, durak.WAIT_BEAT_TRANSFER_OR_SHOW),
         "cals-bs": (cals_bs.WAIT_LAY, cals_bs.WAIT_BELIEVE)}  # told first
BEFORE_PLAY = (durak.WAIT_DEAL, durak.WAIT_TURN, durak.WAIT_LEAD)
BETWEEN_BOUTS = (durak.WAIT_DRAW, durak.WAIT_OVER)


def tell_waits(words: Sentences, game: Any, waits: bytes, piles: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A sentence for each thing that the table waits for: `{"seats", "words"}`, first those that must act.

    waits: as the game's `waiting` gives them, public facts alone. piles: of a `view` message.
    """
    by_wait: dict[int, list[int]] = {}
    for seat, wait in enumerate(waits):
        if game is cals_bs and wait == cals_bs.WAIT_ANY and waits[0] == cals_bs.WAIT_PLUS:
            wait = waits[0]  # C12: nobody doubts all fours
        if seat and wait:
            by_wait.setdefault(wait, []).append(seat)
    first = MUSTS.get(game.NAME, ())
    cards = cards_to_beat(piles)
    return [{"seats": by_wait[wait], "words": words.waits(wait, by_wait[wait], cards)}
            for wait in sorted(by_wait, key=lambda wait: wait not in first)]


def cards_to_beat(piles: Sequence[dict[str, Any]]) -> list[str]:
    """The cards on the table that lie open and that nobody has beaten yet."""
    covered = {pile["slot"] for pile in piles if pile["kind"] == "cover"}
    return [card for pile in piles for card in pile["cards"]
            if pile["kind"] == "front" or pile["kind"] == "attack" and pile["slot"] not in covered]


def tell_roles(session: Any, waits: bytes) -> dict[str, str]:
    """The part of each seat that has one, by its number: `attacker`, `defender`, `out`."""
    if session.game is not durak or waits[0] in (0, *BEFORE_PLAY):  # 0: nobody is told who begins
        return {}
    state, roles = session.state, {}
    register = state.register
    if waits[0] not in BETWEEN_BOUTS:
        roles = {str(register[ATTACKER]): "attacker", str(register[DEFENDER]): "defender"}
    if not count_stock(state):
        for seat in range(1, register[SEATS] + 1):
            if not count_hand(state, seat):
                roles[str(seat)] = "out"
    return roles
