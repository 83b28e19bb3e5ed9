"""A toy of a game, as small as one can be: it shows all that a game has to bring.

Y1 two to seven seats with two cards each. Y2 the seat left of the dealer names a rank. Y3 then each lays one card,
clockwise from there, but none of that rank. Y4 the lowest card loses, the first of them where several are lowest.
Y5 whoever is on turn may give up instead of laying.
"""

from micropython import const

from cardtable.engine.deck import DECK, JOKER, RANK, SIX
from cardtable.engine.event import DRAW, NO_CARD, SHOWS_ALL, SHOWS_VERB
from cardtable.engine.hands import count_hand, count_stock, fill, holds, reveal
from cardtable.engine.plain import (  # noqa: F401 - the rest of the interface of a game
    count_face_down,
    count_missing,
    count_to_draw,
    due_ms,
    enact_lead,
    fact,
    fill_light,
    has_verb,
    hint,
    is_calm,
    judge_lead,
    more_keys,
    move_on,
    opens,
    press_first,
    recount,
    undoes,
    went_out,
)
from cardtable.engine.state import DEAL, DEALER, OUTCOME, OWN, SEATS
from cardtable.engine.verdict import OK, T2_LIES_ELSEWHERE, T3_DEAL_FIRST, T3_HAND_IS_FULL

NAME = "toy"
LETTER = "Y"
CARDS = DECK
SEAT_RANGE = (2, 7, "Y1")
PRESETS = (("toy", ""),)
OPTIONS = ()
NEEDS = ()

VERBS = (("name", "R", "OK"), ("lay", "C", "TAP"), ("surrender", "", "NO"))
_TO_NAME = const(16)
_TO_LAY = const(17)

_STOCK = const(1)
_HAND = const(8)
_LAID = const(16)
PLACES = (("stock", _STOCK, 1), ("hand", _HAND + 1, 7), ("laid", _LAID + 1, 7))

_TURN = const(80)  # from OWN on; 0 while cards are dealt
_NAMED = const(81)  # rank + 1, 0 until it is named
_LOSER = const(82)
REGISTERS = OWN + 3

_Y2_NAME_FIRST = const(2 * 8)
_Y2_NAMED_ALREADY = const(2 * 8 + 1)
_Y2_NO_RANK = const(2 * 8 + 2)
_Y3_NOT_YOUR_TURN = const(3 * 8)
_Y3_NAMED_RANK = const(3 * 8 + 1)

WAIT_DEAL = const(1)
WAIT_NAME = const(2)
WAIT_LAY = const(3)
WAIT_OVER = const(4)


def put(state, card, place):
    state.where[card] = place


def is_dealing(state):
    return not state.register[_TURN]


def is_in(state, seat):
    return True


def setup(state, said):
    for card in range(DECK):
        if SIX <= RANK[card] < JOKER:
            state.where[card] = _STOCK
    if state.register[DEAL]:
        for seat in range(1, state.register[SEATS] + 1):
            fill(state, seat, 2)
        begin(state)


def begin(state):
    state.register[_TURN] = state.register[DEALER] % state.register[SEATS] + 1


def judge(state, event):
    register = state.register
    if event.verb == DRAW:
        if register[_TURN] or count_hand(state, event.seat) == 2:
            return T3_HAND_IS_FULL
        return OK if state.where[event.card] == _STOCK else T2_LIES_ELSEWHERE
    if not register[_TURN]:
        return T3_DEAL_FIRST
    if event.seat != register[_TURN]:
        return _Y3_NOT_YOUR_TURN
    if event.verb == _TO_NAME:
        if register[_NAMED]:
            return _Y2_NAMED_ALREADY
        return OK if event.target < JOKER else _Y2_NO_RANK
    if not register[_NAMED]:
        return _Y2_NAME_FIRST
    if event.verb == _TO_LAY:
        if not holds(state, event.seat, event.card):
            return T2_LIES_ELSEWHERE
        return _Y3_NAMED_RANK if RANK[event.card] == register[_NAMED] - 1 else OK
    return OK


