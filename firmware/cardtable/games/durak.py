"""Durak with every option of its rulebook page (docs/rules/durak.md), in the order of that page.

Pure: no input or output, no clock, no chance, no exception for an illegal move. Words for people are in words/.
"""

from micropython import const

from cardtable.engine.deck import ACE, BLACK, DECK, JOKER, QUEEN, RANK, SIX, SPADES, SUIT, XB
from cardtable.engine.event import (
    CALL_KEY,
    CAN_UNDO,
    DRAW,
    ENDS_UNDO,
    LEAD,
    LEAVES_UNDO,
    NO_CARD,
    OK_KEY,
    PAIR,
    SHOWS_ALL,
    SHOWS_NOTHING,
    SHOWS_VERB,
)
from cardtable.engine.hands import count_hand, count_stock, fill, holds, is_counted, reveal
from cardtable.engine.meant import ASKED, CLOSED, SAME_RANK, SAME_SUIT, put_nearest_first
from cardtable.engine.plain import (  # noqa: F401 - the rest of the interface of a game
    choices,
    count_face_down,
    count_missing,
    due_ms,
    fact,
    fill_light,
    hint,
    is_calm,
    opens,
    press_first,
)
from cardtable.engine.state import DEALER, FIRST, MATCH_GAME, OUTCOME, OWN, PRESET, SEATS, State, are_counts_right
from cardtable.engine.verdict import (
    OK,
    T2_HELD_ALREADY,
    T2_LIES_ELSEWHERE,
    T2_NOT_IN_STOCK,
    T3_DEAL_FIRST,
    T3_HAND_IS_FULL,
    T4_NOT_ASKED,
)

NAME = "durak"
LETTER = "D"
CARDS = DECK

# --- for set-up alone: what it may say (the data that engine/setup.py reads) ------------------------------------------

SEAT_RANGE = (2, 6, "D2")
PRESETS = (
    ("throw-in", ""),
    ("simple", ""),
    ("transfer", "transfer=yes"),
    ("japanese-spades", ""),
    ("japanese-diamonds", ""),
)
RESERVED = ("czech chinese french polish armenian american", "D46")  # presets whose rules are not known yet
OPTIONS = (
    ("deck", "D1", "36 52 54 24"),
    ("next_lead", "D6", "left-of-fool winner lowest-trump under-fool"),
    ("jokers", "D8", "any colour"),
    ("lead", "D12", "two any three five"),
    ("throwers", "D15", "all attacker neighbours"),
    ("throw_order", "D16", "strict free"),
    ("late_limit", "D18", "six hand always"),
    ("first_bout", "D19", "5 6 strict"),
    ("draw_order", "D24", "attacker-first defender-first clockwise opener-first"),
    ("short_stock", "D25", "in-order equal"),
    ("transfer", "D26", "no yes"),
    ("first_transfer", "D28", "no first-game yes"),
    ("trump_blocks_transfer", "D29", "yes no"),
    ("shown_trump", "D30", "no yes"),
    ("late_transfer", "D31", "no yes"),
    ("teams", "D34", "no 2x2 3x3 2x2x2 2x2-both 3x3-both 2x2x2-both"),
    ("epaulettes", "D41", "no yes any"),
    ("round", "D42", "no yes"),
    ("cheating", "D43", (0, 9)),
    ("draws", "D40", "yes no"),
    ("hand", "D3", "6 4 5 7 8 10"),
    ("start", "D49", "usual redeal six redeal-and-six"),
)
_THROWING_IN = "throw-in transfer japanese-spades japanese-diamonds"
NEEDS = (
    ("deck=24", "seats", "2 3 4", "D2"),
    ("jokers", "deck", "54", "D8"),
    ("lead", "preset", "simple", "D12"),
    ("lead=three lead=five", "transfer", "no", "D12"),
    ("deck=24", "hand", "6 4 5", "D3"),
    ("hand=7", "seats", "2 3 4 5", "D3"),
    ("hand=8", "seats", "2 3 4", "D3"),
    ("hand=10", "seats", "2 3", "D3"),
    ("throwers throw_order late_limit first_bout", "preset", _THROWING_IN, "D13"),
    ("first_transfer trump_blocks_transfer shown_trump late_transfer", "transfer", "yes", "D26"),
    ("late_transfer=yes", "preset", _THROWING_IN, "D31"),
    ("teams=2x2 teams=2x2-both", "seats", "4", "D34"),
    ("teams=3x3 teams=2x2x2 teams=3x3-both teams=2x2x2-both", "seats", "6", "D34"),
    ("teams=2x2-both teams=3x3-both teams=2x2x2-both", "cheating", "0", "D34"),
    ("start", "preset", "throw-in simple transfer japanese-spades", "D49"),
    ("round=yes", "teams", "no", "D42"),
)
ASK_FIRST = "deck jokers throwers teams draws"  # what people agree on before a game; the rest follows in order

# --- what it said -----------------------------------------------------------------------------------------------------

# engine/state.py again, as numbers that the compiler can fold (a test holds them equal).
_STOCK = const(1)
_HAND = const(8)  # + seat
_OPTION = const(8)
_UNSEEN = const(52)  # + seat
_OWN = const(80)

# Presets and options as the questions below read them: the low byte of each option's register.
_SIMPLE = const(1)
_JAPANESE_SPADES = const(3)
_JAPANESE_DIAMONDS = const(4)
_OPTION_DECK = const(_OPTION + 0)
_NEXT_LEAD = const(_OPTION + 2)
_JOKERS_BY_COLOUR = const(_OPTION + 4)
_LEAD_IS = const(_OPTION + 6)  # 1 any number of one rank, 2 up to three, 3 up to five
_THROWERS_ARE = const(_OPTION + 8)
_THROW_FREELY = const(_OPTION + 10)
_LATE_BY_HAND = const(_OPTION + 12)  # 1 once the stock is gone, 2 all game
_FIRST_BOUT_OF_SIX = const(_OPTION + 14)  # 1 six, 2 five and no sixth after a take
_DRAW_ORDER = const(_OPTION + 16)
_SHORT_STOCK_EQUAL = const(_OPTION + 18)
_TRANSFER_ALLOWED = const(_OPTION + 20)
_FIRST_TRANSFER = const(_OPTION + 22)
_TRUMP_MAY_TRANSFER = const(_OPTION + 24)
_SHOWN_TRUMP = const(_OPTION + 26)
_LATE_TRANSFER = const(_OPTION + 28)
_TEAMS_ARE = const(_OPTION + 30)
_EPAULETTES = const(_OPTION + 32)
_ROUND = const(_OPTION + 34)
_CHEATING = const(_OPTION + 36)
_NO_DRAWS = const(_OPTION + 38)
_HAND_SIZE = const(_OPTION + 40)
_START = const(_OPTION + 42)  # 1: a hand of one suit is dealt again (D49), 2: the lowest trump is swapped (D50)
_BOTH_PLACES = const(4)  # of _TEAMS_ARE, and above: a player plays the place of a partner who is out, too (D34)
_IN_THREE = const(2)  # of _LEAD_IS: a pair and one (D12)
_DEFENDER_FIRST = const(1)  # of _DRAW_ORDER
_CLOCKWISE = const(2)
_OPENER_FIRST = const(3)

# --- verbs, places, registers -----------------------------------------------------------------------------------------

# Name, kinds of arguments, and the button or tap that says it (see play/seats.py).
VERBS = (
    ("turn", "C", "TAP"),
    ("attack", "C", "TAP"),
    ("beat", PAIR, "TAP"),
    ("transfer", "C", "TAP"),
    ("show", "C", "TAP"),
    ("done", "", "OK"),
    ("take", "", "NO"),
    ("cheat", "", "CALL"),
    ("catch", "C", "CALL"),
    ("redeal", "", "MENU"),
    ("swap", "C", "MENU"),
)
_TO_TURN = const(16)
_TO_ATTACK = const(17)
_TO_BEAT = const(18)
_TO_TRANSFER = const(19)
_TO_SHOW = const(20)
_TO_SAY_DONE = const(21)
_TO_TAKE = const(22)
_TO_CHEAT = const(23)
_TO_CATCH = const(24)
_TO_REDEAL = const(25)
_TO_SWAP = const(26)

_DISCARD = const(2)
_TURNED = const(3)  # the trump that lies under the stock
_ATTACK = const(16)  # + slot, in the order of laying
_COVER = const(80)  # + slot of the attack card it beats
_SLOTS = const(54)
PLACES = (
    ("stock", _STOCK, 1),
    ("discard", _DISCARD, 1),
    ("turned", _TURNED, 1),
    ("hand", _HAND + 1, 6),
    ("attack", _ATTACK, _SLOTS),
    ("cover", _COVER, _SLOTS),
)

_PHASE = const(_OWN + 0)
_ATTACKER = const(_OWN + 1)
_DEFENDER = const(_OWN + 2)
_TURN_TO_THROW = const(_OWN + 3)  # whose turn it is to throw in (D16); 0: nobody's, or throw_order=free
_SAID_DONE = const(_OWN + 4)  # a bit a seat: done since the last card was laid
_THROWERS = const(_OWN + 5)  # a bit a seat: who may throw in on this defender (D15, D34)
_TAKEN = const(_OWN + 6)  # the defender has said take
_ACTED = const(_OWN + 7)  # the defender has acted: closes the lead in simple (D13)
_FIRST_BOUT = const(_OWN + 8)  # 1 until the first bout is over
_TRUMP = const(_OWN + 9)  # a suit, or _NO_TRUMP
_FIRST_BEAT = const(_OWN + 10)  # attack cards that lay when the first was beaten (D31)
_SHOWN = const(_OWN + 11)  # a bit a seat: has shown a trump in this bout (D30)
_DRAWER = const(_OWN + 12)  # who draws now (D24)
_EQUAL = const(_OWN + 13)  # this drawing is shared out one card each (D25)
_DEALERS_LAST = const(_OWN + 14)  # the card the dealer was dealt last (D4)
_FOOL = const(_OWN + 15)
_SIXES = const(_OWN + 16)  # sixes of the last take's attack that count (D41)
_PRESSED = const(_OWN + 17)  # the defender has pressed cheat for its next card (D43)
_TOKENS = const(_OWN + 18)  # + seat - 1: how often it may still cheat (D43)
_OUT_AT = const(_OWN + 24)  # + seat - 1: its number in the order of going out (D39), from 1; 0: it is in
_LOGGED = const(_OWN + 30)  # entries of the log
_LOG = const(_OWN + 31)  # what was laid in this bout, kept only with cheating: rows of five
_ROW = const(5)  # card, seat, what it was, and attacker and throwers before it
_LOG_ROWS = const(60)
_LIES = const(_OWN + 331)  # + place - _ATTACK: the card that lies there, or _NOTHING: `where` the other way round
_LIES_COVER = const(_OWN + 331 + 64)  # _COVER - _ATTACK further on
_OPENER = const(_OWN + 449)  # who laid the bout's first card, or is to (D24)
_SITS = const(_OWN + 450)  # the place that the defender plays: its own, or that of a partner who is out (D34)
# Counts that follow from the places, changed where a card moves (`recount` finds them again, `audit` compares).
_HELD = const(_OWN + 451)  # + seat: cards in its hand, seen or not (T4)
_LEFT = const(_OWN + 459)  # cards that can still be drawn, the turned one included
_ATTACKS = const(_OWN + 460)  # attack cards on the table, beaten or not; they fill the slots from 0 without a gap
_UNBEATEN = const(_OWN + 461)  # attack cards that nothing covers
_RANKS = const(_OWN + 462)  # + rank: how many cards of it lie on the table
REGISTERS = OWN + 476

