"""The profile of a player: its kind is found although it does not always play so; what cannot be told is said."""

import json
import re

import pytest

from host_tools import cli
from host_tools.minds.analysis import served
from host_tools.minds.analysis.judge import analyse
from host_tools.minds.analysis.lines import as_text
from host_tools.minds.analysis.report import figures
from host_tools.minds.analysis.sentences import Told
from host_tools.minds.corpus import profile
from host_tools.minds.corpus.profile import BLUFFS, as_lines, read_profiles
from host_tools.minds.corpus.wording import Wording
from host_tools.sight.recorded import Recorded
from host_tools.minds.players import find_player
from host_tools.sight.seen import Choice
from tests.conftest import ROOT
from tests.host_tools.players.games import plain_match

KINDS = ["trump-collector", "high-collector", "small-attacker", "pair-collector", "card-counter", "beginner"]
WORDS = {"trump-collector": "collects trumps", "card-counter": "counts cards"}


def absent_minded(name):
    """Players of that kind who do anything at all every fifth time."""

    class Absent(find_player(name)):
        def choose(self, seen):
            choice = super().choose(seen)
            draw = self.chance("absent", seen.moment_ms, len(seen.log))
            if choice is None or not seen.is_waited_for or draw.below(5):
                return choice
            return Choice(seen.moves[draw.below(len(seen.moves))], choice.think_ms)

    Absent.name = Absent.likeness = ""
    return Absent


