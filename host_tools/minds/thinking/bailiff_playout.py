"""Plays a Bailiff on to its end: the lowest rank that stands, whole raises only, and a take where nothing fits."""

from micropython import const

from cardtable.engine.deck import ACE, RANK
from cardtable.engine.event import DRAW, NO_CARD, Event
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games.bailiff import enact, find_drawer, judge_lay
from host_tools.judge.facts.bailiff import (
    DEALING, DRAWING, FRONT, FRONTS, MORE, PHASE, RAISE, TO_LAY, TO_SAY_DONE, TO_TAKE, TO_UNLAY, TURN,
)
from host_tools.base.random_play import Random

_CARDS = const(54)
_STEPS = const(400)  # a game that is longer counts as a draw (B13): who is ahead then wants to finish


def play_bailiff_out(state: State, deck: list, draw: Random, noise: int) -> bool:
    """Play to the end; whether it came. deck: the stock, drawn from its end. noise: of 100 plays so many are another
    than the advice."""
    register = state.register
    event = Event()
    for _ in range(_STEPS):
        if register[OUTCOME]:
            return True
        event.target = 0
        if register[PHASE] == DRAWING:
            event.seat = find_drawer(state)
            event.verb = DRAW
            event.card = deck.pop()
        elif register[PHASE] == DEALING:
            return False
        else:
            choose_bailiff(state, event, draw, noise)
        enact(state, event)
    return False


def choose_bailiff(state: State, event: Event, draw: Random, noise: int) -> None:
    """Fill `event` with the play of the seat whose turn it is."""
    register = state.register
    where = state.where
    seat = register[TURN]
    event.seat = seat
    event.verb = TO_LAY
    begun = where.find(RAISE)
    if register[MORE] or (begun >= 0 and can_complete(state, seat, RANK[begun])):
        card = where.find(HAND + seat)
        while card >= 0:
            if not judge_lay(state, seat, card):
                event.card = card
                return
            card = where.find(HAND + seat, card + 1)
    if register[MORE] or begun >= 0:
        event.verb = TO_SAY_DONE if register[MORE] else TO_UNLAY
        event.card = begun if begun >= 0 else NO_CARD
        return
    card = find_lay(where, seat, 1 if draw.below(100) < noise else 0)
    event.verb = TO_TAKE if card < 0 else TO_LAY
    event.card = NO_CARD if card < 0 else card


def can_complete(state: State, seat: int, rank: int) -> bool:
    """B5, B8: whether the raise of that rank, which has been begun, and the cards of the hand cover the whole front."""
    held = 0
    for card in range(rank, 52, 13):
        if state.where[card] == HAND + seat or state.where[card] == RAISE:
            held += 1
    return held >= state.register[FRONTS]


def find_lay(where: bytearray, seat: int, skips: int) -> int:
    """The first card of the lowest rank that the seat can lay whole; with `skips` a higher one; -1: none."""
    front = -1
    lying = 0
    card = where.find(FRONT)
    while card >= 0:
        front = RANK[card]
        lying += 1
        card = where.find(FRONT, card + 1)
    found = -1
    for rank in range(max(front, 0), ACE + 1):
        held = 0
        first = -1
        for card in range(rank, 52, 13):
            if where[card] == HAND + seat:
                held += 1
                if first < 0:
                    first = card
        needed = lying
        if rank == front or front < 0 or (rank == ACE and lying < 4):
            needed = 1
        if held and held >= needed:
            if not skips:
                return first
            skips -= 1
            found = first
    return found
