"""`cardtable tournament`: an evening by its commands; every mistake is one sentence and exit code 2."""

import csv
import json

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.cli import run
from host_tools.club.tournament.director import now, open_director
from host_tools.club.tournament.people import find_twins
from host_tools.club.tournament.room import look_round
from host_tools.club.tournament.typed import read_places
from tests.host_tools.tournament.made import NAMES


def test_an_evening_by_its_commands(club, tmp_path):
    people = "Anna;North;\nBoris;North;\nVera;South;\nGleb;South;\n"
    (tmp_path / "players.csv").write_text("\ufeffPlayer;Club;Team\n" + people)
    for words in (
        ("new", "Autumn cup", "--rounds", "2", "--seats", "4", "--fee", "5", "--seed", "3"),
        ("add", "--from", "players.csv"), ("add", *NAMES[4:8]), ("table", "red"), ("table", "blue", "--watch", "http://x"),
        ("round",), ("orders", "--to", "setups"), ("rehearse", "--to", "games"), ("take", "games"), ("standings",),
        ("round",), ("round", "--show"), ("rehearse",), ("standings",), ("prizes",), ("log",), ("decide",), ("export",),
        ("print", "--address", "http://127.0.0.1:8137"), ("backup", "copy.sqlite"),
        ("restore", "copy.sqlite", "--database", "again.sqlite"), ("standings", "--database", "again.sqlite"),
        ("link", "Olga", "--role", "arbiter"),
    ):  # fmt: skip
        code, out, err = club(*words)
        assert (code, err) == (0, "") and out, (words, out, err)
    assert (tmp_path / "setups" / "red.txt").read_text().startswith("cardtable 1\ngame: durak throw-in\nseats: ")
    assert club("take", "games")[0] == 0, "known records are right"
    code, out, _ = club("recompute", "exported/records")
    assert code == 0 and out == (tmp_path / "exported" / "standings.csv").read_text()
    players = list(csv.DictReader((tmp_path / "exported" / "players.csv").open(encoding="utf-8-sig")))
    assert (tmp_path / "exported" / "players.csv").read_bytes().startswith(b"\xef\xbb\xbfplayer,")
    assert club("new", "Next", "--database", "next.sqlite")[0] == 0
    assert club("add", "--from", "exported/players.csv", "--database", "next.sqlite")[0] == 0, "it is read back"
    assert sum(float(player["prize"]) for player in players) == 8 * 5, "in money, as the treasurer pays it"
    assert len(json.loads((tmp_path / "exported" / "tournament.json").read_text())["results"]) == 4
    assert (tmp_path / "printed" / "seats.html").read_text().count("<svg") == 8
    exported = "".join(path.read_text() for path in (tmp_path / "exported").glob("*.*"))
    assert "sign-in" not in exported and "digest" not in exported


def test_a_link_has_the_address_at_which_the_pages_are_served(club, monkeypatch):
    """It was 127.0.0.1:8137, whatever `serve` had said: no phone opens that."""
    served = []

    async def serve(pages, say, **_):
        say(f"{served[-1]}/")
        return 0

    monkeypatch.setattr("host_tools.play.web.serve.serve", serve)
    assert club("new", "x")[0] == 0
    code, out, err = club("link", "Olga")
    link, advice = out.splitlines()
    assert (code, err) == (0, "") and link.startswith("http://127.0.0.1:8137/sign-in/")
    assert "`tournament serve --lan`" in advice
    for address, is_far in (("http://192.0.2.7:8140", True), ("http://127.0.0.1:8139", False),
                            ("https://cup.example.org", True)):
        served.append(address)
        assert club("serve", "--no-browser")[0] == 0
        link, *advice = club("link", "Olga")[1].splitlines()
        assert link.startswith(f"{address}/sign-in/") and not advice == is_far
    link, *advice = club("link", "Olga", "--address", "http://192.0.2.9:80/")[1].splitlines()
    assert link.startswith("http://192.0.2.9:80/sign-in/") and not advice
    director = open_director("tournament.sqlite")
    assert not look_round(director.store, now()).seen, "no table of the room"
    director.close()