_WAS_FALSE = const(1)  # laid with a cheat token, and does not fit (D44)
_WAS_TRANSFER = const(2)
_WAS_SHOWN = const(4)
_HAD_ACTED = const(8)  # what _ACTED was before it

_DEAL = const(0)
_BOUT = const(1)
_DRAWING = const(2)
_ASKING = const(3)  # who attacks first is the players' to say (D5, T4)
_NO_TRUMP = const(9)
_NO_CARD_YET = const(255)
_NOTHING = const(255)
_HAND_SIZES = b"\x06\x04\x05\x07\x08\x0a\x02\x03"  # no option says the last two: for games that are solved
_NINE = const(7)  # a rank

_LOST_BY_ONE = const(1)
_LOST_BY_TEAM = const(2)
_NOBODY_LOST = const(3)

_EMPTY = bytes([_NOTHING])  # what bytearray.count takes in MicroPython
_NOBODY = bytes(8)
_RECEIVER = bytearray(8)  # of pass_hands_on, made once so that nothing is allocated there
_UNSEEN_THERE = bytearray(8)
_TEAM_COUNT = b"\x00\x02\x02\x03\x02\x02\x03"

# --- verdicts: rule * 8 + way (engine/verdict.py) ---------------------------------------------------------------------

_D3_TURN_FIRST = const(3 * 8)
_D3_NO_TURN_NOW = const(3 * 8 + 1)
_D3_ONLY_THE_DEALER = const(3 * 8 + 2)
_D3_TURNED_CARD_LAST = const(3 * 8 + 3)
_D3_WAIT_FOR_THE_TRUMP = const(3 * 8 + 4)
_D4_NOT_THE_LAST_DEALT = const(4 * 8)
_D5_WHO_LEADS = const(5 * 8)
_D7_DOES_NOT_BEAT = const(7 * 8)
_D7_NO_SUCH_TARGET = const(7 * 8 + 1)
_D7_ALL_IS_BEATEN = const(7 * 8 + 2)
_D7_ONLY_A_TRUMP = const(7 * 8 + 3)
_D7_WITHOUT_TRUMPS = const(7 * 8 + 4)
_D7_LOWER_SPADE = const(7 * 8 + 5)
_D8_NOT_ITS_COLOUR = const(8 * 8)
_D8_NOTHING_BEATS_A_JOKER = const(8 * 8 + 1)
_D10_ONLY_A_SPADE = const(10 * 8)
_D11_ONLY_A_SPADE = const(11 * 8)
_D11_NOTHING_IS_TURNED = const(11 * 8 + 1)
_D12_ATTACKER_OPENS = const(12 * 8)
_D12_OPEN_FIRST = const(12 * 8 + 1)
_D12_LEAD_OF_ONE_RANK = const(12 * 8 + 2)
_D12_LEAD_OF_TWO = const(12 * 8 + 3)
_D12_DEFENDER_BEATS = const(12 * 8 + 4)
_D12_YOU_OPEN = const(12 * 8 + 5)
_D12_PAIR_FIRST = const(12 * 8 + 6)
_D12_LEAD_IS_FULL = const(12 * 8 + 7)
_D13_LEAD_IS_CLOSED = const(13 * 8)
_D13_NOBODY_THROWS_IN = const(13 * 8 + 1)
_D13_NO_DONE = const(13 * 8 + 2)
_D13_DEFENDER_ANSWERS = const(13 * 8 + 3)
_D13_ATTACKER_ENDS_IT = const(13 * 8 + 4)
_D14_RANK_NOT_ON_TABLE = const(14 * 8)
_D15_NOT_A_THROWER = const(15 * 8)
_D16_NOT_YOUR_TURN = const(16 * 8)
_D16_DEFENDER_WAITS = const(16 * 8 + 1)
_D16_SAID_ALREADY = const(16 * 8 + 2)
_D16_NO_CARDS = const(16 * 8 + 3)
_D16_DEFENDER_ANSWERS = const(16 * 8 + 4)
_D16_NOT_A_THROWER = const(16 * 8 + 5)
_D16_END_THE_BOUT = const(16 * 8 + 6)
_D17_DEFENDER_OUTNUMBERED = const(17 * 8)
_D18_BOUT_IS_FULL = const(18 * 8)
_D19_FIRST_BOUT_IS_FULL = const(19 * 8)
_D19_NO_SIXTH = const(19 * 8 + 1)
_D20_NOT_THE_DEFENDER = const(20 * 8)
_D21_NOT_THE_DEFENDER = const(21 * 8)
_D21_NOTHING_TO_TAKE = const(21 * 8 + 1)
_D21_TAKEN_ALREADY = const(21 * 8 + 2)
_D24_DRAW_FIRST = const(24 * 8)
_D24_NOT_YOUR_DRAW = const(24 * 8 + 1)
_D24_NOTHING_TO_DRAW = const(24 * 8 + 2)
_D24_OTHERS_DRAW = const(24 * 8 + 3)
_D26_NO_TRANSFER = const(26 * 8)
_D26_NOT_THE_DEFENDER = const(26 * 8 + 1)
_D26_SOMETHING_IS_BEATEN = const(26 * 8 + 2)
_D26_OTHER_RANK = const(26 * 8 + 3)
_D26_NOTHING_TO_TRANSFER = const(26 * 8 + 4)
_D26_TAKEN_ALREADY = const(26 * 8 + 5)
_D27_TOO_MANY_CARDS = const(27 * 8)
_D27_NOBODY_TO_TRANSFER_TO = const(27 * 8 + 1)
_D28_NOT_IN_FIRST_BOUT = const(28 * 8)
_D29_TRUMP_BLOCKS = const(29 * 8)
_D30_NO_SHOWING = const(30 * 8)
_D30_NOT_A_TRUMP = const(30 * 8 + 1)
_D30_SHOWN_ALREADY = const(30 * 8 + 2)
_D31_LAST_CARD_BEATEN = const(31 * 8)
_D31_OTHER_RANK = const(31 * 8 + 1)
_D34_PARTNER = const(34 * 8)
_D43_NO_CHEATING = const(43 * 8)
_D43_NOT_NOW = const(43 * 8 + 1)
_D43_NO_TOKEN = const(43 * 8 + 2)
_D44_NO_CHEATING = const(44 * 8)
_D44_OWN_CARD = const(44 * 8 + 1)
_D44_NO_TOKEN = const(44 * 8 + 2)
_D44_NOT_ON_TABLE = const(44 * 8 + 3)
_D49_NO_REDEAL = const(49 * 8)
_D49_NOT_ONE_SUIT = const(49 * 8 + 1)
_D49_TOO_LATE = const(49 * 8 + 2)
_D50_NO_SWAP = const(50 * 8)
_D50_NOTHING_TURNED = const(50 * 8 + 1)
_D50_BETWEEN_BOUTS = const(50 * 8 + 2)
_D50_NOT_THE_LOWEST = const(50 * 8 + 3)

# --- places: the only arithmetic on place numbers ---------------------------------------------------------------------


def count_left(state: State) -> int:
    """How many cards can still be drawn, the turned one included."""
    return state.register[_LEFT]


def put(state: State, card: int, place: int) -> None:
    """Move a card by the arbiter's word (T10); a bout or a deal that ends with it is over (D11, D16, D23)."""
    move(state, card, place)
    register = state.register
    if register[_PHASE] == _DEAL:
        end_deal(state)
    if register[_PHASE] != _BOUT:
        return
    number_outs(state)
    if place >= _ATTACK:
        register[_SAID_DONE] = 0
    if not register[_TURN_TO_THROW]:
        return_the_throw(state)
    if register[_ATTACKS] and (is_bout_over(state) or register[_SAID_DONE] and has_everyone_done(state)):
        end_bout(state)


def move(state: State, card: int, place: int) -> None:
    """Move a card from any place to any other and count again (T1)."""
    old = state.where[card]
    if old >= _ATTACK:
        state.register[_LIES + old - _ATTACK] = _NOTHING
    state.where[card] = place
    if place >= _ATTACK:
        state.register[_LIES + place - _ATTACK] = card
    recount(state)


def recount(state: State) -> None:
    """Find the counts again that follow from the places."""
    register = state.register
    for at in range(_HELD, REGISTERS):
        register[at] = 0
    for seat in range(1, 8):
        register[_HELD + seat] = count_hand(state, seat)
    register[_LEFT] = max(0, count_stock(state)) + (state.where.find(_TURNED) >= 0)
    register[_ATTACKS] = attacks = register.find(_NOTHING, _LIES) - _LIES
    register[_UNBEATEN] = register.count(_EMPTY, _LIES_COVER, _LIES_COVER + attacks)
    for card in range(DECK):
        if state.where[card] >= _ATTACK:
            register[_RANKS + RANK[card]] += 1


def lay_attack(state: State, seat: int, card: int) -> None:
    """A card goes from the seat's hand to the next slot."""
    register = state.register
    attacks = register[_ATTACKS]
    register[_ATTACKS] = attacks + 1
    register[_UNBEATEN] += 1
    register[_HELD + seat] -= 1
    register[_RANKS + RANK[card]] += 1
    register[_LIES + attacks] = card
    state.where[card] = _ATTACK + attacks


def is_unbeaten(state: State, card: int) -> bool:
    """Whether the card is an attack card that nothing covers."""
    place = state.where[card]
    return _ATTACK <= place < _COVER and state.register[_LIES + place + (_COVER - _ATTACK - _ATTACK)] == _NOTHING


def is_on_table(where: bytearray, card: int) -> bool:
    """Whether the card lies in the bout."""
    return where[card] >= _ATTACK


# --- seats ------------------------------------------------------------------------------------------------------------


def is_dealing(state: State) -> bool:
    """T3: whether cards are still being dealt."""
    return state.register[_PHASE] == _DEAL


def is_in(state: State, seat: int) -> bool:
    """D39: a seat is out the moment the stock is gone and its hand is empty."""
    return (state.register[_HELD + seat] or state.register[_LEFT]) > 0


def are_partners(state: State, seat: int, other: int) -> bool:
    """D34: 2x2 and 3x3 alternate, in 2x2x2 partners sit opposite. A seat is its own partner."""
    teams = _TEAM_COUNT[state.register[_TEAMS_ARE]]
    return seat % teams == other % teams if teams else seat == other


def next_with_cards(state: State, seat: int) -> int:
    """D20, D21, D34: the next place clockwise whose player holds cards; the place itself if no other's does."""
    register = state.register
    seats = register[SEATS]
    for _ in range(seats):
        seat = seat % seats + 1
        if register[_HELD + player_of(state, seat)]:
            return seat
    return seat


def player_of(state: State, place: int) -> int:
    """D34: who plays that place: its seat, or with teams=...-both the next partner with cards, if the seat is out."""
    seat = place
    if state.register[_TEAMS_ARE] >= _BOTH_PLACES:
        for _ in range(state.register[SEATS]):
            if are_partners(state, seat, place) and is_in(state, seat):
                return seat
            seat = seat % state.register[SEATS] + 1
    return seat


