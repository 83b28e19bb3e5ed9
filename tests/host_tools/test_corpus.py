"""Games by the thousand: they replay, are the same by any number of processes, hold what people do, and are counted."""

import re

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.event import find_verb
from cardtable.games import durak
from host_tools import cli
from host_tools.minds.corpus import count as counting
from host_tools.minds.corpus.count import Counts, count, list_records
from host_tools.minds.intervals import interval
from host_tools.minds.corpus.generate import write_corpus, write_game
from host_tools.minds.corpus.profile import Profile, add_words
from host_tools.minds.players import find_player
from host_tools.judge.facts import durak as durak_facts
from host_tools.sight.recorded import Recorded, read_record
from tests.conftest import ROOT
from tests.host_tools.players.games import GAMES, plain_match


def silent(done):
    """Nobody looks."""


@pytest.mark.parametrize("name", GAMES)
def test_every_game_replays_and_has_what_people_do(name):
    """Options chosen at random, refused attempts, plays taken back; the engine agrees with every line."""
    refused = undone = 0
    lines = set()
    for number in range(6):
        record = Recorded("game.rec", write_game(name, 2, number)[1].encode())
        assert not record.trouble and record.count > 5  # in Malice two who cannot move end it at once
        text = record.content.decode()
        refused += text.count(" ! ")
        undone += text.count(" undo")
        lines.add(" ".join(record.header.game))
    if find_game(name).OPTIONS:  # a game without any is too short for that (`cardtable new game`)
        assert refused > 5 and len(lines) > 1 and (undone or name == "cals-bs"), (refused, undone, lines)


def test_two_processes_write_what_one_does(tmp_path):
    """More games than are played without a process of their own."""
    written = [sorted(write_corpus("bailiff", 9, 7, tmp_path / str(jobs), jobs, silent)) for jobs in (1, 2)]
    assert [path.read_bytes() for path in written[0]] == [path.read_bytes() for path in written[1]]
    assert len({path.read_bytes() for path in written[0]}) == 9


def test_figures_are_counted_and_drawn(tmp_path, capsys):
    """C18: shares have their intervals; the same page again."""
    list(write_corpus("cals-bs", 4, 1, tmp_path / "games", 1, silent))
    (tmp_path / "games" / "junk.rec").write_text("no record")
    pages = []
    for _ in range(2):
        assert cli.run(["stats", str(tmp_path / "games"), "--html", str(tmp_path / "page.html")]) == 0
        pages.append((tmp_path / "page.html").read_bytes())
    told = capsys.readouterr().out
    assert "Cal's BS (a Cheat): 4 games" in told and "false sets:" in told and "left out: 1 record" in told
    assert pages[0] == pages[1] and b"<svg" in pages[0] and b"<script" not in pages[0]


def test_refusals_have_the_words_of_their_rule_in_both_languages(tmp_path, capsys):
    list(write_corpus("durak", 6, 1, tmp_path, 1, silent))
    for language, words, lost in (("en", "[A-Z]", "lost by the dealer: "), ("ru", "[А-Я]", "проиграл сдающий: ")):
        assert cli.run(["stats", str(tmp_path), "--language", language, "--jobs", "1"]) == 0
        told = capsys.readouterr().out
        assert lost in told and re.search(rf"\n    \d+ D\d+ {words}", told), told
    assert not re.search(r"\b(?:games|lost|median|draws|left)\b", told)


def test_counts_are_the_same_by_any_number_of_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(counting, "CHUNK", 2)
    list(write_corpus("malice payoff=6", 20, 1, tmp_path, 1, silent))
    paths = list_records(tmp_path)
    done = [[], []]
    found = [count(paths, done[jobs - 1].append, jobs) for jobs in (1, 2)]
    assert found[0] == found[1] and found[0][0]["malice"].games == 20
    assert done[0] == done[1] and done[0][-1] == 20


def test_what_is_counted_is_what_happened():
    record = Recorded("game.rec", write_game("durak throw-in", 1, 1)[1].encode())
    counts = Counts()
    counts.add(record)
    text = record.content.decode()
    assert counts.verbs["take"] == sum(line.endswith(" take") for line in text.splitlines())
    assert sum(counts.refusals.values()) == text.count(" ! ") and sum(counts.lost.values()) + counts.draws == 1
    mean, low, high = interval(50, 100)
    assert mean == 50 and 40 < low < 41 and 59 < high < 60
    for number in range(1, 201):  # nobody lost, or everybody: rounding puts no end on the wrong side of the share
        assert interval(0, number)[:2] == (0, 0) and interval(0, number)[2] > 0
        assert interval(number, number)[0] == interval(number, number)[2] == 100 > interval(number, number)[1]



@pytest.mark.parametrize("words", [["--game", "chess"], ["--game", "durak deck=7"], ["--game", ""]])
def test_what_cannot_be_played_is_one_sentence(words, tmp_path, capsys):
    assert cli.run(["generate", *words, "--count", "1", "--jobs", "1", "--to", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_line_is_played_with_the_seats_that_it_allows():
    assert all("\nseats: Seat 1; Seat 2\n" in write_game("malice payoff=26", 1, number)[1] for number in range(2))


def test_a_folder_without_games_is_told(tmp_path):
    assert cli.run(["stats", str(tmp_path)]) == 2


@pytest.mark.parametrize(("line", "seats"), [("durak", 4), ("durak simple", 2)])
def test_the_first_bout_goes_on_behind_a_done_and_ends_without_one(line, seats):
    """With three seats or more others throw in after it; in `simple` nobody says it."""
    counts, taken = Counts(), 0
    for seed in range(12):
        match = plain_match(line, [find_player("beginner")] * seats, seed, 3000)
        match.play()
        record = Recorded("game", match.record().encode())
        counts.add(record)
        taken += is_first_bout_taken(record)
    assert counts.first_takes == taken and 0 < taken < 12


def is_first_bout_taken(record):
    course = record.course()
    register, began, took = course.session.state.register, False, False
    for line in record.walk(course):
        if began and not register[durak_facts.ATTACKS]:
            break
        began = began or register[durak_facts.ATTACKS] > 0
        took = took or not line.verdict and line.event.verb == find_verb(durak, "take")
    return took


def test_c9_a_last_set_that_was_false_is_a_bluff():
    """The hand has it again at once, so nothing false lies there."""
    record = read_record(ROOT / "tests" / "records" / "cals-bs" / "scenario-09-follower-out-false.rec")
    profiles = [Profile(name, "cals-bs") for name in record.header.seats]
    add_words(profiles, record)
    assert profiles[1].lies == 2
    counts = Counts()
    counts.add(record)
    assert counts.lies == sum(profile.lies for profile in profiles)
