"""The pages to learn from, in a real browser and over HTTP: puzzles asked, played out and kept in the browser."""

import asyncio
import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from urllib.parse import quote

import pytest

from host_tools.base import foreign
from host_tools.base.workers import aside
from host_tools.look import beside, drill, learn, learned, site
from host_tools.look.library import Library
from host_tools.look.published.worker import Games
from host_tools.minds.analysis import served
from host_tools.minds.analysis.judge import judge_seat
from host_tools.minds.puzzles.puzzle import stock
from host_tools.play.web import server
from host_tools.play.web.serve import opened
from host_tools.sight.recorded import Recorded, read_record
from tests.conftest import ROOT
from tests.host_tools.look.made import joined, running
from tests.host_tools.look.test_watch import Watched
from tests.host_tools.web.browser import check_axe, resize
from tests.patience import PATIENCE_S

RECORD = ROOT / "tests" / "records" / "durak" / "game-0000.rec"
FEW = 4  # guesses of an analysis
DURAK = next(one for one in stock().values() if one.theme == "lead" and one.position.startswith("durak throw-in"))

SIZES = (1280, 800), (390, 844)


class Pages(Watched):
    """The pages beside a folder of games, served in a thread."""

    def __init__(self, folder):
        super().__init__()
        self.app = site.make_site(Library(folder, "en"))
        self.app[server.LIBRARY] = folder
        learn.add_pages(self.app)
        self.app.router.add_get("/records/{name}/lesson", beside.give_lesson)
        self.app.router.add_get("/records/{name}/try", beside.give_try_page)
        self.app.router.add_get("/records/{name}/try.json", beside.give_try)

    async def serve(self):
        self.ended = asyncio.Event()
        async with opened(self.app) as self.address:
            self.ready.set()
            await self.ended.wait()

    def get(self, address, **query):
        """What the server answers, as JSON."""
        said = "&".join(f"{key}={quote(str(value))}" for key, value in query.items())
        with urllib.request.urlopen(f"{self.address}{address}?{said}", timeout=PATIENCE_S) as answer:
            return json.loads(answer.read().decode())


@pytest.fixture
def pages(tmp_path, monkeypatch):
    """They are served, with one finished game and a running one."""
    monkeypatch.setattr(aside, "make_process", lambda: ThreadPoolExecutor(1))  # no process has to start
    # From source all guesses take 25 s of a processor, which on a busy machine are four minutes.
    monkeypatch.setattr(served, "judge_seat", partial(judge_seat, guesses=FEW))
    (tmp_path / "over.rec").write_bytes(RECORD.read_bytes())
    (tmp_path / "running.rec").write_bytes(joined(running(RECORD, 150)))
    with Pages(tmp_path) as made:
        yield made


def test_puzzles_over_http(pages, tmp_path):
    told = pages.get("/puzzles/list.json")
    assert told["today"] in {one["name"] for one in told["puzzles"]} and not any(one["own"] for one in told["puzzles"])
    question = pages.get(f"/puzzles/{DURAK.name}.json", language="ru")
    assert question["names"][DURAK.seat - 1] == "Вы" and "answer" not in question
    answers = [pages.get(f"/puzzles/{DURAK.name}/answer.json", choice=index)
               for index in range(len(question["choices"]))]
    assert [one["is_right"] for one in answers].count(True) == 1
    for address in ("/puzzles/none.json", f"/puzzles/{DURAK.name}/answer.json"):
        with pytest.raises(urllib.error.HTTPError) as wrong:
            pages.get(address, choice=999)
        assert wrong.value.code == 404
    (tmp_path / learned.OWN).write_text(DURAK.line().replace(DURAK.name, "mine-01", 1) + "\n")
    assert pages.get("/puzzles/list.json")["puzzles"][0] == {
        "name": "mine-01", "rating": DURAK.rating, "theme": "lead", "own": True}
    assert pages.get("/puzzles/mine-01.json")["name"] == "mine-01"
    (tmp_path / learned.OWN).write_text("no puzzle\n")
    assert not any(one["own"] for one in pages.get("/puzzles/list.json")["puzzles"])


