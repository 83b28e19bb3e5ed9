"""Cal's BS with every option of its rulebook page (docs/rules/cals_bs.md), in the order of that page.

Pure: no input or output, no clock, no chance, no exception for an illegal move. Words for people are in words/.
"""

from micropython import const

from cardtable.engine.deck import ACE, DECK, JOKER, RANK, RANKS, SIX
from cardtable.engine.event import CAN_UNDO, DRAW, ENDS_UNDO, NO_CARD, NO_KEY, OK_KEY, SHOWS_ALL, SHOWS_VERB, Event
from cardtable.engine.hands import count_hand, holds, reveal
from cardtable.engine.plain import (  # noqa: F401 - part of the interface
    count_face_down,
    count_missing,
    enact_lead,
    hint,
    judge_lead,
)
from cardtable.engine.state import (
    DEAL,
    DEALER,
    FIRST,
    OUTCOME,
    OWN,
    PRESET,
    SEATS,
    UNSEEN,
    State,
    are_counts_right,
    move_all,
    read_long,
    read_wide,
    write_long,
)
from cardtable.engine.verdict import (
    OK,
    T2_HELD_ALREADY,
    T2_LIES_ELSEWHERE,
    T2_NOT_IN_STOCK,
    T3_DEAL_FIRST,
    T3_HAND_IS_FULL,
)

NAME = "cals-bs"
LETTER = "C"
CARDS = 2 * DECK  # with deck=five some are of a second deck; the others lie nowhere

# engine/state.py's OPTION and OWN again, as numbers that the compiler can fold (a test holds them equal).
_OPTION = const(8)
_OWN = const(80)

# --- what a set-up may say (the data that engine/setup.py reads) ------------------------------------------------------

_HANDICAP = const(_OWN + 0)  # + 2 * seat: ms (C11)
SEAT_RANGE = (2, 7, "C1")
PRESETS = (
    ("cals-bs", "ask_seconds=5"),
    ("cals-bs-plus", "ask_seconds=5"),
    ("cals-bs-54", "ask_seconds=5 deck=five"),
    ("cheat", "ask_seconds=5 deck=52 turns=round ranks=rising extras=no"),
    ("cheat-up-down", "ask_seconds=5 deck=52 turns=round ranks=beside extras=no"),
    ("ne-veryu", "ask_seconds=5 deck=36 turns=next belief=opens extras=no"),
)
OPTIONS = (
    ("deck", "C16", "standard five 52 36"),
    ("ask_seconds", "C10", (1, 60)),
    ("handicap", "C11", (0, 4000, _HANDICAP)),
    ("turns", "C5", "free clockwise round next"),
    ("show", "C7", "all one"),
    ("extras", "C23", "yes no"),
    ("ranks", "C19", "same rising beside around"),
    ("belief", "C20", "no opens"),
    ("all_pass", "C21", "stays discard"),
    ("places", "C22", "no yes"),
)
NEEDS = (
    ("ranks=rising ranks=beside ranks=around", "extras", "no", "C23"),
    ("belief=opens", "turns", "next", "C20"),
    ("all_pass=discard", "turns", "free clockwise", "C21"),
)

# Presets and options as the questions below read them: the low byte of each option's register.
_PLUS_IS_HIGHER = const(1)  # the preset of C13b
_DECK_IS = const(_OPTION + 0)
_ASK_SECONDS = const(_OPTION + 2)
_TURNS = const(_OPTION + 6)  # 0: the first press counts (C5)
_SHOW_ONE = const(_OPTION + 8)
_NO_EXTRAS = const(_OPTION + 10)  # C23
_RANKS_FOLLOW = const(_OPTION + 12)  # 0: the same rank (C5)
_BELIEF = const(_OPTION + 14)
_DISCARDS = const(_OPTION + 16)  # C21
_PLACES = const(_OPTION + 18)  # C22
_OF_FIVES = const(1)  # of _DECK_IS
_OF_52 = const(2)
_OF_36 = const(3)
_ROUND = const(2)  # of _TURNS; from here on nobody passes
_NEXT_ANSWERS = const(3)
_RISING = const(1)  # of _RANKS_FOLLOW
_BESIDE = const(2)

# --- verbs, places, registers -----------------------------------------------------------------------------------------

# Name, kinds of arguments, and the button or tap that says it (see play/seats.py).
VERBS = (
    ("lay", "C", "TAP"),
    ("unlay", "C", "TAP"),
    ("claim", "R", "OK"),
    ("fours", "", "MENU"),
    ("plus", "N", "OK"),
    ("out", "", "MENU"),
    ("pass", "", "NO"),
    ("doubt", "", "CALL"),
    ("ask", "", "CALL"),
    ("timeout", "", "TABLE"),
    ("show", "C", "TAP"),
    ("believe", "", "NO"),
)
_TO_LAY = const(16)
_TO_UNLAY = const(17)
_TO_CLAIM = const(18)
_TO_SAY_FOURS = const(19)
_TO_SAY_PLUS = const(20)
_TO_SAY_OUT = const(21)
_TO_PASS = const(22)
_TO_DOUBT = const(23)
_TO_ASK = const(24)
_TO_TIME_OUT = const(25)
_TO_SHOW = const(26)
_TO_BELIEVE = const(27)

_STOCK = const(1)  # not dealt yet; with deal=counted in some hand, and never tapped
_PILE = const(2)  # face down under the last set
_SET = const(3)  # the last set, as long as it can be answered
_DISCARD = const(4)  # out of the game (C20, C21)
_HAND = const(8)  # + seat
_STAGED = const(16)  # + seat: tapped for the next set, still held
PLACES = (
    ("stock", _STOCK, 1),
    ("pile", _PILE, 1),
    ("set", _SET, 1),
    ("discard", _DISCARD, 1),
    ("hand", _HAND + 1, 7),
    ("staged", _STAGED + 1, 7),
)

_LEADER = const(_OWN + 16)  # who leads, or has to
_LAST = const(_OWN + 17)  # who laid the last set; 0: the leader has to lay
_CLAIM = const(_OWN + 18)  # what was claimed last: a rank, or one of the three below
_PLUS = const(_OWN + 19)  # the number of this chain of plus; 0: none yet (C13)
_PASSED = const(_OWN + 20)  # a bit a seat: has passed since the last set (C6)
_OUT = const(_OWN + 21)  # the leader has declared going out (C14)
_ASKED = const(_OWN + 22)  # the last to lay has asked whether all pass (C10)
_WINNER = const(_OWN + 23)
_LAID_MS = const(_OWN + 24)  # when the last set was laid (C11), four bytes; 0: no set yet
_DUE_MS = const(_OWN + 28)  # when the ask ends, four bytes
_DOUBTER = const(_OWN + 32)  # who has doubted, and has to turn up a card of the set (C7, show=one)
_GONE = const(_OWN + 33)  # a bit a seat: out of cards while the others play on (C22)
_OUT_AT = const(_OWN + 33)  # + seat: its number in the order of going out, from 1; 0: it is in
_FOURS_RANK = const(_OWN + 41)  # secret: of which rank the fours on the pile are, or _SEVERAL (C12)
# Counts that follow from the places, changed where a card moves (`recount` finds them again, `audit` compares).
_IN_HAND = const(_OWN + 42)  # + seat: cards in its hand, seen or not (T4), staged ones left out
_STAGES = const(_OWN + 50)  # + seat: cards that it has staged
_TO_DEAL = const(_OWN + 58)  # cards that are still to be dealt; 0 with deal=counted
_PILED = const(_OWN + 59)  # cards of the pile, those of the last set left out
_LAST_SET = const(_OWN + 60)  # cards of the last set
REGISTERS = OWN + 61

