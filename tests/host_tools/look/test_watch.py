"""Spectators: what they see follows from the public feed alone, is the public table, and is held against the record."""

import asyncio
import contextlib
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import aiohttp
import pytest

from host_tools import cli
from host_tools.look import watch
from host_tools.sight.recorded import Recorded, read_record
from host_tools.sight.scene import scene_of
from host_tools.sight.shadow import Shadow
from host_tools.sight.viewer import Viewer
from host_tools.judge.records import public_record
from host_tools.play.web.desk import QUESTIONS_BURST, Connection
from host_tools.play.web.feed import FeedTap
from host_tools.play.web.serve import opened
from tests.games.random_games import catalogue
from tests.host_tools.look.made import CHEATING, RECORDS, SPADES, sealed, twins
from tests.host_tools.web.served import Served
from tests.patience import PATIENCE_S, hear, wait_until

CARD = re.compile(r'"((?:[2-9TJQKA][SHDC]|X[BR])2?)"')


def feed_of(content, digest=""):
    """[(line of the record, line of the feed)] with the header before it, as of line 0."""
    header, said = public_record.make_feed(content, digest)
    return [(0, line) for line in header] + said


# --- what a feed tells ---


def check_followed(record):
    """The table made of the feed is the public table at every event; how many were compared."""
    shadow, course = Shadow(), record.course()
    said = {}
    for number, line in feed_of(record.content):
        said.setdefault(number, []).append(line)
    for line in said.pop(0):
        shadow.take(line)
    count = 0
    for line in record.walk(course):
        assert not shadow.is_lost, (record.name, line.number, line.text)
        if shadow.waits_for_opened is None and line.number % 4 == 0:
            real, made = Viewer(scene_of(course)).tell_view(), Viewer(shadow.scene()).tell_view()
            real["refusals"] = made["refusals"] = []  # their words come with the feed, in the table's language
            if not shadow.has_begun and course.phase != "deal":  # who begins may follow from hands
                real.update(turn=[], waits=[], roles={})
            assert real == made, (record.name, line.number, line.text)
            count += 1
        for heard in said.get(line.number, ()):
            shadow.take(heard)
    return count


@pytest.mark.parametrize("one_in", [10, pytest.param(1, marks=pytest.mark.everything)])
@pytest.mark.parametrize("game", sorted({path.parent.name for path in RECORDS}))
def test_a_feed_is_followed_to_the_same_table_that_all_saw(game, one_in):
    """So many of the recorded games: the cards that the page deals for itself never show."""
    records = [read_record(path) for path in RECORDS if path.parent.name == game][::one_in]
    assert sum(check_followed(record) for record in records) > sum(record.count for record in records) // 8


def test_t11_feeds_of_twins_are_shown_alike_and_name_no_hidden_card():
    """What spectators get of two games that differ only in what is hidden, byte by byte."""
    for game in catalogue():
        for _, records in twins(game, 3):
            made = []
            for record in records:
                hub = watch.Hub()
                hub.count = 0
                public = set()
                for _, line in feed_of(record.content):
                    public |= set(re.findall(r"(?<= )(?:[2-9TJQKA][SHDC]|X[BR])2?(?= |$)", line))
                    hub.take(line)
                    shown = CARD.findall(hub.messages["view"].decode())
                    assert set(shown) <= public, (game.NAME, line)
                made.append([hub.messages, list(hub.lines)])
            assert made[0] == made[1], game.NAME


def test_d43_a_hidden_press_is_not_heard():
    lines = CHEATING.read_text().splitlines()
    without = "\n".join(line for line in lines if " cheat !" not in line) + "\n"
    feed = [line for _, line in feed_of(CHEATING.read_bytes())]
    assert feed == [line for _, line in feed_of(without.encode())] and len(feed) > 100
    assert not any(" cheat" in line for line in feed if not line.startswith("game: ")), "nor one that counts"


