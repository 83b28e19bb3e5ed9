"""Players are found by being there, and called by their names."""

import os
import shutil
import subprocess
import sys

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.minds import players
from host_tools.minds.players import all_players, find_player, list_players
from tests.conftest import ROOT
from tests.host_tools.players.games import BEGINNER, GAMES, RANDOM
from tests.host_tools.test_toy_game import ROOMS, TOY

MINE = '''
"""Takes the first move that it finds."""

from host_tools.sight.seen import Choice, Player


class Mine(Player):
    name = "first-thing"

    def choose(self, seen):
        return Choice(seen.moves[0], 500) if seen.moves and seen.is_waited_for else None
'''

PLAY = """
from host_tools.base import on_host
on_host.prepare()
from cardtable.games import toy
from host_tools.minds.players import find_player, list_players
from host_tools.minds.players.match import play_match
from host_tools.base.random_play import make_header
names = list_players(toy)
text, result = play_match(toy, make_header("toy", len(names)), [find_player(name) for name in names], 1)
print(names, result)
"""


def test_players_are_found_by_name():
    assert find_player("random") is RANDOM and find_player("beginner") is BEGINNER
    assert [player.name for player in all_players().values()] == list(all_players())


@pytest.mark.parametrize("name", ["", "grandmaster", "Random", "random_player", "../random"])
def test_an_unknown_name_is_answered_with_those_there_are(name):
    with pytest.raises(UnusableInput, match="beginner, .*random") as told:
        find_player(name)
    assert name in str(told.value) and "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["random:3", "search:", "search:0", "search:-1", "search:fast", "search:²"])
def test_a_setting_that_a_player_does_not_take_is_told(name):
    with pytest.raises(UnusableInput):
        find_player(name)


def test_a_player_takes_its_setting_by_name():
    assert find_player("search:50ms").limit_ms == 50 and find_player("search:50ms").name == "search:50ms"
    assert find_player("search:200").guesses == 200 and find_player("search:200").limit_ms == 0


def test_every_game_has_its_players():
    listed = {name: list_players(game) for name, game in GAMES.items()}
    kinds = {"card-counter", "high-collector", "pair-collector", "small-attacker", "trump-collector"}
    for names in listed.values():
        assert {"beginner", "random"} <= {*names}
    for name in ("bailiff", "cals-bs", "durak", "malice"):
        assert "search" in listed[name]
    assert kinds <= {*listed["durak"]} and not kinds & {*listed["cals-bs"], *listed["bailiff"], *listed["malice"]}
    assert {"bluffer", "doubter"} <= {*listed["cals-bs"]} and "sound" in {*listed["bailiff"]} & {*listed["malice"]}


def test_a_file_more_is_a_player_more_and_a_toy_is_played(tmp_path):
    """One file dropped into the room is found; a beginner without advice for a game plays it at random."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TOY / "toy.py", tmp_path / "firmware" / "cardtable" / "games")
    (tmp_path / "host_tools" / "minds" / "players" / "first_thing.py").write_text(MINE)
    path = os.pathsep.join([str(tmp_path / "firmware"), str(tmp_path)])
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "['beginner', 'first-thing', 'random'] loser" in done.stdout, done.stdout + done.stderr


def test_a_player_that_has_a_file_of_its_name_is_found_without_the_others(monkeypatch):
    """A page's first card would wait for all of them, and for what they think with."""
    monkeypatch.setattr(players, "all_players", lambda: {})
    assert [find_player(name).name for name in ("fair", "novice", "search:8")] == ["beginner", "novice", "search:8"]
    for name in ("exact", "__init__", "../beginner", "Beginner", ""):
        with pytest.raises(UnusableInput):
            find_player(name)
