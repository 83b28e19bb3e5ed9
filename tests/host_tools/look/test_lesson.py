"""What the end of a game says: the result to who reads, the play that decided it, games by names; hands of others only
once it is over, and no mistake that may be none.
"""

import json
from functools import partial

import pytest

from cardtable.catalogue import find_game
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import make_header
from host_tools.judge.sentences import Sentences
from host_tools.look.frames import make_frames
from host_tools.look.lesson import lesson_text, luck_text, make_lesson, make_luck
from host_tools.minds.analysis import served
from host_tools.minds.analysis.judge import analyse, judge_seat
from host_tools.minds.analysis.report import tell_decision
from host_tools.minds.analysis.served import find_decisions, make_decisions
from host_tools.play.told_games import tell_game
from host_tools.sight.course import Course
from host_tools.sight.recorded import Recorded, read_record
from tests.conftest import ROOT
from tests.host_tools.look.made import joined, running

SHORT = ROOT / "tests" / "records" / "durak" / "game-0000.rec"  # Anna takes the last jack and is the fool
FEW = 12  # guesses


@pytest.fixture(autouse=True)
def few_guesses(monkeypatch):
    """All of them took 25 s from source, for each seat."""
    monkeypatch.setattr(served, "judge_seat", partial(judge_seat, guesses=FEW))


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder for analyses that all tests here share."""
    return tmp_path_factory.mktemp("analyses")


@pytest.mark.parametrize(("language", "seat", "said"), [
    ("en", 1, "It turned here. Your play: Take (0 %). Better: Beat J♦ with A♦ (100 %)."),
    ("en", 2, "It turned here. The play of Anna: Take (0 %). Better: Beat J♦ with A♦ (100 %)."),
    ("ru", 1, "Здесь всё решилось. Ваш ход: Взять (0 %). Лучше: Побить В♦ картой Т♦ (100 %)."),
    ("en", 0, "It turned here. The play of Anna: Take (0 %). Better: Beat J♦ with A♦ (100 %)."),
])  # fmt: skip
def test_the_play_that_decided_is_told_to_who_reads(kept, language, seat, said):
    lesson = make_lesson(read_record(SHORT), seat, language, kept)
    moment = lesson["moment"]
    assert lesson["words"] == moment["sentence"] == said and moment["line"] == 156
    # Its picture: what the player saw, and nobody else's hand.
    assert {pile["place"]: pile["cards"] for pile in moment["piles"]} == {"hand1": ["AD"], "attack1": ["JD"]}
    assert moment["cards"] == [] and moment["better_cards"] == ["AD"]
    # What else cost the seat most: each on a line of its own.
    assert len(lesson["more"]) <= 2 and all(one["seat"] == seat for one in lesson["more"])
    assert len({one["line"] for one in (moment, *lesson["more"])}) == 1 + len(lesson["more"])


def test_a_game_without_a_clear_mistake_says_so(kept, monkeypatch):
    monkeypatch.setattr("host_tools.look.lesson.make_decisions", lambda *_: [])
    monkeypatch.setattr("host_tools.look.lesson.is_checked", lambda *_: True)  # `simple` is rough
    words = [make_lesson(read_record(SHORT), seat, "en", kept)["words"] for seat in (0, 1, 2)]
    of_loser = "None of the loser's plays clearly cost more than five points: it was the deal."
    assert words == [of_loser, "None of your plays clearly cost more than five points: it was the deal.", of_loser]
    monkeypatch.setattr("host_tools.look.lesson.is_checked", lambda *_: False)
    assert make_lesson(read_record(SHORT), 1, "en", kept)["words"].startswith("No play stands out: ")


def test_where_several_lost_nothing_is_said_of_who_was_not_judged(kept, monkeypatch):
    """As in Cal's BS with four: to all nothing, to each player the own plays; of no loser's it is said that it turned
    there, which each of them read."""
    monkeypatch.setattr("host_tools.look.lesson.find_losers", lambda record: [1, 2])
    loser = make_lesson(read_record(SHORT), 1, "en", kept)
    assert loser["words"] == "What cost you most: Take (0 %). Better: Beat J♦ with A♦ (100 %)." and loser["own"] is None
    monkeypatch.setattr("host_tools.look.lesson.find_losers", lambda record: [2, 3])
    monkeypatch.setattr("host_tools.look.lesson.is_checked", lambda *_: True)
    everybody, winner = (make_lesson(read_record(SHORT), seat, "en", kept) for seat in (0, 1))
    assert (everybody["words"], everybody["moment"], everybody["own"], everybody["more"]) == ("", None, None, [])
    assert winner["words"] == winner["moment"]["sentence"] and winner["words"].startswith("What cost you most: ")
    assert winner["own"] is None and winner["moment"]["line"] not in {one["line"] for one in winner["more"]}
    monkeypatch.setattr("host_tools.look.lesson.make_decisions", lambda *_: [])
    assert make_lesson(read_record(SHORT), 1, "en", kept)["words"] == (
        "None of your plays clearly cost more than five points.")


@pytest.mark.parametrize(("language", "own", "other"), [
    ("en", "You played: Take. Perhaps better: Beat J♦ with A♦ (a rough guess).", "Anna played: Take. Perhaps better: "),
    ("ru", "Ваш ход: Взять. Возможно, лучше: Побить В♦ картой Т♦ (примерная оценка).", "Ход Anna: Взять. Возможно, "),
])  # fmt: skip
def test_a_rough_guess_is_no_verdict(kept, monkeypatch, language, own, other):
    """No brackets without a chance in them, no key for them, and nothing that "turned" the game."""
    found = [{**one, "is_exact": False, "is_rough": True} for one in make_decisions(read_record(SHORT), 1, kept)]
    monkeypatch.setattr("host_tools.look.lesson.make_decisions", lambda record, seat, _: found if seat == 1 else [])
    lesson = make_lesson(read_record(SHORT), 1, language, kept)
    assert lesson["words"] == own and lesson["aim"] == "" and lesson["moment"]["kind"] == "perhaps"
    assert all("%" not in one["sentence"] and "(rough)" not in one["sentence"] for one in lesson["more"])
    assert make_lesson(read_record(SHORT), 2, language, kept)["words"].startswith(other)


def test_luck_and_play_add_up_to_the_result_and_are_those_of_the_analysis(kept, monkeypatch):
    monkeypatch.setattr("host_tools.look.lesson.is_checked", lambda game, seats, _: seats == 2)  # `simple` is rough
    record = read_record(SHORT)
    split = served.make_split(record, 1, kept)
    assert sum(split.values()) - split["outcome"] == split["outcome"] == 0
    monkeypatch.setattr(served, "analyse", lambda *_, **__: pytest.fail("followed again"))
    told = make_luck(record, 1, "en", kept)
    assert told["fair"] + told["luck"] + told["play"] + told["others"] == told["result"]
    assert told["play"] < -50 and told["words"].endswith("at the end 0.")
    assert f"your play −{-told['play']}" in told["words"]
    assert make_luck(record, 2, "ru", kept)["result"] == 100
    assert json.loads(luck_text("running.rec", joined(running(SHORT, 150)), 1, "en", None)) == {}
    assert json.loads(luck_text("over.rec", SHORT.read_bytes(), 7, "en", kept)) == {}
    four = SHORT.with_name("throw-in-0001.rec")  # chances among four are rough
    assert json.loads(luck_text("four.rec", four.read_bytes(), 1, "en", None)) == {}


def test_while_a_game_has_secrets_there_is_no_lesson():
    record = joined(running(SHORT, 150))
    with pytest.raises(UnusableInput):
        make_lesson(Recorded("running.rec", record), 1, "en")
    told = json.loads(lesson_text("running.rec", record, 1, "en", None))
    assert told["words"] == "" and told["moment"] is None


def test_a_seat_alone_is_judged_as_in_the_whole_game():
    record = read_record(SHORT)
    whole = analyse(record, FEW)
    for seat in (1, 2):
        alone = [tell_decision(record.game, one) for one in judge_seat(record, seat, FEW)]
        assert alone == [tell_decision(record.game, one) for one in whole.decisions if one.seat == seat]


def test_what_was_judged_for_the_lesson_is_kept_and_marks_the_replay(tmp_path, monkeypatch):
    record = read_record(SHORT)
    first = make_decisions(record, 1, tmp_path)
    monkeypatch.setattr(served, "judge_seat", lambda *_: pytest.fail("judged again"))
    assert make_decisions(record, 1, tmp_path) == first
    frames = make_frames(record, "en", None, find_decisions(record, tmp_path))
    marked = [frame["n"] for frame in frames["views"]["1"]["frames"] if "mistake" in frame]
    assert 156 in marked and not frames["is_analysed"]
    assert not any("mistake" in frame for frame in frames["views"]["2"]["frames"])


def test_the_result_is_told_to_each_player():
    words = {language: Sentences(None, ["Anna", "Boris", "Vera"], language) for language in ("en", "ru")}
    en = words["en"]
    assert en.ending("fool 1", 1, False) == "You are the fool this time."
    assert en.ending("fool 1", 2, True) == "You got out first! Anna is the fool."
    assert en.ending("fool 1 epaulettes 2", 3, False) == "You got out. Anna is the fool."
    assert en.ending("winner 2 holds 1:3 3:4", 2, False) == "You win!"
    assert en.ending("team 1+3 lost", 3, False) == "Your team loses this time."
    assert en.ending("fool 1", 0, False) == "Anna is the fool."
    assert en.ending("draw", 2, True) == "A draw: nobody loses."
    assert words["ru"].ending("fool 1", 1, False) == "На этот раз вы в дураках."
    assert en.ending("loser 2", 1, False, is_out=True) == "You got out. Boris loses."
    assert en.ending("loser 2", 1, False, is_out=False) == "You have not lost: Boris loses."  # B13
    assert words["ru"].ending("loser 2", 1, False, is_out=False) == "Вы не проиграли. Проигрывает Boris."
    assert en.ending("loser 2", 2, False, is_out=False) == "You lose this time."
    assert en.ending("winner 2 holds 1:3 3:4", 1, False, is_out=False) == "Boris wins this time."
    for result in ("fool 1", "loser 1", "winner 1 holds 2:3", "team 1+2 lost"):
        assert all(said.ending(result, seat, first) != said.result(result)
                   for said in words.values() for seat in (1, 3) for first in (False, True))


def test_nobody_is_told_more_than_that_they_are_out():
    """D38: in teams a partner can still lose; B13: a game can end before anybody is out."""
    for line, language, said in (
        ("durak", "en", "You are out: not the fool!"), ("durak", "ru", "Вы вышли: дурак не вы!"), ("bailiff", "en", ""),
        ("durak teams=2x2", "en", "You are out: your team plays on."),
        ("durak teams=2x2", "ru", "Вы вышли: ваша команда ещё играет."),
    ):
        course = Course(make_header(line, 4), find_game(line.split()[0]))
        assert course.speaker(language).is_out(course.session.state) == said
    for language, said in (("en", "you did not lose"), ("ru", "проиграли не вы")):
        assert Sentences(None, ["Anna", "Boris", "Vera"], language).outcome(False, "", "loser") == said


def test_finished_games_have_names_that_people_read(tmp_path):
    path = tmp_path / "2026-11-23-1515-durak-0001.rec"
    path.write_bytes(SHORT.read_bytes())
    told = tell_game(path, "en", {"Anna"})
    assert told["when"] == "2026-11-23T15:15" and told["game"] == "Durak, simple" and told["seat"] == 1
    results = [tell_game(path, language, own)["result"] for language, own in (
        ("en", {"Anna"}), ("en", {"Boris"}), ("en", set()), ("en", {"Anna", "Boris"}), ("ru", {"Anna"}))]
    everybody = "Anna is the fool."
    assert results == ["you lost to Boris", "you beat Anna", everybody, everybody, "победа за Boris"]
    path.write_text("no record")
    assert tell_game(path, "en", set()) == {"name": path.name, "when": "2026-11-23T15:15", "game": "", "players": [],
                                            "result": "", "seat": 0}
    assert tell_game(tmp_path / "gone.rec", "en", set())["game"] == ""
