"""The pages of an evening: ten tables in a real browser; who may do what; limits; no secret early."""

import asyncio
import http.cookiejar
import os
import re
import urllib.error
import urllib.parse
import urllib.request

import pytest

from host_tools.play.web import serve as ground
from host_tools.club.tournament.by_hand import enter_places
from host_tools.club.tournament.intake import offer, offer_all, orders
from host_tools.club.tournament.people import add_players
from host_tools.club.tournament.roles import Limiter, make_link
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.tournament.site import make_site
from host_tools.club.tournament.state import Unfit
from host_tools.club.tournament.templates import FOLDER, read_templates
from tests.conftest import ROOT
from tests.host_tools.look.test_watch import Watched
from tests.host_tools.tournament.made import begin, played
from tests.host_tools.web.browser import check_axe
from tests.patience import PATIENCE_S

PEOPLE = [f"{name} {letter}" for letter in "ABCD" for name in
          ("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor", "Zoya", "Ilya", "Kira", "Lev")]


LAPTOP, PHONE = (1280, 800), (390, 844)


class Evening(Watched):
    """The pages of a tournament, served in a thread."""

    def __init__(self, director, **limits):
        super().__init__()
        self.app = make_site(director, **limits)

    async def serve(self):
        self.ended = asyncio.Event()
        async with ground.opened(self.app) as self.address:
            self.ready.set()
            await self.ended.wait()


