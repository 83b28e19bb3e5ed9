"""Solves the end of a Durak between two hands: the stock is gone, and each side knows the other's cards.

The bout here is the engine's, without throwing in by others, cheating, shown trumps and late transfers. The attacker
adds nothing while a card is unbeaten and the defender can't transfer: it loses nothing by waiting. Each beaten card
leaves the defender one card fewer and one fewer to beat, so what may be added now may be added after it, and after a
take; and who waits sees more. In `simple` it adds before the defender's first act alone (D13). An added card brings no
new rank, so several are added in one order only, the cheapest first.

Each question has a goal, and yes or no for an answer (UNKNOWN if time ran out): can the attacker of the bout bring it
about that the other is the fool (WIN), or at least that it is not the fool itself (HOLD)? One good move, or one good
answer, settles it. Looking for the best of win, draw and loss took more than ten times as many positions wherever a
draw was possible. `is_sharp` says whether the answer to one question answers the other as well: no draw was met on the
way, so who does not win does not hold, and who holds wins.

Transfers can go round for ever: two sides may hand the same cards to and fro. So the search counts bouts, and what lies
behind the limit is taken for a draw: WIN is true then and HOLD false, whatever the limit; and what no limit decides is
a draw.

Cards are bits of a number, the cheapest first: tried in that order a search ends 10 to 70 times sooner. Positions that
differ only in the names of their ranks and plain suits are one.
"""

from micropython import const

HOLD = const(0)
WIN = const(1)
UNKNOWN = const(9)
MOST = const(30)  # cards in both hands: two such rows of bits make the name of a position
_ROW = const(32)
# What is known of an opening, a bit each: the answer to WIN, and to HOLD.
_WINS = const(1)
_WINS_NOT = const(2)
_HOLDS = const(4)
_HOLDS_NOT = const(8)

_BEATEN_BY = bytearray(4 * _ROW)  # the cards that beat it, a bit each, the lowest byte first
_LIKE = bytearray(4 * _ROW)  # the cards of its rank, in the same way
_TRUMPS = [0]  # a bit each
_OF = [b""]  # the cards and rules for which the table below holds
_LIMITS = bytearray(3)  # attack cards in this bout, in this bout after a take, and in each bout after it
# Cards, whether there are transfers, whether a trump bars them, whether in this bout too, whether only a lead grows
# (D13).
_RULES = bytearray(5)
_NODES = [0, 0]  # visited, allowed
_BOUTS = bytearray(2)  # deep now, and at most
_CUTS = [0]  # how often that was too deep, and a draw was assumed
_SHARP = bytearray(1)  # 1 if the last answer hangs on no draw

# A folded name has for each suit, the trumps last, a number in base 3: of each rank that is left whether that card is
# gone, of the side that opens, or of the other.
_FOLDS = bytearray(1)  # 1 if positions are folded
_MOST_RANKS = const(9)  # so a suit takes 15 bits
_SUIT = const(0x7FFF)
_SUIT_AT = bytearray(_ROW)  # how many bits below its suit
_ORDER_AT = bytearray(_ROW)  # the place of its rank among all ranks
_PLACE_AT = bytearray(_MOST_RANKS)  # and of a rank among those that are left
_UNITS = bytes([3 ** place & 255 for place in range(_MOST_RANKS)])  # what a card of a rank counts
_UNITS_ABOVE = bytes([3 ** place >> 8 for place in range(_MOST_RANKS)])  # and the upper byte of it

# What is known of positions in which a bout is opened: a table of pairs of places, in each of them the 60 bits of a
# position's name, what is known whatever the limit (4 bits), for each goal how many bouts were left when the limit gave
# the answer, and how many cards it has. In a pair the second gives way, and the first only to as many cards or more.
_KNOWN = bytearray()
_PLACE = const(11)  # bytes
_AT_KNOWN = const(7)
_AT_TRIED = const(8)
_AT_CARDS = const(10)
_PAIR_BITS = bytearray(1)  # so many pairs, as a power of two
_FEW_PAIR_BITS = const(10)
_MOST_PAIR_BITS = const(20)  # 23 MB
_NOWHERE = const(-1)
_HALF = const(0x3FFFFFFF)
_MIX = const(0x5E3779B1)  # odd, of 31 bits: half a name times that has 61
_MIX_ABOVE = const(0x45EBCA77)


