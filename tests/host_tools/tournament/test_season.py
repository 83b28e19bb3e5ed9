"""A season from the exported records of its evenings alone."""

import csv
import json

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.cli import run
from host_tools.club import season
from host_tools.club.tournament.exported import make_files
from host_tools.club.tournament.rounds import seat_round
from tests.host_tools.tournament.made import begin, enter_all, play_round

WORDS = "autumn", "winter"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two evenings: six players, then five of them, one under another spelling; a round of the second by hand."""
    place = tmp_path_factory.mktemp("season")
    for at, names in enumerate((("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor"),
                                ("Anna", "Boris", "Vera P", "Gleb", "Dina"))):
        director = begin(place / f"{at}.sqlite", names, name=f"{WORDS[at]} cup", low=2, best=3, high=3, rounds=2)
        play_round(director, at + 1)
        if at:
            seat_round(director, "arbiter")
            enter_all(director, names.index)
        for name, content in make_files(director).items():
            path = place / WORDS[at] / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        director.close()
    return [place / word for word in WORDS]


def rows_of(folder):
    return {row["player"]: row for row in csv.DictReader((folder / "standings.csv").open())}


def test_points_are_those_of_the_evenings_and_who_came_is_counted(folders):
    evenings, notes = season.read_season(folders)
    members = {one.name: one for one in season.add_up(evenings, {"Vera P": "Vera"})}
    first, second = map(rows_of, folders)
    assert not notes and set(members) == {"Anna", "Boris", "Vera", "Gleb", "Dina", "Egor"}
    for name, member in members.items():
        spelled = "Vera P" if name == "Vera" else name
        wanted = int(first[name]["points"]) + int(second.get(spelled, {"points": 0})["points"])
        assert member.points == wanted, name
        assert member.evenings == (1 if name == "Egor" else 2)
    assert [one.name for one in evenings] == ["autumn cup", "winter cup"]
    ranks = [one.rank for one in members.values()]
    assert ranks == sorted(ranks) and ranks[0] == 1
    best = {one.name: one for one in season.add_up(evenings, {"Vera P": "Vera"}, 1)}
    assert all(best[name].points == max(member.by_evening) for name, member in members.items())


def test_ratings_rise_with_places_and_are_the_same_everywhere(folders):
    evenings, _ = season.read_season(folders)
    ratings = season.rate(evenings, {})
    for evening in evenings:
        evening.gathered.results.reverse()
    assert season.rate(evenings, {}) == ratings, "the order of files counts nothing"
    members = season.add_up(evenings)
    assert max(ratings.values()) > 1500 > min(ratings.values()) and len(members) == 7
    winner = max(ratings, key=lambda name: (ratings[name], name))
    assert next(one for one in members if one.name == winner).first


def test_the_command_writes_a_sheet_and_a_page(folders, tmp_path, capsys):
    words = ["season", *map(str, folders), "--same", "Vera P=Vera", "--best", "1"]
    assert run([*words, "--csv", str(tmp_path / "x.csv"), "--html", str(tmp_path / "x.html"), "--language", "ru"]) == 0
    told = capsys.readouterr()
    assert not told.err and told.out.count("\n") == 7 and "rating" in told.out
    rows = list(csv.DictReader((tmp_path / "x.csv").open(encoding="utf-8-sig")))
    assert (tmp_path / "x.csv").read_bytes().startswith(b"\xef\xbb\xbfrank,"), "Excel knows it as UTF-8 then"
    assert len(rows) == 6 and {row["evenings"] for row in rows} == {"1", "2"}
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "<h1>Сезон</h1>" in page and page.count("<tr>") == 7 and "winter cup" in page


def test_what_cannot_be_added_up_is_one_sentence(folders, tmp_path, capsys):
    def say(*words):
        code = run(["season", *map(str, words)])
        return code, capsys.readouterr().err

    assert "take each evening once" in say(folders[0], folders[0])[1]
    code, err = say(folders[0], tmp_path)
    assert code == 2 and "no records" in err
    (tmp_path / "copy").mkdir()
    record = next(iter(sorted((folders[0] / "records").iterdir())))
    (tmp_path / "copy" / record.name).write_bytes(record.read_bytes())
    code, err = say(folders[0], tmp_path / "copy")
    assert code == 2 and "take each evening once" in err
    code, err = say(*folders, "--same", "Vera")
    assert code == 2 and "SPELLING=NAME" in err
    code, err = say(*folders, "--same", "Anna=Boris")
    assert code == 2 and "two people" in err
    (tmp_path / "copy" / "rulings.json").write_text(json.dumps([]))
    code, err = say(tmp_path / "copy")
    assert code == 2 and "no rulings" in err


def test_an_evening_by_hand_that_is_named_twice_counts_once_or_not_at_all(tmp_path):
    """No game of it has a seal that would tell."""
    director = begin(tmp_path / "a.sqlite", ("Anna", "Boris"), low=2, best=2, high=2, rounds=1)
    seat_round(director, "arbiter")
    enter_all(director)
    for folder in ("a", "exported again"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rulings.json").write_bytes(make_files(director)["rulings.json"])
    director.close()
    assert len(season.read_season([tmp_path / "a"])[0]) == 1
    with pytest.raises(UnusableInput, match="named twice: take each evening once"):
        season.read_season([tmp_path / "a", tmp_path / "a" / ".." / "a"])
    with pytest.raises(UnusableInput, match="begun .* lies in .*a as well: take each evening once"):
        season.read_season([tmp_path / "a", tmp_path / "exported again"])


def test_no_cell_of_a_sheet_that_people_open_is_a_formula(tmp_path):
    """A name comes from a record, which anybody can seal; a reason is typed."""
    assert "\n1,'=1+1,0," in season.write_csv([season.Member("=1+1", 1)])
    director = begin(tmp_path / "a.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    director.act("arbiter", "player left", name="Anna", reason="=1+1", refund=False)
    assert b"Anna,,,'=1+1,0.00\n" in make_files(director)["players.csv"]
    director.close()
