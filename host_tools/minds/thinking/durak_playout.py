"""Plays a Durak on to its end by simple advice: what the search player asks hundreds of times before each move.

Every seat beats with its cheapest card, throws in what is cheap, and keeps its trumps while there is a stock. The
state is a guess: all hidden cards lie where a deal that fits what was seen has put them.
"""

from micropython import const

from cardtable.engine.deck import JOKER, RANK, SUIT
from cardtable.engine.state import HAND, OUTCOME, SEATS, State
from cardtable.games.durak import (
    bout_limit, enact_attack, enact_beat, enact_done, enact_draw, enact_take, enact_transfer, end_bout,
    is_beaten_and_full, judge_attack, judge_done, judge_fit, judge_transfer, power,
)
from host_tools.judge.facts.durak import (
    ATTACKER, ATTACKS, BOUT, DEFENDER, DRAWER, DRAWING, HELD, LEFT, LIES, LIES_COVER, NOTHING, PHASE, RANKS,
    SAID_DONE, STOCK, TAKEN, THROW_FREELY, THROWERS, TRANSFER_ALLOWED, TRUMP, TURN_TO_THROW, TURNED, UNBEATEN,
)
from host_tools.base.random_play import Random

_CARDS = const(54)
_STEPS = const(2000)  # a game that is longer counts as a draw
_TEN = const(8)
_DEAR = const(20)  # trumps and jokers cost so much more
_COST = bytearray(_CARDS)  # of giving the card away
_ORDER = bytearray(_CARDS)  # the cards, the cheapest first


def order_cards(state: State) -> None:
    """Find what each card costs in this game; needed once before games of another trump are played out."""
    for card in range(_CARDS):
        is_dear = SUIT[card] == state.register[TRUMP] or RANK[card] == JOKER
        _COST[card] = power(state, card) + (_DEAR if is_dear else 0)
    at = 0
    for cost in range(48):
        for card in range(_CARDS):
            if _COST[card] == cost:
                _ORDER[at] = card
                at += 1


def play_durak_out(state: State, deck: list, draw: Random, noise: int) -> bool:
    """Play to the end; whether it came. deck: the stock without the turned card, drawn from its end. noise: of 100
    plays so many are another than the advice."""
    register = state.register
    is_open = register[PHASE] == BOUT and register[ATTACKS] and not register[OUTCOME]
    if is_open and is_beaten_and_full(state):
        end_bout(state)  # with cheating it waited for the attacker's done (D44); guesses leave cheating out
    for _ in range(_STEPS):
        if register[OUTCOME]:
            return True
        if register[PHASE] == DRAWING:
            draw_card(state, deck)
        elif register[PHASE] != BOUT:
            return False
        elif not register[ATTACKS]:
            open_out(state, draw, noise)
        else:
            go_on_out(state, draw, noise)
    return False


def draw_card(state: State, deck: list) -> None:
    """The seat that is due draws; the turned card comes last."""
    card = deck.pop() if deck else state.where.find(TURNED)
    enact_draw(state, state.register[DRAWER], card)


def open_out(state: State, draw: Random, noise: int) -> None:
    """Lead the cheapest card; of equal ones the rank that it has more of."""
    where = state.where
    seat = state.register[ATTACKER]
    place = HAND + seat
    skips = draw.below(3) if draw.below(100) < noise else 0
    best = -1
    worth = 999
    for index in range(_CARDS):
        card = _ORDER[index]
        if where[card] == place:
            if skips:
                skips -= 1
                if best < 0:
                    best = card
                continue
            cost = 4 * _COST[card]
            for other in range(RANK[card], 52, 13):
                if where[other] == place and other != card:
                    cost -= 3
            if cost < worth:
                worth = cost
                best = card
    enact_attack(state, seat, best)


def go_on_out(state: State, draw: Random, noise: int) -> None:
    """The next play of a bout: somebody throws in, or the defender answers, or a thrower has done."""
    register = state.register
    asked = register[UNBEATEN] and not register[TAKEN]
    seat = register[TURN_TO_THROW]
    if register[THROW_FREELY]:
        seat = next_free_thrower(state)
    if seat:
        card = find_throw(state, seat, draw, noise)
        if card >= 0:
            enact_attack(state, seat, card)
            return
    if asked:
        defend_out(state, draw, noise)
        return
    if seat and not judge_done(state, seat):
        enact_done(state, seat)
        return
    for other in range(1, register[SEATS] + 1):
        if not judge_done(state, other):
            enact_done(state, other)
            return
    defend_out(state, draw, noise)


