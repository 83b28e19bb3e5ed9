"""Bailiff with every option of its rulebook page (docs/rules/bailiff.md), in the order of that page.

Pure: no input or output, no clock, no chance, no exception for an illegal move. Words for people are in words/.
"""

from micropython import const

from cardtable.engine.deck import ACE, DECK, JOKER, RANK, RANKS, SIX
from cardtable.engine.event import DRAW, NO_CARD, NO_KEY, OK_KEY, SHOWS_ALL, SHOWS_VERB
from cardtable.engine.hands import count_hand, count_stock, fill, holds, reveal
from cardtable.engine.plain import (  # noqa: F401 - the rest of the interface of a game
    choices,
    count_face_down,
    due_ms,
    enact_lead,
    fact,
    fill_light,
    hint,
    is_calm,
    judge_lead,
    more_keys,
    opens,
    press_first,
    undoes,
)
from cardtable.engine.state import DEAL, DEALER, FIRST, OUTCOME, OWN, SEATS, UNSEEN, State, are_counts_right, move_all
from cardtable.engine.verdict import (
    OK,
    T2_HELD_ALREADY,
    T2_LIES_ELSEWHERE,
    T2_NOT_IN_STOCK,
    T3_DEAL_FIRST,
    T3_HAND_IS_FULL,
)

NAME = "bailiff"
LETTER = "B"
CARDS = DECK

# --- what a set-up may say (the data that engine/setup.py reads) ------------------------------------------------------

SEAT_RANGE = (2, 6, "B1")
PRESETS = (("bailiff", ""),)
OPTIONS = (
    ("raise_and_extend", "B7", "no yes"),
    ("move_limit", "B13", (1, 255)),
    ("first_dealer", "B3", "lot loser"),
)
NEEDS = ()
FOR_TWO = "move_limit=100"  # B13: what the lobby says for two players who have said nothing of it

# engine/state.py's OPTION, OWN, STOCK and HAND again, as numbers that the compiler can fold (a test holds them equal).
_OPTION = const(8)
_OWN = const(80)
_STOCK = const(1)
_HAND = const(8)  # + seat

_RAISE_AND_EXTEND = const(_OPTION + 0)
_MOVE_LIMIT = const(_OPTION + 2)  # 0: none
_LOSER_DEALS = const(_OPTION + 4)

# --- verbs, places, registers -----------------------------------------------------------------------------------------

# Name, kinds of arguments, and the button or tap that says it (see play/seats.py).
VERBS = (
    ("lay", "C", "TAP"),
    ("unlay", "C", "TAP"),
    ("take", "", "NO"),
    ("done", "", "OK"),
)
_TO_LAY = const(16)
_TO_UNLAY = const(17)
_TO_TAKE = const(18)
_TO_SAY_DONE = const(19)

_DISCARD = const(2)
_COVERED = const(3)  # what of the stack lies beneath the front
_FRONT = const(4)
_RAISE = const(5)  # a raise that has been begun: not all of the front is covered yet (B5)
PLACES = (
    ("stock", _STOCK, 1),
    ("discard", _DISCARD, 1),
    ("covered", _COVERED, 1),
    ("front", _FRONT, 1),
    ("raise", _RAISE, 1),
    ("hand", _HAND + 1, 6),
)

_PHASE = const(_OWN + 0)
_TURN = const(_OWN + 1)  # whose turn it is; while cards are drawn: who leads then
_MORE = const(_OWN + 2)  # 1: a raise is complete, and one more card of its rank may follow (B7)
_COUNT = const(_OWN + 3)  # turns without a discard (B13); counted with move_limit alone
_LOSER = const(_OWN + 4)
_TOOK = const(_OWN + 5)  # + seat: a bit for each seat that has not taken since this one last did (B13)
_OUT_AT = const(_OWN + 12)  # + seat: its number in the order of going out (B12), from 1; 0: it is in
# Counts that follow from the places, changed where a card moves (`recount` finds them again, `audit` compares).
_HELD = const(_OWN + 19)  # + seat: cards in its hand, seen or not (T4)
_LEFT = const(_OWN + 27)  # cards that can still be drawn
_FRONTS = const(_OWN + 28)  # cards of the front
_FRONT_RANK = const(_OWN + 29)  # its rank + 1; 0: nothing lies
_BEGUN = const(_OWN + 30)  # cards of a raise that has been begun
_BEGUN_RANK = const(_OWN + 31)  # its rank + 1
REGISTERS = OWN + 32

