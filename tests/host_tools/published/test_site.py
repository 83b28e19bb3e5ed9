"""The site in Chromium, given out by a plain server of files: games, a network that is gone, tabs, storage, caches."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cardtable.between.enrol import deck_cards
from cardtable.engine.deck import card_name
from host_tools.cli import run
from tests.conftest import ROOT
from tests.host_tools.published import drive
from tests.host_tools.published.served_site import Plain, Server
from tests.host_tools.published.test_phone_alone import PEOPLE, Phone
from tests.host_tools.test_release import find_needs
from tests.host_tools.web.browser import REFUSE_STORAGE, Window
from tests.host_tools.web.web_nfc import STAND_IN, STRANGER, hold
from tests.patience import PATIENCE_S, hear, wait_for

pytestmark = [pytest.mark.everything, pytest.mark.browser, pytest.mark.npm]

LOBBY = "[data-act=quick-start]:not([disabled])"  # it may be there before the table itself
READY = "body[data-site=ready]"
# One act: a card is tapped, or where there is none to tap a button is pressed. "no": there was nothing to do.
ACT = """() => {
    if (document.body.dataset.phase === 'over') return 'over';
    if (document.body.dataset.busy !== 'no') return 'no';
    const move = document.querySelector('.moves [data-move]:not([data-move=undo])');
    if (!move) return 'no';
    const card = move.dataset.move.split(' ').find((word) => document.querySelector(`[data-card="${word}"].own`));
    (card ? document.querySelector(`[data-card="${card}"].own`) : move).click();
    return 'yes';
}"""

# What the table's worker tells the public, line by line.
FED = """
window.fed = [];
window.Worker = class extends Worker {
  constructor(...facts) {
    super(...facts);
    this.addEventListener("message", ({data}) => {
      const said = data.told === "text" ? JSON.parse(data.text) : {};
      if (said.type === "feed") for (const line of said.lines) window.fed[line.n - 1] = line.text;
    });
  }
};
"""
AGAIN = 300  # so many looks later, many seconds on any machine, a tag is held to the phone again
READ = """async (key) => {
    const open = indexedDB.open('cardtable', 1);
    await new Promise((done) => { open.onsuccess = done; });
    const file = open.result.transaction('files').objectStore('files').get(key);
    await new Promise((done) => { file.onsuccess = done; });
    return new TextDecoder().decode(file.result.bytes);
}"""


@pytest.fixture
def window(chromium, kept_pages):
    """Pages that may meet a network that is gone."""
    made = Window(chromium, kept_pages)
    yield made
    made.close()
    errors = [error for error in made.errors if "Failed to load resource" not in error and "ERR_" not in error]
    assert not made.broken and not errors, (made.broken, errors)


def open_table(window, server, path="play/?seed=7", **more):
    page = window.open(server.address + path, size=(1280, 800), **more)
    page.wait_for_selector(LOBBY)
    page.wait_for_selector(READY)
    return page


def keep_site(page):
    """The whole site lies in this browser."""
    page.wait_for_selector("body[data-offline=yes]")


def begin(page):
    """A game of two, quick."""
    page.click("[data-act=settings]")
    page.select_option("#dialog [data-act=speed]", "8")
    page.keyboard.press("Escape")
    page.select_option("form.choose [name=count]", "2")
    page.click("form.choose [data-act=start]")
    page.wait_for_selector("body[data-phase=play]")


def play_on(page, acts=100_000):
    """So many acts, or to the end."""
    done = 0

    def act():
        nonlocal done
        said = page.evaluate(ACT)
        done += said == "yes"
        return said == "over" or done >= acts

    wait_for(act, "the page", lambda: f"act {done} of its game")


def kept_records(page):
    """Names of the records in the browser's storage, as soon as there is one."""
    ask = """async () => {
        const open = indexedDB.open('cardtable', 1);
        await new Promise((done) => { open.onsuccess = done; });
        const keys = open.result.transaction('files').objectStore('files').getAllKeys();
        await new Promise((done) => { keys.onsuccess = done; });
        open.result.close();
        return keys.result.filter((key) => key.startsWith('/kept/games/'));
    }"""
    return wait_for(lambda: page.evaluate(ask), "the page", "a kept record")