def test_drills_ask_what_the_record_answers(pages):
    """Every question of two games, against the place of each card in the state."""
    kinds = set()
    for name in (RECORD, ROOT / "tests" / "records" / "cals-bs" / "game-0000.rec"):
        record = read_record(name)
        for seed in range(2):
            for one in drill.make_drills(record, "en", seed):
                kinds.add(one["kind"])
                assert set(one["answer"]) <= set(one["choices"])
                piles = {pile["place"]: pile for pile in one["view"]["piles"]}
                assert not any(pile["cards"] for pile in one["view"]["piles"] if pile["kind"] in ("discard", "stock"))
                assert [place for place, pile in piles.items() if pile["kind"] == "hand" and pile["cards"]] in (
                    [], [f"hand{one['seat']}"]), "no hand but the own one is open"
                seen = {card for pile in piles.values() for card in pile["cards"]}
                if one["kind"] == "out":
                    assert len(one["answer"]) == 2 and len(one["choices"]) == 4 and not seen & set(one["choices"])
                elif one["kind"] == "left":
                    trumps = [card for card in seen if card[1] == one["view"]["trump"]]
                    assert int(one["answer"][0]) + len(trumps) <= 13 == len(one["choices"]) - 1
    assert kinds == {"left", "out", "claim"}
    assert not drill.make_drills(Recorded("running", joined(running(RECORD, 150))), "en", 0)
    for game in ("durak", "cals-bs"):
        record = read_record(ROOT / "tests" / "records" / game / "variant-counted.rec")
        assert record.is_over and not any(drill.make_drills(record, "en", seed) for seed in range(3)), "T4"
    assert pages.get("/drills.json", seed=3)["drills"] == pages.get("/drills.json", seed=3)["drills"] != []


def test_files_that_cannot_be_used_spoil_no_drills(pages, tmp_path):
    """Whichever is asked about first: on a server, and in a page's own worker."""
    games = Games(str(tmp_path))
    for folder in (tmp_path, games.library):
        (folder / "broken.rec").write_bytes(RECORD.read_bytes()[:40])
        with (folder / "large.rec").open("wb") as large:
            large.truncate(foreign.LIMIT + 1)
        (folder / "over.rec").write_bytes(RECORD.read_bytes())
    for seed in range(3):
        drills = pages.get("/drills.json", seed=seed)["drills"]
        assert drills and json.loads(json.loads(games.answer(f"drills.json?seed={seed}"))["text"])["drills"] == drills


def test_my_games_by_name(pages):
    told = pages.get("/my-games.json", name="anna")
    assert [one["name"] for one in told["games"]] == ["over.rec"] and told["games"][0]["lost"]
    assert told["opponents"] == [{"name": "Boris", "games": 1, "lost": 1}]
    ru = pages.get("/my-games.json", name="anna", language="ru")["games"][0]
    assert (ru["game"], ru["result"]) == ("Дурак простой", "В дураках Anna.")
    assert pages.get("/my-games.json", name="Boris")["opponents"][0]["lost"] == 0
    assert pages.get("/my-games.json", name="nobody")["games"] == []


@pytest.mark.browser
@pytest.mark.parametrize("path", ["puzzles", "game/over.rec/"])
def test_a_page_that_is_sent_speaks_the_language_of_its_receiver(pages, window, path):
    """It spoke the sender's, who had a language in the address: every way between the pages puts one there."""
    titles = {"puzzles": ("Задачи", "Puzzles"), "game/over.rec/": ("Дурак", "Durak")}[path]
    sender = window.open(f"{pages.address}/{path}?language=ru", locale="en-US")
    sender.wait_for_selector(f"#title:has-text('{titles[0]}')")
    assert "language" not in sender.url
    sender.reload()
    sender.wait_for_selector(f"#title:has-text('{titles[0]}')")
    for locale, title in (("en-US", titles[1]), ("de-DE", titles[1]), ("ru-RU", titles[0])):
        receiver = window.open(sender.url, locale=locale)
        receiver.wait_for_selector(f"#title:has-text('{title}')")
    receiver.evaluate("localStorage.setItem('cardtable.language', 'en')")
    receiver.reload()
    receiver.wait_for_selector(f"#title:has-text('{titles[1]}')")


@pytest.mark.browser
def test_a_minute_of_drills_and_the_own_games(pages, window):
    page = window.open(f"{pages.address}/drills?language=ru", size=(390, 844), is_timed=True)
    page.locator("[data-act=start]").click()
    page.wait_for_selector("body[data-state=question]")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 30)  # an answer is shown for as long as we look
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # The seconds are not read aloud; who stands on a choice hears what is asked.
    assert page.locator("#status").get_attribute("aria-live") == "off"
    assert page.locator("#ask [role=group]").get_attribute("aria-label") == page.locator("#ask h2").inner_text()
    pressed = page.locator("[data-choice]")
    pressed.nth(0).click()
    if page.locator("body").get_attribute("data-state") == "question":
        pressed.nth(1).click()  # two cards are asked for
    page.wait_for_selector("body[data-state=answered]")
    page.clock.run_for(61_000)
    page.wait_for_selector("body[data-state=ready] [data-act=start]")
    assert page.locator("#status").get_attribute("aria-live") is None
    assert json.loads(page.evaluate("localStorage.getItem('cardtable.drills')"))[0]["asked"] == 1
    page.clock.resume()  # the next page asks again and again until its games are judged
    page.goto(f"{pages.address}/my-games?language=en")
    page.wait_for_selector("body[data-state=ready]")
    page.locator("#who").select_option("Anna")
    page.wait_for_selector("[data-opponent=Boris]")
    assert page.locator("[data-record='over.rec']").get_attribute("data-lost") == "yes"
    # What was not judged yet is judged at a press, and what the browser keeps is saved before it is deleted.
    page.locator("[data-act=judge]").click()
    page.wait_for_selector("body[data-state=ready]:not(:has([data-act=judge]))")
    told = pages.get("/my-games.json", name="Anna")["mistakes"]
    assert (told["judged"], told["rough"]) == (0, 1)  # `simple` is rough
    page.get_by_text("Games that are not judged: 1").wait_for()
    with page.expect_download() as saved:
        page.locator("[data-act=save]").click()
    kept = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert kept["mine"] == "Anna" and kept["drills"][0]["asked"] == 1
    page.locator("[data-act=delete]").click()
    page.locator("[data-act=no]").click()
    page.wait_for_selector("[data-opponent=Boris]")
    page.locator("[data-act=delete]").click()
    page.locator("[data-act=yes]").click()
    page.wait_for_selector("#status:has-text('Deleted.')")
    assert page.evaluate("localStorage.getItem('cardtable.drills')") is None