def next_opponent(state: State, seat: int) -> int:
    """D12, D34, D36: the next place clockwise that is played, by no partner; the same place if there is none."""
    register = state.register
    seats = register[SEATS]
    is_stock_gone = not register[_LEFT]
    other = seat
    for _ in range(seats - 1):
        other = other % seats + 1
        if is_stock_gone and not register[_HELD + other] and not register[_HELD + player_of(state, other)]:
            continue
        if not register[_TEAMS_ARE] or not are_partners(state, seat, other):
            return other
    return seat


def next_attacker(state: State) -> int:
    """D20, D21, D37, D34: the place that attacks in the next bout, cards having been drawn."""
    defender = state.register[_SITS]
    seats = state.register[SEATS]
    seat = defender
    for _ in range(0 if state.register[_TAKEN] else seats):
        if are_partners(state, seat, defender) and state.register[_HELD + player_of(state, seat)]:
            return seat
        seat = seat % seats + 1
    return next_with_cards(state, defender)


def find_throwers(state: State) -> int:
    """D15, D34, D35: a bit for each seat that may throw in on this defender, fixed when it becomes the defender."""
    register = state.register
    attacker = register[_ATTACKER]
    defender = register[_DEFENDER]
    if register[PRESET] == _SIMPLE or register[_THROWERS_ARE] == 1:
        return 1 << attacker
    seats = register[SEATS]
    throwers = 0
    if not register[_THROWERS_ARE] and not register[_TEAMS_ARE]:
        return ((2 << seats) - 2) & ~(1 << defender)
    if register[_THROWERS_ARE] == 2:
        left = right = defender
        for _ in range(seats):
            left = left % seats + 1
            if is_in(state, left):
                break
        for _ in range(seats):
            right = (right - 2) % seats + 1
            if is_in(state, right):
                break
        throwers = 1 << left | 1 << right
    else:
        throwers = 254
    throwers |= 1 << attacker
    for seat in range(1, 8):
        if seat > seats or are_partners(state, seat, defender):
            throwers &= ~(1 << seat)
    return throwers


def may_still_throw(register: bytearray, seat: int) -> bool:
    """D16: may throw in, has cards, and has not said done since the last card was laid."""
    return (register[_THROWERS] & ~register[_SAID_DONE]) >> seat & 1 > 0 and register[_HELD + seat] > 0


def pass_the_throw(state: State, seat: int) -> None:
    """D16: the turn to throw in goes on from `seat`; the circle is the attacker, then clockwise behind the defender."""
    register = state.register
    if register[_THROW_FREELY]:
        return
    seats = register[SEATS]
    attacker = register[_ATTACKER]
    defender = register[_DEFENDER]
    for _ in range(seats):
        if seat == attacker:
            seat = defender
        seat = seat % seats + 1
        if seat == attacker:
            seat = seat % seats + 1
        if seat == defender:
            seat = attacker
        if may_still_throw(register, seat):
            register[_TURN_TO_THROW] = seat
            return
    register[_TURN_TO_THROW] = 0


def return_the_throw(state: State) -> None:
    """D16, D22: the turn to throw in is the attacker's, or that of the first thrower after it with cards."""
    register = state.register
    attacker = register[_ATTACKER]
    if register[_THROW_FREELY]:
        register[_TURN_TO_THROW] = 0
    elif may_still_throw(register, attacker):
        register[_TURN_TO_THROW] = attacker
    else:
        pass_the_throw(state, attacker)


# --- cards, deal: D1-D6 -----------------------------------------------------------------------------------------------


def setup(state: State, said: list) -> None:
    """D1, D3: the deck lies in the stock. `said` are the options that the header names (the default of D29)."""
    register = state.register
    lowest = lowest_rank(register)
    for card in range(DECK):
        rank = RANK[card]
        if lowest <= rank < JOKER or (rank == JOKER and register[_OPTION_DECK] == 2):
            state.where[card] = _STOCK
    if register[_SHOWN_TRUMP] and "trump_blocks_transfer" not in [option[0] for option in said]:
        register[_TRUMP_MAY_TRANSFER] = 1
    for place in range(_LIES, _OPENER):
        register[place] = _NOTHING
    register[_FIRST_BOUT] = 1
    for seat in range(1, register[SEATS] + 1):
        register[_TOKENS + seat - 1] = register[_CHEATING]
    begin_deal(state)
    if is_counted(state) and register[PRESET] == _JAPANESE_DIAMONDS:
        start_game(state)  # D11: nothing is turned


def begin_deal(state: State) -> None:
    """D3, T4: all cards lie in the stock, or with deal=counted have come into the hands."""
    register = state.register
    register[_PHASE] = _DEAL
    register[_TRUMP] = 2 if register[PRESET] == _JAPANESE_DIAMONDS else _NO_TRUMP
    register[_DEALERS_LAST] = _NO_CARD_YET
    for seat in range(1, register[SEATS] + 1):
        register[_UNSEEN + seat] = 0
        if is_counted(state):
            fill(state, seat, full_hand(register))
    recount(state)


def full_hand(register: bytearray) -> int:
    """D3, D24: to how many cards a hand is dealt and filled."""
    return _HAND_SIZES[register[_HAND_SIZE]]


def lowest_rank(register: bytearray) -> int:
    """D1: the lowest rank of the deck."""
    deck = register[_OPTION_DECK]
    return SIX if not deck else _NINE if deck == 3 else 0


def is_all_dealt(state: State) -> bool:
    """D3: whether every seat has its cards."""
    register = state.register
    for seat in range(1, register[SEATS] + 1):
        if register[_HELD + seat] < full_hand(register):
            return False
    return True


def judge_draw(state: State, seat: int, card: int) -> int:
    """T3, D3, D24, D25."""
    register = state.register
    where = state.where
    phase = register[_PHASE]
    if phase == _BOUT:
        return _D24_NOTHING_TO_DRAW
    if phase == _DRAWING:
        if seat != register[_DRAWER]:
            return refuse_undrawn(register, seat)
        if where[card] == _TURNED:
            return _D3_TURNED_CARD_LAST if where.find(_STOCK) >= 0 else OK
    elif register[_HELD + seat] >= full_hand(register):
        return T3_HAND_IS_FULL
    if where[card] == _STOCK:
        return OK
    return T2_HELD_ALREADY if where[card] == _HAND + seat else T2_NOT_IN_STOCK


def refuse_undrawn(register: bytearray, seat: int) -> int:
    """D24, T3: what is told to a seat while another draws: its turn to draw may come, or it has six cards."""
    return _D24_OTHERS_DRAW if register[_HELD + seat] >= full_hand(register) else _D24_NOT_YOUR_DRAW


def enact_draw(state: State, seat: int, card: int) -> None:
    """The card goes to the hand; the next seat is due, or the game goes on."""
    register = state.register
    state.where[card] = _HAND + seat
    register[_HELD + seat] += 1
    register[_LEFT] -= 1
    if register[_PHASE] == _DRAWING:
        if not pass_the_draw(state):
            end_drawing(state)
        return
    if seat == register[DEALER]:
        register[_DEALERS_LAST] = card
    end_deal(state)


def end_deal(state: State) -> None:
    """D11: where nothing is turned up the game begins once all is dealt."""
    if state.register[PRESET] == _JAPANESE_DIAMONDS and is_all_dealt(state):
        start_game(state)


def undo_draw(state: State, seat: int, card: int) -> None:
    """T3, T7: in the deal a draw is taken back."""
    state.where[card] = _STOCK
    recount(state)
    if seat == state.register[DEALER]:
        state.register[_DEALERS_LAST] = _NO_CARD_YET


def judge_turn(state: State, seat: int, card: int) -> int:
    """D3, D4, D11."""
    register = state.register
    if register[PRESET] == _JAPANESE_DIAMONDS:
        return _D11_NOTHING_IS_TURNED
    if register[_PHASE] != _DEAL:
        return _D3_NO_TURN_NOW
    if seat != register[DEALER]:
        return _D3_ONLY_THE_DEALER
    if not is_all_dealt(state):
        return T3_DEAL_FIRST
    if not count_stock(state):
        is_last = holds(state, seat, card) and (is_counted(state) or card == register[_DEALERS_LAST])
        return OK if is_last else _D4_NOT_THE_LAST_DEALT
    return OK if state.where[card] == _STOCK else T2_NOT_IN_STOCK


def enact_turn(state: State, seat: int, card: int) -> None:
    """D3, D4, D9, D10: its suit is trump, or there is none."""
    register = state.register
    suit = SUIT[card]
    if count_stock(state):
        state.where[card] = _TURNED
    else:
        reveal(state, seat, card)
    if suit < BLACK and not (suit == SPADES and register[PRESET] == _JAPANESE_SPADES):
        register[_TRUMP] = suit
    start_game(state)


def start_game(state: State) -> None:
    """D5, D6: who attacks first; where the table does not know the hands, the players say it (T4)."""
    first = state.register[FIRST]
    if not first and is_counted(state):
        state.register[_PHASE] = _ASKING
        return
    start_bout(state, first if first else find_first_attacker(state))


def judge_lead(state: State, seat: int) -> int:
    """T4, D5: only when it is asked; that it is the right seat is the players' to see to."""
    return OK if state.register[_PHASE] == _ASKING else T4_NOT_ASKED


def enact_lead(state: State, seat: int) -> None:
    """T4, D5: that seat attacks first."""
    start_bout(state, seat)


def find_first_attacker(state: State) -> int:
    """D5: the holder of the lowest trump, else of the lowest card; a tie goes clockwise from the dealer's left."""
    seats = state.register[SEATS]
    best = 99
    first = 0
    seat = state.register[DEALER]
    for _ in range(seats):
        seat = seat % seats + 1
        card = state.where.find(_HAND + seat)
        while card >= 0:
            worth = power(state, card) + (0 if SUIT[card] == state.register[_TRUMP] else 20)
            if worth < best:
                best = worth
                first = seat
            card = state.where.find(_HAND + seat, card + 1)
    return first


def judge_redeal(state: State, seat: int) -> int:
    """D49: a hand of one suit, before the first attack; T4: of a hand that nobody has seen the players are believed."""
    register = state.register
    if not register[_START] & 1:
        return _D49_NO_REDEAL
    if not register[_FIRST_BOUT] or register[_ATTACKS]:
        return _D49_TOO_LATE
    if not is_all_dealt(state):
        return T3_DEAL_FIRST
    first = state.where.find(_HAND + seat)
    card = first
    while card >= 0:
        if SUIT[card] != SUIT[first]:
            return _D49_NOT_ONE_SUIT
        card = state.where.find(_HAND + seat, card + 1)
    return OK


def enact_redeal(state: State) -> None:
    """D49: all cards go back, and the deal begins again."""
    where = state.where
    for card in range(DECK):
        if where[card]:
            where[card] = _STOCK
    begin_deal(state)


def judge_swap(state: State, seat: int, card: int) -> int:
    """D50: the lowest trump of the hand against the turned one, while nothing lies in a bout."""
    register = state.register
    if not register[_START] & 2:
        return _D50_NO_SWAP
    turned = state.where.find(_TURNED)
    if turned < 0 or SUIT[turned] != register[_TRUMP]:
        return _D50_NOTHING_TURNED
    if register[_ATTACKS]:
        return _D50_BETWEEN_BOUTS
    if SUIT[card] != register[_TRUMP] or RANK[card] != lowest_rank(register):
        return _D50_NOT_THE_LOWEST
    return OK if holds(state, seat, card) else T2_LIES_ELSEWHERE


# --- beating: D7-D11 --------------------------------------------------------------------------------------------------