_A_JOKER = const(13)  # "plus one": the card is a joker (C13a)
_HIGHER = const(14)  # so many ranks above the fours (C13b)
_FOURS = const(15)  # all fours (C12)
_SEVERAL = const(255)

_WON = const(1)
_LAST_LEFT = const(2)  # C22
_DECLARED_BELOW = const(9)

# What bytearray.count takes in MicroPython.
_IN_STAGED = tuple([bytes([_STAGED + seat]) for seat in range(8)])
_IN_STOCK = bytes([_STOCK])
_IN_PILE = bytes([_PILE])
_IN_SET = bytes([_SET])
_NOWHERE = b"\x00"
_NOBODY = bytes(8)

# --- verdicts: rule * 8 + way (engine/verdict.py) ---------------------------------------------------------------------

_C2_ALL_IS_DEALT = const(2 * 8)
_C4_LEADER_LAYS = const(4 * 8)
_C4_LEADER_MUST_LAY = const(4 * 8 + 1)
_C4_NOTHING_STAGED = const(4 * 8 + 2)
_C4_TOO_MANY = const(4 * 8 + 3)
_C4_JOKER_IS_NO_RANK = const(4 * 8 + 4)
_C5_OTHER_RANK = const(5 * 8)
_C5_NOTHING_STAGED = const(5 * 8 + 1)
_C5_TOO_MANY = const(5 * 8 + 2)
_C5_OWN_SET = const(5 * 8 + 3)
_C5_NOTHING_TO_PASS = const(5 * 8 + 4)
_C5_NOT_YOUR_TURN = const(5 * 8 + 5)
_C5_NOBODY_PASSES = const(5 * 8 + 6)
_C5_ONLY_DOUBT = const(5 * 8 + 7)
_C6_HAS_PASSED = const(6 * 8)
_C7_NOTHING_TO_DOUBT = const(7 * 8)
_C7_TURN_ONE_UP = const(7 * 8 + 1)
_C7_WAIT_FOR_THE_CARD = const(7 * 8 + 2)
_C7_NOTHING_TO_SHOW = const(7 * 8 + 3)
_C8_ON_OWN_SET = const(8 * 8)
_C10_ONLY_THE_LAST = const(10 * 8)
_C10_ASKED_ALREADY = const(10 * 8 + 1)
_C10_NOT_YET = const(10 * 8 + 2)
_C10_NOBODY_PASSES = const(10 * 8 + 3)
_C11_TOO_EARLY = const(11 * 8)
_C12_ONLY_THE_LEADER = const(12 * 8)
_C12_PILE_IS_NOT_EMPTY = const(12 * 8 + 1)
_C12_NO_WHOLE_SETS = const(12 * 8 + 2)
_C12_NOT_DOUBTED = const(12 * 8 + 3)
_C13_NOT_ON_FOURS = const(13 * 8)
_C13_ONLY_PLUS = const(13 * 8 + 1)
_C13_NO_SUCH_NUMBER = const(13 * 8 + 2)
_C13_OTHER_NUMBER = const(13 * 8 + 3)
_C13_ONE_CARD = const(13 * 8 + 4)
_C13_SEVERAL_FOURS = const(13 * 8 + 5)
_C13_ONE_SET_ALONE = const(13 * 8 + 6)
_C14_ONLY_THE_LEADER = const(14 * 8)
_C14_TOO_MANY_CARDS = const(14 * 8 + 1)
_C14_DECLARED_ALREADY = const(14 * 8 + 2)
_C14_ONLY_THE_DECLARER = const(14 * 8 + 3)
_C16_NO_SUCH_RANK = const(16 * 8)
_C19_NOT_THE_NEXT = const(19 * 8)
_C19_NOT_BESIDE = const(19 * 8 + 1)
_C19_NOT_AROUND = const(19 * 8 + 2)
_C20_NO_BELIEF = const(20 * 8)
_C20_NOTHING_TO_BELIEVE = const(20 * 8 + 1)
_C22_IS_OUT = const(22 * 8)
_C23_NOT_PLAYED = const(23 * 8)

# --- places: the only arithmetic on place numbers ---------------------------------------------------------------------


def count_held(state: State, seat: int) -> int:
    """C4: how many cards the seat holds; staged ones still count."""
    return state.register[_IN_HAND + seat] + state.register[_STAGES + seat]


def put(state: State, card: int, place: int) -> None:
    """T10: the arbiter corrects a card's place."""
    state.where[card] = place
    recount(state)
    register = state.register
    for seat in range(1, 8):
        if register[_GONE] >> seat & 1 and count_held(state, seat):  # C22: a seat that was out is in again
            register[_GONE] -= 1 << seat
            register[_PASSED] &= ~(1 << seat)
            register[_OUT_AT + seat] = 0


def recount(state: State) -> None:
    """Find the counts again that follow from the places."""
    register = state.register
    where = state.where
    for seat in range(1, 8):
        register[_IN_HAND + seat] = count_hand(state, seat)
        register[_STAGES + seat] = where.count(_IN_STAGED[seat])
    register[_TO_DEAL] = 0 if register[DEAL] else where.count(_IN_STOCK)
    register[_PILED] = where.count(_IN_PILE)
    register[_LAST_SET] = where.count(_IN_SET)


# --- cards, deal: C1-C3, C16 ------------------------------------------------------------------------------------------


def is_in_deck(state: State, card: int) -> bool:
    """C1: 52 cards and two jokers. C16: five of each rank A to T and four jokers; no jokers; 36 cards."""
    rank = RANK[card]
    deck = state.register[_DECK_IS]
    if deck >= _OF_52:
        return card < DECK and has_rank(state, rank)
    if not deck:
        return card < DECK
    return rank == JOKER or (has_rank(state, rank) and card < DECK + JOKER)


def has_rank(state: State, rank: int) -> bool:
    """C4, C16: whether a set of that rank can be claimed."""
    deck = state.register[_DECK_IS]
    if deck == _OF_36:
        return SIX <= rank < JOKER
    return rank < JOKER and not (deck == _OF_FIVES and 8 < rank < ACE)


