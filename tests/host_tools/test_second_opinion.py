"""`analyse --engine`: an engine is asked in each decision of a finished game, sees what the seat saw, and is judged."""

import re

import pytest

from host_tools import cli
from host_tools.minds.analysis import lines, report, second
from host_tools.minds.analysis.judge import analyse
from host_tools.minds.analysis.sentences import Told
from host_tools.minds.players import engine
from host_tools.minds.players.engine_process import EngineProcess
from tests.host_tools.players.test_engine import FIRST, LAST, alone, write_engine  # noqa: F401  the fixture, too
from tests.host_tools.test_analysis import played


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """On a busy machine a new interpreter may need longer than an act at a table."""
    monkeypatch.setattr(engine, "LIMIT_MS", 60_000)


@pytest.fixture(scope="module")
def found():
    """A short game of a beginner against a random player, analysed."""
    return analyse(played("durak deck=24", ["beginner", "random"]), 2)


def opinion(found, command, guesses=2):
    """Figures with the engine's."""
    return {**report.figures(found), "engine": second.ask(found, engine.register(command), guesses)}


def test_t11_it_is_told_what_the_seat_knew_and_no_more(found, monkeypatch):
    """T11: line by line what an engine in that seat would have heard during the game."""
    heard, ask = {}, EngineProcess.ask
    monkeypatch.setattr(EngineProcess, "ask", lambda process, lines, limit_ms: (
        heard.setdefault(id(process), []).extend(lines), ask(process, lines, limit_ms))[1])
    told = opinion(found, FIRST)
    assert told["engine"]["compared"] == told["engine"]["decisions"] == len(told["decisions"]) > 10
    lines = [line for line in found.record.content.decode().splitlines() if line[:1].isdigit()]
    seats = {}
    for text in heard.values():
        game = next((line for line in text if line.startswith("game ")), "")
        if game:
            seats[int(game.split("; seat ")[1][0])] = [line.split(";")[0] for line in text if line.startswith("see ")]
    assert set(seats) == {1, 2}
    for seat, seen in seats.items():
        hidden = re.compile(rf"(?<=^{3 - seat} draw )..$")
        assert len(seen) > 20
        assert seen == ["see " + hidden.sub("?", line.split(" ", 1)[1]) for line in lines[: len(seen)]]


def test_its_play_is_judged_as_the_seats_own_was(found):
    """Where it plays the same or the best its chance is the one told there; else one by the same guesses."""
    told = opinion(found, FIRST)
    by_line = {one["line"]: one for one in told["decisions"]}
    kinds = set()
    for one in told["engine"]["plays"]:
        decision = by_line[one["line"]]
        assert one["is_same"] == (one["move_as_recorded"] == decision["played_as_recorded"])
        kind = "same" if one["is_same"] else "best" if one["move_as_recorded"] == decision["best_as_recorded"] else ""
        if kind and one["is_exact"]:
            assert one["chance"] == decision["chance" if kind == "same" else "best_chance"]
        kinds.add(kind)
    assert kinds == {"same", "best", ""} and told["engine"]["same"] < told["engine"]["compared"]
    better = [one for one in told["engine"]["plays"] if one["class"] and one["chance"] - one["played_chance"] >= 5]
    for language in ("en", "ru"):
        said = lines.as_text(told, Told(found.record, language))
        assert better and sum("first-move" in line and re.match(" +[0-9]", line) is not None for line in said) \
            == len(better)


@pytest.mark.everything
def test_cals_bs_compares_doubts_and_sets_and_no_cards_that_are_laid_ready():
    record = played("cals-bs", ["bluffer", "beginner", "doubter"])
    told = opinion(analyse(record, 2), FIRST)["engine"]
    assert 0 < told["compared"] < told["decisions"] and not told["troubles"]
    assert not any(one["move_as_recorded"][-1].startswith("lay") for one in told["plays"])


def test_an_engine_that_does_wrong_leaves_the_analysis_whole(tmp_path, found, capfd):
    bad = write_engine(tmp_path, "sys.exit(3)")
    told = opinion(found, bad)
    assert told["engine"]["compared"] == 0 and told["engine"]["troubles"][0].startswith("engine:bad ")
    assert "engine:bad ended with exit code 3 (10 times)" in lines.as_text(told, Told(found.record))
    path = tmp_path / "game.rec"
    path.write_bytes(found.record.content)
    for more in (["--engine", "true"], ["--engine", bad, "--html", str(tmp_path / "game.html")]):
        assert cli.run(["analyse", str(path), "--guesses", "2", *more]) == 2
        assert capfd.readouterr().err.count("\n") == 1
    assert not (tmp_path / "game.html").exists()


@pytest.mark.everything
@pytest.mark.parametrize("line, names", [("bailiff", 2), ("durak transfer", 3)])
def test_other_games_have_a_second_opinion(line, names):
    told = opinion(analyse(played(line, ["beginner", "random", "beginner"][:names]), 2), LAST)["engine"]
    assert told["compared"] > 10 and not told["troubles"] and told["lost_each"] > 0
