"""Solves the end of a Durak between two hands: the stock is gone, and each side knows the other's cards.

The bout here is the engine's, without throwing in by others, cheating, shown trumps and late transfers. While cards
are unbeaten the attacker adds first, then the defender answers: the attacker loses nothing by it. In `simple` it adds
only before the defender's first act (D13). A value is that of the attacker of the bout: 1 the other is the fool, 0 a
draw, -1 it is the fool itself, UNKNOWN if time ran out.

Transfers can go round for ever: two sides may hand the same cards to and fro. So the search counts bouts: a win that
is found within the limit is one, and what no limit decides is a draw.

Cards are bits of a number, the cheapest first: tried in that order a search ends 10 to 70 times sooner.
"""

from micropython import const

UNKNOWN = const(9)
_MOST = const(31)  # cards in both hands: two such rows of bits make the key of a position
_ROW = const(32)

_FITS = bytearray(_ROW * _ROW)  # + attack card * _ROW + card: 1 if that card beats it
_RANK_AT = bytearray(_ROW)
_TRUMP_AT = bytearray(_ROW)
_LIMITS = bytearray(3)  # attack cards in this bout, in this bout after a take, and in each bout after it
# Cards, whether there are transfers, whether a trump bars them, whether in this bout too, whether only a lead grows
# (D13).
_RULES = bytearray(5)
_NODES = [0, 0]  # visited, allowed
_BOUTS = bytearray(2)  # deep now, and at most
_CUTS = [0]  # how often that was too deep, and a draw was assumed
_KNOWN: dict = {}  # the value of each position in which a bout is opened, if no limit made it
_TRIED: dict = {}  # how many bouts were left when a limit made it a draw


def prepare(fits: bytes, ranks: bytes, trumps: bytes, limits: bytes, rules: bytes, keeps: bool) -> None:
    """Take in the cards of one end and its rules, and forget the positions of another; keeps: not those of the same
    cards under the same rules. What differs in the first bout alone is no part of a position in which one is opened.

    fits: a row of _ROW bytes for each card, 1 where the other beats it; limits and rules: as the rows above.
    """
    assert rules[0] <= _MOST
    is_same = (
        keeps and bytes(_FITS) == fits and bytes(_RANK_AT[: len(ranks)]) == ranks and limits[2] == _LIMITS[2]
        and rules[:3] + rules[4:] == bytes(_RULES[:3]) + bytes(_RULES[4:])
    )
    for at in range(len(fits)):
        _FITS[at] = fits[at]
    for at in range(len(ranks)):
        _RANK_AT[at] = ranks[at]
        _TRUMP_AT[at] = trumps[at]
    for at in range(3):
        _LIMITS[at] = limits[at]
    for at in range(5):
        _RULES[at] = rules[at]
    if not is_same:
        _KNOWN.clear()


def allow(nodes: int, bouts: int) -> None:
    """So many positions may be looked at from now on, and so many bouts one after another."""
    _NODES[0] = 0
    _NODES[1] = nodes
    _BOUTS[0] = 0
    _BOUTS[1] = bouts
    _CUTS[0] = 0
    _TRIED.clear()


def is_cut() -> bool:
    """Whether the limit of bouts was reached since `allow`: a draw may then be more."""
    return _CUTS[0] > 0


def count_nodes() -> int:
    """How many positions were looked at since `allow`."""
    return _NODES[0]


def spend() -> bool:
    """Count one more position; True if that was too many."""
    _NODES[0] += 1
    return _NODES[0] > _NODES[1]


def count_bits(cards: int) -> int:
    """How many cards that are."""
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count


def limit_of(taken: int, is_first: int) -> int:
    """D18, D19: how many attack cards the bout takes."""
    if not is_first:
        return _LIMITS[2]
    return _LIMITS[1] if taken else _LIMITS[0]


def value_of_opening(own: int, other: int) -> int:
    """The value for the side that opens a bout; both have cards."""
    key = own | other << _RULES[0]
    known = _KNOWN.get(key)
    if known is not None:
        return known
    left = _BOUTS[1] - _BOUTS[0]
    if left <= 0 or _TRIED.get(key, 0) >= left:
        _CUTS[0] += 1
        return 0
    if spend():
        return UNKNOWN
    before = _CUTS[0]
    _BOUTS[0] += 1
    best = find_opening(own, other)
    _BOUTS[0] -= 1
    if best == UNKNOWN:
        return UNKNOWN
    if best or before == _CUTS[0]:
        _KNOWN[key] = best
    else:
        _TRIED[key] = left
    return best


def find_opening(own: int, other: int) -> int:
    """The best that any card brings the side that opens."""
    best = -1
    for index in range(_RULES[0]):
        if own >> index & 1:
            bit = 1 << index
            value = value_of_attack(own ^ bit, other, bit, bit, 1, 0, 0)
            if value == UNKNOWN:
                return UNKNOWN
            if value > best:
                best = value
                if best == 1:
                    break
    return best