def step_rank(state: State, rank: int, step: int) -> int:
    """C13, C19: the next rank of the deck, up (1) or down (12); after K comes A, after A the lowest: a circle."""
    rank = (rank + step) % 13
    while not has_rank(state, rank):
        rank = (rank + step) % 13
    return rank


def setup(state: State, said: list) -> None:
    """C1, C2: the deck waits to be dealt; with deal=counted it is dealt (T4). C3: the seat that leads."""
    register = state.register
    for card in range(CARDS):
        if is_in_deck(state, card):
            state.where[card] = _STOCK
    register[_LEADER] = register[FIRST] or register[DEALER] % register[SEATS] + 1
    register[_CLAIM] = step_rank(state, ACE, 12) if register[_RANKS_FOLLOW] == _RISING else ACE
    if register[DEAL]:
        for seat in range(1, register[SEATS] + 1):
            register[UNSEEN + seat] = count_due(state, seat)
    recount(state)


def count_due(state: State, seat: int) -> int:
    """C2: how many cards the seat is dealt; the first seats clockwise from the dealer's left get one more."""
    seats = state.register[SEATS]
    cards = count_in_play(state)
    is_longer = (seat - state.register[DEALER] - 1) % seats < cards % seats
    return cards // seats + (1 if is_longer else 0)


def count_in_play(state: State) -> int:
    """C1, C16: how many cards are dealt."""
    deck = state.register[_DECK_IS]
    return 36 if deck == _OF_36 else 52 if deck == _OF_52 else 54


def is_dealing(state: State) -> bool:
    """T3: whether cards are still being dealt."""
    return state.register[_TO_DEAL] > 0


def is_in(state: State, seat: int) -> bool:
    """C9: the first without cards ends the game. C22: or is out, and the others play on."""
    return not state.register[_GONE] >> seat & 1


def next_in(state: State, seat: int) -> int:
    """The next seat clockwise that is in."""
    seats = state.register[SEATS]
    for _ in range(seats):
        seat = seat % seats + 1
        if is_in(state, seat):
            break
    return seat


def judge_draw(state: State, seat: int, card: int) -> int:
    """C2, T3: in the deal, any seat, each until its due number."""
    if not is_dealing(state):
        return _C2_ALL_IS_DEALT
    if state.register[_IN_HAND + seat] >= count_due(state, seat):
        return T3_HAND_IS_FULL
    if state.where[card] == _STOCK:
        return OK
    return T2_HELD_ALREADY if state.where[card] == _HAND + seat else T2_NOT_IN_STOCK


def undo_draw(state: State, seat: int, card: int) -> None:
    """T3, T7: in the deal a draw is taken back."""
    put(state, card, _STOCK)


# --- laying a set: C4, C5 ---------------------------------------------------------------------------------------------


def judge_number(state: State, seat: int, nothing: int, too_many: int) -> int:
    """C4, C5, C16: one to six cards, nine with deck=five; the verdicts are those of the rule that asks."""
    count = state.register[_STAGES + seat]
    if not count:
        return nothing
    return OK if count <= set_limit(state) else too_many


def set_limit(state: State) -> int:
    """C4, C16: how many cards a set may have."""
    return 9 if state.register[_DECK_IS] == _OF_FIVES else 6


def judge_claim(state: State, seat: int, rank: int) -> int:
    """C4: the leader claims any rank. C5, C19: on top of the last set the others claim what follows. C8, C6, C13."""
    register = state.register
    if not register[_LAST]:
        if seat != register[_LEADER]:
            return _C4_LEADER_LAYS
        if not has_rank(state, rank):
            return _C16_NO_SUCH_RANK if rank < JOKER else _C4_JOKER_IS_NO_RANK
        if register[_RANKS_FOLLOW] == _RISING and judge_rank(state, rank):
            return _C19_NOT_THE_NEXT
        return judge_number(state, seat, _C4_NOTHING_STAGED, _C4_TOO_MANY)
    verdict = judge_laying(state, seat)
    if verdict:
        return verdict
    if register[_CLAIM] > ACE:
        return _C13_ONLY_PLUS
    return judge_rank(state, rank) or judge_number(state, seat, _C5_NOTHING_STAGED, _C5_TOO_MANY)


def judge_rank(state: State, rank: int) -> int:
    """C5, C19: whether that rank follows the claim before it."""
    register = state.register
    claim = register[_CLAIM]
    follow = register[_RANKS_FOLLOW]
    if not follow:
        return OK if rank == claim else _C5_OTHER_RANK
    if rank == step_rank(state, claim, 1):
        return OK
    if follow == _RISING:
        return _C19_NOT_THE_NEXT
    if rank == step_rank(state, claim, 12):
        return OK
    if follow == _BESIDE:
        return _C19_NOT_BESIDE
    return OK if rank == claim else _C19_NOT_AROUND


def judge_laying(state: State, seat: int) -> int:
    """C8, C6, C5: whether the seat may lay on top of the last set."""
    if seat == state.register[_LAST]:
        return _C8_ON_OWN_SET
    return judge_turn(state, seat)


def judge_turn(state: State, seat: int) -> int:
    """C6: a seat that has passed waits. C5, turns=clockwise and on: the others answer one after the other."""
    if state.register[_PASSED] >> seat & 1:
        return _C6_HAS_PASSED
    turns = state.register[_TURNS]
    if not turns or seat == next_to_answer(state):
        return OK
    return _C5_ONLY_DOUBT if turns == _ROUND else _C5_NOT_YOUR_TURN


def next_to_answer(state: State) -> int:
    """C5: the next seat, from the left of the last to lay, that has not passed and is in."""
    register = state.register
    seat = register[_LAST]
    for _ in range(register[SEATS]):
        seat = seat % register[SEATS] + 1
        if not register[_PASSED] >> seat & 1:
            break
    return seat


def lay_set(state: State, seat: int, claim: int, now_ms: int) -> None:
    """The staged cards are the last set, passes (C6) and an ask (C10) are over; or the seat goes out (C9)."""
    register = state.register
    where = state.where
    move_all(where, _SET, _PILE)
    move_all(where, _STAGED + seat, _SET)
    register[_PILED] += register[_LAST_SET]
    register[_LAST_SET] = register[_STAGES + seat]
    register[_STAGES + seat] = 0
    register[_LAST] = seat
    register[_CLAIM] = claim
    register[_PASSED] = register[_GONE]
    register[_ASKED] = 0
    write_long(register, _LAID_MS, now_ms)
    if not register[_IN_HAND + seat]:
        go_out(state, seat)


# --- passing, doubting, leading again: C6-C9 --------------------------------------------------------------------------


