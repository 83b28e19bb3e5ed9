"""Counts by presses where cards are laid ready before they are said (Cal's BS): in whatever order they were tapped, one
set with its word is one press. What stays laid ready without a word is none.

    count_presses(game, state, depth, now_ms)   # sequences of `depth` presses
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from cardtable.engine.deck import RANK
from cardtable.engine.event import Event, find_verb, pack, unpack
from cardtable.engine.state import HAND, OUTCOME, PAUSED, SEATS, STOCK, UNSEEN, State, find_place
from cardtable.games import cals_bs
from host_tools.base.errors import UnusableInput


def check(game: Any) -> None:
    """UnusableInput for a game in which no card is laid ready before it is said."""
    if "staged" not in [row[0] for row in game.PLACES]:
        raise UnusableInput(f"In {game.NAME} every tap says something by itself: leave --presses out.")


def count_presses(game: Any, state: State, depth: int, now_ms: int) -> int:
    """How many sequences of `depth` presses the rules accept from this state on; time stands still."""
    if not depth:
        return 1
    if state.register[OUTCOME] or state.register[PAUSED]:
        return 0
    total = 0
    for seat in range(1, state.register[SEATS] + 1):
        for before, packed in list_presses(game, state, seat, now_ms):
            if depth == 1:
                total += 1
                continue
            after = State(len(state.where), len(state.register))
            after.copy(before)
            game.enact(after, unpack(packed, seat, now_ms, Event()))
            total += count_presses(game, after, depth - 1, now_ms)
    return total


def list_presses(game: Any, state: State, seat: int, now_ms: int) -> Iterator[tuple[State, int]]:
    """Each press of the seat, packed, with the state in which it is said: its cards are laid ready there."""
    taps = {find_verb(game, "lay"), find_verb(game, "unlay")}
    found: list[int] = []
    game.moves(state, seat, now_ms, found)
    said = [packed for packed in found if packed >> 16 not in taps]
    words = {packed for packed in said if packed >> 16 not in _of_sets(game)}
    yield from ((state, packed) for packed in sorted(words))
    if not any(packed >> 16 in taps for packed in found):
        return
    for cards in list_sets(game, state, seat):
        before = lay_ready(game, state, seat, cards, now_ms)
        found = []
        game.moves(before, seat, now_ms, found)
        yield from ((before, packed) for packed in found if packed >> 16 in _of_sets(game))


def _of_sets(game: Any) -> set[int]:
    """The words that are said of a set of cards."""
    return {find_verb(game, name) for name in ("claim", "fours", "plus")}


def list_sets(game: Any, state: State, seat: int) -> Iterator[tuple[int, ...]]:
    """Each set of cards that could be laid: up to the limit any, beyond it whole ranks alone (C4, C12)."""
    places = {HAND + seat, find_place(game, f"staged{seat}"), *([STOCK] if state.register[UNSEEN + seat] else ())}
    cards = [card for card in range(game.CARDS) if state.where[card] in places]
    limit = cals_bs.set_limit(state)
    for count in range(1, min(limit, cals_bs.count_held(state, seat)) + 1):
        yield from combinations(cards, count)
    ranks = [[card for card in cards if RANK[card] == rank] for rank in range(13)]
    whole = [of_rank for of_rank in ranks if len(of_rank) == cals_bs.count_of_a_kind(state)]
    for count in range(1, len(whole) + 1):
        for several in combinations(whole, count):
            if sum(map(len, several)) > limit:
                yield tuple(card for of_rank in several for card in of_rank)


def lay_ready(game: Any, state: State, seat: int, cards: tuple[int, ...], now_ms: int) -> State:
    """The state with these cards laid ready for the seat, and no others."""
    lay, unlay = find_verb(game, "lay"), find_verb(game, "unlay")
    after = State(len(state.where), len(state.register))
    after.copy(state)
    staged = find_place(game, f"staged{seat}")
    for card in range(game.CARDS):
        if state.where[card] == staged and card not in cards:
            game.enact(after, unpack(pack(unlay, card), seat, now_ms, Event()))
    for card in cards:
        if state.where[card] != staged:
            game.enact(after, unpack(pack(lay, card), seat, now_ms, Event()))
    return after
