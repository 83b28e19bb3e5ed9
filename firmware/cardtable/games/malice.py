"""Malice with every option of its rulebook page (docs/rules/malice.md), in the order of that page.

Pure: no input or output, no clock, no chance, no exception for an illegal move. Words for people are in words/.
Of unseen cards (payoff piles, the stock) the table knows how many there are, and where each can be.
"""

from micropython import const

from cardtable.engine.deck import ACE, DECK, JOKER, RANK
from cardtable.engine.event import DRAW, NO_CARD, OK_KEY, SHOWS_ALL, SHOWS_VERB
from cardtable.engine.hands import count_hand, count_stock, fill, holds, is_counted, reveal
from cardtable.engine.meant import ASKED, CLOSED, put_nearest_first
from cardtable.engine.plain import (  # noqa: F401 - the rest of the interface of a game
    count_missing,
    due_ms,
    enact_lead,
    fact,
    fill_light,
    has_verb,
    is_calm,
    judge_lead,
    more_keys,
    opens,
    press_first,
    undoes,
    went_out,
)
from cardtable.engine.state import DEALER, OUTCOME, OWN, SEATS, State, are_counts_right, read_wide
from cardtable.engine.verdict import (
    OK,
    T2_HELD_ALREADY,
    T2_NOT_IN_STOCK,
    T2_OTHER_PILE,
    T3_HAND_IS_FULL,
)

NAME = "malice"
LETTER = "M"
CARDS = 2 * DECK

# --- what a set-up may say (the data that engine/setup.py reads) ------------------------------------------------------

SEAT_RANGE = (2, 4, "M1")
PRESETS = (
    ("malice", ""),
    ("kings-wild", "kings=wild jokers=none turn_end=side"),
)
OPTIONS = (
    ("refill", "M4", "no empty-hand"),
    ("centre_cards", "M6", "any one"),
    ("stake", "M15", (1, 10000)),
    ("side", "M9", "lower any"),
    ("payoff", "M2", (5, 26)),
    ("kings", "M13", "high wild wild-not-ace"),
    ("jokers", "M1", "four none"),
    ("turn_end", "M12", "free side"),
)
NEEDS = (
    ("payoff=14 payoff=15 payoff=16 payoff=17", "seats", "2 3", "M2"),
    ("payoff=18 payoff=19 payoff=20 payoff=21 payoff=22 payoff=23 payoff=24 payoff=25 payoff=26", "seats", "2", "M2"),
)

# engine/state.py again, as numbers that the compiler can fold (a test holds them equal).
_STOCK = const(1)
_HAND = const(8)  # + seat
_OPTION = const(8)
_UNSEEN = const(52)  # + seat
_OWN = const(80)

_REFILL = const(_OPTION + 0)
_ONE_CENTRE_CARD = const(_OPTION + 2)
_STAKE = const(_OPTION + 4)  # 0: none
_SIDE_TAKES_ANY = const(_OPTION + 6)
_PAYOFF_SIZE = const(_OPTION + 8)
_KINGS_WILD = const(_OPTION + 10)  # 1: they are, 2: but not as an ace
_NO_JOKERS = const(_OPTION + 12)
_END_BY_SIDE = const(_OPTION + 14)
_NOT_AS_ACE = const(2)  # of _KINGS_WILD

# --- verbs, places, registers -----------------------------------------------------------------------------------------

# Name, kinds of arguments, and the button or tap that says it (see play/seats.py).
VERBS = (
    ("flip", "C", "TAP"),
    ("centre", "CN", "TAP"),
    ("side", "CN", "TAP"),
    ("end", "", "OK"),
)
_TO_FLIP = const(16)
_TO_CENTRE = const(17)
_TO_SIDE = const(18)
_TO_END = const(19)

_PAYOFF = const(2)  # face down in a payoff pile, which one is unknown; or out of the game (payoff=5 to 25)
_KNOWN = const(2)  # + seat: face down in the payoff pile of that seat, as all have seen (M2)
_CENTRE = const(15)  # + pile 1..4
_SIDE = const(15)  # + 4 * seat + pile 1..4
_FIRST_SIDE = const(20)
_LAST_SIDE = const(35)
_TURNED = const(35)  # + seat: face up on the payoff pile
_LAST_PLACE = const(39)
PLACES = (
    ("stock", _STOCK, 1),
    ("payoff", _PAYOFF, 1),
    ("payoff", _KNOWN + 1, 4),
    ("turned", _TURNED + 1, 4),
    ("hand", _HAND + 1, 4),
    ("centre", _CENTRE + 1, 4),
    ("side1.", _SIDE + 5, 4),
    ("side2.", _SIDE + 9, 4),
    ("side3.", _SIDE + 13, 4),
    ("side4.", _SIDE + 17, 4),
)

