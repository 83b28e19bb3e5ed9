"""Plays Cal's BS as a beginner, by the advice of C18: bluff 40-60 %, doubt 10-30 %, early bluffs and late truths.

A set is planned as a whole and then tapped card by card: the plan follows from what lies and what the seat holds, so
each tap finds the same plan again, until somebody else is quicker.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardtable.engine.deck import JOKER, RANK
from cardtable.engine.event import find_verb, pack
from cardtable.games import cals_bs
from host_tools.minds.players.pace import HARD, NORMAL, RACE, TAP, Pace
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.sight.seen import Player, Seen
from host_tools.base.random_play import Random

_LAY, _UNLAY, _CLAIM, _FOURS, _PLUS, _OUT, _PASS, _DOUBT, _BELIEVE = (
    find_verb(cals_bs, name) for name in ("lay", "unlay", "claim", "fours", "plus", "out", "pass", "doubt", "believe")
)


@dataclass(frozen=True)
class Rates:
    """How often a seat bluffs where it could be truthful, of 100 times: early, and with few cards left (C18)."""

    early: int = 52
    late: int = 16


# Of 100, unless it says otherwise.
_LATE = 7  # so many cards left, or fewer
_FOLLOWS_FALSELY = 13  # of the times that it has no card of the rank
_BLUFFS_A_PLUS = 12
_DOUBTS = 8
_DOUBTS_WHERE_IT_HOLDS = 9  # more for each card of the rank in its own hand
_DOUBTS_A_LONG_SET = 8  # more for three cards or more
_DOUBTS_NEAR_THE_END = 25  # more when the seat that laid is about to go out
_NEAR_THE_END = 3  # cards
_DECLARES_OUT = 30
_COUNTS = 40  # where all lay in turn: who counts each time between two players never lets the other go out
_BELIEVES = 60  # where it has no card of the rank


@dataclass(frozen=True)
class Plan:
    """A set to lay: its cards, and the verb with its rank or number, packed; without cards, a pass or a doubt."""

    cards: tuple[int, ...]
    word: int


def play_cals_bs(player: Player, seen: Seen) -> tuple[int, Pace] | None:
    """The move and how long to think; None: no move now."""
    if not seen.is_waited_for:
        return None
    table = CalsBsTable(seen)
    draw = player.chance(table.leader, table.last, table.claim, table.pile, table.laid, table.laid_ms, table.held)
    doubt = seen.named(_DOUBT)
    if doubt and doubts(seen, table, draw):
        return doubt[0], RACE
    out = seen.named(_OUT)
    if out and table.held[seen.seat] <= _LATE and draw.below(100) < _DECLARES_OUT:
        return out[0], NORMAL
    believe = believes(seen, table, draw)
    if believe:
        return believe, HARD
    plan = plan_set(seen, table, draw)
    done = carry_out(plan, seen, table) if plan else None
    if done:
        return done
    passes = seen.named(_PASS)
    return (passes[0], HARD) if passes else None


def believes(seen: Seen, table: CalsBsTable, draw: Random) -> int:
    """C20: the move that believes the last set, where it would rather do so than lie on it; 0: none."""
    found = seen.named(_BELIEVE)
    has_rank = any(RANK[card] in table.claims for card in (*seen.hand, *table.staged))
    return found[0] if found and not has_rank and draw.below(100) < _BELIEVES else 0


def carry_out(plan: Plan, seen: Seen, table: CalsBsTable) -> tuple[int, Pace] | None:
    """The next tap of the plan, or its word once all of its cards are tapped; None if that would be refused."""
    for card in table.staged if plan.cards else ():
        if card not in plan.cards:
            return pack(_UNLAY, card), TAP
    for card in plan.cards:
        if card not in table.staged:
            return pack(_LAY, card), TAP
    return (plan.word, NORMAL) if plan.word in seen.moves else None


def plan_set(seen: Seen, table: CalsBsTable, draw: Random, rates: Rates = Rates()) -> Plan | None:  # noqa: B008
    """The set to lay now; None: it passes."""
    cards = [*seen.hand, *table.staged]
    cards.sort()
    if table.last == seen.seat or seen.waits[seen.seat] == cals_bs.WAIT_DOUBT:
        return None
    if table.last and (table.is_fours or table.is_joker_claimed or table.is_higher):
        return plan_plus(cards, table, draw)
    if table.is_bound:
        return plan_bound(cards, table, draw, rates)
    if not table.last:
        return plan_lead(cards, table, draw, rates)
    return plan_follow(cards, table, draw, rates)


def by_rank(cards: list[int]) -> dict[int, list[int]]:
    """The plain cards of each rank."""
    return {rank: [card for card in cards if RANK[card] == rank] for rank in range(JOKER)}


def find_garbage(cards: list[int], table: CalsBsTable, kept: int) -> list[int]:
    """Cards to get rid of by a bluff: singles before pairs, never all fours, jokers or the rank that is claimed."""
    ranks = by_rank(cards)
    ordered = sorted(ranks, key=lambda rank: (len(ranks[rank]), rank))
    return [card for rank in ordered if rank != kept and len(ranks[rank]) < table.of_a_kind for card in ranks[rank]]


def bluffs(cards: list[int], draw: Random, rates: Rates) -> bool:
    """Whether it is in the mood: often early, seldom late."""
    return draw.below(100) < (rates.late if len(cards) <= _LATE else rates.early)


def lead_plainly(cards: list[int], table: CalsBsTable) -> Plan | None:
    """All fours that it holds, or the last cards as one true set; None where there is more to choose."""
    ranks = by_rank(cards)
    held = [rank for rank in table.ranks if ranks[rank]]
    whole = [card for rank in held if len(ranks[rank]) == table.of_a_kind for card in ranks[rank]]
    if whole and not table.pile and table.has_extras:
        return Plan(tuple(whole), pack(_FOURS))
    if len(held) <= 1 and len(cards) <= table.limit:
        return Plan(tuple(cards), pack(_CLAIM, target=held[0] if held else table.ranks[0]))
    return None


def plan_lead(cards: list[int], table: CalsBsTable, draw: Random, rates: Rates) -> Plan:
    """All fours, the last true set, a bluff on a rank that it holds, or the rank that it has most of."""
    ranks = by_rank(cards)
    jokers = [card for card in cards if RANK[card] == JOKER]
    held = [rank for rank in table.ranks if ranks[rank]]
    plain = lead_plainly(cards, table)
    if plain is not None:
        return plain
    rank = max(held, key=lambda rank: (len(ranks[rank]) % table.of_a_kind, -rank)) if held else table.ranks[0]
    true = ranks[rank] or jokers
    garbage = find_garbage(cards, table, rank)
    count = min(len(true), len(garbage), table.limit)
    if count and count < len(cards) and bluffs(cards, draw, rates):
        return Plan(tuple(garbage[:count]), pack(_CLAIM, target=rank))
    return Plan(tuple(true[: table.limit]), pack(_CLAIM, target=rank))


def plan_bound(cards: list[int], table: CalsBsTable, draw: Random, rates: Rates) -> Plan | None:
    """C19, C5: a set where only some ranks may follow, or where every seat has to lay: the rank that it has most of, or
    something else in its place; never the last cards falsely, as long as it holds others (C9)."""
    ranks = by_rank(cards)
    rank = max(table.claims, key=lambda one: (len(ranks[one]), -one))
    word = pack(_CLAIM, target=rank)
    true = ranks[rank]
    if len(true) + sum(RANK[card] == JOKER for card in cards) == len(cards) <= table.limit:
        return Plan(tuple(cards), word)
    if table.is_rising:
        last = [card for card in cards if turns_until(table, card) == 1]
        if last and 0 < len(cards) - len(last) <= table.of_a_kind:  # what is left goes out truly in its next turn
            return Plan(tuple(card for card in cards if card not in last), word)
    if true and not bluffs(cards, draw, rates):
        return Plan(tuple(true[: table.limit]), word)
    if not true and table.last and not table.must_lay and draw.below(100) >= _FOLLOWS_FALSELY:
        return None
    others = find_garbage(cards, table, rank)
    if table.is_rising or not others:
        others = sorted((card for card in cards if card not in true), key=lambda card: -turns_until(table, card))
    most = min(len(others), table.limit, max(1, len(cards) - 1), len(true) or 1 + draw.below(2))
    return Plan(tuple(others[:most]), word)


def turns_until(table: CalsBsTable, card: int) -> int:
    """C19: at which of its coming turns the seat may claim the rank of the card, if all lay in turn; a joker always."""
    if RANK[card] == JOKER:
        return 0
    ranks = len(table.ranks)
    ahead = (table.ranks.index(RANK[card]) - table.ranks.index(table.claims[0])) % ranks
    seats = max(1, sum(held > 0 for held in table.held))
    return next((turn for turn in range(ranks) if turn * seats % ranks == ahead), ranks)


def plan_follow(cards: list[int], table: CalsBsTable, draw: Random, rates: Rates) -> Plan | None:
    """The rank that is asked for, or something else in its place; jokers only to go out."""
    word = pack(_CLAIM, target=table.claim)
    true = [card for card in cards if RANK[card] == table.claim]
    jokers = [card for card in cards if RANK[card] == JOKER]
    if len(true) + len(jokers) == len(cards) <= table.limit:
        return Plan(tuple(cards), word)
    garbage = find_garbage(cards, table, table.claim)
    is_bluff = bluffs(cards, draw, rates) if true else draw.below(100) < _FOLLOWS_FALSELY
    if is_bluff:
        # Never more than can be true: no other hand has the cards that it holds.
        count = min(len(true) or 1 + draw.below(2), max(1, table.of_a_kind - table.laid), len(garbage))
        return Plan(tuple(garbage[:count]), word) if 0 < count < len(cards) else None
    return Plan(tuple(true[: table.limit]), word) if true and len(true) < table.of_a_kind else None


def plan_plus(cards: list[int], table: CalsBsTable, draw: Random) -> Plan | None:
    """C13: on all fours seldom one card, and mostly a false one: jokers are kept. Where nobody passes (C5) always."""
    is_several = table.plus_is_higher and table.laid > table.of_a_kind and table.is_fours
    if is_several or not table.must_lay and draw.below(100) >= _BLUFFS_A_PLUS:
        return None
    number = table.plus or (1 + draw.below(3) if table.plus_is_higher else 1)
    garbage = find_garbage(cards, table, JOKER)
    if table.must_lay:
        return Plan(((garbage or cards)[0],), pack(_PLUS, target=number))
    if not garbage or len(cards) == 1:
        return None
    return Plan((garbage[0],), pack(_PLUS, target=number))


def doubts(seen: Seen, table: CalsBsTable, draw: Random) -> bool:
    """Whether it doubts the last set: always what its own hand disproves, else now and then."""
    cards = [*seen.hand, *table.staged]
    jokers = sum(RANK[card] == JOKER for card in cards)
    all_jokers = sum(1 for card, place in enumerate(seen.view[: seen.game.CARDS]) if place and RANK[card] == JOKER)
    others_jokers = all_jokers - jokers
    chance = _DOUBTS
    if table.is_joker_claimed:
        if not others_jokers:
            return True
    elif not table.is_higher:
        own = sum(RANK[card] == table.claim for card in cards)
        if table.laid > table.of_a_kind - own + others_jokers:
            return not table.must_lay or draw.below(100) < _COUNTS
        chance += _DOUBTS_WHERE_IT_HOLDS * own
    if table.laid > 2:
        chance += _DOUBTS_A_LONG_SET
    if table.held[table.last] <= _NEAR_THE_END:
        chance += _DOUBTS_NEAR_THE_END
    if table.must_lay:
        chance //= 2  # a lie is often forced there, and many have to pass unseen or no hand would ever be empty
    return draw.below(100) < chance