def look(page, name):
    """A picture for people who look: CARDTABLE_LOOK names a folder."""
    if os.environ.get("CARDTABLE_LOOK"):
        page.screenshot(path=f"{os.environ['CARDTABLE_LOOK']}/{name}.png")


def test_a_whole_game_by_taps_without_a_network(window, server, tmp_path):
    """Loaded once, the network cut, the page loaded again from what is kept: a game to its end, saved as a file that
    the judge here accepts; its replay opens, too."""
    page = open_table(window, server)
    keep_site(page)
    server.stop()
    page.reload()
    page.wait_for_selector(LOBBY)
    begin(page)
    page.wait_for_selector("#own .moves [data-move]:not([data-move=undo])", state="attached")
    for act in ("hint", "hint-more", "hint-play"):  # a second worker thinks it over
        page.click(f"[data-act={act}]")
    page.wait_for_selector("section.bubble .play")
    page.click("[data-act=hint-close]")
    play_on(page)
    [kept] = kept_records(page)
    name = kept.rpartition("/")[2]
    page.wait_for_selector("[data-act=watch][href]")
    page.click("[data-act=settings]")
    with page.expect_download() as download:
        page.click(f"[data-record='{name}'] [data-act=record]")
    saved = tmp_path / "game.rec"
    download.value.save_as(saved)
    judged = subprocess.run([sys.executable, "-m", "host_tools.cli", "replay", str(saved)], cwd=ROOT, text=True,
                            env={**os.environ, "PYTHONPATH": "firmware"}, capture_output=True)
    assert not judged.returncode, judged.stdout + judged.stderr
    page.keyboard.press("Escape")
    page.click("[data-act=watch]")
    page.wait_for_selector("#controls [data-act=analyse]")
    assert "Durak" in page.inner_text("#title")


class Slow(Plain):
    """Python comes once `comes` is set; what follows the first game is refused once."""

    comes = threading.Event()
    refused = []
    asked = []

    def do_GET(self):
        name = self.path.rpartition("/")[2].partition("?")[0]
        Slow.asked.append(name)
        if name == "pyodide.asm.bin":
            hear(Slow.comes, "the test", "the page")
        if name == "pyodide.later.bin" and not Slow.refused:
            Slow.refused.append(self.path)
            return self.send_error(503)
        return super().do_GET()


def test_the_lobby_is_there_before_the_table_and_its_start_waits(window, site):
    """What is chosen there is done as soon as the table has come, once. Python comes before the program, part by part;
    what follows the first game is brought when it is wanted, also if it did not come by itself."""
    server = Server(site, Slow)
    try:
        page = window.open(server.address + "play/?seed=7", size=(390, 844), locale="en-US", service_workers="block")
        page.wait_for_selector(LOBBY)
        page.select_option("form.choose [name=game]", "malice")
        page.click("form.choose [data-act=start]")
        page.wait_for_selector("body[data-site=siteStarting], body[data-site=siteLoading]")
        assert not {"library.bin", "program.bin"} & {*Slow.asked}, "each would take the line from what is needed sooner"
        Slow.comes.set()
        page.wait_for_selector("body[data-phase=play][data-game=malice]")
        wait_for(lambda: Slow.refused, "the test", "the page")
        parts = ("library.bin", "program.bin", "pyodide.later.bin")
        assert sorted(parts, key=Slow.asked.index) == list(parts) and "later.bin" not in Slow.asked
        page.wait_for_selector("body[data-settled]")
        assert "hurried" not in json.loads(page.get_attribute("body", "data-settled")), "the first half has all of this"
        assert page.evaluate("PACKED.wire.get('puzzles/list.json').then((got) => got.ok)")
    finally:
        Slow.comes.set()
        server.stop()


class Cut(Plain):
    """The line is gone while `is_gone`; what follows the first games does not come until `is_back`."""

    is_gone = False
    is_back = False

    def do_GET(self):
        if not self.is_gone and (self.is_back or "later" not in self.path):
            super().do_GET()


# The line that the site says of its table covers nothing: neither the header, with the game's aim, nor a seat.
BETWEEN = """() => {
  const [bar, site, stage] = ["bar", "site", "stage"].map((id) => document.getElementById(id).getBoundingClientRect());
  return bar.bottom < site.top + 1 && site.bottom < stage.top + 1 && site.height > 0;
}"""