_PHASE = const(_OWN + 0)
_TURN = const(_OWN + 1)  # the seat whose turn it is; in the deal: which has the first
_DRAWING = const(_OWN + 2)  # 1: the seat whose turn it is fills up (M4)
_LAID = const(_OWN + 3)  # of this turn: 1 when a card was laid (M16)
_DREW = const(_OWN + 4)  # of this turn: 1 when a card was drawn (M16)
_SPENT = const(_OWN + 5)  # of this turn: 1 when its one card of hand or side pile is in the centre (M6)
_DRY_ENDS = const(_OWN + 6)  # turns in a row that ended without a laid card and without a stock (M16)
_STILL_ENDS = const(_OWN + 7)  # turns in a row that ended without a laid card and without a drawn one (M16)
_WINNER = const(_OWN + 8)
_LEFT = const(_OWN + 8)  # + seat: cards of the payoff pile, the turned one included
_TOP = const(_OWN + 13)  # + place - _FIRST_SIDE: the top card of a side pile, or _NOTHING
_UNDER = const(_OWN + 29)  # + card: the card that it lies on in its side pile, or _NOTHING
_RETURNS = const(_OWN + 137)  # how many centre piles have gone into the stock (M14)
_SINCE = const(_OWN + 138)  # + card: which of them took it there, from 1; 0: none
_DRAWN = const(_OWN + 241)  # + 5 * seat + n: _RETURNS when an unseen card of the hand was drawn, oldest first (T4)
# Counts that follow from the places, changed where a card moves (`recount` finds them again, `audit` compares).
_HELD = const(_OWN + 265)  # + seat: cards in its hand, seen or not (T4)
_STOCKED = const(_OWN + 270)  # cards that can still be drawn
_PILES_UP = const(_OWN + 271)  # how many centre piles stand (M5, M10)
_HEIGHTS = const(_OWN + 271)  # + pile: how high it is, as many cards as the rank of its top says; 0: a free place (M5)
_UP = const(_OWN + 275)  # + seat: the card that lies face up on its payoff pile, or _NOTHING
REGISTERS = OWN + 280

_OPENING = const(0)
_DEAL = const(1)
_PLAY = const(2)
_NOTHING = const(255)
_FULL_HAND = const(5)
_FIRST_DECK = const(52)
_PILES = const(4)  # in the centre, and of each seat at its side
_KING = const(13)  # as high as a full centre pile; with kings=wild that is the queen, one less

_WON = const(1)
_NOBODY_WON = const(2)

_AT = tuple([bytes([place]) for place in range(_LAST_PLACE + 1)])  # what bytearray.count takes in MicroPython
_HEIGHT = bytes([1 if rank == ACE else rank + 2 for rank in RANK])  # M1: from the ace, 1, to the king, 13
_ACES = bytes([card for card in range(2 * DECK) if RANK[card] == ACE])
_NOBODY = bytes(8)
_TOPS = "-A23456789TJQ"

# --- verdicts: rule * 8 + way (engine/verdict.py) ---------------------------------------------------------------------

_M2_TURN_FIRST = const(2 * 8)
_M2_TURNED_ALREADY = const(2 * 8 + 1)
_M3_DEAL_FIRST = const(3 * 8)
_M4_DRAW_FIRST = const(4 * 8)
_M4_NOTHING_TO_DRAW = const(4 * 8 + 1)
_M4_IN_THE_OTHER_HAND = const(4 * 8 + 2)
_M5_DOES_NOT_FOLLOW = const(5 * 8)
_M5_BEGINS_WITH_AN_ACE = const(5 * 8 + 1)
_M5_NO_SUCH_PILE = const(5 * 8 + 2)
_M6_NOT_FROM_THERE = const(6 * 8)
_M6_ONE_A_TURN = const(6 * 8 + 1)
_M7_TURN_FIRST = const(7 * 8)
_M7_NOTHING_TO_TURN = const(7 * 8 + 1)
_M7_ONLY_TO_THE_CENTRE = const(7 * 8 + 2)
_M8_ACE_FIRST = const(8 * 8)
_M9_DOES_NOT_FIT = const(9 * 8)
_M9_ONLY_FROM_THE_HAND = const(9 * 8 + 1)
_M9_NO_SUCH_PILE = const(9 * 8 + 2)
_M10_FOUR_PILES_FIRST = const(10 * 8)
_M11_SIDE_PILES_STAY = const(11 * 8)
_M12_NOT_YOUR_TURN = const(12 * 8)
_M12_END_BY_SIDE = const(12 * 8 + 1)

# --- places: the only arithmetic on place numbers ---------------------------------------------------------------------


def put(state: State, card: int, place: int) -> None:
    """Move a card from any place to any other and count again: for the arbiter, and for rare moves (T1, T10)."""
    move(state, card, place)
    recount(state)


def move(state: State, card: int, place: int) -> None:
    """Move a card: the only thing that does (T1). M14: what completes a centre pile sends it into the stock."""
    register = state.register
    where = state.where
    old = where[card]
    owner = payoff_owner(old)
    if owner:
        register[_LEFT + owner] -= 1
        if old > _TURNED:
            register[_UP + owner] = _NOTHING
    elif old >= _FIRST_SIDE:
        lift(register, card, _TOP + old - _FIRST_SIDE)
    elif _HAND < old < _CENTRE:
        register[_HELD + old - _HAND] -= 1
    elif old == _STOCK and register[_STOCKED]:
        register[_STOCKED] -= 1
    where[card] = place
    owner = payoff_owner(place)
    if owner:
        if old != _PAYOFF:
            register[_LEFT + owner] += 1
        if place > _TURNED:
            register[_UP + owner] = card
    elif place >= _FIRST_SIDE:
        register[_UNDER + card] = register[_TOP + place - _FIRST_SIDE]
        register[_TOP + place - _FIRST_SIDE] = card
    elif place > _CENTRE:
        at = _HEIGHTS - _CENTRE + place
        register[_PILES_UP] += 0 if register[at] else 1
        register[at] += 1
        if register[at] == full_height(register):
            return_pile(state, place)
    elif place > _HAND:
        register[_HELD + place - _HAND] += 1
        if old == _STOCK:
            drop_drawn(register, place - _HAND, card)


def recount(state: State) -> None:
    """Find the counts again that follow from the places."""
    register = state.register
    where = state.where
    register[_STOCKED] = max(0, count_stock(state))
    for seat in range(1, register[SEATS] + 1):
        register[_HELD + seat] = count_hand(state, seat)
        card = where.find(_TURNED + seat)
        register[_UP + seat] = card if card >= 0 else _NOTHING
    piles = 0
    for pile in range(1, _PILES + 1):
        register[_HEIGHTS + pile] = where.count(_AT[_CENTRE + pile])
        piles += 1 if register[_HEIGHTS + pile] else 0
    register[_PILES_UP] = piles