def test_results_corrections_and_undo_by_hand(club, tmp_path):
    for words in (("new", "x", "--seed", "1"), ("add", *NAMES[:4]), ("round",)):
        assert club(*words)[0] == 0
    code, out, _ = club("result", "table-1", "anna; Boris = vera; Gleb", "--letters", "khrt7m4nwx29")
    assert code == 0 and "Anna; Boris = Vera; Gleb (lost)" in out
    assert club("result", "table-1", "Anna; Boris = Vera; Gleb")[:1] == (0,), "the same again is nothing"
    code, out, _ = club("result", "table-1", "Gleb; Boris = Vera; Anna")
    assert code == 1 and "waits for the arbiter" in out
    code, out, _ = club("decide")
    assert code == 1
    number = out.split(":")[0]
    assert club("decide", number, "--take", "--reason", "Anna says so")[0] == 0
    assert "Gleb" in club("standings")[1].splitlines()[1]
    assert club("correct", "table-1", "Anna; Vera; Boris; Gleb", "--draw", "--reason", "misread")[0] == 0
    assert club("undo", open_director("tournament.sqlite").state.last)[0] == 0
    assert "(undone)" in club("log")[1]
    assert club("withdraw", "Gleb", "--reason", "ill")[0] == 0 and club("withdraw", "Gleb", "--back")[0] == 0


MISTAKES = [
    (("round",), "there is no tournament"),
    (("new", "x", "--seats", "9"), "how many sit"), (("new", "x", "--seats", "5-4"), "in that order"),
    (("new", "x", "--database", "none/t.sqlite"), "there is no folder none"),
    (("new", "x", "--fee", "free"), "no sum of money"), (("new", "x", "--prizes", "a"), "shares of the pool"),
    (("new", "=x"), "is no name"), (("new", "x", "--database", "mysql://x"), "SQLite or PostgreSQL"),
    (("new", "x", "--database", "postgresql://nobody@127.0.0.1:1/x"), "127.0.0.1"),
    (("new", "x", "--format", "knock-out", "--counts", "places"), "a knock-out counts"),
]  # fmt: skip
LATER = [
    (("new", "y"), "has a tournament already"), (("add",), "name the players"), (("add", "Anna"), "already"),
    (("add", "New", "New"), "already"), (("add", ";"), "is no name"),
    (("add", "--from", "empty.csv"), "names no player"),
    (("withdraw", "Nobody"), "there is no player"), (("withdraw", "Anna", "--reason", ""), "say why"),
    (("result", "table-9", "x"), "has no table"), (("result", "table-1", "Anna; Boris"), "is missing"),
    (("result", "table-1", "Anna; Anna; Boris; Vera; Gleb"), "twice"), (("result", "table-1", "X; Y"), "does not play"),
    (("result", "table-1", "Anna; Boris; Vera; Gleb", "--letters", "ABC"), "not the letters"),
    (("result", "table-1", "Anna; Boris; Vera; Gleb", "--round", "2"), "there is no round"),
    (("result", "table-1", "Anna; Boris; Vera; Gleb", "--lost", "Zoya"), "does not play"),
    (("correct", "table-1", "Anna; Boris; Vera; Gleb", "--reason", "x"), "no result yet"),
    (("decide", "1", "--take", "--reason", "x"), "no open dispute"), (("undo", "99"), "no event"),
    (("undo", "1"), "stays"), (("round",), "still lacks"), (("restore", "empty.csv"), "there is no tournament"),
    (("restore", "noise", "--database", "z.sqlite"), "not a database"), (("recompute", "empty.csv"), "none of these"),
    (("table", "red", "--watch", "javascript:x"), "no address"), (("table", "red", "--key", "empty.csv"), "a key has"),
    (("backup", "tournament.sqlite"), "replaces nothing"), (("link", ""), "is empty"),
    (("recompute", "empty.csv", "--rulings", "empty.csv"), "no rulings"),
]  # fmt: skip


def test_every_mistake_is_one_sentence(club, tmp_path):
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 40)
    for words, why in MISTAKES:
        code, out, err = club(*words)
        assert (code, out) == (2, "") and why in err and err.count("\n") == 1, (words, out, err)
    for words in (("new", "x", "--seed", "1"), ("add", *NAMES[:4]), ("round",)):
        assert club(*words)[0] == 0
    for words, why in LATER:
        code, out, err = club(*words)
        assert (code, out) == (2, "") and why in err and err.count("\n") == 1, (words, out, err)
    assert not (tmp_path / "z.sqlite").exists()


def test_names_that_nobody_hears_apart_are_one(club):
    """Capitals, blanks, and an accent that stands apart from its letter, as some keyboards and lists have it."""
    club("new", "Cup", "--seats", "2", "--rounds", "1")
    accent, apart = "Jos\u00e9", "Jose\u0301"
    assert club("add", accent, "Boris  B")[0] == 0
    for twin in (apart, accent.upper(), "boris b"):
        code, _, err = club("add", "Gleb", twin)
        assert (code, "already" in err or "only in capitals" in err) == (2, True), (twin, err)
    club("round")
    code, out, err = club("result", "table-1", f"{apart}; BORIS  B", "--lost", " boris b")
    assert (code, err) == (0, "") and f"{accent}; Boris B (lost)" in out
    assert club("withdraw", " boris  B")[:2] == (0, "Boris B is seated no more.\n")
    assert club("withdraw", apart, "--reason", "late")[:2] == (0, f"{accent} is seated no more.\n")