def test_a_game_that_began_before_is_told_so():
    hub = watch.Hub()
    for _, line in feed_of(SPADES.read_bytes())[40:60]:
        hub.take(line)
    assert "the next game will be shown" in json.loads(hub.messages["view"])["notice"]
    for _, line in feed_of(SPADES.read_bytes())[:60]:
        hub.take(line)
    view = json.loads(hub.messages["view"])
    assert not view["notice"] and len(view["piles"]) > 4


@pytest.mark.parametrize("cut, lost", [(44, 0), (38, 1), (58, 1), (100, 1)])
def test_t9_a_game_goes_on_for_viewers_after_a_power_failure(cut, lost):
    """T9: `resumed after` and the same header again: the table stays, even if the last line was torn or never came."""
    lines = feed_of(SPADES.read_bytes())
    header = [line for number, line in lines if not number]
    said = [line for number, line in lines if number]
    while lost and (said[cut - 1].startswith("opened") or " ! " in said[cut - 1]):
        cut += 1
    before = [line for line in said[:cut] if " ! " not in line and line[:1].isdigit()][-1]
    after = re.sub(r" \?\?.*", "", public_record.uncommitted(before)).partition(" ")[2]
    heard = said[: cut - lost] + ([said[cut - 1][:6]] if lost else [])
    hub, whole = watch.Hub(), watch.Hub()
    for line in [*header, *heard, f"resumed after: {after}", "cardtable on x", "boot: power", *header, *said[cut:]]:
        hub.take(line)
    for line in [*header, *said]:
        whole.take(line)
    assert not hub.shadow.is_lost and not hub.shadow.is_joined and hub.shadow.result
    assert json.loads(hub.messages["view"])["piles"] == json.loads(whole.messages["view"])["piles"]
    raws = [raw for line in hub.lines for raw in line["raw"]]
    assert said[cut - 1][:6] not in raws or not lost


def test_a_finished_game_that_a_served_table_tells_once_more_counts_once():
    """A lost connection between two games brought the whole game again: who had lost it had lost two."""
    hub = watch.Hub()
    lines = [line for _, line in feed_of(SPADES.read_bytes())]
    for _ in range(2):
        for line in lines:
            hub.take(line)
        assert hub.games == 1 and [row["losses"] for row in hub.score.values()] == [1]
    for line in lines:  # another game of the same people, with the same result, a moment longer
        hub.take(f"9{line}" if line[:1].isdigit() else line)
    assert hub.games == 2 and [row["losses"] for row in hub.score.values()] == [2]


def test_who_joins_in_the_middle_is_told_what_happens_in_words():
    """A power failure of a game that nobody watched, or a cable that was plugged in late: the state cannot be asked
    for, because a table reads nothing from its line."""
    lines = feed_of(SPADES.read_bytes())
    header = [line for number, line in lines if not number]
    said = [line for number, line in lines if number]
    for begin, name in (([], "Seat 3"), (["resumed after: 2 attack XB", *header], "Vera")):
        hub = watch.Hub()
        for line in [*begin, *said[40:]]:
            hub.take(line)
        view = json.loads(hub.messages["view"])
        assert "told in words" in view["notice"] and not view["piles"]
        texts = [line["text"] for line in hub.lines]
        assert f"{name} takes." in texts and any(text.startswith(f"{name} ") and "beat" in text for text in texts)
        assert not [text for text in texts if "??" in text]
        for _, line in lines[:60]:
            hub.take(line)
        view = json.loads(hub.messages["view"])
        assert not view["notice"] and len(view["piles"]) > 4 and not hub.is_behind()


def test_t9_a_served_feed_keeps_what_was_said_before_the_power_failed():
    tap = FeedTap.__new__(FeedTap)
    tap.lines, tap.listeners, tap._is_header, tap._resumed = [], set(), False, ""
    header = ["cardtable 1", "game: durak", ""]
    for line in [*header, "1.0 1 draw ??", "resumed after: 1 draw", "boot: power", *header, "2.0 2 draw ??"]:
        tap.take(line)
    assert tap.lines == [*header, "1.0 1 draw ??", "resumed after: 1 draw", *header, "2.0 2 draw ??"]
    for line in header:
        tap.take(line)
    assert tap.lines == header
    tap.lines, tap._is_header = [], False
    for line in ["resumed after: 1 draw", *header, "2.0 2 draw ??"]:
        tap.take(line)
    assert tap.lines == ["resumed after: 1 draw", *header, "2.0 2 draw ??"]


