"""Chooses the plays of Malice by weighed advice: what a play does for the next payoff card, and what for the other's.

Stronger than the beginner and as quick. It knows what the seat whose turn it is can see, and no more. The weights were
found by letting versions of it play against each other.
"""

from micropython import const

from cardtable.engine.deck import ACE, RANK
from cardtable.engine.state import HAND, SEATS, State
from cardtable.games.malice import has_forced_ace, is_wild, judge_fit, judge_follow, side_top
from host_tools.judge.facts.malice import HEIGHT, HEIGHTS, NOTHING, PILES, SPENT, UNDER, UP
from host_tools.base.random_play import Random

TO_CENTRE = const(0)
TO_SIDE = const(1)
TO_END = const(2)
_HIGHEST = const(13)
_NO_WAY = const(9)  # cards that lack where the pile is not below the payoff card
_FEW = const(2)  # wild cards that a way to the payoff card may cost
_WILD_COST = const(2)
_LIKELY = bytes((60, 30, 15, 0, 0))  # the other's payoff card: by how many cards it lacks, as far as all can see
_NEAR = bytes((20, 8, 7, 2, 0))  # the own one
_NEAR_NEXT = bytes((20, 10, 5, 2, 10))  # the own one, at the end of a turn
_FROM_HAND = const(10)
_FROM_SIDE = const(8)
_LAST_OF_SIDE = const(5)
_ACE_FIRST = const(500)
_ON_FREE = const(51)
_ON_EQUAL = const(67)
_ON_HIGHER = const(57)
_ON_WILD = const(15)
_QUARTER_ON_FREE = const(7)  # for each four ranks of the card
_QUARTER_ON_PILE = const(6)
_ONE_OF_TWO = const(56)
_ACE_KEPT = const(100)
_BASE = const(1000)

_BITS = bytes([bin(number).count("1") for number in range(1 << 13)])
CHOSEN = bytearray(2)  # the card and the pile of the play that was found
_HELD = bytearray(16)  # by height: how many cards of the hand
_CARD = bytearray(16)  # and one of them
_TOPS = bytearray(5)  # of the own side piles
_UP_TO = bytearray(5)  # the heights of the centre piles


def turned_card(state: State, seat: int) -> int:
    """The card that lies face up on the seat's payoff pile; -1 if none does."""
    card = state.register[UP + seat]
    return -1 if card == NOTHING else card


def height_of(register: bytearray, card: int) -> int:
    """M1: from the ace, 1, to the king, 13; 0: a joker, or whatever else is wild (M13)."""
    return 0 if is_wild(register, card) else HEIGHT[card]


def choose_skilled(state: State, seat: int, draw: Random, noise: int) -> int:
    """Put a play into CHOSEN; whether it goes to the centre, to the side, or is the end of the turn."""
    register = state.register
    payoff = turned_card(state, seat)
    goal = height_of(register, payoff)
    own = look_around(state, seat)
    for pile in range(1, PILES + 1):
        if not judge_follow(register, payoff, _UP_TO[pile]):
            CHOSEN[0] = payoff
            CHOSEN[1] = pile
            return TO_CENTRE
    luck = draw.below(1 << 20) if noise and draw.below(100) < noise else 0
    if not register[SPENT]:
        if choose_way(state, goal, own) or choose_centre(state, seat, goal, own, luck):
            return TO_CENTRE
    if not has_forced_ace(state, seat) and choose_side(state, seat, goal, own, luck):
        return TO_SIDE
    if not register[SPENT] and choose_any(state):
        return TO_CENTRE
    CHOSEN[0] = NOTHING
    CHOSEN[1] = 0
    return TO_END


def look_around(state: State, seat: int) -> int:
    """Fill the rows above; a bit for each height that the seat can lay, and from bit 16 on how many wild cards."""
    where = state.where
    register = state.register
    for height in range(_HIGHEST + 1):
        _HELD[height] = 0
    for pile in range(1, PILES + 1):
        _UP_TO[pile] = register[HEIGHTS + pile]
    own = list_sides(state, seat)
    wild = 0
    card = where.find(HAND + seat)
    while card >= 0:
        height = height_of(register, card)
        _HELD[height] += 1
        _CARD[height] = card
        if height:
            own |= 1 << height
        else:
            wild += 1
        card = where.find(HAND + seat, card + 1)
    for pile in range(1, PILES + 1):
        _TOPS[pile] = side_top(state, seat, pile)
        if _TOPS[pile] != NOTHING and not height_of(register, _TOPS[pile]):
            wild += 1
    return own | wild << 16


def list_sides(state: State, seat: int) -> int:
    """A bit for each height on top of a side pile of the seat, and for what follows under it, each one higher."""
    register = state.register
    found = 0
    for pile in range(1, PILES + 1):
        card = side_top(state, seat, pile)
        height = 0 if card == NOTHING else height_of(register, card)
        while height:
            found |= 1 << height
            card = register[UNDER + card]
            height = height + 1 if card != NOTHING and height_of(register, card) == height + 1 else 0
    return found


def count_lack(cards: int, height: int, goal: int) -> int:
    """How many heights between a pile and the goal those cards lack."""
    if height >= goal:
        return _NO_WAY
    steps = goal - height - 1
    return steps - _BITS[cards >> (height + 1) & (1 << steps) - 1]


def weigh(cards: int, goal: int, weights: bytes) -> int:
    """The best centre pile for a seat with those cards and that goal."""
    wild = cards >> 16
    best = 0
    for pile in range(1, PILES + 1):
        lack = count_lack(cards, _UP_TO[pile], goal)
        if lack == _NO_WAY:
            continue
        lack = lack - wild if lack > wild else 0
        if lack < 5 and weights[lack] > best:
            best = weights[lack]
    return best