def power(state: State, card: int) -> int:
    """The card's height in its suit; the queen is the highest in the Japanese game with spades (D10)."""
    rank = RANK[card]
    if rank == QUEEN and state.register[PRESET] == _JAPANESE_SPADES:
        return ACE + 1
    return rank if rank < JOKER else ACE + 2


def judge_fit(state: State, card: int, target: int) -> int:
    """D7-D11: whether the card beats the target, wherever both lie."""
    suit = SUIT[card]
    under = SUIT[target]
    if under >= BLACK:
        return _D8_NOTHING_BEATS_A_JOKER
    preset = state.register[PRESET]
    if suit == under:
        higher = RANK[card] > RANK[target]
        if preset == _JAPANESE_SPADES:
            higher = power(state, card) > power(state, target)
        if higher:
            return OK
    elif suit >= BLACK:
        return judge_joker(state, suit, under)
    if under == SPADES and (preset == _JAPANESE_SPADES or preset == _JAPANESE_DIAMONDS):
        if suit == SPADES:
            return _D7_LOWER_SPADE
        return _D10_ONLY_A_SPADE if preset == _JAPANESE_SPADES else _D11_ONLY_A_SPADE
    trump = state.register[_TRUMP]
    if suit == trump != under:
        return OK
    return _D7_WITHOUT_TRUMPS if trump == _NO_TRUMP else _D7_ONLY_A_TRUMP if under == trump else _D7_DOES_NOT_BEAT


def judge_joker(state: State, suit: int, under: int) -> int:
    """D8: a joker beats every card of the four suits, or with jokers=colour the two suits of its colour."""
    if not state.register[_JOKERS_BY_COLOUR]:
        return OK
    is_black = under == SPADES or under == 3
    return OK if is_black == (suit == BLACK) else _D8_NOT_ITS_COLOUR


# --- the bout: D12-D23 ------------------------------------------------------------------------------------------------


def start_bout(state: State, attacker: int) -> None:
    """D12: the attacker goes against the next seat of another team; D34: both may be places of partners who are out."""
    register = state.register
    register[_PHASE] = _BOUT
    register[_ATTACKER] = register[_OPENER] = player_of(state, attacker)
    register[_SITS] = next_opponent(state, attacker)
    register[_TAKEN] = 0
    register[_ACTED] = 0
    register[_SHOWN] = 0
    register[_PRESSED] = 0
    register[_LOGGED] = 0
    begin_defence(state)


def begin_defence(state: State) -> None:
    """A place has become the defender's (D34): no seat has said done, and the attacker may throw in first."""
    register = state.register
    register[_DEFENDER] = player_of(state, register[_SITS])
    register[_THROWERS] = find_throwers(state)
    register[_SAID_DONE] = 0
    return_the_throw(state)


def bout_limit(register: bytearray) -> int:
    """D18, D19: how many attack cards this bout takes now."""
    first = register[_FIRST_BOUT_OF_SIX]
    if register[_FIRST_BOUT] and first != 1 and register[PRESET] != _SIMPLE:
        return 6 if register[_TAKEN] and not first else 5
    late = register[_LATE_BY_HAND]
    return _SLOTS if late == 2 or late and not register[_LEFT] else 6


def judge_room(state: State, attacks: int) -> int:
    """D18, D19: whether one more attack card fits into the bout."""
    limit = bout_limit(state.register)
    if attacks < limit:
        return OK
    if limit != 5:
        return _D18_BOUT_IS_FULL
    return _D19_NO_SIXTH if state.register[_FIRST_BOUT_OF_SIX] else _D19_FIRST_BOUT_IS_FULL


def judge_opening(state: State, seat: int, card: int) -> int:
    """D12: the attacker's first card may be any."""
    if seat != state.register[_ATTACKER]:
        return _D12_ATTACKER_OPENS
    return OK if holds(state, seat, card) else T2_LIES_ELSEWHERE


def judge_attack(state: State, seat: int, card: int) -> int:
    """D12-D19, D22: opening and throwing in; the first broken rule."""
    register = state.register
    attacks = register[_ATTACKS]
    if not attacks:
        return judge_opening(state, seat, card)
    if seat == register[_DEFENDER]:
        return _D12_DEFENDER_BEATS
    is_simple = register[PRESET] == _SIMPLE
    if not register[_THROWERS] >> seat & 1:
        if is_simple:
            return _D13_NOBODY_THROWS_IN
        return _D34_PARTNER if are_partners(state, seat, register[_DEFENDER]) else _D15_NOT_A_THROWER
    if is_simple:
        if register[_ACTED]:
            return _D13_LEAD_IS_CLOSED
    elif seat != register[_TURN_TO_THROW] and not register[_THROW_FREELY]:
        return _D16_END_THE_BOUT if closes_bout(state, seat) else _D16_NOT_YOUR_TURN
    if state.where[card] != _HAND + seat and not holds(state, seat, card):
        return T2_LIES_ELSEWHERE
    if not register[_RANKS + RANK[card]] and not is_simple:
        return _D14_RANK_NOT_ON_TABLE
    verdict = judge_lead_card(register, card, attacks) if is_simple else OK
    if verdict:
        return verdict
    if attacks >= 5:  # D18, D19: below that no limit is reached
        verdict = judge_room(state, attacks)
        if verdict:
            return verdict
    if register[_UNBEATEN] >= register[_HELD + register[_DEFENDER]]:
        return _D17_DEFENDER_OUTNUMBERED
    return OK


def judge_lead_card(register: bytearray, card: int, attacks: int) -> int:
    """D12, simple: whether the card may join the lead: one rank, or in threes and fives a pair, and then one more."""
    lead = register[_LEAD_IS]
    if lead >= _IN_THREE:
        if attacks >= 2 * lead - 1:
            return _D12_LEAD_IS_FULL
        return _D12_PAIR_FIRST if attacks & 1 and RANK[card] != RANK[register[_LIES + attacks - 1]] else OK
    if not register[_RANKS + RANK[card]]:
        return _D12_LEAD_OF_ONE_RANK
    return _D12_LEAD_OF_TWO if attacks == 2 and not lead else OK


def enact_attack(state: State, seat: int, card: int) -> None:
    """An attack card lies in the next slot; every done is cleared (D16)."""
    if state.register[_CHEATING] or state.where[card] == _STOCK:
        note(state, card, seat, 0)
    lay_attack(state, seat, card)
    after_laying(state, seat)


def judge_beat(state: State, seat: int, card: int, target: int) -> int:
    """D7, D20, D21, D43."""
    register = state.register
    if seat != register[_DEFENDER]:
        return _D20_NOT_THE_DEFENDER
    if not is_unbeaten(state, target):
        return _D7_NO_SUCH_TARGET if register[_UNBEATEN] else _D7_ALL_IS_BEATEN
    if register[_TAKEN]:
        return _D21_TAKEN_ALREADY
    if state.where[card] != _HAND + seat and not holds(state, seat, card):
        return T2_LIES_ELSEWHERE
    return OK if register[_PRESSED] else judge_fit(state, card, target)


def enact_beat(state: State, seat: int, card: int, target: int) -> None:
    """The card covers its target; a cheat token that was spent on it is used up (D43)."""
    register = state.register
    where = state.where
    if register[_CHEATING] or where[card] == _STOCK:
        false = register[_PRESSED] and judge_fit(state, card, target)
        note(state, card, seat, _WAS_FALSE if false else 0)
    slot = where[target] - _ATTACK
    if register[_UNBEATEN] == register[_ATTACKS]:
        register[_FIRST_BEAT] = register[_ATTACKS]
    register[_UNBEATEN] -= 1
    register[_HELD + seat] -= 1
    register[_RANKS + RANK[card]] += 1
    register[_LIES_COVER + slot] = card
    where[card] = _COVER + slot
    register[_PRESSED] = 0
    register[_ACTED] = 1
    after_laying(state, seat)


def after_laying(state: State, layer: int) -> None:
    """D16: a laid card clears every done; if no seat could throw in, or its hand is empty, the attacker may again."""
    register = state.register
    if not register[_LEFT] and not register[_HELD + layer]:
        number_outs(state)
    register[_SAID_DONE] = 0
    seat = register[_TURN_TO_THROW]
    if not seat or not register[_HELD + seat]:
        return_the_throw(state)
    if is_bout_over(state):
        end_bout(state)


def judge_done(state: State, seat: int) -> int:
    """D12, D13, D16; with cheating the attacker's done ends what D23 would have ended (D44)."""
    register = state.register
    if register[_LIES] == _NOTHING:
        return _D12_YOU_OPEN if seat == register[_ATTACKER] else _D12_OPEN_FIRST
    if closes_bout(state, seat):
        return OK
    is_asked = register[_UNBEATEN] and not register[_TAKEN]
    if register[PRESET] == _SIMPLE:
        if not is_asked:
            return _D13_ATTACKER_ENDS_IT  # D44: all is beaten, and it may still be accused
        return _D13_DEFENDER_ANSWERS if seat == register[_DEFENDER] else _D13_NO_DONE
    if seat == register[_DEFENDER]:
        return _D16_DEFENDER_ANSWERS if is_asked else _D16_DEFENDER_WAITS
    if not register[_THROWERS] >> seat & 1:
        return _D16_NOT_A_THROWER
    if register[_SAID_DONE] >> seat & 1:
        return _D16_SAID_ALREADY
    if not register[_HELD + seat]:
        return _D16_NO_CARDS
    if seat != register[_TURN_TO_THROW] and not register[_THROW_FREELY]:
        return _D16_NOT_YOUR_TURN
    return OK


def enact_done(state: State, seat: int) -> None:
    """The turn to throw in goes on (D16), or the bout ends."""
    register = state.register
    closes = closes_bout(state, seat)
    register[_SAID_DONE] |= 1 << seat
    if closes:
        end_bout(state)
        return
    if register[_THROWERS] & ~register[_SAID_DONE]:
        pass_the_throw(state, seat)
    else:
        register[_TURN_TO_THROW] = 0
    if has_everyone_done(state):
        end_bout(state)


def judge_take(state: State, seat: int) -> int:
    """D21: the defender, from the first attack card on, once."""
    register = state.register
    if seat != register[_DEFENDER]:
        return _D21_NOT_THE_DEFENDER
    if state.register[_LIES] == _NOTHING:
        return _D21_NOTHING_TO_TAKE
    return _D21_TAKEN_ALREADY if register[_TAKEN] else OK


def enact_take(state: State) -> None:
    """D21, D22: the attacker may throw in again; in simple the bout is over."""
    register = state.register
    register[_TAKEN] = 1
    register[_ACTED] = 1
    register[_PRESSED] = 0
    register[_SAID_DONE] = 0
    return_the_throw(state)
    if is_bout_over(state):
        end_bout(state)


def has_everyone_done(state: State) -> bool:
    """D16: every thrower has said done or has no card left, and nothing is left to beat."""
    register = state.register
    if register[_UNBEATEN] and not register[_TAKEN]:
        return False
    left = register[_THROWERS] & ~register[_SAID_DONE]
    if not left:
        return True
    for seat in range(1, 7):
        if left >> seat & 1 and register[_HELD + seat]:
            return False
    return True


def is_full(state: State) -> bool:
    """D23: no seat can add a card, for a reason that all can see."""
    register = state.register
    attacks = register[_ATTACKS]
    if register[PRESET] == _SIMPLE or (attacks >= 5 and attacks >= bout_limit(register)):
        return True
    if register[_UNBEATEN] >= register[_HELD + register[_DEFENDER]]:
        return True
    throwers = register[_THROWERS]
    if throwers >> register[_ATTACKER] & 1 and register[_HELD + register[_ATTACKER]]:
        return False
    for seat in range(1, 7):
        if throwers >> seat & 1 and register[_HELD + seat]:
            return False
    return True


