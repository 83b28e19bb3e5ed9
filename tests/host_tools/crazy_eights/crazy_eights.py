"""Crazy Eights, in the order of its page of rules.

Pure: no input or output, no clock, no chance, no exception for an illegal move. Words for people are in words/.
"""

from micropython import const

from cardtable.engine.deck import DECK, JOKER, RANK, RANKS, SUIT, SUITS
from cardtable.engine.event import DRAW, NO_CARD, NO_KEY, OK_KEY, SHOWS_ALL, SHOWS_VERB
from cardtable.engine.hands import count_hand, count_stock, fill, holds, reveal
from cardtable.engine.plain import (  # noqa: F401 - the rest of the interface of a game
    choices,
    count_face_down,
    count_missing,
    due_ms,
    enact_lead,
    fact,
    fill_light,
    has_verb,
    hint,
    is_calm,
    judge_lead,
    more_keys,
    opens,
    press_first,
    recount,
    undoes,
    went_out,
)
from cardtable.engine.state import DEAL, DEALER, OUTCOME, OWN, SEATS
from cardtable.engine.verdict import (
    OK,
    T2_HELD_ALREADY,
    T2_LIES_ELSEWHERE,
    T2_NOT_IN_STOCK,
    T3_DEAL_FIRST,
    T3_HAND_IS_FULL,
)

NAME = "crazy-eights"
LETTER = "Y"
CARDS = DECK

# --- what a set-up may say --------------------------------------------------------------------------------------------

SEAT_RANGE = (2, 7, "Y1")
PRESETS = (("crazy-eights", ""),)
OPTIONS = ()
NEEDS = ()

# --- verbs, places, registers -----------------------------------------------------------------------------------------

VERBS = (
    ("turn", "C", "TAP"),
    ("lay", "C", "TAP"),
    ("eight", "CU", "TAP"),
    ("take", "", "NO"),
    ("pass", "", "OK"),
)
_TO_TURN = const(16)
_TO_LAY = const(17)
_TO_LAY_EIGHT = const(18)
_TO_TAKE = const(19)
_TO_PASS = const(20)

_STOCK = const(1)
_HAND = const(8)  # + seat
_COVERED = const(16)  # what of the pile lies beneath its top card
_TOP = const(17)
PLACES = (("stock", _STOCK, 1), ("covered", _COVERED, 1), ("front", _TOP, 1), ("hand", _HAND + 1, 7))

_PHASE = const(OWN + 0)
_TURN = const(OWN + 1)  # whose turn it is
_SUIT = const(OWN + 2)  # the suit that has to follow + 1: the top card's, or the one that was named (Y4)
_DREW = const(OWN + 3)  # Y5: 1 when the seat whose turn it is has taken its card
_PASSES = const(OWN + 4)  # Y6: seats in a row that passed without a stock
_WINNER = const(OWN + 5)
REGISTERS = OWN + 6

_DEALING = const(0)
_TURNING = const(1)
_PLAYING = const(2)
_DRAWING = const(3)  # Y5: the card that was taken is still to be tapped
_FULL_HAND = const(5)
_EIGHT = const(6)  # a rank
_WON = const(1)  # the only kind of outcome

# --- verdicts: rule * 8 + way (engine/verdict.py) ---------------------------------------------------------------------

_Y2_TURN_FIRST = const(2 * 8)
_Y2_THE_DEALER_TURNS = const(2 * 8 + 1)
_Y2_ONLY_ONCE = const(2 * 8 + 2)
_Y3_NOT_YOUR_TURN = const(3 * 8)
_Y3_SUIT_OR_RANK = const(3 * 8 + 1)
_Y4_ONLY_AN_EIGHT = const(4 * 8)
_Y4_NAME_A_SUIT = const(4 * 8 + 1)
_Y5_TAP_IT_FIRST = const(5 * 8)
_Y5_TAKEN_ALREADY = const(5 * 8 + 1)
_Y5_NOTHING_LEFT = const(5 * 8 + 2)
_Y5_TAKE_FIRST = const(5 * 8 + 3)
_Y5_SAY_THAT_YOU_TAKE = const(5 * 8 + 4)

# --- cards, deal, the first card: Y1, Y2 ------------------------------------------------------------------------------


def put(state, card, place):
    """Move a card by the arbiter's word (T10)."""
    state.where[card] = place


def is_dealing(state):
    """T3: whether cards are still being dealt."""
    return state.register[_PHASE] == _DEALING


def is_in(state, seat):
    """Every seat is in the game until it ends."""
    return True