@pytest.mark.parametrize("language, said, told", [
    ("en", "D8", "may not: Nothing beats a joker (D8)."),
    ("ru", "D8", "так нельзя: Джокера не бьёт ничто (D8)."),
    ("ru", "D8 Nothing beats a joker", "так нельзя: Джокера не бьёт ни одна карта (D8)."),
    ("en", "D8 Этот джокер бьёт только свой цвет", "may not: This joker beats only its own colour (D8)."),
    ("ru", "C11 Too early for you: 3 s to go", "так нельзя: Вам ещё нельзя: 3 с (C11)."),
    ("ru", "B7", "так нельзя: Покрыв, можно тем же ходом добавить ещё одну карту нового достоинства (B7)."),
    ("en", "Y3 No such rule here", "may not: No such rule here (Y3)."),
])
def test_t6_a_refusal_stands_in_words_of_the_page_s_language(language, said, told):
    """A feed of another language, or one made of a record, which has the rule alone."""
    hub = watch.Hub(language)
    for _, line in feed_of(SPADES.read_bytes())[:60]:
        hub.take(line)
    hub.take(f"99.0 1 ! {said}")
    assert hub.lines[-1]["text"].endswith(told) and hub.lines[-1]["kind"] == "refusal"
    (shown,) = [one for one in json.loads(hub.messages["view"])["refusals"] if one["seat"] == 1]
    assert shown["words"] == told.partition(": ")[2].rpartition(" (")[0]


def test_what_the_table_says_of_itself_is_told_to_viewers_in_their_language():
    """Between games and in one, which goes on."""
    hub = watch.Hub("ru")
    lines = [line for _, line in feed_of(SPADES.read_bytes())[:60]]
    for line in ["lost: game 0003, all of it", *lines, "bug: KeyError"]:
        hub.take(line)
    texts = [line["text"] for line in hub.lines]
    assert texts[0] == "Память потеряла игру 0003 целиком." and texts[-1].startswith("В программе стола ошибка.")
    assert len(json.loads(hub.messages["view"])["piles"]) > 4 and len(texts) > 10


def test_who_comes_is_told_the_time_of_the_game_and_whether_it_is_over(monkeypatch):
    """And the last line of what was before: nothing of it happens now."""
    now_s = [100.0]
    monkeypatch.setattr(watch, "time", SimpleNamespace(monotonic=lambda: now_s[0], time=lambda: 7.0))
    hub = watch.Hub()

    def told_after(lines):
        for line in lines:
            hub.take(line)
        now_s[0] += 10.0
        connection = Connection()
        hub.welcome(connection)
        time = json.loads(connection.replies[1])
        assert time["type"] == "time" and time["line"] == connection.lines[-1]["n"]
        return time["at"], time["over"]

    lines = [line for _, line in feed_of(SPADES.read_bytes())]
    over = next(at for at, line in enumerate(lines) if line.startswith("result: "))
    last = [int(float(line.split()[0]) * 1000) for line in lines[:over] if line[:1].isdigit()][-1]
    assert told_after(lines[:over]) == (last + 10_000, False)
    assert told_after(lines[over:]) == (last, True)
    assert told_after(lines[:1]) == (10_000, False), "the next game has begun"


