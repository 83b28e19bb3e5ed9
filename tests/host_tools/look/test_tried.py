"""A moment that is tried again: honest figures, the same however often one asks, and a mistake that shows in them."""

import json

import pytest

from host_tools import cli
from host_tools.base.errors import UnusableInput
from host_tools.look.tried import moment_lines, tell_moment, withhold
from host_tools.look.wording import Wording
from host_tools.minds.analysis import tried
from host_tools.minds.analysis.judge import OpenWorlds
from host_tools.minds.analysis.tried import find_decision, try_plays
from host_tools.play import terminal
from host_tools.play.continued import find_beginning
from host_tools.sight.recorded import Recorded, read_record
from tests.conftest import ROOT
from tests.host_tools.look.made import joined, running

RECORDS = ROOT / "tests" / "records"
ROUGH = RECORDS / "durak" / "throw-in-0001.rec"  # four players
SHORT = RECORDS / "durak" / "game-0000.rec"  # Anna takes the last jack and is the fool


def test_a_play_that_loses_shows_it_and_what_was_found_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("host_tools.look.tried.is_checked", lambda *_: True)  # `simple` is short, and rough
    record = read_record(SHORT)
    told = tell_moment(record, 154, 1, False, 100, "en", tmp_path)
    assert (told["line"], told["of"]) == (156, 100)
    assert told["aim"] == "Good is: you do not lose; a draw counts a half."
    assert [(one["text"], one["is_played"], one["good"], one["low"], one["high"]) for one in told["plays"]] == [
        ("Take", True, 0, 0, 4), ("Beat J♦ with A♦", False, 100, 96, 100)]
    monkeypatch.setattr(tried, "compare", lambda *_, **__: pytest.fail("played again"))
    assert tell_moment(record, 154, 1, False, 100, "ru", tmp_path)["plays"][0]["good"] == 0
    # The table as that seat saw it: nobody else's hand.
    hands = {pile["seat"]: pile["cards"] for pile in told["view"]["piles"] if pile["kind"] == "hand"}
    assert hands[1] == ["AD"] and not hands.get(2)


@pytest.mark.parametrize(("name", "line", "seat"), [
    ("durak/game-0003", 80, 1), pytest.param("malice/game-0000", 200, 1, marks=pytest.mark.everything),
    ("cals-bs/game-0001", 120, 2), pytest.param("bailiff/game-0000", 60, 1, marks=pytest.mark.everything)])
def test_it_grows_to_a_hundred_the_same_in_parts_and_at_once(name, line, seat, tmp_path):
    record = read_record(RECORDS / f"{name}.rec")
    step, before = find_decision(record, line, seat)
    for is_anew in (False, True):
        none = try_plays(record, step, before, is_anew, 0, tmp_path)
        assert all(one["count"] == 0 and (one["low"], one["high"]) == (0, 100) for one in none)
        assert 2 <= len(none) <= tried.MOST and [one["is_played"] for one in none].count(True) == 1
        parts = [try_plays(record, step, before, is_anew, count, tmp_path) for count in (25, 50, 75, 100)]
        whole = try_plays(record, step, before, is_anew, 100, None)
        assert parts[-1] == whole and all(one["low"] <= one["share"] <= one["high"] for one in whole)
        assert whole[0]["high"] - whole[0]["low"] < parts[0][0]["high"] - parts[0][0]["low"]


def test_as_they_lay_and_dealt_again_are_what_they_say(monkeypatch):
    """Which deals the plays are tried in: the truth, or guesses of that seat."""
    record = read_record(RECORDS / "durak" / "game-0003.rec")
    step, before = find_decision(record, 80, 1)
    deals = []

    def note(worlds, *_, **__):
        deals.append(worlds)
        raise LookupError

    monkeypatch.setattr(tried, "compare", note)
    for is_anew in (False, True):
        with pytest.raises(LookupError):
            try_plays(record, step, before, is_anew, 25, None)
    assert isinstance(deals[0], OpenWorlds) and not isinstance(deals[1], OpenWorlds)
    assert deals[0].state.where == before.where and deals[1].seen is step.seen