@pytest.mark.browser
def test_a_puzzle_is_missed_tried_again_and_solved(pages, window):
    """The first answer alone counts; what was solved and the rating stay in this browser."""
    page = window.open(f"{pages.address}/puzzles?language=en#{DURAK.name}", reduced_motion="reduce")
    page.wait_for_selector("body[data-state=question]")
    choices = page.locator("[data-choice]").count()
    answers = [pages.get(f"/puzzles/{DURAK.name}/answer.json", choice=index)["is_right"] for index in range(choices)]
    page.locator(f"[data-choice='{answers.index(False)}']").click()
    page.wait_for_selector("body[data-state=done]")
    assert page.locator("h2.wrong").count() == 1
    assert page.evaluate("document.activeElement.dataset.act") == "again", "who answers by keys goes on from there"
    assert page.locator(".steps li").last.inner_text() == "You are the fool this time."
    page.wait_for_selector("#status:has-text('0 of')")
    page.locator("[data-act=again]").click()
    page.wait_for_selector("body[data-state=question]")
    assert page.evaluate("document.activeElement.dataset.choice") == "0"
    page.locator(f"[data-choice='{answers.index(True)}']").click()
    page.wait_for_selector("body[data-state=done] h2.right")
    page.wait_for_selector("#status:has-text('1 of')")
    kept = json.loads(page.evaluate("localStorage.getItem('cardtable.puzzles')"))
    assert kept["done"][DURAK.name]["right"] and kept["rating"]["shown"] < 1500, "it was missed at first"
    resize(page, 390, 844)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-act=next]").click()
    page.wait_for_selector(f"body[data-state=question]:not([data-puzzle='{DURAK.name}'])")
    page.reload()
    page.wait_for_selector("body[data-state=question]")
    assert "Your rating: " in page.locator("#status").inner_text()


@pytest.mark.browser
def test_another_link_in_the_same_tab_shows_its_puzzle(pages, window, tmp_path):
    """Also an own one whose name has letters that an address writes otherwise."""
    (tmp_path / learned.OWN).write_text(DURAK.line().replace(DURAK.name, "партия-01", 1) + "\n", encoding="utf-8")
    page = window.open(f"{pages.address}/puzzles?language=en#{DURAK.name}")
    page.wait_for_selector(f"body[data-state=question][data-puzzle='{DURAK.name}']")
    for name in ("партия-01", DURAK.name):
        page.evaluate("(name) => { location.hash = name; }", name)
        page.wait_for_selector(f"body[data-state=question][data-puzzle='{name}']")


@pytest.mark.browser
def test_the_pages_that_teach_speak_the_language_that_was_chosen_at_the_table(pages, window):
    page = window.open(f"{pages.address}/drills", locale="en-US")
    page.wait_for_selector("html[lang=en] body[data-state=ready]")
    page.evaluate("localStorage.setItem('cardtable.language', 'ru')")  # as reading.js does
    page.reload()
    page.wait_for_selector("html[lang=ru] body[data-state=ready]")


@pytest.mark.browser
@pytest.mark.everything
def test_axe_finds_nothing_on_the_pages_that_teach(pages, window):
    page = window.open(f"{pages.address}/puzzles?language=ru", (1280, 800), reduced_motion="reduce")
    for path, state, act, then in (("puzzles", "question", "[data-choice='0']", "done"),
                                   ("drills", "ready", "[data-act=start]", "question"), ("my-games", "ready", "", ""),
                                   ("records/over.rec/try", "ready", "[data-act=try]", "tried")):
        page.goto(f"{pages.address}/{path}?language=ru&line=95&seat=2")
        page.wait_for_selector(f"body[data-state={state}]")
        check_axe(page, *SIZES)
        if act:
            page.locator(act).click()
            page.wait_for_selector(f"body[data-state={then}]")
            check_axe(page, *SIZES)