def write_games(folder, first, games, line="durak throw-in"):
    """Games of `first`, called Anna, against a beginner, Boris."""
    folder.mkdir(exist_ok=True)
    for number in range(games):
        match = plain_match(line, [first, find_player("beginner")], 900 + number, 3000)
        match.play()
        text = match.record()
        seats = next(row for row in text.splitlines() if row.startswith("seats:"))
        (folder / f"{number}.rec").write_text(text.replace(seats, "seats: Anna; Boris"))
    return sorted(folder.glob("*.rec"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS)
def test_d48_a_kind_is_found_in_ten_games_of_one_who_does_not_always_play_so(tmp_path, kind):
    found, left_out = read_profiles(write_games(tmp_path / "games", absent_minded(kind), 10))
    assert [(profile.name, profile.games) for profile in found] == [("Anna", 10), ("Boris", 10)] and not left_out
    anna, boris = (profile.figures() for profile in found)
    assert anna["kind"] == kind and boris["kind"] == "beginner", (anna, boris)
    assert anna["alike"][kind] == max(anna["alike"].values()) < 100 == boris["alike"]["beginner"]


def test_d48_who_plays_at_random_is_of_no_kind(tmp_path, capsys):
    write_games(tmp_path / "games", find_player("random"), 5)
    assert cli.run(["profile", str(tmp_path / "games"), "--name", "Anna"]) == 0
    told = capsys.readouterr().out
    assert "Anna, Durak: 5 games, lost " in told and "Boris" not in told
    assert "too few games to say what kind of player this is" in told and "%" not in told.splitlines()[0]
    figures = read_profiles([tmp_path / "games" / f"{number}.rec" for number in range(5)])[0][0].figures()
    assert "  plays like none of the kinds that we know" in as_lines({**figures, "games": 10}, Wording("en"))


def count_words(text):
    """Sets, false sets, doubts and right doubts of each seat, reckoned from the record's own lines."""
    told = {}
    hands, is_false = {}, False
    for _, seat, verb, *words in (row.split() for row in text.splitlines() if row[:1].isdigit() and "!" not in row):
        assert verb != "undo", "choose another game"
        counts = told.setdefault(int(seat), [0, 0, 0, 0])
        staged = hands.setdefault(seat, [])
        if verb == "lay":
            staged.append(words[0])
        elif verb == "unlay":
            staged.remove(words[0])
        elif verb == "fours":
            is_false = False
            staged.clear()
        elif verb in ("claim", "plus"):  # C13: "plus one" claims to be a joker
            is_false = any(card[0] not in (words[0], "X") for card in staged)
            counts[0] += 1
            counts[1] += is_false
            staged.clear()
        elif verb == "doubt":
            counts[2] += 1
            counts[3] += is_false
    return told


@pytest.mark.parametrize("line", ["cals-bs", "cals-bs places=yes"])
def test_c18_false_sets_and_doubts_are_those_of_the_record(tmp_path, capsys, line):
    """C22: also of who goes out while the others play on."""
    match = plain_match(line, [find_player(name) for name in ("bluffer", "doubter", "beginner")], 7, 3000)
    match.play()
    (tmp_path / "game.rec").write_text(match.record())
    assert cli.run(["profile", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["players"]
    by_hand = count_words(match.record())
    sets = sum(counts[0] for counts in by_hand.values())
    for seat, one in enumerate(sorted(told, key=lambda row: row["player"]), 1):
        claims, lies, doubts, right = by_hand[seat]
        assert lies and doubts, "choose another game"
        expected = {"bluffs": (lies, claims), "doubts": (doubts, sets - claims), "doubts_right": (right, doubts)}
        for name, (hits, of) in expected.items():
            assert (one[name]["of"], one[name]["percent"]) == (of, round(100 * hits / of, 1)), name


def test_c18_a_rate_is_called_high_or_low_only_beyond_its_interval():
    rates = [{"of": of, "percent": 0.0, "low": low, "high": high} for of, low, high in
             ((9, 61, 90), (9, 10, 39), (9, 35, 45), (0, 0, 100))]
    assert [Wording("en").beside(rate, BLUFFS) for rate in rates] == [
        "; more than the source's 40 to 60 %", "; less than the source's 40 to 60 %", "; the source says 40 to 60 %",
        ""]


@pytest.mark.parametrize("line", ["bailiff move_limit=20", "malice"])
def test_where_one_kind_is_known_none_is_named(tmp_path, capsys, line):
    """Most people are closer to a beginner than to pure chance; that does not make them beginners."""
    write_games(tmp_path / "games", find_player("random"), 1, line)
    assert cli.run(["profile", str(tmp_path / "games")]) == 0
    told = capsys.readouterr().out
    assert "1 game, lost" in told and "same choice" not in told and "kinds" not in told


def test_mistakes_are_those_of_the_analysis(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(profile, "is_checked", lambda *_: True)  # `simple` is short, and its chances are rough
    paths = write_games(tmp_path / "games", find_player("random"), 1, "durak simple")
    assert cli.run(["profile", str(paths[0]), "--mistakes", "--guesses", "4", "--json"]) == 0
    anna = json.loads(capsys.readouterr().out)["players"][0]
    told = figures(analyse(Recorded("0.rec", paths[0].read_bytes()), 4))["seats"][0]
    assert anna["judged"] == told["decisions"] > 5 and anna["lost_each"] == told["lost_each"] > 0
    assert anna["mistakes"] == {kind: told[kind] for kind in ("blunder", "mistake")}


def test_games_whose_chances_are_rough_are_counted_and_not_judged(tmp_path, capsys, monkeypatch):
    """No sum of rough chances: four seats of Durak."""
    monkeypatch.setattr(profile, "make_figures", lambda *_: pytest.fail("judged"))
    path = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"
    assert cli.run(["profile", str(path), "--mistakes", "--name", "Gleb"]) == 0
    told = capsys.readouterr().out
    assert "1 game not judged" in told and "of 100 points" not in told
    assert cli.run(["profile", str(path), "--mistakes", "--name", "Gleb", "--json"]) == 0
    (gleb,) = json.loads(capsys.readouterr().out)["players"]
    assert gleb["rough"] == 1 and not {"judged", "lost_each", "mistakes"} & gleb.keys()


@pytest.mark.everything
def test_mistakes_are_found_once_and_only_in_games_of_who_is_asked_for(tmp_path, capsys, monkeypatch):
    """What was found is kept where the page and `analyse` look, too; a name that is not there costs no analysis."""
    path = write_games(tmp_path / "games", find_player("beginner"), 1, "durak deck=24")[0]
    made, asked = [], ["--guesses", "4"]
    monkeypatch.setattr(served, "GUESSES", 4)
    monkeypatch.setattr(served, "analyse", lambda record, *more: made.append(1) or analyse(record, *more))
    assert cli.run(["profile", str(tmp_path / "games"), "--mistakes", "--name", "Vera", *asked]) == 2 and not made
    said = []
    for _ in range(2):
        capsys.readouterr()
        assert cli.run(["profile", str(tmp_path / "games"), "--mistakes", "--name", "Anna", *asked]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and " of 100 points on average" in said[0] and len(made) == 1
    assert cli.run(["analyse", str(path), *asked]) == 0 and len(made) == 1
    assert served.find_figures(Recorded("0.rec", path.read_bytes()), path.parent / served.FOLDER)


def test_an_analysis_says_of_one_game_what_kind_it_was(tmp_path):
    """And nothing of who played at random."""
    paths = write_games(tmp_path / "games", find_player("trump-collector"), 3)
    told = [figures(analyse(Recorded(path.name, path.read_bytes()), 2)) for path in paths]
    kinds = [one["seats"][0]["plays_like"] for one in told]
    assert "trump-collector" in kinds and set(kinds) <= {"trump-collector", ""}
    best = told[kinds.index("trump-collector")]
    words = Told(Recorded("0.rec", paths[kinds.index("trump-collector")].read_bytes()))
    assert "; collects trumps" in "\n".join(as_text(best, words))


def test_what_cannot_be_told_is_left_out_and_said(tmp_path, capsys):
    path = write_games(tmp_path / "games", find_player("beginner"), 1)[0]
    text = path.read_text()
    under_way = tmp_path / "games" / "under-way.rec"
    assert cli.run(["profile", str(tmp_path / "games")]) == 0
    assert "left out" not in capsys.readouterr().out
    for bad, why in ((text[: text.index("result:")], "no result yet"),
                     (text.replace("Anna; Boris", "Anna; Anna"), "two seats have one name: Anna, Anna"),
                     (text.replace("throw-in", "throw-in deal=counted", 1), "")):
        under_way.write_text(bad)
        assert cli.run(["profile", str(tmp_path / "games")]) == 0
        told = capsys.readouterr().out
        assert "Anna, Durak: 1 game, lost" in told and "left out: 1 record; the first: " in told and why in told
    under_way.write_text(text[: text.index("result:")])
    assert cli.run(["profile", str(tmp_path / "games"), "--name", "Vera"]) == 2
    assert "no player is called Vera; there are: Anna, Boris" in capsys.readouterr().err
    path.unlink()
    assert cli.run(["profile", str(tmp_path / "games")]) == 2
    assert "no result yet" in capsys.readouterr().err


def test_a_profile_is_told_in_russian_and_the_same_by_any_number_of_processes(tmp_path, capsys):
    paths = write_games(tmp_path / "games", find_player("trump-collector"), 10)
    found = [read_profiles(paths, jobs=jobs)[0] for jobs in (1, 2)]
    assert [[one.figures() for one in some] for some in found][0] == [one.figures() for one in found[1]]
    assert [one.records for one in found[0]] == [one.records for one in found[1]]
    assert cli.run(["profile", str(tmp_path / "games"), "--language", "ru", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "Anna, Дурак: 10 игр, проиграно " in told and "копит козыри" in told
    assert not re.search(r"[a-z]{3,}", re.sub("Anna|Boris", "", told))