def test_twins_of_an_older_log_are_found_by_their_exact_names():
    group = ("Anna", "anna", "Boris")
    assert read_places("Anna; boris; anna", group).places == (("Anna",), ("Boris",), ("anna",))
    with pytest.raises(UnusableInput, match="ANNA"):
        read_places("ANNA; Boris; anna", group)


def test_a_table_gets_no_name_that_is_anothers_on_paper_or_on_the_network(club, tmp_path):
    club("new", "Cup", "--seats", "2")
    for name, code in (("Hall A/1", 0), ("Hall A 1", 2), ("hall a-1", 2), ("Стол 1", 0), ("Зал 1", 2), ("Зал А", 0),
                       ("Зал Б", 0), ("зал б", 2), ("Стол 2", 0), ("Hall A/1", 0)):
        said = club("table", name)
        assert said[0] == code and ("would share a name" in said[2]) == (code == 2), (name, said)
    director = open_director(str(tmp_path / "tournament.sqlite"))
    assert list(director.state.table_keys) == ["Hall A/1", "Стол 1", "Зал А", "Зал Б", "Стол 2"]
    director.act("arbiter", "table named", name="Hall A 1", key="", watch="")  # as an older cardtable took it
    director.close()
    club("add", *NAMES)
    club("round")
    assert club("orders", "--to", "setups")[0] == 0 and club("rehearse", "--to", "games")[0] == 0
    told = [path.read_text().partition("table: ")[2].split("\n")[0] for path in (tmp_path / "setups").iterdir()]
    assert sorted(told) == ["Hall A 1", "Hall A/1", "Зал А", "Зал Б", "Стол 1", "Стол 2"]
    assert len(list((tmp_path / "games").iterdir())) == 6
    assert find_twins(["Hall A/1", "a", "Hall A 1", "Стол 1", "Зал 1"]) == [
        ("Hall A/1", "Hall A 1"), ("Стол 1", "Зал 1")]


def test_a_list_of_players_takes_the_club_and_team_beside_it(club, tmp_path):
    (tmp_path / "players.csv").write_text("player,club\nDina,Lions\nEgor,\n")
    club("new", "Cup")
    assert club("add", "Zoya", "--from", "players.csv", "--club", "Tigers", "--team", "Reds")[0] == 0
    director = open_director(str(tmp_path / "tournament.sqlite"))
    assert [(one.name, one.club, one.team) for one in director.state.players.values()] == [
        ("Zoya", "Tigers", "Reds"), ("Dina", "Lions", "Reds"), ("Egor", "Tigers", "Reds")]
    director.close()


def test_an_evening_by_hand_is_one_of_a_season_and_no_other_lies_in_its_folder(club, tmp_path, capsys):
    for database in ("one.sqlite", "two.sqlite"):
        club("new", "Cup", "--seats", "2", "--rounds", "1", "--database", database)
        club("add", "Anna", "Boris", "--database", database)
        club("round", "--database", database)
        if database == "one.sqlite":
            club("result", "table-1", "Anna; Boris", "--database", database)
            assert club("export", "--to", "one", "--database", database)[0] == 0
    assert run(["season", "one"]) == 0 and capsys.readouterr().out
    assert club("recompute", "one/records", "--rulings", "one/rulings.json")[:2] == (
        0, (tmp_path / "one" / "standings.csv").read_text())
    club("rehearse", "--database", "two.sqlite")
    for _ in range(2):
        assert club("export", "--to", "two", "--database", "two.sqlite")[0] == 0
    code, _, err = club("export", "--to", "two", "--database", "one.sqlite")
    assert code == 2 and "is of no game of this evening" in err
    club("new", "Spring cup", "--database", "three.sqlite")
    code, _, err = club("export", "--to", "one", "--database", "three.sqlite")
    assert code == 2 and "is of Cup: each evening has a folder of its own" in err
    for text in ("", "[]", '{"tournament": 1}'):  # a cut of the power can leave an empty file
        (tmp_path / "one" / "tournament.json").write_text(text)
        code, _, err = club("export", "--to", "one", "--database", "one.sqlite")
        assert code == 2 and err.startswith("one/tournament.json: ") and err.count("\n") == 1
