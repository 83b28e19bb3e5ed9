"""Plays a Malice on by simple advice: the payoff card, else the way to it, else a card that does not help the other."""

from micropython import const

from cardtable.engine.deck import ACE, RANK
from cardtable.engine.state import HAND, OUTCOME, SEATS, State
from cardtable.games.malice import (
    enact_centre, enact_draw, enact_end, enact_flip, enact_side, has_forced_ace, is_wild, judge_fit, judge_follow,
    side_top,
)
from host_tools.judge.facts.malice import CENTRE, DRAWING, HEIGHT, NOTHING, PHASE, PILES, PLAY, SPENT, TURN
from host_tools.base.random_play import Random
from host_tools.minds.thinking.malice_choice import (
    CHOSEN, TO_CENTRE, TO_SIDE, choose_skilled, height_of, turned_card,
)

_CARDS = const(108)
_NEAR = const(2)
_CHOSEN = bytearray(2)  # the card and the pile of the play that was found
_BY_HEIGHT = bytearray(16)  # a card that the seat can lay, by its height: a side pile's top before one of the hand
_HEIGHTS = bytearray(5)  # of the centre piles


def play_malice_out(
    state: State, stock: list, payoffs: list, draw: Random, noise: int, steps: int, is_skilled: bool = False
) -> bool:
    """Play so many steps, or to the end; whether that came.

    stock: drawn from its end; piles that go back into it (M14) are shuffled under it. payoffs: cards of both payoff
    piles that nobody has seen, turned from the end. noise: of 100 plays so many are another than the advice.
    """
    register = state.register
    for _ in range(steps):
        if register[OUTCOME]:
            return True
        if register[PHASE] != PLAY:
            return False
        seat = register[TURN]
        if turned_card(state, seat) < 0:
            enact_flip(state, seat, next_payoff(state, seat, payoffs))
        elif register[DRAWING]:
            if not stock:
                refill(state, stock, draw)
            enact_draw(state, seat, stock.pop())
        elif is_skilled:
            play_skilled_step(state, seat, draw, noise)
        else:
            play_malice_step(state, seat, draw, noise)
    return register[OUTCOME] > 0


def next_payoff(state: State, seat: int, payoffs: list) -> int:
    """The next card of the payoff pile: one that all have seen (M2), else one of those that nobody has."""
    card = state.where.find(2 + seat)
    if card < 0:
        card = payoffs.pop()
    return card


def refill(state: State, stock: list, draw: Random) -> None:
    """M14: what went back into the stock is drawn after all others."""
    card = state.where.find(1)
    while card >= 0:
        stock.append(card)
        card = state.where.find(1, card + 1)
    draw.shuffle(stock)


def play_skilled_step(state: State, seat: int, draw: Random, noise: int) -> None:
    """One play of the seat whose turn it is, by weighed advice."""
    kind = choose_skilled(state, seat, draw, noise)
    if kind == TO_CENTRE:
        enact_centre(state, seat, CHOSEN[0], CHOSEN[1])
    elif kind == TO_SIDE:
        enact_side(state, seat, CHOSEN[0], CHOSEN[1])
    else:
        enact_end(state, seat)


def play_malice_step(state: State, seat: int, draw: Random, noise: int) -> None:
    """One play of the seat whose turn it is."""
    payoff = turned_card(state, seat)
    goal = height_of(state.register, payoff)
    look_around(state, seat)
    for pile in range(1, PILES + 1):
        if not judge_follow(state.register, payoff, _HEIGHTS[pile]):
            enact_centre(state, seat, payoff, pile)
            return
    if not state.register[SPENT]:
        if choose_way(state, seat, goal) or choose_harmless(state, seat, draw.below(100) < noise):
            enact_centre(state, seat, _CHOSEN[0], _CHOSEN[1])
            return
    if has_forced_ace(state, seat) or not choose_side(state, seat, draw.below(100) < noise):
        if choose_any(state, seat):
            enact_centre(state, seat, _CHOSEN[0], _CHOSEN[1])
            return
        enact_end(state, seat)
        return
    enact_side(state, seat, _CHOSEN[0], _CHOSEN[1])