def is_beaten_and_full(state: State) -> bool:
    """D23, D44: everything is beaten and no seat can add a card."""
    return not state.register[_TAKEN] and not state.register[_UNBEATEN] and is_full(state)


def closes_bout(state: State, seat: int) -> bool:
    """D44: whether this seat's done ends a bout that the table would have ended without cheating (D23)."""
    register = state.register
    return register[_CHEATING] > 0 and seat == register[_ATTACKER] and is_beaten_and_full(state)


def is_bout_over(state: State) -> bool:
    """D23: whether the table ends the bout by itself. With cheating it does so only after take (D44)."""
    register = state.register
    if not register[_TAKEN] and (register[_UNBEATEN] or register[_CHEATING]):
        return False
    return is_full(state)


def end_bout(state: State) -> None:
    """D20, D21: the cards go to the discard or to the defender's hand; then hands are filled (D24)."""
    register = state.register
    where = state.where
    register[_SIXES] = count_sixes(state) if register[_TAKEN] else 0
    place = _HAND + register[_DEFENDER] if register[_TAKEN] else _DISCARD
    attacks = register[_ATTACKS]
    for slot in range(_LIES, _LIES + attacks):
        card = register[slot]
        where[card] = place
        register[slot] = _NOTHING
        register[_RANKS + RANK[card]] = 0
        card = register[slot + (_COVER - _ATTACK)]
        if card != _NOTHING:
            where[card] = place
            register[slot + (_COVER - _ATTACK)] = _NOTHING
            register[_RANKS + RANK[card]] = 0
    if register[_TAKEN]:
        register[_HELD + register[_DEFENDER]] += attacks + attacks - register[_UNBEATEN]
    register[_ATTACKS] = register[_UNBEATEN] = 0
    number_outs(state)
    register[_FIRST_BOUT] = 0
    register[_TURN_TO_THROW] = 0
    register[_SAID_DONE] = 0
    register[_PRESSED] = 0
    register[_LOGGED] = 0
    if start_drawing(state) and not is_counted(state):
        register[_PHASE] = _DRAWING
        return
    while register[_DRAWER]:
        draw_counted(state)
    end_drawing(state)


# --- drawing: D24, D25 ------------------------------------------------------------------------------------------------


def drawer_at(state: State, index: int) -> int:
    """The seat that comes at `index` (from 0) in the order of drawing: D24."""
    register = state.register
    seats = register[SEATS]
    first = register[_ATTACKER]
    defender = register[_DEFENDER]
    order = register[_DRAW_ORDER]
    if order == _CLOCKWISE:
        return (first - 1 + index) % seats + 1
    if order == _OPENER_FIRST:
        first = register[_OPENER]
    elif order == _DEFENDER_FIRST:
        index -= 1
    if index == (-1 if order == _DEFENDER_FIRST else seats - 1):
        return defender
    if index >= (defender - first) % seats:
        index += 1
    return (first - 1 + index) % seats + 1


def start_drawing(state: State) -> bool:
    """Whether any seat has to draw; set which is first, and whether the stock is shared out (D25)."""
    register = state.register
    register[_DRAWER] = 0
    register[_EQUAL] = 0
    if register[_SHORT_STOCK_EQUAL]:
        missing = 0
        for seat in range(1, register[SEATS] + 1):
            missing += max(0, full_hand(register) - register[_HELD + seat])
        register[_EQUAL] = 1 if register[_LEFT] < missing else 0
    return pass_the_draw(state)


def pass_the_draw(state: State) -> bool:
    """D24, D25: the next seat draws; False if the drawing is over."""
    register = state.register
    drawer = register[_DRAWER]
    if not register[_LEFT]:
        register[_DRAWER] = 0
        return False
    if drawer and not register[_EQUAL] and register[_HELD + drawer] < full_hand(register):
        return True
    register[_DRAWER] = 0
    seats = register[SEATS]
    start = 0
    if drawer:
        while drawer_at(state, start) != drawer:
            start += 1
        start += 1
    for step in range(seats):
        seat = drawer_at(state, (start + step) % seats)
        if register[_HELD + seat] < full_hand(register):
            register[_DRAWER] = seat
            return True
    return False


def draw_counted(state: State) -> None:
    """T4, D3: the seat that is due gets the next card, the turned one last of all."""
    register = state.register
    drawer = register[_DRAWER]
    if not fill(state, drawer, 1):
        state.where[state.where.find(_TURNED)] = _HAND + drawer
    register[_HELD + drawer] += 1
    register[_LEFT] -= 1
    pass_the_draw(state)


def end_drawing(state: State) -> None:
    """D38-D42: the game ends, or hands go round and the next bout begins."""
    register = state.register
    register[_DRAWER] = 0
    if not register[_LEFT]:
        number_outs(state)
        end_game_or_not(state)
        if register[OUTCOME]:
            return
    if register[_ROUND]:
        pass_hands_on(state)
    start_bout(state, next_attacker(state))


def end_game_or_not(state: State) -> None:
    """D38-D40: with the stock gone, whether one seat or team is left, or none."""
    register = state.register
    seats = register[SEATS]
    holders = 0
    last = 0
    teams_left = 0
    for index in range(seats):
        seat = drawer_at(state, index)
        if register[_HELD + seat]:
            holders += 1
            if last == 0 or not are_partners(state, last, seat):
                teams_left += 1
            last = seat
    if holders == 0 and register[_NO_DRAWS]:
        register[_FOOL] = register[_DEFENDER]  # D40: who defended last
        register[OUTCOME] = _LOST_BY_TEAM if register[_TEAMS_ARE] else _LOST_BY_ONE
    elif holders == 0:
        register[OUTCOME] = _NOBODY_LOST  # D40, D38
    elif teams_left == 1:
        register[_FOOL] = find_fool(state, last)
        register[OUTCOME] = _LOST_BY_TEAM if register[_TEAMS_ARE] else _LOST_BY_ONE


def number_outs(state: State) -> None:
    """D39, D6: give each seat that is out its number in the order of going out; a seat with a card again has none.

    Of seats that one event makes out the attacker comes first, then clockwise, the defender last.
    """
    register = state.register
    if register[_LEFT]:
        return
    seats = register[SEATS]
    outs = 0
    for seat in range(1, seats + 1):
        if register[_HELD + seat]:
            register[_OUT_AT + seat - 1] = 0
        elif register[_OUT_AT + seat - 1] > outs:
            outs = register[_OUT_AT + seat - 1]
    seat = register[_ATTACKER]
    for index in range(seats + 1):
        is_due = seat != register[_DEFENDER] or index == seats
        if is_due and not register[_OUT_AT + seat - 1] and not register[_HELD + seat]:
            outs = min(outs + 1, 255)
            register[_OUT_AT + seat - 1] = outs
        seat = register[_DEFENDER] if index == seats - 1 else seat % seats + 1


def first_out(state: State) -> int:
    """D6: of the seats that are out the one that went out first; 0 if none is."""
    register = state.register
    first = 0
    for seat in range(1, register[SEATS] + 1):
        at = register[_OUT_AT + seat - 1]
        if at and (not first or at < register[_OUT_AT + first - 1]):
            first = seat
    return first


def find_fool(state: State, last: int) -> int:
    """D39; D6: of a team that lost, the seat that defended in the last bout, else the one that attacked."""
    defender = state.register[_DEFENDER]
    if are_partners(state, defender, last):
        return defender
    attacker = state.register[_ATTACKER]
    return attacker if are_partners(state, attacker, last) else last


def count_sixes(state: State) -> int:
    """D41: how many sixes lie among this bout's attack cards; 0 if they have to be all of them, and are not."""
    register = state.register
    attacks = register[_ATTACKS]
    sixes = 0
    for slot in range(_LIES, _LIES + attacks):
        if RANK[register[slot]] == SIX:
            sixes += 1
    return sixes if sixes == attacks or register[_EPAULETTES] == 2 else 0


def pass_hands_on(state: State) -> None:
    """D42: each seat with cards hands them to the next such seat; roles stay with the seats."""
    register = state.register
    seats = register[SEATS]
    where = state.where
    receiver = _RECEIVER
    unseen = _UNSEEN_THERE
    for seat in range(8):
        unseen[seat] = 0
    for seat in range(1, seats + 1):
        if count_hand(state, seat):
            receiver[seat] = next_with_cards(state, seat)
            unseen[receiver[seat]] = register[_UNSEEN + seat]
    for card in range(DECK):
        seat = where[card] - _HAND
        if 0 < seat <= seats:
            where[card] = _HAND + receiver[seat]
    for seat in range(8):
        register[_UNSEEN + seat] = unseen[seat]
    recount(state)


# --- transfer: D26-D33 ------------------------------------------------------------------------------------------------


def judge_transfer(state: State, seat: int, card: int, is_shown: bool) -> int:
    """D26-D31, D36; `is_shown`: a trump is only shown (D30)."""
    register = state.register
    if not register[_TRANSFER_ALLOWED]:
        return _D26_NO_TRANSFER
    if seat != register[_DEFENDER]:
        return _D26_NOT_THE_DEFENDER
    attacks = register[_ATTACKS]
    if not attacks:
        return _D26_NOTHING_TO_TRANSFER
    if register[_TAKEN]:
        return _D26_TAKEN_ALREADY
    if is_first_bout_closed(register):
        return _D28_NOT_IN_FIRST_BOUT
    if state.where[card] != _HAND + seat and not holds(state, seat, card):
        return T2_LIES_ELSEWHERE
    # A cheat token waives the rank alone, and does not help showing (D43).
    verdict = judge_transfer_rank(state, card, attacks, 0 if is_shown else register[_PRESSED])
    if verdict:
        return verdict
    if not register[_TRUMP_MAY_TRANSFER] and is_trump_on_table(state):
        return _D29_TRUMP_BLOCKS
    if not is_shown:
        verdict = judge_room(state, attacks)
        if verdict:
            return verdict
    receiver = player_of(state, next_opponent(state, register[_SITS]))
    if receiver == seat:
        return _D27_NOBODY_TO_TRANSFER_TO
    if register[_UNBEATEN] + (0 if is_shown else 1) > register[_HELD + receiver]:
        return _D27_TOO_MANY_CARDS
    return OK


def is_first_bout_closed(register: bytearray) -> bool:
    """D28: whether this is a first bout in which nothing is transferred."""
    when = register[_FIRST_TRANSFER]
    return register[_FIRST_BOUT] > 0 and (when == 0 or (when == 1 and register[MATCH_GAME] == 1))


def judge_transfer_rank(state: State, card: int, attacks: int, waives_rank: int) -> int:
    """D26, D31: the rank that transfers now; `waives_rank`: 1 if any rank does."""
    register = state.register
    slot = 0
    if register[_UNBEATEN] < register[_ATTACKS]:
        if not register[_LATE_TRANSFER]:
            return _D26_SOMETHING_IS_BEATEN
        slot = attacks - 1
        if attacks <= register[_FIRST_BEAT] or register[_LIES_COVER + slot] != _NOTHING:
            return _D31_LAST_CARD_BEATEN
    if waives_rank or RANK[card] == RANK[register[_LIES + slot]]:
        return OK
    return _D31_OTHER_RANK if slot else _D26_OTHER_RANK


