"""Draws one moment of a game as SVG, for paper: every pile that the reader sees, with its name, in the words of the
answer. A screenshot of the table's own page is a PNG instead, made by a browser.
"""

from __future__ import annotations

from typing import Any

from host_tools.maker.board.svg import Sheet

WIDTH = 960
CARD_W, CARD_H = 44, 60
GAP, LABEL = 12, 20
MARGIN = 16
RED, BLACK, BACK, TURN = "#b3001b", "#15181d", "#3c5a86", "#0b5fa5"
_PAIR = ("attack", "cover")


def draw(found: dict[str, Any]) -> str:
    """The table of an answer (host_tools/look/answer.py) as an SVG file."""
    sheet = Sheet(WIDTH)
    words = {pile["place"]: pile for pile in found["state"]["piles"]}
    piles = [{**pile, **words[pile["place"]]} for pile in found["view"]["piles"]]
    hands = [pile for pile in piles if pile["kind"] == "hand"]
    y = draw_row(sheet, groups_of([pile for pile in piles if pile["kind"] != "hand"]), MARGIN)
    sheet.box(MARGIN, y, WIDTH - 2 * MARGIN, 1, "#c9ccd3", "#c9ccd3", 0, 0)
    y += GAP
    for pile in hands:
        y = draw_hand(sheet, pile, y, pile["seat"] in found["view"]["turn"])
    return sheet.finish(y + 4, f"{found['title']}. {found['headline']}: {found['tried']}")


def groups_of(piles: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Piles that lie together: an attack with the card that covers it."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for pile in piles:
        key = f"bout{pile['slot']}" if pile["kind"] in _PAIR else pile["place"]
        groups.setdefault(key, []).append(pile)
    return list(groups.values())


def width_of(pile: dict[str, Any]) -> float:
    """How wide a pile is: face-down cards are one back."""
    shown = len(pile["cards"]) + (1 if pile["hidden"] else 0)
    return CARD_W + max(0, shown - 1) * step_of(shown)


def step_of(shown: int) -> float:
    """How far the cards of a pile lie apart."""
    return min(CARD_W + 2, (WIDTH - 2 * MARGIN - 190 - CARD_W) / max(1, shown - 1))


def draw_row(sheet: Sheet, groups: list[list[dict[str, Any]]], y: float) -> float:
    """Groups side by side, in as many rows as they need; where the next thing can begin."""
    x: float = MARGIN
    row_h = LABEL + CARD_H + 18 + GAP
    for group in groups:
        label = group[0]["name"]
        width = max(max(map(width_of, group)) + (12 if len(group) > 1 else 0), 6.6 * len(label)) + GAP
        if x + width > WIDTH - MARGIN and x > MARGIN:
            x, y = MARGIN, y + row_h
        sheet.text(x, y + 12, label, 11, colour="#4a505c")
        for index, pile in enumerate(group):
            draw_cards(sheet, pile, x + 12 * index, y + LABEL + 16 * index)
        x += width
    return y + (row_h if groups else 0)


def draw_hand(sheet: Sheet, pile: dict[str, Any], y: float, has_turn: bool) -> float:
    """One hand: its name, a mark if it is that player's turn, its cards."""
    if has_turn:
        sheet.dot(MARGIN + 6, y + 26, 6, TURN)
    sheet.text(MARGIN + 18, y + 31, pile["name"], 14, bold=has_turn)
    draw_cards(sheet, pile, MARGIN + 190, y)
    return y + CARD_H + 10


def draw_cards(sheet: Sheet, pile: dict[str, Any], x: float, y: float) -> None:
    """A pile's cards from left to right; one back, with a number, stands for all that lie face down."""
    step = step_of(len(pile["cards"]) + (1 if pile["hidden"] else 0))
    if pile["hidden"]:
        sheet.box(x, y, CARD_W, CARD_H, BACK, "#20304a")
        sheet.text(x + CARD_W / 2, y + CARD_H / 2 + 6, str(pile["hidden"]), 16, "middle", "#fff", True)
        x += step
    for card in pile["cards"]:
        sheet.box(x, y, CARD_W, CARD_H, "#fff", "#30343c")
        colour = RED if card[-1] in "♥♦" or card in ("★r", "★к") else BLACK
        sheet.text(x + 5, y + 18, card[:-1] if card[0] != "★" else "★", 15, colour=colour, bold=True)
        sheet.text(x + 5, y + 36, card[-1], 17, colour=colour)
        x += step