def test_each_viewer_reads_the_table_in_the_language_of_their_own_browser():
    """Whose is none of ours has that of the command line; who changes it is told all again."""
    hub = watch.Hub("ru")
    lines = [line for _, line in feed_of(SPADES.read_bytes())]
    viewers = {one: Connection() for one in ("en", "ru", "xx")}
    for line in lines[:60]:
        hub.take(line)
    for language, viewer in viewers.items():
        hub.join(viewer)
        hub.hear(viewer, json.dumps({"type": "hello", "client": "viewer42", "language": language}))

    def heard_by(language):
        messages = [json.loads(message) for message in viewers[language].take()]
        return [one for one in messages if one["type"] != "time"]

    told = {language: heard_by(language) for language in viewers}
    assert [one[0]["language"] for one in told.values()] == ["en", "ru", "ru"] and told["ru"] == told["xx"]
    hub.hear(viewers["xx"], json.dumps({"type": "speak", "language": "en"}))
    assert heard_by("xx") == told["en"]
    for line in lines[60:]:
        hub.take(line)
    last = {language: heard_by(language)[-1]["lines"] for language in viewers}
    assert last["xx"] == last["en"] and last["en"][-1]["text"] == "Boris is the fool."
    same = [[(line["n"], line["raw"], line["kind"]) for line in last[one]] for one in ("en", "ru")]
    assert same[0] == same[1] and last["ru"][-1]["text"] == "В дураках Boris."
    hub.hear(viewers["en"], json.dumps({"type": "rule", "rule": "D8"}))
    assert "joker" in heard_by("en")[0]["text"].lower()


@pytest.mark.parametrize("word", ["9e999", "1e12", "1_0", "9" * 15])
def test_what_is_no_time_does_not_move_the_clock(word):
    hub = watch.Hub()
    hub.take("12.5 1 take")
    hub.take(f"{word} 1 take")
    assert hub._at_ms == 12_500


# --- served ---


class Watched:
    """A hub that is served in a thread of its own."""

    def __init__(self, records=None):
        self.hub = watch.Hub("en", records)
        self.loop = asyncio.new_event_loop()
        self.ready, self.ended = threading.Event(), None
        self.thread = threading.Thread(target=self.loop.run_until_complete, args=(self.serve(),), daemon=True)

    async def serve(self):
        self.ended = asyncio.Event()
        async with opened(watch.make_watch(self.hub)) as self.address:
            self.ready.set()
            await self.ended.wait()

    def __enter__(self):
        self.thread.start()
        hear(self.ready, "the test", "a server that listens")
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive(), f"the test waited {PATIENCE_S:g} s for a server that ends"

    def do(self, work, *facts):
        """Do it in the server's thread."""
        async def done():
            return work(*facts)

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result(PATIENCE_S)

    def take(self, lines):
        for _, line in lines:
            self.do(self.hub.take, line)


class Wire:
    """What lies between a browser and the server: `cut()` breaks all that goes through it, until `mend()`."""

    def __init__(self, served):
        self.served, self.ends, self.is_cut = served, set(), False
        served.do(lambda: None)
        server = asyncio.run_coroutine_threadsafe(self.open(), served.loop).result(PATIENCE_S)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        served.hub.names.add(self.address.partition("//")[2])

    async def open(self):
        return await asyncio.start_server(self.meet, "127.0.0.1", 0)

    async def meet(self, reader, writer):
        if self.is_cut:
            writer.transport.abort()
            return
        port = int(self.served.address.rpartition(":")[2])
        above_reader, above_writer = await asyncio.open_connection("127.0.0.1", port)
        self.ends |= {writer, above_writer}
        await asyncio.gather(self.carry(reader, above_writer), self.carry(above_reader, writer), return_exceptions=True)

    async def carry(self, reader, writer):
        while block := await reader.read(4096):
            writer.write(block)
            await writer.drain()
        writer.close()

    def cut(self):
        self.is_cut = True
        self.served.do(lambda: [end.transport.abort() for end in self.ends])

    def mend(self):
        self.is_cut = False


def test_viewers_get_the_page_in_few_parts_with_the_words_of_their_language():
    async def ask(address):
        async with aiohttp.ClientSession(headers={"Accept-Language": "ru"}) as session:
            async with session.get(f"{address}/") as page:
                parts = re.findall(r'(?:href|src)="(parts/[\w.]+)"', await page.text())
            async with session.get(f"{address}/{parts[1]}") as modules:
                return len(parts), await modules.text()

    with Watched() as served:
        count, modules = asyncio.run(ask(served.address))
    assert count == 2 and 'lendWords("ru"' in modules