_DEALING = const(0)
_PLAYING = const(1)
_DRAWING = const(2)
_FULL_HAND = const(6)
_WHOLE_RANK = const(4)
_LOST = const(1)  # the only kind of outcome

_IN_COVERED = bytes([_COVERED])  # what bytearray.count takes in MicroPython
_IN_FRONT = bytes([_FRONT])
_IN_RAISE = bytes([_RAISE])
_NOBODY = bytes(8)

# --- verdicts: rule * 8 + way (engine/verdict.py) ---------------------------------------------------------------------

_B3_NOTHING_TO_TAKE = const(3 * 8)
_B4_NOT_YOUR_TURN = const(4 * 8)
_B5_TOO_LOW = const(5 * 8)
_B5_ONE_RANK = const(5 * 8 + 1)
_B5_STANDS = const(5 * 8 + 2)
_B7_LEAD_FIRST = const(7 * 8)
_B7_FINISH_THE_RAISE = const(7 * 8 + 1)
_B7_ONE_MORE_OR_DONE = const(7 * 8 + 2)
_B7_ANSWER = const(7 * 8 + 3)
_B11_DRAW_FIRST = const(11 * 8)
_B11_NOT_YOUR_DRAW = const(11 * 8 + 1)
_B11_NOTHING_TO_DRAW = const(11 * 8 + 2)
_B11_OTHERS_DRAW = const(11 * 8 + 3)

# --- places -----------------------------------------------------------------------------------------------------------


def put(state: State, card: int, place: int) -> None:
    """Move a card by the arbiter's word (T10)."""
    state.where[card] = place
    recount(state)


def recount(state: State) -> None:
    """Find the counts again that follow from the places."""
    register = state.register
    where = state.where
    for seat in range(8):
        register[_HELD + seat] = count_hand(state, seat) if seat else 0
    register[_LEFT] = max(0, count_stock(state))
    front = where.find(_FRONT)
    register[_FRONTS] = where.count(_IN_FRONT)
    register[_FRONT_RANK] = RANK[front] + 1 if front >= 0 else 0
    begun = where.find(_RAISE)
    register[_BEGUN] = where.count(_IN_RAISE)
    register[_BEGUN_RANK] = RANK[begun] + 1 if begun >= 0 else 0


# --- seats ------------------------------------------------------------------------------------------------------------


def is_dealing(state: State) -> bool:
    """T3: whether cards are still being dealt."""
    return state.register[_PHASE] == _DEALING


def is_in(state: State, seat: int) -> bool:
    """B12: a seat without cards is out once the stock is gone; a raise that it has begun is still its own."""
    register = state.register
    if register[_HELD + seat] or register[_LEFT]:
        return True
    return seat == register[_TURN] and register[_BEGUN] > 0


def next_in(state: State, seat: int) -> int:
    """The next seat clockwise that is in; the seat itself if no other is."""
    seats = state.register[SEATS]
    for _ in range(seats):
        seat = seat % seats + 1
        if is_in(state, seat):
            break
    return seat


# --- cards, deal, first lead: B1-B3 -----------------------------------------------------------------------------------


def setup(state: State, said: list) -> None:
    """B1-B3: the deck lies in the stock; T4: with deal=counted all have their cards at once."""
    register = state.register
    for card in range(DECK):
        if SIX <= RANK[card] < JOKER:
            state.where[card] = _STOCK
    first = register[FIRST] or register[DEALER] % register[SEATS] + 1
    register[_PHASE] = _DEALING
    recount(state)
    if register[DEAL]:
        fill_hands(state, first)
    else:
        register[_TURN] = first