def test_a_message_that_needs_the_later_half_waits_for_the_line_and_nothing_is_lost(window, site):
    """No first game has a name with a sign beyond 16 bits. What is pressed meanwhile counts then, once."""
    server = Server(site, Cut)
    try:
        page = open_table(window, server, service_workers="block", locale="en-US")
        page.click("[data-act=settings]")  # their part comes now
        page.wait_for_selector("#dialog[open]")
        page.keyboard.press("Escape")
        Cut.is_gone = True
        page.fill("[name=own-name]", "Ann 🂡")
        page.click("[data-act=quick-start]")
        page.wait_for_selector("body[data-site=siteGone]")
        assert "No network, and a part of the table is missing." in page.inner_text("#site")
        page.wait_for_function(BETWEEN)
        page.click("[data-act=settings]")
        page.select_option("#dialog [data-act=speed]", "4")
        page.keyboard.press("Escape")
        page.wait_for_selector("body.lost")  # the page takes the table for gone, and says all of it again
        waiting = page.evaluate("JSON.parse(sessionStorage.getItem('cardtable.waiting')).map((act) => act.do)")
        assert waiting == ["start", "speed"] and page.get_attribute("body", "data-site") == "siteGone"
        Cut.is_gone, Cut.is_back = False, True
        page.wait_for_selector(f"{READY}[data-phase=play]:has-text('Ann 🂡')")
        play_on(page, acts=3)
        page.click("[data-act=settings]")
        page.wait_for_function("document.querySelector('#dialog [data-act=speed]')?.value === '4'")
        page.wait_for_selector("body[data-settled]")
        assert page.evaluate("PACKED.wire.get('puzzles/list.json').then((got) => got.ok)")
    finally:
        Cut.is_gone, Cut.is_back = False, True
        server.stop()


def test_the_table_speaks_the_first_language_of_the_browser_that_there_is(window, server):
    """Before it has come, too: its lobby lies there in each language."""
    page = window.open("about:blank", service_workers="block")
    page.add_init_script("Object.defineProperty(navigator, 'languages', {get: () => ['uk-UA', 'ru-RU', 'en']});")
    page.goto(server.address + "play/")
    page.wait_for_selector(LOBBY)
    assert f"{server.address}play/lobby.ru.json" in window.requests
    page.wait_for_selector("html[lang=ru]")
    page.wait_for_selector(READY)
    assert page.evaluate("document.documentElement.lang") == "ru"


def test_a_reload_in_mid_game_goes_on(window, server):
    page = open_table(window, server)
    begin(page)
    play_on(page, acts=3)
    hand = "[...document.querySelectorAll('[data-card].own')].map((one) => one.dataset.card).sort().join(' ')"
    kept = int(page.evaluate("document.body.dataset.kept"))
    rests = f"document.body.dataset.kept > {kept} && document.body.dataset.busy === 'no'"
    wait_for(lambda: page.evaluate(rests), "the test", "the page")
    before = page.evaluate(hand)
    page.reload()
    page.wait_for_selector("body[data-phase=play][data-busy=no]")
    wait_for(lambda: page.evaluate(f"{hand} === {json.dumps(before)}"), "the test", "the page")
    play_on(page, acts=1)


def enrol(page):
    """A deck of 36 is registered by this phone: its cards, in that order."""
    page.click("#panel [data-act=read-cards]")
    page.click("#panel [data-act=enrol]")
    deck = deck_cards(36)
    for at, card in enumerate(deck):
        page.wait_for_selector(f"#panel [data-next='{card_name(card)}'].now")
        hold(page, card)
        page.wait_for_selector(f"#panel [data-left='{35 - at}']")
        wait_for(lambda: page.evaluate("window.written.length") == at + 1, "the test", "a name on a tag")  # noqa: B023
        if at == 20:
            look(page, "site-deck")
    page.click("#panel [data-act=end-enrolment]")
    return deck


