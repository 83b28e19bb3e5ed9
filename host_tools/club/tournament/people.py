"""Adds players to a tournament, all or none, and checks the reasons that people give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from host_tools.base.foreign import shorten
from host_tools.club.tournament.director import Director, Draft
from host_tools.club.tournament.plan import check_name
from host_tools.club.tournament.refused import Unfit
from host_tools.club.tournament.state import State

REASON_LENGTH = 200
ADDRESS_LENGTH = 200


def add_players(director: Director, who: str, players: Sequence[tuple[str, str, str]], has_paid: bool = True) -> int:
    """Add (name, club, team) of each; how many players are there now. UnusableInput if one cannot come."""
    drafts: list[Draft] = []
    for name, club, team in players:
        data = {"name": check_name(name, "name"), "club": club and check_name(club, "club"),
                "team": team and check_name(team, "team"), "has_paid": has_paid}
        drafts.append(("player added", data))

    def work(state: State) -> tuple[list[Draft], list[dict[str, Any]], int]:
        return drafts, [], len(state.present()) + len(drafts)

    return director.transact(who, work)[1]


def check_address(text: str, what: str) -> str:
    """An address of pages. UnusableInput."""
    if not (text.startswith(("http://", "https://")) and text.isprintable() and len(text) <= ADDRESS_LENGTH):
        raise Unfit("no.address", what=what, text=repr(shorten(text)))
    return text


def check_reason(reason: str) -> str:
    """The reason as the log keeps it. UnusableInput."""
    reason = " ".join(reason.split()) if reason.isprintable() else ""
    if not reason or len(reason) > REASON_LENGTH:
        raise Unfit("no.reason", text=repr(shorten(reason)) if reason else Unfit("nothing"), count=REASON_LENGTH)
    return reason