def judge_draw(state: State, seat: int, card: int) -> int:
    """T3, B2, B11."""
    phase = state.register[_PHASE]
    if phase == _PLAYING:
        return _B11_NOTHING_TO_DRAW
    if phase == _DRAWING:
        if seat != find_drawer(state):
            return refuse_undrawn(state, seat)
    elif state.register[_HELD + seat] >= _FULL_HAND:
        return T3_HAND_IS_FULL
    if state.where[card] == _STOCK:
        return OK
    return T2_HELD_ALREADY if state.where[card] == _HAND + seat else T2_NOT_IN_STOCK


def refuse_undrawn(state: State, seat: int) -> int:
    """B11: what is told to a seat while another draws: its turn to draw may come, or it has six cards."""
    return _B11_OTHERS_DRAW if state.register[_HELD + seat] >= _FULL_HAND else _B11_NOT_YOUR_DRAW


def enact_draw(state: State, seat: int, card: int) -> None:
    """The card goes to the hand; after the last one that is due the lead follows."""
    state.where[card] = _HAND + seat
    state.register[_HELD + seat] += 1
    state.register[_LEFT] -= 1
    if not find_drawer(state):
        begin_stack(state)


def undo_draw(state: State, seat: int, card: int) -> None:
    """T3, T7: in the deal a draw is taken back."""
    put(state, card, _STOCK)


def begin_stack(state: State) -> None:
    """B3, B12: who leads; a seat that has no card then is out, and the next one leads."""
    register = state.register
    register[_PHASE] = _PLAYING
    if not end_if_alone(state) and not is_in(state, register[_TURN]):
        register[_TURN] = next_in(state, register[_TURN])


# --- a turn: B4-B10 ---------------------------------------------------------------------------------------------------


def judge_lay(state: State, seat: int, card: int) -> int:
    """B3 a lead, B5 a card of a raise, B6 an extension, B7 one more, B8 an ace: which one, the card says."""
    return judge_rank(state.register, RANK[card]) if holds(state, seat, card) else T2_LIES_ELSEWHERE


def judge_rank(register: bytearray, rank: int) -> int:
    """B3, B5-B8: whether a card of that rank can be laid now."""
    if register[_MORE]:
        return OK if rank == register[_FRONT_RANK] - 1 else _B7_ONE_MORE_OR_DONE
    if register[_BEGUN]:
        return OK if rank == register[_BEGUN_RANK] - 1 else _B5_ONE_RANK
    return OK if rank >= register[_FRONT_RANK] - 1 else _B5_TOO_LOW


def enact_lay(state: State, seat: int, card: int) -> None:
    """The card joins the front or covers it; the turn ends with it, or goes on."""
    where = state.where
    register = state.register
    rank = RANK[card]
    reveal(state, seat, card)
    register[_HELD + seat] -= 1
    if not register[_FRONTS] or rank == register[_FRONT_RANK] - 1:
        where[card] = _FRONT
        register[_FRONTS] += 1
        register[_FRONT_RANK] = rank + 1
    else:
        where[card] = _RAISE
        register[_BEGUN] += 1
        register[_BEGUN_RANK] = rank + 1
        front = register[_FRONTS]
        needed = 1 if rank == ACE and front < _WHOLE_RANK else front  # B8
        if register[_BEGUN] < needed:
            return
        move_all(where, _FRONT, _COVERED)
        move_all(where, _RAISE, _FRONT)
        register[_FRONTS] = register[_BEGUN]
        register[_FRONT_RANK] = rank + 1
        register[_BEGUN] = register[_BEGUN_RANK] = 0
        if register[_RAISE_AND_EXTEND] and rank != ACE and front < _WHOLE_RANK and register[_HELD + seat]:
            register[_MORE] = 1  # B7
            return
    if rank == ACE:
        discard_stack(state, seat)
    else:
        end_turn(state, seat)


def discard_stack(state: State, seat: int) -> None:
    """B9: the seat that laid the ace leads again."""
    state.register[_COUNT] = 0
    state.register[_FRONTS] = state.register[_FRONT_RANK] = 0
    move_all(state.where, _COVERED, _DISCARD)
    move_all(state.where, _FRONT, _DISCARD)
    fill_hands(state, seat)


