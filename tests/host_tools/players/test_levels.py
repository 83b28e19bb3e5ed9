"""Levels: each game has an easy, a fair and a strong player, and the easy one loses to the fair one."""

import pytest

from host_tools.judge.sentences import Sentences
from host_tools.judge.sentences.language import languages
from host_tools.minds.players import LEVELS, find_player, list_levels, list_players
from host_tools.play.seating import check_who, read_seats
from host_tools.play.web.choices import tell_levels
from tests.host_tools.players.games import BEGINNER, GAMES, plain_match

NOVICE = find_player("novice")
# Few deals, each from both sides: enough for players so far apart (docs/strength.md has the figures).
DEALS = 5
REAL = ("durak", "cals-bs", "bailiff", "malice")
LINES = {"bailiff": "bailiff move_limit=20"}


def test_a_level_is_a_player_by_name_and_at_the_table():
    assert find_player("easy") is NOVICE and find_player("fair") is BEGINNER
    assert find_player("strong:20").name == "search:20"
    assert check_who("bot:easy") == "bot:novice" and read_seats("Anna,bot:strong", "en")[1][1] == "bot:search"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", REAL)
def test_every_player_of_a_game_is_a_level_or_a_character_in_words(name, language):
    game = GAMES[name]
    told = tell_levels(game, Sentences(language=language))
    assert [level for level, _ in list_levels(game)] == list(LEVELS)
    assert {one["name"] for one in told["levels"] + told["kinds"]} == set(list_players(game))
    titles = [one["title"] for one in told["levels"] + told["kinds"]]
    assert len(set(titles)) == len(titles) and not set(titles) & set(list_players(game))


@pytest.mark.parametrize("name", [REAL[0], *(pytest.param(name, marks=pytest.mark.everything) for name in REAL[1:])])
def test_the_easy_player_loses_to_the_fair_one(name):
    lost = [0, 0]
    for seed in range(DEALS):
        for turned in (False, True):
            match = plain_match(LINES.get(name, name), (BEGINNER, NOVICE) if turned else (NOVICE, BEGINNER), seed)
            match.play()
            losers = match.game.losers(match.session.state)
            lost[turned] += losers >> 1 & 1
            lost[not turned] += losers >> 2 & 1
    assert lost[0] >= 2 * lost[1] and lost[0] > DEALS, lost
