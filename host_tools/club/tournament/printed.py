"""Writes pages to print: pairings, a card with a QR code for each seat, slips, standings, stacked decks."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from urllib.parse import quote

import segno

from cardtable.engine.deck import card_name
from host_tools.club.tournament.deal import make_deck
from host_tools.club.tournament.director import Director
from host_tools.club.tournament.plan import Plan
from host_tools.club.tournament.standings import Row, hundredths
from host_tools.club.tournament.state import Round
from host_tools.club.tournament.wording import Wording

STYLE = """
@page { size: A4; margin: 12mm; }
body { font: 12pt/1.4 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; color: #15181d;
  background: #fff; max-width: 186mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 18pt; margin: 0 0 4mm; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 1mm 3mm 1mm 0; border-bottom: 1px solid #c9ccd3; vertical-align: top; }
td.number, th.number { text-align: right; }
.cards { display: grid; grid-template-columns: 1fr 1fr; gap: 4mm; }
.card { border: 1px solid #15181d; border-radius: 3mm; padding: 4mm; break-inside: avoid; display: flex; gap: 4mm; }
.card b { font-size: 16pt; display: block; }
.card svg { width: 26mm; height: 26mm; flex: none; }
.slip { border: 1px dashed #4a505c; padding: 4mm; margin-bottom: 4mm; break-inside: avoid; }
.line { border-bottom: 1px solid #15181d; display: inline-block; min-width: 60mm; height: 6mm; }
.deck { font: 13pt/1.7 ui-monospace, "DejaVu Sans Mono", monospace; }
@media print { body { margin: 0; padding: 0; } }
"""


def file_name(text: str) -> str:
    """A name as a file may have it: of foreign text only letters, digits and dashes stay."""
    return re.sub(r"[^\w-]+", "-", text).strip("-")[:60] or "table"


def page(title: str, body: str, words: Wording) -> str:
    """A whole page that needs nothing from elsewhere."""
    return (f'<!doctype html>\n<html lang="{words.language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
            f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
            f"{body}\n</body>\n</html>\n")


def make_pages(director: Director, address: str, language: str = "en") -> dict[str, str]:
    """The text of each page by its file's name. address: of the served pages; without it, cards have no QR codes."""
    rows, words = director.standings(), Wording(language)
    with director.looking() as state:
        plan, one = state.the_plan(), state.round
        pages = {"standings.html": page(words.say("print.standings", plan=plan.name), show_rows(rows, words), words)}
        if one is not None:
            title = words.say("print.round", plan=plan.name, number=one.number)
            pages["pairings.html"] = page(title, show_pairings(one, words), words)
            pages["seats.html"] = page(title, show_seats(plan, one, address, words), words)
            pages["slips.html"] = page(title, show_slips(one, words), words)
            if plan.is_duplicate:
                for game in range(1, one.games + 1):
                    pages[f"deck-{one.number}-{game}.html"] = page(
                        words.say("print.deck", title=title, game=game), show_deck(plan, one, game, words), words)
    return pages


def link_player(name: str) -> str:
    """A player's name, leading to the player's own page."""
    return f'<a href="/player/{quote(name, safe="")}">{escape(name)}</a>'


def show_rows(rows: list[Row], words: Wording, show: Callable[[str], str] = escape) -> str:
    """The standings as a table. show: how a name is written."""
    heads = ("points", "opponents", "games", "lost", "first")
    lines = "".join(
        f'<tr><td class="number">{row.rank}</td><td>{show(row.name)}</td>'
        + "".join(f'<td class="number">{number_of(row, head)}</td>' for head in heads) + "</tr>\n" for row in rows)
    titles = "".join(f'<th scope="col" class="number">{words.html("head.lost" if head == "lost" else head)}</th>'
                     for head in heads)
    return (f'<table>\n<thead><tr><th scope="col" class="number">{words.html("rank")}</th>'
            f'<th scope="col">{words.html("player")}</th>{titles}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>')


def number_of(row: Row, head: str) -> str:
    """What stands in that column."""
    return hundredths(row.opponents) if head == "opponents" else str(getattr(row, head))


def list_seats(one: Round) -> list[tuple[str, str, int]]:
    """(name, table, seat) of everybody who is seated, in the order of the alphabet."""
    seats = [(name, table, seat) for table, group in one.groups.items() for seat, name in enumerate(group, 1)]
    return sorted(seats, key=lambda row: (row[0].casefold(), row))


def show_tables(one: Round, words: Wording, show: Callable[[str], str] = escape) -> str:
    """Who sits at each table, by seat. show: how a name is written."""
    lines = "".join(f"<tr><td><b>{escape(table)}</b></td><td>{', '.join(map(show, group))}</td></tr>\n"
                    for table, group in one.groups.items())
    heads = "".join(f'<th scope="col">{words.html(key)}</th>' for key in ("table", "by.seat"))
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>"


def show_pairings(one: Round, words: Wording) -> str:
    """Who sits where: by table, and each player by name."""
    rest = f"<p>{words.html('sits.out', names=', '.join(one.byes))}</p>" if one.byes else ""
    by_name = "".join(f"<tr><td>{escape(name)}</td><td>{words.html('at.seat', table=table, seat=seat)}</td></tr>\n"
                      for name, table, seat in list_seats(one))
    heads = "".join(f'<th scope="col">{words.html(key)}</th>' for key in ("player", "seat.head"))
    return (f"{show_tables(one, words)}\n{rest}\n<h2>{words.html('by.name')}</h2>\n<table>\n"
            f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{by_name}</tbody>\n</table>")


def draw_code(link: str) -> str:
    """A QR code of that link."""
    return segno.make(link, error="m").svg_inline(border=2, scale=4, omitsize=True)


def seat_link(address: str, table: str, name: str) -> str:
    """The page on which a player's phone shows table, seat and standing."""
    return f"{address.rstrip('/')}/player/{quote(name, safe='')}"


def show_seats(plan: Plan, one: Round, address: str, words: Wording) -> str:
    """A card for each seat, to lay on the table."""
    cards = []
    where = words.html("print.seat", plan=plan.name, number=one.number)
    for table, group in one.groups.items():
        for seat, name in enumerate(group, 1):
            code = draw_code(seat_link(address, table, name)) if address else ""
            cards.append(f'<div class="card">{code}<div><b>{escape(name)}</b>'
                         f"{words.html('at.seat', table=table, seat=seat)}<br>{where}</div></div>")
    return '<div class="cards">\n' + "\n".join(cards) + "\n</div>"


def show_slips(one: Round, words: Wording) -> str:
    """A slip for each game: what a table writes down if its record does not come by itself."""
    slips = []
    for table, group in one.groups.items():
        for game in range(1, one.games + 1):
            places = "".join(f'<p>{place}. <span class="line"></span></p>' for place in range(1, len(group) + 1))
            title = words.html("print.slip", table=table, round=one.number, game=game)
            slips.append(f'<div class="slip"><b>{title}</b>'
                         f"<p>{escape(', '.join(group))}</p><p>{words.html('print.order')}</p>{places}"
                         f'<p>{words.html("print.letters")} <span class="line"></span></p></div>')
    return "\n".join(slips)


def show_deck(plan: Plan, one: Round, game: int, words: Wording) -> str:
    """The stacked deck from the top, ten cards a line."""
    deck = [card_name(card) for card in make_deck(plan, one.number, game)]
    lines = "<br>".join(" ".join(deck[at : at + 10]) for at in range(0, len(deck), 10))
    return f'<p>{words.html("print.stack")}</p><p class="deck">{lines}</p>'