def judge_unlay(state: State, card: int) -> int:
    """B5: only a card of a raise that is not complete."""
    if state.register[_MORE]:
        return _B7_ONE_MORE_OR_DONE
    return OK if state.where[card] == _RAISE else _B5_STANDS


def enact_unlay(state: State, seat: int, card: int) -> None:
    """B5: the card goes back to the hand."""
    register = state.register
    state.where[card] = _HAND + seat
    register[_HELD + seat] += 1
    register[_BEGUN] -= 1
    if not register[_BEGUN]:
        register[_BEGUN_RANK] = 0


def judge_done(state: State) -> int:
    """B7: after a complete raise; every other turn ends by itself, with what the seat still has to do."""
    register = state.register
    if register[_MORE]:
        return OK
    if not register[_FRONTS]:
        return _B7_LEAD_FIRST
    return _B7_FINISH_THE_RAISE if register[_BEGUN] else _B7_ANSWER


def judge_take(state: State) -> int:
    """B10: always, where there is a stack; B7: not after a complete raise."""
    if not state.register[_FRONTS]:
        return _B3_NOTHING_TO_TAKE
    return _B7_ONE_MORE_OR_DONE if state.register[_MORE] else OK


def enact_take(state: State, seat: int) -> None:
    """B10: the stack, and with it a raise that was begun, goes to the hand; the next seat leads."""
    register = state.register
    where = state.where
    register[_HELD + seat] += register[_FRONTS] + register[_BEGUN] + where.count(_IN_COVERED)
    register[_FRONTS] = register[_FRONT_RANK] = register[_BEGUN] = register[_BEGUN_RANK] = 0
    for place in range(_COVERED, _RAISE + 1):
        move_all(where, place, _HAND + seat)
    for other in range(1, register[SEATS] + 1):
        register[_TOOK + other] &= ~(1 << seat)
    register[_TOOK + seat] = 255
    if not end_at_limit(state, seat):
        fill_hands(state, seat % register[SEATS] + 1)


def end_turn(state: State, seat: int) -> None:
    """B12, then B13; the next seat has to answer the front."""
    state.register[_MORE] = 0
    if not end_if_alone(state) and not end_at_limit(state, seat):
        state.register[_TURN] = next_in(state, seat)


# --- filling hands, the end: B11-B13 ----------------------------------------------------------------------------------


def find_drawer(state: State) -> int:
    """B11: who draws the next card: clockwise from the seat that leads, each up to six before the next. 0: no seat."""
    register = state.register
    if not register[_LEFT]:
        return 0
    seats = register[SEATS]
    seat = register[_TURN]
    for _ in range(seats):
        if register[_HELD + seat] < _FULL_HAND:
            return seat
        seat = seat % seats + 1
    return 0


def fill_hands(state: State, leader: int) -> None:
    """B11: the draws that are due now; T4: with deal=counted they happen by themselves."""
    register = state.register
    register[_TURN] = leader
    seat = find_drawer(state)
    if register[DEAL]:
        while seat:
            came = fill(state, seat, _FULL_HAND - register[_HELD + seat])
            register[_HELD + seat] += came
            register[_LEFT] -= came
            seat = find_drawer(state)
    if seat:
        register[_PHASE] = _DRAWING
    else:
        begin_stack(state)


def end_if_alone(state: State) -> bool:
    """B12: with the stock gone, the last seat with cards has lost."""
    register = state.register
    if register[_LEFT]:
        return False
    note_out(state)
    last = 0
    for seat in range(1, register[SEATS] + 1):
        if register[_HELD + seat]:
            if last:
                return False
            last = seat
    lose(state, last)
    return True


def note_out(state: State) -> None:
    """B12: the order of going out; of seats that one event makes out, clockwise from the one whose turn it is."""
    register = state.register
    seat = register[_TURN]
    last = 0
    for other in range(1, register[SEATS] + 1):
        last = max(last, register[_OUT_AT + other])
    for _ in range(register[SEATS]):
        if register[_HELD + seat]:
            register[_OUT_AT + seat] = 0  # T10: the arbiter has given it a card
        elif not register[_OUT_AT + seat]:
            last += 1
            register[_OUT_AT + seat] = last
        seat = seat % register[SEATS] + 1