@pytest.mark.parametrize(("chosen", "asked", "told"), [
    ("", "", "ru"), ("", "?language=en", "en"), ("en", "", "en"), ("en", "?language=ru", "ru"),
    ("en", "?language=x", "en"),
])
def test_a_screen_speaks_as_its_address_or_the_command_says_else_as_its_browser_does(chosen, asked, told):
    """A Russian television showed the clock in English."""
    async def ask():
        async with (opened(watch.make_watch(watch.Hub(chosen or "en"), chosen)) as address,
                    aiohttp.ClientSession(headers={"Accept-Language": "ru-RU,ru;q=0.9,en;q=0.8"}) as session):
            for name in ("clock", "overlay"):
                async with session.get(f"{address}/{name}{asked}") as page:
                    assert page.status == 200 and f'<html lang="{told}">' in await page.text()

    asyncio.run(ask())


def test_the_command_tells_a_language_that_was_chosen_from_the_usual_one(tmp_path, monkeypatch):
    chosen = []

    async def serve(*_):
        return 0

    monkeypatch.setattr(watch, "make_watch", lambda hub, said: chosen.append((hub.language, said)))
    monkeypatch.setattr("host_tools.commands.watch.serve", serve)
    (tmp_path / "feed.txt").write_text("")
    for more in ([], ["--language", "en"], ["--language", "ru"]):
        assert cli.run(["watch", str(tmp_path / "feed.txt"), *more]) == 0
    assert chosen == [("en", ""), ("en", "en"), ("ru", "ru")]


def wait_text(page, selector, text):
    page.locator(selector, has_text=text).first.wait_for(state="attached")


@pytest.mark.browser
def test_a_spectator_who_is_late_or_comes_back_sees_the_right_table(window, tmp_path):
    """One from the beginning, one late, one whose connection is cut in the middle; then the record proves the game."""
    content, digest = sealed(SPADES)
    lines = feed_of(content, digest)
    (tmp_path / "other.rec").write_bytes(SPADES.read_bytes())
    with Watched(tmp_path) as served:
        wire = Wire(served)
        first = window.open(wire.address)
        served.take(lines[:70])
        late = window.open(served.address, (390, 844))
        first.wait_for_selector("[data-pile^=attack] [data-card]")
        wire.cut()
        first.wait_for_selector("body[data-open=no]")
        served.take(lines[70:100])
        wire.mend()
        served.take(lines[100:150])
        last = served.do(lambda: served.hub.lines[-1]["text"])
        for page in (first, late):
            wait_text(page, "#news", last)
        seen = [sorted((one.get_attribute("data-pile"), one.locator("[data-card]").count())
                       for one in page.locator("[data-pile]").all()) for page in (first, late)]
        assert seen[0] == seen[1] and len(seen[0]) > 4
        assert first.locator("[data-seat] [data-card]:not([data-card=back])").count() == 0
        served.take(lines[150:])
        for page in (first, late):
            wait_text(page, "#state", "When its record is here")
        (tmp_path / "this.rec").write_bytes(content)
        served.do(served.hub.look_for_record)
        for page in (first, late):
            page.wait_for_selector("body[data-proof=good]")
        assert "This is the game that you watched" in first.locator("#state").inner_text()
        window.close()


def test_of_many_records_only_the_one_that_was_watched_is_read_as_a_game(tmp_path, monkeypatch):
    """Each of the others was, every two seconds until the record came; a thousand took three seconds, and who came
    then waited."""
    content, digest = sealed(SPADES)
    for number in range(9):
        (tmp_path / f"{number}.rec").write_bytes(content.replace(b"\nnonce: ", b"\nnonce: %d" % number, 1))
    read = []
    monkeypatch.setattr(watch, "Recorded", lambda name, content: read.append(name) or Recorded(name, content))
    hub = watch.Hub(records=tmp_path)
    for _, line in feed_of(content, digest):
        hub.take(line)
    hub.look_for_record()
    assert not read and not hub._proof
    (tmp_path / "4-this.rec").write_bytes(content)
    hub.look_for_record()
    assert read == ["4-this.rec"] and hub._proof


