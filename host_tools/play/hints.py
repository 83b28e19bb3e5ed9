"""Hints at a live table: who may ask for one, and the position that it is about. Called in the table's thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardtable.engine.hands import is_counted
from cardtable.engine.state import CLOCKS
from host_tools.judge.nearest import tell_nearest
from host_tools.play.seating import BOT, HERE, PHONE
from host_tools.sight.seen import Seen, look

ALONE, ALL = 2, 3  # values of `hints` (T15)


def with_hints(game: str, players: Sequence[str]) -> str:
    """The `game:` line, with hints on demand if one person plays alone against virtual players and it says nothing of
    them. players: `who` of each seat."""
    people = [who for who in players if not who.startswith(BOT)]
    is_alone = len(people) == 1 and people[0] == HERE and len(players) > 1
    return f"{game} hints=alone" if is_alone and " hints=" not in game else game


def gives_hints(table: Any) -> bool:
    """Whether the game that goes on at this table gives hints to who asks. Nobody here knows a hand of real cards that
    is only counted."""
    if not table.is_playing or table.is_real and is_counted(table.session.state):
        return False
    asked = table.session.state.register[CLOCKS]
    return asked == ALL or asked == ALONE and count_people(table) < 2


def count_people(table: Any) -> int:
    """How many seats of this game people play."""
    chairs = table.seating.chairs
    return sum(chairs[seat].who in (HERE, PHONE) and not chairs[seat].stands_in
               for seat in range(1, len(table.header.seats) + 1))


def see_for(table: Any, seat: int) -> Seen:
    """All that the seat knows now."""
    log = tuple(table.follower.logs[seat])
    return look(table.session, seat, table.now_ms, table.cards.hand(seat), log)


def say_what_may_be_played(table: Any, seat: int, language: str) -> str:
    """The first step of a hint."""
    scene = table.scene()
    return tell_nearest(table.game, table.session.state, seat, scene.hand(seat), scene.course.speaker(language),
                        table.now_ms)
