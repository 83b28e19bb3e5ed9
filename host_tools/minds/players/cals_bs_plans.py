"""The sets that a seat of Cal's BS could lay now, each as a whole: its cards, and what is said with them."""

from __future__ import annotations

from cardtable.engine.deck import JOKER, RANK
from cardtable.engine.event import NO_CARD, find_verb, pack
from cardtable.games import cals_bs
from host_tools.minds.players.beginner_cals_bs import Plan, by_rank, find_garbage, lead_plainly
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.sight.seen import Seen

_CLAIM, _PLUS, _PASS, _DOUBT = (find_verb(cals_bs, name) for name in ("claim", "plus", "pass", "doubt"))


def list_plans(seen: Seen, table: CalsBsTable) -> list[Plan]:
    """Every plan worth a thought."""
    cards = sorted([*seen.hand, *table.staged])
    plans = [Plan((), move) for move in seen.moves if move >> 16 in (_PASS, _DOUBT)]
    if not table.last:
        return plans + plan_leads(cards, table)
    if table.last == seen.seat or not any(move >> 16 == _PASS for move in seen.moves):
        return plans
    if table.is_fours or table.is_joker_claimed or table.is_higher:
        return plans + plan_plusses(cards, table)
    return plans + plan_follows(cards, table)


def plan_leads(cards: list[int], table: CalsBsTable) -> list[Plan]:
    """All fours, each rank truly, and bluffs on ranks that it has."""
    ranks = by_rank(cards)
    jokers = [card for card in cards if RANK[card] == JOKER]
    held = [rank for rank in table.ranks if ranks[rank]]
    plain = lead_plainly(cards, table)
    if plain is not None:
        return [plain]
    plans = []
    for rank in held:
        word = pack(_CLAIM, NO_CARD, rank)
        true = ranks[rank][: table.limit]
        plans.append(Plan(tuple(true), word))
        garbage = find_garbage(cards, table, rank)[: len(true)]
        if garbage and len(garbage) < len(cards):
            plans.append(Plan(tuple(garbage), word))
    if not plans:
        plans = [Plan((jokers[0],), pack(_CLAIM, NO_CARD, table.ranks[0]))]
    return plans


def plan_follows(cards: list[int], table: CalsBsTable) -> list[Plan]:
    """The rank that is asked for, truly, with jokers, or falsely."""
    word = pack(_CLAIM, NO_CARD, table.claim)
    true = [card for card in cards if RANK[card] == table.claim]
    jokers = [card for card in cards if RANK[card] == JOKER]
    if len(true) + len(jokers) == len(cards) <= table.limit:
        return [Plan(tuple(cards), word)]
    plans = [Plan(tuple(true[: table.limit]), word)] if true else []
    garbage = find_garbage(cards, table, table.claim)
    for count in sorted({1, min(2, len(garbage)), min(len(true), len(garbage))} - {0}):
        if count <= len(garbage) and count < len(cards) and count <= table.limit:
            plans.append(Plan(tuple(garbage[:count]), word))
    return plans


def plan_plusses(cards: list[int], table: CalsBsTable) -> list[Plan]:
    """C13: one false card on all fours, or a joker; where several ranks were laid, nothing (C13b)."""
    if len(cards) == 1 or (table.plus_is_higher and table.laid > table.of_a_kind and table.is_fours):
        return []
    word = pack(_PLUS, NO_CARD, table.plus or 1)
    garbage = find_garbage(cards, table, JOKER)[:1]
    jokers = [card for card in cards if RANK[card] == JOKER][:1]
    return [Plan((card,), word) for card in garbage + jokers]