def judge_pass(state: State, seat: int) -> int:
    """C4: a leader must lay. C5: there is a set of another seat. C6: once."""
    register = state.register
    if not register[_LAST]:
        return _C4_LEADER_MUST_LAY if seat == register[_LEADER] else _C5_NOTHING_TO_PASS
    if seat == register[_LAST]:
        return _C5_OWN_SET
    return _C5_NOBODY_PASSES if register[_TURNS] >= _ROUND else judge_turn(state, seat)


def enact_pass(state: State, seat: int) -> None:
    """C6, C8: the last of the others to pass makes the last to lay the leader."""
    register = state.register
    register[_PASSED] |= 1 << seat
    if (register[_PASSED] | 1 << register[_LAST]) == (2 << register[SEATS]) - 2:
        lead_again(state)


def lead_again(state: State) -> None:
    """C8: the last to lay leads, on top of the pile, which stays. C21: or is discarded. C14: a declaration is over."""
    register = state.register
    if register[_LEADER] != register[_LAST]:
        register[_OUT] = 0
    give_lead(state, register[_LAST])
    bury_set(state)
    if register[_DISCARDS]:
        discard_pile(state)


def bury_set(state: State) -> None:
    """The last set joins the pile."""
    move_all(state.where, _SET, _PILE)
    state.register[_PILED] += state.register[_LAST_SET]
    state.register[_LAST_SET] = 0


def discard_pile(state: State) -> None:
    """C20, C21: the whole pile leaves the game."""
    move_all(state.where, _SET, _DISCARD)
    move_all(state.where, _PILE, _DISCARD)
    state.register[_PILED] = state.register[_LAST_SET] = 0


def give_lead(state: State, seat: int) -> None:
    """The seat has to lay: there is no set to answer and no seat has passed."""
    register = state.register
    register[_LEADER] = seat
    register[_LAST] = 0
    register[_PLUS] = 0
    register[_PASSED] = register[_GONE]
    register[_ASKED] = 0
    register[_DOUBTER] = 0
    register[_FOURS_RANK] = 0


def judge_doubt(state: State, seat: int, now_ms: int) -> int:
    """C7: the last set of another seat. C6, C12, C14: which seats may doubt; C11: from when on."""
    register = state.register
    last = register[_LAST]
    if not last:
        return _C7_NOTHING_TO_DOUBT
    if seat == last:
        return _C5_OWN_SET
    verdict = OK if register[_TURNS] == _ROUND else judge_turn(state, seat)
    if verdict:
        return verdict
    if register[_CLAIM] == _FOURS:
        return _C12_NOT_DOUBTED
    if register[_OUT] and last != register[_LEADER] and seat != register[_LEADER]:
        return _C14_ONLY_THE_DECLARER
    return _C11_TOO_EARLY if left_ms(state, seat, now_ms) > 0 else OK


def enact_doubt(state: State, seat: int) -> None:
    """C7: the seat that is wrong takes the pile, the other leads; show=one: the doubter has to turn up a card first."""
    if state.register[_SHOW_ONE]:
        state.register[_DOUBTER] = seat
        state.register[_ASKED] = 0
    else:
        settle_doubt(state, seat, is_set_true(state))


def settle_doubt(state: State, doubter: int, is_true: bool) -> None:
    """C7: the seat that is wrong takes the pile, the other leads; turns=round: the round goes on."""
    last = state.register[_LAST]
    taker = doubter if is_true else last
    leader = last + doubter - taker
    take_pile(state, taker, next_in(state, last) if state.register[_TURNS] == _ROUND else leader)


def judge_believe(state: State, seat: int) -> int:
    """C20: the seat that has to answer may believe the last set."""
    register = state.register
    if not register[_BELIEF]:
        return _C20_NO_BELIEF
    if not register[_LAST]:
        return _C20_NOTHING_TO_BELIEVE
    return _C5_OWN_SET if seat == register[_LAST] else judge_turn(state, seat)


def enact_believe(state: State, seat: int) -> None:
    """C20: the set is opened; true, the pile leaves the game and the believer leads, else it takes the pile."""
    if is_set_true(state):
        discard_pile(state)
        state.register[_OUT] = 0
        give_lead(state, seat)
    else:
        take_pile(state, seat, state.register[_LAST])


def judge_show(state: State, seat: int, card: int) -> int:
    """C7, show=one: the doubter turns up one card of the last set."""
    if seat != state.register[_DOUBTER]:
        return _C7_NOTHING_TO_SHOW
    return OK if state.where[card] == _SET else _C7_TURN_ONE_UP


def is_set_true(state: State) -> bool:
    """C7, C13: whether each card of the last set is of the claimed rank, or a joker."""
    card = state.where.find(_SET)
    while card >= 0:
        if not is_card_true(state, card):
            return False
        card = state.where.find(_SET, card + 1)
    return True


def is_card_true(state: State, card: int) -> bool:
    """C7, C13: whether a card of the last set is of the claimed rank, or a joker. C12: all fours are."""
    register = state.register
    rank = register[_CLAIM]
    if rank == _FOURS:
        return True
    if rank == _HIGHER:
        rank = higher_rank(state, register[_FOURS_RANK], register[_PLUS])
    return RANK[card] == rank or RANK[card] == JOKER


def take_pile(state: State, taker: int, leader: int) -> None:
    """C7, C9: the whole pile, the last set too, goes to one hand. C14: what was declared is over."""
    where = state.where
    move_all(where, _PILE, _HAND + taker)
    move_all(where, _SET, _HAND + taker)
    register = state.register
    register[_IN_HAND + taker] += register[_PILED] + register[_LAST_SET]
    register[_PILED] = register[_LAST_SET] = 0
    register[_OUT] = 0
    give_lead(state, leader)


def go_out(state: State, seat: int) -> None:
    """C9: the seat's last set is turned up at once: it has won, or takes the pile, and the seat to its left leads.
    C22: with places the others play on until one of them is left."""
    register = state.register
    if not is_set_true(state):
        take_pile(state, seat, next_in(state, seat))
        return
    if not register[_WINNER]:
        register[_WINNER] = seat
    if not register[_PLACES]:
        register[OUTCOME] = _WON
        return
    place = 0
    for other in range(1, register[SEATS] + 1):
        place = max(place, register[_OUT_AT + other])
    register[_GONE] |= 1 << seat
    register[_OUT_AT + seat] = place + 1
    register[_OUT] = 0
    leader = next_in(state, seat)
    give_lead(state, leader)
    bury_set(state)
    if next_in(state, leader) == leader:
        register[OUTCOME] = _LAST_LEFT


# --- asking, handicap: C10, C11 ---------------------------------------------------------------------------------------


def judge_ask(state: State, seat: int) -> int:
    """C10: only the last to lay, once a set; as long as its set can be answered, some seat has not passed."""
    if state.register[_TURNS] >= _ROUND:
        return _C10_NOBODY_PASSES
    if not state.register[_LAST] or seat != state.register[_LAST]:
        return _C10_ONLY_THE_LAST
    return _C10_ASKED_ALREADY if state.register[_ASKED] else OK