def next_free_thrower(state: State) -> int:
    """throw_order=free: the attacker, else any thrower that has cards and has not said done; 0: none."""
    register = state.register
    left = register[THROWERS] & ~register[SAID_DONE]
    seat = register[ATTACKER]
    for _ in range(register[SEATS]):
        if left >> seat & 1 and register[HELD + seat]:
            return seat
        seat = seat % register[SEATS] + 1
    return 0


def find_throw(state: State, seat: int, draw: Random, noise: int) -> int:
    """The cheapest card that the seat may throw in and would; -1: none."""
    register = state.register
    where = state.where
    attacks = register[ATTACKS]
    if attacks >= 5 and attacks >= bout_limit(register):
        return -1
    if register[UNBEATEN] >= register[HELD + register[DEFENDER]]:
        return -1
    dearest = _TEN
    if not register[LEFT]:
        dearest = _DEAR + 11 if register[HELD + seat] <= 2 else _DEAR - 1
    if noise and draw.below(100) < noise:
        dearest = draw.below(40)
    place = HAND + seat
    for index in range(_CARDS):
        card = _ORDER[index]
        if where[card] == place:
            if _COST[card] > dearest:
                return -1
            if register[RANKS + RANK[card]] and not judge_attack(state, seat, card):
                return card
    return -1


def defend_out(state: State, draw: Random, noise: int) -> None:
    """Transfer a plain card, beat the dearest card with the cheapest, or take."""
    register = state.register
    where = state.where
    seat = register[DEFENDER]
    place = HAND + seat
    if register[TRANSFER_ALLOWED] and register[UNBEATEN] == register[ATTACKS]:
        for index in range(_CARDS):
            card = _ORDER[index]
            if where[card] == place and _COST[card] < _DEAR and register[RANKS + RANK[card]]:
                if not judge_transfer(state, seat, card, False):
                    enact_transfer(state, seat, card)
                    return
    if not try_beating(state, draw, noise):
        enact_take(state)
        return
    target = dearest_unbeaten(state)
    card = find_cover(state, place, target)
    enact_beat(state, seat, card, target)


def dearest_unbeaten(state: State) -> int:
    """The attack card to beat that costs most."""
    register = state.register
    best = -1
    for slot in range(LIES, LIES + register[ATTACKS]):
        if register[slot + LIES_COVER - LIES] == NOTHING:
            card = register[slot]
            if best < 0 or _COST[card] > _COST[best]:
                best = card
    return best


def find_cover(state: State, place: int, target: int) -> int:
    """The cheapest card at that place that beats the target; -1: none."""
    where = state.where
    for index in range(_CARDS):
        card = _ORDER[index]
        if where[card] == place and not judge_fit(state, card, target):
            return card
    return -1


def try_beating(state: State, draw: Random, noise: int) -> bool:
    """Whether the defender can beat each card on the table, and is ready to give the trumps for it."""
    register = state.register
    where = state.where
    place = HAND + register[DEFENDER]
    stock = register[LEFT]
    is_early = stock > 2 * register[SEATS] and not (noise and draw.below(100) < noise)
    trumps = 0
    highest = 0
    kept = 0  # covers that are taken out of the hand for a moment, as rows of seven bits
    count = 0
    can = True
    for slot in range(LIES, LIES + register[ATTACKS]):
        if register[slot + LIES_COVER - LIES] != NOTHING:
            continue
        cover = find_cover(state, place, register[slot])
        if cover < 0:
            can = False
            break
        if _COST[cover] >= _DEAR:
            trumps += 1
            highest = max(highest, _COST[cover] - _DEAR)
        if count < 8:
            kept = kept << 7 | cover
            count += 1
            where[cover] = STOCK
    while count:
        where[kept & 127] = place
        kept >>= 7
        count -= 1
    if not can or (is_early and (trumps > 1 or highest > _TEN)):
        return False
    return True