def end_at_limit(state: State, seat: int) -> bool:
    """B13: count the turn that this seat has completed; True if that ends the game."""
    register = state.register
    if not register[_MOVE_LIMIT]:
        return False
    others = 0
    for other in range(1, register[SEATS] + 1):
        if other != seat and is_in(state, other):
            others += 1
    register[_COUNT] = register[_COUNT] + 1 if others == 1 else 0
    if register[_COUNT] < register[_MOVE_LIMIT]:
        return False
    other = next_in(state, seat)
    more = register[_HELD + seat] - register[_HELD + other]
    # With equal hands who took last; the other one too, whose turn it would be, if neither ever took.
    is_seat = more > 0 or (more == 0 and register[_TOOK + seat] >> other & 1)
    lose(state, seat if is_seat else other)
    return True


def lose(state: State, seat: int) -> None:
    """The game is over, and this seat has lost it."""
    state.register[_LOSER] = seat
    state.register[OUTCOME] = _LOST


# --- the game's interface ---------------------------------------------------------------------------------------------


def judge(state: State, event) -> int:
    """0, or the first broken rule; the session has seen to it that the seat plays and the card is of this deck."""
    verb = event.verb
    seat = event.seat
    register = state.register
    if verb == DRAW:
        return judge_draw(state, seat, event.card)
    if register[_PHASE] != _PLAYING:
        if register[_PHASE] == _DEALING:
            return T3_DEAL_FIRST
        return _B11_DRAW_FIRST if seat == find_drawer(state) else refuse_undrawn(state, seat)
    if seat != register[_TURN]:
        return _B4_NOT_YOUR_TURN
    if verb == _TO_LAY:
        return judge_lay(state, seat, event.card)
    if verb == _TO_UNLAY:
        return judge_unlay(state, event.card)
    return judge_take(state) if verb == _TO_TAKE else judge_done(state)


def enact(state: State, event) -> None:
    """Let happen what `judge` accepted."""
    verb = event.verb
    seat = event.seat
    if verb == DRAW:
        enact_draw(state, seat, event.card)
    elif verb == _TO_LAY:
        enact_lay(state, seat, event.card)
    elif verb == _TO_UNLAY:
        enact_unlay(state, seat, event.card)
    elif verb == _TO_TAKE:
        enact_take(state, seat)
    else:
        end_turn(state, seat)


def meanings(state: State, seat: int, card: int, out: list) -> None:
    """Append to `out`, packed, what a tap of that card by that seat means now, legal or not: always one thing."""
    verb = _TO_LAY
    if state.register[_PHASE] != _PLAYING:
        verb = DRAW
    elif state.where[card] == _RAISE and seat == state.register[_TURN]:
        verb = _TO_UNLAY
    out.append(verb << 16 | card << 8)


def button(state: State, seat: int, key: int) -> int:
    """The verb that a button says now: OK (0) done, NO (1) take, CALL (2) nothing."""
    if key == OK_KEY:
        return _TO_SAY_DONE
    return _TO_TAKE if key == NO_KEY else 0


def shows(state: State, verb: int) -> int:
    """What everybody may see of an event: 2 all of it, 1 not its card (T11)."""
    return SHOWS_VERB if verb == DRAW else SHOWS_ALL


def has_verb(state: State, verb: int) -> bool:
    """B7: a turn ends by a word only where one more card may follow a raise."""
    return verb != _TO_SAY_DONE or state.register[_RAISE_AND_EXTEND] > 0


def offers_blindly(state: State) -> bool:
    """A tap means one thing alone: nothing is ever offered."""
    return False


def move_on(state: State, seat: int) -> int:
    """T8: the verb that goes on for a seat whose time is over; 0: it has to lead."""
    if state.register[_PHASE] != _PLAYING or seat != state.register[_TURN]:
        return 0
    if state.register[_MORE]:
        return _TO_SAY_DONE
    return _TO_TAKE if state.register[_FRONTS] else 0


