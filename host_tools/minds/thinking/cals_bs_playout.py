"""Plays a Cal's BS on to its end: each seat bluffs by rates (C18), and doubts by the odds that its own cards leave.

A doubt is a race: all that may doubt a set are asked first, in an order drawn by lot, then one after another lays or
passes; with turns=clockwise each does both when its turn comes. A doubt turns up the whole set at once, with show=one
too, and everybody remembers whose sets were false.
"""

from micropython import const

from cardtable.engine.deck import DECK, JOKER, RANK
from cardtable.engine.state import HAND, OUTCOME, SEATS, State, move_all
from cardtable.games.cals_bs import (
    count_held, count_in_play, count_of_a_kind, enact_fours, enact_pass, has_rank, is_set_true, judge_doubt, lay_set,
    next_to_answer, set_limit, settle_doubt,
)
from host_tools.judge.facts.cals_bs import (
    CLAIM, DECK_IS, DOUBTER, HIGHER, IN_HAND, LAST, LAST_SET, LEADER, NO_EXTRAS, PASSED, PILED, STAGED, STAGES,
    TURNS,
)
from host_tools.base.random_play import Random

_PLAIN = const(52)  # cards of a deck before its jokers (engine/deck.py)
_STEPS = const(900)  # a game that is longer counts as nobody's
_BLUFFS = const(50)
_BLUFFS_LATE = const(15)
_LATE = const(7)
_FOLLOWS_FALSELY = const(13)
_LIKELY = const(55)  # percent that a set is false: most would doubt it
_MAYBE = const(42)  # some would; near the end most
_DOUBTS = (5, 45, 85)  # of 100 times: below _MAYBE, from there on, from _LIKELY on
_DOUBTS_NEAR_THE_END = (15, 85, 95)
_DOUBTS_A_JOKER = const(39)
_DOUBTS_A_PLUS = const(19)
_NEAR_THE_END = const(3)  # cards
_SHARES = const(16)  # steps of the share of the hidden cards that one hand has
_MOST = const(10)  # cards of a set, or that fit a claim, that the odds tell apart
_ONE = const(1_000_000)
_NOTHING_OPENED = bytes(16)
_KEEPS = bytearray(16)  # of each rank: how many cards of it a hand has; set by `read_hand`, in part by `read_claimed`
_OPENED = bytearray(16)  # of each seat: sets that were opened and false; + 8: and true