def is_trump_on_table(state: State) -> bool:
    """D29: attacking or beating; a shown trump does not lie on the table."""
    trump = state.register[_TRUMP]
    if trump < BLACK:
        for card in range(trump * 13, trump * 13 + 13):
            if state.where[card] >= _ATTACK:
                return True
    return False


def enact_transfer(state: State, seat: int, card: int) -> None:
    """D26: the card joins the attack, the defender attacks, the next seat defends."""
    register = state.register
    false = register[_PRESSED] and is_false_transfer(state, card)
    note(state, card, seat, _WAS_TRANSFER | (_WAS_FALSE if false else 0))
    lay_attack(state, seat, card)
    number_outs(state)
    hand_over(state, seat)


def is_false_transfer(state: State, card: int) -> bool:
    """D44: whether the transfer would have been refused without the cheat token."""
    return judge_transfer_rank(state, card, state.register[_ATTACKS], 0) != OK


def hand_over(state: State, seat: int) -> None:
    """Roles after a transfer: D26, D32; a transfer closes the lead in simple (D13)."""
    register = state.register
    register[_ATTACKER] = seat
    register[_SITS] = next_opponent(state, register[_SITS])
    register[_PRESSED] = 0
    register[_ACTED] = 1
    begin_defence(state)


def judge_show(state: State, seat: int, card: int) -> int:
    """D30: a trump that may be laid as a transfer may be shown instead, once a bout for each seat."""
    register = state.register
    if not register[_SHOWN_TRUMP]:
        return _D30_NO_SHOWING
    verdict = judge_transfer(state, seat, card, True)
    if verdict:
        return verdict
    if SUIT[card] != register[_TRUMP]:
        return _D30_NOT_A_TRUMP
    return _D30_SHOWN_ALREADY if register[_SHOWN] >> seat & 1 else OK


def enact_show(state: State, seat: int, card: int) -> None:
    """D30: the trump stays in the hand."""
    note(state, card, seat, _WAS_TRANSFER | _WAS_SHOWN)
    state.register[_SHOWN] |= 1 << seat
    hand_over(state, seat)


# --- cheating: D43, D44 -----------------------------------------------------------------------------------------------


def judge_cheat(state: State, seat: int) -> int:
    """D43: the defender, with an unbeaten card on the table, before take, not twice."""
    register = state.register
    if not register[_CHEATING]:
        return _D43_NO_CHEATING
    if seat != register[_DEFENDER] or register[_TAKEN] or register[_PRESSED] or not register[_UNBEATEN]:
        return _D43_NOT_NOW
    return OK if register[_TOKENS + seat - 1] else _D43_NO_TOKEN


def enact_cheat(state: State, seat: int) -> None:
    """D43: the cheat token is spent on the press."""
    state.register[_TOKENS + seat - 1] -= 1
    state.register[_PRESSED] = 1


def note(state: State, card: int, seat: int, was: int) -> None:
    """The card that is laid or shown is known from now on (T4); with cheating it is remembered who laid it as what, so
    that an accusation can be judged and a transfer undone (D44)."""
    register = state.register
    if state.where[card] == _STOCK:
        reveal(state, seat, card)
    if not register[_CHEATING]:
        return
    assert register[_LOGGED] < _LOG_ROWS
    at = _LOG + _ROW * register[_LOGGED]
    register[at] = card
    register[at + 1] = seat
    register[at + 2] = was | (_HAD_ACTED if register[_ACTED] else 0)
    register[at + 3] = register[_ATTACKER]
    register[at + 4] = register[_THROWERS]
    register[_LOGGED] += 1


def find_logged(state: State, card: int) -> int:
    """Where the log has the card as laid (not as shown); -1 if it does not: the arbiter put it there (T10)."""
    register = state.register
    for row in range(register[_LOGGED] - 1, -1, -1):
        at = _LOG + _ROW * row
        if register[at] == card and not register[at + 2] & _WAS_SHOWN:
            return at
    return -1


def judge_catch(state: State, seat: int, card: int) -> int:
    """D44: whether the seat may accuse that card."""
    register = state.register
    if not register[_CHEATING]:
        return _D44_NO_CHEATING
    if not is_on_table(state.where, card):
        return _D44_NOT_ON_TABLE
    at = find_logged(state, card)
    if at >= 0 and register[at + 1] == seat:
        return _D44_OWN_CARD
    return OK if register[_TOKENS + seat - 1] else _D44_NO_TOKEN


def enact_catch(state: State, seat: int, card: int) -> None:
    """D44: right: the card goes back, its transfer is undone; wrong: the accuser loses a cheat token."""
    register = state.register
    at = find_logged(state, card)
    if at < 0 or not register[at + 2] & _WAS_FALSE:
        register[_TOKENS + seat - 1] -= 1
        return
    if register[at + 2] & _WAS_TRANSFER:
        undo_transfer(state, at)
    else:
        move(state, card, _HAND + register[at + 1])
        last = _LOG + _ROW * register[_LOGGED]
        for index in range(at, last - _ROW):
            register[index] = register[index + _ROW]
        register[_LOGGED] -= 1
    number_outs(state)
    register[_SAID_DONE] = 0
    return_the_throw(state)
    if is_bout_over(state):
        end_bout(state)  # D23: after take, a card that went back to a former defender may leave no room


def undo_transfer(state: State, at: int) -> None:
    """D44: the table goes back to just before the transfer that the log has at `at`; spent tokens stay spent, and a
    card that was rightly caught since stays in the hand that it went to: the log no longer has it."""
    register = state.register
    end = _LOG + _ROW * register[_LOGGED]
    for row in range(at, end, _ROW):
        seat = register[row + 1]
        if register[row + 2] & _WAS_SHOWN:
            register[_SHOWN] &= ~(1 << seat)
        elif is_on_table(state.where, register[row]):  # the arbiter may have put it elsewhere (T10)
            move(state, register[row], _HAND + seat)
    register[_ATTACKER] = register[at + 3]
    register[_DEFENDER] = register[_SITS] = register[at + 1]
    register[_THROWERS] = register[at + 4]
    register[_LOGGED] = (at - _LOG) // _ROW
    register[_TAKEN] = 0
    register[_PRESSED] = 0
    register[_ACTED] = 1 if register[at + 2] & _HAD_ACTED else 0  # D13: also by a card that was caught since


# --- the game's interface ---------------------------------------------------------------------------------------------


def judge(state: State, event) -> int:
    """0, or the first broken rule; the session has seen to it that the seat plays and the card is of this deck."""
    verb = event.verb
    seat = event.seat
    if verb == DRAW:
        return judge_draw(state, seat, event.card)
    if verb == _TO_TURN:
        return judge_turn(state, seat, event.card)
    phase = state.register[_PHASE]
    if phase == _DRAWING:
        return _D24_DRAW_FIRST if seat == state.register[_DRAWER] else refuse_undrawn(state.register, seat)
    if phase == _ASKING:
        return _D5_WHO_LEADS
    if verb == _TO_REDEAL:
        return judge_redeal(state, seat)
    if phase == _DEAL:
        undealt = not is_all_dealt(state)
        is_dealer = seat == state.register[DEALER]
        return T3_DEAL_FIRST if undealt else _D3_TURN_FIRST if is_dealer else _D3_WAIT_FOR_THE_TRUMP
    if verb == _TO_ATTACK:
        return judge_attack(state, seat, event.card)
    if verb == _TO_BEAT:
        return judge_beat(state, seat, event.card, event.target)
    if verb == _TO_SAY_DONE:
        return judge_done(state, seat)
    if verb == _TO_TAKE:
        return judge_take(state, seat)
    if verb == _TO_TRANSFER:
        return judge_transfer(state, seat, event.card, False)
    if verb == _TO_SHOW:
        return judge_show(state, seat, event.card)
    if verb == _TO_CHEAT:
        return judge_cheat(state, seat)
    return judge_swap(state, seat, event.card) if verb == _TO_SWAP else judge_catch(state, seat, event.card)


def enact(state: State, event) -> None:
    """Let happen what `judge` accepted."""
    verb = event.verb
    seat = event.seat
    if verb == DRAW:
        enact_draw(state, seat, event.card)
    elif verb == _TO_ATTACK:
        enact_attack(state, seat, event.card)
    elif verb == _TO_BEAT:
        enact_beat(state, seat, event.card, event.target)
    elif verb == _TO_SAY_DONE:
        enact_done(state, seat)
    elif verb == _TO_TAKE:
        enact_take(state)
    elif verb == _TO_TURN:
        enact_turn(state, seat, event.card)
    elif verb == _TO_TRANSFER:
        enact_transfer(state, seat, event.card)
    elif verb == _TO_SHOW:
        enact_show(state, seat, event.card)
    elif verb == _TO_CHEAT:
        enact_cheat(state, seat)
    elif verb == _TO_REDEAL:
        enact_redeal(state)
    elif verb == _TO_SWAP:
        reveal(state, seat, event.card)
        state.where[state.where.find(_TURNED)] = _HAND + seat
        state.where[event.card] = _TURNED
    else:
        enact_catch(state, seat, event.card)


def meanings(state: State, seat: int, card: int, out: list) -> None:
    """Append to `out`, packed, the nearest first, what a tap of that card by that seat can mean now, legal or not.

    With cheating it depends on the tap alone, never on fit or cheat token, and the order on the table alone (D43).
    """
    register = state.register
    if register[_PHASE] == _DEAL:
        turns = register[PRESET] != _JAPANESE_DIAMONDS and seat == register[DEALER] and is_all_dealt(state)
        turns = turns or is_counted(state)
        out.append((_TO_TURN if turns else DRAW) << 16 | card << 8)
        return
    if register[_PHASE] == _DRAWING:
        out.append(DRAW << 16 | card << 8)
        return
    if seat != register[_DEFENDER] or register[_LIES] == _NOTHING:
        out.append(_TO_ATTACK << 16 | card << 8)
        return
    if not register[_UNBEATEN]:
        out.append(_TO_BEAT << 16 | card << 8 | register[_LIES])  # nor does anything transfer: refused, and said why
        return
    for slot in range(_LIES, _LIES + register[_ATTACKS]):
        if register[slot + (_COVER - _ATTACK)] == _NOTHING:
            out.append(_TO_BEAT << 16 | card << 8 | register[slot])
    if register[_TRANSFER_ALLOWED] and not register[_TAKEN]:
        out.append(_TO_TRANSFER << 16 | card << 8)
        if register[_SHOWN_TRUMP] and SUIT[card] == register[_TRUMP]:
            out.append(_TO_SHOW << 16 | card << 8)
    if not register[_CHEATING] and len(out) > 1 and not put_nearest_first(state, out, nearness):
        put_nearest_first(state, out, openness)


def nearness(state: State, packed: int) -> int:
    """How near a defender's card is to that meaning: the rank that transfers, the suit that it answers, or neither;
    then a card that most others would beat."""
    card = packed >> 8 & 255
    if packed >> 16 != _TO_BEAT:
        return SAME_RANK if is_meant_as_transfer(state, card) else CLOSED
    under = SUIT[packed & 255]
    if under >= BLACK:
        return CLOSED
    if under == SUIT[card]:
        return SAME_SUIT
    preset = state.register[PRESET]
    trump = state.register[_TRUMP]
    is_spade = under == SPADES and (preset == _JAPANESE_SPADES or preset == _JAPANESE_DIAMONDS)
    return CLOSED if is_spade or under == trump or trump == _NO_TRUMP else ASKED