def value_of_attack(own: int, other: int, table: int, unbeaten: int, attacks: int, taken: int, is_first: int) -> int:
    """The value for the attacker, who may add a card or say done. is_first: the bout in which the solving began."""
    best = value_of_done(own, other, table, unbeaten, attacks, taken, is_first)
    if best == 1 or best == UNKNOWN or (_RULES[4] and unbeaten != table):
        return best
    if attacks >= limit_of(taken, is_first) or count_bits(unbeaten) >= count_bits(other):
        return best
    for index in range(_RULES[0]):
        if own >> index & 1 and is_rank_there(index, table):
            value = value_after_adding(own, other, table, unbeaten, attacks, taken, is_first, index)
            if value == UNKNOWN:
                return UNKNOWN
            if value > best:
                best = value
                if best == 1:
                    break
    return best


def is_rank_there(index: int, table: int) -> bool:
    """D14: whether a card of that rank lies on the table."""
    for other in range(_RULES[0]):
        if table >> other & 1 and _RANK_AT[other] == _RANK_AT[index]:
            return True
    return False


def value_after_adding(
    own: int, other: int, table: int, unbeaten: int, attacks: int, taken: int, is_first: int, index: int
) -> int:
    """The value for the attacker after it has laid that card."""
    bit = 1 << index
    own ^= bit
    table |= bit
    unbeaten |= bit
    attacks += 1
    if taken:
        return value_after_taking(own, other, table, unbeaten, attacks, is_first)
    return value_of_attack(own, other, table, unbeaten, attacks, 0, is_first)


def value_of_done(own: int, other: int, table: int, unbeaten: int, attacks: int, taken: int, is_first: int) -> int:
    """The value for the attacker who adds nothing now."""
    if taken or not unbeaten:
        return value_of_end(own, other, table, taken)
    return value_of_defence(own, other, table, unbeaten, attacks, is_first)


def value_of_defence(own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int) -> int:
    """The value for the attacker (`own`) where the defender has to answer: beat, transfer or take."""
    if spend():
        return UNKNOWN
    worst = value_of_beats(own, other, table, unbeaten, attacks, is_first)
    if worst == -1 or worst == UNKNOWN:
        return worst
    if can_transfer(own, table, unbeaten, attacks, is_first):
        for index in range(_RULES[0]):
            if other >> index & 1 and is_rank_there(index, table):
                value = value_after_transfer(own, other, table, unbeaten, attacks, is_first, index)
                if value == UNKNOWN:
                    return UNKNOWN
                if value < worst:
                    worst = value
                    if worst == -1:
                        return worst
    value = value_after_taking(own, other, table, unbeaten, attacks, is_first)
    return value if value == UNKNOWN or value < worst else worst


def value_of_beats(own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int) -> int:
    """The lowest that any cover leaves to the attacker; 2 if nothing can be beaten."""
    worst = 2
    for target in range(_RULES[0] - 1, -1, -1):
        if unbeaten >> target & 1:
            for index in range(_RULES[0]):
                if other >> index & 1 and _FITS[target * _ROW + index]:
                    value = value_after_beating(own, other, table, unbeaten, attacks, is_first, index, target)
                    if value == UNKNOWN:
                        return UNKNOWN
                    if value < worst:
                        worst = value
                        if worst == -1:
                            return worst
    return worst


def value_after_beating(
    own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, index: int, target: int
) -> int:
    """The value for the attacker after the defender has covered the target."""
    bit = 1 << index
    other ^= bit
    table |= bit
    unbeaten ^= 1 << target
    if not unbeaten and (attacks >= limit_of(0, is_first) or not other or not own):
        return value_of_end(own, other, table, 0)
    return value_of_attack(own, other, table, unbeaten, attacks, 0, is_first)


def value_after_taking(own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int) -> int:
    """The value for the attacker after the defender has said take, or after one more card since."""
    if _RULES[4] or attacks >= limit_of(1, is_first) or count_bits(unbeaten) >= count_bits(other) or not own:
        return value_of_end(own, other, table, 1)
    return value_of_attack(own, other, table, unbeaten, attacks, 1, is_first)


def can_transfer(own: int, table: int, unbeaten: int, attacks: int, is_first: int) -> bool:
    """D26-D29: whether a card of the right rank would hand the attack back to the attacker."""
    if not _RULES[1] or unbeaten != table or (is_first and not _RULES[3]):
        return False
    if attacks >= limit_of(0, is_first) or count_bits(unbeaten) + 1 > count_bits(own):
        return False
    if _RULES[2]:
        for index in range(_RULES[0]):
            if table >> index & 1 and _TRUMP_AT[index]:
                return False
    return True


def value_after_transfer(
    own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, index: int
) -> int:
    """The value for the attacker, who is the defender from now on."""
    bit = 1 << index
    value = value_of_attack(other ^ bit, own, table | bit, unbeaten | bit, attacks + 1, 0, is_first)
    return UNKNOWN if value == UNKNOWN else -value


def value_of_end(own: int, other: int, table: int, taken: int) -> int:
    """The value for the attacker after the bout: D20, D21, D39, D40."""
    if taken:
        return value_of_opening(own, other | table) if own else 1
    if not own:
        return 1 if other else 0
    if not other:
        return -1
    value = value_of_opening(other, own)
    return UNKNOWN if value == UNKNOWN else -value