def setup(state, said):
    """Y1: the deck lies in the stock; T4: with deal=counted all have their cards at once."""
    register = state.register
    for card in range(DECK):
        if RANK[card] < JOKER:
            state.where[card] = _STOCK
    register[_TURN] = register[DEALER] % register[SEATS] + 1
    if register[DEAL]:
        for seat in range(1, register[SEATS] + 1):
            fill(state, seat, _FULL_HAND)
        register[_PHASE] = _TURNING


def judge_draw(state, seat, card):
    """T3, Y1: a card of the deal; Y5: the card that the seat has said it takes."""
    phase = state.register[_PHASE]
    if phase == _TURNING:
        return T3_HAND_IS_FULL
    if phase == _DEALING:
        if count_hand(state, seat) >= _FULL_HAND:
            return T3_HAND_IS_FULL
    elif seat != state.register[_TURN]:
        return _Y3_NOT_YOUR_TURN
    elif phase == _PLAYING:
        return _Y5_TAKEN_ALREADY if state.register[_DREW] else _Y5_SAY_THAT_YOU_TAKE
    if state.where[card] == _STOCK:
        return OK
    return T2_HELD_ALREADY if state.where[card] == _HAND + seat else T2_NOT_IN_STOCK


def enact_draw(state, seat, card):
    """The card goes to the hand; after the last one of the deal the first card is turned up."""
    register = state.register
    state.where[card] = _HAND + seat
    if register[_PHASE] == _DRAWING:
        register[_PHASE] = _PLAYING
        return
    for other in range(1, register[SEATS] + 1):
        if count_hand(state, other) < _FULL_HAND:
            return
    register[_PHASE] = _TURNING


def undo_draw(state, seat, card):
    """T3, T7: in the deal a draw is taken back."""
    state.where[card] = _STOCK
    state.register[_PHASE] = _DEALING


def judge_turn(state, seat, card):
    """Y2: once, by the dealer, a card of the stock."""
    if state.register[_PHASE] != _TURNING:
        return _Y2_ONLY_ONCE
    if seat != state.register[DEALER]:
        return _Y2_THE_DEALER_TURNS
    return OK if state.where[card] == _STOCK else T2_NOT_IN_STOCK


# --- a turn: Y3-Y5 ----------------------------------------------------------------------------------------------------


def judge_follow(state, card):
    """Y3: whether the card, which is no eight, can be laid on the pile."""
    if SUIT[card] == state.register[_SUIT] - 1:
        return OK
    return OK if RANK[card] == RANK[state.where.find(_TOP)] else _Y3_SUIT_OR_RANK


def judge_lay(state, seat, verb, card, suit):
    """Y3, Y4: a card of the seat's hand that follows; an eight, and no other card, names a suit."""
    if not holds(state, seat, card):
        return T2_LIES_ELSEWHERE
    if verb == _TO_LAY_EIGHT:
        if RANK[card] != _EIGHT:
            return _Y4_ONLY_AN_EIGHT
        return OK if suit < len(SUITS) else _Y4_NAME_A_SUIT
    return _Y4_NAME_A_SUIT if RANK[card] == _EIGHT else judge_follow(state, card)


def enact_lay(state, seat, card, suit):
    """The card covers the top card; the turn ends, or the game."""
    if state.register[_PHASE] != _TURNING:
        reveal(state, seat, card)
        state.where[state.where.find(_TOP)] = _COVERED
    state.where[card] = _TOP
    state.register[_SUIT] = suit + 1
    state.register[_PASSES] = 0
    if state.register[_PHASE] == _TURNING:
        state.register[_PHASE] = _PLAYING
    elif count_hand(state, seat):
        end_turn(state)
    else:
        win(state, seat)


def judge_take(state):
    """Y5: one card in a turn, as long as there is a stock."""
    if state.register[_DREW]:
        return _Y5_TAKEN_ALREADY
    return OK if count_stock(state) else _Y5_NOTHING_LEFT


def enact_take(state, seat):
    """Y5: the seat draws the card next; T4: with deal=counted the card is in its hand at once."""
    register = state.register
    register[_DREW] = 1
    if register[DEAL]:
        fill(state, seat, 1)
    else:
        register[_PHASE] = _DRAWING


def judge_pass(state):
    """Y5: after a card was taken, or where none is left."""
    return OK if state.register[_DREW] or not count_stock(state) else _Y5_TAKE_FIRST


def enact_pass(state):
    """Y6: the game ends when all have passed in a row and the stock is gone."""
    register = state.register
    register[_PASSES] = 0 if count_stock(state) else register[_PASSES] + 1
    if register[_PASSES] < register[SEATS]:
        end_turn(state)
    else:
        win(state, find_shortest(state))


