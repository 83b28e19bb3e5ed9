"""Solves the end of a Durak between two hands: the stock is gone, and each side knows the other's cards.

The bout here is the engine's, without throwing in by others, cheating, shown trumps and late transfers. While cards
are unbeaten the attacker adds first, then the defender answers: the attacker loses nothing by it. In `simple` it adds
only before the defender's first act (D13).

Each question has a goal, and yes or no for an answer (UNKNOWN if time ran out): can the attacker of the bout bring it
about that the other is the fool (WIN), or at least that it is not the fool itself (HOLD)? One good move, or one good
answer, settles it. Looking for the best of win, draw and loss took more than ten times as many positions wherever a
draw was possible.

Transfers can go round for ever: two sides may hand the same cards to and fro. So the search counts bouts, and what lies
behind the limit is taken for a draw: WIN is true then and HOLD false, whatever the limit; and what no limit decides is
a draw.

Cards are bits of a number, the cheapest first: tried in that order a search ends 10 to 70 times sooner.
"""

from micropython import const

HOLD = const(0)
WIN = const(1)
UNKNOWN = const(9)
_MOST = const(31)  # cards in both hands: two such rows of bits make the key of a position
_ROW = const(32)
# What is known of an opening, a bit each: the answer to WIN, and to HOLD.
_WINS, _WINS_NOT, _HOLDS, _HOLDS_NOT = const(1), const(2), const(4), const(8)

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
_KNOWN: dict = {}  # what is known of each position in which a bout is opened, whatever the limit
_TRIED: dict = {}  # twice the position and the goal: how many bouts were left when the limit gave the answer


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


def opening_reaches(own: int, other: int, goal: int) -> int:
    """For the side that opens a bout; both have cards."""
    key = own | other << _RULES[0]
    known = _KNOWN.get(key, 0)
    answer = answer_of(known, goal)
    if answer != UNKNOWN:
        return answer
    left = _BOUTS[1] - _BOUTS[0]
    if left <= 0 or _TRIED.get(2 * key + goal, 0) >= left:
        _CUTS[0] += 1
        return 1 - goal
    if spend():
        return UNKNOWN
    before = _CUTS[0]
    _BOUTS[0] += 1
    answer = find_opening(own, other, goal)
    _BOUTS[0] -= 1
    if answer == UNKNOWN:
        return UNKNOWN
    if answer == goal or before == _CUTS[0]:  # no draw that was assumed helps to WIN, or to fail to HOLD
        if goal == WIN:
            _KNOWN[key] = known | (_WINS if answer else _WINS_NOT)
        else:
            _KNOWN[key] = known | (_HOLDS if answer else _HOLDS_NOT)
    else:
        _TRIED[2 * key + goal] = left
    return answer


def find_opening(own: int, other: int, goal: int) -> int:
    """Whether any card does it for the side that opens."""
    for index in range(_RULES[0]):
        if own >> index & 1:
            bit = 1 << index
            answer = attack_reaches(own ^ bit, other, bit, bit, 1, 0, 0, goal)
            if answer:
                return answer
    return 0


def attack_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, taken: int, is_first: int, goal: int
) -> int:
    """For the attacker, who may add a card or say done. is_first: the bout in which the solving began."""
    answer = done_reaches(own, other, table, unbeaten, attacks, taken, is_first, goal)
    if answer or (_RULES[4] and unbeaten != table):
        return answer
    if attacks >= limit_of(taken, is_first) or count_bits(unbeaten) >= count_bits(other):
        return 0
    ranks = ranks_on(table)
    for index in range(_RULES[0]):
        if own >> index & 1 and ranks >> _RANK_AT[index] & 1:
            answer = adding_reaches(own, other, table, unbeaten, attacks, taken, is_first, index, goal)
            if answer:
                return answer
    return 0


def ranks_on(table: int) -> int:
    """D14: the ranks that lie on the table, a bit each."""
    ranks = 0
    for index in range(_RULES[0]):
        if table >> index & 1:
            ranks |= 1 << _RANK_AT[index]
    return ranks


def adding_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, taken: int, is_first: int, index: int, goal: int
) -> int:
    """For the attacker after it has laid that card."""
    bit = 1 << index
    own ^= bit
    table |= bit
    unbeaten |= bit
    attacks += 1
    if taken:
        return taking_reaches(own, other, table, unbeaten, attacks, is_first, goal)
    return attack_reaches(own, other, table, unbeaten, attacks, 0, is_first, goal)


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
    if can_transfer(own, table, unbeaten, attacks, is_first):
        ranks = ranks_on(table)
        for index in range(_RULES[0]):
            if other >> index & 1 and ranks >> _RANK_AT[index] & 1:
                answer = transfer_reaches(own, other, table, unbeaten, attacks, is_first, index, goal)
                if answer != 1:
                    return answer
    return taking_reaches(own, other, table, unbeaten, attacks, is_first, goal)


def beats_reach(own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, goal: int) -> int:
    """For the attacker, whatever the defender covers; yes if nothing can be beaten."""
    for target in range(_RULES[0] - 1, -1, -1):
        if unbeaten >> target & 1:
            for index in range(_RULES[0]):
                if other >> index & 1 and _FITS[target * _ROW + index]:
                    answer = beating_reaches(own, other, table, unbeaten, attacks, is_first, index, target, goal)
                    if answer != 1:
                        return answer
    return 1


def beating_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, index: int, target: int, goal: int
) -> int:
    """For the attacker after the defender has covered the target."""
    bit = 1 << index
    other ^= bit
    table |= bit
    unbeaten ^= 1 << target
    if not unbeaten and (attacks >= limit_of(0, is_first) or not other or not own):
        return end_reaches(own, other, table, 0, goal)
    return attack_reaches(own, other, table, unbeaten, attacks, 0, is_first, goal)


def taking_reaches(own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, goal: int) -> int:
    """For the attacker after the defender has said take, or after one more card since."""
    if _RULES[4] or attacks >= limit_of(1, is_first) or count_bits(unbeaten) >= count_bits(other) or not own:
        return end_reaches(own, other, table, 1, goal)
    return attack_reaches(own, other, table, unbeaten, attacks, 1, is_first, goal)


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


def transfer_reaches(
    own: int, other: int, table: int, unbeaten: int, attacks: int, is_first: int, index: int, goal: int
) -> int:
    """For the attacker, who is the defender from now on."""
    bit = 1 << index
    return turned(attack_reaches(other ^ bit, own, table | bit, unbeaten | bit, attacks + 1, 0, is_first, 1 - goal))


def end_reaches(own: int, other: int, table: int, taken: int, goal: int) -> int:
    """For the attacker after the bout: D20, D21, D39, D40."""
    if taken:
        return opening_reaches(own, other | table, goal) if own else 1
    if not own:
        return 1 if other or goal == HOLD else 0
    if not other:
        return 0
    return turned(opening_reaches(other, own, 1 - goal))