def full_height(register: bytearray) -> int:
    """M14, M13: how high a full centre pile is: to the king, or where kings are wild to the queen."""
    return _KING - 1 if register[_KINGS_WILD] else _KING


def return_pile(state: State, place: int) -> None:
    """M14: a full pile goes into the stock."""
    register = state.register
    register[_RETURNS] = min(register[_RETURNS] + 1, 255)
    for card in range(2 * DECK):
        if state.where[card] == place:
            state.where[card] = _STOCK
            register[_SINCE + card] = register[_RETURNS]
            register[_STOCKED] += 1
    register[_HEIGHTS - _CENTRE + place] = 0
    register[_PILES_UP] -= 1


def lift(register: bytearray, card: int, top: int) -> None:
    """Take the card out of its side pile, whose register is `top`."""
    at = top
    while register[at] != card:
        at = _UNDER + register[at]
    register[at] = register[_UNDER + card]
    register[_UNDER + card] = _NOTHING


def payoff_owner(place: int) -> int:
    """The seat of a payoff pile in which the place is known to be; 0 if it is in none."""
    if place > _TURNED:
        return place - _TURNED
    return place - _KNOWN if _KNOWN < place < _HAND else 0


def can_be_in_payoff(state: State, seat: int, card: int) -> bool:
    """M2, T1: whether the card may lie face down in the seat's pile, as far as the players can know."""
    place = state.where[card]
    if place == _KNOWN + seat:
        return True
    # Where all cards of the pile are known, none that has not been seen can be in it.
    return place == _PAYOFF and count_face_down(state, seat) > state.where.count(_AT[_KNOWN + seat])


def count_face_down(state: State, seat: int) -> int:
    """M2: the cards of the seat's payoff pile that lie under its top; all can count them."""
    return state.register[_LEFT + seat] - (1 if state.register[_UP + seat] != _NOTHING else 0)


def side_top(state: State, seat: int, pile: int) -> int:
    """The top card of one of the seat's side piles, or _NOTHING."""
    return state.register[_TOP + _SIDE + 4 * seat + pile - _FIRST_SIDE]


def is_in_side_pile(state: State, seat: int, card: int) -> bool:
    """M11: whether the card lies in one of the seat's own side piles, covered or not."""
    first = _SIDE + 4 * seat + 1
    return first <= state.where[card] < first + _PILES


def is_side_top(state: State, seat: int, card: int) -> bool:
    """M6: whether the card lies on top of one of the seat's own side piles."""
    if not is_in_side_pile(state, seat, card):
        return False
    return state.register[_TOP + state.where[card] - _FIRST_SIDE] == card


# --- unseen hands: T4 -------------------------------------------------------------------------------------------------


def fill_hand(state: State, seat: int) -> None:
    """T4, M3, M4: with deal=counted the seat has five cards at once, as far as the stock goes."""
    register = state.register
    at = _DRAWN + 5 * seat + register[_UNSEEN + seat]
    came = fill(state, seat, _FULL_HAND - register[_HELD + seat])
    register[_HELD + seat] += came
    register[_STOCKED] -= came
    for index in range(at, at + came):
        register[index] = register[_RETURNS]


def can_hold(state: State, seat: int, card: int) -> bool:
    """T4, T1: what went into the stock with a pile (M14) is in no hand before that hand has drawn again."""
    unseen = state.register[_UNSEEN + seat]
    if not holds(state, seat, card) or state.where[card] != _STOCK:
        return holds(state, seat, card)
    return state.register[_DRAWN + 5 * seat + unseen - 1] >= state.register[_SINCE + card]


def show(state: State, seat: int, card: int) -> None:
    """T4: the card of the hand that the seat has tapped is known from now on."""
    if state.where[card] == _STOCK:
        drop_drawn(state.register, seat, card)
    reveal(state, seat, card)


def drop_drawn(register: bytearray, seat: int, card: int) -> None:
    """T4: of the unseen cards of the hand it was the oldest that it can be, so that the others may still be any."""
    at = _DRAWN + 5 * seat
    last = at + _FULL_HAND - 1
    while at < last and register[at] < register[_SINCE + card]:
        at += 1
    for index in range(at, last):
        register[index] = register[index + 1]
    register[last] = 0


# --- cards, the first turn, the deal: M1-M4 ---------------------------------------------------------------------------


def setup(state: State, said: list) -> None:
    """M1, M2: the first deck lies in two payoff piles, the second and all jokers in the stock."""
    register = state.register
    for card in range(2 * DECK):
        if RANK[card] < JOKER or not register[_NO_JOKERS]:
            state.where[card] = _PAYOFF if card < DECK and RANK[card] < JOKER else _STOCK
        register[_UNDER + card] = _NOTHING
    for place in range(_FIRST_SIDE, _LAST_SIDE + 1):
        register[_TOP + place - _FIRST_SIDE] = _NOTHING
    for seat in range(1, 5):
        register[_LEFT + seat] = payoff_size(register) if seat <= register[SEATS] else 0
        register[_UP + seat] = _NOTHING
    recount(state)


def payoff_size(register: bytearray) -> int:
    """M2: how many cards a payoff pile begins with."""
    return register[_PAYOFF_SIZE] or _FIRST_DECK // register[SEATS]


def is_dealing(state: State) -> bool:
    """T3: whether cards are still being dealt."""
    return state.register[_PHASE] == _DEAL


def is_in(state: State, seat: int) -> bool:
    """M15: no seat goes out before the game is over."""
    return True