def count_odds() -> bytes:
    """How likely, in percent, a hand with that share of the hidden cards has at least `laid` of those that fit."""
    odds = bytearray((_SHARES + 1) * (_MOST + 1) * (_MOST + 1))
    for share in range(_SHARES + 1):
        held = [0] * (_MOST + 2)  # how likely it has just so many of them
        held[0] = _ONE
        for fitting in range(_MOST + 1):
            above = 0
            for laid in range(_MOST, -1, -1):
                above += held[laid]
                odds[(share * (_MOST + 1) + fitting) * (_MOST + 1) + laid] = min(100, above * 100 // _ONE)
            for count in range(_MOST, -1, -1):
                more = held[count - 1] if count else 0
                held[count] = (held[count] * (_SHARES - share) + more * share) // _SHARES
    return bytes(odds)


_ODDS = count_odds()


def remember(opened: bytes) -> None:
    """What the seats know of each other from here on: of each, how many of its sets were opened and false, + 8 true."""
    _OPENED[:] = opened


def play_cals_bs_out(state: State, draw: Random, opened: bytes = _NOTHING_OPENED) -> bool:
    """Play to the end; whether it came. opened: as in `remember`."""
    register = state.register
    remember(opened)
    is_new = not register[TURNS]  # nobody was asked yet whether they doubt the last set
    for _ in range(_STEPS):
        if register[OUTCOME]:
            return True
        if register[DOUBTER]:
            doubt_out(state, register[DOUBTER])
        elif not register[LAST]:
            lead_out(state, register[LEADER], draw)
            is_new = not register[TURNS]
        elif is_new:
            is_new = False
            race_out(state, draw)
        elif answer_out(state, draw):
            is_new = not register[TURNS]
    return False


def race_out(state: State, draw: Random) -> None:
    """Each seat that may doubt the last set thinks of it; the first that does is the only one."""
    seats = state.register[SEATS]
    first = draw.below(seats)
    for step in range(seats):
        seat = 1 + (first + step) % seats
        if would_doubt(state, seat, draw):
            doubt_out(state, seat)
            return


def would_doubt(state: State, seat: int, draw: Random) -> bool:
    """Whether the seat may doubt the last set, and does."""
    if judge_doubt(state, seat, 1 << 29):
        return False
    read_claimed(state, seat, state.register[CLAIM])
    return doubts_out(state, seat, state.register[CLAIM], draw)


def doubt_out(state: State, seat: int) -> None:
    """The set is opened (C7), and everybody remembers what it was."""
    is_true = is_set_true(state)
    at = state.register[LAST] + (8 if is_true else 0)
    if _OPENED[at] < 200:
        _OPENED[at] += 1
    settle_doubt(state, seat, is_true)


def read_hand(state: State, seat: int) -> None:
    """How many cards of each rank the seat holds, in _KEEPS; staged cards go back into the hand."""
    where = state.where
    take_back(state, seat)
    for rank in range(16):
        _KEEPS[rank] = 0
    card = where.find(HAND + seat)
    while card >= 0:
        _KEEPS[RANK[card]] += 1
        card = where.find(HAND + seat, card + 1)


def read_claimed(state: State, seat: int, claim: int) -> None:
    """The same of the claimed rank and of jokers alone: a doubt asks no more of a hand, and a playout asks that four
    times as often as a hand is played from."""
    where = state.where
    take_back(state, seat)
    hand = HAND + seat
    count = 0
    if claim < JOKER:
        for card in range(claim, _PLAIN, 13):
            if where[card] == hand:
                count += 1
            if where[DECK + card] == hand:
                count += 1
        _KEEPS[claim] = count
    count = 0
    for card in range(_PLAIN, DECK):
        if where[card] == hand:
            count += 1
        if where[DECK + card] == hand:
            count += 1
    _KEEPS[JOKER] = count


def take_back(state: State, seat: int) -> None:
    """Staged cards go back into the hand."""
    register = state.register
    if register[STAGES + seat]:
        register[IN_HAND + seat] += register[STAGES + seat]
        register[STAGES + seat] = 0
        move_all(state.where, STAGED + seat, HAND + seat)


def stage_rank(state: State, seat: int, rank: int, most: int) -> int:
    """Stage up to so many cards of that rank; how many those are."""
    where = state.where
    count = 0
    card = where.find(HAND + seat)
    while card >= 0 and count < most:
        if RANK[card] == rank:
            where[card] = STAGED + seat
            count += 1
        card = where.find(HAND + seat, card + 1)
    state.register[IN_HAND + seat] -= count
    state.register[STAGES + seat] += count
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
            if _KEEPS[rank] == of_a_kind and not state.register[PILED] and not state.register[NO_EXTRAS]:
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


def answer_out(state: State, draw: Random) -> bool:
    """One of the seats that have not answered lays or passes, or doubts where its turn is the time for it; whether it
    laid."""
    register = state.register
    if register[TURNS]:
        seat = next_to_answer(state)
        if would_doubt(state, seat, draw):
            doubt_out(state, seat)
            return False
    else:
        seats = register[SEATS]
        seat = 1 + draw.below(seats)
        while seat == register[LAST] or register[PASSED] >> seat & 1:
            seat = seat % seats + 1
    claim = register[CLAIM]
    read_hand(state, seat)
    if claim < JOKER and not judge_claim_rank(state, seat) and follows_out(state, seat, claim, draw):
        return True
    enact_pass(state, seat)
    return False


def judge_claim_rank(state: State, seat: int) -> bool:
    """C8, C6: whether the seat may not lay on the last set."""
    return seat == state.register[LAST] or state.register[PASSED] >> seat & 1 > 0


def doubts_out(state: State, seat: int, claim: int, draw: Random) -> bool:
    """Whether the seat whose ranks are in _KEEPS doubts the last set."""
    register = state.register
    if claim >= JOKER:
        chance = _DOUBTS_A_PLUS if claim == HIGHER else _DOUBTS_A_JOKER + 30 * _KEEPS[JOKER]
        return draw.below(100) < chance
    lie = find_lie(state, seat, claim)
    if lie >= 100:
        return True
    step = 2 if lie >= _LIKELY else 1 if lie >= _MAYBE else 0
    is_near = count_held(state, register[LAST]) <= _NEAR_THE_END
    return draw.below(100) < (_DOUBTS_NEAR_THE_END[step] if is_near else _DOUBTS[step])


def find_lie(state: State, seat: int, claim: int) -> int:
    """How likely, in percent, the last set is false to the seat whose ranks are in _KEEPS: by the odds of the hand that
    it came from, and by how often its player was caught. A leader chooses its rank, so it could have told the truth
    more often (host_tools/minds/players/odds.py does the same sum to the last digit)."""
    register = state.register
    last = register[LAST]
    laid = min(_MOST, register[LAST_SET])
    hidden = max(1, count_in_play(state) - count_held(state, seat))
    share = min(_SHARES, _SHARES * (count_held(state, last) + laid) // hidden)
    deck = register[DECK_IS]
    jokers = 0 if deck > 1 else 4 if deck else 2
    fitting = max(0, count_of_a_kind(state) - _KEEPS[claim] + jokers - _KEEPS[JOKER])
    if laid > fitting:
        return 100
    could = _ODDS[(share * (_MOST + 1) + fitting) * (_MOST + 1) + laid]
    bluffs = 100 * (5 + _OPENED[last]) // (10 + _OPENED[last] + _OPENED[last + 8])
    if last == register[LEADER]:
        false = 100 * bluffs
        true = (100 - bluffs) * min(100, 3 * could)
    else:
        false = could * bluffs + (100 - could) * _FOLLOWS_FALSELY
        true = could * (100 - bluffs)
    return min(99, 100 * false // max(1, false + true))


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