def prepare(
    fits: bytes, ranks: bytes, trumps: bytes, suits: bytes, orders: bytes, limits: bytes, rules: bytes, keeps: bool
) -> None:
    """Take in the cards of one end and its rules, and forget the positions of another; keeps: not those of the same
    cards under the same rules. What differs in the first bout alone is no part of a position in which one is opened.

    fits: a row of _ROW bytes for each card, 1 where the other beats it; suits: 0 to 2, and 3 for trumps; orders: the
    place of a card's rank among all, the weakest 0; limits and rules: as the rows above.
    """
    assert rules[0] <= MOST
    _FOLDS[0] = can_fold(fits, suits, orders)
    made_of = fits + ranks + limits[2:] + rules[:3] + rules[4:]
    is_same = keeps and _OF[0] == made_of
    _OF[0] = made_of
    _TRUMPS[0] = sum([1 << card for card in range(len(trumps)) if trumps[card]])
    for at in range(len(ranks)):
        beating = sum([1 << card for card in range(len(ranks)) if fits[_ROW * at + card]])
        assert not beating & (1 << at) - 1, "a card is beaten by dearer ones alone"
        like = sum([1 << card for card in range(len(ranks)) if ranks[card] == ranks[at]])
        _BEATEN_BY[4 * at : 4 * at + 4] = beating.to_bytes(4, "little")
        _LIKE[4 * at : 4 * at + 4] = like.to_bytes(4, "little")
        _SUIT_AT[at] = 15 * (suits[at] & 3)
        _ORDER_AT[at] = orders[at]
    for at in range(3):
        _LIMITS[at] = limits[at]
    for at in range(5):
        _RULES[at] = rules[at]
    if not is_same:
        _PAIR_BITS[0] = _FEW_PAIR_BITS
        _KNOWN[:] = bytes(2 * _PLACE << _FEW_PAIR_BITS)


def can_fold(fits: bytes, suits: bytes, orders: bytes) -> int:
    """Whether suits and the order of ranks say all about a card, and about which beats which."""
    for target in range(len(orders)):
        if orders[target] >= _MOST_RANKS or suits[target] > 3:
            return 0
        for card in range(len(orders)):
            if card != target and suits[card] == suits[target] and orders[card] == orders[target]:
                return 0  # two jokers
            beats = orders[card] > orders[target] if suits[card] == suits[target] else suits[card] == 3
            if fits[_ROW * target + card] != beats:
                return 0
    return 1


def allow(nodes: int, bouts: int) -> None:
    """So many positions may be looked at from now on, and so many bouts one after another."""
    _NODES[0] = 0
    _NODES[1] = nodes
    _BOUTS[0] = 0
    _BOUTS[1] = bouts
    _CUTS[0] = 0


def is_cut() -> bool:
    """Whether the limit of bouts was reached since `allow`: a draw may then be more."""
    return _CUTS[0] > 0


def is_sharp() -> bool:
    """Whether the last answer is that to the other question, too."""
    return _SHARP[0] > 0


def count_nodes() -> int:
    """How many positions were looked at since `allow`."""
    return _NODES[0]


def spend() -> bool:
    """Count one more position; True if that was too many."""
    count = _NODES[0] + 1
    _NODES[0] = count
    if count >> _PAIR_BITS[0] and _PAIR_BITS[0] < _MOST_PAIR_BITS:
        _KNOWN.extend(_KNOWN)  # whichever half the next bit of a name says: there it is
        _PAIR_BITS[0] += 1
    return count > _NODES[1]


