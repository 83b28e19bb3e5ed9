"""What the network says of the tables, on the pages; the pages in Russian."""

import ast
import contextlib
import re
import sqlite3

import pytest

from host_tools.club.tournament import pages
from host_tools.club.tournament.by_hand import enter_places
from host_tools.club.tournament.director import open_director
from host_tools.club.tournament.intake import offer, orders
from host_tools.club.tournament.roles import ARBITER, Visitor, make_link
from cardtable.net.topics import write_weak
from host_tools.club.tournament.room import DIRECTOR, GONE, HERE, PLAYING, look_round
from host_tools.club.tournament.rounds import seat_round
from host_tools.base.wording import read_words
from host_tools.club.tournament.refused import FOLDER, WORDS
from host_tools.club.tournament.wording import Wording
from host_tools.club.wire import topics
from host_tools.club.wire.attend import make_desk
from tests.host_tools.tournament.made import begin, played
from tests.host_tools.tournament.test_served import Client, Evening, wait
from tests.host_tools.web.browser import check_axe

LATIN = re.compile(r"[A-Za-z]{3,}")


@pytest.fixture
def club(tmp_path):
    director = begin(tmp_path / "evening.sqlite", ("Анна", "Борис", "Вера", "Глеб"), low=2, best=2, high=2)
    seat_round(director, "arbiter")
    yield director
    director.close()


def hear(desk, who, state, **more):
    role, name = who.split()
    desk.heard([topics.state_of(desk.event, role, name, state, **more)])
    desk.due(desk._now_s + 1)


def test_a_table_is_what_was_heard_last_and_gone_with_its_bridge(club):
    """The last will of the bridge counts for all tables that it speaks for; a board with Wi-Fi speaks for itself."""
    desk = make_desk(club)
    desk.hello()
    hear(desk, "bridge usb", HERE)
    hear(desk, "table table-1", PLAYING, bridge="usb", waits="2")
    hear(desk, "table table-2", HERE)
    room = club.room
    assert room.is_heard and (room.table("Table 1").state, room.table("table-2").state) == (PLAYING, HERE)
    assert club.room.version == room.version, "nothing has happened"
    hear(desk, "bridge usb", GONE)
    assert (club.room.table("table-1").state, club.room.table("table-2").state) == (GONE, HERE)
    assert club.room.version != room.version and club.room.table("table-9") is None
    assert not look_round(club.store, "2099-01-01T00:00:00Z").is_heard, "a director that was killed says nothing"
    assert not look_round(club.store, "2001-01-01T00:00:00Z").is_heard, "nor once the clock was set back"
    desk.lost()
    desk.due(desk._now_s + 1)
    assert not club.room.is_heard


def test_what_a_client_of_the_broker_makes_up_cannot_hurt_a_page(club):
    desk = make_desk(club)
    odd = b'{"state":"<b>","bridge":"<i>","waits":"x","order":"' + b"r" * 999 + b'"}'
    shown = b'{"state":"playing","waits":"<b>1","order":"<i>","weak":"<u>1","bridge":"<s>"}'  # a state that pages tell
    for payload, state in ((b"[]", GONE), (b"\xff", GONE), (b'{"state":1}', GONE), (odd, GONE), (shown, PLAYING)):
        desk.heard([topics.Message(f"cardtable/1/{desk.event}/table/table-1/state", payload)])
        desk.due(desk._now_s + 1)
        text = pages.live(club.state, club.room, "table-1", Visitor(), Wording())
        assert club.room.table("table-1").state == state
        assert not re.search("<[bius]>", text) and ("playing" in text) == (state == PLAYING)


def test_the_page_of_a_table_says_which_readers_weaken(club):
    """In both languages; what is no such text says nothing."""
    desk = make_desk(club)
    every = write_weak([(place, 100, 83, "2026-03-01") for place in range(1, 8)])
    for weak, count in (("2026-03-01 5:100>83", 1), (every, 7), ("", 0), ("5:100>83", 0), ("2026-03-01 9:1>2", 0)):
        hear(desk, "table table-1", HERE, weak=weak)
        text = pages.live(club.state, club.room, "table-1", Visitor(), Wording("en"))
        assert text.count("in 83 in the last game") == count, weak
        text = pages.live(club.state, club.room, "table-1", Visitor(), Wording("ru"))
        assert text.count("в последней игре в 83") == count, weak


def test_the_page_of_a_table_that_was_never_heard_says_what_to_start(club):
    """In both languages, to the arbiter, who can; once the table is heard, no longer."""
    desk, arbiter = make_desk(club), Visitor(ARBITER, "Olga")
    for language in ("en", "ru"):
        told = pages.live(club.state, club.room, "table-1", arbiter, Wording(language))
        assert "cardtable watch" in told and "cardtable tournament attend" in told
        for visitor in (Visitor(), Visitor("scorekeeper", "Olga")):
            assert "cardtable" not in pages.live(club.state, club.room, "table-1", visitor, Wording(language))
    hear(desk, "table table-1", HERE)
    assert "cardtable watch" not in pages.live(club.state, club.room, "table-1", arbiter, Wording())


