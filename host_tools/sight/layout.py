"""Lays out the piles for one viewer, with the cards that this viewer may see.

Which cards those are says the game's own `view`; nothing else of the state is asked but how many cards lie in a place,
which everybody can count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cardtable.engine.deck import card_name
from cardtable.engine.hands import count_hand, count_stock
from cardtable.engine.state import HAND, NOWHERE, SEATS, STOCK, place_name

FACE_DOWN = ("stock", "discard", "payoff")  # kinds of piles whose cards stay face down, even where they are known

_NUMBERED = re.compile(r"(.*?)(\d*)$")


@dataclass
class Pile:
    """One place with cards. `cards` are those that the viewer sees, in order; the other `count - len(cards)` lie face
    down."""

    place: str
    kind: str
    seat: int
    slot: int
    count: int
    cards: list[str] = field(default_factory=list)
    reader: int = 0

    def as_message(self) -> dict[str, Any]:
        """As docs/play-protocol.md has it."""
        return dict(vars(self))


def lay_out(session: Any, seats: Iterable[int], held: Mapping[int, list[int]], order: Mapping[int, int]) -> list[Pile]:
    """The piles as the seats together see them (none: the public).

    held: the cards of those seats' hands, also where the table only counts them (T4). order: card -> when it came to
    its place; a pile shows its cards in that order, a hand in the order of the deck.
    """
    game, state = session.game, session.state
    viewers = list(seats)
    views = [game.view(state, seat) for seat in viewers] or [game.view(state, 0)]
    counts = count_places(game, state)
    shown: dict[int, list[int]] = {}
    for card in range(game.CARDS):
        place = state.where[card]
        if place > STOCK and any(view[card] == place for view in views):
            shown.setdefault(place, []).append(card)
    for seat in viewers:
        if seat in held:
            shown[HAND + seat] = list(held[seat])
    piles = []
    for seat in range(1, state.register[SEATS] + 1):
        if count := game.count_face_down(state, seat):
            piles.append(Pile(f"payoff{seat}", "payoff", seat, seat, count))
    for place in sorted(counts):
        cards = shown.get(place, [])
        if not HAND < place < HAND + 8:
            cards.sort(key=lambda card: (order.get(card, 0), card))
        name = place_name(game, place)
        kind, number = _NUMBERED.match(name).groups()  # type: ignore[union-attr]
        if kind == "payoff":
            continue
        if kind in FACE_DOWN:
            cards = []
        owner = owner_of(game, kind, int(number or 0), place)
        names = [card_name(card) for card in cards]
        piles.append(Pile(name, kind, owner, int(number or 1), counts[place], names))
    return piles


def owner_of(game: Any, kind: str, number: int, place: int) -> int:
    """The seat that owns a pile: a hand, a staged set, a side or payoff pile; 0: none."""
    if HAND < place < HAND + 8:
        return place - HAND
    if kind in ("staged", "turned", "payoff") and number:
        return number
    found = re.match(r"side(\d)\.", kind)
    return int(found[1]) if found else 0


def count_places(game: Any, state: Any) -> dict[int, int]:
    """How many cards lie in each place that is not empty."""
    counts: dict[int, int] = {}
    for place in state.where:
        if place != NOWHERE:
            counts[place] = counts.get(place, 0) + 1
    counts[STOCK] = count_stock(state)
    for seat in range(1, state.register[SEATS] + 1):
        counts[HAND + seat] = count_hand(state, seat)
    return {place: count for place, count in counts.items() if count > 0}