def test_where_no_line_was_fitted_only_words_stand_for_a_play(tmp_path, monkeypatch, capsys):
    """Durak for four: no figure on the page or in a terminal, in both languages, however often one asks."""
    for language, best, worse in (("en", "may be the best", "worse, a rough"), ("ru", "может быть лучшим", "хуже, пр")):
        told = tell_moment(read_record(ROUGH), 1, 1, False, 50, language, tmp_path)
        figures = {key: {one[key] for one in told["plays"]} for key in ("good", "share", "low", "high", "count")}
        assert figures == {"good": {0}, "share": {0}, "low": {0}, "high": {0}, "count": {50}} and told["rough"]
        assert {one["rough"].startswith(best) or one["rough"].startswith(worse) for one in told["plays"]} == {True}
        assert "%" not in json.dumps(told)
    monkeypatch.setattr(tried, "WHOLE", 25)
    said = moment_lines(read_record(ROUGH), 1, 1, False, "en", tmp_path)
    assert said[0].startswith("Chances are rough") and "may be the best" in " ".join(said)
    assert not any(word.isdigit() for one in said[2:] for word in one.split())
    before = tell_moment(read_record(ROUGH), 1, 1, False, 0, "en", tmp_path)
    assert not any(one["rough"] for one in before["plays"]) and before["rough"]


def test_of_rough_figures_only_a_clear_difference_is_told():
    plays = [{"count": 100, "good": share, "share": share, "low": share - 5, "high": share + 5}
             for share in (50, 60, 49)]
    withhold(plays, Wording("en"))
    assert [one["rough"].split(",")[0] for one in plays] == ["may be the best", "may be the best", "worse"]


def test_what_cannot_be_tried_is_one_sentence():
    record = read_record(SHORT)
    for line, seat in ((9999, 1), (1, 7)):
        with pytest.raises(UnusableInput):
            tell_moment(record, line, seat, False, 0, "en", None)
    with pytest.raises(UnusableInput, match="no result yet"):
        tell_moment(Recorded("running.rec", joined(running(SHORT, 150))), 60, 1, False, 0, "en", None)


def test_a_terminal_says_it_before_the_game_goes_on(tmp_path, monkeypatch, capsys):
    """The best play first; a game that the players cannot weigh is played on all the same."""
    monkeypatch.setattr(terminal, "run", lambda wishes: wishes.origin.line)
    monkeypatch.setattr("host_tools.look.tried.is_checked", lambda game, *_: game.NAME == "durak")
    for path, line, language, wanted in (
            (SHORT, 154, "en", ["100 good (96 to 100) Beat J♦ with A♦", "0 good (0 to 4) Take (this was played)"]),
            (SHORT, 154, "ru", ["хорошо 100 (от 96 до 100) Побить В♦ картой Т♦",
                                "хорошо 0 (от 0 до 4) Взять (так было сыграно)"]),
            (RECORDS / "cals-bs" / "variant-ne-veryu.rec", 100, "en", ["weigh Cheat and Ne veryu yet."])):
        arguments = ["--from", f"{path}:{line}", "--as", "1", "--games", str(tmp_path), "--language", language]
        assert cli.run(["play", "--text", *arguments]) == line
        said = capsys.readouterr().out.splitlines()
        assert said[-len(wanted):] == wanted and max(map(len, said)) < 80


@pytest.mark.parametrize(("name", "plays", "why"), [
    ("malice/variant-counted", 0, "counted and not tapped"), ("cals-bs/variant-ne-veryu", 2, "cannot weigh Cheat"),
    ("cals-bs/variant-discard", 2, "cannot weigh Cheat")])
def test_why_nobody_can_tell_how_a_play_comes_out(name, plays, why):
    """It may be played on from all the same, but not where nobody knows who held what."""
    record = read_record(RECORDS / f"{name}.rec")
    line = record.lines[len(record.lines) // 2][0]
    told, russian = (tell_moment(record, line, 1, False, 100, language, None) for language in ("en", "ru"))
    assert why in told["why"] and told["why"] != russian["why"] and told["count"] == 0
    assert len(told["plays"]) >= plays and ("view" in told) == bool(plays)
    assert all(one["count"] == 0 for one in told["plays"])
    if plays:
        assert find_beginning(record, told["line"], 1).lines


def test_a_kept_file_that_says_something_else_is_not_used(tmp_path):
    record = read_record(SHORT)
    step, before = find_decision(record, 150, 1)
    right = try_plays(record, step, before, False, 25, tmp_path)
    (path,) = tmp_path.glob("try-*.json")
    for text in ("{}", path.read_text().replace("take", "fly"), path.read_text().replace("[[", "[[0.5, ")):
        path.write_text(text)
        assert try_plays(record, step, before, False, 25, tmp_path) == right