def test_a_database_that_is_away_loses_nothing_of_the_room(club):
    desk = make_desk(club)
    kept, desk.on_room = desk.on_room, lambda told: 1 / 0
    hear(desk, "table table-1", HERE)
    desk.on_room = kept
    assert club.room.table("table-1") is None
    desk.due(desk._now_s + 1)
    assert club.room.table("table-1").state == HERE


@pytest.mark.browser
def test_a_click_on_a_table_leads_to_its_state(window, club):
    """A table behind a bridge, without a page of spectators; what happens shows by itself."""
    desk = make_desk(club)
    desk.hello()
    order, other = orders(club)
    name = order.table
    hear(desk, "bridge usb", HERE)
    hear(desk, f"table {name}", HERE, bridge="usb", waits="0")
    club.act("arbiter", "table named", name=other.table, key="", watch="http://127.0.0.1:9/")
    with Evening(club) as served:
        page = window.open(served.address)
        assert page.get_by_role("link", name=other.table, exact=True).get_attribute("href") == "http://127.0.0.1:9/"
        page.get_by_role("link", name=name, exact=True).click()
        wait(page, "No game goes on.")
        for text in ("through the bridge usb", ", ".join(order.players), "does not have this order yet",
                     "No game of this table has been counted", "1 game of this round is still to be played"):
            wait(page, text)
        number = topics.number_of(order.round, order.game, order.setup)
        hear(desk, f"table {name}", HERE, bridge="usb", waits="0", order=number)
        wait(page, "The table proposes this game.")
        hear(desk, f"table {name}", PLAYING, bridge="usb", waits="1", order=number)
        wait(page, "A game goes on at the table.")
        wait(page, "1 record waits at the bridge")
        check_axe(page)
        offer(club, played(order), "usb")
        offer(club, played(order, 2), "usb")
        wait(page, "that game has a result already")
        wait(page, "Every game of this round has its result.")
        hear(desk, "bridge usb", GONE)
        wait(page, "The table is offline.")
        page.get_by_role("link", name="Русский").click()
        wait(page, "Стол не в сети.")
        wait(page, "у этой игры уже есть результат с печатью")
        page.get_by_role("link", name="Вечер").click()
        wait(page, re.compile(r"идёт 0:0\d:\d\d"))
        assert page.locator("html").get_attribute("lang") == "ru"
        check_axe(page)
        page.locator(".net.gone").first.wait_for()
        window.close()


def test_every_page_is_in_russian_too(club):
    """Nothing of it is left in English but names of files and tables."""
    one, _ = orders(club)
    offer(club, played(one), "rehearsal")
    offer(club, played(one, 2), "запись")
    number = next(iter(club.state.disputes))
    secret = make_link(club, "arbiter", "arbiter", "this computer")
    club.act("Ольга (scorekeeper)", "player left", name="Анна", reason="нет", refund=False)
    with Evening(club, language="ru") as served:
        arbiter = Client(served.address, secret)
        for path in ("/", "/pairings", "/standings", "/screen", "/players", "/log", "/player/Анна",
                     f"/live/{one.table}", f"/table/1/{one.table}", f"/dispute/{number}", "/print/pairings.html",
                     "/print/slips.html", "/print/seats.html", "/print/standings.html"):
            status, text = arbiter.get(path)
            assert status == 200 and '<html lang="ru">' in text, path
            body = re.sub(r"<svg.*?</svg>|<[^>]*>", " ", text[text.index("<body"):], flags=re.DOTALL)
            body = re.sub(r"Autumn cup|English|table-\d|[KQA-Z0-9]{4}( [A-Z0-9]{4}){2}|standings\.csv|tournament\.json"
                          r"|durak throw-in|cardtable (?:tournament attend|watch|play)|Wi-Fi|USB|UTC", " ", body)
            assert not LATIN.findall(body), (path, LATIN.findall(body))
        log = arbiter.get("/log")[1]
        assert "судья:" in log and "приём:" in log and "Ольга (секретарь):" in log and "(репетиция, печать " in log
        assert "для судьи этот компьютер" in log
        status, text = arbiter.get("/do/round", {})
        assert status == 409 and "в туре 1 не хватает 1 игры" in text
        assert 'lang="en"' in Client(served.address).get("/", Cookie="cardtable_language=en")[1][:60]


