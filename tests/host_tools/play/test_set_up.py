"""The set-up of a game that is begun at the virtual table says what a table's lobby would say."""

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.play.seating import PHONE
from host_tools.play.start import Wishes, set_up

NAMES = ("Anna", "Boris", "Vera")


def game_line(game, players, alone=False):
    """The `game:` line with which that game begins for so many people."""
    seats = [(name, PHONE) for name in NAMES[:players]]
    return set_up(Wishes(game=game, alone=alone), seats, 4).splitlines()[1]


@pytest.mark.parametrize("game, players, line", [
    ("bailiff", 2, "bailiff move_limit=100"), ("bailiff bailiff", 2, "bailiff bailiff move_limit=100"),
    ("bailiff", 3, "bailiff"), ("bailiff move_limit=7", 2, "bailiff move_limit=7"), ("malice", 2, "malice"),
])
def test_b13_two_players_who_have_chosen_nothing_get_a_limit(game, players, line):
    """B13: the choice is called "for two after 100 turns, else never", here as in the lobby."""
    assert game_line(game, players) == f"game: {line}"


def test_b13_a_game_that_a_program_begins_is_played_as_it_says():
    assert game_line("bailiff", 2, alone=True) == "game: bailiff"


@pytest.mark.parametrize("game", ["", "patience"])
def test_a_game_that_there_is_not_is_refused(game):
    with pytest.raises(UnusableInput):
        game_line(game, 2)