def test_one_phone_is_a_table(window, server):
    """It registers a deck, reads the cards of both players, and its worker judges them; a reload goes on."""
    page = window.open("about:blank", size=(390, 844))
    page.add_init_script(STAND_IN)
    page.goto(server.address + "play/?real")
    page.wait_for_selector(".realhost [data-act=read-cards]")
    page.click("[data-act=settings]")
    page.select_option("#dialog [data-act=speed]", "4")
    page.keyboard.press("Escape")
    look(page, "site-lobby")
    deck = enrol(page)
    page.select_option("form.choose [name=count]", "2")
    page.click("form.choose [data-act=start]")
    page.wait_for_selector("#common [data-seat='2'] [data-button=NO]")
    dealt = 0
    for seat in (1, 2):
        page.click(f"#common [data-seat='{seat}'] [data-act=touch]")
        page.wait_for_selector(f"#common [data-seat='{seat}'] [aria-pressed=true]")
        for _ in range(6):
            hold(page, deck[dealt])
            dealt += 1
            page.wait_for_selector(f"#middle:has-text('{36 - dealt}')", state="attached")
    hold(page, STRANGER)
    page.wait_for_selector("#common .trouble:has-text('That card is not in this game')")
    look(page, "site-game")
    page.wait_for_selector("body[data-busy=no]", state="attached")
    page.reload()
    page.wait_for_selector("#common [data-act=read-cards]")


def act_out(page, turn, held):
    """One turn, as test_phone_alone.py notes it, at the one phone. held: what was tapped and pressed before."""
    seat, deeds, touches, lines = turn
    if touches:
        page.click(f"#common [data-seat='{seat}'] [data-act=touch]")
        page.wait_for_selector(f"#common [data-seat='{seat}'] [aria-pressed=true]")
    for kind, what in deeds:
        if kind == "tap":
            hold(page, what)
        else:
            page.click(f"#common [data-seat='{seat}'] [data-button={what}]")

    looks = 0

    def is_told():
        nonlocal looks
        looks += 1
        told = page.evaluate("window.fed.length") >= lines
        if not told and len(deeds) == 1 and deeds[0][0] == "tap" and deeds[0] in held and looks % AGAIN == 0:
            hold(page, deeds[0][1])  # the tag had not left since it was held there last: both were one tap
        return told

    wait_for(is_told, "the page", lambda: f"line {lines}")


def test_a_whole_game_by_one_phone_without_a_network(window, server, tmp_path):
    """The network is cut before the first card is held to the phone. The same people play with the same cards as at a
    table of this Python: every line that the public hears is the same, and the judge here accepts the record."""
    (tmp_path / "here").mkdir()
    turns = []
    with Phone(tmp_path / "here", 36) as phone:
        assert not phone.act("reader", on=True) and not phone.start("durak throw-in", 2)
        phone.live(lambda: phone.table.cards is not None, "a game")
        phone.play_on(note=turns.append)
        told = [line["text"] for feed in phone.told("feed") for line in feed["lines"]]
    page = window.open("about:blank", size=(390, 844), locale="en-US")
    page.add_init_script(STAND_IN + FED)
    page.goto(server.address + "play/?real")
    page.wait_for_selector(".realhost [data-act=read-cards]")
    keep_site(page)
    server.stop()
    page.reload()
    page.wait_for_selector(".realhost [data-act=read-cards]")
    page.click("[data-act=settings]")
    page.select_option("#dialog [data-act=speed]", "8")
    page.keyboard.press("Escape")
    enrol(page)
    page.select_option("form.choose [name=count]", "2")
    page.fill("form.choose [name=name1]", PEOPLE[0])
    page.fill("form.choose [name=name2]", PEOPLE[1])
    page.click("form.choose [data-act=start]")
    page.wait_for_selector("#common [data-seat='2'] [data-button=NO]")
    held = set()
    for turn in turns:
        act_out(page, turn, held)
        held.update(turn[1])
    assert page.evaluate("window.fed") == told
    [kept] = kept_records(page)
    record = page.evaluate(READ, kept)
    (tmp_path / "game.rec").write_text(record)
    assert "\nreader: common\n" in record
    assert run(["replay", str(tmp_path / "game.rec")]) == 0


def test_a_second_tab_waits_for_the_first(window, server):
    first = open_table(window, server)
    second = first.context.new_page()
    second.goto(server.address + "play/")
    second.wait_for_selector("body[data-site=siteOther]")
    assert "another tab" in second.inner_text("#site")
    first.close()
    second.wait_for_selector(LOBBY)