@pytest.mark.browser
@pytest.mark.parametrize("change", ["hidden", "public"])
def test_a_record_of_another_game_is_not_the_one_that_was_watched(window, change):
    """A card that nobody saw, or a play, was other than the record says: the viewer's own page finds it."""
    content, digest = sealed(SPADES)
    lines = content.decode().splitlines()
    if change == "hidden":
        one, two = [number for number, line in enumerate(lines) if re.fullmatch(r"\S+ 1 draw \w+", line)][:2]
        lines[one], lines[two] = (lines[one].rsplit(" ", 1)[0] + " " + lines[two].rsplit(" ", 1)[1],
                                  lines[two].rsplit(" ", 1)[0] + " " + lines[one].rsplit(" ", 1)[1])
    else:
        at = next(number for number, line in enumerate(lines) if line.endswith("attack XB"))
        lines[at] = lines[at].replace("XB", "XR")
    with Watched() as served:
        page = window.open(served.address)
        wait_text(page, "#news", "You watch")
        served.take(feed_of(content, digest))
        wait_text(page, "#state", "When its record is here")
        served.do(lambda: (setattr(served.hub, "_proof", watch.encode(
            {"type": "proof", "record": "\n".join(lines) + "\n", "digest": digest})), served.hub.tell({})))
        page.wait_for_selector("body[data-proof=bad]")
        window.close()


@pytest.mark.browser
def test_overlay_and_clock(window):
    lines = feed_of(SPADES.read_bytes())
    with Watched() as served:
        overlay, clock = window.open(f"{served.address}/overlay"), window.open(f"{served.address}/clock")
        served.take(lines[:75])
        for page in (overlay, clock):
            wait_text(page, "#seats", "Boris")
        wait_text(overlay, "#head", "♣")
        wait_text(overlay, "#bout", "★b")
        wait_text(overlay, "#verdict", "Anna may not: Nothing beats a joker (D8).")
        wait_text(clock, "#since", "since the game began")
        assert overlay.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
        served.take(lines[75:])
        wait_text(clock, "#seats", "lost 1")
        wait_text(clock, "#verdict", "Boris is the fool.")
        window.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", ["overlay", "clock"])
def test_a_page_without_a_person_whose_modules_a_lost_line_cut_off_comes_once_the_line_is_back(chromium, name):
    """Else a television stays empty until somebody loads the page again."""
    with Watched() as served, contextlib.closing(chromium.new_context()) as context:
        served.take(feed_of(SPADES.read_bytes())[:75])
        page = context.new_page()
        page.route("**/make.js", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            page.goto(f"{served.address}/{name}")
        page.unroute("**/make.js")
        wait_text(page, "#seats", "Boris")


@pytest.mark.micropython
def test_a_table_in_browsers_is_watched_through_its_feed(tmp_path):
    """`cardtable play` hands its feed on: a hub that follows it shows what everybody sees there."""
    with Served(tmp_path, game="durak throw-in", seats=[("Anna", "bot:random"), ("Boris", "bot:random")], seed=3,
                speed=8.0) as served:
        hub = watch.Hub("en", tmp_path)
        task = asyncio.run_coroutine_threadsafe(watch.run_hub(hub, served.address, 0.0, print), served.loop)
        try:
            served.wait(lambda: len(hub.shadow.slots) > 16, "the deal and some plays")
            heard = [raw for line in list(hub.lines) for raw in line["raw"] if raw[:1].isdigit()]
            printed = served.read(lambda: [line for line in served.table.known.said if line[:1].isdigit()])
            assert heard[:16] == printed[:16] and not hub.shadow.is_lost
        finally:
            task.cancel()


class SetClock(asyncio.SelectorEventLoop):
    """An event loop whose clock a test sets on."""

    ahead_s = 0.0

    def time(self):
        return super().time() + self.ahead_s


def test_the_delay_holds_every_line_back(tmp_path, monkeypatch):
    """Nothing of a line is known before its time: the hub has not even taken it."""
    path = tmp_path / "feed.txt"
    path.write_text("".join(line + "\n" for _, line in feed_of(SPADES.read_bytes())[:60]))
    follow, delay_s = watch.follow, 100_000.0
    heard, taken, loop = [], [], SetClock()

    async def overhear(source, on_trouble):
        async for line in follow(source, on_trouble):
            heard.append(line)
            yield line

    async def watch_it():
        hub = watch.Hub()
        hub.take = taken.append
        task = asyncio.create_task(watch.run_hub(hub, str(path), delay_s, print))
        await wait_until(lambda: len(heard) == 60, "the hub", lambda: f"60 lines; it heard {len(heard)}")
        loop.ahead_s += delay_s - 1000.0
        for _ in range(10):
            await asyncio.sleep(0)
        assert not taken
        loop.ahead_s += 1000.0
        await wait_until(lambda: len(taken) == 60, "the hub", lambda: f"60 lines; it took {len(taken)}")
        task.cancel()

    def run():
        loop.run_until_complete(watch_it())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())  # else its thread reads on when all tests are over
        loop.close()

    monkeypatch.setattr(watch, "follow", overhear)
    with ThreadPoolExecutor(1) as thread:  # a browser's loop may run in this one
        thread.submit(run).result(2 * PATIENCE_S)
    assert taken == heard


