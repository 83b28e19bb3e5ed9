"""What a tired arbiter reads: which game it is, both results, who lost, and what to do next."""

import time

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.base.wording import read_words
from host_tools.club import season
from host_tools.club.tournament.exported import make_files
from host_tools.club.tournament.intake import offer_all
from host_tools.club.tournament.log import tell_time
from host_tools.club.tournament.refused import FOLDER, WORDS, Unfit
from host_tools.club.tournament.results import make_outcome
from host_tools.club.tournament.rounds import seat_round
from tests.host_tools.tournament.made import NAMES, begin, play_round, records
from tests.host_tools.tournament.test_served import Evening

COMMA = "Smith, John"


def seat_three(club, *more):
    for words in (("new", "x", "--seed", "1", "--seats", "3", *more), ("add", "Anna", "Boris", COMMA), ("round",)):
        assert club(*words)[0] == 0


def test_what_waits_is_told_with_its_game_and_both_results(club):
    seat_three(club)
    assert club("result", "table-1", f"Anna; {COMMA}; Boris")[0] == 0
    assert club("result", "table-1", f"{COMMA}; Anna; Boris", "--letters", "KHRT 7M4N WX29")[0] == 1
    code, out, _ = club("decide")
    assert code == 1 and ": game 1 at table-1 in round 1: the slip says " in out
    assert f"\n    It says: {COMMA}; Anna; Boris (lost), sealed KHRT 7M4N WX29 (by hand)\n" in out
    assert out.endswith(f"\n    What counts now: Anna; {COMMA}; Boris (lost), sealed nothing (by hand)\n")
    number = out.split(":")[0]
    code, _, err = club("decide", number, "--take")
    assert code == 2 and err.startswith("say why, with a reason"), err
    assert "1 result waits for the arbiter: `cardtable tournament decide` lists them." in club("round")[1]


def test_who_lost_is_said_in_the_readers_language_in_a_refusal_too():
    """The Russian page said `lost`."""
    one, other = make_outcome([["Anna"], ["Boris"]], ["Boris"]), make_outcome([["Boris"], ["Anna"]], ["Anna"])
    trouble = Unfit("slip", slip=one, record=other)
    assert str(trouble) == "the slip says Anna; Boris (lost), and the record Boris; Anna (lost)"
    assert trouble.tell("ru") == "в листке Anna; Boris (проигрыш), а в записи Boris; Anna (проигрыш)"


def test_of_several_results_the_arbiter_says_which_one_is_corrected(club):
    """It was the last one, and the help said `the table's next one`."""
    seat_three(club, "--games", "2")
    first, other = f"Anna; Boris; {COMMA}", f"{COMMA}; Boris; Anna"
    assert club("result", "table-1", first)[0] == 0
    assert "game 1 at table-1" in club("correct", "table-1", other, "--reason", "misread")[1], "there is only one"
    assert club("result", "table-1", first)[0] == 0
    code, _, err = club("correct", "table-1", other, "--reason", "misread")
    assert (code, err) == (2, "table-1 has results of 2 games in round 1: say which one, with --game\n")
    assert "game 1 at table-1" in club("correct", "table-1", first, "--reason", "misread", "--game", "1")[1]


def test_a_list_of_players_in_another_coding_is_told_how_to_save_it(club, tmp_path):
    """Excel's plain CSV in Russian: `invalid start byte, so it is no text`."""
    (tmp_path / "players.csv").write_bytes("игрок;клуб\nВера;Юг\n".encode("cp1251"))
    assert club("new", "x")[0] == 0
    code, _, err = club("add", "--from", "players.csv")
    assert (code, err) == (2, "players.csv: it is not in UTF-8: choose `CSV UTF-8` where the spreadsheet saves it\n")


