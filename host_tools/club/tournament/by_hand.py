"""Enters and corrects results by hand, for the command line and for the pages."""

from __future__ import annotations

from host_tools.base.foreign import shorten
from host_tools.club.tournament.director import Director
from host_tools.club.tournament.intake import Receipt, enter
from host_tools.club.tournament.people import check_reason
from host_tools.club.tournament.results import Outcome
from host_tools.club.tournament.state import Key, State, Unfit, tell_key
from host_tools.club.tournament.typed import read_places

Where = tuple[int | None, str, int | None]  # round, table, game; None is the usual one


def find_key(state: State, where: Where, has_result: bool) -> Key:
    """The game that is meant: of the last round, the first one without a result, or the only one with one. Unfit, also
    where several have one: the wrong one would be corrected."""
    number, table, game = where
    if state.round is None:
        raise Unfit("none.seated")
    number = number or state.round.number
    one = state.rounds[number - 1] if number <= len(state.rounds) else None
    if one is None or table not in one.groups:
        no_table = Unfit("no.table", number=number, table=repr(shorten(table)))
        raise no_table if one else Unfit("no.such.round", number=number)
    if game is None:
        games = [at for at in range(1, one.games + 1) if ((number, table, at) in state.results) == has_result]
        if has_result and len(games) > 1:
            raise Unfit("say.game", table=table, count=len(games), number=number)
        game = games[0] if games else one.games
    key = (number, table, game)
    state.find_group(key)
    return key


def read_where(director: Director, where: Where, places: str, lost: str | None, is_draw: bool, has_result: bool
               ) -> tuple[Key, Outcome]:
    """Which game, and what it brought. UnusableInput."""
    with director.looking() as state:
        key = find_key(state, where, has_result)
        group = state.find_group(key)
    losers = None if lost is None else [name for name in lost.split(";") if name.strip()]
    return key, read_places(places, group, losers, is_draw)


def enter_places(director: Director, who: str, where: Where, places: str, lost: str | None, is_draw: bool, letters: str
                 ) -> Receipt:
    """A result from a slip. UnusableInput."""
    key, outcome = read_where(director, where, places, lost, is_draw, has_result=False)
    return enter(director, who, key, outcome, letters)


def correct_places(director: Director, who: str, where: Where, places: str, lost: str | None, is_draw: bool, reason: str
                   ) -> str:
    """Another result in the place of one that counts; a sentence. UnusableInput."""
    reason = check_reason(reason)
    key, outcome = read_where(director, where, places, lost, is_draw, has_result=True)
    director.act(who, "corrected", key=list(key), outcome=outcome.as_data(), reason=reason)
    return f"{tell_key(key)} now counts as: {outcome.tell()}."