def judge_flip(state: State, seat: int, card: int) -> int:
    """M2, M7."""
    register = state.register
    if register[_PHASE] == _OPENING:
        if register[_UP + seat] != _NOTHING:
            return _M2_TURNED_ALREADY
    elif register[_PHASE] == _DEAL:
        return _M3_DEAL_FIRST
    elif seat != register[_TURN]:
        return _M12_NOT_YOUR_TURN
    elif register[_UP + seat] != _NOTHING:
        return _M7_NOTHING_TO_TURN
    return OK if can_be_in_payoff(state, seat, card) else T2_OTHER_PILE


def enact_flip(state: State, seat: int, card: int) -> None:
    """M7; M2: the last card turned decides, or those that share the highest rank go back into their piles."""
    move(state, card, _TURNED + seat)
    register = state.register
    if register[_PHASE] != _OPENING:
        return
    highest = first = tied = 0
    for other in range(1, register[SEATS] + 1):
        card = register[_UP + other]
        if card == _NOTHING:
            return
        if _HEIGHT[card] > highest:
            highest = _HEIGHT[card]
            first = other
            tied = 0
        elif _HEIGHT[card] == highest:
            tied = 1
    if not tied:
        start_deal(state, first)
        return
    for other in range(1, register[SEATS] + 1):
        if _HEIGHT[register[_UP + other]] == highest:
            move(state, register[_UP + other], _KNOWN + other)


def start_deal(state: State, first: int) -> None:
    """M3; T4: with deal=counted five cards have come to each hand, and the first turn begins."""
    register = state.register
    register[_TURN] = first
    register[_PHASE] = _DEAL
    if is_counted(state):
        for seat in range(1, register[SEATS] + 1):
            fill_hand(state, seat)
        start_turn(state, first)


def judge_draw(state: State, seat: int, card: int) -> int:
    """T3, M3, M4."""
    register = state.register
    if register[_PHASE] == _OPENING:
        return _M2_TURN_FIRST
    if register[_PHASE] == _DEAL:
        if register[_HELD + seat] >= _FULL_HAND:
            return T3_HAND_IS_FULL
    elif seat != register[_TURN]:
        return _M12_NOT_YOUR_TURN
    elif not register[_DRAWING]:
        place = state.where[card]
        return _M4_IN_THE_OTHER_HAND if _HAND < place < _CENTRE and place != _HAND + seat else _M4_NOTHING_TO_DRAW
    if state.where[card] == _STOCK:
        return OK
    return T2_HELD_ALREADY if state.where[card] == _HAND + seat else T2_NOT_IN_STOCK


def enact_draw(state: State, seat: int, card: int) -> None:
    """M3: the first turn begins when all have five; M4: a seat fills up to five, or until the stock is gone."""
    register = state.register
    move(state, card, _HAND + seat)
    if register[_PHASE] == _DEAL:
        for other in range(1, register[SEATS] + 1):
            if register[_HELD + other] < _FULL_HAND:
                return
        start_turn(state, register[_TURN])
        return
    register[_DREW] = 1
    if register[_HELD + seat] >= _FULL_HAND or not register[_STOCKED]:
        register[_DRAWING] = 0


def undo_draw(state: State, seat: int, card: int) -> None:
    """T3, T7: in the deal a draw is taken back."""
    put(state, card, _STOCK)


def start_turn(state: State, seat: int) -> None:
    """M4: the seat fills up before anything else."""
    register = state.register
    register[_PHASE] = _PLAY
    register[_TURN] = seat
    register[_LAID] = 0
    register[_DREW] = 0
    register[_SPENT] = 0
    fill_up(state)


def fill_up(state: State) -> None:
    """M4: draws to five are due, as far as the stock goes; T4: with deal=counted they have happened at once."""
    register = state.register
    if register[_HELD + register[_TURN]] >= _FULL_HAND or not register[_STOCKED]:
        return
    if is_counted(state):
        fill_hand(state, register[_TURN])
        register[_DREW] = 1
    else:
        register[_DRAWING] = 1


# --- the centre: M5-M8 ------------------------------------------------------------------------------------------------


def judge_turn(state: State, seat: int) -> int:
    """Check what comes before every play of a turn: M2, M3, M12, M4, M7."""
    register = state.register
    if register[_PHASE] == _OPENING:
        return _M2_TURN_FIRST
    if register[_PHASE] == _DEAL:
        return _M3_DEAL_FIRST
    if seat != register[_TURN]:
        return _M12_NOT_YOUR_TURN
    if register[_DRAWING]:
        return _M4_DRAW_FIRST
    return OK if register[_UP + seat] != _NOTHING else _M7_TURN_FIRST


def judge_centre(state: State, seat: int, card: int, pile: int) -> int:
    """M5-M7, M13."""
    verdict = judge_turn(state, seat)
    if verdict:
        return verdict
    is_payoff = state.where[card] == _TURNED + seat
    if not is_payoff and not can_hold(state, seat, card) and not is_side_top(state, seat, card):
        return _M6_NOT_FROM_THERE
    if not 1 <= pile <= _PILES:
        return _M5_NO_SUCH_PILE
    if not is_payoff and state.register[_SPENT]:
        return _M6_ONE_A_TURN
    return judge_follow(state.register, card, state.register[_HEIGHTS + pile])


def judge_follow(register: bytearray, card: int, height: int) -> int:
    """M5, M13: whether the card goes on a centre pile of that height."""
    if _HEIGHT[card] == height + 1:
        return OK
    if is_wild(register, card) and (height or RANK[card] == JOKER or register[_KINGS_WILD] != _NOT_AS_ACE):
        return OK
    return _M5_DOES_NOT_FOLLOW if height else _M5_BEGINS_WITH_AN_ACE


