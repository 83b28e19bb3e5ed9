"""The command of docs/benchmarks.md that plays random games by the hundred thousand."""

import pytest

from cardtable.engine.state import STOCK
from cardtable.games import bailiff
from tests.games import many_games
from tests.games.random_games import catalogue

RUNS_ON = "cpython"  # prints as a program does


def test_t1_t6_two_games_of_each_kind_keep_every_property(capsys):
    assert many_games.main(7, 2) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"seeds 7 to 8: {2 * len(list(catalogue()))} games, ") and " 0 broken so far" in line


def test_a_broken_game_is_named_with_its_seed(monkeypatch, capsys):
    monkeypatch.setattr(bailiff, "audit", lambda state: 4)
    assert many_games.main(7, 1) == 1
    assert "seed 7: bailiff" in capsys.readouterr().out


@pytest.mark.parametrize("spoil", [lambda count: count ^ 1, lambda count: count | 1], ids=["each-time", "once"])
def test_t6_a_refusal_that_changes_a_byte_is_named_also_if_the_second_one_changes_none(spoil, monkeypatch, capsys):
    judge = bailiff.judge

    def careless(state, event):
        verdict = judge(state, event)
        if verdict:
            state.register[bailiff._COUNT] = spoil(state.register[bailiff._COUNT])
        return verdict

    monkeypatch.setattr(bailiff, "judge", careless)
    assert many_games.main(7, 1) == 1
    assert "a refusal changed the state" in capsys.readouterr().out


def test_t1_a_game_that_waits_for_nobody_or_loses_a_card_is_named(monkeypatch, capsys):
    """Also where its own audit finds nothing."""
    monkeypatch.setattr(bailiff, "audit", lambda state: 0)
    enact = bailiff.enact

    def lose(state, event):
        enact(state, event)
        state.where[state.where.find(STOCK)] = 0

    with monkeypatch.context() as spoilt:
        spoilt.setattr(bailiff, "enact", lose)
        assert many_games.main(7, 1) == 1
    assert "a card came or went" in capsys.readouterr().out
    monkeypatch.setattr(bailiff, "waiting", lambda state, out: None)
    assert many_games.main(7, 1) == 1
    assert "the table waits for nobody" in capsys.readouterr().out
