"""Plays a Cal's BS on to its end by rates: each seat bluffs and doubts so many times of a hundred (C18).

Here one seat after another, clockwise or in an order drawn by lot, answers the last set. A doubt turns up the whole
set at once, with show=one too.
"""

from micropython import const

from cardtable.engine.deck import JOKER, RANK
from cardtable.engine.state import HAND, OUTCOME, SEATS, State
from cardtable.games.cals_bs import (
    _CLAIM,
    _CLOCKWISE,
    _DOUBTER,
    _FOURS,
    _HIGHER,
    _IN_HAND,
    _LAST,
    _LAST_SET,
    _LEADER,
    _PASSED,
    _PILED,
    _STAGED,
    _STAGES,
    count_held,
    count_of_a_kind,
    enact_doubt,
    enact_fours,
    enact_pass,
    has_rank,
    is_set_true,
    judge_doubt,
    lay_set,
    next_to_answer,
    set_limit,
    settle_doubt,
)
from host_tools.random_play import Random

_CARDS = const(108)
_STEPS = const(900)  # a game that is longer counts as nobody's
_BLUFFS = const(50)
_BLUFFS_LATE = const(15)
_LATE = const(7)
_FOLLOWS_FALSELY = const(13)
_DOUBTS = const(9)
_KEEPS = bytearray(16)  # of each rank: how many cards of it a hand has; set by `read_hand`


def play_cals_bs_out(state: State, draw: Random) -> bool:
    """Play to the end; whether it came."""
    register = state.register
    for _ in range(_STEPS):
        if register[OUTCOME]:
            return True
        if register[_DOUBTER]:
            settle_doubt(state, register[_DOUBTER], is_set_true(state))
        elif register[_LAST]:
            answer_out(state, draw)
        else:
            lead_out(state, register[_LEADER], draw)
    return False


def read_hand(state: State, seat: int) -> None:
    """How many cards of each rank the seat holds, in _KEEPS; staged cards go back into the hand."""
    where = state.where
    state.register[_IN_HAND + seat] += state.register[_STAGES + seat]
    state.register[_STAGES + seat] = 0
    for rank in range(16):
        _KEEPS[rank] = 0
    for card in range(_CARDS):
        if where[card] == _STAGED + seat:
            where[card] = HAND + seat
        if where[card] == HAND + seat:
            _KEEPS[RANK[card]] += 1


def stage_rank(state: State, seat: int, rank: int, most: int) -> int:
    """Stage up to so many cards of that rank; how many those are."""
    where = state.where
    count = 0
    for card in range(_CARDS):
        if count < most and where[card] == HAND + seat and RANK[card] == rank:
            where[card] = _STAGED + seat
            count += 1
    state.register[_IN_HAND + seat] -= count
    state.register[_STAGES + seat] += count
    return count


def stage_garbage(state: State, seat: int, kept: int, most: int, draw: Random) -> int:
    """Stage up to so many cards of ranks of which the seat has few; how many those are. No jokers, no whole fours."""
    of_a_kind = count_of_a_kind(state)
    count = 0
    first = draw.below(13)
    for held in range(1, of_a_kind):
        for step in range(13):
            rank = (first + step) % 13
            if rank != kept and _KEEPS[rank] == held and count < most:
                count += stage_rank(state, seat, rank, most - count)
    return count


def lead_out(state: State, seat: int, draw: Random) -> None:
    """The leader lays: all fours, its last rank, a bluff, or the rank that it has most of."""
    read_hand(state, seat)
    now_ms = 0
    limit = set_limit(state)
    of_a_kind = count_of_a_kind(state)
    held = count_held(state, seat)
    best = -1
    kinds = 0
    for rank in range(13):
        if _KEEPS[rank]:
            kinds += 1
            if _KEEPS[rank] == of_a_kind and not state.register[_PILED]:
                stage_rank(state, seat, rank, of_a_kind)
                enact_fours(state, seat, now_ms)
                return
            if has_rank(state, rank) and (best < 0 or _KEEPS[rank] > _KEEPS[best]):
                best = rank
    if best < 0:
        best = 4
    if kinds <= 1 and held <= limit:
        stage_rank(state, seat, best, limit)
        stage_rank(state, seat, JOKER, limit)
        lay_set(state, seat, best, now_ms)
        return
    count = min(max(1, _KEEPS[best]), limit)
    bluffs = draw.below(100) < (_BLUFFS_LATE if held <= _LATE else _BLUFFS)
    staged = stage_garbage(state, seat, best, min(count, held - 1), draw) if bluffs else 0
    if not staged:
        staged = stage_rank(state, seat, best, count)
    if not staged:
        stage_rank(state, seat, JOKER, 1)
    lay_set(state, seat, best, now_ms)


def answer_out(state: State, draw: Random) -> None:
    """One of the seats that have not answered doubts, lays or passes."""
    register = state.register
    if register[_CLOCKWISE]:
        seat = next_to_answer(state)
    else:
        seats = register[SEATS]
        seat = 1 + draw.below(seats)
        while seat == register[_LAST] or register[_PASSED] >> seat & 1:
            seat = seat % seats + 1
    claim = register[_CLAIM]
    read_hand(state, seat)
    if claim != _FOURS and not judge_doubt(state, seat, 1 << 29) and doubts_out(state, claim, draw):
        enact_doubt(state, seat)
        return
    if claim < JOKER and not judge_claim_rank(state, seat) and follows_out(state, seat, claim, draw):
        return
    enact_pass(state, seat)


def judge_claim_rank(state: State, seat: int) -> bool:
    """C8, C6: whether the seat may not lay on the last set."""
    return seat == state.register[_LAST] or state.register[_PASSED] >> seat & 1 > 0


def doubts_out(state: State, claim: int, draw: Random) -> bool:
    """Whether the seat whose ranks are in _KEEPS doubts the last set."""
    register = state.register
    laid = register[_LAST_SET]
    chance = _DOUBTS
    if claim < JOKER:
        if laid > count_of_a_kind(state) - _KEEPS[claim] + 2 - _KEEPS[JOKER]:
            return True
        chance += 9 * _KEEPS[claim]
    elif claim == _HIGHER:
        chance += 10
    else:
        chance += 30 + 30 * _KEEPS[JOKER]
    if laid > 2:
        chance += 8
    if count_held(state, register[_LAST]) <= 3:
        chance += 25
    return draw.below(100) < chance


def follows_out(state: State, seat: int, claim: int, draw: Random) -> bool:
    """Lay on the last set, truly or falsely; False where the seat would rather pass."""
    limit = set_limit(state)
    held = count_held(state, seat)
    true = _KEEPS[claim]
    if true + _KEEPS[JOKER] == held <= limit:
        stage_rank(state, seat, claim, limit)
        stage_rank(state, seat, JOKER, limit)
        lay_set(state, seat, claim, 0)
        return True
    bluffs = draw.below(100) < ((_BLUFFS_LATE if held <= _LATE else _BLUFFS) if true else _FOLLOWS_FALSELY)
    staged = 0
    if bluffs and held > 1:
        staged = stage_garbage(state, seat, claim, min(max(1, true), held - 1), draw)
    elif true and true < count_of_a_kind(state):
        staged = stage_rank(state, seat, claim, limit)
    if not staged:
        return False
    lay_set(state, seat, claim, 0)
    return True
