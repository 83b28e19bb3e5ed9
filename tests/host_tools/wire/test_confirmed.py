"""An order is confirmed at the table: the lobby proposes it, OK begins it, and the sealed header has its keys."""

import pytest

from host_tools.club.wire.sources import check_setup
from tests.host_tools.at_table import AtTable

BOTH = ["cpython", pytest.param("micropython", marks=pytest.mark.micropython)]
ORDER = ("cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\ntable: club-north-2\ntournament: Evening\n"
         "round: 2\n\n")
KEYS = {"table: club-north-2", "tournament: Evening", "round: 2", "seats: Anna; Boris"}


def play(runtime, *keys):
    """The header on the feed after these presses in the lobby."""
    table = AtTable(setup=None, runtime=runtime)
    table._files["last.txt"] = check_setup(ORDER, "club-north-2")

    def evening():
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        for key in keys:
            yield from table.press(1, key)
            yield 100_000
        yield from table.until(lambda: "dealer: 2" in table.says() or "dealer: 1" in table.says())

    table.play(evening())
    return table.says()


@pytest.mark.parametrize("runtime", BOTH)
def test_ok_confirms_what_the_director_ordered(runtime):
    assert KEYS <= set(play(runtime, "OK"))


def test_who_changes_the_game_has_said_no():
    """MENU asks what is played: the header that comes of it is the players' own."""
    said = play("cpython", "MENU", "OK", "OK", "MENU", "OK", "OK", "OK")
    assert not {"table: club-north-2", "round: 2"} & set(said)
