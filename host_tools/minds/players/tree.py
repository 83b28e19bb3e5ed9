"""Grows a tree of the lines of play in Bailiff: each line in a guess of its own, so that answers are well chosen, too.

A place in the tree is what was played since the question; what was drawn meanwhile is another in every guess. Each seat
goes where it has done well so far, or where it has not been often (UCB1 over the plays that the guess allows it:
information set Monte Carlo tree search, Cowling, Powley and Whitehouse 2012). Behind the tree a guess is played out.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any

from cardtable.engine.deck import ACE, RANK
from cardtable.engine.event import DRAW, NO_CARD, Event, find_verb, pack, unpack
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games import bailiff
from host_tools.judge.facts import bailiff as bailiff_facts
from host_tools.base.random_play import Random

_LAY, _UNLAY, _TAKE, _DONE = (find_verb(bailiff, name) for name in ("lay", "unlay", "take", "done"))
_CURIOSITY = 0.7  # how much it draws a seat to where it has not been often
_WHOLE_RANK = 4
_BATCH = 16  # lines between two looks at the clock


class Place:
    """What was played so far, and how it went for the seat that played last."""

    __slots__ = ("next", "offered", "score", "visits")

    def __init__(self) -> None:
        self.next: dict[int, Place] = {}
        self.offered = 1  # how often a guess allowed to come here
        self.visits = 0
        self.score = 0.0

    def worth(self) -> float:
        """The chance of it so far, and what there may be to find out."""
        return self.score / self.visits + _CURIOSITY * math.sqrt(math.log(self.offered) / self.visits)


def grow(worlds: Any, moves: list[int], seed: int, lines: int, limit_ms: int = 0) -> dict[int, Place]:
    """Try so many lines, or for so long: the place behind each move. The best move is the one that was played most."""
    root = Place()
    draw = Random(seed)
    until = time.perf_counter() + limit_ms / 1000 if limit_ms else math.inf
    first = by_rank(moves)
    for number in range(lines):
        world = worlds.deal(draw)
        chance = Random(draw.below(1 << 30))
        path = walk(root, first, world.state, world.stock, worlds.event)
        is_over = worlds.play_out(world, chance)
        for place, seat in path:
            place.visits += 1
            place.score += worlds.score(world, is_over, seat)
        if number % _BATCH == _BATCH - 1 and time.perf_counter() > until:
            break
    return {first[key]: place for key, place in root.next.items()}


def walk(root: Place, first: dict[int, int], state: State, stock: list[int], event: Event) -> list[tuple[Place, int]]:
    """Play down the tree to a place where nobody was before, or to the end: the places, and who went to each."""
    register = state.register
    path: list[tuple[Place, int]] = []
    here, plays, is_new = root, first, False
    while not is_new and not register[OUTCOME]:
        seat = register[bailiff_facts.TURN]
        key, is_new = go_on(here, plays)
        here = here.next[key]
        path.append((here, seat))
        bailiff.enact(state, unpack(plays[key], seat, 0, event))
        while register[bailiff_facts.PHASE] == bailiff_facts.DRAWING and not register[OUTCOME]:
            drawer = bailiff.find_drawer(state)
            bailiff.enact(state, unpack(pack(DRAW, stock.pop()), drawer, 0, event))
        plays = list_plays(state)
    return path


def go_on(here: Place, plays: Iterable[int]) -> tuple[int, bool]:
    """Where the seat goes from here: first to each place once; whether nobody was there before."""
    fresh, best, most = -1, -1, -1.0
    for key in plays:
        place = here.next.get(key)
        if place is None:
            fresh = key if fresh < 0 else fresh
            continue
        place.offered += 1
        worth = place.worth()
        if worth > most:
            best, most = key, worth
    if fresh < 0:
        return best, False
    here.next[fresh] = Place()
    return fresh, True


def by_rank(moves: Iterable[int]) -> dict[int, int]:
    """A move of each rank, by a number that stands for verb and rank: suits mean nothing in Bailiff."""
    found: dict[int, int] = {}
    for move in moves:
        card = move >> 8 & 255
        found.setdefault(move >> 16 << 8 | (NO_CARD if card == NO_CARD else RANK[card]), move)
    return found


def list_plays(state: State) -> dict[int, int]:
    """What the seat can do whose turn it is, as in `by_rank`; raises that it cannot finish are left out (B5)."""
    register, where = state.register, state.where
    place = HAND + register[bailiff_facts.TURN]
    held: dict[int, list[int]] = {}
    card = where.find(place)
    while card >= 0:
        held.setdefault(RANK[card], []).append(card)
        card = where.find(place, card + 1)
    front, lying = register[bailiff_facts.FRONT_RANK] - 1, register[bailiff_facts.FRONTS]
    if register[bailiff_facts.BEGUN]:
        rank = register[bailiff_facts.BEGUN_RANK] - 1
        cards = held.get(rank, [])
        can_finish = len(cards) + register[bailiff_facts.BEGUN] >= lying
        return by_rank([pack(_LAY, cards[0]) if can_finish else pack(_UNLAY, where.find(bailiff_facts.RAISE))])
    if register[bailiff_facts.MORE]:
        return by_rank([pack(_LAY, card) for card in held.get(front, [])] + [pack(_DONE)])
    moves = [pack(_TAKE)] if lying else []
    for rank, cards in held.items():
        needs_one = rank == front or (rank == ACE and lying < _WHOLE_RANK)
        if rank >= front and len(cards) >= (1 if needs_one else lying):
            moves.append(pack(_LAY, cards[0]))
    return by_rank(moves)