def end_turn(state):
    """Y3: clockwise."""
    register = state.register
    register[_DREW] = 0
    register[_TURN] = register[_TURN] % register[SEATS] + 1


# --- the end: Y6 ------------------------------------------------------------------------------------------------------


def find_shortest(state):
    """Y6: the seat with the fewest cards, of several the first clockwise from the dealer's left."""
    seats = state.register[SEATS]
    seat = found = state.register[DEALER] % seats + 1
    for _ in range(seats):
        if count_hand(state, seat) < count_hand(state, found):
            found = seat
        seat = seat % seats + 1
    return found


def win(state, seat):
    """The game is over, and this seat has won it."""
    state.register[_WINNER] = seat
    state.register[OUTCOME] = _WON


# --- the game's interface ---------------------------------------------------------------------------------------------


def judge(state, event):
    """0, or the first broken rule; the session has seen to it that the seat plays and the card is of this deck."""
    verb = event.verb
    seat = event.seat
    phase = state.register[_PHASE]
    if verb == DRAW:
        return judge_draw(state, seat, event.card)
    if phase == _DEALING:
        return T3_DEAL_FIRST
    if verb == _TO_TURN:
        return judge_turn(state, seat, event.card)
    if phase == _TURNING:
        return _Y2_TURN_FIRST
    if seat != state.register[_TURN]:
        return _Y3_NOT_YOUR_TURN
    if phase == _DRAWING:
        return _Y5_TAP_IT_FIRST
    if verb == _TO_TAKE:
        return judge_take(state)
    return judge_pass(state) if verb == _TO_PASS else judge_lay(state, seat, verb, event.card, event.target)


def enact(state, event):
    """Let happen what `judge` accepted."""
    verb = event.verb
    if verb == DRAW:
        enact_draw(state, event.seat, event.card)
    elif verb == _TO_TAKE:
        enact_take(state, event.seat)
    elif verb == _TO_PASS:
        enact_pass(state)
    else:
        enact_lay(state, event.seat, event.card, event.target if verb == _TO_LAY_EIGHT else SUIT[event.card])


def meanings(state, seat, card, out):
    """Append to `out`, packed, what a tap of that card by that seat can mean now, legal or not: at least one thing."""
    phase = state.register[_PHASE]
    if phase == _PLAYING and RANK[card] == _EIGHT:
        for suit in range(len(SUITS)):
            out.append(_TO_LAY_EIGHT << 16 | card << 8 | suit)
        return
    verb = _TO_LAY if phase == _PLAYING else DRAW
    if phase == _TURNING:
        verb = _TO_TURN
    out.append(verb << 16 | card << 8)


def button(state, seat, key):
    """The verb that a button says now: OK passes, NO takes a card, CALL says nothing."""
    if key == OK_KEY:
        return _TO_PASS
    return _TO_TAKE if key == NO_KEY else 0


def shows(state, verb):
    """T11: what everybody may see of an event: 2 all of it, 1 not its card."""
    return SHOWS_VERB if verb == DRAW else SHOWS_ALL


def offers_blindly(state):
    """A tap offers what is legal: nothing of it is a secret."""
    return False


def move_on(state, seat):
    """T8: a seat whose time is over takes a card, then passes; a card that it has to tap is waited for."""
    if state.register[_PHASE] != _PLAYING or seat != state.register[_TURN]:
        return 0
    return _TO_PASS if judge_take(state) else _TO_TAKE


def count_to_draw(state, seat):
    """T3, Y1: how many of its cards the seat still taps in the deal."""
    return _FULL_HAND - count_hand(state, seat)


# What the table can wait for; its words have the key P and this number.
WAIT_DEAL = const(1)
WAIT_TURN = const(2)
WAIT_LAY = const(3)  # or take a card
WAIT_PASS = const(4)  # or lay
WAIT_DRAW = const(5)
WAIT_OVER = const(6)


def waiting(state, out):
    """out[seat] = what the table waits for from that seat, or 0; out[0] = what the screen says. Public facts alone."""
    register = state.register
    phase = register[_PHASE]
    for seat in range(8):
        out[seat] = 0
    if register[OUTCOME]:
        out[0] = WAIT_OVER
    elif phase == _DEALING:
        out[0] = WAIT_DEAL
        for seat in range(1, register[SEATS] + 1):
            out[seat] = WAIT_DEAL if count_hand(state, seat) < _FULL_HAND else 0
    elif phase == _TURNING:
        out[0] = out[register[DEALER]] = WAIT_TURN
    elif phase == _DRAWING:
        out[0] = out[register[_TURN]] = WAIT_DRAW
    else:
        out[0] = out[register[_TURN]] = WAIT_PASS if judge_take(state) else WAIT_LAY