def look_around(state: State, seat: int) -> None:
    """Fill _HEIGHTS and _BY_HEIGHT for the seat whose turn it is."""
    where = state.where
    for pile in range(1, PILES + 1):
        _HEIGHTS[pile] = 0
    for height in range(14):
        _BY_HEIGHT[height] = NOTHING
    for card in range(_CARDS):
        place = where[card]
        if place == HAND + seat:
            _BY_HEIGHT[height_of(state.register, card)] = card
        elif CENTRE < place <= CENTRE + PILES:
            _HEIGHTS[place - CENTRE] += 1
    for pile in range(1, PILES + 1):
        card = side_top(state, seat, pile)
        if card != NOTHING:
            _BY_HEIGHT[height_of(state.register, card)] = card


def find_card(height: int) -> int:
    """A card of that height on top of a side pile or in the hand; -1: none. Height 0: a wild one."""
    card = _BY_HEIGHT[height]
    return -1 if card == NOTHING else card


def choose_way(state: State, seat: int, goal: int) -> bool:
    """Put into _CHOSEN the first step of a way to just below the goal, one joker at most; whether there is one."""
    best = 99
    joker = find_card(0)
    for pile in range(1, PILES + 1):
        height = _HEIGHTS[pile]
        if height >= goal or goal - height > 7 or goal - height >= best:
            continue
        jokers = 1 if joker >= 0 else 0
        first = -1
        fits = True
        for step in range(height + 1, goal):
            card = find_card(step)
            if card < 0 and jokers and not judge_follow(state.register, joker, step - 1):
                jokers -= 1
                card = joker
            if card < 0:
                fits = False
                break
            if first < 0:
                first = card
        if fits and first >= 0:
            best = goal - height
            _CHOSEN[0] = first
            _CHOSEN[1] = pile
    return best < 99


def choose_harmless(state: State, seat: int, is_bold: bool) -> bool:
    """Put into _CHOSEN a card for the centre that does not bring the other near its payoff card."""
    other = turned_card(state, seat % state.register[SEATS] + 1)
    goal = height_of(state.register, other) if other >= 0 else 0
    for pile in range(1, PILES + 1):
        height = _HEIGHTS[pile] + 1
        if height > 1 and goal and 0 < goal - height <= _NEAR and not is_bold:
            continue
        card = find_card(height)
        if card >= 0:
            _CHOSEN[0] = card
            _CHOSEN[1] = pile
            return True
    return False


def choose_any(state: State, seat: int) -> bool:
    """Put into _CHOSEN any card for the centre: an ace that has to go, or a way out of blocked side piles."""
    if state.register[SPENT]:
        return False
    for pile in range(1, PILES + 1):
        card = find_card(_HEIGHTS[pile] + 1)
        if card < 0:
            card = find_card(0)
        if card >= 0 and not judge_follow(state.register, card, _HEIGHTS[pile]):
            _CHOSEN[0] = card
            _CHOSEN[1] = pile
            return True
    return False


def choose_side(state: State, seat: int, is_bold: bool) -> bool:
    """Put into _CHOSEN the hand card that blocks least, and its side pile; wild cards stay."""
    where = state.where
    best = 999
    card = where.find(HAND + seat)
    while card >= 0:
        if not is_wild(state.register, card):
            for pile in range(1, PILES + 1):
                if judge_fit(state, seat, card, pile):
                    continue
                top = side_top(state, seat, pile)
                cost = 100 - 2 * HEIGHT[card]
                if top != NOTHING:
                    cost = 40 if HEIGHT[card] == HEIGHT[top] else 20
                    cost += 13 - HEIGHT[card]
                if RANK[card] == ACE:
                    cost += 200
                if is_bold:
                    cost = 50
                if cost < best:
                    best = cost
                    _CHOSEN[0] = card
                    _CHOSEN[1] = pile
        card = where.find(HAND + seat, card + 1)
    return best < 999