def count_bits(cards: int) -> int:
    """How many cards that are."""
    cards -= cards >> 1 & 0x55555555
    cards = (cards & 0x33333333) + (cards >> 2 & 0x33333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F
    cards += cards >> 8
    return (cards + (cards >> 16)) & 63


def limit_of(taken: int, is_first: int) -> int:
    """D18, D19: how many attack cards the bout takes."""
    if not is_first:
        return _LIMITS[2]
    return _LIMITS[1] if taken else _LIMITS[0]


def answer_of(known: int, goal: int) -> int:
    """What is known of a position as an answer; UNKNOWN if that does not say it."""
    if goal == WIN:
        if known & _WINS:
            return 1
        return 0 if known & (_WINS_NOT | _HOLDS_NOT) else UNKNOWN
    if known & _HOLDS_NOT:
        return 0
    return 1 if known & (_HOLDS | _WINS) else UNKNOWN


def turned(answer: int) -> int:
    """The other side's answer turned round: I win where it does not hold, and I hold where it does not win."""
    return answer if answer == UNKNOWN else 1 - answer


def fold(own: int, other: int) -> int:
    """The name of a position in which a bout is opened."""
    if not _FOLDS[0]:
        return own | other << _RULES[0]
    both = own | other
    ranks = 0
    for index in range(_RULES[0]):
        ranks |= (both >> index & 1) << _ORDER_AT[index]
    suits = 0
    place = 0
    for order in range(_MOST_RANKS):
        _PLACE_AT[order] = place
        place += ranks >> order & 1
    for index in range(_RULES[0]):
        place = _PLACE_AT[_ORDER_AT[index]]
        unit = _UNITS[place] | _UNITS_ABOVE[place] << 8  # in a name of its own, for C has narrow numbers without
        suits += ((both >> index & 1) + (other >> index & 1)) * (unit << _SUIT_AT[index])
    first = suits & _SUIT
    second = suits >> 15 & _SUIT
    third = suits >> 30 & _SUIT
    low = min(first, second, third)
    high = max(first, second, third)
    return suits >> 45 << 45 | high << 30 | (first + second + third - low - high) << 15 | low


def index_of(bit: int) -> int:
    """The place of a card."""
    return count_bits(bit - 1)


def beaten_by(bit: int) -> int:
    """The cards that beat it."""
    at = 4 * index_of(bit)
    return _BEATEN_BY[at] | _BEATEN_BY[at + 1] << 8 | _BEATEN_BY[at + 2] << 16 | _BEATEN_BY[at + 3] << 24


def like_those(cards: int) -> int:
    """D14: the cards of their ranks."""
    found = 0
    while cards:
        bit = cards & -cards
        cards ^= bit
        if not found & bit:
            at = 4 * index_of(bit)
            found |= _LIKE[at] | _LIKE[at + 1] << 8 | _LIKE[at + 2] << 16 | _LIKE[at + 3] << 24
    return found


def wins_at_once(own: int, other: int) -> int:
    """Whether a win of the side that opens is in sight: it leads the cards that the other can't beat, the cheapest
    first, so none that was taken beats a later one. Last it lays those that the other could beat, all of one rank and
    fewer than the other holds by then. Where a lead could be handed back, the other has none of its ranks, and it no
    pair."""
    last = 0
    left = own
    while left:
        bit = left & -left
        left ^= bit
        if beaten_by(bit) & other:
            if last and not like_those(last) & bit:
                return 0
            last |= bit
    if _RULES[1]:
        ranks = like_those(own)
        if ranks & other or count_ranks(own) < count_bits(own):
            return 0
    return 2 * count_bits(last) < count_bits(own | other)


def count_ranks(cards: int) -> int:
    """How many ranks they have."""
    count = 0
    while cards:
        cards &= ~like_those(cards & -cards)
        count += 1
    return count


def opening_reaches(own: int, other: int, goal: int) -> int:
    """For the side that opens a bout; both have cards."""
    if not _RULES[4] and wins_at_once(own, other):
        _SHARP[0] = 1
        return 1
    name = fold(own, other)
    at = find_place(name)
    known = 0 if at == _NOWHERE else _KNOWN[at + _AT_KNOWN] >> 4
    answer = answer_of(known, goal)
    if answer != UNKNOWN:
        _SHARP[0] = (known & (_WINS | _HOLDS_NOT)) > 0
        return answer
    left = _BOUTS[1] - _BOUTS[0]
    if left <= 0 or (at != _NOWHERE and _KNOWN[at + _AT_TRIED + goal] >= left):
        _CUTS[0] += 1
        _SHARP[0] = 0
        return 1 - goal
    if spend():
        return UNKNOWN
    before = _CUTS[0]
    _BOUTS[0] += 1
    answer = leads_reach(own, other, 0, goal)
    _BOUTS[0] -= 1
    if answer == UNKNOWN:
        return UNKNOWN
    at = take_place(name, count_bits(own | other))
    if answer != goal and before != _CUTS[0]:
        _KNOWN[at + _AT_TRIED + goal] = left
        return answer
    # No draw that was assumed helps to WIN, or to fail to HOLD.
    if answer:
        known = _WINS if goal == WIN or _SHARP[0] else _HOLDS
    else:
        known = _HOLDS_NOT if goal == HOLD or _SHARP[0] else _WINS_NOT
    _KNOWN[at + _AT_KNOWN] |= known << 4
    return answer


def find_pair(name: int) -> int:
    """Where the pair of places begins in which a position may stand."""
    mixed = (name & _HALF) * _MIX ^ (name >> 30) * _MIX_ABOVE
    return 2 * _PLACE * (mixed >> 30 & (1 << _PAIR_BITS[0]) - 1)


def name_at(at: int) -> int:
    """The name of the position in that place."""
    name = _KNOWN[at + _AT_KNOWN] & 15
    for place in range(_AT_KNOWN - 1, -1, -1):
        name = name << 8 | _KNOWN[at + place]
    return name


def find_place(name: int) -> int:
    """Where a position stands in the table."""
    at = find_pair(name)
    if name_at(at) == name:
        return at
    return at + _PLACE if name_at(at + _PLACE) == name else _NOWHERE


def take_place(name: int, cards: int) -> int:
    """Where it stands from now on; another may have to go."""
    at = find_place(name)
    if at != _NOWHERE:
        return at
    at = find_pair(name)
    if _KNOWN[at + _AT_CARDS] > cards:
        at += _PLACE
    for place in range(_AT_KNOWN):
        _KNOWN[at + place] = name >> 8 * place & 255
    _KNOWN[at + _AT_KNOWN] = name >> 56
    _KNOWN[at + _AT_TRIED] = 0
    _KNOWN[at + _AT_TRIED + 1] = 0
    _KNOWN[at + _AT_CARDS] = cards
    return at


def leads_reach(own: int, other: int, is_first: int, goal: int) -> int:
    """Whether any card does it for the side that opens."""
    is_sharp = 1
    left = own
    while left:
        bit = left & -left
        left ^= bit
        answer = attack_reaches(own ^ bit, other, bit, bit, 1, 0, is_first, bit, goal)
        if answer:
            return answer
        is_sharp &= _SHARP[0]
    _SHARP[0] = is_sharp
    return 0


def attack_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, taken: int, is_first: int, least: int, goal: int
) -> int:
    """For the attacker, who may add a card or say done. is_first: the bout in which the solving began; least: the card
    that it has just added, behind which all others have to come; 0 if there is none."""
    answer = done_reaches(own, other, table, unbeaten, attacks, taken, is_first, goal)
    if answer or (_RULES[4] and unbeaten != table):
        return answer
    is_sharp = _SHARP[0]
    if unbeaten and not taken and can_wait(own, other, table, unbeaten, attacks, is_first):
        return 0
    if attacks >= limit_of(taken, is_first) or count_bits(unbeaten) >= count_bits(other):
        return 0
    left = own & -2 * least if least else own
    left &= like_those(table)
    while left:
        bit = left & -left
        left ^= bit
        answer = adding_reaches(own, other, table, unbeaten, attacks, taken, is_first, bit, bit, goal)
        if answer:
            return answer
        is_sharp &= _SHARP[0]
    _SHARP[0] = is_sharp
    return 0


