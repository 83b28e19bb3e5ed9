"""What visitors of a served table meet: pages with their style, feeds they may leave, no secret in the address bar."""

import asyncio
import os
from types import SimpleNamespace

import aiohttp
import pytest

from host_tools.play.web.feed import LISTENERS, FeedTap
from tests.conftest import ROOT
from tests.host_tools.web.served import Page, Served, begin
from tests.patience import PATIENCE_MS, wait_until

pytestmark = pytest.mark.micropython
SHEET = "/records/a.rec/sheet?line=20"
RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"
FONT = "getComputedStyle(document.body).fontFamily"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    (folder / "a.rec").write_bytes(RECORD.read_bytes())
    with Served(folder, seed=7, speed=8.0) as table:
        yield table


def ask(served, path):
    """(status, headers, text), and no redirect is followed."""
    async def whole():
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{served.address}{path}", allow_redirects=False) as answer:
                return answer.status, answer.headers, await answer.text()

    return served.run(whole())


def test_r5_a_sheet_keeps_a_policy_of_its_own(served):
    """Its style stands in the page: the policy of all other pages took it away."""
    status, headers, text = ask(served, SHEET)
    assert status == 200 and "<style>" in text
    policy = headers["Content-Security-Policy"]
    assert "style-src 'unsafe-inline'" in policy and "script-src" not in policy and "default-src 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_the_address_that_analyses_once_had_leads_to_the_page_that_shows_them(served):
    status, headers, _ = ask(served, "/records/a.rec/analysis?language=ru")
    assert (status, headers["Location"]) == (302, "view?language=ru&analyse=yes")
    assert ask(served, "/records/a.rec/view?language=ru&analyse=yes")[0] == 200


def test_a_page_that_is_not_there_has_the_headers_too(served):
    status, headers, _ = ask(served, "/records/none.rec")
    assert status == 404 and "frame-ancestors 'none'" in headers["Content-Security-Policy"]


@pytest.mark.browser
def test_r5_a_sheet_has_its_style_in_a_browser(served, window):
    page = window.open(served.address + SHEET)
    assert page.evaluate("document.styleSheets.length") == 1 and "sans-serif" in page.evaluate(FONT)
    window.close()


@pytest.mark.browser
@pytest.mark.everything
def test_r2_a_spectator_of_a_full_table_is_told_so_and_comes_again_by_itself(served, window, monkeypatch):
    monkeypatch.setattr("host_tools.play.web.desk.SPECTATORS", 0)
    page = window.open(f"{served.address}/?language=en", is_timed=True)
    full = page.locator("#state", has_text="All places for spectators are taken")
    full.wait_for(timeout=PATIENCE_MS)
    monkeypatch.setattr("host_tools.play.web.desk.SPECTATORS", 1)
    page.clock.run_for(15_000)
    full.wait_for(state="detached", timeout=PATIENCE_MS)
    window.close()


@pytest.mark.browser
def test_r8_the_secret_leaves_the_address_bar_and_outlives_a_reload(served, window):
    page = window.open(served.link())
    page.wait_for_selector("[data-role=host]", timeout=PATIENCE_MS)
    assert "#" not in page.url and page.evaluate("location.href") == f"{served.address}/"
    page.reload()
    page.wait_for_selector("[data-role=host]", timeout=PATIENCE_MS)
    assert "#" not in page.url
    window.close()


def test_r6_a_reader_of_the_feed_may_go_at_any_time(served, capsys):
    """Each one that went while a line came was a traceback."""
    async def leave():
        page = Page(served.address, served.table.seating.host, os.urandom(8).hex())
        await page.open()
        await page.until(lambda: "table" in page.told)
        sessions = [aiohttp.ClientSession() for _ in range(5)]
        feeds = [await session.get(f"{served.address}/feed") for session in sessions]
        tap = served.table.known.on_line.__self__
        await wait_until(lambda: len(tap.listeners) == 5, "the test", "five readers")
        for feed, session in zip(feeds, sessions, strict=True):
            feed.connection.transport.abort()
            await session.close()
        await begin(page, give_up=True)
        await wait_until(lambda: not tap.listeners, "the test", "the readers' end")
        await page.close()

    served.run(leave())
    assert served.table.bugs.count == 0 and "Traceback" not in capsys.readouterr().err


def test_who_reads_the_feed_again_and_again_makes_nobody_else_go():
    """A script at one address made the screen of `cardtable watch` go, each time that it came."""
    tap = FeedTap(SimpleNamespace(known=SimpleNamespace(on_line=None)), None)
    readers = [asyncio.Queue() for _ in range(3 * LISTENERS)]
    for at, reader in enumerate(readers):
        tap.make_place()
        tap.listeners[reader] = "192.0.2.7" if at == 1 else "192.0.2.66"
    assert readers[1] in tap.listeners and len(tap.listeners) == LISTENERS
    assert set(readers[-LISTENERS + 1:]) <= set(tap.listeners), "of the others the oldest have gone"


def test_the_oldest_reader_of_a_full_feed_goes(served, monkeypatch):
    monkeypatch.setattr("host_tools.play.web.feed.LISTENERS", 3)

    async def crowd():
        async with aiohttp.ClientSession() as session:
            feeds = [await session.get(f"{served.address}/feed") for _ in range(5)]
            await feeds[0].read(), await feeds[1].read()  # they end
            tap = served.table.known.on_line.__self__
            return len(tap.listeners), [feed.status for feed in feeds]

    assert served.run(crowd()) == (3, [200] * 5)