def find_card(state: State, height: int) -> int:
    """A card of that height on top of a side pile, else in the hand; -1: none. Height 0: a wild one."""
    for pile in range(1, PILES + 1):
        if _TOPS[pile] != NOTHING and height_of(state.register, _TOPS[pile]) == height:
            return _TOPS[pile]
    return _CARD[height] if _HELD[height] else -1


def choose_way(state: State, goal: int, own: int) -> bool:
    """Put into CHOSEN the first step of the cheapest way to just below the goal; whether there is one."""
    best = 99
    for pile in range(1, PILES + 1):
        height = _UP_TO[pile]
        lack = count_lack(own, height, goal)
        if lack > own >> 16 or lack > _FEW or lack * _WILD_COST + goal - height >= best:
            continue
        card = find_card(state, height + 1)
        if card < 0 and not own >> (height + 1) & 1:
            card = find_card(state, 0)
        if card >= 0 and not judge_follow(state.register, card, height):
            best = lack * _WILD_COST + goal - height
            CHOSEN[0] = card
            CHOSEN[1] = pile
    return best < 99


def choose_centre(state: State, seat: int, goal: int, own: int, luck: int) -> bool:
    """Put into CHOSEN the card for the centre that helps most; whether one helps more than it harms."""
    register = state.register
    after = seat % register[SEATS] + 1
    turned = turned_card(state, after)
    their_goal = height_of(register, turned) if turned >= 0 else 0
    theirs = list_sides(state, after)
    before = _BASE + weigh(theirs, their_goal, _LIKELY) - weigh(own, goal, _NEAR)
    best = _BASE
    for pile in range(1, PILES + 1):
        height = _UP_TO[pile] + 1
        _UP_TO[pile] = height
        harm = weigh(theirs, their_goal, _LIKELY) - (_ACE_FIRST if height == 1 else 0)
        for is_held in range(2):
            card = _CARD[height] if is_held and _HELD[height] else -1
            if not is_held:
                card = find_top(register, height)
            if card < 0:
                continue
            value = before - harm + weigh(own_without(register, card, own, is_held), goal, _NEAR)
            value += _FROM_HAND if is_held else _FROM_SIDE
            if not is_held and register[UNDER + card] == NOTHING:
                value += _LAST_OF_SIDE
            if luck:
                luck = luck * 5 % 1048573
                value = _BASE + luck % 100
            if value > best:
                best = value
                CHOSEN[0] = card
                CHOSEN[1] = pile
        _UP_TO[pile] = height - 1
    return best > _BASE


def find_top(register: bytearray, height: int) -> int:
    """The top of a side pile of that height, one that lies alone if there is; -1: none."""
    found = -1
    for pile in range(1, PILES + 1):
        card = _TOPS[pile]
        if card != NOTHING and height_of(register, card) == height:
            if register[UNDER + card] == NOTHING:
                return card
            found = card
    return found


def own_without(register: bytearray, card: int, own: int, is_held: int) -> int:
    """What the seat can lay once that card is in the centre."""
    height = height_of(register, card)
    if is_held:
        return own if _HELD[height] > 1 else own & ~(1 << height)
    left = own if _HELD[height] else own & ~(1 << height)
    under = register[UNDER + card]
    if under != NOTHING and height_of(register, under):
        left |= 1 << height_of(register, under)
    return left


def choose_any(state: State) -> bool:
    """Put into CHOSEN any card for the centre: an ace that has to go, or a way out of blocked side piles."""
    for pile in range(1, PILES + 1):
        card = find_card(state, _UP_TO[pile] + 1)
        if card < 0:
            card = find_card(state, 0)
        if card >= 0 and not judge_follow(state.register, card, _UP_TO[pile]):
            CHOSEN[0] = card
            CHOSEN[1] = pile
            return True
    return False


def choose_side(state: State, seat: int, goal: int, own: int, luck: int) -> bool:
    """Put into CHOSEN the hand card that blocks least, and its side pile; whether there is one. Wild cards stay."""
    where = state.where
    register = state.register
    best = 0
    card = where.find(HAND + seat)
    while card >= 0:
        if not is_wild(register, card):
            for pile in range(1, PILES + 1):
                if judge_fit(state, seat, card, pile):
                    continue
                value = _BASE + luck % 100 if luck else weigh_side(register, card, _TOPS[pile], goal, own)
                luck = luck * 5 % 1048573
                if value > best:
                    best = value
                    CHOSEN[0] = card
                    CHOSEN[1] = pile
        card = where.find(HAND + seat, card + 1)
    return best > 0


def weigh_side(register: bytearray, card: int, top: int, goal: int, own: int) -> int:
    """How good it is to lay the card on that top of a side pile."""
    height = HEIGHT[card]
    value = _BASE + (_ONE_OF_TWO if _HELD[height] > 1 else 0) - (_ACE_KEPT if RANK[card] == ACE else 0)
    if top == NOTHING:
        return value + _ON_FREE + _QUARTER_ON_FREE * height // 4 + weigh(own, goal, _NEAR_NEXT)
    value += _QUARTER_ON_PILE * height // 4
    covered = height_of(register, top)
    if covered == height:
        value += _ON_EQUAL
    elif covered == height + 1:
        value += _ON_HIGHER
    else:
        value += _ON_WILD
        if covered and not _HELD[covered]:
            own &= ~(1 << covered)
    return value + weigh(own, goal, _NEAR_NEXT)