class Client:
    """A visitor without a browser."""

    def __init__(self, address, secret=""):
        self.address = address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        if secret:
            assert self.get(f"/sign-in/{secret}")[0] == 200

    def get(self, path, data=None, origin=None, **headers):
        """(status, text); a form is posted as this site's own page does."""
        if data is not None:
            headers["Origin"] = self.address if origin is None else origin
            data = urllib.parse.urlencode(data).encode()
        request = urllib.request.Request(self.address + urllib.parse.quote(path, safe="/?="), data, headers)
        try:
            with self.opener.open(request, timeout=PATIENCE_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as wrong:
            return wrong.code, wrong.read().decode()


@pytest.fixture
def ten_tables(tmp_path):
    clubs = ("North", "South", "East")
    director = begin(tmp_path / "evening.sqlite", PEOPLE, clubs, low=3, best=4, high=5, rounds=2, minutes=40)
    yield director
    director.close()


def take_picture(page):
    """The picture of docs/tournament.md."""
    if os.environ.get("CARDTABLE_PICTURES"):
        import io

        from PIL import Image

        page.wait_for_function("document.querySelectorAll('li.done').length === 8")
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(64, dither=Image.Dither.NONE)
        picture.save(ROOT / "docs" / "pictures" / "tournament" / "evening.png", optimize=True)


def wait(page, text):
    page.get_by_text(text).first.wait_for()


def check_clock(page):
    """It counts 40 minutes down, and then says for how long the time has been up; by the director's clock."""
    wait(page, re.compile(r"0:3\d:\d\d left"))
    assert page.locator(".clock.late").count() == 0
    page.evaluate("document.querySelector('.clock').dataset.since = new Date(Date.now() - 41 * 60000).toISOString()")
    wait(page, "time is up for 0:01:")
    assert page.locator(".clock.late").count() == 1
    page.add_init_script("const now = Date.now; Date.now = () => now() + 50 * 60000;")  # a phone that is fast
    page.reload()
    wait(page, re.compile(r"0:3\d:\d\d left"))


def play_eight(director):
    """Eight tables bring their records, one of them two different ones."""
    found = orders(director)
    batch = [played(order) for order in found[:8]] + [played(found[0], 2)]
    receipts = offer_all(director, [(record, "usb") for record in batch])
    assert [one.status for one in receipts] == ["counted"] * 8 + ["disputed"]
    return [order.table for order in found[8:]]


def enter_on_page(page, table):
    """A scorekeeper types a slip."""
    page.get_by_role("link", name=f"Enter the result of {table}", exact=True).click()
    for at, select in enumerate(page.locator("select").all(), 1):
        select.select_option(str(at))
    page.get_by_role("button", name="Enter the result").click()
    page.locator("li.done h3", has_text=table).first.wait_for()


@pytest.mark.browser
def test_the_address_of_a_page_names_no_language_once_it_was_chosen(window, ten_tables):
    """Anyone who was sent it read, and from then on had, the sender's."""
    with Evening(ten_tables) as served:
        page = window.open(f"{served.address}/standings", locale="en-US")
        page.locator("a[hreflang=ru]").click()
        page.wait_for_selector("html[lang=ru]")
        page.wait_for_url(f"{served.address}/standings")
        page.reload()
        page.wait_for_selector("html[lang=ru]")
        window.open(page.url, locale="en-US").wait_for_selector("html[lang=en]")
        window.close()


@pytest.mark.browser
def test_an_evening_of_ten_tables_through_the_pages(window, ten_tables):
    director = ten_tables
    secret = make_link(director, "test", "arbiter", "Olga")
    score = make_link(director, "test", "scorekeeper", "Pavel")
    with Evening(director) as served:
        arbiter = window.open(f"{served.address}/sign-in/{secret}")
        wait(arbiter, "No round has been seated yet.")
        crowd = window.open(f"{served.address}/")
        assert crowd.locator("main").get_by_role("button").count() == 0 and crowd.get_by_text("Log").count() == 0
        standings = window.open(f"{served.address}/standings", (390, 844))
        arbiter.get_by_role("button", name="Seat the next round").click()
        wait(arbiter, "10 games to come")
        assert arbiter.locator(".tables li").count() == 10
        wait(crowd, "10 games to come")  # by itself
        check_clock(crowd)
        left = play_eight(director)
        wait(standings, "120")
        wait(arbiter, "Waits for the arbiter")
        take_picture(arbiter)
        keeper = window.open(f"{served.address}/sign-in/{score}", (390, 844))
        for table in left:
            enter_on_page(keeper, table)
        check_axe(keeper)
        assert arbiter.locator("main > *").nth(1).get_attribute("class") == "waits", "first on the page"
        check_axe(arbiter)
        arbiter.get_by_role("link", name="Dispute").click()
        check_axe(arbiter)
        with arbiter.expect_navigation():
            arbiter.get_by_role("link", name="Show this game").click()
        arbiter.wait_for_selector("body[data-line]")
        arbiter.go_back()
        arbiter.get_by_label("Reason").fill("the first record was a rehearsal")
        arbiter.get_by_role("button", name="It counts").click()
        wait(arbiter, "0 games to come, 10 of 10 tables are done.")
        assert not director.state.disputes
        for path in ("/players", "/standings", f"/table/1/{left[0]}"):
            arbiter.goto(served.address + path)
            check_axe(arbiter, PHONE, LAPTOP)
        arbiter.goto(f"{served.address}/log")
        wait(arbiter, "Pavel (scorekeeper)")
        arbiter.goto(served.address)
        arbiter.get_by_role("button", name="Seat the next round").click()
        wait(crowd, "Round 2")
        for page in (crowd, standings):
            assert page.evaluate("document.body.scrollWidth <= innerWidth")
        check_axe(crowd)
        window.close()


@pytest.mark.browser
@pytest.mark.everything
@pytest.mark.parametrize("role", ["", "arbiter", "scorekeeper"])
def test_axe_finds_nothing_on_any_page_of_an_evening(window, ten_tables, role):
    """In Russian; a round that is half played, for each who may look."""
    seat_round(ten_tables, "test")
    left = play_eight(ten_tables)
    one = urllib.parse.quote(PEOPLE[0])
    with Evening(ten_tables, language="ru") as served:
        page = window.open(f"{served.address}/sign-in/{make_link(ten_tables, 'test', role, 'Olga')}" if role
                           else served.address)
        paths = ("/", "/pairings", "/standings", f"/player/{one}", f"/live/{left[0]}", "/screen",
                 *(["/players", f"/table/1/{left[0]}", "/log"] if role else []))
        page.goto(f"{served.address}/?language=ru")  # this browser's own is English
        for path in paths:
            assert page.goto(served.address + path).status == 200, path
            assert page.locator("html").get_attribute("lang") == "ru"
            check_axe(page, LAPTOP, PHONE)
        window.close()


def test_each_role_may_do_its_own_and_no_more(ten_tables):
    director = ten_tables
    secrets = {role: make_link(director, "test", role, f"one {role}") for role in ("arbiter", "scorekeeper")}
    with Evening(director, changing=Limiter(1000, 1000)) as served:
        arbiter, keeper = (Client(served.address, secrets[role]) for role in ("arbiter", "scorekeeper"))
        crowd = Client(served.address)
        assert arbiter.get("/do/round", {})[0] == 200
        order = orders(director)[0]
        slip = {"round": 1, "table": order.table, "game": 1, "letters": "",
                **{f"p{at}": at for at in range(1, len(order.players) + 1)}}
        last = director.state.last
        for client, path, form in ((crowd, "/do/result", slip), (crowd, "/do/undo", {"event": 5}),
                                   (keeper, "/do/undo", {"event": last}), (keeper, "/do/round", {}),
                                   (keeper, "/do/add", {"name": "x"}), (keeper, "/do/decide", {"dispute": 1})):
            assert client.get(path, form)[0] == 403, path
        for path in ("/players", "/log", f"/table/1/{order.table}", "/export/rulings.json", "/print/seats.html"):
            assert crowd.get(path)[0] == 404 and keeper.get(path)[0] == 200, path
        assert arbiter.get("/do/round", {}, origin="http://elsewhere")[0] == 403
        assert arbiter.get("/", Host="elsewhere")[0] == 403
        assert director.state.last == last, "nothing of it has happened"
        code, text = keeper.get("/do/result", slip)
        assert code == 200 and order.players[0] in text and director.events[-1].who == "one scorekeeper (scorekeeper)"
        code, text = arbiter.get("/do/correct", {**slip, "reason": ""})
        assert code == 409 and "say why" in text
        for bad in ({"round": "x"}, {"table": "<b>"}, {"p1": ""}, {"p1": "9" * 30}, {"game": ""}):
            form = {**slip, **bad}
            assert keeper.get("/do/result", form)[0] == 409
        for path in ("/table/9/x", "/table/x/y", "/dispute/99", "/player/Nobody", "/game/x/", "/print/deck-1-1.html"):
            assert arbiter.get(path)[0] == 404, path
        made = next(event.number for event in director.events if event.data.get("role") == "arbiter")
        director.undo("test", made, "lost")
        assert arbiter.get("/do/round", {})[0] == 403 and arbiter.get(f"/sign-in/{secrets['arbiter']}")[0] == 403


def test_names_cannot_become_markup_and_games_stay_closed_until_the_round_is_over(tmp_path):
    director = begin(tmp_path / "x.sqlite", ("A<b>&\"'", "Boris", "Vera", "Gleb"), low=2, best=2, high=2, rounds=1)
    secret = make_link(director, "test", "arbiter", "O<i>lga")
    with Evening(director) as served:
        arbiter, crowd = Client(served.address, secret), Client(served.address)
        assert arbiter.get("/do/round", {})[0] == 200
        one, two = orders(director)
        seal = offer(director, played(one), "x").seal
        assert crowd.get(f"/game/{seal}/game.json")[0] == 403 and arbiter.get(f"/game/{seal}/game.json")[0] == 200
        screen = crowd.get("/screen")[1]
        assert "data-since" in screen and re.search(r'data-now="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"', screen)
        offer(director, played(two), "x")
        end, evening = crowd.get("/screen")[1], crowd.get("/")[1]
        assert "The tournament is over. First: " in end and "<table>" in end
        assert "data-since" not in end + evening and "all games played" in evening
        assert crowd.get(f"/game/{seal}/game.json")[0] == 200
        pages = "".join(arbiter.get(path)[1] for path in ("/", "/pairings", "/standings", "/players", "/log", "/screen",
                                                         "/print/seats.html", "/print/slips.html"))
        assert "A&lt;b&gt;&amp;" in pages and "<b>&" not in pages and "<i>" not in pages
        assert director.store.list_seals() and secret not in str(director.events)
    director.close()


def test_only_what_this_program_wrote_stands_in_a_page_as_it_is():
    """A page in its frame, and the drawing of a link; the templates escape the rest."""
    found = {said for path in FOLDER.glob("*.html") for said in re.findall(r"{{([^}]*)\| safe", path.read_text())}
    assert {said.strip() for said in found} == {"body", "draw_code(address, name)"}
    assert read_templates().autoescape is True


def test_who_asks_too_often_waits(tmp_path):
    director = begin(tmp_path / "x.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    clock = [0.0]
    limits = {"asking": Limiter(10, 3, lambda: clock[0]), "changing": Limiter(1, 2, lambda: clock[0])}
    with Evening(director, **limits) as served:
        crowd = Client(served.address)
        assert [crowd.get("/version")[0] for _ in range(4)] == [200, 200, 200, 429]
        assert [crowd.get("/sign-in/guess")[0] for _ in range(3)] == [403, 403, 429]
        clock[0] += 1
        assert crowd.get("/version")[0] == 200 and crowd.get("/do/round", {})[0] == 403
    director.close()


def test_a_link_is_for_a_role_that_there_is(tmp_path):
    director = begin(tmp_path / "x.sqlite", ("Anna", "Boris"))
    with pytest.raises(Unfit, match="no role"):
        make_link(director, "test", "king", "x")
    director.close()


def test_a_player_is_found_by_a_part_of_the_name(ten_tables):
    director = ten_tables
    add_players(director, "test", [("A<b>", "", "")])
    seat_round(director, "test")
    with Evening(director) as served:
        crowd = Client(served.address)
        text = crowd.get("/find?name=gLEB b")[1]
        assert "<h2>Gleb B</h2>" in text and "table-" in text, "one alone: that player's own page"
        text = crowd.get("/find?name=gleb")[1]
        assert [name in text for name in ("Gleb A", "Gleb D", "Vera A")] == [True, True, False]
        assert "No player is called &lt;i&gt;." in crowd.get("/find?name=<i>")[1]
        assert "No player is called" in crowd.get("/find")[1] and crowd.get("/find?name=" + "x" * 5000)[0] == 200
        for path in ("/", "/pairings", "/find?name=a"):
            text = crowd.get(path)[1]
            assert 'href="/player/Anna%20A"' in text and "<b>&" not in text.replace("<b>table", ""), path
        text = crowd.get("/pairings")[1]
        names = re.findall('<li><a href="/player/[^"]*">([^<]*)</a> <b>table-', text)
        assert len(names) == 41 and names == sorted(names, key=str.casefold)
        assert '<p><a href="/player/Anna%20A">' not in crowd.get("/")[1]
        assert "That is me" in crowd.get("/player/Anna A")[1]
        assert "That is me" not in crowd.get("/player/Anna A?me=yes")[1]
        assert '<p><a href="/player/Anna%20A">Anna A</a></p>' in crowd.get("/standings")[1], "every page of this phone"


@pytest.mark.browser
def test_ten_players_fill_a_television_and_a_phone_reaches_what_it_taps(window, tmp_path):
    """Letters that a hall reads, all names at once; on a phone nothing beside the edge, and links high enough."""
    director = begin(tmp_path / "x.sqlite", PEOPLE[:10], low=3, best=3, high=4)
    seat_round(director, "test")
    order = orders(director)[0]
    enter_places(director, "test", (1, order.table, 1), "; ".join(order.players), None, False, "")
    secret = make_link(director, "test", "arbiter", "Olga")
    with Evening(director, changing=Limiter(1000, 1000)) as served:
        page = window.open(f"{served.address}/screen", (1920, 1080), is_timed=True)
        assert page.locator(".turned").text_content() == "1 / 3", "all names, all tables, the standings"
        last = page.locator(".names li").last
        assert last.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") > 50
        for _ in range(3):
            for axis in ("Height", "Width"):
                assert page.evaluate(f"document.documentElement.scroll{axis} <= inner{axis}"), axis
            page.clock.run_for(10_000)
        window.close()
        page = window.open(f"{served.address}/sign-in/{secret}", (390, 844))
        page.goto(f"{served.address}/players")
        for part in (".people input[name=reason]", ".people button"):
            box = page.locator(part).first.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["height"] >= 40, (part, box)
        check_axe(page)
        page.goto(f"{served.address}/pairings")
        heights = "(all) => all.map((one) => one.getBoundingClientRect().height)"
        assert min(page.locator("main a").evaluate_all(heights)) >= 40
        window.close()
    director.close()


@pytest.mark.browser
def test_the_television_turns_its_pages(window, tmp_path):
    """160 players: every name and table comes by, nothing is below the edge, and the last page leads to the first."""
    names = [f"Player {at:03}" for at in range(160)]
    director = begin(tmp_path / "x.sqlite", names, low=4, best=4, high=4)
    seat_round(director, "test")
    order = orders(director)[0]
    enter_places(director, "test", (1, order.table, 1), "; ".join(order.players), None, False, "")
    with Evening(director) as served:
        page = window.open(f"{served.address}/screen", (1280, 720), is_timed=True)
        seen, texts = set(), []
        count = int(page.locator(".turned").text_content().split("/")[1])
        assert 4 < count < 40
        for _ in range(count):
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
            shown = page.locator("[data-turn]:not([hidden])")
            assert shown.count() == 1
            texts.append(shown.inner_text())
            seen.update(re.findall(r"Player \d{3}|table-\d+", texts[-1]))
            page.clock.run_for(10_000)
        assert page.locator("[data-turn]:not([hidden])").inner_text() == texts[0] != texts[1]
        assert seen >= {*names, *(f"table-{at}" for at in range(1, 41))}
        check_axe(page)
        window.close()
    director.close()
