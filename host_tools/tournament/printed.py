"""Writes pages to print: pairings, a card with a QR code for each seat, slips, standings, stacked decks."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

import segno

from cardtable.engine.deck import card_name
from host_tools.tournament.deal import make_deck
from host_tools.tournament.director import Director
from host_tools.tournament.plan import Plan
from host_tools.tournament.standings import Row
from host_tools.tournament.state import Round

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


def page(title: str, body: str) -> str:
    """A whole page that needs nothing from elsewhere."""
    return ('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
            f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
            f"{body}\n</body>\n</html>\n")


def make_pages(director: Director, address: str) -> dict[str, str]:
    """The text of each page by its file's name. address: of the served pages; without it, cards have no QR codes."""
    rows = director.standings()
    with director.looking() as state:
        plan, one = state.the_plan(), state.round
        pages = {"standings.html": page(f"{plan.name}: standings", show_rows(rows))}
        if one is not None:
            title = f"{plan.name}: round {one.number}"
            pages["pairings.html"] = page(title, show_pairings(one))
            pages["seats.html"] = page(title, show_seats(plan, one, address))
            pages["slips.html"] = page(title, show_slips(one))
            if plan.is_duplicate:
                for game in range(1, one.games + 1):
                    pages[f"deck-{one.number}-{game}.html"] = page(f"{title}, deck of game {game}",
                                                                   show_deck(plan, one, game))
    return pages


def show_rows(rows: list[Row]) -> str:
    """The standings as a table."""
    heads = ("points", "opponents", "games", "lost", "first")
    lines = "".join(
        f'<tr><td class="number">{row.rank}</td><td>{escape(row.name)}</td>'
        + "".join(f'<td class="number">{getattr(row, head)}</td>' for head in heads) + "</tr>\n" for row in rows)
    titles = "".join(f'<th scope="col" class="number">{head.capitalize()}</th>' for head in heads)
    return ('<table>\n<thead><tr><th scope="col" class="number">Rank</th><th scope="col">Player</th>'
            f"{titles}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>")


def show_pairings(one: Round) -> str:
    """Who sits where: by table, and each player by name."""
    lines = "".join(f"<tr><td><b>{escape(table)}</b></td><td>{escape(', '.join(group))}</td></tr>\n"
                    for table, group in one.groups.items())
    rest = f"<p>Sits out: {escape(', '.join(one.byes))}</p>" if one.byes else ""
    names = sorted((name, table, seat) for table, group in one.groups.items() for seat, name in enumerate(group, 1))
    by_name = "".join(f"<tr><td>{escape(name)}</td><td>{escape(table)}, seat {seat}</td></tr>\n"
                      for name, table, seat in names)
    return ('<table>\n<thead><tr><th scope="col">Table</th><th scope="col">Players, by seat</th></tr></thead>\n'
            f"<tbody>\n{lines}"
            f"</tbody>\n</table>\n{rest}\n<h2>By name</h2>\n<table>\n<thead><tr><th scope=\"col\">Player</th>"
            f'<th scope="col">Seat</th></tr></thead>\n<tbody>\n{by_name}</tbody>\n</table>')


def draw_code(link: str) -> str:
    """A QR code of that link."""
    return segno.make(link, error="m").svg_inline(border=2, scale=4, omitsize=True)


def seat_link(address: str, table: str, name: str) -> str:
    """The page on which a player's phone shows table, seat and standing."""
    return f"{address.rstrip('/')}/player/{quote(name, safe='')}"


def show_seats(plan: Plan, one: Round, address: str) -> str:
    """A card for each seat, to lay on the table."""
    cards = []
    for table, group in one.groups.items():
        for seat, name in enumerate(group, 1):
            code = draw_code(seat_link(address, table, name)) if address else ""
            cards.append(f'<div class="card">{code}<div><b>{escape(name)}</b>{escape(table)}, seat {seat}<br>'
                         f"{escape(plan.name)}, round {one.number}</div></div>")
    return '<div class="cards">\n' + "\n".join(cards) + "\n</div>"


def show_slips(one: Round) -> str:
    """A slip for each game: what a table writes down if its record does not come by itself."""
    slips = []
    for table, group in one.groups.items():
        for game in range(1, one.games + 1):
            places = "".join(f'<p>{place}. <span class="line"></span></p>' for place in range(1, len(group) + 1))
            slips.append(f'<div class="slip"><b>{escape(table)}, round {one.number}, game {game}</b>'
                         f"<p>{escape(', '.join(group))}</p><p>Who went out first, second ... last:</p>{places}"
                         '<p>The twelve letters: <span class="line"></span></p></div>')
    return "\n".join(slips)


def show_deck(plan: Plan, one: Round, game: int) -> str:
    """The stacked deck from the top, ten cards a line."""
    deck = [card_name(card) for card in make_deck(plan, one.number, game)]
    lines = "<br>".join(" ".join(deck[at : at + 10]) for at in range(0, len(deck), 10))
    return ("<p>Secret until the round is over. Stack every deck of this game so, from the top. Deal each hand as one"
            f' packet, the first to seat 1.</p><p class="deck">{lines}</p>')