def is_wild(register: bytearray, card: int) -> bool:
    """M13: whether the card stands for any other: a joker, and with kings=wild a king."""
    return RANK[card] == JOKER or (_HEIGHT[card] == _KING and register[_KINGS_WILD] > 0)


def enact_centre(state: State, seat: int, card: int, pile: int) -> None:
    """M6, M7, M14; M15: the seat that lays its last payoff card wins; M4: an empty hand may be filled up."""
    register = state.register
    is_payoff = state.where[card] == _TURNED + seat
    if not is_payoff:
        register[_SPENT] = register[_ONE_CENTRE_CARD]
        if not is_side_top(state, seat, card):
            show(state, seat, card)
    move(state, card, _CENTRE + pile)
    note_laid(register)
    if not register[_LEFT + seat]:
        end_game(state, seat)
    elif register[_REFILL] and not register[_HELD + seat]:
        fill_up(state)


def has_forced_ace(state: State, seat: int) -> bool:
    """M8: whether an ace that the table knows of can go to a free place."""
    register = state.register
    where = state.where
    if register[_PILES_UP] == _PILES:
        return False
    is_spent = register[_SPENT]
    for index in range(8):
        card = _ACES[index]
        place = where[card]
        if place == _TURNED + seat:
            return True
        if not is_spent and (place == _HAND + seat or (place >= _FIRST_SIDE and is_side_top(state, seat, card))):
            return True
    return False


def hint(state: State) -> int:
    """M8, M17: whether a two that all can see may go on an ace, as the number of the words for it."""
    register = state.register
    seat = register[_TURN]
    if register[OUTCOME] or register[_PHASE] != _PLAY or judge_turn(state, seat):
        return 0
    for pile in range(1, _PILES + 1):
        if register[_HEIGHTS + pile] == 1:
            if _HEIGHT[register[_UP + seat]] == 2:
                return HINT_TWO_ON_ACE
            for side in range(1, _PILES + 1):
                top = side_top(state, seat, side)
                if top != _NOTHING and _HEIGHT[top] == 2 and not register[_SPENT]:
                    return HINT_TWO_ON_ACE
    return 0


# --- side piles: M9-M11, M13 ------------------------------------------------------------------------------------------


def judge_side(state: State, seat: int, card: int, pile: int) -> int:
    """M7-M11; laying on a side pile ends the turn too, so an ace goes first (M8)."""
    verdict = judge_turn(state, seat)
    if verdict:
        return verdict
    if state.where[card] == _TURNED + seat:
        return _M7_ONLY_TO_THE_CENTRE
    if is_in_side_pile(state, seat, card):
        return _M11_SIDE_PILES_STAY
    if not can_hold(state, seat, card):
        return _M9_ONLY_FROM_THE_HAND
    if not 1 <= pile <= _PILES:
        return _M9_NO_SUCH_PILE
    return _M8_ACE_FIRST if has_forced_ace(state, seat) else judge_fit(state, seat, card, pile)


def judge_fit(state: State, seat: int, card: int, pile: int) -> int:
    """M9, M10, M13: whether the card goes on that side pile of the seat; with side=any every card does."""
    top = side_top(state, seat, pile)
    register = state.register
    if register[_SIDE_TAKES_ANY] or top == _NOTHING or _HEIGHT[card] == _HEIGHT[top]:
        return OK
    if is_wild(register, card) or is_wild(register, top):
        return OK
    if _HEIGHT[card] + 1 != _HEIGHT[top]:
        return _M9_DOES_NOT_FIT
    return _M10_FOUR_PILES_FIRST if _HEIGHT[card] <= 2 and register[_PILES_UP] < _PILES else OK


def enact_side(state: State, seat: int, card: int, pile: int) -> None:
    """M11: the turn is over."""
    show(state, seat, card)
    move(state, card, _SIDE + 4 * seat + pile)
    note_laid(state.register)
    start_turn(state, seat % state.register[SEATS] + 1)


# --- ends: M12, M15, M16 ----------------------------------------------------------------------------------------------


def judge_end(state: State, seat: int) -> int:
    """M12, M8."""
    verdict = judge_turn(state, seat)
    if verdict:
        return verdict
    if has_forced_ace(state, seat):
        return _M8_ACE_FIRST
    return _M12_END_BY_SIDE if state.register[_END_BY_SIDE] and can_lay_side(state, seat) else OK


def can_lay_side(state: State, seat: int) -> bool:
    """M12, turn_end=side: whether a card that the table knows in the hand goes on a side pile of the seat."""
    card = state.where.find(_HAND + seat)
    while card >= 0:
        for pile in range(1, _PILES + 1):
            if not judge_fit(state, seat, card, pile):
                return True
        card = state.where.find(_HAND + seat, card + 1)
    return False


def enact_end(state: State, seat: int) -> None:
    """M12; M16: an end of each seat in a row that led nowhere ends the game; the fewest payoff cards win."""
    register = state.register
    seats = register[SEATS]
    is_dry = not register[_LAID] and not register[_STOCKED]
    is_still = not register[_LAID] and not register[_DREW]
    register[_DRY_ENDS] = register[_DRY_ENDS] + 1 if is_dry else 0
    register[_STILL_ENDS] = register[_STILL_ENDS] + 1 if is_still else 0
    if register[_DRY_ENDS] < seats and register[_STILL_ENDS] < seats:
        start_turn(state, seat % seats + 1)
        return
    winner = 1
    tied = 0
    for other in range(2, seats + 1):
        if register[_LEFT + other] < register[_LEFT + winner]:
            winner = other
            tied = 0
        elif register[_LEFT + other] == register[_LEFT + winner]:
            tied = 1
    if tied:
        register[OUTCOME] = _NOBODY_WON
    else:
        end_game(state, winner)


