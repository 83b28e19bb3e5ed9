"""Computing takes time under MicroPython, too: each kind of work by itself, and whole games."""

import pytest

from host_tools.virtual.computing import Computing
from host_tools.virtual.table import Table, load_script
from tests.conftest import ROOT

pytestmark = pytest.mark.micropython

RECORDS = ROOT / "tests" / "records"
SCENES = sorted(RECORDS.glob("*/scenario-*.rec"))
SHORT = RECORDS / "durak" / "scenario-38_trump_blocks.rec"
PLAIN = "0 0 0 0 0"


class Told(Computing):
    """It charges what the test says, in the order of `Computing.tell`."""

    def __init__(self, told):
        super().__init__()
        self.told = told

    def tell(self):
        return self.told


def play(computing, record=SHORT):
    """When a game ended that its people played like that, in us."""
    game, script = load_script(record)
    table = Table(game, script, runtime="micropython", computing=computing)
    found = table.run()
    assert found.agrees, found.difference
    return table.world.now_us


@pytest.fixture(scope="module")
def uncharged_us():
    """The same game where nothing is charged, told so or not."""
    found_us = play(None)
    assert play(Told(PLAIN)) == found_us
    return found_us


@pytest.mark.parametrize("told", [
    pytest.param("500 0 0 0 0", id="transaction"), pytest.param("0 100000 0 0 0", id="verdict"),
    pytest.param("0 0 100000 0 0", id="event"), pytest.param("0 0 0 100000 0", id="collection"),
    pytest.param("0 0 0 0 100000", id="line"),
])
def test_each_kind_of_work_takes_its_time(told, uncharged_us):
    """Much of it falls into the 50 ms behind an event, so a game of 26 events grows by less than its sum."""
    assert play(Told(told)) > uncharged_us + 100_000


@pytest.mark.sampled(16)
@pytest.mark.parametrize("factor", [1.0, 1.5])
@pytest.mark.parametrize("record", SCENES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_recorded_games_come_through_a_table_that_computes_as_slowly_as_a_chip(record, factor):
    play(Computing(factor), record)
