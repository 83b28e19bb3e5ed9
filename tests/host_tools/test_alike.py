"""Names that no eye tells apart: letters of several alphabets, at a table and in a tournament."""

import pytest

from host_tools.base.alike import as_seen, find_alike
from host_tools.base.errors import UnusableInput
from host_tools.club.tournament.people import add_players, name_table
from host_tools.club.tournament.plan import find_name
from host_tools.club.tournament.state import Unfit
from host_tools.judge.sentences import Sentences
from host_tools.play.acts import NotAllowed, write_setup
from host_tools.play.seating import PHONE, bot_names, check_different, read_seats
from tests.host_tools.tournament.made import begin

# Cyrillic, then the same with one letter of Latin or Greek.
ALIKE = [("Анна", "Aнна"), ("Вера", "Bера"), ("Зоя", "Зoя"), ("ТОМАС", "TOMAC"), ("Νίκος", "Nίκος"), ("Алёна", "Алëна"),
         ("Рома Ф.", "Pома  Ф."), ("José", "Jose\u0301"), ("Anna", "Ａｎｎａ"), ("Егор", "Εгор")]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_the_same_are_one(one, other):
    assert one != other and as_seen(one) == as_seen(other) and find_alike(["Глеб", one, other]) == (one, other)
    with pytest.raises(UnusableInput, match="look the same: some letters are of another alphabet"):
        check_different([one, "Глеб", other])


def test_names_that_are_told_apart_stay_different():
    names = ["Anna", "Анна", "Anne", "anna", "Нина", "Hиha", "Вера", "вера", "Вероника", "Kolya", "Коля", "Йон", "Ион",
             "Ё", "Е", "Player 1", "Player l", "Player I", *bot_names("en"), *bot_names("ru")]
    assert find_alike(dict.fromkeys(names)) is None


@pytest.mark.parametrize("seats", ["Анна,phone:Aнна", "phone:Vera,phone:Verа"])
def test_a_second_one_is_refused_at_a_table_with_a_sentence(seats):
    """The record, its lights and its feed told them apart, and no person could."""
    with pytest.raises(UnusableInput, match="look the same") as refused:
        read_seats(seats, "ru")
    told = Sentences(language="ru").why(str(refused.value))
    assert told.endswith("выглядят одинаково: часть букв из другого алфавита")
    with pytest.raises((UnusableInput, NotAllowed), match="look the same"):
        write_setup("durak", ["Анна", "Aнна"], 2, 7)


def test_a_virtual_player_gives_way_to_a_name_that_looks_like_its_own():
    [name, *_] = [one for one in bot_names("ru") if "а" in one]
    person = name.replace("а", "a", 1)
    people = read_seats(",".join([*["bot"] * bot_names("ru").index(name), f"phone:{person}", "bot", "bot"]), "ru")
    assert (person, PHONE) in people and find_alike(one for one, _ in people) is None
    people = read_seats(f"phone:{bot_names('ru')[1].replace('о', 'o').replace('а', 'a')},bot,bot", "ru")
    assert find_alike(one for one, _ in people) is None


def test_a_second_one_is_refused_in_a_tournament_and_its_club_is_the_same(tmp_path):
    director = begin(tmp_path / "a.sqlite", ["Анна", "Борис"], clubs=["Север"])
    for name in ("Aнна", "AННА"):
        with pytest.raises(Unfit, match="look the same, for some letters are of another alphabet"):
            add_players(director, "arbiter", [(name, "", "")])
    with pytest.raises(Unfit, match="differ only in capitals"):
        add_players(director, "arbiter", [("АННА", "", "")])
    with pytest.raises(Unfit, match="look the same"):
        add_players(director, "arbiter", [("Вера", "", ""), ("Bера", "", "")])
    assert list(director.state.players) == ["Анна", "Борис"], "all or none"
    add_players(director, "arbiter", [("Глеб", "Cевер", ""), ("Дина", "СЕВЕР", "")])
    assert {one.club for one in director.state.players.values()} == {"Север"}
    assert find_name("Aнна", director.state.players) == "Анна" and find_name("анна", director.state.players) == "Анна"
    name_table(director, "arbiter", "Стол А")
    with pytest.raises(Unfit, match="look the same"):
        name_table(director, "arbiter", "Стол A")
    name_table(director, "arbiter", "Стол А", watch="http://x")
    director.close()