def enact(state, event):
    register = state.register
    if event.verb == DRAW:
        state.where[event.card] = _HAND + event.seat
        for seat in range(1, register[SEATS] + 1):
            if count_hand(state, seat) < 2:
                return
        begin(state)
    elif event.verb == _TO_NAME:
        register[_NAMED] = event.target + 1
    elif event.verb == _TO_LAY:
        reveal(state, event.seat, event.card)
        state.where[event.card] = _LAID + event.seat
        register[_TURN] = event.seat % register[SEATS] + 1
        if state.where.find(_LAID + register[_TURN]) >= 0:
            end_game(state)
    else:
        register[_LOSER] = event.seat
        register[OUTCOME] = 1


def end_game(state):
    seat = state.register[_TURN]
    lowest = JOKER
    for _ in range(state.register[SEATS]):
        rank = RANK[state.where.find(_LAID + seat)]
        if rank < lowest:
            lowest = rank
            state.register[_LOSER] = seat
        seat = seat % state.register[SEATS] + 1
    state.register[OUTCOME] = 1


def choices(state, seat, verb, out):
    for rank in range(SIX, JOKER):
        out.append(rank)


def meanings(state, seat, card, out):
    out.append((DRAW if is_dealing(state) else _TO_LAY) << 16 | card << 8)


def button(state, seat, key):
    return (_TO_NAME, _TO_LAY + 1, 0)[key]


def shows(state, verb):
    return SHOWS_VERB if verb == DRAW else SHOWS_ALL


def offers_blindly(state):
    return False


def waiting(state, out):
    register = state.register
    for seat in range(8):
        out[seat] = 0
    if register[OUTCOME]:
        out[0] = WAIT_OVER
    elif is_dealing(state):
        out[0] = WAIT_DEAL
        for seat in range(1, register[SEATS] + 1):
            out[seat] = WAIT_DEAL if count_hand(state, seat) < 2 else 0
    else:
        out[0] = out[register[_TURN]] = WAIT_LAY if register[_NAMED] else WAIT_NAME


def status(state):
    return "%d" % count_stock(state)


def describe_result(state):
    return "loser %d" % state.register[_LOSER]


def losers(state):
    return 1 << state.register[_LOSER] if state.register[_LOSER] else 0


def marks(state, seat):
    return 0


def next_dealer(state):
    return state.register[_LOSER]


def next_first(state):
    return 0


def undo_draw(state, seat, card):
    state.where[card] = _STOCK


# What cannot be: the bits of `audit`. AUDIT says them in words.
_NO_SUCH_PLACE = const(1)
_TWO_CARDS_OF_ONE_SEAT = const(2)


def audit(state):
    wrong = 0
    seats = state.register[SEATS]
    for card in range(DECK):
        place = state.where[card]
        if _LAID < place <= _LAID + seats:
            wrong |= _TWO_CARDS_OF_ONE_SEAT if state.where.find(place, card + 1) >= 0 else 0
        elif place > _STOCK and not _HAND < place <= _HAND + seats:
            wrong |= _NO_SUCH_PLACE
    return wrong


# --- for players and tests --------------------------------------------------------------------------------------------

CHANCE = {WAIT_DEAL: DRAW}

AUDIT = (
    "no such place",
    "two cards of one seat",
)


def moves(state, seat, now_ms, out):
    register = state.register
    if register[OUTCOME]:
        return
    for card in range(DECK):
        if is_dealing(state):
            if count_hand(state, seat) < 2 and state.where[card] == _STOCK:
                out.append(DRAW << 16 | card << 8)
        elif seat == register[_TURN] and register[_NAMED] and holds(state, seat, card):
            if RANK[card] != register[_NAMED] - 1:
                out.append(_TO_LAY << 16 | card << 8)
    if seat == register[_TURN]:
        if register[_NAMED]:
            out.append((_TO_LAY + 1) << 16 | NO_CARD << 8)
        else:
            for rank in range(JOKER):
                out.append(_TO_NAME << 16 | NO_CARD << 8 | rank)


def view(state, seat):
    hidden = [_STOCK if _HAND < place < _LAID and place != _HAND + seat else place for place in state.where]
    return bytes(hidden) + bytes(state.register)