def enact_ask(state: State, now_ms: int) -> None:
    """C10: seats that have not answered by then have passed."""
    state.register[_ASKED] = 1
    write_long(state.register, _DUE_MS, now_ms + 1000 * state.register[_ASK_SECONDS])


def judge_timeout(state: State, seat: int, now_ms: int) -> int:
    """C10: the table alone says it, when the ask's time is over."""
    is_due = state.register[_ASKED] and now_ms >= read_long(state.register, _DUE_MS)
    return OK if is_due and not seat else _C10_NOT_YET


def left_ms(state: State, seat: int, now_ms: int) -> int:
    """C11: how long the seat's handicap still keeps it from doubting the last set; 0 or less: it does not."""
    return read_wide(state.register, _HANDICAP + 2 * seat) - now_ms + read_long(state.register, _LAID_MS)


# --- all fours, going out: C12-C14 ------------------------------------------------------------------------------------


def judge_fours(state: State, seat: int) -> int:
    """C12: by the leader, on an empty pile, whole sets; which card is wrong is not told. C13: where nobody passes, not
    several that no plus can answer."""
    register = state.register
    if register[_NO_EXTRAS]:
        return _C23_NOT_PLAYED
    if register[_LAST] or seat != register[_LEADER]:
        return _C12_ONLY_THE_LEADER
    if register[_PILED]:
        return _C12_PILE_IS_NOT_EMPTY
    if not are_whole_sets(state, seat):
        return _C12_NO_WHOLE_SETS
    is_unanswered = register[_TURNS] >= _ROUND and register[PRESET] == _PLUS_IS_HIGHER
    return _C13_ONE_SET_ALONE if is_unanswered and register[_STAGES + seat] > count_of_a_kind(state) else OK


def are_whole_sets(state: State, seat: int) -> bool:
    """C12, C16: whether with each staged card all of its rank are staged, and no joker is."""
    where = state.where
    place = _STAGED + seat
    card = where.find(place)
    if card < 0:
        return False
    while card >= 0:
        rank = RANK[card]
        if rank == JOKER:
            return False
        for other in range(rank, 52, 13):
            if where[other] != place:
                return False
        if state.register[_DECK_IS] == _OF_FIVES and where[DECK + rank] != place:
            return False
        card = where.find(place, card + 1)
    return True


def enact_fours(state: State, seat: int, now_ms: int) -> None:
    """C12: all fours lie; only the table knows of which rank (C13b)."""
    is_one_set = state.register[_STAGES + seat] == count_of_a_kind(state)
    state.register[_FOURS_RANK] = RANK[state.where.find(_STAGED + seat)] if is_one_set else _SEVERAL
    lay_set(state, seat, _FOURS, now_ms)


def count_of_a_kind(state: State) -> int:
    """C12, C16: how many cards of one rank there are."""
    return 5 if state.register[_DECK_IS] == _OF_FIVES else 4


def judge_plus(state: State, seat: int, number: int) -> int:
    """C13: on top of all fours; the first plus says the number, the others follow."""
    register = state.register
    if register[_NO_EXTRAS]:
        return _C23_NOT_PLAYED
    if not register[_LAST] or register[_CLAIM] <= ACE:
        return _C13_NOT_ON_FOURS
    verdict = judge_laying(state, seat)
    if verdict:
        return verdict
    if not 1 <= number <= plus_limit(state):
        return _C13_NO_SUCH_NUMBER
    if register[PRESET] != _PLUS_IS_HIGHER:
        return OK if register[_STAGES + seat] == 1 else _C13_ONE_CARD
    if register[_FOURS_RANK] == _SEVERAL:
        return _C13_SEVERAL_FOURS
    if register[_PLUS] and number != register[_PLUS]:
        return _C13_OTHER_NUMBER
    return judge_number(state, seat, _C5_NOTHING_STAGED, _C5_TOO_MANY)


def enact_plus(state: State, seat: int, number: int, now_ms: int) -> None:
    """C13: (a) the card is a joker; (b) the cards are so many ranks above the fours."""
    state.register[_PLUS] = number
    lay_set(state, seat, _HIGHER if state.register[PRESET] == _PLUS_IS_HIGHER else _A_JOKER, now_ms)


def count_ranks(state: State) -> int:
    """C13, C16: how many ranks the deck has, jokers aside."""
    deck = state.register[_DECK_IS]
    return 9 if deck == _OF_36 else 10 if deck == _OF_FIVES else 13


def plus_limit(state: State) -> int:
    """C13: the highest number of plus: (a) 1; (b) the last rank before the circle is closed."""
    return count_ranks(state) - 1 if state.register[PRESET] == _PLUS_IS_HIGHER else 1


def higher_rank(state: State, rank: int, number: int) -> int:
    """C13b: the rank so many above, after K comes A, after A comes 2: a circle."""
    for _ in range(number):
        rank = step_rank(state, rank, 1)
    return rank


def judge_out(state: State, seat: int) -> int:
    """C14: by the seat that has to lead, with eight cards or fewer, once."""
    register = state.register
    if register[_NO_EXTRAS]:
        return _C23_NOT_PLAYED
    if register[_LAST] or seat != register[_LEADER]:
        return _C14_ONLY_THE_LEADER
    if register[_OUT]:
        return _C14_DECLARED_ALREADY
    return OK if count_held(state, seat) < _DECLARED_BELOW else _C14_TOO_MANY_CARDS


# --- the game's interface ---------------------------------------------------------------------------------------------


def judge(state: State, event: Event) -> int:
    """The first broken rule, or 0. Seat, card and phase of the table are checked by the session already."""
    verb = event.verb
    seat = event.seat
    if verb == DRAW:
        return judge_draw(state, seat, event.card)
    if verb == _TO_TIME_OUT:
        return judge_timeout(state, seat, event.at_ms)
    if is_dealing(state):
        return T3_DEAL_FIRST
    if verb == _TO_LAY:
        return OK if holds(state, seat, event.card) else T2_LIES_ELSEWHERE
    if verb == _TO_UNLAY:
        return OK if state.where[event.card] == _STAGED + seat else T2_LIES_ELSEWHERE
    if verb == _TO_SHOW:
        return judge_show(state, seat, event.card)
    return judge_answer(state, seat, verb, event.target, event.at_ms)


def judge_answer(state: State, seat: int, verb: int, number: int, now_ms: int) -> int:
    """Judge a verb without a card; number: the rank of a claim, the N of a plus. C22: who is out says nothing."""
    if state.register[_GONE] >> seat & 1:
        return _C22_IS_OUT
    if state.register[_DOUBTER]:
        return _C7_TURN_ONE_UP if seat == state.register[_DOUBTER] else _C7_WAIT_FOR_THE_CARD
    if verb == _TO_CLAIM:
        return judge_claim(state, seat, number)
    if verb == _TO_SAY_FOURS:
        return judge_fours(state, seat)
    if verb == _TO_SAY_PLUS:
        return judge_plus(state, seat, number)
    if verb == _TO_SAY_OUT:
        return judge_out(state, seat)
    if verb == _TO_PASS:
        return judge_pass(state, seat)
    if verb == _TO_DOUBT:
        return judge_doubt(state, seat, now_ms)
    return judge_believe(state, seat) if verb == _TO_BELIEVE else judge_ask(state, seat)


