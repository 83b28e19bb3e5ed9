"""Owns duplicate deals: every table plays the same stacked deck, and its record shows card by card whether it did.

The deck of a game follows from the tournament's secret seed; only who stacks it may see it before the
round is over. Hands are dealt in packets, the first to seat 1, and so on; then the stock, from the top.
"""

from __future__ import annotations

import hashlib

from cardtable.engine.deck import card_name
from cardtable.engine.session import Session
from host_tools.minds.arena.plan import read_game
from host_tools.base.random_play import Random, make_header
from host_tools.club.tournament.plan import Plan
from host_tools.club.tournament.results import Game
from host_tools.club.tournament.state import Key


def make_deck(plan: Plan, round: int, game: int) -> list[int]:
    """The cards of that game from the top."""
    session = Session(read_game(plan.game), make_header(plan.game, plan.best))
    cards = [card for card in range(session.game.CARDS) if session.state.where[card]]
    number = hashlib.sha256(f"{plan.seed} {plan.name} {round} {game}".encode()).digest()
    Random(int.from_bytes(number[:4], "big")).shuffle(cards)
    return cards


def compare_deal(plan: Plan, key: Key, game: Game) -> str:
    """What differs from the deal of that game; an empty text if the table played it."""
    deck = make_deck(plan, key[0], key[2])
    if not game.dealt:
        return "no card of the deal was tapped, so nothing shows that it was the deal of the other tables"
    at = 0
    for seat in sorted(game.dealt):
        cards = game.dealt[seat]
        for card in cards:
            if card not in deck[at : at + len(cards)]:
                return f"seat {seat} was dealt {card_name(card)}, and the deal gives that card to somebody else"
        at += len(cards)
    for number, card in enumerate(game.drawn, at):
        if card != deck[number]:
            return f"card {number + 1} of the deck was {card_name(card)}, and the deal has {card_name(deck[number])}"
    return ""