def test_a_page_opens_in_the_language_of_its_browser_until_another_is_chosen(club):
    """In a Russian browser the pages opened in English."""
    with Evening(club) as served:
        visitor = Client(served.address)
        russian = {"Accept-Language": "ru-RU,ru;q=0.9,en;q=0.8"}
        for path, headers, language in (("/", {}, "en"), ("/", russian, "ru"), ("/", {"Accept-Language": "fr"}, "en"),
                                        ("/standings?language=en", russian, "en"), ("/", russian, "en")):
            assert f'<html lang="{language}">' in visitor.get(path, **headers)[1], (path, headers)


@pytest.mark.parametrize(("language", "said", "home", "rank"), [
    ("en", "there is no such page", "Back to the evening", r"Rank \d of 2, 0 points, 1 game\."),
    ("ru", "такой страницы нет", "Назад к вечеру", r"Место \d из 2, 0 очков, 1 игра\."),
])  # fmt: skip
def test_an_address_that_nobody_knows_leads_home_and_one_game_is_one(club, language, said, home, rank):
    one, _ = orders(club)
    enter_places(club, "arbiter", (1, one.table, 1), "; ".join(one.players), None, False, "")
    with Evening(club, language=language) as served:
        crowd = Client(served.address)
        for path in ("/nowhere", "/nowhere/at/all", "/export/x.csv", "/print/x.html"):
            status, text = crowd.get(path)
            assert status == 404 and said in text and f'<a href="/">{home}</a>' in text, path
        told = [crowd.get(f"/player/{name}")[1] for name in one.players]
        assert any(re.search(rank, text) for text in told), told
        status, text = crowd.get("/sign-in/guess")
        assert status == 403 and f'<a href="/">{home}</a>' in text


def test_both_languages_have_the_same_words_with_the_same_places():
    english, russian = (read_words(FOLDER, WORDS, language) for language in ("en", "ru"))
    assert {key for key in russian if not key.endswith("#few")} == set(english)
    for key, template in english.items():
        places = [sorted(set(re.findall(r"\{\w+\}", words[key]))) for words in (english, russian)]
        assert places[0] == places[1] or key.endswith("#one"), (key, template)


def test_each_refusal_has_words_for_just_its_facts():
    words = read_words(FOLDER, WORDS, "en")
    asked = set()
    for path in FOLDER.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Unfit":
                keys = [part.value for part in ast.walk(call.args[0]) if isinstance(part, ast.Constant)]
                facts = {keyword.arg for keyword in call.keywords}
                assert keys, f"{path.name}:{call.lineno} says a sentence instead of a key"
                if isinstance(call.args[0], ast.Constant):
                    places = set(re.findall(r"\{(\w+)\}", words[f"said.{keys[0]}"]))
                    assert places == facts, (path.name, call.lineno)
                asked.update(keys)
    assert len(asked) > 50


@pytest.mark.parametrize("said, told", [
    ("2 pairs meet again: Anna and Boris, Vera and Gleb.", "Снова встречаются пары (2): Anna и Boris, Vera и Gleb."),
    ("5 pairs meet again: A and B, C and D, and 3 more.", "Снова встречаются пары (5): A и B, C и D и ещё 3."),
    ("1 pair meets of one club: A and B; no plan has fewer than 1.",
     "Встречаются игроки одного клуба: A и B; меньше 1 не бывает."),
    ("A, B sit out: tables of 4 to 4 do not fit 6 players.",
     "A, B пропускают тур: столы от 4 до 4 мест не подходят для игроков, которых 6."),
    ("A sits out: tables of 4 do not fit 5 players.",
     "A пропускает тур: столы на 4 мест не подходят для игроков, которых 5."),
    ("the slip says Smith, John; Anna = Vera (lost); Vera: marks 2, and the record Anna; Smith, John (lost)",
     "в листке Smith, John; Anna = Vera (проигрыш); Vera: отметок 2, а в записи Anna; Smith, John (проигрыш)"),
    ("event 3 cannot be undone, because of what came later: there is no round 2",
     "событие 3 нельзя отменить из-за того, что было позже: тура 2 нет"),
    ("Nobody has put this into words", "Nobody has put this into words"),
])
def test_sentences_that_were_kept_in_english_are_told_again(said, told):
    assert Wording("ru").retell(said) == told and Wording("en").retell(said) == said


def test_a_database_from_before_there_was_a_room_gets_one(tmp_path):
    director = begin(tmp_path / "old.sqlite", ("Anna", "Boris"))
    director.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "old.sqlite")) as base:
        base.executescript("DROP TABLE room; UPDATE alembic_version SET version_num = '0001';")
    director = open_director(str(tmp_path / "old.sqlite"))
    director.note_room({DIRECTOR: {"state": HERE}})
    assert director.room.is_heard and list(director.state.players) == ["Anna", "Boris"]
    director.close()