def can_wait(own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int) -> bool:
    """Whether the attacker loses nothing if it adds no card before the defender's next one: the defender can neither
    transfer (a card more may bar that) nor end all adding by its act (D13); a take lowers no limit (D18, D19)."""
    if _RULES[4]:
        return False
    return not can_transfer(own, table, unbeaten, attacks, is_first) or not other & like_those(table)


def adding_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, taken: int, is_first: int, bit: int, least: int,
    goal: int
) -> int:
    """For the attacker after it has laid that card; least: as above, of what it may add next."""
    own ^= bit
    table |= bit
    unbeaten |= bit
    attacks += 1
    if taken:
        return taking_reaches(own, other, table, unbeaten, attacks, is_first, least, goal)
    return attack_reaches(own, other, table, unbeaten, attacks, 0, is_first, least, goal)


def done_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, taken: int, is_first: int, goal: int
) -> int:
    """For the attacker who adds nothing now."""
    if taken or not unbeaten:
        return end_reaches(own, other, table, taken, goal)
    return defence_reaches(own, other, table, unbeaten, attacks, is_first, goal)


def defence_reaches(own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, goal: int) -> int:
    """For the attacker (`own`) where the defender has to answer: beat, transfer or take."""
    if spend():
        return UNKNOWN
    answer = beats_reach(own, other, table, unbeaten, attacks, is_first, goal)
    if answer != 1:
        return answer
    is_sharp = _SHARP[0]
    if can_transfer(own, table, unbeaten, attacks, is_first):
        left = other & like_those(table)
        while left:
            bit = left & -left
            left ^= bit
            answer = transfer_reaches(own, other, table, unbeaten, attacks, is_first, bit, goal)
            if answer != 1:
                return answer
            is_sharp &= _SHARP[0]
    answer = taking_reaches(own, other, table, unbeaten, attacks, is_first, 0, goal)
    if answer == 1:
        _SHARP[0] &= is_sharp
    return answer


