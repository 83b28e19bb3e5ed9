"""Spectators: what they see follows from the public feed alone, is the public table, and is held against the record."""

import asyncio
import contextlib
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import aiohttp
import pytest

from host_tools import cli
from host_tools.look import watch
from host_tools.sight.recorded import Recorded
from host_tools.play.web.desk import QUESTIONS_BURST, Connection
from host_tools.play.web.serve import opened
from tests.host_tools.look.made import SPADES, feed_of, sealed
from tests.host_tools.web.served import Served
from tests.patience import PATIENCE_S, hear, wait_until

CARD = re.compile(r'"((?:[2-9TJQKA][SHDC]|X[BR])2?)"')


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