def count_to_draw(state: State, seat: int) -> int:
    """T3, B2: how many of its six cards the seat still taps in the deal."""
    return _FULL_HAND - state.register[_HELD + seat]


def count_missing(state: State, seat: int) -> int:
    """B5: how many cards the raise that the seat has begun still lacks."""
    register = state.register
    begun = register[_BEGUN]
    return register[_FRONTS] - begun if begun and seat == register[_TURN] else 0


# What the table can wait for; its words have the key P and this number.
WAIT_DEAL = const(1)
WAIT_DRAW = const(2)
WAIT_LEAD = const(3)
WAIT_ANSWER = const(4)
WAIT_RAISE = const(5)
WAIT_MORE = const(6)
WAIT_TAKE = const(7)
WAIT_OVER = const(8)


def waiting(state: State, out: bytearray) -> None:
    """out[seat] = what the table waits for from that seat, or 0; out[0] = what the screen says. Public facts alone."""
    register = state.register
    out[:] = _NOBODY
    seat = register[_TURN]
    if register[OUTCOME]:
        out[0] = WAIT_OVER
    elif register[_PHASE] == _DEALING:
        out[0] = WAIT_DEAL
        for seat in range(1, register[SEATS] + 1):
            if register[_HELD + seat] < _FULL_HAND:
                out[seat] = WAIT_DEAL
    elif register[_PHASE] == _DRAWING:
        out[0] = out[find_drawer(state)] = WAIT_DRAW
    elif not register[_FRONTS]:
        out[0] = out[seat] = WAIT_LEAD
    elif register[_MORE]:
        out[0] = out[seat] = WAIT_MORE
    elif register[_BEGUN]:
        out[0] = out[seat] = WAIT_RAISE
    else:
        out[0] = out[seat] = WAIT_ANSWER if register[_HELD + seat] else WAIT_TAKE  # B12: the stock is not gone


def status(state: State) -> str:
    """The table in one line that needs no language: `9x2/5 12: 6 4 6`: two nines are the front of a stack of five
    cards, twelve are in the stock, then the hands. Public facts alone."""
    register = state.register
    text = "-"
    if register[_FRONTS]:
        stack = register[_FRONTS] + register[_BEGUN] + state.where.count(_IN_COVERED)
        text = "%sx%d/%d" % (RANKS[register[_FRONT_RANK] - 1], register[_FRONTS], stack)
    if register[_LEFT]:
        text += " %d" % register[_LEFT]
    hands = [str(register[_HELD + seat]) for seat in range(1, register[SEATS] + 1)]
    return text + ": " + " ".join(hands)


def describe_result(state: State) -> str:
    """As the record writes it: `loser 2`."""
    return "loser %d" % state.register[_LOSER]


def losers(state: State) -> int:
    """B12, B13: a bit for the seat that lost."""
    return 1 << state.register[_LOSER] if state.register[_LOSER] else 0


def marks(state: State, seat: int) -> int:
    """A match counts the lost games alone."""
    return 0


def went_out(state: State, seat: int) -> int:
    """B12: the seat's number in the order of going out."""
    return state.register[_OUT_AT + seat]


def next_dealer(state: State) -> int:
    """B3: the deal goes round clockwise; first_dealer=loser: to whoever has lost."""
    if state.register[_LOSER_DEALS]:
        return state.register[_LOSER]
    return state.register[DEALER] % state.register[SEATS] + 1


def next_first(state: State) -> int:
    """B3: the seat left of the dealer leads, as setup finds it."""
    return 0


# What cannot be: the bits of `audit`. AUDIT says them in words.
_NO_SUCH_PLACE = const(1)
_IMPOSSIBLE_STACK = const(2)  # its top cards of several ranks, or none upon others
_IMPOSSIBLE_RAISE = const(4)  # one that could not have been begun
_WRONG_TURN = const(8)  # of a seat that is out, or alone, or has no card to lead
_WRONG_DRAWING = const(16)  # no seat is due, or a stack is on the table
_COUNTS_UNLIKE_PLACES = const(32)


