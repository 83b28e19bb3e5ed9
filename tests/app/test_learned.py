"""What a table has learned of its readers is kept in a file, begins with the power, and is compared in play."""

import os
from types import SimpleNamespace

import pytest
from cardtable.between import health, learn, learned, weak
from cardtable.engine.state import OUTCOME
from cardtable.play.controller import CLOSE_MS
from cardtable.table.readers import AWAY_MS, GARBLED_TO_TELL, MOST_AWAY_MS, MOST_GARBLED

from tests.app.fake_table import Table

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
                           away_ms=[AWAY_MS] * 3, missed=[0] * 3,
                           garbled=bytearray([GARBLED_TO_TELL] * 3))


def screen():
    """A screen whose bus has two clocks."""
    glass = SimpleNamespace(freq=400_000, set=[])
    glass.set_clock = lambda freq, is_lost: glass.set.append((freq, is_lost))
    return glass


def test_what_was_learned_is_there_after_a_power_up(readers):
    found = learned.Learned(3)
    found.date, found.halvings, found.away_ms = "2026-03-01", 1, 4800
    found.garbled, found.freq = 24, 100_000
    found.gains, found.reads = [6, 7, -1], [100, 99, -1]
    learn.write(found, ["reader 1 gain 0 reads 0: есть запас", "halvings 3"])
    assert os.listdir() == ["learned.txt"]
    again = learned.read(3)
    assert (again.date, again.gains, again.reads) == ("2026-03-01", [6, 7, -1], [100, 99, -1])
    glass = screen()
    learned.apply(readers, glass)
    assert readers.buses[0][0].baudrate == 500_000 and readers.halvings == 1
    assert list(readers.garbled) == [24] * 3
    assert glass.set == [(100_000, False)]
    slow = screen()
    slow.freq = 100_000
    learned.apply(readers, slow)
    assert slow.set == []
    assert readers.calm_ms == 4800 and readers.away_ms == [4800] * 3
    assert [chip.gain for chip in readers.chips] == [6, 7, 6]


def test_t9_a_cut_within_a_write_leaves_what_was_learned_before(readers):
    found = learned.Learned(3)
    found.away_ms, found.reads = 4800, [100, 99, -1]
    learn.write(found)

    def cut():
        yield "halvings 3"
        raise OSError(28)

    with pytest.raises(OSError, match="28"):
        learn.write(learned.Learned(3), cut())
    again = learned.read(3)
    assert (again.away_ms, again.reads) == (4800, [100, 99, -1])


@pytest.mark.parametrize("text", ["", "\n\n", "reader", "reader x gain y reads z\nhalvings many\naway_ms\ndate\n",
                                  "halvings 99\naway_ms 999999\nreader 9 gain 1 reads 2\nreader 1 gain 77 reads 5\n",
                                  "halvings -4\naway_ms -1\nreader 1 gain 6 reads 101\nnonsense 1 2 3\n", "\xff\x00",
                                  "garbled 255\nscreen 400000\n", "garbled -1\nscreen\nscreen -1\n;\n; halvings 2\n"])
def test_a_file_that_makes_no_sense_does_no_harm(readers, text):
    with open("learned.txt", "w", encoding="latin-1") as file:
        file.write(text)
    glass = screen()
    learned.apply(readers, glass)
    assert AWAY_MS <= readers.calm_ms <= MOST_AWAY_MS and 0 <= readers.halvings <= 3
    assert GARBLED_TO_TELL <= readers.garbled[0] <= MOST_GARBLED and not glass.set
    assert [chip.gain for chip in readers.chips] == [6, 6, 6]


def test_t5_readers_that_miss_nothing_may_let_a_card_go_sooner(readers):
    """A virtual table says so; what is shorter than any reader needs is nonsense."""
    for said, is_so in ((600, 600), (399, AWAY_MS)):
        with open("learned.txt", "w") as file:
            file.write(f"away_ms {said}\n")
        learned.apply(readers, screen())
        assert readers.calm_ms == is_so and readers.away_ms == [is_so] * 3


def test_a_table_that_has_learned_nothing_begins_as_its_board_file_says(readers):
    glass = screen()
    learned.apply(readers, glass)
    assert readers.buses[0][0].baudrate == 1_000_000 and readers.calm_ms == AWAY_MS
    assert list(readers.garbled) == [GARBLED_TO_TELL] * 3 and not glass.set


def test_what_weakens_is_kept_at_the_end_of_a_game_until_it_reads_well_again(readers):
    """A reset lies between two games. A reader that had too few looks is as it was told last."""
    found = learned.Learned(3)
    found.date, found.reads = "2026-03-01", [100, 99, -1]
    learn.write(found)
    health.close(readers, print)
    assert weak.read(3) == []
    for reads, missed, told in ((83, 17, [(1, 100, 83, "2026-03-01")]), (2, 40, [(1, 100, 83, "2026-03-01")]),
                                (95, 5, [])):
        for index in (0, 2):  # the last was never measured
            readers.chips[index].reads, readers.missed[index] = reads, missed
        health.close(readers, print)
        assert weak.read(3) == told
    assert learned.read(3).reads == [100, 99, -1]


def test_a_table_keeps_at_a_games_end_what_weakens(readers):
    found = learned.Learned(3)
    found.date, found.reads = "2026-03-01", [100] * 3
    learn.write(found)
    table = Table()
    table.parts.readers.chips, table.parts.readers.missed = readers.chips, [17, 0, 0]
    readers.chips[0].reads = 83
    table.deal()
    table.controller.session.state.register[OUTCOME] = 3  # nobody lost
    assert weak.read(3) == []
    table.step(5000)
    table.step(CLOSE_MS)
    assert table.parts.journal.lines[-1] == "result: draw"
    assert weak.read(3) == [(1, 100, 83, "2026-03-01")]


def test_a_flash_that_takes_no_more_ends_no_game(readers, monkeypatch):
    found = learned.Learned(3)
    found.reads = [100] * 3
    learn.write(found)
    readers.chips[0].reads, readers.missed[0] = 83, 17
    monkeypatch.setattr(weak, "WEAK_FILE", "no/such/folder")
    health.close(readers, print)
    assert weak.read(3) == []


@pytest.mark.parametrize("text", ["", "5 100 83 2026-03-01\n", "1 100 x 2026-03-01\n", "1 100 183 2026-03-01\n",
                                  "1 100 83", "1 100 83 \"\n",
                                  "1234567 1 1 2026-03-01\n", " 1 1 1\n", "\xff\x00", "8 1 1 2026-03-01\n"])
def test_what_weakens_is_no_nonsense_of_a_file(readers, text):
    with open("weak.txt", "w", encoding="latin-1") as file:
        file.write(text)
    assert weak.read(3) == []


def test_no_more_readers_weaken_than_there_are(readers):
    """A file that somebody has made longer fills no memory."""
    with open("weak.txt", "w") as file:
        file.write("1 100 83 2026-03-01\n" * 9)
    assert weak.read(3) == [(1, 100, 83, "2026-03-01")] * 3


def test_a_reader_that_weakens_is_told_with_the_date_of_better_days(readers):
    found = learned.Learned(3)
    found.date, found.reads = "2026-03-01", [100, 100, 100]
    learn.write(found)
    for chip, reads, missed, index in zip(readers.chips, (83, 95, 8), (17, 5, 2), range(3), strict=True):
        chip.reads, readers.missed[index] = reads, missed
    lines = health.list_health(readers)
    assert [line for line in lines if "weakens" in line] == ["reader 1: weakens: 100 of 100 on 2026-03-01, 83 now"]