def openness(state: State, packed: int) -> int:
    """Where none of them is near: whether few cards or none could do it. That none beats a joker is an answer (D8)."""
    if packed >> 16 != _TO_BEAT:
        return ASKED if is_transfer_open(state) else CLOSED
    target = packed & 255
    return ASKED if SUIT[target] >= BLACK or is_beatable(state, target) else CLOSED


def is_beatable(state: State, target: int) -> bool:
    """D7-D11: of a card that only higher ones of its suit and jokers beat: whether one of them is in play, not on the
    table, and not the trump that all see under the stock."""
    where = state.where
    rank = RANK[target]
    suit_begins = target - rank
    if state.register[PRESET] == _JAPANESE_SPADES:  # D10: its queen is the highest
        if rank == QUEEN:
            rank = ACE
        elif 0 < where[suit_begins + QUEEN] < _ATTACK and where[suit_begins + QUEEN] != _TURNED:
            return True
    for card in range(suit_begins + rank + 1, suit_begins + ACE + 1):
        if 0 < where[card] < _ATTACK and where[card] != _TURNED:
            return True
    for joker in range(XB, CARDS):
        if 0 < where[joker] < _ATTACK and not judge_fit(state, joker, target):
            return True
    return False


def is_meant_as_transfer(state: State, card: int) -> bool:
    """D26, D31: whether the card has the rank that transfers now and beats nothing, so a refusal is of a transfer."""
    register = state.register
    attacks = register[_ATTACKS]
    slot = _LIES
    if register[_UNBEATEN] < register[_ATTACKS]:
        slot += attacks - 1  # D31; before that option, and on a beaten card, it can only be meant to beat
        if not register[_LATE_TRANSFER] or register[slot + (_COVER - _ATTACK)] != _NOTHING:
            return False
        if attacks <= register[_FIRST_BEAT]:
            return False
    if RANK[card] != RANK[register[slot]]:
        return False
    for slot in range(_LIES, _LIES + attacks):
        if register[slot + (_COVER - _ATTACK)] == _NOTHING and not judge_fit(state, card, register[slot]):
            return False
    return True


def button(state: State, seat: int, key: int) -> int:
    """The verb that a button says now: OK (0) done, or that one leads (T4); NO (1) take; CALL (2) cheat or accuse."""
    if state.register[_PHASE] == _ASKING and key == OK_KEY:
        return LEAD
    if key < CALL_KEY:
        return _TO_SAY_DONE if key == OK_KEY else _TO_TAKE
    accuses = state.register[_CHEATING] and seat != state.register[_DEFENDER]
    return _TO_CATCH if accuses else _TO_CHEAT


def move_on(state: State, seat: int) -> int:
    """T8: the defender takes, a thrower is done; for the opening attacker there is no such verb."""
    if state.register[_PHASE] != _BOUT or state.register[_LIES] == _NOTHING:
        return 0
    return _TO_SAY_DONE if seat != state.register[_DEFENDER] else 0 if state.register[_TAKEN] else _TO_TAKE


def shows(state: State, verb: int) -> int:
    """What everybody may see of an event: 2 all of it, 1 not its card (D47), 0 nothing at all (D43, T11)."""
    if verb == DRAW:
        return SHOWS_VERB
    return SHOWS_NOTHING if verb == _TO_CHEAT and state.register[_CHEATING] else SHOWS_ALL


def count_to_draw(state: State, seat: int) -> int:
    """T3, D3: how many of its six cards the seat still taps in the deal."""
    return full_hand(state.register) - state.register[_HELD + seat]


def has_verb(state: State, verb: int) -> bool:
    """Whether the options leave that verb anything to say: nobody cheats, transfers or shows where that is off, and a
    bout of `simple` ends without `done` (D13), but for cheating (D44)."""
    register = state.register
    if verb == _TO_SAY_DONE:
        return register[PRESET] != _SIMPLE or register[_CHEATING] > 0
    if verb == _TO_CHEAT or verb == _TO_CATCH:
        return register[_CHEATING] > 0
    if verb == _TO_TRANSFER:
        return register[_TRANSFER_ALLOWED] > 0
    if verb == _TO_SHOW:
        return register[_SHOWN_TRUMP] > 0
    if verb >= _TO_REDEAL:
        return register[_START] >> verb - _TO_REDEAL & 1 > 0
    return verb != _TO_TURN or register[PRESET] != _JAPANESE_DIAMONDS


def undoes(state: State, verb: int) -> int:
    """T7, D43: 2 for an event that all must not see: it leaves no trace in what an undo takes back. D49: 0 for a new
    deal, before which hands were seen. Else 1."""
    return LEAVES_UNDO if verb == _TO_CHEAT else ENDS_UNDO if verb == _TO_REDEAL else CAN_UNDO


def offers_blindly(state: State) -> bool:
    """D43: with cheating, what a tap offers must not depend on whether the card fits."""
    return state.register[_CHEATING] > 0


# What the table can wait for; its words have the key P and this number.
WAIT_DEAL = const(1)
WAIT_TURN = const(2)
WAIT_DRAW = const(3)
WAIT_OPEN = const(4)
WAIT_BEAT = const(5)
WAIT_THROW = const(6)
WAIT_THROW_MORE = const(7)
WAIT_OVER = const(8)
WAIT_CLOSE = const(9)
WAIT_HANDS_THEN_OPEN = const(10)
WAIT_LEAD = const(11)
WAIT_BEAT_OR_TRANSFER = const(12)
WAIT_BEAT_TRANSFER_OR_SHOW = const(13)
WAIT_ADD = const(14)  # D13: to a lead that nobody has answered
WAIT_ADD_ANY = const(15)  # D12: the same, behind a pair

# What buttons do beside that; its words have the key K and this number.
KEYS_CHEAT_OR_ACCUSE = const(1)


def more_keys(state: State) -> int:
    """D43, D44: what CALL does while cards lie on the table."""
    register = state.register
    is_on = register[_CHEATING] and register[_PHASE] == _BOUT and register[_ATTACKS] and not register[OUTCOME]
    return KEYS_CHEAT_OR_ACCUSE if is_on else 0


def waiting(state: State, out: bytearray) -> None:
    """out[seat] = what the table waits for from that seat, or 0; out[0] = what the screen says. Public facts alone."""
    register = state.register
    phase = register[_PHASE]
    out[:] = _NOBODY
    if register[OUTCOME]:
        out[0] = WAIT_OVER
    elif phase == _BOUT and register[_ATTACKS]:
        wait_in_bout(state, out)
    elif phase == _BOUT:
        passed = register[_ROUND] and not register[_FIRST_BOUT]
        out[0] = out[register[_ATTACKER]] = WAIT_HANDS_THEN_OPEN if passed else WAIT_OPEN  # D42
    elif phase == _DRAWING:
        out[0] = out[register[_DRAWER]] = WAIT_DRAW
    elif phase == _DEAL:
        for seat in range(1, register[SEATS] + 1):
            if register[_HELD + seat] < full_hand(register):
                out[0] = out[seat] = WAIT_DEAL
        if not out[0]:
            out[0] = out[register[DEALER]] = WAIT_TURN
    else:
        for seat in range(register[SEATS] + 1):
            out[seat] = WAIT_LEAD


def lead_limit(register: bytearray) -> int:
    """D12, simple: how many cards a lead has at most, one rank alone aside."""
    lead = register[_LEAD_IS]
    return 2 if not lead else _SLOTS if lead == 1 else 2 * lead - 1


def wait_in_bout(state: State, out: bytearray) -> None:
    """D12-D23: who acts or throws in. No seat is asked to throw in if all can see that no card fits (D23)."""
    register = state.register
    if register[_CHEATING] and is_beaten_and_full(state):
        out[0] = out[register[_ATTACKER]] = WAIT_CLOSE  # D44
        return
    throw = WAIT_THROW_MORE if register[_TAKEN] else WAIT_THROW
    out[0] = throw
    attacks = register[_ATTACKS]
    unbeaten = register[_UNBEATEN]
    if register[PRESET] == _SIMPLE:
        throw = WAIT_ADD_ANY if register[_LEAD_IS] >= _IN_THREE and not attacks & 1 else WAIT_ADD
        room = not register[_ACTED] and attacks < lead_limit(register)
    else:
        room = attacks < 5 or attacks < bout_limit(register)
    if room and unbeaten < register[_HELD + register[_DEFENDER]]:
        if register[_THROW_FREELY]:
            for seat in range(1, register[SEATS] + 1):
                if may_still_throw(register, seat):
                    out[seat] = throw
        elif register[_TURN_TO_THROW]:
            out[register[_TURN_TO_THROW]] = throw
    if unbeaten and not register[_TAKEN]:
        wait = WAIT_BEAT
        if register[_TRANSFER_ALLOWED] and is_transfer_open(state):
            shows_trump = register[_SHOWN_TRUMP] and not register[_SHOWN] >> register[_DEFENDER] & 1
            wait = WAIT_BEAT_TRANSFER_OR_SHOW if shows_trump else WAIT_BEAT_OR_TRANSFER
        out[0] = out[register[_DEFENDER]] = wait


def is_transfer_open(state: State) -> bool:
    """D26-D29, D31: whether a card of the right rank would transfer the attack now, as all can see."""
    register = state.register
    attacks = register[_ATTACKS]
    if is_first_bout_closed(register) or judge_room(state, attacks):
        return False
    slot = attacks - 1 if register[_UNBEATEN] < register[_ATTACKS] else 0
    if judge_transfer_rank(state, register[_LIES + slot], attacks, 0):
        return False
    if not register[_TRUMP_MAY_TRANSFER] and is_trump_on_table(state):
        return False
    receiver = player_of(state, next_opponent(state, register[_SITS]))
    return receiver != register[_DEFENDER] and register[_UNBEATEN] < register[_HELD + receiver]


def status(state: State) -> str:
    """The table in one line that needs no language: trump, cards in the stock, hands. Public facts alone."""
    trump = state.register[_TRUMP]
    turned = "♠♥♦♣"[trump] if trump < BLACK else "-"
    hands = [str(state.register[_HELD + seat]) for seat in range(1, state.register[SEATS] + 1)]
    return "%s %d: %s" % (turned, count_left(state), " ".join(hands))


def describe_result(state: State) -> str:
    """As the record writes it: `fool 2`, `fool 2 epaulettes 2`, `team 1+3 lost`, `draw`."""
    register = state.register
    if register[OUTCOME] == _NOBODY_LOST:
        return "draw"
    fool = register[_FOOL]
    text = "fool %d" % fool
    if register[OUTCOME] == _LOST_BY_TEAM:
        team = [str(seat) for seat in range(1, register[SEATS] + 1) if are_partners(state, seat, fool)]
        text = "team %s lost" % "+".join(team)
    took = register[_TAKEN] and are_partners(state, register[_DEFENDER], fool)
    if register[_EPAULETTES] and took and register[_SIXES]:
        text += " epaulettes %d" % register[_SIXES]
    return text


def losers(state: State) -> int:
    """D39, D38, D45: a bit for each seat that lost; none in a draw."""
    register = state.register
    lost = 0
    if register[OUTCOME] == _LOST_BY_ONE or register[OUTCOME] == _LOST_BY_TEAM:
        for seat in range(1, register[SEATS] + 1):
            if are_partners(state, seat, register[_FOOL]):
                lost |= 1 << seat
    return lost


