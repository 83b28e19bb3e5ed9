"""Cards that rest on a bad bus never tap by themselves, and a bus that fails finds a clock that works (H1, H2, H8)."""

import random

import pytest
from click.testing import CliRunner

from cardtable.table.readers import MOST_AWAY_MS, Readers
from host_tools.cli import cardtable
from host_tools.lab.fuzz import resting
from host_tools.lab.fuzz.resting import HANDS, MIXED, WIRES, Weather, rest, settle
from host_tools.virtual.chips.iso14443a import Bursts
from host_tools.virtual.chips.wrong_bytes import WrongBytes

RUNS_ON = "cpython"  # the rig needs the models


@pytest.mark.parametrize("weather", (*WIRES, HANDS, Weather(misses=0.1, away_ms=MOST_AWAY_MS)), ids=resting.name)
def test_h1_a_resting_card_is_never_a_tap(weather):
    """H1, H8: a short version of ten hours (docs/benchmarks.md): three minutes of table time."""
    figures = rest(weather, 0.05)
    assert (figures.taps, figures.strangers) == (0, 0), figures.line()
    assert figures.looks > 14_000 and (figures.wrong_bytes > 5 or not weather.wrong)


def test_h1_a_reader_that_is_not_renewed_makes_taps(monkeypatch):
    """H1: the model shows what was wrong: without the renewal of a reader that loses its card, cards tap."""
    def renews_empty_ones_alone(self, index):
        return not self._reads[index] and (self.sweeps + index) % 32 == 0

    monkeypatch.setattr(Readers, "may_be_deaf", renews_empty_ones_alone)
    assert rest(WIRES[0], 0.06).taps > 1


def test_h8_a_table_learns_hands_that_hover():
    """H8: bursts of ten looks on average are longer than 1.5 s one time in eight: only until it knows them."""
    figures = rest(Weather(misses=0.1), 0.3, seed=2)
    assert figures.last_tap_s < 120 and figures.taps < 10, figures.line()


def test_looks_that_are_not_run_again_change_nothing(monkeypatch):
    """The same weather with every look run by the driver: as many looks fail, and as many bytes."""
    quick = rest(WIRES[0], 0.02)
    monkeypatch.setattr(resting.Swift, "_stand", lambda self: None)
    whole = rest(WIRES[0], 0.02)
    assert abs(quick.failed - whole.failed) < 60 and abs(quick.wrong_bytes - whole.wrong_bytes) < 200
    assert (quick.taps, whole.taps) == (0, 0) and abs(quick.looks - whole.looks) < 200


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(6))
def test_h2_a_cliff_is_left_within_a_minute(seed):
    """H2: from power-up on; and when it comes in play."""
    is_settled, figures = settle(seed)
    assert is_settled and figures.clock_hz == 500_000, figures.line()
    is_settled, figures = settle(seed, from_s=15.0)
    assert is_settled and 15 < figures.settled_s < 75, figures.line()


def test_no_mix_of_faults_makes_a_wrong_uid():
    figures = rest(MIXED, 1, polls=2_000)
    assert figures.strangers == 0 and figures.failed and figures.wrong_bytes > 100


def test_wrong_bytes_come_as_often_as_they_are_said_to_and_by_the_clock():
    rng = random.Random(1)
    wire = WrongBytes({400_000: 0.01, 1_000_000: 0.1}, rng)
    zeros = bytes(1000)
    came = {}
    for clock in (100_000, 400_000, 800_000, 1_000_000, 4_000_000):
        wire.set_clock(clock)
        came[clock] = sum(byte != 0 for _ in range(50) for byte in wire.ruin(zeros))
    assert came[100_000] == 0 and all(400 < came[clock] < 600 for clock in (400_000, 800_000))
    assert all(4500 < came[clock] < 5300 for clock in (1_000_000, 4_000_000))
    for rate in (1.0, -0.1):
        with pytest.raises(ValueError, match="probability"):
            WrongBytes({0: rate}, rng)


def test_bursts_have_their_share_and_their_length():
    for is_fixed in (True, False):
        bursts = Bursts(0.1, 10, random.Random(4), is_fixed)
        looks = []
        for _ in range(100_000):
            told = bursts.will_miss
            bursts.step()
            assert bursts.misses == told
            looks.append("-" if told else "x")
        runs = [len(run) for run in "".join(looks).split("x") if run]
        assert 0.08 < looks.count("-") / len(looks) < 0.12
        assert 9 < sum(runs) / len(runs) < 11 and (set(runs[:-1]) == {10}) is is_fixed
    with pytest.raises(ValueError, match="share"):
        Bursts(0, 10, random.Random(4))


def test_the_command_tells_each_bar_and_refuses_games(monkeypatch):
    monkeypatch.setattr(resting, "POWER_UPS", 1)
    monkeypatch.setattr(resting.measure, "__defaults__", (1, 200))
    told = CliRunner().invoke(cardtable, ["fuzz", "--resting", "--hours", "0.005"], standalone_mode=False)
    assert told.return_value == 0 and told.exception is None, told.output
    assert told.output.count("0 phantom taps") >= 5 and "in 1 of 1" in told.output
    told = CliRunner().invoke(cardtable, ["fuzz", "--resting", "--games", "2"], standalone_mode=False)
    assert "takes --hours alone" in str(told.exception)
