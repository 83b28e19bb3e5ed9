"""Prizes in whole units: what is paid out is the pool, and nobody below gets more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host_tools.base.errors import UnusableInput
from host_tools.club.tournament.prizes import divide, find_prizes, money
from host_tools.club.tournament.standings import Row
from host_tools.club.tournament.typed import read_money

SHARES = st.lists(st.integers(0, 1000), min_size=1, max_size=12)


@given(st.integers(0, 10**12), SHARES)
def test_nothing_of_the_pool_is_lost(pool, shares):
    parts = divide(pool, shares)
    assert sum(parts) == (pool if any(shares) else 0) and min(parts) >= 0


@given(st.integers(0, 10**9), st.lists(st.integers(1, 1000), min_size=1, max_size=8),
       st.lists(st.booleans(), min_size=1, max_size=20))
def test_shared_ranks_share_and_the_sum_is_the_pool(pool, shares, shared):
    rows = []
    for at, same in enumerate(shared):
        rank = rows[-1].rank if same and rows else at + 1
        rows.append(Row(f"p{at:02}", rank))
    shares.sort(reverse=True)
    found = find_prizes(pool, shares, rows)
    assert sum(found.values()) == pool
    for rank in {row.rank for row in rows}:
        got = [found.get(row.name, 0) for row in rows if row.rank == rank]
        assert max(got) - min(got) <= 1
    ordered = [found.get(row.name, 0) for row in rows]
    assert all(later <= earlier + 2 for earlier, later in zip(ordered, ordered[1:], strict=False))


def test_money_is_read_and_written():
    assert read_money("12.5") == 1250 and read_money("0") == 0 and money(1250) == "12.50"
    for text in ("", "-1", "1.234", "x", "9" * 13, "1e3", "１"):
        with pytest.raises(UnusableInput, match="no sum of money"):
            read_money(text)
