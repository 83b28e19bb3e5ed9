"""How `cardtable verify` tells what it found (T12): which lines, in which words, what stands behind the last seal."""

import pytest

from host_tools.judge.records.verify import CHANGED, CUT, NO_RECORD, Finding, verify
from tests.host_tools.sealed_games import GAME, KEY, SEALS, joined, reseal


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
    ([(3, 3), (8, 9), (12, 12)], "lines 3, 8-9 and 12"),
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


def test_t12_a_change_before_the_last_seal_is_told_apart_from_what_stands_behind_it():
    """That the record ends there is said only if something comes behind."""
    end = len(GAME.lines)
    for at, ranges in ((1, [(1, SEALS[0]), (end + 1, end + 1)]), (end - 3, [(SEALS[-2] + 1, end + 1)])):
        lines = [*GAME.lines[:at], b"; edited", *GAME.lines[at + 1:]]
        told = verify(joined(lines), KEY)
        assert told.kind == CHANGED and not any("ends with line" in note for note in told.notes)
        told = verify(joined([*lines, b"; more"]), KEY)
        assert told.changed == ranges and told.notes[-1] == f"the table's record ends with line {end}"


def test_t12_behind_a_forged_seal_the_tables_own_vouch_again():
    """The lines are counted on as the table counted them."""
    at = SEALS[1] - 1
    forged = GAME.lines[at][:-1] + (b"0" if GAME.lines[at][-1:] != b"0" else b"1")
    told = verify(joined([*GAME.lines[:at], forged, *GAME.lines[at + 1:]]), KEY)
    assert (told.kind, told.changed, told.sealed) == (CHANGED, [(SEALS[0] + 1, SEALS[1])], SEALS[0])
    assert told.notes == []


def test_t12_a_record_without_a_nonce_is_signed_by_nobody():
    """A forger leaves it out, so that no key of a game can be found."""
    record, _ = reseal([line for line in GAME.lines if not line.startswith(b"nonce: ")], bytes(32))
    told = verify(record, KEY)
    assert told.kind == CHANGED and told.changed == [(1, told.lines)]
    assert told.notes == ["not one seal is of this key and nonce: another table's record, or sealed by a forger"]


def test_t12_what_has_no_first_line_of_a_record_is_none():
    """However well it is sealed."""
    for record in (joined(GAME.lines[1:]), b"", b"\n", joined(GAME.lines[:3])):
        told = verify(record, KEY)
        assert told.kind == NO_RECORD and told.notes[0].startswith("it does not begin with `cardtable 1` and a header")
