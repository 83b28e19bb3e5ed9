"""What a table has learned of its readers is kept in a file, begins with the power, and is compared in play."""

import os
from types import SimpleNamespace

import pytest

from cardtable.between import health, learned
from cardtable.table.readers import AWAY_MS, MOST_AWAY_MS

RUNS_ON = "cpython"  # files in a folder of the test's own


class Bus:
    baudrate = 1_000_000

    def init(self, baudrate):
        self.baudrate = baudrate


@pytest.fixture
def readers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chips = [SimpleNamespace(gain=6, reads=0, garbled=0, silent=0, restarts=0) for _ in range(3)]
    return SimpleNamespace(chips=chips, buses=((Bus(), 1_000_000),), halvings=0, calm_ms=AWAY_MS,
                           away_ms=[AWAY_MS] * 3, missed=[0] * 3)


def test_what_was_learned_is_there_after_a_power_up(readers):
    found = learned.Learned(3)
    found.date, found.halvings, found.away_ms = "2026-03-01", 1, 4800
    found.gains, found.reads = [6, 7, -1], [100, 99, -1]
    learned.write(found)
    assert os.listdir() == ["learned.txt"]
    again = learned.read(3)
    assert (again.date, again.gains, again.reads) == ("2026-03-01", [6, 7, -1], [100, 99, -1])
    learned.apply(readers)
    assert readers.buses[0][0].baudrate == 500_000 and readers.halvings == 1
    assert readers.calm_ms == 4800 and readers.away_ms == [4800] * 3
    assert [chip.gain for chip in readers.chips] == [6, 7, 6]


@pytest.mark.parametrize("text", ["", "\n\n", "reader", "reader x gain y reads z\nhalvings many\naway_ms\ndate\n",
                                  "halvings 99\naway_ms 999999\nreader 9 gain 1 reads 2\nreader 1 gain 77 reads 5\n",
                                  "halvings -4\naway_ms -1\nreader 1 gain 6 reads 101\nnonsense 1 2 3\n", "\xff\x00"])
def test_a_file_that_makes_no_sense_does_no_harm(readers, text):
    with open("learned.txt", "w", encoding="latin-1") as file:
        file.write(text)
    learned.apply(readers)
    assert AWAY_MS <= readers.calm_ms <= MOST_AWAY_MS and 0 <= readers.halvings <= 3
    assert [chip.gain for chip in readers.chips] == [6, 6, 6]


def test_t5_readers_that_miss_nothing_may_let_a_card_go_sooner(readers):
    """A virtual table says so; what is shorter than any reader needs is nonsense."""
    for said, is_so in ((600, 600), (399, AWAY_MS)):
        with open("learned.txt", "w") as file:
            file.write(f"away_ms {said}\n")
        learned.apply(readers)
        assert readers.calm_ms == is_so and readers.away_ms == [is_so] * 3


def test_a_table_that_has_learned_nothing_begins_as_its_board_file_says(readers):
    learned.apply(readers)
    assert readers.buses[0][0].baudrate == 1_000_000 and readers.calm_ms == AWAY_MS


def test_a_reader_that_weakens_is_told_with_the_date_of_better_days(readers):
    found = learned.Learned(3)
    found.date, found.reads = "2026-03-01", [100, 100, 100]
    learned.write(found)
    for chip, reads, missed, index in zip(readers.chips, (83, 95, 8), (17, 5, 2), range(3), strict=True):
        chip.reads, readers.missed[index] = reads, missed
    lines = health.list_health(readers)
    assert [line for line in lines if "weakens" in line] == ["reader 1: weakens: 100 of 100 on 2026-03-01, 83 now"]