def enact(state: State, event: Event) -> None:
    """Let an accepted event happen."""
    verb = event.verb
    seat = event.seat
    register = state.register
    if verb == DRAW:
        state.where[event.card] = _HAND + seat
        register[_IN_HAND + seat] += 1
        register[_TO_DEAL] -= 1
    elif verb == _TO_LAY:
        reveal(state, seat, event.card)
        state.where[event.card] = _STAGED + seat
        register[_IN_HAND + seat] -= 1
        register[_STAGES + seat] += 1
    elif verb == _TO_UNLAY:
        state.where[event.card] = _HAND + seat
        register[_IN_HAND + seat] += 1
        register[_STAGES + seat] -= 1
    elif verb == _TO_CLAIM:
        lay_set(state, seat, event.target, event.at_ms)
    elif verb == _TO_SAY_FOURS:
        enact_fours(state, seat, event.at_ms)
    elif verb == _TO_SAY_PLUS:
        enact_plus(state, seat, event.target, event.at_ms)
    elif verb == _TO_SAY_OUT:
        register[_OUT] = 1
    elif verb == _TO_PASS:
        enact_pass(state, seat)
    elif verb == _TO_DOUBT:
        enact_doubt(state, seat)
    elif verb == _TO_ASK:
        enact_ask(state, event.at_ms)
    elif verb == _TO_SHOW:
        settle_doubt(state, seat, is_card_true(state, event.card))
    elif verb == _TO_BELIEVE:
        enact_believe(state, seat)
    else:
        lead_again(state)


def meanings(state: State, seat: int, card: int, out: list) -> None:
    """Append to `out`, packed, what a tap of that card by that seat means now, legal or not."""
    verb = _TO_UNLAY if state.where[card] == _STAGED + seat else _TO_LAY
    if seat == state.register[_DOUBTER] and state.where[card] == _SET:
        verb = _TO_SHOW
    out.append((DRAW if is_dealing(state) else verb) << 16 | card << 8)


def button(state: State, seat: int, key: int) -> int:
    """The verb that a button says now: OK (0) claim, on all fours plus; NO (1) pass, or believe (C20); CALL (2) doubt,
    or ask (C10)."""
    register = state.register
    last = register[_LAST]
    if key == OK_KEY:
        return _TO_SAY_PLUS if last and register[_CLAIM] > ACE else _TO_CLAIM
    if key == NO_KEY:
        return _TO_BELIEVE if register[_BELIEF] else _TO_PASS
    return _TO_ASK if seat == last and register[_TURNS] < _ROUND else _TO_DOUBT


def move_on(state: State, seat: int) -> int:
    """T8: a seat whose time is over passes; who leads has to lay."""
    return 0 if is_dealing(state) or state.register[_DOUBTER] or judge_pass(state, seat) else _TO_PASS


def choices(state: State, seat: int, verb: int, out: list) -> None:
    """The ranks or numbers to choose from, from public facts alone. A follower claims what follows (C5, C19)."""
    register = state.register
    if verb == _TO_SAY_PLUS:
        if register[_PLUS]:
            out.append(register[_PLUS])
            return
        for number in range(1, plus_limit(state) + 1):
            out.append(number)
    elif register[_LAST] or seat != register[_LEADER] or register[_RANKS_FOLLOW] == _RISING:
        rank = min(register[_CLAIM], ACE)
        follow = register[_RANKS_FOLLOW]
        if follow >= _BESIDE:
            out.append(step_rank(state, rank, 12))
        if not follow or follow > _BESIDE:
            out.append(rank)
        if follow:
            out.append(step_rank(state, rank, 1))
    else:
        for rank in range(JOKER):
            if has_rank(state, rank):
                out.append(rank)


def shows(state: State, verb: int) -> int:
    """What everybody may see of an event: 2 all of it, 1 not its card (C17)."""
    return SHOWS_VERB if verb == DRAW or verb == _TO_LAY or verb == _TO_UNLAY else SHOWS_ALL


def opens(state: State, event: Event, out: list) -> None:
    """C7, C9: append the cards that the event turns up: those of a doubted set, or of a seat's last one."""
    if event.verb == _TO_SHOW:
        out.append(event.card)
        return
    place = _SET
    if event.verb == _TO_DOUBT:
        if state.register[_SHOW_ONE]:
            return
    elif event.verb != _TO_BELIEVE:
        if not _TO_CLAIM <= event.verb <= _TO_SAY_PLUS or state.register[_IN_HAND + event.seat]:
            return
        place = _STAGED + event.seat
    card = state.where.find(place)
    while card >= 0:
        out.append(card)
        card = state.where.find(place, card + 1)


def count_to_draw(state: State, seat: int) -> int:
    """T3, C2: how many of its cards the seat still taps in the deal."""
    return count_due(state, seat) - state.register[_IN_HAND + seat]


def has_verb(state: State, verb: int) -> bool:
    """C7: a card is shown only where a doubter turns up one. C5: nobody passes where all have to lay. C20, C23."""
    register = state.register
    if verb == _TO_SHOW:
        return register[_SHOW_ONE] > 0
    if verb == _TO_PASS or verb == _TO_ASK:
        return register[_TURNS] < _ROUND
    if verb == _TO_BELIEVE:
        return register[_BELIEF] > 0
    is_extra = _TO_SAY_FOURS <= verb <= _TO_SAY_OUT
    return not is_extra or not register[_NO_EXTRAS]


def undoes(state: State, verb: int) -> int:
    """T7: staged cards bar an undo, and so does a doubt, which has opened cards."""
    is_barred = verb == _TO_LAY or verb == _TO_UNLAY or verb == _TO_DOUBT or verb >= _TO_SHOW
    return ENDS_UNDO if is_barred else CAN_UNDO


def offers_blindly(state: State) -> bool:
    """A tap means one thing only."""
    return False


def due_ms(state: State) -> int:
    """C10: when the table has to say `timeout`; -1: no ask is running."""
    return read_long(state.register, _DUE_MS) if state.register[_ASKED] else -1


def press_first(state: State) -> int:
    """C5: a tie of presses goes clockwise from the last player to lay."""
    return (state.register[_LAST] or state.register[_LEADER]) % state.register[SEATS] + 1


def is_calm(state: State) -> bool:
    """C5: there is no set to answer, so no press can win a race."""
    return not state.register[_LAST]


