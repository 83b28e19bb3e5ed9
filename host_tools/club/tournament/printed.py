"""Writes pages to print: pairings, a card with a QR code for each seat, slips, standings, stacked decks."""

from __future__ import annotations


import segno

from cardtable.engine.deck import card_name
from host_tools.club.tournament.deal import make_deck
from host_tools.club.tournament.director import Director
from host_tools.club.tournament.templates import fill, in_path
from host_tools.club.tournament.wording import Wording


def make_pages(director: Director, address: str, language: str = "en") -> dict[str, str]:
    """The text of each page by its file's name. address: of the served pages; without it, cards have no QR codes."""
    rows, words = director.standings(), Wording(language)
    with director.looking() as state:
        plan, one = state.the_plan(), state.round
        title = words.say("print.standings", plan=plan.name)
        pages: dict[str, str] = {"standings.html": fill("print_standings", words, title=title, rows=rows)}
        if one is not None:
            title = words.say("print.round", plan=plan.name, number=one.number)
            for name in ("pairings", "seats", "slips"):
                pages[f"{name}.html"] = fill(f"print_{name}", words, title=title, plan=plan, one=one, address=address,
                                             draw_code=draw_code)
            for game in range(1, one.games + 1) if plan.is_duplicate else ():
                deck = [card_name(card) for card in make_deck(plan, one.number, game)]
                pages[f"deck-{one.number}-{game}.html"] = fill(
                    "print_deck", words, title=words.say("print.deck", title=title, game=game), deck=deck)
    return pages


def draw_code(address: str, name: str) -> str:
    """A QR code of the page on which a player's phone shows table, seat and standing."""
    link = f"{address.rstrip('/')}/player/{in_path(name)}"
    return segno.make(link, error="m").svg_inline(border=2, scale=4, omitsize=True)
