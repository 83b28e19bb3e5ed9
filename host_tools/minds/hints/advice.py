"""Finds the play that a hint names, how good it is, and the next best: solved where the end is open, else by guesses.

Everything follows from `Seen`, so a hint knows no more than its seat, and the same position has the same hint. The work
is bounded by the number of guesses and, on a slow machine, by time.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

from cardtable.engine.event import find_verb
from cardtable.games import cals_bs
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.minds.analysis.chances import Bearing, is_checked_for
from host_tools.minds.analysis.judge import enact_of, percent
from host_tools.minds.players.beginner_cals_bs import Plan, carry_out
from host_tools.minds.players.cals_bs_plans import list_plans
from host_tools.minds.players.rollouts import compare
from host_tools.minds.players.search import (
    Search, leave_out_vain, list_moves, list_waiting, solve_open_end,
)
from host_tools.minds.players.worlds import can_guess, make_worlds
from host_tools.sight.seen import Seen

CHOOSING, MEASURING = 64, 96  # guesses by which a play is chosen, and others by which it is measured
LIMIT_MS = 2_500  # for each of the two, on a slow machine
_DOUBT = find_verb(cals_bs, "doubt")


@dataclass
class Advice:
    """The play of a hint. `packed`: the act to do next, one of `seen.moves`; None: to wait is best. `plan`: in Cal's BS
    the whole set that it begins. Chances in percent, -1 where nobody can say; `other`: the next best play."""

    packed: int | None
    plan: Plan | None = None
    chance: float = -1.0
    other: Any = None
    other_chance: float = -1.0
    is_clear: bool = False  # better than the other by more than the guesses' luck
    is_exact: bool = False  # solved: the chances are 0, 50 (a draw) or 100
    is_only: bool = False  # there is nothing else to do
    lie: float = -1.0  # Cal's BS: how likely the last set is false


def advise(seen: Seen) -> Advice | None:
    """The advice for a seat that the table waits for; None: there is nothing to advise."""
    if not can_guess(seen.game) or not seen.is_waited_for:
        return None
    search = Search(seen.game, seen.seat, seen.seats, 0)
    if seen.game is cals_bs:
        return _advise_set(seen, search)
    waiting = list_waiting(seen)
    moves = leave_out_vain(seen, list_moves(seen)) + waiting
    if not moves:
        return None
    if len(moves) == 1:
        return Advice(_act(moves[0], waiting), is_only=True)
    worlds = make_worlds(seen, search.memory)
    solved = solve_open_end(seen, worlds, moves)
    found = _from_values(solved) if solved else _by_guesses(worlds, moves, _advised(search, seen, moves))
    found.packed = _act(found.packed, waiting)
    if not solved and not is_checked_for(seen):
        found.chance = -1.0
    return found


def _act(move: int | None, waiting: list[int]) -> int | None:
    """The move, or None for one that the table does not take: to leave things as they are."""
    return None if move in waiting else move


def _advised(search: Search, seen: Seen, moves: list[int]) -> Any:
    """What the advice for beginners says, if it is one of the moves."""
    said = search.ask_adviser(seen)
    return said if said in moves else None


def _from_values(values: dict[int, int]) -> Advice:
    """Of solved moves: 1 not the fool, 0 a draw, -1 the fool."""
    best = max(values, key=lambda move: values[move])
    rest = [move for move in values if move != best]
    other = max(rest, key=lambda move: values[move])
    return Advice(best, chance=50.0 + 50 * values[best], other=other, other_chance=50.0 + 50 * values[other],
                  is_clear=values[best] > values[other], is_exact=True)


def _by_guesses(worlds: Any, moves: list[Any], advice: Any, trust: float = 1.0) -> Advice:
    """The best move; the advised one, unless another is better by more than luck."""
    enact = enact_of(worlds)
    seed = zlib.crc32(repr((worlds.seen.moment_ms, worlds.seen.view)).encode())
    judged = compare(worlds, moves, enact, seed, CHOOSING, LIMIT_MS)
    first = judged[0]
    for one in judged:
        if one.move == advice and not one.is_clearly_worse(first, trust):
            first = one
    second = next(one for one in judged if one is not first)
    pair = [first.move, second.move]
    told = {id(one.move): one for one in compare(worlds, pair, enact, seed + 1, MEASURING, LIMIT_MS, is_racing=False)}
    best, other = told[id(pair[0])], told[id(pair[1])]
    if best.is_clearly_worse(other, trust):
        best, other = other, best
    bearing = Bearing.of([*best.scores, *other.scores], worlds)
    chance, other_chance = (percent(worlds, one, enact, bearing)[0] for one in (best, other))
    return Advice(best.move, chance=chance, other=other.move, other_chance=other_chance,
                  is_clear=chance > other_chance and other.is_clearly_worse(best, 2.0))


def _advise_set(seen: Seen, search: Search) -> Advice | None:
    """Cal's BS: a whole set, then its taps. No playout knows Cheat and Ne veryu: there the advice alone."""
    table = CalsBsTable(seen)
    if table.is_bound:
        advised = search.adviser.advise(seen)
        return Advice(advised[0] if advised and advised[0] in seen.moves else None)  # it waits, if it has no doubt
    plans, plan = list_plans(seen, table), search.adviser.plan(seen, table)
    if plan is not None and plan.cards and plan not in plans:
        plans = [*plans, plan]
    plans = [one for one in plans if (done := carry_out(one, seen, table)) and done[0] in seen.moves]
    if not plans:
        return None
    worlds = make_worlds(seen, search.memory)
    if len(plans) == 1:
        found = Advice(None, is_only=True)
        chosen = plans[0]
    else:
        found = _by_guesses(worlds, plans, plan if plan in plans else None, 2.0)
        chosen = found.packed  # type: ignore[assignment]
    found.plan, found.lie = chosen, worlds.lie
    if not is_checked_for(seen):
        found.chance = -1.0
    done = carry_out(chosen, seen, table)
    found.packed = done[0] if done else None
    return found
