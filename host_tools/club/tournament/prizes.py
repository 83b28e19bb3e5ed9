"""Divides the prize pool in whole units of money: the prizes add up to the pool, to the last cent."""

from __future__ import annotations

from collections.abc import Sequence

from host_tools.club.tournament.standings import Row, hundredths
from host_tools.club.tournament.state import State


def count_pool(state: State) -> int:
    """The fees of all who have paid, and what was added."""
    plan = state.the_plan()
    return plan.added + plan.fee * sum(entrant.has_paid for entrant in state.players.values())


def divide(pool: int, shares: Sequence[int]) -> list[int]:
    """The pool in proportion to the shares; the units that are left go to the first places, one each."""
    whole = sum(shares)
    if not whole:
        return [0] * len(shares)
    parts = [pool * share // whole for share in shares]
    for at in range(pool - sum(parts)):
        parts[at] += 1
    return parts


def find_prizes(pool: int, shares: Sequence[int], rows: Sequence[Row]) -> dict[str, int]:
    """What each player gets. Who shares a rank shares the prizes of the places that it takes; units that cannot be
    divided go one each, in the order of the names."""
    parts = divide(pool, list(shares)[: len(rows)])
    found: dict[str, int] = {}
    for rank in sorted({row.rank for row in rows}):
        names = sorted(row.name for row in rows if row.rank == rank)
        together = sum(parts[rank - 1 : rank - 1 + len(names)])
        each, left = divmod(together, len(names))
        for at, name in enumerate(names):
            if each or at < left:
                found[name] = each + (at < left)
    return found


def money(units: int) -> str:
    """`12.50`: hundredths behind the point."""
    return hundredths(units)
