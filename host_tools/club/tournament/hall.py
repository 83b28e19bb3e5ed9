"""Says what the pages of the hall show: the television, who sits where by name, a player's own page, the search for a
name.
"""

from __future__ import annotations

from host_tools.club.tournament.rounds import is_over
from host_tools.club.tournament.standings import Row
from host_tools.club.tournament.state import State
from host_tools.club.tournament.templates import fill, list_seats
from host_tools.club.tournament.wording import Wording

MOST_FOUND = 40  # names that a search shows


def pairings(state: State, words: Wording) -> str:
    """Who sits where: by name, for who looks for a chair, then by table."""
    return fill("pairings", words, one=state.round)


def screen(state: State, rows: list[Row], words: Wording) -> str:
    """For a television: who sits where by name and by table, the standings; at the end who has won."""
    one = state.round
    return fill("screen", words, state=state, one=one, rows=rows,
                won=[row.name for row in rows if row.rank == 1] if is_over(state) else [],
                open_tables={key[1] for key in state.missing_keys(one)} if one else set())


def player(state: State, rows: list[Row], name: str, words: Wording, me: str = "") -> str:
    """What a player's phone shows: where to sit, and how it stands. me: whose phone it is. Unfit for a stranger."""
    one = state.round
    state.find_player(name)
    seats = {other: (table, seat) for other, table, seat in list_seats(one)} if one else {}
    table, seat = seats.get(name, ("", 0))
    row = next((row for row in rows if row.name == name), None)
    return fill("player", words, one=one, name=name, me=me, table=table, seat=seat, row=row, of=len(rows))


def find_names(state: State, text: str) -> list[str]:
    """The players whose names hold that text, whatever its capitals; those whose name, or surname, begins with it come
    first."""
    sought = " ".join(text.casefold().split())
    found = [name for name in state.players if sought and sought in name.casefold()]
    return sorted(found, key=lambda name: (not any(part.startswith(sought) for part in name.casefold().split()), name))


def find(state: State, text: str, words: Wording) -> str:
    """Who was found, with tables."""
    seated = {name: (table, seat) for name, table, seat in list_seats(state.round)} if state.round else {}
    return fill("find", words, names=find_names(state, text), sought=text.strip()[:40], seated=seated, most=MOST_FOUND)