def marks(state: State, seat: int) -> int:
    """D41, D45: how many epaulettes the seat got: who took them wears them."""
    register = state.register
    took = register[_EPAULETTES] and register[_TAKEN] and seat == register[_DEFENDER]
    return register[_SIXES] if took and losers(state) >> seat & 1 else 0


def went_out(state: State, seat: int) -> int:
    """D39: the seat's number in the order of going out."""
    return state.register[_OUT_AT + seat - 1]


def next_dealer(state: State) -> int:
    """D6: the fool deals; after a draw the same dealer again."""
    return state.register[_FOOL] or state.register[DEALER]


def next_first(state: State) -> int:
    """D6: who attacks first in the match's next game; 0: whom D5 finds."""
    register = state.register
    fool = register[_FOOL]
    if not fool or register[_NEXT_LEAD] == 2:
        return 0
    if register[_NEXT_LEAD] == 3:  # the fool defends first
        return (fool - 2) % register[SEATS] + 1
    return first_out(state) if register[_NEXT_LEAD] == 1 else fool % register[SEATS] + 1


# What cannot be: the bits of `audit`. AUDIT says them in words.
_NO_SUCH_PLACE = const(1)
_TWO_CARDS_IN_ONE_SLOT = const(2)
_GAP_AMONG_THE_ATTACKS = const(4)
_COVER_OVER_NOTHING = const(8)
_IMPOSSIBLE_ROLES = const(16)
_THROWER_WITHOUT_RIGHT = const(32)  # or without cards: the seat whose turn it is to throw in
_WRONG_DRAWER = const(64)
_ROWS_UNLIKE_PLACES = const(128)  # the rows of the bout and `where` tell different things
_COUNTS_UNLIKE_PLACES = const(256)


def audit(state: State) -> int:
    """T1: 0, or a bit for each thing that cannot be."""
    where = state.where
    register = state.register
    seats = register[SEATS]
    wrong = 0 if are_counts_right(state, _HELD, recount) else _COUNTS_UNLIKE_PLACES
    attacks = register[_ATTACKS]
    lying = 0
    for card in range(DECK):
        place = where[card]
        if _HAND <= place < _ATTACK:
            wrong |= 0 if 1 <= place - _HAND <= seats else _NO_SUCH_PLACE
            continue
        highest = _TURNED if register[_PHASE] else _DISCARD  # D3: in the deal none is turned up yet
        if place >= _COVER + _SLOTS or highest < place < _HAND or _ATTACK + _SLOTS <= place < _COVER:
            wrong |= _NO_SUCH_PLACE
            continue
        if place >= _ATTACK:
            lying += 1
        if place >= _TURNED:
            wrong |= _TWO_CARDS_IN_ONE_SLOT if where.find(place, card + 1) >= 0 else 0
            wrong |= _ROWS_UNLIKE_PLACES if place >= _ATTACK and register[_LIES + place - _ATTACK] != card else 0
            if place >= _COVER:
                wrong |= _COVER_OVER_NOTHING if where.find(place - _COVER + _ATTACK) < 0 else 0
            elif place >= _ATTACK + attacks:
                wrong |= _GAP_AMONG_THE_ATTACKS
    if _OPENER - _LIES - register.count(_EMPTY, _LIES, _OPENER) != lying:
        wrong |= _ROWS_UNLIKE_PLACES
    if register[_PHASE] == _BOUT and not register[OUTCOME]:
        attacker = register[_ATTACKER]
        defender = register[_DEFENDER]
        if not 1 <= attacker <= seats or not 1 <= defender <= seats or are_partners(state, attacker, defender):
            wrong |= _IMPOSSIBLE_ROLES
        seat = register[_TURN_TO_THROW]
        if seat and (not register[_THROWERS] >> seat & 1 or not register[_HELD + seat]):
            wrong |= _THROWER_WITHOUT_RIGHT
    elif register[_PHASE] == _DRAWING and not register[OUTCOME]:
        drawer = register[_DRAWER]
        if not 1 <= drawer <= seats or register[_HELD + drawer] >= full_hand(register) or not register[_LEFT]:
            wrong |= _WRONG_DRAWER
    return wrong


# --- for players and tests --------------------------------------------------------------------------------------------

# Where a card comes by chance: what the table waits for, and the verb that says which card came.
CHANCE = {WAIT_DEAL: DRAW, WAIT_TURN: _TO_TURN, WAIT_DRAW: DRAW}

# What the bits of `audit` mean, the lowest first.
AUDIT = (
    "no such place",
    "two cards in one slot",
    "gap among the attacks",
    "cover over nothing",
    "impossible roles",
    "thrower without right",
    "wrong drawer",
    "rows unlike places",
    "counts unlike places",
)


def moves(state: State, seat: int, now_ms: int, out: list) -> None:
    """Append to `out`, packed, every event of the seat that `judge` would accept now. For players and tests."""
    register = state.register
    if register[OUTCOME]:
        return
    if register[_START] and not register[_ATTACKS]:
        list_start(state, seat, out)
    if register[_PHASE] != _BOUT:
        list_draws(state, seat, out)
    elif not register[_ATTACKS]:
        if seat == register[_ATTACKER]:
            count = list_own(state, seat)
            for card in _OWN_CARDS[:count]:
                out.append(_TO_ATTACK << 16 | card << 8)
    else:
        if seat == register[_DEFENDER]:
            if not register[_TAKEN]:
                list_defence(state, seat, out)
        elif register[_THROWERS] >> seat & 1:
            list_throws(state, seat, out)
        if register[_CHEATING]:
            if register[_TOKENS + seat - 1]:
                for card in range(DECK):
                    if is_on_table(state.where, card) and not judge_catch(state, seat, card):
                        out.append(_TO_CATCH << 16 | card << 8)


def list_start(state: State, seat: int, out: list) -> None:
    """What `moves` has before a bout: D49, D50."""
    register = state.register
    if register[_PHASE] <= _BOUT and not judge_redeal(state, seat):
        out.append(_TO_REDEAL << 16 | NO_CARD << 8)
    if register[_PHASE] == _BOUT and register[_TRUMP] < BLACK:
        card = register[_TRUMP] * 13 + lowest_rank(register)
        if not judge_swap(state, seat, card):
            out.append(_TO_SWAP << 16 | card << 8)


# What `list_own` has found: made once, so that no list is made for each act.
_OWN_CARDS = bytearray(DECK)


def list_own(state: State, seat: int) -> int:
    """Put into _OWN_CARDS what the seat may tap as its own: the cards in its hand, and while it has an unseen one, all
    unseen ones (T4). How many these are."""
    cards = _OWN_CARDS
    where = state.where
    count = 0
    place = _HAND + seat
    card = where.find(place)
    while card >= 0:
        cards[count] = card
        count += 1
        card = where.find(place, card + 1)
    if state.register[_UNSEEN + seat]:
        card = where.find(_STOCK)
        while card >= 0:
            cards[count] = card
            count += 1
            card = where.find(_STOCK, card + 1)
    return count


def list_draws(state: State, seat: int, out: list) -> None:
    """The draws and turns of `moves`: any unseen card may come."""
    register = state.register
    where = state.where
    verb = DRAW
    if register[_PHASE] == _ASKING:
        return
    if register[_PHASE] == _DRAWING:
        if seat != register[_DRAWER]:
            return
        if where.find(_STOCK) < 0:
            out.append(DRAW << 16 | where.find(_TURNED) << 8)
    elif register[_HELD + seat] >= full_hand(register):
        if seat != register[DEALER] or register[PRESET] == _JAPANESE_DIAMONDS or not is_all_dealt(state):
            return
        verb = _TO_TURN
        if register[_DEALERS_LAST] != _NO_CARD_YET and where.find(_STOCK) < 0:
            out.append(_TO_TURN << 16 | register[_DEALERS_LAST] << 8)
    card = where.find(_STOCK)
    while card >= 0:
        out.append(verb << 16 | card << 8)
        card = where.find(_STOCK, card + 1)


def list_throws(state: State, seat: int, out: list) -> None:
    """The throwing in of `moves`."""
    register = state.register
    is_simple = register[PRESET] == _SIMPLE
    if seat != register[_TURN_TO_THROW] and not register[_THROW_FREELY] and not is_simple and not register[_CHEATING]:
        return
    if not judge_done(state, seat):
        out.append(_TO_SAY_DONE << 16 | NO_CARD << 8)
    if seat != register[_TURN_TO_THROW] and not register[_THROW_FREELY]:
        return
    attacks = register[_ATTACKS]
    if attacks >= 5 and attacks >= bout_limit(register):
        return
    if register[_UNBEATEN] >= register[_HELD + register[_DEFENDER]]:
        return
    if is_simple and (register[_ACTED] or attacks >= lead_limit(register)):
        return
    is_mixed = is_simple and register[_LEAD_IS] >= _IN_THREE
    count = list_own(state, seat)
    for card in _OWN_CARDS[:count]:
        if not judge_lead_card(register, card, attacks) if is_mixed else register[_RANKS + RANK[card]] > 0:
            out.append(_TO_ATTACK << 16 | card << 8)


def list_defence(state: State, seat: int, out: list) -> None:
    """The defender's part of `moves`: beat, take, transfer, show, cheat."""
    register = state.register
    count = list_own(state, seat)
    out.append(_TO_TAKE << 16 | NO_CARD << 8)
    trump = register[_TRUMP]
    pressed = register[_PRESSED]
    unbeaten = register[_UNBEATEN]
    slot = _LIES - 1
    while unbeaten:
        slot += 1
        if register[slot + (_COVER - _ATTACK)] == _NOTHING:
            unbeaten -= 1
            target = register[slot]
            suit = SUIT[target]
            for card in _OWN_CARDS[:count]:
                # Most cards of a hand are of another plain suit; only the others are worth a question.
                of = SUIT[card]
                if of == suit or of == trump or of >= BLACK or pressed:
                    if pressed or not judge_fit(state, card, target):
                        out.append(_TO_BEAT << 16 | card << 8 | target)
    if register[_TRANSFER_ALLOWED]:
        for card in _OWN_CARDS[:count]:
            if not judge_transfer(state, seat, card, False):
                out.append(_TO_TRANSFER << 16 | card << 8)
            if register[_SHOWN_TRUMP] and not judge_show(state, seat, card):
                out.append(_TO_SHOW << 16 | card << 8)
    if register[_CHEATING] and not judge_cheat(state, seat):
        out.append(_TO_CHEAT << 16 | NO_CARD << 8)


def view(state: State, seat: int) -> bytes:
    """What that seat (0: the public) may know, D47, T11: places of the cards it sees, public registers, counts.

    Cards face down (stock, discard, other hands) are all alike; cheat tokens, presses and the log of who cheated are
    left out (D43), and so is the dealer's last card before it is turned.
    """
    seen = bytearray(state.where)
    for card in range(DECK):
        place = seen[card]
        if _STOCK <= place <= _DISCARD or (_HAND <= place < _ATTACK and place != _HAND + seat):
            seen[card] = _STOCK
    counts = bytearray(10)
    counts[8] = count_left(state)
    counts[9] = state.where.count(bytes([_DISCARD]))
    for other in range(1, state.register[SEATS] + 1):
        counts[other] = state.register[_HELD + other]
    public = bytearray(state.register[:_PRESSED])
    public[_DEALERS_LAST] = 0
    return bytes(seen) + bytes(counts) + bytes(public)