def status(state):
    """The table in one line that needs no language: `8H:S 12: 6 4 6`: the top card, the suit that was named upon an
    eight, the stock, the hands. Public facts alone."""
    register = state.register
    top = state.where.find(_TOP)
    text = "-"
    if top >= 0:
        text = RANKS[RANK[top]] + SUITS[SUIT[top]]
        if SUIT[top] != register[_SUIT] - 1:
            text += ":" + SUITS[register[_SUIT] - 1]
    hands = [str(count_hand(state, seat)) for seat in range(1, register[SEATS] + 1)]
    return "%s %d: %s" % (text, count_stock(state), " ".join(hands))


def describe_result(state):
    """As the record writes it: `winner 2`."""
    return "winner %d" % state.register[_WINNER]


def losers(state):
    """Y6: a bit for each seat but the winner."""
    register = state.register
    return (2 << register[SEATS]) - 2 & ~(1 << register[_WINNER]) if register[OUTCOME] else 0


def marks(state, seat):
    """A match counts the lost games alone."""
    return 0


def next_dealer(state):
    """Y2: the deal goes round clockwise."""
    return state.register[DEALER] % state.register[SEATS] + 1


def next_first(state):
    """Y3: the dealer's left begins, as setup finds it."""
    return 0


# What cannot be: the bits of `audit`. AUDIT says them in words.
_NO_SUCH_PLACE = const(1)
_WRONG_PILE = const(2)  # two top cards, or none once the first one was turned; a suit that is not the top card's
_WRONG_TURN = const(4)  # of no seat, or of one without cards


def audit(state):
    """T1: 0, or a bit for each thing that cannot be."""
    register = state.register
    where = state.where
    seats = register[SEATS]
    wrong = 0
    for card in range(DECK):
        place = where[card]
        if place > _TOP or _STOCK < place <= _HAND or _HAND + seats < place < _COVERED:
            wrong |= _NO_SUCH_PLACE
    top = where.find(_TOP)
    if register[_PHASE] < _PLAYING:
        if top >= 0 or where.find(_COVERED) >= 0:
            wrong |= _WRONG_PILE
    elif top < 0 or where.find(_TOP, top + 1) >= 0 or not 1 <= register[_SUIT] <= len(SUITS):
        wrong |= _WRONG_PILE
    elif RANK[top] != _EIGHT and SUIT[top] != register[_SUIT] - 1:
        wrong |= _WRONG_PILE
    if not 1 <= register[_TURN] <= seats:
        wrong |= _WRONG_TURN
    elif register[_PHASE] == _PLAYING and not register[OUTCOME] and not count_hand(state, register[_TURN]):
        wrong |= _WRONG_TURN
    return wrong


# --- for players and tests --------------------------------------------------------------------------------------------

# Where a card comes by chance: what the table waits for, and the verb that says which card came.
CHANCE = {WAIT_DEAL: DRAW, WAIT_TURN: _TO_TURN, WAIT_DRAW: DRAW}

# What the bits of `audit` mean, the lowest first.
AUDIT = (
    "no such place",
    "wrong pile",
    "wrong turn",
)


def moves(state, seat, now_ms, out):
    """Append to `out`, packed, every event of the seat that `judge` would accept now."""
    register = state.register
    if register[OUTCOME]:
        return
    phase = register[_PHASE]
    if phase != _PLAYING:
        verb = _TO_TURN if phase == _TURNING else DRAW
        for card in range(DECK):
            wrong = judge_turn(state, seat, card) if phase == _TURNING else judge_draw(state, seat, card)
            if not wrong:
                out.append(verb << 16 | card << 8)
        return
    if seat != register[_TURN]:
        return
    for card in range(DECK):
        if not holds(state, seat, card):
            continue
        if RANK[card] == _EIGHT:
            for suit in range(len(SUITS)):
                out.append(_TO_LAY_EIGHT << 16 | card << 8 | suit)
        elif not judge_follow(state, card):
            out.append(_TO_LAY << 16 | card << 8)
    if not judge_take(state):
        out.append(_TO_TAKE << 16 | NO_CARD << 8)
    if not judge_pass(state):
        out.append(_TO_PASS << 16 | NO_CARD << 8)


def view(state, seat):
    """What that seat (0: the public) may know, T11: places of the cards it sees, registers, counts."""
    seen = bytearray(state.where)
    for card in range(DECK):
        if _HAND < seen[card] < _COVERED and seen[card] != _HAND + seat:
            seen[card] = _STOCK
    hands = [count_hand(state, other) if other <= state.register[SEATS] else 0 for other in range(1, 8)]
    return bytes(seen) + bytes(hands) + bytes(state.register)