def test_a_browser_that_refuses_storage_plays_and_says_so(window, server):
    context = window.chromium.new_context(service_workers="block")
    window.contexts.append(context)
    context.add_init_script("window.broken = [];" + REFUSE_STORAGE)
    context.route("**/play/kept.js", lambda route: route.fulfill(
        content_type="text/javascript", body="self.indexedDB.open = () => { throw new DOMException('refused'); };\n"
        + (server.folder / "play" / "kept.js").read_text(encoding="utf-8")))
    page = context.new_page()
    page.goto(server.address + "play/")
    page.wait_for_selector(LOBBY)
    page.wait_for_selector("body[data-site=siteRefused]")
    assert "keeps nothing" in page.inner_text("#site")
    page.wait_for_function(BETWEEN)


def test_what_is_damaged_in_the_cache_comes_from_the_server_again(window, server, site, tmp_path):
    page = open_table(window, server)
    keep_site(page)
    damage = """async () => {
        const [name] = await caches.keys();
        const cache = await caches.open(name);
        const wanted = (await cache.keys()).find((one) => one.url.endsWith('program.bin'));
        await cache.put(wanted, new Response('damaged'));
    }"""
    page.evaluate(damage)
    page.reload()
    page.wait_for_selector(READY)
    # A newer version waits until somebody reloads, and then the old one is gone.
    newer = tmp_path / "newer"
    shutil.copytree(site, newer)
    script = (newer / "sw.js").read_text(encoding="utf-8")
    (newer / "sw.js").write_text(script.replace('VERSION = "', 'VERSION = "newer-'), encoding="utf-8")
    server.server.RequestHandlerClass.keywords["directory"] = str(newer)
    page.reload()
    page.wait_for_selector(".update button")
    page.click(".update button")
    wanted = ["cardtable-newer-" + version_of(script)]
    wait_for(lambda: ask_safely(page, "caches.keys()") == wanted, "the page", "the newer version")


def ask_safely(page, question):
    """Its value; None while the page loads."""
    with contextlib.suppress(Exception):
        return page.evaluate(question)
    return None


def version_of(script):
    return script.partition('VERSION = "')[2].partition('"')[0]


def test_a_record_that_is_dropped_is_shown_and_its_link_holds_it(window, server):
    page = window.open(server.address + "bring.ru.html", size=(390, 844))
    page.set_input_files("#file", ROOT / "README.md")
    show = "document.getElementById('{}').textContent.includes('{}')".format
    wait_for(lambda: page.evaluate(show("said", "не запись")), "the test", "the page")
    page.set_input_files("#file", ROOT / "tests" / "records" / "durak" / "demo.rec")
    page.wait_for_selector("#watch[href]")
    page.click("#watch")
    page.wait_for_selector("#controls [data-act=help], #tools [data-act=help]")
    wait_for(lambda: page.evaluate(show("title", "Дурак")), "the test", "the page")
    assert "game=" in page.url and "line=" in page.url
    other = window.open(page.url, locale="en-US")  # in the language of who opens it
    wait_for(lambda: other.evaluate(show("title", "Durak")), "the test", "the page")


