"""Every board boots the firmware on its virtual twin and plays a record to the end, all of its seats used."""

import pytest

from host_tools import cli
from host_tools.maker.board.load import VIRTUAL, load, names
from host_tools.virtual.table import Table, load_script
from tests.conftest import ROOT

RECORDS = ROOT / "tests" / "records"
# Of a board with so many seats.
GAMES = {4: "durak/variant-teams-2x2.rec", 7: "cals-bs/variant-seven-seats.rec"}


EVENTS = 30  # the deal, by all seats, and a few plays
OTHERS = [name for name in names() if name != VIRTUAL]  # that one plays every record


def play(name, runtime, events=None):
    """The comparison of record and journal, and the table."""
    game, script = load_script(RECORDS / GAMES[load(name).SEATS])
    if events is not None:
        del script.lines[events:]
        script.result = ""
    # A screen for each seat on one slow bus keeps the table busy: the quickest hands press faster than it draws.
    table = Table(game, script, board=name, runtime=runtime, is_quick="switch" not in load(name).SCREEN)
    return table.run(), table


@pytest.mark.micropython
@pytest.mark.everything  # its beginning is played above on each board, and whole games in test_table.py
@pytest.mark.parametrize("name", OTHERS)
def test_a_record_is_played_to_the_end(name):
    outcome, table = play(name, "micropython")
    assert outcome.agrees and outcome.result == table.script.result != ""
    check_seats(name, table)


@pytest.mark.micropython
@pytest.mark.parametrize("name", OTHERS)
def test_the_beginning_of_a_record_is_played(name):
    outcome, table = play(name, "micropython", EVENTS)
    assert outcome.agrees and outcome.accepted + outcome.refused == EVENTS
    check_seats(name, table)


def check_seats(name, table):
    """The board is the one that was meant, and all of its seats were used."""
    seats = load(name).SEATS
    assert table.lines[0].startswith(f"cardtable on {name}, ")
    assert {line.event.seat for line in table.script.lines} >= set(range(1, seats + 1))
    # Nobody fought for a data line, and every reader was looked at as often as the others.
    assert table.world.contentions == 0
    frames = [reader.frames for reader in table.world.readers]
    assert len(frames) == seats and min(frames) > max(frames) / 3 > 0


def test_all_boards_are_named(capsys):
    assert cli.run(["board", "list"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{name}: {load(name).TITLE}" for name in names()]