def audit(state: State) -> int:
    """T1: 0, or a bit for each thing that cannot be."""
    where = state.where
    register = state.register
    seats = register[SEATS]
    front = register[_FRONT_RANK] - 1
    begun = where.find(_RAISE)
    wrong = 0 if are_counts_right(state, _HELD, recount) else _COUNTS_UNLIKE_PLACES
    for card in range(DECK):
        place = where[card]
        if place > _HAND + seats or _RAISE < place <= _HAND:
            wrong |= _NO_SUCH_PLACE
        elif place == _FRONT and RANK[card] != front:
            wrong |= _IMPOSSIBLE_STACK
        elif place == _RAISE and RANK[card] != RANK[begun]:
            wrong |= _IMPOSSIBLE_RAISE
    if front < 0 and (where.find(_COVERED) >= 0 or register[_MORE]):
        wrong |= _IMPOSSIBLE_STACK
    if begun >= 0:
        missing = register[_FRONTS] - register[_BEGUN]
        if RANK[begun] <= front or missing <= 0 or register[_MORE]:
            wrong |= _IMPOSSIBLE_RAISE
    if register[OUTCOME]:
        return wrong
    if register[_PHASE] == _PLAYING:
        turn = register[_TURN]
        if not 1 <= turn <= seats or not is_in(state, turn) or next_in(state, turn) == turn:
            wrong |= _WRONG_TURN
        if front < 0 and not register[_HELD + turn]:
            wrong |= _WRONG_TURN
    elif not find_drawer(state) or front >= 0 or begun >= 0:
        wrong |= _WRONG_DRAWING
    return wrong


# --- for players and tests --------------------------------------------------------------------------------------------

# Where a card comes by chance: what the table waits for, and the verb that says which card came.
CHANCE = {WAIT_DEAL: DRAW, WAIT_DRAW: DRAW}

# What the bits of `audit` mean, the lowest first.
AUDIT = (
    "no such place",
    "impossible stack",
    "impossible raise",
    "wrong turn",
    "wrong drawing",
    "counts unlike places",
)


def moves(state: State, seat: int, now_ms: int, out: list) -> None:
    """Append to `out`, packed, every event of the seat that `judge` would accept now. For players and tests."""
    register = state.register
    if register[OUTCOME]:
        return
    if register[_PHASE] != _PLAYING:
        card = state.where.find(_STOCK)
        while card >= 0 and not judge_draw(state, seat, card):
            out.append(DRAW << 16 | card << 8)
            card = state.where.find(_STOCK, card + 1)
        return
    if seat != register[_TURN]:
        return
    list_lays(state, _HAND + seat, out)
    if register[UNSEEN + seat]:
        list_lays(state, _STOCK, out)  # T4
    card = state.where.find(_RAISE) if register[_BEGUN] else -1
    while card >= 0:
        if not judge_unlay(state, card):
            out.append(_TO_UNLAY << 16 | card << 8)
        card = state.where.find(_RAISE, card + 1)
    if not judge_take(state):
        out.append(_TO_TAKE << 16 | NO_CARD << 8)
    if not judge_done(state):
        out.append(_TO_SAY_DONE << 16 | NO_CARD << 8)


def list_lays(state: State, place: int, out: list) -> None:
    """The cards of that place that can be laid."""
    register = state.register
    where = state.where
    card = where.find(place)
    while card >= 0:
        if not judge_rank(register, RANK[card]):
            out.append(_TO_LAY << 16 | card << 8)
        card = where.find(place, card + 1)


def view(state: State, seat: int) -> bytes:
    """What that seat (0: the public) may know, T11: places of the cards it sees, public registers, counts.

    Cards face down (stock, discard, other hands) are all alike.
    """
    seen = bytearray(state.where)
    for card in range(DECK):
        place = seen[card]
        if _STOCK <= place <= _DISCARD or (place > _HAND and place != _HAND + seat):
            seen[card] = _STOCK
    counts = bytearray(8)
    counts[0] = state.register[_LEFT]
    for other in range(1, state.register[SEATS] + 1):
        counts[other] = state.register[_HELD + other]
    return bytes(seen) + bytes(counts) + bytes(state.register)
