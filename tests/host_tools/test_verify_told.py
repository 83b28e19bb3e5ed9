"""How `cardtable verify` tells what it found (T12): which lines, in which words, and what stands behind the last seal."""

import pytest

from host_tools.judge.records.verify import CHANGED, CUT, Finding, verify
from tests.host_tools.test_verify import GAME, KEY, SEALS, joined


def changed(*ranges):
    """A finding of these lines."""
    finding = Finding(CUT)
    for first, last in ranges:
        finding.change(first, last)
    return finding


def test_lines_that_follow_each_other_are_one_range():
    """Those between which one is right are two."""
    assert changed((3, 4), (5, 6)).changed == [(3, 6)]
    assert changed((3, 4), (6, 6)).changed == [(3, 4), (6, 6)]
    assert changed((3, 4), (8, 8), (9, 9)).changed == [(3, 4), (8, 9)]


@pytest.mark.parametrize(("ranges", "told"), [
    ([(7, 7)], "line 7"), ([(7, 8)], "lines 7-8"), ([(7, 7), (9, 9)], "lines 7 and 9"),
    ([(3, 4), (9, 9)], "lines 3-4 and 9"), ([(3, 3), (8, 9)], "lines 3 and 8-9"),
])
def test_lines_are_told_as_people_say_them(ranges, told):
    assert changed(*ranges).ranges() == told


def test_t12_one_line_that_is_missing_or_too_many_is_told_as_one():
    """The seal's numbers say it."""
    lines = GAME.lines[:40] + GAME.lines[41:]
    assert verify(joined(lines), KEY).notes == [f"before line {SEALS[1] - 1} 1 line is missing"]
    lines = GAME.lines[:40] + [b"; one"] + GAME.lines[40:]
    assert verify(joined(lines), KEY).notes == [f"before line {SEALS[1] + 1} 1 line is too many"]


@pytest.mark.parametrize("key", [KEY, None])
def test_t12_a_record_without_a_seal_is_of_no_wrong_key(key):
    """Nothing was sealed yet that a key could fit."""
    finding = verify(joined(GAME.lines[: SEALS[0] - 1]), key)
    assert (finding.kind, finding.notes, finding.sealed) == (CUT, [], 0)


@pytest.mark.parametrize("key", [KEY, None])
def test_t12_whatever_stands_behind_the_last_seal_is_not_the_tables(key):
    """Not even what looks like a seal, or is an old one."""
    end = len(GAME.lines)
    for more in ([b"; played on"], [GAME.lines[SEALS[0] - 1]], [b"; more", GAME.lines[SEALS[0] - 1], GAME.lines[-1]]):
        finding = verify(joined(GAME.lines + more), key)
        assert (finding.kind, finding.changed) == (CHANGED, [(end + 1, end + len(more))])
        assert finding.sealed == end and finding.notes[-1] == f"the table's record ends with line {end}"
    finding = verify(GAME.record + b"; torn", key)
    assert (finding.kind, finding.changed) == (CHANGED, [(end + 1, end + 1)])