def test_a_record_that_is_kept_is_one_of_this_browsers_games(window, server):
    page = window.open(server.address + "bring.html", locale="en-US")
    page.set_input_files("#file", ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec")
    page.click("#keep")
    page.wait_for_selector("#said:has-text('It lies among the finished games')")
    page.goto(server.address + "play/mine.html")
    page.wait_for_selector("body[data-state=ready] main:has-text('Gleb')")
    page.wait_for_selector("main:has-text('drills lie in this browser')")
    page.select_option("#who", "Gleb")
    page.wait_for_selector("#ask h2")
    kept = page.evaluate("['name', 'mine'].map((one) => localStorage.getItem('cardtable.' + one))")
    assert kept == [None, '"Gleb"'], "the lobby's player keeps the name that was typed there"


@pytest.mark.parametrize("cut", ["#game=AAAA", "#game=%", "?kept=none.rec"])
def test_a_link_that_holds_no_game_says_so(window, server, cut):
    page = window.open(server.address + "play/view.html?language=en".replace("?", cut + "&" if cut[0] == "?" else "?")
                       + (cut if cut[0] == "#" else ""), locale="en-US")
    page.wait_for_selector("#state:has-text('This game cannot be shown.')")


def test_an_analysis_says_how_far_it_is(window, server):
    """It takes minutes in a browser; this test leaves in the middle of it."""
    page = window.open(server.address + "bring.html", locale="en-US")
    page.set_input_files("#file", ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec")
    page.click("#watch")
    page.wait_for_selector("#controls [data-act=analyse]:not([hidden])")
    page.click("#controls [data-act=analyse]")
    page.wait_for_selector("#state:has-text('being analysed'):has-text('%')")


def test_a_puzzle_a_drill_and_a_first_game_by_their_links(window, server):
    """What is solved stays in this browser; the games that it keeps are listed as one's own."""
    page = window.open(server.address + "play/puzzles.html?language=en", size=(390, 844))
    page.click("body[data-state=question] [data-choice]")
    page.wait_for_selector("body[data-state=done] #ask [role=alert] h2")
    rated = "!!JSON.parse(localStorage.getItem('cardtable.puzzles')).rating"
    wait_for(lambda: page.evaluate(rated), "the test", "a rating")
    page.click("#ways a:has-text('Drills')")
    page.click("[data-act=start]")
    page.wait_for_selector("body[data-state=question] [data-choice]")
    page.click("#ways a:has-text('My games')")
    page.wait_for_selector("body[data-state=ready] .kept")
    page.goto(server.address + "play/?seed=7&learn=durak")
    page.wait_for_selector('.bubble[data-kind="lesson"]:not([hidden])')


def test_the_rulebook_is_searched(window, server):
    page = window.open(server.address + "rules/en/")
    page.fill("#find", "D16")
    page.click('#all li:visible a[href$="#D16"]')
    page.wait_for_selector("li#D16:target")


@pytest.mark.parametrize("part", range(4), ids=["durak", "cals-bs", "bailiff", "malice"])
def test_the_browsers_python_writes_the_records_that_cpython_writes(site, tmp_path, part):
    """Three games of each kind, byte for byte: seals and times, too."""
    numbers = list(range(3 * part, 3 * part + 3))
    here = Path(__file__).parent
    command = ["node", str(here / "probe.mjs"), str(site), str(tmp_path), str(here / "drive.py"), json.dumps(numbers)]
    said = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NODE_NO_WARNINGS": "1"})
    assert not said.returncode, said.stderr
    assert json.loads(said.stdout) == drive.play_all(numbers)


def test_a_table_whose_line_is_gone_behind_its_first_card_plays_on(site, tmp_path):
    """Python ends with a call of a function that cannot be brought: a game calls none, nor does an import in vain."""
    play = tmp_path / "play"
    shutil.copytree(site / "play", play)
    (play / "package.json").write_text('{"type": "module"}')
    said = subprocess.run(["node", Path(__file__).with_name("gone_probe.mjs"), play], capture_output=True, text=True,
                          timeout=PATIENCE_S, env={**os.environ, "NODE_NO_WARNINGS": "1"})
    assert not said.returncode, said.stderr
    assert json.loads(said.stdout) == {"told": ["ready", "settled"], "statuses": [500, 200], "acknowledged": 40}


# In a Python that has these distributions alone.
ALONE = """
import sys
from importlib import metadata
from packaging.utils import canonicalize_name
away = {{module for module, names in metadata.packages_distributions().items()
        if not {{*map(canonicalize_name, names)}} & {there!r}}}
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in away:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Without())
for name in away & sys.modules.keys():
    del sys.modules[name]
from host_tools import cli
sys.exit(cli.run(["site", {target!r}]))
"""


def test_the_extra_brings_all_that_the_site_is_made_with(site, tmp_path):
    """As `make site` has it in a fresh clone: the packages of players, and that extra. The same files come of it."""
    script = ALONE.format(there=find_needs("cardtable", {"site"}, {}) | {"cardtable"}, target=str(tmp_path / "site"))
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env={**os.environ, "PYTHONPATH": "firmware"},
                          capture_output=True, text=True)
    assert not done.returncode, done.stderr
    assert (tmp_path / "site" / "sw.js").read_bytes() == (site / "sw.js").read_bytes()


def test_the_site_is_small_and_its_folder_is_nobody_elses(site):
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < 15e6
