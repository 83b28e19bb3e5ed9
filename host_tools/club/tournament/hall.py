"""Writes the pages of the hall: the television, who sits where by name, a player's own page, the search for a name."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from host_tools.club.tournament.pages import scroll, show_clock
from host_tools.club.tournament.printed import link_player, list_seats, show_rows, show_tables
from host_tools.club.tournament.rounds import is_over
from host_tools.club.tournament.standings import Row
from host_tools.club.tournament.state import Round, State
from host_tools.club.tournament.wording import Wording

MOST_FOUND = 40  # names that a search shows


def pairings(state: State, words: Wording) -> str:
    """Who sits where: by name, for who looks for a chair, then by table."""
    one = state.round
    if one is None:
        return f"<p>{words.html('round.none')}</p>"
    rest = f"<p>{words.html('sits.out', names=', '.join(one.byes))}</p>" if one.byes else ""
    tables = show_tables(one, words, link_player)
    return (f'{rest}<h2>{words.html("by.name")}</h2>{show_names(one, words)}'
            f'<h2>{words.html("by.table")}</h2>{scroll(tables, "by.table", words)}')


def show_names(one: Round, words: Wording, has_seats: bool = True) -> str:
    """A list of names with their tables, in the order of the alphabet. has_seats: and with their seats."""
    lines = ""
    for name, table, seat in list_seats(one):
        where = words.html("at.seat", table=table, seat=seat) if has_seats else escape(table)
        lines += f"<li>{link_player(name)} <b>{where}</b></li>"
    return f'<ul class="names">{lines}</ul>'


def screen(state: State, rows: list[Row], words: Wording) -> str:
    """For a television, in parts that live.js turns like pages: who sits where by name and by table, the standings; at
    the end who has won."""
    one = state.round
    if one is None:
        return f"<p>{words.html('round.none')}</p>"
    table = f'<section data-turn="tbody tr"><h2>{words.html("menu.standings")}</h2>{show_rows(rows, words)}</section>'
    if is_over(state) and rows:
        names = ", ".join(row.name for row in rows if row.rank == 1)
        return f"<p><b>{words.html('over.won', names=names)}</b></p>{table}"
    open_tables = {key[1] for key in state.missing_keys(one)}
    marks = {table: "" if table in open_tables else " class=done" for table in one.groups}
    cells = "".join(f"<li{marks[table]}><h3>{escape(table)}</h3><p>{escape('; '.join(group))}</p></li>"
                    for table, group in one.groups.items())
    rest = f"<p>{words.html('sits.out', names=', '.join(one.byes))}</p>" if one.byes else ""
    parts = [f'<section data-turn="li"><h2>{words.html("by.name")}</h2>{show_names(one, words, False)}</section>',
             f'<section data-turn="li"><h2>{words.html("by.table")}</h2><ul class="tables">{cells}</ul></section>']
    clock = f"{words.html('round.clock', number=one.number)} {show_clock(state, one, words)}"
    return f'<p>{clock} <span class="turned"></span></p>{rest}{"".join(parts)}{table if rows else ""}'


def player(state: State, rows: list[Row], name: str, words: Wording, me: str = "") -> str:
    """What a player's phone shows: where to sit, and how it stands. me: whose phone it is."""
    one = state.round
    state.find_player(name)
    seats = [(table, seat) for table, group in (one.groups.items() if one else ())
             for seat, other in enumerate(group, 1) if other == name]
    text = f"<p>{words.html('you.out', number=one.number if one else 0)}</p>"
    if one is None:
        text = f"<p>{words.html('round.none')}</p>"
    elif seats:
        table, seat = seats[0]
        others = ", ".join(link_player(other) for other in one.groups[table] if other != name)
        text = (f"<p>{words.html('round', number=one.number)}:"
                f" <b>{words.html('at.seat', table=table, seat=seat)}</b></p>"
                f"<p>{words.html('you.play', names='@').replace('@', others)}</p>")
    row = next((row for row in rows if row.name == name), None)
    if row is not None:
        text += f"<p>{words.html('you.rank', rank=row.rank, of=len(rows), points=row.points, games=row.games)}</p>"
    if name != me:
        text += f'<p><a href="/player/{quote(name, safe="")}?me=yes">{words.html("you.are")}</a></p>'
    return text


def find_names(state: State, text: str) -> list[str]:
    """The players whose names hold that text, whatever its capitals; those whose name, or surname, begins with it come
    first."""
    sought = " ".join(text.casefold().split())
    found = [name for name in state.players if sought and sought in name.casefold()]
    return sorted(found, key=lambda name: (not any(part.startswith(sought) for part in name.casefold().split()), name))


def find(state: State, text: str, words: Wording) -> str:
    """Who was found, with tables."""
    names = find_names(state, text)
    if not names:
        return f"<p>{words.html('find.none', name=text.strip()[:40])}</p>"
    seated = {name: (table, seat) for name, table, seat in list_seats(state.round)} if state.round else {}
    lines = "".join(
        f"<li>{link_player(name)}"
        + (f" <b>{words.html('at.seat', table=seated[name][0], seat=seated[name][1])}</b>" if name in seated else "")
        + "</li>" for name in names[:MOST_FOUND])
    more = f"<p>{words.html('find.more', count=len(names) - MOST_FOUND)}</p>" if len(names) > MOST_FOUND else ""
    return f'<ul class="names">{lines}</ul>{more}'