def beats_reach(own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, goal: int) -> int:
    """For the attacker, however the defender covers the dearest card; yes if nothing beats it. Behind the first beat
    the attacker waits, so no other order helps the defender."""
    is_sharp = 1
    target = unbeaten
    while target & (target - 1):
        target &= target - 1
    left = other & beaten_by(target)
    while left:
        bit = left & -left
        left ^= bit
        answer = beating_reaches(own, other, table, unbeaten, attacks, is_first, bit, target, goal)
        if answer != 1:
            return answer
        is_sharp &= _SHARP[0]
    _SHARP[0] = is_sharp
    return 1


def beating_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, bit: int, target: int, goal: int
) -> int:
    """For the attacker after the defender has covered the target with that card."""
    other ^= bit
    table |= bit
    unbeaten ^= target
    if not unbeaten and (attacks >= limit_of(0, is_first) or not other or not own):
        return end_reaches(own, other, table, 0, goal)
    return attack_reaches(own, other, table, unbeaten, attacks, 0, is_first, 0, goal)


def taking_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, least: int, goal: int
) -> int:
    """For the attacker after the defender has said take, or after one more card since."""
    if _RULES[4] or attacks >= limit_of(1, is_first) or count_bits(unbeaten) >= count_bits(other) or not own:
        return end_reaches(own, other, table, 1, goal)
    return attack_reaches(own, other, table, unbeaten, attacks, 1, is_first, least, goal)


def can_transfer(own: int, table: int, unbeaten: int, attacks: int, is_first: int) -> bool:
    """D26-D29: whether a card of the right rank would hand the attack back to the attacker."""
    if not _RULES[1] or unbeaten != table or (is_first and not _RULES[3]):
        return False
    if attacks >= limit_of(0, is_first) or count_bits(unbeaten) + 1 > count_bits(own):
        return False
    return not (_RULES[2] and table & _TRUMPS[0])


def transfer_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, bit: int, goal: int
) -> int:
    """For the attacker, who is the defender from now on."""
    return turned(attack_reaches(other ^ bit, own, table | bit, unbeaten | bit, attacks + 1, 0, is_first, 0, 1 - goal))


def end_reaches(own: int, other: int, table: int, taken: int, goal: int) -> int:
    """For the attacker after the bout: D20, D21, D39, D40."""
    if own and (taken or other):
        return opening_reaches(own, other | table, goal) if taken else turned(opening_reaches(other, own, 1 - goal))
    _SHARP[0] = taken > 0 or own > 0 or other > 0
    return 1 if taken or other or (not own and goal == HOLD) else 0