def note_laid(register: bytearray) -> None:
    """M16: a card was laid, so the count of ends starts again."""
    register[_LAID] = 1
    register[_DRY_ENDS] = 0
    register[_STILL_ENDS] = 0


def end_game(state: State, winner: int) -> None:
    """M15, M16."""
    state.register[_WINNER] = winner
    state.register[OUTCOME] = _WON


# --- the game's interface ---------------------------------------------------------------------------------------------


def judge(state: State, event) -> int:
    """0, or the first broken rule; the session has seen to it that the seat plays and the card is of these decks."""
    verb = event.verb
    if verb == _TO_CENTRE:
        return judge_centre(state, event.seat, event.card, event.target)
    if verb == _TO_SIDE:
        return judge_side(state, event.seat, event.card, event.target)
    if verb == DRAW:
        return judge_draw(state, event.seat, event.card)
    if verb == _TO_FLIP:
        return judge_flip(state, event.seat, event.card)
    return judge_end(state, event.seat)


def enact(state: State, event) -> None:
    """Let happen what `judge` accepted."""
    verb = event.verb
    if verb == _TO_CENTRE:
        enact_centre(state, event.seat, event.card, event.target)
    elif verb == _TO_SIDE:
        enact_side(state, event.seat, event.card, event.target)
    elif verb == DRAW:
        enact_draw(state, event.seat, event.card)
    elif verb == _TO_FLIP:
        enact_flip(state, event.seat, event.card)
    else:
        enact_end(state, event.seat)


def meanings(state: State, seat: int, card: int, out: list) -> None:
    """Append to `out`, packed and in order, what a tap of that card by that seat can mean now, legal or not.

    A card of the hand means the eight piles. The first of them is refused if none will do: the centre's, if the card
    follows there, else a side pile's, which also says that an ace has to go first (M8).
    """
    place = state.where[card]
    is_own = can_hold(state, seat, card)
    if _PAYOFF <= place < _HAND:
        out.append(_TO_FLIP << 16 | card << 8)
    elif not is_own and (place == _STOCK or (_HAND <= place <= _CENTRE and not is_counted(state))):
        out.append(DRAW << 16 | card << 8)
    else:
        follows = False
        for pile in range(1, _PILES + 1):
            follows = follows or not judge_follow(state.register, card, state.register[_HEIGHTS + pile])
        if is_own and not follows:
            name_piles(_TO_SIDE, card, out)
            put_nearest_first(state, out, nearness)
        name_piles(_TO_CENTRE, card, out)
        if is_own and follows:
            name_piles(_TO_SIDE, card, out)


def nearness(state: State, packed: int) -> int:
    """How near a card is to that side pile: the rank fits, and only M10 forbids it, or not even that."""
    card = packed >> 8 & 255
    return ASKED if judge_fit(state, state.register[_TURN], card, packed & 255) == _M10_FOUR_PILES_FIRST else CLOSED


def name_piles(verb: int, card: int, out: list) -> None:
    """The four piles that the verb can be said of."""
    for pile in range(1, _PILES + 1):
        out.append(verb << 16 | card << 8 | pile)


def choices(state: State, seat: int, verb: int, out: list) -> None:
    """The piles that `centre` and `side` can be said of."""
    for pile in range(1, _PILES + 1):
        out.append(pile)


def button(state: State, seat: int, key: int) -> int:
    """The verb that a button says: OK (0) end; the others none."""
    return _TO_END if key == OK_KEY else 0


def move_on(state: State, seat: int) -> int:
    """T8: a seat whose time is over ends its turn (M12), unless it has to draw or turn a card first; turn_end=side:
    or the table knows a card in its hand, for whether that one fits is a secret (M17)."""
    if judge_turn(state, seat) or state.register[_END_BY_SIDE] and state.where.find(_HAND + seat) >= 0:
        return 0
    return _TO_END


def shows(state: State, verb: int) -> int:
    """What everybody may see of an event: 2 all of it, 1 not its card (M17)."""
    return SHOWS_VERB if verb == DRAW else SHOWS_ALL


def offers_blindly(state: State) -> bool:
    """A tap offers what is legal."""
    return False


# What the table can recommend; its words have the key H and this number.
HINT_TWO_ON_ACE = const(1)

# What the table can wait for; its words have the key P and this number.
WAIT_OPENING = const(1)
WAIT_DEAL = const(2)
WAIT_DRAW = const(3)
WAIT_FLIP = const(4)
WAIT_PLAY = const(5)
WAIT_OVER = const(6)

def waiting(state: State, out: bytearray) -> None:
    """out[seat] = what the table waits for from that seat, or 0; out[0] = what the screen says. Public facts alone."""
    register = state.register
    out[:] = _NOBODY
    if register[OUTCOME]:
        out[0] = WAIT_OVER
    elif register[_PHASE] == _PLAY:
        turn = register[_TURN]
        wait = WAIT_DRAW if register[_DRAWING] else WAIT_FLIP if register[_UP + turn] == _NOTHING else WAIT_PLAY
        out[0] = out[turn] = wait
    else:
        is_deal = register[_PHASE] == _DEAL
        out[0] = WAIT_DEAL if is_deal else WAIT_OPENING
        for seat in range(1, register[SEATS] + 1):
            if register[_HELD + seat] < _FULL_HAND if is_deal else register[_UP + seat] == _NOTHING:
                out[seat] = out[0]


def status(state: State) -> str:
    """The table in one line that needs no language: centre tops, cards in the stock, payoff piles."""
    register = state.register
    tops = "".join([_TOPS[register[_HEIGHTS + pile]] for pile in range(1, _PILES + 1)])
    left = " ".join([str(register[_LEFT + seat]) for seat in range(1, register[SEATS] + 1)])
    return "%s %d: %s" % (tops, register[_STOCKED], left)