def test_a_record_whose_line_ends_were_rewritten_is_called_no_forgery(tmp_path):
    """A mail program did it; `it was changed in lines 33 and 66 and 99` accuses the players."""
    director = begin(tmp_path / "x.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    seat_round(director, "arbiter")
    record = records(director)[0]
    receipts = offer_all(director, [(record.replace(b"\n", b"\r\n"), "mail"), (record, "the table")])
    assert [one.status for one in receipts] == ["refused", "counted"]
    assert receipts[0].reason.endswith("some program has rewritten them: take the file from the table again.")
    director.close()


def test_a_spelling_that_no_evening_has_is_refused(tmp_path):
    """One wrong letter, and two rows of the season stayed two people."""
    director = begin(tmp_path / "x.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    play_round(director)
    for name, content in make_files(director).items():
        path = tmp_path / "evening" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    director.close()
    evenings, _ = season.read_season([tmp_path / "evening"])
    with pytest.raises(UnusableInput, match="--same: no evening has a player 'Ana'"):
        season.add_up(evenings, {"Ana": "Anna"})


def test_the_log_tells_the_time_of_the_clock_on_the_wall(monkeypatch):
    monkeypatch.setenv("TZ", "MSK-3")
    time.tzset()
    try:
        assert tell_time("2026-11-29T21:18:15Z") == "2026-11-30 00:18:15 MSK"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_each_language_says_who_lost_and_what_is_counted_beside():
    for language in ("en", "ru"):
        words = read_words(FOLDER, WORDS, language)
        told = make_outcome([["Anna"], ["Boris"]], ["Boris"], [("Boris", 2)]).tell(language)
        assert told == f"Anna; {words['lost'].format(name='Boris')}; {words['marks'].format(name='Boris', count=2)}"


@pytest.mark.browser
def test_a_long_name_pushes_nothing_over_the_edge(window, tmp_path):
    """On a phone the points stood beside the edge, and on the television one name lay on another's table."""
    names = ["M" * 32, "Анна-Мария Константинопольская", *"NOPQRSTUVW"]
    director = begin(tmp_path / "x.sqlite", names, low=4, best=4, high=4)
    play_round(director)
    with Evening(director) as served:
        page = window.open(f"{served.address}/screen", (1280, 800), is_timed=True)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        table = page.locator(".names li", has_text="MMM").locator("b").bounding_box()
        assert table["x"] + table["width"] <= 640, "in its own column"
        page = window.open(f"{served.address}/", (390, 844))
        for path in ("/", "/pairings", "/standings"):
            page.goto(served.address + path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        points = page.locator("tbody tr").first.locator("td").nth(2).bounding_box()
        assert points["x"] + points["width"] <= 390
        window.close()
    director.close()


def test_a_table_with_a_number_that_comes_back_sends_no_other_away(club):
    """Only it was played at from then on, and four of eight sat out."""
    for words in (("new", "x", "--seats", "3-4", "--seed", "1"), ("add", *NAMES[:8]), ("round",),
                  ("table", "table-1", "--gone")):
        assert club(*words)[0] == 0
    assert club("table", "table-1")[1] == "table-1 is used again from the next round on.\n"
    out = club("round", "--close", "it was mended")[1]
    assert "\ntable-1 " in out and "\ntable-2 " in out and "sits out" not in out
    assert club("table", "table-1")[1].startswith("1 table is named. The next round is played at it alone")


def test_who_leaves_a_match_between_two_games_is_sent_in_no_circle(club):
    """`withdraw` said --no-show, and that said `withdraw`."""
    seat_three(club, "--games", "2")
    assert club("result", "table-1", f"Anna; Boris; {COMMA}")[0] == 0
    out = club("withdraw", "Boris")[1]
    assert out.endswith("with Boris: enter its result with Boris in the last place, or close the round.\n")
    code, _, err = club("withdraw", "Boris", "--no-show")
    assert code == 2 and "withdraw 'Boris', and enter what is left with that player in the last place" in err
    assert club("result", "table-1", f"Anna; {COMMA}; Boris")[0] == 0


def test_places_with_commas_are_told_how_names_are_parted(club):
    """`'Anna, Boris, Vera' does not play there: Anna, Boris, Vera do`."""
    for words in (("new", "x", "--seed", "1", "--seats", "3"), ("add", *NAMES[:3]), ("round",)):
        assert club(*words)[0] == 0
    err = club("result", "table-1", "Anna, Boris, Vera")[2]
    assert err.startswith("'Anna, Boris, Vera': put a semicolon between the names, such as '") and err.count("; ") == 2