def fill_light(state: State, seat: int, now_ms: int) -> int:
    """C11: how much of the handicap is over for a seat that could doubt but for it, in eighths; 0: none runs."""
    whole_ms = 0 if state.register[_DOUBTER] else read_wide(state.register, _HANDICAP + 2 * seat)
    # A press counts at the time of its scan, so a set may have been laid a moment after now_ms: all are early then.
    if not whole_ms or judge_doubt(state, seat, now_ms) != _C11_TOO_EARLY:
        return 0
    return 1 + (whole_ms - left_ms(state, seat, now_ms)) * 8 // whole_ms


def fact(state: State, event: Event, verdict: int) -> str:
    """What the words of a refusal have a `#` for: seconds left (C11), the size of a set, what was claimed or said."""
    if verdict == _C11_TOO_EARLY:
        tenths = (left_ms(state, event.seat, event.at_ms) + 99) // 100
        return "%d.%d" % (tenths // 10, tenths % 10)
    if verdict == _C12_NO_WHOLE_SETS:
        return str(count_of_a_kind(state))
    if verdict == _C5_OTHER_RANK or verdict == _C19_NOT_BESIDE or verdict == _C19_NOT_AROUND:
        return RANKS[state.register[_CLAIM]]
    if verdict == _C19_NOT_THE_NEXT:
        return RANKS[step_rank(state, state.register[_CLAIM], 1)]
    if verdict == _C13_OTHER_NUMBER:
        return str(state.register[_PLUS])
    return str(set_limit(state)) if verdict == _C4_TOO_MANY or verdict == _C5_TOO_MANY else ""


# What the table can wait for; its words have the key P and this number.
WAIT_DEAL = const(1)
WAIT_LEAD = const(2)
WAIT_ANSWER = const(3)
WAIT_PLUS = const(4)
WAIT_ASKED = const(5)
WAIT_OVER = const(6)
WAIT_ANY = const(7)  # from any of several seats, in no particular order (C5)
WAIT_SHOW = const(8)
WAIT_LAY = const(9)  # no seat passes (C5, turns=round and next)
WAIT_DOUBT = const(10)  # who may, while another has to lay
WAIT_BELIEVE = const(11)  # C20


# What buttons do beside that; its words have the key K and this number.
KEYS_FOURS_OR_OUT = const(1)
KEYS_FOURS = const(2)
KEYS_OUT = const(3)
KEYS_ASK = const(4)


def more_keys(state: State) -> int:
    """C12, C14: what the seat that leads may say by MENU; C10: that the last to lay asks by CALL."""
    register = state.register
    if register[OUTCOME] or is_dealing(state):
        return 0
    if register[_LAST]:
        return 0 if register[_ASKED] or register[_DOUBTER] or register[_TURNS] >= _ROUND else KEYS_ASK
    if register[_NO_EXTRAS]:
        return 0
    if judge_out(state, register[_LEADER]):
        return 0 if register[_PILED] else KEYS_FOURS
    return KEYS_OUT if register[_PILED] else KEYS_FOURS_OR_OUT


def waiting(state: State, out: bytearray) -> None:
    """out[seat] = what the table waits for from that seat, or 0; out[0] = what the screen says. Public facts alone."""
    register = state.register
    out[:] = _NOBODY
    if register[OUTCOME]:
        out[0] = WAIT_OVER
    elif is_dealing(state):
        out[0] = WAIT_DEAL
        for seat in range(1, register[SEATS] + 1):
            if register[_IN_HAND + seat] < count_due(state, seat):
                out[seat] = WAIT_DEAL
    elif not register[_LAST]:
        out[0] = out[register[_LEADER]] = WAIT_LEAD
    elif register[_DOUBTER]:
        out[0] = out[register[_DOUBTER]] = WAIT_SHOW
    else:
        out[0] = WAIT_ASKED if register[_ASKED] else WAIT_ANSWER if register[_CLAIM] != _FOURS else WAIT_PLUS
        if register[_TURNS] >= _ROUND:
            out[0] = WAIT_BELIEVE if register[_BELIEF] else WAIT_LAY
        if register[_TURNS] == _ROUND and register[_CLAIM] != _FOURS:
            for seat in range(1, register[SEATS] + 1):
                out[seat] = WAIT_DOUBT if seat != register[_LAST] and is_in(state, seat) else 0
        if register[_TURNS]:
            out[next_to_answer(state)] = out[0]
            return
        for seat in range(1, register[SEATS] + 1):
            if seat != register[_LAST] and not register[_PASSED] >> seat & 1:
                out[seat] = WAIT_ANY


def status(state: State) -> str:
    """The table in one line that needs no language; public facts alone (C17).

    `12: 14/13/13`: cards on the pile, and held; `2:3x7 !1 -13 14/13/13`: seat 2 has laid three sevens while 1 has
    declared going out, 1 and 3 have passed. All fours are `4x?`, what is said on them `1x+1`. Hands where they fit.
    """
    register = state.register
    hands = "/".join([str(count_held(state, seat)) for seat in range(1, register[SEATS] + 1)])
    if register[_LAST]:
        claim = register[_CLAIM]
        said = "?" if claim == _FOURS else RANKS[claim] if claim <= ACE else "+%d" % register[_PLUS]
        text = "%d:%dx%s" % (register[_LAST], register[_LAST_SET], said)
    else:
        text = "%d:" % register[_PILED]
    if register[_OUT]:
        text += " !%d" % register[_LEADER]
    passed = register[_PASSED] & ~register[_GONE]
    if passed:
        text += " -" + "".join([str(seat) for seat in range(1, 8) if passed >> seat & 1])
    if len(text) + len(hands) < 21:
        return text + " " + hands
    return text if register[_LAST] else hands


def describe_result(state: State) -> str:
    """C15, as the record writes it: `winner 3 holds 1:12 2:7 4:9`; C22: `loser 2 order 3 1 4`."""
    winner = state.register[_WINNER]
    if state.register[OUTCOME] == _LAST_LEFT:
        order = sorted([(went_out(state, seat), seat) for seat in range(1, state.register[SEATS] + 1)])
        return "loser %d order %s" % (order[0][1], " ".join([str(seat) for _, seat in order[1:]]))
    others = [seat for seat in range(1, state.register[SEATS] + 1) if seat != winner]
    return "winner %d holds %s" % (winner, " ".join(["%d:%d" % (seat, count_held(state, seat)) for seat in others]))


def losers(state: State) -> int:
    """C15: a bit for each seat that has not won. C22: the one that is left."""
    winner = state.register[_WINNER]
    if state.register[OUTCOME] == _LAST_LEFT:
        return (2 << state.register[SEATS]) - 2 & ~state.register[_GONE]
    return (2 << state.register[SEATS]) - 2 & ~(1 << winner) if winner else 0


def went_out(state: State, seat: int) -> int:
    """C22: the seat's number in the order of going out."""
    return state.register[_OUT_AT + seat]


def marks(state: State, seat: int) -> int:
    """A match counts the lost games alone."""
    return 0


def next_dealer(state: State) -> int:
    """C2: the deal goes clockwise."""
    return state.register[DEALER] % state.register[SEATS] + 1


def next_first(state: State) -> int:
    """C3: only the seat left of the dealer."""
    return 0


# What cannot be: the bits of `audit`. AUDIT says them in words.
_NO_SUCH_PLACE = const(1)  # or seat
_ANOTHER_DECK = const(2)
_SET_WITHOUT_SEAT = const(4)  # or a seat without its set
_IMPOSSIBLE_ROLES = const(8)  # or passes
_IMPOSSIBLE_DEAL = const(16)
_SEAT_WITHOUT_CARDS = const(32)  # in a game that goes on (C9)
_ASK_WITHOUT_SET = const(64)  # C10
_WRONG_NUMBER_OF_UNSEEN_CARDS = const(128)  # hands have more or fewer (T4)
_COUNTS_UNLIKE_PLACES = const(256)


def audit(state: State) -> int:
    """T1: 0, or a bit for each thing that cannot be."""
    where = state.where
    register = state.register
    seats = register[SEATS]
    last = register[_LAST]
    dealing = is_dealing(state)
    wrong = 0 if are_counts_right(state, _IN_HAND, recount) else _COUNTS_UNLIKE_PLACES
    has_begun = register[_PILED] or register[_LAST_SET] or read_long(register, _LAID_MS)
    for card in range(CARDS):
        place = where[card]
        if (place > 0) != is_in_deck(state, card):
            wrong |= _ANOTHER_DECK
        elif _HAND < place <= _HAND + seats or _STAGED < place <= _STAGED + seats:
            has_begun = has_begun or place > _STAGED
        elif place > _DISCARD:
            wrong |= _NO_SUCH_PLACE
    if (register[_LAST_SET] > 0) != (last > 0):
        wrong |= _SET_WITHOUT_SEAT
    everybody = (2 << seats) - 2
    is_passed_wrong = register[_PASSED] & ~everybody or register[_PASSED] >> last & 1
    is_passed_wrong = is_passed_wrong or register[_GONE] & ~register[_PASSED]
    if not 1 <= register[_LEADER] <= seats or last > seats or is_passed_wrong:
        wrong |= _IMPOSSIBLE_ROLES
    unseen = 0
    for seat in range(1, seats + 1):
        unseen += register[UNSEEN + seat]
        if dealing and register[_IN_HAND + seat] > count_due(state, seat):
            wrong |= _IMPOSSIBLE_DEAL
        if not dealing and not register[OUTCOME] and (count_held(state, seat) > 0) != is_in(state, seat):
            wrong |= _SEAT_WITHOUT_CARDS
    if dealing and has_begun:
        wrong |= _IMPOSSIBLE_DEAL
    if register[_ASKED] and not last:
        wrong |= _ASK_WITHOUT_SET
    doubter = register[_DOUBTER]
    if doubter and (not last or doubter == last or doubter > seats or register[_ASKED]):
        wrong |= _SET_WITHOUT_SEAT
    if register[DEAL] and unseen != where.count(_IN_STOCK):
        wrong |= _WRONG_NUMBER_OF_UNSEEN_CARDS
    return wrong


# --- for players and tests --------------------------------------------------------------------------------------------

# Where a card comes by chance: what the table waits for, and the verb that says which card came.
# A doubter does not see which card of the set it turns up.
CHANCE = {WAIT_DEAL: DRAW, WAIT_SHOW: _TO_SHOW}

# What the bits of `audit` mean, the lowest first.
AUDIT = (
    "no such place",
    "another deck",
    "set without seat",
    "impossible roles",
    "impossible deal",
    "seat without cards",
    "ask without set",
    "wrong number of unseen cards",
    "counts unlike places",
)


def moves(state: State, seat: int, now_ms: int, out: list) -> None:
    """Append to `out`, packed, every event of the seat that `judge` would accept now. For players and tests."""
    register = state.register
    if register[OUTCOME]:
        return
    if is_dealing(state):
        if register[_IN_HAND + seat] < count_due(state, seat):
            list_cards(state.where, _STOCK, DRAW, out)
        return
    list_cards(state.where, _HAND + seat, _TO_LAY, out)
    if register[UNSEEN + seat]:
        list_cards(state.where, _STOCK, _TO_LAY, out)
    if register[_STAGES + seat]:
        list_cards(state.where, _STAGED + seat, _TO_UNLAY, out)
    if seat == register[_DOUBTER]:
        list_cards(state.where, _SET, _TO_SHOW, out)
    # Nothing is claimed without a staged card, so those verbs are worth no question then.
    for verb in range(_TO_CLAIM if register[_STAGES + seat] else _TO_SAY_OUT, _TO_TIME_OUT):
        if verb == _TO_CLAIM or verb == _TO_SAY_PLUS:
            list_numbered(state, seat, verb, now_ms, out)
        elif not judge_answer(state, seat, verb, 0, now_ms):
            out.append(verb << 16 | NO_CARD << 8)
    if register[_BELIEF] and not judge_answer(state, seat, _TO_BELIEVE, 0, now_ms):
        out.append(_TO_BELIEVE << 16 | NO_CARD << 8)


def list_numbered(state: State, seat: int, verb: int, now_ms: int, out: list) -> None:
    """The verb with each rank or number that `choices` offers: all of them are accepted, or none is."""
    numbers: list = []
    choices(state, seat, verb, numbers)
    if numbers and not judge_answer(state, seat, verb, numbers[0], now_ms):
        for number in numbers:
            out.append(verb << 16 | NO_CARD << 8 | number)


def list_cards(where: bytearray, place: int, verb: int, out: list) -> None:
    """The verb with each card of the place."""
    card = where.find(place)
    while card >= 0:
        out.append(verb << 16 | card << 8)
        card = where.find(place, card + 1)


def view(state: State, seat: int) -> bytes:
    """What that seat (0: the public) may know, C17, T11: where its own cards lie, how many cards lie where, and what
    was said. Which cards the others hold, or have laid, whether those were tapped before (T4), and the rank of all
    fours are left out."""
    seen = bytearray(state.where)
    for card in range(CARDS):
        place = seen[card]
        if place and (not seat or (place != _HAND + seat and place != _STAGED + seat)):
            seen[card] = _STOCK
    register = state.register
    counts = bytearray(18)
    counts[0] = register[_PILED]
    counts[1] = register[_LAST_SET]
    for other in range(1, register[SEATS] + 1):
        counts[2 * other] = register[_IN_HAND + other]
        counts[2 * other + 1] = register[_STAGES + other]
    public = bytes(register[:UNSEEN]) + _NOBODY + bytes(register[UNSEEN + 8 : _FOURS_RANK])
    return bytes(seen) + bytes(counts) + public