def count_to_draw(state: State, seat: int) -> int:
    """T3, M3: how many of its five cards the seat still taps in the deal."""
    return _FULL_HAND - state.register[_HELD + seat]


def describe_result(state: State) -> str:
    """As the record writes it: `winner 1`, `winner 1 owes 2 60`, `winner 1 owes 2 60 owes 3 8`, `draw` (M15, M16)."""
    register = state.register
    if register[OUTCOME] == _NOBODY_WON:
        return "draw"
    text = "winner %d" % register[_WINNER]
    if read_wide(register, _STAKE):
        for seat in range(1, register[SEATS] + 1):
            if seat != register[_WINNER]:
                text += " owes %d %d" % (seat, count_owed(state, seat))
    return text


def count_owed(state: State, seat: int) -> int:
    """M15, M16: what a loser owes. The winner of M15 has no card left, so the difference is what M15 counts, too."""
    register = state.register
    return (register[_LEFT + seat] - register[_LEFT + register[_WINNER]]) * read_wide(register, _STAKE)


def losers(state: State) -> int:
    """A bit for each seat that lost; none in a draw."""
    register = state.register
    return (2 << register[SEATS]) - 2 & ~(1 << register[_WINNER]) if register[OUTCOME] == _WON else 0


def marks(state: State, seat: int) -> int:
    """M15, M16, D45: what the seat owes."""
    return count_owed(state, seat) if losers(state) >> seat & 1 else 0


def next_dealer(state: State) -> int:
    """M3: the turned cards decide the dealer; the header's does not count."""
    return state.register[DEALER]


def next_first(state: State) -> int:
    """M2: unknown until the cards are turned."""
    return 0


# What cannot be: the bits of `audit`. AUDIT says them in words.
_NO_SUCH_PLACE = const(1)
_TWO_CARDS_TURNED_UP_ON_ONE_PILE = const(2)
_PAYOFF_PILES_MISCOUNTED = const(4)  # they hold other numbers than cards
_BROKEN_SIDE_PILE = const(8)  # its cards do not lie on each other
_CENTRE_PILE_NOT_BUILT_UP = const(16)
_WRONG_DRAW = const(32)  # it is due to no seat, or nothing is due
_END_NOT_TOLD = const(64)  # a payoff pile is empty, and the game goes on
_COUNTS_UNLIKE_PLACES = const(128)


def audit(state: State) -> int:
    """T1: 0, or a bit for each thing that cannot be."""
    where = state.where
    wrong = 0 if are_counts_right(state, _HELD, recount) else _COUNTS_UNLIKE_PLACES
    seats = state.register[SEATS]
    for card in range(2 * DECK):
        place = where[card]
        owner = payoff_owner(place)
        if place == _PAYOFF or owner:
            wrong |= _NO_SUCH_PLACE if card >= DECK or RANK[card] == JOKER or owner > seats else 0
        elif not place and RANK[card] == JOKER and state.register[_NO_JOKERS]:
            continue
        elif place != _STOCK and not _HAND < place <= _HAND + seats and not _CENTRE < place <= _SIDE + 4 * seats + 4:
            wrong |= _NO_SUCH_PLACE
    for place in range(_FIRST_SIDE, _LAST_SIDE + 1):
        if count_chain(state, place) != where.count(_AT[place]):
            wrong |= _BROKEN_SIDE_PILE
    for pile in range(1, _PILES + 1):
        if not is_built_up(state, pile):
            wrong |= _CENTRE_PILE_NOT_BUILT_UP
    return wrong | audit_payoff(state) | audit_phase(state)


def count_chain(state: State, place: int) -> int:
    """How many cards lie on each other in a side pile; -1 if one of them lies elsewhere."""
    register = state.register
    count = 0
    card = register[_TOP + place - _FIRST_SIDE]
    while card != _NOTHING:
        if card >= 2 * DECK or state.where[card] != place or count > 2 * DECK:
            return -1
        count += 1
        card = register[_UNDER + card]
    return count


def is_built_up(state: State, pile: int) -> bool:
    """M5, M13: whether each rank up to the pile's height is there once, or a wild card for it."""
    register = state.register
    height = register[_HEIGHTS + pile]
    ranks = 0
    for card in range(2 * DECK):
        if state.where[card] == _CENTRE + pile and not is_wild(register, card):
            if _HEIGHT[card] > height or ranks >> _HEIGHT[card] & 1:
                return False
            ranks |= 1 << _HEIGHT[card]
    return height < full_height(register)


def audit_payoff(state: State) -> int:
    """The payoff piles' part of `audit`."""
    where = state.where
    seats = state.register[SEATS]
    left = _FIRST_DECK - seats * payoff_size(state.register)  # those that are out of the game; nobody has seen which
    cards = where.count(_AT[_PAYOFF])
    wrong = 0
    for seat in range(1, seats + 1):
        turned = where.count(_AT[_TURNED + seat])
        known = where.count(_AT[_KNOWN + seat])
        left += state.register[_LEFT + seat]
        cards += turned + known
        wrong |= _TWO_CARDS_TURNED_UP_ON_ONE_PILE if turned > 1 else 0
        wrong |= _PAYOFF_PILES_MISCOUNTED if turned + known > state.register[_LEFT + seat] else 0
        wrong |= _END_NOT_TOLD if not state.register[_LEFT + seat] and not state.register[OUTCOME] else 0
    return wrong if left == cards else wrong | _PAYOFF_PILES_MISCOUNTED