def test_what_is_no_viewer_is_hung_up_on():
    async def check(address):
        async with aiohttp.ClientSession() as session:
            for text in ("nonsense", '{"type": "act", "n": 1, "do": "tap"}', "[]", '{"type": "hello", "client": 3}'):
                async with session.ws_connect(f"{address}/ws") as socket:
                    await socket.send_str(text)
                    assert (await socket.receive_json())["type"] == "error"
            async with session.get(f"{address}/ws", headers={"Host": "evil.example"}) as answer:
                assert answer.status == 403

    with Watched() as served:
        asyncio.run_coroutine_threadsafe(check(served.address), served.loop).result(PATIENCE_S)


def test_what_all_viewers_together_ask_is_bounded(monkeypatch):
    """Each answer is worked out in the server's loop."""
    monkeypatch.setattr(watch, "QUESTIONS_RATE", 0)  # no time passes here
    hub, told = watch.Hub(), []
    for viewer in range(QUESTIONS_BURST // 40 + 1):
        connection = Connection()
        hub.hear(connection, json.dumps({"type": "hello", "client": f"viewer{viewer:02}"}))
        connection.replies.clear()
        for _ in range(40):
            hub.hear(connection, json.dumps({"type": "rule", "rule": "D7"}))
        told += map(json.loads, connection.replies)
    assert [one for one in told if "why" not in one] == told[:QUESTIONS_BURST] and len(told) == QUESTIONS_BURST + 40


def test_a_viewer_may_ask_what_the_page_asks():
    """Help, and another language in the settings for reading, ended a viewer's page; an unknown rule cut its line."""
    hub = watch.Hub()
    for _, line in feed_of(SPADES.read_bytes())[:60]:
        hub.take(line)
    connection = Connection()

    def ask(kind, **more):
        hub.hear(connection, json.dumps({"type": kind, **more}))
        told = [json.loads(one) for one in connection.replies]
        connection.replies.clear()
        return told

    ask("hello", client="viewer01")
    assert ask("summary")[0]["parts"] and ask("summary", game="malice")[0]["game"] == "malice"
    assert ask("summary", game="bridge") == [{"type": "summary", "why": "there is no such game"}]
    assert ask("rule", rule="D7")[0]["text"]
    assert ask("rule", rule="X1") == [{"type": "rule", "why": "there is no such rule"}]
    connection.lines = []
    assert [one["type"] for one in ask("speak", language="ru")] == ["welcome", "time"] and connection.lines


def test_the_recorded_name_of_a_seat_cannot_break_a_page():
    record = Recorded("x", SPADES.read_bytes().replace(b"Anna", b"<b>\"A"))
    hub = watch.Hub()
    for _, line in feed_of(record.content):
        hub.take(line)
    assert json.loads(hub.messages["table"])["seats"][0]["name"] == '<b>"A'
