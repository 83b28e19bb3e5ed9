"""Plays Bailiff as a beginner: the lowest rank that stands, whole raises only, aces last."""

from __future__ import annotations

from cardtable.engine.deck import ACE, RANK
from cardtable.engine.event import find_verb
from cardtable.games import bailiff
from host_tools.minds.players.pace import HARD, NORMAL, TAP, Pace
from host_tools.judge.facts.bailiff import BailiffTable
from host_tools.sight.seen import Player, Seen

_LAY, _UNLAY, _TAKE, _DONE = (find_verb(bailiff, name) for name in ("lay", "unlay", "take", "done"))
_WHOLE_RANK = 4
_CHANGES_ITS_MIND = 12  # of 100 times that it has a choice


def play_bailiff(player: Player, seen: Seen) -> tuple[int, Pace] | None:
    """The move and how long to think; None: no move now."""
    if not seen.is_waited_for:
        return None
    table = BailiffTable(seen)
    lays = seen.named(_LAY)
    if table.is_one_more or table.begun:
        return go_on(seen, lays)
    ranks = [RANK[card] for card in seen.hand]
    front = RANK[table.front[0]] if table.front else -1
    playable = [move for move in lays if ranks.count(rank_of(move)) >= count_needed(rank_of(move), front, table)]
    if playable:
        playable.sort(key=lambda move: (rank_of(move), move))
        # A second choice now and then: two seats that always play alike could pass the same cards round for ever (B13).
        draw = player.chance(seen.moment_ms, seen.view)
        higher = [move for move in playable if rank_of(move) > rank_of(playable[0])]
        if higher and draw.below(100) < _CHANGES_ITS_MIND:
            return higher[0], NORMAL
        return playable[0], NORMAL
    take = seen.named(_TAKE)
    return (take[0], HARD) if take else None


def go_on(seen: Seen, lays: list[int]) -> tuple[int, Pace] | None:
    """The next card of a raise that was begun, or one more of a complete one (B7)."""
    if lays:
        return lays[0], TAP
    for verb in (_DONE, _UNLAY, _TAKE):
        if seen.named(verb):
            return seen.named(verb)[0], NORMAL
    return None


def rank_of(move: int) -> int:
    """The rank of a move's card."""
    return RANK[move >> 8 & 255]


def count_needed(rank: int, front: int, table: BailiffTable) -> int:
    """B5, B6, B8: how many cards of that rank it takes now."""
    if rank == front or front < 0:
        return 1
    return 1 if rank == ACE and len(table.front) < _WHOLE_RANK else len(table.front)