def audit_phase(state: State) -> int:
    """The part of `audit` about turns and draws that are due."""
    register = state.register
    phase = register[_PHASE]
    seats = register[SEATS]
    hands = register[_HELD + 1 : _HELD + seats + 1]
    if phase == _OPENING:
        is_begun = register.find(_NOTHING, _UP + 1, _UP + seats + 1) < 0
        return _WRONG_DRAW if max(hands) or is_begun else 0
    if not 1 <= register[_TURN] <= seats:
        return _WRONG_DRAW
    if phase == _DEAL:
        return _WRONG_DRAW if max(hands) > _FULL_HAND or min(hands) == _FULL_HAND else 0
    is_idle = hands[register[_TURN] - 1] >= _FULL_HAND or not register[_STOCKED]
    return _WRONG_DRAW if register[_DRAWING] and is_idle else 0


# --- for players and tests --------------------------------------------------------------------------------------------

# Where a card comes by chance: what the table waits for, and the verb that says which card came.
CHANCE = {WAIT_OPENING: _TO_FLIP, WAIT_DEAL: DRAW, WAIT_DRAW: DRAW, WAIT_FLIP: _TO_FLIP}

# What the bits of `audit` mean, the lowest first.
AUDIT = (
    "no such place",
    "two cards turned up on one pile",
    "payoff piles miscounted",
    "broken side pile",
    "centre pile not built up",
    "wrong draw",
    "end not told",
    "counts unlike places",
)


def moves(state: State, seat: int, now_ms: int, out: list) -> None:
    """Append to `out`, packed, every event of the seat that `judge` would accept now."""
    register = state.register
    phase = register[_PHASE]
    if register[OUTCOME] or (phase == _PLAY and seat != register[_TURN]):
        return
    is_drawing = phase == _PLAY and register[_DRAWING]
    if phase == _DEAL:
        is_drawing = register[_HELD + seat] < _FULL_HAND
    card = state.where.find(_STOCK) if is_drawing else -1
    while card >= 0:
        out.append(DRAW << 16 | card << 8)
        card = state.where.find(_STOCK, card + 1)
    if phase != _DEAL and register[_UP + seat] == _NOTHING:
        for card in range(DECK):
            if can_be_in_payoff(state, seat, card):
                out.append(_TO_FLIP << 16 | card << 8)
    elif phase == _PLAY and not is_drawing:
        list_plays(state, seat, out)


# How high the top of each side pile is, 0 where any card may lie: of `list_plays`, made once.
_SIDE_HEIGHTS = bytearray(_PILES + 1)


def list_plays(state: State, seat: int, out: list) -> None:
    """The plays of `moves`: nothing is due, and it is the seat's turn."""
    register = state.register
    is_spent = register[_SPENT]
    has_ace = has_forced_ace(state, seat)
    # Few cards follow or fit anywhere; only these are worth a question. A bit for each height of a wild card (M13), and
    # for each of which a card goes on some centre pile.
    wild = 1 << 15 | (1 << 13 if register[_KINGS_WILD] else 0)  # jokers; kings, maybe: as fast/infer.py knows them
    follow = wild
    for pile in range(1, _PILES + 1):
        follow |= 2 << register[_HEIGHTS + pile]
    card = register[_UP + seat]
    if follow >> _HEIGHT[card] & 1:
        list_centre(register, card, out)
    for pile in range(1, _PILES + 1):
        top = side_top(state, seat, pile)
        height = 0 if top == _NOTHING else _HEIGHT[top]
        _SIDE_HEIGHTS[pile] = 0 if register[_SIDE_TAKES_ANY] or wild >> height & 1 else height
        if height and not is_spent and follow >> height & 1:
            list_centre(register, top, out)
    count = list_own(state, seat)
    for card in _OWN_CARDS[:count]:
        height = _HEIGHT[card]
        is_card_wild = wild >> height & 1
        if not is_spent and follow >> height & 1:
            list_centre(register, card, out)
        if has_ace:
            continue
        for pile in range(1, _PILES + 1):
            top_height = _SIDE_HEIGHTS[pile]
            if not top_height or is_card_wild or height == top_height or height + 1 == top_height:
                if not judge_fit(state, seat, card, pile):
                    out.append(_TO_SIDE << 16 | card << 8 | pile)
    if not judge_end(state, seat):
        out.append(_TO_END << 16 | NO_CARD << 8)


# What `list_own` has found: made once, so that no list is made for each act.
_OWN_CARDS = bytearray(2 * DECK)


def list_own(state: State, seat: int) -> int:
    """Put into _OWN_CARDS the cards that the seat may tap as its hand's, in order. How many these are."""
    cards = _OWN_CARDS
    where = state.where
    count = 0
    if state.register[_UNSEEN + seat]:
        for card in range(2 * DECK):
            if can_hold(state, seat, card):
                cards[count] = card
                count += 1
        return count
    card = where.find(_HAND + seat)
    while card >= 0:
        cards[count] = card
        count += 1
        card = where.find(_HAND + seat, card + 1)
    return count


def list_centre(register: bytearray, card: int, out: list) -> None:
    """The centre piles on which the card goes."""
    for pile in range(1, _PILES + 1):
        if not judge_follow(register, card, register[_HEIGHTS + pile]):
            out.append(_TO_CENTRE << 16 | card << 8 | pile)


def view(state: State, seat: int) -> bytes:
    """What that seat (0: the public) may know, M17, T11: places of the cards it sees, public registers, counts.

    The stock and the other hands are all alike, and so are the unseen payoff cards.
    """
    seen = bytearray(state.where)
    for card in range(2 * DECK):
        place = seen[card]
        if _HAND < place <= _CENTRE and place != _HAND + seat:
            seen[card] = _STOCK
    register = state.register
    return bytes(seen) + bytes(register[_HELD + 1 : _STOCKED + 1]) + bytes(register)
